"""Rao, "Implementation of Fast Fourier Transform" (NYU 2019), figures 1 to 6; Davis and Dharma, "Discrete Fast Fourier
Transform" (Stuttgart), both curves. Both compare one line on a GPU, with transfers, with one on the CPU."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import hypot, sqrt

from tools.papers import claims
from tools.papers.benches import Benches, Curve, ratio
from tools.papers.claims import Finding
from tools.papers.drawing import Figure, Lines, digits, short
from tools.papers.govindaraju import ALIKE, LARGE

SOURCE, DAVIS = "Rao 2019", "Davis and Dharma"
MS = "time in ms"
WRITTEN = "iterative, numpy"
NAIVE = "naive"
LOOPS = ("group-loops", "all-loops")
"""Rao's transform with OpenMP: threads share the loop over groups, or also the loop within a group."""
THEIRS = "twiddles=table radix=2 memory=global reversal=table"


def on_threads(measured: Benches, workers: int, name: str = "group-loops", part: str = "four-step") -> Curve:
    return measured.curve("median_ms", "cpu", name, part=part, workers=workers)


def most_threads(measured: Benches) -> int:
    """Return the most threads of any row, without a query, so that the scatter of these rows does not count."""
    return max(
        (row.workers or 1 for bench in measured.benches for row in bench.rows if row.part == "four-step"), default=1
    )


def single(measured: Benches, name: str) -> Curve:
    return measured.curve("median_ms", "cpu", name, part="single")


def on_gpu(measured: Benches, value: str, name: str = "auto", options: str = "") -> Curve:
    """Return the values of one line by a backend with these options."""
    return measured.curve(value, "single", name, options=options)


def by_threads(measured: Benches, part: str, name: str = "four-step") -> Curve:
    return measured.curve("median_ms", "cpu", name, x="workers", part=part)


def figure_1(measured: Benches) -> Figure:
    """Draw Rao's transform and the four-step transform."""
    most = most_threads(measured)
    several = f"four-step, {most} threads"
    together = on_threads(measured, most, "four-step") if most > 1 else {}
    curves = {WRITTEN: single(measured, "iterative-dit"), "four-step, 1 thread": on_threads(measured, 1, "four-step")}
    for name in LOOPS:
        curves[f"{name}, {most} threads"] = on_threads(measured, most, name)
    panel = Lines("Running time", curves | {several: together}, MS, required=(several,))
    return drawn(1, "One line on the CPU", panel)


def figure_2(measured: Benches) -> Figure:
    most = most_threads(measured)
    gains = ratio(on_threads(measured, 1, "four-step"), on_threads(measured, most, "four-step")) if most > 1 else {}
    curves = {f"four-step, {most} threads": gains}
    for name in LOOPS:
        curves[f"{name}, {most} threads"] = ratio(on_threads(measured, 1, name), on_threads(measured, most, name))
    return drawn(2, "One line on the CPU", Lines("Speed-up over one thread", curves, "×", log_y=False, level=1.0))


def scaling_figure(measured: Benches, number: int, title: str, elements: str, part: str) -> Figure:
    """Draw times by threads, for equal work of each thread (weak) or of all threads together (strong)."""
    found = by_threads(measured, part)
    one = found.get(1)
    times = {
        "four-step": found,
        **{name: by_threads(measured, part, name) for name in LOOPS},
        "ideal": {count: one if part == "weak" else one / count for count in found} if one else {},
    }
    return drawn(number, title, Lines(elements, times, MS, "threads", log_y=False, dashed=("ideal",)))


def davis_2(measured: Benches) -> Figure:
    curves = {WRITTEN: single(measured, "iterative-dit"), "scipy": single(measured, "scipy")}
    for name, backend, options in (("auto", "auto", ""), ("theirs, digit-reversal", "digit-reversal", THEIRS)):
        for words, value in (("kernels", "median_ms"), ("with transfers", "transfers_ms")):
            curves[f"{name} ({words})"] = on_gpu(measured, value, backend, options)
    each = {name: {n: 1e6 * ms / n for n, ms in curve.items()} for name, curve in curves.items()}
    panel = Lines("Running time per element", each, "ns per element", required=(WRITTEN, "auto (with transfers)"))
    return Figure("davis-2", f"{DAVIS}, second curve", "One line on the GPU and on the CPU", [panel])


def drawn(number: int, title: str, panel: Lines) -> Figure:
    return Figure(f"rao-{number}", f"{SOURCE}, figure {number}", title, [panel])


SCALES = 0.8  # fraction of the ideal gain from which on an algorithm counts as scaling
LISTED = 1 << 26  # elements of the line with the author's wrong values
AT_ONCE = 1 << 18  # threads that an H100 or an H200 runs at once: 132 processors with 2048 each
THEIR_LONGEST = 1 << 20  # elements of the longest line that is judged; their speed test goes to 2^21
AMORTISED = 1 << 15  # elements beyond which, for Davis and Dharma, overhead is amortised


