"""Digit keys, which pyglet on X11 names by the character they type: with Shift `!` instead of 1."""

from typing import Any

LEVELS = 0, 1  # of a key: without and with Shift


def keep_digits(window: Any) -> None:
    """Name digit keys by their digit, with Shift and without."""
    native: Any = getattr(window, "_window", None)
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
