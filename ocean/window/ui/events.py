"""Events in: what keys, menus and the mouse do to a window, once ImGui has taken what is its own."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from moderngl_window.context.base import BaseWindow, KeyModifiers, WindowConfig

from ocean.render.debug_views.table import STAGES
from ocean.settings import PICTURE, Settings, ViewSettings
from ocean.window.ui.controls import HELD_KEYS, Controls
from ocean.window.ui.interface import Interface
from ocean.window.ui.journey import Journey
from ocean.window.ui.keys import ACTIONS, Action
from ocean.window.ui.undo import Undo

HANDLERS = (
    *("key_event_func", "unicode_char_entered_func", "mouse_position_event_func", "mouse_drag_event_func"),
    *("mouse_press_event_func", "mouse_release_event_func", "mouse_scroll_event_func", "files_dropped_event_func"),
)
"""Where a window of moderngl-window calls to when something happens."""

DIVE = 3.0  # m that the camera goes under mean water when it dives
NUDGE = 0.5  # s that a movement's menu entry stands for


class EventWindow(WindowConfig, ABC):
    """A window's settings, pause and camera, as events change them."""

    def __init__(self, window: BaseWindow, settings: Settings) -> None:
        super().__init__(ctx=window.ctx, wnd=window)
        self.settings = settings
        self.wanted: Settings | None = None  # what the next frame is to take
        self.paused = False
        self.controls = Controls()
        self.journey = Journey()
        self.changes = Undo()
        self._is_travel = False  # whether `wanted` comes from undo or redo

    @property
    @abstractmethod
    def interface(self) -> Interface:
        """What lies around the picture."""

    @abstractmethod
    def fail(self, error: Exception) -> None:
        """Tell a person of an error that nobody expected, and go on."""

    # -- What actions do -----------------------------------------------------------------------------------------------

    def do(self, action: Action) -> None:
        """Do what an action of the keys or the menu says."""
        getattr(self, action.method)(*([action.argument] if action.argument is not None else []))

    def pause(self) -> None:
        """Stop the sea, or let it go on."""
        self.paused = not self.paused

    def toggle_panel(self) -> None:
        """Hide or show all that is around the view."""
        self._change("window", panel=not self.settings.window.panel)

    def toggle_orbit(self) -> None:
        """Orbit a point, or fly."""
        mode = "fly" if self.settings.view.mode == "orbit" else "orbit"
        self._change("view", mode=mode)
        self.interface.say(mode)

    def toggle_stage(self, name: str) -> None:
        """Show a stage of the frame, or the picture again."""
        self._change("stage", view=PICTURE if self.settings.stage.view == name else name)

    def next_picture(self, name: str) -> None:
        """Show the next picture of a stage that has several, or that stage."""
        shown = self.settings.stage
        self._change("stage", view=name, field=STAGES[name].after(shown.field) if shown.view == name else shown.field)

    def toggle_dive(self) -> None:
        """Dive a few metres under the water, or come up to the altitude from before."""
        self._change("view", dive=0.0 if self.settings.view.dive > 0 else DIVE)
        self.interface.say("under water" if self.settings.view.dive > 0 else "above water")

    def toggle_keys(self) -> None:
        """Hide or show the list of keys."""
        self.interface.shows_keys = not self.interface.shows_keys

    def toggle_truth(self) -> None:
        """Hold the sea against its spectrum, or close that window."""
        self.interface.truth.is_open = not self.interface.truth.is_open

    def toggle_full_screen(self) -> None:
        """Fill the screen, or go back to a window."""
        try:
            self.wnd.fullscreen = not self.wnd.fullscreen
        except NotImplementedError:
            self.interface.say("this window library has no full screen")

    def reset_layout(self) -> None:
        """Put all windows back into their places."""
        self.interface.layout.reset()

    def find(self) -> None:
        """Type into the search over all settings."""
        if not self.settings.window.panel:
            self.toggle_panel()
        self.interface.panel.search.focus()

    def undo(self) -> None:
        """Take back the last change of settings."""
        self._travel(self.changes.undo(self.settings), "nothing to undo")

    def redo(self) -> None:
        """Make the change again that was taken back."""
        self._travel(self.changes.redo(self.settings), "nothing to redo")

    def _travel(self, settings: Settings | None, otherwise: str) -> None:
        if settings is None:
            self.interface.say(otherwise)
        else:
            self.wanted, self._is_travel = settings, True

    def _change(self, group: str, **values: object) -> None:
        before = self.settings
        changed = getattr(before, group).model_copy(update=values)
        self.settings = before.model_copy(update={group: changed})
        self.changes.note(before, self.settings)

    # -- The camera ----------------------------------------------------------------------------------------------------

    def nudge(self, key: str) -> None:
        """Move as if a key had been held for a moment."""
        self._look(self.controls.move(self.settings.view, {key}, False, NUDGE))

    def set_bookmark(self, number: str) -> None:
        """Remember where the camera is."""
        self.journey.bookmarks[number] = self.settings.view
        self.interface.say(f"bookmark {number} is here")

    def go_to_bookmark(self, number: str) -> None:
        """Go where a bookmark was set."""
        if (view := self.journey.bookmarks.get(number)) is None:
            self.interface.say(f"bookmark {number} is not set; Ctrl+Shift+{number} sets it")
        else:
            self._look(self.journey.place(view, self.settings.view))
            self.interface.say(f"bookmark {number}")

    def record_flight(self) -> None:
        """Record where the camera flies, or end that."""
        self.journey.record()
        if not self.journey.is_recording:
            self.interface.say(f"a flight of {self.journey.flight.duration:.1f} s; G flies it")

    def replay_flight(self) -> None:
        """Fly the recorded flight, or stop."""
        self.journey.replay()
        if not self.journey.flight.views:
            self.interface.say("no flight is recorded; J records one")

    def fly(self, step: float) -> None:
        """Move the camera by the keys that are held, or along the flight."""
        if not self.interface.input.wants_keyboard and not self.wnd.modifiers.ctrl:
            keys, pressed = self.wnd.keys, self.wnd.is_key_pressed
            held = {name for name in HELD_KEYS if pressed(getattr(keys, name))}
            fast = pressed(keys.LEFT_SHIFT) or pressed(keys.RIGHT_SHIFT)
            self._look(self.controls.move(self.settings.view, held, fast, step))
        self._look(self.journey.step(self.settings.view, step))

    def _look(self, view: ViewSettings) -> None:
        if view is not self.settings.view:
            self.settings = self.settings.model_copy(update={"view": view})

    # -- Events --------------------------------------------------------------------------------------------------------

    def ignore_events(self) -> None:
        """Hear no more: events may come after what they go to is released, in the same batch as the one that closed the
        window."""
        for name in HANDLERS:
            setattr(self.wnd, name, lambda *_: None)

    def on_key_event(self, key: Any, action: Any, modifiers: KeyModifiers) -> None:
        keys = self.wnd.keys
        if action not in (keys.ACTION_PRESS, keys.ACTION_RELEASE):
            return  # a repetition, which ImGui makes by itself
        is_press = action == keys.ACTION_PRESS
        self.interface.input.key(key, is_press, modifiers)
        if self.interface.input.wants_keyboard and is_press:
            return
        for entry in reversed(ACTIONS):  # a key with Shift comes after the same one without, which it is one too
            if not entry.held and entry.on_release != is_press and self._is_hit(entry, key, modifiers):
                try:
                    self.do(entry)
                except Exception as error:
                    self.fail(error)
                return

    def _is_hit(self, action: Action, key: Any, modifiers: KeyModifiers) -> bool:
        """Whether a key is one of an action's. Shift may be held with any but Ctrl's, as it makes the camera faster."""
        for name in action.keys:
            *held, plain = name.split("+")
            is_held = ("CTRL" in held) == bool(modifiers.ctrl)
            wants, shift = "SHIFT" in held, bool(modifiers.shift)
            is_shifted = wants == shift if modifiers.ctrl else wants <= shift
            if key == getattr(self.wnd.keys, plain) and is_held and is_shifted:
                return True
        return False

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

    def on_files_dropped_event(self, x: int, y: int, paths: list[Any]) -> None:
        """Take the settings of the first file; the panel says how that went."""
        panel, path = self.interface.panel, Path(paths[0])
        if path.suffix.lower() != ".toml":
            panel.say(f"{path.name} is no settings file: those end in .toml", is_error=True)
        elif (loaded := panel.files.load(path)) is not None:
            self.wanted = loaded
        self.interface.say(panel.message)
        if not panel.is_error:
            panel.say("")  # which would move all below it
