"""A frame: the sea's passes, then surface, sky and post-processing, into a framebuffer.

Captures read this framebuffer and windows copy it, so that a window and a headless run draw the same picture.
"""

from collections.abc import Hashable, Iterator
from functools import cached_property, partial
from typing import Any

import moderngl
import numpy as np

from ocean.gpu.bindings import Block
from ocean.gpu.context import labelled, release_all, release_made
from ocean.gpu.passes import Pass, Progress, Work, each_pass
from ocean.gpu.timing import PassTimers
from ocean.render import camera
from ocean.render.backdrop import Backdrop, count_backdrop, count_clouds, is_among_clouds, is_clear
from ocean.render.buoy import Buoy
from ocean.render.camera import LAYOUT, view_block, write_foam_pattern
from ocean.render.debug_drawing import DebugDrawing, is_shown
from ocean.render.debug_views import DEBUG_VIEWS
from ocean.render.post import PostProcessing, count_bloom, count_tone_mapping
from ocean.render.sky import SkyLight
from ocean.render.surface import Surface, horizon_distance
from ocean.render.targets import PlaceTarget, Targets
from ocean.sea.sea import ChangeError, Sea
from ocean.settings import Settings
from ocean.validation.gauge import WaveGauge

SEA = "sea"
"""Group of the passes that draw the sea."""


