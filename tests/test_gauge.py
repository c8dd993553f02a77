"""The sea that the GPU draws, measured by the gauge and held against its spectrum: every row of what a sea must show.

Seeds are fixed and tolerances are three deviations of one draw, which tests/waves/test_truth.py holds to be right.
"""

import numpy as np
import pytest

from ocean import resources
from ocean.gauge import WaveGauge, measure
from ocean.gpu.fences import Fence
from ocean.gpu.passes import run_passes
from ocean.settings import load_settings, with_values
from ocean.simulation import Sea
from ocean.ui.panel import scenes
from ocean.waves import statistics
from ocean.waves.moments import field_moments
from ocean.waves.truth import FOAM

BUOY = "sea.wind.spectrum={kind = 'file', path = 'assets/example-buoy.data_spec'}"
SPECTRA = {
    "jonswap": ("sea.wind.speed=9",),
    "pierson-moskowitz": ("sea.wind.spectrum=pierson-moskowitz", "sea.wind.spreading=mitsuyasu", "sea.wind.speed=9"),
    "tma": ("sea.wind.spectrum=tma", "sea.wind.spreading=donelan-banner", "sea.depth=12"),
    "elfouhaily": ("sea.wind.spectrum=elfouhaily", "sea.wind.spreading=elfouhaily", "sea.dispersion=capillary-gravity"),
    "phillips": ("sea.wind.spectrum=phillips", "sea.wind.spreading=cos-squared", "sea.dispersion=deep"),
    "buoy": (BUOY, "sea.wind.spreading=cos-2s"),
    "two systems": ("sea.swell.height=1.5", "sea.swell.direction=160", "sea.wind.speed=8"),
}
PRESETS = scenes({name: resources.config(name) for name in resources.presets()})
STEP = 0.25
SIGMAS = 3.0


@pytest.fixture(params=SPECTRA)
def sea(request, make_sea):
    """A sea of each spectrum, at a size without gaps."""
    return make_sea("fft.size=128", "sea.seed=4", *SPECTRA[request.param])


def test_every_quantity_is_as_the_spectrum_says(ctx, sea):
    """Hs, Tp, Tm02, direction, slopes along and across the wind, J, skewness and kurtosis, from the maps."""
    found = measure(ctx, sea, 20.0, STEP)
    assert len(found.quantities) == 10
    for row in found.quantities:
        if row.name != FOAM:
            assert row.miss is not None, row.name
            assert row.miss < SIGMAS, row


def test_the_grid_carries_the_spectrum(sea):
    """Hs of the grid against the integral, but for waves shorter than its texels: 0.5 % with eight peaks a tile."""
    systems = sea.settings.sea.systems
    variance = sum(float(cascade.variance.sum(dtype=float)) for cascade in sea.spectrum.cascades)
    shown = statistics.variance_between(systems, 0.0, sea.tiles[-1].cutoff(128))
    assert np.sqrt(variance / shown) == pytest.approx(1.0, abs=0.005)
    assert shown > 0.98 * (statistics.predicted_height(systems) / 4) ** 2


def test_waves_move_at_their_phase_speed(ctx, sea):
    """Each strong wave of every cascade between three frames: what a moment before and after add up to is 2 cos(w dt)
    of what is now, whichever way the wave runs, so w follows. Against dispersion, not against the clock's steps."""
    dt = 0.125
    spectra = []
    for time in (60.0 - dt, 60.0, 60.0 + dt):
        sea.update(time)
        spectra.append(np.fft.fft2(sea.fields()["height"].astype("f8")))
    before, now, after = spectra
    settings = sea.settings.sea
    for index, cascade in enumerate(sea.spectrum.cascades):
        tile = cascade.key.tile
        n = np.fft.fftfreq(128, 1 / 128)
        w = twin_frequency(tile.dk * np.hypot(n, n[:, None]), settings)
        paired = statistics.paired(cascade.variance.astype("f8"))
        strong = (paired > 1e-3 * paired.max()) & (w * dt > 0.02) & (w * dt < 3.0)
        if not strong.any():
            continue
        cosine = np.real((before[index] + after[index]) * np.conj(now[index]))[strong] / (
            2 * np.abs(now[index][strong]) ** 2
        )
        measured = np.arccos(np.clip(cosine, -1, 1)) / dt
        assert np.median(np.abs(measured / w[strong] - 1)) < 1e-3, index
        # A wave that happens to cross zero in the middle frame says little: 1 % for nearly all.
        assert np.mean(np.abs(measured / w[strong] - 1) < 0.01) > 0.98, index


def twin_frequency(k, sea):
    from ocean.waves.dispersion import angular_frequency

    return angular_frequency(k, sea.depth, sea.dispersion)


# -- The gauge itself --------------------------------------------------------------------------------------------------


@pytest.fixture
def gauge(ctx, make_sea):
    gauge = WaveGauge(ctx, make_sea("fft.size=90", "fft.backend=stockham-global", "sea.wind.speed=12"), refresh=0.0)
    yield gauge
    gauge.release()


def run(gauge, time, frames, step=0.0):
    for i in range(frames):
        frame = gauge.sea.begin(time + i * step)
        run_passes(gauge.ctx, (*gauge.sea.passes, *gauge.passes), frame)
        gauge.ctx.finish()
        gauge.collect()


