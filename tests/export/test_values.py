"""Files hold the values of the sea, read by common libraries."""

import json

import numpy as np
import OpenEXR
import png
import pytest
import xarray

from ocean.export.formats.base import make_format
from ocean.export.maps import CASCADE_MAPS
from ocean.export.run import export
from ocean.export.sources import open_source
from ocean.sea.blend import make_spectrum
from ocean.sea.sea import Sea
from ocean.settings import to_toml
from tests.reference.sea import WaveSum

from .plans import everything, plan

ARRAYS = [name for one in CASCADE_MAPS.values() for name in one.parts]
CHANNELS = {"dx": "R", "height": "G", "dz": "B"}


@pytest.fixture
def gpu_files(ctx, tmp_path):
    """Return a function that computes frames of a plan on the GPU, writes them, and returns their folder and the
    frames."""

    def write(wanted):
        form, frames = make_format(wanted), []
        with open_source(wanted, ctx) as source:
            form.prepare(tmp_path)
            for index in range(wanted.frames):
                frames.append(source.frame(index))
                form.write(frames[-1], tmp_path)
        return tmp_path, frames

    return write


def read_exr(path):
    """Return the channels and the header."""
    file = OpenEXR.File(str(path), separate_channels=True)
    return {name: channel.pixels for name, channel in file.channels().items()}, file.header()


def test_exr_has_the_arrays_bit_for_bit(ctx, releasing, gpu_files):
    wanted = everything("exr", device="gpu", frames=3, start=2.0)
    folder, frames = gpu_files(wanted)
    there = releasing(Sea(ctx, wanted.settings))
    for index in range(3):
        there.update(2.0 + index / 24)
        potential, sample = there.potential(), there.surface(*wanted.patch.points)
        for i, tile in enumerate(there.tiles):
            channels, header = read_exr(folder / f"cascade{i}.{index:06d}.exr")
            assert set(channels) == {CHANNELS.get(name, name) for name in ARRAYS}
            for name in ARRAYS:
                np.testing.assert_array_equal(channels[CHANNELS.get(name, name)], frames[index].cascades[name][i])
            np.testing.assert_array_equal(channels["potential"], potential[i])
            assert (header["cascade"], header["frame"]) == (i, index)
            assert header["side"] == tile.side
            assert header["rotation"] == tile.rotation
            assert header["time"] == 2.0 + index / 24
            assert header["config"] == to_toml(wanted.settings)
            assert header["software"].startswith("ocean ")
        channels, header = read_exr(folder / f"patch.{index:06d}.exr")
        expected = {"height": sample.height, "jacobian": sample.jacobian, "converged": sample.converged}
        expected |= {f"normal_{axis}": sample.normal[..., i] for i, axis in enumerate("xyz")}
        expected |= {f"velocity_{axis}": sample.velocity[..., i] for i, axis in enumerate("xyz")}
        assert set(channels) == set(wanted.patch_parts) == {*expected, "foam", "active_foam", "roller"}
        for name, values in expected.items():
            np.testing.assert_array_equal(channels[name], values.astype("f4"))
        assert (header["x"], header["z"], header["spacing"]) == (3.0 - 5.75, -40.0 - 3.75, 0.5)


def test_displacement_means_the_same_in_arrays_and_textures(tmp_path):
    """EXR, read as an engine reads it, and PNG16 hold the displacement of one tile's surface, and its derivatives are
    those of EXR."""
    sea = "sea.choppiness=0.7", "cascades.count=1", "cascades.blended=0", "sea.wind.speed=6"
    maps = {"exr": ("displacement", "derivatives"), "png16": ("displacement",)}
    plans = {form: plan(*sea, format=form, maps=names, frames=1, start=5.0) for form, names in maps.items()}
    for form, wanted in plans.items():
        assert export(wanted, tmp_path / form) == 0
    channels, header = read_exr(tmp_path / "exr" / "cascade0.000000.exr")
    found = np.stack([channels[name] for name in "RGB"], -1)
    record = json.loads((tmp_path / "png16" / "maps.json").read_text("utf-8"))
    assert record["meaning"] in header["comments"]
    assert "choppiness" not in header
    texture = record["textures"][0]
    rows = png.Reader(bytes=(tmp_path / "png16" / "displacement0.000000.png").read_bytes()).read()[2]
    stored = np.array([list(row) for row in rows]).reshape(found.shape)
    step = texture["scale"] / 65535
    np.testing.assert_allclose(texture["offset"] + step * stored, found, atol=0.51 * step)
    spectrum, tile = make_spectrum(plans["exr"].settings), plans["exr"].tiles[0]
    waves, texel = WaveSum(spectrum.waves, 5.0, 0.7, spectrum.lifts), tile.side / 32
    x, z = np.meshgrid(*2 * [np.arange(32) * texel])
    np.testing.assert_allclose(found, np.stack(waves.displacement(x, z), -1), atol=1e-4)
    for shift, names in (((1e-3, 0), ("dxx", "slope_x", "dxz")), ((0, 1e-3), ("dxz", "slope_z", "dzz"))):
        there, here = (waves.displacement(x + sign * shift[0], z + sign * shift[1]) for sign in (1, -1))
        for name, after, before in zip(names, there, here, strict=True):
            np.testing.assert_allclose(channels[name], (after - before) / 2e-3, atol=1e-3)


