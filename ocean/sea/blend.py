"""The random amplitudes of a sea, on the CPU, the blend from one sea to the next, and the thread that prepares it.

The key of a cascade fixes its wave vectors, its draw and its motion. Cascades of two seas with equal keys differ only
in the variance of each wave, so one blends into the other on the same draw. A cascade without a partner rises from zero
or sinks to zero. During a blend the cascades of both seas are alive.

The variances of the new sea have the weight sin², those of the old sea cos²: amplitudes of waves that rise from zero
then grow evenly. Linear weights would let them start with a jump.
"""

import math
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.settings import FoamSettings, SeaSettings, Settings
from ocean.settings.files import Resolved
from ocean.waves import amplitudes, second_order, statistics, whitecaps
from ocean.waves.amplitudes import CascadeWaves
from ocean.waves.dispersion import DispersionKind, orbit_ratio
from ocean.waves.fields import evolve_rate
from ocean.waves.second_order import Lift
from ocean.waves.slopes import Roughness
from ocean.waves.tiles import Tile, make_tiles, peak_wavelength

MAX_CASCADES = 8  # two seas of four
SEEN = 0.05  # fraction of the height's variance above which a tile is blended: its repetitions have this correlation
NEGLIGIBLE = 1e-3  # outgoing seas with a smaller weight are dropped

SHORTEST_BLEND = 0.25 / math.sqrt(1.25)
"""Shortest blend, in mean periods T of the slower sea. Waves that rise or sink move the water at up to pi/2 s per
duration of the blend, for a standard deviation s, in quadrature with the usual 2 pi s / T. In shorter blends the sum
exceeds the usual speed by more than half."""

THIRDS = np.array([4, 10, 13]) / 27
"""Mean of `2 f (1 - f)` over each third of the distances f to the nearest texel, 0 to 0.5 texels."""

I, J = np.divmod(np.arange(9), 3)
PLACES = (J, I), ((I + 2 * J + 1) % 3, (I + J) % 3)
"""Thirds (z, x) of nine positions on the last cascade, and on the one before: an orthogonal array, in which each two of
the four coordinates take all pairs of thirds once."""

COPIES_SPREAD = 0.914
"""Deviation, over positions, of the variance that interpolation leaves of a blended tile, relative to one copy's: three
copies, each at its own position between texels, add up. It is the root of their mean sum of weights to the fourth."""

DEEP = 1e6  # m


@dataclass(frozen=True)
class CascadeKey:
    """The values that fix a cascade's wave vectors, draw and motion."""

    tile: Tile
    index: int
    seed: int
    size: int
    depth: float
    dispersion: DispersionKind
    period: float
    order: int = 1  # order of nonlinear dynamics; 1 for a cascade of linear waves
    course: int = 0  # number of the sea from which nonlinear waves start; 0 for linear waves

    @property
    def finite_depth(self) -> float:
        """Depth [m] for shaders: DEEP under the dispersion relation of deep water."""
        return DEEP if self.dispersion == "deep" else self.depth

    @property
    def stream(self) -> int:
        """Number of the cascade's random stream. It depends on the motion too: two seas with equal draws and different
        frequencies would add in phase during a blend, and be up to 1.4 times too high."""
        motion = zlib.crc32(repr((self.depth, self.dispersion, self.period)).encode())
        return motion << 8 | self.index

    def foam_lod(self, texel: float) -> int:
        """Return the mip level of this tile's maps whose texels are nearest to `texel` [m]."""
        wanted = round(math.log2(texel * self.size / self.tile.side))
        return min(max(0, wanted), self.size.bit_length() - 1)


@dataclass(frozen=True, eq=False)
class Cascade:
    """One cascade's arrays, each (size, size): the draw xi(k), loop steps n(k), and Psi dk² now and when blended."""

    key: CascadeKey
    draw: NDArray[np.complex64]
    steps: NDArray[np.uint32]
    variance: NDArray[np.float32]
    lift: Lift = second_order.NONE

    @property
    def waves(self) -> CascadeWaves:
        key = self.key
        h0 = self.draw.astype(np.complex128) * np.sqrt(self.variance.astype(np.float64))
        return CascadeWaves(key.tile, h0, self.steps, key.depth, key.dispersion, key.period)

    def potential(self, turned: NDArray[np.complexfloating]) -> NDArray[np.float32]:
        """Return the velocity potential at the surface [m²/s], (size, size), of waves `h(k) e^{-iwt}`."""
        key = self.key
        ratio = amplitudes.isotropic(key.tile, key.size, lambda k: orbit_ratio(k, key.depth, key.dispersion) / k)
        spectrum = evolve_rate(turned, self.steps, 0, key.period) * ratio
        return np.fft.ifft2(spectrum, norm="forward").real.astype(np.float32)


