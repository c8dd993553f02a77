"""The panel: a function from settings to settings, drawn mostly from the models that declare them.

Keeps only what is no setting: a file's name, the options that each backend was last given, a message. Knows no GPU.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from pathlib import Path
from typing import Any

from imgui_bundle import imgui

from ocean.fft import BACKENDS
from ocean.parameters import Parameters
from ocean.sea_settings import SeaSettings
from ocean.settings import (
    Settings,
    SettingsError,
    load_settings,
    merge,
    read_toml,
    settings_from,
    to_toml,
    to_tree,
    value_at,
    with_values,
)
from ocean.ui import quality, stages, theme
from ocean.ui.sea_state import SeaState, fact
from ocean.ui.theme import em, tooltip
from ocean.ui.widgets import Editor, plain, spelled
from ocean.waves import statistics, whitecaps
from ocean.waves.systems import unit
from ocean.waves.tiles import make_tiles

WIDTH = 23.0  # em
MARGIN = 12.0
OPEN = imgui.TreeNodeFlags_.default_open
FIXED = imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_resize | imgui.WindowFlags_.no_nav

NO_SCENE = (
    *("fft", "cascades", "stage", "window", "capture", "foam.resolution"),
    *("view.edge_pixels", "view.samples", "view.anisotropy", "view.wireframe"),
)
"""What a preset leaves as it is: how the sea is computed and shown, rather than which sea it is."""


class Command(Enum):
    """What a person asks for that is no setting."""

    PAUSE = auto()
    PICTURE = auto()
    KEYS = auto()
    COMPARE = auto()
    TRUTH = auto()


@dataclass(frozen=True)
class Surroundings:
    """What the panel shows that is no setting."""

    obstacle: Callable[[str, int, Parameters], str | None]  # why a backend can't run a size with these options
    presets: Mapping[str, Path]
    device: str
    paused: bool = False
    memory: Callable[[], Sequence[str]] = tuple  # lines that say what lies in the GPU's memory


class Panel:
    """The settings' window."""

    def __init__(self) -> None:
        self.options: dict[str, Parameters] = {name: plan.Options() for name, plan in BACKENDS.items()}
        self.message = ""
        self.is_error = False
        self._sea_state = SeaState()
        self._file = "my-sea.toml"
        self._commands: set[Command] = set()

    def draw(self, settings: Settings, around: Surroundings) -> tuple[Settings, set[Command]]:
        """Draw the panel for these settings; returns what a person made of them, and what else was asked for."""
        self._commands = set()
        self.options[settings.fft.backend] = settings.fft.options
        display = imgui.get_io().display_size
        imgui.set_next_window_pos(imgui.ImVec2(MARGIN, MARGIN))
        height = display.y - 2 * MARGIN
        width = min(em(WIDTH), 0.5 * display.x)
        imgui.set_next_window_size_constraints(imgui.ImVec2(width, 0), imgui.ImVec2(width, height))
        flags = FIXED | imgui.WindowFlags_.always_auto_resize
        changed = settings
        if imgui.begin("Ocean###panel", None, flags)[0]:
            changed = self._contents(settings, around)
        imgui.end()
        return changed, self._commands

    def say(self, message: str, is_error: bool = False) -> None:
        """Show a line at the panel's top until the next change."""
        self.message, self.is_error = message, is_error

    def _contents(self, settings: Settings, around: Surroundings) -> Settings:
        imgui.push_text_wrap_pos(0.0)
        colour = theme.WRONG if self.is_error else theme.GOOD
        theme.coloured(self.message or around.device, colour if self.message else theme.FAINT)
        imgui.pop_text_wrap_pos()
        self._buttons(around)
        edit = Editor(settings)
        replaced = self._presets(settings, around)
        quality.draw(edit)
        self._fft(edit, around)
        self._sea(edit)
        if imgui.collapsing_header("Foam"):
            edit.fields("foam")
        if imgui.collapsing_header("View"):
            edit.fields("view")
        stages.section(edit)
        if imgui.collapsing_header("Sky and sun"):
            edit.fields("sky")
            edit.fields("water")
        self._buoy(edit)
        if imgui.collapsing_header("Window"):
            edit.fields("window", "time_scale", "blend", "vsync")
        if imgui.collapsing_header("Memory"):
            for line in around.memory():
                imgui.text(line)
        replaced = self._files(settings) or replaced
        return replaced or self._with_changes(settings, edit.changes)

    def _with_changes(self, settings: Settings, changes: Mapping[str, Any]) -> Settings:
        if not changes:
            return settings
        try:
            changed = with_values(settings, changes)
        except SettingsError as error:
            self.say(str(error), is_error=True)
            return settings
        self.say("")
        return changed

    # -- Sections ----------------------------------------------------------------------------------------------------

    def _buttons(self, around: Surroundings) -> None:
        for command, label, text in (
            (Command.PAUSE, "Resume" if around.paused else "Pause", "Stop the sea, or let it go on. Space"),
            (Command.PICTURE, "Screenshot", "Save the picture without the panel. P"),
            (Command.KEYS, "Keys", "List the keys. F1"),
        ):
            if imgui.button(f"{label}###{command.name}", imgui.ImVec2(em(6.1), 0)):
                self._commands.add(command)
            tooltip(text)
            imgui.same_line()
        imgui.new_line()

    def _presets(self, settings: Settings, around: Surroundings) -> Settings | None:
        chosen = None
        for number, (name, path) in enumerate(around.presets.items()):
            if number % 3:
                imgui.same_line()
            if imgui.button(f"{name.replace('-', ' ').capitalize()}##preset", imgui.ImVec2(em(6.1), 0)):
                chosen = self._read(lambda path=path: preset(settings, path), f"preset {name}")  # type: ignore[misc]
            tooltip(f"The sea, sky and view of {path.name}; how they are computed stays.")
        return chosen

    def _fft(self, edit: Editor, around: Surroundings) -> None:
        if not imgui.collapsing_header("FFT", OPEN):
            return
        chosen = edit.settings.fft

        def backend_obstacle(name: str) -> str | None:
            return around.obstacle(name, chosen.size, self.options[name])

        def size_obstacle(size: int) -> str | None:
            return around.obstacle(chosen.backend, size, chosen.options)

        edit.field("fft.backend", reason=backend_obstacle, describe=lambda name: BACKENDS[name].summary)
        if "fft.backend" in edit.changes:
            edit.changes["fft.options"] = plain(self.options[edit.changes["fft.backend"]])
        edit.field("fft.size", reason=size_obstacle)
        edit.field("fft.fused")
        edit.fields("fft.options")

    def _sea(self, edit: Editor) -> None:
        if not imgui.collapsing_header("Sea", OPEN):
            return
        sea = edit.settings.sea
        self._sea_state.draw(edit)
        for row in describe(sea, edit.settings.cascades.count, edit.settings.fft.size):
            fact(*row)
        if imgui.button("Sea truth###TRUTH", imgui.ImVec2(-1, 0)):
            self._commands.add(Command.TRUTH)
        tooltip("Measure the sea as it runs, and hold it against its spectrum. T")
        imgui.separator_text("Wind sea")
        by_height = ("speed",) if sea.wind.height else ()  # which still says how it spreads and foams
        edit.fields("sea.wind", *by_height, "direction", "spectrum", "spreading")
        imgui.separator_text("Swell")
        edit.fields("sea.swell")
        imgui.separator_text("Water")
        edit.fields("sea", "choppiness", "seed", "dispersion", "loop_period")
        edit.field("cascades.count", label="Cascades")

    def _buoy(self, edit: Editor) -> None:
        if not imgui.collapsing_header("Buoy"):
            return
        edit.fields("buoy")
        view = edit.settings.view
        if imgui.button("Bring it here"):
            away = max(6.0, 2.5 * view.altitude)
            ahead = zip(("x", "z"), (view.x, view.z), unit(view.heading), strict=True)
            edit.changes.update({f"buoy.{axis}": round(eye + away * along, 1) for axis, eye, along in ahead})
            edit.changes["buoy.show"] = True
        tooltip("Puts the buoy ahead of the camera.")

    def _files(self, settings: Settings) -> Settings | None:
        loaded = None
        if not imgui.collapsing_header("Load and save"):
            return None
        imgui.set_next_item_width(-em(10))
        _, self._file = imgui.input_text_with_hint("##file", "file.toml", self._file)
        tooltip("A settings file, from the folder that the program was started in.")
        path = Path(self._file.strip()).expanduser()
        path = path if path.suffix or not path.name else path.with_suffix(".toml")
        imgui.same_line()
        if imgui.button("Load", imgui.ImVec2(em(4.4), 0)):
            loaded = self._read(lambda: load_settings(path), f"loaded {path}")
        imgui.same_line()
        if imgui.button("Save", imgui.ImVec2(em(4.4), 0)):
            if not path.name:
                self.say("a file name is missing", is_error=True)
            elif path.exists():
                imgui.open_popup("Overwrite?")
            else:
                self._write(settings, path)
        if imgui.begin_popup_modal("Overwrite?", None, imgui.WindowFlags_.always_auto_resize)[0]:
            imgui.text(f"{path} exists.")
            if imgui.button("Overwrite", imgui.ImVec2(em(7), 0)):
                self._write(settings, path)
                imgui.close_current_popup()
            imgui.same_line()
            if imgui.button("Keep it", imgui.ImVec2(em(7), 0)):
                imgui.close_current_popup()
            imgui.end_popup()
        return loaded

    def _read(self, read: Callable[[], Settings], success: str) -> Settings | None:
        try:
            settings = read()
        except SettingsError as error:
            self.say(str(error), is_error=True)
            return None
        self.say(success)
        return settings

    def _write(self, settings: Settings, path: Path) -> None:
        try:
            path.write_text(to_toml(settings), encoding="utf-8")
        except OSError as error:
            self.say(f"can't write {path}: {error.strerror}", is_error=True)
        else:
            self.say(f"saved {path}")


