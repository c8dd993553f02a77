"""The interface around the view and over it: menu, docked windows, dialogs, and messages.

Draws the picture of the sea into the view, and everything together into a canvas of the window's pixels. The view is
the dock's central node, which has no window of its own: there the mouse moves the camera.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import moderngl
from imgui_bundle import imgui

from ocean import fft
from ocean.common.resources import folder
from ocean.gpu.context import release_framebuffer
from ocean.gpu.memory import memory_lines
from ocean.gpu.timing import Clock
from ocean.render.debug_drawing import Reading
from ocean.settings import Settings, level_of, with_values
from ocean.validation.gauge import WaveGauge
from ocean.window.changes import Change
from ocean.window.libraries import NativeWindow
from ocean.window.pictures import Studio
from ocean.window.ui import dialogs, theme, validation, view_controls
from ocean.window.ui.comparison import BackendComparison, ComparisonWindow
from ocean.window.ui.dialogs import Actions
from ocean.window.ui.export import ExportWindow
from ocean.window.ui.files import Files
from ocean.window.ui.overlay import Overlay
from ocean.window.ui.panel import Panel, without_effect
from ocean.window.ui.renderer import ImGuiInput, ImGuiRenderer
from ocean.window.ui.theme import Box, em, is_any_popup_open

MESSAGE_SECONDS, ERROR_SECONDS, MEMORY_SECONDS = 3.0, 10.0, 1.0
LONGEST_FRAME = 0.25  # s: longest time by which one frame ages a message, so that slow frames do not hide it
BEHIND = 0.03, 0.05, 0.07, 1.0  # colour of the canvas, where nothing is drawn
HOST = "WindowOverViewport"  # beginning of the names of ImGui's windows that hold the dock
PANEL, OVERLAY, COMPARISON = "###panel", "###overlay", "###comparison"
PANEL_WIDTH, OVERLAY_WIDTH, COMPARISON_HEIGHT = 24.0, 22.0, 26.0  # em
FULL_WIDTH, SLIM = 1280, 0.86  # width of a window below which panels are narrower, and their fraction of the width
SQUEEZED_VIEW = 12.0  # em; minimum view in a shrunk window before the layout for narrow windows
SMALLEST = 64  # smallest width and height of the interface, which a smaller window shrinks
NEAR = 4.0  # em: distance from a window within which the mouse may change the interface
LEAST_VIEW = 26.0  # em; with less room for the view, the overlay lies behind the panel
NARROW = "; narrow\n"  # comment at the top of the program's layout for a narrow window
WIDTHS = re.compile(r"^; widths (\S+) (\S+)$", re.MULTILINE)  # comment with the unit and the panel's width


class InterfaceState(NamedTuple):
    """The interface's part of a session: ImGui's layout, settings files, and key paths of pinned settings."""

    layout: str = ""
    recent: Sequence[Path] = ()
    pinned: Sequence[str] = ()


FIRST_STATE = InterfaceState()


class Interface:
    exporting: ExportWindow  # outlives the interface, as an export goes on after an error

    def __init__(
        self,
        native: NativeWindow,
        clock: Clock,
        presets: Mapping[str, Path],
        actions: Actions,
        state: InterfaceState = FIRST_STATE,
    ) -> None:
        self.native, self.window = native, native.window
        self.renderer = ImGuiRenderer(self.window.ctx)
        self.input = ImGuiInput(self.renderer.io, self.window.keys)
        self.layout = Layout(state.layout)
        self.files = Files(self.say, presets, self.thumbnail, state.recent)
        obstacle = partial(fft.obstacle, self.window.ctx)
        keeps = self.renderer.keeps
        memory = lru_cache(maxsize=1)(lambda seconds: "\n".join(memory_lines(self.window.ctx)))
        self._memory = lambda: memory(time.monotonic() // MEMORY_SECONDS)  # the query takes long
        self.panel = Panel(self.files, self.say, actions, obstacle, self._memory, state.pinned, keeps)
        self.overlay = Overlay(clock, actions, keeps)
        self.comparison = ComparisonWindow(actions, keeps)
        self.shows_handles = True
        self.opens_menu = False
        self.questions: list[dialogs.Question] = []  # one after another
        self.opened: list[str] = []
        """Names of the parts that Esc closes, in the order of opening."""
        self._was_list_open = self._owes_keys = False  # True: the view gets the keys when the open list closes
        self.split = 0.5  # position of the line between A and B, as a fraction of the view
        self.canvas = self.window.ctx.simple_framebuffer((1, 1))
        self.message, self.is_error = "", False
        self.saved: Path | None = None  # file of the message
        self._message_time = 0.0
        self._thumbnails = {path.stem: path for path in (folder("assets") / "presets").glob("*.jpg")}
        self.actions = actions
        self._device = str(self.window.ctx.info["GL_RENDERER"])
        if clipboard := native.clipboard():  # without it, ImGui has only an internal clipboard
            copy, paste = clipboard
            system = imgui.get_platform_io()
            system.platform_set_clipboard_text_fn = lambda _, text: copy(text)
            system.platform_get_clipboard_text_fn = lambda _: paste()
        theme.apply()

    @property
    def state(self) -> InterfaceState:
        return InterfaceState(self.layout.text, tuple(self.files.recent), tuple(self.panel.pinned))

    def has_new_layout(self) -> bool:
        """Return whether the layout has changed since the last call."""
        io = imgui.get_io()
        wants, io.want_save_ini_settings = io.want_save_ini_settings, False
        return wants

    @property
    def view_pixels(self) -> tuple[int, int]:
        (width, height), (across, down) = self._size, self.window.buffer_size
        view = self.layout.view
        scaled = view.width * across / width, view.height * down / height
        return max(1, round(scaled[0])), max(1, round(scaled[1]))

    @property
    def _size(self) -> tuple[int, int]:
        """The window's size in its units, at least SMALLEST: ImGui fails without room for a menu and a dock."""
        width, height = self.window.size
        return max(SMALLEST, width), max(SMALLEST, height)

    @property
    def is_held(self) -> bool:
        """Whether the left button is down, as on a dragged slider."""
        return bool(imgui.is_mouse_down(0))

    @property
    def is_over_view(self) -> bool:
        """Whether the mouse is over the view. ImGui knows it from the next frame on, which may take long to come."""
        (x, y), view = self.input.place, self.layout.view
        return 0 <= x - view.x < view.width and 0 <= y - view.y < view.height

    @property
    def is_animated(self) -> bool:
        """Whether the next frame differs without an event: a message expires, a caret blinks, a file arrives."""
        is_busy = self.files.is_busy or self.exporting.is_busy
        return self._message_time > 0 or self.input.is_typing or self.is_held or is_busy

    def say(self, message: str, is_error: bool = False, path: Path | None = None) -> None:
        """Show a message for some seconds, an error for longer, a saved file with a button that opens its folder."""
        self.message, self.is_error, self.saved = message, is_error, path
        self._message_time = ERROR_SECONDS if is_error or path else MESSAGE_SECONDS

    def open(self, path: Path) -> None:
        opener = "open" if sys.platform == "darwin" else "xdg-open"
        try:
            if sys.platform == "win32":
                os.startfile(path)
            else:
                subprocess.Popen([opener, os.path.abspath(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except OSError as error:
            self.say(f"can't open {path}: {error.strerror}", is_error=True)

    @property
    def said(self) -> str:
        return self.message if self._message_time > 0 else ""

    def answers(self, x: float, y: float) -> bool:
        """Return whether a move of the mouse to here may change the interface: not over the sea, away from windows."""
        near, windows = em(NEAR), imgui.get_current_context().windows
        boxes = [(one.pos, one.size) for one in windows if one.active and not one.name.startswith(HOST)]
        is_near = any(-near < x - at.x < size.x + near and -near < y - at.y < size.y + near for at, size in boxes)
        return is_near or self.is_held or is_any_popup_open()

    def close_popups(self) -> None:
        if is_any_popup_open():
            imgui.internal.close_popup_to_level(0, True)

    def toggle(self, name: str) -> None:
        if name in self.opened:
            self.opened.remove(name)
        else:
            self.opened.append(name)

    def close_one(self) -> bool:
        """Close the part opened last, or end the search; return whether there was one."""
        self._note_search()
        closed = self.opened.pop() if self.opened else ""
        if closed == "search":
            self.panel.search.end()
        return bool(closed)

    def _note_search(self) -> None:
        if self.panel.search.is_active != ("search" in self.opened):
            self.toggle("search")

    def _draw_open(self, name: str, draw: Callable[[], bool]) -> None:
        """Draw a part if it is open; `draw` returns whether it stays open."""
        if name in self.opened and not draw():
            self.opened.remove(name)

    def _return_keys(self) -> None:
        """Return the keyboard to the view once a dialog, menu or list has closed, unless a window had it before."""
        is_dialog, is_list = "quit" in self.opened or self.files.dialog.is_open, is_any_popup_open()
        if is_dialog or (is_list and not self._was_list_open and not imgui.get_io().nav_visible):
            self._owes_keys = True
        self._was_list_open = is_list
        if not is_dialog and not is_list and self._owes_keys:
            self._owes_keys = False
            imgui.set_nav_cursor_visible(False)

    def draw_banner(self, text: str, scale: float) -> None:
        """Draw only a banner into the window, and lay out the coming windows."""
        for _ in range(2):  # the dock knows its parts from the second frame on
            self.begin(0.0, scale)
            dialogs.menu_bar("", str, self.actions)
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
        self.canvas.clear(*BEHIND)
        # Systems that scale windows themselves have several pixels for one of the window's units.
        display = self.native.display_scale / max(1.0, self.window.pixel_ratio)
        theme.fit(self._size, scale or min(4.0, max(1.0, display)))
        self.input.begin()
        self.renderer.begin(self._size, self.window.pixel_ratio, elapsed)
        behind = imgui.get_background_draw_list()
        behind.channels_split(2)  # the picture, known at the end, and over it the handles
        behind.channels_set_current(1)
        self._message_time -= min(elapsed, LONGEST_FRAME)

    def draw_windows(
        self,
        settings: Settings,
        comparing: BackendComparison,
        reports: Path,
        gauge: WaveGauge | None,
        paused: bool,
        fuses: bool,
    ) -> list[Change]:
        """Draw the menu and all windows; return the changes of the settings.

        Args:
            comparing: measures FFT backends; earlier reports lie in the folder `reports`.
            gauge: measures the running sea, if it does.
            fuses: whether the FFT backend loads the spectrum and stores the maps itself.
        """
        changes: list[Change] = []

        def note(change: Change | None) -> None:
            nonlocal settings
            if change is not None:
                changes.append(replace(change, origin="drag") if self.is_held else change)
                settings = change.settings

        dialogs.menu_bar(self._device, self._memory, self.actions, self.opens_menu)
        self.opens_menu = False
        self.layout.draw()
        shown = settings
        note(self.panel.draw(shown, paused, without_effect(shown, fuses)))
        self._note_search()
        note(self.files.draw(settings))
        self.overlay.draw("comparison" in self.opened, self.panel.quality or level_of(shown), paused)
        backend = shown.fft.backend
        self._draw_open("comparison", lambda: self.comparison.draw(comparing, backend, comparing.runs(reports)))
        if self.shows_handles and (values := view_controls.draw_handles(shown, self.layout.view)):
            note(Change(with_values(settings, values)))
        self.exporting.finish()
        self._draw_open("export", lambda: self.exporting.draw(settings))
        measured = (gauge.survey, gauge.record, gauge.energies, gauge.fronts) if gauge else (None,) * 4
        edge = self.layout.view.x + self.layout.view.width
        self._draw_open("validation", lambda: validation.draw(edge, paused, *measured))
        self._draw_open("welcome", lambda: dialogs.welcome(self.layout.view))
        return changes

    def draw_notes(self, studio: Studio, reading: Reading | None, shader_error: str, has_legend: bool) -> None:
        """Draw the parts that stay visible while the windows are hidden."""
        view, movie, asked = self.layout.view, studio.movie, self.actions.asked
        if self.saved and self.said and dialogs.folder_button(view, has_legend):
            self.open(self.saved.parent)
        if reading is not None:
            theme.show_tooltip(str(reading))
        self._draw_open("keys", lambda: dialogs.keys_window(self.actions.menu))
        self._draw_open("about", lambda: dialogs.about(self._device, str(self.window.ctx.info["GL_VERSION"])))
        if shader_error:
            dialogs.shader_error(view, shader_error)
        if movie:
            dialogs.movie(view, (movie.frames, studio.length), studio.seconds_left, self.actions, studio.cancel)
        if self.questions and not dialogs.ask(self.questions[0], asked):
            self.questions.pop(0)
        self._draw_open("quit", lambda: self._asks_to_quit(studio))
        self._return_keys()

    def _asks_to_quit(self, studio: Studio) -> bool:
        """Ask before quitting ends a movie or an export or loses a file; return whether the question stays open."""
        imgui.set_nav_cursor_visible(True)  # keys go to the question
        discard, leave = self.actions.quit_without_movie, self.actions.quit_now
        answers = {"End it and quit": leave, "Continue": lambda: None}
        if studio.movie:
            answers = {"Save it and quit": leave, "Quit without it": discard, "Continue recording": lambda: None}
            question = dialogs.Question("A movie is being recorded", "It is not saved yet.", answers)
        elif self.exporting.is_busy:
            question = dialogs.Question("An export is running", "Only its finished frames would stay.", answers)
        elif studio.is_busy:
            question = dialogs.Question("A file is not saved yet", "It waits for the new sea.", answers)
        else:  # it has ended by itself
            self.actions.asked.append(leave)
            return False
        return dialogs.ask(question, self.actions.asked, takes_keys=True)

    def draw_split(self, time: float, enlarged: float, frames: tuple[str, str]) -> None:
        """Draw the draggable line beside the snapshot of A, with its time of the sea [s] and enlargement, and the times
        of frames of A and B."""
        view = self.layout.view
        x = view.x + self.split * view.width
        if view_controls.grip("split line", (x, view.y + view.height / 2), (em(0.8), view.height)):
            share = (imgui.get_io().mouse_pos.x - view.x) / max(view.width, 1.0)
            self.split = min(0.98, max(0.02, share))
        draw, y = imgui.get_background_draw_list(), view.y + em(0.5)
        size = f", {enlarged:.1f} times as large" if enlarged > 1.05 else ""
        draw.add_line((x, view.y), (x, view.y + view.height), theme.packed(theme.TEXT), em(0.1))
        (a, b) = (text and f": {text} a frame" for text in frames)
        for text, side in ((f"A, at {time:.1f} s{size}{a}", -1), (f"B{b}", 1)):
            wide = imgui.calc_text_size(text).x
            left = x + em(0.8) if side > 0 else max(view.x + em(0.8), x - em(0.8) - wide)
            corners = (left - em(0.3), y), (left + wide + em(0.3), y + em(1.2))
            draw.add_rect_filled(*corners, theme.packed(theme.rgb("0c1319", 0.8)), em(0.3))
            draw.add_text((left, y), theme.packed(theme.TEXT), text)

    def end(self, picture: moderngl.Texture | None, notice: str = "", snapshot: moderngl.Texture | None = None) -> None:
        """End the frame: message and notice over the picture in the view, which a `snapshot` fills up to the line."""
        lines = [(notice, theme.TEXT)] if notice else []
        if self.said:
            lines.insert(0, (self.message, theme.WRONG if self.is_error else theme.TEXT))
        view = self.layout.view
        if lines:
            banner(lines, replace(view, width=view.width - em(10)) if self.saved and self.said else view)
        if picture is not None:
            corners = (view.x, view.y), (view.x + view.width, view.y + view.height)
            upright = (0, 1), (1, 0)
            draw = imgui.get_background_draw_list()
            draw.channels_set_current(0)
            draw.add_image(self.renderer.shown(picture), *corners, *upright)
            if snapshot is not None:
                line = view.x + self.split * view.width, view.y + view.height
                wide, high = crop_of(snapshot, picture)
                left, top = 0.5 - 0.5 * wide, 0.5 + 0.5 * high
                shown = (left, top), (left + self.split * wide, top - high)
                draw.add_image(self.renderer.shown(snapshot), corners[0], line, *shown)
        imgui.get_background_draw_list().channels_merge()
        self.renderer.draw(self.canvas)

    def draw_again(self) -> None:
        """Draw the last frame's interface over the picture that it shows."""
        self.canvas.clear(*BEHIND)
        self.renderer.draw_again(self.canvas)

    def thumbnail(self, name: str) -> imgui.ImTextureRef | None:
        path = self._thumbnails.get(name)
        return self.renderer.read(path) if path else None

    def release(self) -> None:
        self.files.dialog.release()
        release_framebuffer(self.canvas)
        self.renderer.release()


def crop_of(snapshot: moderngl.Texture, picture: moderngl.Texture) -> tuple[float, float]:
    """Return the centred crop (0..1) of the snapshot with the picture's aspect ratio.

    A narrower view crops the snapshot like a camera of its shape. A wider view enlarges the snapshot.
    """
    ratio = picture.width * snapshot.height / (picture.height * snapshot.width)
    return min(1.0, ratio), min(1.0, 1 / ratio)


def banner(lines: Sequence[tuple[str, theme.Colour]], view: Box) -> None:
    """Draw wrapped lines of text in the view's lower left corner, opposite to the legend of a debug view. They
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


class Layout:
    def __init__(self, ini: str = "") -> None:
        """Take the `text` of the last session's layout; the empty text stands for the default layout."""
        self._wants_default = not ini
        self._until_focus = 0  # frames until the panel is in front of its neighbours in the dock
        if ini:
            imgui.load_ini_settings_from_memory(ini)
        self.wants_next = False  # True: the next frame puts the keyboard's cursor into the next window in reading order
        self._focused = -1  # window that has got the keyboard
        found = WIDTHS.search(ini)
        # Unit of the docks' widths, and the panel's width, when they were set; 0 if unknown.
        self._unit, self._panel = map(float, found.groups()) if found else (0.0, 0.0)
        self._is_narrow = ini.startswith(NARROW)  # True: the program made the layout, for a narrow window
        self.view = Box(0, 0, 1, 1)

    @property
    def text(self) -> str:
        widths = f"; widths {self._unit:.3f} {self._panel:.3f}\n" if self._unit else ""
        return (NARROW if self._is_narrow else "") + widths + str(imgui.save_ini_settings_to_memory())

    def reset(self) -> None:
        self._wants_default = True

    def fill(self) -> None:
        """Let the view fill a frame without windows."""
        display = imgui.get_io().display_size
        self.view = Box(0, 0, display.x, display.y)

    def draw(self) -> None:
        flags = imgui.DockNodeFlags_.passthru_central_node | imgui.DockNodeFlags_.no_docking_over_central_node
        private = imgui.internal.DockNodeFlagsPrivate_.no_window_menu_button
        dock, find = imgui.get_id("dock"), imgui.internal.find_window_by_name
        width = imgui.get_main_viewport().work_size.x
        unit = em(SLIM if width < FULL_WIDTH else 1.0)  # of the docks' widths
        panel = min(0.5 * width, PANEL_WIDTH * unit)
        is_narrow = width < em(PANEL_WIDTH + OVERLAY_WIDTH + LEAST_VIEW)
        if is_narrow != self._is_narrow and (self._is_narrow or self.view.width < em(SQUEEZED_VIEW)):
            self._wants_default = True
        if self._wants_default:
            self._is_narrow, self._unit, self._panel = is_narrow, unit, panel
            self._wants_default = False
            self._until_focus = 3
            build(dock, panel, 0.0 if is_narrow else OVERLAY_WIDTH * unit)
        elif self._unit and (unit, panel) != (self._unit, self._panel):
            nodes = [window.dock_node for window in map(find, (PANEL, OVERLAY, COMPARISON)) if window]
            for number, size in {node.id_: node.size_ref for node in nodes if node}.items():  # windows may share a node
                scaled = size.x * panel / self._panel, size.y * unit / self._unit
                imgui.internal.dock_builder_set_node_size(number, scaled)
        if find(PANEL):  # before, a layout of the last session has no windows to scale
            self._unit, self._panel = unit, panel
        both = flags.value | private.value  # Python 3.11.2, that of Debian 12, can't join flags of two classes
        imgui.dock_space_over_viewport(dock, imgui.get_main_viewport(), both)
        keep_inside()
        places = "###question", PANEL, OVERLAY, COMPARISON
        drawn = [window for window in map(find, places) if window and window.was_active]
        if self.wants_next and drawn:
            self.wants_next = False
            self._focused = (self._focused + 1) % len(drawn)
            imgui.internal.focus_window(drawn[self._focused])
            imgui.internal.nav_init_window(drawn[self._focused], True)
            imgui.set_nav_cursor_visible(True)
        if self._until_focus:
            self._until_focus -= 1
            if self._until_focus == 0:
                imgui.set_window_focus(PANEL)
        node = imgui.internal.dock_builder_get_central_node(dock)
        # Whole units copy the picture pixel by pixel.
        x, y = round(node.pos.x), round(node.pos.y)
        self.view = Box(x, y, round(node.pos.x + node.size.x) - x, round(node.pos.y + node.size.y) - y)


def build(dock: int, panel: float, overlay: float) -> None:
    """Build the default layout: settings on the left, times on the right (for a width of 0, in the same place as the
    settings), the comparison below."""
    builder, viewport = imgui.internal, imgui.get_main_viewport()
    builder.dock_builder_remove_node(dock)
    builder.dock_builder_add_node(dock, imgui.internal.DockNodeFlagsPrivate_.dock_space)
    builder.dock_builder_set_node_size(dock, viewport.work_size)
    width, height = max(viewport.work_size.x, 1.0), max(viewport.work_size.y, 1.0)
    left, rest = split(dock, imgui.Dir.left, panel / width)
    right, rest = split(rest, imgui.Dir.right, overlay / (width - panel)) if overlay else (left, rest)
    below, _ = split(rest, imgui.Dir.down, min(0.6, em(COMPARISON_HEIGHT) / height))
    for name, node in ((PANEL, left), (OVERLAY, right), (COMPARISON, below)):
        builder.dock_builder_dock_window(name, node)
    builder.dock_builder_finish(dock)


def keep_inside() -> None:
    """Move floating windows into the program's window, which may have been made smaller, and shrink larger ones."""
    room, corner = imgui.get_main_viewport().work_size, imgui.get_main_viewport().work_pos
    others = imgui.WindowFlags_.child_window | imgui.WindowFlags_.tooltip | imgui.WindowFlags_.popup
    for window in imgui.get_current_context().windows:
        is_fixed = window.dock_node is not None or window.name.startswith((HOST, "##")) or window.flags & others
        if is_fixed or not window.was_active:
            continue
        size = min(window.size.x, room.x), min(window.size.y, room.y)
        place = (
            max(0.0, min(window.pos.x, room.x - size[0])),
            max(corner.y, min(window.pos.y, corner.y + room.y - size[1])),
        )
        if size != tuple(window.size):
            imgui.set_window_size(window.name, size)
        if place != tuple(window.pos):
            imgui.set_window_pos(window.name, place)


def split(node: int, side: imgui.Dir, share: float) -> tuple[int, int]:
    """Split a node; return the part at a side, and the rest."""
    _, part, rest = imgui.internal.dock_builder_split_node_py(node, side, share)
    return part, rest
