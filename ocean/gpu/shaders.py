"""Shader sources: includes, defines, errors with file and line, and one program per (files, defines).

A source is a file under `ocean/shaders` that begins with its `#version`. `#include "folder/file.glsl"` inserts a file
once, by its path under that folder; `#include "folder/*.glsl"` inserts all files that match; `#include NAME` inserts
the file that the define NAME names. `common/bindings.glsl` has no file: `ocean.gpu.bindings` makes its text. Defines
are written right after the version line. Drivers report `#line` with a source number in different ways (Mesa drops the
number). So the library maps lines of the assembled text to files, and rewrites the driver's messages.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import moderngl

from ocean.gpu.bindings import GLSL

Define = int | float | str
SHADERS = Path(__file__).parent.parent / "shaders"
MADE = {"common/bindings.glsl": GLSL}
"""Includes that are no files."""
INCLUDE = re.compile(r'^\s*#include\s+(?:"([^"]+)"|(\w+))\s*$')
# Mesa "0:12(5): error", NVIDIA "0(12) : error", AMD and Intel "ERROR: 0:12: "
LOCATION = re.compile(r"\b\d+[:(](\d+)\)?(?:\(\d+\))?(?=\s*:)")
SHADER_TYPES = {
    ".vert": "vertex_shader",
    ".tesc": "tess_control_shader",
    ".tese": "tess_evaluation_shader",
    ".geom": "geometry_shader",
    ".frag": "fragment_shader",
    ".comp": "compute_shader",
}
COMPUTE = SHADER_TYPES[".comp"]


class ShaderError(RuntimeError):
    """A source that does not assemble or compile; the message begins with the file and line of the source."""


class ShaderSource:
    """One assembled stage, the file `name` or `text` under that name: the text for the driver, and the origin of each
    line."""

    def __init__(self, folder: Path, name: str, defines: Mapping[str, Define], text: str | None = None) -> None:
        self.folder = folder
        self.defines = defines
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
            text = (self.folder / name).read_text(encoding="utf-8") if text is None else text
        except FileNotFoundError:
            raise ShaderError(f"{origin or name}: there is no shader file {name!r}") from None
        for number, line in enumerate(text.splitlines(), start=1):
            if include := INCLUDE.match(line):
                where = f"{name}:{number}"
                for included in self._matching(include[1] or self._chosen(include[2], where)):
                    self._append(included, where)
                continue
            self.lines.append(line)
            self.origins.append((name, number))
            if line.startswith("#version"):
                for key, value in self.defines.items():
                    self.lines.append(f"#define {key} {value}")
                    self.origins.append((f"{name} (define {key})", number))

    def _chosen(self, define: str, where: str) -> str:
        if define not in self.defines:
            raise ShaderError(f"{where}: no define names the file of {define}")
        return str(self.defines[define])

    def _matching(self, name: str) -> list[str]:
        if "*" not in name:
            return [name]
        return sorted(path.relative_to(self.folder).as_posix() for path in self.folder.glob(name))

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
    return ShaderSource(SHADERS, "this shader", defines, text.lstrip()).text


class Recipe(NamedTuple):
    """The ingredients of a program: stages, varyings that feedback captures, and defines. A single `.comp` is a compute
    shader."""

    names: tuple[str, ...]
    varyings: tuple[str, ...]
    defines: tuple[tuple[str, Define], ...]


class ShaderLibrary:
    """The programs of one context, compiled at first use and kept until `release`."""

    def __init__(self, ctx: moderngl.Context, folder: Path = SHADERS) -> None:
        self.ctx = ctx
        self.folder = folder
        self.files: dict[Recipe, set[str]] = {}
        """The files of each program."""
        self._programs: dict[Recipe, moderngl.Program | moderngl.ComputeShader] = {}
        self.compute = cache(self._compute)  # a frame makes a dozen requests, which sort up to 20 defines each

    def _compute(self, name: str, **defines: Define) -> moderngl.ComputeShader:
        """Return the compute shader `name` (a path under the shader folder) with these defines.

        Raises:
            ShaderError: with file:line, when it does not compile.
        """
        return self._get(Recipe((name,), (), tuple(sorted(defines.items()))))  # type: ignore[return-value]

    def program(self, *names: str, varyings: tuple[str, ...] = (), **defines: Define) -> moderngl.Program:
        """Return the program of these files, whose endings name their stages; feedback captures `varyings`.

        Raises:
            ShaderError: with file:line, when a stage does not compile or the program does not link.
        """
        return self._get(Recipe(names, varyings, tuple(sorted(defines.items()))))  # type: ignore[return-value]

    def _get(self, recipe: Recipe) -> moderngl.Program | moderngl.ComputeShader:
        if (made := self._programs.get(recipe)) is None:
            made = self._programs[recipe] = self.compiled(recipe)
        return made

    def held(self, recipe: Recipe) -> moderngl.Program | moderngl.ComputeShader:
        """Return the program of a recipe that has been compiled before."""
        return self._programs[recipe]

    def compiled(self, recipe: Recipe) -> moderngl.Program | moderngl.ComputeShader:
        """Compile a program that the library does not keep.

        Raises:
            ShaderError: with file:line, when it does not compile or link.
        """
        names, defines = recipe.names, dict(recipe.defines)
        sources = {SHADER_TYPES[Path(name).suffix]: ShaderSource(self.folder, name, defines) for name in names}
        texts: dict[str, Any] = {stage: source.text for stage, source in sources.items()}
        made: moderngl.Program | moderngl.ComputeShader
        try:
            if COMPUTE in texts:
                made = self.ctx.compute_shader(texts[COMPUTE])
            else:
                made = self.ctx.program(**texts, varyings=recipe.varyings)
        except moderngl.Error as error:
            blamed = next((s for stage, s in sources.items() if f"\n{stage}\n" in str(error)), sources.get(COMPUTE))
            raise ShaderError(blamed.explain(str(error)) if blamed else f"{names[-1]}: {error}") from error
        made.label = names[-1]
        self.files[recipe] = set().union(*(source.included for source in sources.values()))
        return made

    def text_of(self, program: moderngl.Program | moderngl.ComputeShader) -> str:
        """Return the assembled source of a program with a single stage."""
        recipe = next(recipe for recipe, one in self._programs.items() if one is program)
        return ShaderSource(self.folder, recipe.names[0], dict(recipe.defines)).text

    def __len__(self) -> int:
        return len(self._programs)

    def release(self) -> None:
        """Release all programs; a later request compiles again."""
        for program in self._programs.values():
            program.release()
        self._programs.clear()
        self.compute.cache_clear()
        self.files.clear()


def shader_library(ctx: moderngl.Context) -> ShaderLibrary:
    """Return the library that all parts of the program share for this context. It lives as long as the context."""
    if ctx.extra is None:
        ctx.extra = ShaderLibrary(ctx)
    return ctx.extra  # type: ignore[no-any-return]
