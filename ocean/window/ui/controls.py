"""Mouse and keys that move the camera, by the pure functions of `flight`."""

from ocean.settings import ViewSettings
from ocean.window.ui import flight

TURN = 3.0  # fields of view that the camera turns by when the mouse crosses the window's height
FASTER = 5.0
SPEEDS = 0.5, 5000.0  # m/s
NOTCH = 1.15  # factor that a notch of the wheel changes speed or distance by

HELD_KEYS = {"W": (1, 0, 0), "S": (-1, 0, 0), "D": (0, 1, 0), "A": (0, -1, 0), "E": (0, 0, 1), "Q": (0, 0, -1)}


class Controls:
    """Speed of the camera, and the effect of mouse and keys on a view."""

    def __init__(self) -> None:
        self.speed = 10.0  # m/s

    def drag(self, view: ViewSettings, x: float, y: float, height: int) -> ViewSettings:
        """Turn the view by a drag of the mouse by (x, y), right and down, in a window of this height."""
        degrees = TURN * view.field_of_view / max(height, 1)
        turn = flight.orbit if view.mode == "orbit" else flight.look
        return turn(view, x * degrees, -y * degrees)

    def wheel(self, view: ViewSettings, notches: float) -> ViewSettings:
        """Change the distance of an orbit, or the speed, by notches of the wheel; away from you is nearer, or
        faster."""
        if view.mode == "orbit":
            return flight.zoom(view, NOTCH**-notches)
        self.speed = min(SPEEDS[1], max(SPEEDS[0], self.speed * NOTCH**notches))
        return view

    def move(self, view: ViewSettings, held: set[str], fast: bool, step: float) -> ViewSettings:
        """Move the view as keys that are held for `step` seconds do. An orbiting camera keeps its height, but for Q
        and E."""
        if not held:
            return view
        forward, right, up = (sum(HELD_KEYS[key][axis] for key in held) for axis in range(3))
        metres = self.speed * step * (FASTER if fast else 1.0)
        level = view.model_copy(update={"pitch": 0.0}) if view.mode == "orbit" else view
        moved = flight.move(level, forward * metres, right * metres, up * metres)
        return moved.model_copy(update={"pitch": view.pitch})
