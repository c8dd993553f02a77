"""Claims of Beechwood's guide, Govindaraju et al. 2008, and Davis and Dharma on variants that differ in one thing."""

from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import inf

from ocean.bench.rows import Row
from tools.papers import beechwood
from tools.papers.benches import Benches, Curve, ratio
from tools.papers.claims import SIMILAR, Claim, Finding, about, each, faster, law, listed, none, once
from tools.papers.kernel_claims import BEECHWOOD
from tools.papers.line_claims import GOVINDARAJU
from tools.papers.serial_claims import AT_ONCE, DAVIS

ROOM = 1.5
"""A GPU is full if lines take this times as long as one group of lines."""
GROUP = 16
"""Threads whose reads the paper's GPU coalesces."""


Rows = dict[int, Row]


def exchanged(measured: Benches, name: str = "stockham-registers", **chosen: str | int) -> Rows:
    """Return the rows of a variant for batches of lines, by length."""
    options = " ".join(f"{key}={value}" for key, value in chosen.items())
    return measured.by("size", "exchange", name, options=options)


def compared(measured: Benches, fast: Rows, slow: Rows) -> tuple[Curve, Curve]:
    """Return the speed-up of the first variant by length, and the noise of the workload there."""
    gains: Curve = {n: (slow[n].median_ms or 0.0) / (row.median_ms or inf) for n, row in fast.items() if n in slow}
    return gains, measured.noise("exchange", gains)


def alike(one: Rows, other: Rows, but: str = "") -> tuple[Rows, Rows]:
    """Return the rows at lengths where both kernels have equal plans, apart from the option `but`. Plans may differ
    because free shared memory determines the lines of a group and the parts of an element."""

    def plan(row: Row) -> list[str]:
        return [word for word in (row.plan or "").split() if not but or not word.startswith(f"{but}=")]

    sizes = [n for n in one if n in other and plan(one[n]) == plan(other[n])]
    return {n: one[n] for n in sizes}, {n: other[n] for n in sizes}


def padding(measured: Benches, radix: int, pays: bool) -> Finding | None:
    """Check rows of one radix with padding against rows without."""
    without, padded = (exchanged(measured, radix=radix, padding=one) for one in ("none", "padded"))
    without, padded = alike(without, padded)
    gains, noise = compared(measured, *((padded, without) if pays else (without, padded)))
    why = "such conflicts cost next to nothing here, or padding does"
    return each(gains, f"{listed(gains)} as fast", noise, why) if gains else None


def odd_padding(measured: Benches) -> Finding | None:
    """Check rows of odd lengths with padding against rows without."""
    padded, without = (exchanged(measured, padding=one) for one in ("padded", "none"))
    gains, noise = compared(measured, *alike(padded, without))
    return none(gains, f"with it {listed(gains)} as fast", noise, "it pays there", SIMILAR) if gains else None


def arrays(measured: Benches) -> Finding | None:
    """Check an array for each component against elements in one array."""
    apart, whole = (exchanged(measured, exchange=one) for one in ("arrays", "vec2"))
    gains, noise = compared(measured, *alike(apart, whole))
    why = "such conflicts cost next to nothing here"
    return each(gains, f"{listed(gains)} as fast", noise, why) if gains else None


def gaps(measured: Benches) -> Finding | str | None:
    """Check the factor in time between contiguous reads and reads whose neighbours are a group of the paper apart."""
    times: Curve = {}
    for row in measured.rows("reads", "reads"):
        times[int(row.options.removeprefix("stride="))] = row.median_ms or inf
    if 1 not in times:
        return None
    longer = {stride: ms / times[1] for stride, ms in times.items() if stride > 1}
    apart: Curve = {GROUP: longer[GROUP]} if GROUP in longer else {}
    number = f"by elements from one read to the next, a copy takes {listed(longer)} as long"
    why = "memory delivers 32 bytes at once, four elements"
    if not apart:
        return f"no reads {GROUP} elements apart"
    found = about(apart, 10, number, why, "{:g} ×".format, measured.tolerance("reads"))
    return replace(found, rule=f"{found.rule}, {GROUP} elements apart")


def components(measured: Benches) -> Finding | None:
    """Check whether exchanging one component at a time, which needs half of the shared memory, is faster at any
    size."""
    parts, whole = (exchanged(measured, exchange=one) for one in ("float", "vec2"))
    gains, noise = compared(measured, *alike(parts, whole, but="parts"))
    why = "a processor holds enough groups with whole elements"
    return once(gains, f"{listed(gains)} as fast", noise, why) if gains else None


def coalescing(measured: Benches) -> Finding | None:
    """Check stages that sort their results before writing against stages that do not."""
    every = measured.rows("exchange", "stockham-global")
    plain = {row.size: row for row in every if not row.barriers}  # sorting needs a barrier
    sorted_ = {row.size: row for row in every if row.barriers}
    gains, noise = compared(measured, sorted_, plain)
    why = "sorting takes a barrier, while caches gather most writes"
    return each(gains, f"{listed(gains)} as fast", noise, why) if gains else None


