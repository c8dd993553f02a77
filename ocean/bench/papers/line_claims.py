"""Claims of Govindaraju et al. 2008 on speed: lines on the GPU and on the CPU."""

from functools import partial

import numpy as np

from ocean.bench.papers.claims import Claim, Finding, between, beyond, judged, listed
from ocean.bench.papers.drawing import digits, short
from ocean.bench.papers.govindaraju import (
    FIGURE_13,
    LIBRARIES,
    SIZES_13,
    cufft,
    library,
    on_cpu,
    ours,
    products,
    some,
)
from ocean.bench.papers.kernel_claims import CUDA, unmeasured
from ocean.bench.papers.measured import Curve, Measured, best, ratio

GOVINDARAJU = "Govindaraju et al. 2008"
LARGE = 1 << 12
"""From which a size counts as large."""
CUFFT_LEARNT = "cuFFT has learnt from these algorithms since its version 1.1"
WEAKER = "this device has less arithmetic or bandwidth than theirs"
PROCESSORS = "both processors are others than a GTX 280 and a quad-core of 2008"
STEADY = 1.25
"""Rates are nearly constant when the highest is no more than this times the least."""
REUSE = range(10, 18)
"""log2 N of lines that two threads keep in the cache that they share (figure 8)."""
MUCH = 2
"""What is much faster takes at most one part in so many of the time."""


def peak(measured: Measured) -> Finding | None:
    return between(ours(measured, "line"), 300, np.inf, WEAKER, lambda rate: f"{digits(rate)} GFLOP/s")


def gain(measured: Measured, workload: str, other: str, low: float, high: float, least: int) -> Finding | str | None:
    """Over cuFFT or the CPU, for large sizes, as typical or as the most."""
    mine, theirs = ours(measured, workload), (cufft if other == "cuFFT" else library)(measured, workload)
    if workload == "mixed":
        mine = products(mine)
    gains = beyond(ratio(mine, theirs), least)
    if not gains:
        which = "but powers of 3 and of 5" if workload == "mixed" else "that both have"
        return f"no sizes from {least} on {which}" if theirs else None
    middle = float(np.median(list(gains.values())))
    found = max(gains.values()) if low == high else middle
    says = f"{'at most' if low == high else 'median'} {found:.2f} × ({listed(gains)})"
    holds = found >= 0.8 * low if low == high else low <= found
    return Finding(says, holds, CUFFT_LEARNT if other == "cuFFT" else PROCESSORS)


def figure_13(measured: Measured) -> Finding | None:
    here = ours(measured, "line")
    theirs: Curve = dict(zip(SIZES_13, map(float, FIGURE_13["theirs, GTX 280"]), strict=True))
    found = {n: here[n] for n in theirs if n in here}
    if not found:
        return None
    tolerance = measured.tolerance("line")
    return judged(ratio(found, theirs), f"{listed(found, digits)} GFLOP/s", tolerance, WEAKER)


def batches_beat_lines(measured: Measured) -> Finding | None:
    gains = ratio(ours(measured, "line"), ours(measured, "single"))
    if not gains:
        return None
    several = {n: gain for n, gain in gains.items() if n < 1 << 20}  # beyond it a line fills the GPU by itself
    tolerance = max(measured.tolerance(workload) for workload in ("line", "single"))
    return judged(several, f"{listed(gains, rated)} the rate", tolerance, "there a line alone has caches for itself")


def rated(gain: float) -> str:
    return f"{digits(gain)} ×"


def lines_beat_the_cpu(measured: Measured) -> Finding | None:
    gains = beyond(ratio(ours(measured, "single"), library(measured, "single")), LARGE)
    if not gains:
        return None
    tolerance = max(measured.tolerance("single"), measured.tolerance("cpu", "single"))
    why = f"{MUCH} times counts as much, and one such line keeps few of the GPU's processors busy"
    return judged({n: gain / MUCH for n, gain in gains.items()}, f"{listed(gains, rated)} as fast", tolerance, why)


def batches_beat_lines_on_the_cpu(measured: Measured) -> Finding | None:
    gains = ratio(library(measured, "line"), library(measured, "single"))
    if not gains:
        return None
    why = "the threads take longer to start than such lines, or do not pay"
    tolerance = max(measured.tolerance("cpu", part) for part in ("lines", "single"))
    return judged(gains, f"{listed(gains, rated)} the rate", tolerance, why)


