"""The overlay: its numbers, the comparison of backends by a click, with and without a fault in one, and copied
tables."""

import csv
import io
import json
import math
import re
import threading

import pytest
from imgui_bundle import imgui, implot

from ocean.common.records import csv_text
from ocean.fft import BACKENDS, ROWS
from ocean.fft.measure import percentile
from ocean.fft.stockham import StockhamShared
from ocean.fft.textbook import CooleyTukey
from ocean.gpu.passes import Pass
from ocean.gpu.timing import LIVE, FrameTimes, PassTime
from ocean.sea import blend
from ocean.window.ui import theme
from ocean.window.ui.overlay import FRAMES, History
from ocean.window.ui.theme import markdown
from tests.messages import unnamed

WRONG = pytest.approx(theme.WRONG[:3], abs=1e-3)
PASSES = ("evolve+rows", "columns", "mip levels", "foam", "raster", "shading", "tone mapping", "interface")


def frame(index, **passes):
    return FrameTimes(index, {name: PassTime(ms, ms / 10) for name, ms in passes.items()})


def test_a_history_looks_back_on_the_last_frames():
    history = History()
    for index in range(3 * FRAMES):
        history.add(0.02, [frame(index, evolve=1.0 if index % 10 else 9.0, foam=2.0)])
    evolve, foam, whole = history.summary()
    assert (evolve.name, foam.name, whole.name) == ("evolve", "foam", "frame")
    assert evolve.median_ms == 1.0
    assert evolve.p95_ms == 9.0
    assert whole.median_ms == 3.0
    assert whole.cpu_ms == pytest.approx(0.3)
    assert history.frames_per_second == pytest.approx(50)
    assert history.stacks[0].shape == (3, FRAMES)
    assert history.stacks[0][-1].max() == 11.0


def test_the_table_lists_current_passes_and_the_plot_all():
    history = History()
    history.add(0.02, [frame(0, evolve=1.0, sky=4.0, shading=9.0), frame(1, evolve=2.0, stage=3.0)])
    history.add(0.02, [frame(2, evolve=4.0, stage=5.0)])
    evolve, stage, whole = history.summary()
    assert [row.median_ms for row in (evolve, stage, whole)] == [3.0, 4.0, 7.0]
    assert history.names == ["evolve", "stage", "sky", "shading"]
    assert history.stacks[0][-1].tolist() == [14.0, 5.0, 9.0]
    assert history.colour("foam") == history.colour("foam") != history.colour("evolve")


def test_every_pass_and_the_clock_are_shown(pilot, desktop):
    desktop.paused = False
    pilot.until(lambda: set(PASSES) <= set(pilot.texts), limit=20)
    assert f"clock: {desktop.timers.clock}" in pilot.texts


def compare(pilot, desktop):
    pilot.press("B")
    pilot.until(lambda: desktop.comparing.findings.saved)
    pilot.frames(2)
    return {row.name: row for row in desktop.comparing.findings.rows}


def test_a_fault_in_one_backend_is_red(pilot, desktop, monkeypatch):
    honest = StockhamShared.run

    def forgetful(transform, inverse):
        """Return no columns at all."""
        if transform.axis == ROWS:
            honest(transform, inverse)

    pilot.choose("fft.backend", "numpy")
    monkeypatch.setattr(desktop.renderer, "steps", lambda *_, **__: iter(()))  # the sea is not compared
    monkeypatch.setattr(StockhamShared, "run", forgetful)
    few = {name: BACKENDS[name] for name in ("numpy", "dft", "stockham-shared")}
    monkeypatch.setattr("ocean.bench.live.BACKENDS", few)
    rows = compare(pilot, desktop)
    wrong = rows["stockham-shared"]
    assert wrong.wrong_values > 1000
    assert pilot.colours[f"{wrong.relative_l2:.1e}"] == WRONG
    assert sum(colour == WRONG for colour in pilot.colours.values()) == 1
    worked_out = percentile.cache_info().misses
    pilot.frames(2)
    assert percentile.cache_info().misses == worked_out  # not in each frame again
    pilot.hover("stockham-shared##compared")
    pilot.frames(40)
    assert any(unnamed(text, wrong.wrong_values, "off") == [] for text in pilot.texts)


