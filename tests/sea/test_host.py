"""The sea on the processor, against the sea on the GPU and the formulas in float64."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocean import Sea, make_sea
from ocean.sea.host import HostSea
from ocean.settings import load_settings, with_values
from ocean.waves.fields import FIELDS
from ocean.waves.surface import TOLERANCE
from tests.messages import naming

from ..conftest import SMALL
from ..seas import reference_fields, relative_error

DAY = 86_400.0


def host_sea(*overrides):
    return make_sea(load_settings(overrides=[*SMALL, *overrides]))


@settings(max_examples=6)
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
        # Both find the water to within the tolerance, and differ by the change of the surface between the two points.
        steepest = 2 * TOLERANCE * np.hypot(expected["slope_x"], expected["slope_z"]).max(axis=(1, 2)).sum()
        np.testing.assert_allclose(here.height[both], there.height[both], atol=steepest + 1e-4)
        np.testing.assert_allclose(here.still[both], there.still[both], atol=4 * TOLERANCE)
        np.testing.assert_allclose(here.normal[both], there.normal[both], atol=0.02)
        np.testing.assert_allclose(here.velocity[both], there.velocity[both], atol=0.02)
        np.testing.assert_allclose(here.jacobian[both], there.jacobian[both], atol=0.03)
        np.testing.assert_array_equal(np.isnan(host.height(x, z)), ~here.converged)
    assert host.foam_threshold == pytest.approx(sea.foam_threshold, rel=1e-12)


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
