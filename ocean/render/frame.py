"""A frame: the sea's passes, then surface, sky and post-processing, into a framebuffer.

Captures read this framebuffer and windows copy it, so that a window and a headless run draw the same picture.
"""

from collections.abc import Hashable, Iterator
from dataclasses import replace

import moderngl
import numpy as np

from ocean.common.errors import InputError
from ocean.gpu.context import labelled, release_all, release_made
from ocean.gpu.passes import Pass, Progress, each_pass, run_passes
from ocean.gpu.shaders import shader_library
from ocean.gpu.timing import PassTimers
from ocean.render.backdrop import Backdrop, is_among_clouds, is_clear
from ocean.render.buoy import Buoy
from ocean.render.camera import LAYOUT, view_block, write_foam_pattern
from ocean.render.debug_drawing import DebugDrawing, is_seen_from_camera
from ocean.render.debug_views import DEBUG_VIEWS
from ocean.render.post import PostProcessing
from ocean.render.scene import Scene, Targets
from ocean.render.sky import SkyLight
from ocean.render.spray import Spray
from ocean.render.surface import Surface
from ocean.sea.sea import ChangeError, Sea
from ocean.settings import PICTURE, Settings
from ocean.settings.files import resolve
from ocean.validation.gauge import WaveGauge

ADAPTED = 12.0  # times of adaptation after which automatic exposure stays: e^-12 of the difference is left


