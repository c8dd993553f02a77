"""A frame's fields in numpy: the evolved spectrum, its packing, the eight fields, normal, Jacobian and foam.

Between packing and fields lies numpy's `ifft2`, not normalised. Arrays over wave vectors and over texels are
(size, size), indexed [z, x]; texel (row j, column i) lies at (i, j) side / size on the tile. Amplitudes may have any
precision. Functions have the names of the shaders that do the same.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.waves import FIELDS
from ocean.waves.amplitudes import wave_numbers
from ocean.waves.dispersion import Array, DispersionKind, orbit_ratio, phase
from ocean.waves.statistics import mirrored
from ocean.waves.tiles import Tile
from ocean.waves.whitecaps import FOAM_CUTOFF

Complex = NDArray[np.complex128]
Fields = dict[str, Array]


def evolve(h0: NDArray[np.complexfloating], n: NDArray[np.uint32], ticks: int) -> Complex:
    """Return the spectrum at a time, `H = h0(k) e^{-iwt} + conj(h0(-k)) e^{+iwt}`, with wt = phase(n, ticks).

    Tessendorf (2001, eq. 43) has the other sign of w; with this one and the e^{+ikx} transform waves run along their k.
    """
    h0 = np.asarray(h0, np.complex128)
    rotation = np.exp(-1j * phase(n, ticks))
    return np.asarray(h0 * rotation + np.conj(mirrored(h0) * rotation))


def evolve_rate(h0: NDArray[np.complexfloating], n: NDArray[np.uint32], ticks: int, period: float) -> Complex:
    """Return the spectrum's time derivative dH/dt [1/s] at a time; w is `n 2 pi / T` for the loop period T [s].

    Packed like H it gives the rate of each field at a point of still water: the velocity of the water there.
    """
    turned = np.asarray(h0, np.complex128) * np.exp(-1j * phase(n, ticks))
    return np.asarray(-1j * (2 * math.pi / period) * n * (turned - np.conj(mirrored(turned))))


def pack(H: Complex, kx: Array, kz: Array, depth: float, dispersion: DispersionKind) -> Complex:
    """Return the eight fields' transforms as four complex arrays, (4, size, size); kx and kz [rad/m] in world axes.

    For real a and b with transforms A and B, the inverse transform of A + iB is a + ib. So
    `F1 = h + i Dxz`, `F2 = Dx + i Dz`, `F3 = hx + i hz`, `F4 = Dxx + i Dzz`, with the horizontal displacement
    `D = i k/|k| coth(kd) H` and i k for each derivative (Tessendorf 2001, eqs. 37 and 44, but with the sign of D that
    sharpens crests, and in finite depth).
    """
    k = np.hypot(kx, kz)
    k = np.where(k > 0, k, 1.0)  # H is 0 there
    ratio = orbit_ratio(k, depth, dispersion) / k
    return np.stack(
        [
            H - 1j * kx * kz * ratio * H,
            1j * kx * ratio * H - kz * ratio * H,
            1j * kx * H - kz * H,
            -kx * kx * ratio * H - 1j * kz * kz * ratio * H,
        ]
    )


def unpack(packed: Complex) -> Fields:
    """Return the eight real fields of four complex ones (4, ...)."""
    parts = (part for pair in packed for part in (pair.real, pair.imag))
    return dict(zip(FIELDS, parts, strict=True))


def sums(spectra: Complex, tile: Tile, x: ArrayLike, z: ArrayLike) -> Complex:
    """Return `sum over k of F(k) e^{+i k x}` of spectra (count, size, size) at world positions [m], 1-D: (count,
    positions).

    On texels this equals the inverse transform. The cost per position is the number of wave vectors.
    """
    n = tile.dk * wave_numbers(spectra.shape[-1])
    along, across = (np.exp(1j * np.outer(n, np.mod(w, tile.side))) for w in tile.to_tile(x, z))
    return np.asarray(np.einsum("fzp,zp->fp", spectra @ along, across))


def cubic(fields: NDArray[np.complexfloating], tile: Tile, x: ArrayLike, z: ArrayLike) -> Complex:
    """Return complex fields (count, size, size) of a tile at world positions [m] (...), as (count, ...), by cubic
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
    """Return packed maps (4, size, size) of a solved surface, eta(X) over each place X, in the form that map readers
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
    """Return the time derivative, (2, size, size), of the first two maps of `carried`, from the maps' derivative."""
    x, z = _water(still, tile, choppiness)
    _, slopes = _where_water_is(still, tile, choppiness)
    rate = cubic(rates[:1], tile, x, z)[0].real
    moved = slopes.real * rates[1].real + slopes.imag * rates[1].imag
    return np.stack([rate + choppiness * moved + 1j * rates[0].imag, rates[1]]).astype(rates.dtype)


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
    """Return the weights of the texels before, at, after and two after a place at t in [0, 1) from the second one."""
    return (
        0.5 * t * (t * (2 - t) - 1),
        0.5 * (t * t * (3 * t - 5) + 2),
        0.5 * t * (t * (4 - 3 * t) + 1),
        0.5 * t * t * (t - 1),
    )


def jacobian(dxx: Array, dzz: Array, dxz: Array, choppiness: float) -> Array:
    """Return `J = (1 + c Dxx)(1 + c Dzz) - (c Dxz)²`: below 0 the surface has folded over.

    Not linear in the waves: sum the derivatives of all cascades first.
    """
    return (1 + choppiness * dxx) * (1 + choppiness * dzz) - (choppiness * dxz) ** 2


def normal(slope_x: Array, slope_z: Array, dxx: Array, dzz: Array, dxz: Array, choppiness: float) -> Array:
    """Return the unit normal (x, y, z) of the displaced surface on a last axis of 3: the cross product of its tangents.

    `((1 + Dxx), hx, Dxz)` and `(Dxz, hz, 1 + Dzz)` are the tangents, so no division is needed; exact where J > 0.
    """
    dxx, dzz, dxz = choppiness * dxx, choppiness * dzz, choppiness * dxz
    up = (1 + dxx) * (1 + dzz) - dxz**2
    cross = np.stack([dxz * slope_z - (1 + dzz) * slope_x, up, dxz * slope_x - (1 + dxx) * slope_z], axis=-1)
    return np.asarray(cross / np.linalg.norm(cross, axis=-1, keepdims=True))


def foam_step(foam: Array, jacobian: Array, threshold: float, width: float, dt: float, decay_time: float) -> Array:
    """Return foam, 0 to 1, after a time step dt [s]: the larger of aged and new foam.

    Foam ages by exp(-dt / decay_time), and is born as the Jacobian falls from the threshold to `width` below it.
    """
    born = np.clip((threshold - jacobian) / width, 0.0, 1.0)
    foam = np.maximum(foam * math.exp(-dt / decay_time), born)
    return np.where(foam > FOAM_CUTOFF, foam, 0.0)
