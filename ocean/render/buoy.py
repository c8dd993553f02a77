"""A buoy that floats and tilts: posed by a compute pass on the maps of the same frame, and drawn with the sea."""

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

RING = 32  # points around the water line that the surface is asked at
WATER_LINE = 0.12  # m; radius of the mesh at y = 0, small against all but ripples
_VERTEX = ("x", "y", "z", "nx", "ny", "nz", "red", "green", "blue")


def read_ply(path: Path) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """Vertices (n, 9), position [m], normal and colour in 0..1, and triangles (m, 3) of a text PLY file.

    Raises:
        ValueError: for a PLY file of another layout.
    """
    lines = path.read_text(encoding="ascii").splitlines()
    words = [line.split() for line in lines[: lines.index("end_header") + 1]]
    counts = {line[1]: int(line[2]) for line in words if line[0] == "element"}
    names = tuple(line[2] for line in words if line[0] == "property" and line[1] != "list")
    if words[1] != ["format", "ascii", "1.0"] or list(counts) != ["vertex", "face"] or names != _VERTEX:
        raise ValueError(f"{path} has to be a text PLY of vertices with {', '.join(_VERTEX)}, and faces")
    end = len(words) + counts["vertex"]
    vertices: NDArray[np.float32] = np.loadtxt(lines[len(words) : end], np.float32, ndmin=2)
    faces: NDArray[np.uint32] = np.loadtxt(lines[end : end + counts["face"]], np.uint32, ndmin=2)
    if faces.shape[1] != 4 or (faces[:, 0] != 3).any():
        raise ValueError(f"{path} has faces that are no triangles")
    vertices[:, 6:] /= 255
    return vertices, np.ascontiguousarray(faces[:, 1:])


class Buoy:
    """One buoy."""

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
        """Pose it on the maps as they are; it would rest at (x, z) [m] relative to the sea's origin."""
        sea.bind()
        sea.maps.use(Sampler.MAPS)
        self._pose.bind_to_storage_buffer(Storage.POSE)
        set_uniforms(self._float, {"rest": rest, "radius": WATER_LINE})
        self._float.run(1)
        self.ctx.memory_barrier(moderngl.Context.UNIFORM_BARRIER_BIT | moderngl.Context.BUFFER_UPDATE_BARRIER_BIT)

    def bind(self) -> None:
        """Bind what `buoy/mesh.glsl` reads."""
        self._pose.bind_to_uniform_block(Block.POSE)
        self._vertices.bind_to_storage_buffer(Storage.BUOY_VERTICES)
        self._triangles.bind_to_storage_buffer(Storage.BUOY_TRIANGLES)

    def draw(self, dives: bool) -> None:
        """Draw by the hardware's raster into the framebuffer that is in use, with its depth, for a camera that dives or
        rides; the blocks of view and light are bound."""
        self.bind()
        program = shader_library(self.ctx).program("buoy/buoy.vert", "buoy/buoy.frag", DIVES=int(dives))
        if program not in self._arrays:
            self._arrays[program] = self.ctx.vertex_array(program, [])
        self._arrays[program].render(moderngl.TRIANGLES, 3 * self.triangles)

    def read_pose(self) -> NDArray[np.float32]:
        """The pose, (4, 4): rows are the buoy's axes (east, up and south when level) and where the middle of its water
        line is, relative to the sea's origin. Waits for the GPU."""
        return np.frombuffer(self._pose.read(), "f4").reshape(4, 4)

    def release(self) -> None:
        for array in self._arrays.values():
            array.release()
        release_all(self._vertices, self._triangles, self._pose)
