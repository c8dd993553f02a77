"""Claims of Govindaraju et al. 2008 on the GPU's speed: lines and images."""

from dataclasses import replace
from functools import partial

import numpy as np

from ocean.bench.rows import Row
from tools.papers.benches import Benches, Curve, ratio
from tools.papers.claims import (
    Claim,
    Finding,
    about,
    all_of,
    beyond,
    each,
    finding_of,
    listed,
    over,
    ranged,
    ruled,
    unmeasured,
    up_to,
    worse,
    worst,
)
from tools.papers.drawing import digits, short
from tools.papers.govindaraju import FIGURE_13, PARTS, SIZES_13, cufft, is_power, library, ours, products, some
from tools.papers.kernel_claims import CUDA

GOVINDARAJU = "Govindaraju et al. 2008"
LARGE = 1 << 12
"""Elements from which on a line counts as long."""
LONGEST = 1 << 20
"""Elements from which on a line counts as one of the longest."""
LARGE_PRIME = 4093
"""The largest prime below LARGE; figure 16 shows it for that size."""
LARGE_SIDE = 1 << 9
"""Elements from which on an image counts as large."""
OTHER_CUFFT = "this cuFFT is not the version 1.1 that they had, nor is the GPU theirs"
WEAKER = "this device has less arithmetic or bandwidth than theirs"
PROCESSORS = "both processors are others than a GTX 280 and a quad-core of 2008"
STEADY = 1.25
"""Rates are nearly constant if the highest is at most this times the lowest."""
MUCH = 2
"""Factor in time from which on a transform is much faster."""


def peak(measured: Benches) -> Finding | None:
    rates = ours(measured, "line")
    if not rates:
        return None
    top = max(rates, key=lambda n: rates[n])
    number, noise = f"at most {rate_of(rates[top])}, at {short(top)}", measured.noise("line", [top])[top]
    return up_to(rates[top], 300, number, noise, WEAKER, rate_of)


def rate_of(rate: float) -> str:
    return f"{digits(rate)} GFLOP/s"


def gain(measured: Benches, workload: str, other: str, low: float, high: float, least: int) -> Finding | str | None:
    """Check the gain over cuFFT or the CPU for large sizes: a typical gain, or the largest."""
    mine, theirs = ours(measured, workload), (cufft if other == "cuFFT" else library)(measured, workload)
    if workload == "mixed":
        mine = products(mine)
    gains = beyond(ratio(mine, theirs), least)
    if not gains:
        which = "but powers of 3 and of 5" if workload == "mixed" else "that both have"
        return f"no sizes from {least} on {which}" if theirs else None
    noise, why = measured.noise(workload, gains), OTHER_CUFFT
    if other != "cuFFT":
        noise, why = worse(noise, measured.noise("cpu", gains, PARTS[workload])), PROCESSORS
    if low == high:
        top = max(gains, key=lambda n: gains[n])
        return up_to(gains[top], low, f"at most {gains[top]:.2f} × ({listed(gains)})", noise[top], why, "{:g} ×".format)
    middle = float(np.median(list(gains.values())))
    return ranged(middle, low, high, f"median {middle:.2f} × ({listed(gains)})", worst(noise), why)


def figure_13(measured: Benches) -> Finding | None:
    here = ours(measured, "line")
    theirs: Curve = dict(zip(SIZES_13, map(float, FIGURE_13["theirs, GTX 280"]), strict=True))
    found = {n: here[n] for n in theirs if n in here}
    if not found:
        return None
    return each(ratio(found, theirs), f"{listed(found, digits)} GFLOP/s", measured.noise("line", found), WEAKER)


def batches_beat_lines(measured: Benches) -> Finding | None:
    gains = ratio(ours(measured, "line"), ours(measured, "single"))
    if not gains:
        return None
    several = {n: gain for n, gain in gains.items() if n < 1 << 20}  # beyond it one line fills the GPU
    noise = worse(*(measured.noise(workload, several) for workload in ("line", "single")))
    return each(several, f"{listed(several, rated)} the rate", noise, "there a line alone has caches for itself")


def rated(gain: float) -> str:
    return f"{digits(gain)} ×"


