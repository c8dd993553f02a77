"""The only module that opens the files that settings name: measured spectra and panoramas.

Settings are values without I/O. `resolve` opens their files and adds the content, read in a process of its own. A file
that has changed is read again when settings that name it are resolved again.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import Event, Thread
from typing import Any, NewType
from weakref import WeakValueDictionary

from ocean.common.errors import is_unicode, shown
from ocean.common.parameters import Content, FileParameters
from ocean.common.resources import folder
from ocean.settings import Settings, SettingsError, SkySettings, value_at, with_values
from ocean.waves.spectra import FileSpectrum
from ocean.waves.spectrum_texts import directional_files

Reader = Callable[..., Content]
Resolved = NewType("Resolved", Settings)  # settings with the content of all files that they name

LONGEST = 30.0  # s for the files of a spectrum; panoramas are large and may take four times as long
DIGITS = 16  # length of a checksum
PARTS = {"sea.wind.spectrum": "path", "sea.swell.spectrum": "path", "sky": "panorama"}
"""Parts of the settings that may name files, and the parameter that does."""
ZARR_MARKS = ".zgroup", ".zmetadata", "zarr.json"  # names of files; a folder of zarr has at least one of them

_known: WeakValueDictionary[tuple[object, ...], Content] = WeakValueDictionary()
"""Content that living settings have, by current folder, names and times of its files."""


def resolve(
    settings: Settings,
    progress: Callable[[str], None] | None = None,
    is_cancelled: Callable[[], bool] | None = None,
    longest: float = LONGEST,
) -> Resolved:
    """Return the settings with the content of their files. Resolved settings are returned unchanged. A change keeps
    the content unless it names another file.

    `progress` is called with the name of each file before the file is read.

    Raises:
        SettingsError: when a file can't be read or takes longer than `longest` [s], or its sea is impossible.
        Cancelled: when `is_cancelled` returns true while a file is being read.
    """
    if not (unread := _unread(settings)):
        return Resolved(settings)
    from ocean.common import isolated  # most settings name no file and need no reader
    from ocean.common.pictures import read_panorama
    from ocean.waves.spectrum_files import read_spectrum

    def content(read: Reader, files: Sequence[Path], *wanted: Any, most: float = longest) -> Content:
        key = isolated.folder(), read, tuple(files), tuple(map(_time, files)), wanted
        if (known := _known.get(key)) is not None:
            return known
        if progress is not None:
            progress(files[0].name)
        found = isolated.call(read, files, *wanted, longest=most, is_cancelled=is_cancelled)
        _known[key] = found
        return found

    parts: dict[str, FileParameters] = {}
    for path, group in unread.items():
        named = shown(getattr(group, PARTS[path]))
        try:
            if isinstance(group, FileSpectrum):
                files, wanted = find(group.path), (group.format, group.time, group.station, group.directional)
                parts[path] = group.with_content(content(read_spectrum, files, *wanted))
            elif isinstance(group, SkySettings):
                parts[path] = group.with_content(content(read_panorama, [Path(group.panorama)], most=4 * longest))
        except isolated.IsolationError as error:
            raise SettingsError(f"{path}.{PARTS[path]} = {named} can't be read: {error}") from None
        except ValueError as error:
            start = f"sky.panorama = {named}: " if path == "sky" else path.removesuffix("spectrum")
            raise SettingsError(f"{start}{error}") from None
    return Resolved(with_values(settings, parts))


def find(path: str) -> tuple[Path, ...]:
    """Return the files in a spectrum's path, separated by commas; each as named, or else among the assets. A folder of
    zarr counts as one file. Files of directions that lie beside a buoy's file of densities follow it. Raises ValueError
    when there is no such file."""
    files = []
    for name in [path] if os.path.isfile(os.path.expanduser(path)) else path.split(","):  # its name may have commas
        named = (Path(os.path.expanduser(name)), folder("assets") / name) if name else ()
        places = [place for place in named if os.path.isfile(place) or os.path.isdir(place)]
        if not places:
            raise ValueError(f"spectrum.path = {shown(path)}: there is no file {shown(name)}")
        if places[0].is_dir() and not _is_zarr(places[0]):
            raise ValueError(f"spectrum.path = {shown(path)}: {shown(name)} is a folder, and not one of zarr")
        files.append(places[0])
    others = [files[0].with_name(name) for name in directional_files(files[0].name)]
    return (*files, *others) if len(files) == 1 and all(map(os.path.isfile, others)) else tuple(files)


def rooted(names: str) -> str:
    """Return the full names of existing files, separated by commas, if these can be written; other names stay."""
    full = ",".join(os.path.abspath(name) if os.path.exists(name) else name for name in names.split(","))
    return full if is_unicode(full) else names


class Resolution:
    """Settings that a thread resolves. `file` is the name of the file that it reads."""

    def __init__(self, settings: Settings) -> None:
        self.file = ""
        self._is_cancelled = Event()
        self._answer: Future[Resolved] = Future()
        if _unread(settings):
            Thread(target=self._resolve, args=(settings,), name="settings files", daemon=True).start()
        else:
            self._answer.set_result(Resolved(settings))

    def result(self, patience: float = 0.0) -> Resolved | None:
        """Return the resolved settings; None if that takes longer than `patience` [s]. Raises SettingsError when
        `resolve` raises it."""
        try:
            return self._answer.result(patience)
        except TimeoutError:
            return None

    def cancel(self) -> None:
        self._is_cancelled.set()

    def _resolve(self, settings: Settings) -> None:
        def note(file: str) -> None:
            self.file = file

        try:
            self._answer.set_result(resolve(settings, note, self._is_cancelled.is_set))
        except BaseException as error:
            self._answer.set_exception(error)


def contents(settings: Settings) -> dict[str, str]:
    """Return a short checksum of each file's content in resolved settings, by key path."""
    sums = {}
    for path, name in PARTS.items():
        group = value_at(settings, path)
        if isinstance(group, FileParameters) and group.content:
            sums[f"{path}.{name}"] = group.content.digest[:DIGITS]
    return sums


def _unread(settings: Settings) -> dict[str, FileParameters]:
    """Return the parts that name files and lack their content, by key path."""
    sea, sky = settings.sea, settings.sky
    parts = dict(zip(PARTS, (sea.wind.spectrum, sea.swell.spectrum, sky if sky.panorama else None), strict=True))
    return {path: part for path, part in parts.items() if isinstance(part, FileParameters) and part.content is None}


def _is_zarr(path: Path) -> bool:
    return any((path / mark).is_file() for mark in ZARR_MARKS)


def _time(file: Path) -> int:
    """Return when a file, or the newest file in a folder of zarr, last changed; 0 for a missing file. Raises ValueError
    when a link in the folder leads nowhere."""
    if not os.path.exists(file):
        return 0  # the reader says why
    try:
        inside = list(file.rglob("*")) if _is_zarr(file) else []
        return max(each.stat().st_mtime_ns for each in [file, *inside])
    except OSError as error:
        said = f"{shown(str(error.filename))}: {(error.strerror or str(error)).lower()}"
        raise ValueError(f"spectrum.path = {shown(str(file))} can't be read: {said}") from None
