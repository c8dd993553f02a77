"""Spectra and systems: their integrals against published and closed-form values; what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from scipy.integrate import quad

from ocean.waves.dispersion import GRAVITY, angular_frequency, deep_wavenumber, group_speed, wavenumber
from ocean.waves.spectra import Spectrum
from ocean.waves.spectra.elfouhaily import Elfouhaily
from ocean.waves.spectra.file import FileSpectrum
from ocean.waves.spectra.jonswap import (
    Jonswap,
    JonswapShape,
    PiersonMoskowitz,
    Tma,
    jonswap_from_height,
    jonswap_from_wind,
)
from ocean.waves.spectra.phillips import Phillips
from ocean.waves.spectra.shapes import Shape, kitaigorodskii
from ocean.waves.spreading import Cos2s, CosSquared, DonelanBanner, ElfouhailySpreading, Hasselmann, Mitsuyasu
from ocean.waves.statistics import predicted_height, predicted_peak_period
from ocean.waves.systems import WaveSystem, swell, unit, wind_sea

MODELS = [Jonswap(), PiersonMoskowitz(), Tma(), Elfouhaily(), Phillips()]
ENDLESS = 1e7


def height_of(shape: JonswapShape) -> float:
    """4 sqrt(m0) by another quadrature than the package's: dw on a fine uniform grid, and the w^-5 tail by hand."""
    w = np.linspace(1e-6, 40, 40_001) * shape.peak_frequency
    tail = shape.alpha * GRAVITY**2 / (4 * w[-1] ** 4)
    return 4 * math.sqrt(np.trapezoid(shape.density(w), w) + tail)


def test_grown_seas_have_their_published_heights():
    jonswap = Jonswap().shape(10.0, ENDLESS)
    assert height_of(jonswap) == pytest.approx(2.16, abs=0.01)
    assert 2 * math.pi / jonswap.peak_frequency == pytest.approx(6.3, abs=0.05)
    assert height_of(PiersonMoskowitz().shape(10.0, ENDLESS)) == pytest.approx(2.25, abs=0.01)


@given(st.floats(1e-4, 0.02), st.floats(0.2, 3))
def test_without_enhancement_the_integral_is_known(alpha, peak_frequency):
    # The integral of w^-5 exp(-b w^-4) is 1 / (4 b); here b = 5/4 wp^4.
    expected = 4 * math.sqrt(alpha * GRAVITY**2 / (5 * peak_frequency**4))
    assert height_of(JonswapShape(alpha, peak_frequency, 1.0)) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("gamma", [1.0, 3.3, 7.0])
def test_height_and_period_are_reached(gamma):
    shape = jonswap_from_height(3.0, 12.0, gamma)
    assert height_of(shape) == pytest.approx(3.0, rel=1e-5)
    w = np.linspace(0.1, 2, 100_001)
    assert 2 * math.pi / w[shape.density(w).argmax()] == pytest.approx(12.0, rel=1e-3)


@given(st.floats(2, 30), st.floats(1e3, 1e6))
def test_seas_grow_with_wind_and_fetch_until_they_are_grown(speed, fetch):
    height = height_of(jonswap_from_wind(speed, fetch))
    assert height_of(jonswap_from_wind(speed * 1.1, fetch)) > height
    assert height_of(jonswap_from_wind(speed, fetch * 1.5)) >= height * (1 - 1e-12)
    grown = 1e4 * speed**2 / GRAVITY
    assert jonswap_from_wind(speed, grown * 1.001) == jonswap_from_wind(speed, grown * 10)


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


@pytest.mark.parametrize("depth", [3.0, 20.0, 1000.0])
def test_swell_has_its_height_at_its_depth(depth):
    assert predicted_height([swell(1.5, 12.0, 0.0, depth)]) == pytest.approx(1.5, rel=1e-4)


def test_shallow_water_lowers_a_wind_sea():
    heights = [
        predicted_height([wind_sea(15.0, 0.0, ENDLESS, depth, Jonswap(), Hasselmann())]) for depth in (5, 20, 1000)
    ]
    assert heights[0] < heights[1] < heights[2]


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