def lines_beat_the_cpu(measured: Benches) -> Finding | None:
    gains = beyond(ratio(ours(measured, "single"), library(measured, "single")), LARGE)
    if not gains:
        return None
    noise = worse(measured.noise("single", gains), measured.noise("cpu", gains, "single"))
    why = "one such line keeps few of the GPU's processors busy"
    return each(gains, f"{listed(gains, rated)} as fast", noise, why, MUCH)


def global_beats_hierarchical(measured: Benches) -> Finding | str | None:
    times = [measured.curve("median_ms", "single", name) for name in ("four-step", "stockham-global")]
    gains = beyond(ratio(*times), LARGE)
    longest = beyond(gains, LONGEST)
    if not longest:
        return f"no line of {short(LONGEST)} or more by both" if gains else None
    why = "caches make the hierarchical passes cheap, and it needs fewer of them"
    return each(longest, f"{listed(longest)} as fast", measured.noise("single", longest), why)


def hierarchical_degrades(measured: Benches) -> Finding | None:
    """Check whether rates fall with N while rates through global memory stay constant; batches fill the GPU at every
    length."""
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
    noise = worst(measured.noise("line", [*steps, *through]))
    rule = ruled(f"four-step falls by more than {STEADY} ×, global memory varies by less", [noise])
    holds = all_of(over(1 / falls, STEADY, noise), over(STEADY, varies, noise))
    return finding_of(number, holds, why, rule)


def powers_of_8_win(measured: Benches) -> Finding | None:
    """Check for a small gain through global memory, where the last pass of all other lengths has radix 2 or 4."""
    rates = beyond(measured.curve("gflops", "line", "stockham-global"), LARGE)
    eights = {n: rate for n, rate in rates.items() if is_power(int(n), 8)}
    others = [rate for n, rate in rates.items() if n not in eights]
    if not eights or not others:
        return None
    gains = {n: rate / max(others) for n, rate in eights.items()}
    number = f"powers of 8 have {listed(gains)} the best rate of others"
    found = each(gains, number, measured.noise("line", gains), "the length counts for more")
    if max(gains.values()) > STEADY:
        return Finding(number, False, f"that is more than {STEADY} ×", found.rule)
    return found


def powers_of_two_win(measured: Benches) -> Finding | None:
    two = ours(measured, "line")
    others = {base: some(ours(measured, "mixed"), base) for base in (3, 5)}
    if (
        not two
        or not all(others.values())
        or any(1 << int(n).bit_length() not in two for n in {**others[3], **others[5]})
    ):
        return None
    gains = {n: two[1 << int(n).bit_length()] / rate for curve in others.values() for n, rate in curve.items()}
    noise = worse(measured.noise("mixed", gains), {n: measured.tolerance("line") for n in gains})
    number = f"the next longer power of two has {listed(dict(sorted(gains.items())))} the rate"
    return each(gains, number, noise, "a butterfly of 3 or 5 costs no more there")


def transfers_cost_as_much(measured: Benches) -> Finding | None:
    """Check the rates of transfers against the rates of transforms; no row shows what limits the transfers."""
    whole, kernels = (measured.curve(value, "line", "auto") for value in ("transfers_ms", "median_ms"))
    shares = [max(share - 1, 0.0) for share in ratio(whole, kernels).values()]
    if not shares:
        return None
    middle = float(np.median(shares))
    rates = [measured.curve(partial(lines_per_ms, field), "line", "auto") for field in ("transfers_ms", "median_ms")]
    slow, fast = (digits(float(np.median(list(rate.values())))) for rate in rates)
    why = f"kernels read and write the lines at {fast} GB/s, and with the way there and back it is {slow}"
    number = f"transfers take {middle:.1f} times the kernels' time"
    found = about({0: middle}, 1, number, why, "{:g} ×".format, measured.tolerance("line"))
    return replace(found, why=why, rule=f"median {found.rule}")


def lines_per_ms(field: str, row: Row) -> float | None:
    """Return the rate [GB/s] at which lines of complex64 are read and written once."""
    ms = getattr(row, field)
    return 2 * 8 * row.size * row.batch / (1e6 * ms) if ms else None


CLOCKS = "no clock is changed here"

