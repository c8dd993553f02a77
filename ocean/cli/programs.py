"""The commands that draw the sea or ask the machine: window, capture, doctor."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from ocean.cli import completion
from ocean.cli.options import (
    Config,
    NoCache,
    Overrides,
    Tolerance,
    choose_cache,
    listed,
    one_of,
    read_settings,
    share,
)


def window(
    config: Config = None,
    overrides: Overrides = None,
    backend: Annotated[
        str,
        typer.Option(
            "--window",
            help="Window library: pyglet, glfw or sdl2.",
            autocompletion=completion.one_of("pyglet", "glfw", "sdl2"),
        ),
    ] = "pyglet",
    profile: Annotated[
        str,
        typer.Option(
            help="auto, software or full: what a software renderer starts with.",
            autocompletion=completion.one_of("auto", "software", "full"),
        ),
    ] = "auto",
    quit_after: Annotated[int | None, typer.Option(help="Quit after this many frames.", min=1)] = None,
    screenshot: Annotated[Path | None, typer.Option(help="Write the last frame of the window to this PNG.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin with the defaults, and not as it was left.")] = False,
    no_cache: NoCache = False,
) -> None:
    """Open the window: fly over the sea, switch the FFT, watch the timers.

    F1 lists the keys. A software renderer starts with the preset software; --profile full overrules that. Without
    --config, --set or --profile the window begins as it was left; with --quit-after it neither looks for that nor keeps
    anything.

    Examples:

      ocean window
      ocean window --config gale --set fft.backend=stockham-radix4
      ocean window --config storm --config my.toml --profile full
    """
    from ocean import last_state, opening

    choose_cache(no_cache)
    one_of("--profile", profile, ("auto", "software", "full"))
    choices = {
        is_software: read_settings(config, overrides, below=["software"] if is_software else [])
        for is_software in (False, True)
    }
    choose: Callable[[bool], Any] = {
        "auto": lambda is_software: choices[is_software],
        "software": lambda is_software: choices[True],
        "full": lambda is_software: choices[False],
    }[profile]
    raise typer.Exit(
        opening.run(
            choose,
            window=backend,
            quit_after=quit_after,
            screenshot=screenshot,
            state=None if quit_after else last_state.state_file(),
            resumes=not (config or overrides or profile != "auto"),
            fresh=fresh,
        )
    )


def capture(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for report, picture and plot.", metavar="DIR")],
    axes: Annotated[
        list[str] | None,
        typer.Argument(help="More axes of the matrix.", metavar="[KEY=A,B]...", autocompletion=completion.axes),
    ] = None,
    config: Config = None,
    overrides: Overrides = None,
    matrix: Annotated[
        list[str] | None,
        typer.Option(
            help="Capture every combination of values; config=A,B for configs.",
            metavar="KEY=A,B",
            autocompletion=completion.axes,
        ),
    ] = None,
    frames: Annotated[int | None, typer.Option(help="Frames to measure.")] = None,
    warmup: Annotated[int | None, typer.Option(help="Frames before those.")] = None,
    resolution: Annotated[str | None, typer.Option(help="Size of the picture, as 1280x720.", metavar="WxH")] = None,
    compare_backends: Annotated[bool, typer.Option("--compare-backends", help="Measure every backend too.")] = False,
    trace: Annotated[Path | None, typer.Option(help="Write the passes as trace events, for Perfetto.")] = None,
    baseline: Annotated[Path | None, typer.Option(help="A report.json to hold this run against.")] = None,
    tolerance: Tolerance = 0.25,
    no_cache: NoCache = False,
) -> None:
    """Render frames without a window and report how long each pass took.

    Frames are at fixed steps of time, so the same settings make the same picture on every run. A folder gets
    report.json (machine, settings, statistics and samples of each pass), frames.csv, frame.png and timings.png. Of a
    matrix each case has a folder for its files, and all have one report; a case that can't run is left out, and the
    report says why.

    Exit status 3 says that a pass is slower than in the baseline: that the 95 % bootstrap interval of the ratio of both
    medians lies beyond the tolerance, against fixed work that is timed beside every frame.

    Examples:

      ocean capture --config gale --frames 300 --out out/gale
      ocean capture --config gale --frames 300 --baseline out/gale/report.json --out out/again
      ocean capture --matrix fft.backend=dft,four-step fft.size=256,512 --out out/kernels
      ocean capture --matrix config=calm,gale,storm --out out/seas
      ocean capture --frames 20 --trace out/trace.json --out out/trace
    """
    from ocean.matrix import CONFIG, choices
    from ocean.matrix import capture as run
    from ocean.settings import SettingsError, with_values

    choose_cache(no_cache)
    values: dict[str, Any] = {"capture.frames": frames, "capture.warmup": warmup}
    if resolution is not None:
        width, x, height = resolution.lower().partition("x")
        if not (x and width.isdecimal() and height.isdecimal()):
            raise SettingsError(f"--resolution = {resolution!r} is not of the form 1280x720")
        values |= {"capture.width": int(width), "capture.height": int(height)}
    if axes and not matrix:
        raise SettingsError(f"{axes[0]!r} stands alone; an axis of a matrix comes after --matrix")
    cases = {}
    for name, choice in choices([*(matrix or []), *(axes or [])]).items():
        configs = [*(config or []), *([choice.pop(CONFIG)] if CONFIG in choice else [])]
        settings = read_settings(configs, [*(overrides or []), *(f"{key}={value}" for key, value in choice.items())])
        cases[name] = with_values(settings, {key: value for key, value in values.items() if value is not None})
    raise typer.Exit(
        run(
            cases,
            out,
            compare_backends=compare_backends,
            baseline=baseline,
            tolerance=share("--tolerance", tolerance),
            trace=trace,
        )
    )


def sea(
    config: Config = None,
    overrides: Overrides = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Say what a sea must measure: heights, periods, slopes, folds and foam. Needs no GPU.

    Examples:

      ocean sea --config gale
      ocean sea --config storm --set fft.size=256 --json
    """
    from ocean.console import show_sea

    show_sea(read_settings(config, overrides), as_json)


