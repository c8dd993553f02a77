"""Spectra and wave systems: integrals against published and closed-form values, and refusals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.waves.dispersion import GRAVITY, angular_frequency
from ocean.waves.spectra import (
    Elfouhaily,
    FileSpectrum,
    Jonswap,
    JonswapShape,
    Phillips,
    PiersonMoskowitz,
    Tma,
    kitaigorodskii,
)
from ocean.waves.spreading import Cos2s, ElfouhailySpreading, Hasselmann, Mitsuyasu, WaveComponents
from ocean.waves.statistics import predicted_height, predicted_peak_period
from ocean.waves.systems import WaveSystem, swell, unit, wind_sea
from tests.messages import naming

ENDLESS = 1e7


def height_of(shape: JonswapShape) -> float:
    """Return 4 sqrt(m0) by a quadrature other than the package's: a fine uniform grid in w, and an analytic w^-5
    tail."""
    w = np.linspace(1e-6, 40, 40_001) * shape.peak_frequency
    tail = shape.alpha * GRAVITY**2 / (4 * w[-1] ** 4)
    return 4 * math.sqrt(np.trapezoid(shape.density(w), w) + tail)


def test_grown_seas_have_their_published_heights():
    jonswap = Jonswap().shape(10.0, ENDLESS)
    assert height_of(jonswap) == pytest.approx(2.16, abs=0.01)
    assert 2 * math.pi / jonswap.peak_frequency == pytest.approx(6.3, abs=0.05)
    assert height_of(PiersonMoskowitz().shape(10.0, ENDLESS)) == pytest.approx(2.25, abs=0.01)


@given(st.floats(1e-4, 0.02), st.floats(0.2, 3))
def test_the_integral_without_peak_enhancement_has_its_closed_form(alpha, peak_frequency):
    # The integral of w^-5 exp(-b w^-4) is 1 / (4 b); here b = 5/4 wp^4.
    expected = 4 * math.sqrt(alpha * GRAVITY**2 / (5 * peak_frequency**4))
    assert height_of(JonswapShape(alpha, peak_frequency, 1.0)) == pytest.approx(expected, rel=1e-6)


@given(st.floats(2, 30), st.floats(1e3, 1e6))
def test_seas_grow_with_wind_and_fetch_until_they_are_grown(speed, fetch):
    height = height_of(Jonswap().shape(speed, fetch))
    assert height_of(Jonswap().shape(speed * 1.1, fetch)) > height
    assert height_of(Jonswap().shape(speed, fetch * 1.5)) >= height * (1 - 1e-12)
    grown = 1e4 * speed**2 / GRAVITY
    assert Jonswap().shape(speed, grown * 1.001) == Jonswap().shape(speed, grown * 10)


def test_depth_factor_follows_its_definition_and_limits():
    depth = 15.0
    w = np.linspace(0.01, 6, 500)
    factor = kitaigorodskii(w, depth)
    wh = w * math.sqrt(depth / GRAVITY)
    fit = np.where(wh <= 1, wh**2 / 2, 1 - np.maximum(2 - wh, 0) ** 2 / 2)  # Thompson and Vincent 1983
    assert np.abs(factor - fit).max() == pytest.approx(0.023, abs=0.001)
    assert np.all(np.diff(factor) >= 0)
    assert factor[0] == pytest.approx(wh[0] ** 2 / 2, rel=wh[0] ** 2)
    assert factor[-1] == pytest.approx(1.0, abs=1e-12)
    assert np.all(kitaigorodskii(w, depth, "deep") == 1)


@pytest.mark.parametrize(
    "flat",
    [
        wind_sea(0.0, 10.0, 1e5, 50.0, Jonswap(), Hasselmann()),
        wind_sea(0.0, 10.0, 1e5, 50.0, PiersonMoskowitz(), Cos2s()),
        wind_sea(0.0, 10.0, 1e5, 50.0, Elfouhaily(), ElfouhailySpreading()),
        wind_sea(0.0, 10.0, 1e5, 50.0, Phillips(), Mitsuyasu()),
        wind_sea(10.0, 10.0, 0.0, 50.0, Phillips(), Mitsuyasu()),
        swell(0.0, 10.0, 0.0, 50.0),
    ],
)
def test_no_wind_is_flat_and_divides_by_nothing(flat: WaveSystem):
    with np.errstate(all="raise"):
        assert flat.is_flat
        assert np.all(flat.density(np.linspace(0, 10, 50)) == 0)
        assert np.all(flat.wave_vector_density(np.linspace(-3, 3, 51), 0.0) == 0)
        assert predicted_height([flat]) == predicted_peak_period([flat]) == 0


@given(st.floats(0, 360))
def test_waves_run_where_the_wind_blows(direction):
    sea = wind_sea(10.0, direction, 1e5, 200.0, Jonswap(), Hasselmann())
    k = 0.12
    x, z = unit(direction)
    along, across, against = sea.wave_vector_density(k * np.array([x, z, -x]), k * np.array([z, -x, -z]))
    assert along > across > against >= 0
    # Psi is S D (dw/dk) / k, with dw/dk by difference.
    w = angular_frequency(k, 200.0)
    slope = (angular_frequency(k + 1e-6, 200.0) - angular_frequency(k - 1e-6, 200.0)) / 2e-6
    power = sea.spreading.parameters(WaveComponents(w, w**2 / GRAVITY, sea.peak_frequency, sea.wind_speed))
    assert along == pytest.approx(sea.density(w) * sea.spreading.norm(*power) * slope / k, rel=1e-6)


def test_directions_follow_the_compass():
    for direction, expected in {0: (0, -1), 90: (1, 0), 180: (0, 1), 270: (-1, 0)}.items():
        assert unit(direction) == pytest.approx(expected, abs=1e-15)


# -- Height and period -------------------------------------------------------------------------------------------------


@given(
    st.sampled_from([Jonswap(gamma=1.0), Jonswap(), Jonswap(gamma=7.0), Tma(), PiersonMoskowitz()]),
    st.floats(0.1, 15),
    st.floats(3, 25),
    st.floats(math.log(2), math.log(5000)).map(math.exp),
    st.sampled_from(["deep", "finite-depth", "capillary-gravity"]),
)
def test_height_and_period_agree_with_settings_at_every_depth(model, height, period, depth, kind):
    if model.needs_bottom and kind == "deep":
        kind = "finite-depth"
    sea = wind_sea(10.0, 75.0, 3e5, depth, model, Cos2s(), kind, height, period)
    assert predicted_height([sea]) == pytest.approx(height, rel=1e-3)
    w = 2 * math.pi / period * np.linspace(0.9, 1.1, 4001)
    # The grid's steps are 5e-5; where the peak is broad and the water shallow, rounding moves the maximum a few.
    assert w[sea.density(w).argmax()] == pytest.approx(2 * math.pi / period, rel=1e-3)
    assert predicted_height([swell(height, period, 0.0, depth, kind, model)]) == pytest.approx(height, rel=1e-3)


def test_a_given_height_overrules_the_wind():
    seas = [wind_sea(u, 0.0, 1e5, 50.0, Jonswap(), Hasselmann(), "finite-depth", 2.0, 9.0) for u in (3.0, 20.0)]
    assert seas[0].shape == seas[1].shape
    assert seas[0].wind_speed == 3.0


# -- Senseless spectra -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: wind_sea(9, 0, 1e5, 50, Jonswap(), ElfouhailySpreading()), "spectrum elfouhaily"),
        (lambda: wind_sea(9, 0, 1e5, 50, Tma(), Cos2s(), "deep"), "spectrum tma depth"),
        (lambda: swell(1, 9, 0, 50, "deep", Tma()), "spectrum tma depth"),
        (lambda: swell(1, 9, 0, 50, spectrum=Elfouhaily()), "spectrum elfouhaily wind"),
        (lambda: swell(0, 9, 0, 50, spectrum=Phillips()), "spectrum phillips wind"),
        *(
            (lambda spread=spread: swell(1, 9, 0, 50, spreading=spread), "wind")
            for spread in (Hasselmann(), Mitsuyasu(), ElfouhailySpreading())
        ),
        (lambda: wind_sea(0, 0, 0, 50, Jonswap(), Hasselmann(), "deep", 2, 9), "wind"),
        (lambda: wind_sea(0, 0, 0, 50, Jonswap(), Mitsuyasu(), "deep", 2, 9), "wind"),
        *(
            (lambda model=model: wind_sea(9, 0, 1e5, 50, model, Cos2s(), "deep", 2, 9), "height")
            for model in (Elfouhaily(), Phillips())
        ),
        (lambda: wind_sea(9, 0, 1e5, 50, FileSpectrum(path="x"), Cos2s(), "deep", 2, 9), "height"),
        (lambda: swell(2, 9, 0, 50, spectrum=FileSpectrum(path="x")), "height"),
    ],
)
def test_senseless_spectra_are_refused_with_the_reason(make, named):
    with pytest.raises(ValueError, match=naming(named)):
        make()
