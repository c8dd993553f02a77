"""Exports from start to end: a folder of complete files, the missing frames, and workers that make them.

`export.json` describes the export. Files are written in a temporary folder, get a checksum, and move to their names.
`SHA256SUMS` has a line for each; `sha256sum --check` reads it. A file counts as done if it matches its line, so no file
needs to be flushed to the disk. A lock keeps a second export out; the system releases the lock of a killed program.

With workers, a task is a run of frames. A frame is a function of the plan and its number, so every worker writes equal
bytes, even if two of them write the same frame. If each run has to grow foam first, runs are as long as possible.
"""

import hashlib
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

from ocean.common.console import Progress, say
from ocean.common.errors import MOST_JSON, parse_json, plain, read_own
from ocean.common.files import LOCK, OutputError, clear_unfinished, own_place, try_lock, unfinished, writing
from ocean.export.formats.base import Format, make_format, read_ahead
from ocean.export.formats.page import write_page
from ocean.export.plan import ExportError, Plan
from ocean.export.sources import Snapshot, open_source, own_context
from ocean.export.workers import ClusterError, own_gpu, results
from ocean.gpu.context import DeviceLostError
from ocean.settings.files import resolve
from ocean.waves.nonlinear import HIDDEN

DONE, INTERRUPTED = 0, 130
RECORD, SUMS = "export.json", "SHA256SUMS"
_SUM = re.compile(r"([0-9a-f]{64})  (.+)\n")
MOST_UNASKED = 2e9  # bytes of an export that begins without a question
TASKS_A_WORKER = 4  # tasks per worker without foam: fast workers take more


# -- The folder -------------------------------------------------------------------------------------------------------


