"""Vertex arrays, and a triangle that covers the whole viewport."""

from typing import Any

import moderngl

CORNERS = "common/fullscreen.vert"


class VertexArrays:
    """The vertex arrays of one set of buffers for any number of programs, made at first use."""

    def __init__(self, ctx: moderngl.Context, content: list[Any] | None = None, indices: moderngl.Buffer | None = None):
        self.ctx = ctx
        self._buffers = content or [], indices
        self._arrays: dict[moderngl.Program, moderngl.VertexArray] = {}

    def of(self, program: moderngl.Program) -> moderngl.VertexArray:
        if program not in self._arrays:
            self._arrays[program] = self.ctx.vertex_array(program, *self._buffers)
        return self._arrays[program]

    def release(self) -> None:
        for array in self._arrays.values():
            array.release()
        self._arrays.clear()


class FullscreenTriangle(VertexArrays):
    """A triangle whose vertex shader makes the corners without input."""

    def draw(self, program: moderngl.Program) -> None:
        self.of(program).render(mode=moderngl.TRIANGLES, vertices=3)
