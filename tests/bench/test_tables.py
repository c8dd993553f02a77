"""The rows of a bench as tables: who shares one, and what a narrow terminal goes without."""

from functools import partial
from io import StringIO

import pytest
from rich.console import Console

from ocean.bench.rows import Bench, Row
from ocean.bench.tables import fitting, groups, show, table


def test_rows_that_compete_share_a_table_whatever_stands_between_them():
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
    assert first == "ocean: 4 transforms of 64 × 64, inverse, RGBA32F"
    assert [cells[0] for _, cells in table(transforms)[1]] == ["auto", "cufft (complex64)", "copy"]
    assert second == "ocean, maps: 4 transforms of 64 × 64, inverse, complex64"
    assert [cells[0] for _, cells in table(maps)[1]] == ["pipeline", "fused (RGBA32F)"]


@pytest.mark.parametrize("width", [60, 80, 100, 140, None])
def test_a_narrow_terminal_has_fewer_columns_and_all_their_digits(width, monkeypatch):
    options = "exchange=vec2 roots=series padding=padded twiddles=computed"
    row = Row(
        workload="ocean", name="stockham-registers", options=options, size=64, batch=4, median_ms=0.015123, p5_ms=0.01,
        p95_ms=0.02, speedup=1234.5, gflops=12345.6, gb_per_s=1234.5, copy_share=0.5, dispatches=2, submit_us=85169.7,
        transfers_ms=8.2, relative_l2=1.6e-7, is_right=False,
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
    assert "".join(words).count("exchange=vec2")  # of the name, all of it
    assert set(options.split()) <= set(words) or width is not None
    assert (len(kept) == len(headings)) == (width in (140, None))
    assert "…" not in said.getvalue()
