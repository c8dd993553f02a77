"""Statistics over the rows of a bench: noise, outliers, winners, gains."""

import pytest

from ocean.bench.rows import Row, with_shares, with_winners
from ocean.fft.measure import difference, outliers


def test_noise_is_chance_or_drift():
    assert difference([1.0] * 6, [1.0] * 6) == 0
    assert difference([1.0] * 6, [1.1] * 6) == pytest.approx(0.1)
    assert difference([1.0] * 3 + [1.5] * 3, [1.0] * 3 + [1.5] * 3) == pytest.approx(0.5)


def test_outliers_are_counted():
    assert outliers([1.0, 1.01, 0.99, 1.0, 5.0]) == 1
    assert outliers([1.0, 1.1, 0.9]) == 0


def test_a_wrong_result_does_not_win():
    row = Row(workload="ocean", name="a", size=64, batch=4, median_ms=1.0, is_right=False)
    right = row.model_copy(update={"name": "b", "median_ms": 2.0, "is_right": True})
    assert [one.winner for one in with_winners([row, right])] == [False, True]


def test_speed_up_is_relative_to_the_first_row_of_a_part():
    def row(name, part, ms, **more):
        return Row(workload="ocean", name=name, part=part, size=64, batch=4, median_ms=ms, **{"is_right": True} | more)

    rows = [
        *(row("a", "transform", 8.0), row("copy", "transform", 1.0, kind="copy"), row("b", "transform", 2.0)),
        *(row("separate", "maps", 3.0), row("fused", "maps", 1.5)),
        *(row("unwatched", "watched", 1.0, is_right=None), row("watched", "watched", 4.0, is_right=None)),
        row("c", "transform", None, obstacle="it can't", is_right=None),
    ]
    found = with_winners(rows)
    assert [one.speedup for one in found] == [1.0, None, 4.0, 1.0, 2.0, 1.0, 0.25, None]
    assert [one.name for one in found if one.winner] == ["b", "fused"]  # no check says whether watched frames are right


def test_copy_shares_are_relative_to_the_fastest_uncached_copy():
    def row(name, kind, bytes_, rate):
        return Row(workload="ocean", name=name, kind=kind, size=64, batch=4, bytes=bytes_, gb_per_s=rate)

    rows = [row("a", "backend", 1 << 30, 300.0), row("copy", "copy", 1 << 20, 900.0), row("b", "backend", None, None)]
    found, bandwidth = with_shares(rows, 400.0)
    assert bandwidth == 400.0
    assert [one.copy_share for one in found] == [0.75, 2.25, None]
    found, bandwidth = with_shares([*rows, row("copy", "copy", 1 << 28, 600.0)], 400.0)
    assert bandwidth == 600.0
    assert [one.copy_share for one in found] == [0.5, 1.5, None, 1.0]
