"""The thread that makes changes of the sea: the order of its requests."""

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
    """Yield a worker whose changes are settings, made once `thread.may` is set. `thread.asked` lists them: the old sea,
    the new one, and the duration."""

    def make(settings, current, duration):
        thread.may.wait()
        thread.asked.append((current, settings, duration))
        return SeaChange(settings, duration)

    monkeypatch.setattr(blend, "make_sea_change", make)
    thread = blend.SpectrumWorker()
    thread.may, thread.asked = Event(), []
    yield thread
    thread.may.set()
    thread.shutdown()


def test_the_worker_makes_only_the_newest_waiting_request(thread):
    for seed in (1, 2, 3):
        thread.request(sea(seed), NOW, float(seed))
    thread.may.set()
    while thread.is_busy:
        thread.poll()
    assert thread.asked == [(NOW, sea(1), 1.0), (sea(1), sea(3), 3.0)]
