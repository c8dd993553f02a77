"""Stages in the panel, and their values under the mouse."""

from imgui_bundle import imgui

from ocean.render.debug_drawing import Reading
from ocean.render.debug_views import DEBUG_VIEWS, PACKED
from ocean.settings import PICTURE
from ocean.waves.twin import FIELDS
from ocean.window.ui import theme
from ocean.window.ui.layout import Box
from ocean.window.ui.theme import em, tooltip
from ocean.window.ui.widgets import Editor

ENTRIES = ((PICTURE, ""), *((name, field) for name, stage in DEBUG_VIEWS.items() for field in stage.pictures or ("",)))
"""All stages: names, and fields if each has a picture."""
_NAMES = *(f"NUMBER_{(n + 1) % 10}" for n in range(10)), "F2", "F", *(f"F{n}" for n in range(3, 11))
KEYS = dict(zip(DEBUG_VIEWS, _NAMES, strict=True))
"""The key of each stage, by moderngl-window's name."""


def section(edit: Editor) -> None:
    """Draw the panel's section: an entry with its key for each stage and each of its pictures, and the cascade."""
    if not imgui.collapsing_header("Stages"):
        return
    shown = edit.settings.stage
    asked = shown
    if imgui.begin_table("stages", 2):
        for name, field in ENTRIES:
            imgui.table_next_column()
            is_shown = shown.view == name and (not field or DEBUG_VIEWS[name].picture_of(shown.field) == field)
            if imgui.selectable(f"{label(name, field)}###stage {name} {field}", is_shown)[0]:
                asked = asked.model_copy(update={"view": PICTURE if is_shown else name, "field": field or shown.field})
            if name in DEBUG_VIEWS:
                stage = DEBUG_VIEWS[name]
                tooltip(f"{stage.help}\nKey {key_label(name)}")
                imgui.same_line(em(8.6))
                theme.coloured(key_label(name), theme.FAINT)
        imgui.end_table()
    edit.changes.update({f"stage.{name}": value for name, value in asked if value != getattr(shown, name)})
    edit.fields("stage", "cascade", "range")


def label(name: str, field: str = "") -> str:
    """Return the name of a stage, or of its picture of a field, in the panel."""
    if name == "packed":
        return PACKED[FIELDS.index(field) // 2]
    return f"{name} {field}".strip().replace("-", " ").replace("_", " ").capitalize()


def key_label(name: str) -> str:
    return KEYS[name].removeprefix("NUMBER_")


def pointer(size: tuple[int, int], view: Box) -> tuple[int, int] | None:
    """Return the pixel under the mouse in a picture of this size that fills the view, from its lower left corner;
    None beside the view, and over a window."""
    io = imgui.get_io()
    x = int((io.mouse_pos.x - view.x) / max(view.width, 1.0) * size[0])
    y = int((io.mouse_pos.y - view.y) / max(view.height, 1.0) * size[1])
    is_outside = not (0 <= x < size[0] and 0 <= y < size[1])
    return None if io.want_capture_mouse or is_outside else (x, size[1] - 1 - y)


def draw_reading(reading: Reading) -> None:
    text, mouse, pad = str(reading), imgui.get_io().mouse_pos, em(0.4)
    size, display = imgui.calc_text_size(text), imgui.get_io().display_size
    left = min(mouse.x + em(1.2), display.x - size.x - 2 * pad)
    top = min(mouse.y + em(1.2), display.y - size.y - 2 * pad)
    draw = imgui.get_foreground_draw_list()
    corners = (left - pad, top - pad), (left + size.x + pad, top + size.y + pad)
    draw.add_rect_filled(*corners, theme.packed(theme.rgb("0c1319", 0.86)), em(0.4))
    draw.add_text((left, top), theme.packed(theme.TEXT), text)
