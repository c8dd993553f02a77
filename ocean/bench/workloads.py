"""The workloads, and how a case becomes rows: backends, peers, a copy, and one backend twice, in the same rounds."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ocean.bench import cpu, frames, tuning
from ocean.bench.cases import CASES, Case, cases_of
from ocean.bench.counted import counted
from ocean.bench.noise import add_twin, noise_of
from ocean.bench.request import Found, Request, Step
from ocean.bench.rows import Row, conventional_flops, timed
from ocean.bench.sea import SeaRows
from ocean.fft import BACKENDS, DEFAULT_BACKEND
from ocean.fft.comparison import Choice, Comparison, Copy
from ocean.fft.contract import FFTPlan
from ocean.fft.measure import Result

SLOW = ("numpy",)
"""Backends that are measured in workloads with large batches only if they are asked for."""


def transform_steps(workload: str, request: Request) -> list[Step]:
    """A step a case."""
    return [partial(measure_case, request, case) for case in cases_of(workload, request.ctx, request.sizes)]


WORKLOADS: dict[str, Callable[[Request], list[Step]]] = {
    **{name: partial(transform_steps, name) for name in CASES},
    "frame": frames.steps,
    "cpu": cpu.steps,
    "tune": tuning.steps,
}
"""The one place where a workload is registered: the steps that it takes, of which nothing runs until it is called."""


def measure_case(request: Request, case: Case) -> Found:
    """All candidates of one case, in turn."""
    data, storage = case.input(), case.storage(request.ctx)
    comparison = Comparison(
        storage,
        lambda: storage.write(data),
        backends=chosen_backends(case, request.backends),
        axes=case.axes,
        inverse=case.inverse,
        clock=request.trial.clock,
        rounds=request.rounds,
        transfers=True,
    )
    backends = list(comparison.rows)
    seas = SeaRows(request.ctx, case, comparison.stopwatch)
    copy = Result("copy", error_limit=0.0)
    try:
        contestants = request.others.contestants(case, comparison)
        comparison.candidates += [one.candidate for one in contestants if one.candidate]
        comparison.candidates += seas.candidates
        comparison.add(copy, FFTPlan((Copy(storage),)), lambda: comparison.input)
        twins = add_twin(comparison.candidates, DEFAULT_BACKEND)
        comparison.run()
        copy_speed = copy.gb_per_s
        rows = [backend_row(case, request, comparison, result, copy_speed) for result in backends]
        rows += [
            row_of(
                case,
                "cuda",
                one.result,
                kind="peer",
                part="maps" if one.result.name == "pipeline" else "transform",
                options=one.options,
                storage=one.storage,
                copy_speed=copy_speed,
            )
            for one in contestants
        ]
        clock = request.trial.clock
        rows += seas.rows(lambda case, result, **values: row_of(case, clock, result, copy_speed=copy_speed, **values))
        rows.append(row_of(case, request.trial.clock, copy, kind="copy", layers=storage.layers, copy_speed=copy_speed))
        return Found(rows, noise_of(case.workload, case.size, twins), request.others.records)
    finally:
        request.others.forget()
        seas.release()
        comparison.release()


def chosen_backends(case: Case, asked: Sequence[str]) -> list[Choice]:
    """Those that a person asked for, or all that suit the case; and variants of them."""
    names = asked or [name for name in BACKENDS if case.dimensions == 2 or name not in SLOW]
    return [*((name, None) for name in names), *(one for one in case.variants if one[0] in names)]


def backend_row(case: Case, request: Request, comparison: Comparison, result: Result, copy_speed: float) -> Row:
    """A backend with all that can be counted of it."""
    values: dict[str, Any] = {"layers": comparison.storage.layers, "options": comparison.options_of(result)}
    if result.obstacle is None:
        values |= counted(comparison.plan_of(result))
    return row_of(case, request.trial.clock, result, copy_speed=copy_speed, **values)


def row_of(case: Case, clock: str, result: Result, *, copy_speed: float = 0.0, **values: Any) -> Row:
    """A row of a case; `values` are those that were counted."""
    values |= timed(result)
    if median := values.get("median_ms"):
        values["clock"] = clock
        values["dispatches"] = result.dispatches or None  # which a library does not tell
        if result.bytes_moved:
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
