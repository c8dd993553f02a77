"""Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008): figures 6, 8 and
11 to 18. In place of their MKL stands the fastest library that ran on this machine's CPU, with its best number of
threads."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby, pairwise
from math import inf, log2
from statistics import median
from typing import Any

import numpy as np

from ocean.bench.rows import Row
from tools.papers import claims
from tools.papers.benches import Benches, Curve, best, ratio
from tools.papers.cases import PRIME_SWEEP
from tools.papers.claims import ERRORS, LARGEST, LIBRARIES, SIMILAR, Finding
from tools.papers.drawing import Figure, Lines, Table, digits, short

SOURCE = "Govindaraju et al. 2008"
GFLOPS = "GFLOP/s"
CPU_ELEMENTS = 1 << 20  # of a batch
OF_THE_CPU = "the CPU's batches have 2^20 elements"
OURS, CUFFT, CPU = "ours (auto)", "cuFFT", "CPU library"
PARTS = {
    "line": "lines",
    "mixed": "mixed",
    "prime": "primes",
    "prime-sweep": "prime-sweep",
    "single": "single",
    "image": "images",
    "rectangle": "rectangles",
}
"""Names of the parts of the workload `cpu`."""
FIGURE_13 = {
    "theirs, GTX 280": (120, 160, 215, 271, 297, 245),
    "Volkov and Kazian, GTX 280": (102, 124, 229, 222, 298, 260),
}
SIZES_13 = (8, 16, 64, 256, 512, 1024)


def ours(measured: Benches, workload: str, direction: str = "forward") -> Curve:
    return measured.curve("gflops", workload, "auto", direction=direction, **one_image(workload))


def cufft(measured: Benches, workload: str, direction: str = "forward") -> Curve:
    return measured.curve("gflops", workload, "cufft", options="graph", direction=direction, **one_image(workload))


def one_image(workload: str) -> dict[str, Any]:
    return {"batch": 1} if workload == "image" else {}


def library(measured: Benches, workload: str, direction: str = "forward") -> Curve:
    return on_cpu(measured, PARTS[workload])  # measured forward alone


def on_cpu(measured: Benches, part: str) -> Curve:
    """Return the GFLOP/s of the fastest library for a part of the workload `cpu`."""
    return claims.curve_of(measured, "cpu", "library", "gflops", part=part)


def compared(measured: Benches, workload: str) -> dict[str, Curve]:
    return {OURS: ours(measured, workload), CUFFT: cufft(measured, workload), CPU: library(measured, workload)}


def relative(curves: Mapping[str, Curve]) -> dict[str, Curve]:
    """Return times in units of ours, computed from GFLOP/s, because batches may differ."""
    return {name: ratio(curves[OURS], curve) for name, curve in curves.items() if name != OURS}


def some(curve: Curve, base: int) -> Curve:
    return {x: y for x, y in curve.items() if is_power(int(x), base)}


def is_power(x: int, base: int) -> bool:
    while x % base == 0 and x > 1:
        x //= base
    return x == 1


def products(curve: Curve) -> Curve:
    """Return the part of a curve at products of 2, 3 and 5, without powers of 3 and powers of 5."""
    return {x: y for x, y in curve.items() if not is_power(int(x), 3) and not is_power(int(x), 5)}


def errors(measured: Benches, workload: str, name: str, field: str = "relative_l2", **same: Any) -> Curve:
    """Return the errors of forward transforms, including wrong results."""
    return measured.curve(field, workload, name, is_right=None, direction="forward", **same)


def figure_8(measured: Benches) -> Figure:
    """Draw the GFLOP/s of the CPU's libraries by number of threads."""

    def curves(part: str) -> dict[str, Curve]:
        found = {}
        for name in LIBRARIES[1:]:
            for count in sorted({row.workers or 1 for row in measured.rows("cpu", name, part=part)}):
                label = f"{name}, {count} thread{'s' if count > 1 else ''}"
                found[label] = measured.curve("gflops", "cpu", name, part=part, workers=count)
        return found or {"scipy": {}}

    panels = [
        Lines("A line for each thread", curves("line-a-thread"), GFLOPS, log_y=False),
        Lines("Batches of 2^20 elements", curves("lines"), GFLOPS, log_y=False),
    ]
    return Figure("govindaraju-8", f"{SOURCE}, figure 8", "Libraries of the CPU with several threads", panels)


