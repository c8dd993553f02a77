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
from ocean.gpu.context import create_headless_context
from tests.fuzzing import files, kills, seas, settings, soak

SLOW = 2.0  # s of processor time for one input
SLOW_SEA = 10.0  # s for an input with nonlinear waves, which need a start
CAMPAIGNS = {"settings": 1_000_000, "files": 100_000, "seas": 10_000, "kills": 1000, "soak": 10_000, "solved": 300}
"""Functions that make an input of each campaign."""


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


def main(words: list[str] | None = None) -> int:
    """Run the campaigns, print the table, and return 1 if there were faults."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("--seed", type=int, default=None, help="of the random inputs (default: a new one)")
    parser.add_argument("--minutes", type=float, default=60.0, help="for all campaigns together")
    for name, count in CAMPAIGNS.items():
        parser.add_argument(f"--{name}", type=int, default=count, metavar="N", help=f"inputs (default: {count})")
    given = parser.parse_args(words)
    seed = int(np.random.SeedSequence().generate_state(1)[0]) if given.seed is None else given.seed
    rows, faults, end = list[tuple[str, ...]](), list[str](), time.monotonic() + 60 * given.minutes
    commit, given_words = program_facts().git_commit, shlex.join(words or sys.argv[1:])
    print(f"seed {seed}, commit {commit}, {utc_now():%Y-%m-%d}, arguments: {given_words}", flush=True)

    left = [name for name in CAMPAIGNS if getattr(given, name)]

    def until() -> float:
        """Return the end time of a campaign that shares the time with later ones."""
        return time.monotonic() + (end - time.monotonic()) / len(left)

    def add(name: str, outcomes: Counter[str], longest: float | None, wrong: list[str]) -> None:
        counts = [f"{count:,} {what}" for what, count in sorted(outcomes.items()) if what not in ("fault", "slow")]
        rows.append((name, ", ".join(counts), "" if longest is None else f"{longest:.2f} s", str(len(wrong))))
        faults.extend(f"{name}: {one}" for one in wrong)
        print(*rows[-1], sep=" | ", flush=True)

    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        while left:
            name, rng, limit = left[0], np.random.default_rng(seed), until()
            count = getattr(given, name)
            if name == "settings":
                add("settings", *inputs(partial(settings.attempt, rng, place), count, limit))
            elif name == "files":
                kinds = files.samples(place, rng)
                add("damaged files", *inputs(partial(files.attempt, rng, place, kinds), count, limit))
            elif name == "seas":
                add("seas", *inputs(partial(seas.attempt, rng), count, limit, SLOW_SEA))
            elif name == "kills":
                killed, wrong = kills.campaign(rng, place, count, limit)
                add("SIGKILLs", Counter(killed), None, wrong)
            else:
                ctx = create_headless_context()
                taken, refused, wrong = soak.campaign(ctx, rng, count, limit, name == "solved")
                add(
                    f"changes of a running sea{', nonlinear' * (name == 'solved')}",
                    Counter(taken=taken, refused=refused),
                    None,
                    wrong,
                )
                ctx.release()
            left.pop(0)
    print("\n| inputs | outcomes | longest | faults |\n| --- | --- | --- | --- |")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    for fault, count in Counter(faults).most_common(30):
        print(f"{count} x {fault}")
    return int(bool(faults))


if __name__ == "__main__":
    raise SystemExit(main())
