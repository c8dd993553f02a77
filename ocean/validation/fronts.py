"""Lengths of breaking fronts by their speed, Lambda(c) (Phillips, JFM 1985), from pairs of fields of breaking water.

Lambda(c) dc is the length of fronts with speeds from c to c + dc, per area. It is measured as from airborne videos
(Kleiss and Melville, J. Atmos. Oceanic Technol. 2011): a front is a piece of the outline of breaking water that
advances, and its speed is the normal distance to the outline a short time later, less the drift.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.waves.dispersion import GRAVITY, Array, wavenumber
from ocean.waves.spreading import friction_velocity
from ocean.waves.statistics import predicted_height
from ocean.waves.systems import WaveSystem

Field = NDArray[np.floating[Any]]

INTERVAL = 0.2
"""Time [s] between the two fields, as in open code for airborne videos (lcolosi/WaveBreakingStats). Patches that are
born or die between them have no front. The outline of a patch that has just been born expands faster than any wave; a
longer interval leaves more of that out."""

OUTLINE = 0.1  # strength of active foam at the outline
BINS = 0.1 * 2 ** (np.arange(17) / 4)  # edges of the bins of speed, relative to the peak's phase speed
FITTED = 0.4, 0.8  # range of speeds, relative to the peak's, over which slope and level are fitted


def front_speeds(
    before: Field, after: Field, texel: float, step: float, drift: Sequence[float] = (0.0, 0.0)
) -> tuple[Array, Array]:
    """Return length [m] and speed [m/s] of each piece of the outlines of active foam in the field `before`.

    Fields are indexed [z, x] and have texels [m]; `after` shows the same area `step` seconds later. Speeds are relative
    to a `drift` (x, z) [m/s] and positive where the breaking water advances.
    """
    from scipy.ndimage import map_coordinates
    from scipy.spatial import cKDTree

    here, there = _outlines(before), _outlines(after)
    middle, length = here.mean(axis=1), texel * np.hypot(*(here[:, 1] - here[:, 0]).T)
    carried = middle + np.asarray(drift, np.float64) * (step / texel)
    if not len(here) or not len(there):
        return length, np.full(len(length), -np.inf)
    _, nearest = cKDTree(there.mean(axis=1)).query(carried, k=min(3, len(there)))
    start, end = np.moveaxis(there[nearest.reshape(len(carried), -1)], 2, 0)
    along, away = end - start, carried[:, None] - start
    share = np.clip((along * away).sum(-1) / np.maximum((along * along).sum(-1), 1e-12), 0, 1)
    distance = np.linalg.norm(away - share[..., None] * along, axis=-1).min(axis=1)
    is_inside = map_coordinates(after, carried.T[::-1], order=1, mode="nearest") > OUTLINE
    return length, np.where(is_inside, distance, -distance) * (texel / step)


def _outlines(active: Field) -> Array:
    """Return the straight pieces of outlines, (piece, end, (x, z)) [texels]."""
    from contourpy import contour_generator

    lines = contour_generator(z=active).lines(OUTLINE)
    pieces = [np.stack([line[:-1], line[1:]], axis=1) for line in map(np.asarray, lines)]
    return np.concatenate(pieces) if pieces else np.zeros((0, 2, 2))


def sutherland_melville(peak_speed: float, height: float, friction: float) -> float:
    """Return Lambda c⁶ [m⁴/s⁵] by Sutherland and Melville's fit (GRL 2013) to whitecaps of four experiments, for a sea
    with the peak's phase speed [m/s], significant height [m], and friction velocity [m/s]:

        Lambda c_p³ / g (c_p / u*)^(1/2) = 0.05 s^-6,  s = c / sqrt(g Hs) (g Hs / c_p²)^0.1
    """
    s = (GRAVITY * height / peak_speed**2) ** 0.1 / math.sqrt(GRAVITY * height)  # at 1 m/s
    return float(0.05 * s**-6.0 * GRAVITY / peak_speed**3 * math.sqrt(friction / peak_speed))


class Fronts:
    """Lambda(c) of a wind sea, summed over pairs of fields. Lengths and speeds are those on still water."""

    def __init__(self, peak_speed: float, height: float, friction: float) -> None:
        self.peak_speed, self.height, self.friction = peak_speed, height, friction
        self.speeds: Array = peak_speed * np.sqrt(BINS[1:] * BINS[:-1])  # geometric middle of each bin [m/s]
        self.observed = sutherland_melville(peak_speed, height, friction)  # Lambda c⁶ [m⁴/s⁵]
        self.fitted = FITTED[0] * peak_speed, FITTED[1] * peak_speed  # m/s
        self.lengths = np.zeros(len(BINS) - 1)  # length of fronts [m] in each bin of speed
        self.area = 0.0  # area [m²] of all pairs

    @classmethod
    def of(cls, systems: Sequence[WaveSystem]) -> "Fronts | None":
        """Return the fronts of the wind sea among the systems, none so far; None without a wind sea."""
        system = next((system for system in systems if system.wind_speed > 0 and not system.is_flat), None)
        if system is None:
            return None
        w = system.peak_frequency
        peak_speed = w / float(wavenumber(w, system.depth, system.dispersion))
        friction = friction_velocity(system.wind_speed, system.wind_speed / peak_speed)
        return cls(peak_speed, predicted_height((system,)), friction)

    def add(
        self, before: Field, after: Field, texel: float, step: float, drift: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        """Add a pair of fields of active foam, indexed [z, x], `step` seconds apart. Their texels drift (x, z) [m/s]
        over still water."""
        length, speed = front_speeds(before, after, texel, step, (-drift[0], -drift[1]))
        self.lengths += np.histogram(speed / self.peak_speed, BINS, weights=length)[0]
        self.area += before.size * texel**2

    @property
    def density(self) -> Array:
        """Lambda(c) [s/m²] in each bin."""
        return np.asarray(self.lengths / (np.diff(BINS) * self.peak_speed * max(self.area, 1e-9)))

    @property
    def fit(self) -> tuple[float, float] | None:
        """Power of c in Lambda(c) over FITTED, and its mean ratio there to Sutherland and Melville's; None if a bin of
        that range has no front yet."""
        at = (self.speeds > self.fitted[0]) & (self.speeds < self.fitted[1])
        if not self.lengths[at].all():
            return None
        speeds, density = np.log(self.speeds[at]), np.log(self.density[at])
        return float(np.polyfit(speeds, density, 1)[0]), math.exp(np.mean(density + 6 * speeds)) / self.observed
