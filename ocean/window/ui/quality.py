"""The panel's choice of a quality level."""

from imgui_bundle import imgui

from ocean.common.resources import LEVELS
from ocean.settings.quality import changes_to, level_of, level_values
from ocean.window.ui.theme import em, tooltip
from ocean.window.ui.widgets import DEFAULTS, Editor

HELP = "Quality of the sea and of its picture. Each level is a config of that name."


def draw(edit: Editor) -> None:
    """Draw a list of the levels; a choice goes into the editor's changes."""
    now = level_of(edit.settings)
    edit.label("Quality", now != level_of(DEFAULTS))
    tooltip(HELP)
    imgui.set_next_item_width(-em(1.9))
    if imgui.begin_combo("##quality", now or "as set below"):
        for name in LEVELS:
            if imgui.selectable(name, name == now)[0]:
                edit.changes.update(changes_to(edit.settings, name))
                edit.name = f"quality {name}"
            tooltip("\n".join(f"{path} = {value}" for path, value in level_values(name).items()))
        imgui.end_combo()
    tooltip(HELP)
