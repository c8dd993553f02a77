"""The sea on the processor, against the sea on the GPU and the formulas in float64."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocean import Sea, make_sea
from ocean.sea.blend import make_spectrum
from ocean.sea.host import HostSea
from ocean.settings import load_settings, with_values
from ocean.waves.fields import FIELDS, unpack
from ocean.waves.surface import TOLERANCE, WaveSum
from tests.messages import naming

from ..conftest import SMALL
from ..seas import mip_levels, reference_fields, relative_error
from .test_query import expected_errors

DAY = 86_400.0


def host_sea(*overrides):
    return make_sea(load_settings(overrides=[*SMALL, *overrides]))


@settings(max_examples=15)
@given(
    size=st.sampled_from([16, 30, 64, 96]),
    count=st.integers(1, 4),
    speed=st.floats(3, 25),
    depth=st.floats(3, 300),
    time=st.floats(-1e6, 1e6),
    seed=st.integers(0, 1000),
)
def test_fields_agree_with_the_formulas(size, count, speed, depth, time, seed):
    """The error is single precision's, as on the GPU, after any time."""
    sea = host_sea(
        f"fft.size={size}",
        "fft.backend=auto",
        f"cascades.count={count}",
        f"sea.wind.speed={speed}",
        f"sea.depth={depth}",
        f"sea.seed={seed}",
    )
    sea.update(time)
    fields = sea.fields()
    for i, (_, expected) in enumerate(reference_fields(sea.settings, time)):
        for name in FIELDS:
            assert fields[name].dtype == np.float32
            if np.abs(expected[name]).max() > 0:
                assert relative_error(fields[name][i], expected[name]) < 1e-5


def test_fields_and_answers_agree_with_the_gpu(make_sea):
    overrides = ("fft.size=128", "sea.wind.speed=12")
    sea, host = make_sea(*overrides), host_sea(*overrides)
    x, z = np.random.default_rng(4).uniform(-500, 500, (2, 30, 20))
    for time in (0.0, DAY + 0.3):
        sea.update(time)
        host.update(time)
        expected, fields = sea.fields(), host.fields()
        assert list(fields) == list(expected)
        for name, values in expected.items():
            assert relative_error(fields[name], values) < 1e-5
        there, here = sea.surface(x, z), host.surface(x, z)
        assert here.time == time
        both = there.converged & here.converged
        assert both.mean() > 0.99
        # Both find the water to within the tolerance, and differ by the change of the surface between the two places.
        steepest = 2 * TOLERANCE * np.hypot(expected["slope_x"], expected["slope_z"]).max(axis=(1, 2)).sum()
        np.testing.assert_allclose(here.height[both], there.height[both], atol=steepest + 1e-4)
        np.testing.assert_allclose(here.still[both], there.still[both], atol=4 * TOLERANCE)
        np.testing.assert_allclose(here.normal[both], there.normal[both], atol=0.02)
        np.testing.assert_allclose(here.velocity[both], there.velocity[both], atol=0.02)
        np.testing.assert_allclose(here.jacobian[both], there.jacobian[both], atol=0.03)
        np.testing.assert_array_equal(np.isnan(host.height(x, z)), ~here.converged)
    assert host.foam_threshold == pytest.approx(sea.foam_threshold, rel=1e-12)


def test_the_surface_agrees_with_exact_sums():
    """Heights, normals and velocities at the found water are exact except for the known loss of cubic convolution. The
    factor 1.2 allows for three standard deviations of 200 samples and the scatter of the draw."""
    sea = host_sea("fft.size=256", "sea.wind.speed=15", "sea.choppiness=0.5")
    sea.update(DAY)
    found = sea.surface(*np.random.default_rng(1).uniform(-300, 300, (2, 200)))
    waves = WaveSum(make_spectrum(sea.settings).waves, DAY, sea.settings.sea.choppiness)
    exact = waves.sample_at_rest(*np.moveaxis(found.still, -1, 0), found.residual, found.steps)
    height, _, slope, velocity = expected_errors(sea)
    assert np.std(found.height - exact.height) < 1.2 * height
    assert np.std(found.normal[..., 1] - exact.normal[..., 1]) < 1.2 * slope
    assert np.std(found.velocity[..., 1] - exact.velocity[..., 1]) < 1.2 * velocity
    assert found.converged.mean() > 0.99


@pytest.mark.parametrize("size", [64, 90])
def test_breaking_is_judged_on_the_mip_levels_of_the_gpu(size):
    sea = host_sea(f"fft.size={size}", "fft.backend=auto")
    sea.update(1.0)
    fields = sea.fields()
    for i, (tile, maps) in enumerate(sea.breaking_maps()):
        assert tile == sea.tiles[i]
        level = sea.spectrum.keys[i].foam_lod(sea.spectrum.breaking_texel)
        for name, values in unpack(maps).items():
            expected = mip_levels(fields[name][i][None])[level][0]
            np.testing.assert_allclose(values, expected, atol=1e-6 * (1 + np.abs(expected).max()))


def test_a_sea_refuses_impossible_times_and_questions_before_an_update():
    sea = host_sea()
    for refused, what in (
        (lambda: sea.update(math.nan), "time of a sea is a finite number of seconds, not nan"),
        (lambda: sea.start_waves(math.inf), naming("time finite seconds inf")),
        (lambda: sea.update(0.0, (math.nan, 0.0)), naming("focus two finite metres")),
    ):
        with pytest.raises(ValueError, match=what):
            refused()
    for ask in (sea.fields, lambda: sea.height(0.0, 0.0)):
        with pytest.raises(RuntimeError, match="updated"):
            ask()
    sea.update(0.0)
    query = sea.query(1.0, 2.0)
    sea.update(5.0)
    assert query.ready
    assert query.result().time == query.time == 0.0
    assert sea.query(1.0, 2.0, velocity=False).result().velocity is None
    sea.apply(load_settings(overrides=["fft.size=32", "cascades.count=2"]))
    sea.update(0.0)
    assert sea.fields()["height"].shape == (2, 32, 32)
    sea.release()


def test_make_sea_uses_the_gpu_of_a_context_or_the_processor(ctx):
    settings = load_settings(overrides=SMALL)
    assert isinstance(make_sea(settings), HostSea)
    with pytest.raises(TypeError, match="make_sea"):
        Sea(None, settings)
    sea = make_sea(settings, ctx)
    assert isinstance(sea, Sea)
    sea.release()


def test_settings_of_another_type_are_refused():
    with pytest.raises(TypeError, match=naming("str load_settings")):
        make_sea("gale")
    sea = make_sea(load_settings(overrides=["fft.size=16", "cascades.count=1"]))
    with pytest.raises(TypeError, match="not dict"):
        sea.apply({})


def test_impossible_settings_change_nothing(monkeypatch):
    sea = make_sea(load_settings(overrides=["fft.size=16", "cascades.count=1"]))
    settings = sea.settings

    def refuse(*_):
        raise MemoryError

    monkeypatch.setattr("ocean.sea.host.make_spectrum", refuse)
    with pytest.raises(MemoryError):
        sea.apply(with_values(settings, {"fft.size": 32}))
    assert sea.settings == settings
    sea.update(0.0)
    assert sea.fields()["height"].shape == (1, 16, 16)
