"""Spectral wave data (SWD), from which hydrodynamic programs read waves and the motion of the water below them.

Format 100 of https://github.com/SpectralWaveData/spectral_wave_data, specified in `swd_format.rst`. A file holds linear
waves on one square lattice, so each cascade has a file. In SWD x is east, y north and z up; `beta` [degrees] in the
file's text is the rotation of the tile.
"""

import math
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ocean import __version__
from ocean.common.files import write_array
from ocean.export.formats.base import Format
from ocean.export.sources import Snapshot
from ocean.settings import to_toml
from ocean.waves.amplitudes import CascadeWaves, wave_numbers
from ocean.waves.dispersion import GRAVITY, clock_ticks, orbit_ratio
from ocean.waves.fields import evolve, evolve_rate
from ocean.waves.nonlinear import RunningWaves, embedded

MAGIC, FORMAT = 37.0221, 100
DEEP, FINITE_DEPTH = 4, 5  # shape classes
ALL_AMPLITUDES = 1  # amplitudes of elevation and potential
LINEAR = 1  # order of the waves
APART = 1 / 8  # time between states for rates, in solver steps
NO_DATE = "not recorded"  # a date would differ between equal exports


class SwdFormat(Format):
    """A file for each cascade, `cascade0.swd`, with a step for each frame."""

    whole = 2.0

    def names(self, index: int) -> list[str]:
        return [f"cascade{i}.{index:06d}.npy" for i in range(len(self.plan.tiles))]

    def write(self, frame: Snapshot, folder: Path) -> None:
        for name, waves in zip(self.names(frame.index), frame.waves, strict=True):
            write_array(folder / name, amplitudes(waves, frame.time).astype("<c8"))

    def final(self) -> list[str]:
        return [f"cascade{i}.swd" for i in range(len(self.plan.tiles))]

    def finish(self, path: Path, folder: Path, advance: Callable[[], None]) -> None:
        for i, name in enumerate(self.final()):
            with (folder / name).open("wb") as file:
                for index in range(self.plan.frames):
                    step = np.load(path / self.names(index)[i])
                    file.write((self._header(i, step.shape[1] - 1) if index == 0 else b"") + step.tobytes())
                    if i == 0:
                        advance()

    def _header(self, cascade: int, waves: int) -> bytes:
        """Return the header of a cascade with `waves` waves along a side."""
        plan, tile, sea = self.plan, self.plan.tiles[cascade], self.plan.settings.sea
        is_deep = sea.dispersion == "deep"
        text = (
            f"# Cascade {cascade} of {len(plan.tiles)}, whose sum is the sea. x is east, y north and z up with x0 = 0, "
            f"y0 = 0, beta = {-math.degrees(tile.rotation):.12g}. Time 0 is {plan.start:g} s.\n{to_toml(plan.settings)}"
        ).encode()
        header = struct.pack("<f3i", MAGIC, FORMAT, DEEP if is_deep else FINITE_DEPTH, ALL_AMPLITUDES)
        header += f"ocean {__version__}"[:30].ljust(30).encode() + NO_DATE.ljust(20).encode()
        header += struct.pack("<i", len(text)) + text
        order = sea.order if cascade == 0 and sea.is_nonlinear else LINEAR
        header += struct.pack("<2f2ifi", GRAVITY, 1.0, 0, plan.frames, 1 / plan.fps, order)
        header += struct.pack("<2i2f", waves, waves, tile.dk, tile.dk)
        return header if is_deep else header + struct.pack("<f", sea.depth)


def amplitudes(waves: CascadeWaves | RunningWaves, time: float) -> NDArray[np.complex128]:
    """Return the amplitudes of elevation and its rate, potential and its rate at a time [s], in the order of a file:
    (4, jx from 0 to n, jy from -n to n).

    The sum over jx, jy of the real parts of each times `e^{-i dk (jx x + jy y)}` is the field at the mean water level,
    with y northwards; half of all wave vectors are enough for real fields.
    """
    fields = _solved(waves, time) if isinstance(waves, RunningWaves) else _linear(waves, time)
    half = fields.shape[-1] // 2
    southwards = np.fft.fftshift(fields, axes=(1, 2))[:, :0:-1, half:].conj()  # z is -y
    southwards[:, :, 1:] *= 2
    return np.ascontiguousarray(southwards.transpose(0, 2, 1))


def _linear(waves: CascadeWaves, time: float) -> NDArray[np.complex128]:
    """Return the spectra of elevation, rate, potential and its rate of linear waves, (4, size, size) in FFT order."""
    h0, turns = waves.trimmed()
    ticks = clock_ticks(time, waves.period)
    elevation, rate = evolve(h0, turns, ticks), evolve_rate(h0, turns, ticks, waves.period)
    n = wave_numbers(len(h0))
    k = waves.tile.dk * np.maximum(np.hypot(n, n[:, None]), 1.0)
    ratio = orbit_ratio(k, waves.depth, waves.dispersion) / k  # ratio of potential and vertical velocity
    frequency = turns * (2 * math.pi / waves.period)
    return np.stack([elevation, rate, ratio * rate, -ratio * frequency**2 * elevation])


def _solved(running: RunningWaves, time: float) -> NDArray[np.complex128]:
    """Return the spectra of `_linear` for nonlinear waves, with rates by differences in time."""
    apart = APART * running.extent.step
    size = len(running.waves.trimmed()[0])
    states = (running.still(time + shift) for shift in (-apart, 0.0, apart))
    spectra = ([embedded(np.fft.fft2(field, norm="forward"), size) for field in state] for state in states)
    before, now, after = map(np.stack, spectra)
    rates = (after - before) / (2 * apart)
    return np.stack([now[0], rates[0], now[1], rates[1]])
