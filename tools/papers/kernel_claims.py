"""Claims of Mota 2022 and of Beechwood's guide on kernels, and on Mota's transforms for the CPU."""

from functools import partial
from itertools import pairwise
from math import log, log1p
from statistics import median

from tools.papers import govindaraju
from tools.papers.benches import Benches, Curve, ratio
from tools.papers.claims import (
    SIMILAR,
    Claim,
    Finding,
    about,
    all_of,
    at,
    beyond,
    each,
    faster,
    finding_of,
    listed,
    none,
    once,
    power,
    ruled,
    typically,
    worst,
)
from tools.papers.drawing import digits
from tools.papers.mota import PASS, RADIX_2, RADIX_4, STAGES, cuda, cufft, image

MOTA, BEECHWOOD = "Mota 2022", "Beechwood's guide"
ADDRESSES = "both move the same bytes in as many stages, so the caches' liking for one order of addresses decides"
WRITTEN = "there-and-back"
"""The part of the workload `cpu` for table 2."""
GLSLANG = "his bytes are of glslang's output, and a driver's program binary is another thing: there it is"
ROOTS_TOO = "these kernels are other code than his, and hold the roots' polynomials"
ANEW = (
    "the CUDA kernels are written anew, as the published column pass transforms no columns, and both languages "
    "reach the same hardware"
)


def cpu(measured: Benches, name: str) -> Curve:
    return measured.curve("median_ms", "cpu", name, part=WRITTEN)


def transforms_beat_the_sum(measured: Benches) -> Finding | None:
    names = ("iterative-dit", "iterative-dif", "recursive")
    slowest: Curve = {}
    for name in names:
        for size, ms in cpu(measured, name).items():
            slowest[size] = max(ms, slowest.get(size, 0.0))
    why = "there one call of numpy for each half outweighs the fewer products"
    return faster(measured, "cpu", slowest, cpu(measured, "direct"), why, WRITTEN)


def iterations_beat_recursion(measured: Benches) -> Finding | None:
    iterative = [cpu(measured, name) for name in ("iterative-dit", "iterative-dif")]
    slower = {n: max(curve[n] for curve in iterative) for n in iterative[0] if all(n in curve for curve in iterative)}
    why = "at those sizes both cost about the same number of calls"
    return faster(measured, "cpu", slower, cpu(measured, "recursive"), why, WRITTEN)


def sum_grows_exponentially(measured: Benches) -> Finding | None:
    """Check whether the logarithm of the time grows linearly with the number of elements."""
    times = cpu(measured, "direct")
    if len(times) < 3:
        return None
    noise = worst(measured.noise("cpu", times, WRITTEN))
    growth = [(log(times[last] / times[first]), last - first) for first, last in pairwise(times)]
    (first, step), (last, stride) = growth[0], growth[-1]
    apart = last / stride - first / step / 2
    hidden = log1p(noise) * (1 / stride + 1 / step / 2)
    why = "there are N² products, in N calls of numpy"
    number = f"as N to the power of {power(times):.2f}"
    rule = ruled("even growth of the logarithm: at the end at least half as fast as at the beginning", [noise])
    return finding_of(number, None if abs(apart) <= hidden else apart > 0, why, rule)


def order_costs(measured: Benches) -> Finding | None:
    """Check four transforms of the ocean, because images have no such rows."""
    stockham, natural = (measured.curve("median_ms", "ocean", name) for name in (RADIX_2, "natural-order"))
    return faster(measured, "ocean", stockham, natural, "there the second move does not show")


def a_pass_beats_stages(measured: Benches) -> Finding | None:
    why = "waiting within a work group costs more there than the dispatches that it saves"
    return faster(measured, "image", image(measured, PASS), image(measured, STAGES), why)


def stockham_beats_cooley_tukey(measured: Benches) -> Finding | None:
    return faster(measured, "image", image(measured, RADIX_2), image(measured, PASS), ADDRESSES)


def radix_4_beats_2(measured: Benches) -> Finding | None:
    why = "radix 4 halves the passes over memory, which gains nothing where a work group waits for something else"
    return faster(measured, "image", image(measured, RADIX_4), image(measured, RADIX_2), why)


