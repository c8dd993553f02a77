"""Parts around the view: docked windows, menu and keys, search, hints, dialogs, and the saved state."""

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from imgui_bundle import imgui

from ocean import __version__
from ocean.bench.live import LiveBench, save
from ocean.bench.rows import Bench, Row
from ocean.bench.tuning import Chosen
from ocean.common.errors import InputError
from ocean.common.parameters import key_paths
from ocean.common.records import Measured, sampled
from ocean.common.resources import folder
from ocean.fft import BACKENDS
from ocean.fft.auto import TunedPlans, cache_file, use_cache
from ocean.settings import Settings, flat, settings_from, to_toml, to_tree, with_values
from ocean.settings.files import resolve
from ocean.window import actions
from ocean.window import session as last_state
from ocean.window.camera import TRANSITION
from ocean.window.changes import Change
from ocean.window.session import LastState
from ocean.window.ui import dialogs, interface, panel, theme, widgets
from ocean.window.ui.comparison import Findings, judged
from ocean.window.ui.dialogs import shortcut
from tests.messages import unnamed

from ...light.test_panorama import write_hdr
from .conftest import PIXELS, SIZE, STEP, reopened


def test_the_view_lies_between_panel_and_overlay_and_the_picture_fills_it(pilot, desktop):
    view, panel, overlay = desktop.interface.layout.view, pilot.place("FFT"), pilot.place("Compare FFT backends")
    assert panel[0] < view.x < view.x + view.width < overlay[0]
    expected = round(view.width * PIXELS[0] / SIZE[0]), round(view.height * PIXELS[1] / SIZE[1])
    assert desktop.renderer.picture.size == expected
    pilot.press("TAB")
    pilot.frames(2)
    assert desktop.renderer.picture.size == PIXELS
    pilot.press("TAB")
    pilot.frames(2)
    assert desktop.interface.layout.view == view


@pytest.mark.usefixtures("undrawn")
def test_panels_are_narrower_in_a_window_below_1280_pixels(pilot, desktop):
    shares = []
    for width in (1280, 1100, 1280):
        desktop.wnd.has_units((width, 800))
        pilot.frames(4)
        shares.append((width - desktop.interface.layout.view.width) / imgui.get_font_size())
    assert shares[1] < 0.9 * shares[0]
    assert shares[2] == pytest.approx(shares[0], rel=0.02)


def test_names_of_passes_are_not_cut_in_a_small_window(pilot, desktop):
    desktop.wnd.resize_to((1000, 700))
    pilot.frames(4)
    columns = {"before", "change", "p95", "CPU"}
    few = columns & {*pilot.texts}  # fewer leave room for the names
    pilot.hover("Save times")
    assert pilot.places["Save times"][1].x <= pilot.places["Compare FFT backends###compare"][1].x + 1
    boxes = (pilot.places[label] for label in ("CSV##copy", "Markdown##copy"))
    narrow, wide = (high.x - low.x for low, high in boxes)
    assert wide > 1.2 * narrow  # longer texts have wider buttons
    desktop.wnd.has_units(SIZE)
    pilot.frames(4)
    assert len(columns & {*pilot.texts}) > len(few)


def test_a_narrow_window_keeps_a_view(pilot, desktop):
    desktop.wnd.has_units((640, 360))
    desktop.interface.layout.reset()
    pilot.frames(4)
    assert desktop.interface.layout.view.width >= 300
    assert "FFT" in pilot.places  # the overlay lies behind the panel


def test_sizes_follow_the_scale(pilot, desktop):
    small = [imgui.get_style().frame_padding.x, pilot.place("FFT", 1.0)[0]]
    font = imgui.get_io().fonts.fonts[0] and imgui.get_style().font_scale_dpi
    pilot.set({"window.scale": 2.0})
    desktop.wnd.has_units((2 * SIZE[0], 2 * SIZE[1]))
    pilot.frames(2)
    desktop.interface.layout.reset()
    pilot.frames(4)
    large = [imgui.get_style().frame_padding.x, pilot.place("FFT", 1.0)[0]]
    assert large == pytest.approx([2 * value for value in small], rel=0.03)
    assert imgui.get_style().font_scale_dpi == 2 * font


