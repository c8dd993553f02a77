"""Nonlinear waves of one cascade on the GPU: the high-order spectral method through `ocean.fft`, a part at a time.

`ocean.waves.nonlinear` solves the same equations in float64, and explains them. Here the unknowns are the amplitudes
h(k) of the linear sea. Linear motion does not change them, so it is exact at any time, and the maps' own transform
takes them like the amplitudes of linear waves.

A time step has four Runge-Kutta stages, and a stage has parts with one transform each. Parts run while the time step
before is shown, so that each frame computes about as much. They run at the end of a frame, while the GPU draws: at its
start the GPU would wait for their commands.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean import fft
from ocean.common.parameters import Parameters
from ocean.fft.storage import FieldLayers
from ocean.gpu.bindings import Image, Sampler
from ocean.gpu.context import labelled, release_all
from ocean.gpu.passes import dispatch
from ocean.gpu.shaders import set_uniforms, shader_library
from ocean.sea.blend import Blend, Cascade, CascadeKey
from ocean.sea.maps import AMPLITUDES_WRITTEN, SpectrumTextures
from ocean.settings import FFTSettings
from ocean.waves import amplitudes
from ocean.waves import nonlinear as equations
from ocean.waves.dispersion import GRAVITY, clock_ticks, phase
from ocean.waves.nonlinear import Checkpoints, Extent, Starts, embedded, fingerprint

GROUP = 8  # invocations along a side of a work group
RUNGE_KUTTA_STAGES = 4
WEIGHTS = 1 / 6, 1 / 3, 1 / 3, 1 / 6  # weight of the rate of each Runge-Kutta stage
AT = 0.0, 0.5, 0.5, 1.0  # time of each Runge-Kutta stage, in time steps
STAGES_A_FRAME = 8
"""Maximum number of Runge-Kutta stages at once for waves of a coming sea, besides those that keep up with the time."""
STRAINS, SURFACE_FIELDS = 3, 5
LOSS_PARTS = 2
"""Parts that follow the first Runge-Kutta stage of a time step: the strains, and the losses with their transform."""
BARRIER = moderngl.Context.SHADER_IMAGE_ACCESS_BARRIER_BIT | moderngl.Context.TEXTURE_FETCH_BARRIER_BIT


@dataclass(frozen=True)
class Energies:
    """Energies per area and water density [m³/s²]: of the linear waves at the start and of the waves now, to second
    order in steepness; what the filter has taken since, and what was lost to breaking."""

    start: float
    now: float
    filtered: float
    broken: float


def points_for(cutoff: float, side: float, order: int) -> int:
    """Return the points along a side of the solver's grid for waves up to a cutoff [rad/m] on a tile of this side [m].
    They are a power of two, which all backends transform."""
    return max(16, 1 << (equations.smallest_grid(cutoff, side, order) - 1).bit_length())


def solver_layers(order: int) -> list[tuple[int, Literal[1, 2]]]:
    """Return the layers that hold the fields of each order, from 0, the strains, and the complex numbers per texel. A
    complex number holds two real fields."""
    counts = STRAINS, SURFACE_FIELDS + order, *range(order - 1, 0, -1)
    return [(-(-count // 4), 1 if count <= 2 else 2) for count in counts]


def _texture(ctx: moderngl.Context, side: int, label: str, components: int, dtype: str = "f4") -> moderngl.Texture:
    texture = labelled(label, ctx.texture((side, side), components, dtype=dtype))
    texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
    return texture


class NonlinearWaves:
    """The waves of a cascade with an order above 1."""

    def __init__(
        self,
        ctx: moderngl.Context,
        cascade: Cascade,
        chosen: FFTSettings,
        first: float | None = None,
        checkpoints: Checkpoints | None = None,
    ) -> None:
        self.ctx, self.key = ctx, cascade.key
        waves, key = cascade.waves, cascade.key
        self.extent = Extent.of(waves)
        self.step = self.extent.step  # s
        self.points = points_for(self.extent.cutoff, key.tile.side, key.order)
        """Points along a side of the solver's grid."""
        self._linear = embedded(waves.h0, self.points).astype(np.complex64)
        self._steps = amplitudes.steps(key.tile, self.points, key.depth, key.dispersion, key.period)
        self._loop_steps = _texture(ctx, self.points, "nonlinear loop steps", 1, "u4")
        self._loop_steps.write(np.ascontiguousarray(self._steps))
        self._before, self._after, self._sum, self._stage = (
            _texture(ctx, self.points, f"nonlinear waves {name}", 2) for name in ("before", "after", "sum", "stage")
        )
        self._viscosity, self._new_viscosity = (
            _texture(ctx, self.points, f"{name} eddy viscosity", 1) for name in ("last", "new")
        )
        self._lost = _texture(ctx, self.points, "lost energy", 2)
        self._strains, *self._orders = (FieldLayers(ctx, self.points, *each) for each in solver_layers(key.order))
        self._product = FieldLayers(ctx, self.points, 1, packed=1)
        self._plans: list[fft.FFTPlan] = []
        self._transform: tuple[str, Parameters] | None = None
        with ExitStack() as made:
            made.callback(self.release)
            self.take(chosen)
            made.pop_all()
        self.starts, self._checkpoints = Starts(self.extent, first), checkpoints
        self.parts = 2 * key.order  # parts of a Runge-Kutta stage, with one transform each
        self._parts_a_step = RUNGE_KUTTA_STAGES * self.parts + LOSS_PARTS
        self._reached = 0
        """Number of the time step in `_after`; `_before` is one earlier, and the one being computed one later."""
        self._done = self._begun = 0  # parts since the start, and parts in the checkpoint
        self._asked = math.inf  # time [s] of the last call of `catch_up`
        self.share = 0.0  # completed fraction of the parts after the last call of `catch_up`

    def take(self, chosen: FFTSettings) -> None:
        """Transform with another backend, or with `auto` if that backend can't run the solver's size."""
        if (chosen.backend, chosen.options) == self._transform:
            return
        try:
            plans = self._make_plans(chosen.backend, chosen.options)
        except fft.FFTError:
            plans = self._make_plans("auto", None)
        release_all(*self._plans)
        self._plans, self._transform = plans, (chosen.backend, chosen.options)

    def _make_plans(self, backend: str, options: Parameters | None) -> list[fft.FFTPlan]:
        """Return the plan of the strains and of each order's fields, and the plan of their product."""
        with ExitStack() as made:
            plans = []
            inverse = ((each, 1.0) for each in (self._strains, *self._orders))
            for fields, scale in (*inverse, (self._product, self.points**-2.0)):
                plans.append(fft.plan(self.ctx, backend, fields, options, scale))
                made.callback(plans[-1].release)
            made.pop_all()
        return plans

    # -- Time --------------------------------------------------------------------------------------------------------

    def start_for(self, time: float, checkpoints: Checkpoints | None = None) -> None:
        """Start for a time [s], whatever the first frame's time. Save checkpoints, and continue from the latest."""
        self.starts, self._checkpoints = Starts(self.extent, time), checkpoints

    @property
    def _name(self) -> str:
        """Name of these waves among checkpoints."""
        return fingerprint(self._linear, "float32", replace(self.key, course=0), self.starts.time)

    def _start(self, most: int) -> None:
        """Start the waves again: from the latest checkpoint up to time step `most`, or from the linear sea."""
        found = self._checkpoints and self._checkpoints.last(self._name, most)
        self._reached, state = found or (0, {})
        self._done = self._begun = self._parts_a_step * self._reached
        self.ctx.memory_barrier(moderngl.Context.TEXTURE_UPDATE_BARRIER_BIT)  # after the shaders' writes
        empty = np.zeros((self.points, self.points), np.complex64)
        self._before.write(state.get("before", self._linear))
        self._after.write(state.get("after", self._linear))
        for texture in (self._sum, self._stage):
            texture.write(empty)  # waves left out stay 0
        self._lost.write(state.get("lost", empty))
        self._viscosity.write(state.get("viscosity", np.zeros(empty.shape, np.float32)))

    def advance(self, time: float, most: float = math.inf) -> float:
        """Compute the time steps before and after a time [s], at most `most` Runge-Kutta stages. Return the completed
        fraction of all parts since the start or the checkpoint."""
        restarts = self.starts.take(time)
        last = math.floor(self._wanted(time)) + 1
        if restarts or last < self._reached:
            self._start(last)
        until = last * self._parts_a_step
        for _ in range(int(min(self.parts * most, until - self._done))):
            self._run_next_part()
        if self._reached < last:
            self._end_step()
        return 1.0 if self._reached == last else (self._done - self._begun) / (until - self._begun)

    def go_on(self, time: float) -> None:
        """Compute the parts of the next time step that are due by a time [s], after `advance` to an earlier time."""
        due = self._parts_a_step * min(self._wanted(time) - self._reached + 1, 1)
        while self._done < self._parts_a_step * self._reached + math.floor(due):
            self._run_next_part()

    def has_due_parts(self, time: float) -> bool:
        """Return whether `go_on` has parts to compute, or the waves have not started. Parts that fall due in between
        may wait for the next frame."""
        if math.isnan(self.starts.time):
            return True
        reached = self._reached + (self._done >= self._parts_a_step * (self._reached + 1))
        due = self._parts_a_step * min(self._wanted(time) - reached + 1, 1)
        return self._done < self._parts_a_step * reached + math.floor(due)

    def _wanted(self, time: float) -> float:
        return (time - self.starts.time) / self.step

    def _end_step(self) -> None:
        """Move the computed time step into `_after`, if all its parts are done."""
        if self._done < self._parts_a_step * (self._reached + 1):
            return
        self._before, self._after, self._sum = self._after, self._sum, self._before
        self._reached += 1
        if self._checkpoints is not None and self._reached % equations.CHECKPOINT_STEPS == 0:
            state = {"before": self._before, "after": self._after}
            state |= {"lost": self._lost, "viscosity": self._viscosity}
            self._checkpoints.keep(self._name, self._reached, {name: self._read(each) for name, each in state.items()})

    def catch_up(self, time: float) -> bool:
        """Compute a part of the waves up to a time [s]: a few Runge-Kutta stages, and twice as many as have fallen due
        since the last call. Return whether all are done."""
        due = RUNGE_KUTTA_STAGES * max(time - self._asked, 0.0) / self.step
        self._asked = time
        self.share = self.advance(time, STAGES_A_FRAME + 2 * due)
        return self.share == 1

    def _run_next_part(self) -> None:
        """Transform the fields of an order, the product for the next order, or, as the last part, the rates."""
        self._end_step()
        number = self._done - self._parts_a_step * self._reached
        self._done += 1
        if 0 <= (part := number - self.parts) < LOSS_PARTS:
            self._run_loss_part(part, self.starts.time + self._reached * self.step)
            return
        stage, part = divmod(number - LOSS_PARTS * (part >= LOSS_PARTS), self.parts)
        time = self.starts.time + (self._reached + AT[stage]) * self.step
        order, multiplies = part // 2 + 1, part % 2
        if part + 1 == self.parts:
            self._end_stage(stage, time)
        elif multiplies:
            self._transform_product("product", M=order + 1)
        else:
            self._transform_order(order, self._after if stage == 0 else self._stage, time)

    def _end_stage(self, stage: int, time: float) -> None:
        self._transform_product("rates")
        passed = (time - self.starts.time) / (equations.LEAD_RAMP * self.extent.period)
        share = 1 - math.exp(-(passed**equations.RAMP_POWER))
        program = self._program("advance")
        ahead = AT[stage + 1] if stage + 1 < RUNGE_KUTTA_STAGES else 0.0
        own = {"number": stage, "share": share, "part": WEIGHTS[stage] * self.step, "ahead": ahead * self.step}
        self._set(program, time, **own)
        self._product.front.bind_to_image(Image.PRODUCT, read=True, write=False)
        self._after.use(Sampler.WAVES_AFTER)
        self._loop_steps.use(Sampler.LOOP_STEPS)
        self._sum.bind_to_image(Image.WAVES_SUM, read=True, write=True)
        self._stage.bind_to_image(Image.WAVES_STAGE, read=False, write=True)
        self._run(program)

    def _run_loss_part(self, part: int, time: float) -> None:
        """Write the strains of the waves at the start of a time step; then, as the second part, take the losses of
        this time step from its sum. The fields of order 1 are still those of the first stage."""
        if part == 0:
            self._transform_order(0, self._after, time)
            return
        cutoff, grid = self.extent.cutoff, {"cell": self.key.tile.side / self.points, "time_step": self.step}
        program = self._program("breaking")
        most = equations.breaker_viscosity(self.extent.mean_wave_number, cutoff, self.step)
        own = {"most": most, "gravity": GRAVITY, "slowest": math.sqrt(GRAVITY / cutoff)}
        own |= {"breaking_time": equations.BREAKING_TIME, "spreading": equations.SPREADING}
        own["spread_share"] = equations.SPREAD_SHARE
        set_uniforms(program, {**grid, **own, "breaking": equations.BREAKING, "steepest": equations.STEEPEST})
        self._bind_orders()
        self._strains.front.use(Sampler.STRAINS)
        self._viscosity.use(Sampler.VISCOSITY)
        self._new_viscosity.bind_to_image(Image.VISCOSITY, read=False, write=True)
        self._run(program)
        self._viscosity, self._new_viscosity = self._new_viscosity, self._viscosity
        self._viscosity.use(Sampler.VISCOSITY)
        self._transform_product("flux", grid)
        program = self._program("lose")
        own = {"part": WEIGHTS[0] * self.step, "filter_length": equations.LOW_PASS_WIDTH * cutoff}
        self._set(program, time, **own, filter_power=equations.LOW_PASS_POWER)
        self._product.front.bind_to_image(Image.PRODUCT, read=True, write=False)
        self._after.use(Sampler.WAVES_AFTER)
        self._loop_steps.use(Sampler.LOOP_STEPS)
        self._sum.bind_to_image(Image.WAVES_SUM, read=True, write=True)
        self._lost.bind_to_image(Image.LOST, read=True, write=True)
        self._run(program)

    def _transform_order(self, order: int, waves: moderngl.Texture, time: float) -> None:
        """Write the fields of an order on the grid: strains and order 1 from the waves, of a higher order from
        `_product`."""
        fields = self._orders[order - 1] if order else self._strains
        program = self._program("spread", M=order, PACKED=fields.packed)
        self._set(program, time)
        waves.use(Sampler.WAVES_BEFORE)
        self._product.front.bind_to_image(Image.PRODUCT, read=True, write=False)
        self._loop_steps.use(Sampler.LOOP_STEPS)
        fields.front.bind_to_image(Image.FRONT, read=False, write=True)
        self._run(program, fields.layers)
        self._plans[order].inverse()
        self.ctx.memory_barrier(BARRIER)

    def _bind_orders(self) -> None:
        for unit, fields in enumerate(self._orders):
            fields.front.use(Sampler.ORDERS + unit)

    def _transform_product(self, name: str, values: Mapping[str, float] | None = None, **defines: int) -> None:
        """Write the spectrum of a shader's product of the fields into `_product`; `values` are its uniforms."""
        program = self._program(name, **defines)
        set_uniforms(program, values or {})
        self._bind_orders()
        self._product.front.bind_to_image(Image.FRONT, read=False, write=True)
        self._run(program)
        self._plans[-1].forward()
        self.ctx.memory_barrier(BARRIER)

    def _program(self, name: str, **defines: int) -> moderngl.ComputeShader:
        own = {"ORDER": self.key.order, "POINTS": self.points}
        return shader_library(self.ctx).compute(f"nonlinear/{name}.comp", **own, **defines)

    def _set(self, program: moderngl.ComputeShader, time: float, **values: float) -> None:
        key = self.key
        depth = key.finite_depth
        lattice = {"dk": key.tile.dk, "depth": depth, "turn": 2 * math.pi / key.period, "most": self.extent.most}
        set_uniforms(program, {**lattice, "ticks": clock_ticks(time, key.period), **values})

    def _run(self, program: moderngl.ComputeShader, layers: int = 1, size: int = 0) -> None:
        groups = -(-(size or self.points) // GROUP)
        dispatch(program, groups, groups, layers, BARRIER)

    # -- Into the maps -----------------------------------------------------------------------------------------------

    def feed(self, textures: SpectrumTextures, cascade: int, weight: float, time: float) -> None:
        """Write the waves of a time [s] that `advance` has reached, times a weight, as the amplitudes of a cascade."""
        program = shader_library(self.ctx).compute("nonlinear/feed.comp", POINTS=self.points, **textures.defines)
        share = self._wanted(time) - self._reached + 1
        weights = {"from_before": weight * (1 - share), "from_after": weight * share}
        set_uniforms(program, {"cascade": cascade, **weights})
        self._before.use(Sampler.WAVES_BEFORE)
        self._after.use(Sampler.WAVES_AFTER)
        textures.bind()
        dispatch(program, textures.groups, textures.groups, barrier=AMPLITUDES_WRITTEN)

    def add_drift(self, front: moderngl.TextureArray, cascade: int, weight: float) -> None:
        """Add the amplitudes' rates of change to the spectra of a cascade's rates."""
        program = shader_library(self.ctx).compute("nonlinear/drift.comp", POINTS=self.points)
        set_uniforms(program, {"cascade": cascade, "per_step": weight / self.step})
        self._before.use(Sampler.WAVES_BEFORE)
        self._after.use(Sampler.WAVES_AFTER)
        self._loop_steps.use(Sampler.LOOP_STEPS)
        front.bind_to_image(Image.FRONT, read=True, write=True)
        self._run(program, size=front.size[0])

    # -- Answers -----------------------------------------------------------------------------------------------------

    def spectrum(self, time: float) -> NDArray[np.complex128]:
        """Return `h(k) e^{-iwt}` at a time [s] that `advance` has reached, (points, points). Waits for the GPU."""
        before, after = (self._read(each).view(np.complex64)[..., 0] for each in (self._before, self._after))
        share = self._wanted(time) - self._reached + 1
        turns = phase(self._steps, clock_ticks(time, self.key.period))
        return np.asarray(((1 - share) * before + share * after) * np.exp(-1j * turns))

    @property
    def energy_bytes(self) -> int:
        return (8 + 8) * self.points**2

    def copy_energy(self, into: moderngl.Buffer) -> None:
        """Copy the input of `energies` into a buffer on the GPU."""
        self.ctx.memory_barrier(moderngl.Context.TEXTURE_UPDATE_BARRIER_BIT)
        self._after.read_into(into)
        self._lost.read_into(into, write_offset=8 * self.points**2)

    def energies(self, numbers: NDArray[np.float32]) -> Energies:
        """Return the energies from the numbers of `copy_energy`."""
        h, lost = numbers.astype(np.float64).reshape(2, -1, 2)
        now = 2 * float(self._gravity @ np.sum(h**2, axis=-1))
        return Energies(self._start_energy, now, *lost.sum(axis=0).tolist())

    @cached_property
    def _start_energy(self) -> float:
        return 2 * float(self._gravity @ np.square(np.abs(self._linear), dtype=np.float64).ravel())

    @cached_property
    def _gravity(self) -> NDArray[np.float64]:
        """Restoring acceleration [m/s²] of each wave, w² / (k tanh kd), (points²)."""
        n = amplitudes.wave_numbers(self.points)
        k = np.hypot(n, n[:, None]) * self.key.tile.dk
        depth = self.key.finite_depth
        w = self._steps * (2 * math.pi / self.key.period)
        return np.divide(w * w, k * np.tanh(np.minimum(k * depth, 50.0)), out=np.zeros_like(k), where=k > 0).ravel()

    def _read(self, texture: moderngl.Texture) -> NDArray[np.float32]:
        self.ctx.memory_barrier(moderngl.Context.TEXTURE_UPDATE_BARRIER_BIT)
        return np.frombuffer(texture.read(), np.float32).reshape(self.points, self.points, -1)

    def release(self) -> None:
        release_all(*self._plans, self._strains, *self._orders, self._product, self._viscosity, self._new_viscosity)
        release_all(self._loop_steps, self._before, self._after, self._sum, self._stage, self._lost)


@dataclass(frozen=True)
class _Share:
    """A cascade of nonlinear waves in a blend. The factors of an incoming and an outgoing cascade of one draw add up to
    1, otherwise their squares do. The amplitudes of an incoming linear cascade grow as the root of the progress."""

    cascade: int
    waves: NonlinearWaves
    before: float  # fraction of its variance at the start
    stays: bool  # whether it is there at the end
    alike: bool  # whether another cascade has the same draw, such as a linear one
    makes_way: bool  # whether a linear cascade of the same draw stays

    def factor(self, progress: float) -> float:
        if self.alike and self.stays:
            goes = math.sqrt(1 - progress)
            return math.sqrt(self.before) * goes + 1 - goes
        if self.makes_way:
            return math.sqrt(self.before) * (1 - math.sqrt(progress))
        return math.sqrt(self.before * (1 - progress) + self.stays * progress)


class SolvedCascades:
    """All living cascades with nonlinear waves: usually none or one, and two while one sea turns into another."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self._first: float | None = None
        self._checkpoints: Checkpoints | None = None
        self._waves: dict[CascadeKey, NonlinearWaves] = {}
        self._coming: dict[CascadeKey, NonlinearWaves] = {}  # waves of a coming sea
        self._carried: tuple[moderngl.Texture, ...] = ()  # surfaces at displaced water, and the rates of one of them
        self._shares: list[_Share] = []

    def __bool__(self) -> bool:
        return bool(self._waves)

    @property
    def waves(self) -> tuple[NonlinearWaves, ...]:
        return tuple(self._waves.values())

    def turned(self, cascade: Cascade, time: float) -> NDArray[np.complex128]:
        """Return `h(k) e^{-iwt}` of a cascade at a time [s]: solved, if it has nonlinear waves."""
        if waves := self._waves.get(cascade.key):
            return embedded(waves.spectrum(time), cascade.key.size)
        rotation = np.exp(-1j * phase(cascade.steps, clock_ticks(time, cascade.key.period)))
        return np.asarray(cascade.waves.h0 * rotation)

    @property
    def share_prepared(self) -> float:
        """Completed fraction of the waves of a coming sea."""
        return min((waves.share for waves in self._coming.values()), default=0.0)

    def prepare(self, cascades: Sequence[Cascade], chosen: FFTSettings, time: float) -> bool:
        """Compute a part of the waves that a coming sea needs at a time [s]. Return whether they are complete."""
        wanted = {each.key: each for each in cascades if each.key.course and each.key not in self._waves}
        for key in self._coming.keys() - wanted.keys():
            self._coming.pop(key).release()
        for key in wanted.keys() - self._coming.keys():
            self._coming[key] = NonlinearWaves(self.ctx, wanted[key], chosen, self._first, self._checkpoints)
        return all(waves.catch_up(time) for waves in self._coming.values())

    def take(self, blend: Blend, chosen: FFTSettings) -> None:
        """Make the waves of new cascades, release those of cascades that have gone, and compute the fractions in the
        blend. On an error the previous waves stay."""
        living = {each.key: each for each in blend.living if each.key.course}
        known = self._waves | self._coming
        size = blend.after.size
        with ExitStack() as made:
            for key in living.keys() - known.keys():
                known[key] = NonlinearWaves(self.ctx, living[key], chosen, self._first, self._checkpoints)
                made.callback(known[key].release)
            count, carried = len(living) + 1 if living else 0, self._carried
            if len(carried) != count or any(texture.width != size for texture in carried):
                carried = tuple(_texture(self.ctx, size, "carried surface", 4) for _ in range(count))
                made.callback(release_all, *carried)
            for key in living.keys() & known.keys():
                known[key].take(chosen)
            made.pop_all()
        if carried is not self._carried:
            release_all(*self._carried)
            self._carried = carried
        for key in self._waves.keys() - living.keys():
            self._waves[key].release()
        self._waves = {key: known[key] for key in living}
        for key in living:
            self._coming.pop(key, None)
        self._shares = []
        draws = [replace(each.key, order=1, course=0) for each in blend.living]
        staying = {each.key for each, target in zip(blend.living, blend.target, strict=True) if target.any()}
        for i, (cascade, start, target) in enumerate(zip(blend.living, blend.start, blend.target, strict=True)):
            if waves := self._waves.get(cascade.key):
                before = float(start.sum()) / (float(cascade.variance.sum()) or 1.0)
                alike, makes_way = draws.count(draws[i]) > 1, draws[i] in staying
                self._shares.append(_Share(i, waves, before, bool(target.any()), alike, makes_way))

    def start(self, time: float, checkpoints: Checkpoints | None) -> None:
        self._first, self._checkpoints = time, checkpoints
        for waves in self._waves.values():
            waves.start_for(time, checkpoints)

    def catch_up(self, time: float) -> Iterator[float]:
        """Compute the waves up to a time [s], and yield the completed fraction after each Runge-Kutta stage."""
        for waves in self._waves.values():
            while (share := waves.advance(time, 1)) < 1:
                yield share

    def feed(self, textures: SpectrumTextures, time: float, progress: float) -> None:
        """Compute the waves of a time [s] and write them as amplitudes of their cascades."""
        for share in self._shares:
            share.waves.advance(time)
            share.waves.feed(textures, share.cascade, share.factor(progress), time)

    def go_on(self, time: float) -> None:
        for waves in self._waves.values():
            waves.go_on(time)

    def has_due_parts(self, time: float) -> bool:
        return any(waves.has_due_parts(time) for waves in self._waves.values())

    def carry(self, maps: moderngl.TextureArray, copies: moderngl.TextureArray | None) -> None:
        """Move the surfaces in the maps to the rest positions of the water, as readers of the maps expect, at the
        choppiness of the bound cascade block; see `nonlinear/carry.comp`."""
        for share, surface in zip(self._shares, self._carried, strict=False):
            maps.use(Sampler.MAPS)
            if copies is not None:
                copies.bind_to_image(Image.HALF_MAPS, read=False, write=True)
            self._move(surface, maps, share.cascade, RATES=0, HALF_MAPS=int(copies is not None))

    def add_drift(self, front: moderngl.TextureArray, progress: float) -> None:
        for share in self._shares:
            share.waves.add_drift(front, share.cascade, share.factor(progress))

    def carry_rates(self, maps: moderngl.TextureArray, rates: moderngl.TextureArray) -> None:
        """Move the rates of the heights in the rate maps, after `carry`."""
        for share, surface in zip(self._shares, self._carried, strict=False):
            maps.use(Sampler.MAPS)
            rates.use(Sampler.RATES)
            surface.use(Sampler.CARRIED)
            self._move(self._carried[-1], rates, share.cascade, RATES=1, HALF_MAPS=0)

    def _move(self, carried: moderngl.Texture, into: moderngl.TextureArray, cascade: int, **defines: int) -> None:
        groups = -(-carried.width // GROUP)
        self.ctx.memory_barrier(BARRIER)
        carry = shader_library(self.ctx).compute("nonlinear/carry.comp", RATES=defines["RATES"])
        set_uniforms(carry, {"cascade": cascade})
        carried.bind_to_image(Image.CARRIED, read=False, write=True)
        dispatch(carry, groups, groups, barrier=BARRIER)
        place = shader_library(self.ctx).compute("nonlinear/place.comp", **defines)
        set_uniforms(place, {"cascade": cascade})
        carried.use(Sampler.CARRIED)
        into.bind_to_image(Image.FRONT, read=True, write=True)
        dispatch(place, groups, groups, barrier=BARRIER)

    def release(self) -> None:
        release_all(*self._waves.values(), *self._coming.values(), *self._carried)
        self._waves, self._coming, self._carried, self._shares = {}, {}, (), []
