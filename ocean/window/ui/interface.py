"""The interface around the view and over it: menu, panel, overlay, comparison, truth, dialogs, and messages.

Draws the picture of the sea into the view, and everything together into a canvas of the window's pixels.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import moderngl
import typer
from imgui_bundle import imgui
from moderngl_window.context.base import BaseWindow

from ocean import fft
from ocean.common.resources import folder
from ocean.gpu.context import release_framebuffer
from ocean.gpu.memory import memory_lines
from ocean.gpu.timing import Clock
from ocean.render.debug_drawing import Reading
from ocean.sea.nonlinear import Energies
from ocean.settings import PICTURE, Settings, with_values
from ocean.validation.record import WaveRecord
from ocean.validation.survey import Survey
from ocean.window.ui import dialogs, stage_keys, theme
from ocean.window.ui.comparison import ComparisonWindow, Findings, PastRun
from ocean.window.ui.effects import without_effect
from ocean.window.ui.handles import Handles
from ocean.window.ui.imgui_renderer import ImGuiInput, ImGuiRenderer
from ocean.window.ui.keys import Action, Actions, keys_window, menu_bar
from ocean.window.ui.layout import Box, Layout
from ocean.window.ui.native import share_clipboard
from ocean.window.ui.overlay import Overlay
from ocean.window.ui.panel import Panel
from ocean.window.ui.saved_settings import Files
from ocean.window.ui.theme import em
from ocean.window.ui.truth import TruthWindow
from ocean.window.ui.widgets import plain

MESSAGE_SECONDS, ERROR_SECONDS, MEMORY_SECONDS = 3.0, 10.0, 1.0
LONGEST_FRAME = 0.25  # s: most time that a frame takes off a message, so that slow frames hide none


@dataclass(frozen=True)
class ProgramState:
    """State of the program that the interface shows beside the settings."""

    paused: bool = False
    findings: Findings = field(default_factory=Findings)
    survey: Survey | None = None
    record: WaveRecord | None = None
    energies: Energies | None = None  # energies of nonlinear waves
    movie: tuple[int, int] | None = None  # completed and all frames of a movie
    seconds_left: float | None = None  # remaining time of the movie
    shader_error: str = ""
    fuses: bool = True  # True: the FFT backend loads the spectrum and stores the maps itself
    reading: Reading | None = None  # values of the stage under the mouse
    runs: Sequence[PastRun] = ()  # earlier comparisons
    has_legend: bool = False  # True: a stage is shown
    window: Any = None  # argument of the actions


class Interface:
    def __init__(
        self,
        window: BaseWindow,
        clock: Clock,
        presets: Mapping[str, Path],
        actions: Actions,
        layout: str = "",
        recent: Sequence[Path] = (),
        pinned: Sequence[str] = (),
    ) -> None:
        self.window = window
        self.renderer = ImGuiRenderer(window.ctx)
        self.input = ImGuiInput(self.renderer.io, window.keys)
        self.layout = Layout(layout)
        self.files = Files(self.say, presets, self.thumbnail, recent)
        obstacle = partial(fft.obstacle, window.ctx)
        self.panel = Panel(self.files, self.say, actions, obstacle, self._memory, pinned)
        self.overlay = Overlay(clock)
        self.comparison = ComparisonWindow(clock)
        self.truth = TruthWindow()
        self.handles = Handles()
        self.shows_keys = self.shows_hints = self.asks_to_quit = self.opens_menu = False
        self._opened: list[str] = []  # open windows, in the order of opening
        self._was_list_open = self._owes_keys = False  # True: the view gets the keys when the open list closes
        self.split = 0.5  # place of the line between A and B, as a share of the view
        self.canvas = window.ctx.simple_framebuffer((1, 1))
        self.message, self.is_error = "", False
        self.saved: Path | None = None  # file of the message
        self._message_time = 0.0
        self._thumbnails = {path.stem: path for path in (folder("assets") / "presets").glob("*.jpg")}
        self.actions = actions
        self._memory_time, self._memory_text = -math.inf, ""
        self._device = str(window.ctx.info["GL_RENDERER"])
        share_clipboard(window)
        theme.apply()

    @property
    def view_pixels(self) -> tuple[int, int]:
        (width, height), (across, down) = self.window.size, self.window.buffer_size
        return self.layout.view.pixels(across / max(1, width), down / max(1, height))

    def say(self, message: str, is_error: bool = False, path: Path | None = None) -> None:
        """Show a message over the view for some seconds, an error for longer, and the message of a saved file with a
        button that opens its folder."""
        self.message, self.is_error, self.saved = message, is_error, path
        self._message_time = ERROR_SECONDS if is_error or path else MESSAGE_SECONDS

    @property
    def _has_folder_button(self) -> bool:
        return self.saved is not None and self._message_time > 0

    def close_popups(self) -> None:
        if is_any_popup_open():
            imgui.internal.close_popup_to_level(0, True)

    def close_one(self) -> bool:
        """Close the window opened last, or end the search; return whether there was one."""
        self._note_opened()
        if self._opened:
            self._closers[self._opened[-1]][1]()
        return bool(self._opened)

    @property
    def _closers(self) -> dict[str, tuple[bool, Callable[[], object]]]:
        """Return by name, for each part that can be closed, whether it is open, and a function that closes it."""
        return {
            "hints": (self.shows_hints, partial(setattr, self, "shows_hints", False)),
            "comparison": (self.comparison.is_open, partial(setattr, self.comparison, "is_open", False)),
            "truth": (self.truth.is_open, partial(setattr, self.truth, "is_open", False)),
            "search": (self.panel.search.is_active, self.panel.search.end),
            "keys": (self.shows_keys, partial(setattr, self, "shows_keys", False)),
            "question": (self.asks_to_quit, partial(setattr, self, "asks_to_quit", False)),
        }

    def _return_keys(self) -> None:
        """Give the keys back to the view in the frame in which a dialog has closed, or a menu or list, unless the
        keyboard was in a window before."""
        is_dialog, is_list = self.asks_to_quit or self.files.browser.is_open, is_any_popup_open()
        if is_dialog or (is_list and not self._was_list_open and not imgui.get_io().nav_visible):
            self._owes_keys = True
        self._was_list_open = is_list
        if not is_dialog and not is_list and self._owes_keys:
            self._owes_keys = False
            imgui.set_nav_cursor_visible(False)

    def _note_opened(self) -> None:
        """Note the order in which windows were opened."""
        shown = [name for name, (is_open, _) in self._closers.items() if is_open]
        before = [name for name in self._opened if name in shown]
        self._opened = [*before, *(name for name in shown if name not in before)]

    @property
    def is_held(self) -> bool:
        """Return whether the left button is down, as on a dragged slider."""
        return bool(imgui.is_mouse_down(0))

    def draw_banner(self, text: str, scale: float) -> None:
        """Draw only a banner into the window, and lay out the coming windows."""
        self.begin(0.0, scale)
        menu_bar("", str, self.actions.menu, None)
        self.layout.draw()
        for name in ("Settings###panel", "Timing###overlay"):
            imgui.begin(name)
            imgui.end()
        banner([(text, theme.TEXT)], self.layout.view)
        imgui.get_background_draw_list().channels_merge()
        self.renderer.draw(self.canvas)
        self.window.ctx.copy_framebuffer(self.window.fbo, self.canvas)

    def begin(self, elapsed: float, scale: float) -> None:
        """Start a frame, `elapsed` seconds after the last frame; `scale` 0 follows the display."""
        size = max(1, self.window.buffer_width), max(1, self.window.buffer_height)
        if self.canvas.size != size:
            release_framebuffer(self.canvas)
            self.canvas = self.window.ctx.framebuffer(self.window.ctx.texture(size, 4))
        self.canvas.clear(0.03, 0.05, 0.07, 1.0)
        theme.fit(self.window.size, scale or display_scale(self.window))
        self.input.begin()
        self.renderer.begin(self.window.size, self.window.pixel_ratio, elapsed)
        behind = imgui.get_background_draw_list()
        behind.channels_split(2)  # the picture, known at the end, and over it the handles
        behind.channels_set_current(1)
        self._message_time -= min(elapsed, LONGEST_FRAME)

    def draw_windows(self, settings: Settings, scene: ProgramState) -> tuple[Settings, list[Action]]:
        """Draw the menu and all windows; return the settings, changed or not, and the chosen actions."""
        asked = menu_bar(self._device, self._memory, self.actions.menu, scene.window, self.opens_menu)
        self.opens_menu = False
        self.layout.draw()
        changed, wishes = self.panel.draw(settings, scene.paused, without_effect(settings, scene.fuses))
        asked += wishes
        changed = self.files.draw(changed) or changed
        asked += self.overlay.draw(self.comparison.is_open, self.actions, settings)
        if self.comparison.draw(scene.findings, settings.fft.backend, scene.runs):
            asked.append(self.actions.measure)
        if chosen := self.comparison.chosen:
            changed = with_values(changed, {"fft.backend": chosen, "fft.options": plain(self.panel.options[chosen])})
        if stage := self.overlay.stage_asked:
            changed = with_values(changed, {"stage.view": PICTURE if settings.stage.view == stage else stage})
        if asked_by_handles := self.handles.draw(settings, self.layout.view):
            changed = with_values(changed, asked_by_handles)
        self.truth.draw(self.layout.view.x + self.layout.view.width, scene.survey, scene.record, scene.energies)
        if self.shows_hints:
            targets = self.files.presets_box, self.overlay.headline_box
            is_covered = self._opened[-1:] != ["hints"] or is_any_popup_open()
            self.shows_hints = dialogs.hints(self.layout.view, *targets, points=not is_covered)
        return changed, asked

    def draw_notes(self, scene: ProgramState) -> list[Action]:
        """Draw the parts that stay visible while the windows are hidden; return the requested actions."""
        asked: list[Action] = []
        self._note_opened()
        if self._has_folder_button and dialogs.folder_button(self.layout.view, scene.has_legend):
            typer.launch(str(self.saved), locate=True)
        if scene.reading is not None:
            stage_keys.draw_reading(scene.reading)
        if self.shows_keys:
            self.shows_keys = keys_window(True, self.actions.menu)
        if scene.shader_error:
            dialogs.shader_error(self.layout.view, scene.shader_error)
        if scene.movie:
            asked += dialogs.movie(self.layout.view, *scene.movie, scene.seconds_left, self.actions)
        if self.asks_to_quit:
            imgui.set_nav_cursor_visible(True)  # keys go to the question
            self.asks_to_quit, answer = dialogs.ask_to_quit(scene.movie is not None, self.actions)
            asked += answer
        self._return_keys()
        return asked

    def draw_split(self, time: float, enlarged: float) -> None:
        """Draw the line between the picture of A, taken at a time of the sea [s] and enlarged by a factor, and the
        view; a drag moves it."""
        view, wide = self.layout.view, em(0.8)
        x = view.x + self.split * view.width
        imgui.set_next_window_pos((x - wide / 2, view.y))
        imgui.set_next_window_size((wide, view.height))
        imgui.push_style_var(imgui.StyleVar_.window_padding, (0, 0))
        flags = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_background | imgui.WindowFlags_.no_docking
        flags |= imgui.WindowFlags_.no_bring_to_front_on_focus  # windows over the view also cover the line
        if imgui.begin("###split", None, flags | imgui.WindowFlags_.no_saved_settings)[0]:
            imgui.invisible_button("split line", (wide, view.height))
            if imgui.is_item_active():
                share = (imgui.get_io().mouse_pos.x - view.x) / max(view.width, 1.0)
                self.split = min(0.98, max(0.02, share))
            if imgui.is_item_hovered() or imgui.is_item_active():
                imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
        imgui.end()
        imgui.pop_style_var()
        draw, y = imgui.get_background_draw_list(), view.y + em(0.5)
        size = f", {enlarged:.1f} times as large" if enlarged > 1.05 else ""
        draw.add_line((x, view.y), (x, view.y + view.height), theme.packed(theme.TEXT), em(0.1))
        for text, side in ((f"A, at {time:.1f} s{size}", -1), ("B", 1)):
            wide = imgui.calc_text_size(text).x
            left = x + em(0.8) if side > 0 else x - em(0.8) - wide
            corners = (left - em(0.3), y), (left + wide + em(0.3), y + em(1.2))
            draw.add_rect_filled(*corners, theme.packed(theme.rgb("0c1319", 0.8)), em(0.3))
            draw.add_text((left, y), theme.packed(theme.TEXT), text)

    def end(self, picture: moderngl.Texture | None, notice: str = "", beside: moderngl.Texture | None = None) -> None:
        """End the frame with the last message and a lasting notice, and draw it, over a picture in the view. The
        picture `beside` fills the view up to the line."""
        lines = [(notice, theme.TEXT)] if notice else []
        if self.message and self._message_time > 0:
            lines.insert(0, (self.message, theme.WRONG if self.is_error else theme.TEXT))
        view = self.layout.view
        if lines:
            banner(lines, replace(view, width=view.width - em(10)) if self._has_folder_button else view)
        if picture is not None:
            corners = (view.x, view.y), (view.x + view.width, view.y + view.height)
            upright = (0, 1), (1, 0)
            draw = imgui.get_background_draw_list()
            draw.channels_set_current(0)
            draw.add_image(self.renderer.shown(picture), *corners, *upright)
            if beside is not None:
                line = view.x + self.split * view.width, view.y + view.height
                wide, high = shares_shown(beside, picture)
                left, top = 0.5 - 0.5 * wide, 0.5 + 0.5 * high
                shown = (left, top), (left + self.split * wide, top - high)
                draw.add_image(self.renderer.shown(beside), corners[0], line, *shown)
        imgui.get_background_draw_list().channels_merge()
        self.renderer.draw(self.canvas)

    def thumbnail(self, name: str) -> imgui.ImTextureRef | None:
        """Return the small picture of a preset; None if it has none."""
        path = self._thumbnails.get(name)
        return self.renderer.read(path) if path else None

    def _memory(self) -> str:
        """Return lines on the GPU's memory, updated at most once per second: the query asks the driver, and a list of
        all objects disturbs threads that are making tuples."""
        if time.monotonic() > self._memory_time + MEMORY_SECONDS:
            self._memory_time, self._memory_text = time.monotonic(), "\n".join(memory_lines(self.window.ctx))
        return self._memory_text

    def release(self) -> None:
        release_framebuffer(self.canvas)
        self.renderer.release()


def shares_shown(kept: moderngl.Texture, now: moderngl.Texture) -> tuple[float, float]:
    """Return the shares of a kept picture's width and height, about its middle, that have the shape of the view's
    picture now.

    A narrower view crops the picture like a camera of its shape. A wider view enlarges the picture.
    """
    ratio = now.width * kept.height / (now.height * kept.width)
    return min(1.0, ratio), min(1.0, 1 / ratio)


def is_any_popup_open() -> bool:
    """Return whether a menu, a list or the dialog for a file is open."""
    return bool(imgui.is_popup_open("", imgui.PopupFlags_.any_popup))


def display_scale(window: BaseWindow) -> float:
    """Return the interface's scale for the display: its resolution over 96 dots per inch if the window's units are
    pixels, and 1 if the system scales windows itself."""
    dots = getattr(getattr(window, "_window", None), "dpi", 96.0)
    return float(min(4.0, max(1.0, dots / 96.0 / max(1.0, window.pixel_ratio))))


def banner(lines: Sequence[tuple[str, theme.Colour]], view: Box) -> None:
    """Draw lines of text in colours, wrapped, in the view's lower left corner, opposite to the legend of a stage. They
    show from their first frame on, which ImGui's windows do not."""
    pad = em(0.7)
    wrap = max(em(8), view.width - 5.2 * pad)
    bottom = view.y + view.height - pad
    draw, font = imgui.get_foreground_draw_list(), imgui.get_font()
    for text, colour in reversed(lines):
        size = imgui.calc_text_size(text, wrap_width=wrap)
        left, top = view.x + 2.6 * pad, bottom - size.y - pad
        corners = (left - 1.6 * pad, top - pad), (left + size.x + 1.6 * pad, bottom)
        draw.add_rect_filled(*corners, theme.packed(theme.rgb("0c1319", 0.92)), em())
        draw.add_text(font, imgui.get_font_size(), (left, top), theme.packed(colour), text, wrap_width=wrap)
        bottom = top - 1.5 * pad
