"""Makes lace.png, the pattern of foam: walls of bubbles in three sizes and noise, as ranks. Run in this folder."""

import numpy as np
from PIL import Image
from scipy.spatial import cKDTree

SIDE = 512  # texels of the pattern, which repeats


def noise(rng, slope, lowest):
    """Periodic noise of variance 1 whose power falls as the wave number to -2 slope, from `lowest` waves a side on."""
    k = np.hypot(np.fft.rfftfreq(SIDE, 1 / SIDE), np.fft.fftfreq(SIDE, 1 / SIDE)[:, None])
    power = np.where(k > 0, (k**2 + lowest**2) ** (-slope / 2 - 0.5), 0.0)
    made = np.fft.irfft2(np.fft.rfft2(rng.standard_normal((SIDE, SIDE))) * power)
    return made / made.std()


def make_ranks():
    """(SIDE, SIDE) ranks of the pattern's values, four of each from 0 to 65535."""
    rng = np.random.default_rng(7)
    warp = 0.012 * np.stack([noise(rng, 2.0, 8), noise(rng, 2.0, 8)], axis=-1)
    place = (np.indices((SIDE, SIDE)).transpose(1, 2, 0) + 0.5) / SIDE + warp
    values = 0.35 * noise(rng, 1.6, 6) + 0.08 * noise(rng, 0.6, 90)
    for cells, weight in ((8, 0.9), (19, 0.8), (47, 0.5)):
        points = (np.indices((cells, cells)).reshape(2, -1).T + rng.uniform(0, 1, (cells**2, 2))) / cells
        distances, _ = cKDTree(points % 1, boxsize=np.ones(2)).query(np.mod(place, 1.0).reshape(-1, 2), k=2, workers=-1)
        first, second = distances.T
        wall = np.exp(-(second - first) * cells * 7.0)  # 1 half way between two bubbles
        values = values + weight * wall.reshape(SIDE, SIDE)
    ranks = np.empty(SIDE**2, np.uint16)
    ranks[values.ravel().argsort(kind="stable")] = np.arange(SIDE**2) // (SIDE**2 // 2**16)
    return ranks.reshape(SIDE, SIDE)


if __name__ == "__main__":
    Image.fromarray(make_ranks()).save("lace.png", optimize=True)
