"""Transforms of squares fused with what makes their input: two dispatches from its source to the maps.

The first axis makes its input as it loads, through an include of the source's owner; the second reads what the first
left and writes the front of the storage. The kernels are those of the backends: only their includes are others.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import moderngl

from ocean.fft.backends import BACKENDS, obstacle, validated_options
from ocean.fft.contract import FFTError, FFTPlan, Fusion
from ocean.fft.storage import COLUMNS, ROWS, End, FieldLayers
from ocean.gpu.bindings import Storage
from ocean.gpu.context import limits
from ocean.gpu.passes import Pass
from ocean.parameters import Parameters

PAIR = 2  # layers that the source makes of what it loads once


class MiddleBuffer:
    """Both layers of each pair between the axes, in blocks of so many columns."""

    def __init__(self, layers: FieldLayers, block: int, halves: bool) -> None:
        self._defines = {"SIDE": layers.width, "BLOCK": block, "HALVES": int(halves)}
        self._bytes = layers.bytes // 2 if halves else layers.bytes
        self.buffer = layers.ctx.buffer(reserve=self.room(layers, block, halves))
        self.buffer.label = "fft middle"

    @staticmethod
    def room(layers: FieldLayers, block: int, halves: bool) -> int:
        """Bytes of the buffer; the last block may be wider than what is left for it."""
        elements = -(-layers.width // block) * block * layers.height * layers.layers
        return elements * layers.element_bytes // (2 if halves else 1)

    def _bind(self) -> None:
        self.buffer.bind_to_storage_buffer(Storage.MIDDLE)

    def _end(self, include: str) -> End:
        barrier = moderngl.Context.SHADER_STORAGE_BARRIER_BIT
        return End(include, self._bytes, self._bind, self._defines, barrier)

    @property
    def target(self) -> End:
        """For the first axis."""
        return self._end("fft/store_middle.glsl")

    @property
    def source(self) -> End:
        """For the second axis."""
        return self._end("fft/load_middle.glsl")

    def release(self) -> None:
        self.buffer.release()


class FusedPlan(FFTPlan):
    """Two dispatches from the source to the maps."""

    def __init__(self, layers: FieldLayers, source: End, fusion: Fusion) -> None:
        holds, together = fusion.waves == "held", fusion.waves != "apart"
        loads = source.bytes if holds else PAIR * source.bytes
        first_in = replace(source, bytes=loads, defines={**source.defines, "HOLDS": int(holds)})
        first_out = second_in = None
        self._middle: MiddleBuffer | None = None
        if fusion.block and MiddleBuffer.room(layers, fusion.block, fusion.halves) <= limits(layers.ctx).storage_bytes:
            self._middle = MiddleBuffer(layers, fusion.block, fusion.halves)
            first_out, second_in = self._middle.target, self._middle.source
        rows = layers.through(first_in, first_out, PAIR if together else 1)
        columns = layers.through(second_in)
        make = fusion.kernels.make
        super().__init__((make(rows, ROWS, fusion.options, 1.0), make(columns, COLUMNS, fusion.options, 1.0)))

    def passes(self) -> tuple[Pass, ...]:
        names = ("evolve+rows", "columns")
        return tuple(replace(step, name=name) for step, name in zip(super().passes(), names, strict=True))

    def release(self) -> None:
        super().release()
        if self._middle is not None:
            self._middle.release()
            self._middle = None


def fuse(
    backend: str, layers: FieldLayers, source: End, options: Mapping[str, Any] | Parameters | None = None
) -> FusedPlan | None:
    """The transforms of square layers of which `source` makes the input, each pair (2l, 2l + 1) from what it loads once
    (`source.bytes` for all of them); None where the backend's kernels take no includes.

    Raises:
        FFTError: when there is no such backend or option, or it can't run the size on this GPU.
    """
    if layers.width != layers.height or layers.layers % PAIR:
        raise FFTError(f"{layers.layers} layers of {layers.height} x {layers.width} are no pairs of squares")
    settled = validated_options(backend, options)
    if reason := obstacle(layers.ctx, backend, layers.width, settled):
        raise FFTError(f"{backend}: {reason}")
    fusion = BACKENDS[backend].fusion(layers, settled)
    return FusedPlan(layers, source, fusion) if fusion else None
