"""Quality automatic in the whole program, with given times of frames."""

import pytest

from ocean.fft import FFTError
from ocean.gpu.timing import FrameTimes, PassTime
from ocean.settings import changes_to, level_of, to_toml, with_values
from ocean.window.automatic import Choice
from tests.messages import unnamed


@pytest.fixture
def slow(pilot, desktop, monkeypatch):
    """Return a function that sets the measured time of all frames [ms], of a program at `low` that draws nothing."""
    taken = [5.0]

    def collect():
        return [FrameTimes(desktop.frames, {"frame": PassTime(taken[0], 0.0)})]

    monkeypatch.setattr(desktop.timers, "collect", collect)
    monkeypatch.setattr("ocean.render.frame.each_pass", lambda *_: iter(()))  # frames have given times, and no passes
    small = {"fft.size": 32, "foam.resolution": 64, "sky.plain": True}  # what a person has set stays
    pilot.set({"window.automatic": True, **changes_to(desktop.settings, "low"), **small})
    pilot.until(lambda: not desktop.renderer.sea.is_busy)
    desktop.paused = False
    pilot.frames(2)
    return lambda ms: taken.__setitem__(0, ms)


def test_slow_frames_are_drawn_smaller_and_only_in_the_window(slow, pilot, desktop):
    before, view = desktop.settings, desktop.renderer.size
    slow(24.0)
    pilot.until(lambda: desktop.automatic.choice.scale < 1, limit=20)
    assert unnamed(desktop.interface.message, "automatic low 67 % 24.0 16.7 ms") == []
    slow(12.5)
    pilot.frames(12)
    assert desktop.automatic.choice == Choice("low", 0.67)
    assert desktop.renderer.targets.hdr.width == pytest.approx(0.67 * view[0], abs=1)
    assert desktop.renderer.picture.size == view
    assert sum("67 %, aims at 16.7 ms" in text for text in pilot.texts) == 2  # in the panel, and above the times
    assert desktop.settings == before  # also in a saved file, in the session, and for A
    assert "scale = 1.0" in to_toml(desktop.settings)


def test_an_error_stays_while_quality_automatic_chooses(slow, pilot, desktop):
    desktop.interface.say("the session was damaged", is_error=True)
    slow(24.0)
    pilot.until(lambda: desktop.automatic.choice.scale < 1, limit=20)
    assert desktop.interface.said == "the session was damaged"


def test_a_picture_is_saved_as_the_settings_say(slow, pilot, desktop, monkeypatch):
    slow(24.0)
    pilot.until(lambda: desktop.automatic.choice.scale < 1, limit=20)
    drawn = []

    def note(*_):
        drawn.append(desktop.renderer.targets.hdr.size)

    monkeypatch.setattr("ocean.window.desktop.save_picture", note)
    pilot.press("P")
    pilot.frames(2)
    assert drawn == [desktop.renderer.size]


@pytest.mark.parametrize(("key", "ctrl"), [("P", False), ("P", True), ("F12", False)])
def test_a_picture_that_was_begun_with_kept_clouds_is_not_saved(pilot, desktop, monkeypatch, key, ctrl):
    monkeypatch.setattr("ocean.window.pictures.PATIENCE", 0.0)
    saved = []
    monkeypatch.setattr("ocean.window.desktop.save_picture", lambda *_: saved.append(backdrop.keeps_clouds))
    backdrop = desktop.renderer.backdrop
    desktop.paused = False
    pilot.until(lambda: desktop.drawing.is_interrupted)
    assert backdrop.keeps_clouds
    pilot.press(key, ctrl=ctrl)
    pilot.until(lambda: saved)
    assert saved == [False]


def test_a_scale_that_a_person_sets_is_not_reduced_further_while_paused(slow, pilot, desktop):
    slow(60.0)
    pilot.until(lambda: desktop.automatic.choice.scale == 0.5, limit=20)
    desktop.paused = True
    pilot.set({"view.scale": 0.5})
    pilot.frames(4)
    assert desktop.renderer.targets.hdr.width == pytest.approx(0.5 * desktop.renderer.size[0], abs=1)
    pilot.press("I")
    pilot.frames(2)
    assert desktop.settings.view.scale == 0.5


def test_turned_on_again_it_takes_back_the_scale_that_it_left(slow, pilot, desktop):
    """The key keeps what is drawn now. Undo turns it off again."""
    slow(24.0)
    pilot.until(lambda: desktop.automatic.choice.scale < 1, limit=20)
    slow(12.0)
    pilot.press("I")
    pilot.frames(3)
    assert not desktop.settings.window.automatic
    assert desktop.settings.view.scale == 0.67
    assert desktop.renderer.targets.hdr.width == pytest.approx(0.67 * desktop.renderer.size[0], abs=1)
    pilot.choose("quality", "automatic")
    pilot.frames(2)
    assert desktop.settings.window.automatic
    assert desktop.settings.view.scale == 1
    pilot.press("Z", ctrl=True)
    pilot.frames(2)
    assert not desktop.settings.window.automatic
    assert desktop.settings.view.scale == 0.67
    pilot.set({"view.scale": 0.8})
    pilot.frames(2)
    pilot.press("I")
    pilot.frames(2)
    assert desktop.settings.view.scale == 0.8
    pilot.choose("quality", "software")
    pilot.frames(2)
    assert not desktop.settings.window.automatic
    assert level_of(desktop.settings) == "software"


