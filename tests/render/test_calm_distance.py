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
    """Frames and references of a view that turns by a tenth of a pixel from one to the next, both with the same mesh.
    128 waves along a side, so that none fall between the cascades."""

    def pictures(*overrides, frames):
        step = 10.0 / HEIGHT / 10
        shown, reference = [], []
        for samples, size, into in (
            (("view.samples=4", "view.edge_pixels=1.6"), (WIDTH, HEIGHT), shown),
            (("view.samples=1", f"view.edge_pixels={1.6 * TIMES}"), (WIDTH * TIMES, HEIGHT * TIMES), reference),
        ):
            fixed = ("fft.size=128", "view.anisotropy=8", *samples, *VIEW)
            renderer = make_renderer(*fixed, *overrides, size=size)
            for i in range(frames):
                settings = renderer.settings
                view = settings.view.model_copy(update={"heading": 248 + i * step})
                renderer.apply(settings.model_copy(update={"view": view}))
                into.append(luminance(renderer))
        return np.array(shown), np.array(reference)

    return pictures


def far_rows():
    """Rows of blocks of 8 pixels that show the sea beyond 300 m, and not the sky nor the horizon itself."""
    y = 1 - (np.arange(HEIGHT) + 0.5) / HEIGHT * 2
    down = np.radians(2.3) - np.arctan(y * np.tan(np.radians(5.0)))  # of each row's line of sight
    far = (down > np.radians(0.35)) & (30.0 / np.tan(np.maximum(down, 1e-3)) > FAR)
    return far.reshape(-1, 8).all(axis=1)


def standard_errors(fine):
    """Of means over blocks of 8x8 pixels with a sample in each quarter of a pixel, from 16 times as many."""
    quarters = fine.reshape(2 * HEIGHT, TIMES // 2, 2 * WIDTH, TIMES // 2).var(axis=(1, 3), ddof=1)
    return np.sqrt(means(quarters, 16) / 16**2)


@pytest.mark.parametrize(
    "wind", [pytest.param(5.0, marks=pytest.mark.slow), 10.0, pytest.param(15.0, marks=pytest.mark.slow)]
)
def test_far_water_is_what_64_samples_say(look, wind):
    """Each block of 8x8 pixels is as bright within 3 % and three standard errors of what four samples a pixel leave to
    chance, 19 in 20 within 3 %; and in a slow pan pixels flicker no more than 1.3 times as much."""
    shown, fine = look(f"sea.wind.speed={wind}", "sky.sun_azimuth=300", frames=2)
    reference = np.array([means(picture, TIMES) for picture in fine])
    rows = far_rows()
    assert rows.sum() >= 3
    true = means(reference[0], 8)[rows]
    error = means(shown[0], 8)[rows] / true - 1
    chance = standard_errors(fine[0])[rows] / true
    assert (np.abs(error) <= 0.03 + 3 * chance).all()
    assert (np.abs(error) <= 0.03).mean() >= 0.95
    pixels = np.repeat(rows, 8)
    flicker, steady = (np.abs(np.diff(of[:, pixels], axis=0)).mean() for of in (shown, reference))
    assert flicker <= 1.3 * steady