def radix_4_is_twice_as_fast(measured: Benches) -> Finding | None:
    gains = ratio(image(measured, RADIX_2), image(measured, RADIX_4))
    why = "half as many passes over memory is not half of the time"
    return once(gains, f"{listed(gains)} as fast", measured.noise("image", gains), why, 2) if gains else None


def halfway_to_cufft(measured: Benches) -> Finding | None:
    two, four, theirs = image(measured, RADIX_2), image(measured, RADIX_4), cufft(measured)
    share = {
        n: (two[n] - four[n]) / (two[n] - theirs[n]) for n in two if n in four and n in theirs and two[n] > theirs[n]
    }
    if not share:
        return None
    why = "cuFFT keeps a line in registers, which neither radix does"
    noise = worst(measured.noise("image", share))
    return typically(median(share.values()), listed(share, "{:.0%}"), noise, why, 0.5, "{:.0%}")


def butterflies_never_help(measured: Benches) -> Finding | None:
    alone = image(measured, RADIX_2)
    gains = {n: ratio(alone, image(measured, RADIX_2, options=f"butterflies={n}")) for n in (2, 4, 8)}
    best = {size: max(gain.get(size, 0.0) for gain in gains.values()) for size in alone}
    best = {size: gain for size, gain in best.items() if gain}
    if not best:
        return None
    number, why = f"the best of 2, 4 and 8 is {listed(best)} as fast as one", "fewer threads have more loads under way"
    return none(best, number, measured.noise("image", best), why, 1)


def cuda_is_slower(measured: Benches, name: str, backend: str) -> Finding | None:
    return faster(measured, "image", image(measured, backend), cuda(measured, name), ANEW)


def cooley_tukey_pulls_ahead(measured: Benches) -> Finding | None:
    """Check the kernel in CUDA against the same kernel in GLSL."""
    gains = ratio(cuda(measured, "cooley-tukey"), image(measured, PASS))
    short, long = {n: gain for n, gain in gains.items() if n < 1024}, beyond(gains, 1024)
    if not short or not long:
        return None
    number, noise = f"{listed(gains)} as fast in GLSL", measured.noise("image", gains)
    alike = none({n: max(gain, 1 / gain) for n, gain in short.items()}, number, noise, ANEW, SIMILAR)
    ahead = each(long, number, noise, ANEW)
    holds = all_of(alike.holds, ahead.holds)
    why = "; ".join(dict.fromkeys(part for one in (alike, ahead) if one.holds is holds for part in one.why.split("; ")))
    similar = alike.rule.replace("below", "within").replace(" ×", " × either way", 1)
    return Finding(number, holds, why, f"below 1024 {similar}; from 1024 on {ahead.rule}")


def cuda_stockham_loses(measured: Benches) -> Finding | None:
    large = {n: ms for n, ms in cuda(measured, "stockham-radix2").items() if n > 256}
    return faster(measured, "image", cuda(measured, "cooley-tukey"), large, ADDRESSES)


def cuda_radix_4_wins(measured: Benches) -> Finding | None:
    two, four = cuda(measured, "stockham-radix2"), cuda(measured, "stockham-radix4")
    return faster(measured, "image", four, two, "other limits than traffic decide")


def radix_4_is_larger(measured: Benches) -> Finding | str | None:
    larger = {n: share - 1 for n, share in by_radix(measured, "spirv_bytes").items()}
    if not larger:
        driver = {n: share - 1 for n, share in by_radix(measured, "program_bytes").items()}
        return f"{GLSLANG} {listed(driver, '{:+.0%}')}" if driver else None
    return about(larger, 0.7, listed(larger, "{:+.0%}"), ROOTS_TOO, "{:+.0%}".format)


def by_radix(measured: Benches, field: str) -> Curve:
    """Return the size of the radix-4 kernel in units of the radix-2 kernel."""
    four, two = (image(measured, name, field) for name in (RADIX_4, RADIX_2))
    return ratio(four, two)


