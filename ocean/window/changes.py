"""Changes of settings: a queue of them, undo and redo, and the A/B comparison.

Settings are values, so a change is a pair of settings.
"""

import math
from collections import defaultdict
from collections.abc import Sequence, Sized
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import moderngl

from ocean.common.parameters import Parameters, hints_of
from ocean.common.resources import LEVELS
from ocean.gpu.context import labelled, release_all
from ocean.settings import Settings, differences, level_values, value_at, with_values
from ocean.window.camera import placed
from ocean.window.ui.widgets import name_of, spelled

DEPTH = 200  # maximum number of undo steps
Kind = Literal["settings", "view"]
"""Kinds of undo steps: those of camera and debug view have a history of their own."""
Way = Literal["undo", "redo"]
Model = TypeVar("Model", bound=Parameters)


class Source(NamedTuple):
    """The settings file or preset that the window shows: its name and settings, and the file with its time [s]."""

    name: str = ""
    settings: Settings | None = None
    path: Path | None = None
    time: float = 0.0


@dataclass(frozen=True)
class Change:
    """Wanted settings, the origin of the change, and its name for undo, such as "preset calm".

    An `edit` is an undo step. Consecutive drags, as of a slider, share one step. Changes by undo and redo (`history`),
    by the A/B comparison (`swap`) and by the quality *automatic* are not undo steps.
    """

    settings: Settings
    origin: Literal["edit", "drag", "history", "swap", "automatic"] = "edit"
    label: str = ""
    sources: tuple[Source, ...] = ()  # before and after, if the change shows another; named at once


class UndoStep(NamedTuple):
    before: Settings
    change: Change

    @property
    def title(self) -> str:
        return self.change.label or name_change(self.before, self.change.settings)


class Changes:
    """The queue of changes that the next picture takes, and the undo and redo steps."""

    def __init__(self) -> None:
        self.queue: list[Change] = []
        self._steps: dict[tuple[Way, Kind], list[UndoStep]] = defaultdict(list)
        self._continues: Kind | None = None  # kind whose last step the next drag continues

    def newest(self, settings: Settings) -> Settings:
        return self.queue[-1].settings if self.queue else settings

    def note(self, before: Settings, changes: Sequence[Change], shows_a: bool = False) -> None:
        """Add changes of the settings `before` to the undo steps of B. Changes of nothing, of hidden panels alone, or
        of A are not added; `shows_a` says whether A is shown after the last one."""
        swaps = sum(change.origin == "swap" for change in changes)
        for change in changes:
            after = change.settings
            swaps -= change.origin == "swap"
            is_of_a = shows_a != bool(swaps % 2)
            if change.origin in ("edit", "drag") and not is_of_a:
                before = with_panel(before, after)
                if self._continues and change.origin == "drag" and (past := self._steps["undo", self._continues]):
                    before = with_panel(past.pop().before, after)
                kind = kind_of(before, after)
                self._continues = kind if change.origin == "drag" and before != after else None
                if before != after:
                    past = self._steps["undo", kind]
                    self._steps["undo", kind] = [*past[1 - DEPTH :], UndoStep(before, change)]
                    self._steps["redo", kind].clear()
            elif change.origin == "automatic":
                self._continues = None  # the rest of a drag is another step
            before = after

    def end_drag(self) -> None:
        """Let the next drag begin a new undo step, unless changes of this drag are waiting."""
        if not any(change.origin == "drag" for change in self.queue):
            self._continues = None

    def title(self, way: Way, kind: Kind = "settings") -> str:
        """Return the name of the change that undo would revert or redo would repeat; empty if there is none."""
        steps = self._steps[way, kind]
        return steps[-1].title if steps else ""

    def travel(self, way: Way, settings: Settings, kind: Kind = "settings") -> str:
        """Queue the settings before the last change, or after the last one undone, given those in use; return what
        changes, empty if there is no step."""
        self.note(settings, self.queue)
        self.queue = [replace(change, origin="history") for change in self.queue]
        if not (steps := self._steps[way, kind]):
            return ""
        before, change = step = steps.pop()
        self._steps["redo" if way == "undo" else "undo", kind].append(step)
        (source, target), sources = (before, change.settings), change.sources
        if way == "undo":
            source, target, sources = target, source, sources[::-1]
        now = self.newest(settings)
        shown = {name: moved(*(getattr(one, name) for one in (source, target, now))) for name in ("view", "stage")}
        base = target if kind == "settings" else now
        wanted = with_level(source, with_panel(base.model_copy(update=shown), now), now)
        self.queue.append(Change(wanted, "history", sources=sources))
        self._continues = None
        return change.label or spell_change(now, wanted)


def kind_of(before: Settings, after: Settings) -> Kind:
    """Return the kind of a change: "view" if at most the place of the camera and the debug view differ."""
    shown = {"view": placed(before.view, after.view), "stage": after.stage}
    return "view" if before.model_copy(update=shown) == after else "settings"