def test_hasselmann_is_narrowest_at_the_peak():
    sea = wind_sea(10.0, 0.0, ENDLESS, 1e3, Jonswap(), Hasselmann())
    ahead = sea.spread(sea.peak_frequency * np.array([0.5, 0.95, 1.05, 2.0, 8.0]), 0.0)
    assert ahead[0] < ahead[1] < ahead[2] > ahead[3] > ahead[4]


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
    assert along == pytest.approx(sea.density(w) * sea.spread(w, 0.0) * slope / k, rel=1e-6)


def test_compass():
    for direction, expected in {0: (0, -1), 90: (1, 0), 180: (0, 1), 270: (-1, 0)}.items():
        assert unit(direction) == pytest.approx(expected, abs=1e-15)


def test_models_are_told_apart_by_kind():
    spectrum = TypeAdapter(Spectrum)
    assert spectrum.validate_python({"kind": "jonswap", "gamma": 2}) == Jonswap(gamma=2)
    assert spectrum.validate_python({"kind": "pierson-moskowitz"}) == PiersonMoskowitz()
    for wrong in ({"kind": "jonswap", "gamma": 8}, {"kind": "pierson-moskowitz", "gamma": 2}, {"kind": "nonsense"}):
        with pytest.raises(ValidationError):
            spectrum.validate_python(wrong)


# Height and period.


@given(
    st.sampled_from([Jonswap(gamma=1.0), Jonswap(), Jonswap(gamma=7.0), Tma(), PiersonMoskowitz()]),
    st.floats(0.1, 15),
    st.floats(3, 25),
    st.floats(math.log(2), math.log(5000)).map(math.exp),
    st.sampled_from(["deep", "finite-depth", "capillary-gravity"]),
)
def test_height_and_period_are_reached_at_every_depth(model, height, period, depth, kind):
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


# Elfouhaily and Phillips, which are given over wave numbers.


def moment(shape: Shape, power: int, low: float = 1e-4, high: float = 1e5) -> float:
    """The integral of k^power F(k) in deep water, by a rule that the package does not use."""

    def integrand(logarithm: float) -> float:
        k = math.exp(logarithm)
        return float(shape.wave_number_density(k, math.inf, "deep")) * k ** (power + 1)

    peak = math.log(shape.peak_frequency**2 / GRAVITY)
    points = [p for p in (peak - 1, peak, peak + 1, math.log(370.0)) if math.log(low) < p < math.log(high)]
    return quad(integrand, math.log(low), math.log(high), points=points, limit=400, epsrel=1e-8)[0]


@pytest.mark.parametrize(("speed", "height"), [(5.0, 0.644), (10.0, 2.606), (15.0, 5.869)])
def test_elfouhaily_has_its_published_heights(speed, height):
    assert 4 * math.sqrt(moment(Elfouhaily().shape(speed, 1e9), 0)) == pytest.approx(height, abs=0.001)


@pytest.mark.parametrize("fetch", [3e5, 1e9])
@pytest.mark.parametrize("speed", [5.0, 7.0, 10.0, 15.0, 20.0])
def test_elfouhaily_has_the_slopes_of_glitter(speed, fetch):
    cox_munk = 0.003 + 0.00512 * speed  # Cox and Munk 1954, whose scatter is about as much
    shape = Elfouhaily().shape(speed, fetch)
    assert moment(shape, 2) == pytest.approx(cox_munk, rel=0.2)
    assert moment(shape, 2, high=1000.0) > 0.96 * moment(shape, 2)  # what `statistics` counts of them


@given(st.floats(0.5, 40), st.floats(1e3, 1e8))
def test_elfouhaily_is_never_negative_and_ages_with_fetch(speed, fetch):
    shape = Elfouhaily().shape(speed, fetch)
    density = shape.wave_number_density(np.geomspace(1e-4, 1e4, 500), math.inf, "deep")
    assert np.all(density >= 0)
    assert np.isfinite(density).all()
    assert 0.84 <= Elfouhaily().shape(speed, 2 * fetch).inverse_age <= shape.inverse_age <= 5


