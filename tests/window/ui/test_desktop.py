"""The loop: keys and camera, changed sizes between frames, pictures, and switches of the backend."""

import sys
import time
from functools import partial
from itertools import cycle, islice
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest
from imgui_bundle import imgui
from PIL import Image

from ocean.common.files import OutputError
from ocean.fft import BACKENDS
from ocean.settings import with_values
from ocean.window import desktop as loop
from ocean.window import session
from ocean.window.actions import make_actions
from ocean.window.desktop import Desktop
from ocean.window.ui import interface
from ocean.window.ui.dialogs import Question

from ...messages import unnamed
from ...objects import gl_objects
from .conftest import PIXELS, SIZE, STEP, Pilot, StubWindow

ROUNDS = 1000 // len(BACKENDS)


def switch(pilot, count):
    """Draw one frame with each of `count` backends in turn, set through the panel."""
    desktop = pilot.desktop
    for backend in islice(cycle(BACKENDS), count):
        pilot.set({"fft.backend": backend})
        pilot.until(lambda backend=backend: desktop.settings.fft.backend == backend, 3)


def at_view(desktop):
    """Return the view's upper left corner."""
    view = desktop.interface.layout.view
    return view.x, view.y


def memory():
    """Return the resident memory of this process in MiB; 0 if the system does not report it."""
    pages = Path("/proc/self/statm")
    return int(pages.read_text().split()[1]) * 4096 / 2**20 if pages.exists() else 0.0


@pytest.mark.parametrize("rounds", [1, pytest.param(ROUNDS, marks=pytest.mark.slow)])  # a thousand switches
def test_switches_leave_nothing_behind(pilot, desktop, ctx, rounds):
    switch(pilot, len(BACKENDS))
    objects, before = gl_objects(ctx), memory()
    switch(pilot, rounds * len(BACKENDS))  # whole rounds, which end with the first backend
    assert ctx.error == "GL_NO_ERROR"
    assert gl_objects(ctx) == objects
    assert memory() - before < 8


def test_the_window_may_change_its_size_between_frames(pilot, desktop, ctx):
    for size in ((320, 180), (150, 350), (1, 1), (0, 0), (160, 84)):
        desktop.wnd.resize_to(size)
        pilot.frames(3)
        assert ctx.error == "GL_NO_ERROR"
        assert desktop.interface.canvas.size == (size if min(size) else (1, 1))
        if min(size) > 1:
            assert desktop.renderer.picture.size == desktop.interface.view_pixels


def test_a_minimised_window_draws_nothing(pilot, desktop, monkeypatch):
    desktop.on_iconify(True)
    with monkeypatch.context() as patch:
        patch.setattr(desktop.renderer, "steps", lambda *_: pytest.fail("drew"))
        pilot.frames(3)
    desktop.on_iconify(False)
    pilot.frames()
    assert "FFT" in pilot.places


def test_keys_do_as_listed(pilot, desktop):
    pilot.press("SPACE")
    assert not desktop.paused
    pilot.press("F")
    assert desktop.settings.stage.view == "wireframe"
    pilot.press("U")
    assert desktop.settings.view.dive > 0
    pilot.press("U")
    assert desktop.settings.view.dive == 0
    pilot.press("C")
    assert desktop.settings.view.mode == "orbit"
    pilot.press("H")
    pilot.frames()
    (orbit,) = (action for action in desktop.actions.menu if "C" in action.keys)
    assert orbit.meaning in pilot.texts
    pilot.press("TAB")
    pilot.frames()
    assert "FFT" not in pilot.places
    desktop.wnd.modifiers.ctrl = True
    desktop.on_key_event("Q", desktop.wnd.keys.ACTION_PRESS, desktop.wnd.modifiers)
    pilot.frames()
    assert desktop.wnd.is_closing
    desktop.wnd.key_event_func("ESCAPE", desktop.wnd.keys.ACTION_RELEASE, desktop.wnd.modifiers)  # ignored
    desktop.wnd.mouse_press_event_func(10, 10, 1)


def test_time_runs_by_the_frame_and_stops(pilot, desktop):
    before = desktop.time
    pilot.frames(3)
    assert desktop.time == before
    desktop.actions.pause.run()
    pilot.set({"window.time_scale": 2.0})
    pilot.frames(3)
    assert desktop.time == pytest.approx(before + 3 * 2 * STEP)
    desktop.on_render(0.0, 100.0)
    assert desktop.time < before + 1


