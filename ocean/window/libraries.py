"""Window libraries: a window with a context, and the features of glfw and pyglet that moderngl-window lacks.

Both are imported where they are used, because one of them may be missing.
"""

import math
import os
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from ctypes import CDLL, CFUNCTYPE, c_int, c_void_p
from importlib import import_module
from typing import Any

import moderngl
import moderngl_window
from moderngl_window.context.base import BaseWindow

from ocean.common.errors import InputError
from ocean.gpu.context import GL_VERSION, ContextError, platform_hint
from ocean.settings import Settings

SERVERS = {"x11": "DISPLAY", "wayland": "WAYLAND_DISPLAY"}  # glfw's names of display servers, and their variables
TITLE = "FFT ocean"
COVERED = 0.8  # largest fraction of the display's width and height that a first window covers
POLL = 1 / 60  # s between looks for events where a library can't wait for them


def open_window(
    library: str, settings: Settings, fitting: Callable[[str], tuple[int, int] | None] = lambda _: None
) -> BaseWindow:
    """Return a window with a context, which glfw hides until `NativeWindow.show`, so that nobody sees it black.
    moderngl-window's launcher is not used, because it reads the command line.

    Args:
        fitting: returns the size for a GPU's name, if it depends on that; it is reduced to fit the display.

    Raises:
        InputError: when the window library is not installed.
        ContextError: when window or context can't be made.
    """
    wanted = settings.window
    options: dict[str, Any] = {}
    try:
        if library == "pyglet":
            import pyglet

            pyglet.options.shadow_window = False  # an unused context of its own
        elif library == "glfw":
            glfw: Any = import_glfw()
            glfw.ERROR_REPORTING = "exception"  # names the reason; the default warns on stderr
            loader: Any = GlfwLoader()
            options["context_creation_func"] = lambda: moderngl.create_context(require=430, context=loader)
            options["visible"] = False
        make = moderngl_window.get_window_cls(f"moderngl_window.context.{library}.Window")
        size = wanted.width, wanted.height
        window = make(title=TITLE, size=size, gl_version=GL_VERSION, vsync=wanted.vsync, aspect_ratio=None, **options)
    except ImportError as error:
        raise InputError(f"the window library {library} is not installed ({error}); try --window pyglet") from error
    except Exception as error:  # each library raises its own types
        raise ContextError(f"No window with OpenGL 4.3 could be made. {hint(library)} {library}: {error}") from error
    window.exit_key = window.fullscreen_key = None  # Escape would close the context before anything is released
    if library == "glfw":
        glfw.ERROR_REPORTING = "ignore"  # Wayland has no positions of windows, for example
        ignore_x11_errors()
        if first := fitting(window.ctx.info["GL_RENDERER"]):
            area = glfw.get_monitor_workarea(glfw.get_primary_monitor())[2:]
            size = tuple(min(side, round(COVERED * room)) for side, room in zip(first, area, strict=True))
        glfw.set_window_size(native_of(window).handle, *size)  # without moderngl-window's scaling by the display
    window.swap_buffers()  # some libraries learn the window's pixels only here
    window.set_default_viewport()
    return window


def import_glfw() -> Any:
    """Import glfw for the display server of this session: its wheel has a library for each, X11's by default."""
    found = [name for name, variable in SERVERS.items() if os.environ.get(variable)]
    if len(found) == 1:
        os.environ.setdefault("PYGLFW_LIBRARY_VARIANT", found[0])
    return import_module("glfw")


def hint(library: str) -> str:
    """Return what may help if a library opens no window."""
    found = [name for name, variable in SERVERS.items() if os.environ.get(variable)]
    if sys.platform.startswith("linux") and not found:
        return "There is no display; `capture` draws without one."
    if found == ["wayland"] and library == "pyglet":
        return "pyglet speaks X11 alone, and this session Wayland: install glfw, or try --window glfw."
    return platform_hint()


def ignore_x11_errors() -> None:
    """Ignore errors of X11, which end the program by default, for example when the source of a drop ends too early."""
    with suppress(OSError):  # no X11 here
        CDLL("libX11.so.6").XSetErrorHandler(IGNORE)


IGNORE = CFUNCTYPE(c_int, c_void_p, c_void_p)(lambda display, error: 0)


class NativeWindow:
    """The features that the program needs beyond moderngl-window; here, those that every window library has."""

    def __init__(self, window: BaseWindow) -> None:
        self.window: Any = window
        self.handle: Any = getattr(window, "_window", None)  # the library's own window

    def show(self) -> None:
        """Show a window that was made hidden."""

    def connect(self, close: Callable[[], object], redraw: Callable[[], object]) -> None:
        """Call `close` in place of closing the window, and `redraw` when its content was lost."""

    def handle_events(self) -> None:
        """Handle the events that moderngl-window leaves after a frame."""

    def wait(self, seconds: float) -> None:
        """Handle events, and wait up to `seconds` for the first."""
        time.sleep(min(seconds, POLL))
        if process := getattr(self.window, "process_events", None):  # SDL
            process()

    def clipboard(self) -> tuple[Callable[[str], None], Callable[[], str]] | None:
        """Return functions that set and get the text on the system's clipboard, if the library has them."""
        return None

    @property
    def display_scale(self) -> float:
        """The display's resolution over 96 dots per inch."""
        return 1.0

    @property
    def refresh_rate(self) -> float:
        """The display's refreshes per second; 60 if the library does not know it."""
        return 60.0


