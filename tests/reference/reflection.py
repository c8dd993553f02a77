"""Reflection by a rough sea: facets whose slopes are Gaussian about the slope of the drawn surface; the reference for
`shaders/surface/reflection.glsl`.

Bruneton, Neyret and Holzschuch (2010), "Real-time realistic ocean lighting using seamless transitions from geometry to
BRDF", with the area that facets show to the eye in closed form. Slopes are (dh/dx, dh/dz), their covariance is
(xx, zz, xz), and a facet of slope s has the normal (-s_x, 1, -s_z) / sqrt(1 + s²). Directions are unit vectors
(x, y, z), y up, away from the water. All arrays broadcast.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from ocean.light.optics import Array
from tests.reference.environment import AUREOLE
from tests.reference.water import INDEX, fresnel

FRESNEL = (0.9892, -5.875, 16.7882, -28.2638, 28.5349, -15.8824, 3.7303)
"""Fresnel's reflectance of water as a polynomial in the cosine, to 1.5 % of itself."""

GRAZING = 0.002  # minimum sine of the sun's elevation, half of its radius: a set sun's disc may be up in part

SUN_SLOPES = 1e-5  # variance by which the sun's disc and a pixel's optics blur its reflection


def along(direction: Array, covariance: Array) -> Array:
    """Return the variance of the slopes in the plane of a direction, times the squared sine of its angle to the
    zenith."""
    x, z = direction[..., 0], direction[..., 2]
    return np.asarray(covariance[..., 0] * x * x + covariance[..., 1] * z * z + 2 * covariance[..., 2] * x * z)


def leaning(direction: Array, covariance: Array) -> Array:
    """Return minus the covariance (..., 2) of the slopes with the area that their facets show to a direction."""
    x, z = direction[..., 0], direction[..., 2]
    lean = covariance[..., 0] * x + covariance[..., 2] * z, covariance[..., 2] * x + covariance[..., 1] * z
    return np.stack(np.broadcast_arrays(*lean), axis=-1)


def facing(direction: Array, slope: Array) -> Array:
    """Return the ratio of the area that facets of a slope show to a direction to the area of sea that they cover. It is
    negative where they show their backs."""
    return np.asarray(direction[..., 1] - direction[..., 0] * slope[..., 0] - direction[..., 2] * slope[..., 1])


def visible_area(direction: Array, slope: Array, covariance: Array) -> Array:
    """Return the mean of `facing` over facets, with backs counted as 0. Smith's masking is m over this mean."""
    return shown(facing(direction, slope), np.sqrt(np.maximum(along(direction, covariance), 1e-12)))


def shown(m: Array, s: Array) -> Array:
    """Return the mean of a Gaussian of mean m and deviation s, cut at 0: `m Phi(m/s) + s phi(m/s)`."""
    return np.asarray(m * ndtr(m / s) + s * np.exp(-0.5 * (m / s) ** 2) / np.sqrt(2 * np.pi))


def visible_slope(direction: Array, slope: Array, covariance: Array) -> Array:
    """Return the mean slope (..., 2) of the visible facets, weighted by the area that they show. They lean towards the
    eye."""
    m, s = facing(direction, slope), np.sqrt(np.maximum(along(direction, covariance), 1e-12))
    share = ndtr(m / s) / visible_area(direction, slope, covariance)
    return np.asarray(slope - share[..., None] * leaning(direction, covariance))


LOOKS, LOOK = (-1.1, -0.55, 0.2, 1.45), 0.3
"""Positions of the looks at the sky, and minimum width of one look, in deviations of the area that facets show. Their
mean is 0, and their variance with that of the width is 1. They are skewed, because facets that show their backs are not
seen."""


