"""Claims of Govindaraju et al. 2008 on accuracy."""

import numpy as np

from ocean.bench.papers.claims import Claim, Finding, beyond, listed
from ocean.bench.papers.drawing import short
from ocean.bench.papers.govindaraju import errors
from ocean.bench.papers.kernel_claims import CUDA
from ocean.bench.papers.line_claims import GOVINDARAJU, LARGE, rated
from ocean.bench.papers.measured import Curve, Measured, ratio

ALIKE = 2
"""Errors are alike, or in proportion, when the highest is no more than this times the least."""


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
    why = f"it is more than {ALIKE} times that"
    return Finding(f"{share:.2f} × that of powers of two", 1 / ALIKE <= share <= ALIKE, why)


def largest_error_follows(measured: Measured) -> Finding | None:
    """The root mean square of all."""
    found = ratio(errors(measured, "line", "auto", "largest_error"), errors(measured, "line", "auto"))
    if len(found) < 3:
        return None
    low, high = (end(found, key=lambda n: found[n]) for end in (min, max))
    number = f"{found[low]:.1f} times it at {short(low)} to {found[high]:.1f} at {short(high)}"
    return Finding(number, found[high] <= ALIKE * found[low], f"these differ by more than {ALIKE} times")


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


CLAIMS = (
    Claim(GOVINDARAJU, "figure 17", "The error of long lines is 5.5 times the CPU library's", error_over_library),
    Claim(GOVINDARAJU, "figure 17", "The error scales linearly with N", error_grows_linearly),
    Claim(GOVINDARAJU, "figure 17", "The largest error is in proportion to the root mean square",
          largest_error_follows),
    Claim(GOVINDARAJU, "figure 17", "Mixed lengths have about the error of powers of two", mixed_errors_are_the_same),
    Claim(GOVINDARAJU, "section VI.C", "cuFFT's error more than doubles for mixed lengths", cufft_errs_more_for_mixed,
          CUDA),
    Claim(GOVINDARAJU, "figure 17", "Errors of primes are of the order of 1e-6", primes_stay_accurate),
    Claim(GOVINDARAJU, "figure 17", "cuFFT's error balloons for primes", cufft_loses_accuracy, CUDA),
    Claim(GOVINDARAJU, "figure 6", "Angles modulo 2N make Bluestein's transform accurate", angles_matter),
)  # fmt: skip
