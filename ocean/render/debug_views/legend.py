"""Colour scales and legends of the debug views.

`SCALES` has the palette and the formula of each scale, in GLSL for `stage/show.frag` and in numpy for the legend's bar
and for tests. Palettes come from matplotlib, which is imported, like Pillow, when a view is first shown. The window and
the legends share a font.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ocean.common import resources

Array = NDArray[np.float64]
Formula = Callable[[Array, float, float, Array], Array]
"""Values (..., 3), range, palette -> colours (..., 3), 0 to 1."""
COLOURS = 256  # of a palette
BACKGROUND, TEXT, FAINT = (12, 19, 25, 225), (227, 234, 239, 255), (139, 154, 167, 255)


class Scale(NamedTuple):
    """Map from values to colours. The formulas use the value's three numbers `v` and the ends of the range."""

    palette: str  # a colour map of matplotlib
    glsl: str
    numpy: Formula
    words: str  # for the table of views; {:g} is the end of the range
    is_centred: bool = False  # whether a wider range keeps its middle, else its origin


class Bar(NamedTuple):
    """A bar of a legend."""

    values: Array  # (width, 3)
    labels: tuple[str, str, str]  # of its left end, middle and right end
    part: str = ""  # the number that it shows
    has_unit: bool = True


def _linear(x: Array, low: float, high: float) -> Array:
    return (x - low) / (high - low)


def _logarithmic(x: Array, low: float, high: float) -> Array:
    return np.asarray(np.log(np.maximum(x, 1e-30) / low) / np.log(high / low))


def _ramp(t: Array, palette: Array) -> Array:
    return np.asarray(palette[(np.clip(t, 0, 1) * (len(palette) - 1) + 0.5).astype(int)])


def _turn(v: Array) -> Array:
    return np.where((v[..., 1] == 0) & (v[..., 2] == 0), 0.0, np.arctan2(v[..., 2], v[..., 1]) / (2 * np.pi) + 0.5)


def srgb(x: Array) -> Array:
    """Return linear light, 0 to 1, in sRGB."""
    x = np.clip(x, 0, 1)
    return np.where(x > 0.0031308, 1.055 * x ** (1 / 2.4) - 0.055, 12.92 * x)


def spelled(value: float) -> str:
    """Return a number with three digits and a typographic minus sign."""
    return f"{value:.3g}".replace("-", "−")


LINEAR: tuple[str, Formula] = "ramp(linear(v.x))", lambda v, a, b, p: _ramp(_linear(v[..., 0], a, b), p)
THREE: tuple[str, Formula] = (
    "vec3(linear(v.x), linear(v.y), linear(v.z))",
    lambda v, a, b, p: np.clip(_linear(v, a, b), 0, 1),
)
SCALES = {
    "linear": Scale("viridis", *LINEAR, "dark to bright"),
    "signed": Scale("RdBu_r", *LINEAR, "blue below, white in the middle, red above", is_centred=True),
    "log": Scale(
        "magma",
        "ramp(logarithmic(v.x))",
        lambda v, a, b, p: _ramp(_logarithmic(v[..., 0], a, b), p),
        "dark to bright, logarithmic",
    ),
    "edges": Scale(
        "turbo",
        "v.z * ramp(logarithmic(v.x))",
        lambda v, a, b, p: v[..., 2:] * _ramp(_logarithmic(v[..., 0], a, b), p),
        "dark to bright along edges, logarithmic",
    ),
    "count": Scale(
        "tab10",
        "ramp((mod(floor(v.x), 10.0) + 0.5) / 10.0)",
        lambda v, a, b, p: _ramp((np.floor(v[..., 0]) % 10 + 0.5) / 10, p),
        "ten colours in turn",
    ),
    "complex": Scale(
        "hsv",
        "clamp(logarithmic(v.x), 0.0, 1.0) * ramp(turn(v.yz))",
        lambda v, a, b, p: np.clip(_logarithmic(v[..., :1], a, b), 0, 1) * _ramp(_turn(v), p),
        "brightness: modulus, logarithmic; hue: phase",
    ),
    "axes": Scale("gray", *THREE, "red, green, blue: one number each; grey is 0", is_centred=True),
    "mix": Scale("gray", *THREE, "red, green, blue: one number each; black is 0"),
    "light": Scale(
        "gray",
        "srgb(clamp(v / range.y, 0.0, 1.0))",
        lambda v, a, b, p: srgb(v / b),
        "as exposed, without the tone curve: {:g} is white",
    ),
}


