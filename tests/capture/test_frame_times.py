"""The script that CI runs: its exit status, its output, and its call in the workflow."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from ocean.capture.report import Report
from tests.messages import unnamed
from tests.reports import GL, make_case, make_report

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / ".ci" / "frame-times"
WORKFLOW = ROOT / ".github" / "workflows" / "frame-times.yml"


def run(folder: Path, baseline: Report | None, *captures: Report, fixed: Report | None = None) -> tuple[int, str, int]:
    """Run the workflow's script with the real comparison and these captures, one after the other. Return its status,
    its comment and how many captures it made."""
    if baseline is not None:
        baseline.write(folder / "baseline.json")
    for number, report in enumerate(captures):
        report.write(folder / f"{number}.json")
    python = folder / "python"
    python.write_text(f"""#!/bin/sh
if [ "$2" != capture ]; then exec {shlex.quote(sys.executable)} "$@"; fi
while [ "$1" != --out ]; do shift; done
made=$(cat {folder}/made 2>/dev/null || echo 0)
mkdir -p "$2" && cp {folder}/$made.json "$2/report.json" && echo $((made + 1)) >{folder}/made
""")
    python.chmod(0o755)
    command = [SCRIPT, folder / "baseline.json", folder / "out"]
    if fixed is not None:
        fixed.write(folder / "fixed.json")
        command += ["0.5", folder / "fixed.json"]
    environment = {"PATH": "/usr/bin:/bin", "PYTHON3": str(python)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert "Traceback" not in done.stderr
    comment = (folder / "out" / "comment.md").read_text()
    assert comment in done.stdout
    return done.returncode, comment, int((folder / "made").read_text())


def test_the_first_run_has_nothing_to_compare(tmp_path: Path) -> None:
    status, comment, made = run(tmp_path, None, make_report())
    assert (status, made) == (0, 1)
    assert unnamed(comment, "no baseline") == []


def test_frame_times_slower_in_both_runs_fail(tmp_path: Path) -> None:
    status, comment, made = run(tmp_path, make_report(), make_report(shading=1.6), make_report(shading=1.7))
    assert (status, made) == (3, 2)
    assert unnamed(comment, "Slower 50% 95% `frame`, `shading`.") == []
    assert "+70.0%" in comment


def test_frame_times_slower_in_one_run_pass(tmp_path: Path) -> None:
    status, _, made = run(tmp_path, make_report(), make_report(shading=1.6), make_report())
    assert (status, made) == (0, 2)


def test_steps_that_add_up_fail_against_the_fixed_baseline(tmp_path: Path) -> None:
    now = make_report(shading=1.4**2)
    status, comment, made = run(tmp_path, make_report(shading=1.4), now, now, fixed=make_report())
    assert (status, made) == (3, 2)
    assert unnamed(comment.partition("fixed")[2], "Slower `shading`.") == []


def test_what_noise_hides_is_said_and_no_failure(tmp_path: Path) -> None:
    case = make_case(shading=1.6)
    rows = [
        row.model_copy(update={"samples_ms": tuple(ms * (1 + place) for place, ms in enumerate(row.samples_ms))})
        if row.name in ("shading", "frame")
        else row
        for row in case.rows
    ]
    noisy = make_report(("", case.model_copy(update={"rows": tuple(rows)})))
    status, comment, made = run(tmp_path, noisy, noisy)
    assert (status, made) == (0, 1)
    assert "**Inconclusive" in comment


def test_a_baseline_of_another_renderer_is_no_failure(tmp_path: Path) -> None:
    other = make_report().model_copy(update={"gl": GL.model_copy(update={"renderer": "Other"})})
    status, comment, _ = run(tmp_path, other, make_report())
    assert status == 0
    assert unnamed(comment, "Nothing compared another renderer") == []


COMPARE = ROOT / ".ci" / "compare-frame-times"


@pytest.mark.parametrize("count", [1, 2000])
def test_a_forged_report_makes_no_other_comment(tmp_path: Path, count: int) -> None:
    """Names are code, whatever they hold, and a comment that would be too long for GitHub ends after a whole line."""
    hostile = r"x\|`<img src=//e.example>|@everyone" + "\n\n# Approved\n"
    texts = []
    for factor in (1.0, 2.0):
        case = make_case(shading=factor)
        shading = next(row for row in case.rows if row.name == "shading")
        named = [shading.model_copy(update={"name": f"{place} {hostile}"}) for place in range(count)]
        report = make_report((hostile, case.model_copy(update={"rows": (*case.rows, *named)})))
        texts.append(report.model_dump_json().replace('"Maker"', json.dumps(hostile)))
    texts.append(make_report((hostile, make_case())).model_dump_json())  # of another renderer
    paths = [tmp_path / f"{number}.json" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    for baseline, status in ((paths[0], 3), (paths[2], 0), (tmp_path / "none.json", 0)):
        environment = {"PATH": "/usr/bin:/bin", "PYTHON3": sys.executable}
        command = [COMPARE, baseline, paths[1]]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stderr
        assert len(done.stdout) < 65_536
        assert not re.search(r"[<@]|^# ", re.sub(r"`[^`\n]*`", "", done.stdout), re.MULTILINE)


@pytest.mark.parametrize(("report", "tolerance"), [("0.json", "5%"), ("0.json", "50"), ("none.json", "0.5")])
def test_a_mistake_in_the_command_is_no_pass(tmp_path: Path, report: str, tolerance: str) -> None:
    make_report().write(tmp_path / "0.json")
    environment = {"PATH": "/usr/bin:/bin", "PYTHON3": sys.executable}
    command = [COMPARE, tmp_path / "0.json", tmp_path / report, tolerance]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, "Nothing" in done.stdout) == (2, False)
    assert report in done.stderr or tolerance in done.stderr


def test_the_workflow_calls_existing_commands() -> None:
    workflow = yaml.safe_load(WORKFLOW.read_text())
    (job,) = workflow["jobs"].values()
    lines = [step["run"] for step in job["steps"] if "run" in step]
    assert sum(line.startswith(".ci/frame-times ") for line in lines) == 1
    assert SCRIPT.stat().st_mode & 0o100
    makefile = (ROOT / "Makefile").read_text()
    assert all(f"\n{line.split()[1]}:" in makefile for line in lines if line.startswith("make "))
    named = {name for line in lines for name in re.findall(r"\$\{?([A-Z_]+)", line)}
    known = {*job["env"], *(name for step in job["steps"] for name in step.get("env", {})), "GITHUB_STEP_SUMMARY"}
    assert named <= known
