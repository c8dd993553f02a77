"""The gauge: its sums against numpy, the times of its queries, and that no frame waits for them.
tests/validation/test_sea_predictions.py compares its results with spectra."""

import numpy as np
import pytest

from ocean.gpu.context import Fence
from ocean.gpu.passes import run_passes
from ocean.settings import with_values
from ocean.validation.gauge import REFRESH, RING, WaveGauge, measure
from ocean.validation.periodogram import SAMPLES, field_moments
from ocean.validation.quantities import Predictions

from ..objects import gl_objects


@pytest.fixture
def gauge(ctx, releasing, make_sea):
    sea = make_sea("fft.size=30", "fft.backend=stockham-global", "sea.wind.speed=12")
    return releasing(WaveGauge(ctx, sea, refresh=0.0))


def run(gauge, time, frames, step=0.0):
    for i in range(frames):
        gauge.sea.begin(time + i * step)
        run_passes(gauge.ctx, (*gauge.sea.passes, *gauge.passes))
        gauge.ctx.finish()
        gauge.collect()


def test_reductions_agree_with_numpy(gauge):
    """The shader sums in float32 by groups, numpy in float64 at once, over equal texels and random points. A float32
    sum of n numbers of one sign has a relative error of at most n 2^-24; an invocation adds one or two numbers, then
    follow 8 stages of pairs."""
    gauge.sea.apply(with_values(gauge.sea.settings, {"fft.size": 90}))
    run(gauge, 7.0, 6)
    spectrum, predictions = gauge.sea.spectrum, Predictions(gauge.sea.spectrum)
    extra = spectrum.lifts, gauge.sea.settings.sea.choppiness, predictions.level
    found, expected = gauge.moments, field_moments(gauge.sea.fields(), gauge.turns, *extra)
    magnitude = {"height": expected.height[:, [1, 1, 3, 3]] ** [0.5, 1, 0.75, 1], "slope": expected.slope[:, [0, 1, 0]]}
    assert np.all(np.abs(found.height - expected.height) < 4e-6 * magnitude["height"])
    assert np.all(np.abs(found.slope - expected.slope) < 4e-6 * magnitude["slope"])
    np.testing.assert_allclose(found.fold, expected.fold, atol=4e-6 * expected.fold[1] ** 0.5)
    powers = expected.surface[2] ** np.array([0, 0.5, 1, 1.5, 2])
    assert np.all(np.abs(found.surface[:5] - expected.surface[:5]) < 1e-5 * powers)
    assert found.surface[5] == pytest.approx(expected.surface[5], abs=2 / SAMPLES)  # texels of the level
    assert gauge.time == 7.0


def test_foam_is_the_mean_of_the_level_that_judges_breaking(gauge):
    sea = gauge.sea
    sea.apply(with_values(sea.settings, {"foam.decay": 0.5}))
    for i in range(40):
        sea.update(i * 0.1)
    run(gauge, 39 * 0.1, 8)  # the map does not move
    foam = sea.foam.read()[sea.foam.judged, ..., 0]
    assert foam.any()
    assert gauge.foam_squares.mean() == pytest.approx(foam.mean(dtype="f8"), rel=1e-5)
    assert sea.foam.age == pytest.approx(3.9, rel=0.01)  # drift lets new texels in


def test_foam_is_not_judged_soon_after_a_start_or_a_change(gauge):
    sea = gauge.sea
    sea.apply(with_values(sea.settings, {"foam.decay": 0.5}))
    run(gauge, 0.0, 8, 0.1)
    assert gauge.foam_squares is None
    for i in range(8, 45):
        sea.update(i * 0.1)
    run(gauge, 4.5, 8, 0.1)
    assert gauge.foam_squares is not None
    sea.apply(with_values(sea.settings, {"foam.amount": 2.0}))
    run(gauge, 5.3, 8, 0.1)
    assert gauge.foam_squares is None


def test_foam_that_has_just_come_into_view_is_not_judged(gauge):
    """After a jump no part of the map is old. During a flight, the map is as old as the time to fly over it."""
    sea = gauge.sea
    sea.apply(with_values(sea.settings, {"foam.decay": 0.5}))
    sea.begin(0.0, (0.0, 0.0))
    width = sea.foam.side * 2**sea.foam.judged
    for i in range(1, 100):
        sea.begin(i * 0.1, (0.0, 0.0))
    assert sea.foam.age == pytest.approx(9.9, rel=0.03)
    for i in range(100, 200):
        sea.begin(i * 0.1, (0.02 * (i - 99) * width, 0.0))
    assert sea.foam.age == pytest.approx(0.1 * 0.98 / 0.02, rel=0.15)  # a level moves by whole texels
    sea.begin(20.0, (0.0, 0.0))
    assert sea.foam.age == 0.0


def until_complete(gauge, time):
    for _ in range(100):
        run(gauge, time, 1)
        gauge.wait()
        time += 0.1
        if gauge.survey is not None and gauge.survey.is_complete:
            return time
    raise AssertionError("no survey")


def test_a_change_of_the_sea_restarts_its_measurement(gauge):
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
    """Frames go on without results if no fence ever passes."""
    monkeypatch.setattr(Fence, "passed", property(lambda fence: False))
    monkeypatch.setattr(Fence, "wait", lambda fence: pytest.fail("a frame waited"))
    buffers = gl_objects(gauge.ctx)["Buffer"]
    run(gauge, 0.0, 20, 0.1)
    assert gauge.survey is None
    assert gauge.moments is None
    assert gl_objects(gauge.ctx)["Buffer"] - buffers <= RING + 3  # sums, heights, and a pair of fields
    monkeypatch.undo()
    gauge.wait()
    run(gauge, 4.0, 8, 0.1)
    gauge.wait()
    assert gauge.moments is not None


def test_the_gauge_measures_twice_a_second_at_any_frame_rate(ctx, releasing, make_sea):
    """The gauge queries all sums in one frame, and again half a second later."""
    now = 0.0
    gauge = releasing(WaveGauge(ctx, make_sea("fft.size=64"), clock=lambda: now))
    turns = []
    for i in range(61):  # one second
        now = i / 60
        run(gauge, now, 1)
        turns.append(gauge.turns)
    assert turns[0] == 1
    assert set(np.diff(turns)) == {0, 1}
    assert turns[-1] == 1 + 1 / REFRESH


def test_a_paused_sea_has_heights_but_no_directions(gauge):
    for _ in range(12):
        run(gauge, 3.0, 1)
        gauge.wait()
    rows = {row.name: row.measured for row in gauge.survey.quantities}
    assert rows["significant wave height"] is not None
    assert rows["mean direction"] is None


def test_foam_that_is_old_is_measured_however_long_steps_are(ctx, make_sea):
    sea = make_sea("foam.decay=0.5", "sea.wind.speed=15")
    for i in range(8):
        sea.update(0.4 * i)
    assert measure(ctx, sea, 2.8, 0.4).quantities[-1].measured is not None


def test_flat_water_agrees_with_every_prediction(ctx, make_sea):
    found = measure(ctx, make_sea("sea.wind.speed=0"), 0.0, 0.25)
    assert found.agrees
    assert found.plot is None
