"""Whole frames of the program: frames per second with each backend, and the cost of timers and statistics. The
experiment follows Mota, "High Performance Fourier Transforms on GPUs" (Minho 2022), chapter 6, figures 20 and 21."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean import fft
from ocean.bench.cases import counted
from ocean.bench.contest import Found, Request, Task, add_twin, noise_of
from ocean.bench.rows import Row, conventional_flops
from ocean.bench.sea import LATEST
from ocean.common import resources
from ocean.common.records import Kind
from ocean.fft.comparison import CopyKernel
from ocean.fft.contract import FFTPlan
from ocean.fft.measure import Candidate, Measurement, measure
from ocean.fft.storage import COLUMNS, ROWS, FieldLayers, FieldStorage
from ocean.gpu.context import is_software
from ocean.gpu.stopwatch import Stopwatch
from ocean.gpu.timing import Clock, FrameTimes, PassTimers
from ocean.render.frame import FrameRenderer
from ocean.settings import Settings, load_settings, with_values
from tools.papers.watched import Watcher, measure_watched

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
WATCHED = {"width": 320, "height": 180}
FRAMES = {"gpu": 20, "wall": 2}  # largest number of frames in a sample, by clock
LEAST_FRAMES, SAMPLE_MS = 2, 250.0  # smallest number of frames in a sample, and the time limit of more
PARTS = "rows", "columns"  # passes of the transform


def steps(request: Request) -> list[Task]:
    sizes = request.sizes or (SOFTWARE_SIZES if is_software(request.ctx) else SIZES)
    for size in sizes:
        request.refuse_unable(size, [size], [(name, None) for name in request.backends])
    return [partial(measure_frames, request, settings_of(request, size)) for size in sizes]


def settings_of(request: Request, size: int) -> Settings:
    """Return the config of this size, or the smaller config with another size. On a software renderer the picture is
    small and has few vertices. Rows and columns are separate passes, as for every backend."""
    name = f"mota-{size}" if size in SIZES else "mota-512"
    small = SOFTWARE_PICTURE if is_software(request.ctx) else {}
    return with_values(
        load_settings(resources.config(name)), {"fft.size": size, "fft.fused": False, "sea.seed": request.seed, **small}
    )


def settings_of_watched(settings: Settings) -> Settings:
    """Return the settings of a tiny picture. The CPU's part of a frame takes as long as for a large picture, and more
    frames can be measured. Axes are fused, as by default."""
    least = {f"capture.{side}": min(getattr(settings.capture, side), most) for side, most in WATCHED.items()}
    return with_values(settings, {"fft.fused": True, **least})


class Copier:
    """Candidate that copies a storage and owns it from then on."""

    def __init__(self, storage: FieldStorage[Any], clock: Clock, seed: int) -> None:
        self._stopwatch = Stopwatch(storage.ctx, clock)
        self._storage = storage
        self._plan = FFTPlan((CopyKernel(storage),))
        shape = storage.packed * storage.layers, storage.height, storage.width, 2
        values = np.random.default_rng(seed).standard_normal(shape, np.float32).view(np.complex64)[..., 0]
        (step,) = self._plan.passes()
        result = Measurement("copy", error_limit=0.0, dispatches=step.dispatches, bytes=step.bytes_moved)
        fill = partial(storage.write, values)
        self.candidate = Candidate(
            result, self._stopwatch, fill, self._plan.inverse, storage.read, lambda: values.astype(np.complex128)
        )

    def release(self) -> None:
        self._plan.release()
        self._storage.release()
        self._stopwatch.release()


class Frames:
    """Renderer that draws frames one after another, with a given backend."""

    def __init__(self, request: Request, settings: Settings) -> None:
        self.ctx, self.settings = request.ctx, settings
        self.clock: Clock = request.trial.clock
        size = settings.capture.width, settings.capture.height
        self.renderer = FrameRenderer(self.ctx, settings, size)
        self.timers = PassTimers(self.ctx, self.clock)
        self._stopwatch = Stopwatch(self.ctx, self.clock)
        self._submit_ms = 0.0  # of the last frame whose passes were timed
        self._number = 0
        copied = FieldLayers(self.ctx, settings.fft.size, self.renderer.sea.storage.layers)
        self.copier = Copier(copied, self.clock, request.seed)
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

    @property
    def maps(self) -> NDArray[Any]:
        return self.renderer.sea.storage.read()

    def expected(self) -> NDArray[np.complex128]:
        sea = self.renderer.sea
        layers = sea.storage.another()
        sea.evolve_into(layers)
        spectrum = layers.read().astype(np.complex128)
        layers.release()
        return np.fft.ifft2(spectrum, norm="forward")

    @property
    def work(self) -> dict[str, tuple[int, int]]:
        """Return dispatches and bytes of the transform's passes, by axis."""
        passes = {step.name: step for step in self.renderer.sea.passes}
        return {part: (passes[part].dispatches, passes[part].bytes_moved) for part in PARTS}

    @property
    def counts(self) -> dict[str, dict[str, Any]]:
        plan = self.renderer.sea.plan
        both = counted(plan)
        axes = {"rows": counted_axis(plan, ROWS), "columns": counted_axis(plan, COLUMNS)}
        return {"frame": both, "passes": both, **axes}

    def time(self, run: Callable[[], object], repeats: int = 1) -> tuple[float, float]:
        """Return the milliseconds of one of `repeats` frames in a row, by the wall clock, and the milliseconds to
        submit it."""
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

    def rate(self) -> float:
        return self._stopwatch.rate()

    def release(self) -> None:
        self.copier.release()
        self.timers.release()
        self._stopwatch.release()
        self.renderer.release()


