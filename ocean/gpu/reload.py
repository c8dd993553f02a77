"""Shaders that are edited while the program runs: those programs whose files have changed get new code, in their place.

A program that is in use can't be replaced, since vertex arrays know it by its name. So a new one is compiled beside it,
and its binary is loaded into the old name (glGetProgramBinary and glProgramBinary, OpenGL 4.1). One that does not
compile changes nothing.
"""

import ctypes
import time
from pathlib import Path
from typing import Any

import moderngl

from ocean.gpu.context import GL_LINK_STATUS, GL_PROGRAM_BINARY_LENGTH, gl_function, program_integer
from ocean.gpu.shaders import Recipe, ShaderError, ShaderLibrary, shader_library

INTERVAL = 0.5  # s between two looks at the files
Program = Any  # moderngl's programs, of whose insides their types say nothing


class ShaderWatch:
    """The files of all programs that a context has compiled; `error` is empty, or why they can't be used."""

    def __init__(self, ctx: moderngl.Context, shaders: ShaderLibrary | None = None) -> None:
        self.ctx = ctx
        self.shaders = shaders or shader_library(ctx)
        self.error = ""
        self._seen: dict[str, int] = {}  # when a file was changed that the programs were compiled from [ns]
        self._waiting: set[str] = set()  # files that have changed and are not in use, as one of them is wrong
        self._looked = time.monotonic()

    def poll(self) -> int:
        """Look at the files every now and then; returns how many programs got new code."""
        now = time.monotonic()
        if now - self._looked < INTERVAL:
            return 0
        self._looked = now
        return self.look()

    def look(self) -> int:
        """Look at the files now. Of programs whose files have changed, all get new code or none does, until what is
        wrong is mended."""
        names = set().union(*self.shaders.files.values())
        changed = {name for name in names if self._has_changed(name)}
        if not changed:
            return 0
        self._waiting |= changed
        keys = [key for key, files in self.shaders.files.items() if files & self._waiting]
        made: dict[Recipe, Program] = {}
        try:
            for key in keys:
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
        """Whether a file is another than when this was last asked."""
        try:
            stamp = Path(self.shaders.folder, name).stat().st_mtime_ns
        except OSError:
            return False  # editors move files away before they put a new one there
        before = self._seen.setdefault(name, stamp)
        self._seen[name] = stamp
        return stamp != before


def refuse_other_inputs(old: Program, new: Program) -> None:
    """Raise ShaderError where the vertex arrays of the old program do not fit the new one."""
    before, now = (getattr(program, "_attribute_locations", None) for program in (old, new))
    if before != now:
        raise ShaderError(f"{old.label}: its vertex inputs are others now, so the program has to be started anew")


def load(ctx: moderngl.Context, old: Program, new: Program) -> None:
    """Give a program the code of another one; uniforms keep their values.

    Raises:
        ShaderError: when the driver can't do that.
    """
    u32, size = ctypes.c_uint, ctypes.POINTER(ctypes.c_int)
    values = {name: old[name].value for name in old if isinstance(old[name], moderngl.Uniform)}
    length = ctypes.c_int(program_integer(ctx, new.glo, GL_PROGRAM_BINARY_LENGTH))
    if length.value == 0:
        raise ShaderError("this driver gives no program binaries, so the program has to be started anew")
    binary, kind = ctypes.create_string_buffer(length.value), u32(0)
    fetch = gl_function(ctx, "glGetProgramBinary", None, u32, ctypes.c_int, size, ctypes.POINTER(u32), ctypes.c_void_p)
    fetch(new.glo, length.value, ctypes.byref(length), ctypes.byref(kind), binary)
    put = gl_function(ctx, "glProgramBinary", None, u32, u32, ctypes.c_void_p, ctypes.c_int)
    put(old.glo, kind, binary, length)
    if not program_integer(ctx, old.glo, GL_LINK_STATUS):
        raise ShaderError(f"{old.label}: the driver refuses its own binary, so the program has to be started anew")
    for member in (members := new._members).values():
        member.program_obj = old.glo
    old._members, old.extra = members, None
    for name, value in values.items():
        if isinstance(old.get(name, None), moderngl.Uniform):
            old[name].value = value
