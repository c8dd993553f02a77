"""What keys, menu and buttons do: functions of the window, and the table of actions."""

import math
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from ocean.render.debug_views import DEBUG_VIEWS
from ocean.sea.query import highest_crest
from ocean.settings import PICTURE, ViewSettings
from ocean.waves.statistics import ROGUE_CREST, predicted_height, predicted_polar_moments
from ocean.window.camera import Bookmark, before_crest
from ocean.window.changes import Change
from ocean.window.desktop import Desktop
from ocean.window.ui.dialogs import Action, Actions
from ocean.window.ui.files import Verb, preset
from ocean.window.ui.view_controls import KEYS

DIVE = 3.0  # m under mean water
NUDGE = 0.5  # s of flight for a click on a movement in the menu
BOOKMARKS = "1", "2", "3", "4"
CREST = "highest crest"  # name of its bookmark
SCALES = {"match display": 0.0, "75 %": 0.75, "100 %": 1.0, "125 %": 1.25, "150 %": 1.5, "200 %": 2.0}


def make_actions(desktop: Desktop) -> Actions:
    """Return the actions of a window."""
    shared = Actions(
        pause=Action("View", ("SPACE",), "pause or resume", partial(pause, desktop), is_on=lambda: desktop.paused),
        picture=Action("File/Export", ("P",), "save the picture", lambda: desktop.studio.want("picture")),
        movie=Action(
            "File/Export",
            ("R",),
            "start or end a movie",
            partial(toggle_recording, desktop),
            is_on=lambda: desktop.studio.progress is not None,
        ),
        cancel_movie=Action("", (), "cancel the movie", lambda: desktop.studio.cancel()),
        validation=Action(
            "View",
            ("T",),
            "sea truth: predicted and measured",
            partial(toggle_validation, desktop),
            is_on=lambda: desktop.interface.validation.is_open,
        ),
        compare=Action(
            "View",
            ("B",),
            "comparison of FFT backends",
            partial(compare, desktop),
            is_on=lambda: desktop.interface.comparison.is_open,
        ),
        times=Action("File/Export", (), "save the times of passes (CSV, trace)", partial(save_times, desktop)),
        measure=Action("", (), "measure all backends, or stop", lambda: desktop.comparing.toggle()),
        quit_now=Action("", (), "quit", desktop.quit_now),
    )
    parts = _file(desktop, shared), _edit(desktop), _view(desktop, shared), _camera(desktop), _debug_views(desktop)
    help = Action(
        "Help", ("F1", "H"), "list of keys", partial(toggle_keys, desktop), is_on=lambda: desktop.interface.shows_keys
    )
    return Actions(**{**vars(shared), "menu": (*(action for part in parts for action in part), help)})


# -- File --------------------------------------------------------------------------------------------------------------


def _file(desktop: Desktop, shared: Actions) -> Iterator[Action]:
    def recent_entries() -> list[Action]:
        paths = desktop.interface.files.recent
        return [Action("", (), str(path), partial(open_file, desktop, path), title=str(path)) for path in paths]

    def preset_entries() -> list[Action]:
        names = desktop.interface.files.presets
        return [Action("", (), name.replace("-", " "), partial(take_preset, desktop, name)) for name in names]

    def no_recent() -> str:
        return "" if desktop.interface.files.recent else "no settings file was opened or saved yet"

    yield Action("File", ("CTRL+O",), "open settings …", partial(ask_for_file, desktop, "Open"))
    yield Action("File", ("CTRL+S",), "save settings", partial(save_file, desktop))
    yield Action("File", ("CTRL+SHIFT+S",), "save settings as …", partial(ask_for_file, desktop, "Save"))
    yield Action("File", (), "recent", entries=recent_entries, obstacle=no_recent)
    yield Action("File", (), "presets", entries=preset_entries)
    yield shared.picture
    radiance, window = partial(desktop.studio.want, "radiance"), partial(desktop.studio.want, "window")
    yield Action("File/Export", ("CTRL+P",), "save the picture's light (EXR)", radiance)
    yield Action("File/Export", ("F12",), "save the picture with panel and overlay", window)
    yield Action("File/Export", ("M",), "save the maps of all cascades (NPZ)", partial(save_maps, desktop))
    yield shared.times
    yield shared.movie
    yield Action("File", ("CTRL+Q",), "quit", desktop.quit)


