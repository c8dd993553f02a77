"""All that lies over the picture: panel, overlay, the list of keys, and a banner for what takes a while."""

import math
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

import moderngl
from imgui_bundle import imgui
from moderngl_window.context.base import BaseWindow

from ocean import fft
from ocean.gpu.memory import memory_lines
from ocean.gpu.timing import Clock
from ocean.parameters import Parameters
from ocean.render.stages import Reading
from ocean.settings import Settings
from ocean.survey import Survey
from ocean.ui import stages, theme
from ocean.ui.imgui_renderer import ImGuiInput, ImGuiRenderer
from ocean.ui.overlay import Findings, Overlay
from ocean.ui.panel import Command, Panel, Surroundings
from ocean.ui.theme import em
from ocean.ui.truth import TruthWindow

BANNER_TIME, MEMORY_SECONDS = 2.5, 1.0


class Interface:
    """The interface of one window."""

    def __init__(
        self, window: BaseWindow, clock: Clock, presets: Mapping[str, Path], keys: Iterable[tuple[str, str]]
    ) -> None:
        self.window = window
        self.renderer = ImGuiRenderer(window.ctx)
        self.input = ImGuiInput(self.renderer.io, window.keys)
        self.panel = Panel()
        self.overlay = Overlay(clock)
        self.truth = TruthWindow()
        self.shows_keys = False
        self._presets = presets
        self._keys = tuple(keys)
        self._message, self._message_time = "", 0.0
        self._memory_time, self._memory_lines = -math.inf, [""]
        self._device = str(window.ctx.info["GL_RENDERER"])
        theme.apply()

    def say(self, message: str) -> None:
        """Show a banner for a moment."""
        self._message, self._message_time = message, BANNER_TIME

    def draw_banner(self, framebuffer: moderngl.Framebuffer, text: str) -> None:
        """Draw nothing but a banner."""
        self.renderer.begin(self.window.size, self.window.pixel_ratio, 0.0)
        banner(text)
        self.renderer.draw(framebuffer)

    def begin(self, elapsed: float) -> None:
        """Start a frame, `elapsed` seconds after the one before."""
        theme.fit(self.window.size)
        self.renderer.begin(self.window.size, self.window.pixel_ratio, elapsed)
        self._message_time -= elapsed

    def draw_windows(
        self, settings: Settings, paused: bool, findings: Findings, survey: Survey | None
    ) -> tuple[Settings, set[Command]]:
        """Draw panel, overlay and the sea's truth; returns what a person made of the settings, and what else was asked
        for."""
        around = Surroundings(self._obstacle, self._presets, self._device, paused, self._memory)
        changed, commands = self.panel.draw(settings, around)
        if self.overlay.draw(findings):
            commands.add(Command.COMPARE)
        self.truth.draw(survey)
        if Command.TRUTH in commands:
            self.truth.is_open = not self.truth.is_open
        if Command.KEYS in commands:
            self.shows_keys = not self.shows_keys
        return changed, commands

    def end(self, framebuffer: moderngl.Framebuffer, notice: str, reading: Reading | None = None) -> None:
        """End the frame with what the mouse points at and a banner, a lasting notice or else the last message, and draw
        it over a framebuffer."""
        if reading is not None:
            stages.draw_reading(reading)
        if self.shows_keys:
            self.shows_keys = keys_window(self._keys)
        if text := notice or (self._message if self._message_time > 0 else ""):
            banner(text)
        self.renderer.draw(framebuffer)

    def _obstacle(self, backend: str, size: int, options: Parameters) -> str | None:
        return fft.obstacle(self.window.ctx, backend, size, options)

    def _memory(self) -> list[str]:
        """What lies in memory, looked up once a second: it asks the driver."""
        if time.monotonic() > self._memory_time + MEMORY_SECONDS:
            self._memory_time, self._memory_lines = time.monotonic(), memory_lines(self.window.ctx)
        return self._memory_lines

    def release(self) -> None:
        self.renderer.release()


def banner(text: str) -> None:
    """A line at the bottom of the picture; drawn from its first frame on, which ImGui's windows are not."""
    display, size, pad = imgui.get_io().display_size, imgui.calc_text_size(text), em(0.7)
    left, top = (display.x - size.x) / 2, display.y - size.y - 3 * pad
    draw = imgui.get_foreground_draw_list()
    corners = imgui.ImVec2(left - 1.6 * pad, top - pad), imgui.ImVec2(left + size.x + 1.6 * pad, top + size.y + pad)
    draw.add_rect_filled(*corners, theme.packed(theme.rgb("0c1319", 0.86)), em())
    draw.add_text(imgui.ImVec2(left, top), theme.packed(theme.TEXT), text)


def keys_window(keys: Iterable[tuple[str, str]]) -> bool:
    """A window that lists keys and what they do; returns whether it stays open."""
    display = imgui.get_io().display_size
    imgui.set_next_window_pos(imgui.ImVec2(display.x / 2, display.y / 2), pivot=imgui.ImVec2(0.5, 0.5))
    flags = imgui.WindowFlags_.no_move | imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_collapse
    visible, is_open = imgui.begin("Keys###keys", True, flags)
    if visible and imgui.begin_table("keys", 2):
        imgui.table_setup_column("", imgui.TableColumnFlags_.width_fixed, em(8))
        imgui.table_setup_column("", imgui.TableColumnFlags_.width_fixed, em(19))
        for name, meaning in keys:
            imgui.table_next_row()
            imgui.table_next_column()
            theme.coloured(name, theme.ACCENT)
            imgui.table_next_column()
            imgui.text(meaning)
        imgui.end_table()
    imgui.end()
    return bool(is_open)
