"""Undo and redo, without a window."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imgui_bundle import imgui

from ocean.gpu.timing import FrameTimes, PassTime
from ocean.settings import Settings, with_values
from ocean.window.changes import Change, Changes, spell_change, spell_changes
from tests.messages import unnamed

from .conftest import Keys

values = st.dictionaries(
    st.sampled_from(["sea.wind.speed", "foam.amount", "view.edge_pixels", "buoy.x"]),
    st.floats(1, 5),
    min_size=1,
    max_size=3,
)


def queued(changes, settings):
    """Return the settings that a queue leads to, and empty it."""
    now = changes.newest(settings)
    changes.queue.clear()
    return now


@settings(max_examples=25)
@given(st.lists(values, max_size=6))
def test_all_changes_can_be_undone_and_redone(made):
    history, changes = [Settings()], Changes()
    for change in made:
        before, after = history[-1], with_values(history[-1], change)
        changes.note(before, [Change(after)])
        history += [after] if after != before else []
    now = history[-1]
    for before in history[-2::-1]:
        assert changes.travel("undo", now)
        now = queued(changes, now)
        assert now == before
    assert not changes.travel("undo", now)
    for after in history[1:]:
        assert changes.travel("redo", now)
        now = queued(changes, now)
        assert now == after
    assert not changes.travel("redo", now)


def test_a_drag_is_one_step_and_a_new_change_ends_redo():
    changes, start = Changes(), Settings()
    now = start
    for speed in (11.0, 12.0, 13.0):
        later = with_values(now, {"sea.wind.speed": speed})
        changes.note(now, [Change(later, "drag")])
        now = later
    changes.end_drag()
    other = with_values(now, {"foam.amount": 2.0})
    changes.note(now, [Change(other, "drag")])
    changes.travel("undo", other)
    assert queued(changes, other) == now
    changes.travel("undo", now)
    assert queued(changes, now) == start
    changes.note(start, [Change(other)])
    assert not changes.travel("redo", other)


def test_undo_keeps_panels_hidden():
    changes, start = Changes(), Settings()
    windy, hidden = with_values(start, {"sea.wind.speed": 12.0}), with_values(start, {"window.panel": False})
    now = with_values(windy, {"window.panel": False})
    changes.note(start, [Change(windy), Change(now)])
    changes.travel("undo", now)
    assert queued(changes, now) == hidden
    assert not changes.travel("undo", hidden)


def test_undo_keeps_the_camera():
    changes, start = Changes(), Settings()
    changed = with_values(start, {"view.edge_pixels": 9.0})
    changes.note(start, [Change(changed)])
    flown = with_values(changed, {"view.x": 500.0})
    changes.travel("undo", flown)
    back = queued(changes, flown)
    assert back.view.x == 500.0
    assert back.view.edge_pixels == start.view.edge_pixels


def test_camera_and_debug_view_have_a_history_of_their_own():
    changes, start = Changes(), Settings()
    windy = with_values(start, {"sea.wind.speed": 12.0})
    shown = with_values(windy, {"stage.view": "jacobian"})
    dived = with_values(shown, {"view.dive": 3.0})
    changes.note(start, [Change(windy), Change(shown), Change(dived)])
    changes.travel("undo", dived)
    calm = queued(changes, dived)
    assert calm == with_values(dived, {"sea.wind.speed": start.sea.wind.speed})
    changes.travel("undo", calm, "view")
    changes.travel("undo", now := queued(changes, calm), "view")
    assert queued(changes, now) == start
    changes.travel("redo", start, "view")
    assert queued(changes, start).stage == shown.stage
    changes.travel("redo", start)
    assert queued(changes, start) == windy


def test_descriptions_of_changes_have_the_units_of_the_panel():
    before = with_values(Settings(), {"sea.depth": 20.0})
    after = with_values(before, {"sea.depth": 2000.0, "sea.wind.spectrum": "pierson-moskowitz"})
    assert spell_changes(before, after) == {
        "sea.depth": ("20 m", "2 km"),
        "sea.wind.spectrum.kind": ("jonswap", "pierson-moskowitz"),  # and no gamma, which nobody changed
    }
    assert "more" not in spell_change(before, with_values(before, {"fft.backend": "dft"}))
    assert unnamed(spell_change(before, with_values(before, {"sea.depth": 2000.0})), "sea depth 2 km") == []


def right_click(pilot, text):
    """Press and release the right button on a name or heading."""
    x, y = text
    pilot.desktop.on_mouse_position_event(x, y, 0, 0)
    pilot.frames(2)
    pilot.desktop.on_mouse_press_event(x, y, 2)
    pilot.frames(2)
    pilot.desktop.on_mouse_release_event(x, y, 2)
    pilot.frames(3)


def name_of(pilot, path):
    """Return the position of a setting's name, to the left of its widget."""
    x, y = pilot.place(f"##{path}", 0.0)
    return x - 60, y


