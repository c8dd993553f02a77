"""A process that reads files of spectra: the libraries below NetCDF crash on some damaged files, and the program must
not end with them. The process stays for later files and ends with the program, whose pipe it reads."""

import atexit
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer
from typing import Any

from ocean.common.reading import shown
from ocean.waves.spectra.formats import SpectrumFileError

LONGEST = 120.0  # s for one file
MEMORY = 16 << 30  # bytes that the process may address
NATIVE = b"\x89HDF", b"CDF"
"""First bytes of the files that native code reads: NetCDF 4 and 3."""

_lock = Lock()
running: "subprocess.Popen[bytes] | None" = None


def is_native(file: Path) -> bool:
    with suppress(OSError), file.open("rb") as stream:
        return stream.read(8).startswith(NATIVE)
    return False


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
        clock = Timer(LONGEST, process.kill)
        clock.start()
        try:
            pickle.dump((os.getcwd(), tuple(files), *wanted), process.stdin)
            process.stdin.flush()
            answer = pickle.load(process.stdout)  # our own process wrote it
        except (EOFError, OSError, pickle.UnpicklingError):
            running = None
            end(process)
            name = shown(",".join(map(str, files)))
            raise SpectrumFileError(
                f"spectrum.path = {name} can't be read: the library crashes on it (status {process.returncode})"
            ) from None
        finally:
            clock.cancel()
    if isinstance(answer, Exception):
        raise answer
    return answer


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

    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints
    with suppress(EOFError):
        while True:
            place, files, *wanted = pickle.load(sys.stdin.buffer)
            os.chdir(place)
            try:
                answer: Any = read(files, *wanted)
            except Exception as error:
                answer = SpectrumFileError(str(error) or type(error).__name__)
            pickle.dump(answer, answers)
            answers.flush()


if __name__ == "__main__":
    serve()
