"""Times of frames while the camera turns from straight down to straight up: python -m tools.measure.turn --out FILE.

Each time is by the wall clock until the GPU is done, after a first frame that compiles. Frames show sea alone, sea and
sky, and sky alone, so that passes begin and end to run and buffers grow.
"""

import time
from statistics import median

from ocean.common.resources import config
from ocean.gpu.context import create_headless_context
from ocean.render.frame import FrameRenderer
from ocean.settings import load_settings, with_values
from tools.measure.reports import report_parser, write_report

SIZE, ALTITUDE, FPS = (1920, 1080), 40.0, 60.0
WAITING, TURNING = 100, 300  # frames before the turn, and of it
SLOW = 10.0  # ms; frames that take longer are listed


def main() -> None:
    out = report_parser(__doc__).parse_args().out
    ctx = create_headless_context()
    pitches = [-85.0] * WAITING + [-85.0 + 170.0 * frame / TURNING for frame in range(TURNING)]
    settings = load_settings(config("high"), overrides=[f"view.altitude={ALTITUDE}", f"view.pitch={pitches[0]}"])
    renderer = FrameRenderer(ctx, settings, SIZE)
    renderer.render(0.0)
    ctx.finish()
    times = []
    for number, pitch in enumerate(pitches, start=1):
        renderer.apply(with_values(settings, {"view.pitch": pitch}))
        start = time.perf_counter()
        renderer.render(number / FPS, 1 / FPS)
        ctx.finish()
        times.append(1e3 * (time.perf_counter() - start))
    renderer.release()
    turn = times[WAITING:]
    slow = {f"{pitches[WAITING + i]:.1f}": round(ms, 2) for i, ms in enumerate(turn) if ms > SLOW}
    values = {"median_ms": median(turn), "longest_ms": max(turn), "ms_by_pitch_of_slow_frames": slow}
    write_report(out, ctx.info, size=SIZE, frames=TURNING, **values)


if __name__ == "__main__":
    main()
