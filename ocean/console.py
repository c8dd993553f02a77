"""What headless commands print: progress, and tables of what they found. Knows records and surveys, no GPU."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Self

from ocean.changes import CHANGE_COLUMNS, Changes, change_notes, change_rows, verdict
from ocean.report import BackendRecord, gl_facts, program_facts, utc_now
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

    def reach(self, done: int) -> None:
        """So many steps are done."""
        while self._done < done:
            self.advance()

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


def provenance(info: Mapping[str, Any]) -> tuple[str, ...]:
    """Device, driver, program and date in words, from a context's `info`, for output that is kept as text."""
    gl, program = gl_facts(info), program_facts()
    commit = f", commit {program.git_commit}" if program.git_commit else ""
    modified = " (modified)" if program.git_modified else ""
    return (
        f"GPU: {gl.renderer}, driver {gl.version}",
        f"program: {program.name} {program.version}{commit}{modified}, on {utc_now():%Y-%m-%d %H:%M} UTC",
    )


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
    print_table(table)
    for row in rows:
        if row.obstacle is not None:
            print(f"{row.backend}: {row.obstacle}")


def show_changes(found: Mapping[str, Changes], tolerance: float) -> None:
    """What two runs compare to, a table a case."""
    from rich.table import Table

    for case, changes in found.items():
        table = Table(*CHANGE_COLUMNS, box=None, title=case or None, title_justify="left")
        for column in table.columns[1:-1]:
            column.justify = "right"
        for row in change_rows(changes):
            table.add_row(*row)
        print_table(table)
        for line in change_notes(changes):
            print(line)
    print(verdict(found, tolerance))


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
    print_table(table)
    for name, value in notes.items():
        print(f"{name}: {value}")


def print_table(table: Any, width: int = 140) -> None:
    """Wide enough for every column where no terminal sets the width."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else width).print(table)


def terminal_width() -> int | None:
    """Characters of a line; None where no terminal limits them."""
    from rich.console import Console

    return Console().width if sys.stdout.isatty() else None
