"""The system's clipboard and dropped files, as far as window libraries leave them out."""

from ctypes import byref
from typing import Any

from imgui_bundle import imgui


def share_clipboard(window: Any) -> None:
    """Copy to the system's clipboard and paste from it, where the window library can. ImGui alone keeps its own."""
    native: Any = getattr(window, "_window", None)
    if hasattr(native, "set_clipboard_text") and hasattr(native, "get_clipboard_text"):
        system = imgui.get_platform_io()
        system.platform_set_clipboard_text_fn = lambda _, text: native.set_clipboard_text(text)
        system.platform_get_clipboard_text_fn = lambda _: native.get_clipboard_text()


def answer_selections(window: Any) -> None:
    """Hand pyglet the X11 events of a drop on the window, or of a paste from it elsewhere. No event mask selects
    them, so that pyglet's `dispatch_events` passes them over; only its own loop, which does not run here, takes
    them."""
    native: Any = getattr(window, "_window", None)
    display = getattr(native, "_x_display", None)
    if display is None:
        return
    from pyglet.libs.x11 import xlib

    event = xlib.XEvent()
    for kind in (xlib.SelectionRequest, xlib.SelectionNotify):
        while xlib.XCheckTypedWindowEvent(display, native._window, kind, byref(event)):
            native.dispatch_platform_event(event)
