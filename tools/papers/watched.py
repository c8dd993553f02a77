"""The CPU time that watching adds to a frame: timers of all passes, statistics and their read-backs, against frames
without them, in turn in one process."""

import time

import moderngl

from ocean.fft.measure import Measurement
from ocean.gpu.timing import LIVE, Clock, PassTimers
from ocean.render.frame import FrameRenderer
from ocean.validation.gauge import WaveGauge

BLOCK = LIVE  # frames submitted without a wait; one of them is timed
SECONDS = 1.5  # seconds of a round, which measures each kind at least once
KINDS = ("unwatched", "timers", "watched")
"""Kinds of frames: plain, with timers, and with timers and statistics."""


class Watcher:
    """Renderer of blocks of frames, watched or not, as in the window. Statistics are computed as often as at `fps`
    frames per second, whatever the speed of this machine."""

    def __init__(self, ctx: moderngl.Context, renderer: FrameRenderer, clock: Clock, fps: float) -> None:
        self.ctx, self.renderer = ctx, renderer
        self.timers = PassTimers(ctx, clock, every=LIVE)
        self._step, self._number = 1 / fps, 0
        self._watched = 0  # frames
        self._gauge = WaveGauge(ctx, renderer.sea, clock=lambda: self._watched * self._step)

    def block(self, kind: str) -> tuple[float, float]:
        """Return the milliseconds per frame of a block: CPU time of the thread, and time to submit."""
        timers = self.timers if kind != KINDS[0] else None
        self.renderer.gauge = self._gauge if kind == KINDS[2] else None
        self.ctx.finish()
        cpu, wall = time.thread_time(), time.perf_counter()
        for _ in range(BLOCK):
            self._number += 1
            self._watched += kind == KINDS[2]
            if timers:
                timers.begin(self._number)
            self.renderer.render(self._number * self._step, timers=timers)
            if timers:
                timers.end()
                timers.collect()
        cpu, wall = time.thread_time() - cpu, time.perf_counter() - wall
        return cpu * 1e3 / BLOCK, wall * 1e3 / BLOCK

    def release(self) -> None:
        self.renderer.gauge = None
        self.timers.release()
        self._gauge.release()


def measure_watched(watcher: Watcher, rounds: int) -> tuple[list[Measurement], tuple[Measurement, Measurement]]:
    """Return a result for each kind, and one more of the first kind for the noise. Samples are CPU time of the thread;
    CPU samples are the time to submit."""
    results = [Measurement(kind, repeats=BLOCK) for kind in (*KINDS, KINDS[0])]
    for result in results:  # the first frames with statistics allocate buffers
        watcher.block(result.name)
    end = time.perf_counter() + SECONDS * rounds
    while len(results[0].samples_ms) < rounds or time.perf_counter() < end:
        for result in results:
            cpu, submit = watcher.block(result.name)
            result.samples_ms.append(cpu)
            result.submit_samples_ms.append(submit)
    *kinds, again = results
    return kinds, (kinds[0], again)