@dataclass(frozen=True, eq=False)
class SeaSpectrum:
    """The cascades of one sea, and its numbers for foam."""

    settings: Resolved
    cascades: tuple[Cascade, ...]
    breaking_texel: float  # m, texel on which breaking is judged
    motion: NDArray[np.float64]  # (2, 2), from `_motion_of`
    _moments: dict[float, NDArray[np.float64]] = field(default_factory=dict, repr=False)

    @property
    def size(self) -> int:
        return self.cascades[0].key.size

    @property
    def keys(self) -> tuple[CascadeKey, ...]:
        return tuple(cascade.key for cascade in self.cascades)

    @property
    def lifts(self) -> tuple[Lift, ...]:
        return tuple(cascade.lift for cascade in self.cascades)

    @property
    def waves(self) -> tuple[CascadeWaves, ...]:
        return tuple(cascade.waves for cascade in self.cascades)

    @cached_property
    def roughness(self) -> Roughness:
        """Variances of the waves, for drawing."""
        return Roughness.of(self.settings.sea.systems, [key.tile for key in self.keys], self.size)

    def mean_period(self, choppiness: float) -> float:
        """Return 2 pi times the ratio of the deviation of displacements, at `choppiness`, to the deviation of
        velocities, at the sea's own choppiness [s]; 0 without waves."""
        positions = self.motion[0] @ (1, choppiness**2)
        velocities = self.motion[1] @ (1, self.settings.sea.choppiness**2)
        return 2 * math.pi * math.sqrt(positions / velocities) if velocities > 0 else 0.0

    def jacobian_moments(self, texel: float | None = None) -> NDArray[np.float64]:
        """Return the arguments of `JacobianStatistics.of`, (point, 7), with breaking judged on a `texel` [m] (default:
        the sea's own), and cache them."""
        wanted = texel or self.breaking_texel
        if wanted not in self._moments:
            # Interpolation between texels damps the shortest waves, so rare foam forms near texels. Only the last two
            # cascades that this texel shows have many such waves; the others enter by their mean over all positions.
            sums = np.zeros((9, 5))
            shown = (each for each in reversed(self.cascades) if wanted < each.key.tile.blurred)
            for index, cascade in enumerate(shown):
                found = jacobian_moments(cascade, THIRDS, wanted)
                sums += (mean := found.mean(axis=(1, 2)))
                if index < len(PLACES):
                    spread = COPIES_SPREAD if cascade.key.tile.blended else 1.0
                    sums += spread * (found[:, *PLACES[index]].T - mean)
            third = np.broadcast_to(self._third_moments(wanted), (len(sums), 2))
            self._moments[wanted] = np.concatenate([sums, third], axis=1)
        return self._moments[wanted]

    def _third_moments(self, texel: float) -> tuple[float, float]:
        """Return the third moments of Dxx + Dzz: nonlinear waves have them, sums of free waves none."""
        first = self.cascades[0].key
        if not first.course or texel >= first.tile.blurred:
            return 0.0, 0.0
        lod = first.foam_lod(texel)
        # Linear interpolation blurs by 1/6 of the squared texel on average, and the mean over a texel by 1/12.
        blur = first.tile.side / (first.size >> lod) * math.sqrt(1 / 6 + (1 / 12 if lod else 0))
        return second_order.strain_third_moments(self.settings.sea.systems, first.tile.cutoff(first.size), blur)


