"""What every FFT backend keeps to: sign, order and scale, and the face of a transform.

Sign: `inverse` uses e^{+i}, `forward` e^{-i}. Order: natural in, natural out. Scale: unnormalised both ways, times the
`scale` that it was made with. Place: the result lies where the input was, in the `front` of the storage
(`ocean.fft.storage`). A transform compiles in its constructor and only dispatches afterwards.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Protocol

from pydantic import ValidationError

from ocean.common.parameters import Parameters
from ocean.fft.errors import FFTError as FFTError
from ocean.fft.storage import COLUMNS, ROWS, FieldStorage
from ocean.gpu.context import Limits
from ocean.gpu.passes import Frame, Pass

Sharing = Literal["held", "packed", "apart"]
"""Who makes the input of two layers: a work group that transforms both, holding on to what it loaded or to the second
layer, or a group a layer."""


@dataclass(frozen=True)
class Fusion:
    """How the two axes of a square are fused with what makes their input."""

    kernels: "type[AxisTransform]"
    options: Parameters
    first: Parameters | None = None  # options of the first axis, where others are better for it
    sharing: Sharing = "apart"
    block: int = 0  # columns of a block of the buffer between the axes; 0 for none, where the storage lies there
    halves: bool = False  # between the axes, in a buffer

    def beginning_as(self, other: "Fusion") -> "Fusion":
        """The same with the first axis of another."""
        return replace(self, first=other.first or other.options, sharing=other.sharing)


class AxisTransform(ABC):
    """The transforms of all lines along one axis, ready to dispatch. A backend is a class of these."""

    summary: ClassVar[str]  # one line for the panel's tooltip and the documentation
    Options: ClassVar[type[Parameters]] = Parameters
    DOUBLE: ClassVar[bool] = False  # does double precision too

    def __init__(self, fields: FieldStorage[Any], axis: int, options: Parameters, scale: float) -> None:
        self.ctx = fields.ctx
        self.fields = fields
        self.axis = axis
        self.options = options  # that it runs with
        self.asked = options  # the same before what was left at "auto" was settled
        self.scale = scale
        self.size = fields.length(axis)

    @property
    def backend(self) -> "type[AxisTransform]":
        """The class that made it, which may be another one's part."""
        return type(self)

    @classmethod
    def make(cls, fields: FieldStorage[Any], axis: int, options: Any, scale: float) -> "AxisTransform":
        """The transform for these fields, which may be of another class where one kernel does not do for all."""
        return cls(fields, axis, options, scale)

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        """Why this backend can't run the size on such a GPU with these options; None where it can."""
        return cls.size_obstacle(size)

    @classmethod
    def fusion(cls, fields: FieldStorage[Any], options: Any) -> Fusion | None:
        """How its axes can be fused with what makes the input of these fields; None where they can't."""
        return None

    @classmethod
    def size_obstacle(cls, size: int) -> str | None:
        """Why the algorithm does not do the size on any GPU; None where it does."""
        if size < 16 or size & (size - 1):
            return f"needs a power of two from 16 up, not {size}"
        return None

    @classmethod
    def error_limit(cls, size: int, options: Parameters, double: bool = False) -> float:
        """Relative L2 error against float64, or against better than that, that the backend promises."""
        return 1e-13 if double else 1e-6 if size < 4096 else 2e-6

    @abstractmethod
    def run(self, inverse: bool) -> None:
        """Transform, and scale. The result may then be read by shaders as images or buffers; a sampler needs one more
        barrier."""

    @property
    def dispatches(self) -> int:
        """Dispatches of a run."""
        return 1

    @property
    def bytes_moved(self) -> int:
        """Bytes read and written in a run."""
        return self.fields.end_bytes

    @property
    def own_bytes(self) -> int:
        """Bytes of GPU memory that it owns beside the storage: tables, padded lines."""
        return 0

    def release(self) -> None:  # noqa: B027 -- only those that own tables have something to do
        """Release what it owns. Programs belong to the context's shader library."""


def options_of(
    backends: Mapping[str, type[AxisTransform]], backend: str, options: Mapping[str, Any] | Parameters | None
) -> Parameters:
    """Return the options of one of the backends, from plain values or as they are.

    Raises:
        FFTError: when there is no such backend or option.
    """
    if backend not in backends:
        raise FFTError(f"there is no FFT backend {backend!r}; there are {', '.join(backends)}")
    kind = backends[backend]
    if isinstance(options, Parameters) and type(options) is kind.Options:
        return options
    try:
        return kind.Options.model_validate(dict(options or {}))
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(str(part) for part in problem["loc"])
        raise FFTError(f"{backend}: option {where!r}: {problem['msg'].lower()}") from None


class Middle(Protocol):
    """What lies between two axes, where it is not the storage."""

    @property
    def bytes(self) -> int: ...

    def release(self) -> None: ...


class FFTPlan:
    """The transforms along one axis or several of one storage, rows (along x) before columns (along z)."""

    def __init__(self, transforms: tuple[AxisTransform, ...], middle: Middle | None = None) -> None:
        self.transforms = transforms
        self.middle = middle  # which is the plan's own

    def forward(self) -> None:
        """F[k] = scale sum_x f[x] e^{-i 2 pi k x / N}, along each axis."""
        for transform in self.transforms:
            transform.run(inverse=False)

    def inverse(self) -> None:
        """f[x] = scale sum_k F[k] e^{+i 2 pi k x / N}, along each axis."""
        for transform in self.transforms:
            transform.run(inverse=True)

    def passes(self) -> tuple[Pass, ...]:
        """The inverse transform as passes of a frame."""
        names = {ROWS: "fft rows", COLUMNS: "fft columns"}

        def inverse(transform: AxisTransform) -> Callable[[Frame], None]:
            return lambda frame: transform.run(inverse=True)

        return tuple(Pass(names[one.axis], inverse(one), one.dispatches, one.bytes_moved) for one in self.transforms)

    def release(self) -> None:
        for transform in self.transforms:
            transform.release()
        if self.middle is not None:
            self.middle.release()
            self.middle = None
