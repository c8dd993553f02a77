"""The transform of a file of samples, on the GPU and by numpy in float64: results, differences and times.

A file holds a number, or a real and an imaginary part, on each line; or it is NumPy's .npy.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from pathlib import Path
from tokenize import TokenError
from typing import Any, Literal

import moderngl
import numpy as np
from numpy.lib.format import read_array
from numpy.typing import NDArray

from ocean import fft
from ocean.common.console import say
from ocean.common.errors import SHOWN, InputError, clipped, reason, shown
from ocean.common.facts import provenance
from ocean.common.files import whole_files, write_array, writing
from ocean.fft.comparison import KERNEL_CLOCKS, TimedTransform, timed_transform
from ocean.fft.measure import SPREAD
from ocean.fft.options import FFTError
from ocean.fft.stages import trace
from ocean.gpu.context import create_headless_context
from ocean.gpu.timing import measure_wait, medians
from ocean.settings import FFTSettings

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
LEAST = 2  # minimum number of samples of a transform
NUMPY = ".npy"
MOST_TEXT = 1 << 30  # maximum bytes of text


def read_samples(path: str, largest: float = sys.float_info.max) -> tuple[NDArray[np.complex128], bool]:
    """Return the samples of a file, or of standard input for `-`, and whether they are complex.

    A file that ends in .npy holds an array of one dimension. In other files a line holds `re` or `re im`, with blanks
    or a comma between, so that `1,5` is 1 + 5i. Empty lines and comments after a `#` are ignored.
    """
    if Path(path).suffix == NUMPY:
        return read_npy(path, largest)
    name = "standard input" if path == "-" else path
    if path == "-" and sys.stdin is None:
        raise InputError("standard input is closed; write a file's name, or pipe the samples into the command")
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as stream:
            data = stream.read(MOST_TEXT + 1)
        if len(data) > MOST_TEXT:
            raise InputError(f"{name} has more than {MOST_TEXT >> 20} MiB of text; write its samples as {NUMPY}")
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"can't read {name}: {reason(error)}; FILE is a text or {NUMPY} of samples") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name}, line {line}: this is not text; the name of a NumPy file ends in {NUMPY}") from None
    return parse_samples(text.splitlines(), name, largest)


def read_npy(path: str, largest: float) -> tuple[NDArray[np.complex128], bool]:
    """Return the samples of a .npy file, and whether they are complex; see `read_samples`."""
    try:
        with Path(path).open("rb") as stream:
            values = read_array(stream, allow_pickle=False)
    except OSError as error:
        raise InputError(f"can't read {path}: {reason(error)}; FILE is a text or {NUMPY} of samples") from None
    except (ValueError, TypeError, OverflowError, SyntaxError, TokenError) as error:  # errors of the header, a literal
        said = clipped(next(iter(str(error).splitlines()), ""), SHOWN)
        raise InputError(f"{path} is not a NumPy file of numbers: {said}") from None
    if values.ndim != 1 or values.dtype.kind not in "iufc" or len(values) < LEAST:
        shape = f"{' x '.join(map(str, values.shape)) or 'no'} values of {clipped(str(values.dtype), SHOWN)}"
        raise InputError(f"{path} holds {shape}; a transform takes one dimension of {LEAST} numbers or more")
    samples = values.astype(np.complex128)
    if not (np.abs(samples) <= largest).all():
        raise InputError(f"{path} holds values that are not finite, or beyond {largest:.2g}, the largest number")
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
            raise InputError(f"{name}, line {number}: {shown(words)} is neither a number nor a pair; write re or re im")
        values = [float(part) for part in parts]
        if beyond := [part for part, value in zip(parts, values, strict=True) if abs(value) > largest]:
            raise InputError(f"{name}, line {number}: {beyond[0]} is beyond {largest:.2g}, the largest number")
        is_complex = is_complex or len(values) == 2
        samples.append(complex(*values))
        last = number
    if len(samples) < LEAST:
        last, found = (last, "this is the only sample") if samples else (max(len(lines), 1), "it ends without a sample")
        raise InputError(f"{name}, line {last}: {found}; a transform needs at least {LEAST}")
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


Precision = Literal["single", "double"]
DTYPES: dict[Precision, type[np.complex64 | np.complex128]] = {"single": np.complex64, "double": np.complex128}
LONGEST_PADDING = 1 << 24
LONGEST_TRACE = 1 << 14
DONE, WRONG = 0, 3


def differences(result: NDArray[Any], expected: NDArray[np.complex128], promise: float) -> tuple[int, tuple[str, str]]:
    """Return the number of wrong values of a line, and sentences on its differences from numpy's in float64. `promise`
    is the backend's largest relative L2 error."""
    difference = np.abs(result.astype(np.complex128) - expected)
    size, rms, at = root_mean_square(np.abs(expected)), root_mean_square(difference), int(np.argmax(difference))
    limit = SPREAD * promise * size
    differ, wrong = np.count_nonzero(difference), int(np.count_nonzero(~(difference <= limit)))
    return wrong, (
        f"differences: {differ} of {len(result)} values, the largest {difference[at]:.2g} at {at}, root mean square "
        f"{rms:.2g}, relative L2 {rms / size if size else rms:.2g}",
        f"wrong: {wrong} of {len(result)} values, which differ by more than {limit:.2g}",
    )


def root_mean_square(values: NDArray[np.float64]) -> float:
    """Return the root mean square, without overflow for large values."""
    largest = float(values.max())
    return largest * float(np.sqrt(np.mean((values / largest) ** 2))) if largest else 0.0


