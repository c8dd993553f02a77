"""Lengths of breaking fronts: synthetic fronts of known speeds and lengths come back, and the GPU's map gives the same
numbers as numpy."""

import numpy as np
import pytest

from ocean.gpu.passes import run_passes
from ocean.validation.fronts import BINS, INTERVAL, Fronts, front_speeds, sutherland_melville
from ocean.validation.gauge import WaveGauge

TEXEL, CELL, LENGTH = 0.25, 20.0, 12.0  # m: texel, distance between fronts, and length of each
SLOWEST, PEAK = 2.0, 5.0  # m/s
ROWS = 14


def patches(time, drift=0.0):
    """Return active foam, of ROWS² bars whose leading edges move across at speeds c with a distribution of c^-6, in
    random directions."""
    rng, count = np.random.default_rng(0), ROWS**2
    speed = SLOWEST * (1 - rng.permutation((np.arange(count) + 0.5) / count)) ** -0.2
    angle = rng.uniform(0, 2 * np.pi, count)
    side = round(CELL / TEXEL)
    x = (np.arange(side) + 0.5) * TEXEL - CELL / 2
    c, s = np.cos(angle)[:, None, None], np.sin(angle)[:, None, None]
    px, pz = x - drift * time, x[:, None]
    ahead = c * px + s * pz - speed[:, None, None] * (time - INTERVAL / 2)
    aside = np.abs(c * pz - s * px)
    inside = np.minimum(np.minimum(-ahead, ahead + 4), LENGTH / 2 - aside)
    cells = np.clip(0.1 + inside / (2 * TEXEL), 0, 1)
    return cells.reshape(ROWS, ROWS, side, side).transpose(0, 2, 1, 3).reshape(ROWS * side, -1)


def ends(c):
    """Return the share of a front that its two ends lose: pieces whose nearest outline is a side, which rests."""
    return 2 * (c * INTERVAL + TEXEL) / LENGTH


@pytest.mark.parametrize("drift", [0.0, 0.7])
def test_a_known_distribution_comes_back(drift):
    length, speed = front_speeds(patches(0.0, drift), patches(INTERVAL, drift), TEXEL, INTERVAL, (drift, 0.0))
    for c in (2.2, 2.6, 3.0, 3.5, 4.0):
        true = LENGTH * ROWS**2 * (c / SLOWEST) ** -5
        assert (0.98 - ends(c)) * true < length[speed > c].sum() < 1.02 * true
    fronts = Fronts(PEAK, 1.0, 0.3)
    fronts.add(patches(0.0), patches(INTERVAL), TEXEL, INTERVAL)
    power, _ = fronts.fit
    assert power == pytest.approx(-6, abs=0.5)


def test_edges_that_rest_or_retreat_and_patches_that_vanish_are_no_fronts():
    first, none = patches(0.0), np.zeros_like(patches(0.0))
    for after, before in ((first, first), (none, first), (first, none)):
        fronts = Fronts(PEAK, 1.0, 0.3)
        fronts.add(before, after, TEXEL, INTERVAL)
        assert not fronts.lengths.any()
        assert fronts.fit is None
    length, speed = front_speeds(patches(INTERVAL), first, TEXEL, INTERVAL)  # backwards in time: trailing edges lead
    for at in (speed > 1.9, speed < -1.9):
        assert length[at].sum() == pytest.approx(LENGTH * ROWS**2, rel=ends(SLOWEST) + 0.02)


def test_the_observed_level_has_its_published_value():
    assert sutherland_melville(14.7, 4.86, 0.66) == pytest.approx(8.8, rel=0.03)  # worked by hand


def test_fronts_as_many_as_observed_have_the_ratio_1():
    fronts = Fronts(10.0, 3.0, 0.4)
    fronts.area, fronts.lengths = 1e6, 2e6 * fronts.observed * fronts.speeds**-6 * np.diff(BINS) * 10.0
    assert fronts.fit == pytest.approx((-6, 2))


def test_the_gauge_takes_pairs_of_fields_from_the_foam_map(ctx, releasing, make_sea):
    """Its sums are those of numpy for the map's own level, unwrapped. A focus that moves in between, or a step
    back in time, drops a pair."""
    sea = make_sea("fft.size=64", "fft.backend=stockham-global", "sea.wind.speed=18", "foam.resolution=128")
    gauge = releasing(WaveGauge(ctx, sea, refresh=0.0))
    level, fields = 0, []

    def frame(time, focus):
        sea.begin(time, focus)
        run_passes(ctx, (*sea.passes, *gauge.passes))
        gauge.wait()
        x, z = sea.foam.window(level)
        fields.append(np.roll(sea.foam.read()[level, ..., 1], (-z % 128, -x % 128), (0, 1)))

    frame(3.0, (0.0, 0.0))
    frame(3.1, (0.0, 0.0))  # too early for the second field
    frame(3.25, (0.0, 0.0))
    expected = Fronts.of(sea.settings.sea.systems)
    expected.add(fields[0], fields[2], sea.foam.texels[level], 0.25, sea.foam.drift)
    assert expected.lengths.any()
    np.testing.assert_allclose(gauge.fronts.lengths, expected.lengths, rtol=1e-9)
    frame(4.0, (0.0, 0.0))
    frame(4.25, (500.0, 0.0))
    for time in (5.0, 4.5):
        frame(time, (500.0, 0.0))
    np.testing.assert_allclose(gauge.fronts.area, expected.area)
