"""Sources that compute the frames of an export in any order: a frame is a function of the plan and its number alone.

Only foam has a memory. Before a frame that does not follow the last one, the source therefore runs the earlier frames
that its foam depends on, and drops them. Before the first frame such frames have negative times.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.export.maps import CONVERGED, PATCH_MAPS
from ocean.export.patch_foam import PatchFoam, make_patch_foam
from ocean.export.plan import ExportError, Plan
from ocean.gpu.context import create_headless_context
from ocean.gpu.memory import picture_obstacle
from ocean.gpu.shaders import shader_library
from ocean.render.frame import FrameRenderer
from ocean.sea.base import BaseSea
from ocean.sea.blend import make_spectrum
from ocean.sea.memory import refuse_host_shortage
from ocean.sea.sea import make_sea
from ocean.settings import with_values
from ocean.waves.amplitudes import CascadeWaves
from ocean.waves.nonlinear import Checkpoints, RunningWaves

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Snapshot:
    """The sea at the time of one frame: float32 arrays by name, a picture, or the waves themselves."""

    index: int
    time: float
    cascades: dict[str, Floats] = field(default_factory=dict)
    """Arrays of `Sea.fields`, each (cascade, N, N)."""
    patch: dict[str, Floats] = field(default_factory=dict)
    """Arrays over the patch's points, each (rows, columns)."""
    picture: bytes = b""
    """8-bit RGB, rows from the bottom up."""
    waves: tuple[CascadeWaves | RunningWaves, ...] = ()
    """Waves of each cascade."""


class FrameSource(ABC):
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._lived: int | None = None  # last frame of the foam

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
        first = index - self.plan.foam_memory
        if self._lived is not None and first <= self._lived + 1 <= index:
            first = self._lived + 1
        else:
            self._forget()
        for past in range(first, index):
            self._live(past)
            advance()
        self._lived = index - 1

    @abstractmethod
    def catch_up(self, index: int) -> Iterator[float]:
        """Compute nonlinear waves up to the first time that a frame needs, and yield the completed share between
        parts."""

    def _forget(self) -> None:
        """Clear the foam, if there is any."""
        return

    def _live(self, index: int) -> None:
        """Advance the foam, if there is any, to a frame."""
        return

    @abstractmethod
    def _frame(self, index: int) -> Snapshot:
        """Return a frame, and advance the foam to it."""


class MapSource(FrameSource):
    """A source of the cascades' maps, and of `Sea.surface` over the patch."""

    def __init__(self, plan: Plan, sea: BaseSea) -> None:
        super().__init__(plan)
        self.sea = sea
        self.foam: PatchFoam | None = None
        if plan.patch is not None:
            self._points = plan.patch.points
        if (patch := plan.foam_patch) is not None:
            self.foam = make_patch_foam(sea, patch)

    def catch_up(self, index: int) -> Iterator[float]:
        return self.sea.catch_up(self.plan.first_needed(index))

    def _forget(self) -> None:
        if self.foam is not None:
            self.foam.reset()

    def _live(self, index: int) -> None:
        patch = self.plan.patch or self.plan.foam_patch
        self.sea.update(self.plan.time(index), (0.0, 0.0) if patch is None else patch.centre)
        if self.foam is not None:
            self.foam.advance(1 / self.plan.fps)

    def _frame(self, index: int) -> Snapshot:
        self._live(index)
        fields = self.sea.fields() if self.plan.cascade_fields else {}
        if "potential" in self.plan.cascade_fields:
            fields["potential"] = self.sea.potential()
        if self.plan.is_textures and self.foam is not None:
            fields["foam"] = self.foam.at_rest()[None]
        wanted = {name: fields[name] for name in self.plan.cascade_fields}
        return Snapshot(index, self.plan.time(index), wanted, {} if self.plan.patch is None else self._patch())

    def _patch(self) -> dict[str, Floats]:
        needs_velocity = any(PATCH_MAPS[name].of_motion for name in PATCH_MAPS.keys() & self.plan.maps)
        sample = self.sea.query(*self._points, velocity=needs_velocity).result()
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
        self.renderer = renderer
        renderer.hold_exposure(plan.time(0))  # all workers take the exposure of the first frame

    def catch_up(self, index: int) -> Iterator[float]:
        return self.renderer.sea.catch_up(self.plan.first_needed(index))

    def _forget(self) -> None:
        self.renderer.sea.foam.reset()

    def _live(self, index: int) -> None:
        view = self.plan.settings.view
        self.renderer.sea.update(self.plan.time(index), (view.x, view.z))

    def _frame(self, index: int) -> Snapshot:
        self.renderer.render(self.plan.time(index))
        picture = self.renderer.picture.read(components=3, alignment=1)
        return Snapshot(index, self.plan.time(index), picture=picture)


class WaveSource(FrameSource):
    """A source of the waves, whose amplitudes a format takes to the frame's time."""

    def __init__(self, plan: Plan, checkpoints: Checkpoints | None) -> None:
        super().__init__(plan)
        refuse_host_shortage(plan.settings)
        self._waves = tuple(
            RunningWaves(each.waves, each.key.order, plan.start, checkpoints) if each.key.course else each.waves
            for each in make_spectrum(plan.settings).cascades
        )

    def catch_up(self, index: int) -> Iterator[float]:
        running, time = (one for one in self._waves if isinstance(one, RunningWaves)), self.plan.first_needed(index)
        return chain(*(one.catch_up(time - one.extent.step) for one in running))  # rates need a time before

    def _frame(self, index: int) -> Snapshot:
        return Snapshot(index, self.plan.time(index), waves=self._waves)


@contextmanager
def own_context(device: str, gpu: int = 0) -> Iterator[moderngl.Context | None]:
    """Yield a headless context on a GPU by its number, and release it at the end; yield None for the device "cpu".

    Raises:
        ContextError: when there is no usable OpenGL.
    """
    if device == "cpu":
        yield None
        return
    ctx = create_headless_context(gpu)
    try:
        yield ctx
    finally:
        shader_library(ctx).release()
        ctx.release()


@contextmanager
def open_source(plan: Plan, ctx: moderngl.Context | None, folder: Path | None = None) -> Iterator[FrameSource]:
    """Yield the source of a plan's frames in a context, or on the processor without one; release it at the end.
    Nonlinear waves keep checkpoints in a folder.

    Raises:
        FFTError: when the backend can't run the size on this GPU.
    """
    checkpoints = None if folder is None else Checkpoints(folder)
    with ExitStack() as stack:
        if plan.is_waves:
            yield WaveSource(plan, checkpoints)
            return
        if plan.is_drawn and ctx is not None:
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
