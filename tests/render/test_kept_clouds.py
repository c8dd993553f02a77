"""Clouds that are kept from the last frames, against clouds that are marched in each frame."""

import numpy as np
import pytest

from ocean.render.cloud_map import SPARE, CloudMap
from ocean.settings import with_values

from .conftest import read_light, read_picture

pytestmark = pytest.mark.usefixtures("coarse_sky")

SIZE, STEP = (72, 40), 1 / 60
UP = "view.pitch=60", "view.field_of_view=10", "sky.clouds=0.5", "sky.veil=0.2", "sky.sun_elevation=25"
UP += "sky.metering=manual", "sea.wind.speed=25"


def draw(renderer, frame, kept, **view):
    """Draw a frame by its number, for other values of the view, and return the picture."""
    renderer.apply(with_values(renderer.settings, {f"view.{key}": value for key, value in view.items()}))
    renderer.backdrop.keeps_clouds = kept
    renderer.render(frame * STEP, STEP)
    assert renderer.backdrop._is_kept <= kept
    return read_picture(renderer)


def march_all(renderer, frame):
    """Return the light of a frame in which each texel of the clouds is marched."""

    def follow(scene):
        clouds = scene.targets.clouds
        clouds.turn_to(scene.view, ("empty",))
        clouds.blocks.write(bytes(16 * clouds.blocks.width * clouds.blocks.height))
        return True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(renderer.backdrop, "_follow", follow)
        draw(renderer, frame, kept=True)
    return read_light(renderer)


def apart(light, other):
    """Return the mean difference of two pictures, without the pixels at their edges."""
    return np.abs(light - other)[2:-2, 2:-2].mean()


@pytest.mark.parametrize("turn", [0.0, 0.05, 0.35])
def test_kept_clouds_are_where_marched_clouds_are(make_renderer, turn):
    """While wind moves the clouds by 1.5 pixels in 16 frames, kept clouds differ from marched ones by less than half of
    that motion; of blocks read where they were marched, the mean age would be half of it. While the camera turns, at up to 1.75 pixels a frame, they
    are interpolated once, and again at most three times before they are marched anew: less than a pixel's shift."""
    renderer = make_renderer(*UP, size=SIZE)
    last = 40
    for frame in range(last + 1):
        draw(renderer, frame, kept=True, heading=248 + turn * frame)
    assert renderer.backdrop._is_kept
    kept, marched = read_light(renderer), march_all(renderer, last)
    moved = march_all(renderer, last - 16) if turn == 0 else np.roll(marched, 1, axis=1)
    print(apart(kept, marched), apart(moved, marched), [apart(np.roll(marched, 1, axis=a), marched) for a in (0, 1)])
    assert 0 < apart(kept, marched) < (0.5 if turn == 0 else 1.0) * apart(moved, marched)
