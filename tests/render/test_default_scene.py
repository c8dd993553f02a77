"""The scene that the program opens with: its light fits into the picture at every quality level."""

import numpy as np
import pytest

from ocean.common.resources import config
from ocean.render.frame import FrameRenderer
from ocean.settings import load_settings
from tests.marks import slow

from .conftest import read_picture

SMALL = {"view.samples": 1, "view.edge_pixels": 16, "view.anisotropy": 1, "fft.size": 128, "foam.resolution": 64}
MOST_CLIPPED, DARKEST, BRIGHTEST = 0.02, 60, 180  # share of pixels; mean of 255


@pytest.mark.parametrize("level", ["software", *map(slow, ("low", "high")), "ultra"])
def test_default_scene_is_neither_clipped_nor_dark(ctx, level):
    settings = load_settings(config(level), overrides=[f"{key}={value}" for key, value in SMALL.items()])
    renderer = FrameRenderer(ctx, settings, (160, 90))
    try:
        renderer.render(14.0)
        picture = read_picture(renderer)
    finally:
        renderer.release()
    assert (picture >= 254).any(axis=-1).mean() <= MOST_CLIPPED
    assert DARKEST <= np.mean(picture) <= BRIGHTEST
