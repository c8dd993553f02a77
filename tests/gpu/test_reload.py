"""Shaders that change while they are in use: the same programs go on with new code, or with the old one."""

import os

import numpy as np
import pytest

from ocean.gpu.context import release_framebuffer
from ocean.gpu.shaders import ShaderLibrary, ShaderWatch
from tests.messages import unnamed

FILES = {
    "factor.glsl": "const float FACTOR = 2.0;\n",
    "scaled.comp": '#version 430\n#include "factor.glsl"\nlayout(local_size_x = 1) in;\nuniform float gain;\n'
    "layout(std430, binding = 0) buffer Result { float result; };\nvoid main() { result = gain * FACTOR; }\n",
    "plain.comp": "#version 430\nlayout(local_size_x = 1) in;\n"
    "layout(std430, binding = 0) buffer Result { float result; };\nvoid main() { result = 7.0; }\n",
    "corner.vert": "#version 430\nin vec2 corner;\nvoid main() { gl_Position = vec4(corner, 0, 1); }\n",
    "tint.frag": "#version 430\nuniform vec3 tint;\nout vec4 colour;\nvoid main() { colour = vec4(tint, 1); }\n",
}


class Shaders:
    """A folder of shaders, the programs made of them, and what they compute and draw."""

    def __init__(self, ctx, folder):
        self.folder, self.edits = folder, 0
        for name, text in FILES.items():
            (folder / name).write_text(text)
        self.shaders = ShaderLibrary(ctx, folder)
        self.scaled, self.plain = self.shaders.compute("scaled.comp"), self.shaders.compute("plain.comp")
        self.tinted = self.shaders.program("corner.vert", "tint.frag")
        self.scaled["gain"], self.tinted["tint"] = 3.0, (0.2, 0.4, 0.6)
        self.result = ctx.buffer(reserve=4)
        self.corners = ctx.buffer(np.array([-1, -1, 3, -1, -1, 3], "f4"))
        self.array = ctx.vertex_array(self.tinted, [(self.corners, "2f", "corner")])
        self.target = ctx.simple_framebuffer((2, 2))
        self.watch = ShaderWatch(ctx, self.shaders)
        assert self.look() == 0

    def look(self):
        """Poll as often as the window does until changed files are in use; return how many programs are new."""
        count = self.watch.poll()
        while self.watch.notice:
            count += self.watch.poll()
        return count

    def edit(self, name, old, new):
        """Write a file again, with a later time stamp than before; return how many programs are new."""
        path, self.edits = self.folder / name, self.edits + 1
        path.write_text(path.read_text().replace(old, new))
        stamp = path.stat().st_mtime_ns + self.edits * 10**9
        os.utime(path, ns=(stamp, stamp))
        return self.look()

    def computed(self, shader):
        self.result.bind_to_storage_buffer(0)
        shader.run(1)
        return float(np.frombuffer(self.result.read(), "f4")[0])

    def drawn(self):
        self.target.use()
        self.array.render()
        return list(self.target.read(components=3)[:3])


@pytest.fixture
def shaders(ctx, tmp_path, monkeypatch):
    monkeypatch.setattr("ocean.gpu.shaders.LOOK_INTERVAL", 0.0)
    made = Shaders(ctx, tmp_path)
    yield made
    release_framebuffer(made.target)
    made.shaders.release()
    for item in (made.array, made.corners, made.result):
        item.release()


def test_a_changed_include_reloads_its_programs_and_keeps_uniforms(shaders):
    assert (shaders.computed(shaders.scaled), shaders.computed(shaders.plain)) == (6, 7)
    assert shaders.edit("factor.glsl", "2.0", "5.0") == 1
    assert (shaders.computed(shaders.scaled), shaders.computed(shaders.plain)) == (15, 7)
    shaders.scaled["gain"] = 10.0
    assert shaders.computed(shaders.scaled) == 50
    assert shaders.look() == 0


def test_a_failed_reload_names_file_and_line_and_keeps_the_old_program(shaders):
    assert shaders.edit("factor.glsl", "2.0", "nonsense") == 0
    assert shaders.watch.error.startswith("factor.glsl:1")
    assert "nonsense" in shaders.watch.error
    assert shaders.computed(shaders.scaled) == 6
    assert shaders.edit("factor.glsl", "nonsense", "4.0") == 1
    assert shaders.watch.error == ""
    assert shaders.computed(shaders.scaled) == 12


def test_a_reload_error_stays_until_the_file_is_mended(shaders):
    assert shaders.edit("factor.glsl", "2.0", "nonsense") == 0
    assert shaders.edit("plain.comp", "7.0", "8.0") == 0
    assert shaders.watch.error.startswith("factor.glsl:1")
    assert shaders.edit("factor.glsl", "nonsense", "4.0") == 2
    assert shaders.watch.error == ""
    assert (shaders.computed(shaders.scaled), shaders.computed(shaders.plain)) == (12, 8)


def test_a_program_that_draws_is_renewed_where_it_is_bound(shaders):
    assert shaders.drawn() == [51, 102, 153]
    assert shaders.edit("tint.frag", "uniform vec3 tint;", "uniform vec3 tint;\nuniform float more;") == 1
    assert shaders.edit("tint.frag", "vec4(tint, 1)", "vec4(tint.bgr + more, 1)") == 1
    assert shaders.drawn() == [153, 102, 51]
    shaders.tinted["more"] = 0.2
    assert shaders.drawn() == [204, 153, 102]


def test_other_vertex_inputs_are_refused(shaders):
    edited = shaders.edit("corner.vert", "in vec2 corner;", "in vec2 corner;\nin float more;")
    edited += shaders.edit("corner.vert", "vec4(corner, 0, 1)", "vec4(corner, more, 1)")
    assert unnamed(shaders.watch.error, shaders.tinted.label, "vertex inputs restart") == []
    assert edited <= 1  # the first of both, whose input the compiler drops
    assert shaders.drawn() == [51, 102, 153]


def test_old_programs_run_until_all_new_ones_are_compiled(shaders):
    shaders.shaders.compute("scaled.comp", OTHER=1)
    path = shaders.folder / "factor.glsl"
    path.write_text(path.read_text().replace("2.0", "5.0"))
    os.utime(path, ns=(path.stat().st_mtime_ns + 10**9,) * 2)
    for number in (1, 2):
        assert shaders.watch.poll() == 0
        assert unnamed(shaders.watch.notice, f"compiling factor.glsl {number} of 2") == []
        assert shaders.computed(shaders.scaled) == 6.0
    assert shaders.watch.poll() == 2
    assert shaders.watch.notice == ""
    assert shaders.computed(shaders.scaled) == 15.0
