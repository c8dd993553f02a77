"""Plans of transforms by the name of a backend: plain plans, and plans fused with the source of their input.

The first axis of a fused transform makes its input as it loads, through a callback of the caller. The second axis
writes the front half of the storage. The kernels are those of the backends with other includes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import moderngl

from ocean.common.errors import shown, whole_number, whole_numbers
from ocean.common.parameters import Parameters
from ocean.fft.auto import TRANSFORMS, Auto
from ocean.fft.contract import AxisTransform, Backend, FFTPlan, Fusion, Sharing
from ocean.fft.options import FFTError, refuse_endless_scale, validated_options
from ocean.fft.storage import COLUMNS, LAYERS, ROWS, Callback, FieldBuffers, FieldLayers, FieldStorage, MiddleBuffer
from ocean.fft.textbook import NumpyTransform
from ocean.gpu.context import current, in_context, limits
from ocean.gpu.shaders import shader_library

# `Auto` makes transforms of other classes and is none itself, so it stays abstract.
BACKENDS: dict[str, Backend] = {**TRANSFORMS, "auto": Auto, "numpy": NumpyTransform}  # type: ignore[type-abstract]


def name_of(backend: Backend) -> str:
    return next(name for name, one in BACKENDS.items() if one is backend)


def obstacle(ctx: moderngl.Context, backend: str, size: int, options: Parameters | None = None) -> str | None:
    """Return why `backend` can't run `size` on this GPU, or None if it can."""
    options = validated_options(backend, options)
    return BACKENDS[backend].obstacle(limits(ctx), whole_number(size, "size"), options)


def refuse_obstacle(ctx: moderngl.Context, backend: str, size: int, options: Parameters) -> None:
    """Raise FFTError if the backend can't run the size on this GPU. The message names the backends that can."""
    if reason := obstacle(ctx, backend, size, options):
        others = [name for name in BACKENDS if name != backend and not obstacle(ctx, name, size)]
        raise FFTError(f"fft.backend = {backend!r} can't run fft.size = {size}: it {reason}; take {', '.join(others)}")


def takes_callbacks(backend: str, fields: FieldStorage[Any], options: Parameters) -> bool:
    """Return whether a transform of these fields loads and stores each element once, so that callbacks can do both."""
    return BACKENDS[backend].fusion(fields, options) is not None


@in_context
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
        FFTError: when there is no such backend, option or axis, the scale is not finite, the fields belong to another
            context, the backend can't run the size on this GPU, or its kernels store more than once and so accept no
            callback.
        RuntimeError: when the fields were released.
    """
    if not isinstance(fields, FieldStorage) or not isinstance(target, Callback | None):
        given = f"{type(fields).__name__} and {type(target).__name__}"
        raise TypeError(f"a plan takes FieldLayers or FieldBuffers, and as target a Callback or None; not {given}")
    if fields.front.ctx is not ctx:
        raise FFTError("these fields belong to another OpenGL context than the plan")
    refuse_endless_scale(scale)
    options = validated_options(backend, options)
    chosen = BACKENDS[backend]
    if fields.double and not chosen.DOUBLE:
        able = ", ".join(name for name, one in BACKENDS.items() if one.DOUBLE)
        raise FFTError(f"{backend}: transforms in single precision only; in double precision use {able}")
    known = {ROWS, COLUMNS, *([LAYERS] if isinstance(fields, FieldBuffers) and fields.packed == 1 else [])}
    axes = tuple(whole_numbers(axes, "axes"))
    if not axes or len(set(axes)) < len(axes) or not set(axes) <= known:
        raise FFTError(
            f"axes must be ROWS ({ROWS}), COLUMNS ({COLUMNS}) or both, and of buffers with one number per element also "
            f"LAYERS ({LAYERS}), not {shown(axes)}"
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

    def transforms() -> Iterator[AxisTransform[Any]]:
        for end, axis, factor in zip(ends, axes, scales, strict=True):
            if axis == LAYERS and isinstance(end, FieldBuffers):  # layers are the columns of a single one
                view = end.reshaped(1, end.layers, end.height * end.width)
                yield chosen.make(view, COLUMNS, options, factor)
            else:
                yield chosen.make(end, axis, options, factor)

    return FFTPlan(transforms(), middle)


@in_context
def clear_kernels(ctx: moderngl.Context) -> None:
    """Delete the compiled kernels that no plan of this context uses. Otherwise the last 64 stay, for later calls."""
    shader_library(ctx).clear_kernels()


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
    """Return the transform of square layers whose input `source` makes, or None if the backend accepts no callbacks.

    `source` makes each pair of layers (2l, 2l + 1) from one load; `source.bytes` counts the loads of all pairs.
    `target` is the store callback of the result. `first` are options of the first axis, which has more work.

    Raises:
        FFTError: when there is no such backend or option, or it can't run the size on this GPU.
        TypeError: when `layers` or `source` is of another type.
    """
    if not isinstance(layers, FieldLayers) or not isinstance(source, Callback):
        given = f"{type(layers).__name__} and {type(source).__name__}"
        raise TypeError(f"fuse takes FieldLayers and a Callback as source, not {given}")
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
    with current(layers.ctx):
        return FusedPlan(layers, source, fusion, target) if fusion else None
