"""The high-order spectral solver against exact waves, invariants and theory."""

import math

import numpy as np
import pytest

from ocean.sea.blend import make_spectrum
from ocean.settings import Settings
from ocean.waves import twin
from ocean.waves.dispersion import clock_ticks
from ocean.waves.nonlinear import Course, LowPass, Solver, State, course, smallest_grid

G = 9.81


def stokes(k, steepness, x):
    """Elevation, potential at the surface and speed of a deep-water wave to fifth order (Fenton 1985), crest at 0."""
    e, phase = steepness, k * x
    harmonics = (
        e - 3 / 8 * e**3 - 422 / 384 * e**5,
        e**2 / 2 + e**4 / 3,
        3 / 8 * e**3 + 297 / 384 * e**5,
        e**4 / 3,
        125 / 384 * e**5,
    )
    eta = sum(a * np.cos((n + 1) * phase) for n, a in enumerate(harmonics)) / k
    flow = (e - e**3 / 2 - 37 / 24 * e**5, e**4 / 2, e**5 / 12)
    psi = sum(a * np.exp((n + 1) * k * eta) * np.sin((n + 1) * phase) for n, a in enumerate(flow))
    return eta, math.sqrt(G / k**3) * psi, math.sqrt(G / k) * (1 + e**2 / 2 + e**4 / 8)


def travelled(steepness, order, cutoff=8, steps=60, periods=10):
    """Largest error of a Stokes wave's shape, relative to its amplitude, after periods of travel: it should be back."""
    side = 2 * math.pi
    solver = Solver((1, 64), (1.0, side), cutoff, order)
    x = side / 64 * np.arange(64)
    eta, psi, speed = stokes(1.0, steepness, x)
    state = solver.state(0.0, eta[None], psi[None])
    for _ in range(periods * steps):
        state = solver.step(state, side / speed / steps)
    return np.abs(solver.grid(state.elevation)[0] - eta).max() / steepness


@pytest.mark.parametrize(("steepness", "limit"), [(0.1, 0.001), (0.2, 0.005), (0.3, 0.02)])
def test_stokes_waves_travel_ten_periods(steepness, limit):
    assert travelled(steepness, 5) < limit


def test_errors_fall_by_powers_of_the_steepness():
    """Twice the steepness has 4 times the error of order 2, which lacks the frequency's second order, and 16 times
    that of orders 3 and 4."""
    for order, power in ((2, 2), (3, 4), (4, 4)):
        fine, coarse = (travelled(e, order, 5, 30, 3) for e in (0.05, 0.1))
        assert coarse / fine == pytest.approx(2**power, rel=0.35)
    found = [travelled(0.1, order, 6, 40, 3) for order in (1, 2, 3, 4, 5)]
    assert found == sorted(found, reverse=True)


def test_steps_are_of_fourth_order():
    found = []
    for steps in (10, 20, 40):
        solver = Solver((1, 64), (1.0, 2 * math.pi), 8, 3)
        eta, psi, speed = stokes(1.0, 0.2, 2 * math.pi / 64 * np.arange(64))
        state = solver.state(0.0, eta[None], psi[None])
        for _ in range(steps):
            state = solver.step(state, 2 * math.pi / speed / steps)
        found.append(solver.grid(state.elevation)[0])
    assert np.abs(found[0] - found[1]).max() / np.abs(found[1] - found[2]).max() == pytest.approx(16, rel=0.3)


def small_sea(**sea):
    settings = Settings(sea={"crests": "first-order", **sea}, fft={"size": 32}, cascades={"count": 1, "blended": 0})
    return make_spectrum(settings).waves[0]


@pytest.mark.parametrize("depth", [8, 200])
def test_first_order_is_the_linear_sea(depth):
    """Both agree to rounding, at any time, from any time on."""
    waves = small_sea(depth=depth, wind={"speed": 12})
    linear = course(waves, 1, 100.0)
    n, points = len(waves.h0), linear.solver.shape[0]
    for later in (0.0, 7.3, 137.31):
        exact = twin.evolve(waves.h0, waves.steps, clock_ticks(100.0 + later, waves.period))
        found = linear.solver.grid(linear.at(later).elevation)
        x = waves.tile.side / points * np.arange(points)
        k = 2 * np.pi * np.fft.fftfreq(n, waves.tile.side / n)
        wave = np.exp(1j * np.outer(x, k))
        # The clock's ticks are T / 2^32 long.
        np.testing.assert_allclose(found, (wave @ exact @ wave.T).real, atol=1e-4)
        assert linear.at(0.0).time == 0.0  # back to the start, and forth again


def test_equal_times_have_equal_waves():
    waves = small_sea(wind={"speed": 12})
    slow, fast = course(waves, 3), course(waves, 3)
    for time in np.arange(0, 5, 1 / 15):
        slow.at(time)
    for time in (9.0, 2.0):
        fast.at(time)
    np.testing.assert_array_equal(slow.at(5.0).elevation, fast.at(5.0).elevation)
    with pytest.raises(ValueError, match="start at 0 s"):
        slow.at(-1.0)


