"""Repetition of the sea: its height is no more correlated at a distance of one tile than its spectrum predicts."""

import math
from functools import lru_cache

import numpy as np
import pytest

from ocean.common.resources import config
from ocean.sea.blend import make_spectrum, tiles_of
from ocean.settings import load_settings
from ocean.waves import amplitudes, statistics
from ocean.waves.tiles import Tile

from ..marks import slow
from ..seas import paired

VIEW = 4000.0  # m
STEPS = ((1, 0), (0, 1), (1, 1), (2, 0), (0, 3), (4, -1))


def lags(sea):
    """Return world vectors [m] between copies of a tile: those within the view, and always the nearest, by tile."""
    found = []
    for i, tile in enumerate(sea.tiles):
        vectors = [tile.to_world(u * tile.side, v * tile.side) for u, v in STEPS]
        found += [(i, x, z) for x, z in vectors if math.hypot(x, z) < max(VIEW, 1.5 * tile.side)]
    return found


def correlation(sea, lag, count=20_000):
    """Return the autocorrelation of the height between random points of the view and points one lag away. It scatters
    by `chance` over draws and by 1 / sqrt(count) over points."""
    x, z = np.random.default_rng(5).uniform(-VIEW / 2, VIEW / 2, (2, count))
    here, there = sea.height(x, z), sea.height(x + lag[0], z + lag[1])
    known = ~np.isnan(here * there)  # a choppy sea folds at some points
    assert known.mean() > 0.999
    here, there = here[known], there[known]
    return (here * there).mean() / np.sqrt((here**2).mean() * (there**2).mean())


def spectrum(sea):
    """Return sides [rad/m] and variances [m²] of a lattice of waves, eight times as fine as the lattice of the largest
    tile."""
    return lattice(8 * sea.tiles[0].side, sea.settings.sea)


@lru_cache(maxsize=1)
def lattice(side, settings):
    fine = Tile(side, 0.0, 0.0, math.inf)
    variance = amplitudes.variance(fine, 2048, settings.systems).astype("f8")
    return fine.dk * amplitudes.wave_numbers(2048), variance


def predicted(sea, x, z):
    """Return the autocorrelation predicted by the spectrum."""
    n, variance = spectrum(sea)
    return (np.exp(1j * n * z) @ variance @ np.exp(1j * n * x)).real / variance.sum()


def peak(sea, x, z):
    """Return the excess of the sea's autocorrelation over the spectrum's. If a narrow spectrum's waves are out of step,
    moved copies are uncorrelated, which is not a peak."""
    return correlation(sea, (x, z)) - max(predicted(sea, x, z), 0.0)


def chance(sea, x, z):
    """Return the largest standard deviation of one draw's autocorrelation in a view.

    A periodic sea of variances P, paired as in `statistics.sampling_deviation`, is off by sqrt(2 sum (P (cos kx - r))²)
    / sum P, where r is the spectrum's; for side s this goes as 1 / s. A sea of moved copies scatters as much as its
    tile alone, and more because the view does not show all points: the inverse areas of tile and view add up.
    """
    n, variance = spectrum(sea)
    power, turned = paired(variance), np.cos(np.add.outer(n * z, n * x)) - predicted(sea, x, z)
    side = sea.tiles[0].side
    return math.sqrt(2 * ((power * turned) ** 2).sum()) / power.sum() * math.hypot(8, 8 * side / VIEW)


@pytest.mark.parametrize(
    ("speed", "choppiness"),
    [(10, 0), *(slow(speed, 0) for speed in (0.8, 1.2, 4, 16)), *(slow(speed, 1) for speed in (4, 16))],
)
def test_the_sea_does_not_repeat(make_sea, speed, choppiness):
    """Waves one lag apart are no more similar than the spectrum predicts. In a calm of ripples the third tile holds
    much of the height, so it is blended too, even if the settings blend fewer tiles."""
    sea = make_sea("fft.size=128", f"sea.wind.speed={speed}", f"sea.choppiness={choppiness}", "cascades.blended=2")
    sea.update(3.0)
    found = lags(sea)
    assert len({i for i, *_ in found}) == 3
    if speed < 2:  # as far as the view reaches, where small tiles repeat often
        assert [tile.blended for tile in sea.tiles] == [True] * 3
        side = sea.tiles[2].side
        found += [(2, *sea.tiles[2].to_world(u * side, v * side)) for u, v in ((4, 0), (37, 11), (500, 3), (1000, 0))]
    for i, x, z in found:
        assert peak(sea, x, z) < 0.1, (i, x, z)


