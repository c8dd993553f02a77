"""Records: versioned report values and their JSON, measurement rows, samples to compare, and tables."""

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, FailFast, Field, ValidationError

from ocean.common.errors import MOST_JSON, SHOWN, InputError, clipped, read_bytes, reason, refuse_parts, shown

FORMULAS = "=", "+", "-", "@"  # characters with which a spreadsheet begins a formula


class Record(BaseModel):
    """A part of a report. Unknown keys are ignored: newer reports of the same schema version may have more."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False, from_attributes=True)


Kind = Literal["frame", "pass", "reference", "backend", "peer", "cpu", "copy"]
FIXED = "reference", "copy"
"""Kinds of reference work: fixed work that no change of the program affects. Other rows are compared with it."""


LONGEST, SHORTEST = 1e12, 1e-9  # ms: bounds of samples, so that their ratios are finite
Sample = Annotated[float, Field(ge=-LONGEST, le=LONGEST), AfterValidator(lambda ms: ms if abs(ms) >= SHORTEST else 0.0)]
T = TypeVar("T")
Items = Annotated[tuple[T, ...], FailFast()]  # one error is enough: millions would take gigabytes


class Measured(Record):
    """The times of one measured thing: a frame or a pass of a picture, a transform, or fixed work. Times are of one
    run, in milliseconds. Null stands for values that were not measured or have no meaning."""

    name: str
    kind: Kind
    obstacle: str | None = None  # reason why it did not run
    clock: str | None = None  # gpu, wall, cuda, or thread for CPU time
    median_ms: float | None = None
    p5_ms: float | None = None
    p95_ms: float | None = None
    min_ms: float | None = None
    mean_ms: float | None = None
    submit_us: float | None = None  # CPU time to submit one run
    speedup: float | None = None  # relative to the first competitor that ran; copies do not compete
    dispatches: int | None = None
    bytes: int | None = None  # read and written in a run, as counted
    gb_per_s: float | None = None
    relative_l2: float | None = None  # against numpy in float64; null where it is not finite
    largest_error: float | None = None  # in units of the result's root mean square; null where it is not finite
    is_right: bool | None = None  # null where it was not checked
    wrong_values: int | None = None  # values off by more than ten times the promised error
    off_values: int | None = None  # values with a real or imaginary part off by more than 1e-3 of itself
    largest_off: float | None = None  # magnitude of the largest such part, in units of the result's root mean square
    samples: int = 0
    repeats: int = 0  # runs of one sample
    outliers: int = 0  # samples beyond Tukey's fences, which are included
    samples_ms: Items[Sample] = ()  # in order, for comparisons

    @property
    def uncertainty(self) -> float:
        """The fraction by which the median is uncertain: half of its interval, or the difference between early and late
        samples if they are known. The median of six samples lies within their whole range with a probability of 97 %,
        and intervals shrink with the root of their number. A single sample may be off by 100 %."""
        if not self.median_ms or self.p5_ms is None or self.p95_ms is None or not self.samples:
            return 0.0
        if self.samples == 1:
            return 1.0
        scatter = (self.p95_ms - self.p5_ms) / 2 / self.median_ms * math.sqrt(6 / self.samples)
        middle = len(self.samples_ms) // 2
        ends = [float(np.median(half)) for half in (self.samples_ms[:middle], self.samples_ms[middle:]) if middle]
        return max(scatter, max(ends) / min(ends) - 1 if ends and min(ends) > 0 else 0.0)


def sampled(samples: Sequence[float]) -> dict[str, Any]:
    """Return the values of a row that come from samples. Percentiles interpolate linearly."""
    p5, median, p95 = (float(q) for q in np.percentile(np.asarray(samples, np.float64), (5, 50, 95)))
    return {
        "median_ms": median,
        "p5_ms": p5,
        "p95_ms": p95,
        "min_ms": float(min(samples)),
        "mean_ms": float(np.mean(samples)),
        "samples": len(samples),
        "samples_ms": tuple(samples),
    }


CONTROL = re.compile(rb"\\u00([01]|7f|[89])|\x7f|\xc2[\x80-\x9f]", re.IGNORECASE)
"""Control characters as JSON writes them, except line breaks and tabs: a terminal would execute them."""
NUMBERS = re.compile(r"\[[-+.,\deE\s]+\]")


def document_in(folder: Path) -> str:
    """Return a hint that names the document in a folder, or an empty string."""
    found = [folder / name for name in ("report.json", "bench.json") if (folder / name).is_file()]
    return f"; did you mean {clipped(str(found[0]), SHOWN)}?" if found else ""


class Document(Record):
    """A record in a JSON file of its own. Subclasses declare `schema_version`."""

    noun: ClassVar[str]  # the record's name in messages
    origin: ClassVar[str]  # sentence on the command that writes it
    refused: ClassVar[type[InputError]] = InputError  # error of `read`

    def write(self, path: Path) -> None:
        """Write indented JSON, with each list of numbers on one line."""
        text = NUMBERS.sub(lambda found: " ".join(found[0].split()), self.model_dump_json(indent=2))
        path.write_text(text + "\n", encoding="utf-8")

    @classmethod
    def read(cls, path: Path, data: bytes | None = None) -> Self:
        """Read a file that `write` has made, or its `data`, because a pipe can be read only once. Raises
        `refused` when the file can't be read or has another schema version."""
        try:
            data = read_bytes(path, MOST_JSON) if data is None else data
            refuse_parts(data)
            if CONTROL.search(data):
                raise ValueError("it has control characters")
            return cls.model_validate_json(data)
        except OSError as error:
            said = reason(error) + (document_in(path) if path.is_dir() else "")
            raise cls.refused(f"can't read the {cls.noun} {path}: {cls._with_remedy(said)}") from None
        except ValidationError as error:
            version, problem = cls.model_fields["schema_version"].default, error.errors()[0]
            if problem["loc"] == ("schema_version",):
                found = f"has schema version {shown(problem['input'])}, and this program reads version {version}"
                raise cls.refused(f"{path} {found}; make it again") from None
            where = ".".join(str(part) for part in problem["loc"])
            message = f"{where + ': ' if where else ''}{problem['msg'][0].lower()}{problem['msg'][1:]}"
            if problem["type"] == "json_invalid":
                message += document_in(path.parent)
            said = f"is not a {cls.noun} of schema version {version}: {cls._with_remedy(message)}"
            raise cls.refused(f"{path} {said}") from None
        except ValueError as error:
            raise cls.refused(f"{path} is not a {cls.noun}: {cls._with_remedy(str(error))}") from None

    @classmethod
    def _with_remedy(cls, said: str) -> str:
        return said if said.endswith("?") else f"{said}; {cls.origin}"


