"""The transforms that a bench measures: which sizes, how many, in what storage, and the papers they come from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.bench.request import Found, Request, Step
from ocean.bench.rows import Row, conventional_flops, timed
from ocean.fft import BACKENDS
from ocean.fft.comparison import Comparison
from ocean.fft.storage import COLUMNS, ROWS, FieldBuffers, FieldLayers, FieldStorage

Format = Literal["RGBA32F", "RG32F", "buffer"]
SEED = 7


@dataclass(frozen=True)
class Case:
    """Transforms of one kind and size, which candidates compete in."""

    workload: str
    size: int  # elements of a line
    dimensions: Literal[1, 2]
    fields: int  # complex transforms in two dimensions; in one, lines
    format: Format
    inverse: bool

    @property
    def axes(self) -> tuple[int, ...]:
        return (ROWS, COLUMNS) if self.dimensions == 2 else (ROWS,)

    @property
    def direction(self) -> Literal["forward", "inverse"]:
        return "inverse" if self.inverse else "forward"

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of the input: fields, height, width."""
        return (self.fields, self.size, self.size) if self.dimensions == 2 else (1, self.fields, self.size)

    @cached_property
    def input(self) -> NDArray[np.complex64]:
        """Random numbers, the same in every run."""
        rng = np.random.default_rng(SEED)
        values = rng.standard_normal((*self.shape, 2), np.float32)
        return values.view(np.complex64)[..., 0]

    @cached_property
    def expected(self) -> NDArray[np.complex128]:
        """Their unitary transform by numpy in float64."""
        transform = np.fft.ifftn if self.inverse else np.fft.fftn
        axes = (-2, -1) if self.dimensions == 2 else (-1,)
        return transform(self.input.astype(np.complex128), axes=axes, norm="ortho")

    def storage(self, ctx: moderngl.Context) -> FieldStorage[Any]:
        """Where it lies on the GPU."""
        count, height, width = self.shape
        if self.format == "buffer":
            return FieldBuffers(ctx, (height, width), count, packed=1)
        packed: Literal[1, 2] = 2 if self.format == "RGBA32F" else 1
        return FieldLayers(ctx, (height, width), -(-count // packed), packed)


def ocean_cases(sizes: Sequence[int]) -> list[Case]:
    """The four complex inverse transforms of a frame of one cascade, two in a texel."""
    return [Case("ocean", size, 2, 4, "RGBA32F", inverse=True) for size in sizes]


CASES: dict[str, tuple[tuple[int, ...], Callable[[Sequence[int]], list[Case]]]] = {
    "ocean": ((128, 256, 512, 1024, 2048), ocean_cases),
}
"""By workload: the sizes that it has by itself, and what they make."""


def transform_steps(workload: str, request: Request) -> list[Step]:
    """A step a case."""
    usual, cases = CASES[workload]
    return [partial(measure_case, request, case) for case in cases(request.sizes or usual)]


WORKLOADS: dict[str, Callable[[Request], list[Step]]] = {
    **{name: partial(transform_steps, name) for name in CASES},
}
"""The one place where a workload is registered: the steps that it takes, of which nothing runs until it is called."""


def measure_case(request: Request, case: Case) -> Found:
    """All candidates of one case, in turn."""
    storage = case.storage(request.ctx)
    comparison = Comparison(
        storage,
        lambda: storage.write(case.input),
        backends=[(name, None) for name in request.backends or BACKENDS],
        axes=case.axes,
        inverse=case.inverse,
        clock=request.trial.clock,
        rounds=request.rounds,
        transfers=True,
    )
    try:
        results = comparison.run()
        return Found([row_of(case, one.name, request.trial.clock, storage.layers, **timed(one)) for one in results])
    finally:
        comparison.release()


def row_of(case: Case, name: str, clock: str, layers: int | None, **values: Any) -> Row:
    """A row of a case; `values` are those that were measured or counted."""
    if median := values.get("median_ms"):
        values["clock"] = clock
        values["gflops"] = conventional_flops(case.size, case.dimensions, case.fields) / (median * 1e6)
        if values.get("bytes"):
            values["gb_per_s"] = values["bytes"] / (median * 1e6)
    return Row(
        workload=case.workload,
        name=name,
        dimensions=case.dimensions,
        size=case.size,
        batch=case.fields,
        layers=layers,
        storage=case.format,
        direction=case.direction,
        **values,
    )
