"""Clouds on the GPU against references: their positions, the light that they pass, and the air below them."""

import numpy as np
import pytest

from ocean.light import optics
from ocean.light.clouds import DROPS, STRAIGHT, THICKNESS, Deck, cloud_field, deck, depths
from ocean.light.optics import EARTH_RADIUS
from ocean.render.sky import AERIAL, SKY_BLOCK, SKY_OF_EYE, SKY_OF_SEA, SKY_VIEW
from tests.reference.atmosphere import Shade, aerosol_phase
from tests.reference.cloud_light import air_below, below
from tests.reference.geometry import to_shell, to_top

from ..marks import slow
from .conftest import read_picture
from .skies import REFERENCE, asked, drift_of, read, rgb, run, shadow_of, shadow_texels, state


@pytest.mark.usefixtures("coarse_sky")
def test_clouds_drift_from_where_they_are(make_light):
    """Clouds drift at 1.4 times the wind. A new wind moves them on from their current positions, and an equal wind
    changes no bit."""
    start = 600.0
    light = make_light("sky.clouds=0.5")
    run(light, "sky.clouds=0.5", "sea.wind.speed=10", "sea.wind.direction=90", time=start)
    fresh = make_light("sky.clouds=0.5")
    run(fresh, "sky.clouds=0.5", "sea.wind.speed=10", "sea.wind.direction=90", time=start)
    steady = [read(table) for table in (light.environment, fresh.environment)]
    np.testing.assert_array_equal(*steady)
    before = drift_of(light)
    for speed, direction in ((11, 200), (0, 200), (25, 10)):
        run(light, f"sea.wind.speed={speed}", f"sea.wind.direction={direction}", time=start)
        np.testing.assert_allclose(drift_of(light), before, atol=1e-2)
    run(light, "sea.wind.speed=25", "sea.wind.direction=0", time=start)
    run(light, "sea.wind.speed=25", "sea.wind.direction=0", time=start + 10)
    np.testing.assert_allclose(drift_of(light) - before, (0, 350), atol=1e-2)


def shade(light, base, channel):
    """Return the fraction of the light that clouds leave in the air below them, for one channel."""
    left = state(light)[5]
    return Shade(base, THICKNESS, left[3], left[channel])


CLOUDY = "sky.clouds=0.6", "sky.sun_elevation=35", "sky.cloud_base=1200", "view.altitude=75"


@pytest.mark.parametrize("part", [*(slow(part) for part in ("eye's", "sea's", "before clouds")), "before the sea"])
def test_air_under_clouds_agrees_with_the_reference(make_light, part):
    """The table agrees at random points, by channel, to 4 % of the light there and 0.1 % of the brightest light: it has
    48 or 24 steps, the reference 256."""
    light = make_light(*CLOUDY)
    rng, (columns, rows) = np.random.default_rng(7), AERIAL if part == "before the sea" else SKY_VIEW
    i, j = rng.integers(0, columns, 12), rng.integers(1, rows - 1, 12)
    height, up = np.full(12, 0.0 if part == "sea's" else 75.0), np.sin(np.radians(35))
    lowest = -np.arccos(EARTH_RADIUS / (EARTH_RADIUS + height))
    mu = np.sin((np.pi / 2 - lowest) * (j / (rows - 1)) ** 2 + lowest)
    length = {"before clouds": to_shell(height, mu, 1200.0)}.get(part, to_top(height, mu))
    table, layer = read(light.sky_view), {"sea's": SKY_OF_SEA, "before clouds": SKY_OF_EYE + 2}.get(part, SKY_OF_EYE)
    if part == "before the sea":
        length = 250e3 * (j / (rows - 1)) ** 3
        r = EARTH_RADIUS + 75.0
        mu = -(75.0 * (2 * EARTH_RADIUS + 75.0) + length**2) / np.maximum(2 * r * length, 1.0)
        mu = np.clip(mu, -1, np.sin(lowest))
        table, layer = read(light.aerial), 0
    nu = mu * up + np.sqrt(1 - mu**2) * np.sqrt(1 - up**2) * np.cos(np.pi * i / (columns - 1))
    found = table[layer, j, i, :3] + table[layer + 1, j, i, :3] * aerosol_phase(nu)[:, None]
    for channel in range(3):
        path = height, mu, np.full(12, up), nu
        expected = rgb(REFERENCE.radiance(*path, shade=shade(light, 1200.0, channel), length=length))[:, channel]
        np.testing.assert_allclose(found[:, channel], expected, rtol=0.04, atol=1e-3 * expected.max())


