"""The results of a bench: one flat row type for all workloads, and the record around the rows.

This module knows no GPU and no window. JSON, CSV and tables (`ocean.bench.tables`) hold the same rows.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from math import log2
from typing import Any, Literal

from ocean.common.errors import InputError
from ocean.common.facts import GLRecord, HostRecord, ProgramRecord
from ocean.common.records import Document, Items, Kind, Measured, Record, Sample, Series, series

ALONE = "copy", "frame", "pass"  # kinds of row that do not compete
TOO_NOISY = 0.02  # noise from this fraction on is too large


class BenchError(InputError):
    """A bench that can't be run or read; the message says why."""


class Row(Measured):
    """One candidate in one workload at one size."""

    workload: str  # a name of WORKLOADS in ocean.bench.command
    part: str = "transform"
    """Part of the workload. Ocean: transform, maps (from amplitudes), sea (all its passes) or submit (CPU time of a
    frame of the sea). Scene: the view and its level. Workloads of `tools` have parts of their own."""
    name: str  # backend, peer, or transform or library of the CPU
    kind: Kind = "backend"
    options: str = ""  # other than defaults, as key=value with spaces between
    plan: str = ""  # along each axis: kernels, radices, lines in a work group
    chosen: str = ""  # options of the backend that `auto` chose, other than defaults
    tuned: bool | None = None  # True: the choice of `auto` was tuned; null for other backends
    dimensions: Literal[1, 2, 3] = 2
    size: int  # elements of a line; a square has as many lines
    lines: int | None = None  # lines of a rectangle
    batch: int  # complex transforms in a run
    layers: int | None = None  # layers of the storage on the GPU
    storage: str = ""  # format: RGBA32F, RG32F, buffer, complex64, surface
    direction: Literal["forward", "inverse", "both"] = "inverse"  # both: one after the other
    transfers_ms: float | None = None  # median with upload and read back, by the wall clock
    transfer_samples_ms: Items[Sample] = ()  # in order
    gflops: float | None = None  # with 5 N log2 N operations per transform
    real_flops: int | None = None  # additions and multiplications in a run
    copy_share: float | None = None  # fraction of the fastest copy's bandwidth
    barriers: int | None = None  # barriers in a work group
    program_bytes: int | None = None  # size of the GL program binaries
    spirv_bytes: int | None = None  # size of the kernels by glslang, if it is installed
    storage_mib: float | None = None
    frames_per_second: float | None = None
    gain: float | None = None  # gain in frames per second over cooley-tukey-stages, as a fraction
    workers: int | None = None  # CPU threads
    triangles: int | None = None  # triangles of the sea's mesh in the picture
    picture_samples: int | None = None  # samples that may show water
    shadings: int | None = None  # shaded groups of those samples
    winner: bool = False  # fastest of its group

    @property
    def ran(self) -> bool:
        return self.median_ms is not None or self.is_right is not None


class Peer(Record):
    """A library beside the backends, or the reason why it is missing."""

    name: str
    version: str | None
    obstacle: str | None


class Noise(Record):
    """The difference between two measurements of one candidate in the same rounds, or between early and late rounds."""

    workload: str
    part: str | None = None  # part of the CPU's workload, whose parts share sizes
    size: int
    name: str
    first_ms: float
    second_ms: float
    difference: float  # the larger of both differences, as a fraction


