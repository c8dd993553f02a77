"""The commands that draw or measure the sea, or describe the machine: window, capture, sweep, sea, bench, doctor."""

import gc
from math import inf
from pathlib import Path
from typing import Annotated, Literal

import typer
from typer import Option

from ocean.cli import options as shared
from ocean.common.errors import InputError
from ocean.common.resources import AUTOMATIC, LEVELS, Quality


def window(
    config: shared.Config = None,
    overrides: shared.Overrides = None,
    backend: Annotated[
        Literal["glfw", "pyglet", "sdl2"] | None, Option("--window", help="Window library; glfw by default.")
    ] = None,
    quality: Annotated[
        Quality | None,
        Option(
            help="automatic (default) starts at the level measured once for this device, and holds the display's rate."
        ),
    ] = None,
    quit_after: Annotated[int | None, Option(help="Quit after this many frames.", min=1)] = None,
    screenshot: Annotated[
        Path | None, Option(help="Write the last frame of the window to this PNG.", metavar="FILE")
    ] = None,
    fresh: Annotated[
        bool, Option("--fresh", help="Start with the defaults; forget session and quality, not bookmarks.")
    ] = False,
    no_cache: shared.NoCache = False,
) -> None:
    """Open the window: fly over the sea, switch the FFT, watch the timers.

    F1 lists the keys. A quality is a config of that name; all other configs override it. Without --config, --set or
    --quality the window restores your last session. With --quit-after no session is restored or saved.

    Examples:

      ocean window
      ocean window --config gale --set fft.backend=stockham-radix4
      ocean window --config storm --config my.toml --quality ultra
    """
    gc.disable()  # imported objects stay; collecting them takes a tenth of the time to start
    from ocean.window import session

    gc.freeze()
    gc.enable()
    shared.choose_cache(no_cache)
    level = quality or AUTOMATIC
    above = [AUTOMATIC] if level == AUTOMATIC else []
    typed = [*(["window.automatic=true"] if quality == AUTOMATIC else []), *(overrides or [])]  # over configs too
    choices = {name: shared.read_settings(config, typed, below=[name, *above]) for name in LEVELS}
    raise typer.Exit(
        session.run(
            choices.__getitem__,
            quality=None if level == AUTOMATIC else level,
            window=backend,
            quit_after=quit_after,
            screenshot=screenshot,
            state=None if quit_after else session.state_file(),
            resumes=not (config or overrides or quality),
            fresh=fresh,
            opened=Path(config[-1]) if config and Path(config[-1]).is_file() else None,
        )
    )


def capture(
    out: shared.Out,
    axes: shared.AxesArgument = None,
    config: shared.Config = None,
    overrides: shared.Overrides = None,
    matrix: shared.MatrixOption = None,
    frames: shared.Frames = None,
    warmup: shared.Warmup = None,
    resolution: Annotated[
        str | None, Option(help="Size of the picture.", metavar="WxH", show_default="that of [capture], 1280x720")
    ] = None,
    compare_backends: Annotated[bool, Option("--compare-backends", help="Also measure every FFT backend.")] = False,
    trace: Annotated[Path | None, Option(help="File for a trace of the passes, for Perfetto.", metavar="FILE")] = None,
    baseline: Annotated[
        list[Path] | None,
        Option(help="A report.json to compare this run with; repeat to add a fixed baseline.", metavar="FILE"),
    ] = None,
    tolerance: shared.Tolerance = None,
    no_cache: shared.NoCache = False,
) -> None:
    """Render frames without a window and report the time of each pass.

    The time step between frames is fixed, so equal settings make equal pictures. The folder gets
    report.json (machine, settings, statistics and samples of each pass), frames.csv, frame.png and timings.png. With
    --matrix each combination has a folder for its files, and all share one report. A combination that this GPU can't
    run is skipped, and the report gives the reason.

    The exit status is 3 when a pass is slower than in a baseline, and 6 when noise hides whether one is. Times are
    divided by the times of a reference workload that runs beside every frame. A pass is slower when the 95 % bootstrap
    interval of the ratio of the two medians lies beyond the tolerance and beyond the noise of both runs.

    Examples:

      ocean capture --config gale --frames 300 --out out/gale
      ocean capture --config gale --frames 300 --baseline out/gale/report.json --out out/again
      ocean capture --baseline last.json --baseline release.json --out out/now
      ocean capture --matrix fft.backend=dft,four-step fft.size=256,512 --out out/kernels
      ocean capture --matrix config=calm,gale,storm --out out/seas
      ocean capture --frames 20 --trace out/trace.json --out out/trace
    """
    from ocean.capture.run import capture as run

    limit = shared.tolerated(tolerance)
    if not baseline and tolerance is not None:
        raise InputError(f"--tolerance = {tolerance:g} compares with a baseline; name one by --baseline FILE")
    shared.choose_cache(no_cache)
    values = {"capture.frames": frames, "capture.warmup": warmup, **shared.picture_size(resolution)}
    found = shared.read_cases(config, overrides, matrix, axes, values)
    cases = {name: settings for name, (_, settings) in found.items()}
    status = run(cases, out, compare_backends=compare_backends, baselines=baseline or [], tolerance=limit, trace=trace)
    raise typer.Exit(status)