def ask_for_file(desktop: Desktop, verb: Verb) -> None:
    show_panels(desktop)
    desktop.interface.files.dialog.ask(verb)
    desktop.interface.input.await_field()


def save_file(desktop: Desktop) -> None:
    """Write the settings into the file that was opened or saved last; ask for a name if there is none."""
    if path := desktop.interface.files.path:
        desktop.interface.files.save(desktop.settings, path)
    else:
        ask_for_file(desktop, "Save")


def open_file(desktop: Desktop, path: Path) -> None:
    desktop.put(desktop.interface.files.open(desktop.settings, path))


def take_preset(desktop: Desktop, name: str) -> None:
    files = desktop.interface.files
    desktop.put(files.read(desktop.settings, preset(name, files.presets[name])))


def save_maps(desktop: Desktop) -> None:
    desktop.studio.save_maps(desktop.renderer.sea.fields(), desktop.settings, desktop.time)


def save_times(desktop: Desktop) -> None:
    history = desktop.interface.overlay.history
    desktop.studio.save_times(history.shown, {step.name: step for step in desktop.renderer.passes})


def toggle_recording(desktop: Desktop) -> None:
    if desktop.studio.progress:
        desktop.studio.finish()
    else:
        window = desktop.settings.window
        desktop.studio.begin(desktop.interface.view_pixels, window.movie_length, window.movie_fps)


# -- Edit --------------------------------------------------------------------------------------------------------------


def _edit(desktop: Desktop) -> Iterator[Action]:
    changes, ab = desktop.changes, desktop.ab

    def obstacle(name: str, verb: str) -> str:
        if ab.shows_a:
            return f"A is shown; {verb} changes B"
        return "" if name else f"nothing to {verb}"

    yield Action(
        "Edit",
        ("CTRL+Z",),
        "undo",
        partial(undo, desktop),
        obstacle=lambda: obstacle(changes.last, "undo"),
        title=lambda: f"Undo {changes.last}".strip(),
    )
    yield Action(
        "Edit",
        ("CTRL+Y",),
        "redo",
        partial(redo, desktop),
        obstacle=lambda: obstacle(changes.next, "redo"),
        title=lambda: f"Redo {changes.next}".strip(),
    )
    yield Action("Edit", ("CTRL+F",), "find a setting", partial(find, desktop))
    yield Action(
        "Edit",
        ("K",),
        "save settings as A",
        partial(save_a, desktop),
        obstacle=lambda: "A is shown, and saved already" if ab.shows_a else "",
    )

    def no_a() -> str:
        return "" if ab.other else "no settings are saved as A; K saves them"

    yield Action(
        "Edit",
        ("X",),
        "show A while held",
        partial(swap_a, desktop),
        on="both",
        is_on=lambda: ab.shows_a,
        obstacle=no_a,
        title="Swap with A",
    )
    split = partial(toggle_split, desktop)
    yield Action("Edit", ("V",), "split the view: A and B", split, is_on=lambda: ab.is_split, obstacle=no_a)


def undo(desktop: Desktop) -> None:
    _stop_reading(desktop)
    if changed := desktop.changes.undo(desktop.settings):
        desktop.interface.say(f"undo: {changed}")


def redo(desktop: Desktop) -> None:
    _stop_reading(desktop)
    if changed := desktop.changes.redo(desktop.settings):
        desktop.interface.say(f"redo: {changed}")


def _stop_reading(desktop: Desktop) -> None:
    if desktop.interface.files.status:
        desktop.interface.files.stop()


def find(desktop: Desktop) -> None:
    show_panels(desktop)
    desktop.interface.panel.search.focus()
    desktop.interface.input.await_field()


def save_a(desktop: Desktop) -> None:
    desktop.ab.save(desktop.settings)
    desktop.interface.say("saved as A; hold X to see it, V splits the view")


def swap_a(desktop: Desktop) -> None:
    """Show the other side of A and B, at the same time and from the same place."""
    desktop.put(Change(desktop.ab.swap(desktop.newest), "swap"))


