"""What is seen where there is no water: sky, sun and clouds, and from under water its depths."""

import moderngl

from ocean.gpu.bindings import Image
from ocean.gpu.shaders import shader_library
from ocean.gpu.uniforms import set_uniforms
from ocean.render.atmosphere import BARRIER
from ocean.settings import SkySettings

GROUP, TILE = 8, 16


class Backdrop:
    """Puts the sky behind the light of the sea, and clouds before the sky; for an eye among or above the clouds, before
    the sea as well. The blocks of view and light are bound."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx

    def march_clouds(self, light: moderngl.Texture, clouds: moderngl.Texture, top: int, over_all: bool) -> None:
        """Find clouds and veil at one pixel of four, from which `draw` finds the others. The light's rows are the sea's
        up to the one below `top`."""
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
        """Draw behind what the light's alpha says is covered, and in all rows from `top` on."""
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
        program.run(-(-light.width // TILE), -(-light.height // TILE))
        self.ctx.memory_barrier(BARRIER)
