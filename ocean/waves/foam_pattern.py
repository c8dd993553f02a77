"""The pattern of foam: walls of bubbles around holes, torn apart as the foam decays.

A pattern is a picture of standard normal values. Foam of strength f covers the texels above the normal quantile of 1 -
f: a share f of the water, for every pattern. Layers of two patterns, walls around holes and threads along the wind, add
up with weights whose squares sum to 1, so that the sum stays standard normal. A footprint that averages over the
pattern gets the expected coverage of the values that it does not resolve. So the mean over the sea is f at every
distance.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ocean.common.resources import folder
from ocean.waves.dispersion import Array
from ocean.waves.special import normal
from ocean.waves.systems import unit

SIDE = 512  # texels along a side of the pattern
QUANTILES = np.linspace(-5, 5, 4001)
"""Normal values between which quantiles are interpolated, with an error of 4e-6."""

SOFTNESS = 0.35
"""Width of the transition from water to foam, as a deviation of the values."""

THINNING = 1.5
"""Width over which half of the foam thins out inside its outlines, as a deviation of the values."""

SOFTNESS_BELOW = 1.0
"""Width of the transition for bubbles below the surface, which have drifted."""

LEFT_BELOW = 0.6
"""Share of the bubbles that stays below the crest that broke, while foam on the surface moves on."""

LEAST = 1e-5
"""Coverage below which foam is left out: the highest values of the pattern would show."""

LAYERS = ((43.0, 67.0, 1.0), (5.3, 20.0, 1.0))
"""Width [m], turn [degrees] and share of the variance of the layers in all foam."""

FRAY = 0.4
"""Weight of the second layer in the displacement of foam, over that of the first; see `torn`."""

STREAKS = (150.0, 620.0)
"""Width and length [m] of the layer along the wind."""

STREAKS_FROM, STREAKS_FULL, STREAKS_SHARE = 12.0, 18.0, 0.8
"""Winds [m/s] between which streaks grow to STREAKS_SHARE of the variance in the oldest foam. The Beaufort scale has
the first streaks in a near gale, from 14 m/s on, and well-marked ones in a gale, from 17 m/s on."""

SURFACE_DRIFT = 0.03
"""Drift of floating matter over the wind at 10 m, without that by the waves (Wu 1975)."""


@lru_cache(maxsize=1)
def patterns() -> Array:
    """Return the patterns of walls and of threads, (2, SIDE, SIDE) normally distributed values that repeat along both
    axes; threads run from row to row. `assets/lace.png` and `assets/streaks.png`, made by `make_lace.py` beside them,
    hold the ranks of the values."""
    from PIL import Image

    ranks = [np.asarray(Image.open(folder("assets") / f"{name}.png"), np.float64) for name in ("lace", "streaks")]
    return np.interp((np.stack(ranks) + 0.5) / 2**16, normal(QUANTILES), QUANTILES)


def levels() -> list[Array]:
    """Return the mip levels of the patterns and their squares, (2, side, side, 2). Mean and mean square give the
    variance that a level does not show."""
    values = patterns()
    made = [np.stack([values, values**2], axis=-1)]
    while (side := made[-1].shape[1] // 2) > 0:
        rows = made[-1][:, 0::2] + made[-1][:, 1::2]
        made.append(0.25 * (rows[:, :, 0::2] + rows[:, :, 1::2]).reshape(-1, side, side, 2))
    return made


def ageing(foam: ArrayLike, streaks: float) -> tuple[Array, Array]:
    """Return the factors by which the weights of `layers` change with the strength of foam, which falls with its age:
    for the layers in all foam, and for the streaks, whose weight is `streaks` in the oldest foam.

    A crest leaves foam in a patch. Old foam gathers where the wind's rolls draw the water together (Langmuir 1938). The
    squares of the weights add up to 1 at every age, which keeps the coverage.
    """
    old, share = 1 - np.asarray(foam, np.float64), streaks**2
    return np.sqrt((1 - share * old) / (1 - share)), np.sqrt(old)


def torn(position: ArrayLike, walls: ArrayLike, finest: ArrayLike, spilled: tuple[float, float]) -> Array:
    """Return the positions at which the foam map is read for positions (..., 2) [m], where the first layer has the
    value `walls` (...), the finest layer `finest`, and breakers spill by `spilled` (east, south) [m]; see
    `foam/sample.glsl`.

    A crest leaves walls farther behind than holes, by `spilled` for each deviation, so outlines are torn along the
    walls. The displacement is independent of the foam, so the coverage stays.
    """
    height = np.asarray(walls, np.float64) + FRAY * np.asarray(finest, np.float64)
    return np.asarray(position, np.float64) + height[..., None] * spilled


def layers(wind_speed: float, direction: float, origin: ArrayLike) -> Array:
    """Return how each layer reads the pattern at positions relative to an origin (world x, z) [m], (layers, 8): the
    matrix to texture coordinates, row by row, the origin's coordinates, the layer's weight in old foam (see `ageing`),
    and its texels a metre."""
    rows = _layers(wind_speed, direction).copy()
    rows[:, 4:6] = np.mod(rows[:, :4].reshape(-1, 2, 2) @ np.asarray(origin, np.float64), 1.0)
    return rows


@lru_cache(maxsize=4)
def _layers(wind_speed: float, direction: float) -> Array:
    """Return `layers` at the world's origin, which a frame only moves."""
    t = min(max((wind_speed - STREAKS_FROM) / (STREAKS_FULL - STREAKS_FROM), 0.0), 1.0)
    streaks = STREAKS_SHARE * t * t * (3 - 2 * t)
    all_shares = sum(share for *_, share in LAYERS)
    shapes = [(side, side, turn, (1 - streaks) * share / all_shares) for side, turn, share in LAYERS]
    shapes.append((*STREAKS, direction, streaks))
    rows = []
    for width, length, heading, share in shapes:
        along = np.array(unit(heading))
        matrix = np.stack([np.array([-along[1], along[0]]) / width, along / length])
        rows.append([*matrix.ravel(), 0.0, 0.0, math.sqrt(share), SIDE / min(width, length)])
    return np.array(rows)


