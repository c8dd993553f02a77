"""Fonts, colours and sizes of ImGui and ImPlot, which follow the display's scale; text, tooltips and table cells."""

import colorsys
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from imgui_bundle import imgui, implot

from ocean.common.records import csv_text, markdown_lines
from ocean.common.resources import font_file

FONT_SIZE = 15.0
FULL_SIZE = (1280, 720)  # a window of this size or larger shows the interface at its full size
SMALLEST = 0.75
REFRESH = 0.09  # s between updates of unused windows; less than the age at which an idle interface is rebuilt
PADDING = (12.0, 10.0)  # padding of a window, at the scale 1
GOLDEN = (5**0.5 - 1) / 2
POINTED = imgui.HoveredFlags_.for_tooltip | imgui.HoveredFlags_.allow_when_disabled
TO_THE_RIGHT = -1e-30  # a width up to the right edge
Colour = tuple[float, float, float, float]
T = TypeVar("T")


@dataclass(frozen=True)
class Box:
    """Rectangle in the window's units, from its upper left corner."""

    x: float
    y: float
    width: float
    height: float


def rgb(code: str, alpha: float = 1.0) -> Colour:
    red, green, blue = (int(code[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue, alpha


TEXT = rgb("e3eaef")
FAINT = rgb("8b9aa7")
ACCENT = rgb("58c4dc")
GOOD = rgb("78d69a")
WARNING = rgb("f7bf5d")
WRONG = rgb("ff5f57")
BAR = rgb("3d6f86")
_PASSES = (
    "4cc3d9 f2a65a 7fd18b e86f8b 9d8cf2 f2d95c 5b9bf0 c98bd9 a3b8c2 d98f6f "
    "2f8f7a b04a6a b8e07a 6a5acd e0c9a6 2f6fa8 ff8fd0 8a7a3a d0f0ff a05030"
)
PALETTE = tuple(map(rgb, _PASSES.split()))
"""Colours of passes, more than a frame has passes; neighbours differ in hue."""

_COLOURS: dict[Colour, str] = {
    TEXT: "text",
    FAINT: "text_disabled",
    ACCENT: "check_mark tab_selected_overline",
    rgb("0c1319", 0.97): "window_bg",
    rgb("111b23", 0.97): "popup_bg",
    rgb("ffffff", 0.09): "border",
    rgb("22303b", 0.90): "frame_bg",
    rgb("2d414f"): "frame_bg_hovered",
    rgb("35505f"): "frame_bg_active",
    rgb("0f1a22"): "title_bg menu_bar_bg tab tab_dimmed",
    rgb("12222c"): "title_bg_active",
    rgb("0f1a22", 0.80): "title_bg_collapsed",
    rgb("000000", 0.0): "scrollbar_bg tab_dimmed_selected_overline docking_empty_bg",
    rgb("34485a", 0.80): "scrollbar_grab",
    rgb("3f9db3", 0.45): "slider_grab",
    rgb("58c4dc", 0.75): "slider_grab_active",
    rgb("24475a", 0.90): "button",
    rgb("2f627a"): "button_hovered",
    rgb("3a7c99"): "button_active",
    rgb("1b2d39", 0.95): "header",
    rgb("26475a"): "header_hovered tab_hovered",
    rgb("2f5c74"): "header_active",
    rgb("ffffff", 0.10): "separator",
    rgb("1b2d39", 0.60): "table_header_bg",
    rgb("ffffff", 0.025): "table_row_bg_alt",
    rgb("2f7f99", 0.60): "text_selected_bg",
    rgb("3f9db3"): "plot_histogram",
    rgb("1b2d39"): "tab_selected tab_dimmed_selected",
    rgb("000000", 0.5): "modal_window_dim_bg",
    rgb("58c4dc", 0.35): "docking_preview",
    rgb("ffffff", 0.05): "resize_grip",
    rgb("58c4dc", 0.5): "resize_grip_hovered separator_hovered",
    rgb("58c4dc", 0.8): "resize_grip_active separator_active",
}
"""Names of ImGui's colours."""
_PLOT_COLOURS = {
    implot.Col_.frame_bg: rgb("000000", 0.0),
    implot.Col_.plot_bg: rgb("000000", 0.22),
    implot.Col_.plot_border: rgb("ffffff", 0.06),
    implot.Col_.axis_text: FAINT,
    implot.Col_.axis_grid: rgb("ffffff", 0.07),
}


def apply() -> None:
    """Load the fonts and set the colours of the current contexts, once."""
    regular = font_file()
    fonts, style, plots = imgui.get_io().fonts, imgui.get_style(), implot.get_style()
    if regular is None:
        fonts.add_font_default()
    else:
        fonts.add_font_from_file_ttf(str(regular), FONT_SIZE)
    style.font_size_base = FONT_SIZE
    style.window_title_align, style.window_border_size = imgui.ImVec2(0.0, 0.5), 1.0
    for colour, names in _COLOURS.items():
        for name in names.split():
            style.set_color_(imgui.Col_[name], colour)
    for plot_index, colour in _PLOT_COLOURS.items():
        plots.set_color_(plot_index, colour)


def fit(size: tuple[int, int], scale: float = 1.0) -> None:
    """Set the interface's scale, smaller in a window that it would fill. Call it before the frame begins."""
    share = max(SMALLEST, min(1.0, size[0] / FULL_SIZE[0] / scale, size[1] / FULL_SIZE[1] / scale))
    style, plots = imgui.get_style(), implot.get_style()
    style.font_scale_main, style.font_scale_dpi = share, scale

    def both(x: float, y: float) -> imgui.ImVec2:
        return imgui.ImVec2(x * scale, y * scale)

    style.window_rounding, style.popup_rounding, style.child_rounding = 6 * scale, 6 * scale, 6 * scale
    style.frame_rounding, style.grab_rounding, style.scrollbar_rounding = 5 * scale, 5 * scale, 6 * scale
    style.tab_rounding, style.docking_separator_size = 5 * scale, 2 * scale
    style.window_padding, style.frame_padding = both(*PADDING), both(8, 3.5)
    style.item_spacing, style.item_inner_spacing = both(8, 5), both(6, 4)
    style.cell_padding, style.scrollbar_size, style.grab_min_size = both(5, 2.5), 11 * scale, 6 * scale
    plots.plot_padding, plots.label_padding = both(4, 4), both(4, 3)


def em(lengths: float = 1.0) -> float:
    """Return a length in units of the font's size, for layouts that scale with it."""
    return lengths * imgui.get_font_size()


def distinct(number: int) -> Colour:
    """Return a colour that no other number has: from the palette, then by the golden ratio around the hues."""
    if number < len(PALETTE):
        return PALETTE[number]
    return *colorsys.hsv_to_rgb(number * GOLDEN % 1, 0.45, 0.95), 1.0


def packed(colour: Colour) -> int:
    return int(imgui.get_color_u32(colour))


def coloured(text: str, colour: Colour) -> None:
    imgui.text_colored(colour, text)


def wrapped(text: str, colour: Colour = TEXT, end: float = 0.0) -> None:
    """Draw text in as many lines as it needs up to a position in the window [px]; 0 is the window's right edge."""
    imgui.push_text_wrap_pos(end)
    coloured(text, colour)
    imgui.pop_text_wrap_pos()


def tooltip(text: str | Callable[[], str]) -> None:
    """Show help on the last item, wrapped, even if it is disabled. A function returns it while the mouse is there."""
    if text and imgui.is_item_hovered(POINTED):
        show_tooltip(text if isinstance(text, str) else text())


def is_any_popup_open() -> bool:
    """Return whether a menu, a list or the dialog for a file is open."""
    return bool(imgui.is_popup_open("", imgui.PopupFlags_.any_popup))


def show_tooltip(text: str) -> None:
    """Show text beside the mouse, wrapped, in the size and with the margin of all tooltips."""
    scale = imgui.get_style().font_scale_dpi
    imgui.push_font(None, FONT_SIZE)
    imgui.push_style_var(imgui.StyleVar_.window_padding, (scale * PADDING[0], scale * PADDING[1]))
    imgui.begin_tooltip()
    wrapped(text, end=em(24))
    imgui.end_tooltip()
    imgui.pop_style_var()
    imgui.pop_font()


def combo(
    label: str,
    shown: str,
    choices: Iterable[T] | Mapping[T, str],
    now: T,
    about: Callable[[T], str] = lambda _: "",
    obstacle: Callable[[T], str | None] = lambda _: None,
    flags: int = 0,
) -> T | None:
    """Draw a list tall enough for all choices, which a mapping names; return the chosen one if it is new. The tooltip
    of a choice is the `obstacle`, which makes it grey, or else what it is `about`."""
    chosen = None
    if imgui.begin_combo(label, shown, imgui.ComboFlags_.height_largest | flags):
        for choice in choices:
            reason = obstacle(choice)
            imgui.begin_disabled(bool(reason))
            name = choices[choice] if isinstance(choices, Mapping) else str(choice)
            if imgui.selectable(name, choice == now)[0] and choice != now:
                chosen = choice
            imgui.end_disabled()
            tooltip(reason or about(choice))
        imgui.end_combo()
    return chosen


def headings(*names: str) -> None:
    """Draw a row of headings, all but the first at the right."""
    imgui.table_next_row()
    imgui.table_next_column()
    coloured(names[0], FAINT)
    for name in names[1:]:
        right(name, FAINT)


def right(text: str, colour: Colour | None = None) -> None:
    imgui.table_next_column()
    draw_right(text, colour)


def draw_right(text: str, colour: Colour | None = None) -> None:
    imgui.push_style_color(imgui.Col_.text, colour or TEXT)
    imgui.internal.text_aligned(1.0, TO_THE_RIGHT, text)
    imgui.pop_style_color()


def swatch(colour: Colour) -> None:
    """Draw a small square of a colour, in line with the text behind it."""
    corner, size = imgui.get_cursor_screen_pos(), em(0.6)
    top = corner.y + (imgui.get_text_line_height() - size) / 2
    box = (corner.x, top), (corner.x + size, top + size)
    imgui.get_window_draw_list().add_rect_filled(*box, packed(colour), 2.0)
    imgui.dummy((size, 0))
    imgui.same_line()


def bracket() -> None:
    """Draw a line at the left of a row that is part of the row above."""
    corner, bottom = imgui.get_cursor_screen_pos(), imgui.get_text_line_height_with_spacing()
    x = corner.x + em(0.25)
    line = (x, corner.y - em(0.2)), (x, corner.y + bottom - em(0.2))
    imgui.get_window_draw_list().add_line(*line, packed(ACCENT), em(0.12))
    imgui.dummy((em(0.4), 0))
    imgui.same_line()


def milliseconds(value: float | None) -> str:
    """Return a time with about three digits, empty for None and NaN."""
    if value is None or math.isnan(value):
        return ""
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 100 else f"{value:.0f}"


def copy_buttons(
    names: Sequence[str], rows: Callable[[], Iterable[Sequence[str]]], widths: Sequence[float] = ()
) -> None:
    """Draw two buttons that put a table on the clipboard; its rows are computed after a click."""
    for label, text, width in zip(("Markdown", "CSV"), (markdown, csv_text), widths or (em(5), em(5)), strict=True):
        if imgui.button(f"{label}##copy", (width, 0)):
            imgui.set_clipboard_text(text(names, rows()))
        tooltip(f"Copy the table as {label}.")
        if label == "Markdown":
            imgui.same_line()


def markdown(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join([*markdown_lines(names, rows), ""])
