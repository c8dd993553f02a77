"""The desktop window: events in, frames out.

Owns what the loop needs and is no setting (time, pause, what is being compiled or compared) and hands on everything
else: the picture to `FrameRenderer`, settings and times to the interface.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path

import moderngl_window
from moderngl_window.context.base import BaseWindow

from ocean import resources
from ocean.fft import BACKENDS, FFTError
from ocean.fft.comparison import Comparison
from ocean.fft.storage import FieldLayers
from ocean.files import OutputError, write_picture
from ocean.first_start import starting_level
from ocean.gpu.context import GL_VERSION, ContextError, platform_hint
from ocean.gpu.timing import PassTimers
from ocean.render.frame import FrameRenderer
from ocean.settings import Settings, SettingsError
from ocean.ui import stages
from ocean.ui.events import KEYS, MORE_KEYS, EventWindow
from ocean.ui.interface import Interface
from ocean.ui.overlay import Findings
from ocean.ui.panel import Command, scenes

LIBRARIES = ("pyglet", "glfw", "sdl2")
LONGEST_STEP = 0.25  # s of the sea that a frame may take, however long it was held up


def run(
    choose: Callable[[str], Settings],
    *,
    quality: str | None = None,
    fresh: bool = False,
    window: str = "pyglet",
    quit_after: int | None = None,
    screenshot: Path | None = None,
) -> int:
    """Open the window and run until it is closed; returns the exit status.

    `choose` gives the settings at a level of quality: at this one, or at what the first start on this GPU finds, which
    `fresh` does anew. After `quit_after` frames the window closes by itself; `screenshot` is where its last frame goes.

    Raises:
        SettingsError: when there is no such window library, the FFT backend can't run the size, or the picture can't be
            written.
        ContextError: when no window or no context can be made.
    """
    if window not in LIBRARIES:
        raise SettingsError(f"there is no window library {window!r}; there are {', '.join(LIBRARIES)}")
    real = open_window(window, choose(quality or "high"))
    settings = choose(quality or starting_level(real.ctx, real.buffer_size, choose, fresh))
    desktop = Desktop(real, settings, quit_after, screenshot)
    try:
        moderngl_window.run_window_config_instance(desktop)
    finally:
        desktop.release()
    return 0


def open_window(library: str, settings: Settings) -> BaseWindow:
    """A window with a context, made here and not by moderngl-window's launcher, which reads the command line.

    Raises:
        ContextError: when either can't be made.
    """
    wanted = settings.window
    try:
        make = moderngl_window.get_window_cls(f"moderngl_window.context.{library}.Window")
        size = wanted.width, wanted.height
        window = make(title="FFT ocean", size=size, gl_version=GL_VERSION, vsync=wanted.vsync, aspect_ratio=None)
    except ImportError as error:
        raise SettingsError(f"the window library {library} is not installed ({error}); pyglet is") from error
    except Exception as error:  # each library raises its own
        raise ContextError(f"No window with OpenGL 4.3 could be made. {platform_hint()} {library}: {error}") from error
    window.exit_key = window.fullscreen_key = None  # Escape would close the context before anything is released
    window.swap_buffers()  # some libraries only know now how many pixels the window has
    window.set_default_viewport()
    return window


class Desktop(EventWindow):
    """The program in a window."""

    clear_color = None  # type: ignore[assignment]

    def __init__(
        self,
        window: BaseWindow,
        settings: Settings,
        quit_after: int | None = None,
        screenshot: Path | None = None,
    ) -> None:
        super().__init__(window, settings)
        self.wanted: Settings | None = None  # what the next frame is to take
        self.time = 0.0
        self.frames = 0
        self.findings = Findings()
        self.comparison: Comparison | None = None
        self._quit_after, self._screenshot = quit_after, screenshot
        self._compare_next = False
        self._compared: object = None  # the layers whose shape is compared
        self._compiled: set[object] = set()
        self._pictures: dict[str, Path] = {}  # to save from this frame
        self._is_minimised = self._is_released = False
        if (size := (settings.window.width, settings.window.height)) != window.size:
            window.size = size

    # -- Parts, made in the first frame --------------------------------------------------------------------------------

    @cached_property
    def timers(self) -> PassTimers:
        return PassTimers(self.ctx)

    @cached_property
    def interface(self) -> Interface:
        presets = scenes({name: resources.config(name) for name in resources.presets()})
        keys = [(" or ".join(name.capitalize() for name in names), meaning) for names, _, meaning in KEYS]
        return Interface(self.wnd, self.timers.clock, presets, [*keys, *MORE_KEYS])

    @cached_property
    def renderer(self) -> FrameRenderer:
        try:
            return FrameRenderer(self.ctx, self.settings, self.wnd.buffer_size)
        except FFTError as error:  # the FFT backend can't run the size
            raise SettingsError(str(error)) from None

    # -- Frames --------------------------------------------------------------------------------------------------------

    def on_render(self, time: float, frame_time: float) -> None:
        """Draw a frame, `frame_time` seconds after the one before."""
        if self._is_released:
            return
        if "renderer" not in self.__dict__:
            self._begin()
            return
        self.frames += 1
        if not self._is_minimised and min(self.wnd.buffer_size) > 0:
            self._frame(frame_time)
        if self._quit_after is not None and self.frames >= self._quit_after:
            self.quit()

    def _begin(self) -> None:
        """Show that the program is there, then make what takes a while."""
        self.wnd.fbo.clear()
        self.interface.draw_banner(self.wnd.fbo, "compiling shaders, making waves …")
        self.wnd.swap_buffers()
        if not self._is_released:
            self.renderer.render(self.time)
            self._compiled.add(programs(self.settings))

    def _frame(self, frame_time: float) -> None:
        step = min(frame_time, LONGEST_STEP)
        self._take_wanted()
        self._compare()
        self.fly(step)
        self.time += 0.0 if self.paused else step * self.settings.window.time_scale
        self.renderer.apply(self.settings)
        self.renderer.resize(self.wnd.buffer_size)
        self.renderer.measure(self.interface.truth.is_open and self.settings.window.panel)
        self.renderer.stages.pointer = stages.pointer(self.renderer.size)
        is_timed = self.settings.window.panel  # by the wall clock, timing is not free
        if is_timed:
            self.timers.begin(self.frames)
        self.renderer.render(self.time, step, self.timers if is_timed else None)
        self._save("picture")
        with self.timers.measure("interface"):
            self._draw_interface(step)
        self.timers.end()
        self._save("window")
        self.ctx.copy_framebuffer(self.wnd.fbo, self.renderer.picture)
        self.interface.overlay.history.add(frame_time, self.timers.collect())

    def _take_wanted(self) -> None:
        """Hand changed settings to the renderer, or say why they can't be had and stay with the old ones."""
        wanted, self.wanted = self.wanted, None
        if wanted is None:
            return
        try:
            self.renderer.apply(wanted, wanted.window.blend, background=True)
        except FFTError as error:
            self.interface.panel.say(str(error), is_error=True)
            return
        self._compiled.add(programs(wanted))
        if wanted.window.vsync != self.settings.window.vsync:
            self.wnd.vsync = wanted.window.vsync
        self.settings = wanted

    def _compare(self) -> None:
        """One round of the comparison of backends, if one is being made; a sea of another shape ends it."""
        sea = self.renderer.sea
        if self._compare_next:
            self._compare_next = False
            self._end_comparison()
            shape = sea.layers.width, sea.layers.layers
            layers, options = FieldLayers(self.ctx, *shape), self.interface.panel.options
            backends = [(name, options.get(name)) for name in BACKENDS]
            clock, fill = self.timers.clock, partial(sea.evolve_into, layers)
            self.comparison = Comparison(layers, fill, backends=backends, clock=clock)
            self._compared = sea.layers
            subject = f"{shape[0]} × {shape[0]}, {shape[1]} layers"
            self.findings = Findings(self.comparison.rows, subject, 0.0)
        elif self.comparison and (sea.layers is not self._compared or not self.comparison.step()):
            self._end_comparison()
        if self.comparison:
            self.findings = replace(self.findings, progress=self.comparison.progress)

    def _end_comparison(self) -> None:
        if self.comparison:
            self.comparison.release()
            self.findings = replace(self.findings, progress=None)
        self.comparison = self._compared = None

    def _draw_interface(self, step: float) -> None:
        self.interface.begin(step)
        if self.settings.window.panel:
            state = self.settings, self.paused, self.findings, self.renderer.survey
            wanted, commands = self.interface.draw_windows(*state)
            self.wanted = wanted if wanted is not self.settings else None
            self._compare_next = Command.COMPARE in commands
            if Command.PAUSE in commands:
                self.pause()
            if Command.PICTURE in commands:
                self.save_picture()
        self.interface.end(self.renderer.picture, self._notice(), self.renderer.stages.reading(self.settings))

    def _notice(self) -> str:
        if self._compare_next or (self.wanted and programs(self.wanted) not in self._compiled):
            return "compiling …"  # which holds up the next frame
        if self.renderer.sea.is_busy:
            return "making waves …"
        return "paused" if self.paused else ""

    # -- Pictures ------------------------------------------------------------------------------------------------------

    def save_picture(self) -> None:
        """Save the next frame, without the interface."""
        self._pictures["picture"] = unused_path("ocean")

    def save_window(self) -> None:
        """Save the next frame, with the interface."""
        self._pictures["window"] = unused_path("window")

    def _save(self, what: str) -> None:
        if path := self._pictures.pop(what, None):
            try:
                self._write(path)
            except OutputError as error:
                self.interface.say(str(error))
            else:
                self.interface.say(f"saved {path}")

    def _write(self, path: Path) -> None:
        picture = self.renderer.picture
        write_picture(path, picture.size, picture.read(components=3, alignment=1))

    # -- The end -------------------------------------------------------------------------------------------------------

    def quit(self) -> None:
        """Release everything and close the window."""
        self.release()
        self.wnd.close()

    def on_iconify(self, iconified: bool) -> None:
        self._is_minimised = iconified

    def on_close(self) -> None:
        self.release()

    def release(self) -> None:
        """Write the last picture if that was asked for, and release every GPU object; once."""
        if self._is_released:
            return
        self._is_released = True
        self.ignore_events()
        made = self.__dict__
        try:
            if self._screenshot and "renderer" in made:
                self._write(self._screenshot)
        finally:
            self._end_comparison()
            for name in ("renderer", "interface", "timers"):
                if name in made:
                    made[name].release()


def programs(settings: Settings) -> object:
    """What decides which shaders are compiled."""
    return settings.fft, settings.foam.resolution, settings.stage.view


def unused_path(stem: str) -> Path:
    """Where the next picture goes: a name in `out` that says when, and that nothing has yet."""
    return Path("out") / f"{stem}-{datetime.now():%Y%m%d-%H%M%S-%f}.png"