def sweep(
    out: shared.Out,
    axes: shared.AxesArgument = None,
    config: shared.Config = None,
    overrides: shared.Overrides = None,
    matrix: shared.MatrixOption = None,
    frames: shared.Frames = None,
    warmup: shared.Warmup = None,
    device: shared.Device = "gpu",
    resume: shared.Resume = False,
    workers: shared.Workers = None,
    scheduler: shared.Scheduler = None,
) -> None:
    """Measure the sea of every combination of settings, and write one table of statistics and times.

    sweep.parquet has a row for each combination: its settings, the statistics predicted by its spectrum and measured on
    its maps, and the time of a frame without drawing. Workers on one machine share its processors, so use a single one
    to measure times.

    Examples:

      ocean sweep --matrix sea.wind.speed=5,10,15,20 sea.seed=1,2,3 --device cpu --out out/winds
      ocean sweep --matrix fft.backend=dft,four-step fft.size=256,512 --out out/kernels
    """
    from ocean.export.sweep import SweepCase
    from ocean.export.sweep import sweep as run

    shared.refuse_both(workers, scheduler)
    values = {"capture.frames": frames, "capture.warmup": warmup}
    found = shared.read_cases(config, overrides, matrix, axes, values).values()
    cases = [SweepCase(index, choice, settings, device) for index, (choice, settings) in enumerate(found)]
    raise typer.Exit(run(cases, out, resume=resume, workers=workers, scheduler=scheduler))


