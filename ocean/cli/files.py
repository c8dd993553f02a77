"""The commands that read or write files: transform and image, export, config and report."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ocean.cli import completion
from ocean.cli.options import (
    Backend,
    BackendOptions,
    Config,
    Device,
    NoCache,
    Overrides,
    Resume,
    Scheduler,
    Tolerance,
    Workers,
    choose_cache,
    one_of,
    picture_size,
    read_backend,
    read_settings,
    refuse_both,
    tolerated,
)


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
    no_cache: NoCache = False,
) -> None:
    """Transform a file of samples on the GPU and by numpy, and say where the two differ and how long each takes.

    Empty lines and what follows a # are left out. Where the backend needs a power of two, zeros make up for it.

    Examples:

      seq 1 12 | ocean transform - --backend stockham-radix4 --trace
      ocean transform samples.txt --precision double --out spectrum.txt
      ocean transform samples.txt --backend stockham-global --set-option radix=8 --inverse
    """
    from ocean.cli.transform import transform as run

    choose_cache(no_cache)
    chosen = one_of("--precision", precision, ("single", "double"))
    settings = read_backend(backend, options)
    run(file, settings, typer.echo, precision=chosen, inverse=inverse, with_trace=trace, lines=lines, out=out)


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
    no_cache: NoCache = False,
) -> None:
    """Transform a picture, show its spectrum, transform it back, and say what that lost.

    Writes spectrum.png (centred, in decibels), roundtrip.png, difference.png (amplified) and report.json.

    Examples:

      ocean image photo.jpg --out out/image
      ocean image photo.jpg --channels rgb --backend bluestein --out out/image
    """
    from ocean.cli.image import image as run

    choose_cache(no_cache)
    run(picture, out, read_backend(backend, options), typer.echo, one_of("--channels", channels, ("luminance", "rgb")))


def export(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the frames.", metavar="DIR")],
    form: Annotated[str, typer.Option("--format", help="exr, npz, zarr; glb, ply; png, mp4.")] = "exr",
    maps: Annotated[str, typer.Option(help="Names with commas; a wrong one lists those there are.")] = "",
    start: Annotated[float, typer.Option(help="Time of the first frame, in seconds.")] = 0.0,
    duration: Annotated[float | None, typer.Option(help="Seconds; else those of the loop, or one frame.")] = None,
    fps: Annotated[float, typer.Option(help="Frames in a second.")] = 24.0,
    loop: Annotated[float | None, typer.Option(help="The sea repeats after so many seconds.", metavar="T")] = None,
    size: Annotated[int | None, typer.Option(help="Texels along a side of each map.")] = None,
    half: Annotated[bool, typer.Option("--half", help="EXR of 16 bits.")] = False,
    patch: Annotated[str | None, typer.Option(help="A rectangle of the world, in metres.", metavar="WxD")] = None,
    spacing: Annotated[float | None, typer.Option(help="Metres from one of its points to the next; else 0.5.")] = None,
    at: Annotated[str | None, typer.Option(help="Its centre, east and south; else 0,0.", metavar="X,Z")] = None,
    resolution: Annotated[str | None, typer.Option(help="Size of pictures, as 1280x720.", metavar="WxH")] = None,
    device: Device = "gpu",
    resume: Resume = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
    config: Config = None,
    overrides: Overrides = None,
) -> None:
    """Write the sea into files, frame by frame: maps, patches, meshes or pictures.

    A frame is whole or not there. Whatever stopped an export, the same line with --resume goes on. docs/export.md says
    what the files hold.

    Examples:

      ocean export --maps displacement --loop 30 --size 256 --out out/sea
      ocean export --format glb --patch 100x100 --at 0,0 --out out/mesh
    """
    from ocean.export.options import make_plan
    from ocean.export.run import export as run

    settings, chosen = read_settings(config, overrides), one_of("--device", device, ("gpu", "cpu"))
    times: dict[str, Any] = {"start": start, "duration": duration, "fps": fps, "loop": loop}
    what: dict[str, Any] = {"maps": maps, "size": size, "half": half, "patch": patch, "spacing": spacing, "at": at}
    refuse_both(workers, scheduler)
    plan = make_plan(settings, form=form, **times, **what, resolution=picture_size(resolution), device=chosen)
    raise typer.Exit(run(plan, out, resume=resume, workers=workers, scheduler=scheduler))


def config_show(config: Config = None, overrides: Overrides = None) -> None:
    """Print a config, complete, as TOML: what a run with the same options would take.

    Examples:

      ocean config show
      ocean config show --config gale --set fft.size=256 > my.toml
    """
    from ocean.settings import to_toml

    typer.echo(to_toml(read_settings(config, overrides)), nl=False)


def config_diff(
    before: Annotated[str, typer.Argument(help="A TOML file, or a preset's name.", autocompletion=completion.configs)],
    now: Annotated[str, typer.Argument(help="The one to hold against it.", autocompletion=completion.configs)],
) -> None:
    """Print the settings in which two configs differ, with both values, whatever their files leave out.

    Examples:

      ocean config diff default gale
      ocean config diff gale my.toml
    """
    from ocean.settings import to_tree
    from ocean.settings.trees import differences

    pair = (to_tree(read_settings([name], None)) for name in (before, now))
    for key, (was, value) in differences(*pair).items():
        typer.echo(f"{key}: {was} -> {value}")


def config_schema() -> None:
    """Print the JSON schema of a config, from which editors complete and check TOML files.

    With the schema beside a config, #:schema ./ocean.schema.json as its first line shows it to editors that use Taplo,
    such as VS Code with Even Better TOML.

    Example:

      ocean config schema > ocean.schema.json
    """
    import json

    from ocean.settings.vocabulary import schema as make

    typer.echo(json.dumps(make(), indent=2, ensure_ascii=False))


def report_diff(
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
    from ocean.capture.diff import diff

    limit = tolerated(tolerance)
    raise typer.Exit(diff(read_run(before), read_run(now), limit, as_markdown=markdown))


def read_run(path: Path) -> Any:
    """Read a report of either kind, which a capture or a bench has written.

    Raises:
        CaptureError, BenchError: when it can't be read, or is of another schema version.
        ChangeError: when it is of a bench without samples.
    """
    import json

    from ocean.bench.rows import Bench, comparable
    from ocean.capture.changes import ChangeError
    from ocean.capture.diff import Run
    from ocean.capture.report import Report

    try:
        tree = json.loads(path.read_bytes())
    except (OSError, ValueError):
        tree = None  # Report.read says what is wrong
    if not (isinstance(tree, dict) and "rows" in tree):
        return Run.of_capture(Report.read(path))
    bench = Bench.read(path)
    if groups := comparable(bench):
        return Run("bench", bench.program, bench.gl, bench.clock, groups)
    raise ChangeError(f"{path} holds no samples, so nothing can be compared")
