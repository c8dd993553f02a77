"""Seas at the limits of their settings. On the processor, at any time, each sea is finite or its settings are refused.
On the GPU, settings change at random while the sea runs: each change is accepted or refused, and each frame is finite.
"""

import time
from collections.abc import Callable

import moderngl
import numpy as np

from ocean.common.errors import InputError
from ocean.fft import BACKENDS, FFTError
from ocean.sea.sea import Sea, make_sea
from ocean.settings import load_settings, with_values
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
TIMES = 0.0, -1.0, -1e9, 1e9, -1e12, 1e12, 123.4


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


CHANGES = {
    "fft.size": (16, 24, 32, 48, 64, 94),
    "fft.backend": tuple(BACKENDS),
    "fft.fused": (True, False),
    "fft.half_derivatives": (True, False),
    "sea.wind.speed": (0.0, 3.0, 10.0, 20.0, 40.0),
    "sea.seed": (1, 2, 3),
    "sea.depth": (2.0, 50.0, 5000.0),
    "sea.swell.height": (0.0, 2.0),
    "cascades.count": (1, 2, 3, 4),
    "foam.resolution": (64, 128),
}
SOLVED = {  # nonlinear waves take seconds for each start
    "fft.size": (16, 24, 32),
    "sea.dynamics": ("linear", "nonlinear", "nonlinear"),
    "sea.order": (1, 2, 3),
}
LEAPS = -1e3, -0.1, 1e3, 1e9  # s


def campaign(
    ctx: moderngl.Context, rng: np.random.Generator, count: int, until: float, solved: bool = False
) -> tuple[int, int, list[str]]:
    """Make `count` changes, or as many as fit until a time, also of nonlinear waves if `solved`. Return the numbers of
    accepted and refused changes, and the faults."""
    start = ["fft.size=16", "sea.dynamics=nonlinear"] if solved else ["fft.size=32"]
    sea = Sea(ctx, load_settings(overrides=["foam.resolution=64", *start]))
    changes = CHANGES | SOLVED if solved else CHANGES
    taken = refused = 0
    faults: list[str] = []
    now = 0.0
    try:
        while taken + refused < count and time.monotonic() < until:
            key = str(rng.choice(list(changes)))
            value = changes[key][rng.integers(len(changes[key]))]
            blend, background = float(rng.choice([0.0, 0.5])), bool(rng.integers(2))
            try:
                sea.apply(with_values(sea.settings, {key: value}), blend, background)
                taken += 1
            except (FFTError, InputError):
                refused += 1
            for _ in range(rng.integers(0, 4)):
                now += float(rng.choice(LEAPS) if rng.integers(16) == 0 else rng.uniform(0, 0.3))
                sea.update(now)
            sea.update(now)
            if not all(np.isfinite(field).all() for field in sea.fields().values()):
                faults.append(f"values that are not finite after {key} = {value}")
            if ctx.error != "GL_NO_ERROR":
                faults.append(f"a GL error after {key} = {value}")
    except Exception as error:
        faults.append(f"{type(error).__name__} after {taken + refused} changes, the last of {key} to {value}: {error}")
    finally:
        sea.release()
    return taken, refused, faults
