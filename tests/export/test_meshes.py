"""Meshes and pictures, opened by external programs."""

import av
import numpy as np
import pytest
import trimesh
from PIL import Image
from pxr import Usd, UsdGeom

from ocean.export.formats.base import make_format
from ocean.export.plan import Patch
from ocean.export.run import export
from ocean.export.sources import MapSource, Snapshot, open_source
from ocean.sea.host import HostSea

from .plans import plan

PATCH = Patch(10.0, 6.0, 0.5, (4.0, -2.0))
STORM = "sea.wind.speed=25", "foam.amount=5", "fft.size=64"  # breaks in each frame of the patch
BREAKING = "active_foam", "roller"


@pytest.fixture
def mesh_file(tmp_path):
    """Return a function that writes the mesh of a frame and returns its path and the frame."""

    def write(form, *maps):
        wanted = plan(*STORM, format=form, maps=maps, patch=PATCH, frames=1)
        frame = MapSource(wanted, HostSea(wanted.settings)).frame(0)
        made = make_format(wanted)
        made.write(frame, tmp_path)
        return tmp_path / made.names(0)[0], frame

    return write


def expected_vertices(frame):
    x, z = PATCH.points
    return np.stack([x, frame.patch["height"], z], -1).reshape(-1, 3).astype("f4")


def expected_normals(frame):
    return np.stack([frame.patch[f"normal_{axis}"] for axis in "xyz"], -1).reshape(-1, 3)


@pytest.mark.parametrize("form", ["ply", "glb"])
def test_trimesh_reads_the_surface(mesh_file, form):
    path, frame = mesh_file(form, "foam", *BREAKING)
    (mesh,) = trimesh.load_scene(path, process=False).geometry.values()
    np.testing.assert_array_equal(mesh.vertices.astype("f4"), expected_vertices(frame))
    rows, columns = PATCH.shape
    assert len(mesh.faces) == 2 * (rows - 1) * (columns - 1)
    assert mesh.is_winding_consistent
    np.testing.assert_allclose(mesh.area_faces * mesh.face_normals[:, 1], PATCH.spacing**2 / 2, rtol=1e-3)  # face up
    np.testing.assert_allclose(mesh.vertex_normals, expected_normals(frame), atol=1e-6)
    foam = np.rint(255 * frame.patch["foam"].ravel())
    np.testing.assert_array_equal(mesh.visual.vertex_colors[:, 0], foam)
    vertices = mesh.metadata["_ply_raw"]["vertex"]["data"] if form == "ply" else mesh.vertex_attributes
    for name in BREAKING:
        assert frame.patch[name].any()
        values = vertices[name if form == "ply" else f"_{name}"]  # glTF wants a "_" before names of its users
        np.testing.assert_array_equal(np.ravel(values), frame.patch[name].ravel())


def test_pictures_are_the_right_way_up_and_make_a_movie(ctx, tmp_path):
    wanted = plan(
        "capture.width=48", "capture.height=28", "foam.decay=0.5", format="mp4", maps=(), fps=8.0, device="gpu"
    )
    made = make_format(wanted)
    with open_source(wanted, ctx) as source:
        for index in range(wanted.frames):
            made.write(source.frame(index), tmp_path)
    with Image.open(tmp_path / "frame.000004.png") as picture:
        pixels = np.asarray(picture, float)
    assert pixels.shape == (28, 48, 3)
    assert pixels[:8].mean() > pixels[-8:].mean() + 20  # the sky is above
    encoded = []
    made.finish(tmp_path, tmp_path, lambda: encoded.append(1))
    assert len(encoded) == 5
    with av.open(str(tmp_path / "sea.mp4")) as movie:
        frames = [frame.to_ndarray(format="rgb24") for frame in movie.decode(video=0)]
        assert movie.streams.video[0].average_rate == 8
    assert len(frames) == 5
    assert np.abs(frames[4] - pixels).mean() < 6


def test_a_picture_is_the_same_whatever_came_before(ctx):
    wanted = plan(
        "capture.width=32", "capture.height=18", "foam.amount=3", format="png", maps=(), fps=8.0, device="gpu"
    )
    with open_source(wanted, ctx) as source:
        pictures = [source.frame(index).picture for index in (0, 1, 2, 1, 9, 2)]
    assert isinstance(Snapshot(0, 0.0).picture, bytes)
    assert pictures[1] == pictures[3]
    assert pictures[2] == pictures[5]
    assert pictures[0] != pictures[1]


def test_usd_is_a_point_cache(tmp_path):
    """The file has one mesh. Its points, normals and foam have a time sample for each frame."""
    wanted = plan(*STORM, format="usd", maps=("foam", *BREAKING), patch=PATCH, frames=3, fps=12.0)
    assert export(wanted, tmp_path) == 0
    stage = Usd.Stage.Open(str(tmp_path / "sea.usdc"))
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/sea/water"))
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode(), stage.GetTimeCodesPerSecond()) == (0, 2, 12)
    assert (UsdGeom.GetStageUpAxis(stage), UsdGeom.GetStageMetersPerUnit(stage)) == ("Y", 1.0)
    rows, columns = PATCH.shape
    assert len(mesh.GetFaceVertexCountsAttr().Get()) == (rows - 1) * (columns - 1)
    source = MapSource(wanted, HostSea(wanted.settings))
    for index in range(3):
        frame = source.frame(index)
        points, normals = (np.array(part.Get(index)) for part in (mesh.GetPointsAttr(), mesh.GetNormalsAttr()))
        np.testing.assert_allclose(points, expected_vertices(frame), atol=1e-5)
        np.testing.assert_allclose(normals[:, 1], frame.patch["normal_y"].ravel(), atol=1e-5)
        for name in ("foam", *BREAKING):
            assert frame.patch[name].any()
            values = UsdGeom.PrimvarsAPI(mesh).GetPrimvar(name).Get(index)
            np.testing.assert_allclose(values, frame.patch[name].ravel(), atol=1e-6)
    corners = np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 4)
    across = np.cross(points[corners[:, 1]] - points[corners[:, 0]], points[corners[:, 2]] - points[corners[:, 0]])
    assert (across[:, 1] > 0).all()  # the upper side is the front side