def _exceeding(foam: ArrayLike, resolved: ArrayLike, unresolved: ArrayLike, softness: float) -> Array:
    """Return the share of a footprint where the pattern, with edges of a softness, exceeds the threshold of foam of a
    strength."""
    from scipy.special import ndtri

    soft = softness**2
    threshold = ndtri(np.clip(np.asarray(foam, np.float64), 1e-6, 1 - 1e-6)) * math.sqrt(1 + soft)
    mean, deviation = threshold + np.asarray(resolved, np.float64), np.sqrt(np.asarray(unresolved) + soft)
    return np.where(np.asarray(foam) < LEAST, 0.0, normal(mean / deviation))


def coverage(foam: ArrayLike, resolved: ArrayLike, unresolved: ArrayLike) -> Array:
    """Return the share of a footprint that foam of a strength covers, where the pattern has the mean `resolved` and the
    variance `unresolved` about it; `foam/pattern.glsl` has the same.

    Half of the foam has outlines. The other half thins out inside them, without which fresh foam would be one flat
    white. Each half keeps its share of the sea.
    """
    outlined, thinning = (_exceeding(foam, resolved, unresolved, softness) for softness in (SOFTNESS, THINNING))
    return 0.5 * (outlined + thinning)


def bubbles(foam: ArrayLike, resolved: ArrayLike, unresolved: ArrayLike) -> Array:
    """Return the share of the water below a footprint that is full of bubbles; see `coverage`. The pattern is without
    its finest layer: the haze is as wide as foam's patches and streaks, and softer."""
    return _exceeding(foam, resolved, unresolved, SOFTNESS_BELOW)
