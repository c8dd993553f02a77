"""The comparison of FFT backends while the sea runs: rounds of a bench between frames, and a report at the end.

The bench is imported where it is used, so that the window starts without it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import moderngl

from ocean.common.files import OutputError
from ocean.common.parameters import Parameters
from ocean.sea.sea import Sea
from ocean.window.ui.comparison import Findings

if TYPE_CHECKING:
    from ocean.bench.live import LiveBench


class Comparing:
    """Comparison that is being made, and the findings of the last one. `say` shows where its report is."""

    def __init__(self, ctx: moderngl.Context, say: Callable[[str], None]) -> None:
        self.ctx = ctx
        self.findings = Findings()
        self.bench: LiveBench | None = None
        self.is_next = False  # whether one begins with the next step, which compiles all backends
        self._say = say

    @property
    def is_busy(self) -> bool:
        """Return whether a comparison is being made, or begins with the next step."""
        return self.is_next or self.bench is not None

    def toggle(self) -> None:
        """Make a comparison, or end the one that is being made."""
        self.is_next = not self.is_busy
        self.release()

    def step(self, sea: Sea, options: Mapping[str, Parameters], folder: Path) -> None:
        """Measure one round between two frames. A sea of another shape or an error ends the comparison; its report
        goes into `folder`."""
        if self.is_next:
            from ocean.bench.live import LiveBench

            self.is_next = False
            self.bench = LiveBench(self.ctx, sea, options)
            self.findings = Findings(self.bench.rows, self.bench.subject, 0.0)
        elif self.bench and not self.bench.fits(sea):
            self.release()
        elif self.bench:
            try:
                if not self.bench.step():
                    self._save(self.bench, folder)
                    self.release()
            except Exception:  # which the next round would raise again
                self.release()
                raise
        if self.bench:
            self.findings = replace(self.findings, progress=self.bench.progress)

    def _save(self, bench: "LiveBench", folder: Path) -> None:
        from ocean.bench.live import save

        try:
            save(bench.bench, folder)
        except OutputError as error:
            self._say(str(error))
        else:
            self.findings = replace(self.findings, saved=f"The report is in {folder}.")
            self._say(f"saved {folder}")

    def release(self) -> None:
        """End the comparison that is being made and keep its findings."""
        bench, self.bench = self.bench, None
        if bench:
            self.findings = replace(self.findings, progress=None)
            bench.release()
