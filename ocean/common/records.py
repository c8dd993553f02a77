"""Records: the versioned values of reports, their JSON, statistics of samples, and samples to compare."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ocean.common.errors import InputError
from ocean.common.reading import MOST_JSON, SHOWN, clipped, read_bytes, reason, shown


class Record(BaseModel):
    """A part of a report. Unknown keys are ignored: newer reports of the same schema version may have more."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False, from_attributes=True)


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


NUMBERS = re.compile(r"\[[-+.,\deE\s]+\]")


def document_in(folder: Path) -> str:
    """Return a hint at the document of a folder, or nothing."""
    found = [folder / name for name in ("report.json", "bench.json") if (folder / name).is_file()]
    return f"; did you mean {clipped(str(found[0]), SHOWN)}?" if found else ""


class Document(Record):
    """A record that is a JSON file of its own. Subclasses declare `schema_version`."""

    noun: ClassVar[str]  # its name in messages
    refused: ClassVar[type[InputError]]  # what `read` raises

    def write(self, path: Path) -> None:
        """Write indented JSON, with each list of numbers on one line."""
        text = NUMBERS.sub(lambda found: " ".join(found[0].split()), self.model_dump_json(indent=2))
        path.write_text(text + "\n", encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file that `write` has made.

        Raises:
            InputError: of the kind `refused`, when the file can't be read or is of another schema version.
        """
        try:
            return cls.model_validate_json(read_bytes(path, MOST_JSON))
        except OSError as error:
            hint = document_in(path) if path.is_dir() else ""
            raise cls.refused(f"can't read the {cls.noun} {path}: {reason(error)}{hint}") from None
        except ValidationError as error:
            version, problem = cls.model_fields["schema_version"].default, error.errors()[0]
            if problem["loc"] == ("schema_version",):
                found = f"is of schema version {shown(problem['input'])}, and this program reads version {version}"
                raise cls.refused(f"{path} {found}; make it again") from None
            where = ".".join(str(part) for part in problem["loc"])
            message = f"{where + ': ' if where else ''}{problem['msg'][0].lower()}{problem['msg'][1:]}"
            if problem["type"] == "json_invalid":
                message += document_in(path.parent)
            raise cls.refused(f"{path} is no {cls.noun} of schema version {version}: {message}") from None
        except ValueError as error:
            raise cls.refused(f"{path} is no {cls.noun}: {error}") from None


@dataclass(frozen=True)
class Series:
    """The samples of one run in milliseconds, by name, and those of its reference work."""

    samples: dict[str, Sequence[float]]
    fixed: dict[str, Sequence[float]] = field(default_factory=dict)
    negligible_ms: float = 0.0  # smaller differences are no change
    noise: float = 0.0  # share by which two measurements of the same work differed in this run
    is_beside: bool = True  # the reference work was timed in turn with the samples
