"""Claims of Govindaraju et al. 2008 on accuracy."""

from functools import partial
from statistics import median

from tools.papers.benches import Benches, Curve, ratio
from tools.papers.claims import Claim, Finding, about, beyond, law, listed
from tools.papers.drawing import short
from tools.papers.govindaraju import PARTS, errors
from tools.papers.kernel_claims import CUDA
from tools.papers.line_claims import GOVINDARAJU, LARGE, OTHER_CUFFT, rated

ALIKE = 2
"""Errors are similar, or in proportion, if the largest is at most this times the smallest."""


KINDS = {"line": "powers of two", "mixed": "mixed lengths", "prime": "primes"}
OURS, CUFFT, SCIPY = "ours", "cuFFT's", "scipy's"
EXACT = "the roots here are exact to rounding, so that ours keep all digits that single precision has"


def errors_of(measured: Benches, whose: str, workload: str, field: str = "relative_l2") -> Curve:
    """Return the errors of a contestant for lines of one workload."""
    if whose == SCIPY:
        return measured.curve(field, "cpu", "scipy", part=PARTS[workload], workers=1)
    name, options = ("auto", {}) if whose == OURS else ("cufft", {"options": "graph"})
    return errors(measured, workload, name, field, **options)


def typical(curve: Curve) -> float:
    return median(curve.values())


def beside(measured: Benches, whose: str, other: str) -> dict[str, Curve]:
    """Return the errors of one contestant in units of another's, by the workloads that both have."""
    found = {kind: ratio(*(errors_of(measured, one, kind) for one in (whose, other))) for kind in KINDS}
    return {kind: curve for kind, curve in found.items() if curve}


def more_accurate_than_cufft(measured: Benches) -> Finding | None:
    """Check mixed lengths and primes against cuFFT; the paper calls errors of powers of two similar."""
    found = {kind: typical(curve) for kind, curve in beside(measured, CUFFT, OURS).items()}
    others = [share for kind, share in found.items() if kind != "line"]
    if not others:
        return None
    number = ", ".join(f"{share:.2f} × ours for {KINDS[kind]}" for kind, share in found.items())
    why = f"{ALIKE} times would be significant; {OTHER_CUFFT}"
    return Finding(f"cuFFT's error is {number} (medians)", min(others) > ALIKE, why, f"each median above {ALIKE} ×")


def alike_for_powers_of_two(measured: Benches) -> Finding | None:
    found = beside(measured, CUFFT, OURS).get("line")
    if not found:
        return None
    apart = max(*found.values(), *(1 / share for share in found.values()))
    return Finding(
        f"cuFFT's error is {listed(found)} ours",
        apart <= ALIKE,
        f"they are up to {apart:.2f} times apart",
        f"each within {ALIKE} ×",
    )


def least_for_powers_of_two(measured: Benches) -> Finding | None:
    """Check for each contestant with errors of every workload that powers of two have the smallest typical error."""
    found = {}
    for whose in (OURS, CUFFT, SCIPY):
        curves = [errors_of(measured, whose, kind) for kind in KINDS]
        if all(curves):
            found[whose] = [typical(curve) for curve in curves]
    if not found:
        return None
    number = "; ".join(f"{whose} {', '.join(f'{one:.1e}' for one in some)}" for whose, some in found.items())
    lost = [whose for whose, (two, *others) in found.items() if two > min(others)]
    return Finding(
        f"{number}, for {', '.join(KINDS.values())} (medians)",
        not lost,
        f"not {' and '.join(lost)}",
        "each median of powers of two is the least",
    )


def library_errs_least(measured: Benches) -> Finding | None:
    """Check typical errors of the GPU against scipy's, over lengths of all workloads."""
    found = {}
    for whose in (OURS, CUFFT):
        shares = [share for curve in beside(measured, whose, SCIPY).values() for share in curve.values()]
        if shares:
            found[whose] = median(shares)
    if not found:
        return None
    number = " and ".join(f"{whose} {share:.2f} ×" for whose, share in found.items())
    return Finding(f"{number} scipy's (medians)", min(found.values()) > 1, EXACT, "both medians above 1 ×")


