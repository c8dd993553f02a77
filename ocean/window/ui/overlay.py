"""The overlay: the time of each pass, now and over the last frames, and changes of settings in between.

Takes plain values and knows no GPU. Every time is shown with the name of its clock.
"""

import math
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Literal, NamedTuple

import numpy as np
from imgui_bundle import imgui, imgui_ctx, implot
from numpy.typing import NDArray

from ocean.fft.contract import FFT
from ocean.gpu.passes import Pass
from ocean.gpu.timing import LIVE, OFTEN, SOON, Clock, FrameTimes, PassTime
from ocean.sea.sea import EVOLVED_FFT
from ocean.window.ui import theme
from ocean.window.ui.dialogs import COMPARES, Actions
from ocean.window.ui.theme import Box, Colour, coloured, em, milliseconds, right, tooltip
from ocean.window.ui.view_controls import key_label

KEPT = 1200  # frames in a frozen history
FRAMES = 120  # newest frames, in medians and in the running plot
CONTINUED = 12  # maximum number of frames between two changes of a value that share a marker
FEWEST = 4  # minimum number of frames of a zoom
BUDGETS = {"16.7 ms, 60 frames/s": 1000 / 60, "8.3 ms, 120 frames/s": 1000 / 120}
ADDED = "Medians of passes need not add up to the median of their sum."
SUMS = {
    EVOLVED_FFT: f"All passes of the transform together: spectrum in, maps out. {ADDED}",
    FFT: f"All passes of the transform together: packed fields in, maps out. {ADDED}",
    "interface": "Draws panels, menus and overlay.",
    "frame": f"All passes together: the time that the sea and the interface take. {ADDED}",
}
"""Sentences on the table's rows other than passes of the renderer."""
NUMBER_WIDTH, BESIDE_NAME = 2.8, 2.0  # em: widths of a column of numbers, and of the marks beside a name
"""If names need more room, the table leaves out the CPU's times, which the plot below also shows."""
SAMPLED = f"The first {SOON} frames after a change are timed, then one in {LIVE} ({OFTEN} with quality automatic)."
CLOCKS = {
    "gpu": f"GPU timestamps around each pass. They never make the program wait. {SAMPLED}",
    "wall": "This driver's GPU timestamps are wrong. The program waits for the end of each pass and reads the wall "
    f"clock instead, which slows a timed frame down. {SAMPLED}",
}
FREE = "window.", "capture."
"""Prefixes of settings that do not change the cost of a picture."""
THINNEST = 1.0  # units of the window: thinner bands in the plots are drawn with the next one
MARKER_REACH = 2  # maximum number of frames between the mouse and a marker that it finds
MOST_CHANGES = 4  # maximum number of changes that a marker names


class PassSummary(NamedTuple):
    name: str
    median_ms: float
    p95_ms: float
    cpu_ms: float
    chosen_ms: float = 0.0  # time in the chosen frame
    is_part: bool = False  # True: the row above sums it with others
    before_ms: float = math.nan  # median before the last change that may have changed the cost

    @property
    def change_ms(self) -> float:
        return self.median_ms - self.before_ms


@dataclass(frozen=True)
class Marker:
    """Change of settings: the number of the first frame with new values, and old and new values by key path."""

    index: int
    changes: Mapping[str, tuple[Any, Any]]

    @property
    def text(self) -> str:
        """A line for each of the first changes, and the number of the others."""
        lines = [f"{path}: {before}, now {now}" for path, (before, now) in list(self.changes.items())[:MOST_CHANGES]]
        more = len(self.changes) - len(lines)
        return "\n".join([*lines, f"and {more} more"] if more else lines)


