"""Claims of Rao 2019, and of Davis and Dharma: one line on a GPU, with transfers, against their own transform on the
CPU. The iterative decimation in time in numpy replaces their program."""

from collections.abc import Iterable
from functools import partial
from math import sqrt

from tools.papers import rao
from tools.papers.benches import Benches, Curve, ratio
from tools.papers.claims import (
    Claim,
    Finding,
    about,
    at,
    beyond,
    each,
    finding_of,
    law,
    listed,
    none,
    over,
    ruled,
    typically,
    unmeasured,
    up_to,
    worse,
    worst,
)
from tools.papers.drawing import digits, short
from tools.papers.error_claims import sum_errs_more

RAO, DAVIS = "Rao 2019", "Davis and Dharma"
LARGE = 1 << 12
"""Size from which on it counts as large."""
SCALES = 0.8
"""Share of an ideal gain from which on an algorithm scales."""
LISTED, SMALL = 1 << 26, 0.01
"""Elements of the line with the author's wrong values; share of the root mean square below which a value is small."""
AT_ONCE = 1 << 18
"""Threads that an H100 or an H200 runs at once: 132 processors with 2048 each."""
THEIR_LONGEST = 1 << 20
"""Elements of the longest line of their curves."""
AMORTISED = 1 << 15
"""Elements up to which overhead dominates for Davis and Dharma; beyond them it is amortised."""


def speed_up(measured: Benches) -> Finding | None:
    most = rao.most_threads(measured)
    found = [
        (gain, size, part)
        for part in ("four-step", "strong")
        for size, gain in ratio(*(rao.loops(measured, count, part=part) for count in (1, most))).items()
    ]
    if most == 1 or not found:
        return None
    why = "few of the groups of a stage lie on one thread until the last stages"
    gain, size, part = max(found)
    noise, number = (
        measured.noise("cpu", [size], part)[size],
        f"at most {gain:.2f} × on {most} threads, at {short(size)}",
    )
    rule = ruled(f"largest below {most / 2:g} ×", [noise])
    if over(gain, most, noise):
        return Finding(number, None, f"{most} threads can't gain more than {most} ×", rule)
    holds = over(most / 2, gain, noise)
    return finding_of(number, holds, why, rule)


def scaling(measured: Benches, part: str) -> Finding | None:
    times = rao.by_threads(measured, part, "group-loops")
    if len(times) < 2 or 1 not in times:
        return None
    most = max(times)
    sizes = [row.size for row in measured.by("workers", "cpu", "group-loops", part=part).values()]
    shares = {count: times[1] / times[count] / (1 if part == "weak" else count) for count in times}
    share, best = shares[most], max(shares, key=lambda count: shares[count])
    noise, number = worst(measured.noise("cpu", sizes, part)), f"{share:.0%} of the ideal with {most} threads"
    rule = ruled(f"below {SCALES:.0%} of the ideal, and no number of threads above it", [noise])
    if over(shares[best], 1, noise):
        why = f"{best:g} threads reach {shares[best]:.0%} of the ideal, so other work counted too"
        return Finding(number, None, why, rule)
    holds = over(SCALES, share, noise)
    return finding_of(number, holds, f"it keeps {SCALES:.0%} or more", rule)


def against_loops(measured: Benches, name: str) -> Curve:
    """Return the speed-up of a backend, with transfers, over Rao's loops in C on one thread."""
    return ratio(rao.loops(measured, 1), rao.on_gpu(measured, "transfers_ms", name))


def gpu_never_wins(measured: Benches) -> Finding | None:
    gains = against_loops(measured, rao.NAIVE)
    if not gains:
        return None
    number = f"`naive` is {listed(gains)} as fast as `group-loops` on one thread, with transfers"
    return none(gains, number, noise_of_both(measured, gains), "there `naive` is faster", 1)


def noise_of_both(measured: Benches, sizes: Iterable[float]) -> Curve:
    """Return the larger noise of one line on the GPU and of the four-step transform on the CPU."""
    sizes = list(sizes)
    return worse(measured.noise("single", sizes), measured.noise("cpu", sizes, "four-step"))


def gpu_comes_near(measured: Benches) -> Finding | str | None:
    naive, auto = (against_loops(measured, name) for name in (rao.NAIVE, "auto"))
    if not naive:
        return None
    if max(naive) < LARGE:
        return f"no line of {short(LARGE)} or more by both"
    size, most = max(naive.items(), key=lambda one: one[1])
    number = f"at most {most:.2f} ×, at {short(size)}" + (f"; auto {digits(max(auto.values()))} ×" if auto else "")
    why = "the one invocation of the last stages is slower beside this CPU than beside his"
    return up_to(most, 0.75, number, noise_of_both(measured, [size])[size], why)


