"""Light from foam: the reference for `shaders/foam/optics.glsl`.

Foam is a film with thick foam on it. The film, one bubble thick, covers all water that counts as covered, and the water
shows through it. Thick foam, fresh from a breaker, hides the water, and vanishes first. The opacity of foam is the
light that it sends back, as a fraction of the light from infinitely thick foam. Mounds of thick foam are a few
centimetres high; their sides lean towards the sun and away from it.
"""

import numpy as np
from numpy.typing import ArrayLike

from ocean.light.optics import Array
from ocean.waves.whitecaps import ALBEDO, FILM, FRESH

STEEPEST = 1.0  # slope of its mounds and of rollers


def thick_share(foam: ArrayLike, thinning: float) -> Array:
    """Return the fraction of the water under thick foam, for foam of a given strength and a single age.
    `whitecaps.foam_thinning` returns the power `thinning` that makes THICK the mean fraction."""
    return FRESH * np.asarray(foam, np.float64) ** thinning


def opacity(film: ArrayLike, thick: ArrayLike) -> Array:
    """Return the opacity of a footprint with these fractions of film and thick foam."""
    return FILM * np.asarray(film) + (1 - FILM) * np.asarray(thick)


def foam_radiance(
    normal: Array, sun: Array, rise: Array, sunlight: Array, skylight: Array, wrapped: float = 0.0
) -> Array:
    """Return the radiance (...) of thick foam on water with a normal (..., 3). `rise` (...) is the slope of the
    foam's surface towards the sun's azimuth, `sun` (..., 3) the direction of the sun, `sunlight` its irradiance on a
    surface that faces it, `skylight` the sky's irradiance, and `wrapped` the part of sunlight that spreads within the
    foam.
    """
    across = sun * (1.0, 0.0, 1.0)
    azimuth = across / np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-6)
    leaning = normal - np.clip(rise, -STEEPEST, STEEPEST)[..., None] * azimuth
    up = leaning / np.linalg.norm(leaning, axis=-1, keepdims=True) + (0.0, 1.0, 0.0)
    up = up / np.linalg.norm(up, axis=-1, keepdims=True)
    falling = sunlight * np.maximum((up * sun).sum(axis=-1) + wrapped, 0.0) / (1 + wrapped) + skylight
    return np.asarray(ALBEDO / np.pi * falling)
