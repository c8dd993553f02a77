"""Exports by several workers: the bytes of the files do not depend on the number of workers."""

import asyncio
import gc
import importlib
import logging
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import dask
import moderngl
import pandas
import pytest
from distributed import Client, Future, LocalCluster

from ocean.common.files import OutputError
from ocean.export import workers
from ocean.export.plan import ExportError
from ocean.export.run import LOCK, RECORD, SUMS, export, open_folder, until_stopped, write_run
from ocean.export.sources import MapSource
from ocean.export.sweep import TABLE, sweep
from ocean.export.workers import connected, own_gpu, results
from ocean.gpu.context import ContextError
from tests.messages import assert_refused, naming

from ..commands import ocean
from .exports import assert_whole, contents
from .plans import everything, plan
from .test_sweep import cases


@pytest.fixture(scope="module")
def address():
    """Yield the address of a scheduler with two local workers. It gives a task up after it has lost two workers."""
    settings = {"scheduler.allowed-failures": 1, "worker.multiprocessing-method": "forkserver"}  # starts sooner
    settings["comm.timeouts.connect"] = "300 s"
    with (
        dask.config.set({f"distributed.{name}": value for name, value in settings.items()}),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
    ):
        yield cluster.scheduler_address


def test_lists_of_checksums_that_still_grow_are_left_alone(tmp_path, monkeypatch):
    """Reading and removing a list while its worker appends to it would lose lines."""
    small, growing = plan(frames=4), tmp_path / "out" / f"{SUMS}.000002"

    def finish(first, others):
        """Yield the result of the first run, when a worker has made one frame of the other run and still works."""
        write_run([others[0]], small, str(tmp_path / "out"))
        assert growing.exists()
        yield write_run(first, small, str(tmp_path / "out"))
        assert growing.exists()
        write_run([others[1]], small, str(tmp_path / "out"))
        yield others

    monkeypatch.setattr("ocean.export.run.results", lambda *_, **__: finish([0, 1], [2, 3]))
    assert export(small, tmp_path / "out", workers=2) == 0
    assert_whole(tmp_path / "out")


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="reads the sockets that Linux lists")
def test_the_cluster_of_an_export_is_private_to_the_user(tmp_path, monkeypatch):
    """A terminal sends Ctrl-C to all its processes. Workers block it, so that it ends only the exporting process."""
    (planted := tmp_path / "dask-scratch-space").touch()  # dask's default place for its folder
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    usual = {"distributed.worker.multiprocessing-method": "spawn"}  # which `address` changes
    with dask.config.set(usual), connected(1, None) as client:
        (place,) = client.run(lambda dask_worker: dask_worker.local_directory).values()
        inodes = {os.readlink(link) for link in Path("/proc/self/fd").iterdir() if link.is_symlink()}
        rows = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()]
        ours = [row[1] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in inodes]
        modes = {made.stat().st_mode & 0o777 for made in tmp_path.glob("fft-ocean-*")}
        (blocked,) = client.run(signal.pthread_sigmask, signal.SIG_BLOCK, ()).values()
    assert signal.SIGINT in blocked
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert Path(place).parent.parent.parent == tmp_path
    assert modes == {0o700}
    assert list(tmp_path.iterdir()) == [planted]
    assert ours
    assert all(address.startswith("0100007F:") for address in ours)


@pytest.fixture
def alone(tmp_path):
    """Return the contents of the files of an export by this process alone."""
    assert export(everything("zarr", frames=8), tmp_path / "alone") == 0
    return contents(tmp_path / "alone")


def test_two_workers_write_the_same_bytes(tmp_path, alone, address):
    assert export(everything("zarr", frames=8), tmp_path / "out", scheduler=address) == 0
    assert contents(tmp_path / "out") == alone


def test_a_worker_that_is_killed_is_replaced(tmp_path, address):
    wanted = plan(format="npz", frames=100)
    assert export(wanted, tmp_path / "alone") == 0
    results = []
    running = threading.Thread(target=lambda: results.append(export(wanted, tmp_path / "out", scheduler=address)))
    running.start()
    while not list((tmp_path / "out").glob("*.npz")):
        assert running.is_alive()
        time.sleep(0.002)
    with Client(address, set_as_default=False) as client:
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
    running.join(300)
    assert results == [0]
    assert_whole(tmp_path / "out")
    assert contents(tmp_path / "out") == contents(tmp_path / "alone")


