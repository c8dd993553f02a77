"""Predicted and measured statistics of a sea, for the checks of an oceanographer.

Each quantity has three values: of the spectrum, of the grid with the scatter of one draw, and the measured one.
Nothing is fitted: the deviation follows from the spectrum, and a quantity agrees if it is within LIMIT deviations.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from ocean.sea.blend import SeaSpectrum
from ocean.validation.periodogram import SAMPLES, Lattice, Moments, Periodogram, Rings
from ocean.waves import second_order, statistics
from ocean.waves.dispersion import Array
from ocean.waves.slopes import shown_slopes, unresolved
from ocean.waves.statistics import Folds, peak_period, significant_wave_height
from ocean.waves.systems import SHORTEST, unit

LIMIT = 4.0
"""Largest allowed distance between a measured quantity and its expected value, in standard deviations. By chance, one
of ten quantities exceeds it in one of 1600 seas."""

HEIGHT, PEAK, SKEWNESS, FOAM = "significant wave height", "peak period", "skewness of the height", "foam coverage"
SLOPES = "slope variance along wind", "slope variance across wind"

SYSTEMS = "wind sea", "swell"  # names of a sea's systems in their order, if it has both
TRIALS = 2000  # draws of a spectrum from which the scatter of its peak period is computed

CORRELATION_SIDE = 256
"""Points along a side of the correlation functions from which skewness and kurtosis get their scatter. It is almost
exact for waves of up to 64 wave numbers of their tile, the limit of all bands but the last."""


@dataclass(frozen=True)
class Quantity:
    """A statistic of a sea. `integral` follows from the spectrum; `expected` is the mean over all draws on this grid,
    and `deviation` that of one draw; `measured` is None before the measurement."""

    name: str
    unit: str
    help: str
    integral: float
    expected: float
    deviation: float
    measured: float | None = None

    @property
    def error(self) -> float | None:
        """Measured minus expected value, in deviations; directions, in degrees, wrap around."""
        if self.measured is None:
            return None
        apart = self.measured - self.expected
        if self.unit == "°":
            apart = (apart + 180) % 360 - 180
        return apart / self.deviation if self.deviation > 0 else 0.0 if apart == 0 else math.copysign(math.inf, apart)

    @property
    def miss(self) -> float | None:
        """Absolute error, in deviations."""
        return None if self.error is None else abs(self.error)

    @property
    def agrees(self) -> bool | None:
        return None if self.miss is None else self.miss <= LIMIT


@dataclass(frozen=True)
class Peak:
    """A peak of the spectrum at a period [s], with mean and deviation of its measurement over draws.

    It is measured by Young's estimate within half an octave, which scatters less than the highest ring, times the
    `factor` from that estimate to the peak of the spectrum itself on this grid.
    """

    name: str
    period: float
    factor: float
    expected: float
    deviation: float

    @classmethod
    def of(cls, name: str, period: float, found: Rings) -> Self:
        """Return the peak at a period, for the rings of the spectrum. The density of a ring is a sum of exponentials,
        one for each wave; it is drawn as a gamma distribution of equal mean and variance."""
        estimate = found.peak_near(2 * math.pi / period) if period > 0 else 0.0
        if estimate <= 0:
            return cls(name, period, 0.0, 0.0, 0.0)
        near = np.abs(np.log2(found.w * period / (2 * math.pi))) <= 0.5
        w, density, width, waves = (values[near] for values in (found.w, found.density, found.width, found.waves))
        noise = np.random.default_rng(0).gamma(waves, 1 / waves, (TRIALS, len(w)))
        trials = np.array([peak_period(w, density * each, width) for each in noise]) * (period / estimate)
        return cls(name, period, period / estimate, float(trials.mean()), float(trials.std()))

    def measured(self, seen: Rings | None) -> float | None:
        """Return the measured period [s]; None before the measurement."""
        if seen is None:
            return None
        return self.factor * seen.peak_near(2 * math.pi / self.period) if self.period > 0 else 0.0


class Predictions:
    """Predictions for a sea on its lattices; slopes are along and across the wind."""

    def __init__(self, spectrum: SeaSpectrum) -> None:
        sea, tiles = spectrum.settings.sea, [key.tile for key in spectrum.keys]
        self.systems, self.direction = sea.systems, sea.wind.direction
        self.lifts = spectrum.lifts  # second-order lift of each cascade
        self.solved = second_order.lifts(sea.systems, tiles, spectrum.size)[0] if sea.is_nonlinear else None
        """The first cascade's lift by theory, if its waves are nonlinear: they have the third moment of second
        order without a lift, at any choppiness."""
        self.level = statistics.predicted_height(sea.systems) / 2
        """Half of Hs [m], by the spectrum. The fraction of the surface above this height is measured."""
        lattices = enumerate(map(Lattice, spectrum.cascades))
        self.lattices = {index: lattice for index, lattice in lattices if lattice.power.any()}
        """Lattices of the cascades that carry waves, by the number of the cascade."""
        self._all = tuple(self.lattices.values())
        self._variance = self._sum(lambda lattice: 1.0)
        self._expected = Periodogram(self._all, tuple(lattice.power for lattice in self._all))
        self.rings = self._expected.rings
        shown = shown_slopes(tiles, spectrum.size)
        self.unresolved_slopes = float(unresolved(sea.systems, SHORTEST, *shown)[:2].sum())
        """Mean square slope that no map shows: the shading's part, however close the view."""
        self.gap_share = statistics.gap_share(tiles, spectrum.size, sea.systems)
        self._polar = statistics.predicted_polar_moments(sea.systems, self.direction)

    def quantities(
        self,
        choppiness: float,
        moments: Moments | None = None,
        periodogram: Periodogram | None = None,
        foam: Quantity | None = None,
    ) -> tuple[Quantity, ...]:
        rows = [self._height(moments), *self._periods(periodogram), *self._slopes(moments)]
        rows += [self._folds(choppiness, moments), *self._surface(choppiness, moments)]
        return (*rows, foam) if foam is not None else tuple(rows)

    # -- Sums over the lattices --------------------------------------------------------------------------------------

    def _sum(self, weight: Callable[[Lattice], Array | float]) -> tuple[float, float]:
        """Return the sum of weight times power over all waves, and the deviation of this sum in one field. Weights of k
        and -k must be equal."""
        total = sum(float(np.sum(lattice.power * weight(lattice))) for lattice in self._all)
        return total, total * statistics.sampling_deviation([l.pair * weight(l) for l in self._all])

    def _height(self, moments: Moments | None) -> Quantity:
        variance, deviation = self._variance
        height = significant_wave_height(variance)
        scatter = height * deviation / (2 * variance) if variance > 0 else 0.0
        measured = None if moments is None else significant_wave_height(moments.variance)
        text = "Hs: four standard deviations of the height, about the mean of the highest third of all waves."
        return Quantity(HEIGHT, "m", text, statistics.predicted_height(self.systems), height, scatter, measured)

    @cached_property
    def _slope_sums(self) -> tuple[tuple[float, float], tuple[float, float]]:
        x, z = unit(self.direction)

        def along(lattice: Lattice) -> Array:
            return np.square(lattice.k * (x * lattice.direction[0] + z * lattice.direction[1]))

        return self._sum(along), self._sum(lambda lattice: lattice.k**2 - along(lattice))

    def _slopes(self, moments: Moments | None) -> list[Quantity]:
        measured = (None, None) if moments is None else moments.slope_variance(self.direction)
        integrals = self._polar.slope_along, self._polar.slope_across
        rows = zip(SLOPES, ("along", "across"), integrals, self._slope_sums, measured, strict=True)
        text = "Mean square slope {} the wind. The shading adds the part that a grid lacks."
        return [
            Quantity(name, "1", text.format(way), integral, *found, seen) for name, way, integral, found, seen in rows
        ]

    @cached_property
    def _fold_sums(self) -> tuple[Folds, float]:
        """Second moments of the folds, and the relative deviation of their first-order part."""
        each = [Folds.of(l.power * l.fold_weight, *l.direction).moments for l in self._all] or [(0.0,) * 5]
        total, deviation = self._sum(lambda lattice: lattice.fold_weight)
        return Folds(tuple(np.sum(each, axis=0))), deviation / total if total > 0 else 0.0

    def fold_scatter(self, shortest: float) -> float:
        """Return the relative deviation, over draws, of the Jacobian's deviation, for waves longer than `shortest`
        [m]."""
        found, deviation = self._sum(lambda each: each.fold_weight * (each.k < 2 * math.pi / shortest))
        return deviation / (2 * found) if found > 0 else 0.0

    def fold_shape(self, shortest: float) -> tuple[Array, Array]:
        """Return the fraction of each of `lattices` in the variance of Dxx + Dzz, for waves longer than `shortest` [m],
        and the covariance (3, 3) of its derivatives by time [1/s], x and z [1/m], relative to that variance."""
        shares: Array = np.zeros(len(self._all))
        rates: Array = np.zeros((3, 3))
        for index, lattice in enumerate(self._all):
            power = lattice.power * lattice.fold_weight * (lattice.k < 2 * math.pi / shortest)
            rate = np.stack([-lattice.w, *(lattice.k * lattice.direction)])
            shares[index] = power.sum()
            rates += (rate * power) @ rate.T
        total = float(shares.sum())
        return (shares / total, rates / total) if total > 0 else (shares, rates)

    def _folds(self, choppiness: float, moments: Moments | None) -> Quantity:
        folds, scatter = self._fold_sums
        value = folds.deviation(choppiness)
        points = math.inf if moments is None else SAMPLES
        # A root has half the relative deviation; M points give a Gaussian's deviation to 1 / sqrt(2 M).
        deviation = value * math.sqrt((scatter / 2) ** 2 + 1 / (2 * points))
        measured = None if moments is None else moments.jacobian_deviation(choppiness)
        text = "Deviation of the area of a unit of still water: the larger, the closer crests are to folding."
        integral = self._polar.folds.deviation(choppiness)
        return Quantity("deviation of the Jacobian", "1", text, integral, value, deviation, measured)

    @cached_property
    def _shape_scatter(self) -> tuple[float, float]:
        """Return the standard deviations of skewness and kurtosis. The means over a Gaussian field of the Hermite
        polynomials He3 and He4 scatter by sqrt(6 mean(r³)) and sqrt(24 mean(r⁴)), r being its correlation over all
        lags."""
        variance = self._variance[0]
        if variance == 0:
            return 0.0, 0.0
        cubes = fourths = 0.0
        for lattice in self._all:
            side = CORRELATION_SIDE if lattice.size % CORRELATION_SIDE == 0 else lattice.size
            correlation = np.fft.ifft2(lattice.folded(lattice.pair, side), norm="forward").real
            cubes, fourths = cubes + float(np.mean(correlation**3)), fourths + float(np.mean(correlation**4))
        return math.sqrt(6 * abs(cubes)) / variance**1.5, math.sqrt(24 * fourths) / variance**2

    def _skewness(self, choppiness: float) -> float:
        """Return the skewness of the surface on these lattices, to second order: the lift alone brings it, and
        choppiness none."""
        total = longer = 0.0
        for index, lattice in self.lattices.items():
            one, variance = self.lifts[index], float(lattice.power.sum())
            total += choppiness * (one.own * variance**2 + 2 * longer * variance)
            longer += one.cross * variance
            if index == 0 and self.solved is not None:
                total += self.solved.own * variance**2
        variance = self._variance[0]
        return 3 * total / variance**1.5 if variance > 0 else 0.0

    def _mean_level(self, choppiness: float) -> tuple[float, float]:
        """Return the mean level [m], to second order, and its deviation over draws. Choppiness lowers it by each wave's
        variance times `k coth(kd)`, and the lift raises it."""
        level, square = sum(one.rise for one in self.lifts), 0.0
        for index, l in self.lattices.items():
            if index == 0 and self.solved is not None:
                continue  # water keeps its volume
            one = self.lifts[index]
            weight = one.own * (1 + one.orbit * l.orbit**2) / 2 - l.k * l.orbit
            level += float(np.sum(l.power * weight))
            square += 2 * float(np.sum((l.pair * weight) ** 2))
        return choppiness * level, choppiness * math.sqrt(square)

    def _surface(self, choppiness: float, moments: Moments | None) -> list[Quantity]:
        """Return the quantities of the displaced surface of all cascades, weighted by area of the world, as a buoy
        would find them."""
        variance, deviation = self._variance
        points = math.inf if moments is None else SAMPLES
        skewed, peaked = self._shape_scatter
        skewness, (level, scatter) = self._skewness(choppiness), self._mean_level(choppiness)
        lifted = any(one.own for one in self.lifts) or self.solved is not None
        theory = choppiness * second_order.skewness(self.systems) if lifted else 0.0
        sigma = math.sqrt(variance)
        # Gram-Charlier series of the distribution, and its scatter by the Hermite polynomials of a Gaussian field.
        u = (self.level - level) / sigma if sigma > 0 else 0.0
        density, tail = math.exp(-u * u / 2) / math.sqrt(2 * math.pi), 0.5 * math.erfc(u / math.sqrt(2))
        above = tail + density * skewness * (u * u - 1) / 6 if sigma > 0 else 0.0
        by_draw = [u * deviation / (2 * variance) if sigma > 0 else 0.0, (u * u - 1) * skewed / 6]
        by_draw.append((u**3 - 3 * u) * peaked / 24)
        share = math.sqrt(sum((density * part) ** 2 for part in by_draw) + above * (1 - above) / points)
        seen = (None,) * 4 if moments is None else (*moments.shape, moments.level, moments.above)
        texts = (
            "Third standardised moment of the height: 0 for linear waves, more for sharp crests over flat troughs.",
            "Fourth standardised moment of the height: 3 for a Gaussian.",
            "Mean height of the surface over still water: 0 unless choppiness lowers it.",
            "Share of the surface higher than half of Hs: 0.023 for a Gaussian, more with sharp crests.",
        )
        names = (SKEWNESS, "1"), ("kurtosis of the height", "1"), ("mean level", "m")
        values = (
            (theory, skewness, math.hypot(skewed, math.sqrt(6 / points))),
            (3 + 4 / 3 * theory**2, 3 + 4 / 3 * skewness**2, math.hypot(peaked, math.sqrt(24 / points))),
            (0.0 if lifted else level, level, math.hypot(scatter, sigma / math.sqrt(points))),
            (above, above, share),
        )
        rows = zip((*names, ("surface above Hs/2", "1")), texts, values, seen, strict=True)
        return [Quantity(*name, text, *value, measured) for name, text, value, measured in rows]

    # -- Waves one by one --------------------------------------------------------------------------------------------

    @cached_property
    def peaks(self) -> tuple["Peak", ...]:
        """Peaks of the sea, and of each of its systems if there are several."""
        named = {PEAK: self.systems}
        if len(self.systems) > 1:
            named |= {f"{PEAK} of the {name}": (system,) for name, system in zip(SYSTEMS, self.systems, strict=True)}
        return tuple(
            Peak.of(name, statistics.predicted_peak_period(systems), self.rings) for name, systems in named.items()
        )

    def _periods(self, periodogram: Periodogram | None) -> list[Quantity]:
        waves = [np.stack([lattice.power, lattice.w, *lattice.direction]) for lattice in self._all]
        power, w, x, z = np.concatenate(waves or [np.zeros((4, 0))], axis=1)
        m0, m2 = float(np.sum(power)), float(np.sum(w**2 * power))
        mean = 2 * math.pi * math.sqrt(m0 / m2) if m2 > 0 else 0.0
        # Each wave's power is exponential, so that T ~ sqrt(m0 / m2) scatters by half the sum in quadrature of
        # P (1 / m0 - w² / m2).
        scatter = mean / 2 * math.sqrt(float(np.sum((power * (1 / m0 - w**2 / m2)) ** 2))) if m2 > 0 else 0.0
        towards = self._expected.direction()
        east, south = unit(towards)
        along, aside = float(np.sum(power * (east * x + south * z))), power * (east * z - south * x)
        veer = math.sqrt(float(np.sum(aside**2))) / along if along > 0 else 0.0
        seen = None if periodogram is None else periodogram.rings
        tp_text = "Tp, at which the spectrum is highest; measured by Young's estimate (1995) about it."
        tm_text = "Tm02, the mean time between upward crossings of the mean level at a point."
        way_text = "Mean direction of propagation, clockwise from north, weighted by variance; from two pictures."
        mean_integral = statistics.predicted_mean_period(self.systems)
        period = None if seen is None else seen.mean_period
        way = None if periodogram is None else periodogram.direction()
        return [
            *(Quantity(p.name, "s", tp_text, p.period, p.expected, p.deviation, p.measured(seen)) for p in self.peaks),
            Quantity("mean period", "s", tm_text, mean_integral, mean, scatter, period),
            Quantity("mean direction", "°", way_text, self._polar.mean, towards, math.degrees(veer), way),
        ]
