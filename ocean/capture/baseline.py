"""Baselines of captures: reasons why two captures can't be compared.

Every time is taken as a ratio to the reference passes of its own run, fixed work that no change of the program touches.
So a slower machine changes no ratio, and a program that is slower everywhere changes all of them.
"""

from ocean.capture.report import CaseRecord, Report
from ocean.common.facts import GLRecord
from ocean.fft.measure import LEAST_SAMPLES
from ocean.settings import Settings, SettingsError, differences, settings_from, to_tree


def case_obstacle(name: str, settings: Settings, baseline: Report) -> str | None:
    """Return the reason why a case with these settings can't be compared with the baseline, or None."""
    if name in baseline.obstacles:
        return None
    if name not in baseline.cases:
        known = ", ".join(case or "a single one" for case in baseline.cases)
        return f"the baseline has no case {name}, but {known}" if name else f"the baseline has several cases: {known}"
    if reason := settings_obstacle(settings, baseline.cases[name]):
        return reason
    frames = settings.capture.frames
    if frames >= LEAST_SAMPLES:
        return None
    return f"capture.frames = {frames}, and a comparison takes {LEAST_SAMPLES}; choose --frames {LEAST_SAMPLES} or more"


def settings_obstacle(settings: Settings, baseline: CaseRecord) -> str | None:
    """Return the reason why a run with these settings can't be compared with the baseline, or None. Captures have no
    window, so its settings don't count. Settings that the baseline lacks have their defaults."""
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
    if not different:
        return None
    remedy = "choose the same settings or another --baseline"
    return f"the baseline is of other settings: it has {', '.join(different[:3])}{more}; {remedy}"


def device_obstacle(
    gl: GLRecord | None, clock: str | None, before_gl: GLRecord | None, before_clock: str | None
) -> str | None:
    """Return the reason why times of this device and clock can't be compared with the earlier ones, or None. A new
    driver for the device is no obstacle."""
    now, before = device(gl), device(before_gl)
    if now != before:
        return f"the baseline is of another renderer: {before}, not {now}"
    if clock != before_clock:
        return f"the baseline is by the {before_clock} clock, this run by the {clock} clock"
    return None


def device(gl: GLRecord | None) -> str:
    return "none" if gl is None else f"{gl.renderer} ({gl.vendor})"
