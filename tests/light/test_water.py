"""Light under water against published numbers and numerical integrals."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq

from ocean.light.optics import Seawater, of_daylight
from tests.reference import water

CRITICAL = np.sqrt(1 - 1 / water.INDEX**2)  # cosine of the critical angle


@given(st.floats(0.001, 1))
def test_light_is_reflected_alike_from_both_sides(cosine):
    inside = np.sqrt(1 - (1 - cosine**2) / water.INDEX**2)
    assert water.fresnel(cosine, 1 / water.INDEX) == pytest.approx(water.fresnel(inside, water.INDEX), abs=1e-9)


def test_reflectance_has_its_known_values():
    assert water.fresnel(1.0, 1 / water.INDEX) == pytest.approx((0.34 / 2.34) ** 2)
    brewster = np.cos(np.arctan(water.INDEX))
    assert water.fresnel(brewster, 1 / water.INDEX) == pytest.approx(
        0.5 * np.cos(2 * np.arctan(water.INDEX)) ** 2, rel=1e-9
    )
    assert (water.fresnel(np.linspace(0, CRITICAL - 1e-9, 20), water.INDEX) == 1).all()
    assert water.fresnel(CRITICAL + 1e-3, water.INDEX) < 0.9


def test_snells_window_keeps_irradiance():
    """Radiance grows by INDEX² in Snell's window, so that the irradiance of an even sky stays the same."""
    above = 2 * quad(lambda m: (1 - water.fresnel(m, 1 / water.INDEX)) * m, 0, 1)[0]
    below = 2 * quad(lambda m: water.INDEX**2 * (1 - water.fresnel(m, water.INDEX)) * m, CRITICAL, 1)[0]
    assert below == pytest.approx(above, rel=1e-6)
    scalar = 2 * quad(lambda m: water.INDEX**2 * (1 - water.fresnel(m, water.INDEX)), CRITICAL, 1)[0]
    assert pytest.approx(scalar, rel=0.005) == water.SKY_ENTERS


def daylight(chlorophyll, elevation=90.0, sun=(1.0, 1.0, 1.0), sky=(0.0, 0.0, 0.0)):
    angle = np.radians(elevation)
    direction = np.array([np.cos(angle), np.sin(angle), 0.0])
    return water.Daylight(Seawater(chlorophyll), direction, np.array(sun), np.array(sky))


def test_scattering_keeps_light():
    for phase in (water.phase, water.molecular_phase):
        assert 2 * np.pi * quad(phase, -1, 1)[0] == pytest.approx(1, rel=1e-3)
    assert 2 * np.pi * quad(lambda m: m * water.phase(m), -1, 1)[0] == pytest.approx(water.ASYMMETRY)


chlorophyll = st.floats(0.02, 20)


