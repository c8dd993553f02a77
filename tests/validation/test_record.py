"""The record of a wave gauge: waves between zero crossings, over ten minutes."""

import math

import pytest

from ocean.settings import load_settings
from ocean.validation.record import LENGTH, WaveRecord, largest_waves
from ocean.validation.survey import survey_of


def test_waves_end_at_upward_crossings():
    record = WaveRecord()
    for i in range(1, 1001):
        t = 0.05 * i
        record.add(t, (2 + (20 < t < 24)) * math.sin(2 * math.pi * t / 4) + 0.5)
        record.add(t, 99.0)  # a paused sea
    assert len(record.waves) == 11
    assert record.duration == pytest.approx(49.95)
    top = max(record.waves, key=lambda wave: wave.crest)
    assert (top.crest, top.height) == pytest.approx((3.5, 6.0), abs=0.1)
    assert sorted(wave.height for wave in record.waves)[-2] == pytest.approx(5.0, abs=1.1)


def test_a_gap_or_a_step_back_in_time_starts_a_new_record():
    record = WaveRecord()
    for shift in (0.0, 100.0, -50.0):
        for i in range(200):
            record.add(shift + 0.1 * i, math.sin(i / 5))
        assert record.duration == pytest.approx(19.9)
        assert len(record.waves) == 5


def test_the_record_holds_ten_minutes_and_expects_its_largest_wave():
    record = WaveRecord()
    survey = survey_of(load_settings(overrides=["fft.size=32", "cascades.count=1"]))
    assert largest_waves(record, survey) == []
    hs = survey.quantities[0].expected
    for i in range(8000):
        high = 4.0 if i < 100 else 0.5
        record.add(0.1 * i, high * hs * math.sin(0.1 * i))
    assert record.duration == LENGTH
    wave, crest = largest_waves(record, survey)
    assert (wave.measured / hs, crest.measured / hs) == pytest.approx((1.0, 0.5), rel=0.01)
    # The highest of 95 waves has slightly more than sqrt(2 ln 95) / 4; second order raises crests.
    assert 1.5 < wave.expected / hs < 1.7
    assert crest.integral < crest.expected < 1.2 * crest.integral
