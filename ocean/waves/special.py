"""Functions that the standard library has for one number, for arrays, and the root of a function.

scipy has them too, but to import it takes a window as long as all that it computes of the sea before its first frame.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ocean.waves.dispersion import Array

_erfc = np.vectorize(math.erfc, otypes=[np.float64])
_log_gamma = np.vectorize(math.lgamma, otypes=[np.float64])


def normal(x: ArrayLike) -> Array:
    """Return the standard normal distribution: the chance of less than x."""
    return np.asarray(0.5 * _erfc(-np.asarray(x, np.float64) / math.sqrt(2)))


def log_gamma(x: ArrayLike) -> Array:
    """ln |Gamma(x)|."""
    return np.asarray(_log_gamma(x))


def root(function: Callable[[float], float], low: float, high: float, tolerance: float = 1e-12) -> float:
    """Where a function crosses 0 that is below it at `low` and not at `high`, by bisection."""
    while high - low > tolerance:
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return 0.5 * (low + high)