def pixels(desktop):
    return np.frombuffer(desktop.renderer.picture.read(components=3), np.uint8).astype(int)


def test_a_held_key_shows_the_kept_settings(pilot, desktop):
    first = desktop.settings
    pilot.press("K")
    pilot.set({"sky.sun_elevation": 60.0})
    pilot.frames(3)
    second = desktop.settings
    assert second != first
    view = second.view.model_copy(update={"heading": 200.0})
    desktop.look(view)
    pilot.hold_down("X")
    assert desktop.settings.sky == first.sky
    assert desktop.settings.view == view  # the camera stays
    assert any(text.startswith("A") for text in pilot.texts)
    pilot.let_go("X")
    assert desktop.settings.sky == second.sky
    assert desktop.changes.title("undo") == "sky sun elevation"  # showing A is not a change


def test_a_and_b_have_cameras_of_their_own_and_times_side_by_side(pilot, desktop, monkeypatch):
    pilot.press("K")
    own = desktop.settings.view
    pilot.set({"sky.sun_elevation": 60.0, "view.heading": 77.0})
    pilot.frames(3)
    desktop.ab.has_own_cameras = True
    pilot.click("Edit")
    pilot.click("Separate cameras for A and B")
    assert not desktop.ab.has_own_cameras
    desktop.ab.has_own_cameras = True
    took = [3.0]

    def collect():
        return [FrameTimes(desktop.frames, {"sky": PassTime(took[0], 0.0)})]

    monkeypatch.setattr(desktop.timers, "collect", collect)
    pilot.set({"sky.sun_elevation": 50.0})
    pilot.frames(4)
    took[0] = 99.0  # of the next frame, in which caches are cold
    pilot.hold_down("X")
    assert desktop.settings.view == own
    took[0] = 8.0
    pilot.frames(20)
    assert any("A: 8 ms" in text and "B: 3 ms" in text for text in pilot.texts)
    assert any(text.startswith("A frame takes 8.00 ms") for text in pilot.texts)  # one number for one thing
    pilot.let_go("X")
    assert desktop.settings.view.heading == 77.0
    took[0] = 5.0
    pilot.set({"foam.amount": 0.5})
    pilot.frames(2)
    assert desktop.ab.frame_times == ("8 ms", "5 ms")
    took[0] = 2.0
    desktop.wnd.resize_to((140, 70))
    pilot.frames(4)
    assert desktop.ab.frame_times == ("", "2 ms")  # A is not timed at this size


def test_other_keys_neither_hide_a_nor_undo_changes_of_b(pilot, desktop):
    first = desktop.settings
    pilot.press("K")
    second = with_values(first, {"sky.sun_elevation": 60.0})
    desktop.put(Change(second))
    pilot.frames(3)
    pilot.hold_down("X")
    paused = desktop.paused
    pilot.press("SPACE")
    pilot.press("Z", ctrl=True)
    pilot.frames(3)
    assert desktop.paused != paused
    assert desktop.settings.sky == first.sky
    pilot.let_go("X")
    assert desktop.settings.sky == second.sky
    pilot.press("Z", ctrl=True)
    pilot.frames(3)
    assert desktop.settings.sky == first.sky


def test_undo_leaves_alone_what_was_changed_in_a(pilot, desktop):
    first = desktop.settings
    pilot.press("K")
    for speed in (12.0, 15.0):
        pilot.set({"sea.wind.speed": speed})
        pilot.frames(3)
    pilot.hold_down("X")
    pilot.set({"sea.wind.speed": 25.0})
    pilot.let_go("X")
    assert desktop.ab.other.sea.wind.speed == 25
    for expected in (12.0, first.sea.wind.speed):
        pilot.press("Z", ctrl=True)
        pilot.frames(3)
        assert desktop.settings.sea.wind.speed == expected
    assert desktop.ab.other.sea.wind.speed == 25


