"""Menu and list of keys, and small windows over the view: hints, a movie's progress, questions, and errors."""

import math
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from importlib.metadata import distributions
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, NamedTuple

import platformdirs
from imgui_bundle import imgui, imgui_ctx

from ocean import __version__
from ocean.common.resources import PACKAGE, folder
from ocean.window.ui import theme
from ocean.window.ui.theme import Box, em

FLAGS = (
    imgui.WindowFlags_.always_auto_resize
    | imgui.WindowFlags_.no_collapse
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_saved_settings
)
NOTE = FLAGS | imgui.WindowFlags_.no_title_bar | imgui.WindowFlags_.no_focus_on_appearing
HINTS = (
    ("The sea", "Drag to look around, WASD to fly, Shift to be faster. F1 lists all keys."),
    ("Presets, on the left", "Choose a sea. Below are all settings; Ctrl+F finds one, and a tooltip explains it."),
    ("Times, on the right", "Each pass of a frame. Click on one to see what it makes. B compares FFT backends."),
)
"""First hints: parts of the window, and their uses."""
MOUSE = (
    ("Shift", "with W A S D Q E: faster"),
    ("Drag", "look around, or orbit"),
    ("Wheel", "speed, or distance of the orbit"),
    ("Ctrl-click", "type a slider's value"),
    ("Drop a file", "load a scene, sky or spectrum"),
)
"""Mouse actions, for the list of keys."""
LIBRARIES = (
    *("contourpy", "glcontext", "glfw", "imgui-bundle", "matplotlib", "moderngl", "moderngl-window", "numpy"),
    *("pillow", "platformdirs", "pydantic", "pyglet", "rich", "scipy", "typer"),
)
LISTS = 3  # maximum number of lists of keys side by side
WIDTHS = 6.0, 15.0  # em: widths of keys and of their meanings


Place = tuple[float, float]
Run = Callable[[], object]
On = Literal["press", "release", "both", "hold"]
"""When a key acts. "hold" moves the camera while it is down; "both" acts again on release, which undoes it."""


@dataclass(frozen=True)
class Action:
    """An action of a menu, a key or a button.

    The function returns whether an entry of the menu has a check mark (`is_on`), why it can't be chosen (`obstacle`,
    empty if it can), and the entries of a submenu.
    """

    menu: str  # Menu/Submenu; empty without an entry
    keys: tuple[str, ...]  # by moderngl-window's names, after `CTRL+` and `SHIFT+`
    meaning: str
    run: Run = lambda: None
    on: On = "press"
    is_on: Callable[[], bool] = lambda: False
    obstacle: Callable[[], str] = lambda: ""
    title: str | Callable[[], str] = ""
    """The menu's text in place of the meaning."""
    entries: Callable[[], Iterable["Action"]] | None = None

    @property
    def shortcut(self) -> str:
        """The first key in the notation of menus; empty without keys."""
        return shortcut(self.keys[0]) if self.keys else ""

    @property
    def sentence(self) -> str:
        return f"{self.meaning[:1].upper()}{self.meaning[1:]}"


COMPARES = "Let each backend transform a copy of this frame's spectrum, and check the results against numpy."
NOTHING = Action("", (), "")


@dataclass(frozen=True)
class Actions:
    """The menu, the actions that buttons share with it, and the functions that buttons have alone."""

    menu: tuple[Action, ...] = ()
    pause: Action = NOTHING
    picture: Action = NOTHING
    movie: Action = NOTHING
    validation: Action = NOTHING
    compare: Action = NOTHING
    times: Action = NOTHING
    take_quality: Callable[[str], object] = str
    show_debug_view: Callable[[str], object] = str
    tune: Run = NOTHING.run
    use_backend: Callable[[str], object] = str
    quit_without_movie: Run = NOTHING.run
    quit_now: Run = NOTHING.run
    asked: list[Run] = field(default_factory=list)
    """Functions that buttons ask for in a frame. They run after it, because they may change its parts."""

    def button(self, label: str, run: Run, help: str = "", width: float = 0.0) -> None:
        """Draw a button that asks for a function."""
        if imgui.button(label, (width, 0)):
            self.asked.append(run)
        theme.tooltip(help)


def shortcut(key: str) -> str:
    """Return a key in the notation of menus."""
    return "+".join(part.removeprefix("NUMBER_").capitalize() for part in key.replace("ESCAPE", "ESC").split("+"))


def small_window(
    title: str, flags: int = FLAGS, closes: bool = False, at: Place | None = None, pivot: Place = (0.5, 0.5)
) -> Any:
    """Begin a window at a place, by default in the middle, for a `with` statement. It has a cross if it `closes`."""
    imgui.set_next_window_pos(at or imgui.get_main_viewport().get_center(), pivot=pivot)
    return imgui_ctx.begin(title, closes or None, flags)


