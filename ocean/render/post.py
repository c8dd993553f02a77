"""Post-processing: automatic exposure, bloom and tone mapping."""

import math
from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import moderngl
import numpy as np

from ocean.gpu.bindings import Image, Sampler, Storage
from ocean.gpu.context import clamped, release_all
from ocean.gpu.passes import Pass, Work, dispatch
from ocean.gpu.shaders import set_uniforms, shader_library
from ocean.render.scene import Scene
from ocean.settings import SkySettings

GROUP = 8
SMALLEST = 4  # texels along the shorter side of the bloom's last level
ENLARGED = 16  # side of a work group of post/enlarge.comp
CURVES = "agx", "aces"  # in the order of CURVE in post/colours.glsl
BLOOM_OPERATIONS, TONE_OPERATIONS, ENLARGE_OPERATIONS = 80, 150, 160
"""Additions and multiplications, counted by hand in the shaders: for a texel of the bloom's levels, down and up the
pyramid, for a displayed pixel, and for enlarging it besides."""
SPREAD = 0.7  # weight of the coarser levels in each level
SHARED_TEXELS = 2720  # texels of coarse levels that fit into the shared memory that OpenGL guarantees
COARSE_GROUP = 512  # invocations that compute them


def pyramid(size: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the sizes of the bloom's levels for a picture, each half of the last level."""
    levels: list[tuple[int, int]] = []
    while min(size) >= 2 * SMALLEST or not levels:
        size = max(1, size[0] // 2), max(1, size[1] // 2)
        levels.append(size)
    return levels


class PostProcessing:
    """Exposure, bloom and tone mapping of a picture."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self.levels: list[moderngl.Texture] = []
        """Levels of the bloom, a pyramid that conserves light; the first, half as wide and high as the picture, has all
        coarser levels added to it. The coarsest levels exist in shared memory alone. Empty before the first bloom."""
        self._coarser = 0  # number of levels in shared memory
        self._size = 0, 0  # of the picture of these levels

    def passes(self, scene: Scene) -> Iterator[Pass]:
        sky, hdr, colours = scene.settings.sky.drawn, scene.targets.hdr, scene.targets.colours
        pixels = hdr.width * hdr.height
        if sky.metering == "automatic":
            words = "Measures the picture's light and adapts the exposure."
            yield Pass("exposure", partial(self.meter, scene), help=words)
        if sky.bloom > 0:
            # The levels have a third of the picture's pixels, of 16 bytes. Each is read or written up to five times.
            work = Work(92 * pixels // 3, BLOOM_OPERATIONS * pixels // 3)
            words = "Spreads bright light like a lens."
            yield Pass("bloom", partial(self.bloom, hdr), help=words, count_work=lambda: work)
        shown, enlarging = colours.width * colours.height, 0 if colours.size == hdr.size else ENLARGE_OPERATIONS
        mapped = Work((12 if sky.bloom > 0 else 8) * pixels + 4 * shown, (TONE_OPERATIONS + enlarging) * shown)
        words = "Maps the light to the range of the display, and enlarges it to the picture's size."
        yield Pass("tone mapping", partial(self.tone_map, sky, hdr, colours), help=words, count_work=lambda: mapped)

    def meter(self, scene: Scene) -> None:
        scene.light.bind()
        scene.targets.hdr.use(Sampler.HDR)
        scene.light.light.bind_to_storage_buffer(Storage.LIGHT)
        dispatch(shader_library(self.ctx).compute("post/meter.comp"), 1)

    def bloom(self, hdr: moderngl.Texture) -> None:
        if self._size != hdr.size:
            self.release()
            self._size, sizes = hdr.size, pyramid(hdr.size)
            texels = np.cumsum([math.prod(size) for size in sizes[::-1]])
            self._coarser = max(int(np.count_nonzero(texels <= SHARED_TEXELS)) - 1, 0)
            own = sizes[: len(sizes) - self._coarser]
            self.levels = [clamped("bloom", self.ctx.texture(size, 4, dtype="f4")) for size in own]
        library = shader_library(self.ctx)
        down = library.compute("post/bloom_down.comp")
        for source, target in pairwise([hdr, *self.levels]):
            self._resample(down, source, target)
        if self._coarser:
            coarse = library.compute("post/bloom_coarse.comp", TEXELS=SHARED_TEXELS, GROUP=COARSE_GROUP)
            set_uniforms(coarse, {"spread": SPREAD, "coarser": self._coarser})
            self.levels[-1].bind_to_image(Image.SKY, read=True, write=True)
            dispatch(coarse, 1)
        for coarser, finer in pairwise(self.levels[::-1]):
            up = library.compute("post/bloom_up.comp")
            set_uniforms(up, {"spread": SPREAD})
            self._resample(up, coarser, finer)

    def _resample(self, program: moderngl.ComputeShader, source: moderngl.Texture, target: moderngl.Texture) -> None:
        source.use(Sampler.BLOOM)
        target.bind_to_image(Image.SKY, read=True, write=True)
        dispatch(program, -(-target.width // GROUP), -(-target.height // GROUP))

    def tone_map(self, sky: SkySettings, hdr: moderngl.Texture, picture: moderngl.Texture) -> None:
        """Write the picture, RGBA8, with the last result of `bloom` if the settings ask for bloom. Light that is
        smaller than the picture is enlarged."""
        hdr.use(Sampler.HDR)
        defines = {"ACES": 1, "CURVE": CURVES.index(sky.tone_mapping), "BLOOM": int(sky.bloom > 0)}
        name, side = ("tone_map", GROUP) if hdr.size == picture.size else ("enlarge", ENLARGED)
        program = shader_library(self.ctx).compute(f"post/{name}.comp", **defines)
        if sky.bloom > 0:
            self.levels[0].use(Sampler.BLOOM)
            set_uniforms(program, {"glare": sky.bloom})
        picture.bind_to_image(Image.PICTURE, read=False, write=True)
        dispatch(program, -(-picture.width // side), -(-picture.height // side))

    def release(self) -> None:
        release_all(*self.levels)
