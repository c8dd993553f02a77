"""What every FFT backend keeps to: the layout of the data, sign, order and scale, and the face of a plan.

Layout: `FieldLayers` is a texture array of RGBA32F layers, each texel two complex numbers (re, im, re, im). Arrays on
the host are complex64 of shape (2 * layers, size, size), indexed [field, row z, column x]; fields 2l and 2l + 1 share
layer l.

Sign: `inverse` uses e^{+i}, `forward` e^{-i}. Order: natural in, natural out. Scale: unnormalised both ways, times the
`scale` that a plan was made with. Place: the result lies where the input was, in `FieldLayers.front`; the other half of
the ping-pong is scratch. A plan compiles in its constructor and only dispatches afterwards.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Image
from ocean.gpu.context import Limits
from ocean.gpu.passes import Frame, Pass
from ocean.parameters import Parameters

ComplexArray = NDArray[np.complex64]
TEXEL_BYTES = 16


class FFTError(ValueError):
    """A transform that can't be done; the message says why."""


class FieldLayers:
    """The storage that transforms work on: `front` holds the data, `back` is the other half of the ping-pong."""

    def __init__(self, ctx: moderngl.Context, size: int, layers: int) -> None:
        self.ctx = ctx
        self.size = size
        self.layers = layers
        self.front = self._image("fft front")
        self._back: moderngl.TextureArray | None = None

    def _image(self, label: str) -> moderngl.TextureArray:
        image = self.ctx.texture_array((self.size, self.size, self.layers), 4, dtype="f4")
        image.label = label
        return image

    @property
    def back(self) -> moderngl.TextureArray:
        """The second half of the ping-pong, made when a plan first asks for it."""
        if self._back is None:
            self._back = self._image("fft back")
        return self._back

    @property
    def bytes(self) -> int:
        """Bytes of one half."""
        return self.layers * self.size * self.size * TEXEL_BYTES

    def bind(self, in_place: bool = False) -> None:
        """Bind both halves to their image units, or only the front for kernels that work in place."""
        self.front.bind_to_image(Image.FRONT, read=True, write=True)
        if not in_place:
            self.back.bind_to_image(Image.BACK, read=True, write=True)

    def write(self, fields: NDArray[Any]) -> None:
        """Upload complex fields of shape (2 * layers, size, size)."""
        self.front.write(pack(fields).tobytes())

    def read(self) -> ComplexArray:
        """Download the fields, complex64 of shape (2 * layers, size, size). Waits for the GPU."""
        self.ctx.memory_barrier(moderngl.Context.TEXTURE_UPDATE_BARRIER_BIT)
        texels = np.frombuffer(self.front.read(), "f4").reshape(self.layers, self.size, self.size, 4)
        return unpack(texels)

    def release(self) -> None:
        self.front.release()
        if self._back is not None:
            self._back.release()
            self._back = None


def pack(fields: NDArray[Any]) -> NDArray[np.float32]:
    """Complex fields (2L, N, N) as texels (L, N, N, 4)."""
    pairs = np.asarray(fields, np.complex64).reshape(-1, 2, *fields.shape[1:])
    return np.ascontiguousarray(np.moveaxis(pairs, 1, -1)).view(np.float32)


def unpack(texels: NDArray[np.float32]) -> ComplexArray:
    """Texels (L, N, N, 4) as complex fields (2L, N, N)."""
    pairs = np.ascontiguousarray(texels).view(np.complex64)
    return np.ascontiguousarray(np.moveaxis(pairs, -1, 1)).reshape(-1, *texels.shape[1:3])


class FFTPlan(ABC):
    """A 2D transform of all layers, ready to dispatch: rows (along x), then columns (along z)."""

    summary: ClassVar[str]  # one line for the panel's tooltip and the documentation
    Options: ClassVar[type[Parameters]] = Parameters

    def __init__(self, ctx: moderngl.Context, layers: FieldLayers, options: Parameters, scale: float) -> None:
        self.ctx = ctx
        self.layers = layers
        self.options = options
        self.scale = scale

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        """Why this backend can't run the size on such a GPU with these options; None where it can."""
        return cls.size_obstacle(size)

    @classmethod
    def size_obstacle(cls, size: int) -> str | None:
        """Why the algorithm does not do the size on any GPU; None where it does."""
        if size < 16 or size & (size - 1):
            return f"needs a power of two from 16 up, not {size}"
        return None

    @classmethod
    def error_limit(cls, size: int, options: Parameters) -> float:
        """Relative L2 error against float64 that the backend promises."""
        return 1e-6

    @abstractmethod
    def rows(self, inverse: bool) -> None:
        """Transform along x."""

    @abstractmethod
    def columns(self, inverse: bool) -> None:
        """Transform along z, and scale. The result may then be read as an image; a sampler needs one more barrier."""

    def forward(self) -> None:
        """F[k] = scale sum_x f[x] e^{-i 2 pi k x / N}, in both axes."""
        self.rows(inverse=False)
        self.columns(inverse=False)

    def inverse(self) -> None:
        """f[x] = scale sum_k F[k] e^{+i 2 pi k x / N}, in both axes."""
        self.rows(inverse=True)
        self.columns(inverse=True)

    @property
    def axis_dispatches(self) -> int:
        """Dispatches for one axis."""
        return 1

    @property
    def axis_bytes(self) -> int:
        """Bytes read and written through images for one axis."""
        return 2 * self.layers.bytes

    def passes(self) -> tuple[Pass, Pass]:
        """The inverse transform as a frame's two passes."""

        def rows(frame: Frame) -> None:
            self.rows(inverse=True)

        def columns(frame: Frame) -> None:
            self.columns(inverse=True)

        return (
            Pass("fft rows", rows, self.axis_dispatches, self.axis_bytes),
            Pass("fft columns", columns, self.axis_dispatches, self.axis_bytes),
        )

    def release(self) -> None:  # noqa: B027 -- only plans that own tables have something to do
        """Release what the plan owns. Programs belong to the context's shader library."""