@pytest.mark.parametrize(("coverage", "sun"), [slow(0, 40), (0.3, 8), slow(0.7, 40), slow(1, 70), (0.5, -5)])
def test_clouds_dim_the_air_below_them_by_their_transmittance(make_light, coverage, sun):
    """For the irradiance of the GPU, the sun's light and all other light agree with the reference. The tolerance is the
    difference of the tables of scattered light."""
    light = make_light(f"sky.clouds={coverage}", f"sky.sun_elevation={sun}")
    sums, up = state(light), float(np.sin(np.radians(sun)))
    layer = deck(light.clouds.noise, light.clouds.threshold(coverage), up) if coverage else Deck()
    level = max(up, 0.0) * sums[0, :3], sums[2, :3]
    np.testing.assert_allclose(sums[5, 3], layer.direct, rtol=1e-5, atol=1e-7)
    own = 2 * np.pi * rgb(REFERENCE.solar * REFERENCE.multiple(np.zeros(1), np.full(1, up))[0])
    np.testing.assert_allclose(sums[5, :3], air_below(layer, *level, own), rtol=0.02)
    assert (sum(below(layer, *level)) <= sum(level) + 1e-9).all()


@pytest.mark.parametrize("sun", [slow(14), 35])
@pytest.mark.usefixtures("fine_shadows")
def test_clouds_transmit_as_much_light_as_their_shadows(make_light, sun):
    """The test compares columns of the reference with the table of shadows, at the table's own texels within 3 km. The
    table takes a dozen steps of filtered noise, the reference two dozen of nearest texels. The table also erodes edges,
    which adds as much cloud as it takes, though cloud tops take a little more of a slanting sun; two thirds of the
    variance are common to both."""
    light = make_light("sky.clouds=0.5", f"sky.sun_elevation={sun}", "sky.sun_azimuth=90")
    up = np.sin(np.radians(sun))
    near, positions = shadow_texels(light, 0.27)
    shadow = shadow_of(light)[near]
    block = np.frombuffer(light.block.buffer.read(), SKY_BLOCK)
    carried = block["carried"][0].astype("f8") - drift_of(light)  # shadows are made in steps of the drift
    reach = float(to_shell(np.array(0.0), np.array(up), 1400.0)) * np.sqrt(1 - up * up)
    depth = depths(light.clouds.noise, light.clouds.threshold(0.5), up, positions + carried + (reach, 0.0))
    through = np.exp(-depth / up)
    assert abs(through.mean() - shadow.mean()) < 0.03
    assert np.corrcoef(through, shadow)[0, 1] > 0.8
    assert np.exp(-(1 - STRAIGHT) * depth / up).mean() > shadow.mean()


@pytest.mark.parametrize("sun", [20, slow(50)])
def test_far_water_under_grey_clouds_fades_into_their_horizon(make_light, sun):
    """At the end of sight only air is visible, before the sea and before the clouds, so both are equally bright and
    grey. In all directions they are darker than on a clear day, and less blue away from the sun."""
    clear, grey = (make_light("sky.clouds=" + str(c), f"sky.sun_elevation={sun}", "sky.haze=5") for c in (0, 1))
    sea, sky = (read(table)[0, row, -1, :3] for table, row in ((grey.aerial, -1), (grey.sky_view, 0)))
    np.testing.assert_allclose(sea, sky, rtol=0.02)
    blue = read(clear.aerial)[0, -1, -1, :3]
    assert sea[2] / sea[0] < 0.95 * blue[2] / blue[0]
    phase = aerosol_phase(np.cos(np.radians(sun)) * np.cos(np.pi * np.arange(32) / 31))
    around = [
        (even[-1] + glare[-1] * phase[:, None]).mean(axis=0) @ optics.LUMINANCE
        for even, glare in (read(light.aerial)[:2, ..., :3] for light in (grey, clear))
    ]
    assert around[0] < 0.9 * around[1]


