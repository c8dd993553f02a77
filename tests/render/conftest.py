"""Small pictures of small seas."""

from functools import lru_cache

import moderngl
import numpy as np
import pytest

from ocean.common.resources import config
from ocean.gpu.bindings import Sampler
from ocean.gpu.context import create_headless_context, is_software
from ocean.gpu.shaders import shader_library
from ocean.render import sky
from ocean.render.camera import direction
from ocean.render.frame import FrameRenderer
from ocean.render.sky import CloudField, SkyLight
from ocean.render.surface import Surface
from ocean.sea.blend import make_spectrum
from ocean.settings import load_settings

from .skies import run

TABLES = "TRANSMITTANCE", "MULTIPLE", "SKY_VIEW", "AERIAL"
FINE_TABLES = {name: getattr(sky, name) for name in (*TABLES, "ENVIRONMENT", "SHADOW")}
BARE = "sky.plain=false", "sky.clouds=0", "sky.veil=0", "sky.bloom=0"
SMALL = "fft.size=64", "foam.resolution=64", "view.edge_pixels=12", *BARE


@pytest.fixture(autouse=True)
def coarse_shadows(monkeypatch):
    """Give clouds' shadows a sixteenth of their texels: llvmpipe computes all of them in a third of a second."""
    monkeypatch.setattr(sky, "SHADOW", FINE_TABLES["SHADOW"] // 4)


def make_tables_coarse(monkeypatch):
    for name in TABLES:
        width, height = FINE_TABLES[name]
        monkeypatch.setattr(sky, name, (max(width // 4, 8), max(height // 4, 8)))
    for name in ("ENVIRONMENT", "SHADOW"):
        monkeypatch.setattr(sky, name, FINE_TABLES[name] // 4)


@pytest.fixture
def coarse_sky(coarse_shadows, monkeypatch):
    """Give the sky's tables a sixteenth of their texels, for tests of the water's shape."""
    make_tables_coarse(monkeypatch)


@pytest.fixture
def fine_shadows(coarse_shadows, monkeypatch):
    """Keep the shadows of the program, for tests of shadows and golden pictures."""
    monkeypatch.setattr(sky, "SHADOW", FINE_TABLES["SHADOW"])


spectrum_of = lru_cache(32)(make_spectrum)

MADE = {}
"""Tables of scattered light, by their air and the sizes of its tables, and the table of noise."""


def make_once(monkeypatch):
    """Copy scattered light, clouds' noise and the sea's spectrum from an earlier renderer. On llvmpipe they take most
    of the time of a start."""
    scatter, noise = SkyLight.scatter, CloudField.noise.func

    def copied_light(light):
        key = light.air, light.transmittance.size, light.multiple.size
        if key in MADE:
            light.multiple.write(MADE[key])
            light.multiple.use(Sampler.MULTIPLE)
        else:
            scatter(light)
            MADE[key] = light.multiple.read()

    def copied_noise(field):
        textures = field.textures
        if "noise" not in MADE:
            MADE["noise"] = noise(field), [texture.read() for texture in textures]
        for texture, values in zip(textures, MADE["noise"][1], strict=True):
            texture.write(values)
            texture.build_mipmaps()
            texture.filter = moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR
        return MADE["noise"][0]

    monkeypatch.setattr("ocean.sea.sea.make_spectrum", spectrum_of)
    monkeypatch.setattr(SkyLight, "scatter", copied_light)
    monkeypatch.setattr(CloudField.noise, "func", copied_noise)


@pytest.fixture
def made_once(monkeypatch):
    make_once(monkeypatch)


@pytest.fixture
def make_renderer(ctx, releasing, made_once):
    def make(*overrides, size=(96, 54)):
        settings = load_settings(config("software"), overrides=[*SMALL, *overrides])
        return releasing(FrameRenderer(ctx, settings, size))

    return make


@pytest.fixture
def make_light(ctx, releasing, made_once):
    def make(*overrides):
        light = releasing(SkyLight(ctx))
        run(light, *overrides)
        return light

    return make


def draw_by_compute(monkeypatch):
    """Draw by compute shaders where the hardware's raster would draw."""
    monkeypatch.setattr(Surface, "is_drawn_by_hardware", lambda surface, settings: False)


def water_share(renderer, time):
    """Draw the sea of a time [s] without sky, and return the fraction of each pixel that it covers (height, width), the
    top row first."""
    width, height = renderer.size
    steps = renderer.steps(time)
    for step in steps:
        if step.name in ("clouds", "sky"):
            break
    steps.close()
    share = np.frombuffer(renderer.radiance.read(), "f2").reshape(height, width, 4)[..., 3].astype("f8")
    share[renderer.surface.samples.top :] = 0.0  # rows that only the sky writes
    return share[::-1]


def rays(view, size):
    """Return directions of sight (height, width, 3) of the pixels, top row first."""
    width, height = size
    slope = np.tan(np.radians(view.field_of_view) / 2)
    y, x = np.meshgrid(
        (1 - (np.arange(height) + 0.5) / height * 2) * slope,
        ((np.arange(width) + 0.5) / width * 2 - 1) * slope * width / height,
        indexing="ij",
    )
    ahead = direction(view)
    right = np.cross(ahead, (0.0, 1.0, 0.0)) / np.linalg.norm(np.cross(ahead, (0.0, 1.0, 0.0)))
    found = ahead + x[..., None] * right + y[..., None] * np.cross(right, ahead)
    return found / np.linalg.norm(found, axis=-1, keepdims=True)


def read_light(renderer):
    """Return the exposed light before tone mapping, float64 (height, width, 3), the top row first."""
    width, height = renderer.size
    return np.frombuffer(renderer.radiance.read(), "f2").reshape(height, width, 4)[::-1, :, :3].astype("f8")


def eye_of(renderer):
    """Return the eye's height over the mean water level and its depth under water [m], after waves have lifted it."""
    return np.frombuffer(renderer.camera_block.read(16, offset=128), "f4")[[1, 3]].astype("f8")


def read_picture(renderer):
    """Return the picture, uint8 (height, width, 3), top row first."""
    width, height = renderer.picture.size
    return np.frombuffer(renderer.picture.read(components=3), "u1").reshape(height, width, 3)[::-1]


def debug_values(renderer):
    """Return the values of the last debug view, float32 (height, width, 4), the top row first. The fourth number is
    above 0 where there is a value."""
    values = renderer.debug.values
    return np.frombuffer(values.read(), "f4").reshape(*values.size[::-1], 4)[::-1]


@pytest.fixture
def fresh_context(context):
    """Yield a context without programs. Afterwards the context of the session is current again."""
    fresh = create_headless_context()
    yield fresh
    shader_library(fresh).release()
    fresh.release()
    context.__enter__()


@pytest.fixture
def software(ctx):
    """Skip the test on GPUs, which draw everything by compute."""
    if not is_software(ctx):
        pytest.skip("only software renderers use the hardware's raster")
