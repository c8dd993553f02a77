"""What a capture has to say: a versioned record, statistics of samples, facts of the machine, JSON and CSV.

Pure functions over plain values: no window, and of a GL context only its description. `ocean.capture` fills it in.
"""

import csv
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ocean import __version__
from ocean.gpu.passes import Pass
from ocean.gpu.timing import Clock, PassTime
from ocean.settings import SettingsError
from ocean.waves.truth import Quantity

SCHEMA_VERSION = 1
PACKAGES = ("moderngl", "moderngl-window", "numpy", "pydantic", "scipy")


class CaptureError(SettingsError):
    """A capture that can't be made as asked; the message is one sentence that says why."""


# -- The record --------------------------------------------------------------------------------------------------------


class Record(BaseModel):
    """A part of the report. Newer reports of the same schema version may know more keys."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False, from_attributes=True)


class Statistics(Record):
    """A quantity over the measured frames. Percentiles interpolate linearly; the deviation is the sample's (n - 1)."""

    n: int = Field(ge=1)
    min: float
    median: float
    mean: float
    p95: float
    p99: float
    max: float
    standard_deviation: float

    @classmethod
    def of(cls, samples: Sequence[float]) -> Self:
        """Summarise at least one sample."""
        x = np.asarray(samples, np.float64)
        median, p95, p99 = (float(q) for q in np.percentile(x, (50, 95, 99)))
        return cls(
            n=x.size,
            min=float(x.min()),
            median=median,
            mean=float(x.mean()),
            p95=p95,
            p99=p99,
            max=float(x.max()),
            standard_deviation=float(x.std(ddof=1)) if x.size > 1 else 0.0,
        )


class PassRecord(Record):
    """One pass: milliseconds by the report's clock, beside those that the CPU took to submit it."""

    gpu_ms: Statistics
    cpu_ms: Statistics
    dispatches: int
    bytes_moved: int  # at the least; 0 where nobody counted


class FrameRecord(Record):
    """The whole frame without the reference: the sums over its passes, and from its start until the GPU had drained."""

    gpu_ms: Statistics
    cpu_ms: Statistics
    wall_ms: Statistics


class ReferenceRecord(Record):
    """Fixed work, run after every frame."""

    memory: PassRecord
    arithmetic: PassRecord


class ProgramRecord(Record):
    """What ran. The commit is null outside a checkout."""

    name: str = "ocean"
    version: str = __version__
    git_commit: str | None
    git_modified: bool | None  # tracked files differ from that commit


class GLRecord(Record):
    """The driver's own words."""

    vendor: str
    renderer: str
    version: str


class HostRecord(Record):
    """The machine around the GPU."""

    cpu: str
    logical_cores: int
    system: str
    python: str
    packages: dict[str, str]


class ClockRecord(Record):
    """By which clock `gpu_ms` was measured, and why."""

    name: Clock
    reason: str


class BackendRecord(Record):
    """One FFT backend, rows and columns, on this sea; times are null where the backend can't run."""

    backend: str
    obstacle: str | None
    dispatches: int
    gpu_ms: float | None
    p95_ms: float | None
    cpu_ms: float | None
    gb_per_s: float | None
    speedup: float | None  # over the first backend that ran
    relative_error: float | None  # L2, against numpy in float64; null also where it is not finite
    wrong_values: int | None  # off by more than 1e-4 of the root mean square


class Report(Record):
    """A capture. Units stand in the keys."""

    schema_version: Literal[1] = 1
    created: datetime
    program: ProgramRecord
    gl: GLRecord
    host: HostRecord
    clock: ClockRecord
    settings: dict[str, Any]  # all that were in force
    frame: FrameRecord
    passes: dict[str, PassRecord]  # in the order they ran
    reference: ReferenceRecord
    sea: tuple[Quantity, ...] = ()  # measured just after the last frame; foam only once it has forgotten its beginning
    backends: tuple[BackendRecord, ...] | None  # null unless they were compared


