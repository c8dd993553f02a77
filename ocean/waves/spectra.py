"""Spectra: the variance of waves, over frequency, S(w) [m² s], or over wave numbers, F(k) [m³]; one-sided.

A model is a set of parameters with a `kind`. For a sea state it makes a shape, which knows its peak and its density.
The bottom acts on all shapes by one rule: at a given frequency, the saturation does not depend on the depth
(Kitaigorodskii et al. 1975). To add a model, write its class and name it in `Spectrum`.
"""

import hashlib
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field, WithJsonSchema

from ocean.common.parameters import Content, FileParameters, Parameters, parameter
from ocean.waves.dispersion import (
    GRAVITY,
    Array,
    DispersionKind,
    angular_frequency,
    deep_wavenumber,
    group_speed,
    wavenumber,
)
from ocean.waves.spreading import (
    CALM,
    RIPPLE_SPEED,
    RIPPLE_WAVENUMBER,
    Directions,
    FloatArray,
    WaveComponents,
    friction_velocity,
    phase_speed,
)

STILL = 1e-30
"""Level of a spectrum [its own unit] below which there are no waves: powers of its variance would underflow to 0."""


# -- Shapes and models -------------------------------------------------------------------------------------------------


def kitaigorodskii(w: ArrayLike, depth: float, kind: DispersionKind = "finite-depth") -> Array:
    """Return the ratio of the density at a depth [m] to that in deep water, 0 to 1, at angular frequency w [rad/s].

    `tanh²(k d) / (1 + 2 k d / sinh(2 k d))` with k from the dispersion relation itself, not from a fit
    (Kitaigorodskii et al. 1975; Bouws et al., the TMA spectrum, 1985).
    """
    return depth_factor(wavenumber(w, depth, kind) * depth) if kind != "deep" else np.ones_like(w, np.float64)


def depth_factor(kd: ArrayLike) -> Array:
    """Return the Kitaigorodskii factor of a relative depth k d >= 0; beyond 20 it is 1 to rounding."""
    kd = np.clip(kd, 1e-9, 20.0)
    return np.asarray(np.tanh(kd) ** 2 / (1 + 2 * kd / np.sinh(2 * kd)))


class Shape(ABC):
    """The spectrum of a known sea state, in water of any depth [m] > 0 and under any dispersion relation."""

    directions: Directions | None = None
    """Measured spread of the waves; None leaves the spread to a model."""
    remark: str = ""
    """Remark on the shape for the panel and `sea`: one sentence, or nothing."""
    source: str = ""
    """Origin of a measured shape for `sea`, or nothing."""
    is_damped_in_light_wind: ClassVar[bool] = False
    """Whether light winds damp its short waves: True where the shape follows from a wind by laws fitted at the peak."""

    @property
    @abstractmethod
    def peak_frequency(self) -> float:
        """Angular frequency [rad/s] of the peak of S(w) in deep water; any finite value for a flat sea."""

    @property
    @abstractmethod
    def is_flat(self) -> bool:
        """Whether there are no waves."""

    @abstractmethod
    def frequency_density(self, w: ArrayLike, depth: float, kind: DispersionKind) -> Array:
        """Return S(w) [m² s] at angular frequencies w [rad/s], one-sided; its integral is m0."""

    @abstractmethod
    def wave_number_density(self, k: ArrayLike, depth: float, kind: DispersionKind) -> Array:
        """Return F(k) = S dw/dk [m³] at wave numbers k > 0 [rad/m], all directions together."""


class FrequencyShape(Shape):
    """A shape over frequency, in deep water unless it was measured at the sea's depth."""

    feels_bottom: ClassVar[bool] = True

    @abstractmethod
    def density(self, w: ArrayLike) -> Array:
        """Return S(w) [m² s] without the depth factor, at angular frequencies w >= 0 [rad/s] of any array shape."""

    def frequency_density(self, w: ArrayLike, depth: float, kind: DispersionKind) -> Array:
        return self.density(w) * (kitaigorodskii(w, depth, kind) if self.feels_bottom else 1.0)

    def wave_number_density(self, k: ArrayLike, depth: float, kind: DispersionKind) -> Array:
        k = np.asarray(k, np.float64)
        density = self.density(angular_frequency(k, depth, kind))
        if self.feels_bottom and kind != "deep":
            density = density * depth_factor(k * depth)
        return density * group_speed(k, depth, kind)