@pytest.mark.usefixtures("undrawn")
def test_the_scale_is_not_a_slider(pilot, desktop):
    desktop.interface.panel.search.words = "window scale"
    pilot.frames(3)
    pilot.click("##window.scale")
    assert "automatic" in pilot.places
    assert "0.0" not in pilot.places
    pilot.press("ESCAPE")
    x, y = pilot.place("##window.scale typed", 0.2)
    desktop.on_mouse_position_event(x, y, 0, 0)
    desktop.on_mouse_press_event(x, y, 1)
    pilot.frames(6)
    desktop.on_mouse_release_event(x, y, 1)
    assert desktop.settings.window.scale == 0
    pilot.choose("window.scale", "1.25")
    assert desktop.settings.window.scale == 1.25
    pilot.type("##window.scale typed", "0.02")
    assert desktop.settings.window.scale == 1.25
    assert unnamed(desktop.interface.message, "window.scale 0 0.5 4") == []


def test_every_key_has_an_action_of_its_own(desktop):
    keys = [key for action in desktop.actions.menu for key in action.keys]
    assert len(set(keys)) == len(keys)
    assert [shortcut(key) for key in ("CTRL+SHIFT+NUMBER_1", "ESCAPE", "F11")] == ["Ctrl+Shift+1", "Esc", "F11"]


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.slow)])
def test_keys_and_their_menu_entries_do_the_same(pilot, desktop, monkeypatch, step):
    done = []
    listed = [
        replace(action, run=lambda action=action: done.append(action), obstacle=lambda: "")
        for action in desktop.actions.menu
        if not action.entries
    ]
    monkeypatch.setattr(desktop.interface, "actions", replace(desktop.actions, menu=tuple(listed)))
    chosen = {action.menu.partition("/")[0] for action in desktop.actions.menu}
    assert chosen <= set(pilot.places)
    for action in listed[::step]:
        menu, _, submenu = action.menu.partition("/")
        pilot.click(menu)
        if submenu:
            pilot.hover(submenu)
            pilot.frames(12)  # the menu opens under the mouse
        title = action.title() if callable(action.title) else action.title
        pilot.click(f"{title or action.meaning[:1].upper() + action.meaning[1:]}##menu")
        assert done[-1:] == [next(one for one in desktop.actions.menu if one.meaning == action.meaning)]
        done.clear()


@pytest.mark.usefixtures("undrawn")
def test_undo_names_the_change_and_is_grey_without_one(pilot, desktop):
    pilot.click("Edit")
    pilot.click("Undo")  # a grey entry leaves the menu open
    pilot.hover("Undo")
    pilot.frames(40)
    assert any("Nothing" in text for text in pilot.texts)
    pilot.press("ESCAPE")
    pilot.press("Z", ctrl=True)
    assert "Nothing" in desktop.interface.message
    pilot.set({"sea.wind.speed": 14.0})
    pilot.frames(2)
    pilot.click("Edit")
    pilot.click("Undo wind speed")
    pilot.frames(2)
    assert desktop.settings.sea.wind.speed == 10
    pilot.click("Edit")
    pilot.click("Redo wind speed")
    pilot.frames(2)
    assert desktop.settings.sea.wind.speed == 14


@pytest.mark.usefixtures("undrawn")
def test_menus_mark_active_entries(pilot, desktop, monkeypatch):
    marked = {}
    draw = imgui.menu_item_simple

    def noted(name, key, on, can):
        marked[name.partition("##")[0]] = on
        return draw(name, key, on, can)

    monkeypatch.setattr(imgui, "menu_item_simple", noted)
    pilot.click("Debug view")
    assert marked["Picture"]
    assert [name for name, on in marked.items() if on] == ["Picture"]
    pilot.click("Spectrum")
    pilot.frames(2)
    assert desktop.settings.stage.view == "spectrum"
    pilot.click("Debug view")
    assert [name for name, on in marked.items() if on] == ["Spectrum"]
    pilot.click("Picture")
    pilot.frames(2)
    assert desktop.settings.stage.view == "picture"
    marked.clear()
    pilot.click("View")
    assert marked["Panels"]
    assert marked["Pause or resume"]  # the pilot's program is paused
    assert not marked["Full screen"]


def test_the_search_finds_every_setting_by_its_key(settings):
    chosen = {path.removesuffix(".kind") for path in flat(to_tree(settings))}
    for path in (*chosen, *widgets.HIDDEN):
        assert (path in panel.matches(settings, path.replace(".", " "))) == (path not in widgets.HIDDEN), path
    assert chosen <= {*key_paths(Settings), *(path.removesuffix(".kind") for path in key_paths(Settings))}
    assert set(widgets.HIDDEN) < chosen


