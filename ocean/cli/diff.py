"""Two reports side by side, of captures or of benches: what changed, as tables, and whether anything became slower.

What is compared are groups of named series of samples: of a capture its cases and their passes, of a bench what
competed and the competitors. `ocean.capture.changes` judges them.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ocean.bench.rows import Bench, Row, read_json
from ocean.capture.baseline import device_obstacle, groups_of
from ocean.capture.changes import (
    CHANGE_COLUMNS,
    ChangeError,
    Changes,
    Series,
    change_notes,
    change_rows,
    compare,
    verdict,
)
from ocean.capture.report import Report, read_report
from ocean.capture.tables import show_changes
from ocean.common.facts import GLRecord, ProgramRecord
from ocean.settings.trees import Tree, differences

DONE, REGRESSION = 0, 3
MOST_SETTINGS = 5  # that are named of those that differ


@dataclass(frozen=True)
class Run:
    """What a report has to compare."""

    kind: str
    program: ProgramRecord
    gl: GLRecord | None
    clock: str | None
    groups: Mapping[str, Series]
    settings: Mapping[str, Tree]


def diff(before: Path, now: Path, tolerance: float, *, as_markdown: bool = False) -> int:
    """Print what changed from one report to the other. Returns the exit status: 0, or 3 for a regression.

    Raises:
        CaptureError, BenchError: when a file is no report of this schema version.
        ChangeError: when the two can't be compared.
    """
    a, b = read_run(before), read_run(now)
    if reason := obstacle(a, b):
        raise ChangeError(f"{before} and {now} can't be compared: {reason}")
    found = compare(a.groups, b.groups, tolerance)
    notes = list(run_notes(a, b))
    if as_markdown:
        print(markdown(found, notes, tolerance))
    else:
        print(*notes, sep="\n")
        show_changes(found, tolerance)
    return REGRESSION if any(changes.has_regression for changes in found.values()) else DONE


def obstacle(before: Run, now: Run) -> str | None:
    """Why times of the one say nothing about the other; None where they do."""
    if before.kind != now.kind:
        return f"the first is of a {before.kind}, the second of a {now.kind}"
    if reason := device_obstacle(now.gl, now.clock, before.gl, before.clock):
        return reason
    return None if before.groups.keys() & now.groups.keys() else "they have nothing in common"


def run_notes(before: Run, now: Run) -> Iterator[str]:
    """What was compared, and in what the runs themselves differ."""
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
    """The version of a program, with its commit where that is known."""
    name = f"{program.name} {program.version}"
    if program.git_commit is None:
        return name
    return f"{name} at {program.git_commit[:9]}{' with changes' if program.git_modified else ''}"


def markdown(found: Mapping[str, Changes], notes: list[str], tolerance: float) -> str:
    """For a pull request: the verdict first, then a table a group."""
    lines = [f"**{verdict(found, tolerance)}**", ""]
    for group, changes in found.items():
        lines += [f"#### {group}", ""] if group else []
        lines += ["| " + " | ".join(CHANGE_COLUMNS) + " |", "| --- |" + " ---: |" * (len(CHANGE_COLUMNS) - 2) + " --- |"]
        lines += ["| " + " | ".join(row) + " |" for row in change_rows(changes)]
        lines += ["", *change_notes(changes), ""]
    return "\n".join([*lines, *notes])


# -- Reading -----------------------------------------------------------------------------------------------------------


def read_run(path: Path) -> Run:
    """A report of either kind.

    Raises:
        CaptureError, BenchError: when it can't be read, or is of another schema version.
        ChangeError: when it is of a bench without samples.
    """
    try:
        tree = json.loads(path.read_bytes())
    except (OSError, ValueError):
        tree = None  # the reader of captures says what is wrong
    if isinstance(tree, dict) and "rows" in tree:
        return bench_run(read_json(path), path)
    return capture_run(read_report(path))


def capture_run(report: Report) -> Run:
    """Each case is a group."""
    settings = {name: case.settings for name, case in report.cases.items()}
    return Run("capture", report.program, report.gl, report.clock.name, groups_of(report), settings)


def bench_run(bench: Bench, path: Path) -> Run:
    """Rows that competed are a group; the copy of the same data, where there is one, is its fixed work."""
    measured = [row for row in bench.rows if row.samples_ms]
    if not measured:
        raise ChangeError(f"{path} holds no samples, so nothing can be compared")
    names = Counter((group_name(row), row.name) for row in measured)
    samples: dict[str, dict[str, tuple[float, ...]]] = {group: {} for group, _ in names}
    fixed: dict[str, dict[str, tuple[float, ...]]] = {group: {} for group, _ in names}
    for row in measured:
        group = group_name(row)
        name = row.name if names[group, row.name] == 1 else f"{row.name} {row.options}".strip()
        (fixed if row.kind == "copy" else samples)[group][name] = row.samples_ms
    groups = {group: Series(samples[group], fixed[group]) for group in samples}
    return Run("bench", bench.program, bench.gl, bench.clock, groups, {})


def group_name(row: Row) -> str:
    """What rows that compete have in common."""
    shape = f"{row.size} × {row.size}" if row.dimensions == 2 else f"{row.size}"
    return f"{row.workload} {row.part}, {row.batch} of {shape}, {row.direction}, {row.storage}"
