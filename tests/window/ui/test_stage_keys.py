"""Views of the stages: a key and an entry in the panel for each, and the value under the mouse."""

import pytest

from ocean.render.debug_views import DEBUG_VIEWS
from ocean.settings import PICTURE, with_values
from ocean.window import actions
from ocean.window.ui import view_controls
from ocean.window.ui.dialogs import shortcut
from ocean.window.ui.files import load_scene

from ...render.conftest import debug_values


def test_each_view_has_a_key_of_its_own(desktop):
    keys = list(view_controls.KEYS.values())
    named = {f"debug view: {name.replace('-', ' ')}" for name in DEBUG_VIEWS}
    assert [action.keys for action in desktop.actions.menu if action.meaning in named] == [(key,) for key in keys]
    assert len(set(keys)) == len(keys)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("name", ["packed", "field"])
def test_shift_with_a_views_key_shows_its_next_picture(pilot, desktop, name):
    stage = DEBUG_VIEWS[name]
    key, several = view_controls.KEYS[name], stage.pictures
    assert shortcut(f"SHIFT+{key}") in stage.help
    pilot.press(key, shift=True)
    legends = []
    for field in (*several, several[0]):
        assert (desktop.settings.stage.view, desktop.settings.stage.field) == (name, field)
        legends.append(desktop.renderer.debug.caption(desktop.renderer.scene)[0])
        pilot.press(key, shift=True)
    assert len(set(legends)) == len(several) == {"packed": 4, "field": 8}[name]
    pilot.press(key)
    assert desktop.settings.stage.view == PICTURE
    pilot.press(key)
    assert (desktop.settings.stage.view, desktop.settings.stage.field) == (name, several[1])


@pytest.mark.usefixtures("undrawn")
def test_two_presses_in_one_frame_count_twice(pilot, desktop):
    actions.show_next_field(desktop, "field")
    actions.show_next_field(desktop, "field")
    pilot.frames(3)
    assert (desktop.settings.stage.view, desktop.settings.stage.field) == ("field", DEBUG_VIEWS["field"].pictures[1])
    actions.toggle_panel(desktop)
    actions.toggle_panel(desktop)
    pilot.frames(3)
    assert desktop.settings.window.panel


@pytest.mark.usefixtures("undrawn")
def test_the_packed_stage_starts_at_the_shown_field(pilot, desktop):
    packed, field = view_controls.KEYS["packed"], view_controls.KEYS["field"]
    for _ in range(4):
        pilot.press(field, shift=True)
    assert desktop.settings.stage.field == "dz"
    pilot.press(packed)
    assert "F2 = Dx + i Dz" in desktop.renderer.debug.caption(desktop.renderer.scene)[0]
    pilot.press(packed, shift=True)
    assert desktop.settings.stage.field == "slope_x"


@pytest.mark.usefixtures("undrawn")
def test_other_keys_work_with_shift(pilot, desktop):
    """Shift is held to fly faster."""
    pilot.press(view_controls.KEYS["foam"], shift=True)
    assert desktop.settings.stage.view == "foam"


@pytest.mark.usefixtures("undrawn")
def test_keys_show_a_view_and_the_picture_again(pilot, desktop, ctx):
    for name, key in view_controls.KEYS.items():
        pilot.press(key)
        assert desktop.settings.stage.view == name
        assert ctx.error == "GL_NO_ERROR"
    pilot.press(key)
    assert desktop.settings.stage.view == PICTURE
    pilot.press("F1")
    pilot.frames(2)
    assert f"debug view: {next(iter(DEBUG_VIEWS))}" in pilot.texts


@pytest.mark.usefixtures("undrawn")
def test_the_panel_has_an_entry_for_each_view(pilot, desktop):
    pilot.click("FFT")
    pilot.click("Sea")
    pilot.click("Stages")
    assert {name for name, _ in view_controls.ENTRIES} == {PICTURE, *DEBUG_VIEWS}
    labels = [view_controls.label(*entry) for entry in view_controls.ENTRIES]
    assert len(set(labels)) == len(labels)
    assert {"F3 = hx + i hz", "Field slope x", "Light sky"} < set(labels)
    assert all(any(label == place.partition("###")[0] for place in pilot.places) for label in labels)
    for name, field in view_controls.ENTRIES[::8]:
        pilot.click(view_controls.label(name, field))
        assert desktop.settings.stage.view == name
        assert desktop.settings.stage.field == field or not field
    pilot.click("F3 = hx + i hz")
    assert (desktop.settings.stage.view, desktop.settings.stage.field) == ("packed", "slope_x")
    pilot.press(view_controls.KEYS["packed"], shift=True)
    assert desktop.settings.stage.field == "dxx"
    pilot.click("F4 = Dxx + i Dzz")  # the map is shown
    assert desktop.settings.stage.view == PICTURE
    before = desktop.settings
    pilot.click(view_controls.label(PICTURE))
    assert desktop.settings is before


def test_the_value_under_the_mouse_belongs_to_the_stage(pilot, desktop, ctx, monkeypatch):
    drawn = []
    draw = view_controls.draw_reading
    monkeypatch.setattr(view_controls, "draw_reading", lambda reading: (drawn.append(reading), draw(reading)))
    pilot.press(view_controls.KEYS["jacobian"])
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
    value = debug_values(desktop.renderer)[::-1][y, x, 0]
    assert drawn[-1].values == pytest.approx((value,))
    desktop.on_mouse_position_event(*pilot.place("FFT"), 0, 0)  # over the panel
    pilot.frames(3)
    count = len(drawn)
    pilot.frames(3)
    assert len(drawn) == count


def test_a_preset_does_not_change_the_view(settings):
    from ocean.common.resources import config

    shown = with_values(settings, {"stage.view": "foam", "stage.range": 2.0})
    assert load_scene(shown, config("gale")).stage == shown.stage
