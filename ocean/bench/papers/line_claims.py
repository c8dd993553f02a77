"""Claims of Govindaraju et al. 2008, of Rao 2019, and of Davis and Dharma: lines on the GPU and on the CPU."""

from functools import partial
from math import log

import numpy as np

from ocean.bench.papers import rao
from ocean.bench.papers.claims import Claim, Finding, at, between, beyond, listed
from ocean.bench.papers.drawing import short
from ocean.bench.papers.govindaraju import (
    FIGURE_13,
    SIZES_13,
    cufft,
    errors,
    library,
    ours,
    products,
    some,
)
from ocean.bench.papers.kernel_claims import CUDA
from ocean.bench.papers.measured import Curve, Measured, ratio

GOVINDARAJU, RAO, DAVIS = "Govindaraju et al. 2008", "Rao 2019", "Davis and Dharma"
LARGE = 1 << 12
"""From which a size counts as large."""
CUFFT_LEARNT = "cuFFT has learnt from these algorithms since its version 1.1"
WEAKER = "this device has less arithmetic or bandwidth than theirs"
PROCESSORS = "both processors are others than a GTX 280 and a quad-core of 2008"
SCALES = 0.8
"""The share of an ideal gain from which on something scales."""


def peak(measured: Measured) -> Finding | None:
    return between(ours(measured, "line"), 300, np.inf, WEAKER, "{:.3g} GFLOP/s")


def gain(measured: Measured, workload: str, other: str, low: float, high: float, least: int) -> Finding | None:
    """Over cuFFT or the CPU, for large sizes, as typical or as the most."""
    mine, theirs = ours(measured, workload), (cufft if other == "cuFFT" else library)(measured, workload)
    if workload == "mixed":
        mine = products(mine)
    gains = beyond(ratio(mine, theirs), least)
    if not gains:
        return None
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
    lost = [n for n in found if here[n] < theirs[n]]
    why = f"slower at {at(lost)}: {WEAKER}"
    return Finding(f"{listed(found, '{:.3g}')} GFLOP/s", not lost, why)


def batches_beat_lines(measured: Measured) -> Finding | None:
    gains = ratio(ours(measured, "line"), ours(measured, "single"))
    if not gains:
        return None
    lost = [n for n, gain in gains.items() if gain <= 1 and n < 1 << 20]  # beyond it a line fills the GPU by itself
    return Finding(
        f"{listed(gains)} the rate", not lost, f"not at {at(lost)}, where a line alone has caches for itself"
    )


def global_beats_hierarchical(measured: Measured) -> Finding | None:
    times = [measured.curve("median_ms", "single", name) for name in ("four-step", "stockham-global")]
    gains = beyond(ratio(*times), LARGE)
    if not gains:
        return None
    why = "caches make the hierarchical passes cheap, and it needs fewer of them"
    return Finding(listed(gains), gains[max(gains)] > 1, why)


def powers_of_two_win(measured: Measured) -> Finding | None:
    two = ours(measured, "line")
    others = {base: some(ours(measured, "mixed"), base) for base in (3, 5)}
    if not two or not all(others.values()):
        return None
    tops = {base: max(curve.values()) for base, curve in others.items()}
    number = f"{max(two.values()):.3g} GFLOP/s at best, {tops[3]:.3g} for 3^i and {tops[5]:.3g} for 5^i"
    return Finding(number, max(two.values()) > max(tops.values()), "a butterfly of 3 or 5 costs no more here")


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
    return Finding(f"error {listed(found, '{:.3g} ×')} without", max(found.values()) > 10, why) if found else None


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


# -- Rao ---------------------------------------------------------------------------------------------------------------


def speed_up(measured: Measured) -> Finding | None:
    most = rao.most_threads(measured)
    found = ratio(rao.four_step(measured, 1), rao.four_step(measured, most)) if most > 1 else {}
    if not found:
        return None
    why = "a four-step transform has nothing serial but its two barriers"
    return Finding(f"at most {max(found.values()):.2f} × on {most} threads", max(found.values()) <= most / 2, why)


def scaling(measured: Measured, part: str) -> Finding | None:
    times = rao.by_threads(measured, part)
    if len(times) < 2 or 1 not in times:
        return None
    most = max(times)
    share = times[1] / times[most] / (1 if part == "weak" else most)
    number = f"{share:.0%} of the ideal with {most} threads"
    return Finding(number, share < SCALES, f"a four-step transform keeps {SCALES:.0%} of the ideal or more")


def gpu_never_wins(measured: Measured) -> Finding | None:
    whole, written = rao.on_gpu(measured, "transfers_ms"), rao.single(measured, "iterative-dit")
    why = "his kernel gave the last stage to one thread, and ours gives each stage to all"
    found = between(ratio(written, whole), 0, 0.75, why)
    return found and Finding(f"{found.number}, with transfers, over DIT in numpy", found.holds, found.why)