def test_a_backend_that_cannot_run_shows_the_reason(pilot, desktop, monkeypatch):
    monkeypatch.setattr(CooleyTukey, "obstacle", classmethod(lambda *_: "needs a larger GPU"))
    pilot.click("Compare FFT backends")
    pilot.frames(3)
    rows = {row.name: row for row in desktop.comparing.findings.rows}
    assert rows["cooley-tukey"].obstacle == "needs a larger GPU"
    assert pilot.texts.count("can't") == 1
    pilot.click("Stop")
    assert desktop.comparing.bench is None


def test_a_sea_of_another_size_ends_the_comparison(pilot, desktop):
    pilot.click("Compare FFT backends")
    assert desktop.comparing.bench is not None
    pilot.choose("fft.size", "128")
    pilot.until(lambda: desktop.renderer.sea.size == 128)
    pilot.frames(2)
    assert desktop.comparing.bench is None


def test_copied_tables_escape_special_characters():
    names, rows = ["a|b", "n"], [['x, "y"', "1"]]
    assert markdown(names, rows) == '| a\\|b | n |\n| --- | ---: |\n| x, "y" | 1 |\n'
    assert list(csv.reader(io.StringIO(csv_text(names, rows)))) == [names, *rows]
    assert markdown(["n"], [["a\nb"]]) == "| n |\n| --- |\n| a b |\n"


@pytest.mark.parametrize("cell", ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "\t=1", " =1"])
def test_no_cell_of_a_saved_table_is_a_formula(cell):
    (found,) = csv.reader(io.StringIO(csv_text([cell], []), newline=""))
    assert found == [f"'{cell}"]


@pytest.mark.parametrize("cell", ["-0.5", "+1e-3", "dft", "", "a=1", -0.5, None])
def test_numbers_and_names_of_a_saved_table_stay(cell):
    (found,) = csv.reader(io.StringIO(csv_text([cell, "x"], [])))
    assert found == ["" if cell is None else str(cell), "x"]


def test_the_transform_is_one_row_with_its_two_passes():
    history = History()
    passes = {"evolve": 1.0, "rows": 2.0, "columns": 3.0, "foam": 4.0}
    ran = {name: Pass(name, lambda: None, group="FFT" * (name in ("rows", "columns"))) for name in passes}
    history.add(0.02, [frame(index, **passes) for index in range(9)], ran)
    rows = {row.name: row for row in history.summary()}
    assert list(rows) == ["evolve", "FFT", "rows", "columns", "foam", "frame"]
    assert rows["FFT"].median_ms == 5.0
    assert [row.name for row in history.summary() if row.is_part] == ["rows", "columns"]
    assert rows["frame"].median_ms == 10.0


def medians(history):
    return {row.name: (row.median_ms, row.before_ms) for row in history.summary()}


def test_a_picture_of_a_pause_is_not_compared_with_the_running_sea():
    history = History()
    ran = {name: Pass(name, lambda: None, group="FFT" * (name == "rows")) for name in ("rows", "raster")}
    history.add(0.02, [frame(1, rows=2.0, raster=3.0)], ran)
    for number, name in ((2, "view.dive"), (20, "sky.haze")):
        history.restart(number, name, "1")
        history.add(0.02, [frame(number + 1, raster=4.0)])
        median, before = medians(history)["frame"]
        assert median == 4.0
        assert math.isnan(before)
    history.restart(40, "fft.size", "64")
    history.add(0.02, [frame(41, rows=1.0, raster=3.0)])
    assert medians(history)["frame"] == (4.0, 5.0)


