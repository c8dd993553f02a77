"""The transforms that a bench measures, and the counts of their plans, which need no timing."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.bench.rows import BenchError
from ocean.fft.backends import name_of
from ocean.fft.comparison import Comparison, options_text
from ocean.fft.contract import AxisTransform, FFTPlan
from ocean.fft.four_step import FourStep
from ocean.fft.measure import Measurement
from ocean.fft.registers import RegisterTransform
from ocean.fft.storage import COLUMNS, LAYERS, ROWS, FieldBuffers, FieldLayers, FieldStorage
from ocean.gpu.context import is_software, limits
from ocean.gpu.shaders import shader_library

StorageFormat = Literal["RGBA32F", "RG32F", "buffer"]
LINE_ELEMENTS, LINE_ELEMENTS_SOFTWARE = 1 << 23, 1 << 17
"""Elements of a batch of lines: as in Govindaraju et al., and fewer for CPUs."""

SEVERAL, SEVERAL_AT = 3, 512  # cascades of a usual sea, and the size at which they are measured beside one cascade
VARIANTS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    *(("stockham-radix2", {"butterflies": butterflies}) for butterflies in (2, 4, 8)),
    *(("digit-reversal", {"radix": radix}) for radix in (2, 8)),
    *(("digit-reversal", {"reversal": "loop"} | radix) for radix in ({}, {"radix": 2})),
    *(("stockham-registers", {"twiddles": twiddles}) for twiddles in ("computed", "native")),
)
"""Variants of one image, as in Mota (figure 16, sections 5.3 and 5.3.1) and Beechwood."""
TURNS: tuple[tuple[str, Mapping[str, Any]], ...] = tuple(("stockham-registers", {"turns": turns}) for turns in (2, 4))
"""Kernels with a half or a quarter of the work groups: each group transforms several sets of lines."""


@dataclass(frozen=True)
class Case:
    """Transforms of one kind and size, in which candidates compete."""

    workload: str
    size: int  # elements of a line
    dimensions: Literal[1, 2, 3]
    batch: int  # complex transforms
    format: StorageFormat
    inverse: bool
    variants: tuple[tuple[str, Mapping[str, Any]], ...] = ()  # backends with other options than their defaults
    lines: int | None = None  # lines of a rectangle; None for a square
    seed: int = 0  # seed of the random numbers
    backends: tuple[str, ...] = ()  # default participants; empty: all suitable backends
    seas: tuple[int, ...] = ()  # numbers of cascades of the seas that are measured beside the transforms
    transforms: bool = True  # False: a run computes no transforms, so that it has no conventional operations

    @property
    def axes(self) -> tuple[int, ...]:
        return (ROWS, COLUMNS, LAYERS)[: self.dimensions]

    @property
    def direction(self) -> Literal["forward", "inverse"]:
        return "inverse" if self.inverse else "forward"

    @property
    def shape(self) -> tuple[int, int, int]:
        if self.dimensions == 3:
            return (self.size, self.size, self.size)
        return (self.batch, self.lines or self.size, self.size) if self.dimensions == 2 else (1, self.batch, self.size)

    @property
    def lengths(self) -> tuple[int, ...]:
        return self.shape[-self.dimensions :]

    def input(self) -> NDArray[np.complex64]:
        values = np.random.default_rng(self.seed).standard_normal((*self.shape, 2), np.float32)
        return values.view(np.complex64)[..., 0]

    def storage(self, ctx: moderngl.Context) -> FieldStorage[Any]:
        count, height, width = self.shape
        if self.format == "buffer":
            return FieldBuffers(ctx, (height, width), count, packed=1)
        packed: Literal[1, 2] = 2 if self.format == "RGBA32F" else 1
        return FieldLayers(ctx, (height, width), count // packed, packed)

    def refuse(self, ctx: moderngl.Context) -> None:
        """Raise BenchError when no storage on this GPU can hold the case."""
        there = limits(ctx)
        wanted = 8 * int(np.prod(self.shape))
        if self.format == "buffer" and wanted > there.storage_bytes:
            raise BenchError(
                f"--sizes = {self.size}: {self.workload} needs {wanted} bytes in one buffer; this GPU allows "
                f"{there.storage_bytes}"
            )
        if self.format != "buffer" and self.size > there.texture_size:
            raise BenchError(
                f"--sizes = {self.size}: {self.workload} takes sizes up to {there.texture_size} on this GPU"
            )


def cascades(workload: str, count: int, ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """Return the complex inverse transforms of a frame, four for each cascade, as one batch with two in a texel. At a
    usual size, a sea of SEVERAL cascades is measured beside one of a single cascade."""

    def case(size: int) -> Case:
        seas = (1, SEVERAL) if count == 1 and size == SEVERAL_AT else (count,)
        return Case(workload, size, 2, 4 * count, "RGBA32F", inverse=True, variants=TURNS, seas=seas)

    return [case(size) for size in sizes]


def image(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    """Return transforms of a complex image in both directions (Mota 2022, chapter 6), and of two images in RGBA32F."""
    formats: tuple[tuple[StorageFormat, int], ...] = (("RG32F", 1), ("RGBA32F", 2))
    return [
        Case("image", size, 2, batch, format_, inverse, () if inverse or batch > 1 else VARIANTS)
        for format_, batch in formats
        for inverse in (False, True)
        for size in sizes
    ]


def batches(workload: str, ctx: moderngl.Context, sizes: Sequence[int], most: int = LINE_ELEMENTS) -> list[Case]:
    """Return batches of lines of `most` elements in all (Govindaraju et al. 2008, figure 12), or as many as fit."""
    elements = LINE_ELEMENTS_SOFTWARE if is_software(ctx) else min(most, limits(ctx).storage_bytes // 8)
    if too_long := next((size for size in sizes if size > elements), None):
        raise BenchError(f"{workload} has {elements} elements on this GPU, so no lines of {too_long}")
    return [Case(workload, size, 1, elements // size, "buffer", inverse=False) for size in sizes]


def cube(ctx: moderngl.Context, sizes: Sequence[int]) -> list[Case]:
    return [Case("cube", size, 3, 1, "buffer", inverse=False) for size in sizes]


def powers(first: int, last: int, step: int = 1) -> tuple[int, ...]:
    return tuple(1 << n for n in range(first, last + 1, step))


Cases = tuple[Callable[[moderngl.Context, Sequence[int]], list[Case]], tuple[int, ...], tuple[int, ...]]
"""The function that makes the cases of a workload, its default sizes, and its sizes on a software renderer."""
CASES: dict[str, Cases] = {
    "ocean": (partial(cascades, "ocean", 1), powers(7, 11), powers(6, 8)),
    "image": (image, powers(7, 13), powers(6, 7)),
    "line": (partial(batches, "line"), powers(1, 23), powers(1, 16, 3)),
    "cascades": (partial(cascades, "cascades", SEVERAL), powers(7, 11), powers(6, 7)),
    "cube": (cube, powers(4, 9), powers(4, 5)),
}
"""Workloads of users; `tools.papers.cases` has the papers' workloads."""


