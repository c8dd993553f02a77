"""Whole pictures by pass: times of a frame at named views and quality levels, and counts of its work.

One command makes a report that users can send in.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from math import inf
from statistics import median
from typing import Any, NamedTuple

from ocean.bench.contest import Found, Request, Task
from ocean.bench.rows import BenchError, Row
from ocean.common.records import Kind
from ocean.common.resources import config
from ocean.gpu.context import drain, is_software
from ocean.gpu.passes import Work
from ocean.gpu.timing import Clock, FrameTimes, PassTime, PassTimers, by_pass, measured
from ocean.render.backdrop import is_clear
from ocean.render.frame import FrameRenderer
from ocean.render.scene import SEA
from ocean.settings import Settings, load_settings

WARM = {"gpu": 0.5, "wall": 0.0}  # s: the warm-up, by clock
FRAMES = {"gpu": 60, "wall": 8}  # measured frames, by clock
CLOUDY = "clouds", "sky"  # passes that take less time in frames that follow each other
LEAST, SECONDS = 8, 3.0  # a scene of a slow GPU ends after SECONDS, with LEAST frames or more
COMPILING = 2  # frames that may compile shaders, before the warm-up
START, FPS = 1.0, 60.0  # time of the sea at the first frame [s]; frames per second of the sea
IN_FLIGHT = 4  # queued frames before a wait for the GPU

VIEWS: dict[str, tuple[str, ...]] = {
    "default": (),
    "clear": ("sky.clouds=0", "sky.veil=0"),
    "mast": ("view.altitude=50", "view.pitch=-12", "sea.wind.speed=18"),
    "aloft": ("view.altitude=2000", "view.pitch=-30"),
    "gale": ("sea.wind.speed=20", "view.altitude=15"),
}
"""Changes of the default settings, by name of the view."""


class Scene(NamedTuple):
    view: str
    level: str
    size: tuple[int, int]

    @property
    def settings(self) -> Settings:
        return load_settings(config(self.level), overrides=VIEWS[self.view])

    @property
    def name(self) -> str:
        return f"{self.view} at {self.level}"


FULL_HD, WQHD, UHD = (1920, 1080), (2560, 1440), (3840, 2160)
SCENES = (
    Scene("default", "high", FULL_HD),
    Scene("default", "low", FULL_HD),
    Scene("default", "software", FULL_HD),
    Scene("mast", "high", FULL_HD),
    Scene("clear", "high", WQHD),
    Scene("aloft", "high", FULL_HD),
    Scene("gale", "high", FULL_HD),
    Scene("default", "high", UHD),
    Scene("default", "ultra", FULL_HD),
    Scene("default", "ultra", UHD),
)
"""Scenes in the order in which they are measured: a run with a time limit leaves out the last ones."""
SOFTWARE_SCENES = (Scene("default", "software", (640, 360)),)


def steps(request: Request) -> list[Task]:
    if request.sizes or request.backends:
        raise BenchError("--workload scene has pictures and backends of its own: leave out --sizes and --backends")
    scenes = SOFTWARE_SCENES if is_software(request.ctx) else SCENES
    return [partial(measure_scene, request, scene) for scene in scenes]


def measure_scene(request: Request, scene: Scene) -> Found:
    """Return the rows of one scene: the frame, all passes that draw the sea together, and each pass. If there are
    clouds, more rows have the times of frames that follow each other, as in the window."""
    renderer = FrameRenderer(request.ctx, scene.settings, scene.size)
    timers = PassTimers(request.ctx, request.trial.clock)
    try:
        renderer.hold_exposure(0.0)
        frames, submitted, whole = run_twice(renderer, timers)
        times = by_pass(frames)
        passes = {name: timers.passes[name] for name in times}
        kept: list[FrameTimes] = []
        whole_kept: list[FrameTimes] = []
        if not is_clear(scene.settings):
            renderer.backdrop.keeps_clouds = True
            kept, _, whole_kept = run_twice(renderer, timers)
        # Counted after all times: NVIDIA's driver keeps buffers that a program has read in the host's memory.
        work_kept = {name: timers.passes[name].work() for name in by_pass(kept)}
        renderer.backdrop.keeps_clouds = False
        renderer.render(START, 1 / FPS)
        work = {name: step.work() for name, step in passes.items()}
        triangles, samples, shadings = renderer.surface.count_drawn()
    finally:
        timers.release()
        renderer.release()
    drawn = {"triangles": triangles, "picture_samples": samples, "shadings": shadings}
    of_sea = {name for name, step in passes.items() if step.group == SEA}
    seas = [replace(one, passes={name: one.passes[name] for name in of_sea & one.passes.keys()}) for one in frames]
    row = partial(scene_row, scene, timers.clock)
    frame, sea = row("frame", "frame", whole, work.values()), row("sea", "pass", seas, [work[name] for name in of_sea])
    speed = {"submit_us": 1e3 * median(submitted)}
    if frame.median_ms:
        speed["frames_per_second"] = 1e3 / frame.median_ms
    rows = [row(name, "pass", found, [work[name]]) for name, found in times.items()]
    if kept:
        row = partial(scene_row, scene._replace(view=f"{scene.view} in the window"), timers.clock)
        rows.append(row("frame", "frame", whole_kept, work_kept.values()))
        rows += [row(name, "pass", by_pass(kept)[name], [work_kept[name]]) for name in CLOUDY]
    return Found([frame.model_copy(update={**speed, **drawn}), sea.model_copy(update=drawn), *rows])


def scene_row(
    scene: Scene,
    clock: Clock,
    name: str,
    kind: Kind,
    times: Sequence[PassTime] | Sequence[FrameTimes],
    work: Iterable[Work],
) -> Row:
    """Return the row of a frame or a part of it, with the sum of the parts' work."""
    moved, operations = (sum(column) for column in zip(*work, strict=True))
    found = measured(name, times, clock, kind, moved=moved)
    gflops = 1e-6 * operations / found.median_ms if operations and found.median_ms else None
    width, height = scene.size
    place: dict[str, Any] = {"workload": "scene", "part": scene.name, "size": width, "lines": height, "batch": 1}
    return Row(**dict(found), **place, gflops=gflops)


