"""The panel: a function from settings to settings, drawn mostly from the models that declare them.

Its own state is not a setting: the last options of each backend, and a message. Knows no GPU.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache, partial
from itertools import groupby

import numpy as np
from imgui_bundle import imgui, imgui_ctx, implot
from pydantic.fields import FieldInfo

from ocean.common.parameters import Parameters, choice_names, hints_of, nearest
from ocean.common.resources import AUTOMATIC, LEVELS
from ocean.fft import BACKENDS
from ocean.render.debug_drawing import COLOURED
from ocean.render.debug_views import DEBUG_VIEWS
from ocean.settings import PICTURE, Settings, level_of, level_values, with_values
from ocean.settings.model import FoamSettings, SeaSettings
from ocean.waves import WhitecapLaw, statistics
from ocean.waves.dispersion import Array
from ocean.waves.spectra import FileSpectrum, SpectrumRecord, station_number
from ocean.waves.systems import BEAUFORT, SEA_STATES, beaufort_number, sea_state_number, unit
from ocean.waves.tiles import make_tiles
from ocean.window.changes import Change
from ocean.window.ui import theme, view_controls
from ocean.window.ui.dialogs import Actions
from ocean.window.ui.files import Files, Request
from ocean.window.ui.theme import em, tooltip
from ocean.window.ui.widgets import DEFAULTS, LABEL_WIDTH, Editor, leaves, spelled

POINTS = 200  # of the sea's curve beside the spectrum of a file
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
        keeps: Callable[[object], bool],
    ) -> None:
        """Take `obstacle`, which returns why a backend can't run a size with some options, or None if it can;
        `memory`, which returns lines on the GPU's memory; and `keeps`, which says if a window keeps what it shows of
        given values."""
        self.options: dict[str, Parameters] = {name: plan.Options() for name, plan in BACKENDS.items()}
        self.search = Search()
        self.values = view_controls.ValuesPlot()
        self.quality = ""  # what quality automatic has chosen
        self.pinned = list(pinned)
        """Key paths of the settings at the panel's top."""
        self._edit = Editor(self.pinned)
        self._files, self._say, self._actions = files, say, actions
        self._obstacle, self._memory = obstacle, memory
        self._keeps, self._shows_memory = keeps, False
        self._way = Way.WIND

    def draw(self, settings: Settings, paused: bool, inert: Mapping[str, str]) -> Change | None:
        """Draw the panel; return the change. `inert` says, by key path, why a setting has no effect."""
        self.options[settings.fft.backend] = settings.fft.options
        with imgui_ctx.begin("Settings###panel") as window:
            changes = self.values.is_open or self._shows_memory  # without an event
            if not window.expanded or self._keeps(None if changes else (settings, paused, self.quality, inert)):
                return None
            self._edit.begin(settings, inert)
            return self._contents(self._edit, paused)

    def _contents(self, edit: Editor, paused: bool) -> Change | None:
        if self.search.draw(edit):
            return self._change(edit)
        self._buttons(paused)
        imgui.separator_text("Presets")
        replaced = self._files.draw_presets(edit.settings)
        self._quality(edit)
        if self.pinned and imgui.collapsing_header("Pinned", OPEN):
            edit.pins()
        self._fft(edit)
        self._sea(edit)
        if section(edit, "Foam", "foam"):
            edit.fields("foam")
        if section(edit, "Camera and surface", "view"):
            edit.fields("view")
        view_controls.debug_views(edit, self.values)
        if section(edit, "Sky and sun", "sky", "water"):
            edit.fields("sky")
            if edit.settings.sky.remark:
                theme.wrapped(edit.settings.sky.remark, theme.FAINT)
            edit.fields("water")
        self._buoy(edit)
        if section(edit, "Window and movies", "window"):
            edit.fields("window", "time_scale", "blend", "vsync", "scale", "movie_length", "movie_fps")
        self._shows_memory = imgui.collapsing_header("Memory")
        if self._shows_memory:
            imgui.text(self._memory())
        return replaced or self._change(edit)

    def _change(self, edit: Editor) -> Change | None:
        if edit.remark:
            self._say(edit.remark, True)
        if not edit.changes:
            return None
        return self._files.read(edit.settings, Request(partial(with_values, values=edit.changes)))

    def _buttons(self, paused: bool) -> None:
        pause, picture, movie = self._actions.pause, self._actions.picture, self._actions.movie
        buttons = ("Resume" if paused else "Pause", pause), ("Screenshot", picture), ("Movie", movie)
        gaps = imgui.get_style().item_spacing.x * (len(buttons) - 1)
        width = (imgui.get_content_region_avail().x - gaps) / len(buttons)
        for number, (label, action) in enumerate(buttons):
            if number:
                imgui.same_line()
            help = f"{action.sentence}. {action.shortcut}"
            self._actions.button(f"{label}###button {number}", action.run, help, width)

    def _quality(self, edit: Editor) -> None:
        def values_of(level: str) -> str:
            return "\n".join(f"{path} = {value}" for path, value in level_values(level).items())

        now = AUTOMATIC if edit.settings.window.automatic else level_of(edit.settings)
        edit.label("Quality", now != level_of(DEFAULTS))
        tooltip(QUALITY_HELP)
        imgui.set_next_item_width(-em(1.9))
        chosen = theme.combo("##quality", now or "as set below", (AUTOMATIC, *LEVELS), now or "", values_of)
        tooltip(QUALITY_HELP)
        if chosen:
            self._actions.asked.append(partial(self._actions.take_quality, chosen))
        if self.quality:
            theme.wrapped(self.quality, theme.FAINT)

    def _fft(self, edit: Editor) -> None:
        if not section(edit, "FFT", "fft", flags=OPEN):
            return
        chosen = edit.settings.fft
        edit.field(
            "fft.backend",
            about=lambda name: BACKENDS[name].summary,
            obstacle=lambda name: self._obstacle(name, chosen.size, self.options[name]),
        )
        if "fft.backend" in edit.changes:
            edit.changes["fft.options"] = self.options[edit.changes["fft.backend"]]
        edit.field("fft.size", obstacle=lambda size: self._obstacle(chosen.backend, size, chosen.options))
        edit.field("fft.fused")
        self._fft_options(edit)
        edit.field("fft.half_derivatives")

    def _fft_options(self, edit: Editor) -> None:
        """Draw a button that opens the backend's options: rows for them would move the rows below with each backend."""
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
        browse = partial(self._files.dialog.ask, "Load")
        self._wind_sea(edit, browse)
        for name, value, text in describe(
            sea, edit.settings.foam, edit.settings.cascades.count, edit.settings.fft.size
        ):
            theme.coloured(name, theme.FAINT)
            tooltip(text)
            imgui.same_line(em(LABEL_WIDTH))
            theme.coloured(value, theme.ACCENT)
            tooltip(text)
        draw_remark(edit)
        help = "Measure the sea while it runs, and compare it with its spectrum. T"
        self._actions.button("Sea truth###truth button", self._actions.validation.run, help, -1)
        imgui.separator_text("Wind sea")
        by_height = ("speed",) if sea.wind.height else ()  # the wind still sets spread and foam
        edit.fields("sea.wind", *by_height, "direction", "spectrum", "spreading")
        draw_spectrum_file(edit, browse)
        imgui.separator_text("Swell")
        edit.fields("sea.swell")
        imgui.separator_text("Water")
        edit.fields("sea", "choppiness", "crests", "seed", "dispersion", "loop_period", "dynamics", "order")
        edit.field("cascades.count", label="Cascades")

    def _wind_sea(self, edit: Editor, browse: Callable[[], None]) -> None:
        """Draw the wind sea's quantities. `browse` opens the dialog for the file of a spectrum."""
        sea = edit.settings.sea
        way = fitting(self._way, sea)
        self._way = self._way if way is Way.FILE else way
        edit.label("Given by", False)
        imgui.set_next_item_width(-1)
        chosen = theme.combo("##way", way, Way, way, obstacle=partial(obstacle, sea))
        tooltip("Quantities that choose the wind sea. The others follow.")
        if chosen is Way.FILE:
            browse()
        elif chosen:
            self._way = chosen
            edit.changes |= changes_towards(chosen, sea)
        if way is Way.BEAUFORT:
            draw_scale(edit, "beaufort", "Beaufort", beaufort_number(sea.wind.speed), BEAUFORT)
        elif way is Way.STATE:
            draw_scale(edit, "state", "Sea state", sea_state_number(wind_sea(sea)[0]), SEA_STATES)
        for name in FIELDS[way]:
            edit.field(f"sea.wind.{name}", label="Wind speed" if name == "speed" else "")
        edit.field("sea.depth")

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


