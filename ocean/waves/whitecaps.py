"""Whitecaps: laws of observed coverage, the Jacobian below which foam must be born to cover as much, and the pattern
of foam. `fields.foam_step` is the foam itself.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from ocean.common.resources import folder
from ocean.waves import WhitecapLaw
from ocean.waves.dispersion import GRAVITY, Array
from ocean.waves.special import normal, root
from ocean.waves.spectra import GROWN_AGE
from ocean.waves.systems import unit

FOAM_CUTOFF = 2.0**-7
"""Strength of foam at which it is removed, so that the foam map does not depend on its start."""

BIRTH_WIDTH = 0.05
"""Fall of the Jacobian below the threshold at which foam has full strength, less than half a deviation of the judged
strain: active foam is then a tenth of all foam."""

CALMED, SCAR = 0.8, 0.1
"""Fraction of the slope variance of ripples that a breaker takes, and the air at which half of the loss is left. Behind
a breaker ripples are 3 to 10 times weaker for seconds (Ermakov et al. 2020); foam fades to SCAR in 8 s by default."""

MOST_AIR = 2.0
"""Most air that a breaker entrains, over the air that makes foam of full strength. Bubbles that rise from below keep
foam whole until the rest is gone: foam of the strongest breakers fades to 1/e in 1.7 decay times. Observed decay times
grow with the size of the breaker (Callaghan et al. 2012)."""

LONGEST_BREAKER = 20.0
"""Length [m] of the longest waves that carry whitecaps; they run at 5.6 m/s. Small breakers make most of the foam in
every wind."""

BREAKER = 0.5
"""Length of the waves that carry whitecaps in a young sea, relative to the peak's: they have 0.7 of its speed."""

JUDGED = 0.1
"""Side of the texels on which breaking is judged, relative to the length of the waves that carry whitecaps."""

SPILLED = 0.125
"""Distance from a breaker down its front to its foam, in wavelengths: halfway to the mean level. The crest runs this
distance in an eighth of its period."""

ROLLER = 0.11 * 2 * SPILLED
"""Thickness of the strongest breaker's roller, in wavelengths. On steady breakers it is 0.11 of the roller's length
(Duncan 1981). We take a quarter of a wavelength for this length, from the crest to the mean level."""

LUMPS = 45.0  # m, side of the pattern of lumps that tear rollers; lumps on rollers are a fifth as large

LEAST_UNSHOWN = 0.05
"""Minimum fraction of the variance of the judged strain that neither larger texels nor pixels show."""

STRENGTHS = np.geomspace(FOAM_CUTOFF, MOST_AIR, 65)
"""Amounts of air over which `mean_power` integrates; 1 is one of them."""

MOST_FOAM = 0.9
"""Largest fraction of the water that foam covers."""

AGE_POWER = 1.09
"""Power of the wave age to which coverage is proportional at a given wind (Zhao and Toba 2001)."""

MOST_WHITECAPS = 0.1
"""Fraction of the water that whitecaps do not exceed in any wind (Brumer et al. 2017, Holthuijsen et al. 2012)."""

STREAKS_BEGIN, WHITE_OUT = 25.0, 40.0
"""Winds [m/s] at which streaks of foam begin to cover water between whitecaps, and at which they cover all of it. The
second is observed (Holthuijsen et al. 2012); the first is the greatest wind at which whitecaps are all that is seen
(Brumer et al. 2017)."""

MOST_THINNING = 8.0
"""Largest `foam_thinning`; a sea under 30 m/s has 5."""

ALBEDO = 0.9  # albedo of infinitely thick foam: the water between its bubbles absorbs little (Kokhanovsky 2004)

FILM = 2 * 0.02 / ALBEDO
"""Opacity of a single layer of bubbles: the two faces of a film reflect 0.02 each, at right angles."""

FRESH, THICK = ((reflectance / ALBEDO - FILM) / (1 - FILM) for reflectance in (0.55, 0.22))
"""Fraction of the water under thick foam, in fresh foam and, on average over a sea, in all foam. Fresh foam then
reflects 0.55 (Whitlock, Bartlett and Gurganus 1982), and foam of all ages 0.22: with that value the coverage of Monahan
and O'Muircheartaigh agrees with satellites (Koepke 1984)."""

