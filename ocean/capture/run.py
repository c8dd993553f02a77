"""Headless captures: frames at fixed time steps, measured, written and compared with a baseline.

A capture has one or several cases, one report, and the files of each case. `ocean.render` draws the frames. The
reference workload runs after each frame; its times distinguish a slower machine from a slower program.
"""

import itertools
import math
import re
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import moderngl
import numpy as np

from ocean.capture.compare import DONE, REGRESSION, case_obstacle, compare, device_obstacle, show_changes
from ocean.capture.plots import write_trace
from ocean.capture.report import CaseRecord, ClockRecord, Report, write_frames
from ocean.common import facts
from ocean.common.console import Progress, print_table, say
from ocean.common.errors import InputError, shown
from ocean.common.files import whole_files, write_picture, writing
from ocean.common.records import Kind, Measured, sampled
from ocean.fft import BACKENDS
from ocean.fft.comparison import Comparison
from ocean.fft.measure import Measurement
from ocean.gpu.bindings import Storage
from ocean.gpu.context import create_headless_context, drain, release_all
from ocean.gpu.memory import picture_obstacle
from ocean.gpu.passes import Pass, run_passes
from ocean.gpu.shaders import shader_library
from ocean.gpu.timing import FrameTimes, PassTimers, by_pass, measured, try_clocks
from ocean.render.frame import FrameRenderer
from ocean.settings import Settings, to_tree
from ocean.validation.gauge import measure
from ocean.validation.survey import Survey

FRAMES, PICTURE, PLOT = FILES = ("frames.csv", "frame.png", "timings.png")
REPORT = "report.json"
CONFIG = "config"  # the axis of a matrix that names a file or preset, and no key path
MOST_CASES = 10_000  # maximum number of combinations in a matrix. All are checked before the first one runs


