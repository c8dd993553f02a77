"""Light under water and through its surface: the reference for `shaders/surface/underwater.glsl`.

The water absorbs and scatters as in `seawater`, at the four wavelengths of `spectrum`; a ray carries a part of
daylight at each of them. Light is scattered once. Light that particles send almost straight on (mean cosine g = 0.924)
counts as unscattered. The rest has the mean cosine g / (1 + g). Vectors are (..., 3), x east, y up, z
south; y up is sea level's normal.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.light.optics import MOLECULES, Seawater, of_daylight

Array = NDArray[np.float64]

INDEX = 1.34
"""Index of refraction of sea water against air."""

ASYMMETRY = 0.48

SKY_ENTERS = 1.11
"""Scalar irradiance under level water, for an even sky with irradiance 1 above the water."""

FAR = 1e4  # m


def fresnel(cosine: ArrayLike, ratio: float) -> Array:
    """Return the reflectance of unpolarised light. `cosine` is the cosine of the angle between ray and normal. `ratio`
    is the index of refraction on the ray's side over the index on the other side. The reflectance is 1 beyond the
    critical angle."""
    cosine = np.maximum(cosine, 1e-12)
    other = np.sqrt(np.maximum(1 - ratio**2 * (1 - cosine**2), 0.0))
    s = (ratio * cosine - other) / (ratio * cosine + other)
    p = (cosine - ratio * other) / (cosine + ratio * other)
    return np.where(other > 0, (s * s + p * p) / 2, 1.0)


def phase(cosine: ArrayLike) -> Array:
    """Return the phase function of particles at the cosine of the scattering angle (Henyey and Greenstein 1941)
    [1/sr]."""
    g = ASYMMETRY
    return (1 - g * g) / (4 * math.pi * (1 + g * g - 2 * g * np.asarray(cosine, np.float64)) ** 1.5)


def molecular_phase(cosine: ArrayLike) -> Array:
    """Return the phase function of pure sea water at a cosine (Morel 1974) [1/sr]."""
    return 0.06225 * (1 + 0.835 * np.asarray(cosine, np.float64) ** 2)


def refracted_sun(sun: Array) -> Array:
    """Return the direction (3,) towards the sun as seen from under level water."""
    x, y, z = sun
    below = np.array([x, math.sqrt(INDEX**2 - 1 + max(y, 0.0) ** 2), z])
    return np.asarray(below / np.linalg.norm(below))


@dataclass(frozen=True)
class Daylight:
    """Light that falls into a sea: the sun's irradiance (3,) across its rays, from the direction `sun`, and the sky's
    irradiance (3,) on level water."""

    sea: Seawater
    sun: Array
    sun_irradiance: Array
    sky_irradiance: Array

    def in_scattered(self, direction: Array, distance: Array | float, depth: Array | float) -> Array:
        """Return the radiance (..., 3) that `distance` metres of water scatter into a ray, seen in a direction from
        `depth` metres below the surface (after Premože and Ashikhmin 2001, "Rendering natural waters"): the integral of

            scattering phase exp(-attenuation s) exp(-fading (depth - s direction_y))

        over s from 0 to the distance, at each wavelength, of the light that enters."""
        distance, depth = np.asarray(distance, np.float64)[..., None], np.asarray(depth, np.float64)[..., None]
        fading = self.sea.fading()
        rate = self.sea.attenuation() - fading * direction[..., 1:2]
        share = np.exp(-fading * depth) * -np.expm1(-rate * distance) / rate
        below, up = refracted_sun(self.sun), max(float(self.sun[1]), 0.0)
        sunlight = self.sun_irradiance * (1 - fresnel(up, 1 / INDEX)) * up / below[1]
        from_sun = sunlight * of_daylight(share * self.volume_scattering(direction @ below))
        return np.asarray(
            from_sun + self.sky_irradiance * SKY_ENTERS * of_daylight(share * self.volume_scattering(direction[..., 1]))
        )

    def volume_scattering(self, cosine: ArrayLike) -> Array:
        """Return the fraction of light (..., 4) that a metre of water scatters by an angle with this cosine
        [1/m/sr]."""
        of_particles = self.sea.particles() * phase(cosine)[..., None]
        return np.asarray(MOLECULES * molecular_phase(cosine)[..., None] + of_particles)

    def through_water(self, radiance: Array, direction: Array, distance: Array | float, depth: Array | float) -> Array:
        """Return a radiance (..., 3) after `distance` metres of water, with the light that the water scatters into the
        ray."""
        kept = of_daylight(np.exp(-self.sea.attenuation() * np.asarray(distance, np.float64)[..., None]))
        return np.asarray(radiance * kept + self.in_scattered(direction, distance, depth))

    def open_water(self, direction: Array, depth: Array | float) -> Array:
        """Return the radiance (..., 3) of water in a direction. Upwards the water ends at the level surface; in other
        directions it has no end."""
        up = direction[..., 1]
        surface = depth / np.maximum(up, 1e-300)  # m; the bound keeps the quotient finite
        return self.in_scattered(direction, np.where(up > 0, np.minimum(surface, FAR), FAR), depth)

    def object_in_water(
        self, radiance: Array, direction: Array, distance: Array | float, depth: Array | float
    ) -> Array:
        """Return the radiance (..., 3) of a small object in water. Its difference from the water behind it fades by the
        beam attenuation, because light that turns a little on its way misses the object's image (Duntley 1963, "Light
        in the sea")."""
        behind = self.open_water(direction, np.maximum(depth - distance * direction[..., 1], 0.0))
        kept = of_daylight(np.exp(-self.sea.beam_attenuation() * np.asarray(distance, np.float64)[..., None]))
        return np.maximum(self.open_water(direction, depth) + kept * (radiance - behind), 0.0)


def sun_refraction(normal: Array, to_eye: Array, variance: float, sun: Array) -> Array:
    """Return the radiance (...) towards the eye of a sun of irradiance 1 that facets refract into water. Facets have a
    slope `variance` along each axis around a normal and do not hide each other (Walter et al. 2007, eq. 21).
    """
    half = -(sun + INDEX * to_eye)
    half = half / np.linalg.norm(half, axis=-1, keepdims=True)
    cosine, enters, leaves = half @ normal, half @ sun, np.sum(to_eye * half, axis=-1)
    squared = np.maximum(cosine, 1e-9) ** 2
    density = np.exp(-0.5 * (1 / squared - 1) / variance) / (2 * math.pi * variance * squared**2)
    slant = np.maximum(-(to_eye @ normal), 0.05)
    found = (1 - fresnel(enters, 1 / INDEX)) * density * enters * -leaves * INDEX**2
    found = found / (slant * (enters + INDEX * leaves) ** 2)
    return np.where((cosine > 0) & (enters > 0) & (leaves < 0), found, 0.0)
