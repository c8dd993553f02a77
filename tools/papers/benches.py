"""The benches of one machine, and queries on their rows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, compress, product
from math import hypot
from pathlib import Path
from typing import Any, TypeVar

from ocean.bench.rows import TOO_NOISY, Bench, BenchError, Row
from ocean.common.records import sampled
from ocean.gpu.context import is_software_renderer

T = TypeVar("T")
Curve = dict[float, float]  # values of y by x; empty where nothing was measured
Piece = tuple[Bench, str]  # a report with its folder
Value = str | Callable[[Row], float | None]  # a field of a row, or a function of a row
CLOCKS = {"gpu": "GPU timestamps", "cuda": "CUDA events", "wall": "wall clock"}
ERRORS = ("relative_l2", "largest_error", "off_values", "largest_off")
UNTIMED = (*ERRORS, "program_bytes", "spirv_bytes", "real_flops", "barriers")  # fields that no clock measures


@dataclass(frozen=True)
class Benches:
    """All benches of one machine, with queries on their rows."""

    benches: tuple[Bench, ...]
    folders: tuple[str, ...] = ()  # the folder of each report, where they were read
    clocks: set[str] = field(default_factory=set, compare=False)
    """Clocks of all queried curves. A figure is drawn from a copy without clocks."""
    workloads: set[str] = field(default_factory=set, compare=False)
    """Workloads of all queried rows. A figure is drawn from a copy without workloads."""
    seen: set[int] = field(default_factory=set, compare=False)  # identities of all rows that queries returned
    lacking: set[str] = field(default_factory=set, compare=False)  # libraries that a query for the fastest missed

    @classmethod
    def read(cls, folder: Path) -> "Benches":
        """Read all reports in a folder and below it.

        Raises:
            BenchError: when there is none, one can't be read, or they are of different machines.
        """
        paths = sorted(folder.rglob("bench.json"), key=lambda path: (len(path.parts), path))
        if not paths:
            remedy = "name the folder of a bench, such as --from out/bench"
            raise BenchError(f"--from = {str(folder)!r}: there is no bench.json in it; {remedy}")
        found = cls(tuple(map(Bench.read, paths)), tuple(str(path.parent) for path in paths))
        hosts = {one.host.cpu for one in found.benches}
        devices = {f"{one.gl.renderer}, {one.gl.version}" for one in found.benches if one.gl}
        for several in (hosts, devices):
            if len(several) > 1:
                raise BenchError(f"the reports in {folder} are of {' and of '.join(sorted(several))}")
        return found

    @property
    def device(self) -> str:
        """Return the GPU with its driver, and the CPU."""
        cpu = f"{self.benches[0].host.cpu}, {self.benches[0].host.logical_cores} cores"
        gl = next((one.gl for one in self.benches if one.gl), None)
        return f"{gl.renderer} · OpenGL {gl.version} · {cpu}" if gl else cpu

    @property
    def clock(self) -> str:
        """Return the name of the clock of OpenGL's times."""
        clock = next((one.clock for one in self.benches if one.clock), None)
        return CLOCKS[clock or "wall"]

    @property
    def is_software(self) -> bool:
        """Return whether OpenGL ran on the CPU, where submitting a dispatch includes running it."""
        return any(is_software_renderer(one.gl.renderer) for one in self.benches if one.gl)

    def noise(
        self, workload: str, sizes: Iterable[float], part: str | None = None, value: Value = "median_ms"
    ) -> Curve:
        """Return the fraction by which times must differ to count, at each size.

        It is the largest of TOO_NOISY, the noise measured at that size (or else the largest noise of the workload or
        its part), and the scatter of the rows that queries returned. For times of the host only the scatter counts.
        """
        is_host = on_host(value)
        scatter: dict[float, list[float]] = {}
        for row in self.returned:
            if row.workload == workload and part in (None, row.part):
                scatter.setdefault(row.size, []).append(uncertainty(row, value))
        found: Curve = {}
        for one in (one for bench in self.benches for one in bench.noise if not is_host):
            if one.workload == workload and (part is None or one.part in (None, part)):
                found[one.size] = max(TOO_NOISY, one.difference, found.get(one.size, 0.0))
        largest = max([TOO_NOISY, *found.values()])
        return {size: max(found.get(size, largest), hypot(*sorted(scatter.get(size, []))[-2:])) for size in sizes}

    @property
    def returned(self) -> list[Row]:
        """Return the rows that queries returned."""
        return [row for bench in self.benches for row in bench.rows if id(row) in self.seen]

    def forget(self, sizes: Iterable[float]) -> None:
        """Forget returned rows of other sizes, which have no part in what was judged, if anything was."""
        if kept := [id(row) for row in self.returned if row.size in {*sizes}]:
            self.seen.intersection_update(kept)

    @cached_property
    def pieces(self) -> dict[str, list[Piece]]:
        """Return the reports by workload. Each has its folder and only the rows of that workload."""
        found: dict[str, list[Piece]] = {}
        for bench, folder in zip(self.benches, self.folders or [""] * len(self.benches), strict=True):
            for workload in dict.fromkeys(row.workload for row in bench.rows):
                parts = {
                    key: tuple(one for one in getattr(bench, key) if one.workload == workload)
                    for key in ("rows", "noise")
                }
                found.setdefault(workload, []).append((bench.model_copy(update=parts), folder))
        return found

    def by_report(self, make: Callable[["Benches"], T]) -> list[tuple[T, "Benches"]]:
        """Call a function for every combination of reports: for each workload that it queries, one report or several
        without a common size. Return its results, each with the rows that it was given."""
        asked = replace(self, clocks=set(), workloads=set(), seen=set(), lacking=set())
        make(asked)
        choices = [disjoint(self.pieces[workload]) for workload in sorted(asked.workloads) if workload in self.pieces]
        found = []
        for chosen in product(*choices):
            benches, folders = zip(*chain(*chosen), strict=True) if chosen else (self.benches, self.folders)
            one = Benches(benches, folders)
            found.append((make(one), one))
        return found

    @property
    def used(self) -> list[bool]:
        """Return for each bench whether a row of it was returned."""
        return [not self.seen.isdisjoint(map(id, one.rows)) for one in self.benches]

    @property
    def weight(self) -> tuple[int, float]:
        """Return the number of returned rows, and the time of the newest report that has one."""
        used = [*compress(self.benches, self.used)]
        return len(self.seen), max(one.created.timestamp() for one in used or self.benches)

    def rows(self, workload: str, name: str, **same: Any) -> list[Row]:
        """Return the rows of a backend, a peer or the CPU that ran, with these values in other fields. Rows with wrong
        results are included only if `is_right=None`."""
        self.workloads.add(workload)
        right = same.pop("is_right", True)
        found = [
            row
            for bench in self.benches
            for row in bench.rows
            if (row.workload, row.name) == (workload, name)
            and row.ran
            and (right is None or row.is_right)
            and all(getattr(row, key) == value for key, value in same.items())
        ]
        self.seen.update(map(id, found))
        return found

    def by(self, x: str, workload: str, name: str, **same: Any) -> dict[int, Row]:
        """Return the rows of a query by the values of a field, ascending; of several with equal values, the first."""
        found: dict[int, Row] = {}
        for row in self.rows(workload, name, **same):
            found.setdefault(getattr(row, x), row)
        return dict(sorted(found.items()))

    def curve(self, value: Value, workload: str, name: str, x: str = "size", **same: Any) -> Curve:
        """Return values by size, or by another field; of several reports, the first one that has the value."""
        read = value if callable(value) else lambda row: getattr(row, value)
        shown: dict[int, tuple[Row, float]] = {}
        for row in self.rows(workload, name, **same):
            if (found := read(row)) is not None:
                shown.setdefault(getattr(row, x), (row, found))
        if value not in UNTIMED:
            self.clocks.update("wall" if on_host(value) else row.clock or "wall" for row, _ in shown.values())
        return {place: found for place, (_, found) in sorted(shown.items())}


