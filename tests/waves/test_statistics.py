"""A sea has the statistics that its spectrum promises: on the grid, and in the fields of one draw.

Seeds are fixed, and tolerances are three standard deviations of what one draw scatters, computed from the spectrum.
"""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean import resources
from ocean.settings import load_settings
from ocean.waves import statistics, twin
from ocean.waves.amplitudes import draw, steps, variance, wave_vectors
from ocean.waves.dispersion import angular_frequency, group_speed
from ocean.waves.spectra.elfouhaily import Elfouhaily
from ocean.waves.spectra.file import FileSpectrum
from ocean.waves.spectra.jonswap import Jonswap, PiersonMoskowitz, Tma
from ocean.waves.spectra.phillips import Phillips
from ocean.waves.spreading import Cos2s, CosSquared, DonelanBanner, ElfouhailySpreading, Hasselmann, Mitsuyasu
from ocean.waves.systems import swell, unit, wind_sea
from ocean.waves.tiles import make_tiles, peak_wavelength

DEPTH, SIZE, KIND = 40.0, 128, "finite-depth"
SEEDS = (1, 2, 3)


@pytest.fixture(scope="module")
def cascades(systems, tiles):
    return [(tile, variance(tile, SIZE, systems)) for tile in tiles]


def realisation(cascades, seed, ticks=0):
    """The fields of every cascade for one seed, each (cascade, size, size)."""
    each = [
        twin.fields(draw(seed, index, SIZE) * np.sqrt(power), tile, steps(tile, SIZE, DEPTH, KIND), ticks, DEPTH, KIND)
        for index, (tile, power) in enumerate(cascades)
    ]
    return {name: np.stack([fields[name] for fields in each]) for name in twin.FIELDS}


@pytest.mark.parametrize("speed", [3.0, 8.0, 15.0])
@pytest.mark.parametrize(
    ("spectrum", "spreading"),
    [
        (Jonswap(), Hasselmann()),
        (Jonswap(gamma=7), Cos2s(s=40)),
        (Jonswap(), Mitsuyasu(elongation=0.6)),
        (PiersonMoskowitz(), Cos2s()),
        (Tma(), DonelanBanner(elongation=0.3)),
        (Elfouhaily(), ElfouhailySpreading()),
        (Elfouhaily(), Hasselmann()),
        (Phillips(), CosSquared()),
        (FileSpectrum(), Hasselmann()),
    ],
    ids=lambda model: model.kind,
)
def test_the_grid_and_its_draws_carry_the_integral(speed, spectrum, spreading):
    sea = [wind_sea(speed, 33.0, 3e5, 100.0, spectrum, spreading)]
    tiles = make_tiles(3, peak_wavelength(sea[0]))
    powers = [variance(tile, 256, sea) for tile in tiles]
    grid = sum(float(power.sum(dtype=float)) for power in powers)
    expected = statistics.variance_between(sea, 0.0, tiles[-1].cutoff(256))
    # 0.5 % in height, 1 % in variance: the lattice has eight cells or more up to the peak.
    assert grid == pytest.approx(expected, rel=0.01)
    # The mean square of each cascade's height, by Parseval.
    drawn = sum(
        float(np.sum(np.abs(twin.evolve(draw(2, i, 256) * np.sqrt(power), np.zeros((256, 256), np.uint32), 0)) ** 2))
        for i, power in enumerate(powers)
    )
    assert drawn == pytest.approx(grid, rel=3 * statistics.sampling_deviation(powers))


@pytest.mark.parametrize("seed", SEEDS)
def test_fields_have_the_predicted_statistics(cascades, seed):
    choppiness = 0.3
    fields = realisation(cascades, seed)
    predicted = statistics.predict(cascades, choppiness, DEPTH, KIND)
    measured = statistics.measure(fields, choppiness)

    heights = statistics.sampling_deviation([power for _, power in cascades])
    assert measured.significant_wave_height == pytest.approx(predicted.significant_wave_height, rel=3 * heights / 2)
    slopes = statistics.sampling_deviation([statistics.slope_power(*cascade) for cascade in cascades])
    assert measured.mean_square_slope == pytest.approx(predicted.mean_square_slope, rel=3 * slopes)
    # Of J: the draw, half as much for a root; the second order, at most sd²; and the sample of 65536 points.
    folds = statistics.sampling_deviation([statistics.jacobian_power(*cascade, DEPTH, KIND) for cascade in cascades])
    bound = 3 * folds / 2 + predicted.jacobian_deviation**2 + 3 / math.sqrt(2 * 65536)
    assert measured.jacobian_deviation == pytest.approx(predicted.jacobian_deviation, rel=bound)