def train(rng, order=3, **options):
    """A solver, the state of a random sea along one direction, and wave numbers and variances of its waves.

    The peak has k = 1, and half kp Hs is 0.1. Waves are up to twice as short, and the grid holds those that they bind.
    """
    side, cutoff = 2 * math.pi * 16, 5.0
    solver = Solver((1, smallest_grid(cutoff, side, order)), (1.0, side), cutoff, order, **options)
    k = np.arange(1, 33) / 16
    w = np.sqrt(G * k)
    width = np.where(k <= 1, 0.07, 0.09)
    power = w**-6 * np.exp(-1.25 / k**2) * 3.3 ** np.exp(-((np.sqrt(k) - 1) ** 2) / (2 * width**2))
    power *= 0.05**2 / power.sum()
    h0 = (rng.normal(size=k.shape) + 1j * rng.normal(size=k.shape)) * np.sqrt(power) / 2
    elevation, potential = np.zeros((2, 1, solver.shape[1] // 2 + 1), complex)
    elevation[0, 1:33], potential[0, 1:33] = h0, -1j * w / k * h0
    return solver, State(0.0, elevation, potential), k, power


def test_energy_is_kept_and_the_filter_counts_what_it_takes():
    """Five periods; a hundred in the slow test."""
    keeps_energy(5)


@pytest.mark.slow
def test_energy_is_kept_for_a_hundred_periods():
    keeps_energy(100)


def keeps_energy(periods):
    period = 2 * math.pi / math.sqrt(G)
    solver, state, _, _ = train(np.random.default_rng(2))
    before = solver.energy(state)
    for _ in range(periods * 40):
        state = solver.step(state, period / 40)
    assert solver.energy(state) / before == pytest.approx(1, abs=1e-3)
    assert state.elevation[0, 0] == 0  # mass
    filtered, state, _, _ = train(np.random.default_rng(2), filter=LowPass(1.0, width=3.0))
    for _ in range(200):
        state = filtered.step(state, period / 40)
    lost = 1 - filtered.linear_energy(state) / before
    assert 0 < filtered.filter.taken / before < 0.2
    assert lost == pytest.approx(filtered.filter.taken / before, abs=0.01)


@pytest.mark.slow
def test_a_wave_train_breaks_up_as_benjamin_and_feir_found():
    """Growth of two sidebands at a distance p on ten waves of steepness e: p sqrt(8 e² (1 - p) - p²) / 8 in units of k
    and w (Dysthe 1979)."""
    waves, e = 10, 0.05
    side, p = 2 * math.pi * waves, 1 / waves
    points = smallest_grid(4.0, side, 3)
    solver = Solver((1, points), (1.0, side), 4.0, 3)
    x = side / points * np.arange(points)
    eta, psi, _ = stokes(1.0, e, x)
    for k in (1 - p, 1 + p):
        a = 1e-4 * e
        eta = eta + a * np.cos(k * x - np.pi / 4)
        psi = psi + a * math.sqrt(G / k) * np.exp(k * eta) * np.sin(k * x - np.pi / 4)
    state, period = solver.state(0.0, eta[None], psi[None]), 2 * math.pi / math.sqrt(G)
    heights = []
    for i in range(400 * 40):
        state = solver.step(state, period / 40)
        if i % 40 == 0:
            heights.append(np.abs(state.elevation[0, [waves - 1, waves + 1]]))
    late = np.log(np.sum(heights, axis=1))[200:]
    growth = np.polyfit(np.arange(len(late)), late, 1)[0] / (2 * math.pi)
    assert growth == pytest.approx(p / 8 * math.sqrt(8 * e**2 * (1 - p) - p**2), rel=0.05)


@pytest.mark.slow
def test_bound_waves_bring_the_skewness_of_theory():
    """Sixteen random seas along one direction: 3 (sum of min(k, k') P P') / variance^1.5 (Longuet-Higgins 1963)."""
    period, found = 2 * math.pi / math.sqrt(G), []
    for seed in range(16):
        solver, state, k, power = train(np.random.default_rng(seed), ramp=3 * period)
        heights = []
        for i in range(20 * 40):
            state = solver.step(state, period / 40)
            if i > 8 * 40 and i % 40 == 0:
                heights.append(solver.grid(state.elevation))
        found.append(np.mean(np.power(heights, 3)))
    theory = 3 * np.sum(np.minimum.outer(k, k) * np.outer(power, power))
    assert abs(np.mean(found) - theory) < 3 * np.std(found) / 4
    assert np.std(found) / 4 < 0.25 * theory


def test_a_course_needs_an_order_that_there_is():
    with pytest.raises(ValueError, match="from 1 to 5, not 6"):
        course(small_sea(wind={"speed": 12}), 6)
    assert isinstance(course(small_sea(wind={"speed": 0}), 3), Course)  # flat
