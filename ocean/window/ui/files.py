"""The panel's section that loads and saves settings, and its presets."""

import os
from collections.abc import Callable, Mapping
from functools import partial, reduce
from pathlib import Path

from imgui_bundle import imgui

from ocean.common.files import OutputError, whole_files, writing
from ocean.common.resources import LEVELS
from ocean.settings import Settings, SettingsError, settings_from, to_toml, to_tree, value_at
from ocean.settings.quality import level_values
from ocean.settings.trees import merge, nested, read_toml
from ocean.window.ui.theme import em, tooltip
from ocean.window.ui.widgets import plain

KEPT = ("fft", "cascades", "stage", "window", "capture", *level_values(LEVELS[0]))
"""Settings that a scene leaves as they are where its file does not name them: how the sea is computed and shown."""


class Files:
    """Loading and saving of settings. `say` shows the results."""

    def __init__(self, say: Callable[[str, bool], None]) -> None:
        self._say = say
        self._name = "my-sea.toml"

    def presets(self, settings: Settings, paths: Mapping[str, Path]) -> Settings | None:
        """Draw a button for each preset; return the settings of the one that was clicked."""
        chosen = None
        for number, (name, path) in enumerate(paths.items()):
            if number % 3:
                imgui.same_line()
            width = (imgui.get_content_region_avail().x - 2 * imgui.get_style().item_spacing.x) / 3
            width = width if number % 3 == 0 else imgui.get_item_rect_size().x
            if imgui.button(f"{name.replace('-', ' ').capitalize()}##preset", imgui.ImVec2(width, 0)):
                chosen = self.read(partial(load_scene, settings, path), f"preset {name}")
            tooltip(f"Take the sea, sky and view of {path.name}. Quality and FFT stay.")
        return chosen

    def draw(self, settings: Settings) -> Settings | None:
        """Draw the section; return the settings that were loaded."""
        loaded = None
        if not imgui.collapsing_header("Load and save"):
            return None
        imgui.set_next_item_width(-em(10))
        _, self._name = imgui.input_text_with_hint("##file", "file.toml", self._name)
        tooltip("A settings file in the folder where the program was started. Dropping one on the window loads it too.")
        imgui.same_line()
        if imgui.button("Load", imgui.ImVec2(em(4.4), 0)):
            loaded = self.read(partial(load_scene, settings, self._path), f"loaded {self._path}")
        imgui.same_line()
        if imgui.button("Save", imgui.ImVec2(em(4.4), 0)):
            if not self._path.name:
                self._say("type a file name before saving", True)
            elif os.path.exists(self._path):
                imgui.open_popup("Overwrite?")
            else:
                self._write(settings, self._path)
        if imgui.begin_popup_modal("Overwrite?", None, imgui.WindowFlags_.always_auto_resize)[0]:
            imgui.text(f"{self._path} exists.")
            if imgui.button("Overwrite", imgui.ImVec2(em(7), 0)):
                self._write(settings, self._path)
                imgui.close_current_popup()
            imgui.same_line()
            if imgui.button("Keep it", imgui.ImVec2(em(7), 0)):
                imgui.close_current_popup()
            imgui.end_popup()
        return loaded

    @property
    def _path(self) -> Path:
        """Return the path that is typed. A home folder that does not exist, as in ~nobody, stays part of the name."""
        path = Path(os.path.expanduser(self._name.strip()))
        return path if path.suffix or not path.name else path.with_suffix(".toml")

    def read(self, read: Callable[[], Settings], success: str) -> Settings | None:
        """Return the result of `read`; None where it raises SettingsError, whose message is shown."""
        try:
            settings = read()
        except SettingsError as error:
            self._say(str(error), True)
            return None
        self._say(success, False)
        return settings

    def _write(self, settings: Settings, path: Path) -> None:
        try:
            with whole_files(path.parent, [path.name]) as folder, writing(path.parent):
                (folder / path.name).write_text(to_toml(settings), encoding="utf-8")
        except OutputError as error:
            self._say(str(error), True)
        else:
            self._say(f"saved {path}", False)


def scenes(paths: Mapping[str, Path]) -> dict[str, Path]:
    """Return the configs that describe a sea, mildest first: those with a sea and without FFT settings."""
    trees = {name: read_toml(path) for name, path in paths.items()}
    seas = {name: settings_from(tree) for name, tree in trees.items() if "sea" in tree and "fft" not in tree}
    return {name: paths[name] for name in sorted(seas, key=lambda name: seas[name].sea.wind.speed)}


def load_scene(settings: Settings, path: Path) -> Settings:
    """Return the settings of a file over the defaults. How the sea is computed and shown stays as in `settings`, where
    the file does not say it.

    Raises:
        SettingsError: when the file can't be read, or a key or value is wrong.
    """
    kept = reduce(merge, (nested(name, plain(value_at(settings, name))) for name in KEPT))
    return settings_from(merge(merge(to_tree(Settings()), kept), read_toml(path)))
