"""The overlay: the time of each pass, now and over the last frames, and where settings changed in between.

Takes plain values and knows no GPU. Every time goes with the name of the clock that measured it.
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from imgui_bundle import imgui, implot
from numpy.typing import NDArray

from ocean.gpu.timing import LIVE, Clock, FrameTimes
from ocean.window.ui import theme
from ocean.window.ui.tables import copy_buttons, headings, milliseconds, right, swatch
from ocean.window.ui.theme import Colour, coloured, em, tooltip

FRAMES = 120  # frames in medians and in the plot
REFRESH = 12  # frames between two updates of the table, so that its numbers can be read
NUMBER = imgui.TableColumnFlags_.width_fixed
CLOCKS = {
    "gpu": f"GPU timestamps around each pass of one frame in {LIVE}. They never make the program wait.",
    "wall": "This driver's GPU timestamps are wrong. The program waits for the end of each pass and reads the wall "
    f"clock instead. That slows a frame down, so one frame in {LIVE} is timed, and none without panels (Tab).",
}
HEADINGS = ("Pass", "median ms", "p95 ms", "CPU ms")
MARKER_REACH = 2  # frames between the mouse and a marker that it finds
MOST_CHANGES = 4  # changes that a marker names


@dataclass(frozen=True)
class PassSummary:
    """Times of one pass over the last frames, in milliseconds."""

    name: str
    median_ms: float
    p95_ms: float
    cpu_ms: float


@dataclass(frozen=True)
class Marker:
    """Change of settings: the number of the first frame with the new ones, and the old and new values by key path."""

    index: int
    changes: Mapping[str, tuple[Any, Any]]

    @property
    def text(self) -> str:
        """Return a line for each of the first changes, and the number of the others."""
        lines = [f"{path}: {before}, now {now}" for path, (before, now) in list(self.changes.items())[:MOST_CHANGES]]
        more = len(self.changes) - len(lines)
        return "\n".join([*lines, f"and {more} more"] if more else lines)


class History:
    """Times of the last frames."""

    def __init__(self) -> None:
        self.frames: deque[FrameTimes] = deque(maxlen=FRAMES)
        self.intervals: deque[float] = deque(maxlen=FRAMES)  # s between frames
        self.markers: deque[Marker] = deque(maxlen=FRAMES)
        self._colours: dict[str, Colour] = {}

    def add(self, interval: float, arrived: Iterable[FrameTimes]) -> None:
        """Add a frame that was shown `interval` seconds after the one before, and the times that have arrived."""
        self.intervals.append(interval)
        self.frames.extend(arrived)

    def mark(self, index: int, changes: Mapping[str, tuple[Any, Any]]) -> None:
        """Mark a change of settings at the frame of this number. A value that goes on changing has one marker."""
        last = self.markers[-1] if self.markers else None
        if last and index - last.index <= REFRESH and last.changes.keys() == changes.keys():
            self.markers.pop()
            changes = {path: (last.changes[path][0], now) for path, (_, now) in changes.items()}
        self.markers.append(Marker(index, changes))

    def marked(self) -> list[tuple[int, Marker]]:
        """Return the markers within the frames, each after the frame's place among them."""
        if not self.frames:
            return []
        first, numbers = self.frames[0].index, [frame.index for frame in self.frames]
        return [(bisect_left(numbers, mark.index), mark) for mark in self.markers if first < mark.index <= numbers[-1]]

    @property
    def names(self) -> list[str]:
        """Return all passes: those of the newest frame in the order they run, then those that ran before."""
        return list(dict.fromkeys(name for frame in reversed(self.frames) for name in frame.passes))

    @property
    def frames_per_second(self) -> float:
        """Return the frames in a second, over the last second or, where it took longer, the last frame."""
        total, count = 0.0, 0
        for interval in reversed(self.intervals):
            total, count = total + interval, count + 1
            if total >= 1:
                break
        return count / total if total > 0 else 0.0

    def colour(self, name: str) -> Colour:
        """Return the colour of a pass, the same for as long as the program runs."""
        return self._colours.setdefault(name, theme.PALETTE[len(self._colours) % len(theme.PALETTE)])

    def summary(self) -> list[PassSummary]:
        """Return the median and the 95th percentile of each pass of the newest frame and of the whole frame, over
        the frames that ran the same passes."""
        newest = self.frames[-1].passes if self.frames else {}
        alike = [frame for frame in self.frames if frame.passes.keys() == newest.keys()]
        rows = []
        for name in newest:
            times = [frame.passes[name] for frame in alike]
            rows.append(_summarise(name, [time.gpu_ms for time in times], [time.cpu_ms for time in times]))
        whole = [frame.gpu_ms for frame in alike], [frame.cpu_ms for frame in alike]
        return [*rows, _summarise("frame", *whole)] if rows else []

    def stacked(self) -> NDArray[np.float64]:
        """Return the milliseconds up to the end of each pass, (passes + 1, frames); the first row is 0."""
        names = self.names
        times = [[frame.passes[n].gpu_ms if n in frame.passes else 0.0 for frame in self.frames] for n in names]
        return np.vstack(
            [np.zeros((1, len(self.frames))), np.cumsum(np.array(times).reshape(len(names), len(self.frames)), axis=0)]
        )


