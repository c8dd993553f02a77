"""The transform of a file of samples, on the GPU and by numpy in float64: results, differences and times."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean import fft
from ocean.cli.samples import SampleError, read_samples, write_samples
from ocean.common.errors import InputError
from ocean.common.facts import provenance
from ocean.common.files import whole_files, writing
from ocean.fft.comparison import KERNEL_CLOCKS, TimedTransform, timed_transform
from ocean.fft.options import FFTError
from ocean.fft.trace import trace
from ocean.gpu.context import create_headless_context
from ocean.gpu.stopwatch import measure_wait, medians
from ocean.settings import FFTSettings

Precision = Literal["single", "double"]
DTYPES: dict[Precision, type[np.complex64 | np.complex128]] = {"single": np.complex64, "double": np.complex128}
LONGEST_PADDING = 1 << 24
LONGEST_TRACE = 1 << 14
DONE, WRONG = 0, 3
SPREAD = 10
"""Largest error of a value, in units of a backend's promised root mean square error. Sums of many rounding
errors are normally distributed, and the largest of 2^24 of them lies six standard deviations out."""


@dataclass(frozen=True)
class Differences:
    """Differences between a result and numpy's in float64."""

    count: int  # number of values that differ at all
    wrong: int  # number of values that differ by more than `limit`, or are not finite
    limit: float
    largest: float
    largest_at: int
    rms: float
    relative: float  # relative L2 norm

    @classmethod
    def between(cls, result: NDArray[Any], expected: NDArray[np.complex128], promise: float) -> "Differences":
        """Compare two lines; `promise` is the backend's largest relative L2 error."""
        difference = np.abs(result.astype(np.complex128) - expected)
        size, rms = root_mean_square(np.abs(expected)), root_mean_square(difference)
        limit = SPREAD * promise * size
        at = int(np.argmax(difference))
        return cls(
            count=int(np.count_nonzero(difference)),
            wrong=int(np.count_nonzero(~(difference <= limit))),
            limit=limit,
            largest=float(difference[at]),
            largest_at=at,
            rms=rms,
            relative=rms / size if size else rms,
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
    status: 0, or 3 when values are wrong.

    Raises:
        SampleError: when the file holds no samples, or too large ones.
        FFTError: when the backend can't run the number of samples in this precision.
        OutputError: when `out` can't be written.
        ContextError: when there is no usable OpenGL.
    """
    with ExitStack() as closing:
        folder = closing.enter_context(whole_files(out.parent, [out.name])) if out is not None else None
        largest = float(np.finfo(DTYPES[precision]).max)
        samples, is_complex = read_samples(path, largest)
        context = create_headless_context()
        closing.callback(context.release)
        name, options = fft_settings.backend, fft_settings.options
        size, why = padded_size(context, name, options, len(samples))
        if with_steps and size > LONGEST_TRACE:
            raise InputError(f"--trace takes up to {LONGEST_TRACE} elements, not {size}")
        if np.abs(samples / largest).sum() > 1 / (4 * size):  # Bluestein's convolution has the largest sums
            raise SampleError(f"the samples are too large to be added up in {precision} precision")
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
        print(f"samples: {len(samples)}, {kind}, from {'standard input' if path == '-' else path}")
        print(f"length: {size}{why}")
        print(f"backend: {title}{values}, in {precision} precision")
        print(*provenance(context.info), "", sep="\n")
        for line in table(x, is_complex, expected, result, lines):
            print(line)
        found = Differences.between(result, expected, promise)
        print("", *difference_lines(found, size), "", *time_lines(run, x, inverse), sep="\n")
        if with_steps:
            print()
            for line in trace(run.transforms[0].flow, inverse, lines):
                print(line)
        if out is not None and folder is not None:
            with writing(out.parent):
                write_samples(folder / out.name, result, [title, f"{len(samples)} samples of {path}, length {size}"])
    if out is not None:
        print(f"\nwrote {out}")
    return WRONG if found.wrong else DONE


def padded_size(ctx: moderngl.Context, name: str, options: Any, count: int) -> tuple[int, str]:
    """Return the length of the transform of `count` samples, and the reason for zeros after them, in words.

    Raises:
        FFTError: when the backend runs neither that length nor any power of two above it.
    """
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


# -- Words -------------------------------------------------------------------------------------------------------------


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


def difference_lines(found: Differences, size: int) -> Iterator[str]:
    yield (
        f"differences: {found.count} of {size} values, the largest {found.largest:.2g} at {found.largest_at}, "
        f"root mean square {found.rms:.2g}, relative L2 {found.relative:.2g}"
    )
    yield f"wrong: {found.wrong} of {size} values, which differ by more than {found.limit:.2g}"


def time_lines(run: TimedTransform, x: NDArray[np.complex128], inverse: bool) -> Iterator[str]:
    rows = [
        (run.kernels_ms, "GPU, kernels alone", KERNEL_CLOCKS[run.clock]),
        (run.total_ms, "GPU, with upload and read back", "wall clock, from numpy array to numpy array"),
        (run.numpy_ms, f"CPU, numpy.fft in {run.result.dtype.name}", "wall clock, nothing to transfer"),
    ]
    if run.result.dtype != np.complex128:
        (double_ms,) = medians(measure_wait(lambda: reference(x, inverse)))
        rows.append((double_ms, "CPU, numpy.fft in complex128", "wall clock, nothing to transfer"))
    yield f"times: {run.measured} on the same data" + ("" if run.is_long else ", GPU and CPU in turn")
    for milliseconds, what, clock in rows:
        yield f"{milliseconds:12.4f} ms  {what} ({clock})"
