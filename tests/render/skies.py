"""Tables of light of small skies, and results of their shaders' functions."""

import numpy as np

from ocean.light import optics
from ocean.light.optics import Air
from ocean.render.sky import SKY_BLOCK
from ocean.settings import load_settings
from ocean.settings.files import resolve
from tests.reference.atmosphere import Atmosphere

from .probe import probed

AIR = Air(2.5, 1.5)
REFERENCE = Atmosphere(AIR)
KEYS = ("sky.turbidity=2.5", "sky.haze=1.5", "sky.clouds=0", "sky.veil=0", "view.altitude=2")


def run(light, *overrides, time=0.0):
    light.prepare(resolve(load_settings(overrides=[*KEYS, *overrides])), time, 0.0)
    for step in light.passes:
        step.run()


def read(texture):
    shape = (texture.layers,) if hasattr(texture, "layers") else ()
    return np.frombuffer(texture.read(), "f4").reshape(*shape, texture.height, texture.width, 4).astype("f8")


def rgb(spectral):
    return np.maximum(spectral @ optics.FOUR_TO_RGB.T, 0.0)


def state(light):
    return np.frombuffer(light.light.read(), "f4").reshape(8, 4).astype("f8")


def shadow_of(light):
    """Return the table of shadows (side, side), float64."""
    return np.frombuffer(light.shadow.read(), "f4").reshape(light.shadow.size).astype("f8")


def drift_of(light):
    """Return the position (x, z) [m] of the camera in the field of clouds."""
    return np.frombuffer(light.block.buffer.read(), SKY_BLOCK)["drift"][0].astype("f8")


def shadow_texels(light, reach):
    """Return which texels (side, side) of the shadows lie within a fraction of the table's radius, and the positions
    (n, 2) [m] of these texels in the field of clouds."""
    side = light.shadow.width
    u, v = np.meshgrid(*[2 * (np.arange(side) + 0.5) / side - 1] * 2)
    r = np.hypot(u, v)
    near = r < reach
    return near, np.stack([u[near], v[near]], axis=-1) * (8e3 / (1 - r[near]))[:, None] + drift_of(light)


def asked(light, shader, statements, given):
    """Return what statements compute as `sink[i]` (n, 4) from `given[i]` (n, 4) with functions of a shader of the
    sky."""
    light.bind()
    return probed(light.ctx, (shader,), statements, given.astype("f4")[:, None], 1, ())[:, 0]
