"""The workloads, and the steps that each takes."""

from collections.abc import Callable
from functools import partial

from ocean.bench import frames, tuning
from ocean.bench.cases import CASES, Case, cases_of
from ocean.bench.contest import Contest
from ocean.bench.request import Found, Request, Step
from ocean.fft import BACKENDS

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
    names = request.backends or usual_backends(case)
    contest = Contest(request, case, storage, lambda: storage.write(data), [(name, None) for name in names])
    try:
        while contest.step():
            continue
        return contest.found()
    finally:
        contest.release()


def usual_backends(case: Case) -> list[str]:
    return [name for name in BACKENDS if case.dimensions == 2 or name not in SLOW]