def test_times_answer_the_last_change_and_remember_those_before():
    history, nan = History(), pytest.approx(math.nan, nan_ok=True)
    history.add(0.02, [frame(index, rows=16.0, foam=1.0) for index in range(FRAMES)])
    assert medians(history)["frame"] == (17.0, nan)
    history.mark(FRAMES, {"window.panel": ("on", "off")})  # costs nothing
    assert (history.cause, medians(history)["rows"]) == ("", (16.0, nan))
    history.mark(FRAMES, {"fft.backend": ("auto", "dft")})
    assert medians(history)["rows"] == (nan, 16.0)
    history.add(0.5, [frame(FRAMES, rows=400.0, foam=1.0)])  # compiles
    assert medians(history)["rows"] == (nan, 16.0)
    history.add(0.5, [frame(FRAMES + 1, rows=232.0, foam=1.0)])
    assert medians(history) == {"rows": (232.0, 16.0), "foam": (1.0, 1.0), "frame": (233.0, 17.0)}
    assert (history.cause, history.count) == ("fft.backend = dft", 1)
    for number in range(2, 9):  # a drag keeps the times before it
        history.mark(FRAMES + number, {"foam.amount": ("1", f"{number}")})
        history.add(0.5, [frame(FRAMES + number + 1, rows=232.0, foam=float(number))])
    assert medians(history)["foam"] == (8.0, 1.0)
    history.restart(FRAMES + 10)  # the blend is over
    assert medians(history)["foam"] == (nan, 1.0)
    assert history.cause == "foam.amount = 8"


def test_frames_that_show_the_last_picture_again_are_parts_of_one():
    history = History()
    for number in range(20):
        history.add(0.05, [], is_whole=number % 5 == 4)
    assert history.frames_per_second == pytest.approx(4)


def test_a_change_in_a_pause_is_timed_without_an_event(pilot, desktop, monkeypatch):
    assert desktop.paused
    pilot.frames(40)
    history = desktop.interface.overlay.history
    pilot.set({"view.dive": 3.0})
    pilot.frames(6)
    assert history.cause == "view.dive = 3 m"
    assert history.count >= 1
    pilot.frames(10)  # the table is rebuilt ten times a second
    assert not any(text.startswith("No frame is timed yet") for text in pilot.texts)
    monkeypatch.setattr(desktop.renderer, "steps", lambda *_, **__: pytest.fail("drew the same picture again"))
    pilot.frames(10)


def test_every_frame_after_a_change_is_timed_until_some_are(pilot, desktop):
    """At few frames per second, one in eight would leave the table without a figure for seconds."""
    desktop.paused = False
    pilot.frames(40)
    history = desktop.interface.overlay.history
    assert desktop.timers.every == LIVE
    pilot.set({"fft.backend": "dft"})
    pilot.until(lambda: desktop.settings.fft.backend == "dft")
    pilot.frames()
    assert desktop.timers.every == 1
    pilot.frames()
    assert history.count >= 1
    pilot.frames(6)  # the table is rebuilt ten times a second
    assert any(unnamed(text, "since fft.backend = dft frames timed") == [] for text in pilot.texts)
    said = lambda: next(text for text in pilot.texts if text.startswith("A frame takes "))  # noqa: E731
    assert said().split()[3] in pilot.texts  # a cell of the table
    numbers = r"(?<![\w.])\d+(?:\.\d+)?"
    assert len(re.findall(numbers, said())) == 2
    desktop.paused = True
    pilot.frames(10)
    assert len(re.findall(numbers, said())) == 1  # no pictures a second
    desktop.paused = False
    pilot.frames(20)
    assert desktop.timers.every == LIVE
    desktop.wnd.resize_to((120, 84))
    pilot.frames(3)
    assert history.cause.startswith("picture = ")


