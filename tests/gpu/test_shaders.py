"""Includes, defines, and errors that name the line a person wrote."""

import re

import pytest

from ocean.gpu.shaders import SHADERS, ShaderError, ShaderLibrary, ShaderSource


@pytest.fixture
def library(ctx, releasing, tmp_path):
    return releasing(ShaderLibrary(ctx, tmp_path))


def write(folder, name, *lines):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n")


def test_an_include_is_inserted_once_and_may_include_others(tmp_path):
    write(tmp_path, "a.comp", "#version 430", '#include "b.glsl"', '#include "common/c.glsl"', "// end")
    write(tmp_path, "b.glsl", '#include "common/c.glsl"', "// b")
    write(tmp_path, "common/c.glsl", "// c")
    source = ShaderSource(tmp_path, "a.comp", {"SIZE": 4})
    assert source.lines == ["#version 430", "#define SIZE 4", "// c", "// b", "// end"]
    assert source.origins[2:] == [("common/c.glsl", 1), ("b.glsl", 2), ("a.comp", 4)]


def test_an_include_may_be_all_files_of_a_folder(tmp_path):
    write(tmp_path, "a.comp", "#version 430", '#include "parts/*.glsl"')
    write(tmp_path, "parts/b.glsl", '#include "parts/c.glsl"', "// b")
    write(tmp_path, "parts/c.glsl", "// c")
    write(tmp_path, "parts/d.txt", "// no shader")
    assert ShaderSource(tmp_path, "a.comp", {}).lines == ["#version 430", "// c", "// b"]


def test_an_error_names_file_and_line_in_an_include(library, tmp_path):
    head = ("#version 430", "layout(local_size_x = 1) in;")
    write(tmp_path, "a.comp", *head, '#include "b.glsl"', "void main() { f(); }")
    write(tmp_path, "b.glsl", "// one", "// two", "void f() { nonsense(); }")
    with pytest.raises(ShaderError, match=r"b\.glsl:3.*nonsense"):
        library.compute("a.comp", SIZE=3, OTHER=1)


def test_an_error_names_the_stage_that_is_wrong(library, tmp_path):
    write(tmp_path, "a.vert", "#version 430", "void main() { gl_Position = vec4(0.0); }")
    write(tmp_path, "a.frag", "#version 430", "out vec4 c;", "void main() { c = missing; }")
    with pytest.raises(ShaderError, match=r"a\.frag:3.*missing"):
        library.program("a.vert", "a.frag")


def test_a_missing_include_names_who_wants_it(tmp_path):
    write(tmp_path, "a.comp", "#version 430", "", '#include "nowhere.glsl"')
    with pytest.raises(ShaderError, match=r"a\.comp:3.*nowhere\.glsl"):
        ShaderSource(tmp_path, "a.comp", {})


@pytest.mark.parametrize(
    "message",
    ["0:4(12): error: bad", "0(4) : error C1008: bad", "ERROR: 0:4: 'x' : bad"],
    ids=["mesa", "nvidia", "amd and intel"],
)
def test_locations_of_every_vendor_are_understood(tmp_path, message):
    write(tmp_path, "a.comp", "#version 430", '#include "b.glsl"')
    write(tmp_path, "b.glsl", "// one", "// two")
    assert re.search(r"b\.glsl:2\b.*bad", ShaderSource(tmp_path, "a.comp", {"N": 1}).explain(message))


def test_equal_files_and_defines_share_a_program(library, tmp_path):
    write(tmp_path, "a.comp", "#version 430", "layout(local_size_x = SIZE) in;", "void main() {}")
    first = library.compute("a.comp", SIZE=4)
    assert library.compute("a.comp", SIZE=4) is first
    assert library.compute("a.comp", SIZE=8) is not first
    assert len(library) == 2


def test_no_binding_is_a_bare_number():
    for path in SHADERS.rglob("*.*"):
        assert not re.search(r"binding\s*=\s*\d", path.read_text()), path
