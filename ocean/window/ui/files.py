"""Settings in files: presets, loading and saving, and the dialog for a file."""

import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial, reduce
from pathlib import Path
from typing import Literal

from imgui_bundle import imgui

from ocean.common.errors import reason
from ocean.common.files import OutputError, whole_files, writing
from ocean.common.resources import LEVELS
from ocean.settings import (
    Settings,
    SettingsError,
    level_values,
    merge,
    nested,
    read_toml,
    settings_from,
    to_toml,
    to_tree,
    value_at,
    with_values,
)
from ocean.settings.files import Resolution, resolve
from ocean.window.ui import theme
from ocean.window.ui.theme import Box, em, tooltip
from ocean.window.ui.widgets import plain

KEPT = ("fft", "cascades", "stage", "window", "capture", *level_values(LEVELS[0]))
"""Settings of computation and display, which a scene keeps unless its file names them."""
MOST_RECENT = 8  # most files in the menu
COLUMNS = 4  # columns of presets
TITLE_SIZES = 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5  # shares of the font's size, for names of presets
PANORAMAS = ".hdr", ".exr"
PATIENCE = 0.1  # s: longest wait of a frame for a spectrum's file


@dataclass(frozen=True, eq=False)
class SettingsChange:
    """A change of settings: `make` returns the changed ones, `name` is its name for undo, `success` is the message
    on success, and `refused` makes the message of an error. A change that `replaces` the sea ends other reading."""

    make: Callable[[Settings], Settings]
    name: str = ""
    success: str = ""
    refused: Callable[[str], str] = str
    replaces: bool = False


class Files:
    """Loading and saving of settings. `say` shows the results, `picture` returns the picture of a preset."""

    def __init__(
        self,
        say: Callable[[str, bool], None],
        presets: Mapping[str, Path],
        picture: Callable[[str], imgui.ImTextureRef | None],
        recent: Sequence[Path] = (),
    ) -> None:
        self.browser = Browser()
        self.path: Path | None = None
        """File opened or saved last, which `save` overwrites."""
        self.recent = list(recent)
        self.presets_box = Box(0.0, 0.0, 0.0, 0.0)
        self.presets = presets
        self._say, self._picture = say, picture
        self._waiting: tuple[SettingsChange, Resolution] | None = None  # change that waits for a file
        self._named: tuple[Settings, str] | None = None  # last changed settings, and the change's name
        self._since = 0.0  # start of the wait
        self._shown_key: tuple[object, ...] = ()
        self._shown: set[str] = set()  # presets with the present sea and sky

    def draw_presets(self, settings: Settings) -> Settings | None:
        """Draw a button with its picture for each preset, and a frame around the preset of the present sea and sky;
        return the settings of the clicked preset."""
        chosen, gap = None, 0.5 * imgui.get_style().item_spacing.x
        width = (imgui.get_content_region_avail().x - (COLUMNS - 1) * gap) / COLUMNS
        height = width * 9 / 16
        imgui.push_style_var(imgui.StyleVar_.button_text_align, (0.5, 1.0))
        imgui.push_style_var(imgui.StyleVar_.frame_padding, (0, em(0.1)))
        titles = {name: name.replace("-", " ").capitalize() for name in self.presets}
        push_font_for(titles.values(), width)
        corner = imgui.get_cursor_screen_pos()
        self.presets_box = Box(corner.x, corner.y, 0.0, 0.0)
        key = settings.sea, settings.water, settings.sky
        if key != self._shown_key:
            self._shown_key, self._shown = key, {name for name, path in self.presets.items() if is_of(settings, path)}
        for number, (name, path) in enumerate(self.presets.items()):
            if number % COLUMNS:
                imgui.same_line(0.0, gap)
            title = titles[name]
            if imgui.button(f"{title}##preset", (width, height + em(1.3))):
                chosen = self.read(settings, preset(name, path))
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            draw = imgui.get_window_draw_list()
            if (shown := self._picture(name)) is not None:
                draw.add_image(shown, low, (high.x, low.y + height))
            if name in self._shown:
                draw.add_rect(low, high, theme.packed(theme.ACCENT), em(0.3), thickness=em(0.15))
            tooltip(f"{title}: the sea, sky and view of {path.name}. Quality and FFT stay.")
            box = self.presets_box
            self.presets_box = Box(box.x, box.y, max(box.width, high.x - box.x), high.y - box.y)
        imgui.pop_font()
        imgui.pop_style_var(2)
        return chosen

    def draw(self, settings: Settings) -> Settings | None:
        """Draw the dialog while it is open; return the loaded settings."""
        answer = self.browser.draw()
        if answer is None:
            return None
        verb, path = answer
        if verb == "Open":
            return self.open(settings, path)
        self.save(settings, path)
        return None

    def open(self, settings: Settings, path: Path) -> Settings | None:
        """Return the settings of a file over these; None with a message if it can't be read."""
        change = SettingsChange(partial(load_scene, path=path), f"scene {path.name}", f"loaded {path}", replaces=True)
        loaded = self.read(settings, change)
        if loaded or (self._waiting and change is self._waiting[0]):
            self._remember(path)
        elif path in self.recent:
            self.recent.remove(path)
        return loaded

    def take(self, settings: Settings, paths: Sequence[Path]) -> Settings | None:
        """Return the settings with dropped files: a scene, a panorama for the sky, or the spectrum of the wind sea (a
        buoy has several files). Return None for other files, and show a message."""
        path = paths[0]
        if path.suffix.lower() == ".toml":
            return self.open(settings, path)
        if path.suffix.lower() in PANORAMAS:
            sky = partial(with_values, values={"sky.panorama": str(path)})
            return self.read(settings, SettingsChange(sky, f"sky {path.name}", f"the sky is {path.name}"))
        spectrum = {"kind": "file", "path": ",".join(map(str, paths))}
        sea = partial(with_values, values={"sea.wind.spectrum": spectrum, "sea.wind.height": 0.0})

        def refused(error: str) -> str:
            kinds = "no settings (.toml), no panorama (.hdr, .exr) and no wave spectrum"
            return f"{path.name} is {kinds}: {error.partition(': ')[2].partition(';')[0]}"

        said = f"wind sea {path.name}", f"the wind sea is of {path.name}"
        return self.read(settings, SettingsChange(sea, *said, refused, replaces=True))

    def save(self, settings: Settings, path: Path) -> None:
        """Write the settings into a file, and show its path or the error."""
        try:
            with whole_files(path.parent, [path.name]) as folder, writing(path.parent):
                (folder / path.name).write_text(to_toml(settings), encoding="utf-8")
        except OutputError as error:
            self._say(str(error), True)
        else:
            self._remember(path)
            self._say(f"saved {path}", False)

    def _remember(self, path: Path) -> None:
        self.path = Path(os.path.abspath(path))
        self.recent = [self.path, *(other for other in self.recent if other != self.path)][:MOST_RECENT]

    def read(self, settings: Settings, change: SettingsChange) -> Settings | None:
        """Return the changed settings; None if they are refused, or while a file is being read: `read_again` then
        returns them."""
        try:
            changed = Resolution(change.make(settings))
            found = changed.result(PATIENCE)
        except SettingsError as error:
            self._say(change.refused(str(error)), True)
            return None
        if found is None:
            self._give_up()  # another file is no longer wanted
            self._waiting, self._since = (change, changed), time.monotonic()
            return None
        if change.replaces or spectra(found) != spectra(settings):
            self._give_up()
        return self._accept(found, change)

    def read_again(self, settings: Settings) -> Settings | None:
        """Return the settings with the change that waits for a file; None while it waits, or if none does."""
        if self._waiting is None:
            return None
        change, waiting = self._waiting
        try:
            if waiting.result() is None:
                return None
            self._waiting = None
            return self._accept(resolve(change.make(settings)), change)  # other settings may have changed meanwhile
        except SettingsError as error:
            self._waiting = None
            self._say(change.refused(str(error)), True)
            return None

    def _accept(self, changed: Settings, change: SettingsChange) -> Settings:
        self._named = changed, change.name
        if change.success:
            self._say(change.success, False)
        return changed

    def _give_up(self) -> None:
        if self._waiting:
            self._waiting[1].cancel()
            self._waiting = None

    def name_of(self, settings: Settings) -> str:
        """Return the name of the change that made these settings; empty without a named one."""
        return self._named[1] if self._named and self._named[0] is settings else ""

    @property
    def status(self) -> str:
        """Sentence on the file being read; empty without one."""
        seconds = time.monotonic() - self._since
        return f"reading {self._waiting[1].file}, {seconds:.0f} s; Esc stops …" if self._waiting else ""

    def stop(self) -> None:
        """Give up the file being read."""
        if self._waiting:
            name = self._waiting[1].file
            self._give_up()
            self._say(f"{name} was not read", False)


