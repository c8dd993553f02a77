"""The linear sea with choppiness and second-order lift, in float64: fields of one cascade on its grid or at points, the
displaced surface.

Shares no code with the program. It takes plain values: amplitudes h0(k) and turns n(k) per loop, (size, size) in FFT
order, and from a tile its `side`, `rotation` and `blended`. Each field is transformed alone. Arrays over texels are
indexed [z, x]; texel (row j, column i) lies at (i, j) side / size on the tile.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.ndimage import map_coordinates

FIELDS = ("height", "dxz", "dx", "dz", "slope_x", "slope_z", "dxx", "dzz")
"""Names of the eight fields: height [m], displacement (dx, dz) [m] at choppiness 1, and the derivatives of both."""

TRIANGLE, REACH = 0.6, 0.8
"""Edge of the triangles of tile copies, in sides; radius of a copy, in edges."""


def ticks_of(time, period):
    """Return a time [s] in ticks of 2^-32 loop periods, reduced exactly."""
    return round(Fraction(time) / Fraction(period) % 1 * 2**32) % 2**32


def to_world(tile, u, v):
    """Return a vector in tile axes in world axes (x, z)."""
    turned = (np.asarray(u) + 1j * np.asarray(v)) * np.exp(1j * tile.rotation)
    return turned.real, turned.imag


def to_tile(tile, x, z):
    turned = (np.asarray(x) + 1j * np.asarray(z)) * np.exp(-1j * tile.rotation)
    return turned.real, turned.imag


def turned(h0, n, ticks):
    """Return `h0(k) e^{-iwt}`, with w t = 2 pi n ticks / 2^32."""
    turns = np.asarray(n, np.uint64) * np.uint64(ticks) & np.uint64(2**32 - 1)
    return np.asarray(h0, complex) * np.exp(-2j * np.pi * turns / 2**32)


def spectrum(h0, n, ticks):
    """Return the spectrum of the real height: `h0(k) e^{-iwt}` and its conjugate at -k."""
    waves = turned(h0, n, ticks)
    opposite = -np.arange(len(waves)) % len(waves)
    return waves + waves[np.ix_(opposite, opposite)].conj()


def transfers(tile, size, depth, dispersion):
    """Return the factors, by field, from the spectrum of the height: i k for a derivative, and `i k/|k| coth(|k| d)`
    for the horizontal displacement (Tessendorf 2001, eqs. 37 and 44, with the sign of D that sharpens crests)."""
    axis = 2 * np.pi * np.fft.fftfreq(size, tile.side / size)
    kx, kz = to_world(tile, *np.meshgrid(axis, axis))
    k = np.hypot(kx, kz)
    k[0, 0] = 1.0
    width = 1j / k if dispersion == "deep" else 1j / (k * np.tanh(k * depth))
    dx, dz = kx * width, kz * width
    return {
        "height": np.ones_like(k),
        "dxz": 1j * kz * dx,
        "dx": dx,
        "dz": dz,
        "slope_x": 1j * kx,
        "slope_z": 1j * kz,
        "dxx": 1j * kx * dx,
        "dzz": 1j * kz * dz,
    }


def fields(h0, tile, n, ticks, depth, dispersion, places=None):
    """Return the eight fields of a cascade at a tick, each (size, size), or at `places`, world x and z [m] as 1-D
    arrays, as sums over all waves."""
    size = len(h0)
    factors = transfers(tile, size, depth, dispersion)
    if places is None:
        half = spectrum(h0, n, ticks)[:, : size // 2 + 1]
        return {
            name: np.fft.irfft2(half * factor[:, : size // 2 + 1], (size, size), norm="forward")
            for name, factor in factors.items()
        }
    waves = 2 * turned(h0, n, ticks)  # a real field is twice the real part of the sum over its waves
    return sums({name: waves * factor for name, factor in factors.items()}, tile, *places)


def sums(spectra, tile, x, z):
    """Return `Re sum over k of F(k) e^{i k x}` for each of named spectra at world positions [m], 1-D."""
    size = len(next(iter(spectra.values())))
    k = 2 * np.pi * np.fft.fftfreq(size, tile.side / size)
    along, across = (np.exp(1j * np.outer(k, np.mod(way, tile.side))) for way in to_tile(tile, x, z))
    return {name: np.sum((values @ along) * across, axis=0).real for name, values in spectra.items()}


def bilinear(field, tile, x, z):
    """Return a field of a tile at world positions [m] by repeating bilinear interpolation, as a texture unit does."""
    u, v = (way * (len(field) / tile.side) for way in to_tile(tile, x, z))
    return map_coordinates(field, [v, u], order=1, mode="grid-wrap")


# -- Tile copies -----------------------------------------------------------------------------------------------------


def random_offsets(i, j):
    """Return two numbers in [0, 1) for each point of an integer lattice (PCG2D; Jarzynski and Olano 2020)."""
    mask = np.uint64(2**32 - 1)
    a, b = ((n.astype(np.int64).astype(np.uint64) * np.uint64(1664525) + np.uint64(1013904223)) & mask for n in (i, j))
    for _ in range(2):
        a = (a + b * np.uint64(1664525)) & mask
        b = (b + a * np.uint64(1664525)) & mask
        a, b = a ^ (a >> np.uint64(16)), b ^ (b >> np.uint64(16))
    return (a >> np.uint64(8)) / 2**24, (b >> np.uint64(8)) / 2**24


def copies(tile, x, z):
    """Yield the three copies of a tile that show at world positions (...): x, z, weight, and the weight's gradient.

    Points of a lattice of equilateral triangles have copies, with the weight `a² / sqrt(sum of a⁴)` for
    `a = 1 - (distance / REACH)²`.
    """
    edge = TRIANGLE * tile.side
    u, v = to_tile(tile, x, z)
    row = np.floor(v / (edge * math.sqrt(0.75)))
    near = []
    for j in (row, row + 1):  # the nearest points of both rows around a point, and one to each side
        column = np.rint(u / edge - j / 2)
        for i in (column - 1, column, column + 1):
            away = np.stack([u - edge * (i + j / 2), v - edge * math.sqrt(0.75) * j]) / edge
            near.append((np.maximum(1 - np.sum(away**2, axis=0) / REACH**2, 0.0), i, j, *away))
    near = np.stack(near)
    order = np.argsort(-near[:, 0], axis=0)[:3]
    a, i, j, east, south = (np.take_along_axis(near[:, part], order, axis=0) for part in range(5))
    slope = np.stack([east, south]) * (-2 / REACH**2 / edge)  # of a
    norm = np.sqrt(np.sum(a**4, axis=0))
    gradient = 2 * a * slope / norm - a**2 * np.sum(2 * a**3 * slope, axis=1, keepdims=True) / norm**3
    for index in range(3):
        shift = to_world(tile, *(tile.side * offset for offset in random_offsets(i[index], j[index])))
        yield x + shift[0], z + shift[1], a[index] ** 2 / norm, *to_world(tile, *gradient[:, index])


def blended(tile, x, z, read):
    """Return the fields that `read(x, z)` returns by name for one tile, blended from copies if the tile is blended.
    Derivatives gain the gradient of the weights; dxz gains the mean of both of its gains."""
    x, z = np.asarray(x, float), np.asarray(z, float)
    if not tile.blended:
        return read(x, z)
    total = {}
    for cx, cz, weight, gx, gz in copies(tile, x, z):
        one = read(cx, cz)
        gain = {}
        if "slope_x" in one:
            gain = {"slope_x": gx * one["height"], "slope_z": gz * one["height"]}
            gain |= {"dxx": gx * one["dx"], "dzz": gz * one["dz"], "dxz": (gz * one["dx"] + gx * one["dz"]) / 2}
        for name, values in one.items():
            total[name] = total.get(name, 0.0) + weight * values + gain.get(name, 0.0)
    return total


def sea_at(cascades, x, z):
    """Return the eight fields, summed over cascades (tile, fields on its grid), at world positions of still water."""
    each = [
        blended(
            tile, x, z, lambda x, z, tile=tile, maps=maps: {name: bilinear(maps[name], tile, x, z) for name in FIELDS}
        )
        for tile, maps in cascades
    ]
    return {name: sum(one[name] for one in each) for name in FIELDS}


# -- Second-order lift and the displaced surface ---------------------------------------------------------------------


def bilinear_lift(lifts, first, second):
    """Return `sum over cascades of first . (own W second / 2 + sum over longer ones of cross W second)`, with fields
    (height, dx, dz) and the weights W = (1, orbit, orbit)."""
    total = 0.0
    for index, (one, waves) in enumerate(zip(lifts, first, strict=True)):
        factors = [longer.cross for longer in lifts[:index]] + [one.own / 2]
        for factor, other, theirs in zip(factors, lifts, second, strict=False):
            weighted = theirs[0] * waves[0] + other.orbit * (theirs[1] * waves[1] + theirs[2] * waves[2])
            total = total + factor * weighted
    return total


def lift(lifts, waves):
    """Return the second-order lift [m] at choppiness 1 of the waves (height, dx, dz) [m] of each cascade, longest
    first, from coefficients `own`, `cross`, `orbit` and `rise`."""
    return sum(one.rise for one in lifts) + bilinear_lift(lifts, waves, waves)


def lift_rate(lifts, waves, rates):
    """Return the derivative of `lift` for derivatives `rates` of the waves."""
    return bilinear_lift(lifts, rates, waves) + bilinear_lift(lifts, waves, rates)


def surface_point(cascades, x, z, choppiness, lifts):
    """Return the position of the water that rests at world (x, z) [m]: `(x + c dx, h + c lift, z + c dz)`, read
    bilinearly from maps of all cascades (tile, fields)."""
    waves = [[sea_at([one], x, z)[name] for name in ("height", "dx", "dz")] for one in cascades]
    height, dx, dz = np.sum(waves, axis=0)
    return x + choppiness * dx, height + choppiness * lift(lifts, waves), z + choppiness * dz


def jacobian(dxx, dzz, dxz, choppiness):
    """Return the area of a unit of still water, the determinant of `1 + c grad D`."""
    return 1 + choppiness * (dxx + dzz) + choppiness**2 * (dxx * dzz - dxz**2)


def normal(slope_x, slope_z, dxx, dzz, dxz, choppiness):
    """Return the unit normal (..., 3) of the displaced surface: the cross product of its tangents."""
    east = np.stack(np.broadcast_arrays(1 + choppiness * dxx, slope_x, choppiness * dxz), axis=-1)
    south = np.stack(np.broadcast_arrays(choppiness * dxz, slope_z, 1 + choppiness * dzz), axis=-1)
    cross = np.cross(south, east)
    return cross / np.linalg.norm(cross, axis=-1, keepdims=True)


@dataclass
class Sample:
    """Height [m], unit normal, velocity [m/s] and area of the water that rests at `still` (x, z) [m]."""

    still: np.ndarray
    height: np.ndarray
    normal: np.ndarray
    velocity: np.ndarray
    jacobian: np.ndarray


class WaveSum:
    """The exact sea at a time [s] and a choppiness, by sums over the waves of all cascades, longest first: objects with
    `tile`, `h0`, `steps`, `depth`, `dispersion` and `period`."""

    def __init__(self, cascades, time, choppiness, lifts=()):
        self.choppiness, self._cascades = choppiness, []
        self.lifts = list(lifts) or [NoLift()] * len(cascades)
        for one in cascades:
            numbers = np.abs(np.fft.fftfreq(len(one.h0), 1 / len(one.h0)))
            rows, columns = np.nonzero(one.h0)
            most = int(max(numbers[rows].max(initial=0), numbers[columns].max(initial=0))) + 1
            band = np.ix_(*2 * [np.r_[0 : min(most, len(one.h0) // 2), -min(most, len(one.h0) // 2) : 0]])
            waves = 2 * turned(one.h0[band], one.steps[band], ticks_of(time, one.period))
            factors = transfers(one.tile, len(waves), one.depth, one.dispersion)
            rates = -2j * np.pi / one.period * one.steps[band] * waves
            spectra = {name: waves * factor for name, factor in factors.items()}
            changes = {name: rates * factors[name] for name in ("height", "dxz", "dx", "dz")}
            self._cascades.append((one.tile, spectra, changes))

    def fields(self, names, x, z, rates=False):
        """Return named fields, or their time derivatives, of each cascade at 1-D positions, (cascade, name, n)."""
        found = np.zeros((len(self._cascades), len(names), x.size))
        for start in range(0, x.size, 256):
            part = slice(start, start + 256)
            for values, (tile, spectra, changes) in zip(found, self._cascades, strict=True):
                chosen = {name: (changes if rates else spectra)[name] for name in names}
                read = blended(tile, x[part], z[part], lambda x, z, tile=tile, chosen=chosen: sums(chosen, tile, x, z))
                values[:, part] = [read[name] for name in names]
        return found

    def displacement(self, x, z):
        """Return `(c dx, h + c lift, c dz)` [m] of the water that rests at world positions [m] of any shape."""
        shape = np.shape(x)
        waves = self.fields(("height", "dx", "dz"), np.ravel(x), np.ravel(z))
        (height, dx, dz), c = waves.sum(axis=0), self.choppiness
        up = height + c * lift(self.lifts, waves)
        return tuple(part.reshape(shape) for part in (c * dx, up, c * dz))

    def at_rest(self, x, z):
        """Return the surface where the water rests at world positions [m], 1-D."""
        each = self.fields(FIELDS, x, z)
        sea, c, by_name = dict(zip(FIELDS, each.sum(axis=0), strict=True)), self.choppiness, FIELDS.index
        waves = each[:, [by_name(name) for name in ("height", "dx", "dz")]]
        along_x = each[:, [by_name(name) for name in ("slope_x", "dxx", "dxz")]]
        along_z = each[:, [by_name(name) for name in ("slope_z", "dxz", "dzz")]]
        rates = self.fields(("height", "dx", "dz"), x, z, rates=True)
        up, east, south = rates.sum(axis=0)
        slopes = (
            sea[name] + c * lift_rate(self.lifts, waves, change)
            for name, change in (("slope_x", along_x), ("slope_z", along_z))
        )
        folds = sea["dxx"], sea["dzz"], sea["dxz"], c
        return Sample(
            np.stack([x, z], -1),
            sea["height"] + c * lift(self.lifts, waves),
            normal(*slopes, *folds),
            np.stack([c * east, up + c * lift_rate(self.lifts, waves, rates), c * south], -1),
            jacobian(*folds),
        )

    def surface(self, x, z):
        """Return the surface at world positions [m], 1-D, by a fixed point to 0.1 µm; exact where nothing folds."""
        px, pz = np.array(x, float), np.array(z, float)
        for _ in range(100):
            east, _, south = self.displacement(px, pz)
            off_x, off_z = px + east - x, pz + south - z
            px, pz = px - off_x, pz - off_z
            if np.hypot(off_x, off_z).max(initial=0.0) < 1e-7:
                break
        return self.at_rest(px, pz)


@dataclass
class NoLift:
    """Coefficients of a cascade without second-order lift."""

    own: float = 0.0
    cross: float = 0.0
    orbit: float = 1.0
    rise: float = 0.0
