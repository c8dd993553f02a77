"""Enlarged, narrowed and paired debug views: the shown elements, the places of pixels, and the histogram."""

import numpy as np
import pytest

from ocean.render.debug_drawing import BINS
from ocean.waves.fields import FIELDS

from .colours import coloured
from .conftest import debug_values, rays, read_picture
from .test_debug_views import SEA, show

pytestmark = pytest.mark.usefixtures("coarse_sky")


@pytest.mark.parametrize(("zoom", "x", "z", "corner"), [(4, 0.5, 0.25, (24, 8)), (8, 0.0, 1.0, (0, 56))])
def test_an_enlarged_map_shows_its_elements_and_names_them(make_renderer, zoom, x, z, corner):
    renderer = make_renderer(*SEA, size=(64, 64))
    values = show(renderer, view="field", field="height", zoom=zoom, x=x, z=z)[..., 0]
    exact = renderer.sea.fields()["height"][0]
    side = 64 // zoom
    part = exact[corner[1] : corner[1] + side, corner[0] : corner[0] + side]
    np.testing.assert_array_equal(values, part.repeat(zoom, 0).repeat(zoom, 1))
    tile, (column, row) = renderer.sea.tiles[0], corner
    east, south = tile.to_world(tile.side * column / 64, tile.side * row / 64)
    place = renderer.debug.place(renderer.scene, 0, 63)
    assert place == f"texel {column}, {row}: {east:.2f}, {south:.2f} m east, south"


def test_a_wave_is_named_by_length_and_direction(make_renderer):
    renderer = make_renderer(*SEA, size=(64, 64))
    show(renderer, view="amplitudes")
    square, tile = renderer.debug.square(renderer.scene), renderer.sea.tiles[0]
    middle = square.span / 2
    x = round(square.corner[0] + (middle + 3.5) * square.side / square.span - 0.5)
    y = round(square.corner[1] + square.side - (middle + 0.5) * square.side / square.span - 0.5)
    east, south = tile.to_world(3 * tile.dk, 0.0)
    towards = np.degrees(np.arctan2(east, -south)) % 360
    expected = f"wave 3, 0: {tile.side / 3:.3g} m long, towards {towards:.0f}°"
    assert renderer.debug.place(renderer.scene, x, y) == expected


def test_the_place_on_the_water_is_where_the_ray_meets_it(make_renderer):
    renderer = make_renderer("view.x=40", "view.z=-7", "view.pitch=-30", "view.heading=70", size=(64, 48))
    show(renderer, view="jacobian")
    ray = rays(renderer.settings.view, renderer.size)[47 - 5, 50]
    t = renderer.settings.view.altitude / -ray[1]
    x, z = 40 + t * ray[0], -7 + t * ray[2]
    assert renderer.debug.place(renderer.scene, 50, 5) == f"still water at {x:.1f}, {z:.1f} m"


@pytest.mark.parametrize("name", ["spectrum", "displacement", "field"])
def test_the_histogram_counts_the_values(make_renderer, name):
    renderer = make_renderer(*SEA, size=(96, 64))
    renderer.debug.counts_values = True
    low, high = 0.0, 1.0
    show(renderer, view=name)
    low, high = renderer.debug.range(renderer.scene)
    for _ in range(2):
        values = show(renderer, view=name, low=0.2, high=0.9)
        renderer.ctx.finish()
    shown = values[values[..., 3] > 0]
    is_wave = name == "spectrum"
    for part in range(1 if is_wave else {"displacement": 3, "field": 1}[name]):
        v = shown[:, part]
        t = np.log(np.maximum(v, 1e-30) / low) / np.log(high / low) if is_wave else (v - low) / (high - low)
        expected = np.histogram(np.clip(t, 0, 0.9999), BINS, (0, 1))[0]
        assert np.abs(renderer.debug.histogram[part] - expected.astype(float)).sum() <= 0.01 * len(v)  # rounding
    renderer.debug.counts_values = False


def test_handles_narrow_the_colours_and_a_channel_is_shown_alone(make_renderer):
    renderer = make_renderer(*SEA, size=(240, 160))
    show(renderer, view="displacement")
    low, high = renderer.debug.range(renderer.scene)
    values = show(renderer, view="displacement", low=0.25, high=0.5, channel=2)
    narrowed = renderer.debug.range(renderer.scene)
    assert narrowed == pytest.approx((low + 0.25 * (high - low), low + 0.5 * (high - low)))
    there = values[:30, :, 3] > 0
    up = np.repeat(values[:30, :, 1:2], 3, -1)
    expected = 255 * coloured("axes", up, *narrowed)
    np.testing.assert_allclose(read_picture(renderer)[:30][there], expected[there], atol=1)


def test_two_views_stand_side_by_side(make_renderer):
    """The left half has the map, the right half the middle of the view from the camera, each in its own colours."""
    renderer = make_renderer(*SEA, "view.pitch=-40", size=(480, 160))
    show(renderer, view="jacobian")
    alone, (low, high) = debug_values(renderer).copy(), renderer.debug.range(renderer.scene)
    show(renderer, view="field", field=FIELDS[0], beside="jacobian")
    picture = read_picture(renderer).astype(float)
    middle = alone[:24, 120:360]
    there = middle[..., 3] > 0
    assert there.mean() > 0.3
    near = np.abs(picture[:24, 240:] - 255 * coloured("signed", middle[..., :3], low, high))[there].max(-1) <= 6
    assert near.mean() > 0.99
    left = debug_values(renderer)[..., :3]
    square = renderer.debug.square(renderer.scene)
    assert square.corner[0] + square.side <= 240
    top = 255 * coloured("signed", left[:8], *renderer.debug.range(renderer.scene))
    columns = slice(square.corner[0], square.corner[0] + square.side)
    assert (np.abs(picture[:8, columns] - top[:, columns]).max(-1) <= 6).mean() > 0.99
    assert renderer.ctx.error == "GL_NO_ERROR"
