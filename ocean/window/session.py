"""A session of the window: its start, the quality level for this GPU, and the state saved for the next session."""

import json
import math
import os
import statistics
import sys
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from uuid import uuid4

import moderngl
import platformdirs
from moderngl_window.context.base import BaseWindow
from pydantic import BaseModel, ConfigDict, Field

from ocean.common.errors import MOST_SETTINGS, InputError, check, is_unicode, parse_json, plain, read_own, reason
from ocean.common.files import OutputError, try_lock, write_text, writing
from ocean.common.resources import LEVELS, config
from ocean.fft import DEFAULT_BACKEND, FFTError, obstacle
from ocean.fft.auto import cache_file
from ocean.gpu.context import drain, is_software_renderer
from ocean.render.frame import FrameRenderer
from ocean.sea.fft_choice import keep_fastest
from ocean.settings import Settings, SettingsError, flat, load_settings, to_tree, value_at, with_values
from ocean.settings.files import PARTS, Resolution, rooted
from ocean.waves.spectra import FileSpectrum
from ocean.window.automatic import SMALLER
from ocean.window.camera import Bookmark, CameraPath, Flight
from ocean.window.libraries import native_of, open_window

if TYPE_CHECKING:
    from filelock import BaseFileLock

    from ocean.window.desktop import Desktop

MOST_BYTES = 1 << 23  # largest state: that with the longest flight
PATIENCE = 2.0  # s: longest wait of a start for a spectrum's file
STILL, LATEST = 2.0, 30.0
"""Seconds without a change after which a session is saved, and longest delay by further changes."""
MOST_FOLDERS = 8  # maximum number of folders of movies
MERGED = "settings", "flight", "layout", "layout_checksum", "pinned", "unsaved"
"""Parts of a state that a window changes only as a whole."""
FILES = tuple(f"{part}.{name}" for part, name in PARTS.items())
"""Settings that name one file, or several between commas."""
NAMING = "sea.wind.spectrum", "sea.swell.spectrum", "sky.panorama"
"""Settings that may need a file: spectra that name one, or a name."""
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
    opened: Path | None = None,
) -> int:
    """Open the window, run until it is closed, and return the exit status.

    Args:
        choose: returns the settings of a quality level.
        quality: the level; by default that of the first start on this device, where quality *automatic* begins.
        window: window library; by default glfw, or pyglet without it.
        quit_after, screenshot: number of frames after which the window closes, and a file for the last one.
        state: file that keeps the layout and, with `resumes`, the settings from one session to the next.
        fresh: whether to take only bookmarks and flight from that file.
        opened: settings file that the title names and *Save* overwrites.
    """
    session = Session(state, resumes, fresh) if state else None
    last, goes_on = (session.last, session.goes_on) if session else (EMPTY, False)
    Thread(target=import_module, args=("ocean.window.actions",), name="imports").start()  # while the driver loads
    first = choose(quality or "high")
    if goes_on and isinstance(shape := last.settings.get("window"), dict):
        with suppress(SettingsError):  # another size would change the layout
            first = with_values(first, {f"window.{key}": shape[key] for key in ("width", "height") if key in shape})
    sizes = {name: (choose(name).window.width, choose(name).window.height) for name in ("software", "high")}
    is_first = quality is None and not goes_on and sizes["software"] != sizes["high"]  # and nobody chose a size

    def fitting(renderer: str) -> tuple[int, int] | None:
        return sizes["software" if is_software_renderer(renderer) else "high"] if is_first else None

    real = open_window(window or ("glfw" if find_spec("glfw") else "pyglet"), first, fitting)
    if session:
        session.begin()
    from ocean.window.actions import make_actions
    from ocean.window.desktop import Desktop
    from ocean.window.ui.interface import InterfaceState

    measured = ""
    if goes_on:
        start = restored(last.settings, real.ctx)
    else:
        if quality is None:
            quality, measured = starting_level(real.ctx, real.pixel_ratio, fresh, lambda text: show(real, text))
        start = Restored(choose(quality))
        if is_first:  # the level may have another size, to which the window would jump
            size = {"window.width": real.width, "window.height": real.height}
            start = Restored(with_values(start.settings, size))
    desktop = Desktop(
        real,
        start.settings,
        make_actions,
        quit_after=quit_after,
        screenshot=screenshot,
        camera_path=CameraPath(last.bookmarks, last.flight),
        state=InterfaceState(session.layout if session else "", last.recent, last.pinned),
        keep=session.keep if session else lambda *_, **__: None,
    )
    if opened:
        desktop.interface.files.show(start.settings, opened)
    said = "; ".join(filter(None, (session.problem if session else "", start.problem)))
    if session:
        session.began, session.is_partial = start.settings, bool(start.problem)
        ask_about_leftovers(desktop, session)
        if state and not os.path.exists(state):
            desktop.interface.toggle("welcome")
    if said or measured:
        desktop.interface.say(said or measured, is_error=bool(said))
    read_late(desktop, start)
    try:
        desktop.loop()
    except InputError as error:
        raise (InputError(f"{error}; --fresh starts without the last session") if goes_on else error) from None
    finally:
        desktop.release()
        if session:
            session.close(has_failed=isinstance(sys.exception(), Exception))  # quitting and Ctrl-C are not crashes
    return 0