def sum_errs_more(measured: Benches) -> Curve:
    """Return the errors of the direct sum on the CPU, in units of errors of DIT."""
    names = ("direct", "iterative-dit")
    return ratio(*(measured.curve("relative_l2", "cpu", name, part="single") for name in names))


def more_accurate_than_the_sum(measured: Benches) -> Finding | None:
    """Check whether the direct sum has a larger error than DIT at any length."""
    found = sum_errs_more(measured)
    if not found:
        return None
    why = "the sum is BLAS's, which adds up parts of it apart"
    return Finding(f"the sum's error is {listed(found)} that of DIT", max(found.values()) > 1, why, "one above 1 ×")


def error_over_library(measured: Benches) -> Finding | None:
    found = beyond(beside(measured, OURS, SCIPY).get("line", {}), LARGE)
    if not found:
        return None
    return about(found, 5.5, f"{listed(found)} scipy's", EXACT, "{:g} ×".format)


def error_grows_linearly(measured: Benches) -> Finding | None:
    found = errors(measured, "line", "auto")
    return law(found, "N", "it grows with the number of stages, and looks linear on a logarithmic axis of N")


def mixed_over_two(measured: Benches, whose: str) -> float | None:
    """Return the typical error of mixed lengths, in units of the error of powers of two."""
    two, mixed = (errors_of(measured, whose, kind) for kind in ("line", "mixed"))
    return typical(mixed) / typical(two) if two and mixed else None


def mixed_errors_are_the_same(measured: Benches, whose: str) -> Finding | None:
    if (share := mixed_over_two(measured, whose)) is None:
        return None
    why = f"it is more than {ALIKE} times that"
    return Finding(f"{share:.2f} × that of powers of two", 1 / ALIKE <= share <= ALIKE, why, f"within {ALIKE} ×")


def largest_error_follows(measured: Benches) -> Finding | None:
    """Check whether the largest error is in proportion to the root mean square error."""
    found = ratio(errors(measured, "line", "auto", "largest_error"), errors(measured, "line", "auto"))
    if len(found) < 3:
        return None
    low, high = (end(found, key=lambda n: found[n]) for end in (min, max))
    number = f"{found[low]:.1f} times it at {short(low)} to {found[high]:.1f} at {short(high)}"
    return Finding(
        number,
        found[high] <= ALIKE * found[low],
        f"these differ by more than {ALIKE} times",
        f"each within {ALIKE} × of the others",
    )


def proportions_are_the_same(measured: Benches) -> Finding | None:
    """Check whether the largest errors of both are the same multiples of their root mean square errors."""
    found = {}
    for whose in (OURS, CUFFT, SCIPY):
        shares = ratio(*(errors_of(measured, whose, "line", field) for field in ("largest_error", "relative_l2")))
        if shares:
            found[whose] = typical(shares)
    if len(found) < 2:
        return None
    number = ", ".join(f"{whose} {share:.1f} ×" for whose, share in found.items())
    low, high = min(found.values()), max(found.values())
    return Finding(
        f"{number} (medians)",
        high <= ALIKE * low,
        f"these differ by more than {ALIKE} times",
        f"each median within {ALIKE} × of the others",
    )


def cufft_errs_more_for_mixed(measured: Benches) -> Finding | None:
    if (share := mixed_over_two(measured, CUFFT)) is None:
        return None
    return Finding(f"{share:.2f} × that of powers of two", share > 2, OTHER_CUFFT, "more than 2 ×")


def cufft_errs_more_widely(measured: Benches) -> Finding | None:
    """Check whether errors of mixed lengths vary more with cuFFT: the largest over the smallest."""
    curves = [errors_of(measured, whose, "mixed") for whose in (OURS, CUFFT)]
    if any(len(curve) < 2 for curve in curves):
        return None
    mine, theirs = (max(curve.values()) / min(curve.values()) for curve in curves)
    return Finding(
        f"{theirs:.1f} × from least to largest, ours {mine:.1f} ×", theirs > mine, OTHER_CUFFT, "the larger range"
    )


