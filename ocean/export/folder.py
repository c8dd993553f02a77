"""The folder of an export. A file in it is complete or absent, even after a crash.

`export.json` describes the export. Files are written in a folder aside, their checksums are computed, and then they
move to their names. `SHA256SUMS` gets a line for each; `sha256sum --check` reads it. A file counts as done if it has
the checksum of its line, so no file needs to be flushed to the disk. A lock keeps a second export out; the
system releases the lock of a killed program.
"""

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ocean.common.console import Progress
from ocean.common.errors import MOST_JSON, parse_json, read_own
from ocean.common.files import own_place, writing
from ocean.export.plan import INSTALL, ExportError

RECORD, SUMS, LOCK, ASIDE = "export.json", "SHA256SUMS", ".lock", ".unfinished-"
_SUM = re.compile(r"([0-9a-f]{64})  (.+)\n")


class ExportFolder:
    """An open folder. `done` holds the checksum of each whole file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done: dict[str, str] = {}

    def add(self, names: Iterable[str], aside: Path) -> None:
        """Move finished files from `aside` to their names, and note their checksums."""
        sums = move(aside, self.path, names)
        self.note(sums)

    def note(self, sums: Mapping[str, str]) -> None:
        append_sums(self.path / SUMS, {name: digest for name, digest in sums.items() if self.done.get(name) != digest})
        self.done |= sums

    def verify(self, progress: Progress) -> list[str]:
        """Check the listed files. Return the names of damaged or missing files."""
        self.gather()
        sums = _read_sums(self.path / SUMS)
        damaged = []
        progress.start("checking file", len(sums))
        for name, digest in sums.items():
            if is_whole(self.path / name, digest):
                self.done[name] = digest
            else:
                self.done.pop(name, None)
                damaged.append(name)
            progress.advance()
        self._write(SUMS, "".join(_line(name, digest) for name, digest in self.done.items()))
        return damaged

    def gather(self, name: str = f"{SUMS}.*") -> None:
        """Note the files in the workers' lists, and remove the lists: one complete list, or all when no worker writes
        any more."""
        for listed in self.path.glob(name):
            self.note(_read_sums(listed))
            listed.unlink(missing_ok=True)

    def _write(self, name: str, text: str) -> None:
        with aside(self.path) as folder:
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
            os.replace(folder / name, self.path / name)


@contextmanager
def open_folder(path: Path, record: Mapping[str, Any], resume: bool) -> Iterator[ExportFolder]:
    """Yield the folder, made if necessary and locked, for an export with this record. With `resume` the folder may hold
    an export with an equal record.

    Raises:
        ExportError: when another export is running in the folder, or it holds another one.
        OutputError: when the folder can't be written.
    """
    try:
        from filelock import FileLock, Timeout
    except ImportError as error:
        raise ExportError(f"exports need a package that is not installed ({error.name}); {INSTALL}") from None
    record = json.loads(json.dumps(record))
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path / LOCK)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise ExportError(f"another export is writing to {path}; wait for it, or choose another folder") from None
    try:
        with writing(path):
            folder = ExportFolder(path)
            old = _read_record(path)
            if old is None:
                folder._write(RECORD, json.dumps(record, indent=2) + "\n")
            elif not resume:
                raise ExportError(f"{path} holds an export; continue it with --resume, or choose another folder")
            else:
                refuse_another(path, record)
            _clear(path)
        try:
            yield folder
        except ExportError:
            if old is None and not folder.done:  # nothing to continue: a mended command line is another export
                (path / RECORD).unlink()
            raise
    finally:
        _clear(path)
        lock.release()


def refuse_another(path: Path, record: Mapping[str, Any]) -> None:
    """Raise ExportError if a folder holds an export with another record."""
    old = _read_record(path)
    if old is not None and (difference := _difference(old, json.loads(json.dumps(record)))):
        raise ExportError(f"{path} holds another export: {difference}; choose another folder")


def _clear(path: Path) -> None:
    """Remove the unfinished files of killed processes."""
    for leftover in path.glob(ASIDE + "*"):
        shutil.rmtree(leftover, ignore_errors=True)


@contextmanager
def aside(path: Path) -> Iterator[Path]:
    """Yield a folder for files on their way to `path`; remove it at the end."""
    folder = Path(tempfile.mkdtemp(prefix=ASIDE, dir=path))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def move(aside: Path, path: Path, names: Iterable[str]) -> dict[str, str]:
    """Move finished files to their names, and return their checksums."""
    os.stat(path / RECORD)  # fails if the folder was removed meanwhile: its other files are gone
    sums = {name: checksum(aside / name) for name in names}
    for name in sums:
        os.replace(aside / name, own_place(path, name))
    return sums


def checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_whole(path: Path, digest: str) -> bool:
    """Return whether a file has this checksum; False if it is missing, can't be read, or is a pipe or device, which may
    have no end."""
    try:
        return path.is_file() and checksum(path) == digest
    except OSError:
        return False


def append_sums(path: Path, sums: Mapping[str, str]) -> None:
    with own_place(path.parent, path.name, is_followed=False).open("a", encoding="utf-8", newline="\n") as file:
        file.write("".join(_line(name, digest) for name, digest in sums.items()))


def _read_sums(path: Path) -> dict[str, str]:
    """Return the checksums of a list, without a truncated line."""
    if not path.exists() or path.is_fifo():  # a pipe has no end; the new list replaces it
        return {}
    text = path.read_text(encoding="utf-8", errors="replace")
    return {match[2]: match[1] for match in _SUM.finditer(text)}


def _line(name: str, digest: str) -> str:
    return f"{digest}  {name}\n"


def _read_record(path: Path) -> Any:
    try:
        return parse_json(read_own(path / RECORD, MOST_JSON))
    except FileNotFoundError:
        return None
    except ValueError:
        raise ExportError(f"{path / RECORD} is not a record of an export; choose another folder") from None


def _difference(old: Any, new: Any, keys: Sequence[str] = ()) -> str | None:
    """Return the first difference of two records, in words; None if they are equal."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        found = (_difference(old.get(key), new.get(key), (*keys, key)) for key in {**old, **new})
        return next((words for words in found if words), None)
    name = ".".join(keys).removeprefix("settings.")
    return None if old == new else f"{name} is {old} there, and {new} here"
