"""Pictures, light, movies and settings saved by the window."""

import errno
import os
import re
import shutil
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ocean.common.files import OutputError
from ocean.common.pictures import Movie
from ocean.common.resources import folder
from ocean.sea import blend
from ocean.sea.sea import ChangeError
from ocean.settings import load_settings
from ocean.settings.files import resolve
from ocean.window import actions
from ocean.window import pictures as recording
from ocean.window.ui import files, interface, theme
from tests.messages import unnamed


def test_a_movie_has_fixed_steps_however_slow_the_frames_are(pilot, desktop, tmp_path):
    av = pytest.importorskip("av")
    desktop.paused = False
    pilot.set({"window.movie_length": 0.5, "window.movie_fps": 10.0})
    pilot.frames(2)
    start = desktop.time
    actions.toggle_recording(desktop)
    for elapsed in (0.01, 3.0, 0.2, 0.5, 0.04):
        assert desktop.studio.movie
        desktop.on_render(0.0, elapsed)
    assert desktop.studio.movie is None
    assert desktop.time - start == pytest.approx(0.5)
    (path,) = (tmp_path / "out").iterdir()
    with av.open(str(path)) as movie:
        frames = [frame.to_ndarray(format="rgb24") for frame in movie.decode(video=0)]
        assert movie.streams.video[0].average_rate == 10
    assert len(frames) == 5
    picture = Image.frombytes("RGB", desktop.renderer.picture.size, desktop.renderer.picture.read(components=3))
    last = np.asarray(picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM)).astype(float)
    assert np.abs(frames[-1] - last).mean() < 8  # of 255: H.264 loses a little, more of colours


def test_a_movie_that_is_cancelled_leaves_nothing(pilot, desktop):
    pytest.importorskip("av")
    for end in ("Cancel", "Quit without it"):
        pilot.press("R")
        pilot.frames(3)
        assert os.listdir("out")
        if end != "Cancel":
            desktop.quit()
            pilot.frames(2)
        pilot.click(end)
        pilot.frames()
        assert os.listdir("out") == []


def test_a_movie_outlives_an_end_that_asks_nothing(pilot, desktop):
    """Ctrl+C in the terminal, or an error."""
    av = pytest.importorskip("av")
    pilot.press("R")
    pilot.frames(5)
    frames = desktop.studio.movie.frames
    desktop.release()
    (name,) = os.listdir("out")
    with av.open(f"out/{name}") as film:
        assert sum(1 for _ in film.decode(video=0)) == frames > 0


def test_a_movie_outlives_a_session_that_cannot_be_written(pilot, desktop, monkeypatch):
    av = pytest.importorskip("av")
    actions.toggle_recording(desktop)
    pilot.frames(5)

    def fail(*_, **__):
        raise OutputError("the disk is full")

    monkeypatch.setattr(desktop, "keep", fail)
    with pytest.raises(OutputError):
        desktop.release()
    (name,) = os.listdir("out")
    with av.open(f"out/{name}") as film:
        assert film.streams.video


def test_the_light_is_saved_as_it_is_before_exposure(pilot, desktop, tmp_path):
    OpenEXR = pytest.importorskip("OpenEXR")
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


def test_no_light_of_an_earlier_picture_is_saved(pilot, desktop, tmp_path):
    pytest.importorskip("OpenEXR")
    pilot.set({"stage.view": "jacobian", "sky.sun_elevation": 60.0})
    pilot.press("P", ctrl=True)
    pilot.frames(3)
    assert not list(tmp_path.rglob("*.exr"))
    assert "debug view" in desktop.interface.message


def test_a_debug_view_chosen_while_light_waits_saves_no_light(pilot, desktop, monkeypatch, tmp_path):
    pytest.importorskip("OpenEXR")
    may_end, make = threading.Event(), blend.make_sea_change
    monkeypatch.setattr(blend, "make_sea_change", lambda *given: may_end.wait(60) and make(*given))
    pilot.set({"sea.wind.speed": 20.0})
    pilot.frames(2)
    pilot.press("P", ctrl=True)
    pilot.set({"stage.view": "jacobian"})
    pilot.frames(2)
    may_end.set()
    pilot.until(lambda: not desktop.studio.is_busy)
    assert "debug view" in desktop.interface.message
    assert not list(tmp_path.rglob("*.exr"))


