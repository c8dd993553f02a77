"""The sea's surface at points of the world, from maps on the host.

Choppiness moves the water that rests at p to `x = p + c D(p)`, so an iteration finds p for a given x.
`Sea.surface` does the same on the GPU, with the same result, tolerance and limits.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.common.errors import shown
from ocean.waves.amplitudes import CascadeWaves, wave_numbers, wave_vectors
from ocean.waves.dispersion import Array, clock_ticks
from ocean.waves.fields import Complex, evolve, evolve_rate, jacobian, normal, pack, unpack
from ocean.waves.second_order import NONE, Lift, lift, lift_rate
from ocean.waves.tiles import Tile, blend

CHUNK = 1 << 15
"""Points computed at once, so that their data stay in the processor's cache."""

TOLERANCE = 1e-3
"""Largest distance [m] of the found water from the wanted point."""

FARTHEST = 1e8
"""Farthest position [m], where neighbouring numbers are 15 nm apart."""

FINE = 256
"""Texels along a side from which maps are read as they are. Between fewer texels, up to a sixth of the height would be
lost, so the spectra of such maps are first padded with zeros, which loses nothing."""

MOST_STEPS = 32
"""Maximum number of steps of the iteration. A step multiplies the error by up to the largest stretch |c dD/dx|: 3 m
take 12 steps at a stretch of 0.5 and 32 at 0.78; crests beyond that are about to break."""


@dataclass(frozen=True)
class SurfaceSample:
    """The sea's surface at points of any shape (...); x is east, y up and z south.

    Where `converged` is False the surface has folded over or is about to, and the other arrays hold the last estimate.
    Under a fold several pieces of water are at one point; one of them is found.
    """

    time: float
    """Time of the sea [s]."""
    height: Array
    """Height [m] over the mean water level, (...)."""
    normal: Array
    """Unit normal, upwards, (..., 3)."""
    velocity: Array | None
    """Velocity [m/s] of the water at the surface, unlike that of the crest, (..., 3); None if not asked for."""
    still: Array
    """World (x, z) [m] at which the found water rests, (..., 2)."""
    place: Array
    """World (x, z) [m] of the found water, (..., 2)."""
    jacobian: Array
    """Ratio of the area of the surface to that of still water, (...); at or below 0 the surface has folded over."""
    residual: Array
    """Distance [m] of the found water from the wanted point, (...)."""
    steps: NDArray[np.int32]
    """Steps of the iteration, (...)."""

    @property
    def converged(self) -> NDArray[np.bool_]:
        """Whether the found water is within 1 mm of the wanted point, on a surface that has not folded, (...)."""
        return (self.residual <= TOLERANCE) & (self.jacobian > 0)


def real_numbers(values: ArrayLike, name: str) -> Array:
    """Return numbers as float64, or raise TypeError for others, such as texts and complex numbers."""
    return _numbers(values, name).astype(np.float64, copy=False)


def _numbers(values: ArrayLike, name: str) -> NDArray[Any]:
    try:
        array = np.asarray(values)
    except ValueError:  # numpy names no argument
        raise ValueError(f"{name} must be an array of numbers, not rows of several lengths: {shown(values)}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be numbers, not {shown(values)}")
    return array


def world_points(x: ArrayLike, z: ArrayLike, most: float = math.inf) -> tuple[Array, Array]:
    """Return world positions [m] as two float64 arrays of one shape. Their number is checked before their values, which
    may take long.

    Raises:
        ValueError: where the shapes do not broadcast, or a value is not finite or beyond FARTHEST; and for more than
            `most` positions.
    """
    x, z = _numbers(x, "x"), _numbers(z, "z")
    try:
        count = math.prod(np.broadcast_shapes(x.shape, z.shape))
    except ValueError:
        raise ValueError(f"x of shape {x.shape} and z of shape {z.shape} do not broadcast to one shape") from None
    if count > most:
        raise ValueError(f"a query may have at most {most} points, not {count}")
    x, z = real_numbers(x, "x"), real_numbers(z, "z")
    for name, values in (("x", x), ("z", z)):
        if (wrong := ~(np.abs(values) <= FARTHEST)).any():
            bad = values[wrong].ravel()[0]
            raise ValueError(f"{name} holds {bad}; positions are finite numbers of metres up to {FARTHEST:g}")
    x, z = np.broadcast_arrays(x, z)
    return x, z


