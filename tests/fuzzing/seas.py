"""Seas with settings at and between their limits, computed on the processor at any time: each is finite, or its
settings are refused."""

from collections.abc import Callable

import numpy as np

from ocean.sea.sea import make_sea
from ocean.settings import load_settings
from ocean.waves.spectra import Spectrum
from ocean.waves.spreading import Spreading

from ..seas import kinds

ENDS: dict[str, tuple[float | str, ...]] = {
    "sea.order": (1, 2, 3, 5),
    "sea.crests": ("first-order", "second-order"),
    "sea.depth": (2.0, 10.0, 200.0, 5000.0),
    "sea.dispersion": ("deep", "finite-depth", "capillary-gravity"),
    "sea.choppiness": (0.0, 1.0, 1.5),
    "sea.loop_period": (0.0, 1.0, 60.0, 1e6),
    "sea.wind.speed": (0.0, 0.023, 0.1, 3.0, 15.0, 40.0),
    "sea.wind.fetch": (1e3, 3e5, 5e6),
    "sea.wind.height": (0.0, 0.1, 5.0, 20.0),
    "sea.wind.period": (1.0, 8.0, 25.0),
    "sea.swell.height": (0.0, 1.0, 15.0),
    "sea.swell.period": (4.0, 12.0, 25.0),
    "sea.wind.spectrum": (*kinds(Spectrum), "{kind='jonswap',gamma=10}"),
    "sea.wind.spreading": tuple(kinds(Spreading)),
    "cascades.count": (1, 2, 3, 4),
    "fft.size": (16, 18, 22),
}
TIMES = 0.0, -1.0, -1e9, 1e9, 1e15, 1e300, 123.4


def attempt(rng: np.random.Generator) -> tuple[str, Callable[[], object]]:
    """Return a random input, and a function that computes its sea."""
    words = [f"{name}={value(rng, ENDS[name])}" for name in ENDS if rng.integers(2)]
    words.append(f"sea.dynamics={rng.choice(['linear', 'nonlinear'])}")
    time = float(rng.choice(TIMES))
    return f"{words} at {time} s", lambda: surface(words, time)


def value(rng: np.random.Generator, ends: tuple[float | str, ...]) -> float | str:
    """Return one of several values, or a number between the first and the last."""
    first, last = ends[0], ends[-1]
    if isinstance(first, float) and isinstance(last, float) and rng.integers(2):
        return float(round(first + (last - first) * rng.random() ** 4, 3))
    return ends[rng.integers(len(ends))]


def surface(words: list[str], time: float) -> None:
    """Compute the maps of a sea at a time [s], and query a height."""
    sea = make_sea(load_settings(overrides=["fft.size=16", "fft.backend=numpy", *words]))
    sea.update(time)
    assert all(np.isfinite(field).all() for field in sea.fields().values()), "values that are not finite"
    assert np.isfinite(sea.surface(1.0, 2.0).height), "a height that is not finite"
    sea.release()
