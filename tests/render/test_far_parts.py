"""The parts of a picture that are drawn more finely: which they are, and that they are the same sea."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.gpu.memory import allocations
from ocean.render import camera
from ocean.render.far import FEW, LEAST, LONG, NEAREST, ROWS, far_water
from ocean.render.mesh import EARTH_RADIUS
from ocean.settings import Settings

from .conftest import read_picture

VIEW = Settings().view
LOW_SUN = ("sea.wind.speed=9", "sky.sun_elevation=12", "sky.sun_azimuth=248", "view.anisotropy=8", "view.samples=4")


@st.composite
def scenes(draw):
    """A view, its size, and significant wave height [m]."""
    view = {
        "altitude": draw(st.sampled_from([0.5, 4.0, 30.0, 150.0, 900.0])),
        "pitch": draw(st.floats(-60, 20)),
        "field_of_view": draw(st.floats(10, 100)),
        "far_pixels": draw(st.sampled_from([1, 4, 8, 16])),
    }
    size = draw(st.integers(1, 90)), draw(st.integers(1, 400))
    return VIEW.model_copy(update=view), size, draw(st.floats(0.05, 15))


@given(scenes())
def test_parts_lie_apart_within_the_picture_and_drawn_they_fit_into_it(scene):
    view, size, _ = scene
    often = np.zeros(size, int)
    for part in far_water(*scene):
        assert part.width > 0 < part.height
        assert part.left >= 0 <= part.bottom
        assert part.left + part.width <= size[0]
        assert part.bottom + part.height <= size[1]
        assert 1 < part.rows <= ROWS
        assert part.columns * part.rows <= view.far_pixels
        assert part.drawn[0] <= max(size[0], part.columns)
        assert part.drawn[1] <= size[1]
        often[part.left : part.left + part.width, part.bottom : part.bottom + part.height] += 1
    assert often.max(initial=0) <= 1


@given(scenes())
def test_all_far_water_is_drawn_as_its_footprints_ask(scene):
    """Against each pixel's own ray, where it meets the round earth. How long footprints are is asked in the middle of a
    row, where they are shortest."""
    view, (width, height), _ = scene
    pixels = np.ones((height, width), int)
    for part in far_water(*scene):
        there = np.s_[part.bottom : part.bottom + part.height, part.left : part.left + part.width]
        pixels[there] = part.columns * part.rows
    rays, middle = rays_of(view, (width, height), 2 * np.arange(0.5, width) / width - 1), rays_of(view, scene[1], [0.0])
    level = math.sqrt(2 * view.altitude / EARTH_RADIUS)

    def distance(down):
        return 2 * view.altitude / (np.maximum(down, level) + np.sqrt(np.maximum(down**2 - level**2, 0)))

    down, steepest = -rays[..., 1], -middle[..., 1] + 1e-9
    times = np.where(steepest >= view.altitude / FEW, 2, 1)  # as many, where blocks hold few waves
    wanted = (down > level) & (distance(down) > NEAREST)
    most = 2 ** math.floor(math.log2(min(view.far_pixels, height)))
    longest = times / np.maximum(steepest, 1e-9) / pixels  # were they all one above the other
    assert ((longest < 2 * LONG) | (pixels == most))[wanted].all()
    assert ((longest >= 0.999 * LONG) | (pixels <= LEAST)).all()
    assert (pixels[wanted] >= min(LEAST, most)).all()


@pytest.mark.parametrize("altitude", [2.0, 8.0, 30.0, 150.0, 1000.0, 2000.0])
@pytest.mark.parametrize("pitch", [0.0, -4.0, -25.0])
def test_what_is_drawn_again_has_a_bound_at_any_height(altitude, pitch):
    """In pixels of the picture: LEAST times all that is far, whose rows are farther at their ends, and more at low
    angles; or all of it as often as any. Those drawn as n have sines between 1 / 2 n LONG and twice that, or, drawn as
    the most, all below: n times that is the same for each n; and within FEW metres twice as many. A row is a pixel at
    unit distance, or as much less as those out of the middle are turned away; and the horizon's is one more, before
    which crests may stand."""
    size, view = (1600, 900), VIEW.model_copy(update={"altitude": altitude, "pitch": pitch})
    drawn = sum(np.prod(part.drawn) for part in far_water(view, size, wave_height=2.0)) / np.prod(size)
    steps = math.log2(view.far_pixels / LEAST) + 1
    unit = camera.pixels_at_unit_distance(view, size[1]) / size[1]
    half = math.radians(view.field_of_view / 2)
    turned, beside = math.cos(half) ** 2, math.hypot(1, math.tan(half) * size[0] / size[1])
    far = min(1.0, altitude / NEAREST * beside * unit / turned + 2 / size[1])
    most = min(view.far_pixels * far, LEAST * far + 2 * steps / (2 * LONG) * unit / turned)
    assert 0 < drawn <= most + 2 * view.far_pixels / size[1]


def rays_of(view, size, x):
    """Unit vectors (height, len(x), 3) through the middles of rows, the lowest first, at places x from -1 to 1."""
    matrix = camera.view_matrix(view) @ camera.projection_matrix(view, size[0] / size[1], 1e5)
    x, y = np.meshgrid(x, 2 * np.arange(0.5, size[1]) / size[1] - 1)
    points = np.stack([x, y, np.full_like(x, 0.5), np.ones_like(x)], axis=-1) @ np.linalg.inv(matrix)
    rays = points[..., :3] / points[..., 3:] - (0.0, view.altitude, 0.0)
    return rays / np.linalg.norm(rays, axis=-1, keepdims=True)


def light(renderer, time=3.0):
    renderer.render(time)
    width, height = renderer.size
    return np.frombuffer(renderer._targets.hdr.read(), "f2").astype("f8").reshape(height, width, 4)[..., :3]


def parts_of(renderer):
    return far_water(renderer.settings.view, renderer.size, 4 * renderer._surface.height_deviation)


@pytest.mark.parametrize("changes", [{"far_pixels": 1}, {"samples": 1}, {"pitch": 60.0}, {"pitch": -85.0}], ids=str)
def test_nothing_else_is_drawn_twice(make_renderer, changes):
    """Not where it is not wanted, above the horizon, or straight below."""
    renderer = make_renderer("view.far_pixels=16", *LOW_SUN, size=(96, 64))
    view = renderer.settings.view.model_copy(update=changes)
    renderer.apply(renderer.settings.model_copy(update={"view": view}))
    renderer.render(1.0)
    wanted = "far water" in [step.name for step in renderer.passes]
    assert wanted == (view.far_pixels > 1 and view.samples > 1)
    assert not wanted or not parts_of(renderer)


SCENES = [("view.altitude=40",), ("view.altitude=5", "view.field_of_view=10", "view.pitch=-1", "buoy.show=true")]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene[0])
def test_a_part_is_what_a_picture_of_so_many_pixels_shows_there(make_renderer, monkeypatch, scene):
    """The same mesh in a picture of more pixels, and their means. Half floats are exact to 2^-11, and a few samples lie
    so near to an edge that float32 decides. The rest is the plain picture's, to the bit."""
    size = 80, 60
    scene = (*LOW_SUN, *scene)
    plain = light(make_renderer(*scene, "view.far_pixels=1", size=size))
    renderer = make_renderer(*scene, "view.far_pixels=16", size=size)
    shown, parts = light(renderer), parts_of(renderer)
    assert parts
    project, scale = camera.projection_matrix, camera.pixels_at_unit_distance
    monkeypatch.setattr(camera, "projection_matrix", lambda view, _, *far: project(view, size[0] / size[1], *far))
    monkeypatch.setattr(camera, "pixels_at_unit_distance", lambda view, _: scale(view, size[1]))
    for columns, rows in {(part.columns, part.rows) for part in parts}:
        fine = light(make_renderer(*scene, "view.far_pixels=1", size=(columns * size[0], rows * size[1])))
        expected = fine.reshape(size[1], rows, size[0], columns, 3).mean(axis=(1, 3))
        for part in (part for part in parts if (part.columns, part.rows) == (columns, rows)):
            there = np.s_[part.bottom : part.bottom + part.height, part.left : part.left + part.width]
            relative = np.abs(shown[there] / expected[there] - 1)
            assert np.median(relative) <= 2.0**-11
            assert relative.mean() <= 2.0**-10
            assert np.abs(plain[there] / expected[there] - 1).mean() > 2.0**-8  # and so it is not anyway
            plain[there] = shown[there]
    assert (plain == shown).all()


def test_a_picture_that_changes_its_size_is_drawn_as_one_made_at_it(make_renderer):
    scene = (*LOW_SUN, "view.altitude=40", "view.far_pixels=16")
    renderer = make_renderer(*scene, size=(64, 48))
    renderer.render(3.0)
    renderer.resize((80, 60))
    renderer.render(3.0)
    again = make_renderer(*scene, size=(80, 60))
    again.render(3.0)
    assert (read_picture(renderer) == read_picture(again)).all()


def test_samples_are_in_the_account_of_memory_and_parts_take_none(make_renderer, ctx):
    renderer = make_renderer(*LOW_SUN, "view.altitude=40", "view.far_pixels=1", size=(64, 48))
    renderer.render(0.0)
    before = allocations(ctx)
    (samples,) = [one for one in before if one.label == "light samples"]
    assert samples.bytes == 64 * 48 * 4 * 8
    view = renderer.settings.view.model_copy(update={"far_pixels": 16})
    renderer.apply(renderer.settings.model_copy(update={"view": view}))
    renderer.render(0.0)
    assert parts_of(renderer)
    assert allocations(ctx) == before
