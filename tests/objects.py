"""The GPU objects that are alive, asked of the driver itself."""

import ctypes
from collections import Counter
from functools import cache

import moderngl

from ocean.fft import FieldLayers
from ocean.gpu.context import gl_function
from ocean.gpu.memory import allocations

KINDS = {
    "Texture": "Textures",
    "Buffer": "Buffers",
    "Framebuffer": "Framebuffers",
    "Renderbuffer": "Renderbuffers",
    "VertexArray": "VertexArrays",
    "Query": "Queries",
    "Sampler": "Samplers",
}


def back_halves(layers: FieldLayers) -> int:
    """Return how many second halves of FFT storage of this size are alive."""
    return sum((one.label, one.bytes) == ("fft back", layers.bytes) for one in allocations(layers.ctx))


class Names:
    """The names of one kind that are alive.

    Some drivers (NVIDIA) hand out the lowest name that is free, so that any name may be new. Others (Mesa) hand out
    ever higher ones, whatever was given back: there only names above those of the last count may be new.
    """

    def __init__(self, ctx: moderngl.Context, kind: str, plural: str) -> None:
        pointer = ctypes.POINTER(ctypes.c_uint)
        self._exists = gl_function(ctx, f"glIs{kind}", ctypes.c_ubyte, ctypes.c_uint)
        self._generate = gl_function(ctx, f"glGen{plural}", None, ctypes.c_int, pointer)
        self._delete = gl_function(ctx, f"glDelete{plural}", None, ctypes.c_int, pointer)
        self._alive: set[int] = set()
        self._highest = 0

    def count(self) -> int:
        first, second = self._free_name(), self._free_name()
        start = self._highest + 1 if second > first > self._highest else 1
        self._highest = max(self._highest, second)
        self._alive = {one for one in (*self._alive, *range(start, self._highest + 1)) if self._exists(one)}
        return len(self._alive)

    def _free_name(self) -> int:
        name = ctypes.c_uint()
        self._generate(1, ctypes.byref(name))
        self._delete(1, ctypes.byref(name))
        return name.value


@cache
def names_of(ctx: moderngl.Context) -> dict[str, Names]:
    return {kind: Names(ctx, kind, plural) for kind, plural in KINDS.items()}


def gl_objects(ctx: moderngl.Context) -> Counter[str]:
    """Return the number of objects of each kind that the driver holds. Programs are left out: the shader library keeps
    them."""
    return Counter({kind: names.count() for kind, names in names_of(ctx).items()})