class Restored(NamedTuple):
    """Settings of a session, as far as this device has them; a sentence on what is missing; and values by key path
    whose files take longer to read than a start waits."""

    settings: Settings
    problem: str = ""
    late: Mapping[str, Any] = {}


def restored(tree: dict[str, Any], ctx: moderngl.Context) -> Restored:
    found = Restored(*LastState(settings=tree).nearest())
    chosen = found.settings.fft
    if reason := obstacle(ctx, chosen.backend, chosen.size, chosen.options):
        unable = f"{chosen.backend}: {reason}; the last session is restored with the backend {DEFAULT_BACKEND}"
        settings = with_values(found.settings, {"fft.backend": DEFAULT_BACKEND})
        found = found._replace(settings=settings, problem=found.problem or unable)
    return found


def read_late(desktop: "Desktop", start: Restored) -> None:
    from ocean.window.ui.files import Request

    if start.late:
        request = Request(partial(with_values, values=start.late), "spectrum of the last session")
        desktop.put(desktop.interface.files.read(start.settings, request))


def ask_about_leftovers(desktop: "Desktop", session: "Session") -> None:
    """Ask about settings that a session has not saved, and about movies that are unfinished."""
    from ocean.window.changes import Change
    from ocean.window.ui.dialogs import Question

    def answer(restores: bool) -> None:
        session.settle(restores)
        if restores:
            found = restored(session.lost or session.last.settings, desktop.ctx)
            desktop.put(Change(found.settings, label="the last session"))
            desktop.wnd.size = found.settings.window.width, found.settings.window.height
            desktop.interface.say(found.problem or "restored the last session", is_error=bool(found.problem))
            read_late(desktop, found)

    if session.has_crashed or session.lost:
        title, text = "The last session ended unexpectedly", "Bookmarks and recent files were kept."
        if not session.has_crashed:
            title, text = "Settings were not saved", "A window was started with options, and closed with changes."
        text += " Restore brings back the sea and all other settings."
        declined = "Go on without it" if session.lost else "Start with defaults"
        answers = {"Restore": partial(answer, True), declined: partial(answer, False)}
        desktop.questions.append(Question(title, text, answers))
    for movie, finish, delete in desktop.studio.left(session.last.movies):
        size = f"{1e-6 * movie.stat().st_size:.2f} MB"
        text = f"{movie.parents[1] / movie.name}, {size}, was being recorded when the window ended."
        text += "" if finish else " It has no whole frame."
        finishes = {"Finish": finish} if finish else {}
        desktop.questions.append(Question("A movie is unfinished", text, {**finishes, "Delete": delete}))


def show(window: BaseWindow, text: str) -> None:
    """Show a message in a window whose settings are not known yet."""
    from ocean.window.ui.dialogs import Actions
    from ocean.window.ui.interface import Interface

    native_of(window).show()
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
        write_text(record_file(ctx), json.dumps(_record(ctx, chosen), indent=1) + "\n")
    except OutputError as error:
        print(plain(f"ocean: warning: {error}; the next start measures again"), file=sys.stderr)
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


