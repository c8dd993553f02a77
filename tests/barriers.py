"""A recorder of what shaders read and write, which finds reads and writes without the memory barrier between them.

It knows the images, samplers and blocks of each dispatch and draw from the program, and what is bound to them from the
calls of moderngl. Without a barrier that has the bit of the later access, a shader's writes are not ordered before
later reads, nor its reads and writes before later writes of shaders. Vertices and framebuffers are not recorded.
"""

import ctypes
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import moderngl

from ocean.gpu.context import gl_function
from ocean.gpu.shaders import SHADERS, ShaderSource, shader_library

UNIFORM, FETCH, IMAGE, COMMAND, TEXTURE, BUFFER, STORAGE = 0x4, 0x8, 0x20, 0x40, 0x100, 0x200, 0x2000
NAMES = {value: name for name, value in list(globals().items()) if isinstance(value, int)}
GL_UNIFORM, GL_UNIFORM_BLOCK, GL_SHADER_STORAGE_BLOCK = 0x92E1, 0x92E2, 0x92E6
GL_TYPE, GL_ARRAY_SIZE, GL_BUFFER_BINDING, GL_LOCATION, GL_ACTIVE_RESOURCES = 0x92FA, 0x92FB, 0x9302, 0x930E, 0x92F5
IMAGES = range(0x904C, 0x906D)
SAMPLERS = {*range(0x8B5D, 0x8B65), *range(0x8DC0, 0x8DD9), *range(0x9108, 0x910E)}
TEXTURES = moderngl.Texture, moderngl.TextureArray, moderngl.Texture3D


Part = tuple[str, int, range]  # kind and OpenGL name of a resource, and the levels or bytes
WHOLE = range(1 << 62)


