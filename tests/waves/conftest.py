"""Seas shared by the tests of this folder."""

import pytest
from hypothesis import settings

from ocean.waves.spectra import Jonswap
from ocean.waves.spreading import Hasselmann
from ocean.waves.surface import CascadeReader, Surface
from ocean.waves.systems import WaveSystem, swell, wind_sea
from ocean.waves.tiles import Tile, make_tiles, peak_wavelength
from tests.reference.sea import FIELDS, WaveSum

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


def program_surface(cascades, time, choppiness, lifts=()):
    """Return the program's `Surface` with fields that are exact sums."""

    def reader(exact, *lift):
        def packed(count, x, z, rates=False):
            values = exact.fields(FIELDS[: 2 * count], x, z, rates)[0]
            return values[0::2] + 1j * values[1::2]

        return CascadeReader(packed, lambda x, z: packed(2, x, z, True), *lift)

    readers = [WaveSum([one], time, choppiness) for one in cascades]
    each = zip(readers, lifts, strict=True) if lifts else ((one,) for one in readers)
    return Surface(time, choppiness, [reader(*one) for one in each])
