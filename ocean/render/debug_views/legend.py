"""Colour scales and legends of the debug views.

`SCALES` has the palette and the formula of each scale, in GLSL for `stage/show.frag` and in numpy for the legend's bar
and for tests. Palettes come from matplotlib, which is imported, like Pillow, when a view is first shown. The window and
the legends share a font.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ocean.common import resources

Array = NDArray[np.float64]
COLOURS = 256  # of a palette
BACKGROUND, TEXT, FAINT = (12, 19, 25, 225), (227, 234, 239, 255), (139, 154, 167, 255)


class Bar(NamedTuple):
    """A bar of a legend."""

    values: Array  # (width, 3)
    labels: tuple[str, str, str]  # of its left end, middle and right end
    part: str = ""  # the number that it shows
    has_unit: bool = True


Bars = Callable[[Array, float, float, tuple[str, ...]], list[Bar]]
"""The bars of a legend: places along them (width,) from 0 to 1, range, names of the numbers."""


@dataclass(frozen=True)
class Scale:
    """Map from values to colours. The formulas use the value's three numbers `v` and the ends of the range."""

    palette: str  # a colour map of matplotlib
    glsl: str
    numpy: Callable[[Array, float, float, Array], Array]  # values (..., 3), range, palette -> colours (..., 3), 0 to 1
    bars: Bars
    words: str  # for the table of views; {:g} is the end of the range
    is_centred: bool = False  # whether a wider range keeps its middle, else its origin


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


def _first(x: Array, third: float = 0.0) -> Array:
    """Return values (width, 3) whose first number is x."""
    return np.stack([x, np.zeros_like(x), np.full_like(x, third)], -1)


def _even_bar(t: Array, low: float, high: float, parts: tuple[str, ...]) -> list[Bar]:
    return [Bar(_first(low + (high - low) * t), (spelled(low), spelled((low + high) / 2), spelled(high)))]


def _decades_bar(t: Array, low: float, high: float, parts: tuple[str, ...], third: float = 0.0) -> list[Bar]:
    labels = spelled(low), spelled((low * high) ** 0.5), spelled(high)
    return [Bar(_first(low * (high / low) ** t, third), labels)]


def _complex_bars(t: Array, low: float, high: float, parts: tuple[str, ...]) -> list[Bar]:
    (modulus,) = _decades_bar(t, low, high, parts)
    modulus.values[:, 1] = -1.0  # constant phase
    around = np.stack([np.full_like(t, high), -np.cos(2 * np.pi * t), -np.sin(2 * np.pi * t)], -1)
    return [modulus, Bar(around, ("phase −π", "0", "π"), has_unit=False)]


def _count_bar(t: Array, low: float, high: float, parts: tuple[str, ...]) -> list[Bar]:
    return [Bar(_first(np.minimum(np.floor(10 * t), 9)), ("0", "", "9"))]


def _part_bars(t: Array, low: float, high: float, parts: tuple[str, ...], rest: float) -> list[Bar]:
    """Return a bar for each number, on which the others rest at a share of the range; the last bar has labels."""
    (bar,) = _even_bar(t, low, high, parts)
    bars = []
    for axis, part in enumerate(parts):
        values = np.full((len(t), 3), low + rest * (high - low))
        values[:, axis] = bar.values[:, 0]
        bars.append(Bar(values, bar.labels if part == parts[-1] else ("", "", ""), part))
    return bars


def _grey_bar(t: Array, low: float, high: float, parts: tuple[str, ...]) -> list[Bar]:
    (bar,) = _even_bar(t, low, high, parts)
    return [bar._replace(values=bar.values[:, :1].repeat(3, 1))]


def _three(v: Array, low: float, high: float, palette: Array) -> Array:
    return np.clip(_linear(v, low, high), 0, 1)


THREE = "vec3(linear(v.x), linear(v.y), linear(v.z))"
SCALES = {
    "linear": Scale(
        "viridis",
        "ramp(linear(v.x))",
        lambda v, a, b, p: _ramp(_linear(v[..., 0], a, b), p),
        _even_bar,
        "dark to bright",
    ),
    "signed": Scale(
        "RdBu_r",
        "ramp(linear(v.x))",
        lambda v, a, b, p: _ramp(_linear(v[..., 0], a, b), p),
        _even_bar,
        "blue below, white in the middle, red above",
        is_centred=True,
    ),
    "log": Scale(
        "magma",
        "ramp(logarithmic(v.x))",
        lambda v, a, b, p: _ramp(_logarithmic(v[..., 0], a, b), p),
        _decades_bar,
        "dark to bright, logarithmic",
    ),
    "edges": Scale(
        "turbo",
        "v.z * ramp(logarithmic(v.x))",
        lambda v, a, b, p: v[..., 2:] * _ramp(_logarithmic(v[..., 0], a, b), p),
        partial(_decades_bar, third=1.0),  # full coverage by lines
        "dark to bright along edges, logarithmic",
    ),
    "count": Scale(
        "tab10",
        "ramp((mod(floor(v.x), 10.0) + 0.5) / 10.0)",
        lambda v, a, b, p: _ramp((np.floor(v[..., 0]) % 10 + 0.5) / 10, p),
        _count_bar,
        "ten colours in turn",
    ),
    "complex": Scale(
        "hsv",
        "clamp(logarithmic(v.x), 0.0, 1.0) * ramp(turn(v.yz))",
        lambda v, a, b, p: np.clip(_logarithmic(v[..., :1], a, b), 0, 1) * _ramp(_turn(v), p),
        _complex_bars,
        "brightness: modulus, logarithmic; hue: phase",
    ),
    "axes": Scale(
        "gray",
        THREE,
        _three,
        partial(_part_bars, rest=0.5),
        "red, green, blue: one number each; grey is 0",
        is_centred=True,
    ),
    "mix": Scale("gray", THREE, _three, partial(_part_bars, rest=0.0), "red, green, blue: one number each; black is 0"),
    "light": Scale(
        "gray",
        "srgb(clamp(v / range.y, 0.0, 1.0))",
        lambda v, a, b, p: srgb(v / b),
        _grey_bar,
        "as exposed, without the tone curve: {:g} is white",
    ),
}


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
    bars = SCALES[scale].bars(np.linspace(0, 1, inner), low, high, parts)
    words = [(line, font, TEXT) for line in _wrapped(title, font, inner)]
    words += [(line, small, FAINT) for line in _wrapped(help, small, inner)]
    step = round(1.35 * em)
    thick = round(0.9 * em)
    rows = 2 * pad + step * len(words) + sum(thick + (step if any(bar.labels) else 3) for bar in bars) + 3
    image = Image.new("RGBA", (width, rows), BACKGROUND)
    draw = ImageDraw.Draw(image)
    y = pad
    for line, face, colour in words:
        draw.text((pad, y), line, fill=colour, font=face)
        y += step
    y += 3
    for bar in bars:
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
