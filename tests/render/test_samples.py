"""The samples of a picture: their positions, the number of cells of far water, and equal pictures of one sea."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.common.errors import InputError
from ocean.gpu.shaders import UniformBlock
from ocean.light.optics import EARTH_RADIUS
from ocean.render import camera, samples
from ocean.render.samples import (
    CELLS,
    CREST,
    FEW,
    LEAST,
    LONG,
    MAX_STRIPS,
    NEAREST,
    ROWS,
    TILE,
    Strip,
    cell_shape,
    cut_strips,
    lay_out,
    lowest_sky,
)
from ocean.settings import Settings

from .conftest import draw_by_compute, read_light, water_share
from .probe import probed

pytestmark = pytest.mark.usefixtures("coarse_sky")

VIEW = Settings().view
LOW_SUN = ("sea.wind.speed=9", "sky.sun_elevation=12", "sky.sun_azimuth=248", "view.anisotropy=8", "view.samples=4")
FAR = *LOW_SUN, "view.altitude=40", "view.far_pixels=16"


@st.composite
def scenes(draw):
    """Draw a view, the size of its picture, and a significant wave height [m]."""
    view = {
        "altitude": draw(st.sampled_from([0.5, 4.0, 30.0, 150.0, 900.0])),
        "pitch": draw(st.floats(-60, 20)),
        "field_of_view": draw(st.floats(10, 100)),
        "far_pixels": draw(st.sampled_from([1, 4, 8, 16])),
        "samples": draw(st.sampled_from(sorted(CELLS))),
    }
    size = draw(st.integers(1, 90)), draw(st.integers(1, 400))
    return VIEW.model_copy(update=view), size, draw(st.floats(0.05, 15))


@given(scenes(), st.booleans())
def test_strips_lie_apart_within_the_picture(scene, objects):
    view, (width, height), _ = scene
    strips = cut_strips(*scene, objects)
    ends = [end for strip in strips for end in (strip.bottom, strip.top)] or [0]  # no strips in a picture of sky alone
    assert len(strips) <= MAX_STRIPS
    assert ends == sorted(ends)
    assert ends[0] == 0
    assert ends[-1] <= height
    for strip in strips:
        assert strip.bottom < strip.top
        assert strip.columns * strip.rows <= view.far_pixels
        assert {strip.columns, strip.rows} <= {1, 2, 4, 8}
        assert strip.rows <= ROWS
    # Each strip has its own tiles, enough for its samples.
    block = lay_out(strips, view.samples, (width, height))
    tiles = 0
    for strip, laid in zip(strips, block["strips"], strict=False):
        columns, rows = cell_shape(view.samples, strip.rows)
        assert laid["first_tile"] == tiles
        assert laid["tiles_across"] * TILE >= width * strip.columns * columns
        tiles += laid["tiles_across"] * -(-(strip.top - strip.bottom) * strip.rows * rows // TILE)
    assert block["tile_count"] == tiles


@given(scenes())
def test_each_pixel_of_far_water_has_a_cell(scene):
    """The expected rays go through each pixel to the round earth. The test takes the length of footprints in the middle
    of a row, where they are shortest."""
    view, (width, height), _ = scene
    cells = cells_of(cut_strips(*scene, objects=True), height)[:, None]
    rays, middle = rays_of(view, (width, height), 2 * np.arange(0.5, width) / width - 1), rays_of(view, scene[1], [0.0])
    level = math.sqrt(2 * view.altitude / EARTH_RADIUS)

    def distance(down):
        return 2 * view.altitude / (np.maximum(down, level) + np.sqrt(np.maximum(down**2 - level**2, 0)))

    down, steepest = -rays[..., 1], -middle[..., 1] + 1e-9
    times = np.where(steepest >= view.altitude / FEW, 2, 1)  # twice as many where blocks hold few waves
    wanted = (down > level) & (distance(down) > NEAREST)
    most = view.far_pixels if view.samples > 1 else 1
    longest = times / np.maximum(steepest, 1e-9) / cells  # if all cells lay one above the other
    assert (((longest < 2 * LONG) | (cells == most)) | ~wanted).all()
    assert ((longest >= 0.999 * LONG) | (cells <= LEAST)).all()
    assert ((cells >= min(LEAST, most)) | ~wanted).all()


@given(scenes())
def test_rows_without_samples_show_no_water(scene):
    """The eye is over the highest crests, so all water lies below its level. A row is left out only if its lower edge
    lies above the eye's level, and always if its middle lies two pixels above it."""
    view, (_, height), wave_height = scene
    strips = cut_strips(*scene)
    kept, top = cells_of(strips, height) > 0, strips[-1].top if strips else 0
    if view.altitude <= CREST * wave_height:
        assert kept.all()
        return
    assert kept[:top].all()
    edges = rays_of(view, scene[1], [-1.0, 0.0, 1.0], shift=-0.5)[..., 1]
    assert (edges[top:] > 0).all()
    middle = rays_of(view, scene[1], [0.0])[:, 0, 1]
    high = middle > 2 / camera.pixels_at_unit_distance(view, height)
    assert not kept[high].any()


