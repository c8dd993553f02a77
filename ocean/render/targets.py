"""What frames are drawn into."""

import moderngl

from ocean.gpu.context import labelled, release_all, release_framebuffer


class Targets:
    """Images of one size: the light, half of its pixels along both axes for clouds, and the picture; where the
    hardware's raster draws the sea, the places of its pixels."""

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], by_hardware: bool) -> None:
        self.ctx = ctx
        self.size, self.by_hardware = size, by_hardware
        self.hdr = labelled("light", ctx.texture(size, 4, dtype="f2"))
        self.colours = labelled("picture", ctx.texture(size, 4))
        self.picture = ctx.framebuffer(self.colours)
        self._clouds: moderngl.Texture | None = None
        self.places: moderngl.Texture | None = None
        self.placing: moderngl.Framebuffer | None = None
        depth = None
        if by_hardware:
            depth = labelled("depth", ctx.depth_renderbuffer(size))
            self.places = labelled("places", ctx.texture(size, 4, dtype="f4"))
            self.placing = ctx.framebuffer(self.places, depth)
        self.light = ctx.framebuffer(self.hdr, depth)

    @property
    def clouds(self) -> moderngl.Texture:
        """Clouds at one pixel of four; made when they are first drawn."""
        if self._clouds is None:
            half = (self.size[0] + 1) // 2, (self.size[1] + 1) // 2
            self._clouds = labelled("clouds", self.ctx.texture(half, 4, dtype="f2"))
        return self._clouds

    def fits(self, size: tuple[int, int], by_hardware: bool) -> bool:
        """Whether they are those of a size."""
        return (self.size, self.by_hardware) == (size, by_hardware)

    def release(self) -> None:
        release_framebuffer(self.light)
        release_framebuffer(self.picture)
        if self.placing is not None:
            release_framebuffer(self.placing)
        release_all(self._clouds)
