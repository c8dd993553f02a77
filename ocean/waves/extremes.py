"""Distributions of crests and of the highest of many, in significant heights Hs.

Crests of linear waves in a narrow band have Rayleigh's distribution. Second order makes them higher: Tayfun (1980) for
a narrow band, Forristall (2000) fitted to simulations of directional seas.
"""

import math

EULER = 0.5772156649

ROGUE_CREST, ROGUE_WAVE = 1.25, 2.0
"""Crest and height, over Hs, from which a wave is called rogue (Haver 2000)."""


def rayleigh(share: float) -> float:
    """Return the height, over Hs, that a share in (0, 1] of the crests of linear waves exceeds (Longuet-Higgins 1952).

    Heights of waves from trough to crest are twice as large.
    """
    return math.sqrt(-math.log(share) / 8)


def tayfun(crest: float, skewness: float) -> float:
    """Return the crest, over Hs, of second order that a linear `crest` over Hs becomes: `z + 2 mu z²` with
    `mu = skewness / 3` (Tayfun 1980; Fedele and Tayfun 2009)."""
    return crest + 2 * skewness / 3 * crest**2


def forristall(share: float, steepness: float, ursell: float = 0.0) -> float:
    """Return the crest, over Hs, that a share in (0, 1] of the crests of short-crested waves exceeds.

    `steepness` is 2 pi Hs / (g T1²) with the mean period T1, `ursell` Hs / (k1² d³) (Forristall 2000, eqs. 9 to 12).
    """
    alpha = 0.3536 + 0.2568 * steepness + 0.0800 * ursell
    beta = 2 - 1.7912 * steepness - 0.5302 * ursell + 0.284 * ursell**2
    return float(alpha * (-math.log(share)) ** (1 / beta))


def highest(waves: int) -> tuple[float, float]:
    """Return mean and deviation, over Hs, of the highest crest of a number of linear waves, from 2 on (Gumbel's limit:
    Longuet-Higgins 1952)."""
    root = math.sqrt(2 * math.log(waves))
    return (root + EULER / root) / 4, math.pi / (math.sqrt(6) * root) / 4
