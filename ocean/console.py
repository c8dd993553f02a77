"""What headless commands print: progress, and tables of what they found. Knows records
and surveys, no GPU."""

import sys
from collections.abc import Sequence
from typing import Any, Self

from ocean.baseline import Move
from ocean.report import BackendRecord
from ocean.settings import Settings
from ocean.survey import sea_notes, survey_of


class Progress:
    """Shows how far one thing after another has come: a bar on a terminal, a line every tenth elsewhere."""

    def __init__(self) -> None:
        self._what, self._total, self._done = "", 0, 0
        self._bar: Any = None

    def __enter__(self) -> Self:
        if sys.stdout.isatty():
            from rich import progress

            columns = (progress.TextColumn("{task.description}"), progress.BarColumn(), progress.MofNCompleteColumn())
            self._bar = progress.Progress(*columns, progress.TimeRemainingColumn(), auto_refresh=False)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def start(self, what: str, total: int, done: int = 0) -> None:
        """Begin to count the steps of something, some of which may be done."""
        self._what, self._total, self._done = what, total, done
        if self._bar is not None:
            self._bar.add_task(what, total=total, completed=done)

    def advance(self) -> None:
        """One step is done."""
        self._done += 1
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[-1], completed=self._done, refresh=self._passes(100))
        elif self._passes(10):
            print(f"{self._what} {self._done} of {self._total}", flush=True)

    def _passes(self, parts: int) -> bool:
        """Whether this step completed another of so many parts."""
        return self._done * parts // self._total != (self._done - 1) * parts // self._total


def show_backends(rows: Sequence[BackendRecord]) -> None:
    """The comparison as a table."""
    from rich.table import Table

    table = Table("backend", "ms", "p95", "submit", "GB/s", "calls", "speed", "error", "wrong", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        if row.obstacle is None:
            error = "not finite" if row.relative_error is None else f"{row.relative_error:.1e}"
            times = (f"{value:.3f}" for value in (row.gpu_ms, row.p95_ms, row.cpu_ms))
            rest = (f"{row.gb_per_s:.1f}", str(row.dispatches), f"{row.speedup:.2f}", error, str(row.wrong_values))
            table.add_row(row.backend, *times, *rest)
    _print_table(table)
    for row in rows:
        if row.obstacle is not None:
            print(f"{row.backend}: {row.obstacle}")


def show_moves(moves: Sequence[Move], machine: float, tolerance: float) -> None:
    """What left the baseline's band, as a table."""
    from rich.table import Table

    print(f"Against the baseline the machine takes {machine:.2f} times as long for the reference.")
    if not moves:
        print(f"No pass moved by more than {tolerance:.0%} beyond that.")
        return
    table = Table("pass", "baseline ms", "now ms", "corrected", "", box=None)
    for move in sorted(moves, key=lambda move: -move.ratio):
        verdict = "slower" if move.is_regression else "faster"
        table.add_row(move.name, f"{move.before_ms:.3f}", f"{move.now_ms:.3f}", f"× {move.ratio:.2f}", verdict)
    _print_table(table)


def show_sea(settings: Settings, as_json: bool) -> None:
    """What a sea must measure, as a table or as JSON."""
    import json
    from dataclasses import asdict

    from rich.table import Table

    survey = survey_of(settings)
    notes = sea_notes(settings, survey)
    if as_json:
        rows = [{key: value for key, value in asdict(row).items() if key != "measured"} for row in survey.quantities]
        print(json.dumps({"quantities": rows, "notes": notes}, indent=2, ensure_ascii=False))
        return
    size, count = settings.fft.size, settings.cascades.count
    table = Table("", "unit", "spectrum", f"{count} x {size}²", "sd of a draw", box=None)
    for column in table.columns[2:]:
        column.justify = "right"
    for row in survey.quantities:
        unit = "" if row.unit == "1" else row.unit
        table.add_row(row.name, unit, *(f"{value:.4g}" for value in (row.integral, row.expected, row.deviation)))
    _print_table(table)
    for name, value in notes.items():
        print(f"{name}: {value}")


def _print_table(table: Any) -> None:
    """Wide enough for every column where no terminal sets the width."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else 100).print(table)
