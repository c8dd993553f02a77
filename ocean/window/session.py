"""A session of the window: its start, the quality level for this GPU, and the state saved for the next session."""

import json
import os
import statistics
import sys
import time
import zlib
from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal

import moderngl
import platformdirs
from moderngl_window.context.base import BaseWindow
from pydantic import BaseModel, ConfigDict

from ocean.common.errors import MOST_SETTINGS, InputError, check, is_unicode, parse_json, read_own, reason
from ocean.common.files import OutputError, write_text
from ocean.common.resources import LEVELS, config
from ocean.fft import DEFAULT_BACKEND, FFTError, obstacle
from ocean.fft.auto import cache_file
from ocean.gpu.context import drain
from ocean.render.frame import FrameRenderer
from ocean.sea.fft_choice import keep_fastest
from ocean.settings import (
    Settings,
    SettingsError,
    flat,
    load_settings,
    merge,
    nested,
    settings_from,
    to_tree,
    with_values,
)
from ocean.settings.files import PARTS, Resolution
from ocean.window.automatic import SMALLER
from ocean.window.camera import Bookmark, CameraPath, Flight
from ocean.window.libraries import default_library, native_of, open_window

if TYPE_CHECKING:
    from ocean.window.desktop import Desktop

MOST_BYTES = 1 << 18
PATIENCE = 2.0  # s: longest wait of a start for a spectrum's file
FILES = tuple(f"{part}.{name}" for part, name in PARTS.items())
"""Settings that name one file, or several between commas."""
BUDGET = 12.0  # ms per frame: at 60 frames per second a quarter is left for the interface and the system
WARM, FRAMES = 5, 15  # frames before the measured ones, and measured frames
LONGEST = 1.0  # s: longest measurement


def run(
    choose: Callable[[str], Settings],
    *,
    quality: str | None = None,
    window: str | None = None,
    quit_after: int | None = None,
    screenshot: Path | None = None,
    state: Path | None = None,
    resumes: bool = False,
    fresh: bool = False,
) -> int:
    """Open the window, run until it is closed, and return the exit status.

    Args:
        choose: returns the settings of a quality level.
        quality: the level; by default that of the first start on this device, where quality *automatic* begins.
        window: window library; by default glfw, or pyglet without it.
        quit_after, screenshot: number of frames after which the window closes, and a file for the last one.
        state: file that keeps the layout and, with `resumes`, the settings from one session to the next.
        fresh: whether to take only bookmarks and flight from that file.
    """
    library = window or default_library()
    last, problem = None, ""
    if state:
        try:
            last = load(state)
        except InputError as error:
            problem = str(error)
    if last and last.layout_checksum != checksum(last.layout):
        problem = f"the layout in {state} was damaged, so the windows are in their default places"
    if last and (fresh or problem):
        last = last.model_copy(update={"layout": ""})
    Thread(target=import_module, args=("ocean.window.actions",), name="imports").start()  # beside loading the driver
    real = open_window(library, choose(quality or "high"))
    from ocean.window.actions import make_actions
    from ocean.window.desktop import Desktop
    from ocean.window.ui.files import Request
    from ocean.window.ui.interface import FIRST_STATE, InterfaceState

    settings, late = None, dict[str, Any]()
    if last and resumes and not fresh:
        valid, missing, late = last.nearest()
        settings, unrunnable = nearest_that_runs(real.ctx, valid)
        problem = "; ".join(filter(None, (problem, missing or unrunnable)))
    resumes = settings is not None
    measured = ""
    if settings is None:
        if quality is None:
            quality, measured = starting_level(real.ctx, real.pixel_ratio, fresh, lambda text: show(real, text))
        settings = choose(quality)

    desktop = Desktop(
        real,
        settings,
        make_actions,
        quit_after=quit_after,
        screenshot=screenshot,
        camera_path=CameraPath(last.bookmarks, last.flight) if last else None,
        state=InterfaceState(last.layout, last.recent, last.pinned) if last else FIRST_STATE,
        keep=partial(keep, state) if state else lambda _: None,
    )
    desktop.interface.shows_hints = state is not None and not os.path.exists(state)
    if problem:
        desktop.interface.say(problem, is_error=True)
    elif measured:
        desktop.interface.say(measured)
    if late:
        request = Request(partial(with_values, values=late), "spectrum of the last session")
        desktop.put(desktop.interface.files.read(settings, request))
    try:
        desktop.loop()
    except InputError as error:
        raise (InputError(f"{error}; --fresh starts without the last session") if resumes else error) from None
    finally:
        desktop.release()
    return 0


