"""Shaders: includes, defines, errors with file and line, one program per (files, defines), uniforms, and hot reload.

A source is a file under `ocean/shaders` that begins with its `#version`. `#include "folder/file.glsl"` inserts a file
once, by its path under that folder; `#include "folder/*.glsl"` inserts all files that match; `#include NAME` inserts
the file that the define NAME names. `common/bindings.glsl` is made by `ocean.gpu.bindings`. Defines are written right
after the version line. Drivers report `#line` with a source number in different ways (Mesa drops the number). So the
library maps lines of the assembled text to files, and rewrites the driver's messages. Uniforms and blocks are written
only when they change, because a write costs as much as a dispatch.
"""

import ctypes
import re
import time
from collections.abc import Generator, Mapping
from functools import cache, lru_cache
from glob import glob
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakValueDictionary, finalize

import moderngl
import numpy as np

from ocean.gpu.bindings import GLSL
from ocean.gpu.context import GL_LINK_STATUS, GL_PROGRAM_BINARY_LENGTH, gl_function, gl_number, labelled, of_context

Define = int | float | str
Program = moderngl.Program | moderngl.ComputeShader
SHADERS = Path(__file__).parent.parent / "shaders"
MADE = {"common/bindings.glsl": GLSL}  # includes that are made, not read
INCLUDE = re.compile(r'^\s*#include\s+(?:"([^"]+)"|(\w+))\s*$')
# Mesa "0:12(5): error", NVIDIA "0(12) : error", AMD and Intel "ERROR: 0:12: "
LOCATION = re.compile(r"\b\d+[:(](\d+)\)?(?:\(\d+\))?(?=\s*:)")
SHADER_TYPES = {".vert": "vertex_shader", ".frag": "fragment_shader", ".comp": "compute_shader"}
CORNERS = "common/fullscreen.vert"
MOST_KERNELS = 64  # kernels that are kept although no plan uses them; each takes up to some MB of the driver's memory
LOOK_INTERVAL = 0.5  # s between two checks of the files


class ShaderError(RuntimeError):
    """A source that does not assemble or compile; the message begins with the file and line of the source."""


class ShaderSource:
    """The assembled source of one shader stage, from a file or `text` under its name, with the origin of each line."""

    def __init__(self, folder: Path, name: str, defines: Mapping[str, Define], text: str | None = None) -> None:
        self.folder, self.defines = folder, defines
        self.lines: list[str] = []
        self.origins: list[tuple[str, int]] = []
        self.included: set[str] = set()
        self._append(name, text=text)

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def _append(self, name: str, origin: str = "", text: str | None = None) -> None:
        if name in self.included:
            return
        self.included.add(name)
        text = MADE.get(name) if text is None else text
        try:
            place = (self.folder / name).resolve().relative_to(self.folder.resolve())  # ValueError if it is elsewhere
            text = (self.folder / place).read_text(encoding="utf-8") if text is None else text
        except (OSError, ValueError):
            raise ShaderError(f"{origin or name}: there is no shader file {name!r}") from None
        for number, line in enumerate(text.splitlines(), start=1):
            if include := INCLUDE.match(line):
                self._include(include, f"{name}:{number}")
                continue
            self.lines.append(line)
            self.origins.append((name, number))
            if line.startswith("#version"):
                for key, value in self.defines.items():
                    self.lines.append(f"#define {key} {value}")
                    self.origins.append((f"{name} (define {key})", number))

    def _include(self, include: re.Match[str], where: str) -> None:
        path, define = include.groups()
        if path is None and define not in self.defines:
            raise ShaderError(f"{where}: no define names the file of {define}")
        wanted = path or str(self.defines[define])
        if "*" not in wanted:
            self._append(wanted, where)
            return
        for found in sorted(glob(wanted, root_dir=self.folder)):
            self._append(Path(found).as_posix(), where)

    def explain(self, message: str) -> str:
        """Return the driver's message with file:line in place of its line numbers."""

        def replace(match: re.Match[str]) -> str:
            number = int(match[1])
            if not 1 <= number <= len(self.origins):
                return match[0]
            name, line = self.origins[number - 1]
            return f"{name}:{line}"

        wanted = [line for line in message.splitlines() if LOCATION.search(line)]
        return "\n".join(LOCATION.sub(replace, line) for line in wanted) or message.strip()


