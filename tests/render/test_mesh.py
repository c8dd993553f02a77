"""The mesh: without holes, fixed in the world, and as fine as the picture needs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.common.resources import config
from ocean.gpu.context import is_software
from ocean.light.optics import EARTH_RADIUS
from ocean.render import camera
from ocean.render.mesh import MORPH_BEGINS, MOST_SQUARES, make_levels
from ocean.settings import load_settings, with_values
from ocean.window.camera import move

from ..marks import slow
from .conftest import read_light, water_share
from .meshes import StillMap, triangles

pytestmark = pytest.mark.usefixtures("coarse_sky")

SIZE = (160, 90)


def random_view(rng):
    """Return a random view: grazing or steep, from the water to 2 km, near the world's origin or far from it."""
    return {
        "view.altitude": float(np.exp(rng.uniform(np.log(0.5), np.log(2000)))),
        "view.heading": float(rng.uniform(0, 360)),
        "view.pitch": float(rng.choice([rng.uniform(-89, 10), rng.uniform(-8, 4)])),
        "view.field_of_view": float(rng.uniform(20, 90)),
        "view.x": float(rng.uniform(-1, 1) * 10 ** rng.uniform(0, 6)),
        "view.z": float(rng.uniform(-1, 1) * 10 ** rng.uniform(0, 6)),
    }


def to_pixels(view, places, size=SIZE):
    """Return where world positions (..., 3) appear, in pixels from the middle (..., 2); nan outside of the picture."""
    relative = np.subtract(places, (view.x, 0.0, view.z))
    matrix = camera.view_matrix(view) @ camera.projection_matrix(view, size[0] / size[1], 1e6)
    clip = np.concatenate([relative, np.ones((*relative.shape[:-1], 1))], axis=-1) @ matrix
    with np.errstate(invalid="ignore", divide="ignore"):
        found = clip[..., :2] / clip[..., 3:] * np.divide(size, 2)
        seen = (clip[..., 3] > 0) & (np.abs(found) <= np.divide(size, 2)).all(axis=-1)
    return np.where(seen[..., None], found, np.nan)


def places_ahead(still_map, view, altitude):
    """Return maps of the mesh over squares ahead, from the camera's feet to 200 altitudes. A square is half as wide as
    it is far away."""
    x, z = camera.direction(view)[[0, 2]] / np.hypot(*camera.direction(view)[[0, 2]])
    return [
        still_map.read(view.x + distance * x, view.z + distance * z, distance / 4)
        for distance in altitude * np.array([1.5, 3, 6, 12, 24, 48, 96, 200])
    ]


def pixel_differences(view, one, other, size=SIZE):
    """Return the distance [px] between the positions of equal water points in two lists of maps, where both maps show
    the point."""
    pairs = zip(one, other, strict=True)
    apart = [np.linalg.norm(to_pixels(view, a, size) - to_pixels(view, b, size), axis=-1).ravel() for a, b in pairs]
    apart = np.concatenate(apart)
    return apart[~np.isnan(apart)]


@pytest.mark.parametrize("pose", [("view.field_of_view=100", "view.altitude=2000"), ("view.altitude=300",)])
def test_a_picture_of_one_row_with_long_edges_is_drawn(make_renderer, pose):
    """It asks for cells of thousands of kilometres, of which the mesh has none."""
    renderer = make_renderer("view.edge_pixels=40", *pose, size=(8, 1))
    renderer.render(0.0)
    assert np.isfinite(read_light(renderer)).all()


@given(
    st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)),
    st.floats(0.5, 2000),
    st.floats(1e-5, 2.0),
    st.floats(0, 1),
)
def test_levels_fit_into_each_other(position, altitude, edge, steepness):
    horizon = 1.2 * math.sqrt(2 * EARTH_RADIUS * altitude)
    block = make_levels(position, altitude, horizon, edge, lambda cells: steepness * 0.03 * cells)
    count, levels = int(block["level_count"]), block["levels"].astype(block["levels"].dtype)
    assert 1 <= count < len(levels) - 1
    assert int(block["window"]) ** 2 <= MOST_SQUARES
    own, parent = levels[:count], levels[1 : count + 1]
    # Where a level ends, the vertices of the next level do not move yet, up to a whole square further out.
    assert (own["range"] + math.sqrt(2) * parent["side"] <= MORPH_BEGINS * parent["range"] * 1.0001).all()
    assert altitude >= levels["range"][0] / 2
    assert levels["range"][count - 1] * MORPH_BEGINS >= horizon * 0.9999
    # Lattices are nested: each vertex of the coarser lattice is a vertex of the finer one.
    assert (own["ratio"] >= 1).all()
    assert (own["cell"] * own["ratio"] == parent["cell"]).all()
    assert (own["cells"] * own["cell"] == own["side"]).all()
    assert (np.exp2(own["log_cell"]) == own["cell"]).all()
    # Windows lie around the camera, reach as far as squares are wanted, and have corners on the world's lattice.
    width = int(block["window"]) * own["side"]
    reach = np.minimum(own["range"], horizon)[:, None]
    assert (own["corner"] <= -reach).all()
    assert (own["corner"] + width[:, None] >= reach).all()
    first = (own["corner"].astype("f8") + position) / (2.0 * own["side"][:, None])
    assert np.abs(first - np.round(first)).max() < 1e-6 * int(block["window"]) + 1e-16 * 1e6 / own["side"].min()
    of_parent = (parent["corner"] + own["shift"] * parent["side"][:, None]).astype("f8")
    assert np.abs(of_parent - own["corner"]).max() <= 1e-6 * width.max()