def transform(
    path: str,
    fft_settings: FFTSettings,
    *,
    precision: Precision = "single",
    inverse: bool = False,
    with_steps: bool = False,
    lines: int = 32,
    out: Path | None = None,
) -> int:
    """Transform the samples of a file, print the results, and write the GPU's result to the file `out`. Return the exit
    status: 0, or 3 when values are wrong."""
    with ExitStack() as closing:
        folder = closing.enter_context(whole_files(out.parent, [out.name], alone=True)) if out is not None else None
        largest = float(np.finfo(DTYPES[precision]).max)
        samples, is_complex = read_samples(path, largest)
        context = create_headless_context()
        closing.callback(context.release)
        name, options = fft_settings.backend, fft_settings.options
        size, why = padded_size(context, name, options, len(samples))
        if with_steps and size > LONGEST_TRACE:
            raise InputError(f"--trace takes up to {LONGEST_TRACE} elements, not {size}")
        if np.abs(samples / largest).sum() > 1 / (4 * size):  # Bluestein's convolution has the largest sums
            raise InputError(f"the samples are too large to be added up in {precision} precision")
        x = np.zeros(size, np.complex128)
        x[: len(samples)] = samples
        run = timed_transform(context, x.astype(DTYPES[precision])[None, None, :], inverse, name, options)
        (ran,) = run.backends
        result, expected = run.result[0, 0], reference(x, inverse)
        chosen = run.transforms[0].options
        promise = fft.BACKENDS[ran].error_limit(size, chosen, precision == "double")
        title = f"{'inverse' if inverse else 'forward'} transform by {ran}" + (" (auto)" if name == "auto" else "")
        values = "".join(f", {key} = {value}" for key, value in chosen.model_dump(exclude_defaults=True).items())
        kind = "complex" if is_complex else "real"
        say(f"samples: {len(samples)}, {kind}, from {'standard input' if path == '-' else path}")
        print(f"length: {size}{why}")
        say(f"backend: {title}{values}, in {precision} precision")
        for line in (*provenance(context.info), ""):
            say(line)
        for line in table(x, is_complex, expected, result, lines):
            print(line)
        wrong, said = differences(result, expected, promise)
        print("", *said, "", *time_lines(run, x, inverse), sep="\n")
        if with_steps:
            print()
            for line in trace(run.transforms[0].flow, inverse, lines):
                print(line)
        if out is not None and folder is not None:
            with writing(out.parent):
                write_samples(folder / out.name, result, [title, f"{len(samples)} samples of {path}, length {size}"])
    if out is not None:
        print()
        say(f"wrote {out}")
    return WRONG if wrong else DONE


def padded_size(ctx: moderngl.Context, name: str, options: Any, count: int) -> tuple[int, str]:
    """Return the length of the transform of `count` samples, and the reason for zeros after them, in words."""
    reason = fft.obstacle(ctx, name, count, options)
    if reason is None:
        return count, ""
    size = 1 << (count - 1).bit_length()
    while size <= LONGEST_PADDING:
        if fft.obstacle(ctx, name, size, options) is None:
            return size, f", padded with {size - count} zeros: {name} {reason}"
        size *= 2
    raise FFTError(f"{name}: {reason}")


def reference(x: NDArray[np.complex128], inverse: bool) -> NDArray[np.complex128]:
    return np.fft.ifft(x) if inverse else np.fft.fft(x)


def table(
    x: NDArray[np.complex128], is_complex: bool, expected: NDArray[Any], result: NDArray[Any], lines: int
) -> Iterator[str]:
    """Yield lines with input, both results and their difference; a long table is cut in the middle."""
    width = max(6, len(str(len(x))))
    input_width = 28 if is_complex else 13
    yield f"{'n, k':>{width}} {'input':>{input_width}} {'CPU, numpy float64':>28} {'GPU':>28} {'difference':>10}"
    head = len(x) if len(x) <= lines else -(-lines * 3 // 4)
    tail = range(len(x) - (lines - head), len(x)) if head < len(x) else range(0)
    for k in [*range(head), *tail]:
        if tail and k == tail.start:
            yield f"{'…':>{width}} {len(x) - lines} more lines are left out; --lines {len(x)} prints them"
        shown = number(x[k]) if is_complex else f"{x[k].real:13.6g}"
        difference = abs(complex(result[k]) - expected[k])
        yield f"{k:>{width}} {shown} {number(expected[k])} {number(result[k])} {difference:10.2g}"
    if len(x) > lines and not tail:
        yield f"{'…':>{width}} {len(x) - lines} more lines are left out"


def number(value: complex) -> str:
    return f"{value.real:13.6g} {value.imag:+13.6g}i"


def time_lines(run: TimedTransform, x: NDArray[np.complex128], inverse: bool) -> Iterator[str]:
    rows = [
        (run.kernels_ms, "GPU, kernels alone", KERNEL_CLOCKS[run.clock]),
        (run.total_ms, "GPU, with upload and read back", "wall clock, from numpy array to numpy array"),
        (run.numpy_ms, f"CPU, numpy.fft in {run.result.dtype.name}", "wall clock, nothing to transfer"),
    ]
    if run.result.dtype != np.complex128:
        (double_ms,) = medians(measure_wait(lambda: reference(x, inverse)))
        rows.append((double_ms, "CPU, numpy.fft in complex128", "wall clock, nothing to transfer"))
    yield f"times: {run.measured} on the same data" + ("" if run.is_long else ", GPU and CPU alternately")
    for milliseconds, what, clock in rows:
        yield f"{milliseconds:12.4f} ms  {what} ({clock})"
