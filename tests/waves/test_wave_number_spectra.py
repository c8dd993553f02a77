"""Elfouhaily and Phillips, which are defined over wave numbers, and conversions of all spectra between wave number and
frequency."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from ocean.waves.dispersion import GRAVITY, angular_frequency, deep_wavenumber, group_speed, wavenumber
from ocean.waves.spectra import Elfouhaily, FileSpectrum, Phillips, Shape, Spectrum, kitaigorodskii
from ocean.waves.spreading import CosSquared, ElfouhailySpreading
from ocean.waves.systems import wind_sea
from tests.seas import kinds

MODELS = [model() for model in kinds(Spectrum).values() if model is not FileSpectrum]


def moment(shape: Shape, power: int, low: float = 1e-4, high: float = 1e5) -> float:
    """Return the integral of k^power F(k) in deep water, by a quadrature other than the package's."""

    def integrand(logarithm: float) -> float:
        k = math.exp(logarithm)
        return float(shape.wave_number_density(k, math.inf, "deep")) * k ** (power + 1)

    peak = math.log(shape.peak_frequency**2 / GRAVITY)
    points = [p for p in (peak - 1, peak, peak + 1, math.log(370.0)) if math.log(low) < p < math.log(high)]
    return quad(integrand, math.log(low), math.log(high), points=points, limit=400, epsrel=1e-8)[0]


@pytest.mark.parametrize(("speed", "height"), [(5.0, 0.644), (10.0, 2.606), (15.0, 5.869)])
def test_elfouhaily_has_its_known_heights(speed, height):
    """The heights are results of this formula when it was written; the paper has no table of heights."""
    assert 4 * math.sqrt(moment(Elfouhaily().shape(speed, 1e9), 0)) == pytest.approx(height, abs=0.001)


@pytest.mark.parametrize("fetch", [3e5, 1e9])
@pytest.mark.parametrize("speed", [5.0, 7.0, 10.0, 15.0, 20.0])
def test_elfouhaily_has_the_slopes_of_glitter(speed, fetch):
    cox_munk = 0.003 + 0.00512 * speed  # Cox and Munk 1954; the tolerance is about their scatter
    shape = Elfouhaily().shape(speed, fetch)
    assert moment(shape, 2) == pytest.approx(cox_munk, rel=0.2)
    assert moment(shape, 2, high=1000.0) > 0.96 * moment(shape, 2)  # the part that `statistics` counts


@given(st.floats(0.5, 40), st.floats(1e3, 1e8))
def test_elfouhaily_is_never_negative_and_ages_with_fetch(speed, fetch):
    shape = Elfouhaily().shape(speed, fetch)
    density = shape.wave_number_density(np.geomspace(1e-4, 1e4, 500), math.inf, "deep")
    assert np.all(density >= 0)
    assert np.isfinite(density).all()
    assert 0.84 <= Elfouhaily().shape(speed, 2 * fetch).inverse_age <= shape.inverse_age <= 5


def test_the_peak_of_elfouhaily_is_the_peak_of_its_density():
    # Without enhancement and side effects S(w) = B dk/dw / k³ peaks where (k²)^(-5/4) exp(-5/4 (kp/k)²) does, at kp;
    # they move it by little.
    shape = Elfouhaily().shape(12.0, 1e9)
    w = np.linspace(0.5, 1.5, 10_001) * shape.peak_frequency
    assert w[shape.frequency_density(w, math.inf, "deep").argmax()] == pytest.approx(shape.peak_frequency, rel=0.05)
    assert shape.peak_frequency == pytest.approx(GRAVITY * 0.84 / 12.0)


@given(st.floats(2, 30), st.floats(1e-4, 1e-2))
def test_phillips_height_agrees_with_its_closed_form(speed, amplitude):
    # The integral of k^-3 exp(-(kL)^-2) is L² / 2.
    expected = 4 * math.sqrt(math.pi * amplitude / 2) * speed**2 / GRAVITY
    shape = Phillips(amplitude=amplitude, cutoff=0.0).shape(speed, 1e5)
    assert 4 * math.sqrt(moment(shape, 0)) == pytest.approx(expected, rel=1e-5)
    w = np.linspace(0.5, 1.5, 10_001) * shape.peak_frequency
    assert w[shape.frequency_density(w, math.inf, "deep").argmax()] == pytest.approx(shape.peak_frequency, rel=2e-4)


def test_phillips_with_its_own_spread_equals_tessendorfs_formula():
    speed, kx, kz = 12.0, np.array([0.05, 0.3, -0.1]), np.array([-0.02, 0.4, 0.2])
    model = Phillips(amplitude=2e-3, cutoff=0.3)
    sea = wind_sea(speed, 90.0, 1e5, 100.0, model, CosSquared(), "deep")
    k, length = np.hypot(kx, kz), speed**2 / GRAVITY
    tessendorf = 2e-3 * np.exp(-1 / (k * length) ** 2) / k**4 * (kx / k) ** 2 * np.exp(-((k * 0.3) ** 2))
    assert sea.wave_vector_density(kx, kz) == pytest.approx(np.where(kx > 0, 2, 0) * tessendorf, rel=1e-12)


def test_elfouhaily_with_its_own_spread_equals_the_formula_of_the_paper():
    """At this wind, measured slopes do not damp the spectrum's tail."""
    speed, kx, kz = 20.0, np.array([0.12, 3.0, 250.0, -0.2]), np.array([0.05, -4.0, 300.0, 0.1])
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
def test_depth_changes_both_kinds_of_spectrum_alike(model, speed, depth, octaves):
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
