"""The rows of a bench as tables: the rows of a table, and the columns in a narrow terminal."""

from functools import partial
from io import StringIO

import pytest
from rich.console import Console

from ocean.bench.rows import Bench, Noise, Row
from ocean.bench.tables import fitting, groups, markdown, reasons, show, table
from ocean.common.facts import host_facts, program_facts, utc_now
from tests.messages import unnamed


def test_competing_rows_share_a_table():
    rows = [
        Row(workload="ocean", name=name, part=part, size=64, batch=4, storage=storage, median_ms=1.0)
        for name, part, storage in (
            ("auto", "transform", "RGBA32F"),
            ("pipeline", "maps", "complex64"),
            ("cufft", "transform", "complex64"),
            ("fused", "maps", "RGBA32F"),
            ("copy", "transform", "RGBA32F"),
        )
    ]
    (first, transforms), (second, maps) = groups(rows)
    assert unnamed(first, "ocean 4 64 × 64 inverse RGBA32F") == []
    assert [cells[0] for _, cells in table(transforms)[1]] == ["auto", "cufft (complex64)", "copy"]
    assert unnamed(second, "ocean maps 4 64 × 64 inverse complex64") == []
    assert [cells[0] for _, cells in table(maps)[1]] == ["pipeline", "fused (RGBA32F)"]


def test_tables_name_the_clocks_of_times():
    rows = [
        Row(workload="ocean", name=name, size=64, batch=4, storage=storage, clock=clock, median_ms=1.0)
        for name, storage, clock in (
            ("auto", "RGBA32F", "gpu"),
            ("cufft", "complex64", "cuda"),
            ("sea", "RGBA32F", "wall"),
        )
    ]
    failed = Row(workload="ocean", name="dft", size=64, batch=4, storage="RGBA32F", obstacle="too long")
    ((title, together),) = groups([failed, *rows])
    assert unnamed(title, "ocean RGBA32F gpu clock") == []
    auto, cufft, sea = (cells[0] for _, cells in table(together)[1])
    assert "clock" not in auto
    assert unnamed(cufft, "complex64 cuda clock") == unnamed(sea, "wall clock") == []
    ((alone, _),) = groups(rows[2:])
    assert alone.endswith(", wall clock")
    assert "clock" not in next(groups([failed]))[0]


def test_tables_give_reasons_for_the_fastest(capsys):
    """The table has the columns of the fastest row, and judges differences by the noise of the whole report."""
    counts = {"bytes": 1 << 25, "dispatches": 2, "real_flops": 66060288, "program_bytes": 61730, "storage_mib": 8.0078}
    rows = tuple(
        Row(workload="ocean", name=name, size=512, batch=4, median_ms=ms, barriers=barriers, is_right=True, **counts)
        for name, ms, barriers in (("stockham-shared", 1.5, 32), ("stockham-registers", 1.0, 14))
    )
    noise = [
        Noise(workload="x", size=8, name="auto", first_ms=1, second_ms=1, difference=share) for share in (0.4, 0.6)
    ]
    facts = {"created": utc_now(), "program": program_facts(), "gl": None, "host": host_facts(), "clock": "gpu"}
    bench = Bench(**facts, clock_reason=None, command="ocean bench", seconds=1.0, noise=noise[:1], rows=rows)
    text = markdown(bench)
    heading, *lines = (line for line in text.splitlines() if line.startswith("|"))
    assert unnamed(heading, "barriers real flops program bytes storage MiB") == []
    (fastest,) = (line for line in lines if "stockham-registers" in line)
    assert unnamed(fastest, "14 66.1 M 61730 8.008") == []
    (why,) = reasons(rows, 0.4)
    assert f"\n- {why}\n" in text
    show(bench)
    assert f"  {why}\n" in capsys.readouterr().out
    assert "copy bandwidth" not in text
    fast = bench.model_copy(update={"copy_gb_per_s": 3979.6})
    assert unnamed(markdown(fast), "wall clock copy bandwidth 3980 GB/s") == []
    louder = bench.model_copy(update={"noise": tuple(noise)})
    (unclear,) = reasons(rows, 0.6)
    assert why != unclear
    assert f"\n- {unclear}\n" in markdown(louder)


@pytest.mark.parametrize("width", [60, 80, 100, 140, 200, None])
def test_a_narrow_terminal_has_fewer_columns_with_all_digits(width, monkeypatch):
    options = "exchange=vec2 roots=series padding=padded twiddles=computed"
    row = Row(
        workload="ocean", name="stockham-registers", options=options, size=64, batch=4, median_ms=0.015123, p5_ms=0.01,
        p95_ms=0.02, speedup=1234.5, gflops=12345.6, gb_per_s=1234.5, copy_share=0.5, dispatches=2, submit_us=85169.7,
        transfers_ms=8.2, barriers=14, real_flops=66060288, program_bytes=61730, storage_mib=8.0078,
        relative_l2=1.6e-7, is_right=False,
    )  # fmt: skip
    headings, lines = table([row])
    kept = fitting(headings, [cells for _, cells in lines], width)
    said = StringIO()
    monkeypatch.setattr("ocean.bench.tables.terminal_width", lambda: width)
    with monkeypatch.context() as patch:
        console = partial(Console, file=said, width=width or 1000)
        patch.setattr("ocean.bench.tables.print_table", lambda drawn, _: console().print(drawn))
        show(Bench.model_construct(rows=(row,), peers=(), noise=()))
    words = said.getvalue().split()
    assert {"0.0151", "WRONG"} <= set(words)
    for column in kept[1:]:
        assert set(lines[0][1][column].split()) <= set(words)
    assert "".join(words).count("exchange=vec2")  # the whole name
    assert set(options.split()) <= set(words) or width is not None
    assert (len(kept) == len(headings)) == (width in (200, None))
    assert "…" not in said.getvalue()