@given(scenes())
def test_rays_of_rows_below_the_lowest_sky_meet_the_lowest_water(scene):
    """The eye is over the highest crests or lifted onto them."""
    view, size, wave_height = scene
    row, crest = lowest_sky(*scene), CREST * wave_height
    eye = EARTH_RADIUS + max(camera.eye_height(view), crest) + crest
    down = -rays_of(view, size, [-1.0, 0.0, 1.0], shift=0.5)[:row, :, 1]
    assert ((down > 0) & (eye * np.sqrt(1 - down**2) < EARTH_RADIUS - crest)).all()


@given(scenes(), st.sampled_from([0.2, 20.0]))
def test_objects_and_eyes_under_water_get_samples_in_all_rows(scene, dive):
    view, (_, height), wave_height = scene
    assert (cells_of(cut_strips(*scene, objects=True), height) > 0).all()
    below = view.model_copy(update={"dive": dive})
    assert cut_strips(below, scene[1], wave_height) == [Strip(0, height, 1, 1)]


@pytest.mark.parametrize("altitude", [2.0, 8.0, 30.0, 150.0, 1000.0, 2000.0])
@pytest.mark.parametrize("pitch", [0.0, -4.0, -25.0])
def test_the_cost_of_far_water_is_bounded_at_any_height(altitude, pitch):
    """The bound counts cells in pixels of the picture. All far rows have LEAST cells a pixel. Rows with n cells have
    sines of depression from 1 / (2 n LONG) to twice that, so each n adds an equal number of cells. Rows with the most
    cells include all lower sines; within FEW metres the number doubles. A row spans the angle of a pixel in the middle
    of the picture, and less elsewhere, because the picture is flat. One more row at the horizon counts, because crests
    may stand before it."""
    size, view = (1600, 900), VIEW.model_copy(update={"altitude": altitude, "pitch": pitch})
    cells = cells_of(cut_strips(view, size, wave_height=2.0), size[1])
    shaded = cells[cells > 1].sum() / size[1]
    steps = math.log2(view.far_pixels / LEAST) + 1
    unit = camera.pixels_at_unit_distance(view, size[1]) / size[1]
    half = math.radians(view.field_of_view / 2)
    turned, beside = math.cos(half) ** 2, math.hypot(1, math.tan(half) * size[0] / size[1])
    far = min(1.0, altitude / NEAREST * beside * unit / turned + 2 / size[1])
    most = min(view.far_pixels * far, LEAST * far + 2 * steps / (2 * LONG) * unit / turned)
    assert 0 < shaded <= most + 2 * view.far_pixels / size[1]


def cells_of(strips, height):
    """Return the number of cells of a pixel in each row, the lowest row first."""
    cells = np.zeros(height, int)
    for strip in strips:
        cells[strip.bottom : strip.top] += strip.columns * strip.rows
    return cells


def rays_of(view, size, x, shift=0.0):
    """Return unit vectors (height, len(x), 3) through the middles of rows, the lowest first, at positions x from -1 to
    1. The vectors are `shift` pixels higher."""
    matrix = camera.view_matrix(view) @ camera.projection_matrix(view, size[0] / size[1], 1e5)
    x, y = np.meshgrid(x, 2 * (np.arange(0.5, size[1]) + shift) / size[1] - 1)
    points = np.stack([x, y, np.full_like(x, 0.5), np.ones_like(x)], axis=-1) @ np.linalg.inv(matrix)
    rays = points[..., :3] / points[..., 3:] - (0.0, view.altitude, 0.0)
    return rays / np.linalg.norm(rays, axis=-1, keepdims=True)


PLACES = """
    Strip strip = strips[int(given[i].z)];
    sink[i] = vec4(sample_point(strip, ivec2(given[i].xy)), float(sample_at(strip, ivec2(given[i].xy))), 0.0);
"""


