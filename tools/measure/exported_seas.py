"""Exported seas against independent formulas: `python -m tools.measure.exported_seas`.

This script does not import the program. It runs `ocean export` and compares the files with the published JONSWAP, TMA
factor and Hasselmann spread, with a file of wavespectra as wavespectra reads it, with the dispersion relation, and with
Monahan's foam.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import wavespectra
import xarray
from numpy.typing import NDArray
from scipy.integrate import trapezoid
from scipy.optimize import brentq

Array = NDArray[np.float64]
G = 9.81
CHI = 5000.0  # g fetch / U² of a growing sea
APART = 0.25  # s between the three frames of an export
SEAWARDS = 75.0  # degrees clockwise from north towards which the default wind blows
W = np.geomspace(0.15, 60.0, 20_001)  # rad/s


def run(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", "ocean", *words], capture_output=True, text=True)


def exported(settings: tuple[str, ...], folder: Path, *more: str) -> list[dict[str, Array]]:
    out = Path(tempfile.mkdtemp(dir=folder)) / "out"
    words = ["export", "--device", "cpu", "--format", "npz", "--out", str(out), *more]
    words += [word for setting in settings for word in ("--set", setting)]
    done = run(*words)
    if done.returncode:
        raise SystemExit(done.stderr)
    return [dict(np.load(path)) for path in sorted(out.glob("*.npz"))]


# -- Expected ----------------------------------------------------------------------------------------------------------


def wave_number(w: Array, depth: float) -> Array:
    """Return the wave number k [rad/m] with w² = g k tanh(k d)."""
    each = [brentq(lambda k, w=w: G * k * np.tanh(min(k * depth, 300)) - w * w, 0, 5 + w * w / G * 50) for w in w[::50]]
    return np.asarray(np.exp(np.interp(np.log(w), np.log(w[::50]), np.log(each))))


def jonswap(alpha: float, peak: float, gamma: float) -> Array:
    """Return S(w) [m² s] of Hasselmann et al. (1973)."""
    width = np.where(peak >= W, 0.07, 0.09)
    bump = gamma ** np.exp(-((W - peak) ** 2) / (2 * width**2 * peak**2))
    return np.asarray(alpha * G**2 / W**5 * np.exp(-1.25 * (peak / W) ** 4) * bump)


def of_wind(speed: float) -> tuple[float, float, str]:
    """Return alpha and peak frequency [rad/s] of JONSWAP at a fetch of `CHI` U² / g, and the fetch as a setting."""
    setting = f"sea.wind.fetch={CHI * speed**2 / G}"
    return 0.076 * CHI**-0.22, 22 * G / speed * CHI ** (-1 / 3), setting


def first_moment(peak: float, speed: float) -> Array:
    """Return the first Fourier coefficient of Hasselmann's spread (1980) at each w: s / (s + 1)."""
    x = W / peak
    s = np.where(x < 1, 6.97 * x**4.06, 9.77 * x ** (-2.33 - 1.45 * (speed * peak / G - 1.17)))
    return np.asarray(s / (s + 1))


@dataclass(frozen=True)
class Sea:
    """A sea by its settings, with its expected spectrum S(w) and first Fourier coefficient of direction."""

    name: str
    settings: tuple[str, ...]
    density: Array
    first: Array
    depth: float
    peak: float

    @property
    def k(self) -> Array:
        return wave_number(W, self.depth)


def seas(folder: Path) -> list[Sea]:
    found = []
    for speed in (5.0, 10.0, 15.0, 20.0):
        alpha, peak, fetch = of_wind(speed)
        settings = (f"sea.wind.speed={speed}", fetch, "sea.depth=5000")
        density, first = jonswap(alpha, peak, 3.3), first_moment(peak, speed)
        found.append(Sea(f"JONSWAP, {speed:g} m/s", settings, density, first, 5000, peak))
    depth, speed = 15.0, 12.0
    alpha, peak, fetch = of_wind(speed)
    kd = wave_number(W, depth) * depth
    tma = jonswap(alpha, peak, 3.3) * np.tanh(kd) ** 2 / (1 + 2 * kd / np.sinh(np.minimum(2 * kd, 300)))
    settings = (f"sea.wind.speed={speed}", fetch, f"sea.depth={depth}")
    found.append(Sea("TMA, 12 m/s, 15 m deep", settings, tma, first_moment(peak, speed), depth, peak))
    return [*found, of_wavespectra(folder)]