def figure_13(measured: Benches) -> Figure:
    numbers = {x: y for x, y in ours(measured, "line").items() if x in SIZES_13}
    published: dict[str, Curve] = {
        name: dict(zip(SIZES_13, map(float, values), strict=True)) for name, values in FIGURE_13.items()
    }
    table = Table("GFLOP/s by size", {"ours, here": numbers, **published}, tuple(published), "{:.0f}")
    return Figure("govindaraju-13", f"{SOURCE}, figure 13", "Batches of lines that shared memory holds", [table])


def rates_and_times(
    measured: Benches, number: int, workload: str, title: str, note: str = "", log_y: bool = False
) -> Figure:
    curves = compared(measured, workload)
    if workload == "mixed":
        curves = {name: products(curve) for name, curve in curves.items()}
    panels = [
        Lines("GFLOP/s by convention", curves, GFLOPS, log_y=log_y, required=(OURS,)),
        Lines("Time, relative to ours", relative(curves), "× ours", level=1.0),
    ]
    return Figure(f"govindaraju-{number}", f"{SOURCE}, figure {number}", title, panels, note if curves[CPU] else "")


def figure_16(measured: Benches) -> Figure:
    """Draw the largest primes below powers of two, and primes between them."""
    figure = rates_and_times(measured, 16, "prime", "Batches of lines of prime length", OF_THE_CPU)
    teeth = compared(measured, "prime-sweep")
    if not teeth[OURS]:
        return replace(figure, note="; ".join(filter(None, (figure.note, "without the sweep over primes"))))
    panel = Lines("First and last primes of octaves, GFLOP/s", teeth, GFLOPS, log_y=False, required=(OURS,))
    return replace(figure, panels=[panel, *figure.panels])


def figure_14(measured: Benches) -> Figure:
    """Draw one image, four images, and rectangles with as many elements."""
    four = {
        OURS: measured.curve("gflops", "ocean", "auto"),
        CUFFT: measured.curve("gflops", "ocean", "cufft", options="graph"),
    }
    curves = compared(measured, "image")
    panels = [
        Lines("One image N × N", curves, GFLOPS, log_y=False, required=(OURS,)),
        Lines("One image, time relative to ours", relative(curves), "× ours", level=1.0),
        Lines("Four images N × N (inverse)", four, GFLOPS, log_y=False, required=(OURS,)),
    ]
    rectangles = compared(measured, "rectangle")
    if rectangles[OURS]:
        squares = panels if curves[OURS] else []
        panels = [*squares, Lines("One image with rows of N, as large for every N", rectangles, GFLOPS, log_y=False)]
    note = "" if rectangles[OURS] else "without rectangles"
    note = "the CPU's rectangles have 2^20 elements" if rectangles[OURS] and rectangles[CPU] else note
    return Figure("govindaraju-14", f"{SOURCE}, figure 14", "Transforms in two dimensions", panels, note)


def figure_17(measured: Benches) -> Figure:
    """Draw errors of one transform against double precision; the paper's are errors of both directions, halved."""

    def panel(title: str, workload: str) -> Lines:
        scipy = measured.curve("relative_l2", "cpu", "scipy", part=PARTS[workload])
        curves = {
            OURS: errors(measured, workload, "auto"),
            CUFFT: errors(measured, workload, "cufft", options="graph"),
            "CPU (scipy)": scipy,
        }
        return Lines(title, curves, "relative L2 error", required=(OURS,))

    largest = {f"{OURS}, of one value": errors(measured, "line", "auto", "largest_error")}
    two = panel("Powers of two", "line")
    two = replace(two, curves={**two.curves, **largest}, dashed=tuple(largest))
    small = panel("Primes to 2^16", "prime-sweep")
    primes = [*([small] if small.curves[OURS] else []), panel("Primes below powers of two", "prime")]
    panels = [two, panel("Products of 2, 3 and 5", "mixed"), *primes]
    note = "one transform against double precision"
    return Figure("govindaraju-17", f"{SOURCE}, figure 17", "Errors", panels, note)


