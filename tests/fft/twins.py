"""Functions of numpy and scipy that are the reference for ours, and the comparison."""

import numpy as np
import pytest
import scipy.fft

from ocean import fft

LIMITS = {"f": 2e-6, "d": 1e-13}  # relative L2 limits for any size, in single and in double precision
COMPLEX = ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn")
HALF = ("rfft", "irfft", "rfft2", "irfft2")
COSINE = ("dct", "idct", "dct2", "idct2")


def twin(name):
    """Return numpy's or scipy's function of the same name and arguments."""
    if name in COSINE:
        return getattr(scipy.fft, name.replace("2", "n"))
    return getattr(np.fft, name)


def wide(x):
    return x.astype("c16" if x.dtype.kind == "c" else "f8")


def family(error):
    """Return the exception types that a caller would catch: numpy.exceptions.AxisError is a ValueError and an
    IndexError."""
    return next(one for one in (TypeError, IndexError, ValueError) if isinstance(error, one))


def check(ctx, name, x, backend="auto", **arguments):
    """Compare value and type of a result with the twin's, computed in double precision; or expect an exception of the
    same types as the twin's."""
    ours = getattr(fft, name)
    before = x.copy()
    try:
        expected, dtype = twin(name)(wide(x), **arguments), twin(name)(x, **arguments).dtype
    except Exception as error:
        with pytest.raises(family(error)):
            ours(ctx, x, backend, **arguments)
        return
    result = ours(ctx, x, backend, **arguments)
    assert result.shape == expected.shape
    if x.ndim and arguments.get("axes", True):  # without axes numpy returns its input, of any type
        assert result.dtype == np.result_type(dtype, "f4")  # numpy's irfft alone goes back to float16
    assert result.flags.writeable
    limit = LIMITS["f" if result.dtype in ("c8", "f4") else "d"]
    assert np.linalg.norm(result - expected) <= limit * np.linalg.norm(expected)
    np.testing.assert_array_equal(x, before)