@given(chlorophyll, st.floats(-1, 1), st.floats(0.1, 60), st.floats(0.1, 40), st.floats(-5, 90))
def test_rays_gather_the_light_along_them(c, up, distance, depth, elevation):
    direction = np.array([np.sqrt(1 - up * up), up, 0.0])
    distance = min(distance, depth / up) if up > 0 else distance
    behind, from_sun, from_sky = np.array([1.0, 2.0, 3.0]), np.array([0.3, 0.2, 0.1]), np.array([0.1, 0.2, 0.3])
    found = daylight(c, elevation, from_sun, from_sky)
    sea, below = found.sea, water.refracted_sun(found.sun)
    sun = from_sun * (1 - water.fresnel(max(found.sun[1], 0), 1 / water.INDEX)) * max(found.sun[1], 0) / below[1]
    expected = behind * of_daylight(np.exp(-sea.attenuation() * distance))
    for light, cosine in ((sun, direction @ below), (from_sky * water.SKY_ENTERS, up)):
        share = [
            quad(lambda s, a=a, k=k: np.exp(-a * s - k * (depth - s * up)), 0, distance)[0]
            for a, k in zip(sea.attenuation(), sea.fading(), strict=True)
        ]
        expected = expected + light * of_daylight(found.volume_scattering(cosine) * share)
    np.testing.assert_allclose(found.through_water(behind, direction, distance, depth), expected, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("c", [0.03, 0.3, 3.0])
def test_water_has_the_same_colour_from_below_as_from_above(c):
    """Radiance just below the surface, over irradiance with the sun in the zenith, is f/Q b_b / (a + b_b), with f/Q
    from 0.07 to 0.15 (Morel and Gentili 1993); the albedo has 0.33 / 4."""
    found, down = daylight(c), np.array([0.0, -1.0, 0.0])
    entered = 1 - water.fresnel(1.0, 1 / water.INDEX)
    below = found.open_water(down, 0.0)
    above = below * (1 - water.fresnel(1.0, water.INDEX)) / water.INDEX**2 / entered
    factor = 0.33 / 4 * above / np.maximum(found.sea.albedo() / np.pi, 1e-12)
    assert (factor[1:] > 0.07).all()
    assert (factor[1:] < 0.15).all()
    assert below[0] < below[1]


@pytest.mark.parametrize(("c", "nearest", "farthest"), [(0.05, 30, 60), (0.5, 10, 20), (5.0, 2.5, 6)])
def test_visibility_is_the_reach_of_the_beam(c, nearest, farthest):
    """A black object, level with the eye, has a contrast of 2 % at 3.9 attenuation lengths (Koschmieder) of the
    wavelength that reaches farthest. The ranges are those that divers see in the tropics, in temperate seas and in a
    bloom."""
    found, level = daylight(c, 60.0), np.array([1.0, 0.0, 0.0])
    open_water = found.open_water(level, 5.0)
    brightest = open_water.argmax()

    def contrast(distance):
        return 1 - found.object_in_water(np.zeros(3), level, distance, 5.0)[brightest] / open_water[brightest]

    assert contrast(0.0) == pytest.approx(1)
    visible = brentq(lambda distance: contrast(distance) - 0.02, 0.0, 200.0)
    assert nearest < visible < farthest
    assert visible == pytest.approx(-np.log(0.02) / found.sea.beam_attenuation().min(), rel=0.1)


@given(chlorophyll, st.floats(-1, 1), st.floats(0.1, 60), st.floats(0.1, 40))
@example(c=1.0, up=5e-324, distance=1.0, depth=2.0)
def test_objects_as_bright_as_the_water_vanish(c, up, distance, depth):
    found, direction = daylight(c, 40.0), np.array([0.0, up, np.sqrt(1 - up * up)])
    distance = min(distance, depth / up) if up > 0 else distance
    behind = found.open_water(direction, max(depth - distance * up, 0.0))
    seen = found.object_in_water(behind, direction, distance, depth)
    np.testing.assert_allclose(seen, found.open_water(direction, depth))


@pytest.mark.parametrize("elevation", [40, 60, 90])
def test_facets_refract_the_light_that_they_do_not_reflect(elevation):
    """Over all directions the refracted sunlight carries the light that enters the water. Gentle facets change this sum
    little."""
    sun = np.array([np.cos(np.radians(elevation)), np.sin(np.radians(elevation)), 0.0])
    below, variance = water.refracted_sun(sun), 2e-3
    # Down from the surface, around the refracted ray.
    u = np.linspace(-0.5, 0.5, 801)
    x, z = np.meshgrid(u - below[0], u)
    down = np.sqrt(np.maximum(1 - x * x - z * z, 1e-9))
    eye = np.stack([x, -down, z], axis=-1)
    radiance = water.sun_refraction(np.array([0.0, 1.0, 0.0]), eye, variance, sun)
    # An element dx dz of the directions' projection is the cosine times the solid angle.
    flux = radiance.sum() * (u[1] - u[0]) ** 2
    assert flux == pytest.approx((1 - water.fresnel(sun[1], 1 / water.INDEX)) * sun[1], rel=0.02)
