"""The panel: a function from settings to settings, drawn mostly from the models that declare them.

Keeps only what is no setting: the options that each backend was last given, a message. Knows no GPU.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from imgui_bundle import imgui

from ocean.common.parameters import Parameters
from ocean.fft import BACKENDS
from ocean.settings import Settings, SettingsError, with_values
from ocean.settings.sea import SeaSettings
from ocean.waves import statistics, whitecaps
from ocean.waves.systems import unit
from ocean.waves.tiles import make_tiles
from ocean.window.ui import quality, stages, theme
from ocean.window.ui.files import Files
from ocean.window.ui.keys import Action, action_of, shortcut
from ocean.window.ui.sea_state import SeaState, fact
from ocean.window.ui.search import Search
from ocean.window.ui.theme import tooltip
from ocean.window.ui.widgets import Editor, plain, spelled

OPEN = imgui.TreeNodeFlags_.default_open
BUTTONS = (("pause", "Pause"), ("save", "Screenshot"), ("toggle_recording", "Movie"))
"""Actions that have a button, and its label."""


@dataclass(frozen=True)
class Surroundings:
    """What the panel shows that is no setting."""

    obstacle: Callable[[str, int, Parameters], str | None]  # why a backend can't run a size with these options
    presets: Mapping[str, Path]
    paused: bool = False
    memory: Callable[[], Sequence[str]] = tuple  # lines that say what lies in the GPU's memory


class Panel:
    """The settings' window."""

    def __init__(self) -> None:
        self.options: dict[str, Parameters] = {name: plan.Options() for name, plan in BACKENDS.items()}
        self.message = ""
        self.is_error = False
        self.search = Search()
        self.files = Files(self.say)
        self._sea_state = SeaState()
        self._asked: list[Action] = []

    def draw(self, settings: Settings, around: Surroundings) -> tuple[Settings, list[Action]]:
        """Draw the panel for these settings; returns what a person made of them, and what else was asked for."""
        self._asked = []
        self.options[settings.fft.backend] = settings.fft.options
        changed = settings
        if imgui.begin("Settings###panel")[0]:
            changed = self._contents(settings, around)
        imgui.end()
        return changed, self._asked

    def say(self, message: str, is_error: bool = False) -> None:
        """Show a line at the panel's top until the next change."""
        self.message, self.is_error = message, is_error

    def _contents(self, settings: Settings, around: Surroundings) -> Settings:
        if self.message:
            imgui.push_text_wrap_pos(0.0)
            theme.coloured(self.message, theme.WRONG if self.is_error else theme.GOOD)
            imgui.pop_text_wrap_pos()
        edit = Editor(settings)
        if self.search.draw(edit):
            return self._with_changes(settings, edit.changes)
        self._buttons(around)
        replaced = self.files.presets(settings, around.presets)
        quality.draw(edit)
        self._fft(edit, around)
        self._sea(edit)
        if imgui.collapsing_header("Foam"):
            edit.fields("foam")
        if imgui.collapsing_header("Camera and surface"):
            edit.fields("view")
        stages.section(edit)
        if imgui.collapsing_header("Sky and sun"):
            edit.fields("sky")
            edit.fields("water")
        self._buoy(edit)
        if imgui.collapsing_header("Window and movies"):
            edit.fields("window", "time_scale", "blend", "vsync", "scale", "movie_length", "movie_fps")
        if imgui.collapsing_header("Memory"):
            for line in around.memory():
                imgui.text(line)
        replaced = self.files.draw(settings) or replaced
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
        space = imgui.get_style().item_spacing.x
        width = (imgui.get_content_region_avail().x - space * (len(BUTTONS) - 1)) / len(BUTTONS)
        for number, (method, label) in enumerate(BUTTONS):
            action = action_of(method)
            if number:
                imgui.same_line()
            name = "Resume" if method == "pause" and around.paused else label
            if imgui.button(f"{name}###{method}", imgui.ImVec2(width, 0)):
                self._asked.append(action)
            tooltip(f"{action.meaning[:1].upper()}{action.meaning[1:]}. {shortcut(action.keys[0])}")

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
        edit.field("fft.half_derivatives")
        edit.fields("fft.options")

    def _sea(self, edit: Editor) -> None:
        if not imgui.collapsing_header("Sea", OPEN):
            return
        sea = edit.settings.sea
        self._sea_state.draw(edit)
        for row in describe(sea, edit.settings.cascades.count, edit.settings.fft.size):
            fact(*row)
        if imgui.button("Sea truth###truth button", imgui.ImVec2(-1, 0)):
            self._asked.append(action_of("toggle_truth"))
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
