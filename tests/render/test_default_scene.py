"""The light of the default scene, and of presets against the sun, fits into the picture."""

import numpy as np
import pytest

from ocean.common.resources import config
from ocean.render.frame import FrameRenderer
from ocean.settings import Settings, level_values, load_settings, with_values
from ocean.window.ui.files import load_scene
from tests.marks import slow

from .conftest import read_picture

pytestmark = pytest.mark.usefixtures("made_once")

SMALL = {"view.samples": 1, "view.edge_pixels": 16, "view.anisotropy": 1, "fft.size": 128, "foam.resolution": 64}
MOST_CLIPPED, DARKEST, BRIGHTEST = 0.02, 60, 180  # fraction of pixels; mean of 255


def picture(ctx, settings):
    renderer = FrameRenderer(ctx, settings, (160, 90))
    try:
        renderer.render(14.0)
        return read_picture(renderer)
    finally:
        renderer.release()


@pytest.mark.parametrize("level", [*map(slow, ("software", "low", "high")), "ultra"])
def test_default_scene_is_neither_clipped_nor_dark(ctx, level):
    settings = load_settings(config(level), overrides=[f"{key}={value}" for key, value in SMALL.items()])
    seen = picture(ctx, settings)
    assert (seen >= 254).any(axis=-1).mean() <= MOST_CLIPPED
    assert DARKEST <= np.mean(seen) <= BRIGHTEST


@pytest.mark.parametrize("preset", ["swell", *map(slow, ("calm", "crossing-seas", "gale"))])
def test_presets_are_hardly_clipped_under_a_plain_sky(ctx, preset):
    """The level `software` has no clouds, which would dim the light around the sun."""
    plain = with_values(load_scene(Settings(), config(preset)), {**level_values("software"), **SMALL})
    assert (picture(ctx, plain) >= 254).any(axis=-1).mean() <= 2 * MOST_CLIPPED