def test_times_of_the_sea_before_are_not_those_since_the_change(pilot, desktop, monkeypatch):
    may_end, make = threading.Event(), blend.make_sea_change
    monkeypatch.setattr(blend, "make_sea_change", lambda *given: may_end.wait(60) and make(*given))
    desktop.paused = False
    pilot.frames(10)
    pilot.set({"fft.size": 64})
    pilot.frames(20)
    said = lambda: [text for text in pilot.texts if "fft.size = 64" in text]  # noqa: E731
    assert desktop.renderer.sea.size == 32
    assert any(text.startswith("before ") for text in said())
    may_end.set()
    pilot.until(lambda: desktop.renderer.sea.size == 64)
    pilot.frames(10)
    assert any(text.startswith("since ") for text in said())


def test_times_answer_a_change_of_the_sea_while_the_camera_moves(pilot, desktop, monkeypatch):
    may_end, make = threading.Event(), blend.make_sea_change
    monkeypatch.setattr(blend, "make_sea_change", lambda *given: may_end.wait(60) and make(*given))
    desktop.paused = False
    desktop.wnd.hold("E")
    pilot.frames(10)
    pilot.set({"fft.size": 64})
    pilot.frames(20)
    may_end.set()
    pilot.until(lambda: desktop.renderer.sea.size == 64)
    shown = desktop.frames
    pilot.frames(20)
    assert any(text.startswith("since fft.size = 64") for text in pilot.texts)
    assert 0 < desktop.interface.overlay.history.count <= desktop.frames - shown


def test_times_answer_a_move_of_the_camera(pilot, desktop):
    """A median of 120 timed frames, one in eight, would show the place before for minutes."""
    desktop.paused = False
    pilot.frames(40)
    history = desktop.interface.overlay.history
    desktop.wnd.hold("E")
    pilot.frames(30)
    assert history.cause == "camera = moved"
    assert history.count > 2  # also while it moves
    desktop.wnd.hold()
    rested = desktop.frames
    pilot.frames(20)
    assert history.since > rested
    assert 0 < history.count <= desktop.frames - rested
    assert not all(math.isnan(row.before_ms) for row in history.summary())


def test_a_frozen_history_stays_while_frames_arrive():
    history = History()
    history.add(0.02, [frame(index, foam=float(index)) for index in range(3 * FRAMES)])
    history.freeze(2 * FRAMES + 5)
    history.add(0.02, [frame(3 * FRAMES, foam=99.0)])
    assert [history.shown[0].index, history.shown[-1].index] == [2 * FRAMES, 3 * FRAMES - 1]
    assert history.summary()[0].chosen_ms == 2 * FRAMES + 5
    history.range = 10, 14
    assert [(frame.index, frame.gpu_ms) for frame in history.shown] == [(n, n) for n in range(10, 14)]
    history.go_on()
    assert history.shown[-1].index == 3 * FRAMES
    assert len(history.shown) == FRAMES


def test_colours_never_repeat():
    colours = {theme.distinct(number)[:3] for number in range(60)}
    assert len(colours) == 60


def noted_plots(monkeypatch):
    """Return corners and sizes of the plots that are drawn, by their titles."""
    draw, boxes = implot.begin_plot, {}

    def placed(title, *rest):
        boxes.pop(title, None)
        boxes[title] = None  # the last one until the plot ends
        return draw(title, *rest)

    monkeypatch.setattr(implot, "begin_plot", placed)
    end = implot.end_plot

    def ended():
        title = list(boxes)[-1]
        boxes[title] = implot.get_plot_pos(), implot.get_plot_size()
        end()

    monkeypatch.setattr(implot, "end_plot", ended)
    return boxes


