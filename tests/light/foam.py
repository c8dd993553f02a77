"""Light from foam, the twin of `shaders/foam/optics.glsl`.

Foam is a film and thick foam on it. The film, one bubble thick, covers all that counts as covered, and the water shows
through; what a breaker has just beaten up lies so thick that none does, and goes first. So foam's opacity says how much
light it sends back, as a share of what foam without end does. Mounds of thick foam are a few centimetres high, and lean
towards the sun and away from it.
"""

import numpy as np
from numpy.typing import ArrayLike

from ocean.light.spectrum import Array
from ocean.waves.whitecaps import ALBEDO, FILM, FRESH

HEIGHT = 0.06  # m of thick foam
STEEPEST = 0.5  # slope of its mounds


def thick_share(foam: ArrayLike, thinning: float) -> Array:
    """Return the share of the water under thick foam, in foam of a strength and one age. `whitecaps.foam_thinning` says
    the power with which it goes, so that THICK is its mean."""
    return FRESH * np.asarray(foam, np.float64) ** thinning


def opacity(film: ArrayLike, thick: ArrayLike) -> Array:
    """Return the opacity of a footprint with these shares of film and thick foam."""
    return FILM * np.asarray(film) + (1 - FILM) * np.asarray(thick)


def foam_radiance(normal: Array, sun: Array, rise: Array, sunlight: Array, skylight: Array) -> Array:
    """Return the radiance (...) of thick foam on water with a normal (..., 3), where foam's opacity rises by so much a
    metre towards the sun's azimuth (...), for the irradiance of a sun (..., 3) on a surface that faces it, and that of
    the sky.
    """
    across = sun * (1.0, 0.0, 1.0)
    azimuth = across / np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-6)
    leaning = normal - np.clip(HEIGHT * rise, -STEEPEST, STEEPEST)[..., None] * azimuth
    up = leaning / np.linalg.norm(leaning, axis=-1, keepdims=True) + (0.0, 1.0, 0.0)
    up = up / np.linalg.norm(up, axis=-1, keepdims=True)
    falling = sunlight * np.maximum((up * sun).sum(axis=-1), 0.0) + skylight
    return np.asarray(ALBEDO / np.pi * falling)
