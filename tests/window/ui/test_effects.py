"""Settings that are marked as without effect: a change of them changes no bit of the picture."""

import numpy as np
import pytest

from ocean.common.parameters import choices_of, range_of
from ocean.render.frame import FrameRenderer
from ocean.settings import load_settings, value_at, with_values
from ocean.settings.files import resolve
from ocean.window.ui.panel import without_effect
from ocean.window.ui.widgets import kinds_of, leaves

from ...light.test_panorama import write_hdr

SMALL = (
    *("fft.size=16", "cascades.count=1", "foam.resolution=64", "view.edge_pixels=40", "sky.plain=false"),
    *("foam.amount=3", "sea.wind.speed=18", "view.samples=2"),
)


def another(value, info):
    """Return another valid value of a setting."""
    if kinds := kinds_of(info):
        return {"kind": kinds[-1].model_fields["kind"].default}
    if choices := choices_of(info):
        return next(choice for choice in reversed(choices) if choice != value)
    low, high = range_of(info)
    return type(value)(low + 0.4 * (high - low))


@pytest.mark.parametrize(
    "values",
    [
        ("sky.clouds=0", "sky.veil=0", "foam.amount=0", "view.samples=1"),
        ("sky.plain=true", "sea.wind.height=3", "view.dive=3"),
        ("sky.panorama={}", "stage.view=jacobian"),
        ("fft.size=32", "sea.wind.spectrum.kind=file", "sea.wind.spectrum.path=wave-train.swn"),
    ],
    ids=["bare", "plain", "panorama", "file"],
)
def test_settings_without_effect_change_no_bit_of_the_picture(ctx, tmp_path, values):
    write_hdr(tmp_path / "sky.hdr", np.full((8, 16, 3), 0.5, np.float32), compressed=False)
    overrides = [value.format(tmp_path / "sky.hdr") for value in values]
    settings = resolve(load_settings("software", overrides=[*SMALL, *overrides]))

    def picture(changed):
        renderer = FrameRenderer(ctx, changed, (64, 48))
        try:
            renderer.sea.update(10.0)
            renderer.render(10.5)
            return renderer.picture.read()
        finally:
            renderer.release()

    usual, fields = picture(settings), dict(leaves(settings))
    assert picture(with_values(settings, {"sea.seed": 5, "stage.view": "picture"})) != usual
    inert = without_effect(settings, fuses=True).keys() & fields.keys()
    assert len(inert) > 12
    others = {path: another(value_at(settings, path), fields[path]) for path in inert}
    assert picture(with_values(settings, others)) == usual
