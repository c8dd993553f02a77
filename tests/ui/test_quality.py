"""The quality level in the panel."""

from ocean.settings.quality import level_of


def test_a_level_is_chosen_live(pilot, desktop, ctx):
    before = desktop.settings.window
    pilot.choose("quality", "low")
    pilot.until(lambda: level_of(desktop.settings) == "low" and desktop.renderer.sea.layers.width == 256)
    assert desktop.settings.window == before
    pilot.choose("quality", "software")
    pilot.until(lambda: level_of(desktop.settings) == "software" and desktop.renderer.sea.layers.width == 128)
    assert ctx.error == "GL_NO_ERROR"