def mean_square_slope(direction: Array, slope: Array, covariance: Array) -> Array:
    """Return the mean |slope|² of the visible facets, weighted by the area that each shows.

    The shown area has the variance s² (2 - m q - s² q²) with q = E_0 / E_1. Its regression gives slopes by the factor
    `leaning` / s²; the rest of the slopes has the same variance as for all facets.
    """
    s = np.sqrt(np.maximum(along(direction, covariance), 1e-12))
    m = np.maximum(facing(direction, slope), -1.5 * s)
    q = ndtr(m / s) / shown(m, s)
    lean = leaning(direction, covariance)
    tilt, lost = slope - lean * q[..., None], (lean**2).sum(axis=-1) / s**2 * (1 - m * q - s**2 * q**2)
    return np.asarray((tilt**2).sum(axis=-1) + covariance[..., 0] + covariance[..., 1] + lost)


def mirror(direction: Array, slope: Array, covariance: Array) -> tuple[Array, Array, Array]:
    """Return the mean reflectance of the visible facets, their mean slope (..., 2), weighted by the area that each
    shows and its reflectance, and the deviation (..., 2) of that slope.

    The area that facets show is Gaussian, cut at 0, with moments E_k = m E_(k-1) + (k - 1) s² E_(k-2). Fresnel's
    formula is a polynomial in that area, so the mean R of area times reflectance is a sum of moments, and so are its
    derivatives by m. Weighted in this way, the area has the mean m + s² R' / R and the variance s² + s⁴ (R'' / R -
    (R' / R)²) (Stein's lemma); nothing cancels there where s is small. A facet's cosine to the eye is its shown area
    times the upward part of its normal, 1 / sqrt(1 + |slope|²), with the mean |slope|² of visible facets.
    """
    s = np.sqrt(np.maximum(along(direction, covariance), 1e-12))
    m = np.maximum(facing(direction, slope), -1.5 * s)
    share, area = ndtr(m / s), shown(m, s)
    lean = leaning(direction, covariance)
    upright = 1 / np.sqrt(1 + mean_square_slope(direction, slope, covariance))
    mean, variance = m * upright, (s * upright) ** 2
    moments = [share, area * upright]
    for k in range(1, len(FRESNEL)):
        moments.append(mean * moments[-1] + k * variance * moments[-2])
    edge = np.exp(-0.5 * (m / s) ** 2) / (np.sqrt(2 * np.pi) * s * upright)  # density where facets begin to show
    terms = list(enumerate(FRESNEL))
    reflected = sum(f * moments[k + 1] for k, f in terms)
    first = sum((k + 1) * f * moments[k] for k, f in terms) / reflected
    second = (FRESNEL[0] * edge + sum(k * (k + 1) * f * moments[k - 1] for k, f in terms[1:])) / reflected
    deviation = np.sqrt(np.maximum(1 + variance * (second - first**2), 0.0)) / s
    leant, apart = (-lean * of[..., None] for of in (upright * first, deviation))
    return np.asarray(reflected / moments[1]), np.asarray(slope + leant), np.asarray(apart)