def test_quitting_asks_while_maps_wait_for_another_sea(pilot, desktop, monkeypatch, tmp_path):
    may_end, make = threading.Event(), blend.make_sea_change
    monkeypatch.setattr(blend, "make_sea_change", lambda *given: may_end.wait(3) and make(*given))
    pilot.set({"sea.wind.speed": 20.0})
    pilot.frames(2)
    pilot.press("M")
    desktop.quit()
    pilot.frames(1)
    was_closing = desktop.wnd.is_closing
    may_end.set()  # the maps are saved before an answer
    assert not was_closing
    pilot.until(lambda: desktop.wnd.is_closing)
    assert list(tmp_path.rglob("*.npz"))


def test_a_banner_reports_light_that_a_full_disk_refuses(pilot, desktop, monkeypatch):
    OpenEXR = pytest.importorskip("OpenEXR")

    def full(*_):
        raise RuntimeError(f'Failed to write pixel data to image file "x.exr". {os.strerror(errno.ENOSPC)}.')

    monkeypatch.setattr(OpenEXR.File, "write", full)
    pilot.press("P", ctrl=True)
    pilot.frames(2)
    assert desktop.failure is None
    (colour,) = [colour for text, colour in pilot.colours.items() if unnamed(text, "out no space") == []]
    assert colour == pytest.approx(theme.WRONG[:3], abs=1e-3)
    assert os.listdir() == []


@pytest.mark.parametrize("step", ["add", "finish"])
@pytest.mark.parametrize("is_systems", [True, False])
def test_a_movie_that_fails_ends_with_a_dialog(pilot, desktop, monkeypatch, step, is_systems):
    av = pytest.importorskip("av")

    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device") if is_systems else av.error.ExternalError(1, "of x264")

    monkeypatch.setattr(Movie, step, fail)
    pilot.set({"window.movie_length": 0.2, "window.movie_fps": 10.0})
    pilot.frames(2)
    actions.toggle_recording(desktop)
    pilot.until(lambda: desktop.failure is not None)
    pilot.frames()
    assert ("no space left on device" if is_systems else "of x264") in desktop.failure.message
    assert os.listdir("out") == []
    pilot.click("Continue")
    pilot.frames(2)
    assert desktop.failure is None
    assert desktop.studio.movie is None


def test_a_full_disk_leaves_the_movie_so_far(pilot, desktop, monkeypatch):
    pytest.importorskip("av")
    add = Movie.add

    def fill(movie, picture):
        if movie.frames == 90:
            raise OSError(errno.ENOSPC, "No space left on device")
        add(movie, picture)

    monkeypatch.setattr(Movie, "add", fill)
    actions.toggle_recording(desktop)
    pilot.until(lambda: desktop.failure is not None)
    assert "next start" in desktop.failure.message
    ((_, finish, _),) = recording.Studio(desktop.interface.say).left(())
    finish()
    (name,) = os.listdir("out")
    assert name.endswith(".mp4")
    assert 0 < int(re.findall(r"(\d+) frames", desktop.interface.message)[0]) < 90


def test_another_error_does_not_end_the_movie(pilot, desktop, tmp_path, monkeypatch):
    pytest.importorskip("av")
    actions.toggle_recording(desktop)
    pilot.frames(2)
    with monkeypatch.context() as patch:
        patch.setattr(desktop.interface.panel, "draw", lambda *_: 1 / 0)
        pilot.frames(3)
    pilot.click("Continue")
    pilot.frames(2)
    actions.toggle_recording(desktop)
    assert [path.suffix for path in (tmp_path / "out").iterdir()] == [".mp4"]


