"""Whole frames of the program: frames per second with each backend, and the parts of its transform. The experiment
follows Mota, "High Performance Fourier Transforms on GPUs" (Minho 2022), chapter 6, figures 20 and 21."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean import fft
from ocean.bench.contest import LATEST, Found, Request, Task, add_twin, maps_by_numpy, noise_of
from ocean.bench.rows import Row, conventional_flops
from ocean.common import resources
from ocean.fft.measure import Candidate, Measurement, measure
from ocean.gpu.context import is_software
from ocean.gpu.timing import Clock, FrameTimes, PassTimers, Stopwatch
from ocean.render.frame import FrameRenderer
from ocean.settings import Settings, load_settings, with_values

REFERENCE = "cooley-tukey-stages"
SIZES, SOFTWARE_SIZES = (512, 1024), (64, 128)
SOFTWARE_PICTURE = {
    "capture.width": 320,
    "capture.height": 180,
    "foam.resolution": 64,
    "sky.clouds": 0.0,
    "sky.veil": 0.0,
    "view.anisotropy": 1,
    "view.edge_pixels": 16.0,
}
FRAMES = {"gpu": 20, "wall": 2}  # most frames of a sample, by clock
LEAST_FRAMES, SAMPLE_MS = 2, 250.0  # fewest frames of a sample, and the time limit of more
PARTS = "rows", "columns"  # passes of the transform


def steps(request: Request) -> list[Task]:
    sizes = request.sizes or (SOFTWARE_SIZES if is_software(request.ctx) else SIZES)
    for size in sizes:
        request.refuse_unable(size, [size], [(name, None) for name in request.backends])
    return [partial(measure_frames, request, settings_of(request, size)) for size in sizes]


def settings_of(request: Request, size: int) -> Settings:
    """Return the config of this size, or the smaller config with its size changed. On a software renderer the picture
    is small and has few vertices. Rows and columns are separate passes, which every backend supports."""
    name = f"mota-{size}" if size in SIZES else "mota-512"
    small = SOFTWARE_PICTURE if is_software(request.ctx) else {}
    changes = {"fft.size": size, "fft.fused": False, "sea.seed": request.seed, **small}
    return with_values(load_settings(resources.config(name)), changes)


class Frames:
    """Renderer that draws frames one after another, with a given backend."""

    def __init__(self, request: Request, settings: Settings) -> None:
        self.ctx, self.settings = request.ctx, settings
        self.clock: Clock = request.trial.clock
        self.renderer = FrameRenderer(self.ctx, settings, (settings.capture.width, settings.capture.height))
        self.timers = PassTimers(self.ctx, self.clock)
        self._stopwatch = Stopwatch(self.ctx, self.clock)
        self.rate = self._stopwatch.rate
        self._submit_ms = 0.0  # of the last frame whose passes were timed
        self._number = 0
        self._start = float(np.random.default_rng(request.seed).uniform(0.0, LATEST))

    def render(self, backend: str, timers: PassTimers | None = None) -> None:
        """Render a frame; switch the backend first if it is another one."""
        if self.renderer.settings.fft.backend != backend:
            self.renderer.apply(with_values(self.settings, {"fft.backend": backend}))
        self._number += 1
        if timers:
            timers.begin(self._number)
        self.renderer.render(self._start + self._number / self.settings.capture.fps, timers=timers)
        if timers:
            timers.end()

    def passes(self, backend: str) -> list[FrameTimes]:
        """Render a frame and time its passes.

        With the GPU's clock the frame starts behind other work, so that no pass waits for the CPU. The frame runs
        alone, so that it never writes a buffer that the frame before reads.
        """
        self._stopwatch.head_start(self._submit_ms)
        start = time.perf_counter()
        self.render(backend, self.timers)
        self._submit_ms = (time.perf_counter() - start) * 1e3
        self.ctx.finish()
        return self.timers.collect()

    def maps(self) -> NDArray[Any]:
        return self.renderer.sea.storage.read()

    def expected(self) -> NDArray[np.complex128]:
        return maps_by_numpy(self.renderer.sea)

    def time(self, run: Callable[[], object], repeats: int = 1) -> tuple[float, float]:
        """Return the mean time of `repeats` frames in a row by the wall clock, and of submitting one [ms]."""
        for _ in range(2):
            run()
        self.ctx.finish()
        start = time.perf_counter()
        for _ in range(repeats):
            run()
        submitted = time.perf_counter()
        self.ctx.finish()
        return (time.perf_counter() - start) * 1e3 / repeats, (submitted - start) * 1e3 / repeats

    def enough(self, run: Callable[[], object]) -> int:
        frame_ms, _ = self.time(run, 1)
        return max(LEAST_FRAMES, min(FRAMES[self.clock], round(SAMPLE_MS / frame_ms)))

    def release(self) -> None:
        self.timers.release()
        self._stopwatch.release()
        self.renderer.release()


@dataclass
class FrameCandidate(Candidate):
    """Candidate whose runs are frames with one backend. Each sample also times their passes."""

    frames: Frames | None = None
    parts: dict[str, Measurement] = field(default_factory=dict, init=False)  # not shared with a twin

    def sample(self) -> None:
        super().sample()
        frames = self.frames
        if frames is None:
            return
        collected = [one for _ in range(self.result.repeats) for one in frames.passes(self.result.name)]
        passes = {step.name: step for step in frames.renderer.sea.passes}
        times = {"passes": [(one.gpu_ms, one.cpu_ms) for one in collected]}
        for part in PARTS:
            times[part] = [(one.passes[part].gpu_ms, one.passes[part].cpu_ms) for one in collected]
        for part, found in times.items():
            result = self.parts.setdefault(
                part, replace(self.result, samples_ms=[], submit_samples_ms=[], transfer_samples=[])
            )
            if part in PARTS:
                result.dispatches, result.bytes = passes[part].dispatches, passes[part].bytes_moved
            result.samples_ms.append(median(gpu for gpu, _ in found))
            result.submit_samples_ms.append(median(cpu for _, cpu in found))


def measure_frames(request: Request, settings: Settings) -> Found:
    names = dict.fromkeys([REFERENCE, *(request.backends or (name for name in fft.BACKENDS if name != "numpy"))])
    size = settings.fft.size
    results = [Measurement(name, fft.obstacle(request.ctx, name, size)) for name in names]
    able = [result.name for result in results if result.obstacle is None]
    if not able:
        return Found([row(settings, result, "frame", "wall") for result in results])
    frames = Frames(request, with_values(settings, {"fft.backend": able[0]}))
    try:
        ran: list[FrameCandidate] = []
        for result in results:
            backend = fft.BACKENDS[result.name]
            result.error_limit = backend.error_limit(size, backend.Options())
            if result.obstacle is None:
                run = partial(frames.render, result.name)
                one = FrameCandidate(result, frames, lambda: None, run, frames.maps, frames.expected, frames=frames)
                ran.append(one)
        candidates: list[Candidate] = [*ran]
        twins = add_twin(candidates, REFERENCE)
        for _ in measure(candidates, request.rounds):
            pass
    finally:
        frames.release()
    reference = next((one.result.median_ms for one in ran if one.result.name == REFERENCE), 0.0)
    rows = [row(settings, result, "frame", "wall", reference) for result in results]
    rows += [row(settings, one.parts[part], part, frames.clock) for part in ("passes", *PARTS) for one in ran]
    return Found(rows, noise_of("frame", size, twins))


def row(settings: Settings, result: Measurement, part: str, clock: str, reference: float = 0.0) -> Row:
    values, layers = result.row(clock), 2 * settings.cascades.count
    if result.samples_ms and part == "frame":
        values["frames_per_second"] = 1e3 / result.median_ms
        values["gain"] = reference / result.median_ms - 1 if reference else None
    if result.samples_ms and part in PARTS:
        values["gflops"] = conventional_flops(settings.fft.size**2, 2 * layers) / 2 / (result.median_ms * 1e6)
    return Row(
        workload="frame",
        part=part,
        name=result.name,
        size=settings.fft.size,
        batch=2 * layers,
        layers=layers,
        storage="RGBA32F",
        options=f"{settings.capture.width}x{settings.capture.height}",
        **values,
    )
