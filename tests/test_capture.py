"""Captures end to end, each in a process of its own: they make contexts, and this process may have one already."""

import csv
import json
import os
import pty
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from ocean.capture import FILES, FixedStep, backend_record
from ocean.fft import BACKENDS
from ocean.fft.measure import Result
from ocean.matrix import REPORT, choices
from ocean.report import Case, Report, read_report
from ocean.settings import SettingsError

ROOT = Path(__file__).parent.parent
WARMUP, COUNT = 3, 6
SMALL = ("--config", "configs/ci.toml", "--resolution", "160x90", "--set", "capture.start=20")
RUN = (*SMALL, "--frames", str(COUNT), "--warmup", str(WARMUP))


def start(*arguments: str | Path, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run a capture to its end, without a display."""
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    command = [sys.executable, "app.py", "capture", *map(str, arguments)]
    options = {"stdout": subprocess.PIPE, "env": environment} | options
    return subprocess.run(command, cwd=ROOT, text=True, stderr=subprocess.PIPE, timeout=120, check=False, **options)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A capture with all that it can have."""
    folder = tmp_path_factory.mktemp("capture") / "made" / "here"
    done = start(*RUN, "--compare-backends", "--out", folder, "--trace", folder.parent / "trace.json")
    assert done.returncode == 0, done.stderr
    assert "frame 9 of 9" in done.stdout
    assert all(str(folder / name) in done.stdout for name in (*FILES, REPORT))
    return folder


def lone(out: Path) -> tuple[Report, Case]:
    """The report of a capture without a matrix, and its case."""
    report = read_report(out / REPORT)
    assert list(report.cases) == [""]
    return report, report.cases[""]


def edited(out: Path, folder: Path, edit: Any) -> Path:
    """A copy of the report with changes."""
    tree = json.loads((out / "report.json").read_text())
    edit(tree)
    (folder / "baseline.json").write_text(json.dumps(tree))
    return folder / "baseline.json"


def scale(records: dict[str, Any], factor: float) -> None:
    """Multiply every time in a tree of statistics."""
    for key, value in records.items():
        if isinstance(value, dict):
            scale(value, factor)
        elif isinstance(value, list):
            records[key] = [sample * factor for sample in value]
        elif isinstance(value, float):
            records[key] = value * factor


# -- What comes out ----------------------------------------------------------------------------------------------------


def test_files_and_nothing_else(out: Path) -> None:
    assert sorted(path.name for path in out.iterdir()) == sorted((*FILES, REPORT))
    with Image.open(out / "timings.png") as plot:
        assert plot.width > 1000


def test_report_says_what_ran(out: Path) -> None:
    report, case = lone(out)
    assert case.settings["capture"] | {"width": 160, "height": 90, "frames": COUNT} == case.settings["capture"]
    assert report.gl.renderer
    assert report.host.cpu
    assert report.clock.name in ("gpu", "wall")
    assert {"evolve+rows", "columns", "foam", "surface", "sky", "tone mapping"} <= set(case.passes)
    for record in (*case.passes.values(), case.reference.memory, case.reference.arithmetic):
        assert record.gpu_ms.n == record.cpu_ms.n == len(record.gpu_samples_ms) == COUNT
        assert (
            0 < record.gpu_ms.min <= record.gpu_ms.median <= record.gpu_ms.p95 <= record.gpu_ms.p99 <= record.gpu_ms.max
        )
    assert case.frame.wall_ms.median > case.frame.cpu_ms.median > 0


def test_report_says_what_the_sea_measured(out: Path) -> None:
    _, case = lone(out)
    rows = case.sea
    assert len(rows) == 10
    for row in rows:
        assert (row.measured is None) == (row.name == "foam coverage")  # which nine frames are too few for
        assert row.agrees in (True, None)
        assert row.deviation > 0


def test_rows_give_the_medians(out: Path) -> None:
    _, case = lone(out)
    with (out / "frames.csv").open() as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    assert [row["frame"] for row in rows] == list(range(WARMUP, WARMUP + COUNT))
    assert [row["time_s"] for row in rows] == pytest.approx([20 + row["frame"] / 30 for row in rows])
    for name, record in case.passes.items():
        assert list(record.gpu_samples_ms) == [row[f"{name} gpu_ms"] for row in rows]
        for unit in ("gpu_ms", "cpu_ms"):
            samples = [row[f"{name} {unit}"] for row in rows]
            assert getattr(record, unit).median == pytest.approx(statistics.median(samples), abs=1e-9)
    for row in rows:
        assert row["gpu_ms"] == pytest.approx(sum(row[f"{name} gpu_ms"] for name in case.passes))
    assert case.frame.gpu_ms.median == pytest.approx(statistics.median(row["gpu_ms"] for row in rows), abs=1e-6)
    assert case.frame.wall_ms.max == pytest.approx(max(row["wall_ms"] for row in rows))


def test_every_backend_is_measured_and_right(out: Path) -> None:
    rows = lone(out)[1].backends
    assert rows is not None
    assert [row.backend for row in rows] == list(BACKENDS)
    for row in rows:
        assert row.obstacle is not None or ((row.gpu_ms or 0) > 0 and (row.relative_error or 0) < 1e-6)
        assert not row.wrong_values


def test_the_same_frame_is_the_same_picture(out: Path, tmp_path: Path) -> None:
    """In another process, on a terminal, with other frames warming up, and whatever window the environment wishes."""
    terminal, slave = pty.openpty()
    environment = os.environ | {"MODERNGL_WINDOW": "glfw", "TERM": "xterm"}
    again = (*SMALL, "--frames", "2", "--warmup", str(WARMUP + COUNT - 2))
    done = start(*again, "--out", tmp_path, stdout=slave, env=environment)
    os.close(slave)
    assert done.returncode == 0, done.stderr
    assert "━" in os.read(terminal, 1 << 16).decode()
    os.close(terminal)
    with Image.open(out / "frame.png") as first, Image.open(tmp_path / "frame.png") as second:
        assert first.size == (160, 90)
        assert np.asarray(first)[:20].mean() > np.asarray(first)[-20:].mean() + 20  # the sky is up
        assert np.array_equal(np.asarray(first), np.asarray(second))
    assert (out / "frame.png").read_bytes() == (tmp_path / "frame.png").read_bytes()


# -- Baselines ---------------------------------------------------------------------------------------------------------


def test_a_baseline_that_fits_passes(out: Path, tmp_path: Path) -> None:
    """So wide a tolerance that only the way there is tested; test_report.py has the numbers."""
    done = start(*RUN, "--out", tmp_path / "out", "--baseline", out / "report.json", "--tolerance", 50)
    assert done.returncode == 0, done.stderr
    assert "Nothing became slower by more than 5000%" in done.stdout


def test_a_slower_program_is_a_regression(out: Path, tmp_path: Path) -> None:
    def faster(tree: dict[str, Any]) -> None:
        scale(tree["cases"][""]["passes"], 0.02)
        scale(tree["cases"][""]["frame"], 0.02)

    baseline = edited(out, tmp_path, faster)
    done = start(*RUN, "--out", tmp_path / "out", "--baseline", baseline, "--tolerance", 1)
    assert done.returncode == 3
    assert "slower" in done.stdout
    assert all(word in done.stdout for word in ("frame", "surface", "evolve+rows"))
    assert (tmp_path / "out" / "report.json").exists()


def test_other_settings_are_refused_before_the_first_frame(out: Path, tmp_path: Path) -> None:
    done = start(*RUN, "--set", "sea.seed=5", "--out", tmp_path / "out", "--baseline", out / "report.json")
    assert done.returncode == 2
    assert "sea.seed" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_another_renderer_is_refused_before_the_first_frame(out: Path, tmp_path: Path) -> None:
    baseline = edited(out, tmp_path, lambda tree: tree["gl"].update(renderer="Another Card"))
    done = start(*RUN, "--out", tmp_path / "out", "--baseline", baseline)
    assert done.returncode == 2
    assert "Another Card" in done.stderr
    assert done.stderr.count("\n") == 1
    assert "frame" not in done.stdout
    assert not (tmp_path / "out").exists()


# -- A matrix ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two backends at two sizes, one of which one of them can't run."""
    folder = tmp_path_factory.mktemp("matrix")
    axes = ("--matrix", "fft.backend=stockham-shared,dft", "fft.size=64,48")
    done = start(*SMALL, "--frames", 2, "--warmup", 1, *axes, "--out", folder, "--trace", folder / "trace.json")
    assert done.returncode == 0, done.stderr
    assert "fft.backend=stockham-shared,fft.size=48 did not run: stockham-shared: needs a power of two" in done.stdout
    return folder


CASES = ["fft.backend=stockham-shared,fft.size=64", "fft.backend=dft,fft.size=64", "fft.backend=dft,fft.size=48"]


def test_a_matrix_has_one_report_and_a_folder_a_case(matrix: Path) -> None:
    report = read_report(matrix / REPORT)
    assert list(report.cases) == CASES
    assert list(report.obstacles) == ["fft.backend=stockham-shared,fft.size=48"]
    assert sorted(path.name for path in matrix.iterdir()) == sorted([*CASES, REPORT, "trace.json"])
    for name, case in report.cases.items():
        assert name == f"fft.backend={case.settings['fft']['backend']},fft.size={case.settings['fft']['size']}"
        assert sorted(path.name for path in (matrix / name).iterdir()) == sorted(FILES)
        assert case.frame.gpu_ms.n == 2


def test_backends_of_a_matrix_draw_the_same_picture(matrix: Path) -> None:
    with Image.open(matrix / CASES[0] / "frame.png") as first, Image.open(matrix / CASES[1] / "frame.png") as second:
        difference = np.abs(np.asarray(first, np.float64) - np.asarray(second, np.float64))
    assert difference.mean() < 0.1


def test_a_matrix_of_nothing_that_runs_is_an_error(tmp_path: Path) -> None:
    done = start(
        *SMALL, "--matrix", "fft.size=48,60", "--set", "fft.backend=stockham-shared", "--out", tmp_path / "out"
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "fft.size=48: stockham-shared: needs" in done.stderr
    assert "fft.size=60: stockham-shared: needs" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_baseline_without_the_case_is_refused_before_the_first_frame(matrix: Path, tmp_path: Path) -> None:
    done = start(*RUN, "--out", tmp_path / "out", "--baseline", matrix / REPORT)
    assert done.returncode == 2
    assert "the baseline is of a matrix: fft.backend=" in done.stderr
    assert done.stdout == ""


# -- The trace ---------------------------------------------------------------------------------------------------------


def events(path: Path) -> list[dict[str, Any]]:
    tree = json.loads(path.read_text())
    assert tree["displayTimeUnit"] == "ms"
    return list(tree["traceEvents"])


def tracks(found: list[dict[str, Any]]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The slices of each track, by the names of its process and thread."""
    processes = {e["pid"]: e["args"]["name"] for e in found if e["name"] == "process_name"}
    threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in found if e["name"] == "thread_name"}
    slices: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for event in found:
        if event["ph"] != "M":
            place = event["pid"], event["tid"]
            slices.setdefault((processes[place[0]], threads[place]), []).append(event)
    return slices


@pytest.mark.parametrize("which", ["out", "matrix"])
def test_trace_keeps_to_the_format(which: str, request: pytest.FixtureRequest) -> None:
    folder: Path = request.getfixturevalue(which)
    report = read_report(folder / REPORT)
    found = events((folder.parent if which == "out" else folder) / "trace.json")
    slices = tracks(found)
    names = [name or "capture" for name in report.cases]
    assert list(slices) == [(name, track) for name in names for track in ("CPU", "GPU")]
    assert {event["ph"] for event in found} == {"M", "B", "E"}
    for (process, track), events_here in slices.items():
        times = [event["ts"] for event in events_here]
        assert times == sorted(times)
        assert times[0] >= 0
        open_slices: list[str] = []
        passes: list[str] = []
        for event in events_here:
            if event["ph"] == "B":
                open_slices.append(event["name"])
                passes += open_slices[1:]
            else:
                assert open_slices.pop() == event["name"]
            assert len(open_slices) <= 2
        assert open_slices == []
        case = report.cases["" if process == "capture" else process]
        count = case.frame.gpu_ms.n
        once = [*case.passes, "reference memory", "reference arithmetic"]
        assert passes == once * count, track
        assert sum(event["name"].startswith("frame ") for event in events_here) == 2 * count


def test_trace_says_how_long_each_pass_took(out: Path) -> None:
    _, case = lone(out)
    slices = tracks(events(out.parent / "trace.json"))
    for track, column in (("CPU", "cpu_ms"), ("GPU", "gpu_ms")):
        events_here = slices["capture", track]
        begins = [event for event in events_here if event["ph"] == "B" and event["name"] in case.passes]
        ends = [event for event in events_here if event["ph"] == "E" and event["name"] in case.passes]
        for name, record in case.passes.items():
            took = [e["ts"] - b["ts"] for b, e in zip(begins, ends, strict=True) if b["name"] == name]
            assert statistics.median(took) * 1e-3 == pytest.approx(getattr(record, column).median, abs=1e-5)
    spans = [event["ts"] for event in slices["capture", "CPU"]]
    gpu = [event["ts"] for event in slices["capture", "GPU"]]
    assert abs(spans[0] - gpu[0]) < 1e6  # both clocks start together
    assert slices["capture", "GPU"][1]["args"]["dispatches"] >= 1


# -- Where it can't go on ----------------------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_written_is_an_error_before_the_first_frame(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = start(*RUN, "--out", tmp_path / "file" / "out")
    assert done.returncode == 2
    assert "can't write to" in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_picture_beyond_the_gpu_is_refused(tmp_path: Path) -> None:
    code = "import ocean.capture as c, dataclasses; limits = c.limits\n"
    code += "c.limits = lambda ctx: dataclasses.replace(limits(ctx), texture_size=128)\n"
    done = broken(code, tmp_path)
    assert done.returncode == 2
    assert "up to 128x128, not 160x90" in done.stderr


def test_no_opengl_is_said_in_one_sentence(tmp_path: Path) -> None:
    done = broken("import ocean.gpu.context as c; c.HEADLESS_BACKENDS = ('nothing',)", tmp_path)
    assert done.returncode == 4
    assert done.stderr.startswith("ocean: No OpenGL 4.3 context could be made.")
    assert done.stderr.count("\n") == 1


BREAKS = {
    "interrupted": ("c.CaptureWindow._take = fail(KeyboardInterrupt())", 130),
    "disk full": ("c.write_frames = fail(OSError(errno.ENOSPC, 'No space left on device'))", 2),
}


@pytest.mark.parametrize("name", BREAKS)
def test_nothing_is_left_half_written(tmp_path: Path, name: str) -> None:
    line, status = BREAKS[name]
    code = f"import errno, ocean.capture as c\ndef fail(e):\n  def f(*a): raise e\n  return f\n{line}\n"
    done = broken(code, tmp_path)
    assert done.returncode == status
    assert list(tmp_path.iterdir()) == []


def broken(code: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """A capture after `code` has changed the program."""
    arguments = ["ocean", "capture", *RUN, "--out", str(folder)]
    script = f"{code}\nimport sys; from ocean.cli import main; sys.argv = {arguments!r}; main()"
    command = [sys.executable, "-c", script]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


# -- Parts -------------------------------------------------------------------------------------------------------------


def test_time_moves_in_fixed_steps() -> None:
    timer = FixedStep(start=5.0, fps=30.0)
    assert timer.next_frame() == (5.0, 0.0)
    steps = [timer.next_frame() for _ in range(3000)]
    assert steps[-1] == (5.0 + 3000 / 30, 1 / 30)  # no error adds up
    timer.time = 6.0
    assert timer.next_frame()[0] == 6.0


def test_a_backend_that_cannot_run_has_no_times() -> None:
    row = backend_record(Result("stockham-shared", obstacle="too little shared memory"))
    assert (row.obstacle, row.gpu_ms, row.relative_error) == ("too little shared memory", None, None)
    wrong = Result("numpy", relative_error=float("nan"), wrong_values=7, gpu_samples=[1.0], cpu_samples=[0.1])
    assert (backend_record(wrong).relative_error, backend_record(wrong).wrong_values) == (None, 7)


def test_axes_multiply() -> None:
    assert choices([]) == {"": {}}
    assert list(choices(["fft.size=64, 128", "config=configs/ci.toml,gale"])) == [
        "fft.size=64,config=ci",
        "fft.size=64,config=gale",
        "fft.size=128,config=ci",
        "fft.size=128,config=gale",
    ]
    assert choices(["sea.wind.spectrum.path=a/b"]) == {"sea.wind.spectrum.path=a_b": {"sea.wind.spectrum.path": "a/b"}}


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        (["fft.size"], "is not of the form key.path=value,value"),
        (["=1,2"], "is not of the form"),
        (["fft.size=1,,2"], "is not of the form"),
        (["fft.size=1", "fft.size=2"], "fft.size comes twice"),
        (["config=a/x.toml,b/x.toml"], "two cases have the same name"),
    ],
)
def test_axes_that_make_no_sense(axes: list[str], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        choices(axes)
