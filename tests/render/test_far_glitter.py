"""The parts of a picture that are drawn more finely: which they are, and that they are the same sea."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ocean.gpu.memory import allocations
from ocean.render import camera
from ocean.render.far import BLOCK, COLUMNS, DEVIATIONS, LENGTH, NEAREST, far_glitter
from ocean.render.mesh import EARTH_RADIUS
from ocean.settings import Settings

from .conftest import read_picture

VIEW = Settings().view
LOW_SUN = ("sea.wind.speed=9", "sky.sun_elevation=12", "sky.sun_azimuth=248", "view.anisotropy=8", "view.samples=4")


def direction(elevation, azimuth):
    up, turn = math.radians(elevation), math.radians(azimuth)
    return math.sin(turn) * math.cos(up), math.sin(up), -math.cos(turn) * math.cos(up)


@st.composite
def scenes(draw):
    """A view, its size, the sun, significant wave height [m] and variance of slopes."""
    view = {
        "altitude": draw(st.sampled_from([0.5, 4.0, 30.0, 150.0, 900.0])),
        "heading": draw(st.floats(0, 360)),
        "pitch": draw(st.floats(-60, 20)),
        "field_of_view": draw(st.floats(10, 100)),
        "glitter_pixels": draw(st.sampled_from([1, 4, 8, 16])),
    }
    size = draw(st.integers(1, 90)), draw(st.integers(1, 400))
    sun = direction(draw(st.floats(-8, 90)), draw(st.floats(0, 360)))
    return VIEW.model_copy(update=view), size, sun, draw(st.floats(0.05, 15)), draw(st.floats(0.005, 0.15))


@given(scenes())
def test_parts_lie_apart_within_the_picture_and_drawn_they_fit_into_it(scene):
    view, size, *_ = scene
    often = np.zeros(size, int)
    for part in far_glitter(*scene):
        assert part.width > 0 < part.height
        assert part.left >= 0 <= part.bottom
        assert part.left + part.width <= size[0]
        assert part.bottom + part.height <= size[1]
        assert part.rows > 1
        assert COLUMNS * part.rows <= view.glitter_pixels
        assert part.drawn[0] <= max(size[0], COLUMNS)
        assert part.drawn[1] <= size[1]
        often[part.left : part.left + part.width, part.bottom : part.bottom + part.height] += 1
    assert often.max(initial=0) <= 1


HIGH = VIEW.model_copy(
    update={"altitude": 150.0, "heading": 0.0, "pitch": 0.0, "field_of_view": 53.0, "glitter_pixels": 4}
)


@given(scenes())
@example((HIGH, (1, 22), direction(1, 0), 4.0, 0.006))  # widest above the lowest row
def test_all_far_water_that_mirrors_the_sun_is_drawn_as_its_footprints_ask(scene):
    """Against each pixel's own ray, where it meets the round earth. How wide blocks are and how long footprints is
    asked in the middle of a row, where both are least."""
    view, (width, height), sun, wave_height, slope_variance = scene
    rows = np.ones((height, width), int)
    for part in far_glitter(*scene):
        rows[part.bottom : part.bottom + part.height, part.left : part.left + part.width] = part.rows
    rays, middle = rays_of(view, (width, height), 2 * np.arange(0.5, width) / width - 1), rays_of(view, scene[1], [0.0])
    level = math.sqrt(2 * view.altitude / EARTH_RADIUS)

    def distance(down):
        return 2 * view.altitude / (np.maximum(down, level) + np.sqrt(np.maximum(down**2 - level**2, 0)))

    down, steepest = -rays[..., 1], -middle[..., 1] + 1e-9
    facet = np.array(sun) - rays
    steepness = np.hypot(facet[..., 0], facet[..., 2]) / np.maximum(facet[..., 1], 1e-9)
    mirrors = (steepness < 0.999 * DEVIATIONS * np.sqrt(slope_variance / 2)) & (sun[1] > 0)
    block = BLOCK / camera.pixels_at_unit_distance(view, height) * distance(steepest)
    wanted = (down > level) & (distance(down) > NEAREST) & mirrors & (block < 0.999 * LENGTH * wave_height)
    most = max(min(view.glitter_pixels // COLUMNS, height), 1)
    asked = 2.0 ** np.floor(np.log2(np.clip(1 / np.maximum(steepest, 1e-9), 1, most)))
    assert (rows >= asked)[wanted].all()


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
    waves = 4 * renderer._surface.height_deviation, renderer._surface.slope_variance
    return far_glitter(renderer.settings.view, renderer.size, renderer._light.sun, *waves)


@pytest.mark.parametrize(
    "changes",
    [{"glitter_pixels": 1}, {"samples": 1}, {"heading": 68.0}, {"pitch": 60.0}, {"pitch": -85.0}],
    ids=str,
)
def test_nothing_else_is_drawn_twice(make_renderer, changes):
    """Not where it is not wanted, away from the sun, above the horizon, or straight below."""
    renderer = make_renderer("view.glitter_pixels=16", *LOW_SUN, size=(96, 64))
    view = renderer.settings.view.model_copy(update=changes)
    renderer.apply(renderer.settings.model_copy(update={"view": view}))
    renderer.render(1.0)
    wanted = "far glitter" in [step.name for step in renderer.passes]
    assert wanted == (view.glitter_pixels > 1 and view.samples > 1)
    assert not wanted or not parts_of(renderer)


SCENES = [("view.altitude=40",), ("view.altitude=5", "view.field_of_view=10", "view.pitch=-1", "buoy.show=true")]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene[0])
def test_a_part_is_what_a_picture_of_so_many_pixels_shows_there(make_renderer, monkeypatch, scene):
    """The same mesh in a picture of more pixels, and their means. Half floats are exact to 2^-11, and a few samples lie
    so near to an edge that float32 decides. The rest is the plain picture's, to the bit."""
    size = 80, 60
    scene = (*LOW_SUN, *scene)
    plain = light(make_renderer(*scene, "view.glitter_pixels=1", size=size))
    renderer = make_renderer(*scene, "view.glitter_pixels=16", size=size)
    shown, parts = light(renderer), parts_of(renderer)
    assert parts
    project, scale = camera.projection_matrix, camera.pixels_at_unit_distance
    monkeypatch.setattr(camera, "projection_matrix", lambda view, _, *far: project(view, size[0] / size[1], *far))
    monkeypatch.setattr(camera, "pixels_at_unit_distance", lambda view, _: scale(view, size[1]))
    for rows in {part.rows for part in parts}:
        fine = light(make_renderer(*scene, "view.glitter_pixels=1", size=(COLUMNS * size[0], rows * size[1])))
        expected = fine.reshape(size[1], rows, size[0], COLUMNS, 3).mean(axis=(1, 3))
        for part in (part for part in parts if part.rows == rows):
            there = np.s_[part.bottom : part.bottom + part.height, part.left : part.left + part.width]
            relative = np.abs(shown[there] / expected[there] - 1)
            assert np.median(relative) <= 2.0**-11
            assert relative.mean() <= 2.0**-10
            assert np.abs(plain[there] / expected[there] - 1).mean() > 2.0**-6  # and so it is not anyway
            plain[there] = shown[there]
    assert (plain == shown).all()


def test_a_picture_that_changes_its_size_is_drawn_as_one_made_at_it(make_renderer):
    scene = (*LOW_SUN, "view.altitude=40", "view.glitter_pixels=16")
    renderer = make_renderer(*scene, size=(64, 48))
    renderer.render(3.0)
    renderer.resize((80, 60))
    renderer.render(3.0)
    again = make_renderer(*scene, size=(80, 60))
    again.render(3.0)
    assert (read_picture(renderer) == read_picture(again)).all()


def test_samples_are_in_the_account_of_memory_and_parts_take_none(make_renderer, ctx):
    renderer = make_renderer(*LOW_SUN, "view.altitude=40", "view.glitter_pixels=1", size=(64, 48))
    renderer.render(0.0)
    before = allocations(ctx)
    (samples,) = [one for one in before if one.label == "light samples"]
    assert samples.bytes == 64 * 48 * 4 * 8
    view = renderer.settings.view.model_copy(update={"glitter_pixels": 16})
    renderer.apply(renderer.settings.model_copy(update={"view": view}))
    renderer.render(0.0)
    assert parts_of(renderer)
    assert allocations(ctx) == before
