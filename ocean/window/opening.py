"""Opening of the window: its library, its context, the settings it begins with, and the state of the last session."""

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

import moderngl
import moderngl_window
import pyglet
from moderngl_window.context.base import BaseWindow

from ocean.common.errors import MOST_SETTINGS, InputError, parse_json, read_own
from ocean.common.files import OutputError, whole_files, writing
from ocean.common.parameters import not_one_of
from ocean.common.resources import LEVELS, config
from ocean.fft import DEFAULT_BACKEND, FFTError, obstacle
from ocean.fft.auto import cache_file
from ocean.gpu.context import GL_VERSION, ContextError, platform_hint
from ocean.render.frame import FrameRenderer
from ocean.settings import Settings, load_settings, with_values
from ocean.window import session
from ocean.window.libraries import keep_digits, read_short_offers, release_keys_without_focus

LIBRARIES = ("pyglet", "glfw", "sdl2")


def run(
    choose: Callable[[str], Settings],
    *,
    quality: str | None = None,
    window: str = "pyglet",
    quit_after: int | None = None,
    screenshot: Path | None = None,
    state: Path | None = None,
    resumes: bool = False,
    fresh: bool = False,
) -> int:
    """Open the window, run until it is closed, and return the exit status.

    `choose` returns the settings of a quality level: of `quality`, or of the level from the first start on this device.
    The window closes after `quit_after` frames, and writes its last frame to `screenshot`. The file `state` keeps the
    layout, and with `resumes` the settings, from one session to the next; a `fresh` window takes only bookmarks and
    flight from it.

    Raises:
        InputError: when there is no such window library.
        FFTError: when the FFT backend can't run the size.
        OutputError: when the picture can't be written.
        ContextError: when no window or no context can be made.
    """
    if window not in LIBRARIES:
        raise InputError(not_one_of("--window", window, LIBRARIES))
    kept, problem = None, ""
    if state:
        try:
            kept = session.load(state)
        except InputError as error:
            problem = str(error)
    if kept and not kept.has_whole_layout:
        problem = f"the layout in {state} was damaged, so that the windows are in their usual places"
    if kept and (fresh or problem):
        kept = kept.model_copy(update={"layout": ""})
    Thread(target=import_module, args=("ocean.window.desktop",), name="imports").start()  # beside loading the driver
    real = open_window(window, choose(quality or "high"))
    from ocean.window.desktop import Desktop
    from ocean.window.ui.files import SettingsChange

    settings, late = None, dict[str, Any]()
    if kept and resumes and not fresh:
        valid, missing, late = kept.nearest()
        settings, unrunnable = nearest_that_runs(real.ctx, valid)
        problem = "; ".join(filter(None, (problem, missing or unrunnable)))
    resumes = settings is not None
    measured = ""
    if settings is None:
        if quality is None:
            quality, measured = starting_level(real.ctx, real.pixel_ratio, fresh, lambda text: show(real, text))
        settings = choose(quality)
    desktop = Desktop(real, settings, quit_after, screenshot, state=state, kept=kept)
    desktop.interface.shows_hints = state is not None and not os.path.exists(state)
    if problem:
        desktop.interface.say(problem, is_error=True)
    elif measured:
        desktop.interface.say(measured)
    if late:
        change = SettingsChange(partial(with_values, values=late), "spectrum of the last session")
        desktop.interface.files.read(settings, change)
    try:
        desktop.loop()
    except InputError as error:
        raise (InputError(f"{error}; --fresh starts without the last session") if resumes else error) from None
    finally:
        desktop.release()
    return 0


def nearest_that_runs(ctx: moderngl.Context, settings: Settings) -> tuple[Settings, str]:
    """Return settings whose transform runs on this GPU, with a sentence if they differ from the given ones, which may
    come from another GPU."""
    chosen = settings.fft
    if (reason := obstacle(ctx, chosen.backend, chosen.size, chosen.options)) is None:
        return settings, ""
    said = f"{chosen.backend}: {reason}; the last session goes on with the backend {DEFAULT_BACKEND}"
    return with_values(settings, {"fft.backend": DEFAULT_BACKEND}), said


def show(window: BaseWindow, text: str) -> None:
    """Show a message in a window whose settings are not known yet."""
    from ocean.window.desktop import ACTIONS
    from ocean.window.ui.interface import Interface

    interface = Interface(window, "wall", {}, ACTIONS)
    for _ in range(2):  # the dock knows its parts from the second frame on
        interface.draw_banner(text, 0.0)
    window.swap_buffers()
    interface.release()


def open_window(library: str, settings: Settings) -> BaseWindow:
    """Return a window with a context. moderngl-window's launcher is not used, because it reads the command line.

    Raises:
        InputError: when the window library is not installed.
        ContextError: when window or context can't be made.
    """
    wanted = settings.window
    if library == "pyglet":
        pyglet.options.shadow_window = False  # an unused context of its own
    try:
        make = moderngl_window.get_window_cls(f"moderngl_window.context.{library}.Window")
        size = wanted.width, wanted.height
        window = make(title="FFT ocean", size=size, gl_version=GL_VERSION, vsync=wanted.vsync, aspect_ratio=None)
    except ImportError as error:
        raise InputError(f"the window library {library} is not installed ({error}); --window pyglet is") from error
    except Exception as error:  # each library raises its own types
        has_display = not sys.platform.startswith("linux") or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
        hint = platform_hint() if has_display else "There is no display; `capture` draws without one."
        raise ContextError(f"No window with OpenGL 4.3 could be made. {hint} {library}: {error}") from error
    window.exit_key = window.fullscreen_key = None  # Escape would close the context before anything is released
    release_keys_without_focus(window)
    keep_digits(window)
    read_short_offers(window)
    window.swap_buffers()  # some libraries learn the window's pixels only here
    window.set_default_viewport()
    return window


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
