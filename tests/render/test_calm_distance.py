"""Anti-aliasing: what lies far away is what many samples say it is, and stays calm when the camera turns."""

import numpy as np
import pytest

from ocean.light.spectrum import LUMINANCE

WIDTH, HEIGHT, TIMES = 96, 64, 8  # pixels, and how many samples along each axis of one the reference has
VIEW = ("view.altitude=30", "view.pitch=-2.3", "view.field_of_view=10")
FAR = 300.0  # m


def luminance(renderer, time=5.0):
    renderer.render(time)
    width, height = renderer.size
    data = np.frombuffer(renderer._targets.hdr.read(), "f2").reshape(height, width, 4)
    return data[::-1, :, :3].astype("f8") @ LUMINANCE


def means(picture, side):
    rows, columns = picture.shape
    return picture.reshape(rows // side, side, columns // side, side).mean(axis=(1, 3))


@pytest.fixture
def look(make_renderer):
    """Frames and references of a view that turns by a tenth of a pixel from one to the next."""

    def pictures(*overrides, frames):
        step = 10.0 / HEIGHT / 10
        shown, reference = [], []
        for samples, size, into in (
            (("view.samples=4", "view.edge_pixels=1.6"), (WIDTH, HEIGHT), shown),
            (("view.samples=1", "view.edge_pixels=8"), (WIDTH * TIMES, HEIGHT * TIMES), reference),
        ):
            renderer = make_renderer(*VIEW, *samples, "view.anisotropy=8", *overrides, size=size)
            for i in range(frames):
                settings = renderer.settings
                view = settings.view.model_copy(update={"heading": 248 + i * step})
                renderer.apply(settings.model_copy(update={"view": view}))
                into.append(luminance(renderer))
        return np.array(shown), np.array([means(picture, TIMES) for picture in reference])

    return pictures


def far_rows():
    """Rows of blocks of 8 pixels that show the sea beyond 300 m, and not the sky nor the horizon itself."""
    y = 1 - (np.arange(HEIGHT) + 0.5) / HEIGHT * 2
    down = np.radians(2.3) - np.arctan(y * np.tan(np.radians(5.0)))  # of each row's line of sight
    far = (down > np.radians(0.35)) & (30.0 / np.tan(np.maximum(down, 1e-3)) > FAR)
    return far.reshape(-1, 8).all(axis=1)


@pytest.mark.parametrize(
    "wind", [pytest.param(5.0, marks=pytest.mark.slow), 10.0, pytest.param(15.0, marks=pytest.mark.slow)]
)
def test_far_water_is_what_64_samples_say(look, wind):
    """As bright within 3 %, and in a slow pan it flickers no more than 1.3 times as much. Means over 8x8 pixels scatter
    about the reference's by 4 %: pixels of this view are as long as the waves, and what such waves hide of each other
    is taken from the mean of all."""
    shown, reference = look(f"sea.wind.speed={wind}", "sky.sun_azimuth=300", frames=2)
    rows = far_rows()
    assert rows.sum() >= 3
    ratio = means(shown[0], 8)[rows] / means(reference[0], 8)[rows]
    assert abs(ratio.mean() - 1) <= 0.03
    assert np.sqrt(np.mean((ratio - 1) ** 2)) <= 0.04
    pixels = np.repeat(rows, 8)
    flicker, true = (np.abs(np.diff(of[:, pixels], axis=0)).mean() for of in (shown, reference))
    assert flicker <= 1.3 * true
