"""Distributions of crests and of the highest crest of many waves, in significant heights Hs.

Crests of linear waves in a narrow band have Rayleigh's distribution. Second order makes them higher (Tayfun 1980).
"""

import math

EULER = 0.5772156649

ROGUE_CREST, ROGUE_WAVE = 1.25, 2.0
"""Crest and height, over Hs, from which a wave is called rogue (Haver 2000)."""


def tayfun(crest: float, skewness: float) -> float:
    """Return the second-order crest, over Hs, for a linear `crest` z over Hs: `z + 2 mu z²` with
    `mu = skewness / 3` (Tayfun 1980; Fedele and Tayfun 2009)."""
    return crest + 2 * skewness / 3 * crest**2


def highest(waves: int) -> tuple[float, float]:
    """Return mean and deviation, over Hs, of the highest crest of a number of linear waves, from 2 on (Gumbel's limit:
    Longuet-Higgins 1952)."""
    root = math.sqrt(2 * math.log(waves))
    return (root + EULER / root) / 4, math.pi / (math.sqrt(6) * root) / 4
