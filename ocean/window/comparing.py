"""The comparison of FFT backends while the sea runs: rounds of a bench between frames, and a report at the end.

The bench is imported where it is used, so that the window starts without it.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import moderngl

from ocean.common.files import OutputError
from ocean.common.parameters import Parameters
from ocean.fft.auto import AUTO
from ocean.sea.sea import Sea
from ocean.window.ui.comparison import Findings, PastRun

if TYPE_CHECKING:
    from ocean.bench.live import LiveBench

MOST_RUNS = 20  # most reports that are read


class Comparing:
    """The running comparison, and the findings of the last one. `say` shows the path of its report."""

    def __init__(self, ctx: moderngl.Context, say: Callable[..., None]) -> None:
        self.ctx = ctx
        self.findings = Findings()
        self.bench: LiveBench | None = None
        self.is_next = False  # True: a comparison begins with the next step, which compiles all backends
        self._say = say
        self._runs: list[PastRun] | None = None

    @property
    def is_busy(self) -> bool:
        """Return whether a comparison runs or begins with the next step."""
        return self.is_next or self.bench is not None

    def toggle(self) -> None:
        """Begin a comparison, or end the running one."""
        self.is_next = not self.is_busy
        self.release()

    def step(self, sea: Sea, options: Mapping[str, Parameters], folder: Path) -> None:
        """Measure one round between two frames. A sea of another shape or an error ends the comparison; its report
        goes into `folder`."""
        if self.is_next:
            from ocean.bench.live import LiveBench

            self.is_next = False
            self.bench = LiveBench(self.ctx, sea, options)
            self.findings = Findings(self.bench.rows, self.bench.subject, 0.0, auto=AUTO.explain(sea.storage))
        elif self.bench and not self.bench.fits(sea):
            self.release()
        elif self.bench:
            try:
                if not self.bench.step():
                    self.findings = replace(self.findings, rows=self.bench.rows, steps=self.bench.steps)
                    self._save(self.bench, folder)
                    self.release()
            except Exception:  # the next round would raise it again
                self.release()
                raise
        if self.bench:
            now = self.bench
            self.findings = replace(self.findings, rows=now.rows, progress=now.progress, steps=now.steps)

    def _save(self, bench: "LiveBench", folder: Path) -> None:
        from ocean.bench.live import save

        try:
            save(bench.bench, folder)
        except OutputError as error:
            self._say(str(error), is_error=True)
        else:
            self.findings = replace(self.findings, saved=f"The report is in {folder}.")
            self._say(f"saved {folder}", path=folder / "bench.md")
            self._runs = None

    def runs(self, folder: Path) -> Sequence[PastRun]:
        """Return the comparisons and benches of seas whose reports lie in a folder, by device and the newest first.
        Reports are read once, and again after a comparison."""
        if self._runs is None:
            self._runs = past_runs(folder)
        return self._runs

    def release(self) -> None:
        """End the running comparison and keep its findings."""
        bench, self.bench = self.bench, None
        if bench:
            self.findings = replace(self.findings, progress=None)
            bench.release()


def past_runs(folder: Path) -> list[PastRun]:
    """Return the newest runs whose reports lie in a folder, by device. Reports that can't be read are left out."""
    from ocean.bench.rows import Bench, BenchError

    runs = []
    for path in sorted(folder.glob("bench*/bench.json"), reverse=True)[:MOST_RUNS]:
        with suppress(BenchError, OSError):
            bench = Bench.read(path)
            rows = [
                row for row in bench.rows if (row.workload, row.part, row.kind) == ("ocean", "transform", "backend")
            ]
            sizes = {row.size for row in rows}
            for size in sorted(sizes):
                found = [row for row in rows if row.size == size]
                subject = f"{found[0].batch} transforms of {size} × {size}"
                findings = Findings(found, subject, saved=f"The report is in {path.parent}.")
                device = bench.gl.renderer if bench.gl else "no GPU"
                runs.append(PastRun(device, f"{bench.created:%Y-%m-%d %H:%M}", findings))
    return sorted(runs, key=lambda run: run.device)  # stable, so the newest stay first