def nearest_that_runs(ctx: moderngl.Context, settings: Settings) -> tuple[Settings, str]:
    """Return settings whose transform runs on this GPU, with a sentence if they differ from the given ones."""
    chosen = settings.fft
    if (reason := obstacle(ctx, chosen.backend, chosen.size, chosen.options)) is None:
        return settings, ""
    said = f"{chosen.backend}: {reason}; the last session goes on with the backend {DEFAULT_BACKEND}"
    return with_values(settings, {"fft.backend": DEFAULT_BACKEND}), said


def show(window: BaseWindow, text: str) -> None:
    """Show a message in a window whose settings are not known yet."""
    from ocean.window.ui.dialogs import Actions
    from ocean.window.ui.interface import Interface

    interface = Interface(native_of(window), "wall", {}, Actions())
    interface.draw_banner(text, 0.0)
    window.swap_buffers()
    interface.release()


# -- The first start ---------------------------------------------------------------------------------------------------


def starting_level(
    ctx: moderngl.Context,
    pixel_ratio: float,
    fresh: bool = False,
    tell: Callable[[str], None] = lambda _: None,
    measure: Callable[[moderngl.Context, Settings, tuple[int, int]], float] | None = None,
) -> tuple[str, str]:
    """Return the level to start with, and a sentence on the measurement, empty if the level was remembered. It is the
    best level whose frames stay within `BUDGET`, in a window of its config's size, at a scale of SMALLER or more.

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
            keep_fastest(ctx, settings)
            times[name] = (measure or frame_ms)(ctx, settings, size)
            if times[name] > BUDGET and name != chosen:
                smaller = with_values(settings, {"view.scale": SMALLER})
                times[f"{name} and {SMALLER:.0%}"] = (measure or frame_ms)(ctx, smaller, size)
        except FFTError:  # this device can't run the size
            break
        chosen = name if [*times.values()][-1] <= BUDGET else chosen
        if times[name] > BUDGET:
            break
    try:
        remember(ctx, chosen)
    except OutputError as error:
        print(f"ocean: warning: {error}; the next start measures again", file=sys.stderr)
    taken = ", ".join(f"{ms:.1f} ms at {name}" for name, ms in times.items())
    return chosen, f"Quality {chosen}. A frame takes {taken}; the limit for 60 frames/s is {BUDGET:g} ms."


def frame_ms(ctx: moderngl.Context, settings: Settings, size: tuple[int, int]) -> float:
    """Return the median time of a frame [ms], from its first command to the GPU's last, without the first frames."""
    renderer = FrameRenderer(ctx, settings, size)
    renderer.backdrop.keeps_clouds = True
    times: list[float] = []
    try:
        while len(times) < WARM + FRAMES and sum(times[1:]) < LONGEST:  # the first frame compiles
            start = time.perf_counter()
            renderer.render(len(times) / 60)
            drain(ctx)
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
    write_text(record_file(ctx), json.dumps(_record(ctx, level), indent=1) + "\n")


def record_file(ctx: moderngl.Context) -> Path:
    tuned = cache_file(ctx.info["GL_RENDERER"])
    return tuned.with_name(tuned.name.replace("tuned", "quality", 1))


def _record(ctx: moderngl.Context, level: str) -> dict[str, str]:
    return {"gpu": ctx.info["GL_RENDERER"], "driver": ctx.info["GL_VERSION"], "level": level}


# -- The state between sessions ----------------------------------------------------------------------------------------


