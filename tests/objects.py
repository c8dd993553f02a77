"""The GPU objects that are alive, asked of the driver itself."""

import ctypes
from collections import Counter
from functools import cache

import moderngl

from ocean.gpu.context import gl_function

KINDS = {
    "Texture": "Textures",
    "Buffer": "Buffers",
    "Framebuffer": "Framebuffers",
    "Renderbuffer": "Renderbuffers",
    "VertexArray": "VertexArrays",
    "Query": "Queries",
    "Sampler": "Samplers",
}


class Names:
    """The names of one kind that are alive. Some drivers hand out the lowest that is free, and some (Mesa) ever higher
    ones, whatever was given back: so none below a limit says little, and those are looked at that may be new."""

    def __init__(self, ctx: moderngl.Context, kind: str, plural: str) -> None:
        pointer = ctypes.POINTER(ctypes.c_uint)
        self._exists = gl_function(ctx, f"glIs{kind}", ctypes.c_ubyte, ctypes.c_uint)
        self._generate = gl_function(ctx, f"glGen{plural}", None, ctypes.c_int, pointer)
        self._delete = gl_function(ctx, f"glDelete{plural}", None, ctypes.c_int, pointer)
        self._alive: set[int] = set()
        self._highest = 0

    def count(self) -> int:
        name = ctypes.c_uint()
        self._generate(1, ctypes.byref(name))
        self._delete(1, ctypes.byref(name))
        first = self._highest + 1 if name.value > self._highest else 1
        self._highest = max(self._highest, name.value)
        self._alive = {one for one in (*self._alive, *range(first, self._highest + 1)) if self._exists(one)}
        return len(self._alive)


@cache
def names_of(ctx: moderngl.Context) -> dict[str, Names]:
    return {kind: Names(ctx, kind, plural) for kind, plural in KINDS.items()}


def gl_objects(ctx: moderngl.Context) -> Counter[str]:
    """Return the number of objects of each kind that the driver holds. Programs are left out: the shader library keeps
    them."""
    return Counter({kind: names.count() for kind, names in names_of(ctx).items()})
