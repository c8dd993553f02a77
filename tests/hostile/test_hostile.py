"""A short part of each campaign, from a fresh seed. `make hostile` runs them for an hour."""

import time
from functools import partial

import pytest

from tests.hostile import files, kills, settings, soak
from tests.hostile.__main__ import inputs


def test_hostile_settings(tmp_path, rng):
    outcomes, _, faults = inputs(partial(settings.attempt, rng, tmp_path), 300, time.monotonic() + 20)
    assert not faults
    assert {"accepted", "refused"} <= set(outcomes)


@pytest.mark.filterwarnings("ignore")  # wavespectra leaves files open that it can't read
def test_damaged_files(tmp_path, rng):
    kinds = files.samples(tmp_path, rng)
    kinds.pop("netcdf", None)  # its process takes seconds to start, and has tests of its own
    outcomes, _, faults = inputs(partial(files.attempt, rng, tmp_path, kinds), 200, time.monotonic() + 20)
    assert not faults
    assert outcomes["refused"] > outcomes["accepted"] / 10


def test_killed_exports(tmp_path, rng):
    count, faults = kills.campaign(rng, tmp_path, 2, time.monotonic() + 30)
    assert not faults
    assert count > 0


def test_changes_of_a_running_sea(ctx, rng):
    taken, _, faults = soak.campaign(ctx, rng, 60, time.monotonic() + 30)
    assert not faults
    assert taken > 0
