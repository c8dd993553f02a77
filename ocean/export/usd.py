"""Export of the patch as a USD point cache: one mesh with time samples. Metres; x is east, y up, z south."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdUtils, Vt

from ocean.common.files import system_errors
from ocean.export.formats import PatchFormat
from ocean.export.frame_sources import Snapshot

CACHE = "sea.usdc"
MESH = "/sea/water"


class UsdFormat(PatchFormat):
    """A layer for each frame, and `sea.usdc`, which holds all of them. A frame's number is its time code."""

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
        mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(self.squares.ravel()))
        mesh.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(self.squares), 4, np.int32)))
        patch, at = frame.patch, frame.index
        points, normals = self.surface(frame)
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
