"""Reports, files and baselines, without a GPU."""

import csv
import dataclasses
import json
import re
import shutil
import statistics
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ocean.capture.compare import compare
from ocean.capture.report import Report, write_frames
from ocean.common.facts import command_line, host_facts, program_facts
from ocean.common.records import Measured, sampled
from ocean.gpu.timing import FrameTimes, PassTime
from tests.reports import GL, PASSES, SAMPLES, make_case, make_report

ROOT = Path(__file__).parents[2]

# -- Statistics --------------------------------------------------------------------------------------------------------


def test_statistics_agree_with_the_standard_library() -> None:
    samples = [3.0, 1.0, 4.0, 1.5, 9.0, 2.6, 5.3, 5.8, 9.7, 9.3, 2.3]
    row = Measured(name="", kind="pass", **sampled(samples))
    cuts = statistics.quantiles(samples, n=100, method="inclusive")
    assert (row.samples, row.min_ms, row.samples_ms) == (11, 1.0, tuple(samples))
    assert row.median_ms == statistics.median(samples)
    assert row.mean_ms == pytest.approx(statistics.mean(samples))
    assert (row.p5_ms, row.p95_ms) == pytest.approx((cuts[4], cuts[94]))


# -- The record --------------------------------------------------------------------------------------------------------


def test_report_survives_its_file(tmp_path: Path) -> None:
    report = make_report()
    report.write(tmp_path / "report.json")
    assert Report.read(tmp_path / "report.json") == report
    assert json.loads((tmp_path / "report.json").read_text())["schema_version"] == 3


def record_of_version_2(ms: float, **more: Any) -> dict[str, Any]:
    return {"gpu_samples_ms": [ms] * SAMPLES, "cpu_ms": {"median": 0.1 * ms}, **more}


def test_a_report_of_schema_version_2_is_read_and_compared(tmp_path: Path) -> None:
    """Records of the frame, the passes, the reference workload and the backends become rows."""
    new = make_report()
    tree = json.loads(new.model_dump_json()) | {"schema_version": 2}
    tree["cases"][""] = {
        "settings": tree["cases"][""]["settings"],
        "frame": record_of_version_2(sum(PASSES.values()), wall_samples_ms=[14.0] * SAMPLES),
        "passes": {name: record_of_version_2(ms, dispatches=1, bytes_moved=8) for name, ms in PASSES.items()},
        "reference": {"memory": record_of_version_2(3.0), "arithmetic": record_of_version_2(2.0)},
        "backends": [{"backend": "dft", "gpu_ms": 1.0, "cpu_ms": 0.5, "relative_error": 1e-7, "wrong_values": 0}],
    }
    (tmp_path / "report.json").write_text(json.dumps(tree))
    report = Report.read(tmp_path / "report.json")
    (case,), (same,) = report.cases.values(), new.cases.values()
    for row, expected in zip((case.frame, *case.passes.values()), (same.frame, *same.passes.values()), strict=True):
        assert (row.name, row.samples_ms) == (expected.name, expected.samples_ms)
        assert row.submit_us == pytest.approx(expected.submit_us)
    (backend,) = case.of_kind("backend").values()
    assert (backend.name, backend.median_ms, backend.submit_us, backend.relative_l2) == ("dft", 1.0, 500.0, 1e-7)
    (series,) = report.groups().values()
    assert list(series.fixed) == ["reference memory", "reference arithmetic"]
    assert "frame with host" not in series.samples  # it counts by the wall clock only
    assert not compare(new.groups(), report.groups(), 0.1)[""].of("slower")


def test_newer_reports_of_the_version_may_know_more(tmp_path: Path) -> None:
    tree = json.loads(make_report().model_dump_json()) | {"novelty": 1}
    (tmp_path / "report.json").write_text(json.dumps(tree))
    assert Report.read(tmp_path / "report.json").gl == GL


def test_packages_that_a_bench_measures_are_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The record has every installed package of the extras for peers, and CuPy under its plain name."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    peers = {re.split(r"[<>=]", one)[0] for one in (*extras["cpu"], *extras["cuda"])}
    assert len(peers) > 2
    monkeypatch.setattr("ocean.common.facts.package_version", lambda name: "" if name == "scipy" else "2.5")
    packages = host_facts().packages
    assert dict.fromkeys([*peers, "cupy", "numpy"], "2.5").items() <= packages.items()
    assert "scipy" not in packages


def test_a_recorded_command_names_no_folder_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["ocean", "bench", "--out", str(tmp_path / "here is" / "one"), "--peers", "a,b"])
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None)  # as in an entry point
    assert command_line() == "ocean bench --out one --peers a,b"
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", SimpleNamespace(name="tools.bench"))
    assert command_line() == "python -m tools.bench bench --out one --peers a,b"


@pytest.mark.skipif(shutil.which("git") is None, reason="no git")
def test_the_commit_of_the_checkout_is_recorded(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=x", "-c", "user.email=x@y", "-c", "commit.gpgsign=false")
        command = ["git", "-C", str(tmp_path), *identity, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init")
    (tmp_path / "file").write_text("a")
    git("add", "file")
    git("commit", "-m", "a")
    assert (program_facts(tmp_path).git_commit, program_facts(tmp_path).git_modified) == (
        git("rev-parse", "HEAD"),
        False,
    )
    (tmp_path / "file").write_text("b")
    assert program_facts(tmp_path).git_modified is True
    (tmp_path / "inside").mkdir()
    assert program_facts(tmp_path / "inside").git_commit is None  # somebody else's checkout


def test_frames_may_differ_in_their_passes(tmp_path: Path) -> None:
    fixed = {"reference memory": PassTime(3.0, 0.1)}
    more: dict[str, Any] = {"reference": ["reference memory"], "wall_ms": 9.0}
    frames = [
        FrameTimes(7, {"evolve": PassTime(1.0, 0.5), **fixed}, 0.5, **more),
        FrameTimes(8, {"amplitudes": PassTime(4.0, 0.2), "evolve": PassTime(2.0, 0.5), **fixed}, 0.6, **more),
    ]
    write_frames(tmp_path / "frames.csv", frames)
    with (tmp_path / "frames.csv").open() as file:
        first, second = csv.DictReader(file)
    assert (first["frame"], first["amplitudes gpu_ms"], first["evolve gpu_ms"]) == ("7", "", "1.0")
    assert (second["gpu_ms"], second["amplitudes cpu_ms"], second["reference memory gpu_ms"]) == ("6.0", "0.2", "3.0")


# -- The plot ----------------------------------------------------------------------------------------------------------


BACKENDS = (
    Measured(
        name="stockham-radix2",
        kind="backend",
        dispatches=2,
        median_ms=1.0,
        p95_ms=1.5,
        submit_us=100.0,
        gb_per_s=20.0,
        speedup=1.0,
        wrong_values=3,
    ),
    Measured(name="stockham-shared", kind="backend", obstacle="shared memory is short"),
)


def test_plots_are_drawn_of_any_report(tmp_path: Path) -> None:
    from PIL import Image

    from ocean.capture.plots import write_timings

    case = make_case()
    report = make_report(("", case.model_copy(update={"rows": (*case.rows, *BACKENDS)})))
    times = {name: PassTime(ms, ms / 10) for name, ms in PASSES.items()}
    frame = FrameTimes(10, times, wall_ms=14.0)
    straggler = dataclasses.replace(frame, index=11, passes={**times, "shading": PassTime(900.0, 1.0)})
    for made in (report, make_report()):
        write_timings(tmp_path / "timings.png", made, "", [frame, straggler])
        with Image.open(tmp_path / "timings.png") as image:
            assert image.width > 1000
