"""The overlay: how long each pass takes, now and over the last frames, and the comparison of FFT backends.

Takes plain values and knows no GPU. Every time goes with the name of the clock that measured it.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from imgui_bundle import imgui, implot
from numpy.typing import NDArray

from ocean.fft.measure import WRONG_BEYOND, Result
from ocean.gpu.timing import Clock, FrameTimes
from ocean.ui import theme
from ocean.ui.theme import Colour, coloured, em, tooltip

FRAMES = 120  # that medians and the plot look back on
REFRESH = 12  # frames between two readings, so that numbers can be read
WIDTH = 21.0  # em
COMPARISON_WIDTH = 38.0  # em; all three windows fit beside each other in theme.FULL_SIZE
MARGIN = 12.0
FIXED = imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_resize | imgui.WindowFlags_.no_nav
NUMBER = imgui.TableColumnFlags_.width_fixed
CLOCKS = {
    "gpu": "GPU timestamps around each pass; they cost nothing and never wait.",
    "wall": "This driver's GPU timestamps can't be trusted, so each pass is drained and timed by the wall clock: the "
    "times are right, and the frame takes longer than it would without the overlay (Tab hides it).",
}


@dataclass(frozen=True)
class PassSummary:
    """One pass over the last frames, in milliseconds."""

    name: str
    median_ms: float
    p95_ms: float
    cpu_ms: float


class History:
    """The times of the last frames."""

    def __init__(self) -> None:
        self.frames: deque[FrameTimes] = deque(maxlen=FRAMES)
        self.intervals: deque[float] = deque(maxlen=FRAMES)  # s between frames
        self._colours: dict[str, Colour] = {}

    def add(self, interval: float, arrived: Iterable[FrameTimes]) -> None:
        """A frame was shown, `interval` seconds after the one before, and these times have arrived."""
        self.intervals.append(interval)
        self.frames.extend(arrived)

    @property
    def names(self) -> list[str]:
        """The passes, in the order they run."""
        longest = max(self.frames, key=lambda frame: len(frame.passes), default=FrameTimes(0))
        return list(longest.passes)

    @property
    def frames_per_second(self) -> float:
        return len(self.intervals) / sum(self.intervals) if sum(self.intervals) > 0 else 0.0

    def colour(self, name: str) -> Colour:
        """The colour of a pass, the same for as long as the program runs."""
        return self._colours.setdefault(name, theme.PALETTE[len(self._colours) % len(theme.PALETTE)])

    def summary(self) -> list[PassSummary]:
        """Median and 95th percentile of each pass over the frames that ran it, and of the whole frame."""
        rows = []
        for name in self.names:
            times = [frame.passes[name] for frame in self.frames if name in frame.passes]
            rows.append(_summarise(name, [time.gpu_ms for time in times], [time.cpu_ms for time in times]))
        whole = [frame.gpu_ms for frame in self.frames], [frame.cpu_ms for frame in self.frames]
        return [*rows, _summarise("frame", *whole)] if rows else []

    def stacked(self) -> NDArray[np.float64]:
        """Milliseconds up to the end of each pass, (passes + 1, frames); the first row is 0."""
        names = self.names
        times = [[frame.passes[n].gpu_ms if n in frame.passes else 0.0 for frame in self.frames] for n in names]
        return np.vstack(
            [np.zeros((1, len(self.frames))), np.cumsum(np.array(times).reshape(len(names), len(self.frames)), axis=0)]
        )


def _summarise(name: str, gpu_ms: list[float], cpu_ms: list[float]) -> PassSummary:
    return PassSummary(name, float(np.median(gpu_ms)), float(np.percentile(gpu_ms, 95)), float(np.median(cpu_ms)))


@dataclass(frozen=True)
class Findings:
    """A comparison of backends: its rows so far, what was transformed, and from 0 to 1 while it is being made."""

    rows: Sequence[Result] = ()
    subject: str = ""
    progress: float | None = None


class Overlay:
    """The overlay's windows."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.history = History()
        self.shows_comparison = False
        self._summary: list[PassSummary] = []
        self._age = 0

    def draw(self, findings: Findings) -> bool:
        """Draw the overlay, and the comparison of backends if it is open. Returns whether a new one is asked for."""
        display = imgui.get_io().display_size
        imgui.set_next_window_pos(imgui.ImVec2(display.x - MARGIN, MARGIN), pivot=imgui.ImVec2(1, 0))
        imgui.set_next_window_size(imgui.ImVec2(min(em(WIDTH), 0.45 * display.x), 0))
        asked = False
        if imgui.begin("Timing###overlay", None, FIXED)[0]:
            self._headline()
            self._table()
            self._plot()
            asked = imgui.button("Compare FFT backends", imgui.ImVec2(-1, 0)) and findings.progress is None
            tooltip("Let every backend transform a copy of this frame's spectrum, in turn, and hold it against numpy.")
        imgui.end()
        self.shows_comparison = self.shows_comparison or asked
        if self.shows_comparison:
            asked = self._comparison(findings) or asked
        return asked

    # -- Passes ------------------------------------------------------------------------------------------------------

    def _headline(self) -> None:
        fps = self.history.frames_per_second
        imgui.text(f"{fps:.1f} frames/s")
        imgui.same_line()
        coloured(f"{1e3 / fps if fps else 0.0:.1f} ms", theme.FAINT)
        imgui.same_line()
        coloured(f"clock: {self.clock}", theme.GOOD if self.clock == "gpu" else theme.WARNING)
        tooltip(CLOCKS[self.clock])

    def _table(self) -> None:
        if self._age % REFRESH == 0 or not self._summary:
            self._summary = self.history.summary()
        self._age += 1
        if not self._summary or not imgui.begin_table("passes", 4, imgui.TableFlags_.row_bg):
            return
        imgui.table_setup_column("Pass", imgui.TableColumnFlags_.width_stretch)
        for heading in ("median", "p95", "CPU"):
            imgui.table_setup_column(heading, NUMBER, em(3.6))
        headings("Pass", f"{self.clock} ms", "p95", "CPU ms")
        for row in self._summary:
            imgui.table_next_row()
            imgui.table_next_column()
            if row.name != "frame":
                swatch(self.history.colour(row.name))
            imgui.text(row.name)
            for value in (row.median_ms, row.p95_ms, row.cpu_ms):
                right(milliseconds(value))
        imgui.end_table()

    def _plot(self) -> None:
        stacked = self.history.stacked()
        if stacked.shape[1] < 2 or not implot.begin_plot(
            "##history", imgui.ImVec2(-1, em(7.5)), implot.Flags_.canvas_only | implot.Flags_.no_inputs
        ):
            return
        top = float(np.percentile(stacked[-1], 98)) * 1.15
        implot.setup_axes("", "ms", implot.AxisFlags_.no_decorations, implot.AxisFlags_.no_label)
        implot.setup_axes_limits(0, FRAMES - 1, 0, max(top, 1e-3), implot.Cond_.always)
        frames = np.arange(FRAMES - stacked.shape[1], FRAMES, dtype=np.float64)
        for name, below, above in zip(self.history.names, stacked[:-1], stacked[1:], strict=True):
            spec = implot.Spec()
            spec.fill_color = imgui.ImVec4(*self.history.colour(name))
            spec.fill_alpha = 0.8
            implot.plot_shaded(name, frames, below, above, spec)
        implot.end_plot()

    # -- Comparison --------------------------------------------------------------------------------------------------

    def _comparison(self, findings: Findings) -> bool:
        display = imgui.get_io().display_size
        left = max(0.0, min(display.x - em(WIDTH) - 2 * MARGIN, display.x) - em(COMPARISON_WIDTH))
        imgui.set_next_window_pos(imgui.ImVec2(left, display.y - MARGIN), pivot=imgui.ImVec2(0, 1))
        imgui.set_next_window_size(imgui.ImVec2(min(em(COMPARISON_WIDTH), display.x), 0))
        visible, is_open = imgui.begin("FFT backends###comparison", True, FIXED)
        self.shows_comparison = bool(is_open)
        again = False
        if visible:
            self._comparison_table(findings.rows)
            self._comparison_bars(findings.rows)
            if findings.progress is not None:
                imgui.progress_bar(findings.progress, imgui.ImVec2(-1, 0), "measuring, all backends in turn")
            else:
                again = imgui.button("Measure again", imgui.ImVec2(em(9), 0))
                imgui.same_line()
                coloured(f"{findings.subject} · {self.clock} clock", theme.FAINT)
        imgui.end()
        return again

    def _comparison_table(self, rows: Sequence[Result]) -> None:
        if not imgui.begin_table("backends", 7, imgui.TableFlags_.row_bg):
            return
        imgui.table_setup_column("Backend", imgui.TableColumnFlags_.width_stretch)
        for width in (3.8, 3.8, 4.4, 3.6, 4.4, 3.6):
            imgui.table_setup_column("", NUMBER, em(width))
        headings("Backend", f"{self.clock} ms", "speed-up", "dispatches", "GB/s", "error", "wrong")
        for row in rows:
            imgui.table_next_row()
            imgui.table_next_column()
            imgui.begin_disabled(row.obstacle is not None)
            imgui.text(row.name)
            imgui.end_disabled()
            if row.obstacle is not None:
                tooltip(row.obstacle)
                right("can't")
                continue
            colour = None if row.is_right else theme.WRONG
            measured = bool(row.gpu_samples)
            right(milliseconds(row.gpu_ms) if measured else "")
            tooltip(f"p95 {milliseconds(row.p95_ms)} ms, {milliseconds(row.cpu_ms)} ms to submit" if measured else "")
            right(f"{row.speedup:.3g} ×" if measured else "")
            right(str(row.dispatches))
            right(f"{row.gb_per_s:.1f}" if measured else "")
            right(f"{row.relative_error:.1e}", colour)
            right(f"{row.wrong_values}", colour)
            tooltip(f"Values that are off by more than {WRONG_BEYOND:g} of the root mean square.")
        imgui.end_table()

    def _comparison_bars(self, rows: Sequence[Result]) -> None:
        measured = [row for row in rows if row.gpu_samples]
        flags = implot.Flags_.canvas_only | implot.Flags_.no_inputs
        if not measured or not implot.begin_plot("##bars", imgui.ImVec2(-1, em(2.2 + 1.4 * len(measured))), flags):
            return
        times = np.array([row.gpu_ms for row in measured])
        places = np.arange(len(measured), dtype=np.float64)
        low, high = 0.5 * times.min(), 1.3 * times.max()
        implot.setup_axes("ms, logarithmic", "", 0, implot.AxisFlags_.invert | implot.AxisFlags_.no_grid_lines)
        implot.setup_axis_scale(implot.ImAxis_.x1, implot.Scale_.log10)
        implot.setup_axes_limits(low, high, -0.6, len(measured) - 0.4, implot.Cond_.always)
        implot.setup_axis_ticks(implot.ImAxis_.y1, places.tolist(), [row.name for row in measured])
        for place, row in zip(places, measured, strict=True):
            spec = implot.Spec()
            colour = theme.PALETTE[int(place) % len(theme.PALETTE)] if row.is_right else theme.WRONG
            spec.fill_color = imgui.ImVec4(*colour)
            spec.flags = implot.BarsFlags_.horizontal
            implot.plot_bars(row.name, np.array([row.gpu_ms]), np.array([place]), 0.7, spec)
        implot.end_plot()


def headings(*names: str) -> None:
    """A row of headings, all but the first to the right."""
    imgui.table_next_row()
    for number, name in enumerate(names):
        if number == 0:
            imgui.table_next_column()
            coloured(name, theme.FAINT)
        else:
            right(name, theme.FAINT)


def right(text: str, colour: Colour | None = None) -> None:
    """Text at the right edge of the next column."""
    imgui.table_next_column()
    space = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(space, 0.0))
    coloured(text, colour or theme.TEXT)


def swatch(colour: Colour) -> None:
    """A small square of a colour, in line with the text behind it."""
    corner, size = imgui.get_cursor_screen_pos(), em(0.6)
    top = corner.y + (imgui.get_text_line_height() - size) / 2
    box = imgui.ImVec2(corner.x, top), imgui.ImVec2(corner.x + size, top + size)
    imgui.get_window_draw_list().add_rect_filled(*box, theme.packed(colour), 2.0)
    imgui.dummy(imgui.ImVec2(size, 0))
    imgui.same_line()


def milliseconds(value: float) -> str:
    """Three digits or so, whatever the size."""
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 100 else f"{value:.0f}"
