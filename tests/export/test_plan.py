"""What a person types, as a plan, or one clear sentence."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.export.options import make_plan
from ocean.export.plan import ExportError, Patch
from ocean.export.run import export
from ocean.settings import Settings, SettingsError, load_settings

from ..test_cli import ocean

DEFAULTS = {
    "form": "exr",
    "maps": "",
    "start": 0.0,
    "duration": None,
    "fps": 24.0,
    "loop": None,
    "size": None,
    "half": False,
    "patch": None,
    "spacing": 0.5,
    "at": "0,0",
    "resolution": None,
    "device": "gpu",
}


def typed(**options):
    return make_plan(Settings(), **{**DEFAULTS, **options})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"form": "tiff"}, "--format = 'tiff' is not one of exr, npz, zarr, glb, ply, png, mp4"),
        ({"maps": "displacment"}, "--maps = 'displacment' is not one of displacement, derivatives, height"),
        ({"maps": "foam"}, "foam belongs to a patch of the world: say which, as --patch 500x500 --spacing 0.5"),
        ({"form": "glb"}, "glb belongs to a patch of the world"),
        ({"form": "glb", "patch": "9x9", "maps": "derivatives"}, "derivatives belongs to the cascades"),
        ({"maps": "displacement", "patch": "500x500"}, "--patch is for height, normal"),
        ({"patch": "9x9"}, "--maps names no map"),
        ({"patch": "500"}, "--patch = '500' is not two numbers with 'x' between them"),
        ({"patch": "0x9", "maps": "foam"}, "leaves 0 x 18 points"),
        ({"patch": "nanx9", "maps": "foam"}, "a patch of nan x 9 m"),
        ({"patch": "9x9", "spacing": 0.0, "maps": "foam"}, "0 m apart, is none"),
        ({"patch": "5000x500", "maps": "foam"}, "10000 x 1000 points 0.5 m apart; 1048576 is the most"),
        ({"at": "here", "patch": "9x9"}, "--at = 'here' is not two numbers with ',' between them"),
        ({"half": True, "form": "npz"}, "--half is for exr; npz has a precision of its own"),
        ({"duration": 0.0}, "--duration = 0 and --fps = 24 hold no frames"),
        ({"duration": 0.01}, "--duration is shorter than a frame"),
        ({"duration": float("inf")}, "--duration = inf"),
        ({"fps": 0.0}, "--fps = 0 hold no frames"),
        ({"start": float("nan")}, "--start = nan"),
        ({"loop": 60.03}, "--loop = 60.03 s is no whole number of frames at 24 a second; try 60"),
        ({"loop": 3.0}, "sea.loop_period = 3 s is below four longest peak periods"),
        ({"size": 101}, "fft.size = 101 is not an even number"),
        ({"form": "png", "device": "cpu"}, "pictures are drawn by the GPU"),
        ({"form": "mp4", "resolution": "101x50"}, "--resolution = 101x50: mp4 needs even numbers"),
        ({"form": "png", "resolution": "big"}, "--resolution = 'big' is not two numbers"),
    ],
)
def test_what_can_not_be_is_one_sentence(options, message):
    with pytest.raises(SettingsError) as caught:
        typed(**options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_picture_is_exposed_by_itself():
    settings = load_settings(overrides=["sky.metering=automatic"])
    with pytest.raises(ExportError, match="goes by the picture before"):
        make_plan(settings, **{**DEFAULTS, "form": "png"})
    assert make_plan(settings, **DEFAULTS).format == "exr"


def test_the_command_line_says_it_and_leaves_nothing(tmp_path):
    result = ocean("export", "--out", str(tmp_path / "out"), "--maps", "foam")
    assert result.returncode == 2
    assert result.stderr.startswith("ocean: foam belongs to a patch of the world")
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("ocean.export.zarr_store", r"--format zarr needs a package .* pip install"),
        ("filelock", r"exports need a package .*\(filelock\).* pip install"),
    ],
)
def test_a_missing_package_is_said_before_anything_is_made(tmp_path, monkeypatch, module, message):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ExportError, match=message):
        export(typed(form="zarr"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_defaults():
    one = typed()
    assert (one.frames, one.maps, one.time(0)) == (1, ("displacement",), 0.0)
    loop = typed(loop=60.0, fps=30.0, start=5.0, size=256)
    assert (loop.frames, loop.settings.sea.loop_period, loop.settings.fft.size) == (1800, 60.0, 256)
    assert loop.time(1800) - loop.time(0) == 60.0


@given(rows=st.integers(2, 400), columns=st.integers(2, 400), spacing=st.floats(1e-2, 10), x=st.floats(-1e5, 1e5))
def test_a_patch_is_filled_by_the_squares_of_its_points(rows, columns, spacing, x):
    patch = Patch(columns * spacing, rows * spacing, spacing, (x, 2.0))
    assert patch.shape == (rows, columns)
    along, across = patch.axes
    np.testing.assert_allclose(np.diff(along), spacing, atol=1e-9)
    assert along[0] - spacing / 2 == pytest.approx(x - columns * spacing / 2, abs=1e-6)
    assert across.mean() == pytest.approx(2.0)
    xs, zs = patch.points
    assert xs.shape == zs.shape == (rows, columns)
    assert (xs[1] == along).all()
    assert (zs[:, 1] == across).all()
