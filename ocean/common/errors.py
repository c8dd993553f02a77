"""Input that can't be used: errors of one sentence, and bounds on untrusted files.

Bytes, depth, number of values and digits are checked before use; beyond the bounds, ValueError gives the reason.
"""

import difflib
import json
import operator
import os
import stat
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any


class InputError(ValueError):
    """An impossible request; the message says why in one sentence. Commands print it and end with exit status 2, so
    their docstrings do not list its subclasses."""


MOST_SETTINGS = 1 << 16  # bytes of a settings file; all settings with their help take 10 KiB
MOST_JSON = 1 << 26  # bytes of a report; the samples of 100,000 frames take 10 MiB a pass
MOST_PARTS = 1 << 22  # quotes, commas and brackets of a report: a gigabyte of values; 1,000 rows have 200,000
MOST_VALUES = 2000  # values of a tree of settings
DEEPEST = 32  # tables within tables
WHOLE = range(-(2**63), 2**63)  # integers that TOML guarantees
TOO_LARGE = "it has an integer of more than 64 bits"
SHOWN = 120  # characters of a value in a message
LISTED = 1000  # maximum number of names in a folder that are searched for the nearest one


def read_bytes(path: Path, most: int) -> bytes:
    """Return the content of a file. Raises OSError when it can't be read, and ValueError when it is longer than `most`
    bytes, or a device or a named pipe, which may never end. A shell's `<(...)` is a descriptor, not a named pipe."""
    if path.is_fifo() and not str(path).startswith(("/dev/", "/proc/")):
        raise ValueError("it is a named pipe, not a file")
    with path.open("rb") as file:
        found = os.fstat(file.fileno())
        if stat.S_ISCHR(found.st_mode):
            raise ValueError("it is a device, not a file")
        data = file.read(most + 1) if found.st_size <= most else b""  # a pipe has no size
    if found.st_size > most or len(data) > most:
        raise ValueError(f"it has more than {most} bytes")
    return data


def read_own(path: Path, most: int) -> bytes:
    """Return the content of one of the program's own files; raise ValueError for pipes, which may never end."""
    if path.exists() and not path.is_file():
        raise ValueError("it is not a regular file")
    return read_bytes(path, most)


def reason(error: OSError) -> str:
    """Return why a file can't be read or written; for a missing file, with the missing folder or the nearest name."""
    said = (error.strerror or str(error)).lower()
    if not isinstance(error, FileNotFoundError) or error.filename is None:
        return said
    path = Path(os.fsdecode(error.filename))
    if not path.parent.is_dir():
        return f"there is no folder {clipped(str(path.parent), SHOWN)}"
    with suppress(OSError), os.scandir(path.parent) as entries:
        names = [entry.name for entry in islice(entries, LISTED)]
        if match := difflib.get_close_matches(path.name, names, n=1):
            said += f"; did you mean {clipped(str(path.with_name(match[0])), SHOWN)}?"
    return said


def parse_toml(text: str) -> dict[str, Any]:
    """Return the tree of a TOML text within the bounds of `check`."""
    if len(text.encode(errors="replace")) > MOST_SETTINGS:
        raise ValueError(f"it has more than {MOST_SETTINGS} bytes")
    if any(line.count(".") > 4 * DEEPEST for line in text.splitlines()):  # tomllib's time: (parts of a key)³
        raise ValueError(f"a line has more than {4 * DEEPEST} dots")
    try:
        tree = tomllib.loads(text)
    except RecursionError:
        raise ValueError(f"its tables are nested more than {DEEPEST} deep") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # an integer of more digits than Python converts
        raise ValueError(TOO_LARGE) from None
    check(tree)
    return tree


def refuse_parts(data: bytes) -> None:
    """Raise ValueError for JSON whose values would take far more memory than its text."""
    if sum(map(data.count, (b'"', b",", b"{", b"["))) > MOST_PARTS:
        raise ValueError(f"it has more than {MOST_PARTS} quotes, commas and brackets")


def parse_json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("its values are nested too deep") from None


def check(tree: Any) -> None:
    """Raise ValueError for a tree that is too deep or too large, or has integers beyond 64 bits or invalid Unicode."""
    values, left = 0, [(tree, 0)]
    while left:
        value, depth = left.pop()
        values += 1
        if depth > DEEPEST:
            raise ValueError(f"its tables are nested more than {DEEPEST} deep")
        if values > MOST_VALUES:
            raise ValueError(f"it has more than {MOST_VALUES} values")
        if isinstance(value, int) and value not in WHOLE:
            raise ValueError(TOO_LARGE)
        if isinstance(value, str) and not is_unicode(value):
            raise ValueError(f"{shown(value)} has bytes that are not UTF-8")
        inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
        left += [(each, depth + 1) for each in inner]


def is_unicode(text: str) -> bool:
    """Return whether a text can be encoded. Python marks the bytes of file names that are not UTF-8 by surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown(value: object) -> str:
    """Return a value for a message: on one line, with its middle left out if it is long."""
    try:
        long = repr(clipped(value, 4 * SHOWN) if isinstance(value, str) else value)
        text = plain(" ".join(map(str.strip, long.splitlines())))
    except (ValueError, RecursionError):  # an integer of more digits than Python converts
        return f"a {type(value).__name__} too large to show"
    return clipped(text)


def whole_number(value: Any, name: str) -> int:
    try:
        return int(operator.index(value))
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {shown(value)}") from None


def whole_numbers(values: Any, name: str) -> list[int]:
    try:
        return [int(operator.index(value)) for value in values]
    except TypeError:
        raise TypeError(f"{name} must be a sequence of integers, not {shown(values)}") from None


def clipped(text: str, most: int = SHOWN) -> str:
    """Return a text with its middle left out, if it has more than `most` characters."""
    return text if len(text) <= most else f"{text[: most // 2 - 1]} … {text[2 - most + most // 2 :]}"


def plain(text: str) -> str:
    """Return an untrusted text on one line, safe for a terminal: control characters, line breaks and bidirectional
    marks are escaped. Names of files, keys, passes and devices pass through it before they are printed."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def code(text: str) -> str:
    """Return an untrusted text as code in Markdown, in which HTML, links and mentions have no effect."""
    return f"`{plain(text).replace('`', chr(39)) or ' '}`"
