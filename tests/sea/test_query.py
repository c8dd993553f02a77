"""Queries of the sea on the GPU, against exact sums over its waves."""

import math

import numpy as np
import pytest

from ocean.gpu.context import Fence
from ocean.sea.blend import make_spectrum
from ocean.sea.query import RING, highest_crest
from ocean.sea.sea import Sea
from ocean.sea.sea import make_sea as host_sea
from ocean.settings import load_settings, with_values
from ocean.waves import statistics
from ocean.waves.amplitudes import wave_numbers, wave_vectors
from ocean.waves.surface import TOLERANCE, finer
from tests.messages import naming
from tests.reference.sea import WaveSum

from ..conftest import SMALL
from ..marks import slow
from ..objects import gl_objects

DAY = 86_400.0
SWELL = ("sea.wind.speed=0", "sea.swell.height=3", "sea.swell.period=12")


def points(count, seed=0, centre=(0.0, 0.0), extent=1000.0):
    return np.random.default_rng(seed).uniform(-extent / 2, extent / 2, (2, count)) + np.reshape(centre, (2, 1))


def waves_of(sea, time):
    spectrum = make_spectrum(sea.settings)
    return WaveSum(spectrum.waves, time, sea.settings.sea.choppiness, spectrum.lifts)


def read_between_texels(size):
    """Return means over t of r(t) and |r(t)|², for each wave number along an axis; see `interpolation_loss`."""
    t = (np.arange(64) + 0.5) / 64
    weights = 0.5 * np.array(
        [-t + 2 * t**2 - t**3, 2 - 5 * t**2 + 3 * t**3, t + 4 * t**2 - 3 * t**3, -(t**2) + t**3]
    )  # Keys 1981, a = -1/2
    q = 2 * np.pi * wave_numbers(size) / (finer(size) * size)
    r = sum(w * np.exp(1j * q[:, None] * (j - t)) for j, w in zip((-1, 0, 1, 2), weights, strict=True))
    return r.mean(1), (np.abs(r) ** 2).mean(1)


def interpolation_loss(size):
    """Return the mean square error of cubic convolution between texels, for each wave of a map, relative to the wave.
    Maps of few texels are refined first, without an error.

    A wave of phase step q = k texel is read as r(t) = sum over j of weight_j(t) e^{i q (j - t)} of itself along each
    axis. The mean of |r(t) r(s) - 1|² over t and s follows from the means of r and |r|².
    """
    mean, power = read_between_texels(size)
    return np.outer(power, power) - 2 * np.outer(mean, mean).real + 1


def expected_errors(sea):
    """Return the standard deviations of interpolation errors at a point of still water: of the height [m], the
    displacement [m] (largest component), the slope, and the vertical velocity [m/s]."""
    height = displacement = slope = velocity = 0.0
    for cascade in make_spectrum(sea.settings).cascades:
        key, lost = cascade.key, cascade.variance * interpolation_loss(cascade.key.size)
        power = statistics.jacobian_power(key.tile, lost, key.depth, key.dispersion)
        k2 = np.maximum(np.square(np.hypot(*wave_vectors(key.tile, key.size))), 1e-12)
        w = cascade.steps * (2 * math.pi / key.period)
        height += lost.sum()
        displacement += (power / k2).sum()
        slope += power.sum()
        velocity += (w**2 * power / k2).sum()
    return np.sqrt([height, displacement, slope, velocity])


