"""Quantities, their scatter over draws, and the periodogram, in numpy alone; test_gauge.py tests them on the GPU."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.sea.blend import make_spectrum
from ocean.settings import load_settings
from ocean.validation.periodogram import Periodogram, field_moments, lossless_side, random_texels
from ocean.validation.quantities import LIMIT, Predictions, Quantity
from ocean.validation.survey import expected_foam, make_periodogram, measured_foam, plot_of, survey_of
from ocean.waves import statistics, whitecaps
from ocean.waves.amplitudes import draw, steps
from ocean.waves.dispersion import clock_ticks
from ocean.waves.fields import FIELDS
from ocean.waves.statistics import peak_period
from tests.reference import sea as reference

SMALL = ("fft.size=64", "cascades.count=2")


def pictures(spectrum, seed, times):
    """Return the fields of every cascade at several times, for another draw of the same sea."""
    found = []
    for time in times:
        each = []
        for index, cascade in enumerate(spectrum.cascades):
            key = cascade.key
            h0 = draw(seed, index, key.size) * np.sqrt(cascade.variance.astype("f8"))
            ticks = clock_ticks(time, key.period)
            each.append(reference.fields(h0, key.tile, cascade.steps, ticks, key.depth, key.dispersion))
        found.append(each)
    return found


def survey(predictions, spectrum, seed, choppiness=1.0):
    """Return all measured quantities of one draw."""
    first, second = pictures(spectrum, seed, (50.0, 50.5))
    fields = {name: np.stack([each[name] for each in first]) for name in FIELDS}
    before, after = ((t, {i: f["height"] for i, f in enumerate(p)}) for t, p in ((50.0, first), (50.5, second)))
    periodogram = make_periodogram(predictions, before, after)
    moments = field_moments(fields, seed, lifts=spectrum.lifts, choppiness=choppiness, level=predictions.level)
    return predictions.quantities(choppiness, moments, periodogram)


def test_deviations_agree_with_many_draws():
    """Over 48 seas, the mean square error of each quantity, in its standard deviations, is 1. This mean has a deviation
    of sqrt(2 / 48) for a Gaussian. Tp and kurtosis have longer tails, so that five deviations are allowed."""
    settings = load_settings(overrides=[*SMALL, "sea.wind.speed=11", "sea.swell.height=1", "sea.choppiness=0.8"])
    spectrum = make_spectrum(settings)
    predictions = Predictions(spectrum)
    misses = np.array([[row.miss for row in survey(predictions, spectrum, seed, 0.8)] for seed in range(48)])
    assert np.all(np.abs(np.mean(misses**2, axis=0) - 1) < 5 * np.sqrt(2 / 48)), np.mean(misses**2, axis=0)


def test_a_sea_that_is_too_high_disagrees():
    """The factors are those of common mistakes. Each affected quantity is red."""
    settings = load_settings(overrides=[*SMALL])
    spectrum = make_spectrum(settings)
    predictions = Predictions(spectrum)
    first, second = pictures(spectrum, 1, (50.0, 50.5))
    fields = {name: np.sqrt(2) * np.stack([each[name] for each in first]) for name in FIELDS}
    rows = {row.name: row for row in predictions.quantities(1.0, field_moments(fields))}
    for name in ("significant wave height", "slope variance along wind", "deviation of the Jacobian"):
        assert rows[name].agrees is False
    backwards = make_periodogram(
        predictions,
        (50.5, {i: f["height"] for i, f in enumerate(first)}),
        (50.0, {i: f["height"] for i, f in enumerate(second)}),
    )
    rows = {row.name: row for row in predictions.quantities(1.0, None, backwards)}
    assert rows["mean direction"].agrees is False
    assert rows["peak period"].agrees  # the direction of waves does not change their length


@pytest.mark.parametrize("size", [64, 94])
def test_two_pictures_separate_waves_that_run_in_opposite_directions(size):
    """The variance at k is 2 |h0(k)|², up to rounding, also if only every n-th texel is read."""
    spectrum = make_spectrum(load_settings(overrides=[f"fft.size={size}", "cascades.count=3", "fft.backend=bluestein"]))
    predictions = Predictions(spectrum)
    first, second = (
        (time, {index: fields["height"] for index, fields in enumerate(each)})
        for time, each in zip((9.0, 9.7), pictures(spectrum, 3, (9.0, 9.7)), strict=True)
    )
    found = make_periodogram(predictions, first, second)
    for index, lattice in predictions.lattices.items():
        h0 = draw(3, index, size) * np.sqrt(spectrum.cascades[index].variance.astype("f8"))
        expected = 2 * np.abs(h0[lattice.nz % size, lattice.nx % size]) ** 2
        known = np.isfinite(found.powers[index])
        assert known.mean() > 0.95
        np.testing.assert_allclose(found.powers[index][known], expected[known], atol=1e-9 * expected.max())


def test_every_nth_texel_shows_all_waves_of_a_band():
    spectrum = make_spectrum(load_settings(overrides=["fft.size=256"]))
    predictions = Predictions(spectrum)
    (fields,) = pictures(spectrum, 3, (4.0,))
    for index in (0, 1):
        lattice = predictions.lattices[index]
        side = lossless_side(256, 57)
        assert side == 128
        whole = lattice.picked(np.fft.fft2(fields[index]["height"], norm="forward"))
        part = lattice.picked(np.fft.fft2(fields[index]["height"][:: 256 // side, :: 256 // side], norm="forward"))
        np.testing.assert_allclose(part, whole, atol=1e-12)


@given(st.integers(2, 300).map(lambda half: 2 * half), st.integers(1, 40))
def test_the_lossless_side_divides_the_map_and_holds_the_band(size, reach):
    if reach < size // 2:
        side = lossless_side(size, reach)
        assert size % side == 0
        assert side > 2 * reach


def test_a_lattice_holds_every_wave_and_its_opposite():
    spectrum = make_spectrum(load_settings(overrides=SMALL))
    lattice = Predictions(spectrum).lattices[1]
    variance = spectrum.cascades[1].variance
    assert lattice.power.sum() == pytest.approx(variance.sum(dtype=float))
    folded = lattice.folded(lattice.power, 64).real
    np.testing.assert_allclose(folded, variance, rtol=1e-12)
    opposite = lattice.folded(lattice.opposite, 64).real
    np.testing.assert_allclose(opposite, statistics.mirrored(variance), rtol=1e-12)
    tile = lattice.tile
    key = spectrum.cascades[1].key
    expected = steps(tile, 64, key.depth, key.dispersion, key.period)[lattice.nz % 64, lattice.nx % 64]
    np.testing.assert_array_equal(lattice.steps, expected)


def test_rings_hold_the_variance_and_the_density():
    settings = load_settings(overrides=["fft.size=256"])
    predictions = Predictions(make_spectrum(settings))
    powers = tuple(lattice.power for lattice in predictions.lattices.values())
    found, total = Periodogram(tuple(predictions.lattices.values()), powers).rings, sum(power.sum() for power in powers)
    assert np.sum(found.density * found.width) == pytest.approx(total, rel=1e-3)
    (wind,) = settings.sea.systems
    above = found.w > 1.3 * wind.peak_frequency  # rings are narrower than features of S
    np.testing.assert_allclose(found.density[above], wind.density(found.w[above]), rtol=0.05)
    assert found.peak_period == pytest.approx(statistics.predicted_peak_period([wind]), rel=0.03)


def test_a_sea_of_two_systems_has_a_line_for_each_peak():
    """The peak is the higher one. Each peak is measured without bias from the waves around it."""
    settings = load_settings(overrides=["fft.size=128", "sea.swell.height=1.5", "sea.swell.period=13"])
    spectrum = make_spectrum(settings)
    predictions = Predictions(spectrum)
    rows = {row.name: row for row in predictions.quantities(1.0) if "peak" in row.name}
    assert list(rows) == ["peak period", "peak period of the wind sea", "peak period of the swell"]
    periods = [statistics.predicted_peak_period([system]) for system in settings.sea.systems]
    assert [row.integral for row in rows.values()] == [periods[1], *periods]
    for row in rows.values():
        assert row.expected == pytest.approx(row.integral, abs=0.2 * row.deviation)
        assert 0 < row.deviation < 0.05 * row.integral
    # If waves are 3 % slower, both peak periods are 3 % longer.
    slower = dataclasses.replace(
        predictions.rings, w=predictions.rings.w / 1.03, density=predictions.rings.density * 1.03
    )
    for peak in predictions.peaks:
        assert peak.measured(slower) == pytest.approx(1.03 * peak.measured(predictions.rings), rel=0.01)


def test_the_peak_period_follows_youngs_definition():
    w = np.linspace(0.5, 1.5, 101)
    assert peak_period(w, np.exp(-((w - 1.0) ** 2) / 0.01), np.full(101, 0.01)) == pytest.approx(2 * np.pi, rel=1e-4)
    assert peak_period(w, np.zeros(101), np.full(101, 0.01)) == 0


def test_moments_agree_with_numpy():
    rng = np.random.default_rng(0)
    fields = {name: rng.gamma(2.0, size=(2, 32, 32)) for name in FIELDS}
    moments = field_moments(fields)
    h = fields["height"]
    assert moments.variance == pytest.approx((h**2).mean((1, 2)).sum())
    along, across = moments.slope_variance(90.0)  # towards +x
    assert along == pytest.approx((fields["slope_x"] ** 2).mean((1, 2)).sum())
    assert across == pytest.approx((fields["slope_z"] ** 2).mean((1, 2)).sum())
    places = [random_texels(cascade, 32) for cascade in range(2)]
    dxx, dzz, dxz = (sum(fields[n][c][p] for c, p in enumerate(places)) for n in ("dxx", "dzz", "dxz"))
    for choppiness in (0.0, 0.7, 1.5):
        expected = np.std(reference.jacobian(dxx, dzz, dxz, choppiness))
        assert moments.jacobian_deviation(choppiness) == pytest.approx(expected, abs=1e-9)
    # Heights by area: the weight of a point is its Jacobian.
    area, y = reference.jacobian(dxx, dzz, dxz, 0.2), sum(h[c][p] for c, p in enumerate(places))
    moments = field_moments(fields, choppiness=0.2, level=4.0)
    mean = np.average(y, weights=area)
    variance = np.average((y - mean) ** 2, weights=area)
    assert moments.level == pytest.approx(mean)
    assert moments.above == pytest.approx(np.average(y > 4.0, weights=area))
    skewness, kurtosis = (np.average((y - mean) ** n, weights=area) / variance ** (n / 2) for n in (3, 4))
    assert moments.shape == pytest.approx((skewness, kurtosis))


def test_random_texels_are_even_and_independent():
    rows, columns = random_texels(0, 64)
    other, _ = random_texels(1, 64)
    later, _ = random_texels(0, 64, turn=1)
    for first, second in ((rows, columns), (rows, other), (rows, later), (columns, other)):
        counts = np.histogram2d(first, second, bins=64, range=((0, 64), (0, 64)))[0]
        # Pearson's chi²: 4096 cells with 16 counts each; mean 4095, deviation sqrt(2 * 4095) = 90.5.
        assert abs(np.sum((counts - 16) ** 2) / 16 - 4095) < 4 * 90.5


def test_a_quantity_agrees_within_its_limit():
    row = Quantity("height", "m", "", 1.0, 2.0, 0.1)
    assert row.agrees is None
    for measured, agrees in ((2.0, True), (2.0 + 0.99 * LIMIT * 0.1, True), (2.0 - 1.01 * LIMIT * 0.1, False)):
        assert dataclasses.replace(row, measured=measured).agrees is agrees
    north = Quantity("direction", "°", "", 359.0, 359.0, 1.0, 2.0)
    assert north.miss == pytest.approx(3.0)
    assert Quantity("", "", "", 0.0, 0.0, 0.0, 0.0).agrees
    assert not Quantity("", "", "", 0.0, 0.0, 0.0, 1e-9).agrees


@pytest.mark.parametrize(
    ("overrides", "is_flat"),
    [
        (["sea.wind.speed=0"], True),
        (["sea.wind.speed=0.01"], True),  # all its waves are shorter than the shortest counted wave
        (["sea.wind.speed=0.05"], True),
        (["sea.wind.speed=0.1353", "cascades.count=3"], False),  # a variance of 3e-43 m², close to the smallest float
        (["sea.wind.speed=0", "sea.swell.height=2"], False),
    ],
)
def test_seas_without_wind_have_finite_predictions(overrides, is_flat):
    found = survey_of(load_settings(overrides=[*SMALL, *overrides]))
    assert all(np.isfinite([row.integral, row.expected, row.deviation]).all() for row in found.quantities)
    assert (found.plot is None) == is_flat


def test_scatter_of_foam_follows_its_mean_square():
    settings = load_settings(overrides=[*SMALL, "sea.wind.speed=15"])
    spectrum = make_spectrum(settings)
    expected = expected_foam(settings, spectrum, Predictions(spectrum))
    assert whitecaps.MODEL_DEVIATION < expected.deviation / expected.expected < 0.2
    squares = expected.expected * np.random.default_rng(0).uniform(0.5, 1.5, 64)
    found = measured_foam(expected, squares, 1 << 20)
    assert found.measured == pytest.approx(squares.mean())
    assert found.deviation == pytest.approx(np.hypot(expected.deviation, squares.std(ddof=1) / 8))
    none = measured_foam(expected, np.zeros(64), 100)
    assert none.deviation == pytest.approx(np.hypot(expected.deviation, np.sqrt(expected.expected / 100)))


def test_the_plot_shows_the_spectrum_by_compass_direction():
    """A swell that runs north-east is bright only in this direction, at one peak frequency."""
    overrides = ["fft.size=64", "sea.wind.speed=0", "sea.swell.height=2", "sea.swell.direction=45"]
    found = plot_of(Predictions(make_spectrum(load_settings(overrides=overrides))), None)
    row, column = np.unravel_index(found.image.argmax(), found.image.shape)
    side = len(found.image)
    x, y = (column + 0.5 - side / 2) / (side / 2), -(row + 0.5 - side / 2) / (side / 2)
    assert np.degrees(np.arctan2(x, y)) == pytest.approx(45.0, abs=5)
    assert np.hypot(x, y) == pytest.approx(1 / 2.5, abs=0.05)
    w, low, high = found.band
    theory = np.interp(w, *found.theory)
    assert np.mean((low <= theory) & (theory <= high)) > 0.9
