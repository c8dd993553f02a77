"""The FFT options of a first start: the fastest of a few is kept for `auto`, and each makes the same sea."""

import numpy as np
import pytest

from ocean import fft
from ocean.fft.auto import TunedPlans, cache_file, tuned_plans, use_cache
from ocean.sea import fft_choice
from ocean.sea.fft_choice import CANDIDATES, GAIN, keep_fastest
from ocean.settings import load_settings
from ocean.window.session import starting_level

from ..seas import relative_error

SMALL = ["fft.size=64", "cascades.count=1", "foam.resolution=64"]


@pytest.fixture
def gpu(ctx, tmp_path, monkeypatch):
    """Return this context as that of a GPU that has never been measured, with an empty cache in use."""
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: str(tmp_path))
    monkeypatch.setattr(fft_choice, "is_software", lambda ctx: False)
    use_cache()
    yield ctx
    use_cache(False)


def choose(gpu, monkeypatch, times, *overrides):
    monkeypatch.setattr(fft_choice, "medians", lambda *_: times)
    return keep_fastest(gpu, load_settings(overrides=[*SMALL, *overrides]))


@pytest.mark.parametrize(
    ("times", "best"),
    [([1.0, 0.9, 0.8], 2), ([1.0, 0.5, 0.8], 1), ([1.0, 1 - GAIN / 2, 1.0], 0), ([1.0, 2.0, 3.0], 0)],
)
def test_the_fastest_is_kept_if_it_gains_more_than_chance(gpu, monkeypatch, times, best):
    assert choose(gpu, monkeypatch, times) == times
    (plan,) = TunedPlans.load(cache_file(gpu.info["GL_RENDERER"])).plans
    assert (plan.size, plan.layers, plan.options) == (64, 2, {})
    assert plan.fused.options == plan.fused.first == CANDIDATES[best]
    assert tuned_plans(gpu).plans == (plan,)
    assert choose(gpu, monkeypatch, times) == []  # known from now on
    assert len(choose(gpu, monkeypatch, times, "fft.size=32")) == 3
    assert [plan.size for plan in TunedPlans.load(cache_file(gpu.info["GL_RENDERER"])).plans] == [32, 64]


def test_without_a_cache_a_choice_lasts_for_this_run(gpu, monkeypatch, tmp_path):
    use_cache(False)
    choose(gpu, monkeypatch, [1.0, 0.5, 0.8])
    assert tuned_plans(gpu).plans[0].fused.options == CANDIDATES[1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("overrides", [["fft.backend=stockham-radix4"], ["fft.fused=false"]])
def test_chosen_kernels_are_not_timed(gpu, monkeypatch, overrides):
    assert choose(gpu, monkeypatch, [1.0, 0.5, 0.8], *overrides) == []
    assert tuned_plans(gpu) is None


def test_a_first_start_on_a_gpu_times_the_sizes_of_its_levels(gpu, monkeypatch):
    timed = []
    monkeypatch.setattr("ocean.window.session.keep_fastest", lambda ctx, settings: timed.append(settings.fft.size))
    starting_level(gpu, 1.0, measure=lambda *_: 0.0)
    assert timed == [128, 256, 512, 1024]


def test_a_software_renderer_times_nothing(ctx, monkeypatch):
    monkeypatch.setattr(fft_choice, "is_software", lambda ctx: True)
    assert keep_fastest(ctx, load_settings(overrides=SMALL)) == []


def test_candidates_are_timed(gpu):
    times = keep_fastest(gpu, load_settings(overrides=[*SMALL, "fft.size=16"]))
    assert len(times) == len(CANDIDATES)
    assert min(times) > 0


@pytest.mark.parametrize("options", CANDIDATES[1:], ids=lambda options: f"radix {options['radix']}")
def test_a_choice_changes_a_sea_by_rounding_alone(ctx, make_sea, options):
    sea = make_sea(*SMALL)
    sea.update(12.0)
    usual = sea.storage.read()
    plan = fft.fuse("stockham-registers", sea.storage, sea.source(), options)
    plan.inverse()
    plan.release()
    assert relative_error(sea.storage.read(), usual.astype(np.complex128)) < 1e-6
