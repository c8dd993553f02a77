"""Pixels of waves near the eye against samples in these pixels."""

import pytest
from scipy.ndimage import maximum_filter

from tools.measure.far_water import luminance

GALE = "foam.amount=0", "sea.wind.speed=17", "view.altitude=14", "view.anisotropy=8", "view.far_pixels=1"


@pytest.mark.parametrize("time", [20.0, pytest.param(30.0, marks=pytest.mark.slow)])
def test_pixels_are_no_brighter_than_their_samples(make_renderer, time):
    """A group of samples that is shaded once may lie on a crest whose mean slope is seen edge-on. It still shows a
    pixel's water, and not all of the sea out to the bright horizon. The limit is the brightest of 3x3 samples in the
    pixel and in each of its neighbours."""

    def drawn(times, samples):
        detail = "sky.metering=manual", f"view.edge_pixels={8 * times}", "fft.size=128", f"view.samples={samples}"
        return luminance(make_renderer(*GALE, *detail, size=(200 * times, 112 * times)), time)

    brightest = maximum_filter(drawn(3, 1), 9)[1::3, 1::3]
    assert (drawn(1, 4) / brightest).max() < 1.5
