"""The examples run as a reader would run them, and their results are right."""

import csv
import ctypes
import io
import os
import runpy
import subprocess
import sys
from pathlib import Path

import moderngl
import numpy as np
import pytest
from PIL import Image

import ocean
from ocean import load_settings, render_picture, shader_source
from ocean.export.plan import Plan
from ocean.export.run import export
from ocean.gpu.bindings import Sampler
from ocean.gpu.context import (
    FRAMEBUFFERS,
    GL_DEPTH_FUNC,
    GL_VIEWPORT,
    SWITCHES,
    WRITE_MASKS,
    gl_function,
    gl_number,
    release_all,
    release_framebuffer,
)
from ocean.gpu.shaders import ShaderError
from ocean.settings import SettingsError
from tests.messages import naming
from tests.reference import sea as reference

EXAMPLES = Path(__file__).parents[1] / "examples"
TINY = ("sky.clouds=0", "fft.size=32", "cascades.count=2", "foam.resolution=64", "foam.decay=0.5", "view.samples=1")


@pytest.fixture
def example(context, monkeypatch, capsys):
    """Yield a function that runs an example, with arguments and with parts of its text replaced, and returns its
    output."""

    def run(name, *arguments, replaced=("", "")):
        text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
        assert replaced[0] in text
        monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        exec(compile(text.replace(*replaced), f"{name}.py", "exec"), {"__name__": "__main__"})
        return capsys.readouterr().out

    yield run
    context.__enter__()  # examples make contexts of their own


def test_every_example_has_a_test():
    tried = Path(__file__).read_text(encoding="utf-8")
    names = {path.stem for path in EXAMPLES.glob("*.py")} - {
        "blender_sea",
        "opengl41",
        "convolution",
    }  # Blender, and tests of their own
    assert all(f'example("{name}"' in tried for name in names)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_examples_have_help(path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [path.name, "--help"])
    with pytest.raises(SystemExit) as left:
        runpy.run_path(str(path), run_name="__main__")
    said = capsys.readouterr()
    assert (left.value.code, said.err) == (0, "")
    assert said.out.startswith("usage: ")


def test_a_custom_renderer_draws_the_sea(example, tmp_path):
    tiny = ("(960, 540), texels: int = 256, steps: int = 1200", "(96, 54), texels: int = 32, steps: int = 200")
    example("own_renderer", tmp_path / "sea.png", replaced=tiny)
    picture = np.asarray(Image.open(tmp_path / "sea.png")).astype(float)
    sky, water = picture[:15], picture[35:]
    assert np.ptp(sky) < np.ptp(water)  # a plain sky, and waves
    assert sky.mean() > water.mean() + 40


@pytest.mark.usefixtures("coarse_sky")
def test_the_example_of_a_picture_writes_it(example, tmp_path):
    example("picture", tmp_path / "sea.png", *TINY, replaced=("(1280, 720)", "(64, 36)"))
    with Image.open(tmp_path / "sea.png") as picture:
        assert picture.size == (64, 36)


