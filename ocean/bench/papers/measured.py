"""The rows of one or several reports, asked for by who ran what."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ocean.bench.rows import Bench, BenchError, Row, read_json

Curve = dict[float, float]
"""Values of y by x; empty where nothing was measured."""
Value = str | Callable[[Row], float | None]
"""A field of a row, or what is made of it."""


@dataclass(frozen=True)
class Measured:
    """What one machine measured."""

    benches: tuple[Bench, ...]

    @classmethod
    def read(cls, folder: Path) -> "Measured":
        """All reports in a folder and in those below it.

        Raises:
            BenchError: when there is none, one can't be read, or they are of different machines.
        """
        paths = sorted(folder.rglob("bench.json"), key=lambda path: (len(path.parts), path))
        if not paths:
            raise BenchError(f"there is no bench.json in {folder}")
        found = cls(tuple(map(read_json, paths)))
        hosts = {one.host.cpu for one in found.benches}
        devices = {f"{one.gl.renderer}, {one.gl.version}" for one in found.benches if one.gl}
        for several in (hosts, devices):
            if len(several) > 1:
                raise BenchError(f"the reports in {folder} are of {' and of '.join(sorted(several))}")
        return found

    @property
    def device(self) -> str:
        """GPU and driver, and the CPU."""
        cpu = f"{self.benches[0].host.cpu}, {self.benches[0].host.logical_cores} cores"
        gl = next((one.gl for one in self.benches if one.gl), None)
        return f"{gl.renderer} · OpenGL {gl.version} · {cpu}" if gl else cpu

    @property
    def clock(self) -> str:
        """Of the GPU's times, in words."""
        clock = next((one.clock for one in self.benches if one.clock), None)
        return {"gpu": "GPU timestamps", "wall": "wall clock", None: "wall clock"}[clock]

    @property
    def cores(self) -> int:
        return self.benches[0].host.logical_cores

    def rows(self, workload: str, name: str, **same: Any) -> list[Row]:
        """Those that were measured, of a backend, a peer or the CPU, whose other fields are as given. Wrong results do
        not count unless `is_right=None` asks for them."""
        right = same.pop("is_right", True)
        return [
            row
            for bench in self.benches
            for row in bench.rows
            if (row.workload, row.name) == (workload, name)
            and row.median_ms
            and (right is None or row.is_right)
            and all(getattr(row, key) == value for key, value in same.items())
        ]

    def by(self, x: str, workload: str, name: str, **same: Any) -> dict[int, Row]:
        """The same by one of their fields, in its order; the first of several."""
        found: dict[int, Row] = {}
        for row in self.rows(workload, name, **same):
            found.setdefault(getattr(row, x), row)
        return dict(sorted(found.items()))

    def curve(self, value: Value, workload: str, name: str, **same: Any) -> Curve:
        """Values by size."""
        read = value if callable(value) else lambda row: getattr(row, value)
        values = {size: read(row) for size, row in self.by("size", workload, name, **same).items()}
        return {size: value for size, value in values.items() if value is not None}


def best(curves: Iterable[Curve]) -> Curve:
    """The highest of several at each x."""
    found: Curve = {}
    for curve in curves:
        for x, y in curve.items():
            found[x] = max(y, found.get(x, y))
    return dict(sorted(found.items()))


def ratio(above: Curve, below: Curve) -> Curve:
    """Where both were measured."""
    return {x: y / below[x] for x, y in above.items() if below.get(x)}