def sea(
    config: shared.Config = None,
    overrides: shared.Overrides = None,
    as_json: Annotated[bool, Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Print the predicted statistics of a spectrum: heights, periods, slopes, folds and foam. Needs no GPU.

    Columns: the spectrum's integral, its value on the cascades' grid, and the standard deviation (sd) of one draw.

    Examples:

      ocean sea --config gale
      ocean sea --config storm --set fft.size=256 --json
    """
    import json
    from dataclasses import asdict

    from ocean.common.console import print_table, say
    from ocean.validation.survey import sea_notes, survey_of

    settings = shared.read_settings(config, overrides)
    survey = survey_of(settings)
    notes = sea_notes(settings, survey)
    if as_json:
        rows = [{key: value for key, value in asdict(row).items() if key != "measured"} for row in survey.quantities]
        print(json.dumps({"quantities": rows, "notes": notes}, indent=2))  # escapes what a file says
        return
    size, count = settings.fft.size, settings.cascades.count
    lines = []
    for row in survey.quantities:
        unit = "" if row.unit == "1" else row.unit
        lines.append((row.name, unit, *(f"{value:.4g}" for value in (row.integral, row.expected, row.deviation))))
    print_table(("", "unit", "spectrum", f"{count} x {size}²", "sd of a draw"), lines, texts=2)
    for name, value in notes.items():
        say(f"{name}: {value}")


def bench(
    out: shared.Out,
    workload: Annotated[str | None, Option("--workload", "-w", help="Workloads, with commas; default ocean.")] = None,
    sizes: Annotated[str | None, Option(help="Sizes, with commas; default the workload's own.")] = None,
    backends: Annotated[str | None, Option(help="FFT backends, with commas; default all.")] = None,
    peers: Annotated[
        str | None, Option(help="CUDA libraries, with commas: cufft, vkfft; or none; default all.")
    ] = None,
    rounds: Annotated[int | None, Option(help="Samples of each candidate; default 11.", min=6, max=9999)] = None,
    tune: Annotated[bool, Option("--tune", help="Find the best options for this GPU and save them for auto.")] = False,
    seconds: Annotated[
        float | None, Option(help="Start no case after this many seconds; skipped cases are named.", min=0.0)
    ] = None,
    seed: Annotated[
        int | None, Option(help="Random seed (default: a new one).", metavar="N", min=0, max=2**31 - 1)
    ] = None,
    no_cache: shared.NoCache = False,
) -> None:
    """Measure every FFT backend on this GPU, and CUDA libraries if they are installed.

    Writes bench.json, bench.csv and bench.md. Workloads are ocean, image, line, cascades, cube and scene (pictures by
    pass). The exit status is 2 when a backend of --backends ran at no size.

    Examples:

      ocean bench --workload ocean --sizes 256,512 --out out/bench
      ocean bench --workload line --backends auto,stockham-registers,four-step --out out/lines
      ocean bench --workload scene --out out/scene
      ocean bench --tune --sizes 512 --out out/tuned
      ocean bench --tune --workload line --out out/tuned-lines
    """
    from ocean.bench.command import WORKLOADS
    from ocean.bench.command import bench as run
    from ocean.bench.contest import Request
    from ocean.bench.peers import PEERS
    from ocean.fft import BACKENDS
    from ocean.fft.measure import ROUNDS

    if tune and workload not in (None, "ocean", "line"):
        raise InputError(f"--workload = {workload!r} has nothing to tune; write --tune --workload ocean, or line")
    shared.choose_cache(no_cache)
    wanted = shared.once("ocean" if workload is None else workload)
    workloads = tuple(shared.one_of("--workload", name, tuple(WORKLOADS)) for name in wanted)
    if strangers := ",".join(name for name in shared.once(backends) if name in PEERS):
        raise InputError(f"--backends = {strangers!r} names no backend; --peers {strangers} compares with libraries")
    chosen = tuple(shared.one_of("--backends", name, tuple(BACKENDS)) for name in shared.once(backends))
    lengths = list(dict.fromkeys(int(size) if size.isdecimal() else 0 for size in shared.once(sizes)))
    if min(lengths, default=2) < 2:
        raise InputError(f"--sizes = {sizes!r} is not a list of whole numbers from 2 up")
    peered = shared.once(",".join(PEERS) if peers is None else peers)
    others = () if peers == "none" else tuple(shared.one_of("--peers", name, tuple(PEERS)) for name in peered)
    if tune:
        workloads = ("tune-lines",) if workload == "line" else ("tune",)
    request = Request(workloads, tuple(lengths), chosen, others, rounds or ROUNDS, inf if seconds is None else seconds)
    if seed is not None:
        request.seed = seed
    run(request, out)


def doctor(config: shared.Config = None, overrides: shared.Overrides = None) -> None:
    """Print the limits of this machine's OpenGL, and the clock that times passes.

    With a config or settings, also list the memory of each texture and buffer of a frame, in MiB.

    Examples:

      ocean doctor
      ocean doctor --config storm
    """
    from ocean.cli.doctor import report

    report(typer.echo, shared.read_settings(config, overrides) if config or overrides else None)
