"""Mouse and keys in the view."""

import numpy as np
import pytest

from ocean.render import camera
from ocean.settings import ViewSettings
from ocean.window.ui.controls import FASTER, SPEEDS, Controls

FLY = ViewSettings(heading=90.0, pitch=-10.0, altitude=50.0)
ORBIT = FLY.model_copy(update={"mode": "orbit", "distance": 100.0})


def centre(view):
    """The point that an orbit goes around."""
    return np.array([view.x, view.altitude, view.z]) + camera.direction(view) * view.distance


def test_a_drag_looks_around_or_orbits():
    looked = Controls().drag(FLY, 30, -20, 900)
    assert looked.heading > FLY.heading
    assert looked.pitch > FLY.pitch
    assert (looked.x, looked.altitude, looked.z) == (FLY.x, FLY.altitude, FLY.z)
    orbited = Controls().drag(ORBIT, 30, 20, 900)
    np.testing.assert_allclose(centre(orbited), centre(ORBIT), atol=1e-9)
    assert orbited.altitude > ORBIT.altitude


def test_the_wheel_zooms_or_changes_the_speed():
    controls = Controls()
    zoomed = controls.wheel(ORBIT, 2)
    assert zoomed.distance < ORBIT.distance
    np.testing.assert_allclose(centre(zoomed), centre(ORBIT), atol=1e-9)
    assert controls.speed == Controls().speed
    assert controls.wheel(FLY, -1000) == FLY
    assert controls.speed == SPEEDS[0]


@pytest.mark.parametrize(("key", "axis", "sign"), [("W", 0, 1), ("S", 0, -1), ("D", 2, 1), ("A", 2, -1)])
def test_keys_move_along_and_across_the_heading(key, axis, sign):
    level = FLY.model_copy(update={"pitch": 0.0})
    moved = Controls().move(level, {key}, False, 2.0)
    step = np.array([moved.x, moved.altitude, moved.z]) - (level.x, level.altitude, level.z)
    expected = np.zeros(3)
    expected[axis] = sign * 20.0  # east is ahead and south to the right
    np.testing.assert_allclose(step, expected, atol=1e-9)


def test_an_orbiting_camera_keeps_its_height():
    moved = Controls().move(ORBIT, {"W"}, True, 1.0)
    assert moved.altitude == ORBIT.altitude
    assert moved.pitch == ORBIT.pitch
    assert moved.x == pytest.approx(10 * FASTER)


def test_opposite_keys_cancel():
    assert Controls().move(FLY, {"W", "S"}, False, 1.0) == FLY