def of_wavespectra(folder: Path) -> Sea:
    """Return the sea of a file that wavespectra writes: a narrow swell of 2.5 m without a tail."""
    f, direction, s = np.arange(0.03, 0.30, 0.005), np.arange(0.0, 360.0, 5.0), 15
    shape = np.exp(-0.5 * ((f - 0.09) / 0.015) ** 2)
    shape[f > 0.16] = 0
    spread = np.cos(np.radians(direction - (SEAWARDS + 180)) / 2) ** (2 * s)
    efth = shape[:, None] * spread / (spread.sum() * 5.0)
    efth *= (2.5 / 4) ** 2 / (efth.sum() * 5.0 * 0.005)
    data = xarray.DataArray(
        efth[None], dims=("time", "freq", "dir"), name="efth",
        coords={"time": [np.datetime64("2026-01-01")], "freq": f, "dir": direction},
    )  # fmt: skip
    path = folder / "swell.nc"
    data.to_dataset().to_netcdf(path)
    there = wavespectra.read_wavespectra(path).spec
    density = np.interp(W / (2 * np.pi), f, shape, 0, 0)
    density *= (float(there.hs().squeeze()) / 4) ** 2 / trapezoid(density, W)
    first = np.full_like(W, 1 - np.radians(float(there.dspr().squeeze())) ** 2 / 2)
    settings = ("sea.wind.spectrum.kind=file", f'sea.wind.spectrum.path="{path}"', "sea.depth=5000")
    return Sea("wavespectra, 2.5 m, no tail", settings, density, first, 5000, 2 * np.pi * 0.09)


# -- Measurements ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SeaStatistics:
    height: float  # Hs [m]
    slopes: tuple[float, float]  # variances along and across the wind, of waves below a wave number
    first: complex  # mean of e^{i direction} over the same waves; directions are relative to the wind
    dispersion: float  # rms of w / sqrt(g k tanh kd) - 1


def statistics_of(frames: list[dict[str, Array]], depth: float, longest: float) -> SeaStatistics:
    """Return the statistics of three frames; slopes and directions are of waves with k < `longest` [rad/m]."""
    before, now, after = frames
    variance, along, across = 0.0, 0.0, 0.0
    first, weight = 0j, 0.0
    errors: list[Array] = []
    for c, (side, turn) in enumerate(zip(now["side"], now["rotation"], strict=True)):
        n = now["height"].shape[-1]
        h = [np.fft.fft2(frame["height"][c].astype("f8")) / n**2 for frame in (before, now, after)]
        m = np.fft.fftfreq(n, 1 / n) * 2 * np.pi / side
        u, v = np.meshgrid(m, m)
        kx, kz = np.cos(turn) * u - np.sin(turn) * v, np.sin(turn) * u + np.cos(turn) * v  # east, south
        k = np.hypot(kx, kz)
        power = np.abs(h[1]) ** 2
        variance += power.sum()
        w = np.sqrt(G * k * np.tanh(np.minimum(k * depth, 300)))
        # h(t - dt) + h(t + dt) = 2 cos(w dt) h(t), for waves of both directions together.
        strong = (power > power.max() * 1e-3) & (k > 0) & (w * APART < 2.8)
        cosine = ((h[0] + h[2]) / h[1])[strong].real / 2
        errors.append(np.arccos(np.clip(cosine, -1, 1)) / APART / w[strong] - 1)
        few = (k > 0) & (k < longest)
        towards = np.radians(SEAWARDS)
        ahead, aside = kx * np.sin(towards) - kz * np.cos(towards), kx * np.cos(towards) + kz * np.sin(towards)
        along += (ahead**2 * power)[few].sum()
        across += (aside**2 * power)[few].sum()
        phase = np.where(few, w * APART, 1.0)
        travels = np.abs((h[2] - h[1] * np.exp(1j * phase)) / (2 * np.sin(phase))) ** 2  # only waves along k
        first += (travels * (ahead + 1j * aside) / np.where(k > 0, k, 1))[few].sum()
        weight += travels[few].sum()
    off = np.concatenate(errors)
    return SeaStatistics(4 * np.sqrt(variance), (along, across), first / weight, float(np.sqrt(np.mean(off**2))))


