"""The water's own colour."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.light.optics import MOLECULES, WAVELENGTHS, Seawater, of_daylight

chlorophyll = st.floats(0.01, 20)


@given(chlorophyll)
def test_water_returns_a_part_of_the_light(c):
    water = Seawater(c)
    assert ((water.reflectance() > 0) & (water.reflectance() < 0.33)).all()
    assert ((water.albedo() >= 0) & (water.albedo() < 0.06)).all()
    assert (water.extinction() > 0).all()
    assert water.extinction()[0] > water.extinction()[1]  # red goes first


def test_seas_turn_from_blue_to_green():
    """The ratio of blue to green, at 490 and 560 nm, falls as chlorophyll rises and passes 1 between 1 and 5 mg/m³.
    Satellite algorithms use these bands (O'Reilly et al. 1998)."""
    ratio = np.array([Seawater(c).reflectance()[2] / Seawater(c).reflectance()[1] for c in np.geomspace(0.02, 20, 30)])
    assert (np.diff(ratio) < 0).all()
    assert Seawater(1).reflectance()[2] > Seawater(1).reflectance()[1]
    assert Seawater(5).reflectance()[2] < Seawater(5).reflectance()[1]
    blue, green = Seawater(0.05).albedo(), Seawater(10).albedo()
    assert blue.argmax() == 2
    assert green.argmax() == 1


def test_the_clearest_water_is_as_bright_as_measured():
    """The Sargasso Sea and the South Pacific gyre reflect 5 to 9 % of irradiance in the blue."""
    assert 0.05 < Seawater(0.04).reflectance()[3] < 0.09


@pytest.mark.parametrize("c", [0.05, 0.2, 1.0, 3.0])
def test_daylight_and_beams_fade_as_measured(c):
    """The attenuation of daylight at 490 nm is that of Morel and Maritorena (2001), and the attenuation of beams by
    particles at 660 nm that of Loisel and Morel (1998). The measurements behind both fits scatter by more than the
    tolerances."""
    water = Seawater(c)
    assert water.fading()[2] == pytest.approx(0.0166 + 0.07242 * c**0.68955, rel=0.2)
    particles = (water.beam_attenuation() - water.absorption() - MOLECULES)[0] * WAVELENGTHS[0] / 660
    assert particles == pytest.approx(0.252 * c**0.635, rel=0.3)


@given(chlorophyll)
def test_a_ray_loses_more_than_daylight(c):
    water = Seawater(c)
    assert (water.beam_attenuation() > water.attenuation()).all()
    assert (water.attenuation() > water.absorption()).all()
    assert (water.fading() > water.absorption()).all()
    assert (water.fading() < water.beam_attenuation() / 0.8).all()


def test_white_stays_white():
    np.testing.assert_allclose(of_daylight(np.ones(4)), 1.0)