def test_opengl_41_draws_the_sea_of_the_processor(tmp_path):
    """The driver offers no more than 4.1, as on a Mac, in a process of its own, because a process reads the version
    once."""
    held = {"MESA_GL_VERSION_OVERRIDE": "4.1", "MESA_GLSL_VERSION_OVERRIDE": "410", "PYTHONPATH": str(EXAMPLES.parent)}
    command = [sys.executable, EXAMPLES / "opengl41.py", tmp_path / "sea.png"]
    done = subprocess.run(command, env={**os.environ, **held}, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "OpenGL 4.1, GL_NO_ERROR\n"
    with Image.open(tmp_path / "sea.png") as picture:
        pixels = np.asarray(picture).astype(float)
    assert pixels[:180].std() < 20 < pixels[240:].std()  # a plain sky, and waves


def test_the_example_of_a_ship_has_its_motion(example):
    rows = list(csv.DictReader(io.StringIO(example("ship", "fft.size=32"))))
    heave, pitch = (np.array([float(row[key]) for row in rows]) for key in ("heave_m", "pitch_deg"))
    assert len(rows) > 50
    assert 0.05 < heave.std() < 1.0  # a hull of 40 m in a sea of 2.3 m
    assert 0.1 < pitch.std() < 10


def test_settings_are_frozen_and_a_sea_accepts_new_ones(example):
    lines = example("settings").splitlines()
    assert lines[0].startswith("settings never change")
    heights = [float(line.split()[-2]) for line in lines[1:]]
    assert heights[1] > 3 * heights[0]  # the square of the winds is 5


@pytest.mark.parametrize("backend", ["auto", "numpy"])
def test_the_example_of_an_fft_finds_the_wave(example, backend):
    assert "strongest wave: 0 down, 12 across" in example("own_fft", backend)


def test_transforms_need_numpy_moderngl_and_pydantic_alone():
    """A finder of modules refuses all others."""
    script = (
        "import sys\n"
        "known = {*sys.stdlib_module_names, 'ocean', 'numpy', 'moderngl', '_moderngl', 'glcontext', 'pydantic',"
        " 'pydantic_core', 'typing_extensions', 'typing_inspection', 'annotated_types'}\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] not in known and not name.startswith('_sysconfigdata'):\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "import runpy\n"
        f"sys.argv = ['convolution']\n"
        f"runpy.run_path({str(EXAMPLES / 'convolution.py')!r}, run_name='__main__')\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "agrees with numpy" in done.stdout


@pytest.mark.usefixtures("coarse_sky")
def test_the_picture_equals_the_exported_one(ctx, tmp_path):
    settings = load_settings(overrides=[*TINY, "capture.width=64", "capture.height=36"])
    assert export(Plan(settings, 1, "png", start=3.0), tmp_path) == 0
    ctx.__enter__()
    drawn = render_picture(settings, 3.0, (64, 36), ctx)
    np.testing.assert_array_equal(drawn, np.asarray(Image.open(tmp_path / "frame.000000.png")))


@pytest.mark.usefixtures("coarse_sky")
def test_a_picture_leaves_the_host_s_framebuffer_viewport_and_switches(ctx):
    """And it shows none of their wireframe, depth function and samplers."""
    settings = load_settings(overrides=TINY)
    expected = render_picture(settings, size=(64, 36), ctx=ctx)
    sampler = ctx.sampler(filter=(moderngl.NEAREST, moderngl.NEAREST))
    u32, flag = ctypes.c_uint, ctypes.c_ubyte
    colour_mask, depth_mask = (
        gl_function(ctx, "glColorMask", None, *[flag] * 4),
        gl_function(ctx, "glDepthMask", None, flag),
    )

    def bound():
        ours = [ctx.fbo.glo, *(gl_number(ctx, "glGetIntegerv", name) for name in FRAMEBUFFERS.values())]
        ask, where = gl_function(ctx, "glGetIntegerv", None, u32, ctypes.POINTER(ctypes.c_int)), list[int]()
        for name in (GL_VIEWPORT, *WRITE_MASKS):
            ask(name, answer := (ctypes.c_int * 4)())
            where += answer
        asks = gl_function(ctx, "glIsEnabled", flag, u32)
        return [*ours, *where, *map(asks, SWITCHES), gl_number(ctx, "glGetIntegerv", GL_DEPTH_FUNC)]

    of_moderngl, other = (ctx.simple_framebuffer((32, 16)) for _ in range(2))
    of_moderngl.use()
    of_moderngl.viewport = 3, 2, 11, 7
    gl_function(ctx, "glBindFramebuffer", None, *[ctypes.c_uint] * 2)(list(FRAMEBUFFERS)[1], other.glo)
    ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND | moderngl.RASTERIZER_DISCARD)
    ctx.wireframe, ctx.depth_func = True, ">"
    for unit in Sampler:
        sampler.use(unit)
    colour_mask(0, 1, 0, 1)
    depth_mask(0)
    before = bound()
    assert before[:12] == [of_moderngl.glo, of_moderngl.glo, other.glo, 3, 2, 11, 7, 0, 1, 0, 1, 0]
    np.testing.assert_array_equal(render_picture(settings, size=(64, 36), ctx=ctx), expected)
    assert bound() == before
    colour_mask(1, 1, 1, 1)
    depth_mask(1)
    ctx.enable_only(moderngl.NOTHING)
    ctx.wireframe, ctx.depth_func = False, "<="
    release_all(sampler)
    for one in (of_moderngl, other):
        release_framebuffer(one)


def test_a_picture_without_size_is_refused(ctx):
    with pytest.raises(SettingsError, match=r"capture\.width"):
        render_picture(load_settings(), size=(0, 36), ctx=ctx)


def test_the_include_gives_displacement_and_normal_of_the_maps(ctx, make_sea, rng):
    """The points are texels of a plain tile, where nothing is interpolated."""
    sea = make_sea(
        "cascades.count=1",
        "cascades.blended=0",
        "sea.wind.speed=5",
        "sea.choppiness=0.7",
        "fft.half_derivatives=false",
    )
    sea.update(7.0)
    row, column = rng.integers(0, 64, (2, 40))
    places = (np.stack([column, row], -1) * sea.tiles[0].side / 64).astype("f4")
    program = ctx.program(
        vertex_shader=shader_source("""
            #version 430
            #include "surface/sea.glsl"
            in vec2 place;
            out vec3 moved;
            out vec4 normal;
            void main() { moved = sea_displacement(place, 1e-3); normal = sea_normal(place, 1e-3); }
        """),
        varyings=("moved", "normal"),
    )
    points, found = ctx.buffer(places.tobytes()), ctx.buffer(reserve=40 * 28)
    mesh = ctx.vertex_array(program, points, "place")
    target = ctx.simple_framebuffer((1, 1))  # a context without a window has none
    target.use()
    sea.bind()
    sea.maps.use(Sampler.MAPS)
    sea.filtered.use(Sampler.FILTERED)
    mesh.transform(found, mode=ctx.POINTS)
    values = np.frombuffer(found.read(), "f4").reshape(40, 7)
    release_framebuffer(target)
    for part in (mesh, points, found, program):
        part.release()
    at = {name: field[0, row, column] for name, field in sea.fields().items()}
    waves, lifts = [np.stack([at["height"], at["dx"], at["dz"]])], sea.spectrum.lifts
    up = at["height"] + 0.7 * reference.lift(lifts, waves)
    np.testing.assert_allclose(values[:, :3].T, [0.7 * at["dx"], up, 0.7 * at["dz"]], atol=1e-5)
    rates = [np.stack([at[name] for name in names]) for names in (("slope_x", "dxx", "dxz"), ("slope_z", "dxz", "dzz"))]
    slopes = [rate[0] + 0.7 * reference.lift_rate(lifts, waves, [rate]) for rate in rates]
    normal = reference.normal(*slopes, at["dxx"], at["dzz"], at["dxz"], 0.7)
    np.testing.assert_allclose(values[:, 3:6], normal, atol=1e-5)
    np.testing.assert_allclose(values[:, 6], reference.jacobian(at["dxx"], at["dzz"], at["dxz"], 0.7), atol=1e-5)


@pytest.mark.parametrize("name", ["sky.glsl", "surface", "../__init__.py", "../*.py", str(ocean.__file__)])
def test_an_include_that_is_no_file_of_the_shaders_folder_is_named(name):
    with pytest.raises(ShaderError, match=naming(f"shader:2 {Path(name).name.replace('*', '')}")):
        shader_source(f'#version 430\n#include "{name}"\n')


def test_the_public_names_load():
    assert all(getattr(ocean, name) for name in ocean.__all__)
