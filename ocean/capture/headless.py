"""Headless captures: the window's frames without a window, at fixed steps of time, measured and written.

`ocean.render` draws the frames. The reference workload runs after each frame. By its times a later run distinguishes a
slower machine from a slower program.
"""

import time
from functools import partial
from pathlib import Path

import moderngl

from ocean.capture import baseline as baselines
from ocean.capture.frame_times import MeasuredFrame, write_frames
from ocean.capture.reference import ReferenceWork
from ocean.capture.report import CaptureError, CaseRecord, ClockRecord, Report
from ocean.common import facts
from ocean.common.console import Progress
from ocean.common.files import write_picture
from ocean.common.records import Kind, Measured, sampled
from ocean.fft import BACKENDS
from ocean.fft.comparison import Comparison
from ocean.fft.measure import Measurement
from ocean.gpu.memory import picture_obstacle
from ocean.gpu.passes import Pass, run_passes
from ocean.gpu.timing import FrameTimes, PassTimers, by_pass, measured, try_clocks
from ocean.render.frame import FrameRenderer
from ocean.settings import Settings, to_tree
from ocean.validation.gauge import measure
from ocean.validation.quantities import Quantity

FRAMES, PICTURE, PLOT = FILES = ("frames.csv", "frame.png", "timings.png")


class CaseError(CaptureError):
    """A case that this GPU can't run; other cases may run."""


def refuse(reason: str | None) -> None:
    if reason:
        raise CaptureError(reason)


class Capture:
    """The frames of one capture. Results are in `frames`, `picture` (RGB, rows from the bottom up), `sea` and
    `backends`."""

    def __init__(
        self,
        ctx: moderngl.Context,
        settings: Settings,
        before: Report | None,
        compare_backends: bool,
        progress: Progress,
        what: str = "frame",
        clock: ClockRecord | None = None,
    ) -> None:
        plan = settings.capture
        self.ctx, self.settings = ctx, settings
        self.size = plan.width, plan.height
        if reason := picture_obstacle(self.ctx, self.size):
            raise CaseError(reason)
        self.gl, self.clock = facts.gl_facts(self.ctx.info), clock or choose_clock(self.ctx)
        if before is not None:
            refuse(baselines.device_obstacle(self.gl, self.clock.name, before.gl, before.clock.name))
        try:
            self.renderer = FrameRenderer(self.ctx, settings, self.size)
        except ValueError as error:  # the FFT backend can't run the size
            raise CaseError(str(error)) from None
        self.renderer.hold_exposure(plan.start)
        self.reference = ReferenceWork(self.ctx)
        self.timers = PassTimers(self.ctx, self.clock.name)
        self.frames: list[MeasuredFrame] = []
        self.picture = b""
        self.sea: tuple[Quantity, ...] = ()
        self.backends: list[Measurement] = []
        self._compare_backends = compare_backends
        self._host: dict[int, tuple[float, float]] = {}  # time of the sea and wall_ms, by frame in flight
        self._progress = progress
        progress.follow("nonlinear waves", self.renderer.sea.catch_up(plan.start))
        progress.start(what, plan.warmup + plan.frames)
        self.passes: dict[str, Pass] = {}

    def run(self) -> None:
        """Render all frames, collect the results, and release everything. Frame i is at start + i / fps, however
        long frames take."""
        plan = self.settings.capture
        for index in range(plan.warmup + plan.frames):
            self._render(index, plan.start + index / plan.fps, 1 / plan.fps if index else 0.0)
            self._take(self.timers.collect())
            self._progress.advance()
            self.ctx.finish()  # the next frame does not wait for this frame's reference workload
        self._finish()

    def _render(self, index: int, now: float, step: float) -> None:
        self.timers.begin(index)
        start = time.perf_counter()
        self.renderer.render(now, elapsed=step, timers=self.timers)
        self.ctx.finish()
        # Rounded to nanoseconds, so that files hold the summed values.
        self._host[index] = now, round(1e3 * (time.perf_counter() - start), 6)
        run_passes(self.ctx, self.reference.passes, self.timers)
        self.timers.end()
        self.passes |= {step.name: step for step in (*self.renderer.passes, *self.reference.passes)}

    def _take(self, times: list[FrameTimes]) -> None:
        """Keep the times that have arrived, except times of the warm-up."""
        for frame in times:
            now, wall_ms = self._host.pop(frame.index)
            if frame.index < self.settings.capture.warmup:
                continue
            passes = {
                name: t._replace(gpu_ms=round(t.gpu_ms, 6), cpu_ms=round(t.cpu_ms, 6))
                for name, t in frame.passes.items()
            }
            fixed = {step.name: passes.pop(step.name) for step in self.reference.passes}
            self.frames.append(MeasuredFrame(frame.index, passes, now, wall_ms, fixed))

    def _finish(self) -> None:
        """Take the last times, read the picture, measure the sea, compare the backends, and release everything."""
        self._take(self.timers.collect())
        if len(self.frames) != self.settings.capture.frames:
            raise CaptureError(f"{self.timers.missed} frames went untimed because the GPU fell too far behind")
        self.passes = {name: step._replace(bytes_moved=step.work().bytes) for name, step in self.passes.items()}
        self.picture = self.renderer.picture.read(components=3, alignment=1)
        view, last, step = self.settings.view, self.frames[-1].time, 1 / self.settings.capture.fps
        self.sea = measure(self.ctx, self.renderer.sea, last, step, (view.x, view.z)).quantities
        if self._compare_backends:
            self.backends = self._compare()
        self.timers.release()
        self.reference.release()
        self.renderer.release()

    def _compare(self) -> list[Measurement]:
        """Measure every FFT backend on the spectrum of the last frame; the chosen one keeps its options."""
        sea, chosen = self.renderer.sea, self.settings.fft
        layers = sea.storage.another()
        backends = [(name, chosen.options if name == chosen.backend else None) for name in BACKENDS]
        comparison = Comparison(layers, partial(sea.evolve_into, layers), backends=backends, clock=self.clock.name)
        self._progress.start("FFT backends, percent", 100)
        while comparison.step():
            self._progress.reach(round(100 * comparison.progress))
        self._progress.reach(100)
        comparison.release()
        return comparison.rows

    def result(self) -> CaseRecord:
        clock = self.clock.name
        fixed = {step.name for step in self.reference.passes}
        passes: list[Measured] = []
        for name, times in by_pass(frame.with_reference for frame in self.frames).items():
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
                *(one.backend_row(clock) for one in self.backends),
            ),
            sea=self.sea,
        )


def choose_clock(ctx: moderngl.Context) -> ClockRecord:
    """Return the trusted clock of this context, with the reason."""
    trial = try_clocks(ctx)
    return ClockRecord(name=trial.clock, reason=trial.reason)


# -- Out ---------------------------------------------------------------------------------------------------------------


def write_files(folder: Path, result: Report, name: str, run: Capture) -> None:
    """Write samples, picture and plot of one case."""
    from ocean.capture.plots import write_timings

    folder.mkdir(exist_ok=True)
    write_frames(folder / FRAMES, run.frames)
    write_picture(folder / PICTURE, run.size, run.picture)
    write_timings(folder / PLOT, result, name, run.frames)
