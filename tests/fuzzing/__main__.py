"""The command that runs the campaigns and prints their table: `python -m tests.fuzzing --seed 1 --settings 1000000
--kills 1000`."""

import argparse
import shlex
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ocean.common.facts import program_facts, utc_now
from ocean.common.records import markdown_lines
from ocean.gpu.context import create_headless_context
from tests.fuzzing import files, kills, seas, settings, window

SLOW = 2.0  # s of processor time for one input
SLOW_SEA = 10.0  # s for an input with nonlinear waves, which need a start
CAMPAIGNS = {
    "settings": ("settings", 1_000_000),
    "files": ("damaged files", 100_000),
    "seas": ("seas", 10_000),
    "kills": ("SIGKILLs", 1000),
    "soak": ("changes of a running sea", 10_000),
    "solved": ("changes of a running sea, nonlinear", 300),
    "window": ("steps in the window", 100_000),
}
"""Titles and numbers of inputs."""


def inputs(
    attempt: Callable[[], tuple[str, Any]], count: int, until: float, slow: float = SLOW
) -> tuple[Counter[str], float, list[str]]:
    """Try `count` inputs, or as many as fit until a time. Return the outcomes, the longest time [s], and faults. More
    than `slow` seconds of processor time are a fault."""
    outcomes, longest, faults = Counter[str](), 0.0, list[str]()
    while outcomes.total() < count and time.monotonic() < until:
        shown, read = attempt()
        start = time.process_time()
        try:
            outcomes[settings.outcome(read)] += 1
        except Exception as error:
            outcomes["fault"] += 1
            last = traceback.extract_tb(error.__traceback__)[-1]
            faults.append(f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}: {error}"[:300])
            faults[-1] += f" for {shown[:300]}"
        longest = max(longest, taken := time.process_time() - start)
        if taken > slow:
            outcomes["slow"] += 1
            faults.append(f"{taken:.1f} s for {shown[:300]}")
    return outcomes, longest, faults


def run(
    name: str, rng: np.random.Generator, place: Path, count: int, until: float
) -> tuple[Any, float | None, list[str]]:
    """Run a campaign. Return the outcomes, the longest time [s], if it matters, and faults."""
    if name == "settings":
        return inputs(partial(settings.attempt, rng, place), count, until)
    if name == "files":
        return inputs(partial(files.attempt, rng, place, files.samples(place, rng)), count, until)
    if name == "seas":
        return inputs(partial(seas.attempt, rng), count, until, SLOW_SEA)
    if name == "kills":
        killed, faults = kills.campaign(rng, place, count, until)
        return killed, None, faults
    if name == "window":
        if window.MISSING:
            return {f"none without {' and '.join(window.MISSING)}": 0}, None, []
        walked, faults = window.campaign(rng, place, count, until)
        return walked, None, faults
    ctx = create_headless_context()
    taken, refused, faults = seas.campaign(ctx, rng, count, until, name == "solved")
    ctx.release()
    return {"taken": taken, "refused": refused}, None, faults


def main(words: list[str] | None = None) -> int:
    """Run the campaigns, print the table, and return 1 if there were faults."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("--seed", type=int, default=None, help="of the random inputs (default: a new one)")
    parser.add_argument("--minutes", type=float, default=60.0, help="for all campaigns together")
    for name, (_, count) in CAMPAIGNS.items():
        parser.add_argument(f"--{name}", type=int, default=count, metavar="N", help=f"inputs (default: {count})")
    given = parser.parse_args(words)
    seed = int(np.random.SeedSequence().generate_state(1)[0]) if given.seed is None else given.seed
    commit, given_words = program_facts().git_commit, shlex.join(words or sys.argv[1:])
    print(f"seed {seed}, commit {commit}, {utc_now():%Y-%m-%d}, arguments: {given_words}", flush=True)
    rows, faults, end = list[tuple[str, ...]](), list[str](), time.monotonic() + 60 * given.minutes
    names = [name for name in CAMPAIGNS if getattr(given, name)]
    with tempfile.TemporaryDirectory() as scratch:
        for place, name in enumerate(names):  # each shares the time with later ones
            until = time.monotonic() + (end - time.monotonic()) / (len(names) - place)
            rng, title = np.random.default_rng(seed), CAMPAIGNS[name][0]
            outcomes, longest, wrong = run(name, rng, Path(scratch), getattr(given, name), until)
            counts = [f"{count:,} {what}" for what, count in sorted(outcomes.items()) if what not in ("fault", "slow")]
            took = "" if longest is None else f"{longest:.2f} s"
            rows.append((title, ", ".join(counts), took, str(len(wrong))))
            faults += [f"{title}: {one}" for one in wrong]
            print(*rows[-1], sep=" | ", flush=True)
    print("\n".join(["", *markdown_lines(["inputs", "outcomes", "longest", "faults"], rows)]))
    for fault, count in Counter(faults).most_common(30):
        print(f"{count} x {fault}")
    return int(bool(faults))


if __name__ == "__main__":
    raise SystemExit(main())
