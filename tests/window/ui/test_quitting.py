"""The end of the program: by menu, key, dialog or number of frames, and with a state that can't be saved."""

from functools import partial

import pytest

from ocean.common.files import OutputError
from ocean.window import session


def by_key(pilot):
    pilot.press("Q", ctrl=True)


def by_menu(pilot):
    pilot.click("File")
    pilot.click("Quit")


def by_dialog(pilot):
    pilot.desktop.fail(ValueError("nobody expected this"))
    pilot.frames(3)
    pilot.click("Quit")


def by_frames(pilot):
    pilot.desktop.quit_after = pilot.desktop.frames + 1
    pilot.frames()


def test_the_menu_quits_and_nothing_has_failed(pilot, desktop):
    by_menu(pilot)
    assert desktop.wnd.is_closing
    assert desktop.failure is None


@pytest.mark.parametrize("end", [by_key, by_menu, by_dialog, by_frames])
def test_a_state_that_cannot_be_kept_ends_the_program_with_its_sentence(pilot, desktop, tmp_path, end):
    (tmp_path / "file").write_text("in the way")
    desktop.keep = partial(session.keep, tmp_path / "file" / "window.json")
    with pytest.raises(OutputError, match="can't write"):  # and no dialog, in a window that never closes
        end(pilot)
    assert desktop.wnd.is_closing
