"""The README's table of backends, and the page on speed, are what a bench says."""

import re
from datetime import UTC, datetime

import pytest

from docs import speed_table
from docs.backend_table import README, made_again, with_table
from docs.speed_table import PAGE
from ocean.bench.rows import Bench, BenchError, Row, read_json, with_winners
from ocean.fft import BACKENDS
from ocean.report import host_facts, program_facts


def row(name, milliseconds, **more):
    return Row(
        workload="ocean",
        name=name,
        size=512,
        batch=4,
        median_ms=milliseconds,
        p95_ms=milliseconds * 1.1,
        relative_l2=1e-7,
        is_right=True,
        **more,
    )


@pytest.fixture
def bench():
    rows = [
        row("cooley-tukey-stages", 0.4, dispatches=18),
        row("stockham-registers", 0.02, dispatches=2),
        row("auto", 0.02, dispatches=2),
        row("cufft", 0.01, kind="peer", options="graph"),
        row("numpy", 40.0, dispatches=0),
        row("copy", 0.005, kind="copy"),
        Row(workload="ocean", name="dft", size=512, batch=4, obstacle="sums"),
    ]
    return Bench(
        created=datetime.now(UTC),
        program=program_facts(),
        gl=None,
        host=host_facts(),
        clock="gpu",
        clock_reason="",
        command="",
        seconds=1,
        rows=with_winners(rows),
    )


BEGIN, END = "<!-- backend-table -->\n", "<!-- /backend-table -->"


def test_the_table_stands_between_its_marks(bench):
    text = with_table(f"before\n{BEGIN}old\n{END}\nafter\n", bench, "there/bench.json", 512)
    assert text.startswith("before\n<!-- backend-table there/bench.json 512 -->\n| backend | algorithm |")
    assert text.endswith(f"{END}\nafter\n")
    lines = text.splitlines()[4:-4]
    summary = BACKENDS["cooley-tukey-stages"].summary
    assert lines[0] == f"| `cooley-tukey-stages` | {summary} | 18 | 0.4000 ms | 0.4400 ms | 1.00 | 1.0e-07 |"
    assert lines[1].startswith("| `stockham-registers` |")
    assert "| 20.00 |" in lines[1]
    assert lines[2].startswith("| **`cufft`** | cuFFT through CuPy (graph) |  | 0.0100 ms |")
    assert lines[3].startswith("| `numpy` |")
    assert "| 1/100 |" in lines[3]
    assert len(lines) == 4
    assert with_table(text, bench, "there/bench.json", 512) == text


def test_what_is_not_there_is_said(bench):
    with pytest.raises(BenchError, match="no ocean of 256"):
        with_table(f"{BEGIN}{END}", bench, "", 256)
    with pytest.raises(BenchError, match="no marks"):
        with_table("text", bench, "", 512)
    with pytest.raises(BenchError, match="no mark names a report"):
        made_again(f"{BEGIN}{END}")


def test_the_readme_says_what_its_report_does():
    text = README.read_text(encoding="utf-8")
    assert made_again(text) == text


def test_the_page_on_speed_says_what_its_report_does():
    text = PAGE.read_text(encoding="utf-8")
    (report,) = re.findall(r"one run\]\((\S+)\)", text)
    found = read_json(PAGE.parent / report)
    assert speed_table.with_table(text, speed_table.Rows(found.rows, found.noise)) == text
