"""Claims of Govindaraju et al. 2008: lines on the GPU and on the CPU."""

from functools import partial

import numpy as np

from ocean.bench.papers.claims import Claim, Finding, between, beyond, judged, listed
from ocean.bench.papers.drawing import digits, short
from ocean.bench.papers.govindaraju import (
    FIGURE_13,
    LIBRARIES,
    SIZES_13,
    cufft,
    errors,
    library,
    ours,
    products,
    some,
)
from ocean.bench.papers.kernel_claims import CUDA
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


def batches_beat_lines_on_the_cpu(measured: Measured) -> Finding | None:
    gains = ratio(library(measured, "line"), library(measured, "single"))
    if not gains:
        return None
    why = "the threads take longer to start than such lines, or do not pay"
    tolerance = max(measured.tolerance("cpu", part) for part in ("lines", "single"))
    return judged(gains, f"{listed(gains, rated)} the rate", tolerance, why)


def four_threads_equal_two(measured: Measured) -> Finding | str | None:
    """Of the library that gains most by them."""
    rates = {
        count: best(measured.curve("gflops", "cpu", name, part="lines", workers=count) for name in LIBRARIES)
        for count in (2, 4)
    }
    gains = {n: gain for n, gain in ratio(rates[4], rates[2]).items() if n > 1}
    if not gains:
        return "no batches on 2 threads and on 4" if any(rates.values()) else None
    inside = {n: gain for n, gain in gains.items() if int(n).bit_length() - 1 in REUSE}
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


def scipy_error(measured: Measured, part: str) -> Curve:
    return measured.curve("relative_l2", "cpu", "scipy", part=part, workers=1)


def error_over_library(measured: Measured) -> Finding | None:
    found = beyond(ratio(errors(measured, "line", "auto"), scipy_error(measured, "lines")), LARGE)
    if not found:
        return None
    why = "the roots here are exact to rounding, so both keep all digits that single precision has"
    return Finding(f"{listed(found)} scipy's", 3 <= max(found.values()) <= 10, why)


def error_grows_linearly(measured: Measured) -> Finding | None:
    found = errors(measured, "line", "auto")
    if len(found) < 3:
        return None
    slope = float(np.polyfit(np.log(list(found)), np.log(list(found.values())), 1)[0])
    why = "it grows with the number of stages, and looks linear on a logarithmic axis of N"
    return Finding(f"as N to the power of {slope:.2f}", 0.8 <= slope <= 1.2, why)


def mixed_errors_are_the_same(measured: Measured) -> Finding | None:
    two, mixed = errors(measured, "line", "auto"), errors(measured, "mixed", "auto")
    if not two or not mixed:
        return None
    share = float(np.median(list(mixed.values())) / np.median(list(two.values())))
    return Finding(f"{share:.2f} × that of powers of two", 0.5 <= share <= 2, "it is more than twice that")


def cufft_errs_more_for_mixed(measured: Measured) -> Finding | None:
    two, mixed = (errors(measured, workload, "cufft", options="graph") for workload in ("line", "mixed"))
    if not two or not mixed:
        return None
    share = float(np.median(list(mixed.values())) / np.median(list(two.values())))
    return Finding(f"{share:.2f} × that of powers of two", share > 2, "its roots have become more accurate")


def primes_stay_accurate(measured: Measured) -> Finding | None:
    found = errors(measured, "prime", "auto")
    if not found:
        return None
    return Finding(f"at most {max(found.values()):.1e}", max(found.values()) <= 1e-5, "it is larger")


def angles_matter(measured: Measured) -> Finding | None:
    exact = errors(measured, "prime", "bluestein", options="")
    naive = errors(measured, "prime", "bluestein", options="angles=naive")
    found = ratio(naive, exact)
    why = "no length was long enough for j² to lose digits"
    return Finding(f"error {listed(found, rated)} without", max(found.values()) > 10, why) if found else None


def cufft_loses_accuracy(measured: Measured) -> Finding | None:
    found = errors(measured, "prime", "cufft", options="graph")
    if not found:
        return None
    why = "it no longer sums directly, and stays near rounding"
    return Finding(f"at most {max(found.values()):.1e}", max(found.values()) > 1e-5, why)


