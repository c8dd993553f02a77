"""Foam: growth and decay, coverage, torn outlines, and far foam, as in `foam/pattern.glsl` and `foam/sample.glsl`."""

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from ocean.waves.dispersion import Array
from ocean.waves.whitecaps import LEAST_UNSHOWN, Births

SOFTNESS = 0.35
"""Width of the transition from water to foam, in standard deviations of the values."""

THINNING = 1.5
"""Width over which half of the foam thins out inside its outlines, in standard deviations of the values."""

SOFTNESS_BELOW = 1.0
"""Width of the transition for bubbles below the surface, which have drifted."""

LEFT_BELOW = 0.6
"""Fraction of the bubbles that stays below the crest that broke, while foam on the surface moves on."""

LEAST = 1e-5
"""Coverage below which no foam is drawn: only the highest values of the pattern would show."""

FRAY = 0.6
"""Weight of the finest layer in the displacement of foam, relative to that of the first; see `torn`."""


def ageing(foam: ArrayLike, streaks: float) -> tuple[Array, Array]:
    """Return two factors on the weights of `layers` as foam of a given strength ages and weakens: one for the layers in
    all foam, and one for the streaks, whose weight is `streaks` in the oldest foam.

    A crest leaves foam in a patch. Old foam gathers where the wind's rolls draw the water together (Langmuir 1938). The
    squares of the weights add up to 1 at every age, which keeps the coverage.
    """
    old, share = 1 - np.asarray(foam, np.float64) ** 3, streaks**2
    return np.sqrt((1 - share * old) / (1 - share)), np.sqrt(old)


def torn(position: ArrayLike, walls: ArrayLike, finest: ArrayLike, spilled: tuple[float, float]) -> Array:
    """Return the positions at which the foam map is read for positions (..., 2) [m], where the first layer has the
    value `walls` (...), the finest layer `finest`, and breakers spill by `spilled` (east, south) [m]; see
    `foam/sample.glsl`.

    A crest leaves walls farther behind than holes, by `spilled` for each standard deviation, so outlines are torn along
    the walls. The displacement is independent of the foam, which keeps the coverage.
    """
    height = np.asarray(walls, np.float64) + FRAY * np.asarray(finest, np.float64)
    return np.asarray(position, np.float64) + height[..., None] * spilled


def _exceeding(foam: ArrayLike, resolved: ArrayLike, unresolved: ArrayLike, softness: float) -> Array:
    """Return the fraction of a footprint where the pattern, with soft edges, exceeds the threshold for this strength of
    foam."""
    soft = softness**2
    threshold = ndtri(np.clip(np.asarray(foam, np.float64), 1e-6, 1 - 1e-6)) * math.sqrt(1 + soft)
    mean, deviation = threshold + np.asarray(resolved, np.float64), np.sqrt(np.asarray(unresolved) + soft)
    return np.where(np.asarray(foam) < LEAST, 0.0, ndtr(mean / deviation))


def coverage(foam: ArrayLike, resolved: ArrayLike, unresolved: ArrayLike) -> Array:
    """Return the fraction of a footprint that foam of this strength covers, where the pattern has the mean `resolved`
    and the variance `unresolved` about it; see also `foam/pattern.glsl`.

    Half of the foam has outlines. The other half thins out inside them, so that fresh foam is not one flat white. The
    fraction of the sea that each half covers does not change.
    """
    outlined, thinning = (_exceeding(foam, resolved, unresolved, softness) for softness in (SOFTNESS, THINNING))
    return 0.5 * (outlined + thinning)


def bubbles(foam: ArrayLike, resolved: ArrayLike, unresolved: ArrayLike) -> Array:
    """Return the fraction of the water below a footprint that is full of bubbles; see `coverage`. The pattern lacks its
    finest layer: the haze is as wide as foam's patches and streaks, and softer."""
    return _exceeding(foam, resolved, unresolved, SOFTNESS_BELOW)


