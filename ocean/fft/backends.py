"""The registry of backends, and plans made with them.

`TRANSFORMS` is the one place where a backend is registered. A backend is one shader file, one small class and one line
there; panel, command line, tests and documentation follow from that.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import moderngl

from ocean.common.parameters import Parameters
from ocean.fft.auto import Auto
from ocean.fft.bluestein import Bluestein
from ocean.fft.contract import Backend, FFTError, FFTPlan, options_of
from ocean.fft.cooley_tukey import CooleyTukey, CooleyTukeyStages, NaturalOrder
from ocean.fft.dft import DirectSum
from ocean.fft.digit_reversal import DigitReversal
from ocean.fft.four_step import FourStep
from ocean.fft.middle import MiddleBuffer
from ocean.fft.naive import Naive
from ocean.fft.reference import NumpyTransform
from ocean.fft.split_radix import SplitRadix
from ocean.fft.stockham import StockhamRadix2, StockhamRadix4, StockhamShared
from ocean.fft.stockham_global import StockhamGlobal
from ocean.fft.stockham_registers import StockhamRegisters
from ocean.fft.storage import COLUMNS, LAYERS, ROWS, Callback, FieldBuffers, FieldLayers, FieldStorage
from ocean.gpu.context import limits

TRANSFORMS: dict[str, Backend] = {
    "cooley-tukey-stages": CooleyTukeyStages,
    "cooley-tukey": CooleyTukey,
    "stockham-radix2": StockhamRadix2,
    "stockham-radix4": StockhamRadix4,
    "stockham-shared": StockhamShared,
    "stockham-registers": StockhamRegisters,
    "stockham-global": StockhamGlobal,
    "four-step": FourStep,
    "dft": DirectSum,
    "natural-order": NaturalOrder,
    "naive": Naive,
    "digit-reversal": DigitReversal,
    "split-radix": SplitRadix,
    "bluestein": Bluestein,
}
"""Backends that run on the GPU, by name. `auto` chooses among them."""
AUTO = Auto(TRANSFORMS)
BACKENDS: dict[str, Backend] = {**TRANSFORMS, "auto": AUTO, "numpy": NumpyTransform}
DEFAULT_BACKEND = "auto"

validated_options = partial(options_of, BACKENDS)


def name_of(backend: Backend) -> str:
    return next(name for name, one in BACKENDS.items() if one is backend)


def obstacle(ctx: moderngl.Context, backend: str, size: int, options: Parameters | None = None) -> str | None:
    """Return why `backend` can't run `size` on this GPU, or None if it can."""
    chosen = BACKENDS[backend]
    return chosen.obstacle(limits(ctx), size, options or chosen.Options())


def refuse_obstacle(ctx: moderngl.Context, backend: str, size: int, options: Parameters) -> None:
    """Raise FFTError if the backend can't run the size on this GPU. The message names the backends that can."""
    if reason := obstacle(ctx, backend, size, options):
        others = [name for name in BACKENDS if name != backend and not obstacle(ctx, name, size)]
        raise FFTError(f"fft.backend = {backend!r} can't run fft.size = {size}: it {reason}; take {', '.join(others)}")


def takes_callbacks(backend: str, fields: FieldStorage[Any], options: Parameters) -> bool:
    """Return whether a transform of these fields loads and stores each element once, so that callbacks can do both."""
    return BACKENDS[backend].fusion(fields, options) is not None


def plan(
    ctx: moderngl.Context,
    backend: str,
    fields: FieldStorage[Any],
    options: Mapping[str, Any] | Parameters | None = None,
    scale: float = 1.0,
    axes: tuple[int, ...] = (ROWS, COLUMNS),
    target: Callback | None = None,
) -> FFTPlan:
    """Return a compiled transform of `fields` along `axes` that multiplies its results by `scale`.

    `target` is the store callback of the last axis; None stores to `fields`.

    Raises:
        FFTError: when there is no such backend, option or axis, or the backend can't run the size on this GPU, or its
            kernels store more than once and so accept no callback.
    """
    options = validated_options(backend, options)
    chosen = BACKENDS[backend]
    if fields.double and not chosen.DOUBLE:
        able = ", ".join(name for name, one in BACKENDS.items() if one.DOUBLE)
        raise FFTError(f"{backend}: transforms in single precision only; in double precision use {able}")
    has_layers = isinstance(fields, FieldBuffers) and fields.packed == 1
    if not axes or len(set(axes)) < len(axes) or not set(axes) <= {ROWS, COLUMNS, *([LAYERS] if has_layers else [])}:
        raise FFTError(
            f"axes must be ROWS ({ROWS}), COLUMNS ({COLUMNS}) or both, and of buffers with one number per element also "
            f"LAYERS ({LAYERS}), not {axes}"
        )
    for axis in axes:
        if reason := obstacle(ctx, backend, fields.length(axis), options):
            raise FFTError(f"{backend}: {reason}")
    scales = [1.0] * (len(axes) - 1) + [scale]
    if target and not takes_callbacks(backend, fields, options):
        raise FFTError(f"{backend}: stores in several dispatches and so accepts no store callback")
    ends, middle = [fields] * len(axes), None
    if isinstance(fields, FieldLayers) and fields.width == fields.height and axes == (ROWS, COLUMNS):
        fusion = chosen.fusion(fields, options)
        middle = MiddleBuffer.between(fields, fusion.block if fusion else 0)
    if middle:
        ends[0] = fields.through(target=middle.target)
    if middle or target:
        ends[-1] = fields.through(middle.source if middle else None, target)
    views = [across_layers(end) if axis == LAYERS else (end, axis) for end, axis in zip(ends, axes, strict=True)]
    parts = zip(views, scales, strict=True)
    return FFTPlan((chosen.make(end, axis, options, one) for (end, axis), one in parts), middle)


def across_layers(fields: FieldStorage[Any]) -> tuple[FieldStorage[Any], int]:
    """Return a view of a buffer with its layers as the lines of a single one, and the axis along them."""
    assert isinstance(fields, FieldBuffers)
    return fields.reshaped(1, fields.layers, fields.height * fields.width), COLUMNS
