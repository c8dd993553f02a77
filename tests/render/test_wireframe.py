"""The view of the mesh shows the triangles of the vertex shader."""

import numpy as np
import pytest

from .meshes import triangles
from .test_debug_views import show

pytestmark = pytest.mark.usefixtures("coarse_sky")


def drawn_triangles(renderer):
    """Return corners in pixels (n, 3, 2) of the triangles ahead of the eye, by transform feedback, without triangles of
    no area."""
    _, places = triangles(renderer)
    view_projection = np.frombuffer(renderer.camera_block.read(64), "f4").reshape(4, 4).astype("f8")
    clip = np.concatenate([places.astype("f8"), np.ones((*places.shape[:2], 1))], axis=-1) @ view_projection
    clip = clip[(clip[..., 3] > 0).all(axis=1)]
    corners = (clip[..., :2] / clip[..., 3:] / 2 + 0.5) * renderer.size
    edges = np.roll(corners, -1, axis=1) - corners
    return corners[(np.linalg.norm(edges, axis=-1) > 0).all(axis=1)]  # without those whose vertices have met


def distances(corners, x, y):
    """Return the distances [px] of the middle of a pixel from the edges of triangles. All three are positive inside of
    a triangle that faces the eye, and negative inside of one that faces away."""
    edges, to_pixel = np.roll(corners, -1, axis=1) - corners, (x + 0.5, y + 0.5) - corners
    sides = edges[..., 0] * to_pixel[..., 1] - edges[..., 1] * to_pixel[..., 0]
    return sides / np.linalg.norm(edges, axis=-1)


@pytest.mark.parametrize("pose", [("view.altitude=3", "view.pitch=-20"), ("view.altitude=300", "view.pitch=-30")])
def test_the_wireframe_shows_the_triangle_under_each_pixel(make_renderer, rng, pose):
    """The view shows the longest edge of the triangle around the middle of a pixel, and a line along its edges. They
    agree with transform feedback to a thousandth."""
    renderer = make_renderer("sea.wind.speed=9", "view.edge_pixels=20", *pose)
    values = show(renderer, view="wireframe")[::-1]
    height, width = values.shape[:2]
    corners = drawn_triangles(renderer)
    compared = 0
    for x, y in zip(rng.integers(0, width, 300), rng.integers(0, height, 300), strict=True):
        if values[y, x, 3] == 0:
            continue
        sides = distances(corners, x, y)
        around = np.flatnonzero((sides > -0.01).all(axis=1) | (sides < 0.01).all(axis=1))
        if len(around) != 1 or np.abs(sides[around[0]]).min() < 0.01:  # on an edge, or one wave hides another
            continue
        longest = np.linalg.norm(corners[around[0]] - np.roll(corners[around[0]], 1, axis=0), axis=-1).max()
        np.testing.assert_allclose(values[y, x, 0], longest, rtol=1e-3)
        line = np.clip(1 - np.abs(sides[around[0]]).min(), 0, 1)
        np.testing.assert_allclose(values[y, x, 2], line, atol=2e-3)
        compared += 1
    assert compared > 50
    cells = np.log2(values[values[..., 3] > 0][:, 1])
    assert (cells % 1 == 0).all()


@pytest.mark.parametrize("pose", [("view.altitude=1.5", "view.pitch=-2"), ("view.altitude=5", "view.pitch=-1")])
def test_overdraw_counts_the_triangles_over_the_middle_of_a_pixel(make_renderer, rng, pose):
    """Triangles that face the eye count, hidden or not. The test skips pixels whose middle lies near an edge, because
    corners are rounded to a thousandth of a pixel."""
    renderer = make_renderer("sea.wind.speed=16", "view.edge_pixels=20", *pose)
    found = show(renderer, view="overdraw")[::-1]
    height, width = found.shape[:2]
    corners, counts = drawn_triangles(renderer), []
    crowded = rng.permutation(np.argwhere(found[..., 0] > 1))[:40]
    anywhere = np.stack([rng.integers(0, height, 400), rng.integers(0, width, 400)], -1)
    for y, x in (*crowded, *anywhere):
        sides = distances(corners, x, y).min(axis=1)
        if np.abs(sides).min() < 0.005:
            continue
        counts.append((sides > 0).sum())
        assert found[y, x, 0] == counts[-1]
        assert (found[y, x, 3] > 0) == (counts[-1] > 0)
    assert len(counts) > 200
    assert {0, 1} < set(counts)
