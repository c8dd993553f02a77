"""A sea on the GPU whose settings change at random while it runs: each change is accepted or refused, and each frame is
finite."""

import time

import moderngl
import numpy as np

from ocean.common.errors import InputError
from ocean.fft import BACKENDS, FFTError
from ocean.sea.sea import Sea
from ocean.settings import load_settings, with_values

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