def tiles_of(settings: Resolved) -> tuple[Tile, ...]:
    """Return the tiles of a sea, largest first.

    The first `cascades.blended` tiles are blended, except the tile of nonlinear waves. Unless that number is 0, tiles
    with more than SEEN of the height's variance are blended too, such as ripples in a calm, because their repetition
    would be visible.
    """
    systems, blended = settings.sea.systems, settings.cascades.blended
    tiles = make_tiles(settings.cascades.count, settings.sea.longest_peak)
    heights = [statistics.variance_between(systems, tile.low, tile.high) for tile in tiles]
    seen = [blended > 0 and height > SEEN * sum(heights) for height in heights]
    is_solved = settings.sea.is_nonlinear  # a sum of copies is not a solution
    copied = [(i < blended or seen[i]) and not (is_solved and i == 0) for i in range(len(tiles))]
    return tuple(replace(tile, blended=one) for tile, one in zip(tiles, copied, strict=True))


def make_spectrum(settings: Resolved, previous: SeaSpectrum | None = None) -> SeaSpectrum:
    """Return the sea of the settings; cascades with equal keys take the draws of `previous`."""
    sea, size = settings.sea, settings.fft.size
    known = {cascade.key: cascade for cascade in previous.cascades} if previous else {}
    systems = sea.systems
    cascades = []
    tiles, is_solved = tiles_of(settings), sea.is_nonlinear
    lifts = second_order.lifts(systems if sea.crests == "second-order" else (), tiles, size)
    for index, (tile, lift) in enumerate(zip(tiles, lifts, strict=True)):
        key = CascadeKey(tile, index, sea.seed, size, sea.depth, sea.dispersion, sea.period)
        variance = amplitudes.variance(tile, size, systems)
        if is_solved and index == 0:
            key = replace(key, order=sea.order, course=zlib.crc32(variance.tobytes()) or 1)
            lift = lift._replace(own=0.0, rise=0.0)  # the solution contains these terms
        if old := known.get(key):
            draw, steps = old.draw, old.steps
        else:
            shells = amplitudes.band_shells(tile, size)
            draw = amplitudes.draw(sea.seed, key.stream, size, shells)
            steps = amplitudes.steps(tile, size, sea.depth, sea.dispersion, sea.period)
        cascades.append(Cascade(key, draw, steps, variance, lift))
    peaks = [peak_wavelength(system) for system in systems if system.wind_speed > 0]
    breaking_texel = whitecaps.breaking_texel(max(peaks, default=0.0))
    spectrum = SeaSpectrum(settings, tuple(cascades), breaking_texel, _motion_of(cascades))
    spectrum.jacobian_moments()  # slow, so here in the worker thread
    return spectrum


