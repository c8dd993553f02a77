"""Figures and claims on variants of one backend find the rows that the bench writes for them."""

import pytest

from ocean.fft.comparison import options_text
from ocean.fft.options import validated_options
from tools.papers import figures
from tools.papers.benches import Benches
from tools.papers.cases import DAVIS, EXCHANGES, GUIDE, IN_FLIGHT, ODD_EXCHANGES

from .test_papers import bench, claim_of, row, verdict
from .test_verdicts import noise


def text(backend, options):
    return options_text(validated_options(backend, options))


def variants(workload, chosen, times=lambda size, number: 1.0 + number, sizes=(512, 1024), **more):
    """Return rows of all variants, each with its own time."""
    return [
        row(workload, name, size, times(size, number), options=text(name, options), **more)
        for number, (name, options) in enumerate(chosen)
        for size in sizes
    ]


def flights(limits):
    """Return lines of 1024 elements, by radix, that take 1 ms until the GPU is full."""
    return [
        row("flight", name, 1024, 1.0 if lines <= most else lines / most, options=text(name, options), batch=lines)
        for (name, options), most in zip(IN_FLIGHT, limits, strict=True)
        for lines in (1 << n for n in range(12))
    ]


def test_the_figures_of_variants_have_all_their_curves():
    rows = [
        *variants("guide", [*GUIDE, ("digit-reversal", {})]),
        *flights((64, 64, 64, 64)),
        *variants("single", [DAVIS, ("auto", {})], transfers_ms=2.0),
        *(row("cpu", "iterative-dit", size, 1.0, part="single", kind="cpu") for size in (512, 1024)),
    ]
    drawn = {figure.name: figure for figure in figures(Benches((bench(*rows),)))}
    for name in ("beechwood-1", "beechwood-2", "beechwood-3"):
        assert (drawn[name].obstacle, drawn[name].missing) == (None, [])
    for name in ("davis-1", "davis-2"):
        assert drawn[name].obstacle is None
        assert not any("theirs" in curve for curve in drawn[name].missing)


@pytest.mark.parametrize(
    ("limits", "holds"), [((64, 64, 32, 16), True), ((32, 64, 64, 64), None), ((16, 64, 256, 512), False)]
)
def test_registers_limit_threads_at_once(limits, holds):
    """If the GPU is full at equal numbers of lines, the launch size alone determines the running invocations."""
    assert verdict("beechwood.registers", *flights(limits)).holds is holds


def test_padding_is_judged_for_each_radix():
    rows = variants("exchange", EXCHANGES, lambda size, number: 2.0 - number % 2)  # pairs without and with padding
    assert verdict("govindaraju.padding-4", *rows).holds
    assert verdict("govindaraju.padding-2", *rows).holds is False
    assert verdict("govindaraju.exchange-components", *rows).holds
    assert verdict("govindaraju.arrays", *rows).holds is None  # two pairs further


@pytest.mark.parametrize(("share", "holds"), [(0.03, True), (0.1, None)])
def test_variants_that_differ_beyond_noise_are_judged(share, holds):
    """Each variant gains 6 % by padding; the noise at 512 is `share`."""
    rows = variants("exchange", EXCHANGES, lambda size, number: 1.0 - 0.06 * (number % 2))
    assert (
        claim_of("govindaraju.padding-4").rule(Benches((bench(*rows, noise=(noise("exchange", 512, share),)),))).holds
        is holds
    )


@pytest.mark.parametrize(("ms", "needless"), [(1.0, True), (0.92, None), (0.8, False)])
def test_odd_radices_are_judged_with_and_without_padding(ms, needless):
    rows = variants("exchange", ODD_EXCHANGES, lambda size, number: (1.0, ms)[number], sizes=(243,))
    assert verdict("govindaraju.odd-radices", *rows).holds is needless


@pytest.mark.parametrize(("longest", "holds"), [(4.0, False), (9.0, True), (25.0, False)])
def test_reads_with_gaps_are_judged_by_bandwidth(longest, holds):
    rows = [row("reads", "reads", 1 << 24, ms, options=f"stride={n}") for n, ms in ((1, 1.0), (2, 2.0), (16, longest))]
    assert verdict("govindaraju.gaps", *rows).holds is holds


@pytest.mark.parametrize(("sorted_ms", "holds"), [(0.5, True), (2.0, False)])
def test_sorted_writes_are_recognised_by_their_barriers(sorted_ms, holds):
    rows = [row("exchange", "stockham-global", 64, ms, barriers=n) for ms, n in ((1.0, 0), (sorted_ms, 2))]
    assert verdict("govindaraju.sorted-writes", *rows).holds is holds


@pytest.mark.parametrize(("power", "holds"), [(0.0, True), (1.0, False)])
def test_parallel_roots_are_judged_by_their_growth(power, holds):
    rows = [row("roots", "roots", n, n**power) for n in (1 << 8, 1 << 12, 1 << 16)]
    assert verdict("davis.parallel-roots", *rows).holds is holds


@pytest.mark.parametrize(("ms", "holds"), [(0.9, True), (0.995, None), (1.1, False)])
def test_roots_are_judged_by_their_source(ms, holds):
    quick = {"native", "uniform", "texture"}
    rows = variants("guide", GUIDE, lambda size, number: ms if quick & set(GUIDE[number][1].values()) else 1.0)
    for claim in (
        "beechwood.native-roots",
        "beechwood.roots-in-constant",
        "beechwood.roots-in-texture",
    ):
        assert verdict(claim, *rows).holds is holds
