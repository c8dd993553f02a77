"""Special functions of arrays, and a root finder, without scipy.

Importing scipy takes as long as the whole computation of the sea before a window's first frame.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ocean.waves.dispersion import Array

_erfc = np.vectorize(math.erfc, otypes=[np.float64])
_log_gamma = np.vectorize(math.lgamma, otypes=[np.float64])


def normal(x: ArrayLike) -> Array:
    """Return the standard normal distribution function: the probability of a value below x."""
    return np.asarray(0.5 * _erfc(-np.asarray(x, np.float64) / math.sqrt(2)))


def log_gamma(x: ArrayLike) -> Array:
    return np.asarray(_log_gamma(x))


def root(function: Callable[[float], float], low: float, high: float, tolerance: float = 1e-12) -> float:
    """Return the zero between `low`, where the function is negative, and `high`, by bisection."""
    while high - low > tolerance:
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return 0.5 * (low + high)
