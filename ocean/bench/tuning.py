"""Tuning: the fastest backend and options on this GPU, for each size and number of layers.

Options are tried one after another from the defaults on, each value beside the best so far in the same rounds. Every
candidate is checked first. A candidate that is wrong, or less accurate than its backend's defaults promise, does not
count. A gain below the noise does not count either.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from ocean.bench.cases import Case, batches, powers
from ocean.bench.contest import row_of
from ocean.bench.ranking import Chosen, Entry, distinct, margin, note, ranked, ranked_pairs, winner
from ocean.bench.request import Found, Request, Task
from ocean.bench.rows import BenchError, Noise
from ocean.bench.sea_passes import SIZES as SEA_SIZES
from ocean.bench.sea_passes import MadeSea
from ocean.common.parameters import Parameters, TunedPart
from ocean.fft import BACKENDS
from ocean.fft.auto import TunedPair, TunedPlan, TunedPlans, built_in, crossovers, tuned_plans
from ocean.fft.backends import AUTO, name_of
from ocean.fft.contract import FFTError
from ocean.fft.measure import Measurement
from ocean.fft.tuned import read, save
from ocean.gpu.context import is_software, limits

LENGTHS, SOFTWARE_LENGTHS = powers(8, 22, 2), powers(8, 12, 2)
SLOW_LINES = ("dft", "naive")  # too slow for batches of long lines
LAYERS = (2, 6)  # layers of one cascade and of three
SIZES, SOFTWARE_SIZES = (128, 256, 512, 1024, 2048), (64,)
FINALISTS = 3
EXCLUDED = ("auto", "numpy")
PARTS: tuple[TunedPart, ...] = ("plain", "first")  # options of the second axis, and of the first axis of a fused pair


def steps(request: Request) -> list[Task]:
    """Return a step for each size and number of layers.

    Raises:
        BenchError: when there is nothing to choose from.
    """
    names = candidates(request, EXCLUDED)
    sizes = request.sizes or (SOFTWARE_SIZES if is_software(request.ctx) else SIZES)
    for size in sizes:
        request.refuse_unable(size, [size], [(name, None) for name in names])
    cases = (image_of(size, layers) for size in sizes for layers in LAYERS)
    return [partial(tune, request, names, replace(case, seed=request.seed)) for case in cases]


def line_steps(request: Request) -> list[Task]:
    """Return a step for each length of lines in a buffer.

    Raises:
        BenchError: when there is nothing to choose from.
    """
    names = candidates(request, (*EXCLUDED, *SLOW_LINES))
    sizes = request.sizes or (SOFTWARE_LENGTHS if is_software(request.ctx) else LENGTHS)
    cases = batches("tune-lines", request.ctx, sizes)
    return [partial(tune, request, names, replace(case, seed=request.seed)) for case in cases]


def candidates(request: Request, excluded: Sequence[str]) -> list[str]:
    """Return the backends to choose from: the requested ones, or all, without the excluded ones.

    Raises:
        BenchError: when none is left.
    """
    if names := [name for name in request.backends or BACKENDS if name not in excluded]:
        return names
    raise BenchError(
        f"--backends = {','.join(request.backends)!r} leaves nothing to tune, because"
        f" {', '.join(excluded)} can't be tuned; name another one, such as --backends stockham-registers"
    )


def image_of(size: int, layers: int) -> Case:
    """Return the transforms that tune images: two complex images per layer."""
    return Case("tune", size, 2, 2 * layers, "RGBA32F", inverse=True)


def tune(request: Request, names: Sequence[str], case: Case) -> Found:
    """Rank the backends with their defaults, search better options for the first ones, rank again, do so for fused
    axes of a sea, and save the best. The current choice of `auto` takes part, and stays unless it is beaten."""
    there = TunedPlans(gpu=request.ctx.info["GL_RENDERER"], driver=request.ctx.info["GL_VERSION"])
    known = tuned_plans(request.ctx) or there  # empty with --no-cache
    size, is_line = case.size, case.dimensions == 1
    layers = 1 if is_line else case.batch // 2
    what = f"for lines of {size}" if is_line else f"for {size} and {layers} layers"
    standing = taken(request, known.line(size) if is_line else known.find(size, layers), size)
    noise: list[Noise] = []
    left_out: list[Entry] = []
    defaults = [Chosen(name, BACKENDS[name].Options()) for name in names]
    first = ranked(request, case, distinct([standing, *defaults]), noise, left_out)
    tried = [entry for entry in first if entry.choice.backend in names]
    if not tried:
        return Found(notes=[f"nothing to tune {what}: of {', '.join(names)} none is able"])
    starts = {entry.choice.backend: entry.choice for entry in reversed(tried)}  # the fastest of each backend
    best = list(dict.fromkeys(entry.choice.backend for entry in tried))[:FINALISTS]
    rank = partial(ranked, request, case)
    finalists = [search(request, starts[name], "plain", rank, margin(noise)) for name in best]
    again = [choice for choice in defaults if choice.backend in best]
    copy = Measurement("copy", error_limit=0.0)
    ranking = ranked(request, case, distinct([standing, *finalists, *again]), noise, copy=copy)
    notes = []
    pairs: list[Entry] = []
    if ranking:
        gain = margin(noise)
        chosen, pair = winner(ranking, standing, gain), standing_pair(request, known, size, layers)
        pairs = [] if is_line else fused_pairs(request, size, layers, chosen, pair, gain)
        won = winner(pairs, pair, gain) if pairs else None
        plan = plan_of(size, layers, chosen, won)
        before = read(request.ctx) or there
        plans = before.with_plans(lines=[plan]) if is_line else before.with_plans([plan])
        path = save(request.ctx, plans)
        notes.append(note(what, ranking, standing, noise) + f", in {path.name}")
        if pairs:
            notes.append(note(f"from amplitudes to maps {what}", pairs, pair, noise))
        alike = plans.lines if is_line else plans.plans
        if size == max(plan.size for plan in alike):
            changes = ", ".join(f"{backend} from {first}" for first, backend in crossovers(alike, layers))
            notes.append(f"fastest {'for lines' if is_line else f'with {layers} layers'}: {changes}")
    if request.is_over:
        notes.append(f"{what} the time was up before all options had been tried.")
    clock = request.trial.clock
    copied = Entry(Chosen("copy", Parameters()), copy, {"kind": "copy"})
    others = [one for one in tried if one.choice.backend not in best]
    parts = {"transform": (*ranking, copied, *others, *left_out), "maps": pairs}
    rows = [
        row_of(case, clock, entry.result, part=part, layers=layers, **entry.counts)
        for part, entries in parts.items()
        for entry in entries
    ]
    return Found(rows, noise, notes=notes)


def plan_of(size: int, layers: int, chosen: Chosen, pair: Chosen | None) -> TunedPlan:
    """Return the plan to save: the best choice for transforms alone, and the best pair of fused axes."""

    def values(options: Parameters | None) -> dict[str, Any]:
        return options.model_dump(exclude_defaults=True) if options else {}

    fused = TunedPair(backend=pair.backend, options=values(pair.options), first=values(pair.first)) if pair else None
    return TunedPlan(size=size, layers=layers, backend=chosen.backend, options=values(chosen.options), fused=fused)


def taken(request: Request, saved: TunedPlan | None, size: int) -> Chosen:
    """Return the choice of `auto` with this plan, or with its own rules."""
    with suppress(FFTError):  # a plan of another size may not run this one
        if saved:
            return Chosen(saved.backend, AUTO.tuned_choice(request.ctx, saved, size)[1])
    backend, options = built_in(limits(request.ctx), size)
    return Chosen(name_of(backend), options)


def standing_pair(request: Request, plans: TunedPlans, size: int, layers: int) -> Chosen:
    """Return the choice of `auto` for fused axes."""
    saved = plans.find(size, layers)
    with suppress(FFTError):
        if saved and saved.fused:
            return Chosen(saved.fused.backend, *AUTO.tuned_pair(request.ctx, saved.fused, size)[1:])
    backend, options = built_in(limits(request.ctx), size)
    return Chosen(name_of(backend), options, options)


def search(
    request: Request, start: Chosen, part: TunedPart, rank: Callable[[Sequence[Chosen]], list[Entry]], gain: float
) -> Chosen:
    """Return the best options of a backend, or of a first axis, starting from these: take each option that gains
    more than `gain`, until the time is up."""
    best, axis = start, "first" if part == "first" else "options"
    for option, values in getattr(start, axis).tunable(part).items():
        if request.is_over:
            break
        held = getattr(best, axis)
        others = (held.model_copy(update={option: value}) for value in values if value != getattr(held, option))
        if entries := rank([best, *(replace(best, **{axis: other}) for other in others)]):
            best = winner(entries, best, gain)
    return best


def fused_pairs(request: Request, size: int, layers: int, alone: Chosen, standing: Chosen, gain: float) -> list[Entry]:
    """Return pairs of fused axes for a sea, the fastest first: the standing pair, and pairs found from it or from the
    best transforms alone. Return an empty list if no kernel supports fusion."""
    if size not in SEA_SIZES:
        return []
    made = MadeSea(request.ctx, size, layers // 2, request.seed)
    rank = partial(ranked_pairs, request, made)
    default = BACKENDS[alone.backend].Options()
    starts = [standing, replace(alone, first=default), Chosen(alone.backend, default, default)]
    try:
        if not (entries := rank(distinct(starts))):
            return []
        best = winner(entries, standing, gain)
        for part in PARTS:
            best = search(request, best, part, rank, gain)
        return rank(distinct([standing, best]))
    finally:
        made.release()