def test_half_exr_is_the_nearest_half(gpu_files):
    folder, frames = gpu_files(plan(format="exr", half=True, device="gpu", frames=1))
    channels, _ = read_exr(folder / "cascade1.000000.exr")
    for name in ("height", "dx", "dz"):
        assert channels[CHANNELS[name]].dtype == np.float16
        np.testing.assert_array_equal(channels[CHANNELS[name]], frames[0].cascades[name][1].astype("f2"))


@pytest.mark.parametrize("device", ["gpu", "cpu"])
def test_zarr_opens_in_xarray(gpu_files, tmp_path, device):
    wanted = everything("zarr", device=device)
    if device == "gpu":
        folder, frames = gpu_files(wanted)
    else:
        folder, frames = tmp_path, None
        assert export(wanted, folder) == 0
    with xarray.open_zarr(folder / "cascades.zarr") as tiles, xarray.open_zarr(folder / "patch.zarr") as patch:
        np.testing.assert_array_equal(tiles.time, np.arange(5) / 24)
        np.testing.assert_array_equal(tiles.side, [tile.side for tile in wanted.tiles])
        np.testing.assert_array_equal(tiles.rotation, [tile.rotation for tile in wanted.tiles])
        np.testing.assert_array_equal(patch.x, wanted.patch.axes[0])
        np.testing.assert_array_equal(patch.z, wanted.patch.axes[1])
        assert tiles.height.dims == ("time", "cascade", "z", "x")
        assert patch.foam.dims == ("time", "z", "x")
        assert tiles.height.attrs["units"] == "m"
        assert tiles.height.attrs["standard_name"] == "sea_surface_height_above_mean_sea_level"
        assert tiles.attrs["Conventions"].startswith("CF-")
        assert set(tiles.data_vars) == set(wanted.cascade_parts)
        assert set(patch.data_vars) == set(wanted.patch_parts)
        for data in (*tiles.data_vars.values(), *patch.data_vars.values()):
            assert data.attrs["units"]
            assert not np.isnan(data).any()
        for frame in frames or ():
            for store, arrays in ((tiles, frame.cascades), (patch, frame.patch)):
                for name in store.data_vars:
                    np.testing.assert_array_equal(store[name][frame.index], arrays[name])


def test_numpy_archives_hold_the_fields(gpu_files):
    wanted = everything("npz", device="gpu", frames=2)
    folder, frames = gpu_files(wanted)
    with np.load(folder / "frame.000001.npz") as data:
        for name in wanted.cascade_parts:
            np.testing.assert_array_equal(data[name], frames[1].cascades[name])
        for name in wanted.patch_parts:
            np.testing.assert_array_equal(data[f"patch_{name}"], frames[1].patch[name])
        assert data["time"] == 1 / 24
        assert str(data["config"]) == to_toml(wanted.settings)
        np.testing.assert_array_equal(data["side"], [tile.side for tile in wanted.tiles])


def test_the_picture_after_a_loop_is_its_first(ctx):
    """The picture shows everything that moves: waves, foam whose history is over, and clouds with their shadows."""
    look = "sky.clouds=0.5", "view.pitch=10", "view.samples=1", "capture.width=48", "capture.height=27"
    pictures = []
    for start in (0.0, 60.0):
        wanted = plan("sea.loop_period=60", *look, device="gpu", format="png", maps=(), frames=1, fps=8.0, start=start)
        with open_source(wanted, ctx) as source:
            pictures.append(np.frombuffer(source.frame(0).picture, np.uint8))
    assert len(np.unique(pictures[0])) > 50
    np.testing.assert_array_equal(*pictures)


def test_all_pictures_have_the_exposure_of_the_first(ctx):
    """The last picture alone, made by a worker or a resumed export, has the exposure of all pictures before it."""
    look = "sky.clouds=0.5", "sky.sun_elevation=30", "view.samples=1", "capture.width=32", "capture.height=18"
    minutes = {"device": "gpu", "format": "png", "maps": (), "frames": 2, "fps": 1 / 300}

    def exposed(indices, *overrides):
        with open_source(plan(*look, *overrides, **minutes), ctx) as source:
            made = [(source.frame(i).picture, source.renderer.light.light.read()[64:68]) for i in indices]
        return np.array([[*picture] for picture, _ in made]), [exposure for _, exposure in made]

    pictures, exposures = exposed(range(2))
    (alone,), exposure = exposed([1])
    np.testing.assert_allclose(alone, pictures[1], atol=1)  # two triangles may be equally near to a sample
    assert {*exposures, *exposure} == {exposures[0]}
    _, moving = exposed(range(2), "capture.exposure=moving")
    assert len(set(moving)) == 2
    assert moving[0] == exposures[0]
