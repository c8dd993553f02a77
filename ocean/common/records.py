"""Records: versioned values that reports are made of, statistics of samples, and their JSON."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Self, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError


class Record(BaseModel):
    """A part of a report. Newer reports of the same schema version may know more keys."""

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


def to_json(record: Record) -> str:
    """Indented, but a list of numbers on one line."""
    return NUMBERS.sub(lambda found: " ".join(found[0].split()), record.model_dump_json(indent=2)) + "\n"


NUMBERS = re.compile(r"\[[-+.,\deE\s]+\]")


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
