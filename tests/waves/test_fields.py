"""Fields of a cascade and their packing, against the reference; and the reference against differences."""

import numpy as np
import pytest

from ocean.waves import fields
from ocean.waves.amplitudes import draw, steps, variance, wave_vectors
from ocean.waves.dispersion import clock_ticks
from tests.reference import sea as reference

DEPTH, SIZE, KIND, PERIOD = 40.0, 64, "finite-depth", 4096.0
TICKS = clock_ticks(12.5, PERIOD)


@pytest.fixture(scope="module", params=[0, 1], ids=["straight", "turned"])
def cascade(request, systems, tiles):
    """Return (h0, tile, steps) of one cascade."""
    tile = tiles[request.param]
    h0 = draw(5, request.param, SIZE) * np.sqrt(variance(tile, SIZE, systems))
    return h0, tile, steps(tile, SIZE, DEPTH, KIND, PERIOD)


def test_packed_fields_equal_separate_transforms(cascade):
    h0, tile, n = cascade
    spectra = fields.pack(fields.evolve(h0, n, TICKS), *wave_vectors(tile, SIZE), DEPTH, KIND)
    found = fields.unpack(np.fft.ifft2(spectra, norm="forward"))
    expected = reference.fields(h0, tile, n, TICKS, DEPTH, KIND)
    assert list(found) == list(fields.FIELDS)
    for name, field in found.items():
        assert field.dtype == np.float64
        np.testing.assert_allclose(field, expected[name], atol=1e-10 * np.abs(expected[name]).max(), err_msg=name)


def test_rates_are_derivatives_in_time(cascade):
    h0, _, n = cascade
    before, after = (fields.evolve(h0, n, TICKS + tick) for tick in (-1000, 1000))
    slope = (after - before) / (2000 * PERIOD / 2**32)
    rate = fields.evolve_rate(h0, n, TICKS, PERIOD)
    np.testing.assert_allclose(rate, slope, atol=1e-5 * np.abs(rate).max())  # (w step)² / 6, with w below 5 rad/s


def test_the_reference_agrees_with_differences_in_world_axes(cascade):
    """Exact sums equal the maps at texels. Derivatives, normal and Jacobian agree with differences of the surface."""
    h0, tile, n = cascade
    sea = h0, tile, n, TICKS, DEPTH, KIND
    maps, (j, i) = reference.fields(*sea), np.array([[0, 3, 40], [0, 17, 63]])
    texels = reference.fields(*sea, tile.to_world(i * tile.side / SIZE, j * tile.side / SIZE))
    for name, field in maps.items():
        assert texels[name] == pytest.approx(field[j, i], abs=1e-10 * np.abs(field).max()), name
    # The surface contracts where it is high: the divergence of D has the sign of -h.
    assert np.corrcoef((maps["dxx"] + maps["dzz"]).ravel(), maps["height"].ravel())[0, 1] < -0.8

    x, z, e, choppiness = np.array([3.0, -70.0, 911.0]), np.array([-5.0, 33.0, 402.0]), tile.side / SIZE * 1e-3, 0.7

    def point(dx, dz):
        at = reference.fields(*sea, (x + dx * e, z + dz * e))
        return np.stack([x + dx * e + choppiness * at["dx"], at["height"], z + dz * e + choppiness * at["dz"]], -1)

    along_x, along_z = ((point(*way) - point(*np.negative(way))) / (2 * e) for way in ((1, 0), (0, 1)))
    cross = np.cross(along_z, along_x)
    here = reference.fields(*sea, (x, z))
    slopes, folds = (here["slope_x"], here["slope_z"]), (here["dxx"], here["dzz"], here["dxz"], choppiness)
    # A central difference errs by (k e)² / 6 at most, k e = pi / 1000 at Nyquist; and by rounding.
    assert along_x[:, 1] == pytest.approx(slopes[0], abs=1e-5 * np.abs(slopes[0]).max())
    for source in (fields, reference):
        assert source.jacobian(*folds) == pytest.approx(cross[:, 1], abs=1e-5)
        normal = cross / np.linalg.norm(cross, axis=-1, keepdims=True)
        assert source.normal(*slopes, *folds) == pytest.approx(normal, abs=1e-5)
