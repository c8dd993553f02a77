"""The sea on the processor: `waves.fields` in single precision, for machines without OpenGL.

It does not blend from one sea to the next, and has no foam map, no passes and no timers.
"""

import math
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.common.facts import usable
from ocean.sea.base import NO_UPDATE, BaseSea, query_points, refuse_endless, resolved
from ocean.sea.blend import Blend, Cascade, make_spectrum
from ocean.sea.foam import foam_threshold
from ocean.sea.memory import refuse_host_shortage
from ocean.settings import Settings
from ocean.settings.files import Resolved
from ocean.waves import FIELDS
from ocean.waves.amplitudes import wave_vectors
from ocean.waves.dispersion import TICKS, Array, clock_ticks
from ocean.waves.fields import Complex, pack
from ocean.waves.nonlinear import Checkpoints, RunningWaves
from ocean.waves.second_order import Lift
from ocean.waves.statistics import mirrored
from ocean.waves.surface import CascadeReader, Surface, SurfaceSample, carried, carried_rates, cubic, finer
from ocean.waves.tiles import Tile, blend

Packed = NDArray[np.complex64]


class HostCascade:
    """The waves of one cascade, and the factors from a spectrum to the packed transforms of its eight fields."""

    def __init__(self, cascade: Cascade) -> None:
        key = cascade.key
        self.tile, self.period = key.tile, key.period
        self.h0 = (cascade.draw * np.sqrt(cascade.variance)).astype(np.complex64)
        self.steps = cascade.steps
        one = np.ones((key.size, key.size), np.complex128)
        kx, kz = wave_vectors(key.tile, key.size)
        self.factors = pack(one, kx, kz, key.depth, key.dispersion).astype(np.complex64)

    def turned(self, time: float) -> Packed:
        """Return h0(k) e^{-iwt} at a time [s]; the angle is reduced before it is rounded to float32, see `phase`."""
        turns = np.multiply(self.steps, np.uint32(clock_ticks(time, self.period)), dtype=np.uint32).view(np.int32)
        angle = turns.astype(np.float32) * np.float32(2 * math.pi / TICKS)
        rotation = np.empty_like(self.h0)
        np.cos(angle, out=rotation.real)
        np.sin(-angle, out=rotation.imag)
        rotation *= self.h0
        return rotation

    def maps(self, time: float) -> Packed:
        """Return the eight fields at a time [s], packed in four complex maps (4, size, size)."""
        turned = self.turned(time)
        return _transform(self.factors * (turned + np.conj(mirrored(turned))))

    def rates(self, time: float) -> Packed:
        """Return the time derivative of the first two maps (2, size, size)."""
        turned = self.turned(time)
        frequency = self.steps.astype(np.float32) * np.float32(2 * math.pi / self.period)
        return _transform(self.factors[:2] * (-1j * frequency * (turned - np.conj(mirrored(turned)))))

    def reader(self, maps: Packed, time: float, lift: Lift) -> CascadeReader:
        """Return functions that read maps of a time [s] by cubic convolution, blended from tile copies."""
        fields = cache(lambda: refined(maps))  # for the first query
        rates = cache(lambda: refined(self.rates(time)))  # for the first query of velocities

        def read(fields: Packed, x: Array, z: Array) -> Complex:
            return blend(self.tile, x, z, partial(cubic, fields, self.tile))

        return CascadeReader(lambda count, x, z: read(fields()[:count], x, z), lambda x, z: read(rates(), x, z), lift)


def _transform(spectra: Packed) -> Packed:
    """Return `sum over k of F(k) e^{+i k x}` in single precision, on all processors that this process may use."""
    import scipy.fft

    return np.asarray(scipy.fft.ifft2(spectra, norm="forward", overwrite_x=True, workers=usable()))


def refined(maps: Packed) -> Packed:
    """Return maps with `finer` times as many texels along a side, which pass through theirs and have no other waves."""
    size = maps.shape[-1]
    if finer(size) == 1:
        return maps
    spectra = np.fft.fft2(maps, norm="forward")
    for axis in (-2, -1):
        first, last = np.split(spectra, 2, axis)
        nyquist = np.take(last, [0], axis) / 2  # it stands for both signs
        shape = list(spectra.shape)
        shape[axis] = (finer(size) - 1) * size - 1
        spectra = np.concatenate([first, nyquist, np.zeros(shape), nyquist, np.delete(last, 0, axis)], axis)
    return _transform(spectra.astype(np.complex64))


class SolvedCascade(HostCascade):
    """A cascade of nonlinear waves. The maps hold its surface at the displaced water (`carried`)."""

    def __init__(
        self, cascade: Cascade, choppiness: float, first: float | None, checkpoints: Checkpoints | None
    ) -> None:
        super().__init__(cascade)
        self.choppiness = choppiness
        self._running = RunningWaves(cascade.waves, cascade.key.order, first, checkpoints)

    def catch_up(self, time: float) -> Iterator[float]:
        return self._running.catch_up(time)

    def turned(self, time: float) -> Packed:
        return self._running.at(time, len(self.h0))[0].astype(np.complex64)

    def maps(self, time: float) -> Packed:
        self._still = super().maps(time)
        return carried(self._still, self.tile, self.choppiness)

    def rates(self, time: float) -> Packed:
        turned, change = self._running.at(time, len(self.h0))
        frequency = self.steps * (2 * math.pi / self.period)
        linear = -1j * frequency * (turned - np.conj(mirrored(turned)))  # its displacement is the potential's gradient
        rises = linear + change + np.conj(mirrored(change))
        rates = _transform((self.factors[:2] * np.stack([rises, linear])).astype(np.complex64))
        return carried_rates(self._still, rates, self.tile, self.choppiness)


