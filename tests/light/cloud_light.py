"""Light below and among clouds in numpy: shafts, the glow of the veil, and the light of the air below the layer."""

from collections.abc import Callable

import numpy as np

from ocean.light.clouds import Deck
from ocean.light.spectrum import Array
from tests.light.atmosphere import SEA_ALBEDO

VEIL_HEIGHT, VEIL_MEAN = 9e3, 0.155  # m; mean optical depth over the largest one
SHAFTS, SHAFTS_REACH = 0.25, 12e3  # share of their contrast that is drawn; m, how far along a ray they are looked for
LEAST_MEAN = 0.05  # of the sun, on average along a ray, that is known well enough to be divided by


def veil_glow(thickest: float, sun: Array) -> Array:
    """Return the irradiance on upright surfaces that face the sun, of the light that a veil of this optical depth where
    it is `thickest` sends forward, where the sun's on it is `sun`: about half of what it scatters."""
    return np.asarray(0.5 * VEIL_MEAN * thickest * sun)


def sunlit_air(
    visible: Callable[[Array], Array], mean: float, eye: float, rays: Array, sun: Array, base: float, at: Array
) -> Array:
    """Return the sun's light in the air along rays (n, 3) [m] from an eye at a height [m], over what clouds leave of it
    on average: its `mean` below their base [m], all of it above. `visible` says of places on the sea (n, 2) [m] what
    clouds pass towards them from the sun, a unit vector; `at` are the shares of a ray at which it is asked."""
    length = np.linalg.norm(rays, axis=-1)
    along, share = np.minimum(length, SHAFTS_REACH) * at[:, None], SHAFTS * np.minimum(SHAFTS_REACH / length, 1.0)
    points = (along / length)[..., None] * rays + (0.0, eye, 0.0)
    shadows = (points - points[..., 1:2] / sun[1] * sun)[..., ::2]
    lit = visible(shadows.reshape(-1, 2)).reshape(along.shape)
    under = points[..., 1] < base
    more, whole = np.where(under, lit - mean, 0.0).mean(axis=0), np.where(under, mean, 1.0).mean(axis=0)
    return np.asarray(1 + share * more / np.maximum(whole, LEAST_MEAN))


def below(deck: Deck, sun: Array, sky: Array) -> tuple[Array, Array]:
    """Return the irradiance of sun and sky on the level sea under a layer, of what they are without it."""
    return np.asarray(deck.direct * sun), np.asarray((deck.sun - deck.direct) * sun + deck.sky * sky)


def air_below(deck: Deck, sun: Array, sky: Array, own: Array) -> Array:
    """Return the light from all sides that has been scattered before, under a layer over that without it, where the
    sun's and the sky's irradiance on the level sea would be `sun` and `sky`, and `own` 2 pi times the mean radiance of
    such light.

    Between the clouds that is left. They send the rest down, the same from everywhere above, and the sea some of it
    back: half of all directions see the clouds, half the sea.
    """
    sent = (deck.sun - deck.direct) * sun + (deck.sky - deck.direct) * sky
    return np.asarray(deck.direct + (1 + SEA_ALBEDO) * sent / own)
