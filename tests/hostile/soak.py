"""A sea on the GPU whose settings change at random while it runs: each change is taken or refused, and each frame is
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


def campaign(ctx: moderngl.Context, rng: np.random.Generator, count: int, until: float) -> tuple[int, int, list[str]]:
    """Make `count` changes, or as many as fit until a time; return how many were taken and refused, and faults."""
    sea = Sea(ctx, load_settings(overrides=["fft.size=32", "foam.resolution=64"]))
    taken = refused = 0
    faults: list[str] = []
    now = 0.0
    try:
        while taken + refused < count and time.monotonic() < until:
            key = str(rng.choice(list(CHANGES)))
            value = CHANGES[key][rng.integers(len(CHANGES[key]))]
            blend, background = float(rng.choice([0.0, 0.5])), bool(rng.integers(2))
            try:
                sea.apply(with_values(sea.settings, {key: value}), blend, background)
                taken += 1
            except (FFTError, InputError):
                refused += 1
            for _ in range(rng.integers(0, 4)):
                now += float(rng.uniform(0, 0.3))
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
