"""The view of a diver: Snell's window, total reflection and fog, in GLSL and in numpy."""

import numpy as np
import pytest

from ocean.gpu.bindings import Block
from ocean.light.optics import Seawater
from ocean.render.sky import SKY_OF_EYE, SKY_OF_SEA
from ocean.settings import with_values
from tests.reference import water

from .conftest import eye_of, rays, read_light, read_picture
from .probe import probed

pytestmark = pytest.mark.usefixtures("coarse_sky")

ANSWERS = """
    vec3 direction = given[4u * i].xyz, normal = given[4u * i + 1u].xyz, light = given[4u * i + 2u].xyz;
    vec4 numbers = given[4u * i + 3u];  // distance and depth [m], variance of the slopes, a cosine
    sink[8u * i] = vec4(open_water(direction, numbers.y), 0.0);
    sink[8u * i + 1u] = vec4(through_water(light, direction, numbers.x, numbers.y), 0.0);
    sink[8u * i + 2u] = vec4(sun_irradiance(), 0.0);
    sink[8u * i + 3u] = vec4(sky_irradiance(), 0.0);
    sink[8u * i + 4u] = vec4(sun_refraction(normal, -direction, numbers.z));
    sink[8u * i + 5u] = vec4(fresnel(numbers.w, INDEX), fresnel(numbers.w, 1.0 / INDEX), 0.0, 0.0);
    sink[8u * i + 6u] = vec4(object_in_water(light, direction, numbers.x, numbers.y), 0.0);
    sink[8u * i + 7u] = vec4(surface_from_below(normal, -direction, numbers.z, vec3(0.0)), 0.0);
"""


def radiance(renderer):
    """Return the light without exposure, float64 (height, width, 3), the top row first."""
    return read_light(renderer) / np.frombuffer(renderer.light.light.read(), "f4")[16]


def sun_of(settings):
    azimuth, elevation = np.radians([settings.sky.sun_azimuth, settings.sky.sun_elevation])
    level = np.sin(azimuth), -np.cos(azimuth)
    return np.array([level[0] * np.cos(elevation), np.sin(elevation), level[1] * np.cos(elevation)])


def daylight_of(renderer):
    """Return the reference of the light in a renderer's sea."""
    light = np.frombuffer(renderer.light.light.read(), "f4").astype("f8")
    settings = renderer.settings
    return water.Daylight(Seawater(settings.water.chlorophyll), sun_of(settings), light[:3], light[12:15])


def nine_facets(normal, variance):
    """Return unit normals (n, 9, 3) about normals (n, 3), and weights (9), for means over slopes by Gauss-Hermite
    quadrature."""
    side = np.cross(normal, (0.0, 0.0, 1.0))
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    nodes, weights = np.sqrt(3) * np.array([-1, 0, 1]), np.array([1, 4, 1]) / 6
    steps = [a * side + b * np.cross(normal, side) for b in nodes for a in nodes]
    found = normal[:, None] + np.sqrt(0.5 * variance)[:, None, None] * np.stack(steps, axis=1)
    return found / np.linalg.norm(found, axis=-1, keepdims=True), np.outer(weights, weights).ravel()


