"""Widgets for parameters, made from their declarations: label, range, unit, help, and a reset to the default.

Depends on the base classes of settings, and on no single setting.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from imgui_bundle import imgui
from pydantic.fields import FieldInfo

from ocean.common.parameters import Hints, Parameters, choices_of, hints_of, is_even, kinds_of, opening_value, range_of
from ocean.settings import Settings, SettingsError, flat, parse_override, value_at
from ocean.window.ui import theme
from ocean.window.ui.theme import em, is_any_popup_open, tooltip

HIDDEN = ("window.width", "window.height", "capture.width", "capture.height", "window.panel")
"""Settings without a widget: sizes of pictures, and the switch that would hide the panel."""
LABEL_WIDTH = 8.6  # em
WIDEST = 1e4  # width of a row in which the mouse is looked for; the window's edge ends it
WIDEST_SLIDER = 1e4  # width of the widest linear range with a slider; wider ones are dragged or typed
DEFAULTS = Settings()
Obstacle = Callable[[Any], str | None]  # reason why a value is impossible
SLIDER = imgui.SliderFlags_.always_clamp | imgui.SliderFlags_.no_round_to_format | imgui.SliderFlags_.no_input


class Facts(NamedTuple):
    """Declaration of a field, as far as its widget needs it."""

    info: FieldInfo
    default: Any
    """Default at this position of the settings: a model that is used twice may have two."""
    choices: Sequence[Any]
    kinds: Mapping[str, type[Parameters]]
    hints: Hints
    label: str


@cache
def facts_at(path: str, model: type[Parameters]) -> Facts:
    parent, _, name = path.rpartition(".")
    info, owner = model.model_fields[name], None
    with suppress(AttributeError):  # the default kind does not have this field
        owner = value_at(DEFAULTS, parent)
    default = getattr(owner, name) if type(owner) is model else opening_value(info)
    return Facts(info, default, choices_of(info), kinds_of(info), hints_of(info), name.replace("_", " ").capitalize())


class Editor:
    """Widgets for settings. In a frame they gather changes by key path, and a remark on a number out of range."""

    def __init__(self, pinned: list[str]) -> None:
        """Take key paths of pinned settings, which the menus change."""
        self.pinned = pinned
        self._typed, self._text, self._frames = "", "", 0  # key path of a number being typed, its text, and frames

    def begin(self, settings: Settings, inert: Mapping[str, str]) -> None:
        """Begin a frame. `inert` has reasons why settings have no effect, by key path."""
        self.settings, self._inert = settings, inert
        self.changes: dict[str, Any] = {}
        self.remark = ""
        # Rows out of sight are left out, except while something that may be one of them is in use.
        self._skips = not (imgui.get_io().nav_visible or imgui.is_any_item_active() or is_any_popup_open())
        self._scope = ""  # prefix of key paths of settings that are in the panel twice

    def fields(self, path: str, *names: str) -> None:
        for name in names or type(value_at(self.settings, path)).model_fields:
            if name != "kind":
                self.field(f"{path}.{name}")

    def field(
        self,
        path: str,
        label: str = "",
        nested: bool = True,
        about: Callable[[Any], str] = lambda _: "",
        obstacle: Obstacle = lambda _: None,
    ) -> None:
        """Draw a field, and those of its kind if `nested`. For listed values, see `theme.combo`."""
        parent, _, name = path.rpartition(".")
        owner: Parameters = value_at(self.settings, parent)
        value = getattr(owner, name)
        info, default, choices, kinds, hints, title = facts_at(path, type(owner))
        height = imgui.get_frame_height()
        if self._skips and not imgui.is_rect_visible((1.0, height)):
            imgui.dummy((0.0, height))
            if kinds and nested:
                self.fields(path)
            return
        corner = imgui.get_cursor_screen_pos()
        is_used = not self._skips or imgui.is_mouse_hovering_rect(corner, (corner.x + WIDEST, corner.y + height))
        self.label(label or title, value != default)
        if is_used:
            self._help(path, info)
            if imgui.begin_popup_context_item(f"menu {path}"):
                self._menu([path])
        imgui.begin_disabled(path in self._inert)
        imgui.set_next_item_width(-em(1.9))
        if kinds:
            self._kinds(path, value, kinds)
        elif choices:
            text, flags = fitted(str(value), imgui.calc_item_width())
            chosen = theme.combo(f"##{path}", text, choices, value, about, obstacle, flags)
            self._note(path, chosen is not None, chosen)
            tooltip(str(value) if text != str(value) else "")
        elif hints.usual:
            self._typed_or_listed(path, value, hints, obstacle)
        elif isinstance(value, bool):
            self._note(path, *imgui.checkbox(f"##{path}", value))
        elif isinstance(value, str):
            entered, text = imgui.input_text_with_hint(f"##{path}", "", value, imgui.InputTextFlags_.enter_returns_true)
            self._note(path, (entered or imgui.is_item_deactivated_after_edit()) and text != value, text)
        else:
            self._number(path, value, info)
        imgui.end_disabled()
        if is_used and not kinds and not imgui.is_popup_open(f"##{path}"):
            self._help(path, info)
        if value != default:
            self._reset(path, default, hints.unit)
        if kinds and nested:
            self.fields(path)

    def pins(self) -> None:
        imgui.push_id("pinned")
        self._scope = "pinned "
        paths = [path for path, _ in leaves(self.settings) if path in self.pinned]
        for path in sorted(paths, key=self.pinned.index):
            self.field(path, label=name_of(path).capitalize(), nested=False)
        self._scope = ""
        imgui.pop_id()

    def is_changed(self, path: str) -> bool:
        return bool(value_at(self.settings, path) != self._default(path))

    def _default(self, path: str) -> Any:
        owner: Parameters = value_at(self.settings, path.rpartition(".")[0])
        return facts_at(path, type(owner)).default

    def section_menu(self, *prefixes: str) -> None:
        """Draw the menu of a panel's section, which a right click on its heading opens."""
        if imgui.begin_popup_context_item(f"section {prefixes[0]}"):
            below = tuple(f"{prefix}." for prefix in prefixes)
            self._menu([path for path, _ in leaves(self.settings) if path.startswith(below)], " section")

    def _menu(self, paths: Sequence[str], noun: str = "") -> None:
        """Draw the entries of an open menu for some settings, and end it."""
        if imgui.menu_item_simple(f"Copy{noun}"):
            imgui.set_clipboard_text("\n".join(assignment(path, self.settings) for path in paths))
        if imgui.menu_item_simple("Paste"):
            self._paste("" if noun else paths[0])
        changed = [path for path in paths if self.is_changed(path)]
        if imgui.menu_item_simple(f"Reset{noun}", "", False, bool(changed)):
            self.changes |= {path: self._default(path) for path in changed}
        if not noun and imgui.menu_item_simple("Unpin" if paths[0] in self.pinned else "Pin"):
            if paths[0] in self.pinned:
                self.pinned.remove(paths[0])
            else:
                self.pinned.append(paths[0])
        imgui.end_popup()

    def _paste(self, path: str) -> None:
        """Take lines `key.path = value` from the clipboard, or a value for this key path."""
        for line in filter(None, map(str.strip, imgui.get_clipboard_text().splitlines())):
            value = line.partition("=")[2] or line
            try:
                self.changes |= flat(parse_override(f"{path}={value}" if path else line))
            except SettingsError as error:
                self.remark = str(error)

    def _help(self, path: str, info: FieldInfo) -> None:
        tooltip(lambda: "\n".join(filter(None, (self._inert.get(path), help_of(info, path)))))

    def _typed_or_listed(self, path: str, value: float, hints: Hints, obstacle: Obstacle) -> None:
        """Draw a number to type, which takes effect when its field is left, with a list of usual numbers."""
        width, zero = imgui.calc_item_width(), hints.zero
        imgui.begin_group()
        imgui.set_next_item_width(width - imgui.get_frame_height())
        label, flags = f"##{path} typed", imgui.InputTextFlags_.enter_returns_true
        new: float
        if isinstance(value, int):
            entered, new = imgui.input_int(label, value, 0, 0, flags)
        else:
            entered, single = imgui.input_float(label, value, 0.0, 0.0, "%.4g" if value or not zero else zero, flags)
            new = float(f"{single:.7g}")
        self._note(path, (entered or imgui.is_item_deactivated_after_edit()) and new != value, new)
        imgui.same_line(0.0, 0.0)
        words = {number: str(number) if number or not zero else zero for number in hints.usual}
        chosen = theme.combo(f"##{path}", "", words, value, obstacle=obstacle, flags=imgui.ComboFlags_.no_preview)
        self._note(path, chosen is not None, chosen)
        imgui.end_group()

    def _kinds(self, path: str, value: Parameters, kinds: Mapping[str, type[Parameters]]) -> None:
        now = str(getattr(value, "kind", ""))
        about = {name: (kind.__doc__ or "").strip().partition("\n")[0] for name, kind in kinds.items()}
        chosen = theme.combo(f"##{path}", now, list(kinds), now, about.__getitem__)
        if chosen:
            required = ((key, field) for key, field in kinds[chosen].model_fields.items() if field.is_required())
            self.changes[path] = {"kind": chosen, **{key: opening_value(field) for key, field in required}}

    def _number(self, path: str, value: float, info: FieldInfo) -> None:
        low, high = (bound or 0.0 for bound in range_of(info))
        hints, label, is_wide, new = hints_of(info), f"##{path}", high - low > WIDEST_SLIDER, value
        text = spelled(value, hints.unit)
        if isinstance(value, int) and is_wide:
            changed, new = imgui.input_int(label, value)
        elif self._is_typed(path, value, info):
            return
        elif isinstance(value, int):
            changed, new = imgui.slider_int(label, value, int(low), int(high), text, SLIDER)
        elif is_wide and not hints.logarithmic:
            changed, new = imgui.drag_float(label, value, 1.0, low, high, text, SLIDER)
        else:
            flags = SLIDER | (imgui.SliderFlags_.logarithmic if hints.logarithmic else imgui.SliderFlags_.none)
            changed, new = imgui.slider_float(label, value, low, high, text, flags)
        if changed:
            new = new if isinstance(value, int) else tidy(new, low, high, hints.logarithmic)
            self._note(path, new != value, type(value)(min(high, max(low, new))))

    def _is_typed(self, path: str, value: float, info: FieldInfo) -> bool:
        """Draw a text field while a number is typed after a Ctrl-click, with its unit; return whether it is."""
        corner = imgui.get_cursor_screen_pos()
        end = corner.x + imgui.calc_item_width(), corner.y + imgui.get_frame_height()
        is_hit = imgui.is_window_hovered() and imgui.is_mouse_hovering_rect(corner, end)
        if is_hit and imgui.get_io().key_ctrl and imgui.is_mouse_clicked(0):
            self._typed, self._text = self._scope + path, spelled(value, hints_of(info).unit, digits=7)
            self._frames = 0
        if self._typed != self._scope + path:
            return False
        if self._frames == 0:
            imgui.set_keyboard_focus_here()
        self._frames += 1
        flags = imgui.InputTextFlags_.auto_select_all | imgui.InputTextFlags_.enter_returns_true
        entered, self._text = imgui.input_text_with_hint(f"##{path}", "", self._text, flags)
        is_left = self._frames > 2 and not imgui.is_item_active()
        if entered or (is_left and not imgui.is_key_pressed(imgui.Key.escape)):
            self._take_typed(path, value, info)
        if entered or is_left:
            self._typed = ""
        return True

    def _take_typed(self, path: str, value: float, info: FieldInfo) -> None:
        unit, (low, high) = hints_of(info).unit, range_of(info)
        new = parse_number(self._text, value, unit, low, high)
        if new is None:
            of_unit = f" of {shown_in(value, unit)[1]}" if unit else ""
            self.remark = f"{path}: {self._text!r} is not a number{of_unit}"
            return
        kept = min(math.inf if high is None else high, max(-math.inf if low is None else low, new))
        if kept != new and low is not None and high is not None:
            bounds = f"{spelled(low, unit)} to {spelled(high, unit)}"
            self.remark = f"{path}: {spelled(new, unit, digits=7)} is outside {bounds}, so it is {spelled(kept, unit)}"
        kept = round(kept) if isinstance(value, int) else kept
        self._note(path, kept != value, kept)

    def _reset(self, path: str, default: Any, unit: str) -> None:
        imgui.same_line(0.0, em(0.3))
        imgui.push_style_color(imgui.Col_.button, (0, 0, 0, 0))
        imgui.push_style_color(imgui.Col_.text, theme.FAINT)
        pressed = imgui.button(f"×##reset {path}", (em(1.5), 0.0))
        imgui.pop_style_color(2)
        shown = getattr(default, "kind", default)
        tooltip(f"Back to {spelled(shown, unit) if isinstance(shown, float) else shown}.")
        self._note(path, pressed, default)

    def label(self, text: str, changed: bool) -> None:
        """Draw the name before a widget, brighter if its value is not the default."""
        imgui.align_text_to_frame_padding()
        theme.coloured(text, theme.TEXT if changed else theme.FAINT)
        imgui.same_line(em(LABEL_WIDTH))

    def _note(self, path: str, changed: bool, value: Any) -> None:
        if changed:
            self.changes[path] = value


