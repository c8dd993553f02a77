"""The panel: a function from settings to settings, drawn mostly from the models that declare them.

Its own state is no setting: the last options of each backend, and a message. Knows no GPU.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial

from imgui_bundle import imgui

from ocean.common.parameters import Parameters
from ocean.fft import BACKENDS
from ocean.settings import Settings, with_values
from ocean.settings.sea_settings import SeaSettings
from ocean.waves import statistics, whitecaps
from ocean.waves.systems import unit
from ocean.waves.tiles import make_tiles
from ocean.window.ui import quality, stage_keys
from ocean.window.ui.keys import Action, Actions
from ocean.window.ui.saved_settings import Files, SettingsChange
from ocean.window.ui.sea_state import SeaState, draw_remark, fact
from ocean.window.ui.search import Search
from ocean.window.ui.theme import em, tooltip
from ocean.window.ui.widgets import Editor, Typing, plain, spelled

OPEN = imgui.TreeNodeFlags_.default_open


class Panel:
    def __init__(
        self,
        files: Files,
        say: Callable[[str, bool], None],
        actions: Actions,
        obstacle: Callable[[str, int, Parameters], str | None],
        memory: Callable[[], str],
        pinned: Sequence[str],
    ) -> None:
        """Take `obstacle`, which returns why a backend can't run a size with some options, or None if it can, and
        `memory`, which returns lines on the GPU's memory."""
        self.options: dict[str, Parameters] = {name: plan.Options() for name, plan in BACKENDS.items()}
        self.search = Search()
        self.pinned = list(pinned)
        """Key paths of the settings at the panel's top."""
        self._files, self._say, self._actions = files, say, actions
        self._obstacle, self._memory = obstacle, memory
        self._typing = Typing()
        self._sea_state = SeaState()
        self._asked: list[Action] = []

    def draw(self, settings: Settings, paused: bool, inert: Mapping[str, str]) -> tuple[Settings, list[Action]]:
        """Draw the panel; return the settings, changed or not, and the chosen actions. `inert` has the reasons why
        settings have no effect, by key path."""
        self._asked = []
        self.options[settings.fft.backend] = settings.fft.options
        changed = settings
        if imgui.begin("Settings###panel")[0]:
            changed = self._contents(Editor(settings, self._typing, inert, self.pinned), paused)
        imgui.end()
        return changed, self._asked

    def _contents(self, edit: Editor, paused: bool) -> Settings:
        if self.search.draw(edit):
            return self._with_changes(edit)
        self._buttons(paused)
        imgui.separator_text("Presets")
        replaced = self._files.draw_presets(edit.settings)
        quality.draw(edit)
        if self.pinned and imgui.collapsing_header("Pinned", OPEN):
            edit.pins()
        self._fft(edit)
        self._sea(edit)
        if section(edit, "Foam", "foam"):
            edit.fields("foam")
        if section(edit, "Camera and surface", "view"):
            edit.fields("view")
        stage_keys.section(edit)
        if section(edit, "Sky and sun", "sky", "water"):
            edit.fields("sky")
            edit.fields("water")
        self._buoy(edit)
        if section(edit, "Window and movies", "window"):
            edit.fields("window", "time_scale", "blend", "vsync", "scale", "movie_length", "movie_fps")
        if imgui.collapsing_header("Memory"):
            imgui.text(self._memory())
        return replaced or self._with_changes(edit)

    def _with_changes(self, edit: Editor) -> Settings:
        if edit.remark:
            self._say(edit.remark, True)
        if not edit.changes:
            return edit.settings
        change = SettingsChange(partial(with_values, values=edit.changes), edit.name)
        return self._files.read(edit.settings, change) or edit.settings

    # -- Sections ----------------------------------------------------------------------------------------------------

    def _buttons(self, paused: bool) -> None:
        pause, picture, movie = self._actions.pause, self._actions.picture, self._actions.movie
        buttons = ("Resume" if paused else "Pause", pause), ("Screenshot", picture), ("Movie", movie)
        gaps = imgui.get_style().item_spacing.x * (len(buttons) - 1)
        width = (imgui.get_content_region_avail().x - gaps) / len(buttons)
        for number, (label, action) in enumerate(buttons):
            if number:
                imgui.same_line()
            if imgui.button(f"{label}###button {number}", (width, 0)):
                self._asked.append(action)
            tooltip(f"{action.sentence}. {action.shortcut}")

    def _fft(self, edit: Editor) -> None:
        if not section(edit, "FFT", "fft", flags=OPEN):
            return
        chosen = edit.settings.fft

        def about_backend(name: str) -> tuple[bool, str]:
            obstacle = self._obstacle(name, chosen.size, self.options[name])
            return obstacle is None, obstacle or BACKENDS[name].summary

        def about_size(size: int) -> tuple[bool, str]:
            obstacle = self._obstacle(chosen.backend, size, chosen.options)
            return obstacle is None, obstacle or ""

        edit.field("fft.backend", about=about_backend)
        if "fft.backend" in edit.changes:
            edit.changes["fft.options"] = plain(self.options[edit.changes["fft.backend"]])
        edit.field("fft.size", about=about_size)
        edit.field("fft.fused")
        self._fft_options(edit)
        edit.field("fft.half_derivatives")

    def _fft_options(self, edit: Editor) -> None:
        """Draw a button beside the control before, for a backend with options, which opens them: rows of their own
        would move the rows below when the backend changes."""
        backend, options = edit.settings.fft.backend, type(edit.settings.fft.options).model_fields
        if not options:
            return
        room, width = imgui.get_content_region_avail().x, em(6)
        changed = sum(edit.is_changed(f"fft.options.{name}") for name in options)
        imgui.same_line(imgui.get_cursor_pos_x() + room - em(1.9) - width)
        if imgui.button(f"Options ({changed})" if changed else "Options", (width, 0)):
            imgui.open_popup("fft options")
        tooltip(f"Choose how {backend} works: {', '.join(options)}.")
        imgui.set_next_window_size((room + 2 * imgui.get_style().window_padding.x, 0))
        if imgui.begin_popup("fft options"):
            edit.fields("fft.options")
            imgui.end_popup()

    def _sea(self, edit: Editor) -> None:
        if not section(edit, "Sea", "sea", "cascades", flags=OPEN):
            return
        sea = edit.settings.sea
        self._sea_state.draw(edit)
        for row in describe(sea, edit.settings.cascades.count, edit.settings.fft.size):
            fact(*row)
        draw_remark(sea)
        if imgui.button("Sea truth###truth button", (-1, 0)):
            self._asked.append(self._actions.truth)
        tooltip("Measure the sea while it runs, and compare it with its spectrum. T")
        imgui.separator_text("Wind sea")
        by_height = ("speed",) if sea.wind.height else ()  # the wind still sets spread and foam
        edit.fields("sea.wind", *by_height, "direction", "spectrum", "spreading")
        imgui.separator_text("Swell")
        edit.fields("sea.swell")
        imgui.separator_text("Water")
        edit.fields("sea", "choppiness", "crests", "seed", "dispersion", "loop_period", "dynamics", "order")
        edit.field("cascades.count", label="Cascades")

    def _buoy(self, edit: Editor) -> None:
        if not section(edit, "Buoy", "buoy"):
            return
        edit.fields("buoy")
        view = edit.settings.view
        if imgui.button("Bring it here"):
            away = max(6.0, 2.5 * view.altitude)
            ahead = zip(("x", "z"), (view.x, view.z), unit(view.heading), strict=True)
            edit.changes.update({f"buoy.{axis}": round(eye + away * along, 1) for axis, eye, along in ahead})
            edit.changes["buoy.show"] = True
        tooltip("Put the buoy ahead of the camera.")