class Bench(Document):
    """A run of the bench, with everything that a repetition needs. Units are in the keys."""

    noun = "bench"
    origin = "ocean bench writes bench.json"
    refused = BenchError
    schema_version: Literal[1] = 1
    created: datetime
    program: ProgramRecord
    gl: GLRecord | None  # null if nothing ran on the GPU
    host: HostRecord
    clock: str | None  # gpu or wall
    clock_reason: str | None
    copy_gb_per_s: float | None = None  # bandwidth of the fastest copy; null if nothing ran on the GPU
    command: str
    seed: int | None = None  # seed of random numbers and times; null for a fixed one
    seconds: float  # duration
    notes: Items[str] = ()  # failed and skipped cases, and saved tuning
    peers: Items[Peer] = ()
    noise: Items[Noise] = ()
    rows: Items[Row]

    @property
    def worst_noise(self) -> float | None:
        return max((noise.difference for noise in self.noise), default=None)

    @property
    def noise_statement(self) -> str:
        if not self.noise:
            return "Noise was not measured."
        worst = max(self.noise, key=lambda noise: noise.difference)
        noisy = sum(noise.difference > TOO_NOISY for noise in self.noise)
        where = f"{worst.difference:.1%}, {worst.name} at {worst.workload} {worst.size}"
        if not noisy:
            return f"The same work measured twice differs by at most {where}."
        return (
            f"This machine is too noisy: the same work measured twice differs by more than {TOO_NOISY:.0%} in {noisy} "
            f"of {len(self.noise)} cases (at most {where}), and smaller differences mean nothing, whatever the case."
        )

    def groups(self) -> dict[str, Series]:
        """Return the samples to compare with those of another bench. Rows that compete are a group, and the copy of
        their data is its reference work. A group without a copy takes the copy of equal data in another group."""
        measured = [row for row in self.rows if row.samples_ms]
        groups: dict[str, list[Row]] = {}
        for row in measured:
            shape = " × ".join([f"{row.size}"] * row.dimensions)
            title = f"{row.workload} {row.part}, {row.batch} of {shape}, {row.direction}, {row.storage}"
            groups.setdefault(title, []).append(row)
        found = {}
        for title, rows in groups.items():
            names = Counter(row.name for row in rows)
            labels = [row.name if names[row.name] == 1 else f"{row.name} {row.options}".strip() for row in rows]
            named = [row.model_copy(update={"name": label}) for row, label in zip(rows, labels, strict=True)]
            case = (rows[0].workload, rows[0].size)
            beside = [one.difference for one in self.noise if (one.workload, one.size) == case]
            group = series(named, noise=max(beside, default=self.worst_noise or 0.0))
            copies = [copy for copy in measured if any(is_copy_of(copy, row) for row in rows)]
            if copies and not group.fixed:
                group = replace(group, fixed=series(copies).fixed, is_beside=False)
            found[title] = group
        return found


def conventional_flops(elements: int, batch: int) -> float:
    """Return 5 N log2 N operations for each transform of N elements, the usual convention."""
    return 5 * batch * elements * log2(elements)


UNCACHED = 1 << 28  # bytes of a copy, read and written, that exceed caches
GROUP = ("workload", "part", "dimensions", "size", "batch", "direction")  # fields that are equal in rows that compete


def group_of(row: Row) -> tuple[Any, ...]:
    return tuple(getattr(row, key) for key in GROUP)


def with_winners(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Return the rows with speed-ups over the first that ran in their group and a mark on the fastest correct one."""
    rows = tuple(rows)
    first: dict[tuple[Any, ...], float] = {}
    best: dict[tuple[Any, ...], float] = {}
    for row in rows:
        if row.median_ms and row.kind not in ALONE:
            group = group_of(row)
            first.setdefault(group, row.median_ms)
            if row.is_right:
                best[group] = min(best.get(group, row.median_ms), row.median_ms)

    def held(row: Row) -> Row:
        speed, group = row.median_ms, group_of(row)
        competes = bool(speed) and row.kind not in ALONE
        winner = competes and bool(row.is_right) and speed == best[group]
        speedup = first[group] / speed if speed and competes else None
        return row.model_copy(update={"winner": winner, "speedup": speedup})

    return tuple(map(held, rows))


def with_shares(rows: Sequence[Row], large: float) -> tuple[list[Row], float]:
    """Return the rows with their fraction of the GPU's bandwidth, and the bandwidth [GB/s]: of the fastest copy beyond
    the caches, among the rows and the `large` one. A copy's position in memory changes its speed up to four times."""
    copies = (row for row in rows if row.kind == "copy" and (row.bytes or 0) >= UNCACHED)
    bandwidth = max([large, *(row.gb_per_s or 0.0 for row in copies)])
    shares = [row.gb_per_s / bandwidth if row.gb_per_s else None for row in rows]
    return [row.model_copy(update={"copy_share": share}) for row, share in zip(rows, shares, strict=True)], bandwidth


def is_copy_of(copy: Row, row: Row) -> bool:
    """Return whether one row is a copy of another's data, by the same clock."""
    same = all(getattr(copy, key) == getattr(row, key) for key in ("workload", "size", "batch", "storage", "clock"))
    return same and copy.kind == "copy"
