"""Work by many processes, on this machine or on a Dask cluster whose machines share the folder.

Dask handles retries and workers that die (https://distributed.dask.org).
"""

import atexit
import logging
import math
import os
import platform
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any

import platformdirs

from ocean.common.console import say
from ocean.common.files import try_lock
from ocean.export.plan import ExportError
from ocean.gpu.context import gpus

if TYPE_CHECKING:
    from distributed import Client, Future
    from tornado.ioloop import IOLoop

RETRIES = 2
PATIENCE = 60.0  # longest time without workers [s]; a worker starts in 1 to 15 s
LOOK = 1.0  # time between polls of the workers [s]
WAIT = 0.02  # time between polls of the results [s]
MOST_HOLDERS = 64  # maximum number of workers of a GPU that are counted
LOOPBACK = "127.0.0.1"
UNSAID = "ignore:resource_tracker:UserWarning"  # Python's warning on the semaphores of a process that SIGTERM ends
UNREAD = "deserialization of the task graph"  # part of Dask's message if a module of the work can't be imported


class ClusterError(ExportError):
    """A cluster that ended before the work."""


@contextmanager
def own_gpu(device: str) -> Iterator[int]:
    """Yield the number of a GPU that no other worker of this machine uses, or else of a GPU with the fewest workers.
    The system frees the GPU of a killed worker."""
    numbers = gpus() if device == "gpu" else [0]
    if len(numbers) == 1:
        yield 0
        return
    cache = platformdirs.user_cache_path("fft-ocean", appauthor=False)
    places = cache / f"gpus-{platform.node()}"  # machines of a cluster may share the folder
    for holders, number in ((count, number) for count in range(MOST_HOLDERS) for number in numbers):
        try:
            places.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = try_lock(places / f"{number}.{holders}")
        except OSError:  # another thing has the name
            continue
        if lock is not None:
            with lock:
                yield number
            return
    yield numbers[os.getpid() % len(numbers)]


def results(
    task: Callable[..., Any],
    parts: Callable[[int], Sequence[Any]],
    workers: int | None,
    scheduler: str | None,
    **common: Any,
) -> Iterator[Any]:
    """Yield the result of a task for each part of the work, as it arrives; `parts` returns the parts for a number of
    workers. Raises ClusterError when the cluster ends before the work, and OSError when a worker can't write."""
    with connected(workers, scheduler) as client:
        from distributed import CancelledError, KilledWorker

        if client.dashboard_link:
            say(f"dashboard: {client.dashboard_link}")
        count = workers_of(client)
        futures = client.map(task, parts(max(1, count)), pure=False, retries=RETRIES, **common)
        may_come = scheduler is not None and count == 0
        try:
            for made in arrivals(client, futures, may_come):
                if isinstance(made, CancelledError):
                    raise ClusterError("the scheduler has ended")
                yield made
        except KilledWorker as error:
            dead = error.allowed_failures + 1
            raise ClusterError(f"{dead} workers died at the same work, by too little memory?") from None
        except RuntimeError as error:
            if UNREAD not in str(error):
                raise
            raise ClusterError("the scheduler can't read the work: install the same ocean where it runs") from None


def arrivals(client: "Client", futures: Sequence["Future"], may_come: bool) -> Iterator[Any]:
    """Yield the result of each future as it arrives. Dask replaces a killed worker, but waits indefinitely if a worker
    is killed while it starts. If `may_come`, a cluster that starts workers on demand may have none at first. Raises
    ClusterError when no workers are left."""
    from distributed import as_completed

    arriving = as_completed(futures, loop=client.loop, with_results=True)
    looked = time.monotonic()
    seen = math.inf if may_come else looked
    while not arriving.is_empty():
        if arriving.has_ready():
            _, made = next(arriving)
            yield made
            seen = time.monotonic()
            continue
        time.sleep(WAIT)
        if (now := time.monotonic()) < looked + LOOK:
            continue
        looked = now
        if workers_of(client):
            seen = now
        elif now > seen + PATIENCE:
            lacking = "" if client.cluster else ", or they end because ocean is not installed where they run"
            raise ClusterError(f"no workers are left{lacking}")


def workers_of(client: "Client") -> int:
    return len(client.scheduler_info(n_workers=-1)["workers"])


@contextmanager
def loop_without_ctrl_c() -> Iterator["IOLoop"]:
    """Yield a running loop, in a thread that blocks SIGINT, for itself and all processes that a cluster starts from it:
    Ctrl-C in a terminal reaches these too, and they would print tracebacks."""
    from distributed.utils import LoopRunner

    runner = LoopRunner()
    if sys.platform == "win32":
        runner.start()
    else:
        os.environ.setdefault("PYTHONWARNINGS", UNSAID)  # for the tracker, unless the user has set it
        resource_tracker.ensure_running()  # the thread that starts it unblocks SIGINT
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            runner.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    try:
        yield runner.loop
    finally:
        runner.stop()


@contextmanager
def connected(workers: int | None, scheduler: str | None) -> Iterator["Client"]:
    """Yield a client of the cluster at an address, or of a local cluster that ends with it."""
    try:
        from distributed import Client, LocalCluster
        from distributed.comm import get_address_host_port
        from distributed.deploy.spec import close_clusters
        from distributed.security import Security
        from distributed.utils import silence_logging_cmgr
    except ImportError as error:
        said = f"--workers and --scheduler need a package that is not installed ({error.name})"
        raise ExportError(f"{said}; `python -m pip install distributed` installs it") from None
    if scheduler is not None:
        try:
            get_address_host_port(scheduler, strict=True)  # a client with a wrong address fails again at its end
            if scheduler.startswith("tls:") and not Security().get_connection_args("client").get("ssl_context"):
                raise ValueError("Dask has no certificates; distributed.comm.tls in its configuration names them")
            client = Client(scheduler, timeout="10s", set_as_default=False)
        except (OSError, ValueError) as error:
            raise ExportError(f"--scheduler = {scheduler!r} does not answer: {error}") from None
        with silence_logging_cmgr(logging.CRITICAL), client:
            yield client
        return
    # Without both addresses, the dashboard would listen on all interfaces.
    local = {"host": LOOPBACK, "dashboard_address": f"{LOOPBACK}:0"}
    private = tempfile.TemporaryDirectory(prefix="fft-ocean-")
    with private as folder, loop_without_ctrl_c() as loop:
        place = {"local_directory": folder}
        # Without the workers' logs: they print the traceback of an error, which becomes a sentence here.
        options = {"threads_per_worker": 1, "silence_logs": logging.CRITICAL, "scheduler_kwargs": place}
        try:
            cluster = LocalCluster(n_workers=workers, loop=loop, **options, **local, **place)
            with cluster, Client(cluster, set_as_default=False) as client:
                yield client
        except KeyboardInterrupt:
            logging.getLogger("asyncio").disabled = True  # unfinished tasks of the cluster print tracebacks
            atexit.unregister(close_clusters)  # fails for a cluster that hasn't started
            raise