def figure_18(measured: Benches) -> Figure:
    lines, mixed = ours(measured, "line"), ours(measured, "mixed")
    radices = {"2^i": some(lines, 2), "3^i": some(mixed, 3), "5^i": some(mixed, 5)}
    panel = Lines("Batches of lines, ours", radices, GFLOPS, log_y=False, required=tuple(radices))
    return Figure("govindaraju-18", f"{SOURCE}, figure 18", "Powers of 2, of 3 and of 5", [panel])


LARGE = 1 << 12  # elements from which on a line counts as long
OTHER_CUFFT = "neither cuFFT (theirs was version 1.1) nor the GPU is theirs"
PROCESSORS = "neither processor is theirs, a GTX 280 and a quad-core of 2008"
STEADY = 1.25  # rates are nearly constant if the highest is at most this times the lowest


def peak(measured: Benches) -> Finding | None:
    rates = ours(measured, "line")
    if not rates:
        return None
    top = max(rates, key=lambda n: rates[n])
    number, noise = f"at most {rate_of(rates[top])}, at {short(top)}", measured.noise("line", [top])[top]
    return claims.up_to(rates[top], 300, number, noise, form=rate_of)


def rate_of(rate: float) -> str:
    return f"{digits(rate)} GFLOP/s"


def gain(
    measured: Benches, workload: str, other: str, low: float, high: float, least: int, direction: str = ""
) -> Finding | str | None:
    """Check the gain over cuFFT or the CPU for large sizes: the median gain, or the largest if `low` equals `high`."""
    if (workload, other, direction) == ("image", "cuFFT", ""):
        there, back = (gain(measured, workload, other, low, high, least, way) for way in ("forward", "inverse"))
        both = {way: one for way, one in (("forward", there), ("inverse", back)) if isinstance(one, Finding)}
        return claims.both_ways(both.get) or there
    way = direction or "forward"
    mine, theirs = ours(measured, workload, way), (cufft if other == "cuFFT" else library)(measured, workload, way)
    if workload == "mixed":
        mine = products(mine)
    gains = claims.beyond(ratio(mine, theirs), least)
    if other != "cuFFT" and workload != "image":  # libraries share images among threads, and lines one by one
        gains = {n: gain for n, gain in gains.items() if n * measured.benches[0].host.logical_cores <= CPU_ELEMENTS}
    if not gains:
        which = "but powers of 3 and of 5" if workload == "mixed" else "that both have"
        return f"no sizes from {least} on {which}" if theirs else None
    noise, why = measured.noise(workload, gains), OTHER_CUFFT
    measured.forget(gains)
    if other != "cuFFT":
        noise, why = claims.together(noise, measured.noise("cpu", gains, PARTS[workload])), PROCESSORS
    if low == high:
        top = max(gains, key=lambda n: gains[n])
        return claims.up_to(
            gains[top], low, f"at most {gains[top]:.2f} × ({claims.listed(gains)})", noise[top], why, "{:g} ×".format
        )
    middle = float(np.median(list(gains.values())))
    return claims.ranged(middle, low, high, f"median {middle:.2f} × ({claims.listed(gains)})", claims.worst(noise), why)


def rates_of_figure_13(measured: Benches) -> Finding | None:
    here = ours(measured, "line")
    theirs: Curve = dict(zip(SIZES_13, map(float, FIGURE_13["theirs, GTX 280"]), strict=True))
    found = {n: here[n] for n in theirs if n in here}
    if not found:
        return None
    number = f"{claims.listed(found, digits)} GFLOP/s"
    return claims.each(ratio(found, theirs), number, measured.noise("line", found))


