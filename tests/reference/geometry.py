"""Straight paths through the air of a round earth, with lengths and heights in metres, and look-ups of tables as in
GLSL."""

import numpy as np

from ocean.light.optics import EARTH_RADIUS, Array

TOP = 100e3
"""Top of the air. With the sun 8 degrees below the horizon the earth's shadow is 63 km high."""


def smoothstep(low: Array | float, high: Array | float, x: Array) -> Array:
    t = np.clip((x - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


def height_along(height: Array, mu: Array, distance: Array) -> Array:
    """Return the height above the sea at a distance along a ray. No difference of two radii loses digits."""
    r = EARTH_RADIUS + height
    rise = distance * (distance + 2 * r * mu)
    return np.asarray(height + rise / (np.sqrt(r * r + rise) + r))


def horizon(height: Array) -> Array:
    """Return the cosine to the zenith of the direction that touches the sea."""
    height = np.maximum(height, 0.0)
    return np.asarray(-np.sqrt(height * (2 * EARTH_RADIUS + height)) / (EARTH_RADIUS + height))


def to_top(height: Array, mu: Array) -> Array:
    """Return the distance to the end of the air."""
    return to_shell(height, mu, TOP)


def to_shell(height: Array, mu: Array, shell: float) -> Array:
    """Return the distance to a height from below."""
    r = EARTH_RADIUS + height
    return np.asarray(np.sqrt((r * mu) ** 2 + (shell - height) * (2 * EARTH_RADIUS + shell + height)) - r * mu)


def to_sea(height: Array, mu: Array) -> Array:
    """Return the distance to the sea along a ray that meets it."""
    r = EARTH_RADIUS + height
    inside = np.maximum((r * mu) ** 2 - height * (2 * EARTH_RADIUS + height), 0.0)
    return np.asarray(np.maximum(-r * mu - np.sqrt(inside), 0.0))


def bilinear(table: Array, v: Array, u: Array) -> Array:
    """Interpolate a table (rows, columns, ...) at v, u in [0, 1], whose ends are its first and last entries."""
    y, x = v * (table.shape[0] - 1), u * (table.shape[1] - 1)
    i, j = np.minimum(y.astype(int), table.shape[0] - 2), np.minimum(x.astype(int), table.shape[1] - 2)
    t, s = (y - i)[..., None], (x - j)[..., None]
    above, below = (1 - s) * table[i, j] + s * table[i, j + 1], (1 - s) * table[i + 1, j] + s * table[i + 1, j + 1]
    return np.asarray((1 - t) * above + t * below)
