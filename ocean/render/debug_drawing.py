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
from ocean.gpu.bindings import Sampler, Storage
from ocean.gpu.context import Fence, labelled, readback_buffer, release_all, release_framebuffer
from ocean.gpu.passes import BUFFERS_WRITTEN, Pass, dispatch
from ocean.gpu.shaders import CORNERS, FullscreenTriangle, set_uniforms, shader_library
from ocean.render.camera import eye_height, pixel_ray
from ocean.render.debug_views import DEBUG_VIEWS, FIELD, FIELD_UNITS, PACKED, DebugView, Spread
from ocean.render.scene import Scene
from ocean.render.spray import Spray, may_tear
from ocean.render.surface import Surface
from ocean.sea.blend import SeaSpectrum
from ocean.settings import PICTURE, Settings
from ocean.waves import FIELDS
from ocean.waves.amplitudes import wave_vectors

Array = NDArray[np.float64]
COLOURS = 256  # colours of a palette
BACKGROUND, TEXT, FAINT = (12, 19, 25, 225), (227, 234, 239, 255), (139, 154, 167, 255)
BINS = 64  # parts of the colours in a histogram
FARTHEST = 2e4  # m: longest distance at which a pixel's place on the water is said; the earth curves beyond
MARGIN = 10  # pixels between the legend and the picture's edges


class Scale(NamedTuple):
    """Map from values to colours."""

    palette: str  # a colour map of matplotlib
    glsl: str  # formula of the value's three numbers `v` and the ends of the range
    words: str  # text in the table of debug views; {:g} is the end of the range
    is_centred: bool = False  # True: a wider range keeps its middle; False: its origin

    @property
    def is_logarithmic(self) -> bool:
        return "logarithmic" in self.glsl


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
    "light": Scale(
        "gray",
        "srgb(clamp(vec3(linear(v.x), linear(v.y), linear(v.z)), 0.0, 1.0))",
        "as exposed, without the tone curve: {:g} is white",
    ),
}


COLOURED = "axes", "mix", "light"  # scales that show three numbers as red, green and blue


@dataclass(frozen=True)
class Reading:
    """Values of a debug view at a pixel."""

    view: str
    pixel: tuple[int, int]  # from the lower left corner
    values: tuple[float, ...] | None  # values of the view's parts; None where there is nothing
    unit: str
    place: str  # texel and world coordinates, or those of a wave

    def __str__(self) -> str:
        if self.values is None:
            return self.place or "nothing"
        named = zip(DEBUG_VIEWS[self.view].parts, self.values, strict=True)
        unit = "triangle" if self.unit == "triangles" and self.values == (1.0,) else self.unit
        return ", ".join(f"{part} {value:.4g}" for part, value in named) + f" {unit}\n{self.place}".rstrip()


class Square(NamedTuple):
    """Square of a view of waves or maps in its picture, and the shown part of the array."""

    corner: tuple[int, int]  # lower left [pixels]
    side: int  # pixels
    first: tuple[float, float]  # upper left corner of the part [elements]
    span: float  # side of the part [elements]

    def element(self, x: float, y: float) -> tuple[float, float]:
        """Return the position in the array [elements] of a point of the picture [pixels from the lower left]."""
        across, down = (x - self.corner[0]) / self.side, 1 - (y - self.corner[1]) / self.side
        return self.first[0] + across * self.span, self.first[1] + down * self.span


