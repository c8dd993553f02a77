"""Rao, "Implementation of Fast Fourier Transform" (NYU 2019), figures 1 to 6; Davis and Dharma, "Discrete Fast Fourier
Transform" (Stuttgart), both curves. Both compare one line on a GPU, with transfers, with one on the CPU."""

from collections.abc import Callable, Sequence

from tools.papers.benches import Benches, Curve, ratio
from tools.papers.drawing import Figure, Lines

SOURCE, DAVIS = "Rao 2019", "Davis and Dharma"
MS = "time in ms"
WRITTEN = "iterative, numpy"
KERNELS, WHOLE = "kernels", "with transfers"
NAIVE = "naive"
LOOPS = ("group-loops", "all-loops")
"""Rao's transform with OpenMP: threads share the loop over groups, or also the loop within a group."""
THEIRS = "twiddles=table radix=2 memory=global reversal=table"
BOTH = "One line on the GPU and on the CPU"


def four_step(measured: Benches, workers: int, part: str = "four-step") -> Curve:
    """Return the times of the four-step transform on several threads."""
    return measured.curve("median_ms", "cpu", "four-step", part=part, workers=workers)


def loops(measured: Benches, workers: int, name: str = "group-loops", part: str = "four-step") -> Curve:
    """Return the times of Rao's transform with OpenMP."""
    return measured.curve("median_ms", "cpu", name, part=part, workers=workers)


def most_threads(measured: Benches) -> int:
    """Return the largest number of threads."""
    return max((row.workers or 1 for row in measured.rows("cpu", "four-step", part="four-step")), default=1)


def single(measured: Benches, name: str) -> Curve:
    """Return the times of one line on the CPU, on one thread."""
    return measured.curve("median_ms", "cpu", name, part="single")


def on_gpu(measured: Benches, value: str, name: str = "auto", options: str = "") -> Curve:
    """Return the values of one line by a backend with these options."""
    return measured.curve(value, "single", name, options=options)


def by_threads(measured: Benches, part: str, name: str = "four-step") -> Curve:
    """Return times of a transform on several threads, by number of threads."""
    return measured.curve("median_ms", "cpu", name, x="workers", part=part)


def figure_1(measured: Benches) -> Figure:
    """Draw Rao's transform and the four-step transform."""
    most = most_threads(measured)
    several = f"four-step, {most} threads"
    together = four_step(measured, most) if most > 1 else {}
    curves = {WRITTEN: single(measured, "iterative-dit"), "four-step, 1 thread": four_step(measured, 1)}
    for name in LOOPS:
        curves[f"{name}, {most} threads"] = loops(measured, most, name)
    panel = Lines("Running time", curves | {several: together}, MS, required=(several,))
    return drawn(1, "One line on the CPU", panel)


def figure_2(measured: Benches) -> Figure:
    """Draw the speed-up by threads."""
    most = most_threads(measured)
    gains = ratio(four_step(measured, 1), four_step(measured, most)) if most > 1 else {}
    curves = {f"four-step, {most} threads": gains}
    for name in LOOPS:
        curves[f"{name}, {most} threads"] = ratio(loops(measured, 1, name), loops(measured, most, name))
    return drawn(2, "One line on the CPU", Lines("Speed-up over one thread", curves, "×", log_y=False, level=1.0))


def figure_3(measured: Benches) -> Figure:
    """Draw weak scaling: equal work for each thread."""
    weak = by_threads(measured, "weak")
    times = {
        "four-step": weak,
        **{name: by_threads(measured, "weak", name) for name in LOOPS},
        "ideal": dict.fromkeys(weak, weak[1]) if 1 in weak else {},
    }
    panel = Lines("2^18 elements a thread", times, MS, "threads", log_y=False, dashed=("ideal",))
    return drawn(3, "Weak scaling", panel)


def figure_4(measured: Benches) -> Figure:
    """Draw strong scaling: equal work for all threads together."""
    strong = by_threads(measured, "strong")
    times = {
        "four-step": strong,
        **{name: by_threads(measured, "strong", name) for name in LOOPS},
        "ideal": {n: strong[1] / n for n in strong} if 1 in strong else {},
    }
    return drawn(4, "Strong scaling", Lines("2^20 elements", times, MS, "threads", log_y=False, dashed=("ideal",)))


def both(measured: Benches, names: Sequence[str]) -> dict[str, Curve]:
    """Return times of one line on the CPU, and on the GPU by these backends, with and without transfers."""
    curves = {WRITTEN: single(measured, "iterative-dit"), "scipy": single(measured, "scipy")}
    for name in names:
        curves[f"{name} ({KERNELS})"] = on_gpu(measured, "median_ms", name)
        curves[f"{name} ({WHOLE})"] = on_gpu(measured, "transfers_ms", name)
    return curves


def figure_5(measured: Benches) -> Figure:
    """Draw times on CPU and GPU; `naive` is Rao's transform, with a launch for each stage."""
    required = (WRITTEN, f"auto ({WHOLE})")
    return drawn(5, BOTH, Lines("Running time", both(measured, (NAIVE, "auto")), MS, required=required))


def figure_6(measured: Benches) -> Figure:
    """Draw the speed-up of the GPU over Rao's transform on the CPU."""
    written, *_ = curves = both(measured, (NAIVE, "auto"))
    gains = {name: ratio(curves[written], curve) for name, curve in curves.items() if name != written}
    panel = Lines(f"Speed-up over {written}", gains, "×", level=1.0, required=(f"auto ({WHOLE})",))
    return drawn(6, BOTH, panel)


def with_theirs(measured: Benches) -> dict[str, Curve]:
    """Return these curves and the variant of Davis and Dharma: radix 2, a table for the reversal and one for roots."""
    curves = both(measured, ("auto",))
    for words, value in ((KERNELS, "median_ms"), (WHOLE, "transfers_ms")):
        curves[f"theirs, digit-reversal ({words})"] = on_gpu(measured, value, "digit-reversal", THEIRS)
    return curves


def davis_1(measured: Benches) -> Figure:
    """Draw their first curve."""
    panel = Lines("Running time", with_theirs(measured), MS, required=(WRITTEN, f"auto ({WHOLE})"))
    return Figure("davis-1", f"{DAVIS}, first curve", BOTH, [panel])


def davis_2(measured: Benches) -> Figure:
    """Draw their second curve."""
    each = {name: {n: 1e6 * ms / n for n, ms in curve.items()} for name, curve in with_theirs(measured).items()}
    panel = Lines("Running time by element", each, "ns an element", required=(WRITTEN, f"auto ({WHOLE})"))
    return Figure("davis-2", f"{DAVIS}, second curve", BOTH, [panel])


def drawn(number: int, title: str, panel: Lines) -> Figure:
    """Return a figure of Rao."""
    return Figure(f"rao-{number}", f"{SOURCE}, figure {number}", title, [panel])


FIGURES: tuple[Callable[[Benches], Figure], ...] = (
    *(figure_1, figure_2, figure_3, figure_4, figure_5, figure_6),
    *(davis_1, davis_2),
)
