"""Reports side by side: both kinds, what can't be compared, tables and exit statuses."""

import json
import re
import subprocess
import sys
import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from ocean.bench.rows import Bench
from ocean.capture.compare import DONE, INCONCLUSIVE, REGRESSION, medians
from ocean.capture.compare import diff as diff_runs
from ocean.capture.report import Report
from ocean.cli.file_commands import read_run
from ocean.common.errors import InputError
from ocean.settings import Settings, to_tree, with_values
from tests.messages import naming, unnamed
from tests.reports import GL, make_case, make_report


def diff(before: Path, now: Path, tolerance: float, **options: bool) -> int:
    return diff_runs(read_run(before), read_run(now), tolerance, **options)


def written(path: Path, report: Report) -> Path:
    report.write(path)
    return path


def made_bench(machine: float = 1.0, **changes: Any) -> Bench:
    """Return a bench of two backends at one size and a copy of the same data; `changes` are factors of single ones."""
    common = {"workload": "ocean", "size": 64, "batch": 12, "storage": "RGBA32F"}
    times = {"four-step": 0.2, "dft": 0.9, "copy": 0.1}
    rows = [
        common
        | {"name": name, "kind": "copy" if name == "copy" else "backend"}
        | {"samples_ms": [ms * machine * changes.get(name.replace("-", "_"), 1.0)] * 9}
        for name, ms in times.items()
    ]
    rows.append(common | {"name": "bluestein", "kind": "backend", "obstacle": "too long", "samples_ms": []})
    report = make_report()
    facts = {"created": report.created, "program": report.program, "gl": report.gl, "host": report.host}
    facts |= {"clock": "gpu", "clock_reason": None, "command": "", "seconds": 1.0}
    return Bench(**facts, rows=rows)


def bench(path: Path, **changes: Any) -> Path:
    made_bench(**changes).write(path)
    return path


@pytest.fixture
def before(tmp_path: Path) -> Path:
    return written(tmp_path / "before.json", make_report())


def test_a_regression_is_named_and_has_its_status(
    before: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    now = written(tmp_path / "now.json", make_report(rows=1.6))
    assert diff(before, now, 0.25) == REGRESSION
    out = capsys.readouterr().out
    assert unnamed(out, "Slower 25% 95% rows.") == []
    assert "+60.0% to +60.0%" in out
    assert diff(before, now, 0.7) == DONE
    assert diff(now, before, 0.25) == DONE


def test_a_bench_is_compared_against_its_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    was, now = bench(tmp_path / "was.json"), bench(tmp_path / "now.json", machine=3.0, dft=1.5)
    assert diff(was, now, 0.25) == REGRESSION
    out = capsys.readouterr().out
    assert unnamed(out, "ocean transform, 12 of 64 × 64, inverse, RGBA32F: dft. 3 x") == []
    assert diff(was, bench(tmp_path / "same.json", machine=0.5), 0.01) == DONE


def test_variants_of_a_backend_stay_apart(tmp_path: Path) -> None:
    path = bench(tmp_path / "bench.json")
    tree = json.loads(path.read_text())
    tree["rows"].append(tree["rows"][0] | {"options": "radix=2"})
    path.write_text(json.dumps(tree))
    (series,) = read_run(path).groups.values()
    assert list(series.samples) == ["four-step", "dft", "four-step radix=2"]
    assert list(series.fixed) == ["copy"]


def test_markdown_has_a_table_for_each_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    was = written(tmp_path / "was.json", make_report(("a", make_case()), ("b", make_case()), ("c", make_case())))
    now = written(tmp_path / "now.json", make_report(("a", make_case()), ("b", make_case(shading=2.0))))
    assert diff(was, now, 0.25, as_markdown=True) == REGRESSION
    lines = capsys.readouterr().out.splitlines()
    assert unnamed(lines[0], "Slower 25% 95% `b`: `frame`, `shading`.") == []
    assert [line for line in lines if line.startswith("####")] == ["#### `a`", "#### `b`"]
    tables = [line for line in lines if line.startswith("|")]
    (slower,) = (line for line in tables if unnamed(line, "`shading` slower") == [])
    assert unnamed(slower, "10 20 1 x +100.0% 0.0%") == []
    assert len({line.count("|") for line in tables}) == 1
    assert unnamed(lines[-1], "`c`") == []


def test_other_settings_are_named(before: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = with_values(Settings(), {"fft.size": 64, "fft.backend": "dft"})
    case = make_case().model_copy(update={"settings": to_tree(settings)})
    assert diff(before, written(tmp_path / "now.json", make_report(("", case))), 0.25) == DONE
    assert unnamed(capsys.readouterr().out, "settings fft.backend auto → dft, fft.size 512 → 64") == []


UNTIMED = tuple(row.model_copy(update={"samples_ms": ()}) for row in make_case().rows)
OTHERS: dict[str, Any] = {
    "another renderer": make_report().model_copy(update={"gl": GL.model_copy(update={"renderer": "Other"})}),
    "by the gpu clock": make_report(clock="wall"),
    "nothing in common": make_report(("a", make_case())),
    "no times in common": make_report(("", make_case().model_copy(update={"rows": UNTIMED}))),
    naming("capture bench"): made_bench(),
}


@pytest.mark.parametrize("reason", OTHERS)
def test_reports_of_other_things_are_refused(before: Path, tmp_path: Path, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        diff(before, written(tmp_path / "now.json", OTHERS[reason]), 0.25)


def changed(report: Any, old: str = "", new: str = "") -> str:
    """Return a report as text, with a part replaced."""
    text = report.model_dump_json()
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "can't read"),
        ("no json", "not report version 3"),
        ("[]", "not report version 3"),
        ('{"schema_version": 1}', "version 1 3"),
        ('{"schema_version": 2}', "version 2 3"),
        ('{"schema_version": 4}', "version 4 3"),
        (changed(make_report(), '"name":"frame"', '"name":"frames"'), "no row of the frame"),
        ('{"rows": []}', "not bench version 1 created"),
        ('{"rows": 1, "program": {}}', "not bench version 1"),
        (f'{{"rows": [{"{}," * 2_500_000}{{}}]}}', "more than quotes commas brackets"),
        (changed(made_bench(), '"schema_version":1', '"schema_version":9'), "version 9 1"),
        (re.sub(r'"samples_ms":[^]]*]', '"samples_ms":[]', changed(made_bench())), "holds no samples"),
    ],
)
def test_files_that_cannot_be_compared_are_refused(tmp_path: Path, text: str | None, words: str) -> None:
    if text is not None:
        (tmp_path / "a.json").write_text(text)
    with pytest.raises(InputError, match=naming(words)) as caught:
        diff(tmp_path / "a.json", tmp_path / "a.json", 0.25)
    assert "\n" not in str(caught.value)


