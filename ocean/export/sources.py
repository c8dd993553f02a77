"""Sources that compute the frames of an export in any order: a frame is a function of the plan and its number alone.

Only foam depends on earlier frames. Before a frame that does not follow the last one, a source therefore runs the
earlier frames that the foam depends on, and discards them. Frames before the first one have negative numbers.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.export.maps import CONVERGED, FOAM, PATCH_MAPS
from ocean.export.plan import ExportError, Patch, Plan
from ocean.gpu.context import create_headless_context, drain, host_restored
from ocean.gpu.memory import picture_obstacle
from ocean.gpu.passes import needed, run_passes
from ocean.gpu.shaders import shader_library
from ocean.render.frame import FrameRenderer
from ocean.render.truth import ground_truth
from ocean.sea.base import BaseSea
from ocean.sea.blend import make_spectrum
from ocean.sea.foam import FoamMap
from ocean.sea.host import HostSea
from ocean.sea.memory import refuse_host_shortage
from ocean.sea.sea import Sea, make_sea
from ocean.settings import with_values
from ocean.settings.files import Resolved
from ocean.waves import second_order
from ocean.waves.amplitudes import CascadeWaves, wave_vectors
from ocean.waves.dispersion import Array, orbit_ratio
from ocean.waves.fields import Complex, breaking, foam_step, jacobian, rollers, unpack
from ocean.waves.nonlinear import Checkpoints, RunningWaves
from ocean.waves.tiles import Copy, Tile, copies
from ocean.waves.whitecaps import BIRTH_WIDTH, Births, spilled

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Snapshot:
    """The sea at the time of one frame: float32 arrays by name, a picture, or the waves themselves."""

    index: int
    time: float
    cascades: dict[str, Floats] = field(default_factory=dict)  # arrays of `Plan.cascade_parts`, each (cascade, N, N)
    patch: dict[str, Floats] = field(default_factory=dict)  # arrays over the patch's points, each (rows, columns)
    picture: bytes = b""  # 8-bit RGB, rows from the bottom up
    layers: dict[str, Floats] = field(default_factory=dict)  # ground truth of the picture; see `render.truth.LAYERS`
    camera: dict[str, Any] = field(default_factory=dict)  # the camera of the layers
    waves: tuple[CascadeWaves | RunningWaves, ...] = ()  # waves of each cascade


def cascade_arrays(plan: Plan, fields: Mapping[str, Floats]) -> dict[str, Floats]:
    """Return the arrays of `plan.cascade_parts` by name, from those of `Sea.fields`, each (cascade, N, N)."""
    sea = plan.settings.sea
    lifts = second_order.lifts(sea.systems if sea.crests == "second-order" else (), plan.tiles, plan.settings.fft.size)
    each = (one.arrays(fields, lifts, sea.choppiness) for one in plan.cascade_maps.values())
    return {name: array for arrays in each for name, array in arrays.items()}


class FrameSource(ABC):
    """Makes the frames of a plan, by default with a sea and its foam over the middle of `focus`, a world (x, z) [m]."""

    sea: BaseSea
    foam: "PatchFoam | FoamMap | None" = None
    focus = (0.0, 0.0)

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._lived: int | None = None  # number of the last frame whose foam was computed

    def frame(self, index: int) -> Snapshot:
        self.grow_foam(index)
        frame = self._frame(index)
        self._lived = index
        for name, values in (frame.cascades | frame.patch).items():
            if not np.isfinite(values).all():
                raise ExportError(f"frame {index}: {name} has values that are not finite; the sea is too high for them")
        return frame

    def grow_foam(self, index: int, advance: Callable[[], None] = lambda: None) -> None:
        """Run the earlier frames that this frame's foam depends on, and call `advance` after each."""
        if not self.plan.has_foam:
            return
        past = self.plan.foam_frames(index)
        if self._lived is not None and past[0] <= self._lived < index:
            past = [frame for frame in past if frame > self._lived]
        elif self.foam is not None:
            self.foam.reset()
        for frame in past:
            self._live(frame)
            advance()
        self._lived = index - 1

    def catch_up(self, index: int) -> Iterator[float]:
        """Compute nonlinear waves up to the first time that a frame needs, and yield the completed fraction at
        times."""
        return self.sea.catch_up(self.plan.first_needed(index))

    def _live(self, index: int) -> None:
        """Advance the sea and its foam to a frame."""
        self.sea.update(self.plan.time(index), self.focus)

    @abstractmethod
    def _frame(self, index: int) -> Snapshot:
        """Return a frame, and advance the foam to it."""


