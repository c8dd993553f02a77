"""Two reports side by side: the changes of each group of samples as tables, and the verdict.

A report of a capture has a group for each case, a bench one for each competition. `ocean.capture.changes` judges them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ocean.capture.baseline import device_obstacle
from ocean.capture.changes import CHANGE_COLUMNS, Changes, ComparisonError, change_notes, change_rows, compare, verdict
from ocean.capture.report import Report
from ocean.common.console import print_table
from ocean.common.errors import SHOWN, clipped
from ocean.common.facts import GLRecord, ProgramRecord
from ocean.common.records import Series, markdown_lines
from ocean.settings import Tree, differences

DONE, REGRESSION = 0, 3
MOST_SETTINGS = 5  # most settings named in the note on other settings


@dataclass(frozen=True)
class ReportedRun:
    """The parts of a report that a comparison needs."""

    kind: str
    program: ProgramRecord
    gl: GLRecord | None
    clock: str | None
    groups: Mapping[str, Series]
    settings: Mapping[str, Tree] = field(default_factory=dict)  # by group

    @classmethod
    def of_capture(cls, report: Report) -> "ReportedRun":
        settings = {name: case.settings for name, case in report.cases.items()}
        return cls("capture", report.program, report.gl, report.clock.name, report.groups(), settings)


def diff(before: ReportedRun, now: ReportedRun, tolerance: float, *, as_markdown: bool = False) -> int:
    """Print the changes from one run to another. Return the exit status: 0, or 3 for a regression.

    Raises:
        ComparisonError: when the runs can't be compared.
    """
    if reason := obstacle(before, now):
        raise ComparisonError(f"the reports can't be compared: {clipped(reason, 3 * SHOWN)}")
    found = compare(before.groups, now.groups, tolerance)
    notes = list(run_notes(before, now))
    if as_markdown:
        print(markdown(found, notes, tolerance))
    else:
        print(*notes, sep="\n")
        show_changes(found, tolerance)
    return REGRESSION if any(changes.has_regression for changes in found.values()) else DONE


def obstacle(before: ReportedRun, now: ReportedRun) -> str | None:
    """Return the reason why the times of two runs can't be compared, or None."""
    if before.kind != now.kind:
        return f"the first is of a {before.kind}, the second of a {now.kind}"
    if reason := device_obstacle(now.gl, now.clock, before.gl, before.clock):
        return reason
    return None if before.groups.keys() & now.groups.keys() else "they have nothing in common"


def run_notes(before: ReportedRun, now: ReportedRun) -> Iterator[str]:
    """Yield sentences about the programs, the device, and the settings in which the runs differ."""
    device = "the CPU" if now.gl is None else f"{now.gl.renderer}, {now.clock} clock"
    yield f"{origin(before.program)} against {origin(now.program)} on {device}."
    for group, tree in now.settings.items():
        if found := differences(before.settings.get(group, tree), tree):
            named = [f"{key} {was} → {value}" for key, (was, value) in list(found.items())[:MOST_SETTINGS]]
            more = f" and {len(found) - MOST_SETTINGS} more" if len(found) > MOST_SETTINGS else ""
            yield f"{f'{group}: ' if group else ''}other settings: {', '.join(named)}{more}."
    if missing := before.groups.keys() ^ now.groups.keys():
        yield f"Only in one of both: {'; '.join(name or 'a single case' for name in sorted(missing))}."


def origin(program: ProgramRecord) -> str:
    """Return the version of a program, with its commit if known."""
    name = f"{program.name} {program.version}"
    if program.git_commit is None:
        return name
    return f"{name} at {program.git_commit[:9]}{' with changes' if program.git_modified else ''}"


def show_changes(found: Mapping[str, Changes], tolerance: float) -> None:
    from rich.table import Table

    for group, changes in found.items():
        table = Table(*CHANGE_COLUMNS, box=None, title=group or None, title_justify="left")
        for column in table.columns[1:-1]:
            column.justify = "right"
        for row in change_rows(changes):
            table.add_row(*row)
        print_table(table)
        for line in change_notes(changes):
            print(line)
    print(verdict(found, tolerance))


def markdown(found: Mapping[str, Changes], notes: list[str], tolerance: float) -> str:
    """Return Markdown for a pull request: the verdict first, then a table for each group."""
    lines = [f"**{verdict(found, tolerance)}**", ""]
    for group, changes in found.items():
        lines += [f"#### {group}", ""] if group else []
        lines += [*markdown_lines(CHANGE_COLUMNS, change_rows(changes)), "", *change_notes(changes), ""]
    return "\n".join([*lines, *notes])
