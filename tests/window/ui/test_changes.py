"""Undo and redo, without a window."""

from hypothesis import given
from hypothesis import strategies as st

from ocean.settings import Settings, with_values
from ocean.window.changes import Change, Changes, spell_change, spell_changes
from tests.messages import unnamed

values = st.dictionaries(
    st.sampled_from(["sea.wind.speed", "foam.amount", "view.edge_pixels", "view.heading"]),
    st.floats(1, 5),
    min_size=1,
    max_size=3,
)


def queued(changes, settings):
    """Return the settings that a queue leads to, and empty it."""
    now = changes.newest(settings)
    changes.take()
    return now


@given(st.lists(values, max_size=6))
def test_all_changes_can_be_undone_and_redone(made):
    history, changes = [Settings()], Changes()
    for change in made:
        before, after = history[-1], with_values(history[-1], change)
        changes.note(before, [Change(after)])
        history += [after] if after != before else []
    now = history[-1]
    for before in history[-2::-1]:
        assert changes.undo(now)
        now = queued(changes, now)
        assert now == before
    assert not changes.undo(now)
    for after in history[1:]:
        assert changes.redo(now)
        now = queued(changes, now)
        assert now == after
    assert not changes.redo(now)


def test_a_drag_is_one_step_and_a_new_change_ends_redo():
    changes, start = Changes(), Settings()
    now = start
    for speed in (11.0, 12.0, 13.0):
        later = with_values(now, {"sea.wind.speed": speed})
        changes.note(now, [Change(later, "drag")])
        now = later
    changes.end_drag()
    other = with_values(now, {"foam.amount": 2.0})
    changes.note(now, [Change(other, "drag")])
    changes.undo(other)
    assert queued(changes, other) == now
    changes.undo(now)
    assert queued(changes, now) == start
    changes.note(start, [Change(other)])
    assert not changes.redo(other)


def test_undo_keeps_panels_hidden():
    changes, start = Changes(), Settings()
    windy, hidden = with_values(start, {"sea.wind.speed": 12.0}), with_values(start, {"window.panel": False})
    now = with_values(windy, {"window.panel": False})
    changes.note(start, [Change(windy), Change(now)])
    changes.undo(now)
    assert queued(changes, now) == hidden
    assert not changes.undo(hidden)


def test_undo_keeps_the_camera():
    changes, start = Changes(), Settings()
    changed = with_values(start, {"view.edge_pixels": 9.0})
    changes.note(start, [Change(changed)])
    flown = with_values(changed, {"view.x": 500.0})
    changes.undo(flown)
    back = queued(changes, flown)
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
