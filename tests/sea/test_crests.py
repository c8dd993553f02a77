"""The highest crest of a tile, against a fine grid over the whole tile."""

import numpy as np
import pytest

from ocean.sea.query import highest_crest
from ocean.sea.sea import make_sea
from ocean.settings import load_settings

SETTINGS = load_settings(overrides=["fft.size=32", "cascades.count=1", "cascades.blended=0", "sea.wind.speed=15"])


def test_the_highest_crest_of_the_tile_is_found():
    sea = make_sea(SETTINGS)
    sea.update(40.0)
    side = sea.tiles[0].side
    found = highest_crest(sea, 1000.0, -300.0)
    assert max(abs(found.x - 1000), abs(found.z + 300)) < 0.51 * side
    assert found.height == pytest.approx(sea.height(found.x, found.z), abs=1e-3)
    axis = np.arange(0, side, side / 700)
    assert np.nanmax(sea.height(*np.meshgrid(axis, axis))) < found.height + 0.01
    assert found.time == 40.0
    assert found.height > 0