def keys_window(actions: Iterable[Action]) -> bool:
    """Draw the window that lists keys and their meanings; return whether it stays open."""
    rows = [(" or ".join(map(shortcut, action.keys)), action.meaning) for action in actions if action.keys]
    rows += MOUSE
    style = imgui.get_style()
    room = imgui.get_io().display_size.x - 2 * style.window_padding.x - style.scrollbar_size
    lists = min(LISTS, max(1, int(room / (em(sum(WIDTHS)) + 4 * style.cell_padding.x))))
    most = math.ceil(len(rows) / lists)
    with small_window("Keys###keys", closes=True) as window:
        if imgui.begin_table(f"keys {lists}", 2 * lists):
            for width in lists * WIDTHS:
                imgui.table_setup_column("", imgui.TableColumnFlags_.width_fixed, em(width))
            for row in range(most):
                imgui.table_next_row()
                for name, meaning in rows[row::most]:
                    imgui.table_next_column()
                    theme.coloured(name, theme.ACCENT)
                    imgui.table_next_column()
                    imgui.text(meaning)
            imgui.end_table()
    return bool(window.opened)


def documentation() -> Path:
    """Return the first page of the documentation: of the site if it was built, else its source."""
    site = PACKAGE.parent / "out" / "site" / "index.html"
    return site if site.exists() else PACKAGE.parent / "docs" / "index.md"


@cache
def licences() -> tuple[tuple[str, str, str], ...]:
    """Return names, versions and licences of the libraries that the window uses."""
    found = {one.name.lower(): one for one in distributions()}
    rows = []
    for name in filter(found.__contains__, LIBRARIES):
        about = found[name].metadata
        classified = [line.rpartition(":: ")[2] for line in about.get_all("Classifier") or () if "License" in line]
        given = [*(about.get_all("License-Expression") or ()), ", ".join(classified), *(about.get_all("License") or ())]
        rows.append((name, found[name].version, next(filter(None, given), "see its package").partition("\n")[0]))
    return tuple(rows)


def about(device: str, driver: str) -> bool:
    """Draw the window on the program's version, this machine and all licences; return whether it stays open."""
    with small_window("Version and licences###about", closes=True) as window:
        facts = f"FFT ocean {__version__}, MIT licence", f"{device}, OpenGL {driver}", f"Log: {log_file()}"
        for line in facts:
            theme.wrapped(line, end=em(40))
        if imgui.button("Copy", (em(6), 0)):
            imgui.set_clipboard_text("\n".join(facts))
        theme.wrapped(f"Pictures and meshes: {folder('assets') / 'ASSETS.md'}", theme.FAINT, end=em(40))
        if imgui.begin_table("licences", 3):
            for row in licences():
                for cell in row:
                    imgui.table_next_column()
                    theme.coloured(cell, theme.FAINT)
            imgui.end_table()
    return bool(window.opened)


def menu_bar(status: str, help: Callable[[], str], actions: Actions, opens: bool = False) -> None:
    """Draw the menu bar, with a status and its tooltip at the right, or open a menu."""
    if not imgui.begin_main_menu_bar():
        return
    for title, group in groupby(actions.menu, lambda action: action.menu.partition("/")[0]):
        entries = list(group)
        if opens:
            imgui.open_popup(title)
            imgui.set_nav_cursor_visible(True)
            opens = False
        if imgui.begin_menu(title):
            for submenu, inner in groupby(entries, lambda action: action.menu.partition("/")[2]):
                if not submenu:
                    menu_items(inner, actions.asked)
                elif imgui.begin_menu(submenu):
                    menu_items(inner, actions.asked)
                    imgui.end_menu()
            imgui.end_menu()
    space = imgui.get_content_region_avail().x - imgui.calc_text_size(status).x
    if space > em():
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + space - em(0.5))
        theme.coloured(status, theme.FAINT)
        theme.tooltip(help)
    imgui.end_main_menu_bar()


def menu_items(actions: Iterable[Action], asked: list[Run]) -> None:
    """Draw the entries of a menu. The tooltip of a disabled entry gives the reason."""
    for action in actions:
        title = action.title() if callable(action.title) else action.title or action.sentence
        reason = action.obstacle()
        if action.entries:
            if imgui.begin_menu(title, not reason):
                menu_items(action.entries(), asked)
                imgui.end_menu()
        elif imgui.menu_item_simple(f"{title}##menu", action.shortcut, action.is_on(), not reason):
            asked.append(action.run)
        theme.tooltip(reason)


