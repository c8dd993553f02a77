"""The quality level at the start of the window: measured at the first start on a device, remembered for later ones."""

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import moderngl

from ocean.common.files import OutputError, whole_files, writing
from ocean.common.reading import MOST_SETTINGS, parse_json, read_own
from ocean.common.resources import LEVELS, config
from ocean.fft import FFTError
from ocean.fft.tuned import cache_file
from ocean.render.frame import FrameRenderer
from ocean.settings import Settings, load_settings

BUDGET = 12.0  # ms per frame: at 60 frames per second a quarter is left for the interface and the system
WARM, FRAMES = 5, 15  # frames before the measured ones, and measured frames
LONGEST = 1.0  # s: longest measurement


def starting_level(
    ctx: moderngl.Context,
    pixel_ratio: float,
    fresh: bool = False,
    tell: Callable[[str], None] = lambda _: None,
    measure: Callable[[moderngl.Context, Settings, tuple[int, int]], float] | None = None,
) -> tuple[str, str]:
    """Return the level to start with, and a sentence on the measurement, empty if the level was remembered. It is the
    best level whose frames stay within `BUDGET`, in a window of its config's size.

    Levels are tried once per device and driver, or again if `fresh`, from the lowest up to the first that misses the
    budget. So a software renderer, which may take many seconds for a frame of `low`, draws the lowest level alone.

    Args:
        pixel_ratio: pixels for one of the window's units.
        tell: shows a message before each measurement.
        measure: milliseconds that a frame takes; `frame_ms` by default.
    """
    if not fresh and (known := remembered(ctx)) is not None:
        return known, ""
    chosen, times = LEVELS[0], dict[str, float]()
    for name in LEVELS:
        tell(f"measuring the quality level {name} …")
        settings = load_settings(config(name))
        size = round(settings.window.width * pixel_ratio), round(settings.window.height * pixel_ratio)
        try:
            times[name] = (measure or frame_ms)(ctx, settings, size)
        except FFTError:  # this device can't run the size
            break
        if times[name] > BUDGET:
            break
        chosen = name
    try:
        remember(ctx, chosen)
    except OutputError as error:
        print(f"ocean: warning: {error}; the next start measures again", file=sys.stderr)
    taken = ", ".join(f"{ms:.1f} ms at {name}" for name, ms in times.items())
    return chosen, f"Quality {chosen}. A frame takes {taken}; the limit for 60 frames/s is {BUDGET:g} ms."


def frame_ms(ctx: moderngl.Context, settings: Settings, size: tuple[int, int]) -> float:
    """Return the median time of a frame [ms], from its first command to the GPU's last, without the first frames."""
    renderer = FrameRenderer(ctx, settings, size)
    times: list[float] = []
    try:
        while len(times) < WARM + FRAMES and sum(times[1:]) < LONGEST:  # the first frame compiles
            start = time.perf_counter()
            renderer.render(len(times) / 60)
            ctx.finish()
            times.append(time.perf_counter() - start)
    finally:
        renderer.release()
    return 1e3 * statistics.median(times[WARM:] or times[1:])


def remembered(ctx: moderngl.Context) -> str | None:
    """Return the remembered level for this GPU and driver; None if there is none, or the record is unusable."""
    try:
        found = parse_json(read_own(record_file(ctx), MOST_SETTINGS))
        return next((name for name in LEVELS if found == _record(ctx, name)), None)
    except (OSError, ValueError):
        return None


def remember(ctx: moderngl.Context, level: str) -> None:
    """Keep a level for later starts.

    Raises:
        OutputError: when the file can't be written.
    """
    path = record_file(ctx)
    with whole_files(path.parent, [path.name]) as folder, writing(path.parent):
        (folder / path.name).write_text(json.dumps(_record(ctx, level), indent=1) + "\n", encoding="utf-8")


def record_file(ctx: moderngl.Context) -> Path:
    tuned = cache_file(ctx.info["GL_RENDERER"])
    return tuned.with_name(tuned.name.replace("tuned", "quality", 1))


def _record(ctx: moderngl.Context, level: str) -> dict[str, str]:
    return {"gpu": ctx.info["GL_RENDERER"], "driver": ctx.info["GL_VERSION"], "level": level}
