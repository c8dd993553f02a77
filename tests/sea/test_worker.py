"""The thread that makes changes of the sea: the order of its requests, and the effect of errors."""

from threading import Event

import pytest

from ocean.sea import blend
from ocean.sea.blend import SeaChange
from ocean.settings import Settings, with_values

NOW = "the sea that is shown"


def sea(seed):
    return with_values(Settings(), {"sea.seed": seed})


@pytest.fixture
def thread(monkeypatch):
    """Yield a worker whose changes are settings, made once `thread.may` is set. Seed 0 raises MemoryError."""

    def make(settings, current, duration):
        thread.may.wait()
        if settings.sea.seed == 0:
            raise MemoryError
        return SeaChange(current, settings, duration)

    monkeypatch.setattr(blend, "make_sea_change", make)
    thread = blend.SpectrumWorker()
    thread.may = Event()
    yield thread
    thread.may.set()
    thread.shutdown()


def next_of(thread):
    """Return the worker's next change: the old sea, the new sea, and the duration."""
    while (change := thread.poll()) is None:
        assert thread.is_busy
    return change.current, change.wanted, change.duration


def test_the_worker_makes_only_the_newest_waiting_request(thread):
    for seed in (1, 2, 3):
        thread.request(sea(seed), NOW, float(seed))
    thread.may.set()
    assert next_of(thread) == (NOW, sea(1), 1.0)
    assert next_of(thread) == (sea(1), sea(3), 3.0)
    assert not thread.is_busy