def program_facts(folder: Path = Path(__file__).parent.parent) -> ProgramRecord:
    """The program, with its commit where `folder` is the root of a checkout and git can be asked."""

    def git(*arguments: str) -> str | None:
        command = ["git", "-C", str(folder), *arguments]
        try:
            return subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return None

    commit = git("rev-parse", "HEAD") if (folder / ".git").exists() else None
    changes = git("status", "--porcelain", "--untracked-files=no") if commit else None
    return ProgramRecord(git_commit=commit, git_modified=None if changes is None else bool(changes))


def gl_facts(info: Mapping[str, Any]) -> GLRecord:
    """From a context's `info`."""
    return GLRecord(vendor=info["GL_VENDOR"], renderer=info["GL_RENDERER"], version=info["GL_VERSION"])


def host_facts() -> HostRecord:
    """The machine that this runs on."""
    return HostRecord(
        cpu=cpu_name(),
        logical_cores=os.cpu_count() or 1,
        system=platform.platform(),
        python=platform.python_version(),
        packages={name: version for name in PACKAGES if (version := package_version(name))},
    )


def package_version(name: str) -> str | None:
    """Of an installed package; None where it was installed without its metadata."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def cpu_name(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """The processor's model as the system calls it, or else its architecture."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, "") or platform.processor() or platform.machine()


# -- Samples -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MeasuredFrame:
    """One measured frame: its number and time of the sea [s], how long it took until drained, and its passes."""

    index: int
    time: float
    wall_ms: float
    passes: Mapping[str, PassTime]
    reference: Mapping[str, PassTime]

    @property
    def gpu_ms(self) -> float:
        return sum(p.gpu_ms for p in self.passes.values())

    @property
    def cpu_ms(self) -> float:
        return sum(p.cpu_ms for p in self.passes.values())


def frame_record(frames: Sequence[MeasuredFrame]) -> FrameRecord:
    """Statistics of whole frames."""
    return FrameRecord(
        gpu_ms=Statistics.of([f.gpu_ms for f in frames]),
        cpu_ms=Statistics.of([f.cpu_ms for f in frames]),
        wall_ms=Statistics.of([f.wall_ms for f in frames]),
    )


def pass_record(times: Sequence[PassTime], step: Pass) -> PassRecord:
    """Statistics of one pass."""
    return PassRecord(
        gpu_ms=Statistics.of([t.gpu_ms for t in times]),
        cpu_ms=Statistics.of([t.cpu_ms for t in times]),
        dispatches=step.dispatches,
        bytes_moved=step.bytes_moved,
    )


# -- Files -------------------------------------------------------------------------------------------------------------


def write_report(path: Path, report: Report) -> None:
    """As JSON, indented."""
    path.write_text(report.model_dump_json(indent=2) + "\n", encoding="utf-8")


def read_report(path: Path) -> Report:
    """A report from its JSON.

    Raises:
        CaptureError: when there is none, or it is of another schema version.
    """
    try:
        return Report.model_validate_json(path.read_bytes())
    except OSError as error:
        raise CaptureError(f"can't read the baseline {path}: {(error.strerror or str(error)).lower()}") from None
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(str(part) for part in problem["loc"])
        raise CaptureError(
            f"{path} is no report of schema version {SCHEMA_VERSION}: {where + ': ' if where else ''}"
            f"{problem['msg'][0].lower()}{problem['msg'][1:]}"
        ) from None


def write_frames(path: Path, frames: Sequence[MeasuredFrame]) -> None:
    """As CSV, a row a frame; a pass that did not run in a frame leaves its cells empty."""
    names = list(dict.fromkeys(name for frame in frames for name in (*frame.passes, *frame.reference)))
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(
            ["frame", "time_s", "gpu_ms", "cpu_ms", "wall_ms"]
            + [f"{name} {unit}" for name in names for unit in ("gpu_ms", "cpu_ms")]
        )
        for frame in frames:
            times = {**frame.passes, **frame.reference}
            cells = [(times[name].gpu_ms, times[name].cpu_ms) if name in times else ("", "") for name in names]
            rows.writerow(
                [frame.index, frame.time, frame.gpu_ms, frame.cpu_ms, frame.wall_ms]
                + [value for pair in cells for value in pair]
            )


def utc_now() -> datetime:
    """Now, in whole seconds."""
    return datetime.now(UTC).replace(microsecond=0)
