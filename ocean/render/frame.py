"""A frame: the sea's passes, then surface, sky and tone mapping, into a picture of our own.

The only per-frame code of the renderer. The picture is a framebuffer that captures read and windows copy, so that a
window and a headless run draw the same.
"""

from functools import cached_property

import moderngl

from ocean.gauge import WaveGauge
from ocean.gpu.bindings import Block
from ocean.gpu.context import labelled
from ocean.gpu.passes import Frame, Pass, run_passes
from ocean.gpu.timing import PassTimers
from ocean.render import camera
from ocean.render.atmosphere import SkyLight
from ocean.render.backdrop import Backdrop
from ocean.render.buoy import Buoy
from ocean.render.far import Means, far_water, is_finer
from ocean.render.post import Development
from ocean.render.stages import StageView, is_shown
from ocean.render.surface import Surface, horizon_distance, is_among_clouds, is_clear
from ocean.render.targets import Targets, is_deferred
from ocean.render.view import LAYOUT, crest, view_block
from ocean.settings import Settings
from ocean.simulation import Sea
from ocean.survey import Survey


class FrameRenderer:
    """Runs whole frames of one sea at one size."""

    def __init__(self, ctx: moderngl.Context, settings: Settings, size: tuple[int, int]) -> None:
        self.ctx = ctx
        self.settings = settings
        self.sea = Sea(ctx, settings)
        self.gauge: WaveGauge | None = None
        self.size = size
        self._surface = Surface(ctx, self.sea.foam)
        self._light = SkyLight(ctx)
        self._backdrop = Backdrop(ctx)
        self._development = Development(ctx)
        self._means = Means(ctx)
        self.stages = StageView(ctx)
        self._block = labelled("view", ctx.buffer(reserve=LAYOUT.itemsize))
        self._targets = Targets(ctx, settings.view, size)
        self._horizon = 0.0
        self._pixels = 0.0
        self._scene = (
            Pass("ride", self._ride),
            Pass("mesh", self._choose_mesh),
            Pass("surface", self._draw_surface),
            Pass("shading", self._shade_surface),
            Pass("buoy", self._draw_buoy),
            Pass("sky", self._draw_sky),
            Pass("clouds", self._draw_clouds),
            Pass("depths", self._draw_depths),
        )
        self._passes = (
            Pass("buoy pose", self._pose_buoy),
            *self._scene,
            Pass("resolve", self._resolve_samples),
            Pass("far water", self._draw_far_water),
            Pass("clouds over all", self._draw_clouds_over_all),
            Pass("exposure", self._adapt_exposure),
            Pass("bloom", self._spread_light),
            Pass("tone mapping", self._draw_tone_map),
        )
        self._stage_passes = (*self._scene[:2], Pass("stage", self._draw_stage), Pass("legend", self._show_stage))

    @cached_property
    def _buoy(self) -> Buoy:
        return Buoy(self.ctx)

    @property
    def picture(self) -> moderngl.Framebuffer:
        """The last frame, RGBA8."""
        return self._targets.picture

    @property
    def colours(self) -> moderngl.Texture:
        """The last frame as a texture."""
        return self._targets.colours

    @property
    def radiance(self) -> moderngl.Texture:
        """The light of the last frame before exposure and tone curve, RGBA16F."""
        return self._targets.hdr

    @property
    def passes(self) -> tuple[Pass, ...]:
        """The passes of a frame as it stands now."""
        gauge = self.gauge.passes if self.gauge else ()
        steps = self._stage_passes if is_shown(self.settings) else self._passes
        return (*self.sea.passes, *gauge, *self._light.passes, *self._shown(steps))

    def _shown(self, steps: tuple[Pass, ...]) -> tuple[Pass, ...]:
        """Those that draw something as it stands now."""
        hidden = set()
        if not self.settings.buoy.show:
            hidden |= {"buoy pose", "buoy"}
        among = is_among_clouds(self.settings)
        if among or is_clear(self.settings):
            hidden |= {"clouds"}
        if not among:
            hidden |= {"clouds over all"}
        if not self._dives:
            hidden |= {"depths"}
        if not is_deferred(self.settings.view):
            hidden |= {"shading"}
        if self.settings.view.samples == 1:
            hidden |= {"resolve"}
        if not is_finer(self.settings.view):
            hidden |= {"far water"}
        return tuple(step for step in steps if step.name not in hidden)

    @property
    def _dives(self) -> bool:
        return self.settings.view.dive > 0

    @property
    def _grid_cutoff(self) -> float:
        """Largest wave number [rad/m] that the maps hold."""
        return max(tile.cutoff(self.sea.layers.width) for tile in self.sea.tiles)

    def apply(self, settings: Settings, blend: float = 0.0, background: bool = False) -> None:
        """Take a new value of the settings; see `Sea.apply`."""
        foam = self.sea.foam
        self.sea.apply(settings, blend, background)
        self.settings = settings
        if self.sea.foam is not foam:
            self._surface.release()
            self._surface = Surface(self.ctx, self.sea.foam)

    def measure(self, wanted: bool) -> None:
        """Measure the sea as it runs from now on, or no longer."""
        if wanted and self.gauge is None:
            self.gauge = WaveGauge(self.ctx, self.sea)
        elif not wanted and self.gauge is not None:
            self.gauge.release()
            self.gauge = None

    @property
    def survey(self) -> Survey | None:
        """What has been measured of the sea as it is now."""
        return self.gauge.survey if self.gauge else None

    def resize(self, size: tuple[int, int]) -> None:
        """Draw at another size from now on; a size without pixels (a minimised window) is ignored."""
        if size[0] > 0 and size[1] > 0:
            self.size = size

    def render(self, time: float, elapsed: float | None = None, timers: PassTimers | None = None) -> None:
        """Compute and draw the frame of `time` [s]; a blend between seas advances by `elapsed` [s]."""
        view = self.settings.view
        self._match_targets()
        frame = self.sea.begin(time, (view.x, view.z), elapsed)
        self._surface.update_statistics(self.sea.parts)
        self._light.prepare(self.settings, time, elapsed or 0.0)
        highest = crest(self._surface)  # which lifts the eye, and may hide behind the horizon
        self._horizon = horizon_distance(max(camera.eye_height(view), 0.0) + highest, highest)
        self._pixels = camera.pixels_at_unit_distance(view, self.size[1])
        self._write_block()
        run_passes(self.ctx, self.passes, frame, timers)

    def hold_exposure(self, time: float) -> None:
        """Expose all frames from now on as the one of `time` [s] by its matrix metering, where the settings want that
        held: a function of settings and time alone, whichever frames have been drawn."""
        if self.settings.sky.metering == "matrix" and self.settings.capture.exposure == "held":
            self._light.hold_exposure(self.settings, time)

    def _match_targets(self) -> None:
        if not self._targets.fits(self.settings.view, self.size):
            self._targets.release()
            self._targets = Targets(self.ctx, self.settings.view, self.size)

    def _write_block(self, crop: camera.Matrix | None = None) -> None:
        """For the picture, or for a part of it. The GPU has lifted the eye in the last one, so it is always written."""
        aspect = self.size[0] / self.size[1]
        known = self._light.sun, self._light.wind_run, self._surface, self._horizon, self._grid_cutoff
        self._block.write(view_block(self.settings, aspect, *known, crop).tobytes())

    # -- Passes ------------------------------------------------------------------------------------------------------

    def _ride(self, frame: Frame) -> None:
        self._surface.ride(self.sea, self._block, self._dives)

    def _choose_mesh(self, frame: Frame) -> None:
        self._block.bind_to_uniform_block(Block.VIEW)
        self._surface.choose(self.settings, self._pixels, self._horizon)

    def _draw_surface(self, frame: Frame) -> None:
        self._block.bind_to_uniform_block(Block.VIEW)
        self.sea.bind()
        self._light.bind()
        self._targets.unshaded.use()
        self.ctx.enable_only(moderngl.DEPTH_TEST)
        self._targets.unshaded.clear(depth=1.0)
        draw = self._surface.place if self._targets.places else self._surface.draw
        draw(self.sea, self.settings)

    def _shade_surface(self, frame: Frame) -> None:
        scene, places = self._targets.scene, self._targets.places
        assert places is not None
        self._bind_scene()
        self.sea.bind()
        self.ctx.depth_func, scene.depth_mask = ">", False  # where there is something, at whatever depth
        self._surface.shade(self.sea, self.settings, places)
        self.ctx.depth_func, scene.depth_mask = "<", True

    def _bind_scene(self) -> None:
        """Be about to draw into the scene, with depth, by the light that there is."""
        self._block.bind_to_uniform_block(Block.VIEW)
        self._light.bind()
        self._targets.scene.use()
        self.ctx.enable_only(moderngl.DEPTH_TEST)

    def _pose_buoy(self, frame: Frame) -> None:
        buoy, view = self.settings.buoy, self.settings.view
        self._buoy.float_on(self.sea, (buoy.x - view.x, buoy.z - view.z))

    def _draw_buoy(self, frame: Frame) -> None:
        self._bind_scene()
        self._buoy.draw(self._dives)

    def _draw_sky(self, frame: Frame) -> None:
        self._bind_scene()
        self._backdrop.draw_sky(self.settings.sky)

    def _draw_clouds(self, frame: Frame) -> None:
        self._bind_scene()
        self._backdrop.draw_clouds(self.settings.sky)

    def _draw_clouds_over_all(self, frame: Frame) -> None:
        """In the picture without its samples, for clouds have no edges that need them."""
        self._bind_scene()
        self._targets.resolved.use()
        self._backdrop.draw_clouds_over_all()

    def _draw_depths(self, frame: Frame) -> None:
        self._bind_scene()
        self._backdrop.draw_depths(self.settings.sky)

    def _resolve_samples(self, frame: Frame) -> None:
        self.ctx.copy_framebuffer(self._targets.resolved, self._targets.scene)

    def _draw_far_water(self, frame: Frame) -> None:
        """Draw parts of the scene again, more finely, one by one into the targets that have held all of it."""
        scene = self._targets.scene
        for part in far_water(self.settings.view, self.size, 4 * self._surface.height_deviation):
            self._write_block(part.crop(self.size))
            scene.viewport = 0, 0, *part.drawn
            for step in self._shown(self._scene):
                step.run(frame)
            self._means.draw(self._targets, part)
        scene.viewport = 0, 0, *self.size
        self._write_block()

    def _adapt_exposure(self, frame: Frame) -> None:
        self._light.bind()
        self._development.meter(self.settings.sky, self._targets.hdr, self._light.light)

    def _spread_light(self, frame: Frame) -> None:
        self._development.bloom(self.settings.sky.drawn, self._targets.hdr)

    def _draw_tone_map(self, frame: Frame) -> None:
        self._targets.picture.use()
        self._development.tone_map(self.settings.sky.drawn, self._targets.hdr)

    def _draw_stage(self, frame: Frame) -> None:
        self._block.bind_to_uniform_block(Block.VIEW)
        self.sea.bind()
        self._light.bind()
        self.stages.draw(self.settings, self.sea, self._surface, self.size)

    def _show_stage(self, frame: Frame) -> None:
        self._targets.picture.use()
        self.stages.show(self.settings, self.sea, self._surface)

    def release(self) -> None:
        self.measure(False)
        self.stages.release()
        self.sea.release()
        self._surface.release()
        if "_buoy" in self.__dict__:
            self._buoy.release()
        self._targets.release()
        self._light.release()
        self._development.release()
        self._means.release()
        self._block.release()
        self._backdrop.release()
