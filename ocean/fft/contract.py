"""The contract of all FFT backends: sign, order and scale, and the interface of a transform.

Sign: `inverse` uses e^{+i}, `forward` e^{-i}. Order: natural in, natural out. Scale: unnormalised both ways, times the
`scale` of the plan. Place: the result replaces the input in the `front` half of the storage (`ocean.fft.storage`). A
transform compiles in its constructor and only dispatches afterwards.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar, Generic, Literal, TypeVar

import moderngl

from ocean.common.parameters import Parameters
from ocean.fft.stages import DataFlow, Memory, Stage, whole
from ocean.fft.storage import COLUMNS, ROWS, FieldStorage, MiddleBuffer
from ocean.gpu.context import GL_PROGRAM_BINARY_LENGTH, Limits, current, gl_number, in_context
from ocean.gpu.passes import Pass, Work

O = TypeVar("O", bound=Parameters)
FFT = "FFT"
"""Group of the passes of a transform."""
Sharing = Literal["held", "packed", "apart"]
"""A group makes the input of one layer ("apart"), or of two and holds what it loaded ("held") or the second layer
("packed")."""


@dataclass(frozen=True)
class Fusion:
    """A fusion of the two axes of a square with the source of their input."""

    kernels: "type[AxisTransform[Any]]"
    options: Parameters
    first: Parameters | None = None  # options of the first axis, if they differ
    sharing: Sharing = "apart"
    block: int = 0  # columns of a block of the buffer between the axes; 0: the storage lies between the axes
    halves: bool = False  # half floats in the buffer between the axes

    def with_first_axis_of(self, other: "Fusion") -> "Fusion":
        return replace(self, first=other.first or other.options, sharing=other.sharing)


class AxisTransform(ABC, Generic[O]):
    """The transforms of all lines along one axis, ready to dispatch. A backend is such a class."""

    summary: ClassVar[str]  # one line for the panel's tooltip and the documentation
    Options: ClassVar[type[Parameters]] = Parameters
    DOUBLE: ClassVar[bool] = False  # also transforms in double precision
    in_place: bool = True  # needs no second half of the storage

    def __init__(self, fields: FieldStorage[Any], axis: int, options: O, scale: float) -> None:
        self.ctx = fields.ctx
        self.fields = fields
        self.axis = axis
        self.options = options  # measured values replace "auto"
        self.backend: Backend = type(self)
        self.scale = scale
        self.size = fields.length(axis)
        self.kernels: list[moderngl.ComputeShader] = []  # in order of compilation

    @classmethod
    def make(cls, fields: FieldStorage[Any], axis: int, options: O, scale: float) -> "AxisTransform[Any]":
        """Return the transform of these fields. Its class may be another one if no single kernel suits all fields."""
        return cls(fields, axis, options, scale)

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: O) -> str | None:
        """Return why the backend can't run the size on such a GPU with these options, or None if it can."""
        return cls.size_obstacle(size)

    @classmethod
    def fusion(cls, fields: FieldStorage[Any], options: O) -> Fusion | None:
        """Return the fusion of the axes with the source of these fields' input, or None if there is none."""
        return None

    @staticmethod
    def size_obstacle(size: int) -> str | None:
        """Return why the algorithm can't transform this size on any GPU, or None if it can."""
        if size < 16 or size & (size - 1):
            return f"needs a power of two from 16 up, not {size}"
        return None

    @classmethod
    def error_limit(cls, size: int, options: O, double: bool = False) -> float:
        """Return the relative L2 error against float64, or higher precision, that the backend promises."""
        return 1e-13 if double else 1e-6 if size < 4096 else 2e-6

    @abstractmethod
    def run(self, inverse: bool) -> None:
        """Transform and scale. Shaders may then read images or buffers; a sampler needs one more barrier."""

    def stages(self) -> Iterable[Stage]:
        """Return the stages of one line, in order: by default one dispatch without details."""
        return [Stage(whole("transform", self.size), Memory.FRONT, dispatches=1)]

    @cached_property
    def flow(self) -> DataFlow:
        return DataFlow(self.size, tuple(self.stages()))

    @property
    def dispatches(self) -> int:
        return self.flow.dispatches

    @property
    def bytes_moved(self) -> int:
        return self.fields.io_bytes + (self.flow.transfers - 2) * self.fields.bytes

    @property
    def flops(self) -> int | None:
        """The operations on real numbers for all lines along the axis, or None if unknown."""
        line, fields = self.flow.flops, self.fields
        return None if line is None else line * fields.lines(self.axis) * fields.layers * fields.packed

    @property
    def own_bytes(self) -> int:
        """Bytes of GPU memory that the transform owns besides the storage: tables, padded lines."""
        return 0

    def release(self) -> None:
        """Release the GPU memory that the transform owns. Programs belong to the context's shader library."""


