"""Samples as text: a number a line, or a real and an imaginary part."""

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.settings import SettingsError

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
LEAST = 2  # samples of a transform


class SampleError(SettingsError):
    """A file that holds no samples; the message names the line."""


def read_samples(path: str, largest: float = sys.float_info.max) -> tuple[NDArray[np.complex128], bool]:
    """The samples of a file, or of standard input for `-`, and whether any line gave an imaginary part.

    A line holds `re` or `re im`, with blanks or a comma between, so that `1,5` is 1 + 5i. What follows a `#` and empty
    lines are left out.

    Raises:
        SampleError: with the line's number, when a line is no number or beyond `largest`; when there are fewer than
            two samples; when the file can't be read.
    """
    name = "standard input" if path == "-" else path
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise SampleError(f"can't read {name}: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SampleError(f"{name}, line {line}: this is no text") from None
    return parse_samples(text.splitlines(), name, largest)


def parse_samples(lines: Sequence[str], name: str, largest: float) -> tuple[NDArray[np.complex128], bool]:
    """The samples in these lines; `name` is where they are from."""
    samples: list[complex] = []
    is_complex = False
    last = 0
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].strip()
        if not words:
            continue
        parts = re.split(r"\s*,\s*|\s+", words)
        if len(parts) > 2 or not all(NUMBER.fullmatch(part) for part in parts):
            raise SampleError(f"{name}, line {number}: {shortened(words)!r} is no number, and no pair of two")
        values = [float(part) for part in parts]
        if beyond := [part for part, value in zip(parts, values, strict=True) if abs(value) > largest]:
            raise SampleError(f"{name}, line {number}: {beyond[0]} is beyond {largest:.2g}, the largest number")
        is_complex = is_complex or len(values) == 2
        samples.append(complex(*values))
        last = number
    if len(samples) < LEAST:
        found = (
            f"line {last}: this is the only sample"
            if samples
            else f"line {max(len(lines), 1)}: it ends without a sample"
        )
        raise SampleError(f"{name}, {found}; a transform needs at least {LEAST}")
    return np.array(samples, np.complex128), is_complex


def shortened(words: str, longest: int = 40) -> str:
    return words if len(words) <= longest else words[: longest - 1] + "…"


def write_samples(path: Path, values: NDArray[Any], comments: Iterable[str]) -> None:
    """Complex numbers as `re im` lines, with all of their digits, below comments."""
    digits = 9 if values.dtype == np.complex64 else 17
    rows = (f"{value.real:.{digits}g} {value.imag:.{digits}g}" for value in values)
    text = "\n".join([*(f"# {comment}" for comment in comments), *rows])
    path.write_text(text + "\n", encoding="utf-8")