@dataclass
class FrameCandidate(Candidate):
    """Candidate whose runs are frames with one backend. Each sample also times their passes."""

    frames: Frames | None = None
    parts: dict[str, Measurement] = field(default_factory=dict, init=False)  # not shared with a twin
    counts: dict[str, dict[str, Any]] = field(default_factory=dict, init=False)  # counts of the plan, by part

    def check(self) -> None:
        super().check()
        if self.frames:
            self.counts = self.frames.counts

    def sample(self) -> None:
        super().sample()
        frames = self.frames
        if frames is None:
            return
        collected = [one for _ in range(self.result.repeats) for one in frames.passes(self.result.name)]
        whole = {"passes": [(one.gpu_ms, one.cpu_ms) for one in collected]}
        by_pass = {part: [(one.passes[part].gpu_ms, one.passes[part].cpu_ms) for one in collected] for part in PARTS}
        for part, times in (whole | by_pass).items():
            checked = replace(self.result, samples_ms=[], submit_samples_ms=[], transfer_samples=[])
            result = self.parts.setdefault(part, checked)
            result.dispatches, result.bytes = frames.work.get(part, (0, 0))
            result.samples_ms.append(median(gpu for gpu, _ in times))
            result.submit_samples_ms.append(median(cpu for _, cpu in times))


@contextmanager
def open_frames(request: Request, settings: Settings) -> Iterator[Frames]:
    frames = Frames(request, settings)
    try:
        yield frames
    finally:
        frames.release()


def measure_frames(request: Request, settings: Settings) -> Found:
    """Measure frames with every backend, in turn."""
    names = dict.fromkeys([REFERENCE, *(request.backends or (name for name in fft.BACKENDS if name != "numpy"))])
    size = settings.fft.size
    results = [Measurement(name, fft.obstacle(request.ctx, name, size)) for name in names]
    able = [result.name for result in results if result.obstacle is None]
    if not able:
        layers = 2 * settings.cascades.count
        return Found([row(settings, layers, result, "frame", "wall") for result in results])
    first = with_values(settings, {"fft.backend": able[0]})
    with open_frames(request, first) as frames:
        ran: list[FrameCandidate] = []
        for result in results:
            backend = fft.BACKENDS[result.name]
            result.error_limit = backend.error_limit(size, backend.Options())
            if result.obstacle is None:
                run, read = partial(frames.render, result.name), partial(getattr, frames, "maps")
                ran.append(FrameCandidate(result, frames, lambda: None, run, read, frames.expected, frames=frames))
        candidates: list[Candidate] = [*ran]
        twins = add_twin(candidates, REFERENCE)
        candidates.append(frames.copier.candidate)
        for _ in measure(candidates, request.rounds):
            pass
        layers = frames.renderer.sea.storage.layers
        small = settings_of_watched(settings)
        frames.renderer.apply(small)
        frames.renderer.resize((small.capture.width, small.capture.height))
        watcher = Watcher(request.ctx, frames.renderer, frames.clock, settings.capture.fps)
        watched, pair = measure_watched(watcher, request.rounds)
        watcher.release()
        twins.append(pair)
    reference = next((one.result.median_ms for one in ran if one.result.name == REFERENCE), 0.0)
    counts = {one.result.name: one.counts for one in ran}
    rows = [
        row(settings, layers, one, "frame", "wall", reference=reference, **counts.get(one.name, {}).get("frame", {}))
        for one in results
    ]
    copy = frames.copier.candidate.result
    for part in ("passes", *PARTS):
        rows += [row(settings, layers, one.parts[part], part, frames.clock, **one.counts[part]) for one in ran]
    rows += [row(settings, layers, copy, part, frames.clock, kind="copy") for part in PARTS]
    rows += [row(small, layers, one, "watched", "thread") for one in watched]
    return Found(rows, noise_of("frame", size, twins))


def counted_axis(plan: FFTPlan, axis: int) -> dict[str, Any]:
    """Return the counts of a plan's transform along one axis, without storage, which both axes share."""
    (transform,) = (one for one in plan.transforms if one.axis == axis)
    return counted(FFTPlan((transform,))) | {"storage_mib": None}


def row(
    settings: Settings,
    layers: int,
    result: Measurement,
    part: str,
    clock: str,
    *,
    reference: float = 0.0,
    kind: Kind = "backend",
    **counts: Any,
) -> Row:
    values = counts | result.row(clock)
    if part == "watched":
        values |= dict.fromkeys(result.accuracy())  # results of frames are not checked
    if result.samples_ms:
        if part == "frame":
            values["frames_per_second"] = 1e3 / result.median_ms
            values["gain"] = reference / result.median_ms - 1 if reference else None
        if part in PARTS and kind == "backend":
            values["gflops"] = conventional_flops(settings.fft.size**2, 2 * layers) / 2 / (result.median_ms * 1e6)
    return Row(
        workload="frame",
        part=part,
        name=result.name,
        kind=kind,
        size=settings.fft.size,
        batch=2 * layers,
        layers=layers,
        storage="RGBA32F",
        options=f"{settings.capture.width}x{settings.capture.height}",
        **values,
    )