def area_means(field: NDArray[Any], axis: int) -> NDArray[Any]:
    """Return fields of n texels along an axis as fields of m = floor(n / 2) texels: means over areas, as in `gpu.mips`.
    Texel i covers [i n / m, (i + 1) n / m], which are three texels if n is odd."""
    texels = np.moveaxis(field, axis, -1)
    n = texels.shape[-1]
    m = n // 2
    first, second, third = texels[..., : 2 * m : 2], texels[..., 1 : 2 * m : 2], texels[..., 2::2]
    if n % 2 == 0:
        means = (first + second) / 2
    else:
        passed = np.arange(m) / m
        means = ((1 - passed) * first + second + (passed + 1 / m) * third) * (m / n)
    return np.moveaxis(means, -1, axis)


class HostQuery:
    """A query of the surface that is answered at the first call of `result`."""

    ready = True

    def __init__(self, time: float, answer: Callable[[], SurfaceSample]) -> None:
        self.time = time
        self.result = cache(answer)


class HostSea(BaseSea):
    """A running sea on the processor.

    Raises:
        FFTError: when nonlinear waves do not fit the memory.
    """

    def __init__(self, settings: Settings) -> None:
        self._first: float | None = None
        self._checkpoints: Checkpoints | None = None
        self._build(resolved(settings))

    def start_waves(self, time: float, checkpoints: Checkpoints | None = None) -> None:
        refuse_endless(time)
        self._first, self._checkpoints = time, checkpoints
        self._build(self.settings)

    def catch_up(self, time: float) -> Iterator[float]:
        self.refuse_released()
        refuse_endless(time)
        return chain(*(one.catch_up(time) for one in self._cascades if isinstance(one, SolvedCascade)))

    def _build(self, settings: Resolved) -> None:
        """Make the waves. On an error the sea stays as it is."""
        self.refuse_released()
        refuse_host_shortage(settings)
        spectrum = make_spectrum(settings)
        own = settings.sea.choppiness, self._first, self._checkpoints
        self._cascades = [
            SolvedCascade(cascade, *own) if cascade.key.course else HostCascade(cascade)
            for cascade in spectrum.cascades
        ]
        self.settings, self.spectrum = settings, spectrum
        self._maps: list[Packed] = []
        self._surface: Surface | None = None

    @property
    def tiles(self) -> tuple[Tile, ...]:
        return tuple(key.tile for key in self.spectrum.keys)

    def apply(self, settings: Settings) -> None:
        self._build(resolved(settings))

    def update(self, time: float, focus: tuple[float, float] = (0.0, 0.0)) -> None:
        self.refuse_released()
        refuse_endless(time, focus)
        self._maps = [cascade.maps(time) for cascade in self._cascades]
        each = zip(self._cascades, self._maps, self.spectrum.lifts, strict=True)
        readers = [cascade.reader(maps, time, lift) for cascade, maps, lift in each]
        self._surface = Surface(time, self.spectrum.settings.sea.choppiness, readers)

    def fields(self) -> dict[str, NDArray[np.float32]]:
        self._require_update()
        packed = np.stack(self._maps, 1)
        parts = (part for pair in packed for part in (pair.real, pair.imag))
        return {name: np.ascontiguousarray(part) for name, part in zip(FIELDS, parts, strict=True)}

    def potential(self) -> NDArray[np.float32]:
        time, pairs = self._require_update().time, zip(self.spectrum.cascades, self._cascades, strict=True)
        return np.stack([cascade.potential(waves.turned(time)) for cascade, waves in pairs])

    def query(self, x: ArrayLike, z: ArrayLike, velocity: bool = True) -> HostQuery:
        sea = self._require_update()
        return HostQuery(sea.time, partial(sea.surface, *query_points(x, z), velocity))

    def _require_update(self) -> Surface:
        self.refuse_released()
        if self._surface is None:
            raise RuntimeError(NO_UPDATE)
        return self._surface

    def breaking_maps(self) -> Iterator[tuple[Tile, Complex]]:
        """Yield tile and packed maps, (4, n, n), of each cascade, at the mip level on which breaking is judged; leave
        out cascades that do not show at that level."""
        self._require_update()
        texel = self.spectrum.breaking_texel
        for cascade, maps in zip(self.spectrum.cascades, self._maps, strict=True):
            if texel >= cascade.key.tile.blurred:
                continue
            level = maps.astype(np.complex128)
            for _ in range(cascade.key.foam_lod(texel)):
                level = area_means(area_means(level, 1), 2)
            yield cascade.key.tile, level

    @property
    def foam_threshold(self) -> float:
        return foam_threshold(self.settings.foam, Blend.settled(self.spectrum))

    def release(self) -> None:
        self._maps, self._surface, self.is_released = [], None, True
