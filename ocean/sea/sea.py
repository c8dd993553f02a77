"""The sea: amplitudes -> evolve -> FFT -> maps -> foam, as passes.

Knows a context and settings, no window and no camera. The transform's output layers are the displacement and derivative
maps themselves, (h, dxz, dx, dz) and (hx, hz, dxx, dzz) for each cascade; choppiness is applied where they are read.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, Self, cast

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean import fft
from ocean.fft.storage import FieldLayers
from ocean.gpu.passes import Frame, Pass, run_passes
from ocean.gpu.timing import PassTimers
from ocean.sea.blend import Blend, Change, SeaSpectrum, make_change, make_spectrum, spectrum_inputs
from ocean.sea.cascades import CascadeBlock
from ocean.sea.foam import FoamMap
from ocean.sea.foam_rules import FoamRules
from ocean.sea.host import HostSea
from ocean.sea.maps import Maps
from ocean.sea.query import SurfaceQueries, SurfaceQuery
from ocean.sea.textures import SpectrumTextures
from ocean.sea.worker import SpectrumWorker
from ocean.settings import FFTSettings, Settings
from ocean.waves.dispersion import Array
from ocean.waves.surface import SurfaceSample, world_points
from ocean.waves.tiles import Tile


class Sea:
    """A running sea on one GPU.

    `update(time, focus)` computes the maps of a time. `apply(settings)` takes a new value of the settings and rebuilds
    what differs. Raises FFTError where the FFT backend can't run the size on this GPU.
    `Sea(None, settings, device="cpu")` is one without a GPU, with the same maps and answers: `ocean.sea.host.HostSea`.
    """

    def __new__(cls, ctx: moderngl.Context | None, settings: Settings, device: Literal["gpu", "cpu"] = "gpu") -> Self:
        return cast(Self, HostSea(settings)) if device == "cpu" else super().__new__(cls)

    def __init__(self, ctx: moderngl.Context | None, settings: Settings, device: Literal["gpu", "cpu"] = "gpu") -> None:
        if ctx is None or device != "gpu":
            raise ValueError(f"device = {device!r}: a sea runs in a context on the gpu, or without one on the cpu")
        fft.refuse_obstacle(ctx, settings.fft.backend, settings.fft.size, settings.fft.options)
        self.ctx = ctx
        self.settings = settings
        self._time: float | None = None
        self._worker = SpectrumWorker()
        self._held: Change | None = None
        self._foam_rules = FoamRules()
        self._maps_time: float | None = None  # that the maps and the amplitudes agree on
        self._block = CascadeBlock(ctx)
        self._queries = SurfaceQueries(ctx)
        self._blend = Blend.settled(make_spectrum(settings))
        self.foam = FoamMap(ctx, settings.foam.resolution)
        self._build()
        self._upload_variances()
        self._build_passes()

    # -- What it is made of ------------------------------------------------------------------------------------------

    @property
    def maps(self) -> moderngl.TextureArray:
        """RGBA32F texture array with mip levels, two layers a cascade: (h, dxz, dx, dz), (hx, hz, dxx, dzz)."""
        return self.layers.front

    @property
    def derivatives(self) -> moderngl.TextureArray:
        """What (hx, hz, dxx, dzz) are filtered from: the maps, or RGBA16F copies with a layer a cascade, and then the
        maps have no mip levels of derivatives."""
        return self._maps.derivatives

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles that are alive, in the order of the maps' layers; more than the settings say during a blend."""
        return tuple(key.tile for key in self.textures.keys)

    @property
    def is_blending(self) -> bool:
        """Whether one sea is turning into another."""
        return self._blend.progress < 1

    @property
    def spectrum(self) -> SeaSpectrum | None:
        """What the maps are made of; None while one sea is turning into another."""
        return None if self.is_blending else self._blend.after

    @property
    def parts(self) -> tuple[tuple[float, SeaSpectrum], ...]:
        """What the maps are made of while one sea turns into another, as well; see `Blend.parts`."""
        return self._blend.parts

    @property
    def is_busy(self) -> bool:
        """Whether another sea is on its way."""
        return self._worker.is_busy or self._held is not None

    def _build(self) -> None:
        """Make everything that depends on the size or on which cascades are alive."""
        self.textures = SpectrumTextures(self.ctx, self._blend.living)
        self._maps = Maps(self.ctx, self.textures.size, len(self._blend.living))
        self.layers = self._maps.layers
        self.plan = self._make_plan(self.settings.fft)

    def _make_plan(self, chosen: FFTSettings) -> fft.FFTPlan:
        self._queries.forget_rates()
        source = self.textures.source(self._block.bind)
        with self._maps.copies_for(chosen) as target:
            fused = fft.fuse(chosen.backend, self.layers, source, chosen.options, target) if chosen.fused else None
            return fused or fft.plan(self.ctx, chosen.backend, self.layers, chosen.options, target=target)

    def _build_passes(self) -> None:
        blend = (Pass("amplitudes", self._run_amplitudes, 1, self.textures.texels * 24),) if self.is_blending else ()
        first, *others = self.plan.passes()
        if not isinstance(self.plan, fft.FusedPlan):
            others = [first, *others]
            size = self.textures.bytes_read + self.layers.bytes
            first = Pass("evolve", lambda frame: self.evolve_into(self.layers), 1, size)
        maps = replace(first, run=self._noting_time(first.run)), *others, *self._maps.mip_passes()
        self.passes: tuple[Pass, ...] = *blend, *maps, self.foam.advance_pass(self.maps, self.derivatives)

    def _upload_variances(self) -> None:
        self.textures.set_variances(self._blend)
        self._write_block(self._time or 0.0, (0.0, 0.0))
        self.textures.write_amplitudes()
        self._maps_time = None

    def _tear_down(self) -> None:
        for part in (self.plan, self._maps, self.textures):
            part.release()

    # -- Settings ----------------------------------------------------------------------------------------------------

    def apply(self, settings: Settings, blend: float = 0.0, background: bool = False) -> None:
        """Take a new value of the settings and rebuild what differs.

        A changed sea blends in over `blend` seconds. With `background` its amplitudes are made in a thread while the
        old sea runs on; without, they are there when this returns.

        Raises:
            FFTError: when the FFT backend can't run the size on this GPU; nothing has changed then.
        """
        old = self.settings
        if settings.fft != old.fft:
            fft.refuse_obstacle(self.ctx, settings.fft.backend, settings.fft.size, settings.fft.options)
            if settings.fft.size == self.textures.size:
                before, self.plan = self.plan, self._make_plan(settings.fft)  # which may be refused
                before.release()
                self._build_passes()
        self.settings = settings
        if settings.foam.resolution != old.foam.resolution:
            self.foam.release()
            self.foam = FoamMap(self.ctx, settings.foam.resolution)
            self._build_passes()
        if spectrum_inputs(settings) != spectrum_inputs(old):
            if background:
                self._worker.request(settings, self._blend.after, blend)
            else:
                self._worker.forget()
                self._held = None
                self._begin_change(replace(make_change(settings, self._blend.after), duration=blend))

    def _begin_change(self, change: Change) -> None:
        """Begin to blend to another sea. Where there is no room for one more, or the size changes, a blend that is
        under way ends first: the newest change is held until then."""
        if change.wanted.size != self.settings.fft.size:
            return  # of a size that was given up since
        resizes = change.wanted.size != self.textures.size
        stays = resizes and spectrum_inputs(change.current.settings) == spectrum_inputs(change.wanted.settings)
        if change.duration == 0 or (stays and not self.is_blending):
            blend: Blend | None = Blend.settled(change.wanted)
        elif resizes:
            blend = None if self.is_blending else Blend.settled(change.current).towards(change.wanted, change.duration)
        else:
            blend = self._blend.towards(change.wanted, change.duration)
        self._held = change if blend is None else None
        if blend is not None:
            self._blend = blend
            self._match_textures()

    def _match_textures(self) -> None:
        if tuple(cascade.key for cascade in self._blend.living) != self.textures.keys:
            self._tear_down()
            self._build()
        self._upload_variances()
        self._build_passes()

    def _advance_blend(self, elapsed: float) -> None:
        if (ready := self._worker.poll()) is not None:
            self._begin_change(ready)
        if self.is_blending:
            self._blend.elapsed += elapsed
            if not self.is_blending:
                self._blend = Blend.settled(self._blend.after)
                self._match_textures()
        if self._held is not None and not self.is_blending:
            self._begin_change(self._held)

    def bind(self) -> None:
        """Bind the cascades' uniform block for those who read the maps."""
        self._block.bind()

    # -- Passes ------------------------------------------------------------------------------------------------------

    def _run_amplitudes(self, frame: Frame) -> None:
        self.bind()
        self.textures.write_amplitudes()

    def _noting_time(self, run: Callable[[Frame], None]) -> Callable[[Frame], None]:
        """A pass that evolves the maps, which from then on are of the frame's time."""

        def run_and_note(frame: Frame) -> None:
            run(frame)
            self._maps_time = frame.time
            self._queries.outdate_rates()

        return run_and_note

    def evolve_into(self, layers: FieldLayers) -> None:
        """Write this frame's packed spectrum, the transform's input, into layers of the same shape."""
        self.bind()
        self.textures.evolve_into(layers.front)

    # -- Time --------------------------------------------------------------------------------------------------------

    def begin(self, time: float, focus: tuple[float, float] = (0.0, 0.0), elapsed: float | None = None) -> Frame:
        """Do the host's part of a frame, before the passes run: install finished amplitudes, advance the blend, and
        write the uniform blocks. `elapsed` is how far a blend advances [s]; by default, as far as time does."""
        step = 0.0 if self._time is None else time - self._time
        self._time = time
        self._advance_blend(abs(step) if elapsed is None else elapsed)
        self._write_block(time, focus)
        threshold, births = self._foam_rules.of(self.settings, self._blend, self.foam.texels)
        self.foam.prepare(focus, step, threshold, self.settings.foam.decay, births)
        return Frame(time=time, step=step)

    def update(self, time: float, focus: tuple[float, float] = (0.0, 0.0), timers: PassTimers | None = None) -> None:
        """Compute the maps of `time` [s] and advance the foam around `focus`, the world (x, z) that its map follows.

        The same times and the same path of the focus give the same foam; a step back in time resets it.
        """
        frame = self.begin(time, focus)  # may rebuild the passes
        run_passes(self.ctx, self.passes, frame, timers)

    @property
    def foam_threshold(self) -> float:
        """The Jacobian below which foam is born, so that old and new foam cover what the wind asks for."""
        return self._foam_rules.of(self.settings, self._blend, self.foam.texels)[0]

    @property
    def breaking_texel(self) -> float:
        """Texel [m] on which breaking is judged."""
        return self._blend.breaking_texel

    def _write_block(self, time: float, focus: tuple[float, float]) -> None:
        sea = self.settings.sea.choppiness, self._blend.progress, self._maps.derivative_layers
        self._block.update(self.textures.keys, time, focus, *sea)

    # -- Out ---------------------------------------------------------------------------------------------------------

    def fields(self) -> dict[str, NDArray[np.float32]]:
        """The eight fields of the last update, each float32 of shape (cascade, N, N) indexed [cascade, z, x], not
        scaled by choppiness: height, dx, dz [m]; slope_x, slope_z, dxx, dzz, dxz [1]. Waits for the GPU."""
        return self._maps.fields()

    def query(self, x: ArrayLike, z: ArrayLike, velocity: bool = True) -> SurfaceQuery:
        """Ask for the surface at world positions x (east) and z (south) [m], of any shapes that broadcast, at the time
        of the last update. Returns at once; the answer, `SurfaceQuery.result()`, keeps that time however late it is
        fetched. The first question after an update that asks for velocities costs half a transform more.

        Raises:
            ValueError: for positions that are not finite, shapes that do not broadcast, or more than 2^20 points.
            RuntimeError: before the first update, and after a change of the sea until the next one.
        """
        x, z = world_points(x, z)
        if self._maps_time is None:
            raise RuntimeError("the sea has to be updated before it can be asked")
        return self._queries.ask(x, z, self._maps_time, self.settings, self.textures, self.maps, velocity)

    def surface(self, x: ArrayLike, z: ArrayLike) -> SurfaceSample:
        """Height, normal and velocity of the surface at world positions [m]; see `query`. Waits for the GPU."""
        return self.query(x, z).result()

    def height(self, x: ArrayLike, z: ArrayLike) -> Array:
        """Height [m] of the surface at world positions [m], float64 of the shape that x and z broadcast to; nan where
        the water there can't be told because the surface is folding over. See `query`. Waits for the GPU."""
        sample = self.query(x, z, velocity=False).result()
        return np.where(sample.converged, sample.height, np.nan)

    def release(self) -> None:
        """Release every GPU object and end the worker thread."""
        self._worker.shutdown()
        self._tear_down()
        for part in (self._queries, self.foam, self._block):
            part.release()