STORMS = [(name, []) for name in ("gale", "storm", "hurricane")]
STORMS += [("default", [f"sea.wind.speed={speed}"]) for speed in (22, 28, 35)]
DRAWS = 16


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "wind"), STORMS, ids=lambda each: "".join(each))
def test_storms_do_not_repeat(make_sea, preset, wind):
    """The mean over many draws stays within three deviations. Single draws scatter by 0.05, because a view holds few
    waves of 200 m or more."""
    sea, seen = make_sea("fft.size=128"), []
    for seed in range(DRAWS):
        wanted = ["fft.size=128", "foam.resolution=64", "sea.choppiness=0", f"sea.seed={seed}"]
        sea.apply(load_settings(config(preset), overrides=[*wind, *wanted]))
        sea.update(3.0)
        seen.append([correlation(sea, (x, z)) for _, x, z in lags(sea)])
    assert {i for i, *_ in lags(sea)} == {0, 1, 2}
    for (i, x, z), each in zip(lags(sea), np.transpose(seen), strict=True):
        most = math.hypot(chance(sea, x, z), 20_000**-0.5)
        assert each.mean() - predicted(sea, x, z) + 3 * most / math.sqrt(DRAWS) < 0.1, (i, x, z)
        assert each.std(ddof=1) < most * (1 + 3 / math.sqrt(2 * (DRAWS - 1))), (i, x, z)


def test_visible_tiles_are_blended():
    """In usual winds no more tiles blend than the setting says, because blending costs time; at 0 none do."""
    for overrides, expected in (
        ([], [True, True, False]),
        (["sea.wind.speed=2.5"], [True, True, False]),
        (["sea.wind.speed=3", "sea.wind.fetch=1000"], [True, True, True]),
        (["sea.wind.speed=1"], [True, True, True]),
        (["sea.wind.speed=1", "sea.swell.height=1"], [True, True, False]),
        (["sea.wind.speed=0"], [True, True, False]),
        (["sea.wind.speed=1", "cascades.blended=0"], [False, False, False]),
    ):
        assert [tile.blended for tile in tiles_of(load_settings(overrides=overrides))] == expected, overrides


def test_tiles_that_are_not_blended_repeat(make_sea):
    """This test shows that the test above can fail."""
    sea = make_sea("fft.size=128", "sea.choppiness=0", "cascades.blended=0")
    sea.update(3.0)
    x, z = sea.tiles[0].to_world(sea.tiles[0].side, 0.0)
    assert peak(sea, x, z) > 0.8


@pytest.mark.parametrize("blended", [0, 3])
def test_blending_keeps_the_statistics(make_sea, blended):
    """Variances of height and slopes agree with the spectrum, up to the scatter of one draw. The height is Gaussian."""
    sea = make_sea("fft.size=256", "sea.choppiness=0", f"cascades.blended={blended}")
    sea.update(11.0)
    x, z = np.random.default_rng(6).uniform(-8000, 8000, (2, 40_000))
    found = sea.surface(x, z)
    slopes = np.hypot(found.normal[:, 0], found.normal[:, 2]) / found.normal[:, 1]
    cascades = make_spectrum(sea.settings).cascades
    heights = [cascade.variance.astype("f8") for cascade in cascades]
    steepness = [
        cascade.variance * amplitudes.isotropic(cascade.key.tile, sea.settings.fft.size, np.square)
        for cascade in cascades
    ]
    for measured, powers in ((found.height**2, heights), ((slopes**2), steepness)):
        scatter = math.hypot(statistics.sampling_deviation(powers), measured.std() / measured.mean() / 200)
        # Interpolation loses less than 1 % of this variance (tests/sea/test_query.py).
        assert measured.mean() == pytest.approx(sum(power.sum() for power in powers), rel=3 * scatter + 0.01)
    # The scatter of a Gaussian field's moments follows from powers of its autocorrelation, over one tile.
    autocorrelation = np.fft.fft2(heights[0]).real / heights[0].sum()
    normal = found.height / found.height.std()
    assert (normal**3).mean() == pytest.approx(0, abs=3 * math.sqrt(6 * (autocorrelation**3).mean() + 6 / x.size))
    assert (normal**4).mean() == pytest.approx(3, abs=3 * math.sqrt(24 * (autocorrelation**4).mean() + 24 / x.size))