class GlfwWindow(NativeWindow):
    def __init__(self, window: BaseWindow) -> None:
        super().__init__(window)
        self._glfw: Any = import_module("glfw")
        self._rate = 0.0  # of the display; 0 before it is read, and again after a move of the window

    def show(self) -> None:
        self._glfw.show_window(self.handle)

    def connect(self, close: Callable[[], object], redraw: Callable[[], object]) -> None:
        glfw, window = self._glfw, self.window

        def on_close(_: Any) -> None:
            glfw.set_window_should_close(self.handle, False)
            close()

        def on_key(native: Any, key: int, scancode: int, action: int, modifiers: int) -> None:
            # glfw names keys by their position on an American keyboard; letters go by their label.
            label = glfw.get_key_name(key, scancode) or ""
            named = ord(label.upper()) if len(label) == 1 and label.isascii() and label.isalpha() else key
            window.glfw_key_event_callback(native, named, scancode, action, modifiers)

        def on_size(_: Any, width: int, height: int) -> None:
            window._width, window._height = width, height

        def on_buffer_size(_: Any, width: int, height: int) -> None:
            # moderngl-window asks the server instead, which still has the old size if the window manager tells first.
            window._buffer_width, window._buffer_height = width, height
            window.set_default_viewport()
            window.resize(width, height)

        glfw.set_window_size_callback(self.handle, on_size)
        glfw.set_framebuffer_size_callback(self.handle, on_buffer_size)
        glfw.set_window_close_callback(self.handle, on_close)
        glfw.set_key_callback(self.handle, on_key)
        glfw.set_drop_callback(self.handle, lambda _, paths: window.files_dropped_event_func(0, 0, paths))
        glfw.set_window_refresh_callback(self.handle, lambda _: redraw())
        glfw.set_window_pos_callback(self.handle, lambda *_: setattr(self, "_rate", 0.0))
        glfw.set_window_attrib(self.handle, glfw.AUTO_ICONIFY, False)  # keeps full screen beside another window

    def wait(self, seconds: float) -> None:
        self._glfw.wait_events_timeout(seconds)

    def clipboard(self) -> tuple[Callable[[str], None], Callable[[], str]]:
        def get() -> str:
            return (self._glfw.get_clipboard_string(self.handle) or b"").decode(errors="replace")

        return lambda text: self._glfw.set_clipboard_string(self.handle, text), get

    @property
    def display_scale(self) -> float:
        return float(self._glfw.get_window_content_scale(self.handle)[0])

    @property
    def refresh_rate(self) -> float:
        if not self._rate:
            screen = self._glfw.get_window_monitor(self.handle)
            nearest = min(self._glfw.get_monitors(), key=self._distance, default=None)
            mode = self._glfw.get_video_mode(screen or nearest) if nearest else None
            self._rate = float(mode.refresh_rate if mode else 0) or super().refresh_rate
        return self._rate

    def _distance(self, monitor: Any) -> float:
        """Return the distance from the window's middle to that of a monitor."""
        glfw, screen = self._glfw, self._glfw.get_video_mode(monitor)
        extents = glfw.get_window_size(self.handle), (screen.size.width, screen.size.height)
        corners = glfw.get_window_pos(self.handle), glfw.get_monitor_pos(monitor)
        middles = [[x + w / 2 for x, w in zip(*box, strict=True)] for box in zip(corners, extents, strict=True)]
        return math.dist(*middles)


class GlfwLoader(nullcontext[None]):
    """Entry points of the context that glfw made current; moderngl itself finds no context on Wayland."""

    def load_opengl_function(self, name: str) -> int:
        return int(import_module("glfw").get_proc_address(name) or 0)

    def release(self) -> None:
        pass


class PygletWindow(NativeWindow):
    def connect(self, close: Callable[[], object], redraw: Callable[[], object]) -> None:
        window = self.window

        def on_close() -> bool:
            close()
            return True  # pyglet's own handler, which closes, is not called

        def on_deactivate() -> None:
            for key in {getattr(window.keys, name) for name in dir(window.keys) if name.isupper()}:
                if window.is_key_pressed(key):
                    window.on_key_release(key, 0)

        self.handle.set_handler("on_close", on_close)
        self.handle.set_handler("on_deactivate", on_deactivate)
        self.handle.set_handler("on_expose", lambda: redraw())

    def handle_events(self) -> None:
        """Also handle events of drops and pastes, which no X11 mask selects: `dispatch_events` skips them."""
        self.wait(0.0)

    def wait(self, seconds: float) -> None:
        import pyglet

        if sys.platform == "linux":
            pyglet.app.platform_event_loop.step(seconds)  # queues the events that it finds
        else:
            time.sleep(min(seconds, POLL))
        self.handle.dispatch_events()

    def clipboard(self) -> tuple[Callable[[str], None], Callable[[], str]]:
        return self.handle.set_clipboard_text, self.handle.get_clipboard_text

    @property
    def display_scale(self) -> float:
        return float(self.handle.dpi) / 96.0


def native_of(window: BaseWindow) -> NativeWindow:
    """Return the features that a window's library adds to moderngl-window."""
    kinds = {"glfw": GlfwWindow, "pyglet": PygletWindow}
    return kinds.get(str(window.name), NativeWindow)(window)
