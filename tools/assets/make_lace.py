"""Make the patterns of foam, as ranks: python -m tools.assets.make_lace

lace.png has walls of bubbles in three sizes, and noise; streaks.png has threads across its rows in three widths, and
noise; lumps.png has domes in five sizes, and noise.
"""

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.spatial import cKDTree

Array = NDArray[np.float64]
SIDE = 512  # texels along a side of a pattern, which repeats
DRAWN = 6  # ratio of length to width of threads


def noise(rng: np.random.Generator, slope: float, lowest: float, drawn: int = 1) -> Array:
    """Return periodic noise of variance 1. Its spectrum over wave vectors falls as `k^(-2 slope - 2)` above `lowest`
    waves per side. Its features are `drawn` times as long across rows as along them."""
    k = np.hypot(np.fft.rfftfreq(SIDE, 1 / SIDE), drawn * np.fft.fftfreq(SIDE, 1 / SIDE)[:, None])
    amplitude = np.where(k > 0, (k**2 + lowest**2) ** (-slope / 2 - 0.5), 0.0)
    made = np.fft.irfft2(np.fft.rfft2(rng.standard_normal((SIDE, SIDE))) * amplitude)
    return np.asarray(made / made.std())


def ranks(values: Array) -> NDArray[np.uint16]:
    """Return the (SIDE, SIDE) ranks of values, 0 to 65535; each rank occurs four times."""
    made = np.empty(SIDE**2, np.uint16)
    made[values.ravel().argsort(kind="stable")] = np.arange(SIDE**2) // (SIDE**2 // 2**16)
    return made.reshape(SIDE, SIDE)


def make_lace() -> NDArray[np.uint16]:
    """Return the (SIDE, SIDE) ranks of the pattern of walls."""
    rng = np.random.default_rng(7)
    warp = 0.012 * np.stack([noise(rng, 2.0, 8), noise(rng, 2.0, 8)], axis=-1)
    place = (np.indices((SIDE, SIDE)).transpose(1, 2, 0) + 0.5) / SIDE + warp
    values: Array = 0.35 * noise(rng, 1.6, 6) + 0.08 * noise(rng, 0.6, 90)
    for cells, weight in ((8, 0.9), (19, 0.8), (47, 0.5)):
        points = (np.indices((cells, cells)).reshape(2, -1).T + rng.uniform(0, 1, (cells**2, 2))) / cells
        distances, _ = cKDTree(points % 1, boxsize=np.ones(2)).query(np.mod(place, 1.0).reshape(-1, 2), k=2, workers=-1)
        first, second = np.asarray(distances).T
        wall = np.exp(-(second - first) * cells * 7.0)  # 1 halfway between two bubbles
        values = values + weight * wall.reshape(SIDE, SIDE)
    return ranks(values)


def make_streaks() -> NDArray[np.uint16]:
    """Return the (SIDE, SIDE) ranks of the pattern of threads. Threads lie where noise passes 0, so they branch and
    have no ends."""
    rng = np.random.default_rng(8)
    values = 0.45 * noise(rng, 1.2, 6, DRAWN)
    for threads, weight in ((4, 0.9), (9, 0.8), (23, 0.5)):
        values = values + weight * np.exp(-3.0 * np.abs(noise(rng, 1.6, threads, DRAWN)))
    return ranks(values)


def make_lumps() -> NDArray[np.uint16]:
    """Return the (SIDE, SIDE) ranks of the pattern of lumps: domes that meet in creases, small on large ones."""
    rng = np.random.default_rng(9)
    warp = 0.006 * np.stack([noise(rng, 2.0, 8), noise(rng, 2.0, 8)], axis=-1)
    place = np.mod((np.indices((SIDE, SIDE)).transpose(1, 2, 0) + 0.5) / SIDE + warp, 1.0).reshape(-1, 2)
    values: Array = 0.3 * noise(rng, 1.6, 6)
    for cells in (7, 15, 31, 64, 131):
        points = (np.indices((cells, cells)).reshape(2, -1).T + rng.uniform(0, 1, (cells**2, 2))) / cells
        distances, _ = cKDTree(points % 1, boxsize=np.ones(2)).query(place, workers=-1)
        dome = 1 - np.minimum(np.asarray(distances) * cells, 1.0) ** 2
        values = values + (7 / cells) ** 0.7 * 2.0 * dome.reshape(SIDE, SIDE)
    return ranks(values)


if __name__ == "__main__":
    for name, made in (("lace", make_lace()), ("streaks", make_streaks()), ("lumps", make_lumps())):
        Image.fromarray(made).save(f"assets/{name}.png", optimize=True)