class Recorder:
    """What is bound, and for each part of a resource the barriers since its last accesses."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self.missing: set[str] = set()  # pairs of accesses without their barrier
        self.pairs: set[str] = set()  # pairs with their barrier
        self._bound: dict[tuple[int, int], tuple[Part, str]] = {}  # by bit and unit
        self._seen: dict[tuple[Part, str, str], int] = {}  # bits since then, by part, verb and program

    def bind(self, bit: int, unit: int, resource: Any, part: range = WHOLE) -> None:
        self._bound[bit, unit] = (kind_of(resource), resource.glo, part), resource.label

    def barrier(self, bits: int) -> None:
        self._seen = {key: seen | bits for key, seen in self._seen.items()}

    def check(self, bit: int, part: Part, label: str, by: str, verb: str) -> None:
        """Check an access by a shader or a command. OpenGL orders commands that write after shaders that read."""
        is_ordered = {("reads", "reads"), ("reads", "is written")}
        for (other, earlier, who), bits in self._seen.items():
            overlaps = other[:2] == part[:2] and max(other[2][0], part[2][0]) <= min(other[2][-1], part[2][-1])
            if overlaps and (earlier, verb) not in is_ordered:
                words = f"{label}: {who} {earlier}, {by} {verb} by {NAMES[bit]}"
                (self.pairs if bits & bit else self.missing).add(words)

    def run(self, program: Any, draws: moderngl.Buffer | None = None) -> None:
        """Check all that a dispatch or draw accesses, and note it."""
        name, found = program.label, []
        for bit, unit, *verbs in uses(self.ctx, program.glo):
            if (bit, unit) in self._bound:
                found += [(bit, *self._bound[bit, unit], verb) for verb in verbs]
        if draws is not None:
            found.append((COMMAND, ("Buffer", draws.glo, WHOLE), draws.label, "reads"))
        for bit, part, label, verb in found:
            self.check(bit, part, label, name, verb)
        for _, part, _, verb in found:
            if verb == "writes":
                self._seen = {key: bits for key, bits in self._seen.items() if key[0] != part}
        self._seen |= {(part, verb, name): 0 for _, part, _, verb in found}


def kind_of(resource: Any) -> str:
    return "Buffer" if isinstance(resource, moderngl.Buffer) else "Texture"


def uses(ctx: moderngl.Context, program: int) -> Iterator[tuple[Any, ...]]:
    """Yield what a program uses: the bit of its access, its unit, and `reads`, `writes` or both."""
    get = gl_function(ctx, "glGetUniformiv", None, ctypes.c_uint, ctypes.c_int, ctypes.POINTER(ctypes.c_int))
    for bit, place, count, *verbs in described(ctx, program):
        for number in range(count):
            unit = ctypes.c_int(place)
            if bit in (IMAGE, FETCH):
                get(program, place + number, ctypes.byref(unit))
            yield bit, unit.value, *verbs


@cache
def described(ctx: moderngl.Context, program: int) -> list[tuple[Any, ...]]:
    """Return the bit, location or binding, length, and access of all that a program uses."""
    u32, i32, text = ctypes.c_uint, ctypes.c_int, source_of(ctx, program)
    numbers, letters = ctypes.POINTER(i32), ctypes.c_char_p
    count = gl_function(ctx, "glGetProgramInterfaceiv", None, u32, u32, u32, numbers)
    get = gl_function(ctx, "glGetProgramResourceiv", None, u32, u32, u32, i32, numbers, i32, numbers, numbers)
    name = gl_function(ctx, "glGetProgramResourceName", None, u32, u32, u32, i32, numbers, letters)
    found = []
    for interface, properties in (
        (GL_UNIFORM, (GL_TYPE, GL_LOCATION, GL_ARRAY_SIZE)),
        (GL_UNIFORM_BLOCK, (GL_BUFFER_BINDING,)),
        (GL_SHADER_STORAGE_BLOCK, (GL_BUFFER_BINDING,)),
    ):
        total = i32(0)
        count(program, interface, GL_ACTIVE_RESOURCES, ctypes.byref(total))
        for index in range(total.value):
            values, word = (i32 * len(properties))(), ctypes.create_string_buffer(200)
            get(program, interface, index, len(values), (i32 * len(values))(*properties), len(values), None, values)
            name(program, interface, index, 200, None, word)
            title = word.value.decode().partition("[")[0]
            if interface == GL_UNIFORM and values[0] in IMAGES:
                found.append((IMAGE, values[1], values[2], *access_of(text, title, interface)))
            elif interface == GL_UNIFORM and values[0] in SAMPLERS:
                found.append((FETCH, values[1], values[2], "reads"))
            elif interface == GL_UNIFORM_BLOCK:
                found.append((UNIFORM, values[0], 1, "reads"))
            elif interface == GL_SHADER_STORAGE_BLOCK:
                found.append((STORAGE, values[0], 1, *access_of(text, title, interface)))
    return found


def access_of(text: str, name: str, interface: int) -> list[str]:
    """Return how a source accesses an image or a block: both, where it does not say so."""
    noun = rf"uniform\s+\w*image\w+\s+{name}\b" if interface == GL_UNIFORM else rf"buffer\s+{name}\b"
    words = " ".join(re.findall(rf"layout\([^)]*\)([\w\s]*)\b{noun}", text))
    words += " ".join(re.findall(rf"#define (?:{'|'.join(words.split() or ['-'])}) (.*)", text))
    return ["reads"] * ("writeonly" not in words) + ["writes"] * ("readonly" not in words)


def source_of(ctx: moderngl.Context, program: int) -> str:
    """Return the sources of a program of the library, and nothing for any other."""
    for recipe, made in shader_library(ctx).programs.items():
        if made.glo == program:
            return "".join(ShaderSource(Path(SHADERS), name, dict(recipe.defines)).text for name in recipe.names)
    return ""


@contextmanager
def recorded(ctx: moderngl.Context) -> Iterator[Recorder]:
    """Yield a recorder of all that moderngl's objects do meanwhile."""
    recorder = Recorder(ctx)
    with ExitStack() as stack:

        def before(kind: type, name: str, note: Callable[..., None]) -> None:
            real = getattr(kind, name)

            def call(self: Any, *arguments: Any, **options: Any) -> Any:
                note(self, *arguments, **options)
                return real(self, *arguments, **options)

            stack.enter_context(patch.object(kind, name, call))

        def image(one: Any, unit: int, read: bool = True, write: bool = True, level: int = 0, format: int = 0) -> None:
            recorder.bind(IMAGE, unit, one, range(level, level + 1))

        def storage(one: moderngl.Buffer, unit: int = 0, offset: int = 0, size: int = -1) -> None:
            recorder.bind(STORAGE, unit, one, range(offset, offset + size) if size > 0 else WHOLE)

        def command(bit: int, verb: str, one: Any, *_: Any, **__: Any) -> None:
            recorder.check(bit, (kind_of(one), one.glo, WHOLE), one.label, "a command", verb)

        for kind, bit in ((moderngl.Buffer, BUFFER), *((kind, TEXTURE) for kind in TEXTURES)):
            for name in ("read", "read_into", "write"):
                before(kind, name, partial(command, bit, "is written" if name == "write" else "reads"))
        for kind in TEXTURES:
            before(kind, "use", lambda one, location=0: recorder.bind(FETCH, location, one))
            before(kind, "bind_to_image", image)
        before(moderngl.Buffer, "bind_to_storage_buffer", storage)
        before(
            moderngl.Buffer, "bind_to_uniform_block", lambda one, unit=0, *_, **__: recorder.bind(UNIFORM, unit, one)
        )
        before(moderngl.ComputeShader, "run", lambda one, *_: recorder.run(one))
        before(moderngl.ComputeShader, "run_indirect", lambda one, draws, *_: recorder.run(one, draws))
        before(moderngl.VertexArray, "render", lambda one, *_, **__: recorder.run(one.program))
        before(moderngl.VertexArray, "render_indirect", lambda one, draws, *_, **__: recorder.run(one.program, draws))
        before(moderngl.Context, "memory_barrier", lambda _, bits=-1, *__, **___: recorder.barrier(bits))

        def copy(ctx: moderngl.Context, target: moderngl.Buffer, source: moderngl.Buffer, *_: Any, **__: Any) -> None:
            command(BUFFER, "reads", source)
            command(BUFFER, "is written", target)

        before(moderngl.Context, "copy_buffer", copy)
        yield recorder
