"""Claims on errors: which contestant has larger ones, at which lengths, and how many values are wrong."""

import pytest

from tests.messages import unnamed

from .test_papers import precise, row, verdict

SIZES = {"line": (64, 4096), "mixed": (60, 1500), "prime": (61, 4093)}
PARTS = {"line": "lines", "mixed": "mixed", "prime": "primes"}


def errors(whose, **shares):
    """Return rows of errors at two lengths of each kind: a share times 1e-7 in L2, with a largest error of five times
    that."""
    found = []
    for kind, share in shares.items():
        for n in SIZES[kind]:
            more = {"relative_l2": share * 1e-7, "largest_error": share * 5e-7}
            if whose == "scipy":
                found.append(row("cpu", "scipy", n, 1.0, part=PARTS[kind], workers=1, **more))
            else:
                found.append(row(kind, whose, n, 1.0, options="graph" if whose == "cufft" else "", **more))
    return found


OURS = errors("auto", line=1.0, mixed=1.1, prime=1.2)


@pytest.mark.parametrize(("mixed", "prime", "holds"), [(2.5, 3.0, True), (2.5, 2.2, False), (1.5, 3.0, False)])
def test_better_accuracy_than_cufft_needs_mixed_lengths_and_primes(mixed, prime, holds):
    """Mixed lengths and primes must be better; the paper calls errors of powers of two similar."""
    found = verdict("govindaraju.better-accuracy", *OURS, *errors("cufft", line=1.0, mixed=mixed, prime=prime))
    assert found.holds is holds
    assert unnamed(found.number, "cuFFT's 1.00 ×") == []
    assert verdict("govindaraju.better-accuracy", *OURS) is None


@pytest.mark.parametrize(("share", "holds"), [(1.9, True), (0.6, True), (2.1, False), (0.4, False)])
def test_errors_within_a_factor_of_two_of_cufft_are_alike(share, holds):
    found = verdict("govindaraju.similar-for-powers-of-two", *OURS, *errors("cufft", line=share, prime=100.0))
    assert found.holds is holds
    assert unnamed(found.number, f"{share:.2f} × 64 4096") == []


@pytest.mark.parametrize(("line", "holds", "why"), [(0.9, True, "not "), (1.3, False, "not cuFFT's")])
def test_powers_of_two_err_least(line, holds, why):
    theirs, others = errors("cufft", line=line, mixed=1.1, prime=2.0), errors("scipy", line=9.0)
    found = verdict("govindaraju.powers-of-two-err-least", *OURS, *theirs, *others)  # scipy has no rows of other kinds
    assert (found.holds, found.why) == (holds, why)
    assert "scipy" not in found.number


def test_the_library_errs_less_than_both():
    library = errors("scipy", line=0.9, mixed=0.9, prime=0.9)
    claim = "govindaraju.cpu-errs-least"
    assert verdict(claim, *OURS, *library).holds
    assert verdict(claim, *OURS, *errors("cufft", line=1.0), *library).holds
    assert verdict(claim, *OURS, *errors("cufft", line=0.8), *library).holds is False


@pytest.mark.parametrize(("share", "holds"), [(1.9, True), (2.1, False), (0.4, False)])
@pytest.mark.parametrize(("whose", "name"), [("ours", "auto"), ("scipy", "scipy")])
def test_errors_of_mixed_lengths_may_differ_by_a_factor_of_two(whose, name, share, holds):
    found = verdict(f"govindaraju.mixed-errors-{whose}", *errors(name, line=1, mixed=share))
    assert found.holds is holds
    assert unnamed(found.number, f"{share:.2f} ×") == []


def test_errors_of_cufft_have_a_wider_range():
    def found(least):
        theirs = [one.model_copy(update={"relative_l2": e}) for one, e in zip(mixed, (least, 4e-7), strict=True)]
        return verdict("govindaraju.cufft-wider-range", *OURS, *theirs)

    mixed = errors("cufft", mixed=1.0)
    assert found(1e-7).holds
    assert unnamed(found(1e-7).number, "4.0 × ours 1.0") == []
    assert found(4e-7).holds is False


@pytest.mark.parametrize(("share", "holds"), [(1.0, True), (2.5, False)])
def test_largest_errors_of_others_are_compared_with_ours(share, holds):
    others = [one.model_copy(update={"largest_error": share * 5e-7}) for one in errors("scipy", line=1.0)]
    found = verdict("govindaraju.proportions-equal", *OURS, *others)
    assert found.holds is holds
    assert unnamed(found.number, f"ours 5.0 × scipy's {5 * share:.1f}") == []
    assert verdict("govindaraju.proportions-equal", *OURS) is None


@pytest.mark.parametrize(
    ("sums", "more_accurate", "loses_nothing"),
    [((1.0, 1.8), True, True), ((1.0, 0.9), False, False), ((0.4, 1.1), True, False)],
)
def test_the_fft_is_compared_with_the_direct_sum(sums, more_accurate, loses_nothing):
    """One size can show that the FFT is more accurate. Only all sizes together show that it loses no accuracy."""

    def line(name, n, error):
        return row("cpu", name, n, 1.0, part="single", relative_l2=error * 1e-7)

    rows = [
        one for n, e in zip((8, 64), sums, strict=True) for one in (line("direct", n, e), line("iterative-dit", n, 1))
    ]
    found = [verdict(claim, *rows) for claim in ("govindaraju.better-than-sum", "rao.no-accuracy-lost")]
    assert [one.holds for one in found] == [more_accurate, loses_nothing]
    assert unnamed(found[0].number, f"{sums[0]:.2f} × 8 {sums[1]:.2f} 64") == []


@pytest.mark.parametrize(("off", "holds"), [(0, True), (1, None), (9, False)])
def test_shorter_lines_are_right(off, holds):
    """The share 48 in 2^26 is one in 1.4 million. A single event says little about its rate."""
    rows = [precise(1 << 20, off), precise(64, 9)]  # short lines do not count
    found = verdict("rao.shorter-lines", *rows)
    assert found.holds is holds
    assert unnamed(found.number, f"{off / 1.048576:.3g} 1M") == []