def save_as(pilot, name):
    """Open the dialog for a file by its key, and type a name."""
    pilot.press("S", ctrl=True, shift=True)
    pilot.frames(3)
    pilot.click("##file")
    pilot.press("A", ctrl=True)
    pilot.desktop.on_unicode_char_entered(name)
    pilot.frames(2)


def open_file(pilot, name):
    pilot.press("O", ctrl=True)
    pilot.frames(3)
    pilot.type("##file", name)
    pilot.frames(2)


def test_a_full_disk_keeps_the_old_file_of_settings(pilot, desktop, tmp_path, monkeypatch):
    mine = tmp_path / "mine.toml"
    mine.write_text("# dear to me\n")

    def full(path, text, **_):
        path.write_bytes(text[:100].encode())
        raise OSError(errno.ENOSPC, "No space left on device")

    save_as(pilot, "mine")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        pilot.click("Overwrite###accept")
    assert mine.read_text() == "# dear to me\n"
    assert os.listdir() == ["mine.toml"]
    assert desktop.interface.is_error
    assert "no space" in desktop.interface.message


@pytest.mark.parametrize(("name", "saved"), [("~nobody-at-all", "~nobody-at-all.toml"), ("x" * 300, None)])
def test_any_name_of_a_file_may_be_typed(pilot, desktop, name, saved):
    open_file(pilot, name)
    pilot.click("Open###accept")  # Enter opens no file that is missing
    assert "can't read" in desktop.interface.message
    save_as(pilot, name)
    pilot.press("ENTER")
    assert desktop.failure is None
    assert ("saved" if saved else "can't write") in desktop.interface.message
    assert os.listdir() == ([saved] if saved else [])


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("path", ["/tmp/../seas/.b/c.toml", "./../x/~nobody/ü.", "...", "//a/..//."])
def test_any_beginning_of_a_path_may_be_typed_and_makes_nothing(pilot, desktop, tmp_path, path):
    save_as(pilot, "")
    for end in range(1, len(path) + 1):
        desktop.on_unicode_char_entered(path[end - 1])
        pilot.frames()
        assert desktop.failure is None, path[:end]
        assert desktop.interface.files.dialog.name == path[:end]
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("undrawn")
def test_a_folder_is_made_only_when_its_button_says_so(pilot, tmp_path):
    save_as(pilot, "sea/wild")
    pilot.press("ENTER")
    assert not list(tmp_path.iterdir())
    assert any("There is no folder sea" in text for text in pilot.texts)
    pilot.frames(2)
    pilot.desktop.on_unicode_char_entered("seas/wild")  # the field still has the keyboard
    pilot.frames(2)
    pilot.click("Make the folder and save###accept")
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.toml")] == ["seas/wild.toml"]


@pytest.mark.usefixtures("undrawn")
def test_keys_go_to_the_view_after_a_name_was_typed(pilot, desktop, tmp_path):
    was_paused = desktop.paused
    pilot.press("S", ctrl=True)
    pilot.frames(3)
    desktop.on_unicode_char_entered("mine")
    pilot.frames(2)
    pilot.press("ENTER")
    pilot.frames(2)
    assert list(tmp_path.glob("*.toml"))
    pilot.frames(3)
    pilot.press("SPACE")
    pilot.frames(2)
    assert desktop.paused != was_paused


