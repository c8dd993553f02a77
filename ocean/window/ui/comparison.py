"""The window that compares FFT backends: bars, numbers, copies of both, and the backend that a click makes active.

Takes plain values and knows no GPU. Every time goes with the name of the clock that measured it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from imgui_bundle import imgui

from ocean.fft.measure import WRONG_BEYOND, Result
from ocean.gpu.timing import Clock
from ocean.window.ui import theme
from ocean.window.ui.tables import copy_buttons, headings, milliseconds, right
from ocean.window.ui.theme import coloured, em, tooltip

NUMBER = imgui.TableColumnFlags_.width_fixed
HEADINGS = ("Backend", "ms", "p95 ms", "submit ms", "speed-up", "dispatches", "GB/s", "error", "wrong", "obstacle")
"""Columns of the copied table. The window shows fewer, and the others in tooltips."""


@dataclass(frozen=True)
class Findings:
    """Comparison of backends: its rows so far, its subject, its progress from 0 to 1 (None when it is over), and a
    sentence on its report."""

    rows: Sequence[Result] = ()
    subject: str = ""
    progress: float | None = None
    saved: str = ""


class ComparisonWindow:
    """Window of the comparison."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.is_open = False
        self.chosen: str | None = None  # backend that was clicked in this frame

    def draw(self, findings: Findings, active: str) -> bool:
        """Draw the window while it is open; return whether to begin a comparison, or to end the one that runs."""
        self.chosen = None
        if not self.is_open:
            return False
        asked = False
        imgui.set_next_window_size(imgui.ImVec2(em(40), em(26)), imgui.Cond_.first_use_ever)
        visible, is_open = imgui.begin("FFT backends###comparison", True)
        self.is_open = bool(is_open)
        if visible:
            asked = self._controls(findings)
            self._table(findings.rows, active)
        imgui.end()
        return asked

    def _controls(self, findings: Findings) -> bool:
        if findings.progress is not None:
            asked = imgui.button("Stop", imgui.ImVec2(em(5), 0))
            imgui.same_line()
            imgui.progress_bar(findings.progress, imgui.ImVec2(-1, 0), "measuring each backend in turn")
            return bool(asked)
        asked = imgui.button("Measure again" if findings.rows else "Measure", imgui.ImVec2(em(8), 0))
        tooltip("Let each backend transform a copy of this frame's spectrum, and check the results against numpy.")
        if any(row.gpu_samples for row in findings.rows):
            imgui.same_line()
            copy_buttons(HEADINGS, [cells(row) for row in findings.rows])
            imgui.same_line()
            coloured(f"{findings.subject} · {self.clock} clock", theme.FAINT)
            tooltip(findings.saved)
        return bool(asked)

    def _table(self, rows: Sequence[Result], active: str) -> None:
        if not rows or not imgui.begin_table("backends", 7, imgui.TableFlags_.row_bg):
            return
        imgui.table_setup_column("Backend", NUMBER, em(9.6))
        imgui.table_setup_column("", imgui.TableColumnFlags_.width_stretch)
        for width in (3.8, 4.2, 4.6, 3.6, 4.2):
            imgui.table_setup_column("", NUMBER, em(width))
        headings("Backend", "log scale", f"{self.clock} ms", "speed-up", "dispatches", "GB/s", "error")
        samples = [sample for row in rows for sample in row.gpu_samples]
        scale = (0.5 * min(samples), max(samples)) if samples and min(samples) > 0 else (1.0, 2.0)
        for row in rows:
            self._row(row, row.name == active, scale)
        imgui.end_table()

    def _row(self, row: Result, is_active: bool, scale: tuple[float, float]) -> None:
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.begin_disabled(row.obstacle is not None)
        if imgui.selectable(f"{row.name}##compared", is_active, imgui.SelectableFlags_.span_all_columns)[0]:
            self.chosen = row.name
        imgui.end_disabled()
        tooltip(summary(row))
        imgui.table_next_column()
        if row.obstacle is not None:
            right("can't")
            return
        colour = None if row.is_right else theme.WRONG
        measured = bool(row.gpu_samples)
        if measured:
            bar(row, scale, colour or (theme.ACCENT if is_active else theme.BAR))
        right(milliseconds(row.gpu_ms) if measured else "")
        right(f"{row.speedup:.3g} ×" if measured else "")
        right(str(row.dispatches))
        right(f"{row.gb_per_s:.1f}" if measured else "")
        right(f"{row.relative_error:.1e}" if measured or not row.is_right else "", colour)


def bar(row: Result, scale: tuple[float, float], colour: theme.Colour) -> None:
    """Draw a bar as long as the median, logarithmic between the ends of a scale, with a line from the 5th percentile
    to the 95th."""
    corner, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    height = imgui.get_text_line_height()
    low, high = np.log(scale)
    times = np.array([row.gpu_ms, *np.percentile(row.gpu_samples, (5, 95))])
    middle, early, late = corner.x + width * np.clip((np.log(times) - low) / (high - low), 0, 1)
    top, bottom, centre = corner.y + 0.15 * height, corner.y + 0.85 * height, corner.y + 0.5 * height
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled(imgui.ImVec2(corner.x, top), imgui.ImVec2(middle, bottom), theme.packed(colour))
    draw.add_line(imgui.ImVec2(early, centre), imgui.ImVec2(late, centre), theme.packed(theme.TEXT), em(0.08))


def summary(row: Result) -> str:
    """Return the tooltip of a backend: its numbers, or why there are none."""
    if row.obstacle is not None:
        return row.obstacle
    if not row.gpu_samples:
        return f"{row.name}: not measured yet. A click makes it the active backend."
    return (
        f"{row.name}: median {milliseconds(row.gpu_ms)} ms, p95 {milliseconds(row.p95_ms)} ms, "
        f"{milliseconds(row.cpu_ms)} ms to submit, "
        f"{counted(len(row.gpu_samples), 'sample')} of {counted(row.repeats, 'run')}\n"
        f"Relative error {row.relative_error:.1e}; {row.wrong_values} values are off by more than {WRONG_BEYOND:g} of "
        "the root mean square.\nA click makes it the active backend."
    )


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def cells(row: Result) -> list[str]:
    """Return a row for a copied table, in the order of HEADINGS. Values that were not measured are empty."""
    if row.obstacle is not None or not row.gpu_samples:
        return [row.name, *[""] * (len(HEADINGS) - 2), row.obstacle or ""]
    times = [f"{value:.6g}" for value in (row.gpu_ms, row.p95_ms, row.cpu_ms, row.speedup)]
    facts = [str(row.dispatches), f"{row.gb_per_s:.4g}", f"{row.relative_error:.2e}", str(row.wrong_values), ""]
    return [row.name, *times, *facts]