Backend = type[AxisTransform[Any]]
"""A choice in `BACKENDS`: it declares its abilities and makes transforms."""


@dataclass(frozen=True)
class Counts:
    """The counts for a run of several transforms; None is unknown."""

    flops: int | None
    barriers: int | None
    program_bytes: int | None  # of the driver's binaries
    storage_bytes: int


class FFTPlan:
    """The transforms of one storage along one or two axes: rows (along x) before columns (along z)."""

    def __init__(self, transforms: Iterable[AxisTransform[Any]], middle: MiddleBuffer | None = None) -> None:
        """Own the transforms and the buffer between them; if a generator of transforms raises, release them."""
        self.middle = middle
        self.is_released = False
        self.transforms: tuple[AxisTransform[Any], ...] = ()
        try:
            for transform in transforms:
                self.transforms += (transform,)
        except BaseException:
            self.release()
            raise

    @property
    def ctx(self) -> moderngl.Context:
        if self.is_released:
            raise RuntimeError("the plan was released")
        return self.transforms[0].ctx

    @in_context
    def forward(self) -> None:
        """Compute F[k] = scale sum_x f[x] e^{-i 2 pi k x / N} along each axis."""
        for transform in self.transforms:
            transform.run(inverse=False)

    @in_context
    def inverse(self) -> None:
        """Compute f[x] = scale sum_k F[k] e^{+i 2 pi k x / N} along each axis."""
        for transform in self.transforms:
            transform.run(inverse=True)

    def passes(self) -> tuple[Pass, ...]:
        """Return the inverse transform as passes of a frame."""
        names = {ROWS: "rows", COLUMNS: "columns"}
        helps = {ROWS: "Transforms the fields along the first axis.", COLUMNS: "Transforms the rows' result to fields."}

        def pass_of(transform: AxisTransform[Any]) -> Pass:
            work = Work(transform.bytes_moved, transform.flops or 0)
            name, help = names[transform.axis], helps[transform.axis]
            run = partial(transform.run, inverse=True)
            return Pass(name, run, transform.dispatches, work.bytes, help, group=FFT, count_work=lambda: work)

        return tuple(map(pass_of, self.transforms))

    def counts(self) -> "Counts":
        """Return the counts of all transforms together, with the buffer between the axes."""
        transforms, fields = self.transforms, self.transforms[0].fields
        flops = [one.flops for one in transforms if one.flops is not None]
        is_known = len(flops) == len(transforms)
        kernels = {kernel.glo: kernel for one in transforms for kernel in one.kernels}
        lengths = [gl_number(one.ctx, "glGetProgramiv", glo, GL_PROGRAM_BINARY_LENGTH) for glo, one in kernels.items()]
        owned = sum(one.own_bytes for one in transforms) + (self.middle.bytes if self.middle else 0)
        return Counts(
            flops=sum(flops) if is_known else None,
            barriers=sum(one.flow.barriers for one in transforms) if is_known else None,
            program_bytes=sum(lengths) or None,
            storage_bytes=fields.bytes * (1 if all(one.in_place for one in transforms) else 2) + owned,
        )

    def release(self) -> None:
        self.is_released = True
        for transform in self.transforms:
            with current(transform.ctx):
                transform.release()
        if self.middle is not None:
            self.middle.release()
            self.middle = None