def speed_up(measured: Benches) -> Finding | None:
    most = most_threads(measured)
    found = [
        (gain, size, part)
        for part in ("four-step", "strong")
        for size, gain in ratio(*(on_threads(measured, count, part=part) for count in (1, most))).items()
    ]
    if most == 1 or not found:
        return None
    gain, size, part = max(found)
    noise = measured.noise("cpu", [size], part)[size]
    measured.forget([size])
    number = f"at most {gain:.2f} × on {most} threads, at {short(size)}"
    rule = claims.ruled(f"largest below {most / 2:g} ×", [noise])
    if claims.over(gain, most, noise):
        return Finding(number, None, f"{most} threads can't gain more than {most} ×", rule)
    holds = claims.over(most / 2, gain, noise)
    return claims.finding_of(number, holds, rule)


def scaling(measured: Benches, part: str) -> Finding | None:
    times = by_threads(measured, part, "group-loops")
    if len(times) < 2 or 1 not in times:
        return None
    most = max(times)
    rows = measured.by("workers", "cpu", "group-loops", part=part)
    shares = {count: times[1] / times[count] / (1 if part == "weak" else count) for count in times}
    share, best = shares[most], max(shares, key=lambda count: shares[count])
    noise = hypot(*measured.noise("cpu", {rows[1].size, rows[max(rows)].size}, part).values())
    number = f"{share:.0%} of the ideal with {most:g} threads"
    rule = claims.ruled(f"below {SCALES:.0%} of the ideal, and no number of threads above the ideal", [noise])
    if claims.over(shares[best], 1, noise):
        why = f"{best:g} threads reach {shares[best]:.0%} of the ideal, so other work counted too"
        return Finding(number, None, why, rule)
    holds = claims.over(SCALES, share, noise)
    return claims.finding_of(number, holds, rule, f"it keeps {SCALES:.0%} or more")


def against_loops(measured: Benches, name: str) -> Curve:
    """Return the speed-up of a backend, with transfers, over Rao's loops in C on one thread."""
    return ratio(on_threads(measured, 1), on_gpu(measured, "transfers_ms", name))


def noise_of_both(measured: Benches, sizes: Iterable[float]) -> Curve:
    """Return the noise of the ratio between one line on the GPU, with transfers, and one on the CPU."""
    sizes = list(sizes)
    return claims.together(
        measured.noise("single", sizes, value="transfers_ms"), measured.noise("cpu", sizes, "four-step")
    )


def gpu_comes_near(measured: Benches) -> Finding | str | None:
    naive = against_loops(measured, NAIVE)
    if not naive:
        return None
    if max(naive) < LARGE:
        return f"no line of {short(LARGE)} or more by both"
    size, most = max(naive.items(), key=lambda one: one[1])
    noise = noise_of_both(measured, [size])[size]
    auto = max(against_loops(measured, "auto").values(), default=0)
    measured.forget(naive)
    number = f"at most {most:.2f} ×, at {short(size)}" + (f"; auto {digits(auto)} ×" if auto else "")
    return claims.up_to(most, 0.75, number, noise)


def as_listed(measured: Benches, value: str) -> Curve:
    """Return values of the transform in Rao's listing, in double precision with roots as running products."""
    return measured.curve(value, "precision", "running-products")