def long_line_beats_cpu(measured: Benches) -> Finding | str | None:
    """Check whether there is a length from which on every line is at least twice as fast as by the CPU's library."""
    gains = ratio(ours(measured, "single"), library(measured, "single"))
    if max(gains, default=0) < LARGE:
        return f"no line of {short(LARGE)} or more by both" if gains else None
    noise = claims.together(measured.noise("single", gains), measured.noise("cpu", gains, PARTS["single"]))
    start = claims.pays_from({n: gain / (2 * (1 + noise[n])) for n, gain in gains.items()})
    number = f"{claims.listed(gains, claims.rated)} as fast"
    number += f"; twice or more from {short(start)} on" if start else ""
    rule, last = claims.ruled("above 2 × from some length on", noise.values()), max(gains)
    return claims.finding_of(number, True if start else claims.over(gains[last], 2, noise[last]), rule)


def hierarchical_degrades(measured: Benches) -> Finding | None:
    """Check whether rates fall with N while rates through global memory stay constant; batches fill the GPU at every
    length."""
    names = ("four-step", "stockham-global")
    steps, through = (claims.beyond(measured.curve("gflops", "line", name), LARGE) for name in names)
    if len(steps) < 2 or len(through) < 2:
        return None
    falls, varies = steps[max(steps)] / steps[min(steps)], max(through.values()) / min(through.values())
    number = (
        f"four-step has {falls:.2f} × the rate at {short(max(steps))} as at {short(min(steps))}; "
        f"stockham-global varies by {varies:.2f} ×"
    )
    noise = claims.worst(measured.noise("line", [*steps, *through]))
    rule = claims.ruled(f"four-step falls by more than {STEADY} ×, global memory varies by less", [noise])
    holds = claims.all_of(claims.over(1 / falls, STEADY, noise), claims.over(STEADY, varies, noise))
    return claims.finding_of(number, holds, rule)


def powers_of_8_win(measured: Benches) -> Finding | None:
    """Check for small peaks of the rate at powers of 8 through global memory: the last pass of their neighbours has
    radix 2 or 4."""
    rates = claims.beyond(measured.curve("gflops", "line", "stockham-global"), LARGE / 2)
    eights = (n for n in rates if n >= LARGE and is_power(int(n), 8) and n / 2 in rates and 2 * n in rates)
    gains = {n: rates[n] / max(rates[n / 2], rates[2 * n]) for n in eights}
    number = f"rate at powers of 8 relative to the better neighbour: {claims.listed(gains)}"
    found = claims.each(gains, number, measured.noise("line", gains))
    if found and max(gains.values()) > STEADY:
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
    noise_of_two = {n: claims.worst(measured.noise("line", [1 << int(n).bit_length()])) for n in gains}
    noise = claims.together(measured.noise("mixed", gains), noise_of_two)
    number = f"rate at the next longer power of two, relative to these: {claims.listed(dict(sorted(gains.items())))}"
    return claims.each(gains, number, noise)


def products_as_radices(measured: Benches, product: str) -> Finding | None:
    """Check whether a radix such as 9 is faster than prime radices, where no other product is a radix and plans differ
    in nothing else."""
    taken, primes = (
        measured.by("size", "mixed", "stockham-registers", direction="forward", options=options)
        for options in ("", "odd=primes")
    )
    gains: Curve = {}
    for n in sorted({*taken} & {*primes}):
        (radices, *one), (_, *other) = ((row.plan or "").split()[1:] for row in (taken[n], primes[n]))
        if one == other and {"9", "15", "25"} & {*radices.split("×")} == {product}:
            gains[n] = (primes[n].median_ms or 0.0) / (taken[n].median_ms or inf)
    if not gains:
        return None
    measured.forget(gains)
    return claims.each(gains, f"radix {product} is {claims.listed(gains)} as fast", measured.noise("mixed", gains))


def dimensions_cost(measured: Benches) -> Finding | None:
    """Check the passes of a cube, two of which read elements that lie apart, against the pass of contiguous lines that
    are as long. A copy of as many elements is the unit, because caches serve different shares of both. Cubes with fewer
    elements than a batch of lines don't count."""

    def passes(workload: str) -> Curve:
        """Return the time of a pass in units of a copy."""
        rows, copies = (measured.by("size", workload, name, direction="forward") for name in ("auto", "copy"))
        return {
            n: (row.median_ms or 0.0) / (row.dispatches or 1) / (copies[n].median_ms or inf)
            for n, row in rows.items()
            if n in copies
        }

    batch = max((row.size * row.batch for row in measured.rows("line", "auto")), default=0)
    gains = {n: gain for n, gain in ratio(passes("cube"), passes("line")).items() if n**3 >= batch}
    measured.forget(gains)
    number = f"time of a pass, in units of a copy, relative to that of lines: {claims.listed(gains)}"
    return claims.each(gains, number, claims.together(measured.noise("line", gains), measured.noise("cube", gains)))


