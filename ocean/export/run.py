"""Exports from start to end: compute and write the missing frames, and keep finished ones."""

import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ocean.common.console import Progress
from ocean.common.files import OutputError
from ocean.export import workers as many
from ocean.export.ahead import ahead
from ocean.export.folder import ExportFolder, aside, open_folder
from ocean.export.formats import Format
from ocean.export.frame_sources import Snapshot, open_source, own_context
from ocean.export.making import make_format
from ocean.export.plan import ExportError, Plan
from ocean.waves.nonlinear import HIDDEN

DONE, INTERRUPTED = 0, 130


def export(
    plan: Plan, out: Path, *, resume: bool = False, workers: int | None = None, scheduler: str | None = None
) -> int:
    """Write the missing frames of a plan into `out`, in this process, with `workers` processes, or with the Dask
    cluster at the address `scheduler`. Return the exit status: 0, or 130 after Ctrl-C.

    Raises:
        ExportError: when another export is running in `out`, or `out` holds another one.
        OutputError: when a file can't be written; finished files stay, and `resume` goes on from there.
        ContextError: when there is no usable OpenGL.
    """
    form = make_format(plan)
    with Progress() as progress, open_folder(out, plan.record(), resume) as folder:
        if resume and (status := check(folder, progress)):
            return status
        missing = missing_frames(plan, form, folder)

        def work() -> None:
            write_common(form, folder)
            if missing and plan.has_foam:
                print(f"{plan.foam_memory} frames before the first grow its foam and are thrown away", flush=True)
            if missing and plan.settings.sea.is_nonlinear and (workers is not None or scheduler is not None):
                print("each worker first computes the nonlinear waves up to its first frame", flush=True)
            if missing and (workers is not None or scheduler is not None):
                progress.start("frame", plan.frames, plan.frames - len(missing))
                many.write_frames(plan, folder, missing, progress, workers, scheduler)
            else:
                write_frames(plan, form, folder, missing, progress)
            finish(plan, form, folder, progress)
            shutil.rmtree(folder.path / HIDDEN, ignore_errors=True)
            print(out)

        return until_stopped(work, out, lambda: how_far(plan, form, folder))


def check(folder: ExportFolder, progress: Progress) -> int:
    """Check the files of a resumed folder, and report the files to be made again. Return the exit status."""

    def work() -> None:
        if damaged := folder.verify(progress):
            print(f"{len(damaged)} files are damaged or missing and are made again, {damaged[0]} first")

    return until_stopped(work, folder.path, lambda: "the files there were being checked, and --resume begins with that")


def missing_frames(plan: Plan, form: Format, folder: ExportFolder) -> list[int]:
    """Return the frames with a damaged or missing file."""
    return [i for i in range(plan.frames) if not all(name in folder.done for name in form.names(i))]


def write_common(form: Format, folder: ExportFolder) -> None:
    """Write the files that belong to no frame, unless they are done."""
    names = form.common()
    if all(name in folder.done for name in names):
        return
    with aside(folder.path) as place:
        form.prepare(place)
        folder.add(names, place)


def write_frames(plan: Plan, form: Format, folder: ExportFolder, indices: Sequence[int], progress: Progress) -> None:
    """Compute frames one after the other, and write them meanwhile."""
    if not indices:
        return
    with own_context(plan.device) as ctx, open_source(plan, ctx, folder.path) as frames, aside(folder.path) as place:
        form.prepare(place)
        progress.follow("nonlinear waves", frames.catch_up(indices[0]))

        def write(frame: Snapshot) -> int:
            form.write(frame, place)
            return frame.index

        if plan.has_foam:
            progress.start("growing foam of frame", plan.foam_memory)
            frames.grow_foam(indices[0], progress.advance)
        progress.start("frame", plan.frames, plan.frames - len(indices))
        for index in ahead(write, map(frames.frame, indices), form.threads):
            folder.add(form.names(index), place)
            progress.advance()


def finish(plan: Plan, form: Format, folder: ExportFolder, progress: Progress) -> None:
    """Make the files of all frames together, unless they are done."""
    names = form.final()
    if all(name in folder.done for name in names):
        return
    progress.start("encoding frame", plan.frames)
    with aside(folder.path) as place:
        form.finish(folder.path, place, progress.advance)
        folder.add(names, place)


def until_stopped(work: Callable[[], None], out: Path, how_far: Callable[[], str]) -> int:
    """Do the work of a folder, and report its progress if Ctrl-C, the system or the cluster stops it. Return the exit
    status.

    Raises:
        OutputError, ExportError: with the progress in the message.
    """
    try:
        work()
    except (KeyboardInterrupt, OSError) as error:
        # After Ctrl-C, `shutil.rmtree` may close a folder twice, which is an error.
        if isinstance(error, OSError) and not isinstance(error.__context__, KeyboardInterrupt):
            raise OutputError(f"can't write to {out}: {(error.strerror or str(error)).lower()}; {how_far()}") from None
        print(f"ocean: stopped; {how_far()}", file=sys.stderr)
        return INTERRUPTED
    except many.ClusterError as error:
        raise ExportError(f"{error}; {how_far()}") from None
    return DONE


def how_far(plan: Plan, form: Format, folder: ExportFolder) -> str:
    """Return a sentence on the finished frames and on making the others."""
    done = plan.frames - len(missing_frames(plan, form, folder))
    left = "the others" if done < plan.frames else "the files that combine all frames"
    return f"{done} of {plan.frames} frames are done and whole, and --resume makes {left}"
