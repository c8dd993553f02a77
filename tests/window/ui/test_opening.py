"""The start of the window: with the last session, with defaults, or with settings of the command line; and hints at the
first start."""

import json
import os
import re
import shutil
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

from ocean.cli import app
from ocean.common import isolated
from ocean.common.errors import InputError
from ocean.common.files import OutputError
from ocean.common.pictures import Movie
from ocean.common.resources import LEVELS, config, folder
from ocean.settings import load_settings, merge, settings_from, to_tree, with_values
from ocean.settings.files import resolve
from ocean.waves.spectra import SpectrumRecord
from ocean.window import actions
from ocean.window import session as last_state
from ocean.window import session as opening
from ocean.window.actions import make_actions
from ocean.window.camera import LONGEST, PLACE, SPACING, Bookmark, CameraPath, Flight
from ocean.window.desktop import Desktop
from ocean.window.session import LastState
from ocean.window.ui.interface import InterfaceState
from tests.messages import unnamed

from ...light.test_panorama import write_hdr
from .conftest import PIXELS, SIZE, SMALL, StubWindow


@pytest.mark.parametrize("made", [True, False])
@pytest.mark.parametrize("wanted", [True, False])
def test_a_new_window_takes_vsync_from_its_settings(ctx, settings, made, wanted):
    """The window opens before its quality level is known, because the level depends on the window's device."""
    window = StubWindow(ctx, vsync=made)
    desktop = Desktop(window, with_values(settings, {"window.vsync": wanted}), make_actions)
    assert window.vsync == wanted
    assert window.vsync_changes == ([wanted] if made != wanted else [])
    desktop.release()
    window.destroy()


def test_the_layout_follows_the_size_of_the_opened_window(ctx, settings, monkeypatch):
    """The window learns its size from later events."""
    window = StubWindow(ctx)
    monkeypatch.setattr(window, "swap_buffers", lambda: window.resize_to((1024, 640)))
    desktop = Desktop(window, settings, make_actions)
    views = []
    for _ in range(2):
        for _ in range(3):
            desktop.on_render(0.0, 0.1)
        views.append(desktop.interface.layout.view)
        desktop.interface.layout.reset()
    assert views[0] == views[1]
    desktop.release()
    window.destroy()


@pytest.fixture
def opened(ctx, settings, tmp_path, monkeypatch):
    """Open the window for some frames. Return its first settings, whether it showed hints, and the panel's messages."""
    monkeypatch.setattr(opening, "frame_ms", lambda *_: 99.0)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: str(tmp_path / "cache"))

    def run(seed=None, during=lambda desktop: None, draws=2, first=settings, **options):
        found = []

        def frames(desktop):
            found.append((desktop.settings.sea.seed, "welcome" in desktop.interface.opened, desktop.interface.message))
            if seed:
                desktop.settings = with_values(desktop.settings, {"sea.seed": seed})
            for _ in range(draws):
                desktop.on_render(0.0, 0.1)
            during(desktop)

        window = StubWindow(ctx)
        monkeypatch.setattr(opening, "open_window", lambda *_: window)
        monkeypatch.setattr(Desktop, "loop", frames)
        try:
            state = tmp_path / "state" / "window.json"
            assert opening.run(lambda _: first, **{"state": state, "resumes": True, **options}) == 0
        finally:
            window.destroy()
        return found[0]

    return run


def test_the_window_restores_the_last_session_unless_options_say_otherwise(opened, settings, tmp_path):
    seed = settings.sea.seed
    measured = "Quality software. A frame takes 99.0 ms at software; the limit for 60 frames/s is 12 ms."
    assert opened(seed=7) == (seed, True, measured)  # the first start, with hints
    assert opened(seed=5, resumes=False) == (seed, False, "")  # --config or --set, which leave the last session
    assert opened(seed=9) == (7, False, "")  # as the last session left it
    assert opened() == (9, False, "")
    assert opened(state=None) == (seed, False, "")  # --quit-after
    assert opened(fresh=True) == (seed, False, measured)
    path = tmp_path / "state" / "window.json"
    for number, damaged in enumerate(("{}", "not even json")):
        path.write_text(damaged)
        begun = opened()
        assert begun[:2] == (seed, False)
        assert unnamed(begun[2], path, "defaults") == []
        assert settings_from(last_state.load(path).settings).sea.seed == seed
        assert path.with_name(f"window.json.bad{number or ''}").read_text() == damaged


