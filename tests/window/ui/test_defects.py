"""Behaviour that a user meets in the first hour: levels that stay, Esc, numbers with units, errors in events."""

import ast
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from imgui_bundle import imgui

from ocean.common.records import Measured
from ocean.common.resources import config
from ocean.render.debug_views import DEBUG_VIEWS
from ocean.settings import level_of, level_values, with_values
from ocean.window import actions
from ocean.window.ui import interface
from ocean.window.ui.comparison import Findings
from ocean.window.ui.files import is_of, load_scene, scenes
from ocean.window.ui.interface import Layout
from ocean.window.ui.overlay import History
from ocean.window.ui.panel import without_effect
from ocean.window.ui.theme import em
from ocean.window.ui.widgets import LABEL_WIDTH, Editor, parse_number
from tests.messages import unnamed

from .conftest import PIXELS, SIZE

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("level", ["software", "low", "high", "ultra"])
@pytest.mark.parametrize("preset", ["calm", "hurricane", "shallow-bay"])
def test_a_scene_keeps_the_level(settings, level, preset):
    at_level = with_values(settings, level_values(level))
    assert level_of(load_scene(at_level, config(preset))) == level


def test_the_list_of_presets_contains_only_scenes(settings):
    for path in scenes({name: config(name) for name in ("calm", "gale", "ultra", "mota-512")}).values():
        assert path.stem in ("calm", "gale")


def test_a_dropped_scene_is_announced_and_keeps_the_quality_level(pilot, desktop, tmp_path, monkeypatch):
    said, apply = [], desktop.renderer.apply
    monkeypatch.setattr(interface, "banner", lambda lines, view: said.extend(text for text, _ in lines))
    monkeypatch.setattr(desktop.renderer, "apply", lambda *a, **b: said.append("applied") if b or a[1:] else apply(*a))
    (tmp_path / "scene.toml").write_text("[buoy]\nshow = true\n")
    fft, window = desktop.settings.fft, desktop.settings.window
    desktop.on_files_dropped_event(5, 5, [tmp_path / "scene.toml"])
    pilot.frames()
    assert "compiling …" in said
    assert "applied" not in said
    pilot.frames()
    assert "applied" in said
    assert desktop.settings.buoy.show
    assert (desktop.settings.fft, desktop.settings.window) == (fft, window)
    assert desktop.settings.sky.plain