def refine_strain(known: Array, shown: ArrayLike, strain: Array, variance: ArrayLike) -> tuple[Array, Array]:
    """Return the known part of the strain on which breaking is judged, and its variance, refined by the strain of more
    waves.

    Variances are relative to that of the judged strain: 0 for nothing known. `strain` and `variance` include the known
    waves and finer ones. Only the longer of these belong to the judged strain: up to a variance of 1 all of them, and
    beyond that the fraction that fits.
    """
    share = np.asarray(shown, np.float64)
    more = np.asarray(variance, np.float64) - share
    counts = np.where(more > 0, np.minimum((1 - share) / np.maximum(more, 1e-12), 1.0), 0.0)
    return known + counts * (strain - known), np.asarray(share + counts**2 * more)


def bare_bubbles(shown: ArrayLike) -> Array:
    """Return the fraction of the bubbles around foam of `mean_foam` that this foam does not cover.

    If all but LEAST_UNSHOWN of the strain's variance is known, foam has a strength s, and bubbles show where there is
    no foam: s (1 - s). That holds in the range of strain between no foam and all foam, sqrt(LEAST_UNSHOWN) deviations
    wide. If less is known, the range is sqrt(1 - shown) deviations wide, and bubbles show in a smaller part of it.
    """
    return np.sqrt(LEAST_UNSHOWN / np.maximum(1 - np.asarray(shown, np.float64), LEAST_UNSHOWN))


def mean_foam(known: Array, births: Births, shown: ArrayLike) -> Array:
    """Return the mean foam, 0 to 1, given a known part of the judged strain Dxx + Dzz, times the choppiness, with the
    share `shown` of its variance:

        f = N((start - steepness known) / sqrt(1 - shown))

    At least LEAST_UNSHOWN stays unknown. The known part shrinks accordingly, so that foam keeps its mean.
    """
    share = np.minimum(shown, 1 - LEAST_UNSHOWN)
    known = known * np.sqrt(share / np.maximum(shown, 1e-12))
    return ndtr((births.start - births.steepness * known) / np.sqrt(1 - share))


def ripples_left(foam: ArrayLike, around: float) -> Array:
    """Return the slope variance of ripples around foam of this strength, relative to the mean over the sea; without
    foam it is `around`. Breakers take four fifths of it; around foam of strength 0.1 half of that loss is left."""
    return around * (1 - 0.8 * np.asarray(foam) / (np.asarray(foam) + 0.1))


def active_foam(jacobian: Array, threshold: float, width: float) -> Array:
    """Return the strength, 0 to 1, of foam on water that breaks: it grows as the Jacobian falls from the threshold to
    `width` below it. Up to 2^-7 there is none."""
    air = foam_step(np.zeros_like(jacobian), jacobian, threshold, width, 0.0, 1.0)
    return np.minimum(air, 1.0)


def roller(
    jacobian: Array, threshold: float, width: float, dxx: Array, dzz: Array, dxz: Array, spilled: tuple[float, float]
) -> Array:
    """Return the roller (..., 2) [m], east and south, of water that breaks, along the axis in which the water is
    compressed most. At an air of 2 it is 0.11 of a quarter of the breakers' length; `spilled` is an eighth of that
    length."""
    air = foam_step(np.zeros_like(jacobian), jacobian, threshold, width, 0.0, 1.0)
    _, axes = np.linalg.eigh(np.stack([np.stack([dxx, dxz], -1), np.stack([dxz, dzz], -1)], -1))
    least = axes[..., 0]  # of the smallest eigenvalue
    thickness = 0.11 * 2 * np.hypot(*spilled) * air / 2
    return (thickness * (least @ (np.asarray(spilled) / np.hypot(*spilled))))[..., None] * least


def foam_step(air: Array, jacobian: Array, threshold: float, width: float, dt: float, decay_time: float) -> Array:
    """Return the air after dt [s], 0 to 2: the larger of aged air and of air that breaking water entrains. Up to 1 it
    equals the strength of foam. Less than 2^-7 is gone."""
    aged = np.asarray(air) * np.exp(-dt / decay_time)
    born = np.interp(jacobian, [threshold - 2 * width, threshold], [2.0, 0.0])
    larger = np.where(aged > born, aged, born)
    return np.where(larger > 2**-7, larger, 0.0)