class WaveNumberShape(Shape):
    """A shape over wave numbers, by its saturation.

    The bottom does not change the saturation of waves of a frequency: `F(k) = B(k') / k³`, k' being their wave number
    in deep water. This equals the Kitaigorodskii factor, as `(k'/k)³ dk'/dk = tanh³ (tanh + kd / cosh²)` shows.
    """

    @abstractmethod
    def saturation(self, k: Array) -> Array:
        """Return B(k) = k³ F(k) [1] at wave numbers k > 0 [rad/m] in deep water, of a sea that is not flat."""

    def frequency_density(self, w: ArrayLike, depth: float, kind: DispersionKind) -> Array:
        w = np.asarray(w, np.float64)
        k = wavenumber(np.where(w > 0, w, 1.0), depth, kind)
        return np.where(w > 0, self.wave_number_density(k, depth, kind) / group_speed(k, depth, kind), 0.0)

    def wave_number_density(self, k: ArrayLike, depth: float, kind: DispersionKind) -> Array:
        k = np.asarray(k, np.float64)
        if self.is_flat:
            return np.zeros_like(k)
        return np.asarray(self.saturation(deep_wavenumber(k, depth, kind)) / k**3)


class SpectrumModel(Parameters, ABC):
    """The parameters of a spectrum, with its `kind`."""

    kind: str
    needs_wind: ClassVar[bool] = False  # if True, it can't be a swell
    needs_bottom: ClassVar[bool] = False  # if True, the sea needs a finite depth

    @abstractmethod
    def shape(self, speed: float, fetch: float) -> Shape:
        """Return the shape under a wind of U10 = speed [m/s] over a fetch [m]; flat if either is 0."""

    def shape_of_height(self, height: float, period: float, depth: float, kind: DispersionKind) -> Shape:
        """Return the shape with Hs = height > 0 [m] and its peak at the period Tp [s], both at this depth [m]. Raises
        ValueError when the model has no such shape."""
        raise ValueError(f"spectrum = {self.kind} can't be given by height and period; jonswap can")


# -- JONSWAP and its relatives -----------------------------------------------------------------------------------------

GROWN_FETCH = 1e4
"""Dimensionless fetch g F / U² from which on a sea counts as fully grown: JONSWAP's power laws have no limit."""


@dataclass(frozen=True)
class JonswapShape(FrequencyShape):
    """S(w) of the JONSWAP family: alpha sets the tail, peak [rad/s] the position of the peak, gamma its height.

    gamma = 1 is Pierson and Moskowitz's shape; alpha = 0 is a flat sea.
    """

    is_damped_in_light_wind: ClassVar[bool] = True

    alpha: float
    peak: float
    gamma: float

    @property
    def peak_frequency(self) -> float:
        return self.peak

    @property
    def is_flat(self) -> bool:
        return self.alpha < STILL

    def density(self, w: ArrayLike) -> Array:
        """Return `alpha g² w^-5 exp(-5/4 (wp/w)^4) gamma^r` [m² s], `r = exp(-(w - wp)² / (2 s² wp²))`, s = 0.07 up to
        the peak and 0.09 above it (Hasselmann et al., JONSWAP, 1973)."""
        w = np.asarray(w, np.float64)
        if self.is_flat:
            return np.zeros_like(w)
        x = np.maximum(w / self.peak, 0.05)  # below, the exponential is 0: exp(-200000)
        narrowness = np.where(x <= 1, 0.5 / 0.07**2, 0.5 / 0.09**2)
        enhancement = self.gamma ** np.exp(-narrowness * (x - 1) ** 2)
        x4 = x**4
        tail = self.alpha * GRAVITY**2 / self.peak**5 / (x4 * x)
        return np.asarray(tail * np.exp(-1.25 / x4) * enhancement)


FLAT = JonswapShape(alpha=0.0, peak=1.0, gamma=1.0)
"""No waves. The peak only keeps formulas finite."""


