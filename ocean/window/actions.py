"""Actions of keys, menu and buttons: a table, and the functions of the window that it calls."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, get_args

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
from ocean.window.ui.files import Verb, preset
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

    def act(
        menu: str,
        keys: str,
        meaning: str,
        run: Callable[[Desktop], object] = lambda _: None,
        is_on: Callable[[Desktop], bool] = lambda _: False,
        obstacle: Callable[[Desktop], str] = lambda _: "",
        title: str | Callable[[], str] = "",
        on: On = "press",
    ) -> Action:
        state = partial(is_on, desktop), partial(obstacle, desktop)
        return Action(menu, tuple(keys.split()), meaning, partial(run, desktop), on, *state, title)

    file, export, edit = (partial(act, menu) for menu in ("File", "File/Export", "Edit"))
    view, camera, debug, docs = (partial(act, menu) for menu in ("View", "Camera", "Debug view", "Help"))

    def flag(menu: str, keys: str, meaning: str, name: str, **more: Any) -> Action:
        return act(menu, keys, meaning, partial(turn_over, name=name), attrgetter(name), **more)

    def window(menu: str, keys: str, meaning: str, name: str, run: Callable[[Desktop], object] | None = None) -> Action:
        toggle = run or (lambda one: one.interface.toggle(name))
        return act(menu, keys, meaning, toggle, lambda one: name in one.interface.opened)

    def has(path: str, value: object = True) -> Callable[[Desktop], bool]:
        return lambda one: bool(value_at(one.settings, path) == value)

    def debug_view(name: str) -> Action:
        words, show = name.replace("-", " "), partial(toggle_debug_view, name=name)
        return debug(KEYS[name], f"debug view: {words}", show, has("stage.view", name), title=words.capitalize())

    def next_field(name: str) -> Action:
        meaning, key, show = f"debug view: next {name}", f"SHIFT+{KEYS[name]}", partial(show_next_field, name=name)
        return act("Debug view/Next field", key, meaning, show, title=name.capitalize())

    def go_to(name: str) -> Action:
        go, obstacle = partial(go_to_bookmark, name=name), partial(bookmark_obstacle, name=name)
        return act("Camera/Go to bookmark", f"CTRL+NUMBER_{name}", f"bookmark {name}", go, obstacle=obstacle)

    def go_to_time(name: str) -> Action:
        words, key = ("the highest crest", "SHIFT+O") if name == CREST else (f"bookmark {name}", "")
        meaning, title = f"place and time of {words}", words.removeprefix("the ").capitalize()
        go, obstacle = partial(go_to_moment, name=name), partial(moment_obstacle, name=name)
        return act("Camera/Go to place and time", key, meaning, go, obstacle=obstacle, title=title)

    def set_here(name: str) -> Action:
        key, put = f"CTRL+SHIFT+NUMBER_{name}", partial(set_bookmark, name=name)
        return act("Camera/Set bookmark", key, f"set bookmark {name}", put, obstacle=sea_obstacle)

    def size_of_text(name: str, scale: float) -> Action:
        change = partial(Desktop.change, group="window", scale=scale)
        return act("View/Size of text", "", name, change, has("window.scale", scale))

    def quality(name: str) -> Action:
        key, is_on = "I" if name == AUTOMATIC else "", lambda one: not changes_to(one.settings, name)
        take = partial(take_quality, name=name)
        return act("View/Quality", key, f"quality {name}", take, is_on, title=name.capitalize())

    def history(verb: Way, kind: Kind) -> Action:
        key, of = f"{'CTRL+' if kind == 'settings' else ''}{VERBS[verb]}", "" if kind == "settings" else " in the view"
        step, obstacle = partial(travel, verb=verb, kind=kind), partial(travel_obstacle, verb=verb, kind=kind)

        def title() -> str:
            return f"{verb.capitalize()}{of}{of and ':'} {desktop.changes.title(verb, kind)}".rstrip(": ")

        return edit(key, f"{verb}{of}", step, obstacle=obstacle, title=title)

    def needs(name: str, otherwise: str, wanted: bool = True) -> Callable[[Desktop], str]:
        return lambda one: "" if bool(attrgetter(name)(one)) is wanted else otherwise

    def open_path(meaning: str, path: Callable[[], Path], missing: str) -> Action:
        def obstacle(_: Desktop) -> str:
            return "" if path().exists() else missing

        return docs("", meaning, lambda one: one.interface.open(path()), obstacle=obstacle)

    no_log = f"No error has been logged; the log would be {dialogs.log_file()}."
    has_recent = needs("interface.files.recent", "no settings file was opened or saved yet")
    has_a = needs("ab.other", "no settings are saved as A; K saves them")
    has_flight = needs("camera_path.flight.views", "no flight is recorded; J records one")
    picture = export("P", "save the picture", lambda one: one.studio.want("picture"))
    times = export("", "save the times of passes (CSV, trace)", save_times)
    movie = export("R", "start or end a movie", toggle_recording, lambda one: one.studio.movie is not None)
    resume = flag("View", "SPACE", "pause or resume", "paused")
    validation = window("View", "T", "sea truth: predicted and measured", "validation")
    comparison = window("View", "B", "comparison of FFT backends", "comparison", compare)
    menu = (
        file("CTRL+O", "open settings …", partial(ask_for_file, verb="Open")),
        file("CTRL+S", "save settings", save_file),
        file("CTRL+SHIFT+S", "save settings as …", partial(ask_for_file, verb="Save")),
        replace(file("", "recent", obstacle=has_recent), entries=partial(recent_files, desktop)),
        replace(file("", "presets"), entries=partial(preset_entries, desktop)),
        window("File/Export", "", "sea to files: maps, mesh, film …", "export", open_export),
        picture,
        export("CTRL+P", "save the picture's light (EXR)", lambda one: one.studio.want("radiance"), obstacle=no_light),
        export("F12", "save the picture with panel and overlay", lambda one: one.studio.want("window")),
        export("M", "save the maps of all cascades (NPZ)", lambda one: one.studio.want("maps")),
        times,
        movie,
        file("CTRL+Q", "quit", Desktop.quit),
        *(history(verb, kind) for kind in KINDS for verb in VERBS),
        edit("CTRL+F", "find a setting", find),
        edit("K", "save settings as A", save_a, obstacle=needs("ab.shows_a", "A is shown, and saved already", False)),
        edit("X", "show A while held", swap_a, lambda one: one.ab.shows_a, has_a, "Swap with A", "both"),
        flag("Edit", "V", "split the view: A and B", "ab.is_split", obstacle=has_a),
        flag("Edit", "", "separate cameras for A and B", "ab.has_own_cameras"),
        resume,
        view("TAB", "hide or show the panels", toggle_panel, has("window.panel"), title="Panels"),
        flag("View", "L", "handles of wind and sun", "interface.shows_handles"),
        view("N", "keyboard into the next window", navigate),
        view("CTRL+M", "keyboard into the menu", open_menu),
        view("ESCAPE", "close or cancel", escape),
        validation,
        comparison,
        # On release: pyglet makes a new window for full screen, which would miss the release and take the next press
        # for a repetition.
        view("F11", "full screen", toggle_full_screen, lambda one: bool(one.wnd.fullscreen), on="release"),
        view("CTRL+L", "reset layout", lambda one: one.interface.layout.reset()),
        *map(quality, (AUTOMATIC, *LEVELS)),
        *(size_of_text(name, scale) for name, scale in SCALES.items()),
        camera("C", "orbit a point, or fly", toggle_orbit, has("view.mode", "orbit"), title="Orbit a point"),
        camera("U", "dive, or come up", toggle_dive, lambda one: one.settings.view.dive > 0, title="Dive"),
        camera("J", "record a flight, or end it", record_flight, lambda one: one.camera_path.is_recording),
        camera("G", "replay the flight, or stop", lambda one: one.camera_path.replay(), obstacle=has_flight),
        camera("O", "fly to the highest crest", find_crest, obstacle=crest_obstacle),
        *(act("Camera/Move", key, words, partial(nudge, key=key), on="hold") for key, words in MOVES.items()),
        *map(go_to, BOOKMARKS),
        *map(go_to_time, (CREST, *BOOKMARKS)),
        *map(set_here, BOOKMARKS),
        debug("", "picture", show_picture, has("stage.view", PICTURE)),
        *map(debug_view, DEBUG_VIEWS),
        *(next_field(name) for name, shown in DEBUG_VIEWS.items() if shown.fields),
        window("Help", "F1 H", "list of keys", "keys"),
        open_path("documentation", dialogs.documentation, "The documentation is in the folder docs of the source."),
        open_path("folder of the log", lambda: dialogs.log_file().parent, no_log),
        window("Help", "", "version and licences", "about"),
    )
    return Actions(
        menu,
        pause=resume,
        picture=picture,
        movie=movie,
        validation=validation,
        compare=comparison,
        times=times,
        take_quality=partial(take_quality, desktop),
        show_debug_view=partial(toggle_debug_view, desktop),
        tune=lambda: desktop.comparing.tune(desktop.renderer.sea),
        use_backend=partial(use_backend, desktop),
        quit_without_movie=partial(quit_without_movie, desktop),
        quit_now=desktop.quit_now,
    )


def turn_over(desktop: Desktop, name: str) -> None:
    """Toggle a flag of a part of the window, such as "ab.is_split"."""
    path, _, flag = name.rpartition(".")
    part = attrgetter(path)(desktop) if path else desktop
    setattr(part, flag, not getattr(part, flag))


# -- File --------------------------------------------------------------------------------------------------------------


def ask_for_file(desktop: Desktop, verb: Verb) -> None:
    show_panels(desktop)
    desktop.interface.files.dialog.ask(verb)
    desktop.interface.input.await_field()


def save_file(desktop: Desktop) -> None:
    """Write the settings into the file that was opened or saved last; ask first if the title names no such file, or
    another program has changed it."""
    files = desktop.interface.files
    if files.path:
        files.save(desktop.newest, files.path)
    else:
        ask_for_file(desktop, "Save")


def open_file(desktop: Desktop, path: Path) -> None:
    desktop.put(desktop.interface.files.open(desktop.newest, path))


def recent_files(desktop: Desktop) -> list[Action]:
    paths = desktop.interface.files.recent
    return [Action("", (), str(path), partial(open_file, desktop, path), title=str(path)) for path in paths]


def preset_entries(desktop: Desktop) -> list[Action]:
    names = desktop.interface.files.presets
    return [Action("", (), name.replace("-", " "), partial(take_preset, desktop, name)) for name in names]


def take_preset(desktop: Desktop, name: str) -> None:
    files = desktop.interface.files
    desktop.put(files.read(desktop.newest, preset(name, files.presets[name])))


def open_export(desktop: Desktop) -> None:
    show_panels(desktop)
    desktop.interface.toggle("export")
    desktop.exporting.begin(desktop.time, partial(desktop.studio.unused, "export"))


def no_light(desktop: Desktop) -> str:
    return "" if desktop.newest.stage.view == PICTURE else "a debug view has no light"


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
        desktop.camera_path.undo()
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