@pytest.mark.usefixtures("coarse_sky")
@pytest.mark.parametrize("coverage", [0.2, slow(0.5), slow(0.8)])
def test_clouds_cover_the_chosen_share_of_the_sky(make_light, coverage):
    """The field passes its threshold over the asked share of the plane. The tolerance is 3 standard errors of 40,000
    points; reference and shader take nearest texels."""
    light = make_light(f"sky.clouds={coverage}")
    noise = light.clouds.noise
    threshold = light.clouds.threshold(coverage)
    field, _ = cloud_field(noise, np.random.default_rng(1).uniform(0, 1e7, (90_000, 2)))
    assert (field > threshold).mean() == pytest.approx(coverage, abs=0.02)


COLUMNS = """
    vec2 column = given[i].xy;  // a point [m]
    vec3 field = cloud_field(column, 2.0);
    vec2 depth = vec2(0.0);
    for (int step = 0; step < 140; ++step) {
        float y = (float(step) + 0.5) / 140.0;
        depth.y += cloud_profile(cloud_shape(column, field, y, -2.0), y);
        depth.x += cloud_profile(cloud_shape(column, field, y, 2.0), y);
    }
    sink[i].xy = cloud_extinction(column, field.yz, 2.0) * clouds.z / 140.0 * depth;
"""


def columns(light, places):
    """Return optical depths of the columns over points (n, 2) [m], by sky/clouds.glsl, with and without wear of their
    edges."""
    return asked(light, "sky/clouds.glsl", COLUMNS, np.concatenate([places, 0 * places], axis=1))[:, :2].T


@pytest.mark.usefixtures("coarse_sky")
@pytest.mark.parametrize("coverage", [0.35, slow(0.85)])
def test_billows_keep_the_cover_and_light_of_clouds(make_light, coverage):
    """Billows remove as much cloud as they add. Over 8192 columns drawn clouds cover the asked share, except for edges
    too thin to see, and pass as much of an even sky's light as the reference's clouds."""
    light = make_light(f"sky.clouds={coverage}")
    places = np.random.default_rng(5).uniform(-1e5, 1e5, (8192, 2)).astype("f4").astype("f8")
    worn, plain = columns(light, places)
    assert np.std(worn - plain) > 0.5
    assert coverage - 0.03 < (worn > 0.02).mean() < coverage + 0.01
    assert (worn > 0.5).mean() == pytest.approx((plain > 0.5).mean(), abs=0.015)
    reference = depths(light.clouds.noise, light.clouds.threshold(coverage), 1.0, places)
    sky, expected = (np.mean(1 / (1 + 0.75 * (1 - DROPS) * depth)) for depth in (worn, reference))
    assert sky == pytest.approx(expected, rel=0.015)


RISE = "sink[i].xy = vec2(cloud_field(given[i].zw, 2.0).x - cloud_field(given[i].xy, 2.0).x, REACH);"


@pytest.mark.usefixtures("coarse_sky")
def test_rays_skip_no_cloud(make_light, rng):
    """Over 40 m, a fifth of its finest detail, the field rises by no more than rays assume, except at one point in
    10,000."""
    light = make_light("sky.clouds=0.4")
    here, angle = rng.uniform(-1e5, 1e5, (65536, 2)), rng.uniform(0, 2 * np.pi, 65536)
    there = here + 40 * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    rise, reach, *_ = asked(light, "sky/clouds.glsl", RISE, np.concatenate([here, there], axis=1)).T
    assert 0.5 < np.quantile(np.abs(rise) * reach / 40, 0.9999) < 1


BARE = """
    vec4 at = given[i];  // a point [m], a field and a height
    float over = cloud_shape(at.xy, vec3(at.z, 0.5, 0.5), at.w, 2.0);
    sink[i].xy = vec2(at.z - least_shape(at.w), cloud_profile(over, at.w));
"""