def small_values_are_off(measured: Measured) -> Finding | None:
    """Of the longest line, by the transform of his text; values near 0 have the errors of all others."""
    counts = beyond(measured.curve("off_values", "cpu", "iterative-dit", part="single"), LARGE)
    if not counts:
        return None
    size = max(counts)
    here = counts[size] / size * (1 << 26)
    why = "these numbers have single precision, whose errors outweigh more of the small values"
    return Finding(f"{here:.3g} by the share at {short(size)}", 24 <= here <= 96, why)


# -- Davis and Dharma --------------------------------------------------------------------------------------------------


def break_even(measured: Measured) -> Finding | None:
    cpu, whole = rao.single(measured, "scipy"), rao.on_gpu(measured, "transfers_ms")
    gains = ratio(cpu, whole)
    if not gains:
        return None
    start, other = pays_from(gains), pays_from(ratio(rao.single(measured, "iterative-dit"), whole))
    says = f"{start and short(start)} against scipy, {other and short(other)} against DIT in numpy"
    number = f"from {says.replace('None', 'nowhere')}"
    why = "libraries on the CPU are fast, and OpenGL's way there and back costs more than a short transform"
    return Finding(number, start is not None and 1024 <= start <= 4096, why)


def pays_from(gains: Curve) -> float | None:
    """The size from which on no gain is below 1."""
    return next((n for n in gains if all(gain >= 1 for gain in beyond(gains, n).values())), None)


def amortised(measured: Measured) -> Finding | None:
    each = {n: ms / n for n, ms in rao.on_gpu(measured, "transfers_ms").items()}
    if len(each) < 3:
        return None
    start = next(n for n in each if each[n] <= 1.5 * min(each.values()))
    why = "the cost of starting and that of an element stand in another proportion here"
    return Finding(f"from {short(start)}, within 1.5 × of the least time an element", 1 << 14 <= start <= 1 << 16, why)


def logarithmic(measured: Measured) -> Finding | None:
    times = rao.on_gpu(measured, "median_ms")
    if len(times) < 2:
        return None
    first, last = min(times), max(times)
    growth, claimed = times[last] / times[first], log(last) / log(first)
    why = "no GPU has a thread for each butterfly at once"
    number = f"{growth:.3g} × the time at {short(last)} as at {short(first)}; log N grows {claimed:.3g} ×"
    return Finding(number, growth <= 2 * claimed, why)


CLAIMS = (
    Claim(GOVINDARAJU, "abstract", "Up to 300 GFLOP/s", peak),
    *(
        Claim(GOVINDARAJU, where, f"{statement} {'cuFFT' if other == 'cuFFT' else 'the CPU library'}",
              partial(gain, workload=workload, other=other, low=low, high=high, least=least),
              CUDA if other == "cuFFT" else "")
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
    Claim(GOVINDARAJU, "section V", "The longest lines are faster through global memory than by hierarchy (four-step)",
          global_beats_hierarchical),
    Claim(GOVINDARAJU, "figure 18", "Powers of two are the fastest", powers_of_two_win),
    Claim(GOVINDARAJU, "figure 17", "The error of long lines is 5.5 times the CPU library's", error_over_library),
    Claim(GOVINDARAJU, "figure 17", "The error scales linearly with N", error_grows_linearly),
    Claim(GOVINDARAJU, "figure 17", "Mixed lengths have about the error of powers of two", mixed_errors_are_the_same),
    Claim(GOVINDARAJU, "figure 17", "Errors of primes are of the order of 1e-6", primes_stay_accurate),
    Claim(GOVINDARAJU, "figure 17", "cuFFT's error balloons for primes", cufft_loses_accuracy, CUDA),
    Claim(GOVINDARAJU, "figure 6", "Angles modulo 2N make Bluestein's transform accurate", angles_matter),
    Claim(GOVINDARAJU, "section VI.D", "Transfers take about as long as the transform", transfers_cost_as_much),
    Claim(RAO, "figure 2", "Threads speed a line up by half their number at most (10 of 20)", speed_up),
    Claim(RAO, "figure 3", "It does not scale weakly", partial(scaling, part="weak")),
    Claim(RAO, "figure 4", "It does not scale strongly", partial(scaling, part="strong")),
    Claim(RAO, "figure 6", "The GPU reaches at most 3/4 of the sequential transform", gpu_never_wins),
    Claim(RAO, "section 1", "Of 2^26 values 48 are off by more than 1e-3 of themselves", small_values_are_off,
          "earlier reports did not count them"),
    Claim(DAVIS, "results", "The GPU pays, transfers included, from about 2048 elements", break_even),
    Claim(DAVIS, "results", "Its overhead is amortised from 32768", amortised),
    Claim(DAVIS, "parallelization", "On a GPU the time grows as log N", logarithmic),
)  # fmt: skip
