"""Whole pictures by pass: times of a frame at named views and quality levels, and counts of its work.

One command makes a report that users can send in.
"""

import time
from functools import partial
from itertools import count
from math import inf
from statistics import median
from typing import NamedTuple

from ocean.bench.request import Found, Request, Task
from ocean.bench.rows import BenchError, Row
from ocean.common.records import sampled
from ocean.common.resources import config
from ocean.fft.counts import count_axis
from ocean.gpu.context import is_software
from ocean.gpu.timing import FrameTimes, PassTimers, by_pass
from ocean.render.backdrop import is_among_clouds, is_clear
from ocean.render.frame import SEA, FrameRenderer
from ocean.render.mesh import BLOCK_TRIANGLES, BLOCK_VERTICES, MOST_VERTEX_BYTES, VERTEX_BYTES
from ocean.render.samples import RECORD_BYTES, SAMPLE_BYTES
from ocean.settings import Settings, load_settings

WARM, FRAMES = {"gpu": 0.5, "wall": 0.0}, {"gpu": 60, "wall": 8}  # seconds of the warm-up, measured frames, by clock
COMPILING = 2  # frames that may compile shaders, before the warm-up
START, FPS = 1.0, 60.0  # time of the sea at the first frame [s]; frames per second of the sea
IN_FLIGHT = 4  # queued frames before a wait for the GPU
FLOPS = {"triangle": 300, "sample": 500, "shading": 4000, "ray": 14500, "sky": 200, "bloom": 80, "tone": 150}
"""Additions and multiplications, counted by hand in the shaders: for a triangle with its share of a block's vertices
and a few samples in its box; for a sample without its triangle's vertices; for a shading without foam; for a ray
through clouds and veil, of 63 steps outside of clouds and 8 inside (mean of the default view); for a pixel of the sky
without the ray; for a texel of the bloom's levels, on both ways; for a displayed pixel. Errors are up to a third,
because waves, foam and clouds vary by place."""
RAYS = {"clouds": 0.25, "sky": 0.16}
"""Rays through clouds for each pixel of the sky: in its own pass, and beside edges of clouds (the default view)."""

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
    Scene("default", "high", UHD),
    Scene("mast", "high", FULL_HD),
    Scene("clear", "high", WQHD),
    Scene("aloft", "high", FULL_HD),
    Scene("gale", "high", FULL_HD),
    Scene("default", "ultra", FULL_HD),
    Scene("default", "ultra", UHD),
    Scene("default", "low", FULL_HD),
    Scene("default", "software", FULL_HD),
)
SOFTWARE_SCENES = (Scene("default", "software", (640, 360)),)


def steps(request: Request) -> list[Task]:
    """Return a step for each scene.

    Raises:
        BenchError: when sizes or backends are given: scenes have their own.
    """
    if request.sizes or request.backends:
        raise BenchError("--workload scene has pictures and backends of its own: leave out --sizes and --backends")
    scenes = SOFTWARE_SCENES if is_software(request.ctx) else SCENES
    return [partial(measure_scene, request, scene) for scene in scenes]


def measure_scene(request: Request, scene: Scene) -> Found:
    """Return the rows of one scene: the frame, all passes that draw the sea together, and each pass."""
    renderer = FrameRenderer(request.ctx, scene.settings, scene.size)
    timers = PassTimers(request.ctx, request.trial.clock)
    try:
        renderer.hold_exposure(0.0)
        submitted, frames = run(renderer, timers)
        drawn = Drawn.by(renderer)
        of_sea = {step.name for step in renderer.passes if step.group == SEA}
    finally:
        timers.release()
        renderer.release()
    times = {"frame": [frame.gpu_ms for frame in frames]}
    times["sea"] = [sum(t.gpu_ms for name, t in frame.passes.items() if name in of_sea) for frame in frames]
    times |= {name: [one.gpu_ms for one in found] for name, found in by_pass(frames).items()}
    rows = [row(scene, name, of, timers.clock, drawn) for name, of in times.items()]
    rows[0] = rows[0].model_copy(update={"submit_us": 1e3 * median(submitted)})
    return Found(rows)