@pytest.mark.usefixtures("undrawn")
def test_found_settings_can_be_changed(pilot, desktop):
    pilot.press("F", ctrl=True)
    desktop.on_unicode_char_entered("foam fade")
    pilot.frames(3)
    assert [label for label in pilot.places if label.startswith("##foam")] == ["##foam.decay"]
    assert "FFT" not in pilot.places
    pilot.type("##foam.decay", "9")
    assert desktop.settings.foam.decay == 9
    desktop.interface.panel.search.words = "swell height"
    pilot.frames(2)
    pilot.type("##sea.swell.height", "2")
    assert desktop.settings.sea.swell.height == 2
    desktop.interface.panel.search.words = "qqq"
    pilot.frames(2)
    assert any(unnamed(text, "no qqq") == [] for text in pilot.texts)


def test_a_change_is_undone_and_redone_by_keys_and_marked_in_the_history(pilot, desktop):
    before = desktop.settings
    pilot.click("##sea.wind.speed", along=0.8)
    changed = desktop.settings
    pilot.press("Z", ctrl=True)
    pilot.frames(2)
    assert desktop.settings == before
    pilot.press("Y", ctrl=True)
    pilot.frames(2)
    assert desktop.settings == changed
    desktop.actions.pause.run()
    pilot.until(desktop.interface.overlay.history.marked, 20)
    history = desktop.interface.overlay.history
    assert [list(marker.changes) for marker in history.markers] == [["sea.wind.speed"]] * len(history.markers)
    assert str(changed.sea.wind.speed) in history.markers[-1].text


def test_hints_are_shown_until_they_are_dismissed(pilot, desktop):
    desktop.interface.opened.append("welcome")
    pilot.frames(3)
    assert all(name in pilot.texts for name, _ in dialogs.HINTS)
    pilot.click("Got it")
    pilot.frames(2)
    assert not any(name in pilot.texts for name, _ in dialogs.HINTS)


def test_a_bookmark_brings_the_camera_back_after_a_flight(pilot, desktop):
    view = desktop.settings.view
    pilot.press("NUMBER_1", ctrl=True, shift=True)
    pilot.press("J")
    desktop.wnd.hold("W")
    pilot.frames(10)
    desktop.wnd.hold()
    pilot.press("J")
    there = desktop.settings.view
    assert there != view
    pilot.press("NUMBER_1", ctrl=True)
    assert desktop.settings.view not in (view, there)  # during the flight
    pilot.frames(round(TRANSITION / STEP) + 2)
    assert desktop.settings.view == view
    pilot.press("G")
    pilot.frames(len(desktop.camera_path.flight.times) * 2 + 10)
    assert desktop.settings.view.x == pytest.approx(there.x, abs=1)
    assert desktop.camera_path.status == ""


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("seconds", "key", "is_kept"), [(0.3, "J", True), (0.3, "G", True), (9, "ESCAPE", True), (9, "J", False)]
)
def test_a_flight_outlives_a_recording_by_mistake(pilot, desktop, seconds, key, is_kept):
    pilot.press("J")
    pilot.frames(round(2 / STEP))
    pilot.press("J")
    flight = desktop.camera_path.flight
    pilot.press("J")
    pilot.frames(round(seconds / STEP))
    pilot.press(key)
    assert not desktop.camera_path.is_recording
    assert (desktop.camera_path.flight == flight) == is_kept


def test_the_highest_crest_is_found_and_found_again(pilot, desktop, ctx, tmp_path):
    """O finds the crest and stops the sea there. Shift+O finds it again later, and in another run of the program."""
    state = tmp_path / "window.json"
    desktop.keep = last_state.Session(state).keep
    desktop.paused = False
    pilot.press("O", shift=True)
    assert unnamed(desktop.interface.message, "no crest O") == []
    pilot.frames(8)
    pilot.press("O")
    found, view, message = desktop.time, desktop.camera_path.bookmarks["highest crest"].view, desktop.interface.message
    height = float(message.split()[2])
    assert message.startswith("crest of ")
    assert f"at {found:.1f} s" in message
    pilot.frames(round(TRANSITION / STEP) + 2)
    assert (desktop.time, desktop.settings.view) == (found, view)
    assert crest_ahead(desktop) == pytest.approx(height, abs=0.02)
    pilot.press("SPACE")
    pilot.frames(8)
    assert desktop.time > found
    pilot.press("O", shift=True)
    pilot.frames(round(TRANSITION / STEP) + 2)
    assert (desktop.time, desktop.paused, desktop.settings.view) == (found, True, view)
    desktop.quit()
    pilot.frames()
    kept = last_state.load(state)
    again = reopened(ctx, kept)
    try:
        for _ in range(3):
            again.on_render(0.0, STEP)
        actions.go_to_moment(again, "highest crest")
        for _ in range(round(TRANSITION / STEP) + 2):
            again.on_render(0.0, STEP)
        assert crest_ahead(again) == pytest.approx(height, abs=0.02)
    finally:
        again.release()
        again.wnd.destroy()


