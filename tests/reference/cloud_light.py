"""Light below and among clouds in numpy: shafts, the glow of the veil, and the light of the air below the layer."""

from collections.abc import Callable

import numpy as np

from ocean.light.clouds import Deck
from ocean.light.optics import Array
from tests.reference.atmosphere import SEA_ALBEDO

VEIL_HEIGHT, VEIL_MEAN = 9e3, 0.155  # m; ratio of the mean to the largest optical depth
SHAFTS, SHAFTS_REACH = 0.25, 12e3  # drawn fraction of the contrast of shafts; m, length of a ray searched for shafts
LEAST_MEAN = 0.05  # minimum divisor: the sun's fraction, as a mean along a ray


def veil_glow(thickest: float, sun: Array) -> Array:
    """Return the irradiance of a veil's light on upright surfaces that face the sun. The veil has the optical depth
    `thickest` at its thickest point and gets the sun's irradiance `sun`. It sends forward about half of the light that
    it scatters."""
    return np.asarray(0.5 * VEIL_MEAN * thickest * sun)


def sunlit_air(
    visible: Callable[[Array], Array], mean: float, eye: float, rays: Array, sun: Array, base: float, at: Array
) -> Array:
    """Return the sun's light in the air along rays (n, 3) [m] from an eye at a height [m], divided by its average under
    clouds. On average clouds leave the fraction `mean` below their base [m] and all light above it. `visible` returns
    the fraction of sunlight that clouds pass to points on the sea (n, 2) [m]; `sun` is a unit vector; `at` are the
    fractions of a ray at which `visible` is called."""
    length = np.linalg.norm(rays, axis=-1)
    along, share = np.minimum(length, SHAFTS_REACH) * at[:, None], SHAFTS * np.minimum(SHAFTS_REACH / length, 1.0)
    points = (along / length)[..., None] * rays + (0.0, eye, 0.0)
    shadows = (points - points[..., 1:2] / sun[1] * sun)[..., ::2]
    lit = visible(shadows.reshape(-1, 2)).reshape(along.shape)
    under = points[..., 1] < base
    more, whole = np.where(under, lit - mean, 0.0).mean(axis=0), np.where(under, mean, 1.0).mean(axis=0)
    return np.asarray(1 + share * more / np.maximum(whole, LEAST_MEAN))


def below(deck: Deck, sun: Array, sky: Array) -> tuple[Array, Array]:
    """Return the irradiance of sun and sky on the level sea under a layer, from the irradiance without the layer."""
    return np.asarray(deck.direct * sun), np.asarray((deck.sun - deck.direct) * sun + deck.sky * sky)


def air_below(deck: Deck, sun: Array, sky: Array, own: Array) -> Array:
    """Return the ratio of scattered light from all sides under a layer to the same light without the layer. Without the
    layer, `sun` and `sky` are the irradiance of sun and sky on the level sea, and `own` is 2 pi times the mean radiance
    of scattered light.

    Between the clouds scattered light is unchanged. Clouds send the rest down, equally from all directions above, and
    the sea reflects a part of it: half of all directions see the clouds, half the sea.
    """
    sent = (deck.sun - deck.direct) * sun + (deck.sky - deck.direct) * sky
    return np.asarray(deck.direct + (1 + SEA_ALBEDO) * sent / own)
