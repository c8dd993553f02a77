"""Spray: drops of breaking crests, found and summed by compute, and their light over the picture."""

import math
from collections.abc import Iterator
from functools import cached_property, partial
from statistics import NormalDist
from typing import ClassVar

import moderngl
import numpy as np

from ocean.gpu.bindings import Block, Image, Sampler, Storage
from ocean.gpu.context import labelled, release_all, release_made
from ocean.gpu.mips import FORMATS
from ocean.gpu.passes import BUFFERS_WRITTEN, Pass, Work, dispatch
from ocean.gpu.shaders import UniformBlock, block_layout, shader_library
from ocean.render.backdrop import is_clear
from ocean.render.camera import eye_height
from ocean.render.mesh import Mesh
from ocean.render.samples import Samples
from ocean.render.scene import SEA, Scene, VisibilityTarget
from ocean.sea.sea import Sea
from ocean.settings import SeaSettings, Settings
from ocean.waves import spray
from ocean.waves.dispersion import GRAVITY
from ocean.waves.spreading import friction_velocity
from ocean.waves.systems import WindRun, unit
from ocean.waves.whitecaps import JUDGED

LEVELS = 8
WINDOW = 32.0  # m: side of the finest level's window
BOUNDS = 18  # of classes of drops
LIFE = 2.5  # s for which a drop is followed
GROUP, CULLED_AT_ONCE = 8, 64  # side of a work group of spray/light.comp, and invocations of one of spray/cull.comp
CELL_BYTES, SUMS_BYTES = 48, 12
LEAST_FRICTION = 1e-3  # m/s, of a sea without wind into which a wind is blended
PIECES = 1 << 18  # of drops; further drops take longer
NOTHING_YET = np.array([1024, 0, 1, 0] * 2, "u4").tobytes()  # two empty lists, as in spray/drop.glsl
SPLAT_OPERATIONS = 32 * 3000  # additions and multiplications for a cell: its drops and about 100 pixels of each
_LAYOUT = block_layout("spray/spray.glsl", "Spray", SPRAY_LEVELS=LEVELS, SPRAY_BOUNDS=BOUNDS)


def torn_in(sea: SeaSettings) -> float:
    """Return the fraction of breaking crests that the wind tears."""
    return spray.torn_share(sea.wind.speed) if sea.wave_age * sea.choppiness > 0 else 0.0


def wind_of(sea: SeaSettings) -> tuple[float, float, float, float]:
    """Return the wind's unit vector (east, south), its speed and its friction velocity [m/s]."""
    speed, age = sea.wind.speed, sea.wave_age
    return *unit(sea.wind.direction), speed, friction_velocity(speed, 1 / age) if age > 0 else 0.0


def tears(scene: Scene) -> bool:
    """Return whether the seas that are mixed in this frame have torn crests."""
    return any(torn_in(sea.settings.sea) > 0 for _, sea in scene.sea.blend.parts)


def may_tear(scene: Scene) -> bool:
    """Return whether the eye is above water, spray is shown, and the wind tears crests of the wanted or a drawn sea."""
    settings, drawn = scene.settings, [sea.settings.sea for _, sea in scene.sea.blend.parts]
    is_seen = settings.foam.spray * settings.foam.amount > 0 and settings.view.dive == 0
    return is_seen and any(torn_in(sea) > 0 for sea in [settings.sea, *drawn])


