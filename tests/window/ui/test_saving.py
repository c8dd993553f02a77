"""Pictures, light, movies and settings that the window saves."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ocean.common.movie import Movie
from ocean.settings import load_settings, with_values


def test_a_movie_has_fixed_steps_however_slow_the_frames_are(pilot, desktop, tmp_path, monkeypatch):
    av = pytest.importorskip("av")
    monkeypatch.chdir(tmp_path)
    desktop.paused = False
    desktop.wanted = with_values(desktop.settings, {"window.movie_length": 0.5, "window.movie_fps": 10.0})
    pilot.frames(2)
    start = desktop.time
    desktop.toggle_recording()
    for elapsed in (0.01, 3.0, 0.2, 0.5, 0.04):
        assert desktop.studio.progress
        desktop.on_render(0.0, elapsed)
    assert desktop.studio.progress is None
    assert desktop.time - start == pytest.approx(0.5)
    (path,) = (tmp_path / "out").iterdir()
    with av.open(str(path)) as movie:
        frames = [frame.to_ndarray(format="rgb24") for frame in movie.decode(video=0)]
        assert movie.streams.video[0].average_rate == 10
    assert len(frames) == 5
    picture = Image.frombytes("RGB", desktop.renderer.picture.size, desktop.renderer.picture.read(components=3))
    last = np.asarray(picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM)).astype(float)
    assert np.abs(frames[-1] - last).mean() < 8  # of 255: H.264 loses a little, and colours more


def test_a_movie_that_is_cancelled_leaves_nothing(pilot, desktop, tmp_path, monkeypatch):
    pytest.importorskip("av")
    monkeypatch.chdir(tmp_path)
    for end in ("Cancel", "quit"):
        pilot.press("R")
        pilot.frames(3)
        assert os.listdir("out")
        pilot.click(end) if end == "Cancel" else desktop.quit_now()
        pilot.frames()
        assert os.listdir("out") == []


def test_the_light_is_saved_as_it_is_before_exposure(pilot, desktop, tmp_path, monkeypatch):
    OpenEXR = pytest.importorskip("OpenEXR")
    monkeypatch.chdir(tmp_path)
    pilot.press("P", ctrl=True)
    pilot.frames(2)
    (path,) = (tmp_path / "out").iterdir()
    with OpenEXR.File(str(path)) as file:
        light, config = np.array(file.channels()["RGB"].pixels), file.header()["config"]
    expected = np.frombuffer(desktop.renderer.radiance.read(), np.float16)
    expected = expected.reshape(*desktop.renderer.size[::-1], 4)[::-1, :, :3]
    np.testing.assert_array_equal(light, expected)
    (tmp_path / "mine.toml").write_text(config)
    assert load_settings(tmp_path / "mine.toml") == desktop.settings


def test_light_that_a_full_disk_refuses_is_said_in_a_banner(pilot, desktop, tmp_path, monkeypatch):
    OpenEXR = pytest.importorskip("OpenEXR")
    monkeypatch.chdir(tmp_path)

    def full(*_):
        raise RuntimeError(f'Failed to write pixel data to image file "x.exr". {os.strerror(errno.ENOSPC)}.')

    monkeypatch.setattr(OpenEXR.File, "write", full)
    pilot.press("P", ctrl=True)
    pilot.frames(2)
    assert desktop.failure is None
    assert desktop.interface.message == "can't write to out: no space left on device"
    assert os.listdir() == []


@pytest.mark.parametrize("step", ["add", "finish"])
@pytest.mark.parametrize("is_systems", [True, False])
def test_a_movie_that_fails_is_told_in_a_dialog_and_over(pilot, desktop, tmp_path, monkeypatch, step, is_systems):
    av = pytest.importorskip("av")
    monkeypatch.chdir(tmp_path)

    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device") if is_systems else av.error.ExternalError(1, "of x264")

    monkeypatch.setattr(Movie, step, fail)
    desktop.wanted = with_values(desktop.settings, {"window.movie_length": 0.2, "window.movie_fps": 10.0})
    pilot.frames(2)
    desktop.toggle_recording()
    pilot.frames(3)
    assert ("no space left on device" if is_systems else "of x264") in desktop.failure.message
    assert os.listdir("out") == []
    pilot.click("Go on")
    pilot.frames(2)
    assert desktop.failure is None
    assert desktop.studio.progress is None


def test_another_error_does_not_cost_the_movie(pilot, desktop, tmp_path, monkeypatch):
    pytest.importorskip("av")
    monkeypatch.chdir(tmp_path)
    desktop.toggle_recording()
    pilot.frames(2)
    with monkeypatch.context() as patch:
        patch.setattr(desktop.interface.panel, "draw", lambda *_: 1 / 0)
        pilot.frames(3)
    pilot.click("Go on")
    pilot.frames(2)
    desktop.toggle_recording()
    assert [path.suffix for path in (tmp_path / "out").iterdir()] == [".mp4"]


def open_files(pilot):
    for section in ("FFT", "Sea"):
        pilot.click(section)  # make room
    pilot.click("Load and save")


def test_a_disk_that_is_full_leaves_the_settings_that_are_to_be_overwritten(pilot, desktop, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mine = tmp_path / "mine.toml"
    mine.write_text("# dear to me\n")

    def full(path, text, **_):
        path.write_bytes(text[:100].encode())
        raise OSError(errno.ENOSPC, "No space left on device")

    open_files(pilot)
    pilot.type("##file", "mine")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        pilot.click("Save")
        pilot.click("Overwrite")
    assert mine.read_text() == "# dear to me\n"
    assert os.listdir() == ["mine.toml"]
    assert (desktop.interface.message, desktop.interface.is_error) == (
        "can't write to .: no space left on device",
        True,
    )


@pytest.mark.parametrize(("name", "saved"), [("~nobody-at-all", "~nobody-at-all.toml"), ("x" * 300, None)])
def test_any_name_of_a_file_may_be_typed(pilot, desktop, tmp_path, monkeypatch, name, saved):
    monkeypatch.chdir(tmp_path)
    open_files(pilot)
    pilot.type("##file", name)
    pilot.click("Load")
    assert "can't read" in desktop.interface.message
    pilot.click("Save")
    assert desktop.failure is None
    assert ("saved" if saved else "can't write") in desktop.interface.message
    assert os.listdir() == ([saved] if saved else [])