def threads_at_once(measured: Benches) -> Finding | None:
    """Check the number of running invocations at which times of more lines begin to grow."""
    lines_of: Curve = {}
    for radix in beechwood.RADICES:
        times = beechwood.lines_in_flight(measured, radix)
        least = min(times.values(), default=0.0)
        room = [lines for lines, ms in times.items() if ms <= ROOM * least]
        if not room or max(room) == max(times):
            return None  # the GPU never filled
        lines_of[radix] = max(room)
    full = {radix: lines * 1024 / radix for radix, lines in lines_of.items()}
    number = ", ".join(f"{threads:,.0f} with radix {radix:.0f}" for radix, threads in full.items()) + " invocations"
    numbers = list(full.values())
    falls = all(more >= fewer for more, fewer in pairwise(numbers)) and numbers[0] > numbers[-1]
    why = "the number of groups is the limit, or latency hides it"
    rule = (
        f"more with no radix than with a smaller one, and fewer with {max(full):g} than with {min(full):g}, where the "
        f"time is at most {ROOM} times the least; numbers of lines are powers of two"
    )
    if falls and lines_of[max(full)] == lines_of[max(radix for radix in full if radix < max(full))]:
        why = f"{lines_of[max(full)]:g} lines fill it with several radices, and each launches fewer invocations a line"
        return Finding(number, None, why, rule)
    return Finding(number, falls, why, rule)


def roots_from(measured: Benches, fast: str, slow: str, why: str) -> Finding | None:
    """Check one image by the guide's transform in shared memory, with roots from two places."""
    first, second = (measured.curve("median_ms", "guide", beechwood.BACKEND, options=one) for one in (fast, slow))
    return faster(measured, "guide", first, second, why)


def native_roots(measured: Benches) -> Finding | None:
    """Check the guide's transform, and name the speed-up of the fastest kernel."""
    why = "the kernel takes longer with them there, for a reason that no row tells"
    found = roots_from(measured, "twiddles=native", "twiddles=computed", why)
    registers = (
        measured.curve("median_ms", "image", "stockham-registers", options=f"twiddles={one}", batch=1)
        for one in ("computed", "native")
    )
    gains = ratio(*registers)
    if found is None or not gains:
        return found
    return replace(found, number=f"{found.number}; `stockham-registers` {listed(gains)}")


def roots_take_no_longer(measured: Benches) -> Finding | None:
    """Check tables at sizes where all roots have a running thread at once."""
    times = {n: ms for n, ms in measured.curve("median_ms", "roots", "roots").items() if n <= AT_ONCE}
    return law(times, "a constant", "each processor writes more of them", measured.noise("roots", times))


ROOTS = "no rows of `bench -w guide` with such roots"

CLAIMS = (
    Claim("beechwood.registers", BEECHWOOD, "registers",
          "Higher radices need more registers, so fewer threads run at once", threads_at_once,
          "no lines in flight by radix (`bench -w flight`)"),
    Claim("beechwood.native-roots", BEECHWOOD, "end", "Native sine and cosine are faster than others", native_roots,
          ROOTS),
    *(
        Claim(f"beechwood.roots-in-{memory}", BEECHWOOD, "end",
              f"A table of roots is faster in {memory} memory than in a buffer",
              partial(roots_from, fast=f"twiddles=table table={table}", slow="twiddles=table", why=why), ROOTS)
        for memory, table, why in (
            ("constant", "uniform", "neighbours read different roots, which constant memory gives one by one"),
            ("texture", "texture", "texels of a long table take longer"),
        )
    ),
    *(
        Claim(f"govindaraju.padding-{radix}", GOVINDARAJU, "section IV.A",
              f"Padding {'pays' if pays else 'costs more than bank conflicts'} with radix {radix}",
              partial(padding, radix=radix, pays=pays), "no rows of `bench -w exchange`")
        for radix, pays in ((2, False), (4, True), (8, True))
    ),
    Claim("govindaraju.odd-radices", GOVINDARAJU, "section IV.A", "Odd radices need no padding", odd_padding,
          "no rows of `bench -w exchange` of odd lengths"),
    Claim("govindaraju.arrays", GOVINDARAJU, "section IV.A",
          "Both components at once in an array each avoid bank conflicts", arrays,
          "no rows of `bench -w exchange` in two arrays"),
    Claim("govindaraju.gaps", GOVINDARAJU, "section IV.A", "What is not coalesced has a tenth of the bandwidth", gaps,
          "no rows of `bench -w reads`"),
    Claim("govindaraju.exchange-components", GOVINDARAJU, "section IV.A", "To exchange one component at a time can pay",
          components, "no rows of `bench -w exchange`"),
    Claim("govindaraju.sorted-writes", GOVINDARAJU, "section IV.A",
          "Results that are sorted before they are written are faster", coalescing, "no rows of `bench -w exchange`"),
    Claim("davis.parallel-roots", DAVIS, "parallelization",
          "With a thread for each the roots take the same time however many", roots_take_no_longer,
          "no rows of `bench -w roots`"),
)  # fmt: skip
