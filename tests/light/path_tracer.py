"""Light in the air by tracing paths backwards from the eye: no approximation but chance, so it judges the sky's.

Each path collides within the air for certain, weighted by how likely that was, scatters by the phase function of what
it met, and collects the sun's light at each of its vertices.
"""

import numpy as np

from ocean.light.air import ASYMMETRY, EARTH_RADIUS, SEA_ALBEDO, aerosol_phase, rayleigh_phase
from ocean.light.atmosphere import horizon, to_sea, to_top

STEPS = 48


def radiance_over_irradiance(atmosphere, sun, view, paths, orders, seed):
    """Radiance [1/sr] of the sky at sea level towards `view` over the sun's irradiance, by order of scattering: means
    and standard errors, shape (orders,). One wavelength; `sun` and `view` are unit vectors with y up."""
    rng = np.random.default_rng(seed)
    position = np.tile([0.0, EARTH_RADIUS + 1.0, 0.0], (paths, 1))
    towards = np.tile(np.asarray(view, dtype=float), (paths, 1))
    weight = np.ones(paths)
    collected = np.zeros((orders, paths))
    for order in range(orders):
        radius = np.linalg.norm(position, axis=1)
        height, up = np.maximum(radius - EARTH_RADIUS, 0.0), position / radius[:, None]
        mu = np.clip((up * towards).sum(axis=1), -1, 1)
        hits = mu < horizon(height)
        length = np.where(hits, to_sea(height, mu), to_top(height, mu))
        edges = (np.arange(STEPS + 1) / STEPS)[None, :] ** 2 * length[:, None]
        middle = 0.5 * (edges[:, 1:] + edges[:, :-1])
        h = np.sqrt(radius[:, None] ** 2 + middle * (middle + 2 * (radius * mu)[:, None])) - EARTH_RADIUS
        depth = np.concatenate(
            [np.zeros((paths, 1)), np.cumsum(atmosphere.coefficients(h)[2][..., 0] * np.diff(edges), axis=1)], axis=1
        )
        # The sea reflects evenly; which of the two a path does is drawn.
        through = np.exp(-depth[:, -1])
        to_water = hits & (rng.random(paths) < through)
        target = -np.log1p(-rng.random(paths) * (1 - through))
        weight *= np.where(hits, 1.0, 1 - through)
        step = np.minimum((depth <= target[:, None]).sum(axis=1) - 1, STEPS - 1)
        rows = np.arange(paths)
        share = (target - depth[rows, step]) / np.maximum(depth[rows, step + 1] - depth[rows, step], 1e-30)
        along = np.where(to_water, length, edges[rows, step] + share * (edges[rows, step + 1] - edges[rows, step]))
        position = position + along[:, None] * towards
        radius = np.linalg.norm(position, axis=1)
        up = position / radius[:, None]
        height = np.where(to_water, 0.0, np.maximum(radius - EARTH_RADIUS, 0.0))
        rayleigh, aerosol, extinction = (c[..., 0] for c in atmosphere.coefficients(height))
        nu, mu_sun = towards @ sun, up @ sun
        lit = atmosphere.sunlight(height, mu_sun)[:, 0]
        scattered = (rayleigh * rayleigh_phase(nu) + aerosol * aerosol_phase(nu)) / extinction
        collected[order] = weight * lit * np.where(to_water, SEA_ALBEDO / np.pi * np.maximum(mu_sun, 0), scattered)
        # On to the next vertex.
        weight *= np.where(to_water, SEA_ALBEDO, (rayleigh + aerosol) / extinction)
        by_molecule = rng.random(paths) * (rayleigh + aerosol) < rayleigh
        cosine = np.where(by_molecule, rayleigh_cosine(rng, paths), aerosol_cosine(rng, paths))
        turned = around(rng, towards, cosine)
        towards = np.where(to_water[:, None], around(rng, up, np.sqrt(rng.random(paths))), turned)
    return collected.mean(axis=1), collected.std(axis=1) / np.sqrt(paths)


def rayleigh_cosine(rng, count):
    """Cosines distributed as 3/8 (1 + c²): the root of Cardano's formula."""
    z = 2 * (2 * rng.random(count) - 1)
    a = np.cbrt(z + np.sqrt(z * z + 1))
    return a - 1 / a


def aerosol_cosine(rng, count):
    """Cosines distributed as the aerosol's phase function, by a table of its integral."""
    cosine = 1 - 2 * np.linspace(0, 1, 4001) ** 3
    middle = 0.5 * (cosine[1:] + cosine[:-1])
    cumulative = np.concatenate([[0.0], np.cumsum(aerosol_phase(middle) * -np.diff(cosine))])
    assert 0.7 < ASYMMETRY < 0.9
    return np.interp(rng.random(count), cumulative / cumulative[-1], cosine)


def around(rng, axis, cosine):
    """Unit vectors at these cosines to the axes, at random azimuths."""
    azimuth = 2 * np.pi * rng.random(len(axis))
    helper = np.where(np.abs(axis[:, :1]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    first = np.cross(axis, helper)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = np.cross(axis, first)
    sine = np.sqrt(np.maximum(1 - cosine**2, 0))
    return cosine[:, None] * axis + sine[:, None] * (
        np.cos(azimuth)[:, None] * first + np.sin(azimuth)[:, None] * second
    )
