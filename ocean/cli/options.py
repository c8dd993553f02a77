"""Options that commands share, and how their values are read."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ocean.cli import completion

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
Axes = Annotated[
    list[str] | None,
    typer.Argument(help="More axes of the matrix.", metavar="[KEY=A,B]...", autocompletion=completion.axes),
]
Matrix = Annotated[
    list[str] | None,
    typer.Option(
        help="Take every combination of values; config=A,B for configs.",
        metavar="KEY=A,B",
        autocompletion=completion.axes,
    ),
]
Device = Annotated[
    str, typer.Option(help="gpu or cpu: what computes maps.", autocompletion=completion.one_of("gpu", "cpu"))
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on where the same line was stopped.")]
Workers = Annotated[int | None, typer.Option(help="Processes that share the work.", min=1)]
Scheduler = Annotated[str | None, typer.Option(help="Address of a Dask cluster that does it.", metavar="ADDRESS")]
Tolerance = Annotated[float, typer.Option(help="How much slower is still no regression, as a share.")]

Backend = Annotated[
    str,
    typer.Option("--backend", "-b", help="FFT backend; auto picks one by size.", autocompletion=completion.backends),
]
BackendOptions = Annotated[
    list[str] | None,
    typer.Option("--set-option", help="An option of the backend, such as radix=8.", metavar="KEY=VALUE"),
]

NoCache = Annotated[bool, typer.Option("--no-cache", help="Let auto forget what bench --tune found.")]


def choose_cache(no_cache: bool) -> None:
    """Let `auto` find what was tuned on this GPU, or not."""
    from ocean.fft.tuned import use_cache

    use_cache(not no_cache)


def read_settings(config: list[str] | None, overrides: list[str] | None, *, below: list[str] | None = None) -> Any:
    """Settings of configs (over those of `below`) and overrides."""
    from ocean.settings import load_settings

    paths = [find_config(name) for name in [*(below or []), *(config or [])]]
    return load_settings(*paths, overrides=overrides or [])


def read_cases(
    config: list[str] | None, overrides: list[str] | None, matrix: list[str] | None, axes: list[str] | None
) -> dict[str, tuple[dict[str, str], Any]]:
    """Every combination of a matrix and the settings that it makes, by its name."""
    from ocean.capture.batch import CONFIG, choices
    from ocean.settings import SettingsError

    if axes and not matrix:
        raise SettingsError(f"{axes[0]!r} stands alone; an axis of a matrix comes after --matrix")
    cases = {}
    for name, choice in choices([*(matrix or []), *(axes or [])]).items():
        configs = [*(config or []), *([choice[CONFIG]] if CONFIG in choice else [])]
        values = [f"{key}={value}" for key, value in choice.items() if key != CONFIG]
        cases[name] = choice, read_settings(configs, [*(overrides or []), *values])
    return cases


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


def picture_size(text: str | None) -> dict[str, int]:
    """The settings that `--resolution` stands for, if it is given."""
    from ocean.settings import SettingsError

    if text is None:
        return {}
    if not (found := re.fullmatch(r"(\d{1,9})x(\d{1,9})", text.lower())):
        raise SettingsError(f"--resolution = {text!r} is not of the form 1280x720")
    return {"capture.width": int(found[1]), "capture.height": int(found[2])}


def refuse_both(workers: int | None, scheduler: str | None) -> None:
    """Both say who does the work."""
    from ocean.settings import SettingsError

    if workers is not None and scheduler is not None:
        raise SettingsError("--workers makes a cluster and --scheduler names one; leave one of them out")


def refuse_beside(option: str, others: Mapping[str, object]) -> None:
    """What an option leaves no meaning to; None is what was not given."""
    from ocean.settings import SettingsError

    if given := next((name for name, value in others.items() if value is not None), None):
        raise SettingsError(f"{option} leaves no meaning to {given}")


def find_config(name: str) -> Path:
    """A config by path, or by the name of a preset, which a folder of that name does not hide."""
    from ocean.common.explanations import nearest
    from ocean.common.resources import config, presets
    from ocean.settings import SettingsError

    path, is_file = Path(name), os.path.exists(name) and not os.path.isdir(name)
    if not is_file and path.stem in presets() and (path.parent == Path() or path.parent.name == "configs"):
        return config(path.stem)
    if not os.path.exists(name):
        raise SettingsError(f"there is no config {name!r}{nearest(path.stem, presets())}")
    return path


def once(text: str | None) -> list[str]:
    """The parts of a list with commas, whoever was named twice only once."""
    return list(dict.fromkeys(listed(text)))


def listed(text: str | None) -> list[str]:
    """The parts of a list with commas."""
    return [part.strip() for part in text.split(",")] if text is not None else []
