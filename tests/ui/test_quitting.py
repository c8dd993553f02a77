"""The end: by menu, key, dialog or number of frames, and with a state that can't be kept."""

import pytest

from ocean.files import OutputError


def test_the_menu_quits_without_a_failure(pilot, desktop):
    pilot.click("File")
    pilot.click("Quit")
    assert desktop.wnd.is_closing
    assert desktop.failure is None


@pytest.mark.parametrize("by", ["Esc", "menu", "dialog", "quit_after"])
def test_a_state_that_cannot_be_kept_ends_the_program_with_its_sentence(pilot, desktop, tmp_path, monkeypatch, by):
    (tmp_path / "file").write_text("in the way")
    desktop._state = tmp_path / "file" / "window.json"
    with pytest.raises(OutputError, match="can't write"):  # and not a dialog, whose window never closes
        if by == "Esc":
            pilot.press("ESCAPE")
        elif by == "menu":
            pilot.click("File")
            pilot.click("Quit")
        elif by == "dialog":
            desktop.fail(ValueError("x"))
            pilot.frames(3)
            pilot.click("Quit")
        else:
            desktop._quit_after = desktop.frames + 1
            pilot.frames()
    assert desktop.wnd.is_closing