LAWS: Mapping[WhitecapLaw, str] = {
    "monahan-1980": "fitted to winds below 20 m/s",
    "callaghan-2008": "fitted to winds of 3.7 to 23.1 m/s",
    "saturating": "fitted to winds of 3.7 to 23.1 m/s; at most 10 % in any wind",
}
"""Ranges of the laws of whitecaps (`waves.whitecaps.whitecap_coverage`)."""


@lru_cache(maxsize=8)
def describe(sea: SeaSettings, foam: FoamSettings, cascades: int, size: int) -> tuple[tuple[str, str, str], ...]:
    """Return derived properties of a sea: names, values, and explanations."""
    systems, speed, (wind_height, period) = sea.systems, sea.wind.speed, wind_sea(sea)
    beaufort, state = beaufort_number(speed), sea_state_number(wind_height)
    peaks = " · ".join(f"{statistics.predicted_peak_period([system]):.3g} s" for system in systems) or "none"
    tiles = make_tiles(cascades, sea.longest_peak)
    whole, carried = statistics.predicted_height(systems), statistics.carried_height(tiles, size, systems)
    height, missing = f"{whole:.2f} m", ""
    if carried < 0.99 * whole:
        missing = f" The spectrum has {height}; an FFT of this size leaves out some of its waves."
        height = f"{carried:.2f} m of {height}"
    sides = " · ".join(spelled(float(f"{tile.side:.3g}"), "m") for tile in tiles)
    return (
        (
            "Wind",
            f"{spelled(speed, 'm/s')} · {beaufort} {BEAUFORT[beaufort]}",
            "Wind speed 10 m over the water, and its Beaufort number.\nSource: the settings.\nRange: 0 to 40 m/s.",
        ),
        (
            "Wind sea",
            f"{wind_height:.3g} m, {period:.3g} s · {state} {SEA_STATES[state]}",
            "Significant height, peak period and WMO sea state of the wind sea, without the swell.\n"
            "Source: wind, fetch and depth, or the height and period that are set.\nRange: sea states 0 to 9.",
        ),
        (
            "Wave height",
            height,
            "Significant wave height Hs: four standard deviations of the elevation, nearly the mean of the highest "
            f"third of the waves.\nSource: the spectrum of wind sea and swell.{missing}\n"
            "Range: up to 0.6 of the depth, where waves break.",
        ),
        (
            "Peak period",
            peaks,
            "Tp: the period at which S(ω) is highest, of the wind sea, then of the swell.\n"
            "Source: the settings above, by the spectrum's own formula.\nRange: 1 to 25 s if it is set.",
        ),
        (
            "Wavelength",
            f"{sea.longest_peak:.0f} m",
            "Length of the waves at the longest peak.\nSource: its period, by the dispersion relation at this depth.\n"
            "Range: up to 1.56 m/s² times the square of the period, in deep water.",
        ),
        (
            "Energy",
            f"{statistics.wave_energy(whole):.3g} kJ/m²",
            "Energy of the waves per area, if they were linear.\n"
            "Source: the spectrum. Sea truth measures the energy of nonlinear waves, what breaking takes from it, and "
            "the lengths of breaking fronts, Λ(c).\nRange: proportional to the square of the wave height.",
        ),
        (
            "Whitecaps",
            f"{foam.coverage(sea)} by the law",
            "Fraction of the water under whitecaps, decaying foam included; streaks lie between them.\n"
            f"Source: the law {foam.law} for this wind and a wave age of {sea.wave_age:.2g}, times foam.amount. "
            f"The foam map aims at it, and Sea truth measures the map.\nRange: {LAWS[foam.law]}.",
        ),
        (
            "Tiles",
            sides,
            f"Sides of the cascades' tiles; the smallest texel is {tiles[-1].side / size:.2g} m.\n"
            "Source: the longest peak, the number of cascades and the size of the FFT.\n"
            "Range: the first holds the longest waves, each later one shorter waves.",
        ),
    )


