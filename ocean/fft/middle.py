"""The buffer that replaces the storage between the two axes of a square's transform.

A group that transforms rows one at a time reads fastest from lines of a buffer, and a group of columns from blocks of
as many columns as it transforms. Groups that transform two rows at a time read fastest from images, whose texels lie in
tiles.
"""

from functools import partial
from typing import Self

import moderngl

from ocean.fft.storage import Callback, FieldLayers
from ocean.gpu.bindings import Storage
from ocean.gpu.context import labelled, limits


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
