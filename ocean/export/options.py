"""What a person types, as a plan."""

from collections.abc import Mapping
from typing import Literal

from ocean.export.plan import MAP_FORMATS, PICTURE_FORMATS, ExportError, Patch, Plan, frame_count
from ocean.settings import Settings, with_values

SPACING = 0.5  # m, where none is given


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
    """The plan of these options; `resolution` are the settings that it stands for, if it is given.

    Raises:
        SettingsError: when one can't be used; the message names it.
    """
    if resolution and form not in PICTURE_FORMATS:
        raise ExportError(f"--resolution is for {', '.join(PICTURE_FORMATS)}")
    if patch is None and (spacing is not None or at is not None):
        raise ExportError("--spacing and --at belong to a patch of the world: say which, as --patch 500x500")
    values = {"fft.size": size, "sea.loop_period": loop, **resolution}
    settings = with_values(settings, {key: value for key, value in values.items() if value is not None})
    names = tuple(dict.fromkeys(name.strip() for name in maps.split(",") if name.strip()))
    area = None
    if patch is not None:
        width, depth = pair("--patch", patch, "x")
        area = Patch(width, depth, SPACING if spacing is None else spacing, pair("--at", at or "0,0", ","))
    if form in MAP_FORMATS and not names and area is None:
        names = ("displacement",)
    duration = duration if duration is not None else loop if loop is not None else 1 / fps if fps > 0 else 0.0
    frames = frame_count(duration, fps, loop)
    return Plan(settings, frames, form, names, start, fps, half, area, device)


def pair(option: str, text: str, separator: str) -> tuple[float, float]:
    """Two numbers of an option."""
    try:
        first, second = map(float, text.lower().split(separator))
    except ValueError:
        raise ExportError(f"{option} = {text!r} is not two numbers with {separator!r} between them") from None
    return first, second