def preset(name: str, path: Path) -> SettingsChange:
    return SettingsChange(partial(load_scene, path=path), f"preset {name}", f"preset {name}", replaces=True)


def spectra(settings: Settings) -> tuple[object, object]:
    return settings.sea.wind.spectrum, settings.sea.swell.spectrum


def push_font_for(titles: Collection[str], width: float) -> None:
    """Push the largest size of the font at which all titles fit `width`; widths of letters are whole pixels."""
    base = imgui.get_style().font_size_base
    for share in TITLE_SIZES:
        imgui.push_font(None, share * base)
        if share == TITLE_SIZES[-1] or all(imgui.calc_text_size(title).x <= width for title in titles):
            return
        imgui.pop_font()


def scenes(paths: Mapping[str, Path]) -> dict[str, Path]:
    """Return the configs that describe a sea, mildest first: configs with a sea and without FFT settings."""
    trees = {name: read_toml(path) for name, path in paths.items()}
    seas = {name: settings_from(tree) for name, tree in trees.items() if "sea" in tree and "fft" not in tree}
    return {name: paths[name] for name in sorted(seas, key=lambda name: seas[name].sea.wind.speed)}


@cache
def _scene(path: Path) -> Settings:
    return load_scene(Settings(), path)


def is_of(settings: Settings, path: Path) -> bool:
    """Return whether sea, sky and water equal a preset's, wherever the camera is."""
    scene = _scene(path)
    kept = {name.removeprefix("sky."): value_at(settings, name) for name in KEPT if name.startswith("sky.")}
    return (scene.sea, scene.water, scene.sky.model_copy(update=kept)) == (settings.sea, settings.water, settings.sky)


def load_scene(settings: Settings, path: Path) -> Settings:
    """Return the settings of a file over the defaults. Computation and display stay as in `settings` unless the file
    sets them.

    Raises:
        SettingsError: when the file can't be read, or a key or value is wrong.
    """
    kept = reduce(merge, (nested(name, plain(value_at(settings, name))) for name in KEPT))
    return settings_from(merge(merge(to_tree(Settings()), kept), read_toml(path)))


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