def shader_source(text: str, **defines: Define) -> str:
    """Return GLSL of another program with its includes of this program's shaders expanded, such as
    `#include "surface/sea.glsl"`, and with `defines` after its `#version` line.

    Raises:
        ShaderError: when there is no such file.
    """
    if not isinstance(text, str):
        raise ShaderError(f"a shader is a text, not {text!r}")
    return ShaderSource(SHADERS, "this shader", defines, text.lstrip()).text


class Recipe(NamedTuple):
    """Files and defines of a program. A single `.comp` is a compute shader."""

    names: tuple[str, ...]
    defines: tuple[tuple[str, Define], ...]


class ShaderLibrary:
    """The programs of one context, compiled at first use and kept until `release`, except kernels."""

    def __init__(self, ctx: moderngl.Context, folder: Path = SHADERS) -> None:
        self.ctx, self.folder = ctx, folder
        self._files: dict[Recipe, set[str]] = {}
        self.reloads = 0  # number of times that the code of programs in use was replaced
        self._programs: WeakValueDictionary[Recipe, Program] = WeakValueDictionary()
        self._kept: list[Program] = []  # programs, for ever
        self._dropped: list[Any] = []  # OpenGL objects of kernels that nobody refers to
        self.compute = cache(self._compute)  # a frame makes a dozen requests, which sort up to 20 defines each
        self.kernel = lru_cache(MOST_KERNELS)(self._kernel)

    @property
    def programs(self) -> dict[Recipe, Program]:
        """The programs in use. The dictionary holds them: kernels that nobody refers to could vanish under a loop."""
        return dict(self._programs.items())

    @property
    def files(self) -> dict[Recipe, set[str]]:
        """The files of each program in use."""
        programs = self.programs
        return {recipe: files for recipe, files in self._files.items() if recipe in programs}

    def _compute(self, name: str, **defines: Define) -> moderngl.ComputeShader:
        """Return the compute shader `name` (a path under the shader folder) with these defines. Raises ShaderError with
        file:line, when it does not compile."""
        made: moderngl.ComputeShader = self._take((name,), defines)
        return made

    def program(self, *names: str, **defines: Define) -> moderngl.Program:
        """Return the program of these files, whose endings name their shader stages. Raises ShaderError with file:line,
        when a stage does not compile or the program does not link."""
        made: moderngl.Program = self._take(names, defines)
        return made

    def _kernel(self, name: str, **defines: Define) -> Any:
        """Return a compute shader that is kept only while it is referred to, or among the MOST_KERNELS last ones: each
        length of a transform has kernels of its own."""
        recipe = Recipe((name,), tuple(sorted(defines.items())))
        made = self._programs.get(recipe)
        if made is None:
            self._delete_dropped()
            self._programs[recipe] = made = self.compiled(recipe)
            finalize(made, self._dropped.append, made.mglo).atexit = False
        return made

    def clear_kernels(self) -> None:
        """Delete the kernels that nobody refers to."""
        self.kernel.cache_clear()
        self._delete_dropped()

    def _delete_dropped(self) -> None:
        while self._dropped:
            self._dropped.pop().release()
        self._files = self.files

    def _take(self, names: tuple[str, ...], defines: dict[str, Define]) -> Any:
        recipe = Recipe(names, tuple(sorted(defines.items())))
        if recipe not in self._programs:
            self._programs[recipe] = made = self.compiled(recipe)
            self._kept.append(made)
        return self._programs[recipe]

    def compiled(self, recipe: Recipe) -> Program:
        """Compile a program that the library does not keep."""
        names, defines = recipe.names, dict(recipe.defines)
        sources = {SHADER_TYPES[Path(name).suffix]: ShaderSource(self.folder, name, defines) for name in names}
        texts = {kind: source.text for kind, source in sources.items()}
        try:
            if "compute_shader" in texts:
                made: Program = self.ctx.compute_shader(texts["compute_shader"])
            else:
                made = self.ctx.program(texts["vertex_shader"], fragment_shader=texts.get("fragment_shader"))
        except moderngl.Error as error:
            blamed = next((source for kind, source in sources.items() if f"\n{kind}\n" in str(error)), None)
            blamed = blamed or sources.get("compute_shader")
            raise ShaderError(blamed.explain(str(error)) if blamed else f"{names[-1]}: {error}") from error
        made.label = names[-1]
        self._files[recipe] = set().union(*(source.included for source in sources.values()))
        return made

    def text_of(self, program: Program) -> str:
        """Return the assembled source of a program with a single file."""
        recipe = next(recipe for recipe, known in self._programs.items() if known is program)
        return ShaderSource(self.folder, recipe.names[0], dict(recipe.defines)).text

    def __len__(self) -> int:
        return len(self._programs)

    def release(self) -> None:
        """Release all programs; a later request compiles again."""
        for program in self._programs.values():
            program.release()
        self.compute.cache_clear()
        self._kept.clear()
        self.clear_kernels()
        self._programs.clear()
        self._files.clear()