MOST = 40  # maximum number of settings that are shown


class Search:
    def __init__(self) -> None:
        self.words = ""
        self.only_changed = False
        self.wants_focus = False  # True: the next frame puts the keyboard into the field

    @property
    def is_active(self) -> bool:
        """Whether matching settings replace the panel."""
        return bool(self.words.strip()) or self.only_changed

    def end(self) -> None:
        self.words, self.only_changed = "", False

    def draw(self, edit: Editor) -> bool:
        """Draw the field, its switch, and matching settings; return whether these replace the panel."""
        if self.wants_focus:
            imgui.set_keyboard_focus_here()
            self.wants_focus = False
        has_words = bool(self.words)  # words from this frame come too late for the field's width
        imgui.set_next_item_width(-em(8.4 if has_words else 6.5))
        _, self.words = imgui.input_text_with_hint("##search", "Find a setting: foam, m/s …", self.words)
        if imgui.is_item_deactivated() and imgui.is_key_pressed(imgui.Key.escape):
            imgui.set_nav_cursor_visible(False)  # keys go back to the view
        if not imgui.is_item_active():  # else it would cover the matches
            tooltip("Type words of a setting's name, key, unit, help or choices. A setting matches all words. Ctrl+F")
        if has_words:
            imgui.same_line(0.0, em(0.3))
            if imgui.button("×##search", (em(1.5), 0)):
                self.words = ""
        imgui.same_line()
        _, self.only_changed = imgui.checkbox("changed", self.only_changed)
        tooltip("Show only settings that are not at their defaults.")
        if not self.is_active:
            return False
        found = matches(edit.settings, self.words)
        if self.only_changed:
            found = [path for path in found if edit.is_changed(path)]
        for group, paths in groupby(found[:MOST], group_of):
            imgui.separator_text(heading(group))
            for path in paths:
                edit.field(path, nested=False)  # matching fields of its kind have rows of their own
        if len(found) > MOST:
            theme.coloured(f"{len(found) - MOST} more match; add a word", theme.FAINT)
        if not found:
            names = [path.rpartition(".")[2] for path, _ in leaves(edit.settings)]
            hint = (
                f"no setting has {self.words!r}{nearest(self.words, names)}"
                if self.words
                else "all settings have their defaults"
            )
            theme.wrapped(hint, theme.FAINT)
        return True


