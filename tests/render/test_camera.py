"""The matrices of a view."""

import numpy as np
from hypothesis import given

from ocean.render import camera
from ocean.settings import ViewSettings

from ..views import views


def project(view, point):
    matrix = camera.view_matrix(view) @ camera.projection_matrix(view, 16 / 9, 1e5)
    clip = np.append(point, 1.0) @ matrix
    return clip[:3] / clip[3]


def test_headings_are_clockwise_from_north():
    for heading, expected in [(0, (0, 0, -1)), (90, (1, 0, 0)), (180, (0, 0, 1)), (270, (-1, 0, 0))]:
        np.testing.assert_allclose(camera.direction(ViewSettings(heading=heading, pitch=0)), expected, atol=1e-12)


@given(views)
def test_the_middle_of_the_view_lies_ahead_and_its_top_up(view):
    ahead = np.array([0.0, view.altitude, 0.0]) + 10 * np.asarray(camera.direction(view))
    np.testing.assert_allclose(project(view, ahead)[:2], 0, atol=1e-9)
    assert project(view, np.add(ahead, (0, 0.1, 0)))[1] > 0
    right = np.radians(view.heading + 90)
    assert project(view, ahead + 0.1 * np.array([np.sin(right), 0, -np.cos(right)]))[0] > 0