class LastState(BaseModel):
    """State of a window when it was closed. The settings are a tree of plain values, checked by `restored`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1] = 1
    settings: dict[str, Any]
    layout: str = ""  # ImGui's layout: it fails or hangs on some damaged ones
    layout_checksum: int = 0
    bookmarks: dict[str, Bookmark] = {}
    flight: Flight = Flight()
    recent: tuple[Path, ...] = ()  # opened or saved settings files, the newest first
    pinned: tuple[str, ...] = ()  # key paths of settings at the panel's top

    def restored(self) -> Settings:
        return settings_from(self.settings)

    def nearest(self) -> tuple[Settings, str, dict[str, Any]]:
        """Return the settings, with defaults for invalid ones, and a sentence that names these; and by key path the
        values whose files take longer to read than a start waits, which also get defaults."""
        whole, tree = deepcopy(self.settings), dict[str, Any]()
        files = _without_files(whole)
        missing: list[str] = []
        late: dict[str, Any] = {}
        reason = ""

        def take(key: str, value: Any) -> None:
            nonlocal tree, reason
            wanted = merge(tree, nested(key, value)) if key else value
            try:
                settings_from(wanted)
                tree = wanted
                return
            except SettingsError as error:
                reason = reason or str(error)
            for name, part in value.items() if isinstance(value, dict) else ():
                take(f"{key}.{name}" if key else name, part)
            if not isinstance(value, dict):
                missing.append(key)

        take("", whole)
        settings, deadline = settings_from(tree), time.monotonic() + PATIENCE
        for key, value in files.items():
            try:
                resolution = Resolution(with_values(settings, {key: value}))
                found = resolution.result(max(0.0, deadline - time.monotonic()))
            except SettingsError as error:
                reason = reason or str(error)
                missing.append(key)
                continue
            if found is None:
                resolution.cancel()
                late[key] = value
            settings = found or settings
        said = []
        if missing:
            others = f" and {len(missing) - 3} others" if len(missing) > 3 else ""
            said.append(f"{reason}; the last session goes on without {', '.join(missing[:3])}{others}")
        if late:
            said.append(f"the last session goes on without {' and '.join(late)} until the file is read")
        return settings, "; ".join(said), late

    @classmethod
    def of(
        cls,
        settings: Settings,
        path: CameraPath,
        layout: str = "",
        recent: Iterable[Path] = (),
        pinned: Iterable[str] = (),
    ) -> "LastState":
        """Return the state of a session, with full names of files, so that a start in another folder finds them."""
        tree = to_tree(settings)
        names = {key: name for key, name in flat(tree).items() if key in FILES}
        for key, name in names.items():
            tree = merge(tree, nested(key, _rooted(name)))
        return cls(
            settings=tree,
            layout=layout,
            layout_checksum=checksum(layout),
            bookmarks=path.bookmarks,
            flight=path.flight,
            recent=tuple(path for path in recent if is_unicode(str(path))),
            pinned=tuple(pinned),
        )


def _without_files(tree: dict[str, Any]) -> dict[str, Any]:
    """Remove the settings that name files from a tree, and return them by key path."""
    removed = {}
    for part, name in PARTS.items():
        *tables, last = part.split(".") if part.endswith("spectrum") else (part, name)
        table: Any = tree
        for key in tables:
            table = table.get(key) if isinstance(table, dict) else None
        value = table.get(last) if isinstance(table, dict) else None
        if (isinstance(value, dict) and value.get("kind") == "file") or (last == "panorama" and value):
            removed[".".join((*tables, last))] = table.pop(last)
    return removed


def checksum(layout: str) -> int:
    return zlib.crc32(layout.encode(errors="surrogatepass"))


def _rooted(names: str) -> str:
    """Return the full names of existing files if these can be written; other names stay as they are."""
    full = ",".join(os.path.abspath(name) if os.path.exists(name) else name for name in names.split(","))
    return full if is_unicode(full) else names


def state_file() -> Path:
    return Path(platformdirs.user_state_dir("fft-ocean", appauthor=False)) / "window.json"


def load(path: Path) -> LastState | None:
    """Return the state of the last session; None if there is none."""
    try:
        state = LastState.model_validate_json(read_own(path, MOST_BYTES))
        check(state.settings)
        return state
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"can't read {path}: {reason(error)}") from None
    except ValueError:  # pydantic's, or too many bytes or values
        raise InputError(
            f"{path} was damaged or written by another version of this program, so the window starts with the defaults"
        ) from None


def keep(path: Path, desktop: "Desktop") -> None:
    settings, window = desktop.newest, desktop.wnd
    if not window.fullscreen and min(window.size) >= 64:
        settings = with_values(settings, {"window.width": window.width, "window.height": window.height})
    save(path, LastState.of(settings, desktop.camera_path, *desktop.interface.state))


def save(path: Path, state: LastState) -> None:
    write_text(path, state.model_dump_json(indent=1) + "\n")
