"""How a rough sea reflects: facets whose slopes are Gaussian about the slope of the drawn surface, the twin of
`shaders/surface/reflection.glsl`.

Bruneton, Neyret and Holzschuch (2010), "Real-time realistic ocean lighting using seamless transitions from geometry to
BRDF", with the area that facets show to the eye in closed form. Slopes are (dh/dx, dh/dz), their covariance is
(xx, zz, xz), and a facet of slope s has the normal (-s_x, 1, -s_z) / sqrt(1 + s²). Directions are unit vectors
(x, y, z), y up, away from the water. All arrays broadcast.
"""

import numpy as np
from scipy.special import ndtr

from ocean.light.spectrum import Array
from ocean.light.water import INDEX, fresnel

FRESNEL = (0.9892, -5.875, 16.7882, -28.2638, 28.5349, -15.8824, 3.7303)
"""Fresnel's reflectance of water as a polynomial in the cosine, to 1.5 % of itself."""

MESH_SHARE, COUNTS = 0.6, (0.5, 2.0)  # of `meet_mesh`: chosen, so that a picture is right and still calm

SUN_SLOPES = 1e-5  # variance by which the sun's disc and a pixel's optics blur its reflection


def along(direction: Array, covariance: Array) -> Array:
    """Variance of the slopes in the plane of a direction, times the squared sine of its angle to the zenith."""
    x, z = direction[..., 0], direction[..., 2]
    return np.asarray(covariance[..., 0] * x * x + covariance[..., 1] * z * z + 2 * covariance[..., 2] * x * z)


def leaning(direction: Array, covariance: Array) -> Array:
    """Covariance (..., 2) of the slopes with what their facets show to a direction, but for its sign."""
    x, z = direction[..., 0], direction[..., 2]
    lean = covariance[..., 0] * x + covariance[..., 2] * z, covariance[..., 2] * x + covariance[..., 1] * z
    return np.stack(np.broadcast_arrays(*lean), axis=-1)


def facing(direction: Array, slope: Array) -> Array:
    """What facets of a slope show to a direction, over the area of sea they stand on: below 0 their backs."""
    return np.asarray(direction[..., 1] - direction[..., 0] * slope[..., 0] - direction[..., 2] * slope[..., 1])


def visible_area(direction: Array, slope: Array, covariance: Array) -> Array:
    """Mean of `facing` over facets, backs counted as 0: `m Phi(m/s) + s phi(m/s)`. Smith's masking is m over this."""
    m, s = facing(direction, slope), np.sqrt(np.maximum(along(direction, covariance), 1e-12))
    return np.asarray(m * ndtr(m / s) + s * np.exp(-0.5 * (m / s) ** 2) / np.sqrt(2 * np.pi))


def visible_slope(direction: Array, slope: Array, covariance: Array) -> Array:
    """Mean slope (..., 2) of the facets that are seen, weighed by what they show: they lean towards the eye."""
    m, s = facing(direction, slope), np.sqrt(np.maximum(along(direction, covariance), 1e-12))
    share = ndtr(m / s) / visible_area(direction, slope, covariance)
    return np.asarray(slope - share[..., None] * leaning(direction, covariance))


def mirror(direction: Array, slope: Array, covariance: Array) -> tuple[Array, Array]:
    """What the facets that are seen reflect, on average: their reflectance, and the slope (..., 2) of one that stands
    for all, where each counts by what it shows and reflects.

    What facets show is Gaussian, cut at 0, with moments E_k = m E_(k-1) + (k - 1) s² E_(k-2); Fresnel's formula is a
    polynomial in it, so both means are sums of moments. A facet's cosine to the eye is what it shows times the upward
    part of its normal, for which that of the mean facet is taken.
    """
    s = np.sqrt(np.maximum(along(direction, covariance), 1e-12))
    m = np.maximum(facing(direction, slope), -1.5 * s)
    share = ndtr(m / s)
    shown = m * share + s * np.exp(-0.5 * (m / s) ** 2) / np.sqrt(2 * np.pi)
    lean = leaning(direction, covariance)
    tilt = slope - lean * (share / shown)[..., None]
    upright = 1 / np.sqrt(1 + (tilt**2).sum(axis=-1))
    moments = [share, shown * upright]
    for k in range(1, len(FRESNEL) + 1):
        moments.append(m * upright * moments[-1] + k * (s * upright) ** 2 * moments[-2])
    reflected = sum(f * e for f, e in zip(FRESNEL, moments[1:], strict=False))
    further = sum(f * e for f, e in zip(FRESNEL, moments[2:], strict=True))
    cosine = further / reflected
    return np.asarray(reflected / moments[1]), np.asarray(slope - lean * ((cosine / upright - m) / s**2)[..., None])


