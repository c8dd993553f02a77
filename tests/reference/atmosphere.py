"""Reference in float64 for the sky of a round earth: the tables that `render/sky.py` makes on the GPU.

Hillaire (2020), "A scalable and production ready sky and atmosphere rendering technique": light scattered once is
integrated along the view; light scattered more often is looked up by height and sun alone, and its orders are a
geometric series. Two points differ: with moments, later orders depend on direction, and a few orders computed one by
one correct the series. Directions are (cosine to the zenith, cosine to the sun); radiance is spectral
[W/m²/sr/nm].
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ocean.light.optics import (
    AEROSOL_HEIGHT,
    EARTH_RADIUS,
    OZONE_COLUMN,
    SALT_HEIGHT,
    SUN_RADIUS,
    TROPOPAUSE,
    WAVELENGTHS,
    Air,
    Array,
)
from tests.reference.colours import OZONE_CROSS_SECTION, SOLAR_IRRADIANCE, at
from tests.reference.geometry import TOP, bilinear, height_along, horizon, smoothstep, to_sea, to_top

AEROSOL_ALBEDO = 0.95  # single-scattering albedo; that of sea salt is 1
ASYMMETRY = 0.76  # mean cosine of both aerosols' scattering
AEROSOL_MOMENTS = (  # means of Legendre's first and second polynomials of the scattering angle's cosine
    1.5 * ASYMMETRY * (1.6 + 0.4 * ASYMMETRY**2) / (2 + ASYMMETRY**2),
    1.5 * (2 / 15 + 32 / 21 * ASYMMETRY**2 + 12 / 35 * ASYMMETRY**4) / (2 + ASYMMETRY**2),
)
FORWARD = 0.2  # fraction of aerosols' scattering that counts as straight on; fitted by path tracing
SEA_ALBEDO = 0.06

# The table of multiple scattering begins at the first sine of the sun's elevation. Its steps are equal in the inverse
# hyperbolic sine, so they are finest within the second sine of the horizon, where a degree changes the light by half.
MULTIPLE_LOW, MULTIPLE_FINE = -0.25, 0.06


def molecular_density(height: Array) -> Array:
    """Return the density relative to sea level: the troposphere of the standard atmosphere (ISO 2533), and above it one
    scale height, within a fifth of the standard up to 60 km."""
    troposphere = np.power(np.clip(1 - height / 44331.0, 0.2, 1.0), 4.2559)
    return np.asarray(np.where(height < 11e3, troposphere, TROPOPAUSE * np.exp(-(height - 11e3) / 6700.0)))


def ozone_density(height: Array) -> Array:
    """Return the ozone density relative to its maximum at 25 km: a tent from 10 to 40 km (Bruneton 2017)."""
    return np.asarray(np.maximum(0.0, 1 - np.abs(height - 25e3) / 15e3))


def ozone(wavelengths: Array) -> Array:
    """Return the absorption by ozone at the middle of its layer [1/m]."""
    return np.asarray(at(wavelengths, OZONE_CROSS_SECTION) * OZONE_COLUMN / 15e3)


def rayleigh_phase(cosine: Array) -> Array:
    """Return the fraction of molecular scattering into a direction [1/sr]."""
    return np.asarray(3 / (16 * np.pi) * (1 + cosine**2))


def aerosol_phase(cosine: Array) -> Array:
    """Return the fraction of aerosol scattering into a direction [1/sr] (Cornette and Shanks 1992)."""
    g = ASYMMETRY
    shape = (1 - g * g) * (1 + cosine**2) / ((2 + g * g) * (1 + g * g - 2 * g * cosine) ** 1.5)
    return np.asarray(3 / (8 * np.pi) * shape)


class Shade(NamedTuple):
    """Fraction of the light that clouds leave in the air below them. Within the clouds the fraction rises to 1
    (`light/clouds.py`)."""

    base: float
    thickness: float
    direct: float
    """Fraction of the sun's light."""
    diffuse: float
    """Fraction of light that has been scattered before."""

    def of(self, share: float, height: Array) -> Array:
        """Return a fraction at a height."""
        under = 1 - np.clip((height - self.base) / self.thickness, 0, 1)
        return np.asarray(1 + (share - 1) * under)[..., None]


