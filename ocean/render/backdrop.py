"""Sky, sun and clouds behind the sea; from under water, the open water."""

import math

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Image
from ocean.gpu.shaders import shader_library
from ocean.gpu.uniforms import set_uniforms
from ocean.render.atmosphere import BARRIER
from ocean.settings import SkySettings

GROUP, TILE = 8, 16
Box = tuple[int, int, int, int]  # left, bottom, width, height


class Backdrop:
    """Background of the picture: sky, with clouds before it, and before the sea too for an eye among or above them.

    All methods expect the blocks of view and light to be bound.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx

    def march_clouds(self, light: moderngl.Texture, clouds: moderngl.Texture, top: int, over_all: bool) -> None:
        """March clouds and veil at one pixel of four; `draw` interpolates the others. The sea is in rows below
        `top`."""
        light.bind_to_image(Image.LIGHT, read=True, write=False)
        clouds.bind_to_image(Image.CLOUDS, read=False, write=True)
        program = shader_library(self.ctx).compute("sky/clouds.comp", OVER_ALL=int(over_all))
        set_uniforms(program, {"sea_top": top})
        program.run(-(-clouds.width // GROUP), -(-clouds.height // GROUP))
        self.ctx.memory_barrier(BARRIER)

    def draw(
        self,
        sky: SkySettings,
        light: moderngl.Texture,
        clouds: moderngl.Texture | None,
        rows: tuple[int, int],
        disc: Box | None,
        over_all: bool = False,
        dives: bool = False,
    ) -> None:
        """Draw the background where the light's alpha is below 1, from the first of `rows` on, and everywhere from the
        second on. Without clouds, the sun's `disc` costs time in its box of pixels alone."""
        defines = {
            "PANORAMA": int(bool(sky.panorama)),
            "CLOUDY": int(clouds is not None),
            "OVER_ALL": int(over_all),
            "DIVES": int(dives),
        }
        light.bind_to_image(Image.LIGHT, read=True, write=True)
        if clouds is not None:
            clouds.bind_to_image(Image.CLOUDS, read=True, write=False)
        bottom = 0 if over_all else rows[0] // TILE * TILE
        whole = 0, bottom, light.width, max(light.height - bottom, 1)
        parts = ((0, whole), (1, disc)) if clouds is None else ((1, whole),)
        side = GROUP if clouds is None else TILE
        for shows_disc, box in parts:  # all are made at once, so that a turn towards the sun compiles nothing
            program = shader_library(self.ctx).compute("sky/backdrop.comp", **defines, DISC=shows_disc)
            if box is not None:
                set_uniforms(program, {"first": box[:2], "sea_top": rows[1], "disc": disc or (0, 0, 0, 0)})
                program.run(-(-box[2] // side), -(-box[3] // side))
                self.ctx.memory_barrier(BARRIER)


def disc_box(block: NDArray[np.void], size: tuple[int, int]) -> Box | None:
    """Return the box of pixels that may show the sun's disc, from the view's uniform block; None if it is out of
    sight."""
    x, y, z, cosine = block["sun"].tolist()
    clip = np.array([x, y, z, 0.0]) @ block["view_projection"].astype(np.float64)
    if clip[3] <= 0:
        return None
    scale = np.linalg.norm(block["view_projection"][:3, :2].astype(np.float64), axis=0)  # over a tangent
    # Perspective stretches the disc to an ellipse, most at the edges of the picture.
    wide = scale * math.tan(math.acos(cosine)) / clip[3] ** 2 * 1.5
    low = np.clip(((clip[:2] / clip[3] - wide + 1) / 2 * size) - 2, 0, size)
    high = np.clip(((clip[:2] / clip[3] + wide + 1) / 2 * size) + 2, 0, size)
    width, height = (np.ceil(high) - np.floor(low)).astype(int).tolist()
    return (int(low[0]), int(low[1]), width, height) if width > 0 and height > 0 else None
