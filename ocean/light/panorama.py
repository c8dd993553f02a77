"""Panoramas: pictures of all directions from .hdr (Radiance RGBE) and .exr files, with their sun taken out.

Columns are headings, rows elevations (equirectangular, 2:1). The sun's light has to come from one direction, so the
brightest spot is cut out and becomes that: its direction and its irradiance.
"""

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ocean.light.spectrum import LUMINANCE, Array

Picture = NDArray[np.float32]
SUN_SPOT = np.radians(3.0)  # of the brightest pixel: what belongs to the sun
SUN_CONTRAST = 50.0  # how much brighter than the mean a sun is


@dataclass(frozen=True)
class Panorama:
    """`picture` (rows, columns, 3) without the sun, top row first; the sun's unit vector with the middle column towards
    north (x east, y up, z south), and its irradiance, 0 where there is none."""

    picture: Picture
    sun: tuple[float, float, float]
    irradiance: tuple[float, float, float]


@lru_cache(maxsize=2)
def load_panorama(path: str) -> Panorama:
    """Read a panorama.

    Raises:
        ValueError: when it can't be read, has another shape than 2:1, or values that are no light.
    """
    file = Path(path)
    if file.suffix.lower() not in (".hdr", ".exr"):
        raise ValueError("a panorama is an .hdr or .exr file")
    if not os.path.isfile(file):
        raise ValueError("there is no such file")
    picture = read_hdr(file) if file.suffix.lower() == ".hdr" else read_exr(file)
    rows, columns, _ = picture.shape
    if columns != 2 * rows:
        raise ValueError(f"a panorama is twice as wide as high, not {columns}x{rows}")
    if not np.isfinite(picture).all() or picture.min() < 0 or picture.max() <= 0:
        raise ValueError("a panorama holds light: finite numbers, none below 0 and some above")
    return without_sun(picture)


def directions(rows: int, columns: int) -> Array:
    """Unit vectors of all pixels, shape (rows, columns, 3), the middle column towards north."""
    elevation = np.pi * (0.5 - (np.arange(rows) + 0.5) / rows)[:, None]
    heading = 2 * np.pi * ((np.arange(columns) + 0.5) / columns - 0.5)[None, :]
    x, z = np.cos(elevation) * np.sin(heading), -np.cos(elevation) * np.cos(heading)
    return np.stack([x, np.broadcast_to(np.sin(elevation), x.shape), z], axis=-1)


def without_sun(picture: Picture) -> Panorama:
    """Cut out the brightest spot above the horizon, if it is a sun: its light is what it adds to its surroundings."""
    rows, columns, _ = picture.shape
    towards = directions(rows, columns)
    solid_angle = (np.pi / rows) * (2 * np.pi / columns) * np.sqrt(1 - towards[..., 1] ** 2)
    luminance = picture @ LUMINANCE
    above = np.where(towards[..., 1] > 0, luminance, 0.0)
    brightest = towards[np.unravel_index(above.argmax(), above.shape)]
    angle = np.arccos(np.clip(towards @ brightest, -1, 1))
    spot = angle < max(SUN_SPOT, 1.5 * np.pi / rows)
    ring = ~spot & (angle < 2 * max(SUN_SPOT, 1.5 * np.pi / rows))
    if above.max() < SUN_CONTRAST * np.average(luminance, weights=solid_angle):
        return Panorama(picture, tuple(brightest), (0.0, 0.0, 0.0))
    around = np.average(picture[ring], axis=0, weights=solid_angle[ring])
    excess = np.maximum(picture[spot] - around, 0.0)
    light = excess * solid_angle[spot][:, None]
    sun = (light.sum(axis=1)[:, None] * towards[spot]).sum(axis=0)
    dark = picture.copy()
    dark[spot] = np.minimum(picture[spot], around)
    return Panorama(dark, tuple(sun / np.linalg.norm(sun)), tuple(light.sum(axis=0)))


def read_exr(path: Path) -> Picture:
    """The RGB of an OpenEXR file; needs the package `OpenEXR`."""
    try:
        import OpenEXR
    except ImportError:
        raise ValueError("EXR files need the package OpenEXR: python -m pip install openexr") from None
    try:
        with OpenEXR.File(str(path)) as file:
            channels = file.channels()
            pixels = channels["RGB"].pixels if "RGB" in channels else channels["RGBA"].pixels
    except (RuntimeError, KeyError, ValueError, OSError):
        raise ValueError("this is no EXR picture with red, green and blue") from None
    return np.asarray(pixels[..., :3], dtype=np.float32)


def read_hdr(path: Path) -> Picture:
    """The RGB of a Radiance picture (Ward 1991), run-length encoded or flat."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ValueError(f"it can't be read: {(error.strerror or str(error)).lower()}") from None
    header, blank, rest = data.partition(b"\n\n")
    size, _, body = rest.partition(b"\n")
    fields = size.split()
    if not header.startswith(b"#?") or not blank or len(fields) != 4 or fields[0] != b"-Y" or fields[2] != b"+X":
        raise ValueError("this is no Radiance picture with its rows from the top")
    try:
        rows, columns = int(fields[1]), int(fields[3])
        rgbe = _scanlines(np.frombuffer(body, np.uint8), rows, columns)
    except (ValueError, IndexError):
        raise ValueError("this Radiance picture is broken off or damaged") from None
    scale = np.ldexp(1.0, rgbe[..., 3].astype(int) - 136)
    return np.asarray((rgbe[..., :3] + 0.5) * np.where(rgbe[..., 3:] > 0, scale[..., None], 0.0), dtype=np.float32)


def _scanlines(body: NDArray[np.uint8], rows: int, columns: int) -> NDArray[np.uint8]:
    """RGBE of shape (rows, columns, 4). A line that begins with 2, 2 and its width has its four channels one after
    another, in runs: above 128 a repeated byte, else bytes as they are."""
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