def transfers_cost_as_much(measured: Benches) -> Finding | None:
    """Check the time of transfers, which is the whole time minus the kernels', against the kernels'."""
    whole, kernels = (measured.curve(value, "line", "auto") for value in ("transfers_ms", "median_ms"))
    shares = [max(share - 1, 0.0) for share in ratio(whole, kernels).values()]
    if not shares:
        return None
    middle, noise = median(shares), claims.worst(measured.noise("line", whole, value="transfers_ms"))
    number = f"transfers take {middle:.1f} times the kernels' time"
    found = claims.about({0: middle}, 1, number, "", "{:g} ×".format, noise)
    return found and replace(found, why="" if found.holds is False else found.why, rule=f"median {found.rule}")


SWEEP = "prime-sweep"


def saw_tooth(measured: Benches, by_library: bool) -> Finding | None:
    """Check whether the rate is a saw-tooth curve. Bluestein's transform pads lines to a power of two, so the rate
    rises with the primes of an octave and falls at its end."""
    every = (library if by_library else ours)(measured, SWEEP)
    rates = {n: rate for n, rate in every.items() if n in PRIME_SWEEP}
    octaves = [list(some) for _, some in groupby(rates, lambda n: int(n).bit_length())]
    rises = [rates[primes[-1]] / rates[primes[0]] for primes in octaves if len(primes) > 1]
    falls = [rates[before[-1]] / rates[after[0]] for before, after in pairwise(octaves)]
    if len(rises) < 2:
        return None
    rise, fall = median(rises), median(falls)
    first, following = f"{rise:.2f} × the rate of the first", f"{fall:.2f} × that of the next (medians)"
    number = f"the last prime of an octave has {first}, and {following}"
    noise = measured.noise("cpu", rates, SWEEP) if by_library else measured.noise(SWEEP, rates)
    return claims.typically(min(rise, fall), number, claims.worst(noise), kind="both medians")


def cufft_sums_directly(measured: Benches) -> Finding | None:
    each = {n: log2(n) / rate for n, rate in cufft(measured, "prime").items()}
    found = claims.law(each, "N", "that of a direct sum would grow as N", measured.noise("prime", each))
    return found and replace(found, number=f"time per element grows {found.number}")


REUSE = range(10, 18)  # log2 N of lines that fit into the cache shared by two threads (figure 8)


def reused(curve: Curve) -> Curve:
    """Return the rates at the sizes of figure 8 that caches serve best."""
    return {n: y for n, y in curve.items() if int(n).bit_length() - 1 in REUSE}


def a_line_a_thread(measured: Benches) -> tuple[Curve, Curve] | None:
    """Return rates of the CPU for lines in the cache, from 2^10 to 2^17, and beyond it."""
    rates = on_cpu(measured, "line-a-thread")
    inside, longer = reused(rates), claims.beyond(rates, 1 << REUSE.stop)
    return (inside, longer) if inside and longer and min(rates) < min(inside) else None


def caches_peak(measured: Benches) -> Finding | None:
    if (found := a_line_a_thread(measured)) is None:
        return None
    rates = on_cpu(measured, "line-a-thread")
    top = max(rates, key=lambda n: rates[n])
    inside, outside = (max(y for n, y in rates.items() if (n in found[0]) is here) for here in (True, False))
    noise = claims.worst(measured.noise("cpu", rates, "line-a-thread"))
    holds = claims.all_of(claims.over(inside, outside, noise), claims.over(rates[top], 52, noise))
    why = f"it is {'at another length' if top not in found[0] else 'lower'}; {PROCESSORS}"
    rule = claims.ruled("the highest rate lies in this range, above 52; exceeded: above 104", [noise])
    exceeds = claims.over(rates[top], 2 * 52, noise) is True
    return claims.finding_of(f"{digits(rates[top])} GFLOP/s, at {short(top)}", holds, rule, why, exceeds)


