"""The plan of an export: frames, maps and format, as a value. Computes and writes nothing."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from itertools import count
from typing import Any, Literal

import numpy as np

from ocean import __version__
from ocean.common.errors import InputError, shown
from ocean.common.parameters import not_one_of, range_of
from ocean.export.formats import FORMATS, Content, names
from ocean.export.maps import CASCADE_MAPS, CONVERGED, FOAM, MESH_MAPS, PATCH_MAPS, TEXTURE_MAPS, CascadeMap, Part
from ocean.render.truth import LAYERS
from ocean.sea.base import MOST_POINTS
from ocean.sea.blend import tiles_of
from ocean.settings import CaptureSettings, Settings, SettingsError, to_tree, with_values
from ocean.settings.files import Resolved, contents, resolve
from ocean.settings.model import SeaSettings
from ocean.waves.dispersion import Array, angular_frequency
from ocean.waves.surface import FARTHEST
from ocean.waves.tiles import Tile
from ocean.waves.whitecaps import foam_memory

MORE_FRAMES = 2  # frames beyond the memory of foam, because its steps are rounded
FOAM_STEP = 1 / 8  # s between the frames that grow foam before the first one. Steps of 1/24 s make 1 to 3 % more foam


def _largest(name: str) -> float:
    """Return the largest value of a capture setting: exports share the limits of captures."""
    return range_of(CaptureSettings.model_fields[name])[1] or math.inf


MOST_FRAMES, FASTEST, LATEST = _largest("frames"), _largest("fps"), _largest("start")

KEPT = 0.9  # fraction of the slope variance that interpolation between frames should show
INSTALL = "`python -m pip install openexr zarr trimesh av xarray pyarrow usd-core` installs all that exports need"


class ExportError(InputError):
    """An export that can't be made; the message says why."""


@dataclass(frozen=True)
class Patch:
    """A rectangle of the world around a centre, `width` by `depth` [m]; points are `spacing` [m] apart."""

    width: float
    depth: float
    spacing: float
    centre: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        lengths = self.width, self.depth, self.spacing
        typed = f"--patch = {self.width:g}x{self.depth:g}, {self.spacing:g} m apart"
        if not 0 < self.spacing < math.inf:
            raise ExportError(f"--spacing = {self.spacing:g} m is not a finite length above 0")
        if not (min(lengths) > 0 and all(map(math.isfinite, lengths))):
            raise ExportError(f"{typed}: lengths must be finite and above 0")
        if not all(abs(place) <= FARTHEST for place in self.centre):
            x, z = self.centre
            raise ExportError(f"--at = {x:g},{z:g} is not within {FARTHEST:g} m of 0,0")
        if max(lengths) / self.spacing > MOST_POINTS or math.prod(self.shape) > MOST_POINTS:
            raise ExportError(f"{typed}, has more than {MOST_POINTS} points; {self._fewer()}")
        columns, rows = self.shape[::-1]
        if columns < 2 or rows < 2:
            raise ExportError(f"--spacing = {self.spacing:g} m leaves {columns} x {rows} points; take 2 a side or more")

    def _fewer(self) -> str:
        least = max(math.sqrt(self.width) * math.sqrt(self.depth), max(self.width, self.depth) / math.sqrt(MOST_POINTS))
        return f"choose a smaller --patch, or --spacing {1.05 * least / math.sqrt(MOST_POINTS):.2g} or more"

    @property
    def shape(self) -> tuple[int, int]:
        """Number of points along z and x."""
        return round(self.depth / self.spacing), round(self.width / self.spacing)

    @property
    def axes(self) -> tuple[Array, Array]:
        """x of the columns and z of the rows [m]: the centres of the squares that fill the patch."""
        rows, columns = (np.float64(self.spacing) * (np.arange(count) - (count - 1) / 2) for count in self.shape)
        return self.centre[0] + columns, self.centre[1] + rows

    @property
    def points(self) -> tuple[Array, Array]:
        """x and z [m] of all points, each (rows, columns)."""
        x, z = np.meshgrid(*self.axes)
        return x, z


