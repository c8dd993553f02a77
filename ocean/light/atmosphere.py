"""The sky of a round earth in float64: the twin of the tables that `render/atmosphere.py` makes on the GPU.

Hillaire (2020), "A scalable and production ready sky and atmosphere rendering technique": light scattered once is
integrated along the view; light scattered more often is taken to be the same in all directions, and its orders become a
geometric series. Directions are (cosine to the zenith, cosine to the sun); radiance is spectral [W/m²/sr/nm].
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ocean.light.air import (
    AEROSOL_ALBEDO,
    AEROSOL_HEIGHT,
    EARTH_RADIUS,
    FORWARD,
    SALT_HEIGHT,
    SEA_ALBEDO,
    TOP,
    Air,
    aerosol_phase,
    molecular_density,
    ozone_density,
    rayleigh_phase,
)
from ocean.light.spectrum import SOLAR_IRRADIANCE, WAVELENGTHS, Array, at

SUN_RADIUS = np.radians(0.2666)
MULTIPLE_LOW = 0.5  # the table of multiple scattering begins at a sun whose sine of elevation is minus this squared


class Shade(NamedTuple):
    """What clouds leave of the light in the air below them, over that without them; in their own height that turns into
    the light above (`light/clouds.py`)."""

    base: float
    thickness: float
    direct: float
    """Of the sun's light."""
    diffuse: float
    """Of light that has been scattered before."""

    def of(self, share: float, height: Array) -> Array:
        """A share as it is at a height."""
        under = 1 - np.clip((height - self.base) / self.thickness, 0, 1)
        return np.asarray(1 + (share - 1) * under)[..., None]


