"""The wave vectors of a cascade that carry variance, in one list, with variance and frequency.

Predictions for a sea and periodograms are sums over such lists.
"""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.sea.blend import Cascade
from ocean.waves.amplitudes import wave_numbers
from ocean.waves.dispersion import Array, group_speed, orbit_ratio


class Lattice:
    """The wave vectors k of one cascade of `size` texels per side for which k or -k carries variance, as 1-D arrays.

    `nx` and `nz` count them in tile axes, `power` is `Psi(k) dk²` [m²], `opposite` is `Psi(-k) dk²`, and `steps` are
    the turns in `period` [s].
    """

    def __init__(self, cascade: Cascade) -> None:
        key, variance, size = cascade.key, cascade.variance, cascade.key.size
        self.tile, self.size = key.tile, size
        self.period, self.depth, self.dispersion = key.period, key.depth, key.dispersion
        rows, columns = np.nonzero(variance)
        both = np.unique(np.concatenate([rows * size + columns, -rows % size * size + -columns % size]))
        rows, columns = both // size, both % size
        n = wave_numbers(size).astype(np.int64)
        self.nx, self.nz = n[columns], n[rows]
        self.power = variance[rows, columns].astype(np.float64)
        self.opposite = variance[-rows % size, -columns % size].astype(np.float64)
        self.steps = cascade.steps[rows, columns]

    @cached_property
    def k(self) -> Array:
        return self.tile.dk * np.hypot(self.nx, self.nz)

    @cached_property
    def direction(self) -> tuple[Array, Array]:
        """Unit vectors (x, z) in world axes."""
        return self.tile.to_world(*(self.tile.dk * n / self.k for n in (self.nx, self.nz)))

    @cached_property
    def w(self) -> Array:
        """Angular frequencies [rad/s], whole turns in the loop period."""
        return np.asarray(self.steps * (2 * np.pi / self.period), np.float64)

    @cached_property
    def speed(self) -> Array:
        """Group speeds dw/dk [m/s]."""
        return group_speed(self.k, self.depth, self.dispersion)

    @cached_property
    def fold_weight(self) -> Array:
        """Weight `k² coth²(kd)` [rad²/m²] of a wave's variance in the Jacobian's, to first order."""
        return np.asarray(np.square(self.k * orbit_ratio(self.k, self.depth, self.dispersion)), np.float64)

    @property
    def pair(self) -> Array:
        """Mean power of k and -k [m²]: the expected |H(k)|² of a field."""
        return (self.power + self.opposite) / 2

    def folded(self, values: Array, side: int) -> Array:
        """Return the values of the wave vectors added up on the lattice of a map with `side` texels, (side, side) in
        FFT order: every (size / side)-th texel of a field has this spectrum."""
        places = self.nz % side * side + self.nx % side
        return np.asarray(np.bincount(places, values, side * side), np.float64).reshape(side, side)

    def picked(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return, at these wave vectors, the values of an array over the wave vectors of a smaller map, (side, side) in
        FFT order."""
        return np.asarray(values[self.nz % len(values), self.nx % len(values)])


def lossless_side(size: int, reach: int) -> int:
    """Return the smallest divisor of `size` whose number of texels per side shows all waves of up to `reach` wave
    numbers of a tile."""
    return next(side for side in range(2, size + 1, 2) if size % side == 0 and side > 2 * reach)