@dataclass(eq=False)
class Blend:
    """A blend from one sea to the next: the living cascades, and Psi dk² of each at the start and the end."""

    living: tuple[Cascade, ...]
    start: tuple[NDArray[np.float32], ...]
    target: tuple[NDArray[np.float32], ...]
    before: tuple[tuple[float, SeaSpectrum], ...]  # `parts` at the start
    after: SeaSpectrum
    duration: float = 0.0  # s
    elapsed: float = 0.0

    @classmethod
    def settled(cls, spectrum: SeaSpectrum) -> Self:
        """Return a blend that has ended: a sea that does not change."""
        variances = tuple(cascade.variance for cascade in spectrum.cascades)
        return cls(spectrum.cascades, variances, variances, (), spectrum)

    @property
    def progress(self) -> float:
        """Fraction of the new sea in the variances, from 0 at the start to 1 at the end."""
        part = min(1.0, self.elapsed / self.duration) if self.duration > 0 else 1.0
        return math.sin(math.pi / 2 * part) ** 2

    @property
    def parts(self) -> tuple[tuple[float, SeaSpectrum], ...]:
        """Seas that are mixed now, each with its fraction of the variances; the fractions add up to 1."""
        a = self.progress
        now = *(((1 - a) * share, sea) for share, sea in self.before), (a, self.after)
        return tuple((share, sea) for share, sea in now if share > 0)

    def mean_of(self, value: Callable[[SeaSettings], ArrayLike]) -> NDArray[np.float64]:
        """Return the mean of a value of the seas that are mixed now."""
        return sum((share * np.asarray(value(sea.settings.sea)) for share, sea in self.parts), np.zeros(()))

    @property
    def choppiness(self) -> float:
        return float(self.mean_of(lambda sea: sea.choppiness))

    @property
    def lifts(self) -> tuple[Lift, ...]:
        """Second-order lift of each living cascade at the current progress: the mean over the seas with the cascade."""
        if self.progress == 1:
            return self.after.lifts
        parts = [(share, dict(zip(sea.keys, sea.lifts, strict=True))) for share, sea in self.parts]
        return tuple(Lift.mean([(share, of[one.key]) for share, of in parts if one.key in of]) for one in self.living)

    def strain(self, texel: float) -> float:
        """Return the variance of Dxx + Dzz at choppiness 1, read from maps with texels [m], at the current progress."""
        return sum(share * whitecaps.mean_variance(places(sea.jacobian_moments(texel))) for share, sea in self.parts)

    @property
    def places(self) -> whitecaps.Places:
        """Statistics of the Jacobian at the current progress."""
        texel = self.breaking_texel
        orders = np.array([1, 1, 1, 1, 1, 1.5, 1.5])  # third moments go with the power 3/2 of a fraction of variance
        return places(sum((share**orders * sea.jacobian_moments(texel) for share, sea in self.parts), np.zeros(())))

    @property
    def breaking_texel(self) -> float:
        """Texel [m] on which breaking is judged: from the start of the blend on, the new sea's."""
        return self.after.breaking_texel

    def coverage(self, foam: FoamSettings) -> whitecaps.Coverage:
        return whitecaps.Coverage(*map(float, self.mean_of(foam.coverage)))

    def towards(self, spectrum: SeaSpectrum, duration: float) -> Self | None:
        """Return the blend from the current progress to another sea of the same size, which takes at least
        SHORTEST_BLEND mean periods; None if more than MAX_CASCADES cascades would be alive."""
        a = np.float32(self.progress)
        now = {c.key: (1 - a) * s + a * t for c, s, t in zip(self.living, self.start, self.target, strict=True)}
        new = {cascade.key: cascade for cascade in spectrum.cascades}
        leaving = tuple(c for c in self.living if c.key not in new and now[c.key].any())
        # The longest first: the second-order lift adds cascades in this order.
        living = tuple(sorted(leaving + spectrum.cascades, key=lambda cascade: -cascade.key.tile.side))
        if len(living) > MAX_CASCADES:
            return None
        nothing = np.zeros_like(spectrum.cascades[0].variance)
        before = [(share, sea) for share, sea in self.parts if share > NEGLIGIBLE]  # bounds their number
        whole = sum(share for share, _ in before)
        seas = spectrum, *(sea for _, sea in before)
        choppiest = max(sea.settings.sea.choppiness for sea in seas)
        return type(self)(
            living,
            tuple(now.get(cascade.key, nothing) for cascade in living),
            tuple(new[c.key].variance if c.key in new else nothing for c in living),
            tuple((share / whole, sea) for share, sea in before),
            spectrum,
            max(duration, SHORTEST_BLEND * max(sea.mean_period(choppiest) for sea in seas)),
        )


@dataclass(frozen=True, eq=False)
class SeaChange:
    wanted: SeaSpectrum
    duration: float = 0.0  # s
    resized: SeaSpectrum | None = None  # the wanted sea at another size, which follows after the blend


def make_sea_change(settings: Resolved, current: SeaSpectrum, duration: float = 0.0) -> SeaChange:
    """Return the change to the sea of the settings, with a blend of `duration` seconds. A sea that blends keeps its
    size for the blend: maps of two sizes differ at once, by their losses between texels."""
    here = at_size(settings, current.size)
    if duration > 0 and here != settings and spectrum_inputs(here) != spectrum_inputs(current.settings):
        wanted = make_spectrum(here, current)
        resized = make_spectrum(settings, wanted)
    else:
        wanted, resized = make_spectrum(settings, current), None
    current.jacobian_moments(wanted.breaking_texel)
    return SeaChange(wanted, duration, resized)


def at_size(settings: Resolved, size: int) -> Resolved:
    return settings.model_copy(update={"fft": settings.fft.model_copy(update={"size": size})})


def spectrum_inputs(settings: Settings) -> tuple[object, ...]:
    """Return the settings that a `SeaSpectrum` depends on: equal settings have equal waves."""
    return settings.sea, settings.cascades, settings.fft.size