class MapSource(FrameSource):
    """A source of the cascades' maps, and of `Sea.surface` over the patch."""

    def __init__(self, plan: Plan, sea: BaseSea) -> None:
        super().__init__(plan)
        self.sea = sea
        self.foam: PatchFoam | None = None
        if (patch := plan.patch or plan.foam_patch) is not None:
            self.focus = patch.centre
        if (patch := plan.foam_patch) is not None:
            assert isinstance(sea, Sea | HostSea)
            self.foam = GpuFoam(sea, patch) if isinstance(sea, Sea) else HostFoam(sea, patch)

    def _live(self, index: int) -> None:
        super()._live(index)
        if self.foam is not None:
            self.foam.advance(self.plan.foam_step(index))

    def _frame(self, index: int) -> Snapshot:
        self._live(index)
        fields = self.sea.fields() if self.plan.cascade_maps else {}
        if "potential" in self.plan.cascade_maps:
            fields["potential"] = self.sea.potential()
        if self.plan.content == "textures" and self.foam is not None:
            parts = np.moveaxis(self.foam.at(np.stack(self.foam.patch.points, -1)), -1, 0)[:, None]
            fields |= dict(zip(FOAM, parts, strict=True))
        patch = {} if self.plan.patch is None else self._patch(*self.plan.patch.points)
        return Snapshot(index, self.plan.time(index), cascade_arrays(self.plan, fields), patch)

    def _patch(self, x: Array, z: Array) -> dict[str, Floats]:
        needs_velocity = any(PATCH_MAPS[name].of_motion for name in PATCH_MAPS.keys() & self.plan.maps)
        sample = self.sea.query(x, z, velocity=needs_velocity).result()
        foam = None if self.foam is None else self.foam.at(sample.still)
        maps = [each.arrays(sample, foam) for each in (*PATCH_MAPS.values(), CONVERGED)]
        return {name: array for arrays in maps for name, array in arrays.items()}

    def release(self) -> None:
        if self.foam is not None:
            self.foam.release()


class PictureSource(FrameSource):
    """A source of pictures, drawn like captures."""

    def __init__(self, plan: Plan, renderer: FrameRenderer) -> None:
        super().__init__(plan)
        self.renderer, self.sea, self.foam = renderer, renderer.sea, renderer.sea.foam
        self.focus = plan.settings.view.x, plan.settings.view.z
        renderer.hold_exposure(plan.time(0))  # all workers take the exposure of the first frame

    def _frame(self, index: int) -> Snapshot:
        self.renderer.render(self.plan.time(index))
        drain(self.renderer.ctx)
        picture = self.renderer.picture.read(components=3, alignment=1)
        truth: tuple[dict[str, Floats], dict[str, Any]] = {}, {}
        if self.plan.layers:
            advance = partial(self._live, index + 1)  # the next frame finds its sea there
            truth = ground_truth(self.renderer, self.plan.layers, advance, 1 / self.plan.fps)
        return Snapshot(index, self.plan.time(index), picture=picture, layers=truth[0], camera=truth[1])


class WaveSource(FrameSource):
    """A source of the waves themselves; the format evolves their amplitudes to the time of a frame."""

    def __init__(self, plan: Plan, checkpoints: Checkpoints | None) -> None:
        super().__init__(plan)
        refuse_host_shortage(plan.settings)
        self._waves = tuple(
            RunningWaves(each.waves, each.key.order, plan.start, checkpoints) if each.key.course else each.waves
            for each in make_spectrum(plan.settings).cascades
        )

    def catch_up(self, index: int) -> Iterator[float]:
        running, time = (one for one in self._waves if isinstance(one, RunningWaves)), self.plan.first_needed(index)
        return chain(*(one.catch_up(time - one.extent.step) for one in running))  # rates need one earlier time step

    def _frame(self, index: int) -> Snapshot:
        return Snapshot(index, self.plan.time(index), waves=self._waves)


@contextmanager
def own_context(device: str, gpu: int = 0) -> Iterator[moderngl.Context | None]:
    """Yield a headless context on a GPU by its number, and release it at the end; yield None for the device "cpu". A
    context of the host program is current again afterwards. Raises ContextError when there is no usable OpenGL."""
    if device == "cpu":
        yield None
        return
    with host_restored():
        ctx = create_headless_context(gpu)
        try:
            yield ctx
        finally:
            shader_library(ctx).release()
            ctx.release()


