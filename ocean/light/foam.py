"""Light from foam, the twin of `shaders/surface/foam.glsl`.

Bubbles absorb next to nothing, so a layer of them sends back t / (t + half) of what falls on it, by the two streams of
light up and down in it (Schuster 1905), t being its thickness: fresh foam, which lies thick, more than half of all
light, what is left of it about a third (Koepke 1984). Its mounds are a few centimetres high, and lean towards the sun
and away from it. Thickness is that of `ocean.waves.lace`.
"""

import numpy as np

from ocean.light.spectrum import Array

ALBEDO = 0.75  # of foam without end, with the water between its bubbles
HALF = 0.3  # thickness with half of that
HEIGHT = 0.03  # m of foam that is 1 thick
STEEPEST = 0.5  # slope of its mounds


def reflectance(thickness: Array) -> Array:
    """Share of light that foam of a thickness sends back."""
    return np.asarray(ALBEDO * thickness / (thickness + HALF))


def foam_radiance(normal: Array, sun: Array, thickness: Array, rise: Array, sunlight: Array, skylight: Array) -> Array:
    """Radiance (...) of foam on water with a normal (..., 3), whose thickness rises by so much a metre east and south
    (..., 2), for the irradiance of a sun (..., 3) on a surface that faces it, and that of the sky."""
    tilt = HEIGHT * rise
    steep = np.linalg.norm(tilt, axis=-1, keepdims=True)
    tilt = tilt * np.minimum(1.0, STEEPEST / np.maximum(steep, 1e-6))
    leaning = normal - np.stack([tilt[..., 0], np.zeros_like(tilt[..., 0]), tilt[..., 1]], axis=-1)
    up = leaning / np.linalg.norm(leaning, axis=-1, keepdims=True) + (0.0, 1.0, 0.0)
    up = up / np.linalg.norm(up, axis=-1, keepdims=True)
    falling = sunlight * np.maximum((up * sun).sum(axis=-1), 0.0) + skylight
    return np.asarray(reflectance(thickness) / np.pi * falling)
