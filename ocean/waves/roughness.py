"""Variances of a sea's waves for drawing: of all waves, of waves that maps leave to shading, and of waves that meshes
lose."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ocean.waves import statistics
from ocean.waves.dispersion import Array
from ocean.waves.slopes import filtered, shown_slopes, unresolved_slopes, unresolved_strain
from ocean.waves.systems import WaveSystem
from ocean.waves.tiles import Tile

CUTOFFS = np.logspace(-3, 3, 256)  # wave numbers [rad/m] of the table of unresolved waves
CELLS = np.arange(-24, 22)  # binary logarithms of the sides of a mesh's cells [m]


@dataclass(frozen=True, eq=False)
class Roughness:
    """Variances of a sea's waves. A blend has the means over its seas."""

    unresolved: Array  # (256, 4): slope covariance, and variance of the strain, of waves beyond each of CUTOFFS
    strain_variance: float  # variance of Dxx + Dzz, all waves
    height_variance: float  # m²
    mesh_variance: Array  # m²: variance of a mesh's error, for each of CELLS

    @classmethod
    def of(cls, systems: Sequence[WaveSystem], tiles: Sequence[Tile], size: int) -> Self:
        cutoff = tiles[-1].cutoff(size)
        end, lacking = shown_slopes(tiles, size)
        strain = filtered(lambda k: unresolved_strain(systems, np.minimum(k, end), lacking), CUTOFFS, cutoff)
        slopes = filtered(lambda k: unresolved_slopes(systems, k, end, lacking), CUTOFFS, cutoff)
        return cls(
            np.column_stack([slopes, strain]),
            float(unresolved_strain(systems, 0.0)),
            (statistics.predicted_height(systems) / 4) ** 2,
            statistics.mesh_deviation(systems, 2.0**CELLS, cutoff) ** 2,
        )

    @classmethod
    def mean(cls, parts: Sequence[tuple[float, Self]]) -> Self:
        """Return the mean over seas, given with their shares."""
        return cls(*(sum(share * getattr(sea, one.name) for share, sea in parts) for one in fields(cls)))

    @property
    def height_deviation(self) -> float:
        """Standard deviation of the height [m]."""
        return math.sqrt(self.height_variance)

    @property
    def crest(self) -> float:
        """Height of the highest crests [m]: five standard deviations."""
        return 5 * self.height_deviation

    @property
    def slope_covariance(self) -> Array:
        """Covariance of all slopes that maps do not show: along x, along z, and between the two."""
        return self.unresolved[0, :3]

    @property
    def slope_variance(self) -> float:
        """Variance of the slopes that maps do not show, both axes together."""
        return float(self.slope_covariance[:2].sum())

    def mesh_error(self, cells: NDArray[np.float64]) -> Array:
        """Return the standard deviation of a mesh's error [m] for sides of cells [m], which are powers of two."""
        return np.asarray(np.sqrt(self.mesh_variance[np.log2(cells).astype(int) - CELLS[0]]))
