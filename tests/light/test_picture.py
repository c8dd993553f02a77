"""Exposure and tone curves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.light import picture

light = st.lists(st.floats(0, 1e4), min_size=3, max_size=3).map(np.array)


@pytest.mark.parametrize("curve", [picture.aces, picture.agx])
@given(radiance=light)
def test_curves_stay_on_the_display(curve, radiance):
    shown = curve(radiance)
    assert ((shown >= 0) & (shown <= 1)).all()


@pytest.mark.parametrize("curve", [picture.aces, picture.agx])
def test_curves_keep_grey_grey_and_rise(curve):
    """Greys within two steps of 255 of grey; more light is never darker; black and white are reached."""
    grey = curve(np.logspace(-4, 3, 200)[:, None] * np.ones(3))
    assert np.ptp(grey, axis=1).max() < 2 / 255
    assert (np.diff(grey[:, 1]) >= 0).all()
    assert grey[0].max() < 0.02
    assert grey[-1].min() > 0.95


@pytest.mark.parametrize("curve", [picture.aces, picture.agx])
def test_a_grey_card_is_shown_as_middle_grey(curve):
    """18 % grey in a third to a half of the display's range (0.46 in sRGB without a curve)."""
    assert 0.3 < curve(np.full(3, 0.18))[1] < 0.5


@pytest.mark.parametrize("curve", [picture.aces, picture.agx])
def test_bright_colours_run_into_white(curve):
    """As film has it: the brighter a red light, the less of its saturation is left."""
    saturation = [np.ptp(curve(power * np.array([1.0, 0.1, 0.01]))) for power in (1.0, 10.0, 100.0, 1000.0)]
    assert (np.diff(saturation) < 0).all()
    assert saturation[-1] < 0.05


def test_night_is_exposed_for_longer_and_shown_darker():
    adapted = np.logspace(-3, 4, 50)
    exposure = picture.exposure_for(adapted)
    assert (np.diff(exposure) < 0).all()
    shown = exposure * adapted / 1000
    assert (np.diff(shown) > 0).all()
    assert 0.001 * shown[-1] < shown[0] < 0.05 * shown[-1]
