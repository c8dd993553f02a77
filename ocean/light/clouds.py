"""The layer of clouds in numpy: its shape, and the light that passes it.

`shaders/sky/cloud_shape.glsl` has the same layer, eroded by billows. The light that passes each column follows the
delta-Eddington approximation (Joseph, Wiscombe and Weinman 1976) for drops that absorb nothing; columns for the sun's
light are tilted towards the sun (Várnai and Davies 1999).
"""

from typing import NamedTuple

import numpy as np

from ocean.light.optics import Array

THICKNESS, EXTINCTION = 1000.0, 0.17  # m; 1/m, at the top of the densest clouds
EDGE, TOPS, HIGHEST = 0.06, 1.4, 0.75  # width of a top's edge, power of its heights, and limit, in the field
DROPS = 0.85  # mean cosine of scattering by drops
STRAIGHT = DROPS**2  # fraction of the scattering that counts as straight on
COLUMNS, STEPS = 2048, 24


class Deck(NamedTuple):
    """Fractions of light that pass the layer, as means over the whole plane."""

    direct: float = 1.0  # fraction of the sun's light that goes straight on
    sun: float = 1.0  # fraction of the sun's light that passes in any direction
    sky: float = 1.0  # fraction of the sky's light that passes


def smoothstep(low: Array, high: Array, x: Array) -> Array:
    t = np.clip((x - low) / np.maximum(high - low, 1e-9), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


def texels(noise: Array, place: Array, channel: int) -> Array:
    """Return the nearest values of a channel of noise (rows, columns, 4) that repeats over unit squares."""
    column, row = np.floor(place * len(noise)).astype(int).T % len(noise)
    return np.asarray(noise[row, column, channel], dtype=np.float64)


def cloud_field(noise: Array, places: Array) -> tuple[Array, Array]:
    """Return the field that is above a threshold in clouds, and the clouds' lumpiness, 0 to 1, at points (n, 2) [m],
    from the nearest texels of noise (rows, columns, 4)."""
    turned = places @ np.array([[0.8, 0.6], [-0.6, 0.8]])
    large, middle = texels(noise, places / 31000.0, 0), texels(noise, turned / 13700.0, 1)
    bent = (places + 1500.0 * np.stack([large, middle], axis=-1)) / 9700.0
    lumps = smoothstep(np.array(0.4), np.array(0.85), 0.6 * texels(noise, bent, 2) + 0.4 * middle)
    return 0.55 * large + 0.45 * middle, lumps


def veil(noise: Array, places: Array) -> Array:
    """Return the optical depth of the veil, relative to its largest one, at points (n, 2) [m], from nearest texels."""
    q = places @ np.array([[0.6, -0.8], [0.8, 0.6]])
    patches, strands = texels(noise, q * (0.4, 1) / 53000.0, 1), texels(noise, q * (0.2, 1) / 19000.0, 0)
    fibres = texels(noise, q @ np.array([[0.1, 0], [0.3, 1]]) / 6100.0, 3)
    return smoothstep(np.array(0.45), np.array(0.8), 0.5 * patches + 0.3 * strands + 0.2 * fibres)


def cloud_profile(over: Array, lumps: Array, y: Array) -> Array:
    """Return the density, relative to the densest cloud, without the billows of the edges.

    Args:
        over: excess of the field over the threshold, 0 to 1.
        lumps: lumpiness, 0 to 1; lumps are denser.
        y: height in the layer, 0 to 1.
    """
    inside = smoothstep(np.array(0.0), np.array(EDGE), over - y**TOPS)
    return np.asarray(inside * (0.3 + 0.7 * lumps) * y ** (2 / 3))


def depths(noise: Array, threshold: float, up: float, places: Array) -> Array:
    """Return the optical depth of columns over points (n, 2) [m], counted upwards, that lean east by an elevation of
    sine `up`."""
    y = (np.arange(STEPS) + 0.5) / STEPS
    lean = THICKNESS * np.sqrt(1 - up * up) / up
    points = places[:, None, :] + np.stack([lean * y, 0 * y], axis=-1)
    field, lumps = (found.reshape(len(places), STEPS) for found in cloud_field(noise, points.reshape(-1, 2)))
    over = np.clip((field - threshold) / 0.2, 0, HIGHEST)
    return np.asarray(EXTINCTION * THICKNESS * cloud_profile(over, lumps, y).mean(axis=1))


def passed(depth: Array, up: Array) -> tuple[Array, Array]:
    """Return the fractions of light from an elevation of sine `up` that pass a layer of an optical depth straight on,
    and in all directions, by the delta-Eddington approximation without absorption."""
    direct = np.exp(-(1 - STRAIGHT) * depth / up)
    return direct, ((2 / 3 + up) + (2 / 3 - up) * direct) / (4 / 3 + (1 - DROPS) * depth)


def deck(noise: Array, threshold: float, up: float, thickest: float = 0.0) -> Deck:
    """Return the light that passes clouds where the field exceeds a threshold, for a sun at an elevation of sine `up`,
    taken as at least 1 degree. A veil with a largest optical depth of `thickest` scatters sunlight aside, but none
    back."""
    up = max(up, 0.0175)
    places = np.random.default_rng(0).uniform(0, 1e7, (COLUMNS, 2))
    direct, sun = passed(depths(noise, threshold, up, places), np.array(up))
    sky = 1 / (1 + 0.75 * (1 - DROPS) * depths(noise, threshold, 1.0, places))
    clear = np.exp(-thickest * veil(noise, places) / up).mean()
    return Deck(float(clear * direct.mean()), float(sun.mean()), float(sky.mean()))