def meet_mesh(
    face: Array, coarse: Array, direction: Array, normal: Array, covariance: Array
) -> tuple[Array, Array, Array]:
    """Normal (..., 3), covariance (..., 3) and weight of a pixel, of what maps say of it and what its mesh shows.

    Waves hide each other, and only the mesh, whose triangle's upward normal is `face` and which lacks slopes of a
    covariance `coarse`, knows which. Where it shows shorter waves than the maps do, its slope is that of what is not
    hidden, and MESH_SHARE of it is taken. Where the maps show shorter ones, the pixel counts by how much their facets
    show to the eye over how much the triangle's do, within COUNTS.
    """
    deviations = [np.sqrt(np.maximum(along(direction, of), 1e-12)) for of in (coarse, covariance)]
    is_finer = (deviations[0] <= deviations[1])[..., None]
    leant = normal + MESH_SHARE * (face - normal)
    leant = leant / np.linalg.norm(leant, axis=-1, keepdims=True)
    slopes = [-of[..., [0, 2]] / of[..., 1:2] for of in (face, normal)]
    mesh, fine = (visible_area(direction, slope, of) for slope, of in zip(slopes, (coarse, covariance), strict=True))
    weight = np.clip(fine / np.maximum(mesh, 1e-6), *COUNTS)
    return (
        np.where(is_finer, leant, normal),
        np.where(is_finer, covariance + MESH_SHARE * (coarse - covariance), covariance),
        np.where(is_finer[..., 0], 1.0, weight),
    )


def slope_density(slope: Array, covariance: Array) -> Array:
    """The Gaussian's density at a slope (..., 2) from its mean."""
    a, b, c = covariance[..., 0], covariance[..., 1], covariance[..., 2]
    det = a * b - c * c
    x, z = slope[..., 0], slope[..., 1]
    return np.asarray(np.exp(-0.5 * (b * x * x + a * z * z - 2 * c * x * z) / det) / (2 * np.pi * np.sqrt(det)))


def sun_reflection(eye: Array, sun: Array, slope: Array, covariance: Array) -> Array:
    """Radiance towards the eye over the irradiance of a sun on a surface that faces it [1/sr].

    Facets that lie in each other's shadow, seen from the eye or the sun, are left out by Smith's functions, correlated
    by height (Ross, Dion and Potvin 2005): light is lost there and never made.
    """
    eye, sun, slope, covariance = (np.asarray(a, np.float64) for a in (eye, sun, slope, covariance))
    half = eye + sun
    half = half / np.linalg.norm(half, axis=-1, keepdims=True)
    up = np.maximum(half[..., 1], 1e-3)
    facet = -half[..., [0, 2]] / up[..., None]
    blurred = covariance + np.array([SUN_SLOPES, SUN_SLOPES, 0.0])
    seen, m_eye = visible_area(eye, slope, covariance), np.maximum(facing(eye, slope), 0.0)
    lit, m_sun = visible_area(sun, slope, covariance), facing(sun, slope)
    shadow = m_eye * (lit / np.maximum(m_sun, 1e-6) - 1)
    reflected = fresnel((eye * half).sum(axis=-1), 1 / INDEX) * slope_density(facet - slope, blurred) / (4 * up**4)
    return np.where((m_sun > 0) & (half[..., 1] > 0), reflected / np.maximum(seen + shadow, 1e-6), 0.0)
