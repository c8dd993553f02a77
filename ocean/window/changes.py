"""Undo and redo, and the A/B comparison: saved settings A with a snapshot, and the current settings B."""

from collections.abc import Sized
from functools import lru_cache
from typing import Any, NamedTuple

import moderngl

from ocean.common.parameters import unit_of, zero_of
from ocean.gpu.context import labelled, release_framebuffer
from ocean.settings import Settings, ViewSettings, differences, to_tree, value_at
from ocean.window.camera import with_camera
from ocean.window.ui.widgets import spelled


class Kept:
    """The settings of the hidden side, and a still picture of A, because a second sea would cost as much as the first.
    Each time A is shown, a new picture is taken."""

    def __init__(self) -> None:
        self.other: Settings | None = None
        """Settings of the side that is not shown."""
        self.shows_a = False
        self.time = 0.0  # time of the sea in the picture [s]
        self._picture: moderngl.Framebuffer | None = None
        self._wants_picture = False

    @property
    def picture(self) -> moderngl.Texture | None:
        colours = self._picture.color_attachments[0] if self._picture else None
        return colours if isinstance(colours, moderngl.Texture) else None

    def keep(self, settings: Settings) -> None:
        self.other, self.shows_a, self._wants_picture = settings, False, True

    def swap(self, now: Settings) -> Settings:
        """Return the settings of the other side, with the camera and window of `now`.

        Raises:
            ValueError: when nothing is kept.
        """
        if self.other is None:
            raise ValueError("no settings are kept as A")
        shown = with_camera(self.other, now.view).model_copy(update={"window": now.window})
        self.other = now
        self.shows_a = not self.shows_a
        return shown

    def take_picture(self, ctx: moderngl.Context, picture: moderngl.Framebuffer, time: float) -> None:
        if not (self.shows_a or self._wants_picture):
            return
        self._wants_picture, self.time = False, time
        if self._picture is None or self._picture.size != picture.size:
            self.release()
            self._picture = ctx.framebuffer(labelled("picture of A", ctx.texture(picture.size, 4)))
        ctx.copy_framebuffer(self._picture, picture)

    def release(self) -> None:
        if self._picture:
            release_framebuffer(self._picture)
        self._picture = None


DEPTH = 200  # most remembered changes


class UndoStep(NamedTuple):
    """A change from one value of the settings to another, with its name if it has one, such as "preset calm"."""

    before: Settings
    after: Settings
    name: str = ""

    @property
    def title(self) -> str:
        return self.name or name_change(self.before, self.after)


class Undo:
    """A person's changes, and undone changes."""

    def __init__(self) -> None:
        self._past: list[UndoStep] = []
        self._future: list[UndoStep] = []
        self._is_held = False
        self.name = ""
        """Name of the change undone or redone last; empty if it has none."""

    def note(self, before: Settings, after: Settings, is_held: bool = False, name: str = "") -> None:
        """Note a change of settings. All changes while the mouse is held count as one, as by a dragged slider. Changes
        of nothing, or only of the visibility of the panels, do not count."""
        before = with_panel(before, after)
        if self._is_held and self._past:
            before = with_panel(self._past.pop().before, after)
        if before == after:
            self._is_held = False
            return
        self._past = [*self._past[-DEPTH + 1 :], UndoStep(before, after, name)]
        self._future.clear()
        self._is_held = is_held

    def let_go(self) -> None:
        """End a drag, so that the next change counts as another one."""
        self._is_held = False

    @property
    def last(self) -> str:
        """Return the name of the change that `undo` would take back; empty if there is none."""
        return self._past[-1].title if self._past else ""

    @property
    def next(self) -> str:
        """Return the name of the change that `redo` would make; empty if there is none."""
        return self._future[-1].title if self._future else ""

    def undo(self, now: Settings) -> Settings | None:
        if not self._past:
            return None
        before, after, self.name = step = self._past.pop()
        self._future.append(step)
        return with_panel(with_view(before, moved(after.view, before.view, now.view)), now)

    def redo(self, now: Settings) -> Settings | None:
        """Return the settings after the change undone last; None if there is none."""
        if not self._future:
            return None
        before, after, self.name = step = self._future.pop()
        self._past.append(step)
        return with_panel(with_view(after, moved(before.view, after.view, now.view)), now)


def moved(source: ViewSettings, target: ViewSettings, now: ViewSettings) -> ViewSettings:
    """Return the view now with the fields that a change from one view to another set. Flying is no change of
    settings, so the rest of the camera stays."""
    values = target.model_dump()
    return now.model_copy(update={name: value for name, value in values.items() if value != getattr(source, name)})


def with_view(settings: Settings, view: ViewSettings) -> Settings:
    return settings.model_copy(update={"view": view})


def with_panel(settings: Settings, now: Settings) -> Settings:
    """Return settings whose panels are hidden or shown as they are now."""
    window = settings.window.model_copy(update={"panel": now.window.panel})
    return settings.model_copy(update={"window": window})


def spell_changes(before: Settings, now: Settings) -> dict[str, tuple[str, str]]:
    """Return the settings that differ by key path, with the old and the new value in the panel's notation."""
    changes = differences(to_tree(before), to_tree(now))
    return {path: (_spell(before, path, was), _spell(now, path, new)) for path, (was, new) in changes.items()}


def _spell(settings: Settings, path: str, value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if not isinstance(value, float):
        return str(value)
    parent, _, name = path.rpartition(".")
    info = type(value_at(settings, parent)).model_fields[name]
    return zero_of(info) if value == 0 and zero_of(info) else spelled(value, unit_of(info))


def spell_change(before: Settings, now: Settings) -> str:
    """Return the first setting that changed back, its value, and the number of others: "wind speed, 10 m/s again, and 2
    more"."""
    changes = spell_changes(before, now)
    if not changes:
        return "nothing has changed"
    path, (_, value) = next(iter(changes.items()))
    more = and_more(changes)
    return f"{name_of(path)}, {value} again{more and f',{more}'}"


@lru_cache(maxsize=4)
def name_change(before: Settings, now: Settings) -> str:
    """Return the name of the first setting that changed, and the number of others: "wind speed and 2 more"."""
    paths = differences(to_tree(before), to_tree(now))
    return f"{name_of(next(iter(paths)))}{and_more(paths)}" if paths else "nothing"


def name_of(path: str) -> str:
    return " ".join(path.split(".")[-2:]).replace("_", " ")


def and_more(changes: Sized) -> str:
    """Return a text on the number of changes beside the first."""
    return f" and {len(changes) - 1} more" if len(changes) > 1 else ""
