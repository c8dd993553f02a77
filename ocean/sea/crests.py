"""The highest crest of the running sea, found by queries of the surface."""

from dataclasses import dataclass

import numpy as np

from ocean.sea.base import BaseSea

POINTS = 256  # points along a side of the tile: 20 or more per wavelength at the peak
TOPS = 16  # highest points, searched more closely
FINER = 17  # points along a side around each of the highest, twice


@dataclass(frozen=True)
class Crest:
    """A crest at a place of the world [m], its height [m], and the time [s]."""

    x: float
    z: float
    height: float
    time: float


def highest_crest(sea: BaseSea, x: float, z: float) -> Crest:
    """Return the highest crest in a square as large as the longest tile around a place [m], to a few millimetres in
    height. Waits for the GPU."""
    spacing = sea.tiles[0].side / POINTS
    axis = (np.arange(POINTS) - (POINTS - 1) / 2) * spacing
    points = np.stack(np.meshgrid(x + axis, z + axis), -1).reshape(-1, 2)
    for _ in range(3):
        sample = sea.query(points[:, 0], points[:, 1], velocity=False).result()
        heights = np.where(sample.converged, sample.height, -np.inf)
        best = np.argsort(heights)[-TOPS:]
        top, height = points[best[-1]], float(heights[best[-1]])
        step = np.linspace(-spacing, spacing, FINER)
        around = np.stack(np.meshgrid(step, step), -1).reshape(-1, 2)
        points, spacing = (points[best][:, None] + around).reshape(-1, 2), 2 * spacing / (FINER - 1)
    return Crest(float(top[0]), float(top[1]), height, sample.time)
