"""Far water, drawn more finely: which rows of a picture, and how much.

Seen at a low angle, a pixel's footprint is longer than wide by one over the angle's sine. Along its length there are many
waves, most of them hidden by others, and which of the rest its samples hit is chance; across there is hardly one. So such
rows are drawn once more as several rows each, with shorter footprints, and the mean of those takes their place.
docs/theory.md, section Water, has the argument and the figures.
"""

import math
from itertools import pairwise
from typing import NamedTuple

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Sampler
from ocean.gpu.shaders import shader_library
from ocean.gpu.uniforms import set_uniforms
from ocean.render import camera
from ocean.render.mesh import EARTH_RADIUS
from ocean.render.targets import Targets
from ocean.settings import ViewSettings

NEAREST = 300.0  # m
LENGTH = 40.0
"""Of the dominant waves over the significant wave height: as in a fully grown sea (Pierson and Moskowitz 1964)."""
BLOCK = 8  # pixels along a side: what is to be as bright as it would be with many samples


class Band(NamedTuple):
    """Neighbouring rows of a picture."""

    first: int  # from the bottom
    rows: int
    times: int  # as many rows each is drawn as


def is_finer(view: ViewSettings) -> bool:
    """Whether far water is drawn more finely at all."""
    return view.far_rows > 1 and view.samples > 1 and view.dive == 0 and not view.wireframe


def far_bands(view: ViewSettings, size: tuple[int, int], wave_height: float) -> list[Band]:
    """The rows of a picture of this size that are drawn more finely, where waves have this significant height [m].

    As often as makes a footprint as long as wide, in powers of two and `view.far_rows` times at most, wherever a row
    shows water beyond NEAREST; but not where blocks of BLOCK by BLOCK pixels are wider than the dominant waves are long,
    as they are from high up: they hold waves enough. A band, drawn so, has no more rows than the picture.
    """
    width, height = size
    eye, up = camera.eye_height(view), math.tan(math.radians(view.field_of_view) / 2)
    pitch, side = math.radians(view.pitch), up * width / height
    y = up * (2 * np.arange(0.5, height) / height - 1)
    rise = math.sin(pitch) + y * math.cos(pitch)
    down = -rise / np.sqrt(1 + y * y)  # the sine of its angle, in the middle of a row
    pixel = 1 / camera.pixels_at_unit_distance(view, height)

    # Crests may stand before the sky; and half of the horizon's row may be sky.
    top = min(math.sqrt(2 * eye / EARTH_RADIUS), (eye - wave_height / 2) / NEAREST) - pixel
    is_far = (down >= top) & (_distance(eye, -rise / np.sqrt(1 + y * y + side * side)) >= NEAREST)
    is_far &= BLOCK * pixel * _distance(eye, down) <= LENGTH * wave_height
    most = min(view.far_rows, height)
    times = np.where(is_far, 2 ** np.floor(np.log2(np.clip(1 / np.maximum(down, 1 / most), 1, most))), 1).astype(int)

    ends = [0, *(np.flatnonzero(np.diff(times)) + 1).tolist(), height]
    bands = []
    for first, last in pairwise(ends):
        step = height // int(times[first])
        bands += [Band(at, min(step, last - at), int(times[first])) for at in range(first, last, step)]
    return [band for band in bands if band.times > 1]


def _distance(eye: float, down: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of mean water [m] from an eye at a height [m], by the sine of the angle below level; beyond the horizon, its."""
    grazing = 2 * eye / EARTH_RADIUS
    steep = np.maximum(down, math.sqrt(grazing))
    return np.asarray(2 * eye / (steep + np.sqrt(steep * steep - grazing)))


class RowMeans:
    """Puts rows that were drawn as several in their place."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self._draws: dict[int, moderngl.VertexArray] = {}  # by samples

    def draw(self, targets: Targets, band: Band) -> None:
        """Into the light of a picture, from the lower rows of its scene."""
        samples = targets.samples.samples
        if samples not in self._draws:
            program = shader_library(self.ctx).program("common/fullscreen.vert", "post/row_means.frag", SAMPLES=samples)
            self._draws[samples] = self.ctx.vertex_array(program, [])
        set_uniforms(self._draws[samples].program, {"first": band.first, "times": band.times})
        targets.resolved.viewport = 0, band.first, targets.hdr.width, band.rows
        targets.resolved.use()
        self.ctx.enable_only(moderngl.NOTHING)
        targets.samples.use(Sampler.SCENE)
        self._draws[samples].render(mode=moderngl.TRIANGLES, vertices=3)
        targets.resolved.viewport = 0, 0, *targets.hdr.size

    def release(self) -> None:
        for draw in self._draws.values():
            draw.release()
