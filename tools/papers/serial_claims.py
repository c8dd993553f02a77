"""Claims of Rao 2019, and of Davis and Dharma: one line on a GPU, with transfers, against their own transform on the
CPU, for which the iterative decimation in time stands in, written in numpy."""

from functools import partial
from math import log

from tools.papers import rao
from tools.papers.claims import Claim, Finding, beyond, judged, law, listed, unmeasured, up_to
from tools.papers.drawing import digits, short
from tools.papers.error_claims import ALIKE, sum_errs_more
from tools.papers.measured import Curve, Measured, ratio

RAO, DAVIS = "Rao 2019", "Davis and Dharma"
LARGE = 1 << 12
"""Size from which on it counts as large."""
SCALES = 0.8
"""Share of an ideal gain from which on an algorithm scales."""
LISTED, SMALL = 1 << 26, 0.01
"""Elements of the line of which he counts values that are off; and the share of the root mean square that is small."""
AMORTISED = 1 << 15
"""Elements up to which Davis and Dharma see overhead, and beyond which it is amortised."""


def speed_up(measured: Measured) -> Finding | None:
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
    tolerance, number = measured.noise("cpu", [size], part)[size], f"at most {gain:.2f} × on {most} threads"
    rule = f"at most {most / 2:g} × at every size, by more than {tolerance:.1%} of noise at {short(size)}"
    if gain > most * (1 + tolerance):
        return Finding(number, None, f"{most} threads can't gain more than {most} ×", rule)
    if most / 2 / (1 + tolerance) <= gain <= most / 2 * (1 + tolerance):
        return Finding(number, None, "noise hides it", rule)
    return Finding(number, gain < most / 2, why, rule)


def scaling(measured: Measured, part: str) -> Finding | None:
    times = rao.by_threads(measured, part, "group-loops")
    if len(times) < 2 or 1 not in times:
        return None
    most = max(times)
    sizes = [row.size for row in measured.by("workers", "cpu", "group-loops", part=part).values()]
    shares = {count: times[1] / times[count] / (1 if part == "weak" else count) for count in times}
    share, best = shares[most], max(shares, key=lambda count: shares[count])
    tolerance, number = worst(measured.noise("cpu", sizes, part)), f"{share:.0%} of the ideal with {most} threads"
    rule = (
        f"less than {SCALES:.0%} of the ideal, and no number of threads above it, by more than {tolerance:.1%} of noise"
    )
    if shares[best] > 1 + tolerance:
        why = f"{best:g} threads reach {shares[best]:.0%} of the ideal, so other work counted too"
        return Finding(number, None, why, rule)
    if SCALES / (1 + tolerance) <= share <= SCALES * (1 + tolerance):
        return Finding(number, None, "noise hides it", rule)
    return Finding(number, share < SCALES, f"it keeps {SCALES:.0%} of the ideal or more", rule)


def against_loops(measured: Measured, name: str) -> Curve:
    """Return the speed-up of a backend, with transfers, over the loops of his text in C on one thread."""
    return ratio(rao.loops(measured, 1), rao.on_gpu(measured, "transfers_ms", name))


def gpu_never_wins(measured: Measured) -> Finding | None:
    gains = against_loops(measured, rao.NAIVE)
    if not gains:
        return None
    noise, loops = measured.noise("single", gains), measured.noise("cpu", gains, "four-step")
    noise = {n: max(noise[n], loops[n]) for n in gains}
    number = f"`naive` is {listed(gains)} as fast as `group-loops` on one thread, with transfers"
    return judged({n: 1 / gain for n, gain in gains.items()}, number, noise, "there `naive` is faster")


def gpu_comes_near(measured: Measured) -> Finding | str | None:
    naive, auto = (against_loops(measured, name) for name in (rao.NAIVE, "auto"))
    if not naive:
        return None
    if max(naive) < LARGE:
        return f"no line of {short(LARGE)} or more by both"
    size, most = max(naive.items(), key=lambda one: one[1])
    number = f"at most {most:.2f} ×, at {short(size)}" + (f"; auto {digits(max(auto.values()))} ×" if auto else "")
    return up_to(most, 0.75, number, "the one invocation of the last stages is slower beside this CPU than beside his")


def as_listed(measured: Measured, value: str) -> Curve:
    """Return values of the transform of his listing, in double precision with roots as running products."""
    return measured.curve(value, "precision", "running-products")


def small_values_are_off(measured: Measured) -> Finding | None:
    """Check the longest line; values near 0 have the errors of all others."""
    counts = beyond(as_listed(measured, "off_values"), LARGE)
    if not counts:
        return None
    size = max(counts)
    here = counts[size] / size * LISTED
    exact = measured.curve("off_values", "precision", "iterative-dit").get(size)
    number = f"{digits(here)} by the share at {short(size)}"
    if exact is not None:
        number += f"; {exact:g} with roots from a table"
    return Finding(number, 24 <= here <= 96, "errors depend on how the products round", "from half to twice 48")


def shorter_lines_are_right(measured: Measured) -> Finding | None:
    """Check shorter lines; a share below that of 48 in 2^26 values counts as very rare."""
    counts = {n: count for n, count in as_listed(measured, "off_values").items() if LARGE <= n < LISTED}
    if not counts:
        return None
    share = sum(counts.values()) / sum(counts)
    number = f"{digits(1e6 * share)} of a million, in lines from {short(min(counts))} to {short(max(counts))}"
    return Finding(number, share < 48 / LISTED, "running products err that much there too", "fewer than 48 of 2^26")


