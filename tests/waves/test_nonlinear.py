"""The high-order spectral solver, against exact waves, invariants and theory."""

import math

import numpy as np
import pytest

from ocean.sea.blend import make_spectrum
from ocean.settings import Settings
from ocean.waves.dispersion import clock_ticks
from ocean.waves.fields import pack
from ocean.waves.nonlinear import Course, Extent, Solver, Starts, State, course, smallest_grid
from ocean.waves.surface import carried_rates
from ocean.waves.tiles import Tile
from tests.reference import sea as reference
from tools.measure.breaking import focused_group
from tools.measure.nonlinear import (
    HOS_OCEAN,
    PERIOD,
    SteadyWave,
    benjamin_feir,
    narrow,
    narrow_kurtosis,
    skewness,
    travel,
    velocity_error,
)

G = 9.81


@pytest.mark.parametrize(("steepness", "limit"), [(0.1, 0.001), (0.3, 0.02)])
def test_stokes_waves_travel_ten_periods(steepness, limit):
    shape, phase = travel(steepness, 5)
    assert shape < limit
    assert phase < limit


@pytest.mark.parametrize("steepness", [0.1, 0.4])
def test_vertical_velocities_agree_with_hos_ocean(steepness):
    """Errors relative to exact waves agree with those published for HOS-ocean, to two digits."""
    for order, theirs in zip((2, 4), HOS_OCEAN[steepness], strict=True):
        harmonics = 16 if steepness <= 0.1 else 32
        assert velocity_error(steepness, order, harmonics) == pytest.approx(theirs, rel=0.03)


def test_errors_fall_by_powers_of_the_steepness():
    """At twice the steepness, the error of order 2, which lacks the second-order frequency, is 4 times as large; errors
    of orders 3 and 4 are 16 times as large."""
    errors = [travel(0.1, 1, 5, 30, 1)[0]]
    for order, power in ((2, 2), (3, 4), (4, 4)):
        fine, coarse = (travel(e, order, 5, 30, 1)[0] for e in (0.05, 0.1))
        assert coarse / fine == pytest.approx(2**power, rel=0.35)
        errors.append(coarse)
    assert errors == sorted(errors, reverse=True)


def exact_rates(eta, psi, k, depth):
    """Return rates of elevation and potential on a square of side 2 pi. The potential in the water is a sum of modes
    `k`, (2, modes); at the surface it equals psi."""
    n = len(eta)
    z, x = np.mgrid[:n, :n].reshape(2, -1, 1) * (2 * np.pi / n)
    length, above, waves = np.hypot(*k), eta.reshape(-1, 1) + depth, np.exp(1j * (k[0] * x + k[1] * z))
    modes = np.linalg.solve(waves * np.cosh(length * above), psi.ravel())

    def gradient(field):
        return (waves @ (1j * k * np.fft.fft2(field, norm="forward").ravel()).T).real.T.reshape(2, n, n)

    W = (waves * length * np.sinh(length * above) @ modes).real.reshape(n, n)
    slope, current = gradient(eta), gradient(psi)
    steep = 1 + np.sum(slope**2, axis=0)
    return steep * W - np.sum(slope * current, axis=0), (steep * W**2 - np.sum(current**2, axis=0)) / 2 - G * eta


@pytest.mark.parametrize("order", [2, 3, 4])
def test_rates_of_crossing_waves_are_exact_to_their_order(order, rng):
    """The waves run in all directions, in finite depth. The expected rates solve Laplace's equation at points of the
    surface."""
    n, depth, cutoff = 13, 0.9, 6.01 * math.sqrt(2)
    numbers = np.fft.fftfreq(n, 1 / n)
    k = np.stack(np.meshgrid(numbers, numbers)).reshape(2, -1)
    points = smallest_grid(cutoff, 2 * math.pi, order)
    solver = Solver((points, points), (2 * math.pi, 2 * math.pi), cutoff, order, depth, "finite-depth")

    def resized(field, size):
        band, spectrum = np.r_[0:7, -6:0], np.zeros((size, size), complex)
        spectrum[np.ix_(band, band)] = np.fft.fft2(field, norm="forward")[np.ix_(band, band)]
        return np.fft.ifft2(spectrum, norm="forward").real

    length = np.hypot(*k).reshape(n, n)
    lift = length * np.tanh(length * depth)
    shapes = np.fft.ifft2(rng.standard_normal((2, n, n)) * (np.abs(k).max(0) == 1).reshape(n, n)).real * n
    errors = []
    for steepness in (0.04, 0.02):
        eta, psi = steepness * shapes
        state = solver.state(0.0, resized(eta, points), resized(psi, points))
        linear = np.fft.ifft2(lift * np.fft.fft2(psi)).real, -G * eta
        found = [one + resized(solver.grid(rate), n) for one, rate in zip(linear, solver.nonlinear(state), strict=True)]
        exact = [rate - rate.mean() for rate in exact_rates(eta, psi, k, depth)]
        errors.append([np.abs(a - b).max() for a, b in zip(found, exact, strict=True)])
    assert np.log2(np.divide(*errors)) == pytest.approx(order + 1, abs=0.3)