@pytest.mark.usefixtures("undrawn")
def test_settings_are_saved_and_opened(pilot, desktop, tmp_path):
    pilot.press("S", ctrl=True)  # no file yet, so a dialog opens
    pilot.frames(3)
    pilot.type("##file", "mine")
    saved = desktop.settings
    assert load_settings(tmp_path / "mine.toml") == saved
    pilot.click("Gale")
    pilot.frames(2)
    assert desktop.settings.sea.wind.speed != saved.sea.wind.speed
    save_as(pilot, "mine.toml")
    pilot.press("ENTER")  # a free name needs no confirmation
    assert load_settings(tmp_path / "mine.toml") == saved
    pilot.click("Cancel")
    pilot.click("File")
    pilot.hover("Recent")
    pilot.frames(12)
    pilot.click(str(tmp_path / "mine.toml"))
    pilot.frames(2)
    assert desktop.settings == saved
    pilot.take_preset("gale")
    pilot.frames(2)
    pilot.press("S", ctrl=True)
    pilot.frames(3)
    assert load_settings(tmp_path / "mine.toml") == saved  # the title names a preset, so a dialog asks
    pilot.click("Overwrite###accept")
    assert load_settings(tmp_path / "mine.toml") == desktop.settings
    pilot.set({"sea.seed": 7})
    pilot.frames(2)
    pilot.press("S", ctrl=True)
    assert load_settings(tmp_path / "mine.toml").sea.seed == 7
    os.utime(tmp_path / "mine.toml", (1, 1))  # another program has written to it
    pilot.set({"sea.seed": 8})
    pilot.frames(2)
    pilot.press("S", ctrl=True)
    pilot.frames(3)
    assert load_settings(tmp_path / "mine.toml").sea.seed == 7
    assert "Overwrite###accept" in pilot.places
    pilot.click("Cancel")
    (tmp_path / "mine.toml").write_text("sea.seed = ?")
    actions.open_file(desktop, tmp_path / "mine.toml")
    assert desktop.interface.files.recent == [tmp_path / "mine.toml"]  # stays, since a slip in it can be mended
    (tmp_path / "mine.toml").unlink()
    actions.open_file(desktop, tmp_path / "mine.toml")
    assert not desktop.interface.files.recent


@pytest.mark.usefixtures("undrawn")
def test_a_file_is_found_in_its_folder_by_clicks(pilot, desktop, tmp_path):
    (tmp_path / "seas").mkdir()
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "seas" / "storm.toml").write_text("[sea.wind]\nspeed = 23\n")
    pilot.press("O", ctrl=True)
    pilot.frames(3)
    assert not any("notes" in label for label in pilot.places)
    pilot.click("seas/")
    pilot.click("storm.toml")
    pilot.frames(10)  # longer than a double click in ImGui
    pilot.click("storm.toml")
    pilot.frames(2)
    assert desktop.settings.sea.wind.speed == 23
    pilot.press("O", ctrl=True)
    pilot.frames(3)
    pilot.click("../")
    assert "seas/" in pilot.places
    pilot.press("ESCAPE")
    pilot.frames(2)
    assert "##file" not in pilot.places


@pytest.mark.usefixtures("undrawn")
@pytest.mark.skipif(sys.platform != "linux", reason="the dialog is a program there")
def test_the_systems_dialog_asks_for_a_file(pilot, desktop, tmp_path, monkeypatch):
    program, scene = tmp_path / "bin" / "zenity", tmp_path / "scene.toml"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nsleep 0.2\necho {scene}\n")
    program.chmod(0o755)
    scene.write_text("[sea.wind]\nspeed = 23\n")
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    monkeypatch.setattr(files, "has_native_dialogs", lambda: True)
    pilot.press("O", ctrl=True)
    assert desktop.interface.files.dialog.is_open
    pilot.until(lambda: desktop.settings.sea.wind.speed == 23)
    assert "##file" not in pilot.places


@pytest.mark.usefixtures("undrawn")
def test_a_file_with_a_mistake_changes_nothing(pilot, desktop, tmp_path):
    (tmp_path / "bad.toml").write_text("[sea.wind]\nspeeed = 3\n")
    before = desktop.settings
    for name, complaint in (("bad.toml", "sea.wind.speed"), ("none.toml", "none.toml")):
        open_file(pilot, name)
        if name == "none.toml":  # Enter keeps the dialog, which says what is missing
            assert f"There is no file {name}." in pilot.texts
            pilot.click("Open###accept")
            pilot.frames(2)
        red = [colour for text, colour in pilot.colours.items() if unnamed(text, complaint) == []]
        assert red == [pytest.approx(theme.WRONG[:3], abs=1e-3)]
        assert desktop.settings == before


