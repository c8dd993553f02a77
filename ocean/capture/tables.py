"""Tables of comparisons: FFT backends of a capture, and changes from one run to another."""

from collections.abc import Mapping, Sequence

from ocean.capture.changes import CHANGE_COLUMNS, Changes, change_notes, change_rows, verdict
from ocean.capture.report import BackendRecord
from ocean.common.console import print_table


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
