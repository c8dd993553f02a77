"""A buoy that floats on the sea: a compute pass finds its pose from the maps, and it is drawn with the sea."""

from collections.abc import Iterator
from functools import cached_property, partial
from pathlib import Path

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.common import resources
from ocean.gpu.bindings import Block, Sampler, Storage
from ocean.gpu.context import labelled, release_made
from ocean.gpu.passes import BUFFERS_WRITTEN, Pass, dispatch
from ocean.gpu.shaders import set_uniforms, shader_library
from ocean.render.scene import Scene
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
    """Mesh and pose of a buoy on the GPU. The mesh is read for the first picture with a buoy."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self.pose = labelled("buoy pose", ctx.buffer(np.eye(4, dtype="f4").tobytes()))
        """The matrix of the pose: the buoy's axes and the centre of its water line, relative to the sea's origin."""

    @cached_property
    def _mesh(self) -> moderngl.Buffer:
        vertices, triangles = read_ply(resources.folder("assets") / "buoy.ply")
        return labelled("buoy mesh", self.ctx.buffer(vertices[triangles].tobytes()))

    @property
    def triangles(self) -> int:
        return self._mesh.size // (3 * 9 * 4)

    def passes(self, scene: Scene) -> Iterator[Pass]:
        """Yield the pass that floats the buoy, if the scene has one."""
        buoy, view = scene.settings.buoy, scene.settings.view
        if buoy.show:
            rest = buoy.x - view.x, buoy.z - view.z
            yield Pass("buoy pose", partial(self.float_on, scene.sea, rest), help="Finds the water line of the buoy.")

    def float_on(self, sea: Sea, rest: tuple[float, float]) -> None:
        """Compute the pose from the current maps, for a still-water position (x, z) [m] relative to the origin."""
        program = shader_library(self.ctx).compute("buoy/pose.comp", RING=RING, **INVERSION)
        sea.block.bind()
        sea.maps.use(Sampler.MAPS)
        self.pose.bind_to_storage_buffer(Storage.POSE)
        set_uniforms(program, {"rest": rest, "radius": WATER_LINE})
        dispatch(program, 1, barrier=BUFFERS_WRITTEN)

    def bind(self) -> None:
        """Bind all inputs of `buoy/mesh.glsl`."""
        self.pose.bind_to_uniform_block(Block.POSE)
        self._mesh.bind_to_storage_buffer(Storage.BUOY)

    def release(self) -> None:
        self.pose.release()
        release_made(self, "_mesh")
