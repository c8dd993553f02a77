"""Nonlinear waves: the free-surface equations by the high-order spectral method, in float64.

The elevation eta and the potential psi at the surface obey (Zakharov 1968)

    eta_t = -grad psi . grad eta + (1 + |grad eta|²) W
    psi_t = -g eta - |grad psi|² / 2 + (1 + |grad eta|²) W² / 2

and the vertical velocity W at the surface is expanded to an order M in steepness (West et al. 1987, "A new numerical
method for surface hydrodynamics"; Dommermuth and Yue 1987), with all products consistent to that order. Order 1 is the
linear sea. The linear part is integrated exactly, which allows any dispersion relation, and the rest by a fourth-order
Runge-Kutta method. Spectra follow `numpy.fft.rfft2` with norm="forward"; arrays are indexed [z, x].
"""

import hashlib
import io
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ocean.common.facts import usable
from ocean.common.files import own_place, unfinished
from ocean.waves.amplitudes import CascadeWaves, wave_numbers
from ocean.waves.dispersion import GRAVITY, Array, DispersionKind, angular_frequency, clock_ticks, loop_steps
from ocean.waves.fields import Complex, evolve, evolve_rate

MOST_ORDER = 5
STEPS_A_PERIOD = 28
"""Time steps per period. Energy drifts by less than 1e-3 in 100 periods at a steepness of 0.1; the drift grows with
about the fifth power of the time step."""

CHECKPOINT_STEPS = 4 * STEPS_A_PERIOD
"""Time steps between checkpoints; the first is written at the end of the lead."""

THREADED = 1 << 14  # fewest points of a transform that runs on all processors

RAMP_PERIODS, RAMP_POWER = 5.0, 4
"""Ramp of the nonlinear terms, in peak periods, and its power of time (Dommermuth 2000). A sudden start of bound waves
would release free ones."""

LEAD_RAMP, LEAD, LEAP = 2.5, 4, 20
"""Times of a running sea, in mean periods: ramp of the nonlinear terms; lead of the waves before their first frame;
leap ahead after which the waves restart."""


@dataclass(frozen=True)
class State:
    """Spectra of elevation [m] and potential [m²/s] at the surface, (rows, columns / 2 + 1), at a time [s]."""

    time: float
    elevation: Complex
    potential: Complex


BREAKING = 0.85, 0.95
"""Ratios of the water's speed at a crest to the crest's speed: at the first a crest begins to break (Barthelemy et
al. 2018), at the second its viscosity is complete."""

STEEPEST = 0.55, 0.61
"""Slopes of a face at the end of a time step at which it begins to break, and at which its viscosity is complete.
Between them lies tan 30°, the largest slope of steady waves (Stokes 1880) and of focused groups that do not break
(McAllister et al. 2023)."""

BREAKER_VISCOSITY = 0.1
"""Eddy viscosity of a complete breaker, in w / k² of the sea's mean wave. One breaker of a focused group then takes a
tenth to a sixth of its energy (`tools.measure.breaking`)."""

BREAKING_TIME = 9.7
"""Time constant of a breaker, in 1 / w of its wave: that of Tian et al. (2012) for a local steepness of 0.45."""

SPREADING, SPREAD_SHARE = 0.3, 0.25
"""A breaker grows along its path: in each step this fraction of the viscosity moves this far to each side, in 1 / k."""

LOW_PASS_WIDTH, LOW_PASS_POWER = 1.3, 30
"""The low-pass filter exp(-(k / (width cutoff))^power) of a time step (Xiao et al. 2013)."""


@dataclass
class Losses:
    """Losses of steep waves: eddy viscosity where crests break, and a low-pass filter at the cutoff."""

    wave_number: float
    """Wave number of the sea's mean wave [rad/m]."""
    viscosity: Array | None = None
    """Eddy viscosity [m²/s] on the grid; None before the first step."""
    broken: float = 0.0
    """Energy lost to breaking since the start, per area and density [m³/s²]."""
    filtered: float = 0.0
    """Energy that the filter has taken, in the same unit."""


