"""A capture from its settings to its files: one or several cases, one report, a comparison with a baseline.

`ocean.capture.headless` runs a single case.
"""

import itertools
import math
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from ocean.capture import baseline as baselines
from ocean.capture.changes import compare
from ocean.capture.diff import DONE, REGRESSION, show_changes
from ocean.capture.headless import FILES, Capture, CaseError, refuse, write_files
from ocean.capture.report import CaptureError, CaseRecord, Report
from ocean.capture.timeline import write_trace
from ocean.common import facts
from ocean.common.console import Progress, print_table
from ocean.common.errors import InputError, shown
from ocean.common.files import whole_files, writing
from ocean.common.records import Measured
from ocean.gpu.context import create_headless_context
from ocean.settings import Settings

REPORT = "report.json"
MOST_CASES = 10_000
"""Most combinations of a matrix, which are all checked before the first one runs."""

Combination = dict[str, str]
"""A value for each axis, by key path; the axis `config` names a file or preset."""

CONFIG = "config"


def choices(axes: Sequence[str]) -> dict[str, Combination]:
    """Return all combinations of axes such as `fft.size=256,512`, by the name of their folder. Without axes there is
    one combination, without a name.

    Raises:
        InputError: when an axis has no key or no value, or comes twice, or two names would be equal, or there are
            too many combinations.
    """
    values: dict[str, list[str]] = {}
    for axis in axes:
        key, _, listed = (part.strip() for part in axis.partition("="))
        values_here = [value.strip() for value in listed.split(",")]
        if not key or not all(values_here):
            raise InputError(f"--matrix = {shown(axis)} is not of the form key.path=value,value")
        if key in values:
            raise InputError(f"--matrix: {key} comes twice")
        values[key] = values_here
    if (count := math.prod(map(len, values.values()))) > MOST_CASES:
        raise InputError(f"--matrix has {count:.6g} combinations; {MOST_CASES} are the most")
    combinations = [dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*values.values())]
    named = {folder_name(choice): choice for choice in combinations}
    if len(named) < len(combinations):
        raise InputError("--matrix: two cases have the same name")
    return named


def folder_name(choice: Combination) -> str:
    """Return a name for a combination, in letters that every file system takes."""
    words = (f"{key}={Path(value).stem if key == CONFIG else value}" for key, value in choice.items())
    return ",".join(re.sub(r"[^\w.+=-]", "_", word) for word in words)


def capture(
    cases: Mapping[str, Settings],
    out: Path,
    *,
    compare_backends: bool = False,
    baseline: Path | None = None,
    tolerance: float = 0.25,
    trace: Path | None = None,
) -> int:
    """Render `settings.capture.frames` frames of each case after its warm-up. Write one report into `out`, and samples,
    picture and plot of each case into a folder of its name; a lone case has the name "". Write the passes as trace
    events to `trace`.

    With a `baseline`, a report of an earlier run of the same cases, a pass that became slower by more than the share
    `tolerance` is a regression. Return the exit status: 0, or 3 for a regression.

    Raises:
        OutputError: before the first frame, when the folder can't be written.
        CaptureError: when the baseline does not fit or would be overwritten, or the GPU can run none of the cases.
        ContextError: when there is no usable OpenGL.
    """
    names = [REPORT, *(str(Path(name) / file) for name in cases for file in FILES)]
    before = None
    if baseline is not None:
        try:
            before = Report.read(baseline)
        except CaptureError as error:
            raise CaptureError(f"--baseline: {error}") from None
        written = [*(out / name for name in names), *([trace] if trace else [])]
        if baseline.resolve() in (path.resolve() for path in written):
            raise CaptureError(f"the capture would overwrite its baseline {baseline}; choose another --out")
        for name, settings in cases.items():
            refuse(baselines.case_obstacle(name, settings, before))
    with ExitStack() as stack:
        folder = stack.enter_context(whole_files(out, names))
        traces = stack.enter_context(whole_files(trace.parent, (trace.name,))) if trace else None
        progress = stack.enter_context(Progress())
        runs, obstacles = run_cases(cases, before, compare_backends, progress)
        result = make_report(runs, obstacles)
        with writing(out):
            result.write(folder / REPORT)
            for name, run in runs.items():
                write_files(folder / name, result, name, run)
        if trace and traces:
            with writing(trace.parent):
                times = {name: ([f.with_reference for f in run.frames], run.passes) for name, run in runs.items()}
                write_trace(traces / trace.name, times)
    summarise(result, out)
    if before is None:
        return DONE
    found = compare(before.groups(), result.groups(), tolerance)
    show_changes(found, tolerance)
    return REGRESSION if any(changes.has_regression for changes in found.values()) else DONE