@pytest.mark.parametrize(("elevation", "visible", "chlorophyll"), [(5, 1.0, 0.05), (50, 1.0, 5), (50, 0.3, 0.5)])
def test_light_under_water_agrees_with_the_reference(make_renderer, elevation, visible, chlorophyll):
    """Clouds leave a fraction of the sun's light that falls into the water."""
    settings = "view.dive=2", f"sky.sun_elevation={elevation}", f"water.chlorophyll={chlorophyll}"
    renderer = make_renderer(*settings, size=(16, 9))
    renderer.render(0.0)
    renderer.light.shadow.write(np.full(renderer.light.shadow.size, visible, "f4").tobytes())
    rng, n = np.random.default_rng(7), 500
    sun = sun_of(renderer.settings)
    direction = rng.normal(size=(n, 3))
    # Half of the directions lie close to the refracted sun, so that glints are not all 0.
    direction[::2] = water.refracted_sun(sun) + 0.05 * direction[::2]
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    normal = np.array([0.0, 1.0, 0.0]) + 0.05 * rng.normal(size=(n, 3))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    given = rng.uniform(0, 2, (n, 3))
    distance, depth = rng.uniform(0.1, 50, (2, n))
    distance = np.minimum(distance, depth / np.maximum(direction[:, 1], 1e-3))
    variance, cosine = rng.uniform(0.005, 0.05, n), rng.uniform(0, 1, n)
    questions = np.zeros((n, 4, 4), "f4")
    questions[:, 0, :3], questions[:, 1, :3], questions[:, 2, :3] = direction, normal, given
    questions[:, 3] = np.stack([distance, depth, variance, cosine], axis=1)
    renderer.camera_block.bind_to_uniform_block(Block.VIEW)
    answers = probed(renderer.ctx, ("surface/underwater.glsl",), ANSWERS, questions, 8, ())[..., :3]
    found, through, sun_light, sky_light, glint, reflected, thing, below = np.moveaxis(answers, 1, 0)
    daylight = water.Daylight(Seawater(chlorophyll), sun, visible * sun_light[0], sky_light[0])
    dark = 1e-5 * found.max()  # rounding error of a colour close to 0
    np.testing.assert_allclose(found, daylight.open_water(direction, depth), rtol=1e-3, atol=dark)
    where = direction, distance, depth
    np.testing.assert_allclose(through, daylight.through_water(given, *where), rtol=1e-3, atol=dark)
    np.testing.assert_allclose(thing, daylight.object_in_water(given, *where), rtol=1e-3, atol=dark)
    facets = [water.sun_refraction(a, -b[None], c, sun)[0] for a, b, c in zip(normal, direction, variance, strict=True)]
    expected = np.array(facets)
    np.testing.assert_allclose(glint[:, 0], expected, rtol=5e-3, atol=1e-4 * expected.max())
    assert expected.max() > 0
    # Near the critical angle the error is the square root of float32's rounding.
    np.testing.assert_allclose(reflected[:, 0], water.fresnel(cosine, water.INDEX), atol=2e-3)
    np.testing.assert_allclose(reflected[:, 1], water.fresnel(cosine, 1 / water.INDEX), atol=1e-5)
    # The reference for total reflection by rough water is the mean of nine facets. The shader takes one direction for
    # all facets, with an error of a fifth where a pixel holds all slopes of a gale.
    facets, weights = nine_facets(normal, variance)
    met = np.sum(facets * direction[:, None], axis=-1)
    mirrored = direction[:, None] - 2 * met[..., None] * facets
    mirrored[..., 1] = -np.abs(mirrored[..., 1])
    expected = np.sum(weights[:, None] * daylight.open_water(mirrored, 0.0), axis=1)
    total = ((met > 0.01) & (met < 0.99 * np.sqrt(1 - water.INDEX**-2))).all(axis=1)
    assert total.sum() > 10
    np.testing.assert_allclose(below[total], expected[total], rtol=0.2)


def test_snells_window_shows_the_sky(make_renderer):
    """In calm water the window's edge lies within a pixel of 48.3 degrees. Outside of the window water reflects
    totally."""
    size, depth = (200, 200), 4.0
    up = "view.pitch=89", "view.field_of_view=100"
    renderer = make_renderer("sea.wind.speed=0", "sky.sun_elevation=60", f"view.dive={depth}", *up, size=size)
    renderer.render(0.0)
    picture, direction = radiance(renderer), rays(renderer.settings.view, size)
    angle = np.degrees(np.arccos(direction[..., 1]))
    critical = np.degrees(np.arcsin(1 / water.INDEX))
    outside = angle > critical + 1
    daylight = daylight_of(renderer)
    behind = daylight.open_water(direction * (1, -1, 1), 0.0)
    with np.errstate(over="ignore"):
        expected = daylight.through_water(behind, direction, depth / direction[..., 1], depth)
    np.testing.assert_allclose(picture[outside], expected[outside], rtol=5e-3)
    # Up to its edge, where a pixel is 0.3 degrees, the window is brighter than total reflection would be.
    lit = (picture > 1.05 * expected).all(axis=-1)
    assert lit[angle < critical - 0.3].all()
    assert not lit[angle > critical + 0.3].any()


@pytest.mark.parametrize("chlorophyll", [0.05, 5.0])
def test_fog_has_the_attenuation_of_the_water(make_renderer, chlorophyll):
    """The camera looks down at two depths. Each colour fades by the water's own attenuation, to blue or to green."""
    for depth in (2.0, 20.0):
        settings = "sea.wind.speed=0", f"view.dive={depth}", "view.pitch=-60", f"water.chlorophyll={chlorophyll}"
        renderer = make_renderer(*settings, size=(16, 9))
        renderer.render(0.0)
        picture = radiance(renderer)
        expected = daylight_of(renderer).open_water(rays(renderer.settings.view, (16, 9)), depth)
        np.testing.assert_allclose(picture, expected, rtol=5e-3, atol=1e-3 * expected.max())
        assert (picture.argmax(axis=-1) == (2 if chlorophyll < 1 else 1)).all()
    assert (picture[..., 0] < 0.6 * picture.max(axis=-1)).all()


