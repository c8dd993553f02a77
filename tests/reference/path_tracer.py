"""Light in the air by tracing paths backwards from the eye. Chance is its only error, so it is the reference for the
sky.

Each path is made to collide within the air, weighted by the probability of that; scatters by the phase function of the
particle; and collects the light of any number of suns at each of its vertices. The tracer reads no table of the sky.
"""

from functools import cached_property

import numpy as np

from ocean.light.optics import EARTH_RADIUS, SUN_RADIUS, Array
from tests.reference.atmosphere import ASYMMETRY, SEA_ALBEDO, Atmosphere, aerosol_phase, rayleigh_phase
from tests.reference.geometry import TOP, bilinear, height_along, horizon, smoothstep, to_sea, to_top

STEPS = 64
REACH = np.sqrt(TOP * (2 * EARTH_RADIUS + TOP))  # m, from the sea's horizon to the end of the air


class PathTracer:
    """Paths through an atmosphere's air at the first of its wavelengths."""

    def __init__(self, atmosphere: Atmosphere) -> None:
        self.atmosphere = atmosphere

    def radiance(self, suns: Array, view: Array, paths: int, orders: int, seed: int | list[int]) -> tuple[Array, Array]:
        """Return the radiance of the sky at sea level towards `view`, per irradiance of the suns [1/sr], by order of
        scattering: means of shape (suns, orders) and the standard errors of their sums. `suns` (n, 3) and `view` are
        unit vectors, y up."""
        rng = np.random.default_rng(seed)
        # A part of the collisions is drawn evenly over all steps: at twilight the lit air lies so high that few paths
        # would reach it.
        alike = 0.5 if suns[:, 1].max() < 0 else 0.1
        position = np.tile([0.0, EARTH_RADIUS + 1.0, 0.0], (paths, 1))
        towards = np.tile(np.asarray(view, dtype=float), (paths, 1))
        weight, rows = np.ones(paths), np.arange(paths)
        collected = np.zeros((orders, paths, len(suns)))
        for order in range(orders):
            radius = np.linalg.norm(position, axis=1)
            height, up = np.clip(radius - EARTH_RADIUS, 0.0, TOP), position / radius[:, None]
            mu = np.clip((up * towards).sum(axis=1), -1, 1)
            hits = mu < horizon(height)
            length = np.where(hits, to_sea(height, mu), to_top(height, mu))
            edges, thickness = self.steps(height, mu, length)
            left = np.exp(-np.cumsum(np.pad(thickness, ((0, 0), (1, 0))), axis=1))
            # The sea reflects evenly. A random number decides whether a path collides in the air or meets the sea.
            collides = 1 - left[:, -1]
            to_water = hits & (rng.random(paths) >= collides)
            shares = -np.diff(left) / np.maximum(collides, 1e-300)[:, None]
            drawn = (1 - alike) * shares + alike / STEPS
            step = np.minimum((np.cumsum(drawn, axis=1) < rng.random((paths, 1))).sum(axis=1), STEPS - 1)
            weight *= np.where(to_water, 1.0, shares[rows, step] / drawn[rows, step]) * np.where(hits, 1.0, collides)
            thick = np.maximum(thickness[rows, step], 1e-30)
            within = -np.log1p(rng.random(paths) * np.expm1(-thick)) / thick
            along = np.where(to_water, length, edges[rows, step] + within * (edges[rows, step + 1] - edges[rows, step]))
            position = position + along[:, None] * towards
            radius = np.linalg.norm(position, axis=1)
            up = position / radius[:, None]
            height = np.where(to_water, 0.0, np.clip(radius - EARTH_RADIUS, 0.0, TOP))
            rayleigh, aerosol, extinction = (c[..., 0] for c in self.atmosphere.coefficients(height))
            for i, sun in enumerate(suns):
                nu, mu_sun = towards @ sun, up @ sun
                scattered = (rayleigh * rayleigh_phase(nu) + aerosol * aerosol_phase(nu)) / extinction
                sent = np.where(to_water, SEA_ALBEDO / np.pi * np.maximum(mu_sun, 0), scattered)
                collected[order, :, i] = weight * self.sunlight(height, mu_sun) * sent
            # On to the next vertex.
            weight *= np.where(to_water, SEA_ALBEDO, (rayleigh + aerosol) / extinction)
            by_molecule = rng.random(paths) * (rayleigh + aerosol) < rayleigh
            cosine = np.where(by_molecule, rayleigh_cosine(rng, paths), aerosol_cosine(rng, paths))
            turned = around(rng, towards, cosine)
            towards = np.where(to_water[:, None], around(rng, up, np.sqrt(rng.random(paths))), turned)
        return collected.mean(axis=1).T, collected.sum(axis=0).std(axis=0) / np.sqrt(paths)

    def steps(self, height: Array, mu: Array, length: Array) -> tuple[Array, Array]:
        """Return edges and optical thicknesses of a path's steps. Steps grow away from the path's lowest point."""
        lowest = np.clip(-(EARTH_RADIUS + height) * mu, 0.0, length)
        root = np.linspace(-np.cbrt(lowest), np.cbrt(length - lowest), STEPS + 1, axis=-1)
        edges = np.maximum(lowest[:, None] + root**3, 0.0)
        h = height_along(height[:, None], mu[:, None], 0.5 * (edges[:, 1:] + edges[:, :-1]))
        return edges, self.atmosphere.coefficients(h)[2][..., 0] * np.diff(edges)

    @cached_property
    def depths(self) -> Array:
        """Optical depths to the air's end, on a grid 4 times as fine as the sky's table of transmittance."""
        rho, u = (x.ravel() for x in np.meshgrid(np.linspace(0, REACH, 128), np.linspace(0, 1, 512), indexing="ij"))
        height = rho**2 / (np.hypot(rho, EARTH_RADIUS) + EARTH_RADIUS)
        d = TOP - height + u * (rho + REACH - TOP + height)
        mu = (REACH**2 - rho**2 - d**2) / np.maximum(2 * (EARTH_RADIUS + height) * d, 1e-9)
        _, thickness = self.steps(height, np.maximum(mu, horizon(height)), d)
        return np.asarray(thickness.sum(axis=1).reshape(128, 512, 1))

    def sunlight(self, height: Array, mu_sun: Array) -> Array:
        """Return the fraction of the sun's light that reaches a height."""
        shown, mu = smoothstep(-SUN_RADIUS, SUN_RADIUS, mu_sun - horizon(height)), np.maximum(mu_sun, horizon(height))
        rho, nearest = np.sqrt(height * (2 * EARTH_RADIUS + height)), TOP - height
        u = np.clip((to_top(height, mu) - nearest) / (rho + REACH - nearest), 0, 1)
        return shown * np.exp(-bilinear(self.depths, rho / REACH, u)[:, 0])


