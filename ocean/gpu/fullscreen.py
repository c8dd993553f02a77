"""A triangle that covers the whole viewport."""

import moderngl

CORNERS = "common/fullscreen.vert"


class FullscreenTriangle:
    """A triangle whose corners a vertex shader makes without input, for any number of programs."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self._arrays: dict[moderngl.Program, moderngl.VertexArray] = {}

    def draw(self, program: moderngl.Program) -> None:
        if program not in self._arrays:
            self._arrays[program] = self.ctx.vertex_array(program, [])
        self._arrays[program].render(mode=moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        for array in self._arrays.values():
            array.release()
        self._arrays.clear()