@contextmanager
def open_source(plan: Plan, ctx: moderngl.Context | None, folder: Path | None = None) -> Iterator[FrameSource]:
    """Yield the source of a plan's frames in a context, or on the processor without one; release it at the end.
    Nonlinear waves keep checkpoints in a folder. Raises FFTError when the backend can't run the size on this GPU."""
    checkpoints = None if folder is None else Checkpoints(folder)
    with ExitStack() as stack:
        if plan.content == "waves":
            yield WaveSource(plan, checkpoints)
            return
        if plan.content == "pictures" and ctx is not None:
            capture = plan.settings.capture
            if reason := picture_obstacle(ctx, (capture.width, capture.height)):
                raise ExportError(reason)
            renderer = FrameRenderer(ctx, plan.settings, (capture.width, capture.height))
            stack.callback(renderer.release)
            renderer.sea.start_waves(plan.first_needed(0), checkpoints)  # equal waves for all workers
            yield PictureSource(plan, renderer)
            return
        sea = make_sea(with_values(plan.settings, {"foam.resolution": 64}), ctx)  # the patch has its own foam map
        sea.start_waves(plan.first_needed(0), checkpoints)  # equal waves for all workers
        stack.callback(sea.release)
        made = MapSource(plan, sea)
        stack.callback(made.release)
        yield made


MARGIN = 6  # margin of the map around the patch, in standard deviations of the horizontal displacement


def displacement_deviations(settings: Resolved) -> list[float]:
    """Return the standard deviation [m] of the displacement of each cascade in this draw, along the axis where it is
    largest."""
    deviations = []
    for waves in make_spectrum(settings).waves:
        k = np.hypot(*wave_vectors(waves.tile, len(waves.h0)))
        orbits = orbit_ratio(np.where(k > 0, k, 1.0), waves.depth, waves.dispersion)
        stretched = np.maximum(settings.sea.choppiness * orbits, 1.0)
        deviations.append(math.sqrt(2 * float(np.sum(np.abs(waves.h0 * stretched) ** 2))))
    return deviations


class PatchFoam(ABC):
    """A foam map around a patch, on still water, with texels as wide as the patch's spacing; `sides` are their numbers
    along x and z."""

    def __init__(self, settings: Resolved, patch: Patch, is_toroidal: bool = False) -> None:
        margin = MARGIN * math.hypot(*displacement_deviations(settings))
        self.sides = [math.ceil((side + 2 * margin) / patch.spacing) + 2 for side in (patch.width, patch.depth)]
        if is_toroidal:  # such maps are squares of a power of two
            self.sides = [max(16, 1 << (max(self.sides) - 1).bit_length())] * 2
        self.settings, self.patch = settings, patch
        self.first = np.floor(np.divide(patch.centre, patch.spacing)).astype(np.int64) - np.array(self.sides) // 2

    @abstractmethod
    def reset(self) -> None:
        """Clear the map."""

    @abstractmethod
    def advance(self, step: float) -> None:
        """Age the foam by a step [s], and add foam where the sea of the last update breaks."""

    @abstractmethod
    def read(self) -> Array:
        """Return foam, active foam and the roller's thickness [m] on a last axis, indexed [z, x] from the map's first
        texel."""

    def at(self, still: Array) -> Array:
        """Return the values of `read` at rest positions of water, world (x, z) [m] (..., 2), interpolated linearly."""
        from scipy.ndimage import map_coordinates

        texel = np.clip(still / self.patch.spacing - 0.5 - self.first, 0, np.array(self.sides) - 1)
        coordinates = np.stack([texel[..., 1], texel[..., 0]])
        parts = np.moveaxis(self.read(), -1, 0)
        return np.stack([map_coordinates(part, coordinates, order=1, mode="nearest") for part in parts], axis=-1)

    def release(self) -> None:
        """Release the GPU objects, if there are any."""
        return


class GpuFoam(PatchFoam):
    def __init__(self, sea: Sea, patch: Patch) -> None:
        super().__init__(sea.settings, patch, is_toroidal=True)
        self.sea, side = sea, self.sides[0]
        self._map = FoamMap(sea.ctx, side, side * patch.spacing, levels=1)

    def reset(self) -> None:
        self._map.reset()

    def advance(self, step: float) -> None:
        births = Births.everywhere(self.sea.blend.breaking_texel, 1, self.settings.sea.wind.direction)
        self._map.prepare(self.patch.centre, self.sea.time, self.sea.foam_threshold, self.settings.foam.decay, births)
        self.sea.bind()
        run_passes(self.sea.ctx, needed([self._map.advance_pass(self.sea.filtered)]))

    def read(self) -> Array:
        held = np.roll(self._map.read()[0], -self.first[::-1] % self.sides[0], (0, 1))
        return np.stack([held[..., 0], held[..., 1], np.hypot(held[..., 2], held[..., 3])], axis=-1)

    def release(self) -> None:
        self._map.release()


