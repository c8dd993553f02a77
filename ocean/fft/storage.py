"""Storage of a transform's data on the GPU, in two halves: `front` holds the data, `back` is scratch.

`FieldLayers` is a texture array in single precision, which shaders can sample. `FieldBuffers` are storage buffers, for
double precision and for lines longer than any image. An element packs one complex number (re, im), or two that go
through every kernel together (re, im, re, im).

Arrays on the host are complex, of shape (fields, height, width), indexed [field, row z, column x]. With two numbers
per element, fields 2l and 2l + 1 share layer l.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from math import prod
from typing import Any, ClassVar, Generic, Literal, Self, TypeVar

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.common.errors import shown, whole_number, whole_numbers
from ocean.fft.options import FFTError
from ocean.gpu.bindings import Image, Storage
from ocean.gpu.context import drain, in_context, labelled, limits, release_all
from ocean.gpu.shaders import Define

ROWS, COLUMNS, LAYERS = 0, 1, 2  # axes of a transform: along x, along z, and across the layers of a buffer
ComplexArray = NDArray[np.complex64]
Half = TypeVar("Half", moderngl.TextureArray, moderngl.Buffer)


@dataclass(frozen=True)
class Callback:
    """A load or store callback: shader code that a line kernel calls instead of reading or writing the storage."""

    include: str  # shader file with load_element or store_element
    bytes: int  # moved by all layers together
    bind: Callable[[], None]  # binds the resources of the include
    defines: Mapping[str, Define] = field(default_factory=dict)
    barrier: int = 0  # bits for later readers of the include's output, and later writers of its input


class FieldStorage(ABC, Generic[Half]):
    """Two halves of GPU memory for `layers` layers of height x width elements.

    Raises:
        FFTError: when a size is below 1, or more than this GPU holds.
    """

    BUFFER: ClassVar[bool]
    BARRIER: ClassVar[int]  # bits between a dispatch that writes and one that reads
    HOST_BARRIER: ClassVar[int]  # bits between a dispatch and the host's reads and writes

    def __init__(
        self, ctx: moderngl.Context, size: int | tuple[int, int], layers: int, packed: int = 2, double: bool = False
    ) -> None:
        self.ctx = ctx
        sides = whole_numbers(size if isinstance(size, Iterable) else (size, size), "the size of fields")
        if len(sides) != 2:
            raise FFTError(f"the size of fields is a height and a width, not {shown(size)}")
        self.height, self.width = sides
        self.layers, self.packed = whole_number(layers, "layers"), whole_number(packed, "packed")
        self.dtype = np.dtype(np.complex128 if double else np.complex64)
        if reason := self._obstacle():
            raise FFTError(reason)
        self._halves: list[Half | None] = [self._make("fft front"), None]
        self.source: Callback | None = None
        self.target: Callback | None = None
        self.group_layers = 1
        self.layers_first = False

    def _obstacle(self) -> str | None:
        """Return why this storage is not possible, or None if it is."""
        if min(self.layers, self.height, self.width) < 1:
            return f"{self.layers} layers of {self.height} x {self.width} elements hold nothing"
        most = 1 if self.double else 2
        if not 1 <= self.packed <= most:
            return f"an element packs {'one complex number' if self.double else 'one or two'}, not {self.packed}"
        return None

    @abstractmethod
    def _make(self, label: str) -> Half:
        """Return GPU memory for all elements."""

    @property
    def front(self) -> Half:
        half = self._halves[0]
        if half is None:
            raise RuntimeError("these fields were released")
        return half

    @property
    def back(self) -> Half:
        """The second half, allocated when a transform first asks for it."""
        half = self._halves[1]
        if half is None:
            half = self._halves[1] = self._make("fft back")
        return half

    def swap(self) -> None:
        """Exchange the halves after a dispatch that left its result in the back half.

        The rows and columns of a square have equally many stages, so a transform of both leaves `front` the same
        object. After a transform of a rectangle or of one axis, `front` may be the other object.
        """
        self._halves.reverse()

    def through(
        self,
        source: Callback | None = None,
        target: Callback | None = None,
        group_layers: int = 1,
        layers_first: bool = False,
    ) -> Self:
        """Return a view of this storage with a load and a store callback.

        A work group transforms `group_layers` layers in turn. With `layers_first`, groups take all layers of a line
        before the next line. Releasing the original releases the view.
        """
        view = copy(self)
        view.source, view.target = source, target
        view.group_layers, view.layers_first = group_layers, layers_first
        return view

    def another(self) -> Self:
        """Like `np.empty_like`: return a storage of the same kind and shape, uninitialised."""
        made = copy(self)
        made._halves = [made._make("fft front"), None]
        return made

    @property
    def double(self) -> bool:
        return self.dtype == np.complex128

    @property
    def element_bytes(self) -> int:
        return self.packed * self.dtype.itemsize

    @property
    def bytes(self) -> int:
        return self.layers * self.height * self.width * self.element_bytes

    def length(self, axis: int) -> int:
        return {ROWS: self.width, COLUMNS: self.height}.get(axis, self.layers)

    def lines(self, axis: int) -> int:
        return self.height if axis == ROWS else self.width

    @property
    def io_bytes(self) -> int:
        """The bytes that a kernel loads first and stores last."""
        return sum(self.bytes if end is None else end.bytes for end in (self.source, self.target))

    def defines(self) -> dict[str, Define]:
        """Return the defines of `complex.glsl`, `grid.glsl` and `elements.glsl`."""
        defines: dict[str, Define] = {
            "PACKED": self.packed,
            "DOUBLE": int(self.double),
            "BUFFER": int(self.BUFFER),
            "GROUP_LAYERS": self.group_layers,
            "LAYERS_FIRST": int(self.layers_first),
            "LOAD_INCLUDE": self.source.include if self.source else "fft/load.glsl",
            "STORE_INCLUDE": self.target.include if self.target else "fft/store.glsl",
        }
        for end in (self.source, self.target):
            defines |= end.defines if end else {}
        return defines

    def bind(self, in_place: bool = False) -> None:
        """Bind both halves, or only the front half for kernels that work in place, and the callbacks' resources."""
        self._bind_halves(in_place)
        for end in (self.source, self.target):
            if end:
                end.bind()

    @abstractmethod
    def _bind_halves(self, in_place: bool) -> None:
        """Bind both halves, or only the front half."""

    def barrier(self) -> None:
        bits = self.BARRIER
        for end in (self.source, self.target):
            bits |= end.barrier if end else 0
        self.ctx.memory_barrier(bits)

    def write(self, fields: NDArray[Any]) -> None:
        """Upload fields of shape (packed * layers, height, width). Raises FFTError for others, and for no numbers."""
        shape = self.packed * self.layers, self.height, self.width
        given = np.asarray(fields)
        if given.shape != shape or given.dtype.kind not in "biufc":
            raise FFTError(f"expected numbers of shape {shape}, not {given.dtype} of shape {given.shape}")
        self.upload(pack(given, self.packed, self.dtype))

    def read(self) -> NDArray[Any]:
        """Download the fields, of shape (packed * layers, height, width). Waits for the GPU."""
        elements = self.empty_elements()
        self.download(elements)
        return unpack(elements)

    def empty_elements(self) -> NDArray[Any]:
        """Return an uninitialised array for the elements of one half, of shape (layers, height, width, packed)."""
        return np.empty((self.layers, self.height, self.width, self.packed), self.dtype)

    @in_context
    def upload(self, elements: NDArray[Any]) -> None:
        self.ctx.memory_barrier(self.HOST_BARRIER)
        self.front.write(elements)

    @in_context
    def download(self, elements: NDArray[Any]) -> None:
        """Read elements in their memory layout. Waits for the GPU."""
        self.ctx.memory_barrier(self.HOST_BARRIER)
        drain(self.ctx)
        self.front.read_into(elements)

    @in_context
    def release(self) -> None:
        release_all(*self._halves)
        self._halves[:] = None, None