MOST_REACHED = 0.999
"""Largest probability at which a cycle of the strain reaches a level, so that its logarithm is finite."""

MODEL_DEVIATION = 0.05
"""Relative error of `mean_foam`, as one deviation: at most 5 % at simulated points of many seas with a coverage of
0.1 % or more (`tests/waves/test_whitecaps.py`)."""


def breaking_texel(peak_wavelength: float) -> float:
    """Return the texel [m] on which breaking is judged, for a wind sea with this peak wavelength [m], 1 to 2 m.

    Whitecaps are as large as the waves that carry them. The mean over a tenth of their length keeps the next two
    octaves, which shape fronts, and drops shorter waves. So patches have the observed sizes, and fronts the observed
    speeds (`validation.fronts`). Waves below 1 m trap no air.
    """
    return max(1.0, JUDGED * min(LONGEST_BREAKER, BREAKER * peak_wavelength))


def spilled(texel: float, direction: float) -> tuple[float, float]:
    """Return the vector (east, south) [m] from a breaker, judged on a texel [m], to its foam, under a wind towards a
    direction [degrees].

    A spilling breaker throws foam down its front. The amount of foam is independent of that vector, as the sea has
    equal statistics everywhere.
    """
    east, south = unit(direction)
    return SPILLED / JUDGED * texel * east, SPILLED / JUDGED * texel * south


def breaker_velocity(spilled: tuple[float, float]) -> tuple[float, float]:
    """Return the velocity (east, south) [m/s] of breakers whose foam lies at the vector `spilled` [m] from them."""
    distance = math.hypot(*spilled)
    speed_over_distance = math.sqrt(GRAVITY / (2 * math.pi * SPILLED * distance)) if distance else 0.0
    return speed_over_distance * spilled[0], speed_over_distance * spilled[1]


def roller(spilled: tuple[float, float]) -> tuple[float, float]:
    """Return the vector (east, south) [m] along which rollers lean if their foam lies at the vector `spilled` [m] from
    the crest. Its length is their thickness for an amount of air of 1."""
    scale = ROLLER / SPILLED / MOST_AIR
    return scale * spilled[0], scale * spilled[1]


def foam_memory(decay_time: float) -> float:
    """Return the time [s] in which the strongest foam fades to FOAM_CUTOFF, if its air falls to 1/e in `decay_time`
    [s]."""
    return math.log(MOST_AIR / FOAM_CUTOFF) * decay_time


class Coverage(NamedTuple):
    """Fractions of the water under whitecaps, decaying foam included, and under streaks, which the wind draws out."""

    whitecaps: float
    streaks: float = 0.0

    @property
    def total(self) -> float:
        """Fraction of the water under either, which are independent of each other."""
        return 1 - (1 - self.whitecaps) * (1 - self.streaks)

    def __str__(self) -> str:
        streaks = f", streaks {100 * self.streaks:.2g} %" if self.streaks else ""
        return f"{100 * self.whitecaps:.2g} %{streaks}"

    def scaled(self, amount: float) -> "Coverage":
        """Return `amount` times this coverage, each part at most MOST_FOAM."""
        return Coverage(*(min(MOST_FOAM, amount * part) for part in self))


def whitecap_coverage(law: WhitecapLaw, speed: float, age: float = 1.0) -> Coverage:
    """Return the coverage that a law gives for a wind of U10 = speed [m/s] and a wave age; 0 for an age of 0.

    - monahan-1980: `3.84e-6 U10^3.41` (Monahan and O'Muircheartaigh 1980), fitted to winds below 20 m/s.
    - callaghan-2008: `3.18e-5 (U10 - 3.70)^3` and `4.82e-6 (U10 + 1.98)^3` (Callaghan et al. 2008), fitted to 3.70 to
      11.25 m/s and to 9.25 to 23.09 m/s: the smaller of the two, which changes where they cross, at 10.19 m/s.
    - saturating: `w / sqrt(1 + (w / MOST_WHITECAPS)²)`, where w is that of callaghan-2008 times the power AGE_POWER of
      the age, up to the age of a fully grown sea, because older waves are swell. Streaks grow as the square of the
      wind's excess over STREAKS_BEGIN.
    """
    if age <= 0:
        return Coverage(0.0)
    if law == "monahan-1980":
        return Coverage(min(1.0, 3.84e-6 * math.pow(speed, 3.41)))
    observed = min(3.18e-5 * max(speed - 3.70, 0.0) ** 3, 4.82e-6 * (speed + 1.98) ** 3)
    if law == "callaghan-2008":
        return Coverage(min(1.0, observed))
    grown = observed * math.pow(min(age, 1 / GROWN_AGE), AGE_POWER)
    streaks = min(max((speed - STREAKS_BEGIN) / (WHITE_OUT - STREAKS_BEGIN), 0.0), 1.0) ** 2
    return Coverage(grown / math.hypot(1.0, grown / MOST_WHITECAPS), streaks)


