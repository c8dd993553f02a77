"""Rollers in the mesh: bounded, only on water that breaks, and as smooth as cells are coarse."""

import numpy as np
import pytest

from ocean.waves import whitecaps
from ocean.waves.dispersion import GRAVITY
from ocean.waves.whitecaps import JUDGED, LONGEST_BREAKER, ROLLER

from .meshes import triangles

pytestmark = pytest.mark.usefixtures("coarse_sky")

LUMPS = 0.35  # height of the tallest lumps over the mean
SEA = "sea.wind.speed=20", "foam.resolution=128", "foam.spray=0", "view.altitude=8", "view.pitch=-40"


def test_rollers_raise_only_water_that_breaks(make_renderer):
    """Without foam the mesh has the same vertices on still water. Rollers lift them by at most their lumps' height, and
    push them downwind by at most their thickness. Elsewhere both meshes are equal bit for bit."""
    meshes, maps = [], []
    for amount in (3.0, 0.0):
        renderer = make_renderer(*SEA, f"foam.amount={amount}", size=(160, 90))
        renderer.render(10.0)
        meshes.append(triangles(renderer))
        maps.append(renderer.sea.foam.read())
    (still, rolled), (same, waves) = meshes
    np.testing.assert_array_equal(still, same)
    assert not maps[1].any()
    most = ROLLER * LONGEST_BREAKER
    assert renderer.sea.blend.breaking_texel == pytest.approx(JUDGED * LONGEST_BREAKER)
    moved = rolled.astype("f8") - waves
    east, south = renderer.sea.settings.sea.carrying_wind / np.hypot(*renderer.sea.settings.sea.carrying_wind)
    downwind = moved[..., 0] * east + moved[..., 2] * south
    rises = moved[..., 1] > 1e-3
    assert 0.002 < rises.mean() < 0.5
    assert moved[..., 1].min() > -1e-4
    assert 0.3 * most < moved[..., 1].max() <= (1 + LUMPS) * most
    assert downwind.min() > -1e-4
    assert 0.3 * most < downwind.max() <= most * (1 + 1e-3)
    assert np.mean(moved == 0) > 0.5
    # Lumps average out: a metre of water rises as much as its roller is thick.
    assert moved[rises][:, 1].mean() == pytest.approx(np.hypot(moved[rises][:, 0], moved[rises][:, 2]).mean(), rel=0.15)


def test_lumps_run_with_breakers(make_renderer):
    """The lumps of the mesh fit the pattern best where it has moved downwind at the phase speed of breakers; it repeats
    every 9 m."""
    meshes = []
    for amount in (5.0, 0.0):
        renderer = make_renderer(*SEA, "sea.wind.direction=90", "view.edge_pixels=4", f"foam.amount={amount}")
        renderer.render(10.0)
        meshes.append([part.astype("f8").reshape(-1, part.shape[-1]) for part in triangles(renderer)])
    (still, rolled), (_, waves) = meshes
    east, up, south = (rolled - waves).T
    thick = np.hypot(east, south)
    rolls = thick > 0.01
    lumps = up[rolls] / thick[rolls]
    pattern = whitecaps.levels()[3][0, :, :, 0]
    ways = 10 * np.sqrt(GRAVITY * LONGEST_BREAKER / (2 * np.pi)) + np.arange(0.0, 9.0, 0.75)
    fits = []
    for way in ways:
        column, row = ((still[rolls] - (way, 0.0)) / (whitecaps.LUMPS / 5) % 1 * len(pattern)).astype(int).T
        fits.append(np.corrcoef(pattern[row, column], lumps)[0, 1])
    assert np.argmax(fits) == 0
    assert fits[0] > 0.6


def test_coarse_cells_have_no_spikes():
    """Means over the cells of the pattern vary less, the larger the cells: from 1 m on by a fifth of the lumps."""
    lumps = [level[0, :, :, 0].std() for level in whitecaps.levels()]
    assert lumps == sorted(lumps, reverse=True)
    cells = whitecaps.LUMPS / 5 / whitecaps.SIDE * 2.0 ** np.arange(len(lumps))
    assert np.interp(2.0, cells, lumps) < 0.35
