"""Cooley-Tukey in place with digit reversal before or after: radix 2, 4 or 8, decimation in time or in frequency.

Radices and options: "FFT implementation (R2 DIT, R4 DIF, R8 DIF)" on beechwood.eu. Roots in tables by thread and stage:
Davis and Dharma (Stuttgart).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.fft.contract import Fusion
from ocean.fft.kernels import LineTransform
from ocean.fft.options import DigitReversalOptions
from ocean.fft.registers import factors
from ocean.fft.stages import Memory, Node, Operation, Stage, in_place
from ocean.fft.storage import FieldStorage
from ocean.gpu.bindings import Storage
from ocean.gpu.context import Limits, labelled
from ocean.gpu.shaders import Define

REVERSALS = ("bitfield", "loop", "table")  # the shader's REVERSAL 0, 1, 2
REVERSAL_STAGE = -1  # dispatch of reversal and narrow stages: the first if decimated in time, the last in frequency


def reversed_places(radices: Sequence[int]) -> NDArray[np.int32]:
    """Return the position of each element after its digits are reversed; `radices` are their bases from the highest."""
    return np.arange(np.prod(radices), dtype=np.int32).reshape(radices[::-1]).T.ravel()


def group_elements(size: int, options: DigitReversalOptions) -> int:
    """Return the number of elements of a work group: the line, or a part of it if shared memory does not hold it."""
    return size if options.memory == "shared" else min(options.group, size)


class DigitReversal(LineTransform[DigitReversalOptions]):
    """A transform with one kernel for the reversal and all stages. The narrow stages share the reversal's dispatch."""

    summary = "In-place Cooley-Tukey with digit reversal: radix 2, 4 or 8, decimation in time or frequency."
    shader = "fft/digit_reversal.comp"
    Options = DigitReversalOptions

    def __init__(self, fields: FieldStorage[Any], axis: int, options: DigitReversalOptions, scale: float) -> None:
        size = fields.length(axis)
        self.radices = factors(size, options.radix, "rising") or ()  # from the narrowest stage
        self.in_time = options.decimation == "time"
        self.group = group_elements(size, options)
        self.table_kind = options.table
        widths = np.cumprod(self.radices)  # number of neighbours that a stage joins
        self.narrow = 0 if options.memory == "global" else int(np.sum(widths <= self.group))
        super().__init__(fields, axis, options, scale)
        self.in_place = not self.swaps
        self._places: moderngl.Buffer | None = None
        if options.reversal == "table":
            places = self.ctx.buffer(reversed_places(self.radices).tobytes())
            self._places = self.own(labelled("reversed places", places))

    @classmethod
    def group_obstacle(cls, limits: Limits, size: int, options: DigitReversalOptions) -> str | None:
        if options.memory == "hybrid" and size <= options.group:
            return f"hybrid memory needs lines longer than its group of {options.group}, not {size}; use shared"
        if reason := super().group_obstacle(limits, size, options):
            return reason
        if options.twiddles == "table" and options.table == "uniform" and 8 * size > limits.uniform_bytes:
            return f"a table of {size} roots takes {8 * size} bytes; a uniform block here holds {limits.uniform_bytes}"
        if options.twiddles == "table" and options.table == "texture" and size > limits.texture_size:
            return f"a table of {size} roots exceeds the texture size here, {limits.texture_size} texels"
        return None

    @classmethod
    def threads(cls, size: int, options: DigitReversalOptions) -> int:
        return group_elements(size, options) // options.radix

    @classmethod
    def shared_bytes(cls, size: int, options: DigitReversalOptions) -> int:
        return 0 if options.memory == "global" else 16 * group_elements(size, options)

    @classmethod
    def fusion(cls, fields: FieldStorage[Any], options: DigitReversalOptions) -> Fusion | None:
        return super().fusion(fields, options) if options.memory == "shared" else None  # others have several dispatches

    @property
    def swaps(self) -> bool:
        return self.narrow < len(self.radices)  # the reversal then moves the line to the back half

    def extra_defines(self) -> dict[str, Define]:
        options = self.options
        return {
            "STAGES": len(self.radices),
            "RADIX": options.radix,
            "LOG2_RADIX": options.radix.bit_length() - 1,
            "FIRST_RADIX": self.radices[0],
            "IN_TIME": int(self.in_time),
            "GROUP": self.group,
            "NARROW": self.narrow,
            "BLOCK": math.prod(self.radices[: self.narrow]),
            "WRITES_FRONT": int(self.in_time or not self.swaps),
            "REVERSAL": REVERSALS.index(options.reversal),
        }

    def stages(self) -> Iterator[Stage]:
        """Yield the stages; elements in shared memory are numbered by their destinations in the line."""
        home = Memory.BACK if self.swaps else Memory.FRONT
        numbers = range(len(self.radices))
        together = [self._reversal(), *map(self._butterflies, numbers[: self.narrow])]
        wide = [*map(self._butterflies, numbers[self.narrow :])]
        if not self.in_time:
            together.reverse()
            wide.reverse()
        shared = [
            Stage(
                operation,
                home if operation is together[-1] else Memory.SHARED,
                dispatches=int(operation is together[0]),
                waits=operation is not together[0],
            )
            for operation in together
        ]
        alone = [Stage(operation, home if self.in_time else Memory.FRONT, dispatches=1) for operation in wide]
        yield from (*shared, *alone) if self.in_time else (*alone, *shared)

    def _reversal(self) -> Operation:
        radices, in_time = self.radices, self.in_time
        groups, threads = self.size // self.group, self.group // self.options.radix

        def nodes() -> Iterator[Node]:
            for element, place in enumerate(reversed_places(radices).tolist()):
                thread = element % groups * threads + element // groups % threads
                source, target = (element, place) if in_time else (place, element)
                yield Node((source,), (target,), thread)

        return Operation("reverse", nodes)

    def _butterflies(self, stage: int) -> Operation:
        size, radices, group, is_narrow = self.size, self.radices, self.group, stage < self.narrow
        radix, span, frequency = radices[stage], math.prod(radices[:stage]), not self.in_time
        groups, block, threads = size // group, math.prod(radices[: self.narrow]), group // self.options.radix
        line = in_place(size, radix, span, in_frequency=frequency, products=radix - 1 if stage else 0)
        slots = in_place(group, radix, span, in_frequency=frequency)

        def narrow_nodes() -> Iterator[Node]:
            places = reversed_places(radices).tolist()

            def place_of(part: int, slot: int) -> int:
                return slot if groups == 1 else places[part + slot // block * groups] + slot % block

            for part in range(groups):
                for node in slots.make_nodes():
                    yield node.at(partial(place_of, part), part * threads + (node.thread or 0) % threads)

        def wide_nodes() -> Iterator[Node]:
            for node in line.make_nodes():
                yield replace(node, thread=(node.thread or 0) % (groups * threads))

        return replace(line, make_nodes=narrow_nodes if is_narrow else wide_nodes)

    @property
    def own_bytes(self) -> int:
        return super().own_bytes + (4 * self.size if self._places is not None else 0)

    def bind(self) -> None:
        super().bind()
        if self._places is not None:
            self._places.bind_to_storage_buffer(Storage.PLACES)

    def run(self, inverse: bool) -> None:
        chosen = [REVERSAL_STAGE, *range(self.narrow, len(self.radices))]
        for stage in chosen if self.in_time else reversed(chosen):
            self.set(self._kernel, inverse, chosen_stage=stage)
            self.bind()
            self.dispatch(self._kernel, self.fields.lines(self.axis), self.size // self.group)
            if self.swaps and stage == REVERSAL_STAGE:
                self.fields.swap()