def moved(source: Model, target: Model, now: Model) -> Model:
    """Apply only the fields in which two views differ; keep the camera, because flying is not a change of settings."""
    values = target.model_dump()
    return now.model_copy(update={name: value for name, value in values.items() if value != getattr(source, name)})


def with_level(source: Settings, target: Settings, now: Settings) -> Settings:
    """Keep the current quality values that an undo step does not change: quality *automatic* may have changed them."""
    kept = {path: value_at(now, path) for path in level_values(LEVELS[0])}
    kept = {path: value for path, value in kept.items() if value_at(source, path) == value_at(target, path) != value}
    return with_values(target, kept) if kept else target


def with_panel(settings: Settings, now: Settings) -> Settings:
    """Return settings whose panels are hidden or shown as they are now."""
    window = settings.window.model_copy(update={"panel": now.window.panel})
    return settings.model_copy(update={"window": window})


def changed(before: Settings, now: Settings) -> dict[str, tuple[Any, Any]]:
    """Return the settings that differ, without those that come and go with a backend or another kind."""
    found = differences(before, now)
    return {path: pair for path, pair in found.items() if "nothing" not in pair} or found


def spell_changes(before: Settings, now: Settings) -> dict[str, tuple[str, str]]:
    """Return the settings that differ by key path, with the old and the new value in the panel's notation."""
    changes = changed(before, now)
    return {path: (_spell(before, path, old), _spell(now, path, new)) for path, (old, new) in changes.items()}


def _spell(settings: Settings, path: str, value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if not isinstance(value, float):
        return str(value)
    parent, _, name = path.rpartition(".")
    info = type(value_at(settings, parent)).model_fields[name]
    hints = hints_of(info)
    return hints.zero if value == 0 and hints.zero else spelled(value, hints.unit)


def spell_change(before: Settings, now: Settings) -> str:
    """Return the first changed setting with its value, and the number of others: "wind speed is 10 m/s, and 2 more"."""
    changes = spell_changes(before, now)
    if not changes:
        return "no setting differs"
    path, (_, value) = next(iter(changes.items()))
    more = and_more(changes)
    return f"{name_of(path)} is {value}{more and f',{more}'}"


@lru_cache(maxsize=4)
def name_change(before: Settings, now: Settings) -> str:
    """Return the name of the first setting that changed, and the number of others: "wind speed and 2 more"."""
    paths = changed(before, now)
    return f"{name_of(next(iter(paths)))}{and_more(paths)}" if paths else "nothing"


def and_more(changes: Sized) -> str:
    return f" and {len(changes) - 1} more" if len(changes) > 1 else ""


class ABComparison:
    """A/B comparison: saved settings A with a snapshot, and the current settings B.

    A is a still picture, taken whenever A is shown, because a second sea would cost as much as the first.
    """

    def __init__(self) -> None:
        self.other: Settings | None = None
        self.source = Source()
        """Settings and file of the side that is not shown."""
        self.shows_a = self.is_split = False
        self.has_own_cameras = False  # True: each side keeps its camera; False: both are seen from one place
        self._times = {True: math.nan, False: math.nan}  # median times of a frame of A and of B [ms]
        self.time = 0.0  # time of the sea in the snapshot [s]
        self.snapshot: moderngl.Texture | None = None
        self._wants_snapshot = False

    def save(self, settings: Settings, source: Source) -> None:
        self.other, self.source, self.shows_a, self._wants_snapshot = settings, source, False, True
        self._times[True] = self._times[False]  # until a change, B is A

    def swap(self, now: Settings) -> Settings:
        """Return the settings of the other side, with the camera and window of `now`."""
        if self.other is None:
            raise ValueError("no settings are saved as A")
        view = self.other.view if self.has_own_cameras else placed(self.other.view, now.view)
        shown = self.other.model_copy(update={"view": view, "window": now.window})
        self.other = now
        self.shows_a = not self.shows_a
        return shown

    def note(self, ms: float, both: bool = False) -> None:
        """Take the median time of a frame of the present side [ms]; NaN after a change of its settings or, for both
        sides, of the picture's size."""
        self._times |= dict.fromkeys((True, False) if both else (self.shows_a,), ms)

    @property
    def frame_times(self) -> tuple[str, str]:
        """The times of a frame of A and of B, with their unit; empty before the first."""
        a, b = ("" if math.isnan(self._times[side]) else f"{self._times[side]:.3g} ms" for side in (True, False))
        return a, b

    @property
    def wants_snapshot(self) -> bool:
        return self.shows_a or self._wants_snapshot

    def take_snapshot(self, ctx: moderngl.Context, picture: moderngl.Framebuffer, time: float) -> None:
        self._wants_snapshot, self.time = False, time
        if self.snapshot is None or self.snapshot.size != picture.size:
            self.release()
            self.snapshot = labelled("snapshot of A", ctx.texture(picture.size, 4))
        ctx.copy_framebuffer(self.snapshot, picture)

    def release(self) -> None:
        release_all(self.snapshot)
        self.snapshot = None