def reflected_sky(
    direction: Array,
    slope: Array,
    covariance: Array,
    sky: Callable[[Array, Array], Array],
    is_long: bool,
    sun: Array,
    aureole: tuple[ArrayLike, float],
) -> Array:
    """Return the radiance (..., n) of the sky that facets mirror to an eye. `sky` returns means of the sky over lobes
    (..., n + 1) by their directions and deviations. It is called once, or four times along the view where the lobe
    `is_long`.

    Slopes turn the reflection twice as far along the view; across it they turn it less, the more the view grazes. Light
    that goes down meets the sea again, and then the sky. A look is as wide as the lobe is across; looks lie apart by
    the rest of the lobe's length. Where the lobe is wider than long, a look has the geometric mean of both.

    The bright sky about the `sun`, an `aureole` from `environment.aureole_radiance`, can be smaller than a lobe. The
    last channel of the sky's means is the mean of an aureole of radiance 1. The wider the lobe is, the more of its
    aureole is replaced by `aureole_reflection`.
    """
    reflectance, middle, apart = mirror(direction, slope, covariance)
    steep = np.maximum(1 - direction[..., 1] ** 2, 1e-6)
    sigma = np.sqrt(np.maximum(along(direction, covariance), 1e-12) / steep)
    across = np.sqrt(np.maximum(covariance[..., 0] + covariance[..., 1] - sigma**2, 0.0))

    def mirrored(tilt: Array) -> tuple[Array, Array]:
        upright = 1 / np.sqrt(1 + (tilt**2).sum(axis=-1))
        cosine = facing(direction, tilt) * upright
        normal = np.stack([-tilt[..., 0], np.ones_like(upright), -tilt[..., 1]], axis=-1) * upright[..., None]
        return 2 * cosine[..., None] * normal - direction, np.maximum(cosine, 0.02)

    def lifted(towards: Array) -> Array:
        up = towards * [1, 0, 1] + np.maximum(towards, 0.0) * [0, 1, 0]
        return np.asarray(up / np.linalg.norm(up, axis=-1, keepdims=True))

    towards, cosine = mirrored(middle)
    wide = 2 * across * cosine
    mean_square = 2 * sigma * wide
    length = 2 * np.maximum(np.linalg.norm(apart, axis=-1), 1e-6)
    if is_long:
        spread = np.maximum(LOOK * length, np.minimum(wide, np.sqrt(wide * length)))
        reach = np.sqrt(np.maximum(1 - (spread / length) ** 2, 0.0) / (1 - LOOK**2))
        looks = [sky(lifted(mirrored(middle + (look * reach)[..., None] * apart)[0]), spread) for look in LOOKS]
        mean = np.asarray(sum(looks) / len(LOOKS))
    else:
        mean = sky(lifted(towards), np.sqrt(mean_square))
    blur = mean_square / (mean_square + AUREOLE**2)
    radiance, low = aureole
    of_facets = aureole_reflection(direction, sun, slope, covariance, towards, blur, length, low)
    bright = blur[..., None] * radiance
    rest = np.maximum(mean[..., :-1] - mean[..., -1:] * bright, 0.0)
    return np.asarray(reflectance[..., None] * rest + of_facets[..., None] * bright)


def normal_share(x: Array) -> Array:
    """Return the fraction of a normal distribution below x, with an error of at most 0.0095."""
    return np.asarray(1 / (1 + np.exp(np.clip(-1.702 * x, -700, 700))))


def aureole_reflection(
    eye: Array,
    sun: Array,
    slope: Array,
    covariance: Array,
    towards: Array,
    wide: Array,
    reach: Array,
    low: float,
) -> Array:
    """Return the radiance towards an eye of facets that mirror an aureole about the sun, with radiance 1 in its middle
    (`environment.aureole`). The facets mirror directions about `towards`, within `reach` [rad] up and down. `wide` (0
    to 1) is the variance of these directions over the sum of it and the aureole's variance; `low` (0 to 1) is the
    fraction of the aureole on the horizon.

    The facets turn the aureole into a Gaussian of their slopes, as far as slopes are linear in directions. They are
    linear about the direction `most`, between `towards` and the sun, from which most light comes: if that direction
    turns by d, the slope s of its facet, with normal h, turns by q(d) / 2 (v . h), where q(d) = -(d_xz + s d_y) / h_y.
    The integral of the product of two Gaussians is a Gaussian. All facets take the reflectance of the mean facet that
    mirrors the aureole. Directions below the horizon count as the horizon, in the heights of the Gaussians.
    """
    most = towards + wide[..., None] * (sun - towards)
    most[..., 1] = np.maximum(most[..., 1], 1e-4)
    most /= np.linalg.norm(most, axis=-1, keepdims=True)
    half = eye + most
    half /= np.linalg.norm(half, axis=-1, keepdims=True)
    up = np.maximum(half[..., 1:2], 1e-3)
    facet = -half[..., [0, 2]] / up
    twice = np.maximum(2 * (eye * half).sum(axis=-1, keepdims=True), 2e-3)

    def turned(by: Array) -> Array:
        return np.asarray(-(by[..., [0, 2]] + facet * by[..., 1:2]) / up)

    q = turned(most)  # the aureole lies across this direction
    off = facet + turned(sun - most) / twice - slope
    own = (np.eye(2) + facet[..., :, None] * facet[..., None, :]) / up[..., None] ** 2 - q[..., :, None] * q[
        ..., None, :
    ]
    own *= (AUREOLE / twice[..., None]) ** 2
    xx, zz, xz = np.moveaxis(covariance, -1, 0)
    rough = np.stack([np.stack([xx, xz], axis=-1), np.stack([xz, zz], axis=-1)], axis=-2)
    weighed = np.linalg.solve(rough + own, off[..., None])[..., 0]
    mean = slope + (rough @ weighed[..., None])[..., 0]
    whole = np.sqrt(np.linalg.det(own) / np.linalg.det(rough + own)) * np.exp(-0.5 * (off * weighed).sum(axis=-1))

    across, height = np.sqrt(AUREOLE**2 + reach**2), towards[..., 1] - sun[..., 1]
    above = normal_share((AUREOLE**2 * towards[..., 1] + reach**2 * sun[..., 1]) / (AUREOLE * reach * across))
    below = low * normal_share(-towards[..., 1] / reach)
    whole *= above + below / np.maximum(AUREOLE / across * np.exp(-0.5 * (height / across) ** 2), 0.1)

    shows = np.maximum(facing(eye, mean), 0.0)
    reflectance = fresnel(shows / np.sqrt(1 + (mean**2).sum(axis=-1)), 1 / INDEX)
    return np.asarray(reflectance * shows / visible_area(eye, slope, covariance) * whole)