def caches_overflow(measured: Benches) -> Finding | None:
    if (found := a_line_a_thread(measured)) is None:
        return None
    top = max(found[0].values())
    falls = {n: top / rate for n, rate in found[1].items()}
    number = f"peak relative to the rate: {claims.listed(falls)}"
    noise = measured.noise("cpu", falls, "line-a-thread")
    return claims.each(falls, number, noise)


def four_threads_equal_two(measured: Benches) -> Finding | str | None:
    """Check the library that gains most by threads, where batches have a line for each of four."""
    rates = {
        count: best(measured.curve("gflops", "cpu", name, part="lines", workers=count) for name in LIBRARIES)
        for count in (2, 4)
    }
    gains = {n: gain for n, gain in ratio(rates[4], rates[2]).items() if 1 < n <= CPU_ELEMENTS / 4}
    if not gains:
        return None
    inside = reused(gains)
    outside = {n: gain for n, gain in gains.items() if n not in inside}
    if not inside or not outside:
        return "no lines shorter and longer than 2^10 to 2^17, and between"
    middle, other = (float(np.median(list(some.values()))) for some in (inside, outside))
    number = f"median {middle:.2f} × from 2^10 to 2^17, {other:.2f} × elsewhere"
    noise = claims.worst(measured.noise("cpu", gains, "lines"))
    holds = claims.all_of(claims.over(middle, SIMILAR, noise), claims.over(SIMILAR, other, noise))
    rule = claims.ruled(f"median above {SIMILAR:g} × in this range, below it elsewhere", [noise])
    return claims.finding_of(number, holds, rule)


ALIKE = 2  # errors are similar, or in proportion, if the largest is at most this times the smallest
APART = f"these differ by more than {ALIKE} times"


KINDS = {"line": "powers of two", "mixed": "mixed lengths", "prime": "primes"}
MINE, CUFFTS, SCIPYS = "ours", "cuFFT's", "scipy's"
EQUAL_LENGTH = "at equal length, interpolated in log N"
EXACT = "our roots are exact to rounding, so our transforms keep all digits of single precision"


def errors_of(measured: Benches, whose: str, workload: str, field: str = "relative_l2") -> Curve:
    """Return the errors of a contestant for lines of one workload."""
    if whose == SCIPYS:
        return measured.curve(field, "cpu", "scipy", part=PARTS[workload], workers=1)
    name, options = ("auto", {}) if whose == MINE else ("cufft", {"options": "graph"})
    return errors(measured, workload, name, field, **options)


def typical(curve: Curve) -> float:
    return median(curve.values())


def beside(measured: Benches, whose: str, other: str, kinds: Iterable[str] = KINDS) -> dict[str, Curve]:
    """Return the errors of one contestant in units of another's, by the workloads that both have."""
    found = {kind: ratio(*(errors_of(measured, one, kind) for one in (whose, other))) for kind in kinds}
    return {kind: curve for kind, curve in found.items() if curve}


def more_accurate_than_cufft(measured: Benches) -> Finding | None:
    """Check mixed lengths and primes against cuFFT; the paper calls errors of powers of two similar."""
    found = {kind: typical(curve) for kind, curve in beside(measured, CUFFTS, MINE).items()}
    others = [share for kind, share in found.items() if kind != "line"]
    if not others:
        return None
    number = ", ".join(f"{share:.2f} × ours for {KINDS[kind]}" for kind, share in found.items())
    why = f"a factor of {ALIKE} would be significant; {OTHER_CUFFT}"
    holds, rule = claims.over(min(others), ALIKE, ERRORS), f"each median above {ALIKE} ×"
    return claims.error_finding(f"cuFFT's error is {number} (medians)", holds, rule, why)


