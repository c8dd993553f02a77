"""Post-processing: automatic exposure, bloom and tone mapping."""

import moderngl

from ocean.gpu.bindings import Image, Sampler, Storage
from ocean.gpu.context import release_all
from ocean.gpu.passes import IMAGES_WRITTEN, Work
from ocean.gpu.shaders import shader_library
from ocean.gpu.uniforms import set_uniforms
from ocean.render.targets import clamped
from ocean.settings import SkySettings

GROUP = 8
SMALLEST = 4  # texels along the shorter side of the bloom's last level
CURVES = "agx", "aces"  # in the order of CURVE in post/tone_map.comp
BLOOM_OPERATIONS, TONE_OPERATIONS = 80, 150
"""Additions and multiplications, counted by hand in the shaders: for a texel of the bloom's levels, on both ways, and
for a displayed pixel."""
SPREAD = 0.7  # weight of the coarser levels in each level


def pyramid(size: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the sizes of the bloom's levels for a picture, each half of the last level."""
    levels: list[tuple[int, int]] = []
    while min(size) >= 2 * SMALLEST or not levels:
        size = max(1, size[0] // 2), max(1, size[1] // 2)
        levels.append(size)
    return levels


class Bloom:
    """Bloom of pictures of one size: a pyramid of blurred levels that conserves light."""

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int]) -> None:
        self.ctx = ctx
        self.size = size
        self.levels = [clamped("bloom", ctx.texture(level, 4, dtype="f4")) for level in pyramid(size)]
        self.texture = self.levels[0]
        """The first level, half as wide and high as the picture, with all coarser levels added to it."""
        library = shader_library(ctx)
        self._down, self._up = library.compute("post/bloom_down.comp"), library.compute("post/bloom_up.comp")

    def spread(self, hdr: moderngl.Texture) -> None:
        """Compute the pyramid of a picture."""
        for source, target in zip([hdr, *self.levels], self.levels, strict=False):
            self._step(self._down, source, target)
        set_uniforms(self._up, {"spread": SPREAD})
        for target, source in zip(self.levels[-2::-1], self.levels[:0:-1], strict=True):
            self._step(self._up, source, target)

    def _step(self, program: moderngl.ComputeShader, source: moderngl.Texture, target: moderngl.Texture) -> None:
        source.use(Sampler.BLOOM)
        target.bind_to_image(Image.SKY, read=True, write=True)
        program.run(-(-target.width // GROUP), -(-target.height // GROUP), 1)
        self.ctx.memory_barrier(IMAGES_WRITTEN)

    def release(self) -> None:
        release_all(*self.levels)


def count_bloom(size: tuple[int, int]) -> Work:
    """Return the work of the bloom of a picture. Its levels have a third of the picture's pixels, 16 bytes each, and
    each is read or written up to five times."""
    pixels = size[0] * size[1]
    return Work(92 * pixels // 3, BLOOM_OPERATIONS * pixels // 3)


def count_tone_mapping(sky: SkySettings, size: tuple[int, int]) -> Work:
    """Return the work of tone mapping a picture."""
    pixels = size[0] * size[1]
    return Work((16 if sky.bloom > 0 else 12) * pixels, TONE_OPERATIONS * pixels)


class PostProcessing:
    """Passes from the HDR picture to the display."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self._bloom: Bloom | None = None

    def meter(self, hdr: moderngl.Texture, light: moderngl.Buffer) -> None:
        """Adapt automatic exposure to a picture; the sky's block is bound."""
        hdr.use(Sampler.HDR)
        light.bind_to_storage_buffer(Storage.LIGHT)
        shader_library(self.ctx).compute("post/meter.comp").run(1, 1, 1)
        self.ctx.memory_barrier(IMAGES_WRITTEN)

    def bloom(self, hdr: moderngl.Texture) -> None:
        """Compute the bloom of a picture."""
        if self._bloom is None or self._bloom.size != hdr.size:
            release_all(self._bloom)
            self._bloom = Bloom(self.ctx, hdr.size)
        self._bloom.spread(hdr)

    def tone_map(self, sky: SkySettings, hdr: moderngl.Texture, picture: moderngl.Texture) -> None:
        """Write the picture, RGBA8, with the result of `bloom` if the settings ask for bloom."""
        hdr.use(Sampler.HDR)
        bloom = self._bloom if sky.bloom > 0 else None
        curve = CURVES.index(sky.tone_mapping)
        defines = {"ACES": 1, "CURVE": curve, "BLOOM": int(bloom is not None)}
        program = shader_library(self.ctx).compute("post/tone_map.comp", **defines)
        if bloom is not None:
            bloom.texture.use(Sampler.BLOOM)
            set_uniforms(program, {"glare": sky.bloom})
        picture.bind_to_image(Image.PICTURE, read=False, write=True)
        program.run(-(-picture.width // GROUP), -(-picture.height // GROUP))
        self.ctx.memory_barrier(IMAGES_WRITTEN)

    def release(self) -> None:
        release_all(self._bloom)
