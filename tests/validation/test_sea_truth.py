"""The sea drawn by the GPU agrees with its spectrum: every quantity, for every spectrum.

Maps and sums over them come from the GPU. Seeds are fixed. Tolerances are three standard deviations of draws, which
`test_quantities.py` checks. One draw with 8 peak wavelengths in a tile has a large scatter of height, so errors are
averaged over n draws: their mean has a deviation of 1 / sqrt(n).
"""

import numpy as np
import pytest

from ocean.common import resources
from ocean.sea.sea import Sea
from ocean.settings import load_settings
from ocean.validation.gauge import measure
from ocean.validation.quantities import FOAM
from ocean.waves.dispersion import angular_frequency
from ocean.waves.spectra import Spectrum
from ocean.waves.spreading import Spreading
from ocean.waves.whitecaps import foam_memory
from ocean.window.ui.files import scenes

from ..fft.samples import few
from ..seas import kinds, paired

BUOY = "sea.wind.spectrum={kind = 'file', path = 'assets/example-buoy.data_spec'}"
SEAS = {
    **{kind: (f"sea.wind.spectrum={kind}",) for kind in kinds(Spectrum)},
    "jonswap": ("sea.wind.speed=9",),
    "pierson-moskowitz": ("sea.wind.spectrum=pierson-moskowitz", "sea.wind.spreading=mitsuyasu", "sea.wind.speed=9"),
    "tma": ("sea.wind.spectrum=tma", "sea.wind.spreading=donelan-banner", "sea.depth=12"),
    "elfouhaily": ("sea.wind.spectrum=elfouhaily", "sea.wind.spreading=elfouhaily", "sea.dispersion=capillary-gravity"),
    "phillips": ("sea.wind.spectrum=phillips", "sea.wind.spreading=cos-squared", "sea.dispersion=deep"),
    "file": (BUOY, "sea.wind.spreading=cos-2s"),
    "two systems": ("sea.swell.height=1.5", "sea.swell.direction=160", "sea.wind.speed=8"),
}
"""Every spectrum and every spreading, at a size without gaps. New spectra are added with their defaults."""

QUANTITIES = (
    *("significant wave height", "peak period", "mean period", "mean direction", "slope variance along wind"),
    *("slope variance across wind", "deviation of the Jacobian", "skewness of the height", "kurtosis of the height"),
    *("mean level", "surface above Hs/2"),
)
PRESETS = scenes({name: resources.config(name) for name in resources.presets()})
STEP = 0.25
SIGMAS = 3.0
DRAWS, MANY = 3, 24


@pytest.fixture(params=few(SEAS))
def overrides(request):
    return ("fft.size=128", *SEAS[request.param])


def errors(ctx, overrides, seeds):
    """Measure draws with the gauge. Return the names (QUANTITIES and peaks of systems), and errors (draw, name) in
    standard deviations."""
    found, names = [], QUANTITIES
    for seed in seeds:
        sea = Sea(ctx, load_settings(overrides=[*overrides, "foam.resolution=64", f"sea.seed={seed}"]))
        rows = {row.name: row.error for row in measure(ctx, sea, 20.0, STEP).quantities if row.name != FOAM}
        sea.release()
        names = tuple(rows)
        assert tuple(name for name in names if not name.startswith("peak period of")) == QUANTITIES
        found.append(list(rows.values()))
    return names, np.array(found, dtype=float)  # None would become nan, which exceeds any tolerance


def test_every_model_is_tested():
    settings = [load_settings(overrides=list(each)).sea for each in SEAS.values()]
    assert {sea.wind.spectrum.kind for sea in settings} == set(kinds(Spectrum))
    assert {sea.wind.spreading.kind for sea in settings} == set(kinds(Spreading))