def alike_for_powers_of_two(measured: Benches) -> Finding | None:
    found = beside(measured, CUFFTS, MINE, ["line"]).get("line")
    if not found:
        return None
    apart = median(max(share, 1 / share) for share in found.values())
    number = f"cuFFT's error relative to ours: {claims.listed(found)}; they differ by a median of {apart:.2f} ×"
    return claims.error_finding(number, claims.over(ALIKE, apart, ERRORS), f"median within {ALIKE} ×", APART)


def beside_powers_of_two(measured: Benches, whose: str, kind: str) -> Curve:
    """Return the errors of a contestant in units of its error for powers of two. As errors grow with the length, the
    latter is interpolated in log N to equal length; lengths beyond the measured powers of two are left out."""
    curve, two = (errors_of(measured, whose, workload) for workload in (kind, "line"))
    if not two:
        return {}
    sizes = sorted(two)
    lengths = [n for n in curve if sizes[0] <= n <= sizes[-1]]
    at_equal_length = np.interp(np.log2(lengths), np.log2(sizes), [two[n] for n in sizes])
    return {n: curve[n] / float(error) for n, error in zip(lengths, at_equal_length, strict=True)}


def least_for_powers_of_two(measured: Benches) -> Finding | None:
    """Check for each contestant with errors of every workload that powers of two have the smallest error."""
    found = {}
    for whose in (MINE, CUFFTS, SCIPYS):
        curves = {kind: beside_powers_of_two(measured, whose, kind) for kind in KINDS if kind != "line"}
        if all(curves.values()):
            found[whose] = {KINDS[kind]: typical(curve) for kind, curve in curves.items()}
    if not found:
        return None
    number = "; ".join(
        f"{whose} {' and '.join(f'{share:.2f} × for {kind}' for kind, share in shares.items())}"
        for whose, shares in found.items()
    )
    least = {whose: claims.over(min(shares.values()), 1, ERRORS) for whose, shares in found.items()}
    why = f"not {' and '.join(whose for whose, one in least.items() if one is False)}"
    number = f"medians, in units of the error of powers of two: {number}"
    return claims.error_finding(number, claims.all_of(*least.values()), f"each median above 1 ×, {EQUAL_LENGTH}", why)


def library_errs_least(measured: Benches) -> Finding | None:
    """Check typical errors of the GPU against scipy's, over lengths of all workloads."""
    found = {}
    for whose in (MINE, CUFFTS):
        shares = [share for curve in beside(measured, whose, SCIPYS).values() for share in curve.values()]
        if shares:
            found[whose] = median(shares)
    if not found:
        return None
    number = " and ".join(f"{whose} {share:.2f} ×" for whose, share in found.items())
    holds = claims.over(min(found.values()), 1, ERRORS)
    return claims.error_finding(f"{number} scipy's (medians)", holds, "both medians above 1 ×", EXACT)


def error_over_library(measured: Benches) -> Finding | None:
    found = claims.beyond(beside(measured, MINE, SCIPYS, ["line"]).get("line", {}), LARGE)
    return claims.about(found, 5.5, f"ours relative to scipy's: {claims.listed(found)}", EXACT, "{:g} ×".format)


def mixed_errors(measured: Benches, whose: str, low: float, high: float = inf) -> Finding | None:
    """Check the typical error of mixed lengths, in units of the error of powers of two."""
    shares = beside_powers_of_two(measured, whose, "mixed")
    if not shares:
        return None
    share = typical(shares)
    rule, why = f"median more than {low:g} ×", OTHER_CUFFT
    if high < inf:
        rule = f"median within {high:g} ×"
        why = f"it is {'smaller' if share < low else 'larger'}"
    holds = claims.all_of(claims.over(share, low, ERRORS), claims.over(high, share, ERRORS))
    number = f"median {share:.2f} × that of powers of two"
    return claims.error_finding(number, holds, f"{rule}, {EQUAL_LENGTH}", why)


def largest_error_follows(measured: Benches) -> Finding | None:
    """Check whether the largest error is in proportion to the root mean square error."""
    found = ratio(errors(measured, "line", "auto", "largest_error"), errors(measured, "line", "auto"))
    if len(found) < 3:
        return None
    low, high = (end(found, key=lambda n: found[n]) for end in (min, max))
    number = f"from {found[low]:.1f} times it at {short(low)} to {found[high]:.1f} times at {short(high)}"
    holds = claims.over(ALIKE * found[low], found[high], LARGEST)
    return claims.error_finding(number, holds, f"each within {ALIKE} × of the others", APART, LARGEST)