def built_in_reversal_is_smaller(measured: Benches) -> Finding | str | None:
    saved = saved_by_built_in(measured, "spirv_bytes")
    if not saved:
        driver = saved_by_built_in(measured, "program_bytes")
        return f"{GLSLANG} {listed(driver, '{:.0f} bytes')}" if driver else None
    halves = {n: bytes_ / 2 for n, bytes_ in saved.items()}  # one of two kernels, for rows and for columns
    return about(halves, 400, listed(halves, "{:.0f} bytes"), ROOTS_TOO, "{:.0f} bytes".format)


def saved_by_built_in(measured: Benches, field: str) -> Curve:
    """Return the bytes that the built-in reversal of bits saves over a loop."""
    loop = image(measured, "digit-reversal", field, "radix=2 reversal=loop")
    built_in = image(measured, "digit-reversal", field, "radix=2")
    return {n: loop[n] - built_in[n] for n in loop if n in built_in}


def half_the_barriers(measured: Benches) -> Finding | None:
    waits = ratio(image(measured, RADIX_4, "barriers"), image(measured, RADIX_2, "barriers"))
    if not waits:
        return None
    return Finding(
        listed(waits), max(waits.values()) <= SIMILAR / 2, "there are more", f"each at most {SIMILAR / 2:.0%}"
    )


def small_factors_are_faster(measured: Benches) -> Finding | None:
    """Check cuFFT's rates for long lines: lengths 2^a 3^b 5^c against primes."""
    workloads = "line", "mixed", "prime"
    two, mixed, primes = (beyond(govindaraju.cufft(measured, workload), 1000) for workload in workloads)
    if not primes or not (two or mixed):
        return None
    rates = median([*two.values(), *mixed.values()]), median(primes.values())
    number = f"{' and '.join(map(digits, rates))} GFLOP/s, medians from 1000 on"
    return typically(rates[0] / rates[1], number, max(map(measured.tolerance, workloads)), "primes cost no more")


def by_bit_operators(measured: Benches) -> Curve:
    """Return the speed-up of bit operators over a loop of digits."""
    return ratio(image(measured, "digit-reversal", options="reversal=loop"), image(measured, "digit-reversal"))


def loops_are_not_noticed(measured: Benches) -> Finding | None:
    gains = by_bit_operators(measured)
    if not gains:
        return None
    number = f"bit operators are {listed(gains)} as fast"
    why = f"{SIMILAR - 1:.0%} would be noticed"
    return none(gains, number, measured.noise("image", gains), why, SIMILAR)


def loops_are_slow(measured: Benches) -> Finding | None:
    """Check a loop of digits, as in the guide's listing, against bit operators."""
    gains = by_bit_operators(measured)
    if not gains:
        return None
    number = f"bit operators are {listed(gains)} as fast"
    why = "the loop takes few steps, while the memory that they lead to is waited for"
    return each(gains, number, measured.noise("image", gains), why, SIMILAR)


def fewer_operations(measured: Benches) -> Finding | None:
    flops = [image(measured, "digit-reversal", "real_flops", options) for options in ("radix=2", "", "radix=8")]
    two, four, eight = flops
    shared = [n for n in two if n in four and n in eight]
    if not shared:
        return None
    lost = [n for n in shared if not two[n] > four[n] > eight[n]]
    size = lost[-1] if lost else shared[-1]
    counts = [f"{curve[size]:,.0f}" for curve in flops]
    number = f"{counts[0]}, {counts[1]} and {counts[2]} with radix 2, 4 and 8 at {size}"
    why = f"not at {at(lost)}, where a closing stage of a smaller radix takes more"
    return Finding(number, not lost, why, "fewer with each radix, at every size")


def memory_decides(measured: Benches) -> Finding | None:
    """Check which share of a copy's bandwidth kernels reach."""
    shares = measured.curve("copy_share", "line", "auto")
    if not shares:
        return None
    middle = median(shares.values())
    number = f"median {middle:.0%} of a copy's bandwidth ({listed(shares, '{:.0%}')})"
    why = "most of the time goes to something else"
    return typically(middle, number, measured.tolerance("line"), why, 0.5, "{:.0%}")


