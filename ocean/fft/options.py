"""Names and options of all FFT backends, without the GPU: settings, shells and documentation read them here.

`REGISTERED` is the one list of backends. Panel, command line, tests and documentation follow from it.
"""

import sys
from collections.abc import Mapping
from numbers import Real
from typing import Any, Literal, Self

from pydantic import ValidationError, model_validator

from ocean.common.errors import InputError, shown
from ocean.common.parameters import Parameters, explain, nearest_or_all, parameter

LONGEST_TABLE = 512
"""Largest table of roots that is faster than computing them: it stays in the nearest cache."""


class FFTError(InputError):
    """A transform or a storage that is not possible; the message says why."""


class KernelOptions(Parameters):
    """Options of every GLSL backend."""

    twiddles: Literal["auto", "computed", "native", "table"] = parameter(
        "auto",
        "Roots of unity: computed by polynomials, by the driver's sine and cosine (native), or read from a table; "
        f"auto: a table for lines up to {LONGEST_TABLE}, polynomials beyond.",
    )


class NaiveOptions(KernelOptions):
    """Options of the naive transform."""

    invocations: Literal["one-per-group", "one-per-butterfly"] = parameter(
        "one-per-group", "One invocation for each group of butterflies (as published), or for each butterfly."
    )


class ButterflyOptions(KernelOptions):
    """Options of the kernels in which an invocation can do several butterflies per stage."""

    butterflies: Literal[1, 2, 4, 8] = parameter(1, "Butterflies that one invocation does in each stage.")


class GlobalOptions(KernelOptions):
    """Options of the transform with one dispatch per stage."""

    radix: Literal[2, 4, 8] = parameter(8, "Largest radix of a stage; a larger one needs fewer stages and dispatches.")
    exchange: Literal["none", "sorted"] = parameter(
        "none", "Stages of small stride write their rows at once, or sort them in shared memory first."
    )


class DigitReversalOptions(KernelOptions):
    """Options of the transform with digit reversal."""

    radix: Literal[2, 4, 8] = parameter(4, "Radix of all stages; that of the first is smaller if the size requires it.")
    decimation: Literal["time", "frequency"] = parameter(
        "time", "In time: reversal first, then stages of growing span. In frequency: the reverse order."
    )
    memory: Literal["shared", "hybrid", "global"] = parameter(
        "shared", "Stages that share one dispatch in shared memory: all, the narrow ones, or none."
    )
    group: Literal[64, 256, 512, 1024] = parameter(
        256, "Elements of a work group in hybrid and global memory; in hybrid, stages that join more are wide."
    )
    reversal: Literal["bitfield", "loop", "table"] = parameter(
        "bitfield", "Digit reversal by bitfieldReverse, by a loop over digits, or from a table."
    )
    table: Literal["storage", "uniform", "texture"] = parameter(
        "storage", "Memory of the table of roots, if roots come from a table."
    )


class RegisterOptions(KernelOptions):
    """Options of the kernels that keep their data in registers."""

    radix: Literal["auto", 2, 4, 8, 16, "split"] = parameter(
        "auto",
        "Largest radix: a larger one needs fewer stages and more registers. Split saves a stage for lines of 1024 "
        "(radices 8, 16 on halves of elements, 8), 128 (4, 8, 4) and 16 (2, 4, 2), exchanged in halves; otherwise, and "
        "with an order or butterflies chosen, it equals 8.",
    )
    order: Literal["auto", "falling", "rising", "level"] = parameter(
        "auto", "Order of the even radices: the largest first, the largest last, or all as equal as possible."
    )
    butterflies: Literal["auto", 1, 2, 4] = parameter(
        "auto", "Butterflies of the largest radix that one invocation does in a stage."
    )
    lines: Literal["auto", 1, 2, 4, 8] = parameter("auto", "Lines of one work group.")
    exchange: Literal["auto", "vec4", "vec2", "float", "arrays"] = parameter(
        "auto",
        "Part of an element that goes through shared memory at once: at most four floats, two, or one; or all, each "
        "in an array of its own.",
    )
    padding: Literal["auto", "none", "padded"] = parameter(
        "auto", "Unused slots in shared memory, so that strided writes spread over its banks."
    )

    roots: Literal["auto", "each", "powers"] = parameter(
        "auto", "Roots of a butterfly: each computed or read, or only the first and every fourth (others are products)."
    )


