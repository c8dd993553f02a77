"""The sun's light through a wave that stands between the sun and the eye: reference for `shaders/surface/crest.glsl`.

Under level water both sight and sunlight go down, so a ray gathers light that was turned by more than a right angle;
the water's albedo includes that light. In a wave that leans over, sight runs more level, towards light that has come in
through the other side, and water scatters most light forwards. `crest_light` returns this light, scattered once. It is
the integral along the ray of sight, from the face to the level of the troughs or out on the other side, of

    scattering (p(turn) - p(right angle)) e^-(extinction s) e^-(extinction l(s)),

where l(s) is the way of the sun's light from the other side. Both sides are planes; the other side is the face's mirror
image. Their distance and the wave's height are those of a sine wave with the same height, slope and strain. Vectors are
(..., 3), x east, y up, z south; scattering and extinction are delta scaled as in `water`, (3,) [1/m].
"""

import numpy as np
from numpy.typing import ArrayLike

from tests.reference.water import INDEX, Array, fresnel, phase

LONGEST = 1e4  # m over 2 pi: waves are shorter


def wave_at(height: ArrayLike, slope: ArrayLike, strain: ArrayLike) -> tuple[Array, Array]:
    """Return the distances [m] of a point on a wave from the level of its troughs and, at the point's level, from the
    wave's other side. The point is given by its height over the mean level [m], the modulus of its slope and the strain
    -(Dxx + Dzz). A sine wave a cos kx has the slope a k sin kx and the strain a k cos kx. The distances are 0 where
    height and strain differ in sign, as no sine wave has such a point."""
    height, slope, strain = (np.asarray(value, np.float64) for value in (height, slope, strain))
    real = height * strain > 0
    wavelength = np.where(real, np.minimum(height / np.where(real, strain, 1.0), LONGEST), 0.0)  # over 2 pi
    return wavelength * (strain + np.hypot(strain, slope)), wavelength * 2 * np.arctan2(slope, strain)


def refracted(direction: Array, normal: Array) -> Array:
    """Return the direction in which light travels in water after it travelled along `direction` in air."""
    cosine = -(direction * normal).sum(axis=-1, keepdims=True)
    inside = np.sqrt(1 - (1 - cosine**2) / INDEX**2)
    return np.asarray(direction / INDEX + (cosine / INDEX - inside) * normal)


def crest_light(
    normal: Array, eye: Array, sun: Array, above: Array, chord: Array, scattering: Array, extinction: Array
) -> Array:
    """Return the radiance (..., 3) towards the eye just under the surface, divided by INDEX² and the sun's irradiance
    on a surface that faces the sun [1/sr]. The eye is in front of the face."""
    beyond = normal * (-1.0, 1.0, -1.0)
    up = (sun * beyond).sum(axis=-1)
    lit, seen = -refracted(-sun, beyond), refracted(-eye, normal)
    into, nearing = (lit * beyond).sum(axis=-1), (seen * beyond).sum(axis=-1)
    thickness = chord * np.hypot(normal[..., 0], normal[..., 2])
    way = above / np.maximum(-seen[..., 1], 1e-3)
    way = np.where(nearing > 0, np.minimum(way, thickness / np.maximum(nearing, 1e-3)), way)
    forwards = np.maximum(phase((lit * seen).sum(axis=-1)) - phase(0.0), 0.0)
    entered = (1 - fresnel(up, 1 / INDEX)) * up / into
    first = extinction * (thickness / into)[..., None]  # depths at the face, and where the ray ends
    last = first + extinction * ((1 - nearing / into) * way)[..., None]
    x = last - first
    kept = np.exp(-first)
    gathered = np.where(np.abs(x) < 1e-6, kept, (kept - np.exp(-last)) / np.where(x == 0, 1.0, x)) * way[..., None]
    light = (entered * forwards / INDEX**2)[..., None] * scattering * gathered
    return np.where(((above > 0) & (up > 0))[..., None], light, 0.0)