def record_file(ctx: moderngl.Context) -> Path:
    tuned = cache_file(ctx.info["GL_RENDERER"])
    return tuned.with_name(tuned.name.replace("tuned", "quality", 1))


def _record(ctx: moderngl.Context, level: str) -> dict[str, str]:
    return {"gpu": ctx.info["GL_RENDERER"], "driver": ctx.info["GL_VERSION"], "level": level}


# -- The state between sessions ----------------------------------------------------------------------------------------


class LastState(BaseModel):
    """State of a window when it was closed. The settings are a tree of plain values, checked by `nearest`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1, 2] = 2
    settings: dict[str, Any]
    layout: str = ""  # ImGui's, which fails or hangs on some damaged ones
    layout_checksum: int = 0
    bookmarks: dict[str, Bookmark] = {}
    flight: Flight = Flight()
    recent: tuple[Path, ...] = ()  # opened or saved settings files, the newest first
    pinned: tuple[str, ...] = ()  # key paths of settings at the panel's top
    movies: tuple[Path, ...] = ()  # folders in which movies were recorded, the newest first
    # Lock of the window that wrote this and has not ended; since version 2.
    running: str = Field(default="", pattern="^[0-9a-f]*$")
    unsaved: dict[str, Any] = {}  # settings of that window, if the session has others

    def merged(self, base: "LastState", there: "LastState") -> "LastState":
        """Return this state with what other windows have changed `there`. Values that equal those of `base`, which this
        window has read or written last, come from there; bookmarks and recent files are merged."""
        from ocean.window.ui.files import MOST_RECENT

        same = {name: getattr(there, name) for name in MERGED if getattr(self, name) == getattr(base, name)}
        own = {name: one for name, one in self.bookmarks.items() if base.bookmarks.get(name) != one}
        gone = set(base.recent) - set(self.recent)
        new = [path for path in self.recent if path not in base.recent or self.recent != base.recent]
        recent = [path for path in dict.fromkeys((*new, *there.recent)) if path not in gone][:MOST_RECENT]
        return self.model_copy(update={**same, "bookmarks": {**there.bookmarks, **own}, "recent": tuple(recent)})

    def nearest(self) -> tuple[Settings, str, dict[str, Any]]:
        """Return the settings, with defaults for invalid ones, and a sentence that names these; and by key path the
        values whose files take longer to read than a start waits, which also get defaults."""
        settings, late = Settings(), dict[str, Any]()
        missing: list[str] = []
        reason = ""

        def take(key: str, value: Any) -> None:
            nonlocal settings, reason
            try:
                settings = with_values(settings, {key: value} if key else value)
                return
            except SettingsError as error:
                reason = reason or str(error)
            for name, part in value.items() if isinstance(value, dict) else ():
                take(f"{key}.{name}" if key else name, part)
            if not isinstance(value, dict):
                missing.append(key)

        take("", self.settings)
        deadline = time.monotonic() + PATIENCE
        named = {key: value_at(settings, key) for key in NAMING}
        files = {key: value for key, value in named.items() if value and isinstance(value, FileSpectrum | str)}
        settings = with_values(settings, {key: value_at(Settings(), key) for key in files})
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
            said.append(f"{reason}; the last session is restored without {', '.join(missing[:3])}{others}")
        if late:
            said.append(f"the last session is restored without {' and '.join(late)} until the file is read")
        return settings, "; ".join(said), late

    @classmethod
    def of(
        cls,
        settings: Settings,
        path: CameraPath,
        layout: str = "",
        recent: Sequence[Path] = (),
        pinned: Sequence[str] = (),
    ) -> "LastState":
        """Return the state of a session, with full names of files, so that a start in another folder finds them."""
        names = {key: rooted(name) for key, name in flat(to_tree(settings)).items() if key in FILES}
        return cls(
            settings=to_tree(with_values(settings, names)),
            layout=layout,
            layout_checksum=checksum(layout),
            bookmarks=path.bookmarks,
            flight=path.flight,
            recent=tuple(path for path in recent if is_unicode(str(path))),
            pinned=tuple(pinned),
        )


EMPTY = LastState(settings={})


def checksum(layout: str) -> int:
    return zlib.crc32(layout.encode(errors="surrogatepass"))


def state_file() -> Path:
    return Path(platformdirs.user_state_dir("fft-ocean", appauthor=False)) / "window.json"


def load(path: Path) -> LastState:
    """Return the state of the last session, empty if there is none."""
    try:
        state = LastState.model_validate_json(read_own(path, MOST_BYTES))
        check((state.settings, state.unsaved))
        return state
    except FileNotFoundError:
        return EMPTY
    except OSError as error:
        raise InputError(f"can't read {path}: {reason(error)}") from None
    except ValueError:  # pydantic's, or too many bytes or values
        raise InputError(f"{path} was damaged or written by another version of this program") from None


def recovered(path: Path) -> tuple[LastState, str]:
    """Return the state of the last session, and a sentence if it can't be read as a whole. Then the file is moved
    aside, and the state has the parts that can be read."""
    try:
        return load(path), ""
    except InputError as error:
        said = str(error)
    names = (path.with_name(f"{path.name}.bad{number or ''}") for number in count())
    aside = next(name for name in names if not os.path.lexists(name))
    found = EMPTY
    with suppress(OSError, ValueError):
        path.rename(aside)
        tree = parse_json(read_own(aside, MOST_BYTES))
        found = _readable(tree if isinstance(tree, dict) else {})
    is_aside = "is" if os.path.lexists(aside) else "could not be"
    goes_on = "goes on with what can be read of it" if found.settings else "starts with the defaults"
    return found, f"{said}; it {is_aside} set aside as {aside.name}, and the window {goes_on}"


def _readable(tree: dict[str, Any]) -> LastState:
    """Return a state with the parts and bookmarks of a tree that can be read."""
    found, marks = EMPTY, tree.get("bookmarks")
    parts = [{name: value} for name, value in tree.items() if name not in ("schema_version", "bookmarks")]
    parts += [{"bookmarks": {name: one}} for name, one in marks.items()] if isinstance(marks, dict) else []
    for part in parts:
        with suppress(ValueError):
            read = LastState.model_validate({"settings": {}, **part})
            check((read.settings, read.unsaved))
            values = {name: getattr(read, name) for name in part}
            found = found.model_copy(update=values | {"bookmarks": found.bookmarks | read.bookmarks})
    return found


def kept(desktop: "Desktop") -> Settings:
    """Return the settings for the next session: those of B, also while A is shown; with a file that is being read."""
    settings = desktop.ab.other if desktop.ab.shows_a and desktop.ab.other else desktop.newest
    return desktop.interface.files.wanted(settings)


class Session:
    """The state that a window keeps for the next session, in a file that other windows share.

    It is written when nothing has changed for some seconds, at each bookmark, and at the end. Each time it takes over
    what another window has changed there since. A lock of the window that wrote last tells whether it has crashed.
    """

    def __init__(self, path: Path, resumes: bool = True, fresh: bool = False) -> None:
        """Read the state. If the window `resumes` a session, or starts a `fresh` one, its settings become those of the
        last session; otherwise they are kept for a crash, and if they changed, for an offer."""
        from filelock import FileLock

        self.last, self.problem = recovered(path)
        self.layout = self.last.layout
        if self.last.layout_checksum != checksum(self.layout):
            self.problem = f"the layout in {path} was damaged, so the windows are in their default places"
        if fresh or self.problem:
            self.layout = ""
        has_died = bool(self.last.running) and self._has_died(path, self.last.running)
        self.has_crashed = has_died and not fresh
        # Whether a session is offered, until that is answered, and the settings that it would otherwise lose.
        self.offers = self.has_crashed or (resumes and not fresh and bool(self.last.unsaved))
        self.lost = self.last.unsaved if self.offers else {}
        self.goes_on = resumes and not fresh and bool(self.last.settings and (self.lost or not self.has_crashed))
        self.began: Settings | None = None  # the first settings
        self.is_partial = False  # True: the first settings lack a part of the session, such as a file
        self._path, self._name = path, uuid4().hex
        self._others = FileLock(path.with_suffix(".lock"), timeout=PATIENCE)
        self._base = self.last
        self._seen: object = None
        self._written: object = None
        self._still = self._waited = 0.0  # s since the last change, and since the first one that is not written
        self._lock = _lock_of(path, self._name)
        self._alive: BaseFileLock | None = None
        self._replaces = resumes or fresh

    def begin(self) -> None:
        """Note that the window is open, so that an end of the program before the first picture is a crash."""
        with suppress(OSError):  # told when the state can't be written
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._alive = try_lock(self._lock)
        if self._replaces and not self.offers and (self.last.settings or self.problem):
            with suppress(OutputError):
                save(self._path, self.last.model_copy(update={"running": self._name, "unsaved": {}}))

    def settle(self, restores: bool) -> None:
        """Note that the offer was answered."""
        self.offers, self._replaces = False, self._replaces or restores
        self.last = self.last.model_copy(update={"unsaved": {}})

    def close(self, has_failed: bool) -> None:
        """Note that the window has ended. A window closed before its first picture saves nothing, but has crashed only
        if it `has_failed`."""
        if not has_failed and (there := recovered(self._path)[0]).running == self._name:
            with suppress(OutputError):
                save(self._path, there.model_copy(update={"running": ""}))
        if self._alive:
            self._alive.release()
            with suppress(OSError):
                self._lock.unlink()

    @staticmethod
    def _has_died(path: Path, name: str) -> bool:
        with suppress(OSError):
            if lock := try_lock(_lock_of(path, name)):
                lock.release()
                _lock_of(path, name).unlink(missing_ok=True)
                return True
        return False

    def keep(self, desktop: "Desktop", elapsed: float = math.inf, is_over: bool = False) -> None:
        """Write the state if it is over, or if a change is not written and either STILL seconds have passed without
        another change or LATEST seconds in all; `elapsed` is the time since the last call [s]. Raises OutputError if it
        can't be written at the end; before, a message says so."""
        interface, path = desktop.interface, desktop.camera_path
        lists = tuple(interface.files.recent), tuple(interface.panel.pinned), tuple(path.bookmarks.items())
        if interface.has_new_layout():
            self._written = None
        seen = kept(desktop), path.flight, interface.files.has_saved, desktop.studio.movie is None, *lists
        self._still = self._still + elapsed if seen == self._seen else 0.0
        self._waited = 0.0 if seen == self._written else self._waited + elapsed
        self._seen = seen
        if not is_over and (seen == self._written or (self._still < STILL and self._waited < LATEST)):
            return
        self._written = seen
        try:
            self._write(desktop, is_over)
        except OutputError as error:
            if is_over:
                raise
            interface.say(str(error), is_error=True)

    def _write(self, desktop: "Desktop", is_over: bool) -> None:
        settings, window = kept(desktop), desktop.wnd
        if not window.fullscreen and min(window.size) >= 64:
            settings = with_values(settings, {"window.width": window.width, "window.height": window.height})
        mine = LastState.of(settings, desktop.camera_path, *desktop.interface.state)
        with writing(self._path.parent), ExitStack() as owned:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with suppress(TimeoutError):  # of a window that was stopped
                owned.enter_context(self._others)
            there = recovered(self._path)[0]
            files, did_replace = desktop.interface.files, self._replaces
            self._replaces = did_replace or files.has_saved or not there.settings
            is_changed = self.began and files.tells_apart(self.began, settings)
            films = [desktop.studio.folder.absolute()] if desktop.studio.movie else []
            films = [folder for folder in dict.fromkeys((*films, *there.movies)) if is_unicode(str(folder))]
            own: dict[str, Any] = {"running": "" if is_over else self._name, "movies": tuple(films[:MOST_FOLDERS])}
            if not self._replaces:
                unsaved = self.last.unsaved if is_over and not is_changed else mine.settings
                mine = mine.model_copy(update={"unsaved": unsaved})
            if not self._replaces or (self.is_partial and not is_changed):
                own["settings"] = there.settings
            elif not did_replace:
                own["settings"] = mine.settings
            if self.offers:
                own |= {"running": there.running, "unsaved": there.unsaved or there.settings}
            save(self._path, mine.merged(self._base, there).model_copy(update=own))
        self._base = mine.model_copy(update={"unsaved": own.get("unsaved", mine.unsaved)})


def _lock_of(path: Path, name: str) -> Path:
    return path.with_name(f"{path.stem}-{name}.lock")


def save(path: Path, state: LastState) -> None:
    write_text(path, state.model_dump_json(indent=1) + "\n")
