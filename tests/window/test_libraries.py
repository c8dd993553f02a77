"""Reports of window libraries: closing, lost keys, labels of keys."""

from types import SimpleNamespace

import pytest

from ocean.cli import NO_CONTEXT
from ocean.window.libraries import GlfwWindow, PygletWindow

from .conftest import run_window


@pytest.mark.parametrize(
    ("library", "variables", "words"),
    [
        ("glfw", {"WAYLAND_DISPLAY": "absent"}, "Wayland: Failed to connect to display"),
        ("glfw", {"DISPLAY": ":absent", "XDG_SESSION_TYPE": "wayland"}, "X11: Failed to open display"),
        ("pyglet", {"WAYLAND_DISPLAY": "absent"}, "install glfw, or try --window glfw"),
    ],
)
def test_a_window_is_opened_on_the_session_s_display(tmp_path, library, variables, words):
    done = run_window(tmp_path, "--window", library, "--quality", "software", "--quit-after", "1", **variables)
    assert done.returncode == NO_CONTEXT, done.stderr
    assert words in done.stderr
    assert ("driver" in done.stderr) is (library == "glfw")


ANNOUNCED = """
import time
from ctypes import byref
from pyglet.libs.x11 import xlib
from ocean.settings import Settings
from ocean.window.libraries import import_glfw, native_of, open_window

glfw = import_glfw()
window = open_window("glfw", Settings())
native_of(window).connect(lambda: None, lambda: None)
display, event, number = xlib.XOpenDisplay(None), xlib.XEvent(), glfw.get_x11_window(window._window)
event.xconfigure.type, event.xconfigure.window, event.xconfigure.event = xlib.ConfigureNotify, number, number
event.xconfigure.width, event.xconfigure.height = 700, 500
for act in (lambda: xlib.XSendEvent(display, number, False, 0, byref(event)),
            lambda: xlib.XResizeWindow(display, number, 700, 500)):
    act()
    xlib.XFlush(display)
    time.sleep(0.2)
    window.swap_buffers()
print(window.size, window.buffer_size, glfw.get_framebuffer_size(window._window))
"""


def test_a_size_that_the_window_manager_announces_is_that_of_the_picture(display, tmp_path):
    """Some window managers announce a size before they set it, for example at the end of full screen."""
    done = run_window(tmp_path, code=ANNOUNCED, DISPLAY=display)
    assert (done.stdout.strip(), done.stderr) == ("(700, 500) (700, 500) (700, 500)", "")


class Keys:
    W, X = "W", "X"


@pytest.fixture
def pyglet_window():
    """Return what `PygletWindow` does with a window: handlers set, releases of keys, and calls to close or redraw."""
    handlers, released, asked = {}, [], []
    window = SimpleNamespace(
        _window=SimpleNamespace(set_handler=handlers.__setitem__),
        keys=Keys,
        is_key_pressed=lambda key: key == "W",
        on_key_release=lambda *event: released.append(event),
    )
    PygletWindow(window).connect(lambda: asked.append("close"), lambda: asked.append("redraw"))
    return handlers, released, asked


def test_held_keys_are_released_with_the_focus(pyglet_window):
    handlers, released, _ = pyglet_window
    handlers["on_deactivate"]()
    assert released == [("W", 0)]


def test_the_close_button_asks_first(pyglet_window):
    handlers, _, asked = pyglet_window
    assert handlers["on_close"]() is True
    handlers["on_expose"]()
    assert asked == ["close", "redraw"]


def hear(glfw, monkeypatch):
    """Return a dictionary that gets the callbacks of a window, by their names."""
    callbacks = {}
    for name in ("key", "drop", "window_close", "window_refresh", "window_pos", "window_size", "framebuffer_size"):
        monkeypatch.setattr(glfw, f"set_{name}_callback", lambda _, call, name=name: callbacks.update({name: call}))
    monkeypatch.setattr(glfw, "set_window_attrib", lambda *_: None)
    return callbacks


def test_the_rate_is_that_of_the_display_on_which_the_window_lies(monkeypatch):
    glfw = pytest.importorskip("glfw")
    callbacks, asked, place = hear(glfw, monkeypatch), [], [0, 0]
    size = SimpleNamespace(width=100, height=100)
    modes = {"left": SimpleNamespace(size=size, refresh_rate=60), "right": SimpleNamespace(size=size, refresh_rate=144)}
    monkeypatch.setattr(glfw, "get_window_monitor", lambda _: None)
    monkeypatch.setattr(glfw, "get_monitors", lambda: asked.append(1) or list(modes))
    monkeypatch.setattr(glfw, "get_video_mode", modes.get)
    monkeypatch.setattr(glfw, "get_monitor_pos", lambda name: (100 if name == "right" else 0, 0))
    monkeypatch.setattr(glfw, "get_window_pos", lambda _: place)
    monkeypatch.setattr(glfw, "get_window_size", lambda _: (50, 50))
    window = GlfwWindow(SimpleNamespace(_window=None))
    window.connect(lambda: None, lambda: None)
    assert [window.refresh_rate for _ in range(5)] == [60] * 5
    place[0] = 120
    callbacks["window_pos"](None, 120, 0)
    assert [window.refresh_rate for _ in range(5)] == [144] * 5
    assert len(asked) == 2  # it is not asked in every frame


@pytest.mark.parametrize(("label", "named"), [("z", "Z"), ("я", "Y"), (None, "Y"), ("&", "Y")])
def test_letters_go_by_their_label(monkeypatch, label, named):
    """The key with Y on an American keyboard has Z on a German one."""
    glfw = pytest.importorskip("glfw")
    callbacks, keys = hear(glfw, monkeypatch), []
    monkeypatch.setattr(glfw, "get_key_name", lambda *_: label)
    window = SimpleNamespace(_window=None, glfw_key_event_callback=lambda _, key, *rest: keys.append(key))
    GlfwWindow(window).connect(lambda: None, lambda: None)
    callbacks["key"](None, glfw.KEY_Y, 29, glfw.PRESS, 0)
    assert keys == [ord(named)]
