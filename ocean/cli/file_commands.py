"""The commands that read or write files: transform and image, export, config and report."""

from contextlib import suppress
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Argument, Option

from ocean.cli import options as shared
from ocean.common.console import say
from ocean.common.errors import MOST_JSON, InputError, parse_json, read_bytes, refuse_parts, shown
from ocean.export.formats import listed

if TYPE_CHECKING:
    from ocean.capture.compare import ReportedRun


def transform(
    file: Annotated[str, Argument(help="A number, or re and im, per line; or a .npy file; - for standard input.")],
    backend: shared.BackendOption = "auto",
    options: shared.BackendOptions = None,
    precision: Annotated[Literal["single", "double"], Option(help="The precision on the GPU.")] = "single",
    inverse: Annotated[bool, Option("--inverse", help="Inverse transform, divided by the length.")] = False,
    trace: Annotated[
        bool, Option("--trace", help="List the elements and roots of each thread, stage by stage.")
    ] = False,
    lines: Annotated[int, Option(help="Maximum lines of the table, and of each stage of --trace.", min=1)] = 32,
    out: Annotated[
        Path | None, Option("--out", "-o", help="File for the GPU's result: text or .npy.", metavar="FILE")
    ] = None,
    no_cache: shared.NoCache = False,
) -> None:
    """Transform a file of samples on the GPU and by numpy, and print the differences and the times of both.

    Empty lines and comments after a # are ignored. A backend that needs a power of two gets zeros appended. The exit
    status is 3 when values are wrong.

    Examples:

      seq 1 12 | ocean transform - --backend stockham-radix4 --trace
      ocean transform samples.txt --precision double --out spectrum.txt
      ocean transform samples.txt --backend stockham-global --set radix=8 --inverse
    """
    from ocean.cli.transform import transform as run

    shared.choose_cache(no_cache)
    settings = shared.read_backend(backend, options)
    status = run(file, settings, precision=precision, inverse=inverse, with_steps=trace, lines=lines, out=out)
    raise typer.Exit(status)


def image(
    picture: Annotated[Path, Argument(help="A PNG, JPEG, TIFF or WebP picture.")],
    out: shared.Out,
    channels: Annotated[
        Literal["luminance", "rgb", "red", "green", "blue"],
        Option(help="The channels to transform: one, or all three."),
    ] = "luminance",
    backend: shared.BackendOption = "auto",
    options: shared.BackendOptions = None,
    no_cache: shared.NoCache = False,
) -> None:
    """Transform a picture, draw its spectrum, transform it back, and report the loss.

    Writes spectrum.png (centred, in decibels), roundtrip.png, difference.png (amplified) and report.json. A software
    renderer may need minutes; an estimate and the progress are shown.

    Examples:

      ocean image photo.jpg --out out/image
      ocean image photo.jpg --channels red --out out/image
      ocean image photo.jpg --channels rgb --backend bluestein --out out/image
    """
    from ocean.cli.image import image as run

    shared.choose_cache(no_cache)
    run(picture, out, shared.read_backend(backend, options), channels)