def slope_density(slope: Array, covariance: Array) -> Array:
    """Return the Gaussian's density at a slope (..., 2) from its mean."""
    a, b, c = covariance[..., 0], covariance[..., 1], covariance[..., 2]
    det = a * b - c * c
    x, z = slope[..., 0], slope[..., 1]
    return np.asarray(np.exp(-0.5 * (b * x * x + a * z * z - 2 * c * x * z) / det) / (2 * np.pi * np.sqrt(det)))


def lit_share(eye: Array, sun: Array, covariance: Array) -> Array:
    """Return the fraction of the facets visible to the eye that the sun lights too, on a level sea with slopes of this
    covariance.

    The formula has Smith's functions, correlated by height: both see facets that stand high (Ross, Dion and Potvin
    2005). `covariance` holds all slopes of the sea, because drawn waves cast no shadows on each other. So the
    brightness of a picture does not depend on the number of waves that it shows.
    """
    to_eye, to_sun = (
        shown(up, np.sqrt(np.maximum(along(d, covariance), 1e-12))) / up
        for d, up in ((eye, np.maximum(eye[..., 1], GRAZING)), (sun, np.maximum(sun[..., 1], GRAZING)))
    )
    return np.asarray(to_eye / (to_eye + to_sun - 1))


def sun_reflection(eye: Array, sun: Array, slope: Array, covariance: Array, everything: Array) -> Array:
    """Return the radiance towards the eye of facets about a slope, over the irradiance of the sun on a surface that
    faces the sun [1/sr]. `everything` is the covariance of all slopes of the sea. Waves that hide each other lose
    light; no light is made."""
    eye, sun, slope, covariance = (np.asarray(a, np.float64) for a in (eye, sun, slope, covariance))
    half = eye + sun
    half = half / np.linalg.norm(half, axis=-1, keepdims=True)
    up = np.maximum(half[..., 1], 1e-3)
    facet = -half[..., [0, 2]] / up[..., None]
    blurred = covariance + np.array([SUN_SLOPES, SUN_SLOPES, 0.0])
    seen, lit = visible_area(eye, slope, covariance), lit_share(eye, sun, np.asarray(everything, np.float64))
    reflected = fresnel((eye * half).sum(axis=-1), 1 / INDEX) * slope_density(facet - slope, blurred) / (4 * up**4)
    return np.where(half[..., 1] > 0, reflected * lit / np.maximum(seen, 1e-6), 0.0)
