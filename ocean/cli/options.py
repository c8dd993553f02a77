"""Options that commands share: their types, their values, and their completion in shells.

Typer completes the names of options. bash breaks words at `=` and replaces only the last piece. For bash, `joined`
therefore joins the pieces before Typer sees them, and `answer_shell` removes pieces that the shell already has.
"""

import io
import os
import re
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Argument, Option

from ocean.common.errors import InputError, shown

if TYPE_CHECKING:
    from ocean.settings import FFTSettings
    from ocean.settings.files import Resolved

Words = list[tuple[str, str]]  # completions, each with a line of help


def answer_shell(app: Callable[[], Any]) -> Any:
    """Run the command line and return its result, or answer a shell that asks for completions."""
    if os.environ.get("_OCEAN_COMPLETE") != "complete_bash":
        return app()
    words, current = joined(os.environ["COMP_WORDS"].split("\n"), int(os.environ["COMP_CWORD"]))
    os.environ["COMP_WORDS"], os.environ["COMP_CWORD"] = "\n".join(words), str(current)
    before_break = re.sub(r"^--[\w-]+=", "", words[current]).rpartition("=")
    answers = io.StringIO()
    try:
        with redirect_stdout(answers):
            return app()
    finally:
        for answer in answers.getvalue().splitlines():
            print(answer.removeprefix("".join(before_break[:2])))


def joined(words: list[str], current: int) -> tuple[list[str], int]:
    """Return the words up to the current one, without bash's breaks (or blanks) at `=`, and the last one's index."""
    whole: list[str] = []
    for i, word in enumerate([*words, ""][: current + 1]):
        if i > 1 and (word == "=" or words[i - 1] == "="):
            whole[-1] += word
        else:
            whole.append(word)
    return whole, len(whole) - 1


def complete_settings(incomplete: str) -> Words:
    from ocean.settings.vocabulary import complete_setting

    return complete_setting(incomplete)


def complete_axes(incomplete: str) -> Words:
    from ocean.common.resources import presets
    from ocean.settings.vocabulary import complete_axis

    return complete_axis(incomplete, presets())