class HostFoam(PatchFoam):
    def __init__(self, sea: HostSea, patch: Patch) -> None:
        super().__init__(sea.settings, patch)
        self.sea = sea
        x, z = (
            (first + np.arange(side) + 0.5) * patch.spacing for first, side in zip(self.first, self.sides, strict=True)
        )
        self._spilled = shift = spilled(sea.spectrum.breaking_texel, sea.settings.sea.wind.direction)
        self._birthplaces = np.meshgrid(x - shift[0], z - shift[1])  # of each texel's foam
        self._readers: dict[Tile, StrainReader] = {}
        self.reset()

    def reset(self) -> None:
        self._air, self._born, self._rollers = np.zeros((3, *self.sides[::-1]))

    def strain(self) -> Array:
        """Return the derivatives (Dxx, Dzz, Dxz) at the birthplace of each texel's foam, on a last axis, in the sea of
        the last update."""
        strain = np.zeros((*self._air.shape, 3))
        for tile, maps in self.sea.breaking_maps():
            if tile not in self._readers:
                self._readers[tile] = StrainReader(tile, maps.shape[-1], self.settings.fft.size, *self._birthplaces)
            strain += self._readers[tile].read(maps).reshape(strain.shape)
        return strain

    def folding(self, strain: Array) -> Array:
        dxx, dzz, dxz = np.moveaxis(strain, -1, 0)
        return jacobian(dxx, dzz, dxz, self.settings.sea.choppiness)

    def advance(self, step: float) -> None:
        strain = self.strain()
        born = breaking(self.folding(strain), self.sea.foam_threshold, BIRTH_WIDTH)
        self._air = foam_step(self._air, born, step, self.settings.foam.decay)
        self._born = np.where(self._air > 0, born, 0.0)
        self._rollers = rollers(strain, self._born, self._spilled)

    def read(self) -> Array:
        return np.stack([np.minimum(self._air, 1.0), np.minimum(self._born, 1.0), self._rollers], axis=-1)


class StrainReader:
    """Reads Dxx, Dzz and Dxz at fixed world positions [m], as `tiles.blend` does, linearly from a mip level of `texels`
    of maps of `size`. The weights of texels are sparse matrices: interpolating without them takes ten times as long."""

    def __init__(self, tile: Tile, texels: int, size: int, x: Array, z: Array) -> None:
        from scipy.sparse import csr_array

        half = 0.5 * (texels / size - 1)  # the centre of a texel depends on the level
        none = np.zeros_like(x)
        places, weights = [], []
        for copy in copies(tile, x, z) if tile.blended else [Copy(x, z, none + 1, none, none)]:
            u, v = (axis * (texels / tile.side) + half for axis in tile.to_tile(copy.x, copy.z))
            for i, j in ((np.floor(u) + a, np.floor(v) + b) for a in (0, 1) for b in (0, 1)):
                places.append((j % texels * texels + i % texels).astype(np.int32).ravel())
                share = (1 - np.abs(u - i)) * (1 - np.abs(v - j))
                parts = copy.weight, copy.gradient_x, copy.gradient_z
                weights.append([(share * part).astype(np.float32).ravel() for part in parts])
        columns, starts = np.stack(places, -1).ravel(), np.arange(x.size + 1, dtype=np.int32) * np.int32(len(places))
        self._matrices = [
            csr_array((np.stack(values, -1).ravel(), columns, starts), (x.size, texels**2))
            for values in zip(*weights, strict=True)
        ][: 3 if tile.blended else 1]

    def read(self, maps: Complex) -> NDArray[np.float32]:
        """Return Dxx, Dzz and Dxz, (positions, 3), of packed maps (4, texels, texels)."""
        at = {name: field.ravel().astype(np.float32) for name, field in unpack(maps).items()}
        values, *gradients = self._matrices
        strain = values @ np.stack([at["dxx"], at["dzz"], at["dxz"]], -1)
        if gradients:  # the weights of copies change from place to place
            along_x, along_z = (each @ np.stack([at["dx"], at["dz"]], -1) for each in gradients)
            strain += np.stack([along_x[:, 0], along_z[:, 1], (along_x[:, 1] + along_z[:, 0]) / 2], -1)
        return np.asarray(strain)