def test_ctrl_c_while_a_cluster_starts_prints_no_traceback(monkeypatch, caplog):
    """Later, the event loop of the cluster reports tasks that Ctrl-C ended."""
    loop = asyncio.new_event_loop()

    def start(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("distributed.LocalCluster", start)
    monkeypatch.setattr(logging.getLogger("asyncio"), "disabled", False)
    with pytest.raises(KeyboardInterrupt), connected(2, None):
        pass
    task = loop.create_future()
    task.set_exception(RuntimeError("Nanny failed to start."))
    del task
    gc.collect()
    loop.close()
    assert "Nanny failed" not in caplog.text


def test_frames_of_workers_outlive_the_process_that_started_them(tmp_path, monkeypatch):
    """The run ends during its fourth frame, before anyone takes its checksum. A resumed export makes the rest."""
    wanted, made, frame = plan(frames=6), [], MapSource.frame

    def stop_once(self, index):
        made.append(index)
        if len(made) == 4:
            raise KeyboardInterrupt
        return frame(self, index)

    monkeypatch.setattr(MapSource, "frame", stop_once)
    with open_folder(tmp_path, wanted.record(), False), pytest.raises(KeyboardInterrupt):
        write_run([0, 1, 2, 3, 4, 5], wanted, str(tmp_path))
    assert len((tmp_path / f"{SUMS}.000000").read_text().splitlines()) == 3
    assert export(wanted, tmp_path, resume=True) == 0
    assert made == [0, 1, 2, 3, 3, 4, 5]
    assert_whole(tmp_path)
    assert {path.name for path in tmp_path.iterdir() if path.suffix != ".npz"} <= {RECORD, SUMS, LOCK}


def test_a_sweep_by_two_workers_writes_the_table_of_one(tmp_path, address):
    """Tables of one and of two workers are equal except for times."""
    wanted = cases("sea.wind.speed=4,8,12")
    assert sweep(wanted, tmp_path / "alone") == 0
    assert sweep(wanted, tmp_path / "out", scheduler=address) == 0
    assert_whole(tmp_path / "out")
    there, here = (pandas.read_parquet(tmp_path / name / TABLE) for name in ("out", "alone"))
    times = [name for name in here if name.startswith("frame_ms")]
    assert len(times) == 3
    pandas.testing.assert_frame_equal(there.drop(columns=times), here.drop(columns=times))


@pytest.fixture
def clients(monkeypatch):
    """Return a list of the clients that connect during the test."""
    made = []

    @contextmanager
    def noted(*arguments):
        with connected(*arguments) as client:
            made.append(client)
            yield client

    monkeypatch.setattr(workers, "connected", noted)
    return made


def test_a_scheduler_that_ends_stops_the_export(tmp_path, clients, address):
    """Dask returns cancelled work as a result."""
    done, pipe = tmp_path / "done", tmp_path / "pipe"
    done.touch()
    os.mkfifo(pipe)
    made = results(Path.read_bytes, lambda _: [done, pipe, pipe], None, address)
    assert next(made) == b""
    (client,) = clients
    client.cancel([Future(key, client) for key in client.futures])
    with pytest.raises(ExportError, match=naming("scheduler 1 of 3")):
        until_stopped(lambda: list(made), tmp_path, lambda: "1 of 3")
    writer = os.open(pipe, os.O_RDWR)  # free the workers that read the pipe for the next test
    pipe.unlink()
    os.close(writer)


class Unread:
    """Work that a scheduler can't read because it lacks the module."""

    def __reduce__(self):
        return importlib.import_module, ("ocean_of_another_machine",)


def test_a_scheduler_without_ocean_is_refused_in_one_sentence(tmp_path, address):
    def work():
        list(results(print, lambda _: [Unread()], None, address))

    with pytest.raises(ExportError, match=naming("install ocean 0 of 1")):
        until_stopped(work, tmp_path, lambda: "0 of 1")


def test_work_that_kills_every_worker_is_abandoned_with_one_sentence(tmp_path, address):
    def work():
        list(results(signal.raise_signal, lambda _: [signal.SIGKILL], None, address))

    with pytest.raises(ExportError, match=naming("2 workers 3 of 5 frames")):
        until_stopped(work, tmp_path, lambda: "3 of 5 frames are done")


@pytest.mark.slow
def test_a_cluster_that_lost_all_workers_is_abandoned_with_one_sentence(tmp_path, monkeypatch, clients):
    monkeypatch.setattr(workers, "PATIENCE", 0.5)
    monkeypatch.setattr(workers, "LOOK", 0.1)
    made = results(time.sleep, lambda _: [0, 60, 60, 60], 1, None)
    assert next(made) is None
    (worker,) = clients[0].run(os.getpid).values()
    clients[0].cluster.scale(0)
    os.kill(worker, signal.SIGKILL)  # otherwise dask waits seconds for the worker's sleep
    with pytest.raises(ExportError, match=naming("no workers 1 of 4 frames")):
        until_stopped(lambda: list(made), tmp_path, lambda: "1 of 4 frames are done")


@pytest.mark.slow
def test_workers_print_no_traceback_of_a_reported_error(tmp_path, capfd):
    def work():
        list(results(open, lambda _: [tmp_path / "none"], 1, None))

    with pytest.raises(OutputError, match=naming("no such file 1 of 2 frames")):
        until_stopped(work, tmp_path, lambda: "1 of 2 frames are done")
    assert not capfd.readouterr().err


@pytest.mark.slow
def test_a_process_ended_by_sigterm_prints_no_warning_of_semaphores():
    code = "import os\nfrom ocean.export.workers import connected\nwith connected(1, None): os.kill(os.getpid(), 15)"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONWARNINGS"}
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGTERM, "")


