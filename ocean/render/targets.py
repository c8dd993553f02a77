"""What frames are drawn into."""

import moderngl

from ocean.gpu.context import labelled, release_framebuffer


class Targets:
    """Framebuffers of one size: multisampled HDR, HDR resolved, and the picture."""

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], samples: int) -> None:
        samples = min(samples, ctx.max_samples) if samples > 1 else 0
        self.key = size, samples
        self.hdr = labelled("light", ctx.texture(size, 4, dtype="f2"))
        depth = labelled("depth", ctx.depth_renderbuffer(size, samples=samples))
        self.resolved = ctx.framebuffer(self.hdr, None if samples else depth)
        self.scene = self.resolved
        if samples:
            colour = labelled("light samples", ctx.renderbuffer(size, 4, samples=samples, dtype="f2"))
            self.scene = ctx.framebuffer(colour, depth)
        self.colours = labelled("picture", ctx.texture(size, 4))
        self.picture = ctx.framebuffer(self.colours)

    def release(self) -> None:
        if self.scene is not self.resolved:
            release_framebuffer(self.scene)
        release_framebuffer(self.resolved)
        release_framebuffer(self.picture)
