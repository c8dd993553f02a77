"""Frames as a workload: their rates and parts, and times of kernels, however long Python takes to submit them."""

import pytest

from ocean.bench.contest import Request
from ocean.bench.rows import Bench
from ocean.fft.measure import LEAST_SAMPLES
from ocean.gpu.timing import ClockTrial, Stopwatch
from tests.messages import assert_refused
from tools.papers import frame_workload

pytestmark = pytest.mark.usefixtures("coarse_sky")


@pytest.mark.parametrize("clock", ["gpu", pytest.param("wall", marks=pytest.mark.slow)])
def test_every_timed_frame_begins_behind_work_that_outlasts_its_submission(ctx, monkeypatch, clock):
    honest, asked, submitted = Stopwatch.head_start, [], []

    def head_start(stopwatch, submit_ms):
        asked.append(submit_ms)
        honest(stopwatch, submit_ms)

    monkeypatch.setattr(Stopwatch, "head_start", head_start)
    request = Request(("frame",))
    request.ctx, request.trial = ctx, ClockTrial(1.0, 1.0 if clock == "gpu" else 2.0)
    running = frame_workload.Frames(request, frame_workload.settings_of(request, 16))
    for _ in range(4):
        (one,) = running.passes("stockham-shared")
        assert {"rows", "columns"} < set(one.passes)
        submitted.append(one.cpu_ms)
    running.release()
    assert len(asked) == 4
    assert all(wanted > took for wanted, took in zip(asked[1:], submitted, strict=False))  # passes are part of a frame


def test_frames_that_no_backend_can_run_say_why(ocean_here, tmp_path):
    few = ("--backends", "cooley-tukey", "--sizes", 60, "--no-cache")
    done = ocean_here("bench", "-w", "frame", *few, "--out", tmp_path / "out")
    assert_refused(done, "60 cooley-tukey 16")
    assert not (tmp_path / "out").exists()


def test_frames_have_rates_and_parts(ocean_here, monkeypatch, tmp_path):
    small = {"capture.width": 64, "capture.height": 36, "view.edge_pixels": 40.0}
    monkeypatch.setattr(frame_workload, "SOFTWARE_PICTURE", frame_workload.SOFTWARE_PICTURE | small)
    few = ("--backends", "stockham-shared", "--rounds", LEAST_SAMPLES, "--sizes", 16)
    done = ocean_here("bench", "-w", "frame", *few, "--no-cache", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    rows = Bench.read(tmp_path / "out/bench.json").rows
    parts, names = ("frame", "passes", "rows", "columns"), ("cooley-tukey-stages", "stockham-shared")
    assert [(row.part, row.name) for row in rows] == [(part, name) for part in parts for name in names]
    stages, shared = rows[:2]
    assert stages.gain == 0
    assert shared.gain == pytest.approx(shared.frames_per_second / stages.frames_per_second - 1)
    assert all(row.is_right and row.samples == LEAST_SAMPLES for row in rows)
    for frame, whole, along, across in zip(rows[0:2], rows[2:4], rows[4:6], rows[6:8], strict=True):
        checked = {(row.relative_l2, row.largest_error, row.off_values) for row in (frame, whole, along, across)}
        assert len(checked) == 1
    assert [row.bytes for row in rows if row.part == "rows" and row.name == "stockham-shared"] == [2 * 4 * 16 * 16 * 8]
    assert [one.name for one in Bench.read(tmp_path / "out/bench.json").noise] == ["cooley-tukey-stages"]