def off_values_are_small(measured: Measured) -> Finding | None:
    """Check the largest part that is off."""
    found = as_listed(measured, "largest_off")
    if not found:
        return None
    size = max(found)
    number = f"the largest is {found[size]:.1e} of the root mean square, at {short(size)}"
    return Finding(number, max(found.values()) <= SMALL, f"it is more than {SMALL:g}", f"at most {SMALL:g}")


def library_sines_mend_little(measured: Measured) -> Finding | str | None:
    """Check running products of roots by the library's sine, against a table of such roots."""
    counts = as_listed(measured, "off_values")
    if not counts or not (count := counts[max(counts)]):
        return None
    number = f"{count:g} values are off at {short(max(counts))} with the C library's"
    if max(counts) < LISTED:
        return f"no line of {short(LISTED)} (`bench -w precision --sizes {LISTED}`)"
    return Finding(number, count >= 24, "fewer than half of 48 are left", "at least half of 48")


def nothing_is_lost(measured: Measured) -> Finding | None:
    """Check the accuracy against the direct sum."""
    found = sum_errs_more(measured)
    if not found:
        return None
    number = f"the sum's error is {listed(found)} that of DIT"
    return Finding(
        number,
        min(found.values()) >= 1 / ALIKE,
        f"it is less than 1/{ALIKE} of that",
        f"at least 1/{ALIKE} at every size",
    )


def break_even(measured: Measured) -> Finding | str | None:
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
    return Finding(number, holds, why, "with their tables where these ran, from half to twice 2048")


def pays_from(gains: Curve) -> float | None:
    """Return the size from which on no gain is below 1."""
    return next((n for n in gains if all(gain >= 1 for gain in beyond(gains, n).values())), None)


def amortised(measured: Measured) -> Finding | None:
    each = {n: ms / n for n, ms in rao.on_gpu(measured, "transfers_ms").items()}
    if len(each) < 3:
        return None
    start = next(n for n in each if each[n] <= 1.5 * min(each.values()))
    why = "the cost of starting and that of an element stand in another proportion here"
    holds = AMORTISED / 2 <= start <= 2 * AMORTISED
    return Finding(
        f"from {short(start)}, within 1.5 × of the least time an element", holds, why, "from half to twice 32768"
    )


def mostly_overhead(measured: Measured) -> Finding | str | None:
    """Check small sizes against a line of next to no elements."""
    times = {n: ms for n, ms in rao.on_gpu(measured, "transfers_ms").items() if n <= AMORTISED}
    if len(times) < 2:
        return None
    first, last = min(times), max(times)
    if last < AMORTISED / 2:
        return f"no line of {short(AMORTISED / 2)} to {short(AMORTISED)}"
    number = f"{short(first)} elements take {times[first] / times[last]:.0%} of the time of {short(last)}"
    half = 2 * times[first] / times[last]
    why = "its elements take more than half of it"
    return judged({last: half}, number, measured.tolerance("single"), why, "more than half")


def serial_growth(measured: Measured) -> Finding | None:
    """Return the growth where the elements take longer than the calls of numpy."""
    times = beyond(rao.single(measured, "iterative-dit"), LARGE)
    why = "caches hold the shorter lines"
    return law(times, lambda n: n * log(n), "N log N", worst(measured.noise("cpu", times, "single")), why)


def logarithmic(measured: Measured) -> Finding | None:
    times = rao.on_gpu(measured, "median_ms")
    why = "no GPU has a thread for each butterfly at once"
    return law(times, log, "log N", worst(measured.noise("single", times)), why)


def worst(noise: Curve) -> float:
    """Return the worst noise of several sizes."""
    return max(noise.values(), default=0.0)


NAIVELY = "no lines by `naive` and by `group-loops` on one thread"
PRECISION = "no rows of `bench -w precision`"

CLAIMS = (
    Claim(RAO, "introduction", "The FFT loses no accuracy", nothing_is_lost),
    Claim(RAO, "figure 2", "Threads speed a line up by half their number at most (10 of 20)", speed_up),
    Claim(RAO, "figure 3", "It does not scale weakly", partial(scaling, part="weak")),
    Claim(RAO, "figure 4", "It does not scale strongly", partial(scaling, part="strong")),
    Claim(RAO, "figure 5", "The GPU always takes longer than the sequential transform", gpu_never_wins, NAIVELY),
    Claim(RAO, "figure 6", "The GPU reaches up to 3/4 of the sequential speed", gpu_comes_near, NAIVELY),
    Claim(RAO, "section 1", "Of 2^26 values 48 are off by more than 1e-3 of themselves", small_values_are_off,
          PRECISION),
    Claim(RAO, "section 1", "In shorter lines this is very rare", shorter_lines_are_right, PRECISION),
    Claim(RAO, "section 1", "Such values are small themselves", off_values_are_small, PRECISION),
    Claim(RAO, "section 1", "The C library's sine and cosine mend little of it", library_sines_mend_little, PRECISION),
    Claim(RAO, "section 3", "The GPU's memory ends at 2^28 elements", unmeasured,
          "a line lies in one buffer, which holds less than 2^28 elements"),
    Claim(DAVIS, "results", "The GPU pays, transfers included, from about 2048 elements", break_even),
    Claim(DAVIS, "results", "Its overhead is amortised from 32768", amortised),
    Claim(DAVIS, "results", "Up to 32768 elements most of the GPU's time is overhead", mostly_overhead),
    Claim(DAVIS, "parallelization", "On the CPU the time grows as N log N", serial_growth),
    Claim(DAVIS, "parallelization", "On a GPU the time grows as log N", logarithmic),
)  # fmt: skip
