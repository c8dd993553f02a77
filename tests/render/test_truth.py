"""Ground truth of pictures, against the sea's answers, the next frame and the picture itself."""

import json
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from scipy.ndimage import map_coordinates

from ocean import load_settings, render_picture, with_values
from ocean.export.plan import Plan
from ocean.export.run import export
from ocean.light.optics import EARTH_RADIUS
from ocean.render.truth import LAYERS, OBJECTS
from ocean.settings.files import resolve

from .conftest import make_once, make_tables_coarse

SIZE, FPS = (96, 54), 24.0
SETTINGS = load_settings(
    overrides=[
        *("fft.size=256", "foam.resolution=64", "foam.decay=0.5", "foam.spray=0", "sea.wind.speed=9", "sky.clouds=0"),
        *(
            "view.altitude=3",
            "view.pitch=-25",
            "view.heading=0",
            "view.x=40",
            "view.z=-30",
            "view.samples=2",
            "view.edge_pixels=1",
        ),
        *("buoy.show=true", "buoy.x=40", "buoy.z=-35", f"capture.width={SIZE[0]}", f"capture.height={SIZE[1]}"),
    ]
)


@pytest.fixture(autouse=True)
def coarse_shadows():
    """Leave the tables to `quick`: the module's pictures are made before this fixture, which belongs to one test."""


