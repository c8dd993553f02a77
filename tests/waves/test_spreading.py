"""Spreading: every model integrates to 1 at every frequency, and has the form of its paper."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.waves.dispersion import GRAVITY
from ocean.waves.spectra import Elfouhaily, Jonswap, Spectrum
from ocean.waves.spreading import (
    Cos2s,
    DonelanBanner,
    ElfouhailySpreading,
    Hasselmann,
    Mitsuyasu,
    Spreading,
    WaveComponents,
)
from ocean.waves.systems import wind_sea

from ..seas import kinds

KINDS = kinds(Spreading).values()
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.model_fields["kind"].default)


def gravity_waves(w, peak_frequency, wind_speed):
    """Return the wave components of angular frequencies w > 0 [rad/s]."""
    w = np.asarray(w, np.float64)
    return WaveComponents(w, w**2 / GRAVITY, peak_frequency, wind_speed)


NODES, WEIGHTS = np.polynomial.legendre.leggauss(300)


def density(spreading, waves, theta):
    """Return D(w, theta) [1/rad]."""
    parameters = spreading.parameters(waves)
    return spreading.norm(*parameters) * spreading.profile(np.cos(theta), np.sin(theta), *parameters)


def integral(function):
    """Return the integral of an even function over all angles, with a quadrature for each quarter, because it may jump
    at the edge of the half plane."""
    quarter = (NODES + 1) * math.pi / 4
    return 2 * math.pi / 4 * float(np.sum(WEIGHTS * (function(quarter) + function(quarter + math.pi / 2))))


@each_kind
@pytest.mark.parametrize("swell", [0.0, 0.5])
@pytest.mark.parametrize("speed", [2.0, 30.0])
def test_every_spreading_integrates_to_one(kind, swell, speed):
    for fetch in (1e3, 1e7):
        peak = Jonswap().shape(speed, fetch).peak_frequency
        for x in (0.2, 0.5, 0.9, 0.96, 1.0, 1.3, 1.7, 4.0, 20.0):
            waves = gravity_waves(x * peak, peak, speed)
            # 1e-6: for small s the integrand has a cusp at pi, which limits the accuracy of the quadrature.
            total = integral(lambda theta, waves=waves: density(kind(elongation=swell), waves, theta))
            assert total == pytest.approx(1.0, abs=1e-6)


@given(
    st.sampled_from([kind(elongation=xi) for kind in KINDS for xi in (0.0, 0.3, 1.0)]),
    st.floats(0.05, 50),
    st.floats(0.2, 3.0),
    st.floats(0.5, 40),
)
def test_no_spreading_is_negative(spreading, x, peak, speed):
    theta = np.linspace(-math.pi, math.pi, 361)
    found = density(spreading, gravity_waves(x * peak, peak, speed), theta)
    assert np.all(found >= 0)
    assert np.isfinite(found).all()
    assert found == pytest.approx(found[::-1])


PAIRS = [
    (spectrum, kind)
    for spectrum in (model() for name, model in kinds(Spectrum).items() if name != "file")  # a file has directions
    for kind in KINDS
    if kind is not ElfouhailySpreading or spectrum.kind == "elfouhaily"  # others are refused; see test_spectra
]


@pytest.mark.parametrize(("spectrum", "kind"), PAIRS)
def test_all_directions_together_are_the_spectrum(spectrum, kind):
    sea = wind_sea(9.0, 33.0, 1e5, 30.0, spectrum, kind(elongation=0.2))
    for x in (0.8, 1.0, 1.5, 5.0):
        k = x**2 * sea.peak_frequency**2 / GRAVITY
        directed = integral(
            lambda theta, k=k: sea.wave_vector_density(
                k * np.sin(math.radians(33) + theta), -k * np.cos(math.radians(33) + theta)
            )
        )
        assert directed * k == pytest.approx(float(sea.wave_number_density(k)), rel=1e-6)


def test_single_precision_profiles_agree_with_double():
    theta = np.linspace(-3.1, 3.1, 101)
    for kind in KINDS:
        spreading = kind(elongation=0.5)
        waves = gravity_waves(np.full(101, 1.4), 1.0, 9.0)
        parameters = spreading.parameters(waves)
        exact = spreading.profile(np.cos(theta), np.sin(theta), *parameters)
        single = [np.asarray(value, np.float32) for value in (np.cos(theta), np.sin(theta), *parameters)]
        fast = spreading.profile(*single)
        assert fast.dtype == np.float32
        # An error of 2^-24 in the cosine is 2^-24 / theta in the angle, and about as much in the profile.
        assert fast == pytest.approx(exact, abs=2**-18)


def test_spreading_is_finite_where_gamma_functions_overflow():
    assert np.isfinite(Cos2s().norm(1e5))
    assert Cos2s().norm(1e5) == pytest.approx(math.sqrt(1e5) / (2 * math.sqrt(math.pi)), rel=1e-5)  # Stirling
    assert Cos2s().norm([0.0, 1.0]) == pytest.approx([1 / (2 * math.pi), 1 / math.pi])  # flat; (1 + cos) / (2 pi)


def test_hasselmann_has_the_exponents_computed_by_hand():
    exponent = Hasselmann().exponent(
        gravity_waves([0.5, 1.0, 2.0], 1.0, 1.17 * GRAVITY)
    )  # the power is -2.33 at this age
    assert exponent == pytest.approx([6.97 * 0.5**4.06, 6.97, 9.77 * 2**-2.33])
    older = Hasselmann().exponent(gravity_waves(2.0, 1.0, 2.17 * GRAVITY))
    assert older == pytest.approx(9.77 * 2 ** (-2.33 - 1.45))


def test_mitsuyasu_has_the_exponents_computed_by_hand():
    peak = 11.5 * 0.9**-2.5
    exponent = Mitsuyasu().exponent(gravity_waves([0.5, 1.0, 2.0], 1.0, 0.9 * GRAVITY))
    assert exponent == pytest.approx([peak * 0.5**5, peak, peak * 2**-2.5])
    assert Mitsuyasu().exponent(gravity_waves(1.0, 1.0, 0.01)) == 100  # swell under a light wind


def test_donelan_banner_has_the_widths_computed_by_hand():
    waves = gravity_waves([0.8, 1.2, 2.0], 1.0, 9.0)
    banner = 10 ** (-0.4 + 0.8393 * math.exp(-0.567 * math.log(4)))
    assert DonelanBanner().width(waves)[0] == pytest.approx([2.61 * 0.8**1.3, 2.28 * 1.2**-1.3, banner])
    beta = 2.28 * 1.2**-1.3
    expected = beta / (2 * math.tanh(beta * math.pi)) / math.cosh(beta * 0.4) ** 2
    assert density(DonelanBanner(), gravity_waves(1.2, 1.0, 9.0), -0.4) == pytest.approx(expected)


def test_elfouhaily_spread_is_broadest_between_peak_and_ripples():
    shape = Elfouhaily().shape(10.0, 1e9)
    k = np.array([shape.peak_frequency**2 / GRAVITY, 3.0, 370.0])
    waves = WaveComponents(np.sqrt(GRAVITY * k), k, shape.peak_frequency, 10.0)
    peak, middle, ripples = ElfouhailySpreading().width(waves)[0]
    assert peak == pytest.approx(math.tanh(math.log(2) / 4 + 4), abs=1e-4)  # c = cp
    assert middle < 0.8 * ripples < ripples < peak


@each_kind
def test_swell_narrows_every_spread(kind):
    for x in (0.7, 1.0, 3.0):
        waves = gravity_waves(x, 1.0, 9.0)
        assert density(kind(elongation=1.0), waves, 0.0) > density(kind(), waves, 0.0)
        elongation = float(kind(elongation=0.5).swell_power(waves))
        assert elongation == pytest.approx(16.1 * math.tanh(1 / x) * 0.25)
        # D with swell over D without falls as cos^2s(theta / 2).
        ratio = [float(density(kind(elongation=0.5), waves, a) / density(kind(), waves, a)) for a in (0.0, 0.8)]
        assert ratio[1] / ratio[0] == pytest.approx(math.cos(0.4) ** (2 * elongation))
