"""The random amplitudes of a sea, on the host, and the blend from one sea to the next.

Each cascade has a key: all that fixes its wave vectors, its draw and its motion. Two seas that share keys differ in the
variance of each wave alone, so one blends into the other on the same draw. Cascades that only one of the two has rise
from nothing or sink to it; during such a blend both are alive. Knows nothing of the GPU.
"""

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ocean.settings import Settings
from ocean.waves import amplitudes, statistics, whitecaps
from ocean.waves.dispersion import DispersionKind
from ocean.waves.surface import CascadeWaves
from ocean.waves.tiles import Tile, make_tiles, peak_wavelength

MAX_CASCADES = 8  # two seas of four
SEEN = 0.05
"""Share of the height's variance, which is what a tile's repetitions correlate by, above which a tile is blended."""

NEGLIGIBLE = 1e-3
"""Share of a sea's variances below which it is forgotten where the next one begins to blend in."""

BETWEEN, SHARES = 0.25 + math.sqrt(0.15) * np.array([-0.5, 0.0, 0.5]), np.array([5, 8, 5]) / 18
"""How far places lie from the nearest texel, in texels, and shares of the water, for means by Gauss and Legendre."""


@dataclass(frozen=True)
class CascadeKey:
    """What fixes a cascade's wave vectors, draw and motion."""

    tile: Tile
    index: int
    seed: int
    size: int
    depth: float
    dispersion: DispersionKind
    period: float

    @property
    def stream(self) -> int:
        """The number of the cascade's random stream. It differs with the motion too: two seas whose waves share places
        but not frequencies would add in phase while one fades into the other, and be up to 1.4 times too high."""
        motion = zlib.crc32(repr((self.depth, self.dispersion, self.period)).encode())
        return motion << 8 | self.index

    def foam_lod(self, texel: float) -> int:
        """The mip level of this tile's maps on which breaking is judged, where that is to be on texels [m]."""
        wanted = round(math.log2(texel * self.size / self.tile.side))
        return min(max(0, wanted), self.size.bit_length() - 1)


@dataclass(frozen=True, eq=False)
class Cascade:
    """One cascade's arrays, each (size, size): the draw xi(k), loop steps n(k), and Psi dk² now and when blended."""

    key: CascadeKey
    draw: NDArray[np.complex64]
    steps: NDArray[np.uint32]
    variance: NDArray[np.float32]

    @property
    def waves(self) -> CascadeWaves:
        key = self.key
        h0 = self.draw.astype(np.complex128) * np.sqrt(self.variance.astype(np.float64))
        return CascadeWaves(key.tile, h0, self.steps, key.depth, key.dispersion, key.period)


@dataclass(frozen=True, eq=False)
class SeaSpectrum:
    """The cascades of one sea, and what foam needs to know of it."""

    settings: Settings  # that it was made from
    cascades: tuple[Cascade, ...]
    breaking_texel: float  # m, on which breaking is judged
    whitecap_coverage: float  # share of the water that foam covers, by observation
    _moments: dict[float, NDArray[np.float64]] = field(default_factory=dict, repr=False)

    @property
    def size(self) -> int:
        """Texels along a side."""
        return self.cascades[0].key.size

    @property
    def keys(self) -> tuple[CascadeKey, ...]:
        return tuple(cascade.key for cascade in self.cascades)

    @property
    def waves(self) -> tuple[CascadeWaves, ...]:
        """The waves of each cascade in float64, as `ocean.waves.surface.WaveSum` adds them up."""
        return tuple(cascade.waves for cascade in self.cascades)

    def jacobian_moments(self, texel: float | None = None) -> NDArray[np.float64]:
        """Of each place, what `JacobianStatistics.of` takes, where breaking is judged on texels [m]: its own, or those
        of a sea that this one turns into."""
        wanted = texel or self.breaking_texel
        if wanted not in self._moments:
            self._moments[wanted] = sum_of_moments(self.cascades, wanted)
        return self._moments[wanted]


@dataclass(frozen=True, eq=False)
class Change:
    """From one sea to another of the same size."""

    current: SeaSpectrum
    wanted: SeaSpectrum
    duration: float = 0.0  # s