def as_listed(measured: Benches, value: str) -> Curve:
    """Return values of the transform in Rao's listing, in double precision with roots as running products."""
    return measured.curve(value, "precision", "running-products")


def small_values_are_off(measured: Benches) -> Finding | None:
    """Check the longest line, whose small values have the same errors as large ones."""
    counts = beyond(as_listed(measured, "off_values"), LARGE)
    if not counts:
        return None
    size = max(counts)
    here = counts[size] / size * LISTED
    exact = measured.curve("off_values", "precision", "iterative-dit").get(size)
    number = f"{digits(here)} by the share at {short(size)}"
    if exact is not None:
        number += f"; {exact:g} with roots from a table"
    return about(
        {size: here}, 48, number, "errors depend on how the products round", "{:g}".format, spread(counts[size])
    )


def spread(*counts: float) -> float:
    """Return the noise of a ratio of counts of rare events: the square root of each is its standard deviation."""
    return sqrt(sum(1 / max(count, 1) for count in counts))


def shorter_lines_are_right(measured: Benches) -> Finding | None:
    """Check shorter lines; wrong values are very rare if their share is below 48 in 2^26."""
    counts = {n: count for n, count in as_listed(measured, "off_values").items() if LARGE <= n < LISTED}
    if not counts:
        return None
    share = sum(counts.values()) / sum(counts)
    number = f"{digits(1e6 * share)} of a million, in lines from {short(min(counts))} to {short(max(counts))}"
    noise, why = spread(sum(counts.values())), "running products err that much there too"
    rule = ruled("fewer than 48 of 2^26", [noise])
    holds = over(48 / LISTED, share, noise)
    return finding_of(number, holds, why, rule)


def off_values_are_small(measured: Benches) -> Finding | None:
    """Check the largest wrong value."""
    found = as_listed(measured, "largest_off")
    if not found:
        return None
    size = max(found)
    number = f"the largest is {found[size]:.1e} of the root mean square, at {short(size)}"
    return Finding(number, max(found.values()) <= SMALL, f"it is more than {SMALL:g}", f"at most {SMALL:g}")


def library_sines_mend_little(measured: Benches) -> Finding | str | None:
    """Check running products of roots by the library's sine against products of roots by a polynomial."""
    curves = (measured.curve("off_values", "precision", name) for name in ("running-products", "polynomial-products"))
    library, polynomial = (curve.get(LISTED) for curve in curves)
    if not as_listed(measured, "off_values"):
        return None
    if library is None or not polynomial:
        return f"no line of {short(LISTED)} by both (`bench -w precision --sizes {LISTED}`)"
    number = f"{library:g} values are off at {short(LISTED)} with the C library's, {polynomial:g} with a polynomial"
    why = "fewer than half of them are left"
    noise = spread(library, polynomial)
    return typically(library / polynomial, number, noise, why, 0.5, "{:.0%}", "values left")


def nothing_is_lost(measured: Benches) -> Finding | None:
    """Check the accuracy against the direct sum."""
    found = sum_errs_more(measured)
    if not found:
        return None
    number = f"the sum's error is {listed(found)} that of DIT"
    why = f"not at {at(n for n, share in found.items() if share < 1)}; BLAS adds up parts of a sum apart"
    return Finding(number, min(found.values()) >= 1, why, "each at least 1 ×")


def break_even(measured: Benches) -> Finding | str | None:
    whole = rao.on_gpu(measured, "transfers_ms")
    loops, other = rao.loops(measured, 1), rao.single(measured, "scipy")
    gains = ratio(loops, whole)
    if not gains:
        return None
    if max(gains) < LARGE:
        return f"no line of {short(LARGE)} or more by loops in C"
    judged_from, library = pays_from(gains), pays_from(ratio(other, whole))
    says = f"{judged_from and short(judged_from)} against loops in C, {library and short(library)} against scipy"
    if theirs := rao.on_gpu(measured, "transfers_ms", "digit-reversal", rao.THEIRS):
        judged_from = pays_from(ratio(loops, theirs))
        says += f"; their tables from {judged_from and short(judged_from)} against loops in C"
    number = f"from {says.replace('None', 'nowhere')}"
    why = "this CPU is faster than theirs, or OpenGL's way there and back is another than OpenCL's"
    holds = judged_from is not None and 1024 <= judged_from <= 4096
    return Finding(number, holds, why, "about 2048, against loops in C, with their tables where these ran")


def pays_from(gains: Curve) -> float | None:
    """Return the size from which on no gain is below 1."""
    return next((n for n in gains if all(gain >= 1 for gain in beyond(gains, n).values())), None)


