"""References of the filters by which `shaders/surface/water.glsl`, `light.glsl` and `roughness.glsl` read slopes."""

import numpy as np
from numpy.typing import ArrayLike

from ocean.waves.dispersion import Array

BLUR = 1.5
"""Cutoff times p of a map that is averaged over squares of side p and interpolated: it keeps as much slope variance as
all waves below BLUR/p, if each octave holds the same (`tests/waves/test_slopes.py` integrates the filter)."""

SHARPER = 1.5
"""Octaves by which the mesh's map is finer than its vertices' spacing (`shaders/surface/displacement.glsl`)."""

MESH_BLUR = 2.38
"""Cutoff of a mesh, times the spacing p of its vertices, which a map averaged over 2^-SHARPER p moves. The slope of a
triangle is a difference over p, which averages once more."""

SHARP = 0.6
"""Side of the filter's squares over that of a square pixel, or sensor, that keeps the same slopes: waves below 2.5 over
the pixel's side."""

SHARP_TO, BLURRED_FROM = 0.1, 1.0
"""Lengths [m] of footprints: up to the first the maps are filtered by SHARP, from the second on by whole pixels, where
finer detail would be noise."""


def sharpness(length: ArrayLike) -> Array:
    """Return the ratio of the size of the maps' filter to a footprint of this length [m]."""
    t = np.clip((np.asarray(length, np.float64) - SHARP_TO) / (BLURRED_FROM - SHARP_TO), 0, 1)
    return np.asarray(SHARP + (1 - SHARP) * t * t * (3 - 2 * t))


def lost_octaves(octaves: ArrayLike) -> tuple[Array, Array]:
    """Return how many octaves of slopes an anisotropic filter, 2^octaves times as long as wide, averages away beyond
    those that its width removes: of slopes along its length, and across it (the same test)."""
    o = np.asarray(octaves, np.float64)
    return np.where(o < 2.2, 0.23 * o**2, o - 1.1), 0.105 * o**2