def complete_configs(incomplete: str) -> Words:
    """Return presets of `--config`, with their first line. If none fits, shells complete files."""
    from ocean.common.resources import config, presets

    fitting = [name for name in presets() if name.startswith(incomplete)]
    return [(name, config(name).read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")) for name in fitting]


def complete_backends(incomplete: str) -> Words:
    from ocean.fft import BACKENDS

    return [(name, backend.summary) for name, backend in BACKENDS.items() if name.startswith(incomplete)]


Config = Annotated[
    list[str] | None,
    Option(
        "--config",
        "-c",
        help="A TOML file or the name of a preset; later ones win.",
        metavar="CONFIG",
        autocompletion=complete_configs,
    ),
]
Overrides = Annotated[
    list[str] | None,
    Option(
        "--set",
        "-s",
        help="A single setting, such as fft.size=256.",
        metavar="KEY=VALUE",
        autocompletion=complete_settings,
    ),
]
AxesArgument = Annotated[
    list[str] | None, Argument(help="More axes of --matrix.", metavar="[KEY=A,B]...", autocompletion=complete_axes)
]
MatrixOption = Annotated[
    list[str] | None,
    Option(
        help="Run every combination of these values; config=A,B takes configs.",
        metavar="KEY=A,B",
        autocompletion=complete_axes,
    ),
]
Frames = Annotated[int | None, Option(help="Frames to measure.", show_default="capture.frames, 120", min=1, max=10**6)]
Warmup = Annotated[
    int | None, Option(help="Frames before the measured ones.", show_default="capture.warmup, 10", min=0, max=100_000)
]
Device = Annotated[Literal["gpu", "cpu"], Option(help="The device that computes.")]
Resume = Annotated[bool, Option("--resume", help="Continue a stopped run of the same command line.")]
Workers = Annotated[int | None, Option(help="Number of processes that share the work.", min=1, max=256)]
Scheduler = Annotated[str | None, Option(help="Address of a Dask cluster that does the work.", metavar="ADDRESS")]
TOLERANCE = 0.25
Tolerance = Annotated[
    float | None,
    Option(
        help="Largest slowdown that is not a regression, as a fraction: 0.25 is 25 %.", show_default=f"{TOLERANCE:g}"
    ),
]

BackendOption = Annotated[
    str, Option("--backend", "-b", help="FFT backend; auto chooses one by size.", autocompletion=complete_backends)
]
BackendOptions = Annotated[
    list[str] | None, Option("--set", "-s", help="An option of the backend, such as radix=8.", metavar="KEY=VALUE")
]

Out = Annotated[Path, Option("--out", "-o", help="Folder for the results.", metavar="DIR", file_okay=False)]
NoCache = Annotated[bool, Option("--no-cache", help="Ignore saved tuning for this run.")]


def choose_cache(no_cache: bool) -> None:
    """Let `auto` use the saved tuning of this GPU, or not."""
    from ocean.fft.auto import use_cache

    use_cache(not no_cache)


def read_settings(
    config: list[str] | None, overrides: list[str] | None, *, below: list[str] | None = None
) -> "Resolved":
    """Return the settings of configs, over configs of `below`, and overrides, with the content of their files."""
    from ocean.settings import load_settings
    from ocean.settings.files import resolve

    return resolve(load_settings(*(below or []), *(config or []), overrides=overrides or []))


def read_cases(
    config: list[str] | None,
    overrides: list[str] | None,
    matrix: list[str] | None,
    axes: list[str] | None,
    values: Mapping[str, int | None],
) -> dict[str, tuple[dict[str, str], "Resolved"]]:
    """Return every combination of the axes and its settings, by name. `values` are set above all, unless None."""
    from ocean.capture.run import CONFIG, choices
    from ocean.settings import with_values
    from ocean.settings.files import resolve

    given = {key: value for key, value in values.items() if value is not None}
    if axes and not matrix:
        raise InputError(f"{axes[0]!r} belongs to no option; an axis such as fft.size=256,512 comes after --matrix")
    cases = {}
    for name, choice in choices([*(matrix or []), *(axes or [])]).items():
        configs = [*(config or []), *([choice[CONFIG]] if CONFIG in choice else [])]
        chosen = [f"{key}={value}" for key, value in choice.items() if key != CONFIG]
        cases[name] = choice, resolve(with_values(read_settings(configs, [*(overrides or []), *chosen]), given))
    return cases


def read_backend(backend: str, options: list[str] | None) -> "FFTSettings":
    for option in options or []:
        if not option.partition("=")[0].strip() or "=" not in option:
            raise InputError(f"--set = {shown(option)} is not of the form key=value")
        if option.strip().startswith("fft.backend"):
            raise InputError(f"--set = {option!r} sets an option of the backend; choose one by --backend")
    keys = (f"fft.options.{option.strip().removeprefix('fft.options.')}" for option in options or [])
    return read_settings([], [f"fft.backend='{backend}'", *keys]).fft


def one_of(option: str, value: str, names: tuple[str, ...]) -> str:
    from ocean.common.parameters import not_one_of

    if value not in names:
        raise InputError(not_one_of(option, value, names))
    return value


def tolerated(value: float | None) -> float:
    from ocean.capture.compare import MOST_TOLERANCE

    if value is None:
        return TOLERANCE
    if 0 <= value <= MOST_TOLERANCE:
        return value
    meant = f"; {value:g} % is --tolerance {value / 100:g}" if MOST_TOLERANCE < value <= 100 * MOST_TOLERANCE else ""
    raise InputError(f"--tolerance = {value:g} is not a fraction from 0 to {MOST_TOLERANCE:g}{meant}")


def picture_size(text: str | None) -> dict[str, int]:
    from ocean.common.parameters import range_of
    from ocean.settings import CaptureSettings

    if text is None:
        return {}
    if not (found := re.fullmatch(r"(\d{1,9})x(\d{1,9})", text.lower())):
        raise InputError(f"--resolution = {shown(text)} is not of the form 1280x720")
    values = {"width": int(found[1]), "height": int(found[2])}
    for name, value in values.items():
        low, high = range_of(CaptureSettings.model_fields[name])
        if not (low or 0) <= value <= (high or value):
            raise InputError(f"--resolution = {text}: a {name} of {value} is outside {low:g} to {high:g} pixels")
    return {f"capture.{name}": value for name, value in values.items()}


def refuse_both(workers: int | None, scheduler: str | None) -> None:
    if workers is not None and scheduler is not None:
        raise InputError("--workers starts processes and --scheduler names a cluster; give only one of them")


def once(text: str | None) -> list[str]:
    """Return the parts of a list with commas, without repetitions."""
    return list(dict.fromkeys(part.strip() for part in text.split(","))) if text is not None else []
