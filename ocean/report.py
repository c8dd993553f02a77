"""What a capture has to say: a versioned record, statistics of samples, facts of the machine, JSON and CSV.

Pure functions over plain values: no window, and of a GL context only its description. `ocean.capture` fills it in.
"""

import os
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ocean import __version__
from ocean.gpu.timing import Clock
from ocean.settings import SettingsError
from ocean.waves.truth import Quantity

SCHEMA_VERSION: Literal[2] = 2
PACKAGES = (
    *("moderngl", "moderngl-window", "numpy", "pydantic", "pyfftw", "scipy"),
    *("cupy", "cupy-cuda12x", "cupy-cuda13x", "pyvkfft"),  # CuPy's name says where it was built
)


class CaptureError(SettingsError):
    """A capture that can't be made as asked; the message is one sentence that says why."""


# -- The record --------------------------------------------------------------------------------------------------------


class Record(BaseModel):
    """A part of the report. Newer reports of the same schema version may know more keys."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False, from_attributes=True)


R = TypeVar("R", bound=Record)


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
    gpu_samples_ms: tuple[float, ...]  # frame by frame, for those who compare


class FrameRecord(Record):
    """The whole frame without the reference: the sums over its passes, and from its start until the GPU had drained."""

    gpu_ms: Statistics
    cpu_ms: Statistics
    wall_ms: Statistics
    gpu_samples_ms: tuple[float, ...]
    wall_samples_ms: tuple[float, ...]


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


class Case(Record):
    """What one choice of settings came to."""

    settings: dict[str, Any]  # all that were in force
    frame: FrameRecord
    passes: dict[str, PassRecord]  # in the order they ran
    reference: ReferenceRecord
    sea: tuple[Quantity, ...] = ()  # measured just after the last frame; foam only once it has forgotten its beginning
    backends: tuple[BackendRecord, ...] | None  # null unless they were compared


class Report(Record):
    """A capture of one case, whose name is empty, or of a matrix. Units stand in the keys."""

    schema_version: Literal[2] = SCHEMA_VERSION
    created: datetime
    program: ProgramRecord
    gl: GLRecord
    host: HostRecord
    clock: ClockRecord
    cases: dict[str, Case]  # in the order they ran
    obstacles: dict[str, str] = {}  # why cases did not run


def command_line(*program: str) -> str:
    """The words that started a program, with the arguments of this one. Of an absolute path the last part stays: the
    folders before it are a machine's own."""
    return shlex.join([*program, *(Path(word).name if Path(word).is_absolute() else word for word in sys.argv[1:])])


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


# -- Files -------------------------------------------------------------------------------------------------------------


def write_report(path: Path, report: Report) -> None:
    """As JSON."""
    path.write_text(to_json(report), encoding="utf-8")


def to_json(record: Record) -> str:
    """Indented, but a list of numbers on one line."""
    return NUMBERS.sub(lambda found: " ".join(found[0].split()), record.model_dump_json(indent=2)) + "\n"


NUMBERS = re.compile(r"\[[-+.,\deE\s]+\]")


def read_report(path: Path) -> Report:
    """A report from its JSON.

    Raises:
        CaptureError: when there is none, or it is of another schema version.
    """
    return read_record(path, Report, "report", SCHEMA_VERSION, CaptureError)


def read_record(path: Path, model: type[R], noun: str, version: int, refused: type[Exception]) -> R:
    """A record from its JSON, or `refused` with one sentence that says why it is no `noun` of this schema version."""
    try:
        return model.model_validate_json(path.read_bytes())
    except OSError as error:
        raise refused(f"can't read the {noun} {path}: {(error.strerror or str(error)).lower()}") from None
    except ValidationError as error:
        problem = error.errors()[0]
        if problem["loc"] == ("schema_version",):
            what = f"is of schema version {problem['input']}, and this program reads version {version}"
            raise refused(f"{path} {what}; make it again") from None
        where = ".".join(str(part) for part in problem["loc"])
        message = f"{where + ': ' if where else ''}{problem['msg'][0].lower()}{problem['msg'][1:]}"
        raise refused(f"{path} is no {noun} of schema version {version}: {message}") from None


def utc_now() -> datetime:
    """Now, in whole seconds."""
    return datetime.now(UTC).replace(microsecond=0)