class History:
    """Times of the last frames. Times that arrive while the history is frozen are shown later.

    A change that may affect the cost restarts them after its own frame, in which caches are cold.
    """

    def __init__(self) -> None:
        self.since, self.cause, self.count = 0, "", 0  # first frame that counts, the change, and frames timed since
        self.waits = False  # True: the frames do not have the change yet
        self._changed, self._before = "", dict[str, float]()  # name of the change, and medians before it [ms]
        self._partial = 0.0  # s since the last picture
        self.intervals: deque[float] = deque(maxlen=FRAMES)  # s between frames
        self.markers: deque[Marker] = deque(maxlen=KEPT)
        self.selected: int | None = None  # number of the clicked frame
        self.passes: Mapping[str, Pass] = {}
        """All passes that have been timed, by their names."""
        self._live: deque[FrameTimes] = deque(maxlen=KEPT)
        self._colours: dict[str, Colour] = {}
        self.is_frozen = False
        self.range: tuple[float, float] = 0, FRAMES  # positions among the frames that a frozen history shows
        self.frames: Sequence[FrameTimes] = ()
        """Frames that are shown, or within reach of a pan."""
        self.names: list[str] = []
        """All passes: of the newest frame in the order in which they run, then of earlier frames."""
        self.times = np.zeros((2, 0, 0))
        """Times on the GPU and the CPU [ms], (2, passes, frames)."""
        self._take(())

    def freeze(self, selected: int | None = None) -> None:
        """Freeze the current frames, and choose one by its number."""
        self.selected = selected
        if not self.is_frozen:
            self.is_frozen, self.frames = True, ()
            self._take(tuple(self._live))
            self.range = max(0, len(self.frames) - FRAMES), len(self.frames)

    def go_on(self) -> None:
        self.is_frozen, self.selected = False, None
        self._take(tuple(self._live)[-FRAMES:])

    def _take(self, frames: Sequence[FrameTimes]) -> None:
        """Take frames to show; the times of those that are shown already are kept, because reading all takes long."""
        names = list(dict.fromkeys(chain.from_iterable(frame.passes for frame in reversed(frames))))
        last = self.frames[-1].index if names == self.names and self.frames else -1
        new, none = [frame for frame in frames if frame.index > last], PassTime(0.0, 0.0)
        times = (one.passes.get(name, none)[clock] for clock in (0, 1) for name in names for one in new)
        added = np.fromiter(times, np.float64).reshape(2, len(names), len(new))
        kept = self.times[..., len(self.frames) - len(frames) + len(new) :] if last >= 0 else added[..., :0]
        self.frames, self.names, self.times = frames, names, np.concatenate((kept, added), axis=-1)
        self.stacks = np.concatenate((np.zeros((2, 1, len(frames))), np.cumsum(self.times, axis=1)), axis=1)
        """The milliseconds up to the end of each pass, (2, passes + 1, frames); the first row is 0."""

    @property
    def shown(self) -> Sequence[FrameTimes]:
        return self.frames[self._slice]

    @property
    def _slice(self) -> slice:
        first, last = (max(0, round(place)) for place in self.range)
        return slice(first, last) if self.is_frozen else slice(None)

    def add(
        self,
        interval: float,
        arrived: Sequence[FrameTimes],
        passes: Mapping[str, Pass] | None = None,
        is_whole: bool = True,
    ) -> None:
        """Add a frame, shown `interval` seconds after the last one, the times that have arrived, and all passes. A
        frame that is not whole shows the last picture again, and is a part of the next one."""
        self.passes = passes or self.passes
        self._partial += interval
        if is_whole:
            self.intervals.append(self._partial)
            self._partial = 0.0
        self._live.extend(arrived)
        self.count += sum(frame.index >= self.since for frame in arrived)

    def restart(self, index: int, name: str = "", value: str = "", waits: bool = False) -> None:
        """Count only frames after the one of this number, in which a value that may affect the cost has changed or,
        without a name, the last change has ended. Continuous changes keep the times from before them. Changes of the
        sea may wait for its waves."""
        if name and (name != self._changed or index - self.since > CONTINUED):
            medians = {row.name: row.median_ms for row in self.summary()}
            self._before = medians if self.count and not self._is_still(medians) else self._before
        if name:
            self.cause, self._changed = f"{name} = {value}", name
        self.since, self.count, self.waits = index + 1, 0, waits

    def _is_still(self, rows: Collection[str]) -> bool:
        """Return whether these are the rows of a picture in a pause: without the transforms of the times before."""
        transforms = {EVOLVED_FFT, FFT}
        return not transforms.isdisjoint(self._before) and transforms.isdisjoint(rows)

    def mark(self, index: int, changes: Mapping[str, tuple[Any, Any]], waits: bool = False) -> None:
        """Mark a change of settings at the frame of this number. Continuous changes of a value share a marker."""
        if costly := {path: now for path, (_, now) in changes.items() if not path.startswith(FREE)}:
            (path, now), *others = costly.items()
            self.restart(index, path, f"{now} and {len(others)} more" if others else str(now), waits)
        last = self.markers[-1] if self.markers else None
        if last and index - last.index <= CONTINUED and last.changes.keys() == changes.keys():
            self.markers.pop()
            changes = {path: (last.changes[path][0], now) for path, (_, now) in changes.items()}
        self.markers.append(Marker(index, changes))

    def marked(self) -> list[tuple[int, Marker]]:
        """Return the markers within the frames, each after the frame's position among them."""
        if not self.frames or not self.markers:
            return []
        first, numbers = self.frames[0].index, [frame.index for frame in self.frames]
        return [(bisect_left(numbers, mark.index), mark) for mark in self.markers if first < mark.index <= numbers[-1]]

    @property
    def frames_per_second(self) -> float:
        """The frames per second, over the last second or, if it took longer, the last frame."""
        total, count = 0.0, 0
        for interval in reversed(self.intervals):
            total, count = total + interval, count + 1
            if total >= 1:
                break
        return count / total if total > 0 else 0.0

    def colour(self, name: str) -> Colour:
        """Return the colour of a pass, which stays while the program runs."""
        return self._colours.setdefault(name, theme.distinct(len(self._colours)))

    def summary(self) -> list[PassSummary]:
        """Show the frames that have arrived, unless the history is frozen. Return the median and the 95th percentile of
        the newest visible frame's passes and of the whole frame, over the visible frames with equal passes since the
        last change (NaN before the first one is timed). The passes of the FFT follow a row of their sum."""
        if not self.is_frozen and self._live and (not self.frames or self.frames[-1] is not self._live[-1]):
            self._take(tuple(self._live)[-FRAMES:])
        shown = range(len(self.frames))[self._slice]
        chosen = next((place for place in shown if self.frames[place].index == self.selected), None)
        if not shown:
            return []
        newest = self.frames[shown[-1] if chosen is None else chosen].passes
        alike = [place for place in shown if self.frames[place].passes.keys() == newest.keys()]
        if not self.is_frozen:
            alike = [place for place in alike if self.frames[place].index >= self.since]
        groups = {name: step.group for name, step in self.passes.items() if step.group in SUMS}
        transform = [name for name in newest if name in groups]
        rows: dict[str, list[str]] = {}  # names of the passes in each row
        for name in newest:
            if name in groups:
                rows.setdefault(groups[name], transform)
            rows[name] = [name]
        rows["frame"] = list(newest)
        number = {name: index for index, name in enumerate(self.names)}
        parts = [[number[name] for name in names] for names in rows.values()]
        sums = np.stack([self.times[:, part].sum(axis=1) for part in parts], axis=1)  # (clocks, rows, frames)
        counted = sums[..., alike] if alike else np.full((*sums.shape[:2], 1), math.nan)
        (median, cpu), (p95, _) = np.percentile(counted, (50, 95), axis=-1)
        own, cpu = (np.zeros(len(rows)), cpu) if chosen is None else sums[..., chosen]
        are_parts = [len(names) == 1 and names[0] in groups for names in rows.values()]
        known = {} if self.is_frozen or self._is_still(rows) else self._before
        before = [known.get(name, math.nan) for name in rows]
        numbers = zip(rows, median.tolist(), p95.tolist(), cpu.tolist(), own.tolist(), are_parts, before, strict=True)
        return [PassSummary(*row) for row in numbers]


