"""Captures end to end."""

import csv
import errno
import json
import os
import pty
import statistics
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from ocean.capture.run import FILES, PICTURE, REPORT, summarise
from ocean.fft import BACKENDS
from ocean.gpu import memory
from ocean.gpu.context import limits
from tests.messages import assert_refused, unnamed

from ..captures import COUNT, RUN, SMALL, WARMUP, Command, lone, start


@pytest.fixture(scope="module")
def out(ocean_here: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a capture with all optional parts."""
    folder = tmp_path_factory.mktemp("capture") / "made" / "here"
    done = ocean_here("capture", *RUN, "--compare-backends", "--out", folder, "--trace", folder.parent / "trace.json")
    assert done.returncode == 0, done.stderr
    assert "frame 8 of 8" in done.stdout
    assert all(str(folder / name) in done.stdout for name in (*FILES, REPORT))
    return folder


def edited(out: Path, folder: Path, edit: Any) -> Path:
    """Return a copy of the report with changes."""
    tree = json.loads((out / "report.json").read_text())
    edit(tree)
    (folder / "baseline.json").write_text(json.dumps(tree))
    return folder / "baseline.json"


# -- What comes out ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_exposure_is_held_unless_asked(tmp_path: Path) -> None:
    """While a storm drives clouds by for some seconds, the exposure stays that of the first frame, though the light of
    the last one asks for another."""
    sky = "--set", "sky.clouds=0.6", "--set", "sea.wind.speed=40", "--set", "view.pitch=60"
    rare = "--frames", "6", "--warmup", "0", "--set", "capture.fps=1", "--resolution", "64x36"
    pictures = []
    for exposure in ("held", "moving"):
        done = start(*SMALL, *sky, *rare, "--set", f"capture.exposure={exposure}", "--out", tmp_path / exposure)
        assert done.returncode == 0, done.stderr
        pictures.append(np.asarray(Image.open(tmp_path / exposure / PICTURE)).astype(int))
    assert 0 < np.abs(pictures[0] - pictures[1]).max() < 10


def test_a_capture_writes_its_files_and_no_others(out: Path) -> None:
    assert sorted(path.name for path in out.iterdir()) == sorted((*FILES, REPORT))
    with Image.open(out / "timings.png") as plot:
        assert plot.width > 1000


def test_the_report_names_settings_machine_and_passes(out: Path) -> None:
    report, case = lone(out)
    assert case.settings["capture"] | {"width": 96, "height": 54, "frames": COUNT} == case.settings["capture"]
    assert report.gl.renderer
    assert report.host.cpu
    assert report.clock.name in ("gpu", "wall")
    assert {"evolve+rows", "columns", "foam", "raster", "shading", "tone mapping"} <= set(case.passes)
    fixed = case.of_kind("reference")
    assert list(fixed) == ["reference memory", "reference arithmetic"]
    for row in (*case.passes.values(), *fixed.values()):
        assert row.samples == len(row.samples_ms) == COUNT
        assert 0 < row.min_ms <= row.p5_ms <= row.median_ms <= row.p95_ms <= max(row.samples_ms)
    assert case.of_kind("frame")["frame with host"].median_ms > 1e-3 * case.frame.submit_us > 0


def test_the_report_lists_quantities_of_the_sea(out: Path) -> None:
    _, case = lone(out)
    rows = case.sea
    assert {"significant wave height", "foam coverage"} <= {row.name for row in rows}
    for row in rows:
        assert (row.measured is None) == (row.name == "foam coverage")  # for which eight frames are too few
        assert row.agrees in (True, None)
        assert row.deviation > 0


def test_the_summary_has_the_energy_that_breaking_takes_and_fronts(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, case = lone(out)
    summarise(report, out)
    plain = capsys.readouterr().out
    energies = {"start": 8.0, "now": 7.0, "filtered": 0.04, "broken": 1.0}
    breaking = case.model_copy(update={"energies": energies, "fronts": (-5.8, 0.21), "fronts_area": 3.2e6})
    summarise(report.model_copy(update={"cases": {"": breaking}}), out)
    shown = capsys.readouterr().out
    assert unnamed(shown, "12.50% 0.50% 3.2 km² c^-5.8 0.21") == []
    assert "%" not in plain


def test_rows_give_the_medians(out: Path) -> None:
    _, case = lone(out)
    with (out / "frames.csv").open() as file:
        rows = [{key: float(row[key]) for key in row if key != "clock"} for row in csv.DictReader(file)]
    assert [row["frame"] for row in rows] == list(range(WARMUP, WARMUP + COUNT))
    assert [row["time_s"] for row in rows] == pytest.approx([20 + row["frame"] / 30 for row in rows])
    for name, record in case.passes.items():
        assert list(record.samples_ms) == [row[f"{name} gpu_ms"] for row in rows]
        assert record.median_ms == pytest.approx(statistics.median(record.samples_ms))
        assert record.submit_us == pytest.approx(1e3 * statistics.median(row[f"{name} cpu_ms"] for row in rows))
    for row in rows:
        assert row["gpu_ms"] == pytest.approx(sum(row[f"{name} gpu_ms"] for name in case.passes))
    assert case.frame.median_ms == pytest.approx(statistics.median(row["gpu_ms"] for row in rows), abs=1e-6)
    assert case.of_kind("frame")["frame with host"].samples_ms == pytest.approx([row["wall_ms"] for row in rows])


def test_every_backend_is_measured_and_right(out: Path) -> None:
    rows = lone(out)[1].of_kind("backend")
    assert list(rows) == list(BACKENDS)
    for row in rows.values():
        assert row.obstacle is not None or (row.is_right and row.median_ms > 0 and row.relative_l2 < 1e-6)
        assert not row.wrong_values


def test_the_picture_of_a_frame_is_repeatable(out: Path, tmp_path: Path) -> None:
    """The second picture is made in another process, on a terminal, after other warm-up frames, with another window in
    the environment."""
    terminal, slave = pty.openpty()
    environment = os.environ | {"MODERNGL_WINDOW": "glfw", "TERM": "xterm"}
    again = (*SMALL, "--frames", "2", "--warmup", str(WARMUP + COUNT - 2))
    done = start(*again, "--out", tmp_path, stdout=slave, env=environment)
    os.close(slave)
    assert done.returncode == 0, done.stderr
    assert "━" in os.read(terminal, 1 << 16).decode()
    os.close(terminal)
    with Image.open(out / "frame.png") as first, Image.open(tmp_path / "frame.png") as second:
        assert first.size == (96, 54)
        assert np.asarray(first)[:20].mean() > np.asarray(first)[-20:].mean() + 20  # the sky is up
        assert np.array_equal(np.asarray(first), np.asarray(second))
    assert (out / "frame.png").read_bytes() == (tmp_path / "frame.png").read_bytes()


# -- Baselines ---------------------------------------------------------------------------------------------------------


def test_a_capture_does_not_overwrite_its_baseline(ocean_here: Command, out: Path) -> None:
    before = (out / "report.json").read_bytes()
    done = ocean_here("capture", *RUN, "--out", out, "--baseline", out / "report.json")
    assert_refused(done, "baseline report.json")
    assert (out / "report.json").read_bytes() == before


@pytest.mark.usefixtures("hasty")
def test_a_slower_program_is_a_regression(ocean_here: Command, out: Path, tmp_path: Path) -> None:
    def faster(tree: dict[str, Any]) -> None:
        for row in tree["cases"][""]["rows"]:
            if row["kind"] in ("pass", "frame"):
                row["samples_ms"] = [0.02 * sample for sample in row["samples_ms"]]

    both = "--baseline", edited(out, tmp_path, faster), "--baseline", out / REPORT
    done = ocean_here("capture", *RUN, "--out", tmp_path / "out", *both, "--tolerance", 1)
    assert done.returncode == 3
    assert "slower" in done.stdout
    assert all(word in done.stdout for word in ("frame", "shading", "evolve+rows"))
    assert (tmp_path / "out" / "report.json").exists()


def test_another_renderer_is_refused_before_the_first_frame(ocean_here: Command, out: Path, tmp_path: Path) -> None:
    baseline = edited(out, tmp_path, lambda tree: tree["gl"].update(renderer="Another Card"))
    done = ocean_here("capture", *RUN, "--out", tmp_path / "out", "--baseline", baseline)
    assert done.returncode == 2
    assert "Another Card" in done.stderr
    assert done.stderr.count("\n") == 1
    assert "frame" not in done.stdout
    assert not (tmp_path / "out").exists()


# -- Where it can't go on ----------------------------------------------------------------------------------------------


def test_a_picture_beyond_the_gpu_is_refused(
    ocean_here: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "limits", lambda ctx: replace(limits(ctx), texture_size=64))
    done = ocean_here("capture", *RUN, "--out", tmp_path / "out")
    assert_refused(done, "--resolution 96x54 64x64")


@pytest.mark.parametrize(
    ("step", "error", "status"),
    [("run_passes", KeyboardInterrupt(), 130), ("write_frames", OSError(errno.ENOSPC, "No space left on device"), 2)],
)
@pytest.mark.usefixtures("hasty")
def test_an_interrupted_capture_leaves_no_half_written_file(
    ocean_here: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException, status: int
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(f"ocean.capture.run.{step}", fail)
    assert ocean_here("capture", *RUN, "--out", tmp_path / "out").returncode == status
    assert list(tmp_path.iterdir()) == []