class SpectrumWorker:
    """A thread that makes one change at a time. A new request replaces a waiting one."""

    SLICE = 0.005  # longest wait of a poll [s]

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="spectrum")
        self._running: tuple[Future[SeaChange], SeaSpectrum] | None = None
        self._waiting: tuple[Resolved, float] | None = None

    @property
    def is_busy(self) -> bool:
        return self._running is not None

    def request(self, settings: Resolved, current: SeaSpectrum, duration: float) -> None:
        if self._running is None:
            self._running = self._executor.submit(make_sea_change, settings, current, duration), current
        else:
            self._waiting = settings, duration

    def poll(self) -> SeaChange | None:
        """Return a finished change, or None, and start the waiting request. Raises the errors of making the change.

        While a change is being made, each call waits for up to SLICE seconds: moderngl holds Python's global lock in
        every call, and on a slow GPU the worker would starve.
        """
        if self._running is None:
            return None
        future, current = self._running
        if not wait([future], timeout=self.SLICE).done:
            return None
        self._running = None
        try:
            change = future.result()
            current = change.wanted
        finally:
            if self._waiting is not None:
                (settings, duration), self._waiting = self._waiting, None
                self.request(settings, current, duration)
        return change

    def forget(self) -> None:
        self._running = self._waiting = None

    def shutdown(self) -> None:
        self.forget()
        self._executor.shutdown(cancel_futures=True)


def places(moments: NDArray[np.float64]) -> whitecaps.Places:
    """Return the Jacobian's statistics from `SeaSpectrum.jacobian_moments`."""
    return tuple(whitecaps.JacobianStatistics.of(each, 1 / len(moments)) for each in moments)


def _motion_of(cascades: Sequence[Cascade]) -> NDArray[np.float64]:
    """Return sums over waves, (2, 2): the variances of the water's positions [m²], upwards and, at choppiness 1,
    sideways, and in the second row of its velocities [m²/s²]."""
    motion = np.zeros((2, 2))
    for cascade in cascades:
        key, w = cascade.key, cascade.steps * (2 * math.pi / cascade.key.period)
        ratio = amplitudes.isotropic(key.tile, key.size, partial(orbit_ratio, depth=key.depth, kind=key.dispersion))
        upwards = cascade.variance.astype(np.float64)
        for column, squares in enumerate((upwards, upwards * ratio**2)):
            motion[:, column] += squares.sum(), np.vdot(squares, w * w)
    return motion


def jacobian_moments(cascade: Cascade, lost: NDArray[np.float64], judged: float) -> NDArray[np.float64]:
    """Return the terms of one cascade in the arguments of `JacobianStatistics.of`, (5, n, n), read from the mip level
    with texels of `judged` [m].

    The last axes are positions along z and x. Linear interpolation loses `lost` (n) there: `2 f (1 - f)` at a fraction
    f between two texels.
    """
    key = cascade.key
    half = amplitudes.band_shells(key.tile, key.size) + 1
    band = np.r_[0:half, -half:0]  # the small lattice, in FFT order, that holds the band
    n = amplitudes.wave_numbers(2 * half)
    *larger, side = (key.size >> lod for lod in range(key.foam_lod(judged) + 1))  # texels along a side of the levels
    texel = 1 / side  # in tile sides
    # Power after linear interpolation, |1 - f + f e^{i a}|², and after the mean over a texel of the mip level.
    left = 1 - lost[:, None] * (1 - np.cos(2 * np.pi * n * texel))
    left *= np.square(np.sinc(n * texel) / np.sinc(n / key.size))  # the finest level holds samples, not means
    for odd in (one for one in larger if one % 2):
        left *= np.sinc(n / odd) ** 4  # means over areas that cut through texels also blur by one of these
    power = statistics.jacobian_power(key.tile, cascade.variance[np.ix_(band, band)], key.depth, key.dispersion)
    w = cascade.steps[np.ix_(band, band)] * (2 * np.pi / key.period)
    x, z = key.tile.to_world(*np.broadcast_arrays(n, n[:, None]) / np.sqrt(np.maximum(n**2 + n[:, None] ** 2, 1.0)))
    weights = np.stack([np.ones_like(w), w * w, x * x, z * z, x * z])
    return np.asarray(left @ (power * weights) @ left.T)
