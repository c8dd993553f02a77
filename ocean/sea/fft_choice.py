"""The FFT options of a first start: a few candidates, timed in a sea on this GPU and kept for `auto`."""

from contextlib import ExitStack
from typing import Any

import moderngl

from ocean import fft
from ocean.fft.auto import TunedPair, TunedPlan, keep, tuned_plans
from ocean.gpu.context import is_software, release_all
from ocean.gpu.timing import Stopwatch, medians
from ocean.sea.sea import Sea
from ocean.settings import Settings

BACKEND = "stockham-registers"
LIGHT: dict[str, Any] = {"exchange": "vec2", "sharing": "apart"}
CANDIDATES: tuple[dict[str, Any], ...] = ({}, {"radix": 8, **LIGHT}, {"radix": 4, **LIGHT})
"""Options of both axes: those of the table, by size and registers, and two radices with as many lines as fit."""
GAIN, RUNS = 0.03, 8  # smallest fraction of the table's time that another candidate must save; runs in a row


def keep_fastest(ctx: moderngl.Context, settings: Settings) -> list[float]:
    """Time the fused transform of a sea with each of CANDIDATES [ms], and keep the fastest for `auto`. Nothing is timed
    on a software renderer, with another backend than `auto`, or at a size with a tuned plan."""
    size, known = settings.fft.size, tuned_plans(ctx)
    is_auto = settings.fft.backend == fft.DEFAULT_BACKEND and settings.fft.fused
    if is_software(ctx) or not is_auto or (known and any(plan.size == size for plan in known.plans)):
        return []
    with ExitStack() as made:
        sea, stopwatch = Sea(ctx, settings), Stopwatch(ctx)
        made.callback(release_all, sea, stopwatch)
        sea.update(0.0)
        plans = [fft.fuse(BACKEND, sea.storage, sea.source(), options) for options in CANDIDATES]
        made.callback(release_all, *plans)
        runs = [plan.inverse for plan in plans if plan]
        times = medians(*(lambda run=run: stopwatch.time(run, RUNS)[0] for run in runs))  # turns: equal clocks for all
        best = min(range(len(times)), key=times.__getitem__)
        chosen = CANDIDATES[best if times[best] < (1 - GAIN) * times[0] else 0]
        pair = TunedPair(backend=BACKEND, options=chosen, first=chosen)
        keep(ctx, TunedPlan(size=size, layers=sea.storage.layers, backend=BACKEND, fused=pair))
    return times
