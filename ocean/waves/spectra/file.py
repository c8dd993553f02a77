"""Spectra that were measured or computed elsewhere, from any file that the library wavespectra reads."""

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import PrivateAttr

from ocean.common.parameters import parameter
from ocean.waves.dispersion import Array, DispersionKind
from ocean.waves.spectra.child import TooLongError, read_apart
from ocean.waves.spectra.formats import FORMATS
from ocean.waves.spectra.reader import SpectrumRecord, find, stamp
from ocean.waves.spectra.shapes import STILL, FrequencyShape, SpectrumModel
from ocean.waves.spreading import Directions, FloatArray, WaveComponents

AGAIN = 60.0  # s until a file that took too long may be read again


@dataclass(frozen=True, eq=False)
class MeasuredDirections(Directions):
    """A spread by the compass: D(w, theta) as a table with linear interpolation, theta clockwise from north."""

    w: Array  # (rows,) angular frequencies [rad/s]; other frequencies take the nearest row
    start: float  # direction of the first column [rad]; columns cover the circle in even steps
    table: NDArray[np.float32]  # (rows, columns) [1/rad]; the mean of each row is 1 / (2 pi)

    @classmethod
    def of(cls, w: Array, degrees: Array, density: Array) -> "MeasuredDirections":
        """Return the spread of densities (frequency, direction) in any unit; directions of propagation ascend from
        0.

        Rows without waves take their spread from the nearest that has some.
        """
        columns = min(720, round(360 / float(np.diff(degrees).min())))
        grid = degrees[0] + np.arange(columns) * (360 / columns)
        even = np.stack([np.interp(grid, degrees, row, period=360.0) for row in density])
        present = np.flatnonzero(even.sum(axis=1) > STILL)
        nearest = present[np.abs(present - np.arange(len(w))[:, None]).argmin(axis=1)]
        even = even[nearest] / (even[nearest].mean(axis=1, keepdims=True) * 2 * math.pi)
        return cls(w, math.radians(degrees[0]), even.astype(np.float32))

    def parameters(self, components: WaveComponents) -> tuple[Array, ...]:
        """Return the row of the table, with a fraction."""
        return (np.interp(components.w, self.w, np.arange(len(self.w), dtype=np.float64)),)

    def norm(self, *parameters: ArrayLike) -> Array:
        """Return 1: linear interpolation keeps the mean of a row."""
        return np.ones(np.shape(parameters[0]))

    def profile(self, cosine: FloatArray, sine: FloatArray, *parameters: FloatArray) -> FloatArray:
        rows, columns = self.table.shape
        column = (np.arctan2(sine, cosine) - self.start) * (columns / (2 * math.pi))
        left = np.floor(column)
        a, left = column - left, left.astype(np.intp) % columns
        upper = np.minimum(parameters[0].astype(np.intp), rows - 2)
        b = parameters[0] - upper
        right = (left + 1) % columns
        above = (1 - a) * self.table[upper, left] + a * self.table[upper, right]
        below = (1 - a) * self.table[upper + 1, left] + a * self.table[upper + 1, right]
        return np.asarray((1 - b) * above + b * below)


@dataclass(frozen=True, eq=False)
class MeasuredShape(FrequencyShape):
    """S(w) as a table with linear interpolation; zero below its first value, and a tail or zero beyond its last one.
    The remark says which directions the file lacks."""

    w: Array  # angular frequencies [rad/s], ascending
    values: Array  # [m² s]
    tail: bool
    directions: Directions | None
    remark: str = ""

    feels_bottom: ClassVar[bool] = False  # the measured waves have already felt the bottom

    @property
    def is_flat(self) -> bool:
        return float(self.values.max()) < STILL

    @property
    def peak_frequency(self) -> float:  # type: ignore[override]
        return float(self.w[self.values.argmax()])

    def density(self, w: ArrayLike) -> Array:
        """Return S(w) [m² s]. The tail falls as w^-5 from the last value, as in wave models; a last value of 0 means no
        shorter waves."""
        w = np.asarray(w, np.float64)
        inside = np.interp(w, self.w, self.values, left=0.0, right=0.0)
        tail = self.values[-1] * (self.w[-1] / np.maximum(w, self.w[-1])) ** 5 if self.tail else 0.0
        return np.asarray(np.where(w > self.w[-1], tail, inside))


class FileSpectrum(SpectrumModel):
    """A spectrum from a file of a buoy or a wave model (NDBC, WAVEWATCH III, SWAN, ERA5, Spotter, ...).

    The file sets height, period and, if it has them, directions. The wind only sets foam, and the spread if it is a
    model. The file is read once: replacing or removing it later does not change the spectrum.
    """

    kind: Literal["file"] = "file"
    path: str = parameter(
        ...,
        "File, or folder of zarr, in the current folder or among the assets; commas join a buoy's five files.",
        example="example-buoy.data_spec",
    )
    format: Literal[FORMATS] = parameter("auto", "Format: the reader of wavespectra, or auto.")  # type: ignore[valid-type]
    time: int = parameter(-1, "Number of the time, from 0; -1 is the last.", low=-1_000_000, high=1_000_000)
    station: int = parameter(0, "Number of the station or place, from 0.", low=0, high=1_000_000)
    directional: bool = parameter(True, "Take the directions of the file, if it has them, instead of the spreading.")
    tail: bool = parameter(True, "Continue beyond the last value, falling as w^-5.")

    _record: SpectrumRecord | None = PrivateAttr(None)  # makes spectra of a replaced file unequal

    def shape(self, speed: float, fetch: float) -> MeasuredShape:
        """Return the shape of the file, for any wind and fetch.

        Raises:
            ValueError: when the file can't be read, or lacks the time, the station, or values.
        """
        return measured_shape(self.record, self.directional, self.tail)

    @property
    def record(self) -> SpectrumRecord:
        """Record of the file, read at the first use and kept.

        Raises:
            ValueError: when `shape` would raise it.
        """
        if self._record is None:
            files = find(self.path)
            stamps = tuple(stamp(file) for file in files)
            question = files, stamps, self.format, self.time, self.station, self.directional
            if (late := _late.get(question)) and monotonic() < late[1]:
                raise late[0]
            try:
                self._record = _read(*question)
            except TooLongError as error:
                _late[question] = error, monotonic() + AGAIN
                raise
        return self._record

    def shape_of_height(self, height: float, period: float, depth: float, kind: DispersionKind) -> MeasuredShape:
        raise ValueError("spectrum = file sets the height itself: height must be 0")


@lru_cache(maxsize=4)
def _read(
    files: tuple[Path, ...], stamps: tuple[int, ...], format: str, time: int, station: int, directional: bool
) -> SpectrumRecord:
    record: SpectrumRecord = read_apart(files, format, time, station, directional)
    return record


_late: dict[tuple[Any, ...], tuple[TooLongError, float]] = {}
"""Files that took too long, and when they may be read again, since only the machine may have been busy."""


@lru_cache(maxsize=4)
def measured_shape(record: SpectrumRecord, directional: bool = True, tail: bool = True) -> MeasuredShape:
    """Return the shape of a record, with its directions if it has them and `directional` is set."""
    w = 2 * math.pi * record.frequency
    directions = None
    density = record.over_frequency()
    if record.towards is not None and directional and density.max() >= STILL * 2 * math.pi:
        directions = MeasuredDirections.of(w, record.towards, record.density)
    return MeasuredShape(w, density / (2 * math.pi), tail, directions, record.remark)