def test_elfouhailys_peak_is_that_of_its_cut():
    # Without enhancement and side effects S(w) = B dk/dw / k³ peaks where (k²)^(-5/4) exp(-5/4 (kp/k)²) does, at kp;
    # they move it by little.
    shape = Elfouhaily().shape(12.0, 1e9)
    w = np.linspace(0.5, 1.5, 10_001) * shape.peak_frequency
    assert w[shape.frequency_density(w, math.inf, "deep").argmax()] == pytest.approx(shape.peak_frequency, rel=0.05)
    assert shape.peak_frequency == pytest.approx(GRAVITY * 0.84 / 12.0)


@given(st.floats(2, 30), st.floats(1e-4, 1e-2))
def test_phillips_height_is_known(speed, amplitude):
    # The integral of k^-3 exp(-(kL)^-2) is L² / 2.
    expected = 4 * math.sqrt(math.pi * amplitude / 2) * speed**2 / GRAVITY
    shape = Phillips(amplitude=amplitude, cutoff=0.0).shape(speed, 1e5)
    assert 4 * math.sqrt(moment(shape, 0)) == pytest.approx(expected, rel=1e-5)
    w = np.linspace(0.5, 1.5, 10_001) * shape.peak_frequency
    assert w[shape.frequency_density(w, math.inf, "deep").argmax()] == pytest.approx(shape.peak_frequency, rel=2e-4)


def test_phillips_with_its_own_spread_is_tessendorfs_formula():
    speed, kx, kz = 12.0, np.array([0.05, 0.3, -0.1]), np.array([-0.02, 0.4, 0.2])
    model = Phillips(amplitude=2e-3, cutoff=0.3)
    sea = wind_sea(speed, 90.0, 1e5, 100.0, model, CosSquared(), "deep")
    k, length = np.hypot(kx, kz), speed**2 / GRAVITY
    tessendorf = 2e-3 * np.exp(-1 / (k * length) ** 2) / k**4 * (kx / k) ** 2 * np.exp(-((k * 0.3) ** 2))
    assert sea.wave_vector_density(kx, kz) == pytest.approx(np.where(kx > 0, 2, 0) * tessendorf, rel=1e-12)


def test_elfouhaily_with_its_own_spread_is_the_papers_formula():
    speed, kx, kz = 10.0, np.array([0.12, 3.0, 250.0, -0.2]), np.array([0.05, -4.0, 300.0, 0.1])
    sea = wind_sea(speed, 90.0, 1e9, 100.0, Elfouhaily(), ElfouhailySpreading(), "deep")
    k = np.hypot(kx, kz)
    c, kp = np.sqrt(GRAVITY / k * (1 + (k / 370) ** 2)), GRAVITY * (0.84 / speed) ** 2
    cp = math.sqrt(GRAVITY / kp * (1 + (kp / 370) ** 2))
    friction = 0.41 * speed / math.log(10 / (3.7e-5 * speed**2 / GRAVITY * 0.84**0.9))
    delta = np.tanh(math.log(2) / 4 + 4 * (c / cp) ** 2.5 + 0.13 * friction / 0.23 * (0.23 / c) ** 2.5)
    lpm, root = np.exp(-1.25 * (kp / k) ** 2), np.sqrt(k / kp)
    jp = 1.7 ** np.exp(-((root - 1) ** 2) / (2 * (0.08 * (1 + 4 * 0.84**-3)) ** 2))
    low = 0.5 * 0.006 * math.sqrt(0.84) * cp / c * lpm * jp * np.exp(-0.84 / math.sqrt(10) * (root - 1))
    alpha = 0.01 * (1 + (3 if friction > 0.23 else 1) * math.log(friction / 0.23))
    high = 0.5 * alpha * 0.23 / c * np.exp(-0.25 * (k / 370 - 1) ** 2) * lpm
    symmetric = k**-4.0 * (low + high) * (1 + delta * (2 * (kx / k) ** 2 - 1)) / (2 * math.pi)
    assert sea.wave_vector_density(kx, kz) == pytest.approx(np.where(kx > 0, 2, 0) * symmetric, rel=1e-12)


