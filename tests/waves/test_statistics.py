"""Statistics of a sea follow from its spectrum: on the grid, and in the fields of one draw. Seeds are fixed, and
tolerances are three standard deviations of one draw, computed from the spectrum."""

import math

import numpy as np
import pytest

from ocean.common import resources
from ocean.settings import load_settings
from ocean.waves import statistics
from ocean.waves.amplitudes import draw, variance, wave_vectors
from ocean.waves.dispersion import angular_frequency, group_speed
from ocean.waves.slopes import unresolved
from ocean.waves.spectra import Elfouhaily, Jonswap, Phillips, PiersonMoskowitz, Tma
from ocean.waves.spreading import Cos2s, CosSquared, DonelanBanner, ElfouhailySpreading, Hasselmann, Mitsuyasu
from ocean.waves.systems import SHORTEST, swell, wind_sea
from ocean.waves.tiles import make_tiles, peak_wavelength
from tests.reference import sea as reference

from .spectrum_files import file_spectrum

DEPTH, SIZE, KIND = 40.0, 128, "finite-depth"


@pytest.fixture(scope="module")
def cascades(systems, tiles):
    return [(tile, variance(tile, SIZE, systems)) for tile in tiles]


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
        (file_spectrum("example-buoy.data_spec"), Hasselmann()),
    ],
    ids=lambda model: model.kind,
)
def test_the_grid_and_its_draws_have_the_variance_of_the_integral(speed, spectrum, spreading):
    sea = [wind_sea(speed, 33.0, 3e5, 100.0, spectrum, spreading)]
    tiles = make_tiles(3, peak_wavelength(sea[0]))
    powers = [variance(tile, 256, sea) for tile in tiles]
    grid = sum(float(power.sum(dtype=float)) for power in powers)
    expected = statistics.variance_between(sea, 0.0, tiles[-1].cutoff(256))
    # 0.5 % in height, 1 % in variance: the lattice has at least eight cells up to the peak.
    assert grid == pytest.approx(expected, rel=0.01)
    # The mean square of each cascade's height, by Parseval.
    drawn = sum(
        float(
            np.sum(
                np.abs(reference.spectrum(draw(2, i, 256) * np.sqrt(power), np.zeros((256, 256), np.uint32), 0)) ** 2
            )
        )
        for i, power in enumerate(powers)
    )
    assert drawn == pytest.approx(
        grid, rel=3 * statistics.sampling_deviation([(power + statistics.mirrored(power)) / 2 for power in powers])
    )


def beyond(systems, cutoffs):
    """Return the mean square slope of the spectrum's waves beyond each cutoff."""
    return (unresolved(systems, cutoffs) - unresolved(systems, SHORTEST))[..., :2].sum(axis=-1)


def test_unresolved_slopes_complete_the_slopes_of_texels(systems, cascades):
    cutoffs = np.geomspace(1e-3, 2e3, 200)
    rest = beyond(systems, cutoffs)
    assert np.all(np.diff(rest) <= 0)
    assert np.all(rest[cutoffs >= SHORTEST] == 0)
    assert rest[0] == pytest.approx(beyond(systems, 0.0), rel=1e-4)
    # Slopes of the grid and unresolved slopes add up to all; the first cascade's lattice is good to 1 % (see above).
    k = [np.hypot(*wave_vectors(tile, SIZE)) for tile, _ in cascades]
    shown = sum(np.sum(k**2 * power) for k, (_, power) in zip(k, cascades, strict=True))
    left = beyond(systems, cascades[-1][0].cutoff(SIZE))
    assert shown + left == pytest.approx(rest[0], rel=0.01)


def test_integrals_agree_with_another_quadrature(systems):
    k = np.linspace(0.07, 3.0, 20_001)
    density = sum(system.wave_number_density(k) for system in systems)
    assert statistics.variance_between(systems, 0.07, 3.0) == pytest.approx(np.trapezoid(density, k), rel=1e-4)
    w = angular_frequency(k, DEPTH)
    assert density == pytest.approx(sum(system.density(w) for system in systems) * group_speed(k, DEPTH), rel=1e-9)
    heights = [statistics.predicted_height([system]) for system in systems]
    assert statistics.predicted_height(systems) == pytest.approx(math.hypot(*heights))


