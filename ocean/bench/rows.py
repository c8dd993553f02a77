"""What a bench has found out: one flat row type for all workloads, and the record around the rows.

Knows no GPU and no window. JSON, CSV and tables (`ocean.bench.tables`) hold the same rows.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from math import log2
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ocean.common.facts import GLRecord, HostRecord, ProgramRecord
from ocean.common.records import Document, Record, Series
from ocean.fft.measure import Result, outliers
from ocean.settings import SettingsError

Kind = Literal["backend", "peer", "cpu", "copy", "pass"]
ALONE = "copy", "pass"
"""Kinds that compete with nothing."""
TOO_NOISY = 0.02
"""Differences that no two runs of the same bench should show."""


class BenchError(SettingsError):
    """A bench that can't be run, or read, as asked; the message is one sentence that says why."""


class Row(Record):
    """One candidate in one workload at one size. Times are of one run, in milliseconds; null is what was not measured,
    or what has no meaning there."""

    workload: str  # a name of ocean.bench.workloads.WORKLOADS
    part: str = "transform"
    """Of the ocean: transform, maps (from amplitudes), sea (all its passes) or submit (what the CPU does for a frame of
    the sea); of frames: frame, passes, rows, columns, and watched (with timers and statistics);
    of the CPU: a part of tools.cpu.workload; of scenes: the view and its level."""
    name: str  # backend, peer, or transform or library of the CPU
    kind: Kind = "backend"
    options: str = ""  # that are not the defaults, as key=value with spaces between
    plan: str = ""  # what a backend made of it, along each axis: kernels, radices, lines a work group
    chosen: str = ""  # options of the backend that `auto` took, that are not the defaults
    tuned: bool | None = None  # whether `auto` took it as tuned; null for all others
    dimensions: Literal[1, 2] = 2
    size: int  # elements of a line; in two dimensions there are as many lines, unless they are said
    lines: int | None = None  # of a rectangle
    batch: int  # complex transforms in a run
    layers: int | None = None  # of storage on the GPU
    storage: str = ""  # format: RGBA32F, RG32F, buffer, complex64, surface
    direction: Literal["forward", "inverse", "both"] = "inverse"  # both: one after the other
    obstacle: str | None = None  # why it did not run
    clock: str | None = None  # of the times: gpu, wall, cuda, or the CPU's of the thread
    median_ms: float | None = None
    p5_ms: float | None = None
    p95_ms: float | None = None
    min_ms: float | None = None
    mean_ms: float | None = None
    transfers_ms: float | None = None  # median with upload and read back, by the wall clock
    speedup: float | None = None  # over the first that ran in the same group, copies aside
    gflops: float | None = None  # by convention: 5 N log2 N operations a transform
    real_flops: int | None = None  # additions and multiplications that a run's transforms do
    bytes: int | None = None  # that a run reads and writes, by count
    gb_per_s: float | None = None
    copy_share: float | None = None  # of this GPU's bandwidth, as the fastest copy shows it
    dispatches: int | None = None
    barriers: int | None = None  # within a work group
    submit_us: float | None = None  # CPU, for one run
    program_bytes: int | None = None  # of the GL program binaries
    storage_mib: float | None = None
    relative_l2: float | None = None  # against numpy in float64; null also where it is not finite
    largest_error: float | None = None  # of a value, in units of the result's root mean square; likewise
    is_right: bool | None = None  # null where nobody looked
    off_values: int | None = None  # whose real or imaginary part is off by more than 1e-3 of itself
    samples: int = 0
    repeats: int = 0  # runs of one sample
    outliers: int = 0  # samples beyond Tukey's fences; they are kept
    frames_per_second: float | None = None
    gain: float | None = None  # of frames a second over cooley-tukey-stages, as a share
    workers: int | None = None  # threads of the CPU
    triangles: int | None = None  # of the sea's mesh that a picture draws
    picture_samples: int | None = None  # that a picture has where it may show water
    shadings: int | None = None  # of them, some at once
    winner: bool = False  # fastest of its group
    samples_ms: tuple[float, ...] = ()  # one after the other, for those who compare


class Peer(Record):
    """A library that backends were held against, or why it was not there."""

    name: str
    version: str | None
    obstacle: str | None


class Noise(Record):
    """The same candidate measured twice in the same rounds, and early rounds against late ones."""

    workload: str
    part: str | None = None  # of the CPU's, whose parts have sizes in common
    size: int
    name: str
    first_ms: float
    second_ms: float
    difference: float  # the larger of both differences, as a share


