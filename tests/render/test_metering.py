"""The exposure, which depends only on the light and on the camera's direction."""

import numpy as np
import pytest

from ocean.light.optics import LUMINANCE, Seawater
from ocean.render.camera import direction
from ocean.render.sky import ENVIRONMENT
from ocean.settings import ViewSettings, with_values
from tests.reference import picture
from tests.reference.environment import directions
from tests.reference.water import fresnel

from ..marks import slow
from .conftest import read_picture
from .skies import read, run, state


def card_and_seen(light, sun, clouds, water, ahead):
    """Return the luminance [cd/m²] of the card and the mean luminance of the view, from the GPU's environment."""
    towards, solid_angle = directions(ENVIRONMENT)
    radiance = read(light.environment)[0, ..., :3]
    skylight = (radiance * (towards[..., 1] * solid_angle)[..., None]).sum(axis=(0, 1))
    up = np.sin(np.radians(sun))
    sunlight = (1 - clouds) * state(light)[0, :3]
    card = picture.GREY / np.pi * (skylight + 0.5 * (up + 1) * sunlight) @ LUMINANCE
    reflected = fresnel(towards[..., 1], 1 / 1.34)
    from_water = water.albedo() / np.pi * (skylight + up * sunlight) @ LUMINANCE
    sea = reflected * (radiance @ LUMINANCE) + (1 - reflected) * from_water
    above, below = (np.maximum(towards * (1, side, 1) @ ahead, 0) ** 4 * solid_angle for side in (1, -1))
    seen = (above * (radiance @ LUMINANCE) + below * sea).sum() / (above.sum() + below.sum())
    return 1e3 * card, 1e3 * seen


@pytest.mark.parametrize("case", [0, *map(slow, range(1, 4))])
def test_the_meter_agrees_with_the_reference(make_light, rng, case):
    """Suns, clouds, waters and views are random, and the reference takes 16 times as many directions. The luminance of
    the view agrees to 5 %, and its power in the exposure to 3 %: Schlick's term has an error of up to a hundredth of
    the sky, and a level of 16x16 texels has few texels at the horizon, where the sky changes most."""
    view = ViewSettings(heading=rng.uniform(0, 360), pitch=rng.uniform(-60, 30))
    sun, clouds, chlorophyll = rng.uniform(3, 70), rng.choice([0.0, 0.4]), rng.uniform(0.05, 5)
    keys = {"sky.sun_elevation": sun, "sky.clouds": clouds, "water.chlorophyll": chlorophyll}
    keys |= {"view.heading": view.heading, "view.pitch": view.pitch}
    light = make_light(*(f"{key}={value}" for key, value in keys.items()))
    card, seen = card_and_seen(light, sun, clouds, Seawater(chlorophyll), direction(view))
    expected = picture.exposure_for(picture.metered(card, seen))
    assert state(light)[4, 0] == pytest.approx(expected, rel=0.03)


def test_metering_is_bounded():
    """Black water and the sun's glare move the exposure by half a stop to a stop. Darker or brighter views move it no
    further."""
    stops = np.log2(picture.metered(1.0, np.array([1e-3, 0.5, picture.USUAL, 6.0, 1e3])))
    np.testing.assert_allclose(stops, [-0.86, -0.86, 0.0, 1.29, 1.29], atol=0.01)


@pytest.mark.usefixtures("coarse_sky")
@pytest.mark.parametrize(
    ("sun", "clouds"), [slow(3, 0.2), (9, 0.35), slow(14, 0.35), slow(35, 0.0), slow(60, 0.35), slow(40, 1.0)]
)
def test_views_at_all_headings_are_well_exposed(make_renderer, sun, clouds):
    """Towards the sun, away from it and across, the sky is not white, except for an eighth around the sun, and not
    dark; the sea is darker than the sky, and its glitter keeps details."""
    renderer = make_renderer(f"sky.sun_elevation={sun}", f"sky.clouds={clouds}", size=(80, 45))
    for turn in (0.0, 90.0, 180.0, 270.0):
        renderer.apply(with_values(renderer.settings, {"view.heading": (264.0 + turn) % 360}))
        renderer.render(0.0)
        shown = read_picture(renderer) @ LUMINANCE
        sky, sea = shown[:17], shown[25:]
        assert 130 < np.median(sky) < 225
        assert (sky >= 250).mean() < 0.125
        assert 30 < np.median(sea) < np.median(sky) - 25
        assert (sea >= 250).mean() < 0.02


@pytest.mark.usefixtures("coarse_sky")
def test_exposure_depends_on_the_view_and_not_on_earlier_views(make_light):
    """The exposure has the same bits after the camera has turned away and back, and a pan of two degrees changes it by
    less than 4 %."""
    sky = "sky.sun_elevation=14", "sky.clouds=0.35"
    light, factors = make_light(*sky), []
    for heading in (*np.arange(180.0, 360.0, 2.0), 264.0):
        run(light, *sky, f"view.heading={heading}")
        factors.append(state(light)[4, 0])
    assert factors[-1] == factors[42]
    assert np.abs(np.diff(np.log2(factors[:-1]))).max() < np.log2(1.04)
    assert max(factors) > 1.8 * min(factors)


@pytest.mark.usefixtures("coarse_sky")
def test_a_clear_sky_is_not_exposed_for_clouds(make_light):
    """In a clear sky the exposure does not depend on the height of clouds, for an eye above that height."""
    clear = "sky.clouds=0", "view.altitude=2000", "sky.metering=matrix"
    low, high = (state(make_light(*clear, f"sky.cloud_base={base}"))[4, 0] for base in (600, 6000))
    assert low == high