@dataclass(frozen=True)
class JacobianStatistics:
    """Statistics of the Jacobian at points of still water, at choppiness 1: to second order `J = 1 + s + bend (s² -
    variance)`.

    s = Dxx + Dzz is a Gaussian process u, in deviations, or with nonlinear waves `u + skewness (u² - 1) / 6`, where the
    mean square rate of u has the factor `1 + trend u`. The determinant Dxx Dzz - Dxz², of mean 0, follows s as far as
    the two share directions: `bend = (Mxx Mzz - Mxz²) / (Mxx + Mzz)²` for the moments Mij of ki kj coth²(kd) Psi over
    all waves.
    """

    variance: float = 0.0  # variance of s
    rate: float = 0.0  # mean frequency of s [rad/s]: root of its second spectral moment over its variance
    bend: float = 0.0
    share: float = 1.0  # fraction of the water with these statistics
    skewness: float = 0.0  # skewness of s
    trend: float = 0.0  # slope of the mean square rate of u with u

    @classmethod
    def of(cls, moments: ArrayLike, share: float = 1.0) -> Self:
        """Return the statistics for the sums over all waves of P, w² P, kx² P / k², kz² P / k² and kx kz P / k², with P
        from `jacobian_power`, and the means of s³ and of s (ds/dt)²."""
        variance, second, xx, zz, xz, cube, moving = (float(moment) for moment in np.asarray(moments))
        if variance <= 0:
            return cls(share=share)
        bend = (xx * zz - xz * xz) / variance**2
        skewness = cube / variance**1.5
        trend = moving / (math.sqrt(variance) * second) - 2 / 3 * skewness  # u + skewness u² / 6 has 2/3 skewness
        return cls(variance, math.sqrt(second / variance), bend, share, skewness, trend)

    def deviations(self, jacobian: ArrayLike, choppiness: float) -> Array:
        """Return the deviations u of s from its mean at which the Jacobian is `1 + deviation u + curve deviation² (u² -
        1)`, on the side where it falls; -inf below its minimum, and inf above its maximum."""
        deviation = max(choppiness * math.sqrt(self.variance), 1e-12)
        curve = self.bend + self.skewness / (6 * deviation)
        rest = np.asarray(jacobian, np.float64) - 1 + curve * deviation**2
        root = 1 + 4 * curve * rest
        # This form of a quadratic's root also holds for a curve of 0.
        found = 2 * rest / (deviation * (1 + np.sqrt(np.maximum(root, 0.0))))
        return np.where(root >= 0, found, -math.copysign(np.inf, curve))


Places = tuple[JacobianStatistics, ...]
"""Statistics of points that differ; the fractions add up to 1."""


def mean_variance(places: Places) -> float:
    """Return the variance of s, as a mean over all points."""
    return sum(place.share * place.variance for place in places)


