"""Bookmarks and flights, without a window."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from ocean.settings import ViewSettings
from ocean.window.camera import PLACE, SPACING, TRANSITION, Bookmark, CameraPath, Flight
from tests.messages import unnamed

NOW = ViewSettings(edge_pixels=7.0, samples=8)
headings = st.floats(0, 360, exclude_max=True)


def view(x, heading=0.0):
    return NOW.model_copy(update={"x": x, "heading": heading})


@given(headings, headings, st.floats(0, 1))
def test_a_heading_goes_the_shorter_way_around(first, second, share):
    flight = Flight(times=(0.0, 2.0), views=(view(0.0, first), view(10.0, second)))
    found = flight.at(2 * share, NOW)
    assert found.x == pytest.approx(10 * share)
    turn = abs((found.heading - first + 180) % 360 - 180)
    whole = abs((second - first + 180) % 360 - 180)
    assert turn == pytest.approx(share * whole, abs=1e-6)


def test_a_flight_leads_only_the_camera_and_stops_at_its_ends():
    flight = Flight(times=(0.0, 1.0), views=(view(1.0), view(5.0)))
    assert [flight.at(time, NOW).x for time in (-1, 0, 0.5, 1, 9)] == [1, 1, 3, 5, 5]
    other = NOW.model_copy(update={"edge_pixels": 3.0})
    assert flight.at(0.5, other).edge_pixels == 3.0


def test_a_recording_is_flown_again():
    path = CameraPath()
    path.record()
    for step in range(41):
        path.step(view(float(step)), SPACING)
    path.record()
    assert path.flight.duration == pytest.approx(40 * SPACING)
    path.replay()
    flown = [path.step(NOW, 2 * SPACING) for _ in range(21)]
    assert [v.x for v in flown] == pytest.approx(list(range(0, 41, 2)))
    assert unnamed(path.status, f"flying {40 * SPACING:.1f} s") == []
    assert path.step(NOW, SPACING).x == 40
    assert path.step(NOW, SPACING) is NOW
    assert path.status == ""


def test_points_that_are_too_near_are_left_out_and_a_bookmark_ends_all():
    path = CameraPath()
    path.record()
    for _ in range(10):
        path.step(NOW, SPACING / 4)
    assert len(path.flight.times) == 3
    now = NOW.model_copy(update={"edge_pixels": 2.0})
    path.go(view(3.0), now)
    way = [now := path.step(now, TRANSITION / 30) for _ in range(31)]
    assert (now.x, now.edge_pixels) == (3.0, 2.0)
    steps = np.diff([0.0, *(one.x for one in way)])
    assert steps.min() >= 0
    assert max(steps[0], steps[29]) < 0.2 * steps.max()  # the flight starts and ends slowly
    assert path.step(now, 1.0) is now
    assert not path.is_recording
    assert set(PLACE) < set(ViewSettings.model_fields)


@pytest.mark.parametrize("times", [(0.0,), (0.0, 0.0), (1.0, 0.5)])
def test_a_flight_whose_times_do_not_rise_is_refused(times):
    with pytest.raises(ValidationError):
        Flight(times=times, views=(NOW, NOW))


def test_a_bookmark_of_an_earlier_version_has_a_view_and_no_time():
    assert Bookmark.model_validate(NOW.model_dump()) == Bookmark(view=NOW)
    there = Bookmark(view=NOW, time=12.5)
    assert Bookmark.model_validate_json(there.model_dump_json()) == there


@pytest.mark.parametrize("time", [math.inf, math.nan])
def test_times_are_finite(time):
    with pytest.raises(ValueError, match="finite"):
        Bookmark(view=NOW, time=time)
    with pytest.raises(ValueError, match="finite"):
        Flight(times=(time,), views=(NOW,))