@lru_cache(maxsize=64)
def jonswap_of_height(
    height: float, period: float, gamma: float = 3.3, depth: float = math.inf, kind: DispersionKind = "deep"
) -> JonswapShape:
    """Return the JONSWAP shape of significant wave height Hs = 4 sqrt(m0) > 0 [m] and peak period Tp [s].

    The sea has both at this depth [m], with the depth factor applied.
    """
    peak = 2 * math.pi / period
    if kind != "deep":
        peak *= _shift_of_peak(peak, gamma, depth, kind)
    # m0 wp^4 / (alpha g²) by the trapezoidal rule over ln(w / wp); the tail beyond is 3e-9.
    logarithm = np.linspace(math.log(0.2), math.log(100), 4001)
    x = np.exp(logarithm)
    density = JonswapShape(GRAVITY**-2, 1.0, gamma).density(x) * kitaigorodskii(x * peak, depth, kind)
    relative = float(np.trapezoid(density * x, logarithm))
    return JonswapShape((height / 4) ** 2 * peak**4 / (GRAVITY**2 * relative), peak, gamma)


def _shift_of_peak(w: float, gamma: float, depth: float, kind: DispersionKind) -> float:
    """Return the ratio of the deep-water peak to a wanted peak w [rad/s] at this depth [m], from 0.6 to 1.

    The depth factor grows with w, by up to w², so that the density has its peak above that of the shape.
    """
    from ocean.waves.special import root

    near = w * np.array([1 - 1e-6, 1 + 1e-6])
    factor = kitaigorodskii(near, depth, kind)

    def growth(ratio: float) -> float:
        below, above = JonswapShape(1.0, ratio * w, gamma).density(near) * factor
        return math.log(above / below)

    return root(growth, 0.6, 1.0)


class GrowingSea(SpectrumModel):
    """A wind sea that grows with fetch, by JONSWAP's laws."""

    gamma: float = parameter(3.3, "Height of the peak over that of a fully grown sea.", low=1.0, high=7.0)

    def shape(self, speed: float, fetch: float) -> JonswapShape:
        """Return the shape under a wind of U10 = speed [m/s] over a fetch F [m].

        With `chi = g F / U²`: `alpha = 0.076 chi^-0.22`, `wp = 22 (g / U) chi^(-1/3)` (Hasselmann et al. 1973; some
        texts leave out the root). chi stops at 1e4, where U10 = 10 m/s has raised Hs = 2.16 m.
        """
        if speed < CALM or fetch <= 0:
            return FLAT
        chi = min(GRAVITY * fetch / speed**2, GROWN_FETCH)
        return JonswapShape(0.076 * chi**-0.22, 22 * GRAVITY / speed * chi ** (-1 / 3), self.gamma)

    def shape_of_height(self, height: float, period: float, depth: float, kind: DispersionKind) -> JonswapShape:
        return jonswap_of_height(height, period, self.gamma, depth, kind)


class Jonswap(GrowingSea):
    """A growing wind sea (Hasselmann et al. 1973); a higher gamma narrows the range of wavelengths.

    In light winds the sea's tail lies below the formula: at 3 m/s 0.75 of it at three times the peak frequency and 0.33
    at five times, so that slopes match Cox and Munk's.
    """

    kind: Literal["jonswap"] = "jonswap"


class Tma(GrowingSea):
    """JONSWAP in water of finite depth (Bouws et al. 1985); the bottom damps long waves.

    The factor is `kitaigorodskii`. All spectra get it if the dispersion depends on the depth. So this sea equals
    `jonswap`; `dispersion = deep` is refused.
    """

    kind: Literal["tma"] = "tma"
    needs_bottom: ClassVar[bool] = True


class PiersonMoskowitz(SpectrumModel):
    """A fully grown wind sea (Pierson and Moskowitz 1964), for any fetch."""

    kind: Literal["pierson-moskowitz"] = "pierson-moskowitz"

    def shape(self, speed: float, fetch: float) -> JonswapShape:
        """Return the shape under a wind of U10 = speed [m/s]; every fetch above 0 counts as endless.

        `S = 8.1e-3 g² w^-5 exp(-0.74 (g / (U19.5 w))^4)`, `U19.5 = 1.026 U10` (Pierson and Moskowitz 1964), whose peak
        lies at `wp = (4 * 0.74 / 5)^(1/4) g / U19.5`.
        """
        if speed < CALM or fetch <= 0:
            return FLAT
        return JonswapShape(8.1e-3, (4 * 0.74 / 5) ** 0.25 * GRAVITY / (1.026 * speed), 1.0)

    def shape_of_height(self, height: float, period: float, depth: float, kind: DispersionKind) -> JonswapShape:
        """Return this form with alpha and peak chosen to match height and period (Bretschneider 1959)."""
        return jonswap_of_height(height, period, 1.0, depth, kind)


