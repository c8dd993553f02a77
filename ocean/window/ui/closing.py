"""The button that closes a window, and the window manager's other ways to say so."""

from collections.abc import Callable
from typing import Any


def ask_before_closing(window: Any, ask: Callable[[], object]) -> None:
    """Let a pyglet window call `ask` when it is to be closed, in place of closing at once."""
    native: Any = getattr(window, "_window", None)
    if not hasattr(native, "set_handler"):
        return

    def on_close() -> bool:
        ask()
        return True  # pyglet's own handler, which closes, is not called

    native.set_handler("on_close", on_close)
