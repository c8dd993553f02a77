"""Panoramas: equirectangular pictures (2:1) of all directions, with their sun removed.

Columns are headings, rows elevations. Shading needs sunlight from one direction, so the brightest spot is replaced by a
direction and an irradiance.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ocean.common.pictures import Picture, Pixels
from ocean.light.optics import LUMINANCE, Array

SUN_SPOT = np.radians(3.0)  # radius of the sun's spot around the brightest pixel
SUN_CONTRAST = 50.0  # minimum ratio of a sun's luminance to the mean


@dataclass(frozen=True)
class Panorama:
    """A `picture` (rows, columns, 3) without the sun, top row first; the sun's unit vector, with the middle column
    towards north (x east, y up, z south), and its irradiance, 0 without a sun."""

    picture: Pixels
    sun: tuple[float, float, float]
    irradiance: tuple[float, float, float]


def directions(rows: int, columns: int) -> Array:
    """Return the unit vectors of all pixels, shape (rows, columns, 3), the middle column towards north."""
    elevation = np.pi * (0.5 - (np.arange(rows) + 0.5) / rows)[:, None]
    heading = 2 * np.pi * ((np.arange(columns) + 0.5) / columns - 0.5)[None, :]
    x, z = np.cos(elevation) * np.sin(heading), -np.cos(elevation) * np.cos(heading)
    return np.stack([x, np.broadcast_to(np.sin(elevation), x.shape), z], axis=-1)


@lru_cache(maxsize=2)
def without_sun(light: Picture) -> Panorama:
    """Cut out the brightest spot above the horizon, if it is a sun. Its light is the excess over its surroundings."""
    picture = light.pixels
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
    removed = excess * solid_angle[spot][:, None]
    sun = (removed.sum(axis=1)[:, None] * towards[spot]).sum(axis=0)
    dark = picture.copy()
    dark[spot] = np.minimum(picture[spot], around)
    return Panorama(dark, tuple(sun / np.linalg.norm(sun)), tuple(removed.sum(axis=0)))
