"""The one table of what a person can do by key or menu, and what is made of it: the menu bar and the list of keys.

Each action names the method of the window that does it. Knows no window.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from imgui_bundle import imgui

from ocean.render.debug_views.table import STAGES
from ocean.window.ui import theme
from ocean.window.ui.theme import em

BOOKMARKS = 4


@dataclass(frozen=True)
class Action:
    """Something to do: its menu (`Menu/Submenu`), keys by moderngl-window's names (`CTRL+` and `SHIFT+` before
    them), method, meaning, and what the method is called with. Keys that are `held` move as long as they are."""

    menu: str
    keys: tuple[str, ...]
    method: str
    meaning: str
    argument: str | None = None
    held: bool = False
    on_release: bool = False


ACTIONS = (
    Action("File", ("P",), "save", "save the picture", "picture"),
    Action("File", ("CTRL+P",), "save", "save the picture's light (EXR)", "radiance"),
    Action("File", ("F12",), "save", "save the picture with panel and overlay", "window"),
    Action("File", ("R",), "toggle_recording", "record a movie, or end it"),
    Action("File", ("ESCAPE",), "quit", "quit"),
    Action("Edit", ("CTRL+Z",), "undo", "undo a change of settings"),
    Action("Edit", ("CTRL+Y",), "redo", "redo the change"),
    Action("Edit", ("CTRL+F",), "find", "find a setting"),
    Action("View", ("SPACE",), "pause", "pause, or go on"),
    Action("View", ("TAB",), "toggle_panel", "hide or show all that is around the view"),
    Action("View", ("T",), "toggle_truth", "sea truth: predicted and measured"),
    Action("View", ("B",), "compare", "comparison of FFT backends"),
    # When it is let go: pyglet makes a new window for it, which would never hear of that and take the next press for a
    # repetition.
    Action("View", ("F11",), "toggle_full_screen", "full screen", on_release=True),
    Action("View", ("CTRL+L",), "reset_layout", "put all windows back into their places"),
    Action("Camera", ("C",), "toggle_orbit", "orbit a point, or fly"),
    Action("Camera", ("U",), "toggle_dive", "dive, or come up"),
    Action("Camera", ("J",), "record_flight", "record a flight, or end it"),
    Action("Camera", ("G",), "replay_flight", "replay the flight, or stop"),
    Action("Camera/Move", ("W",), "nudge", "ahead", "W", held=True),
    Action("Camera/Move", ("S",), "nudge", "back", "S", held=True),
    Action("Camera/Move", ("A",), "nudge", "left", "A", held=True),
    Action("Camera/Move", ("D",), "nudge", "right", "D", held=True),
    Action("Camera/Move", ("E",), "nudge", "up", "E", held=True),
    Action("Camera/Move", ("Q",), "nudge", "down", "Q", held=True),
    *(
        Action("Camera/Go to bookmark", (f"CTRL+NUMBER_{n}",), "go_to_bookmark", f"bookmark {n}", str(n))
        for n in range(1, BOOKMARKS + 1)
    ),
    *(
        Action("Camera/Set bookmark", (f"CTRL+SHIFT+NUMBER_{n}",), "set_bookmark", f"set bookmark {n}", str(n))
        for n in range(1, BOOKMARKS + 1)
    ),
    *(
        Action("Stage", (stage.key,), "toggle_stage", f"stage: {name.replace('-', ' ')}", name)
        for name, stage in STAGES.items()
    ),
    *(
        Action("Stage", (f"SHIFT+{stage.key}",), "next_picture", f"stage: next {name}", name)
        for name, stage in STAGES.items()
        if stage.fields
    ),
    Action("Help", ("F1", "H"), "toggle_keys", "list of keys"),
)
"""Everything that has a key, and so a place in a menu."""

MOUSE = (
    ("Shift", "with W A S D Q E: faster"),
    ("Drag", "look around, or orbit"),
    ("Wheel", "speed, or distance of the orbit"),
    ("Ctrl-click", "type a slider's value"),
    ("Drop a .toml", "take its settings"),
)
"""What is done with the mouse, for the list."""


def action_of(method: str) -> Action:
    """The first action of a method."""
    return next(action for action in ACTIONS if action.method == method)


def shortcut(key: str) -> str:
    """A key as menus show it."""
    names = {"ESCAPE": "Esc"}
    return "+".join(names.get(part, part.removeprefix("NUMBER_").capitalize()) for part in key.split("+"))


def keys_window(is_open: bool, actions: Iterable[Action] = ACTIONS) -> bool:
    """A window that lists keys and what they do; returns whether it stays open."""
    display = imgui.get_io().display_size
    imgui.set_next_window_pos(imgui.ImVec2(display.x / 2, display.y / 2), pivot=imgui.ImVec2(0.5, 0.5))
    flags = imgui.WindowFlags_.no_move | imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_collapse
    visible, still = imgui.begin("Keys###keys", is_open, flags | imgui.WindowFlags_.no_docking)
    rows = [(" or ".join(map(shortcut, action.keys)), action.meaning) for action in actions]
    rows += MOUSE
    half = (len(rows) + 1) // 2
    if visible and imgui.begin_table("keys", 4):
        for width in (6, 15, 6, 15):
            imgui.table_setup_column("", imgui.TableColumnFlags_.width_fixed, em(width))
        for row in range(half):
            imgui.table_next_row()
            for name, meaning in rows[row::half]:
                imgui.table_next_column()
                theme.coloured(name, theme.ACCENT)
                imgui.table_next_column()
                imgui.text(meaning)
        imgui.end_table()
    imgui.end()
    return bool(still)


def menu_bar(status: str, actions: Sequence[Action] = ACTIONS) -> list[Action]:
    """Draw the menu bar with a status at its right end; returns what was chosen."""
    chosen: list[Action] = []
    if not imgui.begin_main_menu_bar():
        return chosen
    for title, group in groupby(actions, lambda action: action.menu.partition("/")[0]):
        entries = list(group)
        if imgui.begin_menu(title):
            for submenu, inner in groupby(entries, lambda action: action.menu.partition("/")[2]):
                if not submenu:
                    chosen += menu_items(inner)
                elif imgui.begin_menu(submenu):
                    chosen += menu_items(inner)
                    imgui.end_menu()
            imgui.end_menu()
    space = imgui.get_content_region_avail().x - imgui.calc_text_size(status).x
    if space > em():
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + space - em(0.5))
        theme.coloured(status, theme.FAINT)
    imgui.end_main_menu_bar()
    return chosen


def menu_items(actions: Iterable[Action]) -> list[Action]:
    """The entries of one menu; returns those that were clicked."""
    chosen = []
    for action in actions:
        if imgui.menu_item_simple(f"{action.meaning[:1].upper()}{action.meaning[1:]}", shortcut(action.keys[0])):
            chosen.append(action)
    return chosen
