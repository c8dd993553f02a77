"""Far water, drawn more finely: which rows of a picture, and how much.

Few waves break or mirror the sun or the edge of a cloud, and which of them samples hit is chance. Seen at a low angle,
a pixel's footprint is longer than wide by one over the angle's sine, and along it most waves are hidden by others,
which leaves more to that. So far rows are drawn once more, each pixel as several, and the mean of those takes their
place. docs/theory.md, section Water, has the argument and the figures.
"""

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import moderngl
import numpy as np

from ocean.gpu.bindings import Sampler
from ocean.gpu.fullscreen import CORNERS, FullscreenTriangle
from ocean.gpu.shaders import shader_library
from ocean.gpu.uniforms import set_uniforms
from ocean.render import camera
from ocean.render.mesh import EARTH_RADIUS
from ocean.render.targets import Targets
from ocean.settings import ViewSettings

NEAREST = 300.0  # m
LEAST = 4  # that one is drawn as, however steeply it is seen
LONG = 2.0  # how much longer than wide the footprints of rows stay at least where one is drawn as more
FEW = 1000.0  # m, within which a block holds few waves: as many samples hit less of them, so pixels are twice as many
ROWS = 8  # that one is drawn as at most; as two columns beyond, which calm pans


class Part(NamedTuple):
    """A rectangle of a picture, in pixels from the lower left corner, and as how many columns and rows one of its is
    drawn."""

    left: int
    bottom: int
    width: int
    height: int
    columns: int
    rows: int

    def crop(self, size: tuple[int, int]) -> camera.Matrix:
        """That leaves this part of a picture."""
        (width, height), right, top = size, self.left + self.width, self.bottom + self.height
        return camera.crop((self.left / width, right / width), (self.bottom / height, top / height))

    @property
    def drawn(self) -> tuple[int, int]:
        """Pixels that it is drawn as."""
        return self.columns * self.width, self.rows * self.height


def is_finer(view: ViewSettings) -> bool:
    """Whether far water is drawn more finely at all."""
    return view.far_pixels > 1 and view.samples > 1 and view.dive == 0


def far_water(view: ViewSettings, size: tuple[int, int], wave_height: float) -> list[Part]:
    """The parts of a picture of this size that are drawn more finely, for waves of this significant height [m].

    Wherever a row shows water beyond NEAREST its pixels are drawn as LEAST, or as so many each as would, one above the
    other, have footprints LONG to 2 LONG times as long as wide: powers of two, and as far as `view.far_pixels` goes;
    and within FEW metres as twice as many, of footprints half as long. Angles say so, and what it costs has a bound
    however high the eye is. A part, drawn so, is no larger than the picture.
    """
    width, height = size
    eye, up = camera.eye_height(view), math.tan(math.radians(view.field_of_view) / 2)
    pitch, side = math.radians(view.pitch), up * width / height
    y = up * (2 * np.arange(0.5, height) / height - 1)
    rise = math.sin(pitch) + y * math.cos(pitch)
    down, beside = (-rise / np.sqrt(1 + y * y + x * x) for x in (0, side))  # sines of angles, in the middle and outside
    nearest = eye / NEAREST + NEAREST / (2 * EARTH_RADIUS)
    # Crests may stand before the sky; and half of the horizon's row may be sky.
    pixel = 1 / camera.pixels_at_unit_distance(view, height)
    farthest = min(math.sqrt(2 * eye / EARTH_RADIUS), (eye - wave_height / 2) / NEAREST) - pixel
    few = np.where(down >= eye / FEW, 2.0, 1.0)
    is_far = (beside <= nearest) & (down >= farthest)
    wanted = np.minimum(np.maximum(few / (LONG * np.maximum(down, 1e-9)), LEAST), min(view.far_pixels, height))
    pixels = np.where(is_far, 2 ** np.floor(np.log2(wanted)), 1).astype(int)
    ends = [0, *(np.flatnonzero(np.diff(pixels)) + 1).tolist(), height]
    strips = ((first, last, int(pixels[first])) for first, last in pairwise(ends))
    return [part for strip in strips if strip[-1] > 1 for part in _cut(size, *strip)]


def _cut(size: tuple[int, int], bottom: int, top: int, pixels: int) -> Iterator[Part]:
    """Rows of a picture as parts that, drawn, fit into it."""
    rows = min(pixels, ROWS)
    columns = pixels // rows
    across, along = max(size[0] // columns, 1), size[1] // rows
    for x in range(0, size[0], across):
        for y in range(bottom, top, along):
            yield Part(x, y, min(across, size[0] - x), min(along, top - y), columns, rows)


class Means:
    """Puts parts that were drawn more finely in their place."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self._triangle = FullscreenTriangle(ctx)

    def draw(self, targets: Targets, part: Part) -> None:
        """Into the light of a picture, from the lower left of its scene."""
        samples = targets.samples.samples
        program = shader_library(self.ctx).program(CORNERS, "post/means.frag", SAMPLES=samples)
        values = {"corner": (part.left, part.bottom), "times": (part.columns, part.rows)}
        set_uniforms(program, values)
        targets.resolved.viewport = part[:4]
        targets.resolved.use()
        self.ctx.enable_only(moderngl.NOTHING)
        targets.samples.use(Sampler.SCENE)
        self._triangle.draw(program)
        targets.resolved.viewport = 0, 0, *targets.hdr.size

    def release(self) -> None:
        self._triangle.release()