class ExportFolder:
    """The locked folder of an export. `done` holds the checksum of each complete file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done: dict[str, str] = {}

    def add(self, names: Iterable[str], made: Path) -> None:
        """Move finished files from the folder `made` to their names, and note their checksums."""
        self.note(move(made, self.path, names))

    def note(self, sums: Mapping[str, str]) -> None:
        append_sums(self.path / SUMS, {name: digest for name, digest in sums.items() if self.done.get(name) != digest})
        self.done |= sums

    def verify(self, progress: Progress) -> list[str]:
        """Check the listed files. Return the names of damaged or missing files."""
        self.gather()
        sums = _read_sums(self.path / SUMS)
        damaged = []
        progress.start("checking file", len(sums))
        for name, digest in sums.items():
            if is_whole(self.path / name, digest):
                self.done[name] = digest
            else:
                self.done.pop(name, None)
                damaged.append(name)
            progress.advance()
        self._write(SUMS, "".join(_line(name, digest) for name, digest in self.done.items()))
        return damaged

    def gather(self, name: str = f"{SUMS}.*") -> None:
        """Note the files in the lists of workers, and remove these lists: one complete list by its name, or all lists
        once all workers have ended."""
        for listed in self.path.glob(name):
            self.note(_read_sums(listed))
            listed.unlink(missing_ok=True)

    def _write(self, name: str, text: str) -> None:
        with unfinished(self.path) as folder:
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
            os.replace(folder / name, self.path / name)


@contextmanager
def open_folder(path: Path, record: Mapping[str, Any], resume: bool) -> Iterator[ExportFolder]:
    """Yield the folder, made if necessary and locked, for an export with this record. With `resume` the folder may hold
    an export with an equal record.

    Raises:
        ExportError: when another export is running in the folder, or it holds another one.
        OutputError: when the folder can't be written.
    """
    record = json.loads(json.dumps(record))
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
        lock = try_lock(path / LOCK)
    if lock is None:
        raise ExportError(f"another export is writing to {path}; wait for it, or choose another folder")
    try:
        with writing(path):
            folder = ExportFolder(path)
            old = _read_record(path)
            if old is None:
                folder._write(RECORD, json.dumps(record, indent=2) + "\n")
            elif not resume:
                raise ExportError(f"{path} holds an export; continue it with --resume, or choose another folder")
            else:
                refuse_another(path, record)
            clear_unfinished(path)
        try:
            yield folder
        except ExportError:
            if old is None and not folder.done:  # nothing to continue: a corrected command line is another export
                (path / RECORD).unlink()
            raise
    finally:
        clear_unfinished(path)
        lock.release()


def refuse_another(path: Path, record: Mapping[str, Any]) -> None:
    """Raise ExportError if a folder holds an export with another record."""
    old = _read_record(path)
    if old is not None and (difference := _difference(old, json.loads(json.dumps(record)))):
        raise ExportError(f"{path} holds another export: {difference}; choose another folder")


def move(made: Path, path: Path, names: Iterable[str]) -> dict[str, str]:
    """Move finished files from the folder `made` to their names in `path`, and return their checksums."""
    os.stat(path / RECORD)  # fails if somebody has removed the folder with its other files
    sums = {name: checksum(made / name) for name in names}
    for name in sums:
        os.replace(made / name, own_place(path, name))
    return sums


def checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_whole(path: Path, digest: str) -> bool:
    """Return whether a file has this checksum; False if it is missing, can't be read, or is a pipe or device, which may
    have no end."""
    try:
        return path.is_file() and checksum(path) == digest
    except OSError:
        return False


def append_sums(path: Path, sums: Mapping[str, str]) -> None:
    with own_place(path.parent, path.name, is_followed=False).open("a", encoding="utf-8", newline="\n") as file:
        file.write("".join(_line(name, digest) for name, digest in sums.items()))


def _read_sums(path: Path) -> dict[str, str]:
    """Return the checksums of a list, without a truncated line."""
    if not path.exists() or path.is_fifo():  # a pipe has no end; the new list replaces it
        return {}
    text = path.read_text(encoding="utf-8", errors="replace")
    return {match[2]: match[1] for match in _SUM.finditer(text)}


def _line(name: str, digest: str) -> str:
    return f"{digest}  {name}\n"


def _read_record(path: Path) -> Any:
    try:
        return parse_json(read_own(path / RECORD, MOST_JSON))
    except FileNotFoundError:
        return None
    except ValueError:
        raise ExportError(f"{path / RECORD} is not a record of an export; choose another folder") from None


def _difference(old: Any, new: Any, keys: Sequence[str] = ()) -> str | None:
    """Return the first difference of two records, in words; None if they are equal."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        found = (_difference(old.get(key), new.get(key), (*keys, key)) for key in {**old, **new})
        return next((words for words in found if words), None)
    name = ".".join(keys).removeprefix("settings.")
    return None if old == new else f"{name} is {old} there, and {new} here"


# -- The run ----------------------------------------------------------------------------------------------------------


def export(
    plan: Plan,
    out: Path,
    *,
    resume: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    most: float = MOST_UNASKED,
) -> int:
    """Write the missing frames of a plan into `out`, in this process, with `workers` processes, or with the Dask
    cluster at the address `scheduler`; or a page to the file `out`. Return the exit status: 0, or 130 after Ctrl-C.

    Raises:
        ExportError: when another export is running in `out`, `out` holds another one, or the frames take more than
            `most` bytes and nobody says yes.
        OutputError: when a file can't be written; finished files stay, and `resume` goes on from there.
        ContextError: when there is no usable OpenGL.
    """
    if plan.content == "pages":
        write_page(plan, out)
        return DONE
    form = make_format(plan)
    with Progress() as progress, open_folder(out, plan.record(), resume) as folder:
        if resume and (status := check(folder, progress)):
            return status
        missing = missing_frames(plan, form, folder)
        cost = Cost(folder, len(missing), most, form.whole)

        def work() -> None:
            if remark := plan.loss_remark:
                say(remark)
            if not all(name in folder.done for name in form.common()):
                with unfinished(folder.path) as place:
                    form.prepare(place)
                    folder.add(form.common(), place)
            if missing and plan.has_foam:
                grown = len(plan.foam_frames(missing[0]))
                print(f"{grown} frames before the first grow its foam and are discarded", flush=True)
            if missing and plan.settings.sea.is_nonlinear and (workers is not None or scheduler is not None):
                print("each worker first computes the nonlinear waves up to its first frame", flush=True)
            if missing and (workers is not None or scheduler is not None):
                if scheduler is None and not plan.has_foam:  # a frame of this process tells the cost
                    write_frames(plan, form, folder, missing[:1], progress, cost)
                left = missing_frames(plan, form, folder)
                progress.start("frame", plan.frames, plan.frames - len(left))
                write_frames_by_workers(plan, folder, left, progress, workers, scheduler, cost)
            else:
                write_frames(plan, form, folder, missing, progress, cost)
            finish(plan, form, folder, progress)
            shutil.rmtree(folder.path / HIDDEN, ignore_errors=True)
            say(out)

        return until_stopped(work, out, lambda: how_far(plan, form, folder))


