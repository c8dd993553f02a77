"""Files of samples: text with a number, or a real and an imaginary part, on each line; or NumPy's .npy."""

import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.lib.format import read_array
from numpy.typing import NDArray

from ocean.common.errors import SHOWN, InputError, clipped, reason, shown
from ocean.common.files import write_array

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
LEAST = 2  # least samples of a transform
NUMPY = ".npy"
MOST_TEXT = 1 << 30  # most bytes of text


class SampleError(InputError):
    """A file that holds no samples; the message names the line."""


def read_samples(path: str, largest: float = sys.float_info.max) -> tuple[NDArray[np.complex128], bool]:
    """Return the samples of a file, or of standard input for `-`, and whether they are complex.

    A file that ends in .npy holds an array of one dimension. In other files a line holds `re` or `re im`, with blanks
    or a comma between, so that `1,5` is 1 + 5i. Empty lines and comments after a `#` are ignored.

    Raises:
        SampleError: with the line's number, when a line is no number or beyond `largest`; when there are fewer than
            two samples; when the file can't be read.
    """
    if Path(path).suffix == NUMPY:
        return read_npy(path, largest)
    name = "standard input" if path == "-" else path
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as stream:
            data = stream.read(MOST_TEXT + 1)
        if len(data) > MOST_TEXT:
            raise SampleError(f"{name} has more than {MOST_TEXT >> 20} MiB of text; write its samples as {NUMPY}")
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise SampleError(f"can't read {name}: {reason(error)}; FILE is a text or {NUMPY} of samples") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SampleError(f"{name}, line {line}: this is no text; a NumPy file has to end in {NUMPY}") from None
    return parse_samples(text.splitlines(), name, largest)


def read_npy(path: str, largest: float) -> tuple[NDArray[np.complex128], bool]:
    """Return the samples of a .npy file, and whether they are complex; see `read_samples`."""
    try:
        with Path(path).open("rb") as stream:
            values = read_array(stream, allow_pickle=False)
    except OSError as error:
        raise SampleError(f"can't read {path}: {reason(error)}; FILE is a text or {NUMPY} of samples") from None
    except (ValueError, TypeError, OverflowError, SyntaxError, TokenError) as error:  # errors of the header, a literal
        said = clipped(next(iter(str(error).splitlines()), ""), SHOWN)
        raise SampleError(f"{path} is no NumPy file of numbers: {said}") from None
    if values.ndim != 1 or values.dtype.kind not in "iufc" or len(values) < LEAST:
        shape = f"{' x '.join(map(str, values.shape)) or 'no'} values of {clipped(str(values.dtype), SHOWN)}"
        raise SampleError(f"{path} holds {shape}; a transform takes one dimension of {LEAST} numbers or more")
    samples = values.astype(np.complex128)
    if not (np.abs(samples) <= largest).all():
        raise SampleError(f"{path} holds values that are not finite, or beyond {largest:.2g}, the largest number")
    return samples, values.dtype.kind == "c"


def parse_samples(lines: Sequence[str], name: str, largest: float) -> tuple[NDArray[np.complex128], bool]:
    """Return the samples in these lines, and whether they are complex; `name` names their source in messages."""
    samples: list[complex] = []
    is_complex = False
    last = 0
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].strip()
        if not words:
            continue
        parts = re.split(r"\s*,\s*|\s+", words)
        if len(parts) > 2 or not all(NUMBER.fullmatch(part) for part in parts):
            raise SampleError(
                f"{name}, line {number}: {shown(words)} is no number, and no pair of two; write 're' or 're im'"
            )
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


def write_samples(path: Path, values: NDArray[Any], comments: Iterable[str]) -> None:
    """Write complex numbers as `re im` lines, with all digits, below comments; or as .npy, without comments."""
    if path.suffix == NUMPY:
        write_array(path, values)
        return
    digits = 9 if values.dtype == np.complex64 else 17
    rows = (f"{value.real:.{digits}g} {value.imag:.{digits}g}" for value in values)
    text = "\n".join([*(f"# {comment}" for comment in comments), *rows])
    path.write_text(text + "\n", encoding="utf-8")