def bench(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the results.", metavar="DIR")],
    workload: Annotated[str, typer.Option("--workload", "-w", help="What to measure, with commas between.")] = "ocean",
    sizes: Annotated[str | None, typer.Option(help="Sizes, with commas between.")] = None,
    backends: Annotated[str | None, typer.Option(help="FFT backends, with commas between; all that run.")] = None,
    peers: Annotated[
        str, typer.Option(help="Peers in CUDA: cufft, vkfft, pipeline, dissertation, with commas between, or none.")
    ] = "cufft,vkfft,pipeline,dissertation",
    rounds: Annotated[int, typer.Option(help="Samples of each.", min=3)] = 11,
    tune: Annotated[
        bool, typer.Option("--tune", help="Look for the best options, and let auto find them later.")
    ] = False,
    no_cache: NoCache = False,
) -> None:
    """Measure every FFT of the program on this GPU, beside what CUDA has there.

    Writes bench.json, bench.csv and bench.md. Workloads are ocean, image, line, single and frame.

    Examples:

      ocean bench --workload ocean --sizes 256,512 --out out/bench
      ocean bench --workload line,single --backends auto,stockham-registers,four-step --out out/lines
      ocean bench --tune --sizes 512 --out out/tuned
    """
    from ocean.bench.command import bench as run
    from ocean.bench.peers import PEERS
    from ocean.bench.request import Request
    from ocean.bench.workloads import WORKLOADS
    from ocean.fft import BACKENDS
    from ocean.settings import SettingsError

    choose_cache(no_cache)
    names = tuple(name for name in WORKLOADS if name != "tune")
    workloads = tuple(one_of("--workload", name, names) for name in listed(workload or " "))
    chosen = tuple(one_of("--backends", name, tuple(BACKENDS)) for name in listed(backends))
    lengths = [int(size) if size.isdecimal() else 0 for size in listed(sizes)]
    if min(lengths, default=2) < 2:
        raise SettingsError(f"--sizes = {sizes!r} is not a list of whole numbers from 2 up")
    others = () if peers == "none" else tuple(one_of("--peers", name, PEERS) for name in listed(peers))
    run(Request(("tune",) if tune else workloads, tuple(lengths), chosen, others, rounds), out)


def doctor() -> None:
    """Say what this machine's OpenGL can do, and why the timers use the clock that they use.

    Example:

      ocean doctor
    """
    from ocean.doctor import report

    report(typer.echo)