def crest_ahead(desktop):
    """Return the highest water on the camera's line of sight, up to 60 m away."""
    view, sea = desktop.settings.view, desktop.renderer.sea
    away = np.arange(0.0, 60.0, 0.25)
    x, z = view.x + away * np.sin(np.radians(view.heading)), view.z - away * np.cos(np.radians(view.heading))
    return np.nanmax(sea.height(x, z))


def test_flat_water_has_no_highest_crest(pilot, desktop):
    pilot.set({"sea.wind.speed": 0.0})
    pilot.frames(2)
    pilot.until(lambda: desktop.renderer.sea.spectrum is not None and not desktop.renderer.sea.is_busy)
    pilot.press("O")
    assert "flat" in desktop.interface.message


def mean_sky(desktop):
    """Return the mean light of the sky that water reflects."""
    return np.frombuffer(desktop.renderer.light.environment.read(), "f4").reshape(-1, 4)[:, :3].mean()


def test_a_dropped_file_is_taken_and_others_are_refused(pilot, desktop, tmp_path):
    (tmp_path / "mine.toml").write_text(to_toml(with_values(desktop.settings, {"sea.wind.speed": 17.0})))
    desktop.on_files_dropped_event(5, 5, [tmp_path / "mine.toml"])
    pilot.frames(2)
    assert desktop.settings.sea.wind.speed == 17
    for name, text, said in (
        ("a.txt", "", "nor a wave spectrum: "),
        ("b.toml", "[seaa]\n", "did you mean sea"),
        ("c.hdr", "", "sky.panorama"),
    ):
        (tmp_path / name).write_text(text)
        before = desktop.settings
        desktop.on_files_dropped_event(5, 5, [str(tmp_path / name)])
        pilot.until(lambda said=said: said in desktop.interface.message)
        assert desktop.settings == before
    (tmp_path / "CANNOT.TOML").write_text('[fft]\nsize = 96\nbackend = "cooley-tukey"\n')
    desktop.on_files_dropped_event(5, 5, [str(tmp_path / "CANNOT.TOML")])
    pilot.frames(2)
    assert "power of two" in desktop.interface.message  # not the message that it was loaded
    assert desktop.settings == before
    write_hdr(tmp_path / "sky.hdr", np.ones((8, 16, 3), np.float32), compressed=False)
    desktop.on_files_dropped_event(5, 5, [tmp_path / "sky.hdr"])
    pilot.until(lambda: desktop.settings.sky.panorama == str(tmp_path / "sky.hdr"))
    pilot.frames(2)
    sky = mean_sky(desktop)
    write_hdr(tmp_path / "sky.hdr", np.full((8, 16, 3), 3.0, np.float32), compressed=False)
    desktop.on_files_dropped_event(5, 5, [tmp_path / "sky.hdr"])  # edited, with the same name
    pilot.until(lambda: mean_sky(desktop) == pytest.approx(3 * sky, rel=0.02))
    desktop.on_files_dropped_event(5, 5, [folder("assets") / "example-buoy.data_spec"])
    pilot.until(lambda: desktop.settings.sea.wind.spectrum.kind == "file")
    assert desktop.settings.sea.wind.spectrum.path.endswith("example-buoy.data_spec")
    chosen = {"sea.wind.spectrum.time": 0, "sea.wind.spectrum.directional": False}
    desktop.put(Change(resolve(with_values(desktop.settings, chosen))))
    (tmp_path / "sea.csv").write_text("f,S\n0.05,0.1\n0.1,2\n0.2,0.1\n")
    desktop.on_files_dropped_event(5, 5, [tmp_path / "sea.csv"])
    pilot.until(lambda: desktop.settings.sea.wind.spectrum.path.endswith("sea.csv"))
    assert desktop.settings.sea.wind.spectrum.time == -1  # the record of the file before means nothing here
    assert desktop.settings.sea.wind.spectrum.directional


