"""Moves of the camera: pure functions from one ViewSettings to the next, within the settings' ranges."""

import math

import numpy as np

from ocean.render import camera
from ocean.settings import ViewSettings

PITCH_LIMIT = 89.0  # degrees
HIGHEST = 3000.0  # m above mean water
DEEPEST, SHALLOWEST = 100.0, 0.1  # m below it, for a camera that dives
FARTHEST = 1e6  # m from the world's origin, along an axis


def look(view: ViewSettings, right: float, up: float) -> ViewSettings:
    """Turn the camera in place, by degrees."""
    pitch = min(PITCH_LIMIT, max(-PITCH_LIMIT, view.pitch + up))
    return view.model_copy(update={"heading": (view.heading + right) % 360.0, "pitch": pitch})


def move(view: ViewSettings, forward: float, right: float, up: float) -> ViewSettings:
    """Move by metres along the line of sight, to the right and straight up, but not through the water."""
    heading = math.radians(view.heading)
    sideways = np.array([math.cos(heading), 0.0, math.sin(heading)])
    return _shift(view, camera.direction(view) * forward + sideways * right + (0.0, up, 0.0))


def orbit(view: ViewSettings, right: float, up: float) -> ViewSettings:
    """Turn around the point `view.distance` ahead, by degrees."""
    ahead = camera.direction(view) * view.distance
    turned = look(view, right, up)
    back = ahead - camera.direction(turned) * view.distance
    return _shift(turned, back)


def zoom(view: ViewSettings, factor: float) -> ViewSettings:
    """Multiply the distance to the orbit's centre by a factor, moving the camera."""
    distance = min(5000.0, max(2.0, view.distance * factor))
    moved = move(view, view.distance - distance, 0.0, 0.0)
    return moved.model_copy(update={"distance": distance})


def _shift(view: ViewSettings, step: camera.Vector) -> ViewSettings:
    """Move by a vector [m] within the settings' ranges: a camera that dives stays under water, others above."""
    lowest, highest = (-DEEPEST, -SHALLOWEST) if view.dive > 0 else (camera.LOWEST, HIGHEST)
    x, height, z = np.clip(
        np.add((view.x, camera.eye_height(view), view.z), step),
        (-FARTHEST, lowest, -FARTHEST),
        (FARTHEST, highest, FARTHEST),
    )
    level = {"dive": float(-height)} if view.dive > 0 else {"altitude": float(height)}
    return view.model_copy(update={"x": float(x), "z": float(z), **level})
