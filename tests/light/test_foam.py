"""Light from foam."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.gpu.bindings import Storage
from ocean.gpu.shaders import SHADERS, ShaderSource
from ocean.waves.whitecaps import ALBEDO, FILM, FRESH, THICK
from tests.reference.foam_light import STEEPEST, foam_radiance, opacity, thick_share

from .test_reflection import direction


@given(st.floats(0, 40), st.floats(0, 360), st.floats(1, 90), st.floats(-4, 4))
def test_foam_sends_back_less_than_it_gets(lean, azimuth, elevation, rise):
    normal, sun = direction(90 - lean, azimuth), direction(elevation, 120)
    light = foam_radiance(normal, sun, np.array(rise), np.array(100.0), np.array(20.0))
    assert 0 <= np.pi * light <= ALBEDO * 120


@given(st.floats(10, 70), st.floats(0.3, 3))
def test_mounds_of_foam_are_brighter_on_the_side_of_the_sun(elevation, steep):
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


def test_the_foam_shader_agrees_with_the_twin(ctx):
    """Random foam on random water agrees to float32."""
    rng = np.random.default_rng()
    n = 2000
    given_ = np.zeros((n, 3, 4), "f4")
    angles = zip(rng.uniform(50, 90, n), rng.uniform(0, 360, n), rng.uniform(1, 90, n), strict=True)
    given_[:, :2, :3] = [(direction(up, a), direction(sun, 77)) for up, a, sun in angles]
    given_[:, 0, 3], given_[:, 1, 3] = rng.uniform(0, 1, n), rng.uniform(0, 100, n)
    given_[:, 2, 0], given_[:, 2, 2], given_[:, 2, 3] = (
        rng.normal(0, 0.4, n),
        rng.uniform(0, 20, n),
        rng.uniform(1, 8, n),
    )
    names = "common/bindings.glsl", "common/constants.glsl", "foam/optics.glsl"
    text = "\n".join(ShaderSource(SHADERS, name, {}).text for name in names)
    program = ctx.compute_shader(f"""#version 430
{text}
layout(local_size_x = 1) in;
layout(std430, binding = STORAGE_POINTS) buffer Given {{ vec4 given[]; }};
void main() {{
    uint i = 3u * gl_GlobalInvocationID.x;
    vec4 water = given[i], sun = given[i + 1u], foam = given[i + 2u];
    given[i].x = opacity(film_and_thick(water.w, foam.w));
    given[i + 2u].w = foam_radiance(water.xyz, sun.xyz, foam.x, vec3(sun.w), vec3(foam.z), 0.2).g;
}}
""")
    points = ctx.buffer(given_.tobytes())
    points.bind_to_storage_buffer(Storage.POINTS)
    program.run(n)
    ctx.finish()
    found = np.frombuffer(points.read(), "f4").reshape(n, 3, 4)
    for item in (points, program):
        item.release()
    given_ = given_.astype("f8")
    expected = foam_radiance(given_[:, 0, :3], given_[:, 1, :3], given_[:, 2, 0], given_[:, 1, 3], given_[:, 2, 2], 0.2)
    np.testing.assert_allclose(found[:, 2, 3], expected, rtol=1e-4, atol=1e-5)
    opaque = opacity(given_[:, 0, 3], thick_share(given_[:, 0, 3], given_[:, 2, 3]))
    np.testing.assert_allclose(found[:, 0, 0], opaque, rtol=1e-4, atol=1e-6)
