"""Slopes of the waves that are too short for the maps, which shading adds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.sea.blend import make_spectrum
from ocean.settings import load_settings
from ocean.waves import statistics
from ocean.waves.dispersion import GRAVITY
from ocean.waves.slopes import (
    EDGE,
    cumulative,
    filtered,
    interpolated,
    missing_slopes,
    unresolved,
)
from ocean.waves.spectra import Jonswap, Phillips
from ocean.waves.spreading import Cos2s, measured_slopes
from ocean.waves.systems import SHORTEST, swell, unit, wind_sea
from ocean.waves.tiles import gaps
from tests.reference.slope_filters import BLUR, MESH_BLUR, SHARP, SHARPER, lost_octaves, sharpness


def systems(*overrides):
    return load_settings(overrides=overrides).sea.systems


@pytest.mark.parametrize("spectrum", ["jonswap", "elfouhaily"])
@pytest.mark.parametrize("speed", [4, 12, 25])
def test_the_axes_add_up_to_the_mean_square_slope(spectrum, speed):
    """The expected value is an integral over all directions at once, on a finer grid; the coarser grid here is good to
    1e-3."""
    sea = systems(f"sea.wind.spectrum.kind={spectrum}", f"sea.wind.speed={speed}", "sea.swell.height=2")
    k = statistics.WAVE_NUMBERS
    expected = np.trapezoid(k**3 * sum(system.wave_number_density(k) for system in sea), np.log(k))
    assert cumulative(sea)[-1, :2].sum() == pytest.approx(expected, rel=1e-3)


@given(direction=st.floats(0, 360), s=st.floats(2, 75))
def test_axes_follow_from_known_moments_of_the_spread(direction, s):
    """The mean of cos 2 theta over |cos(theta/2)|^2s is s(s - 1) / ((s + 1)(s + 2))."""
    own = cumulative([swell(1.0, 8.0, direction, 500.0, spreading=Cos2s(s=s))])[-1]
    x, z = unit(direction)
    along = x * x * own[0] + z * z * own[1] + 2 * x * z * own[2]
    share = 0.5 + 0.5 * s * (s - 1) / ((s + 1) * (s + 2))
    assert along / own[:2].sum() == pytest.approx(share, rel=1e-6)


K = np.geomspace(1e-4, 1000, 1001)  # wave numbers of the table


@given(
    speed=st.floats(0.5, 20),
    direction=st.floats(0, 360),
    kind=st.sampled_from(["jonswap", "elfouhaily"]),
    place=st.integers(400, 1000),
)
def test_all_slopes_add_up_to_cox_and_munk_or_to_the_drawn_slopes(speed, direction, kind, place):
    """The maps hold the spectrum up to each wave number of the table."""
    sea = systems(f"sea.wind.speed={speed}", f"sea.wind.direction={direction}", f"sea.wind.spectrum.kind={kind}")
    own, everything = (each[:3] for each in (cumulative(sea)[place], unresolved(sea, 0.0, K[place])))
    x, z = unit(direction)
    measured = measured_slopes(speed)
    for axis, wanted in (((x, z), measured[0]), ((-z, x), measured[1])):
        weight = np.array([axis[0] ** 2, axis[1] ** 2, 2 * axis[0] * axis[1]])
        assert weight @ everything == pytest.approx(max(wanted, weight @ own), rel=1e-9)
    assert everything[0] * everything[1] > everything[2] ** 2


@pytest.mark.parametrize("kind", ["jonswap", "elfouhaily"])
@pytest.mark.parametrize("speed", [2.5, 3, 5, 8, 20])
def test_a_wind_sea_has_no_more_slopes_than_were_measured(speed, kind):
    """The tail of JONSWAP has nearly twice the measured slopes in a light wind. Height and waves around the peak change
    by a common factor only. A sea with at most the measured slopes stays unchanged."""
    (sea, *_), measured = systems(f"sea.wind.speed={speed}", f"sea.wind.spectrum.kind={kind}"), measured_slopes(speed)
    k = np.geomspace(1e-4, SHORTEST, 4001)
    published, kept = sea.shape.wave_number_density(k, sea.depth, sea.dispersion), sea.wave_number_density(k)
    slopes, was = (np.trapezoid(k**3 * of, np.log(k)) for of in (kept, published))
    assert slopes == pytest.approx(min(was, sum(measured)), rel=1e-4)
    assert np.trapezoid(kept, k) == pytest.approx(np.trapezoid(published, k), rel=1e-5)
    changes = kept / np.where(published > 0, published, 1)
    assert np.abs(changes[(published > 0) & (k < 5 * sea.peak_frequency**2 / GRAVITY)] - 1).max() < 0.012
    if was <= sum(measured):
        np.testing.assert_array_equal(kept, published)
    elif speed == 3 and kind == "jonswap":
        assert was > 1.7 * sum(measured)


@pytest.mark.parametrize(("speed", "kept"), [(3.0, (0.75, 0.33)), (10.0, (1.0, 1.0))])
def test_a_light_wind_keeps_as_much_of_jonswap_as_the_documentation_says(speed, kept):
    """The frequencies are three and five times the frequency of the peak."""
    sea = wind_sea(speed, 0.0, 300e3, 200.0, Jonswap(), Cos2s())
    w = sea.peak_frequency * np.array([3.0, 5.0])
    assert sea.density(w) / sea.shape.frequency_density(w, 200.0, "finite-depth") == pytest.approx(kept, abs=0.005)


def test_swell_and_files_keep_their_tails():
    assert swell(2.0, 9.0, 0.0, 200.0).tail == (0.0, 1.0)
    assert wind_sea(3.0, 0.0, 1e5, 200.0, Phillips(), Cos2s()).tail == (0.0, 1.0)


@pytest.mark.parametrize(("speed", "kind"), [(0.1, "pierson-moskowitz"), (0.1, "elfouhaily"), (0.2, "jonswap")])
def test_the_shortest_waves_of_light_winds_follow_no_tail(speed, kind):
    (sea,) = systems(f"sea.wind.speed={speed}", f"sea.wind.spectrum.kind={kind}")
    assert sea.tail == (0.0, 1.0)


def test_slopes_of_waves_in_gaps_count_as_missing():
    """Gaps contribute the difference between their ends. No slope counts twice if a pixel is coarser than the gap."""
    sea, holes, cutoffs = systems("sea.wind.speed=8"), [(0.3, 0.5), (3.0, 4.0)], np.geomspace(0.01, 100, 40)
    plain, holed = unresolved(sea, cutoffs), unresolved(sea, cutoffs, gaps=holes)
    lost = [np.subtract(*unresolved(sea, hole)) for hole in holes]
    np.testing.assert_allclose(holed[cutoffs < 0.3], plain[cutoffs < 0.3], rtol=1e-12)
    between, beyond = (cutoffs > 0.5) & (cutoffs < 3.0), cutoffs > 4.0
    np.testing.assert_allclose(holed[between], plain[between] + lost[0], rtol=1e-12)
    np.testing.assert_allclose(holed[beyond], plain[beyond] + lost[0] + lost[1], rtol=1e-12)


def test_a_calm_has_no_missing_slopes():
    assert (missing_slopes([], np.zeros(3)) == 0).all()
    assert (unresolved(systems("sea.wind.speed=0"), [0.0, 1.0]) == 0).all()


@pytest.mark.parametrize(("blur", "sharper", "is_mesh"), [(BLUR, 0.0, False), (MESH_BLUR, SHARPER, True)])
def test_the_blur_agrees_with_the_filters(blur, sharper, is_mesh):
    """A mip level holds means over squares of side p. It is read by bilinear interpolation between 2^-t and 2^(1-t) of
    the footprint. Slopes of a mesh are differences of finer values over p. The test integrates over the logarithm of k
    p; each octave holds the same slope variance. The loss as k grows has the cutoff as its mean and the width of the
    edge as its deviation."""
    ln = np.linspace(np.log(1e-3), np.log(300), 2000)
    x = np.exp(ln)[:, None]
    phi = np.pi / 2 * (np.arange(45) + 0.5) / 45
    axes = np.cos(phi), np.sin(phi)

    def amplitude(y):
        y = y * 2**-sharper
        box = np.sinc(y * axes[0] / (2 * np.pi)) * np.sinc(y * axes[1] / (2 * np.pi))
        return box * np.sqrt((2 + np.cos(y * axes[0])) * (2 + np.cos(y * axes[1]))) / 3

    differences = sum((axis * np.sinc(x * axis / (2 * np.pi))) ** 2 for axis in axes) if is_mesh else 1.0
    kept = np.mean(
        [
            (((1 - t) * amplitude(x * 2**-t) + t * amplitude(x * 2 ** (1 - t))) ** 2 * differences).mean(axis=1)
            for t in (np.arange(12) + 0.5) / 12
        ],
        axis=0,
    )
    lost, middle = -np.diff(kept), (ln[1:] + ln[:-1]) / 2
    mean = (lost * middle).sum()
    assert np.exp(mean) == pytest.approx(blur, rel=0.02)
    assert np.sqrt((lost * (middle - mean) ** 2).sum()) == pytest.approx(EDGE, rel=0.08)


def test_a_soft_edge_keeps_the_variance_if_all_octaves_are_equal():
    """A soft edge changes no sum that grows with the logarithm of k. The variance beyond its bend is complete at its
    end."""
    k = np.geomspace(0.1, 10, 41)
    np.testing.assert_allclose(filtered(lambda cutoffs: np.log(100 / cutoffs), k, 20.0), np.log(100 / k), rtol=1e-12)
    square = filtered(lambda cutoffs: np.log(cutoffs)[..., None] ** 2, k, 5.0)
    np.testing.assert_allclose(square[:, 0], np.log(k) ** 2 + np.where(k < 5.0, EDGE**2, 0.0), atol=1e-12)


def test_the_filter_near_the_eye_keeps_a_pixel_s_mean():
    """A pixel of side p is a mean over its square, integrated like the filter."""
    ln = np.linspace(np.log(1e-3), np.log(3000), 20000)
    phi = np.pi / 2 * (np.arange(90) + 0.5) / 90
    x, z = (np.exp(ln)[:, None] * along / (2 * np.pi) for along in (np.cos(phi), np.sin(phi)))
    kept = ((np.sinc(x) * np.sinc(z)) ** 2).mean(axis=1)
    assert BLUR / np.exp(ln[0] + np.trapezoid(kept, ln)) == pytest.approx(SHARP, rel=0.01)
    np.testing.assert_allclose(sharpness([1e-3, 0.1, 0.55, 1.0, 9.0]), [SHARP, SHARP, (1 + SHARP) / 2, 1.0, 1.0])


@pytest.mark.parametrize("reach", [0.7, 2.79, np.pi])
def test_interpolation_keeps_the_documented_variance(reach, rng):
    """Random waves, with equal numbers in all octaves, are read between the points of a grid. The remaining share of
    their slope variance agrees to four standard errors."""
    n = 4000
    k = np.exp(rng.uniform(np.log(reach / 64), np.log(reach), n))
    angle, phase = rng.uniform(0, 2 * np.pi, (2, n))
    x, z = k * np.cos(angle), k * np.sin(angle)
    u, v = rng.uniform(0, 1, (2, n, 1))
    at = phase[:, None] + np.array([0, 0, 1, 1]) * x[:, None] + np.array([0, 1, 0, 1]) * z[:, None]
    share = np.concatenate([(1 - u) * (1 - v), (1 - u) * v, u * (1 - v), u * v], axis=1)
    kept = 2 * (share * np.cos(at)).sum(axis=1) ** 2
    expected = 1 - np.log(reach / interpolated(reach)) / np.log(64)
    assert kept.mean() == pytest.approx(expected, abs=4 * kept.std() / np.sqrt(n))


@pytest.mark.parametrize("octaves", [1, 2, 3, 4])
def test_an_anisotropic_filter_blurs_its_longer_side(octaves):
    """The taps along the longer side average over it. Waves between the cutoffs of both sides keep sinc² of their phase
    change along that side, least if they run along it, to a tenth of an octave."""
    psi = np.pi / 2 * (np.arange(200) + 0.5) / 200
    x = BLUR * 2.0 ** np.linspace(0, octaves, 400)[:, None]  # k times the length of the longer side
    kept = np.sinc(x * np.cos(psi) / (2 * np.pi)) ** 2
    for lost, slope in zip(lost_octaves(octaves), (np.cos(psi), np.sin(psi)), strict=True):
        assert octaves - (2 * slope**2 * kept).mean() * octaves == pytest.approx(lost, abs=0.1)


@pytest.mark.parametrize("depth", [3.0, 200.0])
def test_strain_is_the_sum_of_shown_and_unresolved_parts(depth):
    """The sum over all wave vectors of a grid agrees to 1 %, as for slopes. In shallow water the strain exceeds the
    slopes."""
    wind = "sea.wind.speed=12", "sea.wind.depth_limit=false"
    settings = load_settings(overrides=["fft.size=64", f"sea.depth={depth}", *wind])
    spectrum, sea = make_spectrum(settings), settings.sea.systems
    tiles = [key.tile for key in spectrum.keys]
    shown = sum(
        statistics.jacobian_power(c.key.tile, c.variance.astype(float), depth, settings.sea.dispersion).sum()
        for c in spectrum.cascades
    )
    left, whole = unresolved(sea, tiles[-1].cutoff(64), gaps=gaps(tiles, 64))[3], cumulative(sea)[-1, 3]
    assert shown + left == pytest.approx(whole, rel=0.01)
    slopes = cumulative(sea)[-1, :2].sum()
    assert whole == pytest.approx(slopes, rel=1e-6) if depth > 100 else whole > 1.15 * slopes
