"""The camera of the window: mouse and keys, bookmarks, and the camera path. Pure values; knows no window."""

import math
from bisect import bisect_right
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, model_validator

from ocean.render import camera
from ocean.settings import ViewSettings

PITCH_LIMIT = 89.0  # degrees
HIGHEST = 3000.0  # m above the mean water level
DEEPEST, SHALLOWEST = 100.0, 0.1  # m below the mean water level, for a camera that dives
FARTHEST = 1e6  # m from the world's origin, along an axis
TURN = 3.0  # turn of the camera, in fields of view, when the mouse crosses the window's height
FASTER = 5.0
SPEEDS = 0.5, 5000.0  # slowest and fastest [m/s]
NOTCH = 1.15  # factor on speed or distance per notch of the wheel

SPACING = 0.05  # s between two views of a flight
LONGEST = 600.0  # s: longest flight
SHORTEST = 1.0  # s: shortest recording that replaces another
TRANSITION = 1.5  # s: duration of the flight to a bookmark
CLOSEST = 12.0  # m from the eye to a crest
PLACE = ("x", "z", "altitude", "dive", "pitch", "distance", "field_of_view")
"""Fields that are interpolated linearly between two views of a flight. The heading turns the shorter way."""
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
        """Move the view by the held keys for `step` seconds. Orbits keep the camera's height, except with Q and E."""
        if not held:
            return view
        forward, right, up = (sum(HELD_KEYS[key][axis] for key in held) for axis in range(3))
        metres = self.speed * step * (FASTER if fast else 1.0)
        level = view.model_copy(update={"pitch": 0.0}) if view.mode == "orbit" else view
        moved = move(level, forward * metres, right * metres, up * metres)
        return moved.model_copy(update={"pitch": view.pitch})


class Flight(BaseModel):
    """Views at increasing times [s] from 0 on."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    times: tuple[float, ...] = ()
    views: tuple[ViewSettings, ...] = ()

    @model_validator(mode="after")
    def _rises(self) -> "Flight":
        if len(self.times) != len(self.views):
            raise ValueError("a flight must have one time for each view")
        if any(b <= a for a, b in zip(self.times, self.times[1:], strict=False)):
            raise ValueError("the times of a flight must increase")
        return self

    @property
    def duration(self) -> float:
        return self.times[-1] if self.times else 0.0

    def extended(self, time: float, view: ViewSettings) -> "Flight":
        """Return the flight with one more view, or unchanged if the time is too near the last view, or too late."""
        if self.times and (time < self.times[-1] + SPACING or time > LONGEST):
            return self
        return Flight.model_construct(times=(*self.times, time), views=(*self.views, view))

    def at(self, time: float, now: ViewSettings) -> ViewSettings:
        """Return the view `now` with the flight's camera at a time; before and after the flight, its ends."""
        after = bisect_right(self.times, time)
        first, second = self.views[max(after - 1, 0)], self.views[min(after, len(self.views) - 1)]
        share = 0.0
        if 0 < after < len(self.times):
            start, end = self.times[after - 1], self.times[after]
            share = (time - start) / (end - start)
        place = {name: (1 - share) * getattr(first, name) + share * getattr(second, name) for name in PLACE}
        turn = (second.heading - first.heading + 180) % 360 - 180
        heading = (first.heading + share * turn) % 360
        return now.model_copy(update={**place, "heading": heading, "mode": first.mode})