CLEAR = Shade(TOP, 1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Atmosphere:
    """An air seen at some wavelengths [nm]. `steps` divide each path; `shape` is the shape of the table of multiple
    scattering (heights, suns); `mend` is the number of orders that correct it. The fraction `forward` of the light that
    aerosols scatter counts as unscattered wherever the phase function is not multiplied with the sun's own light (delta
    scaling: Joseph, Wiscombe and Weinman 1976; Nakajima and Tanaka 1988)."""

    air: Air
    wavelengths: tuple[float, ...] = tuple(WAVELENGTHS)
    steps: int = 64
    shape: tuple[int, int] = (16, 48)
    mend: int = 2
    forward: float = FORWARD

    @cached_property
    def solar(self) -> Array:
        """Return the sun's irradiance above the air."""
        return at(np.array(self.wavelengths), SOLAR_IRRADIANCE)

    def coefficients(self, height: Array) -> tuple[Array, Array, Array]:
        """Return scattering by molecules, scattering by aerosols, and extinction, each of shape (..., wavelengths)
        [1/m]. The result for the last array is kept, because a step of a ray asks for it up to three times."""
        if self._kept and self._kept[0] is height:
            kept: tuple[Array, Array, Array] = self._kept[1]
            return kept
        h = np.maximum(height, 0.0)[..., None]
        rayleigh, aerosol, salt, absorbed = self._at_sea
        rayleigh = rayleigh * molecular_density(h)
        aerosol, salt = aerosol * np.exp(-h / AEROSOL_HEIGHT), salt * np.exp(-h / SALT_HEIGHT)
        found = rayleigh, AEROSOL_ALBEDO * aerosol + salt, rayleigh + aerosol + salt + absorbed * ozone_density(h)
        self._kept[:] = height, found
        return found

    @cached_property
    def _kept(self) -> list[Any]:
        return []

    @cached_property
    def _at_sea(self) -> tuple[Array, Array, Array, Array]:
        w = np.array(self.wavelengths)
        return self.air.rayleigh(w), self.air.aerosol(w), self.air.salt(w), ozone(w)

    def diffuse_extinction(self, height: Array) -> Array:
        """Return the extinction without the light that aerosols scatter almost straight on."""
        _, aerosol, extinction = self.coefficients(height)
        return np.asarray(extinction - self.forward * aerosol)

    # -- Paths -------------------------------------------------------------------------------------------------------

    def optical_depth(self, height: Array, mu: Array, length: Array) -> Array:
        """Return the optical depth of a straight path from a height in a direction with cosine `mu` to the zenith."""
        s = (np.arange(self.steps) + 0.5) / self.steps
        along = length[..., None] * s**2  # steps grow away from the start, where the air is densest on most paths
        extinction = self.diffuse_extinction(height_along(height[..., None], mu[..., None], along))
        return np.asarray((extinction * (2 * s / self.steps)[:, None]).sum(axis=-2) * length[..., None])

    @cached_property
    def transmittance_table(self) -> Array:
        """exp(-optical depth) to the air's end over (height, direction), by Bruneton's (2017) coordinates."""
        v, u = np.meshgrid(np.linspace(0, 1, 64), np.linspace(0, 1, 256), indexing="ij")
        reach = np.sqrt((EARTH_RADIUS + TOP) ** 2 - EARTH_RADIUS**2)
        rho = v * reach
        r = np.sqrt(rho**2 + EARTH_RADIUS**2)
        nearest = EARTH_RADIUS + TOP - r
        d = nearest + u * (rho + reach - nearest)
        mu = np.where(d > 0, (reach**2 - rho**2 - d**2) / np.maximum(2 * r * d, 1e-9), 1.0)
        return np.exp(-self.optical_depth(r - EARTH_RADIUS, np.clip(mu, -1, 1), d))

    def transmittance(self, height: Array, mu: Array) -> Array:
        """Return the transmittance of a path to the end of the air. The path must not meet the earth."""
        height, mu = np.broadcast_arrays(np.clip(height, 0.0, TOP), mu)
        reach, rho = np.sqrt(TOP * (2 * EARTH_RADIUS + TOP)), np.sqrt(height * (2 * EARTH_RADIUS + height))
        nearest = TOP - height
        d = to_top(height, mu)
        u = np.clip((d - nearest) / np.maximum(rho + reach - nearest, 1.0), 0, 1)
        return bilinear(self.transmittance_table, rho / reach, u)

    def sunlight(self, height: Array, mu_sun: Array) -> Array:
        """Return the fraction of the sun's light that reaches a height. The part of the sun's disc below the horizon
        adds nothing."""
        mu_horizon = horizon(height)
        sine = np.sqrt(1 - mu_horizon**2)
        shown = smoothstep(-SUN_RADIUS * sine, SUN_RADIUS * sine, mu_sun - mu_horizon)
        return np.asarray(shown[..., None] * self.transmittance(height, np.maximum(mu_sun, mu_horizon)))

    # -- Light -------------------------------------------------------------------------------------------------------

    @cached_property
    def multiple_table(self) -> Array:
        """Return moments of scattered light per irradiance of the sun [1/sr], by height, sun, moment, wavelength.
        The moments are means over all directions of the radiance, times 1, x, z, x², z² and xz; z is up, x towards the
        sun. Hillaire's isotropic series (2020, equations 5 to 10) begins; later orders are computed one by one."""
        rows, columns = self.shape
        low, high = np.arcsinh(np.array([MULTIPLE_LOW, 1]) / MULTIPLE_FINE)
        suns = np.clip(MULTIPLE_FINE * np.sinh(np.linspace(low, high, columns)), -1, 1)
        height = TOP * np.linspace(0, 1, rows)[:, None] ** 2
        table = self._gather(height, suns, None)
        for _ in range(self.mend):
            table = self._gather(height, suns, table)
        return table

    def _gather(self, height: Array, mu_sun: Array, table: Array | None, steps: int = 20) -> Array:
        """Return the first moments of scattered light at heights (rows, 1) and for suns (columns), from 64 directions.
        Scattered light is the sun's light, scattered once, and the light of a table, scattered again. Without a table,
        the result is divided by 1 - r, where r is the fraction of an even field that one more scattering returns."""
        total = np.zeros((*np.broadcast_shapes(height.shape, mu_sun.shape), 6, len(self.wavelengths)))
        share = np.zeros((*height.shape, len(self.wavelengths)))
        for i in range(8):
            z, azimuth = 1 - 2 * (i + 0.5) / 8, np.pi * (np.arange(8)[:, None, None] + 0.5) / 8
            x, mu = np.sqrt(1 - z * z) * np.cos(azimuth), np.full_like(height, z)
            nu = z * mu_sun + x * np.sqrt(1 - mu_sun**2)

            def source(h: Array, up: Array, sun: Array, nu: Array = nu) -> Array:
                beam = 1 / (4 * np.pi) * self.sunlight(h, sun)
                once = self.sent(h, beam, nu[..., None] * beam, (1.5 * nu**2 - 0.5)[..., None] * beam)
                return once if table is None else once + self.again(table, h, up, sun, nu)

            hits = z < horizon(height)
            length = np.where(hits, to_sea(height, mu), to_top(height, mu))
            light, through = self._march(height, mu, mu_sun, nu, length, steps, source)
            sun = (mu_sun * (EARTH_RADIUS + height) + length * nu) / EARTH_RADIUS
            lit = np.maximum(sun, 0.0)[..., None] * self.sunlight(np.zeros_like(sun), sun)
            if table is not None:
                lit = lit + 2 * np.pi * self.moments(table, np.zeros_like(sun), sun)[..., 0, :]
            light += np.where(hits[..., None], through * lit * SEA_ALBEDO / np.pi, 0.0)
            for moment, weight in enumerate((1.0, x, z, x * x, z * z, x * z)):
                total[..., moment, :] += np.mean(np.asarray(weight)[..., None] * light, axis=0) / 8
            if table is None:
                none = np.zeros_like(height)
                even = self._march(height, mu, none, none, length, steps, lambda h, *_: self.sent(h, 1.0, 0.0, 0.0))
                share += even[0] / 8
        return np.asarray(total / (1 - share)[..., None, :])

    def sent(self, height: Array, mean: Array | float, first: Array | float, second: Array | float) -> Array:
        """Return the light that a metre of air scatters into a direction. `mean` is the light's mean over all
        directions, `first` and `second` its means times Legendre's first and second polynomials of the cosine to that
        direction."""
        molecules, aerosols, _ = self.coefficients(height)
        a, b = AEROSOL_MOMENTS
        even = (molecules + (1 - self.forward) * aerosols) * mean
        tilted = 3 * (a - self.forward) * aerosols * first
        return np.asarray(even + tilted + 5 * (0.1 * molecules + (b - self.forward) * aerosols) * second)

    def again(self, table: Array, height: Array, mu: Array, mu_sun: Array, nu: Array) -> Array:
        """Return `sent` of the light in a table of moments."""
        x, z = np.clip((nu - mu * mu_sun) / np.sqrt(np.maximum(1 - mu_sun**2, 1e-6)), -1, 1)[..., None], mu[..., None]
        mean, mx, mz, xx, zz, xz = np.moveaxis(self.moments(table, height, mu_sun), -2, 0)
        yy = np.maximum(1 - x * x - z * z, 0.0) * (mean - xx - zz)
        return self.sent(
            height, mean, x * mx + z * mz, 1.5 * (x * x * xx + yy + z * z * zz + 2 * x * z * xz) - 0.5 * mean
        )

    def moments(self, table: Array, height: Array, mu_sun: Array) -> Array:
        """Interpolate a table of moments, shape (..., 6, wavelengths)."""
        low, high = np.arcsinh(np.array([MULTIPLE_LOW, 1]) / MULTIPLE_FINE)
        u = np.clip((np.arcsinh(mu_sun / MULTIPLE_FINE) - low) / (high - low), 0, 1)
        found = bilinear(table.reshape(*table.shape[:2], -1), np.sqrt(np.clip(height, 0, TOP) / TOP), u)
        return found.reshape(*found.shape[:-1], 6, -1)

    def multiple(self, height: Array, mu_sun: Array) -> Array:
        """Return the mean radiance over all directions of light that was scattered, per irradiance of the sun
        [1/sr]."""
        return self.moments(self.multiple_table, height, mu_sun)[..., 0, :]

    def radiance(
        self,
        height: Array,
        mu: Array,
        mu_sun: Array,
        nu: Array,
        single: bool = False,
        shade: Shade = CLEAR,
        length: Array | None = None,
    ) -> Array:
        """Return the radiance of the sky without the sun's disc, or of the first `length` metres of air; `nu` is the
        cosine between view and sun. With `single`, only light that was scattered once counts."""

        def source(h: Array, up: Array, sun: Array) -> Array:
            rayleigh, aerosol, _ = self.coefficients(h)
            phases = rayleigh * rayleigh_phase(nu)[..., None] + aerosol * aerosol_phase(nu)[..., None]
            once = phases * self.sunlight(h, sun) * shade.of(shade.direct, h)
            if single:
                return np.asarray(once)
            return once + np.maximum(self.again(self.multiple_table, h, up, sun, nu), 0.0) * shade.of(shade.diffuse, h)

        if length is None:
            length = np.where(mu < horizon(height), to_sea(height, mu), to_top(height, mu))
        return self.solar * self._march(height, mu, mu_sun, nu, length, 4 * self.steps, source)[0]

    def _march(
        self,
        height: Array,
        mu: Array,
        mu_sun: Array,
        nu: Array,
        length: Array,
        steps: int,
        source: Callable[[Array, Array, Array], Array],
    ) -> tuple[Array, Array]:
        """Integrate along a ray, for a sun of irradiance 1. Return the light of a source per metre, which is a function
        of height and of the cosines of ray and sun to the zenith there, and the fraction of light that the air
        leaves."""
        light = np.zeros((*np.broadcast_shapes(height.shape, mu.shape, nu.shape), len(self.wavelengths)))
        through = np.ones_like(light)
        for i in range(steps):
            start, end = (i / steps) ** 2, ((i + 1) / steps) ** 2
            along, step = 0.5 * (start + end) * length, (end - start) * length
            h = height_along(height, mu, along)
            up = (mu * (EARTH_RADIUS + height) + along) / (EARTH_RADIUS + h)
            sun = (mu_sun * (EARTH_RADIUS + height) + along * nu) / (EARTH_RADIUS + h)
            extinction = self.diffuse_extinction(h)
            kept = np.exp(-extinction * step[..., None])
            light += through * source(h, up, sun) * (1 - kept) / extinction
            through *= kept
        return light, through

    def sky_irradiance(self, mu_sun: float, elevations: int = 24, azimuths: int = 24) -> Array:
        """Return the sky's irradiance on level water, by midpoints in the squared sine of elevation and in azimuth."""
        mu = np.sqrt((np.arange(elevations) + 0.5) / elevations)[:, None]
        azimuth = np.pi * (np.arange(azimuths) + 0.5) / azimuths
        nu = mu * mu_sun + np.sqrt(1 - mu**2) * np.sqrt(1 - mu_sun**2) * np.cos(azimuth)
        mu = np.broadcast_to(mu, nu.shape)
        light = self.radiance(np.zeros_like(nu), mu, np.full_like(nu, mu_sun), nu)
        return np.asarray(np.pi * light.mean(axis=(0, 1)))

    def sun_irradiance(self, mu_sun: float) -> Array:
        """Return the sun's irradiance at sea level on a surface that faces the sun."""
        return np.asarray(self.solar * replace(self, forward=0.0).sunlight(np.zeros(1), np.full(1, mu_sun))[0])