def reused(curve: Curve) -> Curve:
    """At the sizes of figure 8 that caches serve best."""
    return {n: y for n, y in curve.items() if int(n).bit_length() - 1 in REUSE}


def a_line_a_thread(measured: Measured) -> tuple[Curve, Curve] | None:
    """Rates on the CPU from 2^10 to 2^17, and from 2^18 on."""
    rates = on_cpu(measured, "line-a-thread")
    inside, longer = reused(rates), beyond(rates, 1 << REUSE.stop)
    return (inside, longer) if inside and longer and min(rates) < min(inside) else None


def caches_peak(measured: Measured) -> Finding | None:
    if (found := a_line_a_thread(measured)) is None:
        return None
    rates = on_cpu(measured, "line-a-thread")
    top = max(rates, key=lambda n: rates[n])
    why = f"{'it is at another length' if top not in found[0] else 'it is lower'}; {PROCESSORS}"
    return Finding(f"{digits(rates[top])} GFLOP/s, at {short(top)}", top in found[0] and rates[top] >= 52, why)


def caches_overflow(measured: Measured) -> Finding | None:
    if (found := a_line_a_thread(measured)) is None:
        return None
    top = max(found[0].values())
    falls = {n: top / rate for n, rate in found[1].items()}
    number = f"{listed({n: 1 / fall for n, fall in falls.items()})} the peak"
    return judged(falls, number, measured.tolerance("cpu", "line-a-thread"), "caches hold such lines here")


def four_threads_equal_two(measured: Measured) -> Finding | str | None:
    """Of the library that gains most by them."""
    rates = {
        count: best(measured.curve("gflops", "cpu", name, part="lines", workers=count) for name in LIBRARIES)
        for count in (2, 4)
    }
    gains = {n: gain for n, gain in ratio(rates[4], rates[2]).items() if n > 1}
    if not gains:
        return "no batches on 2 threads and on 4" if any(rates.values()) else None
    inside = reused(gains)
    outside = {n: gain for n, gain in gains.items() if n not in inside}
    if not inside or not outside:
        return "no lines shorter and longer than 2^10 to 2^17, and between"
    middle, other = (float(np.median(list(some.values()))) for some in (inside, outside))
    number = f"median {middle:.2f} × from 2^10 to 2^17, {other:.2f} × elsewhere"
    same = 1 + measured.tolerance("cpu", "lines")
    return Finding(number, other <= same < middle, "four threads have caches and memory enough here, or two have")


def global_beats_hierarchical(measured: Measured) -> Finding | None:
    times = [measured.curve("median_ms", "single", name) for name in ("four-step", "stockham-global")]
    gains = beyond(ratio(*times), LARGE)
    if not gains:
        return None
    why = "caches make the hierarchical passes cheap, and it needs fewer of them"
    longest = {max(gains): gains[max(gains)]}
    return judged(longest, listed(gains), measured.tolerance("single"), why)


def hierarchical_degrades(measured: Measured) -> Finding | None:
    """With N, while the rate through global memory stays; of batches, which fill the GPU at every length."""
    names = ("four-step", "stockham-global")
    steps, through = (beyond(measured.curve("gflops", "line", name), LARGE) for name in names)
    if len(steps) < 2 or len(through) < 2:
        return None
    falls, varies = steps[max(steps)] / steps[min(steps)], max(through.values()) / min(through.values())
    number = (
        f"four-step has {falls:.2f} × the rate at {short(max(steps))} as at {short(min(steps))}; "
        f"stockham-global varies by {varies:.2f} ×"
    )
    why = "what keeps a line in shared memory has as many passes over several octaves, and caches hold the rest"
    return Finding(number, falls < 1 / STEADY and varies <= STEADY, why)


def powers_of_two_win(measured: Measured) -> Finding | None:
    two = ours(measured, "line")
    others = {base: some(ours(measured, "mixed"), base) for base in (3, 5)}
    if not two or not all(others.values()):
        return None
    tops = {base: max(curve.values()) for base, curve in others.items()}
    top, size = max(two.values()), max(two, key=lambda n: two[n])
    number = f"{digits(top)} GFLOP/s at best, {digits(tops[3])} for 3^i and {digits(tops[5])} for 5^i"
    gains = {size: top / max(tops.values())}
    return judged(gains, number, measured.tolerance("line"), "a butterfly of 3 or 5 costs no more here")


