"""Quality automatic on simulated times of frames."""

import numpy as np
import pytest

from ocean.common.resources import LEVELS, config
from ocean.settings import changes_to, level_of, load_settings, with_values
from ocean.window.automatic import RECENT, SCALES, Automatic, Choice

RATE, EVERY, LATE, BLEND = 60, 2, 4, 2.0  # Hz; 1 of 2 frames is timed; frames until its time arrives; s


def simulate(load, seconds, start="high", noise=0.05, fixed=0.2, growth=1.0, seed=1, automatic=None):
    """Let quality automatic run on a display, and return it with its choices as (time [s], choice).

    `load(time)` is the time of a frame of `high` at full size [ms], of which a fraction `fixed` does not shrink with
    the picture. `growth` scales the true cost of each higher level. One frame in fifty is a spike. A change of level
    blends for two seconds, in which frames are slower and do not count.
    """
    rng = np.random.default_rng(seed)
    automatic = automatic or Automatic(load_settings(config(start)), RATE)
    now, frame, blends_until = 0.0, 0, -1.0
    in_flight, changes = [], []
    while now < seconds:
        level, scale = automatic.choice
        full = Choice(level, 1.0).cost / Choice("high", 1.0).cost * growth ** (LEVELS.index(level) - 2)
        ms = load(now) * full * (fixed + (1 - fixed) * scale**2) * rng.lognormal(0, noise)
        ms *= (1.5 if now < blends_until else 1.0) * (4.0 if rng.random() < 0.02 else 1.0)
        elapsed = np.ceil(ms * RATE / 1e3) / RATE
        now, frame = now + elapsed, frame + 1
        if frame % EVERY == 0:
            in_flight.append((frame, ms))
        arrived = [one for one in in_flight if one[0] <= frame - LATE]
        in_flight = in_flight[len(arrived) :]
        if now < blends_until:
            automatic.rest(frame)
        elif automatic.step(elapsed, arrived):
            automatic.rest(frame)
            changes.append((now, automatic.choice))
            if automatic.choice.level != level:
                blends_until = now + BLEND
    return automatic, changes


@pytest.mark.parametrize("load", [17.0, 25.0, 40.0, 60.0])
def test_a_slow_start_settles_within_two_seconds_and_stays(load):
    """The blend of a level, in which no choice is possible, does not count."""
    automatic, changes = simulate(lambda _: load, 60)
    blends = BLEND * len({choice.level for _, choice in changes} - {"high"})
    assert changes
    assert changes[-1][0] < 2 + blends
    assert automatic.ms < 0.93 * automatic.budget
    assert changes[0][1].level == "high" or load > 40  # the scale comes first


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("noise", [0.02, 0.06])
@pytest.mark.parametrize("load", [10.5, 13.0])
def test_frames_that_fit_change_nothing(load, noise, seed):
    assert simulate(lambda _: load, 30, noise=noise, seed=seed)[1] == []


def test_a_step_in_load_changes_down_at_once_and_up_slowly():
    automatic, changes = simulate(lambda now: 24.0 if 10 < now < 30 else 9.5, 60)
    times, choices = zip(*changes, strict=True)
    down = [time for time in times if time < 30]
    assert all(10 < time < 12 for time in down)
    assert min(choice.scale for choice in choices) < 1
    assert all(time > 32 for time in times[len(down) :])
    assert automatic.choice == ("high", 1.0)


@pytest.mark.parametrize("load", np.geomspace(4, 90, 7))
@pytest.mark.parametrize("growth", [0.7, 1.5])
def test_no_load_makes_the_choice_flip_for_ever(load, growth):
    """Also where a level costs less or more than expected: the effect of a change is remembered for two minutes."""
    _, changes = simulate(lambda _: load, 200, start="low", growth=growth)
    late = [time for time, _ in changes if time > 60]
    assert len(late) <= 8


def test_light_loads_rise_to_the_best_level_and_heavy_ones_sink_to_the_lowest():
    assert simulate(lambda _: 3.0, 60, start="software")[0].choice == ("ultra", 1.0)
    assert simulate(lambda _: 900.0, 60, start="ultra")[0].choice == ("software", 0.5)


def test_a_few_slow_frames_and_times_from_before_a_rest_do_not_count():
    automatic = Automatic(load_settings(config("high")), RATE)
    assert not automatic.step(0.1, [(i, 30.0) for i in range(RECENT - 1)])
    automatic.rest(10)
    assert not automatic.step(0.1, [(11, 99.0), (12, 99.0), (13, 12.0), (14, 99.0)])
    automatic.rest(20)
    assert not automatic.step(0.1, [(i, 99.0) for i in range(10, 21)])
    assert automatic.step(0.1, [(i, 99.0) for i in range(21, 21 + RECENT)])
    assert "99.0 of 16.7 ms" in automatic.reason


def test_a_scale_that_a_person_has_set_stays_and_levels_change_alone():
    settings = load_settings(config("high"), overrides=["view.scale=0.8"])
    automatic = Automatic(settings, RATE)
    assert automatic.step(0.1, [(i, 20.0) for i in range(RECENT)], scales=(1.0,))
    assert automatic.choice == ("low", 1.0)
    assert automatic.applied(settings, "high").view.scale == 0.8
    automatic.choice = Choice("high", SCALES[-1])
    assert automatic.step(0.1, [], scales=(1.0,))
    assert automatic.choice == ("high", 1.0)


def test_a_change_of_level_and_back_keeps_what_a_person_has_set():
    settings = load_settings(config("high"), overrides=["view.samples=2", "sea.seed=4"])
    automatic = Automatic(settings, RATE)
    assert automatic.choice.level == "high"
    automatic.choice = Choice("low", 1.0)
    lower = automatic.applied(settings, "high")
    assert level_of(lower) == "low"  # whose samples are 2 as well
    automatic.choice = Choice("high", 1.0)
    assert automatic.applied(lower, "low") == settings
    changed = with_values(settings, {"fft.size": 1024})
    automatic.choice = Choice("ultra", 1.0)
    assert changes_to(automatic.applied(changed, "high"), "ultra").keys() == {"view.samples"}


def test_a_saved_comparison_of_another_level_leaves_the_settings_in_use_free():
    used, saved = load_settings(config("high")), load_settings(config("ultra"))
    automatic = Automatic(used, RATE)
    automatic.choice = Choice("low", 1.0)
    assert automatic.applied(saved, "high").fft.size == saved.fft.size
    assert level_of(automatic.applied(used, "high")) == "low"


def test_the_level_that_a_person_chooses_is_taken_with_the_scale_and_what_is_kept():
    settings = load_settings(config("high"), overrides=["view.samples=2"])
    automatic = Automatic(settings, RATE)
    automatic.choice = Choice("high", 0.5)
    assert not automatic.follow(settings, with_values(settings, {"sea.seed": 4}))
    sized = with_values(settings, {"fft.size": 1024})
    assert automatic.follow(settings, sized)
    assert automatic.choice == ("high", 0.5)
    chosen = load_settings(config("low"), overrides=["fft.size=1024"])
    assert automatic.follow(sized, chosen)
    assert automatic.choice == ("low", 0.5)
    automatic.choice = Choice("ultra", 0.5)
    assert changes_to(automatic.applied(chosen, "low"), "ultra").keys() == {"view.samples"}
