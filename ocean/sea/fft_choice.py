"""The FFT options of a first start: a few candidates, timed in a sea on this GPU and kept for `auto`."""

from collections.abc import Sequence
from contextlib import ExitStack
from time import perf_counter
from typing import Any

import moderngl

from ocean import fft
from ocean.fft.auto import TunedPair, TunedPlan, keep, tuned_plans
from ocean.fft.contract import FFTPlan
from ocean.gpu.context import is_software, release_all
from ocean.gpu.stopwatch import Stopwatch
from ocean.sea.sea import Sea
from ocean.settings import Settings

BACKEND = "stockham-registers"
CANDIDATES: tuple[dict[str, Any], ...] = (
    {},  # the table's, by size and registers
    *({"radix": radix, "exchange": "vec2", "sharing": "apart"} for radix in (8, 4)),
)
"""Options of both axes. Where the work group of one does not fit, others take the number of lines that does."""
RUNS, LEAST_SAMPLES, PATIENCE = 8, 4, 0.3  # runs in a row; samples of each candidate; s
GAIN = 0.03  # smallest fraction of the table's time that another candidate must save


def keep_fastest(ctx: moderngl.Context, settings: Settings) -> list[float]:
    """Time the fused transform of a sea with each of CANDIDATES [ms], and keep the fastest for `auto`.

    Nothing is timed on a software renderer, with another backend than `auto`, or at a size with a tuned plan.
    """
    size, known = settings.fft.size, tuned_plans(ctx)
    is_known = known is not None and any(plan.size == size for plan in known.plans)
    if is_known or is_software(ctx) or settings.fft.backend != fft.DEFAULT_BACKEND or not settings.fft.fused:
        return []
    with ExitStack() as made:
        sea = Sea(ctx, settings)
        made.callback(sea.release)
        sea.update(0.0)
        plans = [fft.fuse(BACKEND, sea.storage, sea.source, options) for options in CANDIDATES]
        made.callback(release_all, *plans)
        times = shortest(ctx, [plan for plan in plans if plan])
        layers = sea.storage.layers
    best = min(range(len(times)), key=times.__getitem__)
    chosen = CANDIDATES[best if times[best] < (1 - GAIN) * times[0] else 0]
    pair = TunedPair(backend=BACKEND, options=chosen, first=chosen)
    keep(ctx, TunedPlan(size=size, layers=layers, backend=BACKEND, fused=pair))
    return times


def shortest(ctx: moderngl.Context, plans: Sequence[FFTPlan]) -> list[float]:
    """Return the shortest time [ms] of each plan over PATIENCE. Plans take turns while the GPU raises its clock."""
    stopwatch, samples, end = Stopwatch(ctx), list[list[float]](), perf_counter() + PATIENCE
    while len(samples) < LEAST_SAMPLES or perf_counter() < end:
        samples.append([stopwatch.time(plan.inverse, RUNS)[0] for plan in plans])
    stopwatch.release()
    return [min(times) for times in zip(*samples[1:], strict=True)]  # the first ones compile
