"""The workloads and their steps."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module

from ocean.bench import scenes, tuning
from ocean.bench.cases import CASES, Case, Cases
from ocean.bench.contest import Contest
from ocean.bench.request import Found, Request, Task
from ocean.common.resources import need_tools
from ocean.fft import BACKENDS
from ocean.fft.comparison import Choice
from ocean.gpu.context import is_software

SLOW = ("numpy",)
"""Backends that workloads with large batches measure only on request."""


def transform_steps(workload: Cases, request: Request) -> list[Task]:
    """Return a step for each case at the sizes of a request, or at the workload's default sizes.

    Raises:
        BenchError: when a case has no room, or no requested backend runs it.
    """
    make, usual, small = workload
    cases = make(request.ctx, request.sizes or (small if is_software(request.ctx) else usual))
    for case in cases:
        case.refuse(request.ctx)
    for case in cases:
        request.refuse_unable(case.size, case.lengths, chosen_backends(case, request.backends))
    return [partial(measure_case, request, replace(case, seed=request.seed)) for case in cases]


def tool_steps(workload: str, module: str, request: Request) -> list[Task]:
    """Return the steps of a workload from a module of tools.

    Raises:
        InputError: in an installation without tools.
    """
    need_tools(f"--workload {workload}")
    found: list[Task] = import_module(module).steps(request)
    return found


def paper_steps(workload: str, request: Request) -> list[Task]:
    """Return a step for each case of a paper's workload.

    Raises:
        InputError: in an installation without tools.
    """
    need_tools(f"--workload {workload}")
    return transform_steps(import_module("tools.papers.cases").CASES[workload], request)


PAPERS = "rectangle", "mixed", "prime", "prime-sweep", "single", "guide", "exchange", "flight"
TOOLS = {
    "roots": "tools.papers.roots",
    "reads": "tools.papers.reads",
    "frame": "tools.papers.frame_workload",
    "cpu": "tools.cpu.workload",
    "precision": "tools.cpu.precision",
}
WORKLOADS: dict[str, Callable[[Request], list[Task]]] = {
    **{name: partial(transform_steps, cases) for name, cases in CASES.items()},
    "scene": scenes.steps,
    **{name: partial(paper_steps, name) for name in PAPERS},
    **{name: partial(tool_steps, name, module) for name, module in TOOLS.items()},
}
"""Workloads by name: functions that return their steps. A step runs when it is called."""
TUNING: dict[str, Callable[[Request], list[Task]]] = {"tune": tuning.steps, "tune-lines": tuning.line_steps}
"""Workloads of `--tune`, which save what they find."""


def measure_case(request: Request, case: Case) -> Found:
    data, storage = case.input(), case.storage(request.ctx)
    contest = Contest(request, case, storage, lambda: storage.write(data), chosen_backends(case, request.backends))
    try:
        contest.comparison.run()
        return contest.found()
    finally:
        contest.release()


def chosen_backends(case: Case, asked: Sequence[str]) -> list[Choice]:
    """Return the requested backends, or the case's, or all suitable ones, and their variants."""
    is_small = case.dimensions == 2 and case.lines is None
    names = asked or case.backends or [name for name in BACKENDS if is_small or name not in SLOW]
    return [*((name, None) for name in names), *(one for one in case.variants if one[0] in names)]
