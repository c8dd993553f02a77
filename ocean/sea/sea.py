"""The sea on the GPU: amplitudes -> evolve -> FFT -> maps -> foam, as passes. Knows no window and no camera.

The output of the transform is the displacement and derivative maps, (h, dxz, dx, dz) and (hx, hz, dxx, dzz) for each
cascade. Readers of the maps apply the choppiness.
"""

import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean import fft
from ocean.common.errors import InputError
from ocean.fft.auto import tuned_plans
from ocean.fft.contract import FFT
from ocean.fft.storage import Callback, FieldLayers
from ocean.gpu.context import Releasable, clear_samplers, current, in_context, is_alive, release_all, release_made
from ocean.gpu.passes import Pass, needed, run_passes
from ocean.gpu.shaders import shader_library
from ocean.gpu.timing import PassTimers
from ocean.sea.base import NO_UPDATE, BaseSea, query_points, refuse_endless, refuse_no_duration, resolved
from ocean.sea.blend import (
    Blend,
    SeaChange,
    SeaSpectrum,
    SpectrumWorker,
    make_sea_change,
    make_spectrum,
    spectrum_inputs,
)
from ocean.sea.foam import FoamMap, FoamRules
from ocean.sea.host import HostSea
from ocean.sea.maps import CascadeBlock, MapStorage, SpectrumTextures
from ocean.sea.memory import refuse_shortage, solver_bytes
from ocean.sea.nonlinear import SolvedCascades
from ocean.sea.query import SurfaceQueries, SurfaceQuery
from ocean.settings import FFTSettings, Settings
from ocean.waves.nonlinear import Checkpoints
from ocean.waves.tiles import Tile
from ocean.waves.whitecaps import Births

EVOLVE = "evolve"  # name of the evolve pass, and prefix of a transform fused with it
EVOLVED_FFT = f"{EVOLVE} + {FFT}"  # group name of a fused transform's passes
CHANGE_ERRORS = InputError, OSError, MemoryError, moderngl.Error
"""Errors that can stop a change of the sea in a correct program: those of settings, files, memory and GPU."""
Built = tuple[SpectrumTextures, MapStorage, fft.FFTPlan]


class ChangeError(InputError):
    """A change of the sea that was accepted but failed. The sea keeps its previous settings and goes on."""


