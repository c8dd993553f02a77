"""The command `bench` and its workloads: run their steps one after another, print and write their rows."""

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import moderngl
import numpy as np

from ocean.bench import scenes, tuning
from ocean.bench.cases import CASES, Case, Cases
from ocean.bench.contest import Contest, Found, Request, Task
from ocean.bench.peers import reason
from ocean.bench.rows import Bench, BenchError, Row, with_shares, with_winners
from ocean.bench.tables import markdown, show
from ocean.common import facts
from ocean.common.console import Progress, say
from ocean.common.files import whole_files, writing
from ocean.common.records import csv_text
from ocean.fft import BACKENDS
from ocean.fft.auto import cache_file
from ocean.fft.comparison import Choice, CopyKernel
from ocean.fft.contract import FFTPlan
from ocean.fft.storage import FieldBuffers
from ocean.gpu.context import DeviceLostError, is_lost, is_software
from ocean.gpu.timing import Clock, Stopwatch, medians

SLOW = ("numpy",)  # backends that workloads with large batches measure only on request


def transform_steps(workload: Cases, request: Request) -> list[Task]:
    """Return a step for each case at the sizes of a request, or at the workload's default sizes."""
    make, usual, small = workload
    cases = make(request.ctx, request.sizes or (small if is_software(request.ctx) else usual))
    for case in cases:
        case.refuse(request.ctx)
    for case in cases:
        request.refuse_unable(case.size, case.lengths, chosen_backends(case, request.backends))
    return [partial(measure_case, request, replace(case, seed=request.seed)) for case in cases]


WORKLOADS: dict[str, Callable[[Request], list[Task]]] = {
    **{name: partial(transform_steps, cases) for name, cases in CASES.items()},
    "scene": scenes.steps,
}
"""Workloads by name: functions that return their steps. A step runs when it is called. Programs may add their own."""
TUNING: dict[str, Callable[[Request], list[Task]]] = {"tune": tuning.steps, "tune-lines": tuning.line_steps}
"""Workloads of `--tune`, which save what they find."""


def measure_case(request: Request, case: Case) -> Found:
    contest = Contest(request, case, chosen_backends(case, request.backends))
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


FILES = ("bench.json", "bench.csv", "bench.md")


def bench(request: Request, out: Path) -> None:
    """Measure, print the rows and write FILES into `out`; only then raise what a failed case or Ctrl-C raised."""
    with interruptions() as hold, ExitStack() as stack:
        stack.callback(request.release)
        folder = stack.enter_context(whole_files(out, FILES, alone=True))
        if not TUNING.keys().isdisjoint(request.workloads):
            kept = cache_file(request.ctx.info["GL_RENDERER"])
            stack.enter_context(whole_files(kept.parent, (kept.name,), alone=True))
        found, failures = measure(request)
        hold()  # nothing that was measured is lost
        result = record(request, found)
        if not any(row.ran and row.kind != "copy" for row in result.rows):
            obstacles = (f"{row.name}: {row.obstacle}" for row in result.rows if row.obstacle)
            first, *others = dict.fromkeys([*obstacles, *result.notes])
            more = f" (and {len(others)} more)" if others else ""
            raise failures[0] if failures else BenchError(f"nothing was timed: {first.removesuffix('.')}{more}")
        with writing(out):
            write(folder, result)
    show(result)
    print()
    for line in (*found.notes, *(out / name for name in FILES)):
        say(line)
    if failures:
        raise failures[0]
    for name in request.backends:
        rows = [row for row in result.rows if row.name == name and row.kind == "backend"]
        if rows and not any(row.median_ms for row in rows):
            raise BenchError(f"--backends: {name} ran at no size: {rows[0].obstacle}")