def foam(speed: float, folder: Path, seed: int) -> float:
    """Return the mean foam of 800 m x 800 m of sea."""
    settings = (f"sea.wind.speed={speed}", f"sea.seed={seed}", "foam.law=monahan-1980", "fft.size=128")
    more = ("--device", "gpu", "--maps", "foam", "--patch", "800x800", "--fps", "12", "--duration", "0.05")
    return float(exported(settings, folder, "--spacing", "2", *more)[0]["patch_foam"].mean())


def compare(
    sea: Sea, folder: Path, seeds: int, size: int, draw: Callable[..., Iterable[SeaStatistics]] = map
) -> list[tuple[str, str, float, float, float]]:
    """Return rows (sea, number, expected, mean, standard error of the mean) over seeds, whose seas `draw` exports."""
    longest = float(np.interp(3 * sea.peak, W, sea.k))

    def one(seed: int) -> SeaStatistics:
        more = ("--maps", "displacement", "--start", "7", "--fps", str(1 / APART), "--duration", str(3 * APART))
        settings = *sea.settings, f"fft.size={size}", f"sea.seed={seed}", "sea.crests=first-order"  # as the formulas
        frames = exported(settings, folder, *more)
        return statistics_of(frames, sea.depth, longest)

    draws = list(draw(one, range(100, 100 + seeds)))
    few = sea.k < longest
    S, k, w = sea.density[few], sea.k[few], W[few]
    energy = trapezoid(S, w)
    first = trapezoid(S * sea.first[few], w) / energy
    rows: list[tuple[str, float, Callable[[SeaStatistics], float]]] = [
        ("Hs [m]", 4 * np.sqrt(trapezoid(sea.density, W)), lambda d: d.height),
        ("slope variance", trapezoid(S * k**2, w), lambda d: sum(d.slopes)),
        ("direction off the wind [°]", 0.0, lambda d: float(np.degrees(np.angle(d.first)))),
        ("spread [°]", np.degrees(np.sqrt(2 * (1 - first))), lambda d: np.degrees(np.sqrt(2 * (1 - abs(d.first))))),
        ("phase speed, rms error [%]", 0.0, lambda d: 100 * d.dispersion),
    ]
    found = []
    for name, expected, number in rows:
        values = np.array([number(draw) for draw in draws])
        found.append((sea.name, name, float(expected), float(values.mean()), float(values.std(ddof=1) / seeds**0.5)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.measure.exported_seas", description=__doc__)
    parser.add_argument("--seeds", type=int, default=24, help="draws of each sea; 0 for none (default: 24)")
    parser.add_argument("--foam", type=int, default=4, help="draws of each sea with foam; 0 for none (default: 4)")
    parser.add_argument("--size", type=int, default=256, help="texels a side (default: 256)")
    given = parser.parse_args()
    print("| sea | number | formula | export | standard error |\n| --- | --- | ---: | ---: | ---: |", flush=True)
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(2) as pool:
        folder = Path(scratch)
        for sea in seas(folder) if given.seeds > 1 else ():
            for name, what, *numbers in compare(sea, folder, given.seeds, given.size, pool.map):
                print(f"| {name} | {what} | {' | '.join(f'{number:.4g}' for number in numbers)} |", flush=True)
        for speed in (15.0, 20.0) if given.foam > 1 else ():
            each = np.array([foam(speed, folder, seed) for seed in range(100, 100 + given.foam)])
            numbers = [3.84e-4 * speed**3.41, 100 * each.mean(), 100 * each.std(ddof=1) / given.foam**0.5]
            print(
                f"| JONSWAP, {speed:g} m/s | foam [%] | {' | '.join(f'{number:.3g}' for number in numbers)} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
