"""Export of the patch as meshes, one per frame: binary glTF or PLY. Metres; x is east, y up, z south, as in glTF."""

from pathlib import Path

import numpy as np
import trimesh
from trimesh.exchange.gltf import export_glb
from trimesh.exchange.ply import export_ply

from ocean.export.formats import PatchFormat
from ocean.export.frame_sources import Snapshot
from ocean.export.plan import Plan


class MeshFormat(PatchFormat):
    """Meshes of two triangles for each square of the patch's points, with the surface's normals, and foam as colour if
    chosen."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.faces = np.concatenate([self.squares[:, [0, 1, 3]], self.squares[:, [3, 1, 2]]])

    def names(self, index: int) -> list[str]:
        return [f"patch.{index:06d}.{self.plan.format}"]

    def write(self, frame: Snapshot, aside: Path) -> None:
        vertices, normals = self.surface(frame)
        colours = None
        if "foam" in frame.patch:
            colours = np.full((len(vertices), 4), 255, np.uint8)
            colours[:, :3] = np.rint(255 * frame.patch["foam"]).astype(np.uint8).reshape(-1, 1)
        mesh = trimesh.Trimesh(vertices, self.faces, vertex_normals=normals, vertex_colors=colours, process=False)
        path = aside / self.names(frame.index)[0]
        if self.plan.format == "glb":
            path.write_bytes(export_glb(mesh, include_normals=True))  # type: ignore[no-untyped-call]
        else:
            path.write_bytes(export_ply(mesh, vertex_normal=True))
