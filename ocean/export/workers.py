"""Frames by many processes, of this machine or of a Dask cluster whose machines share the folder.

A frame is a function of the plan and its number, so who computes it makes no difference to a byte of it. A task is a
run of frames, as long as may be where each has to grow foam first. Retries and workers that die are Dask's business
(https://distributed.dask.org); a frame that is written twice is written the same.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ocean.export.folder import ExportFolder, aside, move
from ocean.export.formats import make_format
from ocean.export.frames import source
from ocean.export.plan import ExportError, Plan

if TYPE_CHECKING:
    from distributed import Client

    from ocean.console import Progress

TASKS_A_WORKER = 4  # so that the fast ones take more; where there is no foam to grow
RETRIES = 2


def write_frames(
    plan: Plan,
    folder: ExportFolder,
    indices: Sequence[int],
    progress: "Progress",
    workers: int | None,
    scheduler: str | None,
) -> None:
    """Compute and write frames with so many `workers` on this machine, or those of the cluster at an address.

    Raises:
        ExportError: where Dask is not installed, or the scheduler does not answer.
        OSError: when a worker can't write.
    """
    with connected(workers, scheduler) as client:
        from distributed import as_completed

        if client.dashboard_link:
            print(f"dashboard: {client.dashboard_link}")
        count = max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
        tasks = client.map(
            write_run,
            runs(indices, count if plan.has_foam else count * TASKS_A_WORKER),
            plan=plan,
            path=str(folder.path.absolute()),
            pure=False,
            retries=RETRIES,
        )
        for _, sums in as_completed(tasks, with_results=True):
            folder.note({name: digest for written in sums.values() for name, digest in written.items()})
            for _ in sums:
                progress.advance()


def write_run(indices: Sequence[int], plan: Plan, path: str) -> dict[int, dict[str, str]]:
    """Compute and write a run of frames, on a worker; the checksums of each frame's files."""
    form, sums = make_format(plan), {}
    with source(plan) as frames, aside(Path(path)) as place:
        form.prepare(place)
        for index in indices:
            form.write(frames.frame(index), place)
            sums[index] = move(place, Path(path), form.names(index))
    return sums


def runs(indices: Sequence[int], count: int) -> list[list[int]]:
    """Numbers in at most `count` runs of about the same length, in order."""
    length = -(-len(indices) // count)
    return [list(indices[first : first + length]) for first in range(0, len(indices), length)]


@contextmanager
def connected(workers: int | None, scheduler: str | None) -> Iterator["Client"]:
    """A client of the cluster at an address, or of one that is made here and ends with it."""
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise ExportError(
            f"--workers and --scheduler need a package that is not installed ({error.name}); "
            "`python -m pip install distributed` installs it"
        ) from None
    if scheduler is not None:
        try:
            client = Client(scheduler, timeout="10s")
        except (OSError, ValueError) as error:
            raise ExportError(f"--scheduler = {scheduler!r} does not answer: {error}") from None
        with client:
            yield client
        return
    cluster = LocalCluster(n_workers=workers, threads_per_worker=1, silence_logs=logging.ERROR)
    with cluster, Client(cluster) as client:
        yield client
