"""Rao, "Implementation of Fast Fourier Transform" (NYU 2019), figures 1 to 6; Davis and Dharma, "Discrete Fast Fourier
Transform" (Stuttgart), their two curves. Both hold one line on a GPU, with transfers, against one on the CPU."""

from collections.abc import Iterator

from ocean.bench.papers.drawing import Figure, Lines
from ocean.bench.papers.measured import Curve, Measured, ratio

SOURCE, DAVIS = "Rao 2019", "Davis and Dharma"
MS = "time in ms"
WRITTEN = "iterative, numpy"
GPU, WHOLE = "GPU, kernels", "GPU with transfers"


def four_step(measured: Measured, workers: int, part: str = "four-step") -> Curve:
    """The transform that threads share."""
    return measured.curve("median_ms", "cpu", "four-step", part=part, workers=workers)


def most_threads(measured: Measured) -> int:
    """Of the shared transform."""
    return max((row.workers or 1 for row in measured.rows("cpu", "four-step", part="four-step")), default=1)


def single(measured: Measured, name: str) -> Curve:
    """One line on the CPU, one thread."""
    return measured.curve("median_ms", "cpu", name, part="single")


def on_gpu(measured: Measured, value: str) -> Curve:
    """One line by `auto`."""
    return measured.curve(value, "single", "auto")


def by_threads(measured: Measured, part: str) -> Curve:
    """Times of the shared transform."""
    rows = measured.by("workers", "cpu", "four-step", part=part)
    return {workers: row.median_ms or 0.0 for workers, row in rows.items()}


def figures(measured: Measured) -> Iterator[Figure]:
    """All of both."""
    most = most_threads(measured)
    several = f"four-step, {most} threads"
    alone, together = four_step(measured, 1), four_step(measured, most) if most > 1 else {}
    written = single(measured, "iterative-dit")
    curves = {WRITTEN: written, "four-step, 1 thread": alone, several: together}
    title = "One line on the CPU"
    yield drawn(1, title, Lines("Running time", curves, MS, required=(several,)))
    gain = Lines("Speed-up over one thread", {several: ratio(alone, together)}, "×", log_y=False, level=1.0)
    yield drawn(2, title, gain)
    weak, strong = by_threads(measured, "weak"), by_threads(measured, "strong")
    ideal = dict.fromkeys(weak, weak[1]) if 1 in weak else {}
    panel = Lines(
        "2^18 elements a thread", {"four-step": weak, "ideal": ideal}, MS, "threads", log_y=False, dashed=("ideal",)
    )
    yield drawn(3, "Weak scaling", panel)
    times = {"four-step": strong, "ideal": {n: strong[1] / n for n in strong} if 1 in strong else {}}
    yield drawn(4, "Strong scaling", Lines("2^20 elements", times, MS, "threads", log_y=False, dashed=("ideal",)))
    gpu, whole = on_gpu(measured, "median_ms"), on_gpu(measured, "transfers_ms")
    scipy = single(measured, "scipy")
    both = {WRITTEN: written, "scipy": scipy, GPU: gpu, WHOLE: whole}
    title = "One line on the GPU and on the CPU"
    yield drawn(5, title, Lines("Running time", both, MS, required=(WRITTEN, WHOLE)))
    gains = {f"{what} over {than}": ratio(one, other) for what, other in ((GPU, gpu), (WHOLE, whole))
             for than, one in ((WRITTEN, written), ("scipy", scipy))}  # fmt: skip
    yield drawn(6, title, Lines("Speed-up of the GPU", gains, "×", level=1.0, required=tuple(gains)[:1]))
    each = {name: {n: 1e6 * ms / n for n, ms in curve.items()} for name, curve in both.items()}
    needs = (WRITTEN, WHOLE)
    yield Figure("davis-1", f"{DAVIS}, first curve", title, [Lines("Running time", both, MS, required=needs)])
    panel = Lines("Running time by element", each, "ns an element", required=needs)
    yield Figure("davis-2", f"{DAVIS}, second curve", title, [panel])


def drawn(number: int, title: str, panel: Lines) -> Figure:
    """A figure of Rao's."""
    return Figure(f"rao-{number}", f"{SOURCE}, figure {number}", title, [panel])