def test_every_quantity_agrees_with_the_spectrum(ctx, overrides):
    """The quantities are Hs, Tp, Tm02, direction, slopes along and across the wind, J, skewness, kurtosis, mean level
    and high water."""
    names, found = errors(ctx, overrides, range(DRAWS))
    mean = found.mean(axis=0) * np.sqrt(DRAWS)
    assert np.all(np.abs(mean) < SIGMAS), dict(zip(names, mean, strict=True))
    assert np.all(np.abs(found) < SIGMAS + 1), dict(zip(names, found.T, strict=True))


@pytest.mark.slow
def test_measurements_have_no_bias(ctx, overrides):
    """Hs agrees to 2.3 %: three deviations of the mean of 24 draws at 3.8 % each. The mean of n squares of Gaussian
    errors has a deviation of sqrt(2 / n); Tp and kurtosis have longer tails, so that five deviations are allowed."""
    names, found = errors(ctx, overrides, range(100, 100 + MANY))
    mean = found.mean(axis=0) * np.sqrt(MANY)
    assert np.all(np.abs(mean) < SIGMAS), dict(zip(names, mean, strict=True))
    square = (np.mean(found**2, axis=0) - 1) / np.sqrt(2 / MANY)
    assert np.all(np.abs(square) < 5), dict(zip(names, square, strict=True))


def test_waves_move_at_their_phase_speed(make_sea, overrides):
    """The frames shortly before and after add up to 2 cos(w dt) times the frame between them, for each strong wave of
    every cascade, in either direction. The resulting w agrees with the dispersion relation; the test does not use the
    clock's steps."""
    dt, sea = 0.125, make_sea(*overrides)
    spectra = []
    for time in (60.0 - dt, 60.0, 60.0 + dt):
        sea.update(time)
        spectra.append(np.fft.fft2(sea.fields()["height"].astype("f8")))
    before, now, after = spectra
    settings = sea.settings.sea
    for index, cascade in enumerate(sea.spectrum.cascades):
        tile = cascade.key.tile
        n = np.fft.fftfreq(128, 1 / 128)
        w = angular_frequency(tile.dk * np.hypot(n, n[:, None]), settings.depth, settings.dispersion)
        pairs = paired(cascade.variance.astype("f8"))
        strong = (pairs > 1e-3 * pairs.max()) & (w * dt > 0.02) & (w * dt < 3.0)
        if not strong.any():
            continue
        cosine = np.real((before[index] + after[index]) * np.conj(now[index]))[strong] / (
            2 * np.abs(now[index][strong]) ** 2
        )
        measured = np.arccos(np.clip(cosine, -1, 1)) / dt
        assert np.median(np.abs(measured / w[strong] - 1)) < 1e-3, index
        # A wave near zero in the middle frame has a large error: nearly all waves agree to 1 %.
        assert np.mean(np.abs(measured / w[strong] - 1) < 0.01) > 0.98, index


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_agree_with_their_spectra(ctx, releasing, preset):
    sea = releasing(Sea(ctx, load_settings(PRESETS[preset], overrides=["fft.size=128", "foam.resolution=64"])))
    found = measure(ctx, sea, 0.0, STEP)
    assert found.agrees, [row for row in found.quantities if row.agrees is False]
    assert {row.name for row in found.quantities if row.measured is None} <= {"foam coverage"}
    systems = len(sea.settings.sea.systems)
    assert sum("peak period of" in row.name for row in found.quantities) == (systems if systems > 1 else 0)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_presets_with_foam_agree_with_their_spectra(ctx, releasing, preset):
    sea = releasing(Sea(ctx, load_settings(PRESETS[preset], overrides=["fft.size=256"])))
    time = 0.0
    while sea.foam.age <= foam_memory(sea.settings.foam.decay):
        time += 0.05
        sea.update(time)
    found = measure(ctx, sea, time, 0.05)
    assert found.quantities[-1].name == FOAM
    assert found.quantities[-1].measured is not None
    assert found.agrees, [row for row in found.quantities if row.agrees is False]
