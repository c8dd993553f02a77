"""Camera and display: exposure and tone curves, the twins of `shaders/post`."""

import numpy as np

from ocean.light.spectrum import LUMINANCE, Array

GREY = 0.18  # reflectance of the card that a light meter is made for
DAY = 6000.0  # cd/m² of such a card in full sun
BRIGHT = 1.5  # the sea reflects little, so pictures of it are exposed for longer
DARK = 0.3  # cd/m² of a card below which only a seventh of the stops are lost, or night would hide the sea
USUAL = 1.35  # what a camera sees, over such a card, where neither needs correcting

ACES_INPUT = np.array([[0.59719, 0.35458, 0.04823], [0.07600, 0.90834, 0.01566], [0.02840, 0.13383, 0.83777]])
ACES_OUTPUT = np.array([[1.60475, -0.53108, -0.07367], [-0.10208, 1.10813, -0.00605], [-0.00327, -0.07276, 1.07602]])
AGX_INSET = np.array(
    [
        [0.842479062253094, 0.0784335999999992, 0.0792237451477643],
        [0.0423282422610123, 0.878468636469772, 0.0791661274605434],
        [0.0423756549057051, 0.0784336, 0.879142973793104],
    ]
)
AGX_LOW, AGX_HIGH = -12.47393, 4.026069  # stops
AGX_SIGMOID = (15.5, -40.14, 31.96, -6.868, 0.4298, 0.1191, -0.00232)
AGX_CONTRAST, AGX_SATURATION = 1.45, 1.1
AGX_CARD, AGX_GREY = 0.6061, 0.5888  # where the card lies between those stops, and what is shown as sRGB has it


def key(adapted: Array) -> Array:
    """Return the brightness that a scene of this luminance [cd/m²] should have, relative to a day: Krawczyk et al.
    (2005), equation 11, and a seventh of the stops on top, without which dusk still looks like day. Below DARK only
    these stops count."""

    def alpha(luminance: Array) -> Array:
        return np.asarray(1.03 - 2 / (2 + np.log10(luminance + 1)))

    return np.asarray((adapted / DAY) ** 0.15 * alpha(np.maximum(adapted, DARK)) / alpha(np.array(DAY)))


def metered(card: Array, seen: Array) -> Array:
    """Return the luminance [cd/m²] to expose for, of a grey card's in the light that falls on the sea and the mean that
    the camera sees: for the most part by what is seen, within bounds, so that neither the sun's glare nor dark water
    takes the picture over."""
    return np.asarray(card * (np.clip(seen / card, 0.5, 6.0) / USUAL) ** 0.6)


def exposure_for(adapted: Array) -> Array:
    """Return the factor on radiance [kcd/m²] for a scene whose grey has this luminance [cd/m²]."""
    return np.asarray(1e3 * BRIGHT * GREY * key(adapted) / np.maximum(adapted, 1e-6))


def srgb(linear: Array) -> Array:
    """Return the display's encoding of linear values in [0, 1]."""
    curve = 1.055 * np.maximum(linear, 0.0) ** (1 / 2.4) - 0.055
    return np.asarray(np.where(linear > 0.0031308, curve, 12.92 * linear))


def aces(radiance: Array) -> Array:
    """Return the ACES filmic curve as fitted by Hill (2017): exposed RGB (..., 3) to the display's."""
    v = radiance @ ACES_INPUT.T
    v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081)
    return srgb(np.clip(v @ ACES_OUTPUT.T, 0, 1))


def agx(radiance: Array) -> Array:
    """Return AgX (Sobotka 2022) with the sigmoid as fitted by Wrensch (2023): exposed RGB (..., 3) to the display's.

    AgX leaves contrast to a look. As in those of Blender it is of the stops, about the card: shadows are deep, and what
    is seven times as bright as the card, as clouds and foam in the sun are, is nearly white.
    """
    stops = np.log2(np.maximum(radiance @ AGX_INSET.T, 1e-10))
    x = (np.clip(stops, AGX_LOW, AGX_HIGH) - AGX_LOW) / (AGX_HIGH - AGX_LOW)
    x = np.clip(AGX_GREY + AGX_CONTRAST * (x - AGX_CARD), 0, 1)
    x = np.maximum(np.polyval(AGX_SIGMOID, x), 0.0)
    grey = (x @ LUMINANCE)[..., None]
    return np.asarray(np.clip((grey + AGX_SATURATION * (x - grey)) @ np.linalg.inv(AGX_INSET).T, 0, 1))
