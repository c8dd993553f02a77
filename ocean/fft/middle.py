"""What lies between the two axes of a square's transform, where it is not the storage: a buffer.

Rows taken one at a time like buffers, whose elements lie in lines as they do; columns like a buffer in blocks of as
many columns as a group transforms. Rows taken two at a time, and columns, like images: their texels lie in tiles.
"""

from typing import Self

import moderngl

from ocean.fft.contract import Fusion
from ocean.fft.storage import Callback, FieldLayers
from ocean.gpu.bindings import Storage
from ocean.gpu.context import limits


class MiddleBuffer:
    """Layers between the axes, in blocks of so many columns, whole or in half floats."""

    def __init__(self, layers: FieldLayers, block: int, halves: bool) -> None:
        self._defines = {"SIDE": layers.width, "BLOCK": block, "HALVES": int(halves)}
        self.bytes = layers.bytes // 2 if halves else layers.bytes
        self.buffer = layers.ctx.buffer(reserve=self.buffer_bytes(layers, block, halves))
        self.buffer.label = "fft middle"

    @classmethod
    def between(cls, layers: FieldLayers, fusion: Fusion | None, halves: bool) -> Self | None:
        """The buffer that a fusion asks for; None where it wants none, or this GPU has none so large."""
        if (
            not fusion
            or not fusion.block
            or cls.buffer_bytes(layers, fusion.block, halves) > limits(layers.ctx).storage_bytes
        ):
            return None
        return cls(layers, fusion.block, halves)

    @staticmethod
    def buffer_bytes(layers: FieldLayers, block: int, halves: bool) -> int:
        """Bytes of the buffer; the last block may be wider than what is left for it."""
        elements = -(-layers.width // block) * block * layers.height * layers.layers
        return elements * layers.element_bytes // (2 if halves else 1)

    def _bind(self) -> None:
        self.buffer.bind_to_storage_buffer(Storage.MIDDLE)

    def _callback(self, include: str) -> Callback:
        barrier = moderngl.Context.SHADER_STORAGE_BARRIER_BIT
        return Callback(include, self.bytes, self._bind, self._defines, barrier)

    @property
    def target(self) -> Callback:
        """For the first axis."""
        return self._callback("fft/store_middle.glsl")

    @property
    def source(self) -> Callback:
        """For the second axis."""
        return self._callback("fft/load_middle.glsl")

    def release(self) -> None:
        self.buffer.release()
