"""Standard output that a program outlives: a pipe that is closed, a disk that is full, a terminal of few characters."""

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class LastingFile(io.RawIOBase):
    """A file whose errors are kept until the end, so that work goes on without its output."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.error: OSError | None = None

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def write(self, data: Any) -> int:
        try:
            return os.write(self._descriptor, data) if self.error is None else len(data)
        except OSError as error:
            self.error = error
            return len(data)


@contextmanager
def lasting() -> Iterator[None]:
    """Let standard output be a `LastingFile` that replaces characters which its encoding lacks. At the end, an error
    other than a closed pipe becomes a sentence and exit status 2."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started the program
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # until the end
    usual = sys.stdout
    if usual is not sys.__stdout__ or not isinstance(usual, io.TextIOWrapper):
        yield  # no stream of the system's
        return
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")
    usual.flush()
    file = LastingFile(usual.fileno())
    text = io.TextIOWrapper(
        io.BufferedWriter(file), usual.encoding, "replace", line_buffering=usual.line_buffering, write_through=False
    )
    sys.stdout = text
    try:
        yield
    finally:
        text.flush()
        sys.stdout = usual
        if file.error is not None and file.error.errno != errno.EPIPE:
            print(
                f"ocean: can't write to standard output: {os.strerror(file.error.errno or 0).lower()}", file=sys.stderr
            )
            sys.exit(2)
