"""Sky, sun and clouds behind the sea; from under water, the open water."""

import math

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Image
from ocean.gpu.fullscreen import CORNERS, FullscreenTriangle
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
        self._triangle = FullscreenTriangle(ctx)

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
        top: int,
        over_all: bool = False,
        dives: bool = False,
    ) -> None:
        """Draw the background where the light's alpha is below 1, and in all rows from `top` on."""
        defines = {
            "PANORAMA": int(bool(sky.panorama)),
            "CLOUDY": int(clouds is not None),
            "OVER_ALL": int(over_all),
            "DIVES": int(dives),
        }
        light.bind_to_image(Image.LIGHT, read=True, write=True)
        if clouds is not None:
            clouds.bind_to_image(Image.CLOUDS, read=True, write=False)
        program = shader_library(self.ctx).compute("sky/backdrop.comp", **defines)
        set_uniforms(program, {"sea_top": top})
        side = GROUP if clouds is None else TILE
        program.run(-(-light.width // side), -(-light.height // side))
        self.ctx.memory_barrier(BARRIER)

    def draw_by_depth(self, sky: SkySettings, scene: moderngl.Framebuffer, disc: Box | None, dives: bool) -> None:
        """Draw the sky without clouds where a scene's depth buffer is empty, then the sun's disc in its box of
        pixels."""
        defines = {"PANORAMA": int(bool(sky.panorama)), "DIVES": int(dives)}
        both = [  # made at once, so that a turn towards the sun compiles nothing
            shader_library(self.ctx).program(CORNERS, "sky/behind.frag", varyings=(), DISC=is_disc, **defines)
            for is_disc in (0, 1)
        ]
        scene.use()
        self.ctx.enable_only(moderngl.DEPTH_TEST)
        self.ctx.depth_func, scene.depth_mask = "<=", False
        for is_disc, program in enumerate(both if disc else both[:1]):
            if disc and is_disc:
                scene.scissor = disc
                self.ctx.enable(moderngl.BLEND)
                self.ctx.blend_func = moderngl.ONE, moderngl.ONE
            set_uniforms(program, {"size": scene.size})
            self._triangle.draw(program)
        scene.scissor = 0, 0, *scene.size
        self.ctx.depth_func, scene.depth_mask = "<", True

    def release(self) -> None:
        self._triangle.release()


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
