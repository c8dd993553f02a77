"""All that is around the view and over it: menu, panel, overlay, comparison, truth, dialogs, and a banner.

Draws the picture of the sea into the view, and everything together into a canvas of the window's pixels.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import moderngl
from imgui_bundle import imgui
from moderngl_window.context.base import BaseWindow

from ocean import fft
from ocean.common.parameters import Parameters
from ocean.gpu.context import release_framebuffer
from ocean.gpu.memory import memory_lines
from ocean.gpu.timing import Clock
from ocean.render.debug_views.stages import Reading
from ocean.settings import Settings, with_values
from ocean.validation.survey import Survey
from ocean.window.ui import dialogs, stages, theme
from ocean.window.ui.clipboard import answer_selections, share_clipboard
from ocean.window.ui.comparison import ComparisonWindow, Findings
from ocean.window.ui.imgui_renderer import ImGuiInput, ImGuiRenderer
from ocean.window.ui.keys import Action, action_of, keys_window, menu_bar
from ocean.window.ui.layout import Box, Layout
from ocean.window.ui.overlay import Overlay
from ocean.window.ui.panel import Panel, Surroundings
from ocean.window.ui.theme import em
from ocean.window.ui.truth import TruthWindow
from ocean.window.ui.widgets import plain

BANNER_TIME, MEMORY_SECONDS = 2.5, 1.0


@dataclass(frozen=True)
class Scene:
    """What the interface shows that is no setting."""

    paused: bool = False
    findings: Findings = field(default_factory=Findings)
    survey: Survey | None = None
    movie: tuple[int, int] | None = None  # frames of a movie that are done, and all
    shader_error: str = ""
    reading: Reading | None = None  # of the stage that is shown, under the mouse


class Interface:
    """The interface of one window."""

    def __init__(self, window: BaseWindow, clock: Clock, presets: Mapping[str, Path], layout: str = "") -> None:
        self.window = window
        self.renderer = ImGuiRenderer(window.ctx)
        self.input = ImGuiInput(self.renderer.io, window.keys)
        self.layout = Layout(layout)
        self.panel = Panel()
        self.overlay = Overlay(clock)
        self.comparison = ComparisonWindow(clock)
        self.truth = TruthWindow()
        self.shows_keys = self.shows_hints = False
        self.canvas = window.ctx.simple_framebuffer((1, 1))
        self._presets = presets
        self._message, self._message_time = "", 0.0
        self._memory_time, self._memory_lines = -math.inf, [""]
        self._device = str(window.ctx.info["GL_RENDERER"])
        share_clipboard(window)
        theme.apply()

    @property
    def view_pixels(self) -> tuple[int, int]:
        """Size of the view in pixels."""
        (width, height), (across, down) = self.window.size, self.window.buffer_size
        return self.layout.view.pixels(across / max(1, width), down / max(1, height))

    def pointer(self, size: tuple[int, int]) -> tuple[int, int] | None:
        """The pixel under the mouse in the view's picture of this size, from its lower left corner; None elsewhere."""
        return stages.pointer(size, self.layout.view)

    def say(self, message: str) -> None:
        """Show a banner for a moment."""
        self._message, self._message_time = message, BANNER_TIME

    @property
    def is_held(self) -> bool:
        """Whether the left button is down, as on a slider that is dragged."""
        return bool(imgui.is_mouse_down(0))

    def draw_banner(self, text: str, scale: float) -> None:
        """Draw nothing but a banner, and lay out the windows that will be there."""
        self.begin(0.0, scale)
        menu_bar("")
        self.layout.draw()
        for name in ("Settings###panel", "Timing###overlay"):
            imgui.begin(name)
            imgui.end()
        banner(text, self.layout.view)
        self.renderer.draw(self.canvas)

    def begin(self, elapsed: float, scale: float) -> None:
        """Start a frame, `elapsed` seconds after the one before; `scale` 0 follows the display."""
        answer_selections(self.window)
        size = max(1, self.window.buffer_width), max(1, self.window.buffer_height)
        if self.canvas.size != size:
            release_framebuffer(self.canvas)
            self.canvas = self.window.ctx.framebuffer(self.window.ctx.texture(size, 4))
        self.canvas.clear(0.03, 0.05, 0.07, 1.0)
        theme.fit(self.window.size, scale or display_scale(self.window))
        self.renderer.begin(self.window.size, self.window.pixel_ratio, elapsed)
        self._message_time -= elapsed

    def draw_windows(self, settings: Settings, scene: Scene) -> tuple[Settings, list[Action]]:
        """Draw the menu and all windows; returns what a person made of the settings, and what else was asked for."""
        asked = menu_bar(self._device)
        self.layout.draw()
        around = Surroundings(self._obstacle, self._presets, scene.paused, self._memory)
        changed, wishes = self.panel.draw(settings, around)
        asked += wishes
        if self.overlay.draw():
            asked.append(action_of("compare"))
        if self.comparison.draw(scene.findings, settings.fft.backend):
            asked.append(Action("", (), "run_comparison", "measure, or stop"))
        if chosen := self.comparison.chosen:
            changed = with_values(changed, {"fft.backend": chosen, "fft.options": plain(self.panel.options[chosen])})
        self.truth.draw(scene.survey)
        if self.shows_hints:
            self.shows_hints = dialogs.hints(self.layout.view)
        return changed, asked

    def draw_notes(self, scene: Scene) -> list[Action]:
        """Draw what is there even where the windows are hidden."""
        asked = []
        if scene.reading is not None:
            stages.draw_reading(scene.reading)
        if self.shows_keys:
            self.shows_keys = keys_window(True)
        if scene.shader_error:
            dialogs.shader_error(self.layout.view, scene.shader_error)
        if scene.movie and (method := dialogs.movie(self.layout.view, *scene.movie)):
            asked.append(Action("", (), method, "end the movie"))
        return asked

    def end(self, picture: moderngl.Texture | None, notice: str = "") -> None:
        """End the frame with a banner, a lasting notice or else the last message, and draw it, over a picture in the
        view."""
        if text := notice or (self._message if self._message_time > 0 else ""):
            banner(text, self.layout.view)
        if picture is not None:
            view = self.layout.view
            corners = imgui.ImVec2(view.x, view.y), imgui.ImVec2(view.x + view.width, view.y + view.height)
            upright = imgui.ImVec2(0, 1), imgui.ImVec2(1, 0)
            imgui.get_background_draw_list().add_image(self.renderer.shown(picture), *corners, *upright)
        self.renderer.draw(self.canvas)

    def _obstacle(self, backend: str, size: int, options: Parameters) -> str | None:
        return fft.obstacle(self.window.ctx, backend, size, options)

    def _memory(self) -> list[str]:
        """What lies in memory, looked up once a second: it asks the driver."""
        if time.monotonic() > self._memory_time + MEMORY_SECONDS:
            self._memory_time, self._memory_lines = time.monotonic(), memory_lines(self.window.ctx)
        return self._memory_lines

    def release(self) -> None:
        release_framebuffer(self.canvas)
        self.renderer.release()


def display_scale(window: BaseWindow) -> float:
    """How many of the window's units the display wants for one of a plain display. Where units are pixels, that is what
    its resolution says; where the system scales windows itself, 1."""
    dots = getattr(getattr(window, "_window", None), "dpi", 96.0)
    return float(min(4.0, max(1.0, dots / 96.0 / max(1.0, window.pixel_ratio))))


def banner(text: str, view: Box) -> None:
    """A line in the view's lower left corner, opposite to the legend of a stage; drawn from its first frame on, which
    ImGui's windows are not."""
    size, pad = imgui.calc_text_size(text), em(0.7)
    left, top = view.x + 2.6 * pad, view.y + view.height - size.y - 2 * pad
    draw = imgui.get_foreground_draw_list()
    corners = imgui.ImVec2(left - 1.6 * pad, top - pad), imgui.ImVec2(left + size.x + 1.6 * pad, top + size.y + pad)
    draw.add_rect_filled(*corners, theme.packed(theme.rgb("0c1319", 0.86)), em())
    draw.add_text(imgui.ImVec2(left, top), theme.packed(theme.TEXT), text)
