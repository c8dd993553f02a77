"""Tuning: the fastest backend and options on this GPU, for each size and number of layers.

Options are tried one after another from the defaults on, each value beside the best so far in the same rounds. Every
candidate is checked first. A candidate that is wrong, or less accurate than its backend's defaults promise, does not
count. A gain below the noise does not count either.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import moderngl

from ocean import fft
from ocean.bench.cases import Case, batches, counted, facts, powers
from ocean.bench.contest import SEA_SIZES, Found, MadeSea, Request, Task, add_twin, noise_of, row_of
from ocean.bench.rows import BenchError, Noise
from ocean.common.parameters import Parameters, TunedPart
from ocean.fft import BACKENDS, auto
from ocean.fft.backends import name_of
from ocean.fft.comparison import options_text
from ocean.fft.measure import Candidate, Measurement, Reached, difference, measure
from ocean.fft.options import FFTError
from ocean.gpu.context import is_software
from ocean.gpu.timing import Stopwatch

GAIN = 0.01  # smallest fraction that another choice must gain
LENGTHS, SOFTWARE_LENGTHS = powers(8, 22, 2), powers(8, 12, 2)
SLOW_LINES = ("dft", "naive")  # too slow for batches of long lines
LAYERS = (2, 6)  # layers of one cascade and of three
SIZES, SOFTWARE_SIZES = (128, 256, 512, 1024, 2048), (64,)
FINALISTS = 3
EXCLUDED = ("auto", "numpy")
PARTS: tuple[TunedPart, ...] = ("plain", "first")  # options of the second axis, and of the first axis of a fused pair


class Chosen(NamedTuple):
    """A backend and its options. For fused axes, `options` belong to the second axis and `first` to the first axis."""

    backend: str
    options: Parameters
    first: Parameters | None = None


class Entry(NamedTuple):
    """A position in a ranking, also for a choice that does not run or is wrong."""

    choice: Chosen
    result: Measurement
    counts: dict[str, Any]


@dataclass
class Ranking:
    """Measured choices, and the noise of their times if one of them took part twice."""

    entries: list[Entry]  # those that run and are right, the fastest first
    left_out: list[Entry] = field(default_factory=list)
    noise: list[Noise] = field(default_factory=list)
    copy: Measurement | None = None  # of the same data

    @property
    def margin(self) -> float:
        """The fraction that a choice must gain over another: more than the noise."""
        return max([GAIN, *(one.difference for one in self.noise)])


def steps(request: Request) -> list[Task]:
    names = candidates(request, EXCLUDED)
    sizes = request.sizes or (SOFTWARE_SIZES if is_software(request.ctx) else SIZES)
    for size in sizes:
        request.refuse_unable(size, [size], [(name, None) for name in names])
    cases = (image_of(size, layers) for size in sizes for layers in LAYERS)
    return [partial(tune, request, names, replace(case, seed=request.seed)) for case in cases]


def line_steps(request: Request) -> list[Task]:
    names = candidates(request, (*EXCLUDED, *SLOW_LINES))
    sizes = request.sizes or (SOFTWARE_LENGTHS if is_software(request.ctx) else LENGTHS)
    cases = batches("tune-lines", request.ctx, sizes)
    return [partial(tune, request, names, replace(case, seed=request.seed)) for case in cases]


def candidates(request: Request, excluded: Sequence[str]) -> list[str]:
    """Return the backends to choose from: the requested ones, or all, without the excluded ones."""
    if names := [name for name in request.backends or BACKENDS if name not in excluded]:
        return names
    raise BenchError(
        f"--backends = {','.join(request.backends)!r} leaves nothing to tune, because"
        f" {', '.join(excluded)} can't be tuned; name another one, such as --backends stockham-registers"
    )


def image_of(size: int, layers: int) -> Case:
    return Case("tune", size, 2, 2 * layers, "RGBA32F", inverse=True)


def tune(request: Request, names: Sequence[str], case: Case) -> Found:
    """Rank the backends with their defaults, search better options for the first ones, rank again, do so for fused
    axes of a sea, and save the best. The current choice of `auto` takes part, and stays unless it is beaten."""
    there = auto.TunedPlans(gpu=request.ctx.info["GL_RENDERER"], driver=request.ctx.info["GL_VERSION"])
    known = auto.tuned_plans(request.ctx) or there  # empty with --no-cache
    size, is_line = case.size, case.dimensions == 1
    layers = 1 if is_line else case.batch // 2
    what = f"for lines of {size}" if is_line else f"for {size} and {layers} layers"
    saved = auto.between(known.lines, size, 1) if is_line else known.find(size, layers)
    backend, options, _ = auto.resolved(request.ctx, saved, size)
    standing = Chosen(name_of(backend), options)
    defaults = [Chosen(name, BACKENDS[name].Options()) for name in names]
    first = ranked(request, case, distinct([standing, *defaults]), whole=True)
    tried = [entry for entry in first.entries if entry.choice.backend in names]
    if not tried:
        return Found(notes=[f"nothing to tune {what}: none of {', '.join(names)} can run"])
    starts = {entry.choice.backend: entry.choice for entry in reversed(tried)}  # the fastest of each backend
    best = list(dict.fromkeys(entry.choice.backend for entry in tried))[:FINALISTS]

    def rank(choices: Sequence[Chosen]) -> list[Entry]:
        return ranked(request, case, choices).entries

    finalists = [search(request, starts[name], "plain", rank, first.margin) for name in best]
    again = [choice for choice in defaults if choice.backend in best]
    ranking = ranked(request, case, distinct([standing, *finalists, *again]), whole=True)
    ranking.noise = [*first.noise, *ranking.noise]
    notes = []
    pairs: list[Entry] = []
    if ranking.entries:
        chosen = winner(ranking.entries, standing, ranking.margin)
        backend, *both = auto.resolved(request.ctx, saved and saved.fused, size)
        pair = Chosen(name_of(backend), *both)
        pairs = [] if is_line else fused_pairs(request, size, layers, chosen, pair, ranking.margin)
        won = winner(pairs, pair, ranking.margin) if pairs else None
        plan = plan_of(size, layers, chosen, won)
        before = auto.read(request.ctx) or there
        plans = before.with_plans(lines=[plan]) if is_line else before.with_plans([plan])
        path = auto.save(request.ctx, plans)
        notes.append(note(what, ranking.entries, standing, ranking.margin) + f", in {path.name}")
        if pairs:
            notes.append(note(f"from amplitudes to maps {what}", pairs, pair, ranking.margin))
        alike = plans.lines if is_line else plans.plans
        if size == max(plan.size for plan in alike):
            changes = ", ".join(f"{backend} from {least}" for least, backend in auto.crossovers(alike, layers))
            notes.append(f"fastest {'for lines' if is_line else f'with {layers} layers'}: {changes}")
    if request.is_over:
        notes.append(f"{what} the time was up before all options had been tried.")
    copied = [Entry(Chosen("copy", Parameters()), ranking.copy, {"kind": "copy"})] if ranking.copy else []
    others = [one for one in tried if one.choice.backend not in best]
    clock, rows = request.trial.clock, []
    for part, entries in {"transform": [*ranking.entries, *copied, *others, *first.left_out], "maps": pairs}.items():
        rows += [row_of(case, clock, one.result, part=part, layers=layers, **one.counts) for one in entries]
    return Found(rows, ranking.noise, notes=notes)


def take(ctx: moderngl.Context, size: int, layers: int, chosen: Chosen, pair: Chosen | None) -> Path:
    """Let `auto` take a choice for images, and a pair for fused axes, now and at the next start. Without a pair the
    saved one stays. Return the file that says so."""
    known = auto.read(ctx) or auto.TunedPlans(gpu=ctx.info["GL_RENDERER"], driver=ctx.info["GL_VERSION"])
    same = (plan for plan in known.plans if (plan.size, plan.layers) == (size, layers))
    plan = plan_of(size, layers, chosen, pair)
    plan = plan.model_copy(update={"fused": plan.fused or next((one.fused for one in same), None)})
    plans = known.with_plans([plan])
    auto.use_tuned(ctx, plans)
    return auto.save(ctx, plans)


def plan_of(size: int, layers: int, chosen: Chosen, pair: Chosen | None) -> auto.TunedPlan:
    """Return the plan to save: the best choice for transforms alone, and the best pair of fused axes."""

    def values(options: Parameters | None) -> dict[str, Any]:
        return options.model_dump(exclude_defaults=True) if options else {}

    fused = pair and auto.TunedPair(backend=pair.backend, options=values(pair.options), first=values(pair.first))
    return auto.TunedPlan(size=size, layers=layers, backend=chosen.backend, options=values(chosen.options), fused=fused)


def search(
    request: Request, start: Chosen, part: TunedPart, rank: Callable[[Sequence[Chosen]], list[Entry]], gain: float
) -> Chosen:
    """Return the best options of a backend, or of a first axis: from `start`, take each option that gains enough."""
    best, axis = start, "first" if part == "first" else "options"
    for option, values in getattr(start, axis).tunable(part).items():
        if request.is_over:
            break
        held = getattr(best, axis)
        others = (held.model_copy(update={option: value}) for value in values if value != getattr(held, option))
        if entries := rank([best, *(best._replace(**{axis: other}) for other in others)]):
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
    starts = [standing, alone._replace(first=default), Chosen(alone.backend, default, default)]
    try:
        if not (entries := rank(distinct(starts))):
            return []
        best = winner(entries, standing, gain)
        for part in PARTS:
            best = search(request, best, part, rank, gain)
        return rank(distinct([standing, best]))
    finally:
        made.release()


def ranked(request: Request, case: Case, choices: Sequence[Chosen], whole: bool = False) -> Ranking:
    """Measure choices. If `whole`, a copy of the same data takes part, and the first choice twice, for the noise."""
    comparison = request.comparison(case, [(one.backend, one.options) for one in choices])
    ranking = Ranking([])
    try:
        twins = []
        if whole:
            ranking.copy = comparison.add_copy()
            twins = add_twin(comparison.candidates, choices[0].backend, comparison.duplicate_of)
        for choice, result in zip(choices, comparison.run(), strict=True):
            backend = BACKENDS[choice.backend]
            limit = backend.error_limit(case.size, backend.Options())
            is_good = result.obstacle is None and result.is_right and result.relative_l2 <= limit
            entry = Entry(choice, result, facts(comparison, result))
            (ranking.entries if is_good else ranking.left_out).append(entry)
        ranking.noise = noise_of(case.workload, case.size, twins)
    finally:
        comparison.release()
    ranking.entries.sort(key=lambda entry: entry.result.median_ms)
    return ranking


def default_pairs(
    request: Request, size: int, layers: int, options: Mapping[str, Parameters], entries: list[Entry]
) -> Generator[Reached]:
    """Measure each backend, with its options for both axes, as a fused pair; see `pair_rounds`."""
    if size not in SEA_SIZES:
        return
    chosen = {name: options.get(name) or BACKENDS[name].Options() for name in BACKENDS if name not in EXCLUDED}
    made = MadeSea(request.ctx, size, layers // 2, request.seed)
    try:
        yield from pair_rounds(request, made, [Chosen(name, one, one) for name, one in chosen.items()], entries)
    finally:
        made.release()


def ranked_pairs(request: Request, made: MadeSea, choices: Sequence[Chosen]) -> list[Entry]:
    """Return the pairs that run and are right, the fastest first."""
    entries: list[Entry] = []
    deque(pair_rounds(request, made, choices, entries), maxlen=0)
    return entries


def pair_rounds(request: Request, made: MadeSea, choices: Sequence[Chosen], entries: list[Entry]) -> Generator[Reached]:
    """Measure pairs, and yield as `measure` does; at the end add those that run and are right to `entries`, the fastest
    first."""
    layers, timer = made.sea.storage, Stopwatch(request.ctx, request.trial.clock)
    source = made.sea.source()
    tried: list[Entry] = []
    competing: list[Candidate] = []
    with ExitStack() as owned:
        owned.callback(timer.release)
        for one in choices:
            with suppress(FFTError):  # this GPU can't run it
                if fused := fft.fuse(one.backend, layers, source, one.options, first=one.first):
                    owned.callback(fused.release)
                    competing.append(made.candidate(one.backend, fused.passes(), layers, timer))
                    first = options_text(one.first) if one.first else ""
                    words = [options_text(one.options), f"first axis: {first}" if first else ""]
                    counts = counted(fused) | {"options": "; ".join(filter(None, words))}
                    tried.append(Entry(one, competing[-1].result, counts))
        yield from measure(competing, request.rounds)
    entries += sorted((one for one in tried if one.result.is_right), key=lambda entry: entry.result.median_ms)


def winner(entries: Sequence[Entry], standing: Chosen, gain: float) -> Chosen:
    """Return the standing choice, or the fastest if it saves more than the fraction `gain` of the standing time and
    more than the drift of both."""
    return entries[0].choice if gained(entries, standing) > least_gain(entries, standing, gain) else standing


def least_gain(entries: Sequence[Entry], standing: Chosen, gain: float) -> float:
    """Return the fraction that must be saved: `gain`, or the drift of the fastest or of the standing choice."""
    both = (entry.result.samples_ms for entry in entries if entry is entries[0] or entry.choice == standing)
    return max([gain, *(difference(samples, samples) for samples in both if len(samples) > 1)])


def gained(entries: Sequence[Entry], standing: Chosen) -> float:
    """Return the fraction of the standing choice's time that the fastest saves, or 1 without a standing choice."""
    before = next((entry.result.median_ms for entry in entries if entry.choice == standing), inf)
    return 1 - entries[0].result.median_ms / before


def note(what: str, entries: Sequence[Entry], standing: Chosen, gain: float) -> str:
    """Return a note on the saved choice, or the reason why the standing choice stays."""
    if (chosen := winner(entries, standing, gain)) != standing:
        return f"saved {what}: {chosen.backend}"
    kept = f"kept {what}: {standing.backend}"
    if entries[0].choice == standing:
        return kept
    label = " ".join(part for part in (entries[0].result.name, entries[0].counts["options"]) if part)
    saves = f"{label} gains {gained(entries, standing):.1%}"
    return f"{kept} ({saves}; chance alone may gain {least_gain(entries, standing, gain):.1%})"


def distinct(choices: Iterable[Chosen]) -> list[Chosen]:
    return list(dict.fromkeys(choices))