def stronger_foam(places: Places, choppiness: float, threshold: float, decay_time: float, width: float) -> Array:
    """Return the fraction of the foam map with at least each of STRENGTHS of air, if foam is born below a threshold of
    the Jacobian.

    Air has the amount x, at most MOST_AIR, where the Jacobian is x times `width` below the threshold, and falls to 1/e
    in `decay_time` [s]. The map holds the largest remainder of all events. It is below x if none of x or more is born
    now, at a probability of `1 - Phi(u(x))`, u(x) being the deviations of s from its mean, and if s stayed above the
    level of `y = x e^(t / decay_time)` at each time t before. s has a cycle in `2 pi / rate`. The depths of cycles
    count as independent, and the level falls with t at a speed of b deviations in `1 / rate`. A cycle then reaches it
    at a probability of `p = exp(-u²/2) (exp(-b²/2) - b sqrt(2 pi) Phi(-b))` (Rice 1945), and

        P(air < x) = (1 - Phi(u(x))) exp(decay_time rate / (2 pi) integral from x to MOST_AIR of ln(1 - p(y)) dy / y).
    """
    x = STRENGTHS
    level = threshold - width * x
    u = np.clip([place.deviations(level, choppiness) for place in places], -40.0, 40.0)  # (point, strength)
    rate = np.array([place.rate for place in places])[:, None]
    low = np.minimum(u, 0.0)  # every cycle falls below its mean
    rate = rate * np.sqrt(np.maximum(1 + np.array([place.trend for place in places])[:, None] * low, 0.0))
    speed = -np.gradient(u, np.log(x), axis=1) / np.maximum(decay_time * rate, 1e-9)
    speed = np.clip(speed, 0.0, 40.0)
    reached = np.exp(-(low**2) / 2) * (np.exp(-(speed**2) / 2) - speed * math.sqrt(2 * math.pi) * normal(-speed))
    events = -rate / (2 * np.pi) * np.log1p(-np.minimum(reached, MOST_REACHED))
    pieces = 0.5 * (events[:, 1:] + events[:, :-1]) * np.diff(np.log(x))
    stronger = np.pad(np.cumsum(pieces[:, ::-1], axis=1)[:, ::-1], ((0, 0), (0, 1)))
    return np.asarray(np.array([place.share for place in places]) @ (1 - normal(-u) * np.exp(-decay_time * stronger)))


def active_coverage(places: Places, choppiness: float, threshold: float, width: float = BIRTH_WIDTH) -> float:
    """Return the mean strength of active foam, which grows from 0 to 1 as the Jacobian falls by `width` below a
    threshold."""
    strengths = np.linspace(0.0, 1.0, 65)
    levels = threshold - width * strengths
    breaks = sum(place.share * normal(place.deviations(levels, choppiness)) for place in places)
    return float(np.trapezoid(breaks, strengths))


def mean_power(stronger: Array, power: float) -> float:
    """Return the mean over the foam map of a power of its strength, which is its air up to 1, given the result of
    `stronger_foam`."""
    return _map_mean(stronger, np.minimum(STRENGTHS, 1.0) ** power)


def _map_mean(stronger: Array, values: Array) -> float:
    return float(values[0] * stronger[0] + np.trapezoid(stronger, values))  # weaker foam is cut off


def ripples_around(stronger: Array, streaks: float) -> float:
    """Return the slope variance of ripples outside foam, relative to the mean over the sea, given the result of
    `stronger_foam` and the coverage by streaks. Foam of a strength x takes the fraction `CALMED x / (x + SCAR)`, and
    the water around gains what scars lose, so that the mean slope variance is as measured."""
    strength = streaks + np.minimum([0.0, *STRENGTHS], 1.0) * (1 - streaks)
    none, *scars = strength / (strength + SCAR)
    return float(1 / (1 - CALMED * (none + _map_mean(stronger, np.array(scars) - none))))


def mean_foam(places: Places, choppiness: float, threshold: float, decay_time: float, width: float) -> float:
    """Return the mean of the foam map of `stronger_foam`."""
    return mean_power(stronger_foam(places, choppiness, threshold, decay_time, width), 1.0)