CLAIMS = (
    Claim("govindaraju.peak", GOVINDARAJU, "abstract", "Up to 300 GFLOP/s", peak),
    Claim("govindaraju.peak-overclocked", GOVINDARAJU, "section I", "340 GFLOP/s when overclocked", unmeasured, CLOCKS),
    *(
        Claim(f"govindaraju.{key}-{other.lower()}", GOVINDARAJU, where,
              f"{statement} {'cuFFT' if other == 'cuFFT' else 'the CPU library'}",
              partial(gain, workload=workload, other=other, low=low, high=high, least=least),
              CUDA if other == "cuFFT" else "no rows of the CPU's libraries")
        for key, where, statement, workload, other, low, high, least in (
            ("lines", "abstract", "Batches of long lines: 2 to 4 times as fast as", "line", "cuFFT", 2, 4, LARGE),
            ("lines", "abstract", "Batches of long lines: 8 to 40 times as fast as", "line", "CPU", 8, 40, LARGE),
            ("lines-most", "figure 12", "Batches of long lines: up to 4 times as fast as", "line", "cuFFT", 4, 4,
             LARGE),
            ("lines-most", "figure 12", "Batches of long lines: up to 19 times as fast as", "line", "CPU", 19, 19,
             LARGE),
            ("images", "figure 14", "Large images: up to 3 times as fast as", "image", "cuFFT", 3, 3, LARGE_SIDE),
            ("images", "figure 14", "Large images: up to 61 times as fast as", "image", "CPU", 61, 61, LARGE_SIDE),
            ("mixed", "figure 15", "Mixed lengths: 2 to 8 times as fast as", "mixed", "cuFFT", 2, 8, 1000),
            ("mixed", "figure 15", "Mixed lengths: 5 to 32 times as fast as", "mixed", "CPU", 5, 32, 1000),
            ("primes", "section VI.C", "Large primes: up to 11 times as fast as", "prime", "CPU", 11, 11,
             LARGE_PRIME),
            ("primes-of-figure-16", "figure 16", "Large primes: up to 10 times as fast as", "prime", "CPU", 10, 10,
             LARGE_PRIME),
        )
    ),
    Claim("govindaraju.rates-of-figure-13", GOVINDARAJU, "figure 13",
          "At least 120, 160, 215, 271, 297, 245 GFLOP/s at 8, 16, 64, 256, 512, 1024", figure_13),
    Claim("govindaraju.volkov-kazian", GOVINDARAJU, "figure 13",
          "Rates are comparable with those of Volkov and Kazian's kernels", unmeasured,
          "their kernels were not run here"),
    Claim("govindaraju.line-slower-than-batch", GOVINDARAJU, "figure 11",
          "A line alone is slower than lines in batches", batches_beat_lines),
    Claim("govindaraju.line-beats-cpu", GOVINDARAJU, "figure 11",
          "A long line alone is much faster than by the CPU library", lines_beat_the_cpu,
          "no long lines by the CPU's libraries"),
    Claim("govindaraju.hierarchy-degrades", GOVINDARAJU, "section V",
          "By hierarchy long lines become slower, through global memory the rate is nearly " "constant",
          hierarchical_degrades),
    Claim("govindaraju.global-beats-hierarchy", GOVINDARAJU, "section V",
          "The longest lines are faster through global memory than by hierarchy (four-step)",
          global_beats_hierarchical),
    Claim("govindaraju.rate-oscillates", GOVINDARAJU, "figure 9",
          "Through global memory the rate oscillates a little, by the last pass's radix", powers_of_8_win),
    Claim("govindaraju.core-clock", GOVINDARAJU, "figure 9",
          "For all but the least sizes rates grow linearly with the core's clock", unmeasured, CLOCKS),
    Claim("govindaraju.memory-clock", GOVINDARAJU, "figure 10",
          "With the memory's clock they grow less than linearly where it is high", unmeasured, CLOCKS),
    Claim("govindaraju.older-driver", GOVINDARAJU, "section VI.A",
          "An older driver gives significantly different results", unmeasured, "one driver is here"),
    Claim("govindaraju.cell-processor", GOVINDARAJU, "section II",
          "Rates for large sizes are higher than those published for the Cell processor", unmeasured,
          "no such processor is here"),
    Claim("govindaraju.powers-of-two-fastest", GOVINDARAJU, "figure 18", "Powers of two are the fastest",
          powers_of_two_win),
    Claim("govindaraju.transfers", GOVINDARAJU, "section VI.D", "Transfers take about as long as the transform",
          transfers_cost_as_much),
)  # fmt: skip