def finer(size: int) -> int:
    """Return the smallest power of two that, times `size` texels along a side, gives FINE texels or more."""
    return 1 << max(0, math.ceil(math.log2(FINE / size)))


class CascadeReader(NamedTuple):
    """The packed fields of a cascade at world positions [m] of still water, 1-D arrays, and its second-order lift."""

    fields: Callable[[int, Array, Array], Complex]
    """Return the first `count` of the four complex fields of `fields.pack` at (x, z), (count, positions)."""
    rates: Callable[[Array, Array], Complex]
    """Return the time derivatives [1/s] of the first two at (x, z), (2, positions)."""
    lift: Lift = NONE


class Surface:
    """The displaced surface at one time [s] and choppiness, from the fields of all cascades, the longest first."""

    chunk = CHUNK

    def __init__(self, time: float, choppiness: float, cascades: Sequence[CascadeReader]) -> None:
        self.time, self.choppiness, self._cascades = time, choppiness, cascades
        self._lifts = [cascade.lift for cascade in cascades]

    def _read(self, readers: Sequence[Callable[[Array, Array], Complex]], x: Array, z: Array) -> Complex:
        """Return what one function per cascade reads at positions of any shape (...): (cascade, count, ...)."""
        parts = [slice(start, start + self.chunk) for start in range(0, max(x.size, 1), self.chunk)]
        found = [np.stack([read(x.ravel()[part], z.ravel()[part]) for read in readers]) for part in parts]
        joined = np.concatenate(found, axis=-1)
        return joined.reshape((*joined.shape[:2], *x.shape))

    def displacement(self, x: Array, z: Array) -> tuple[Array, Array, Array]:
        """Return `(c Dx, h + c lift, c Dz)` [m] of the water that rests at world positions [m]."""
        each = self._read([partial(cascade.fields, 2) for cascade in self._cascades], x, z)
        first, second = each.sum(axis=0)
        up = first.real + self.choppiness * lift(self._lifts, [_moved(waves) for waves in each])
        return self.choppiness * second.real, up, self.choppiness * second.imag

    def surface(self, x: ArrayLike, z: ArrayLike, velocity: bool = True) -> SurfaceSample:
        """Return the surface at world positions [m] of any shapes that broadcast; see `SurfaceSample`.

        Raises:
            ValueError: where the shapes do not broadcast, or a value is not finite.
        """
        x, z = world_points(x, z)
        px, pz, residual, steps = (values.reshape(x.shape) for values in self._invert(x.ravel(), z.ravel()))
        each, c = self._read([partial(cascade.fields, 4) for cascade in self._cascades], px, pz), self.choppiness
        sea, cascades, now = unpack(each.sum(axis=0)), [unpack(waves) for waves in each], [_moved(one) for one in each]
        derivatives = sea["dxx"], sea["dzz"], sea["dxz"]
        slopes = []
        for names in (("slope_x", "dxx", "dxz"), ("slope_z", "dxz", "dzz")):
            along = [np.stack([one[name] for name in names]) for one in cascades]
            slopes.append(sea[names[0]] + c * lift_rate(self._lifts, now, along))
        moves = None
        if velocity:
            rates = [_moved(rate) for rate in self._read([cascade.rates for cascade in self._cascades], px, pz)]
            up, east, south = np.sum(rates, axis=0)
            moves = np.stack([c * east, up + c * lift_rate(self._lifts, now, rates), c * south], -1)
        return SurfaceSample(
            time=self.time,
            height=sea["height"] + c * lift(self._lifts, now),
            normal=normal(slopes[0], slopes[1], *derivatives, c),
            velocity=moves,
            still=np.stack([px, pz], -1),
            place=np.stack([x, z], -1),
            jacobian=jacobian(*derivatives, c),
            residual=residual,
            steps=steps.astype(np.int32),
        )

    def _invert(self, x: Array, z: Array) -> tuple[Array, Array, Array, Array]:
        """Return the fixed point of `p <- x - c D(p)` from p = x, its residual |p + c D(p) - x| [m], and the number of
        steps."""
        px, pz = x.copy(), z.copy()
        residual, steps = np.full(len(x), math.inf), np.zeros(len(x))
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


