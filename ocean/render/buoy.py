"""A buoy that floats on the sea: a compute pass finds its pose from the maps, and it is drawn with the sea."""

from pathlib import Path

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.common import resources
from ocean.gpu.bindings import Block, Sampler, Storage
from ocean.gpu.context import labelled, release_all
from ocean.gpu.passes import BUFFERS_WRITTEN
from ocean.gpu.shaders import shader_library
from ocean.gpu.uniforms import set_uniforms
from ocean.sea.query import INVERSION
from ocean.sea.sea import Sea

RING = 32  # points around the water line at which the pose samples the surface
WATER_LINE = 0.12  # m: radius of the mesh at y = 0, shorter than all waves but ripples


def read_ply(path: Path) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """Read vertices (n, 9), with position [m], normal and colour (0 to 1), and triangles (m, 3) from a file of
    `tools/assets/make_buoy.py`."""
    lines = path.read_text(encoding="ascii").splitlines()
    first = lines.index("end_header") + 1
    end = first + next(int(line.split()[2]) for line in lines if line.startswith("element vertex"))
    vertices: NDArray[np.float32] = np.loadtxt(lines[first:end], np.float32)
    vertices[:, 6:] /= 255
    return vertices, np.loadtxt(lines[end:], np.uint32, usecols=(1, 2, 3))


class Buoy:
    """Mesh and pose of a buoy on the GPU."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        vertices, triangles = read_ply(resources.folder("assets") / "buoy.ply")
        self._vertices = labelled("buoy vertices", ctx.buffer(vertices.tobytes()))
        self._triangles = labelled("buoy triangles", ctx.buffer(triangles.tobytes()))
        self.pose = labelled("buoy pose", ctx.buffer(np.eye(4, dtype="f4").tobytes()))
        self._float = shader_library(ctx).compute("buoy/pose.comp", RING=RING, **INVERSION)
        self.triangles = len(triangles)

    def float_on(self, sea: Sea, rest: tuple[float, float]) -> None:
        """Compute the pose from the current maps, for a rest place (x, z) [m] relative to the sea's origin."""
        sea.bind()
        sea.maps.use(Sampler.MAPS)
        self.pose.bind_to_storage_buffer(Storage.POSE)
        set_uniforms(self._float, {"rest": rest, "radius": WATER_LINE})
        self._float.run(1)
        self.ctx.memory_barrier(BUFFERS_WRITTEN)

    def bind(self) -> None:
        """Bind all inputs of `buoy/mesh.glsl`."""
        self.pose.bind_to_uniform_block(Block.POSE)
        self._vertices.bind_to_storage_buffer(Storage.BUOY_VERTICES)
        self._triangles.bind_to_storage_buffer(Storage.BUOY_TRIANGLES)

    def release(self) -> None:
        release_all(self._vertices, self._triangles, self.pose)