class Sea(BaseSea):
    """A running sea on one GPU. Each call makes the sea's context current and then restores the caller's.

    Raises:
        FFTError: when the FFT backend can't run the size on this GPU, or the GPU lacks the memory for the sea.
        TypeError: when there is no context.
    """

    def __init__(self, ctx: moderngl.Context, settings: Settings) -> None:
        if not isinstance(ctx, moderngl.Context):
            raise TypeError(f"a Sea needs a moderngl.Context, not {type(ctx).__name__}; make_sea(settings) needs none")
        self._ctx, settings = ctx, resolved(settings)
        with current(ctx):
            fft.refuse_obstacle(self.ctx, settings.fft.backend, settings.fft.size, settings.fft.options)
            refuse_shortage(self.ctx, settings)
            self.settings = settings
            self.time = 0.0
            """Time [s] of the frame that has begun; 0 before the first."""
            self._next_time = 0.0  # expected time of the next frame, extrapolated from the last two
            self._maps_time: float | None = None  # None before the first frame, and after a change of the amplitudes
            self._frame: tuple[object, ...] | None = None  # inputs of the last `begin`
            self._is_done = False  # whether the passes of `_frame` have run
            self._rests = False  # whether the frame that has begun needs no passes
            self._worker = SpectrumWorker()
            self._held: SeaChange | None = None
            self._waits = False  # whether the held change waits for the end of the blend
            self._foam_rules = FoamRules()
            self.blend = Blend.settled(make_spectrum(settings))
            self.fft = settings.fft
            """Settings of the running transform. During a change of size, these are the old settings."""
            with ExitStack() as made:
                made.callback(release_made, self, "foam", "_queries", "solved", "block")
                self.block = CascadeBlock(self.ctx)
                """The cascades' uniform block. Passes bind it directly, because the sea's context is current there."""
                self.solved = SolvedCascades(self.ctx)
                """The nonlinear waves; none in a linear sea."""
                self._queries = SurfaceQueries(self.ctx, self.solved)
                self.foam = FoamMap(self.ctx, settings.foam.resolution)
                self.textures, self._maps, self.plan = self._built(self.blend, settings.fft)
                made.pop_all()
            self._upload_variances()
            self._build_passes()

    @property
    def ctx(self) -> moderngl.Context:
        """The context of the sea.

        Raises:
            RuntimeError: when the sea was released, as do all calls: each makes its context current.
        """
        self.refuse_released()
        return self._ctx

    def __del__(self) -> None:
        if not self.is_released and "plan" in vars(self) and is_alive(self._ctx):  # not if its making has failed
            warnings.warn("a Sea was dropped; its GPU memory is free only after release()", ResourceWarning, 1, self)

    # -- Parts -------------------------------------------------------------------------------------------------------

    @property
    @in_context
    def maps(self) -> moderngl.TextureArray:
        """RGBA32F texture array with mip levels, two layers per cascade: (h, dxz, dx, dz), (hx, hz, dxx, dzz). Raises
        RuntimeError as `fields`."""
        return self._updated().maps

    @property
    @in_context
    def filtered(self) -> moderngl.TextureArray:
        """Texture array that shading and foam read: the maps, or RGBA16F copies of them. With copies the maps have no
        mip levels of derivatives. Raises RuntimeError as `fields`."""
        return self._updated().filtered

    @property
    def storage(self) -> FieldLayers:
        """Storage of the transform, whose output is `maps`."""
        return self._maps.storage

    @property
    def size(self) -> int:
        """Texels along a side of the maps. During a change of size, this is the old size."""
        return self.textures.size

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Tiles of the living cascades, in the order of the maps' layers; during a blend, of both seas."""
        return tuple(key.tile for key in self.textures.keys)

    @property
    def is_blending(self) -> bool:
        """Whether one sea is turning into another."""
        return self.blend.progress < 1

    @property
    def spectrum(self) -> SeaSpectrum | None:
        """Spectrum of the maps; None while one sea is turning into another."""
        return None if self.is_blending else self.blend.after

    @property
    def is_busy(self) -> bool:
        """Whether another sea is being computed or waits to be blended in."""
        return self._worker.is_busy or self._held is not None

    def _built(self, blend: Blend, chosen: FFTSettings, before: Built | None = None) -> Built:
        """Return amplitudes for the living cascades of a blend, maps for their number and size, and a plan of the
        transform. Parts of `before` with the same inputs are reused."""
        textures, maps, plan = before or (None, None, None)
        with ExitStack() as made:
            if textures is None or textures.keys != tuple(cascade.key for cascade in blend.living):
                textures = SpectrumTextures(self.ctx, blend.living)
                made.callback(textures.release)
            if maps is None or (maps.size, maps.cascades) != (textures.size, len(textures.keys)):
                maps, plan = MapStorage(self.ctx, textures.size, len(textures.keys)), None
                made.callback(maps.release)
            copies = maps.copies
            if plan is None or not self._runs(chosen):
                copies = maps.new_copies(chosen)
                made.callback(release_all, copies)
                source, target = self.source(textures), maps.target(copies)
                fused = fft.fuse(chosen.backend, maps.storage, source, chosen.options, target) if chosen.fused else None
                plan = fused or fft.plan(self.ctx, chosen.backend, maps.storage, chosen.options, target=target)
                made.callback(plan.release)
            self.solved.take(blend, chosen)
            made.pop_all()
        self._tuned = tuned_plans(self.ctx)
        if copies is not maps.copies:
            release_all(maps.copies)
            maps.copies = copies
        return textures, maps, plan

    def _runs(self, chosen: FFTSettings) -> bool:
        """Return whether the sea runs a chosen transform; for `auto`, the one that it would choose now."""
        return chosen == self.fft and self._tuned is tuned_plans(self.ctx)

    def source(self, textures: SpectrumTextures | None = None) -> Callback:
        """Return the source of a fused transform, which evolves the waves while it loads them: by default the sea's."""
        textures = textures or self.textures

        def bind() -> None:
            self.block.bind()
            self.textures.bind()

        return Callback("spectrum/load.glsl", textures.bytes_read, bind, textures.defines)

    def _upload_variances(self) -> None:
        self.textures.set_variances(self.blend)
        self.block.update(self.textures.keys, self.time, (0.0, 0.0), self.blend)
        self.textures.write_amplitudes()
        self._maps_time = None

    # -- Passes ------------------------------------------------------------------------------------------------------

    @property
    def passes(self) -> tuple[Pass, ...]:
        """The passes of the frame that `begin` has begun; none if maps and foam already belong to that frame."""
        return () if self._rests else needed(self._passes)

    @property
    def last_passes(self) -> tuple[Pass, ...]:
        """Passes for the end of the frame, after the drawing passes."""
        return () if self._rests else needed(self._last_passes)

    def _build_passes(self) -> None:
        self._is_done = self._rests = False
        rows, columns = self.plan.passes()
        columns = columns._replace(debug_view="displacement")
        if isinstance(self.plan, fft.FusedPlan):
            words = "Evolves the waves while it loads them for the first axis of the transform."
            rows = rows._replace(name=f"{EVOLVE}+{rows.name}", help=words, group=EVOLVED_FFT, debug_view="packed")
            transform: tuple[Pass, ...] = rows, columns._replace(group=EVOLVED_FFT)
        else:
            words = "Turns the phase of each wave to the time of the frame and packs the fields."
            size = self.textures.bytes_read + self.storage.bytes
            evolve = Pass(EVOLVE, lambda: self.evolve_into(self.storage), 1, size, words, "packed")
            transform = evolve, rows._replace(debug_view="packed"), columns
        first, *others = transform

        def blend_amplitudes() -> None:
            self.block.bind()
            self.textures.write_amplitudes()

        def run_and_note_time() -> Iterator[None] | None:
            parts = first.run()
            self._maps_time = self.time
            self._queries.outdate()
            return parts

        blend: list[Pass] = []
        if self.is_blending:
            words = "Blends the amplitudes of the old sea and the new one."
            moved = 24 * self.textures.texels
            blend.append(Pass("amplitudes", blend_amplitudes, 1, moved, words, "amplitudes"))
        feed, carry, self._last_passes = self._nonlinear_passes() if self.solved else ((), (), ())
        self.map_passes = *blend, *feed, first._replace(run=run_and_note_time), *others
        """The passes up to the maps, without their mip levels."""
        self._passes = *self.map_passes, *carry, *self._maps.mip_passes(), self.foam.advance_pass(self._maps.filtered)

    def _nonlinear_passes(self) -> tuple[tuple[Pass, ...], ...]:
        """Return the passes before and after the transform of a sea with nonlinear waves, and at the end of a frame."""
        waves, texels = self.solved.waves, self.size**2

        def feed() -> None:
            self.block.bind()
            self.solved.feed(self.textures, self.time, self.blend.progress)

        def carry() -> None:
            self.block.bind()
            self.solved.carry(self.maps, self._maps.copies)

        words = "Takes the longest waves from the steps before and after, and solves for missing steps."
        moved = sum(8 * (2 * one.points**2 + texels) for one in waves)
        before = Pass("nonlinear waves", feed, len(waves), moved, words, "amplitudes")
        before = before._replace(catch_up=lambda: self.solved.catch_up(self.time))
        words = (
            "Moves the solved surface to the rest positions of the water; readers of the maps displace it from there."
        )
        after = Pass("carry", carry, 2 * len(waves), len(waves) * texels * (4 * 16 + 2 * 16), words)
        words = "Solves for the longest waves: the due parts of the next step."
        last = Pass("next step", lambda: self.solved.go_on(self._next_time), help=words)
        last = last._replace(is_needed=lambda: self.solved.has_due_parts(self._next_time))
        return (before,), (after,), (last,)

    @in_context
    def bind(self) -> None:
        """Bind the cascades' uniform block for readers of the maps."""
        self.block.bind()

    @in_context
    def evolve_into(self, layers: FieldLayers) -> None:
        """Write the packed spectrum of this frame, the input of the transform, into layers like `storage`."""
        front = layers.front if isinstance(layers, FieldLayers) and layers.ctx is self.ctx else None
        if front is None or front.size != self.storage.front.size:
            raise ValueError("the layers must have the type, the context and the shape of the sea's storage")
        self.block.bind()
        self.textures.evolve_into(front)

    # -- Settings ----------------------------------------------------------------------------------------------------

    @in_context
    def apply(self, settings: Settings, blend: float = 0.0, background: bool = False) -> None:
        """Take new settings and rebuild the parts that differ.

        A changed sea blends in over `blend` seconds. With `background` a thread computes its amplitudes while the old
        sea runs on; otherwise this call computes them.

        Raises:
            FFTError: when the FFT backend can't run the size on this GPU, or the GPU lacks the memory for the sea.
            SettingsError: when a file of the settings can't be read.
            ValueError: when `blend` is not a duration. After any error the sea and its settings are unchanged.
        """
        refuse_no_duration("blend", blend)
        settings = resolved(settings)
        old = self.settings
        changes_waves = spectrum_inputs(settings) != spectrum_inputs(old)
        if settings.fft != old.fft or (changes_waves and solver_bytes(settings) > solver_bytes(old)):
            refuse_shortage(self.ctx, settings)
        if settings.fft != old.fft:
            fft.refuse_obstacle(self.ctx, settings.fft.backend, settings.fft.size, settings.fft.options)
        change = None
        if changes_waves and not background:
            change = make_sea_change(settings, self.blend.after, blend)
        with ExitStack() as made:
            foam = self.foam
            if settings.foam.resolution != foam.resolution:
                foam = FoamMap(self.ctx, settings.foam.resolution)
                made.callback(foam.release)
            begun, left = self._blend_to(change) if change else (None, None)
            self._take(begun or self.blend, settings.fft)
            made.pop_all()
        self.settings = settings
        if foam is not self.foam:
            self.foam.release()
            self.foam = foam
            self._build_passes()
        if change:
            self._worker.forget()
            self._held, self._waits = left, True
        elif changes_waves:
            self._worker.request(settings, self.blend.after, blend)

    def _blend_to(self, change: SeaChange) -> tuple[Blend | None, SeaChange | None]:
        """Return the blend to another sea, and the change that remains for its end. The whole change remains, without a
        blend, if it must wait for the current blend: no cascade is free, or the size alone changes."""
        left, size = None, self.size
        if change.resized is not None and change.resized.size == size:
            change = replace(change, wanted=change.resized, resized=None)
        elif change.resized is not None:
            left = SeaChange(change.resized)
        resizes = change.wanted.size != size
        if change.duration == 0 or (resizes and not self.is_blending):
            return Blend.settled(change.wanted), left
        blend = None if resizes else self.blend.towards(change.wanted, change.duration)
        return (blend, left) if blend else (None, change)

    def _take(self, blend: Blend, chosen: FFTSettings) -> None:
        """Make this the current blend, with the chosen transform unless it is for a later size. On an error nothing
        changes."""
        chosen = chosen if chosen.size == blend.after.size else self.fft
        if blend is self.blend and self._runs(chosen):
            return
        before = self.textures, self._maps, self.plan
        self.textures, self._maps, self.plan = self._built(blend, chosen, before)
        self.fft = chosen
        if self.plan is not before[2]:
            self._queries.forget()
        kept: tuple[Releasable, ...] = self.textures, self._maps, self.plan
        release_all(*(part for part in before if part not in kept))
        if blend is not self.blend:
            self.blend = blend
            self._upload_variances()
        self._build_passes()

    def _advance_blend(self, elapsed: float) -> None:
        """Advance the blend and the background changes. Raises ChangeError when a change that was accepted can't be
        made."""
        try:
            self._advance(elapsed)
        except Exception as error:
            self._held = None
            if not self._worker.is_busy:  # no newer change
                waves, wanted = self.blend.after.settings, self.settings
                running = {"sea": waves.sea, "cascades": waves.cascades, "fft": self.fft}
                self.settings = wanted.model_copy(update=running)
            if isinstance(error, CHANGE_ERRORS):
                raise ChangeError(f"the sea stays as it is: {str(error) or type(error).__name__}") from error
            raise

    def _advance(self, elapsed: float) -> None:
        if (ready := self._worker.poll()) is not None:
            self._held, self._waits = ready, False
        if self.is_blending:
            self.blend.elapsed += elapsed
            if not self.is_blending:
                self._end_blend()
        if self._held is None:
            self.solved.prepare((), self.fft, self.time)  # releases the waves of an abandoned sea
            return
        if self._waits and self.is_blending:
            return
        wanted, ends = self._held.wanted, self._held.resized or self._held.wanted
        chosen = self.settings.fft if wanted.size == self.settings.fft.size else self.fft
        if self.solved.prepare(wanted.cascades, chosen, self.time):
            change, self._held = self._held, None
            if ends.size != self.settings.fft.size:
                return  # the settings have another size now
            blend, left = self._blend_to(change)
            if blend is not None:
                self._take(blend, self.settings.fft)
            self._held, self._waits = left, True

    def _end_blend(self) -> None:
        """Keep only the cascades of the new sea. On an error the old ones stay, at weight 0, for as long as a blend."""
        after = self.blend.after
        try:
            self._take(Blend.settled(after), self.fft)
        except Exception:
            self.blend = replace(self.blend, start=self.blend.target, before=((1.0, after),), elapsed=0.0)
            self._upload_variances()
            raise

    # -- Time --------------------------------------------------------------------------------------------------------

    @in_context
    def start_waves(self, time: float, checkpoints: Checkpoints | None = None) -> None:
        refuse_endless(time)
        self._is_done = False
        self.solved.start(time, checkpoints)

    def catch_up(self, time: float) -> Iterator[float]:
        refuse_endless(time)
        parts = self.solved.catch_up(time)
        while True:
            with current(self.ctx):
                share = next(parts, None)
            if share is None:
                return
            yield share

    @in_context
    def begin(self, time: float, focus: tuple[float, float] = (0.0, 0.0), elapsed: float | None = None) -> None:
        """Do the CPU work of a frame, before the passes run: take finished amplitudes, advance the blend by `elapsed`
        [s] (default: the step of `time`), and write the uniform blocks. Call `end` after the passes: a later frame of
        the same time and focus then has none.

        Raises:
            ChangeError: when a change that was accepted can't be made, for example because its file is gone.
        """
        focus = refuse_endless(time, focus)
        refuse_no_duration("elapsed", 0.0 if elapsed is None else elapsed)
        inputs = time, focus, self.settings.foam, shader_library(self.ctx).reloads
        self._rests = self._is_done and self._frame == inputs and not (self.is_busy or self.is_blending)
        if self._rests:
            return
        clear_samplers(self.ctx)
        step = 0.0 if self._frame is None else time - self.time
        self.time, self._next_time = time, time + step
        self._frame, self._is_done = inputs, False
        self._advance_blend(abs(step) if elapsed is None else elapsed)
        self.block.update(self.textures.keys, time, focus, self.blend)
        threshold, births = self._foam_rules.of(self.settings, self.blend, self.foam.texels)
        wind = self.settings.sea.carrying_wind
        self.foam.prepare(focus, time, threshold, self.settings.foam.decay, births, wind, self.settings.sea.period)

    def end(self) -> None:
        """Note that all passes of the frame have run."""
        self._is_done = True

    @in_context
    def update(self, time: float, focus: tuple[float, float] = (0.0, 0.0), timers: PassTimers | None = None) -> None:
        """Compute the maps of `time` [s] and advance the foam around `focus`, the world (x, z) that its map follows.

        Equal times and equal paths of the focus give equal foam. A step back in time resets the foam. Raises the
        errors of `begin`.
        """
        self.begin(time, focus)  # may rebuild the passes
        if not self._rests:
            run_passes(self.ctx, (*self.passes, *self.last_passes), timers)
            self.end()

    @property
    def foam_threshold(self) -> float:
        return self._foam_rules.of(self.settings, self.blend, self.foam.texels)[0]

    @property
    def births(self) -> Births:
        """Rules by which foam forms on the map."""
        return self._foam_rules.of(self.settings, self.blend, self.foam.texels)[1]

    @property
    def breaking_texel(self) -> float:
        """Texel [m] on which breaking is judged; programs with shaders of their own read it."""
        return self.blend.breaking_texel

    # -- Answers -----------------------------------------------------------------------------------------------------

    def _updated(self) -> MapStorage:
        """Return the maps of the last update; raise RuntimeError where there are none."""
        if self._maps_time is None:
            raise RuntimeError(NO_UPDATE)
        return self._maps

    @in_context
    def fields(self) -> dict[str, NDArray[np.float32]]:
        return self._updated().fields()

    @in_context
    def potential(self) -> NDArray[np.float32]:
        self._updated()
        if self.spectrum is None:
            raise RuntimeError("a sea that turns into another has no potential until the blend has ended")
        return np.stack([one.potential(self.solved.turned(one, self.time)) for one in self.spectrum.cascades])

    @in_context
    def query(self, x: ArrayLike, z: ArrayLike, velocity: bool = True, at_rest: bool = False) -> SurfaceQuery:
        """Query the surface at up to 2^20 points; see `BaseSea.query`. Returns at once, without waiting for the GPU.
        The first query of velocities after an update costs half a transform more. With `at_rest` the positions are
        those at which the water rests, and the answer's `place` is where it is now."""
        x, z = query_points(x, z)
        if self._maps_time is None:
            raise RuntimeError(NO_UPDATE)
        sea = self.blend, self.fft, self.textures, self.maps
        return self._queries.ask(x, z, self._maps_time, *sea, velocity, at_rest)

    def release(self) -> None:
        """Release every GPU object, unless the context has been released with them, and end the worker thread."""
        if self.is_released:
            return
        self.is_released = True
        self._worker.shutdown()
        if is_alive(self._ctx):
            with current(self._ctx):
                release_all(self._queries, self.solved, self.plan, self._maps, self.textures, self.foam, self.block)


def make_sea(settings: Settings, ctx: moderngl.Context | None = None) -> BaseSea:
    """Return a sea on the GPU of a context, or on the processor without a context.

    Raises:
        FFTError: when the FFT backend can't run the size on this GPU.
    """
    return HostSea(settings) if ctx is None else Sea(ctx, settings)
