"""Parts of tables: headings, numbers at the right, swatches, and copies as Markdown and CSV."""

from collections.abc import Callable, Iterable, Sequence

from imgui_bundle import imgui

from ocean.common.tables import csv_text, markdown_lines
from ocean.window.ui import theme
from ocean.window.ui.theme import Colour, coloured, em, tooltip


def headings(*names: str) -> None:
    """Draw a row of headings, all but the first at the right."""
    imgui.table_next_row()
    for number, name in enumerate(names):
        if number == 0:
            imgui.table_next_column()
            coloured(name, theme.FAINT)
        else:
            right(name, theme.FAINT)


def right(text: str, colour: Colour | None = None) -> None:
    """Draw a text at the right of the next cell."""
    imgui.table_next_column()
    draw_right(text, colour)


def draw_right(text: str, colour: Colour | None = None) -> None:
    """Draw a text at the right of this cell."""
    space = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(space, 0.0))
    coloured(text, colour or theme.TEXT)


def swatch(colour: Colour) -> None:
    """Draw a small square of a colour, in line with the text behind it."""
    corner, size = imgui.get_cursor_screen_pos(), em(0.6)
    top = corner.y + (imgui.get_text_line_height() - size) / 2
    box = (corner.x, top), (corner.x + size, top + size)
    imgui.get_window_draw_list().add_rect_filled(*box, theme.packed(colour), 2.0)
    imgui.dummy((size, 0))
    imgui.same_line()


def bracket() -> None:
    """Draw a line at the left of a row that is part of the row above."""
    corner, bottom = imgui.get_cursor_screen_pos(), imgui.get_text_line_height_with_spacing()
    x = corner.x + em(0.25)
    line = (x, corner.y - em(0.2)), (x, corner.y + bottom - em(0.2))
    imgui.get_window_draw_list().add_line(*line, theme.packed(theme.ACCENT), em(0.12))
    imgui.dummy((em(0.4), 0))
    imgui.same_line()


def milliseconds(value: float) -> str:
    """Return a time with about three digits."""
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
