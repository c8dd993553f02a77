"""The keyboard alone: into a window, along its controls, and back to the camera."""

from operator import attrgetter

import pytest
from imgui_bundle import imgui


@pytest.mark.usefixtures("undrawn")
def test_a_control_is_reached_and_used_without_the_mouse(pilot, desktop):
    pilot.press("N")
    pilot.frames(3)
    assert imgui.get_io().nav_visible
    pilot.press("DOWN")  # from the search to the buttons; the first one resumes time
    pilot.frames(2)
    assert desktop.paused
    pilot.press("SPACE")  # by the button alone: as a shortcut, Space would pause again
    pilot.frames(2)
    assert not desktop.paused
    desktop.wnd.hold("W")
    before = desktop.settings.view
    pilot.frames(5)
    assert desktop.settings.view != before  # letters still move the camera
    pilot.press("ESCAPE")
    pilot.frames(2)
    assert not imgui.get_io().nav_visible


@pytest.mark.usefixtures("undrawn")
def test_escape_closes_the_open_part_with_the_keyboard_in_a_window(pilot, desktop):
    pilot.press("F1")
    pilot.press("N")
    pilot.frames(3)
    assert imgui.get_io().nav_visible
    pilot.press("ESCAPE")
    assert not desktop.interface.shows_keys


@pytest.mark.usefixtures("undrawn")
def test_an_entry_without_a_key_is_reached_and_chosen_in_the_menu(pilot, desktop):
    """The test chooses the size of text. Its submenu is the last but one in View, two menus to the right of File."""
    pilot.press("M", ctrl=True)
    pilot.frames(3)
    assert "Save settings##menu" in pilot.places
    for key in ("RIGHT", "RIGHT", "DOWN"):
        pilot.press(key)
        pilot.frames(2)
    assert "Full screen##menu" in pilot.places
    for key in ("UP", "UP", "RIGHT", "DOWN", "DOWN", "DOWN", "DOWN", "ENTER"):
        pilot.press(key)
        pilot.frames(2)
    assert desktop.settings.window.scale == 1.5


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("opens", ["O", "M"])  # the list of files, and the menu
@pytest.mark.parametrize("is_recorded_before", [True, False])
def test_space_after_escape_from_a_dialog_pauses_and_ends_no_movie(
    pilot, desktop, tmp_path, monkeypatch, opens, is_recorded_before
):
    pytest.importorskip("av")
    monkeypatch.chdir(tmp_path)
    if is_recorded_before:
        pilot.press("R")
    pilot.press(opens, ctrl=True)
    pilot.frames(3)
    assert imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
    pilot.press("ESCAPE")
    pilot.frames(2)
    assert not imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
    if not is_recorded_before:
        pilot.press("R")
        pilot.frames(2)
    was_paused = desktop.paused
    pilot.press("SPACE")
    assert desktop.paused is not was_paused
    assert desktop.studio.progress


@pytest.mark.usefixtures("undrawn")
def test_a_menu_leaves_the_keyboard_in_the_window_that_had_it(pilot):
    pilot.press("N")
    pilot.frames(3)
    pilot.press("M", ctrl=True)
    pilot.frames(3)
    pilot.press("ESCAPE")
    pilot.frames(2)
    assert imgui.get_io().nav_visible


@pytest.mark.usefixtures("undrawn")
def test_keys_go_to_the_view_after_a_search(pilot, desktop):
    pilot.press("F", ctrl=True)
    desktop.on_unicode_char_entered("wind")
    pilot.frames(2)
    assert desktop.interface.panel.search.words == "wind"
    pilot.press("ESCAPE")
    pilot.frames(2)
    assert not desktop.interface.panel.search.words
    assert desktop.paused
    pilot.press("SPACE")
    assert not desktop.paused


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(("key", "place"), [("F", "panel.search.words"), ("O", "files.dialog.name")])
def test_letters_typed_before_the_search_field_opens_go_into_it(pilot, desktop, key, place):
    """During a slow frame, letters after Ctrl+F wait. They are also keys of the camera and the sea."""
    held, view = desktop.wnd.modifiers, desktop.settings.view
    held.ctrl = True
    desktop.on_key_event(key, desktop.wnd.keys.ACTION_PRESS, held)
    held.ctrl = False
    for letter in "clouds":
        desktop.on_key_event(letter.upper(), desktop.wnd.keys.ACTION_PRESS, held)
        desktop.on_unicode_char_entered(letter)
        desktop.on_key_event(letter.upper(), desktop.wnd.keys.ACTION_RELEASE, held)
    pilot.frames(8)
    assert attrgetter(place)(desktop.interface) == "clouds"
    assert desktop.newest.view == view
