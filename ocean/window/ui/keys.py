"""Actions of the keys and the menu, the menu bar, and the list of keys. Knows no window."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from imgui_bundle import imgui

from ocean.window.ui import theme
from ocean.window.ui.theme import em


@dataclass(frozen=True)
class Action:
    """An action: its menu (`Menu/Submenu`, empty if it is in none), its keys by moderngl-window's names (`CTRL+` and
    `SHIFT+` before them), its meaning, and its function of a window. Keys that are `held` move the camera as long as
    they are down. Keys that act `until_release` act again on release, which takes the action back.

    Functions of the window return whether the entry has a check mark, the reason why it can't be chosen now (empty if
    it can), and its entries if it is a submenu. The menu shows the `title` in place of the meaning.
    """

    menu: str
    keys: tuple[str, ...]
    meaning: str
    run: Callable[[Any], object] = lambda _: None
    held: bool = False
    until_release: bool = False
    on_release: bool = False
    is_on: Callable[[Any], bool] = lambda _: False
    obstacle: Callable[[Any], str] = lambda _: ""
    title: str | Callable[[Any], str] = ""
    entries: Callable[[Any], Iterable["Action"]] | None = None

    @property
    def shortcut(self) -> str:
        """Return the first key in the notation of menus; empty without keys."""
        return shortcut(self.keys[0]) if self.keys else ""

    @property
    def sentence(self) -> str:
        return f"{self.meaning[:1].upper()}{self.meaning[1:]}"


@dataclass(frozen=True)
class Actions:
    menu: tuple[Action, ...]
    pause: Action
    picture: Action
    movie: Action
    cancel_movie: Action
    truth: Action
    compare: Action
    times: Action
    measure: Action
    quit_now: Action


MOUSE = (
    ("Shift", "with W A S D Q E: faster"),
    ("Drag", "look around, or orbit"),
    ("Wheel", "speed, or distance of the orbit"),
    ("Ctrl-click", "type a slider's value"),
    ("Drop a file", "load a scene, sky or spectrum"),
)
"""Mouse actions, for the list of keys."""


LISTS = 3  # most lists of keys side by side
WIDTHS = 6.0, 15.0  # em: widths of keys and of their meanings


def shortcut(key: str) -> str:
    """Return a key in the notation of menus."""
    names = {"ESCAPE": "Esc"}
    return "+".join(names.get(part, part.removeprefix("NUMBER_").capitalize()) for part in key.split("+"))


def keys_window(is_open: bool, actions: Iterable[Action]) -> bool:
    """Draw the window that lists keys and their meanings; return whether it stays open."""
    display = imgui.get_io().display_size
    imgui.set_next_window_pos((display.x / 2, display.y / 2), pivot=(0.5, 0.5))
    flags = imgui.WindowFlags_.no_move | imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_collapse
    visible, still = imgui.begin("Keys###keys", is_open, flags | imgui.WindowFlags_.no_docking)
    rows = [(" or ".join(map(shortcut, action.keys)), action.meaning) for action in actions if action.keys]
    rows += MOUSE
    room = display.x - 2 * imgui.get_style().window_padding.x - imgui.get_style().scrollbar_size
    lists = min(LISTS, max(1, int(room / (em(sum(WIDTHS)) + 4 * imgui.get_style().cell_padding.x))))
    most = math.ceil(len(rows) / lists)
    if visible and imgui.begin_table(f"keys {lists}", 2 * lists):
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
    imgui.end()
    return bool(still)


def menu_bar(
    status: str, help: Callable[[], str], actions: Iterable[Action], window: Any, opens: bool = False
) -> list[Action]:
    """Draw the menu bar for a window, with a status at the right end, whose help is a function; return the chosen
    actions. If it `opens`, the first menu takes the keyboard."""
    chosen: list[Action] = []
    if not imgui.begin_main_menu_bar():
        return chosen
    for title, group in groupby(actions, lambda action: action.menu.partition("/")[0]):
        entries = list(group)
        if opens:
            imgui.open_popup(title)
            imgui.set_nav_cursor_visible(True)
            opens = False
        if imgui.begin_menu(title):
            for submenu, inner in groupby(entries, lambda action: action.menu.partition("/")[2]):
                if not submenu:
                    chosen += menu_items(inner, window)
                elif imgui.begin_menu(submenu):
                    chosen += menu_items(inner, window)
                    imgui.end_menu()
            imgui.end_menu()
    space = imgui.get_content_region_avail().x - imgui.calc_text_size(status).x
    if space > em():
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + space - em(0.5))
        theme.coloured(status, theme.FAINT)
        if theme.is_pointed_at():
            theme.show_tooltip(help())
    imgui.end_main_menu_bar()
    return chosen


def menu_items(actions: Iterable[Action], window: Any) -> list[Action]:
    """Draw the entries of one menu; return the clicked ones. The tooltip of a disabled entry gives the reason."""
    chosen: list[Action] = []
    for action in actions:
        title = action.title(window) if callable(action.title) else action.title or action.sentence
        reason = action.obstacle(window)
        if action.entries:
            if imgui.begin_menu(title, not reason):
                chosen += menu_items(action.entries(window), window)
                imgui.end_menu()
        elif imgui.menu_item_simple(f"{title}##menu", action.shortcut, action.is_on(window), not reason):
            chosen.append(action)
        theme.tooltip(reason)
    return chosen
