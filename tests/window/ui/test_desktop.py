"""The loop: keys and camera, changed sizes between frames, pictures, and switches of the backend."""

from itertools import cycle, islice
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ocean.fft import BACKENDS
from ocean.settings import with_values
from ocean.window import actions
from ocean.window.actions import make_actions
from ocean.window.changes import Change
from ocean.window.desktop import Desktop
from ocean.window.ui import interface

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


@pytest.mark.parametrize("rounds", [2, pytest.param(ROUNDS, marks=pytest.mark.slow)])  # a thousand switches
def test_switches_leave_nothing_behind(pilot, desktop, ctx, rounds):
    switch(pilot, 2 * len(BACKENDS))
    objects, before = gl_objects(ctx), memory()
    switch(pilot, rounds * len(BACKENDS))  # whole rounds, which end with the first backend
    assert ctx.error == "GL_NO_ERROR"
    assert gl_objects(ctx) == objects
    assert memory() - before < 8


def test_the_window_may_change_its_size_between_frames(pilot, desktop, ctx):
    for size in ((640, 360), (300, 700), (1, 1), (0, 0), (1280, 720)):
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
    desktop.wnd.key_event_func("ESCAPE", desktop.wnd.keys.ACTION_RELEASE, desktop.wnd.modifiers)  # is not heard
    desktop.wnd.mouse_press_event_func(10, 10, 1)


def test_time_runs_by_the_frame_and_stops(pilot, desktop):
    before = desktop.time
    pilot.frames(3)
    assert desktop.time == before
    actions.pause(desktop)
    pilot.set({"window.time_scale": 2.0})
    pilot.frames(3)
    assert desktop.time == pytest.approx(before + 3 * 2 * STEP)
    desktop.on_render(0.0, 100.0)
    assert desktop.time < before + 1


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


def test_pictures_are_with_or_without_the_interface(pilot, desktop, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    actions.toggle_handles(desktop)  # panels cover parts of the picture
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


def test_a_picture_that_cannot_be_written_does_not_end_the_program(pilot, desktop, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
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
    desktop.put(
        Change(with_values(desktop.settings, {"sea.dynamics": "nonlinear", "cascades.count": 1, "fft.size": 16}))
    )
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