def transfers_cost_as_much(measured: Measured) -> Finding | None:
    whole = measured.curve("transfers_ms", "line", "auto")
    kernels = measured.curve("median_ms", "line", "auto")
    found = {n: share - 1 for n, share in ratio(whole, kernels).items()}
    if not found:
        return None
    middle = float(np.median(list(found.values())))
    why = "kernels are slow here beside a copy" if middle < 1 else "kernels have become faster than the way to them"
    return Finding(f"transfers take {middle:.1f} times the kernels' time", 0.3 <= middle <= 3, why)


ACROSS = "no lines shorter than 2^10, longer than 2^17, and between"

CLAIMS = (
    Claim(GOVINDARAJU, "abstract", "Up to 300 GFLOP/s", peak),
    *(
        Claim(GOVINDARAJU, where, f"{statement} {'cuFFT' if other == 'cuFFT' else 'the CPU library'}",
              partial(gain, workload=workload, other=other, low=low, high=high, least=least),
              CUDA if other == "cuFFT" else "no rows of the CPU's libraries")
        for where, statement, workload, other, low, high, least in (
            ("abstract", "Batches of long lines: 2 to 4 times as fast as", "line", "cuFFT", 2, 4, LARGE),
            ("abstract", "Batches of long lines: 8 to 40 times as fast as", "line", "CPU", 8, 40, LARGE),
            ("figure 12", "Batches of long lines: up to 4 times as fast as", "line", "cuFFT", 4, 4, LARGE),
            ("figure 12", "Batches of long lines: up to 19 times as fast as", "line", "CPU", 19, 19, LARGE),
            ("figure 14", "Images: up to 3 times as fast as", "image", "cuFFT", 3, 3, 2),
            ("figure 14", "Images: up to 61 times as fast as", "image", "CPU", 61, 61, 2),
            ("figure 15", "Mixed lengths: 2 to 8 times as fast as", "mixed", "cuFFT", 2, 8, 1000),
            ("figure 15", "Mixed lengths: 5 to 32 times as fast as", "mixed", "CPU", 5, 32, 1000),
            ("section VI.C", "Primes: up to 11 times as fast as", "prime", "CPU", 11, 11, 2),
        )
    ),
    Claim(GOVINDARAJU, "figure 13", "At least 120, 160, 215, 271, 297, 245 GFLOP/s at 8, 16, 64, 256, 512, 1024",
          figure_13),
    Claim(GOVINDARAJU, "figure 13", "Rates are comparable with those of Volkov and Kazian's kernels", unmeasured,
          "their kernels were not run here"),
    Claim(GOVINDARAJU, "figure 11", "A line alone is slower than lines in batches", batches_beat_lines),
    Claim(GOVINDARAJU, "figure 11", "A long line alone is much faster than by the CPU library", lines_beat_the_cpu,
          "no long lines by the CPU's libraries"),
    Claim(GOVINDARAJU, "section VI.C", "On the CPU too a line alone is slower than lines in batches",
          batches_beat_lines_on_the_cpu),
    Claim(GOVINDARAJU, "figure 8", "On the CPU 4 threads are as fast as 2, except from 2^10 to 2^17",
          four_threads_equal_two),
    Claim(GOVINDARAJU, "figure 8", "On the CPU a line for each thread is fastest from 2^10 to 2^17, with 52 GFLOP/s",
          caches_peak, ACROSS),
    Claim(GOVINDARAJU, "figure 8", "On the CPU a line for each thread becomes slower from 2^18 on", caches_overflow,
          ACROSS),
    Claim(GOVINDARAJU, "section V", "By hierarchy long lines become slower, through global memory the rate is nearly "
          "constant", hierarchical_degrades),
    Claim(GOVINDARAJU, "section V", "The longest lines are faster through global memory than by hierarchy (four-step)",
          global_beats_hierarchical),
    Claim(GOVINDARAJU, "figure 18", "Powers of two are the fastest", powers_of_two_win),
    Claim(GOVINDARAJU, "section VI.D", "Transfers take about as long as the transform", transfers_cost_as_much),
)  # fmt: skip
