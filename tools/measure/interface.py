"""CPU time of the window's interface in a frame: python -m tools.measure.interface --out FILE.

Settings, times and the comparison of FFT backends are open, in a window without a display and at 60 frames a second of
the program's time. First nobody touches the window, then the mouse moves over the settings before each frame.
"""

import os
import tempfile
import time

from ocean.common.records import sampled
from ocean.gpu.timing import PassTimers
from ocean.settings import Settings, level_values, with_values
from ocean.window import actions
from ocean.window.desktop import Desktop
from tools.measure.reports import report_parser, write_report
from tools.pictures.window import SIZE, program, run

FPS, WAITING, FRAMES = 60, 900, 600  # frames a second; frames until messages are gone, and of each measurement
LEVEL = "high"


class InterfaceTimers(PassTimers):
    """Timers that also note the interface's time on the CPU in every frame [ms]."""

    def __init__(self, desktop: Desktop) -> None:
        super().__init__(desktop.ctx)
        self.spent: list[float] = []

    def start(self) -> None:
        super().start()
        self.begun = time.perf_counter()

    def lap(self, name: str) -> None:
        if name == "interface":
            self.spent.append(1e3 * (time.perf_counter() - self.begun))
        super().lap(name)


def measured(desktop: Desktop, timers: InterfaceTimers, touches: bool) -> dict[str, float]:
    """Return the interface's times on the CPU in `FRAMES` frames [ms]."""
    timers.spent.clear()
    for number in range(FRAMES):
        if touches:
            desktop.on_mouse_position_event(100 + number % 50, 300, 1, 0)
        desktop.on_render(0.0, 1 / FPS)
        desktop.ctx.finish()
    times = sampled(timers.spent)
    return {name: round(times[name], 4) for name in ("median_ms", "mean_ms", "p5_ms", "p95_ms")}


def main() -> None:
    out = report_parser(__doc__).parse_args().out.resolve()
    with tempfile.TemporaryDirectory() as scratch, program(with_values(Settings(), level_values(LEVEL))) as desktop:
        os.chdir(scratch)  # the comparison writes its report into the folder `out`
        run(desktop, 1.0)
        actions.compare(desktop)
        run(desktop, 0.1, lambda: not desktop.comparing.is_busy)
        desktop.timers.release()
        desktop.timers = timers = InterfaceTimers(desktop)
        for _ in range(WAITING):
            desktop.on_render(0.0, 1 / FPS)
        values = {"untouched": measured(desktop, timers, False), "touched": measured(desktop, timers, True)}
        write_report(out, desktop.ctx.info, level=LEVEL, size=SIZE, frames=FRAMES, **values)


if __name__ == "__main__":
    main()
