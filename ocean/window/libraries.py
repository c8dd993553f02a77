"""Repairs of pyglet's windows: closing, held keys, digits, dropped files, the clipboard."""

from collections.abc import Callable
from ctypes import byref
from typing import Any

LEVELS = 0, 1  # levels of a key: without and with Shift
TYPES = slice(2, 5)  # types among the five numbers of a message that offers a drop
HAS_A_LIST = 1  # flag: the types are in a property of the source, not in the message


def native_of(window: Any) -> Any:
    """Return the library's own window, or None."""
    return getattr(window, "_window", None)


def ask_before_closing(window: Any, ask: Callable[[], object]) -> None:
    """Let a pyglet window call `ask` when it is to be closed, in place of closing at once."""
    native = native_of(window)
    if not hasattr(native, "set_handler"):
        return

    def on_close() -> bool:
        ask()
        return True  # pyglet's own handler, which closes, is not called

    native.set_handler("on_close", on_close)


def release_keys_without_focus(window: Any) -> None:
    """Release the held keys when a pyglet window loses the keyboard, as glfw and SDL do themselves. Otherwise keys
    would stay down, because their release goes to another window."""
    native = native_of(window)
    if not hasattr(native, "set_handler"):
        return

    def on_deactivate() -> None:
        names = [name for name in dir(window.keys) if name.isupper()]
        for key in {getattr(window.keys, name) for name in names}:
            if window.is_key_pressed(key):
                window.on_key_release(key, 0)

    native.set_handler("on_deactivate", on_deactivate)


def keep_digits(window: Any) -> None:
    """Name digit keys by their digit, with Shift and without. pyglet on X11 names keys by the character they type: with
    Shift `!` instead of 1."""
    native = native_of(window)
    named = getattr(native, "_event_text_symbol", None)
    if named is None:
        return
    from pyglet.libs.x11 import xlib

    def digit_or_named(event: Any) -> tuple[str | None, int]:
        text, symbol = named(event)
        for level in LEVELS:
            name = xlib.XKeycodeToKeysym(native._x_display, event.xkey.keycode, level)
            if ord("0") <= name <= ord("9"):
                return text, name
        return text, symbol

    native._event_text_symbol = digit_or_named


def read_short_offers(window: Any) -> None:
    """Let a pyglet window on X11 take files from programs that offer them as three types of data or fewer, in the
    message itself.

    pyglet 2.1.19 adds an integer to an array of ctypes there and raises TypeError (`_event_drag_enter`).
    """
    native = native_of(window)
    read_list = getattr(native, "_event_drag_enter", None)
    if read_list is None:
        return

    def read(event: Any) -> None:
        numbers = event.xclient.data.l
        if numbers[1] & HAS_A_LIST:
            read_list(event)
            return
        native._xdnd_source, native._xdnd_version = numbers[0], numbers[1] >> 24
        files = native._xdnd_atoms["text/uri-list"]
        native._xdnd_format = files if files in numbers[TYPES] else None

    native._event_drag_enter = read


def share_clipboard(window: Any) -> None:
    """Copy to the system's clipboard and paste from it, if the window library can. ImGui alone has its own."""
    from imgui_bundle import imgui

    native = native_of(window)
    if hasattr(native, "set_clipboard_text") and hasattr(native, "get_clipboard_text"):
        system = imgui.get_platform_io()
        system.platform_set_clipboard_text_fn = lambda _, text: native.set_clipboard_text(text)
        system.platform_get_clipboard_text_fn = lambda _: native.get_clipboard_text()


def answer_selections(window: Any) -> None:
    """Hand pyglet the X11 events of a drop on the window, or of a paste from it elsewhere. No event mask selects
    such events, so that pyglet's `dispatch_events` passes them over; only its own loop, which does not run here,
    takes them."""
    native = native_of(window)
    display = getattr(native, "_x_display", None)
    if display is None:
        return
    from pyglet.libs.x11 import xlib

    event = xlib.XEvent()
    for kind in (xlib.SelectionRequest, xlib.SelectionNotify):
        while xlib.XCheckTypedWindowEvent(display, native._window, kind, byref(event)):
            native.dispatch_platform_event(event)
