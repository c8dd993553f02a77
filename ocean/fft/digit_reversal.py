"""Cooley-Tukey in place, with the digits of places reversed before or after: radix 2, 4, 8, in time or in frequency.

"FFT implementation (R2 DIT, R4 DIF, R8 DIF)" on beechwood.eu for radices and options; Davis and Dharma (Stuttgart) for
roots that are computed once and looked up by thread and stage.
"""

from typing import Any, Literal, cast

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.fft.kernels import KernelOptions, LineTransform, TableKind
from ocean.fft.storage import FieldStorage
from ocean.gpu.bindings import Storage
from ocean.gpu.shaders import Define
from ocean.parameters import Parameters, parameter

REVERSALS = ("bitfield", "loop", "table")  # the shader's REVERSAL 0, 1, 2


class DigitReversalOptions(KernelOptions):
    radix: Literal[2, 4, 8] = parameter(4, "Elements of a butterfly; a smaller one makes up for other powers of two.")
    decimation: Literal["time", "frequency"] = parameter(
        "time", "In time the reversal comes first and spans grow; in frequency all of it runs backwards."
    )
    memory: Literal["shared", "global"] = parameter(
        "shared", "All steps in one dispatch and shared memory, or a dispatch a step and everything through images."
    )
    reversal: Literal["bitfield", "loop", "table"] = parameter(
        "bitfield", "Digits are reversed by bitfieldReverse, one by one in a loop, or looked up in a table."
    )
    table: Literal["storage", "uniform", "texture"] = parameter(
        "storage", "Where the table of roots lies, if roots come from a table."
    )


def stage_radices(size: int, radix: int) -> list[int]:
    """The radix of each stage from the narrowest: `radix` but for the first, which makes up for other powers of two."""
    rest = (size.bit_length() - 1) % (radix.bit_length() - 1)
    whole = (size.bit_length() - 1) // (radix.bit_length() - 1)
    return ([1 << rest] if rest else []) + whole * [radix]


def reversed_places(radices: list[int]) -> NDArray[np.int32]:
    """The place of each element of a line whose digits, of these bases from the highest, are reversed."""
    element = np.arange(np.prod(radices), dtype=np.int32)
    place = np.zeros_like(element)
    for radix in reversed(radices):
        place = place * radix + element % radix
        element //= radix
    return place


class DigitReversal(LineTransform):
    """One kernel; its steps are the reversal and the stages."""

    summary = "Cooley-Tukey in place after a digit reversal: radix 2, 4 or 8, in time or frequency, many options."
    shader = "fft/digit_reversal.comp"
    Options = DigitReversalOptions

    def __init__(self, fields: FieldStorage[Any], axis: int, options: DigitReversalOptions, scale: float) -> None:
        self.radices = stage_radices(fields.length(axis), options.radix)
        self.in_shared = options.memory == "shared"
        super().__init__(fields, axis, options, scale)
        self._places: moderngl.Buffer | None = None
        if options.reversal == "table":
            self._places = self.ctx.buffer(reversed_places(self.radices).tobytes())
            self._places.label = "reversed places"

    @classmethod
    def threads(cls, size: int, options: Parameters) -> int:
        return size // cast(DigitReversalOptions, options).radix

    @classmethod
    def shared_bytes(cls, size: int, options: Parameters) -> int:
        return 16 * size if cast(DigitReversalOptions, options).memory == "shared" else 0

    @property
    def table_kind(self) -> TableKind:
        return cast(DigitReversalOptions, self.options).table

    @property
    def swaps(self) -> bool:
        return not self.in_shared  # the dispatch that re-orders moves the line to the other image

    def extra_defines(self) -> dict[str, Define]:
        options = cast(DigitReversalOptions, self.options)
        return {
            "STAGES": len(self.radices),
            "RADIX": options.radix,
            "LOG2_RADIX": options.radix.bit_length() - 1,
            "FIRST_RADIX": self.radices[0],
            "IN_TIME": int(options.decimation == "time"),
            "IN_SHARED": int(self.in_shared),
            "WRITES_FRONT": int(self.in_shared or options.decimation == "time"),
            "REVERSAL": REVERSALS.index(options.reversal),
        }

    @property
    def dispatches(self) -> int:
        return 1 if self.in_shared else 1 + len(self.radices)

    @property
    def bytes_moved(self) -> int:
        return 2 * self.fields.bytes * self.dispatches

    def bind(self) -> None:
        super().bind()
        if self._places is not None:
            self._places.bind_to_storage_buffer(Storage.PLACES)

    def run(self, inverse: bool) -> None:
        if self.in_shared:
            super().run(inverse)
            return
        self.set(self._kernel, inverse)
        for step in range(self.dispatches):
            self._kernel["chosen_step"] = step
            self.bind()
            self.dispatch(self._kernel, self.fields.lines(self.axis))
            if step == (0 if cast(DigitReversalOptions, self.options).decimation == "time" else self.dispatches - 1):
                self.fields.swap()

    def release(self) -> None:
        super().release()
        if self._places is not None:
            self._places.release()
            self._places = None