@pytest.fixture(scope="module", autouse=True)
def quick():
    """Give the sky of all pictures coarse tables, make its scattered light once, and let foam forget soon."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Plan, "foam_memory", 7)
        make_tables_coarse(patch)
        make_once(patch)
        yield


@pytest.fixture(scope="module")
def frames(context, tmp_path_factory):
    """Return the folder of two exported frames with all layers."""
    folder = tmp_path_factory.mktemp("truth")
    plan = Plan(resolve(SETTINGS), 2, "png", start=3.0, fps=FPS, layers=tuple(LAYERS))
    assert export(plan, folder) == 0
    context.__enter__()
    return folder, plan


@pytest.fixture(scope="module")
def drawn(context):
    return render_picture(SETTINGS, 3.0, SIZE, context, layers=tuple(LAYERS))


def pixels(camera, world):
    """Return positions in the picture [pixels] and the depth [m] of world positions, by the matrices of the sidecar."""
    seen = world @ np.array(camera["world_to_camera"])[:3, :3].T + np.array(camera["world_to_camera"])[:3, 3]
    projected = seen @ np.array(camera["intrinsics"]).T
    return projected[..., :2] / projected[..., 2:], seen[..., 2]


def centres():
    return np.stack(np.meshgrid(np.arange(SIZE[0]) + 0.5, np.arange(SIZE[1]) + 0.5), -1)


def test_positions_and_depths_lie_on_the_rays_of_their_pixels(drawn):
    layers, camera = drawn.layers, drawn.camera
    shown = layers["object"] > 0
    found, depth = pixels(camera, layers["position"].astype("f8")[shown])
    np.testing.assert_allclose(found, centres()[shown], atol=0.02)  # corners lie on a grid of 1/1024 pixel
    np.testing.assert_allclose(depth, layers["depth"][shown], rtol=1e-5)
    assert np.isposinf(layers["depth"][~shown]).all()
    assert np.isnan(layers["position"][~shown]).all()


def test_water_agrees_with_the_sea(drawn, make_sea):
    """Heights agree within the error of the drawn mesh and its linear filter; normals and velocities agree, too."""
    layers = drawn.layers
    near = (layers["object"] == OBJECTS["sea"]) & (layers["depth"] < 30)
    assert near.sum() > 1000
    world = layers["position"][near].astype("f8")
    sea = make_sea(*(f"{key}={value}" for key, value in {"fft.size": 256, "sea.wind.speed": 9}.items()))
    sea.update(3.0, (40.0, -30.0))
    there = sea.surface(world[:, 0], world[:, 2])
    up = world[:, 1] + ((world[:, 0] - 40) ** 2 + (world[:, 2] + 30) ** 2) / (2 * EARTH_RADIUS)
    assert np.sqrt(np.nanmean((up - there.height) ** 2)) < 0.05 * there.height.std()
    exact = world + np.multiply.outer(there.height - up, (0, 1, 0))
    assert np.nanmax(np.abs(pixels(drawn.camera, exact)[0] - centres()[near])) < 0.5
    angle = np.linalg.norm(np.cross(layers["normal"][near], there.normal), axis=-1)
    assert np.median(angle) < 0.02
    np.testing.assert_allclose(np.linalg.norm(layers["normal"][near], axis=-1), 1, atol=1e-5)
    assert np.median(np.linalg.norm(layers["velocity"][near] - there.velocity, axis=-1)) < 0.02


def test_motion_leads_to_the_same_water_in_the_next_frame(frames):
    """A pixel moved by its motion shows, in the next frame, the depth to which the velocity has taken its point."""
    folder, _ = frames
    first, second = (read(folder, index) for index in (0, 1))
    cameras = [json.loads((folder / f"layers.{index:06d}.json").read_text()) for index in (0, 1)]
    near = (first["object"] == OBJECTS["sea"]) & (first["depth"] < 20)
    moved = centres()[near] + first["motion"][near]
    inside = ((moved > 1) & (moved < np.array(SIZE) - 1)).all(-1)
    kept = np.flatnonzero(near)[inside & (at(second["object"], moved) == OBJECTS["sea"])]
    flat = {name: values.reshape(SIZE[0] * SIZE[1], -1)[kept] for name, values in first.items()}
    moved = centres().reshape(-1, 2)[kept] + flat["motion"]
    later = np.stack([at(second["velocity"][..., i], moved) for i in range(3)], -1)
    expected, depth = pixels(cameras[1], flat["position"] + (flat["velocity"] + later) / (2 * FPS))
    off = np.linalg.norm(moved - expected, axis=-1)
    assert np.median(off) < 0.015  # ripples within a pixel change the interpolated velocity
    assert np.percentile(off, 99) < 0.05
    assert np.median(np.linalg.norm(flat["motion"], axis=-1)) > 0.1
    assert np.median(np.abs(at(second["depth"], moved) / depth - 1)) < 0.002


def at(layer, places):
    """Return a layer at positions in the picture [pixels], interpolated linearly."""
    return map_coordinates(np.nan_to_num(layer, posinf=1e9), places.T[::-1] - 0.5, order=1)


def read(folder, index):
    import OpenEXR

    channels = OpenEXR.File(str(folder / f"layers.{index:06d}.exr"), separate_channels=True).channels()
    layers = {}
    for name, (letters, _) in LAYERS.items():
        each = [channels[f"{name}.{letter}"].pixels for letter in letters]
        layers[name] = each[0] if len(each) == 1 else np.stack(each, -1)
    return layers


def test_the_files_hold_the_arrays_and_the_pictures_stay(frames, drawn, tmp_path, context):
    folder, plan = frames
    for name, values in read(folder, 0).items():
        np.testing.assert_array_equal(values, drawn.layers[name])
    camera = json.loads((folder / "layers.000000.json").read_text())
    assert {key: camera[key] for key in drawn.camera} == drawn.camera
    assert set(camera["layers"]) == set(LAYERS)
    np.testing.assert_array_equal(np.asarray(Image.open(folder / "frame.000000.png")), drawn.pixels)
    assert export(replace(plan, layers=()), tmp_path) == 0
    context.__enter__()
    for name in ("frame.000000.png", "frame.000001.png"):
        np.testing.assert_array_equal(*(np.asarray(Image.open(where / name)) for where in (folder, tmp_path)))


def test_the_buoy_is_where_the_picture_shows_it(drawn, context):
    without = render_picture(with_values(SETTINGS, {"buoy.show": False}), 3.0, SIZE, context)
    changed = np.abs(drawn.pixels.astype(int) - without).max(-1) > 30
    buoy = drawn.layers["object"] == OBJECTS["buoy"]
    assert buoy.sum() > 5
    assert (buoy & changed).sum() > 0.9 * buoy.sum()
    assert np.abs(drawn.layers["depth"][buoy] - np.median(drawn.layers["depth"][buoy])).max() < 1.5
    assert np.abs(drawn.layers["velocity"][buoy]).max() < 4
    assert not drawn.layers["foam"][buoy].any()