@pytest.mark.parametrize(
    ("overrides", "time"),
    [
        slow((*SWELL, "fft.size=256", "sea.choppiness=0"), 3.3),
        ((*SWELL, "fft.size=128", "sea.choppiness=1.2", "sea.depth=12"), DAY + 0.7),
        slow(("fft.size=256", "sea.wind.speed=15", "sea.choppiness=1.2"), 77.0),
        (("fft.size=128", "sea.wind.speed=7", "sea.dispersion=deep", "sea.loop_period=600"), 1e6 + 0.25),
    ],
)
def test_the_surface_agrees_with_exact_sums(make_sea, overrides, time):
    """The water found by the GPU is at the requested point and exact except for interpolation, whose error is known.
    The factor 1.25 allows for three standard deviations of 120 samples and the scatter of the draw."""
    sea = make_sea(*overrides)
    sea.update(time)
    x, z = points(120, seed=len(overrides) + int(time))
    found, waves = sea.surface(x, z), waves_of(sea, time)
    assert found.converged.mean() > 0.995
    true = waves.at_rest(*found.still.T)
    height, displacement, slope, velocity = expected_errors(sea)
    c, arithmetic = sea.settings.sea.choppiness, 1e-5 * 4 * true.height.std()
    limits = {
        "height": 1.25 * height + arithmetic,
        "velocity": 1.25 * max(1.0, c) * velocity + 2 * arithmetic,  # of each component; w is about 1 rad/s
        # A product of slopes and 1 + c D': the error of each factor times the other, which is at most 1 + c.
        "normal": 1.25 * (1 + c) * slope + 1e-5,
    }
    for name, limit in limits.items():
        error = getattr(found, name) - getattr(true, name)
        assert np.sqrt(np.mean(error**2)) < limit, name
        assert np.abs(error).max() < 7 * limit, name
    east, _, south = waves.displacement(*found.still.T)
    off = np.hypot(found.still[:, 0] + east - x, found.still[:, 1] + south - z)[found.converged]
    assert off.max() < TOLERANCE + 6 * c * displacement + 1e-4  # positions of 1 km in float32


@pytest.mark.parametrize(("size", "cubic", "linear"), [(512, 0.001, 0.010), (256, 0.009, 0.040)])
def test_interpolation_is_as_good_as_the_documentation_says(make_sea, size, cubic, linear):
    """At 15 m/s, cubic convolution loses less than this height [m, rms], and a linear filter more."""
    sea = make_sea(f"fft.size={size}", "sea.wind.speed=15")
    assert expected_errors(sea)[0] < cubic
    q = 2 * np.pi * wave_numbers(size) / size
    mean, power = np.sinc(q / (2 * np.pi)) ** 2, (2 + np.cos(q)) / 3  # means of r and |r|², as above
    lost = np.outer(power, power) - 2 * np.outer(mean, mean) + 1
    assert np.sqrt(sum((c.variance * lost).sum() for c in make_spectrum(sea.settings).cascades)) > linear


@pytest.mark.parametrize("size", [30, 64, 128])
def test_heights_between_texels_are_within_a_hundredth_at_every_size(make_sea, size):
    """Errors are fractions of the standard deviation at 15 m/s, on the GPU and on the processor."""
    overrides = f"fft.size={size}", "fft.backend=auto", "sea.wind.speed=15"
    host = host_sea(load_settings(overrides=[*SMALL, *overrides]))
    for sea in (make_sea(*overrides), host):
        sea.update(5.0)
        found = sea.surface(*points(150, extent=400.0))
        exact = waves_of(sea, 5.0).at_rest(*found.still.T)
        assert np.sqrt(np.mean((found.height - exact.height) ** 2)) < 0.01 * exact.height.std()


def test_normals_are_as_good_as_the_documentation_says(make_sea):
    """The rms angle between the found normal and the exact normal of that water, at 15 m/s and choppiness 1."""
    sea = make_sea("fft.size=256", "sea.wind.speed=15")
    sea.update(5.0)
    found = sea.surface(*points(100))
    exact = waves_of(sea, 5.0).at_rest(*found.still.T).normal
    sine = np.linalg.norm(np.cross(found.normal, exact), axis=-1)
    assert np.degrees(np.sqrt(np.mean(sine**2))) < 1.2  # 1.0 to 1.1, plus the scatter of 100 points
    tilt = np.degrees(np.sqrt(np.mean(exact[:, 0] ** 2 + exact[:, 2] ** 2)))
    assert 9 < tilt < 14


