"""The rows of a bench as tables, the reasons for the fastest, and statistics over rows."""

from io import StringIO

import pytest
from rich.console import Console

from ocean.bench.rows import Bench, Noise, Row, with_shares, with_winners
from ocean.bench.tables import fitting, groups, markdown, reasons, show, table
from ocean.common.facts import host_facts, program_facts, utc_now
from ocean.fft.measure import difference, outliers
from tests.messages import unnamed

FIRST = {
    "name": "stockham-registers",
    "median_ms": 1.0,
    "bytes": 134_217_728,
    "dispatches": 2,
    "barriers": 4,
    "real_flops": 660_000_000,
    "copy_share": 0.88,
}
SECOND = {**FIRST, "name": "stockham-shared", "median_ms": 1.5, "barriers": 18, "copy_share": 0.58}
PEER = {"name": "cufft", "options": "graph", "kind": "peer", "median_ms": 0.8, "bytes": 134_217_728}


def row(name="a", **values):
    return Row(**{"workload": "ocean", "name": name, "size": 64, "batch": 4, **values})


def test_rows_of_a_table_name_storage_and_clock_that_differ():
    rows = [
        row(name, part=part, storage=storage, clock=clock, median_ms=1.0)
        for name, part, storage, clock in (
            ("auto", "transform", "RGBA32F", "gpu"),
            ("pipeline", "maps", "complex64", "cuda"),
            ("cufft", "transform", "complex64", "cuda"),
            ("fused", "maps", "RGBA32F", "cuda"),
            ("sea", "transform", "RGBA32F", "wall"),
        )
    ]
    failed = row("dft", storage="RGBA32F", obstacle="too long")
    (first, transforms), (second, maps) = groups([failed, *rows])
    assert unnamed(first, "ocean 4 64 × 64 inverse RGBA32F gpu clock") == []
    cells = [cells[0] for _, cells in table(transforms)[1]]
    assert cells == ["auto", "cufft (complex64, cuda clock)", "sea (wall clock)"]
    assert unnamed(second, "ocean maps 4 64 × 64 inverse complex64 cuda clock") == []
    assert [cells[0] for _, cells in table(maps)[1]] == ["pipeline", "fused (RGBA32F)"]
    assert "clock" not in next(groups([failed]))[0]


