"""One case of the bench: backends, peers, a copy, seas, and one backend twice, measured in the same rounds."""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from ocean.bench.cases import Case
from ocean.bench.counted import facts
from ocean.bench.noise import add_twin, noise_of
from ocean.bench.request import Found, Request
from ocean.bench.rows import Row, conventional_flops
from ocean.bench.sea_passes import SUBMIT, SeaRows
from ocean.fft import DEFAULT_BACKEND
from ocean.fft.comparison import Choice, Comparison, CopyKernel
from ocean.fft.contract import FFTPlan
from ocean.fft.measure import Measurement
from ocean.fft.storage import FieldStorage


class Contest:
    """The candidates of a case. The constructor compiles them, and the steps of `comparison` measure them."""

    def __init__(
        self,
        request: Request,
        case: Case,
        storage: FieldStorage[Any],
        fill: Callable[[], object],
        backends: Sequence[Choice],
        with_sea: bool = True,
    ) -> None:
        """Compile the candidates. `fill` writes the input into the storage, which belongs to the contest from now on.
        `with_sea` also measures the sea from amplitudes to maps, in cases of the workloads ocean and cascades."""
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
        self._seas: SeaRows | None = None
        self._copy = Measurement("copy", error_limit=0.0)
        try:
            self._seas = SeaRows(request.ctx, case, self.comparison.stopwatch) if with_sea else None
            self._peers = request.others.contestants(case, self.comparison)
            self.comparison.candidates += [one.candidate for one in self._peers if one.candidate]
            self.comparison.candidates += self._seas.candidates if self._seas else []
            self.comparison.add(
                self._copy, FFTPlan((CopyKernel(storage),)), lambda: self.comparison.input, competes=False
            )
            self._twins = add_twin(self.comparison.candidates, DEFAULT_BACKEND, self.comparison.twin_of)
            self._twins += self._seas.twins if self._seas else []
        except Exception:
            self.release()
            raise

    def found(self) -> Found:
        case, clock = self.case, self.request.trial.clock
        rows = [backend_row(case, self.request, self.comparison, result) for result in self.comparison.rows]
        rows += [
            row_of(
                case,
                "cuda",
                one.result,
                kind="peer",
                part=one.part,
                options=one.options,
                storage=one.storage,
                plan=one.plan,
                **(one.counts if one.result.obstacle is None else {}),
            )
            for one in self._peers
        ]
        if self._seas:
            rows += self._seas.rows(clock, row_of)
        layers = self.comparison.storage.layers
        rows.append(row_of(case, clock, self._copy, kind="copy", layers=layers))
        return Found(rows, noise_of(case.workload, case.size, self._twins), self.request.others.records)

    def release(self) -> None:
        if self._seas:
            self._seas.release()
        self.comparison.release()
        self.request.others.forget()


def backend_row(case: Case, request: Request, comparison: Comparison, result: Measurement) -> Row:
    taken = comparison.taken_by_auto() if result.name == "auto" and result in comparison.plans else {}
    values = facts(comparison, result) | taken
    return row_of(case, request.trial.clock, result, layers=comparison.storage.layers, **values)


def row_of(case: Case, clock: str, result: Measurement, **values: Any) -> Row:
    values |= result.row(clock)
    transforms = case.transforms and values.get("kind") != "copy" and values.get("part") != SUBMIT
    if transforms and result.median_ms:
        values["gflops"] = conventional_flops(prod(case.lengths), case.batch) / (result.median_ms * 1e6)
    return Row(
        workload=case.workload,
        name=result.name,
        dimensions=case.dimensions,
        size=case.size,
        lines=case.lines,
        batch=case.batch,
        storage=values.pop("storage", case.format),
        direction=case.direction,
        **values,
    )
