"""The camera: pure functions from one ViewSettings to the next, and the matrices of a view. pyrr stays in here.

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
    """Unit vector (x, y, z) along the line of sight."""
    heading, pitch = math.radians(view.heading), math.radians(view.pitch)
    return np.array([math.sin(heading) * math.cos(pitch), math.sin(pitch), -math.cos(heading) * math.cos(pitch)])


def eye_height(view: ViewSettings) -> float:
    """Height of the eye over mean water [m], before waves lift it; below 0 for a camera that dives."""
    return -view.dive if view.dive > 0 else view.altitude


def view_matrix(view: ViewSettings) -> Matrix:
    """From relative positions to eye space; row vectors on the left, as pyrr and OpenGL's memory layout have it."""
    eye = np.array([0.0, eye_height(view), 0.0])
    return np.asarray(Matrix44.look_at(eye, eye + direction(view), (0.0, 1.0, 0.0), dtype=np.float64))


def projection_matrix(view: ViewSettings, aspect: float, far: float, crest: float = 0.0) -> Matrix:
    """Perspective; the near plane moves out with the altitude over the highest crest [m], as depth buffers want it."""
    height = eye_height(view)
    near = max(0.1, min(0.05 * height, 0.25 * (height - crest)))
    return np.asarray(Matrix44.perspective_projection(view.field_of_view, aspect, near, far, dtype=np.float64))


def pixels_at_unit_distance(view: ViewSettings, height: int) -> float:
    """Pixels that a length of 1 spans at distance 1 across the line of sight, in a picture of this height."""
    return 0.5 * height / math.tan(math.radians(view.field_of_view) / 2)


def look(view: ViewSettings, right: float, up: float) -> ViewSettings:
    """Turn the camera where it stands, by degrees."""
    pitch = min(PITCH_LIMIT, max(-PITCH_LIMIT, view.pitch + up))
    return view.model_copy(update={"heading": (view.heading + right) % 360.0, "pitch": pitch})


def move(view: ViewSettings, forward: float, right: float, up: float) -> ViewSettings:
    """Move by metres along the line of sight, to the right and straight up; never through the water."""
    heading = math.radians(view.heading)
    sideways = np.array([math.cos(heading), 0.0, math.sin(heading)])
    return _shift(view, direction(view) * forward + sideways * right + (0.0, up, 0.0))


def orbit(view: ViewSettings, right: float, up: float) -> ViewSettings:
    """Turn around the point that lies `distance` ahead, by degrees."""
    ahead = direction(view) * view.distance
    turned = look(view, right, up)
    back = ahead - direction(turned) * view.distance
    return _shift(turned, back)


def zoom(view: ViewSettings, factor: float) -> ViewSettings:
    """Change the distance of the orbit's centre by a factor, and keep the centre where it is."""
    distance = min(5000.0, max(2.0, view.distance * factor))
    moved = move(view, view.distance - distance, 0.0, 0.0)
    return moved.model_copy(update={"distance": distance})


def _shift(view: ViewSettings, step: Vector) -> ViewSettings:
    """Move by a vector, as far as the settings' ranges go: a camera that dives stays under water, others above."""
    lowest, highest = (-DEEPEST, -SHALLOWEST) if view.dive > 0 else (LOWEST, HIGHEST)
    x, height, z = np.clip(
        np.add((view.x, eye_height(view), view.z), step), (-FARTHEST, lowest, -FARTHEST), (FARTHEST, highest, FARTHEST)
    )
    level = {"dive": float(-height)} if view.dive > 0 else {"altitude": float(height)}
    return view.model_copy(update={"x": float(x), "z": float(z), **level})