def leaves(model: Parameters, prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Yield all fields with a value, by key path; the fields of a kind follow the field that chooses it."""
    for name, info in type(model).model_fields.items():
        value, path = value_at(model, name), f"{prefix}{name}"
        if name == "kind" or path in HIDDEN or info.exclude:
            continue
        if kinds_of(info) or not isinstance(value, Parameters):
            yield path, info
        if isinstance(value, Parameters):
            yield from leaves(value, f"{path}.")


def assignment(path: str, settings: Settings) -> str:
    """Return a setting as a line of a settings file, with its whole key path; for a kind, its name."""
    value = value_at(settings, path)
    return f"{path} = {json.dumps(getattr(value, 'kind', value))}"


def name_of(path: str) -> str:
    """Return the last two parts of a key path in words."""
    return " ".join(path.split(".")[-2:]).replace("_", " ")


def help_of(info: FieldInfo, path: str) -> str:
    """Return a parameter's help, its range, and its key in a settings file."""
    text = info.description or ""
    text = text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
    low, high = range_of(info)
    if low is not None and high is not None:
        which, hints = ", even" if is_even(info) else "", hints_of(info)
        how = "Type one, or choose." if hints.usual else "Ctrl-click to type."
        text += f"\n{spelled(low, hints.unit)} to {spelled(high, hints.unit)}{which}. {how}"
    return f"{text}\n{path}"


def spelled(value: float, unit: str, digits: int = 4) -> str:
    """Return a number with its unit, thousands of metres as kilometres."""
    factor, unit = shown_in(value, unit)
    value /= factor
    space = "" if unit in ("", "°", "1/s") else " "
    return f"{value:.{digits}g}{space}{unit.removeprefix('1')}"


def fitted(text: str, width: float) -> tuple[str, int]:
    """Return text and flags of a closed list of this width. A long value takes the arrow's room, or is shortened."""
    room = width - 2 * imgui.get_style().frame_padding.x
    if imgui.calc_text_size(text).x + imgui.get_frame_height() <= room:
        return text, 0
    shown = text
    while len(shown) > 1 and imgui.calc_text_size(shown).x > room:
        shown = f"{shown.removesuffix('…')[:-1]}…"
    return shown, imgui.ComboFlags_.no_arrow_button


def shown_in(value: float, unit: str) -> tuple[float, str]:
    """Return the unit in which a value is shown, after its size in the parameter's unit."""
    return (1000.0, "km") if unit == "m" and abs(value) >= 1000 else (1.0, unit)


PREFIXES = {"M": 1e6, "k": 1e3, "": 1.0, "c": 1e-2, "m": 1e-3}


def parse_number(text: str, value: float, unit: str, low: float | None, high: float | None) -> float | None:
    """Return the number in a text, in the parameter's unit; None if it is not a number.

    Without a unit it has the shown one, or the parameter's if only that is in range: 500e3 over 300 km is 500 km.
    """
    found = re.fullmatch(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(.*?)\s*", text.replace("−", "-").replace(",", "."))
    try:
        number = float(found[1]) if found else math.nan
    except ValueError:
        return None
    if found is None or not math.isfinite(number):
        return None
    factors = {f"{prefix}{unit}": factor for prefix, factor in PREFIXES.items()} if unit in ("m", "s", "m/s") else {}
    factors |= {unit: 1.0}
    if found[2]:
        return number * factors[found[2]] if found[2] in factors else None
    shown = number * shown_in(value, unit)[0]
    is_inside = (low is None or low <= shown) and (high is None or shown <= high)
    return shown if is_inside or not ((low is None or low <= number) and (high is None or number <= high)) else number


def tidy(value: float, low: float, high: float, logarithmic: bool) -> float:
    """Return a dragged value without meaningless digits: with three digits on a logarithmic range, else rounded to
    the largest power of ten that is at most a hundredth of the range, and at most 1."""
    if logarithmic:
        return float(f"{value:.3g}")
    return round(value, max(0, 2 - math.floor(math.log10(high - low))))
