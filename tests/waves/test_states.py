"""Beaufort numbers and sea states of the WMO: published tables in both directions, and the remarks on a sea."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.waves import systems
from ocean.waves.spectra import Elfouhaily, Jonswap, PiersonMoskowitz, Tma
from ocean.waves.spreading import Cos2s, Hasselmann
from ocean.waves.statistics import predicted_height, predicted_peak_period
from ocean.waves.systems import shallow_limit, wind_sea

from .spectrum_files import file_spectrum

SPEEDS = [
    *((0, 0.2), (0.3, 1.5), (1.6, 3.3), (3.4, 5.4), (5.5, 7.9), (8.0, 10.7), (10.8, 13.8)),
    *((13.9, 17.1), (17.2, 20.7), (20.8, 24.4), (24.5, 28.4), (28.5, 32.6)),
]
"""Ranges of wind speed [m/s] of Beaufort numbers 0 to 11; 12 is any higher speed (WMO code table 1100)."""

KNOTS = [0, 2, 5, 9, 13, 19, 24, 30, 37, 44, 52, 60]
"""The mean winds in knots that the Met Office lists for them."""

METRES = [(0, 0), (0, 0.1), (0.1, 0.5), (0.5, 1.25), (1.25, 2.5), (2.5, 4), (4, 6), (6, 9), (9, 14), (14, 30)]
"""Ranges of height [m] of sea states 0 to 9 (WMO code table 3700)."""

KNOT = 1852 / 3600  # m/s


@pytest.mark.parametrize("number", range(12))
def test_beaufort_numbers_agree_with_the_published_table(number):
    low, high = SPEEDS[number]
    assert systems.beaufort_number(low) == systems.beaufort_number(high) == number
    assert low <= systems.beaufort_speed(number) <= high
    assert systems.beaufort_speed(number) == pytest.approx(KNOTS[number] * KNOT, abs=KNOT)


def test_the_beaufort_scale_ends_at_0_and_12():
    assert systems.beaufort_speed(0) == systems.beaufort_number(0.0) == 0
    assert systems.beaufort_number(0.29) == 0
    assert systems.beaufort_number(32.6) == 11
    assert systems.beaufort_number(32.7) == systems.beaufort_number(40.0) == 12
    assert systems.beaufort_speed(12) == pytest.approx(34.75)


@pytest.mark.parametrize("number", range(10))
def test_sea_states_agree_with_the_published_table(number):
    """A bound belongs to the lower state, by a note to the table."""
    low, high = METRES[number]
    assert systems.sea_state_number(high) == number
    assert number == 0 or systems.sea_state_number(np.nextafter(low, math.inf)) == number
    assert low <= systems.sea_state_height(number) <= high


def test_the_sea_of_a_number_has_that_number():
    assert [systems.beaufort_number(systems.beaufort_speed(number)) for number in range(13)] == list(range(13))
    assert [systems.sea_state_number(systems.sea_state_height(number)) for number in range(10)] == list(range(10))
    assert len(systems.BEAUFORT) == 13
    assert len(systems.SEA_STATES) == 10


@given(st.floats(0.05, 16))
def test_a_height_implies_wind_and_period_of_a_fully_grown_sea(height):
    speed, period = systems.grown_wind(height), systems.grown_period(height)
    sea = wind_sea(speed, 0.0, 1e6, 5000.0, PiersonMoskowitz(), Cos2s(), "deep")
    assert predicted_height([sea]) == pytest.approx(height, rel=1e-3)
    assert predicted_peak_period([sea]) == pytest.approx(period, rel=1e-3)
    assert period == pytest.approx(5.0 * math.sqrt(height), rel=2e-3)  # DNV-RP-C205


@pytest.mark.parametrize("model", [Jonswap(), Tma(), Elfouhaily()], ids=lambda model: model.kind)
@pytest.mark.parametrize("speed", [3.0, 10.0, 20.0])
def test_fetch_changes_a_sea_until_it_is_fully_developed(model, speed):
    def height(fetch: float) -> float:
        return predicted_height([wind_sea(speed, 0.0, fetch, 5000.0, model, Cos2s())])

    fetches = speed**2 * np.geomspace(10, 1e6, 31)
    grown = [systems.is_fully_developed(model, speed, fetch) for fetch in fetches]
    assert grown == sorted(grown)
    assert grown[-1]
    assert not grown[0]
    first = fetches[grown.index(True)]
    # Height grows about as the square of the peak period, which is within 1 % of its limit.
    assert height(1e3 * first) == pytest.approx(height(first), rel=0.025)
    assert height(fetches[grown.index(True) - 3]) < 0.95 * height(first)


def test_a_sea_without_wind_and_one_from_a_file_do_not_develop():
    assert not systems.is_fully_developed(Jonswap(), 0.0, 1e6)
    assert not systems.is_fully_developed(file_spectrum("example-buoy.data_spec"), 10.0, 1e6)
    assert systems.is_fully_developed(PiersonMoskowitz(), 10.0, 1e3)


@pytest.mark.parametrize(("speed", "depth", "height", "period"), [(15.0, 5.0, 1.10, 4.32), (10.0, 2.0, 0.457, 2.77)])
def test_shallow_water_limits_a_wind_sea(speed, depth, height, period):
    """Values of Young and Verhagen's curves (1996). A given height, deep water and short fetch are not limited."""
    assert shallow_limit(speed, depth) == pytest.approx((height, period), rel=0.02)
    for spectrum in (Jonswap(), PiersonMoskowitz()):
        sea = wind_sea(speed, 0.0, 3e5, depth, spectrum, Hasselmann(), depth_limit=True)
        assert predicted_height([sea]) == pytest.approx(height, rel=0.02)
        assert 2 * math.pi / peak_of(sea) == pytest.approx(period, rel=0.03)
    for fetch, of_depth, own in ((3e5, 200.0, 0.0), (2e3, depth, 0.0), (3e5, depth, 0.8)):
        limited, free = (
            wind_sea(speed, 0.0, fetch, of_depth, Jonswap(), Hasselmann(), height=own, period=6.0, depth_limit=limit)
            for limit in (True, False)
        )
        assert limited == free


def peak_of(sea):
    w = np.geomspace(0.3, 10, 4001)
    return w[sea.density(w).argmax()]
