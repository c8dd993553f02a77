"""The sky in float64 against quadrature, a path tracer, and measurements of real skies."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from ocean.light import optics
from ocean.light.optics import EARTH_RADIUS, MOLECULAR_COLUMN, Air
from tests.reference import atmosphere as reference
from tests.reference import colours
from tests.reference.atmosphere import Atmosphere, aerosol_phase, molecular_density, rayleigh_phase
from tests.reference.geometry import TOP, height_along, horizon, to_sea, to_top
from tests.reference.path_tracer import PathTracer
from tools.measure.judged_skies import Hillaire, cosines, vectors

from ..marks import slow

CLEAR = Atmosphere(Air(2.0, 0.5), shape=(12, 32), steps=32)


def sine(elevation):
    return float(np.sin(np.radians(elevation)))


def luminance(spectral):
    """Return the luminance [cd/m²] or illuminance [lux]."""
    return 1e3 * spectral @ optics.FOUR_TO_RGB.T @ optics.LUMINANCE


def sky(atmosphere, sun, elevation, azimuth, **options):
    """Return the spectral radiance at elevations and at azimuths from suns, in degrees."""
    mu, mu_sun, azimuth = np.broadcast_arrays(*(np.sin(np.radians(np.array(a))) for a in (elevation, sun)), azimuth)
    nu = mu * mu_sun + np.sqrt((1 - mu**2) * (1 - mu_sun**2)) * np.cos(np.radians(azimuth))
    return atmosphere.radiance(np.zeros_like(mu), mu, mu_sun, nu, **options)


# -- The air -----------------------------------------------------------------------------------------------------------


def test_optical_depths_equal_published_values():
    """Molecules have the depths of Bodhaine et al. (1999), table 2, at 400, 550 and 700 nm. Turbidity 2 is an aerosol
    of 0.1 at 550 nm (Preetham et al. 1999). Ozone of 300 DU absorbs 3 to 4 % at the Chappuis peak."""
    wavelengths = np.array([400.0, 550.0, 700.0])
    molecules = Air().rayleigh(wavelengths) * MOLECULAR_COLUMN
    np.testing.assert_allclose(molecules, [0.3628, 0.0973, 0.0365], rtol=0.01)
    assert Air(2.0).aerosol(np.array([550.0]))[0] * 1200 == pytest.approx(0.1, rel=0.02)
    assert 0.03 < reference.ozone(np.array([600.0]))[0] * 15e3 < 0.042


def test_density_of_molecules_follows_the_standard_atmosphere():
    """The expected values are densities of the US Standard Atmosphere 1976, relative to sea level. One scale height
    stands for all air above 11 km."""
    heights = np.array([0.0, 5e3, 10e3, 20e3, 30e3, 40e3, 50e3, 60e3])
    standard = [1.0, 0.6012, 0.3376, 0.0726, 0.01503, 0.003262, 0.000838, 0.000253]
    np.testing.assert_allclose(molecular_density(heights[:3]), standard[:3], rtol=0.003)  # heights there are geometric
    np.testing.assert_allclose(molecular_density(heights), standard, rtol=0.25)
    assert quad(molecular_density, 0, 200e3, points=[11e3])[0] == pytest.approx(MOLECULAR_COLUMN, rel=1e-6)


def test_spray_limits_visibility_as_observers_report():
    """Visibility is 3.9 over extinction (Koschmieder). A gale does not change it. By the WMO's scale for observers at
    sea, a storm leaves a few nautical miles ("affected") and a hurricane less than one and a half ("very
    seriously")."""

    def visibility(wind):
        return 3.912 / Air(2.0, 0.0, wind).salt()[0]

    assert Air(2.0, 0.0, 17.0).spray() == Air(2.0, 0.0, 20.8).spray() == 0
    assert 4e3 < visibility(27.0) < 15e3
    assert visibility(35.0) < 2.8e3
    winds = np.linspace(21, 60, 40)
    assert (np.diff([visibility(u) for u in winds]) < 0).all()


@pytest.mark.parametrize("phase", [rayleigh_phase, aerosol_phase])
def test_phase_functions_lose_no_light(phase):
    assert 2 * np.pi * quad(phase, -1, 1)[0] == pytest.approx(1, rel=1e-9)


def test_four_wavelengths_give_the_colours_of_whole_spectra():
    """For half of all suns and skies four wavelengths differ by at most 3 % of the luminance. Three would differ by
    three times as much."""
    spectra = colours.daylight()
    truth = colours.spectrum_to_rgb(spectra)
    four = np.stack([colours.at(optics.WAVELENGTHS, s) for s in spectra])

    def error(rgb):
        return np.sqrt((((rgb - truth) / (truth @ optics.LUMINANCE)[:, None]) ** 2).mean())

    three = four[:, [0, 1, 3]] / (truth @ optics.LUMINANCE)[:, None]
    best = np.linalg.lstsq(three, truth / (truth @ optics.LUMINANCE)[:, None], rcond=None)[0]
    assert error(four @ optics.FOUR_TO_RGB.T) < 0.03
    assert error(four[:, [0, 1, 3]] @ best) > 3 * error(four @ optics.FOUR_TO_RGB.T)


def test_values_at_four_wavelengths_follow_from_spectra():
    np.testing.assert_allclose(optics.FOUR_TO_RGB, colours.four_to_rgb(), rtol=1e-9)
    solar = colours.at(optics.WAVELENGTHS, colours.SOLAR_IRRADIANCE)
    np.testing.assert_allclose(optics.SOLAR_IRRADIANCE, solar, rtol=1e-12)
    np.testing.assert_allclose(Air().ozone(), reference.ozone(optics.WAVELENGTHS), rtol=1e-12)


def test_the_sun_above_the_air_gives_the_luminous_solar_constant():
    """The constant is 128 to 134 klx (133.3 in Darula, Kittler and Gueymard 2005)."""
    assert 128 < colours.spectrum_to_rgb(colours.SOLAR_IRRADIANCE) @ optics.LUMINANCE < 134


def test_daylight_is_white_and_the_sun_above_the_air_is_bluer():
    """Under sun and sky a white card differs from grey by at most 5 % with the sun at 20 degrees, and by 1 % at 45
    degrees; the four wavelengths cause part of the difference. Above the air the sun has more blue: air removes it."""
    for sun, off in ((20, 0.05), (45, 0.01)):
        card = CLEAR.sun_irradiance(sine(sun)) * sine(sun) + CLEAR.sky_irradiance(sine(sun), 4, 4)
        red, green, blue = optics.FOUR_TO_RGB @ card
        assert red / green == pytest.approx(1.0, abs=off)
        assert blue / green == pytest.approx(1.0, abs=off)
    red, green, blue = colours.spectrum_to_rgb(colours.SOLAR_IRRADIANCE)
    assert red < green < 0.97 * blue < 1.05 * green


# -- Paths -------------------------------------------------------------------------------------------------------------


@given(st.floats(0, 90e3), st.floats(-1, 1))
def test_paths_end_at_the_top_of_the_air_or_at_the_sea(height, mu):
    h, m = np.array(height), np.array(mu)
    if mu > horizon(h) + 1e-6:
        assert height_along(h, m, to_top(h, m)) == pytest.approx(TOP, abs=0.01)
    elif mu < horizon(h) - 1e-6:
        assert height_along(h, m, to_sea(h, m)) == pytest.approx(0, abs=0.01)


@settings(max_examples=25)
@given(st.floats(0, 20e3), st.floats(0.0, 90.0))
def test_transmittance_follows_beer_and_lambert(height, elevation):
    """The reference is adaptive quadrature. The table's steps and its interpolation may cost 2 % of the optical depth,
    or 0.002."""
    mu = sine(elevation)
    length = float(to_top(np.array(height), np.array(mu)))

    def extinction(s):
        h = height_along(np.array(height), np.array(mu), np.array(s))
        return float(CLEAR.diffuse_extinction(h)[1])

    breaks = [length * share for share in (0.001, 0.01, 0.03, 0.1, 0.3)]
    depth = quad(extinction, 0, length, points=breaks, limit=400, epsrel=1e-5)[0]
    found = float(CLEAR.transmittance(np.array(height), np.array(mu))[1])
    assert found == pytest.approx(np.exp(-depth), abs=0.02 * depth * np.exp(-depth) + 0.002)


# -- Light -------------------------------------------------------------------------------------------------------------


def test_single_scattering_equals_its_integral():
    """Adaptive quadrature of the same integrand, with transmittances by fine sums, gives the expected value at one
    wavelength."""
    atmosphere = Atmosphere(Air(2.0, 1.0), wavelengths=(550.0,), steps=128)
    for sun, elevation, azimuth in [(50.0, 20.0, 60.0), (8.0, 5.0, 20.0), (-3.0, 10.0, 0.0)]:
        mu, mu_sun = sine(elevation), sine(sun)
        nu = mu * mu_sun + np.sqrt((1 - mu**2) * (1 - mu_sun**2)) * np.cos(np.radians(azimuth))
        length = float(to_top(np.array(0.0), np.array(mu)))

        def integrand(s, mu=mu, mu_sun=mu_sun, nu=nu, atmosphere=atmosphere):
            h = height_along(np.array(0.0), np.array(mu), np.array(s))
            local = (mu_sun * EARTH_RADIUS + s * nu) / (EARTH_RADIUS + h)
            rayleigh, aerosol, _ = atmosphere.coefficients(h)
            through = np.exp(-atmosphere.optical_depth(np.zeros(1), np.full(1, mu), np.full(1, s)))[0, 0]  # scaled too
            source = rayleigh[0] * rayleigh_phase(nu) + aerosol[0] * aerosol_phase(nu)
            return float(through * source * atmosphere.sunlight(h, local)[0])

        breaks = [length * share for share in (0.003, 0.01, 0.03, 0.1, 0.3, 0.5)]
        truth = quad(integrand, 0, length, points=breaks, limit=300, epsrel=1e-4)[0] * atmosphere.solar[0]
        assert sky(atmosphere, sun, elevation, azimuth, single=True)[0] == pytest.approx(truth, rel=0.01)


@pytest.mark.parametrize(
    ("sun", "low", "high"),
    [
        (60.0, 10e3, 20e3),  # blue sky without the sun: 20 klx at the most (IES)
        (-0.8, 410.0, 585.0),  # sunset, clear: Glossary of Meteorology (AMS), "civil twilight"
        (-6.0, 2.0, 3.5),  # end of civil twilight: the same source
    ],
)
def test_the_sky_is_as_bright_as_measured(sun, low, high):
    """Illuminance [lux] on level ground, at twilight too, is within a quarter of the range that is published for clear
    skies."""
    assert 0.75 * low < luminance(CLEAR.sky_irradiance(sine(sun), 4, 4)) < 1.25 * high


def test_sunlight_is_as_strong_as_measured():
    """Bright sunlight has a direct normal illuminance of 85 to 110 klx, through clear air at 60 degrees."""
    assert 85e3 < luminance(CLEAR.sun_irradiance(sine(60))) < 110e3


def test_the_clear_sky_has_the_gradation_of_the_cie():
    """The CIE's clear sky (1973), relative to its zenith, is (0.91 + 10 exp(-3 g) + 0.45 cos² g)(1 - exp(-0.32 / cos
    z)). It is compared at points that the sun's aureole does not reach. Real skies differ from each other by a
    third."""

    def cie(sun, elevation, azimuth):
        def indicatrix(cosine):
            return 0.91 + 10 * np.exp(-3 * np.arccos(cosine)) + 0.45 * cosine**2

        nu = sine(elevation) * sine(sun) + np.cos(np.radians(elevation)) * np.cos(np.radians(sun)) * np.cos(
            np.radians(azimuth)
        )
        gradation = (1 - np.exp(-0.32 / sine(elevation))) / (1 - np.exp(-0.32))
        return indicatrix(nu) / indicatrix(sine(sun)) * gradation

    places = np.array([(30, 10, 90), (30, 10, 180), (50, 20, 180), (20, 45, 90), (40, 30, 120)])
    found = luminance(sky(CLEAR, *places.T)) / luminance(sky(CLEAR, places[:, 0], 90, 0))
    for place, one in zip(places, found, strict=True):
        assert 0.67 < one / cie(*place) < 1.5, (place, one)


def chromaticity(spectral):
    xyz = np.linalg.inv(colours.XYZ_TO_RGB @ colours.white_balance()) @ optics.FOUR_TO_RGB @ spectral
    return xyz[0] / xyz.sum()


@pytest.mark.slow
def test_colours_move_as_the_sun_sinks():
    """Ozone keeps the zenith blue through twilight (Hulburt 1953). The horizon under the sun turns red."""
    zenith = {sun: chromaticity(sky(CLEAR, sun, 90, 0)) for sun in (60, 10, 0, -4, -8)}
    horizon_ = {sun: chromaticity(sky(CLEAR, sun, 2, 0)) for sun in (60, 10, 0, -4, -8)}
    daylight = 0.3127
    assert all(x < daylight - 0.02 for x in zenith.values())
    assert abs(horizon_[60] - daylight) < 0.03
    assert horizon_[0] > horizon_[10] > horizon_[60]
    assert all(horizon_[sun] > daylight + 0.06 for sun in (0, -4, -8))
    without = Atmosphere(Air(2.0, 0.5))
    object.__setattr__(without, "coefficients", lambda h: _without_ozone(CLEAR, h))
    assert chromaticity(sky(without, -4, 90, 0)) > zenith[-4] + 0.02


def _without_ozone(atmosphere, height):
    rayleigh, aerosol, extinction = atmosphere.coefficients(height)
    absorbed = reference.ozone(np.array(atmosphere.wavelengths))
    absorbed = absorbed * reference.ozone_density(np.maximum(height, 0.0)[..., None])
    return rayleigh, aerosol, extinction - absorbed


@pytest.mark.parametrize(("turbidity", "worst"), [(2.0, 0.06), slow(5.0, 0.25)])
def test_the_sky_agrees_with_traced_paths_of_light(turbidity, worst):
    """The sky agrees with all orders of scattering, traced at random: within three standard errors and the part of the
    light that moments after the second would add, for clear and for hazy air. Hillaire's later orders, equal in all
    directions, differ by twice as much."""
    air = Air(turbidity, 1.0)
    ours, plain = Atmosphere(air, wavelengths=(490.0,)), Hillaire(air, wavelengths=(490.0,), mend=0, forward=0.0)
    tracer, errors = PathTracer(ours), []
    for suns, elevation in (((60.0, 10.0, 2.0), 30.0), ((60.0, 10.0, 2.0), 90.0), ((-4.0,), 30.0)):
        places = np.array(list(product(suns, (0.0, 90.0, 180.0))))
        paths = 600 if min(suns) > 0 else 3000
        mean, error = tracer.radiance(vectors(*places.T), vectors(elevation, 0.0), paths, 12, seed=3)
        truth, at = mean.sum(axis=1), cosines(np.full(len(places), elevation), *places.T)
        found, simple = (a.radiance(np.zeros(len(truth)), *at)[:, 0] / a.solar for a in (ours, plain))
        assert (np.abs(found - truth) < worst * truth + 3 * error).all(), (elevation, found / truth - 1, error / truth)
        errors.extend(np.stack([found / truth - 1, simple / truth - 1], axis=-1))
    assert np.mean(np.square(errors), axis=0) @ (4, -1) < 0


def test_the_zenith_darkens_evenly_after_sunset():
    """The zenith darkens all the time as the sun goes from 2 degrees above the horizon to 6 below, by at most 1.2 stops
    in half a degree."""
    bright = luminance(sky(CLEAR, np.arange(2.0, -6.1, -0.5), 90, 0))
    stops = -np.diff(np.log2(bright))
    assert (stops > 0).all()
    assert stops.max() < 1.2