def test_triangles_meet_edge_to_edge_in_the_same_bits(make_renderer):
    """Every edge inside the view belongs to two triangles, bit for bit after the vertex shader, so that there are no
    cracks and no T-junctions."""
    rng = np.random.default_rng(8)
    renderer = make_renderer("view.edge_pixels=10", "sea.wind.speed=14", size=SIZE)
    for _ in range(6):
        renderer.apply(with_values(renderer.settings, random_view(rng)))
        renderer.render(3.0)
        still, relative = triangles(renderer)
        bits = np.ascontiguousarray(np.concatenate([still, relative], axis=-1)).view(np.dtype((np.void, 20)))[..., 0]
        _, names = np.unique(bits, return_inverse=True)
        names = names.reshape(bits.shape)
        _, places = np.unique(np.ascontiguousarray(still).view(np.dtype((np.void, 8)))[..., 0], return_inverse=True)
        # One position on still water has one displacement.
        assert len(np.unique(names)) == len(np.unique(places))
        # Each edge inside the view is passed as often in one direction as in the other: the mesh has no boundary there.
        edges = np.stack([names, np.roll(names, -1, axis=1)], axis=-1).reshape(-1, 2)
        ends = np.stack([relative, np.roll(relative, -1, axis=1)], axis=2).reshape(-1, 2, 3).astype("f8")
        _, first, which = np.unique(np.sort(edges, axis=1), axis=0, return_index=True, return_inverse=True)
        direction = np.sign(edges[:, 1] - edges[:, 0])
        alone = ends[first[np.bincount(which.ravel(), direction) != 0]]
        view_projection = np.frombuffer(renderer.camera_block.read(64), "f4").reshape(4, 4).astype("f8")
        clip = np.concatenate([alone, np.ones((*alone.shape[:2], 1))], axis=-1) @ view_projection
        outside = [(clip[..., axis] * sign > clip[..., 3]).all(axis=1) for axis in (0, 1) for sign in (-1, 1)]
        horizon = renderer.surface.horizon(renderer.settings.view)
        beyond = (np.hypot(alone[..., 0], alone[..., 2]) >= 0.99 * horizon).all(axis=1)
        assert (np.any(outside, axis=0) | beyond).all(), renderer.settings.view
        # The mesh lies on still water in one layer, face up.
        (east, south), (east2, south2) = np.moveaxis(still[:, 1:].astype("f8") - still[:, :1], 0, -1).swapaxes(0, 1)
        areas = east2 * south - east * south2
        # Slivers may turn over only where more than two cells become one at once, as on flat water.
        assert -areas[areas < 0].sum() < 1e-3 * areas.sum()


POSES = [
    {"view.altitude": 8.0, "view.pitch": -4.0},
    {"view.altitude": 1.0, "view.pitch": -10.0},
    {"view.altitude": 60.0, "view.pitch": -20.0},
    {"view.altitude": 25.0, "view.pitch": -10.0, "sea.wind.speed": 30.0},
    {"view.altitude": 700.0, "view.pitch": -40.0, "sea.wind.speed": 25.0},
]
STEEP = [  # poses with the largest errors of the mesh
    {"view.altitude": 3.0, "view.pitch": -8.0, "sea.wind.speed": 18.0},
    slow({"view.altitude": 5.0, "view.pitch": -2.0, "sea.wind.speed": 12.0, "view.field_of_view": 15.0}),
]


@pytest.mark.parametrize("edge", [2, 5])
def test_the_vertices_of_all_that_is_drawn_are_kept(make_renderer, edge):
    """Others are shaded without their rollers, and which they are depends on the order of work groups."""
    renderer = make_renderer("view.samples=2", f"view.edge_pixels={edge}", "sea.wind.speed=40", size=SIZE)
    narrow = (
        {"view.altitude": high, "view.pitch": pitch, "view.field_of_view": 10.0} for high, pitch in ((2, 0), (6, -5))
    )
    rng = np.random.default_rng()
    for view in (*narrow, *(random_view(rng) for _ in range(10))):
        renderer.apply(with_values(renderer.settings, view))
        renderer.render(1.0)
        wanted, fit = renderer.surface.mesh.count_kept()
        assert wanted <= fit, view