def test_steps_are_of_fourth_order():
    wave, found = SteadyWave.of(0.2), []
    eta, psi, _ = wave.at(2 * math.pi / 64 * np.arange(64))
    for steps in (10, 20, 40):
        solver = Solver((1, 64), (1.0, 2 * math.pi), 8, 3)
        state = solver.state(0.0, eta[None], math.sqrt(G) * psi[None])
        for _ in range(steps):
            state = solver.step(state, PERIOD / wave.speed / steps)
        found.append(solver.grid(state.elevation)[0])
    assert np.abs(found[0] - found[1]).max() / np.abs(found[1] - found[2]).max() == pytest.approx(16, rel=0.3)


def small_sea(**sea):
    settings = Settings(sea={"crests": "first-order", **sea}, fft={"size": 32}, cascades={"count": 1, "blended": 0})
    return make_spectrum(settings).waves[0]


@pytest.mark.parametrize("depth", [8, 200])
def test_first_order_is_the_linear_sea(depth):
    """Solver and linear sea agree to rounding, at any time and from any start."""
    waves = small_sea(depth=depth, wind={"speed": 12})
    linear = course(waves, 1, 100.0)
    n, points = len(waves.h0), linear.solver.shape[0]
    for later in (0.0, 7.3, 137.31):
        exact = reference.spectrum(waves.h0, waves.steps, clock_ticks(100.0 + later, waves.period))
        found = linear.solver.grid(linear.at(later).elevation)
        x = waves.tile.side / points * np.arange(points)
        k = 2 * np.pi * np.fft.fftfreq(n, waves.tile.side / n)
        wave = np.exp(1j * np.outer(x, k))
        # A tick of the clock lasts T / 2^32.
        np.testing.assert_allclose(found, (wave @ exact @ wave.T).real, atol=1e-4)
        assert linear.at(0.0).time == 0.0  # back to the start and forward again


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
    """Return a solver, the state of a random sea that runs in one direction, and wave numbers and variances of its
    waves. The peak has k = 1, and half kp Hs is 0.1. The shortest free waves have half the peak's length; the grid also
    holds their bound waves."""
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


def test_a_remembered_start_gives_a_late_frame_its_waves_again():
    """From a remembered start a frame has the waves that other frames of that time have, and that the run itself
    had."""
    extent = Extent(100, 8.0, 0.01)
    late = 30 * extent.period
    run, other = Starts(extent), Starts(extent)
    for time in (0.0, late / 2, late):
        run.take(time)
    start = run.time
    for starts, anew in ((run, False), (other, True)):
        starts.take(late + 10.0)
        starts.again = late, start
        assert starts.take(late) is anew
        assert starts.time == start
        assert not starts.take(late + 1.0)
    assert Starts(extent).take(late)
    assert other.time != extent.start(late)


def test_energy_is_kept():
    """The run lasts five periods; a slow test runs a hundred."""
    keeps_energy(5)


@pytest.mark.parametrize(("steepness", "least", "most"), [(0.2, 0.0, 0.0), (0.36, 0.1, 0.25)])
def test_breaking_takes_energy_from_steep_groups_alone(steepness, least, most):
    """One breaker takes 10 to 25 % of a group (Rapp and Melville 1990). The counted losses balance the energy,
    within what steps without losses change and what the place of a loss within its step does (theory/breaking.md)."""
    group = focused_group(steepness, order=3)
    assert least <= group.broken <= most
    assert group.lost == pytest.approx(group.broken + group.filtered, abs=0.01)
    assert group.filtered < 0.005
    assert group.slope < 0.7