# -- Elfouhaily: from the peak down to ripples -------------------------------------------------------------------------

GROWN_AGE, YOUNGEST = 0.84, 5.0
"""Inverse wave ages U10 / cp of a fully grown sea, and of the youngest sea in the model's range."""


@dataclass(frozen=True)
class ElfouhailyShape(WaveNumberShape):
    """The spectrum under a wind of U10 = speed [m/s], at an inverse wave age U10 / cp; flat without wind."""

    is_damped_in_light_wind: ClassVar[bool] = True

    speed: float
    inverse_age: float

    @property
    def is_flat(self) -> bool:
        return self.speed < CALM

    @property
    def peak_frequency(self) -> float:
        """`wp = g Omega / U`, that is, kp = g (Omega / U)²."""
        return 1.0 if self.is_flat else GRAVITY * self.inverse_age / self.speed

    def saturation(self, k: Array) -> Array:
        """Return B = Bl + Bh (eqs. 31 to 44, with Omega for the inverse wave age).

        Long waves: `Bl = 0.003 sqrt(Omega) cp / c L J exp(-Omega / sqrt(10) (sqrt(k / kp) - 1))` with the cut of
        Pierson and Moskowitz, `L = exp(-5/4 (kp / k)²)`, and the peak of JONSWAP, `J = gamma^exp(-(sqrt(k / kp) - 1)² /
        (2 s²))`, `s = 0.08 (1 + 4 / Omega³)`, `gamma = 1.7 + 6 max(0, log10 Omega)`.
        Ripples: `Bh = am / 2 cm / c exp(-1/4 (k / km - 1)²) L` with `am = 0.01 (1 + ln(u* / cm))`, with thrice the
        logarithm where u* > cm, and at least 0. Without L, ripples would make the sea 8 to 21 m high.
        """
        age, peak = self.inverse_age, GRAVITY * (self.inverse_age / self.speed) ** 2
        root, speed = np.sqrt(k / peak), phase_speed(k)
        cut = np.exp(-1.25 / root**4)
        width = 0.08 * (1 + 4 / age**3)
        gamma = 1.7 + 6 * max(0.0, math.log10(age))
        enhancement = gamma ** np.exp(-((root - 1) ** 2) / (2 * width**2))
        side = np.exp(-age / math.sqrt(10) * (root - 1))
        long = 0.003 * math.sqrt(age) * float(phase_speed(peak)) / speed * enhancement * side
        excess = math.log(friction_velocity(self.speed, age) / RIPPLE_SPEED)
        strength = max(0.0, 0.01 * (1 + (excess if excess < 0 else 3 * excess)))
        ripples = 0.5 * strength * RIPPLE_SPEED / speed * np.exp(-0.25 * (k / RIPPLE_WAVENUMBER - 1) ** 2)
        return np.asarray(cut * (long + ripples))


class Elfouhaily(SpectrumModel):
    """A wind sea from its peak down to ripples, with the slopes that glitter shows (Elfouhaily et al. 1997).

    It is the only model here whose slopes match those measured at sea (Cox and Munk 1954).
    """

    kind: Literal["elfouhaily"] = "elfouhaily"
    needs_wind: ClassVar[bool] = True

    def shape(self, speed: float, fetch: float) -> ElfouhailyShape:
        """Return the shape under a wind of U10 = speed [m/s] over a fetch F [m]. They set the inverse wave age:

        `Omega = 0.84 tanh((g F / U² / 22000)^0.4)^(-3/4)` (eq. 37), from 0.84 of a fully grown sea to 5 at most.
        """
        if speed < CALM or fetch <= 0:
            return ElfouhailyShape(0.0, GROWN_AGE)
        chi = GRAVITY * fetch / speed**2
        return ElfouhailyShape(speed, min(GROWN_AGE * math.tanh((chi / 2.2e4) ** 0.4) ** -0.75, YOUNGEST))


# -- Phillips: common in texts, calibrated by none ---------------------------------------------------------------------


