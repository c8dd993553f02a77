"""A buoy that floats on the sea: a compute pass finds its pose from the maps of the frame, and it is drawn with the
sea."""

from pathlib import Path

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.common import resources
from ocean.gpu.bindings import Block, Sampler, Storage
from ocean.gpu.context import labelled, release_all
from ocean.gpu.shaders import shader_library
from ocean.gpu.uniforms import set_uniforms
from ocean.sea.query import INVERSION
from ocean.sea.sea import Sea

RING = 32  # points around the water line at which the pose samples the surface
WATER_LINE = 0.12  # m: radius of the mesh at y = 0, shorter than all waves but ripples
_VERTEX = ("x", "y", "z", "nx", "ny", "nz", "red", "green", "blue")


def read_ply(path: Path) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """Read vertices (n, 9), with position [m], normal and colour (0 to 1), and triangles (m, 3) from a text PLY file.

    Raises:
        ValueError: for a PLY file of another layout.
    """
    lines = path.read_text(encoding="ascii").splitlines()
    words = [line.split() for line in lines[: lines.index("end_header") + 1]]
    counts = {line[1]: int(line[2]) for line in words if line[0] == "element"}
    names = tuple(line[2] for line in words if line[0] == "property" and line[1] != "list")
    if words[1] != ["format", "ascii", "1.0"] or list(counts) != ["vertex", "face"] or names != _VERTEX:
        raise ValueError(f"{path} must be a text PLY file with faces and with vertices of {', '.join(_VERTEX)}")
    end = len(words) + counts["vertex"]
    vertices: NDArray[np.float32] = np.loadtxt(lines[len(words) : end], np.float32, ndmin=2)
    faces: NDArray[np.uint32] = np.loadtxt(lines[end : end + counts["face"]], np.uint32, ndmin=2)
    if faces.shape[1] != 4 or (faces[:, 0] != 3).any():
        raise ValueError(f"{path} must have triangles as faces")
    vertices[:, 6:] /= 255
    return vertices, np.ascontiguousarray(faces[:, 1:])


class Buoy:
    """Mesh and pose of a buoy on the GPU."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        vertices, triangles = read_ply(resources.folder("assets") / "buoy.ply")
        self._vertices = labelled("buoy vertices", ctx.buffer(vertices.tobytes()))
        self._triangles = labelled("buoy triangles", ctx.buffer(triangles.tobytes()))
        self._pose = labelled("buoy pose", ctx.buffer(np.eye(4, dtype="f4").tobytes()))
        self._float = shader_library(ctx).compute("buoy/pose.comp", RING=RING, **INVERSION)
        self.triangles = len(triangles)
        self._arrays: dict[moderngl.Program, moderngl.VertexArray] = {}

    def float_on(self, sea: Sea, rest: tuple[float, float]) -> None:
        """Compute the pose from the current maps, for a place of rest (x, z) [m] relative to the sea's origin."""
        sea.bind()
        sea.maps.use(Sampler.MAPS)
        self._pose.bind_to_storage_buffer(Storage.POSE)
        set_uniforms(self._float, {"rest": rest, "radius": WATER_LINE})
        self._float.run(1)
        self.ctx.memory_barrier(moderngl.Context.UNIFORM_BARRIER_BIT | moderngl.Context.BUFFER_UPDATE_BARRIER_BIT)

    def bind(self) -> None:
        """Bind all inputs of `buoy/mesh.glsl`."""
        self._pose.bind_to_uniform_block(Block.POSE)
        self._vertices.bind_to_storage_buffer(Storage.BUOY_VERTICES)
        self._triangles.bind_to_storage_buffer(Storage.BUOY_TRIANGLES)

    def draw(self, dives: bool) -> None:
        """Draw with the hardware's raster into the current framebuffer; the blocks of view and light are bound."""
        self.bind()
        program = shader_library(self.ctx).program("buoy/buoy.vert", "buoy/buoy.frag", DIVES=int(dives))
        if program not in self._arrays:
            self._arrays[program] = self.ctx.vertex_array(program, [])
        self._arrays[program].render(moderngl.TRIANGLES, 3 * self.triangles)

    def read_pose(self) -> NDArray[np.float32]:
        """Return the pose (4, 4), waiting for the GPU. Its rows are the buoy's axes (east, up and south when level) and
        the centre of its water line relative to the sea's origin [m]."""
        return np.frombuffer(self._pose.read(), "f4").reshape(4, 4)

    def release(self) -> None:
        for array in self._arrays.values():
            array.release()
        release_all(self._vertices, self._triangles, self._pose)
