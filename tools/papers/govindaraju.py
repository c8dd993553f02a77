"""Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008): figures 6, 8 and
11 to 18. In place of their MKL stands the fastest library that ran on this machine's CPU, with its best number of
threads."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from tools.papers.benches import Benches, Curve, best, ratio
from tools.papers.drawing import Figure, Lines, Table

SOURCE = "Govindaraju et al. 2008"
GFLOPS = "GFLOP/s"
OURS, CUFFT, CPU = "ours (auto)", "cuFFT", "CPU library"
LIBRARIES = ("numpy", "scipy", "pyfftw")
PARTS = {
    "line": "lines",
    "mixed": "mixed",
    "prime": "primes",
    "prime-sweep": "prime-sweep",
    "single": "single",
    "image": "images",
    "rectangle": "rectangles",
}
"""Names of the parts of the workload `cpu`."""
FIGURE_13 = {
    "theirs, GTX 280": (120, 160, 215, 271, 297, 245),
    "Volkov and Kazian, GTX 280": (102, 124, 229, 222, 298, 260),
}
SIZES_13 = (8, 16, 64, 256, 512, 1024)


def ours(measured: Benches, workload: str, value: str = "gflops") -> Curve:
    """Return the curve of `auto`."""
    return measured.curve(value, workload, "auto", direction="forward", **one_image(workload))


def cufft(measured: Benches, workload: str, value: str = "gflops") -> Curve:
    """Return the curve of cuFFT in a graph."""
    return measured.curve(value, workload, "cufft", options="graph", direction="forward", **one_image(workload))


def one_image(workload: str) -> dict[str, Any]:
    return {"batch": 1} if workload == "image" else {}


def library(measured: Benches, workload: str) -> Curve:
    """Return the GFLOP/s of the fastest library on the CPU."""
    return on_cpu(measured, PARTS[workload])


def on_cpu(measured: Benches, part: str) -> Curve:
    """Return the GFLOP/s of the fastest library, with its best number of threads, for a part of the workload `cpu`."""
    rows = (
        measured.curve("gflops", "cpu", name, part=part, workers=workers)
        for name in LIBRARIES
        for workers in {row.workers for row in measured.rows("cpu", name, part=part)}
    )
    return best(rows)


def compared(measured: Benches, workload: str) -> dict[str, Curve]:
    """Return the GFLOP/s of `auto`, cuFFT and the CPU's library, by name."""
    return {
        OURS: ours(measured, workload),
        CUFFT: cufft(measured, workload),
        CPU: library(measured, workload),
    }


def relative(curves: Mapping[str, Curve]) -> dict[str, Curve]:
    """Return times in units of ours, computed from GFLOP/s, because batches may differ."""
    return {name: ratio(curves[OURS], curve) for name, curve in curves.items() if name != OURS}


def some(curve: Curve, base: int) -> Curve:
    """Return the part of a curve at powers of a base."""
    return {x: y for x, y in curve.items() if is_power(int(x), base)}


def is_power(x: int, base: int) -> bool:
    while x % base == 0 and x > 1:
        x //= base
    return x == 1


def products(curve: Curve) -> Curve:
    """Return the part of a curve at products of 2, 3 and 5, without powers of 3 and powers of 5."""
    return {x: y for x, y in curve.items() if not is_power(int(x), 3) and not is_power(int(x), 5)}


def figure_6(measured: Benches) -> Figure:
    """Draw both ways to compute the angles of the chirp."""
    angles = {
        "j² modulo 2N": errors(measured, "prime", "bluestein", options=""),
        "j² in single precision": errors(measured, "prime", "bluestein", options="angles=naive"),
    }
    panel = Lines("Prime lengths", angles, "relative L2 error", required=tuple(angles))
    return Figure("govindaraju-6", f"{SOURCE}, figure 6", "Bluestein's transform with and without correction", [panel])


def errors(measured: Benches, workload: str, name: str, field: str = "relative_l2", **same: Any) -> Curve:
    """Return the errors of forward transforms, including wrong results."""
    return measured.curve(field, workload, name, is_right=None, direction="forward", **same)


def figure_8(measured: Benches) -> Figure:
    """Draw the GFLOP/s of the CPU's libraries by number of threads."""

    def curves(part: str) -> dict[str, Curve]:
        found = {}
        for name in LIBRARIES[1:]:
            for count in sorted({row.workers or 1 for row in measured.rows("cpu", name, part=part)}):
                label = f"{name}, {count} thread{'s' if count > 1 else ''}"
                found[label] = measured.curve("gflops", "cpu", name, part=part, workers=count)
        return found or {"scipy": {}}

    panels = [
        Lines("A line for each thread", curves("line-a-thread"), GFLOPS, log_y=False),
        Lines("Batches of 2^20 elements", curves("lines"), GFLOPS, log_y=False),
    ]
    return Figure("govindaraju-8", f"{SOURCE}, figure 8", "Libraries of the CPU with several threads", panels)