CUDA = "it takes CUDA on the same GPU"

CLAIMS = (
    Claim("mota.sum-grows-exponentially", MOTA, "table 2", "The direct sum's time grows exponentially",
          sum_grows_exponentially),
    Claim("mota.transforms-beat-sum", MOTA, "table 2", "Every fast transform beats the direct sum at every size",
          transforms_beat_the_sum),
    Claim("mota.iteration-beats-recursion", MOTA, "table 2", "Iterative DIT and DIF overrule recursion at every size",
          iterations_beat_recursion),
    Claim("mota.natural-order-loses", MOTA, "section 4.1",
          "Natural-order Cooley–Tukey, which moves all values twice a stage, loses to Stockham", order_costs),
    Claim("mota.radix-4-twice-as-fast", MOTA, "section 4.3", "Radix 4 can be twice as fast as radix 2",
          radix_4_is_twice_as_fast),
    Claim("mota.cufft-small-factors", MOTA, "section 6.1",
          "cuFFT is faster for products of small primes than for large primes", small_factors_are_faster, CUDA),
    Claim("mota.one-pass-beats-stages", MOTA, "figure 13",
          "One pass over all stages beats a pass a stage at every size", a_pass_beats_stages),
    Claim("mota.stockham-beats-cooley-tukey", MOTA, "figure 14", "Stockham radix 2 beats Cooley–Tukey at every size",
          stockham_beats_cooley_tukey),
    Claim("mota.radix-4-beats-2", MOTA, "figure 15", "Stockham radix 4 beats radix 2 at every size", radix_4_beats_2),
    Claim("mota.halfway-to-cufft", MOTA, "figure 15", "Radix 4 comes halfway to cuFFT: (t₂ − t₄) / (t₂ − t_cuFFT)",
          halfway_to_cufft, CUDA),
    Claim("mota.half-the-barriers", MOTA, "section 6.2", "Radix 4 waits at about half as many barriers",
          half_the_barriers),
    Claim("mota.radix-4-larger", MOTA, "section 6.2", "Radix 4's kernel is 70 % larger", radix_4_is_larger),
    Claim("mota.butterflies-never-help", MOTA, "figure 16", "More butterflies a thread never help",
          butterflies_never_help),
    Claim("mota.built-in-reversal-smaller", MOTA, "section 5.3.1", "The built-in bit reversal saves 400 bytes",
          built_in_reversal_is_smaller, "`glslang` was not on the path"),
    Claim("mota.reversal-by-hand", MOTA, "section 5.3.1", "A reversal by hand is no noticeable loss of time",
          loops_are_not_noticed),
    *(
        Claim(f"mota.cuda-slower-{backend}", MOTA, figure, f"{backend} is faster in GLSL than in CUDA",
              partial(cuda_is_slower, name=name, backend=backend), CUDA)
        for figure, name, backend in (
            ("figure 17", "cooley-tukey", PASS),
            ("figure 17", "stockham-radix2", RADIX_2),
            ("figure 18", "stockham-radix4", RADIX_4),
        )
    ),
    Claim("mota.glsl-pulls-ahead", MOTA, "section 6.3",
          "Cooley–Tukey is similar in both languages, and from 1024 on GLSL pulls ahead", cooley_tukey_pulls_ahead,
          CUDA),
    Claim("mota.cuda-stockham-loses", MOTA, "figure 17", "In CUDA Stockham radix 2 loses to Cooley–Tukey above 256",
          cuda_stockham_loses, CUDA),
    Claim("mota.cuda-radix-4-wins", MOTA, "figure 18", "In CUDA too radix 4 beats radix 2", cuda_radix_4_wins, CUDA),
    Claim("beechwood.loops-slow", BEECHWOOD, "digit reversal",
          "Reversal by a loop is slow in comparison with bit operators", loops_are_slow),
    Claim("beechwood.fewer-operations", BEECHWOOD, "radix 8", "Higher radices take fewer operations", fewer_operations),
    Claim("beechwood.memory-decides", BEECHWOOD, "radix 8", "Speed depends highly on the memory's bandwidth",
          memory_decides),
)  # fmt: skip
