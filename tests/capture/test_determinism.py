"""One sea for one seed: in another process, after a loop period, and on the way from one sea state to the next."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ocean.gpu.context import create_headless_context
from ocean.gpu.passes import run_passes
from ocean.sea.blend import make_spectrum
from ocean.sea.sea import Sea
from ocean.settings import load_settings, with_values
from ocean.waves import statistics

ROOT = Path(__file__).parents[2]
SEA = ("fft.size=64", "foam.resolution=64", "sea.seed=7", "sea.beaufort=6", "sea.swell.height=1.5", "sea.depth=30")


def print_digests() -> None:
    """Print digests of this sea's amplitudes and of its maps at a late time, for another process."""
    settings = load_settings(overrides=SEA)
    host, gpu = hashlib.sha256(), hashlib.sha256()
    for cascade in make_spectrum(settings).cascades:
        for array in (cascade.draw, cascade.steps, cascade.variance):
            host.update(np.ascontiguousarray(array))
    ctx = create_headless_context()
    sea = Sea(ctx, settings)
    sea.update(86_401.5)
    gpu.update(sea.textures.amplitudes.read())
    gpu.update(sea.maps.read())
    print(host.hexdigest(), gpu.hexdigest())
    sea.release()


def test_two_processes_make_the_same_sea_bit_for_bit():
    """The processes differ in how strings are hashed and in the number of threads, which must not matter."""
    code = "from tests.capture.test_determinism import print_digests; print_digests()"
    digests = set()
    for number in ("1", "2"):
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "LP_NUM_THREADS"), number)
        environment = {**os.environ, **threads, "PYTHONHASHSEED": number}
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        host, gpu = run.stdout.split()
        assert len(host) == len(gpu) == 64
        digests.add((host, gpu))
    assert len(digests) == 1


@pytest.mark.parametrize("period", [0.0, 47.7, 300.0, 3600.0])
@pytest.mark.parametrize("time", [0.0, 17.015625, 86_400.5])
def test_the_sea_repeats_bit_for_bit_after_a_loop_period(make_sea, period, time):
    sea = make_sea(f"sea.loop_period={period}", "sea.swell.height=1", "sea.swell.period=9")
    late = time + sea.settings.sea.period
    # t + T, where the sum of two floats is one: else the nearest t that is T before a float.
    time = late - sea.settings.sea.period
    sea.update(time)
    before = sea.maps.read()
    sea.update(time + 1.0)
    assert sea.maps.read() != before
    sea.update(late)
    assert sea.maps.read() == before


# From one sea state to the next.


def heights(sea):
    """Return the height of each living cascade, by what fixes its waves."""
    return dict(zip(sea.textures.keys, sea.fields()["height"].astype("f8"), strict=True))


@pytest.mark.parametrize(
    "states",
    [
        [{"sea.beaufort": number} for number in (5, 9, 0, 11, 6)],
        [{"sea.state": number} for number in (2, 9, 5, 0, 7)],
        [{"sea.swell.height": 2.0, "sea.swell.period": period} for period in (8.0, 20.0, 12.0, 25.0)],
    ],
    ids=["Beaufort", "WMO", "swell"],
)
@pytest.mark.parametrize(
    "frames", [pytest.param(25, marks=pytest.mark.slow, id="one by one"), pytest.param(7, id="within a blend")]
)
def test_no_wave_jumps_between_sea_states(make_sea, states, frames):
    """While time stands still, a step by a fraction d of a blend changes each wave by at most `d pi/2 sqrt(max(v, w))`,
    for variances v and w at its start and end: `sqrt(cos² v + sin² w)` changes no faster. This holds for the first and
    the last step too, across rungs of the ladder, where cascades come and go; within 3 sd of one draw."""
    sea, step, sides = make_sea("sea.wind.fetch=1e6"), 1 / 20, set()
    sea.update(3.0)
    before = heights(sea)
    for state in states:
        sea.apply(with_values(sea.settings, state), blend=1.0)
        for _ in range(frames):
            blend = sea.blend
            sea.begin(3.0, elapsed=step * blend.duration)  # may rebuild the passes
            run_passes(sea.ctx, sea.passes)
            now = heights(sea)
            sides |= {key.tile.side for key in now}
            nothing = np.zeros_like(next(iter(now.values())))
            moved = sum(np.mean((now.get(k, nothing) - before.get(k, nothing)) ** 2) for k in {*now, *before})
            pairs = zip(blend.start, blend.target, strict=True)
            powers = [np.maximum(start, target) for start, target in pairs]
            allowed = (step * np.pi / 2) ** 2 * sum(float(power.sum()) for power in powers)
            assert moved <= allowed * (1 + 3 * statistics.sampling_deviation(powers))
            before = now
    assert len(sides) > len(sea.tiles)  # there were rungs to cross
    assert sea.is_blending == (frames < 20)
