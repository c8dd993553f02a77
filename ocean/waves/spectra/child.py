"""A process that reads files of spectra: on some damaged files a library crashes, or reads without end, and must not
take the program with it. The process stays for later files and ends with the program, whose pipe it reads."""

import atexit
import faulthandler
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from contextvars import ContextVar
from pathlib import Path
from threading import Lock, Thread
from time import monotonic
from typing import Any

from ocean.common.errors import shown
from ocean.waves.spectra.formats import SpectrumFileError

LONGEST = 30.0  # s for one file
MEMORY = 16 << 30  # bytes that the process may address

Question = tuple[Any, ...]

patience: ContextVar[float | None] = ContextVar("patience", default=None)
"""Seconds that `read_apart` waits at most before it raises StillReading; None waits to the end."""

_asked: dict[Question, "Future[Any]"] = {}
_lock = Lock()  # guards the process, which reads one file at a time
running: "subprocess.Popen[bytes] | None" = None


class StillReading(Exception):
    """A file that takes longer to read than the caller waits. The same question later gets its answer."""


class TooLongError(SpectrumFileError):
    """A file that takes longer than `LONGEST`."""


def read_apart(files: Sequence[Path], *wanted: Any) -> Any:
    """Return what `ocean.waves.spectra.reader.read` returns for these arguments, read in the process.

    Raises:
        SpectrumFileError: when the reader raises it, or the process crashes or takes too long.
        StillReading: when it takes longer than `patience`.
    """
    question = folder(), tuple(files), *wanted
    if (answer := _asked.get(question)) is None:
        answer = _asked[question] = Future()
        Thread(target=_answer, args=(answer, question), name="spectrum file", daemon=True).start()
    try:
        found = answer.result(patience.get())
    except TimeoutError:
        raise StillReading(files[0].name) from None
    except KeyboardInterrupt:
        stop()
        raise
    except BaseException:
        _asked.pop(question, None)
        raise
    _asked.pop(question, None)
    return found


def stop() -> None:
    """Give up the file being read and the files that wait."""
    global running
    _asked.clear()
    process, running = running, None  # the next question starts another
    if process is not None:
        process.kill()


def _answer(answer: "Future[Any]", question: Question) -> None:
    try:
        answer.set_result(_ask(answer, question))
    except BaseException as error:
        answer.set_exception(error)


def _ask(asked: "Future[Any]", question: Question) -> Any:
    """Return the answer of the process to a question; start it if it does not run."""
    global running
    with _lock:
        if _asked.get(question) is not asked:
            raise SpectrumFileError("the reading was given up")
        if running is None or running.poll() is not None:
            running = start()
        process = running
        assert process.stdin is not None
        assert process.stdout is not None
        started = monotonic()
        try:
            pickle.dump((LONGEST, *question), process.stdin)
            process.stdin.flush()
            answer = pickle.load(process.stdout)  # our own process wrote it
        except BaseException as error:  # the process may still answer this question, and never the next one
            running = None
            end(process)
            if not isinstance(error, EOFError | OSError | pickle.UnpicklingError):
                raise
            name = f"spectrum.path = {shown(','.join(map(str, question[1])))} can't be read"
            if monotonic() - started >= LONGEST:
                raise TooLongError(f"{name}: it takes longer than {LONGEST:g} s") from None
            raise SpectrumFileError(f"{name}: the library crashes on it (status {process.returncode})") from None
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
    with suppress(OSError), process:  # unsent data is dropped
        pass


def serve() -> None:
    """Answer requests until the pipe ends."""
    from ocean.waves.spectra.reader import read

    with suppress(ImportError, ValueError, OSError):  # some systems have no such bounds
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        Path("/proc/self/oom_score_adj").write_text("1000")  # Linux ends this process first when memory runs out
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # libraries may print
    with suppress(EOFError):
        while True:
            longest, place, files, *wanted = pickle.load(sys.stdin.buffer)
            faulthandler.dump_traceback_later(longest, exit=True)  # even if a library hangs or the program is gone
            try:
                os.chdir(place)
                answer: Any = read(files, *wanted)
            except Exception as error:
                answer = SpectrumFileError(str(error) or type(error).__name__)
            faulthandler.cancel_dump_traceback_later()
            pickle.dump(answer, answers)
            answers.flush()


if __name__ == "__main__":
    serve()
