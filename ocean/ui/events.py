"""Events in: what keys and the mouse do to a window, once ImGui has taken what is its own."""

from abc import ABC, abstractmethod
from typing import Any

from moderngl_window.context.base import BaseWindow, KeyModifiers, WindowConfig

from ocean.settings import Settings, ViewSettings
from ocean.stages import STAGES
from ocean.ui import stages
from ocean.ui.controls import HELD_KEYS, Controls
from ocean.ui.interface import Interface

KEYS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("SPACE",), "pause", "pause"),
    (("TAB",), "toggle_panel", "hide or show panel and overlay"),
    (("C",), "toggle_orbit", "orbit a point, or fly"),
    (("T",), "toggle_truth", "sea truth: predicted and measured"),
    (("F",), "toggle_wireframe", "wireframe"),
    (("U",), "toggle_dive", "dive, or come up"),
    (("P",), "save_picture", "save the picture"),
    (("F12",), "save_window", "save the picture with panel and overlay"),
    (("F1", "H"), "toggle_keys", "this list"),
    (("ESCAPE",), "quit", "quit"),
)
"""Keys by moderngl-window's names, the method that answers to them, and what that does."""

MORE_KEYS = (
    ("F11", "full screen"),
    ("W A S D", "move; with Shift, faster"),
    ("Q E", "down and up"),
    stages.KEYS,
    ("Drag", "look around, or orbit"),
    ("Wheel", "speed, or distance of the orbit"),
    ("Ctrl-click", "type a slider's value"),
)


HANDLERS = (
    *("key_event_func", "unicode_char_entered_func", "mouse_position_event_func", "mouse_drag_event_func"),
    *("mouse_press_event_func", "mouse_release_event_func", "mouse_scroll_event_func"),
)
"""Where a window of moderngl-window calls to when something happens."""


DIVE = 3.0  # m that the camera goes under mean water when it dives


class EventWindow(WindowConfig, ABC):
    """A window's settings, pause and camera, as events change them."""

    def __init__(self, window: BaseWindow, settings: Settings) -> None:
        super().__init__(ctx=window.ctx, wnd=window)
        self.settings = settings
        self.paused = False
        self.controls = Controls()

    @property
    @abstractmethod
    def interface(self) -> Interface:
        """What lies over the picture."""

    @abstractmethod
    def save_picture(self) -> None:
        """Save the next frame, without the interface."""

    @abstractmethod
    def save_window(self) -> None:
        """Save the next frame, with the interface."""

    @abstractmethod
    def quit(self) -> None:
        """Release everything and close the window."""

    # -- What keys do --------------------------------------------------------------------------------------------------

    def pause(self) -> None:
        """Stop the sea, or let it go on."""
        self.paused = not self.paused

    def toggle_panel(self) -> None:
        """Hide or show panel and overlay."""
        self._change("window", "panel", not self.settings.window.panel)

    def toggle_orbit(self) -> None:
        """Orbit a point, or fly."""
        mode = "fly" if self.settings.view.mode == "orbit" else "orbit"
        self._change("view", "mode", mode)
        self.interface.say(mode)

    def toggle_wireframe(self) -> None:
        """Draw the triangles' edges only, or the sea."""
        self._change("view", "wireframe", not self.settings.view.wireframe)

    def toggle_stage(self, name: str) -> None:
        """Show a stage of the frame, or the picture again."""
        self._change("stage", "view", stages.toggled(self.settings.stage.view, name))

    def toggle_dive(self) -> None:
        """Dive a few metres under the water, or come up to the altitude from before."""
        self._change("view", "dive", 0.0 if self.settings.view.dive > 0 else DIVE)
        self.interface.say("under water" if self.settings.view.dive > 0 else "above water")

    def toggle_keys(self) -> None:
        """Hide or show the list of keys."""
        self.interface.shows_keys = not self.interface.shows_keys

    def toggle_truth(self) -> None:
        """Hold the sea against its spectrum, or close that window."""
        self.interface.truth.is_open = not self.interface.truth.is_open

    def toggle_full_screen(self) -> None:
        """Fill the screen, or go back to a window. When F11 is let go: pyglet makes a new window for it, which would
        never hear of that and take the next press for a repetition."""
        try:
            self.wnd.fullscreen = not self.wnd.fullscreen
        except NotImplementedError:
            self.interface.say("this window library has no full screen")

    def _change(self, group: str, name: str, value: object) -> None:
        changed = getattr(self.settings, group).model_copy(update={name: value})
        self.settings = self.settings.model_copy(update={group: changed})

    # -- Events --------------------------------------------------------------------------------------------------------

    def ignore_events(self) -> None:
        """Hear no more: events may come after what they go to is released, in the same batch as the one that closed the
        window."""
        for name in HANDLERS:
            setattr(self.wnd, name, lambda *_: None)

    def fly(self, step: float) -> None:
        """Move the camera by the keys that are held."""
        if self.interface.input.wants_keyboard:
            return
        keys, pressed = self.wnd.keys, self.wnd.is_key_pressed
        held = {name for name in HELD_KEYS if pressed(getattr(keys, name))}
        fast = pressed(keys.LEFT_SHIFT) or pressed(keys.RIGHT_SHIFT)
        self._look(self.controls.move(self.settings.view, held, fast, step))

    def _look(self, view: ViewSettings) -> None:
        if view is not self.settings.view:
            self.settings = self.settings.model_copy(update={"view": view})

    def on_key_event(self, key: Any, action: Any, modifiers: KeyModifiers) -> None:
        keys = self.wnd.keys
        if action not in (keys.ACTION_PRESS, keys.ACTION_RELEASE):
            return  # a repetition, which ImGui makes by itself
        self.interface.input.key(key, action == keys.ACTION_PRESS, modifiers)
        if action == keys.ACTION_RELEASE and key == keys.F11:
            self.toggle_full_screen()
        if action == keys.ACTION_PRESS and not self.interface.input.wants_keyboard:
            for names, method, _ in KEYS:
                if key in (getattr(keys, name) for name in names):
                    getattr(self, method)()
            for name, stage in STAGES.items():
                if key == getattr(keys, stage.key):
                    self.toggle_stage(name)

    def on_unicode_char_entered(self, char: str) -> None:
        self.interface.input.text(char)

    def on_mouse_position_event(self, x: int, y: int, dx: int, dy: int) -> None:
        self.interface.input.mouse(x, y)

    def on_mouse_drag_event(self, x: int, y: int, dx: int, dy: int) -> None:
        self.interface.input.mouse(x, y)
        if not self.interface.input.wants_mouse:
            self._look(self.controls.drag(self.settings.view, dx, dy, self.wnd.height))

    def on_mouse_press_event(self, x: int, y: int, button: int) -> None:
        self.interface.input.mouse(x, y)
        self.interface.input.button(button, True, self.wnd.modifiers)

    def on_mouse_release_event(self, x: int, y: int, button: int) -> None:
        self.interface.input.button(button, False, self.wnd.modifiers)

    def on_mouse_scroll_event(self, x_offset: float, y_offset: float) -> None:
        self.interface.input.wheel(x_offset, y_offset)
        if not self.interface.input.wants_mouse:
            self._look(self.controls.wheel(self.settings.view, y_offset))
            if self.settings.view.mode == "fly":
                self.interface.say(f"{self.controls.speed:.3g} m/s")
