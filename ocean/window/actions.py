"""Actions of keys, menu and buttons: a table, and the functions of the window that it calls."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, product
from os.path import exists
from pathlib import Path
from typing import get_args

from ocean.common.resources import AUTOMATIC, LEVELS
from ocean.render.debug_views import DEBUG_VIEWS
from ocean.sea.query import highest_crest
from ocean.settings import PICTURE, ViewSettings, changes_to, value_at, with_values
from ocean.waves.statistics import ROGUE_CREST, predicted_height, predicted_polar_moments
from ocean.window.camera import Bookmark, before_crest, placed
from ocean.window.changes import Change, Kind, Way
from ocean.window.desktop import Desktop
from ocean.window.ui import dialogs
from ocean.window.ui.dialogs import Action, Actions, On
from ocean.window.ui.files import Verb
from ocean.window.ui.view_controls import KEYS

DIVE = 3.0  # m below the mean water level
NUDGE = 0.5  # s of flight for a click on a movement in the menu
BOOKMARKS = "1", "2", "3", "4"
CREST = "highest crest"  # name of its bookmark
VERBS: dict[Way, str] = {"undo": "Z", "redo": "Y"}
"""Steps through the history of changes, and their keys: with Ctrl for settings, alone for camera and debug view."""
KINDS: tuple[Kind, ...] = get_args(Kind)
MOVES = {"W": "ahead", "S": "back", "A": "left", "D": "right", "E": "up", "Q": "down"}
SCALES = {"match display": 0.0, "75 %": 0.75, "100 %": 1.0, "125 %": 1.25, "150 %": 1.5, "200 %": 2.0}


def make_actions(desktop: Desktop) -> Actions:
    menu = Menu(desktop)
    sections = menu.files(), menu.edits(), menu.views(), menu.cameras(), menu.debug_views(), menu.help()
    return Actions(
        tuple(chain(*sections)),
        pause=menu.pause,
        picture=menu.picture,
        movie=menu.movie,
        validation=menu.validation,
        compare=menu.comparison,
        times=menu.times,
        take_quality=partial(take_quality, desktop),
        show_debug_view=partial(toggle_debug_view, desktop),
        tune=lambda: desktop.comparing.tune(desktop.renderer.sea),
        use_backend=partial(use_backend, desktop),
        quit_without_movie=partial(quit_without_movie, desktop),
        quit_now=desktop.quit_now,
    )


class Menu:
    """The actions of each menu, in its order; those that buttons share are attributes."""

    def __init__(self, desktop: Desktop) -> None:
        self.desktop = desktop
        act, export = self.act, partial(self.act, "File/Export")
        self.pause = act("View", "SPACE", "pause or resume", toggle_pause, lambda one: one.paused)
        self.picture = export("P", "save the picture", lambda one: one.studio.want("picture"))
        self.times = export("", "save the times of passes (CSV, trace)", save_times)
        self.movie = export("R", "start or end a movie", toggle_recording, lambda one: one.studio.movie is not None)
        self.validation = self.window("View", "T", "sea truth: predicted and measured", "validation")
        self.comparison = self.window("View", "B", "comparison of FFT backends", "comparison", compare)

    def act(
        self,
        menu: str,
        keys: str,
        meaning: str,
        run: Callable[[Desktop], object] = lambda _: None,
        is_on: Callable[[Desktop], bool] = lambda _: False,
        obstacle: Callable[[Desktop], str] = lambda _: "",
        title: str | Callable[[], str] = "",
        on: On = "press",
    ) -> Action:
        state = partial(is_on, self.desktop), partial(obstacle, self.desktop)
        return Action(menu, tuple(keys.split()), meaning, partial(run, self.desktop), on, *state, title)

    def window(
        self, menu: str, keys: str, meaning: str, name: str, run: Callable[[Desktop], object] | None = None
    ) -> Action:
        toggle = run or (lambda one: one.interface.toggle(name))
        return self.act(menu, keys, meaning, toggle, lambda one: name in one.interface.opened)

    def files(self) -> Iterator[Action]:
        file, export = (partial(self.act, menu) for menu in ("File", "File/Export"))
        has_recent = needs(lambda one: one.interface.files.recent, "no settings file was opened or saved yet")
        no_light = needs(lambda one: one.newest.stage.view == PICTURE, "a debug view has no light")
        yield file("CTRL+O", "open settings …", partial(ask_for_file, verb="Open"))
        yield file("CTRL+S", "save settings", save_file)
        yield file("CTRL+SHIFT+S", "save settings as …", partial(ask_for_file, verb="Save"))
        yield replace(file("", "recent", obstacle=has_recent), entries=partial(recent_files, self.desktop))
        yield self.window("File/Export", "", "sea to files: maps, mesh, film …", "export", open_export)
        yield self.picture
        yield export("CTRL+P", "save the light (EXR)", lambda one: one.studio.want("radiance"), obstacle=no_light)
        yield export("F12", "save the picture with panel and overlay", lambda one: one.studio.want("window"))
        yield export("M", "save the maps of all cascades (NPZ)", lambda one: one.studio.want("maps"))
        yield self.times
        yield self.movie
        yield file("CTRL+Q", "quit", Desktop.quit)

    def edits(self) -> Iterator[Action]:
        edit = partial(self.act, "Edit")
        has_a = needs(lambda one: one.ab.other, "no settings are saved as A; K saves them")
        shows_b = needs(lambda one: not one.ab.shows_a, "A is shown, and saved already")
        for kind, verb in product(KINDS, VERBS):
            yield self.history(verb, kind)
        yield edit("CTRL+F", "find a setting", find)
        yield edit("K", "save settings as A", save_a, obstacle=shows_b)
        yield edit("X", "show A while held", swap_a, lambda one: one.ab.shows_a, has_a, "Swap with A", "both")
        yield edit("V", "split the view: A and B", toggle_split, lambda one: one.ab.is_split, has_a)
        yield edit("", "separate cameras for A and B", toggle_own_cameras, lambda one: one.ab.has_own_cameras)

    def history(self, verb: Way, kind: Kind) -> Action:
        key, of = f"{'CTRL+' if kind == 'settings' else ''}{VERBS[verb]}", "" if kind == "settings" else " in the view"
        step, obstacle = partial(travel, verb=verb, kind=kind), partial(travel_obstacle, verb=verb, kind=kind)

        def title() -> str:
            return f"{verb.capitalize()}{of}{of and ':'} {self.desktop.changes.title(verb, kind)}".rstrip(": ")

        return self.act("Edit", key, f"{verb}{of}", step, obstacle=obstacle, title=title)

    def views(self) -> Iterator[Action]:
        view = partial(self.act, "View")
        yield self.pause
        yield view("TAB", "hide or show the panels", toggle_panel, has("window.panel"), title="Panels")
        yield view("L", "handles of wind and sun", toggle_handles, lambda one: one.interface.shows_handles)
        yield view("N", "keyboard into the next window", navigate)
        yield view("CTRL+M", "keyboard into the menu", open_menu)
        yield view("ESCAPE", "close or cancel", escape)
        yield self.validation
        yield self.comparison
        # On release: pyglet makes a new window for full screen, which would miss the release and take the next press
        # for a repetition.
        yield view("F11", "full screen", toggle_full_screen, lambda one: bool(one.wnd.fullscreen), on="release")
        yield view("CTRL+L", "reset layout", lambda one: one.interface.layout.reset())
        for name in (AUTOMATIC, *LEVELS):
            key, take, is_on = "I" if name == AUTOMATIC else "", partial(take_quality, name=name), partial(is_at, name)
            yield self.act("View/Quality", key, f"quality {name}", take, is_on, title=name.capitalize())
        for name, scale in SCALES.items():
            change = partial(Desktop.change, group="window", scale=scale)
            yield self.act("View/Size of text", "", name, change, has("window.scale", scale))

    def cameras(self) -> Iterator[Action]:
        camera = partial(self.act, "Camera")
        has_flight = needs(lambda one: one.camera_path.flight.views, "no flight is recorded; J records one")
        yield camera("C", "orbit a point, or fly", toggle_orbit, has("view.mode", "orbit"), title="Orbit a point")
        yield camera("U", "dive, or come up", toggle_dive, lambda one: one.settings.view.dive > 0, title="Dive")
        yield camera("J", "record a flight, or end it", record_flight, lambda one: one.camera_path.is_recording)
        yield camera("G", "replay the flight, or stop", lambda one: one.camera_path.replay(), obstacle=has_flight)
        yield camera("O", "fly to the highest crest", find_crest, obstacle=crest_obstacle)
        for key, words in MOVES.items():
            yield self.act("Camera/Move", key, words, partial(nudge, key=key), on="hold")
        for name in BOOKMARKS:
            go, obstacle = partial(go_to_bookmark, name=name), partial(bookmark_obstacle, name=name)
            yield self.act("Camera/Go to bookmark", f"CTRL+NUMBER_{name}", f"bookmark {name}", go, obstacle=obstacle)
        for name in (CREST, *BOOKMARKS):
            words, key = ("the highest crest", "SHIFT+O") if name == CREST else (f"bookmark {name}", "")
            meaning, title = f"place and time of {words}", words.removeprefix("the ").capitalize()
            go, obstacle = partial(go_to_moment, name=name), partial(moment_obstacle, name=name)
            yield self.act("Camera/Go to place and time", key, meaning, go, obstacle=obstacle, title=title)
        for name in BOOKMARKS:
            key, put = f"CTRL+SHIFT+NUMBER_{name}", partial(set_bookmark, name=name)
            yield self.act("Camera/Set bookmark", key, f"set bookmark {name}", put, obstacle=sea_obstacle)

    def debug_views(self) -> Iterator[Action]:
        debug = partial(self.act, "Debug view")
        yield debug("", "picture", show_picture, has("stage.view", PICTURE))
        for name in DEBUG_VIEWS:
            words, show = name.replace("-", " "), partial(toggle_debug_view, name=name)
            is_on = has("stage.view", name)
            yield debug(KEYS[name], f"debug view: {words}", show, is_on, title=words.capitalize())
        for name in (name for name, shown in DEBUG_VIEWS.items() if shown.fields):
            meaning, key, show = f"debug view: next {name}", f"SHIFT+{KEYS[name]}", partial(show_next_field, name=name)
            yield self.act("Debug view/Next field", key, meaning, show, title=name.capitalize())

    def help(self) -> Iterator[Action]:
        log, no_pages = dialogs.log_file(), "The documentation is in the folder docs of the source."
        has_log = needs(lambda _: exists(log.parent), f"No error has been logged; the log would be {log}.")
        has_pages = needs(lambda _: exists(dialogs.documentation()), no_pages)
        yield self.window("Help", "F1 H", "list of keys", "keys")
        yield self.act("Help", "", "documentation", open_documentation, obstacle=has_pages)
        yield self.act("Help", "", "folder of the log", open_log, obstacle=has_log)
        yield self.window("Help", "", "version and licences", "about")


def has(path: str, value: object = True) -> Callable[[Desktop], bool]:
    return lambda one: bool(value_at(one.settings, path) == value)


def is_at(quality: str, desktop: Desktop) -> bool:
    return not changes_to(desktop.settings, quality)


def needs(part: Callable[[Desktop], object], otherwise: str) -> Callable[[Desktop], str]:
    return lambda one: "" if part(one) else otherwise


# -- File --------------------------------------------------------------------------------------------------------------


def ask_for_file(desktop: Desktop, verb: Verb) -> None:
    show_panels(desktop)
    desktop.interface.files.dialog.ask(verb)
    desktop.interface.input.await_field()


def save_file(desktop: Desktop) -> None:
    """Write the settings into the file that was opened or saved last; ask first if the title names no such file,
    another program has changed it, or comments would be lost."""
    files = desktop.interface.files
    if path := files.path:
        files.save(desktop.newest, path)
    else:
        ask_for_file(desktop, "Save")


def open_file(desktop: Desktop, path: Path) -> None:
    desktop.put(desktop.interface.files.open(desktop.newest, path))


def recent_files(desktop: Desktop) -> list[Action]:
    paths = desktop.interface.files.recent
    return [Action("", (), str(path), partial(open_file, desktop, path), title=str(path)) for path in paths]


def open_export(desktop: Desktop) -> None:
    show_panels(desktop)
    desktop.interface.toggle("export")
    desktop.exporting.begin(desktop.time, partial(desktop.studio.unused, "export"))


def save_times(desktop: Desktop) -> None:
    history = desktop.interface.overlay.history
    desktop.studio.save_times(history.shown, history.passes)


def toggle_recording(desktop: Desktop) -> None:
    if desktop.studio.movie:
        desktop.studio.finish()
    else:
        window = desktop.newest.window
        desktop.studio.begin(desktop.interface.view_pixels, window.movie_length, window.movie_fps)


def quit_without_movie(desktop: Desktop) -> None:
    desktop.studio.cancel()
    desktop.quit_now()


# -- Edit --------------------------------------------------------------------------------------------------------------


def travel(desktop: Desktop, verb: Way, kind: Kind) -> None:
    if kind == "settings" and desktop.interface.files.status:
        desktop.interface.files.stop()
    if changed := desktop.changes.travel(verb, desktop.settings, kind):
        desktop.interface.say(f"{verb}: {changed}")
        desktop.interface.files.source = (desktop.interface.files.source, *desktop.changes.queue[-1].sources)[-1]


def travel_obstacle(desktop: Desktop, verb: Way, kind: Kind) -> str:
    if desktop.ab.shows_a:
        return f"A is shown; {verb} applies to B"
    of = "" if kind == "settings" else " in the view"
    return "" if desktop.changes.title(verb, kind) else f"Nothing to {verb}{of}"


def toggle_split(desktop: Desktop) -> None:
    desktop.ab.is_split = not desktop.ab.is_split


def toggle_own_cameras(desktop: Desktop) -> None:
    desktop.ab.has_own_cameras = not desktop.ab.has_own_cameras


def find(desktop: Desktop) -> None:
    show_panels(desktop)
    desktop.interface.panel.search.wants_focus = True
    desktop.interface.input.await_field()


def save_a(desktop: Desktop) -> None:
    desktop.note_time()
    desktop.ab.save(desktop.newest, desktop.interface.files.source)
    desktop.interface.say("saved as A; hold X to see it, V splits the view")


def swap_a(desktop: Desktop) -> None:
    """Show the other side of A and B, at the same time and from the same position."""
    files, ab = desktop.interface.files, desktop.ab
    files.source, ab.source = ab.source, files.source
    desktop.put(Change(ab.swap(desktop.newest), "swap"))


# -- View --------------------------------------------------------------------------------------------------------------


def toggle_pause(desktop: Desktop) -> None:
    desktop.paused = not desktop.paused


def toggle_handles(desktop: Desktop) -> None:
    desktop.interface.shows_handles = not desktop.interface.shows_handles


def toggle_panel(desktop: Desktop) -> None:
    is_shown = not desktop.newest.window.panel
    desktop.change("window", panel=is_shown)
    if not is_shown:
        desktop.interface.say("Tab shows the panels again")


def show_panels(desktop: Desktop) -> None:
    if not desktop.newest.window.panel:
        toggle_panel(desktop)


def compare(desktop: Desktop) -> None:
    desktop.interface.toggle("comparison")
    if "comparison" in desktop.interface.opened and not desktop.comparing.findings.rows:
        desktop.comparing.toggle()


def use_backend(desktop: Desktop, name: str) -> None:
    desktop.change("fft", backend=name, options=desktop.interface.panel.options[name])


def take_quality(desktop: Desktop, name: str) -> None:
    """Choose a quality. Choosing *automatic* again turns it off; scale and level stay until it is on again."""
    settings, said = desktop.newest, f"quality {name}"
    values = changes_to(settings, name)
    if not values and desktop.automatic:
        scale, said = settings.view.scale * desktop.automatic.factor(settings), "quality as it is now"
        values = {"window.automatic": False, "view.scale": max(0.5, scale)}
        if settings.view.scale == 1:
            desktop.left_scale = scale
    elif values.get("window.automatic") and settings.view.scale == desktop.left_scale:
        values["view.scale"] = 1.0
    desktop.put(Change(with_values(settings, values), label=said))
    desktop.interface.say(said)


def toggle_full_screen(desktop: Desktop) -> None:
    try:
        desktop.wnd.fullscreen = not desktop.wnd.fullscreen
    except NotImplementedError:  # raised by moderngl-window's libraries without a full screen
        desktop.interface.say("this window library has no full screen", is_error=True)


def navigate(desktop: Desktop) -> None:
    show_panels(desktop)
    desktop.interface.layout.wants_next = True


def open_menu(desktop: Desktop) -> None:
    """Open the first menu, in which arrows, Enter and Esc work."""
    show_panels(desktop)
    desktop.interface.opens_menu = True


def escape(desktop: Desktop) -> None:
    """Close the open window or search; else stop what is in progress; else show the whole picture and the panels."""
    interface, newest = desktop.interface, desktop.newest
    if interface.close_one():
        return
    if interface.files.status:
        interface.files.stop()
    elif desktop.camera_path.status:
        desktop.camera_path.stop(undoes=True)
    elif desktop.comparing.is_busy:
        desktop.comparing.toggle()
    elif desktop.drawing.is_catching_up and newest.sea.dynamics == "nonlinear":
        desktop.change("sea", dynamics="linear")
        interface.say("the waves are linear now; Ctrl+Z undoes that")
    elif desktop.ab.is_split:
        desktop.ab.is_split = False
    elif newest.stage.view != PICTURE:
        show_picture(desktop)
    elif not newest.window.panel:
        toggle_panel(desktop)
    else:
        interface.say("Ctrl+Q quits")


# -- Camera ------------------------------------------------------------------------------------------------------------


def toggle_orbit(desktop: Desktop) -> None:
    mode = "fly" if desktop.newest.view.mode == "orbit" else "orbit"
    desktop.change("view", mode=mode)
    desktop.interface.say(mode)


def toggle_dive(desktop: Desktop) -> None:
    """Dive a few metres under the water, or return to the altitude before the dive."""
    dive = 0.0 if desktop.newest.view.dive > 0 else DIVE
    desktop.change("view", dive=dive)
    desktop.interface.say("under water" if dive else "above water")


def nudge(desktop: Desktop, key: str) -> None:
    desktop.look(desktop.steering.move(desktop.settings.view, {key}, False, NUDGE))


def record_flight(desktop: Desktop) -> None:
    path = desktop.camera_path
    path.record()
    if not path.is_recording:
        desktop.interface.say(f"G replays a flight of {path.flight.duration:.1f} s")


def set_bookmark(desktop: Desktop, name: str) -> None:
    remember(desktop, name, desktop.settings.view)
    desktop.interface.say(f"set bookmark {name}, at {desktop.time:.1f} s")


def remember(desktop: Desktop, name: str, view: ViewSettings) -> None:
    times = [waves.starts.time for waves in desktop.renderer.sea.solved.waves]
    start = next(filter(math.isfinite, reversed(times)), None)
    desktop.camera_path.bookmarks[name] = Bookmark(view=view, time=desktop.time, start=start)
    desktop.keep(desktop)


def bookmark_obstacle(desktop: Desktop, name: str) -> str:
    is_set = name in desktop.camera_path.bookmarks
    return "" if is_set else f"bookmark {name} is not set; Ctrl+Shift+{name} sets it"


def go_to_bookmark(desktop: Desktop, name: str) -> None:
    fly(desktop, desktop.camera_path.bookmarks[name].view)
    desktop.interface.say(f"bookmark {name}")


def fly(desktop: Desktop, there: ViewSettings) -> None:
    """Fly to a view, as an undo step of the view."""
    settings = desktop.settings
    desktop.changes.note(settings, [Change(settings.model_copy(update={"view": placed(settings.view, there)}))])
    desktop.camera_path.go(there, settings.view)


def moment_obstacle(desktop: Desktop, name: str) -> str:
    """Return why the sea can't go back to the time of a bookmark; empty if it can."""
    bookmarks = desktop.camera_path.bookmarks
    if name == CREST and name not in bookmarks:
        return sea_obstacle(desktop) or "no crest was found yet; O flies to the highest one"
    reason = sea_obstacle(desktop) or bookmark_obstacle(desktop, name)
    return reason or ("" if bookmarks[name].time is not None else f"bookmark {name} has no time; set it again")