def check(folder: ExportFolder, progress: Progress) -> int:
    """Check the files of a resumed folder, and report the files to be made again. Return the exit status."""

    def work() -> None:
        if damaged := folder.verify(progress):
            say(f"{len(damaged)} files are damaged or missing and are made again, {damaged[0]} first")

    return until_stopped(work, folder.path, lambda: "the files there were being checked, and --resume begins with that")


def missing_frames(plan: Plan, form: Format, folder: ExportFolder) -> list[int]:
    """Return the frames with a damaged or missing file."""
    return [i for i in range(plan.frames) if not all(name in folder.done for name in form.names(i))]


class Estimated(Exception):
    """End of a run that was to tell its cost."""


class Cost:
    """Estimate of an export's size and time by its first frame: printed, and beyond `most` bytes a person is asked.
    With `most` = 0 the run then ends."""

    def __init__(self, folder: ExportFolder, frames: int, most: float, whole: float) -> None:
        self._folder, self._frames, self._most, self._whole = folder, frames, most, whole
        self._is_known = frames < 2

    def check(self, names: Sequence[str], seconds: float) -> None:
        """Print what all frames take, from the files and the time of the first; later calls do nothing.

        Raises:
            ExportError: when it is too much to go on without a yes.
            Estimated: when it is all that was asked for.
        """
        if self._is_known:
            return
        self._is_known = True
        size = self._frames * self._whole * sum((self._folder.path / name).stat().st_size for name in names)
        said = f"{self._frames} frames take about {size / 1e6:.3g} MB and {self._frames * seconds / 60:.2g} min"
        say(said)
        if not self._most:
            raise Estimated
        if size <= self._most:
            return
        if sys.stdin.isatty() and input("Go on? [y/N] ").strip().lower() in ("y", "yes"):
            return
        raise ExportError(f"{said}; --resume --yes goes on")


def write_frames(
    plan: Plan, form: Format, folder: ExportFolder, indices: Sequence[int], progress: Progress, cost: Cost
) -> None:
    """Compute frames one after another; the format's threads write them meanwhile."""
    if not indices:
        return
    with (
        own_context(plan.device) as ctx,
        open_source(plan, ctx, folder.path) as frames,
        unfinished(folder.path) as place,
    ):
        form.prepare(place)
        progress.follow("nonlinear waves", frames.catch_up(indices[0]))

        def write(frame: Snapshot) -> int:
            form.write(frame, place)
            return frame.index

        if plan.has_foam:
            progress.start("growing foam of frame", len(plan.foam_frames(indices[0])))
            frames.grow_foam(indices[0], progress.advance)
        progress.start("frame", plan.frames, plan.frames - len(missing_frames(plan, form, folder)))
        begun = perf_counter()
        for index in read_ahead(write, map(frames.frame, indices), form.threads):
            folder.add(form.names(index), place)
            cost.check(form.names(index), perf_counter() - begun)
            progress.advance()


