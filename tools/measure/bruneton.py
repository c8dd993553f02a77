"""The sky by Bruneton's method in numpy, a second method for the comparison of `judged_skies.py`.

Bruneton and Neyret (2008), "Precomputed atmospheric scattering", with the coordinates, sizes of tables and numbers of
steps and directions of Bruneton's implementation of 2017 ("Precomputed atmospheric scattering: a new implementation",
functions.glsl; the docstrings give its names). Orders of scattering are computed one after another, each with the true
phase functions, in the air and over the sea of this program. Tables are (heights, views, suns, angles between both,
wavelengths). Light is divided by the sun's irradiance above the air.
"""

import itertools
from collections.abc import Callable
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates

from ocean.light.air import EARTH_RADIUS, SUN_RADIUS, TOP
from ocean.light.spectrum import Array
from tests.reference.atmosphere import SEA_ALBEDO, Atmosphere, aerosol_phase, rayleigh_phase
from tests.reference.geometry import height_along, horizon, to_sea, to_top

Mask = NDArray[np.bool_]
Source = Callable[[Array, Array, Array, Array, Mask], Array]
"""Light, as a function of height, view, sun, angle between both, and whether the sea ends the view."""

HEIGHTS, VIEWS, SUNS, ANGLES = 32, 128, 32, 8  # SCATTERING_TEXTURE_R_SIZE, MU, MU_S and NU
GROUND_SUNS = 64  # IRRADIANCE_TEXTURE_WIDTH
STEPS, THETAS = 50, 16  # of a path; of the directions of a sphere from pole to pole
REACH = np.sqrt(TOP * (2 * EARTH_RADIUS + TOP))  # H: m, from the sea's horizon to the air's end
LOWEST_SUN = np.cos(np.radians(102))
A = (to_top(np.zeros(()), np.array(LOWEST_SUN)) - TOP) / (REACH - TOP)


def lookup(table: Array, place: Array) -> Array:
    """Interpolate a table at indices of shape (4, ...)."""
    shape, flat = place.shape[1:], place.reshape(4, -1)
    found = [map_coordinates(table[..., i], flat, order=1, mode="nearest") for i in range(table.shape[-1])]
    return np.stack(found, axis=-1).reshape(*shape, -1)


def places(height: Array | float, mu: Array, mu_sun: Array, nu: Array, hits: Mask | bool) -> Array:
    """Return GetScatteringTextureUvwzFromRMuMuSNu, as indices of entries."""
    height, mu, mu_sun, nu, hits = np.broadcast_arrays(height, mu, mu_sun, nu, hits)
    rho, half = np.sqrt(height * (2 * EARTH_RADIUS + height)), VIEWS // 2 - 1
    down = np.clip((to_sea(height, mu) - height) / np.maximum(rho - height, 1e-6), 0, 1)
    up = np.clip((to_top(height, mu) - (TOP - height)) / (rho + REACH - (TOP - height)), 0, 1)
    a = (to_top(np.zeros(()), mu_sun) - TOP) / (REACH - TOP)
    sun = np.maximum(1 - a / A, 0) / (1 + a)
    view = np.where(hits, half * (1 - down), half + 1 + half * up)
    return np.stack([rho / REACH * (HEIGHTS - 1), view, sun * (SUNS - 1), (nu + 1) / 2 * (ANGLES - 1)])


def sphere(rows: int, columns: int) -> tuple[Array, Array]:
    """Return unit vectors (n, 3), z up, and their solid angles. They are the middles of equal steps of angle, from the
    zenith to the nadir and once around."""
    theta, phi = np.pi * (np.arange(rows) + 0.5) / rows, 2 * np.pi * (np.arange(columns) + 0.5) / columns
    theta, phi = (x.ravel() for x in np.meshgrid(theta, phi, indexing="ij"))
    vectors = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], axis=1)
    return vectors, np.sin(theta) * (np.pi / rows) * (2 * np.pi / columns)


def later(table: Array, height: Array, mu: Array, mu_sun: Array, nu: Array, hits: Mask) -> Array:
    """Return GetScattering of an order after the first."""
    return lookup(table, places(height, mu, mu_sun, nu, hits))


