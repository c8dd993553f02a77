"""The quality level in the panel."""

import pytest

from ocean.settings import level_of


@pytest.mark.usefixtures("undrawn")
def test_a_level_is_chosen_live(pilot, desktop, ctx):
    before = desktop.settings.window
    pilot.choose("quality", "low")
    assert level_of(desktop.settings) == "low"
    assert desktop.settings.window == before
    pilot.choose("quality", "software")
    assert level_of(desktop.settings) == "software"
    assert ctx.error == "GL_NO_ERROR"
