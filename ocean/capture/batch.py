"""What a capture is asked for and what becomes of it: cases from a matrix of settings, one report, a baseline.

`ocean.capture.capture` runs a single case.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from moderngl_window import run_window_config_instance

from ocean.capture import baseline as baselines
from ocean.capture.capture import FILES, CaptureWindow, CaseError, headless_window, refuse, write_files
from ocean.capture.changes import compare
from ocean.capture.report import CaptureError, Report, read_report, write_report
from ocean.capture.tables import show_backends, show_changes
from ocean.capture.timeline import write_trace
from ocean.common import facts
from ocean.common.console import Progress
from ocean.common.files import whole_files, writing
from ocean.settings import Settings, SettingsError

DONE, REGRESSION = 0, 3
REPORT = "report.json"


Choice = dict[str, str]
"""A value for each axis of a matrix, by key path; the axis `config` names a file or preset."""

CONFIG = "config"


def choices(axes: Sequence[str]) -> dict[str, Choice]:
    """All combinations of axes such as `fft.size=256,512`, by the name that their folder has. Without any axis there is
    one, without a name.

    Raises:
        SettingsError: when an axis has no key or no value, or comes twice, or two names would be the same.
    """
    values: dict[str, list[str]] = {}
    for axis in axes:
        key, _, listed = (part.strip() for part in axis.partition("="))
        values_here = [value.strip() for value in listed.split(",")]
        if not key or not all(values_here):
            raise SettingsError(f"--matrix = {axis!r} is not of the form key.path=value,value")
        if key in values:
            raise SettingsError(f"--matrix: {key} comes twice")
        values[key] = values_here
    combinations = [dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*values.values())]
    named = {folder_name(choice): choice for choice in combinations}
    if len(named) < len(combinations):
        raise SettingsError("--matrix: two cases have the same name")
    return named


def folder_name(choice: Choice) -> str:
    """What tells a case from the others, in letters that every file system takes."""
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
    """Render `settings.capture.frames` frames of each case after its warm-up. One report goes into `out`, and samples,
    picture and plot of each case into a folder of its name; a lone case has the name "". `trace` is where to write the
    passes as trace events.

    With a `baseline`, a report of an earlier run of the same cases, passes that became slower by more than the share
    `tolerance` against the reference are a regression. Returns the exit status: 0, or 3 for a regression.

    Raises:
        OutputError: before the first frame, when the folder can't be written.
        CaptureError: when the baseline does not fit, or the GPU can run none of the cases.
        ContextError: when there is no usable OpenGL.
    """
    before = None if baseline is None else read_report(baseline)
    if before is not None:
        for name, settings in cases.items():
            refuse(baselines.case_obstacle(name, settings, before))
    names = [REPORT, *(str(Path(name) / file) for name in cases for file in FILES)]
    with ExitStack() as stack:
        folder = stack.enter_context(whole_files(out, names))
        traces = stack.enter_context(whole_files(trace.parent, (trace.name,))) if trace else None
        progress = stack.enter_context(Progress())
        runs, obstacles = run_cases(cases, before, compare_backends, progress)
        result = make_report(runs, obstacles)
        with writing(out):
            write_report(folder / REPORT, result)
            for name, run in runs.items():
                write_files(folder / name, result, name, run)
        if trace and traces:
            with writing(trace.parent):
                write_trace(traces / trace.name, {name: (run.frames, run.passes) for name, run in runs.items()})
    summarise(result, out)
    if before is None:
        return DONE
    found = compare(baselines.groups_of(before), baselines.groups_of(result), tolerance)
    show_changes(found, tolerance)
    return REGRESSION if any(changes.has_regression for changes in found.values()) else DONE


def run_cases(
    cases: Mapping[str, Settings], before: Report | None, compare_backends: bool, progress: Progress
) -> "tuple[dict[str, CaptureWindow], dict[str, str]]":
    """The cases that could be run, one after another, and why the others could not. A lone one that can't is an error,
    and so is a matrix without any that can."""
    runs: dict[str, CaptureWindow] = {}
    obstacles: dict[str, str] = {}
    for name, settings in cases.items():
        clock = next((run.clock for run in runs.values()), None)
        try:
            with headless_window() as window:
                run = CaptureWindow(settings, before, compare_backends, window, progress, name or "frame", clock)
                run_window_config_instance(run)
        except CaseError as error:
            obstacles[name] = str(error)
        else:
            runs[name] = run
    if not runs:
        raise CaptureError("; ".join(f"{name}: {reason}" if name else reason for name, reason in obstacles.items()))
    return runs, obstacles


def make_report(runs: "Mapping[str, CaptureWindow]", obstacles: dict[str, str]) -> Report:
    """What was measured, and on what."""
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
    """Say what came out and where it lies."""
    for name, case in result.cases.items():
        frame = case.frame.gpu_ms
        times = f"median of {frame.n}; p95 {frame.p95:.2f} ms; {result.clock.name} clock"
        print(f"{name or result.gl.renderer}: {frame.median:.2f} ms a frame ({times})")
        agreeing = [row.agrees for row in case.sea if row.measured is not None]
        print(f"sea: {sum(map(bool, agreeing))} of {len(agreeing)} quantities are as the spectrum says")
        if case.backends is not None:
            show_backends(case.backends)
        for file in FILES:
            print(out / name / file)
    for name, reason in result.obstacles.items():
        print(f"{name} did not run: {reason}")
    print(out / REPORT)