def test_a_clock_that_jumps_moves_nothing(pilot, desktop, monkeypatch):
    """The clock of the day is set back by an hour, and the system's monotonic clock leaps while the machine sleeps."""
    desktop.paused = False
    now, real, times = [1e6], time.time, []
    monkeypatch.setattr(time, "time", lambda: real() - 3600 * len(times))
    monkeypatch.setattr(loop, "monotonic", lambda: now[0])
    steps = iter((0.1, 3600.0, -3600.0, 0.1, 0.1))

    def show_frame():
        times.append(desktop.time)
        now[0] += next(steps, 0.1)
        if len(times) == 6:
            raise StopIteration

    monkeypatch.setattr(desktop, "show_frame", show_frame)
    with pytest.raises(StopIteration):
        desktop.loop()
    assert np.diff(times) == pytest.approx([0.1, 0.25, 0.0, 0.1, 0.1])
    assert desktop.interface.overlay.history.frames_per_second > 0


def test_the_mouse_turns_the_camera_where_imgui_does_not_want_it(pilot, desktop):
    view = desktop.settings.view
    pilot.drag(*pilot.place("FFT"), 50)
    assert desktop.settings.view == view
    pilot.drag(700, 700, 50)
    turned = desktop.settings.view
    assert turned.heading > view.heading
    assert (turned.x, turned.z, turned.pitch) == (view.x, view.z, view.pitch)
    desktop.on_mouse_scroll_event(0, 3)
    assert desktop.steering.speed > 10


def test_held_keys_move_the_camera(pilot, desktop):
    view = desktop.settings.view
    desktop.wnd.hold("W", "E")
    pilot.frames(30)
    moved = desktop.settings.view
    assert np.hypot(moved.x - view.x, moved.z - view.z) == pytest.approx(10, rel=0.01)
    assert moved.altitude == pytest.approx(view.altitude + 10 + 10 * np.sin(np.radians(view.pitch)), rel=0.01)


def test_pictures_are_with_or_without_the_interface(pilot, desktop, tmp_path):
    desktop.interface.shows_handles = False  # panels cover parts of the picture
    pilot.press("P")
    pilot.press("F12")
    pictures = {path.name[:6]: np.asarray(Image.open(path)) for path in (tmp_path / "out").iterdir()}
    sea, window = pictures["ocean-"].astype(int), pictures["window"].astype(int)
    assert window.shape == (PIXELS[1], PIXELS[0], 3)
    assert sea.shape == (*desktop.interface.view_pixels[::-1], 3)
    assert window[:, :40].mean() < 60 < window[:40, 50:110].mean()  # the panel is darker than the sky
    left, top = (round(at * pixels / size) for at, pixels, size in zip(at_view(desktop), PIXELS, SIZE, strict=True))
    np.testing.assert_allclose(window[top + 4 : top + 50, left + 4 : left + 70], sea[4:50, 4:70], atol=40)
    assert sea[:20].mean() > sea[-20:].mean()  # sky above water
    assert any("saved" in message for message in [desktop.interface.message])


def test_a_picture_that_cannot_be_written_does_not_end_the_program(pilot, desktop, tmp_path):
    (tmp_path / "out").write_text("in the way")
    pilot.press("P")
    assert "can't write" in desktop.interface.message


def test_slow_steps_are_announced_beforehand(pilot, desktop, monkeypatch):
    said = []
    monkeypatch.setattr(interface, "banner", lambda lines, view: said.extend(text for text, _ in lines))
    monkeypatch.setattr(desktop.renderer, "apply", lambda *_, **__: said.append("applied"))
    pilot.choose("fft.backend", "stockham-radix4")
    assert said[said.index("compiling …") + 1] == "applied"
    assert said.count("compiling …") == 1


def test_nonlinear_waves_show_their_progress(pilot, desktop):
    pilot.set({"sea.dynamics": "nonlinear", "cascades.count": 1, "fft.size": 16})
    shares = []
    while len(shares) < 4:
        pilot.frames()
        shares += [float(text.split()[-3]) for text in pilot.texts if text.startswith("making waves, ")]
    assert 0 < shares[0] < shares[-1] < 100


