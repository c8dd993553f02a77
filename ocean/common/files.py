"""Files that are complete or absent, and errors for files that can't be written."""

import errno
import io
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from ocean.common.errors import InputError, is_unicode

if TYPE_CHECKING:
    from filelock import BaseFileLock

UNFINISHED, FILM, LOCK = ".unfinished-", ".film-", ".lock"
"""Prefix of the folders in which files are made, that of movies which stay if the program is killed, and suffix of
their locks."""


ROOM = 1 << 16  # bytes that a folder must have room for before any work begins


class OutputError(InputError):
    """A file that can't be written; the message says where and why."""


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn the system's errors into OutputError."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"can't write to {folder}: {(error.strerror or str(error)).lower()}") from None


@contextmanager
def whole_files(folder: Path, names: Sequence[str], alone: bool = False) -> Iterator[Path]:
    """Yield a temporary folder for the files `names`. At the end they move into `folder`; after an exception none does.

    Raises:
        OutputError: before anything else happens, when the folder can't be written, has no room, or, if `alone`,
            another process makes these files.
    """
    with ExitStack() as stack:
        with writing(folder):
            is_new = not os.path.exists(folder)
            folder.mkdir(parents=True, exist_ok=True)
            if is_new:
                stack.callback(_remove_if_empty, folder)
            clear_unfinished(folder)
            if alone:
                lock = try_lock(folder / f"{UNFINISHED}{names[0]}{LOCK}")
                if lock is None:
                    raise OutputError(f"another process makes {folder / names[0]}; wait, or choose another folder")
                stack.callback(_unlock, lock)
            made = stack.enter_context(unfinished(folder))
            (made / "room").write_bytes(bytes(ROOM))
            (made / "room").unlink()
            for name in names:
                if kind := _obstacle(folder / name):
                    raise OutputError(f"can't write {folder / name}: it is a {kind}")
        yield made
        with writing(folder):
            for path in sorted(path for path in made.rglob("*") if path.is_file()):
                os.replace(path, own_place(folder, str(path.relative_to(made))))


@contextmanager
def unfinished(folder: Path, prefix: str = UNFINISHED) -> Iterator[Path]:
    """Yield a temporary folder for files on their way to `folder`; remove it at the end. A lock beside it, which the
    system releases if this process is killed, tells `clear_unfinished` that the folder is in use."""
    made = folder / f"{prefix}{uuid4().hex[:12]}"
    lock = try_lock(made.with_suffix(LOCK))
    try:
        made.mkdir(mode=0o700)
        yield made
    finally:
        _remove_unfinished(made, lock)


def clear_unfinished(folder: Path) -> None:
    """Remove the unfinished files of killed processes."""
    for leftover in folder.glob(f"{UNFINISHED}*"):
        with suppress(OSError):  # for example, a folder has the lock's name
            if lock := try_lock(leftover.with_suffix(LOCK)):
                _remove_unfinished(leftover.with_suffix(""), lock)


def abandoned(folder: Path, prefix: str) -> Iterator[tuple[Path, Callable[[], None]]]:
    """Yield each temporary folder whose process was killed, and a function that removes it. Its lock is held from now
    on, so that no other process takes it, too."""
    for leftover in sorted(folder.glob(f"{prefix}*")):
        with suppress(OSError):
            if leftover.is_dir() and (lock := try_lock(leftover.with_suffix(LOCK))):
                yield leftover, partial(_remove_unfinished, leftover, lock)


def try_lock(path: Path) -> "BaseFileLock | None":
    """Lock a file until `release`, or until this process dies. Return None if another process has locked it."""
    from filelock import FileLock, Timeout

    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return None
    return lock


def own_place(folder: Path, name: str, is_followed: bool = True) -> Path:
    """Return the path of a new file in a folder, and make the folders between. Raises OutputError when a folder between
    is a link, which may lead anywhere; or when the file is a link and not `is_followed`."""
    path = folder / name
    below = [path.parents[i] for i in range(len(Path(name).parts) - 1)] + ([] if is_followed else [path])
    if link := next((one for one in below if one.is_symlink()), None):
        raise OutputError(f"can't write to {link}: it is a link that leads out of the folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _remove_unfinished(folder: Path, lock: "BaseFileLock | None") -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if lock is not None:
        _unlock(lock)


def _unlock(lock: "BaseFileLock") -> None:
    lock.release()
    with suppress(OSError):  # some versions of filelock remove it
        os.unlink(lock.lock_file)


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):  # a folder with files stays
        folder.rmdir()


def _obstacle(path: Path) -> str | None:
    """Return what has this name and must not be replaced, or None; raise OSError for impossible names."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    return None if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "device or a pipe, not a file"


def write_text(path: Path, text: str) -> None:
    """Write a text file that is complete or absent, or the old one, also after a crash of the system."""
    with whole_files(path.parent, [path.name]) as folder, writing(path.parent):
        (folder / path.name).write_text(text, encoding="utf-8")
        with (folder / path.name).open("rb+") as file:
            os.fsync(file.fileno())


def write_array(path: Path, values: NDArray[Any]) -> None:
    """Write an .npy file. `np.save` hides the cause of an error, such as a full disk."""
    np.save(stream := io.BytesIO(), values)
    path.write_bytes(stream.getvalue())


def write_picture(path: Path, size: tuple[int, int], pixels: bytes) -> None:
    """Write a picture as PNG, from RGB of 8 bits each, rows from the bottom up as in OpenGL."""
    from PIL import Image

    picture = Image.frombytes("RGB", size, pixels).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    with whole_files(path.parent, [path.name]) as folder, writing(path.parent):
        picture.save(folder / path.name, format="png")


def write_radiance(path: Path, light: NDArray[np.float16], config: str) -> None:
    """Write scene-linear light (height, width, RGB), rows from the top down, as OpenEXR with the attribute `config`."""
    try:
        import OpenEXR
    except ImportError:
        raise OutputError("EXR files need OpenEXR; `python -m pip install openexr` installs it") from None
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage, "config": config}
    with whole_files(path.parent, [path.name]) as folder, writing(path.parent), system_errors(folder):
        OpenEXR.File(header, {"RGB": light}).write(str(folder / path.name))


@contextmanager
def system_errors(folder: Path) -> Iterator[None]:
    """Turn errors of OpenEXR and USD, which write into a folder, into the OSError that they name."""
    if not is_unicode(str(folder)):
        raise OSError(errno.EILSEQ, "its name has bytes that are not UTF-8")
    try:
        yield
    except RuntimeError as error:
        said = (code for code in errno.errorcode if os.strerror(code) in str(error))
        if (code := next(said, None)) is None:
            raise
        raise OSError(code, os.strerror(code)) from None
