"""A frame's fields in numpy: the evolved spectrum, its packing, the eight fields, normal, Jacobian and foam.

Between packing and fields lies numpy's `ifft2`, not normalised. Arrays over wave vectors and over texels are
(size, size), indexed [z, x]; texel (row j, column i) lies at (i, j) side / size on the tile. Amplitudes may have any
precision. Functions have the names of the shaders that do the same.
"""

import math

import numpy as np
from numpy.typing import NDArray

from ocean.waves import FIELDS
from ocean.waves.dispersion import Array, DispersionKind, orbit_ratio, phase
from ocean.waves.statistics import mirrored
from ocean.waves.whitecaps import FOAM_CUTOFF, MOST_AIR, roller

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


def breaking(jacobian: Array, threshold: float, width: float) -> Array:
    """Return the air that breaking water entrains, 0 to MOST_AIR. It grows by 1 as the Jacobian falls by `width`."""
    return np.clip((threshold - jacobian) / width, 0.0, MOST_AIR)


def rollers(strain: Array, entrained: Array, spilled: tuple[float, float]) -> Array:
    """Return the thickness [m] of the rollers on water that entrains some air, from (Dxx, Dzz, Dxz) on the last axis
    and the vector from breakers to their foam [m]. Where the water is compressed most at an angle to the wind, the
    thickness has the angle's cosine as a factor."""
    turned = np.stack([strain[..., 0] - strain[..., 1], 2 * strain[..., 2]], axis=-1)  # twice the other axis' angle
    turned /= np.maximum(np.linalg.norm(turned, axis=-1, keepdims=True), 1e-6)
    east, south = roller(spilled)
    cosine = (turned @ (east**2 - south**2, 2 * east * south)) / max(east**2 + south**2, 1e-12)
    return np.asarray(math.hypot(east, south) * entrained * np.sqrt(np.maximum(0.5 - 0.5 * cosine, 0)))


def foam_step(air: Array, entrained: Array, dt: float, decay_time: float) -> Array:
    """Return the air in the water after a time step dt [s]: the larger of the result of `breaking` and of older air,
    which falls by exp(-dt / decay_time). Air up to 1 is the strength of foam, and more air counts as 1."""
    air = np.maximum(air * math.exp(-dt / decay_time), entrained)
    return np.where(air > FOAM_CUTOFF, air, 0.0)
