"""What an export is to hold: which frames, of which maps, in which format. A value; computes and writes nothing."""

import math
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

import numpy as np

from ocean import __version__
from ocean.common.parameters import range_of
from ocean.sea.blend import tiles_of
from ocean.sea.query import MOST_POINTS
from ocean.settings import CaptureSettings, Settings, SettingsError, to_tree
from ocean.waves.dispersion import Array
from ocean.waves.tiles import Tile

CASCADE_MAPS = {
    "displacement": ("dx", "height", "dz"),
    "derivatives": ("slope_x", "slope_z", "dxx", "dzz", "dxz"),
}
"""Maps that each cascade has for itself, as `Sea.fields` names their parts."""

PATCH_MAPS = {
    "height": ("height",),
    "normal": ("normal_x", "normal_y", "normal_z"),
    "velocity": ("velocity_x", "velocity_y", "velocity_z"),
    "jacobian": ("jacobian",),
    "foam": ("foam",),
}
"""Maps of all cascades together, over a patch of the world, as `Sea.surface` names their parts. Each patch also says
where the surface has `converged`."""

MAP_FORMATS, MESH_FORMATS, PICTURE_FORMATS = ("exr", "npz", "zarr"), ("glb", "ply"), ("png", "mp4")
FORMATS = (*MAP_FORMATS, *MESH_FORMATS, *PICTURE_FORMATS)
MESH_MAPS = ("height", "normal", "foam")
HALF_LIVES, MORE_FRAMES = 7, 2  # after which foam has forgotten how it began: `twin.FOAM_CUTOFF` is 2^-7


def _most(name: str) -> float:
    """What is the most of captures is the most of exports."""
    return range_of(CaptureSettings.model_fields[name])[1] or math.inf


MOST_FRAMES, FASTEST, LATEST = _most("frames"), _most("fps"), _most("start")

INSTALL = "`python -m pip install openexr zarr trimesh av filelock xarray pyarrow` installs all that exports need"


class ExportError(SettingsError):
    """An export that can't be made as it was asked for; the message says why."""


@dataclass(frozen=True)
class Patch:
    """A rectangle of the world, `width` by `depth` [m] along x and z around a centre, as points `spacing` apart."""

    width: float
    depth: float
    spacing: float
    centre: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        lengths = self.width, self.depth, self.spacing
        if not (min(lengths) > 0 and all(map(math.isfinite, (*lengths, *self.centre)))):
            raise ExportError(f"a patch of {self.width:g} x {self.depth:g} m, {self.spacing:g} m apart, is none")
        if max(lengths) / self.spacing > MOST_POINTS or math.prod(self.shape) > MOST_POINTS:
            raise ExportError(
                f"--patch = {self.width:g}x{self.depth:g}, {self.spacing:g} m apart, has more than {MOST_POINTS} points"
            )
        columns, rows = self.shape[::-1]
        if columns < 2 or rows < 2:
            raise ExportError(f"--spacing = {self.spacing:g} m leaves {columns} x {rows} points; take 2 a side or more")

    @property
    def shape(self) -> tuple[int, int]:
        """Points along z and x."""
        return round(self.depth / self.spacing), round(self.width / self.spacing)

    @property
    def axes(self) -> tuple[Array, Array]:
        """x of the columns and z of the rows [m]: middles of squares that fill the patch."""
        rows, columns = self.shape
        return self._axis(columns, self.centre[0]), self._axis(rows, self.centre[1])

    def _axis(self, count: int, middle: float) -> Array:
        return np.asarray(middle + (np.arange(count) - (count - 1) / 2) * self.spacing, np.float64)

    @property
    def points(self) -> tuple[Array, Array]:
        """x and z [m] of all points, each (rows, columns)."""
        x, z = np.meshgrid(*self.axes)
        return x, z