@pytest.mark.parametrize("suffix", [".toml", ".hdr", ".csv"])
def test_a_file_that_cannot_be_looked_up_is_refused(pilot, desktop, tmp_path, suffix):
    """A folder that may not be entered gives the same error as a name that is too long."""
    path = tmp_path / f"{'x' * 300}{suffix}"
    desktop.interface.files.recent = [path]
    desktop.on_files_dropped_event(5, 5, [path])
    pilot.frames(2)
    assert desktop.failure is None
    assert desktop.interface.is_error


def test_an_error_is_shown_logged_and_survived(pilot, desktop, tmp_path, monkeypatch, capsys):
    desktop.interface.opened.append("comparison")
    with monkeypatch.context() as patch:
        patch.setattr(desktop.interface.panel, "draw", lambda *_: 1 / 0)  # within ImGui's frame
        pilot.frames()
    pilot.frames(3)
    assert any("ZeroDivisionError" in text for text in pilot.texts)
    pilot.click("Copy")
    assert "Traceback" in imgui.get_clipboard_text()
    assert "ZeroDivisionError" in (tmp_path / "log" / "ocean.log").read_text()
    assert "ZeroDivisionError" in capsys.readouterr().err
    pilot.click("Continue")
    pilot.frames(4)
    assert desktop.failure is None
    assert "FFT" in pilot.places


def test_the_comparison_of_a_nonlinear_sea_has_times_of_steps(pilot, desktop):
    rows = [Measured(name=name, kind="backend", is_right=True, repeats=1, **sampled([1.0])) for name in ("auto", "dft")]
    desktop.interface.opened.append("comparison")
    pilot.frames(2)
    assert "step ms##compared" not in pilot.places
    desktop.comparing.findings = Findings(rows, "8 transforms", steps={"auto": 0.7654, "dft": 12.34})
    pilot.frames(2)
    assert "step ms##compared" in pilot.places
    assert {"0.765", "12.34"} <= set(pilot.texts)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("size", "scale"), [((1280, 800), 2.0), ((800, 640), 1.0), ((1024, 640), 1.0), ((1600, 1000), 1.0)]
)
def test_names_of_backends_are_not_cut_in_the_comparison(pilot, desktop, size, scale):
    rows = [Measured(name=name, kind="backend", is_right=True, repeats=1, **sampled([1.0])) for name in BACKENDS]
    desktop.interface.opened.append("comparison")
    longest = max(BACKENDS, key=len)
    steps = dict.fromkeys(BACKENDS, 1.0)
    desktop.comparing.findings = Findings(rows, "8 transforms", is_auto=longest, fastest="dft", steps=steps)
    pilot.set({"window.scale": scale})
    desktop.wnd.has_units(size)
    pilot.frames(3)
    desktop.interface.layout.reset()
    pilot.frames(4)
    shown = {name: f"{name} (auto)" if name == longest else name for name in BACKENDS}
    whole = [
        pilot.places[f"Use this##{name}"][0].x - pilot.places[f"{text}##compared"][0].x - imgui.calc_text_size(text).x
        for name, text in shown.items()
        if f"Use this##{name}" in pilot.places
    ]
    assert len(whole) > 10
    assert min(whole) > 0
    assert ("log scale##compared" in pilot.places) == (size[0] == 1600)
    window = imgui.internal.find_window_by_name("FFT backends###comparison")
    desktop.wnd.has_units((round(0.7 * size[0]), size[1]))
    pilot.frames(4)
    assert pilot.places["CSV##copy"][1].x < window.pos.x + window.size.x


def test_the_list_of_baselines_is_as_wide_as_its_text(pilot, desktop):
    rows = [
        Measured(name=name, kind="backend", is_right=True, repeats=1, **sampled([1.0]))
        for name in ("cooley-tukey-stages", "dft")
    ]
    desktop.interface.opened.append("comparison")
    desktop.comparing.findings = Findings(rows, "8 transforms")
    pilot.frames(2)
    for name in ("cooley-tukey-stages", "dft"):
        pilot.choose("baseline", name)
        low, high = pilot.places["##baseline"]
        assert high.x - low.x >= imgui.calc_text_size(f"baseline: {name}").x + high.y - low.y


