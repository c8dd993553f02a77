"""Claims of Govindaraju et al. 2008 on lines of prime length, which Bluestein's transform computes."""

from dataclasses import replace
from functools import partial
from itertools import groupby, pairwise
from math import log2
from statistics import median

from tools.papers.benches import Benches
from tools.papers.claims import Claim, Finding, law, typically
from tools.papers.govindaraju import cufft, library, ours
from tools.papers.kernel_claims import CUDA
from tools.papers.line_claims import GOVINDARAJU

SWEEP = "prime-sweep"


def saw_tooth(measured: Benches, by_library: bool) -> Finding | None:
    """Check whether the rate is a saw-tooth curve. Bluestein's transform pads lines to a power of two, so the rate
    rises with the primes of an octave and falls at its end."""
    rates = (library if by_library else ours)(measured, SWEEP)
    octaves = [list(some) for _, some in groupby(rates, lambda n: int(n).bit_length())]
    rises = [rates[primes[-1]] / rates[primes[0]] for primes in octaves if len(primes) > 1]
    falls = [rates[before[-1]] / rates[after[0]] for before, after in pairwise(octaves)]
    if len(rises) < 2:
        return None
    rise, fall = median(rises), median(falls)
    first, following = f"{rise:.2f} × the rate of the first", f"{fall:.2f} × that of the next (medians)"
    number = f"the last prime of an octave has {first}, and {following}"
    tolerance = measured.tolerance("cpu", SWEEP) if by_library else measured.tolerance(SWEEP)
    why = "rates do not follow the length that lines would be padded to"
    return typically(min(rise, fall), number, tolerance, why, kind="both medians")


def cufft_sums_directly(measured: Benches) -> Finding | None:
    """Check whether the time for each element grows with N, as for a direct sum."""
    each = {n: log2(n) / rate for n, rate in cufft(measured, "prime").items()}
    found = law(each, "N", "a direct sum's would grow as N", measured.noise("prime", each))
    return found and replace(found, number=f"time an element grows {found.number}")


CLAIMS = (
    *(
        Claim(f"govindaraju.saw-teeth-{key}", GOVINDARAJU, "figure 16",
              f"Rates over primes have the saw teeth of Bluestein's transform: {whose}",
              partial(saw_tooth, by_library=by_library), "no sweep over primes")
        for key, whose, by_library in (("ours", "ours", False), ("library", "the CPU library's", True))
    ),
    Claim("govindaraju.cufft-sums-primes", GOVINDARAJU, "figure 16",
          "cuFFT's primes take N² products, and are very slow where they are large", cufft_sums_directly, CUDA),
)  # fmt: skip
