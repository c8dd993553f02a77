"""Sky, sun and clouds behind the sea; from under water, the open water."""

import math
from collections.abc import Iterator
from functools import partial

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Image
from ocean.gpu.context import is_software
from ocean.gpu.passes import IMAGES_WRITTEN, Pass, Work
from ocean.gpu.shaders import shader_library
from ocean.gpu.uniforms import set_uniforms
from ocean.render import camera
from ocean.render.samples import Samples
from ocean.render.scene import Scene
from ocean.settings import Settings

GROUP, TILE = 8, 16
CLOUDS_NEAR = 300.0  # m below the clouds' base: eyes from there up see clouds all over the picture
PART = 1 << 14  # pixels that a software renderer draws at once: a whole picture takes seconds
RAY_OPERATIONS, SKY_OPERATIONS = 14500, 200
"""Additions and multiplications, counted by hand in the shaders: for a ray through clouds and veil, with 63 steps
outside clouds and 8 inside (mean of the default view), and for a pixel of the sky without the ray. Clouds vary, so the
true numbers differ by up to a third."""
MARCHED, DRAWN = 0.25, 0.16
"""Rays through clouds per pixel of the sky: in the pass of the clouds, and in drawing the edges of clouds (default
view)."""
PixelBox = tuple[int, int, int, int]  # left, bottom, width, height


def is_clear(settings: Settings) -> bool:
    """Return whether the sky has neither clouds nor a veil."""
    sky = settings.sky.drawn
    return sky.clouds == sky.veil == 0


def is_among_clouds(settings: Settings) -> bool:
    """Return whether clouds are drawn over the whole picture: for an eye among or above them, or so close below that
    the height steps of the air's tables would show."""
    sky = settings.sky.drawn
    return sky.clouds > 0 and camera.eye_height(settings.view) > sky.cloud_base - CLOUDS_NEAR


