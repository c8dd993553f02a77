"""Read-ahead by threads: results in order, a bounded number of items, and errors in their place."""

import threading
import time

import pytest

from ocean.export.formats.base import read_ahead


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_results_come_in_order_however_long_each_takes(threads):
    def slow(n):
        time.sleep(0.01 * (n % 3 == 0))
        return n * n

    assert list(read_ahead(slow, range(20), threads)) == [n * n for n in range(20)]


def test_the_asking_thread_makes_the_items_and_no_more_than_are_wanted():
    made, here = [], threading.get_ident()

    def items():
        for n in range(100):
            assert threading.get_ident() == here
            made.append(n)
            yield n

    results = read_ahead(lambda n: threading.get_ident(), items(), 2)
    assert next(results) != here
    assert len(made) == 3
    assert next(read_ahead(lambda n: threading.get_ident(), [1], 0)) == here


@pytest.mark.parametrize("threads", [0, 2])
def test_an_error_comes_when_its_turn_has_come(threads):
    def fails_at_three(n):
        return 1 // (3 - n)

    results = read_ahead(fails_at_three, range(6), threads)
    assert [next(results) for _ in range(3)] == [0, 0, 1]
    with pytest.raises(ZeroDivisionError):
        next(results)


@pytest.mark.parametrize("threads", [0, 1, 8])
def test_results_before_an_item_that_fails_are_not_lost(threads):
    def items():
        yield from range(3)
        raise ValueError("no more")

    results, found = read_ahead(lambda n: n, items(), threads), []
    with pytest.raises(ValueError, match="no more"):
        found.extend(results)
    assert found == [0, 1, 2]