def figure_13(measured: Benches) -> Figure:
    """Draw GFLOP/s by length: the paper's table, and ours."""
    numbers = {x: y for x, y in ours(measured, "line").items() if x in SIZES_13}
    published: dict[str, Curve] = {
        name: dict(zip(SIZES_13, map(float, values), strict=True)) for name, values in FIGURE_13.items()
    }
    table = Table("GFLOP/s by size", {"ours, here": numbers, **published}, tuple(published), "{:.0f}")
    return Figure("govindaraju-13", f"{SOURCE}, figure 13", "Batches of lines that shared memory holds", [table])


def rates_and_times(
    measured: Benches, number: int, workload: str, title: str, note: str = "", log_y: bool = False
) -> Figure:
    """Return panels of GFLOP/s, and of times in units of ours."""
    curves = compared(measured, workload)
    if workload == "mixed":
        curves = {name: products(curve) for name, curve in curves.items()}
    panels = [
        Lines("GFLOP/s by convention", curves, GFLOPS, log_y=log_y, required=(OURS,)),
        Lines("Time, relative to ours", relative(curves), "× ours", level=1.0),
    ]
    return Figure(f"govindaraju-{number}", f"{SOURCE}, figure {number}", title, panels, note if curves[CPU] else "")


def figure_16(measured: Benches) -> Figure:
    """Draw the largest primes below powers of two, and primes between them."""
    figure = rates_and_times(measured, 16, "prime", "Batches of lines of prime length", OF_THE_CPU)
    teeth = compared(measured, "prime-sweep")
    if not teeth[OURS]:
        return replace(figure, note="; ".join(filter(None, (figure.note, "without the sweep over primes"))))
    panel = Lines("First and last primes of octaves, GFLOP/s", teeth, GFLOPS, log_y=False, required=(OURS,))
    return replace(figure, panels=[panel, *figure.panels])


def figure_14(measured: Benches) -> Figure:
    """Draw one image, four images, and rectangles with as many elements."""
    four = {
        OURS: measured.curve("gflops", "ocean", "auto"),
        CUFFT: measured.curve("gflops", "ocean", "cufft", options="graph"),
    }
    curves = compared(measured, "image")
    panels = [
        Lines("One image N × N", curves, GFLOPS, log_y=False, required=(OURS,)),
        Lines("One image, time relative to ours", relative(curves), "× ours", level=1.0),
        Lines("Four images N × N (inverse)", four, GFLOPS, log_y=False, required=(OURS,)),
    ]
    rectangles = compared(measured, "rectangle")
    if rectangles[OURS]:
        squares = panels if curves[OURS] else []
        panels = [*squares, Lines("One image with rows of N, as large for every N", rectangles, GFLOPS, log_y=False)]
    note = "" if rectangles[OURS] else "without rectangles"
    note = "the CPU's rectangles have 2^20 elements" if rectangles[OURS] and rectangles[CPU] else note
    return Figure("govindaraju-14", f"{SOURCE}, figure 14", "Transforms in two dimensions", panels, note)


def figure_17(measured: Benches) -> Figure:
    """Draw errors of one transform against double precision; the paper's are errors of both directions, halved."""

    def panel(title: str, workload: str) -> Lines:
        scipy = measured.curve("relative_l2", "cpu", "scipy", part=PARTS[workload])
        curves = {
            OURS: errors(measured, workload, "auto"),
            CUFFT: errors(measured, workload, "cufft", options="graph"),
            "CPU (scipy)": scipy,
        }
        return Lines(title, curves, "relative L2 error", required=(OURS,))

    largest = {f"{OURS}, of one value": errors(measured, "line", "auto", "largest_error")}
    two = panel("Powers of two", "line")
    two = replace(two, curves={**two.curves, **largest}, dashed=tuple(largest))
    small = panel("Primes to 2^16", "prime-sweep")
    primes = [*([small] if small.curves[OURS] else []), panel("Primes below powers of two", "prime")]
    panels = [two, panel("Products of 2, 3 and 5", "mixed"), *primes]
    note = "one transform against double precision"
    return Figure("govindaraju-17", f"{SOURCE}, figure 17", "Errors", panels, note)


def figure_18(measured: Benches) -> Figure:
    """Draw powers of 2, 3 and 5."""
    lines, mixed = ours(measured, "line"), ours(measured, "mixed")
    radices = {"2^i": some(lines, 2), "3^i": some(mixed, 3), "5^i": some(mixed, 5)}
    panel = Lines("Batches of lines, ours", radices, GFLOPS, log_y=False, required=tuple(radices))
    return Figure("govindaraju-18", f"{SOURCE}, figure 18", "Powers of 2, of 3 and of 5", [panel])


ALONE = "one line on the CPU has one thread"
OF_THE_CPU = "the CPU's batches have 2^20 elements"
FIGURES: tuple[Callable[[Benches], Figure], ...] = (
    figure_6,
    figure_8,
    partial(rates_and_times, number=11, workload="single", title="One line", note=ALONE, log_y=True),
    partial(rates_and_times, number=12, workload="line", title="Batches of lines of a power of two", note=OF_THE_CPU),
    figure_13,
    figure_14,
    partial(rates_and_times, number=15, workload="mixed", title="Batches of lines of 2^i 3^j 5^k", note=OF_THE_CPU),
    figure_16,
    figure_17,
    figure_18,
)
