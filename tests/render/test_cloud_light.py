"""Light of clouds against references: shafts below them, the glow of a low sun, and the veil."""

import numpy as np
import pytest
from scipy.ndimage import map_coordinates

from ocean.gpu.bindings import Block
from ocean.light import optics
from ocean.light.clouds import veil
from ocean.light.optics import EARTH_RADIUS
from ocean.render.sky import SKY_OF_SEA
from tests.reference.cloud_light import VEIL_HEIGHT, VEIL_MEAN, sunlit_air, veil_glow

from ..marks import slow
from .conftest import eye_of
from .skies import REFERENCE, asked, read, rgb, run, shadow_of, shadow_texels, state

pytestmark = pytest.mark.usefixtures("coarse_sky")

SHAFTS = """
    vec4 ray = given[i];  // [m], and where its samples start
    sink[i] = vec4(sunlit_air(normalize(ray.xyz), length(ray.xyz), 16, ray.w));
"""


@pytest.mark.parametrize(("sun", "height"), [(8, 300), slow(30, 300), slow(70, 300), slow(8, 1900)])
def test_shafts_agree_with_shadows_in_the_air(make_renderer, sun, height):
    """The reference reads the same table of shadows, for eyes below and above clouds. Tolerances cover filters with 8
    bits of a texel and 16 samples of a ray. Where the air is wholly lit or wholly in shadow, the mean alone
    determines its light."""
    sky = "sky.clouds=0.4", f"sky.sun_elevation={sun}", f"view.altitude={height}"
    renderer = make_renderer(*sky, size=(16, 9))
    renderer.render(0.0)  # leaves its view bound
    light = renderer.light
    renderer.camera_block.bind_to_uniform_block(Block.VIEW)
    rng, n = np.random.default_rng(sun), 128
    eye = eye_of(renderer)[0]
    rays = rng.normal(size=(n, 3)) * rng.choice([30, 3e3, 2e4], (n, 1))
    rays[:, 1] = rng.uniform(-1, 4 if height < 1400 else 0.2, n) * eye  # from the sea up to the clouds' base or over it
    start, mean = rng.random(), state(light)[5, 3]
    table = shadow_of(light)

    def visible(places):
        u, v = 0.5 + 0.5 * (places / (8e3 + np.linalg.norm(places, axis=1, keepdims=True))).T
        return map_coordinates(table, np.stack([v, u]) * len(table) - 0.5, order=1, mode="nearest")

    questions = np.concatenate([rays, np.full((n, 1), start)], axis=1)
    found = asked(light, "sky/radiance.glsl", SHAFTS, questions)[:, 3]
    expected = sunlit_air(visible, mean, eye, rays, np.array(light.sun), 1400.0, (np.arange(16) + start) / 16)
    assert np.ptp(expected) > 0.07
    np.testing.assert_allclose(found, expected, atol=0.005)
    light.shadow.write(np.full(light.shadow.size, mean, "f4").tobytes())
    np.testing.assert_allclose(asked(light, "sky/radiance.glsl", SHAFTS, questions)[:, 3], 1.0, rtol=1e-4)


@pytest.mark.parametrize("sun", [slow(-5), -2, slow(10)])
def test_the_glow_equals_the_difference_between_the_sides_of_the_sky(make_light, sun):
    """The reference sums 256 parts, the shader the table's own texels; they agree to 1 % of the light of both sides.
    After sunset the glow is much redder than the sky. The sky has no clouds, because they would absorb a part of that
    light."""
    light = make_light("sky.clouds=0", f"sky.sun_elevation={sun}")
    even = read(light.sky_view)[SKY_OF_SEA, ..., :3]
    rows, columns_, _ = even.shape
    elevation = np.pi / 2 * (np.arange(rows) / (rows - 1)) ** 2
    around = np.pi * np.arange(columns_) / (columns_ - 1)

    def sent(weight):
        over_azimuth = np.trapezoid(even * weight[:, None], around, axis=1)
        return 2 * np.trapezoid(over_azimuth * np.cos(elevation)[:, None] ** 2, elevation, axis=0)

    found, clear = state(light)[[6, 2], :3]
    np.testing.assert_array_less(np.abs(found - sent(np.cos(around))), 0.01 * sent(np.abs(np.cos(around))))
    if sun < 0:
        assert found[0] / found[2] > 1.5 * clear[0] / clear[2]


@pytest.mark.parametrize("sun", [-2.5, slow(-1), slow(20)])
def test_the_glow_of_the_veil_agrees_with_the_reference(make_light, sun):
    """The reference takes the sun's light at a point 60 km towards the sun. The tolerance covers float32 and the
    tables' steps, which are steep at sunset. After sunset the veil is red."""
    clear, veiled = (make_light(f"sky.veil={depth}", f"sky.sun_elevation={sun}") for depth in (0, 0.8))
    added, up = state(veiled)[6, :3] - state(clear)[6, :3], np.radians(sun)
    there = np.array([np.sin(up) + 60e3 / EARTH_RADIUS * np.cos(up)])
    expected = veil_glow(0.8, rgb(REFERENCE.solar * REFERENCE.sunlight(np.array([VEIL_HEIGHT]), there))[0])
    np.testing.assert_allclose(added, expected, rtol=0.03, atol=0.02 * expected.max())
    assert sun > 0 or added[0] > 2 * added[2]
    share = veil(veiled.clouds.noise, np.random.default_rng(2).uniform(0, 1e7, (40_000, 2)))
    assert share.mean() == pytest.approx(VEIL_MEAN, rel=0.02)


@pytest.mark.usefixtures("fine_shadows")
def test_the_shadow_of_the_veil_agrees_with_the_reference(make_light):
    """The test compares the veil's shadow within 4 km, under a sun overhead. The reference takes nearest texels and the
    shader means over a texel of the table, so they agree on average to a twentieth of the greatest depth. The totals
    agree too."""
    light = make_light("sky.veil=0.8", "sky.sun_elevation=90")
    near, positions = shadow_texels(light, 0.33)
    expected, found = veil(light.clouds.noise, positions), -np.log(shadow_of(light)[near]) / 0.8
    assert np.std(expected) > 0.05
    assert np.abs(found - expected).mean() < 0.05
    assert found.mean() == pytest.approx(expected.mean(), abs=0.02)


@pytest.mark.parametrize("sun", [slow(6), 20, slow(60)])
def test_a_veil_takes_from_the_sun_what_it_gives_to_the_sky(make_light, sun):
    """A veil reflects little: level water gets between 0.85 and 1 of the light of a clear sky."""
    light, up = make_light(), np.sin(np.radians(sun))
    skies = []
    for i in range(6):
        run(light, "sky.veil=1", f"sky.sun_elevation={sun}", f"view.x={50011 * i}", f"view.z={33001 * i}")
        skies.append(state(light)[3, :3] @ optics.LUMINANCE)
    sunny, _, clear, *_ = state(light)[:, :3] @ optics.LUMINANCE
    assert np.mean(skies) > clear
    passed = light.clouds.deck(0.0, 1.0, light.sun[1]).direct * up * sunny
    assert 0.85 < (np.mean(skies) + passed) / (up * sunny + clear) < 1
