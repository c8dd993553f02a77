"""Shaders for drivers that nobody here has: the reference compiler accepts every program, and no program takes more
than OpenGL 4.3 promises."""

import os
import re
import shutil
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from ctypes import POINTER, byref, c_int, c_uint
from pathlib import Path

import moderngl
import pytest

from ocean.gpu.bindings import Block, Image, Sampler, Storage
from ocean.gpu.context import create_headless_context, gl_function
from ocean.gpu.shaders import SHADERS, Recipe, ShaderSource, shader_library

from ..fft.samples import LEAST
from ..marks import slow
from .programs import every_program

glslang = pytest.mark.skipif(
    not shutil.which("glslangValidator") and not os.environ.get("CI"),
    reason="glslangValidator is missing (Debian: glslang-tools)",
)
OTHER_RENDERER = """#version 430
#include "surface/sea.glsl"
void main() { gl_Position = sea_normal(sea_displacement(vec2(0.0), 1.0).xz, 1.0); }
"""
OF_TESTS = "fft/probe_butterfly.comp"
PROMISED = {
    "storage blocks": 8,
    "images": 8,
    "storage blocks, images and outputs": 8,
    "samplers": 16,
    "uniform blocks": 12,
    "uniform components": 512,
}
"""The smallest limits of a shader stage that OpenGL 4.3 allows. A vertex shader is promised no storage block."""
IMAGES = range(0x904C, 0x906D)  # GL_IMAGE_1D to GL_UNSIGNED_INT_IMAGE_2D_MULTISAMPLE_ARRAY
SAMPLERS = {*range(0x8B5D, 0x8B65), *range(0x8DC0, 0x8DC6), *range(0x8DC9, 0x8DD9)}  # GL_SAMPLER_1D and others


@pytest.fixture(scope="module")
def programs(context, tmp_path_factory):
    """Yield the recipes of all programs of the product, each with its program."""
    fresh = create_headless_context()
    yield every_program(fresh, tmp_path_factory.mktemp("settings"))
    shader_library(fresh).release()
    fresh.release()
    context.__enter__()


@pytest.fixture(scope="module")
def linked(programs):
    return {recipe: program for recipe, program in programs.items() if program is not None}


@pytest.fixture(scope="module")
def sources(programs, tmp_path_factory):
    """Return the assembled sources of each program, by their files in a folder; also of a program that includes the
    sea."""
    folder, found = tmp_path_factory.mktemp("sources"), {}
    other = Recipe(("other_renderer.vert",), ())
    for number, recipe in enumerate((*programs, other)):
        text = OTHER_RENDERER if recipe is other else None
        found[recipe] = {
            folder / f"{number}{Path(name).suffix}": ShaderSource(SHADERS, name, dict(recipe.defines), text)
            for name in recipe.names
        }
        for path, source in found[recipe].items():
            path.write_text(source.text.replace("430", "450", 1) if has_atomics(recipe) else source.text)
    return found


def has_atomics(recipe):
    """Return whether a program has 64-bit atomics and so calls `packUint2x32` of GL_ARB_gpu_shader_int64, which glslang
    knows only from GLSL 4.50 on."""
    return bool(dict(recipe.defines).get("ATOMIC64"))


def errors(files, *options):
    """Return what glslang finds in files, as "file:line: error" of the shaders."""
    run = subprocess.run(["glslangValidator", *options, *files], capture_output=True, text=True)
    lines = re.findall(r"^(?:ERROR|WARNING): (?:(\S+):(\d+): )?(.*)$", run.stdout, re.MULTILINE)
    places = {str(path): source.origins for path, source in files.items()}
    found = {f"{':'.join(map(str, places[path][int(line) - 1])) if path else ''}: {text}" for path, line, text in lines}
    assert found or run.returncode == 0, run.stdout[-2000:] + run.stderr
    return found


@glslang
def test_the_reference_compiler_accepts_every_program(sources):
    assert errors({path: source for files in sources.values() for path, source in files.items()}, "-t") == set()


