"""Spray: its sums over the picture, that they depend on time alone, and when there are none."""

import numpy as np
import pytest

from ..reference.spray import Drops
from .conftest import read_light

UNIT = 2**20
STORM = "sea.wind.speed=25", "foam.spray=1", "view.samples=2", "view.altitude=15"


def sums(renderer, water=True):
    """Return the sums of spray (3, height, width) of the last frame, drawn again, perhaps as if there were no water."""
    scene, surface = renderer.scene, renderer.surface
    if water:
        surface.raster(scene)
    renderer.spray.splat(scene, None)
    found = np.frombuffer(scene.targets.spray.read(), "u4").reshape(3, *scene.targets.hdr.size[::-1])
    renderer.spray.light(scene, scene.targets.hdr)
    surface.samples.clear()
    return found


def both(renderer):
    """Return the sums of the last frame as if there were no water, and the optical depth by the reference."""
    found = sums(renderer, water=False)
    number = int(np.frombuffer(renderer.spray.count.read(), "u4")[3])
    cells = np.frombuffer(renderer.spray.listed.read(48 * number), "f4").reshape(number, 12)
    assert number > 100
    drops = Drops(cells[:, :4], cells[:, 4:8], cells[:, 8:].view("u4"), renderer.spray.block)
    return found, drops.picture(renderer.scene.view["view_projection"], renderer.size)


def test_sums_agree_with_the_reference(make_renderer):
    """Each splat rounds its depth at each pixel to half a unit. No cloud is so near that grains show."""
    renderer = make_renderer(*STORM, "view.altitude=120", "view.pitch=-30", "view.field_of_view=80", size=(64, 36))
    renderer.render(20.0)
    found, expected = both(renderer)
    assert expected.max() > 0.05
    np.testing.assert_allclose(found[0] / UNIT, expected, rtol=2e-3, atol=2e-4)


def test_near_drops_stop_as_much_light_as_the_reference(make_renderer):
    """Grains and shreds keep the mean."""
    renderer = make_renderer(*STORM, "view.pitch=-25", size=(320, 180))
    for time in (20.0, 40.0, 60.0):
        renderer.render(time)
        found, expected = both(renderer)
        assert found[0].sum() / UNIT == pytest.approx(expected.sum(), rel=0.05)


def test_clouds_shade_drops(make_renderer):
    """The second sum has the part of the sunlight that clouds leave."""
    lit = []
    for clouds in (0.0, 0.9):
        renderer = make_renderer(*STORM, f"sky.clouds={clouds}")
        renderer.render(3.0)
        depth, sunlit, _ = sums(renderer).sum(axis=(1, 2))
        lit.append(sunlit / depth)
    assert lit[0] == pytest.approx(1.0, abs=1e-3)
    assert lit[1] < 0.5


def test_air_lies_before_far_drops(make_renderer):
    """Sunlit and shaded drops differ less, the more air lies before them. Those at 16 km in haze show its light."""
    renderer = make_renderer(*STORM, "sky.haze=5", "view.pitch=0")
    renderer.render(1.0)
    scene, (width, height) = renderer.scene, renderer.size

    def drops(octaves, sunlit):
        opaque = 20 * UNIT
        rows = np.outer((opaque, sunlit * opaque, octaves / 16 * opaque), np.ones(width * height))
        scene.targets.spray.write(rows.astype("u4").tobytes())
        renderer.spray.light(scene, scene.targets.hdr)
        return read_light(renderer).mean()

    near, far = ([drops(octaves, sunlit) for sunlit in (0.0, 1.0)] for octaves in (0, 14))
    assert near[1] > 1.2 * near[0]
    assert far[1] - far[0] < 0.1 * (near[1] - near[0])
    assert far[0] > near[0]


def test_water_hides_drops_behind_crests(make_renderer):
    renderer = make_renderer(*STORM, "view.altitude=3")
    renderer.render(3.0)
    shown, every = sums(renderer)[0], sums(renderer, water=False)[0]
    assert (shown <= every).all()
    assert 0.1 < shown.sum() / every.sum() < 0.8


def test_spray_depends_on_time_alone(make_renderer):
    """Equal sums, bit for bit, after frames at other rates and from another start."""
    found = []
    for times in ((3.0,), (0.5, 1.0, 3.0), (2.9, 2.95, 3.0)):
        renderer = make_renderer(*STORM)
        for time in times:
            renderer.render(time)
        found.append(sums(renderer))
    assert found[0][0].any()
    for other in found[1:]:
        np.testing.assert_array_equal(found[0], other)


@pytest.mark.parametrize(
    "change", ["sea.wind.speed=8.9", "foam.spray=0", "sea.choppiness=0", "view.dive=2", "foam.amount=0"]
)
def test_no_spray_without_wind_or_crests(make_renderer, change):
    renderer = make_renderer(*STORM, change)
    renderer.render(1.0)
    assert not {"spray", "spray light"} & {one.name for one in renderer.passes}
    assert not vars(renderer.scene.targets).get("spray")


def test_levels_of_detail_have_equal_amounts(make_renderer):
    """From above, the optical depth adds up to the same with small cells and with cells four times as wide, whose drops
    stand for more. The error is that of the mean over times."""
    totals = []
    for resolution in (64, 256):
        view = "view.altitude=250", "view.pitch=-89", f"foam.resolution={resolution}"
        renderer = make_renderer(*STORM, *view)
        rows = []
        for time in np.arange(16) * 7.0:
            renderer.render(float(time))
            rows.append(sums(renderer)[0].sum() / UNIT)
        totals.append(rows)
    (coarse, fine), errors = np.mean(totals, axis=1), np.std(totals, axis=1, ddof=1) / np.sqrt(16)
    assert np.hypot(*errors) < 0.15 * fine
    assert abs(coarse - fine) < 3 * np.hypot(*errors)