def tiles_of(settings: Settings) -> tuple[Tile, ...]:
    """The tiles of a sea, largest first. Blended are as many as `cascades.blended` says and, unless that is none, those
    beyond them that carry so much of the height that they would be seen to repeat, as ripples do in a calm."""
    systems, blended = settings.sea.systems, settings.cascades.blended
    tiles = make_tiles(settings.cascades.count, settings.sea.longest_peak)
    heights = [statistics.variance_between(systems, tile.low, tile.high) for tile in tiles]
    seen = [blended > 0 and height > SEEN * sum(heights) for height in heights]
    return tuple(replace(tile, blended=i < blended or seen[i]) for i, tile in enumerate(tiles))


def make_spectrum(settings: Settings, previous: SeaSpectrum | None = None) -> SeaSpectrum:
    """Evaluate the sea that the settings describe, with the draws of `previous` where they still hold."""
    sea, size = settings.sea, settings.fft.size
    known = {cascade.key: cascade for cascade in previous.cascades} if previous else {}
    systems = sea.systems
    cascades = []
    for index, tile in enumerate(tiles_of(settings)):
        key = CascadeKey(tile, index, sea.seed, size, sea.depth, sea.dispersion, sea.period)
        variance = amplitudes.variance(tile, size, systems)
        if old := known.get(key):
            draw, steps = old.draw, old.steps
        else:
            shells = amplitudes.band_shells(tile, size)
            draw = amplitudes.draw(sea.seed, key.stream, size, shells)
            steps = amplitudes.steps(tile, size, sea.depth, sea.dispersion, sea.period)
        cascades.append(Cascade(key, draw, steps, variance))
    peaks = [peak_wavelength(system) for system in systems if system.wind_speed > 0]
    observed = whitecaps.whitecap_coverage(sea.wind.speed) if systems else 0.0
    spectrum = SeaSpectrum(settings, tuple(cascades), whitecaps.breaking_texel(max(peaks, default=0.0)), observed)
    spectrum.jacobian_moments()  # which takes some time
    return spectrum


def make_change(settings: Settings, current: SeaSpectrum) -> Change:
    """Evaluate the sea that the settings describe, and first, where they change the size, the current sea at that size:
    it is what the new one blends from."""
    size = settings.fft.size
    if current.size != size:
        resized = current.settings.fft.model_copy(update={"size": size})
        current = make_spectrum(current.settings.model_copy(update={"fft": resized}), current)
    wanted = make_spectrum(settings, current)
    current.jacobian_moments(wanted.breaking_texel)
    return Change(current, wanted)


def spectrum_inputs(settings: Settings) -> tuple[object, ...]:
    """What the amplitudes depend on: two settings that agree in it have the same sea."""
    return settings.sea.model_copy(update={"choppiness": 0.0}), settings.cascades, settings.fft.size


def sum_of_moments(cascades: Sequence[Cascade], texel: float) -> NDArray[np.float64]:
    """What `JacobianStatistics.of` takes, (place, 5), for places of the shares that `places` has, where breaking is
    judged on texels [m].

    Reading a map between its texels takes from the shortest waves, so that rare foam comes from places near texels. The
    last cascade that shows there alone has many such waves; of the others, the mean over all places will do.
    """
    *longer, last = (each for each in cascades if texel < each.key.tile.blurred)
    lost = 2 * BETWEEN * (1 - BETWEEN)
    rest = sum((jacobian_moments(each, np.array([SHARES @ lost]), texel) for each in longer), np.zeros((5, 1, 1)))
    return np.asarray(rest + jacobian_moments(last, lost, texel)).reshape(5, -1).T


def places(moments: NDArray[np.float64]) -> whitecaps.Places:
    """The Jacobian's statistics from what `sum_of_moments` gave."""
    shares = np.outer(SHARES, SHARES).ravel()
    return tuple(whitecaps.JacobianStatistics.of(*each) for each in zip(moments, map(float, shares), strict=True))


