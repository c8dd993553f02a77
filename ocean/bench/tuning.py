"""Tuning: which backend with which options is fastest on this GPU, for each size and number of layers.

Options are tried one after the other from the defaults on, each value against the best so far in the same rounds. Every
candidate is checked first; one that is wrong, or less accurate than its backend's defaults promise, does not count.
What is faster by no more than chance makes of the same work is not better.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any

import numpy as np

from ocean import fft
from ocean.bench.counted import counted
from ocean.bench.noise import add_twin, noise_of
from ocean.bench.request import Found, Request, Step
from ocean.bench.rows import BenchError, Noise, Row, conventional_flops, timed
from ocean.bench.sea import SIZES as SEA_SIZES
from ocean.bench.sea import MadeSea
from ocean.fft import BACKENDS
from ocean.fft.auto import Auto, TunedPlan, TunedPlans, choice_of
from ocean.fft.comparison import Choice, Comparison, Copy, said
from ocean.fft.contract import FFTError, FFTPlan
from ocean.fft.measure import Candidate, Result, measure
from ocean.fft.storage import FieldLayers
from ocean.gpu.context import is_software, limits
from ocean.gpu.stopwatch import Stopwatch
from ocean.parameters import Parameters, Part
from ocean.tuned import read, save

LAYERS = (2, 6)  # of one cascade and of three
SIZES, SOFTWARE_SIZES = (128, 256, 512, 1024, 2048), (64,)
FINALISTS = 3
GAIN = 0.01  # that another choice has to bring at least, and more where chance makes more
EXCLUDED = ("auto", "numpy")
Chosen = tuple[str, Parameters]
"""A backend, and options of it."""


def steps(request: Request) -> list[Step]:
    """A step a size and number of layers.

    Raises:
        BenchError: when there is nothing to choose from.
    """
    names = [name for name in request.backends or BACKENDS if name not in EXCLUDED]
    if not names:
        raise BenchError(f"tune has nothing to choose from: {' and '.join(EXCLUDED)} do not take part")
    sizes = request.sizes or (SOFTWARE_SIZES if is_software(request.ctx) else SIZES)
    return [partial(tune, request, names, size, layers) for size in sizes for layers in LAYERS]


def tune(request: Request, names: Sequence[str], size: int, layers: int) -> Found:
    """Rank the backends with their defaults, look for better options of the first ones, rank again, and save. What
    `auto` took so far takes part, and stays unless it is beaten."""
    there = TunedPlans(gpu=request.ctx.info["GL_RENDERER"], driver=request.ctx.info["GL_VERSION"])
    plans = read(request.ctx) or there
    standing = taken(request, plans, size, layers)
    noise: list[Noise] = []
    left_out: list[Entry] = []
    defaults = [(name, BACKENDS[name].Options()) for name in names]
    first = ranked(request, size, layers, distinct([standing, *defaults]), noise, left_out)
    tried = [entry for entry in first if entry.choice[0] in names]
    if not tried:
        return Found(notes=[f"nothing to tune for {size} and {layers} layers: of {', '.join(names)} none is able"])
    starts = {entry.choice[0]: entry.choice for entry in reversed(tried)}  # of each backend, the fastest
    best = list(dict.fromkeys(entry.choice[0] for entry in tried))[:FINALISTS]
    gain, rank = margin(noise), partial(ranked, request, size, layers)
    finalists = [search(starts[name], "plain", rank, gain) for name in best]
    again = [choice for choice in defaults if choice[0] in best]
    copy = Result("copy", error_limit=0.0)
    ranking = ranked(request, size, layers, distinct([standing, *finalists, *again]), noise, copy=copy)
    notes = []
    firsts: list[Entry] = []
    if ranking:
        backend, options = winner(ranking, standing, margin(noise))
        plan = TunedPlan(size=size, layers=layers, backend=backend, options=options.model_dump(exclude_defaults=True))
        firsts = first_axes(request, plan, standing_first(request, plans, plan), margin(noise))
        if firsts:
            plan = plan.model_copy(update={"first": firsts[0].choice[1].model_dump(exclude_defaults=True)})
        plans = plans.with_plans([plan])
        path = save(request.ctx, plans)
        verb, why = ("kept", reason(ranking, standing, noise)) if (backend, options) == standing else ("saved", "")
        notes.append(f"{verb} for {size} and {layers} layers: {backend}, in {path}{why}")
        if size == max(plan.size for plan in plans.plans):
            changes = ", ".join(f"{backend} from {first}" for first, backend in plans.crossovers(layers))
            notes.append(f"fastest with {layers} layers: {changes}")
    clock, speed = request.trial.clock, copy.gb_per_s
    copied = Entry(("copy", Parameters()), copy, {"kind": "copy"})
    rows = [row(size, layers, clock, entry, speed) for entry in (*ranking, copied)]
    rows += [row(size, layers, clock, entry, part="maps") for entry in firsts]
    rows += [
        row(size, layers, clock, entry) for entry in (*(one for one in tried if one.choice[0] not in best), *left_out)
    ]
    return Found(rows, noise, notes=notes)


def taken(request: Request, plans: TunedPlans, size: int, layers: int) -> Chosen:
    """What `auto` takes by these plans, or by itself."""
    saved = plans.find(size, layers)
    with suppress(FFTError):  # a plan of another size may not do for this one
        if saved:
            return saved.backend, choice_of(request.ctx, saved, size)[1]
    backend, options = Auto.built_in(limits(request.ctx), size)
    return next(name for name, one in BACKENDS.items() if one is backend), options


def distinct(choices: Sequence[Chosen]) -> list[Chosen]:
    """Each once."""
    return list({(name, options.model_dump_json()): (name, options) for name, options in choices}.values())


@dataclass(frozen=True)
class Entry:
    """A place of a ranking, or one that has none: it does not run, or is wrong."""

    choice: Chosen
    result: Result
    counts: dict[str, Any]


def margin(noise: Sequence[Noise]) -> float:
    """What a choice has to gain over another, as a share: more than chance makes of the same work."""
    return max(GAIN, *(one.difference for one in noise))


def winner(ranking: Sequence[Entry], standing: Chosen, gain: float) -> Chosen:
    """The fastest where it gains more than that share over the standing choice, or that one is not there; otherwise
    that one."""
    before = next((entry.result.gpu_ms for entry in ranking if entry.choice == standing), inf)
    return ranking[0].choice if ranking[0].result.gpu_ms < before * (1 - gain) else standing


def reason(ranking: Sequence[Entry], standing: Chosen, noise: Sequence[Noise]) -> str:
    """Why the standing choice stays though another was faster."""
    fastest = ranking[0]
    if fastest.choice == standing:
        return ""
    before = next(entry.result.gpu_ms for entry in ranking if entry.choice == standing)
    label = " ".join(part for part in (fastest.result.name, fastest.counts["options"]) if part)
    gained = 1 - fastest.result.gpu_ms / before
    return f": {label} gains {gained:.1%}, and {margin(noise):.1%} is what chance may make of the same work"


def ranked(
    request: Request,
    size: int,
    layers: int,
    choices: Sequence[Chosen],
    noise: list[Noise] | None = None,
    left_out: list[Entry] | None = None,
    copy: Result | None = None,
) -> list[Entry]:
    """Those that run and are right, the fastest first, and the others into `left_out`; with `noise`, one takes part
    twice, and says so there; with `copy`, a copy of the same data does too."""
    rng = np.random.default_rng(request.seed)
    data = rng.standard_normal((2 * layers, size, size, 2), np.float32).view(np.complex64)[..., 0]
    storage = FieldLayers(request.ctx, size, layers)
    backends: list[Choice] = list(choices)
    clock, rounds = request.trial.clock, request.rounds
    comparison = Comparison(storage, lambda: storage.write(data), backends=backends, clock=clock, rounds=rounds)
    try:
        if copy is not None:
            comparison.add(copy, FFTPlan((Copy(storage),)), lambda: comparison.input)
        twins = add_twin(comparison.candidates, choices[0][0], comparison.twin_of) if noise is not None else []
        results = comparison.run()
        if noise is not None:
            noise += noise_of("tune", size, twins)
        entries = [
            Entry(choice, result, facts(comparison, result)) for choice, result in zip(choices, results, strict=True)
        ]
    finally:
        comparison.release()
    if left_out is not None:
        left_out += [entry for entry in entries if not is_good(entry.result, size)]
    good = (entry for entry in entries if is_good(entry.result, size))
    return sorted(good, key=lambda entry: entry.result.gpu_ms)


def facts(comparison: Comparison, result: Result) -> dict[str, Any]:
    """What its row says of it beside the times."""
    counts = counted(comparison.plan_of(result)) if result.obstacle is None else {}
    return counts | {"options": comparison.options_of(result)}


def is_good(result: Result, size: int) -> bool:
    """Whether it ran, and is as right as the backend's defaults promise."""
    backend = BACKENDS[result.name]
    limit = backend.error_limit(size, backend.Options())
    return result.obstacle is None and result.is_right and result.relative_error <= limit