def test_points_far_from_the_origin_are_as_exact(make_sea):
    sea = make_sea("fft.size=128", *SWELL)
    sea.update(9.0, (100.0, -50.0))
    near = points(50, extent=200.0)
    tile = sea.tiles[0]  # one tile repeats here and the others do not, so that exact sums show a wrong point
    far = near + np.reshape(tile.to_world(400 * tile.side, -300 * tile.side), (2, 1))
    found, waves = sea.surface(*far), waves_of(sea, 9.0)
    true = waves.at_rest(*found.still.T)
    assert np.sqrt(np.mean((found.height - true.height) ** 2)) < 1.2 * expected_errors(sea)[0]


# -- What may be queried, and when -----------------------------------------------------------------------------------


def test_an_answer_carries_its_time_however_late_it_is_fetched(make_sea):
    sea = make_sea()
    x, z = points(3000)
    queries = []
    for time in (1.0, 2.0, 3.0):
        sea.update(time)
        queries.append(sea.query(x, z))
    assert [query.time for query in queries] == [1.0, 2.0, 3.0]
    for query in reversed(queries):
        late = query.result()
        sea.update(query.time)
        now = sea.surface(x, z)
        assert late.time == now.time == query.time
        np.testing.assert_array_equal(late.height, now.height)
        np.testing.assert_array_equal(late.velocity, now.velocity)


def test_a_query_does_not_wait_for_the_gpu(make_sea, ctx, monkeypatch):
    sea = make_sea()
    sea.update(0.0)
    with monkeypatch.context() as patch:
        patch.setattr(Fence, "wait", lambda fence: pytest.fail("a query waited"))
        query = sea.query(*points(1000))
    ctx.finish()
    assert query.ready
    assert query.ready  # a second look does not consume the fence
    assert query.result().height.shape == (1000,)
    assert query.ready


def test_no_query_is_lost_if_the_ring_is_full(ctx, make_sea):
    sea = make_sea()
    sea.update(0.0)
    sea.height(0.0, 0.0)
    buffers, queries, expected = gl_objects(ctx)["Buffer"], [], []
    for i in range(2 * RING + 3):
        sea.update(0.1 * i)
        x, z = points(1 + 150 * i, seed=i)  # growing sizes need new buffers
        expected.append(sea.height(x, z))
        queries.append(sea.query(x, z, velocity=False))
    for query, height in zip(queries, expected, strict=True):
        sample = query.result()
        np.testing.assert_array_equal(sample.height[sample.converged], height[sample.converged])
    assert gl_objects(ctx)["Buffer"] - buffers <= 3 * (RING + 1)  # points, answers, and a copy of the answers


def test_shapes_broadcast_and_may_be_empty(make_sea):
    sea = make_sea()
    sea.update(0.0)
    grid = sea.surface(np.zeros((3, 1)), np.arange(4.0))
    assert grid.height.shape == grid.converged.shape == grid.steps.shape == (3, 4)
    assert grid.normal.shape == grid.velocity.shape == (3, 4, 3)
    assert sea.height(1.0, 2.0).shape == ()
    assert sea.surface(np.zeros((0, 2)), 1.0).normal.shape == (0, 2, 3)
    assert sea.query(0.0, 0.0, velocity=False).result().velocity is None


@pytest.mark.parametrize("device", ["gpu", "cpu"])
def test_bad_queries_are_refused(make_sea, device):
    sea = make_sea() if device == "gpu" else host_sea(load_settings(overrides=SMALL))
    for ask in (sea.fields, lambda: sea.height(0.0, 0.0)):
        with pytest.raises(RuntimeError, match="updated"):
            ask()
    for refused, what in (
        (lambda: sea.update(math.nan), naming("time finite seconds nan")),
        (lambda: sea.start_waves(math.inf), naming("time finite seconds inf")),
        (lambda: sea.update(0.0, (math.nan, 0.0)), naming("focus two finite metres")),
    ):
        with pytest.raises(ValueError, match=what):
            refused()
    sea.update(0.0)
    with pytest.raises(ValueError, match=naming("x nan finite metres")):
        sea.height([0.0, math.nan], 0.0)
    with pytest.raises(ValueError, match="broadcast"):
        sea.surface([1.0, 2.0], [1.0, 2.0, 3.0])
    if device == "gpu":
        with pytest.raises(ValueError, match=naming("1048576 1048577 points")):
            sea.query(np.zeros((1 << 20) + 1), 0.0)
    query = sea.query(0.0, 0.0)
    sea.apply(with_values(sea.settings, {"sea.seed": 9}))
    with pytest.raises(RuntimeError, match="updated"):
        sea.height(0.0, 0.0)  # the maps hold the old waves, or none
    assert query.result().time == 0.0


