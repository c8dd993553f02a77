"""Standard streams whose failure does not end the program: closed pipes, full disks, small character sets."""

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO


class LastingFile(io.FileIO):
    """A file whose errors are kept until the end, so that work goes on without its output."""

    error: OSError | None = None

    def write(self, data: Any) -> int:
        try:
            return os.write(self.fileno(), data) if self.error is None else len(data)
        except OSError as error:
            self.error = error
            return len(data)


@contextmanager
def lasting() -> Iterator[None]:
    """Let standard output and standard error be `LastingFile`s that replace characters missing in their encodings. At
    the end, an error of standard output other than a closed pipe becomes a sentence and exit status 2."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # the caller has closed it
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # until the end
    usual = sys.stdout, sys.stderr
    sys.stdout, file = _lasting(sys.stdout, "replace")
    sys.stderr, _ = _lasting(sys.stderr, "backslashreplace")
    try:
        yield
    finally:
        sys.stdout.flush()
        error = file.error if file and file.error and file.error.errno != errno.EPIPE else None
        if error is not None:
            print(f"ocean: can't write to standard output: {os.strerror(error.errno or 0).lower()}", file=sys.stderr)
        sys.stderr.flush()
        sys.stdout, sys.stderr = usual
        if error is not None:
            sys.exit(2)


def _lasting(stream: TextIO, errors: str) -> tuple[TextIO, LastingFile | None]:
    """Return a system's stream as text on a `LastingFile`, and any other stream unchanged."""
    if stream not in (sys.__stdout__, sys.__stderr__) or not isinstance(stream, io.TextIOWrapper):
        return stream, None
    stream.flush()
    file, encoding = LastingFile(stream.fileno(), "w", closefd=False), stream.encoding
    try:
        "×\n".encode(encoding, errors)
    except UnicodeError:  # codecs such as idna ignore `errors`
        encoding = "utf-8"
    return io.TextIOWrapper(io.BufferedWriter(file), encoding, errors, line_buffering=stream.line_buffering), file