def small_values_are_off(measured: Benches) -> Finding | None:
    """Check the longest line, where small values have errors as large as those of large values."""
    counts = claims.beyond(as_listed(measured, "off_values"), LARGE)
    if not counts:
        return None
    size = max(counts)
    here = counts[size] / size * LISTED
    exact = measured.curve("off_values", "precision", "iterative-dit").get(size)
    number = f"{digits(here)} of 2^26, by the fraction at {short(size)}"
    if exact is not None:
        number += f"; {exact:g} with roots from a table"
    return claims.about(
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
    number = f"{digits(1e6 * share)} in a million, in lines from {short(min(counts))} to {short(max(counts))}"
    noise = spread(sum(counts.values()))
    rule = claims.ruled("fewer than 48 of 2^26", [noise])
    holds = claims.over(48 / LISTED, share, noise)
    return claims.finding_of(number, holds, rule)


def library_sines_mend_little(measured: Benches) -> Finding | str | None:
    """Check running products of roots by the library's sine against products of roots by a polynomial."""
    curves = (measured.curve("off_values", "precision", name) for name in ("running-products", "polynomial-products"))
    library, polynomial = (curve.get(LISTED) for curve in curves)
    if not as_listed(measured, "off_values"):
        return None
    if library is None or not polynomial:
        return f"no line of {short(LISTED)} by both (`bench -w precision --sizes {LISTED}`)"
    number = f"{library:g} values are off at {short(LISTED)} with the C library's, {polynomial:g} with a polynomial"
    noise = spread(library, polynomial)
    return claims.typically(library / polynomial, number, noise, bound=0.5, form="{:.0%}", kind="values left")


def nothing_is_lost(measured: Benches) -> Finding | None:
    found = ratio(*(measured.curve("relative_l2", "cpu", name, part="single") for name in ("direct", "iterative-dit")))
    if not found:
        return None
    number = f"the sum's error relative to DIT's: {claims.listed(found)}"
    least = 1 / ALIKE
    holds = claims.over(min(found.values()), least, claims.LARGEST)
    why = f"not at {claims.at(n for n, share in found.items() if share < least)}"
    return claims.error_finding(number, holds, f"each above {least:g} ×", why, claims.LARGEST)


def by_their_tables(measured: Benches) -> Curve:
    return on_gpu(measured, "transfers_ms", "digit-reversal", THEIRS)


def break_even(measured: Benches) -> Finding | str | None:
    """Check the variant of the text against loops in C, and name the sizes of `auto`."""
    in_c = on_threads(measured, 1)
    judged = ratio(in_c, by_their_tables(measured))
    if max(judged, default=0) < LARGE:
        return f"no line of {short(LARGE)} or more by loops in C and with their tables" if judged else None
    noise = noise_of_both(measured, judged)
    others, whole = (in_c, single(measured, "scipy")), on_gpu(measured, "transfers_ms")
    starts = [claims.pays_from(gains) for gains in (judged, *(ratio(other, whole) for other in others))]
    theirs, loops, library = ("nowhere" if start is None else short(start) for start in starts)
    number = f"from {theirs} with their tables against loops in C; `auto` from {loops}, against scipy from {library}"
    measured.forget(judged)
    ends = [claims.pays_from({n: gain * (1 + noise[n]) ** sign for n, gain in judged.items()}) for sign in (1, -1)]
    return begins(2048, ends, number, "where it is as fast as loops in C, with their tables", noise)


def begins(claimed: float, ends: Sequence[float | None], number: str, rule: str, noise: Curve) -> Finding:
    """Return the finding whether something begins at about a size. Noise shifts its beginning between two `ends`."""
    sides = {(end is None or end > 2 * claimed) - (end is not None and end < claimed / 2) for end in ends}
    holds = sides == {0} if len(sides) == 1 else None
    return claims.finding_of(number, holds, claims.ruled(f"about {claimed:g}, {rule}", noise.values()))


def time_per_element(measured: Benches) -> tuple[Curve, Curve] | str | None:
    """Return the time per element in units of the least, with its noise, or the missing line. What is beyond the least
    is overhead: half of the time at twice the least."""
    element = {n: ms / n for n, ms in by_their_tables(measured).items() if n <= THEIR_LONGEST}
    if missing := {AMORTISED, THEIR_LONGEST} - {*element}:
        return f"no line of {short(min(missing))} with their tables" if element else None
    least = min(element, key=lambda n: element[n])
    noise = measured.noise("single", element, value="transfers_ms")
    measured.forget(element)
    share = {n: one / element[least] for n, one in element.items()}
    return share, {n: hypot(one, noise[least]) for n, one in noise.items() if n != least}


def amortised(measured: Benches) -> Finding | str | None:
    if not isinstance(found := time_per_element(measured), tuple):
        return found
    share, noise = found
    start, *ends = (next(n for n in share if share[n] <= ALIKE * (1 + noise.get(n, 0)) ** sign) for sign in (0, 1, -1))
    number = f"with their tables from {short(start)} on the time per element is within {ALIKE} × of the least"
    return begins(AMORTISED, ends, number, "with their tables", noise)


def mostly_overhead(measured: Benches) -> Finding | str | None:
    if not isinstance(found := time_per_element(measured), tuple):
        return found
    share, noise = found
    shares = {n: one for n, one in share.items() if n <= AMORTISED and n in noise}
    number = f"time per element relative to the least: {claims.listed(shares, claims.rated)}"
    judged = claims.each(shares, number, noise, bound=ALIKE)
    return judged and replace(judged, rule=f"{judged.rule}, with their tables")


def logarithmic(measured: Benches) -> Finding | str | None:
    """Check the variant of Davis and Dharma, with an invocation for each butterfly and a dispatch for each stage, at
    sizes where all invocations run at once."""
    times = {n: ms for n, ms in on_gpu(measured, "median_ms", "digit-reversal", THEIRS).items() if n <= AT_ONCE}
    if not times or min(times) > 16 or max(times) < AT_ONCE / 4:
        return "no lines from 16 to 65536 with their tables" if times else None
    measured.forget(times)
    return claims.law(times, "log N", noise=measured.noise("single", times))