def toggle_split(desktop: Desktop) -> None:
    desktop.ab.is_split = not desktop.ab.is_split


# -- View --------------------------------------------------------------------------------------------------------------


def _view(desktop: Desktop, shared: Actions) -> Iterator[Action]:
    yield shared.pause
    yield Action(
        "View",
        ("TAB",),
        "hide or show the panels",
        partial(toggle_panel, desktop),
        is_on=lambda: desktop.settings.window.panel,
        title="Panels",
    )
    yield Action(
        "View",
        ("L",),
        "handles of wind and sun",
        partial(toggle_handles, desktop),
        is_on=lambda: desktop.interface.handles.is_on,
    )
    yield Action("View", ("N",), "keyboard into the next window", partial(navigate, desktop))
    yield Action("View", ("CTRL+M",), "keyboard into the menu", partial(open_menu, desktop))
    yield Action("View", ("ESCAPE",), "close or cancel", partial(escape, desktop))
    yield shared.validation
    yield shared.compare
    # On release: pyglet makes a new window for full screen, which would miss the release and take the next press for a
    # repetition.
    yield Action(
        "View",
        ("F11",),
        "full screen",
        partial(toggle_full_screen, desktop),
        on="release",
        is_on=lambda: desktop.wnd.fullscreen,
    )
    yield Action("View", ("CTRL+L",), "reset layout", lambda: desktop.interface.layout.reset())
    for name, scale in SCALES.items():
        yield Action(
            "View/Size of text",
            (),
            name,
            partial(desktop.change, "window", scale=scale),
            is_on=partial(_has_scale, desktop, scale),
        )
    yield Action(
        "View",
        (),
        "wait for the display (vsync)",
        lambda: desktop.change("window", vsync=not desktop.newest.window.vsync),
        is_on=lambda: desktop.settings.window.vsync,
    )


def pause(desktop: Desktop) -> None:
    desktop.paused = not desktop.paused


def toggle_panel(desktop: Desktop) -> None:
    is_shown = not desktop.newest.window.panel
    desktop.change("window", panel=is_shown)
    if not is_shown:
        desktop.interface.say("Tab shows the panels again")


def show_panels(desktop: Desktop) -> None:
    if not desktop.newest.window.panel:
        toggle_panel(desktop)


def toggle_keys(desktop: Desktop) -> None:
    desktop.interface.shows_keys = not desktop.interface.shows_keys


def toggle_handles(desktop: Desktop) -> None:
    desktop.interface.handles.is_on = not desktop.interface.handles.is_on


def toggle_validation(desktop: Desktop) -> None:
    desktop.interface.validation.is_open = not desktop.interface.validation.is_open


def _has_scale(desktop: Desktop, scale: float) -> bool:
    return desktop.settings.window.scale == scale


def toggle_full_screen(desktop: Desktop) -> None:
    try:
        desktop.wnd.fullscreen = not desktop.wnd.fullscreen
    except NotImplementedError:
        desktop.interface.say("this window library has no full screen", is_error=True)


def navigate(desktop: Desktop) -> None:
    """Put ImGui's keyboard cursor into the next window."""
    show_panels(desktop)
    desktop.interface.layout.focus_next()


def open_menu(desktop: Desktop) -> None:
    """Open the first menu, in which arrows, Enter and Esc work."""
    show_panels(desktop)
    desktop.interface.opens_menu = True


def escape(desktop: Desktop) -> None:
    """Close the open window or search; else stop the reading, flight or comparison; else show the whole picture and the
    panels."""
    interface, newest = desktop.interface, desktop.newest
    if interface.close_one():
        return
    if interface.files.status:
        interface.files.stop()
    elif desktop.camera_path.status:
        desktop.camera_path.stop()
    elif desktop.comparing.is_busy:
        desktop.comparing.toggle()
    elif desktop.drawing.is_catching_up and newest.sea.dynamics == "nonlinear":
        desktop.change("sea", dynamics="linear")
        interface.say("the waves are linear now; Ctrl+Z undoes that")
    elif desktop.ab.is_split:
        toggle_split(desktop)
    elif newest.stage.view != PICTURE:
        desktop.change("stage", view=PICTURE)
    elif not newest.window.panel:
        toggle_panel(desktop)
    else:
        interface.say("Ctrl+Q quits")