def test_a_comparison_ends_if_it_fails(pilot, desktop, monkeypatch):
    monkeypatch.setattr(LiveBench, "step", lambda _: 1 / 0)
    pilot.press("B")
    pilot.frames(3)
    assert "ZeroDivisionError" in desktop.failure.message
    pilot.click("Continue")
    pilot.frames(4)
    assert desktop.failure is None
    assert desktop.comparing.bench is None
    assert desktop.comparing.findings.progress is None


def test_the_state_is_saved_and_restored(pilot, desktop, ctx, settings, tmp_path):
    path = tmp_path / "state" / "window.json"
    desktop.keep = last_state.Session(path).keep
    desktop.put(Change(with_values(settings, {"sea.wind.speed": 21.0})))
    actions.set_bookmark(desktop, "2")
    desktop.interface.panel.pinned.append("sea.seed")
    pilot.frames(3)
    desktop.quit()
    pilot.frames()
    kept = last_state.load(path)
    assert settings_from(kept.settings).sea.wind.speed == 21
    assert kept.pinned == ("sea.seed",)
    again = reopened(ctx, kept)
    try:
        again.on_render(0.0, 0.1)
        again.on_render(0.0, 0.1)
        assert again.interface.layout.view == desktop.interface.layout.view
        assert again.camera_path.bookmarks == desktop.camera_path.bookmarks
    finally:
        again.release()
        again.wnd.destroy()


@pytest.mark.parametrize("text", ["{", '{"settingz": {}}', '{"settings": {}, "schema_version": 3}'])
def test_a_state_of_another_version_is_refused_in_one_sentence(tmp_path, text):
    (tmp_path / "window.json").write_text(text)
    with pytest.raises(InputError, match="another version"):
        last_state.load(tmp_path / "window.json")
    assert last_state.load(tmp_path / "none.json") == LastState(settings={})
    last_state.save(tmp_path / "window.json", LastState(settings={}))
    assert settings_from(last_state.load(tmp_path / "window.json").settings) == Settings()