class WaveSum(Surface):
    """The exact sea at one time [s] and choppiness: sums over the waves of all cascades in float64, as
    `make_spectrum(settings).waves` and `.lifts` give them."""

    chunk = 256

    def __init__(
        self, cascades: Sequence[CascadeWaves], time: float, choppiness: float, lifts: Sequence[Lift] = ()
    ) -> None:
        lifts = lifts or [NONE] * len(cascades)
        readers = (_wave_reader(waves, time, lift) for waves, lift in zip(cascades, lifts, strict=True))
        super().__init__(time, choppiness, tuple(readers))


def _wave_reader(waves: CascadeWaves, time: float, lift: Lift) -> CascadeReader:
    h0, turns = waves.trimmed()
    ticks, (kx, kz) = clock_ticks(time, waves.period), wave_vectors(waves.tile, len(h0))
    spectra = evolve(h0, turns, ticks), evolve_rate(h0, turns, ticks, waves.period)
    now, rates = (pack(H, kx, kz, waves.depth, waves.dispersion) for H in spectra)

    def read(packed: Complex, x: Array, z: Array) -> Complex:
        return blend(waves.tile, x, z, partial(_sums, packed, waves.tile))

    return CascadeReader(lambda count, x, z: read(now[:count], x, z), lambda x, z: read(rates[:2], x, z), lift)


def _sums(spectra: Complex, tile: Tile, x: Array, z: Array) -> Complex:
    """Return `sum over k of F(k) e^{+i k x}` of spectra (count, size, size) at world positions [m], (count, n)."""
    n = tile.dk * wave_numbers(spectra.shape[-1])
    along, across = (np.exp(1j * np.outer(n, np.mod(w, tile.side))) for w in tile.to_tile(x, z))
    return np.asarray(np.einsum("fzp,zp->fp", spectra @ along, across))


def _moved(waves: Complex) -> Array:
    """Return (h, Dx, Dz), (3, ...), of the first two packed arrays, or their rates."""
    return np.stack([waves[0].real, waves[1].real, waves[1].imag])


def cubic(fields: NDArray[np.complexfloating], tile: Tile, x: ArrayLike, z: ArrayLike) -> Complex:
    """Return complex fields (count, size, size) of a tile at world positions [m] (...), (count, ...), by cubic
    convolution (Keys 1981, with a = -1/2) with wrap-around, as `query/surface.comp` reads maps."""
    size = fields.shape[-1]
    u, v = (coordinate * (size / tile.side) for coordinate in tile.to_tile(x, z))
    i, j = np.floor(u).astype(np.int64), np.floor(v).astype(np.int64)
    along, across = _cubic_weights(u - i), _cubic_weights(v - j)
    flat = fields.reshape(len(fields), -1)
    total = np.zeros((len(fields), *u.shape), np.complex128)
    for b, row_weight in enumerate(across, start=-1):
        row = (j + b) % size * size
        for a, weight in enumerate(along, start=-1):
            total += (row_weight * weight) * flat[:, row + (i + a) % size]
    return total