@pytest.mark.parametrize(
    ("arguments", "quality", "resumes"),
    [
        ((), None, True),
        (("--quality", "automatic"), None, False),  # the requested session, not the last one
        (("--quality", "low"), "low", False),
        (("--config", "gale"), None, False),
        (("--set", "sea.seed=3"), None, False),
    ],
)
def test_the_command_line_overrides_the_kept_session(monkeypatch, arguments, quality, resumes):
    asked = []
    monkeypatch.setattr(opening, "run", lambda choose, **options: asked.append((choose("low"), options)) or 0)
    for command in (["window"], []):  # bare options go to the window
        asked.clear()
        assert CliRunner().invoke(app, [*command, *arguments]).exit_code == 0
    ((settings, options),) = asked
    assert (options["quality"], options["resumes"]) == (quality, resumes)
    assert settings.sea.seed == (3 if "--set" in arguments else 1)
    assert settings.window.automatic == (quality is None)


@pytest.mark.parametrize(("overrides", "title"), [([], "mine.toml"), (["sea.seed=4"], "mine.toml*")])
def test_the_file_of_the_command_line_is_the_one_that_is_saved(monkeypatch, opened, tmp_path, overrides, title):
    monkeypatch.chdir(tmp_path)
    mine = Path("mine.toml")
    shutil.copy(folder("assets") / "example-buoy.data_spec", "buoy.data_spec")
    mine.write_text('sea.seed = 3\nsea.wind.spectrum = {kind = "file", path = "buoy.data_spec"}\n')
    asked, run = [], opening.run
    monkeypatch.setattr(opening, "run", lambda choose, **options: asked.append(options) or 0)
    assert CliRunner().invoke(app, ["window", "--config", "storm", "--config", "mine.toml"]).exit_code == 0
    assert asked[0]["opened"] == mine
    monkeypatch.setattr(opening, "run", run)
    settings = resolve(load_settings("software", "mine.toml", overrides=[*SMALL, *overrides]))

    def during(desktop):
        assert desktop.wnd.title == f"{title} – FFT ocean"
        actions.save_file(desktop)
        assert load_settings(mine).sea.seed == settings.sea.seed
        desktop.on_render(0.0, 0.1)
        assert desktop.wnd.title == "mine.toml – FFT ocean"

    opened(during=during, first=settings, opened=mine, resumes=False)


def test_a_file_that_needs_others_is_not_the_one_that_is_saved(opened, tmp_path):
    titles = []
    (tmp_path / "part.toml").write_text("sea.wind.spectrum.time = 3\n")  # over a file with the spectrum
    opened(during=lambda desktop: titles.append(desktop.wnd.title), opened=tmp_path / "part.toml", resumes=False)
    assert titles == ["FFT ocean"]