def search(start: Chosen, part: Part, rank: Callable[[Sequence[Chosen]], list[Entry]], gain: float) -> Chosen:
    """The best options of a backend, from these on: one option after the other, where that gains more than `gain`."""
    name, best = start
    for option, values in best.tunable(part).items():
        others = [best.model_copy(update={option: value}) for value in values if value != getattr(best, option)]
        entries = rank([(name, best), *((name, other) for other in others)])
        if entries:
            best = winner(entries, (name, best), gain)[1]
    return name, best


def standing_first(request: Request, plans: TunedPlans, plan: TunedPlan) -> Chosen:
    """What the first axis of the plan's backend is fused with so far: as saved, or its defaults."""
    saved = plans.find(plan.size, plan.layers)
    with suppress(FFTError):
        if saved and saved.backend == plan.backend:
            return plan.backend, choice_of(request.ctx, saved, plan.size)[2]
    return plan.backend, BACKENDS[plan.backend].Options()


def first_axes(request: Request, plan: TunedPlan, standing: Chosen, gain: float) -> list[Entry]:
    """A plan's way to the maps of a sea with other options of the first axis, which makes its waves as it loads: what
    was found to be best, and what stood before. Nothing where the backend's kernels take no includes."""
    if plan.size not in SEA_SIZES:
        return []
    made = MadeSea(request.ctx, plan.size, plan.layers // 2, request.seed)
    try:
        rank = partial(ranked_firsts, request, made, plan)
        if not rank([standing]):
            return []
        best = search(standing, "first", rank, gain)
        entries = rank(distinct([standing, best]))
        chosen = winner(entries, standing, gain)
        return sorted(entries, key=lambda entry: entry.choice != chosen)
    finally:
        made.release()


def ranked_firsts(request: Request, made: MadeSea, plan: TunedPlan, choices: Sequence[Chosen]) -> list[Entry]:
    """Those first axes that run and are right, the fastest first."""
    layers, timer = made.sea.layers, Stopwatch(request.ctx, request.trial.clock)
    source = made.sea.textures.source(made.sea.bind)
    entries: list[Entry] = []
    candidates: list[Candidate] = []
    try:
        for name, first in choices:
            with suppress(FFTError):  # what this GPU can't run
                if fused := fft.fuse(name, layers, source, plan.options, first=first):
                    candidate = made.candidate(name, fused, fused.passes(), layers, timer)
                    candidates.append(candidate)
                    facts = counted(fused) | {"options": said(first)}
                    entries.append(Entry((name, first), candidate.result, facts))
        for _ in measure(candidates, request.rounds):
            pass
    finally:
        made.forget()
        timer.release()
    return sorted((one for one in entries if one.result.is_right), key=lambda entry: entry.result.gpu_ms)


def row(size: int, layers: int, clock: str, entry: Entry, copy_speed: float = 0.0, part: str = "transform") -> Row:
    """A place of the ranking, or what has none; beside a copy in the same rounds, in GB/s, if there was one."""
    result, values = entry.result, dict[str, Any]()
    if result.gpu_ms:
        values["clock"] = clock
        values["copy_share"] = result.gb_per_s / copy_speed if copy_speed else None
        if entry.counts.get("kind") != "copy":
            values["gflops"] = conventional_flops(size**2, 2 * layers) / (result.gpu_ms * 1e6)
        values |= {"dispatches": result.dispatches, "bytes": result.bytes_moved, "gb_per_s": result.gb_per_s}
    return Row(
        workload="tune",
        part=part,
        name=result.name,
        size=size,
        batch=2 * layers,
        layers=layers,
        storage="RGBA32F",
        **entry.counts | timed(result) | values,
    )
