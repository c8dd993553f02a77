"""A paused window in which nothing changes."""

import sys

import pytest

from ocean.window import desktop as loop

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
        lambda desktop: desktop.change("foam", amount=0.5),
        lambda desktop: desktop.interface.say("hello"),
        lambda desktop: desktop.studio.want("window"),
    ],
    ids=["mouse", "text", "size", "time", "settings", "message", "picture"],
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