def jacobian_moments(cascade: Cascade, lost: NDArray[np.float64], judged: float) -> NDArray[np.float64]:
    """What one cascade adds to the sums that `JacobianStatistics.of` takes, with what reading the mip level for texels
    `judged` [m] leaves of each wave: (5, n, n) for places where interpolation along z and along x takes `lost` (n) of
    what differs from texel to texel, `2 f (1 - f)` at a fraction f between two of them."""
    key = cascade.key
    half = amplitudes.band_shells(key.tile, key.size) + 1
    band = np.r_[0:half, -half:0]  # the small lattice, in FFT order, that holds the band
    n = amplitudes.wave_numbers(2 * half)
    texel = 1 / (key.size >> key.foam_lod(judged))  # of that level, in tile sides
    # Power that is left by linear interpolation, |1 - f + f e^{i a}|², and by the mean over a texel of a mip level.
    left = 1 - lost[:, None] * (1 - np.cos(2 * np.pi * n * texel))
    left *= np.square(np.sinc(n * texel) / np.sinc(n / key.size))  # of texels, not of the water between them
    power = statistics.jacobian_power(key.tile, cascade.variance[np.ix_(band, band)], key.depth, key.dispersion)
    w = cascade.steps[np.ix_(band, band)] * (2 * np.pi / key.period)
    x, z = key.tile.to_world(*np.broadcast_arrays(n, n[:, None]) / np.sqrt(np.maximum(n**2 + n[:, None] ** 2, 1.0)))
    weights = np.stack([np.ones_like(w), w * w, x * x, z * z, x * z])
    return np.asarray(left @ (power * weights) @ left.T)


@dataclass(eq=False)
class Blend:
    """The way from one sea to the next: the cascades that are alive, and Psi dk² of each at the start and the end."""

    living: tuple[Cascade, ...]
    start: tuple[NDArray[np.float32], ...]
    target: tuple[NDArray[np.float32], ...]
    before: tuple[tuple[float, SeaSpectrum], ...]  # seas that it starts from, as `parts`
    after: SeaSpectrum
    duration: float = 0.0  # s
    elapsed: float = 0.0

    @classmethod
    def settled(cls, spectrum: SeaSpectrum) -> Self:
        """A sea that is not changing."""
        variances = tuple(cascade.variance for cascade in spectrum.cascades)
        return cls(spectrum.cascades, variances, variances, (), spectrum)

    @property
    def progress(self) -> float:
        """From 0 at the start to 1 at the end."""
        return min(1.0, self.elapsed / self.duration) if self.duration > 0 else 1.0

    @property
    def parts(self) -> tuple[tuple[float, SeaSpectrum], ...]:
        """The seas that this one is made of by now and the share that it has of each one's variances, all together 1:
        what is linear in them adds up."""
        a = self.progress
        now = *(((1 - a) * share, sea) for share, sea in self.before), (a, self.after)
        return tuple((share, sea) for share, sea in now if share > 0)

    def strain(self, texel: float) -> float:
        """Variance of Dxx + Dzz at choppiness 1, read from maps with texels [m], as far as the blend has come."""
        return sum(share * whitecaps.mean_variance(places(sea.jacobian_moments(texel))) for share, sea in self.parts)

    @property
    def places(self) -> whitecaps.Places:
        """The Jacobian's statistics, as far as the blend has come."""
        texel = self.breaking_texel
        return places(sum((share * sea.jacobian_moments(texel) for share, sea in self.parts), np.zeros(())))

    @property
    def breaking_texel(self) -> float:
        """Texel [m] on which breaking is judged from the first on: that of the sea to come."""
        return self.after.breaking_texel

    @property
    def whitecap_coverage(self) -> float:
        """Share of the water that foam should cover, as far as the blend has come."""
        return sum(share * sea.whitecap_coverage for share, sea in self.parts)

    def towards(self, spectrum: SeaSpectrum, duration: float) -> Self | None:
        """From where this blend is now to another sea of the same size; None while more cascades would be alive than
        there is room for."""
        a = np.float32(self.progress)
        now = {c.key: (1 - a) * s + a * t for c, s, t in zip(self.living, self.start, self.target, strict=True)}
        new = {cascade.key: cascade for cascade in spectrum.cascades}
        leaving = tuple(c for c in self.living if c.key not in new and now[c.key].any())
        living = leaving + spectrum.cascades
        if len(living) > MAX_CASCADES:
            return None
        nothing = np.zeros_like(spectrum.cascades[0].variance)
        before = [(share, sea) for share, sea in self.parts if share > NEGLIGIBLE]  # or they would pile up
        whole = sum(share for share, _ in before)
        return type(self)(
            living,
            tuple(now.get(cascade.key, nothing) for cascade in living),
            tuple(new[c.key].variance if c.key in new else nothing for c in living),
            tuple((share / whole, sea) for share, sea in before),
            spectrum,
            duration,
        )