def compare(desktop: Desktop) -> None:
    window = desktop.interface.comparison
    window.is_open = not window.is_open
    if window.is_open and not desktop.comparing.findings.rows:
        desktop.comparing.toggle()


# -- Camera ------------------------------------------------------------------------------------------------------------


def _camera(desktop: Desktop) -> Iterator[Action]:
    path = desktop.camera_path
    yield Action(
        "Camera",
        ("C",),
        "orbit a point, or fly",
        partial(toggle_orbit, desktop),
        is_on=lambda: desktop.settings.view.mode == "orbit",
        title="Orbit a point",
    )
    yield Action(
        "Camera",
        ("U",),
        "dive, or come up",
        partial(toggle_dive, desktop),
        is_on=lambda: desktop.settings.view.dive > 0,
        title="Dive",
    )
    record = partial(record_flight, desktop)
    yield Action("Camera", ("J",), "record a flight, or end it", record, is_on=lambda: path.is_recording)
    yield Action(
        "Camera",
        ("G",),
        "replay the flight, or stop",
        path.replay,
        obstacle=lambda: "" if path.flight.views else "no flight is recorded; J records one",
    )
    crest = partial(find_crest, desktop)
    yield Action("Camera", ("O",), "fly to the highest crest", crest, obstacle=partial(crest_obstacle, desktop))
    for key, meaning in zip("WSADEQ", ("ahead", "back", "left", "right", "up", "down"), strict=True):
        yield Action("Camera/Move", (key,), meaning, partial(nudge, desktop, key), on="hold")
    for name in BOOKMARKS:
        yield Action(
            "Camera/Go to bookmark",
            (f"CTRL+NUMBER_{name}",),
            f"bookmark {name}",
            partial(go_to_bookmark, desktop, name),
            obstacle=partial(bookmark_obstacle, desktop, name),
        )
    for name in (CREST, *BOOKMARKS):
        title = name if name == CREST else f"bookmark {name}"
        yield Action(
            "Camera/Go to place and time",
            ("SHIFT+O",) if name == CREST else (),
            f"place and time of {'the ' if name == CREST else ''}{title}",
            partial(go_to_moment, desktop, name),
            obstacle=partial(moment_obstacle, desktop, name),
            title=title.capitalize(),
        )
    for name in BOOKMARKS:
        keys, run = (f"CTRL+SHIFT+NUMBER_{name}",), partial(set_bookmark, desktop, name)
        yield Action("Camera/Set bookmark", keys, f"set bookmark {name}", run)


def toggle_orbit(desktop: Desktop) -> None:
    mode = "fly" if desktop.newest.view.mode == "orbit" else "orbit"
    desktop.change("view", mode=mode)
    desktop.interface.say(mode)


def toggle_dive(desktop: Desktop) -> None:
    """Dive a few metres under the water, or come up to the altitude from before."""
    dive = 0.0 if desktop.newest.view.dive > 0 else DIVE
    desktop.change("view", dive=dive)
    desktop.interface.say("under water" if dive else "above water")


def nudge(desktop: Desktop, key: str) -> None:
    desktop.look_from(desktop.steering.move(desktop.settings.view, {key}, False, NUDGE))


def record_flight(desktop: Desktop) -> None:
    path = desktop.camera_path
    path.record()
    if not path.is_recording:
        desktop.interface.say(f"a flight of {path.flight.duration:.1f} s; G flies it")


def set_bookmark(desktop: Desktop, name: str) -> None:
    desktop.camera_path.bookmarks[name] = bookmark_at(desktop, desktop.settings.view)
    desktop.interface.say(f"bookmark {name} is here, at {desktop.time:.1f} s")


def bookmark_at(desktop: Desktop, view: ViewSettings) -> Bookmark:
    """Return a bookmark of a view at the present time."""
    waves = desktop.renderer.sea.solved.waves
    starts = [solved.starts.time for solved in waves if math.isfinite(solved.starts.time)]
    return Bookmark(view=view, time=desktop.time, start=starts[-1] if starts else None)


