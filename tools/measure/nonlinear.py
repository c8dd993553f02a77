"""The nonlinear solver of `ocean.waves` against exact waves and theory: its cases, and the report of all of them.

python -m tools.measure.nonlinear --out docs/measurements

writes nonlinear.txt and nonlinear.png, in half an hour on two cores. Steepness is the steepness of the peak,
k_p H_s / 2. Wave numbers are in units of the peak's, lengths in units of its inverse.
"""

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ocean.common.facts import command_line, host_facts, program_facts, utc_now
from ocean.sea.blend import make_spectrum
from ocean.settings import load_settings
from ocean.settings.files import resolve
from ocean.waves import second_order
from ocean.waves.dispersion import GRAVITY, Array, DispersionKind, angular_frequency, group_speed, wavenumber
from ocean.waves.nonlinear import STEPS_A_PERIOD, Extent, Losses, Solver, State, course, smallest_grid
from ocean.waves.spectra import JonswapShape

PERIOD = 2 * math.pi / math.sqrt(GRAVITY)  # period [s] of a deep-water wave of wave number 1

HOS_OCEAN = {0.1: (7.4e-4, 6.8e-6), 0.2: (6.0e-3, 2.2e-4), 0.3: (2.0e-2, 1.8e-3), 0.35: (3.1e-2, 4.0e-3)}
HOS_OCEAN |= {0.4: (4.5e-2, 7.8e-3)}
"""Largest error of HOS-ocean's vertical velocity of a Stokes wave, in sqrt(g / k), by steepness, for orders 2 and 4
with 32 harmonics and no aliases (Ducrozet et al. 2016). The errors come from the benchmark `check_W_DYue.f90`, which
has the waves of Dommermuth and Yue (1987), table 1, and 16 harmonics up to a steepness of 0.1."""


@dataclass(frozen=True)
class Row:
    """A number of the report, with its value by theory or exact waves, and the standard error of one or both."""

    case: str
    found: float
    theory: float
    error: float = 0.0

    def __str__(self) -> str:
        error = f"± {self.error:.2g}" if self.error else ""
        return f"{self.case:<80}{self.found:>12.4g} {error:<10}{self.theory:>12.4g}"


# -- Waves of one length ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SteadyWave:
    """A wave in deep water that keeps its shape, with k = 1 and g = 1, crest at 0.

    A map takes the water under one wave to a half plane, in which the flow is uniform (Stokes 1880): `x = xi + sum of
    a_n sin(n xi)`, `eta = sum of a_n cos(n xi)`.
    """

    harmonics: Array  # a_n, from 0
    speed: float

    @classmethod
    def of(cls, steepness: float, harmonics: int = 100) -> "SteadyWave":
        """Return the wave with a height of `2 steepness`, by Newton's method on the pressure at points of the
        surface."""
        n = np.arange(harmonics + 1)
        xi = np.pi * n / harmonics
        cos, sin = np.cos(np.outer(xi, n)), np.sin(np.outer(xi, n))
        ends = np.r_[0.5, np.ones(harmonics - 1), 0.5]

        a, speed, head = np.zeros(harmonics + 1), 1.0, 0.5
        a[1] = 0.02
        for height in np.linspace(0, steepness, math.ceil(steepness / 0.05) + 1)[1:]:
            for _ in range(8):
                eta, stretch, shear = cos @ a, 1 + cos @ (n * a), sin @ (n * a)
                square = stretch**2 + shear**2
                pressure = speed**2 / (2 * square) + eta - head
                missed = np.concatenate([pressure, [ends @ (eta * stretch), eta[0] - eta[-1] - 2 * height]])
                slopes = np.zeros((harmonics + 3, harmonics + 3))
                faster = n * (stretch[:, None] * cos + shear[:, None] * sin)
                slopes[:-2, :-2] = cos - (speed / square)[:, None] ** 2 * faster
                slopes[:-2, -2], slopes[:-2, -1] = speed / square, -1
                slopes[-2, :-2] = ends @ (cos * stretch[:, None] + eta[:, None] * n * cos)
                slopes[-1, :-2] = cos[0] - cos[-1]
                step = np.linalg.solve(slopes, missed)
                a, speed, head = a - step[:-2], speed - step[-2], head - step[-1]
        if not np.abs(missed).max() < 1e-11:
            raise ArithmeticError(f"no wave of steepness {steepness:g} found")
        return cls(a, float(speed))

    def at(self, x: ArrayLike) -> tuple[Array, Array, Array]:
        """Return the elevation, and the potential and vertical velocity at the surface."""
        x, n = np.asarray(x, np.float64), np.arange(len(self.harmonics))
        xi = x
        for _ in range(50):
            phase = np.multiply.outer(xi, n)
            stretch = 1 + np.cos(phase) @ (n * self.harmonics)
            xi = xi - (xi + np.sin(phase) @ self.harmonics - x) / stretch
        phase = np.multiply.outer(xi, n)
        stretch, shear = 1 + np.cos(phase) @ (n * self.harmonics), np.sin(phase) @ (n * self.harmonics)
        return (
            np.cos(phase) @ self.harmonics,
            self.speed * np.sin(phase) @ self.harmonics,
            self.speed * shear / (stretch**2 + shear**2),
        )


