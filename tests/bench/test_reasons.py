"""Reasons that a bench gives for its winners, checked on rows whose times and counts are known."""

import pytest

from ocean.bench.reasons import amount, reasons
from ocean.bench.rows import Row

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


def test_the_fastest_stands_beside_the_next_that_does_something_else():
    same = {**FIRST, "name": "auto", "median_ms": 1.1}
    copy = {"name": "copy", "kind": "copy", "median_ms": 0.1, "bytes": 67_108_864, "dispatches": 1}
    wrong = {**SECOND, "name": "dft", "median_ms": 0.5, "is_right": False}
    assert said(SECOND, same, FIRST, copy, wrong) == [
        "stockham-registers moves 134 MB in 2 dispatches at 88% of the copy bandwidth; stockham-shared takes 1.5 times "
        "as long: it moves as much at 58%, with 18 barriers instead of 4."
    ]
    other = {**SECOND, "bytes": 67_108_864, "dispatches": 1, "real_flops": 1_500_000_000, "barriers": None}
    assert said(FIRST, {**other, "options": "lines=8"})[0].endswith(
        "; stockham-shared lines=8 takes 1.5 times as long: it moves 67.1 MB at 58%, with 1 dispatch instead of 2, "
        "1.5 Gflop instead of 660 M."
    )
    unknown = {"copy_share": None}
    assert said({**FIRST, **unknown, "dispatches": 1}, {**SECOND, **unknown, "dispatches": 1}) == [
        "stockham-registers moves 134 MB in 1 dispatch; stockham-shared takes 1.5 times as long: it moves as much, "
        "with 18 barriers instead of 4."
    ]


def test_a_reason_needs_two_candidates_and_counts():
    assert said(FIRST) == []
    assert said(FIRST, {**FIRST, "name": "auto"}) == []  # which took it
    assert said(FIRST, {**SECOND, "median_ms": None, "obstacle": "needs a power of two"}) == []
    assert said(*({**one, "kind": "cpu"} for one in (FIRST, SECOND))) == []
    assert said(*({**one, "bytes": None} for one in (FIRST, SECOND))) == []
    assert said(FIRST, SECOND, PEER, noise=None) == []


def test_times_within_the_noise_are_not_told_apart():
    close = {**SECOND, "median_ms": 1.029}
    alike = "can't be told apart: their times differ by 2.9%, and those of the same work by up to 3.0%."
    assert said(FIRST, close, noise=0.03) == [f"stockham-registers and stockham-shared {alike}"]
    assert "takes 1.03 times as long" in said(FIRST, close, noise=0.028)[0]
    ahead = {**PEER, "median_ms": 1 / 1.029}
    assert said(FIRST, ahead, noise=0.03) == [f"cufft graph and stockham-registers {alike}"]


def test_a_peer_that_is_faster_says_by_how_much():
    ahead = "cufft graph is 1.25 times as fast as stockham-registers, the fastest of ours on the GPU."
    assert said(FIRST, PEER, {**PEER, "name": "vkfft", "median_ms": 0.9}) == [ahead]
    assert said(FIRST, SECOND, PEER)[1:] == [ahead]
    assert said(FIRST, {**PEER, "median_ms": 1.2}) == []
    numpy = {**FIRST, "name": "numpy", "median_ms": 0.001, "dispatches": None}
    (one,) = said(FIRST, numpy)
    assert one.startswith("numpy is 1000 times as fast")


@pytest.mark.parametrize(
    ("count", "text"),
    [(None, ""), (0, "0 barriers"), (1, "1 barrier"), (32, "32 barriers"), (1_500_000, "1.5 Mbarriers")],
)
def test_counts_have_a_word_or_a_prefix(count, text):
    assert amount(count, "barrier", "barriers") == text