def test_a_million_wrong_rows_fit_three_gigabytes(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(f'{{"rows": [{"{}," * 1_000_000}{{}}]}}')
    line = f"ulimit -v 3000000; {sys.executable} -m ocean report diff {tmp_path}/a.json {tmp_path}/a.json"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "created" in done.stderr


def test_words_of_a_report_do_not_command_the_terminal(before: Path, tmp_path: Path) -> None:
    now = tmp_path / "now.json"
    report = json.loads(before.read_text(encoding="utf-8"))
    report["program"]["version"] = "\x1b[31m"
    now.write_text(json.dumps(report), encoding="utf-8")
    with pytest.raises(InputError, match=naming("now.json control characters")):
        diff(before, now, 0.1)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("samples", [[1e308] * 8, [5e-324] * 8, [-1.0] * 8, [1e-9, 1e12] * 4, []], ids=str)
@pytest.mark.parametrize("kinds", [("pass", "frame"), ("reference",), ("pass", "frame", "reference")], ids=str)
def test_absurd_samples_are_refused_or_judged(
    before: Path, tmp_path: Path, samples: list[float], kinds: tuple[str]
) -> None:
    report = json.loads(before.read_text(encoding="utf-8"))
    for case in report["cases"].values():
        for row in case["rows"]:
            row["samples_ms"] = samples if row["kind"] in kinds else row["samples_ms"]
    now = tmp_path / "now.json"
    now.write_text(json.dumps(report), encoding="utf-8")
    for pair in ((before, now), (now, before), (now, now)):
        with suppress(InputError):
            assert diff(*pair, 0.25) in (DONE, REGRESSION, INCONCLUSIVE)


def test_long_captures_take_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """All draws of 3000 frames are 96 MB, and as much again are their samples."""
    frames = np.random.default_rng(1).random(3000)
    tracemalloc.start()
    found = medians(frames, 1)
    assert tracemalloc.get_traced_memory()[1] < 48e6
    tracemalloc.stop()
    monkeypatch.setattr("ocean.capture.compare.MOST_DRAWN", 7777)
    assert_array_equal(medians(frames, 1), found)


HOSTILE = "x\u202ey\u2028[bold red]<img src=//e.example>|@everyone`"


def test_names_of_a_report_have_no_effect_where_they_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Marks of direction and line breaks are escaped, Rich shows markup as it is, and in Markdown names are code."""
    paths = []
    for number, factor in enumerate((1.0, 2.0)):
        report = make_report((HOSTILE, make_case(shading=factor)))
        tree = json.loads(report.model_dump_json().replace("shading", json.dumps(HOSTILE)[1:-1]))
        paths.append(tmp_path / f"{number}.json")
        paths[-1].write_text(json.dumps(tree), encoding="utf-8")
    assert diff(*paths, 0.25) == REGRESSION
    shown = capsys.readouterr().out
    assert "[bold red]" in shown
    assert "\\u202e" in shown
    assert not {"\u202e", "\u2028"} & set(shown)
    assert diff(*paths, 0.25, as_markdown=True) == REGRESSION
    text = re.sub(r"`[^`\n]*`", "", capsys.readouterr().out)
    assert not re.search(r"[<@\u202e\u2028]", text)