class FrameRenderer:
    """Renderer of the frames of one sea."""

    def __init__(self, ctx: moderngl.Context, settings: Settings, size: tuple[int, int]) -> None:
        self.ctx = ctx
        self.settings = settings
        self.sea = Sea(ctx, settings)
        self.gauge: WaveGauge | None = None
        self.size = size
        self.surface = Surface(ctx)
        self.light = SkyLight(ctx)
        self.backdrop = Backdrop(ctx)
        self._post = PostProcessing(ctx)
        self.debug = DebugDrawing(ctx)
        self.camera_block = labelled("view", ctx.buffer(reserve=LAYOUT.itemsize))
        self.targets = Targets(ctx, size, self.surface.is_drawn_by_hardware(settings))
        self._old_targets: Targets | None = None  # targets of the last whole picture, until the next is whole
        self.horizon = 0.0
        self._drawing_passes = tuple(self._drawing(settings))
        self.programs = self.programs_key(settings)
        self._begun: set[str] = set()  # names of the passes that have run with these programs
        self._view_key: tuple[object, ...] = ()
        self._view = np.zeros((), LAYOUT)

    @cached_property
    def buoy(self) -> Buoy:
        return Buoy(self.ctx)

    @property
    def picture(self) -> moderngl.Framebuffer:
        """The last whole frame, RGBA8."""
        return (self._old_targets or self.targets).picture

    @property
    def colours(self) -> moderngl.Texture:
        """The last whole frame as a texture."""
        return (self._old_targets or self.targets).colours

    @property
    def radiance(self) -> moderngl.Texture:
        """The exposed light of the last frame before tone mapping, RGBA16F."""
        return self.targets.hdr

    @property
    def passes(self) -> tuple[Pass, ...]:
        """The passes of the frame that has begun. Each pass runs once with new programs, so that they are compiled
        before the camera turns to sky or sea; later it runs if it has work."""
        gauge = self.gauge.passes if self.gauge else ()
        drawing = [step for step in self._drawing_passes if step.name not in self._begun or step.is_needed()]
        light = () if self._shows_map else self.light.passes
        return (*self.sea.passes, *gauge, *light, *drawing, *self.sea.last_passes)

    @property
    def _shows_map(self) -> bool:
        return is_shown(self.settings) and not DEBUG_VIEWS[self.settings.stage.view].is_seen_from_camera

    def programs_key(self, settings: Settings) -> Hashable:
        """Return a key that is equal for settings whose frames run equal shaders, leaving out shaders of measurements.
        Compiling delays a frame, so a window announces it."""
        sky, view = settings.sky.drawn, settings.view
        always = settings.fft, settings.foam.resolution, is_clear(settings), bool(sky.panorama), view.anisotropy > 1
        drawing = self._drawing_passes if settings is self.settings else self._drawing(settings)
        passes = tuple(step.name for step in drawing)
        if is_shown(settings):
            return *always, *passes, settings.stage.view
        return *always, *passes, view.dive > 0, view.samples, is_among_clouds(settings), sky.tone_mapping

    def _drawing(self, settings: Settings) -> Iterator[Pass]:
        """Yield the passes that draw with these settings."""
        shown = is_shown(settings)
        if settings.buoy.show and not shown:
            yield Pass("buoy pose", self._pose_buoy, help="Finds the water line of the buoy.")
        on_sea: dict[str, Any] = {"group": SEA, "is_needed": lambda: shown or self.surface.samples.shows_sea}
        if not shown or DEBUG_VIEWS[settings.stage.view].is_seen_from_camera:
            yield Pass("ride", self._ride, help="Keeps the eye above the waves.", group=SEA)
            words = "Chooses triangles as fine as a picture needs."
            yield Pass("mesh", self._choose_mesh, help=words, debug_view="wireframe", **on_sea)
        if shown:
            yield Pass("debug view", self._draw_debug_view, help="Draws the values of the debug view.")
            yield Pass("legend", self._show_debug_view, help="Gives the values their colours and draws the legend.")
            return
        words = "Finds the nearest triangle of each sample."
        yield Pass(
            "raster", self._raster, help=words, debug_view="overdraw", count_work=self.surface.count_raster, **on_sea
        )
        words = "Lights the water: reflections, glitter, light from below, foam and air."
        yield Pass(
            "shading", self._shade, help=words, debug_view="normals", count_work=self.surface.count_shading, **on_sea
        )
        if settings.view.samples > 1:
            words = "Averages the samples of each pixel."
            yield Pass("resolve", self._resolve, help=words, count_work=self._count_resolve, **on_sea)
        shows_sky = partial(self.backdrop.is_shown, settings, self.surface.samples)
        if not is_clear(settings):
            words = "Marches rays through the clouds, a part of them per frame."
            yield Pass("clouds", self._march_clouds, help=words, count_work=self._count_clouds, is_needed=shows_sky)
        words = "Draws sky, sun and clouds where there is no water."
        yield Pass("sky", self._draw_backdrop, help=words, count_work=self._count_backdrop, is_needed=shows_sky)
        if settings.sky.drawn.metering == "automatic":
            yield Pass("exposure", self._adapt_exposure, help="Measures the picture's light and adapts the exposure.")
        if settings.sky.drawn.bloom > 0:
            words = "Spreads bright light like a lens."
            yield Pass("bloom", self._draw_bloom, help=words, count_work=lambda: count_bloom(self.targets.hdr.size))
        words = "Maps the light to the range of the display."
        yield Pass("tone mapping", self._draw_tone_map, help=words, count_work=self._count_tone_mapping)

    def apply(self, settings: Settings, blend: float = 0.0, background: bool = False) -> None:
        """Take a new value of the settings; see `Sea.apply`."""
        self.sea.apply(settings, blend, background)
        self.settings = settings
        self._drawing_passes = tuple(self._drawing(settings))
        before, self.programs = self.programs, self.programs_key(settings)
        if self.programs != before:
            self._begun.clear()

    def measure(self, wanted: bool) -> None:
        """Begin or end measuring the running sea."""
        if wanted and self.gauge is None:
            self.gauge = WaveGauge(self.ctx, self.sea)
        elif not wanted and self.gauge is not None:
            self.gauge.release()
            self.gauge = None
        if self.gauge is not None:
            self.gauge.listen((self.settings.buoy.x, self.settings.buoy.z))

    def resize(self, size: tuple[int, int]) -> None:
        """Set the size of the next frames; a size without pixels (a minimised window) is ignored."""
        if size[0] > 0 and size[1] > 0:
            self.size = size

    def render(self, time: float, elapsed: float | None = None, timers: PassTimers | None = None) -> None:
        """Compute and draw the frame of `time` [s]; a blend between seas advances by `elapsed` [s]."""
        for _ in self.steps(time, elapsed, timers):
            pass

    def steps(self, time: float, elapsed: float | None = None, timers: PassTimers | None = None) -> Iterator[Progress]:
        """Render in steps, and yield each step before it is done. Until the last step is done, `picture` stays the last
        whole frame, and settings and size must not change.

        Raises:
            ChangeError: when a change of the sea that was accepted can't be made; the settings then say what runs.
        """
        view = self.settings.view
        if not is_shown(self.settings):
            self.debug.rest()
        self._match_targets()
        try:
            self.sea.begin(time, (view.x, view.z), elapsed)
        except ChangeError:
            self.settings = self.sea.settings
            raise
        self.surface.update_roughness(self.sea.blend.parts)
        self.light.prepare(self.settings, time, elapsed or 0.0)
        highest = self.surface.roughness.crest
        self.horizon = horizon_distance(max(camera.eye_height(view), 0.0) + highest, highest)
        self._write_block()
        if not is_shown(self.settings):
            self.surface.prepare(view, self.size, self.settings.buoy.show)
        passes = self.passes
        yield from each_pass(self.ctx, passes, timers)
        self._begun.update(step.name for step in passes)
        release_all(self._old_targets)
        self._old_targets = None
        self.ctx.enable_only(moderngl.NOTHING)  # the interface draws with the same context

    def hold_exposure(self, time: float) -> None:
        """Hold the matrix-metered exposure of `time` [s] for all later frames, if the settings ask for it. The exposure
        depends on settings and time alone, not on earlier frames."""
        if self.settings.sky.metering == "matrix" and self.settings.capture.exposure == "held":
            self.light.hold_exposure(self.settings, time)

    def _match_targets(self) -> None:
        wanted = self.size, self.surface.is_drawn_by_hardware(self.settings)
        if self.targets.key == wanted:
            return
        if self._old_targets is None:
            self._old_targets = self.targets
        else:
            self.targets.release()  # targets of an abandoned frame
        self.targets = Targets(self.ctx, *wanted)

    def _write_block(self) -> None:
        """Write the view's block; always, because the GPU lifted the eye of the last frame in it."""
        settings = self.settings
        known = self.light.sun, self.surface.roughness, self.horizon
        key = settings.view, self.size, *known, self.sea.textures.keys
        if key != self._view_key:
            self._view_key = key
            grid_cutoff = max(tile.cutoff(self.sea.size) for tile in self.sea.tiles)
            self._view = view_block(settings.view, self.size[0] / self.size[1], *known, grid_cutoff)
        write_foam_pattern(self._view, settings, self.light.wind_run)
        self.camera_block.write(self._view.tobytes())

    # -- Passes ------------------------------------------------------------------------------------------------------

    def _ride(self) -> None:
        self.surface.ride(self.sea, self.camera_block, self.settings.view.dive > 0)

    def _choose_mesh(self) -> None:
        self.camera_block.bind_to_uniform_block(Block.VIEW)
        pixels = camera.pixels_at_unit_distance(self.settings.view, self.size[1])
        self.surface.choose(self.settings, pixels, self.horizon)

    def _bind(self) -> None:
        """Bind the blocks of view, cascades and light."""
        self.camera_block.bind_to_uniform_block(Block.VIEW)
        self.sea.bind()
        self.light.bind()

    @property
    def _places(self) -> PlaceTarget | None:
        """The places that the hardware's raster draws, if it is faster."""
        return self.targets.places if self.surface.is_drawn_by_hardware(self.settings) else None

    def _raster(self) -> None:
        self.camera_block.bind_to_uniform_block(Block.VIEW)
        self.sea.bind()
        if self.targets.places is not None:
            self.surface.compare_rasters(self.sea, self.targets.places)
        buoy = self.buoy if self.settings.buoy.show else None
        self.surface.raster(self.sea, buoy, places=self._places)

    def _shade(self) -> None:
        self._bind()
        buoy = self.buoy if self.settings.buoy.show else None
        image = self.targets.hdr if self.settings.view.samples == 1 else None
        self.surface.shade(self.sea, self.settings, buoy, image=image, places=self._places)

    def _resolve(self) -> None:
        self.surface.resolve(self.targets.hdr)

    def _count_resolve(self) -> Work:
        return self.surface.count_resolve(self.targets.hdr.width)

    def _pose_buoy(self) -> None:
        buoy, view = self.settings.buoy, self.settings.view
        self.buoy.float_on(self.sea, (buoy.x - view.x, buoy.z - view.z))

    def _march_clouds(self) -> Iterator[None]:
        return self._each_bound(self.backdrop.march_clouds(self.settings, self.targets, self.surface.samples))

    def _count_clouds(self) -> Work:
        return count_clouds(self.settings, self.targets, self.surface.samples)

    def _draw_backdrop(self) -> Iterator[None]:
        samples = self.surface.samples
        return self._each_bound(self.backdrop.draw(self.settings, self.targets, samples, self._view))

    def _count_backdrop(self) -> Work:
        return count_backdrop(self.settings, self.targets, self.surface.samples)

    def _each_bound(self, parts: Iterator[None]) -> Iterator[None]:
        """Bind the blocks before each part: other work comes between them."""
        self._bind()
        for _ in parts:
            yield
            self._bind()

    def _adapt_exposure(self) -> None:
        self.light.bind()
        self._post.meter(self.targets.hdr, self.light.light)

    def _draw_bloom(self) -> None:
        self._post.bloom(self.targets.hdr)

    def _draw_tone_map(self) -> None:
        self._post.tone_map(self.settings.sky.drawn, self.targets.hdr, self.targets.colours)

    def _count_tone_mapping(self) -> Work:
        return count_tone_mapping(self.settings.sky.drawn, self.targets.hdr.size)

    def _draw_debug_view(self) -> None:
        self._bind()
        self.debug.draw(self.settings, self.sea, self.surface, self.size)

    def _show_debug_view(self) -> None:
        self.targets.picture.use()
        self.debug.show(self.settings, self.sea, self.surface)

    def release(self) -> None:
        self.measure(False)
        release_made(self, "buoy")
        release_all(self.debug, self.sea, self.surface)
        release_all(self._old_targets, self.targets, self.light, self._post, self.camera_block)
