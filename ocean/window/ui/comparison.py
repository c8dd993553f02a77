"""The window *Comparison of FFT backends*: ranks, bars, numbers, earlier runs, and the choice of a backend.

Takes plain values and knows no GPU. Every time stands with the name of its clock.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from imgui_bundle import imgui

from ocean.common.records import Measured
from ocean.fft.measure import WRONG_BEYOND
from ocean.gpu.timing import Clock
from ocean.window.ui import theme
from ocean.window.ui.table_parts import copy_buttons, milliseconds, right
from ocean.window.ui.theme import coloured, em, tooltip

NUMBER = imgui.TableColumnFlags_.width_fixed
HEADINGS = ("Backend", "ms", "p95 ms", "submit ms", "speed-up", "dispatches", "GB/s", "error", "wrong", "obstacle")
"""Columns of the copied table. The window shows some of them, and the others in tooltips."""
STEP = "step ms"  # time of a step of nonlinear waves, if the sea has any
COLUMNS = {
    **{"rank": 2.8, "Backend": 9.6, "": 5.0, "log scale": 0.0, "ms": 4.4, "speed-up": 5.0},
    **{"dispatches": 5.6, "GB/s": 4.2, "error": 4.4, STEP: 4.4},
}
"""Columns of the window and their widths in em; 0 takes the rest."""
LEFT_OUT = ("log scale", "dispatches", "GB/s"), ("rank",), ("speed-up",), ("error",)
"""Columns that a narrow window leaves out, in this order, to keep the names of backends whole."""
BAR = 4.0  # em: least width of the column of bars
ORDERS: dict[str, Callable[[Measured], Any]] = {
    **{"rank": lambda row: median(row), "Backend": lambda row: row.name, "ms": lambda row: median(row)},
    **{"speed-up": lambda row: -median(row), "dispatches": lambda row: row.dispatches or 0},
    **{"GB/s": lambda row: row.gb_per_s or 0.0, "error": lambda row: relative_error(row)},
}
"""Values by which a click on a heading sorts."""


@dataclass(frozen=True)
class Findings:
    """Comparison of backends: its rows so far, its subject, its progress from 0 to 1 (None when it is over), and
    sentences on its report and on the choice of `auto`."""

    rows: Sequence[Measured] = ()
    subject: str = ""
    progress: float | None = None
    saved: str = ""
    auto: str = ""
    steps: Mapping[str, float] = field(default_factory=dict)
    """Time of a step of nonlinear waves by backend [ms]."""


@dataclass(frozen=True)
class PastRun:
    """An earlier comparison, read from its report: device, date and findings."""

    device: str
    when: str
    findings: Findings

    @property
    def title(self) -> str:
        return f"{self.when} · {self.findings.subject}"


class ComparisonWindow:
    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.is_open = False
        self.chosen: str | None = None  # backend chosen in this frame
        self._baseline = ""  # backend with a speed-up of 1; empty: the first measured one
        self._past: PastRun | None = None  # run shown in place of the newest findings

    def draw(self, newest: Findings, active: str, runs: Sequence[PastRun] = ()) -> bool:
        self.chosen = None
        if not self.is_open:
            return False
        asked = False
        imgui.set_next_window_size((em(40), em(26)), imgui.Cond_.first_use_ever)
        visible, is_open = imgui.begin("FFT backends###comparison", True)
        self.is_open = bool(is_open)
        if visible:
            findings = self._past.findings if self._past else newest
            asked = self._controls(newest, findings)
            if asked:
                self._past = None
            self._choices(findings, runs)
            self._table(findings, active)
        imgui.end()
        return asked

    def _controls(self, newest: Findings, shown: Findings) -> bool:
        if newest.progress is not None:
            asked = imgui.button("Stop", (em(5), 0))
            imgui.same_line()
            imgui.progress_bar(newest.progress, (-1, 0), "measuring each backend in turn")
            return bool(asked)
        asked = imgui.button("Measure again" if newest.rows else "Measure", (em(8), 0))
        tooltip("Let each backend transform a copy of this frame's spectrum, and check the results against numpy.")
        if any(row.samples_ms for row in shown.rows):
            imgui.same_line()
            copy_buttons((*HEADINGS, STEP) if shown.steps else HEADINGS, lambda: self._copied(shown))
            imgui.same_line()
            coloured(f"{shown.subject} · {self.clock} clock", theme.FAINT)
            tooltip(shown.saved)
        return bool(asked)

    def _copied(self, shown: Findings) -> list[list[str]]:
        rows = [cells(row, self._speedup(row, shown.rows)) for row in shown.rows]
        if shown.steps:
            rows = [[*row, f"{shown.steps[row[0]]:.6g}" if row[0] in shown.steps else ""] for row in rows]
        return rows

    def _choices(self, shown: Findings, runs: Sequence[PastRun]) -> None:
        """Draw the lists of baselines and of runs, and the choice of `auto`."""
        base = self._base(shown.rows)
        if base:
            text, style = f"baseline: {base.name}", imgui.get_style()
            arrow = imgui.get_frame_height() + 2 * style.frame_padding.x
            imgui.set_next_item_width(imgui.calc_text_size(text).x + arrow)
            if imgui.begin_combo("##baseline", text, imgui.ComboFlags_.height_largest):
                for row in shown.rows:
                    if row.samples_ms and imgui.selectable(row.name, row is base)[0]:
                        self._baseline = row.name
                imgui.end_combo()
            tooltip("Speed-ups are over this backend.")
            imgui.same_line()
        imgui.set_next_item_width(-1)
        if runs and imgui.begin_combo("##runs", self._past.title if self._past else "newest run"):
            if imgui.selectable("newest run", self._past is None)[0]:
                self._past = None
            for device, found in groupby(runs, lambda run: run.device):
                imgui.separator_text(device)
                for run in found:
                    if imgui.selectable(run.title, run is self._past)[0]:
                        self._past = run
            imgui.end_combo()
        elif not runs:
            imgui.new_line()
        if shown.auto:
            theme.wrapped(shown.auto, theme.FAINT)

    def _base(self, rows: Sequence[Measured]) -> Measured | None:
        """Return the baseline of the speed-ups: the chosen row, or the first measured one."""
        measured = [row for row in rows if row.samples_ms]
        return next((row for row in measured if row.name == self._baseline), measured[0] if measured else None)

    def _speedup(self, row: Measured, rows: Sequence[Measured]) -> float:
        base = self._base(rows)
        return base.median_ms / row.median_ms if base and base.median_ms and row.median_ms else 0.0

    def _table(self, findings: Findings, active: str) -> None:
        if not (rows := findings.rows):
            return
        columns = columns_in(imgui.get_content_region_avail().x, rows, bool(findings.steps))
        flags = imgui.TableFlags_.row_bg | imgui.TableFlags_.sortable
        if not imgui.begin_table(f"backends {columns}", len(columns), flags):
            return
        for title in columns:
            unsorted = imgui.TableColumnFlags_.no_sort if title in ("", "log scale", STEP) else 0
            is_first = title == ("rank" if "rank" in columns else "ms")
            first = imgui.TableColumnFlags_.default_sort if is_first else 0
            stretches = title == ("log scale" if "log scale" in columns else "Backend")
            width = imgui.TableColumnFlags_.width_stretch if stretches else NUMBER
            imgui.table_setup_column(title, width | unsorted | first, 0.0 if stretches else em(COLUMNS[title]))
        imgui.table_next_row(imgui.TableRowFlags_.headers)
        for title in columns:
            imgui.table_next_column()
            imgui.table_header(f"{self.clock} ms##compared" if title == "ms" else f"{title}##compared")
        samples = [sample for row in rows for sample in row.samples_ms]
        scale = (0.5 * min(samples), max(samples)) if samples and min(samples) > 0 else (1.0, 2.0)
        ranks = ranked(rows)
        for row in rows if findings.progress is not None else self._sorted(rows, columns):
            self._row(row, ranks.get(row.name), self._speedup(row, rows), row.name == active, scale, columns)
            if STEP in columns and row.obstacle is None:
                time = findings.steps.get(row.name)
                right(milliseconds(time) if time else "")
                tooltip("A step of nonlinear waves through this backend: four stages of their transforms.")
        imgui.end_table()

    @staticmethod
    def _sorted(rows: Sequence[Measured], columns: Sequence[str]) -> list[Measured]:
        """Return the rows sorted by the clicked column, rows without times last; without a click, in given order."""
        specs = imgui.table_get_sort_specs()
        if specs is None or specs.specs_count == 0:
            return list(rows)
        column, descends = specs.get_specs(0).column_index, specs.get_specs(0).sort_direction == 2
        key = ORDERS[columns[column]]
        with_times = [row for row in rows if row.samples_ms]
        return [*sorted(with_times, key=key, reverse=descends), *(row for row in rows if not row.samples_ms)]

    def _row(
        self,
        row: Measured,
        rank: int | None,
        speedup: float,
        is_active: bool,
        scale: tuple[float, float],
        columns: Sequence[str],
    ) -> None:
        colour = theme.WRONG if row.is_right is False else None
        imgui.table_next_row()
        if "rank" in columns:
            right(str(rank or ""), theme.FAINT)
        imgui.table_next_column()
        imgui.selectable(f"{row.name}##compared", is_active)
        if theme.is_pointed_at():
            theme.show_tooltip(summary(row))
        imgui.table_next_column()
        if row.obstacle is not None:
            coloured("can't", theme.FAINT)
            return
        if is_active:
            coloured("in use", theme.ACCENT)
        elif imgui.small_button(f"Use this##{row.name}"):
            self.chosen = row.name
        if "log scale" in columns:
            imgui.table_next_column()
            if row.samples_ms:
                bar(row, scale, colour or (theme.ACCENT if is_active else theme.BAR))
        right("" if row.median_ms is None else milliseconds(row.median_ms), None if "error" in columns else colour)
        for title, text in (
            ("speed-up", f"{speedup:.3g} ×"),
            ("dispatches", str(row.dispatches or 0)),
            ("GB/s", f"{row.gb_per_s or 0:.1f}"),
        ):
            if title in columns:
                right(text if row.samples_ms or title == "dispatches" else "")
        if "error" in columns:
            right(f"{relative_error(row):.1e}" if row.samples_ms or colour else "", colour)


def columns_in(width: float, rows: Sequence[Measured], has_steps: bool) -> list[str]:
    """Return the columns that fit a window beside the whole names of backends."""
    columns = [title for title in COLUMNS if title != STEP or has_steps]
    name = max(em(COLUMNS["Backend"]), *(imgui.calc_text_size(row.name).x for row in rows))
    gap = 2 * imgui.get_style().cell_padding.x

    def needed() -> float:
        widths = {"Backend": name, "log scale": em(BAR)}
        return sum(widths.get(title, em(COLUMNS[title])) + gap for title in columns)

    for group in LEFT_OUT:
        if needed() > width:
            columns = [title for title in columns if title not in group]
    return columns


def ranked(rows: Sequence[Measured]) -> dict[str, int]:
    """Return the rank of each backend whose results are right, from 1 for the least median."""
    fastest = sorted((row for row in rows if row.samples_ms and row.is_right), key=median)
    return {row.name: rank for rank, row in enumerate(fastest, start=1)}


def bar(row: Measured, scale: tuple[float, float], colour: theme.Colour) -> None:
    """Draw a bar as long as the median, logarithmic between the ends of a scale, with a line from the 5th percentile
    to the 95th."""
    corner, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    height = imgui.get_text_line_height()
    low, high = map(math.log, scale)
    times = (row.median_ms, row.p5_ms, row.p95_ms)
    shares = [(math.log(time) - low) / (high - low) if time else 0.0 for time in times]
    middle, early, late = (corner.x + width * min(1.0, max(0.0, share)) for share in shares)
    top, bottom, centre = corner.y + 0.15 * height, corner.y + 0.85 * height, corner.y + 0.5 * height
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled((corner.x, top), (middle, bottom), theme.packed(colour))
    draw.add_line((early, centre), (late, centre), theme.packed(theme.TEXT), em(0.08))


def summary(row: Measured) -> str:
    """Return the tooltip of a backend: its numbers, or why there are none."""
    if row.obstacle is not None:
        return row.obstacle
    if row.median_ms is None or row.p95_ms is None:
        return f"{row.name}: not measured yet."
    return (
        f"{row.name}: median {milliseconds(row.median_ms)} ms, p95 {milliseconds(row.p95_ms)} ms, "
        f"{milliseconds((row.submit_us or 0.0) / 1e3)} ms to submit, "
        f"{counted(len(row.samples_ms), 'sample')} of {counted(row.repeats, 'run')}\n"
        f"Relative error {relative_error(row):.1e}; {row.wrong_values or 0} values are off by more than "
        f"{WRONG_BEYOND:g} of the root mean square."
    )


def median(row: Measured) -> float:
    """Return the median [ms], infinite before the measurement."""
    return math.inf if row.median_ms is None else row.median_ms


def relative_error(row: Measured) -> float:
    """Return the relative error, infinite if it is not finite."""
    return math.inf if row.relative_l2 is None else row.relative_l2


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def cells(row: Measured, speedup: float) -> list[str]:
    """Return a row for a copied table, in the order of HEADINGS. Values that were not measured are empty."""
    if row.obstacle is not None or not row.samples_ms:
        return [row.name, *[""] * (len(HEADINGS) - 2), row.obstacle or ""]
    times = [f"{value:.6g}" for value in (row.median_ms, row.p95_ms, (row.submit_us or 0.0) / 1e3, speedup)]
    counts = [f"{row.dispatches or 0}", f"{row.gb_per_s or 0:.4g}"]
    return [row.name, *times, *counts, f"{relative_error(row):.2e}", f"{row.wrong_values or 0}", ""]
