"""The desktop window: events in, frames out.

Owns what the loop needs and is no setting (time, what is being compiled, compared, filmed) and hands on everything
else: the picture to `FrameRenderer`, settings and times to the interface.
"""

from contextlib import suppress
from functools import cached_property
from pathlib import Path

from moderngl_window.context.base import BaseWindow

from ocean.common import resources
from ocean.fft import FFTError
from ocean.gpu.reload import ShaderWatch
from ocean.gpu.timing import LIVE, PassTimers
from ocean.render.frame import FrameRenderer
from ocean.render.programs import programs
from ocean.settings import Settings, SettingsError, to_tree
from ocean.settings.trees import differences
from ocean.window import session
from ocean.window.comparing import Comparing
from ocean.window.recording import Studio, What, save_picture
from ocean.window.session import LastState
from ocean.window.ui import dialogs
from ocean.window.ui.events import EventWindow
from ocean.window.ui.files import scenes
from ocean.window.ui.interface import Interface, Scene
from ocean.window.ui.keys import Action

LONGEST_STEP = 0.25  # s of the sea that a frame may take, however long it was held up


class Desktop(EventWindow):
    """The program in a window."""

    clear_color = None  # type: ignore[assignment]

    def __init__(
        self,
        window: BaseWindow,
        settings: Settings,
        quit_after: int | None = None,
        screenshot: Path | None = None,
        *,
        state: Path | None = None,
        kept: LastState | None = None,
    ) -> None:
        super().__init__(window, settings)
        self.time = 0.0
        self.frames = 0
        self.failure: dialogs.Failure | None = None
        self.watch = ShaderWatch(self.ctx)
        self.studio = Studio(lambda text: self.interface.say(text))
        self.comparing = Comparing(self.ctx, lambda text: self.interface.say(text))
        self._quit_after, self._screenshot, self._state = quit_after, screenshot, state
        self._layout = kept.layout if kept else ""
        self._compiled: set[object] = set()
        self._is_minimised = self._wants_quit = self._is_released = False
        if kept:
            self.journey = kept.journey
        size = settings.window.width, settings.window.height
        if size != window.size:  # it was made before it was known what it begins with
            window.size = size
        if settings.window.vsync != window.vsync:
            window.vsync = settings.window.vsync

    # -- Parts, made in the first frame --------------------------------------------------------------------------------

    @cached_property
    def timers(self) -> PassTimers:
        return PassTimers(self.ctx, every=LIVE)

    @cached_property
    def interface(self) -> Interface:
        presets = scenes({name: resources.config(name) for name in resources.presets()})
        return Interface(self.wnd, self.timers.clock, presets, self._layout)

    @cached_property
    def renderer(self) -> FrameRenderer:
        try:
            return FrameRenderer(self.ctx, self.settings, self.interface.view_pixels)
        except FFTError as error:  # the FFT backend can't run the size
            raise SettingsError(str(error)) from None

    # -- Frames --------------------------------------------------------------------------------------------------------

    def on_render(self, time: float, frame_time: float) -> None:
        """Draw a frame, `frame_time` seconds after the one before."""
        if self._is_released:
            return
        if "renderer" not in self.__dict__:
            self._begin()
        else:
            self._frame_or_failure(frame_time)
        if self._wants_quit or (self._quit_after is not None and self.frames >= self._quit_after):
            try:
                self.release()
            finally:
                self.wnd.close()

    def _frame_or_failure(self, elapsed: float) -> None:
        self.frames += 1
        if self._is_minimised or min(self.wnd.buffer_size) == 0:
            return
        if self.failure:
            self._show_failure(elapsed)
            return
        try:
            self._frame(elapsed)
        except Exception as error:
            self.fail(error)

    def _begin(self) -> None:
        """Show that the program is there, then make what takes a while."""
        self.wnd.swap_buffers()  # which hears what size the window has come to, as all is laid out for that
        if self._is_released:
            return
        for _ in range(2):  # the dock knows its parts from the second frame on
            self.interface.draw_banner("compiling shaders, making waves …", self.settings.window.scale)
        self.ctx.copy_framebuffer(self.wnd.fbo, self.interface.canvas)
        self.wnd.swap_buffers()
        if not (self._is_released or self._wants_quit):
            self.renderer.render(self.time)
            self._compiled.add(programs(self.settings))

    def _frame(self, frame_time: float) -> None:
        step = self.studio.step or min(frame_time, LONGEST_STEP)
        if is_other := self.wanted is not None:
            before = self.settings
            self._take_wanted()
        self.watch.poll()
        self.comparing.step(self.renderer.sea, self.interface.panel.options, self.studio.unused("bench"))
        self.fly(step)
        self.time += 0.0 if self.paused else step * self.settings.window.time_scale
        self.renderer.apply(self.settings)
        self.renderer.resize(self.studio.size or self.interface.view_pixels)
        self.renderer.measure(self.interface.truth.is_open and self.settings.window.panel)
        self.renderer.stages.pointer = self.interface.pointer(self.renderer.size)
        is_timed = self.settings.window.panel
        if is_timed:
            self.timers.begin(self.frames)
        if is_other and (changes := differences(to_tree(before), to_tree(self.settings))):
            self.interface.overlay.history.mark(self.frames, changes)
        self.renderer.render(self.time, step, self.timers if is_timed else None)
        self.studio.save("picture", lambda: self.renderer.picture, self.settings)
        self.studio.save("radiance", lambda: self.renderer.radiance, self.settings)
        self.studio.film(self.renderer.picture)
        self.timers.start()
        self._draw_interface(frame_time)
        self.timers.lap("interface")
        self.timers.end()
        self.studio.save("window", lambda: self.interface.canvas, self.settings)
        self.ctx.copy_framebuffer(self.wnd.fbo, self.interface.canvas)
        self.interface.overlay.history.add(frame_time, self.timers.collect())

    def _take_wanted(self) -> None:
        """Hand changed settings to the renderer, or say why they can't be had and stay with the old ones."""
        wanted, self.wanted = self.wanted, None
        is_travel, self._is_travel = self._is_travel, False
        if wanted is None:
            return
        try:
            self.renderer.apply(wanted, wanted.window.blend, background=True)
        except FFTError as error:
            self.interface.panel.say(str(error), is_error=True)
            self.interface.say(str(error))  # over what a file that was dropped has said, and where the panel is hidden
            return
        self._compiled.add(programs(wanted))
        if wanted.window.vsync != self.settings.window.vsync:
            self.wnd.vsync = wanted.window.vsync
        if not is_travel:
            self.changes.note(self.settings, wanted, self.interface.is_held)
        self.settings = wanted

    def _draw_interface(self, elapsed: float) -> None:
        movie, panel, renderer = self.studio.progress, self.settings.window.panel, self.renderer
        reading = renderer.stages.reading(self.settings)
        scene = Scene(self.paused, self.comparing.findings, renderer.survey, movie, self.watch.error, reading)
        self.interface.begin(elapsed, self.settings.window.scale)
        asked: list[Action] = []
        if panel:
            wanted, asked = self.interface.draw_windows(self.settings, scene)
            self.wanted = wanted if wanted is not self.settings else None
        else:
            self.interface.layout.fill()
        asked += self.interface.draw_notes(scene)
        self.interface.end(renderer.colours, self._notice())
        if not self.interface.is_held:
            self.changes.let_go()
        for action in asked:
            self.do(action)

    def _notice(self) -> str:
        if self.comparing.is_next or (self.wanted and programs(self.wanted) not in self._compiled):
            return "compiling …"  # which holds up the next frame
        if self.renderer.sea.is_busy:
            return "making waves …"
        return self.journey.status or ("paused" if self.paused else "")

    # -- The comparison of backends ------------------------------------------------------------------------------------

    def compare(self) -> None:
        """Open the comparison, and make one if there is none."""
        self.interface.comparison.is_open = True
        if not self.comparing.findings.rows:
            self.comparing.toggle()

    def run_comparison(self) -> None:
        """Make a comparison, or end the one that is being made."""
        self.comparing.toggle()

    # -- Pictures and movies -------------------------------------------------------------------------------------------

    def save(self, what: What) -> None:
        """Save the next frame: the sea, the window with all that is in it, or the sea's light."""
        self.studio.want(what)

    def toggle_recording(self) -> None:
        """Begin a movie, or end it with what it has."""
        if self.studio.progress:
            self.studio.finish()
        else:
            wanted = self.settings.window
            self.studio.begin(self.interface.view_pixels, wanted.movie_length, wanted.movie_fps)

    def cancel_movie(self) -> None:
        """End the movie and leave nothing of it."""
        self.studio.cancel()

    # -- Errors --------------------------------------------------------------------------------------------------------

    def fail(self, error: Exception) -> None:
        """Write an error down, and show it in the next frame. Interface and timers may have been in the middle of
        something, so they are made anew."""
        self.failure = dialogs.report_failure(error, session.log_file())
        if "interface" in self.__dict__:
            with suppress(Exception):
                self._layout = self.interface.layout.text
        for name in ("interface", "timers"):
            if name in self.__dict__:
                with suppress(Exception):
                    self.__dict__.pop(name).release()

    def _show_failure(self, elapsed: float) -> None:
        """A frame with nothing but the dialog; an error in here ends the program with its message."""
        if self.failure is None:
            return
        self.interface.begin(elapsed, self.settings.window.scale)
        answer = dialogs.failure(self.failure)
        self.interface.layout.fill()
        self.interface.end(self.renderer.colours)
        self.ctx.copy_framebuffer(self.wnd.fbo, self.interface.canvas)
        if answer is not dialogs.Answer.WAIT:
            self.failure = None
        if answer is dialogs.Answer.QUIT:
            self.quit()

    # -- The end -------------------------------------------------------------------------------------------------------

    def quit(self) -> None:
        """Close the window at the end of the frame: a menu asks in the middle of one, whose parts are still in use."""
        self._wants_quit = True

    def on_iconify(self, iconified: bool) -> None:
        self._is_minimised = iconified

    def on_close(self) -> None:
        self.release()

    def release(self) -> None:
        """Write the last picture if that was asked for, keep the window's state, and release every GPU object; once."""
        if self._is_released:
            return
        self._is_released = True
        self.ignore_events()
        made = self.__dict__
        try:
            self.studio.cancel()
            if "renderer" in made:
                self._keep()
                if self._screenshot:
                    save_picture(self._screenshot, self.interface.canvas, self.settings)
        finally:
            self.comparing.release()
            for name in ("renderer", "interface", "timers"):
                if name in made:
                    made[name].release()

    def _keep(self) -> None:
        """Keep what the window looks like for the next time."""
        if self._state is None:
            return
        settings, (width, height) = self.settings, self.wnd.size
        if not self.wnd.fullscreen and min(width, height) >= 64:
            window = settings.window.model_copy(update={"width": width, "height": height})
            settings = settings.model_copy(update={"window": window})
        session.save(self._state, LastState.of(settings, self.interface.layout.text, self.journey))
