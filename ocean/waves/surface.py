"""The exact sea at points of the world: sums over all waves in float64.

Choppiness moves the water that rests at p to `x = p + c D(p)`, so an iteration finds p for a given x.
`Sea.surface` does the same with the GPU's maps; tests compare it with `WaveSum`. Both share answer, tolerance and
limits.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.waves.amplitudes import wave_numbers, wave_vectors
from ocean.waves.dispersion import Array, DispersionKind, clock_ticks
from ocean.waves.fields import Complex, evolve, evolve_rate, jacobian, normal, pack, sums, unpack
from ocean.waves.second_order import NONE, Lift, lift, lift_rate
from ocean.waves.tiles import Tile, blend

TOLERANCE = 1e-3
"""Largest distance [m] of the found water from the wanted place."""

MOST_STEPS = 32
"""Most steps of the iteration. A step divides the error by the largest stretch |c dD/dx|: 3 m take 12 steps at a
stretch of 0.5 and 32 at 0.78; crests beyond that are about to break."""


@dataclass(frozen=True)
class SurfaceSample:
    """The sea's surface at points of any shape (...); east, up and south are x, y and z.

    Where `converged` is False the surface has folded over or is about to, and the other arrays hold the estimate of the
    last step. Under a fold several pieces of water are at one place; one of them is found.
    """

    time: float
    """Time of the sea [s]."""
    height: Array
    """Height [m] over mean water, (...)."""
    normal: Array
    """Unit normal, upwards, (..., 3)."""
    velocity: Array | None
    """Velocity [m/s] of the water particle at the surface, not of the crest, (..., 3); None if it was not asked for."""
    still: Array
    """World (x, z) [m] at which the found water rests, (..., 2)."""
    jacobian: Array
    """Area of a unit of still water, (...); at or below 0 the surface has folded over."""
    residual: Array
    """Distance [m] of the found water from the wanted place, (...)."""
    steps: NDArray[np.int32]
    """Steps of the iteration, (...)."""

    @property
    def converged(self) -> NDArray[np.bool_]:
        """Whether the found water is within 1 mm of its place, on a surface that has not folded, (...)."""
        return (self.residual <= TOLERANCE) & (self.jacobian > 0)


def world_points(x: ArrayLike, z: ArrayLike) -> tuple[Array, Array]:
    """Return world positions [m] as two float64 arrays of one shape.

    Raises:
        ValueError: where the shapes do not broadcast, or a value is not finite.
    """
    x, z = np.asarray(x, np.float64), np.asarray(z, np.float64)
    try:
        x, z = np.broadcast_arrays(x, z)
    except ValueError:
        raise ValueError(f"x of shape {x.shape} and z of shape {z.shape} do not broadcast to one shape") from None
    for name, values in (("x", x), ("z", z)):
        if not np.isfinite(values).all():
            bad = values[~np.isfinite(values)].ravel()[0]
            raise ValueError(f"{name} holds {bad}; positions are finite numbers of metres")
    return x, z


@dataclass(frozen=True, eq=False)
class CascadeWaves:
    """The waves of one cascade: amplitudes h0(k) and loop steps, each (size, size), with tile and dispersion."""

    tile: Tile
    h0: NDArray[np.complex128]
    steps: NDArray[np.uint32]
    depth: float  # m
    dispersion: DispersionKind
    period: float  # s, loop period
    lift: Lift = NONE  # second-order crests

    def trimmed(self) -> tuple[NDArray[np.complex128], NDArray[np.uint32]]:
        """Return h0 and loop steps on the smallest even grid that holds all waves other than 0."""
        n = np.abs(wave_numbers(len(self.h0)))
        last = max((int(n[axis].max()) for axis in np.nonzero(self.h0) if len(axis)), default=0)
        half = min(last + 1, len(self.h0) // 2)
        band = np.ix_(*2 * [np.r_[0:half, -half:0]])
        return self.h0[band], self.steps[band]


class SurfaceFinder(ABC):
    """A sea in which the water at a place can be found, given the sums of its waves at a point."""

    time: float  # s
    choppiness: float
    lifts: Sequence[Lift]
    """Second-order lift of each cascade, longest first."""

    CHUNK: ClassVar[int]  # points computed at once, to bound the memory

    @abstractmethod
    def _fields(self, which: slice) -> Sequence[tuple[Tile, Callable[[Array, Array], Complex]]]:
        """Return the tile of each cascade, and a function of positions [m] on it that returns `which` of six complex
        arrays: the four of `fields.pack` and the first two of the time derivative."""

    def _sums(self, which: slice, x: Array, z: Array) -> Complex:
        """Return `which` arrays of each cascade at still-water positions [m] of any shape (...): (cascade, count,
        ...)."""
        cascades, count = self._fields(which), len(range(*which.indices(6)))
        found = np.zeros((len(cascades), count, x.size), np.complex128)
        for start in range(0, x.size, self.CHUNK):
            part = slice(start, start + self.CHUNK)
            for cascade, (tile, at) in zip(found, cascades, strict=True):
                cascade[:, part] = blend(tile, x.ravel()[part], z.ravel()[part], at)
        return found.reshape((*found.shape[:2], *x.shape))

    def displacement(self, x: Array, z: Array) -> tuple[Array, Array, Array]:
        """Return `(c Dx, h + c lift, c Dz)` [m] of the water that rests at world positions [m]."""
        each = self._sums(slice(0, 2), x, z)
        first, second = each.sum(axis=0)
        up = first.real + self.choppiness * lift(self.lifts, [_moved(waves) for waves in each])
        return self.choppiness * second.real, up, self.choppiness * second.imag

    def surface(self, x: ArrayLike, z: ArrayLike, velocity: bool = True) -> SurfaceSample:
        """Return the surface at world positions [m] of any shapes that broadcast; see `SurfaceSample`.

        Raises:
            ValueError: where the shapes do not broadcast, or a value is not finite.
        """
        x, z = world_points(x, z)
        px, pz, residual, steps = self._invert(x.ravel(), z.ravel())
        shape = x.shape
        found = px.reshape(shape), pz.reshape(shape), residual.reshape(shape), steps.reshape(shape)
        return self.sample_at_rest(*found, velocity)

    def _velocity(self, px: Array, pz: Array, now: Sequence[Array]) -> Array:
        """Return the velocity [m/s] of the water that rests at world positions [m], on a last axis of 3, given (h, Dx,
        Dz) of each cascade there."""
        rates = self._sums(slice(4, 6), px, pz)
        vertical, horizontal = rates.sum(axis=0)
        up = vertical.real + self.choppiness * lift_rate(self.lifts, now, [_moved(rate) for rate in rates])
        return np.stack([self.choppiness * horizontal.real, up, self.choppiness * horizontal.imag], -1)

    def sample_at_rest(
        self, px: Array, pz: Array, residual: Array, steps: NDArray[np.int32], velocity: bool = True
    ) -> SurfaceSample:
        """Return the surface where the water rests at world positions [m]."""
        each = self._sums(slice(0, 4), px, pz)
        sea, cascades = unpack(each.sum(axis=0)), [unpack(waves) for waves in each]
        derivatives, c = (sea["dxx"], sea["dzz"], sea["dxz"]), self.choppiness
        now = [_moved(waves) for waves in each]
        slope_x, slope_z = (
            sea[names[0]]
            + c * lift_rate(self.lifts, now, [np.stack([one[name] for name in names]) for one in cascades])
            for names in (("slope_x", "dxx", "dxz"), ("slope_z", "dxz", "dzz"))
        )
        return SurfaceSample(
            time=self.time,
            height=sea["height"] + c * lift(self.lifts, now),
            normal=normal(slope_x, slope_z, *derivatives, c),
            velocity=self._velocity(px, pz, now) if velocity else None,
            still=np.stack([px, pz], -1),
            jacobian=jacobian(*derivatives, c),
            residual=residual,
            steps=steps,
        )

    def _invert(self, x: Array, z: Array) -> tuple[Array, Array, Array, NDArray[np.int32]]:
        """Return the fixed point of `p <- x - c D(p)` from p = x, the residual |p + c D(p) - x| [m], and the steps
        made."""
        px, pz = x.copy(), z.copy()
        residual, steps = np.full(len(x), math.inf), np.zeros(len(x), np.int32)
        active = np.arange(len(x))
        for step in range(MOST_STEPS + 1):
            east, _, south = self.displacement(px[active], pz[active])
            off_x, off_z = px[active] + east - x[active], pz[active] + south - z[active]
            residual[active], steps[active] = np.hypot(off_x, off_z), step
            goes_on = residual[active] > TOLERANCE
            if step == MOST_STEPS or not goes_on.any():
                break
            active = active[goes_on]
            px[active] -= off_x[goes_on]
            pz[active] -= off_z[goes_on]
        return px, pz, residual, steps


def _moved(waves: Complex) -> Array:
    """Return (h, Dx, Dz), (3, ...), of the first two packed arrays, or their rates."""
    return np.stack([waves[0].real, waves[1].real, waves[1].imag])


class WaveSum(SurfaceFinder):
    """The sea at one time [s] as a sum over the waves of all cascades, at a choppiness."""

    CHUNK = 256

    def __init__(self, cascades: Sequence[CascadeWaves], time: float, choppiness: float) -> None:
        self.time = time
        self.choppiness = choppiness
        self.lifts = [waves.lift for waves in cascades]
        self._spectra = [(waves.tile, self._packed(waves)) for waves in cascades]

    def _packed(self, waves: CascadeWaves) -> Complex:
        """Return the four complex arrays of `fields.pack` and the first two of the time derivative: (6, size, size)."""
        h0, n = waves.trimmed()
        ticks = clock_ticks(self.time, waves.period)
        spectra = (evolve(h0, n, ticks), evolve_rate(h0, n, ticks, waves.period))
        kx, kz = wave_vectors(waves.tile, len(h0))
        now, rate = (pack(H, kx, kz, waves.depth, waves.dispersion) for H in spectra)
        return np.concatenate([now, rate[:2]])

    def _fields(self, which: slice) -> Sequence[tuple[Tile, Callable[[Array, Array], Complex]]]:
        return [(tile, partial(sums, spectra[which], tile)) for tile, spectra in self._spectra]
