"""What chance does to the figures: one candidate takes part twice, as the first and the last of its rounds."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from ocean.bench.rows import Noise
from ocean.fft.measure import Candidate, Result, difference

C = TypeVar("C", bound=Candidate)


def twin_of(candidate: C) -> C:
    """The same once more, with a result of its own."""
    result = Result(candidate.result.name, error_limit=candidate.result.error_limit)
    return replace(candidate, result=result, whole=None)


def add_twin(candidates: list[C], preferred: str) -> list[tuple[Result, Result]]:
    """Let one candidate take part again, the preferred one where it can; its two results, or nothing where none of them
    keeps the device busy."""
    able = [one for one in candidates if not one.idles and one.result.name != "copy"]
    if not able:
        return []
    first = next((one for one in able if one.result.name == preferred), able[0])
    candidates.append(twin_of(first))
    return [(first.result, candidates[-1].result)]


def noise_of(workload: str, size: int, twins: Sequence[tuple[Result, Result]]) -> list[Noise]:
    """What measuring the same twice says."""
    return [
        Noise(
            workload=workload,
            size=size,
            name=first.name,
            first_ms=first.gpu_ms,
            second_ms=again.gpu_ms,
            difference=difference(first.gpu_samples, again.gpu_samples),
        )
        for first, again in twins
    ]
