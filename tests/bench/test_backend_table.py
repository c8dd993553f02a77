"""The README's table of backends, and the pages on them and on speed, are what a bench says."""

import re
from datetime import UTC, datetime

import pytest

from ocean.bench.rows import Bench, BenchError, Row, read_json, with_winners
from ocean.common.facts import host_facts, program_facts
from ocean.fft import BACKENDS
from tools import backend_table, speed_table
from tools.backend_table import README, ROOT, named, transforms, with_table, with_times
from tools.speed_table import PAGE


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
        named(f"{BEGIN}{END}")


def test_times_stand_by_size(bench):
    slow = bench.rows[0].model_copy(update={"size": 64, "median_ms": 0.00123})
    both = bench.model_copy(update={"rows": (*bench.rows, slow)})
    text = with_times("<!-- time-table -->\n<!-- /time-table -->", both)
    assert text.splitlines()[1:4] == [
        "| ms | N = 64 | N = 512 |",
        "| --- | ---: | ---: |",
        "| `cooley-tukey-stages` | **0.00123** | 0.4 |",
    ]
    assert "| `cufft`, graph |  | **0.01** |" in text
    assert "auto" not in text
    assert "dft" not in text


@pytest.fixture(scope="module")
def report():
    """That the README names."""
    path, size = named(README.read_text(encoding="utf-8"))
    return read_json(ROOT / path), path, size


def test_the_readme_says_what_its_report_does(report):
    text = README.read_text(encoding="utf-8")
    assert with_table(text, *report) == text


def test_the_page_on_backends_says_what_the_same_report_does(report):
    text = backend_table.PAGE.read_text(encoding="utf-8")
    assert with_times(text, report[0]) == text


SIZES = (256, 512, 1024, 2048)
IN_IMAGES = ("naive", "cooley-tukey-stages", "cooley-tukey", "natural-order", "stockham-radix2", "stockham-radix4")


@pytest.mark.parametrize(
    ("fast", "slow", "sizes"),
    [
        ("cooley-tukey-stages", ("naive",), SIZES),
        ("cooley-tukey-stages", ("cooley-tukey",), (2048,)),
        ("cooley-tukey", ("cooley-tukey-stages",), (256, 512)),
        ("stockham-radix2", ("cooley-tukey", "natural-order"), SIZES),
        ("stockham-radix4", ("stockham-radix2",), SIZES),
        ("stockham-shared", IN_IMAGES, SIZES),
        ("stockham-shared", ("digit-reversal",), (256, 512, 1024)),
        ("digit-reversal", ("stockham-shared",), (2048,)),
        ("stockham-global", ("stockham-radix4",), (512, 1024, 2048)),
        ("four-step", ("stockham-global",), SIZES),
        ("stockham-registers", set(BACKENDS) - {"stockham-registers", "auto"}, SIZES),
        ("stockham-registers", ("cufft", "vkfft"), (2048,)),  # as the page on speed says
    ],
)
def test_who_wins_as_the_page_on_backends_says(report, fast, slow, sizes):
    times = {(row.name, row.size): row.median_ms for row in transforms(report[0])}
    for size in sizes:
        assert all(times[fast, size] < times[name, size] for name in slow if (name, size) in times), size


def test_the_page_on_speed_says_what_its_report_does():
    text = PAGE.read_text(encoding="utf-8")
    (report,) = re.findall(r"one run\]\((\S+)\)", text)
    found = read_json(PAGE.parent / report)
    assert speed_table.with_table(text, speed_table.Rows(found.rows, found.noise)) == text


def test_the_first_floor_is_compared_with_as_the_report_has_it():
    """Which the page on speed quotes beside that of the same run."""
    text = PAGE.read_text(encoding="utf-8")
    (report,) = re.findall(r"one run\]\((\S+)\)", text)
    found = read_json(PAGE.parent / report)
    rows = speed_table.Rows(found.rows, found.noise)
    floors = dict(zip(speed_table.TRANSFORMS, (11.2, 39.6, 133.0), strict=True))
    ratios = [f"{speed_table.microseconds(rows.best(n, speed_table.BACKEND)) / us:.2f}" for n, us in floors.items()]
    assert "its ratios would be {}, {} and {}.".format(*ratios) in text
