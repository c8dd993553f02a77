"""Holding one capture against another: what can be compared, and what moved.

Every time is taken as a ratio to the reference passes of its own run, fixed work that no change of the program touches.
So a slower machine moves nothing, and a program that is slower everywhere moves everything.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ocean.gpu.timing import Clock
from ocean.report import CaptureError, GLRecord, Report
from ocean.settings import Settings, SettingsError, settings_from, to_tree

NEGLIGIBLE = 0.01
"""A pass that moved by less than this share of the baseline's frame is left alone, whatever its ratio."""


@dataclass(frozen=True)
class Move:
    """How the median of a pass compares with the baseline's."""

    name: str
    before_ms: float
    now_ms: float
    ratio: float  # corrected for the machine; above 1 is slower

    @property
    def is_regression(self) -> bool:
        """Whether it is for the worse."""
        return self.ratio > 1


def settings_obstacle(settings: Settings, baseline: Report) -> str | None:
    """Why a run with these settings can't be held against the baseline; None where it can. Captures have no window, so
    its settings don't count; what a baseline leaves out has its default."""
    try:
        before = flat(to_tree(settings_from(baseline.settings)))
    except SettingsError as error:
        return f"the baseline's settings can't be read: {error}"
    now = flat(to_tree(settings))
    different = [
        f"{key} = {before.get(key, 'nothing')} and not {now.get(key, 'nothing')}"
        for key in dict.fromkeys((*before, *now))
        if before.get(key) != now.get(key) and not key.startswith("window.")
    ]
    more = f" and {len(different) - 3} more" if len(different) > 3 else ""
    return f"the baseline is of other settings: it has {', '.join(different[:3])}{more}" if different else None


def device_obstacle(gl: GLRecord, clock: Clock, baseline: Report) -> str | None:
    """Why times of this device and clock can't be held against the baseline; None where they can."""
    before = baseline.gl
    if (gl.vendor, gl.renderer) != (before.vendor, before.renderer):
        return (
            f"the baseline is of another renderer: {before.renderer} ({before.vendor}), not {gl.renderer} ({gl.vendor})"
        )
    if clock != baseline.clock.name:
        return f"the baseline is by the {baseline.clock.name} clock, this run by the {clock} clock"
    return None


def flat(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """A tree of values by key path."""
    leaves: dict[str, Any] = {}
    for key, value in tree.items():
        leaves |= flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {f"{prefix}{key}": value}
    return leaves


def machine_ratio(now: Report, before: Report) -> float:
    """How many times as long the machine takes now, whatever the program did: the geometric mean over the reference's
    copy of memory and arithmetic, since passes lean on both and in shares that nobody knows."""
    pairs = (
        (now.reference.memory.gpu_ms.median, before.reference.memory.gpu_ms.median),
        (now.reference.arithmetic.gpu_ms.median, before.reference.arithmetic.gpu_ms.median),
    )
    if min(map(min, pairs)) <= 0:
        raise CaptureError("the reference passes took no time that could be measured, so nothing can be compared")
    return math.prod(a / b for a, b in pairs) ** 0.5


def find_moves(now: Report, before: Report, tolerance: float) -> list[Move]:
    """The passes, and the frame, whose median left the band of `tolerance` around the baseline's, as ratios to the
    reference passes of the same run: a slower machine moves nothing, a slower program does."""
    machine = machine_ratio(now, before)
    least = NEGLIGIBLE * before.frame.gpu_ms.median
    moves = []
    for name, was, median in _pairs(now, before):
        ratio = median / machine / was if was > 0 else 1.0
        if max(ratio, 1 / ratio if ratio > 0 else 1.0) > 1 + tolerance and abs(median / machine - was) > least:
            moves.append(Move(name, was, median, ratio))
    return moves


def _pairs(now: Report, before: Report) -> Iterator[tuple[str, float, float]]:
    """Name, the baseline's median and this run's [ms]. By the wall clock, the reference speaks for the host as well, so
    the frame with its host part is compared too."""
    yield "frame", before.frame.gpu_ms.median, now.frame.gpu_ms.median
    if now.clock.name == "wall":
        yield "frame with host", before.frame.wall_ms.median, now.frame.wall_ms.median
    for name, record in now.passes.items():
        if name in before.passes:
            yield name, before.passes[name].gpu_ms.median, record.gpu_ms.median
