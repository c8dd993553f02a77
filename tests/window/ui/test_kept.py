"""The interface that is drawn again: rebuilt ten times a second and after an event, with equal pixels."""

from itertools import pairwise
from statistics import median

import pytest
from imgui_bundle import imgui

from ocean.gpu.timing import FrameTimes, PassTime
from ocean.window import desktop as loop
from ocean.window.desktop import AGE
from ocean.window.ui.interface import Interface

from .conftest import Keys
from .test_desktop import calls

FPS = 60
MOST_CALLS = 400  # Python calls of a frame whose interface is drawn again


def frame(desktop):
    desktop.on_render(0.0, 1 / FPS)


@pytest.fixture
def untouched(pilot, desktop, undrawn):
    """Return the running program with settings, times and comparison open, a while after the last event."""
    desktop.interface.opened.append("comparison")
    desktop.interface.panel.search.words = ""
    desktop.paused = False
    for _ in range(FPS):
        frame(desktop)
    return desktop


@pytest.fixture
def made(untouched, monkeypatch):
    """Return a list that grows when the interface is rebuilt."""
    made, begin = [], Interface.begin
    monkeypatch.setattr(Interface, "begin", lambda *given: (made.append(True), begin(*given)))
    for _ in range(FPS):  # up to a frame that makes it, so that the next ones do not
        frame(untouched)
        if made:
            break
    made.clear()
    return made


def test_nobody_touches_it(untouched, made):
    counts = [calls(lambda: frame(untouched)) for _ in range(2 * FPS)]
    assert 2 / AGE - 4 <= len(made) <= 2 / AGE
    assert median(counts) <= MOST_CALLS


@pytest.mark.parametrize("fps", [12, 30, 60, 75, 240])
def test_it_is_made_anew_at_the_frame_nearest_to_its_age(untouched, made, fps):
    numbers = []
    for number in range(2 * fps):
        untouched.on_render(0.0, 1 / fps)
        if made:
            numbers.append(number)
            made.clear()
    ages = [(after - before) / fps for before, after in pairwise(numbers)]
    assert max(ages) <= AGE + 0.5 / fps + 1e-9


def at_search(desktop):
    """Return a point on the field of the search."""
    window = imgui.internal.find_window_by_name("Settings###panel")
    return int(window.pos.x + 60), int(window.pos.y + 45)


def resized(desktop):
    width, height = desktop.wnd.size
    desktop.wnd.has_units((width - 10, height))


@pytest.mark.parametrize(
    "event",
    [
        lambda desktop: desktop.on_mouse_press_event(*at_search(desktop), 1),
        lambda desktop: desktop.on_mouse_scroll_event(0, 1),
        lambda desktop: desktop.on_key_event("A", Keys.ACTION_PRESS, desktop.wnd.modifiers),
        lambda desktop: desktop.on_unicode_char_entered("a"),
        lambda desktop: desktop.on_mouse_drag_event(700, 700, 5, 5),
        resized,
        lambda desktop: desktop.interface.say("hello"),
        lambda desktop: desktop.change("foam", amount=0.5),
        lambda desktop: setattr(desktop, "paused", True),
    ],
    ids=["click", "wheel", "key", "text", "drag", "size", "message", "settings", "notice"],
)
def test_an_event_shows_in_the_next_frame(untouched, made, event):
    event(untouched)
    frame(untouched)
    assert made
    made.clear()
    for _ in range(4):  # and it settles
        frame(untouched)
    assert len(made) == 4


def test_a_move_of_the_mouse_shows_thirty_times_a_second(untouched, made):
    untouched.on_mouse_position_event(*at_search(untouched), 1, 1)
    for _ in range(8):
        frame(untouched)
    assert len(made) == 8 * 30 / FPS


@pytest.mark.parametrize(
    ("name", "label", "away"),
    [("Timing###overlay", "Close the comparison###compare", 10), ("FFT backends###comparison", "Sizes", 0)],
)
def test_a_window_away_from_the_mouse_is_made_anew_less_often(pilot, untouched, name, label, away):
    """The times, ten times a second, and the comparison, when it has changed. The scroll bars stay."""
    window = imgui.internal.find_window_by_name(name)
    there = int(window.pos.x + 40), int(window.pos.y + 60)
    for (x, y), expected in ((at_search(untouched), away), (there, 30)):
        made, scroll = 0, window.scroll_max.y
        for number in range(2 * FPS):
            untouched.on_mouse_position_event(x + number % 2, y, 1, 0)
            pilot.places.clear()
            frame(untouched)
            made += label in pilot.places
            assert window.scroll_max.y == scroll
        assert made == pytest.approx(2 * expected, abs=2)


