"""The window's state between sessions, in a file in the user's folder, and the place of its log."""

import os
import time
import zlib
from collections.abc import Iterable
from copy import deepcopy
from pathlib import Path
from typing import Any, Literal

import platformdirs
from pydantic import BaseModel, ConfigDict

from ocean.common.errors import InputError, check, is_unicode, read_own, reason
from ocean.common.files import whole_files, writing
from ocean.settings import Settings, SettingsError, flat, merge, nested, settings_from, to_tree, with_values
from ocean.settings.files import PARTS, Resolution
from ocean.window.camera import Bookmark, Flight, Journey

NAME = "window.json"
MOST_BYTES = 1 << 18
PATIENCE = 2.0  # s: longest wait of a start for a spectrum's file
FILES = tuple(f"{part}.{name}" for part, name in PARTS.items())
"""Settings that name one file, or several between commas."""


class LastState(BaseModel):
    """State of a window when it was closed. The settings are a tree of plain values, checked by `restored`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1] = 1
    settings: dict[str, Any]
    layout: str = ""  # ImGui's layout: it fails or hangs on some damaged ones
    layout_checksum: int = 0
    bookmarks: dict[str, Bookmark] = {}
    flight: Flight = Flight()
    recent: tuple[Path, ...] = ()  # opened or saved settings files, the newest first
    pinned: tuple[str, ...] = ()  # key paths of settings at the panel's top

    @classmethod
    def of(
        cls,
        settings: Settings,
        layout: str,
        journey: Journey,
        recent: Iterable[Path] = (),
        pinned: Iterable[str] = (),
    ) -> "LastState":
        """Return the state of a window, with full names of files, so that a start in another folder finds them."""
        tree = to_tree(settings)
        names = {key: name for key, name in flat(tree).items() if key in FILES}
        for key, name in names.items():
            tree = merge(tree, nested(key, _rooted(name)))
        return cls(
            settings=tree,
            layout=layout,
            layout_checksum=checksum(layout),
            bookmarks=journey.bookmarks,
            flight=journey.flight,
            recent=tuple(path for path in recent if is_unicode(str(path))),
            pinned=tuple(pinned),
        )

    @property
    def journey(self) -> Journey:
        return Journey(self.bookmarks, self.flight)

    @property
    def has_whole_layout(self) -> bool:
        return self.layout_checksum == checksum(self.layout)

    def restored(self) -> Settings:
        """Return the settings.

        Raises:
            SettingsError: when one of their files is gone, or this version has other settings.
        """
        return settings_from(self.settings)

    def nearest(self) -> tuple[Settings, str, dict[str, Any]]:
        """Return the settings, with defaults for invalid ones, and a sentence that names these; and by key path the
        values whose files take longer to read than a start waits, which also get defaults."""
        whole, tree = deepcopy(self.settings), dict[str, Any]()
        files = _without_files(whole)
        missing: list[str] = []
        late: dict[str, Any] = {}
        reason = ""

        def take(key: str, value: Any) -> None:
            nonlocal tree, reason
            wanted = merge(tree, nested(key, value)) if key else value
            try:
                settings_from(wanted)
                tree = wanted
                return
            except SettingsError as error:
                reason = reason or str(error)
            for name, part in value.items() if isinstance(value, dict) else ():
                take(f"{key}.{name}" if key else name, part)
            if not isinstance(value, dict):
                missing.append(key)

        take("", whole)
        settings, deadline = settings_from(tree), time.monotonic() + PATIENCE
        for key, value in files.items():
            try:
                resolution = Resolution(with_values(settings, {key: value}))
                found = resolution.result(max(0.0, deadline - time.monotonic()))
            except SettingsError as error:
                reason = reason or str(error)
                missing.append(key)
                continue
            if found is None:
                resolution.cancel()
                late[key] = value
            settings = found or settings
        said = []
        if missing:
            others = f" and {len(missing) - 3} others" if len(missing) > 3 else ""
            said.append(f"{reason}; the last session goes on without {', '.join(missing[:3])}{others}")
        if late:
            said.append(f"the last session goes on without {' and '.join(late)} until the file is read")
        return settings, "; ".join(said), late


def _without_files(tree: dict[str, Any]) -> dict[str, Any]:
    """Remove the settings that name files from a tree, and return them by key path."""
    removed = {}
    for part, name in PARTS.items():
        *tables, last = part.split(".") if part.endswith("spectrum") else (part, name)
        table: Any = tree
        for key in tables:
            table = table.get(key) if isinstance(table, dict) else None
        value = table.get(last) if isinstance(table, dict) else None
        if (isinstance(value, dict) and value.get("kind") == "file") or (last == "panorama" and value):
            removed[".".join((*tables, last))] = table.pop(last)
    return removed


def checksum(layout: str) -> int:
    return zlib.crc32(layout.encode(errors="surrogatepass"))


def _rooted(names: str) -> str:
    """Return the full names of existing files if these can be written; other names stay as they are."""
    full = ",".join(os.path.abspath(name) if os.path.exists(name) else name for name in names.split(","))
    return full if is_unicode(full) else names


def state_file() -> Path:
    return Path(platformdirs.user_state_dir("fft-ocean", appauthor=False)) / NAME


def log_file() -> Path:
    return Path(platformdirs.user_log_dir("fft-ocean", appauthor=False)) / "ocean.log"


def load(path: Path) -> LastState | None:
    """Return the state of the last session; None if there is none.

    Raises:
        InputError: when the file can't be read, or is of another version.
    """
    try:
        state = LastState.model_validate_json(read_own(path, MOST_BYTES))
        check(state.settings)
        return state
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"can't read {path}: {reason(error)}") from None
    except ValueError:  # pydantic's, or too many bytes or values
        raise InputError(
            f"{path} was damaged or written by another version of this program, so the window starts with the defaults"
        ) from None


def save(path: Path, state: LastState) -> None:
    """Keep a state.

    Raises:
        OutputError: when it can't be written.
    """
    with whole_files(path.parent, [path.name]) as folder, writing(path.parent):
        (folder / path.name).write_text(state.model_dump_json(indent=1) + "\n", encoding="utf-8")