def proportions_are_the_same(measured: Benches) -> Finding | None:
    """Check whether the largest errors of all are the same multiple of their root mean square errors."""
    found = {}
    for whose in (MINE, CUFFTS, SCIPYS):
        shares = ratio(*(errors_of(measured, whose, "line", field) for field in ("largest_error", "relative_l2")))
        if shares:
            found[whose] = typical(shares)
    if len(found) < 2:
        return None
    number = ", ".join(f"{whose} {share:.1f} ×" for whose, share in found.items())
    low, high = min(found.values()), max(found.values())
    holds, rule = claims.over(ALIKE * low, high, LARGEST), f"each median within {ALIKE} × of the others"
    return claims.error_finding(f"{number} (medians)", holds, rule, APART, LARGEST)


def cufft_errs_more_widely(measured: Benches) -> Finding | None:
    """Check whether range and variance of cuFFT's errors of mixed lengths are slightly larger than ours."""
    mine, theirs = (errors_of(measured, whose, "mixed") for whose in (MINE, CUFFTS))
    sizes = sorted({*mine} & {*theirs}, key=lambda n: theirs[n])
    if len(sizes) < 3:
        return None

    def wider(chosen: list[float]) -> list[float]:
        here, there = ([curve[n] for n in chosen] for curve in (mine, theirs))
        return [float(spread(there) / spread(here)) for spread in (np.ptp, np.var)]

    shares, said = wider(sizes), "range {:.1f} ×, variance {:.1f} × ours".format
    number = f"{said(*shares)}; without {short(sizes[-1])} {said(*wider(sizes[:-1]))}"
    holds = claims.all_of(claims.over(min(shares), 1, ERRORS), claims.over(ALIKE, max(shares), ERRORS))
    return claims.error_finding(number, holds, f"both above 1 × and at most {ALIKE} ×", OTHER_CUFFT)


GROUP = 16  # elements in 128 bytes, the largest transaction of the text's GPUs: from here on no two reads share one


def exchange(
    measured: Benches,
    fast: str,
    slow: str,
    why: str = "",
    judged: str = "each",
    says: str = "{} as fast",
    bound: float = 1,
    but: str = "",
) -> Finding | None:
    """Return the finding on the speed-up of batches of lines with the options `fast` over those with `slow`. Only
    lengths count at which both kernels have equal plans, apart from the option `but`, because free shared memory
    determines the lines of a group and the parts of an element."""
    first, second = (measured.by("size", "exchange", "stockham-registers", options=options) for options in (fast, slow))

    def plan(row: Row) -> list[str]:
        return [word for word in (row.plan or "").split() if not but or not word.startswith(f"{but}=")]

    sizes = [n for n in first if n in second and plan(first[n]) == plan(second[n])]
    gains: Curve = {n: (second[n].median_ms or 0.0) / (first[n].median_ms or inf) for n in sizes}
    judge = claims.JUDGES[judged]
    return judge(gains, says.format(claims.listed(gains)), measured.noise("exchange", gains), why, bound)


def gaps(measured: Benches) -> Finding | str | None:
    """Check how much longer a copy takes if neighbours read elements that are GROUP or more apart."""
    rows = measured.rows("reads", "reads")
    times: Curve = {int(row.options.removeprefix("stride=")): row.median_ms or inf for row in rows}
    if 1 not in times:
        return None
    longer = {stride: ms / times[1] for stride, ms in times.items() if stride > 1}
    apart = claims.beyond(longer, GROUP)
    number = f"a copy takes {claims.listed(longer)} as long, by distance of neighbours' reads in elements"
    if not apart:
        return f"no reads {GROUP} or more elements apart"
    noise = claims.worst(measured.noise("reads", [row.size for row in rows]))
    found = claims.about(apart, 10, number, "", "{:g} ×".format, noise)
    return found and replace(found, rule=f"{found.rule}, from {GROUP} elements on")
