"""Panoramas: pictures of all directions (equirectangular, 2:1) from .hdr (Radiance RGBE) and .exr files."""

import os
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ocean.common.reading import read_bytes, reason

EXR = b"\x76\x2f\x31\x01"
"""First bytes of an OpenEXR file."""
MOST_COLUMNS = 16384
MOST_BYTES = 5 * MOST_COLUMNS * MOST_COLUMNS // 2  # size of a Radiance file with the most columns

Picture = NDArray[np.float32]


_stamps: dict[str, int] = {}  # time of the file at each path when it was last read


def last_stamp(path: str) -> int:
    """Return the time of a file when `read_radiance` last read it; 0 if it never did."""
    return _stamps.get(path, 0)


def read_radiance(path: str) -> Picture:
    """Return the light of all directions, shape (rows, columns, 3), rows from the top; a file is read again when it has
    changed.

    Raises:
        ValueError: when the file can't be read, is not twice as wide as high, or has values that are no light.
    """
    now = last_stamp(path)  # stays if the file is gone
    with suppress(OSError):
        now = Path(path).stat().st_mtime_ns
    picture = radiance_of(path, now)
    _stamps[path] = now
    return picture


@lru_cache(maxsize=1)
def radiance_of(path: str, _stamp: int) -> Picture:
    """Return the light in a file; cached for this path and time."""
    file = Path(path)
    if not os.path.isfile(file):
        raise ValueError("there is no such file; name an .hdr or .exr picture of all directions")
    try:
        with file.open("rb") as stream:
            start = stream.read(4)
        if start.startswith(b"#?"):
            picture = read_hdr(file)
        elif start == EXR:
            picture = read_exr(file)
        else:
            raise ValueError("a panorama must be a Radiance HDR or an OpenEXR picture")
    except OSError as error:
        raise ValueError(f"the file can't be read: {reason(error)}") from None
    except MemoryError:
        raise ValueError("the picture is larger than the memory") from None
    if not np.isfinite(picture).all() or picture.min() < 0 or picture.max() <= 0:
        raise ValueError("a panorama must hold light: finite numbers, none below 0 and some above")
    return picture


def read_exr(path: Path) -> Picture:
    """Return the RGB of an OpenEXR file; needs the package `OpenEXR`."""
    try:
        import OpenEXR
    except ImportError:
        raise ValueError("EXR files need the package OpenEXR: python -m pip install openexr") from None
    try:
        with OpenEXR.File(str(path), header_only=True) as file:
            low, high = file.header()["dataWindow"]
    except (RuntimeError, KeyError, ValueError, TypeError):
        raise ValueError("the file is not an EXR picture with red, green and blue") from None
    check_size(*(int(b) - int(a) + 1 for a, b in zip(reversed(low), reversed(high), strict=True)))
    try:
        with OpenEXR.File(str(path)) as file:
            channels = file.channels()
            pixels = channels["RGB"].pixels if "RGB" in channels else channels["RGBA"].pixels
    except (RuntimeError, KeyError, ValueError, OSError):
        raise ValueError("the file is not an EXR picture with red, green and blue") from None
    return np.asarray(pixels[..., :3], dtype=np.float32)


def check_size(rows: int, columns: int) -> None:
    """Refuse a size that is not a panorama's, before its pixels take memory."""
    if columns != 2 * rows:
        raise ValueError(f"a panorama must be twice as wide as high, not {columns}x{rows}")
    if not 2 <= columns <= MOST_COLUMNS:
        raise ValueError(f"a panorama must have 2 to {MOST_COLUMNS} columns, not {columns}")


def read_hdr(path: Path) -> Picture:
    """Return the RGB of a Radiance picture (Ward 1991), run-length encoded or flat."""
    data = read_bytes(path, MOST_BYTES)
    header, blank, rest = data.partition(b"\n\n")
    size, _, body = rest.partition(b"\n")
    fields = size.split()
    if not header.startswith(b"#?") or not blank or len(fields) != 4 or fields[0] != b"-Y" or fields[2] != b"+X":
        raise ValueError("the file is not a Radiance picture with rows from the top")
    if b"_xyze" in header:
        raise ValueError("the Radiance picture has XYZ colours; save it with RGB colours (FORMAT=32-bit_rle_rgbe)")
    try:
        rows, columns = int(fields[1][:9]), int(fields[3][:9])
    except ValueError:
        raise ValueError("the Radiance picture is truncated or damaged") from None
    check_size(rows, columns)
    try:
        rgbe = _scanlines(np.frombuffer(body, np.uint8), rows, columns)
    except (ValueError, IndexError):
        raise ValueError("the Radiance picture is truncated or damaged") from None
    scale = np.ldexp(1.0, rgbe[..., 3].astype(int) - 136)
    return np.asarray((rgbe[..., :3] + 0.5) * np.where(rgbe[..., 3:] > 0, scale[..., None], 0.0), dtype=np.float32)


def _scanlines(body: NDArray[np.uint8], rows: int, columns: int) -> NDArray[np.uint8]:
    """Return RGBE of shape (rows, columns, 4).

    A line that begins with 2, 2 and its width has its four channels one after another, in runs: a count above 128
    repeats a byte, a count below precedes as many bytes.
    """
    if not 8 <= columns < 32768 or tuple(body[:4]) != (2, 2, columns >> 8, columns & 255):
        return body[: rows * columns * 4].reshape(rows, columns, 4)
    picture = np.empty((rows, 4, columns), np.uint8)
    at = 0
    for row in picture:
        at += 4
        line = row.reshape(-1)
        filled = 0
        while filled < 4 * columns:
            count = int(body[at])
            if count > 128:
                line[filled : filled + count - 128] = body[at + 1]
                filled, at = filled + count - 128, at + 2
            elif count and at + 1 + count <= len(body):
                line[filled : filled + count] = body[at + 1 : at + 1 + count]
                filled, at = filled + count, at + 1 + count
            else:
                raise ValueError
        if filled != 4 * columns:
            raise ValueError
    return picture.transpose(0, 2, 1)
