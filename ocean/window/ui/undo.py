"""Undo and redo: settings are values, so a change is the pair of both."""

from functools import lru_cache

from ocean.settings import Settings, ViewSettings, to_tree
from ocean.settings.trees import differences

DEPTH = 200  # changes that are remembered


class Undo:
    """Changes that a person made, and those that were undone."""

    def __init__(self) -> None:
        self._past: list[tuple[Settings, Settings]] = []
        self._future: list[tuple[Settings, Settings]] = []
        self._is_held = False

    def note(self, before: Settings, after: Settings, is_held: bool = False) -> None:
        """Note a change of settings. All changes while the mouse is held are one, as of a slider that is dragged."""
        if self._is_held and self._past:
            before = self._past.pop()[0]
        self._past = [*self._past[-DEPTH + 1 :], (before, after)]
        self._future.clear()
        self._is_held = is_held

    def let_go(self) -> None:
        """Note that the mouse is not held any more, so that the next change is another one."""
        self._is_held = False

    @property
    def last(self) -> str:
        """Return the name of the change that `undo` would take back; empty where there is none."""
        return name_change(*self._past[-1]) if self._past else ""

    @property
    def next(self) -> str:
        """Return the name of the change that `redo` would make; empty where there is none."""
        return name_change(*self._future[-1]) if self._future else ""

    def undo(self, now: Settings) -> Settings | None:
        """Return the settings before the last change; None where there is none."""
        if not self._past:
            return None
        before, after = self._past.pop()
        self._future.append((before, after))
        return with_view(before, moved(after.view, before.view, now.view))

    def redo(self, now: Settings) -> Settings | None:
        """Return the settings after the change that was undone last; None where there is none."""
        if not self._future:
            return None
        before, after = self._future.pop()
        self._past.append((before, after))
        return with_view(after, moved(before.view, after.view, now.view))


def moved(source: ViewSettings, target: ViewSettings, now: ViewSettings) -> ViewSettings:
    """Return the view now with the fields that a change from one view to another set. Flying is no change of
    settings, so the camera stays where it is otherwise."""
    values = target.model_dump()
    return now.model_copy(update={name: value for name, value in values.items() if value != getattr(source, name)})


def with_view(settings: Settings, view: ViewSettings) -> Settings:
    return settings.model_copy(update={"view": view})


def spell_change(before: Settings, now: Settings) -> str:
    """Return the first setting that changed with its new value, and how many more did."""
    changes = differences(to_tree(before), to_tree(now))
    if not changes:
        return "nothing has changed"
    path, (_, value) = next(iter(changes.items()))
    more = f" and {len(changes) - 1} more" if len(changes) > 1 else ""
    return f"{path} = {value}{more}"


@lru_cache(maxsize=4)
def name_change(before: Settings, now: Settings) -> str:
    """Return the name of the first setting that changed, and how many more did: "wind speed and 2 more"."""
    paths = list(differences(to_tree(before), to_tree(now)))
    name = " ".join(paths[0].split(".")[-2:]).replace("_", " ") if paths else "nothing"
    return f"{name} and {len(paths) - 1} more" if len(paths) > 1 else name