def test_new_shaders_are_counted_over_the_old_picture(pilot, desktop, tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr("ocean.window.pictures.PATIENCE", 0.0)
    monkeypatch.setattr(interface, "banner", lambda lines, view: said.append(lines[-1][0]))
    pilot.until(lambda: not desktop.drawing.is_on)
    old = desktop.renderer.picture.read()
    (tmp_path / "scene.toml").write_text("[buoy]\nshow = true\n[sea]\nseed = 7\n")
    desktop.on_files_dropped_event(5, 5, [tmp_path / "scene.toml"])
    pilot.until(lambda: desktop.settings.buoy.show)
    passes = len(desktop.renderer.passes)
    for number in range(1, passes + 1):
        assert unnamed(said[-1], f"compiling {number} of {passes}") == []
        assert desktop.renderer.picture.read() == old
        if number == 3:  # changes made meanwhile apply when the picture is complete
            actions.toggle_orbit(desktop)
        pilot.frames()
    assert not desktop.drawing.is_on
    assert desktop.renderer.picture.read() != old
    pilot.frames()
    assert desktop.settings.view.mode == "orbit"
    assert (desktop.settings.buoy.show, desktop.settings.sea.seed) == (True, 7)
    assert not any(text.startswith("drawing ") for text in said)
    monkeypatch.setattr("ocean.window.pictures.SLOW", 0.0)
    pilot.frames(3)
    assert said[-1].startswith("drawing ")


def test_escape_closes_then_cancels_and_never_quits(pilot, desktop):
    pilot.press("F1")
    assert "keys" in desktop.interface.opened
    pilot.press("ESCAPE")
    assert "keys" not in desktop.interface.opened
    pilot.press("F", ctrl=True)
    desktop.on_unicode_char_entered("foam")
    pilot.frames(3)
    for _ in range(2):  # first ImGui leaves the field
        pilot.press("ESCAPE")
    assert desktop.interface.panel.search.words == ""
    pilot.click("##fft.backend")
    assert "numpy" in pilot.places
    pilot.press("ESCAPE")
    pilot.frames(2)
    assert "numpy" not in pilot.places
    pilot.press("J")
    pilot.press("ESCAPE")
    assert not desktop.camera_path.status
    pilot.press("NUMBER_4")
    pilot.press("ESCAPE")
    pilot.frames(2)
    assert desktop.settings.stage.view == "picture"
    for _ in range(3):
        pilot.press("ESCAPE")
    assert desktop.interface.message == "Ctrl+Q quits"
    assert not desktop.wnd.is_closing


@pytest.mark.usefixtures("undrawn")
def test_escape_closes_what_was_opened_last(pilot, desktop):
    window = desktop.interface
    window.panel.search.words = "wind"
    pilot.frames()
    pilot.press("T")
    pilot.press("ESCAPE")
    assert window.panel.search.words
    assert "validation" not in window.opened
    pilot.press("T")
    window.panel.search.end()
    pilot.frames()
    window.panel.search.words = "wind"
    pilot.press("ESCAPE")
    assert "validation" in window.opened
    assert not window.panel.search.words


def test_quitting_asks_while_a_movie_is_recorded(pilot, desktop, tmp_path):
    pytest.importorskip("av")
    actions.toggle_recording(desktop)
    pilot.frames(2)
    pilot.press("Q", ctrl=True)
    pilot.until(lambda: "Continue recording" in pilot.places, limit=5)
    pilot.press("SPACE")  # on "Continue recording": keys go to the dialog
    pilot.until(lambda: "quit" not in desktop.interface.opened, limit=5)
    assert desktop.studio.movie
    pilot.frames()  # keys go to the window again
    pilot.press("Q", ctrl=True)
    pilot.until(lambda: "Save it and quit" in pilot.places, limit=5)
    pilot.press("ESCAPE")
    pilot.frames(2)
    was_paused = desktop.paused
    pilot.press("SPACE")  # of the view again, not of the buttons next to the movie's progress
    assert desktop.studio.movie
    assert desktop.paused is not was_paused
    pilot.press("Q", ctrl=True)
    pilot.until(lambda: "Save it and quit" in pilot.places, limit=5)
    pilot.hover("Save it and quit")
    x, y = pilot.place("Save it and quit")
    desktop.on_mouse_press_event(x, y, 1)
    pilot.frames()
    desktop.on_mouse_release_event(x, y, 1)
    pilot.frames()
    assert desktop.wnd.is_closing
    assert [path.suffix for path in (tmp_path / "out").iterdir()] == [".mp4"]


@pytest.mark.parametrize(
    ("typed", "metres"),
    [("500 km", 5e5), ("500", 5e5), ("500e3", 5e5), ("0.5 Mm", 5e5), ("250000 m", 2.5e5), ("12,5 km", 12.5e3)],
)
def test_a_number_is_typed_in_the_unit_that_is_shown(pilot, desktop, typed, metres):
    pilot.type("##sea.wind.fetch", typed)
    assert desktop.settings.sea.wind.fetch == pytest.approx(metres)


@pytest.mark.usefixtures("undrawn")
def test_the_backend_is_readable_in_a_small_window(pilot, desktop, monkeypatch):
    shown = {}
    draw = imgui.begin_combo

    def noted(label, text, flags=0):
        shown[label] = text, flags, imgui.calc_item_width()
        return draw(label, text, flags)

    monkeypatch.setattr(imgui, "begin_combo", noted)
    for name in ("auto", "stockham-radix2", "cooley-tukey-stages"):
        pilot.set({"fft.backend": name})
        desktop.wnd.has_units((1024, 640))
        pilot.frames(3)
        text, flags, width = shown["##fft.backend"]
        arrow = 0 if flags & imgui.ComboFlags_.no_arrow_button else imgui.get_frame_height()
        assert imgui.calc_text_size(text).x + arrow + 2 * imgui.get_style().frame_padding.x <= width
        assert name.startswith(text.removesuffix("…"))
    assert len(text) > len("cooley-tukey")
    desktop.on_mouse_position_event(*pilot.place("##fft.backend"), 0, 0)
    pilot.frames(20)
    assert "cooley-tukey-stages" in pilot.texts


def test_a_number_outside_its_range_is_refused(pilot, desktop):
    pilot.type("##sea.wind.speed", "99")
    assert desktop.settings.sea.wind.speed == 40
    assert unnamed(desktop.interface.message, "sea.wind.speed 99 m/s 0 40") == []
    pilot.type("##sea.wind.speed", "fast")
    assert desktop.settings.sea.wind.speed == 40
    assert unnamed(desktop.interface.message, "sea.wind.speed fast m/s") == []


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(("typed", "named"), [("99999 km", "99999 km"), ("5 bananas", "bananas km")])
def test_a_number_is_refused_in_the_unit_that_is_shown(pilot, desktop, typed, named):
    pilot.type("##sea.wind.fetch", typed)
    assert unnamed(desktop.interface.message, named) == []


@pytest.mark.parametrize("text", ["", "m", "1.2.3", "nan", "5 s", "1e999", "--3"])
def test_texts_without_a_number_are_refused(text):
    assert parse_number(text, 10.0, "m", 0.0, 100.0) is None


def test_an_error_while_events_are_taken_is_shown(pilot, desktop, monkeypatch):
    """The library's own code may raise an error on data of other programs."""
    with monkeypatch.context() as patch:
        patch.setattr(desktop.wnd, "swap_buffers", lambda: [] + 1)
        desktop.show_frame()
    pilot.frames(3)
    assert any(text.startswith("TypeError") for text in pilot.texts)
    pilot.click("Continue")
    pilot.frames(2)
    assert desktop.failure is None


def test_an_export_goes_on_after_an_error(pilot, desktop, monkeypatch):
    job = SimpleNamespace(lines=["frame 3 of 9"], status=None, progress=1 / 3, cancel=lambda: pytest.fail("cancelled"))
    monkeypatch.setattr(desktop.exporting, "_job", job)
    desktop.fail(TypeError("of a part that has nothing to do with it"))
    pilot.frames(2)
    pilot.click("Continue")
    pilot.frames(2)
    assert desktop.interface.exporting.is_busy
    job.cancel = lambda: None  # at the end of the window


def test_docks_follow_the_font(pilot, desktop):
    panel = desktop.interface.layout.view.x
    pilot.set({"window.scale": 0.75})
    pilot.frames(4)
    assert desktop.interface.layout.view.x == pytest.approx(0.75 * panel, rel=0.03)


def test_a_view_that_is_squeezed_gets_room_and_gives_it_back(pilot, desktop):
    wide = desktop.interface.layout.view
    desktop.wnd.has_units((560, 600))
    pilot.frames(5)
    assert desktop.interface.layout.view.width > 200
    desktop.wnd.has_units(SIZE)
    pilot.frames(5)
    assert desktop.interface.layout.view.width == pytest.approx(wide.width, rel=0.05)


def test_a_panel_that_was_squeezed_gets_its_width_back(pilot, desktop):
    layout, widths = desktop.interface.layout, []
    pilot.set({"window.scale": 2.0})
    for size in ((700, 640), (1024, 640)):
        desktop.wnd.has_units(size)
        pilot.frames(5)
        grown = layout.view.x
        layout.reset()
        pilot.frames(5)
        widths.append((grown, layout.view.x))
    assert widths[0][1] < 0.8 * widths[1][1]
    assert widths[1][0] == pytest.approx(widths[1][1], rel=0.03)


@pytest.mark.parametrize("width", [560, 900], ids=["narrow", "small"])
def test_the_layout_of_a_smaller_window_does_not_outlast_it(pilot, desktop, width):
    wide = desktop.interface.layout.view
    desktop.wnd.has_units((width, 600))
    pilot.frames(5)
    kept = desktop.interface.layout.text
    desktop.wnd.has_units(SIZE)
    desktop.interface.layout = Layout(kept)
    pilot.frames(5)
    assert desktop.interface.layout.view.width == pytest.approx(wide.width, rel=0.03)


def test_a_control_without_effect_is_grey_and_says_why(pilot, desktop):
    desktop.interface.panel.search.words = "sky clouds"
    pilot.frames(3)
    before = desktop.settings.sky.clouds
    pilot.click("##sky.clouds", along=0.9)
    assert desktop.settings.sky.clouds == before
    pilot.frames(40)
    assert any(unnamed(text, "No effect sky.plain") == [] for text in pilot.texts)
    inert = without_effect(with_values(desktop.settings, {"sky.plain": False, "view.mode": "orbit"}), fuses=False)
    assert {"fft.fused"} <= inert.keys()
    assert not {"sky.clouds", "view.distance"} & inert.keys()


@pytest.mark.usefixtures("undrawn")
def test_the_switch_beside_the_search_is_whole_in_each_frame(pilot, desktop):
    pilot.press("F", ctrl=True)
    pilot.frames(3)
    desktop.on_unicode_char_entered("e")
    panel = imgui.internal.find_window_by_name("Settings###panel")
    for _ in range(3):
        pilot.frames()
        assert pilot.places["changed"][1].x <= panel.inner_rect.max.x
    assert "×##search" in pilot.places


def test_the_search_finds_each_setting_once(pilot, desktop):
    placed = []
    draw = Editor.field
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Editor, "field", lambda edit, path, **rest: placed.append(path) or draw(edit, path, **rest))
        desktop.interface.panel.search.words = "spectrum"
        pilot.frames()
    assert len(placed) == len(set(placed))
    assert "window.panel" not in placed
    groups = [group for group, _ in groupby(path.rpartition(".")[0] for path in placed)]
    assert len(groups) == len(set(groups))