def test_panels_work_while_waves_are_computed_and_linear_waves_replace_them(ctx, settings, monkeypatch):
    monkeypatch.setattr("ocean.window.pictures.PATIENCE", 0.0)
    slow = {"sea.dynamics": "nonlinear", "cascades.count": 1, "fft.size": 16, "window.blend": 2.0}
    window = StubWindow(ctx)
    desktop = Desktop(window, with_values(settings, slow), make_actions)
    pilot = Pilot(desktop, monkeypatch)
    pilot.frames(3)
    assert "FFT" in pilot.places
    assert any(unnamed(text, "nonlinear waves Esc linear") == [] for text in pilot.texts)
    pilot.press("ESCAPE")
    pilot.until(lambda: "nonlinear waves" not in [step.name for step in desktop.renderer.passes], 60)
    pilot.until(lambda: not desktop.drawing.is_on, 60)
    assert desktop.settings.sea.dynamics == "linear"
    desktop.release()
    window.destroy()


def by_key(pilot):
    pilot.press("Q", ctrl=True)


def by_menu(pilot):
    pilot.click("File")
    pilot.click("Quit")


def by_dialog(pilot):
    pilot.desktop.fail(ValueError("nobody expected this"))
    pilot.frames(3)
    pilot.click("Quit")


def by_frames(pilot):
    pilot.desktop.quit_after = pilot.desktop.frames + 1
    pilot.frames()


@pytest.mark.parametrize("end", [by_key, by_menu, by_dialog, by_frames])
def test_a_state_that_cannot_be_kept_ends_the_program_with_its_sentence(pilot, desktop, tmp_path, end):
    (tmp_path / "file").write_text("in the way")
    desktop.keep = session.Session(tmp_path / "file" / "window.json").keep
    with pytest.raises(OutputError, match="can't write"):  # and no dialog, in a window that never closes
        end(pilot)
    assert desktop.wnd.is_closing


MOST_CALLS = 100  # Python calls of a frame