def test_no_line_shows_where_the_surface_ends_at_the_horizon(make_renderer):
    """The surface's last triangles may touch a pixel or miss it. Level with the eye, a pixel without triangles shows
    open water."""
    size = 64, 36
    settings = "view.samples=4", "view.dive=4", "view.pitch=2", "view.field_of_view=10", "sea.wind.speed=9"
    renderer = make_renderer(*settings, "sky.sun_azimuth=264", "view.heading=264", "sky.clouds=0", size=size)
    renderer.render(0.0)
    direction = rays(renderer.settings.view, size)
    level = direction[..., 1] < 0.01
    assert level.sum() > 10 * size[0]
    expected = daylight_of(renderer).open_water(direction[level], eye_of(renderer)[1])
    np.testing.assert_allclose(radiance(renderer)[level], expected, rtol=0.03, atol=1e-3 * expected.max())


@pytest.mark.parametrize("pitch", [-30, 60])
def test_clouds_hide_the_sun_from_a_diver(make_renderer, pitch):
    """No sunlight passes a closed deck, so the sun causes no glints in Snell's window and no light in the water or on
    foam."""
    renderer = make_renderer(
        *("sky.clouds=1", "sky.sun_elevation=45", "view.dive=3", f"view.pitch={pitch}", "sky.metering=manual"),
        *("view.heading=210", "sky.sun_azimuth=210", "sea.wind.speed=14", "foam.amount=5"),
    )
    renderer.render(5.0)
    dull, light = radiance(renderer), renderer.light.light
    assert np.frombuffer(renderer.light.shadow.read(), "f4").max() < 0.02
    light.write(np.zeros(4, "f4").tobytes())  # the sun at sea level, written again only when something changes
    renderer.render(5.0)
    np.testing.assert_allclose(dull, radiance(renderer), rtol=0.02)


def test_waves_pass_over_an_eye_near_the_surface(make_renderer):
    """The eye stays at its set height, and is under water exactly where the water stands higher."""
    renderer = make_renderer("view.dive=0.1", "sea.wind.speed=14", "fft.size=256", size=(16, 9))
    seen = set()
    for time in np.arange(0.0, 20.0, 2.0):
        renderer.render(time)
        height, depth = eye_of(renderer)
        water_here = renderer.sea.surface(0.0, 0.0)
        assert height == pytest.approx(-0.1)
        # Answers have a finer filter than pictures.
        assert depth == pytest.approx(float(water_here.height) + 0.1, abs=0.05)
        seen.add(bool(depth > 0))
    assert seen == {False, True}


@pytest.mark.parametrize(("samples", "pitch"), [(1, -89), (1, 0), (1, 89), (4, 20)])
def test_a_diver_sees_the_sky_only_through_water(make_renderer, pitch, samples):
    """Water mirrors and refracts the sky of one table. The sky behind water comes from another table: a diver never
    sees it, however bright it is, but an eye over the water does."""
    view = f"view.pitch={pitch}", f"view.samples={samples}"
    renderer = make_renderer("sea.wind.speed=14", "sea.swell.height=3", *view, size=(80, 45))
    sky, changed = renderer.light.sky_view, []
    for dive in (6.0, 0.0):
        renderer.apply(with_values(renderer.settings, {"view.dive": dive}))
        renderer.render(5.0)
        before, table = radiance(renderer), sky.read()
        bright = np.frombuffer(table, "f4").reshape(sky.layers, -1).copy()
        bright[SKY_OF_EYE:SKY_OF_SEA] = 1e3
        sky.write(bright.tobytes())
        renderer.render(5.0)
        changed.append((radiance(renderer) != before).any())
        sky.write(table)
    assert not changed[0]
    assert changed[1] == (pitch > -89)


def test_the_sea_is_drawn_as_before_after_a_dive(make_renderer):
    renderer = make_renderer("sea.wind.speed=8")
    renderer.render(1.0)
    before = read_picture(renderer)
    renderer.apply(with_values(renderer.settings, {"view.dive": 3.0}))
    renderer.render(1.0)
    assert np.abs(read_picture(renderer).astype(int) - before).mean() > 20
    renderer.apply(with_values(renderer.settings, {"view.dive": 0.0}))
    renderer.render(1.0)
    np.testing.assert_array_equal(read_picture(renderer), before)
