"""The frames of an export, computed: any of them in any order, each a function of the plan and its number alone.

Only foam remembers. Before a frame whose past has not been lived through, the frames that its foam depends on run and
are thrown away, so that it makes no difference which frame came before; nor does the first frame, whose foam comes from
negative times.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.export.foam import GpuFoam, HostFoam, PatchFoam
from ocean.export.plan import Plan
from ocean.gpu.context import create_headless_context
from ocean.gpu.shaders import shader_library
from ocean.render.frame import FrameRenderer
from ocean.sea.host import HostSea
from ocean.sea.sea import Sea
from ocean.settings import with_values

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Frame:
    """One frame: arrays by name, float32, or a picture."""

    index: int
    time: float
    cascades: dict[str, Floats] = field(default_factory=dict)
    """(cascade, N, N) each, as `Sea.fields` has them."""
    patch: dict[str, Floats] = field(default_factory=dict)
    """(rows, columns) each, over the patch's points."""
    picture: bytes = b""
    """RGB of 8 bits, rows from the bottom up."""


class Source(ABC):
    """Where frames come from."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._lived: int | None = None  # the last frame that the foam has seen

    def frame(self, index: int) -> Frame:
        """Compute a frame."""
        self._grow_foam(index)
        return self._frame(index)

    def _grow_foam(self, index: int) -> None:
        """Live through the frames before this one that its foam depends on."""
        if not self.plan.has_foam:
            return
        first = index - self.plan.foam_memory
        if self._lived is not None and first <= self._lived + 1 <= index:
            first = self._lived + 1
        else:
            self._forget()
        for past in range(first, index):
            self._live(past)
        self._lived = index

    @abstractmethod
    def _forget(self) -> None:
        """Let the foam forget its past."""

    @abstractmethod
    def _live(self, index: int) -> None:
        """Let the foam see a frame."""

    @abstractmethod
    def _frame(self, index: int) -> Frame:
        """The frame, which the foam sees as well."""


class MapSource(Source):
    """Maps of the cascades, and what `Sea.surface` says over the patch."""

    def __init__(self, plan: Plan, sea: Sea | HostSea) -> None:
        super().__init__(plan)
        self.sea = sea
        self.foam: PatchFoam | None = None
        if plan.patch is not None:
            self._points = plan.patch.points
            if plan.has_foam:
                self.foam = HostFoam(sea, plan.patch) if isinstance(sea, HostSea) else GpuFoam(sea, plan.patch)

    def _forget(self) -> None:
        if self.foam is not None:
            self.foam.reset()

    def _live(self, index: int) -> None:
        self.sea.update(self.plan.time(index), (0.0, 0.0) if self.plan.patch is None else self.plan.patch.centre)
        if self.foam is not None:
            self.foam.advance(1 / self.plan.fps)

    def _frame(self, index: int) -> Frame:
        self._live(index)
        fields = self.sea.fields() if self.plan.cascade_fields else {}
        wanted = {name: fields[name] for name in self.plan.cascade_fields}
        return Frame(index, self.plan.time(index), wanted, {} if self.plan.patch is None else self._patch())

    def _patch(self) -> dict[str, Floats]:
        sample = self.sea.query(*self._points, velocity="velocity" in self.plan.maps).result()
        arrays = {"height": sample.height, "jacobian": sample.jacobian, "converged": sample.converged}
        vectors = {"normal": sample.normal, "velocity": sample.velocity}
        for name, vector in vectors.items():
            if vector is not None:
                arrays |= {f"{name}_{axis}": vector[..., i] for i, axis in enumerate("xyz")}
        if self.foam is not None:
            arrays["foam"] = self.foam.at(sample.still)
        return {name: np.ascontiguousarray(array, np.float32) for name, array in arrays.items()}


class PictureSource(Source):
    """Pictures as a capture draws them."""

    def __init__(self, plan: Plan, renderer: FrameRenderer) -> None:
        super().__init__(plan)
        self.renderer = renderer
        renderer.hold_exposure(plan.time(0))  # the first frame's, whichever of them are made here

    def _forget(self) -> None:
        self.renderer.sea.foam.reset()

    def _live(self, index: int) -> None:
        view = self.plan.settings.view
        self.renderer.sea.update(self.plan.time(index), (view.x, view.z))

    def _frame(self, index: int) -> Frame:
        self.renderer.render(self.plan.time(index))
        picture = self.renderer.picture.read(components=3, alignment=1)
        return Frame(index, self.plan.time(index), picture=picture)


@contextmanager
def source(plan: Plan, gpu: int = 0) -> Iterator[Source]:
    """What computes a plan's frames, with a context of its own, on a GPU by its number, where it needs one; released at
    the end.

    Raises:
        ContextError: when there is no usable OpenGL.
        FFTError: when the backend can't run the size on this GPU.
    """
    if plan.device == "cpu":
        yield MapSource(plan, HostSea(plan.settings))
        return
    ctx = create_headless_context(gpu)
    try:
        with gpu_source(plan, ctx) as made:
            yield made
    finally:
        shader_library(ctx).release()
        ctx.release()


@contextmanager
def gpu_source(plan: Plan, ctx: moderngl.Context) -> Iterator[Source]:
    """What computes a plan's frames in a context."""
    if plan.is_drawn:
        capture = plan.settings.capture
        renderer = FrameRenderer(ctx, plan.settings, (capture.width, capture.height))
        try:
            yield PictureSource(plan, renderer)
        finally:
            renderer.release()
        return
    sea = Sea(ctx, with_values(plan.settings, {"foam.resolution": 64}))  # the patch has a foam map of its own
    try:
        made = MapSource(plan, sea)
        try:
            yield made
        finally:
            if made.foam is not None:
                made.foam.release()
    finally:
        sea.release()