def choices(axes: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return all combinations of axes such as `fft.size=256,512` by folder name. A combination has one value for each
    axis. Without axes there is one combination, and its name is empty."""
    values: dict[str, list[str]] = {}
    for axis in axes:
        key, _, listed = (part.strip() for part in axis.partition("="))
        values_here = [value.strip() for value in listed.split(",")]
        if not key or not all(values_here):
            raise InputError(f"--matrix = {shown(axis)} is not of the form key.path=value,value")
        if key in values:
            raise InputError(f"--matrix: {key} comes twice")
        values[key] = values_here
    if (count := math.prod(map(len, values.values()))) > MOST_CASES:
        raise InputError(f"--matrix has {count:.6g} combinations; {MOST_CASES} are the most")
    combinations = [dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*values.values())]
    named = {_folder_name(choice): choice for choice in combinations}
    if len(named) < len(combinations):
        raise InputError("--matrix: two cases have the same name")
    return named


def _folder_name(choice: dict[str, str]) -> str:
    """Return a name for a combination, in letters that every file system takes."""
    words = (f"{key}={Path(value).stem if key == CONFIG else value}" for key, value in choice.items())
    return ",".join(re.sub(r"[^\w.+=-]", "_", word) for word in words)


def capture(
    cases: Mapping[str, Settings],
    out: Path,
    *,
    compare_backends: bool = False,
    baselines: Sequence[Path] = (),
    tolerance: float = 0.25,
    trace: Path | None = None,
) -> int:
    """Render `settings.capture.frames` frames of each case after its warm-up. Write one report into `out`, and samples,
    picture and plot of each case into a folder of its name; a lone case has the name "". Write the passes as trace
    events to `trace`.

    Each of the `baselines` is a report of an earlier run with the same cases. Compared with it, a pass that is slower
    by more than the fraction `tolerance` is a regression. Return the exit status: 3 for a regression against any of
    them, else 6 if a comparison is inconclusive, else 0.
    """
    names = [REPORT, *(str(Path(name) / file) for name in cases for file in FILES)]
    written = [*(out / name for name in names), *([trace] if trace else [])]
    before = {path: read_baseline(path, cases, written) for path in baselines}
    with ExitStack() as stack:
        folder = stack.enter_context(whole_files(out, names, alone=True))
        traces = stack.enter_context(whole_files(trace.parent, (trace.name,), alone=True)) if trace else None
        progress = stack.enter_context(Progress())
        runs, obstacles = run_cases(cases, list(before.values()), compare_backends, progress)
        first = next(iter(runs.values()))
        result = Report(
            created=facts.utc_now(),
            program=facts.program_facts(),
            gl=first.gl,
            host=facts.host_facts(),
            clock=first.clock,
            cases={name: run.record for name, run in runs.items()},
            obstacles=obstacles,
        )
        with writing(out):
            from ocean.capture.plots import write_timings

            result.write(folder / REPORT)
            for name, run in runs.items():
                place = folder / name
                place.mkdir(exist_ok=True)
                write_frames(place / FRAMES, run.frames)
                write_picture(place / PICTURE, run.size, run.picture)
                write_timings(place / PLOT, result, name, run.frames)
        if trace and traces:
            with writing(trace.parent):
                write_trace(traces / trace.name, {name: (run.frames, run.passes) for name, run in runs.items()})
    summarise(result, out)
    statuses = [DONE]
    for path, report in before.items():
        say(f"Compared with {path}:")
        statuses.append(show_changes(compare(report.groups(), result.groups(), tolerance), tolerance))
    return REGRESSION if REGRESSION in statuses else max(statuses)


def read_baseline(path: Path, cases: Mapping[str, Settings], written: Sequence[Path]) -> Report:
    """Return the report of a baseline; refuse one of other cases, or one that would be overwritten."""
    try:
        report = Report.read(path)
    except InputError as error:
        raise InputError(f"--baseline: {error}") from None
    if path.resolve() in (each.resolve() for each in written):
        raise InputError(f"the capture would overwrite its baseline {path}; choose another --out")
    for name, settings in cases.items():
        if reason := case_obstacle(name, settings, report):
            raise InputError(reason)
    return report


def run_cases(
    cases: Mapping[str, Settings], before: Sequence[Report], compare_backends: bool, progress: Progress
) -> tuple[dict[str, "Capture"], dict[str, str]]:
    """Run the cases one after another. Return the captures, and the reasons why other cases did not run."""
    runs: dict[str, Capture] = {}
    obstacles: dict[str, str] = {}
    for name, settings in cases.items():
        clock = next((run.clock for run in runs.values()), None)
        ctx = create_headless_context()
        try:
            run = Capture(ctx, settings, before, progress, name or "frame", clock)
            run.run(compare_backends)
        except CaseError as error:
            obstacles[name] = str(error)
        else:
            runs[name] = run
        finally:
            ctx.release()
    if not runs:
        raise InputError("; ".join(f"{name}: {reason}" if name else reason for name, reason in obstacles.items()))
    return runs, obstacles


class CaseError(InputError):
    """A case that this GPU can't run; other cases may run."""


class Capture:
    """The frames of one case. `run` fills `frames`, `passes`, `picture` (RGB, rows from the bottom up) and `record`."""

    def __init__(
        self,
        ctx: moderngl.Context,
        settings: Settings,
        before: Sequence[Report],
        progress: Progress,
        what: str,
        clock: ClockRecord | None,
    ) -> None:
        plan = settings.capture
        self.ctx, self.settings = ctx, settings
        self.size = plan.width, plan.height
        if reason := picture_obstacle(ctx, self.size):
            raise CaseError(reason)
        if clock is None:
            trial = try_clocks(ctx)
            clock = ClockRecord(name=trial.clock, reason=trial.reason)
        self.gl, self.clock = facts.gl_facts(ctx.info), clock
        for report in before:
            if reason := device_obstacle(self.gl, clock.name, report.gl, report.clock.name):
                raise InputError(reason)
        try:
            self.renderer = FrameRenderer(ctx, settings, self.size)
        except ValueError as error:  # the FFT backend can't run the size
            raise CaseError(str(error)) from None
        self.renderer.hold_exposure(plan.start)
        self.reference = ReferenceWork(ctx)
        self.timers = PassTimers(ctx, clock.name)
        self.frames: list[FrameTimes] = []
        self._walls: dict[int, float] = {}  # wall_ms by frame in flight
        self._progress = progress
        progress.follow("nonlinear waves", self.renderer.sea.catch_up(plan.start))
        progress.start(what, plan.warmup + plan.frames)

    def run(self, compare_backends: bool) -> None:
        """Render all frames, read the picture, measure the sea, compare the backends, and release everything. Frame i
        is at start + i / fps, however long frames take."""
        plan = self.settings.capture
        for index in range(plan.warmup + plan.frames):
            self._render(index, plan.start + index / plan.fps, 1 / plan.fps if index else 0.0)
            self._take(self.timers.collect())
            self._progress.advance()
            drain(self.ctx)  # the next frame does not wait for this frame's reference workload
        self._take(self.timers.collect())
        if len(self.frames) != plan.frames:
            raise InputError(f"{self.timers.missed} frames went untimed because the GPU fell too far behind")
        steps = {name: self.timers.passes[name] for name in by_pass(self.frames)}
        self.passes = {name: step._replace(bytes_moved=step.work().bytes) for name, step in steps.items()}
        self.picture = self.renderer.picture.read(components=3, alignment=1)
        view, last = self.settings.view, self.frames[-1].time
        survey = measure(self.ctx, self.renderer.sea, last, 1 / plan.fps, (view.x, view.z))
        self.record = self._record(survey, self._compare() if compare_backends else [])
        self.timers.release()
        self.reference.release()
        self.renderer.release()

    def _render(self, index: int, now: float, step: float) -> None:
        self.timers.begin(index, now)
        start = time.perf_counter()
        self.renderer.render(now, elapsed=step, timers=self.timers)
        drain(self.ctx)
        # Rounded to nanoseconds, so that files hold the summed values.
        self._walls[index] = round(1e3 * (time.perf_counter() - start), 6)
        run_passes(self.ctx, self.reference.passes, self.timers)
        self.timers.end()

    def _take(self, times: list[FrameTimes]) -> None:
        """Keep the times that have arrived, except those of the warm-up."""
        for frame in times:
            wall_ms = self._walls.pop(frame.index)
            if frame.index < self.settings.capture.warmup:
                continue
            passes = {
                name: one._replace(gpu_ms=round(one.gpu_ms, 6), cpu_ms=round(one.cpu_ms, 6))
                for name, one in frame.passes.items()
            }
            fixed = [step.name for step in self.reference.passes]
            self.frames.append(replace(frame, passes=passes, reference=fixed, wall_ms=wall_ms))

    def _compare(self) -> list[Measurement]:
        """Measure every FFT backend on the spectrum of the last frame; the chosen one keeps its options."""
        sea, chosen = self.renderer.sea, self.settings.fft
        layers = sea.storage.another()
        backends = [(name, chosen.options if name == chosen.backend else None) for name in BACKENDS]
        comparison = Comparison(layers, partial(sea.evolve_into, layers), backends=backends, clock=self.clock.name)
        self._progress.follow("FFT backends", (comparison.reached.share for _ in iter(comparison.advance, False)))
        comparison.release()
        return comparison.rows

    def _record(self, survey: Survey, backends: Sequence[Measurement]) -> CaseRecord:
        clock = self.clock.name
        fixed = {step.name for step in self.reference.passes}
        passes: list[Measured] = []
        for name, times in by_pass(self.frames).items():
            step = self.passes[name]
            kind: Kind = "reference" if name in fixed else "pass"
            passes.append(measured(name, times, clock, kind, step.dispatches, step.bytes_moved))
        whole = sampled([frame.wall_ms for frame in self.frames])
        return CaseRecord(
            settings=to_tree(self.settings),
            rows=(
                measured("frame", self.frames, clock, "frame"),
                Measured(name="frame with host", kind="frame", clock="wall", repeats=1, **whole),
                *sorted(passes, key=lambda row: row.kind),  # also puts late passes before the reference
                *(one.backend_row(clock) for one in backends),
            ),
            sea=survey.quantities,
            energies=asdict(survey.energies) if survey.energies else None,
            fronts=survey.fronts.fit if survey.fronts else None,
            fronts_area=survey.fronts.area if survey.fronts else 0.0,
        )


class ReferenceWork:
    """The reference workload of each frame: a copy of memory, and a loop of arithmetic.

    It must not depend on settings or on the version of the program, because baselines divide times by its times. It
    takes milliseconds on two cores, and 20 µs or more on a large GPU, whose clock resolves a hundredth of 20 µs.
    """

    COPY_BYTES = 32 << 20  # beyond the caches of most machines
    GROUPS, GROUP_SIZE = 64, 64
    ITERATIONS = 2048

    def __init__(self, ctx: moderngl.Context) -> None:
        self._source = ctx.buffer(np.random.default_rng(1).bytes(self.COPY_BYTES))  # zeros might be compressed
        self._target = ctx.buffer(reserve=self.COPY_BYTES)
        self._sink = ctx.buffer(reserve=4 * self.GROUPS * self.GROUP_SIZE)
        self._busy = shader_library(ctx).compute("common/busy.comp")
        copy = partial(ctx.copy_buffer, self._target, self._source, self.COPY_BYTES)
        self.passes = (
            Pass("reference memory", copy, 1, 2 * self.COPY_BYTES),
            Pass("reference arithmetic", self._compute),
        )

    def _compute(self) -> None:
        self._busy["iterations"] = self.ITERATIONS
        self._sink.bind_to_storage_buffer(Storage.SINK)
        self._busy.run(self.GROUPS)

    def release(self) -> None:
        release_all(self._source, self._target, self._sink)


def summarise(result: Report, out: Path) -> None:
    for name, case in result.cases.items():
        frame = case.frame
        times = f"median of {frame.samples}; p95 {frame.p95_ms:.2f} ms; {result.clock.name} clock"
        say(f"{name or result.gl.renderer}: {frame.median_ms:.2f} ms per frame ({times})")
        found = [row for row in case.sea if row.measured is not None]
        agreeing = sum(bool(row.agrees) for row in found)
        missing = ", ".join(row.name for row in case.sea if row.measured is None)
        rest = f"; not measured: {missing}" if missing else ""
        say(f"sea: {agreeing} of {len(found)} measured quantities agree with the spectrum{rest}")
        if (lost := case.energies) and lost["start"] > 0:
            broken, filtered = (lost[name] / lost["start"] for name in ("broken", "filtered"))
            say(f"energy of the longest waves: {broken:.2%} lost to breaking, {filtered:.2%} taken by the filter")
        if case.fronts:
            power, level = case.fronts
            law = f"Λ(c) as c^{power:.1f}, {level:.2f} of Sutherland and Melville's level"
            say(f"breaking fronts in {1e-6 * (case.fronts_area or 0.0):.2g} km²: {law}")
        if backends := case.of_kind("backend"):
            show_backends(backends.values())
        for file in FILES:
            say(out / name / file)
    for name, reason in result.obstacles.items():
        say(f"{name} did not run: {reason}")
    say(out / REPORT)


def show_backends(rows: Collection[Measured]) -> None:
    headings = ("backend", "ms", "p95", "submit", "GB/s", "dispatches", "speed-up", "error", "wrong")
    lines = []
    for row in rows:
        if row.obstacle is None:
            error = "not finite" if row.relative_l2 is None else f"{row.relative_l2:.1e}"
            times = (f"{value:.3f}" for value in (row.median_ms, row.p95_ms, 1e-3 * (row.submit_us or 0.0)))
            rest = (f"{row.gb_per_s:.1f}", str(row.dispatches), f"{row.speedup:.2f}", error, str(row.wrong_values))
            lines.append((row.name, *times, *rest))
    print_table(headings, lines)
    for row in rows:
        if row.obstacle is not None:
            say(f"{row.name}: {row.obstacle}")
