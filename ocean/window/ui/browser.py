"""The dialog that asks for a settings file: a folder to look through, and a name to choose or to type."""

import os
from pathlib import Path
from typing import Literal

from imgui_bundle import imgui

from ocean.common.reading import reason
from ocean.window.ui import theme
from ocean.window.ui.theme import em

SUFFIX = ".toml"
Verb = Literal["Open", "Save"]


class Browser:
    """Dialog for the name of a file. It begins in the program's start folder, and later in the last folder."""

    def __init__(self) -> None:
        self.name = ""
        self.is_open = False
        self._folder = Path()
        self._verb: Verb = "Open"
        self._begins = False

    def ask(self, verb: Verb) -> None:
        self._verb, self._begins = verb, True
        self.name = "" if verb == "Open" else self.name or f"my-sea{SUFFIX}"

    def draw(self) -> tuple[Verb, Path] | None:
        """Draw the dialog while it is open; return the verb and the file once one is chosen."""
        title = f"{self._verb} settings###browser"
        if self._begins:
            imgui.open_popup(title)
        width = min(em(30), imgui.get_main_viewport().work_size.x)
        imgui.set_next_window_size((width, 0), imgui.Cond_.always)
        imgui.set_next_window_pos(imgui.get_main_viewport().get_center(), imgui.Cond_.always, (0.5, 0.5))
        chosen = None
        self.is_open = imgui.begin_popup_modal(title, None, imgui.WindowFlags_.no_saved_settings)[0]
        if self.is_open:
            if self._list() or self._name():
                chosen = self._verb, self._path
            if chosen or imgui.button("Cancel", (em(7), 0)):
                imgui.close_current_popup()
                self.is_open = False
            imgui.end_popup()
        self._begins = False
        return chosen

    @property
    def _path(self) -> Path:
        """Return the typed path. A home folder that does not exist, as in ~nobody, stays part of the name."""
        path = self._folder / os.path.expanduser(self.name.strip())
        return path if path.suffix or not self.name.strip() else path.with_suffix(SUFFIX)

    def _list(self) -> bool:
        """Draw the folders and settings files of the folder; return whether a file was clicked a second time."""
        theme.coloured(os.path.abspath(self._folder), theme.FAINT)
        is_chosen = False
        if imgui.begin_child("files", (-1, em(14)), imgui.ChildFlags_.borders):
            try:
                entries = sorted(os.scandir(self._folder), key=lambda entry: (entry.is_file(), entry.name.lower()))
            except OSError as error:
                theme.coloured(f"can't read this folder: {reason(error)}", theme.WRONG)
                entries = []
            folder = self._folder
            if imgui.selectable("../", False)[0]:
                folder = Path(os.path.abspath(self._folder)).parent
            for entry in entries:
                if entry.name.startswith(".") or not (entry.is_dir() or entry.name.lower().endswith(SUFFIX)):
                    continue
                label = f"{entry.name}/" if entry.is_dir() else f"{entry.name}###file {entry.name}"
                clicked = imgui.selectable(label, entry.name == self.name)[0]
                if clicked and entry.is_dir():
                    folder = self._folder / entry.name
                elif clicked:
                    is_chosen = self._verb == "Open" and self.name == entry.name  # ImGui's double click is too fast
                    self.name = entry.name  # for slow frames
            self._folder = folder
        imgui.end_child()
        return is_chosen

    def _name(self) -> bool:
        """Draw the field for the name and the button; return whether the name was chosen."""
        imgui.set_next_item_width(-1)
        if self._begins:
            imgui.set_keyboard_focus_here()
        flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
        entered, self.name = imgui.input_text_with_hint("##file", "file.toml", self.name, flags)
        exists = self._verb == "Save" and os.path.exists(self._path)
        if exists:
            theme.coloured(f"{self._path.name} exists.", theme.WARNING)
        imgui.begin_disabled(not self.name.strip())
        pressed = imgui.button(f"{'Overwrite' if exists else self._verb}###accept", (em(7), 0))
        imgui.end_disabled()
        imgui.same_line()
        return bool(pressed or (entered and not exists and self.name.strip()))
