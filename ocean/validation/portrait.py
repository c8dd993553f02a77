"""The spectra of a sea for plots: over frequency, and over frequency and direction."""

from dataclasses import dataclass

import numpy as np

from ocean.validation.periodogram import Periodogram, Rings
from ocean.validation.truth import Truth
from ocean.waves.dispersion import Array, group_speed, wavenumber
from ocean.waves.statistics import polar_density

LIMIT = 2.5
"""Radius of the polar plot, in peak frequencies."""

PIXELS = 96
QUANTILES = 0.025, 0.975
FAINTEST = 0.1
"""Density, as a share of the highest one, below which a wave vector gets no dot."""


@dataclass(frozen=True, eq=False)
class Portrait:
    """The spectra of a sea. Frequencies w in rad/s, densities in m² s; the polar plot has north up and east to the
    right.

    `theory` is (w, S) of the spectrum, `band` (w, low, high) the range of 95 % of all draws on this grid, `measured`
    the measured rings. `image` (PIXELS, PIXELS), rows from the north, is the root of the density over w and direction
    as a share of the highest one, out to `limit`. `dots` (3, n) are the measured wave vectors, as x, y and that root.
    """

    theory: tuple[Array, Array]
    band: tuple[Array, Array, Array]
    measured: Rings | None
    limit: float
    image: Array
    dots: Array


def draw(truth: Truth, periodogram: Periodogram | None) -> Portrait | None:
    """Return the portrait of a measured sea; None for flat water."""
    from scipy.special import gammaincinv

    peak = truth.rings.peak_period
    if peak <= 0:
        return None
    depth, kind = truth.systems[0].depth, truth.systems[0].dispersion
    w = np.geomspace(0.3 * 2 * np.pi / peak, truth.rings.w[-1], 400)
    density = np.sum([system.density(w) for system in truth.systems], axis=0)
    low, high = (gammaincinv(truth.rings.waves, q) / truth.rings.waves * truth.rings.density for q in QUANTILES)

    limit = LIMIT * 2 * np.pi / peak
    axis = limit * (np.arange(PIXELS) + 0.5 - PIXELS / 2) / (PIXELS / 2)
    radius = np.hypot(axis, axis[:, None])
    k = wavenumber(radius, depth, kind)
    # Density over w and direction: Psi k dk dtheta = E dw dtheta.
    polar = polar_density(truth.systems, k, np.arctan2(axis, -axis[:, None])) * k / group_speed(k, depth, kind)
    top = float(polar.max())
    image = np.where(radius < limit, np.sqrt(polar / top), 0.0)

    found = []
    for lattice, power in zip(periodogram.lattices, periodogram.powers, strict=True) if periodogram else ():
        share = np.sqrt(power / lattice.tile.dk**2 * lattice.k / lattice.speed / top)
        near = (lattice.w < limit) & (share**2 > FAINTEST)
        x, z = lattice.direction
        found.append(np.stack([lattice.w * x, -lattice.w * z, share])[:, near])
    dots = np.concatenate(found, axis=1) if found else np.zeros((3, 0))
    measured = None if periodogram is None else periodogram.rings
    return Portrait((w, density), (truth.rings.w, low, high), measured, limit, image, dots)