class Solver:
    """The equations on a grid of `shape` (rows, columns) points over `sides` (z, x) [m].

    Waves beyond `cutoff` [rad/m] are left out. Products of all orders are free of aliases on grids from `smallest_grid`
    on. Nonlinear terms set in over `ramp` [s] after time 0. With a loop `period` [s], linear waves make whole turns in
    it, as in the linear sea.
    """

    def __init__(
        self,
        shape: tuple[int, int],
        sides: tuple[float, float],
        cutoff: float,
        order: int = 3,
        depth: float = math.inf,
        dispersion: DispersionKind = "deep",
        ramp: float = 0.0,
        losses: Losses | None = None,
        period: float | None = None,
    ) -> None:
        if not 1 <= order <= MOST_ORDER:
            raise ValueError(f"order is a number from 1 to {MOST_ORDER}, not {order}")
        self.shape, self.order, self.ramp, self.losses, self.cutoff = shape, order, ramp, losses, cutoff
        self._spacing = sides[0] / shape[0], sides[1] / shape[1]
        kx = 2 * math.pi * np.fft.rfftfreq(shape[1], sides[1] / shape[1])
        kz = 2 * math.pi * np.fft.fftfreq(shape[0], sides[0] / shape[0])[:, None]
        self._kx, self._kz = np.broadcast_arrays(kx, kz)
        k = np.hypot(kx, kz)
        self.kept = (k > 0) & (k <= cutoff)
        self._tanh = np.tanh(np.minimum(k * depth, 50.0)) if dispersion != "deep" else np.ones_like(k)
        self.omega = np.where(k > 0, angular_frequency(np.where(k > 0, k, 1.0), depth, dispersion), 0.0)
        if period is not None:
            self.omega = loop_steps(self.omega, period) * (2 * math.pi / period)
        self._lift = k * self._tanh  # W = lift psi to first order
        # Vertical derivatives of a potential at still water, by their order.
        self._vertical = np.stack([k**n * (self._tanh if n % 2 else 1.0) for n in range(order + 1)])
        self._ratio = np.divide(self._lift, self.omega, out=np.zeros_like(k), where=self.omega > 0)
        self._inverse = np.divide(1.0, self._ratio, out=np.zeros_like(k), where=self._ratio > 0)
        self._low_pass = np.exp(-((k / (LOW_PASS_WIDTH * cutoff)) ** LOW_PASS_POWER))
        # Restoring acceleration [m/s²] of gravity and surface tension, w² / (k tanh kd).
        self._gravity = self.omega * self._inverse
        self._slowest = math.sqrt(GRAVITY / cutoff)  # phase speed of the shortest waves [m/s]
        self._workers = usable() if shape[0] * shape[1] > THREADED else 1

    # -- Between grid and spectrum -----------------------------------------------------------------------------------

    def grid(self, spectrum: Complex) -> Array:
        import scipy.fft

        return np.asarray(scipy.fft.irfft2(spectrum, self.shape, norm="forward", workers=self._workers))

    def spectrum(self, values: Array) -> Complex:
        import scipy.fft

        return np.asarray(scipy.fft.rfft2(values, norm="forward", workers=self._workers) * self.kept)

    def state(self, time: float, elevation: Array, potential: Array) -> State:
        """Return the state of fields on the grid."""
        return State(time, self.spectrum(elevation), self.spectrum(potential))

    def potential(self, rate: Complex) -> Complex:
        """Return the surface potential [m²/s] of linear waves whose elevation changes at a rate [m/s]."""
        return np.asarray(np.divide(rate, self._lift, out=np.zeros_like(rate), where=self._lift > 0))

    def amplitudes(self, state: State) -> Complex:
        """Return the amplitudes a(k) of waves that run along their k, (rows, columns). The elevation has the spectrum
        `a(k) + conj a(-k)`; linear motion turns a(k) by e^{-iwt}."""
        along, against = (0.5 * (state.elevation + sign * 1j * self._ratio * state.potential) for sign in (1, -1))
        columns = np.arange(1, (self.shape[1] + 1) // 2)  # columns of negative wave numbers, from -1 on
        rows = -np.arange(self.shape[0])
        found = np.zeros(self.shape, np.complex128)
        found[:, : along.shape[1]] = along
        found[:, -columns] = np.conj(against[np.ix_(rows, columns)])
        return found

    # -- Equations ---------------------------------------------------------------------------------------------------

    def linear(self, state: State, step: float) -> State:
        """Return the state after a time [s] of linear motion, which is exact."""
        cos, sin = np.cos(self.omega * step), np.sin(self.omega * step)
        a, b = state.elevation, state.potential
        return State(state.time + step, cos * a + self._ratio * sin * b, cos * b - self._inverse * sin * a)

    def velocities(self, elevation: Complex, potential: Complex) -> tuple[Array, list[Array]]:
        """Return the elevation [m] and the orders 1 to M of the vertical velocity at the surface [m/s], on the grid."""
        eta, order = self.grid(elevation), self.order
        powers = self._powers(eta)
        derivatives = [derivatives for _, derivatives in self._orders(powers, potential)]
        each = [np.sum([powers[n] * derivatives[m - n - 1][n] for n in range(m)], axis=0) for m in range(1, order + 1)]
        return eta, each

    def _powers(self, eta: Array) -> list[Array]:
        """Return eta^n / n! for n below the order."""
        powers = [np.ones_like(eta)]
        for n in range(1, self.order):
            powers.append(powers[-1] * eta / n)
        return powers

    def _orders(self, powers: list[Array], potential: Complex) -> Iterator[tuple[Complex, Array]]:
        """Yield, for each order, the spectrum of the potential at the mean water level, and its vertical derivatives
        from the first on, on the grid, (n, rows, columns)."""
        derivatives: list[Array] = []
        for m in range(1, self.order + 1):
            if m > 1:
                terms = [powers[n] * derivatives[m - n - 1][n - 1] for n in range(1, m)]
                potential = self.spectrum(-np.sum(terms, axis=0))
            derivatives.append(self.grid(self._vertical[1 : self.order - m + 2] * potential))
            yield potential, derivatives[-1]

    def still_potential(self, state: State) -> Complex:
        """Return the spectrum of the potential at the mean water level [m²/s], summed over all orders."""
        powers = self._powers(self.grid(state.elevation))
        return np.asarray(sum(potential for potential, _ in self._orders(powers, state.potential)))

    def nonlinear(self, state: State) -> tuple[Complex, Complex]:
        """Return the spectra of the nonlinear rates of elevation [m/s] and potential [m²/s²]."""
        if self.order == 1:
            return np.zeros_like(state.elevation), np.zeros_like(state.potential)
        return self._rates(state)[0]

    def _rates(self, state: State) -> tuple[tuple[Complex, Complex], Array]:
        """Return the nonlinear rates, and the fields of first order on the grid, (5, rows, columns): slopes and current
        along x and z, and the vertical velocity."""
        _, W = self.velocities(state.elevation, state.potential)
        gradients = [1j * k * of for of in (state.elevation, state.potential) for k in (self._kx, self._kz)]
        slope_x, slope_z, east, south = first = self.grid(np.stack(gradients))
        steep = slope_x**2 + slope_z**2
        up = sum(W[1:]) - (east * slope_x + south * slope_z) + steep * sum(W[: self.order - 2], np.zeros_like(steep))

        def squares(order: int) -> Array:
            pairs = [W[m] * W[n] for m in range(order) for n in range(order) if m + n + 2 <= order]
            return np.asarray(sum(pairs, np.zeros_like(steep)))

        push = 0.5 * (squares(self.order) + steep * squares(self.order - 2) - east**2 - south**2)
        share = 1 - math.exp(-((max(state.time, 0.0) / self.ramp) ** RAMP_POWER)) if self.ramp else 1.0
        return (share * self.spectrum(up), share * self.spectrum(push)), np.stack([*first, W[0]])

    @np.errstate(over="ignore", invalid="ignore")
    def step(self, state: State, step: float) -> State:
        """Return the state after a time step [s]: fourth-order Runge-Kutta in variables that linear motion conserves.
        Raises ArithmeticError when the waves are too steep for a solution."""

        def pushed(state: State, rates: tuple[Complex, Complex], step: float) -> State:
            return State(state.time, state.elevation + step * rates[0], state.potential + step * rates[1])

        def moved(rates: tuple[Complex, Complex], time: float) -> tuple[Complex, Complex]:
            turned = self.linear(State(0.0, *rates), time)
            return turned.elevation, turned.potential

        half, whole = self.linear(state, step / 2), self.linear(state, step)
        if self.order > 1:
            first, fields = self._rates(state)
            lost = None if self.losses is None else self._lose(self.losses, state, first, fields, step)
            second = self.nonlinear(pushed(half, moved(first, step / 2), step / 2))
            third = self.nonlinear(pushed(half, second, step / 2))
            fourth = self.nonlinear(pushed(whole, moved(third, step / 2), step))
            for rates, weight in (
                (moved(first, step), 1),
                (moved(second, step / 2), 2),
                (moved(third, step / 2), 2),
                (fourth, 1),
            ):
                whole = pushed(whole, rates, weight * step / 6)
            if lost is not None:  # after the stages: their rates are those of waves without this loss
                whole = pushed(whole, moved(lost, step), 1.0)
        if not np.isfinite(self._product(whole.elevation, whole.elevation)):
            others = "" if self.losses else ", or losses"
            said = f"order {self.order} has no solution after {whole.time:.4g} s; take a lower order or cutoff{others}"
            raise ArithmeticError(f"waves are too steep: {said}")
        return whole

    # -- Losses ------------------------------------------------------------------------------------------------------

    def _lose(
        self, losses: Losses, state: State, rates: tuple[Complex, Complex], fields: Array, step: float
    ) -> tuple[Complex, Complex]:
        """Return the changes of elevation and potential by breaking and by the filter in a time step [s], and count
        their energy; rates and fields are those of `_rates`."""
        eta, psi = state.elevation, state.potential
        rising = self._lift * psi + rates[0]  # dH/dpsi
        pressing = self._gravity * eta - rates[1]  # dH/deta

        def energy(change: tuple[Complex, Complex]) -> float:  # with the means of before and after, to first order
            up, push = pressing + 0.5 * self._gravity * change[0], rising + 0.5 * self._lift * change[1]
            return -self._product(up, change[0]) - self._product(push, change[1])

        filtered = (self._low_pass - 1) * eta, (self._low_pass - 1) * psi
        losses.filtered += energy(filtered)
        losses.viscosity = self._viscosity(losses, state, fields, step)
        if not losses.viscosity.any():
            return filtered
        flux_x, flux_z = (2 * step * losses.viscosity * fields[i:4:2] for i in (0, 1))
        lost_eta, lost_psi = self.spectrum(self._difference(flux_x, -1) + self._difference(flux_z, -2))
        losses.broken += energy((lost_eta, lost_psi))
        return filtered[0] + lost_eta, filtered[1] + lost_psi

    def _difference(self, values: Array, axis: int) -> Array:
        """Return central differences of values (..., rows, columns) along z, axis -2, or x, axis -1."""
        step = 2 * self._spacing[axis]
        return np.asarray((np.roll(values, -1, axis) - np.roll(values, 1, axis)) / step)

    def _viscosity(self, losses: Losses, state: State, fields: Array, step: float) -> Array:
        """Return the eddy viscosity [m²/s] on the grid after a time step [s]: of crests that break now, and of earlier
        breakers, which move with their crests and fade. `fields` are those of `_rates`.

        Crests move with the velocity C that fits `u = E C` and `w = -C . grad eta` best, in the main direction of the
        waves. E is the strain of linear waves, the sum of each wave's water speed over its own phase speed, so that its
        largest eigenvalue is the ratio of the water's speed at a crest to the crest's.
        """
        k = self._kx, self._kz
        over = np.divide(1.0, self._lift, out=np.zeros_like(self._lift), where=self._lift > 0)
        strains = [k[i] * k[j] * over * state.elevation for i, j in ((0, 0), (0, 1), (1, 1))]
        xx, xz, zz = self.grid(np.stack(strains))
        slope_x, slope_z, east, south, w = fields
        ratio = 0.5 * (xx + zz) + np.hypot(0.5 * (xx - zz), xz)
        most = breaker_viscosity(losses.wave_number, self.cutoff, step)
        growth_x, growth_z = (self._difference(step * w, axis) for axis in (-1, -2))  # of the slope in this time step
        steep = np.hypot(slope_x + growth_x, slope_z + growth_z)
        begun = np.maximum(ease(ratio, *BREAKING), ease(steep, *STEEPEST))
        if losses.viscosity is None or not losses.viscosity.any():
            return np.asarray(most * begun)
        # The normal equations of the fit, projected on their main axis.
        m_xx, m_xz, m_zz = xx**2 + xz**2 + slope_x**2, xz * (xx + zz) + slope_x * slope_z, xz**2 + zz**2 + slope_z**2
        angle = 0.5 * np.arctan2(2 * m_xz, m_xx - m_zz)
        x, z = np.cos(angle), np.sin(angle)
        fitted = x * (xx * east + xz * south - w * slope_x) + z * (xz * east + zz * south - w * slope_z)
        speed = fitted / (m_xx * x * x + 2 * m_xz * x * z + m_zz * z * z + 1e-6)
        # In deep water 1 / w = C / g and 1 / k = C² / g.
        fading = np.exp(-step * GRAVITY / (BREAKING_TIME * np.maximum(np.abs(speed), self._slowest)))
        wider = SPREADING * np.abs(speed) / GRAVITY  # s
        old = np.zeros_like(speed)
        for share, time in ((1 - 2 * SPREAD_SHARE, 0.0), (SPREAD_SHARE, -wider), (SPREAD_SHARE, wider)):
            way = speed * (step + time)
            old += share * self._moved(losses.viscosity, way * x, way * z)
        return np.asarray(np.maximum(most * begun, fading * old))

    def _moved(self, values: Array, east: Array, south: Array) -> Array:
        """Return values on the grid, moved by a displacement [m] at each point."""
        from scipy.ndimage import map_coordinates

        z, x = np.indices(self.shape)
        at = z - south / self._spacing[0], x - east / self._spacing[1]
        return np.asarray(map_coordinates(values, at, order=1, mode="grid-wrap"))

    # -- Invariants --------------------------------------------------------------------------------------------------

    def energy(self, state: State) -> float:
        """Return the energy of the waves per area and density [m³/s²], `mean(psi eta_t + g eta²) / 2`."""
        rate = self._lift * state.potential + self.nonlinear(state)[0]
        kinetic = float(np.mean(self.grid(state.potential) * self.grid(rate)))
        return 0.5 * (kinetic + self._product(self._gravity * state.elevation, state.elevation))

    def _product(self, a: Complex, b: Complex) -> float:
        twice = np.full(a.shape[1], 2.0)
        twice[0] = 1.0
        if self.shape[1] % 2 == 0:
            twice[-1] = 1.0
        return float(np.sum(twice * (a * b.conj()).real))


def breaker_viscosity(wave_number: float, cutoff: float, step: float) -> float:
    """Return the eddy viscosity [m²/s] of a complete breaker, for the sea's mean wave number and the cutoff [rad/m]; at
    most that with which the shortest waves are stable in a time step [s]."""
    return min(BREAKER_VISCOSITY * math.sqrt(GRAVITY / wave_number**3), 0.5 / (cutoff**2 * step))


def ease(values: Array, low: float, high: float) -> Array:
    """Return 0 up to a low value, 1 from a high one on, and a cubic between (smoothstep)."""
    t = np.clip((values - low) / (high - low), 0.0, 1.0)
    return np.asarray(t * t * (3 - 2 * t))


def smallest_grid(cutoff: float, side: float, order: int) -> int:
    """Return the fewest points along a side [m] on which products of all orders are free of aliases in waves up to a
    cutoff [rad/m]: an even number with small prime factors."""
    import scipy.fft

    points = math.floor((order + 1) * cutoff * side / (2 * math.pi)) + 1
    return 2 * int(scipy.fft.next_fast_len(-(-points // 2), real=True))


HIDDEN = ".waves"
"""Subfolder of the checkpoints."""
DIGEST = hashlib.sha256().digest_size
"""Bytes of the checksum at the start of a file, before an NPZ archive."""


class Checkpoints:
    """States of runs of waves in a subfolder of a folder. Files are complete or absent, even after a power failure."""

    SUFFIX = ".waves"

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, run: str, step: int, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Write the state after a number of time steps."""
        path = own_place(self.folder, f"{HIDDEN}/{run}-{step:08d}{self.SUFFIX}", is_followed=False)
        if path.exists():  # another worker wrote the same state
            return
        archive = io.BytesIO()
        np.savez(archive, **state)  # type: ignore[arg-type]  # numpy's stub lacks named arrays
        with unfinished(self.folder) as made:
            with (made / path.name).open("wb") as file:
                file.write(hashlib.sha256(archive.getbuffer()).digest())
                file.write(archive.getbuffer())
                file.flush()
                os.fsync(file.fileno())
            os.replace(made / path.name, path)

    def last(self, run: str, most: int) -> tuple[int, dict[str, NDArray[np.generic]]] | None:
        """Return the latest state of up to `most` time steps, with their number. Damaged files count as absent."""
        for path in sorted((self.folder / HIDDEN).glob(f"{run}-*{self.SUFFIX}"), reverse=True):
            step = int(path.stem.removeprefix(f"{run}-"))
            if step > most:
                continue
            try:
                data = path.read_bytes()
            except OSError:
                continue
            if hashlib.sha256(data[DIGEST:]).digest() == data[:DIGEST]:
                with np.load(io.BytesIO(data[DIGEST:])) as state:
                    return step, dict(state)
        return None


def fingerprint(amplitudes: NDArray[np.generic], *values: object) -> str:
    """Return a name for a run of waves, which depends on its amplitudes and other values."""
    found = hashlib.sha256(repr(values).encode())
    found.update(np.ascontiguousarray(amplitudes).tobytes())
    return found.hexdigest()[:16]


class Course:
    """Nonlinear waves from a state at 0 s on, in time steps of fixed length [s].

    Equal times have equal waves, independent of earlier calls. An earlier time starts the waves again.
    """

    def __init__(self, solver: Solver, start: State, step: float) -> None:
        self.solver, self.start, self.length = solver, start, step
        self._checkpoints: Checkpoints | None = None
        self._run = ""
        self._forget()

    def keep(self, checkpoints: Checkpoints, run: str) -> None:
        """Write checkpoints from here on, and resume from the latest one of this run."""
        self._checkpoints, self._run = checkpoints, run

    def _forget(self) -> None:
        self._steps, self._before, self._after = 0, self.start, self.start
        if (losses := self.solver.losses) is not None:
            losses.viscosity, losses.broken, losses.filtered = None, 0.0, 0.0

    def _restore(self, most: int) -> None:
        """Resume from the latest checkpoint of up to `most` time steps, if it is later than the current state."""
        if self._checkpoints is None or (found := self._checkpoints.last(self._run, most)) is None:
            return
        step, state = found
        if step > self._steps:
            early = (step - 1) * self.length
            spectra = np.asarray(state["spectra"], np.complex128)
            self._steps, self._before = step, State(early, *spectra[:2])
            self._after = State(early + self.length, *spectra[2:])
            if (losses := self.solver.losses) is not None:
                losses.viscosity = np.asarray(state["viscosity"], np.float64)
                losses.broken, losses.filtered = (float(each) for each in state["lost"])

    def at(self, time: float) -> State:
        """Return the state at a time [s] from 0 on, interpolated between time steps in variables that linear motion
        conserves. Raises ValueError for a time before 0."""
        early, late, share = self.around(time)
        elevation = (1 - share) * early.elevation + share * late.elevation
        return State(time, elevation, (1 - share) * early.potential + share * late.potential)

    def around(self, time: float) -> tuple[State, State, float]:
        """Return the states of the time steps before and after a time [s], both moved to that time as linear waves, and
        the elapsed fraction of the time step. Raises ValueError for a time before 0."""
        for _ in self.advance(time):
            pass
        early = self.solver.linear(self._before, time - self._before.time)
        late = self.solver.linear(self._after, time - self._after.time)
        return early, late, time / self.length % 1

    def advance(self, time: float) -> Iterator[float]:
        """Compute the time steps before and after a time [s]; yield the completed fraction after each one."""
        wanted = math.floor(time / self.length)
        if wanted < 0:
            raise ValueError(f"waves start at 0 s; there are none at {time:g} s")
        if wanted < self._steps - 1:
            self._forget()
        if self._steps < wanted:
            self._restore(wanted + 1)
        first = self._steps
        while self._steps <= wanted:
            begun = replace(self._after, time=self._steps * self.length)  # no sum of rounding errors
            self._before, self._after = begun, self.solver.step(begun, self.length)
            self._steps += 1
            if self._checkpoints is not None and self._steps % CHECKPOINT_STEPS == 0:
                spectra = [field for one in (self._before, self._after) for field in (one.elevation, one.potential)]
                state: dict[str, NDArray[np.generic]] = {"spectra": np.stack(spectra)}
                if (losses := self.solver.losses) is not None and losses.viscosity is not None:
                    state |= {"viscosity": losses.viscosity, "lost": np.array([losses.broken, losses.filtered])}
                self._checkpoints.keep(self._run, self._steps, state)
            yield (self._steps - first) / (wanted + 1 - first)


@dataclass(frozen=True)
class Extent:
    """Extent of a cascade's waves: largest squared wave number [dk²], mean period [s], and dk [rad/m]."""

    most: int
    period: float
    dk: float

    @classmethod
    def of(cls, waves: CascadeWaves) -> "Extent":
        h0, n = waves.trimmed()
        squares = wave_numbers(len(h0)) ** 2 + wave_numbers(len(h0))[:, None] ** 2
        power = np.abs(h0) ** 2
        total = float(power.sum())
        frequency = float(np.sum(power * n)) * (2 * math.pi / waves.period) / total if total else 1.0
        return cls(int(squares[h0 != 0].max(initial=1)), 2 * math.pi / frequency, waves.tile.dk)

    @property
    def cutoff(self) -> float:
        """Largest wave number [rad/m]."""
        return math.sqrt(self.most) * self.dk * (1 + 1e-9)

    @property
    def step(self) -> float:
        """Time step [s]."""
        return self.period / STEPS_A_PERIOD

    @property
    def mean_wave_number(self) -> float:
        """Wave number [rad/m] of the deep-water wave of the mean period."""
        return (2 * math.pi / self.period) ** 2 / GRAVITY

    def start(self, time: float) -> float:
        """Return the start time [s] of the waves of a frame: LEAD periods before it, or before 0 s for times up to LEAP
        periods, so that the frames of a film have the same waves in any order."""
        shown = 0.0 if 0 <= time <= LEAP * self.period else time
        return shown - LEAD * self.period


def course(
    waves: CascadeWaves,
    order: int,
    time: float = 0.0,
    losses: Losses | None = None,
    ramp: float = RAMP_PERIODS,
    points: int = 0,
) -> Course:
    """Return a cascade's nonlinear waves in axes of its tile, from the linear sea at a time [s] on;
    `ramp` is in mean periods. The grid has `points` along a side, or the fewest without aliases."""
    (h0, n), side, extent = waves.trimmed(), waves.tile.side, Extent.of(waves)
    points = points or smallest_grid(extent.cutoff, side, order)
    ramp = ramp * extent.period if order > 1 else 0.0
    sea = waves.depth, waves.dispersion, ramp, losses, waves.period
    solver = Solver((points, points), (side, side), extent.cutoff, order, *sea)
    ticks = clock_ticks(time, waves.period)
    spectra = evolve(h0, n, ticks), evolve_rate(h0, n, ticks, waves.period)
    elevation, rate = (embedded(each, points)[:, : points // 2 + 1] * solver.kept for each in spectra)
    return Course(solver, State(0.0, elevation, solver.potential(rate)), extent.step)


class Starts:
    """Decides when the nonlinear solver restarts.

    It restarts after a leap ahead, after a step back in a long run, and for times before its start. With a `first`
    time [s] it starts for that frame, in whatever order frames come.
    """

    def __init__(self, extent: Extent, first: float | None = None) -> None:
        self.extent, self.first = extent, first
        self.time = math.nan
        """Time of the start [s]; nan before the first frame."""
        self.again: tuple[float, float] | None = None
        """Time of a frame whose waves had another start, and that start [s]: the frame gets the same waves again."""
        self._shown = -math.inf

    def take(self, time: float) -> bool:
        """Take the time [s] of a frame, and return whether the solver restarts."""
        if self.again is not None and time == self.again[0]:
            before, self._shown, (_, self.time), self.again = self.time, time, self.again, None
            return before != self.time
        leap, since, ahead = LEAP * self.extent.period, time - self.time, time - self._shown
        jumps = self.first is None and (ahead > leap or (ahead < -self.extent.step and since > leap))
        restarts = jumps or not since >= 0
        if restarts:
            self.time = self.extent.start(time if self.first is None else self.first)
            if time < self.time:
                self.time = self.extent.start(time)
        self._shown = time
        return restarts


class RunningWaves:
    """Nonlinear waves of a running sea at the times of its frames."""

    def __init__(
        self,
        waves: CascadeWaves,
        order: int,
        first: float | None = None,
        checkpoints: Checkpoints | None = None,
        points: int = 0,
    ) -> None:
        self.waves, self.order, self.extent, self._points = waves, order, Extent.of(waves), points
        self._starts, self._checkpoints = Starts(self.extent, first), checkpoints

    def at(self, time: float, size: int) -> tuple[Complex, Complex]:
        """Return `h0(k) e^{-iwt}` at a time [s] and its nonlinear rate [1/s], (size, size) each, in FFT order. The sum
        with the mirrored conjugate is the spectrum of the elevation."""
        early, late, share = self._at(time).around(time - self._starts.time)
        before, after = (embedded(self._course.solver.amplitudes(state), size) for state in (early, late))
        return (1 - share) * before + share * after, (after - before) / self._course.length

    def still(self, time: float) -> tuple[Array, Array]:
        """Return elevation [m] and potential at the mean water level [m²/s] at a time [s], on the solver's grid."""
        waves = self._at(time)
        state = waves.at(time - self._starts.time)
        return waves.solver.grid(state.elevation), waves.solver.grid(waves.solver.still_potential(state))

    def _at(self, time: float) -> Course:
        if self._starts.take(time):
            own = Losses(self.extent.mean_wave_number), LEAD_RAMP, self._points
            self._course = course(self.waves, self.order, self._starts.time, *own)
            if self._checkpoints is not None:
                waves = self.waves
                motion = waves.tile, waves.depth, waves.dispersion, waves.period, self.order, self._starts.time
                self._course.keep(self._checkpoints, fingerprint(waves.h0, "float64", *motion))
        return self._course

    def catch_up(self, time: float) -> Iterator[float]:
        """Compute the waves up to a time [s]; yield the completed fraction after each time step."""
        yield from self._at(time).advance(time - self._starts.time)


def embedded(spectrum: Complex, size: int) -> Complex:
    """Return a square spectrum in FFT order on a grid of another size: cropped, or padded with zeros."""
    half = min(len(spectrum), size) // 2
    found = np.zeros((size, size), np.complex128)
    band = np.r_[0:half, 1 - half : 0]
    found[np.ix_(band, band)] = spectrum[np.ix_(band, band)]
    return found
