"""The rules by which foam is born: how much of the water it is to cover, and below which Jacobian. Knows no GPU."""

import math
from collections.abc import Sequence
from statistics import NormalDist

from ocean.sea.blend import Blend
from ocean.settings import Settings
from ocean.waves import whitecaps
from ocean.waves.whitecaps import FRESH, THICK, Births, Places


def foam_coverage(settings: Settings, observed: float) -> float:
    """The share of the water that foam is to cover, where observation says `observed`; none without choppiness, where
    nothing draws the water together."""
    return min(whitecaps.MOST_FOAM, settings.foam.amount * observed) if settings.sea.choppiness > 0 else 0.0


def foam_threshold(settings: Settings, jacobian: Places, observed: float) -> float:
    """The Jacobian below which foam is to be born, so that old and new foam cover that share."""
    choppiness, coverage = settings.sea.choppiness, foam_coverage(settings, observed)
    return whitecaps.foam_threshold(jacobian, choppiness, coverage, settings.foam.decay, whitecaps.BIRTH_WIDTH)


class FoamRules:
    """Where foam is born in a sea that may be on its way to another; worked out anew when something of it changes."""

    def __init__(self) -> None:
        self._inputs: object = None
        self._found = 0.0, Births.everywhere(1.0, 1, 0.0)

    def of(self, settings: Settings, blend: Blend, texels: Sequence[float]) -> tuple[float, Births]:
        """Threshold, as `foam_threshold` has it, and births on levels of the map with texels [m]."""
        inputs = blend, blend.progress, settings.sea.choppiness, settings.foam
        if inputs != self._inputs:
            self._inputs = inputs
            threshold = foam_threshold(settings, blend.places, blend.whitecap_coverage)
            self._found = threshold, foam_births(settings, blend, texels, threshold)
        return self._found


def foam_births(settings: Settings, blend: Blend, texels: Sequence[float], threshold: float) -> Births:
    """How foam is born, below a threshold of the Jacobian, on levels of its map with texels [m], finest first."""
    choppiness, judged = settings.sea.choppiness, blend.breaking_texel
    coverage = foam_coverage(settings, blend.whitecap_coverage)
    strain = whitecaps.mean_variance(blend.places)
    if choppiness * strain == 0:
        return Births.everywhere(judged, len(texels), settings.sea.wind.direction)
    larger = [texel for texel in texels if texel > math.sqrt(2) * judged]  # than the nearest to it
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
    )