def bars(scale: str, low: float, high: float, parts: tuple[str, ...], width: int) -> list[Bar]:
    """Return the bars of a scale's legend, for a view whose numbers have the names `parts`."""
    t = np.linspace(0, 1, width)
    x, middle = low + (high - low) * t, (low + high) / 2
    if scale in ("log", "edges", "complex"):
        x, middle = low * (high / low) ** t, (low * high) ** 0.5
    labels = spelled(low), spelled(middle), spelled(high)
    if scale == "count":
        x, labels = np.minimum(np.floor(10 * t), 9), ("0", "", "9")
    if scale in ("axes", "mix"):  # a bar for each number, on which the others are 0; the last bar has labels
        rest = middle if SCALES[scale].is_centred else low
        values = [np.where(np.arange(3) == axis, x[:, None], rest) for axis in range(len(parts))]
        return [
            Bar(v, labels if part == parts[-1] else ("", "", ""), part) for v, part in zip(values, parts, strict=True)
        ]
    if scale == "complex":
        phase = np.stack([np.full_like(t, high), -np.cos(2 * np.pi * t), -np.sin(2 * np.pi * t)], -1)
        return [Bar(np.stack([x, -1 + 0 * x, 0 * x], -1), labels), Bar(phase, ("phase −π", "0", "π"), has_unit=False)]
    return [Bar(np.stack([x, x, x if scale == "light" else 1 + 0 * x], -1), labels)]


@cache
def palette(scale: str) -> Array:
    """Return the colours of a scale, (COLOURS, 3), 0 to 1."""
    from matplotlib import colormaps

    rows = colormaps[SCALES[scale].palette](np.linspace(0, 1, COLOURS))
    return np.rint(255 * np.asarray(rows, np.float64)[:, :3]) / 255


def coloured(scale: str, values: Array, low: float, high: float) -> Array:
    """Return the colours (..., 3), 0 to 1, of values (..., 3), as `stage/show.frag` computes them."""
    return SCALES[scale].numpy(np.asarray(values, np.float64), low, high, palette(scale))


@lru_cache(maxsize=4)
def draw_legend(
    title: str, help: str, scale: str, unit: str, parts: tuple[str, ...], low: float, high: float, height: int
) -> NDArray[np.uint8]:
    """Return the legend of a view for a picture of this height, RGBA (rows, columns, 4), the top row first."""
    import matplotlib
    from PIL import Image, ImageDraw, ImageFont

    em = em_of(height)
    path = str(resources.font_file() or f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans.ttf")
    font, small = ImageFont.truetype(path, em), ImageFont.truetype(path, max(8, round(0.85 * em)))
    width, pad = 20 * em, round(0.7 * em)
    inner = width - 2 * pad
    drawn = bars(scale, low, high, parts, inner)
    words = [(line, font, TEXT) for line in _wrapped(title, font, inner)]
    words += [(line, small, FAINT) for line in _wrapped(help, small, inner)]
    step = round(1.35 * em)
    thick = round(0.9 * em)
    rows = 2 * pad + step * len(words) + sum(thick + (step if any(bar.labels) else 3) for bar in drawn) + 3
    image = Image.new("RGBA", (width, rows), BACKGROUND)
    draw = ImageDraw.Draw(image)
    y = pad
    for line, face, colour in words:
        draw.text((pad, y), line, fill=colour, font=face)
        y += step
    y += 3
    for bar in drawn:
        row = np.rint(255 * coloured(scale, bar.values, low, high)).astype("u1")
        image.paste(Image.fromarray(np.repeat(row[None], thick, axis=0)), (pad, y))
        draw.text((pad + 4, y - 1), bar.part, fill=TEXT, font=small, stroke_width=1, stroke_fill=BACKGROUND)
        y += thick + 3
        if any(bar.labels):
            left, middle, right = bar.labels
            named = left, middle, f"{right} {unit}".strip() if bar.has_unit else right
            for text, place, anchor in zip(named, (0, inner / 2, inner), ("la", "ma", "ra"), strict=True):
                draw.text((pad + place, y - 2), text, fill=TEXT, font=small, anchor=anchor)
            y += step - 3
    return np.asarray(image)


def em_of(height: int) -> int:
    """Return the font's size [pixels] in a picture of this height."""
    return max(9, min(28, round(height / 52)))


def _wrapped(text: str, font: Any, width: int) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