@dataclass(frozen=True)
class Series:
    """The samples [ms] of one run by name, and those of its reference work."""

    samples: dict[str, Sequence[float]]
    fixed: dict[str, Sequence[float]] = field(default_factory=dict)
    negligible_ms: float = 0.0  # smaller differences do not count as changes
    noise: float = 0.0  # relative difference of two measurements of the same work in this run
    is_beside: bool = True  # samples and reference work were timed alternately


def series(rows: Iterable[Measured], negligible_ms: float = 0.0, noise: float = 0.0) -> Series:
    """Return the samples of alternately measured rows by name, reference work separately."""
    samples: dict[str, Sequence[float]] = {}
    fixed: dict[str, Sequence[float]] = {}
    for row in (row for row in rows if row.samples_ms):
        (fixed if row.kind in FIXED else samples)[row.name] = row.samples_ms
    return Series(samples, fixed, negligible_ms, noise)


def csv_text(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return CSV, the names first. None is an empty cell. No cell is a formula to a spreadsheet."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([as_text(cell) for cell in row] for row in (names, *rows))
    return text.getvalue()


def as_text(cell: object) -> object:
    """Return a cell that spreadsheets show and don't run: texts that could begin a formula get an apostrophe."""
    if not isinstance(cell, str) or not cell.lstrip().startswith(FORMULAS):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def markdown_lines(names: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table. All but the first and unnamed columns are numbers, aligned right."""
    rule = ["---:" if name and place else "---" for place, name in enumerate(names)]
    lines = ([" ".join(cell.split()).replace("|", r"\|") for cell in line] for line in (names, rule, *rows))
    return [f"| {' | '.join(line)} |" for line in lines]


def milliseconds(value: float) -> str:
    return f"{value:.4f}" if value < 10 else f"{value:.4g}"