CLEAR = Shade(TOP, 1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Atmosphere:
    """An air seen at some wavelengths [nm]; `steps` divide each path, `shape` is that of the table of multiple
    scattering (heights, suns). The share `forward` of what aerosols scatter is taken to go straight on wherever the
    phase function is not weighed against the sun itself (delta scaling: Joseph, Wiscombe and Weinman 1976; Nakajima and
    Tanaka 1988): with 0 the horizon of a hazy sky comes out a quarter too dark."""

    air: Air
    wavelengths: tuple[float, ...] = tuple(WAVELENGTHS)
    steps: int = 64
    shape: tuple[int, int] = (32, 64)
    forward: float = FORWARD

    @cached_property
    def solar(self) -> Array:
        """The sun's irradiance above the air."""
        return at(np.array(self.wavelengths), SOLAR_IRRADIANCE)

    def coefficients(self, height: Array) -> tuple[Array, Array, Array]:
        """Scattering by molecules, scattering by aerosols, and extinction, each of shape (..., wavelengths) [1/m]."""
        h = np.maximum(height, 0.0)[..., None]
        w = np.array(self.wavelengths)
        rayleigh = self.air.rayleigh(w) * molecular_density(h)
        aerosol, salt = self.air.aerosol(w) * np.exp(-h / AEROSOL_HEIGHT), self.air.salt(w) * np.exp(-h / SALT_HEIGHT)
        ozone = self.air.ozone(w) * ozone_density(h)
        return rayleigh, AEROSOL_ALBEDO * aerosol + salt, rayleigh + aerosol + salt + ozone

    def diffuse_extinction(self, height: Array) -> Array:
        """Extinction without what aerosols scatter almost straight on."""
        _, aerosol, extinction = self.coefficients(height)
        return np.asarray(extinction - self.forward * aerosol)

    # -- Paths -------------------------------------------------------------------------------------------------------

    def optical_depth(self, height: Array, mu: Array, length: Array) -> Array:
        """Of a straight path from a height in a direction with cosine `mu` to the zenith."""
        s = (np.arange(self.steps) + 0.5) / self.steps
        along = length[..., None] * s**2  # steps grow away from the start, where the air is densest on most paths
        extinction = self.diffuse_extinction(height_along(height[..., None], mu[..., None], along))
        return np.asarray((extinction * (2 * s / self.steps)[:, None]).sum(axis=-2) * length[..., None])

    @cached_property
    def _transmittance(self) -> Array:
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
        """Of the path to the end of the air, which must not meet the earth."""
        height, mu = np.broadcast_arrays(np.clip(height, 0.0, TOP), mu)
        reach, rho = np.sqrt(TOP * (2 * EARTH_RADIUS + TOP)), np.sqrt(height * (2 * EARTH_RADIUS + height))
        nearest = TOP - height
        d = to_top(height, mu)
        u = np.clip((d - nearest) / np.maximum(rho + reach - nearest, 1.0), 0, 1)
        return bilinear(self._transmittance, rho / reach, u)

    def sunlight(self, height: Array, mu_sun: Array) -> Array:
        """Share of the sun's light that reaches a height: none of the part of its disc that the horizon hides."""
        mu_horizon = horizon(height)
        sine = np.sqrt(1 - mu_horizon**2)
        shown = smoothstep(-SUN_RADIUS * sine, SUN_RADIUS * sine, mu_sun - mu_horizon)
        return np.asarray(shown[..., None] * self.transmittance(height, np.maximum(mu_sun, mu_horizon)))

    # -- Light -------------------------------------------------------------------------------------------------------

    @cached_property
    def _multiple(self) -> Array:
        rows, columns = self.shape
        height = TOP * np.linspace(0, 1, rows) ** 2
        s = -MULTIPLE_LOW + (1 + MULTIPLE_LOW) * np.linspace(0, 1, columns)
        return self.multiple_scattering(*np.meshgrid(height, np.sign(s) * s**2, indexing="ij"), steps=20)

    def multiple_scattering(self, height: Array, mu_sun: Array, steps: int) -> Array:
        """What light of all orders from the second on adds to the source at a point, over its scattering coefficient
        and the sun's irradiance [1/sr] (Hillaire 2020, equations 5 to 10), from 64 directions."""
        total, again = np.zeros((2, *height.shape, len(self.wavelengths)))
        for i in range(8):
            for j in range(8):
                mu = 1 - 2 * (i + 0.5) / 8
                azimuth = np.pi * (j + 0.5) / 8
                nu = mu * mu_sun + np.sqrt((1 - mu**2) * (1 - mu_sun**2)) * np.cos(azimuth)
                second, share = self._march(height, np.full_like(height, mu), mu_sun, nu, None, steps, isotropic=True)
                total, again = total + second / 64, again + share / 64
        return np.asarray(total / (1 - again))

    def multiple(self, height: Array, mu_sun: Array) -> Array:
        """`multiple_scattering` by table."""
        s = np.sign(mu_sun) * np.sqrt(np.abs(mu_sun))
        u = np.clip((s + MULTIPLE_LOW) / (1 + MULTIPLE_LOW), 0, 1)
        return bilinear(self._multiple, np.sqrt(np.clip(height, 0, TOP) / TOP), u)

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
        """Of the sky without the sun's disc, or of the first `length` metres of air; `nu` is the cosine between view
        and sun. With `single`, of light that was scattered once only."""
        return self.solar * self._march(height, mu, mu_sun, nu, not single, 4 * self.steps, False, shade, length)[0]

    def _march(
        self,
        height: Array,
        mu: Array,
        mu_sun: Array,
        nu: Array,
        multiple: bool | None,
        steps: int,
        isotropic: bool = False,
        shade: Shade = CLEAR,
        length: Array | None = None,
    ) -> tuple[Array, Array]:
        """Integrate along a view, to the sea or to the air's end unless it has a length: light scattered into it, for a
        sun of irradiance 1, and the share of light that would come back by one more scattering of an even field. Also
        the sea's light where `isotropic`: only there is the integral over all directions."""
        hits = mu < horizon(height)
        if length is None:
            length = np.where(hits, to_sea(height, mu), to_top(height, mu))
        light = np.zeros((*np.broadcast_shapes(height.shape, mu.shape, nu.shape), len(self.wavelengths)))
        share, through = np.zeros_like(light), np.ones_like(light)
        for i in range(steps):
            start, end = (i / steps) ** 2, ((i + 1) / steps) ** 2
            along, step = 0.5 * (start + end) * length, (end - start) * length
            h = height_along(height, mu, along)
            local_sun = (mu_sun * (EARTH_RADIUS + height) + along * nu) / (EARTH_RADIUS + h)
            rayleigh, aerosol, _ = self.coefficients(h)
            extinction, scattering = self.diffuse_extinction(h), rayleigh + (1 - self.forward) * aerosol
            if isotropic:
                source = scattering / (4 * np.pi) * self.sunlight(h, local_sun)
            else:
                phases = rayleigh * rayleigh_phase(nu)[..., None] + aerosol * aerosol_phase(nu)[..., None]
                source = phases * self.sunlight(h, local_sun) * shade.of(shade.direct, h)
                if multiple:
                    source = source + scattering * self.multiple(h, local_sun) * shade.of(shade.diffuse, h)
            kept = np.exp(-extinction * step[..., None])
            light += through * source * (1 - kept) / extinction
            share += through * scattering * (1 - kept) / extinction
            through *= kept
        if isotropic:
            sea_sun = (mu_sun * (EARTH_RADIUS + height) + length * nu) / EARTH_RADIUS
            lit = np.maximum(sea_sun, 0.0)[..., None] * self.sunlight(np.zeros_like(sea_sun), sea_sun)
            light += np.where(hits[..., None], through * lit * SEA_ALBEDO / np.pi, 0.0)
        return light, share

    def sky_irradiance(self, mu_sun: float, elevations: int = 24, azimuths: int = 24) -> Array:
        """Of the sky on level water: midpoints in the squared sine of elevation and in azimuth."""
        mu = np.sqrt((np.arange(elevations) + 0.5) / elevations)[:, None]
        azimuth = np.pi * (np.arange(azimuths) + 0.5) / azimuths
        nu = mu * mu_sun + np.sqrt(1 - mu**2) * np.sqrt(1 - mu_sun**2) * np.cos(azimuth)
        mu = np.broadcast_to(mu, nu.shape)
        light = self.radiance(np.zeros_like(nu), mu, np.full_like(nu, mu_sun), nu)
        return np.asarray(np.pi * light.mean(axis=(0, 1)))

    def sun_irradiance(self, mu_sun: float) -> Array:
        """Of the sun at sea level on a surface that faces it."""
        return np.asarray(self.solar * replace(self, forward=0.0).sunlight(np.zeros(1), np.full(1, mu_sun))[0])


# -- Geometry ----------------------------------------------------------------------------------------------------------


def height_along(height: Array, mu: Array, distance: Array) -> Array:
    """Height above the sea at a distance along a ray, without the cancellation of two radii."""
    r = EARTH_RADIUS + height
    rise = distance * (distance + 2 * r * mu)
    return np.asarray(height + rise / (np.sqrt(r * r + rise) + r))


def horizon(height: Array) -> Array:
    """Cosine to the zenith of the direction that touches the sea."""
    height = np.maximum(height, 0.0)
    return np.asarray(-np.sqrt(height * (2 * EARTH_RADIUS + height)) / (EARTH_RADIUS + height))


def to_top(height: Array, mu: Array) -> Array:
    """Distance to the end of the air."""
    return to_shell(height, mu, TOP)


def to_shell(height: Array, mu: Array, shell: float) -> Array:
    """Distance to a height from below."""
    r = EARTH_RADIUS + height
    return np.asarray(np.sqrt((r * mu) ** 2 + (shell - height) * (2 * EARTH_RADIUS + shell + height)) - r * mu)


def to_sea(height: Array, mu: Array) -> Array:
    """Distance to the sea along a ray that meets it."""
    r = EARTH_RADIUS + height
    inside = np.maximum((r * mu) ** 2 - height * (2 * EARTH_RADIUS + height), 0.0)
    return np.asarray(np.maximum(-r * mu - np.sqrt(inside), 0.0))


def smoothstep(low: Array, high: Array, x: Array) -> Array:
    """GLSL's."""
    t = np.clip((x - low) / np.maximum(high - low, 1e-9), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


def bilinear(table: Array, v: Array, u: Array) -> Array:
    """A table (rows, columns, ...) at v, u in [0, 1], whose ends are its first and last entries."""
    y, x = v * (table.shape[0] - 1), u * (table.shape[1] - 1)
    i, j = np.minimum(y.astype(int), table.shape[0] - 2), np.minimum(x.astype(int), table.shape[1] - 2)
    t, s = (y - i)[..., None], (x - j)[..., None]
    above, below = (1 - s) * table[i, j] + s * table[i, j + 1], (1 - s) * table[i + 1, j] + s * table[i + 1, j + 1]
    return np.asarray((1 - t) * above + t * below)
