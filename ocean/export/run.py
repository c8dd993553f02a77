"""Exports from start to end: a folder of complete files, the missing frames, and workers that make them.

`export.json` describes the export. Files are written in a temporary folder, get a checksum, and move to their names.
`SHA256SUMS` has a line for each; `sha256sum --check` reads it. A file counts as done if it matches its line, so no file
needs to be flushed to the disk. A lock keeps a second export out; the system releases the lock of a killed program.

With workers, a task is a run of frames. A frame is a function of the plan and its number, so every worker writes equal
bytes, even if two of them write the same frame. If each run has to grow foam first, runs are as long as possible.
"""

import hashlib
import json
import math
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
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
from ocean.settings import differences
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

    def make(self, names: Sequence[str], write: Callable[[Path], object]) -> None:
        """Let a function write files into a temporary folder, and move them to their names, unless all are done."""
        if not all(name in self.done for name in names):
            with unfinished(self.path) as place:
                write(place)
                self.note(move(place, self.path, names))

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
    an export with an equal record. Raises ExportError when it holds or makes another one."""
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
    if old is not None and (found := differences(old, json.loads(json.dumps(record)))):
        key, (there, here) = next(iter(found.items()))
        said = f"{key.removeprefix('settings.')} is {there} there, and {here} here"
        raise ExportError(f"{path} holds another export: {said}; choose another folder")


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


def _read_record(path: Path) -> dict[str, Any] | None:
    try:
        return dict(parse_json(read_own(path / RECORD, MOST_JSON)))
    except FileNotFoundError:
        return None
    except (TypeError, ValueError):
        raise ExportError(f"{path / RECORD} is not a record of an export; choose another folder") from None


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
    cluster at the address `scheduler`; or a page to the file `out`. More than `most` bytes need a yes. Return the exit
    status: 0, or 130 after Ctrl-C. After an error finished files stay, and `resume` goes on from there.
    """
    if plan.content == "pages":
        write_page(plan, out)
        return DONE
    form = make_format(plan)
    with Progress() as progress, open_folder(out, plan.record(), resume) as folder:
        if resume and (status := check(folder, progress)):
            return status
        missing = missing_frames(plan, form, folder)
        is_alone = workers is None and scheduler is None
        is_told, before = len(missing) < 2, 0.0
        tells_cost = scheduler is None and not plan.has_foam  # by two frames of this process, before the workers'
        own = len(missing) if is_alone else 2 * tells_cost
        least = len(missing) * form.whole * plan.least_bytes
        if 0 < most < least:
            ask(f"{len(missing)} frames take at least {rounded(least / 1e6, 3)} MB", "--yes", True)
            most = math.inf

        def advance(indices: Sequence[int]) -> None:
            nonlocal is_told, before
            if own and not before:
                before = progress.seconds  # of a first frame, which also compiles
            elif not is_told:
                is_told = True
                tell_cost(folder, form, indices[0], len(missing), (progress.seconds - before) / len(indices), most)
            for _ in indices:
                progress.advance()

        def note(index: int, sums: Mapping[str, str]) -> None:
            folder.note(sums)
            advance([index])

        def work() -> None:
            if remark := plan.loss_remark:
                say(remark)
            folder.make(form.common(), form.prepare)
            if missing and plan.has_foam:
                grown = len(plan.foam_frames(missing[0]))
                print(f"{grown} frames before the first grow its foam and are discarded", flush=True)
            if missing and plan.settings.sea.is_nonlinear and not is_alone:
                print("each worker first computes the nonlinear waves up to its first frame", flush=True)
            write_frames(plan, form, folder.path, missing[:own], note, progress=progress, left=len(missing))
            if others := missing[own:]:
                progress.start("frame", plan.frames, plan.frames - len(others))
                write_frames_by_workers(plan, folder, others, advance, workers, scheduler)
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
    return [i for i in range(plan.frames) if not all(name in folder.done for name in form.names(i))]


class Estimated(Exception):
    """End of a run that was to tell its cost."""