@given(
    st.sampled_from([Elfouhaily(), Phillips()]),
    st.floats(3, 30),
    st.floats(math.log(2), math.log(500)).map(math.exp),
    st.floats(-1, 4),
)
def test_the_bottom_does_the_same_to_both_kinds_of_spectrum(model, speed, depth, octaves):
    shape = model.shape(speed, 1e6)
    w = shape.peak_frequency * 2**octaves
    factor = kitaigorodskii(w, depth)
    assert shape.frequency_density(w, depth, "finite-depth") == pytest.approx(
        shape.frequency_density(w, math.inf, "deep") * factor, rel=1e-9, abs=1e-30
    )
    k = wavenumber(w, depth)
    assert deep_wavenumber(k, depth) == pytest.approx(w**2 / GRAVITY, rel=1e-9)


@pytest.mark.parametrize("kind", ["deep", "finite-depth", "capillary-gravity"])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.kind)
def test_density_over_frequency_and_over_wave_number_agree(model, kind):
    shape, depth = model.shape(9.0, 2e5), 25.0
    k = np.geomspace(0.02, 500, 60)
    w = angular_frequency(k, depth, kind)
    density = shape.frequency_density(w, depth, kind) * group_speed(k, depth, kind)
    assert shape.wave_number_density(k, depth, kind) == pytest.approx(density, rel=1e-9, abs=1e-30)


# What makes no sense.


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: wind_sea(9, 0, 1e5, 50, Jonswap(), ElfouhailySpreading()), "belongs to spectrum = elfouhaily"),
        (lambda: wind_sea(9, 0, 1e5, 50, Tma(), Cos2s(), "deep"), "spectrum = tma is that of a depth"),
        (lambda: swell(1, 9, 0, 50, "deep", Tma()), "spectrum = tma is that of a depth"),
        (lambda: swell(1, 9, 0, 50, spectrum=Elfouhaily()), "spectrum = elfouhaily is raised by a wind"),
        (lambda: swell(0, 9, 0, 50, spectrum=Phillips()), "spectrum = phillips is raised by a wind"),
        *(
            (lambda spread=spread: swell(1, 9, 0, 50, spreading=spread), "follows from the wind")
            for spread in (Hasselmann(), Mitsuyasu(), ElfouhailySpreading())
        ),
        (lambda: wind_sea(0, 0, 0, 50, Jonswap(), Hasselmann(), "deep", 2, 9), "follows from the wind, and there is"),
        (lambda: wind_sea(0, 0, 0, 50, Jonswap(), Mitsuyasu(), "deep", 2, 9), "follows from the wind, and there is"),
        *(
            (lambda model=model: wind_sea(9, 0, 1e5, 50, model, Cos2s(), "deep", 2, 9), "can't be given by height")
            for model in (Elfouhaily(), Phillips())
        ),
        (lambda: wind_sea(9, 0, 1e5, 50, FileSpectrum(), Cos2s(), "deep", 2, 9), "has a height of its own"),
        (lambda: swell(2, 9, 0, 50, spectrum=FileSpectrum()), "has a height of its own"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_reason(make, reason):
    with pytest.raises(ValueError, match=reason):
        make()


@pytest.mark.parametrize("spreading", [CosSquared(), Cos2s(), DonelanBanner(elongation=0.5)], ids=lambda s: s.kind)
@pytest.mark.parametrize("spectrum", [Jonswap(), Tma(), PiersonMoskowitz()], ids=lambda s: s.kind)
def test_swell_takes_any_spectrum_and_spread_that_need_no_wind(spectrum, spreading):
    sea = swell(1.5, 11.0, 30.0, 40.0, spectrum=spectrum, spreading=spreading)
    assert predicted_height([sea]) == pytest.approx(1.5, rel=1e-3)
    assert sea.spreading == spreading
