"""Holding one capture against another: what can be compared, and as which series.

Every time is taken as a ratio to the reference passes of its own run, fixed work that no change of the program touches.
So a slower machine moves nothing, and a program that is slower everywhere moves everything.
"""

from ocean.capture.changes import Series
from ocean.capture.report import Case, Report
from ocean.common.facts import GLRecord
from ocean.fft.measure import LEAST_SAMPLES
from ocean.gpu.timing import Clock
from ocean.settings import Settings, SettingsError, settings_from, to_tree
from ocean.settings.trees import differences

NEGLIGIBLE = 0.01
"""A pass that moved by less than this share of the baseline's frame is left alone, whatever its ratio."""


def case_obstacle(name: str, settings: Settings, baseline: Report) -> str | None:
    """Why a case with these settings can't be held against the baseline; None where it can."""
    if name in baseline.obstacles:
        return None
    if name not in baseline.cases:
        known = ", ".join(case or "a single one" for case in baseline.cases)
        return f"the baseline has no case {name}, but {known}" if name else f"the baseline is of a matrix: {known}"
    if reason := settings_obstacle(settings, baseline.cases[name]):
        return reason
    frames = settings.capture.frames
    return f"capture.frames = {frames}, and a comparison takes {LEAST_SAMPLES}" if frames < LEAST_SAMPLES else None


def settings_obstacle(settings: Settings, baseline: Case) -> str | None:
    """Why a run with these settings can't be held against the baseline; None where it can. Captures have no window, so
    its settings don't count; what a baseline leaves out has its default."""
    try:
        before = settings_from(baseline.settings)
    except SettingsError as error:
        return f"the baseline's settings can't be read: {error}"
    different = [
        f"{key} = {was} and not {now}"
        for key, (was, now) in differences(to_tree(before), to_tree(settings)).items()
        if not key.startswith("window.")
    ]
    more = f" and {len(different) - 3} more" if len(different) > 3 else ""
    return f"the baseline is of other settings: it has {', '.join(different[:3])}{more}" if different else None


def device_obstacle(
    gl: GLRecord | None, clock: str | None, before_gl: GLRecord | None, before_clock: str | None
) -> str | None:
    """Why times of this device and clock can't be held against those before; None where they can. A new driver for the
    same device is a change like others."""
    now, before = device(gl), device(before_gl)
    if now != before:
        return f"the baseline is of another renderer: {before}, not {now}"
    if clock != before_clock:
        return f"the baseline is by the {before_clock} clock, this run by the {clock} clock"
    return None


def device(gl: GLRecord | None) -> str:
    return "none" if gl is None else f"{gl.renderer} ({gl.vendor})"


def groups_of(report: Report) -> dict[str, Series]:
    """What is compared of a capture, case by case."""
    return {name: series_of(case, report.clock.name) for name, case in report.cases.items()}


def series_of(case: Case, clock: Clock) -> Series:
    """What is compared of a case: its frame and its passes, against the reference passes. By the wall clock, the
    reference speaks for the host as well, so the frame with its host part is compared too."""
    samples = {"frame": case.frame.gpu_samples_ms}
    if clock == "wall":
        samples["frame with host"] = case.frame.wall_samples_ms
    samples |= {name: record.gpu_samples_ms for name, record in case.passes.items()}
    fixed = {
        "reference memory": case.reference.memory.gpu_samples_ms,
        "reference arithmetic": case.reference.arithmetic.gpu_samples_ms,
    }
    return Series(samples, fixed, NEGLIGIBLE * case.frame.gpu_ms.median)