class FrameRenderer:
    """Renderer of the frames of one sea."""

    def __init__(self, ctx: moderngl.Context, settings: Settings, size: tuple[int, int]) -> None:
        settings = resolve(settings)
        self.ctx = ctx
        self.size, self.factor = size, 1.0
        self.sea = Sea(ctx, settings)
        self.gauge: WaveGauge | None = None
        self.light = SkyLight(ctx)
        self.surface = Surface(ctx)
        self.backdrop = Backdrop(ctx, self.surface.samples)
        self.buoy = Buoy(ctx)
        self.spray = Spray(ctx)
        self.debug = DebugDrawing(ctx, self.surface, self.spray)
        self._post = PostProcessing(ctx)
        self.camera_block = labelled("view", ctx.buffer(reserve=LAYOUT.itemsize))
        targets = Targets(ctx, size, self._drawn_size(settings), self.surface.is_drawn_by_hardware(settings))
        self._old_targets: Targets | None = None  # targets of the last whole picture, until the next is whole
        self.scene = Scene(settings, self.sea, self.light, self.camera_block, np.zeros((), LAYOUT), targets)
        self._drawing = self._drawing_passes(self.scene)
        self.programs = self.programs_key(settings)
        self._begun: set[str] = set()  # names of the passes that have run with these programs
        self._view_key: tuple[object, ...] = ()
        self._drawn: tuple[object, ...] = ()  # inputs of the last whole picture; empty while the next is being drawn
        self._unchanged = 0.0  # s for which pictures with these inputs have been drawn again

    @property
    def settings(self) -> Settings:
        return self.scene.settings

    @property
    def targets(self) -> Targets:
        return self.scene.targets

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
        """The exposed light of the last frame before tone mapping, RGBA16F, of the drawn size. Raises InputError for a
        debug view, whose frames leave that of an earlier picture."""
        if self.settings.stage.view != PICTURE:
            raise InputError("a debug view has no light")
        return self.targets.hdr

    @property
    def passes(self) -> tuple[Pass, ...]:
        """The passes of the frame that has begun. Each pass runs once with new programs, so that they are compiled
        before the camera turns to sky or sea; later it runs if it has work."""
        view = DEBUG_VIEWS.get(self.settings.stage.view)
        gauge = self.gauge.passes if self.gauge else ()
        light = self.light.passes if view is None or is_seen_from_camera(self.settings) else ()
        drawing = [one for one in self._drawing if one.name not in self._begun or one.is_needed()]
        return (*self.sea.passes, *gauge, *light, *drawing, *self.sea.last_passes)

    def _drawing_passes(self, scene: Scene) -> tuple[Pass, ...]:
        if scene.settings.stage.view in DEBUG_VIEWS:
            return tuple(self.debug.passes(scene))
        return (
            *self.buoy.passes(scene),
            *self.surface.passes(scene, self.buoy, self.spray),
            *self.backdrop.passes(scene),
            *self.spray.light_pass(scene),
            *self._post.passes(scene),
        )

    def programs_key(self, settings: Settings) -> Hashable:
        """Return a key that is equal for settings whose frames run the same shaders, except shaders of measurements.
        Compiling delays a frame, so a window announces a new key."""
        sky, view = settings.sky.drawn, settings.view
        sea = settings.fft, settings.foam.resolution, settings.sea.dynamics
        always = *sea, is_clear(settings), bool(sky.panorama), view.anisotropy > 1
        is_taken = settings is self.settings
        drawing = self._drawing if is_taken else self._drawing_passes(replace(self.scene, settings=settings))
        passes = tuple(one.name for one in drawing)
        if settings.stage.view in DEBUG_VIEWS:
            return *always, *passes, settings.stage.view, settings.stage.beside
        is_enlarged = self._drawn_size(settings) != self.size
        return *always, *passes, is_enlarged, view.dive > 0, view.samples, is_among_clouds(settings), sky.tone_mapping

    def _draw_with(self, scene: Scene) -> None:
        self.scene, self._drawing = scene, self._drawing_passes(scene)

    def apply(self, settings: Settings, blend: float = 0.0, background: bool = False) -> None:
        """Apply a new value of the settings; see `Sea.apply`."""
        settings = resolve(settings)
        if settings is self.settings is self.sea.settings:
            return
        self.sea.apply(settings, blend, background)
        self._draw_with(replace(self.scene, settings=settings))
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

    def resize(self, size: tuple[int, int], factor: float = 1.0) -> None:
        """Set the size of the next frames, and a factor on `view.scale`. A size without pixels (a minimised window) is
        ignored."""
        if size[0] > 0 and size[1] > 0:
            self.size = size
            if factor != self.factor:
                self.factor = factor
                self.programs = self.programs_key(self.settings)

    def _drawn_size(self, settings: Settings) -> tuple[int, int]:
        """Return the size at which light is computed, even below the picture's, because bloom is fast where sizes
        halve. Debug views have the picture's size, so that no value is interpolated."""
        scale = self.factor * settings.view.scale if settings.stage.view == PICTURE else 1.0
        if scale == 1:
            return self.size
        return max(1, 2 * round(scale * self.size[0] / 2)), max(1, 2 * round(scale * self.size[1] / 2))

    def repeats(self, time: float) -> bool:
        """Return whether a frame of `time` [s] would draw the same picture again: nothing has changed since the last
        whole frame, and no blend of seas, measurement, read-out of a debug view, or adaptation of the exposure is under
        way."""
        sky = self.settings.sky.drawn
        return (
            self._drawn == self._inputs(time)
            and (sky.metering != "automatic" or self._unchanged > ADAPTED * sky.adaptation)
            and self.gauge is None
            and not (self.sea.is_blending or self.sea.is_busy)
            and not self.debug.is_reading(self.scene)
        )

    def _inputs(self, time: float) -> tuple[object, ...]:
        return time, self.settings, self.size, self.factor, shader_library(self.ctx).reloads

    def render(self, time: float, elapsed: float | None = None, timers: PassTimers | None = None) -> None:
        """Compute and draw the frame of `time` [s]; a blend between seas advances by `elapsed` [s]."""
        for _ in self.steps(time, elapsed, timers):
            pass

    def steps(self, time: float, elapsed: float | None = None, timers: PassTimers | None = None) -> Iterator[Progress]:
        """Render in parts, and yield the progress before each part. Until the last part is done, `picture` stays the
        last whole frame, and settings and size must not change. Raises ChangeError when an accepted change of the sea
        fails; `settings` are then those of the running sea."""
        settings, view = self.settings, self.settings.view
        inputs, before, self._drawn = self._inputs(time), self._drawn, ()
        debug_view = DEBUG_VIEWS.get(settings.stage.view)
        if debug_view is None:
            self.debug.rest()
        self._match_targets()
        try:
            self.sea.begin(time, (view.x, view.z), elapsed)
        except ChangeError:
            self._draw_with(replace(self.scene, settings=self.sea.settings))
            raise
        self.surface.update_roughness(self.sea.blend.parts)
        self.light.prepare(settings, time, elapsed or 0.0)
        self._write_block()
        if debug_view is None:
            self.surface.prepare(view, self.targets.hdr.size, settings.buoy.show)
        elif is_seen_from_camera(settings):
            self.surface.prepare(view.model_copy(update={"samples": 1}), self.size)
        if not before:  # an abandoned picture leaves samples and sums of spray behind, which its last passes clear
            self.surface.samples.clear()
            release_made(self.targets, "spray")
        passes = self.passes
        yield from each_pass(self.ctx, passes, timers)
        self.sea.end()
        self._begun.update(one.name for one in passes)
        release_all(self._old_targets)
        self._old_targets = None
        self._drawn = inputs
        self._unchanged = self._unchanged + (elapsed or 0.0) if inputs == before else 0.0
        self.ctx.enable_only(moderngl.NOTHING)  # the interface draws with the same context

    def hold_exposure(self, time: float) -> None:
        """Hold the matrix-metered exposure of `time` [s] for all later frames, if the settings ask for it. The exposure
        depends on settings and time alone."""
        if self.settings.sky.metering == "matrix" and self.settings.capture.exposure == "held":
            self.light.hold_exposure(self.settings, time)

    def _match_targets(self) -> None:
        wanted = self.size, self._drawn_size(self.settings), self.surface.is_drawn_by_hardware(self.settings)
        if self.targets.key == wanted:
            return
        if self._old_targets is None:
            self._old_targets = self.targets
        else:
            self.targets.release()  # targets of an abandoned frame
        self._draw_with(replace(self.scene, targets=Targets(self.ctx, *wanted)))

    def _write_block(self) -> None:
        """Write the camera's block in every frame, because the GPU lifts the eye in it."""
        settings, block = self.settings, self.scene.view
        known = self.light.sun, self.surface.roughness, self.surface.horizon(settings.view)
        key = settings.view, self.size, *known, self.sea.textures.keys
        if key != self._view_key:
            self._view_key = key
            grid_cutoff = max(tile.cutoff(self.sea.size) for tile in self.sea.tiles)
            block[...] = view_block(settings.view, self.size[0] / self.size[1], *known, grid_cutoff)
        write_foam_pattern(block, settings, self.light.wind_run)
        self.camera_block.write(block.tobytes())

    def place_camera(self) -> None:
        """Place the camera and the buoy in the sea of its last update, without a picture."""
        self._write_block()
        first, *_ = self.surface.mesh_passes(self.scene)
        run_passes(self.ctx, (*self.buoy.passes(self.scene), first))

    def release(self) -> None:
        self.measure(False)
        release_all(self.buoy, self.spray, self.debug, self.sea, self.surface)
        release_all(self._old_targets, self.targets, self.light, self._post, self.camera_block)