@pytest.mark.parametrize("label", ["Sizes", "Pause###button 0"])
def test_a_highlight_ends_when_the_mouse_leaves_the_window(pilot, untouched, label):
    """The comparison and the settings, which else are made anew only when what they show has changed."""
    view, made = untouched.interface.layout.view, 0
    untouched.on_mouse_position_event(*pilot.place(label), 1, 0)
    for _ in range(FPS):
        frame(untouched)
    untouched.on_mouse_position_event(int(view.x + view.width / 2), int(view.y + view.height / 4), 1, 0)
    for _ in range(2 * FPS):
        pilot.places.clear()
        frame(untouched)
        made += label in pilot.places
    assert made == 1


def test_the_mouse_over_the_sea_makes_nothing_anew(untouched, made):
    view = untouched.interface.layout.view
    for step in range(5):
        x, y = view.x + view.width / 2 + 5 * step, view.y + 0.7 * view.height
        untouched.on_mouse_position_event(int(x), int(y), 5, 0)
        frame(untouched)
        if step == 0:  # it came from the panel
            frame(untouched)
            assert made
            while untouched._since_event[0] < 2 * loop.TOUCHED[0]:
                frame(untouched)
            made.clear()
    assert len(made) <= 1
    untouched.on_mouse_position_event(*at_search(untouched), 5, 0)
    made.clear()
    frame(untouched)
    frame(untouched)
    assert made


def test_typed_text_and_clicks_act_at_once(pilot, untouched):
    x, y = at_search(untouched)
    untouched.on_mouse_position_event(x, y, 0, 0)
    untouched.on_mouse_press_event(x, y, 1)
    frame(untouched)
    untouched.on_mouse_release_event(x, y, 1)
    for _ in range(FPS):
        frame(untouched)
    assert imgui.get_io().want_text_input
    untouched.on_unicode_char_entered("f")
    frame(untouched)
    assert untouched.interface.panel.search.words == "f"
    for _ in range(FPS):
        frame(untouched)
    pilot.texts.clear()
    held, keys = untouched.wnd.modifiers, untouched.wnd.keys
    for letter in "oo":  # fast, or in a slow frame
        untouched.on_key_event(letter.upper(), keys.ACTION_PRESS, held)
        untouched.on_unicode_char_entered(letter)
        untouched.on_key_event(letter.upper(), keys.ACTION_RELEASE, held)
    frame(untouched)
    assert untouched.interface.panel.search.words == "foo"


def test_a_wheel_scrolls_in_the_next_frame(untouched):
    panel = imgui.internal.find_window_by_name("Settings###panel")
    untouched.wnd.has_units((1280, 400))  # the panel does not fit
    x, y = at_search(untouched)
    untouched.on_mouse_position_event(x, y + 100, 0, 0)
    for _ in range(FPS):
        frame(untouched)
    before = panel.scroll.y
    untouched.on_mouse_scroll_event(0, -1)
    frame(untouched)
    frame(untouched)  # ImGui applies a scroll to the next frame
    assert panel.scroll.y > before


def test_numbers_are_at_most_a_tenth_of_a_second_old(pilot, untouched, monkeypatch):
    times = iter(range(1, 1000))
    shown, ages = [], []
    monkeypatch.setattr(untouched.timers, "collect", lambda: [FrameTimes(next(times), {"mesh": PassTime(1.0, 0.1)})])
    for number in range(1, FPS):
        pilot.texts.clear()
        frame(untouched)
        history = untouched.interface.overlay.history
        if pilot.texts:
            shown = [one.index for one in history.frames]
        if shown:
            ages.append(number - shown[-1])
    assert ages
    assert max(ages) <= AGE * FPS + 1


def test_equal_pixels(untouched, made):
    canvas = untouched.interface.canvas
    while not made:
        frame(untouched)
    new = canvas.read()
    made.clear()
    frame(untouched)
    assert not made
    assert canvas.read() == new


def test_a_resize_and_larger_text_replace_what_is_drawn_again(untouched, made, ctx):
    for change in (
        lambda: untouched.wnd.resize_to((320, 180)),
        lambda: untouched.change("window", scale=1.5),  # new glyphs in the atlas
        lambda: untouched.wnd.resize_to((160, 84)),
    ):
        change()
        frame(untouched)
        assert made
        while made:
            made.clear()
            frame(untouched)
        untouched._age = AGE
        frame(untouched)
        new = untouched.interface.canvas.read()
        made.clear()
        frame(untouched)
        assert not made
        assert untouched.interface.canvas.read() == new
        assert ctx.error == "GL_NO_ERROR"


def test_rows_out_of_sight_are_left_out_and_keep_their_room(pilot, desktop, undrawn, monkeypatch):
    panel = imgui.internal.find_window_by_name("Settings###panel")
    desktop.wnd.has_units((1280, 500))
    pilot.frames(3)
    assert "##fft.size" in pilot.places
    assert "##sea.swell.height" not in pilot.places
    short = panel.content_size.y
    monkeypatch.setattr(imgui, "is_rect_visible", lambda _: True)
    pilot.frames(3)
    assert "##sea.swell.height" in pilot.places
    assert panel.content_size.y == short