@dataclass(frozen=True)
class Births:
    """The rules by which foam is born on each level of its map.

    Levels whose texels resolve breaking follow the Jacobian, `fields.foam_step`. Levels with larger texels hold their
    mean: foam of all ages lies where the strain s = Dxx + Dzz is lowest. It covers the fraction of a texel in which s
    is expected to be below `start`, given the part of s that the texel shows. The rest of s is Gaussian too, so that
    the mean is the sea's coverage for every shown part. Pixels that show more of s than such texels follow the same
    rule.
    """

    texels: tuple[float, ...]  # m, texel on which breaking is judged
    unshown: tuple[float, ...]  # fraction of the strain's variance that texels hide; 0 for levels that follow J
    start: float = -7.0  # strain up to which foam covers the water, in deviations; the default is almost no foam
    steepness: float = 0.0  # deviations for a unit of strain, at the sea's choppiness
    thinning: float = 1.0  # exponent of foam's strength in the coverage of thick foam
    apart: float = 0.0  # deviations of strain between the starts of foam and of thick foam
    breaking: float = -7.0  # strain up to which water breaks, in deviations
    ripples: float = 1.0  # slope variance of ripples outside foam, relative to the mean
    spilled: tuple[float, float] = (0.0, 0.0)  # m, from the point of breaking to its foam, on levels that follow J
    streaks: tuple[float, float] = (0.0, 0.0)  # coverage by streaks of foam, and by the thick foam in them
    is_possible: bool = True  # False: no foam is born, so that the map needs no step once the last foam has gone

    @classmethod
    def everywhere(cls, texel: float, levels: int, direction: float, is_possible: bool = True) -> Self:
        """Return the rules for levels that all follow the Jacobian, under a wind towards a direction [degrees]."""
        spill = spilled(texel, direction)
        return cls((texel,) * levels, (0.0,) * levels, spilled=spill, is_possible=is_possible)


def breaking_area(u: float, deviation: float, width: float, rates: Array) -> float:
    """Return the mean area [m²] of foam, times its strength, of an event in which s falls u > 0 deviations below its
    mean; `deviation` is that of choppiness times s.

    At its minimum s is u + E deviations below its mean; E is exponential with mean 1 / u (Adler 1981). At y = (t, x, z)
    from the minimum it is `u/2 y^T M y` deviations higher, where M is `rates`, the covariance of the derivatives of s
    over its variance. Over time such a paraboloid sweeps an ellipse, whose matrix is M without time (its Schur
    complement). Strength grows over the first `width / deviation` of E alone.
    """
    swept = float(np.linalg.det(rates)) / rates[0, 0]
    grown = -math.expm1(-u * width / deviation)
    return grown * deviation / width * 2 * math.pi / (u**3 * math.sqrt(swept)) if swept > 0 else 0.0


def repeated_fold(u: float, share: float) -> float:
    """Return the rise of the probability of a fold where a part of another fold's waves repeats.

    At a fold, s falls to u deviations below its mean. Repeated waves have the fraction `share` of the variance of s;
    all other waves are random. Only one period counts, because groups of waves move on.
    """
    there = u * math.sqrt((1 - share) / (1 + share))
    chances = (1 - (1 - normal(-v)) * math.exp(-math.exp(-v * v / 2)) for v in (there, u))
    return float(next(chances) - next(chances))


def foam_scatter(coverage: float, area: float, repeats: float) -> float:
    """Return the relative deviation of one draw's mean foam, which is shot noise: each birth makes `area` [m²] of foam
    and has `repeats` repetitions per square metre of the world.

    Foam that fades has half the variance of foam that stays and then vanishes. Areas are proportional to E², whose mean
    square is six times its squared mean.
    """
    return math.sqrt(3 * area * repeats / coverage) if coverage > 0 else 0.0


@lru_cache(maxsize=64)
def foam_threshold(
    places: Places, choppiness: float, coverage: float, decay_time: float = 0.0, width: float = 0.0
) -> float:
    """Return the Jacobian below which foam must be born to cover a fraction `coverage` of the water on average.

    Foam grows from 0 to 1 as the Jacobian falls by `width` below the threshold, and fades as in `stronger_foam`.
    The search ends at 6 deviations, so that the threshold is finite.
    """
    widest = max(places, key=lambda place: place.variance)
    deviation = choppiness * math.sqrt(widest.variance)
    if deviation < 1e-9:  # flat
        return 1.0 - 6 * width

    def excess(threshold: float) -> float:
        return mean_foam(places, choppiness, threshold, decay_time, width) - coverage

    low, high = 1 - 6 * deviation, 1 + 6 * deviation + width
    if excess(low) >= 0:
        return low
    return high if excess(high) <= 0 else root(excess, low, high, 1e-7)


