"""The fastest GLSL backend for lines that a work group can hold: mixed-radix Stockham in registers, tuned.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), sections IV.B and
IV.D. `ocean.fft.registers` divides the lines among invocations.
"""

from typing import Any

import moderngl

from ocean.fft.contract import Fusion, Sharing
from ocean.fft.options import StockhamOptions
from ocean.fft.registers import (
    GUARANTEED_BYTES,
    GUARANTEED_THREADS,
    ODD_RADICES,
    Division,
    RegisterTransform,
    divide,
    factors,
    smooth_obstacle,
)
from ocean.fft.storage import COLUMNS, ROWS, FieldStorage
from ocean.gpu.context import is_software, limits
from ocean.gpu.shaders import Define


def kernel(radix: int | str, exchange: str, padding: str, roots: str, twiddles: str, **others: Any) -> dict[str, Any]:
    chosen = {"radix": radix, "exchange": exchange, "padding": padding, "roots": roots, "twiddles": twiddles}
    return chosen | {"rows": "abreast"} | others


FASTEST: dict[int, tuple[dict[str, Any], ...]] = {
    256: 2 * (kernel(4, "vec4", "padded", "powers", "table", lines=2, columns=2),),
    512: 2 * (kernel(8, "vec2", "padded", "powers", "table", lines=4, columns=4),),
    1024: 2 * (kernel("split", "auto", "padded", "powers", "table", lines=2, columns=1),),
    2048: (
        kernel(16, "float", "padded", "powers", "table", lines=2),
        kernel(16, "float", "padded", "powers", "computed", columns=2),
    ),
}
"""Fastest options by size, for rows and for columns of RGBA32F images on an NVIDIA H200 (docs/measurements/speed.md).
All fit the 32 KiB of shared memory that OpenGL guarantees."""
MANY_LAYERS = 6
FASTEST_OF_MANY: dict[int, tuple[dict[str, Any], ...]] = {
    512: 2 * (kernel(8, "float", "padded", "powers", "table", lines=2, columns=4),)
}
"""Fastest options for MANY_LAYERS and more: a processor then holds more groups if they are small."""
FASTEST_LINES: dict[int, dict[str, Any]] = {
    **{size: {"exchange": "float"} for size in (128, 256, 512)},
    1024: {"radix": 4, "padding": "none"},
    2048: {"radix": 8, "padding": "padded"},
}
"""Fastest options for rows of complex numbers in a buffer on an NVIDIA H200 (docs/measurements/h200/exchange)."""
FASTEST_FUSED: dict[int, tuple[dict[str, Any], ...]] = {
    256: (kernel(4, "vec4", "padded", "powers", "table", lines=2, sharing="apart"),),
    512: (kernel(4, "vec4", "padded", "powers", "table", lines=2, sharing="packed"),),
    1024: (kernel(4, "vec2", "none", "powers", "table", lines=2, sharing="held"),),
    2048: (
        kernel(8, "vec2", "padded", "powers", "computed", lines=2, sharing="packed"),  # 36 KiB
        kernel(8, "float", "padded", "powers", "table", lines=2, sharing="packed"),
    ),
}
"""Fastest options of the first axis of a fused transform, the best one first."""
ODD_LINES: dict[str, Any] = {"exchange": "float", "roots": "powers", "twiddles": "table"}
"""Fastest options for rows of one number in a buffer whose length is no power of two, from LEAST_ODD_LINE on. With
FULL_THREADS or more a line has a group of its own."""
LEAST_ODD_LINE, FULL_THREADS = 243, 64
LIGHT = tuple(
    kernel(radix, "vec2", "padded", "powers", "table", lines=lines, columns=lines, sharing="apart")
    for lines in (2, 1)
    for radix in (8, 4)
)
"""Options that hold fewer values, for GPUs whose registers those of the H200 exceed (`fits_registers`)."""
SOFTWARE: dict[str, Any] = {"exchange": "vec4", "roots": "powers", "sharing": "apart"}
"""Best options on llvmpipe at every length and along both axes: it has no banks of shared memory, and spills registers
at each barrier. Holding the input of two layers saves little and takes twice as long to compile."""
SOFTWARE_SHORT = 256
"""Up to this length, a work group of llvmpipe takes eight lines."""
SOFTWARE_RADICES = {128: 16, 256: 8}
"""Best radices on llvmpipe up to each length. For three cascades of 128, stages of 16 and 8 take 4.3 ms, and radix 4
takes 6.2 ms. Other lengths take radix 4, whose code is half as long as for radix 8 and compiles 0.17 s faster."""


