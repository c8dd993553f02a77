"""Export of the patch as a USD point cache: one mesh with time samples. Metres; x is east, y up, z south."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Sdf, Usd, UsdGeom, UsdUtils, Vt

from ocean.common.files import system_errors
from ocean.export.formats import PatchFormat
from ocean.export.frames import Snapshot
from ocean.export.plan import Plan

CACHE = "sea.usdc"
MESH = "/sea/water"


class UsdFormat(PatchFormat):
    """A layer for each frame, and `sea.usdc`, which holds all of them. A frame's number is its time code."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._corners = grid_squares(*self.shape)

    def names(self, index: int) -> list[str]:
        return [f"patch.{index:06d}.usdc"]

    def write(self, frame: Snapshot, aside: Path) -> None:
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
        mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(self._corners.ravel()))
        mesh.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(self._corners), 4, np.int32)))
        patch, at = frame.patch, frame.index
        points = np.stack([self.x, patch["height"].ravel(), self.z], -1).astype(np.float32)
        normals = np.stack([patch[f"normal_{axis}"].ravel() for axis in "xyz"], -1).astype(np.float32)
        mesh.CreatePointsAttr().Set(Vt.Vec3fArray.FromNumpy(points), at)
        mesh.CreateNormalsAttr().Set(Vt.Vec3fArray.FromNumpy(normals), at)
        mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
        low, high = (getattr(points, end)(0).tolist() for end in ("min", "max"))
        mesh.CreateExtentAttr().Set([Gf.Vec3f(*low), Gf.Vec3f(*high)], at)
        if "foam" in patch:
            kinds = Sdf.ValueTypeNames.FloatArray, UsdGeom.Tokens.vertex
            foam = UsdGeom.PrimvarsAPI(mesh).CreatePrimvar("foam", *kinds)
            foam.Set(Vt.FloatArray.FromNumpy(np.ascontiguousarray(patch["foam"].ravel(), np.float32)), at)
        with system_errors(aside):
            stage.GetRootLayer().Export(str(aside / self.names(frame.index)[0]))

    def final(self) -> list[str]:
        return [CACHE]

    def finish(self, path: Path, aside: Path, advance: Callable[[], None]) -> None:
        with system_errors(aside):
            cache = Sdf.Layer.CreateNew(str(aside / CACHE))
            for index in range(self.plan.frames):
                UsdUtils.StitchLayers(cache, Sdf.Layer.OpenAsAnonymous(str(path / self.names(index)[0])))
                advance()
            cache.Save()


def grid_squares(rows: int, columns: int) -> NDArray[np.int32]:
    """Return the squares over a grid of points, (n, 4), counterclockwise from above."""
    corner = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    parts = corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]
    return np.stack([part.ravel() for part in parts], -1)