def foam_thinning(stronger: Array, share: float) -> tuple[float, float]:
    """Return the power of foam's strength whose mean over the foam map is the fraction `share` of the mean strength,
    and that mean, given the result of `stronger_foam`. The power is at most MOST_THINNING, which an almost white sea
    reaches."""
    wanted = share * mean_power(stronger, 1.0)
    thinning = root(lambda power: wanted - mean_power(stronger, power), 1.0, MOST_THINNING, 1e-3)
    return thinning, mean_power(stronger, thinning)


SIDE = 512  # texels along a side of the pattern
QUANTILES = np.linspace(-5, 5, 4001)
"""Nodes of the interpolated normal quantiles, whose error is 4e-6."""

LAYERS = ((43.0, 67.0, 1.0), (5.3, 20.0, 1.0))
"""Width [m], turn [degrees] and fraction of the variance for each layer that all foam has."""

STREAKS = (150.0, 620.0)
"""Width and length [m] of the layer along the wind."""

STREAKS_FROM, STREAKS_FULL, STREAKS_SHARE = 12.0, 18.0, 0.8
"""Winds [m/s] between which streaks grow to STREAKS_SHARE of the variance in the oldest foam. The Beaufort scale has
the first streaks in a near gale, from 14 m/s on, and well-marked ones in a gale, from 17 m/s on."""

SURFACE_DRIFT = 0.03
"""Drift of floating matter over the wind at 10 m, without the drift by waves (Wu 1975)."""


@lru_cache(maxsize=1)
def patterns() -> Array:
    """Return the patterns of lumps, of walls and of threads: normally distributed values, (3, SIDE, SIDE), that repeat
    along both axes. Threads run from row to row. `tools/assets/make_lace.py` made the ranks in `assets/lumps.png`,
    `assets/lace.png` and `assets/streaks.png`."""
    from PIL import Image

    ranks = [
        np.asarray(Image.open(folder("assets") / f"{name}.png"), np.float64) for name in ("lumps", "lace", "streaks")
    ]
    return np.interp((np.stack(ranks) + 0.5) / 2**16, normal(QUANTILES), QUANTILES)


@lru_cache(maxsize=1)
def levels() -> list[Array]:
    """Return mip levels of the patterns and their squares, (3, side, side, 2). Mean and mean square give the variance
    below a texel."""
    values = patterns()
    made = [np.stack([values, values**2], axis=-1)]
    while (side := made[-1].shape[1] // 2) > 0:
        rows = made[-1][:, 0::2] + made[-1][:, 1::2]
        made.append(0.25 * (rows[:, :, 0::2] + rows[:, :, 1::2]).reshape(-1, side, side, 2))
    return made


def layers(wind_speed: float, direction: float, origin: ArrayLike) -> Array:
    """Return parameters (layers, 8) for reading the pattern at positions relative to an origin (world x, z) [m].

    Each row holds the matrix to texture coordinates, row by row; the coordinates of the origin; the layer's weight in
    old foam (`ageing` in `foam/pattern.glsl`); and its texels per metre.
    """
    rows = _layers(wind_speed, direction).copy()
    rows[:, 4:6] = np.mod(rows[:, :4].reshape(-1, 2, 2) @ np.asarray(origin, np.float64), 1.0)
    return rows


@lru_cache(maxsize=4)
def _layers(wind_speed: float, direction: float) -> Array:
    """Return `layers` at the world's origin. A frame only moves them."""
    t = min(max((wind_speed - STREAKS_FROM) / (STREAKS_FULL - STREAKS_FROM), 0.0), 1.0)
    streaks = STREAKS_SHARE * t * t * (3 - 2 * t)
    all_shares = sum(share for *_, share in LAYERS)
    shapes = [(side, side, turn, (1 - streaks) * share / all_shares) for side, turn, share in LAYERS]
    shapes.append((*STREAKS, direction, streaks))
    rows = []
    for width, length, heading, share in shapes:
        along = np.array(unit(heading))
        matrix = np.stack([np.array([-along[1], along[0]]) / width, along / length])
        rows.append([*matrix.ravel(), 0.0, 0.0, math.sqrt(share), SIDE / min(width, length)])
    return np.array(rows)
