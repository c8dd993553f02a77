"""The section that chooses a sea state in one of four ways, and shows it in all.

It remembers the chosen way, which is no setting, and changes it if the settings do not fit.
"""

from enum import Enum
from functools import lru_cache

from imgui_bundle import imgui

from ocean.settings.sea_settings import SeaSettings
from ocean.waves import states, statistics
from ocean.window.ui import theme
from ocean.window.ui.theme import em, tooltip
from ocean.window.ui.widgets import LABEL_WIDTH, Editor, spelled


class Way(Enum):
    """Quantities by which a person chooses the sea."""

    WIND = "wind and fetch"
    BEAUFORT = "Beaufort number"
    STATE = "WMO sea state"
    HEIGHT = "height and period"


FIELDS = {Way.WIND: ("speed", "fetch"), Way.BEAUFORT: ("fetch",), Way.STATE: (), Way.HEIGHT: ("height", "period")}
"""Fields of `sea.wind` for each way."""


class SeaState:
    """Section of the panel."""

    def __init__(self) -> None:
        self._way = Way.WIND

    def way(self, sea: SeaSettings) -> Way:
        """Return the chosen way, or a fitting one if the settings came from elsewhere."""
        if sea.wind.height and self._way in (Way.WIND, Way.BEAUFORT):
            self._way = Way.HEIGHT
        elif not sea.wind.height and self._way is Way.HEIGHT:
            self._way = Way.WIND
        return self._way

    def draw(self, edit: Editor) -> None:
        sea = edit.settings.sea
        way = self.way(sea)
        self._choose_way(edit, way)
        if way is Way.BEAUFORT:
            self._number(edit, "beaufort", "Beaufort", states.beaufort_number(sea.wind.speed), states.BEAUFORT)
        elif way is Way.STATE:
            self._number(edit, "state", "Sea state", states.sea_state_number(wind_sea(sea)[0]), states.SEA_STATES)
        for name in FIELDS[way]:
            edit.field(f"sea.wind.{name}", label="Wind speed" if name == "speed" else "")
        edit.field("sea.depth")
        for row in facts(sea):
            fact(*row)

    def _choose_way(self, edit: Editor, current: Way) -> None:
        edit.label("Given by", False)
        imgui.set_next_item_width(-em(1.9))
        if imgui.begin_combo("##way", current.value):
            for way in Way:
                reason = obstacle(edit.settings.sea, way)
                imgui.begin_disabled(reason != "")
                chosen, _ = imgui.selectable(way.value, way is current)
                imgui.end_disabled()
                tooltip(reason)
                if chosen and way is not current:
                    self._way = way
                    edit.changes |= changes_towards(way, edit.settings.sea)
            imgui.end_combo()
        else:
            tooltip("Quantities that choose the wind sea. The others follow.")

    def _number(self, edit: Editor, name: str, label: str, number: int, names: tuple[str, ...]) -> None:
        """Draw a slider over the numbers of a scale, with the name of each."""
        path, info = f"sea.{name}", SeaSettings.model_fields[name]
        edit.label(label, True)
        imgui.set_next_item_width(-em(1.9))
        flags = imgui.SliderFlags_.always_clamp | imgui.SliderFlags_.no_input
        text = f"{number} · {names[number]}"
        moved, new = imgui.slider_int(f"##{path}", number, 0, len(names) - 1, text, flags)
        tooltip(f"{info.description}\n{path}")
        if moved and new != number:
            edit.changes[path] = new


def obstacle(sea: SeaSettings, way: Way) -> str:
    """Return why a sea can't be given in a way; empty if it can."""
    if way in (Way.STATE, Way.HEIGHT):
        try:
            sea.wind.spectrum.shape_of_height(1.0, 5.0, sea.depth, sea.dispersion)
        except ValueError as error:
            return f"{error}."
    return ""


def changes_towards(way: Way, sea: SeaSettings) -> dict[str, float]:
    """Return the changes that express the sea in another way. The sea does not change, except heights that do not
    follow from the wind, and flat water, which gets sea state 1."""
    if way is Way.STATE:
        return {}
    if way is not Way.HEIGHT:
        return {"sea.wind.height": 0.0}
    if sea.wind.height:
        return {}
    height, period = wind_sea(sea)
    if not height:
        return {"sea.state": 1}
    return {"sea.wind.height": min(20.0, float(f"{height:.3g}")), "sea.wind.period": min(25.0, max(1.0, period))}


@lru_cache(maxsize=8)
def wind_sea(sea: SeaSettings) -> tuple[float, float]:
    """Return the significant height [m] and the peak period [s] of the wind sea; 0 if it is flat."""
    system = sea.wind.system(sea.depth, sea.dispersion)
    if system.is_flat:
        return 0.0, 0.0
    return statistics.predicted_height([system]), float(f"{statistics.predicted_peak_period([system]):.3g}")


@lru_cache(maxsize=8)
def remarks(sea: SeaSettings) -> tuple[str, str]:
    return sea.remark, sea.warning


def draw_remark(sea: SeaSettings) -> None:
    """Draw a warning about the sea, or else a remark, always in two lines, so that rows below stay in place."""
    top, (remark, warning) = imgui.get_cursor_pos_y(), remarks(sea)
    theme.wrapped(warning or remark, theme.WARNING if warning else theme.FAINT)
    imgui.set_cursor_pos_y(max(imgui.get_cursor_pos_y(), top + 2 * imgui.get_text_line_height_with_spacing()))


def facts(sea: SeaSettings) -> tuple[tuple[str, str, str], ...]:
    """Return the sea state in all ways at once: names, values, and explanations."""
    speed, (height, period) = sea.wind.speed, wind_sea(sea)
    beaufort, state = states.beaufort_number(speed), states.sea_state_number(height)
    wind = f"{spelled(speed, 'm/s')} · {beaufort} {states.BEAUFORT[beaufort]}"
    waves = f"{height:.3g} m, {period:.3g} s · {state} {states.SEA_STATES[state]}"
    return (
        ("Wind", wind, "Wind speed at 10 m over the water, and its Beaufort number."),
        ("Wind sea", waves, "Significant height, peak period and WMO sea state of the wind sea, without the swell."),
    )


def fact(name: str, value: str, text: str) -> None:
    theme.coloured(name, theme.FAINT)
    tooltip(text)
    imgui.same_line(em(LABEL_WIDTH))
    theme.coloured(value, theme.ACCENT)
    tooltip(text)