def tell_cost(folder: ExportFolder, form: Format, index: int, frames: int, seconds: float, most: float) -> None:
    """Print what `frames` frames take, from the files of one of them and its time [s], and `ask` beyond `most` bytes.
    Raises Estimated when `most` is 0, because the cost is all that was asked for."""
    size = frames * form.whole * sum((folder.path / name).stat().st_size for name in form.names(index))
    time = f"{frames * seconds:.2g} s" if frames * seconds < 60 else f"{rounded(frames * seconds / 60, 2)} min"
    said = f"{frames} frames take about {rounded(size / 1e6, 3)} MB and {time}"
    ask(said, "--resume --yes", size > most > 0)
    if not most:
        raise Estimated


def rounded(value: float, digits: int) -> str:
    return f"{float(f'{value:.{digits}g}'):,.12g}"  # without an exponent


def ask(said: str, option: str, is_large: bool) -> None:
    """Print a cost, and raise ExportError with the option that goes on if it is large and nobody says yes."""
    say(said)
    if is_large and not (sys.stdin.isatty() and input("Go on? [y/N] ").strip().lower() in ("y", "yes")):
        raise ExportError(f"{said}; {option} goes on")


def write_frames(
    plan: Plan,
    form: Format,
    path: Path,
    indices: Sequence[int],
    note: Callable[[int, Mapping[str, str]], object],
    gpu: int = 0,
    progress: Progress | None = None,
    left: int = 0,
) -> None:
    """Compute frames one after another and write them into `path`; the format's threads write meanwhile. `note` gets
    the number and the checksums of each, `progress` begins with `left` frames to come."""
    if not indices:
        return
    with own_context(plan.device, gpu) as ctx, open_source(plan, ctx, path) as frames, unfinished(path) as place:
        form.prepare(place)
        if progress is not None:
            progress.follow("nonlinear waves", frames.catch_up(indices[0]))
            if plan.has_foam:
                progress.start("growing foam of frame", len(plan.foam_frames(indices[0])))
                frames.grow_foam(indices[0], progress.advance)
            progress.start("frame", plan.frames, plan.frames - left)

        def write(frame: Snapshot) -> int:
            form.write(frame, place)
            return frame.index

        for index in read_ahead(write, map(frames.frame, indices), form.threads):
            note(index, move(place, path, form.names(index)))


def write_frames_by_workers(
    plan: Plan,
    folder: ExportFolder,
    indices: Sequence[int],
    advance: Callable[[Sequence[int]], object],
    workers: int | None,
    scheduler: str | None,
) -> None:
    """Compute and write frames with `workers` processes on this machine, or with the cluster at an address; see
    `workers.results`. `advance` gets each run of finished frames."""

    def parts(count: int) -> list[list[int]]:
        return runs(indices, count if plan.has_foam else count * TASKS_A_WORKER)

    try:
        for run in results(write_run, parts, workers, scheduler, plan=plan, path=str(folder.path.absolute())):
            folder.gather(own_sums(run))  # the other lists still grow
            advance(run)
    finally:
        folder.gather()


def write_run(indices: Sequence[int], plan: Plan, path: str) -> Sequence[int]:
    """Compute and write a run of frames on a worker, and return the run. The run's own list records the finished files,
    so that they count even if the exporting process has died. Raises ExportError when a file of the settings has
    changed since the start of the export."""
    folder = Path(path)
    plan = replace(plan, settings=resolve(plan.settings))  # the panorama does not come with the plan
    refuse_another(folder, plan.record())
    form = make_format(plan)
    form.threads = 0  # other workers have the other processors
    with own_gpu(plan.device) as gpu:
        listed = folder / own_sums(indices)
        write_frames(plan, form, folder, indices, lambda _, sums: append_sums(listed, sums), gpu)
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

    def encode(place: Path) -> None:
        progress.start("encoding frame", plan.frames)
        form.finish(folder.path, place, progress.advance)

    folder.make(form.final(), encode)


def until_stopped(work: Callable[[], None], out: Path, how_far: Callable[[], str]) -> int:
    """Do the work of a folder, and say how far it came if Ctrl-C or an error stops it. Return the exit status."""
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
    done = plan.frames - len(missing_frames(plan, form, folder))
    left = "the others" if done < plan.frames else "the files that combine all frames"
    return f"{done} of {plan.frames} frames are done and whole, and --resume makes {left}"
