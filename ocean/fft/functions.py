"""Transforms of numpy arrays on the GPU, with the names, shapes, scales and errors of numpy.fft.

Each takes a context, an array of any shape, and a backend's name. The backend `numpy` runs without a context as well:
the context is None then. Arrays in single precision are transformed in single precision, all others in double
precision, as numpy does. Batches that are larger than a buffer of the GPU are split.
"""

from functools import partial
from math import prod
from typing import Any

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.fft.arguments import Axes, Lengths, Norm, Options, axes_of, norm_scale, resized
from ocean.fft.arrays import Engine, one_axis, several_axes
from ocean.fft.backends import DEFAULT_BACKEND
from ocean.fft.contract import FFTError
from ocean.fft.storage import COLUMNS, ROWS, ComplexArray


def _complex(
    engine: Engine, x: NDArray[Any], s: Lengths, axes: Axes, norm: Norm, *, inverse: bool = False
) -> NDArray[Any]:
    axes = axes_of(axes, x, s)
    if s is not None and len(set(axes)) < len(s) == len(axes):  # numpy resizes a repeated axis before each transform
        s = [x.shape[axis] if length == -1 else length for axis, length in zip(axes, s, strict=True)]
        for axis, length in zip(axes[::-1], s[::-1], strict=True):
            x = _complex(engine, x, (length,), (axis,), norm, inverse=inverse)
        return x
    x = resized(x, s, axes)
    scale = norm_scale(norm, prod(x.shape[axis] for axis in axes), inverse)
    return engine.transform(x, axes, inverse, scale)


_inverse = partial(_complex, inverse=True)

fft = one_axis(
    _complex,
    "fft",
    """Return X[k] = sum_j x[j] e^{-2 pi i j k / n} along one axis, cropped or padded with zeros to `n`.

    See numpy.fft.fft. Returns complex64 for input in single precision, complex128 for any other.

    Raises:
        FFTError (a ValueError): when the backend can't run the size or the precision, or `n` or `norm` is not valid.
        AxisError: when there is no such axis.
        TypeError: when the input holds no numbers.
    """,
)
ifft = one_axis(_inverse, "ifft", "Invert `fft`; see numpy.fft.ifft.")
fft2 = several_axes(
    _complex, "fft2", (-2, -1), "Apply `fft` along two axes, cropped or padded to the lengths `s`; see numpy.fft.fft2."
)
ifft2 = several_axes(_inverse, "ifft2", (-2, -1), "Invert `fft2`; see numpy.fft.ifft2.")
fftn = several_axes(_complex, "fftn", None, "Apply `fft` along these axes, or all; see numpy.fft.fftn.")
ifftn = several_axes(_inverse, "ifftn", None, "Invert `fftn`; see numpy.fft.ifftn.")


def transform(
    ctx: moderngl.Context | None,
    x: ArrayLike,
    backend: str = DEFAULT_BACKEND,
    inverse: bool = False,
    options: Options = None,
    scale: float = 1.0,
) -> ComplexArray:
    """Transform fields in single precision along rows and columns, and multiply by `scale`, as a plan does.

    `x` and the result have the shape (fields, height, width) or (height, width).

    Raises:
        FFTError: when the shape is wrong, values are not finite, or the backend can't run the size.
    """
    x = np.asarray(x)
    if not np.issubdtype(x.dtype, np.number):
        raise FFTError(f"expected numbers, not {x.dtype}")
    if x.ndim not in (2, 3) or x.size == 0:
        raise FFTError(f"expected fields of shape (height, width) or (fields, height, width), not {x.shape}")
    with np.errstate(over="ignore"):
        fields = x.reshape(-1, *x.shape[-2:]).astype(np.complex64)
    if not np.isfinite(fields).all():
        raise FFTError("the data hold values that are not finite in single precision")
    return Engine(ctx, backend, options).run(fields, (ROWS, COLUMNS), inverse, scale).reshape(x.shape)