@lru_cache(maxsize=4)
def matches(settings: Settings, words: str) -> list[str]:
    """Return the key paths of settings with all words, group by group; matching names come first."""
    wanted = words.lower().split()
    found = [(path, text(path, info)) for path, info in leaves(settings)]
    hits = [path for path, words_of in found if all(word in words_of for word in wanted)]
    hits.sort(key=lambda path: not all(word in path.replace("_", " ") for word in wanted))
    groups = list(dict.fromkeys(map(group_of, hits)))
    return sorted(hits, key=lambda path: groups.index(group_of(path)))


def group_of(path: str) -> str:
    return path.rpartition(".")[0]


def heading(group: str) -> str:
    names = {"fft": "FFT", "stage": "Debug view"}
    return " · ".join(names.get(part, part.capitalize()) for part in group.split("."))


def text(path: str, info: FieldInfo) -> str:
    words = path, path.replace("_", " "), info.description or "", hints_of(info).unit, *choice_names(info)
    return " ".join(words).lower()


class Way(StrEnum):
    """Quantities by which a person chooses the sea."""

    WIND = "wind and fetch"
    BEAUFORT = "Beaufort number"
    STATE = "WMO sea state"
    HEIGHT = "height and period"
    FILE = "file"


FIELDS = {
    Way.WIND: ("speed", "fetch"),
    Way.BEAUFORT: ("fetch",),
    Way.STATE: (),
    Way.HEIGHT: ("height", "period"),
    Way.FILE: ("speed",),
}
"""Fields of `sea.wind` for each way."""