def counted(plan: FFTPlan) -> dict[str, Any]:
    counts = plan.counts()
    return {
        "plan": " and ".join(dict.fromkeys(described(one) for one in plan.transforms)),
        "real_flops": counts.flops,
        "barriers": counts.barriers,
        "program_bytes": counts.program_bytes,
        "spirv_bytes": spirv_bytes(plan),
        "storage_mib": counts.storage_bytes / (1 << 20),
    }


def facts(comparison: Comparison, result: Measurement) -> dict[str, Any]:
    """Return the options of a backend of a comparison, and the counts of its plan if it runs."""
    counts = counted(comparison.plans[result]) if result in comparison.plans else {}
    return counts | {"options": options_text(comparison.options[result])}


def described(transform: AxisTransform[Any]) -> str:
    """Return a description of a transform: its backend, which `auto` may have chosen, and the division of a line."""
    said = [name_of(transform.backend)]
    if isinstance(transform, RegisterTransform):
        division = transform.division
        said += ["×".join(map(str, division.radices)), f"lines={division.lines}", f"parts={division.parts}"]
    if isinstance(transform, FourStep):
        said.append("×".join(str(division.size) for division in transform.divisions))
    return " ".join(said)


COMPILERS = ("glslang", "glslangValidator")
ARGUMENTS = ("-G", "--auto-map-locations", "--auto-map-bindings", "--stdin", "-S", "comp")


def spirv_bytes(plan: FFTPlan) -> int | None:
    """Return the bytes of SPIR-V of all kernels of a plan, each once, or None without a compiler."""
    kernels = {kernel.glo: shader_library(one.ctx).text_of(kernel) for one in plan.transforms for kernel in one.kernels}
    sizes = [size_of(text) for text in kernels.values()]
    return sum(filter(None, sizes)) if sizes and all(sizes) else None


@cache
def size_of(text: str) -> int | None:
    """Return the bytes of one kernel's SPIR-V; None if nothing compiles it."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "kernel.spv"
        done = subprocess.run([compiler, *ARGUMENTS, "-o", str(out)], input=text, capture_output=True, text=True)
        return out.stat().st_size if done.returncode == 0 else None