def test_reductions_agree_with_their_twin(gauge):
    """The same texels and the same random points, in float32 by groups against float64 in one go. A sum of n float32
    numbers of one sign errs by less than n 2^-24 of itself; an invocation adds 1 or 2, then 8 stages of pairs."""
    run(gauge, 7.0, 6)
    found, expected = gauge._found, field_moments(gauge.sea.fields(), gauge._turn)
    magnitude = {"height": expected.height[:, [1, 1, 3, 3]] ** [0.5, 1, 0.75, 1], "slope": expected.slope[:, [0, 1, 0]]}
    assert np.all(np.abs(found.height - expected.height) < 4e-6 * magnitude["height"])
    assert np.all(np.abs(found.slope - expected.slope) < 4e-6 * magnitude["slope"])
    np.testing.assert_allclose(found.fold, expected.fold, atol=4e-6 * expected.fold[1] ** 0.5)
    assert gauge._time == 7.0


def test_foam_is_the_mean_of_the_outermost_level(gauge):
    sea = gauge.sea
    sea.apply(with_values(sea.settings, {"foam.decay": 0.5}))
    run(gauge, 0.0, 40, 0.1)
    run(gauge, 39 * 0.1, 8)  # the map stands still
    size = sea.settings.foam.resolution
    foam = np.frombuffer(sea.foam.texture.read(), "f4").reshape(-1, size, size)
    assert foam[-1].any()
    assert gauge._squares.mean() == pytest.approx(foam[-1].mean(dtype="f8"), rel=1e-5)
    assert sea.foam.age == pytest.approx(3.9)


def test_foam_that_is_young_or_fed_anew_is_not_judged(gauge):
    sea = gauge.sea
    sea.apply(with_values(sea.settings, {"foam.decay": 0.5}))
    run(gauge, 0.0, 20, 0.1)
    assert gauge._squares is None
    run(gauge, 2.0, 30, 0.1)
    assert gauge._squares is not None
    sea.apply(with_values(sea.settings, {"foam.amount": 2.0}))
    run(gauge, 5.0, 8, 0.1)
    assert gauge._squares is None


def until_complete(gauge, time):
    for _ in range(100):
        run(gauge, time, 1)
        gauge.wait()
        time += 0.1
        if gauge.survey is not None and gauge.survey.is_complete:
            return time
    raise AssertionError("no survey")


def test_a_sea_that_changes_is_measured_anew(gauge):
    time = until_complete(gauge, 0.0)
    before = gauge.survey.quantities[0]
    sea = gauge.sea
    sea.apply(with_values(sea.settings, {"sea.wind.speed": 18.0}), blend=1.0)
    run(gauge, time, 1)
    assert sea.spectrum is None
    assert gauge.survey is None
    sea.apply(with_values(sea.settings, {"fft.size": 64, "fft.backend": "stockham-shared"}))
    until_complete(gauge, time + 2.0)
    after = gauge.survey.quantities[0]
    assert after.measured > 1.5 * before.measured
    assert after.agrees


def test_a_frame_never_waits_for_an_answer(gauge, monkeypatch):
    """Where no fence ever passes, frames go on, and nothing is read."""
    monkeypatch.setattr(Fence, "passed", property(lambda fence: False))
    monkeypatch.setattr(Fence, "wait", lambda fence: pytest.fail("a frame waited"))
    run(gauge, 0.0, 40, 0.1)
    assert gauge.survey is None
    assert gauge._found is None
    assert len(gauge._answers) <= 12  # and questions do not pile up
    monkeypatch.undo()
    gauge.wait()
    run(gauge, 4.0, 8, 0.1)
    gauge.wait()
    assert gauge._found is not None


def test_a_paused_sea_has_heights_but_no_directions(gauge):
    for _ in range(12):
        run(gauge, 3.0, 1)
        gauge.wait()
    rows = {row.name: row.measured for row in gauge.survey.quantities}
    assert rows["significant wave height"] is not None
    assert rows["mean direction"] is None


def test_flat_water_agrees_with_everything(ctx, make_sea):
    found = measure(ctx, make_sea("sea.wind.speed=0"), 0.0, STEP)
    assert found.agrees
    assert found.portrait is None


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_green(ctx, preset):
    sea = Sea(ctx, load_settings(PRESETS[preset], overrides=["fft.size=128", "foam.resolution=64"]))
    found = measure(ctx, sea, 0.0, STEP)
    sea.release()
    assert found.agrees, [row for row in found.quantities if row.agrees is False]
    measured = [row.name for row in found.quantities if row.measured is not None]
    assert len(measured) == 9


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_green_with_their_foam(ctx, preset):
    sea = Sea(ctx, load_settings(PRESETS[preset], overrides=["fft.size=256", "foam.resolution=256"]))
    time = 0.0
    while sea.foam.age <= 5 * sea.settings.foam.decay:
        time += 0.05
        sea.update(time)
    found = measure(ctx, sea, time, 0.05)
    sea.release()
    assert found.quantities[-1].name == FOAM
    assert found.quantities[-1].measured is not None
    assert found.agrees, [row for row in found.quantities if row.agrees is False]
