"""Mip levels of the sky for the water's reflection: the reference for `shaders/sky/lobes.comp`, `environment.glsl`
and of `sky_radiance` in `radiance.glsl`.

A square of all directions above the horizon (hemi-octahedral: Cigolle et al. 2014), each level the mean over a Gaussian
lobe about each direction, by solid angle. Directions are unit vectors (..., 3), y up.
"""

import math

import numpy as np

from ocean.light.optics import Array

AUREOLE = 0.15  # deviation [rad] of the sky's bright part about the sun

REACH = 8  # texels of the previous level, to each side: 2.3 deviations of the added lobe, at the zenith


def directions(side: int) -> tuple[Array, Array]:
    """Return the texels' directions of a level, unit vectors (side, side, 3), and the solid angle of each [sr]."""
    e = 2 * (np.arange(side) + 0.5) / side - 1
    u, v = np.meshgrid(e, e)
    x, z = (u + v) / 2, (u - v) / 2
    towards = np.stack([x, 1 - np.abs(x) - np.abs(z), z], axis=-1)
    length = np.linalg.norm(towards, axis=-1)
    return towards / length[..., None], 2 / side**2 * length**-3.0


def places(direction: Array) -> Array:
    """Return where directions lie on the square, (..., 2), from 0 to 1."""
    up = np.maximum(direction[..., 1], 0.0)
    x, z = (direction[..., i] / (np.abs(direction[..., 0]) + up + np.abs(direction[..., 2])) for i in (0, 2))
    return np.stack([0.5 + 0.5 * (x + z), 0.5 + 0.5 * (x - z)], axis=-1)


def lobe_deviation(side: float) -> float:
    """Return the deviation [rad] of the lobes of a level with `side` texels along a side: two texels at the zenith."""
    return 2 * math.sqrt(2) / side


def aureole(direction: Array, sun: Array) -> Array:
    """Return the bright part of a sky about the sun (...); it is 1 in the middle."""
    return np.asarray(np.exp((direction @ sun - 1) / AUREOLE**2))


def aureole_radiance(levels: list[Array], sun: Array) -> tuple[float, float]:
    """Return the radiance in the middle of a sky's aureole, and the fraction of that radiance that is left on the
    horizon (0 to 1). Each level has two channels: the sky and an aureole of radiance 1. The aureole is chosen so that
    the rest of the sky about the sun is equally bright over a lobe of 0.09 and over one of 0.35."""
    narrow = interpolated(levels[2], sun)
    radiance, unit = narrow - interpolated(levels[4], sun)
    bright = max(float(radiance) / max(float(unit), 1e-3), 0.0)
    low = interpolated(levels[0], np.array([sun[0], 1e-4, sun[2]]))[0] - (narrow[0] - narrow[1] * bright)
    return bright, float(np.clip(low / max(bright, 1e-9), 0.0, 1.0))


def lobes(sky: Array) -> list[Array]:
    """Return all levels (side, side, n) of a sky, beginning with the sky itself."""
    levels = [sky]
    while (side := len(levels[-1])) > 1:
        towards, solid_angle = directions(side)
        brought = lobe_deviation(side / 2) ** 2 - (lobe_deviation(side) ** 2 if len(levels) > 1 else 0.0)
        level = np.empty((side // 2, side // 2, sky.shape[-1]))
        for (row, column), axis in zip(
            np.ndindex(level.shape[:2]), directions(side // 2)[0].reshape(-1, 3), strict=True
        ):
            near = tuple(slice(max(2 * i + 1 - REACH, 0), 2 * i + 1 + REACH) for i in (row, column))
            weight = solid_angle[near] * np.exp((towards[near] @ axis - 1) / brought)
            level[row, column] = np.tensordot(weight, levels[-1][near], axes=2) / weight.sum()
        levels.append(level)
    return levels


def interpolated(level: Array, direction: Array) -> Array:
    """Return a level (side, side, n) at directions, interpolated linearly: (..., n)."""
    side = len(level)
    at = np.clip(side * places(direction) - 0.5, 0.0, side - 1)
    low = np.minimum(at.astype(int), max(side - 2, 0))
    high, share = np.minimum(low + 1, side - 1), at - low
    x, y = share[..., :1], share[..., 1:]
    before, after = (
        (1 - x) * level[row, low[..., 0]] + x * level[row, high[..., 0]] for row in (low[..., 1], high[..., 1])
    )
    return np.asarray((1 - y) * before + y * after)


def sky_radiance(levels: list[Array], direction: Array, spread: Array) -> Array:
    """Return the mean (..., n) over Gaussian lobes about directions, with deviations `spread` [rad], from the levels. A
    mean of two levels has the mean of their lobes' variances."""
    ratio = np.asarray(spread / lobe_deviation(len(levels[0]) / 2))
    octaves = np.log2(np.maximum(ratio, 1.0))
    whole = np.floor(octaves)
    lod = np.where(ratio < 1, ratio**2, 1 + whole + (4 ** (octaves - whole) - 1) / 3)
    lod = np.minimum(lod, len(levels) - 1)
    share = np.maximum(1 - np.abs(lod[..., None] - np.arange(len(levels))), 0.0)
    return np.asarray(sum(share[..., i, None] * interpolated(level, direction) for i, level in enumerate(levels)))
