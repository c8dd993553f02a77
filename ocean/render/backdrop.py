"""Sky, sun and clouds behind the sea; from under water, the open water."""

import moderngl

from ocean.gpu.bindings import Image
from ocean.gpu.shaders import shader_library
from ocean.gpu.uniforms import set_uniforms
from ocean.render.atmosphere import BARRIER
from ocean.settings import SkySettings

GROUP, TILE = 8, 16


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
        over_all: bool = False,
        dives: bool = False,
    ) -> None:
        """Draw the background where the light's alpha is below 1, from the first of `rows` on, and everywhere from the
        second on."""
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
        bottom = 0 if over_all else rows[0] // TILE * TILE
        set_uniforms(program, {"bottom": bottom, "sea_top": rows[1]})
        side = GROUP if clouds is None else TILE
        program.run(-(-light.width // side), max(-(-(light.height - bottom) // side), 1))
        self.ctx.memory_barrier(BARRIER)