@pytest.mark.parametrize("is_paused", [False, True])
def test_the_last_of_some_frames_is_saved_in_full_size(slow, pilot, desktop, monkeypatch, tmp_path, is_paused):
    slow(24.0)
    pilot.until(lambda: desktop.automatic.choice.scale < 1, limit=20)
    pilot.frames(2)
    desktop.paused = is_paused
    assert desktop.renderer.targets.hdr.size != desktop.renderer.size
    saved = []

    def note(*_):
        saved.append((desktop.renderer.targets.hdr.size, desktop.renderer.backdrop.keeps_clouds))

    monkeypatch.setattr("ocean.window.desktop.save_picture", note)
    desktop.screenshot, desktop.quit_after = tmp_path / "last.png", desktop.frames + 20
    while not desktop.is_released:
        desktop.on_render(0.0, 1 / 30)
    assert saved == [(desktop.renderer.size, False)]


def test_levels_change_after_scales_in_both_settings_of_the_comparison(slow, pilot, desktop):
    pilot.press("K")
    pilot.set({"sea.seed": 5, "view.samples": 8})
    pilot.frames(2)
    pilot.until(lambda: not desktop.renderer.sea.is_busy)
    undone = desktop.changes.title("undo")
    slow(90.0)
    pilot.until(lambda: desktop.automatic.choice.level == "software" and not desktop.changes.queue, limit=60)
    assert desktop.settings.view.edge_pixels == desktop.ab.other.view.edge_pixels == 9
    assert desktop.settings.view.samples == 8  # a person has set it
    assert desktop.ab.other.sea.seed == 1
    assert desktop.changes.title("undo") == undone
    slow(12.0)
    pilot.frames(3)
    pilot.press("Z", ctrl=True)
    pilot.frames(2)
    assert desktop.settings.sea.seed == 1
    assert desktop.settings.view.edge_pixels == 9


def test_a_level_that_the_backend_refuses_is_tried_once(slow, pilot, desktop, monkeypatch):
    """It refuses levels with fewer pixels per edge. The shown level stays that in use; lower ones stay possible."""
    apply, said, say = desktop.renderer.apply, [], desktop.interface.say

    def refuse(settings, *others, **named):
        if settings.view.edge_pixels < before.view.edge_pixels:
            raise FFTError("needs a size from 2 to 512")
        return apply(settings, *others, **named)

    pilot.press("K")
    before, saved = desktop.settings, desktop.ab.other
    monkeypatch.setattr(desktop.renderer, "apply", refuse)
    monkeypatch.setattr(desktop.interface, "say", lambda text, **how: (said.append(text), say(text, **how)))
    slow(1.0)
    pilot.until(lambda: any("needs a size" in text for text in said), limit=200)
    assert desktop.automatic.choice == Choice("low", 1.0)
    assert (desktop.settings, desktop.ab.other) == (before, saved)
    pilot.frames(200)
    assert sum("needs a size" in text for text in said) == 1
    slow(90.0)
    pilot.until(lambda: desktop.automatic.choice.level == "software" and not desktop.changes.queue, limit=60)
    assert desktop.settings.view.edge_pixels == 9


def test_the_level_of_an_opened_file_is_taken_and_so_is_its_undo(slow, pilot, desktop, tmp_path):
    small = {"fft.size": 32, "foam.resolution": 64, "sky.plain": True, "window.automatic": True}
    higher = with_values(desktop.settings, {**changes_to(desktop.settings, "high"), **small})
    (tmp_path / "high.toml").write_text(to_toml(higher))
    desktop.on_files_dropped_event(0, 0, [tmp_path / "high.toml"])
    pilot.until(lambda: desktop.settings.view.edge_pixels == higher.view.edge_pixels)
    assert desktop.automatic.choice == Choice("high", 1.0)
    pilot.press("Z", ctrl=True)
    pilot.frames(2)
    assert desktop.automatic.choice == Choice("low", 1.0)
    pilot.press("Y", ctrl=True)
    pilot.until(lambda: not desktop.renderer.sea.is_busy)
    slow(90.0)
    pilot.until(lambda: desktop.automatic.choice.level == "software" and not desktop.changes.queue, limit=60)
    assert desktop.settings.view.edge_pixels == 9
    assert desktop.settings.fft.size == 32


@pytest.mark.parametrize("hinder", ["pause", "debug view", "blend"])
def test_times_count_only_while_the_same_sea_runs(slow, pilot, desktop, monkeypatch, hinder):
    if hinder == "pause":
        desktop.paused = True
    elif hinder == "debug view":
        pilot.set({"stage.view": "foam"})
    else:
        monkeypatch.setattr(type(desktop.renderer.sea), "is_blending", True)
    pilot.frames(2)
    slow(90.0)
    pilot.frames(12)
    assert desktop.automatic.choice == Choice("low", 1.0)
