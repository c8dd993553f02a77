"""Calls of functions in a separate process, because some inputs crash a library or keep it busy without end.

The process stays for later calls, which it answers one at a time. It ends with the program, whose pipe it reads.
"""

import atexit
import faulthandler
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from time import monotonic
from typing import Any, TypeVar

MEMORY = 16 << 30  # bytes that the process may address
LOOK = 0.02  # s between looks for a cancellation

Result = TypeVar("Result")
Process = subprocess.Popen[bytes]

_lock = Lock()  # guards the process
_process: Process | None = None


class IsolationError(ValueError):
    """The process crashed or took too long; the message says which."""


class Cancelled(Exception):
    """A call that its caller gave up."""


def call(
    function: Callable[..., Result], *arguments: Any, longest: float, is_cancelled: Callable[[], bool] | None = None
) -> Result:
    """Return what a function of a module returns for these arguments, called in the process.

    Raises:
        ValueError: with the message of the function's own error.
        IsolationError: when the process crashes, or takes longer than `longest` [s].
        Cancelled: when `is_cancelled` returns true meanwhile.
    """
    global _process

    def look() -> None:
        if is_cancelled is not None and is_cancelled():
            raise Cancelled

    while not _lock.acquire(timeout=LOOK):
        look()
    try:
        if _process is None or _process.poll() is not None:
            _process = start()
        process, answer, started = _process, Future[Any](), monotonic()
        Thread(target=_ask, args=(process, (longest, folder(), function, arguments), answer), daemon=True).start()
        try:
            while not answer.done():
                look()
                with suppress(TimeoutError):
                    answer.exception(LOOK)
            found: Result = answer.result()
        except BaseException as error:  # the process may still answer this call, and must never answer the next one
            _process = None
            end(process)
            if not isinstance(error, EOFError | OSError | pickle.UnpicklingError):
                raise
            if monotonic() - started >= longest:
                raise IsolationError(f"it takes longer than {longest:g} s") from None
            raise IsolationError(f"the library crashes on it (status {process.returncode})") from None
    finally:
        _lock.release()
    if isinstance(found, Exception):
        raise found
    return found


def start() -> Process:
    root = str(Path(__file__).parents[2])
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


def end(process: Process) -> None:
    process.kill()
    with suppress(OSError), process:  # unsent data is dropped
        pass


def folder() -> str:
    """Return the current folder; the root if it was removed."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return os.sep


def serve() -> None:
    """Answer calls until the pipe ends."""
    with suppress(ImportError, ValueError, OSError):  # some systems have no such bounds
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        Path("/proc/self/oom_score_adj").write_text("1000")  # Linux ends this process first when memory runs out
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # libraries may print
    with suppress(EOFError):
        while True:
            longest, place, function, arguments = pickle.load(sys.stdin.buffer)
            faulthandler.dump_traceback_later(longest, exit=True)  # even if a library hangs or the program is gone
            try:
                os.chdir(place)
                answer: Any = function(*arguments)
            except Exception as error:
                answer = ValueError(str(error) or type(error).__name__)
            faulthandler.cancel_dump_traceback_later()
            pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()


def _ask(process: Process, question: object, answer: "Future[Any]") -> None:
    """Send a question to the process, and set its answer or the error of the pipe."""
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        pickle.dump(question, process.stdin)
        process.stdin.flush()
        answer.set_result(pickle.load(process.stdout))  # our own process wrote it
    except BaseException as error:
        answer.set_exception(error)


if __name__ == "__main__":
    serve()