def test_tables_give_reasons_for_the_fastest(capsys):
    """The table has the columns of the fastest row, and judges differences by the noise of the whole report."""
    counts = {"bytes": 1 << 25, "dispatches": 2, "real_flops": 66060288, "program_bytes": 61730, "storage_mib": 8.0078}
    rows = tuple(
        row(name, size=512, median_ms=ms, barriers=barriers, is_right=True, **counts)
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


@pytest.mark.parametrize("width", [60, 100, 200, None])
def test_a_narrow_terminal_has_fewer_columns_with_all_digits(width, monkeypatch):
    options = "exchange=vec2 roots=series padding=padded twiddles=computed"
    wide = row(
        "stockham-registers", options=options, median_ms=0.015123, p5_ms=0.01, p95_ms=0.02, speedup=1234.5,
        gflops=12345.6, gb_per_s=1234.5, copy_share=0.5, dispatches=2, submit_us=85169.7, transfers_ms=8.2, barriers=14,
        real_flops=66060288, program_bytes=61730, storage_mib=8.0078, relative_l2=1.6e-7, is_right=False,
    )  # fmt: skip
    headings, lines = table([wide])
    kept = fitting(headings, [cells for _, cells in lines], width)
    said = StringIO()
    monkeypatch.setattr("ocean.bench.tables.terminal_width", lambda: width)
    with monkeypatch.context() as patch:
        console = Console(file=said, width=width or 1000)
        patch.setattr("rich.console.Console", lambda **_: console)
        show(Bench.model_construct(rows=(wide,), peers=(), noise=()))
    words = said.getvalue().split()
    assert {"0.0151", "WRONG"} <= set(words)
    for column in kept[1:]:
        assert set(lines[0][1][column].split()) <= set(words)
    assert "".join(words).count("exchange=vec2")  # the whole name
    assert set(options.split()) <= set(words) or width is not None
    assert (len(kept) == len(headings)) == (width in (200, None))
    assert "…" not in said.getvalue()


def said(*all_values, noise=0.02):
    rows = [row(**{"size": 512, "is_right": True, **values}) for values in all_values]
    return list(reasons(rows, noise))


def test_the_fastest_is_compared_with_the_next_that_differs():
    same = {**FIRST, "name": "auto", "median_ms": 1.1}
    copy = {"name": "copy", "kind": "copy", "median_ms": 0.1, "bytes": 67_108_864, "dispatches": 1}
    wrong = {**SECOND, "name": "dft", "median_ms": 0.5, "is_right": False}
    (one,) = said(SECOND, same, FIRST, copy, wrong)
    first, second = one.split("; ")
    assert unnamed(first, "stockham-registers 134 MB 2 dispatches 88%") == []
    assert unnamed(second, "stockham-shared 1.5 58% 18 barriers 4") == []
    other = {**SECOND, "bytes": 67_108_864, "dispatches": 1, "real_flops": 1_500_000_000, "barriers": None}
    second = said(FIRST, {**other, "options": "lines=8"})[0].split("; ")[1]
    assert unnamed(second, "stockham-shared lines=8 1.5 67.1 MB 58% 1 dispatch 2 1.5 Gflop 660 M") == []


def test_a_reason_needs_two_candidates_and_counts():
    assert said(FIRST, {**FIRST, "name": "auto"}) == []  # auto runs the kernels of the first
    assert said(FIRST, {**SECOND, "median_ms": None, "obstacle": "needs a power of two"}) == []
    assert said(*({**one, "bytes": None} for one in (FIRST, SECOND))) == []
    assert said(FIRST, SECOND, PEER, noise=None) == []


def test_times_within_the_noise_are_called_equal_and_a_peer_ahead_is_named():
    close = {**SECOND, "median_ms": 1.029}
    (alike,) = said(FIRST, close, noise=0.03)
    assert unnamed(alike, "stockham-registers stockham-shared 2.9% 3.0%") == []
    assert unnamed(said(FIRST, close, noise=0.028)[0], "1.03 times") == []
    (alike,) = said(FIRST, {**PEER, "median_ms": 1 / 1.029}, noise=0.03)
    assert unnamed(alike, "cufft graph stockham-registers 2.9% 3.0%") == []
    (ahead,) = said(FIRST, PEER, {**PEER, "name": "vkfft", "median_ms": 0.9})
    assert unnamed(ahead, "cufft graph 1.25 times as fast stockham-registers") == []
    assert said(FIRST, SECOND, PEER)[1:] == [ahead]
    assert said(FIRST, {**PEER, "median_ms": 1.2}) == []


# -- Statistics over rows ----------------------------------------------------------------------------------------------


def test_noise_is_chance_or_drift_and_outliers_are_counted():
    assert difference([1.0] * 6, [1.0] * 6) == 0
    assert difference([1.0] * 6, [1.1] * 6) == difference([1.1], [1.0]) == pytest.approx(0.1)
    assert difference([1.0] * 3 + [1.5] * 3, [1.0] * 3 + [1.5] * 3) == pytest.approx(0.5)
    assert outliers([1.0, 1.01, 0.99, 1.0, 5.0]) == 1
    assert outliers([1.0, 1.1, 0.9]) == 0


def test_speed_up_is_relative_to_the_first_row_of_a_part_and_a_wrong_result_does_not_win():
    def timed(name, part, ms, **more):
        return row(name, part=part, median_ms=ms, **{"is_right": True} | more)

    found = with_winners(
        [
            *(timed("a", "transform", 8.0), timed("copy", "transform", 1.0, kind="copy"), timed("b", "transform", 2.0)),
            *(timed("wrong", "maps", 3.0, is_right=False), timed("fused", "maps", 6.0)),
            timed("c", "transform", None, obstacle="it can't", is_right=None),
        ]
    )
    assert [one.speedup for one in found] == [1.0, None, 4.0, 1.0, 0.5, None]
    assert [one.name for one in found if one.winner] == ["b", "fused"]


def test_copy_shares_are_relative_to_the_fastest_uncached_copy():
    rows = [
        row(bytes=1 << 30, gb_per_s=300.0),
        row(kind="copy", bytes=1 << 20, gb_per_s=900.0),
        row(bytes=None, gb_per_s=None),
    ]
    found, bandwidth = with_shares(rows, 400.0)
    assert (bandwidth, [one.copy_share for one in found]) == (400.0, [0.75, 2.25, None])
    found, bandwidth = with_shares([*rows, row(kind="copy", bytes=1 << 28, gb_per_s=600.0)], 400.0)
    assert (bandwidth, [one.copy_share for one in found]) == (600.0, [0.5, 1.5, None, 1.0])
