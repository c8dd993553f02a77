"""Opening of the window: its library, its context, the settings it begins with, and the state of the last session."""

import os
import sys
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

from ocean.common.errors import InputError
from ocean.common.explanations import not_one_of
from ocean.fft import DEFAULT_BACKEND, obstacle
from ocean.gpu.context import GL_VERSION, ContextError, platform_hint
from ocean.settings import Settings, with_values
from ocean.window import session
from ocean.window.first_start import starting_level
from ocean.window.ui.native import keep_digits, read_short_offers, release_keys_without_focus

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
    from ocean.window.ui.saved_settings import SettingsChange

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