def test_each_worker_takes_a_gpu_of_its_own(tmp_path, monkeypatch):
    """Four workers share three GPUs, so two workers share one GPU. A released GPU is taken next."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(workers, "gpus", lambda: [0, 1, 2])
    with ExitStack() as stack:
        assert [stack.enter_context(own_gpu("gpu")) for _ in range(2)] == [0, 1]
        with own_gpu("gpu") as third:
            assert third == 2
            assert stack.enter_context(own_gpu("gpu")) == 0
        assert stack.enter_context(own_gpu("gpu")) == 2
        assert stack.enter_context(own_gpu("gpu")) == 1
        with own_gpu("cpu") as number:
            assert number == 0


def test_a_planted_file_breaks_no_worker(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(workers, "gpus", lambda: [0, 1])
    places = tmp_path / "fft-ocean" / f"gpus-{platform.node()}"
    (places / "0.0").mkdir(parents=True)
    with own_gpu("gpu") as number:
        assert number == 1
    shutil.rmtree(places)
    places.touch()
    with own_gpu("gpu") as number:
        assert number in (0, 1)


def test_a_worker_computes_on_its_gpu(tmp_path, monkeypatch):
    """The first of two GPUs is taken, so the worker uses the second. The test does not ask EGL, because some systems
    crash if there is no second GPU."""
    asked = []

    def create_context(**arguments):
        asked.append(arguments)
        raise RuntimeError("no such device")

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(workers, "gpus", lambda: [0, 1])
    monkeypatch.setattr(moderngl, "create_context", create_context)
    with own_gpu("gpu"), pytest.raises(ContextError, match="no such device"):
        write_run([0], plan(device="gpu"), str(tmp_path))
    assert [one["device_index"] for one in asked if one.get("backend") == "egl"] == [1]


@pytest.mark.parametrize(
    ("address", "why"), [("nonsense", "Invalid url scheme"), ("tls://127.0.0.1:1", "Dask has no certificates")]
)
def test_a_scheduler_that_does_not_answer_is_named(tmp_path, address, why):
    with pytest.raises(ExportError, match=naming("--scheduler", address, why)):
        export(plan(), tmp_path, scheduler=address)


def test_a_wrong_address_prints_one_sentence_and_leaves_no_files(tmp_path):
    """The command runs in a separate process, because a client prints at its end. The corrected command can use the
    same folder."""
    arguments = ["export", "--maps", "displacement", "--size", "16", "--device", "cpu", "--out", str(tmp_path)]
    result = ocean(*arguments, "--scheduler", "tcp://host:abc")
    assert_refused(result, "--scheduler tcp://host:abc")
    assert not (tmp_path / RECORD).exists()