def fitting(way: Way, sea: SeaSettings) -> Way:
    """Return the chosen way, or a fitting one if the settings came from elsewhere."""
    if isinstance(sea.wind.spectrum, FileSpectrum):
        return Way.FILE
    if sea.wind.height and way in (Way.WIND, Way.BEAUFORT):
        return Way.HEIGHT
    return Way.WIND if way is Way.HEIGHT and not sea.wind.height else way


def draw_scale(edit: Editor, name: str, label: str, number: int, names: tuple[str, ...]) -> None:
    """Draw a slider over the numbers of a scale, with the name of each."""
    path, info = f"sea.{name}", SeaSettings.model_fields[name]
    edit.label(label, True)
    imgui.set_next_item_width(-em(1.9))
    flags = imgui.SliderFlags_.always_clamp | imgui.SliderFlags_.no_input
    moved, new = imgui.slider_int(f"##{path}", number, 0, len(names) - 1, f"{number} · {names[number]}", flags)
    tooltip(f"{info.description}\n{path}")
    if moved and new != number:
        edit.changes[path] = new


def obstacle(sea: SeaSettings, way: Way) -> str:
    """Return why a sea can't be given in a way; empty if it can."""
    if way in (Way.STATE, Way.HEIGHT) and not isinstance(sea.wind.spectrum, FileSpectrum):
        try:
            sea.wind.spectrum.shape_of_height(1.0, 5.0, sea.depth, sea.dispersion)
        except ValueError as error:
            return f"{error}."
    return ""


def changes_towards(way: Way, sea: SeaSettings) -> dict[str, object]:
    """Return the changes that give the sea in another way. The sea does not change, with three exceptions: heights that
    do not follow from the wind; flat water, which gets sea state 1; and the spectrum of a file, which becomes JONSWAP,
    of the same height and peak period if they give the sea."""
    is_file = isinstance(sea.wind.spectrum, FileSpectrum)
    changes: dict[str, object] = {"sea.wind.spectrum": {"kind": "jonswap"}} if is_file else {}
    if way is Way.STATE or (way is Way.HEIGHT and sea.wind.height):
        return changes
    if way is not Way.HEIGHT:
        return changes | {"sea.wind.height": 0.0}
    height, period = wind_sea(sea)
    if not height:
        return changes | {"sea.state": 1}
    height, period = min(20.0, float(f"{height:.3g}")), min(25.0, max(1.0, period))
    return changes | {"sea.wind.height": height, "sea.wind.period": period}


@lru_cache(maxsize=8)
def wind_sea(sea: SeaSettings) -> tuple[float, float]:
    """Return the significant height [m] and the peak period [s] of the wind sea; 0 if it is flat."""
    system = sea.wind.system(sea.depth, sea.dispersion)
    if system.is_flat:
        return 0.0, 0.0
    return statistics.predicted_height([system]), float(f"{statistics.predicted_peak_period([system]):.3g}")


@lru_cache(maxsize=8)
def remarks(sea: SeaSettings) -> tuple[str, str, float]:
    return sea.remark, sea.warning, sea.missing_wind


