"""The contents of the air: molecules, ozone, and two aerosols. Coefficients in 1/m, heights in m.

`shaders/sky/air.glsl` has the same values.
"""

from dataclasses import dataclass

import numpy as np

from ocean.light.optics import OZONE_CROSS_SECTION, WAVELENGTHS, Array, at

EARTH_RADIUS = 6.371e6
SUN_RADIUS = np.radians(0.2666)  # angular radius of the disc
TOP = 100e3  # top of the air; with the sun 8 degrees below the horizon the earth's shadow is 63 km high
AEROSOL_HEIGHT, SALT_HEIGHT = 1200.0, 500.0  # scale heights
SALT = 3e-5  # 1/m at sea level for a haze of 1
SPRAY_FROM = 20.8  # m/s: Beaufort 9, the first force at which spray reduces visibility
SPRAY, SPRAY_POWER = 5.5e-4, 2.195  # optical depth of spray: SPRAY U^SPRAY_POWER
OZONE_COLUMN = 300 * 2.687e20  # molecules/m²: 300 Dobson units
TROPOPAUSE = (1 - 11e3 / 44331.0) ** 4.2559
MOLECULAR_COLUMN = 44331.0 / 5.2559 * (1 - (1 - 11e3 / 44331.0) ** 5.2559) + TROPOPAUSE * 6700.0  # m at sea level


@dataclass(frozen=True)
class Air:
    """The state of the air. `turbidity` runs from 1, molecules alone, to 10, thick haze at all heights. `haze` is sea
    salt in the lowest half kilometre, 1 for a fresh breeze. A `wind` [m/s] of strong gale or more adds spray there."""

    turbidity: float = 2.0
    haze: float = 1.0
    wind: float = 0.0

    def rayleigh(self, wavelengths: Array = WAVELENGTHS) -> Array:
        """Return the scattering by molecules at sea level: the optical depth of Hansen and Travis (1974) over its
        column."""
        w = wavelengths / 1000
        depth = 0.008569 * w**-4 * (1 + 0.0113 * w**-2 + 0.00013 * w**-4)
        return np.asarray(depth / MOLECULAR_COLUMN)

    def aerosol(self, wavelengths: Array = WAVELENGTHS) -> Array:
        """Return the extinction at sea level by the aerosol of the whole column: Ångström's law with an exponent of 1.3
        and a coefficient that is linear in turbidity (Preetham, Shirley and Smits 1999, after Iqbal 1983)."""
        beta = 0.04608 * self.turbidity - 0.04586
        return np.asarray(beta * (wavelengths / 1000) ** -1.3 / AEROSOL_HEIGHT)

    def salt(self, wavelengths: Array = WAVELENGTHS) -> Array:
        """Return the extinction by sea salt and spray at sea level. It is grey: the drops are larger than the
        wavelength."""
        return np.full_like(wavelengths, SALT * self.haze + self.spray())

    def spray(self) -> float:
        """Return the extinction by spray at sea level: the optical depth of Mulcahy et al. (2008), as its increase over
        SPRAY_FROM. The law was measured in winds of up to 18 m/s, and is extrapolated to stronger ones."""
        return float(SPRAY * (max(self.wind, SPRAY_FROM) ** SPRAY_POWER - SPRAY_FROM**SPRAY_POWER) / SALT_HEIGHT)

    def ozone(self, wavelengths: Array = WAVELENGTHS) -> Array:
        """Return the absorption at the middle of the ozone layer."""
        return np.asarray(at(wavelengths, OZONE_CROSS_SECTION) * OZONE_COLUMN / 15e3)