def shader_library(ctx: moderngl.Context) -> ShaderLibrary:
    """Return the library that all parts of the program share for this context. It lives as long as the context."""
    return of_context(ctx, ShaderLibrary)


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
    """A triangle that covers the viewport: the vertex shader CORNERS makes its corners without input."""

    def draw(self, program: moderngl.Program) -> None:
        self.of(program).render(mode=moderngl.TRIANGLES, vertices=3)


# -- Uniforms and blocks -----------------------------------------------------------------------------------------------


TYPES: dict[str, tuple[str, tuple[int, ...]]] = {
    "float": ("f4", ()),
    "int": ("i4", ()),
    "uint": ("u4", ()),
    "vec2": ("f4", (2,)),
    "ivec2": ("i4", (2,)),
    "vec4": ("f4", (4,)),
    "ivec4": ("i4", (4,)),
    "mat4": ("f4", (4, 4)),
}
"""Types of a block's members: type and shape as in numpy."""


@cache
def block_layout(file: str, name: str, **lengths: int) -> np.dtype[np.void]:
    """Return the std140 layout of a shader's uniform block or struct. `lengths` are those of arrays, by define."""
    text = re.sub("//.*", "", (SHADERS / file).read_text(encoding="utf-8"))
    declared = re.search(rf"(?:struct|uniform) {name} {{(.*?)}}", text, re.DOTALL)
    assert declared, f"{file} declares no {name}"
    members: dict[str, tuple[object, int]] = {}  # type and offset
    end = 0
    for kind, listed in re.findall(r"(\w+)\s+([^;]+);", declared[1]):
        for member, length in re.findall(r"(\w+)(?:\[(\w+)\])?", listed):
            form = np.dtype(TYPES[kind] if kind in TYPES else block_layout(file, kind, **lengths))
            shape = (lengths.get(length) or int(length),) if length else ()
            start = -(-end // min(form.itemsize, 16)) * min(form.itemsize, 16)
            members[member] = np.dtype((form, shape)), start
            end = start + np.dtype((form, shape)).itemsize
    forms, offsets = zip(*members.values(), strict=True)
    size = -(-end // 16) * 16
    return np.dtype({"names": list(members), "formats": forms, "offsets": offsets, "itemsize": size})


def listed(data: Any) -> Any:
    """Return a uniform block by the names of its members, as JSON can hold it. Arrays of structs become a dict of
    arrays, and infinite numbers become large ones."""
    if data.dtype.names:
        return {name: listed(data[name]) for name in data.dtype.names}
    return np.nan_to_num(data).tolist()


def set_uniforms(program: moderngl.ComputeShader | moderngl.Program, values: Mapping[str, Any]) -> None:
    """Set the uniforms that have changed, except those that the compiler dropped. The program remembers the values, so
    no other code may set the same uniforms."""
    if program.extra is None:
        program.extra = dict.fromkeys(program)
    held: dict[str, Any] = program.extra
    for name, value in values.items():
        if name in held and held[name] != value:
            program[name] = held[name] = value


class UniformBlock:
    def __init__(self, ctx: moderngl.Context, label: str, binding: int, layout: np.dtype[np.void]) -> None:
        self.layout = layout
        self.buffer = labelled(label, ctx.buffer(reserve=layout.itemsize))
        self._binding = binding
        self._held = b""

    def write(self, data: bytes) -> None:
        if data != self._held:
            self.buffer.write(data)
            self._held = data

    def members(self) -> Any:
        """Return what was written last, as numbers and lists by the names of members; infinite numbers are large."""
        return listed(np.frombuffer(self._held, self.layout)[0])

    def bind(self) -> None:
        self.buffer.bind_to_uniform_block(self._binding)

    def release(self) -> None:
        self.buffer.release()


# -- Hot reload --------------------------------------------------------------------------------------------------------


class ShaderWatch:
    """A watch on the files of all programs of a context: programs whose files have changed get new code in place.
    `error` says why changed files can't be used, and `notice` what the next `poll` compiles; both may be empty."""

    def __init__(self, ctx: moderngl.Context, shaders: ShaderLibrary | None = None) -> None:
        self.ctx = ctx
        self.shaders = shaders or shader_library(ctx)
        self.error = self.notice = ""
        self._seen: dict[str, int] = {}  # modification time of each file [ns]
        self._waiting: set[str] = set()  # changed files that are not in use yet, since one has an error
        self._looked = time.monotonic()
        self._loading: Generator[str, None, int] | None = None

    def poll(self) -> int:
        """Check the files twice a second at most; return the number of programs with new code. After files have
        changed, each call compiles one program, and the last call puts all in use: frames in between can show
        `notice`. Either all programs with changed files get new code, or none does until the errors are mended."""
        if self._loading is None:
            now = time.monotonic()
            if now - self._looked < LOOK_INTERVAL:
                return 0
            self._looked = now
            changed = {name for name in set().union(*self.shaders.files.values()) if self._has_changed(name)}
            self._waiting |= changed
            if not changed:
                return 0
            self._loading = self._load()
        try:
            self.notice = next(self._loading)
        except StopIteration as end:
            self._loading, self.notice = None, ""
            return int(end.value)
        return 0

    def _load(self) -> Generator[str, None, int]:
        """Compile the programs whose files wait, each after a notice; put them in use, and return their number."""
        shaders = self.shaders
        olds = {one: program for one, program in shaders.programs.items() if shaders.files[one] & self._waiting}
        names = ", ".join(sorted(self._waiting))
        made: dict[Recipe, Program] = {}
        try:
            for number, recipe in enumerate(olds, start=1):
                yield f"compiling {names}: program {number} of {len(olds)} …"
                made[recipe] = shaders.compiled(recipe)
            for recipe, new in made.items():
                before, now = (getattr(one, "_attribute_locations", None) for one in (olds[recipe], new))
                if before != now:  # vertex arrays of the old program would not fit
                    raise ShaderError(f"{new.label}: its vertex inputs have changed; restart the program")
            for recipe, new in made.items():
                _replace_code(self.ctx, olds[recipe], new)
        except ShaderError as error:
            self.error = str(error)
            return 0
        finally:
            for program in made.values():
                program.release()
        self.error = ""
        self._waiting.clear()
        shaders.reloads += 1
        return len(olds)

    def _has_changed(self, name: str) -> bool:
        try:
            stamp = Path(self.shaders.folder, name).stat().st_mtime_ns
        except OSError:
            return False  # editors remove a file before they write the new one
        before = self._seen.setdefault(name, stamp)
        self._seen[name] = stamp
        return stamp != before

    def release(self) -> None:
        """Discard programs that are not in use yet."""
        if self._loading is not None:
            self._loading.close()
            self._loading = None


def _replace_code(ctx: moderngl.Context, old: Any, new: Any) -> None:
    """Give a program the code of another one; uniforms keep their values. Vertex arrays know a program by its OpenGL
    name, so the new program's binary is loaded into the old name. Raises ShaderError when the driver can't do that."""
    u32, size = ctypes.c_uint, ctypes.POINTER(ctypes.c_int)
    values = {name: old[name].value for name in old if isinstance(old[name], moderngl.Uniform)}
    length = ctypes.c_int(gl_number(ctx, "glGetProgramiv", new.glo, GL_PROGRAM_BINARY_LENGTH))
    if length.value == 0:
        raise ShaderError("this driver provides no program binaries; restart the program")
    binary, kind = ctypes.create_string_buffer(length.value), u32(0)
    fetch = gl_function(ctx, "glGetProgramBinary", None, u32, ctypes.c_int, size, ctypes.POINTER(u32), ctypes.c_void_p)
    fetch(new.glo, length.value, ctypes.byref(length), ctypes.byref(kind), binary)
    put = gl_function(ctx, "glProgramBinary", None, u32, u32, ctypes.c_void_p, ctypes.c_int)
    put(old.glo, kind, binary, length)
    if not gl_number(ctx, "glGetProgramiv", old.glo, GL_LINK_STATUS):
        raise ShaderError(f"{old.label}: the driver rejects its own binary; restart the program")
    for member in (members := new._members).values():
        member.program_obj = old.glo
    old._members, old.extra = members, None
    for name, value in values.items():
        if isinstance(old.get(name, None), moderngl.Uniform):
            old[name].value = value
