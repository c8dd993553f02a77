"""A short part of each campaign. `make fuzz` runs the campaigns for an hour."""

import re
import sys
from functools import partial
from math import inf

import numpy as np
import pytest

from ocean.common.resources import folder
from tests.fuzzing import files, kills, seas, settings, window
from tests.fuzzing.__main__ import SLOW_SEA, inputs
from tests.marks import slow

QUICK = "npz", "zarr", "png16", "swd"  # kinds of runs that take about a second


def test_random_settings_are_refused_or_run(tmp_path, rng):
    outcomes, _, faults = inputs(partial(settings.attempt, rng, tmp_path), 1000, inf)
    assert not faults
    assert {"accepted", "refused"} <= set(outcomes)


@pytest.fixture(scope="module")
def kinds(tmp_path_factory):
    return files.samples(tmp_path_factory.mktemp("samples"), np.random.default_rng(26))


@pytest.mark.filterwarnings("ignore")  # wavespectra leaves unreadable files open
def test_damaged_files_are_refused_or_read(tmp_path, rng, kinds):
    files.spectrum(folder("assets") / "example-buoy.data_spec", 60.0)  # start the process, which takes seconds
    outcomes, _, faults = inputs(partial(files.attempt, rng, tmp_path, kinds), 40, inf)
    assert not faults
    assert outcomes["refused"] > outcomes["accepted"] / 10


def test_a_seed_repeats_the_inputs(tmp_path, kinds):
    def tried():
        rng = np.random.default_rng(26)
        campaigns = (
            partial(settings.attempt, rng, tmp_path),
            partial(seas.attempt, rng),
            partial(files.attempt, rng, tmp_path, kinds),
        )
        return [one()[0] for one in campaigns for _ in range(4)]

    assert tried() == tried()


def test_killed_runs_leave_no_broken_output(tmp_path, rng):
    killed, faults = kills.campaign(rng, tmp_path, 2, inf, QUICK)
    assert not faults
    assert sum(killed.values()) > 0


@pytest.mark.parametrize(
    ("fault", "found", "longest"),
    [slow(kills.in_place, "npz: frame.* is not whole", 30.0), (kills.stuck, "hangs", 1.0)],
)
def test_kills_find_a_planted_fault(tmp_path, rng, fault, found, longest):
    def campaign(number):
        (tmp_path / str(number)).mkdir()
        return kills.campaign(rng, tmp_path / str(number), 4, inf, ("npz",), fault, longest)[1]

    assert any(re.search(found, one) for number in range(6) for one in campaign(number))  # a kill may come between two


def test_random_seas_run_at_any_time(rng):
    outcomes, _, faults = inputs(partial(seas.attempt, rng), 8, inf, SLOW_SEA)
    assert not faults
    assert outcomes["accepted"] > 0


@pytest.mark.parametrize(("count", "solved"), [(15, False), (5, True)])
def test_a_running_sea_takes_any_changes(ctx, rng, count, solved):
    taken, _, faults = seas.campaign(ctx, rng, count, inf, solved)
    assert not faults
    assert taken > 0


PLANTED = """
from ocean.cli import main
from ocean.window.desktop import Desktop
Desktop.on_mouse_press_event = lambda *_: 1 / 0
main()
"""


@pytest.mark.window
@pytest.mark.skipif(bool(window.MISSING), reason="needs a virtual display, a window manager and xdotool")
def test_a_walk_over_the_window_finds_a_planted_fault(tmp_path, rng):
    program = sys.executable, "-c", PLANTED
    walked, faults = window.campaign(rng, tmp_path, 5 * window.STEPS, inf, program)
    assert walked["steps"] > 0
    assert any("ZeroDivisionError" in fault and "click" in fault for fault in faults)