class StockhamOptions(RegisterOptions):
    """Options of the kernels, and of the buffer between two axes that are fused with the source of their input."""

    odd: Literal["auto", "primes"] = parameter(
        "auto", "Odd radices: primes, and 9 and 15 for lines long enough (auto), or primes alone."
    )
    columns: Literal["auto", 1, 2, 4, 8] = parameter(
        "auto", "Lines of one work group along columns; auto: as many as along rows.", tunable="plain"
    )
    rows: Literal["auto", "along", "abreast"] = parameter(
        "auto", "Neighbouring invocations follow a row, or lie abreast: each in another row of the group."
    )
    turns: Literal[1, 2, 4] = parameter(
        1, "Sets of lines that a work group transforms one after the other: fewer groups that last longer."
    )
    middle: Literal["image", "buffer", "blocks"] = parameter(
        "image",
        "Storage between the axes of a square: the image, a buffer in row order, or blocks of a group's columns.",
        tunable="plain",
    )
    sharing: Literal["auto", "held", "packed", "apart"] = parameter(
        "auto",
        "Fused: a group makes the input of two layers, and holds what it loaded (held) or the second layer (packed), "
        "or each layer has a group (apart).",
        tunable="first",
    )
    halves: bool = parameter(False, "Fused: half floats in a buffer between the axes; relative error 2e-4.")

    @model_validator(mode="before")
    @classmethod
    def _accept_waves(cls, values: Any) -> Any:
        """Accept `waves` as a synonym of `sharing` in settings and saved plans."""
        if isinstance(values, dict) and "waves" in values and "sharing" not in values:
            return {"sharing" if name == "waves" else name: value for name, value in values.items()}
        return values

    def with_auto(self, values: dict[str, Any]) -> Self:
        """Return these options with the given values in place of "auto"."""
        return self.model_copy(update={name: value for name, value in values.items() if getattr(self, name) == "auto"})


class FourStepOptions(RegisterOptions):
    """Options of the passes and of their kernels."""

    longest: Literal[64, 256, 1024] = parameter(
        256, "Longest transform of one pass; lines beyond its square take more than two passes."
    )


class BluesteinOptions(RegisterOptions):
    """Options of Bluestein's transform and of its inner transforms."""

    convolution: Literal["chirp", "rader"] = parameter(
        "chirp",
        "With a chirp, at least twice as long as the line; or Rader's, one element shorter, for primes p that a work "
        "group holds and whose p - 1 is a product of small primes. Other lengths take the chirp.",
    )
    angles: Literal["exact", "naive"] = parameter(
        "exact",
        "Angles of the chirp: exact (j² modulo 2N in integers), or naive (j² in single precision) to see the error.",
        tunable=False,
    )


REGISTERED: dict[str, tuple[str, type[Parameters]]] = {
    "cooley-tukey-stages": ("textbook:CooleyTukeyStages", KernelOptions),
    "cooley-tukey": ("textbook:CooleyTukey", KernelOptions),
    "stockham-radix2": ("stockham:StockhamRadix2", ButterflyOptions),
    "stockham-radix4": ("stockham:StockhamRadix4", ButterflyOptions),
    "stockham-shared": ("stockham:StockhamShared", KernelOptions),
    "stockham-registers": ("registers:StockhamRegisters", StockhamOptions),
    "stockham-global": ("stockham:StockhamGlobal", GlobalOptions),
    "four-step": ("four_step:FourStep", FourStepOptions),
    "dft": ("textbook:DirectSum", KernelOptions),
    "natural-order": ("textbook:NaturalOrder", KernelOptions),
    "naive": ("textbook:Naive", NaiveOptions),
    "digit-reversal": ("digit_reversal:DigitReversal", DigitReversalOptions),
    "split-radix": ("textbook:SplitRadix", KernelOptions),
    "bluestein": ("bluestein:Bluestein", BluesteinOptions),
}
"""Backends that run on the GPU, among which `auto` chooses: module and class in `ocean.fft`, and model of options."""
OPTIONS: dict[str, type[Parameters]] = {
    **{name: options for name, (_, options) in REGISTERED.items()},
    "auto": Parameters,
    "numpy": Parameters,
}
"""Options of all backends by name."""
DEFAULT_BACKEND = "auto"


def refuse_endless_scale(scale: float) -> None:
    if not isinstance(scale, Real) or not abs(scale) <= sys.float_info.max:
        raise FFTError(f"the scale of a transform is a finite number, not {shown(scale)}")


def validated_options(backend: str, options: Mapping[str, Any] | Parameters | None, key: str = "") -> Parameters:
    """Return the options of a backend as its model. They may be given as plain values or as the model itself. Raises
    FFTError when there is no such backend or option. The message calls the options by their settings' `key`."""
    if not isinstance(backend, str) or backend not in OPTIONS:
        raise FFTError(f"there is no FFT backend {shown(backend)}{nearest_or_all(str(backend), list(OPTIONS))}")
    wanted = OPTIONS[backend]
    if isinstance(options, Parameters):
        if type(options) is wanted:
            return options
        options = options.model_dump(exclude_defaults=True)
    start, key = ("", key) if key else (f"{backend}: ", "options")
    if not isinstance(options, Mapping | None):
        raise FFTError(f"{start}{key} = {shown(options)} is not a table of settings; {backend} has {wanted.names()}")
    for name, value in (options or {}).items():
        owners = [other for other, model in OPTIONS.items() if name in model.model_fields]
        if owners and backend not in owners:
            raise FFTError(f"{start}{key}.{name} = {shown(value)} belongs to {', '.join(owners)}, not to {backend}")
    try:
        return wanted.model_validate(options or {})
    except ValidationError as error:
        raise FFTError(start + explain(error, wanted, key)) from None
