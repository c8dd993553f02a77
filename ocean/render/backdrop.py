"""What is seen where there is no water: sky, sun and clouds, and from under water its depths.

Each draw covers all of the framebuffer that is in use, behind what has been drawn there, by the blocks of view and
light that are bound.
"""

import moderngl

from ocean.gpu.fullscreen import CORNERS, FullscreenTriangle
from ocean.gpu.shaders import shader_library
from ocean.settings import SkySettings


class Backdrop:
    """The draws behind the sea, and of clouds before it."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self._triangle = FullscreenTriangle(ctx)

    def draw_sky(self, sky: SkySettings) -> None:
        """The sky and the sun's disc."""
        self._draw_behind(sky, "sky/sky.frag")
        self._blend(moderngl.ONE)
        self._draw_behind(sky, "sky/sun.frag", "sky/sun.vert")

    def draw_clouds(self, sky: SkySettings) -> None:
        """Clouds and veil, for an eye below them."""
        self._blend(moderngl.SRC_ALPHA)
        self._draw_behind(sky, "sky/clouds.frag")

    def draw_clouds_over_all(self) -> None:
        """Clouds and veil over a picture without depth, for an eye among or above them."""
        self.ctx.enable_only(moderngl.NOTHING)
        self._blend(moderngl.SRC_ALPHA)
        self._triangle.draw(shader_library(self.ctx).program(CORNERS, "sky/clouds.frag", OVER_ALL=1))

    def draw_depths(self, sky: SkySettings) -> None:
        """The water that an eye in it looks into."""
        self._draw_behind(sky, "surface/depths.frag")

    def _blend(self, kept: int) -> None:
        """Add what is drawn to so much of what is there."""
        self.ctx.enable(moderngl.BLEND)
        self.ctx.blend_func = moderngl.ONE, kept

    def _draw_behind(self, sky: SkySettings, colours: str, corners: str = CORNERS) -> None:
        self.ctx.depth_func = "<="
        panorama = int(bool(sky.panorama))
        self._triangle.draw(shader_library(self.ctx).program(corners, colours, PANORAMA=panorama))
        self.ctx.depth_func = "<"

    def release(self) -> None:
        self._triangle.release()
