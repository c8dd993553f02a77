"""The report of a capture, a versioned record. Knows no window and no GPU; `ocean.capture.headless` fills it in."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from ocean.common.facts import GLRecord, HostRecord, ProgramRecord
from ocean.common.records import Document, Record, Statistics
from ocean.gpu.timing import Clock
from ocean.settings import SettingsError
from ocean.validation.truth import Quantity


class CaptureError(SettingsError):
    """A capture that can't be made as asked; the message is one sentence that says why."""


# -- The record --------------------------------------------------------------------------------------------------------


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


class Report(Document):
    """A capture of one case, whose name is empty, or of a matrix. Units stand in the keys."""

    noun = "report"
    refused = CaptureError
    schema_version: Literal[2] = 2
    created: datetime
    program: ProgramRecord
    gl: GLRecord
    host: HostRecord
    clock: ClockRecord
    cases: dict[str, Case]  # in the order they ran
    obstacles: dict[str, str] = Field(default_factory=dict)  # why cases did not run
