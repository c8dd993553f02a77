"""What is drawn is the sea that the twin computes, without holes."""

import ctypes

import moderngl
import numpy as np
import pytest

from ocean.gpu.bindings import Block
from ocean.gpu.context import gl_function
from ocean.gpu.shaders import shader_library
from ocean.render.surface import STAGES, horizon_distance
from ocean.settings import with_values
from ocean.waves import statistics, twin

from ..seas import twin_fields
from .conftest import read_picture

GL_TRANSFORM_FEEDBACK_BUFFER = 0x8C8E
GL_RASTERIZER_DISCARD = 0x8C89


def drawn_vertices(renderer, limit=300_000):
    """Still-water position (n, 2) and displaced position (n, 3) of the surface's vertices, relative to the origin, by
    transform feedback of the program that draws (moderngl's own feedback takes no patches)."""
    ctx, surface = renderer.ctx, renderer._surface
    program = shader_library(ctx).program(*STAGES[:3], varyings=("still", "relative"), **renderer.sea.foam.defines)
    feedback = ctx.buffer(np.full((limit, 5), np.nan, "f4").tobytes())
    shown, surface._program = surface._program, program
    patches, surface._patches = surface._patches, ctx.vertex_array(program, [])

    def call(name, *arguments):
        gl_function(ctx, name, None, *[ctypes.c_uint] * len(arguments))(*arguments)

    renderer._block.bind_to_uniform_block(Block.VIEW)
    renderer.sea.bind()
    call("glUseProgram", program.glo)
    call("glBindBufferBase", GL_TRANSFORM_FEEDBACK_BUFFER, 0, feedback.glo)
    call("glEnable", GL_RASTERIZER_DISCARD)
    call("glBeginTransformFeedback", moderngl.TRIANGLES)
    surface.draw(renderer.sea, renderer.settings, renderer._pixels, renderer._horizon)
    call("glEndTransformFeedback")
    call("glDisable", GL_RASTERIZER_DISCARD)
    call("glBindBufferBase", GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0)
    ctx.clear_errors()  # moderngl names the program again at each draw, which is an error while feedback records
    vertices = np.frombuffer(feedback.read(), "f4").reshape(-1, 5).astype("f8")
    vertices = vertices[~np.isnan(vertices).any(axis=1)]
    assert 0 < len(vertices) < limit
    surface._patches.release()
    surface._program, surface._patches = shown, patches
    feedback.release()
    return vertices[:, :2], vertices[:, 2:]


@pytest.mark.parametrize(("x", "z"), [(0.0, 0.0), (4321.5, -98765.25)])
def test_drawn_vertices_are_the_twins_surface(make_renderer, x, z):
    renderer = make_renderer(
        "fft.size=256", "view.pitch=-80", "view.altitude=6", "view.edge_pixels=4", f"view.x={x}", f"view.z={z}"
    )
    time = 33.0
    renderer.render(time)
    still, relative = drawn_vertices(renderer)
    near = np.hypot(*still.T) < 6.0
    assert near.sum() > 2000
    still, relative = still[near], relative[near]
    settings = renderer.settings
    cascades = twin_fields(settings, time)
    expected = np.stack(
        twin.surface_point(cascades, x + still[:, 0], z + still[:, 1], settings.sea.choppiness), axis=-1
    )
    drawn = np.add(relative, (x, 0.0, z))
    height = statistics.predicted_height(settings.sea.systems)
    assert np.abs(drawn - expected).max() < 0.01 * height
    assert np.ptp(expected[:, 1]) > 0.05 * height


def silhouette(renderer):
    """Where the sky's pass shows: the sky alone is drawn magenta."""
    magenta = "#version 430\nout vec4 c;\nvoid main() { c = vec4(1.0, 0.0, 1.0, 1.0); }\n"
    vertex = (shader_library(renderer.ctx).folder / "common/fullscreen.vert").read_text()
    program = renderer.ctx.program(vertex_shader=vertex, fragment_shader=magenta)
    honest, renderer._sky = renderer._sky, renderer.ctx.vertex_array(program, [])
    renderer.render(20.0)
    picture = read_picture(renderer)
    renderer._sky.release()
    program.release()
    renderer._sky = honest
    return (picture[..., 0] > 180) & (picture[..., 1] < 90) & (picture[..., 2] > 180)


def test_no_sky_shows_through_the_sea(make_renderer):
    """Random poses: below the horizon, by more than the waves can dip it, not one pixel of sky."""
    rng = np.random.default_rng(4)
    renderer = make_renderer("view.edge_pixels=6", "sea.wind.speed=14")
    deviation = statistics.predicted_height(renderer.settings.sea.systems) / 4
    for _ in range(24):
        view = {
            "view.altitude": float(np.exp(rng.uniform(np.log(6), np.log(1500)))),
            "view.heading": float(rng.uniform(0, 360)),
            "view.pitch": float(rng.uniform(-85, 10)),
            "view.x": float(rng.uniform(-1e5, 1e5)),
        }
        renderer.apply(with_values(renderer.settings, view))
        sky = silhouette(renderer)
        altitude, pitch = view["view.altitude"], np.radians(view["view.pitch"])
        # Rays that dip below the horizon of water lowered by 5 deviations hit the sea, whatever the waves do.
        rows = (np.arange(180)[::-1] + 0.5) / 180 * 2 - 1
        slope = np.tan(np.radians(renderer.settings.view.field_of_view) / 2)
        columns = ((np.arange(320) + 0.5) / 320 * 2 - 1) * slope * 320 / 180
        up = np.sin(pitch) + np.cos(pitch) * rows[:, None] * slope
        down = -up / np.sqrt(1 + (rows[:, None] * slope) ** 2 + columns[None, :] ** 2)
        dip = np.sqrt(2 * (altitude + 5 * deviation) / 6.371e6) + 5 * deviation / altitude * 0.02 + 0.004
        below = np.arcsin(np.clip(down, -1, 1)) > dip
        assert not (sky & below).any(), view


def test_the_horizon_lies_where_the_earth_curves_away():
    assert horizon_distance(8.0, 0.0) == pytest.approx(10_100 + 2_524, rel=0.01)
    assert horizon_distance(2000.0, 4.0) > 159_600
