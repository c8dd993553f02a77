"""The ImGui renderer: pixels at the right positions, clipped, at any pixel ratio, and more indices than 16 bits
count."""

from itertools import product

import numpy as np
import pytest
from imgui_bundle import imgui

from ocean.gpu.context import release_framebuffer
from ocean.window.ui import theme
from ocean.window.ui.renderer import ImGuiRenderer

from ...objects import gl_objects

SIZE = (64, 48)
RED = 0xFF0000FF


@pytest.fixture
def renderer(ctx):
    renderer = ImGuiRenderer(ctx)
    yield renderer
    renderer.release()


@pytest.fixture
def target(ctx):
    target = ctx.framebuffer(ctx.texture(SIZE, 4))
    target.clear()
    yield target
    release_framebuffer(target)


def read(target):
    """Return RGBA rows from the top down."""
    return np.frombuffer(target.read(components=4), np.uint8).reshape(SIZE[1], SIZE[0], 4)[::-1]


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_rectangle_covers_its_pixels_and_no_others(renderer, target, ratio):
    renderer.begin((int(SIZE[0] / ratio), int(SIZE[1] / ratio)), ratio, 0.1)
    draw = imgui.get_foreground_draw_list()
    draw.push_clip_rect(imgui.ImVec2(0, 0), imgui.ImVec2(30 / ratio, 100))
    draw.add_rect_filled(imgui.ImVec2(10 / ratio, 20 / ratio), imgui.ImVec2(50 / ratio, 40 / ratio), RED)
    draw.pop_clip_rect()
    renderer.draw(target)
    expected = np.zeros((SIZE[1], SIZE[0]), bool)
    expected[20:40, 10:30] = True
    np.testing.assert_array_equal(read(target)[..., 0] == 255, expected)


def test_drawing_does_not_depend_on_the_state_of_opengl(renderer, target, ctx):
    ctx.enable(ctx.DEPTH_TEST | ctx.CULL_FACE)
    ctx.wireframe = True
    ctx.blend_func = ctx.ZERO, ctx.ZERO
    renderer.begin(SIZE, 1.0, 0.1)
    imgui.get_foreground_draw_list().add_rect_filled(imgui.ImVec2(0, 0), imgui.ImVec2(64, 48), RED)
    renderer.draw(target)
    assert (read(target)[..., 0] == 255).all()
    assert ctx.scissor == (0, 0, *SIZE)
    ctx.blend_func = ctx.DEFAULT_BLENDING


def test_indices_may_exceed_16_bits(renderer, target):
    renderer.begin(SIZE, 1.0, 0.1)
    draw = imgui.get_foreground_draw_list()
    for x, y in product(range(SIZE[0]), range(SIZE[1])):
        for _ in range(8):
            draw.add_rect_filled(imgui.ImVec2(x, y), imgui.ImVec2(x + 1, y + 1), RED)
    renderer.draw(target)
    assert (read(target)[..., 0] == 255).all()


def test_glyphs_of_many_sizes_grow_the_atlas_and_old_ones_are_removed(renderer, target, ctx):
    theme.apply()
    before, textures = gl_objects(ctx)["Texture"], []
    for size in (*range(10, 200, 15), *[12] * 8):
        renderer.begin(SIZE, 1.0, 0.1)
        draw = imgui.get_foreground_draw_list()
        draw.add_text(imgui.get_font(), float(size), imgui.ImVec2(0, -0.3 * size), 0xFFFFFFFF, "Ångström ×")
        target.clear()
        renderer.draw(target)
        assert read(target)[..., :3].any()
        textures.append(gl_objects(ctx)["Texture"] - before)
    assert max(textures) > 1 == textures[-1]
    assert ctx.error == "GL_NO_ERROR"


def test_an_empty_frame_draws_nothing(renderer, target):
    renderer.begin(SIZE, 1.0, 0.1)
    renderer.draw(target)
    assert not read(target).any()
