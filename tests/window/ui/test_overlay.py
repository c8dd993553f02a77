"""The overlay: what its numbers are, and the comparison of backends by a click, with and without a fault in one; tables
that are copied."""

import csv
import io

import pytest

from ocean.fft import ROWS
from ocean.fft.cooley_tukey import CooleyTukey
from ocean.fft.stockham import StockhamShared
from ocean.gpu.stopwatch import BATCH_MS
from ocean.gpu.timing import FrameTimes, PassTime
from ocean.window.ui import theme
from ocean.window.ui.overlay import FRAMES, History
from ocean.window.ui.tables import comma_separated, markdown

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
    assert history.stacked().shape == (3, FRAMES)
    assert history.stacked()[-1].max() == 11.0


def test_the_table_is_of_the_passes_that_run_now_and_the_plot_of_all():
    history = History()
    history.add(0.02, [frame(0, evolve=1.0, sky=4.0, surface=9.0), frame(1, evolve=2.0, stage=3.0)])
    history.add(0.02, [frame(2, evolve=4.0, stage=5.0)])
    evolve, stage, whole = history.summary()
    assert [row.median_ms for row in (evolve, stage, whole)] == [3.0, 4.0, 7.0]
    assert history.names == ["evolve", "stage", "sky", "surface"]
    assert history.stacked()[-1].tolist() == [14.0, 5.0, 9.0]
    assert history.colour("foam") == history.colour("foam") != history.colour("evolve")


def test_every_pass_and_the_clock_are_shown(pilot, desktop):
    pilot.frames(14)
    for name in PASSES:
        assert name in pilot.texts
    assert f"clock: {desktop.timers.clock}" in pilot.texts


def compare(pilot, desktop):
    pilot.click("Compare FFT backends")
    pilot.until(lambda: desktop.comparing.findings.saved)
    pilot.frames(2)
    return {row.name: row for row in desktop.comparing.findings.rows}


def test_a_fault_in_one_backend_is_red(pilot, desktop, monkeypatch):
    monkeypatch.setitem(BATCH_MS, "wall", 1.0)
    honest = StockhamShared.run

    def forgetful(transform, inverse):
        """No columns at all."""
        if transform.axis == ROWS:
            honest(transform, inverse)

    pilot.choose("fft.backend", "numpy")
    monkeypatch.setattr(StockhamShared, "run", forgetful)
    rows = compare(pilot, desktop)
    wrong = rows["stockham-shared"]
    assert wrong.wrong_values > 1000
    assert pilot.colours[f"{wrong.relative_error:.1e}"] == WRONG
    assert sum(colour == WRONG for colour in pilot.colours.values()) == 1
    pilot.hover("stockham-shared##compared")
    pilot.frames(40)
    assert any(f"{wrong.wrong_values} values are off by more than" in text for text in pilot.texts)


def test_a_backend_that_cannot_run_says_so(pilot, desktop, monkeypatch):
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
    pilot.until(lambda: desktop.renderer.sea.layers.width == 128)
    pilot.frames(2)
    assert desktop.comparing.bench is None


def test_tables_are_copied_with_what_would_break_them():
    names, rows = ["a|b", "n"], [['x, "y"', "1"]]
    assert markdown(names, rows) == '| a\\|b | n |\n| --- | ---: |\n| x, "y" | 1 |\n'
    assert list(csv.reader(io.StringIO(comma_separated(names, rows)))) == [names, *rows]