@dataclass(frozen=True)
class PhillipsShape(WaveNumberShape):
    """The spectrum under a wind of U10 = speed [m/s], without waves far below the cutoff [m]; flat without wind."""

    speed: float
    amplitude: float
    cutoff: float

    @property
    def is_flat(self) -> bool:
        return self.speed < CALM or self.amplitude == 0

    @property
    def peak_frequency(self) -> float:
        """Frequency of the peak, at `k = sqrt(0.8) / L`, since S(w) falls as k^-2.5 times the exponential."""
        return 1.0 if self.is_flat else GRAVITY * 0.8**0.25 / self.speed

    def saturation(self, k: Array) -> Array:
        """Return `B = pi A exp(-1 / (k L)²) exp(-k² l²)` with "the largest waves", L = U² / g.

        Tessendorf's (2001) eqs. 40 and 41, `P = A exp(-1 / (k L)²) / k^4 |k^ . w^|² exp(-k² l²)`, summed over
        directions: the integral of the squared cosine over a full turn is pi, and P k³ is B. All of his symmetric
        spread counts as down wind.
        """
        length = self.speed**2 / GRAVITY
        return np.asarray(math.pi * self.amplitude * np.exp(-((k * length) ** -2) - (k * self.cutoff) ** 2))


class Phillips(SpectrumModel):
    """Uncalibrated: the spectrum of Tessendorf's notes, whose amplitude sets its height.

    It has no fetch. With `cos-squared` as its spread it is the formula of the notes, for waves down wind.
    """

    kind: Literal["phillips"] = "phillips"
    amplitude: float = parameter(
        1.3e-3, "Square of the height's scale; uncalibrated.", low=1e-5, high=0.1, logarithmic=True
    )
    cutoff: float = parameter(0.01, "Length below which waves are damped.", low=0, high=1, unit="m")
    needs_wind: ClassVar[bool] = True

    def shape(self, speed: float, fetch: float) -> PhillipsShape:
        return PhillipsShape(speed if fetch > 0 else 0.0, self.amplitude, self.cutoff)


# -- Measured spectra --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SpectrumRecord(Content):
    """One spectrum of a file.

    frequency [Hz] ascends. Directions of propagation (*towards*), in degrees clockwise from north, ascend
    in [0, 360); None if there are none. The density is (frequency, direction) [m²/Hz/degree] or (frequency, 1) [m²/Hz].
    The remark, which may be empty, says which directions the file lacks, or which of its statements disagree with its
    densities. The source says where and when the spectrum was measured, and what the file states about it. `times` are
    those of all records; `stations` are the names, or "", of all stations at this time. The digest leaves both out.
    """

    frequency: Array
    towards: Array | None
    density: Array
    remark: str = ""
    source: str = ""
    times: tuple[str, ...] = ()
    stations: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> str:
        axes = self.frequency, () if self.towards is None else self.towards, self.density.ravel()
        return hashlib.sha256(np.concatenate(axes).tobytes() + f"{self.remark}{self.source}".encode()).hexdigest()

    def over_frequency(self) -> Array:
        """Return the density of all directions together (frequency,) [m²/Hz]."""
        if self.towards is None:
            return self.density[:, 0]
        gaps = np.diff(self.towards, append=self.towards[0] + 360)
        return np.asarray(self.density @ ((gaps + np.roll(gaps, 1)) / 2))


@dataclass(frozen=True, eq=False)
class MeasuredDirections(Directions):
    """A spread by the compass: D(w, theta) as a table with linear interpolation, theta clockwise from north."""

    w: Array  # (rows,) angular frequencies [rad/s]; other frequencies take the nearest row
    start: float  # direction of the first column [rad]; columns cover the circle in even steps
    table: NDArray[np.float32]  # (rows, columns) [1/rad]; the mean of each row is 1 / (2 pi)

    @classmethod
    def of(cls, w: Array, degrees: Array, density: Array) -> "MeasuredDirections":
        """Return the spread of densities (frequency, direction) in any unit; directions of propagation ascend from 0.
        Rows without waves take the spread of the nearest row that has some."""
        columns = min(720, round(360 / float(np.diff(degrees).min())))
        grid = degrees[0] + np.arange(columns) * (360 / columns)
        even = np.stack([np.interp(grid, degrees, row, period=360.0) for row in density])
        present = np.flatnonzero(even.sum(axis=1) > STILL)
        nearest = present[np.abs(present - np.arange(len(w))[:, None]).argmin(axis=1)]
        even = even[nearest] / (even[nearest].mean(axis=1, keepdims=True) * 2 * math.pi)
        return cls(w, math.radians(degrees[0]), even.astype(np.float32))

    def parameters(self, components: WaveComponents) -> tuple[Array, ...]:
        """Return the fractional row of the table."""
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
    """S(w) as a table with linear interpolation; zero below its first value, and a tail or zero beyond its last one."""

    feels_bottom: ClassVar[bool] = False  # measured waves include the effect of the depth

    w: Array  # angular frequencies [rad/s], ascending
    values: Array  # [m² s]
    tail: bool
    directions: Directions | None
    remark: str
    source: str

    @classmethod
    @lru_cache(maxsize=4)
    def of(cls, record: SpectrumRecord, directional: bool, tail: bool) -> "MeasuredShape":
        w, density = 2 * math.pi * record.frequency, record.over_frequency()
        directions = None
        if record.towards is not None and directional and density.max() >= STILL * 2 * math.pi:
            directions = MeasuredDirections.of(w, record.towards, record.density)
        return cls(w, density / (2 * math.pi), tail, directions, record.remark, record.source)

    @property
    def is_flat(self) -> bool:
        return float(self.values.max()) < STILL

    @property
    def peak_frequency(self) -> float:
        return float(self.w[self.values.argmax()])

    def density(self, w: ArrayLike) -> Array:
        """Return S(w) [m² s]. The tail falls as w^-5 from the last value, as in wave models; a last value of 0 means no
        shorter waves."""
        w = np.asarray(w, np.float64)
        inside = np.interp(w, self.w, self.values, left=0.0, right=0.0)
        tail = self.values[-1] * (self.w[-1] / np.maximum(w, self.w[-1])) ** 5 if self.tail else 0.0
        return np.asarray(np.where(w > self.w[-1], tail, inside))