def test_a_comparison_switches_the_backend_and_writes_a_report(pilot, desktop, tmp_path, monkeypatch):
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: str(tmp_path / "cache"))
    desktop.paused = False
    pilot.press("B")
    pilot.frames()
    time, said = desktop.time, []
    pilot.until(lambda: said.append(desktop.comparing.findings.status) or desktop.comparing.findings.saved)
    assert desktop.time == pytest.approx(time, abs=2 * STEP)  # the sea waits
    for words in (r"\d+ of \d+, about \d+ s: dft", r"round 2 of \d+, about \d+ s", r"[\w-]+, fused .*, about \d+ s"):
        assert any(re.fullmatch(words, text) for text in said)
    assert not any(text.startswith((",", "about")) for text in said[2:])
    (folder,) = (tmp_path / "out").iterdir()
    bench = Bench.read(folder / "bench.json")
    assert {row.name for row in bench.rows if row.kind == "backend"} == set(BACKENDS)
    assert all(row.is_right for row in bench.rows if row.kind == "backend")
    assert {row.batch for row in bench.rows} == {8}
    assert bench.noise
    assert {path.name for path in folder.iterdir()} == {"bench.json", "bench.csv", "bench.md"}
    pilot.frames(2)
    findings = desktop.comparing.findings
    assert findings.is_auto in BACKENDS
    assert any(text.startswith(findings.verdict[:30]) for text in pilot.texts)
    names = [f"{name} (auto)" if name == findings.is_auto else name for name in BACKENDS if name != "auto"]
    for row in findings.shown:
        assert any(f"{name}##compared" in pilot.places for name in (row.name, f"{row.name} (auto)"))
        for text in (f"{row.speedup:.3g} ×", f"{row.relative_l2:.1e}"):
            assert text in pilot.texts
    assert theme.WRONG[:3] not in [pytest.approx(colour, abs=1e-3) for colour in pilot.colours.values()]
    assert any(unnamed(text, "8 32 × 32") == [] for text in pilot.texts)
    assert any(unnamed(text, "auto stockham-registers") == [] for text in pilot.texts)
    rows = {row.name: row for row in findings.shown}
    pilot.choose("baseline", "naive")
    pilot.frames(2)
    assert f"{rows['naive'].median_ms / rows['four-step'].median_ms:.3g} ×" in pilot.texts
    pilot.click("Backend##compared")
    pilot.click(f"{desktop.timers.clock} ms##compared")  # a click on a heading sorts
    pilot.frames(2)
    by_height = sorted(names, key=lambda name: pilot.place(f"{name}##compared")[1])
    assert by_height == sorted(names, key=lambda name: rows[name.partition(" ")[0]].median_ms)
    pilot.click("##runs")
    (past,) = [label for label in pilot.places if label.endswith("8 transforms of 32 × 32")]
    pilot.click(past)
    pilot.frames(2)
    for name in rows:  # with the numbers of the report
        assert f"{rows[name].relative_l2:.1e}" in pilot.texts
    pilot.click("Backend##compared")  # by name, so that the row is in sight however slow it is
    pilot.frames(2)
    pilot.click("Use this##four-step")
    pilot.frames()
    assert desktop.settings.fft.backend == "four-step"
    pilot.hover("four-step##compared")
    pilot.frames(40)
    assert any(text.startswith("four-step: median") for text in pilot.texts)
    pilot.click("CSV##copy")  # of the comparison, the last window drawn
    copied = list(csv.reader(io.StringIO(imgui.get_clipboard_text())))
    assert {line[0] for line in copied} == {"Backend", *(name.partition(" ")[0] for name in names)}
    assert len({len(line) for line in copied}) == 1
    assert f"{desktop.timers.clock} ms" in copied[0]
    pilot.choose("runs", "newest run")
    assert f"Fused with the sea, {findings.pair.backend} takes least: " in findings.verdict
    pilot.set({"fft.backend": "auto"})
    pilot.frames(2)
    # Another pair than the built-in one, whichever is the fastest here
    pair = Chosen("dft", BACKENDS["dft"].Options(), BACKENDS["dft"].Options())
    desktop.comparing.findings = replace(findings, pair=pair)
    pilot.click("Use as tuning")
    assert f"auto takes {findings.fastest}, and fused dft," in desktop.interface.message
    assert any("as tuned on this GPU; fused, it takes dft." in text for text in pilot.texts)
    assert {type(one) for one in desktop.renderer.sea.plan.transforms} == {BACKENDS["dft"]}
    pilot.frames(2)
    assert not desktop.failure
    plan = TunedPlans.load(cache_file(desktop.ctx.info["GL_RENDERER"])).find(32, desktop.renderer.sea.storage.layers)
    assert plan.backend == findings.fastest
    assert plan.fused.backend == "dft"
    pilot.set({"fft.size": 64})
    pilot.until(lambda: desktop.renderer.sea.size == 64)
    pilot.click("Use as tuning")  # of the size that was measured
    plans = TunedPlans.load(cache_file(desktop.ctx.info["GL_RENDERER"]))
    assert plans.find(64, desktop.renderer.sea.storage.layers) is None
    use_cache(False)  # of the next tests


@pytest.mark.usefixtures("undrawn")
def test_a_run_of_another_machine_has_the_clock_of_its_report(pilot, desktop, tmp_path):
    bench = Bench.read(Path(__file__).parents[3] / "docs" / "measurements" / "h200" / "ocean" / "bench.json")
    rows = (row.model_copy(update={"samples_ms": (row.median_ms,) * 6}) for row in bench.rows if row.median_ms)
    save(bench.model_copy(update={"rows": tuple(rows)}), tmp_path / "out" / "bench-h200")
    desktop.interface.opened.append("comparison")
    pilot.frames(2)
    pilot.click("##runs")
    pilot.click(next(label for label in pilot.places if label.endswith("4 transforms of 512 × 512")))
    pilot.frames(2)
    assert any("by the gpu clock" in text for text in pilot.texts)
    assert "gpu ms##compared" in pilot.places


def test_a_sweep_plots_the_backends_over_sizes(pilot, desktop, tmp_path, monkeypatch):
    monkeypatch.setattr("ocean.bench.live.SOFTWARE_SIZES", (8, 16))
    monkeypatch.setattr("ocean.bench.live.SIZES", (8, 16))
    few = {name: BACKENDS[name] for name in ("auto", "dft", "naive")}
    monkeypatch.setattr("ocean.bench.live.BACKENDS", few)
    desktop.interface.opened.append("comparison")
    pilot.frames(2)
    pilot.click("Sizes")
    for size in (8, 16):
        pilot.until(lambda size=size: any(f"transforms of {size} × {size} by" in text for text in pilot.texts))
    pilot.until(lambda: desktop.comparing.findings.saved)
    pilot.frames(2)
    assert any("transforms of each size by" in text for text in pilot.texts)
    (path,) = tmp_path.rglob("bench.json")
    assert {row.size for row in Bench.read(path).rows} == {8, 16}
    curves = desktop.comparing.findings.curves
    assert set(curves) == set(few)
    assert curves["dft"][0].tolist() == [8, 16]
    assert all(len(sizes) == len(times) and (times > 0).all() for sizes, times in curves.values())
    assert "dft##compared" not in pilot.places  # the plot is in place of the table
    assert desktop.comparing.bench is None


