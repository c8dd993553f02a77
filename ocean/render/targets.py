"""What frames are drawn into."""

import moderngl

from ocean.gpu.context import labelled, release_framebuffer
from ocean.settings import ViewSettings


def is_deferred(view: ViewSettings) -> bool:
    """Whether the sea's pixels are shaded after all of its triangles are drawn: where a pixel has one sample, and one
    number says what its footprint averages."""
    return view.samples == 1 and view.anisotropy == 1


class Targets:
    """Framebuffers of one size: multisampled HDR, HDR resolved, and the picture; where shading is deferred, also the
    places that it starts from, over the depth of the scene."""

    def __init__(self, ctx: moderngl.Context, view: ViewSettings, size: tuple[int, int]) -> None:
        self.key = size, view.samples, is_deferred(view)
        samples = min(view.samples, ctx.max_samples) if view.samples > 1 else 0
        self.hdr = labelled("light", ctx.texture(size, 4, dtype="f2"))
        depth = labelled("depth", ctx.depth_renderbuffer(size, samples=samples))
        self.resolved = ctx.framebuffer(self.hdr, None if samples else depth)
        self.samples, self.scene = self.hdr, self.resolved
        if samples:
            self.samples = labelled("light samples", ctx.texture(size, 4, samples=samples, dtype="f2"))
            self.scene = ctx.framebuffer(self.samples, depth)
        self.places: moderngl.Texture | None = None
        self.unshaded = self.scene
        if is_deferred(view):
            self.places = labelled("places", ctx.texture(size, 4, dtype="f4"))
            self.unshaded = ctx.framebuffer(self.places, depth)
        self.colours = labelled("picture", ctx.texture(size, 4))
        self.picture = ctx.framebuffer(self.colours)

    def fits(self, view: ViewSettings, size: tuple[int, int]) -> bool:
        """Whether they are those of a view at a size."""
        return self.key == (size, view.samples, is_deferred(view))

    def release(self) -> None:
        if self.unshaded is not self.scene:
            release_framebuffer(self.unshaded)
        if self.scene is not self.resolved:
            release_framebuffer(self.scene)
        release_framebuffer(self.resolved)
        release_framebuffer(self.picture)