def test_gaps_of_a_small_grid_are_counted(systems, tiles):
    assert statistics.gap_share(tiles, 128, systems) == 0
    share = statistics.gap_share(tiles, 64, systems)
    lost = [(32 * tile.dk, tile.high) for tile in tiles[:2]]
    expected = sum(statistics.variance_between(systems, *gap) for gap in lost)
    assert share == pytest.approx(expected / (statistics.predicted_height(systems) / 4) ** 2)
    grid = sum(float(variance(tile, 64, systems).sum(dtype=float)) for tile in tiles)
    assert statistics.carried_height(tiles, 64, systems) == pytest.approx(4 * math.sqrt(grid), rel=0.01)
    assert share > 0.1  # tiles for a long swell are so large that the gap contains the peak of the wind sea


@pytest.mark.parametrize("path", [resources.config(name) for name in resources.presets()], ids=lambda path: path.stem)
def test_tiles_hold_eight_peak_wavelengths_of_every_preset(path):
    sea = load_settings(path).sea
    longest = max(peak_wavelength(system) for system in sea.systems)
    assert make_tiles(3, sea.longest_peak)[0].side >= 8 * longest
    # At the default resolution no wave lies between cascades, and little height beyond the last.
    tiles = make_tiles(3, longest)
    carried = statistics.variance_between(sea.systems, 0.0, tiles[-1].cutoff(512))
    assert carried > 0.999 * statistics.variance_between(sea.systems, 0.0, SHORTEST)


def test_a_sea_of_two_peaks_has_its_peak_at_the_higher_one():
    """Young's estimate lies between the peaks of a wind sea (6.3 s) and a swell (13 s). For a broad peak it also
    differs from the period in the settings."""
    wind = wind_sea(10.0, 75.0, 300e3, 200.0, Jonswap(), Hasselmann())
    both = [wind, swell(1.5, 13.0, 40.0, 200.0)]
    assert statistics.predicted_peak_period(both) == pytest.approx(13.0, rel=2e-3)
    assert statistics.predicted_peak_period([both[0]]) == pytest.approx(6.27, rel=2e-3)
    broad = wind_sea(10.0, 75.0, 300e3, 200.0, PiersonMoskowitz(), Hasselmann(), height=2.0, period=9.0)
    assert statistics.predicted_peak_period([broad]) == pytest.approx(9.0, rel=2e-3)
    assert statistics.predicted_peak_period([]) == 0


def test_polar_moments_agree_with_the_integrals_over_wave_number(systems):
    found = statistics.predicted_polar_moments(systems, 20.0)
    whole = beyond(systems, 0.0)
    assert found.slope_along + found.slope_across == pytest.approx(whole, rel=2e-3)
    turned = statistics.predicted_polar_moments(systems, 110.0)
    assert (turned.slope_along, turned.slope_across) == pytest.approx((found.slope_across, found.slope_along))
    assert turned.folds.deviation(1.0) == pytest.approx(found.folds.deviation(1.0))  # J does not depend on the axes
    alone = statistics.predicted_polar_moments([systems[0]], 75.0)
    assert alone.mean == pytest.approx(75.0, abs=0.01)


def test_the_deviation_of_the_jacobian_is_exact():
    """The Gaussians have the covariance of three waves, two of which cross."""
    power, angle = np.array([0.02, 0.012, 0.007]), np.radians([10.0, 70.0, 130.0])
    folds = statistics.Folds.of(power, np.cos(angle), np.sin(angle))
    waves = np.sqrt(power) * np.random.default_rng(2).standard_normal((400_000, 3))
    dxx, dzz, dxz = (
        waves @ weight for weight in (np.cos(angle) ** 2, np.sin(angle) ** 2, np.cos(angle) * np.sin(angle))
    )
    for choppiness in (0.4, 1.5):
        measured = np.std(reference.jacobian(dxx, dzz, dxz, choppiness))
        assert folds.deviation(choppiness) == pytest.approx(measured, rel=4.5e-3)  # 4 / sqrt(2 M)


def test_the_mean_period_of_two_seas_follows_from_their_moments():
    low, high = swell(2.0, 14.0, 0.0, 5000.0), swell(1.0, 8.0, 90.0, 5000.0)
    m0 = [statistics.variance_between([sea], 0, SHORTEST) for sea in (low, high)]
    m2 = [
        4 * math.pi**2 * m / statistics.predicted_mean_period([sea]) ** 2
        for m, sea in zip(m0, (low, high), strict=True)
    ]
    both = 2 * math.pi * math.sqrt(sum(m0) / sum(m2))
    assert statistics.predicted_mean_period([low, high]) == pytest.approx(both)
    assert statistics.predicted_mean_period([]) == 0
