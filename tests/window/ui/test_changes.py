"""Undo and redo, without a window: changes can be reverted one by one, and made again."""

from hypothesis import given
from hypothesis import strategies as st

from ocean.settings import Settings, with_values
from ocean.window.changes import Undo, spell_change, spell_changes
from tests.messages import unnamed

changes = st.dictionaries(
    st.sampled_from(["sea.wind.speed", "foam.amount", "view.edge_pixels", "view.heading"]),
    st.floats(1, 5),
    min_size=1,
    max_size=3,
)


@given(st.lists(changes, max_size=6))
def test_all_changes_can_be_undone_and_redone(made):
    history, undo = [Settings()], Undo()
    for change in made:
        before, after = history[-1], with_values(history[-1], change)
        undo.note(before, after)
        history += [after] if after != before else []
    now = history[-1]
    for before in history[-2::-1]:
        now = undo.undo(now)
        assert now == before
    assert undo.undo(now) is None
    for after in history[1:]:
        now = undo.redo(now)
        assert now == after
    assert undo.redo(now) is None


def test_a_drag_is_one_change_and_a_new_change_ends_redo():
    undo, start = Undo(), Settings()
    now = start
    for speed in (11.0, 12.0, 13.0):
        later = with_values(now, {"sea.wind.speed": speed})
        undo.note(now, later, is_held=True)
        now = later
    undo.let_go()
    other = with_values(now, {"foam.amount": 2.0})
    undo.note(now, other, is_held=True)
    assert undo.undo(other) == now
    assert undo.undo(now) == start
    undo.note(start, other)
    assert undo.redo(other) is None


def test_undo_keeps_panels_hidden():
    undo, start = Undo(), Settings()
    windy, hidden = with_values(start, {"sea.wind.speed": 12.0}), with_values(start, {"window.panel": False})
    undo.note(start, windy)
    undo.note(windy, now := with_values(windy, {"window.panel": False}))
    assert undo.undo(now) == hidden
    assert undo.undo(hidden) is None


def test_undo_keeps_the_camera():
    undo, start = Undo(), Settings()
    changed = with_values(start, {"view.edge_pixels": 9.0})
    undo.note(start, changed)
    flown = with_values(changed, {"view.x": 500.0})
    back = undo.undo(flown)
    assert back.view.x == 500.0
    assert back.view.edge_pixels == start.view.edge_pixels


def test_descriptions_of_changes_have_the_units_of_the_panel():
    before = with_values(Settings(), {"sea.depth": 20.0})
    after = with_values(before, {"sea.depth": 2000.0, "sea.wind.spectrum": "pierson-moskowitz"})
    changes = spell_changes(before, after)
    assert changes["sea.depth"] == ("20 m", "2 km")
    assert changes["sea.wind.spectrum.kind"] == ("jonswap", "pierson-moskowitz")
    assert changes["sea.wind.spectrum.gamma"][1] == "nothing"
    assert unnamed(spell_change(before, with_values(before, {"sea.depth": 2000.0})), "sea depth 2 km") == []