@dataclass(frozen=True)
class Plan:
    """An export of `frames` frames; frame i shows the time start + i / fps [s]."""

    settings: Resolved
    frames: int
    format: str
    maps: tuple[str, ...] = ()
    start: float = 0.0
    fps: float = 24.0
    half: bool = False
    patch: Patch | None = None
    device: Literal["gpu", "cpu"] = "gpu"
    layers: tuple[str, ...] = ()  # of ground truth, beside pictures

    def __post_init__(self) -> None:
        if reason := self._obstacle():
            raise ExportError(reason)

    def _obstacle(self) -> str | None:
        known = tuple(dict.fromkeys((*CASCADE_MAPS, *PATCH_MAPS, *TEXTURE_MAPS)))
        if self.format not in FORMATS:
            return not_one_of("--format", self.format, FORMATS)
        entry, content = FORMATS[self.format], self.content
        able = {"mesh": MESH_MAPS, "textures": tuple(TEXTURE_MAPS)}.get(content, (*CASCADE_MAPS, *PATCH_MAPS))
        wants_patch = content == "mesh" or bool(self.patch_maps)
        if unknown := [name for name in self.maps if name not in known]:
            return not_one_of("--maps", unknown[0], known)
        if content in ("pictures", "waves", "pages") and (self.maps or self.patch):
            others = names("maps", "textures")
            return f"--maps and --patch do not apply to {self.format}, which holds {content}; maps go into {others}"
        if self.layers and content != "pictures":
            return f"--layers apply to pictures ({names('pictures')}), not to {self.format}"
        if wrong := [name for name in self.layers if name not in LAYERS]:
            return not_one_of("--layers", wrong[0], LAYERS)
        if self.frames < entry.fewest_frames:
            return f"--duration has {self.frames} frame; {self.format} takes {entry.fewest_frames} or more"
        if self.frames > MOST_FRAMES:
            return f"--duration is longer than {MOST_FRAMES:.0f} frames, the limit"
        if not max(abs(self.start), abs(self.time(self.frames - 1))) <= LATEST:
            return f"--start = {self.start:g} s leads to times outside {-LATEST:g} to {LATEST:g} s"
        if content in ("maps", "textures") and not self.maps:
            return "--maps names no map"
        if wrong := [name for name in self.maps if name not in able]:
            return f"--maps = {wrong[0]} does not fit into {self.format}, which holds {', '.join(able)}"
        if reason := self._texture_obstacle():
            return reason
        if entry.most_frames is not None and self.frames > entry.most_frames:
            return f"--duration has {self.frames} frames; {self.format} holds up to {entry.most_frames}"
        if wants_patch and self.patch is None:
            wanting = f"--format = {self.format}" if content == "mesh" else f"--maps = {self.patch_maps[0]}"
            return f"{wanting} needs a patch of the world; add --patch 500x500 --spacing 0.5"
        if self.patch is not None and not wants_patch:
            return f"--patch applies to {', '.join(PATCH_MAPS)} and to meshes"
        if self.half and not entry.half:
            halves = ", ".join(name for name, entry in FORMATS.items() if entry.half)
            return f"--half applies to {halves}; {self.format} has a fixed precision"
        if content in ("pictures", "pages") and self.device == "cpu":
            return f"--device = cpu can't draw pictures or skies ({names('pictures', 'pages')}); take gpu"
        if content == "pictures" and self.settings.sky.metering == "automatic":
            return "sky.metering = 'automatic' needs the previous picture, which an export does not have; take 'matrix'"
        width, height = self.settings.capture.width, self.settings.capture.height
        if entry.even_sides and (width % 2 or height % 2):
            return f"--resolution = {width}x{height}: {self.format} needs even numbers"
        return None

    def _texture_obstacle(self) -> str | None:
        """Return why the maps do not fit into textures; None if they fit, or if the format holds no textures."""
        if self.content != "textures":
            return None
        if self.patch is not None:
            return f"--patch does not apply to {self.format}, which holds tiles"
        if not (foamy := FOAM.keys() & {*self.maps}):
            return None
        if self.settings.cascades.count > 1 or self.tiles[0].blended:
            plain = "--set cascades.count=1 --set cascades.blended=0"
            return f"--maps = {min(foamy)}: tiles of several cascades hold no foam, one plain tile does; add {plain}"
        if self.settings.fft.size**2 > MOST_POINTS:
            return f"--size = {self.settings.fft.size}: foam takes up to {math.isqrt(MOST_POINTS)} texels along a side"
        return None

    @property
    def content(self) -> Content:
        return FORMATS[self.format].content

    @property
    def cascade_maps(self) -> dict[str, CascadeMap]:
        known = TEXTURE_MAPS if self.content == "textures" else CASCADE_MAPS
        return {name: known[name] for name in self.maps if name in known}

    @property
    def patch_maps(self) -> tuple[str, ...]:
        return tuple(name for name in self.maps if name in PATCH_MAPS and self.content != "textures")

    @property
    def cascade_parts(self) -> dict[str, Part]:
        return {name: part for one in self.cascade_maps.values() for name, part in one.parts.items()}

    @property
    def foam_patch(self) -> Patch | None:
        """The points at which a frame's foam is read: the patch, or the texels of the tile."""
        if not FOAM.keys() & {*self.maps}:
            return None
        if self.patch is not None:
            return self.patch
        side = self.tiles[0].side
        texel = side / self.settings.fft.size
        return Patch(side, side, texel, ((side - texel) / 2,) * 2)

    @property
    def patch_parts(self) -> dict[str, Part]:
        maps = [*(PATCH_MAPS[name] for name in self.patch_maps), CONVERGED] if self.patch_maps else []
        return {name: part for one in maps for name, part in one.parts.items()}

    @property
    def least_bytes(self) -> float:
        """Least bytes of a frame's files, without foam, which may be zeros; 0 for pictures, pages and waves."""
        arrays = 6 if self.content == "mesh" else len({*self.patch_maps} - {*FOAM})
        values = arrays * math.prod(self.patch.shape) if self.patch is not None else 0
        values += len({*self.cascade_parts} - {*FOAM}) * len(self.tiles) * self.settings.fft.size**2
        return FORMATS[self.format].least * values * (2 if self.half else 4)

    @property
    def foam_memory(self) -> int:
        """Number of frames before a frame on which its foam may depend."""
        return math.ceil(foam_memory(self.settings.foam.decay) * self.fps) + MORE_FRAMES

    @property
    def _stride(self) -> int:
        """Frames from one step of foam to the next before frame 0. In a loop they are frames of the loop, and pictures
        have the foam of captures."""
        is_exact = self.settings.sea.loop_period or self.content == "pictures"
        return 1 if is_exact else max(1, round(self.fps * FOAM_STEP))

    def foam_frames(self, index: int) -> list[int]:
        """Return the earlier frames on which a frame's foam depends."""
        return [past for past in range(index - self.foam_memory, index) if past >= 0 or past % self._stride == 0]

    def foam_step(self, index: int) -> float:
        """Return the time [s] from the last earlier frame of `foam_frames` to a frame."""
        return (1 if index > 0 else self._stride) / self.fps

    def slopes_between_frames(self, fps: float) -> float:
        """Return the fraction of the slope variance that a program shows halfway between two frames if it interpolates
        linearly: `(1 + cos(w / fps)) / 2` of each wave's, up to the finest tile's Nyquist wave number."""
        settings = self.settings
        k = np.geomspace(1e-3, max(math.pi * settings.fft.size / tile.side for tile in self.tiles), 2000)
        slopes = sum((system.wave_number_density(k) for system in settings.sea.systems), np.zeros_like(k)) * k**3
        w = angular_frequency(k, settings.sea.depth, settings.sea.dispersion)
        whole = float(slopes.sum())
        return float((slopes * (1 + np.cos(w / fps)) / 2).sum()) / whole if whole else 1.0

    @property
    def loss_remark(self) -> str:
        """A sentence on slopes that interpolation between frames loses, if it loses more than a tenth; or nothing."""
        if self.frames < 2 or self.content == "pictures" or (kept := self.slopes_between_frames(self.fps)) >= KEPT:
            return ""
        rates = (self.fps * 1.1**step for step in count())
        enough = next(fps for fps in rates if self.slopes_between_frames(fps) >= KEPT)
        said = f"linear interpolation halfway between two frames shows {kept:.0%} of the slope variance"
        return f"{said}; --fps {math.ceil(enough)} shows {KEPT:.0%}"

    @cached_property
    def tiles(self) -> tuple[Tile, ...]:
        """The cascades' tiles, in the order of their maps."""
        return tiles_of(self.settings)

    @property
    def has_foam(self) -> bool:
        """Whether a frame depends on earlier frames, by its foam."""
        return bool(FOAM.keys() & {*self.maps}) or self.content == "pictures"

    def time(self, index: int) -> float:
        """Return the time of a frame [s]; frames before the first, which grow foam, have negative indices."""
        return self.start + index / self.fps

    def first_needed(self, index: int) -> float:
        """Return the earliest time [s] that a frame needs, at which its foam begins to grow."""
        return self.time(index - (self.foam_memory if self.has_foam else 0))

    def record(self) -> dict[str, Any]:
        """Return the complete input of the files as JSON: exports with equal records have equal files."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values |= {"patch": self.patch and asdict(self.patch), "settings": to_tree(self.settings)}
        values["tiles"] = [{"side": tile.side, "rotation": tile.rotation} for tile in self.tiles]
        if sums := contents(self.settings):
            values["contents"] = sums
        return {"program": f"ocean {__version__}", **values}


def whole_frames(time: float, fps: float) -> float:
    """Return the shortest whole number of frames that is not shorter than a time [s], as a time [s]."""
    return max(math.ceil(time * fps - 1e-9) / fps, time)  # rounding may fall below the time


def frame_count(duration: float, fps: float, loop: float | None) -> int:
    """Return the number of frames of a duration [s], at most one more than a plan can have; `loop` is a period [s]."""
    if loop is not None and not loop > 0:
        raise ExportError(f"--loop = {loop:g} s is not above 0")
    if not 0 < duration < math.inf:
        raise ExportError(f"--duration = {duration:g} s is not a finite time above 0")
    if loop is not None and abs(loop * fps - round(loop * fps)) > 1e-9 * loop * fps:
        whole = whole_frames(loop, fps)
        raise ExportError(f"--loop = {loop:g} s is not a whole number of frames at {fps:g} fps; try {whole:.12g}")
    if duration * fps <= 0.5:
        reason = f"is shorter than a frame at --fps = {fps:g}"
        raise ExportError(f"--duration = {duration:g} s {reason}; choose {1 / fps:.3g} s or more, or a higher --fps")
    if loop is not None and duration > loop and abs(math.remainder(duration, loop)) > 1e-6 * duration:
        reason = f"is not a multiple of --loop = {loop:g} s, so its frames make no loop"
        whole = max(round(duration / loop), 1) * loop
        raise ExportError(f"--duration = {duration:g} s {reason}; leave it out, or write --duration {whole:g}")
    return round(min(duration * fps, MOST_FRAMES + 1))


SPACING = 0.5  # m, default
OPTIONS = {"fft.size": "--size", "sea.loop_period": "--loop"}


def loop_period(text: str | None, sea: SeaSettings, fps: float) -> float | None:
    """Return the period [s] that --loop names. Raises ExportError for other words than a number or `auto`."""
    if text is None:
        return None
    if text == "auto":
        return whole_frames(max(sea.least_loop, 1), fps)
    try:
        return float(text)
    except ValueError:
        raise ExportError(f"--loop = {shown(text)} is neither a number of seconds nor auto") from None


def make_plan(
    settings: Settings,
    *,
    form: str,
    maps: str = "",
    start: float = 0.0,
    duration: float | None = None,
    fps: float = 24.0,
    loop: str | None = None,
    size: int | None = None,
    half: bool = False,
    patch: str | None = None,
    spacing: float | None = None,
    at: str | None = None,
    resolution: Mapping[str, int] | None = None,
    device: Literal["gpu", "cpu"] = "gpu",
    layers: str = "",
) -> Plan:
    """Return the plan of these options; `resolution` holds the settings of --resolution, if it is given. `loop` is a
    period [s], or `auto`: the shortest one of the sea with a whole number of frames."""
    if not 0 < fps <= FASTEST:
        raise ExportError(f"--fps = {fps:g} is not above 0 and at most {FASTEST:g}")
    content = FORMATS[form].content if form in FORMATS else None
    if resolution and content != "pictures":
        raise ExportError(f"--resolution applies to {names('pictures')}")
    if patch is None and (spacing is not None or at is not None):
        raise ExportError("--spacing and --at need a patch of the world: name one, as --patch 500x500")
    period = loop_period(loop, resolve(settings).sea, fps)
    values = {"fft.size": size, "sea.loop_period": period, **(resolution or {})}
    given = {key: value for key, value in values.items() if value is not None}
    try:
        chosen = resolve(with_values(settings, given))
    except SettingsError as error:  # concerns a typed value
        key, equals, rest = str(error).partition(" = ")
        raise ExportError(f"{OPTIONS.get(key, key) if key in given else key}{equals}{rest}") from None
    if loop is not None and chosen.sea.is_nonlinear:
        raise ExportError(f"--loop = {loop}: nonlinear waves never repeat; leave it out, or --set sea.dynamics=linear")
    wanted, truth = (
        tuple(dict.fromkeys(name.strip() for name in typed.split(",") if name.strip())) for typed in (maps, layers)
    )
    for option, typed, found in (("--maps", maps, wanted), ("--layers", layers, truth)):
        if typed and not found:
            raise ExportError(f"{option} = {typed!r} has no name")
    area = None
    if patch is not None:
        width, depth = pair("--patch", patch, "x")
        area = Patch(width, depth, SPACING if spacing is None else spacing, pair("--at", at or "0,0", ","))
    if content in ("maps", "textures") and not wanted and area is None:
        wanted = ("displacement",)
    duration = duration if duration is not None else period if period is not None else 1 / fps
    frames = frame_count(duration, fps, period)
    device = "cpu" if content == "waves" else device
    return Plan(chosen, frames, form, wanted, start, fps, half, area, device, truth)


def pair(option: str, text: str, separator: str) -> tuple[float, float]:
    try:
        first, second = map(float, text.lower().split(separator))
    except ValueError:
        example = f"500{separator}500"
        raise ExportError(f"{option} = {text!r} is not two numbers such as {example}") from None
    return first, second