def write_frames_by_workers(
    plan: Plan,
    folder: ExportFolder,
    indices: Sequence[int],
    progress: Progress,
    workers: int | None,
    scheduler: str | None,
    cost: Cost,
) -> None:
    """Compute and write frames with `workers` processes on this machine, or with the cluster at an address;
    see `workers.results`."""

    def parts(count: int) -> list[list[int]]:
        return runs(indices, count if plan.has_foam else count * TASKS_A_WORKER)

    form, begun = make_format(plan), perf_counter()
    try:
        for indices in results(write_run, parts, workers, scheduler, plan=plan, path=str(folder.path.absolute())):
            folder.gather(own_sums(indices))  # the other lists still grow
            cost.check(form.names(indices[0]), (perf_counter() - begun) / len(indices))
            for _ in indices:
                progress.advance()
    finally:
        folder.gather()


def write_run(indices: Sequence[int], plan: Plan, path: str) -> Sequence[int]:
    """Compute and write a run of frames on a worker, and return the run. The run's own list records the finished files,
    so that they count even if the exporting process has died.

    Raises:
        ExportError: when a file of the settings has changed since the start of the export.
    """
    form, folder = make_format(plan), Path(path)
    plan = replace(plan, settings=resolve(plan.settings))  # the panorama does not come with the plan
    refuse_another(folder, plan.record())
    with (
        own_gpu(plan.device) as gpu,
        own_context(plan.device, gpu) as ctx,
        open_source(plan, ctx, folder) as frames,
        unfinished(folder) as place,
    ):
        form.prepare(place)
        for index in indices:
            form.write(frames.frame(index), place)
            append_sums(folder / own_sums(indices), move(place, folder, form.names(index)))
    return indices


def own_sums(indices: Sequence[int]) -> str:
    """Return the name of a run's list of checksums."""
    return f"{SUMS}.{indices[0]:06d}"


def runs(indices: Sequence[int], count: int) -> list[list[int]]:
    """Return the indices in at most `count` runs of about equal length, in order."""
    length = -(-len(indices) // count)
    return [list(indices[first : first + length]) for first in range(0, len(indices), length)]


def finish(plan: Plan, form: Format, folder: ExportFolder, progress: Progress) -> None:
    """Make the files that combine all frames, unless they are done."""
    names = form.final()
    if all(name in folder.done for name in names):
        return
    progress.start("encoding frame", plan.frames)
    with unfinished(folder.path) as place:
        form.finish(folder.path, place, progress.advance)
        folder.add(names, place)


def until_stopped(work: Callable[[], None], out: Path, how_far: Callable[[], str]) -> int:
    """Do the work of a folder. If Ctrl-C, the system or the cluster stops it, report how far it came. Return the exit
    status.

    Raises:
        OutputError, ExportError, DeviceLostError: with the progress in the message.
    """
    try:
        work()
    except Estimated:
        return DONE
    except (KeyboardInterrupt, OSError) as error:
        # After Ctrl-C, `shutil.rmtree` may close a folder twice, which is an error.
        if isinstance(error, OSError) and not isinstance(error.__context__, KeyboardInterrupt):
            raise OutputError(f"can't write to {out}: {(error.strerror or str(error)).lower()}; {how_far()}") from None
        print(plain(f"ocean: stopped; {how_far()}"), file=sys.stderr)
        return INTERRUPTED
    except ClusterError as error:
        raise ExportError(f"{error}; {how_far()}") from None
    except DeviceLostError as error:
        raise DeviceLostError(f"{error}; {how_far()}") from None
    return DONE


def how_far(plan: Plan, form: Format, folder: ExportFolder) -> str:
    """Return a sentence on the finished frames and on making the others."""
    done = plan.frames - len(missing_frames(plan, form, folder))
    left = "the others" if done < plan.frames else "the files that combine all frames"
    return f"{done} of {plan.frames} frames are done and whole, and --resume makes {left}"
