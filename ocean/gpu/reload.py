"""Hot reload of shaders: programs whose files have changed get new code in place.

A program that is in use can't be replaced, since vertex arrays know it by its name. So a new program is compiled, and
its binary is loaded into the old name (glGetProgramBinary and glProgramBinary, OpenGL 4.1). A shader that does not
compile changes nothing.
"""

import ctypes
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import moderngl

from ocean.gpu.context import GL_LINK_STATUS, GL_PROGRAM_BINARY_LENGTH, gl_function, program_integer
from ocean.gpu.shaders import Recipe, ShaderError, ShaderLibrary, shader_library

INTERVAL = 0.5  # s between two checks of the files
Program = Any  # moderngl's types do not declare the members used here


class ShaderWatch:
    """A watch on the files of all programs of a context. `error` is the reason why changed files can't be used, and
    `notice` names the program that the next `poll` compiles; both may be empty."""

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
        `notice`. Either all programs with changed files get new code, or none does until the errors are
        mended."""
        if self._loading is None:
            now = time.monotonic()
            if now - self._looked < INTERVAL:
                return 0
            self._looked = now
            if not self._find():
                return 0
            self._loading = self._load()
        try:
            self.notice = next(self._loading)
        except StopIteration as end:
            self._loading, self.notice = None, ""
            return int(end.value)
        return 0

    def release(self) -> None:
        """Give up programs that are not in use yet."""
        if self._loading is not None:
            self._loading.close()
            self._loading = None

    def _find(self) -> set[str]:
        """Return the files that have changed since the last call; they wait to be compiled."""
        changed = {name for name in set().union(*self.shaders.files.values()) if self._has_changed(name)}
        self._waiting |= changed
        return changed

    def _load(self) -> Generator[str, None, int]:
        """Compile the programs whose files wait, put them in use, and return their number. Yields a notice before each
        program."""
        keys = [key for key, files in self.shaders.files.items() if files & self._waiting]
        names = ", ".join(sorted(self._waiting))
        made: dict[Recipe, Program] = {}
        try:
            for number, key in enumerate(keys, start=1):
                yield f"compiling {names}: program {number} of {len(keys)} …"
                made[key] = self.shaders.compiled(key)
            for key in keys:
                refuse_other_inputs(self.shaders.held(key), made[key])
            for key in keys:
                load(self.ctx, self.shaders.held(key), made[key])
        except ShaderError as error:
            self.error = str(error)
            return 0
        finally:
            for program in made.values():
                program.release()
        self.error = ""
        self._waiting.clear()
        return len(keys)

    def _has_changed(self, name: str) -> bool:
        try:
            stamp = Path(self.shaders.folder, name).stat().st_mtime_ns
        except OSError:
            return False  # editors remove a file before they write the new one
        before = self._seen.setdefault(name, stamp)
        self._seen[name] = stamp
        return stamp != before


def refuse_other_inputs(old: Program, new: Program) -> None:
    """Raise ShaderError if the vertex arrays of the old program do not fit the new one."""
    before, now = (getattr(program, "_attribute_locations", None) for program in (old, new))
    if before != now:
        raise ShaderError(f"{old.label}: its vertex inputs have changed; restart the program")


def load(ctx: moderngl.Context, old: Program, new: Program) -> None:
    """Give a program the code of another one; uniforms keep their values.

    Raises:
        ShaderError: when the driver can't do that.
    """
    u32, size = ctypes.c_uint, ctypes.POINTER(ctypes.c_int)
    values = {name: old[name].value for name in old if isinstance(old[name], moderngl.Uniform)}
    length = ctypes.c_int(program_integer(ctx, new.glo, GL_PROGRAM_BINARY_LENGTH))
    if length.value == 0:
        raise ShaderError("this driver provides no program binaries; restart the program")
    binary, kind = ctypes.create_string_buffer(length.value), u32(0)
    fetch = gl_function(ctx, "glGetProgramBinary", None, u32, ctypes.c_int, size, ctypes.POINTER(u32), ctypes.c_void_p)
    fetch(new.glo, length.value, ctypes.byref(length), ctypes.byref(kind), binary)
    put = gl_function(ctx, "glProgramBinary", None, u32, u32, ctypes.c_void_p, ctypes.c_int)
    put(old.glo, kind, binary, length)
    if not program_integer(ctx, old.glo, GL_LINK_STATUS):
        raise ShaderError(f"{old.label}: the driver rejects its own binary; restart the program")
    for member in (members := new._members).values():
        member.program_obj = old.glo
    old._members, old.extra = members, None
    for name, value in values.items():
        if isinstance(old.get(name, None), moderngl.Uniform):
            old[name].value = value
