"""Handles in the view, for the sun and the wind: their positions, and the changes that drags make."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from imgui_bundle import implot

from ocean.gpu.passes import Progress
from ocean.render import camera
from ocean.render.debug_views import DEBUG_VIEWS
from ocean.settings import PICTURE, ViewSettings
from ocean.window import actions
from ocean.window.ui import view_controls
from ocean.window.ui.dialogs import shortcut
from ocean.window.ui.theme import Box
from ocean.window.ui.view_controls import direction_at, on_screen

from ...render.conftest import debug_values

BOX = Box(300, 40, 640, 480)


@given(st.floats(0, 359), st.floats(-60, 60), st.floats(20, 90), st.floats(0, 1), st.floats(0, 1))
def test_a_place_in_the_view_is_found_again_from_its_direction(heading, pitch, field, across, down):
    view = ViewSettings(heading=heading, pitch=pitch, field_of_view=field)
    x, y = BOX.x + 1 + across * (BOX.width - 2), BOX.y + 1 + down * (BOX.height - 2)
    azimuth, elevation = direction_at(view, BOX, x, y)
    assert on_screen(view, BOX, azimuth, elevation) == pytest.approx((x, y), abs=1e-3)


def test_a_direction_is_seen_where_the_picture_shows_it():
    view = ViewSettings(heading=250.0, pitch=8.0)
    azimuth, elevation = np.radians((258.0, 14.0))
    sun = np.array([np.sin(azimuth) * np.cos(elevation), np.sin(elevation), -np.cos(azimuth) * np.cos(elevation)])
    turned = np.array([*(1000 * sun + (0, camera.eye_height(view), 0)), 1.0])
    clip = turned @ camera.view_matrix(view) @ camera.projection_matrix(view, BOX.width / BOX.height, 1e5)
    x, y = clip[:2] / clip[3]
    expected = BOX.x + (0.5 + x / 2) * BOX.width, BOX.y + (0.5 - y / 2) * BOX.height
    assert on_screen(view, BOX, 258.0, 14.0) == pytest.approx(expected, abs=0.1)
    assert on_screen(view, BOX, 78.0, 14.0) is None


@pytest.mark.parametrize("frames", [1, 5])
def test_a_drag_is_one_change_while_pictures_take_several_frames(pilot, desktop, monkeypatch, frames):
    monkeypatch.setattr("ocean.window.pictures.PATIENCE", 0.0)
    monkeypatch.setattr(desktop.renderer, "steps", lambda *_, **__: iter([Progress(name, 1, 3) for name in "abc"]))
    wind = desktop.settings.sea.wind
    x, y = pilot.place("wind handle")
    desktop.on_mouse_position_event(x, y, 0, 0)
    pilot.frames(2)
    desktop.on_mouse_press_event(x, y, 1)
    pilot.frames(2)
    for step in range(1, 7):
        desktop.on_mouse_drag_event(x + 4 * step, y - 3 * step, 4, -3)
        pilot.frames(frames)
    desktop.on_mouse_release_event(x + 24, y - 18, 1)
    pilot.frames(9)
    assert desktop.settings.sea.wind != wind
    pilot.press("Z", ctrl=True)
    pilot.frames(9)
    assert desktop.settings.sea.wind == wind
    assert not desktop.changes.title("undo")


def drag(pilot, name, right, down):
    pilot.drag(*pilot.place(f"{name} handle"), right, down)


@pytest.mark.usefixtures("undrawn")
def test_the_wind_and_the_sun_are_dragged_and_the_camera_stays(pilot, desktop):
    look = {"view.heading": 90.0, "view.pitch": 5.0, "sky.sun_azimuth": 90.0, "sky.sun_elevation": 10.0}
    pilot.set({**look, "sea.wind.speed": 10.0, "sea.wind.direction": 90.0})
    pilot.frames(3)
    view, wind = desktop.settings.view, desktop.settings.sea.wind
    drag(pilot, "wind", 30, 0)  # the arrow points ahead: up in the view
    turned = desktop.settings.sea.wind
    pilot.press("Z", ctrl=True)
    assert desktop.settings.sea.wind == wind
    pilot.press("Y", ctrl=True)
    assert desktop.settings.sea.wind == turned
    assert 90 < turned.direction < 180
    assert turned.speed > wind.speed
    assert (turned.fetch, desktop.settings.view) == (wind.fetch, view)
    drag(pilot, "sun", 60, -40)
    sky = desktop.settings.sky
    assert sky.sun_azimuth > 91
    assert sky.sun_elevation > 11
    assert desktop.settings.view == view
    pilot.press("Z", ctrl=True)
    pilot.frames(2)
    assert desktop.settings.sky.sun_elevation == 10  # a drag is one change
    pilot.press("L")
    pilot.frames(2)
    assert "sun handle" not in pilot.places


@pytest.mark.usefixtures("undrawn")
def test_a_stage_that_shows_no_view_has_no_handles(pilot, desktop):
    assert "wind handle" in pilot.places
    pilot.press("NUMBER_4")
    pilot.frames(2)
    assert "wind handle" not in pilot.places
    pilot.press("F4")
    pilot.frames(2)
    assert "wind handle" in pilot.places


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
def test_keys_show_a_view_and_the_picture_again(pilot, desktop, ctx):
    for name, key in view_controls.KEYS.items():
        pilot.press(key.removeprefix("SHIFT+"), shift=key.startswith("SHIFT+"))
        assert desktop.settings.stage.view == name
        assert ctx.error == "GL_NO_ERROR"
    pilot.press(key.removeprefix("SHIFT+"), shift=key.startswith("SHIFT+"))
    assert desktop.settings.stage.view == PICTURE
    pilot.press("F1")
    pilot.frames(2)
    assert f"debug view: {next(iter(DEBUG_VIEWS))}" in pilot.texts


@pytest.mark.usefixtures("undrawn")
def test_the_panel_has_an_entry_for_each_view(pilot, desktop):
    pilot.click("FFT")
    pilot.click("Sea")
    pilot.click("Debug views")
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


def test_the_value_under_the_mouse_belongs_to_the_debug_view(pilot, desktop, ctx, monkeypatch):
    drawn, read = [], desktop.renderer.debug.reading

    def noted(settings):
        found = read(settings)
        drawn.extend([found] if found else [])
        return found

    monkeypatch.setattr(desktop.renderer.debug, "reading", noted)
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


@pytest.mark.usefixtures("undrawn")
def test_the_dragged_sun_shows_elevation_and_azimuth(pilot, desktop):
    pilot.set({"view.heading": 90.0, "view.pitch": 5.0, "sky.sun_azimuth": 90.0, "sky.sun_elevation": 10.0})
    pilot.frames(3)
    x, y = pilot.place("sun handle")
    desktop.on_mouse_position_event(x, y, 0, 0)
    pilot.frames()
    desktop.on_mouse_press_event(x, y, 1)
    pilot.frames()
    desktop.on_mouse_drag_event(x + 60, y - 40, 60, -40)
    pilot.frames(3)
    sky = desktop.settings.sky
    assert sky.sun_elevation > 11
    assert any(f"{sky.sun_elevation:.1f}°" in text and f"{sky.sun_azimuth:.1f}°" in text for text in pilot.texts)


@pytest.mark.usefixtures("undrawn")
def test_the_wheel_enlarges_a_map_and_a_drag_moves_it(pilot, desktop):
    pilot.press(view_controls.KEYS["field"])
    pilot.frames(2)
    renderer, view = desktop.renderer, desktop.interface.layout.view
    square, (width, height) = renderer.debug.square(renderer.scene), renderer.size
    across, down = square.corner[0] + square.side / 4, height - square.corner[1] - 3 * square.side / 4
    x, y = int(view.x + across / width * view.width), int(view.y + down / height * view.height)
    desktop.on_mouse_position_event(x, y, 0, 0)
    pilot.frames(2)
    camera, speed = desktop.settings.view, desktop.steering.speed
    pointed = view_controls.pointer(renderer.size, view)
    before = renderer.debug.square(renderer.scene).element(pointed[0] + 0.5, pointed[1] + 0.5)
    for _ in range(5):
        desktop.on_mouse_scroll_event(0.0, 1.0)
        pilot.frames(2)
    assert desktop.settings.stage.zoom == pytest.approx(1.15**10)
    after = renderer.debug.square(renderer.scene).element(pointed[0] + 0.5, pointed[1] + 0.5)
    assert after == pytest.approx(before)
    stage = desktop.settings.stage
    pilot.drag(x, y, 100, 40)
    moved = desktop.settings.stage
    units = square.side * view.width / width * stage.zoom
    assert (stage.x - moved.x, stage.z - moved.z) == pytest.approx((100 / units, 40 / units), rel=0.02)
    assert (desktop.settings.view, desktop.steering.speed) == (camera, speed)
    assert not desktop.changes.title("undo")
    for _ in range(9):
        desktop.on_mouse_scroll_event(0.0, -1.0)
    assert (desktop.settings.stage.zoom, desktop.settings.stage.x, desktop.settings.stage.z) == (1.0, 0.5, 0.5)


def test_handles_on_the_histogram_narrow_the_colours(pilot, desktop, ctx, monkeypatch):
    boxes, draw = [], implot.drag_line_x

    def noted(*arguments):
        boxes.append((*implot.get_plot_pos(), *implot.get_plot_size()))
        return draw(*arguments)

    monkeypatch.setattr(implot, "drag_line_x", noted)
    pilot.set({"stage.view": "field", "stage.low": 0.25, "stage.high": 0.75})
    for heading in ("FFT", "Sea", "Debug views"):
        pilot.click(heading)
    for _ in range(8):
        pilot.frames()
        ctx.finish()
    plot = desktop.interface.panel.values
    assert plot.is_open
    there = debug_values(desktop.renderer)[..., 3] > 0
    assert plot.counts[0].sum() == there.sum()
    left, top, width, height = boxes[-1]
    pilot.drag(round(left + 0.25 * width), round(top + height / 2), round(0.1 * width))
    assert desktop.settings.stage.low == pytest.approx(0.35, abs=0.03)
    assert desktop.settings.stage.high == 0.75
    assert desktop.changes.title("undo", "view") == "stage low"
    pilot.choose("stage.beside", "jacobian")
    pilot.frames(2)
    assert desktop.settings.stage.beside == "jacobian"
    assert "legend beside" in {one.name for one in desktop.renderer.passes}


@pytest.mark.usefixtures("undrawn")
def test_a_fast_mouse_over_the_panel_moves_no_camera(pilot, desktop):
    """Frames may be slower than the hand, and ImGui sees the mouse only with the next one."""
    view, inside = desktop.settings.view, desktop.interface.layout.view
    middle = int(inside.x + inside.width / 2), int(inside.y + inside.height / 2)
    desktop.on_mouse_position_event(*middle, 0, 0)
    pilot.frames(3)
    speed = desktop.steering.speed
    desktop.on_mouse_position_event(60, 400, 0, 0)
    desktop.on_mouse_scroll_event(0.0, 3.0)
    desktop.on_mouse_press_event(60, 400, 1)
    desktop.on_mouse_drag_event(90, 430, 30, 30)
    pilot.frames(3)
    desktop.on_mouse_release_event(90, 430, 1)
    assert (desktop.steering.speed, desktop.settings.view) == (speed, view)
    desktop.on_mouse_position_event(*middle, 0, 0)
    pilot.frames(3)
    desktop.on_mouse_press_event(*middle, 1)
    desktop.on_mouse_drag_event(middle[0] + 30, middle[1] + 30, 30, 30)
    assert desktop.settings.view != view
