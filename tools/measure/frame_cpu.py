"""CPU time of the drawing thread for a frame of the default view at 1920 x 1080: as a whole, by function, and with
calls of moderngl replaced by nothing, one kind after the other.

python -m tools.measure.frame_cpu high > docs/measurements/DEVICE/cpu-frame.txt
"""

import argparse
import cProfile
import os
import pstats
import time
from contextlib import nullcontext
from statistics import median

import moderngl

from ocean.bench.scenes import FULL_HD, IN_FLIGHT, Scene
from ocean.common.facts import program_facts
from ocean.gpu.context import create_headless_context
from ocean.gpu.timing import PassTimers
from ocean.render.frame import FrameRenderer

ROUNDS, FUNCTIONS = 3, 45
TEXTURES = moderngl.Texture, moderngl.TextureArray, moderngl.Texture3D
REPLACED: dict[str, tuple[tuple[type, str], ...]] = {
    "debug scopes": ((moderngl.Context, "debug_scope"),),
    "barriers": ((moderngl.Context, "memory_barrier"),),
    "writes of buffers and uniforms": ((moderngl.Buffer, "write"), (moderngl.Uniform, "write")),
    "binds of buffers": tuple((moderngl.Buffer, f"bind_to_{kind}") for kind in ("uniform_block", "storage_buffer")),
    "binds of textures": (
        *((texture, name) for texture in TEXTURES for name in ("use", "bind_to_image") if hasattr(texture, name)),
        *((moderngl.Sampler, name) for name in ("use", "clear")),
    ),
    "dispatches": tuple((moderngl.ComputeShader, name) for name in ("run", "run_indirect")),
}


class Frames:
    """Frames of one sea, and the CPU time of each."""

    def __init__(self, level: str) -> None:
        scene = Scene("default", level, FULL_HD)
        self.ctx = create_headless_context()
        self.renderer = FrameRenderer(self.ctx, scene.settings, scene.size)
        self.number = 0
        self.moves = False  # whether the camera moves between frames

    def draw(self, timers: PassTimers | None = None, profile: cProfile.Profile | None = None) -> float:
        """Draw the next frame and return its milliseconds of CPU time."""
        self.number += 1
        if self.moves:
            view = self.renderer.settings.view
            turned = view.model_copy(update={"x": view.x + 0.3, "heading": (view.heading + 0.1) % 360})
            self.renderer.apply(self.renderer.settings.model_copy(update={"view": turned}))
        if timers:
            timers.begin(self.number)
        start = time.thread_time()
        with profile or nullcontext():
            self.renderer.render(1 + self.number / 60, 1 / 60, timers)
        took = 1e3 * (time.thread_time() - start)
        if timers:
            timers.end()
        if self.number % IN_FLIGHT == 0:
            self.ctx.finish()
        if timers:
            timers.collect()
        return took

    def report(self, what: str, count: int, timers: PassTimers | None = None) -> None:
        """Print the median of `count` frames, after a quarter as many frames that warm up."""
        times = [self.draw(timers) for _ in range(count + count // 4)][count // 4 :]
        self.ctx.finish()
        print(f"{what}: {median(times):.3f} ms", flush=True)

    def profile(self, count: int) -> None:
        """Print the functions in which `count` frames spend most of their time."""
        profile = cProfile.Profile(time.perf_counter)
        for _ in range(count):
            self.draw(profile=profile)
        found = pstats.Stats(profile).stats.items()  # type: ignore[attr-defined]
        rows = sorted(((own, calls, where) for where, (_, calls, own, _, _) in found), reverse=True)
        print(f"profiled: {1e3 * sum(own for own, _, _ in rows) / count:.3f} ms")
        for own, calls, (file, line, name) in rows[:FUNCTIONS]:
            print(f"{1e6 * own / count:8.1f} us {calls / count:6.1f} calls  {file.split('/ocean/')[-1]}:{line} {name}")


def replace(what: str) -> None:
    """Replace a kind of moderngl's calls by nothing."""
    for kind, name in REPLACED[what]:
        setattr(kind, name, lambda *_, **__: nullcontext())


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("level", choices=("software", "low", "high", "ultra"))
    parser.add_argument("--frames", type=int, default=120, help="frames of each median (default: 120)")
    words = "measure only what remains with all calls replaced; takes seconds, also without a GPU"
    parser.add_argument("--python", action="store_true", help=words)
    asked = parser.parse_args(arguments)
    if asked.python:
        replace("dispatches")
    frames = Frames(asked.level)
    print(program_facts().git_commit, frames.ctx.info["GL_RENDERER"])
    if asked.python:
        frames.renderer.backdrop.is_parted = False
        frames.draw()
        for what in REPLACED:
            replace(what)
        for _ in range(ROUNDS):
            for frames.moves in (False, True):
                camera = "moves" if frames.moves else "rests"
                frames.report(f"all calls replaced by nothing, camera {camera}", asked.frames)
        os._exit(0)  # moderngl can't clean up with its methods replaced
    timers = PassTimers(frames.ctx, "gpu")
    for _ in range(ROUNDS):
        frames.report("with timers", asked.frames, timers)
        frames.report("without timers", asked.frames)
    frames.profile(asked.frames)
    print("calls replaced by nothing, each kind in addition to those before (pictures are wrong):")
    for what in REPLACED:
        replace(what)
        frames.report(what, asked.frames)
    os._exit(0)


if __name__ == "__main__":
    main()
