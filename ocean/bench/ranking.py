"""Rankings of backends and their options: checked, timed in turn, and compared beyond the noise."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Any

from ocean import fft
from ocean.bench.cases import Case
from ocean.bench.counted import counted, facts
from ocean.bench.noise import add_twin, noise_of
from ocean.bench.request import Request
from ocean.bench.rows import Noise
from ocean.bench.sea_passes import MadeSea
from ocean.common.parameters import Parameters
from ocean.fft import BACKENDS
from ocean.fft.comparison import Choice, Comparison, CopyKernel, options_text
from ocean.fft.contract import FFTError, FFTPlan
from ocean.fft.measure import Candidate, Measurement, measure
from ocean.gpu.stopwatch import Stopwatch

GAIN = 0.01  # smallest share that another choice must gain


@dataclass(frozen=True)
class Chosen:
    """A backend and its options. For fused axes, `options` belong to the second axis and `first` to the first
    axis."""

    backend: str
    options: Parameters
    first: Parameters | None = None


def distinct(choices: Iterable[Chosen]) -> list[Chosen]:
    return list(dict.fromkeys(choices))


@dataclass(frozen=True)
class Entry:
    """A place in a ranking, also for a choice that does not run or is wrong."""

    choice: Chosen
    result: Measurement
    counts: dict[str, Any]


def margin(noise: Sequence[Noise]) -> float:
    """Return the share that a choice must gain over another: more than the noise."""
    return max(GAIN, *(one.difference for one in noise))


def winner(ranking: Sequence[Entry], standing: Chosen, gain: float) -> Chosen:
    """Return the fastest choice if it saves more than the share `gain` of the standing choice's time, or if there is no
    standing choice; else the standing choice."""
    return ranking[0].choice if gained(ranking, standing) > gain else standing


def gained(ranking: Sequence[Entry], standing: Chosen) -> float:
    """Return the share of the standing choice's time that the fastest saves, or 1 without a standing choice."""
    before = next((entry.result.median_ms for entry in ranking if entry.choice == standing), inf)
    return 1 - ranking[0].result.median_ms / before


def note(what: str, ranking: Sequence[Entry], standing: Chosen, noise: Sequence[Noise]) -> str:
    """Return a note on the saved choice, or the reason why the standing choice stays."""
    if (chosen := winner(ranking, standing, margin(noise))) != standing:
        return f"saved {what}: {chosen.backend}"
    kept = f"kept {what}: {standing.backend}"
    if ranking[0].choice == standing:
        return kept
    label = " ".join(part for part in (ranking[0].result.name, ranking[0].counts["options"]) if part)
    saves, chance = gained(ranking, standing), margin(noise)
    return f"{kept} ({label} gains {saves:.1%}, and {chance:.1%} is what chance may make of the same work)"


def ranked(
    request: Request,
    case: Case,
    choices: Sequence[Chosen],
    noise: list[Noise] | None = None,
    left_out: list[Entry] | None = None,
    copy: Measurement | None = None,
) -> list[Entry]:
    """Return the choices that run and are right, the fastest first, and append the others to `left_out`. With `noise`,
    one choice takes part twice and its difference is appended to `noise`. With `copy`, a copy of the same data takes
    part too."""
    data, storage = case.input(), case.storage(request.ctx)
    backends: list[Choice] = [(one.backend, one.options) for one in choices]
    comparison = Comparison(
        storage,
        lambda: storage.write(data),
        backends=backends,
        axes=case.axes,
        inverse=case.inverse,
        clock=request.trial.clock,
        rounds=request.rounds,
    )
    try:
        if copy is not None:
            comparison.add(copy, FFTPlan((CopyKernel(storage),)), lambda: comparison.input, competes=False)
        twins = add_twin(comparison.candidates, choices[0].backend, comparison.twin_of) if noise is not None else []
        results = comparison.run()
        if noise is not None:
            noise += noise_of(case.workload, case.size, twins)
        entries = [
            Entry(choice, result, facts(comparison, result)) for choice, result in zip(choices, results, strict=True)
        ]
    finally:
        comparison.release()
    if left_out is not None:
        left_out += [entry for entry in entries if not is_good(entry.result, case.size)]
    good = (entry for entry in entries if is_good(entry.result, case.size))
    return sorted(good, key=lambda entry: entry.result.median_ms)


def is_good(result: Measurement, size: int) -> bool:
    """Return whether a candidate ran, as accurately as the backend's defaults promise."""
    backend = BACKENDS[result.name]
    limit = backend.error_limit(size, backend.Options())
    return result.obstacle is None and result.is_right and result.relative_l2 <= limit


def ranked_pairs(request: Request, made: MadeSea, choices: Sequence[Chosen]) -> list[Entry]:
    """Return the pairs that run and are right, the fastest first."""
    layers, timer = made.sea.storage, Stopwatch(request.ctx, request.trial.clock)
    source = made.sea.textures.source(made.sea.bind)
    entries: list[Entry] = []
    candidates: list[Candidate] = []
    try:
        for one in choices:
            with suppress(FFTError):  # this GPU can't run it
                if fused := fft.fuse(one.backend, layers, source, one.options, first=one.first):
                    candidate = made.candidate(one.backend, fused, fused.passes(), layers, timer)
                    candidates.append(candidate)
                    entries.append(Entry(one, candidate.result, counted(fused) | {"options": pair_text(one)}))
        for _ in measure(candidates, request.rounds):
            pass
    finally:
        made.forget()
        timer.release()
    return sorted((one for one in entries if one.result.is_right), key=lambda entry: entry.result.median_ms)


def pair_text(choice: Chosen) -> str:
    """Return the options of both axes that differ from the defaults, as words."""
    first = options_text(choice.first) if choice.first else ""
    return "; ".join(part for part in (options_text(choice.options), f"first axis: {first}" if first else "") if part)
