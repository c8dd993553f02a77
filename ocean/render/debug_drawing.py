"""Drawing of debug views: values into a float target, then their colours and a legend in place of the picture.

`SCALES` has the palette of each scale and its formula for `debug/show.frag`. Palettes come from matplotlib, which is
imported, like Pillow, when a debug view is first shown. The window and the legends share a font.

The read-out under the mouse copies a pixel of the target into a buffer and reads it once a fence has passed, so that no
frame waits for the GPU.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.common import resources
from ocean.gpu.bindings import Sampler
from ocean.gpu.context import Fence, labelled, readback_buffer, release_all, release_framebuffer
from ocean.gpu.passes import Pass
from ocean.gpu.shaders import CORNERS, FullscreenTriangle, shader_library
from ocean.gpu.uniforms import set_uniforms
from ocean.render.debug_views import DEBUG_VIEWS, FIELD, FIELD_UNITS, PACKED, DebugView, Spread
from ocean.render.scene import Scene
from ocean.render.spray import Spray, is_torn
from ocean.render.surface import Surface
from ocean.sea.blend import SeaSpectrum
from ocean.settings import Settings
from ocean.waves import FIELDS
from ocean.waves.amplitudes import wave_vectors

Array = NDArray[np.float64]
COLOURS = 256  # colours of a palette
BACKGROUND, TEXT, FAINT = (12, 19, 25, 225), (227, 234, 239, 255), (139, 154, 167, 255)
MARGIN = 10  # pixels between the legend and the picture's edges


class Scale(NamedTuple):
    """Map from values to colours."""

    palette: str  # a colour map of matplotlib
    glsl: str  # formula of the value's three numbers `v` and the ends of the range
    words: str  # text in the table of debug views; {:g} is the end of the range
    is_centred: bool = False  # True: a wider range keeps its middle; False: its origin


THREE = "vec3(linear(v.x), linear(v.y), linear(v.z))"
SCALES = {
    "linear": Scale("viridis", "ramp(linear(v.x))", "dark to bright"),
    "signed": Scale("RdBu_r", "ramp(linear(v.x))", "blue below, white in the middle, red above", is_centred=True),
    "log": Scale("magma", "ramp(logarithmic(v.x))", "dark to bright, logarithmic"),
    "edges": Scale("turbo", "v.z * ramp(logarithmic(v.x))", "dark to bright along edges, logarithmic"),
    "count": Scale("tab10", "ramp((mod(floor(v.x), 10.0) + 0.5) / 10.0)", "ten colours in turn"),
    "complex": Scale(
        "hsv", "clamp(logarithmic(v.x), 0.0, 1.0) * ramp(turn(v.yz))", "brightness: modulus, logarithmic; hue: phase"
    ),
    "axes": Scale("gray", THREE, "red, green, blue: one number each; grey is 0", is_centred=True),
    "mix": Scale("gray", THREE, "red, green, blue: one number each; black is 0"),
    "light": Scale("gray", "srgb(clamp(v / range.y, 0.0, 1.0))", "as exposed, without the tone curve: {:g} is white"),
}


@dataclass(frozen=True)
class Reading:
    """Values of a debug view at a pixel."""

    view: str
    pixel: tuple[int, int]  # from the lower left corner
    values: tuple[float, ...] | None  # values of the view's parts; None where there is nothing
    unit: str

    def __str__(self) -> str:
        if self.values is None:
            return "nothing"
        named = zip(DEBUG_VIEWS[self.view].parts, self.values, strict=True)
        unit = "triangle" if self.unit == "triangles" and self.values == (1.0,) else self.unit
        return ", ".join(f"{part} {value:.4g}" for part, value in named) + (f" {unit}" if unit else "")


class DebugDrawing:
    """Debug views of one picture. They take no GPU memory before the first is shown."""

    def __init__(self, ctx: moderngl.Context, surface: Surface, spray: Spray) -> None:
        self.ctx, self.surface, self.spray = ctx, surface, spray
        self.pointer: tuple[int, int] | None = None  # the pixel to read, from the lower left corner
        self.values: moderngl.Texture | None = None  # RGBA32F; None while none is shown
        self._target: moderngl.Framebuffer | None = None
        self._palettes: dict[str, moderngl.Texture] = {}
        self._legend: tuple[moderngl.Texture, NDArray[np.uint8]] | None = None
        self._triangle = FullscreenTriangle(ctx)
        self._answer: moderngl.Buffer | None = None
        self._asked: tuple[Reading, Scene, float] | None = None  # the pending reading, with scene and time
        self._found: tuple[Reading, Scene, float] | None = None
        self._fence: Fence | None = None
        self._scatter: tuple[object, tuple[float, float, float]] = None, (1.0, 1.0, 1.0)  # of a spectrum and field

    def passes(self, scene: Scene) -> Iterator[Pass]:
        """Yield the passes that draw a debug view in place of the picture."""
        if DEBUG_VIEWS[scene.settings.stage.view].is_seen_from_camera:
            yield from self.surface.mesh_passes(scene)
        yield Pass("debug view", partial(self._draw, scene), help="Draws the values of the debug view.")
        yield Pass("legend", partial(self._show, scene), help="Gives the values their colours and draws the legend.")

    def caption(self, scene: Scene) -> tuple[str, str]:
        """Return the title and the unit of the debug view."""
        chosen, cascades = scene.settings.stage, len(scene.sea.tiles)
        view, index = DEBUG_VIEWS[chosen.view], FIELDS.index(chosen.field)
        unit = FIELD_UNITS.get(chosen.field, "") if view.unit is FIELD else view.unit
        cascade = f"{min(chosen.cascade, cascades)} of {cascades}"
        return view.title.format(field=chosen.field.replace("_", " "), packed=PACKED[index // 2], cascade=cascade), unit

    def range(self, scene: Scene) -> tuple[float, float]:
        """Return the values of the first and the last colour. During a blend they are those of the outgoing sea."""
        settings, spectrum, roughness = scene.settings, scene.sea.spectrum, self.surface.roughness
        chosen = settings.stage
        wanted = spectrum, chosen.cascade, chosen.field
        if spectrum is not None and wanted != self._scatter[0]:
            self._scatter = wanted, scatter(spectrum, _cascade(scene), chosen.field)
        deviations = max(roughness.height_deviation, 1e-6), max(roughness.slope_variance, 1e-12)
        view = DEBUG_VIEWS[chosen.view]
        low, high = view.range(Spread(*deviations, *self._scatter[1], settings.view.edge_pixels))
        middle = (low + high) / 2 if SCALES[view.scale].is_centred else 0.0
        return middle + chosen.range * (low - middle), middle + chosen.range * (high - middle)

    def legend(self, scene: Scene) -> NDArray[np.uint8]:
        """Return the legend, uint8 (rows, columns, 4), the top row first."""
        view, (low, high) = DEBUG_VIEWS[scene.settings.stage.view], self.range(scene)
        rounded = float(f"{low:.3g}"), float(f"{high:.3g}")  # a small change of wind keeps the legend
        title, unit = self.caption(scene)
        return draw_legend(title, view.help, view.scale, unit, view.parts, *rounded, scene.targets.hdr.height)

    def reading(self, settings: Settings) -> Reading | None:
        """Return the values under the pointer, one or more frames old."""
        found = self._found[0] if self._found and self.pointer else None
        return found if found and found.view == settings.stage.view else None

    def is_reading(self, scene: Scene) -> bool:
        """Return whether the values under the pointer need another frame of this scene and time."""
        if self.pointer is None or self._target is None or not _contains(self._target, self.pointer):
            return False
        if self._found is None:
            return True
        reading, of, time = self._found
        return reading.pixel != self.pointer or of is not scene or time != scene.sea.time

    def rest(self) -> None:
        """Release the memory of the values of the last debug view."""
        self._found = None
        if self._target is not None:
            release_framebuffer(self._target)
            self._target = self.values = None

    def release(self) -> None:
        self.rest()
        release_all(self._fence, *self._palettes.values(), self._legend and self._legend[0])
        release_all(self._answer, self._triangle)

    # -- Passes ------------------------------------------------------------------------------------------------------

    def _draw(self, scene: Scene) -> None:
        """Draw the values."""
        size, surface = scene.targets.hdr.size, self.surface
        view = DEBUG_VIEWS[scene.settings.stage.view]
        if self.values is None or self._target is None or self.values.size != size:
            self.rest()
            self.values = labelled("values of a debug view", self.ctx.texture(size, 4, dtype="f4"))
            self._target = self.ctx.framebuffer(self.values)
        if view.is_seen_from_camera:
            counts = view.source == "counts"
            self._target.clear()
            if surface.samples.shows_sea:
                surface.raster(scene, counts=counts)
            if view.source == "spray":
                self._draw_spray(scene, self.values)
            elif counts:
                surface.resolve(self.values, counts)
            else:
                surface.shade(scene, self.values, value=view.value)
        else:
            scene.bind()
            self._target.use()
            self.ctx.enable_only(moderngl.NOTHING)
            self._draw_map(scene, view)
        self._read(scene, self._target)

    def _draw_spray(self, scene: Scene, values: moderngl.Texture) -> None:
        """Draw the spray in front of the triangles of `raster`, which shading does not clear."""
        if self.surface.samples.shows_sea and is_torn(scene.settings):
            self.spray.splat(scene, None)
            self.spray.light(scene, values, shows_sums=True)
        self.surface.samples.clear()

    def _draw_map(self, scene: Scene, view: DebugView) -> None:
        """Draw a square of waves or maps, beside or above the legend if there is room."""
        sea, settings, (width, height) = scene.sea, scene.settings, scene.targets.hdr.size
        sea.textures.bind()
        sea.maps.use(Sampler.MAPS)
        chosen: dict[str, Any] = {"DEBUG_VIEW": view.value, **sea.textures.defines}
        program = shader_library(self.ctx).program(CORNERS, "debug/map.frag", **chosen)
        rows, columns, _ = self.legend(scene).shape
        side, beside, above = min(width, height), width - columns - 2 * MARGIN, height - rows - 2 * MARGIN
        if max(beside, above) >= side / 2:  # else the legend covers a part of the view
            side = min(side, max(beside, above))
        cascade, shown = _cascade(scene), settings.fft.size
        key = sea.textures.keys[cascade]
        if view.source == "waves" and key.order == 1:  # the elements that hold all waves; nonlinear waves have no end
            shown = min(shown, 2 * math.ceil(key.tile.cutoff(shown) / key.tile.dk) + 2)
        corner = max(min((width - side) // 2, beside - side), 0), height - side
        values = {"corner": corner, "side": side, "cascade": cascade, "shown": shown}
        set_uniforms(program, {**values, "field": FIELDS.index(settings.stage.field)})
        self._triangle.draw(program)

    def _show(self, scene: Scene) -> None:
        """Draw the colours of the values, and the legend, into the picture."""
        assert self.values is not None
        scale, drawn = DEBUG_VIEWS[scene.settings.stage.view].scale, self.legend(scene)
        if self._legend is None or self._legend[1] is not drawn:
            release_all(self._legend and self._legend[0])
            self._legend = self.ctx.texture(drawn.shape[1::-1], 4, drawn.tobytes(), alignment=1), drawn
        if scale not in self._palettes:
            colours = np.rint(255 * palette(scale)).astype("u1").tobytes()
            self._palettes[scale] = self.ctx.texture((COLOURS, 1), 3, colours, alignment=1)
        program = shader_library(self.ctx).program(CORNERS, "debug/show.frag", SCALE=SCALES[scale].glsl)
        place = max(self.values.width - drawn.shape[1] - MARGIN, 0), MARGIN
        set_uniforms(program, {"range": self.range(scene), "place": place})
        self.values.use(Sampler.DEBUG_VALUES)
        self._palettes[scale].use(Sampler.PALETTE)
        self._legend[0].use(Sampler.LEGEND)
        scene.targets.picture.use()
        self.ctx.enable_only(moderngl.NOTHING)
        self._triangle.draw(program)

    def _read(self, scene: Scene, target: moderngl.Framebuffer) -> None:
        """Take the answer to an earlier request if it has arrived; then, if none is pending, request the pointer's
        pixel."""
        if self._fence is not None and self._fence.passed and self._answer and self._asked:
            *numbers, there = np.frombuffer(self._answer.read(), "f4").tolist()
            asked, scene_asked, time = self._asked
            values = tuple(numbers[: len(DEBUG_VIEWS[asked.view].parts)]) if there > 0 else None
            self._found = replace(asked, values=values), scene_asked, time
            self._fence = None
        if self.pointer is None or self._fence is not None or not _contains(target, self.pointer):
            return
        self._answer = self._answer or readback_buffer(self.ctx, 16)
        target.read_into(self._answer, viewport=(*self.pointer, 1, 1), components=4, dtype="f4")
        asked = Reading(scene.settings.stage.view, self.pointer, None, self.caption(scene)[1])
        self._asked = asked, scene, scene.sea.time
        self._fence = Fence(self.ctx)


def _contains(target: moderngl.Framebuffer, pixel: tuple[int, int]) -> bool:
    return 0 <= pixel[0] < target.width and 0 <= pixel[1] < target.height


def _cascade(scene: Scene) -> int:
    """Return the index of the chosen cascade, or of the last one."""
    return min(scene.settings.stage.cascade, len(scene.sea.tiles)) - 1


def scatter(spectrum: SeaSpectrum, cascade: int, field: str) -> tuple[float, float, float]:
    """Return a cascade's largest amplitude [m], the largest modulus of its packed field, and the standard deviation of
    the field, an upper bound that ignores the directions of the waves."""
    chosen = spectrum.cascades[min(cascade, len(spectrum.cascades) - 1)]
    variance = chosen.variance.astype(np.float64)
    k = np.hypot(*wave_vectors(chosen.key.tile, spectrum.size))
    index = FIELDS.index(field)
    own = 1.0 if field in FIELD_UNITS else k
    weights = np.maximum(k, 1.0) if index < 2 else own
    highest = np.sqrt([variance.max(), (variance * weights**2).max(), (variance * own**2).sum()])
    amplitude, packed, deviation = (max(float(value), 1e-12) for value in highest)
    return amplitude, packed, deviation


class Bar(NamedTuple):
    colours: Array  # (width, 3), 0 to 1
    labels: tuple[str, str, str]  # labels of left end, middle and right end
    part: str = ""  # name of its number
    has_unit: bool = True


def bars(scale: str, low: float, high: float, parts: tuple[str, ...], width: int) -> list[Bar]:
    """Return the bars of a scale's legend, for a debug view whose numbers have the names `parts`."""
    t, colours = np.linspace(0, 1, width), palette(scale)
    middle = (low * high) ** 0.5 if "logarithmic" in SCALES[scale].glsl else (low + high) / 2
    left, centre, right = (f"{value:.3g}".replace("-", "−") for value in (low, middle, high))
    labels = left, centre, right
    if scale == "count":
        tens = (np.minimum(np.floor(10 * t), 9) + 0.5) / 10
        return [Bar(_ramp(tens, colours), ("0", "", "9"))]
    if scale in ("axes", "mix"):  # a bar for each number, on which the others are 0; the last bar has labels
        rest = 0.5 if SCALES[scale].is_centred else 0.0
        shown = [np.where(np.arange(3) == axis, t[:, None], rest) for axis in range(len(parts))]
        named = [("", "", "")] * (len(parts) - 1) + [labels]
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
    """Return the legend of a debug view for a picture of this height, RGBA (rows, columns, 4), the top row first."""
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