def amortised(measured: Benches) -> Finding | str | None:
    element = {n: ms / n for n, ms in rao.on_gpu(measured, "transfers_ms").items() if n <= THEIR_LONGEST}
    if max(element, default=0) < THEIR_LONGEST:
        return f"no line of {short(THEIR_LONGEST)}" if element else None
    start = next(n for n in element if element[n] <= 1.5 * min(element.values()))
    why = "the cost of starting and that of an element stand in another proportion here"
    holds = AMORTISED / 2 <= start <= 2 * AMORTISED
    return Finding(f"from {short(start)}, within 1.5 × of the least time an element", holds, why, "about 32768")


def mostly_overhead(measured: Benches) -> Finding | str | None:
    """Check small sizes against a line of very few elements."""
    times = {n: ms for n, ms in rao.on_gpu(measured, "transfers_ms").items() if n <= AMORTISED}
    if len(times) < 2:
        return None
    first, last = min(times), max(times)
    if last < AMORTISED / 2:
        return f"no line of {short(AMORTISED / 2)} to {short(AMORTISED)}"
    number = f"{short(first)} elements take {times[first] / times[last]:.0%} of the time of {short(last)}"
    noise, why = worst(measured.noise("single", [first, last])), "its elements take more than half of it"
    return each({last: times[first] / times[last]}, number, {last: noise}, why, 0.5, "{:.0%}")


def serial_growth(measured: Benches) -> Finding | None:
    """Return the finding on growth, at sizes where elements take longer than calls of numpy."""
    times = beyond(rao.single(measured, "iterative-dit"), LARGE)
    return law(times, "N log N", "caches hold the shorter lines", measured.noise("cpu", times, "single"))


def logarithmic(measured: Benches) -> Finding | str | None:
    """Check the variant of Davis and Dharma, with an invocation for each butterfly and a dispatch for each stage, at
    sizes where all invocations run at once."""
    times = {n: ms for n, ms in rao.on_gpu(measured, "median_ms", "digit-reversal", rao.THEIRS).items() if n <= AT_ONCE}
    if not times or min(times) > 16 or max(times) < AT_ONCE / 4:
        return "no lines from 16 to 65536 with their tables" if times else None
    return law(times, "log N", "stages with more butterflies take longer", measured.noise("single", times))


NAIVELY = "no lines by `naive` and by `group-loops` on one thread"
PRECISION = "no rows of `bench -w precision`"

CLAIMS = (
    Claim("rao.no-accuracy-lost", RAO, "introduction", "The FFT loses no accuracy", nothing_is_lost),
    Claim("rao.half-the-threads", RAO, "figure 2", "Threads speed a line up by half their number at most (10 of 20)",
          speed_up),
    Claim("rao.weak-scaling", RAO, "figure 3", "It does not scale weakly", partial(scaling, part="weak")),
    Claim("rao.strong-scaling", RAO, "figure 4", "It does not scale strongly", partial(scaling, part="strong")),
    Claim("rao.gpu-never-wins", RAO, "figure 5", "The GPU always takes longer than the sequential transform",
          gpu_never_wins, NAIVELY),
    Claim("rao.gpu-comes-near", RAO, "figure 6", "The GPU reaches up to 3/4 of the sequential speed", gpu_comes_near,
          NAIVELY),
    Claim("rao.wrong-values", RAO, "section 1", "Of 2^26 values 48 are off by more than 1e-3 of themselves",
          small_values_are_off, PRECISION),
    Claim("rao.shorter-lines", RAO, "section 1", "In shorter lines this is very rare", shorter_lines_are_right,
          PRECISION),
    Claim("rao.small-values", RAO, "section 1", "Such values are small themselves", off_values_are_small, PRECISION),
    Claim("rao.sines-of-c", RAO, "section 1", "The C library's sine and cosine mend little of it",
          library_sines_mend_little, PRECISION),
    Claim("rao.memory-ends", RAO, "section 3", "The GPU's memory ends at 2^28 elements", unmeasured,
          "an H100's memory has room for them, but not a buffer of OpenGL, in which a line lies (table above)"),
    Claim("davis.break-even", DAVIS, "results", "The GPU pays, transfers included, from about 2048 elements",
          break_even),
    Claim("davis.overhead-amortised", DAVIS, "results", "Its overhead is amortised from 32768", amortised),
    Claim("davis.mostly-overhead", DAVIS, "results", "Up to 32768 elements most of the GPU's time is overhead",
          mostly_overhead),
    Claim("davis.serial-growth", DAVIS, "parallelization", "On the CPU the time grows as N log N", serial_growth),
    Claim("davis.parallel-growth", DAVIS, "parallelization", "On a GPU the time grows as log N", logarithmic),
)  # fmt: skip
