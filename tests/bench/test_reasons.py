"""Reasons that a bench gives for its winners, on rows with known times and counts."""

import pytest

from ocean.bench.rows import Row
from ocean.bench.tables import amount, reasons
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


def rows(*all_values):
    return [Row(**{"workload": "ocean", "size": 512, "batch": 4, "is_right": True, **values}) for values in all_values]


def said(*all_values, noise=0.02):
    return list(reasons(rows(*all_values), noise))


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
    unknown = {"copy_share": None}
    (one,) = said({**FIRST, **unknown, "dispatches": 1}, {**SECOND, **unknown, "dispatches": 1})
    assert unnamed(one, "stockham-registers 134 MB 1 dispatch stockham-shared 1.5 18 barriers 4") == []
    assert "%" not in one


def test_a_reason_needs_two_candidates_and_counts():
    assert said(FIRST) == []
    assert said(FIRST, {**FIRST, "name": "auto"}) == []  # auto runs the kernels of the first
    assert said(FIRST, {**SECOND, "median_ms": None, "obstacle": "needs a power of two"}) == []
    assert said(*({**one, "kind": "cpu"} for one in (FIRST, SECOND))) == []
    assert said(*({**one, "bytes": None} for one in (FIRST, SECOND))) == []
    assert said(FIRST, SECOND, PEER, noise=None) == []


def test_times_within_the_noise_are_called_equal():
    close = {**SECOND, "median_ms": 1.029}
    (alike,) = said(FIRST, close, noise=0.03)
    assert unnamed(alike, "stockham-registers stockham-shared 2.9% 3.0%") == []
    assert unnamed(said(FIRST, close, noise=0.028)[0], "1.03 times") == []
    (alike,) = said(FIRST, {**PEER, "median_ms": 1 / 1.029}, noise=0.03)
    assert unnamed(alike, "cufft graph stockham-registers 2.9% 3.0%") == []


def test_the_reason_names_how_much_faster_a_peer_is():
    (ahead,) = said(FIRST, PEER, {**PEER, "name": "vkfft", "median_ms": 0.9})
    assert unnamed(ahead, "cufft graph 1.25 times as fast stockham-registers") == []
    assert said(FIRST, SECOND, PEER)[1:] == [ahead]
    assert said(FIRST, {**PEER, "median_ms": 1.2}) == []
    numpy = {**FIRST, "name": "numpy", "median_ms": 0.001, "dispatches": None}
    (one,) = said(FIRST, numpy)
    assert unnamed(one, "numpy 1000 times as fast") == []


@pytest.mark.parametrize(
    ("count", "text"),
    [(None, ""), (0, "0 barriers"), (1, "1 barrier"), (32, "32 barriers"), (1_500_000, "1.5 Mbarriers")],
)
def test_counts_are_written_with_a_unit(count, text):
    assert amount(count, "barrier", "barriers") == text
