"""Calls in a process of their own: results, errors, crashes, endless calls, and cancelling."""

import math
import os
import pickle
import time
from threading import Event, Thread

import pytest

from ocean.common import isolated
from ocean.common.isolated import Cancelled, IsolationError
from tests.messages import naming


def works():
    return isolated.call(math.sqrt, 4.0, longest=60.0) == 2.0


def test_a_result_and_an_error_of_the_function_come_back():
    assert works()
    with pytest.raises(ValueError, match="domain"):
        isolated.call(math.sqrt, -1.0, longest=60.0)


def test_a_crash_is_an_error_and_the_next_call_works():
    assert works()
    with pytest.raises(IsolationError, match=naming("crashes status -6")):
        isolated.call(os.abort, longest=60.0)
    assert works()


def test_a_call_that_takes_too_long_is_an_error():
    assert works()
    with pytest.raises(IsolationError, match=naming("longer 0.1 s")):
        isolated.call(time.sleep, 60.0, longest=0.1)


@pytest.mark.parametrize("error", [Cancelled, KeyboardInterrupt])
def test_a_cancelled_call_does_not_answer_the_next_one(error):
    assert works()

    def is_cancelled():
        raise error

    with pytest.raises(error):
        isolated.call(time.sleep, 60.0, longest=90.0, is_cancelled=is_cancelled)
    assert works()


def test_a_call_that_waits_for_another_one_can_be_cancelled():
    assert works()
    begun, end = Event(), Event()

    def sleep():
        begun.set()
        with pytest.raises(Cancelled):
            isolated.call(time.sleep, 60.0, longest=90.0, is_cancelled=end.is_set)

    (first := Thread(target=sleep)).start()
    begun.wait()
    time.sleep(0.05)
    with pytest.raises(Cancelled):
        isolated.call(math.sqrt, 4.0, longest=90.0, is_cancelled=lambda: True)
    end.set()
    first.join()
    assert works()


def test_the_process_ends_by_itself_when_the_program_is_gone():
    """A program that is killed can't end its process."""
    process = isolated.start()
    pickle.dump((0.1, os.sep, time.sleep, (60.0,)), process.stdin)
    process.stdin.flush()
    assert process.wait(300) != 0  # 1, or a crash of faulthandler, which prints the stack of a thread that still runs
    isolated.end(process)


def test_a_removed_current_folder_does_not_matter(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert works()
