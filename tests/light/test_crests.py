"""Light through crests against numerical integrals and limits of energy."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.integrate import quad

from ocean.light.optics import Seawater
from tests.reference import water
from tests.reference.crests import crest_light, refracted, wave_at

from .test_reflection import direction

angles = st.floats(0, 360)


def tilted(degrees, azimuth):
    """Return the normal of a face that leans towards an azimuth."""
    return direction(90 - degrees, azimuth)


@given(st.floats(0.1, 10), st.floats(0.01, 0.4), st.floats(0.05, 0.95))
def test_height_and_width_of_a_sine_wave_are_found(amplitude, steepness, phase):
    """The height over the trough and the distance to the wave's other side are right at each phase from crest to
    trough."""
    k, turn = steepness / amplitude, np.pi * phase
    assume(abs(np.cos(turn)) > 1e-3)
    above, chord = wave_at(amplitude * np.cos(turn), steepness * np.sin(turn), steepness * np.cos(turn))
    np.testing.assert_allclose(above, amplitude * (1 + np.cos(turn)), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(chord, 2 * turn / k, rtol=1e-6)


def test_flat_places_have_no_crest():
    np.testing.assert_array_equal(wave_at([0, 1, -1, 0, 1], [0.1, 0.2, 0.2, 0, 0.1], [0.1, -0.1, 0.1, 0, 0]), 0)


@given(st.floats(5, 40), angles, st.floats(1, 60), st.floats(3, 60), angles, st.floats(0.1, 8), st.floats(0.1, 40))
def test_light_through_a_crest_equals_the_sum_along_a_ray(lean, azimuth, sight, elevation, sun_azimuth, above, chord):
    """The sum goes point by point along the ray. From each point it measures the way along the refracted sun to the
    plane of the other side."""
    normal, eye, sun = (
        tilted(lean, azimuth),
        direction(sight, azimuth),
        direction(elevation, azimuth + 180 + sun_azimuth),
    )
    scattering, extinction = np.array([0.04, 0.06, 0.05]), np.array([0.4, 0.12, 0.09])
    found = crest_light(normal, eye, sun, np.array(above), np.array(chord), scattering, extinction)
    beyond = normal * (-1, 1, -1)
    up = sun @ beyond
    if up <= 0:
        np.testing.assert_array_equal(found, 0)
        return
    lit, seen = -refracted(-sun, beyond), refracted(-eye, normal)
    on_the_other_side = -chord * normal * (1, 0, 1) / np.hypot(normal[0], normal[2])
    nearing = seen @ beyond
    assume(abs(nearing) > 2e-3)
    assume(-seen[1] > 2e-3)
    end = above / -seen[1]
    if nearing > 0:
        end = min(end, on_the_other_side @ beyond / nearing)

    def source(s, i):
        way = (on_the_other_side - s * seen) @ beyond / (lit @ beyond)
        return scattering[i] * np.exp(-extinction[i] * (s + way))

    turned = max(float(water.phase(lit @ seen) - water.phase(0.0)), 0.0)
    entered = (1 - water.fresnel(up, 1 / water.INDEX)) * up / (lit @ beyond)
    for i in range(3):
        expected = entered * turned / water.INDEX**2 * quad(source, 0, end, args=(i,))[0]
        np.testing.assert_allclose(found[i], expected, rtol=1e-6, atol=1e-12)


@given(angles, st.floats(3, 80), st.floats(1, 80), st.floats(0.01, 10))
def test_level_water_sends_next_to_no_light(azimuth, elevation, sight, chlorophyll):
    """A level face sends nothing without waves. By Snell's law for sight and sun along the surface, light through a
    level face turns by at least 84 degrees. That leaves less than a hundredth of the sun, whatever the water's
    depth."""
    normal, eye, sun = np.array([0.0, 1, 0]), direction(sight, 0), direction(elevation, azimuth)
    scattering = Seawater(chlorophyll).scattering()
    none = crest_light(normal, eye, sun, *wave_at(0.0, 0.0, 0.0), scattering, scattering + 0.1)
    np.testing.assert_array_equal(none, 0)
    some = crest_light(normal, eye, sun, np.array(1e3), np.array(0.0), np.ones(3), np.ones(3))
    assert (some < 0.01).all()


@given(st.floats(5, 45), st.floats(2, 70), st.floats(0.1, 20), st.floats(0.0, 20))
def test_a_crest_sends_no_more_light_than_it_gets(lean, elevation, above, chord):
    """Without absorption, the light that leaves the face in all directions is less than the light that enters through
    an equal area of the other side."""
    normal, sun = tilted(lean, 0.0), direction(elevation, 180.0)
    mu, azimuth = np.meshgrid((np.arange(40) + 0.5) / 40, 2 * np.pi * (np.arange(40) + 0.5) / 40)
    across = np.cross(normal, [0.0, 0.0, 1.0])
    side = np.sqrt(1 - mu**2)
    eye = mu[..., None] * normal + side[..., None] * (
        np.cos(azimuth)[..., None] * across + np.sin(azimuth)[..., None] * np.array([0.0, 0.0, 1.0])
    )
    grey = np.full(3, 0.5)
    radiance = crest_light(normal, eye, sun, np.array(above), np.array(chord), grey, grey)
    left = 2 * np.pi * (radiance[..., 0] * (1 - water.fresnel(mu, 1 / water.INDEX)) * mu).mean()
    assert left <= max(sun @ (normal * (-1, 1, -1)), 0.0)


def test_a_backlit_crest_in_a_gale_is_green_and_brighter_than_open_water():
    """The face leans by 25 degrees, three metres over the troughs, and is seen from the level of the crests; the sea
    has 1 mg/m³ of chlorophyll, and the sun stands at 20 degrees. The face sends more green light than the water returns
    of daylight, and less red."""
    seawater = Seawater(1.0)
    normal, eye, sun = tilted(25, 90), direction(3, 90), direction(20, 270)
    c = seawater.scattering()
    red, green, blue = crest_light(normal, eye, sun, np.array(3.0), np.array(6.0), c, c + seawater.extinction())
    assert green > seawater.albedo()[1] / np.pi * np.sin(np.radians(20))
    assert green > 1.5 * red
    assert green > 0.8 * blue