def _summarise(name: str, gpu_ms: list[float], cpu_ms: list[float]) -> PassSummary:
    return PassSummary(name, float(np.median(gpu_ms)), float(np.percentile(gpu_ms, 95)), float(np.median(cpu_ms)))


class Overlay:
    """Window of the overlay."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.history = History()
        self._summary: list[PassSummary] = []
        self._age = 0

    def draw(self, compares: bool) -> bool:
        """Draw the overlay; return whether to open or close the comparison, which `compares` says is open."""
        asked = False
        if imgui.begin("Timing###overlay")[0]:
            self._headline()
            self._table()
            self._plot()
            self._copy()
            label = "Close the comparison" if compares else "Compare FFT backends"
            asked = imgui.button(f"{label}###compare", imgui.ImVec2(-1, 0))
            tooltip(
                "Let each backend transform a copy of this frame's spectrum, and check the results against numpy. B"
            )
        imgui.end()
        return bool(asked)

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

    def _copy(self) -> None:
        if self._summary:
            rows = [[row.name, *map("{:.6g}".format, (row.median_ms, row.p95_ms, row.cpu_ms))] for row in self._summary]
            copy_buttons(HEADINGS, rows)

    def _plot(self) -> None:
        stacked = self.history.stacked()
        count = stacked.shape[1]
        height = max(em(9), min(em(16), imgui.get_content_region_avail().y - em(8)))
        if not implot.begin_plot("##history", imgui.ImVec2(-1, height), implot.Flags_.canvas_only):
            return
        top = float(np.percentile(stacked[-1], 98)) * 1.15 if count else 0.0
        axis = implot.AxisFlags_
        implot.setup_axes("", "ms", axis.no_decorations | axis.lock, axis.lock)
        implot.setup_axes_limits(0, FRAMES - 1, 0, max(top, 1e-3), implot.Cond_.always)
        first = FRAMES - count
        frames = np.arange(first, FRAMES, dtype=np.float64)
        for name, below, above in zip(self.history.names, stacked[:-1], stacked[1:], strict=True):
            spec = implot.Spec()
            spec.fill_color = imgui.ImVec4(*self.history.colour(name))
            spec.fill_alpha = 0.8
            implot.plot_shaded(name, frames, below, above, spec)
        marked = [(first + place, marker) for place, marker in self.history.marked()]
        for place, _ in marked:
            spec = implot.Spec()
            spec.line_color = imgui.ImVec4(*theme.WARNING)
            implot.plot_inf_lines("##markers", np.array([float(place)]), spec)
        if implot.is_plot_hovered():
            place = round(implot.get_plot_mouse_pos().x)
            near = next((marker for at, marker in reversed(marked) if abs(at - place) <= MARKER_REACH), None)
            if near:
                theme.show_tooltip(near.text)
            elif first <= place < FRAMES:
                self._show_frame(self.history.frames[place - first])
        implot.end_plot()

    def _show_frame(self, frame: FrameTimes) -> None:
        """Draw the times of one frame beside the mouse."""
        imgui.begin_tooltip()
        for name, time in frame.passes.items():
            swatch(self.history.colour(name))
            imgui.text(f"{name}: {milliseconds(time.gpu_ms)} ms")
        imgui.text(f"frame {frame.index}: {milliseconds(frame.gpu_ms)} ms")
        imgui.end_tooltip()