def run_cases(
    cases: Mapping[str, Settings], before: Report | None, compare_backends: bool, progress: Progress
) -> tuple[dict[str, Capture], dict[str, str]]:
    """Run the cases one after another. Return the captures, and the reasons why other cases did not run.

    Raises:
        CaptureError: when none of them ran.
    """
    runs: dict[str, Capture] = {}
    obstacles: dict[str, str] = {}
    for name, settings in cases.items():
        clock = next((run.clock for run in runs.values()), None)
        try:
            with ExitStack() as stack:
                ctx = create_headless_context()
                stack.callback(ctx.release)
                run = Capture(ctx, settings, before, compare_backends, progress, name or "frame", clock)
                run.run()
        except CaseError as error:
            obstacles[name] = str(error)
        else:
            runs[name] = run
    if not runs:
        raise CaptureError("; ".join(f"{name}: {reason}" if name else reason for name, reason in obstacles.items()))
    return runs, obstacles


def make_report(runs: Mapping[str, Capture], obstacles: dict[str, str]) -> Report:
    first = next(iter(runs.values()))
    return Report(
        created=facts.utc_now(),
        program=facts.program_facts(),
        gl=first.gl,
        host=facts.host_facts(),
        clock=first.clock,
        cases={name: run.result() for name, run in runs.items()},
        obstacles=obstacles,
    )


def summarise(result: Report, out: Path) -> None:
    """Print times and quantities of each case, and the paths of the files."""
    for name, case in result.cases.items():
        frame = case.frame
        times = f"median of {frame.samples}; p95 {frame.p95_ms:.2f} ms; {result.clock.name} clock"
        print(f"{name or result.gl.renderer}: {frame.median_ms:.2f} ms per frame ({times})")
        print(f"sea: {agreement(case)}")
        if backends := case.of_kind("backend"):
            show_backends(backends.values())
        for file in FILES:
            print(out / name / file)
    for name, reason in result.obstacles.items():
        print(f"{name} did not run: {reason}")
    print(out / REPORT)


def agreement(case: CaseRecord) -> str:
    """Return a sentence on the measured quantities that agree with the spectrum, and on missing ones."""
    measured = [row for row in case.sea if row.measured is not None]
    agreeing = sum(bool(row.agrees) for row in measured)
    missing = ", ".join(row.name for row in case.sea if row.measured is None)
    words = f"{agreeing} of {len(measured)} measured quantities agree with the spectrum"
    return f"{words}; not measured: {missing}" if missing else words


def show_backends(rows: Collection[Measured]) -> None:
    from rich.table import Table

    table = Table("backend", "ms", "p95", "submit", "GB/s", "dispatches", "speed-up", "error", "wrong", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        if row.obstacle is None:
            error = "not finite" if row.relative_l2 is None else f"{row.relative_l2:.1e}"
            times = (f"{value:.3f}" for value in (row.median_ms, row.p95_ms, 1e-3 * (row.submit_us or 0.0)))
            rest = (f"{row.gb_per_s:.1f}", str(row.dispatches), f"{row.speedup:.2f}", error, str(row.wrong_values))
            table.add_row(row.name, *times, *rest)
    print_table(table)
    for row in rows:
        if row.obstacle is not None:
            print(f"{row.name}: {row.obstacle}")
