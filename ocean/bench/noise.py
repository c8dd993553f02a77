"""The noise of the figures: one candidate takes part twice, as the first and the last of its rounds."""

from collections.abc import Callable, Sequence

from ocean.bench.rows import Noise
from ocean.fft.measure import Candidate, Measurement, difference


def add_twin(
    candidates: list[Candidate], preferred: str, make: Callable[[Candidate], Candidate] = Candidate.again
) -> list[tuple[Measurement, Measurement]]:
    """Add a copy of one candidate, the preferred one if it runs. Return both results, or nothing if no candidate keeps
    the device busy."""
    able = [one for one in candidates if one.competes and not one.idles]
    if not able:
        return []
    first = next((one for one in able if one.result.name == preferred), able[0])
    candidates.append(make(first))
    return [(first.result, candidates[-1].result)]


def noise_of(workload: str, size: int, twins: Sequence[tuple[Measurement, Measurement]]) -> list[Noise]:
    """Return the noise that the two results of each pair show."""
    return [
        Noise(
            workload=workload,
            size=size,
            name=first.name,
            first_ms=first.median_ms,
            second_ms=again.median_ms,
            difference=difference(first.samples_ms, again.samples_ms),
        )
        for first, again in twins
    ]
