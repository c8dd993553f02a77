"""Times of frames from random places: python -m tools.measure.random_poses --out FILE writes the report.

The report has 200 poses, from half a metre to 3 km high, with all pitches, over the seas of all presets, at the level
`high`; and the default view in the same run.
"""

from statistics import median
from typing import Any

import numpy as np

from ocean.bench.scenes import run
from ocean.common.resources import config
from ocean.gpu.context import create_headless_context
from ocean.gpu.timing import PassTimers, by_pass
from ocean.render.frame import FrameRenderer
from ocean.settings import load_settings, with_values
from tools.measure.reports import report_parser, write_report

PRESETS = "calm", "breeze", "gale", "storm", "hurricane", "swell", "shallow-bay", "crossing-seas"
POSES, SIZE = 200, (1920, 1080)
WARM_POSE = 0.1  # the warm-up of a pose of a warm GPU [s]


def random_view(rng: np.random.Generator) -> dict[str, float]:
    """Return a random view. In half of the views the sea fills a large part of the picture; the others look
    anywhere."""
    pitch = rng.uniform(-89, 89) if rng.random() < 0.5 else rng.uniform(-45, 10)
    altitude = float(np.exp(rng.uniform(np.log(0.5), np.log(3000))))
    return {"view.altitude": altitude, "view.heading": float(rng.uniform(0, 360)), "view.pitch": float(pitch)}


def measure(renderer: FrameRenderer, timers: PassTimers, warm_up: float | None) -> dict[str, Any]:
    """Return the time of a frame and of its passes, and the frame's time in the window."""
    renderer.backdrop.keeps_clouds = False
    _, frames = run(renderer, timers, warm_up)
    renderer.backdrop.keeps_clouds = True
    _, kept = run(renderer, timers, WARM_POSE)
    passes = {name: median(time.gpu_ms for time in found) for name, found in by_pass(frames).items()}
    frame, in_window = (median(frame.gpu_ms for frame in found) for found in (frames, kept))
    return {"ms": frame, "window_ms": in_window, "passes": passes}


def summary(rows: list[dict[str, Any]], time: str) -> dict[str, float]:
    """Return the default view's time, and the median and the worst of the other rows."""
    default, *poses = (row[time] for row in rows)
    return {
        "default_ms": default,
        "median_ms": median(poses),
        "worst_ms": max(poses),
        "worst_over_default": max(poses) / default,
    }


def main() -> None:
    parser = report_parser(__doc__)
    parser.add_argument("--seed", type=int, default=22)
    arguments = parser.parse_args()
    ctx, rng = create_headless_context(), np.random.default_rng(arguments.seed)
    rows: list[dict[str, Any]] = []
    timers = PassTimers(ctx)
    for preset in (None, *PRESETS):
        settings = load_settings(config("high"), *([config(preset)] if preset else []))
        renderer = FrameRenderer(ctx, settings, SIZE)
        renderer.hold_exposure(0.0)
        for pose in range(POSES // len(PRESETS) if preset else 1):
            view = random_view(rng) if preset else {}
            renderer.apply(with_values(settings, view))
            times = measure(renderer, timers, WARM_POSE if pose else None)
            rows.append({"preset": preset or "default", **view, **times})
        renderer.release()
    write_report(
        arguments.out,
        ctx.info,
        clock=timers.clock,
        capture=summary(rows, "ms"),
        window=summary(rows, "window_ms"),
        rows=sorted(rows[1:], key=lambda row: -row["ms"]),
    )


if __name__ == "__main__":
    main()