def export(
    out: Annotated[Path, Option("--out", "-o", help="Folder for the results; for html, the file.", metavar="DIR")],
    form: Annotated[str, Option("--format", help=f"{listed()}.")] = "exr",
    maps: Annotated[str, Option(help="Names, such as height,foam; a wrong one lists the valid ones.")] = "",
    layers: Annotated[str, Option(help="Ground truth to write beside pictures, such as depth,motion.")] = "",
    start: Annotated[float, Option(help="Time of the first frame, in seconds.")] = 0.0,
    duration: Annotated[float | None, Option(help="Seconds; default the loop, or one frame.")] = None,
    fps: Annotated[float, Option(help="Frames per second.")] = 24.0,
    loop: Annotated[str | None, Option(help="Period of the sea, in seconds; auto: the shortest.", metavar="T")] = None,
    size: Annotated[int | None, Option(help="Texels along a side of each map.")] = None,
    half: Annotated[bool, Option("--half", help="Write 16-bit floats.")] = False,
    patch: Annotated[str | None, Option(help="A rectangle of the world, in metres.", metavar="WxD")] = None,
    spacing: Annotated[float | None, Option(help="Metres between the patch's points; default 0.5.")] = None,
    at: Annotated[str | None, Option(help="The patch's centre: east, south; default 0,0.", metavar="X,Z")] = None,
    resolution: Annotated[str | None, Option(help="Size of pictures, as 1280x720.", metavar="WxH")] = None,
    device: shared.Device = "gpu",
    resume: shared.Resume = False,
    yes: Annotated[bool, Option("--yes", "-y", help="Write more than 2 GB without asking.")] = False,
    estimate: Annotated[bool, Option("--estimate", help="Stop after two frames and the estimate.")] = False,
    workers: shared.Workers = None,
    scheduler: shared.Scheduler = None,
    config: shared.Config = None,
    overrides: shared.Overrides = None,
) -> None:
    """Write the sea into files, frame by frame: maps, textures for engines, patches, meshes, pictures or waves; or as
    one page for browsers.

    After the second frame, the estimated size and time of all frames are printed. Each file is complete or absent, and
    export.json describes them. The same command line with --resume continues a stopped export.

    Examples:

      ocean export --maps displacement --loop 30 --size 256 --out out/sea
      ocean export --format png16 --maps displacement,normal --loop 30 --size 256 --out out/textures
      ocean export --format usd --patch 100x100 --duration 10 --out out/mesh
      ocean export --format html --config gale --out sea.html
    """
    from ocean.export.plan import make_plan
    from ocean.export.run import MOST_UNASKED
    from ocean.export.run import export as run

    settings = shared.read_settings(config, overrides)
    times: dict[str, Any] = {"start": start, "duration": duration, "fps": fps, "loop": loop}
    what: dict[str, Any] = {"maps": maps, "size": size, "half": half, "patch": patch, "spacing": spacing, "at": at}
    what["layers"] = layers
    shared.refuse_both(workers, scheduler)
    plan = make_plan(settings, form=form, **times, **what, resolution=shared.picture_size(resolution), device=device)
    most = 0.0 if estimate else inf if yes else MOST_UNASKED
    raise typer.Exit(run(plan, out, resume=resume, workers=workers, scheduler=scheduler, most=most))


def series(
    out: Annotated[Path, Option("--out", "-o", help="File for the series: .csv or .nc.", metavar="FILE")],
    at: Annotated[
        list[str] | None, Option(help="A point: metres east, south. Repeat for more; default 0,0.", metavar="X,Z")
    ] = None,
    points: Annotated[Path | None, Option(help="File with a point X,Z in each line.", metavar="FILE")] = None,
    moving: Annotated[str, Option(help="Velocity of the points: m/s east, south.", metavar="U,W")] = "0,0",
    patch: Annotated[str | None, Option(help="A grid of points around --at, in metres.", metavar="WxD")] = None,
    spacing: Annotated[float, Option(help="Metres between the points of the patch.", min=0.01)] = 1.0,
    start: Annotated[float, Option(help="First time, in seconds.")] = 0.0,
    duration: Annotated[float, Option(help="Seconds; 0 is one time.", min=0.0)] = 600.0,
    rate: Annotated[float, Option(help="Times per second.", min=0.01, max=1000.0)] = 4.0,
    device: shared.Device = "gpu",
    config: shared.Config = None,
    overrides: shared.Overrides = None,
) -> None:
    """Write elevation, velocity and slope of the surface at points, over time, and print their statistics.

    CSV has a row for each time and point; NetCDF follows the CF conventions. Points are fixed, or move like a ship.

    Examples:

      ocean series --at 0,0 --at 25,10 --duration 600 --rate 4 --out out/points.csv
      ocean series --at 0,0 --moving 5,0 --duration 300 --out out/ship.nc
      ocean series --patch 1852x1852 --spacing 4 --duration 0 --out out/mile.nc
    """
    from ocean.export import series as run
    from ocean.export.plan import pair

    settings = shared.read_settings(config, overrides)
    where = run.positions(at or [], points, patch, spacing)
    speed = pair("--moving", moving, ",")
    run.write(settings, out, where, moving=speed, start=start, duration=duration, rate=rate, device=device)


def config_show(config: shared.Config = None, overrides: shared.Overrides = None) -> None:
    """Print the complete config of a run with the same options, as TOML.

    The output is itself a config.

    Examples:

      ocean config show
      ocean config show --config gale --set fft.size=256 > my.toml
    """
    from ocean.settings import to_toml

    typer.echo(to_toml(shared.read_settings(config, overrides)), nl=False)