class FieldLayers(FieldStorage[moderngl.TextureArray]):
    """Texture arrays in single precision: RGBA32F with two complex numbers per texel, RG32F with one."""

    BUFFER = False
    BARRIER = moderngl.Context.SHADER_IMAGE_ACCESS_BARRIER_BIT
    HOST_BARRIER = moderngl.Context.TEXTURE_UPDATE_BARRIER_BIT

    def __init__(
        self, ctx: moderngl.Context, size: int | tuple[int, int], layers: int, packed: Literal[1, 2] = 2
    ) -> None:
        super().__init__(ctx, size, layers, packed)

    def _obstacle(self) -> str | None:
        there = limits(self.ctx)
        if max(self.height, self.width) > there.texture_size:
            return f"images here have up to {there.texture_size} texels per side, not {self.height} x {self.width}"
        if self.layers > there.texture_layers:
            return f"images here have up to {there.texture_layers} layers, not {self.layers}"
        return super()._obstacle()

    @in_context
    def _make(self, label: str) -> moderngl.TextureArray:
        size = self.width, self.height, self.layers
        return labelled(label, self.ctx.texture_array(size, 2 * self.packed, dtype="f4"))

    def _bind_halves(self, in_place: bool) -> None:
        self.front.bind_to_image(Image.FRONT, read=True, write=True)
        if not in_place:
            self.back.bind_to_image(Image.BACK, read=True, write=True)


