"""The files are the same bytes whoever computed them."""

import os
import signal
import threading
import time

import pytest
from distributed import Client, LocalCluster

from ocean.export.plan import ExportError
from ocean.export.run import export
from ocean.export.workers import runs

from .plans import everything, plan
from .test_folder import assert_whole, contents


@pytest.fixture(scope="module")
def address():
    """Two workers on loopback."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def alone(tmp_path):
    """The files of everything, by this process alone."""
    assert export(everything("zarr", frames=8), tmp_path / "alone") == 0
    return contents(tmp_path / "alone")


@pytest.mark.parametrize(("count", "expected"), [(1, [5]), (2, [3, 2]), (4, [2, 2, 1]), (9, [1] * 5)])
def test_runs_are_about_the_same_length_and_in_order(count, expected):
    made = runs([3, 4, 7, 8, 9], count)
    assert [len(run) for run in made] == expected
    assert [index for run in made for index in run] == [3, 4, 7, 8, 9]


def test_two_workers_write_the_same_bytes(tmp_path, alone, address):
    assert export(everything("zarr", frames=8), tmp_path / "out", scheduler=address) == 0
    assert contents(tmp_path / "out") == alone


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2, 5])
def test_any_number_of_workers_write_the_same_bytes(tmp_path, alone, workers):
    assert export(everything("zarr", frames=8), tmp_path / "out", workers=workers) == 0
    assert contents(tmp_path / "out") == alone


def test_a_worker_that_is_killed_is_replaced(tmp_path, address):
    wanted = plan(format="npz", frames=300)
    assert export(wanted, tmp_path / "alone") == 0
    results = []
    running = threading.Thread(target=lambda: results.append(export(wanted, tmp_path / "out", scheduler=address)))
    running.start()
    while not list((tmp_path / "out").glob("*.npz")):
        assert running.is_alive()
        time.sleep(0.002)
    with Client(address) as client:
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
    running.join(120)
    assert results == [0]
    assert_whole(tmp_path / "out")
    assert contents(tmp_path / "out") == contents(tmp_path / "alone")


def test_a_scheduler_that_does_not_answer(tmp_path):
    with pytest.raises(ExportError, match="--scheduler = 'nonsense' does not answer"):
        export(plan(), tmp_path, scheduler="nonsense")