def rayleigh_cosine(rng: np.random.Generator, count: int) -> Array:
    """Return cosines distributed as 3/8 (1 + c²), by Cardano's formula."""
    z = 2 * (2 * rng.random(count) - 1)
    a = np.cbrt(z + np.sqrt(z * z + 1))
    return a - 1 / a


def aerosol_cosine(rng: np.random.Generator, count: int) -> Array:
    """Return cosines distributed as the aerosol's phase function, by a table of its integral."""
    cosine = 1 - 2 * np.linspace(0, 1, 4001) ** 3
    middle = 0.5 * (cosine[1:] + cosine[:-1])
    cumulative = np.concatenate([[0.0], np.cumsum(aerosol_phase(middle) * -np.diff(cosine))])
    assert 0.7 < ASYMMETRY < 0.9
    return np.interp(rng.random(count), cumulative / cumulative[-1], cosine)


def around(rng: np.random.Generator, axis: Array, cosine: Array) -> Array:
    """Return unit vectors at these cosines to the axes, at random azimuths."""
    azimuth = 2 * np.pi * rng.random(len(axis))
    helper = np.where(np.abs(axis[:, :1]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    first = np.cross(axis, helper)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = np.cross(axis, first)
    sine = np.sqrt(np.maximum(1 - cosine**2, 0))
    aside = np.cos(azimuth)[:, None] * first + np.sin(azimuth)[:, None] * second
    return np.asarray(cosine[:, None] * axis + sine[:, None] * aside)
