"""Loading and saving of settings, and the panel's presets."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from pathlib import Path

from imgui_bundle import imgui

from ocean.common.files import OutputError, whole_files, writing
from ocean.common.resources import LEVELS
from ocean.settings import Settings, SettingsError, settings_from, to_toml, to_tree, value_at
from ocean.settings.quality import level_values
from ocean.settings.trees import merge, nested, read_toml
from ocean.window.ui.browser import Browser
from ocean.window.ui.theme import tooltip
from ocean.window.ui.widgets import plain

KEPT = ("fft", "cascades", "stage", "window", "capture", *level_values(LEVELS[0]))
"""Settings that a scene leaves as they are where its file does not name them: how the sea is computed and shown."""
MOST_RECENT = 8  # files in the menu


class Files:
    """Loading and saving of settings. `say` shows the results."""

    def __init__(self, say: Callable[[str, bool], None], recent: Sequence[Path] = ()) -> None:
        self.browser = Browser()
        self.path: Path | None = None
        """File that was opened or saved last, which `save` overwrites."""
        self.recent = list(recent)
        self._say = say

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
        """Draw the dialog while it is open; return the settings that were loaded."""
        answer = self.browser.draw()
        if answer is None:
            return None
        verb, path = answer
        if verb == "Open":
            return self.open(settings, path)
        self.save(settings, path)
        return None

    def open(self, settings: Settings, path: Path) -> Settings | None:
        """Return the settings of a file over these; None where it can't be read, which is said."""
        loaded = self.read(partial(load_scene, settings, path), f"loaded {path}")
        if loaded:
            self._remember(path)
        elif path in self.recent:
            self.recent.remove(path)
        return loaded

    def save(self, settings: Settings, path: Path) -> None:
        """Write the settings into a file, and say how that went."""
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

    def read(self, read: Callable[[], Settings], success: str) -> Settings | None:
        """Return the result of `read`; None where it raises SettingsError, whose message is shown."""
        try:
            settings = read()
        except SettingsError as error:
            self._say(str(error), True)
            return None
        self._say(success, False)
        return settings


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
