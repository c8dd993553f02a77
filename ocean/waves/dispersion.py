"""Dispersion: w(k) in linear (Airy) theory, its slope and its inverse, and the integer clock that keeps time exact.

The clock has the arithmetic of the shaders: phases are unsigned 32-bit integers that wrap, so that errors stay equal
at all times.
"""

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

GRAVITY = 9.81
"""Acceleration of gravity [m/s²]."""

SURFACE_TENSION = 7.4e-5
"""Surface tension over density of sea water [m³/s²]."""

DEFAULT_PERIOD = 2.0**17
"""Default loop period [s], after which the sea repeats: 36 hours."""

TICKS = 2**32
"""Ticks of the clock in one loop period, and in one turn of a phase."""

DispersionKind = Literal["deep", "finite-depth", "capillary-gravity"]
Array = NDArray[np.float64]


def angular_frequency(k: ArrayLike, depth: float, kind: DispersionKind = "finite-depth") -> Array:
    """Return the angular frequency w [rad/s] of wave number k >= 0 [rad/m] in water of a depth > 0 [m]; any shape.

    deep: `w² = g k`; finite-depth: `w² = g k tanh(k d)`; capillary-gravity: `w² = (g k + sigma/rho k³) tanh(k d)`
    (Tessendorf, Simulating Ocean Water, 2001, eqs. 31 to 33; the last with both of its terms).
    """
    k = np.asarray(k, np.float64)
    if kind == "deep":
        return np.asarray(np.sqrt(GRAVITY * k))
    stiffness = GRAVITY + (SURFACE_TENSION * k**2 if kind == "capillary-gravity" else 0.0)
    return np.asarray(np.sqrt(stiffness * k * np.tanh(k * depth)))


def group_speed(k: ArrayLike, depth: float, kind: DispersionKind = "finite-depth") -> Array:
    """Return the group speed dw/dk [m/s] of wave number k > 0 [rad/m]: the derivative of `angular_frequency`."""
    k = np.asarray(k, np.float64)
    w = angular_frequency(k, depth, kind)
    if kind == "deep":
        return GRAVITY / (2 * w)
    tension = SURFACE_TENSION * k**2 if kind == "capillary-gravity" else 0.0
    tanh = np.tanh(k * depth)
    slope = (GRAVITY + 3 * tension) * tanh + (GRAVITY + tension) * k * depth * (1 - tanh**2)
    return np.asarray(slope / (2 * w))


def orbit_ratio(k: ArrayLike, depth: float, kind: DispersionKind = "finite-depth") -> Array:
    """Return the ratio of width and height of orbits at the surface: coth(k d) for k > 0 [rad/m], 1 in deep water."""
    k = np.asarray(k, np.float64)
    return np.ones_like(k) if kind == "deep" else np.asarray(1 / np.tanh(k * depth))


def wavenumber(w: ArrayLike, depth: float, kind: DispersionKind = "finite-depth") -> Array:
    """Return the wave number k [rad/m] of angular frequency w >= 0 [rad/s]: the inverse of `angular_frequency`, to
    rounding.

    Newton's method on ln w(ln k) converges from anywhere, because the slope stays between 1/2 and 3/2. It starts from
    Eckart's (1952) estimate `k d = a / sqrt(tanh a)`, `a = w² d / g`.
    """
    w = np.asarray(w, np.float64)
    deep = np.where(w > 0, w, 1.0) ** 2 / GRAVITY
    if kind == "deep":
        return np.where(w > 0, deep, 0.0)
    k = deep / np.sqrt(np.tanh(deep * depth))
    for _ in range(20):
        frequency = angular_frequency(k, depth, kind)
        step = np.log(np.where(w > 0, w, 1.0) / frequency) * frequency / (k * group_speed(k, depth, kind))
        k = k * np.exp(step)
        if np.all(np.abs(step) < 1e-14):
            break
    return np.where(w > 0, k, 0.0)


def deep_wavenumber(k: ArrayLike, depth: float, kind: DispersionKind = "finite-depth") -> Array:
    """Return the wave number [rad/m] that waves of wave number k >= 0 have in deep water: `k tanh(k d)`.

    Where surface tension acts, all water is deep.
    """
    k = np.asarray(k, np.float64)
    return k if kind == "deep" else np.asarray(k * np.tanh(k * depth))


def loop_steps(w: ArrayLike, period: float) -> NDArray[np.uint32]:
    """Return the turns `n = rint(w T / 2 pi)` of a wave of angular frequency w [rad/s] per loop period T [s].

    The frequency becomes `n 2 pi / T`, off by at most pi / T (Tessendorf 2001, eqs. 34 and 35, but to the nearest).
    Waves with w > 0 make at least one turn. The period must keep n below 2^32: T < 2.6e7 s for the fastest wave, of
    w = 1000 rad/s.
    """
    w = np.asarray(w, np.float64)
    turns = np.maximum(np.rint(w * period / (2 * math.pi)), w > 0)
    return turns.astype(np.uint32)


def clock_ticks(time: float, period: float) -> int:
    """Return a time [s] of any size and sign as a tick in [0, 2^32) of the loop period [s]: `frac(t / T) 2^32`.

    The remainder of two floats is exact: t and t + T have the same tick wherever t + T is a float.
    """
    return round(time % period / period * TICKS) % TICKS


def phase(n: ArrayLike, ticks: int) -> Array:
    """Return the phase [rad] in [-pi, pi) of waves with n turns per loop: `n ticks` modulo 2^32 as a signed integer.

    The integer equals `int(n * ticks)` of unsigned integers in a shader, whose factor 2 pi / 2^32 is rounded.
    """
    turns = np.multiply(np.asarray(n, np.uint32), np.uint32(ticks), dtype=np.uint32)
    return np.asarray(turns).view(np.int32).astype(np.float64) * (2 * math.pi / TICKS)
