"""False alarms and power of the comparison with a baseline, by simulation: `python -m tools.measure.gate --out FILE`.

Each trial makes two runs of a capture: times of passes and of two kinds of reference work. Their scatter is lognormal.
The machine's speed changes all times alike and drifts within a run as a first-order autoregression; bursts slow some
frames. Then `ocean.capture.compare` judges the passes, whose true ratio is known.
"""

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.capture.compare import find_changes
from ocean.common import facts
from ocean.common.records import Series

TOLERANCE = 0.25
RATIOS = 1.0, 1.1, 1.25, 1.4, 1.6, 2.0, 2.8
PASSES = 20  # passes of a run, each with its own scatter
MACHINES: Mapping[str, Mapping[str, float]] = {
    "calm GPU": {"scatter": 0.01, "drift": 0.005, "burst": 0.0, "own": 0.0},
    "busy GPU": {"scatter": 0.05, "drift": 0.03, "burst": 0.05, "own": 0.01},
    "shared CPU": {"scatter": 0.15, "drift": 0.15, "burst": 0.1, "own": 0.06},
    "hostile": {"scatter": 0.4, "drift": 0.3, "burst": 0.2, "own": 0.2},
}
"""Standard deviations of the logarithm of times: of each sample, of the machine's speed within a run, and of a pass
from run to run, beyond the machine's (`own`); and the fraction of frames in bursts, which take twice as long."""


def walk(rng: np.random.Generator, count: int, deviation: float, memory: float = 0.95) -> NDArray[np.float64]:
    """Return a stationary autoregression with this standard deviation."""
    values = np.empty(count)
    values[0] = deviation * rng.standard_normal()
    steps = deviation * math.sqrt(1 - memory**2) * rng.standard_normal(count)
    for place in range(1, count):
        values[place] = memory * values[place - 1] + steps[place]
    return values


def run(rng: np.random.Generator, ratio: float, frames: int, machine: Mapping[str, float]) -> Series:
    """Return the times of a run whose passes take `ratio` ms on the machine without noise."""
    speed = rng.normal(0.0, 0.3) + walk(rng, frames, machine["drift"])
    speed += np.log(2) * (rng.random(frames) < machine["burst"])

    def times(ms: float, own: float) -> Sequence[float]:
        scatter = machine["scatter"] * rng.standard_normal(frames)
        return tuple(ms * np.exp(speed + scatter + own * rng.standard_normal()))

    samples: dict[str, Sequence[float]] = {str(place): times(ratio, machine["own"]) for place in range(PASSES)}
    return Series(samples, {name: times(1.0, 0.3 * machine["own"]) for name in ("memory", "arithmetic")})


def simulate(trials: int, frames: int, seed: int) -> list[dict[str, Any]]:
    """Return the shares of verdicts for each machine and true ratio."""
    rows: list[dict[str, Any]] = []
    for name, machine in MACHINES.items():
        for ratio in RATIOS:
            rng = np.random.default_rng((seed, frames, len(rows)))
            verdicts: list[str] = []
            for _ in range(trials):
                pair = run(rng, 1.0, frames, machine), run(rng, ratio, frames, machine)
                verdicts += [change.verdict for change in find_changes(*pair, TOLERANCE).changes]
            judged = "slower", "unchanged", "inconclusive"
            shares = {verdict: verdicts.count(verdict) / len(verdicts) for verdict in judged}
            rows.append({"machine": name, "frames": frames, "ratio": ratio, "passes": len(verdicts), **shares})
            print(*rows[-1].values())
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--frames", type=int, nargs="+", default=[30, 120])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rows = [row for frames in given.frames for row in simulate(given.trials, frames, given.seed)]
    report: dict[str, Any] = {
        "program": facts.program_facts().model_dump(),
        "command": facts.command_line(),
        "seed": given.seed,
    }
    report |= {"tolerance": TOLERANCE, "machines": dict(MACHINES), "rows": rows}
    given.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
