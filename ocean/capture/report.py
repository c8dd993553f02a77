"""The report of a capture: a versioned record, its cases, and the CSV of timed frames."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from ocean.common.facts import GLRecord, HostRecord, ProgramRecord
from ocean.common.records import Document, Items, Kind, Measured, Record, Series, csv_text, sampled, series
from ocean.gpu.timing import Clock, FrameTimes
from ocean.validation.quantities import Quantity


class ClockRecord(Record):
    """The clock of `gpu_ms`, with the reason."""

    name: Clock
    reason: str


NEGLIGIBLE = 0.01  # smaller changes of a pass, as a fraction of the frame, do not count as changes


class CaseRecord(Record):
    settings: dict[str, Any]  # effective settings
    rows: Items[Measured]
    """In the order they ran: the frame, which is the sum over its passes, and the frame with its host part; the passes;
    the reference workload, which runs after every frame; with --compare-backends the FFT backends on this sea."""
    sea: Items[Quantity] = ()  # measured after the last frame; foam once its start is forgotten
    energies: dict[str, float] | None = None  # of nonlinear waves [m³/s²], after the last frame
    fronts: tuple[float, float] | None = None  # power of c in Lambda(c), and its ratio to the observed level
    fronts_area: float | None = None  # area of the fields in which the fronts were found [m²]

    @model_validator(mode="after")
    def _refuse_without_frame(self) -> Self:
        if "frame" not in self.of_kind("frame"):
            raise PydanticCustomError("frame", "it has no row of the frame")
        return self

    def of_kind(self, kind: Kind) -> dict[str, Measured]:
        return {row.name: row for row in self.rows if row.kind == kind}

    @property
    def frame(self) -> Measured:
        return self.of_kind("frame")["frame"]

    @property
    def passes(self) -> dict[str, Measured]:
        return self.of_kind("pass")

    def series(self, clock: str) -> Series:
        """Return the samples to compare: those of the frame, its passes, and the reference passes. By the wall clock,
        the reference passes include the host, so the frame with its host part is compared too."""
        rows = (row for row in self.rows if row.clock == clock and row.kind != "backend")
        return series(rows, negligible_ms=NEGLIGIBLE * (self.frame.median_ms or 0.0))


class Report(Document):
    """A capture of one case, whose name is empty, or of several. Units are in the keys."""

    noun = "report"
    origin = "a capture writes report.json"
    schema_version: Literal[3] = 3
    created: datetime
    program: ProgramRecord
    gl: GLRecord
    host: HostRecord
    clock: ClockRecord
    cases: dict[str, CaseRecord]  # in the order they ran
    obstacles: dict[str, str] = Field(default_factory=dict)  # reasons why cases did not run

    def groups(self) -> dict[str, Series]:
        """Return the samples to compare with those of another capture, by case."""
        return {name: case.series(self.clock.name) for name, case in self.cases.items()}

    @model_validator(mode="before")
    @classmethod
    def _take_version_2(cls, tree: Any) -> Any:
        if isinstance(tree, dict) and "rows" in tree:
            raise PydanticCustomError("bench", "it is of a bench")
        if not (isinstance(tree, dict) and tree.get("schema_version") == 2):
            return tree
        try:
            clock = tree["clock"]["name"]
            cases = {name: {**case, "rows": rows_of_version_2(case, clock)} for name, case in tree["cases"].items()}
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            return tree  # refused for its version
        return {**tree, "schema_version": 3, "cases": cases}


def rows_of_version_2(case: dict[str, Any], clock: str) -> list[dict[str, Any]]:
    """Return the rows of a case of schema version 2, in which each kind of row has a record of its own."""
    frame, fixed = case["frame"], case["reference"]
    rows = [{"name": "frame with host", "kind": "frame", "clock": "wall", **sampled(frame["wall_samples_ms"])}]
    for kind, records in (
        ("frame", {"frame": frame}),
        ("pass", case["passes"]),
        ("reference", {f"reference {name}": fixed[name] for name in ("memory", "arithmetic")}),
    ):
        for name, old in records.items():
            rows.append({"name": name, "kind": kind, "clock": clock, **sampled(old["gpu_samples_ms"])})
            rows[-1] |= {"submit_us": 1e3 * old["cpu_ms"]["median"], "dispatches": old.get("dispatches")}
            rows[-1] |= {"bytes": old.get("bytes_moved") or None}
    for old in case["backends"] or ():
        names = {"backend": "name", "gpu_ms": "median_ms", "relative_error": "relative_l2"}
        rows.append({"kind": "backend", "clock": clock, **{names.get(key, key): value for key, value in old.items()}})
        rows[-1]["submit_us"] = old["cpu_ms"] and 1e3 * old["cpu_ms"]
    return rows


def write_frames(path: Path, frames: Sequence[FrameTimes]) -> None:
    """Write CSV, a row for each frame, times to nanoseconds. The cells of a pass that did not run are empty."""
    names = list(dict.fromkeys(name for frame in frames for name in frame.passes))
    columns = [f"{name} {unit}" for name in names for unit in ("gpu_ms", "cpu_ms")]
    rows = []
    for frame in frames:
        times = [ms for name in names for ms in frame.passes.get(name, (None, None))[:2]]
        values = (*frame.whole.values(), *times)
        rows.append([round(value, 6) if isinstance(value, float) else value for value in values])
    path.write_text(csv_text([*frames[0].whole, *columns], rows), encoding="utf-8", newline="\n")
