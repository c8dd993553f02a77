"""Command-line options, as a plan or as one error sentence."""

import re
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.common.errors import InputError
from ocean.export.formats import FORMATS
from ocean.export.plan import ExportError, Patch, Plan, make_plan
from ocean.export.run import export
from ocean.sea.blend import make_spectrum
from ocean.settings import Settings, load_settings
from ocean.waves.amplitudes import wave_vectors
from ocean.waves.dispersion import angular_frequency
from tests.messages import assert_refused, naming, unnamed

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
    "spacing": None,
    "at": None,
    "resolution": {},
    "device": "gpu",
}
PICTURE = {"capture.width": 101, "capture.height": 50}


def typed(**options):
    return make_plan(Settings(), **{**DEFAULTS, **options})


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"form": "tiff"}, " ".join(["--format tiff", *FORMATS])),
        ({"maps": "displacment"}, "--maps displacment displacement derivatives potential height"),
        ({"maps": "foam"}, "--maps foam patch --patch 500x500 --spacing 0.5"),
        ({"maps": ","}, "--maps"),
        ({"form": "png", "layers": " ,"}, "--layers"),
        ({"form": "png", "layers": "colour"}, "--layers colour depth"),
        ({"maps": "displacement", "layers": "depth"}, "--layers pictures exr"),
        ({"form": "dds", "maps": "height"}, "--maps height dds displacement normal foam"),
        ({"form": "dds", "maps": "displacement", "duration": 2049.0, "fps": 1.0}, "--duration 2049 frames dds 2048"),
        ({"form": "glb"}, "--format glb patch --patch"),
        ({"form": "glb", "patch": "9x9", "maps": "derivatives"}, "derivatives glb"),
        ({"maps": "displacement", "patch": "500x500"}, "--patch height normal"),
        ({"patch": "9x9"}, "--maps no"),
        ({"patch": "500"}, "--patch 500 500x500"),
        ({"patch": "0.2x9", "maps": "foam"}, "--spacing 0.5 0 18"),
        ({"patch": "9x9", "maps": "height", "at": "1e300,0"}, "--at 1e+300,0 1e+08 0,0"),
        ({"patch": "9x9", "maps": "height", "at": "nan,0"}, "--at nan,0 1e+08 0,0"),
        ({"patch": "0x9", "maps": "foam"}, "--patch 0x9 0.5 0"),
        ({"patch": "nanx9", "maps": "foam"}, "--patch nanx9"),
        ({"patch": "9x9", "spacing": 0.0, "maps": "foam"}, "--spacing 0"),
        ({"patch": "5000x500", "maps": "foam"}, "--patch 5000x500 0.5 1048576"),
        ({"patch": "1e308x1", "maps": "foam"}, "--patch 1e+308x1 0.5"),
        ({"patch": "9x9", "spacing": 1e-320, "maps": "foam"}, "--patch 1048576"),
        ({"spacing": 0.5}, "--spacing --at patch"),
        ({"at": "0,0", "form": "png"}, "--spacing --at patch"),
        ({"at": "here", "patch": "9x9"}, "--at here 500,500"),
        ({"half": True, "form": "npz"}, "--half exr raw dds ktx2 npz precision"),
        ({"form": "png", "maps": "displacement"}, "--maps --patch png"),
        ({"form": "mp4", "maps": "height", "patch": "9x9"}, "--maps --patch mp4"),
        ({"form": "png", "patch": "9x9"}, "--maps --patch png"),
        ({"form": "ply", "maps": "height,velocity", "patch": "9x9"}, "velocity ply"),
        ({"form": "exr", "resolution": PICTURE}, "--resolution png mp4"),
        ({"duration": 0.0}, "--duration 0"),
        ({"duration": 0.01}, "--duration 0.01 frame --fps 24 0.0417"),
        ({"duration": 5.0, "fps": 0.1}, "--duration 5 frame --fps 0.1 10"),
        ({"duration": float("inf")}, "--duration inf"),
        ({"duration": 1e12}, "--duration 1000000 frames"),
        ({"duration": 1e308, "fps": 1000.0}, "--duration 1000000 frames"),
        ({"fps": 0.0}, "--fps 0 1000"),
        ({"fps": float("nan")}, "--fps nan"),
        ({"fps": 1e9, "maps": "foam", "patch": "9x9"}, "--fps 1e+09"),
        ({"start": float("nan")}, "--start nan"),
        ({"start": -1e9}, "--start -1e+09 -1e+08 1e+08"),
        ({"start": 1e8, "duration": 1.0}, "--start 1e+08"),
        ({"fps": 1e-3, "duration": 1e9}, "--start 0"),
        ({"loop": "0"}, "--loop 0"),
        ({"loop": "short"}, "--loop short number auto"),
        ({"loop": "0", "duration": 3.0}, "--loop 0"),
        ({"loop": "60.03"}, "--loop 60.03 frames 24 fps 60.0416666667"),
        ({"loop": "60", "fps": 29.97}, "frames 29.97 fps 60.02669336"),
        ({"loop": "3"}, "--loop 3 26"),
        ({"size": 101}, "--size 101 even"),
        ({"form": "png", "device": "cpu"}, "--device cpu pictures"),
        ({"form": "mp4", "resolution": PICTURE}, "--resolution 101x50 mp4 even"),
    ],
)
def test_impossible_plans_are_refused_in_one_sentence(options, named):
    with pytest.raises(InputError) as caught:
        typed(**options)
    assert unnamed(str(caught.value), named) == []
    assert "\n" not in str(caught.value)


