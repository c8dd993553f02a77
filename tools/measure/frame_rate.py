"""Time of the software profile: its passes, its window with the panel open, and its start:

    python -m tools.measure.frame_rate --out docs/measurements/DEVICE-DATE/software.json

CPU times are sums over all threads, so they hardly depend on other programs; on two cores a frame takes at least half
of its CPU time. Passes are drained one by one, without a window. The window is the real program on its own display
(Xvfb). It runs once with few frames and once with many more; the difference gives the time of a frame. A start is a
whole run of the program for one frame, with Mesa's cache of shaders empty and after another run has filled it. Python's
bytecode exists, as after an installation.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

from ocean.common.resources import config
from ocean.gpu.context import create_headless_context
from ocean.render.frame import FrameRenderer
from ocean.settings import flat, load_settings, read_toml
from tools.measure.reports import write_report

APP = Path(__file__).parents[2] / "app.py"
WINDOW = 1149, 378  # around a view of 640 x 360
WARM, FRAMES, ROUNDS = 10, 100, 3


def cpu_ms(who: int = resource.RUSAGE_SELF) -> float:
    """Return the CPU time of all threads so far, of this process or of its ended children."""
    used = resource.getrusage(who)
    return (used.ru_utime + used.ru_stime) * 1e3


def passes_ms() -> tuple[dict[str, float], dict[str, str]]:
    """Return the median CPU time of each pass, and the renderer."""
    ctx, settings = create_headless_context(), load_settings(config("software"))
    renderer = FrameRenderer(ctx, settings, (settings.capture.width, settings.capture.height))
    found: dict[str, list[float]] = {}
    for number in range(WARM):
        renderer.render(number / 30)
    renderer.sea.begin(WARM / 30)
    for _ in range(FRAMES // 2):
        for step in renderer.passes:
            ctx.finish()
            start = cpu_ms()
            deque(step.run() or (), maxlen=0)  # runs the parts of a pass that has parts
            ctx.finish()
            found.setdefault(step.name, []).append(cpu_ms() - start)
    info = dict(ctx.info)
    renderer.release()
    ctx.release()
    return {name: round(median(times), 2) for name, times in found.items()}, info


@contextmanager
def display() -> Iterator[str]:
    """Yield the name of a virtual display, which runs until the context ends."""
    read, write = os.pipe()
    screen = ["-displayfd", str(write), "-screen", "0", "1280x800x24", "+extension", "GLX", "-nolisten", "tcp"]
    server = subprocess.Popen(["Xvfb", *screen], pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    try:
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(10)


def run(frames: int, environment: dict[str, str]) -> tuple[float, float]:
    """Return the milliseconds of CPU, and by the wall clock, of a run of the program for `frames` frames."""
    size = [
        part for name, n in zip(("width", "height"), WINDOW, strict=True) for part in ("--set", f"window.{name}={n}")
    ]
    command = [sys.executable, str(APP), "window", "--quality", "software", *size, "--quit-after", str(frames)]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    cpu, wall = cpu_ms(resource.RUSAGE_CHILDREN), perf_counter()
    subprocess.run(command, env={**kept, **environment}, check=True)
    return cpu_ms(resource.RUSAGE_CHILDREN) - cpu, (perf_counter() - wall) * 1e3


def least(measure: Callable[[], tuple[float, float]]) -> dict[str, float]:
    """Return the least times of some rounds, because other work on the machine only adds time."""
    cpu, wall = (min(times) for times in zip(*(measure() for _ in range(ROUNDS)), strict=True))
    return {"cpu_ms": round(cpu, 1), "wall_ms": round(wall, 1)}


def cold_start(display: str) -> tuple[float, float]:
    """Return the time of a start with an empty cache of shaders."""
    with tempfile.TemporaryDirectory() as folder:
        return run(1, {"DISPLAY": display, "MESA_SHADER_CACHE_DIR": folder})


def window_frame(environment: dict[str, str]) -> tuple[float, float]:
    """Return the time of a frame in the window."""
    few, many = run(WARM, environment), run(WARM + FRAMES, environment)
    cpu, wall = ((b - a) / FRAMES for a, b in zip(few, many, strict=True))
    return cpu, wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="the JSON file to write")
    path = parser.parse_args().out
    passes, info = passes_ms()
    with display() as number, tempfile.TemporaryDirectory() as folder:
        environment = {"DISPLAY": number, "MESA_SHADER_CACHE_DIR": folder}
        cold = least(lambda: cold_start(number))
        run(1, environment)
        warm = least(lambda: run(1, environment))
        frame = least(lambda: window_frame(environment))
    write_report(
        path,
        "frame_rate",
        info,
        load=os.getloadavg()[0],
        settings=flat(read_toml(config("software"))),
        start={"empty_cache": cold, "warm_cache": warm},
        window_frame={**frame, "frames_per_second": round(1e3 / frame["wall_ms"], 1)},
        frame_cpu_ms=round(sum(passes.values()), 1),
        passes_cpu_ms=passes,
    )


if __name__ == "__main__":
    main()
