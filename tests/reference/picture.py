"""Camera and display: exposure and tone curves, the references for `shaders/post`."""

import numpy as np

from ocean.light.optics import LUMINANCE, Array

GREY = 0.18  # reflectance of the card that a light meter is made for
DAY = 6000.0  # cd/m² of such a card in full sun
BRIGHT = 1.5  # factor of exposure: the sea reflects little
DARK = 0.3  # cd/m² of a card: darker scenes lose only a seventh of their stops, so that the sea shows at night
USUAL = 1.35  # ratio of the view's luminance to the card's at which the meter changes nothing

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
AGX_CARD, AGX_GREY = 0.6061, 0.5888  # position of the card between those stops; value that shows the card as sRGB does

CATMULL_ROM = np.array([[0, -0.5, 1, -0.5], [1, 0, -2.5, 1.5], [0, 0.5, 2, -1.5], [0, 0, -0.5, 0.5]])
"""Weights of the four nearest colours, as polynomials of the fraction from the second to the third."""


def key(adapted: Array) -> Array:
    """Return the brightness that a scene of this luminance [cd/m²] should have, relative to a day: Krawczyk et al.
    (2005), equation 11, darkened by a seventh of the stops, because dusk would look like day. Below DARK only the
    seventh counts."""

    def alpha(luminance: Array) -> Array:
        return np.asarray(1.03 - 2 / (2 + np.log10(luminance + 1)))

    return np.asarray((adapted / DAY) ** 0.15 * alpha(np.maximum(adapted, DARK)) / alpha(np.array(DAY)))


def metered(card: Array, seen: Array) -> Array:
    """Return the luminance [cd/m²] to expose for. `card` is the luminance of a grey card in the light that falls on the
    sea, `seen` the mean luminance of the view. The view counts most, within bounds, so that neither the sun's glare nor
    dark water sets the exposure alone."""
    return np.asarray(card * (np.clip(seen / card, 0.5, 6.0) / USUAL) ** 0.6)


def exposure_for(adapted: Array) -> Array:
    """Return the factor on radiance [kcd/m²] for a scene in which a grey card has this luminance [cd/m²]."""
    return np.asarray(1e3 * BRIGHT * GREY * key(adapted) / np.maximum(adapted, 1e-6))


def srgb(linear: Array) -> Array:
    """Return linear values in [0, 1] as the display encodes them."""
    curve = 1.055 * np.maximum(linear, 0.0) ** (1 / 2.4) - 0.055
    return np.asarray(np.where(linear > 0.0031308, curve, 12.92 * linear))


def aces(radiance: Array) -> Array:
    """Return display RGB (..., 3) of exposed RGB by the ACES filmic curve, as fitted by Hill (2017)."""
    v = radiance @ ACES_INPUT.T
    v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081)
    return srgb(np.clip(v @ ACES_OUTPUT.T, 0, 1))


def agx(radiance: Array) -> Array:
    """Return display RGB (..., 3) of exposed RGB by AgX (Sobotka 2022), with the sigmoid as fitted by Wrensch (2023).

    AgX leaves contrast to a look. As in Blender's looks, contrast applies to the stops, about the card: shadows are
    deep, and clouds and foam in the sun, which are seven times as bright as the card, are nearly white. From a stop
    above the card on, contrast falls, so that only the brightest light of AgX is white: glitter keeps its detail.
    """
    stops = np.log2(np.maximum(radiance @ AGX_INSET.T, 1e-10))
    x = (np.clip(stops, AGX_LOW, AGX_HIGH) - AGX_LOW) / (AGX_HIGH - AGX_LOW)
    knee, at_knee = AGX_CARD + 1 / (AGX_HIGH - AGX_LOW), AGX_GREY + AGX_CONTRAST / (AGX_HIGH - AGX_LOW)
    steep, above = AGX_CONTRAST * (1 - knee) / (1 - at_knee), np.maximum(x - knee, 0) / (1 - knee)
    below = np.maximum(AGX_GREY + AGX_CONTRAST * (np.minimum(x, knee) - AGX_CARD), 0)
    x = below + (1 - at_knee) * steep * above / (1 + (steep - 1) * above)
    x = np.maximum(np.polyval(AGX_SIGMOID, x), 0.0)
    grey = (x @ LUMINANCE)[..., None]
    return np.asarray(np.clip((grey + AGX_SATURATION * (x - grey)) @ np.linalg.inv(AGX_INSET).T, 0, 1))


def enlarged(colours: Array, size: tuple[int, int]) -> Array:
    """Return a picture (height, width, 3) of displayed colours enlarged to a size (width, height): Catmull-Rom
    interpolation along rows and columns, between the two nearest colours, then the sharpening of FSR 1."""
    here = colours
    for axis, count in ((1, size[0]), (0, size[1])):
        place = (np.arange(count) + 0.5) * colours.shape[axis] / count - 0.5
        first, t = np.floor(place).astype(int), np.expand_dims(place - np.floor(place), [1 - axis, 2])
        taps = [np.take(here, (first + i).clip(0, colours.shape[axis] - 1), axis) for i in (-1, 0, 1, 2)]
        whole = sum(np.polyval(row[::-1], t) * tap for row, tap in zip(CATMULL_ROM, taps, strict=True))
        here = np.clip(whole, np.minimum(*taps[1:3]), np.maximum(*taps[1:3]))
    padded = np.pad(here, [(1, 1), (1, 1), (0, 0)], mode="edge")
    beside = np.array([padded[1:-1, :-2], padded[1:-1, 2:], padded[:-2, 1:-1], padded[2:, 1:-1]])
    low, high = beside.min(axis=0), beside.max(axis=0)
    down = np.minimum(low, here) / np.maximum(4 * high, 1e-6)
    room = np.minimum(down, (1 - np.maximum(high, here)) / np.maximum(4 - 4 * low, 1e-6))
    share = (0.5 * size[1] / len(colours) - 0.5) * room.min(axis=2, keepdims=True).clip(0, 3 / 16)
    return np.asarray((here - share * beside.sum(axis=0)) / (1 - 4 * share))