def primes_stay_accurate(measured: Benches) -> Finding | None:
    found = errors(measured, "prime", "auto")
    if not found:
        return None
    most = max(found.values())
    why = f"it is {'smaller' if most < 1e-6 else 'larger'}"
    return Finding(f"at most {most:.1e}", 10**-6.5 <= most <= 10**-5.5, why, "largest from 3.2e-7 to 3.2e-6")


def angles_matter(measured: Benches) -> Finding | None:
    exact = errors(measured, "prime", "bluestein", options="")
    naive = errors(measured, "prime", "bluestein", options="angles=naive")
    found = ratio(naive, exact)
    why = "no length was long enough for j² to lose digits"
    return (
        Finding(f"error {listed(found, rated)} without", max(found.values()) > 10, why, "one above 10 ×")
        if found
        else None
    )


def cufft_loses_accuracy(measured: Benches) -> Finding | None:
    found = errors(measured, "prime", "cufft", options="graph")
    if not found:
        return None
    return Finding(f"at most {max(found.values()):.1e}", max(found.values()) > 1e-5, OTHER_CUFFT, "one above 1e-5")


CLAIMS = (
    Claim("govindaraju.better-accuracy", GOVINDARAJU, "section I",
          "Numerical accuracy is significantly better than cuFFT's", more_accurate_than_cufft, CUDA),
    Claim("govindaraju.better-than-sum", GOVINDARAJU, "section III.B", "The FFT can be more accurate than a direct sum",
          more_accurate_than_the_sum),
    Claim("govindaraju.cpu-errs-least", GOVINDARAJU, "section VI.C",
          "The CPU library has a lower error than those of the GPU", library_errs_least),
    Claim("govindaraju.powers-of-two-err-least", GOVINDARAJU, "section VI.C",
          "All have the lowest error for powers of two", least_for_powers_of_two),
    Claim("govindaraju.similar-for-powers-of-two", GOVINDARAJU, "section VI.C",
          "For powers of two errors are quite similar to cuFFT's", alike_for_powers_of_two, CUDA),
    Claim("govindaraju.error-over-library", GOVINDARAJU, "figure 17",
          "The error of long lines is 5.5 times the CPU library's", error_over_library),
    Claim("govindaraju.error-grows-linearly", GOVINDARAJU, "figure 17", "The error scales linearly with N",
          error_grows_linearly),
    Claim("govindaraju.largest-error-follows", GOVINDARAJU, "figure 17",
          "The largest error is in proportion to the root mean square", largest_error_follows),
    Claim("govindaraju.proportions-equal", GOVINDARAJU, "figure 17",
          "That proportion is about the same for the other transforms", proportions_are_the_same,
          "earlier reports did not count it"),
    *(
        Claim(f"govindaraju.mixed-errors-{key}", GOVINDARAJU, "figure 17",
              f"Mixed lengths have about the error of powers of two: {whose}",
              partial(mixed_errors_are_the_same, whose=whose))
        for key, whose in (("ours", OURS), ("scipy", SCIPY))
    ),
    Claim("govindaraju.cufft-wider-range", GOVINDARAJU, "figure 17",
          "For mixed lengths cuFFT's errors have a larger range than ours", cufft_errs_more_widely, CUDA),
    Claim("govindaraju.cufft-mixed-error", GOVINDARAJU, "section VI.C",
          "cuFFT's error more than doubles for mixed lengths", cufft_errs_more_for_mixed, CUDA),
    Claim("govindaraju.primes-accurate", GOVINDARAJU, "figure 17", "Errors of primes are of the order of 1e-6",
          primes_stay_accurate),
    Claim("govindaraju.cufft-prime-error", GOVINDARAJU, "figure 17", "cuFFT's error balloons for primes",
          cufft_loses_accuracy, CUDA),
    Claim("govindaraju.exact-angles", GOVINDARAJU, "figure 6", "Angles modulo 2N make Bluestein's transform accurate",
          angles_matter),
)  # fmt: skip
