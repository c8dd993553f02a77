"""The workloads, and how a case becomes rows: backends, peers, a copy, and one backend twice, in the same rounds."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ocean.bench import frames, tuning
from ocean.bench.cases import CASES, Case, cases_of
from ocean.bench.request import Found, Request, Step
from ocean.bench.rows import Noise, Row, conventional_flops, timed
from ocean.bench.sea import SeaRows
from ocean.fft import BACKENDS, DEFAULT_BACKEND
from ocean.fft.comparison import Comparison, Copy
from ocean.fft.contract import AxisTransform, FFTPlan
from ocean.fft.counts import count
from ocean.fft.measure import Candidate, Result, difference
from ocean.fft.timed import backend_name

SLOW = ("numpy",)
"""Backends that are measured in workloads with large batches only if they are asked for."""


def transform_steps(workload: str, request: Request) -> list[Step]:
    """A step a case."""
    return [partial(measure_case, request, case) for case in cases_of(workload, request.ctx, request.sizes)]


WORKLOADS: dict[str, Callable[[Request], list[Step]]] = {
    **{name: partial(transform_steps, name) for name in CASES},
    "frame": frames.steps,
    "tune": tuning.steps,
}
"""The one place where a workload is registered: the steps that it takes, of which nothing runs until it is called."""


def measure_case(request: Request, case: Case) -> Found:
    """All candidates of one case, in turn."""
    data, storage = case.input(), case.storage(request.ctx)
    comparison = Comparison(
        storage,
        lambda: storage.write(data),
        backends=[(name, None) for name in request.backends or usual_backends(case)],
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
        first, again = add_twin(comparison)
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
        noise = [noise_of(case, first, again)] if first and again else []
        return Found(rows, noise, request.others.records)
    finally:
        request.others.forget()
        seas.release()
        comparison.release()


def usual_backends(case: Case) -> list[str]:
    return [name for name in BACKENDS if case.dimensions == 2 or name not in SLOW]


def add_twin(comparison: Comparison) -> tuple[Result, Result] | tuple[None, None]:
    """Measure one backend again, as the last of each round, to see what chance does to the figures."""
    able = [candidate for candidate in comparison.candidates if not candidate.idles and candidate.result.name != "copy"]
    if not able:
        return None, None
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
    options = transforms[0].asked.model_dump(exclude_defaults=True)
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
