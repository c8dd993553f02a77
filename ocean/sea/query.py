"""Queries of the surface at points of the world, from the GPU's maps and without a stall; and the highest crest.

A query is a dispatch over its points, a copy into memory that the CPU reads fast, and a fence. The answer is read when
the caller wants it, usually long after the fence has passed. `ocean.waves.surface` has the exact answer.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean import fft
from ocean.common.errors import shown
from ocean.fft.storage import FieldLayers
from ocean.gpu.bindings import Block, Image, Sampler, Storage
from ocean.gpu.context import Fence, current, in_context, kept_bindings, labelled, readback_buffer, release_all
from ocean.gpu.passes import IMAGES_WRITTEN, dispatch
from ocean.gpu.shaders import block_layout, shader_library
from ocean.sea.base import BaseSea
from ocean.sea.blend import Blend, CascadeKey
from ocean.sea.maps import CascadeBlock, SpectrumTextures
from ocean.sea.nonlinear import SolvedCascades
from ocean.settings import FFTSettings
from ocean.waves.dispersion import Array
from ocean.waves.surface import MOST_STEPS, TOLERANCE, SurfaceSample, finer, world_points

POINTS_A_GROUP = 64
RING = 8  # answers that may still be on the GPU; one more query fetches the oldest answer
INVERSION = {"TOLERANCE": TOLERANCE, "MOST_STEPS": MOST_STEPS}  # defines of query/inversion.glsl
CREST_POINTS = 256  # points along a side of the tile: 20 or more per wavelength at the peak
TOPS = 16  # highest points, searched more closely
FINER = 17  # points along a side of the square around each of these, refined twice
_ANSWER = block_layout("query/surface.comp", "Answer")


class SurfaceQuery:
    """A query of the surface whose answer may still be on the GPU. Made by `Sea.query`."""

    def __init__(
        self, ctx: moderngl.Context, time: float, x: Array, z: Array, has_velocity: bool, at_rest: bool
    ) -> None:
        self.ctx = ctx
        self.time = time
        """Time of the sea [s] for which the answer holds."""
        self._x, self._z, self._has_velocity, self._at_rest = x, z, has_velocity, at_rest
        self._slot: _Slot | None = None
        self._fence: Fence | None = None
        self._answers: NDArray[np.void] | None = None

    @property
    def ready(self) -> bool:
        """Whether `result` would return without waiting for the GPU. Does not wait."""
        with current(self.ctx):
            return self._answers is not None or (self._fence is not None and self._fence.passed)

    def result(self) -> SurfaceSample:
        """Return the answer; wait for the GPU if it is not ready.

        Raises:
            RuntimeError: when the sea was released before.
        """
        found = self._fetch().reshape(self._x.shape)
        water, normal, velocity = (found[name].astype("f8") for name in ("water", "normal", "velocity"))
        asked = np.stack([self._x, self._z], -1)
        other = asked + water[..., 1:3]
        return SurfaceSample(
            time=self.time,
            height=water[..., 0],
            normal=normal[..., :3],
            velocity=velocity[..., :3] if self._has_velocity else None,
            still=asked if self._at_rest else other,
            place=other if self._at_rest else asked,
            jacobian=normal[..., 3],
            residual=water[..., 3],
            steps=velocity[..., 3].astype("i4"),
        )

    @in_context
    def _fetch(self) -> NDArray[np.void]:
        """Copy the answer to the CPU, once, and free the slot."""
        if self._answers is None:
            if self._slot is None or self._fence is None:
                raise RuntimeError("the sea was released before this answer was fetched")
            self._fence.wait()
            size = self._x.size * _ANSWER.itemsize
            self._answers = np.frombuffer(self._slot.copy.read(size), _ANSWER)
            self._forget()
        return self._answers

    def _forget(self) -> None:
        release_all(self._fence)
        self._slot = self._fence = None


class SurfaceQueries:
    """The dispatch that answers queries, the ring of their buffers, and the rate maps once velocities are wanted."""

    def __init__(self, ctx: moderngl.Context, solved: SolvedCascades) -> None:
        self.ctx, self._solved = ctx, solved
        self._block = CascadeBlock(ctx)
        self._rates: _RateMaps | None = None
        self._finer: dict[int, _FinerMaps] = {}  # by the texture unit that reads them
        self._slots: list[_Slot] = []
        self._asked: deque[SurfaceQuery] = deque()

    def ask(
        self,
        x: Array,
        z: Array,
        time: float,
        blend: Blend,
        chosen: FFTSettings,
        textures: SpectrumTextures,
        maps: moderngl.TextureArray,
        velocity: bool,
        at_rest: bool = False,
    ) -> SurfaceQuery:
        """Query the maps of a time [s] at world positions [m], float64 arrays of one shape.

        Positions reach the GPU as float32 relative to their centre. Within a kilometre they are thus exact to a
        fraction of a millimetre, at any distance from the world's origin.
        """
        query = SurfaceQuery(self.ctx, time, x, z, velocity, at_rest)
        if x.size == 0:
            query._answers = np.zeros(0, _ANSWER)
            return query
        slot = self._free_slot(x.size)
        origin = float(x.mean()), float(z.mean())
        points = np.stack([x.ravel() - origin[0], z.ravel() - origin[1]], -1)
        slot.points.write(points.astype("f4").tobytes())
        with kept_bindings(self.ctx, Block.CASCADES, Sampler.MAPS):
            self._block.update(textures.keys, time, origin, blend)
            if velocity:
                self._rates = self._rates or _RateMaps(self.ctx, textures.keys, chosen)
                self._rates.update(textures, maps, self._solved, blend.progress)
                self._use(Sampler.RATES, self._rates.layers.front)
            self._use(Sampler.MAPS, maps)
            slot.points.bind_to_storage_buffer(Storage.POINTS)
            slot.answers.bind_to_storage_buffer(Storage.SURFACE)
            shaders, few = shader_library(self.ctx), finer(maps.width)
            wanted = {"VELOCITY": int(bool(velocity)), "AT_REST": int(at_rest), "FINER": few}
            program = shaders.compute("query/surface.comp", **wanted, **INVERSION)
            program["count"] = x.size
            program.run(-(-x.size // POINTS_A_GROUP))
            self.ctx.memory_barrier(IMAGES_WRITTEN)  # the maps are written again
        self.ctx.copy_buffer(slot.copy, slot.answers, x.size * _ANSWER.itemsize)
        query._slot, query._fence = slot, Fence(self.ctx)
        self._asked.append(query)
        return query

    def _use(self, unit: Sampler, maps: moderngl.TextureArray) -> None:
        """Bind maps to a texture unit, refined if they have few texels."""
        if finer(maps.width) > 1:
            if unit not in self._finer:
                self._finer[unit] = _FinerMaps(self.ctx, maps)
            self._finer[unit].update(maps)
            maps = self._finer[unit].layers.front
        maps.use(unit)

    def outdate(self) -> None:
        """Mark rate maps and refined maps as outdated, because the maps are new."""
        if self._rates is not None:
            self._rates.is_current = False
        for made in self._finer.values():
            made.is_current = False

    def forget(self) -> None:
        """Drop rate maps and refined maps, because the number of maps or the transform has changed."""
        release_all(self._rates, *self._finer.values())
        self._rates = None
        self._finer.clear()

    def _free_slot(self, points: int) -> "_Slot":
        """Return buffers that the GPU has finished with, large enough for `points` points."""
        self._asked = deque(query for query in self._asked if query._slot is not None)
        if len(self._asked) == RING:
            self._asked.popleft()._fetch()
        used = [query._slot for query in self._asked]
        free = [slot for slot in self._slots if slot not in used]
        for slot in free:
            if slot.capacity >= points:
                return slot
        if free:
            self._slots.remove(free[0])
            free[0].release()
        self._slots.append(_Slot(self.ctx, max(1024, 1 << (points - 1).bit_length())))
        return self._slots[-1]

    def release(self) -> None:
        self.forget()
        for query in self._asked:
            query._forget()
        self._asked.clear()
        release_all(*self._slots, self._block)
        self._slots.clear()


class _Slot:
    """Buffers of one query: points, answers, and a copy of the answers that the CPU reads fast."""

    def __init__(self, ctx: moderngl.Context, capacity: int) -> None:
        self.capacity = capacity
        self.points = labelled("query points", ctx.buffer(reserve=8 * capacity))
        self.answers = labelled("answers", ctx.buffer(reserve=_ANSWER.itemsize * capacity))
        self.copy = readback_buffer(ctx, _ANSWER.itemsize * capacity)

    def release(self) -> None:
        release_all(self.points, self.answers, self.copy)


class _RateMaps:
    """The time derivative of the displacement maps: the velocity of the water. It has a transform of its own."""

    def __init__(self, ctx: moderngl.Context, keys: Sequence[CascadeKey], settings: FFTSettings) -> None:
        self.ctx = ctx
        self.layers = FieldLayers(ctx, keys[0].size, len(keys))
        self._plan = fft.plan(ctx, settings.backend, self.layers, settings.options)
        self.is_current = False

    def update(
        self, textures: SpectrumTextures, maps: moderngl.TextureArray, solved: SolvedCascades, progress: float
    ) -> None:
        """Compute the maps from these amplitudes at the time of the bound cascade block, unless they are current."""
        if self.is_current:
            return
        self.is_current = True
        textures.evolve_into(self.layers.front, "rates")
        solved.add_drift(self.layers.front, progress)
        self._plan.inverse()
        self.ctx.memory_barrier(moderngl.Context.TEXTURE_FETCH_BARRIER_BIT)
        solved.carry_rates(maps, self.layers.front)

    def release(self) -> None:
        release_all(self._plan, self.layers)


class _FinerMaps:
    """Maps with `finer` times as many texels along a side, by transforms of their own."""

    def __init__(self, ctx: moderngl.Context, maps: moderngl.TextureArray) -> None:
        self.ctx, (size, _, count) = ctx, maps.size
        self._spectra = FieldLayers(ctx, size, count)
        self.layers = FieldLayers(ctx, finer(size) * size, count)
        self._plans = fft.plan(ctx, "auto", self._spectra, scale=size**-2), fft.plan(ctx, "auto", self.layers)
        self.is_current = False

    def update(self, maps: moderngl.TextureArray) -> None:
        """Refine these maps, unless the refined ones are current."""
        if self.is_current:
            return
        self.is_current = True
        self._resample(maps, self._spectra)
        self._plans[0].forward()
        self._resample(self._spectra.front, self.layers)
        self._plans[1].inverse()
        self.ctx.memory_barrier(moderngl.Context.TEXTURE_FETCH_BARRIER_BIT)

    def _resample(self, source: moderngl.TextureArray, target: FieldLayers) -> None:
        self.ctx.memory_barrier(moderngl.Context.TEXTURE_FETCH_BARRIER_BIT)
        source.use(Sampler.MAPS)
        target.front.bind_to_image(Image.FRONT, read=False, write=True)
        program = shader_library(self.ctx).compute("query/resample.comp", FINER=target.width // source.width)
        groups = -(-target.width // 8)
        dispatch(program, groups, groups, target.layers, moderngl.Context.SHADER_IMAGE_ACCESS_BARRIER_BIT)

    def release(self) -> None:
        release_all(*self._plans, self._spectra, self.layers)


@dataclass(frozen=True)
class Crest:
    """A crest at a world position [m], its height [m], and the time [s]."""

    x: float
    z: float
    height: float
    time: float


def highest_crest(sea: BaseSea, x: float, z: float) -> Crest:
    """Return the highest crest in a square as large as the longest tile around a world position [m], to a few
    millimetres in height. Waits for the GPU."""
    if (place := np.stack(world_points(x, z))).shape != (2,) or not isinstance(sea, BaseSea):
        raise TypeError(f"highest_crest takes a Sea and one point, not {type(sea).__name__} and {shown((x, z))}")
    spacing = sea.tiles[0].side / CREST_POINTS
    axis = (np.arange(CREST_POINTS) - (CREST_POINTS - 1) / 2) * spacing
    points = np.stack(np.meshgrid(*place[:, None] + axis), -1).reshape(-1, 2)
    for _ in range(3):
        sample = sea.query(points[:, 0], points[:, 1], velocity=False).result()
        heights = np.where(sample.converged, sample.height, -np.inf)
        best = np.argsort(heights)[-TOPS:]
        top, height = points[best[-1]], float(heights[best[-1]])
        step = np.linspace(-spacing, spacing, FINER)
        around = np.stack(np.meshgrid(step, step), -1).reshape(-1, 2)
        points, spacing = (points[best][:, None] + around).reshape(-1, 2), 2 * spacing / (FINER - 1)
    return Crest(float(top[0]), float(top[1]), height, sample.time)