class Bench(Document):
    """A run of the bench, with what it takes to repeat it. Units stand in the keys."""

    noun = "bench"
    refused = BenchError
    schema_version: Literal[1] = 1
    created: datetime
    program: ProgramRecord
    gl: GLRecord | None  # null where nothing ran on the GPU
    host: HostRecord
    clock: str | None  # of the GPU's times: gpu or wall
    clock_reason: str | None
    copy_gb_per_s: float | None = None  # of the fastest copy; null where nothing ran on the GPU
    command: str
    seed: int | None = None  # of its random numbers and times; null where an earlier release always took the same
    seconds: float  # that it took
    notes: tuple[str, ...] = ()  # cases that failed or were left out, and what tuning kept
    peers: tuple[Peer, ...] = ()
    noise: tuple[Noise, ...] = ()
    rows: tuple[Row, ...]

    @property
    def worst_noise(self) -> float | None:
        """The share that times have to differ by to mean anything; None where nobody measured it."""
        return max((noise.difference for noise in self.noise), default=None)

    @property
    def noise_statement(self) -> str:
        """How far the figures can be trusted, in a sentence."""
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


def conventional_flops(elements: int, batch: int) -> float:
    """5 N log2 N for a transform of N elements, as everyone counts."""
    return 5 * batch * elements * log2(elements)


def timed(result: Result, checked: bool = True) -> dict[str, Any]:
    """The values of a row that come from measured samples, and from the check before them if there was one."""
    x = np.asarray(result.gpu_samples, np.float64)
    if not len(x):
        return {"obstacle": result.obstacle}
    p5, middle, p95 = (float(q) for q in np.percentile(x, (5, 50, 95)))
    return {
        "median_ms": middle,
        "p5_ms": p5,
        "p95_ms": p95,
        "min_ms": float(x.min()),
        "mean_ms": float(x.mean()),
        "transfers_ms": float(np.median(result.transfer_samples)) if result.transfer_samples else None,
        "submit_us": result.cpu_ms * 1e3,
        **(checks(result) if checked else {}),
        "samples": len(x),
        "repeats": result.repeats,
        "outliers": outliers(result.gpu_samples),
        "samples_ms": tuple(result.gpu_samples),
    }


def checks(result: Result) -> dict[str, Any]:
    """The values of a row that say how right a result was."""
    return {
        "relative_l2": result.relative_error if np.isfinite(result.relative_error) else None,
        "largest_error": result.largest_error if np.isfinite(result.largest_error) else None,
        "is_right": result.is_right,
        "off_values": result.off_values,
    }


UNCACHED = 1 << 28
"""Bytes that a copy reads and writes: more than caches hold."""

GROUP = ("workload", "part", "dimensions", "size", "batch", "direction")
"""What rows that compete with each other agree on."""


def group_of(row: Row) -> tuple[Any, ...]:
    return tuple(getattr(row, key) for key in GROUP)


def with_winners(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The same rows, held against those of their group: how many times as fast as the first that ran, and which of the
    right ones is the fastest. Copies do not compete."""
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
    """The same rows held against the GPU's bandwidth, and that [GB/s]: the fastest of a large copy and of those among
    the rows that caches do not hold. How fast a copy is depends on where its memory lies, by up to four times."""
    copies = (row for row in rows if row.kind == "copy" and (row.bytes or 0) >= UNCACHED)
    bandwidth = max([large, *(row.gb_per_s or 0.0 for row in copies)])

    def share(row: Row) -> float | None:
        return row.gb_per_s / bandwidth if row.gb_per_s else None

    return [row.model_copy(update={"copy_share": share(row)}) for row in rows], bandwidth


def comparable(bench: Bench) -> dict[str, Series]:
    """Return the samples of a bench, to be compared with another's. Rows that compete are a group, and the copy of
    their data is its reference work."""
    measured = [row for row in bench.rows if row.samples_ms]
    names = Counter((title_of(row), row.name) for row in measured)
    groups: dict[str, Series] = {}
    for row in measured:
        title = title_of(row)
        name = row.name if names[title, row.name] == 1 else f"{row.name} {row.options}".strip()
        group = groups.setdefault(title, Series({}, {}, noise=noise_at(bench, row)))
        (group.fixed if row.kind == "copy" else group.samples)[name] = row.samples_ms
    return groups


def noise_at(bench: Bench, row: Row) -> float:
    """Return the noise that was measured beside a row, or the worst of the bench where none was."""
    beside = [one.difference for one in bench.noise if (one.workload, one.size) == (row.workload, row.size)]
    return max(beside, default=bench.worst_noise or 0.0)


def title_of(row: Row) -> str:
    """Return the properties that competing rows share, as words."""
    shape = f"{row.size} × {row.size}" if row.dimensions == 2 else f"{row.size}"
    return f"{row.workload} {row.part}, {row.batch} of {shape}, {row.direction}, {row.storage}"


CSV_FIELDS = tuple(name for name in Row.model_fields if name != "samples_ms")

# -- Files -------------------------------------------------------------------------------------------------------------


def write_csv(path: Path, rows: Sequence[Row]) -> None:
    """A line a row, with the names of the fields first; null is an empty cell. Samples stay in the JSON."""
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(CSV_FIELDS)
        dumps = (row.model_dump(include=set(CSV_FIELDS)) for row in rows)
        lines.writerows(["" if value is None else value for value in dump.values()] for dump in dumps)