class FieldBuffers(FieldStorage[moderngl.Buffer]):
    """Storage buffers in row order, layer after layer. In double precision an element is one complex number."""

    BUFFER = True
    BARRIER = moderngl.Context.SHADER_STORAGE_BARRIER_BIT
    HOST_BARRIER = moderngl.Context.BUFFER_UPDATE_BARRIER_BIT

    def _obstacle(self) -> str | None:
        there = limits(self.ctx).storage_bytes
        if self.bytes > there:
            return f"{self.bytes} bytes are more than a buffer of this GPU holds ({there})"
        return super()._obstacle()

    @in_context
    def _make(self, label: str) -> moderngl.Buffer:
        return labelled(label, self.ctx.buffer(reserve=self.bytes))

    def reshaped(self, layers: int, height: int, width: int) -> Self:
        """Return a view of the same halves in another shape; raise FFTError for one of more or fewer elements."""
        shape, count = whole_numbers((layers, height, width), "a shape"), self.layers * self.height * self.width
        if min(shape) < 1 or prod(shape) != count:
            raise FFTError(f"{layers} layers of {height} x {width} elements are not the {count} of these fields")
        view = copy(self)
        view.layers, view.height, view.width = layers, height, width
        return view

    def _bind_halves(self, in_place: bool) -> None:
        self.front.bind_to_storage_buffer(Storage.FRONT)
        if not in_place:
            self.back.bind_to_storage_buffer(Storage.BACK)


def pack(fields: NDArray[Any], packed: int = 2, dtype: np.dtype[Any] | type = np.complex64) -> NDArray[Any]:
    """Return complex fields (packed * layers, height, width) as elements (layers, height, width, packed)."""
    groups = np.asarray(fields, dtype).reshape(-1, packed, *fields.shape[1:])
    return np.ascontiguousarray(np.moveaxis(groups, 1, -1))


def unpack(elements: NDArray[Any]) -> NDArray[Any]:
    """Return elements (layers, height, width, packed) as complex fields (packed * layers, height, width)."""
    return np.ascontiguousarray(np.moveaxis(elements, -1, 1)).reshape(-1, *elements.shape[1:3])


class MiddleBuffer:
    """A buffer of layers between the axes, in blocks of `block` columns, in single or half precision."""

    def __init__(self, layers: FieldLayers, block: int, halves: bool) -> None:
        self.bytes = layers.bytes // 2 if halves else layers.bytes
        self.buffer = labelled("fft middle", layers.ctx.buffer(reserve=self.buffer_bytes(layers, block, halves)))
        bind = partial(self.buffer.bind_to_storage_buffer, Storage.MIDDLE)
        defines = {"SIDE": layers.width, "BLOCK": block, "HALVES": int(halves)}
        barrier = moderngl.Context.SHADER_STORAGE_BARRIER_BIT
        ends = ("fft/load_middle.glsl", "fft/store_middle.glsl")
        self.source, self.target = (Callback(end, self.bytes, bind, defines, barrier) for end in ends)

    @classmethod
    def between(cls, layers: FieldLayers, block: int, halves: bool = False) -> Self | None:
        """Return the buffer for blocks of this width, or None for width 0 or if the GPU allows no buffer so large."""
        fits = block and cls.buffer_bytes(layers, block, halves) <= limits(layers.ctx).storage_bytes
        return cls(layers, block, halves) if fits else None

    @staticmethod
    def buffer_bytes(layers: FieldLayers, block: int, halves: bool) -> int:
        """Return the bytes of the buffer, whose last block is as wide as the others."""
        elements = -(-layers.width // block) * block * layers.height * layers.layers
        return elements * layers.element_bytes // (2 if halves else 1)

    def release(self) -> None:
        self.buffer.release()