def test_maps_of_a_moment_are_saved_with_tiles_and_offsets(pilot, desktop, tmp_path):
    pilot.set({"sea.crests": "first-order"})  # files hold heights with the second-order crests of their tile
    pilot.frames(2)
    pilot.until(lambda: not desktop.renderer.sea.is_busy)
    pilot.press("M")
    (path,) = (tmp_path / "out").iterdir()
    fields = desktop.renderer.sea.fields()
    with np.load(path) as maps:
        for name in ("height", "dx", "slope_z"):
            np.testing.assert_array_equal(maps[name], fields[name])
        assert maps["time"] == desktop.time
        assert maps["side"] == pytest.approx([tile.side for tile in desktop.renderer.sea.tiles])
    assert str(path.name) in desktop.interface.message


def test_files_that_name_settings_wait_for_the_sea_of_these_settings(pilot, desktop, tmp_path):
    OpenEXR = pytest.importorskip("OpenEXR")
    pilot.set({"window.blend": 0.5, "sea.crests": "first-order"})
    pilot.frames(2)
    pilot.set({"sea.seed": 99})
    pilot.frames()
    pilot.press("M")
    pilot.frames()
    assert "saving" in desktop.interface.message
    pilot.press("P", ctrl=True)
    pilot.until(lambda: len(list(tmp_path.rglob("*.*"))) == 2)
    sea = desktop.renderer.sea
    pilot.until(lambda: not (sea.is_busy or sea.is_blending))
    pilot.frames(2)
    with np.load(next(tmp_path.rglob("*.npz"))) as maps:
        np.testing.assert_array_equal(maps["height"], sea.fields()["height"])
    with OpenEXR.File(str(next(tmp_path.rglob("*.exr")))) as file:
        light = np.array(file.channels()["RGB"].pixels)
    expected = np.frombuffer(desktop.renderer.radiance.read(), np.float16)
    np.testing.assert_array_equal(light, expected.reshape(*desktop.renderer.size[::-1], 4)[::-1, :, :3])


def test_the_folder_of_a_saved_file_is_opened_by_a_button(pilot, desktop, monkeypatch):
    opened = []
    monkeypatch.setattr(interface.Interface, "open", lambda _, path: opened.append(path))
    beside, draw_banner = [], interface.banner
    monkeypatch.setattr(interface, "banner", lambda lines, view: beside.append(view) or draw_banner(lines, view))
    pilot.press("P")
    pilot.frames(2)
    assert beside[-1].x + beside[-1].width <= pilot.place("Open its folder", along=0)[0]
    view, below = desktop.interface.layout.view, pilot.place("Open its folder")[1]
    actions.toggle_debug_view(desktop, "normals")
    pilot.frames(3)
    assert pilot.place("Open its folder")[1] < view.y + view.height / 2 < below  # the legend of the stage is visible
    actions.toggle_debug_view(desktop, "normals")
    pilot.frames(3)
    pilot.click("Open its folder")
    assert opened == [Path("out")]
    desktop.interface.say("something else")
    pilot.frames(2)
    assert "Open its folder" not in pilot.places


def test_a_movie_shows_its_remaining_time(pilot, desktop, monkeypatch):
    pytest.importorskip("av")
    now = [100.0]
    monkeypatch.setattr(recording.clock, "monotonic", lambda: now[0])
    pilot.set({"window.movie_length": 10.0, "window.movie_fps": 10.0})
    pilot.frames(2)
    actions.toggle_recording(desktop)
    for _ in range(4):
        now[0] += 2.0
        pilot.frames()
    done, frames = desktop.studio.movie.frames, desktop.studio.length
    assert desktop.studio.seconds_left == pytest.approx(8.0 / done * (frames - done))
    assert any(text.endswith("s left") and "min" in text for text in pilot.texts)
    desktop.studio.cancel()


