"""The guide to radix 2, 4 and 8 on beechwood.eu: comparisons of its options, which the guide describes but does not
measure, and the number of lines that a GPU holds at once, by radix."""

from collections.abc import Callable, Sequence
from itertools import product

from tools.papers.benches import Benches, Curve
from tools.papers.drawing import Figure, Lines

SOURCE = "Beechwood's guide"
BACKEND = "digit-reversal"
MS = "time in ms"
MEMORIES, DECIMATIONS, TWIDDLES = ("shared", "hybrid", "global"), ("time", "frequency"), ("computed", "table")
RADICES = (2, 4, 8, 16)


def options_of(decimation: str, memory: str, twiddles: str) -> str:
    """Return the options of a row as text, without defaults."""
    chosen = {"twiddles": twiddles, "decimation": decimation, "memory": memory}
    return " ".join(f"{key}={value}" for key, value in chosen.items() if value not in ("time", "shared"))


def variant(measured: Benches, decimation: str, memory: str, twiddles: str) -> Curve:
    """Return the times of one image with a variant of radix 4."""
    return measured.curve("median_ms", "guide", BACKEND, options=options_of(decimation, memory, twiddles))


def radix(measured: Benches, number: int, memory: str) -> Curve:
    """Return the times of one image with a radix, with roots from the default source."""
    chosen = [*([f"radix={number}"] if number != 4 else []), *([f"memory={memory}"] if memory != "shared" else [])]
    if number == 4 and memory == "global":
        return variant(measured, "time", memory, "computed")
    return measured.curve("median_ms", "guide", BACKEND, options=" ".join(chosen))


def lines_in_flight(measured: Benches, number: int) -> Curve:
    """Return times by the number of lines of 1024 elements."""
    options = " ".join([f"radix={number}", "lines=1"])
    return measured.curve("median_ms", "flight", "stockham-registers", x="batch", options=options)


def variants(measured: Benches) -> Figure:
    """Draw decimation, memory and roots side by side."""
    panels: Sequence[Lines] = [
        Lines(
            f"Decimation in {decimation}, radix 4",
            {
                f"{memory}, {twiddles} roots": variant(measured, decimation, memory, twiddles)
                for memory, twiddles in product(MEMORIES, TWIDDLES)
            },
            MS,
        )
        for decimation in DECIMATIONS
    ]
    return Figure("beechwood-1", f"{SOURCE}, options", "One complex image, forward", panels)


def radices(measured: Benches) -> Figure:
    """Draw radices in shared memory and in global memory."""
    panels = [
        Lines(f"In {memory} memory", {f"radix {n}": radix(measured, n, memory) for n in (2, 4, 8)}, MS)
        for memory in ("shared", "global")
    ]
    return Figure("beechwood-2", f"{SOURCE}, radix 2, 4 and 8", "One complex image, forward", panels)


def in_flight(measured: Benches) -> Figure:
    """Draw times over the number of lines: constant while the GPU has room, rising when it is full."""
    curves = {f"radix {n}": lines_in_flight(measured, n) for n in RADICES}
    panel = Lines("Lines of 1024 in registers, a line a work group", curves, MS, "lines")
    return Figure("beechwood-3", f"{SOURCE}, registers", "How many lines fit a GPU", [panel])


FIGURES: tuple[Callable[[Benches], Figure], ...] = (variants, radices, in_flight)
