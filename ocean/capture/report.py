"""The report of a capture, a versioned record. This module knows no window and no GPU."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from ocean.common.errors import InputError
from ocean.common.facts import GLRecord, HostRecord, ProgramRecord
from ocean.common.records import Document, Record, Statistics
from ocean.gpu.timing import Clock, FrameTimes, PassTime
from ocean.validation.truth import Quantity


class CaptureError(InputError):
    """A capture that can't be made or read; the message says why."""


# -- The record --------------------------------------------------------------------------------------------------------


class TimesRecord(Record):
    """Milliseconds by the report's clock, and those of the CPU to submit, of a pass or of the frame."""

    gpu_ms: Statistics
    cpu_ms: Statistics
    gpu_samples_ms: tuple[float, ...]  # frame by frame, for comparisons

    @classmethod
    def of(cls, times: Sequence[PassTime] | Sequence[FrameTimes], **others: Any) -> Self:
        gpu_ms = tuple(round(time.gpu_ms, 6) for time in times)
        cpu_ms = Statistics.of([time.cpu_ms for time in times])
        return cls(gpu_ms=Statistics.of(gpu_ms), cpu_ms=cpu_ms, gpu_samples_ms=gpu_ms, **others)


class PassRecord(TimesRecord):
    """One pass."""

    dispatches: int
    bytes_moved: int  # lower bound; 0 where unknown


class FrameRecord(TimesRecord):
    """The whole frame without the reference: sums over its passes, and the time until the GPU was drained."""

    wall_ms: Statistics
    wall_samples_ms: tuple[float, ...]


class ReferenceRecord(Record):
    """The reference workload, which runs after every frame."""

    memory: PassRecord
    arithmetic: PassRecord


class ClockRecord(Record):
    """The clock of `gpu_ms`, with the reason."""

    name: Clock
    reason: str


class BackendRecord(Record):
    """One FFT backend, rows and columns, on this sea. Times are null where it can't run."""

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
    """The results of one combination of settings."""

    settings: dict[str, Any]  # effective settings
    frame: FrameRecord
    passes: dict[str, PassRecord]  # in the order they ran
    reference: ReferenceRecord
    sea: tuple[Quantity, ...] = ()  # measured after the last frame; foam once its start is forgotten
    backends: tuple[BackendRecord, ...] | None  # null without --compare-backends


class Report(Document):
    """A capture of one case, whose name is empty, or of several. Units are in the keys."""

    noun = "report"
    refused = CaptureError
    schema_version: Literal[2] = 2
    created: datetime
    program: ProgramRecord
    gl: GLRecord
    host: HostRecord
    clock: ClockRecord
    cases: dict[str, Case]  # in the order they ran
    obstacles: dict[str, str] = Field(default_factory=dict)  # reasons why cases did not run

    @model_validator(mode="before")
    @classmethod
    def _refuse_bench(cls, tree: Any) -> Any:
        if isinstance(tree, dict) and "rows" in tree:
            raise PydanticCustomError("bench", "it is of a bench; a capture writes report.json")
        return tree