def go_to_moment(desktop: Desktop, name: str) -> None:
    """Go to the place and time of a bookmark, and pause there."""
    bookmark = desktop.camera_path.bookmarks[name]
    desktop.time, desktop.paused = bookmark.time or 0.0, True
    if bookmark.start is not None:
        for waves in desktop.renderer.sea.solved.waves:
            waves.starts.again = desktop.time, bookmark.start
    fly(desktop, bookmark.view)
    what = "the" if name == CREST else "bookmark"
    desktop.interface.say(f"{what} {name}, {desktop.time:.1f} s; Space resumes")


def find_crest(desktop: Desktop) -> None:
    """Fly to the highest crest of the longest tile around the camera, pause there, and remember place and time."""
    view, systems = desktop.settings.view, desktop.settings.sea.systems
    found = highest_crest(desktop.renderer.sea, view.x, view.z)
    direction = predicted_polar_moments(systems, 0.0).mean
    there = before_crest(view, found.x, found.z, found.height, direction)
    desktop.time, desktop.paused = found.time, True
    remember(desktop, CREST, there)
    fly(desktop, there)
    share = found.height / predicted_height(systems)
    height = f"{found.height:.2f} m, {share:.2f} Hs{', a rogue wave' if share > ROGUE_CREST else ''}"
    desktop.interface.say(f"crest of {height}, at {desktop.time:.1f} s; Space resumes")