class DebugDrawing:
    """Debug views of one picture, or of its right half. They take no GPU memory before the first is shown."""

    def __init__(self, ctx: moderngl.Context, surface: Surface, spray: Spray, is_right: bool = False) -> None:
        self.ctx, self.surface, self.spray = ctx, surface, spray
        self.beside = None if is_right else DebugDrawing(ctx, surface, spray, is_right=True)
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
        self.counts_values = False  # True: frames keep the `histogram` up to date
        self.histogram: NDArray[np.uint32] | None = None  # pixels by number and part of the range, (3, BINS)
        self._counts: tuple[moderngl.Buffer, moderngl.Buffer] | None = None  # written, and read
        self._counted: Fence | None = None
        self._counted_of: tuple[Scene, float] | None = None

    def passes(self, scene: Scene) -> Iterator[Pass]:
        """Yield the passes that draw one or two debug views in place of the picture."""
        if is_seen_from_camera(scene.settings):
            yield from self.surface.mesh_passes(scene)
        draw, show = "Draws the values of the debug view.", "Gives the values their colours and draws the legend."
        yield Pass("debug view", partial(self._draw, scene, scene), help=draw)
        yield Pass("legend", partial(self._show, scene), help=show)
        if self.beside and (right := right_of(scene.settings)):
            other = replace(scene, settings=right)
            yield Pass("debug view beside", partial(self.beside._draw, other, scene), help=draw)
            yield Pass("legend beside", partial(self.beside._show, other), help=show)

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
        scale = SCALES[view.scale]
        middle = (low + high) / 2 if scale.is_centred else 0.0
        low, high = middle + chosen.range * (low - middle), middle + chosen.range * (high - middle)
        ends = chosen.low, max(chosen.high, chosen.low + 1 / COLOURS)
        if scale.is_logarithmic:
            return low * (high / low) ** ends[0], low * (high / low) ** ends[1]
        return low + ends[0] * (high - low), low + ends[1] * (high - low)

    def legend(self, scene: Scene) -> NDArray[np.uint8]:
        """Return the legend, uint8 (rows, columns, 4), the top row first."""
        view, (low, high) = DEBUG_VIEWS[scene.settings.stage.view], self.range(scene)
        rounded = float(f"{low:.3g}"), float(f"{high:.3g}")  # a small change of wind keeps the legend
        (title, unit), channel = self.caption(scene), _channel(scene)
        parts = view.parts[channel - 1 : channel] if channel else view.parts
        return draw_legend(title, view.help, view.scale, unit, parts, *rounded, scene.targets.hdr.height)

    def reading(self, settings: Settings) -> Reading | None:
        """Return the values under the pointer, one or more frames old."""
        found = self._found[0] if self._found and self.pointer else None
        if found and found.view == settings.stage.view:
            return found
        right = right_of(settings)
        return self.beside.reading(right) if self.beside and right else None

    def is_reading(self, scene: Scene) -> bool:
        """Return whether the values under the pointer, or the histogram, need another frame of this scene and time."""
        if self.beside and right_of(scene.settings) and self.beside.is_reading(scene):
            return True
        if self.counts_values:
            of, time = self._counted_of or (None, 0.0)
            if self._counted or of is not scene or time != scene.sea.time:
                return True
        if self._target is None or not self._is_pointed_at(scene):
            return False
        if self._found is None:
            return True
        reading, of, time = self._found
        return reading.pixel != self.pointer or of is not scene or time != scene.sea.time

    def rest(self) -> None:
        """Release the memory of the values of the last debug view."""
        self._found = self.histogram = None
        if self.beside:
            self.beside.rest()
        if self._target is not None:
            release_framebuffer(self._target)
            self._target = self.values = None

    def release(self) -> None:
        self.rest()
        release_all(self._fence, *self._palettes.values(), self._legend and self._legend[0])
        release_all(self._answer, self._triangle, *(self._counts or ()), self._counted, self.beside)

    # -- Passes ------------------------------------------------------------------------------------------------------

    def _draw(self, scene: Scene, of: Scene) -> None:
        """Draw the values of a scene with the settings of this debug view; `of` is the picture's scene."""
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
        self._read(scene, of, self._target)
        self._count(scene, of, self.values)

    def _draw_spray(self, scene: Scene, values: moderngl.Texture) -> None:
        """Draw the spray in front of the triangles of `raster`, which shading does not clear."""
        if self.surface.samples.shows_sea and may_tear(scene):
            self.spray.splat(scene, None)
            self.spray.light(scene, values, shows_sums=True)
        self.surface.samples.clear()

    def _draw_map(self, scene: Scene, view: DebugView) -> None:
        sea = scene.sea
        sea.textures.bind()
        sea.maps.use(Sampler.MAPS)
        chosen: dict[str, Any] = {"DEBUG_VIEW": view.value, **sea.textures.defines}
        program = shader_library(self.ctx).program(CORNERS, "debug/map.frag", **chosen)
        square = self.square(scene)._asdict()
        field = FIELDS.index(scene.settings.stage.field)
        set_uniforms(program, {**square, "cascade": _cascade(scene), "field": field})
        self._triangle.draw(program)

    def square(self, scene: Scene) -> Square:
        """Return the place of a view of waves or maps: beside or above the legend if there is room."""
        view, chosen, size = DEBUG_VIEWS[scene.settings.stage.view], scene.settings.stage, scene.settings.fft.size
        (_, width, _), (rows, columns, _) = self._part(scene), self.legend(scene).shape
        height = scene.targets.hdr.height
        side, beside, above = min(width, height), width - columns - 2 * MARGIN, height - rows - 2 * MARGIN
        if max(beside, above) >= side / 2:  # else the legend covers a part of the view
            side = min(side, max(beside, above))
        shown, key = size, scene.sea.textures.keys[_cascade(scene)]
        if view.source == "waves" and key.order == 1:  # the elements that hold all waves; nonlinear waves have no end
            shown = min(size, 2 * math.ceil(key.tile.cutoff(size) / key.tile.dk) + 2)
        corner, span = (max(min((width - side) // 2, beside - side), 0), height - side), shown / chosen.zoom
        x, z = (min(max(at * shown - span / 2, 0.0), shown - span) + (size - shown) / 2 for at in (chosen.x, chosen.z))
        return Square(corner, side, (x, z), span)

    def _part(self, scene: Scene) -> tuple[int, int, int]:
        """Return left end and width of this view in the picture, and the shift from a pixel to its value [pixels]. Each
        of two views has a half, which shows a square whole, and the middle of a view from the camera."""
        stage, whole = scene.settings.stage, scene.targets.hdr.width
        width = whole // 2 if stage.beside in DEBUG_VIEWS else whole
        left = 0 if self.beside else whole - width
        return left, width, ((whole - width) // 2 if DEBUG_VIEWS[stage.view].is_seen_from_camera else 0) - left

    def _is_pointed_at(self, scene: Scene) -> bool:
        (left, width, _), at = self._part(scene), self.pointer
        return at is not None and left <= at[0] < left + width and 0 <= at[1] < scene.targets.hdr.height

    def fraction_at(self, scene: Scene, pixel: tuple[int, int]) -> tuple[float, float]:
        """Return the position of a pixel in the square of its view, across and downwards; 0 to 1 inside."""
        right, (left, half, _) = right_of(scene.settings), self._part(scene)
        if self.beside and right and pixel[0] >= scene.targets.hdr.width - half:
            return self.beside.fraction_at(replace(scene, settings=right), pixel)
        square = self.square(scene)
        across, down = pixel[0] + 0.5 - left - square.corner[0], square.corner[1] + square.side - pixel[1] - 0.5
        return across / square.side, down / square.side

    def place(self, scene: Scene, x: int, y: int) -> str:
        """Return the place of a value's pixel: texel and world coordinates, the wave, or the point of still water."""
        view, tile = DEBUG_VIEWS[scene.settings.stage.view], scene.sea.textures.keys[_cascade(scene)].tile
        size, eye = scene.settings.fft.size, scene.settings.view
        if view.is_seen_from_camera:
            east, up, south = pixel_ray(eye, scene.targets.hdr.size, x + 0.5, y + 0.5)
            distance = eye_height(eye) / -up if up < 0 else math.inf
            if not 0 < distance < FARTHEST:
                return ""
            return f"still water at {eye.x + distance * east:.1f}, {eye.z + distance * south:.1f} m"
        square = self.square(scene)
        if not all(0 <= at - low < square.side for at, low in zip((x, y), square.corner, strict=True)):
            return ""
        column, row = (int(at) for at in square.element(x + 0.5, y + 0.5))
        if view.source == "maps":
            east, south = (float(at) for at in tile.to_world(*(tile.side * n / size for n in (column, row))))
            return f"texel {column}, {row}: {east:.2f}, {south:.2f} m east, south"
        bins = column - size // 2, row - size // 2
        east, south = (float(k) for k in tile.to_world(*(tile.dk * n for n in bins)))
        if bins == (0, 0):
            return "wave 0, 0: the mean"
        length, towards = 2 * math.pi / math.hypot(east, south), math.degrees(math.atan2(east, -south)) % 360
        return f"wave {bins[0]}, {bins[1]}: {length:.3g} m long, towards {towards:.0f}°"

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
        left, width, shift = self._part(scene)
        place = left + max(width - drawn.shape[1] - MARGIN, 0), MARGIN
        values = {"range": self.range(scene), "place": place, "shift": (shift, 0), "channel": _channel(scene)}
        set_uniforms(program, values)
        self.values.use(Sampler.DEBUG_VALUES)
        self._palettes[scale].use(Sampler.PALETTE)
        self._legend[0].use(Sampler.LEGEND)
        scene.targets.picture.use()
        scene.targets.picture.scissor = left, 0, width, scene.targets.picture.height
        self.ctx.enable_only(moderngl.NOTHING)
        self._triangle.draw(program)
        scene.targets.picture.scissor = 0, 0, *scene.targets.picture.size

    def _count(self, scene: Scene, of: Scene, values: moderngl.Texture) -> None:
        """Take the counts of an earlier frame if they have arrived; then, if none are pending, count the values."""
        if self._counts and self._counted and self._counted.passed:
            self.histogram, self._counted = np.frombuffer(self._counts[1].read(), "u4").reshape(3, BINS), None
        if not self.counts_values or self._counted is not None:
            return
        size = 4 * 3 * BINS
        if self._counts is None:
            self._counts = labelled("histogram", self.ctx.buffer(reserve=size)), readback_buffer(self.ctx, size)
        self._counts[0].clear()
        stage, scale = scene.settings.stage, SCALES[DEBUG_VIEWS[scene.settings.stage.view].scale]
        whole = stage.model_copy(update={"low": 0.0, "high": 1.0})
        ends = self.range(replace(scene, settings=scene.settings.model_copy(update={"stage": whole})))
        program = shader_library(self.ctx).compute("debug/histogram.comp", BINS=BINS)
        parts = 1 if scale.is_logarithmic else len(DEBUG_VIEWS[stage.view].parts)
        set_uniforms(program, {"range": ends, "logarithmic": scale.is_logarithmic, "parts": parts})
        values.use(Sampler.DEBUG_VALUES)
        self._counts[0].bind_to_storage_buffer(Storage.SINK)
        dispatch(program, -(-values.width // 16), -(-values.height // 16), barrier=BUFFERS_WRITTEN)
        self.ctx.copy_buffer(self._counts[1], self._counts[0])
        self._counted, self._counted_of = Fence(self.ctx), (of, scene.sea.time)

    def _read(self, scene: Scene, of: Scene, target: moderngl.Framebuffer) -> None:
        """Take the answer to an earlier request if it has arrived; then, if none is pending, request the pointer's
        pixel."""
        if self._fence is not None and self._fence.passed and self._answer and self._asked:
            *numbers, there = np.frombuffer(self._answer.read(), "f4").tolist()
            asked, scene_asked, time = self._asked
            values = tuple(numbers[: len(DEBUG_VIEWS[asked.view].parts)]) if there > 0 else None
            self._found = replace(asked, values=values), scene_asked, time
            self._fence = None
        if self.beside:
            self.beside.pointer = self.pointer
            if right_of(scene.settings) is None:
                self.beside.rest()
        if self.pointer is None or not self._is_pointed_at(scene):
            self._found = None
            return
        if self._fence is not None:
            return
        x, y = self.pointer[0] + self._part(scene)[2], self.pointer[1]
        self._answer = self._answer or readback_buffer(self.ctx, 16)
        target.read_into(self._answer, viewport=(x, y, 1, 1), components=4, dtype="f4")
        place = self.place(scene, x, y)
        asked = Reading(scene.settings.stage.view, self.pointer, None, self.caption(scene)[1], place)
        self._asked = asked, of, scene.sea.time
        self._fence = Fence(self.ctx)


def right_of(settings: Settings) -> Settings | None:
    """Return the settings of the second debug view; None without one."""
    stage = settings.stage
    if stage.view not in DEBUG_VIEWS or stage.beside not in DEBUG_VIEWS:
        return None
    return settings.model_copy(update={"stage": stage.model_copy(update={"view": stage.beside, "beside": stage.view})})


def is_seen_from_camera(settings: Settings) -> bool:
    """Return whether one of the debug views shows the surface as the camera sees it."""
    right = right_of(settings)
    names = settings.stage.view, right.stage.view if right else PICTURE
    return any(name in DEBUG_VIEWS and DEBUG_VIEWS[name].is_seen_from_camera for name in names)


def _channel(scene: Scene) -> int:
    """Return the number of a view of three colours that is shown alone, from 1; 0 for all."""
    view, channel = DEBUG_VIEWS[scene.settings.stage.view], scene.settings.stage.channel
    return channel if view.scale in COLOURED and channel <= len(view.parts) else 0


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
    middle = (low * high) ** 0.5 if SCALES[scale].is_logarithmic else (low + high) / 2
    left, centre, right = (f"{value:.3g}".replace("-", "−") for value in (low, middle, high))
    labels = left, centre, right
    if scale == "count":
        tens = (np.minimum(np.floor(10 * t), 9) + 0.5) / 10
        return [Bar(_ramp(tens, colours), ("0", "", "9"))]
    if scale in ("axes", "mix") and len(parts) > 1:  # a bar for each number, the others 0; the last bar has labels
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