def draw_remark(edit: Editor) -> None:
    """Draw a warning about the sea with the remark as its tooltip, or else the remark; and a button for the wind of a
    sea that lacks whitecaps. There is room for three lines, so that rows below stay in place."""
    top, (remark, warning, wind) = imgui.get_cursor_pos_y(), remarks(edit.settings.sea)
    theme.wrapped(warning or remark, theme.WARNING if warning else theme.FAINT)
    if warning and remark:
        tooltip(remark)
    if wind and imgui.button(f"Raise the wind to {wind:g} m/s###raise wind", (-em(1.9), 0)):
        edit.changes["sea.wind.speed"] = wind
    imgui.set_cursor_pos_y(max(imgui.get_cursor_pos_y(), top + 3 * imgui.get_text_line_height_with_spacing()))


def draw_spectrum_file(edit: Editor, browse: Callable[[], None]) -> None:
    """Draw the controls if the wind sea's spectrum comes from a file. `browse` opens the dialog for another file."""
    spectrum = edit.settings.sea.wind.spectrum
    if not (isinstance(spectrum, FileSpectrum) and isinstance(record := spectrum.content, SpectrumRecord)):
        return
    if imgui.button("Browse###browse", (-em(1.9), 0)):
        browse()
    tooltip("Choose another file of a wave spectrum.")
    for name, label, names, chosen in (
        ("time", "Record", record.times, spectrum.time % max(len(record.times), 1)),
        ("station", "Station", record.stations, station_number(spectrum.station, record.stations)),
    ):
        if len(names) > 1:
            choose_record(edit, f"sea.wind.spectrum.{name}", label, names, chosen)
    if record.source:
        theme.wrapped(record.source, theme.FAINT)
    plot_spectrum(record, edit.settings.sea)


def choose_record(edit: Editor, path: str, label: str, names: Sequence[str], chosen: int) -> None:
    edit.label(label, False)
    imgui.set_next_item_width(-em(1.9))
    if imgui.begin_combo(f"##records {path}", f"{chosen}  {names[chosen]}"):
        clipper = imgui.ListClipper()  # a buoy's year has 9,000 records
        clipper.begin(len(names))
        while clipper.step():
            for number in range(clipper.display_start, clipper.display_end):
                picked, _ = imgui.selectable(f"{number}  {names[number]}", number == chosen)
                if picked and number != chosen:
                    is_name = path.endswith("station") and names[number] and names.count(names[number]) == 1
                    edit.changes[path] = names[number] if is_name else number
        imgui.end_combo()
    else:
        tooltip(f"{len(names)} in this file.\n{path}")


def plot_spectrum(record: SpectrumRecord, sea: SeaSettings) -> None:
    """Plot the variance density of the file over that of the whole sea, wind sea and swell."""
    if not implot.begin_plot("##file spectrum", (-1, em(12)), implot.Flags_.no_inputs):
        return
    implot.setup_axes("frequency [Hz]", "density [m²/Hz]", implot.AxisFlags_.auto_fit, implot.AxisFlags_.auto_fit)
    implot.setup_legend(implot.Location_.south, implot.LegendFlags_.outside | implot.LegendFlags_.horizontal)
    file, whole = spectrum_curves(record, sea)
    implot.plot_line("sea", *whole, implot.Spec(line_color=theme.TEXT, line_weight=3.0))
    implot.plot_line("file", *file, implot.Spec(line_color=theme.ACCENT, line_weight=1.4))
    implot.end_plot()


@lru_cache(maxsize=2)
def spectrum_curves(record: SpectrumRecord, sea: SeaSettings) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Return frequencies [Hz] and variance densities [m²/Hz] of a file, and of the sea in the file's range."""
    frequency = np.linspace(record.frequency[0], record.frequency[-1], POINTS)
    w = 2 * math.pi * np.maximum(frequency, 1e-6)
    density = 2 * math.pi * sum((system.density(w) for system in sea.systems), np.zeros(POINTS))
    return (record.frequency, record.over_frequency()), (frequency, density)


