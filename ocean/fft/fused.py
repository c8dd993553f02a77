"""Transforms of squares fused with the source of their input: two dispatches from the source to the result.

The first axis makes its input as it loads, through a callback of the caller; the second axis reads the result of the
first and writes the front half of the storage. The kernels belong to the backends; only their includes differ.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ocean.common.parameters import Parameters
from ocean.fft.backends import BACKENDS, obstacle, validated_options
from ocean.fft.contract import FFTError, FFTPlan, Fusion, Sharing
from ocean.fft.middle import MiddleBuffer
from ocean.fft.storage import COLUMNS, ROWS, Callback, FieldLayers

PAIR = 2  # layers that the source makes from one load
SHARINGS: dict[Sharing, int] = {"apart": 0, "held": 1, "packed": 2}  # values of the define


class FusedPlan(FFTPlan):
    """A transform in two dispatches, from the source to the front half of the storage."""

    def __init__(self, layers: FieldLayers, source: Callback, fusion: Fusion, target: Callback | None = None) -> None:
        together = fusion.sharing != "apart"
        loads = source.bytes if together else PAIR * source.bytes
        load = replace(source, bytes=loads, defines={**source.defines, "INPUT_SHARING": SHARINGS[fusion.sharing]})
        middle = MiddleBuffer.between(layers, fusion.block, fusion.halves)
        rows = layers.through(load, middle.target if middle else None, PAIR if together else 1, not together)
        columns = layers.through(middle.source if middle else None, target)
        axes = (rows, ROWS, fusion.first or fusion.options), (columns, COLUMNS, fusion.options)
        super().__init__((fusion.kernels.make(*axis, 1.0) for axis in axes), middle)


def fuse(
    backend: str,
    layers: FieldLayers,
    source: Callback,
    options: Mapping[str, Any] | Parameters | None = None,
    target: Callback | None = None,
    first: Mapping[str, Any] | Parameters | None = None,
) -> FusedPlan | None:
    """Return the transform of square layers whose input the callback `source` makes, or None if the backend accepts no
    callbacks.

    `source` makes each pair of layers (2l, 2l + 1) from one load; `source.bytes` counts the loads of all pairs.
    `target` is the store callback of the result. `first` are options of the first axis, which has more work.

    Raises:
        FFTError: when there is no such backend or option, or it can't run the size on this GPU.
    """
    if layers.width != layers.height or layers.layers % PAIR:
        raise FFTError(
            f"expected pairs of square layers, not {layers.layers} layers of {layers.height} x {layers.width}"
        )

    def fusion_with(options: Mapping[str, Any] | Parameters | None) -> Fusion | None:
        chosen = validated_options(backend, options)
        if reason := obstacle(layers.ctx, backend, layers.width, chosen):
            raise FFTError(f"{backend}: {reason}")
        return BACKENDS[backend].fusion(layers, chosen)

    fusion = fusion_with(options)
    if fusion and first is not None:
        other = fusion_with(first)
        fusion = fusion.with_first_axis_of(other) if other else None
    return FusedPlan(layers, source, fusion, target) if fusion else None
