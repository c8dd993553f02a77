"""Passes that run in some frames only: reports, comparisons, traces and tables take any frames."""

import json
from pathlib import Path

import pytest

from ocean.capture import run
from ocean.capture.compare import DONE, INCONCLUSIVE, REGRESSION
from ocean.gpu.timing import ClockTrial, PassTimers

from ..captures import Command, lone

TINY = ("--config", "software", "--set", "fft.size=64", "--set", "foam.resolution=64", "--resolution", "48x27")


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("change", "clock"),
    [
        ("sky.metering=automatic", "gpu"),
        ("sky.metering=automatic", "wall"),
        ("view.pitch=80", "wall"),
        ("view.dive=3", "gpu"),
        ("stage.view=foam", "wall"),
        ("sea.choppiness=0", "gpu"),
    ],
)
def test_one_frame_without_warm_up_is_reported_with_all_its_passes(
    ocean_here: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str, clock: str
) -> None:
    monkeypatch.setattr(run, "try_clocks", lambda ctx: ClockTrial(1.0, 1.0, "" if clock == "gpu" else "none"))
    trace = tmp_path / "trace.json"
    once = ("--frames", "1", "--warmup", "0")
    done = ocean_here("capture", *TINY, "--set", change, *once, "--out", tmp_path, "--trace", trace)
    assert done.returncode == 0, done.stderr
    report, case = lone(tmp_path)
    assert report.clock.name == clock
    header = (tmp_path / "frames.csv").read_text().splitlines()[0]
    assert all(f"{name} gpu_ms" in header for name in case.passes)
    traced = {event["name"] for event in json.loads(trace.read_text())["traceEvents"]}
    assert {"columns", *case.passes} <= traced
    assert ("sky tables" in case.passes) is (change == "sky.metering=automatic")


@pytest.mark.usefixtures("hasty")
def test_captures_whose_passes_differ_are_compared(ocean_here: Command, tmp_path: Path) -> None:
    """With automatic metering, the sky's tables are made in the first frame alone."""
    tiny = *TINY, "--set", "sky.metering=automatic"
    with_tables, without = tmp_path / "with", tmp_path / "without"
    for out, warmup in ((with_tables, 0), (without, 1)):
        frames = "--frames", "6", "--warmup", str(warmup)
        assert ocean_here("capture", *tiny, *frames, "--out", out).returncode == 0
    assert lone(with_tables)[1].passes.keys() - lone(without)[1].passes.keys() == {"sky tables"}
    for before, now in ((with_tables, without), (without, with_tables)):
        done = ocean_here("report", "diff", before / "report.json", now / "report.json", "--tolerance", "1")
        assert done.returncode in (DONE, REGRESSION, INCONCLUSIVE), done.stderr  # few frames say nothing of their times
        assert "sky tables" in done.stdout


@pytest.mark.usefixtures("hasty")
def test_a_frame_of_more_parts_than_queries_keeps_its_reference_workload(
    ocean_here: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PassTimers, "POINTS", 4)
    monkeypatch.setattr(run, "try_clocks", lambda ctx: ClockTrial(1.0, 1.0))
    done = ocean_here("capture", *TINY, "--frames", "1", "--warmup", "0", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    assert lone(tmp_path)[1].of_kind("reference").keys() == {"reference memory", "reference arithmetic"}
