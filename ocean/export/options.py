"""The plan of an export from the options of the command line."""

from collections.abc import Mapping
from typing import Literal

from ocean.export.plan import ExportError, Patch, Plan, frame_count
from ocean.export.registry import FORMATS, names
from ocean.settings import Settings, SettingsError, with_values

SPACING = 0.5  # m, default
OPTIONS = {"fft.size": "--size", "sea.loop_period": "--loop"}


def make_plan(
    settings: Settings,
    *,
    form: str,
    maps: str,
    start: float,
    duration: float | None,
    fps: float,
    loop: float | None,
    size: int | None,
    half: bool,
    patch: str | None,
    spacing: float | None,
    at: str | None,
    resolution: Mapping[str, int],
    device: Literal["gpu", "cpu"],
) -> Plan:
    """Return the plan of these options; `resolution` holds the settings of --resolution, if it is given.

    Raises:
        ExportError: when an option can't be used; the message names it.
    """
    content = FORMATS[form].content if form in FORMATS else None
    if resolution and content != "pictures":
        raise ExportError(f"--resolution applies to {names('pictures')}")
    if patch is None and (spacing is not None or at is not None):
        raise ExportError("--spacing and --at need a patch of the world: name one, as --patch 500x500")
    values = {"fft.size": size, "sea.loop_period": loop, **resolution}
    given = {key: value for key, value in values.items() if value is not None}
    try:
        settings = with_values(settings, given)
    except SettingsError as error:  # concerns a typed value
        key, equals, rest = str(error).partition(" = ")
        raise ExportError(f"{OPTIONS.get(key, key) if key in given else key}{equals}{rest}") from None
    wanted = tuple(dict.fromkeys(name.strip() for name in maps.split(",") if name.strip()))
    area = None
    if patch is not None:
        width, depth = pair("--patch", patch, "x")
        area = Patch(width, depth, SPACING if spacing is None else spacing, pair("--at", at or "0,0", ","))
    if content in ("maps", "textures") and not wanted and area is None:
        wanted = ("displacement",)
    duration = duration if duration is not None else loop if loop is not None else 1 / fps if fps > 0 else 0.0
    frames = frame_count(duration, fps, loop)
    return Plan(settings, frames, form, wanted, start, fps, half, area, "cpu" if content == "waves" else device)


def pair(option: str, text: str, separator: str) -> tuple[float, float]:
    try:
        first, second = map(float, text.lower().split(separator))
    except ValueError:
        example = f"500{separator}500"
        raise ExportError(f"{option} = {text!r} is not two numbers such as {example}") from None
    return first, second
