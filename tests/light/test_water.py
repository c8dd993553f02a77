"""Light under water, by numbers that are known without it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from ocean.light import water

CRITICAL = np.sqrt(1 - 1 / water.INDEX**2)  # cosine of the critical angle


@given(st.floats(0.001, 1))
def test_light_is_reflected_alike_from_both_sides(cosine):
    inside = np.sqrt(1 - (1 - cosine**2) / water.INDEX**2)
    assert water.fresnel(cosine, 1 / water.INDEX) == pytest.approx(water.fresnel(inside, water.INDEX), abs=1e-9)


def test_known_reflectances():
    assert water.fresnel(1.0, 1 / water.INDEX) == pytest.approx((0.34 / 2.34) ** 2)
    brewster = np.cos(np.arctan(water.INDEX))
    assert water.fresnel(brewster, 1 / water.INDEX) == pytest.approx(
        0.5 * np.cos(2 * np.arctan(water.INDEX)) ** 2, rel=1e-9
    )
    assert (water.fresnel(np.linspace(0, CRITICAL - 1e-9, 20), water.INDEX) == 1).all()
    assert water.fresnel(CRITICAL + 1e-3, water.INDEX) < 0.9


def test_a_window_lets_through_what_enters():
    """Radiance grows by INDEX² as it is squeezed into Snell's window, so that the irradiance of an even sky is kept."""
    above = 2 * quad(lambda m: (1 - water.fresnel(m, 1 / water.INDEX)) * m, 0, 1)[0]
    below = 2 * quad(lambda m: water.INDEX**2 * (1 - water.fresnel(m, water.INDEX)) * m, CRITICAL, 1)[0]
    assert below == pytest.approx(above, rel=1e-6)
    scalar = 2 * quad(lambda m: water.INDEX**2 * (1 - water.fresnel(m, water.INDEX)), CRITICAL, 1)[0]
    assert pytest.approx(scalar, rel=0.005) == water.SKY_ENTERS


def test_scattering_keeps_light():
    assert 2 * np.pi * quad(water.phase, -1, 1)[0] == pytest.approx(1)
    assert 2 * np.pi * quad(lambda m: m * water.phase(m), -1, 1)[0] == pytest.approx(water.ASYMMETRY)
    backwards = 2 * np.pi * quad(water.phase, -1, 0)[0]
    assert pytest.approx(1.16 * (water.ABSORPTION + backwards * water.SCATTERING), rel=0.005) == water.FADING


@given(st.floats(-1, 1), st.floats(0.1, 60), st.floats(0.1, 40))
def test_rays_gather_the_light_along_them(up, distance, depth):
    direction = np.array([np.sqrt(1 - up * up), up, 0.0])
    distance = min(distance, depth / up) if up > 0 else distance
    light, behind = np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 3.0])
    found = water.through_water(behind, direction, distance, depth, light)
    extinction = water.ABSORPTION + water.SCATTERING
    for i in range(3):
        gathered = quad(
            lambda s, i=i: light[i] * np.exp(-extinction[i] * s - water.FADING[i] * (depth - s * up)), 0, distance
        )[0]
        assert found[i] == pytest.approx(behind[i] * np.exp(-extinction[i] * distance) + gathered, rel=1e-6)


@pytest.mark.parametrize("elevation", [40, 60, 90])
def test_facets_refract_what_does_not_reflect(elevation):
    """Over all directions, the refracted sun carries what enters: gentle facets change that little."""
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
