"""Special functions of arrays, and a root finder, without scipy.

Importing scipy takes as long as the whole computation of the sea before a window's first frame.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ocean.waves.dispersion import Array

_erfc = np.vectorize(math.erfc, otypes=[np.float64])
STIRLING = 1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156
"""Coefficients of Stirling's series in 1/x, 1/x³, ..., which from 8 on falls below a rounding error."""


def normal(x: ArrayLike) -> Array:
    """Return the standard normal distribution function: the probability of a value below x."""
    return np.asarray(0.5 * _erfc(-np.asarray(x, np.float64) / math.sqrt(2)))


def log_gamma(x: ArrayLike) -> Array:
    """Return the logarithm of gamma(x) for x > 0, by Stirling's series at x + 8."""
    x = np.asarray(x, np.float64)
    below, y = x.copy(), x + 8
    for step in range(1, 8):
        below *= x + step
    series, inverse = np.zeros_like(y), 1 / y
    for coefficient in reversed(STIRLING):
        series = series * inverse**2 + coefficient
    return np.asarray((y - 0.5) * np.log(y) - y + 0.5 * math.log(2 * math.pi) + series * inverse - np.log(below))


def root(function: Callable[[float], float], low: float, high: float, tolerance: float = 1e-12) -> float:
    """Return the zero between `low`, where the function is negative, and `high`, to a tolerance; the nearer end where
    the function has no zero. By inverse quadratic interpolation, and bisection where that is unsafe (Chandrupatla
    1997)."""
    (a, fa), (b, fb), t = (low, function(low)), (high, function(high)), 0.5
    if fa >= 0 or fb <= 0:
        return low if fa >= 0 else high
    while True:
        x = a + t * (b - a)
        fx = function(x)
        if (fx < 0) == (fa < 0):
            c, fc = a, fa
        else:
            c, fc, b, fb = b, fb, a, fa
        a, fa = x, fx
        nearest = a if abs(fa) < abs(fb) else b
        least = 0.5 * max(tolerance, 2e-16 * abs(nearest)) / abs(b - a)  # fraction of the bracket
        if least > 0.5 or fa == 0:
            return nearest
        share, rise = (a - b) / (c - b), (fa - fb) / (fc - fb)
        t = 0.5
        if rise**2 < share and (1 - rise) ** 2 < 1 - share:
            t = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        t = min(max(t, least), 1 - least)
