"""Records: versioned values for reports, statistics of samples, and their JSON."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Self, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError


class Record(BaseModel):
    """A part of a report. Unknown keys are ignored: newer reports of the same schema version may have more."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False, from_attributes=True)


R = TypeVar("R", bound=Record)


class Statistics(Record):
    """Statistics of a quantity over the measured frames. Percentiles interpolate linearly; the deviation is the
    sample's (n - 1)."""

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


def to_json(record: Record) -> str:
    """Return indented JSON with lists of numbers on one line."""
    return NUMBERS.sub(lambda found: " ".join(found[0].split()), record.model_dump_json(indent=2)) + "\n"


NUMBERS = re.compile(r"\[[-+.,\deE\s]+\]")


def read_record(path: Path, model: type[R], noun: str, version: int, refused: type[Exception]) -> R:
    """Return a record from a JSON file, or raise `refused` with the reason why it is no `noun` of this schema
    version."""
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
