"""Mouse and keys that move the camera, by pure functions from one ViewSettings to the next within their ranges."""

import math

import numpy as np

from ocean.render import camera
from ocean.settings import ViewSettings

PITCH_LIMIT = 89.0  # degrees
HIGHEST = 3000.0  # m above mean water
DEEPEST, SHALLOWEST = 100.0, 0.1  # m below mean water, for a camera that dives
FARTHEST = 1e6  # m from the world's origin, along an axis
TURN = 3.0  # turn of the camera, in fields of view, when the mouse crosses the window's height
FASTER = 5.0
SPEEDS = 0.5, 5000.0  # slowest and fastest [m/s]
NOTCH = 1.15  # factor on speed or distance per notch of the wheel

HELD_KEYS = {"W": (1, 0, 0), "S": (-1, 0, 0), "D": (0, 1, 0), "A": (0, -1, 0), "E": (0, 0, 1), "Q": (0, 0, -1)}


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


class Steering:
    """Speed of the camera, and the effect of mouse and keys on a view."""

    def __init__(self) -> None:
        self.speed = 10.0  # m/s

    def drag(self, view: ViewSettings, x: float, y: float, height: int) -> ViewSettings:
        """Turn the view by a drag of the mouse by (x, y), right and down, in a window of this height."""
        degrees = TURN * view.field_of_view / max(height, 1)
        turn = orbit if view.mode == "orbit" else look
        return turn(view, x * degrees, -y * degrees)

    def wheel(self, view: ViewSettings, notches: float) -> ViewSettings:
        """Change the distance of an orbit, or the speed, by notches of the wheel: forwards is nearer, or faster."""
        if view.mode == "orbit":
            return zoom(view, NOTCH**-notches)
        self.speed = min(SPEEDS[1], max(SPEEDS[0], self.speed * NOTCH**notches))
        return view

    def move(self, view: ViewSettings, held: set[str], fast: bool, step: float) -> ViewSettings:
        """Move the view by the held keys for `step` seconds. An orbiting camera keeps its height, but for Q and E."""
        if not held:
            return view
        forward, right, up = (sum(HELD_KEYS[key][axis] for key in held) for axis in range(3))
        metres = self.speed * step * (FASTER if fast else 1.0)
        level = view.model_copy(update={"pitch": 0.0}) if view.mode == "orbit" else view
        moved = move(level, forward * metres, right * metres, up * metres)
        return moved.model_copy(update={"pitch": view.pitch})
