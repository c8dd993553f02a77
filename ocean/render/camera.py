"""The camera: pure functions from one ViewSettings to the next, and the matrices of a view. Only this module uses pyrr.

World axes are x east, y up, z south; heading is clockwise from north (-z), pitch upwards. The eye of a view matrix is
at (0, height, 0): positions are relative to the point of the mean water under, or over, the camera.
"""

import math

import numpy as np
from numpy.typing import NDArray
from pyrr import Matrix44

from ocean.settings import ViewSettings

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
PITCH_LIMIT = 89.0  # degrees
LOWEST, HIGHEST = 0.5, 3000.0  # m above mean water
DEEPEST, SHALLOWEST = 100.0, 0.1  # m below it, for a camera that dives
FARTHEST = 1e6  # m from the world's origin, along an axis


def direction(view: ViewSettings) -> Vector:
    """Return the unit vector (x, y, z) along the line of sight."""
    heading, pitch = math.radians(view.heading), math.radians(view.pitch)
    return np.array([math.sin(heading) * math.cos(pitch), math.sin(pitch), -math.cos(heading) * math.cos(pitch)])


def eye_height(view: ViewSettings) -> float:
    """Return the height of the eye over mean water [m] before waves lift it; negative for a camera that dives."""
    return -view.dive if view.dive > 0 else view.altitude


def view_matrix(view: ViewSettings) -> Matrix:
    """Return the matrix from relative positions to eye space, for row vectors on the left, as in pyrr."""
    eye = np.array([0.0, eye_height(view), 0.0])
    return np.asarray(Matrix44.look_at(eye, eye + direction(view), (0.0, 1.0, 0.0), dtype=np.float64))


def projection_matrix(view: ViewSettings, aspect: float, far: float, crest: float = 0.0) -> Matrix:
    """Return the perspective matrix. The near plane recedes with altitude over the highest crest [m], for depth
    precision."""
    height = eye_height(view)
    near = max(0.1, min(0.05 * height, 0.25 * (height - crest)))
    return np.asarray(Matrix44.perspective_projection(view.field_of_view, aspect, near, far, dtype=np.float64))


def pixels_at_unit_distance(view: ViewSettings, height: int) -> float:
    """Return the pixels that a length of 1 m spans at 1 m across the line of sight, in a picture of this height."""
    return 0.5 * height / math.tan(math.radians(view.field_of_view) / 2)


def look(view: ViewSettings, right: float, up: float) -> ViewSettings:
    """Turn the camera in place, by degrees."""
    pitch = min(PITCH_LIMIT, max(-PITCH_LIMIT, view.pitch + up))
    return view.model_copy(update={"heading": (view.heading + right) % 360.0, "pitch": pitch})


def move(view: ViewSettings, forward: float, right: float, up: float) -> ViewSettings:
    """Move by metres along the line of sight, to the right and straight up, but not through the water."""
    heading = math.radians(view.heading)
    sideways = np.array([math.cos(heading), 0.0, math.sin(heading)])
    return _shift(view, direction(view) * forward + sideways * right + (0.0, up, 0.0))


def orbit(view: ViewSettings, right: float, up: float) -> ViewSettings:
    """Turn around the point `view.distance` ahead, by degrees."""
    ahead = direction(view) * view.distance
    turned = look(view, right, up)
    back = ahead - direction(turned) * view.distance
    return _shift(turned, back)


def zoom(view: ViewSettings, factor: float) -> ViewSettings:
    """Multiply the distance to the orbit's centre by a factor, moving the camera."""
    distance = min(5000.0, max(2.0, view.distance * factor))
    moved = move(view, view.distance - distance, 0.0, 0.0)
    return moved.model_copy(update={"distance": distance})


def _shift(view: ViewSettings, step: Vector) -> ViewSettings:
    """Move by a vector [m] within the settings' ranges: a camera that dives stays under water, others above."""
    lowest, highest = (-DEEPEST, -SHALLOWEST) if view.dive > 0 else (LOWEST, HIGHEST)
    x, height, z = np.clip(
        np.add((view.x, eye_height(view), view.z), step), (-FARTHEST, lowest, -FARTHEST), (FARTHEST, highest, FARTHEST)
    )
    level = {"dive": float(-height)} if view.dive > 0 else {"altitude": float(height)}
    return view.model_copy(update={"x": float(x), "z": float(z), **level})