def travel(
    steepness: float, order: int, cutoff: int = 8, steps: int = 60, periods: int = 10, losses: Losses | None = None
) -> tuple[float, float]:
    """Return the largest error of a steady wave's elevation over its amplitude after whole periods, and the error of
    its phase as a share of the distance."""
    wave, points = SteadyWave.of(steepness), smallest_grid(cutoff, 2 * math.pi, max(order, 3))
    solver = Solver((1, points), (1.0, 2 * math.pi), cutoff, order, losses=losses)
    eta, psi, _ = wave.at(2 * math.pi / points * np.arange(points))
    start = state = solver.state(0.0, eta[None], math.sqrt(GRAVITY) * psi[None])
    for _ in range(periods * steps):
        state = solver.step(state, PERIOD / wave.speed / steps)
    shape = np.abs(solver.grid(state.elevation - start.elevation)).max() / steepness
    phase = np.angle(state.elevation[0, 1] / start.elevation[0, 1]) / (2 * math.pi * periods)
    return float(shape), float(abs(phase))


def velocity_error(steepness: float, order: int, harmonics: int = 32) -> float:
    """Return the largest error of a steady wave's vertical velocity at the surface, in sqrt(g / k)."""
    wave, points = SteadyWave.of(steepness), 256
    solver = Solver((1, points), (1.0, 2 * math.pi), harmonics, order)
    eta, psi, w = (values[None] for values in wave.at(2 * math.pi / points * np.arange(points)))
    found = sum(solver.velocities(solver.spectrum(eta), solver.spectrum(psi))[1])
    return float(np.abs(solver.grid(solver.spectrum(found - w))).max())


def stokes() -> Iterator[Row]:
    for steepness, limit in ((0.1, 0.001), (0.2, 0.005), (0.3, 0.02)):
        shape, phase = travel(steepness, 5)
        yield Row(f"Stokes, ka = {steepness}, M = 5, 10 periods: elevation; at most", shape, limit)
        yield Row(f"Stokes, ka = {steepness}, M = 5, 10 periods: phase; at most", phase, limit)
    for order in range(1, 6):
        shape, _ = travel(0.1, order)
        yield Row(f"Stokes, ka = 0.1, M = {order}, 10 periods: elevation", shape, 0.0)


def vertical_velocity() -> Iterator[Row]:
    """Yield errors of the vertical velocity, beside those of HOS-ocean."""
    for steepness, published in HOS_OCEAN.items():
        for order, theirs in zip((2, 4), published, strict=True):
            found = velocity_error(steepness, order, 16 if steepness <= 0.1 else 32)
            yield Row(f"vertical velocity, ka = {steepness}, M = {order}; HOS-ocean", found, theirs)


