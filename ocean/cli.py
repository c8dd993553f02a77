"""The command line: options into settings, errors into one sentence and an exit status.

Exit status: 0 done, 2 bad input, 3 a regression against a baseline, 4 no usable OpenGL. What a command needs is
imported inside it, so that each starts fast. Docstrings are the manual: paragraphs are filled, indented lines stay.
"""

import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from ocean import __version__, completion

FAILED, BAD_INPUT, NO_CONTEXT = 1, 2, 4

Config = Annotated[
    list[str] | None,
    typer.Option(
        "--config",
        "-c",
        help="A TOML file, or a preset's name; of several, later ones win.",
        metavar="FILE",
        autocompletion=completion.configs,
    ),
]
Overrides = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        "-s",
        help="A single setting, such as fft.size=256.",
        metavar="KEY=VALUE",
        autocompletion=completion.settings,
    ),
]
Tolerance = Annotated[float, typer.Option(help="How much slower is still no regression, as a share.")]

Backend = Annotated[
    str,
    typer.Option("--backend", "-b", help="FFT backend; auto picks one by size.", autocompletion=completion.backends),
]
BackendOptions = Annotated[
    list[str] | None,
    typer.Option("--set-option", help="An option of the backend, such as radix=8.", metavar="KEY=VALUE"),
]

app = typer.Typer(
    name="ocean",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
)
configs = typer.Typer(help="Show, compare and describe configs.", no_args_is_help=True)
reports = typer.Typer(help="Compare reports of captures and benches.", no_args_is_help=True)
app.add_typer(configs, name="config")
app.add_typer(reports, name="report")


def main() -> None:
    """Run the command line."""
    for command in (*app.registered_commands, *configs.registered_commands, *reports.registered_commands):
        command.help = filled(inspect.getdoc(command.callback) or "")
    if app.registered_callback:
        app.registered_callback.help = filled(inspect.getdoc(root) or "")
    try:
        completion.run(app)
    except Exception as error:
        if (status := status_of(error)) is None:
            raise
        fail(f"a shader does not compile: {error}" if status == FAILED else error, status)


def filled(text: str) -> str:
    """Text whose paragraphs are lines, so that a terminal of any width breaks them; indented lines stay as they are."""
    return re.sub(r"(?<=\S)\n(?=\S)", " ", text)


def status_of(error: Exception) -> int | None:
    """The exit status of an error that a sentence explains; None for one that is a mistake of ours."""
    from ocean.fft import FFTError
    from ocean.gpu.context import ContextError
    from ocean.gpu.shaders import ShaderError
    from ocean.settings import SettingsError

    statuses = {SettingsError: BAD_INPUT, FFTError: BAD_INPUT, ShaderError: FAILED, ContextError: NO_CONTEXT}
    return next((status for kind, status in statuses.items() if isinstance(error, kind)), None)


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


def one_of(option: str, value: str, names: tuple[str, ...]) -> Any:
    """The value of an option that is one of these names."""
    from ocean.settings import SettingsError

    if value not in names:
        raise SettingsError(f"{option} = {value!r} is not one of {', '.join(names)}")
    return value


def share(option: str, value: float) -> float:
    """The value of an option that is 0 or more."""
    from ocean.settings import SettingsError

    if not value >= 0:
        raise SettingsError(f"{option} = {value} is not 0 or more")
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
    """A real-time ocean: a random sea from oceanography's spectra, with FFT algorithms in GLSL that can be switched
    while it runs. Without a command it opens the window.

    Settings come from TOML files (--config: a path, or a preset such as gale), then from single keys (--set), and later
    ones win. Completion in the shell knows keys and values; --install-completion sets it up.

    Examples:

      ocean
      ocean window --config gale --set fft.backend=stockham-radix4
      ocean capture --config gale --compare-backends --out out/gale
      ocean config show --config storm --set sea.seed=7

    Exit status: 0 done, 1 a mistake of the program, 2 bad input (the message names it), 3 slower than a baseline,
    4 no usable OpenGL.
    """
    if context.invoked_subcommand is None:
        window()


@app.command()
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
) -> None:
    """Open the window: fly over the sea, switch the FFT, watch the timers.

    F1 lists the keys. A software renderer starts with the preset software; --profile full overrules that.

    Examples:

      ocean window
      ocean window --config gale --set fft.backend=stockham-radix4
      ocean window --config storm --config my.toml --profile full
    """
    from ocean import desktop

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


