"""Claims of Govindaraju et al. 2008 on the CPU's library and its threads."""

import numpy as np

from tools.papers.benches import Benches, Curve, best, ratio
from tools.papers.claims import (
    SIMILAR,
    Claim,
    Finding,
    all_of,
    beyond,
    each,
    finding_of,
    listed,
    over,
    ruled,
    unmeasured,
    worse,
    worst,
)
from tools.papers.drawing import digits, short
from tools.papers.govindaraju import LIBRARIES, library, on_cpu
from tools.papers.line_claims import GOVINDARAJU, PROCESSORS, rated

REUSE = range(10, 18)
"""log2 N of lines that fit into the cache shared by two threads (figure 8)."""


def batches_beat_lines_on_the_cpu(measured: Benches) -> Finding | None:
    gains = ratio(library(measured, "line"), library(measured, "single"))
    if not gains:
        return None
    why = "the threads take longer to start than such lines, or do not pay"
    noise = worse(*(measured.noise("cpu", gains, part) for part in ("lines", "single")))
    return each(gains, f"{listed(gains, rated)} the rate", noise, why)


def reused(curve: Curve) -> Curve:
    """Return the rates at the sizes of figure 8 that caches serve best."""
    return {n: y for n, y in curve.items() if int(n).bit_length() - 1 in REUSE}


def a_line_a_thread(measured: Benches) -> tuple[Curve, Curve] | None:
    """Return rates of the CPU for lines in the cache, from 2^10 to 2^17, and beyond it."""
    rates = on_cpu(measured, "line-a-thread")
    inside, longer = reused(rates), beyond(rates, 1 << REUSE.stop)
    return (inside, longer) if inside and longer and min(rates) < min(inside) else None


def caches_peak(measured: Benches) -> Finding | None:
    if (found := a_line_a_thread(measured)) is None:
        return None
    rates = on_cpu(measured, "line-a-thread")
    top = max(rates, key=lambda n: rates[n])
    inside, outside = (max(y for n, y in rates.items() if (n in found[0]) is here) for here in (True, False))
    noise = worst(measured.noise("cpu", rates, "line-a-thread"))
    holds = all_of(over(inside, outside, noise), over(rates[top], 52, noise))
    why = f"{'it is at another length' if top not in found[0] else 'it is lower'}; {PROCESSORS}"
    rule = ruled("the highest rate lies in this range, above 52; exceeded: above 104", [noise])
    exceeds = over(rates[top], 2 * 52, noise) is True
    return finding_of(f"{digits(rates[top])} GFLOP/s, at {short(top)}", holds, why, rule, exceeds)


def caches_overflow(measured: Benches) -> Finding | None:
    if (found := a_line_a_thread(measured)) is None:
        return None
    top = max(found[0].values())
    falls = {n: top / rate for n, rate in found[1].items()}
    return each(
        falls,
        f"the peak is {listed(falls)} the rate",
        measured.noise("cpu", falls, "line-a-thread"),
        "caches hold such lines here",
    )


def four_threads_equal_two(measured: Benches) -> Finding | str | None:
    """Check the library that gains most by threads."""
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
    noise, why = worst(measured.noise("cpu", gains, "lines")), "four threads have caches and memory enough, or two have"
    holds = all_of(over(middle, SIMILAR, noise), over(SIMILAR, other, noise))
    rule = ruled(f"median above {SIMILAR:g} × in this range, below it elsewhere", [noise])
    return finding_of(number, holds, why, rule)


def many_short_lines_are_slower(measured: Benches) -> Finding | None:
    """Check batches of 2^20 elements in short lines against one line for each thread."""
    gains = ratio(on_cpu(measured, "line-a-thread"), on_cpu(measured, "lines"))
    gains = {n: gain for n, gain in gains.items() if n < 1 << REUSE.start}
    if not gains:
        return None
    noise = worse(*(measured.noise("cpu", gains, part) for part in ("lines", "line-a-thread")))
    why = "a call of the library takes a large part of the time of so few"
    return each(gains, f"a line a thread has {listed(gains)} the rate", noise, why)


ACROSS = "no lines shorter than 2^10, longer than 2^17, and between"

CLAIMS = (
    Claim("govindaraju.cpu-line-slower-than-batch", GOVINDARAJU, "section VI.C",
          "On the CPU too a line alone is slower than lines in batches", batches_beat_lines_on_the_cpu),
    Claim("govindaraju.cpu-many-lines-slower", GOVINDARAJU, "section VI.B",
          "On the CPU many lines are slower than a few, even if they are short", many_short_lines_are_slower),
    Claim("govindaraju.four-threads-equal-two", GOVINDARAJU, "figure 8",
          "On the CPU 4 threads are as fast as 2, except from 2^10 to 2^17", four_threads_equal_two),
    Claim("govindaraju.caches-peak", GOVINDARAJU, "figure 8",
          "On the CPU a line for each thread is fastest from 2^10 to 2^17, with 52 GFLOP/s", caches_peak, ACROSS),
    Claim("govindaraju.caches-overflow", GOVINDARAJU, "figure 8",
          "On the CPU a line for each thread becomes slower from 2^18 on", caches_overflow, ACROSS),
    Claim("govindaraju.cpu-memory-limits", GOVINDARAJU, "figure 8",
          "On the CPU memory limits a line for each thread from 2^20 on", unmeasured,
          "no row is of the CPU's bandwidth"),
)  # fmt: skip
