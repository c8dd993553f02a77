"""Tiles and amplitudes: cascades and their bands, the draw that all sizes share, and the fast evaluation of the
variance."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.waves.amplitudes import draw, isotropic, steps, variance, wave_numbers, wave_vectors
from ocean.waves.dispersion import angular_frequency, loop_steps
from ocean.waves.spectra import Elfouhaily, Jonswap, Phillips
from ocean.waves.spreading import CosSquared, DonelanBanner, ElfouhailySpreading, Hasselmann, Mitsuyasu
from ocean.waves.systems import swell, unit, wind_sea
from ocean.waves.tiles import EDGE, SIDE_RATIO, Tile, gaps, make_tiles, peak_wavelength

from .spectrum_files import file_spectrum

DEPTH = 40.0


@given(st.integers(1, 4), st.floats(0, 1500))
def test_tiles_share_all_wave_numbers(count, longest):
    tiles = make_tiles(count, longest)
    assert len(tiles) == count
    assert tiles[0].side >= max(256.0, 8 * longest)
    assert tiles[0].side == 256.0 or tiles[0].side / 2 < 8 * longest
    assert tiles[0].rotation == tiles[0].low == 0
    assert tiles[-1].high == math.inf
    for larger, smaller in pairwise(tiles):
        assert larger.side / smaller.side == pytest.approx(SIDE_RATIO)
        assert larger.high == smaller.low == EDGE * smaller.dk
    assert not gaps(tiles, 114)
    assert len(gaps(tiles, 112)) == count - 1


def test_no_two_tiles_are_turned_alike():
    """A square lattice repeats every quarter turn."""
    turns = [tile.rotation for tile in make_tiles(4, 100.0)]
    apart = [abs(math.remainder(a - b, math.pi / 2)) for a, b in combinations(turns, 2)]
    assert min(apart) > math.radians(10)


def test_a_tile_turns_its_axes():
    tile = Tile(100.0, math.radians(30), 0.0, math.inf)
    assert tile.to_world(1.0, 0.0) == pytest.approx((math.cos(math.radians(30)), 0.5))
    assert tile.to_tile(*tile.to_world(3.0, -7.0)) == pytest.approx((3.0, -7.0))
    kx, kz = wave_vectors(tile, 8)
    assert (kx[0, 1], kz[0, 1]) == pytest.approx((tile.dk * math.cos(tile.rotation), tile.dk * 0.5))
    assert (kx[1, 0], kz[1, 0]) == pytest.approx((-tile.dk * 0.5, tile.dk * math.cos(tile.rotation)))


def test_peak_wavelength_depends_on_depth():
    assert peak_wavelength(swell(1.0, 10.0, 0.0, 5000.0)) == pytest.approx(156.13, abs=0.01)
    assert peak_wavelength(swell(1.0, 10.0, 0.0, 2.0)) == pytest.approx(10 * math.sqrt(9.81 * 2), rel=0.02)
    assert peak_wavelength(swell(0.0, 10.0, 0.0, 5000.0)) == 0


def inner(spectrum: np.ndarray, size: int) -> np.ndarray:
    """Return the wave vectors of a large grid that a smaller one contains, without its Nyquist row and column."""
    n = np.arange(-(size // 2) + 1, size // 2)
    return spectrum[np.ix_(n, n)]


@given(st.integers(0, 2**63), st.integers(0, 3), st.integers(2, 32).map(lambda half: 2 * half))
def test_a_draw_is_part_of_every_larger_one(seed, cascade, size):
    large = draw(seed, cascade, 64)
    assert np.array_equal(inner(draw(seed, cascade, size), size), inner(large, size))
    n = np.abs(wave_numbers(64))
    shell = np.maximum(n, n[:, None])
    assert np.array_equal(draw(seed, cascade, 64, shells=11), np.where(shell <= 11, large, 0))
    assert not large[(shell == 0) | (shell == 32)].any()
    assert np.count_nonzero(large) >= 63**2 - 3  # one factor in 2^25 is 0


def test_amplitudes_are_normally_distributed():
    xi = 2 * draw(1, 0, 512).astype(np.complex128)
    xi = inner(xi, 512).ravel()
    xi = xi[xi != 0]
    count = len(xi)
    for part in (xi.real, xi.imag):
        # Moments 1, 2 and 4 of a normal variable scatter by sqrt(1, 2, 96) / sqrt(count); 4 sd for these six.
        assert abs(part.mean()) < 4 / math.sqrt(count)
        assert abs((part**2).mean() - 1) < 4 * math.sqrt(2 / count)
        assert abs((part**4).mean() - 3) < 4 * math.sqrt(96 / count)
    assert abs((xi.real * xi.imag).mean()) < 4 / math.sqrt(count)
    assert not np.array_equal(draw(1, 0, 16), draw(2, 0, 16))
    assert not np.array_equal(draw(1, 0, 16), draw(1, 1, 16))


@pytest.mark.parametrize(
    ("spectrum", "spreading"),
    [
        (Jonswap(), Hasselmann()),
        (Elfouhaily(), ElfouhailySpreading()),
        (Elfouhaily(), DonelanBanner(elongation=0.5)),
        (Phillips(), CosSquared()),
        (file_spectrum("example-buoy.data_spec"), Mitsuyasu(elongation=1.0)),
    ],
    ids=lambda model: model.kind,
)
def test_fast_variance_agrees_with_the_spectrum_for_every_family(tiles, spectrum, spreading):
    sea = wind_sea(9.0, 75.0, 1e5, DEPTH, spectrum, spreading)
    x, z = unit(sea.direction)
    for tile, size in zip(tiles, (64, 94, 128), strict=True):
        kx, kz = wave_vectors(tile, size)
        k = np.hypot(kx, kz)
        fast = variance(tile, size, [sea])
        expected = sea.wave_vector_density(kx, kz) * tile.dk**2
        assert fast.dtype == np.float32
        assert not fast[(k < tile.low * (1 - 1e-12)) | (k > tile.cutoff(size) * (1 + 1e-12))].any()
        # A half plane ends where rounding says it does. Elsewhere float32 makes a cosine's power s err by s / half
        # times 2^-22, half = (1 + cos) / 2: by 1e-3 where half > 0.01, as no power here is above 40. sech² errs less.
        cosine = (x * kx + z * kz) / np.maximum(k, 1e-9)
        inside = (fast > 1e-30) & (np.abs(cosine) > 1e-5) & (cosine > -0.98)
        assert inside.any()
        assert fast[inside] == pytest.approx(expected[inside], rel=1e-3)
        assert float(fast.sum(dtype=float)) == pytest.approx(expected[fast > 0].sum(), rel=1e-4)


@pytest.mark.parametrize(("smaller", "larger"), [(64, 128), (94, 96), (96, 512), (240, 480)])
def test_variance_does_not_depend_on_the_size(systems, tiles, smaller, larger):
    for tile in tiles:
        small, large = (inner(variance(tile, size, systems), smaller) for size in (smaller, larger))
        carried = small > 0  # the circle that ends the band may grow with the size
        assert carried.any()
        assert np.array_equal(small[carried], large[carried])


def test_sizes_above_256_add_less_height_than_a_frame_moves():
    """The height [rms] that twice the size adds is less than a tenth of what the surface rises or sinks in 1/60 s, at
    20 m/s."""
    seas = [wind_sea(20.0, 0.0, 300e3, 200.0, Jonswap(), Hasselmann())]
    found = make_tiles(3, peak_wavelength(seas[0]))
    small, large = ([variance(tile, size, seas).astype(float) for tile in found] for size in (256, 512))
    added = sum(part.sum() for part in large) - sum(part.sum() for part in small)
    w = (angular_frequency(np.hypot(*wave_vectors(tile, 256)), 200.0) for tile in found)
    moved = sum((part * each**2).sum() for part, each in zip(small, w, strict=True)) / 60**2
    assert math.sqrt(added) < 0.1 * math.sqrt(moved)


def test_a_sea_without_wave_systems_has_no_waves(tiles):
    assert not variance(tiles[0], 64, ()).any()
    assert not variance(tiles[0], 64, (swell(0.0, 10.0, 0.0, DEPTH),)).any()


def test_steps_follow_from_each_wave_vector(tiles):
    for tile in tiles:
        k = np.hypot(*wave_vectors(tile, 64))
        expected = loop_steps(angular_frequency(k, DEPTH), 600.0).astype(np.int64)
        found = steps(tile, 64, DEPTH, "finite-depth", 600.0)
        assert found.dtype == np.uint32
        # |k| from a turned vector may round a tie the other way.
        assert np.abs(found - expected).max() <= 1
        assert np.mean(found != expected) < 0.001
    assert np.array_equal(isotropic(tiles[1], 64, np.square), isotropic(tiles[1], 64, np.square).T)
