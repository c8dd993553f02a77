"""The interface that the sea on the GPU and the sea on the processor share."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from numbers import Real
from typing import Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.common.errors import shown
from ocean.settings import Settings
from ocean.settings.files import Resolved, resolve
from ocean.waves.dispersion import Array
from ocean.waves.nonlinear import Checkpoints
from ocean.waves.surface import FARTHEST, SurfaceSample, real_numbers, world_points
from ocean.waves.tiles import Tile

NO_UPDATE = "the sea must be updated before it can be queried"
MOST_POINTS = 1 << 20  # points of a query
LATEST = 1e12  # s: the latest time, where neighbouring numbers are 0.1 ms apart


def resolved(settings: object) -> Resolved:
    """Return the settings of a sea with the content of their files. Raises SettingsError when a file can't be read, and
    TypeError for settings of another type, such as the name of a preset."""
    if not isinstance(settings, Settings):
        raise TypeError(
            f"a sea needs Settings, not {type(settings).__name__}; load_settings makes them of a preset or a file"
        )
    return resolve(settings)


def refuse_endless(time: float, focus: Iterable[float] = (0.0, 0.0)) -> tuple[float, float]:
    """Return the focus, for example of an array, as two floats. Raise ValueError for a time beyond LATEST, and for a
    focus that is not two numbers up to FARTHEST."""
    if not (isinstance(time, Real) and abs(time) <= LATEST):
        raise ValueError(f"the time of a sea is a finite number of seconds up to {LATEST:g}, not {shown(time)}")
    places = tuple(focus) if isinstance(focus, Iterable) else ()
    if len(places) != 2 or not all(isinstance(place, Real) and abs(place) <= FARTHEST for place in places):
        raise ValueError(f"the focus of a sea is two finite numbers of metres up to {FARTHEST:g}, not {shown(focus)}")
    return float(places[0]), float(places[1])


def refuse_no_duration(name: str, value: float) -> None:
    """Raise ValueError for a duration that is not a number from 0 to LATEST."""
    if not (isinstance(value, Real) and 0 <= value <= LATEST):
        raise ValueError(f"{name} is a number of seconds from 0 to {LATEST:g}, not {shown(value)}")


def query_points(x: ArrayLike, z: ArrayLike) -> tuple[Array, Array]:
    """Return `world_points` of a query, or raise ValueError for more than MOST_POINTS."""
    return world_points(x, z, MOST_POINTS)


class Query(Protocol):
    """A query of the surface. Its answer may be pending."""

    time: float
    """Time of the sea [s] for which the answer holds."""

    @property
    def ready(self) -> bool:
        """Whether `result` would return without waiting."""

    def result(self) -> SurfaceSample:
        """Return the answer, and wait for it if necessary."""


@dataclass(frozen=True)
class Series:
    """The surface at points over time; x is east, y up and z south. Points are of any shape (...).

    time: (t,) [s]. x, z: positions (t, ...) [m]. elevation: (t, ...) [m], nan where the surface has folded over.
    velocity: of the water at the surface, (t, ..., 3) [m/s]. slope: dh/dx and dh/dz, (t, ..., 2).
    """

    time: Array
    x: Array
    z: Array
    elevation: Array
    velocity: Array
    slope: Array


class BaseSea(ABC):
    """A running sea: `update` computes its maps, and the other methods read them. `with` releases it at the end, and
    calls after that raise RuntimeError."""

    settings: Resolved
    is_released = False

    def __getstate__(self) -> None:  # of copies and pickles, which would share objects of the GPU
        raise TypeError("a sea can't be copied or pickled; make another one of its settings")

    def __enter__(self) -> Self:
        self.refuse_released()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def refuse_released(self) -> None:
        if self.is_released:
            raise RuntimeError("the sea was released")

    @property
    @abstractmethod
    def tiles(self) -> tuple[Tile, ...]:
        """Tiles of the cascades, in the order of the maps' layers."""

    @abstractmethod
    def apply(self, settings: Settings) -> None:
        """Take new settings and rebuild what differs."""

    @abstractmethod
    def start_waves(self, time: float, checkpoints: Checkpoints | None = None) -> None:
        """Start nonlinear waves for a time [s]. Seas with equal starts have equal waves at all later times. Otherwise
        waves start for the first frame, and again after a leap in time. With `checkpoints`, waves save their states
        there and go on from the latest one."""

    @abstractmethod
    def catch_up(self, time: float) -> Iterator[float]:
        """Compute nonlinear waves up to a time [s] in parts, which `update` would do at once, and yield the completed
        fraction after each part."""

    @abstractmethod
    def update(self, time: float, focus: tuple[float, float] = (0.0, 0.0)) -> None:
        """Compute the maps of `time` [s]. The foam map of a sea on the GPU follows `focus`, a world (x, z) [m].

        Raises:
            ValueError: for a time or a focus that is not finite.
        """

    @abstractmethod
    def fields(self) -> dict[str, NDArray[np.float32]]:
        """Return the eight fields of the last update, each float32 of shape (cascade, N, N) indexed [cascade, z, x], at
        choppiness 1: height, dx, dz [m]; slope_x, slope_z, dxx, dzz, dxz [1]. Waits for the GPU.

        Raises:
            RuntimeError: before the first update, and after a change of the sea until the next update.
        """

    @abstractmethod
    def potential(self) -> NDArray[np.float32]:
        """Return the velocity potential [m²/s] at the surface of the last update: float32 of shape (cascade, N, N)
        indexed [cascade, z, x], at fixed points of the tiles. Waits for the GPU.

        Raises:
            RuntimeError: before the first update, after a change of the sea until the next update, and while the sea
                blends into another one.
        """

    @abstractmethod
    def query(self, x: ArrayLike, z: ArrayLike, velocity: bool = True) -> Query:
        """Query the surface at world positions x (east) and z (south) [m], of any shapes that broadcast, at the time of
        the last update. `velocity` asks for the water's velocity too.

        Raises:
            ValueError: for positions that are not finite, shapes that do not broadcast, and more than 2^20 points.
            RuntimeError: before the first update, and after a change of the sea until the next update.
        """

    def surface(self, x: ArrayLike, z: ArrayLike) -> SurfaceSample:
        """Return height, normal and velocity of the surface at world positions [m]; see `query`. Waits for the GPU."""
        return self.query(x, z).result()

    def height(self, x: ArrayLike, z: ArrayLike) -> Array:
        """Return the height [m] of the surface at world positions [m], float64 of the shape that x and z broadcast to;
        nan where the surface folds over and has no single height. See `query`; any number of points is answered in
        parts. Waits for the GPU."""
        x, z = world_points(x, z)
        heights = np.empty(x.shape)
        for first in range(0, max(x.size, 1), MOST_POINTS):
            part = slice(first, first + MOST_POINTS)
            sample = self.query(x.flat[part], z.flat[part], velocity=False).result()
            heights.flat[part] = np.where(sample.converged, sample.height, np.nan)
        return heights

    def series(
        self,
        x: ArrayLike,
        z: ArrayLike,
        times: ArrayLike,
        moving: tuple[float, float] = (0.0, 0.0),
        advance: Callable[[], None] | None = None,
    ) -> Series:
        """Return the surface at world positions x and z [m], of any shapes that broadcast, at ascending times (t,) [s].
        Points move by `moving`, a velocity (x, z) [m/s], from their positions at the first time. Nonlinear waves start
        for the first time. `advance` is called after each time.

        Raises:
            ValueError: for numbers that are not finite, shapes that do not broadcast, and times that do not ascend.
        """
        times, moves = np.atleast_1d(real_numbers(times, "times")), real_numbers(moving, "moving")
        if times.ndim > 1 or times.size == 0 or (np.diff(times) < 0).any():
            raise ValueError(f"times are one or more numbers of seconds in ascending order, not {shown(times)}")
        if moves.shape != (2,) or not np.isfinite(moves).all():
            raise ValueError(f"moving is a velocity (x, z) in m/s, not {shown(moving)}")
        x, z = world_points(x, z)
        along = (times - times[0]).reshape(-1, *[1] * x.ndim)
        xs, zs = x + moves[0] * along, z + moves[1] * along
        self.start_waves(float(times[0]))
        samples = []
        for time, here in zip(times.tolist(), zip(xs, zs, strict=True), strict=True):
            self.update(time)
            samples.append(self.query(*here).result())
            if advance is not None:
                advance()
        elevation = np.stack([np.where(sample.converged, sample.height, np.nan) for sample in samples])
        normals = np.stack([sample.normal for sample in samples])
        slope = -normals[..., [0, 2]] / normals[..., 1:2]
        velocity = np.stack([sample.velocity for sample in samples if sample.velocity is not None])
        return Series(times, xs, zs, elevation, velocity, slope)

    @property
    @abstractmethod
    def foam_threshold(self) -> float:
        """The Jacobian below which foam forms, so that old and new foam have the wind's coverage."""

    @abstractmethod
    def release(self) -> None:
        """Release the sea's resources, including those on the GPU."""
