"""Anti-aliasing: far water agrees with a mean of many samples, and flickers little when the camera turns."""

import numpy as np
import pytest

from tools.measure import far_water
from tools.measure.far_water import HEADING, SHIPPED, beside, glitter

from ..marks import slow

PLAIN = [slow(beside(wind)) for wind in (5.0, 10.0)]
WITH_CLOUDS_AND_FOAM = [
    slow(beside(wind, *SHIPPED, place=place, heading=heading))
    for place, heading, winds in (
        (far_water.MIDDLE, HEADING, (5.0, 15.0, 22.0)),
        (far_water.DECK, HEADING, (5.0, 18.0)),
        (far_water.DECK, 100.0, (5.0, 10.0)),
        (far_water.BRIDGE, 100.0, (18.0,)),
        (far_water.ALOFT, 100.0, (10.0,)),
        (far_water.STEEP, HEADING, (15.0,)),
    )
    for wind in winds
]
DOWN = [slow(beside(wind, *SHIPPED, "fft.size=512", place=far_water.DOWN[3])) for wind in (10.0, 20.0)]
GLITTER = [
    slow(glitter(place, wind)) for place in (far_water.HIGHEST, far_water.HIGH, far_water.LOW) for wind in (5.0, 15.0)
]


@pytest.mark.parametrize("scene", [*PLAIN, *WITH_CLOUDS_AND_FOAM, *DOWN, *GLITTER])
def test_far_water_agrees_with_64_samples(make_renderer, scene):
    """From the row over the horizon on, the brightness of blocks of 8x8 pixels differs from the reference by at most 3
    % plus three standard errors of the 64 samples, and by 1.5 % in root mean square. In a slow pan pixels flicker at
    most 1.3 times as much as the reference, and at most 1.6 times in a row of blocks."""
    found = far_water.seen(make_renderer, scene)
    assert (np.abs(found.error) <= 0.03 + 3 * found.chance).all()
    assert (found.error**2).mean() <= 0.015**2 + (found.chance**2).mean()
    assert found.flicker <= 1.3
    shown, reference = found.changes
    assert (shown <= 1.6 * reference).all()
