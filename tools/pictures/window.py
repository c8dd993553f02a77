"""The pictures of the window in README and docs/window.md: python -m tools.pictures.window

They need no display: the program runs in moderngl-window's headless window, and its canvas is saved. So they show the
GPU that draws them, and its times. A folder for the pictures, a level of quality, and names of pictures can be given.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from imgui_bundle import imgui
from moderngl_window.context.base import BaseKeys
from moderngl_window.context.headless.window import Window
from PIL import Image

from ocean.common.resources import config
from ocean.gpu.context import GL_VERSION, try_backends
from ocean.settings import Settings, level_values, with_values
from ocean.window import actions
from ocean.window.changes import Change
from ocean.window.desktop import Desktop
from ocean.window.ui.files import load_scene

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SIZE, SMALL, LEVEL, QUALITY = (1600, 1000), (1200, 750), "ultra", 84
STEP = 0.2  # s between frames whose time runs by itself
WATCHED = 240.0  # s of a gale before *Sea truth* is drawn


class Keys(BaseKeys):
    """Keys that are their own names; the library's headless window has none."""


for _name in [name for name in dir(BaseKeys) if name.isupper() and not name.startswith("ACTION")]:
    setattr(Keys, _name, _name)


class KeyedWindow(Window):
    keys = Keys  # type: ignore[assignment]


@contextmanager
def program(settings: Settings) -> Iterator[Desktop]:
    """Yield the program in a window without a display."""
    make: Callable[[str | None], Any] = lambda backend: KeyedWindow(  # noqa: E731
        title="ocean", size=SIZE, gl_version=GL_VERSION, aspect_ratio=None, backend=backend
    )
    window, attempts = try_backends(make)
    assert window, attempts
    width, height = SIZE
    sized = with_values(settings, {"window.width": width, "window.height": height})
    desktop = Desktop(window, sized, actions.make_actions)
    yield desktop
    desktop.release()
    window.destroy()


def run(desktop: Desktop, seconds: float, until: Callable[[], bool] = lambda: True) -> None:
    """Draw frames for at least `seconds` by the wall clock, and until a condition holds."""
    began = last = time.perf_counter()
    while last < began + seconds or desktop.drawing.is_on or not until():
        now = time.perf_counter()
        desktop.on_render(0.0, now - last)
        desktop.ctx.finish()
        last = now


def watch(desktop: Desktop, seconds: float) -> None:
    """Run the sea up to its time `seconds`."""
    while desktop.time < seconds or desktop.drawing.is_on:
        desktop.on_render(0.0, STEP)
        desktop.ctx.finish()


def shown(desktop: Desktop) -> Image.Image:
    width, height = SIZE
    rows = np.frombuffer(desktop.interface.canvas.read(components=3), "u1").reshape(height, width, 3)
    return Image.fromarray(np.ascontiguousarray(rows[::-1]))


def desktop_picture(level: str) -> Image.Image:
    """Return the program with its comparison of FFT backends."""
    with program(with_values(Settings(), level_values(level))) as desktop:
        run(desktop, 3.0)
        actions.compare(desktop)
        run(desktop, 1.0, lambda: not desktop.comparing.is_busy)
        run(desktop, 11.0)  # until the message on the report is gone
        return shown(desktop)


def truth_picture(level: str) -> Image.Image:
    """Return the window *Sea truth* after minutes of a gale."""
    scene = load_scene(with_values(Settings(), level_values(level)), config("gale"))
    with program(scene) as desktop:
        run(desktop, 1.0)
        desktop.actions.validation.run()
        watch(desktop, WATCHED)
        place = imgui.internal.find_window_by_name("Sea truth###truth")
        left, top = round(place.pos.x), round(place.pos.y)
        return shown(desktop).crop((left, top, left + round(place.size.x), top + round(place.size.y)))


def split_picture(level: str) -> Image.Image:
    with program(with_values(Settings(), level_values(level))) as desktop:
        watch(desktop, 8.0)
        desktop.actions.pause.run()
        run(desktop, 1.0)
        actions.save_a(desktop)
        run(desktop, 0.5)
        desktop.put(Change(with_values(desktop.settings, {"sea.wind.speed": 18.0, "sky.clouds": 0.7})))
        desktop.actions.pause.run()
        watch(desktop, 14.0)
        desktop.ab.is_split = True
        run(desktop, 4.0)
        return shown(desktop).resize(SMALL, Image.Resampling.LANCZOS)


DRAWN = {"desktop": desktop_picture, "sea-truth": truth_picture, "split": split_picture}


def main(arguments: list[str]) -> None:
    target, level, *names = arguments + [str(PICTURES), LEVEL][len(arguments) :]
    folder = Path(target).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)  # the program writes reports into the folder `out`
        for name in names or DRAWN:
            DRAWN[name](level).save(folder / f"{name}.webp", quality=QUALITY, method=6)
            print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
