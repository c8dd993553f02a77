"""Quality levels: sets of settings, chosen once by a measurement, and changeable at any time."""

import numpy as np
import pytest

from ocean.common.resources import LEVELS, config
from ocean.fft import FFTError
from ocean.settings import Settings, changes_to, level_of, load_settings, value_at, with_values
from ocean.window import session as opening
from ocean.window.automatic import SMALLER
from ocean.window.session import BUDGET, frame_ms, remembered, starting_level
from tests.messages import unnamed


def at(level, *overrides):
    return load_settings(config(level), overrides=overrides)


def test_higher_levels_have_larger_values():
    grow = {"fft.size", "foam.resolution", "view.samples", "view.anisotropy", "view.far_pixels", "cascades.blended"}
    for path in grow:
        values = [value_at(at(name), path) for name in LEVELS]
        assert values == sorted(values), path
    edges = [at(name).view.edge_pixels for name in LEVELS]
    assert edges == sorted(edges, reverse=True)


def test_the_built_in_defaults_are_high():
    assert level_of(Settings()) == "high"
    assert not changes_to(Settings(), "high")


@pytest.mark.parametrize("before", LEVELS)
@pytest.mark.parametrize("after", LEVELS)
def test_levels_replace_each_other_completely(before, after):
    """A change of level and the change back keep all settings of the scene."""
    chosen = "sea.wind.speed=17", "window.width=777", "stage.view=foam", "water.chlorophyll=3", "buoy.show=true"
    sky = "sky.clouds=0.85", "sky.veil=0.6", "sky.bloom=0.1", "sky.sun_elevation=3"
    scene = load_settings(config(before), overrides=[*chosen, *sky])
    changed = with_values(scene, changes_to(scene, after))
    assert level_of(changed) == after
    assert (changed.sea, changed.window, changed.stage) == (scene.sea, scene.window, scene.stage)
    assert (changed.water, changed.buoy) == (scene.water, scene.buoy)
    assert changed.sky.model_copy(update={"plain": scene.sky.plain}) == scene.sky
    assert with_values(changed, changes_to(changed, before)) == scene


def test_a_plain_sky_has_neither_clouds_nor_bloom():
    """The level `software` draws a plain sky, whatever the other settings of the sky are."""
    sky = at("software", "sky.clouds=0.85", "sky.veil=0.6", "sky.bloom=0.1").sky.drawn
    assert (sky.clouds, sky.veil, sky.bloom) == (0, 0, 0)
    shown = at("low", "sky.clouds=0.85", "sky.veil=0.6", "sky.bloom=0.1").sky
    assert shown.drawn == shown


@pytest.fixture
def device(ctx, tmp_path, monkeypatch):
    """Return this context, with an empty cache for its measurements."""
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: str(tmp_path / "cache"))
    return ctx


@pytest.mark.parametrize("growth", [1.1, 4, 160])  # the last growth is typical of a software renderer
@pytest.mark.parametrize("lowest", BUDGET * np.array([0.001, 0.07, 0.4, 0.99, 1.01, 100]))
def test_the_best_level_within_the_budget_is_found_once(device, lowest, growth):
    """On any device, the search stops at the first level that exceeds the budget. If that level fits at a smaller
    scale, quality automatic begins with it."""
    times = {name: lowest * growth**step for step, name in enumerate(LEVELS)}
    fitting = [name for name in LEVELS if times[name] <= BUDGET]
    above = LEVELS[len(fitting) : len(fitting) + 1]
    best = [*fitting, *(name for name in above if fitting and SMALLER**2 * times[name] <= BUDGET)][-1:] or ["software"]
    measured, messages = [], []

    def measure(ctx, settings, size):
        if settings.view.scale == SMALLER:
            return SMALLER**2 * times[measured[-1]]
        measured.append(level_of(settings))
        return times[measured[-1]]

    level, said = starting_level(device, 1.0, tell=messages.append, measure=measure)
    assert [level] == best
    assert measured == list(LEVELS[: len(measured)])
    assert all(times[name] <= BUDGET for name in measured[:-1])
    assert [name for text, name in zip(messages, LEVELS, strict=False) if name in text] == measured
    assert all(unnamed(said, f"{times[name]:.1f} ms {name}") == [] for name in measured)
    measured.clear()
    assert remembered(device) == level
    assert starting_level(device, 1.0, measure=measure) == (level, "")
    assert not measured
    assert starting_level(device, 1.0, fresh=True, measure=lambda *_: 0.0)[0] == "ultra"
    assert remembered(device) == "ultra"


def test_a_level_that_cannot_run_ends_the_search(device):
    def measure(ctx, settings, size):
        if settings.fft.size > 256:
            raise FFTError("too large")
        return 1.0

    assert starting_level(device, 1.0, measure=measure)[0] == "low"


@pytest.mark.parametrize("text", ["", "[]", '{"level": "low"}', '{"gpu": "x", "driver": "y", "level": "low"}'])
def test_a_useless_record_of_the_level_is_measured_again(device, text):
    starting_level(device, 1.0, measure=lambda *_: 0.0)
    opening.record_file(device).write_text(text)
    assert remembered(device) is None
    assert starting_level(device, 1.0, measure=lambda *_: 99.0)[0] == "software"


def test_a_cache_that_cannot_be_written_is_a_warning(device, tmp_path, capsys):
    (tmp_path / "cache").write_text("a file where a folder should be")
    assert starting_level(device, 1.0, measure=lambda *_: 0.0)[0] == "ultra"
    assert "ocean: warning:" in capsys.readouterr().err


def test_the_time_of_a_frame_is_measured_and_all_objects_are_released(ctx):
    settings = at("software", "fft.size=16", "foam.resolution=64", "view.edge_pixels=40")
    assert 0 < frame_ms(ctx, settings, (16, 9)) < 1e4
