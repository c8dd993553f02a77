"""The command line: options into settings, errors into one sentence and an exit status.

Exit status: 0 done, 2 bad input, 3 a regression against a baseline, 4 no usable OpenGL. What a command needs is
imported inside it, so that each starts fast.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from ocean import __version__

FAILED, BAD_INPUT, NO_CONTEXT = 1, 2, 4

Config = Annotated[
    list[str] | None,
    typer.Option("--config", "-c", help="A TOML file, or a preset's name; of several, later ones win.", metavar="FILE"),
]
Overrides = Annotated[
    list[str] | None, typer.Option("--set", "-s", help="A single setting, such as fft.size=256.", metavar="KEY=VALUE")
]

Backend = Annotated[str, typer.Option("--backend", "-b", help="FFT backend; auto picks one by size.")]
BackendOptions = Annotated[
    list[str] | None,
    typer.Option("--set-option", help="An option of the backend, such as radix=8.", metavar="KEY=VALUE"),
]

NoCache = Annotated[bool, typer.Option("--no-cache", help="Let auto forget what bench --tune found.")]

app = typer.Typer(
    name="ocean",
    help="A real-time ocean: Tessendorf waves, with FFT algorithms in GLSL that can be switched while it runs. "
    "Without a command it opens the window.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def main() -> None:
    """Run the command line."""
    from ocean.fft import FFTError
    from ocean.gpu.context import ContextError
    from ocean.gpu.shaders import ShaderError
    from ocean.settings import SettingsError

    try:
        app()
    except (SettingsError, FFTError) as error:
        fail(error, BAD_INPUT)
    except ShaderError as error:
        fail(f"a shader does not compile: {error}", FAILED)
    except ContextError as error:
        fail(error, NO_CONTEXT)


def fail(error: object, status: int) -> None:
    """Say what is wrong and leave."""
    typer.echo(f"ocean: {error}", err=True)
    sys.exit(status)


def read_settings(config: list[str] | None, overrides: list[str] | None, *, below: list[str] | None = None) -> Any:
    """Settings of configs (over those of `below`) and overrides."""
    from ocean.settings import load_settings

    paths = [find_config(name) for name in [*(below or []), *(config or [])]]
    return load_settings(*paths, overrides=overrides or [])


def read_backend(backend: str, options: list[str] | None) -> Any:
    """The settings of a Fourier transform: a backend, and options of it."""
    from ocean.settings import SettingsError

    for option in options or []:
        if not option.partition("=")[0].strip() or "=" not in option:
            raise SettingsError(f"--set-option = {option!r} is not of the form key=value")
    return read_settings([], [f"fft.backend='{backend}'", *(f"fft.options.{option}" for option in options or [])]).fft


def choose_cache(no_cache: bool) -> None:
    """Let `auto` find what was tuned on this GPU, or not."""
    from ocean.tuned import use_cache

    use_cache(not no_cache)


def listed(text: str | None) -> list[str]:
    """The parts of a list with commas."""
    return [part.strip() for part in text.split(",")] if text else []


def one_of(option: str, value: str, names: tuple[str, ...]) -> Any:
    """The value of an option that is one of these names."""
    from ocean.settings import SettingsError

    if value not in names:
        raise SettingsError(f"{option} = {value!r} is not one of {', '.join(names)}")
    return value


def find_config(name: str) -> Path:
    """A config by path, or by the name of a preset."""
    from ocean.explanations import nearest
    from ocean.resources import config, presets
    from ocean.settings import SettingsError

    path = Path(name)
    if path.exists():
        return path
    if config(path.stem).exists() and (path.parent == Path() or path.parent.name == "configs"):
        return config(path.stem)
    raise SettingsError(f"there is no config {name!r}{nearest(path.stem, presets())}")


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ocean {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        window()


@app.command()
def window(
    config: Config = None,
    overrides: Overrides = None,
    backend: Annotated[str, typer.Option("--window", help="Window library: pyglet, glfw or sdl2.")] = "pyglet",
    profile: Annotated[
        str, typer.Option(help="auto, software or full: what a software renderer starts with.")
    ] = "auto",
    quit_after: Annotated[int | None, typer.Option(help="Quit after this many frames.", min=1)] = None,
    screenshot: Annotated[Path | None, typer.Option(help="Write the last frame of the window to this PNG.")] = None,
    no_cache: NoCache = False,
) -> None:
    """Open the window: fly over the sea, switch the FFT, watch the timers.

    Example: ocean window --config gale --set fft.backend=stockham-radix4
    """
    from ocean import desktop

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
    raise typer.Exit(desktop.run(choose, window=backend, quit_after=quit_after, screenshot=screenshot))


@app.command()
def capture(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for report, picture and plot.", metavar="DIR")],
    config: Config = None,
    overrides: Overrides = None,
    frames: Annotated[int | None, typer.Option(help="Frames to measure.")] = None,
    warmup: Annotated[int | None, typer.Option(help="Frames before those.")] = None,
    resolution: Annotated[str | None, typer.Option(help="Size of the picture, as 1280x720.", metavar="WxH")] = None,
    compare_backends: Annotated[bool, typer.Option("--compare-backends", help="Measure every backend too.")] = False,
    baseline: Annotated[Path | None, typer.Option(help="A report.json to hold this run against.")] = None,
    tolerance: Annotated[float, typer.Option(help="How much slower than the baseline is still no regression.")] = 0.25,
    no_cache: NoCache = False,
) -> None:
    """Render frames without a window and report how long each pass took.

    Example: ocean capture --frames 300 --config gale --out out/gale

    Writes report.json, frames.csv, frame.png and timings.png. Exit status 3 is a regression against the baseline.
    """
    from ocean.capture import capture as run
    from ocean.settings import SettingsError, with_values

    choose_cache(no_cache)
    values: dict[str, Any] = {"capture.frames": frames, "capture.warmup": warmup}
    if resolution is not None:
        width, x, height = resolution.lower().partition("x")
        if not (x and width.isdecimal() and height.isdecimal()):
            raise SettingsError(f"--resolution = {resolution!r} is not of the form 1280x720")
        values |= {"capture.width": int(width), "capture.height": int(height)}
    settings = with_values(
        read_settings(config, overrides), {key: value for key, value in values.items() if value is not None}
    )
    if not tolerance >= 0:
        raise SettingsError(f"--tolerance = {tolerance} is not 0 or more")
    raise typer.Exit(run(settings, out, compare_backends=compare_backends, baseline=baseline, tolerance=tolerance))


@app.command()
def transform(
    file: Annotated[str, typer.Argument(help="Text with a number, or re and im, a line; - reads standard input.")],
    backend: Backend = "auto",
    options: BackendOptions = None,
    precision: Annotated[str, typer.Option(help="single or double: what the GPU computes in.")] = "single",
    inverse: Annotated[bool, typer.Option("--inverse", help="The inverse transform, divided by the length.")] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Which elements and roots each thread takes, stage by stage.")
    ] = False,
    lines: Annotated[int, typer.Option(help="Most lines of the table, and of each stage of the trace.", min=1)] = 32,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the GPU's result as text.")] = None,
    no_cache: NoCache = False,
) -> None:
    """Transform a file of samples on the GPU and by numpy, and say where the two differ and how long each takes.

    Example: ocean transform samples.txt --backend stockham-radix4 --trace

    Empty lines and what follows a # are left out. Where the backend needs a power of two, zeros make up for it.
    """
    from ocean.transform import transform as run

    choose_cache(no_cache)
    chosen = one_of("--precision", precision, ("single", "double"))
    settings = read_backend(backend, options)
    run(file, settings, typer.echo, precision=chosen, inverse=inverse, with_trace=trace, lines=lines, out=out)


@app.command()
def image(
    picture: Annotated[Path, typer.Argument(help="Any picture that Pillow reads, of any size.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for pictures and report.", metavar="DIR")],
    channels: Annotated[str, typer.Option(help="luminance or rgb: what is transformed.")] = "luminance",
    backend: Backend = "auto",
    options: BackendOptions = None,
    no_cache: NoCache = False,
) -> None:
    """Transform a picture, show its spectrum, transform it back, and say what that lost.

    Example: ocean image docs/pictures/ocean.jpg --channels rgb --out out/image

    Writes spectrum.png (centred, in decibels), roundtrip.png, difference.png (amplified) and report.json.
    """
    from ocean.image import image as run

    choose_cache(no_cache)
    run(picture, out, read_backend(backend, options), typer.echo, one_of("--channels", channels, ("luminance", "rgb")))


@app.command()
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

    Example: ocean bench --workload ocean --sizes 256,512 --out out/bench

    Writes bench.json, bench.csv and bench.md. Workloads are ocean, image, line, single and frame.
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


@app.command()
def doctor() -> None:
    """Say what this machine's OpenGL can do, and why the timers use the clock that they use."""
    from ocean.doctor import report

    report(typer.echo)