QUALITY_HELP = (
    "Quality of the sea and of its picture. Each level is a config of that name. automatic holds the refresh rate: "
    "it draws the picture smaller, then takes a lower level."
)


@lru_cache(maxsize=2)
def without_effect(settings: Settings, fuses: bool) -> Mapping[str, str]:
    """Return the key paths of settings that now have no effect, with the reasons.

    `fuses` says whether the FFT backend can load the spectrum and store the maps itself.
    """
    sea, sky, view = settings.sea, settings.sky, settings.view
    shown = DEBUG_VIEWS.get(settings.stage.view)
    is_map, names = view_controls.shows_map(settings.stage), (settings.stage.view, settings.stage.beside)
    coloured = any(name in DEBUG_VIEWS and DEBUG_VIEWS[name].scale in COLOURED for name in names)
    replaced = ("sun_elevation", "sun_azimuth", "turbidity", "clouds", "cloud_base", "veil")
    raising = "sea.swell.height", "sea.swell.spectrum"  # they make the swell
    swell = tuple(path for path, _ in leaves(sea.swell, "sea.swell.") if path not in raising)
    spectrum = sea.wind.spectrum
    is_measured = isinstance(spectrum, FileSpectrum)
    has_directions = isinstance(spectrum, FileSpectrum) and spectrum.shape(0.0, 0.0).directions is not None
    spreading = tuple(path for path, _ in leaves(sea.wind, "sea.wind.") if path.startswith("sea.wind.spreading"))
    cases = (
        (is_measured, ("sea.wind.fetch",), "the file gives the waves"),
        (has_directions, spreading, "the file gives the directions"),
        (sea.wind.height == 0, ("sea.wind.period",), "sea.wind.height is 0, so wind and fetch give the waves"),
        (sea.wind.height > 0, ("sea.wind.fetch",), "sea.wind.height gives the waves"),
        (sea.swell.system(sea.depth, sea.dispersion).is_flat, swell, "there is no swell"),
        (sea.dynamics == "linear", ("sea.order",), "sea.dynamics is linear"),
        (settings.foam.amount == 0, ("foam.law", "foam.decay"), "foam.amount is 0"),
        (sky.plain, ("sky.clouds", "sky.cloud_base", "sky.veil", "sky.bloom"), "sky.plain leaves it out"),
        (sky.panorama != "", tuple(f"sky.{name}" for name in replaced), "the panorama replaces it"),
        (sky.clouds == sky.veil == 0, ("sky.cloud_base",), "there are no clouds"),
        (sky.panorama == "", ("sky.panorama_heading",), "there is no panorama"),
        (sky.metering != "automatic", ("sky.adaptation",), "sky.metering is not automatic"),
        (view.mode == "fly", ("view.distance",), "view.mode is fly"),
        (view.dive > 0, ("view.altitude",), "view.dive is above 0"),
        (view.samples == 1, ("view.far_pixels",), "view.samples is 1"),
        (not settings.buoy.show, ("buoy.x", "buoy.z"), "buoy.show is off"),
        (shown is None, tuple(path for path, _ in leaves(settings.stage, "stage."))[1:], f"stage.view is {PICTURE}"),
        (shown and shown.is_seen_from_camera and not is_map, ("stage.cascade",), "this debug view shows all cascades"),
        (shown and not is_map, ("stage.zoom", "stage.x", "stage.z"), "this debug view moves with the camera"),
        (shown and not coloured, ("stage.channel",), "this debug view has no three colours"),
        (shown and not shown.fields, ("stage.field",), "this debug view shows no field"),
        (shown, ("view.scale",), "a debug view has the full size"),
        (not fuses, ("fft.fused", "fft.half_derivatives"), "this backend's kernels can't"),
    )
    return {path: f"No effect: {reason}." for holds, paths, reason in cases if holds for path in paths}