@dataclass(frozen=True)
class Plan:
    """An export. Frame i of `frames` shows the time start + i / fps [s]."""

    settings: Settings
    frames: int
    format: str
    maps: tuple[str, ...] = ()
    start: float = 0.0
    fps: float = 24.0
    half: bool = False
    patch: Patch | None = None
    device: Literal["gpu", "cpu"] = "gpu"

    def __post_init__(self) -> None:
        if reason := self._obstacle():
            raise ExportError(reason)

    def _obstacle(self) -> str | None:
        unknown = [name for name in self.maps if name not in (*CASCADE_MAPS, *PATCH_MAPS)]
        wants_patch = self.format in MESH_FORMATS or any(name in PATCH_MAPS for name in self.maps)
        if self.format not in FORMATS:
            return f"--format = {self.format!r} is not one of {', '.join(FORMATS)}"
        if unknown:
            return f"--maps = {unknown[0]!r} is not one of {', '.join((*CASCADE_MAPS, *PATCH_MAPS))}"
        if self.is_drawn and (self.maps or self.patch):
            return f"--maps and --patch are not for {self.format}, which holds pictures"
        if reason := fps_obstacle(self.fps):
            return reason
        if self.frames < 1:
            return "--duration is shorter than a frame"
        if self.frames > MOST_FRAMES:
            return f"--duration is longer than {MOST_FRAMES:.0f} frames, which are the most"
        if not max(abs(self.start), abs(self.time(self.frames - 1))) <= LATEST:
            return f"--start = {self.start:g} s leads to times outside {-LATEST:g} to {LATEST:g} s"
        if self.format in MAP_FORMATS and not self.maps:
            return "--maps names no map"
        if self.format in MESH_FORMATS and self.cascade_maps:
            return f"{self.cascade_maps[0]} belongs to the cascades, and {self.format} holds a patch"
        if self.format in MESH_FORMATS and (others := set(self.maps).difference(MESH_MAPS)):
            return f"{min(others)} has no place in {self.format}, which holds {', '.join(MESH_MAPS)}"
        if wants_patch and self.patch is None:
            what = self.format if self.format in MESH_FORMATS else self.patch_maps[0]
            return f"{what} belongs to a patch of the world: say which, as --patch 500x500 --spacing 0.5"
        if self.patch is not None and not wants_patch:
            return f"--patch is for {', '.join(PATCH_MAPS)} and for meshes"
        if self.half and self.format != "exr":
            return f"--half is for exr; {self.format} has a precision of its own"
        if self.format in PICTURE_FORMATS and self.device == "cpu":
            return "pictures are drawn by the GPU"
        if self.is_drawn and self.settings.sky.metering == "automatic":
            return "sky.metering = 'automatic' goes by the picture before, which a frame has not; take 'matrix'"
        if self.format == "mp4" and (self.settings.capture.width % 2 or self.settings.capture.height % 2):
            return (
                f"--resolution = {self.settings.capture.width}x{self.settings.capture.height}: mp4 needs even numbers"
            )
        return None

    @property
    def cascade_maps(self) -> tuple[str, ...]:
        return tuple(name for name in self.maps if name in CASCADE_MAPS)

    @property
    def patch_maps(self) -> tuple[str, ...]:
        return tuple(name for name in self.maps if name in PATCH_MAPS)

    @property
    def cascade_fields(self) -> tuple[str, ...]:
        """Names of the arrays that each cascade has."""
        return tuple(field for name in self.cascade_maps for field in CASCADE_MAPS[name])

    @property
    def patch_fields(self) -> tuple[str, ...]:
        """Names of the arrays that the patch has."""
        names = tuple(field for name in self.patch_maps for field in PATCH_MAPS[name])
        return (*names, "converged") if names else ()

    @property
    def foam_memory(self) -> int:
        """Frames before any one that its foam depends on."""
        lives = HALF_LIVES * math.log(2) * self.settings.foam.decay
        return math.ceil(lives * self.fps) + MORE_FRAMES

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The cascades' tiles, in the order of their maps."""
        return tiles_of(self.settings)

    @property
    def is_drawn(self) -> bool:
        """Whether a frame is a picture."""
        return self.format in PICTURE_FORMATS

    @property
    def has_foam(self) -> bool:
        """Whether a frame needs those before it."""
        return "foam" in self.maps or self.is_drawn

    def time(self, index: int) -> float:
        """Time of a frame [s]; those before the first, of which foam comes, have negative indices."""
        return self.start + index / self.fps

    def record(self) -> dict[str, Any]:
        """All that the files depend on, as JSON has it: two exports with the same record have the same files."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values |= {"patch": self.patch and asdict(self.patch), "settings": to_tree(self.settings)}
        return {"program": f"ocean {__version__}", **values}


def fps_obstacle(fps: float) -> str | None:
    """Why so many frames in a second can't be had; None where they can."""
    return None if 0 < fps <= FASTEST else f"--fps = {fps:g} is not above 0 and up to {FASTEST:g}"


def frame_count(duration: float, fps: float, loop: float | None) -> int:
    """Frames of a duration [s], or one too many where they are more than a plan can have; those of a loop [s] have to
    fill it.

    Raises:
        ExportError: where they don't, or there are none.
    """
    if reason := fps_obstacle(fps):
        raise ExportError(reason)
    if loop is not None and not loop > 0:
        raise ExportError(f"--loop = {loop:g} s is no time after which a sea can repeat")
    if not 0 < duration < math.inf:
        raise ExportError(f"--duration = {duration:g} s holds no frames")
    if loop is not None and abs(loop * fps - round(loop * fps)) > 1e-9 * loop * fps:
        raise ExportError(f"--loop = {loop:g} s is no whole number of frames at {fps:g} a second; try {round(loop):g}")
    return round(min(duration * fps, MOST_FRAMES + 1))