def test_frames_per_second_are_of_the_last_second():
    history = History()
    for interval in [0.5] * 10 + [0.1] * 20:
        history.add(interval, [])
    assert history.frames_per_second == pytest.approx(10)


def test_the_font_has_every_character(pilot):
    font = imgui.get_font()
    for path in (ROOT / "ocean" / "window").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                missing = {c for c in node.value if not c.isspace() and not font.is_glyph_in_font(ord(c))}
                assert not missing, f"{path.name}:{node.lineno}"


def test_presets_have_pictures_and_the_active_one_is_known(pilot, desktop):
    pilot.frames(2)
    files, thumbnail = desktop.interface.files, desktop.interface.thumbnail
    assert files.presets
    for name, path in files.presets.items():
        assert thumbnail(name) is not None
        assert is_of(load_scene(desktop.settings, path), path)
        assert not is_of(desktop.settings, path)
    pilot.click("Gale")
    pilot.frames(3)
    assert is_of(desktop.settings, files.presets["gale"])
    actions.nudge(desktop, "W")  # the camera does not matter
    assert is_of(desktop.settings, files.presets["gale"])


def test_each_pass_explains_itself_and_leads_to_its_debug_view(pilot, desktop):
    with_all = with_values(desktop.settings, {"sky.plain": False, "sky.metering": "automatic"})
    desktop.renderer.apply(with_all)  # presets without clouds
    names = {step.name for step in desktop.renderer.passes}
    assert {"clouds", "exposure"} <= names
    for step in desktop.renderer.passes:
        assert step.help, step.name
        assert step.debug_view in ("", *DEBUG_VIEWS), step.name
    desktop.renderer.apply(desktop.settings)
    desktop.paused = False
    pilot.until(lambda: "foam" in pilot.texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(imgui, "is_item_clicked", lambda *_: pilot.texts[-1:] == ["foam"])
        pilot.frames()
    pilot.frames(3)
    assert desktop.settings.stage.view == "foam"


def test_a_stage_that_is_left_keeps_no_picture(pilot, desktop):
    pilot.press("NUMBER_4")
    pilot.frames(3)
    assert desktop.renderer.debug.values is not None
    pilot.press("ESCAPE")
    pilot.frames(3)
    assert desktop.renderer.debug.values is None


@pytest.mark.usefixtures("undrawn")
def test_the_help_of_the_search_does_not_cover_what_is_found(pilot, desktop):
    help = "Type words of a setting's name, key, unit, help or choices. A setting matches all words. Ctrl+F"
    pilot.hover("##search")
    pilot.frames(30)  # until a tooltip appears
    assert help in pilot.texts
    pilot.press("F", ctrl=True)
    desktop.on_unicode_char_entered("foam")
    pilot.frames(30)
    assert "##foam.decay" in pilot.places
    assert help not in pilot.texts


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(("size", "scale"), [((1024, 640), 1.0), ((1280, 800), 2.0)])
def test_the_list_of_keys_fits_into_a_small_window(pilot, desktop, size, scale):
    pilot.set({"window.scale": scale})
    desktop.wnd.has_units(size)
    pilot.press("F1")
    pilot.frames(3)
    drawn = imgui.internal.find_window_by_name("Keys###keys")
    assert drawn.content_size.x <= drawn.size.x <= size[0]
    assert drawn.scroll_max.y == 0 or scale > 1


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("label", ["Gale##preset", "wind handle"])
def test_tooltips_have_one_font_and_margin(pilot, label):
    """Pictures of presets have small labels, and handles have no margin."""
    seen = []
    with pytest.MonkeyPatch.context() as patch:
        end = imgui.end_tooltip

        def ended():
            seen.append((imgui.get_font_size(), imgui.internal.get_current_window().window_padding.x))
            end()

        patch.setattr(imgui, "end_tooltip", ended)
        pilot.hover("Screenshot")
        pilot.frames(30)
        usual = seen[-1]
        seen.clear()
        pilot.hover(label)
        pilot.frames(30)
    assert seen
    assert seen[-1] == usual


@pytest.mark.usefixtures("undrawn")
def test_sea_truth_opens_over_the_view_below_the_menu(pilot, desktop):
    pilot.set({"window.scale": 2.0})
    desktop.wnd.has_units((1280, 800))
    pilot.frames(4)
    pilot.press("T")
    pilot.frames(3)
    drawn = imgui.internal.find_window_by_name("Sea truth###truth")
    view = desktop.interface.layout.view
    assert drawn.pos.x + drawn.size.x == pytest.approx(view.x + view.width, abs=40)
    assert drawn.pos.y >= imgui.get_main_viewport().work_pos.y > 0


@pytest.mark.usefixtures("undrawn")
def test_a_message_outlasts_the_slow_frame_that_it_is_about(pilot, desktop):
    """On a slow machine, the frame that searches the highest crest lasts longer than a message."""
    desktop.interface.say("a message")
    desktop.on_render(0.0, 5.0)
    pilot.frames()
    assert "a message" in pilot.texts
    for _ in range(13):
        desktop.on_render(0.0, 0.25)
    pilot.frames()
    assert "a message" not in pilot.texts


@pytest.mark.usefixtures("undrawn")
def test_panels_that_are_hidden_say_how_they_come_back(pilot, desktop):
    pilot.press("TAB")
    pilot.frames()
    assert any(unnamed(text, "Tab panels") == [] for text in pilot.texts)
    desktop.on_key_event("TAB", desktop.wnd.keys.ACTION_PRESS, desktop.wnd.modifiers)
    pilot.frames()
    assert desktop.settings.window.panel
    assert not imgui.is_key_down(imgui.Key.tab)  # ImGui would move the keyboard into a window, and take the next Tab


@pytest.mark.usefixtures("undrawn")
def test_a_dialog_darkens_what_is_behind_it(pilot, desktop):
    def brightness():
        canvas = np.frombuffer(desktop.interface.canvas.read(components=3), "u1").reshape(*PIXELS[::-1], 3)
        return canvas[:, : PIXELS[0] // 8].mean()  # position of the panel

    before = brightness()
    pilot.press("O", ctrl=True)
    pilot.frames(20)
    assert brightness() < 0.8 * before


@pytest.mark.usefixtures("undrawn")
def test_names_of_settings_do_not_overlap_their_controls(pilot, desktop, monkeypatch):
    names, draw = {}, Editor.label
    monkeypatch.setattr(
        Editor,
        "label",
        lambda edit, text, changed: (
            names.update({text: imgui.calc_text_size(text).x / em()}) or draw(edit, text, changed)
        ),
    )
    for group in type(desktop.settings).model_fields:
        desktop.interface.panel.search.words = f"{group}."
        pilot.frames()
    assert len(names) > 50
    assert max(names.values()) < LABEL_WIDTH, max(names, key=names.get)


@pytest.mark.usefixtures("undrawn")
def test_a_backend_has_no_error_before_it_was_checked(pilot, desktop):
    desktop.interface.opened.append("comparison")
    desktop.comparing.findings = Findings([Measured(name="dft", kind="backend", is_right=True)], "8 transforms")
    pilot.frames(2)
    assert "dft##compared" in pilot.places
    assert not any("e+00" in text for text in pilot.texts)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("size", [(700, 480), (1000, 700)])
def test_names_of_presets_fit_their_buttons(pilot, desktop, monkeypatch, size):
    widths, draw = {}, imgui.button

    def noted(label, box):
        widths[label] = imgui.calc_text_size(label.partition("##")[0]).x, box[0]
        return draw(label, box)

    desktop.wnd.resize_to(size)
    pilot.frames(3)
    monkeypatch.setattr(imgui, "button", noted)
    pilot.frames()
    presets = [pair for label, pair in widths.items() if label.endswith("##preset")]
    assert len(presets) == len(desktop.interface.files.presets) > 0
    assert [pair for pair in presets if pair[0] > pair[1]] == []


def outside():
    """Return the names of windows that are partly outside the program's window."""
    width, height = imgui.get_io().display_size
    others = imgui.WindowFlags_.child_window | imgui.WindowFlags_.tooltip | imgui.WindowFlags_.popup
    shown = [window for window in imgui.get_current_context().windows if window.was_active]
    moved = [window for window in shown if not window.flags & others and not window.name.startswith("###")]
    ends = [(window, window.pos.x + window.size.x, window.pos.y + window.size.y) for window in moved]
    return [one.name for one, right, low in ends if min(one.pos) < 0 or right > width + 1 or low > height + 1]


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (500, 10), (10, 500), (120, 90), (480, 320)])
def test_all_windows_stay_inside_a_window_made_smaller(pilot, desktop, size):
    for key in ("B", "T", "F1"):
        pilot.press(key)
    for now in (size, (800, 500)):
        desktop.wnd.resize_to(now)
        pilot.frames(4)
        assert desktop.failure is None
        if min(now) >= 320:
            pilot.until(lambda: not outside(), limit=20)  # Sea truth grows as its measurements arrive


def test_quitting_asks_while_an_export_runs(pilot, desktop, monkeypatch):
    job = SimpleNamespace(status=None, progress=0.5, lines=["frame 3 of 6"], cancel=lambda: None)
    monkeypatch.setattr(desktop.exporting, "_job", job)
    pilot.press("Q", ctrl=True)
    pilot.until(lambda: "Continue" in pilot.places, limit=5)
    pilot.click("Continue")
    assert not desktop.wnd.is_closing
    pilot.press("Q", ctrl=True)
    pilot.until(lambda: "End it and quit" in pilot.places, limit=5)
    job.status = 0  # the export ends before an answer
    pilot.until(lambda: desktop.wnd.is_closing, limit=5)
