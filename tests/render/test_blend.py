"""Drawing during a blend from one sea to another follows the current sea, not the wanted one."""

import numpy as np
import pytest

from ocean.sea.blend import NEGLIGIBLE
from ocean.settings import with_values
from ocean.waves import whitecaps

from ..marks import slow

pytestmark = pytest.mark.usefixtures("coarse_sky")

WIND = "sea.wind.speed"


def known(renderer):
    """Return the variances that drawing uses: of slopes, of height, and of the mesh's errors."""
    surface = renderer.surface
    slopes, whole = np.frombuffer(surface.slopes.read(), "f4").astype("f8"), surface.roughness
    variances = whole.slope_variance, whole.strain_variance, whole.height_deviation**2
    return np.concatenate([slopes, variances, whole.mesh_variance])


def fresh(make_renderer, *overrides):
    renderer = make_renderer(*overrides, size=(16, 9))
    renderer.render(0.0)
    return known(renderer)


@pytest.mark.parametrize(("first", "second", "third"), [(18.0, 8.0, 10.0), slow(9.0, 3.0, 9.0)])
def test_drawing_follows_the_current_sea_of_a_blend(make_renderer, first, second, third):
    """Variances are weighted means of both seas at the start, in the middle, in a second blend that begins there, and
    at the end, with equal tiles and with other tiles. The tolerance is the rounding of float32."""
    begun, next_, last = (fresh(make_renderer, f"{WIND}={speed}") for speed in (first, second, third))
    renderer = make_renderer(f"{WIND}={first}", size=(16, 9))
    renderer.render(0.0)
    renderer.apply(with_values(renderer.settings, {WIND: second}), blend=2.0)
    for elapsed in (0.0, 1.0):
        renderer.render(0.0, elapsed)
        share = renderer.sea.blend.progress
        assert (share > 0) == (elapsed > 0)
        np.testing.assert_allclose(known(renderer), (1 - share) * begun + share * next_, rtol=1e-5, atol=1e-9)
    renderer.apply(with_values(renderer.settings, {WIND: third}), blend=2.0)
    there = (1 - share) * begun + share * next_
    for elapsed in (0.0, 0.5, 20.0):
        renderer.render(0.0, elapsed)
        share = renderer.sea.blend.progress
        assert (share == 1.0) == (elapsed > 2.0)
        expected = (1 - share) * there + share * last
        np.testing.assert_allclose(known(renderer), expected, rtol=1e-5, atol=1e-9)


def test_the_old_sea_is_drawn_until_the_new_one_is_ready(make_renderer):
    renderer = make_renderer(f"{WIND}=17", size=(16, 9))
    renderer.render(0.0)
    before = known(renderer)
    renderer.apply(with_values(renderer.settings, {WIND: 4.0}), blend=100.0, background=True)
    while renderer.sea.is_busy:
        np.testing.assert_array_equal(known(renderer), before)
        renderer.render(0.0, 0.0)
    assert renderer.sea.is_blending
    np.testing.assert_array_equal(known(renderer), before)


def foam_of(sea):
    """Return the fraction of the water that foam covers in the long run, by the current threshold."""
    settings = sea.settings
    rest = sea.foam_threshold, settings.foam.decay, whitecaps.BIRTH_WIDTH
    return whitecaps.mean_foam(sea.blend.places, settings.sea.choppiness, *rest)


def test_seas_are_forgotten_after_their_blend(make_sea):
    """The fractions of seas add up to 1 whenever blends begin before the last one ends. Foam never jumps, although
    texels of the new sea judge breaking from the first frame on."""
    sea = make_sea(f"{WIND}=8")
    sea.update(0.0)
    least = 1.0
    for i in range(12):
        sea.update(0.0)
        foam, coverage = foam_of(sea), sea.blend.coverage(sea.settings.foam)
        sea.apply(with_values(sea.settings, {WIND: 8 + i % 7}), blend=1.0)
        sea.begin(0.0, elapsed=0.0)
        assert foam_of(sea) == pytest.approx(foam, rel=1e-2)
        assert sea.blend.coverage(sea.settings.foam) == pytest.approx(coverage, rel=1e-2)
        sea.begin(0.0, elapsed=0.4)
        least = min(least, sea.blend.progress)
        shares = [share for share, _ in sea.blend.parts]
        assert sum(shares) == pytest.approx(1.0)
        assert len(shares) <= 1 + np.ceil(np.log(NEGLIGIBLE) / np.log(max(1 - least, 1e-9))) + 1


@pytest.mark.parametrize("change", [{"sea.wind.direction": 165.0}, {WIND: 14.0}, {WIND: 8.5}])
def test_white_water_does_not_jump_when_a_blend_begins(make_renderer, change):
    """Foam map with rollers, and sums of spray, are equal before a blend and at its start; others at its end."""
    renderer = make_renderer(f"{WIND}=20", "foam.spray=1", "view.altitude=15", size=(64, 36))
    for time in (0.0, 10.0):
        renderer.render(time)

    def drawn():
        renderer.spray.splat(renderer.scene, None)
        sums = renderer.scene.targets.spray.read()
        renderer.spray.light(renderer.scene, renderer.scene.targets.hdr)
        renderer.surface.samples.clear()
        return renderer.sea.foam.read(), np.frombuffer(sums, "u4").astype("i8")

    foam, spray = drawn()
    assert foam.any()
    assert spray.any()
    renderer.apply(with_values(renderer.settings, change), blend=4.0)
    renderer.render(10.0, 0.0)
    assert "spray" in {one.name for one in renderer.passes}
    same_foam, same_spray = drawn()
    np.testing.assert_array_equal(same_foam, foam)
    assert abs(same_spray - spray).sum() < 1e-3 * spray.sum()
    renderer.render(10.0, 9.0)
    _, other = drawn()
    assert abs(other - spray).sum() > 0.1 * spray.sum()


def test_spray_comes_with_the_wind_of_a_blend(make_renderer):
    """No drops fly before a wind over a calm has begun to blow, and none after it has ended."""
    renderer = make_renderer(f"{WIND}=0", "foam.spray=1", "view.altitude=15", size=(64, 36))
    renderer.render(0.0)

    def flies():
        return "spray light" in {one.name for one in renderer.passes}

    renderer.apply(with_values(renderer.settings, {WIND: 20.0}), blend=4.0)
    renderer.render(10.0, 0.0)
    assert np.isfinite(renderer.spray.block["wind"]).all()
    assert not flies()
    renderer.render(10.0, 2.0)
    assert flies()
    renderer.apply(with_values(renderer.settings, {WIND: 0.0}), blend=4.0)
    renderer.render(10.0, 0.0)
    assert flies()
    renderer.render(10.0, 9.0)
    assert not flies()
