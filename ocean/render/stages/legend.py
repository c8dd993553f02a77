"""Colour scales and legends of the stages.

`SCALES` has the palette of each scale and its formula for `stage/show.frag`. Palettes come from matplotlib, which is
imported, like Pillow, when a stage is first shown. The window and the legends share a font.
"""

from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ocean.common import resources

Array = NDArray[np.float64]
COLOURS = 256  # colours of a palette
BACKGROUND, TEXT, FAINT = (12, 19, 25, 225), (227, 234, 239, 255), (139, 154, 167, 255)


class Scale(NamedTuple):
    """Map from values to colours."""

    palette: str  # a colour map of matplotlib
    glsl: str  # formula of the value's three numbers `v` and the ends of the range
    words: str  # text in the table of stages; {:g} is the end of the range
    is_centred: bool = False  # True: a wider range keeps its middle; False: its origin


THREE = "vec3(linear(v.x), linear(v.y), linear(v.z))"
SCALES = {
    "linear": Scale("viridis", "ramp(linear(v.x))", "dark to bright"),
    "signed": Scale("RdBu_r", "ramp(linear(v.x))", "blue below, white in the middle, red above", is_centred=True),
    "log": Scale("magma", "ramp(logarithmic(v.x))", "dark to bright, logarithmic"),
    "edges": Scale("turbo", "v.z * ramp(logarithmic(v.x))", "dark to bright along edges, logarithmic"),
    "count": Scale("tab10", "ramp((mod(floor(v.x), 10.0) + 0.5) / 10.0)", "ten colours in turn"),
    "complex": Scale(
        "hsv",
        "clamp(logarithmic(v.x), 0.0, 1.0) * ramp(turn(v.yz))",
        "brightness: modulus, logarithmic; hue: phase",
    ),
    "axes": Scale("gray", THREE, "red, green, blue: one number each; grey is 0", is_centred=True),
    "mix": Scale("gray", THREE, "red, green, blue: one number each; black is 0"),
    "light": Scale(
        "gray",
        "srgb(clamp(v / range.y, 0.0, 1.0))",
        "as exposed, without the tone curve: {:g} is white",
    ),
}


class Bar(NamedTuple):
    colours: Array  # (width, 3), 0 to 1
    labels: tuple[str, str, str]  # labels of left end, middle and right end
    part: str = ""  # name of its number
    has_unit: bool = True


def bars(scale: str, low: float, high: float, parts: tuple[str, ...], width: int) -> list[Bar]:
    """Return the bars of a scale's legend, for a stage whose numbers have the names `parts`."""
    t, colours = np.linspace(0, 1, width), palette(scale)
    middle = (low * high) ** 0.5 if "logarithmic" in SCALES[scale].glsl else (low + high) / 2
    labels = spelled(low), spelled(middle), spelled(high)
    if scale == "count":
        tens = (np.minimum(np.floor(10 * t), 9) + 0.5) / 10
        return [Bar(_ramp(tens, colours), ("0", "", "9"))]
    if scale in ("axes", "mix"):  # a bar for each number, on which the others are 0; the last bar has labels
        rest = 0.5 if SCALES[scale].is_centred else 0.0
        shown = [np.where(np.arange(3) == axis, t[:, None], rest) for axis in range(len(parts))]
        named = [labels if part == parts[-1] else ("", "", "") for part in parts]
        return [Bar(*bar) for bar in zip(shown, named, parts, strict=True)]
    if scale == "complex":
        phases = Bar(_ramp(t, colours), ("phase −π", "0", "π"), has_unit=False)
        return [Bar(t[:, None] * colours[-1], labels), phases]
    return [Bar(srgb(np.stack([t, t, t], -1)) if scale == "light" else _ramp(t, colours), labels)]


def _ramp(t: Array, colours: Array) -> Array:
    return np.asarray(colours[(t * (len(colours) - 1) + 0.5).astype(int)])


def srgb(x: Array) -> Array:
    """Return linear light, 0 to 1, in sRGB."""
    return np.where(x > 0.0031308, 1.055 * x ** (1 / 2.4) - 0.055, 12.92 * x)


def spelled(value: float) -> str:
    """Return a number with three digits and a typographic minus sign."""
    return f"{value:.3g}".replace("-", "−")


@cache
def palette(scale: str) -> Array:
    """Return the colours of a scale, (COLOURS, 3), 0 to 1."""
    from matplotlib import colormaps

    rows = colormaps[SCALES[scale].palette](np.linspace(0, 1, COLOURS))
    return np.rint(255 * np.asarray(rows, np.float64)[:, :3]) / 255


@lru_cache(maxsize=4)
def draw_legend(
    title: str, help: str, scale: str, unit: str, parts: tuple[str, ...], low: float, high: float, height: int
) -> NDArray[np.uint8]:
    """Return the legend of a stage for a picture of this height, RGBA (rows, columns, 4), the top row first."""
    import matplotlib
    from PIL import Image, ImageDraw, ImageFont

    em = max(9, min(28, round(height / 52)))  # size of the font [pixels]
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
        row = np.rint(255 * bar.colours).astype("u1")
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


def _wrapped(text: str, font: Any, width: int) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
