"""Files that are dropped on the window by programs that offer them as three types of data or fewer.

pyglet 2.1.19 adds an integer to an array of ctypes there and raises TypeError (`_event_drag_enter` in its X11 window).
"""

from typing import Any

TYPES = slice(2, 5)  # of the message's five numbers
HAS_A_LIST = 1  # flag: the types are in a property of the source, not in the message


def read_short_offers(window: Any) -> None:
    """Let a pyglet window on X11 take up to three types from the message itself."""
    native: Any = getattr(window, "_window", None)
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
