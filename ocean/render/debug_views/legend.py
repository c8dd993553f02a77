"""Colour scales and legends of the debug views.

`SCALES` has the palette and the formula of each scale, in GLSL for `stage/show.frag` and in numpy for the legend's bar
and for tests. Palettes and font come from matplotlib, which is imported, like Pillow, when a view is first shown.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
COLOURS = 256  # of a palette
BACKGROUND, TEXT, FAINT = (12, 19, 25, 225), (227, 234, 239, 255), (139, 154, 167, 255)


@dataclass(frozen=True)
class Scale:
    """Map from values to colours. The formulas use the value's three numbers `v` and the ends of the range."""

    palette: str  # a colour map of matplotlib
    glsl: str
    numpy: Callable[[Array, float, float, Array], Array]  # values (..., 3), range, palette -> colours (..., 3), 0 to 1


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


SCALES = {
    "linear": Scale("viridis", "ramp(linear(v.x))", lambda v, a, b, p: _ramp(_linear(v[..., 0], a, b), p)),
    "signed": Scale("RdBu_r", "ramp(linear(v.x))", lambda v, a, b, p: _ramp(_linear(v[..., 0], a, b), p)),
    "log": Scale("magma", "ramp(logarithmic(v.x))", lambda v, a, b, p: _ramp(_logarithmic(v[..., 0], a, b), p)),
    "edges": Scale(
        "turbo",
        "v.z * ramp(logarithmic(v.x))",
        lambda v, a, b, p: v[..., 2:] * _ramp(_logarithmic(v[..., 0], a, b), p),
    ),
    "count": Scale(
        "tab10",
        "ramp((mod(floor(v.x), 10.0) + 0.5) / 10.0)",
        lambda v, a, b, p: _ramp((np.floor(v[..., 0]) % 10 + 0.5) / 10, p),
    ),
    "complex": Scale(
        "hsv",
        "clamp(logarithmic(v.x), 0.0, 1.0) * ramp(turn(v.yz))",
        lambda v, a, b, p: np.clip(_logarithmic(v[..., :1], a, b), 0, 1) * _ramp(_turn(v), p),
    ),
    "axes": Scale(
        "gray",
        "vec3(linear(v.x), linear(v.y), linear(v.z))",
        lambda v, a, b, p: np.clip(_linear(v, a, b), 0, 1),
    ),
    "mix": Scale(
        "gray",
        "vec3(linear(v.x), linear(v.y), linear(v.z))",
        lambda v, a, b, p: np.clip(_linear(v, a, b), 0, 1),
    ),
    "light": Scale("gray", "srgb(clamp(v / range.y, 0.0, 1.0))", lambda v, a, b, p: srgb(v / b)),
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


def spelled(value: float) -> str:
    """Return a number with three digits and a typographic minus sign."""
    return f"{value:.3g}".replace("-", "−")


def _bars(scale: str, low: float, high: float, width: int, count: int) -> list[tuple[Array, tuple[str, str, str]]]:
    """Return the legend's bars: values along each, (width, 3), and the labels of its left end, middle and right end."""
    t = np.linspace(0, 1, width)
    ends = spelled(low), spelled((low + high) / 2), spelled(high)
    values = np.zeros((width, 3))
    values[:, 0] = low + (high - low) * t
    if scale in ("log", "complex", "edges"):
        values[:, 0] = low * (high / low) ** t
        ends = spelled(low), spelled((low * high) ** 0.5), spelled(high)
    if scale == "edges":
        values[:, 2] = 1.0  # full coverage by lines
    if scale == "complex":
        values[:, 1] = -1.0  # constant phase
        around = np.stack([np.full(width, high), -np.cos(2 * np.pi * t), -np.sin(2 * np.pi * t)], -1)
        return [(values, ends), (around, ("phase −π", "0", "π"))]
    if scale == "count":
        values[:, 0] = np.minimum(np.floor(10 * t), 9)
        return [(values, ("0", "", "9"))]
    if scale in ("axes", "mix"):
        rest = np.full((3, width, 3), (low + high) / 2 if scale == "axes" else low)
        bars = []
        for axis in range(count):
            rest[axis, :, axis] = values[:, 0]
            bars.append((rest[axis], ends if axis == count - 1 else ("", "", "")))
        return bars
    if scale == "light":
        values[:] = values[:, :1]
    return [(values, ends)]


@lru_cache(maxsize=4)
def draw_legend(
    title: str, help: str, scale: str, unit: str, parts: tuple[str, ...], low: float, high: float, height: int
) -> NDArray[np.uint8]:
    """Return the legend of a view for a picture of this height, RGBA (rows, columns, 4), the top row first."""
    import matplotlib
    from PIL import Image, ImageDraw, ImageFont

    em = em_of(height)
    path = f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans.ttf"
    font, small = ImageFont.truetype(path, em), ImageFont.truetype(path, max(8, round(0.85 * em)))
    width, pad = 20 * em, round(0.7 * em)
    inner = width - 2 * pad
    bars = _bars(scale, low, high, inner, len(parts))
    words = [(line, font, TEXT) for line in _wrapped(title, font, inner)]
    words += [(line, small, FAINT) for line in _wrapped(help, small, inner)]
    step = round(1.35 * em)
    thick = round(0.9 * em)
    rows = 2 * pad + step * len(words) + sum(thick + (step if any(ends) else 3) for _, ends in bars) + 3
    image = Image.new("RGBA", (width, rows), BACKGROUND)
    draw = ImageDraw.Draw(image)
    y = pad
    for line, face, colour in words:
        draw.text((pad, y), line, fill=colour, font=face)
        y += step
    y += 3
    for number, (values, ends) in enumerate(bars):
        row = np.rint(255 * coloured(scale, values, low, high)).astype("u1")
        image.paste(Image.fromarray(np.repeat(row[None], thick, axis=0)), (pad, y))
        if scale in ("axes", "mix"):
            draw.text((pad + 4, y - 1), parts[number], fill=TEXT, font=small, stroke_width=1, stroke_fill=BACKGROUND)
        y += thick + 3
        if any(ends):
            named = (*ends[:2], f"{ends[2]} {unit}".strip() if number == 0 or scale != "complex" else ends[2])
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
