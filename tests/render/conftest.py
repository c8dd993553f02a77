"""Small pictures of small seas."""

import numpy as np
import pytest

from ocean.gpu.fullscreen import CORNERS
from ocean.gpu.shaders import shader_library
from ocean.render.atmosphere import SkyLight
from ocean.render.frame import FrameRenderer
from ocean.resources import config
from ocean.settings import load_settings

from .skies import run

BARE = "sky.plain=false", "sky.clouds=0", "sky.veil=0", "sky.bloom=0"
SMALL = "fft.size=64", "foam.resolution=64", "view.edge_pixels=12", *BARE


@pytest.fixture
def make_renderer(ctx):
    renderers = []

    def make(*overrides, size=(320, 180)):
        settings = load_settings(config("software"), overrides=[*SMALL, *overrides])
        renderers.append(FrameRenderer(ctx, settings, size))
        return renderers[-1]

    yield make
    for renderer in renderers:
        renderer.release()


@pytest.fixture
def make_light(ctx):
    made = []

    def make(*overrides):
        light = SkyLight(ctx)
        made.append(light)
        run(light, *overrides)
        return light

    yield make
    for light in made:
        light.release()


@pytest.fixture
def draw_instead(ctx):
    """Have a renderer draw a fragment shader in place of what two stages make all over the picture."""
    library, programs = shader_library(ctx), []

    def replace(renderer, stages, fragment):
        corners = (library.folder / CORNERS).read_text()
        programs.append(ctx.program(vertex_shader=corners, fragment_shader=fragment))
        replaced = library.program(*stages, PANORAMA=0)
        renderer._backdrop._triangle._arrays[replaced] = ctx.vertex_array(programs[-1], [])

    yield replace
    for program in programs:
        program.release()


def read_picture(renderer):
    """The picture, uint8 (height, width, 3), top row first."""
    width, height = renderer.picture.size
    return np.frombuffer(renderer.picture.read(components=3), "u1").reshape(height, width, 3)[::-1]