@pytest.mark.parametrize("seed", SEEDS)
def test_heights_are_gaussian(cascades, seed):
    power = cascades[0][1]
    heights = realisation(cascades, seed)["height"][0]
    skewness, kurtosis = statistics.skewness_and_kurtosis(heights)
    # The means over a field of the Hermite polynomials He3 and He4 of a Gaussian scatter by sqrt(6 mean(r³)) and
    # sqrt(24 mean(r^4)), r being its autocorrelation over all lags, the transform of its spectrum.
    correlation = np.fft.ifft2(power, norm="forward").real / power.sum(dtype=float)
    assert abs(skewness) < 3 * math.sqrt(6 * abs(np.mean(correlation**3)))
    assert abs(kurtosis - 3) < 3 * math.sqrt(24 * np.mean(correlation**4))


@pytest.mark.parametrize("seed", SEEDS)
def test_peak_period_is_found(seed):
    sea = [wind_sea(9.0, 75.0, 200e3, DEPTH, Jonswap(), Hasselmann())]
    tile = make_tiles(3, peak_wavelength(sea[0]))[0]
    power = variance(tile, SIZE, sea)
    on_grid = statistics.ring_peak_period(tile, power, DEPTH, KIND)
    # Rings are dk wide and the peak lies at eight of them or more: half a ring is 3 % of w there.
    assert on_grid == pytest.approx(statistics.predicted_peak_period(sea), rel=0.03)

    # What a draw scatters: |H|² of a pair of wave vectors is exponential about their mean power.
    rng = np.random.default_rng(0)
    pairs = (power + statistics.mirrored(power)) / 2
    trials = []
    for _ in range(100):
        noise = rng.exponential(size=pairs.shape)
        sample = pairs * np.where(np.arange(SIZE)[:, None] <= SIZE // 2, noise, statistics.mirrored(noise))
        trials.append(statistics.ring_peak_period(tile, sample, DEPTH, KIND))
    h0 = draw(seed, 0, SIZE) * np.sqrt(power)
    heights = twin.fields(h0, tile, steps(tile, SIZE, DEPTH, KIND), 0, DEPTH, KIND)["height"]
    measured = statistics.ring_peak_period(tile, statistics.field_power(heights), DEPTH, KIND)
    assert abs(measured - np.mean(trials)) < 3 * np.std(trials)


@pytest.mark.parametrize("direction", [0.0, 75.0, 200.0])
def test_the_sea_travels_with_the_wind(direction):
    sea = [wind_sea(9.0, direction, 200e3, DEPTH, Jonswap(), Hasselmann())]
    tile = make_tiles(3, peak_wavelength(sea[0]))[1]  # a turned tile
    power = variance(tile, SIZE, sea).astype(float)
    n = steps(tile, SIZE, DEPTH, KIND, 4096.0)
    h0 = draw(1, 1, SIZE) * np.sqrt(power)
    before, now, after = (twin.fields(h0, tile, n, ticks % 2**32, DEPTH, KIND) for ticks in (-5000, 0, 5000))
    rate = (after["height"] - before["height"]) / (2 * 5000 / 2**32 * 4096.0)
    # mean(-dh/dt grad h) = sum w k Psi dk²; its scatter is at most sqrt(2 sum(w k P)²), P averaged over k and -k.
    kx, kz = wave_vectors(tile, SIZE)
    w = angular_frequency(np.hypot(kx, kz), DEPTH)
    pairs = (power + statistics.mirrored(power)) / 2
    for component, slope in ((kx, "slope_x"), (kz, "slope_z")):
        measured = -np.mean(rate * now[slope])
        assert abs(measured - np.sum(w * component * power)) < 3 * math.sqrt(2 * np.sum((w * component * pairs) ** 2))
    x, z = unit(direction)
    assert -np.mean(rate * (x * now["slope_x"] + z * now["slope_z"])) > 0


def test_unresolved_slopes_are_those_that_no_texel_shows(systems, cascades):
    cutoffs = np.geomspace(1e-3, 2e3, 200)
    rest = statistics.unresolved_slope_variance(systems, cutoffs)
    assert np.all(np.diff(rest) <= 0)
    assert np.all(rest[cutoffs >= statistics.SHORTEST] == 0)
    assert rest[0] == pytest.approx(statistics.unresolved_slope_variance(systems, np.zeros(1))[0], rel=1e-4)
    # What the grid shows and what is left make the whole; the first cascade's lattice is good to 1 % (see above).
    shown = sum(statistics.slope_power(*cascade).sum() for cascade in cascades)
    left = statistics.unresolved_slope_variance(systems, np.array([cascades[-1][0].cutoff(SIZE)]))[0]
    assert shown + left == pytest.approx(rest[0], rel=0.01)


def test_integrals_agree_with_another_quadrature(systems):
    k = np.linspace(0.07, 3.0, 100_001)
    density = sum(system.wave_number_density(k) for system in systems)
    assert statistics.variance_between(systems, 0.07, 3.0) == pytest.approx(np.trapezoid(density, k), rel=1e-4)
    w = angular_frequency(k, DEPTH)
    assert density == pytest.approx(sum(system.density(w) for system in systems) * group_speed(k, DEPTH), rel=1e-9)
    heights = [statistics.predicted_height([system]) for system in systems]
    assert statistics.predicted_height(systems) == pytest.approx(math.hypot(*heights))


def test_gaps_of_a_small_grid(systems, tiles):
    assert statistics.gap_share(tiles, 128, systems) == 0
    share = statistics.gap_share(tiles, 64, systems)
    lost = [(32 * tile.dk, tile.high) for tile in tiles[:2]]
    expected = sum(statistics.variance_between(systems, *gap) for gap in lost)
    assert share == pytest.approx(expected / (statistics.predicted_height(systems) / 4) ** 2)
    assert share > 0.1  # a long swell makes the tiles so large that the gap swallows the wind sea's peak


@pytest.mark.parametrize("path", [resources.config(name) for name in resources.presets()], ids=lambda path: path.stem)
def test_tiles_hold_eight_of_the_longest_peak_of_every_preset(path):
    sea = load_settings(path).sea
    longest = max(peak_wavelength(system) for system in sea.systems)
    assert make_tiles(3, sea.longest_peak)[0].side >= 8 * longest
    # At the sea's own resolution nothing is lost between cascades, and little of the height beyond the last.
    tiles = make_tiles(3, longest)
    carried = statistics.variance_between(sea.systems, 0.0, tiles[-1].cutoff(512))
    assert carried > 0.999 * statistics.variance_between(sea.systems, 0.0, statistics.SHORTEST)


def test_two_ways_to_a_period():
    assert statistics.predicted_peak_period([swell(2.0, 14.0, 0.0, 5000.0)]) == pytest.approx(14.0, rel=0.02)
    assert statistics.predicted_peak_period([]) == 0


@given(st.floats(0, 60))
def test_whitecap_coverage_is_a_share(speed):
    assert 0 <= statistics.whitecap_coverage(speed) <= 1
    assert statistics.whitecap_coverage(10) == pytest.approx(0.0099, abs=0.0001)


jacobians = st.builds(
    statistics.JacobianStatistics, variance=st.floats(0, 4), rate=st.floats(0, 20), bend=st.floats(0, 0.25)
)


@given(jacobians, st.floats(0, 1.5), st.floats(0, 1), st.floats(0, 60), st.floats(0, 1))
def test_the_foam_threshold_is_finite_whatever_the_sea(jacobian, choppiness, coverage, decay, width):
    assert math.isfinite(statistics.foam_threshold(jacobian, choppiness, coverage, decay, width))


def test_without_decay_the_threshold_is_a_quantile():
    jacobian = statistics.JacobianStatistics(variance=0.04, rate=5.0)
    assert statistics.foam_threshold(jacobian, 1.0, 0.5) == pytest.approx(1.0)
    assert statistics.foam_threshold(jacobian, 1.0, 0.15866) == pytest.approx(0.8, abs=1e-4)
    assert statistics.foam_threshold(jacobian, 0.5, 0.15866) == pytest.approx(0.9, abs=1e-4)


@given(st.floats(-5, 4.9), st.floats(0.1, 10), st.floats(0, 30), st.just(0.0) | st.floats(0.01, 2))
def test_more_foam_is_born_below_a_higher_level_and_more_of_it_stays(u, rate, decay, width):
    foam = statistics.mean_foam(u, rate, decay, width)
    assert 0 <= foam <= 1
    assert foam <= statistics.mean_foam(u + 0.1, rate, decay, width) + 1e-9
    assert foam <= statistics.mean_foam(u, rate, decay + 1, width) + 1e-12


def test_the_jacobians_tail_follows_its_second_order():
    """Two Gaussians of unequal variance and their determinant: the bent level holds the tail's share."""
    a, b, c = np.random.default_rng(1).standard_normal((3, 4_000_000)) * np.array([[0.11], [0.06], [0.03]])
    common = 0.6 * a + 0.4 * b  # along and across the wind, correlated as the slopes of one sea are
    a, b = a + 0.3 * common, b + 0.3 * common
    trace = a + b
    shares = [np.cov(x, trace)[0, 1] / trace.var() for x in (a, b, c)]
    jacobian = statistics.JacobianStatistics(trace.var(), 1.0, shares[0] * shares[1] - shares[2] ** 2)
    values = (1 + a) * (1 + b) - c * c
    for share in (0.05, 0.01, 0.002):
        u = NormalDist().inv_cdf(share)
        bent, straight = np.mean(values < jacobian.level(u, 1.0)), np.mean(values < 1 + u * trace.std())
        assert abs(math.log(bent / share)) < min(0.4, abs(math.log(straight / share)))
