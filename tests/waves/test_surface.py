"""The surface at world points: which water lies there, and how it moves."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocean.waves.amplitudes import CascadeWaves, wave_vectors
from ocean.waves.dispersion import angular_frequency, loop_steps
from ocean.waves.surface import MOST_STEPS, TOLERANCE, WaveSum
from ocean.waves.tiles import Tile
from tests.reference import sea as reference

SIZE, PERIOD, DEPTH = 16, 1024.0, 25.0
TILES = (Tile(120.0, 0.3, 0.0, math.inf), Tile(31.0, 1.1, 0.0, math.inf, True))


def random_waves(seed, stretch):
    """Return two cascades of random waves that stretch the water by at most `stretch` at choppiness 1, one blended."""
    rng = np.random.default_rng(seed)
    cascades, total = [], 0.0
    for tile in TILES:
        h0 = rng.standard_normal((SIZE, SIZE)) + 1j * rng.standard_normal((SIZE, SIZE))
        kx, kz = wave_vectors(tile, SIZE)
        k = np.hypot(kx, kz)
        h0[(k == 0) | (k > 3 * tile.dk)] = 0
        k = np.maximum(k, 1e-9)
        n = loop_steps(angular_frequency(k, DEPTH), PERIOD)
        total += (4 * np.abs(h0) * k / np.tanh(k * DEPTH)).sum()  # a blend of copies is steeper than each of them
        cascades.append(CascadeWaves(tile, h0, n, DEPTH, "finite-depth", PERIOD))
    factor = stretch / total
    return [CascadeWaves(w.tile, factor * w.h0, w.steps, w.depth, w.dispersion, w.period) for w in cascades]


# At a stretch of 0.6 each step of the iteration reduces the error to 0.6 or less.
@given(
    st.integers(0, 2**32 - 1),
    st.floats(0.01, 0.6),
    st.integers(-(10**10), 10**10).map(lambda us: us * 1e-6),  # never half a tick of the clock, which rounds either way
    st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=6),
    st.floats(0.0, 1.0),
)
@settings(max_examples=30)
def test_the_found_water_is_at_its_place_and_moves_as_in_the_reference(seed, stretch, time, xs, choppiness):
    x = np.array(xs)
    waves, z = random_waves(seed, stretch), np.random.default_rng(seed).permutation(x) * 0.7 + 3.0
    sample = WaveSum(waves, time, choppiness).surface(x, z)
    exact = reference.WaveSum(waves, time, choppiness)
    east, height, south = exact.displacement(*sample.still.T)
    off = np.hypot(sample.still[:, 0] + east - x, sample.still[:, 1] + south - z)
    assert off.max() <= TOLERANCE
    assert sample.residual == pytest.approx(off, abs=1e-9)
    assert sample.converged.all()
    assert sample.steps.max() <= 15  # 0.6^15 of the first error, at most 2 m
    there = exact.at_rest(*sample.still.T)
    assert sample.height == pytest.approx(height, abs=1e-9)
    for name in ("normal", "velocity", "jacobian"):
        np.testing.assert_allclose(getattr(sample, name), getattr(there, name), atol=1e-9, err_msg=name)
    if choppiness == 0:
        assert not sample.steps.any()


def one_wave(steepness, length=20.0):
    tile = Tile(length, 0.0, 0.0, math.inf)
    h0 = np.zeros((8, 8), complex)
    h0[0, 1] = steepness / tile.dk / 2
    waves = CascadeWaves(tile, h0, loop_steps(np.zeros((8, 8)), PERIOD), DEPTH, "deep", PERIOD)
    return WaveSum([waves], 0.0, 1.0)


def test_points_that_do_not_converge_are_marked():
    """A wave of steepness ka compresses the water to 1 - ka at its crest, x = 0, and stretches it by ka at its
    trough."""
    gentle, trough = one_wave(0.7), 10.1
    assert gentle.surface([0.0, trough], 0.0).converged.all()
    assert gentle.surface(0.0, 0.0).jacobian == pytest.approx(0.3)
    lost = one_wave(1.3).surface(trough, 0.0)  # each step multiplies the error by 1.3
    assert not lost.converged
    assert lost.residual > TOLERANCE
    assert lost.steps == MOST_STEPS
    assert np.isfinite(lost.height)


def test_folded_water_is_marked():
    """Three particles share the point of a folded crest. The Jacobian marks the one within the fold; solutions nearby
    lie on one of the sheets outside."""
    sea = one_wave(1.3)
    crest = sea.surface(0.0, 0.0)
    assert crest.residual <= TOLERANCE
    assert crest.jacobian == pytest.approx(-0.3)
    assert not crest.converged
    outside = sea.surface(0.05, 0.0)
    assert outside.converged
    assert outside.jacobian > 0
    assert abs(outside.still[0]) > math.acos(1 / 1.3) / (2 * math.pi / 20)  # beyond the fold: ka cos kp < 1