@pytest.mark.usefixtures("coarse_sky")
def test_rays_skip_no_billow(make_light, rng):
    """Billows make no cloud where rays do not look for one; where the field is larger by a tenth, they make some."""
    light = make_light("sky.clouds=0.4")
    places = rng.uniform(-1e5, 1e5, (1 << 18, 2))
    given = np.concatenate([places, rng.uniform(-0.1, 0.5, (1 << 18, 1)), rng.uniform(0, 1, (1 << 18, 1))], axis=1)
    more, density, *_ = asked(light, "sky/clouds.glsl", BARE, given).T
    assert (density[more < 0] == 0).all()
    assert (density[(more > 0) & (more < 0.1)] > 0).any()


@pytest.mark.usefixtures("fine_shadows")
def test_clouds_throw_their_shadows_on_the_sea(make_light):
    """With the sun overhead, a point is dark where the field above it passes the threshold, and lit where the field
    stays below. The tolerance of 0.15 of the field is for nearest texels against means over a texel."""
    sunny = make_light("sky.sun_elevation=90")
    np.testing.assert_array_equal(shadow_of(sunny), 1.0)
    light = make_light("sky.sun_elevation=90", "sky.clouds=0.4", "view.x=12345", "view.z=-777")
    shadow = shadow_of(light)
    near, positions = shadow_texels(light, 0.6)  # 12 km
    above = cloud_field(light.clouds.noise, positions)[0] - light.clouds.threshold(0.4)
    assert (shadow[near][above > 0.15] < 0.1).mean() > 0.99
    assert (shadow[near][above < -0.05] > 0.99).mean() > 0.99
    assert ((shadow >= 0) & (shadow <= 1)).all()


@pytest.mark.usefixtures("coarse_sky")
def test_an_overcast_sky_is_grey_and_dims(make_light):
    clear, grey = (state(make_light(f"sky.clouds={c}", "sky.sun_elevation=45")) for c in (0.0, 1.0))
    blue = [row[2] / row[0] for row in (clear[3], grey[3])]
    assert blue[0] > 1.4 > 1.25 > blue[1]
    total = [s[3, :3] @ optics.LUMINANCE for s in (clear, grey)]
    assert 3 < total[1] < 60  # klx: overcast days


@pytest.mark.usefixtures("coarse_sky")
@pytest.mark.parametrize(("coverage", "sun"), [(0.6, 14), slow(0.2, 3), slow(1, 45), slow(0.6, 80)])
def test_clouds_pass_as_much_light_as_their_columns_do(make_light, coverage, sun):
    """Over six points the drawn sky lights level water as the reference's columns do, for the sun's light at the
    clouds. The tolerance is 25 %, because light that was scattered a few times counts twice or not at all. The light of
    sun and sky is never more than the light above the clouds."""
    light = make_light()
    drawn, up = [], np.sin(np.radians(sun))
    for i in range(6):
        place = f"view.x={20011 * i}", f"view.z={13001 * i}"
        run(light, f"sky.clouds={coverage}", f"sky.sun_elevation={sun}", *place)
        drawn.append(state(light)[3, :3] @ optics.LUMINANCE)
    sunny, at_clouds, clear, *_ = state(light)[:, :3] @ optics.LUMINANCE
    layer = deck(light.clouds.noise, light.clouds.threshold(coverage), up)
    assert np.mean(drawn) == pytest.approx(float(below(layer, up * at_clouds, clear)[1]), rel=0.25)
    assert np.mean(drawn) + layer.direct * up * sunny < up * sunny + clear


@pytest.mark.usefixtures("coarse_sky")
def test_the_sun_is_not_seen_through_a_closed_layer(make_renderer):
    """The sun's disc is a million times as bright as clouds, and leaves no spot."""
    sky = "sky.clouds=1", "sky.sun_elevation=25", "sky.sun_azimuth=90", "sky.bloom=0"
    renderer = make_renderer(*sky, "view.heading=90", "view.pitch=25", "view.field_of_view=20", size=(48, 32))
    renderer.render(0.0)
    picture = read_picture(renderer).astype("f8")
    assert np.ptp(picture[13:19, 21:27]) < 40