def test_an_unfetched_answer_is_released_with_the_sea(ctx):
    sea = Sea(ctx, load_settings(overrides=SMALL))
    sea.update(0.0)
    query = sea.query(0.0, 0.0)
    sea.release()
    with pytest.raises(RuntimeError, match="released"):
        query.result()
    assert not query.ready


def test_flat_water_is_flat_and_folding_water_gives_nan(make_sea):
    sea = make_sea("sea.wind.speed=0")
    sea.update(0.0)
    sample = sea.surface(*points(10))
    assert not sample.height.any()
    assert not sample.velocity.any()
    np.testing.assert_array_equal(sample.normal, np.tile([0.0, 1.0, 0.0], (10, 1)))
    steep = make_sea("sea.swell.height=6", "sea.swell.period=8", "sea.choppiness=1.5", "fft.size=128")
    steep.update(0.0)
    x, z = points(5000)
    sample = steep.surface(x, z)
    assert 0.9 < sample.converged.mean() < 1
    np.testing.assert_array_equal(np.isnan(steep.height(x, z)), ~sample.converged)


def test_velocities_follow_the_waves_at_a_time_that_stands_still(make_sea):
    sea, fresh = make_sea("sea.wind.speed=10"), make_sea("sea.wind.speed=10.5")
    for each in (sea, fresh):
        each.update(4.0)
        each.surface(0.0, 0.0)
    sea.apply(with_values(sea.settings, {"sea.wind.speed": 10.5}))
    sea.update(4.0)
    np.testing.assert_allclose(sea.surface(*points(9)).velocity, fresh.surface(*points(9)).velocity, atol=1e-5)


@pytest.mark.parametrize("backend", ["stockham-radix4", "numpy"])
def test_a_sea_may_be_queried_while_it_changes(make_sea, backend):
    """In the middle of a cross-fade that changes backend and size, the height is the sum of all living cascades."""
    sea = make_sea("fft.size=64", "sea.choppiness=0")
    sea.update(0.0)
    sea.surface(0.0, 0.0)
    sea.apply(with_values(sea.settings, {"sea.seed": 5, "fft.backend": backend}), blend=1.0)
    sea.update(0.5)
    assert len(sea.tiles) == 6
    waves = [
        WaveSum([w], 0.5, 0.0).surface(*points(10)).height
        for w in (*make_spectrum(with_values(sea.settings, {"sea.seed": 1})).waves, *make_spectrum(sea.settings).waves)
    ]
    shares = np.repeat([1 - sea.blend.progress, sea.blend.progress], len(waves) // 2)
    half_way = np.sqrt(shares) @ waves
    sample = sea.surface(*points(10))
    assert sample.height == pytest.approx(half_way, abs=6 * expected_errors(sea)[0])
    sea.update(2.0)
    assert len(sea.tiles) == 3
    assert sea.surface(*points(10)).converged.all()


def test_the_highest_crest_of_the_tile_is_found():
    """A fine grid over the whole tile has no higher crest."""
    overrides = ["fft.size=32", "cascades.count=1", "cascades.blended=0", "sea.wind.speed=15"]
    sea = host_sea(load_settings(overrides=overrides))
    sea.update(40.0)
    side = sea.tiles[0].side
    found = highest_crest(sea, 1000.0, -300.0)
    assert max(abs(found.x - 1000), abs(found.z + 300)) < 0.51 * side
    assert found.height == pytest.approx(sea.height(found.x, found.z), abs=1e-3)
    axis = np.arange(0, side, side / 300)
    assert np.nanmax(sea.height(*np.meshgrid(axis, axis))) < found.height + 0.01
    assert found.time == 40.0
