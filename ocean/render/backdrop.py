"""Sky, sun and clouds behind the sea; from under water, the open water."""

import math
from collections.abc import Iterator
from functools import partial

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Image, Storage
from ocean.gpu.context import is_software
from ocean.gpu.passes import IMAGES_WRITTEN, Pass, Work, dispatch
from ocean.gpu.shaders import set_uniforms, shader_library
from ocean.render import camera
from ocean.render.samples import Samples
from ocean.render.scene import Scene
from ocean.settings import Settings

GROUP, TILE = 8, 16  # texels along a side of a work group, and of those of a work group that marches one of four
CLOUDS_NEAR = 300.0  # m below the clouds' base: eyes from there up see clouds all over the picture
PART = 1 << 14  # pixels that a software renderer draws at once: a whole picture takes seconds
FOURTH, LISTED, STALE = 0, 1, 2  # texels that sky/clouds.comp marches
TURNS = 32  # frames in which all blocks of a kept map are marched again
JUMP = 100.0  # m through the clouds from frame to frame, over which none are kept
EMPTY_LIST = np.array([256, 0, 1, 0], "u4").tobytes()  # an empty list, as in sky/cloud_list.glsl
RAY_OPERATIONS, SKY_OPERATIONS = 13800, 200
"""Additions and multiplications, counted by hand in the shaders: for a ray through clouds and veil, with 47 steps
outside clouds and 8 inside (mean of the default view), and for a pixel of the sky without the ray. Clouds vary, so the
true numbers differ by up to a third."""
MARCHED = 0.41  # rays through clouds per pixel of the sky: one pixel of four, and the edges of clouds (default view)
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
    """The sky behind the sea, and clouds, which an eye among or above them also sees in front of the sea. `samples`
    tells the rows of the picture that show sea."""

    def __init__(self, ctx: moderngl.Context, samples: Samples) -> None:
        self.ctx, self.samples = ctx, samples
        self.is_parted = is_software(ctx)
        self.keeps_clouds = False
        """Whether frames follow each other: then each marches a part of the clouds and keeps the others from the last
        frames. A picture without kept clouds depends on its own frame alone."""
        self._disc: tuple[object, PixelBox | None] = (), None  # the last camera, and the box of the sun's pixels in it
        self._is_kept = False  # in the frame that has begun
        self._turn, self._place = 0, (0.0, 0.0)  # number of the frame modulo TURNS, position in the clouds [m]

    def passes(self, scene: Scene) -> Iterator[Pass]:
        """Yield the passes that draw clouds and sky. They have work if the picture may show sky, or clouds in front of
        the sea."""

        def shows_sky() -> bool:
            return self.samples.lowest_sky < self.samples.rows or is_among_clouds(scene.settings)

        clear = is_clear(scene.settings)
        if not clear:
            words = "Marches rays through the clouds, a part of them per frame."
            work = partial(self._work, scene, 8, RAY_OPERATIONS, is_marched=True)
            yield Pass("clouds", partial(self._march_clouds, scene), help=words, count_work=work, is_needed=shows_sky)
        words = "Draws sky, sun and clouds where there is no water."
        work = partial(self._work, scene, 16 if clear else 24, SKY_OPERATIONS)
        yield Pass("sky", partial(self._draw, scene), help=words, count_work=work, is_needed=shows_sky)

    def _work(self, scene: Scene, bytes_of_pixel: int, operations: float, is_marched: bool = False) -> Work:
        """Return the work for all pixels that may show sky, or for those of them that are marched."""
        width, height = scene.targets.hdr.size
        pixels = float(width * (height - self._first_row(scene)))
        if is_marched:
            pixels *= 1 / TURNS if self._is_kept else MARCHED
        return Work(round(bytes_of_pixel * pixels), round(operations * pixels))

    def _first_row(self, scene: Scene) -> int:
        """Return the first row of the picture that may show sky, or clouds before the sea, at the edge of a tile."""
        return 0 if is_among_clouds(scene.settings) else self.samples.lowest_sky // TILE * TILE

    def _march_clouds(self, scene: Scene) -> Iterator[None]:
        """March clouds into their map: a fourth of the picture's texels, and of the others those whose neighbours
        differ; or the stale blocks, if clouds of the last frames are kept."""
        targets, first = scene.targets, self._first_row(scene)
        self._is_kept = self.keeps_clouds and not is_among_clouds(scene.settings) and self._follow(scene)
        self._turn = (self._turn + 1) % TURNS
        if self._is_kept:
            yield from self._march(scene, STALE, targets.clouds.shown)
            return
        targets.clouds.turn_to(scene.view, ())
        targets.clouds.look(scene.view, first)
        (width, height), whole = targets.hdr.size, targets.clouds.light.size
        yield from self._march(scene, FOURTH, (0, 0, -(-whole[0] // TILE), -(-whole[1] // TILE)))
        yield from self._march(scene, LISTED, (0, 0, -(-width // TILE), -(-(height - first) // TILE)))
        targets.clouds.key = self._key(scene)  # a picture may be abandoned before its map is whole

    def _march(self, scene: Scene, texels: int, groups: PixelBox) -> Iterator[None]:
        """March texels of the map in a box of work groups: all at once on a GPU, and up to about PART of them on a
        software renderer."""
        library, targets, clouds = shader_library(self.ctx), scene.targets, scene.targets.clouds
        march = library.compute("sky/clouds.comp", OVER_ALL=int(is_among_clouds(scene.settings)))
        left, bottom, columns, rows = groups
        side = GROUP if texels == STALE else TILE
        part = max(1, PART // (columns * side * side) if self.is_parted else rows)
        for row in range(0, rows, part):
            yield
            scene.bind()  # other work comes between parts
            clouds.write()
            uniforms = clouds.uniforms | {"texels": texels, "due": self._turn, "corner": (left, bottom + row)}
            set_uniforms(march, uniforms)
            count = min(part, rows - row)
            if texels == LISTED:
                fill = library.compute("sky/cloud_gaps.comp")
                targets.cloud_list.bind_to_storage_buffer(Storage.CLOUD_LIST)
                targets.cloud_list.write(EMPTY_LIST)
                set_uniforms(fill, uniforms)
                dispatch(fill, columns, count)
                march.run_indirect(targets.cloud_list)
            else:
                march.run(columns, count)
            self.ctx.memory_barrier(IMAGES_WRITTEN)

    def _follow(self, scene: Scene) -> bool:
        """Return whether the map holds clouds for this frame. If the camera has turned to its edge, they are moved to
        a map around the camera."""
        targets, (x, z) = scene.targets, scene.light.drift
        (last_x, last_z), self._place = self._place, (x, z)
        clouds, block = targets.clouds, scene.view
        program = shader_library(self.ctx).compute("sky/clouds_moved.comp")  # before it is needed
        if clouds.key != self._key(scene) or math.hypot(x - last_x, z - last_z) > JUMP:
            return False
        clouds.look(block, first := self._first_row(scene))
        if clouds.share_held == 0.5:
            other = targets.other_clouds
            other.turn_to(block, clouds.key)
            other.look(block, first)
            scene.bind()
            clouds.read()
            other.write()
            set_uniforms(program, clouds.uniforms | {"new_point_to_ray": other.uniforms["point_to_ray"]})
            dispatch(program, other.light.width // GROUP, other.light.height // GROUP)
            targets.clouds, targets.other_clouds = other, clouds
        return targets.clouds.share_held > 0

    def _key(self, scene: Scene) -> tuple[object, ...]:
        """Return what clouds depend on, except camera and time."""
        return scene.light.lit, scene.settings.view.field_of_view, shader_library(self.ctx).reloads

    def _draw(self, scene: Scene) -> None:
        """Draw the background where the light's alpha is below 1, in the rows that may show it; a second dispatch draws
        the sun's disc in its box alone."""
        settings, targets, samples = scene.settings, scene.targets, self.samples
        light, clear, first = targets.hdr, is_clear(settings), self._first_row(scene)
        defines = {"PANORAMA": int(bool(settings.sky.drawn.panorama)), "CLOUDY": int(not clear)}
        defines |= {"OVER_ALL": int(is_among_clouds(settings)), "DIVES": int(settings.view.dive > 0)}
        shown = scene.view["view_projection"].tobytes(), scene.view["sun"].tobytes(), light.size
        if shown != self._disc[0]:
            self._disc = shown, disc_box(scene.view, light.size)
        disc = self._disc[1]
        uniforms = {"sea_top": samples.top, "disc": disc or (0, 0, 0, 0), "is_kept": self._is_kept}
        scene.bind()
        if not clear:
            targets.clouds.read()
            uniforms |= targets.clouds.uniforms
        light.bind_to_image(Image.HDR, read=True, write=True)
        for shows_disc, box in ((0, (0, first, light.width, max(light.height - first, 1))), (1, disc)):
            # Both programs are made now: a turn towards the sun compiles nothing.
            program = shader_library(self.ctx).compute("sky/backdrop.comp", **defines, DISC=shows_disc)
            if box is None:
                continue
            set_uniforms(program, {**uniforms, "first": box[:2]})
            dispatch(program, -(-box[2] // GROUP), -(-box[3] // GROUP))


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