def test_waves_that_are_too_steep_say_so():
    x = 2 * math.pi / 64 * np.arange(64)[None]
    solver = Solver((1, 64), (1.0, 2 * math.pi), 10, 5)
    state = solver.state(0.0, 0.5 * np.cos(x), 0.5 * math.sqrt(G) * np.sin(x))
    with pytest.raises(ArithmeticError, match="too steep"):
        Course(solver, state, PERIOD / 30).at(10 * PERIOD)


@pytest.mark.parametrize("steepness", [0.1, 0.3])
def test_velocities_of_steady_waves_are_exact(steepness):
    """The velocities follow from height, its rate, and the potential, at the displaced water."""
    wave, n = SteadyWave.of(steepness), 128
    tile = Tile(2 * math.pi, 0.0, 0.0, math.inf)
    eta, psi, w = (np.tile(values, (n, 1)) for values in wave.at(tile.side / n * np.arange(n)))
    k = np.fft.fftfreq(n, 1 / n)
    kx, kz = np.meshgrid(k, k)
    H, P = (np.fft.fft2(values, norm="forward") for values in (eta, psi))

    def maps(spectra):
        return np.fft.ifft2(spectra, norm="forward")

    still = maps(pack(H, kx, kz, math.inf, "deep"))
    rates = np.stack([maps(-1j * wave.speed * kx * H).real + 0j, maps(1j * kx * P).real + 0j])
    found = carried_rates(still, rates, tile, 1.0)
    water = tile.side / n * np.arange(n) + still[1, 0].real
    _, _, up = wave.at(water)
    assert np.abs(found[0, 0].real - up).max() < 0.01 * steepness
    east, crest = found[1, 0].real, np.argmax(eta[0])
    assert crest == 0
    slope = maps(1j * kx * H)[0, 0].real
    expected = maps(1j * kx * P)[0, 0].real - w[0, 0] * slope
    assert east[0] == pytest.approx(expected, rel=0.005)


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


@pytest.mark.slow
def test_a_wave_train_breaks_up_as_benjamin_and_feir_found():
    for row in benjamin_feir(waves=10, periods=400):
        assert row.found == pytest.approx(row.theory, rel=0.05)


@pytest.mark.slow
def test_bound_waves_bring_the_skewness_of_theory():
    """The mean is over sixteen random seas along one direction (Longuet-Higgins 1963)."""
    (row,) = skewness(16)
    assert abs(row.found - row.theory) < 3 * row.error
    assert row.error < 0.15 * row.theory


@pytest.mark.slow
def test_narrow_seas_have_the_kurtosis_of_mori_and_janssen():
    """The sea runs in one direction; seas with spread directions have little of this kurtosis."""
    time, found, error = narrow(0.07, 0.1, 0.0, 8, 256, 80)
    theory = narrow_kurtosis(time, 0.07, 0.1, 0.0)
    assert abs(np.mean(found[40:] - theory[40:])) < 3 * error
    assert np.mean(found[40:]) > 3 + 3 * error
    _, spread, scatter = narrow(0.07, 0.1, 0.3, 1, 16, 30)
    assert np.mean(spread[15:]) < np.mean(found[15:30]) + 3 * np.hypot(scatter, error)
    assert abs(np.mean(spread[15:]) - 3) < 3 * scatter


def test_theory_of_kurtosis_ends_at_mori_and_janssen():
    """Narrow seas in one direction have pi BFI² / sqrt(3), plus 24 (k sigma)² from bound waves (Mori and Janssen
    2006)."""
    index = math.sqrt(2) * 0.035 / 0.1
    (late,) = narrow_kurtosis(np.array([1e4]), 0.07, 0.1, 0.0)
    assert late == pytest.approx(3 + math.pi / math.sqrt(3) * index**2 + 24 * 0.035**2, rel=2e-3)


def test_unknown_orders_are_refused():
    with pytest.raises(ValueError, match="from 1 to 5, not 6"):
        course(small_sea(wind={"speed": 12}), 6)
    assert isinstance(course(small_sea(wind={"speed": 0}), 3), Course)  # flat
