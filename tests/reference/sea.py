"""The eight fields of a cascade, from their definitions: one transform, or one sum, for each field.

The program packs two real fields into a complex transform. Here each field has a transform of its own.
"""

from functools import partial

import numpy as np

from ocean.waves.second_order import lift
from ocean.waves.tiles import blend

FIELDS = "height", "dxz", "dx", "dz", "slope_x", "slope_z", "dxx", "dzz"


def wave_numbers(size, side, rotation):
    """Return kx and kz [rad/m] in world axes, (size, size) in FFT order, of a tile of this side [m] and rotation."""
    whole = 2 * np.pi / side * np.fft.fftfreq(size, 1 / size)
    along, across = np.meshgrid(whole, whole)
    cos, sin = np.cos(rotation), np.sin(rotation)
    return cos * along - sin * across, sin * along + cos * across


def spectrum(h0, turns, ticks):
    """Return H = h0(k) e^{-iwt} + conj(h0(-k)) e^{+iwt}, where wave k turns `turns` times in 2^32 ticks."""
    whole = np.array([int(n) * int(ticks) % 2**32 for n in np.ravel(turns)], np.float64).reshape(np.shape(turns))
    wave = np.asarray(h0, np.complex128) * np.exp(-2j * np.pi * whole / 2**32)
    opposite = -np.arange(len(wave)) % len(wave)
    return wave + np.conj(wave[np.ix_(opposite, opposite)])


def field_spectra(H, kx, kz, depth, dispersion):
    """Return the transforms of the eight fields by name: height, displacement D = i k/|k| coth(kd) H, and their
    derivatives (Tessendorf 2001, eqs. 37 and 44, with the sign of D that sharpens crests, in finite depth)."""
    k = np.hypot(kx, kz)
    k[k == 0] = 1  # H is 0 there
    width = 1 / k if dispersion == "deep" else 1 / (k * np.tanh(k * depth))
    dx, dz = 1j * kx * width * H, 1j * kz * width * H
    return {
        "height": H,
        "dxz": 1j * kz * dx,
        "dx": dx,
        "dz": dz,
        "slope_x": 1j * kx * H,
        "slope_z": 1j * kz * H,
        "dxx": 1j * kx * dx,
        "dzz": 1j * kz * dz,
    }


def fields(h0, tile, turns, ticks, depth, dispersion, places=None):
    """Return the eight real fields of a cascade at a tick, each (size, size), with the lengths in m.

    `places`, world x and z [m] as 1-D arrays, gives the fields there as trigonometric sums, at and between texels.
    Displacements and their derivatives are not scaled by choppiness.
    """
    size = len(h0)
    kx, kz = wave_numbers(size, tile.side, tile.rotation)
    spectra = field_spectra(spectrum(h0, turns, ticks), kx, kz, depth, dispersion)
    if places is None:
        return {name: size**2 * np.fft.ifft2(each).real for name, each in spectra.items()}
    x, z = (np.asarray(axis, np.float64) for axis in places)
    waves = np.exp(1j * (x[:, None] * kx.ravel() + z[:, None] * kz.ravel()))
    return {name: (waves @ each.ravel()).real for name, each in spectra.items()}


def bilinear(field, tile, x, z):
    """Return a field of a tile at world positions [m] by repeating bilinear interpolation, as a texture unit does."""
    size = len(field)
    x, z, cos, sin = np.asarray(x), np.asarray(z), np.cos(tile.rotation), np.sin(tile.rotation)
    u, v = size / tile.side * np.stack([cos * x + sin * z, cos * z - sin * x])
    i, j = np.floor(u).astype(int), np.floor(v).astype(int)
    total = np.zeros(u.shape)
    for down, right in np.ndindex(2, 2):
        weight = (1 - abs(u - i - right)) * (1 - abs(v - j - down))
        total += weight * field[(j + down) % size, (i + right) % size]
    return total


def jacobian(dxx, dzz, dxz, choppiness):
    """Return the determinant of the map from still water to displaced water."""
    rows = np.stack([1 + choppiness * dxx, choppiness * dxz, choppiness * dxz, 1 + choppiness * dzz], axis=-1)
    return np.linalg.det(rows.reshape(*np.shape(dxx), 2, 2))


def normal(slope_x, slope_z, dxx, dzz, dxz, choppiness):
    """Return the unit normal (..., 3) of the displaced surface: the cross product of its tangents."""
    along_x = np.stack([1 + choppiness * dxx, slope_x, choppiness * dxz], axis=-1)
    along_z = np.stack([choppiness * dxz, slope_z, 1 + choppiness * dzz], axis=-1)
    cross = np.cross(along_z, along_x)
    return cross / np.linalg.norm(cross, axis=-1, keepdims=True)


def sea_at(cascades, x, z):
    """Return the eight fields, summed over cascades (tile and fields), at world positions [m] of still water.

    `ocean.waves.tiles.blend` blends the tile copies; `tests/waves/test_copies.py` holds it against its own formulas.
    """

    def packed(tile, each, x, z):
        values = [bilinear(each[name], tile, x, z) for name in FIELDS]
        return np.stack([real + 1j * imaginary for real, imaginary in zip(values[::2], values[1::2], strict=True)])

    total = sum(blend(tile, x, z, partial(packed, tile, each)) for tile, each in cascades)
    return dict(zip(FIELDS, (part for pair in total for part in (pair.real, pair.imag)), strict=True))


def surface_point(cascades, x, z, choppiness, lifts):
    """Return the position of the water that rests at world (x, z) [m]: `(x + c Dx, h + c lift, z + c Dz)`, summed over
    all cascades and their second-order lifts."""
    waves = []
    for one in cascades:
        at = sea_at([one], x, z)
        waves.append(np.stack([at["height"], at["dx"], at["dz"]]))
    height, dx, dz = np.sum(waves, axis=0)
    return x + choppiness * dx, height + choppiness * lift(lifts, waves), z + choppiness * dz
