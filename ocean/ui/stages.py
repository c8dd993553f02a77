"""The views of the frame's stages, in the panel and under the mouse."""

from imgui_bundle import imgui

from ocean.render.stages import Reading
from ocean.stages import PICTURE, STAGES, StageSettings
from ocean.ui import theme
from ocean.ui.layout import Box
from ocean.ui.theme import em, tooltip
from ocean.ui.widgets import Editor


def section(edit: Editor) -> None:
    """The panel's section: an entry for each view with its key, and which waves and field it is of."""
    if not imgui.collapsing_header("Stages"):
        return
    shown = edit.settings.stage.view
    chosen = shown
    if imgui.begin_table("stages", 2):
        for name in (PICTURE, *STAGES):
            imgui.table_next_column()
            if imgui.selectable(f"{label(name)}###stage {name}", name == shown)[0]:
                chosen = toggled(shown, name)
            if name in STAGES:
                stage = STAGES[name]
                tooltip(f"{stage.help}\nKey {key_label(name)}")
                imgui.same_line(em(8.6))
                theme.coloured(key_label(name), theme.FAINT)
        imgui.end_table()
    if chosen != shown:
        edit.changes["stage.view"] = chosen
    edit.fields("stage", *(name for name in StageSettings.model_fields if name != "view"))


def toggled(shown: str, asked: str) -> str:
    """The view that is shown after one was asked for: the picture, if it was that one already."""
    return PICTURE if shown == asked else asked


def label(name: str) -> str:
    """A view's name in the panel."""
    return name.replace("-", " ").capitalize()


def key_label(name: str) -> str:
    """What is written on a view's key."""
    return STAGES[name].key.removeprefix("NUMBER_")


def pointer(size: tuple[int, int], view: Box) -> tuple[int, int] | None:
    """The pixel under the mouse in a picture of this size that fills the view, from its lower left corner; None beside
    it, and over a window."""
    io = imgui.get_io()
    x, y = (int(part * n) for part, n in zip(_place(io, view), size, strict=True))
    is_outside = not (0 <= x < size[0] and 0 <= y < size[1])
    return None if io.want_capture_mouse or is_outside else (x, size[1] - 1 - y)


def _place(io: imgui.IO, view: Box) -> tuple[float, float]:
    return (io.mouse_pos.x - view.x) / max(view.width, 1.0), (io.mouse_pos.y - view.y) / max(view.height, 1.0)


def draw_reading(reading: Reading) -> None:
    """The value under the mouse, beside it."""
    text, mouse, pad = str(reading), imgui.get_io().mouse_pos, em(0.4)
    size, display = imgui.calc_text_size(text), imgui.get_io().display_size
    left = min(mouse.x + em(1.2), display.x - size.x - 2 * pad)
    top = min(mouse.y + em(1.2), display.y - size.y - 2 * pad)
    draw = imgui.get_foreground_draw_list()
    corners = imgui.ImVec2(left - pad, top - pad), imgui.ImVec2(left + size.x + pad, top + size.y + pad)
    draw.add_rect_filled(*corners, theme.packed(theme.rgb("0c1319", 0.86)), em(0.4))
    draw.add_text(imgui.ImVec2(left, top), theme.packed(theme.TEXT), text)