def calls(run):
    """Return the number of Python calls in a function."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count - 1


@pytest.fixture
def resting(pilot, desktop, monkeypatch):
    """Return the paused program after nothing has changed for a while."""
    monkeypatch.setattr(loop, "SETTLING", (1.0, 32))
    waits = []
    monkeypatch.setattr(desktop.native, "wait", waits.append)
    for _ in range(150):
        desktop.on_render(0.0, 1 / 30)
    assert not waits
    return desktop


def frame(desktop):
    desktop.on_render(0.0, 1 / 60)
    desktop.show_frame()


def test_it_draws_nothing_and_waits_for_events(resting, monkeypatch):
    monkeypatch.setattr(resting.renderer, "steps", lambda *_: pytest.fail("drew"))
    monkeypatch.setattr(resting.interface, "begin", lambda *_: pytest.fail("drew"))
    monkeypatch.setattr(resting.wnd, "swap_buffers", lambda: pytest.fail("showed"))
    assert sorted(calls(lambda: frame(resting)) for _ in range(9))[4] <= MOST_CALLS


@pytest.mark.parametrize(
    "event",
    [
        lambda desktop: desktop.on_mouse_position_event(5, 5, 1, 1),
        lambda desktop: desktop.on_unicode_char_entered("a"),
        lambda desktop: desktop.on_resize(10, 10),
        lambda desktop: setattr(desktop, "paused", False),
        lambda desktop: desktop.wnd.hold("W"),
        lambda desktop: desktop.change("foam", amount=0.5),
        lambda desktop: desktop.interface.say("hello"),
        lambda desktop: desktop.studio.want("window"),
    ],
    ids=["mouse", "text", "size", "time", "held key", "settings", "message", "picture"],
)
def test_an_event_is_answered_in_the_next_frame(resting, event, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = []
    monkeypatch.setattr(resting.wnd, "swap_buffers", lambda: shown.append(True))
    event(resting)
    frame(resting)
    assert shown


def test_the_mouse_over_a_paused_sea_draws_only_the_interface(resting, monkeypatch):
    monkeypatch.setattr(resting.renderer, "steps", lambda *_: pytest.fail("drew"))
    canvas = resting.interface.canvas.read()
    resting.on_mouse_position_event(100, 200, 1, 1)
    for _ in range(3):
        frame(resting)
    assert resting.interface.canvas.read() != canvas


@pytest.mark.usefixtures("undrawn")
def test_a_control_is_reached_and_used_without_the_mouse(pilot, desktop):
    pilot.press("N")
    pilot.frames(3)
    assert imgui.get_io().nav_visible
    pilot.press("DOWN")  # from the search to the buttons; the first one resumes time
    pilot.frames(2)
    assert desktop.paused
    pilot.press("SPACE")  # by the button alone: as a shortcut, Space would pause again
    pilot.frames(2)
    assert not desktop.paused
    desktop.wnd.hold("W")
    before = desktop.settings.view
    pilot.frames(5)
    assert desktop.settings.view != before  # letters still move the camera
    pilot.press("ESCAPE")
    pilot.frames(2)
    assert not imgui.get_io().nav_visible


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(("keys", "answer"), [(("ENTER",), "Finish"), (("RIGHT", "ENTER"), "Delete")])
def test_a_question_is_answered_without_the_mouse(pilot, desktop, keys, answer):
    given = []
    answers = {name: partial(given.append, name) for name in ("Finish", "Delete")}
    desktop.questions.append(Question("A movie is unfinished", "It was being recorded.", answers))
    pilot.frames(2)
    pilot.press("N")
    pilot.frames(3)
    for key in keys:
        pilot.press(key)
        pilot.frames(3)
    assert given == [answer]


@pytest.mark.usefixtures("undrawn")
def test_escape_closes_the_open_part_with_the_keyboard_in_a_window(pilot, desktop):
    pilot.press("F1")
    pilot.press("N")
    pilot.frames(3)
    assert imgui.get_io().nav_visible
    pilot.press("ESCAPE")
    assert "keys" not in desktop.interface.opened


@pytest.mark.usefixtures("undrawn")
def test_an_entry_without_a_key_is_reached_and_chosen_in_the_menu(pilot, desktop):
    """The test chooses the size of text. Its submenu is the last in View, two menus to the right of File."""
    pilot.press("M", ctrl=True)
    pilot.frames(3)
    assert "Save settings##menu" in pilot.places
    for key in ("RIGHT", "RIGHT", "DOWN"):
        pilot.press(key)
        pilot.frames(2)
    assert "Full screen##menu" in pilot.places
    for key in ("UP", "RIGHT", "DOWN", "DOWN", "DOWN", "DOWN", "ENTER"):
        pilot.press(key)
        pilot.frames(2)
    assert desktop.settings.window.scale == 1.5


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("opens", ["O", "M"])  # the list of files, and the menu
@pytest.mark.parametrize("is_recorded_before", [True, False])
def test_space_after_escape_from_a_dialog_pauses_and_ends_no_movie(pilot, desktop, opens, is_recorded_before):
    pytest.importorskip("av")
    if is_recorded_before:
        pilot.press("R")
    pilot.press(opens, ctrl=True)
    pilot.frames(3)
    assert imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
    pilot.press("ESCAPE")
    pilot.frames(2)
    assert not imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
    if not is_recorded_before:
        pilot.press("R")
        pilot.frames(2)
    was_paused = desktop.paused
    pilot.press("SPACE")
    assert desktop.paused is not was_paused
    assert desktop.studio.movie


@pytest.mark.usefixtures("undrawn")
def test_a_menu_leaves_the_keyboard_in_the_window_that_had_it(pilot):
    pilot.press("N")
    pilot.frames(3)
    pilot.press("M", ctrl=True)
    pilot.frames(3)
    pilot.press("ESCAPE")
    pilot.frames(2)
    assert imgui.get_io().nav_visible


@pytest.mark.usefixtures("undrawn")
def test_keys_go_to_the_view_after_a_search(pilot, desktop):
    pilot.press("F", ctrl=True)
    desktop.on_unicode_char_entered("wind")
    pilot.frames(2)
    assert desktop.interface.panel.search.words == "wind"
    pilot.press("ESCAPE")
    pilot.frames(2)
    assert not desktop.interface.panel.search.words
    assert desktop.paused
    pilot.press("SPACE")
    assert not desktop.paused


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(("key", "place"), [("F", "panel.search.words"), ("O", "files.dialog.name")])
def test_letters_typed_before_the_search_field_opens_go_into_it(pilot, desktop, key, place):
    """During a slow frame, letters after Ctrl+F wait. They are also keys of the camera and the sea."""
    held, view = desktop.wnd.modifiers, desktop.settings.view
    held.ctrl = True
    desktop.on_key_event(key, desktop.wnd.keys.ACTION_PRESS, held)
    held.ctrl = False
    for letter in "clouds":
        desktop.on_key_event(letter.upper(), desktop.wnd.keys.ACTION_PRESS, held)
        desktop.on_unicode_char_entered(letter)
        desktop.on_key_event(letter.upper(), desktop.wnd.keys.ACTION_RELEASE, held)
    pilot.frames(8)
    assert attrgetter(place)(desktop.interface) == "clouds"
    assert desktop.newest.view == view