def test_a_plan_has_defaults():
    one = typed()
    assert (one.frames, one.maps, one.time(0)) == (1, ("displacement",), 0.0)
    loop = typed(loop="60", fps=30.0, start=5.0, size=256)
    assert (loop.frames, loop.settings.sea.loop_period, loop.settings.fft.size) == (1800, 60.0, 256)
    assert loop.time(1800) - loop.time(0) == 60.0
    assert typed(duration=1e6, fps=1.0).frames == 1_000_000
    assert typed(start=1e8).frames == 1
    patch = typed(maps="foam", patch="9x9").patch
    assert (patch.spacing, patch.centre) == (0.5, (0.0, 0.0))
    picture = typed(form="png", resolution=PICTURE).settings.capture
    assert (picture.width, picture.height) == (101, 50)


def test_a_picture_is_exposed_by_itself():
    settings = load_settings(overrides=["sky.metering=automatic"])
    with pytest.raises(ExportError, match=naming("sky.metering")):
        make_plan(settings, **{**DEFAULTS, "form": "png"})
    assert make_plan(settings, **DEFAULTS).format == "exr"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("export --maps foam", "--maps foam --patch"),
        ("export --format png --resolution infx720", "--resolution infx720 1280x720"),
        ("export --format png --resolution 12.5x7.5", "--resolution 12.5x7.5 1280x720"),
        ("export --workers 2 --scheduler tcp://host:1", "--workers --scheduler cluster"),
        ("sweep --workers 2 --scheduler tcp://host:1", "--workers --scheduler cluster"),
    ],
)
def test_the_command_line_refuses_bad_plans(ocean_here, tmp_path, arguments, named):
    result = ocean_here(*arguments.split(), "--out", tmp_path / "out")
    assert_refused(result, named)
    assert not (tmp_path / "out").exists()


def test_a_missing_package_is_reported_before_anything_is_exported(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "zarr", None)
    with pytest.raises(ExportError, match=naming("--format zarr package install")):
        export(typed(form="zarr"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


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


@pytest.mark.parametrize("fps", [24.0, 1.6, 23.976, 29.97, 59.94005994])
def test_the_shortest_loop_is_taken_and_can_be_tried_in_part(fps):
    auto = typed(loop="auto", fps=fps)
    period = auto.settings.sea.loop_period
    assert period >= auto.settings.sea.least_loop > period - 1 / fps
    assert typed(loop=f"{period:.12g}", fps=fps).frames == auto.frames
    assert auto.frames == pytest.approx(period * fps)
    assert typed(loop="auto", fps=fps, duration=2.5).frames == round(2.5 * fps)
    with pytest.raises(ExportError, match=naming("--loop 26")):
        typed(loop="3", fps=1.0)
    with pytest.raises(ExportError, match="never repeat"):
        make_plan(load_settings(overrides=["sea.dynamics=nonlinear"]), **{**DEFAULTS, "loop": "auto", "fps": fps})


@pytest.mark.parametrize(("fps", "kept"), [(1.0, False), (8.0, True), (24.0, True)])
def test_a_rate_that_loses_slopes_between_frames_has_a_remark(fps, kept):
    """Halfway between two frames, linear interpolation multiplies a wave's variance by cos² of half its phase step."""
    options = "fft.size=64", "cascades.count=1", "cascades.blended=0", "sea.wind.speed=6"
    plan = Plan(load_settings(overrides=options), 8, "exr", ("displacement",), fps=fps)
    tile, h0 = plan.tiles[0], make_spectrum(plan.settings).cascades[0]
    k = np.hypot(*wave_vectors(tile, 64))
    slopes = h0.variance * k**2
    turns = np.cos(angular_frequency(k, 200.0) / (2 * fps)) ** 2
    assert plan.slopes_between_frames(fps) == pytest.approx((slopes * turns).sum() / slopes.sum(), abs=0.05)
    assert (plan.loss_remark == "") == kept
    if not kept:
        better = float(re.search(r"--fps (\d+)", plan.loss_remark)[1])
        assert 0.9 <= plan.slopes_between_frames(better) < 0.97