def config_diff(
    before: Annotated[str, Argument(help="A TOML file, or a preset's name.", autocompletion=shared.complete_configs)],
    now: Annotated[str, Argument(help="The config to compare with.", autocompletion=shared.complete_configs)],
) -> None:
    """Print the settings in which two configs differ, with both values.

    Settings that a file leaves out have their defaults.

    Examples:

      ocean config diff default gale
      ocean config diff gale my.toml
    """
    from ocean.settings import differences

    pair = (shared.read_settings([name], None) for name in (before, now))
    for key, (was, value) in differences(*pair).items():
        say(f"{key}: {was} -> {value}")


def config_list() -> None:
    """List the presets that --config takes by name, each with its first line.

    Example:

      ocean config list
    """
    for name, line in shared.complete_configs(""):
        say(f"{name:16}{line}")


def config_explain(
    key: Annotated[str, Argument(help="A key path, such as sea.wind.speed.", autocompletion=shared.complete_settings)],
    config: shared.Config = None,
    overrides: shared.Overrides = None,
) -> None:
    """Explain a setting: its value in the config, default, unit, range or choices, and meaning.

    Examples:

      ocean config explain sea.wind.speed
      ocean config explain view.samples --config gale
    """
    from ocean.common.parameters import nearest
    from ocean.settings import Settings, to_tree
    from ocean.settings.vocabulary import explain, settings_by_key

    declared = settings_by_key()
    name = key.removesuffix("=")
    if name not in declared:
        if within := [each for each in declared if each.startswith(f"{name}.")]:
            more = " and more" if len(within) > 5 else ""
            raise InputError(f"{name} is a table; its settings are {', '.join(within[:5])}{more}")
        raise InputError(f"there is no setting {shown(name)}{nearest(name, list(declared))}")
    trees = to_tree(shared.read_settings(config, overrides)), to_tree(Settings())
    for line in explain(name, declared[name], *trees):
        say(line)


def config_schema() -> None:
    """Print the JSON schema of a config, for editors to complete and check TOML files.

    Put the schema beside a config and #:schema ./ocean.schema.json into its first line. Editors that use Taplo, such as
    VS Code with Even Better TOML, then find it.

    Example:

      ocean config schema > ocean.schema.json
    """
    import json

    from ocean.settings.vocabulary import schema as make

    typer.echo(json.dumps(make(), indent=2, ensure_ascii=False))


def report_diff(
    before: Annotated[Path, Argument(help="The report.json or bench.json to start from.")],
    now: Annotated[Path, Argument(help="The report to compare with.")],
    tolerance: shared.Tolerance = None,
    markdown: Annotated[bool, Option("--markdown", help="Print Markdown, for a pull request.")] = False,
) -> None:
    """Compare two reports, of captures or of benches, and name the passes that became slower.

    The change of each median has a 95 % bootstrap interval. Times are divided by the times of a reference workload (the
    reference passes of a capture, the copy of a bench), so that a slower machine does not count as a regression. A pass
    is slower when its whole interval lies beyond the tolerance and beyond the noise of both runs. The exit status is 3
    when a pass is slower, and 6 when noise hides whether one is; a bold sentence then says how many frames would be
    enough. The reports may have different settings, but not different GPUs or clocks.

    Examples:

      ocean report diff out/before/report.json out/after/report.json
      ocean report diff --tolerance 0.1 --markdown old/bench.json new/bench.json
    """
    from ocean.capture.compare import diff

    limit = shared.tolerated(tolerance)
    raise typer.Exit(diff(read_run(before), read_run(now), limit, as_markdown=markdown))


def read_run(path: Path) -> "ReportedRun":
    """Read the report of a capture or of a bench."""
    from ocean.bench.rows import Bench
    from ocean.capture.compare import ReportedRun
    from ocean.capture.report import Report

    data = tree = None
    with suppress(OSError, ValueError):  # Report.read gives the reason
        refuse_parts(data := read_bytes(path, MOST_JSON))
        tree = parse_json(data)
    if not (isinstance(tree, dict) and "rows" in tree):
        report = Report.read(path, data)
        settings = {name: case.settings for name, case in report.cases.items()}
        return ReportedRun("capture", report.program, report.gl, report.clock.name, report.groups(), settings)
    bench = Bench.read(path, data)
    if groups := bench.groups():
        return ReportedRun("bench", bench.program, bench.gl, bench.clock, groups)
    raise InputError(f"{path} holds no samples, so nothing can be compared")