class Bruneton:
    """Tables of single scattering by molecules and by aerosols, without their phase functions, and of all later orders
    up to `orders`. The table of transmittance is that of the atmosphere, which has Bruneton's coordinates."""

    def __init__(self, atmosphere: Atmosphere, orders: int) -> None:
        assert atmosphere.forward == 0.0
        self.atmosphere, self.orders = atmosphere, orders
        x = np.linspace(0, 1, HEIGHTS)
        self.rho = x * REACH
        self.height = self.rho**2 / (np.sqrt(self.rho**2 + EARTH_RADIUS**2) + EARTH_RADIUS)
        a = A * (1 - x) / (1 + x * A)
        d = TOP + a * (REACH - TOP)
        self.mu_sun = (REACH**2 - d**2) / (2 * EARTH_RADIUS * d)

    def views(self, i: int) -> tuple[Array, Mask, Array, Array]:
        """Return GetRMuMuSNuFromScatteringTextureUvwz at one height: cosines of views to the zenith, whether they meet
        the sea, their lengths, all of shape (VIEWS, 1, 1), and cosines to the sun (VIEWS, SUNS, ANGLES)."""
        height, rho = self.height[i], self.rho[i]
        x = np.linspace(0, 1, VIEWS // 2)
        sea, top = height + x[::-1] * (rho - height), TOP - height + x * (rho + REACH - TOP + height)
        r = EARTH_RADIUS + height
        down = np.where(sea > 0, -(rho**2 + sea**2) / (2 * r * np.maximum(sea, 1.0)), -1.0)
        up = np.where(top > 0, (REACH**2 - rho**2 - top**2) / (2 * r * np.maximum(top, 1.0)), 1.0)
        mu = np.clip(np.concatenate([down, up]), -1, 1)[:, None, None]
        length = np.concatenate([sea, top])[:, None, None]
        across = np.sqrt((1 - mu**2) * (1 - self.mu_sun[:, None] ** 2))
        middle = mu * self.mu_sun[:, None]
        nu = np.clip(np.linspace(-1, 1, ANGLES), middle - across, middle + across)
        return mu, (np.arange(VIEWS) < VIEWS // 2)[:, None, None], length, nu

    def through(self, height: Array | float, mu: Array, there: Array, mu_there: Array, hits: Mask) -> Array:
        """Return GetTransmittance between two points of a path."""
        t = self.atmosphere.transmittance
        near, far = np.where(hits, -mu_there, mu), np.where(hits, -mu, mu_there)
        whole = t(np.where(hits, there, height), near)
        return np.minimum(whole / np.maximum(t(np.where(hits, height, there), far), 1e-300), 1.0)

    def integral(self, source: Source) -> Array:
        """Return tables of the light that a source adds along each view (ComputeSingleScattering,
        ComputeMultipleScattering). The source is light per metre, of shape (..., tables, wavelengths), by height, view,
        sun, angle, and whether the sea ends the view. Bruneton's steps are equal, 2 km straight up here. Steps grow
        from the lowest here, because sea salt is only half a kilometre high."""
        rows = []
        for i, height in enumerate(self.height):
            mu, hits, length, nu = self.views(i)
            lowest = np.clip(-(EARTH_RADIUS + height) * mu, 0.0, length)
            edges = lowest + np.linspace(-np.cbrt(lowest), np.cbrt(length - lowest), STEPS + 1) ** 3
            total = 0.0
            for start, end in itertools.pairwise(np.maximum(edges, 0.0)):
                along = 0.5 * (start + end)
                h = np.clip(height_along(np.array(height), mu, along), 0.0, TOP)
                r, near = EARTH_RADIUS + h, EARTH_RADIUS + height
                there = np.clip((near * mu + along) / r, -1, 1)
                sun = np.clip((near * self.mu_sun[:, None] + along * nu) / r, -1, 1)
                kept = self.through(height, mu, h, there, hits) * (end - start)[..., None]
                total = total + kept[..., None, :] * source(h, there, sun, nu, hits)
            rows.append(total)
        return np.moveaxis(np.stack(rows), -2, 0)

    @cached_property
    def single(self) -> Array:
        """Light scattered once by molecules, and by aerosols, without their phase functions."""

        def source(height: Array, mu: Array, mu_sun: Array, nu: Array, hits: Mask) -> Array:
            lit = self.atmosphere.sunlight(np.broadcast_to(height, mu_sun.shape), mu_sun)
            molecules, aerosols, _ = self.atmosphere.coefficients(height)
            return np.stack([lit * molecules, lit * aerosols], axis=-2)

        return self.integral(source)

    @cached_property
    def multiple(self) -> Array:
        """Light scattered twice and more often, by order."""
        light: Source = self.first
        tables: list[Array] = []
        suns = np.linspace(-1, 1, GROUND_SUNS)  # GetIrradianceTextureUvFromRMuMuS, at sea level
        seen = np.where(
            suns < -SUN_RADIUS, 0.0, np.where(suns > SUN_RADIUS, suns, (suns + SUN_RADIUS) ** 2 / 4 / SUN_RADIUS)
        )
        ground = seen[:, None] * self.atmosphere.transmittance(np.zeros(GROUND_SUNS), np.maximum(suns, 0.0))
        for _ in range(2, self.orders + 1):
            density = self.density(light, ground)
            ground = self.irradiance(light, suns)
            tables.append(self.integral(lambda *at, of=density: lookup(of, places(*at))[..., None, :])[0])
            light = partial(later, tables[-1])
        return np.stack(tables)

    def first(self, height: Array, mu: Array, mu_sun: Array, nu: Array, hits: Mask) -> Array:
        """Return GetScattering of the first order."""
        place = places(height, mu, mu_sun, nu, hits)
        molecules, aerosols = (lookup(table, place) for table in self.single)
        return molecules * rayleigh_phase(nu)[..., None] + aerosols * aerosol_phase(nu)[..., None]

    def density(self, light: Source, ground: Array) -> Array:
        """Return ComputeScatteringDensity: the light that an order, and the sea under it, scatter into each view.
        Directions surround the sun's side of the sky, not the view's as in Bruneton's code, so each is looked up
        once."""
        towards, solid = sphere(THETAS, 2 * THETAS)
        table = np.zeros((HEIGHTS, VIEWS, SUNS, ANGLES, ground.shape[-1]))
        for i, height in enumerate(self.height):
            mu, _, _, nu = self.views(i)
            up = towards[:, 2]
            hits = up < horizon(np.array(height))
            far = to_sea(np.full_like(up, height), up)
            kept = self.through(
                height, up, np.zeros_like(up), (EARTH_RADIUS + height) * up / EARTH_RADIUS + far / EARTH_RADIUS, hits
            )
            molecules, aerosols, _ = self.atmosphere.coefficients(np.array(height))
            for j, sun in enumerate(self.mu_sun):
                cosine = towards @ [np.sqrt(1 - sun**2), 0.0, sun]
                incident = light(height, up, sun, cosine, hits)
                at_sea = ((EARTH_RADIUS + height) * sun + far * cosine) / EARTH_RADIUS
                place = (np.clip(at_sea, -1, 1) + 1) / 2 * (GROUND_SUNS - 1)
                lit = np.stack([np.interp(place, np.arange(GROUND_SUNS), g) for g in ground.T], axis=-1)
                incident = solid[:, None] * (incident + np.where(hits[:, None], kept * SEA_ALBEDO / np.pi * lit, 0.0))
                across = np.sqrt(np.maximum(1 - mu[:, 0] ** 2, 0))
                x = np.clip((nu[:, j] - mu[:, 0] * sun) / np.maximum(across * np.sqrt(1 - sun**2), 1e-9), -1, 1)
                view = np.stack([across * x, across * np.sqrt(1 - x**2), np.broadcast_to(mu[:, 0], x.shape)], axis=-1)
                nu_in = np.clip(view @ towards.T, -1, 1).astype("f4")  # these phases take most of the time
                table[i, :, j] = molecules * (rayleigh_phase(nu_in) @ incident) + aerosols * (
                    aerosol_phase(nu_in) @ incident
                )
        return table

    def irradiance(self, light: Source, suns: Array) -> Array:
        """Return ComputeIndirectIrradiance at sea level."""
        towards, solid = sphere(2 * THETAS, 4 * THETAS)
        towards, solid = towards[towards[:, 2] > 0], solid[towards[:, 2] > 0]
        cosine = towards @ np.stack([np.sqrt(1 - suns**2), np.zeros_like(suns), suns])
        found = light(np.array(0.0), towards[:, 2:], suns, cosine, np.array(False))
        return np.asarray(np.einsum("n,nsw->sw", solid * towards[:, 2], found))

    def radiance(self, mu: Array, mu_sun: Array, nu: Array, orders: int | None = None) -> Array:
        """Return GetSkyRadiance at sea level [1/sr], of all orders or of the first `orders`. The table of the
        molecules' single scattering holds later orders too, divided by the molecules' phase function."""
        angles = np.stack([self.views(i)[3] for i in range(HEIGHTS)])
        later = self.multiple[: None if orders is None else orders - 1].sum(axis=0)
        both = self.single[0] + later / rayleigh_phase(angles)[..., None]
        place = places(0.0, mu, mu_sun, nu, False)
        molecules, aerosols = lookup(both, place), lookup(self.single[1], place)
        return molecules * rayleigh_phase(nu)[..., None] + aerosols * aerosol_phase(nu)[..., None]
