"""The camera's moves, as pure functions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.render import camera
from ocean.settings import ViewSettings
from ocean.window.ui import flight

from ...views import views


@given(views, st.floats(-90, 90), st.floats(-20, 20))
def test_an_orbit_keeps_its_centre(view, right, up):
    def centre(v):
        return np.array([v.x, v.altitude, v.z]) + v.distance * np.asarray(camera.direction(v))

    np.testing.assert_allclose(centre(flight.orbit(view, right, up)), centre(view), atol=1e-6)


@given(views, st.floats(0.2, 5))
def test_zoom_keeps_the_centre(view, factor):
    zoomed = flight.zoom(view.model_copy(update={"pitch": 0.0}), factor)
    assert 2 <= zoomed.distance <= 5000
    assert zoomed.altitude == pytest.approx(view.altitude)


@given(views, st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_no_move_leaves_the_ranges(view, forward, right, up):
    moved = flight.move(view, forward, right, up)
    assert ViewSettings.model_validate(moved.model_dump()) == moved
    assert moved.altitude >= camera.LOWEST


@given(views, st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))
def test_looking_around_stays_within_the_ranges(view, right, up):
    turned = flight.look(view, right, up)
    assert ViewSettings.model_validate(turned.model_dump()) == turned


def test_a_camera_dives_and_comes_up_by_choice_alone():
    above = ViewSettings(altitude=3.0)
    assert flight.move(above, 0, 0, -50).altitude == camera.LOWEST
    assert flight.move(above, 0, 0, -50).dive == 0
    below = above.model_copy(update={"dive": 5.0})
    assert camera.eye_height(below) == -5
    assert flight.move(below, 0, 0, 2).dive == 3
    risen = flight.move(below, 0, 0, 50)
    assert risen.dive == flight.SHALLOWEST
    assert risen.altitude == above.altitude
    assert flight.move(below, 0, 0, -1000).dive == flight.DEEPEST