def on_host(value: Value) -> bool:
    """Return whether a value is measured by the CPU's clock even for the GPU: with transfers, or to submit."""
    return callable(value) or value == "transfers_ms"


def uncertainty(row: Row, value: Value) -> float:
    """Return the uncertainty of a row's time. A time of the host without samples may be off by a factor of two."""
    if not on_host(value):
        return row.uncertainty
    samples = () if callable(value) else row.transfer_samples_ms
    return row.model_copy(update=sampled(samples)).uncertainty if samples else 1.0


def disjoint(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return each report of a workload alone, and together with others that have no case in common, newest first."""
    found = {frozenset([id(one)]): [one] for one in pieces}
    for first in pieces:
        some = [first]
        for piece in sorted(pieces, key=lambda one: one[0].created, reverse=True):
            if not any(cases(piece) & cases(other) for other in some):
                some.append(piece)
        found.setdefault(frozenset(map(id, some)), some)
    return list(found.values())


def cases(piece: Piece) -> set[tuple[str, int]]:
    return {(row.part, row.size) for row in piece[0].rows}


def best(curves: Iterable[Curve]) -> Curve:
    """Return the highest of several curves at each x."""
    found: Curve = {}
    for curve in curves:
        for x, y in curve.items():
            found[x] = max(y, found.get(x, y))
    return dict(sorted(found.items()))


def ratio(above: Curve, below: Curve) -> Curve:
    """Return the ratio of two curves at each x of both."""
    return {x: y / below[x] for x, y in above.items() if below.get(x)}
