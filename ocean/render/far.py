"""Far water in the sun's glitter, drawn more finely: which parts of a picture, and how much.

Seen at a low angle, a pixel's footprint is longer than wide by one over the angle's sine. Along its length there are
many waves, most of them hidden by others, and few of the rest have a slope that mirrors the sun: which of them samples
hit is chance. So such parts are drawn once more, each pixel as several, and the mean of those takes their place.
docs/theory.md, section Water, has the argument and the figures.
"""

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Sampler
from ocean.gpu.shaders import shader_library
from ocean.gpu.uniforms import set_uniforms
from ocean.light.atmosphere import SUN_RADIUS
from ocean.render import camera
from ocean.render.mesh import EARTH_RADIUS
from ocean.render.targets import Targets
from ocean.settings import ViewSettings

NEAREST = 300.0  # m
COLUMNS = 2  # that one is drawn as; rows are more, as footprints are longer than wide
BLOCK = 8  # pixels along a side: what is to be as bright as it would be with many samples
LENGTH = 40.0
"""Of the dominant waves over the significant wave height: as in a fully grown sea (Pierson and Moskowitz 1964)."""
DEVIATIONS = 4.0
"""Of slopes, within which the sun is mirrored: one facet of 3000 is steeper, and those mirror less light than the sky
sends them."""


class Part(NamedTuple):
    """A rectangle of a picture, in pixels from the lower left corner, and as how many rows one of its is drawn."""

    left: int
    bottom: int
    width: int
    height: int
    rows: int

    def crop(self, size: tuple[int, int]) -> camera.Matrix:
        """That leaves this part of a picture."""
        (width, height), right, top = size, self.left + self.width, self.bottom + self.height
        return camera.crop((self.left / width, right / width), (self.bottom / height, top / height))

    @property
    def drawn(self) -> tuple[int, int]:
        """Pixels that it is drawn as."""
        return COLUMNS * self.width, self.rows * self.height


def is_finer(view: ViewSettings) -> bool:
    """Whether far glitter is drawn more finely at all."""
    return view.glitter_pixels > 1 and view.samples > 1 and view.dive == 0


def far_glitter(
    view: ViewSettings,
    size: tuple[int, int],
    sun: tuple[float, float, float],
    wave_height: float,
    slope_variance: float,
) -> list[Part]:
    """The parts of a picture of this size that are drawn more finely, for a unit vector towards the sun, waves of this
    significant height [m], and the variance of their slopes, both components'.

    Wherever a row shows water beyond NEAREST and in it the sun, it is drawn as so many rows as make footprints as long
    as wide, in powers of two and as far as `view.glitter_pixels` goes. But not where blocks of BLOCK by BLOCK pixels
    are wider than the dominant waves are long, as they are from high up: they hold waves enough. A part, drawn so, is
    no larger than the picture.
    """
    width, height = size
    eye, up = camera.eye_height(view), math.tan(math.radians(view.field_of_view) / 2)
    pitch, side = math.radians(view.pitch), up * width / height
    y = up * (2 * np.arange(0.5, height) / height - 1)
    rise, ahead = math.sin(pitch) + y * math.cos(pitch), math.cos(pitch) - y * math.sin(pitch)
    down = -rise / np.sqrt(1 + y * y)  # the sine of its angle, in the middle of a row
    pixel = 1 / camera.pixels_at_unit_distance(view, height)

    # Crests may stand before the sky; and half of the horizon's row may be sky.
    top = min(math.sqrt(2 * eye / EARTH_RADIUS), (eye - wave_height / 2) / NEAREST) - pixel
    is_far = (down >= top) & (_distance(eye, -rise / np.sqrt(1 + y * y + side * side)) >= NEAREST)
    is_far &= BLOCK * pixel * _distance(eye, down) <= LENGTH * wave_height
    most = max(min(view.glitter_pixels // COLUMNS, height), 1)
    times = np.where(is_far, 2 ** np.floor(np.log2(np.clip(1 / np.maximum(down, 1 / most), 1, most))), 1).astype(int)

    parts: list[Part] = []
    turn = math.remainder(math.atan2(sun[0], -sun[2]) - math.radians(view.heading), 2 * math.pi)
    for first, last in pairwise([0, *(np.flatnonzero(np.diff(times)) + 1).tolist(), height]):
        if times[first] == 1:
            continue
        wide = float(glitter_width(down[first:last], sun[1], slope_variance).max())
        edges = np.tan(np.clip([turn - wide, turn + wide], -1.57, 1.57))[:, None] * ahead[[first, last - 1]] / side
        left, right = np.clip((edges.min() + 1) / 2, 0, 1), np.clip((edges.max() + 1) / 2, 0, 1)
        if wide > 0:
            parts += _cut(size, math.floor(left * width), math.ceil(right * width), first, last, int(times[first]))
    return parts


def glitter_width(down: NDArray[np.float64], sun_up: float, slope_variance: float) -> NDArray[np.float64]:
    """How far [rad] from the sun's azimuth water may mirror it that is seen by these sines of angles below level, where
    the sun's sine above it is given; 0 for nowhere. It is widest somewhere between level and steep."""
    if sun_up < -SUN_RADIUS:
        return np.zeros_like(down)
    level, sun_level = np.sqrt(1 - down * down), math.sqrt(1 - sun_up * sun_up)
    # The slope that mirrors is the horizontal part of the sum of both directions over its vertical one.
    reach = DEVIATIONS * math.sqrt(slope_variance / 2) * np.maximum(down + sun_up, 0)
    cosine = (level**2 + sun_level**2 - reach**2) / np.maximum(2 * level * sun_level, 1e-9)
    return np.where(down + sun_up > 0, np.arccos(np.clip(cosine, -1.0, 1.0)), 0.0)


def _distance(eye: float, down: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of mean water [m] from an eye at a height [m], by the sine of the angle below level; beyond the horizon, its."""
    grazing = 2 * eye / EARTH_RADIUS
    steep = np.maximum(down, math.sqrt(grazing))
    return np.asarray(2 * eye / (steep + np.sqrt(np.maximum(steep * steep - grazing, 0))))


def _cut(size: tuple[int, int], left: int, right: int, bottom: int, top: int, rows: int) -> Iterator[Part]:
    """A rectangle as parts that, drawn, fit into a picture."""
    across, along = max(size[0] // COLUMNS, 1), size[1] // rows
    for x in range(left, right, across):
        for y in range(bottom, top, along):
            yield Part(x, y, min(across, right - x), min(along, top - y), rows)


class Means:
    """Puts parts that were drawn more finely in their place."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self._draws: dict[int, moderngl.VertexArray] = {}  # by samples

    def draw(self, targets: Targets, part: Part) -> None:
        """Into the light of a picture, from the lower left of its scene."""
        samples = targets.samples.samples
        if samples not in self._draws:
            program = shader_library(self.ctx).program("common/fullscreen.vert", "post/means.frag", SAMPLES=samples)
            self._draws[samples] = self.ctx.vertex_array(program, [])
        values = {"corner": (part.left, part.bottom), "times": (COLUMNS, part.rows)}
        set_uniforms(self._draws[samples].program, values)
        targets.resolved.viewport = part[:4]
        targets.resolved.use()
        self.ctx.enable_only(moderngl.NOTHING)
        targets.samples.use(Sampler.SCENE)
        self._draws[samples].render(mode=moderngl.TRIANGLES, vertices=3)
        targets.resolved.viewport = 0, 0, *targets.hdr.size

    def release(self) -> None:
        for draw in self._draws.values():
            draw.release()