def section(edit: Editor, title: str, *prefixes: str, flags: int = 0) -> bool:
    """Draw the heading of a section with the settings below some key paths; return whether it is open."""
    is_open = imgui.collapsing_header(title, flags)
    tooltip("A right click copies, pastes or resets the section.")
    edit.section_menu(*prefixes)
    return bool(is_open)


@lru_cache(maxsize=8)
def describe(sea: SeaSettings, cascades: int, size: int) -> tuple[tuple[str, str, str], ...]:
    """Return derived properties of a sea: names, values, and explanations."""
    systems = sea.systems
    peaks = " · ".join(f"{statistics.predicted_peak_period([system]):.3g} s" for system in systems) or "none"
    coverage = whitecaps.whitecap_coverage(sea.wind.speed)
    tiles = make_tiles(cascades, sea.longest_peak)
    whole, carried = statistics.predicted_height(systems), statistics.carried_height(tiles, size, systems)
    height, help = f"{whole:.2f} m", "Significant wave height Hs, the mean of the highest third of the waves."
    if carried < 0.99 * whole:
        help += f" The spectrum has {height}; an FFT of this size leaves out some of its waves."
        height = f"{carried:.2f} m of {height}"
    sides = " · ".join(spelled(float(f"{tile.side:.3g}"), "m") for tile in tiles)
    return (
        ("Wave height", height, help),
        ("Peak period", peaks, "Tp, at which the spectrum is highest: wind sea, then swell."),
        ("Wavelength", f"{sea.longest_peak:.0f} m", "Length of the waves at the longest peak."),
        (
            "Whitecaps",
            f"{100 * coverage:.2g} %",
            "Whitecap coverage: share of the water that foam covers at this wind, by observation.",
        ),
        ("Tiles", sides, f"Sides of the cascades' tiles; the smallest texel is {tiles[-1].side / size:.2g} m."),
    )
