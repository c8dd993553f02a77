"""The rules by which foam is born: its coverage, and the Jacobian below which it is born. Knows no GPU."""

import math
from collections.abc import Sequence
from statistics import NormalDist

from ocean.sea.blend import Blend
from ocean.settings import FoamSettings, Settings
from ocean.waves import whitecaps
from ocean.waves.whitecaps import FRESH, THICK, Births


def foam_coverage(foam: FoamSettings, blend: Blend) -> float:
    """Return the share of the water that foam should cover; 0 without choppiness, where the Jacobian stays 1."""
    return min(whitecaps.MOST_FOAM, foam.amount * blend.whitecap_coverage) if blend.choppiness > 0 else 0.0


def foam_threshold(foam: FoamSettings, blend: Blend) -> float:
    """Return the Jacobian below which foam is born, so that old and new foam have `foam_coverage`."""
    coverage = foam_coverage(foam, blend)
    return whitecaps.foam_threshold(blend.places, blend.choppiness, coverage, foam.decay, whitecaps.BIRTH_WIDTH)


class FoamRules:
    """The rules of a sea that may be blending, computed again when their inputs change."""

    def __init__(self) -> None:
        self._inputs: object = None
        self._found = 0.0, Births.everywhere(1.0, 1, 0.0)

    def of(self, settings: Settings, blend: Blend, texels: Sequence[float]) -> tuple[float, Births]:
        inputs = blend, blend.progress, settings.foam
        if inputs != self._inputs:
            self._inputs = inputs
            threshold = foam_threshold(settings.foam, blend)
            self._found = threshold, foam_births(settings, blend, texels, threshold)
        return self._found


def foam_births(settings: Settings, blend: Blend, texels: Sequence[float], threshold: float) -> Births:
    """Return the rules of foam's birth below a threshold of the Jacobian, for levels with texels [m], finest first."""
    choppiness, judged = blend.choppiness, blend.breaking_texel
    coverage = foam_coverage(settings.foam, blend)
    strain = whitecaps.mean_variance(blend.places)
    if choppiness * strain == 0:
        return Births.everywhere(judged, len(texels), settings.sea.wind.direction, is_possible=False)
    larger = [texel for texel in texels if texel > math.sqrt(2) * judged]  # larger than the level nearest to `judged`
    unshown = [max(whitecaps.LEAST_UNSHOWN, 1 - blend.strain(texel) / strain) for texel in larger]
    rule = threshold, settings.foam.decay, whitecaps.BIRTH_WIDTH
    thinning, left = whitecaps.foam_thinning(blend.places, choppiness, *rule, THICK / FRESH)
    start, thick = (NormalDist().inv_cdf(min(max(share, 1e-12), 1 - 1e-12)) for share in (coverage, FRESH * left))
    return Births(
        (judged,) * (len(texels) - len(larger)) + tuple(larger),
        (0.0,) * (len(texels) - len(larger)) + tuple(unshown),
        start,
        1 / (choppiness * math.sqrt(strain)),
        thinning,
        start - thick,
        whitecaps.spilled(judged, settings.sea.wind.direction),
        is_possible=coverage > 0,
    )
