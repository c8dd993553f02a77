"""Captures of several cases, and the time line of one or several."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from ocean.capture.report import Report
from ocean.capture.run import FILES, REPORT, choices
from ocean.common.errors import InputError
from tests.messages import assert_refused, naming, unnamed

from ..captures import RUN, SMALL, Command
from ..conftest import hasty_captures


@pytest.fixture(scope="module")
def matrix(ocean_here: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a matrix of two backends and two sizes, where one backend can't run one of the sizes."""
    folder = tmp_path_factory.mktemp("matrix")
    axes = ("--matrix", "fft.backend=stockham-shared,dft", "fft.size=64,48")
    few = "--resolution", "64x36", "--frames", 2, "--warmup", 1
    with hasty_captures():
        done = ocean_here("capture", *SMALL, *few, *axes, "--out", folder, "--trace", folder / "trace.json")
    assert done.returncode == 0, done.stderr
    assert unnamed(done.stdout, "fft.size=48 fft.backend stockham-shared fft.size 48") == []
    return folder


CASES = ["fft.backend=stockham-shared,fft.size=64", "fft.backend=dft,fft.size=64", "fft.backend=dft,fft.size=48"]


def test_a_matrix_has_one_report_and_a_folder_a_case(matrix: Path) -> None:
    report = Report.read(matrix / REPORT)
    assert list(report.cases) == CASES
    assert list(report.obstacles) == ["fft.backend=stockham-shared,fft.size=48"]
    assert sorted(path.name for path in matrix.iterdir()) == sorted([*CASES, REPORT, "trace.json"])
    for name, case in report.cases.items():
        assert name == f"fft.backend={case.settings['fft']['backend']},fft.size={case.settings['fft']['size']}"
        assert sorted(path.name for path in (matrix / name).iterdir()) == sorted(FILES)
        assert case.frame.samples == 2


def test_backends_of_a_matrix_draw_the_same_picture(matrix: Path) -> None:
    with Image.open(matrix / CASES[0] / "frame.png") as first, Image.open(matrix / CASES[1] / "frame.png") as second:
        difference = np.abs(np.asarray(first, np.float64) - np.asarray(second, np.float64))
    assert difference.mean() < 0.1


def test_a_matrix_without_runnable_cases_is_an_error(ocean_here: Command, tmp_path: Path) -> None:
    done = ocean_here(
        "capture",
        *SMALL,
        "--matrix",
        "fft.size=48,60",
        "--set",
        "fft.backend=stockham-shared",
        "--out",
        tmp_path / "out",
    )
    assert_refused(done, "fft.size 48 60")
    assert not (tmp_path / "out").exists()


def test_a_baseline_without_the_case_is_refused_before_the_first_frame(
    ocean_here: Command, matrix: Path, tmp_path: Path
) -> None:
    done = ocean_here("capture", *RUN, "--out", tmp_path / "out", "--baseline", matrix / REPORT)
    assert_refused(done, "baseline", *CASES)
    assert done.stdout == ""


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
    ("axes", "named"),
    [
        (["fft.size"], "key.path=value,value"),
        (["=1,2"], "key.path=value,value"),
        (["fft.size=1,,2"], "key.path=value,value"),
        (["fft.size=1", "fft.size=2"], "fft.size twice"),
        (["config=a/x.toml,b/x.toml"], "same name"),
        ([f"a.{n}={','.join(map(str, range(100)))}" for n in range(8)], "1e+16 10000"),
    ],
)
def test_impossible_axes_are_refused(axes: list[str], named: str) -> None:
    with pytest.raises(InputError, match=naming(named)):
        choices(axes)


# -- The trace ---------------------------------------------------------------------------------------------------------


def events(path: Path) -> list[dict[str, Any]]:
    tree = json.loads(path.read_text())
    assert tree["displayTimeUnit"] == "ms"
    return list(tree["traceEvents"])


def tracks(found: list[dict[str, Any]]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Return the slices of each track, by the names of its process and thread."""
    processes = {e["pid"]: e["args"]["name"] for e in found if e["name"] == "process_name"}
    threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in found if e["name"] == "thread_name"}
    slices: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for event in found:
        if event["ph"] != "M":
            place = event["pid"], event["tid"]
            slices.setdefault((processes[place[0]], threads[place]), []).append(event)
    return slices


def test_trace_keeps_to_the_format(matrix: Path) -> None:
    report = Report.read(matrix / REPORT)
    found = events(matrix / "trace.json")
    slices = tracks(found)
    assert list(slices) == [(name, track) for name in report.cases for track in ("CPU", "GPU")]
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
        case = report.cases[process]
        count = case.frame.samples
        once = [*case.passes, "reference memory", "reference arithmetic"]
        assert passes == once * count, track
        assert sum(event["name"].startswith("frame ") for event in events_here) == 2 * count
