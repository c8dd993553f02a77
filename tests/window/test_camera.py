"""Moves of the camera by mouse and keys, as pure functions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from ocean.render import camera
from ocean.settings import ViewSettings
from ocean.window import camera as steering
from ocean.window.camera import FASTER, PLACE, SPACING, SPEEDS, TRANSITION, Bookmark, CameraPath, Flight, Steering
from tests.messages import unnamed

from ..views import views


@given(views, st.floats(-90, 90), st.floats(-20, 20))
def test_an_orbit_keeps_its_centre(view, right, up):
    def centre(v):
        return np.array([v.x, v.altitude, v.z]) + v.distance * np.asarray(camera.direction(v))

    np.testing.assert_allclose(centre(steering.orbit(view, right, up)), centre(view), atol=1e-6)


@given(views, st.floats(0.2, 5))
def test_zoom_keeps_the_centre(view, factor):
    zoomed = steering.zoom(view.model_copy(update={"pitch": 0.0}), factor)
    assert 2 <= zoomed.distance <= 5000
    assert zoomed.altitude == pytest.approx(view.altitude)


@given(views, st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_no_move_leaves_the_ranges(view, forward, right, up):
    moved = steering.move(view, forward, right, up)
    assert ViewSettings.model_validate(moved.model_dump()) == moved
    assert moved.altitude >= camera.LOWEST


@given(views, st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))
def test_looking_around_stays_within_the_ranges(view, right, up):
    turned = steering.look(view, right, up)
    assert ViewSettings.model_validate(turned.model_dump()) == turned


def test_a_camera_crosses_the_surface_only_by_choice():
    above = ViewSettings(altitude=3.0)
    assert steering.move(above, 0, 0, -50).altitude == camera.LOWEST
    assert steering.move(above, 0, 0, -50).dive == 0
    below = above.model_copy(update={"dive": 5.0})
    assert camera.eye_height(below) == -5
    assert steering.move(below, 0, 0, 2).dive == 3
    risen = steering.move(below, 0, 0, 50)
    assert risen.dive == steering.SHALLOWEST
    assert risen.altitude == above.altitude
    assert steering.move(below, 0, 0, -1000).dive == steering.DEEPEST


FLY = ViewSettings(heading=90.0, pitch=-10.0, altitude=50.0)
ORBIT = FLY.model_copy(update={"mode": "orbit", "distance": 100.0})


def centre(view):
    """Return the point around which an orbit moves."""
    return np.array([view.x, view.altitude, view.z]) + camera.direction(view) * view.distance


def test_a_drag_looks_around_or_orbits():
    looked = Steering().drag(FLY, 30, -20, 900)
    assert looked.heading > FLY.heading
    assert looked.pitch > FLY.pitch
    assert (looked.x, looked.altitude, looked.z) == (FLY.x, FLY.altitude, FLY.z)
    orbited = Steering().drag(ORBIT, 30, 20, 900)
    np.testing.assert_allclose(centre(orbited), centre(ORBIT), atol=1e-9)
    assert orbited.altitude > ORBIT.altitude


def test_the_wheel_zooms_or_changes_the_speed():
    camera_keys = Steering()
    zoomed = camera_keys.wheel(ORBIT, 2)
    assert zoomed.distance < ORBIT.distance
    np.testing.assert_allclose(centre(zoomed), centre(ORBIT), atol=1e-9)
    assert camera_keys.speed == Steering().speed
    assert camera_keys.wheel(FLY, -1000) == FLY
    assert camera_keys.speed == SPEEDS[0]


@pytest.mark.parametrize(("key", "axis", "sign"), [("W", 0, 1), ("S", 0, -1), ("D", 2, 1), ("A", 2, -1)])
def test_keys_move_along_and_across_the_heading(key, axis, sign):
    level = FLY.model_copy(update={"pitch": 0.0})
    moved = Steering().move(level, {key}, False, 2.0)
    step = np.array([moved.x, moved.altitude, moved.z]) - (level.x, level.altitude, level.z)
    expected = np.zeros(3)
    expected[axis] = sign * 20.0  # east is ahead and south to the right
    np.testing.assert_allclose(step, expected, atol=1e-9)


def test_an_orbiting_camera_keeps_its_height():
    moved = Steering().move(ORBIT, {"W"}, True, 1.0)
    assert moved.altitude == ORBIT.altitude
    assert moved.pitch == ORBIT.pitch
    assert moved.x == pytest.approx(10 * FASTER)


def test_opposite_keys_cancel():
    assert Steering().move(FLY, {"W", "S"}, False, 1.0) == FLY


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
