"""Exposure and tone curves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import picture

light = st.lists(st.floats(0, 1e4), min_size=3, max_size=3).map(np.array)


@pytest.mark.parametrize("curve", [picture.aces, picture.agx])
@given(radiance=light)
def test_curves_stay_on_the_display(curve, radiance):
    shown = curve(radiance)
    assert ((shown >= 0) & (shown <= 1)).all()


@pytest.mark.parametrize("curve", [picture.aces, picture.agx])
def test_curves_keep_grey_neutral_and_rise(curve):
    """Greys stay within two steps of 255 of grey, more light is never darker, and black and white are reached."""
    grey = curve(np.logspace(-4, 3, 200)[:, None] * np.ones(3))
    assert np.ptp(grey, axis=1).max() < 2 / 255
    assert (np.diff(grey[:, 1]) >= 0).all()
    assert grey[0].max() < 0.02
    assert grey[-1].min() > 0.95


@pytest.mark.parametrize("curve", [picture.aces, picture.agx])
def test_a_grey_card_is_shown_as_middle_grey(curve):
    """A card of 18 % grey takes a third to a half of the display's range (0.46 in sRGB without a curve)."""
    assert 0.3 < curve(np.full(3, 0.18))[1] < 0.5


def test_agx_shows_a_grey_card_as_srgb_does():
    """The tolerance is a step of 255 on the display, and 1e-3 on the stops of the card."""
    assert picture.agx(np.full(3, picture.GREY))[1] == pytest.approx(picture.srgb(np.array(picture.GREY)), abs=4e-3)
    assert pytest.approx(np.log2(picture.GREY), abs=1e-3) == picture.AGX_LOW + picture.AGX_CARD * (
        picture.AGX_HIGH - picture.AGX_LOW
    )


def test_agx_has_the_contrast_of_a_photograph():
    """Displayed light rises faster than the light of the scene: by 1.1 to 1.3 stops a stop at the card, as in prints,
    and by more at the sea's level, a stop and a half below. White paper is 2.3 stops above the card, clouds in the sun
    2.8, the sky near a low sun 4."""
    stops = np.array([-4.0, -2.0, -1.0, -0.5, 0.5, 2.3, 2.8, 4.0])
    shown = picture.agx(0.18 * 2.0 ** stops[:, None] * np.ones(3))[:, 1]
    linear = np.where(shown > 0.04045, ((shown + 0.055) / 1.055) ** 2.4, shown / 12.92)
    assert 1.1 < np.log2(linear[4] / linear[3]) < 1.3 < np.log2(linear[2] / linear[1]) < 1.8
    assert 205 < 255 * shown[5] < 220 < 255 * shown[6] < 232 < 255 * shown[7] < 250
    assert 255 * shown[0] > 5


@pytest.mark.parametrize("curve", [picture.aces, picture.agx])
def test_bright_colours_run_into_white(curve):
    """Film loses the saturation of a red light as it gets brighter."""
    saturation = [np.ptp(curve(power * np.array([1.0, 0.1, 0.01]))) for power in (1.0, 10.0, 100.0, 1000.0)]
    assert (np.diff(saturation[:3]) < 0).all()
    assert saturation[-1] < 0.05 < saturation[0]


def test_night_is_exposed_for_longer_and_shown_darker():
    adapted = np.logspace(-3, 4, 50)
    exposure = picture.exposure_for(adapted)
    assert (np.diff(exposure) < 0).all()
    shown = exposure * adapted / 1000
    assert (np.diff(shown) > 0).all()
    assert 0.001 * shown[-1] < shown[0] < 0.05 * shown[-1]


def test_highlights_stay_distinct_up_to_the_brightest_light():
    """Glitter and the sky around a low sun are two to six stops above a grey card."""
    stops = np.arange(-2.0, 6.6, 0.5)
    shown = 255 * picture.agx(0.18 * 2.0 ** stops[:, None] * np.ones(3))[:, 0]
    steps = np.diff(shown)
    assert steps.min() > 1
    assert np.diff(steps[stops[:-1] >= 1]).max() < 0.2  # a shoulder without a bump
    assert shown[stops <= 6].max() < 254