class Failure(NamedTuple):
    message: str
    details: str
    log: str


def log_file() -> Path:
    return Path(platformdirs.user_log_dir("fft-ocean", appauthor=False)) / "ocean.log"


def report_failure(error: Exception) -> Failure:
    """Append an error to the log, print it, and return the text of its dialog."""
    log = log_file()
    details = "".join(traceback.format_exception(error))
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{datetime.now():%Y-%m-%d %H:%M:%S}  ocean {__version__}\n{details}\n")
        where = str(log)
    except OSError as problem:
        where = f"the terminal, since {log} can't be written: {problem.strerror}"
    print(details, file=sys.stderr)
    return Failure("\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())]), details, where)


def welcome(view: Box) -> bool:
    """Draw the first hints at the top of the view, where they cover neither the water nor the panels. Return whether
    they stay."""
    top = view.x + view.width / 2, view.y + 0.1 * view.height
    flags = FLAGS | imgui.WindowFlags_.no_focus_on_appearing
    with small_window("Welcome###hints", flags, True, top, (0.5, 0)) as window:
        width = min(em(26), view.width - em(4))
        for name, text in HINTS:
            theme.coloured(name, theme.ACCENT)
            theme.wrapped(text, end=width)
        return bool(not imgui.button("Got it", (em(6), 0)) and window.opened)


def movie(view: Box, progress: tuple[int, int], seconds_left: float | None, actions: Actions, cancel: Run) -> None:
    done, frames = progress
    with small_window("Movie###movie", NOTE, at=(view.x + view.width / 2, view.y + em()), pivot=(0.5, 0)):
        imgui.progress_bar(done / frames, (em(18), 0), f"movie: frame {done} of {frames}")
        if seconds_left is not None:
            minutes, seconds = divmod(math.ceil(seconds_left), 60)
            imgui.text(f"{minutes} min {seconds} s left" if minutes else f"{seconds} s left")
        for label, run in (("Finish now", actions.movie.run), ("Cancel", cancel)):
            actions.button(label, run, width=em(8.7))
            imgui.same_line()


def folder_button(view: Box, has_legend: bool) -> bool:
    """Draw a button in the right corner of the view that has no legend; return whether to open the file's folder."""
    corner = view.x + view.width - em(), view.y + (em(0.7) if has_legend else view.height - em(0.7))
    with small_window("###folder", NOTE, at=corner, pivot=(1, 0 if has_legend else 1)):
        return bool(imgui.button("Open its folder"))


class Question(NamedTuple):
    """A question that stays until an answer is chosen. Answers are functions by the texts of their buttons."""

    title: str
    text: str
    answers: Mapping[str, Callable[[], object]]


def ask(question: Question, asked: list[Run], takes_keys: bool = False) -> bool:
    """Draw a question; return whether it stays open."""
    flags = FLAGS if takes_keys else FLAGS | imgui.WindowFlags_.no_focus_on_appearing
    stays = True
    with small_window(f"{question.title}###question", flags):
        theme.wrapped(question.text, end=em(30))
        for label, run in question.answers.items():
            if imgui.button(label, (em(9), 0)):
                asked.append(run)
                stays = False
            if takes_keys or run is next(iter(question.answers.values())):
                imgui.set_item_default_focus()  # on the last button, or the first: neither loses anything
            imgui.same_line()
    return stays


def failure(found: Failure) -> tuple[bool, bool]:
    """Draw the dialog of an error; return whether to continue, and whether to quit."""
    display = imgui.get_io().display_size
    width = min(em(40), 0.9 * display.x)
    imgui.set_next_window_size_constraints((width, 0), (width, 0.9 * display.y))
    with small_window("Something went wrong###failure"):
        theme.wrapped(found.message, theme.WRONG)
        theme.wrapped(f"The traceback is in {found.log}")
        if imgui.button("Copy", (em(6), 0)):
            imgui.set_clipboard_text(f"{found.details}\n{found.log}\n")
        imgui.same_line()
        continues = imgui.button("Continue", (em(6), 0))
        imgui.same_line()
        return continues, imgui.button("Quit", (em(6), 0))


def shader_error(view: Box, message: str) -> None:
    """Draw why a changed shader is not in use, over the view."""
    width = max(em(10), view.width - em(2))
    imgui.set_next_window_size_constraints((width, 0), (width, max(em(6), 0.6 * view.height)))
    with small_window("Shader###shader", at=(view.x + em(), view.y + em()), pivot=(0, 0)):
        theme.wrapped("The old shader stays in use.", theme.FAINT)
        theme.wrapped(message, theme.WRONG)