SpectrumFormat = Literal[
    "auto", "awac", "datawell", "era5", "funwave", "funwave_new", "json", "ncswan", "ndbc", "ndbc_ascii", "netcdf",
    "obscape", "octopus", "spotter", "swan", "table", "triaxys", "wavespectra", "ww3", "ww3_station", "wwm", "xwaves",
]  # fmt: skip
FORMATS = get_args(SpectrumFormat)
"""Formats of files, and `auto`, which guesses."""
Station = Annotated[str, Field(coerce_numbers_to_str=True), WithJsonSchema({"type": ["integer", "string"]})]


def station_number(station: str, names: Sequence[str]) -> int:
    """Return the index in a list of names that a name, or else a number, selects; -1 if it selects none, or several."""
    if station and [*names].count(station) == 1:
        return names.index(station)
    return int(station) if station.isdecimal() and int(station) < len(names) else -1


class FileSpectrum(FileParameters, SpectrumModel):
    """A spectrum from a file of a buoy or a wave model (NDBC, WAVEWATCH III, SWAN, ERA5, Spotter, ...).

    The file sets height, period and, if it has them, directions. The wind sets only foam, and the spread where it comes
    from a model. The file is read once: replacing or removing it later does not change the spectrum.
    """

    named_by: ClassVar[frozenset[str]] = frozenset({"path", "format", "time", "station", "directional"})

    kind: Literal["file"] = "file"
    path: str = parameter(
        ...,
        "File, or folder of zarr, in the current folder or among the assets; commas join a buoy's five files.",
        example="example-buoy.data_spec",
    )
    format: SpectrumFormat = parameter("auto", "Format of the file; auto goes by its content.")
    time: int = parameter(-1, "Number of the time, from 0; -1 is the last.", low=-1_000_000, high=1_000_000)
    station: Station = parameter("0", "Name of the station or place, or else its number, from 0.")
    directional: bool = parameter(True, "Take the directions of the file, if it has them, instead of the spreading.")
    tail: bool = parameter(True, "Continue beyond the last value, falling as w^-5.")

    def shape(self, speed: float, fetch: float) -> MeasuredShape:
        """Return the shape of the file, for any wind and fetch. Raises UnreadError when the file has not been read."""
        return MeasuredShape.of(self.read_content(), self.directional, self.tail)

    def shape_of_height(self, height: float, period: float, depth: float, kind: DispersionKind) -> MeasuredShape:
        raise ValueError("spectrum = file sets the height itself: height must be 0")


Spectrum = Annotated[
    Jonswap | PiersonMoskowitz | Tma | Elfouhaily | Phillips | FileSpectrum, Field(discriminator="kind")
]
"""Any of the models, discriminated by `kind`: the type of a settings field."""

SWELL_SPECTRUM = Jonswap(gamma=6.0)
"""Spectrum of swell: dispersion has sorted its waves by length (Goda 1985: gamma from 3 to 10)."""
