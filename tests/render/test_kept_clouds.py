"""Clouds that are kept from the last frames, against clouds that are marched in each frame."""

import numpy as np
import pytest

from ocean.render.camera import pixels_at_unit_distance, view_block
from ocean.render.cloud_map import SPARE, CloudMap
from ocean.settings import ViewSettings, with_values
from ocean.waves.slopes import Roughness

from ..marks import slow
from .conftest import read_light, read_picture

pytestmark = pytest.mark.usefixtures("coarse_sky")

MATRICES = "point_to_ray", "ray_to_point", "point_to_picture"
SIZE, STEP = (72, 40), 1 / 60
UP = "view.pitch=60", "view.field_of_view=10", "sky.clouds=0.5", "sky.veil=0.2", "sky.sun_elevation=25"
UP += "sky.metering=manual", "sea.wind.speed=25", "fft.size=16", "cascades.count=1", "foam.amount=0"


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
        clouds.look(scene.view, 0)
        clouds.blocks.write(bytes(16 * clouds.blocks.width * clouds.blocks.height))
        return True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(renderer.backdrop, "_follow", follow)
        draw(renderer, frame, kept=True)
    return read_light(renderer)


def apart(light, other):
    """Return the mean difference of two pictures, without the pixels at their edges."""
    return np.abs(light - other)[2:-2, 2:-2].mean()


@pytest.mark.parametrize("turn", [0.0, slow(0.05), 0.35])
def test_kept_clouds_are_where_marched_clouds_are(make_renderer, turn):
    """Kept clouds differ from marched ones by less than 0.3 of the change in 16 frames, in which the wind moves clouds
    by 1.2 pixels; if they were read without that motion, by half of it. While the camera turns by up to 1.4 pixels a
    frame, the difference is less than 0.3 of that to a picture that is shifted by a pixel."""
    renderer, last = make_renderer(*UP, size=SIZE), 34
    for frame in range(last + 1):
        draw(renderer, frame, kept=True, heading=248 + turn * frame)
    assert renderer.backdrop._is_kept
    kept, marched = read_light(renderer), march_all(renderer, last)
    other = np.roll(marched, 1, axis=1) if turn else march_all(renderer, last - 16)
    assert 0 < apart(kept, marched) < 0.3 * apart(other, marched)


def test_a_picture_does_not_depend_on_the_frames_before_it(make_renderer):
    """A capture, and a window's picture after a cut, equal the first picture of another renderer."""
    renderer = make_renderer(*UP, size=SIZE)
    for frame in range(3):
        draw(renderer, frame, kept=True, heading=248.0 + 0.1 * frame)
    assert renderer.backdrop._is_kept

    def expect(frame, size=SIZE, *changes):
        first = draw(make_renderer(*UP, *changes, size=size), frame, kept=False)
        assert not renderer.backdrop._is_kept
        np.testing.assert_array_equal(read_picture(renderer), first)

    draw(renderer, 3, kept=False, heading=250.0)
    expect(3, SIZE, "view.heading=250")
    draw(renderer, 4, kept=True, heading=90.0)  # the camera looks elsewhere
    expect(4, SIZE, "view.heading=90")
    draw(renderer, 4000, kept=True)  # time jumps
    expect(4000, SIZE, "view.heading=90")
    renderer.apply(with_values(renderer.settings, {"sky.sun_elevation": 40.0}))
    draw(renderer, 4001, kept=True)
    expect(4001, SIZE, "view.heading=90", "sky.sun_elevation=40")
    renderer.resize((64, 50))
    draw(renderer, 4002, kept=True)
    expect(4002, (64, 50), "view.heading=90", "sky.sun_elevation=40")
    draw(renderer, 4003, kept=True)
    assert renderer.backdrop._is_kept


def test_clouds_of_an_abandoned_picture_are_not_kept(make_renderer):
    """A window abandons a picture that takes long when its settings change."""
    renderer = make_renderer(*UP, size=SIZE)
    steps = renderer.steps(0.0, STEP)
    while next(steps).name != "clouds":
        pass
    next(steps)
    steps.close()
    draw(renderer, 1, kept=True)
    assert not renderer.backdrop._is_kept
    draw(renderer, 2, kept=True)
    assert renderer.backdrop._is_kept


def test_no_clouds_are_kept_above_them(make_renderer):
    """Clouds near the eye do not move as a plane does."""
    renderer = make_renderer(*UP, "view.altitude=1500", size=SIZE)
    for frame in range(2):
        draw(renderer, frame, kept=True)
    assert not renderer.backdrop._is_kept


def test_a_map_knows_which_pictures_it_holds(ctx, releasing):
    """A map reaches as far around its camera's picture as its margin, except for the texels that reading may need. Its
    matrices take a point to the ray of the camera and back."""
    size, view = (160, 90), ViewSettings(heading=30.0, pitch=10.0)

    def block(**changes):
        turned = view.model_copy(update=changes)
        return view_block(
            turned, size[0] / size[1], (0.0, 1.0, 0.0), Roughness(np.zeros((256, 4)), 0.1, 1.0, np.zeros(1)), 1e4, 1.0
        )

    clouds = releasing(CloudMap(ctx, size))
    clouds.turn_to(block(), ("any",))
    degree = pixels_at_unit_distance(view, size[1]) * np.pi / 180
    for turn, share in ((0.0, 1.0), (0.8 * (clouds.margin - SPARE) / degree / 2, 1.0), (20.0, 0.5), (60.0, 0.0)):
        clouds.look(block(heading=view.heading + turn), 20)
        assert clouds.share_held == share, turn
    clouds.look(block(pitch=12.0), 20)
    there, back, seen = (np.reshape(clouds.uniforms[name], (4, 4)) for name in MATRICES)
    points = np.array([[12.5, 80.0, 1.0, 1.0], [150.0, 3.0, 1.0, 1.0]])
    rays = points @ there
    found = (rays * (1, 1, 1, 0)) @ back
    np.testing.assert_allclose(found[:, :2] / found[:, 3:], points[:, :2], rtol=1e-4)
    moved = points @ seen
    lower = degree * 2.0  # a camera that looks up by 2 degrees sees all of it lower
    assert np.allclose((points[:, 1] - moved[:, 1] / moved[:, 3]), lower, rtol=0.5)