@pytest.mark.usefixtures("undrawn")
def test_the_title_names_file_or_preset_and_marks_unsaved_changes(pilot, desktop, tmp_path):
    assert desktop.wnd.title == "FFT ocean"
    pilot.click("Gale")
    pilot.frames(2)
    assert desktop.wnd.title == "gale – FFT ocean"
    pilot.press("NUMBER_4")
    pilot.set({"view.heading": 12.0, "stage.view": "jacobian"})
    pilot.frames(2)
    assert desktop.wnd.title == "gale – FFT ocean"
    pilot.set({"sea.wind.speed": 21.5})
    pilot.frames(2)
    assert desktop.wnd.title == "gale* – FFT ocean"
    desktop.interface.files.save(desktop.settings, tmp_path / "mine.toml")
    pilot.frames(2)
    assert desktop.wnd.title == "mine.toml – FFT ocean"
    pilot.press("Z", ctrl=True)
    pilot.frames(2)
    assert desktop.wnd.title == "mine.toml* – FFT ocean"


def test_save_asks_before_it_replaces_a_file_with_comments(pilot, desktop, tmp_path):
    (tmp_path / "mine.toml").write_text(text := "sea.seed = 3  # the tallest crest\n")
    actions.open_file(desktop, tmp_path / "mine.toml")
    pilot.frames(2)
    pilot.press("S", ctrl=True)
    pilot.frames(2)
    assert (tmp_path / "mine.toml").read_text() == text
    pilot.click("Overwrite")
    pilot.frames(2)
    assert load_settings(tmp_path / "mine.toml") == desktop.settings
    pilot.set({"sea.seed": 4})
    pilot.press("S", ctrl=True)
    assert load_settings(tmp_path / "mine.toml").sea.seed == 4


@pytest.mark.usefixtures("undrawn")
def test_actions_take_changes_that_no_picture_shows_yet(pilot, desktop, tmp_path):
    desktop.interface.files.save(desktop.settings, tmp_path / "mine.toml")
    for seed, key in ((7, "S"), (8, "K")):
        desktop.change("sea", seed=seed)
        pilot.press(key, ctrl=key == "S")
    assert load_settings(tmp_path / "mine.toml").sea.seed == 7
    assert desktop.ab.other.sea.seed == 8
    desktop.change("fft", half_derivatives=True)
    pilot.take_preset("gale")
    pilot.frames(2)
    assert desktop.settings.fft.half_derivatives


@pytest.mark.usefixtures("undrawn")
def test_undo_of_an_opened_file_returns_to_the_file_before(pilot, desktop, tmp_path):
    """The file that was opened, whose settings are shown no more, is not overwritten."""
    first, second = tmp_path / "sea.toml", tmp_path / "other" / "sea.toml"
    second.parent.mkdir()
    for path, seed in ((first, 3), (second, 4)):
        path.write_text(f"sea.seed = {seed}\n")
        actions.open_file(desktop, path)
        pilot.frames(2)
    pilot.press("Z", ctrl=True)
    pilot.frames(2)
    assert (desktop.settings.sea.seed, desktop.wnd.title) == (3, "sea.toml – FFT ocean")
    pilot.press("S", ctrl=True)
    assert [load_settings(path).sea.seed for path in (first, second)] == [3, 4]
    pilot.take_preset("gale")
    pilot.frames(2)
    for key, title in (("Z", "sea.toml"), ("Y", "gale")):
        pilot.press(key, ctrl=True)
        pilot.frames(2)
        assert desktop.wnd.title == f"{title} – FFT ocean"


