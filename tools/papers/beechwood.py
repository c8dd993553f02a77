"""The guide to radix 2, 4 and 8 on beechwood.eu: comparisons of its options, which the guide describes but does not
measure; by radix, the number of lines that a GPU holds at once; and the guide's claims."""

from dataclasses import replace
from itertools import pairwise
from statistics import median

from tools.papers import claims
from tools.papers.benches import Benches, Curve, ratio
from tools.papers.claims import Finding
from tools.papers.govindaraju import is_power
from tools.papers.mota import image

SOURCE = "Beechwood's guide"
BACKEND = "digit-reversal"
RADICES = (2, 4, 8, 16)
ROOM = 1.5  # a GPU is full if lines take more than ROOM times as long as one group of lines


def fewer_operations(measured: Benches) -> Finding | None:
    """Check radices 4 and 8 against 2 at powers of the radix, because other sizes have a closing stage of a smaller
    radix."""
    two = image(measured, BACKEND, "real_flops", "radix=2")
    shares: dict[tuple[int, float], float] = {}
    for radix, options in ((4, ""), (8, "radix=8")):
        gains = ratio(image(measured, BACKEND, "real_flops", options), two)
        shares |= {(radix, n): gain for n, gain in gains.items() if is_power(int(n), radix)}
    if {radix for radix, _ in shares} != {4, 8}:
        return None
    said = (f"{share:.2f} × with radix {radix} at {n:g}" for (radix, n), share in shares.items())
    number = f"operations relative to radix 2: {', '.join(said)}"
    return Finding(number, max(shares.values()) < 1, "", "fewer than with radix 2, at powers of the radix")


def memory_decides(measured: Benches) -> Finding | None:
    """Check which share of a copy's bandwidth kernels reach."""
    shares = measured.curve("copy_share", "line", "auto")
    if not shares:
        return None
    middle = median(shares.values())
    number = f"median {middle:.0%} of a copy's bandwidth ({claims.listed(shares, '{:.0%}')})"
    noise = claims.worst(measured.noise("line", shares))
    return claims.typically(middle, number, noise, bound=0.5, form="{:.0%}")


def threads_at_once(measured: Benches) -> Finding | None:
    """Check the number of running invocations beyond which more lines take longer."""
    lines_of: Curve = {}
    for radix in RADICES:
        options = f"radix={radix} lines=1"
        times = measured.curve("median_ms", "flight", "stockham-registers", x="batch", options=options)
        least = min(times.values(), default=0.0)
        room = [lines for lines, ms in times.items() if ms <= ROOM * least]
        if not room or max(room) == max(times):
            return None  # the GPU never filled
        lines_of[radix] = max(room)
    full = {radix: lines * 1024 / radix for radix, lines in lines_of.items()}
    number = ", ".join(f"{threads:,.0f} with radix {radix:.0f}" for radix, threads in full.items()) + " invocations"
    numbers = list(full.values())
    falls = all(more >= fewer for more, fewer in pairwise(numbers)) and numbers[0] > numbers[-1]
    rule = (
        f"most invocations that take at most {ROOM} times the least time: never more with a higher radix, and fewer "
        f"with {max(full):g} than with {min(full):g}; numbers of lines are powers of two"
    )
    if falls and lines_of[max(full)] == lines_of[max(radix for radix in full if radix < max(full))]:
        why = f"{lines_of[max(full)]:g} lines fill the GPU with several radices, the higher ones with fewer threads"
        return Finding(number, None, f"{why}; counts of registers: table above", rule)
    return Finding(number, falls, rule=rule)


def native_roots(measured: Benches) -> Finding | None:
    """Check the guide's transform, and name the speed-up of the fastest kernel."""
    native, computed = (
        {"workload": "guide", "name": BACKEND, "options": f"twiddles={one}"} for one in ("native", "computed")
    )
    found = claims.compare(measured, native, computed)
    registers = (
        measured.curve("median_ms", "image", "stockham-registers", options=f"twiddles={one}", batch=1)
        for one in ("computed", "native")
    )
    gains = ratio(*registers)
    if not found or not gains:
        return found
    return replace(found, number=f"{found.number}; `stockham-registers` {claims.listed(gains)}")
