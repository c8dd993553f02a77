"""The camera's moves, as pure functions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.render import camera
from ocean.settings import ViewSettings

views = st.builds(
    ViewSettings,
    heading=st.floats(0, 360),
    pitch=st.floats(-80, 80),
    altitude=st.floats(20, 1000),
    distance=st.floats(2, 10),
    x=st.floats(-1e4, 1e4),
    z=st.floats(-1e4, 1e4),
)


def project(view, point):
    matrix = camera.view_matrix(view) @ camera.projection_matrix(view, 16 / 9, 1e5)
    clip = np.append(point, 1.0) @ matrix
    return clip[:3] / clip[3]


def test_headings_are_clockwise_from_north():
    for heading, expected in [(0, (0, 0, -1)), (90, (1, 0, 0)), (180, (0, 0, 1)), (270, (-1, 0, 0))]:
        np.testing.assert_allclose(camera.direction(ViewSettings(heading=heading, pitch=0)), expected, atol=1e-12)


@given(views)
def test_what_lies_ahead_is_in_the_middle_and_up_is_up(view):
    ahead = np.array([0.0, view.altitude, 0.0]) + 10 * np.asarray(camera.direction(view))
    np.testing.assert_allclose(project(view, ahead)[:2], 0, atol=1e-9)
    assert project(view, np.add(ahead, (0, 0.1, 0)))[1] > 0
    right = np.radians(view.heading + 90)
    assert project(view, ahead + 0.1 * np.array([np.sin(right), 0, -np.cos(right)]))[0] > 0


@given(views, st.floats(-90, 90), st.floats(-20, 20))
def test_an_orbit_keeps_its_centre(view, right, up):
    def centre(v):
        return np.array([v.x, v.altitude, v.z]) + v.distance * np.asarray(camera.direction(v))

    np.testing.assert_allclose(centre(camera.orbit(view, right, up)), centre(view), atol=1e-6)


@given(views, st.floats(0.2, 5))
def test_zoom_keeps_the_centre(view, factor):
    zoomed = camera.zoom(view.model_copy(update={"pitch": 0.0}), factor)
    assert 2 <= zoomed.distance <= 5000
    assert zoomed.altitude == pytest.approx(view.altitude)


@given(views, st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_no_move_leaves_the_ranges(view, forward, right, up):
    moved = camera.move(view, forward, right, up)
    assert ViewSettings.model_validate(moved.model_dump()) == moved
    assert moved.altitude >= camera.LOWEST


@given(views, st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))
def test_looking_around_stays_within_the_ranges(view, right, up):
    turned = camera.look(view, right, up)
    assert ViewSettings.model_validate(turned.model_dump()) == turned
