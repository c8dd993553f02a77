"""Output of the mesh's vertex shader without a camera: triangles, and maps over still water."""

import ctypes
from functools import cache

import moderngl
import numpy as np

from ocean.gpu.bindings import Block, Sampler
from ocean.gpu.context import gl_function, release_framebuffer
from ocean.gpu.shaders import SHADERS, ShaderSource
from ocean.render.mesh import Mesh

GL_TRANSFORM_FEEDBACK_BUFFER = 0x8C8E
GL_RASTERIZER_DISCARD = 0x8C89

# Triangles at their positions on still water, not in the picture.
LAY_OUT = """#version 430
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
in vec2 still[];
in vec3 relative[];
out vec3 place;
uniform vec2 middle;
uniform float half_side;
void main() {
    for (int i = 0; i < 3; ++i) {
        place = relative[i];
        gl_Position = vec4((still[i] - middle) / half_side, 0.0, 1.0);
        EmitVertex();
    }
}
"""
KEEP = "#version 430\nin vec3 place;\nout vec4 kept;\nvoid main() { kept = vec4(place, 1.0); }\n"


def bind(renderer):
    renderer.camera_block.bind_to_uniform_block(Block.VIEW)
    renderer.sea.bind()
    renderer.sea.maps.use(Sampler.MAPS)
    renderer.sea.foam.bind()


def vertex_shader(renderer):
    return ShaderSource(SHADERS, "surface/surface.vert", {**Mesh.defines, **renderer.sea.foam.defines}).text


@cache
def feedback_program(ctx, vertex):
    """Return the program whose transform feedback captures the vertices of the mesh."""
    return ctx.program(vertex_shader=vertex, varyings=("still", "relative"))


def triangles(renderer, limit=600_000):
    """Return the still-water positions (n, 3, 2) and displaced positions (n, 3, 3) of the mesh's triangles, float32
    relative to the origin, by transform feedback."""
    ctx, mesh = renderer.ctx, renderer.surface.mesh
    program = feedback_program(ctx, vertex_shader(renderer))
    feedback = ctx.buffer(np.full((limit, 5), np.nan, "f4").tobytes())
    mesh.arrays.of(program)  # made before feedback begins

    def call(name, *arguments):
        gl_function(ctx, name, None, *[ctypes.c_uint] * len(arguments))(*arguments)

    bind(renderer)
    renderer.picture.use()  # NVIDIA's driver records nothing while no complete framebuffer is bound
    call("glUseProgram", program.glo)
    call("glBindBufferBase", GL_TRANSFORM_FEEDBACK_BUFFER, 0, feedback.glo)
    call("glEnable", GL_RASTERIZER_DISCARD)
    call("glBeginTransformFeedback", moderngl.TRIANGLES)
    mesh.render(program)
    call("glEndTransformFeedback")
    call("glDisable", GL_RASTERIZER_DISCARD)
    call("glBindBufferBase", GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0)
    ctx.clear_errors()  # moderngl binds the program again at each draw, which is an error during feedback
    found = np.frombuffer(feedback.read(), "f4").reshape(-1, 5)
    found = found[~np.isnan(found).any(axis=1)].reshape(-1, 3, 5)
    assert 0 < len(found) < limit // 3
    feedback.release()
    return found[..., :2], found[..., 2:]


def displacement_between(points, still, relative):
    """Return the displacement (n, 3) at still-water points (n, 2), interpolated in the triangle of `triangles` around
    each point."""
    near = ((still.min(axis=1) <= points.max(axis=0)) & (still.max(axis=1) >= points.min(axis=0))).all(axis=1)
    still, relative = still[near].astype("f8"), relative[near].astype("f8")
    edges = np.swapaxes(still[:, 1:] - still[:, :1], 1, 2)
    along = np.einsum("mij,nmj->nmi", np.linalg.inv(edges), points[:, None] - still[:, 0])
    weights = np.concatenate([1 - along.sum(axis=-1, keepdims=True), along], axis=-1)
    which = weights.min(axis=-1).argmax(axis=1)
    weights = weights[np.arange(len(points)), which, :, None]
    relative[..., ::2] -= still
    return (weights * relative[which]).sum(axis=1)


class StillMap:
    """A map of the mesh's water: world positions by the points of a square grid on still water."""

    def __init__(self, renderer, side):
        self.renderer, self.side = renderer, side
        ctx = renderer.ctx
        self.program = ctx.program(vertex_shader=vertex_shader(renderer), geometry_shader=LAY_OUT, fragment_shader=KEEP)
        self.target = ctx.framebuffer(ctx.texture((side, side), 4, dtype="f4"))

    def read(self, x, z, half_side):
        """Return world positions (side, side, 3), float64, of the water that rests within half_side [m] of world (x,
        z), from the mesh of the renderer's last frame. They are nan where the mesh has no water."""
        view = self.renderer.settings.view
        mesh = self.renderer.surface.mesh
        bind(self.renderer)
        self.target.use()
        self.renderer.ctx.enable_only(moderngl.NOTHING)
        self.target.clear()
        self.program["middle"] = x - view.x, z - view.z
        self.program["half_side"] = half_side
        mesh.render(self.program)
        kept = np.frombuffer(self.target.read(components=4, dtype="f4"), "f4").reshape(self.side, self.side, 4)
        places = np.add(kept[..., :3].astype("f8"), (view.x, 0.0, view.z))
        places[kept[..., 3] == 0] = np.nan
        return places

    def release(self):
        release_framebuffer(self.target)
        self.program.release()