def run(
    renderer: FrameRenderer, timers: PassTimers, warm_up: float | None = None
) -> tuple[list[float], list[FrameTimes]]:
    """Render warm frames. Return the CPU milliseconds of this thread for each, and the times of their passes.

    An idle GPU is up to four times as slow, and takes up to half a second of work to reach its clock. `warm_up` [s]
    replaces that time for a GPU that is warm.
    """
    warm_up = WARM[timers.clock] if warm_up is None else warm_up
    submitted: list[float] = []
    frames: list[FrameTimes] = []
    warm = begun = inf  # number of the first warm frame, and time at which the warm-up began
    for number in count():
        if number == COMPILING:
            begun = time.perf_counter()
        if time.perf_counter() - begun >= warm_up:
            warm = min(warm, number)
        if number == warm + FRAMES[timers.clock]:
            break
        timers.begin(number)
        start = time.thread_time()
        renderer.render(START + number / FPS, 1 / FPS, timers)
        took = 1e3 * (time.thread_time() - start)
        timers.end()
        if number % IN_FLIGHT == IN_FLIGHT - 1:
            renderer.ctx.finish()
        arrived = timers.collect()
        if number >= warm:
            submitted.append(took)
        frames += [frame for frame in arrived if frame.index >= warm]
    renderer.ctx.finish()
    return submitted, frames + [frame for frame in timers.collect() if frame.index >= warm]


class Drawn(NamedTuple):
    """Counts of the work of a frame."""

    triangles: int
    samples: int  # samples of the picture
    shadings: int
    pixels: int
    sky: int  # pixels that may show sky
    is_cloudy: bool
    blooms: bool
    waves: dict[str, tuple[int, int]]  # bytes and operations of the passes that compute the maps

    @classmethod
    def by(cls, renderer: FrameRenderer) -> "Drawn":
        width, height = renderer.size
        plan = renderer.sea.plan
        flops = {step.name: count_axis(one) or 0 for step, one in zip(plan.passes(), plan.transforms, strict=True)}
        waves = {step.name: (step.bytes_moved, flops.get(step.name, 0)) for step in renderer.sea.passes}
        settings, sky = renderer.settings, height - renderer.surface.samples.lowest_sky
        if is_among_clouds(settings):
            sky = height
        blooms = settings.sky.drawn.bloom > 0
        return cls(*renderer.surface.count_drawn(), width * height, width * sky, not is_clear(settings), blooms, waves)

    @property
    def work(self) -> dict[str, tuple[int, int]]:
        """Return the least bytes that passes read and write, and their operations. Tables of the sky, which most frames
        keep, the metering of light, and the operations of foam and mesh do not count."""
        words = SAMPLE_BYTES * self.samples
        vertices = min(VERTEX_BYTES * BLOCK_VERTICES * self.triangles // BLOCK_TRIANGLES, MOST_VERTEX_BYTES)
        raster = words + vertices, FLOPS["triangle"] * self.triangles
        found = FLOPS["sample"] * self.samples + FLOPS["shading"] * self.shadings
        shading = vertices + 2 * words + 2 * RECORD_BYTES * self.shadings, found
        resolve = 2 * words + 8 * self.pixels, 4 * self.samples
        sea = raster[0] + shading[0] + resolve[0], raster[1] + shading[1] + resolve[1]
        parts = {"raster": raster, "shading": shading, "resolve": resolve}
        rays = {name: round(FLOPS["ray"] * share * self.sky) if self.is_cloudy else 0 for name, share in RAYS.items()}
        passes = {**self.waves, "sea": sea}
        passes["clouds"] = (2 * self.sky, rays["clouds"]) if self.is_cloudy else (0, 0)  # 8 bytes for 4 pixels
        passes["sky"] = (16 + 2 * self.is_cloudy) * self.sky, FLOPS["sky"] * self.sky + rays["sky"]
        # The levels have a third of the picture's pixels, 16 bytes each; a level is read or written up to five times.
        passes["bloom"] = (92 * self.pixels // 3, FLOPS["bloom"] * self.pixels // 3) if self.blooms else (0, 0)
        passes["tone mapping"] = (12 + 4 * self.blooms) * self.pixels, FLOPS["tone"] * self.pixels
        frame = sum(moved for moved, _ in passes.values()), sum(flops for _, flops in passes.values())
        return {**parts, **passes, "frame": frame}


def row(scene: Scene, name: str, times: list[float], clock: str, drawn: Drawn) -> Row:
    middle = median(times)
    moved, flops = drawn.work.get(name, (0, 0))
    whole = name in ("frame", "sea")
    return Row(
        workload="scene",
        part=scene.name,
        name=name,
        kind="pass",
        size=scene.size[0],
        lines=scene.size[1],
        batch=1,
        clock=clock,
        bytes=moved or None,
        gb_per_s=1e-6 * moved / middle if moved and middle else None,
        gflops=1e-6 * flops / middle if flops and middle else None,
        repeats=1,
        frames_per_second=1e3 / middle if name == "frame" and middle else None,
        triangles=drawn.triangles if whole else None,
        picture_samples=drawn.samples if whole else None,
        shadings=drawn.shadings if whole else None,
        **sampled(times),
    )
