"""A process that reads files of spectra: on some damaged files a library crashes, or reads without end, and the program
must not do so with it. The process stays for later files and ends with the program, whose pipe it reads."""

import atexit
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer
from time import monotonic
from typing import Any

from ocean.common.reading import shown
from ocean.waves.spectra.formats import SpectrumFileError

LONGEST = 30.0  # s for one file
MEMORY = 16 << 30  # bytes that the process may address

_lock = Lock()
running: "subprocess.Popen[bytes] | None" = None


def read_apart(files: Sequence[Path], *wanted: Any) -> Any:
    """Return what `ocean.waves.spectra.reader.read` returns for these arguments, read in the process.

    Raises:
        SpectrumFileError: as the reader does, and when the process crashes or takes too long.
    """
    global running
    with _lock:
        if running is None or running.poll() is not None:
            running = start()
        process = running
        assert process.stdin is not None
        assert process.stdout is not None
        clock, started = Timer(LONGEST, process.kill), monotonic()
        clock.start()
        try:
            pickle.dump((folder(), tuple(files), *wanted), process.stdin)
            process.stdin.flush()
            answer = pickle.load(process.stdout)  # our own process wrote it
        except BaseException as error:  # Ctrl-C too, after which the answer is one to the last question
            running = None
            end(process)
            if not isinstance(error, EOFError | OSError | pickle.UnpicklingError):
                raise
            crash = f"the library crashes on it (status {process.returncode})"
            why = f"it takes longer than {LONGEST:g} s" if monotonic() - started >= LONGEST else crash
            raise SpectrumFileError(
                f"spectrum.path = {shown(','.join(map(str, files)))} can't be read: {why}"
            ) from None
        finally:
            clock.cancel()
    if isinstance(answer, Exception):
        raise answer
    return answer


def folder() -> str:
    """Return the current folder; the root if it was removed."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return os.sep


def start() -> "subprocess.Popen[bytes]":
    root = str(Path(__file__).parents[3])
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": path},
        start_new_session=True,  # Ctrl-C is for the program
    )
    atexit.register(end, process)
    return process


def end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    with suppress(OSError), process:  # what was not sent is dropped
        pass


def serve() -> None:
    """Answer requests until the pipe ends."""
    from ocean.waves.spectra.reader import read

    with suppress(ImportError, ValueError, OSError):  # where the system has no such bounds
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        Path("/proc/self/oom_score_adj").write_text("1000")  # where memory ends first, this process does
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints
    with suppress(EOFError):
        while True:
            place, files, *wanted = pickle.load(sys.stdin.buffer)
            try:
                os.chdir(place)
                answer: Any = read(files, *wanted)
            except Exception as error:
                answer = SpectrumFileError(str(error) or type(error).__name__)
            pickle.dump(answer, answers)
            answers.flush()


if __name__ == "__main__":
    serve()