@pytest.mark.parametrize(
    ("noise", "times", "said", "fastest"),
    [
        (0.01, {"dft": 2.0, "auto": 0.5, "four-step": 1.0}, "four-step is the fastest: 1.00 ms", "four-step"),
        (0.05, {"dft": 1.02, "four-step": 1.0}, "four-step, dft are the fastest, a tie: 1.00 ms", "four-step"),
        (None, {"dft": 1.0}, "", ""),
    ],
)
def test_the_verdict_names_ties(noise, times, said, fastest):
    case = {"workload": "ocean", "size": 32, "batch": 8, "kind": "backend", "is_right": True}
    rows = [Row(name=name, median_ms=ms, samples_ms=(ms,), **case) for name, ms in times.items()]
    verdict, name = judged(rows, noise)
    assert verdict.startswith(said)
    assert name == fastest


def test_the_verdict_and_its_reasons_agree_on_ties():
    """Also where single rows scatter more than the repeated measurement."""
    case = {"workload": "ocean", "size": 32, "batch": 8, "kind": "backend", "is_right": True, "bytes": 1, "samples": 6}
    times = ("four-step", 1.0, 1.1, 4), ("dft", 1.9, 6.0, 2)
    rows = [
        Row(name=name, median_ms=ms, p5_ms=ms, p95_ms=p95, samples_ms=(ms,) * 6, dispatches=count, **case)
        for name, ms, p95, count in times
    ]
    verdict, _ = judged(rows, 0.01)
    assert verdict.startswith("four-step, dft are the fastest, a tie")
    assert "four-step and dft can't be told apart" in verdict


def test_a_shader_that_does_not_compile_is_reported_over_the_view(pilot, desktop):
    desktop.watch.error = "surface/shade.comp:12: error: no"
    pilot.frames(3)
    assert pilot.colours["surface/shade.comp:12: error: no"] == pytest.approx(theme.WRONG[:3], abs=1e-3)


def test_memory_is_looked_up_only_where_it_is_read(pilot, desktop, monkeypatch):
    """Looking at all objects takes long, and disturbs tuples that the gauge's thread is making."""
    looked = []
    monkeypatch.setattr(interface, "memory_lines", lambda ctx: looked.append(ctx) or ["12 MiB in all"])
    pilot.frames(3)
    assert not looked
    desktop.on_mouse_position_event(SIZE[0] - 40, 10, 0, 0)
    pilot.frames(40)
    assert looked


def test_the_panel_lists_memory_line_by_line(pilot, monkeypatch):
    monkeypatch.setattr(interface, "memory_lines", lambda ctx: ["9 MiB maps", "12 MiB in all"])
    pilot.click("Sea")  # otherwise Memory lies below the window
    pilot.click("Memory")
    assert "9 MiB maps\n12 MiB in all" in pilot.texts


@pytest.mark.usefixtures("undrawn")
def test_help_has_documentation_log_version_and_licences(pilot, desktop, monkeypatch):
    opened = []
    monkeypatch.setattr(interface.Interface, "open", lambda _, path: opened.append(path))
    pilot.click("Help")
    pilot.click("Documentation")
    assert [path.name for path in opened] == ["index.md"] or opened[0].name == "index.html"
    assert opened.pop().exists()
    pilot.click("Help")
    pilot.click("Folder of the log")  # grey, because no error has been logged
    assert not opened
    dialogs.log_file().parent.mkdir(parents=True)
    pilot.frames(2)
    pilot.click("Folder of the log")
    assert opened == [dialogs.log_file().parent]
    pilot.click("Help")
    pilot.click("Version and licences")
    pilot.frames(2)
    shown = " ".join(pilot.texts)
    assert all(part in shown for part in (__version__, "MIT", "moderngl", str(dialogs.log_file())))
    pilot.press("ESCAPE")
    pilot.frames(2)
    assert "about" not in desktop.interface.opened
