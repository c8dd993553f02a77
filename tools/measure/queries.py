"""Times of queries on coarse maps, with and without refinement: python -m tools.measure.queries --out FILE.

Each is a wall-clock time from an update of the sea to the answer of a query, less the time without a query.
"""

import time
from collections.abc import Iterator
from contextlib import nullcontext
from statistics import median
from unittest.mock import patch

import numpy as np

from ocean.gpu.context import create_headless_context, drain
from ocean.sea.sea import Sea
from ocean.settings import load_settings
from tools.measure.reports import report_parser, write_report

SIZES, POINTS, ROUNDS, UPDATES = (64, 128, 256), 1000, 6, 100
WAYS = ("none", "heights", "velocities")


def times(sea: Sea, what: str) -> Iterator[float]:
    """Yield the time [ms] of each update with its query, after warm-up."""
    x, z = np.random.default_rng(1).uniform(-300, 300, (2, POINTS))
    for number in range(UPDATES + 10):
        drain(sea.ctx)
        start = time.perf_counter()
        sea.update(number / 60)
        if what != "none":
            sea.query(x, z, velocity=what == "velocities").result()
        drain(sea.ctx)
        if number >= 10:
            yield 1e3 * (time.perf_counter() - start)


def main() -> None:
    out = report_parser(__doc__).parse_args().out
    ctx = create_headless_context()
    found: dict[str, list[float]] = {}
    for size in SIZES:
        with Sea(ctx, load_settings(overrides=[f"fft.size={size}", "foam.resolution=64"])) as sea:
            for _ in range(ROUNDS):
                for refined in (True, False):
                    with nullcontext() if refined else patch("ocean.sea.query.finer", lambda _: 1):
                        taken = {what: median(times(sea, what)) for what in WAYS}
                    for what in WAYS[1:]:
                        name = f"{size} texels, {what}, {'refined' if refined else 'as they are'}"
                        found.setdefault(name, []).append(taken[what] - taken["none"])
    for name, each in found.items():
        print(name, *(f"{value:.3f}" for value in (median(each), *each)))
    report = {name: {"median_ms": median(each), "of_rounds_ms": each} for name, each in found.items()}
    write_report(out, ctx.info, points=POINTS, updates=UPDATES, queries=report)


if __name__ == "__main__":
    main()