def sea_obstacle(desktop: Desktop) -> str:
    return "" if desktop.has_picture else "the first picture is not drawn yet"


def crest_obstacle(desktop: Desktop) -> str:
    if not (reason := sea_obstacle(desktop)):
        sea = desktop.renderer.sea
        reason = "another sea is blending in" if sea.is_busy or sea.is_blending else ""
    return reason or ("" if predicted_height(desktop.settings.sea.systems) > 0 else "the water is flat")


# -- Debug views -------------------------------------------------------------------------------------------------------


def show_picture(desktop: Desktop) -> None:
    desktop.change("stage", view=PICTURE)


def toggle_debug_view(desktop: Desktop, name: str) -> None:
    desktop.change("stage", view=PICTURE if desktop.newest.stage.view == name else name)


def show_next_field(desktop: Desktop, name: str) -> None:
    """Show a debug view, or its next picture if it is shown."""
    shown = desktop.newest.stage
    field = DEBUG_VIEWS[name].after(shown.field) if shown.view == name else shown.field
    desktop.change("stage", view=name, field=field)


# -- Help --------------------------------------------------------------------------------------------------------------


def open_documentation(desktop: Desktop) -> None:
    desktop.interface.open(dialogs.documentation())


def open_log(desktop: Desktop) -> None:
    desktop.interface.open(dialogs.log_file().parent)