class Bookmark(BaseModel):
    """A view, the time of the sea, and the time at which nonlinear waves had started [s].

    Equal settings show equal waves at equal times.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    view: ViewSettings
    time: float | None = None
    start: float | None = None

    @model_validator(mode="before")
    @classmethod
    def _takes_a_view(cls, value: Any) -> Any:
        """Accept a view alone, as saved by earlier versions."""
        return {"view": value} if isinstance(value, dict) and "view" not in value else value


def placed(view: ViewSettings, camera: ViewSettings) -> ViewSettings:
    """Return a view with the position and direction of the camera of another view."""
    return view.model_copy(update={name: getattr(camera, name) for name in (*PLACE, "heading", "mode")})


def before_crest(view: ViewSettings, x: float, z: float, height: float, direction: float) -> ViewSettings:
    """Return a view of the front of a crest of this height [m], at a position of the world [m], that runs towards a
    direction [degrees]: from six heights ahead of it, and a little below its top."""
    distance = max(6 * height, CLOSEST)
    angle = math.radians(direction)
    place = {"x": x + distance * math.sin(angle), "z": z - distance * math.cos(angle)}
    altitude = max(0.8 * height, 1.0)
    pitch = math.degrees(math.atan2(height / 2 - altitude, distance))
    turned = {"heading": (direction + 180) % 360, "pitch": pitch, "mode": "fly"}
    return view.model_copy(update={**place, "altitude": altitude, "dive": 0.0, **turned})


class CameraPath:
    """Bookmarks, the recorded flight, and the flight in progress."""

    def __init__(self, bookmarks: dict[str, Bookmark] | None = None, flight: Flight | None = None) -> None:
        self.bookmarks = dict(bookmarks or {})
        self.flight = self._before = flight or Flight()  # the last recording, and the one before
        self._recorded: float | None = None  # recorded time [s]; None without a recording
        self._flown: float | None = None
        self._transition: Flight | None = None  # flight to a bookmark
        self._elapsed = 0.0  # s since the transition began

    @property
    def is_recording(self) -> bool:
        return self._recorded is not None

    @property
    def status(self) -> str:
        """A sentence on the recording or the flight; empty for neither."""
        if self._recorded is not None:
            kept = "; J ends it, Esc keeps the one before" if self._before.views else ""
            return f"recording a flight, {self._recorded:.1f} s{kept}"
        if self._flown is None:
            return ""
        length = self.flight.duration
        return f"flying, {min(self._flown, length):.1f} of {length:.1f} s"

    def go(self, bookmark: ViewSettings, now: ViewSettings) -> None:
        """Fly from the present view to a bookmark in `TRANSITION` seconds, and end the recording or flight."""
        self.stop()
        self._transition, self._elapsed = Flight(times=(0.0, TRANSITION), views=(now, bookmark)), 0.0

    def stop(self, undoes: bool = False) -> None:
        """End a flight or a recording. The recording before stays if this one is undone or shorter than SHORTEST."""
        if self._recorded is not None and self._before.views and (undoes or self._recorded < SHORTEST):
            self.flight = self._before
        self._recorded = self._flown = self._transition = None

    def record(self) -> None:
        if self._recorded is None:
            self._recorded, self._flown, self._before, self.flight = 0.0, None, self.flight, Flight()
        else:
            self.stop()

    def replay(self) -> None:
        if self.is_recording:
            self.stop()
        self._flown = 0.0 if self._flown is None and self.flight.views else None

    @property
    def is_active(self) -> bool:
        return self._recorded is not None or self._flown is not None or self._transition is not None

    def step(self, view: ViewSettings, elapsed: float) -> ViewSettings:
        """Return the view `elapsed` seconds after the last step: a recording adds it, a flight moves it."""
        if self._recorded is not None:
            self.flight = self.flight.extended(self._recorded, view)
            self._recorded += elapsed
        elif self._transition is not None:
            self._elapsed = min(TRANSITION, self._elapsed + elapsed)
            share = self._elapsed / TRANSITION
            view = self._transition.at(TRANSITION * share * share * (3 - 2 * share), view)  # eases in and out
            if self._elapsed >= TRANSITION:
                view, self._transition = placed(view, self._transition.views[-1]), None
        elif self._flown is not None:
            view = self.flight.at(self._flown, view)
            self._flown = None if self._flown > self.flight.duration else self._flown + elapsed
        return view
