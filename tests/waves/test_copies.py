"""Tiles blended from shifted copies: the sea stays Gaussian and exact, without repeating."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.waves.fields import FIELDS, unpack
from ocean.waves.tiles import REACH, SPACING, Tile, blend, copies, offsets
from tests.reference import sea as reference

tiles = st.builds(Tile, st.floats(1, 5000), st.floats(0, 1.5), st.just(0.0), st.just(math.inf), st.just(True))
places = st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))


@given(tiles, places, st.floats(0, 2 * math.pi))
def test_copies_come_and_go_without_a_step(tile, place, angle):
    """The weight of each point of the tile is continuous, across edges of the lattice's triangles too."""
    x, z = place[0] % 3000, place[1] % 3000
    step = 1e-7 * tile.side
    here, there = (copies(tile, x + s * math.cos(angle), z + s * math.sin(angle)) for s in (0, step))
    for copy in here:
        moved = [
            other.weight
            for other in there
            if math.hypot(other.x - copy.x, other.z - copy.z) < 2 * step + 1e-9 * abs(place[0])
        ]
        assert max(moved, default=0.0) == pytest.approx(copy.weight, abs=1e-4)


@given(tiles, places)
def test_blends_equal_the_reference(tile, place):
    x, z = np.add(place[0], [0.0, 1.0, 7.0]), np.add(place[1], [0.0, 2.0, -9.0])

    def waves(x, z):
        return {name: np.sin(x * (0.3 + 0.1 * i) + z) for i, name in enumerate(FIELDS)}

    def packed(x, z):
        values = np.stack([*waves(x, z).values()])
        return values[0::2] + 1j * values[1::2]

    expected = reference.blended(tile, x, z, waves)
    for name, field in unpack(blend(tile, x, z, packed)).items():
        np.testing.assert_allclose(field, expected[name], atol=1e-6, err_msg=name)


def test_offsets_are_even_and_independent_of_their_neighbours():
    i, j = np.meshgrid(np.arange(-200, 200), np.arange(-200, 200))
    a, b = offsets(i, j)
    for offset in (a, b):
        counts = np.histogram(offset, 16, (0, 1))[0]
        assert ((counts - 10_000) ** 2 / 10_000).sum() < 40  # chi² with 15 degrees of freedom
    waves = [np.exp(2j * np.pi * offset) for offset in (a, b)]
    for wave in waves:
        for shifted in (np.roll(wave, 1, 0), np.roll(wave, 1, 1), np.roll(wave, (1, 1), (0, 1))):
            assert abs((wave * shifted.conj()).mean()) < 0.03
    assert abs((waves[0] * waves[1].conj()).mean()) < 0.03


def test_copies_one_side_apart_differ():
    """Copies at a lattice point never show the same point of the tile at places a multiple of the side apart."""
    tile = Tile(100.0, 0.4, 0.0, math.inf, True)
    rng = np.random.default_rng(1)
    x, z = rng.uniform(-1000, 1000, (2, 2000))
    for u, v in ((1, 0), (0, 1), (1, 1), (-1, 1), (2, 0)):
        east, south = tile.to_world(u * tile.side, v * tile.side)
        for one in copies(tile, x, z):
            for other in copies(tile, x + east, z + south):
                same = np.hypot(other.x - one.x - east, other.z - one.z - south) < 1e-6
                assert not (same & (one.weight > 0) & (other.weight > 0)).any()
    assert 2 * REACH * SPACING < 1


@given(tiles, places, st.floats(0, 2 * math.pi))
def test_blended_derivatives_agree_with_the_blended_surface(tile, place, angle):
    """Slopes and the derivatives in the Jacobian agree with differences of height and displacement."""
    kx, kz = tile.to_world(6 * tile.dk * math.cos(angle), 6 * tile.dk * math.sin(angle))
    k = math.hypot(kx, kz)

    def packed(x, z):
        wave = np.exp(1j * (kx * x + kz * z)) / k  # of steepness 1
        h, d = wave.real, -wave.imag / k
        return np.stack(
            [h - 1j * kx * kz / k * h, (kx + 1j * kz) * d, (kx + 1j * kz) * k * d, -(kx**2 + 1j * kz**2) / k * h]
        )

    x, z = place[0] % 3000, place[1] % 3000
    step = 1e-4 * tile.side
    here = blend(tile, x, z, packed)
    (east, west), (south, north) = (
        (blend(tile, x + a, z + b, packed), blend(tile, x - a, z - b, packed)) for a, b in ((step, 0.0), (0.0, step))
    )
    over_x, over_z = (east - west) / (2 * step), (south - north) / (2 * step)
    expected = {
        "hx": (here[2].real, over_x[0].real),
        "hz": (here[2].imag, over_z[0].real),
        "Dxx": (here[3].real, over_x[1].real),
        "Dzz": (here[3].imag, over_z[1].imag),
        "Dxz": (here[0].imag, 0.5 * (over_z[1].real + over_x[1].imag)),
    }
    for name, (given_, measured) in expected.items():
        assert given_ == pytest.approx(measured, abs=1e-3), name