def transfers_cost_as_much(measured: Measured) -> Finding | None:
    whole = measured.curve("transfers_ms", "line", "auto")
    kernels = measured.curve("median_ms", "line", "auto")
    found = {n: share - 1 for n, share in ratio(whole, kernels).items()}
    if not found:
        return None
    middle = float(np.median(list(found.values())))
    why = "kernels are slow here beside a copy" if middle < 1 else "kernels have become faster than the way to them"
    return Finding(f"transfers take {middle:.1f} times the kernels' time", 0.3 <= middle <= 3, why)


CLAIMS = (
    Claim(GOVINDARAJU, "abstract", "Up to 300 GFLOP/s", peak),
    *(
        Claim(GOVINDARAJU, where, f"{statement} {'cuFFT' if other == 'cuFFT' else 'the CPU library'}",
              partial(gain, workload=workload, other=other, low=low, high=high, least=least),
              CUDA if other == "cuFFT" else "no rows of the CPU's libraries")
        for where, statement, workload, other, low, high, least in (
            ("figure 12", "Batches of long lines: 2 to 4 times as fast as", "line", "cuFFT", 2, 4, LARGE),
            ("figure 12", "Batches of long lines: 8 to 40 times as fast as", "line", "CPU", 8, 40, LARGE),
            ("figure 14", "Images: up to 3 times as fast as", "image", "cuFFT", 3, 3, 2),
            ("figure 14", "Images: up to 61 times as fast as", "image", "CPU", 61, 61, 2),
            ("figure 15", "Mixed lengths: 2 to 8 times as fast as", "mixed", "cuFFT", 2, 8, 1000),
            ("figure 15", "Mixed lengths: 5 to 32 times as fast as", "mixed", "CPU", 5, 32, 1000),
            ("figure 16", "Primes: up to 11 times as fast as", "prime", "CPU", 11, 11, 2),
        )
    ),
    Claim(GOVINDARAJU, "figure 13", "At least 120, 160, 215, 271, 297, 245 GFLOP/s at 8, 16, 64, 256, 512, 1024",
          figure_13),
    Claim(GOVINDARAJU, "figure 11", "A line alone is slower than lines in batches", batches_beat_lines),
    Claim(GOVINDARAJU, "section VI.C", "On the CPU too a line alone is slower than lines in batches",
          batches_beat_lines_on_the_cpu),
    Claim(GOVINDARAJU, "figure 8", "On the CPU 4 threads are as fast as 2, except from 2^10 to 2^17",
          four_threads_equal_two),
    Claim(GOVINDARAJU, "section V", "By hierarchy long lines become slower, through global memory the rate is nearly "
          "constant", hierarchical_degrades),
    Claim(GOVINDARAJU, "section V", "The longest lines are faster through global memory than by hierarchy (four-step)",
          global_beats_hierarchical),
    Claim(GOVINDARAJU, "figure 18", "Powers of two are the fastest", powers_of_two_win),
    Claim(GOVINDARAJU, "figure 17", "The error of long lines is 5.5 times the CPU library's", error_over_library),
    Claim(GOVINDARAJU, "figure 17", "The error scales linearly with N", error_grows_linearly),
    Claim(GOVINDARAJU, "figure 17", "Mixed lengths have about the error of powers of two", mixed_errors_are_the_same),
    Claim(GOVINDARAJU, "section VI.C", "cuFFT's error more than doubles for mixed lengths", cufft_errs_more_for_mixed,
          CUDA),
    Claim(GOVINDARAJU, "figure 17", "Errors of primes are of the order of 1e-6", primes_stay_accurate),
    Claim(GOVINDARAJU, "figure 17", "cuFFT's error balloons for primes", cufft_loses_accuracy, CUDA),
    Claim(GOVINDARAJU, "figure 6", "Angles modulo 2N make Bluestein's transform accurate", angles_matter),
    Claim(GOVINDARAJU, "section VI.D", "Transfers take about as long as the transform", transfers_cost_as_much),
)  # fmt: skip
