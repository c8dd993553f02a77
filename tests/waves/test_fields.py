"""The fields of a frame in numpy, against the reference, finite differences and plain sums."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.waves.amplitudes import draw, steps, variance, wave_vectors
from ocean.waves.dispersion import angular_frequency, clock_ticks, phase
from ocean.waves.fields import evolve, foam_step, jacobian, normal, pack, sums, unpack
from ocean.waves.second_order import NONE
from tests.reference import foam as foam_reference
from tests.reference import sea as reference

DEPTH, SIZE, KIND, PERIOD = 40.0, 64, "finite-depth", 4096.0
TICKS = clock_ticks(12.5, PERIOD)


@pytest.fixture(scope="module", params=[0, 1], ids=["straight", "turned"])
def cascade(request, systems, tiles):
    """Return (h0, tile, steps) of one cascade."""
    tile = tiles[request.param]
    h0 = draw(5, request.param, SIZE) * np.sqrt(variance(tile, SIZE, systems).astype(np.float64))
    return h0, tile, steps(tile, SIZE, DEPTH, KIND, PERIOD)


def fields_of(h0, tile, n, ticks=TICKS, places=None):
    """Return the eight fields by the packing of the program, on texels or at places."""
    spectra = pack(evolve(h0, n, ticks), *wave_vectors(tile, len(h0)), DEPTH, KIND)
    return unpack(np.fft.ifft2(spectra, norm="forward") if places is None else sums(spectra, tile, *places))


@pytest.fixture(scope="module")
def fields(cascade):
    return fields_of(*cascade)


def test_packed_fields_equal_separate_transforms(cascade, fields):
    expected = reference.fields(*cascade, TICKS, DEPTH, KIND)
    assert list(fields) == list(expected)
    for name, field in expected.items():
        # Errors of a transform are a few epsilon times log2(N).
        assert np.abs(fields[name] - field).max() <= 1e-13 * np.abs(field).max() * math.log2(SIZE), name


def test_exact_sums_agree_with_fields_at_texels(cascade, fields):
    h0, tile, n = cascade
    j, i = np.array([0, 3, 40]), np.array([0, 17, 63])
    x, z = tile.to_world(i * tile.side / SIZE, j * tile.side / SIZE)
    sums = fields_of(h0, tile, n, places=(x, z))
    for name, field in fields.items():
        assert sums[name] == pytest.approx(field[j, i], abs=1e-10 * np.abs(field).max()), name


def test_derivative_fields_agree_with_differences_in_world_axes(cascade):
    h0, tile, n = cascade
    x, z, e = np.array([3.0, -70.0, 911.0]), np.array([-5.0, 33.0, 402.0]), tile.side / SIZE * 1e-3

    def at(dx, dz):
        return fields_of(h0, tile, n, places=(x + dx * e, z + dz * e))

    here, east, west, south, north = at(0, 0), at(1, 0), at(-1, 0), at(0, 1), at(0, -1)
    for derivative, of, (ahead, behind) in (
        ("slope_x", "height", (east, west)),
        ("slope_z", "height", (south, north)),
        ("dxx", "dx", (east, west)),
        ("dzz", "dz", (south, north)),
        ("dxz", "dx", (south, north)),
        ("dxz", "dz", (east, west)),
    ):
        difference = (ahead[of] - behind[of]) / (2 * e)
        # A central difference errs by (k e)² / 6 at most, k e = pi / 1000 at Nyquist; and by rounding.
        assert difference == pytest.approx(here[derivative], abs=1e-5 * np.abs(here[derivative]).max()), derivative


def test_horizontal_motion_sharpens_crests(fields):
    # The surface contracts where it is high: the divergence of D has the sign of -h.
    assert np.corrcoef(fields["dxx"].ravel() + fields["dzz"].ravel(), fields["height"].ravel())[0, 1] < -0.8


@pytest.mark.parametrize("wave", [(3, 0), (0, -2), (-4, 5)])
def test_a_wave_runs_along_its_vector_at_its_speed(tiles, wave):
    tile, (nx, nz) = tiles[1], wave
    h0 = np.zeros((SIZE, SIZE), complex)
    h0[nz, nx] = 0.5
    n = steps(tile, SIZE, DEPTH, KIND, PERIOD)
    kx, kz = (component[nz, nx] for component in wave_vectors(tile, SIZE))
    k = math.hypot(kx, kz)
    speed, later = angular_frequency(k, DEPTH) / k, 0.25
    start = fields_of(h0, tile, n, 0, ([0.0], [0.0]))["height"]
    assert start == pytest.approx([1.0])
    # Follow the crest by its phase at the origin: cos(-wt), sin(-wt) from the height and its slope along k.
    there = fields_of(h0, tile, n, clock_ticks(later, PERIOD), ([0.0], [0.0]))
    slope = (there["slope_x"] * kx + there["slope_z"] * kz) / k**2
    travelled = math.atan2(-slope[0], there["height"][0]) / -k
    # The loop period changes w by pi / T at most.
    assert travelled / later == pytest.approx(speed, abs=math.pi / PERIOD / k * 1.001)


@pytest.mark.parametrize("period", [60.0, PERIOD, 2.0**17])
def test_the_sea_repeats_bit_by_bit(systems, tiles, period):
    h0 = draw(1, 0, SIZE) * np.sqrt(variance(tiles[0], SIZE, systems))
    n = steps(tiles[0], SIZE, DEPTH, KIND, period)
    now, later = (evolve(h0, n, clock_ticks(time, period)) for time in (7.25, 7.25 + period))
    assert np.array_equal(now, later)
    assert not np.array_equal(now, evolve(h0, n, clock_ticks(8.25, period)))


def test_single_precision_amplitudes_are_accepted(cascade, fields):
    h0, tile, n = cascade
    rounded = fields_of(h0.astype(np.complex64), tile, n)
    for name, field in fields.items():
        assert rounded[name].dtype == np.float64
        assert np.abs(rounded[name] - field).max() < 1e-6 * np.abs(field).max(), name


def test_sampling_is_bilinear_and_repeats(cascade, fields):
    _, tile, _ = cascade
    height, texel = fields["height"], tile.side / SIZE
    i = np.array([0, 10, 63])
    corners = height[5, i], height[5, (i + 1) % SIZE], height[6, i], height[6, (i + 1) % SIZE]
    for a, b in ((0.0, 0.0), (0.25, 0.5), (0.9, 0.1)):
        expected = np.dot([(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b], corners)
        u, v = (i + a) * texel, (5 + b) * texel
        assert reference.bilinear(height, tile, *tile.to_world(u, v)) == pytest.approx(expected, rel=1e-9, abs=1e-12)
        again = tile.to_world(u - 3 * tile.side, v + 7 * tile.side)
        assert reference.bilinear(height, tile, *again) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_normal_and_jacobian_agree_with_the_surface(cascade):
    h0, tile, n = cascade
    choppiness, e = 0.7, tile.side / SIZE * 1e-3
    x, z = np.array([3.0, -70.0, 911.0, 55.0]), np.array([-5.0, 33.0, 402.0, 8.0])

    def point(dx, dz):
        sea = fields_of(h0, tile, n, places=(x + dx * e, z + dz * e))
        return np.stack([x + dx * e + choppiness * sea["dx"], sea["height"], z + dz * e + choppiness * sea["dz"]], -1)

    along_x = (point(1, 0) - point(-1, 0)) / (2 * e)
    along_z = (point(0, 1) - point(0, -1)) / (2 * e)
    cross = np.cross(along_z, along_x)
    sea = fields_of(h0, tile, n, places=(x, z))
    derivatives = sea["dxx"], sea["dzz"], sea["dxz"]
    # Central differences, as above: 1e-5 of derivatives that are below 1.
    assert jacobian(*derivatives, choppiness) == pytest.approx(cross[:, 1], abs=1e-5)
    found = normal(sea["slope_x"], sea["slope_z"], *derivatives, choppiness)
    assert found == pytest.approx(cross / np.linalg.norm(cross, axis=-1, keepdims=True), abs=1e-5)
    assert np.all(found[:, 1] > 0)


def test_the_surface_is_the_sum_of_all_cascades(systems, tiles):
    cascades = []
    for index, tile in enumerate(tiles):
        h0 = draw(5, index, SIZE) * np.sqrt(variance(tile, SIZE, systems))
        n = steps(tile, SIZE, DEPTH, KIND, PERIOD)
        cascades.append((tile, fields_of(h0, tile, n)))
    x, z = np.array([1.0, 200.0]), np.array([2.0, -300.0])
    east, up, south = reference.surface_point(cascades, x, z, 0.5, [NONE] * len(cascades))
    total = {
        name: sum(reference.bilinear(each[name], tile, x, z) for tile, each in cascades)
        for name in ("height", "dx", "dz")
    }
    assert up == pytest.approx(total["height"])
    assert (east, south) == (pytest.approx(x + 0.5 * total["dx"]), pytest.approx(z + 0.5 * total["dz"]))


@pytest.fixture(scope="module", params=[foam_step, foam_reference.foam_step], ids=["program", "reference"])
def step_foam(request):
    return request.param


@given(frames=st.integers(1, 200))
def test_foam_decays_alike_at_every_frame_rate(step_foam, frames):
    calm = np.ones(1)
    foam = np.array([0.8])
    for _ in range(frames):
        foam = step_foam(foam, calm, 0.5, 0.2, 2.0 / frames, 4.0)
    assert foam == pytest.approx(0.8 * math.exp(-0.5), rel=1e-12)


def test_foam_appears_below_the_threshold_and_decays(step_foam):
    fresh = step_foam(np.zeros(4), np.array([0.6, 0.5, 0.4, -3.0]), 0.5, 0.2, 0.1, 4.0)
    assert fresh == pytest.approx([0, 0, 0.5, 1])
    assert step_foam(np.array([2**-7, 2**-6]), np.ones(2), 0.5, 0.2, 0.0, 4.0) == pytest.approx([0, 2**-6])
    # Seven half-lives take 1 to 2^-7, which is gone; two frames more cover the rounding of the steps.
    step, half_life = 0.125, 2.0
    foam = np.ones(1)
    for _ in range(int(7 * half_life / step) + 2):
        foam = step_foam(foam, np.ones(1), 0.5, 0.2, step, half_life / math.log(2))
    assert foam[0] == 0


def test_evolution_is_two_counter_rotating_waves():
    h0 = np.array([[0, 1 + 2j], [0, 0]])
    n = np.array([[0, 3], [0, 0]], np.uint32)
    angle = phase(3, TICKS)
    expected = h0[0, 1] * np.exp(-1j * angle) + np.conj(h0[0, 1]) * np.exp(1j * angle)  # -1 is 1 on a grid of two
    assert evolve(h0, n, TICKS)[0, 1] == pytest.approx(expected)
