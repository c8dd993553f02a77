"""The fastest backend, for lines that a work group can hold: mixed-radix Stockham in registers.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), sections IV.B and
IV.D. `ocean.fft.registers` divides the lines; here is what was best for both axes together, where they are fused.
"""

from typing import Any, Literal, Self, cast

from ocean.fft.contract import Fusion, Waves
from ocean.fft.registers import ODD_RADICES, RegisterOptions, RegisterTransform, divide, smooth_obstacle
from ocean.fft.storage import COLUMNS, FieldStorage
from ocean.gpu.context import is_software
from ocean.parameters import parameter


class StockhamOptions(RegisterOptions):
    """Options of the kernels, and of what lies between them where they are fused with the evolution of a sea."""

    columns: Literal["auto", 1, 2, 4, 8] = parameter(
        "auto", "Lines of one work group along columns, where not as many as along rows."
    )
    middle: Literal["auto", "image", "buffer", "blocks"] = parameter(
        "auto", "Fused: what lies between the axes. Blocks are a buffer in blocks of a group's columns."
    )
    waves: Literal["auto", "held", "repeated", "apart"] = parameter(
        "auto",
        "Fused: a group evolves the waves of two layers and holds on to them, or repeats it; or each has a group.",
    )
    halves: bool = parameter(False, "Fused: half floats between the axes, in a buffer, which cost 2e-4 of accuracy.")

    def settled(self, size: int) -> Self:
        fastest = FASTEST.get(size, {})
        return self if any(getattr(self, name) != "auto" for name in fastest) else self.model_copy(update=fastest)

    def lines_along(self, axis: int) -> Literal["auto", 1, 2, 4, 8]:
        return self.columns if axis == COLUMNS and self.columns != "auto" else self.lines


FASTEST: dict[int, dict[str, Any]] = {
    256: {"radix": 4, "lines": 2, "columns": 4, "exchange": "vec4", "padding": "none"},
    512: {"radix": 4, "lines": 2, "columns": 4, "exchange": "vec2", "padding": "none"},
    1024: {"radix": 4, "lines": 1, "columns": 2, "exchange": "vec2", "padding": "none"},
    2048: {"radix": 8, "lines": 1, "columns": 2, "exchange": "float", "padding": "padded"},
}
"""What was fastest by size on an NVIDIA H200. All fits the 32 KiB of shared memory that OpenGL grants; where there are
48, larger groups leave fewer under way."""
MIDDLE: dict[int, str] = {256: "blocks", 512: "buffer", 1024: "image", 2048: "image"}
"""What was fastest between fused axes."""
LARGEST_BUFFERED = 2048
"""Beyond it a buffer between the axes would take gigabytes."""


class StockhamRegisters(RegisterTransform):
    """Any length of small prime factors that a work group can hold."""

    summary = (
        f"Mixed-radix Stockham (2 to 16, 3 to {max(ODD_RADICES)}) in registers: "
        "the fastest, where a work group can hold the line."
    )
    shader = "fft/stockham_registers.comp"
    Options = StockhamOptions
    LAYERED = True

    @classmethod
    def size_obstacle(cls, size: int) -> str | None:
        return smooth_obstacle(size)

    @classmethod
    def fusion(cls, fields: FieldStorage[Any], options: Any) -> Fusion:
        size, asked, software = fields.width, cast(StockhamOptions, options), is_software(fields.ctx)
        middle = "image" if software or size > LARGEST_BUFFERED else MIDDLE.get(size, "buffer")
        settled = asked.model_copy(update={"middle": middle}) if asked.middle == "auto" else asked
        waves: Waves = asked.waves if asked.waves != "auto" else "held" if software else "apart"
        block = divide(size, COLUMNS, settled).lines if settled.middle == "blocks" else size
        if settled.middle == "image" and not settled.halves:
            block = 0
        return Fusion(cls, settled, waves, block, settled.halves)
