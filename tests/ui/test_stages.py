"""Views of the stages: a key and an entry in the panel for each, and the value under the mouse."""

import pytest

from ocean.settings import with_values
from ocean.stages import PICTURE, STAGES
from ocean.ui import stages
from ocean.ui.files import preset
from ocean.ui.keys import ACTIONS


def test_each_view_has_a_key_of_its_own():
    keys = [stage.key for stage in STAGES.values()]
    assert [action.keys for action in ACTIONS if action.method == "toggle_stage"] == [(key,) for key in keys]
    assert len(set(keys)) == len(keys)


def test_keys_show_a_view_and_the_picture_again(pilot, desktop, ctx):
    for name, stage in STAGES.items():
        pilot.press(stage.key)
        assert desktop.settings.stage.view == name
        assert ctx.error == "GL_NO_ERROR"
    last = list(STAGES.values())[-1]
    pilot.press(last.key)
    assert desktop.settings.stage.view == PICTURE
    pilot.press("F1")
    pilot.frames(2)
    assert f"stage: {next(iter(STAGES))}" in pilot.texts


def test_the_panel_has_an_entry_for_each(pilot, desktop):
    pilot.click("FFT")
    pilot.click("Sea")
    pilot.click("Stages")
    for name in list(STAGES)[::5]:
        pilot.click(f"{stages.label(name)}###stage {name}")
        assert desktop.settings.stage.view == name
    assert all(f"{stages.label(name)}###stage {name}" in pilot.places for name in (PICTURE, *STAGES))
    pilot.choose("stage.field", "slope_x")
    assert desktop.settings.stage.field == "slope_x"
    pilot.click(f"{stages.label(PICTURE)}###stage {PICTURE}")
    assert desktop.settings.stage.view == PICTURE


def test_the_value_under_the_mouse_is_the_views(pilot, desktop, ctx, monkeypatch):
    drawn = []
    draw = stages.draw_reading
    monkeypatch.setattr(stages, "draw_reading", lambda reading: (drawn.append(reading), draw(reading)))
    pilot.press(STAGES["jacobian"].key)
    width, height = desktop.renderer.size
    view = desktop.interface.layout.view
    mouse = int(view.x + 0.5 * view.width), int(view.y + 0.9 * view.height)
    desktop.on_mouse_position_event(*mouse, 0, 0)
    for _ in range(6):
        pilot.frames()
        ctx.finish()
    across, down = (mouse[0] - view.x) / view.width, (mouse[1] - view.y) / view.height
    x, y = int(across * width), height - 1 - int(down * height)
    assert drawn[-1].pixel == (x, y)
    value = desktop.renderer.stages.values()[::-1][y, x, 0]
    assert drawn[-1].values == pytest.approx((value,))
    desktop.on_mouse_position_event(*pilot.place("FFT"), 0, 0)  # over the panel
    pilot.frames(3)
    count = len(drawn)
    pilot.frames(3)
    assert len(drawn) == count


def test_a_preset_leaves_the_view_as_it_is(settings):
    from ocean.resources import config

    shown = with_values(settings, {"stage.view": "foam", "stage.range": 2.0})
    assert preset(shown, config("gale")).stage == shown.stage