def test_showing_a_keeps_the_window_unchanged(pilot, desktop):
    pilot.press("K")
    pilot.press("TAB")
    pilot.frames(3)
    pilot.hold_down("X")
    assert desktop.ab.shows_a
    assert not desktop.settings.window.panel
    pilot.let_go("X")


def test_releasing_the_key_with_a_modifier_hides_a_too(pilot, desktop):
    pilot.press("K")
    second = with_values(desktop.settings, {"sky.sun_elevation": 60.0})
    desktop.put(Change(second))
    pilot.frames(3)
    held = desktop.wnd.modifiers
    desktop.on_key_event("X", Keys.ACTION_PRESS, held)
    pilot.frames(2)
    pilot.press("K")
    assert unnamed(desktop.interface.message, "A saved already") == []
    held.ctrl = True
    desktop.on_key_event("X", Keys.ACTION_RELEASE, held)
    held.ctrl = False
    pilot.frames(3)
    assert desktop.settings.sky == second.sky


def test_undo_takes_back_a_change_that_no_frame_has_shown(pilot, desktop):
    first = desktop.settings
    pilot.set({"sky.sun_elevation": 60.0})
    pilot.frames(3)
    pilot.set({"foam.amount": 0.5})
    pilot.press("Z", ctrl=True)
    pilot.frames(3)
    assert (desktop.settings.sky.sun_elevation, desktop.settings.foam) == (60.0, first.foam)
    pilot.press("Y", ctrl=True)
    pilot.frames(3)
    assert desktop.settings.foam.amount == 0.5


def test_escape_closes_the_split(pilot, desktop):
    pilot.press("K")
    pilot.press("V")
    assert desktop.ab.is_split
    pilot.press("ESCAPE")
    assert not desktop.ab.is_split


def test_a_message_says_that_no_settings_are_saved(pilot, desktop):
    pilot.press("X")
    assert unnamed(desktop.interface.message, "no saved A K") == []


def test_the_split_shows_a_up_to_a_draggable_line(pilot, desktop):
    pilot.press("K")
    pilot.frames(2)
    kept = np.frombuffer(desktop.ab.snapshot.read(), np.uint8)
    pilot.set({"sky.exposure": 6.0})
    pilot.frames(4)
    pilot.press("V")
    pilot.frames(4)
    assert np.array_equal(np.frombuffer(desktop.ab.snapshot.read(), np.uint8), kept)
    canvas, view = desktop.interface.canvas, desktop.interface.layout.view
    across, down = canvas.size[0] / desktop.wnd.width, canvas.size[1] / desktop.wnd.height

    def brightness(share):
        shown = np.frombuffer(canvas.read(components=3), np.uint8).reshape(*canvas.size[::-1], 3)[::-1]
        column = int((view.x + share * view.width) * across)
        top, bottom = int((view.y + 0.5 * view.height) * down), int((view.y + 0.9 * view.height) * down)
        return shown[top:bottom, column].mean()

    assert brightness(0.3) + 30 < brightness(0.7)
    x, y = int(view.x + 0.5 * view.width), int(view.y + 0.6 * view.height)
    pilot.drag(x, y, int(view.x + 0.85 * view.width) - x)
    assert desktop.interface.split == pytest.approx(0.85, abs=0.02)
    assert brightness(0.7) < brightness(0.95) - 30
    for key in ("V", "T", "V"):
        pilot.press(key)
        pilot.frames(3)
    truth = imgui.internal.find_window_by_name("Sea truth###truth")
    x, y = int(view.x + desktop.interface.split * view.width), int(truth.pos.y + 0.5 * truth.size.y)
    assert truth.pos.x < x < truth.pos.x + truth.size.x
    pilot.drag(x, y, -60)
    assert desktop.interface.split == pytest.approx(0.85, abs=0.02)  # the line lies behind it


