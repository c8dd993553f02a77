"""Water near the eye, with ripples finer than the mesh, against a mesh that resolves them."""

import numpy as np
import pytest
from scipy.ndimage import maximum_filter

from tools.measure.far_water import luminance, means

SIZE, TIMES = (96, 64), 4  # pixels; samples of the reference along each axis of a pixel
OVERRIDES = "fft.size=256", "view.anisotropy=8", "sky.sun_azimuth=60", "sky.clouds=0.4"
PLACE = "view.altitude=5.5", "view.pitch=-9", "view.field_of_view=10", "view.heading=130"


@pytest.mark.slow
@pytest.mark.parametrize("wind", [8.0, 13.0])
def test_ripples_without_mesh_look_like_a_fine_mesh(make_renderer, wind):
    """The reference has triangles a twelfth as wide and 4x4 samples a pixel. All light agrees to 5 %, and the contrast
    between pixels in blocks of 8x8, at the same points, to 10 %. Pixels that kept the maps' slopes, weighted by their
    visible area, would have a fifth less contrast."""

    def drawn(times, edge, samples):
        detail = f"sea.wind.speed={wind}", f"view.edge_pixels={edge * times}", f"view.samples={samples}"
        renderer = make_renderer(*OVERRIDES, *PLACE, *detail, size=(SIZE[0] * times, SIZE[1] * times))
        picture = means(luminance(renderer), times)
        return picture.mean(), picture / np.kron(means(picture, 8), np.ones((8, 8))) - 1

    (shown, local), (expected, fine) = drawn(1, 3.0, 4), drawn(TIMES, 0.25, 1)
    assert shown == pytest.approx(expected, rel=0.05)
    assert local.std() == pytest.approx(fine.std(), rel=0.1)
    assert np.corrcoef(local.ravel(), fine.ravel())[0, 1] > 0.88


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
