"""CPU time of frames of `software` with foam and without: python -m tools.measure.foam_cost --out FILE.

Short runs of both alternate, because other programs load the machine. The time is that of the process with all its
threads, which other programs change little.
"""

import time as clock
from typing import Any

import numpy as np

from ocean.gpu.context import create_headless_context, drain
from ocean.render.frame import FrameRenderer
from ocean.settings import level_values, load_settings, with_values
from ocean.settings.files import resolve
from tools.measure.reports import report_parser, write_report

SIZE, FRAMES, ROUNDS = (640, 360), 2, 15
WIND = "sea.wind.speed=15"
CASES = {"foam": (), "no foam": ("foam.amount=0",)}


def main() -> None:
    parser = report_parser(__doc__)
    given = parser.parse_args()
    ctx = create_headless_context()
    seas = {name: load_settings(overrides=[WIND, *own]) for name, own in CASES.items()}
    level = level_values("software")
    renderers = {name: FrameRenderer(ctx, resolve(with_values(sea, level)), SIZE) for name, sea in seas.items()}
    times: dict[str, list[float]] = {name: [] for name in CASES}
    for round_number in range(-1, ROUNDS):
        for name, renderer in renderers.items():
            start = clock.process_time()
            for frame in range(FRAMES):
                renderer.render(20.0 + (FRAMES * (round_number + 1) + frame) / 30)
            drain(ctx)
            if round_number >= 0:  # the first one compiles
                times[name].append(1e3 * (clock.process_time() - start) / FRAMES)
    ratio = np.array(times["foam"]) / times["no foam"]
    found: dict[str, Any] = {
        "frame_cpu_ms": {name: float(np.median(each)) for name, each in times.items()},
        "median_ratio": float(np.median(ratio)),
        "quartiles_of_ratio": np.quantile(ratio, (0.25, 0.75)).tolist(),
        "standard_error_of_mean_ratio": float(ratio.std(ddof=1) / np.sqrt(len(ratio))),
        "ms": times,
    }
    print({name: value for name, value in found.items() if name != "ms"})
    write_report(given.out, ctx.info, size=SIZE, frames=FRAMES, rounds=ROUNDS, wind=WIND, **found)
    for renderer in renderers.values():
        renderer.release()
    ctx.release()


if __name__ == "__main__":
    main()