def scenes(paths: Mapping[str, Path]) -> dict[str, Path]:
    """Those configs that are a sea state, mildest first; profiles and complete settings are none."""
    trees = {name: read_toml(path) for name, path in paths.items()}
    seas = {name: settings_from(tree) for name, tree in trees.items() if "sea" in tree and "fft" not in tree}
    return {name: paths[name] for name in sorted(seas, key=lambda name: seas[name].sea.wind.speed)}


def preset(settings: Settings, path: Path) -> Settings:
    """The sea, sky and view of a settings file over the defaults; how they are computed stays.

    Raises:
        SettingsError: when the file can't be read, or a key or value is wrong.
    """
    scene = settings_from(merge(to_tree(Settings()), read_toml(path)))
    return with_values(scene, {name: plain(value_at(settings, name)) for name in NO_SCENE})


@lru_cache(maxsize=8)
def describe(sea: SeaSettings, cascades: int, size: int) -> tuple[tuple[str, str, str], ...]:
    """What follows from the settings of a sea: names, values, and what they are."""
    systems = sea.systems
    if not systems:
        return (("Waves", "none", "Neither wind nor swell."),)
    height = statistics.predicted_height(systems)
    period = statistics.predicted_peak_period(systems)
    coverage = whitecaps.whitecap_coverage(sea.wind.speed)
    tiles = make_tiles(cascades, sea.longest_peak)
    sides = " · ".join(spelled(float(f"{tile.side:.3g}"), "m") for tile in tiles)
    return (
        ("Wave height", f"{height:.2f} m", "Significant wave height Hs: the mean of the highest third."),
        ("Peak period", f"{period:.1f} s", "Tp, of the waves that carry most energy."),
        ("Wavelength", f"{sea.longest_peak:.0f} m", "At the longest peak."),
        ("Whitecaps", f"{100 * coverage:.2g} %", "Share of the water that foam covers at this wind, by observation."),
        ("Tiles", sides, f"Sides of the cascades' tiles; the smallest texel is {tiles[-1].side / size:.2g} m."),
    )
