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

LAYERS = ((43.0, 67.0, 1.0), (5.3, 20.0, 1.0))
"""Width [m], turn [degrees] and share of the variance of the layers in all foam."""

STREAKS = (150.0, 620.0)
"""Width and length [m] of the layer along the wind."""

STREAKS_FROM, STREAKS_FULL, STREAKS_SHARE = 12.0, 18.0, 0.8
"""Winds [m/s] between which streaks grow to STREAKS_SHARE of the variance in the oldest foam. The Beaufort scale has
the first streaks in a near gale, from 14 m/s on, and well-marked ones in a gale, from 17 m/s on."""

SURFACE_DRIFT = 0.03
"""Drift of floating matter over the wind at 10 m, without the drift by waves (Wu 1975)."""


@lru_cache(maxsize=1)
def patterns() -> Array:
    """Return the patterns of walls and of threads, (2, SIDE, SIDE) normally distributed values that repeat along both
    axes; threads run from row to row. `assets/lace.png` and `assets/streaks.png`, made by `tools/assets/make_lace.py`,
    hold the ranks of the values."""
    from PIL import Image

    ranks = [np.asarray(Image.open(folder("assets") / f"{name}.png"), np.float64) for name in ("lace", "streaks")]
    return np.interp((np.stack(ranks) + 0.5) / 2**16, normal(QUANTILES), QUANTILES)


@lru_cache(maxsize=1)
def levels() -> list[Array]:
    """Return the mip levels of the patterns and their squares, (2, side, side, 2). Mean and mean square give the
    variance that a level does not show."""
    values = patterns()
    made = [np.stack([values, values**2], axis=-1)]
    while (side := made[-1].shape[1] // 2) > 0:
        rows = made[-1][:, 0::2] + made[-1][:, 1::2]
        made.append(0.25 * (rows[:, :, 0::2] + rows[:, :, 1::2]).reshape(-1, side, side, 2))
    return made


def layers(wind_speed: float, direction: float, origin: ArrayLike) -> Array:
    """Return how each layer reads the pattern at positions relative to an origin (world x, z) [m], (layers, 8): the
    matrix to texture coordinates, row by row, the origin's coordinates, the layer's weight in old foam (`ageing` in
    `foam/pattern.glsl`), and its texels per metre."""
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
