"""The exact surface at world points: which water lies there, and how it moves."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocean.waves.amplitudes import wave_vectors
from ocean.waves.dispersion import angular_frequency, clock_ticks, loop_steps, phase
from ocean.waves.surface import MOST_STEPS, TOLERANCE, CascadeWaves, WaveSum, world_points
from ocean.waves.tiles import Tile
from tests.messages import naming

SIZE, PERIOD, DEPTH = 16, 1024.0, 25.0
TILES = (Tile(120.0, 0.3, 0.0, math.inf), Tile(31.0, 1.1, 0.0, math.inf))

# Stretch is at most the sum of k coth(kd) |H|. At 0.6, each step of the iteration reduces the error to 0.6 or less.
steepness = st.floats(0.01, 0.6)
seeds = st.integers(0, 2**32 - 1)
times = st.floats(-1e4, 1e4)
positions = st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=6)
choppinesses = st.floats(0.0, 1.2)


def random_waves(seed, stretch, choppiness=1.0):
    """Return two cascades of random waves that stretch the water by at most `stretch` at this choppiness."""
    rng = np.random.default_rng(seed)
    cascades, total = [], 0.0
    for tile in TILES:
        h0 = rng.standard_normal((SIZE, SIZE)) + 1j * rng.standard_normal((SIZE, SIZE))
        kx, kz = wave_vectors(tile, SIZE)
        k = np.hypot(kx, kz)
        h0[(k == 0) | (k > 3 * tile.dk)] = 0
        k = np.maximum(k, 1e-9)
        n = loop_steps(angular_frequency(k, DEPTH), PERIOD)
        total += (2 * np.abs(h0) * k / np.tanh(k * DEPTH)).sum()
        cascades.append(CascadeWaves(tile, h0, n, DEPTH, "finite-depth", PERIOD))
    factor = stretch / (total * max(choppiness, 0.1))
    return [CascadeWaves(w.tile, factor * w.h0, w.steps, w.depth, w.dispersion, w.period) for w in cascades]


def points(xs, seed):
    x = np.array(xs)
    return x, np.random.default_rng(seed).permutation(x) * 0.7 + 3.0


@given(seeds, steepness, times, positions)
@settings(max_examples=30)
def test_the_surface_without_choppiness_is_the_plain_sum(seed, stretch, time, xs):
    """The sum is h = 2 Re sum of h0(k) e^{i (k x - w t)}; it needs neither packing nor a mirror term."""
    waves, (x, z) = random_waves(seed, stretch), points(xs, seed)
    sample = WaveSum(waves, time, 0.0).surface(x, z)
    expected, scale = np.zeros(len(x)), 0.0
    for cascade in waves:
        kx, kz = wave_vectors(cascade.tile, SIZE)
        angle = phase(cascade.steps, clock_ticks(time, PERIOD))
        turned = np.exp(1j * (kx[..., None] * x + kz[..., None] * z - angle[..., None]))
        expected += 2 * (cascade.h0[..., None] * turned).real.sum((0, 1))
        scale += np.abs(cascade.h0).sum()
    assert sample.height == pytest.approx(expected, abs=1e-9 * scale)  # angles of 1e4 rad are exact to 1e-12
    assert np.array_equal(sample.still, np.stack([x, z], -1))
    assert not sample.steps.any()
    assert sample.converged.all()
    assert not sample.velocity[:, [0, 2]].any()


@given(seeds, steepness, times, positions, choppinesses)
@settings(max_examples=30)
def test_the_found_particle_is_at_its_place(seed, stretch, time, xs, choppiness):
    waves, (x, z) = random_waves(seed, stretch, choppiness), points(xs, seed)
    sea = WaveSum(waves, time, choppiness)
    sample = sea.surface(x, z)
    east, height, south = sea.displacement(sample.still[:, 0], sample.still[:, 1])
    off = np.hypot(sample.still[:, 0] + east - x, sample.still[:, 1] + south - z)
    assert off.max() <= TOLERANCE
    assert sample.residual == pytest.approx(off, abs=1e-9)
    assert sample.converged.all()
    assert sample.height == pytest.approx(height, abs=1e-12)
    assert sample.steps.max() <= 15  # 0.6^15 of the first error, at most 2 m


@given(seeds, steepness, st.floats(0, 1e3), choppinesses)
@settings(max_examples=20)
def test_velocity_is_the_derivative_of_the_particles_position(seed, stretch, time, choppiness):
    """Velocity is the difference between positions of a particle shortly before and after."""
    waves, (x, z) = random_waves(seed, stretch, choppiness), points([0.0, 50.0, -70.0], seed)
    step = PERIOD / 2**18  # a whole number of ticks, as is the time
    time = round(time / step) * step
    sample = WaveSum(waves, time, choppiness).surface(x, z)
    before, after = (
        np.stack(WaveSum(waves, t, choppiness).displacement(*sample.still.T), -1) for t in (time - step, time + step)
    )
    # A central difference is off by (w step)² / 6, with w below 3 rad/s, and by rounding.
    scale = max(sum(2 * 3 * np.abs(w.h0).sum() for w in waves), 1e-9)
    assert sample.velocity == pytest.approx((after - before) / (2 * step), abs=1e-4 * scale)


def test_the_normal_agrees_with_the_surface_in_the_world():
    sea, e = WaveSum(random_waves(3, 0.5), 17.0, 1.0), 0.05
    x, z = np.array([1.0, 30.0, -22.0]), np.array([5.0, -3.0, 60.0])
    n = sea.surface(x, z).normal
    assert np.linalg.norm(n, axis=-1) == pytest.approx(1)
    along_x = (sea.surface(x + e, z).height - sea.surface(x - e, z).height) / (2 * e)
    along_z = (sea.surface(x, z + e).height - sea.surface(x, z - e).height) / (2 * e)
    # Each height is that of water at most 1 mm away: slope 0.5 * 1 mm over 0.05 m, and the difference's own error.
    assert -n[:, 0] / n[:, 1] == pytest.approx(along_x, abs=0.012)
    assert -n[:, 2] / n[:, 1] == pytest.approx(along_z, abs=0.012)


def one_wave(amplitude, length=20.0):
    tile = Tile(length, 0.0, 0.0, math.inf)
    h0 = np.zeros((8, 8), complex)
    h0[0, 1] = amplitude / 2
    return [CascadeWaves(tile, h0, loop_steps(np.zeros((8, 8)), PERIOD), DEPTH, "deep", PERIOD)]


def test_points_that_do_not_converge_are_marked():
    """A wave of steepness ka compresses the water to 1 - ka at its crest, x = 0, and stretches it by ka at its
    trough."""
    k, trough = 2 * math.pi / 20, 10.1
    gentle, folded = (WaveSum(one_wave(ka / k), 0.0, 1.0) for ka in (0.7, 1.3))
    assert gentle.surface([0.0, trough], 0.0).converged.all()
    assert gentle.surface(0.0, 0.0).jacobian == pytest.approx(0.3)
    lost = folded.surface(trough, 0.0)  # each step multiplies the error by 1.3
    assert not lost.converged
    assert lost.residual > TOLERANCE
    assert lost.steps == MOST_STEPS
    assert np.isfinite(lost.height)


def test_folded_water_is_marked():
    """Three particles share the place of a folded crest. The Jacobian marks the one within the fold; solutions nearby
    lie on one of the sheets outside."""
    k = 2 * math.pi / 20
    sea = WaveSum(one_wave(1.3 / k), 0.0, 1.0)
    crest = sea.surface(0.0, 0.0)
    assert crest.residual <= TOLERANCE
    assert crest.jacobian == pytest.approx(-0.3)
    assert not crest.converged
    outside = sea.surface(0.05, 0.0)
    assert outside.converged
    assert outside.jacobian > 0
    assert abs(outside.still[0]) > math.acos(1 / 1.3) / k  # beyond the fold, which ends where ka cos kp = 1


def test_results_have_the_broadcast_shape():
    sea = WaveSum(random_waves(1, 0.3), 2.0, 1.0)
    grid = sea.surface(np.zeros((3, 1)), np.zeros(4))
    assert grid.height.shape == grid.steps.shape == grid.converged.shape == (3, 4)
    assert grid.normal.shape == grid.velocity.shape == (3, 4, 3)
    assert grid.still.shape == (3, 4, 2)
    assert sea.surface(1.0, 2.0).height.shape == ()
    assert sea.surface([], []).normal.shape == (0, 3)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_positions_have_to_be_numbers(bad):
    with pytest.raises(ValueError, match=naming("z", bad, "finite metres")):
        world_points(0.0, [1.0, bad])
    with pytest.raises(ValueError, match="broadcast"):
        world_points([1, 2], [1, 2, 3])