class Backdrop:
    """The sky behind the sea, and clouds, which an eye among or above them also sees in front of the sea.

    `samples` tells the rows of the picture that show sea.
    """

    def __init__(self, ctx: moderngl.Context, samples: Samples) -> None:
        self.ctx, self.samples = ctx, samples
        self.is_parted = is_software(ctx)

    def passes(self, scene: Scene) -> Iterator[Pass]:
        """Yield the passes that draw clouds and sky. They have work if the picture may show sky, or clouds in front of
        the sea."""

        def shows_sky() -> bool:
            return self.samples.lowest_sky < self.samples.rows or is_among_clouds(scene.settings)

        clear = is_clear(scene.settings)
        if not clear:
            words = "Marches rays through the clouds, a part of them per frame."
            work = partial(self._work, scene, 2, MARCHED * RAY_OPERATIONS)  # writes 8 bytes for four pixels
            yield Pass("clouds", partial(self._march_clouds, scene), help=words, count_work=work, is_needed=shows_sky)
        words = "Draws sky, sun and clouds where there is no water."
        rays = 0.0 if clear else DRAWN * RAY_OPERATIONS
        work = partial(self._work, scene, 16 if clear else 18, SKY_OPERATIONS + rays)
        yield Pass("sky", partial(self._draw, scene), help=words, count_work=work, is_needed=shows_sky)

    def _work(self, scene: Scene, bytes_of_pixel: int, operations: float) -> Work:
        """Return the work for all pixels that may show sky."""
        hdr = scene.targets.hdr
        pixels = hdr.width * (hdr.height - (0 if is_among_clouds(scene.settings) else self.samples.lowest_sky))
        return Work(bytes_of_pixel * pixels, round(operations * pixels))

    def _march_clouds(self, scene: Scene) -> Iterator[None]:
        """March clouds and veil at one pixel of four; `_draw` interpolates the others."""
        targets, over_all = scene.targets, is_among_clouds(scene.settings)
        program = shader_library(self.ctx).compute("sky/clouds.comp", OVER_ALL=int(over_all))
        for _, bottom, width, height in self._parts((0, 0, *targets.clouds.size), GROUP, PART // 4):
            if bottom:
                yield
            scene.bind()  # other work comes between parts
            targets.hdr.bind_to_image(Image.HDR, read=True, write=False)
            targets.clouds.bind_to_image(Image.CLOUDS, read=False, write=True)
            set_uniforms(program, {"bottom": bottom, "sea_top": self.samples.top})
            program.run(-(-width // GROUP), -(-height // GROUP))
            self.ctx.memory_barrier(IMAGES_WRITTEN)

    def _parts(self, box: PixelBox, side: int, most: int) -> Iterator[PixelBox]:
        """Yield the parts of a box that are drawn at once, in work groups of `side` x `side` texels: the whole box on a
        GPU, and up to about `most` texels on a software renderer."""
        left, bottom, width, height = box
        rows = side * max(1, most // (width * side)) if self.is_parted else height
        for first in range(0, height, rows):
            yield left, bottom + first, width, min(rows, height - first)

    def _draw(self, scene: Scene) -> Iterator[None]:
        """Draw the background where the light's alpha is below 1, in the rows that may show it. Under a clear sky, a
        second dispatch draws the sun's disc in its box alone."""
        settings, targets, samples = scene.settings, scene.targets, self.samples
        light, over_all, clear = targets.hdr, is_among_clouds(settings), is_clear(settings)
        defines = {"PANORAMA": int(bool(settings.sky.drawn.panorama)), "CLOUDY": int(not clear)}
        defines |= {"OVER_ALL": int(over_all), "DIVES": int(settings.view.dive > 0)}
        first = 0 if over_all else samples.lowest_sky // TILE * TILE
        whole = 0, first, light.width, max(light.height - first, 1)
        disc = disc_box(scene.view, light.size) if clear else None
        boxes = ((0, whole), (1, disc)) if clear else ((1, part) for part in self._parts(whole, TILE, PART))
        side = GROUP if clear else TILE
        scene.bind()
        for shows_disc, box in boxes:  # makes both programs now: a turn towards the sun compiles nothing
            program = shader_library(self.ctx).compute("sky/backdrop.comp", **defines, DISC=shows_disc)
            if box is None:
                continue
            if not clear and box[1] > first:
                yield
                scene.bind()
            light.bind_to_image(Image.HDR, read=True, write=True)
            if not clear:
                targets.clouds.bind_to_image(Image.CLOUDS, read=True, write=False)
            set_uniforms(program, {"first": box[:2], "sea_top": samples.top, "disc": disc or (0, 0, 0, 0)})
            program.run(-(-box[2] // side), -(-box[3] // side))
            self.ctx.memory_barrier(IMAGES_WRITTEN)


def disc_box(block: NDArray[np.void], size: tuple[int, int]) -> PixelBox | None:
    """Return the box of pixels that may show the sun's disc, from the view's uniform block; None if it is out of
    sight."""
    x, y, z, cosine = block["sun"].tolist()
    clip = np.array([x, y, z, 0.0]) @ block["view_projection"].astype(np.float64)
    if clip[3] <= 0:
        return None
    scale = np.linalg.norm(block["view_projection"][:3, :2].astype(np.float64), axis=0)  # clip units per tangent
    # Perspective stretches the disc to an ellipse, most at the edges of the picture.
    wide = scale * math.tan(math.acos(cosine)) / clip[3] ** 2 * 1.5
    low = np.clip(((clip[:2] / clip[3] - wide + 1) / 2 * size) - 2, 0, size)
    high = np.clip(((clip[:2] / clip[3] + wide + 1) / 2 * size) + 2, 0, size)
    width, height = (np.ceil(high) - np.floor(low)).astype(int).tolist()
    return (int(low[0]), int(low[1]), width, height) if width > 0 and height > 0 else None