def bookmark_obstacle(desktop: Desktop, name: str) -> str:
    """Return why the camera can't go to a bookmark; empty if it can."""
    is_set = name in desktop.camera_path.bookmarks
    return "" if is_set else f"bookmark {name} is not set; Ctrl+Shift+{name} sets it"


def go_to_bookmark(desktop: Desktop, name: str) -> None:
    path = desktop.camera_path
    path.go(path.bookmarks[name].view, desktop.settings.view)
    desktop.interface.say(f"bookmark {name}")


def moment_obstacle(desktop: Desktop, name: str) -> str:
    """Return why the sea can't go back to the time of a bookmark; empty if it can."""
    bookmarks = desktop.camera_path.bookmarks
    if name == CREST and name not in bookmarks:
        return "no crest was looked for; O flies to the highest one"
    if reason := bookmark_obstacle(desktop, name):
        return reason
    return "" if bookmarks[name].time is not None else f"bookmark {name} has no time; set it again"


def go_to_moment(desktop: Desktop, name: str) -> None:
    """Go to the place and time of a bookmark, and pause there."""
    bookmark = desktop.camera_path.bookmarks[name]
    desktop.time, desktop.paused = bookmark.time or 0.0, True
    if bookmark.start is not None:
        for waves in desktop.renderer.sea.solved.waves:
            waves.starts.again = desktop.time, bookmark.start
    desktop.camera_path.go(bookmark.view, desktop.settings.view)
    what = "the" if name == CREST else "bookmark"
    desktop.interface.say(f"{what} {name}, {desktop.time:.1f} s; Space goes on")


def find_crest(desktop: Desktop) -> None:
    """Fly to the highest crest of the longest tile around the camera, pause there, and remember place and time."""
    view, systems = desktop.settings.view, desktop.settings.sea.systems
    found = highest_crest(desktop.renderer.sea, view.x, view.z)
    direction = predicted_polar_moments(systems, 0.0).mean
    there = before_crest(view, found.x, found.z, found.height, direction)
    desktop.time, desktop.paused = found.time, True
    desktop.camera_path.bookmarks[CREST] = bookmark_at(desktop, there)
    desktop.camera_path.go(there, view)
    share = found.height / predicted_height(systems)
    rogue = ", a rogue wave" if share > ROGUE_CREST else ""
    said = f"crest of {found.height:.2f} m, {share:.2f} Hs{rogue}, at {desktop.time:.1f} s; Space goes on"
    desktop.interface.say(said)


def crest_obstacle(desktop: Desktop) -> str:
    """Return why the search for a crest is not possible; empty if it is."""
    if desktop.renderer.sea.is_busy:
        return "the waves are being made"
    return "" if predicted_height(desktop.settings.sea.systems) > 0 else "the water is flat"


# -- Debug views -------------------------------------------------------------------------------------------------------


def _debug_views(desktop: Desktop) -> Iterable[Action]:
    def shows(name: str) -> bool:
        return bool(desktop.settings.stage.view == name)

    picture = partial(desktop.change, "stage", view=PICTURE)
    yield Action("Debug view", (), "picture", picture, is_on=partial(shows, PICTURE))
    for name in DEBUG_VIEWS:
        words = name.replace("-", " ")
        yield Action(
            "Debug view",
            (KEYS[name],),
            f"debug view: {words}",
            partial(toggle_debug_view, desktop, name),
            is_on=partial(shows, name),
            title=words.capitalize(),
        )
    for name, view in DEBUG_VIEWS.items():
        if view.fields:
            keys, run = (f"SHIFT+{KEYS[name]}",), partial(show_next_field, desktop, name)
            yield Action("Debug view/Next field", keys, f"debug view: next {name}", run, title=name.capitalize())


def toggle_debug_view(desktop: Desktop, name: str) -> None:
    desktop.change("stage", view=PICTURE if desktop.newest.stage.view == name else name)


def show_next_field(desktop: Desktop, name: str) -> None:
    """Show a debug view, or its next picture if it is shown."""
    shown = desktop.newest.stage
    field = DEBUG_VIEWS[name].after(shown.field) if shown.view == name else shown.field
    desktop.change("stage", view=name, field=field)
