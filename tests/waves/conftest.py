"""Seas shared by the tests of this folder."""

import pytest
from hypothesis import settings

from ocean.waves.spectra import Jonswap
from ocean.waves.spreading import Hasselmann
from ocean.waves.systems import WaveSystem, swell, wind_sea
from ocean.waves.tiles import Tile, make_tiles, peak_wavelength

settings.register_profile("unhurried", max_examples=40)  # other programs may slow this machine down
settings.load_profile("unhurried")

DEPTH = 40.0


@pytest.fixture(scope="session")
def systems() -> tuple[WaveSystem, ...]:
    """Return a wind sea and a swell that crosses it, in water so shallow that depth matters for both."""
    return (
        wind_sea(9.0, 75.0, 200e3, DEPTH, Jonswap(), Hasselmann()),
        swell(1.2, 11.0, 140.0, DEPTH),
    )


@pytest.fixture(scope="session")
def tiles(systems: tuple[WaveSystem, ...]) -> tuple[Tile, ...]:
    return make_tiles(3, max(peak_wavelength(system) for system in systems))
