"""The command `bench`: runs the steps of the workloads one after another, and prints and writes their rows."""

from pathlib import Path

from ocean.bench.copier import bandwidth
from ocean.bench.peers import reason
from ocean.bench.request import Found, Request
from ocean.bench.row_tables import markdown, show
from ocean.bench.rows import Bench, BenchError, Row, with_shares, with_winners
from ocean.bench.workloads import TUNING, WORKLOADS
from ocean.common import facts
from ocean.common.console import Progress
from ocean.common.files import whole_files, writing
from ocean.common.resources import need_tools
from ocean.common.tables import csv_text

FILES = ("bench.json", "bench.csv", "bench.md")


def bench(request: Request, out: Path, figures: bool = False) -> None:
    """Measure, print the rows and write FILES into `out`, with the papers' figures and claims if requested.
    When a case fails, or Ctrl-C stops the run, the rows of the other cases are written before the exception is raised.

    Raises:
        InputError: when an installation without tools should draw figures.
        BenchError: when a workload takes no such size, or no candidate was timed.
        OutputError: when the folder can't be written.
        ContextError: when there is no usable OpenGL.
    """
    if figures:
        need_tools("--figures")
    with whole_files(out, FILES) as folder:
        result, notes, failures = measure(request)
        if not any(row.ran and row.kind != "copy" for row in result.rows):
            raise failures[0] if failures else nothing(result)
        drawn: list[str] = []
        with writing(out):
            write(folder, result)
            if figures:
                from tools.papers import write_papers
                from tools.papers.benches import Benches

                drawn = write_papers(Benches((result,)), folder)
    show(result)
    print(*drawn, sep="\n")
    for line in (*notes, *(out / name for name in FILES)):
        print(line)
    if failures:
        raise failures[0]
    for name in request.backends:
        rows = [row for row in result.rows if row.name == name and row.kind == "backend"]
        if rows and not any(row.median_ms for row in rows):
            raise BenchError(f"--backends: {name} ran at no size: {rows[0].obstacle}")


def nothing(result: Bench) -> BenchError:
    """Return the error for a run without times, with the first reason."""
    obstacles = (f"{row.name}: {row.obstacle}" for row in result.rows if row.obstacle)
    first, *others = dict.fromkeys([*obstacles, *result.notes])
    return BenchError(
        f"nothing was timed: {first.removesuffix('.')}" + (f" (and {len(others)} more)" if others else "")
    )


def write(folder: Path, result: Bench) -> None:
    result.write(folder / "bench.json")
    names = [name for name in Row.model_fields if name != "samples_ms"]  # samples are only in the JSON
    table = csv_text(names, ([getattr(row, name) for name in names] for row in result.rows))
    (folder / "bench.csv").write_text(table, encoding="utf-8", newline="\n")
    (folder / "bench.md").write_text(markdown(result), encoding="utf-8")


def measure(request: Request) -> tuple[Bench, list[str], list[BaseException]]:
    """Run all steps of all workloads. Return the record, the notes to print at the end, and the raised
    exceptions."""
    found = Found()
    failures: list[BaseException] = []
    steps = [(name, step) for name in request.workloads for step in (WORKLOADS | TUNING)[name](request)]
    try:
        with Progress() as progress:
            progress.start("case", len(steps))
            for number, (workload, step) in enumerate(steps):
                if request.is_over:
                    found.notes.append(f"{len(steps) - number} of {len(steps)} cases were left out for time.")
                    break
                try:
                    one = step()
                except KeyboardInterrupt as stop:
                    failures.append(stop)
                    found.notes.append(f"Ctrl-C ended it at case {number + 1} of {len(steps)}, of {workload}.")
                    break
                except Exception as error:  # the rows of other cases are kept
                    failures.append(error)
                    found.notes.append(f"case {number + 1} of {len(steps)}, of {workload}, failed: {reason(error)}")
                    progress.advance()
                    continue
                found.rows += one.rows
                found.noise += one.noise
                found.notes += one.notes
                found.peers += [peer for peer in one.peers if peer not in found.peers]
                progress.advance()
        return record(request, found, request.elapsed), found.notes, failures
    finally:
        request.release()


def record(request: Request, found: Found, seconds: float) -> Bench:
    rows, fastest = found.rows, None
    if request.uses_gpu and request.given is None:  # the copy would stall a window
        rows, fastest = with_shares(found.rows, bandwidth(request.ctx, request.trial.clock))
    return Bench(
        created=facts.utc_now(),
        program=facts.program_facts(),
        gl=facts.gl_facts(request.ctx.info) if request.uses_gpu else None,
        host=facts.host_facts(),
        clock=request.trial.clock if request.uses_gpu else None,
        clock_reason=request.trial.reason if request.uses_gpu else None,
        copy_gb_per_s=fastest,
        command=facts.command_line("ocean"),
        seed=request.seed,
        seconds=round(seconds, 1),
        notes=tuple(found.notes),
        peers=tuple(found.peers),
        noise=tuple(found.noise),
        rows=with_winners(rows),
    )
