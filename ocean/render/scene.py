"""State that all drawing passes share: settings, sea, light, the camera's uniform block and textures."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Block
from ocean.gpu.context import labelled, release_framebuffer, release_made
from ocean.render.cloud_map import CloudMap
from ocean.render.sky import SkyLight
from ocean.sea.sea import Sea
from ocean.settings import Settings

SEA = "sea"  # group of the passes that draw the sea


class VisibilityTarget(NamedTuple):
    """Visibility sample of each pixel, drawn by the hardware's raster (`surface/visibility.frag`)."""

    texture: moderngl.Texture
    framebuffer: moderngl.Framebuffer


class Targets:
    """Targets of a picture: light of the drawn size, clouds, the picture, and that of the hardware's raster, if used.

    The alpha of the light is the fraction of a pixel that the sea covers, until the sky is drawn behind it. Shading
    writes no rows above `Samples.top`: light of older pictures stays there until the sky is drawn.
    """

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], drawn: tuple[int, int], by_hardware: bool) -> None:
        self.ctx = ctx
        self.key = size, drawn, by_hardware
        self.hdr = labelled("light", ctx.texture(drawn, 4, dtype="f2"))
        self.colours = labelled("picture", ctx.texture(size, 4))
        self.picture = ctx.framebuffer(self.colours)
        self.picture.clear()
        self.visibility: VisibilityTarget | None = None
        if by_hardware:
            texture, depth = ctx.texture(drawn, 4, dtype="f4"), ctx.depth_renderbuffer(drawn)
            framebuffer = ctx.framebuffer(labelled("visibility samples", texture), labelled("depth", depth))
            self.visibility = VisibilityTarget(texture, framebuffer)

    @cached_property
    def clouds(self) -> CloudMap:
        """The cloud map. Like the properties below, it is made at its first use."""
        return CloudMap(self.ctx, self.hdr.size)

    @cached_property
    def other_clouds(self) -> CloudMap:
        """The map into which clouds move when the camera has turned far."""
        return CloudMap(self.ctx, self.hdr.size)

    @cached_property
    def cloud_list(self) -> moderngl.Buffer:
        """The buffer of `sky/cloud_list.glsl`."""
        return labelled("list of clouds", self.ctx.buffer(reserve=16 + 4 * self.hdr.width * self.hdr.height))

    @cached_property
    def spray(self) -> moderngl.Buffer:
        """The sums of `spray/spray.glsl`, three words for each pixel."""
        return labelled("sums of spray", self.ctx.buffer(bytes(12 * self.hdr.width * self.hdr.height)))

    def release(self) -> None:
        release_framebuffer(self.picture)
        if self.visibility is not None:
            release_framebuffer(self.visibility.framebuffer)
        self.hdr.release()
        release_made(self, "clouds", "other_clouds", "cloud_list", "spray")


@dataclass(frozen=True)
class Scene:
    """Inputs and targets of the passes that draw with the same settings and targets."""

    settings: Settings
    sea: Sea
    light: SkyLight
    camera: moderngl.Buffer  # uniform block of the camera; the GPU lifts the eye over waves in it
    view: NDArray[np.void]  # the values of that block as the host last wrote them
    targets: Targets

    def bind(self) -> None:
        """Bind the uniform blocks of camera and cascades, and the inputs of `sky/radiance.glsl`."""
        self.camera.bind_to_uniform_block(Block.VIEW)
        self.sea.block.bind()
        self.light.bind()