def test_a_click_freezes_the_history_and_the_wheel_zooms(pilot, desktop, monkeypatch, tmp_path):
    monkeypatch.setattr(desktop.renderer, "steps", lambda *_, **__: iter(()))
    history = desktop.interface.overlay.history
    history.add(0.02, [frame(1000 + index, evolve=2.0, foam=3.0) for index in range(FRAMES)])
    monkeypatch.setattr(desktop.timers, "collect", list)
    pilot.frames(3)
    boxes, swatches = noted_plots(monkeypatch), []
    monkeypatch.setattr(theme, "swatch", swatches.append)
    pilot.frames()
    assert len(boxes) == 2
    corner, size = next(iter(boxes.values()))
    x, y = int(corner.x + 0.75 * size.x), int(corner.y + 0.5 * size.y)
    desktop.on_mouse_position_event(x, y, 0, 0)
    pilot.frames(2)
    desktop.on_mouse_press_event(x, y, 1)
    pilot.frames()
    desktop.on_mouse_release_event(x, y, 1)
    pilot.frames(3)
    assert history.is_frozen
    times, beside = (imgui.internal.find_window_by_name(name) for name in ("Timing###overlay", "##Tooltip_00"))
    assert beside.pos.x + beside.size.x <= times.pos.x  # the mouse is not over the table
    assert any(unnamed(text, "evolve 2.00 ms CPU 0.200") == [] for text in pilot.texts)
    assert swatches[-2:] == [history.colour("evolve"), history.colour("foam")]
    chosen = history.selected
    assert chosen == pytest.approx(1000 + 0.75 * FRAMES, abs=3)
    assert f"Frame {chosen}" in pilot.texts
    assert len(history.shown) == FRAMES
    y = int(boxes[f"##{desktop.timers.clock} ms"][0].y + 0.5 * size.y)  # the table has the rows of that frame
    desktop.on_mouse_position_event(x, y, 0, 0)
    pilot.frames(2)
    desktop.on_mouse_scroll_event(0, 3)
    pilot.frames(4)
    assert len(history.shown) < FRAMES
    assert chosen in [one.index for one in history.shown]
    before = history.shown[0].index
    pilot.drag(x, y, 40)
    assert history.shown[0].index < before
    pilot.click("Save times")
    table, trace = sorted((tmp_path / "out").iterdir())
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [int(row["frame"]) for row in rows] == [one.index for one in history.shown]
    assert float(rows[-1]["foam gpu_ms"]) == 3
    assert {row["clock"] for row in rows} == {"gpu"}
    slices = [event for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "B"]
    assert {event["name"] for event in slices} >= {"evolve", "foam", f"frame {chosen}"}
    pilot.click("Resume##times")
    assert not history.is_frozen


@pytest.mark.usefixtures("undrawn")
def test_a_zoom_into_an_empty_part_of_a_young_history_finds_its_frames(pilot, desktop, monkeypatch):
    history = desktop.interface.overlay.history
    monkeypatch.setattr(desktop.timers, "collect", list)
    boxes = noted_plots(monkeypatch)
    history.add(0.02, [frame(900, evolve=1.0)])
    history.restart(999, "fft.backend", "dft")
    history.add(0.02, [frame(1000 + index, evolve=2.0) for index in range(10)])
    pilot.frames(40)
    assert {"before", "since fft.backend = dft, 10 frames timed"} <= {*pilot.texts}
    corner, size = next(iter(boxes.values()))
    desktop.on_mouse_position_event(int(corner.x + 0.3 * size.x), int(corner.y + 0.5 * size.y), 0, 0)
    pilot.frames(2)
    for _ in range(3):
        desktop.on_mouse_scroll_event(0, 3)
        pilot.frames(3)
    assert history.is_frozen
    assert history.shown
    assert "evolve" in pilot.texts
    assert "before" not in pilot.texts  # what is frozen says nothing of the running sea
    assert not any(text.startswith("since ") or "a second" in text for text in pilot.texts)
    assert any(text.startswith("A frame took 2.00 ms") for text in pilot.texts)


def test_the_budget_is_chosen_and_its_use_shown(pilot, desktop):
    desktop.paused = False
    pilot.frames(14)
    pilot.choose("budget", "8.3 ms, 120 frames/s")
    pilot.frames(2)
    assert any(text.endswith("% used") for text in pilot.texts)
    assert desktop.interface.overlay.budget.startswith("8.3 ms")