@app.command()
def transform(
    file: Annotated[str, typer.Argument(help="Text with a number, or re and im, a line; - reads standard input.")],
    backend: Backend = "auto",
    options: BackendOptions = None,
    precision: Annotated[
        str,
        typer.Option(
            help="single or double: what the GPU computes in.", autocompletion=completion.one_of("single", "double")
        ),
    ] = "single",
    inverse: Annotated[bool, typer.Option("--inverse", help="The inverse transform, divided by the length.")] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Which elements and roots each thread takes, stage by stage.")
    ] = False,
    lines: Annotated[int, typer.Option(help="Most lines of the table, and of each stage of the trace.", min=1)] = 32,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the GPU's result as text.")] = None,
) -> None:
    """Transform a file of samples on the GPU and by numpy, and say where the two differ and how long each takes.

    Empty lines and what follows a # are left out. Where the backend needs a power of two, zeros make up for it.

    Examples:

      seq 1 12 | ocean transform - --backend stockham-radix4 --trace
      ocean transform samples.txt --precision double --out spectrum.txt
      ocean transform samples.txt --backend stockham-global --set-option radix=8 --inverse
    """
    from ocean.transform import transform as run

    chosen = one_of("--precision", precision, ("single", "double"))
    settings = read_backend(backend, options)
    run(file, settings, typer.echo, precision=chosen, inverse=inverse, with_trace=trace, lines=lines, out=out)


@app.command()
def image(
    picture: Annotated[Path, typer.Argument(help="Any picture that Pillow reads, of any size.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for pictures and report.", metavar="DIR")],
    channels: Annotated[
        str,
        typer.Option(
            help="luminance or rgb: what is transformed.", autocompletion=completion.one_of("luminance", "rgb")
        ),
    ] = "luminance",
    backend: Backend = "auto",
    options: BackendOptions = None,
) -> None:
    """Transform a picture, show its spectrum, transform it back, and say what that lost.

    Writes spectrum.png (centred, in decibels), roundtrip.png, difference.png (amplified) and report.json.

    Examples:

      ocean image photo.jpg --out out/image
      ocean image photo.jpg --channels rgb --backend bluestein --out out/image
    """
    from ocean.image import image as run

    run(picture, out, read_backend(backend, options), typer.echo, one_of("--channels", channels, ("luminance", "rgb")))


@configs.command()
def show(config: Config = None, overrides: Overrides = None) -> None:
    """Print a config, complete, as TOML: what a run with the same options would take.

    Examples:

      ocean config show
      ocean config show --config gale --set fft.size=256 > my.toml
    """
    from ocean.settings import to_toml

    typer.echo(to_toml(read_settings(config, overrides)), nl=False)


@configs.command("diff")
def config_diff(
    before: Annotated[str, typer.Argument(help="A TOML file, or a preset's name.", autocompletion=completion.configs)],
    now: Annotated[str, typer.Argument(help="The one to hold against it.", autocompletion=completion.configs)],
) -> None:
    """Print the settings in which two configs differ, with both values, whatever their files leave out.

    Examples:

      ocean config diff default gale
      ocean config diff gale my.toml
    """
    from ocean.settings import differences, to_tree

    pair = (to_tree(read_settings([name], None)) for name in (before, now))
    for key, (was, value) in differences(*pair).items():
        typer.echo(f"{key}: {was} -> {value}")


@configs.command()
def schema() -> None:
    """Print the JSON schema of a config, from which editors complete and check TOML files.

    With the schema beside a config, #:schema ./ocean.schema.json as its first line shows it to editors that use Taplo,
    such as VS Code with Even Better TOML.

    Example:

      ocean config schema > ocean.schema.json
    """
    import json

    from ocean.vocabulary import schema as make

    typer.echo(json.dumps(make(), indent=2, ensure_ascii=False))


@reports.command()
def diff(
    before: Annotated[Path, typer.Argument(help="The report.json or bench.json to start from.")],
    now: Annotated[Path, typer.Argument(help="The one to hold against it.")],
    tolerance: Tolerance = 0.25,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown, for a pull request.")] = False,
) -> None:
    """Put two reports side by side, of captures or of benches, and say what became slower.

    The change of each median has a 95 % bootstrap interval. Fixed work that was timed beside it (of captures the
    reference passes, of benches the copy) tells a slower machine from a slower program. Slower is what has its whole
    interval beyond the tolerance; exit status 3 says that something is. Other settings are named and no obstacle;
    another GPU or clock is one.

    Examples:

      ocean report diff out/before/report.json out/after/report.json
      ocean report diff --tolerance 0.1 --markdown old/bench.json new/bench.json
    """
    from ocean.diff import diff as run

    raise typer.Exit(run(before, now, share("--tolerance", tolerance), as_markdown=markdown))


@app.command()
def doctor() -> None:
    """Say what this machine's OpenGL can do, and why the timers use the clock that they use.

    Example:

      ocean doctor
    """
    from ocean.doctor import report

    report(typer.echo)
