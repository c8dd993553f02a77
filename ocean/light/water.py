"""Light under water, and through its surface: the float64 twin of `shaders/surface/underwater.glsl`.

Water of the clear ocean, for three wavelengths that stand for red, green and blue (610, 550 and 465 nm). It absorbs as
pure water does (Pope and Fry 1997) and a little more by what lives in it. Most of what its particles scatter goes on
almost straight (mean cosine 0.924; Petzold 1972): by delta scaling (Joseph, Wiscombe and Weinman 1976) such light
counts as not scattered, which leaves (1 - g²) of the scattering with the mean cosine g / (1 + g). Scattering more than
once is left out. Vectors are (..., 3), x east, y up, z south; y up is sea level's normal.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

INDEX = 1.34
"""Index of refraction of sea water against air."""

ABSORPTION = np.array([0.270, 0.062, 0.018])  # 1/m
SCATTERING = np.array([0.0125, 0.0140, 0.0165])  # 1/m, delta scaled
ASYMMETRY = 0.48
FADING = 1.16 * (ABSORPTION + 0.18 * SCATTERING)
"""Of daylight with depth [1/m]: absorption and backscatter, over the mean cosine of light that has entered."""

SKY_ENTERS = 1.11
"""Scalar irradiance under level water of a unit of irradiance above it, from an even sky."""

FAR = 1e4  # m


def fresnel(cosine: ArrayLike, ratio: float) -> Array:
    """Reflectance of unpolarised light, for the cosine of its ray to the normal and the index of refraction on its side
    over that on the other; 1 beyond the critical angle."""
    cosine = np.maximum(cosine, 1e-12)
    other = np.sqrt(np.maximum(1 - ratio**2 * (1 - cosine**2), 0.0))
    s = (ratio * cosine - other) / (ratio * cosine + other)
    p = (cosine - ratio * other) / (cosine + ratio * other)
    return np.where(other > 0, (s * s + p * p) / 2, 1.0)


def phase(cosine: ArrayLike) -> Array:
    """Share of scattered light [1/sr] by the cosine of the angle that it turned (Henyey and Greenstein 1941)."""
    g = ASYMMETRY
    return (1 - g * g) / (4 * math.pi * (1 + g * g - 2 * g * np.asarray(cosine, np.float64)) ** 1.5)


def refracted_sun(sun: Array) -> Array:
    """Direction (3,) towards the sun as seen from under level water."""
    x, y, z = sun
    below = np.array([x, math.sqrt(INDEX**2 - 1 + max(y, 0.0) ** 2), z])
    return np.asarray(below / np.linalg.norm(below))


def daylight(direction: Array, sun: Array, sun_irradiance: Array, sky_irradiance: Array) -> Array:
    """What a metre of water at the surface scatters into rays of sight (..., 3): radiance over length (..., 3), of the
    sun's irradiance (3,) across its rays and the sky's on level water."""
    below, up = refracted_sun(sun), max(float(sun[1]), 0.0)
    entering = sun_irradiance * (1 - fresnel(up, 1 / INDEX)) * up / below[1]
    from_sun = phase(direction @ below)[..., None] * entering
    return np.asarray(SCATTERING * (from_sun + phase(direction[..., 1])[..., None] * sky_irradiance * SKY_ENTERS))


def through_water(radiance: Array, direction: Array, distance: ArrayLike, depth: ArrayLike, light: Array) -> Array:
    """A radiance (..., 3) after `distance` metres of water, seen in a direction from `depth` metres below the surface,
    with what the water in between scatters into the ray; `light` is its daylight at the surface.

    The integral of `light exp(-extinction s) exp(-FADING (depth - s direction_y))` over s from 0 to the distance (after
    Premože and Ashikhmin 2001, "Rendering natural waters").
    """
    extinction = ABSORPTION + SCATTERING
    distance, depth = np.asarray(distance, np.float64)[..., None], np.asarray(depth, np.float64)[..., None]
    rate = extinction - FADING * direction[..., 1:2]
    gathered = -np.expm1(-rate * distance) / rate
    return np.asarray(radiance * np.exp(-extinction * distance) + light * np.exp(-FADING * depth) * gathered)


def sun_refraction(normal: Array, to_eye: Array, variance: float, sun: Array) -> Array:
    """Radiance (...) towards the eye of the sun's light, of irradiance 1, refracted into water by facets of a slope
    variance along each axis around a normal (Walter et al. 2007, eq. 21), without facets that hide each other."""
    half = -(sun + INDEX * to_eye)
    half = half / np.linalg.norm(half, axis=-1, keepdims=True)
    cosine, enters, leaves = half @ normal, half @ sun, np.sum(to_eye * half, axis=-1)
    squared = np.maximum(cosine, 1e-9) ** 2
    density = np.exp(-0.5 * (1 / squared - 1) / variance) / (2 * math.pi * variance * squared**2)
    slant = np.maximum(-(to_eye @ normal), 0.05)
    found = (1 - fresnel(enters, 1 / INDEX)) * density * enters * -leaves * INDEX**2
    found = found / (slant * (enters + INDEX * leaves) ** 2)
    return np.where((cosine > 0) & (enters > 0) & (leaves < 0), found, 0.0)
