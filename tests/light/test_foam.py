"""Light from foam."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.waves.whitecaps import ALBEDO, FILM, FRESH, THICK
from tests.reference.foam_light import STEEPEST, foam_radiance, opacity, thick_share

from ..render.probe import probed
from .test_reflection import direction


@given(st.floats(0, 40), st.floats(0, 360), st.floats(1, 90), st.floats(-4, 4))
def test_foam_sends_back_less_than_it_gets(lean, azimuth, elevation, rise):
    normal, sun = direction(90 - lean, azimuth), direction(elevation, 120)
    light = foam_radiance(normal, sun, np.array(rise), np.array(100.0), np.array(20.0))
    assert 0 <= np.pi * light <= ALBEDO * 120


@given(st.floats(10, 67), st.floats(0.3, 3))
def test_mounds_of_foam_are_brighter_on_the_side_of_the_sun(elevation, steep):
    """The sun is so low that even the steepest mounds do not lean past it."""
    sun, up = direction(elevation, 0), np.array([0.0, 1, 0])  # in the east
    towards, level, away = (
        foam_radiance(up, sun, np.array(s), np.array(100.0), np.array(0.0)) for s in (-steep, 0.0, steep)
    )
    assert towards > level > away
    steepest = foam_radiance(up, sun, np.array(-1e6), np.array(100.0), np.array(0.0))
    assert towards <= steepest
    half = 0.5 * np.arctan(STEEPEST)  # light spreads within foam, so mounds lean by half
    assert steepest / level <= np.sin(np.radians(elevation) + half) / np.sin(np.radians(elevation)) + 1e-9


def test_foam_is_as_bright_as_measured():
    """Fresh foam reflects 0.55 (Whitlock and others 1982), foam of all ages 0.22 (Koepke 1984), and the oldest foam, a
    film, 0.04. Reflectance falls with age."""
    assert pytest.approx(0.55) == ALBEDO * opacity(1.0, thick_share(1.0, 3.0))
    assert pytest.approx(0.22) == ALBEDO * opacity(1.0, THICK)
    assert pytest.approx(0.04) == ALBEDO * FILM
    foam = np.linspace(0.01, 1.0, 100)
    for thinning in (1.5, 3.0, 8.0):
        thick = thick_share(foam, thinning)
        assert (thick < foam).all()
        assert (np.diff(opacity(foam, thick) / foam) > 0).all()
    assert THICK < FRESH < 1


SHADED = """
    vec4 water = given[3u * i], sun = given[3u * i + 1u], foam = given[3u * i + 2u];
    float light = foam_radiance(water.xyz, sun.xyz, foam.x, vec3(sun.w), vec3(foam.z), 0.2).g;
    sink[i].xy = vec2(light, opacity(film_and_thick(water.w, foam.w)));
"""


def test_the_foam_shader_agrees_with_the_reference(ctx):
    """Random foam on random water agrees to float32."""
    rng, n = np.random.default_rng(), 2000
    rows = np.zeros((n, 3, 4), "f4")
    angles = zip(rng.uniform(50, 90, n), rng.uniform(0, 360, n), rng.uniform(1, 90, n), strict=True)
    rows[:, :2, :3] = [(direction(up, a), direction(sun, 77)) for up, a, sun in angles]
    rows[:, 0, 3], rows[:, 1, 3] = rng.uniform(0, 1, n), rng.uniform(0, 100, n)
    rows[:, 2, 0], rows[:, 2, 2], rows[:, 2, 3] = rng.normal(0, 0.4, n), rng.uniform(0, 20, n), rng.uniform(1, 8, n)
    light, opaque = probed(ctx, ("foam/optics.glsl",), SHADED, rows, 1)[:, 0, :2].T
    rows = rows.astype("f8")
    expected = foam_radiance(rows[:, 0, :3], rows[:, 1, :3], rows[:, 2, 0], rows[:, 1, 3], rows[:, 2, 2], 0.2)
    np.testing.assert_allclose(light, expected, rtol=1e-4, atol=1e-5)
    expected = opacity(rows[:, 0, 3], thick_share(rows[:, 0, 3], rows[:, 2, 3]))
    np.testing.assert_allclose(opaque, expected, rtol=1e-4, atol=1e-6)