def test_a_typed_quality_automatic_holds_against_a_config(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(opening, "run", lambda choose, **options: asked.append(choose("low").window.automatic) or 0)
    (tmp_path / "fixed.toml").write_text("[window]\nautomatic = false\n")
    config = "window", "--config", str(tmp_path / "fixed.toml")
    for more in ((), ("--quality", "automatic"), ("--quality", "automatic", "--set", "window.automatic=false")):
        assert CliRunner().invoke(app, [*config, *more]).exit_code == 0
    assert asked == [False, True, False]


def test_bookmarks_outlive_a_fresh_start(opened, settings, tmp_path):
    path, camera_path = tmp_path / "state" / "window.json", CameraPath()
    camera_path.bookmarks["1"] = Bookmark(view=settings.view)
    last_state.save(path, LastState.of(settings, camera_path, "layout"))
    assert opened(fresh=True)[0] == settings.sea.seed
    assert last_state.load(path).bookmarks == {"1": Bookmark(view=settings.view)}


def rest(desktop, seconds=3.0):
    """Let nothing happen for some seconds."""
    for _ in range(4):
        desktop.on_render(0.0, seconds / 3)


def killed(path, opened, **options):
    """Open the window and kill it after some seconds: its file stays as it is then, and its lock is free."""
    found = []

    def during(desktop):
        rest(desktop)
        found.append(path.read_text())

    opened(during=during, **options)
    path.write_text(found[0])


def test_a_killed_session_is_offered_until_it_is_answered(opened, settings, tmp_path):
    path, seed, titles = tmp_path / "state" / "window.json", settings.sea.seed, []
    killed(path, opened, seed=7)
    state = json.loads(path.read_text())
    state["settings"]["window"] |= {"width": 900, "height": 500}
    path.write_text(json.dumps(state))

    def during(desktop, answer=""):
        titles.extend(one.title for one in desktop.questions)
        if answer:
            desktop.questions.pop().answers[answer]()
            assert (desktop.wnd.size == (900, 500)) is (answer == "Restore")
        rest(desktop)

    assert opened(during=during)[0] == seed  # settings that a driver can't run must not come back by themselves
    assert opened(seed=9, during=during)[0] == seed
    assert opened(during=lambda desktop: during(desktop, "Restore"))[0] == 9  # work without an answer is kept
    assert len(titles) == 3
    assert opened(during=during)[0] == 7
    assert len(titles) == 3
    killed(path, opened, seed=8)
    opened(during=lambda desktop: during(desktop, "Start with defaults"))
    assert opened(during=during)[0] == seed
    assert len(titles) == 4
    assert sorted(one.name for one in path.parent.iterdir() if "-" in one.name) == []


@pytest.fixture
def answered(opened):
    """Open the window, answer its question after a while, and rest. Return its seed and the questions' titles."""

    def run(answer=""):
        titles = []

        def during(desktop):
            titles.extend(one.title for one in desktop.questions)
            rest(desktop)  # the question is open for longer than a change waits to be written
            if answer:
                desktop.questions.pop().answers[answer]()
            rest(desktop)

        return opened(during=during)[0], titles

    return run


def test_a_killed_window_with_options_is_offered_beside_the_last_session(opened, answered, tmp_path):
    path, asked = tmp_path / "state" / "window.json", (7, ["The last session ended unexpectedly"])
    opened(seed=7, during=rest)
    for answer, seed in (("Go on without it", 7), ("Restore", 9)):
        killed(path, opened, seed=9, resumes=False)
        assert answered() == answered(answer) == asked
        assert answered() == (seed, [])


def test_changes_of_a_closed_window_with_options_are_offered_until_they_are_answered(opened, answered):
    opened(seed=7, during=rest)
    for answer, seed in (("Go on without it", 7), ("Restore", 9)):
        opened(during=rest, resumes=False)
        assert answered() == (7, [])  # nothing had changed
        opened(seed=9, during=rest, resumes=False)
        opened(during=rest, resumes=False)  # another one changes nothing
        assert answered() == answered(answer) == (7, ["Settings were not saved"])
        assert answered() == (seed, [])


def test_an_offer_outlives_another_window(opened, answered, tmp_path):
    path = tmp_path / "state" / "window.json"
    opened(seed=7, during=rest)

    def during(desktop):
        there = last_state.load(path)
        other = settings_from(there.settings)  # of a window with options, which closes while this one goes on
        last_state.save(path, there.model_copy(update={"unsaved": to_tree(with_values(other, {"sea.seed": 9}))}))
        rest(desktop)

    opened(seed=8, during=during)
    assert answered("Restore") == (8, ["Settings were not saved"])
    assert answered() == (9, [])


def test_a_window_that_shows_a_keeps_b(opened):
    def during(desktop):
        desktop.ab.save(with_values(desktop.settings, {"sea.seed": 3}), desktop.interface.files.source)
        actions.swap_a(desktop)
        desktop.on_render(0.0, 0.1)
        assert desktop.settings.sea.seed == 3
        rest(desktop)

    opened(seed=7, during=during)
    assert opened()[0] == 7


def test_panels_of_a_session_with_larger_text_fit_the_text_of_the_next(opened):
    """A session with room for one panel beside the view, and a start with room for two."""
    views = []

    def during(desktop):
        rest(desktop)
        views.append(desktop.interface.layout.view)
        desktop.change("window", scale=2.0)
        rest(desktop)
        assert desktop.interface.layout.view.x > views[0].x

    for _ in range(2):
        opened(resumes=False, during=during)
    assert views[1] == views[0]


def test_a_change_of_the_layout_alone_is_kept(opened, tmp_path):
    def kept():
        return re.sub("LastUsed=.*", "", last_state.load(tmp_path / "state" / "window.json").layout)

    def during(desktop):
        rest(desktop)
        rest(desktop)
        before, edge = kept(), int(desktop.interface.layout.view.x) - 1
        desktop.on_mouse_press_event(edge, 500, 1)
        desktop.on_render(0.0, 0.1)
        for x in (edge - 20, edge - 40):
            desktop.on_mouse_drag_event(x, 500, -20, 0)
            desktop.on_render(0.0, 0.1)
        desktop.on_mouse_release_event(edge - 40, 500, 1)
        rest(desktop)
        assert desktop.interface.layout.view.x < edge
        assert kept() != before

    opened(during=during)


def test_the_session_outlives_its_folder(opened, tmp_path, monkeypatch):
    """A drive that was unplugged, for example."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    opened(seed=7, during=lambda _: (tmp_path / "gone").rmdir())
    monkeypatch.chdir(tmp_path)
    assert opened()[0] == 7


def test_neither_a_missing_display_nor_an_early_end_counts_as_a_crash(opened, settings, tmp_path, monkeypatch):
    path = tmp_path / "state" / "window.json"

    def stop(_):
        raise KeyboardInterrupt

    def no_display(*_):
        raise InputError("no display")

    def is_calm():
        locks = [one.name for one in path.parent.iterdir() if "-" in one.name]
        return not locks and not last_state.load(path).running

    opened(seed=7)
    opened(draws=0)
    assert is_calm()
    with pytest.raises(KeyboardInterrupt):
        opened(draws=0, during=stop)
    assert is_calm()
    monkeypatch.setattr(opening, "open_window", no_display)
    with pytest.raises(InputError):
        opening.run(lambda _: settings, state=path, resumes=True)
    assert is_calm()
    assert opened()[0] == 7


def test_the_session_is_kept_when_changes_rest_and_with_each_bookmark(opened, tmp_path):
    path = tmp_path / "state" / "window.json"

    def kept():
        return last_state.load(path)

    def during(desktop):
        rest(desktop)
        for number in range(20):  # a drag of 1.8 s
            desktop.change("foam", amount=0.1 * number)
            desktop.on_render(0.0, 0.09)
            assert settings_from(kept().settings).foam.amount == 1
        rest(desktop)
        assert settings_from(kept().settings).foam.amount == pytest.approx(1.9)
        for number in range(30):  # a change without an end
            desktop.change("foam", amount=0.05 * number)
            desktop.on_render(0.0, 1.9)
        assert settings_from(kept().settings).foam.amount != pytest.approx(1.9)
        desktop.interface.files.recent.append(tmp_path / "a.toml")
        actions.set_bookmark(desktop, "3")
        assert "3" in kept().bookmarks
        assert kept().running

    opened(during=during)
    assert not kept().running


def test_two_windows_keep_what_both_have_changed(opened, ctx, settings, tmp_path):
    """Bookmarks, recent files, pinned settings and flight, whichever window closes last."""
    path = tmp_path / "state" / "window.json"
    opened(seed=1, during=lambda desktop: actions.set_bookmark(desktop, "1"))

    def during(desktop):
        actions.set_bookmark(desktop, "2")
        desktop.interface.files.recent.insert(0, tmp_path / "first.toml")
        other = last_state.Session(path)  # ImGui has one window per process
        assert not other.has_crashed
        recent, pinned = [tmp_path / "later.toml", *other.last.recent], ["sea.seed"]
        interface = SimpleNamespace(
            files=SimpleNamespace(recent=recent, has_saved=False, wanted=lambda settings: settings),
            panel=SimpleNamespace(pinned=pinned),
            state=InterfaceState("", recent, pinned),
            has_new_layout=lambda: False,
        )
        seen = CameraPath({**other.last.bookmarks, "3": Bookmark(view=settings.view)})
        newest = with_values(settings, {"sea.seed": 5})
        studio, ab = SimpleNamespace(movie=True, folder=tmp_path / "films"), SimpleNamespace(shows_a=False)
        parts = {"camera_path": seen, "interface": interface, "wnd": desktop.wnd, "studio": studio, "ab": ab}
        other.keep(SimpleNamespace(newest=newest, **parts), is_over=True)
        assert settings_from(last_state.load(path).settings).sea.seed == 5

    opened(seed=4, during=during)
    kept = last_state.load(path)
    assert set(kept.bookmarks) == {"1", "2", "3"}
    assert set(kept.recent) == {tmp_path / "later.toml", tmp_path / "first.toml"}
    assert kept.pinned == ("sea.seed",)
    assert kept.movies == (tmp_path / "films",)
    assert settings_from(kept.settings).sea.seed == 5  # which changed last


def test_a_window_that_changes_nothing_leaves_the_settings_of_another(opened, settings, tmp_path):
    path = tmp_path / "state" / "window.json"
    opened(seed=1)

    def during(desktop):
        there = last_state.load(path)
        other = to_tree(with_values(settings_from(there.settings), {"sea.seed": 5}))  # of a window that goes on
        last_state.save(path, there.model_copy(update={"settings": other}))

    opened(during=during)
    assert settings_from(last_state.load(path).settings).sea.seed == 5
    opened(seed=2, during=during)
    assert settings_from(last_state.load(path).settings).sea.seed == 2


def test_a_saved_file_makes_the_settings_of_the_command_line_those_of_the_session(opened, tmp_path):
    opened(seed=7, resumes=False, during=rest)  # the first session of all
    assert opened(during=lambda desktop: not desktop.questions or pytest.fail("asked"))[0] == 7
    opened(
        seed=5,
        resumes=False,
        during=lambda desktop: desktop.interface.files.save(desktop.settings, tmp_path / "mine.toml"),
    )
    assert opened()[0] == 5


def test_an_unreadable_part_leaves_the_rest_and_the_file(opened, settings, tmp_path):
    """A newer version adds parts, and changes some."""
    path, seen = tmp_path / "state" / "window.json", {"1": Bookmark(view=settings.view)}
    flown = Flight(times=tuple(map(float, range(500))), views=500 * (settings.view,))
    path_of = CameraPath(dict(seen), flown)
    left = LastState.of(with_values(settings, {"sea.seed": 7}), path_of, recent=[tmp_path / "a.toml"])
    newer = left.model_dump(mode="json") | {"schema_version": 9, "pinned": {"a": 1}, "windows": [1]}
    newer["bookmarks"]["2"] = {"place": [1, 2]}
    path.parent.mkdir()
    path.write_text(json.dumps(newer))
    seed, _, said = opened()
    assert seed == 7
    assert unnamed(said, "window.json.bad") == []
    assert json.loads(path.with_name("window.json.bad").read_text()) == newer
    kept = last_state.load(path)
    assert (kept.bookmarks, kept.recent, kept.flight) == (seen, (tmp_path / "a.toml",), flown)


def test_the_longest_flight_is_kept(settings, tmp_path):
    count, rng = round(LONGEST / SPACING) + 1, np.random.default_rng(1)
    numbers = {
        name: ((1 + 0.1 * rng.random(count)) * getattr(settings.view, name)).tolist() for name in (*PLACE, "heading")
    }
    views = [dict(zip(numbers, row, strict=True)) for row in zip(*numbers.values(), strict=True)]
    flight = Flight(
        times=tuple(np.linspace(0, LONGEST, count).tolist()),
        views=tuple(settings.view.model_copy(update=view) for view in views),
    )
    path = tmp_path / "window.json"
    last_state.save(path, LastState.of(settings, CameraPath({}, flight)))
    assert last_state.load(path).flight == flight


def test_a_session_of_the_first_version_is_read(opened, settings, tmp_path):
    path = tmp_path / "state" / "window.json"
    first = LastState.of(with_values(settings, {"sea.seed": 7}), CameraPath()).model_dump(mode="json")
    del first["running"]
    path.parent.mkdir()
    path.write_text(json.dumps(first | {"schema_version": 1}))
    assert opened() == (7, False, "")
    assert last_state.load(path).schema_version == 2


def test_a_movie_of_a_killed_window_is_named_and_finished_or_deleted(opened, tmp_path, monkeypatch):
    av = pytest.importorskip("av")
    monkeypatch.chdir(tmp_path)
    out, pixels = tmp_path / "out", np.random.default_rng(1).integers(0, 255, (16, 32, 3), np.uint8)
    with Movie(out / "sea.mp4", (32, 16), 10.0, outlives=True) as movie:
        for _ in range(80):
            movie.add(pixels)
        (running,) = out.glob(".film-*/")
        for name in "abc":  # without a lock, as of a killed process
            shutil.copytree(running, out / f".film-{name}")
        (out / ".film-c" / "sea.mp4").write_bytes(b"")
        elsewhere = tmp_path / "elsewhere" / ".film-d"  # where a window of another folder was killed
        elsewhere.parent.mkdir()
        (out / ".film-b").rename(elsewhere)
        last_state.save(tmp_path / "state" / "window.json", LastState(settings={}, movies=(elsewhere.parent,)))
        said = []

        def during(desktop):
            assert [one.title for one in desktop.questions] == 3 * ["A movie is unfinished"]
            assert "sea.mp4" in desktop.questions[0].text
            assert list(desktop.questions[1].answers) == ["Delete"]
            assert str(elsewhere.parent) in desktop.questions[2].text
            for answer in ("Finish", "Delete", "Delete"):
                desktop.questions.pop(0).answers[answer]()
                said.append(desktop.interface.message)

        opened(during=during)
        with av.open(str(out / "sea.mp4")) as film:
            assert len(list(film.decode(video=0))) > 30
        assert said[0].split()[0] == "saved"
        assert list(out.glob(".film-*/")) == [running]  # which is still being recorded
    assert [path.name for path in out.iterdir()] == ["sea.mp4"]
    assert list(elsewhere.parent.iterdir()) == []


def test_a_damaged_layout_leaves_the_rest_of_the_session(opened, settings, tmp_path):
    """An assertion in ImGui ends the program if a layout lacks its dock space."""
    path = tmp_path / "state" / "window.json"
    last_state.save(path, LastState.of(with_values(settings, {"sea.seed": 7}), CameraPath()))
    opened()
    state = json.loads(path.read_text())
    lines = state["layout"].split("\n")
    state["layout"] = "\n".join(line for line in lines if not line.startswith("DockSpace"))
    assert state["layout"].count("\n") < len(lines) - 1
    path.write_text(json.dumps(state))
    seed, _, said = opened()
    assert seed == 7
    assert "layout" in said
    assert opened()[2] == ""


def test_a_session_keeps_its_panorama_and_opens_without_it(opened, settings, tmp_path, monkeypatch):
    path, camera_path = tmp_path / "state" / "window.json", CameraPath()
    camera_path.bookmarks["1"] = Bookmark(view=settings.view)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    write_hdr(tmp_path / "here" / "sky.hdr", np.ones((16, 32, 3), np.float32), compressed=False)
    left = with_values(settings, {"sky.panorama": "sky.hdr", "sea.seed": 7})
    last_state.save(path, LastState.of(left, camera_path, "layout"))
    monkeypatch.chdir(tmp_path)
    assert opened() == (7, False, "")
    assert settings_from(last_state.load(path).settings).sky.panorama == str(tmp_path / "here" / "sky.hdr")
    (tmp_path / "here" / "sky.hdr").unlink()
    seed, hints, said = opened()
    assert (seed, hints) == (7, False)
    assert "sky.hdr" in said
    assert "sky.panorama" in said
    assert "version" not in said
    assert last_state.load(path).bookmarks == {"1": Bookmark(view=settings.view)}
    assert last_state.load(path).settings["sky"]["panorama"]  # until another change, as the disk may come back
    opened(seed=8)
    assert not last_state.load(path).settings["sky"]["panorama"]


def test_the_quality_is_measured_with_each_levels_own_scene(opened, monkeypatch):
    measured = []
    monkeypatch.setattr(opening, "frame_ms", lambda _, settings, size: measured.append((settings, size)) or 0.0)
    opened(state=None)
    assert [settings for settings, _ in measured] == [load_settings(config(name)) for name in LEVELS]
    for settings, size in measured:
        width, height = settings.window.width, settings.window.height
        assert size == (round(width * PIXELS[0] / SIZE[0]), round(height * PIXELS[0] / SIZE[0]))


@pytest.mark.parametrize("options", [{"quality": "low"}, {}])
def test_a_known_quality_is_not_measured_again(opened, monkeypatch, options):
    opened(quality="low")
    monkeypatch.setattr(opening, "frame_ms", lambda *_: pytest.fail("measured"))
    opened(**options)


def test_a_kept_session_that_cannot_run_takes_another_backend(opened, settings, tmp_path):
    impossible = settings.model_copy(
        update={"fft": settings.fft.model_copy(update={"backend": "stockham-radix2", "size": 96})}
    )
    last_state.save(tmp_path / "state" / "window.json", LastState.of(impossible, CameraPath()))
    seed, _, said = opened()
    assert seed == settings.sea.seed
    assert "power of two" in said


@pytest.mark.parametrize(
    ("damage", "missing"),
    [
        ({"sea": {"wind": {"spectrum": {"kind": "file", "path": "gone.nc"}}}}, "sea.wind.spectrum"),
        ({"view": {"altitude": 1e9}}, "view.altitude"),
        ({"sea": {"colour": 3}, "boat": 1}, "sea.colour, boat"),
    ],
)
def test_a_session_drops_its_invalid_settings(settings, damage, missing):
    left = with_values(settings, {"sea.seed": 7, "view.pitch": -3})
    tree = merge(LastState.of(left, CameraPath()).settings, damage)
    found, said, late = LastState(settings=tree).nearest()
    assert not late
    assert (found.sea.seed, found.view.pitch, found.sea.wind.speed) == (7, -3, left.sea.wind.speed)
    assert missing in said


def test_a_slow_spectrum_file_is_read_after_the_start(opened, settings, tmp_path, monkeypatch):
    state, is_read, draw = tmp_path / "state" / "window.json", [], Desktop.on_render
    left = LastState.of(with_values(settings, {"sea.seed": 7}), CameraPath())
    (tmp_path / "slow.nc").touch()
    spectrum = {"sea": {"wind": {"spectrum": {"kind": "file", "path": str(tmp_path / "slow.nc")}}}}
    last_state.save(state, left.model_copy(update={"settings": merge(left.settings, spectrum)}))

    def call(*_, longest, is_cancelled):
        while not is_read:
            time.sleep(0.001)
            if is_cancelled():
                raise isolated.Cancelled
        return SpectrumRecord(np.array([0.1, 0.2]), None, np.ones((2, 1)))

    def on_render(desktop, *times):
        draw(desktop, *times)
        assert desktop.newest.sea.wind.spectrum.kind == ("file" if is_read else "jonswap")
        is_read.append(1)
        time.sleep(0.1)  # until the file is read

    monkeypatch.setattr(isolated, "call", call)
    monkeypatch.setattr(last_state, "PATIENCE", 0.05)
    opened(during=rest)  # closed before it is read
    monkeypatch.setattr(Desktop, "on_render", on_render)
    seed, _, said = opened()
    assert seed == 7
    assert "sea.wind.spectrum" in said
    assert last_state.load(state).settings["sea"]["wind"]["spectrum"]["kind"] == "file"


def test_names_that_no_file_can_hold_are_left_out(tmp_path, monkeypatch, settings):
    """The other parts of the state are kept."""
    (here := tmp_path / "\udcff").mkdir()
    write_hdr(here / "sky.hdr", np.ones((8, 16, 3), np.float32), compressed=False)
    monkeypatch.chdir(here)
    left = with_values(settings, {"sky.panorama": "sky.hdr"})
    last_state.save(tmp_path / "x", LastState.of(left, CameraPath(), recent=[here / "a.toml", tmp_path / "b.toml"]))
    found = last_state.load(tmp_path / "x")
    assert found.recent == (tmp_path / "b.toml",)
    assert found.settings["sky"]["panorama"] == "sky.hdr"


def test_a_state_that_cannot_be_looked_up_ends_with_its_sentence(opened, tmp_path):
    """A folder that may not be entered gives the same error as a name that is too long."""
    with pytest.raises(OutputError, match="can't write"):
        opened(state=tmp_path / ("x" * 300) / "window.json")


def test_an_unwritable_state_is_not_blamed_on_the_kept_session(opened, monkeypatch):
    opened()

    def refuse(*_):
        raise OutputError("can't write to there")

    monkeypatch.setattr(last_state, "save", refuse)
    with pytest.raises(OutputError, match=r"^can't write to there$"):
        opened()


MANY_KEYS = '{"schema_version": 2, "settings": {' + ", ".join(f'"{i}": 1' for i in range(20_000)) + "}}"


@pytest.mark.parametrize(
    "text",
    [
        *("[" * 100_000, '{"settings": ' + '{"a":' * 9999, " " * 10**7, '{"settings": 1}', MANY_KEYS),
        MANY_KEYS.replace('"settings"', '"settings": {}, "unsaved"'),
    ],
)
def test_a_damaged_state_is_reported_at_once(tmp_path, text):
    (tmp_path / "window.json").write_text(text)
    start = time.process_time()
    with pytest.raises(InputError, match="was damaged"):
        last_state.load(tmp_path / "window.json")
    assert time.process_time() - start < 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_state_that_is_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "window.json")
    with pytest.raises(InputError, match="was damaged"):
        last_state.load(tmp_path / "window.json")
