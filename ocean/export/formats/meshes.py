"""The patch as meshes [m], x east, y up, z south: binary glTF or PLY for each frame, and USD with time samples."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from ocean.common.files import system_errors
from ocean.export.formats.base import Format
from ocean.export.maps import FOAM
from ocean.export.plan import Plan
from ocean.export.sources import Floats, Snapshot


class PatchFormat(Format):
    """Base class of formats that write a patch. `squares` (n, 4) holds the corner indices of each grid square,
    counterclockwise seen from above."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        assert plan.patch is not None  # plans of meshes have a patch
        self._x, self._z = plan.patch.points
        point = np.arange(self._x.size, dtype=np.int32).reshape(self._x.shape)
        around = point[:-1, :-1], point[1:, :-1], point[1:, 1:], point[:-1, 1:]
        self.squares = np.stack([corner.ravel() for corner in around], -1)

    def surface(self, frame: Snapshot) -> tuple[Floats, Floats]:
        """Return the points [m] and normals of the surface, float32 (points, 3)."""
        at = self._x, frame.patch["height"], self._z
        normals = [frame.patch[f"normal_{axis}"] for axis in "xyz"]
        points, directions = (np.stack(each, -1).astype(np.float32).reshape(-1, 3) for each in (at, normals))
        return points, directions


class MeshFormat(PatchFormat):
    """Meshes of two triangles for each square of the patch's points, with the surface's normals; if chosen, foam as
    colour, and active foam and rollers as attributes of vertices."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.faces = np.concatenate([self.squares[:, [0, 1, 3]], self.squares[:, [3, 1, 2]]])

    def names(self, index: int) -> list[str]:
        return [f"patch.{index:06d}.{self.plan.format}"]

    def write(self, frame: Snapshot, folder: Path) -> None:
        import trimesh

        vertices, normals = self.surface(frame)
        colours = None
        if "foam" in frame.patch:
            colours = np.full((len(vertices), 4), 255, np.uint8)
            colours[:, :3] = np.rint(255 * frame.patch["foam"]).astype(np.uint8).reshape(-1, 1)
        mesh = trimesh.Trimesh(vertices, self.faces, vertex_normals=normals, vertex_colors=colours, process=False)
        mesh.vertex_attributes.update({part: frame.patch[part].ravel() for part in [*FOAM][1:] if part in frame.patch})
        path = folder / self.names(frame.index)[0]
        if self.plan.format == "glb":
            mesh.export(path, include_normals=True)
        else:
            mesh.export(path, vertex_normal=True)


CACHE = "sea.usdc"
MESH = "/sea/water"


class UsdFormat(PatchFormat):
    """A layer for each frame, and `sea.usdc`, which holds all of them. A frame's number is its time code."""

    whole = 2.0

    def names(self, index: int) -> list[str]:
        return [f"patch.{index:06d}.usdc"]

    def write(self, frame: Snapshot, folder: Path) -> None:
        from pxr import Gf, Sdf, Usd, UsdGeom, Vt

        stage = Usd.Stage.CreateInMemory(".usdc")
        UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
        UsdGeom.SetStageMetersPerUnit(stage, 1.0)
        stage.SetTimeCodesPerSecond(self.plan.fps)
        stage.SetFramesPerSecond(self.plan.fps)
        stage.SetStartTimeCode(0)
        stage.SetEndTimeCode(self.plan.frames - 1)
        stage.SetDefaultPrim(UsdGeom.Xform.Define(stage, Sdf.Path(MESH).GetParentPath()).GetPrim())
        mesh = UsdGeom.Mesh.Define(stage, MESH)
        mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(self.squares.ravel()))
        mesh.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(self.squares), 4, np.int32)))
        patch, at = frame.patch, frame.index
        points, normals = self.surface(frame)
        mesh.CreatePointsAttr().Set(Vt.Vec3fArray.FromNumpy(points), at)
        mesh.CreateNormalsAttr().Set(Vt.Vec3fArray.FromNumpy(normals), at)
        mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
        low, high = (getattr(points, end)(0).tolist() for end in ("min", "max"))
        mesh.CreateExtentAttr().Set([Gf.Vec3f(*low), Gf.Vec3f(*high)], at)
        for name in [part for part in FOAM if part in patch]:
            kinds = Sdf.ValueTypeNames.FloatArray, UsdGeom.Tokens.vertex
            value = UsdGeom.PrimvarsAPI(mesh).CreatePrimvar(name, *kinds)
            value.Set(Vt.FloatArray.FromNumpy(np.ascontiguousarray(patch[name].ravel(), np.float32)), at)
        with system_errors(folder):
            stage.GetRootLayer().Export(str(folder / self.names(frame.index)[0]))

    def final(self) -> list[str]:
        return [CACHE]

    def finish(self, path: Path, folder: Path, advance: Callable[[], None]) -> None:
        from pxr import Sdf, UsdUtils

        with system_errors(folder):
            cache = Sdf.Layer.CreateNew(str(folder / CACHE))
            for index in range(self.plan.frames):
                UsdUtils.StitchLayers(cache, Sdf.Layer.OpenAsAnonymous(str(path / self.names(index)[0])))
                advance()
            cache.Save()
