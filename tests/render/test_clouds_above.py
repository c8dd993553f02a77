"""Clouds for an eye that climbs to them, through them and over them."""

import numpy as np
import pytest

from ocean.gpu.bindings import Block, Image
from ocean.light.clouds import THICKNESS
from ocean.light.optics import EARTH_RADIUS
from ocean.render import backdrop

from ..marks import slow
from .conftest import read_light, read_picture
from .skies import REFERENCE, asked, rgb

pytestmark = pytest.mark.usefixtures("coarse_sky")

WAY = "sink[i].xy = layer_path(given[i].x, given[i].y);"  # from a height [m] and the sine of an elevation


def test_rays_go_through_the_layer_from_any_height(make_light, rng):
    """Eyes are below, inside and above the layer; some rays are level, some graze its base. A ray is in the layer
    between the two distances, and outside before the first and just beyond the second. Heights are exact to 10 cm, 1e-8
    of the Earth's radius."""
    light = make_light("sky.clouds=0.5", "sky.cloud_base=900")
    base, top = 900.0, 900.0 + THICKNESS
    ranges = (0, base - 10), (base + 10, top - 10), (top + 10, top + 1000)
    height = np.concatenate([rng.uniform(*between, 128) for between in ranges])
    mu = np.concatenate([rng.uniform(-1, 1, 192), rng.uniform(-0.04, 0.04, 192)])
    height = rng.permutation(height).astype("f4").astype("f8")
    mu = mu.astype("f4").astype("f8")
    near, far = asked(light, "sky/clouds.glsl", WAY, np.stack([height, mu, mu, mu], axis=-1))[:, :2].T

    def at(distance):
        rise = distance * (distance + 2 * (EARTH_RADIUS + height) * mu)
        return height + rise / (np.sqrt((EARTH_RADIUS + height) ** 2 + rise) + EARTH_RADIUS + height)

    def inside(distance, slack):
        return (at(distance) > base - slack) & (at(distance) < top + slack)

    meets = far > near
    apex = EARTH_RADIUS + height  # a ray downwards comes as near as this times the cosine of its elevation
    lowest = np.where(mu < 0, apex * np.sqrt(1 - mu**2) - EARTH_RADIUS, height)
    np.testing.assert_array_equal(meets, np.where(height < base, lowest > 0, lowest < top))
    for share in (0.0, 0.01, 0.3, 0.7, 0.99, 1.0):
        assert inside(near + share * (far - near), 0.1)[meets].all()
    for share in (0.0, 0.5, 0.999):
        assert not inside(share * near, -0.1)[meets & (near > 0)].any()
    assert not inside(1.0001 * far + 0.1, -0.1)[meets].any()


def seen(make_renderer, *overrides):
    renderer = make_renderer("sky.cloud_base=700", "sky.veil=0", "sea.wind.speed=5", *overrides, size=(72, 48))
    renderer.render(0.0)
    return read_picture(renderer).astype("f8")


def test_clouds_stand_before_the_sea(make_renderer):
    """A closed layer hides the sea from above, and broken layers hide parts of it."""
    down = "view.altitude=1900", "view.pitch=-50", "view.heading=270", "sky.sun_azimuth=90", "sky.metering=manual"
    closed, broken, none = (
        seen(make_renderer, *down, f"sky.clouds={share}", "sky.exposure=-1").mean(axis=-1) for share in (1, 0.5, 0)
    )
    brightest = 1.3 * none.max()
    assert closed.min() > brightest
    assert 0.2 < (broken > brightest).mean() < 0.9


def test_a_closed_layer_shows_shapes_from_above(make_renderer):
    """The exposure above the layer suits its sunlit tops: they are bright, none is white, and shapes are visible."""
    picture = seen(make_renderer, "view.altitude=2000", "view.pitch=-30", "sky.clouds=1", "sky.sun_elevation=40")
    assert 150 < picture.mean() < 235
    assert (picture.max(axis=-1) >= 250).mean() < 0.01
    assert np.std(picture.mean(axis=-1)) > 3


@pytest.mark.parametrize("altitude", [20, 1900])
def test_clouds_marched_in_parts_give_the_same_picture(make_renderer, ctx, monkeypatch, altitude):
    """A software renderer marches clouds in parts; between parts a window draws its interface."""
    shown = "sky.clouds=0.5", f"view.altitude={altitude}"
    whole = make_renderer(*shown, size=(48, 34))
    whole.backdrop.is_parted = False
    whole.render(0.0)
    parted = make_renderer(*shown, size=(48, 34))
    image, block = ctx.texture((8, 8), 4, dtype="f2"), ctx.buffer(reserve=1 << 12)
    parted.backdrop.is_parted = True
    monkeypatch.setattr(backdrop, "PART", 1 << 9)
    steps = []
    for step in parted.steps(0.0):
        steps.append(step.name)
        image.bind_to_image(Image.CLOUDS)
        image.bind_to_image(Image.HDR)
        block.bind_to_uniform_block(Block.VIEW)
    image.release()
    block.release()
    assert steps.count("clouds") > 1
    assert (read_picture(parted) == read_picture(whole)).all()