@pytest.fixture
def still_map(releasing, make_renderer):
    def make(pose, size=SIZE):
        edge = load_settings(config("software")).view.edge_pixels  # the longest of all levels
        renderer = make_renderer("fft.size=128", f"view.edge_pixels={edge}", size=size)
        renderer.apply(with_values(renderer.settings, pose))
        renderer.render(20.0)
        return renderer, releasing(StillMap(renderer, 96))

    return make


@pytest.mark.parametrize("size", [SIZE, slow((640, 360))])
@pytest.mark.parametrize("pose", [*map(slow, POSES), *STEEP], ids=lambda pose: f"{pose['view.altitude']:.0f} m")
def test_a_mesh_16_times_as_fine_differs_by_less_than_a_pixel(make_renderer, still_map, pose, size):
    """99 % of the water points, and the silhouette in 99 % of the columns, differ by less than a pixel."""
    renderer, there = still_map(pose, size)
    settings = renderer.settings
    view = settings.view
    drawn, edge = places_ahead(there, view, view.altitude), horizon_rows(renderer)
    fine = settings.model_copy(update={"view": view.model_copy(update={"edge_pixels": view.edge_pixels / 16})})
    renderer.apply(fine)
    renderer.render(20.0)
    apart = pixel_differences(view, drawn, places_ahead(there, view, view.altitude), size)
    assert len(apart) > 4000
    assert apart.max() > 1e-3
    assert np.quantile(apart, 0.99) < 1
    assert np.mean(np.abs(horizon_rows(renderer) - edge) <= 1) > 0.99


def horizon_rows(renderer):
    """Return the number of pixels that the sea covers in each column."""
    return water_share(renderer, 20.0).sum(axis=0)


@pytest.mark.parametrize("pose", [POSES[1], *map(slow, POSES[2:])], ids=lambda pose: f"{pose['view.altitude']:.0f} m")
def test_the_surface_stays_still_while_the_camera_slides(still_map, pose):
    """The camera that the mesh follows slides by fractions of a cell, and a fixed camera looks on: 99.9 % of the world
    points stay within a quarter of a pixel. A slide of a hundredth of the length moves them by a hundredth, with and
    without changes of level."""
    renderer, there = still_map(pose)
    settings = renderer.settings
    view = settings.view
    before = places_ahead(there, view, view.altitude)
    cell = view.altitude * view.edge_pixels / camera.pixels_at_unit_distance(view, renderer.size[1])
    most = {}
    for share in (0.0078, 0.29, 0.78):
        moved = move(view, 0.8 * share * cell, 0.4 * share * cell, 0.1 * share * cell)
        renderer.apply(settings.model_copy(update={"view": moved}))
        renderer.render(20.0)
        apart = pixel_differences(view, before, places_ahead(there, view, view.altitude))
        assert np.quantile(apart, 0.999) < 0.25, share
        most[share] = apart.max()
    # float32 positions at 200 altitudes are exact to 1e-7 of that distance, at most 1e-3 px.
    rounding = texture_error(renderer) / view.altitude * camera.pixels_at_unit_distance(view, renderer.size[1])
    assert most[0.0078] < 0.03 * most[0.78] + 2e-3 + rounding


def texture_error(renderer):
    """Return the largest error [m] of the distance between two positions, from the GPU's interpolation of textures. It
    has 8 bits, so the error is half of the last bit along both axes, for three components and for copies whose weights
    add up to at most sqrt(3)."""
    if is_software(renderer.ctx):
        return 0.0  # llvmpipe interpolates float maps in float32
    fields = renderer.sea.fields()
    steps = [np.abs(np.diff(fields[name], axis=axis)).max() for name in ("height", "dx", "dz") for axis in (1, 2)]
    return 2 * 3 * 2**-8 * max(steps)


@pytest.mark.parametrize(
    ("speed", "lowest", "steps"),
    [(10, 20.0, 20), slow(10, 28.0, 210), slow(25, 20.0, 280), slow(2, 0.5, 140), slow(25, 1000.0, 139)],
)
def test_levels_of_the_mesh_change_without_a_step(still_map, speed, lowest, steps):
    """The camera rises by half a per cent at a time, and its height doubles, at low, high and middle heights, so that
    each level of the mesh turns into the next. No step moves a world point by more than the step's share of the
    distance between both meshes."""
    renderer, there = still_map({"view.altitude": lowest, "view.pitch": -25.0, "sea.wind.speed": speed})
    settings = renderer.settings
    last, most = places_ahead(there, settings.view, lowest), []
    for altitude in lowest * 1.005 ** np.arange(1, steps + 1):
        view = settings.view.model_copy(update={"altitude": float(altitude)})
        renderer.apply(settings.model_copy(update={"view": view}))
        renderer.render(20.0)
        here = places_ahead(there, view, lowest)
        most.append(pixel_differences(view, last, here).max())
        last = here
    assert max(most) < 0.1
    assert max(most) > 1e-4  # from 2 km waves are small
