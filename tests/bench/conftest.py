"""Tuned plans, and a cache of plans in the test's own folder."""

import pytest

from ocean import fft
from ocean.fft import auto as tuned
from ocean.fft.auto import TunedPlan, TunedPlans


@pytest.fixture
def cache(monkeypatch, tmp_path, ctx):
    """Return the path of the cache, where no file exists yet."""
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: str(tmp_path))
    yield tuned.cache_file(ctx.info["GL_RENDERER"])
    tuned.use_cache(False)


def plans(ctx, **changes):
    """Return tuned plans of this GPU: one plan for the size 64, or those of `changes`."""
    there = {"gpu": ctx.info["GL_RENDERER"], "driver": ctx.info["GL_VERSION"]}
    plan = TunedPlan(size=64, layers=2, backend="stockham-radix2", options={"butterflies": 2})
    return TunedPlans(**{**there, "plans": (plan,), **changes})


def picked(ctx, size=64):
    """Return the class of the transform that auto chooses in a context without tuning."""
    layers = fft.FieldLayers(ctx, size, 2)
    plan = fft.plan(ctx, "auto", layers)
    found = type(plan.transforms[0])
    plan.release()
    layers.release()
    return found