@pytest.fixture(scope="module")
def lines(sources):
    """Return the lines of shader files that are in each program, as (file, number)."""
    files = [(recipe, path, source) for recipe, one in sources.items() for path, source in one.items()]
    command = ["glslangValidator", "-E", *(path for _, path, _ in files)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    found = {recipe: set() for recipe in sources}
    texts = re.split(r"^(?=#version)", run.stdout, flags=re.MULTILINE)[1:]
    for (recipe, _, source), text in zip(files, texts, strict=True):
        pairs = zip(source.origins, text.splitlines(), strict=False)
        found[recipe].update(origin for origin, line in pairs if line.strip())
    return found


@glslang
@pytest.mark.parametrize("every", [False, slow(True)])
def test_the_reference_compiler_links_every_line_by_the_rules_of_opengl(sources, lines, every):
    """All programs of several stages are linked. Of the others, from the longest to the shortest, those are linked that
    add a line, or `every` one. SPIR-V of OpenGL needs a location for each uniform, unlike GLSL: `--aml` adds it."""
    chosen, linked = [recipe for recipe in sources if len(recipe.names) > 1], set()
    for recipe in sorted(lines, key=lambda recipe: -len(lines[recipe])):
        if every or not lines[recipe] <= linked:
            chosen.append(recipe)
            linked |= lines[recipe]
    options = "--target-env", "opengl", "--aml", "-o", os.devnull
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda recipe: errors(sources[recipe], *options), chosen)
    assert set().union(*found) == set()


@glslang
def test_every_line_of_every_shader_is_in_a_program(lines):
    left = {line for path in SHADERS.rglob("*.*") for line in code_lines(path)} - set().union(*lines.values())
    assert {f"{name}:{line}" for name, line in left if name != OF_TESTS} == set()


def code_lines(path):
    """Yield the name of a shader file with the number of each line of code. Left out are directives, and macro calls of
    several lines, which the preprocessor joins."""
    depth, follows = 0, False
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        text, before = line.partition("//")[0].strip(), depth
        is_code = bool(text) and not text.startswith("#") and not follows
        depth += text.count("(") - text.count(")") if is_code else 0
        if is_code and not (before or depth):
            yield path.relative_to(SHADERS).as_posix(), number
        follows = text.endswith("\\")


def count(recipe, program):
    """Return what a program takes. All of it counts for each of its stages, because Mesa names no stages of storage
    blocks. No fragment shader has more than one output."""
    found = Counter({"storage blocks, images and outputs": int(not recipe.names[0].endswith(".comp"))})
    for member in (program[name] for name in program):
        if isinstance(member, moderngl.StorageBlock):
            found.update(["storage blocks", "storage blocks, images and outputs"])
        elif isinstance(member, moderngl.UniformBlock):
            found["uniform blocks"] += 1
            assert member.size <= LEAST.uniform_bytes
        elif isinstance(member, moderngl.Uniform) and member.gl_type in IMAGES:
            found["images"] += member.array_length
            found["storage blocks, images and outputs"] += member.array_length
        elif isinstance(member, moderngl.Uniform) and member.gl_type in SAMPLERS:
            found["samplers"] += member.array_length
        elif isinstance(member, moderngl.Uniform):
            found["uniform components"] += member.array_length * member.dimension
    return found


def test_no_program_takes_more_than_opengl_promises(linked, sources):
    too_much = {
        (*recipe.names, kind): taken
        for recipe, program in linked.items()
        for kind, taken in count(recipe, program).items()
        if taken > PROMISED[kind]
    }
    assert too_much == {}
    vertex = {path.read_text() for files in sources.values() for path in files if path.suffix == ".vert"}
    assert len(vertex) > 2
    assert not [text for text in vertex if re.search(r"\bbuffer\b", re.sub("//.*", "", text))]


def test_binding_points_are_few_and_of_one_resource_in_each_program(linked):
    """OpenGL promises eight image units and storage buffers, 36 uniform blocks and 48 textures."""
    assert [max(kind) < most for kind, most in ((Image, 8), (Storage, 8), (Block, 36), (Sampler, 48))] == [True] * 4
    for recipe, program in linked.items():
        get_unit = gl_function(program.ctx, "glGetUniformiv", None, c_uint, c_int, POINTER(c_int))
        places, unit = Counter(), c_int()
        for member in (program[name] for name in program):
            if isinstance(member, (moderngl.StorageBlock, moderngl.UniformBlock)):
                places[type(member), member.binding] += 1
            elif isinstance(member, moderngl.Uniform) and member.gl_type in {*IMAGES, *SAMPLERS}:
                get_unit(program.glo, member.location, byref(unit))  # moderngl can't read all types of images
                places.update((member.gl_type in IMAGES, unit.value + i) for i in range(member.array_length))
        assert not [place for place, resources in places.items() if resources > 1], recipe