def verdict(frame_ms: float, fps: float, level: str | None, is_frozen: bool = False, paused: bool = False) -> str:
    """Return a sentence on the time of a frame, the pictures per second unless times are frozen or the sea is paused,
    and the quality."""
    verb = "took" if is_frozen else "takes"
    taken = "No frame is timed yet" if math.isnan(frame_ms) else f"A frame {verb} {milliseconds(frame_ms)} ms"
    rate = f"; {fps:.{0 if fps >= 10 else 1}f} a second are shown" if fps > 0 and not is_frozen else ""
    rate = "; the sea is paused" if paused and not is_frozen else rate
    return f"{taken}{rate}. Quality: {level or 'as set'}."


def difference(value: float) -> str:
    """Return a difference of times [ms] with its sign, empty if there is none."""
    digits = 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return "" if math.isnan(value) else f"{value:+z.{digits}f}"


class Overlay:
    def __init__(self, clock: Clock, actions: Actions, keeps: Callable[[], bool]) -> None:
        """Take `keeps`, whether a window keeps its content."""
        self.clock, self._actions, self._keeps = clock, actions, keeps
        self.history = History()
        self.budget = next(iter(BUDGETS))
        self._box = Box(0.0, 0.0, 0.0, 0.0)  # of the window
        self._summary: list[PassSummary] = []
        self._due = self._widest = 0.0  # ImGui's time of the next update, and the width of the longest name
        self._wish: int | Literal["freeze"] | None = None  # frame clicked in a plot, or a pan or zoom
        self._ends = implot.BoxedValue(0.0), implot.BoxedValue(1.0)  # ends of the plots' common axis

    def draw(self, compares: bool, quality: str | None, paused: bool) -> None:
        with imgui_ctx.begin("Timing###overlay") as window:
            if not window.expanded or self._keeps():
                return
            self._box = Box(*imgui.get_window_pos(), *imgui.get_window_size())
            if imgui.get_time() >= self._due or self.history.is_frozen:
                self._due = imgui.get_time() + theme.REFRESH
                self._summary = self.history.summary()
                self._widest = max((imgui.calc_text_size(row.name).x for row in self._summary), default=0.0)
            self._headline(quality, paused)
            self._table()
            self._plots()
            self._buttons()
            label = "Close the comparison" if compares else "Compare FFT backends"
            self._actions.button(f"{label}###compare", self._actions.compare.run, f"{COMPARES} B", -1)

    # -- Passes ------------------------------------------------------------------------------------------------------

    def _headline(self, level: str | None, paused: bool) -> None:
        frame_ms = self._summary[-1].median_ms if self._summary else math.nan
        theme.wrapped(verdict(frame_ms, self.history.frames_per_second, level, self.history.is_frozen, paused))
        tooltip(f"The row 'frame' below, and the share of the budget: the median. {SUMS['frame']}")
        coloured(f"clock: {self.clock}", theme.GOOD if self.clock == "gpu" else theme.WARNING)
        tooltip(CLOCKS[self.clock])
        imgui.set_next_item_width(em(11))
        self.budget = theme.combo("##budget", self.budget, list(BUDGETS), self.budget) or self.budget
        tooltip("Time in which a frame must be done: the green line in the plots.")
        if not math.isnan(frame_ms):
            share = frame_ms / BUDGETS[self.budget]
            imgui.same_line()
            coloured(f"{100 * share:.0f} % used", theme.GOOD if share <= 1 else theme.WARNING)

    def _table(self) -> None:
        if not self._summary:
            return
        history, chosen = self.history, self.history.selected
        if history.cause and not history.is_frozen:
            frames = f"{history.count} frame{'s' * (history.count != 1)}"
            when = f"before {history.cause} shows" if history.waits else f"since {history.cause}"
            theme.wrapped(f"{when}, {frames} timed", theme.FAINT)
            tooltip(f"{SAMPLED} Before: the median before the last change of a setting, size or camera.")
        columns = self._columns()
        width = max(em(NUMBER_WIDTH), *(imgui.calc_text_size(heading).x for heading in columns))
        room = imgui.get_content_region_avail().x - self._widest - em(BESIDE_NAME)
        number = int(room / (width + 2 * imgui.get_style().cell_padding.x))
        columns = dict(list(columns.items())[: max(2, number)])
        if not imgui.begin_table("passes", 1 + len(columns), imgui.TableFlags_.row_bg):
            return
        imgui.table_setup_column("Pass", imgui.TableColumnFlags_.width_stretch)
        for heading in columns:
            imgui.table_setup_column(heading, imgui.TableColumnFlags_.width_fixed, width)
        theme.headings("Pass" if chosen is None else f"Frame {chosen}", *columns)
        for row in self._summary:
            imgui.table_next_row()
            imgui.table_next_column()
            is_sum = row.name not in self.history.names
            if row.is_part:
                theme.bracket()
            if not is_sum:
                theme.swatch(self.history.colour(row.name))
            self._name(row.name, theme.ACCENT if is_sum else theme.TEXT)
            for heading, name in columns.items():
                spell = difference if heading == "change" else milliseconds
                right(spell(getattr(row, name)))
        imgui.end_table()

    def _columns(self) -> dict[str, str]:
        """Return the attributes of rows in the table's columns, by heading; those at the end are left out first."""
        if self.history.selected is not None:
            return {"ms": "chosen_ms", "median": "median_ms", "CPU": "cpu_ms"}
        has_before = any(not math.isnan(row.before_ms) for row in self._summary)
        before = {"change": "change_ms", "before": "before_ms"} if has_before else {}
        return {"ms": "median_ms", **before, "p95": "p95_ms", "CPU": "cpu_ms"}

    def _name(self, name: str, colour: Colour) -> None:
        """Draw the name of a pass, its help under the mouse, and a link to the debug view of its output."""
        coloured(name, colour)
        step = self.history.passes.get(name)
        help = step.help if step else SUMS.get(name, "")
        if not (step and step.debug_view):
            tooltip(help)
            return
        tooltip(f"{help}\nClick: show the debug view {step.debug_view!r}, key {key_label(step.debug_view)}.")
        if imgui.is_item_clicked():
            self._actions.asked.append(partial(self._actions.show_debug_view, step.debug_view))

    def _buttons(self) -> None:
        if not self._summary:
            return
        room = imgui.get_content_region_avail().x - 2 * imgui.get_style().item_spacing.x
        texts = [imgui.calc_text_size(label).x for label in ("Markdown", "CSV", "Save times")]
        widths = [em(6)] * 3 if room >= 3 * em(6) else [text + (room - sum(texts)) / 3 for text in texts]
        names = (f"{self.clock} {name}" for name in ("median ms", "p95 ms", "median ms before"))
        theme.copy_buttons(("Pass", *names, "CPU ms"), self._copied, widths[:2])
        imgui.same_line()
        help = "Save the frames in sight: a row each as CSV, and a trace that ui.perfetto.dev opens."
        self._actions.button("Save times", self._actions.times.run, help, widths[2])

    def _copied(self) -> list[list[str]]:
        rows = [row for row in self._summary if row.name in (*self.history.names, "frame")]
        times = [(row.median_ms, row.p95_ms, row.before_ms, row.cpu_ms) for row in rows]
        cells = [["" if math.isnan(ms) else f"{ms:.6g}" for ms in line] for line in times]
        return [[row.name, *line] for row, line in zip(rows, cells, strict=True)]

    # -- Plots -------------------------------------------------------------------------------------------------------

    def _plots(self) -> None:
        """Draw the GPU's times and the CPU's, one under the other with common axes."""
        history, stacks, (low, high) = self.history, self.history.stacks, self._ends
        count = len(history.frames)
        if not history.is_frozen:
            low.value, high.value = float(count - FRAMES), float(count - 1)
        history.range = low.value, high.value + 1
        top = self._top(stacks, slice(max(0, math.floor(low.value)), max(1, math.ceil(high.value) + 1)))
        height = max(em(6), min(em(10), 0.5 * (imgui.get_content_region_avail().y - em(8))))
        for title, stack, times in zip((f"{self.clock} ms", "CPU ms"), stacks, history.times, strict=True):
            if implot.begin_plot(f"##{title}", (-1, height), implot.Flags_.canvas_only):
                self._plot(title, stack, times.max(axis=1, initial=0.0), top)
                implot.end_plot()
        if self._wish is not None:  # the visible frames keep their positions
            history.freeze(None if self._wish == "freeze" else self._wish)
            self._wish = None
            for end in self._ends:
                end.value += len(history.frames) - count
        if history.is_frozen:
            if imgui.button("Resume##times", (em(6), 0)):
                history.go_on()
            tooltip("Show the newest frames again. Until then a drag pans, the wheel zooms, a click chooses a frame.")
            imgui.same_line()
            coloured("frozen: drag, wheel, click", theme.FAINT)
        else:
            imgui.align_text_to_frame_padding()  # to the button's height
            coloured("a click on a frame freezes", theme.FAINT)

    def _top(self, stacks: NDArray[np.float64], seen: slice) -> float:
        """Return the upper end of the plots' axes: above most of the shown frames, and above a near budget."""
        whole, budget = stacks[:, -1, seen], 1.1 * BUDGETS[self.budget]
        usual = float(np.percentile(whole, 98, axis=1).max()) if whole.size else 0.0
        return max(1.15 * usual, min(budget, 4 * usual)) or budget

    def _plot(self, title: str, stack: NDArray[np.float64], longest: NDArray[np.float64], top: float) -> None:
        history, count = self.history, stack.shape[1]
        axis = implot.AxisFlags_
        is_held = axis.none if history.is_frozen else axis.lock
        implot.setup_axes("", title, axis.no_decorations | is_held, axis.lock)
        implot.setup_axis_links(implot.ImAxis_.x1, *self._ends)
        if history.is_frozen:
            implot.setup_axis_limits_constraints(implot.ImAxis_.x1, 0, max(count - 1, 1))
            implot.setup_axis_zoom_constraints(implot.ImAxis_.x1, FEWEST, KEPT)
        implot.setup_axis_limits(implot.ImAxis_.y1, 0, top, implot.Cond_.always)
        places = np.arange(count, dtype=np.float64)
        below, height, thin = stack[0], 0.0, THINNEST * top / implot.get_plot_size().y
        for name, above, most in zip(history.names, stack[1:], longest.tolist(), strict=True):
            height += most
            if height < thin and name != history.names[-1]:
                continue  # the next pass covers it, which saves most of the triangles
            spec = implot.Spec(fill_color=history.colour(name), fill_alpha=0.8)
            implot.plot_shaded(name, places, below, above, spec)
            below, height = above, 0.0
        self._lines("##budget", theme.GOOD, BUDGETS[self.budget], implot.InfLinesFlags_.horizontal)
        for place, _ in history.marked():
            self._lines("##markers", theme.WARNING, place)
        for place, frame in enumerate(history.frames if history.selected is not None else ()):
            if frame.index == history.selected:
                self._lines("##selected", theme.TEXT, place)
        if implot.is_plot_hovered():
            self._point(round(implot.get_plot_mouse_pos().x))

    @staticmethod
    def _lines(name: str, colour: Colour, place: float, flags: int = 0) -> None:
        implot.plot_inf_lines(name, np.array([float(place)]), implot.Spec(line_color=colour, flags=flags))

    def _point(self, place: int) -> None:
        """Show the frame under the mouse. Pan, zoom and click freeze the history; a click chooses the frame."""
        history, io = self.history, imgui.get_io()
        frame = history.frames[place] if 0 <= place < len(history.frames) else None
        near = next((marker for at, marker in reversed(history.marked()) if abs(at - place) <= MARKER_REACH), None)
        if near:
            theme.show_tooltip(near.text)
        elif frame:
            self._show_frame(frame)
        is_click = imgui.is_mouse_released(0) and not imgui.internal.is_mouse_drag_past_threshold(0)
        if is_click and frame:
            self._wish = frame.index
        elif (io.mouse_wheel or imgui.is_mouse_dragging(0)) and not history.is_frozen:
            self._wish = "freeze"

    def _show_frame(self, frame: FrameTimes) -> None:
        """Draw the times of one frame beside the window, whose table they would cover."""
        box, display = self._box, imgui.get_io().display_size
        is_left = box.x + box.width / 2 < display.x / 2
        x = box.x + box.width if is_left else box.x
        place = x, min(imgui.get_io().mouse_pos.y, display.y)
        imgui.set_next_window_pos(place, pivot=(0.0 if is_left else 1.0, 1.0))
        with imgui_ctx.begin_tooltip():
            for name, time in frame.passes.items():
                theme.swatch(self.history.colour(name))
                imgui.text(f"{name}: {milliseconds(time.gpu_ms)} ms, CPU {milliseconds(time.cpu_ms)} ms")
            imgui.text(f"frame {frame.index}: {milliseconds(frame.gpu_ms)} ms, CPU {milliseconds(frame.cpu_ms)} ms")