def benjamin_feir(
    waves: int = 30, steepness: float = 0.05, periods: int = 600, losses: Losses | None = None
) -> Iterator[Row]:
    """Yield growth rates of sidebands at distances p from a wave train, in units of the train's frequency, beside those
    of Dysthe (1979), `p sqrt(8 e² (1 - p) - p²) / 8`."""
    side, points = 2 * math.pi * waves, smallest_grid(3.0, 2 * math.pi * waves, 3)
    solver = Solver((1, points), (1.0, side), 3.0, 3, losses=losses)
    x = side / points * np.arange(points)
    eta, psi, _ = SteadyWave.of(steepness).at(x)
    psi = math.sqrt(GRAVITY) * psi
    unstable = [n for n in range(1, waves) if 8 * steepness**2 * (1 - n / waves) > (n / waves) ** 2]
    for n in unstable:
        for k in (1 - n / waves, 1 + n / waves):
            eta = eta + 1e-5 * steepness * np.cos(k * x - np.pi / 4)
            psi = psi + 1e-5 * steepness * math.sqrt(GRAVITY / k) * np.exp(k * eta) * np.sin(k * x - np.pi / 4)
    state, heights = solver.state(0.0, eta[None], psi[None]), []
    for i in range(periods * 20):
        if i % 20 == 0:
            heights.append(np.abs(state.elevation[0]))
        state = solver.step(state, PERIOD / 20)
    late, time = slice(periods * 2 // 3, None), 2 * math.pi * np.arange(periods)
    for n in unstable:
        p = n / waves
        size = np.sum(heights, axis=1, where=np.isin(np.arange(points // 2 + 1), (waves - n, waves + n)))
        growth = np.polyfit(time[late], np.log(size[late]), 1)[0]
        theory = p / 8 * math.sqrt(8 * steepness**2 * (1 - p) - p * p)
        yield Row(f"Benjamin-Feir, ka = {steepness}, sidebands at {p:.3f}: growth rate", float(growth), theory)


# -- Random seas -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RandomSea:
    """A random sea whose waves run along x: solver, first state, and the variance of each wave of the state."""

    solver: Solver
    state: State
    k: Array  # wave numbers, (rows, columns / 2 + 1)
    power: Array  # expected variances [1/k_p²], the same shape

    @classmethod
    def of(
        cls,
        density: Callable[[Array, Array], Array],
        rng: np.random.Generator,
        lengths: int,
        steepness: float,
        *,
        order: int = 3,
        cutoff: float = 4.0,
        longest: float = 2.0,
        width: int = 0,
        depth: float = math.inf,
        ramp: float = 0.0,
    ) -> "RandomSea":
        """Return a sea on a tile of `lengths` peak wavelengths along x and `width` along z; 0: long-crested waves.

        `density` is the variance density over wave number and direction [rad], to any factor. Waves up to the wave
        number `longest` are drawn. The solver keeps waves up to `cutoff`, among them those bound to drawn waves.
        """
        side = 2 * math.pi * lengths
        across = 2 * math.pi * width if width else 1.0
        # All orders up to 3 share one grid, and so one draw.
        finest = max(order, 3)
        shape = smallest_grid(cutoff, across, finest) if width else 1, smallest_grid(cutoff, side, finest)
        kind: DispersionKind = "deep" if math.isinf(depth) else "finite-depth"
        solver = Solver(shape, (across, side), cutoff, order, depth, kind, ramp)
        kx = 2 * math.pi * np.fft.rfftfreq(shape[1], side / shape[1])
        kz = 2 * math.pi * np.fft.fftfreq(shape[0], across / shape[0])[:, None]
        k, there = np.hypot(kx, kz), (kx > 0) & (np.hypot(kx, kz) <= longest)
        angle = np.arctan2(kz, kx + 0 * kz)
        power = np.where(
            there, density(np.where(there, k, 1.0), angle) / (np.where(there, k, 1.0) if width else 1), 0.0
        )
        power *= (steepness / 2) ** 2 / power.sum()
        normal = rng.normal(size=(2, *power.shape))
        elevation = (normal[0] + 1j * normal[1]) * np.sqrt(power) / 2
        return cls(solver, State(0.0, elevation, solver.potential(-1j * solver.omega * elevation)), k, power)

    @property
    def scatter(self) -> tuple[float, float]:
        """Standard deviations of skewness and kurtosis of one Gaussian field with this spectrum on this tile."""
        correlation = self.solver.grid(self.power / self.power.sum() / 2)
        return math.sqrt(6 * abs(np.mean(correlation**3))), math.sqrt(24 * np.mean(correlation**4))

    def run(self, periods: int, steps: int = 20, peak: float = math.sqrt(GRAVITY)) -> Iterator[Array]:
        """Yield the elevation on the grid after each step, `steps` in a period of the peak."""
        state, step = self.state, 2 * math.pi / peak / steps
        for _ in range(periods * steps):
            state = self.solver.step(state, step)
            yield self.solver.grid(state.elevation)


def jonswap(k: Array, gamma: float = 3.3) -> Array:
    """Return JONSWAP's density over wave number in deep water, peak at 1."""
    peak = math.sqrt(GRAVITY)
    return JonswapShape(1.0, peak, gamma).density(np.sqrt(GRAVITY * k)) / np.sqrt(k)


def invariants(periods: int = 100) -> Iterator[Row]:
    """Yield the losses of a sea without a filter, in 40 steps a period and in the running sea's number of steps."""
    sea = RandomSea.of(lambda k, _: jonswap(k), np.random.default_rng(2), 16, 0.1, cutoff=5.0)
    before = sea.solver.energy(sea.state)
    for steps in (40, STEPS_A_PERIOD):
        state = sea.state
        for _ in range(periods * steps):
            state = sea.solver.step(state, PERIOD / steps)
        case = f"random sea, steepness 0.1, {periods} periods of {steps} steps"
        yield Row(f"{case}: change of energy; at most", abs(sea.solver.energy(state) / before - 1), 1e-3)
        yield Row(f"{case}: mean level; at most", abs(float(state.elevation[0, 0].real)) / 0.05, 1e-6)


def gale(periods: int = 100, size: int = 512) -> Iterator[Row]:
    """Yield the losses of a gale's longest tile over mean periods, after the start of nonlinear terms."""
    overrides = ["sea.dynamics=nonlinear", "sea.wind.speed=18", f"fft.size={size}"]
    waves = make_spectrum(resolve(load_settings(overrides=overrides))).waves[0]
    running, period = course(waves, 3), Extent.of(waves).period
    before, after = (running.solver.energy(running.at(time * period)) for time in (10, 10 + periods))
    yield Row(
        f"gale of 18 m/s, {periods} periods of {STEPS_A_PERIOD} steps: change of energy; at most",
        abs(after / before - 1),
        1e-3,
    )


@cache
def crests(steepness: float, seas: int = 3, lengths: int = 20, periods: int = 30) -> tuple[Array, Array]:
    """Return two numbers at crests of long-crested JONSWAP seas: the water's speed along the surface over the crest's
    speed (B of Barthelemy et al. 2018), and 1 - J with the Jacobian J of the displacement that shaders and foam use.

    Crests below a quarter of the significant height are left out. A crest's speed comes from its path in a quarter of a
    step.
    """
    ratios, folds = [], []
    for seed in range(seas):
        rng, ramp = np.random.default_rng(seed), 5 * PERIOD
        sea = RandomSea.of(lambda k, _: jonswap(k), rng, lengths, steepness, cutoff=5.0, longest=4.0, ramp=ramp)
        solver, state, step = sea.solver, sea.state, PERIOD / 40
        fine = 8 * solver.shape[1]
        side = 2 * math.pi * lengths
        x, ik = side / fine * np.arange(fine), 1j * sea.k

        def along(spectrum: Any, fine: int = fine) -> Array:
            return np.asarray(
                np.fft.irfft(np.pad(spectrum[0], (0, fine // 2 + 1 - spectrum.shape[1])), fine, norm="forward")
            )

        def top(eta: Array, at: Any) -> float:
            before, here, after = eta[at - 1], eta[at], eta[(at + 1) % len(eta)]
            return float(at + 0.5 * (before - after) / (before - 2 * here + after))

        for i in range(40 * periods):
            state = solver.step(state, step)
            if i < 8 * 40 or i % 20:
                continue
            eta, later = along(state.elevation), along(solver.step(state, step / 4).elevation)
            rise = along(solver.spectrum(np.sum(solver.velocities(state.elevation, state.potential)[1], axis=0)))
            current = along(ik * state.potential) - rise * along(ik * state.elevation)
            water, strain = x + along(1j * state.elevation), along(-sea.k * state.elevation)
            highest = (eta > np.roll(eta, 1)) & (eta >= np.roll(eta, -1)) & (eta > steepness / 2)
            for at in np.flatnonzero(highest):
                near = (at + np.arange(-3, 40)) % fine
                way = top(later, near[np.argmax(later[near])]) - top(eta, at)
                speed = ((way + fine / 2) % fine - fine / 2) * side / fine / (step / 4)
                if 0.3 < speed / math.sqrt(GRAVITY) < 2.5:  # not where one crest takes over from another
                    rests = np.argmin(np.abs((water - x[at] + side / 2) % side - side / 2))
                    ratios.append(current[at] / speed)
                    folds.append(-strain[rests])
    return np.array(ratios), np.array(folds)


def breaking() -> Iterator[Row]:
    """Yield the relation between the Jacobian of crests and their ratio of speeds."""
    for steepness in (0.06, 0.1, 0.13):
        ratios, folds = crests(steepness)
        case = f"crests, steepness {steepness}: 1 - J over the ratio of speeds"
        yield Row(case, float(ratios @ folds / (ratios @ ratios)), 1.0)
        yield Row(
            f"crests, steepness {steepness}: correlation of the two", float(np.corrcoef(ratios, folds)[0, 1]), 1.0
        )


def skewness(seas: int = 32, steepness: float = 0.1, lengths: int = 64) -> Iterator[Row]:
    """Yield the skewness of long-crested JONSWAP seas, beside `3 sum of min(k, k') P P' / variance^1.5`
    (Longuet-Higgins 1963)."""
    found = []
    for seed in range(seas):
        rng = np.random.default_rng(seed)
        sea = RandomSea.of(lambda k, _: jonswap(k), rng, lengths, steepness, cutoff=5.0, ramp=3 * PERIOD)
        late = [eta for i, eta in enumerate(sea.run(16)) if i >= 8 * 20 and i % 10 == 0]
        found.append(np.mean(np.power(late, 3)))
    power, k = sea.power[0], sea.k[0]
    scale = power.sum() ** 1.5
    theory = 3 * np.sum(np.minimum.outer(k, k) * np.outer(power, power)) / scale
    error = float(np.std(found) / math.sqrt(seas) / scale)
    yield Row(f"skewness, JONSWAP, steepness {steepness}, {seas} seas", float(np.mean(found)) / scale, theory, error)


@cache
def narrow(
    steepness: float, width: float, spread: float, seas: int, lengths: int, periods: int
) -> tuple[Array, Array, float]:
    """Return times [periods], the mean kurtosis of narrow seas, and its standard error at one time. The spectra are
    Gaussian, with a relative width of frequencies and, if not 0, a spread of directions [rad]."""

    def density(k: Array, angle: Array) -> Array:
        frequencies = np.exp(-((np.sqrt(k) - 1) ** 2) / (2 * width**2)) / np.sqrt(k)
        return frequencies * (np.exp(-(angle**2) / (2 * spread**2)) if spread else 1.0)

    second, fourth = [], []
    for seed in range(seas):
        rng = np.random.default_rng(seed)
        across = lengths if spread else 0
        sea = RandomSea.of(density, rng, lengths, steepness, cutoff=3.2, width=across, ramp=PERIOD)
        grids = (eta for i, eta in enumerate(sea.run(periods)) if i % 20 == 19)
        moments = np.array([(np.mean(eta**2), np.mean(eta**4)) for eta in grids])
        second.append(moments[:, 0])
        fourth.append(moments[:, 1])
    each = np.array(fourth) / np.mean(second, axis=0) ** 2
    return np.arange(1.0, periods + 1), each.mean(0), sea.scatter[1] / math.sqrt(seas)


def narrow_kurtosis(time: Array, steepness: float, width: float, spread: float) -> Array:
    """Return the kurtosis of narrow seas, `3 + 24 (k sigma)² + 3 BFI² J`, after times [peak periods].

    BFI is `sqrt(2) k sigma / width` with `k sigma = steepness / 2` (Janssen 2003). J grows to pi / (3 sqrt 3) along one
    direction (Mori and Janssen 2006). Over time and directions it is the integral of Janssen (2003) and Fedele (2015,
    "On the kurtosis of deep-water gravity waves").
    """
    at = np.linspace(0.0, 2 * math.pi * width**2 * float(np.max(time)), 20_001)
    ratio = spread**2 / (2 * width**2)
    root = np.sqrt((1 - 2j * at + 3 * at**2) * (1 + 2j * ratio * at + 3 * ratio**2 * at**2))
    grown = np.concatenate([[0.0], np.cumsum((2 / root).imag[:-1]) * at[1]])
    growth = np.interp(2 * math.pi * width**2 * time, at, grown)
    index = math.sqrt(2) * steepness / 2 / width
    return np.asarray(3 + 24 * (steepness / 2) ** 2 + 3 * index**2 * growth)


NARROW_SEAS = (
    *((steepness, 0.1, 0.0, 32, 512, 100) for steepness in (0.04, 0.07, 0.1)),
    *((0.1, 0.1, spread, 3, 24, 40) for spread in (0.1, 0.2, 0.4)),
)  # arguments of `narrow`


def kurtosis() -> Iterator[Row]:
    """Yield the kurtosis of narrow seas and that of theory, over the second half of the time."""
    for steepness, width, spread, seas, lengths, periods in NARROW_SEAS:
        time, found, error = narrow(steepness, width, spread, seas, lengths, periods)
        late = slice(periods // 2, None)
        theory = narrow_kurtosis(time, steepness, width, spread)
        name = f"{math.degrees(spread):.0f}° wide" if spread else "one direction"
        case = f"kurtosis, steepness {steepness}, {name}, {periods // 2} to {periods} periods"
        yield Row(case, float(found[late].mean()), float(theory[late].mean()), error)


# -- The default case of HOS-ocean -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Storm:
    """Records of a short-crested sea: crests of linear and of nonlinear waves, and their spectra."""

    crests: dict[int, list[Array]]  # heights over Hs in each of eight parts of the tile, by order
    spectra: dict[int, Array]  # variance density over wave number by order, at the end; by 0, at the start
    k: Array
    steepness: float  # 2 pi Hs / (g T1²), T1 being the mean period
    ursell: float
    skewness: dict[int, float]
    kurtosis: dict[int, float]
    theory: float  # skewness of second-order theory
    scatter: tuple[float, float]  # standard errors of skewness and kurtosis at one time

    def all_crests(self, order: int) -> Array:
        """Return the crests of all parts of the tile for an order, in one array."""
        return np.concatenate(self.crests[order])


def input_file_sea(lengths: int, order: int, cutoff: float = 5.0) -> tuple[RandomSea, float]:
    """Return the sea of HOS-ocean's input file and its depth, in lengths of 1 / kp: JONSWAP with gamma = 3.3,
    Tp = 10 s, Hs = 4.5 m, in 35 m of water, directions within 45° by `cos²(2 theta)` (Dysthe)."""
    height, peak, depth, beta = 4.5, 2 * math.pi / 10, 35.0, math.pi / 4
    unit = float(wavenumber(peak, depth))  # rad/m

    def density(k: Array, angle: Array) -> Array:
        w = angular_frequency(k * unit, depth)
        toward = np.where(np.abs(angle) < beta, np.cos(np.pi * angle / (2 * beta)) ** 2, 0.0)
        return JonswapShape(1.0, peak, 3.3).density(w) * group_speed(k * unit, depth) * toward

    rng, steepness, ramp = np.random.default_rng(1), unit * height / 2, 5 * PERIOD
    box: dict[str, Any] = {"width": lengths, "depth": depth * unit, "cutoff": cutoff, "longest": 2.5}
    return RandomSea.of(density, rng, lengths, steepness, order=order, ramp=ramp, **box), depth * unit


@cache
def storm(lengths: int = 24, periods: int = 40, steps: int = 20) -> Storm:
    made = {order: input_file_sea(lengths, order) for order in (1, 3)}
    seas, depth = {order: sea for order, (sea, _) in made.items()}, made[3][1]
    first = seas[3]
    moments = [float(np.sum(first.power * first.solver.omega**n)) for n in (0, 1)]
    frequency = moments[1] / moments[0]  # for lengths in 1/unit, as g is 9.81
    mean_k = float(wavenumber(frequency, depth))
    hs = 4 * math.sqrt(moments[0])
    lag = float(angular_frequency(1.0, depth))
    edges = np.arange(0.0, 5.0, 0.1)
    crests, spectra, skewed, peaked = {}, {}, {}, {}
    spectra[0] = rings(first.k, first.power, edges)
    for order, waves in seas.items():
        every = waves.solver.shape[1] // lengths
        series, late = [], []
        for i, eta in enumerate(waves.run(periods, steps, lag)):
            if i >= 8 * steps:
                series.append(eta[::every, ::every].ravel())
                if i % (2 * steps) == 0:
                    late.append(eta)
        values, deviation = np.array(late), float(np.std(series))
        parts = np.array_split(np.array(series), 8, axis=1)
        crests[order] = [crest_heights(part) / (4 * deviation) for part in parts]
        skewed[order], peaked[order] = (float(np.mean(values**n) / np.mean(values**2) ** (n / 2)) for n in (3, 4))
        last = np.abs(waves.solver.spectrum(values[-1])) ** 2 * 2
        spectra[order] = rings(waves.k, last, edges)
    return Storm(
        crests,
        spectra,
        (edges[:-1] + edges[1:]) / 2,
        hs * frequency**2 / (2 * math.pi * GRAVITY),
        hs / (mean_k**2 * depth**3),
        skewed,
        peaked,
        bound_skewness(first, depth),
        first.scatter,
    )


def rings(k: Array, power: Array, edges: Array) -> Array:
    return np.asarray(np.histogram(k, edges, weights=power)[0] / np.diff(edges))


def crest_heights(series: Array) -> Array:
    """Return the highest value between each upward and the next downward crossing of zero, of series (time, point)."""
    found = []
    for h in series.T:
        for start, end in pairwise(np.flatnonzero((h[:-1] < 0) & (h[1:] >= 0))):
            found.append(h[start + 1 : end + 1].max())
    return np.array(found)


def bound_skewness(sea: RandomSea, depth: float) -> float:
    """Return the skewness of second-order theory, from pairs of waves drawn by their variance."""
    rng, power = np.random.default_rng(0), sea.power.ravel() / sea.power.sum()
    rows, columns = sea.k.shape
    kx = np.broadcast_to(np.arange(columns), sea.k.shape).ravel()
    kz = np.broadcast_to(np.fft.fftfreq(rows, 1 / rows)[:, None], sea.k.shape).ravel()
    one, other = rng.choice(power.size, (2, 200_000), p=power)
    k, angle = sea.k.ravel(), np.arctan2(kz, kx)
    distinct = np.where(k[one] == k[other], 1 + 1e-6, 1.0)  # kernels have a limit there
    plus, minus = second_order.kernels(k[one] * distinct, k[other], angle[one] - angle[other] + 1e-6, depth)
    return 3 * float(np.mean((plus + minus) / 2)) * math.sqrt(sea.power.sum())


def rayleigh(share: float) -> float:
    """Return the height over Hs that a share in (0, 1] of the crests of linear waves exceeds (Longuet-Higgins 1952).

    Heights of waves from trough to crest are twice as large.
    """
    return math.sqrt(-math.log(share) / 8)


def forristall(share: float, steepness: float, ursell: float = 0.0) -> float:
    """Return the height over Hs that a share in (0, 1] of the crests of short-crested waves exceeds.

    `steepness` is 2 pi Hs / (g T1²) with the mean period T1, `ursell` Hs / (k1² d³) (Forristall 2000, eqs. 9 to 12).
    """
    alpha = 0.3536 + 0.2568 * steepness + 0.0800 * ursell
    beta = 2 - 1.7912 * steepness - 0.5302 * ursell + 0.284 * ursell**2
    return float(alpha * (-math.log(share)) ** (1 / beta))


def short_crested() -> Iterator[Row]:
    """Yield the statistics of HOS-ocean's default sea beside those of second-order theory."""
    sea = storm()
    for order, theory in ((1, 0.0), (3, sea.theory)):
        name = f"HOS-ocean's default sea, M = {order}"
        yield Row(f"{name}: skewness", sea.skewness[order], theory, sea.scatter[0])
        yield Row(f"{name}: kurtosis", sea.kurtosis[order], 3 + 4 / 3 * theory**2, sea.scatter[1])
        for share in (0.1, 0.01, 0.001):
            crest = float(np.quantile(sea.all_crests(order), 1 - share))
            error = np.std([np.quantile(part, 1 - share) for part in sea.crests[order]]) / math.sqrt(8)
            expected = forristall(share, sea.steepness, sea.ursell) if order > 1 else rayleigh(share)
            law = "Forristall (2000)" if order > 1 else "Rayleigh"
            yield Row(f"{name}: highest of {1 / share:.0f} crests / Hs; {law}", crest, expected, float(error))


# -- Report ----------------------------------------------------------------------------------------------------------


def draw(path: Path, rows: list[Row]) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6.5), layout="constrained")
    (growth, peaked), (tops, spectra) = figure.subplots(2, 2)
    found = [row for row in rows if row.case.startswith("Benjamin-Feir")]
    p = np.array([float(row.case.split(" at ")[1].split(":")[0]) for row in found])
    line = np.linspace(0, 2 * math.sqrt(2) * 0.05, 200)
    growth.plot(line, line / 8 * np.sqrt(np.maximum(8 * 0.05**2 * (1 - line) - line**2, 0)), "k", label="Dysthe (1979)")
    growth.plot(p, [row.found for row in found], "o", label="solver")
    growth.set(xlabel="distance of the sidebands, Δk / k", ylabel="growth rate / ω", title="Wave train, ka = 0.05")
    for case in NARROW_SEAS:
        time, values, _ = narrow(*case)
        name = f"{math.degrees(case[2]):.0f}°" if case[2] else "one direction"
        line = peaked.plot(time, values, lw=1, label=f"$k_p H_s / 2$ = {case[0]}, {name}")[0]
        peaked.plot(time, narrow_kurtosis(time, *case[:3]), ":", lw=1, color=line.get_color())
    peaked.set(xlabel="peak periods", ylabel="kurtosis", title="Narrow seas; dotted: theory")
    sea = storm()
    shares = np.logspace(0, -3.7, 100)
    for order, style in ((1, "C0."), (3, "C1.")):
        heights = np.sort(sea.all_crests(order))[::-1]
        ranks = np.unique(np.geomspace(1, len(heights), 150).astype(int)) - 1
        tops.semilogy(heights[ranks], (ranks + 1) / len(heights), style, ms=3, label=f"solver, M = {order}")
    tops.semilogy([rayleigh(s) for s in shares], shares, "C0", lw=1, label="Rayleigh")
    tops.semilogy([forristall(s, sea.steepness, sea.ursell) for s in shares], shares, "C1", lw=1, label="Forristall")
    tops.set(xlabel="crest / $H_s$", ylabel="share of crests above", title="HOS-ocean's default sea: crests")
    for order, name in ((0, "start, expected"), (1, "M = 1, end"), (3, "M = 3, end")):
        spectra.semilogy(sea.k, np.maximum(sea.spectra[order] / sea.spectra[0].max(), 1e-6), label=name)
    spectra.set(xlabel="$k / k_p$", ylabel="variance density", ylim=(1e-4, 2), title="HOS-ocean's default sea: spectra")
    peaked.set_ylim(top=4.4)  # room for the legend
    for axes in (growth, peaked, tops, spectra):
        axes.legend(fontsize=7, frameon=False)
    figure.savefig(path, dpi=100)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder of nonlinear.txt and nonlinear.png")
    arguments = parser.parse_args()
    cases = (stokes, vertical_velocity, invariants, gale, benjamin_feir, skewness, kurtosis, short_crested, breaking)
    rows = []
    for case in cases:
        for row in case():
            print(row, flush=True)
            rows.append(row)
    program, host = program_facts(), host_facts()
    head = [
        "The nonlinear solver of ocean.waves (numpy, float64) against exact waves and theory",
        command_line(),
        f"{utc_now():%Y-%m-%d}, ocean {program.version}, commit {program.git_commit}, {host.cpu}, "
        f"{host.logical_cores} cores, Python {host.python}, "
        + ", ".join(f"{name} {host.packages[name]}" for name in ("numpy", "scipy")),
        "",
        f"{'case; the last column is theory, or what the case names':<80}{'found':>12} {'± 1 s.e.':<10}{'theory':>12}",
    ]
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "nonlinear.txt").write_text("\n".join([*head, *map(str, rows)]) + "\n", encoding="utf-8")
    draw(arguments.out / "nonlinear.png", rows)


if __name__ == "__main__":
    main()