@pytest.mark.parametrize("count", sorted(CELLS))
def test_samples_of_a_pixel_spread_over_columns_and_rows(ctx, count):
    """Each sample has its own part of the pixel and its own position in memory. In a pixel with more than two rows of
    samples, rows are straight."""
    size = 7, 12
    shapes = (1, 1), (1, 2), (1, 4), (1, 8), (2, 8), (2, 2)
    strips = [Strip(2 * i, 2 * i + 2, *shape) for i, shape in enumerate(shapes)]
    block = lay_out(strips, count, size)
    uniform = UniformBlock(ctx, "samples", samples.Block.SAMPLES, block.dtype)
    uniform.write(block.tobytes())
    uniform.bind()
    kept = []
    for number, strip in enumerate(strips):
        shape = cell_shape(count, strip.rows)
        columns, rows = strip.columns * shape[0], strip.rows * shape[1]
        x, y = np.meshgrid(np.arange(size[0] * columns), np.arange(2 * rows))
        given_ = np.stack([x, y, np.full_like(x, number), 0 * x], axis=-1).reshape(-1, 1, 4).astype("f4")
        found = probed(ctx, ("surface/samples.glsl",), PLACES, given_, 1, (), f"#define MAX_STRIPS {MAX_STRIPS}")[:, 0]
        points, part = found[:, :2] - (0, strip.bottom), given_[:, 0, :2].astype("f8")
        np.testing.assert_array_equal(np.floor(points * (columns, rows)), part)
        pixels = (part // (columns, rows)).astype(int)
        for axis in (0, 1):
            lines = rows if axis == 1 and rows > 2 else columns * rows  # in a pixel
            fine = np.floor(points[:, axis] * lines).astype(int)
            other = pixels[:, 1 - axis]
            of_lines = np.unique(np.stack([fine, other]), axis=1, return_counts=True)[1]
            assert (of_lines == columns * rows // lines).all()
        kept.extend(found[:, 2].astype(int).tolist())
    uniform.buffer.release()
    assert len(set(kept)) == len(kept)
    assert max(kept) < int(block["tile_count"]) * TILE * TILE


# -- Pictures --------------------------------------------------------------------------------------------------------


def light(renderer, time=3.0):
    """Return the light of a frame, the lowest row first."""
    renderer.render(time)
    return read_light(renderer)[::-1]


def test_cells_are_multiplied_only_for_far_water(make_renderer):
    """Pixels have one cell if the setting says so, with one sample a pixel, above the horizon, and straight below."""
    renderer = make_renderer("view.far_pixels=16", *LOW_SUN, size=(48, 32))
    far, strips = renderer.settings, []
    for changes in ({}, {"far_pixels": 1}, {"samples": 1}, {"pitch": 60.0}, {"pitch": -85.0}):
        renderer.apply(far.model_copy(update={"view": far.view.model_copy(update=changes)}))
        renderer.render(1.0)
        strips.append(any((strip.rows, strip.columns) != (1, 1) for strip in renderer.surface.samples.strips))
    assert strips == [True, False, False, False, False]


SCENES = [("view.altitude=40",), ("view.altitude=5", "view.field_of_view=10", "view.pitch=-1", "buoy.show=true")]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene[0])
def test_cells_agree_with_a_picture_of_more_pixels(make_renderer, monkeypatch, scene):
    """The reference has means over the pixels of a larger picture of the same mesh. The brightness of strips agrees to
    0.5 %, and the mean error of pixels is at most three quarters of the error of a plain picture; it is not 0, because
    samples lie at other positions. Outside of strips the picture equals the plain picture to the bit."""
    size = 80, 60
    scene = (*LOW_SUN, *scene)
    plain = light(make_renderer(*scene, "view.far_pixels=1", size=size))
    renderer = make_renderer(*scene, "view.far_pixels=16", size=size)
    shown, strips = light(renderer), renderer.surface.samples.strips
    far = [strip for strip in strips if strip.rows > 1]
    assert far
    monkeypatch.setitem(CELLS, 4, cell_shape(4, 2))
    project, scale = camera.projection_matrix, camera.pixels_at_unit_distance
    monkeypatch.setattr(camera, "projection_matrix", lambda view, _, *far: project(view, size[0] / size[1], *far))
    monkeypatch.setattr(camera, "pixels_at_unit_distance", lambda view, _: scale(view, size[1]))
    off, plain_off = [], []
    for columns, rows in {(strip.columns, strip.rows) for strip in far}:
        fine = light(make_renderer(*scene, "view.far_pixels=1", size=(columns * size[0], rows * size[1])))
        expected = fine.reshape(size[1], rows, size[0], columns, 3).mean(axis=(1, 3))
        for strip in (strip for strip in far if (strip.columns, strip.rows) == (columns, rows)):
            there = np.s_[strip.bottom : strip.top]
            off.append(np.abs(shown[there] / expected[there] - 1).ravel())
            plain_off.append(np.abs(plain[there] / expected[there] - 1).ravel())
            assert shown[there].mean() == pytest.approx(expected[there].mean(), rel=0.005)
            plain[there] = shown[there]
    assert np.concatenate(off).mean() < 0.75 * np.concatenate(plain_off).mean()
    assert (plain == shown).all()


EDGES = "view.altitude=1", "view.field_of_view=20", "view.pitch=-1", "sea.wind.speed=18"
FLOATS = "buoy.show=true", "buoy.x=-14", "buoy.z=8"
MULTISAMPLES = (2, 0), (7, 2), (0, 5), (5, 7)  # of 8 x 8 parts of a pixel: rooks, turned as in hardware's 4 x pattern


@pytest.mark.parametrize("objects", [(), FLOATS], ids=["crests", "crests and buoy"])
def test_silhouettes_are_as_smooth_as_with_multisampling(make_renderer, monkeypatch, objects):
    """The reference for the cover of crests and buoy before the sky has 64 samples. The error is at most that of the
    hardware's four samples; one sample has twice that error."""
    size, times = (64, 36), 8
    draw_by_compute(monkeypatch)

    def cover(count, scale):
        detail = f"view.samples={count}", f"view.edge_pixels={4 * scale}", "view.anisotropy=1"
        picture = size[0] * scale, size[1] * scale
        return water_share(make_renderer(*EDGES, *objects, *detail, size=picture), 10.0)

    parts = cover(1, times).reshape(size[1], times, size[0], times).transpose(0, 2, 1, 3)
    expected = parts.mean(axis=(2, 3))
    edges = (expected > 0) & (expected < 1)
    assert edges.sum() > 50
    by_hardware = np.mean([parts[..., y, x] for x, y in MULTISAMPLES], axis=0)
    error, most, one = (
        np.sqrt(np.mean((shown - expected)[edges] ** 2)) for shown in (cover(4, 1), by_hardware, cover(1, 1))
    )
    assert error < most
    assert one > 2 * error


def test_rows_without_samples_look_like_rows_with_samples(make_renderer, monkeypatch):
    pictures, tops = [], []
    for crest in (CREST, np.inf):
        monkeypatch.setattr(samples, "CREST", crest)
        renderer = make_renderer(*FAR, "view.pitch=5", "sky.clouds=0.4", size=(64, 48))
        pictures.append(light(renderer))
        tops.append(renderer.surface.samples.top)
    np.testing.assert_array_equal(*pictures)
    assert tops[0] < tops[1] == 48


@pytest.mark.parametrize("overrides", [FAR, ("sea.wind.speed=14", "buoy.show=true")], ids=["far", "one sample"])
def test_frames_are_equal_bit_for_bit(make_renderer, monkeypatch, overrides):
    """The picture does not depend on the order of triangles and samples, or on earlier frames and their size."""
    draw_by_compute(monkeypatch)
    renderer = make_renderer(*overrides, "foam.amount=0", size=(80, 60))
    first = light(renderer)
    renderer.resize((64, 48))
    light(renderer, 7.0)
    renderer.resize((80, 60))
    np.testing.assert_array_equal(light(renderer), first)
    np.testing.assert_array_equal(light(make_renderer(*overrides, "foam.amount=0", size=(80, 60))), first)


def test_tiles_are_shaded_in_as_many_chunks_as_they_need(make_renderer, monkeypatch):
    """Chunks bound the memory and do not change the picture."""
    whole = make_renderer(*FAR, size=(64, 48))
    expected = light(whole)
    assert len(list(whole.surface.samples.chunks)) == 1
    monkeypatch.setattr(samples, "CHUNK", 10)
    renderer = make_renderer(*FAR, size=(64, 48))
    np.testing.assert_array_equal(light(renderer), expected)
    chunks = list(renderer.surface.samples.chunks)
    assert len(chunks) > 3
    assert chunks[-1][1] == renderer.surface.samples.tiles


def test_pixels_have_fewer_cells_and_then_fewer_samples_if_memory_is_short(make_renderer):
    """If no buffer of the GPU holds one sample a pixel, an error says so."""

    def drawn(scene, most=None):
        renderer = make_renderer(*scene, size=(64, 48))
        if most is not None:
            renderer.surface.samples.most_tiles = most
        return light(renderer).mean(), renderer.surface.samples

    expected, whole = drawn(FAR)
    found, fewer = drawn(FAR, whole.tiles - 1)
    assert found == pytest.approx(expected, rel=0.02)
    most, left = (max(strip.rows * strip.columns for strip in one.strips) for one in (whole, fewer))
    assert 1 < left < most
    near = *LOW_SUN, "view.pitch=-30"
    expected, whole = drawn(near)
    found, fewer = drawn(near, whole.tiles // 2)
    assert found == pytest.approx(expected, rel=0.05)
    assert (whole.of_cell, fewer.of_cell) == (4, 2)
    with pytest.raises(InputError, match="64 x 48"):
        drawn(LOW_SUN, 1)