def carried(still: NDArray[np.complexfloating], tile: Tile, choppiness: float) -> NDArray[np.complexfloating]:
    """Return packed maps (4, size, size) of a solved surface, eta(X) over each point X, in the form that map readers
    expect: for the water that rests at p. At X = p + c D(p) the surface then is eta, whatever D is.

    Slopes are along p, by the chain rule. The displacement and its derivatives stay.
    """
    at, slopes = _where_water_is(still, tile, choppiness)
    c, (dxx, dzz), dxz = choppiness, (still[3].real, still[3].imag), still[0].imag
    slope_x = slopes.real * (1 + c * dxx) + slopes.imag * c * dxz
    slope_z = slopes.imag * (1 + c * dzz) + slopes.real * c * dxz
    return np.stack([at + 1j * dxz, still[1], slope_x + 1j * slope_z, still[3]]).astype(still.dtype)


def carried_rates(
    still: NDArray[np.complexfloating], rates: NDArray[np.complexfloating], tile: Tile, choppiness: float
) -> NDArray[np.complexfloating]:
    """Return packed maps, (2, size, size), of the velocity of the water at the surface, from those of eta_t and of the
    gradient of the potential psi at the surface: `W = (eta_t + grad psi . grad eta) / (1 + |grad eta|²)`, and
    `u = grad psi - W grad eta`, divided by the choppiness, by which readers multiply."""
    _, slopes = _where_water_is(still, tile, choppiness)
    rate, gradient = cubic(rates, tile, *_water(still, tile, choppiness))
    up = (rate.real + (gradient * slopes.conj()).real) / (1 + np.abs(slopes) ** 2)
    return np.stack([up + 1j * rates[0].imag, (gradient - up * slopes) / max(choppiness, 1e-3)]).astype(rates.dtype)


def _water(still: NDArray[np.complexfloating], tile: Tile, choppiness: float) -> tuple[Array, Array]:
    """Return the world positions [m] of the water of each texel."""
    step = tile.side / still.shape[-1] * np.arange(still.shape[-1])
    x, z = tile.to_world(*np.meshgrid(step, step))
    return x + choppiness * still[1].real, z + choppiness * still[1].imag


def _where_water_is(still: NDArray[np.complexfloating], tile: Tile, choppiness: float) -> tuple[Array, Complex]:
    """Return the height and the complex slope of a surface at the water of each texel, by the cubic through heights and
    slopes at the corners of a cell (Adini and Clough 1960), as `nonlinear/carry.comp` does."""
    step = tile.side / still.shape[-1]
    place = np.stack(tile.to_tile(*_water(still, tile, choppiness))) / step
    cell = np.floor(place).astype(np.int64)
    heights, slopes = still[0].real, np.stack(tile.to_tile(still[2].real, still[2].imag))
    found, slope = np.zeros(heights.shape), np.zeros(slopes.shape)
    for corner in np.ndindex(2, 2):
        first = np.reshape(corner, (2, 1, 1))
        way, s = 1 - 2 * first, np.abs(place - cell - first)  # from the corner, in cells
        column, row = (cell + first) % len(heights)
        h, g = heights[row, column], way * slopes[:, row, column]
        near = 1 - s
        value, bend, across = near**2 * (1 + 2 * s), s * near**2, near[::-1]
        found += h * (value[0] * near[1] + near[0] * value[1] - near[0] * near[1])
        found += step * np.sum(bend * across * g, axis=0)
        bent = near * (1 - 3 * s) * across * g - bend[::-1] * g[::-1]
        slope += way * (h / step * (across * (1 - 6 * s * near) - value[::-1]) + bent)
    along, across = tile.to_world(*slope)
    return found, np.asarray(along + 1j * across)


def _cubic_weights(t: Array) -> tuple[Array, Array, Array, Array]:
    """Return the weights of the texels before, at, after and two after a point at t in [0, 1) from the second one."""
    return (
        0.5 * t * (t * (2 - t) - 1),
        0.5 * (t * t * (3 * t - 5) + 2),
        0.5 * t * (t * (4 - 3 * t) + 1),
        0.5 * t * t * (t - 1),
    )
