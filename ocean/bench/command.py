"""The bench as a command: the steps of the workloads one after the other, and their rows shown and written down."""

from pathlib import Path

from ocean.bench.papers import LIST, VERDICTS, undrawn, write_papers
from ocean.bench.papers.measured import Measured
from ocean.bench.peers import reason
from ocean.bench.request import Found, Request
from ocean.bench.rows import Bench, BenchError, with_shares, with_winners, write_csv, write_json
from ocean.bench.tables import markdown, show
from ocean.bench.workloads import WORKLOADS
from ocean.common import facts
from ocean.common.console import Progress
from ocean.files import whole_files, writing

FILES = ("bench.json", "bench.csv", "bench.md")


def bench(request: Request, out: Path, figures: bool = False) -> None:
    """Measure, show the rows and write FILES into `out`, with the papers' figures and claims too if they are asked for.
    A case that fails, or in which Ctrl-C ends the run, takes none of the others with it: what it raised is raised when
    they have been written.

    Raises:
        BenchError: when a workload takes no such size, or no candidate was timed.
        OutputError: when the folder can't be written.
        ContextError: when there is no usable OpenGL.
    """
    with whole_files(out, FILES) as folder:
        result, notes, failures = measure(request)
        if not any(row.median_ms and row.kind != "copy" for row in result.rows):
            raise failures[0] if failures else nothing(result)
        with writing(out):
            write(folder, result)
            drawn = write_papers(Measured((result,)), folder) if figures else []
    show(result)
    print(*drawn, sep="\n")
    for line in (*notes, *(out / name for name in FILES)):
        print(line)
    if failures:
        raise failures[0]


def nothing(result: Bench) -> BenchError:
    """Why no candidate was timed, by the first reason."""
    obstacles = (f"{row.name}: {row.obstacle}" for row in result.rows if row.obstacle)
    first, *others = dict.fromkeys([*obstacles, *result.notes])
    return BenchError(
        f"nothing was timed: {first.removesuffix('.')}" + (f" (and {len(others)} more)" if others else "")
    )


def write(folder: Path, result: Bench) -> None:
    """Write FILES into a folder."""
    write_json(folder / "bench.json", result)
    write_csv(folder / "bench.csv", result.rows)
    (folder / "bench.md").write_text(markdown(result), encoding="utf-8")


def clear(out: Path, measured: Measured) -> None:
    """Remove what an earlier run drew and this one can't."""
    with writing(out):
        for name in undrawn(measured):
            (out / name).unlink(missing_ok=True)


def redraw(source: Path, out: Path) -> None:
    """Make the papers' figures and claims of reports that lie in a folder, or in folders below it.

    Raises:
        BenchError: when there is none, or they are of different machines.
        OutputError: when the folder can't be written.
    """
    measured = Measured.read(source)
    with whole_files(out, (LIST, VERDICTS)) as folder, writing(out):
        lines = write_papers(measured, folder)
    clear(out, measured)
    print(*lines, out / LIST, out / VERDICTS, sep="\n")


def measure(request: Request) -> tuple[Bench, list[str], list[BaseException]]:
    """Run all steps of all workloads; also what they want said at the end, and what was raised meanwhile."""
    found = Found()
    failures: list[BaseException] = []
    steps = [(name, step) for name in request.workloads for step in WORKLOADS[name](request)]
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
                except Exception as error:  # whatever it is, the rows that there are were measured
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
    """What was found, with all that it takes to repeat it."""
    rows, bandwidth = found.rows, None
    if request.uses_gpu and request.given is None:  # a window would stand still for so long
        rows, bandwidth = with_shares(found.rows, request.large_copy)
    return Bench(
        created=facts.utc_now(),
        program=facts.program_facts(),
        gl=facts.gl_facts(request.ctx.info) if request.uses_gpu else None,
        host=facts.host_facts(),
        clock=request.trial.clock if request.uses_gpu else None,
        clock_reason=request.trial.reason if request.uses_gpu else None,
        copy_gb_per_s=bandwidth,
        command=facts.command_line("ocean"),
        seed=request.seed,
        seconds=round(seconds, 1),
        notes=tuple(found.notes),
        peers=tuple(found.peers),
        noise=tuple(found.noise),
        rows=with_winners(rows),
    )