def test_the_split_does_not_stretch_a_picture_of_another_shape(pilot, desktop):
    """Red and green of the painted picture grow by equal steps for each pixel, also in a view that became wider."""
    pilot.press("K")
    pilot.frames(2)
    width, height = desktop.ab.snapshot.size
    steps = 200 / max(width, height)
    across, up = np.meshgrid(steps * np.arange(width), steps * np.arange(height))
    texels = np.stack([across, up, 0 * up, 255 + 0 * up], -1).astype(np.uint8)
    for key in ("V", "TAB"):
        pilot.press(key)
        pilot.frames(3)
        desktop.ab.snapshot.write(texels.tobytes())
        pilot.frames(1)
        canvas, view = desktop.interface.canvas, desktop.interface.layout.view
        shown = np.frombuffer(canvas.read(components=3), np.uint8).reshape(*canvas.size[::-1], 3)[::-1].astype(int)
        x, y = view.x * canvas.width / desktop.wnd.width, view.y * canvas.height / desktop.wnd.height
        wide = view.width * canvas.width / desktop.wnd.width
        high = view.height * canvas.height / desktop.wnd.height
        left, right = int(x + 0.1 * wide), int(x + 0.4 * wide)
        top, bottom = int(y + 0.2 * high), int(y + 0.6 * high)
        red = (shown[top, right, 0] - shown[top, left, 0]) / (right - left)
        green = (shown[top, left, 1] - shown[bottom, left, 1]) / (bottom - top)
        assert red == pytest.approx(green, rel=0.08)
    assert wide / high > 1.2 * width / height


@pytest.mark.usefixtures("undrawn")
def test_a_setting_is_copied_pasted_reset_and_pinned_by_its_menu(pilot, desktop, monkeypatch):
    pilot.type("##sea.wind.speed", "17.5")
    right_click(pilot, name_of(pilot, "sea.wind.speed"))
    pilot.click("Copy")
    assert imgui.get_clipboard_text() == "sea.wind.speed = 17.5"
    right_click(pilot, name_of(pilot, "sea.wind.speed"))
    pilot.click("Reset")
    assert desktop.settings.sea.wind.speed == 10
    imgui.set_clipboard_text("21")
    right_click(pilot, name_of(pilot, "sea.wind.speed"))
    pilot.click("Paste")
    assert desktop.settings.sea.wind.speed == 21
    imgui.set_clipboard_text("fast")
    right_click(pilot, name_of(pilot, "sea.wind.speed"))
    pilot.click("Paste")
    assert desktop.settings.sea.wind.speed == 21
    assert desktop.interface.is_error
    right_click(pilot, name_of(pilot, "sea.wind.speed"))
    pilot.click("Pin")
    pilot.frames(2)
    assert desktop.interface.panel.pinned == ["sea.wind.speed"]
    pilot.click("Sea")  # closed, so that only the pinned one remains
    pilot.frames(2)
    pilot.type("##sea.wind.speed", "9")
    assert desktop.settings.sea.wind.speed == 9
    right_click(pilot, name_of(pilot, "sea.wind.speed"))
    pilot.click("Unpin")
    pilot.frames(2)
    assert "Pinned" not in pilot.places


@pytest.mark.usefixtures("undrawn")
def test_a_section_is_copied_reset_and_pasted(pilot, desktop, monkeypatch):
    pilot.set({"sea.wind.speed": 15.0, "sea.seed": 7, "sea.wind.spectrum": "tma"})
    pilot.frames(2)
    before = desktop.settings
    right_click(pilot, pilot.place("Sea", 0.3))
    pilot.click("Copy section")
    right_click(pilot, pilot.place("Sea", 0.3))
    pilot.click("Reset section")
    pilot.frames(2)
    assert (desktop.settings.sea.wind.speed, desktop.settings.sea.wind.spectrum.kind) == (10, "jonswap")
    assert desktop.settings.fft == before.fft
    right_click(pilot, pilot.place("Sea", 0.3))
    pilot.click("Paste")
    pilot.frames(2)
    assert desktop.settings == before


@pytest.mark.usefixtures("undrawn")
def test_the_panel_can_show_only_changed_settings(pilot, desktop):
    pilot.type("##sea.wind.speed", "17")
    pilot.click("changed")
    pilot.frames(2)
    assert {"##sea.wind.speed", "##fft.size"} <= set(pilot.places)
    assert not {"##sea.wind.direction", "##foam.decay", "FFT"} & set(pilot.places)
    pilot.press("ESCAPE")
    pilot.frames(2)
    assert "FFT" in pilot.places