def write(folder: Path, result: Bench) -> None:
    result.write(folder / "bench.json")
    names = [name for name in Row.model_fields if not name.endswith("samples_ms")]  # samples are only in the JSON
    table = csv_text(names, ([getattr(row, name) for name in names] for row in result.rows))
    (folder / "bench.csv").write_text(table, encoding="utf-8", newline="\n")
    (folder / "bench.md").write_text(markdown(result), encoding="utf-8")


@contextmanager
def interruptions() -> Iterator[Callable[[], None]]:
    """Yield a function that defers Ctrl-C and SIGTERM to the end of the block."""
    waiting: list[int] = []
    before: dict[int, Any] = {}

    def hold() -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, lambda number, _: waiting.append(number))

    try:
        yield hold
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if waiting:
        raise KeyboardInterrupt


def measure(request: Request) -> tuple[Found, list[BaseException]]:
    """Run all steps of all workloads. Return what they found, and the exceptions."""
    found = Found()
    failures: list[BaseException] = []
    steps = [(name, step) for name in request.workloads for step in (WORKLOADS | TUNING)[name](request)]
    with Progress() as progress:
        progress.start("case", len(steps))
        number, workload = 0, ""
        try:
            for number, (workload, step) in enumerate(steps):
                if request.is_over:
                    found.notes.append(f"{len(steps) - number} of {len(steps)} cases were left out for time.")
                    break
                try:
                    one = step()
                except DeviceLostError as lost:
                    failures.insert(0, lost)
                    found.notes.append(f"case {number + 1} of {len(steps)}, of {workload}, lost the GPU: {lost}")
                    break
                except Exception as error:  # the rows of other cases are kept
                    failures.append(error)
                    found.notes.append(f"case {number + 1} of {len(steps)}, of {workload}, failed: {reason(error)}")
                    progress.advance()
                    continue
                found.rows += one.rows
                found.noise += one.noise
                found.notes += one.notes
                found.peers += [peer for peer in one.peers if peer not in found.peers]
                progress.advance()
        except KeyboardInterrupt as stop:
            failures.append(stop)
            found.notes.append(f"Ctrl-C stopped the bench at case {number + 1} of {len(steps)}, of {workload}.")
    return found, failures


def record(request: Request, found: Found) -> Bench:
    rows, fastest = found.rows, None
    if request.uses_gpu and request.given is None and not is_lost(request.ctx):  # the copy would stall a window
        rows, fastest = with_shares(found.rows, bandwidth(request.ctx, request.trial.clock))
    return Bench(
        created=facts.utc_now(),
        program=facts.program_facts(),
        gl=facts.gl_facts(request.ctx.info) if request.uses_gpu else None,
        host=facts.host_facts(),
        clock=request.trial.clock if request.uses_gpu else None,
        clock_reason=request.trial.reason if request.uses_gpu else None,
        copy_gb_per_s=fastest,
        command=facts.command_line(),
        seed=request.seed,
        seconds=round(time.perf_counter() - request.start, 1),
        notes=tuple(found.notes),
        peers=tuple(found.peers),
        noise=tuple(found.noise),
        rows=with_winners(rows),
    )


LARGE = {"gpu": (4096, 4096), "wall": (1024, 2048)}
"""Lines and their elements of 16 bytes, by clock: 256 MiB, several times a GPU's caches, and 32 MiB for CPUs."""


def bandwidth(ctx: moderngl.Context, clock: Clock) -> float:
    """Return the GB/s of a copy larger than the caches, of random numbers, because zeros may be compressed."""
    storage, stopwatch = FieldBuffers(ctx, LARGE[clock], 1), Stopwatch(ctx, clock)
    elements = storage.empty_elements()
    np.random.default_rng(0).random(dtype=np.float32, out=elements.view(np.float32))
    storage.upload(elements)
    plan = FFTPlan((CopyKernel(storage),))
    (step,) = plan.passes()
    try:
        (ms,) = medians(stopwatch.measure(plan.inverse))
        return step.bytes_moved / (ms * 1e6)
    finally:
        plan.release()
        storage.release()
        stopwatch.release()