def test_clouds_before_far_water_do_not_depend_on_its_cells(make_renderer):
    """Drawing far water more finely leaves most of the picture, sky and clouds, as it was."""
    high = "view.altitude=1900", "view.pitch=-5", "view.samples=4", "view.anisotropy=8", "sky.clouds=0.3"
    coarse, fine = (seen(make_renderer, *high, f"view.far_pixels={pixels}") for pixels in (1, 16))
    assert 0 < (coarse != fine).mean() < 0.9
    assert np.median(np.abs(coarse - fine)) < 1


@pytest.mark.parametrize("height", [687.5, *(slow(height) for height in (400, 700, 1700))])
def test_the_picture_does_not_jump_while_the_camera_climbs_through_clouds(make_renderer, height):
    """A climb of four metres changes a picture by at most 1.5 times as much as the same climb 50 m higher up. The
    heights are those where clouds begin to be drawn over the sea, where the tables' heights step, and of the clouds'
    base and tops."""

    def change(height):
        low, high = (seen(make_renderer, "sky.clouds=0.4", f"view.altitude={height + d}") for d in (-2, 2))
        return np.abs(high - low).mean()

    assert 0 < change(height) < 1.5 * change(height + 50)


MARCH = """
    vec4 ray = given[i];  // sines up, of ray and sun; cosine between; [m]
    vec3 even, glare, kept;
    march(1900.0, ray.x, ray.z, ray.w, 12, vec4(1.0), even, glare, kept);
    sink[i] = vec4(even + glare * aerosol_phase(ray.z), kept.g);
"""


def test_air_before_clouds_below_agrees_with_the_reference(make_light, rng):
    """The eye is over the clouds, and each pixel marches to them in a dozen steps. The tolerance is 4 % and a hundredth
    of the brightest light, as for the tables, which have 24 or 48 steps."""
    light = make_light("sky.sun_elevation=35")
    mu, azimuth, up = rng.uniform(-0.9, -0.05, 64), rng.uniform(0, np.pi, 64), np.full(64, np.sin(np.radians(35)))
    nu = mu * up + np.sqrt(1 - mu**2) * np.sqrt(1 - up**2) * np.cos(azimuth)
    length = np.minimum(rng.uniform(0.1, 1.0, 64) * 1800 / -mu, 40e3)
    found = asked(light, "sky/march.glsl", MARCH, np.stack([mu, up, nu, length], axis=-1))[:, :3]
    expected = rgb(REFERENCE.radiance(np.full(64, 1900.0), mu, up, nu, length=length))
    np.testing.assert_allclose(found, expected, rtol=0.04, atol=0.01 * expected.max())


@pytest.mark.parametrize(("sun", "clouds", "base"), [slow(1, 0.5, 1400), (0.3, 0.5, 700)])
def test_clouds_brighten_no_air_where_the_sun_sets(make_renderer, sun, clouds, base):
    """Clouds pass almost no direct sunlight, which is the mean of the shafts. The picture from above clouds, to the
    side of the sun, is nowhere brighter than 1.5 times the brightest pixel of a clear sky there."""
    view = "view.altitude=2000", "view.heading=310", "view.pitch=-8", "sky.metering=manual", "sky.exposure=0"
    sky = f"sky.sun_elevation={sun}", f"sky.cloud_base={base}", "sky.veil=0"

    def radiance(share):
        renderer = make_renderer(*view, *sky, f"sky.clouds={share}", size=(72, 48))
        renderer.render(0.0)
        return read_light(renderer)[..., 1]

    clear, clouded = radiance(0), radiance(clouds)
    assert clouded.max() < 1.5 * clear.max()


BEHIND = """
    vec3 at = given[i].xyz, d = sun_direction.xyz;  // a point [m], and a height in the layer
    float depth = 0.0;
    for (int part = 0; part < 256; ++part) {
        float low = at.z * float(part) / 256.0, high = at.z * float(part + 1) / 256.0;
        vec2 p = at.xy - (at.z - 0.5 * (low + high)) * clouds.z / d.y * d.xz;
        depth += column(min(cloud_field(p, 200.0).x, HIGHEST), low, high) / d.y;
    }
    sink[i].xy = vec2(depth_from_sun(at.xy, at.z), depth);
"""


@pytest.mark.parametrize("sun", [20, slow(60)])
def test_three_looks_through_clouds_agree_with_256(make_light, rng, sun):
    """Three looks find, on average, the depth of 256 looks, to 5 %, along the ray towards the base and away from the
    sun."""
    light = make_light("sky.clouds=0.5", f"sky.sun_elevation={sun}")
    given = np.concatenate(
        [rng.uniform(-1e5, 1e5, (4096, 2)), rng.uniform(0.05, 0.8, (4096, 1)), np.zeros((4096, 1))], axis=1
    )
    few, many = asked(light, "sky/clouds.glsl", BEHIND, given)[:, :2].T
    assert few.mean() == pytest.approx(many.mean(), rel=0.05)
    assert np.corrcoef(few, many)[0, 1] > 0.95


def test_a_picture_without_sky_marches_no_clouds(make_renderer):
    """A GPU draws all rows at once: here there are none."""
    down = make_renderer("view.pitch=-80", "view.altitude=20", "sky.clouds=0.5", size=(48, 32))
    down.backdrop.is_parted = False
    down.render(0.0)
    assert down.backdrop.samples.lowest_sky == 32
    assert read_picture(down).any()