def run_twice(renderer: FrameRenderer, timers: PassTimers) -> tuple[list[FrameTimes], list[float], list[FrameTimes]]:
    """Render warm frames and time their passes; then render others, and time each as a whole: timing the passes adds
    to a frame. Return the times of the first, and the CPU milliseconds and times of the others."""
    _, passes = run(renderer, timers)
    return passes, *run(renderer, timers, 0.0, is_whole=True)


def run(
    renderer: FrameRenderer, timers: PassTimers, warm_up: float | None = None, is_whole: bool = False
) -> tuple[list[float], list[FrameTimes]]:
    """Render warm frames. Return the CPU milliseconds of this thread for each, and the times of their passes, or of the
    frame alone if `is_whole`. An idle GPU takes up to half a second of work to reach its clock; `warm_up` [s] replaces
    that for a warm one."""
    warm_up = WARM[timers.clock] if warm_up is None else warm_up
    submitted: list[float] = []
    frames: list[FrameTimes] = []
    warm = begun = ends = inf  # number of the first warm frame; times at which warm-up begins and measurement ends
    for number in count():
        if number == COMPILING:
            begun = time.perf_counter()
        now = time.perf_counter()
        if warm == inf and now - begun >= warm_up:
            warm, ends = number, now + SECONDS
        if number == warm + FRAMES[timers.clock] or (number >= warm + LEAST and now > ends):
            break
        timers.begin(number)
        start = time.thread_time()
        if is_whole:
            timers.start()
        renderer.render(START + number / FPS, 1 / FPS, None if is_whole else timers)
        if is_whole:
            timers.lap("frame")
        took = 1e3 * (time.thread_time() - start)
        timers.end()
        if number % IN_FLIGHT == IN_FLIGHT - 1:
            drain(renderer.ctx)
        arrived = timers.collect()
        if number >= warm:
            submitted.append(took)
        frames += [frame for frame in arrived if frame.index >= warm]
    drain(renderer.ctx)
    return submitted, frames + [frame for frame in timers.collect() if frame.index >= warm]