def known_options(size: int, axis: int, fields: FieldStorage[Any]) -> tuple[dict[str, Any], ...]:
    """Return options for a length and an axis in such fields, the fastest first; empty if not measured."""
    is_slow = is_software(fields.ctx)
    if fields.BUFFER:
        return lines_of_one_number(size) if fields.packed == 1 and axis == ROWS and not is_slow else ()
    if fields.packed == 1:
        return ()
    return (software(size),) if is_slow else (fastest(size, fields.layers)[axis], *LIGHT)


def lines_of_one_number(size: int) -> tuple[dict[str, Any], ...]:
    """Return options for rows of one number in a buffer, the fastest first."""
    if size in FASTEST_LINES or size < LEAST_ODD_LINE or size & (size - 1) == 0:
        return (FASTEST_LINES.get(size, {}),)
    threads = size // max(factors(size, element_bytes=8) or (size,))
    chosen = ODD_LINES | ({"lines": 1} if threads >= FULL_THREADS else {})
    return chosen, chosen | {"radix": 4}


def fits_registers(ctx: moderngl.Context, division: Division, sharing: str = "apart") -> bool:
    """Return whether an invocation can keep its elements in registers, and what a fused one keeps for a second layer.

    In a group beyond 256 it has fewer registers: Intel's compiler then runs 16 or 32 invocations at once. The rule
    agrees with the spills that `tools.registers` counts. llvmpipe spills at each barrier anyway.
    """
    held = division.elements * (division.element_bytes // 4 + {"held": 2, "packed": 4}.get(sharing, 0))
    return is_software(ctx) or held * max(division.group_threads, 256) <= limits(ctx).registers * 256


def software(size: int) -> dict[str, Any]:
    """Return the best options on llvmpipe for a length."""
    return SOFTWARE | ({"radix": SOFTWARE_RADICES.get(size, 4), "lines": 8} if size <= SOFTWARE_SHORT else {})


def fastest(size: int, layers: int) -> tuple[dict[str, Any], ...]:
    """Return the fastest measured options for a size and number of layers, for rows and columns; empty if unknown."""
    measured = FASTEST.get(size, ({}, {}))
    return FASTEST_OF_MANY.get(size, measured) if layers >= MANY_LAYERS else measured


class StockhamRegisters(RegisterTransform[StockhamOptions]):
    """A transform of lines of any length with small prime factors that a work group can hold."""

    summary = (
        f"Mixed-radix Stockham (2 to 16, 3 to {max(ODD_RADICES)}) in registers: "
        "each axis reads and writes the images once."
    )
    shader = "fft/stockham_registers.comp"
    Options = StockhamOptions
    LAYERED = True

    @property
    def group_lines(self) -> int:
        return super().group_lines * self.options.turns

    @classmethod
    def resolved(cls, options: StockhamOptions, size: int, axis: int, fields: FieldStorage[Any]) -> StockhamOptions:
        able = {
            one: division
            for one in map(options.with_auto, known_options(size, axis, fields))
            if (division := divide(size, axis, one, fields.element_bytes)).group_threads <= GUARANTEED_THREADS
            and division.shared_bytes <= GUARANTEED_BYTES
        }
        light = [one for one, division in able.items() if fits_registers(fields.ctx, division)]
        return next(iter(light or able), options)  # options of the user may need smaller groups

    @property
    def is_abreast(self) -> bool:
        rows = self.options.rows
        return super().is_abreast if self.axis == COLUMNS or rows == "auto" else rows == "abreast"

    def extra_defines(self) -> dict[str, Define]:
        return {**super().extra_defines(), "TURNS": self.options.turns}

    @classmethod
    def size_obstacle(cls, size: int) -> str | None:
        return smooth_obstacle(size)

    @classmethod
    def fusion(cls, fields: FieldStorage[Any], options: StockhamOptions) -> Fusion:
        size = fields.width
        there, is_slow = limits(fields.ctx), is_software(fields.ctx)
        known = (software(size),) if is_slow else (*FASTEST_FUSED.get(size, ({},)), *LIGHT)
        able = [one for one in map(options.with_auto, known) if not cls.obstacle(there, size, one)]
        light = [one for one in able if fits_registers(fields.ctx, divide(size, ROWS, one), one.sharing)]
        first = next(iter(light or able), options)
        sharing: Sharing = first.sharing if first.sharing != "auto" else "apart"
        block = 0 if options.middle == "image" and not options.halves else size
        if options.middle == "blocks":
            block = divide(size, COLUMNS, cls.resolved(options, size, COLUMNS, fields)).lines
        return Fusion(cls, options, first, sharing, block, options.halves)
