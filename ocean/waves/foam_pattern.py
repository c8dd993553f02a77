"""Lace: what foam looks like from near. Walls of bubbles around holes, torn apart as the foam dies.

A pattern is a picture of standard normal values, which foam of strength f covers where they exceed the normal quantile
of 1 - f: a share f of it, whatever the pattern. Layers of two patterns, walls around holes and threads along the wind,
add up with weights whose squares sum to 1, and stay so. A footprint that averages over the pattern covers what is
expected of the values that it does not resolve, so the mean over the sea stays f at every distance.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ocean.common.resources import folder
from ocean.waves.dispersion import Array
from ocean.waves.special import normal
from ocean.waves.systems import unit

SIDE = 512  # texels of the pattern, which repeats
QUANTILES = np.linspace(-5, 5, 4001)
"""Normal values between which quantiles are interpolated, to 4e-6."""

SOFTNESS = 0.35
"""Deviation of the values over which a place goes from water to foam."""

SOFTNESS_BELOW = 1.0
"""The same of the bubbles below, which have wandered."""

LEFT_BELOW = 0.6
"""Share of the bubbles below that stays under the crest that broke, where the foam on the water is carried on."""

LEAST = 1e-5
"""Foam that covers less than this is none: the pattern's highest values would show it."""

LAYERS = ((43.0, 67.0, 1.0), (5.3, 20.0, 1.0))
"""Width [m], turn [degrees] and share of the variance of what lies in all foam."""

FRAY = 0.4
"""By how much the second of these tears foam, over the first; see `torn`."""

STREAKS = (150.0, 620.0)
"""Width and length [m] of the layer that the wind draws out."""

STREAKS_FROM, STREAKS_FULL, STREAKS_SHARE = 12.0, 18.0, 0.8
"""Winds [m/s] between which streaks grow to such a share of the variance in foam that is all but gone: the Beaufort
scale sees the first in a near gale, from 14 m/s on, and well-marked ones in a gale, from 17."""

SURFACE_DRIFT = 0.03
"""Speed of what floats over that of the wind at 10 m, apart from what waves carry along (Wu 1975)."""


@lru_cache(maxsize=1)
def patterns() -> Array:
    """(2, SIDE, SIDE) values, normally distributed, that repeat along both axes: of walls and of threads, which run
    from row to row. They are the ranks in `assets/lace.png` and `assets/streaks.png`, which `make_lace.py` beside
    them has made, as quantiles of the normal distribution."""
    from PIL import Image

    ranks = [np.asarray(Image.open(folder("assets") / f"{name}.png"), np.float64) for name in ("lace", "streaks")]
    return np.interp((np.stack(ranks) + 0.5) / 2**16, normal(QUANTILES), QUANTILES)


def levels() -> list[Array]:
    """Return the patterns and their squares, (2, side, side, 2), and their means over footprints that double: mip
    levels, which say how much of a pattern they do not show."""
    values = patterns()
    made = [np.stack([values, values**2], axis=-1)]
    while (side := made[-1].shape[1] // 2) > 0:
        rows = made[-1][:, 0::2] + made[-1][:, 1::2]
        made.append(0.25 * (rows[:, :, 0::2] + rows[:, :, 1::2]).reshape(-1, side, side, 2))
    return made


def ageing(foam: ArrayLike, streaks: float) -> tuple[Array, Array]:
    """By which factors the weights of `layers` change with the strength of foam, which falls with its age: of what lies
    in all foam, and of what the wind draws out, whose weight is `streaks` in foam that is all but gone. A crest leaves
    it in a patch, and only what is left of that gathers where the wind's rolls draw the water together (Langmuir 1938).
    Squares of the weights add up to 1 at every age, so it covers what it did."""
    old, share = 1 - np.asarray(foam, np.float64), streaks**2
    return np.sqrt((1 - share * old) / (1 - share)), np.sqrt(old)


def torn(position: ArrayLike, walls: ArrayLike, finest: ArrayLike, spilled: tuple[float, float]) -> Array:
    """Where the map says what foam lies at positions (..., 2) [m] at which the first layer is `walls` (...) high and
    the finest so much, where breakers spill so far (east, south) [m]; `foam/sample.glsl` says the same.

    Walls are left farther behind a crest than holes are, by the way that it spills to a deviation, so outlines are torn
    along them. The sea is the same everywhere and knows nothing of the pattern: so foam covers what it did.
    """
    height = np.asarray(walls, np.float64) + FRAY * np.asarray(finest, np.float64)
    return np.asarray(position, np.float64) + height[..., None] * spilled


def layers(wind_speed: float, direction: float, origin: ArrayLike) -> Array:
    """How each layer reads the pattern at positions relative to an origin (world x, z) [m]: (layers, 8) with a matrix
    to texture coordinates, row by row, the origin's coordinates, the layer's weight in old foam (see `ageing`), and its
    texels a metre."""
    t = min(max((wind_speed - STREAKS_FROM) / (STREAKS_FULL - STREAKS_FROM), 0.0), 1.0)
    streaks = STREAKS_SHARE * t * t * (3 - 2 * t)
    all_shares = sum(share for *_, share in LAYERS)
    shapes = [(side, side, turn, (1 - streaks) * share / all_shares) for side, turn, share in LAYERS]
    shapes.append((*STREAKS, direction, streaks))
    rows, place = [], np.asarray(origin, np.float64)
    for width, length, heading, share in shapes:
        along = np.array(unit(heading))
        matrix = np.stack([np.array([-along[1], along[0]]) / width, along / length])
        rows.append([*matrix.ravel(), *np.mod(matrix @ place, 1.0), math.sqrt(share), SIDE / min(width, length)])
    return np.array(rows)


def _excess(
    foam: ArrayLike, resolved: ArrayLike, unresolved: ArrayLike, softness: float = SOFTNESS
) -> tuple[Array, Array]:
    """Return the mean and deviation of what the pattern exceeds what foam of a strength takes by, over a footprint."""
    from scipy.special import ndtri

    soft = softness**2
    threshold = ndtri(np.clip(np.asarray(foam, np.float64), 1e-6, 1 - 1e-6)) * math.sqrt(1 + soft)
    return threshold + np.asarray(resolved, np.float64), np.sqrt(np.asarray(unresolved) + soft)


def coverage(foam: ArrayLike, resolved: ArrayLike, unresolved: ArrayLike) -> Array:
    """Return the share of a footprint that foam of a strength covers, where the pattern's mean is `resolved` and its
    variance about that `unresolved`; `foam/lace.glsl` says the same."""
    m, s = _excess(foam, resolved, unresolved)
    return np.where(np.asarray(foam) < LEAST, 0.0, normal(m / s))


def bubbles(foam: ArrayLike, resolved: ArrayLike, unresolved: ArrayLike) -> Array:
    """Return the share of the water below a footprint that is full of bubbles under foam of a strength, as `coverage`
    has it, of a pattern whose finest layer is not resolved: the haze is as wide as foam's patches and streaks, and
    softer."""
    m, s = _excess(foam, resolved, unresolved, SOFTNESS_BELOW)
    return np.where(np.asarray(foam) < LEAST, 0.0, normal(m / s))