class Spray:
    """The drops in the air. They take little memory before the first spray."""

    defines: ClassVar = {"SPRAY_LEVELS": LEVELS, "SPRAY_BOUNDS": BOUNDS}

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self._run = WindRun()  # of the crests
        self._cells = 0  # along a side of a level's window
        self._law: object = None  # inputs of the parts of the block that do not change with time
        self.block = np.zeros((), _LAYOUT)  # the uniform block of the last frame
        self._uniforms = UniformBlock(ctx, "spray", Block.SPRAY, _LAYOUT)
        self.count = labelled("number of cells with spray", ctx.buffer(NOTHING_YET))
        """The dispatches of `spray/drop.glsl`, with the numbers of cells and of pieces."""

    @cached_property
    def listed(self) -> moderngl.Buffer:
        """The cells that emit."""
        return labelled("cells with spray", self.ctx.buffer(reserve=CELL_BYTES * LEVELS * self._cells**2))

    @cached_property
    def _pieces(self) -> moderngl.Buffer:
        return labelled("pieces of drops", self.ctx.buffer(reserve=8 * PIECES))

    def splat_pass(self, scene: Scene, target: VisibilityTarget | None) -> Iterator[Pass]:
        """Yield the pass that sums up drops, if there are any, between raster and shading, which overwrites the
        distances of the water. `target` is that of the raster."""
        if may_tear(scene):
            yield Pass(
                "spray",
                partial(self.splat, scene, target),
                is_needed=partial(tears, scene),
                help="Finds the drops in the air and sums up their light.",
                debug_view="spray",
                group=SEA,
                count_work=self._count_splats,
            )

    def light_pass(self, scene: Scene) -> Iterator[Pass]:
        """Yield the pass that adds the light of spray to the picture, if there is any."""
        if may_tear(scene):
            words, light = "Adds the light of spray to the picture.", scene.targets.hdr
            work = Work(SUMS_BYTES * light.width * light.height)
            run, needed = partial(self.light, scene, light), partial(tears, scene)
            yield Pass("spray light", run, help=words, group=SEA, count_work=lambda: work, is_needed=needed)

    def splat(self, scene: Scene, target: VisibilityTarget | None) -> None:
        """Add the drops that show in front of the water to the sums of the picture."""
        settings, library = scene.settings, shader_library(self.ctx)
        if self._cells != settings.foam.resolution // 4:
            release_made(self, "listed")
            self._cells, self._law = settings.foam.resolution // 4, None
        first = self._write(scene)
        scene.bind()
        scene.sea.foam.bind()
        scene.sea.maps.use(Sampler.MAPS)
        self.count.write(NOTHING_YET)
        self.count.bind_to_storage_buffer(Storage.SPRAY_COUNT)
        self.listed.bind_to_storage_buffer(Storage.SPRAY_CELLS)
        self._pieces.bind_to_storage_buffer(Storage.SPRAY_PIECES)
        scene.targets.spray.bind_to_storage_buffer(Storage.SPRAY_SUMS)
        clear = {"CLEAR": 1} if is_clear(settings) else {}
        cull = {**self.defines, **scene.sea.foam.defines, **Mesh.defines, **clear, "SPRAY_CELLS": self._cells}
        library.compute("spray/cull.comp", **cull).run(self._cells**2 // CULLED_AT_ONCE, LEVELS - first)
        self.ctx.memory_barrier(BUFFERS_WRITTEN)
        if target is not None:
            target.texture.use(Sampler.VISIBILITY)
        drawn = {**self.defines, **Samples.defines, "BY_HARDWARE": int(target is not None)}
        for kernel, offset in (("spray/find.comp", 0), ("spray/splat.comp", 16)):
            library.compute(kernel, **drawn, BUOY=int(settings.buoy.show)).run_indirect(self.count, offset)
            self.ctx.memory_barrier(BUFFERS_WRITTEN)

    def light(self, scene: Scene, image: moderngl.Texture, shows_sums: bool = False) -> None:
        """Add the light of spray to an image, or show its optical depth alone, and clear the sums."""
        scene.bind()
        self._uniforms.bind()
        scene.targets.spray.bind_to_storage_buffer(Storage.SPRAY_SUMS)
        image.bind_to_image(Image.HDR, read=True, write=True)
        clear = {"CLEAR": 1} if is_clear(scene.settings) else {}
        chosen = {**self.defines, **clear, "FORMAT": FORMATS[image.dtype][0], "DEBUG": int(shows_sums)}
        program = shader_library(self.ctx).compute("spray/light.comp", **chosen)
        dispatch(program, -(-image.width // GROUP), -(-image.height // GROUP))

    def _write(self, scene: Scene) -> int:
        """Write the block of the frame. Return its first level: for high eyes, the finest ones would not show."""
        settings, sea, block = scene.settings, scene.sea, self.block
        if (law := (settings.sea, settings.foam, sea.blend, sea.blend.progress)) != self._law:
            self._law = law
            self._write_law(settings, sea)
        view, time, sides = settings.view, sea.time, block["lattices"][:, 2:3]
        crests = block["crests"][:2].tolist() if any(settings.sea.carrying_wind) else (0.0, 0.0)
        focus = np.array((view.x, view.z)) - self._run.at(tuple(crests), time)
        first = np.floor(focus / sides).astype(np.int64) - self._cells // 2
        block["first_cells"][:, :2], block["lattices"][:, :2] = first, first * sides - focus
        period = settings.sea.period
        cycle = time % period * int(block["generations"]) / period
        block["generation"], block["cycle"] = int(cycle), cycle % 1
        high = max(eye_height(view), 1.0) / WINDOW
        block["first_level"] = level = min(max(math.ceil(math.log2(high)), 0), LEVELS - 1)
        self._uniforms.write(block.tobytes())
        self._uniforms.bind()
        return level

    def _write_law(self, settings: Settings, sea: Sea) -> None:
        drops, block, mean_of = spray.drops(BOUNDS - 1), self.block, sea.blend.mean_of
        sides, period = WINDOW / self._cells * 2.0 ** np.arange(LEVELS), settings.sea.period
        block["lattices"][:, 2], block["lattices"][:, 3] = sides, 0.5 * self._cells * sides
        turns = max(round(period / LIFE), 1)
        block["life"], block["generations"] = period / turns, turns
        east, south, speed, friction = mean_of(wind_of)
        friction = max(friction, LEAST_FRICTION)
        direction = np.array((east, south)) / max(math.hypot(east, south), 1e-9)
        crests = math.sqrt(GRAVITY * sea.blend.breaking_texel / JUDGED / (2 * math.pi))
        block["crests"][:2] = crests * direction
        block["wind"] = *direction, friction, 10 * math.exp(-spray.KARMAN * speed / friction)
        block["sizes"][:, 0] = spray.terminal_speed(drops.diameters)
        block["sizes"][:, 1] = spray.relaxation_time(drops.diameters, spray.SLIP * (speed - crests))
        coverage, active = sea.blend.coverage(settings.foam).whitecaps, NormalDist().cdf(sea.births.breaking)
        torn = mean_of(torn_in) * settings.foam.spray * coverage / max(active, 1e-9)
        block["emitted"] = drops.emitted * torn  # as much again is diffracted, by less than a degree

    def _count_splats(self) -> Work:
        """Return the work of the last `splat`, waiting for the GPU."""
        cells = int(np.frombuffer(self.count.read(), "u4")[3])
        return Work(CELL_BYTES * (LEVELS * self._cells**2 + cells), SPLAT_OPERATIONS * cells)

    def release(self) -> None:
        release_all(self._uniforms, self.count)
        release_made(self, "listed", "_pieces")
