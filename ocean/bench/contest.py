"""One case of the bench: backends, peers, a copy, and one backend twice, measured in the same rounds."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ocean.bench.cases import Case
from ocean.bench.request import Found, Request
from ocean.bench.rows import Noise, Row, conventional_flops, timed
from ocean.fft import DEFAULT_BACKEND
from ocean.fft.comparison import Choice, Comparison, Copy
from ocean.fft.contract import AxisTransform, FFTPlan
from ocean.fft.counts import count
from ocean.fft.measure import Candidate, Result, difference
from ocean.fft.storage import FieldStorage
from ocean.fft.timed import backend_name


class Contest:
    """The candidates of a case. They are compiled here and measured by `step`, which may run between other work."""

    def __init__(
        self,
        request: Request,
        case: Case,
        storage: FieldStorage[Any],
        fill: Callable[[], object],
        backends: Sequence[Choice],
    ) -> None:
        """`fill` writes the input into the storage, which is the contest's from now on."""
        self.request, self.case = request, case
        self.comparison = Comparison(
            storage,
            fill,
            backends=backends,
            axes=case.axes,
            inverse=case.inverse,
            clock=request.trial.clock,
            rounds=request.rounds,
            transfers=True,
        )
        self.backends = list(self.comparison.rows)
        self._copy = Result("copy", error_limit=0.0)
        try:
            self._peers = request.others.contestants(case, self.comparison)
            self.comparison.candidates += [one.candidate for one in self._peers if one.candidate]
            self.comparison.add(self._copy, FFTPlan((Copy(storage),)), lambda: self.comparison.input)
            self._twins = add_twin(self.comparison)
        except Exception:
            self.release()
            raise

    @property
    def progress(self) -> float:
        """From 0 to 1."""
        return self.comparison.progress

    def step(self) -> bool:
        """Check a candidate, or measure every one of them once; False when all rounds are done."""
        return self.comparison.step()

    def found(self) -> Found:
        """What has been measured."""
        case, clock, speed = self.case, self.request.trial.clock, self._copy.gb_per_s
        rows = [backend_row(case, self.request, self.comparison, result, speed) for result in self.backends]
        rows += [
            row_of(case, "cuda", one.result, kind="peer", options=one.options, storage=one.storage, copy_speed=speed)
            for one in self._peers
        ]
        layers = self.comparison.storage.layers
        rows.append(row_of(case, clock, self._copy, kind="copy", layers=layers, copy_speed=speed))
        return Found(rows, [noise_of(case, *self._twins)] if self._twins else [], self.request.others.records)

    def release(self) -> None:
        self.request.others.forget()
        self.comparison.release()


def add_twin(comparison: Comparison) -> tuple[Result, Result] | None:
    """Measure one backend again, as the last of each round, to see what chance does to the figures."""
    able = [candidate for candidate in comparison.candidates if not candidate.idles and candidate.result.name != "copy"]
    if not able:
        return None
    first: Candidate = next((one for one in able if one.result.name == DEFAULT_BACKEND), able[0])
    again = replace(first, result=Result(first.result.name, error_limit=first.result.error_limit), whole=None)
    comparison.candidates.append(again)
    return first.result, again.result


def noise_of(case: Case, first: Result, again: Result) -> Noise:
    """What measuring the same twice says."""
    return Noise(
        workload=case.workload,
        size=case.size,
        name=first.name,
        first_ms=first.gpu_ms,
        second_ms=again.gpu_ms,
        difference=difference(first.gpu_samples, again.gpu_samples),
    )


def backend_row(case: Case, request: Request, comparison: Comparison, result: Result, copy_speed: float) -> Row:
    """A backend with all that can be counted of it."""
    values: dict[str, Any] = {"layers": comparison.storage.layers}
    if result.obstacle is None:
        transforms = comparison.plan_of(result).transforms
        counts = count(transforms)
        values |= {
            "options": chosen(result.name, transforms),
            "real_flops": counts.flops,
            "barriers": counts.barriers,
            "program_bytes": counts.program_bytes,
            "storage_mib": counts.storage_bytes / (1 << 20),
        }
    return row_of(case, request.trial.clock, result, copy_speed=copy_speed, **values)


def chosen(name: str, transforms: Sequence[AxisTransform]) -> str:
    """The options that are not the defaults, and for `auto` what it picked."""
    names = [backend_name(one) for one in transforms]
    picked = [other for other in dict.fromkeys(names) if other != name]
    options = transforms[0].options.model_dump(exclude_defaults=True)
    return " ".join([*picked, *(f"{key}={value}" for key, value in options.items())])


def row_of(case: Case, clock: str, result: Result, *, copy_speed: float = 0.0, **values: Any) -> Row:
    """A row of a case; `values` are those that were counted."""
    values |= timed(result)
    if median := values.get("median_ms"):
        values["clock"] = clock
        if result.bytes_moved:  # which nobody can count in a library
            values["dispatches"] = result.dispatches
            values["bytes"] = result.bytes_moved
            values["gb_per_s"] = result.gb_per_s
            values["copy_share"] = result.gb_per_s / copy_speed if copy_speed else None
        if values.get("kind") != "copy":
            flops = conventional_flops(case.size, case.dimensions, case.batch)
            values["gflops"] = flops / (median * 1e6)
    return Row(
        workload=case.workload,
        name=result.name,
        dimensions=case.dimensions,
        size=case.size,
        batch=case.batch,
        storage=values.pop("storage", case.format),
        direction=case.direction,
        **values,
    )
