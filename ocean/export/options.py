"""What a person types, as a plan."""

from typing import Any, Literal

from ocean.export.plan import MAP_FORMATS, ExportError, Patch, Plan, frame_count
from ocean.settings import Settings, with_values


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
    spacing: float,
    at: str,
    resolution: str | None,
    device: Literal["gpu", "cpu"],
) -> Plan:
    """The plan of these options.

    Raises:
        SettingsError: when one can't be used; the message names it.
    """
    values: dict[str, Any] = {"fft.size": size, "sea.loop_period": loop}
    if resolution is not None:
        width, height = pair("--resolution", resolution, "x")
        values |= {"capture.width": round(width), "capture.height": round(height)}
    settings = with_values(settings, {key: value for key, value in values.items() if value is not None})
    names = tuple(dict.fromkeys(name.strip() for name in maps.split(",") if name.strip()))
    area = None
    if patch is not None:
        width, depth = pair("--patch", patch, "x")
        area = Patch(width, depth, spacing, pair("--at", at, ","))
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
