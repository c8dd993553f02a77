"""Every action of the menu in every phase of the window, also in those in which nobody would choose it."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ocean.window import actions
from ocean.window.actions import make_actions
from ocean.window.desktop import Desktop
from ocean.window.ui import interface
from ocean.window.ui.dialogs import Action

from .conftest import STEP, Pilot, StubWindow

COSTLY = "View/Quality", "Debug view", "Debug view/Next field", ""
"""Menus whose actions only queue other settings, which take long to draw, and the entries of lists."""


@pytest.fixture(autouse=True)
def no_programs(monkeypatch):
    """Start no other programs, such as a browser."""
    monkeypatch.setattr(interface.Interface, "open", lambda *_: None)


def chosen(desktop: Desktop) -> Iterator[Action]:
    """Yield the actions of the menu and of its lists, except the one that quits, as keys and menus run them."""
    desktop.interface.files.recent = [desktop.interface.files.presets["gale"]]
    for entry in desktop.actions.menu:
        for action in [entry, *(entry.entries() if entry.entries else ())]:
            if action.meaning != "quit" and not action.obstacle():
                yield action


def handle_events(desktop: Desktop) -> None:
    """Handle an event of each kind: mouse, wheel, a letter, dropped files, and other sizes."""
    desktop.on_mouse_position_event(600, 300, 0, 0)
    for button in (1, 2):
        desktop.on_mouse_press_event(600, 300, button)
        desktop.on_mouse_drag_event(640, 320, 40, 20)
        desktop.on_mouse_release_event(640, 320, button)
    desktop.on_mouse_scroll_event(0.0, 1.0)
    desktop.on_unicode_char_entered("a")
    desktop.on_files_dropped_event(0, 0, [Path("missing.toml")])
    desktop.on_resize(*desktop.wnd.size)


def run_all(desktop: Desktop, frame: Callable[[], object]) -> None:
    """Handle events, and run each action, and a frame after it; actions that act on release twice."""
    failure = desktop.failure
    handle_events(desktop)
    frame()
    assert desktop.failure is failure
    for action in list(chosen(desktop)):
        for _ in range(2 if action.on == "both" else 1):
            if not action.obstacle():
                action.run()
        if action.menu in COSTLY:
            desktop.changes.queue.clear()
        frame()
        assert desktop.failure is failure, action.meaning
        action.is_on()


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_before_the_first_picture(ctx, settings, presets, monkeypatch, tmp_path, steps):
    """While the window opens, behind the banner, and between the steps of the first picture."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ocean.window.desktop.scenes", lambda paths: presets)
    monkeypatch.setattr("ocean.window.pictures.PATIENCE", 0.0)
    window, shown = StubWindow(ctx), []
    desktop = Desktop(window, settings, make_actions)

    def swap_buffers():
        shown.append(True)
        if len(shown) == steps:
            run_all(desktop, lambda: None)

    monkeypatch.setattr(window, "swap_buffers", swap_buffers)
    try:
        desktop.on_render(0.0, STEP)
        assert desktop.failure is None
        assert len(shown) >= steps
    finally:
        desktop.release()
        window.destroy()


def shown(pilot: Pilot) -> None:
    pass


def busy(pilot: Pilot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(pilot.desktop.renderer.sea), "is_busy", property(lambda _: True))


def blending(pilot: Pilot) -> None:
    pilot.set({"window.blend": 60.0})
    pilot.frames()
    pilot.set({"sea.seed": 9})
    pilot.until(lambda: pilot.desktop.renderer.sea.is_blending)
    pilot.desktop.paused = False


def drawing(pilot: Pilot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ocean.window.pictures.PATIENCE", 0.0)


def failed(pilot: Pilot) -> None:
    pilot.desktop.fail(ZeroDivisionError("planned"))


def hidden(pilot: Pilot) -> None:
    pilot.set({"window.panel": False})
    pilot.frames()


def minimised(pilot: Pilot) -> None:
    pilot.desktop.on_iconify(True)


def tiny(pilot: Pilot) -> None:
    pilot.desktop.wnd.resize_to((1, 1))


def filming(pilot: Pilot) -> None:
    pytest.importorskip("av")
    actions.toggle_recording(pilot.desktop)


def comparing(pilot: Pilot) -> None:
    pilot.press("B")
    pilot.frames()


def compared(pilot: Pilot) -> None:
    actions.save_a(pilot.desktop)
    pilot.frames()
    actions.swap_a(pilot.desktop)
    pilot.frames()


def flying(pilot: Pilot) -> None:
    actions.record_flight(pilot.desktop)
    pilot.frames(3)


def flat(pilot: Pilot) -> None:
    pilot.set({"sea.wind.speed": 0.0, "sea.swell.height": 0.0})
    pilot.frames(3)


@pytest.mark.parametrize(
    "phase",
    [shown, busy, blending, drawing, failed, hidden, minimised, tiny, filming, comparing, compared, flying, flat],
)
def test_in_a_phase(pilot, desktop, monkeypatch, phase):
    phase(pilot, *(monkeypatch,) * (phase.__code__.co_argcount - 1))
    if phase not in (drawing, filming):  # in others, the sea need not be drawn
        monkeypatch.setattr(desktop.renderer, "steps", lambda *_, **__: iter(()))
    run_all(desktop, pilot.frames)
    assert os.path.isdir("out")