@pytest.mark.usefixtures("undrawn")
def test_a_saved_link_leads_to_the_saved_file(pilot, desktop, tmp_path):
    (tmp_path / "real.toml").write_text("sea.seed = 3\n")
    (tmp_path / "link.toml").symlink_to("real.toml")
    actions.open_file(desktop, tmp_path / "link.toml")
    desktop.change("sea", seed=5)
    actions.save_file(desktop)
    assert (tmp_path / "link.toml").is_symlink()
    assert load_settings(tmp_path / "real.toml").sea.seed == 5


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("way", ["open", "undo"])
def test_a_file_that_no_picture_shows_yet_is_not_saved_into_another(pilot, desktop, tmp_path, way):
    files = [tmp_path / name for name in ("first.toml", "second.toml")]
    for path, seed in zip(files, (3, 4), strict=True):
        path.write_text(f"sea.seed = {seed}\n")
    actions.open_file(desktop, files[0])
    pilot.frames(2)
    actions.open_file(desktop, files[1])
    if way == "undo":
        pilot.frames(2)
        actions.travel(desktop, "undo", "settings")
    actions.save_file(desktop)
    assert [load_settings(path).sea.seed for path in files] == [3, 4]
    pilot.frames(2)
    assert desktop.wnd.title == f"{files[way == 'open'].name} – FFT ocean"


@pytest.mark.usefixtures("undrawn")
def test_a_file_that_is_refused_is_not_the_one_that_is_saved(pilot, desktop, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise ChangeError("this GPU can't")

    for name in ("first", "second"):
        (tmp_path / f"{name}.toml").write_text(f"# {name}\n")
    actions.open_file(desktop, tmp_path / "first.toml")
    pilot.frames(2)
    with monkeypatch.context() as patch:
        patch.setattr(desktop.renderer, "apply", refuse)
        actions.open_file(desktop, tmp_path / "second.toml")
        desktop.change("sea", seed=5)
        pilot.frames()
    pilot.frames(2)
    assert desktop.wnd.title == "first.toml – FFT ocean"
    actions.save_file(desktop)
    assert (tmp_path / "second.toml").read_text() == "# second\n"


@pytest.mark.usefixtures("undrawn")
def test_a_and_b_are_saved_into_files_of_their_own(pilot, desktop, tmp_path):
    files = [tmp_path / name for name in ("b.toml", "a.toml")]
    for path, seed in zip(files, (3, 4), strict=True):
        path.write_text(f"sea.seed = {seed}\n")
    actions.open_file(desktop, files[0])
    pilot.frames(2)
    actions.save_a(desktop)
    for _ in range(2):  # A is shown, then B
        actions.swap_a(desktop)
        pilot.frames(2)
        if desktop.ab.shows_a:
            actions.open_file(desktop, files[1])
            pilot.frames(2)
        assert desktop.wnd.title == f"{files[desktop.ab.shows_a].name} – FFT ocean"
        pilot.press("S", ctrl=True)
        pilot.frames(2)
    assert [load_settings(path).sea.seed for path in files] == [3, 4]


@pytest.mark.usefixtures("undrawn")
def test_a_missing_spectrum_is_said_to_be_missing(pilot, desktop, tmp_path):
    pilot.choose("way", "file")
    pilot.frames(2)
    pilot.type("##file", str(tmp_path / "none.spec"))
    pilot.frames(2)
    assert f"There is no file {tmp_path / 'none.spec'}." in pilot.texts
    pilot.click("Load###accept")
    pilot.frames(2)
    assert desktop.interface.message == f"there is no file {str(tmp_path / 'none.spec')!r}"


@pytest.mark.usefixtures("undrawn")
def test_a_saved_sea_finds_its_spectrum_from_any_folder(pilot, desktop, tmp_path, monkeypatch):
    for name in ("data", "seas"):
        (tmp_path / name).mkdir()
    shutil.copy(folder("assets") / "example-buoy.data_spec", tmp_path / "data" / "buoy.data_spec")
    pilot.choose("way", "file")
    pilot.frames(2)
    pilot.type("##file", "data/buoy.data_spec")
    pilot.until(lambda: desktop.settings.sea.wind.spectrum.kind == "file")
    save_as(pilot, "../seas/mine")
    pilot.press("ENTER")
    monkeypatch.chdir(tmp_path / "seas")
    assert resolve(load_settings("mine.toml")).sea.wind.spectrum.content == desktop.settings.sea.wind.spectrum.content
