"""The textures and framebuffers of frames."""

from functools import cached_property
from typing import NamedTuple, TypeVar

import moderngl

from ocean.gpu.context import labelled, release_framebuffer, release_made

Table = TypeVar("Table", moderngl.Texture, moderngl.TextureArray)


def clamped(label: str, texture: Table) -> Table:
    """Return a texture with a label, which continues the values at its edges beyond them."""
    texture.repeat_x = texture.repeat_y = False
    return labelled(label, texture)


class PlaceTarget(NamedTuple):
    """Place of the water in each pixel, drawn by the hardware's raster (`surface/places.frag`)."""

    texture: moderngl.Texture
    framebuffer: moderngl.Framebuffer


class Targets:
    """Targets of one size: light, clouds at half the size, the picture, and for the hardware's raster the places.

    The alpha of the light is the share of a pixel that the sea covers, until the sky is drawn behind it. Shading writes
    no rows above `Samples.top`: light of older pictures stays there until the sky is drawn.
    """

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], by_hardware: bool) -> None:
        self.ctx = ctx
        self.key = size, by_hardware
        self.hdr = labelled("light", ctx.texture(size, 4, dtype="f2"))
        self.colours = labelled("picture", ctx.texture(size, 4))
        self.picture = ctx.framebuffer(self.colours)
        self.picture.clear()
        self.places: PlaceTarget | None = None
        if by_hardware:
            places, depth = ctx.texture(size, 4, dtype="f4"), ctx.depth_renderbuffer(size)
            framebuffer = ctx.framebuffer(labelled("places", places), labelled("depth", depth))
            self.places = PlaceTarget(places, framebuffer)

    @cached_property
    def clouds(self) -> moderngl.Texture:
        """Clouds at one pixel of four, made at the first use."""
        half = (self.hdr.width + 1) // 2, (self.hdr.height + 1) // 2
        return labelled("clouds", self.ctx.texture(half, 4, dtype="f2"))

    def release(self) -> None:
        release_framebuffer(self.picture)
        if self.places is not None:
            release_framebuffer(self.places.framebuffer)
        self.hdr.release()
        release_made(self, "clouds")
