"""Parameter studies: the statistics and times of the sea for every combination of settings, as one table.

Each case is measured alone, here or on a worker, and saved in a file of its own, so that a stopped sweep loses no
finished case. At the end the table collects all cases, a row for each.
"""

import json
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

from ocean import __version__
from ocean.common.console import Progress, say
from ocean.common.facts import cpu_name
from ocean.common.files import unfinished
from ocean.common.records import Measured, sampled
from ocean.export.plan import INSTALL, ExportError
from ocean.export.run import ExportFolder, check, move, open_folder, until_stopped
from ocean.export.sources import own_context
from ocean.export.workers import own_gpu, results
from ocean.fft import FFTError
from ocean.gpu.context import drain
from ocean.gpu.timing import FrameTimes, PassTimers, by_pass, measured, try_clocks
from ocean.sea.base import BaseSea
from ocean.sea.blend import SeaSpectrum, make_spectrum
from ocean.sea.sea import Sea, make_sea
from ocean.settings import Settings, flat, to_toml, to_tree
from ocean.settings.files import Resolved, contents
from ocean.validation.gauge import APART
from ocean.validation.periodogram import field_moments, lossless_side
from ocean.validation.quantities import Predictions, Quantity
from ocean.validation.survey import HeightPicture, expected_foam, make_periodogram
from ocean.waves.amplitudes import band_shells

SweepRow = dict[str, Any]
TABLE = "sweep.parquet"
UNITS = {"m": "_m", "s": "_s", "°": "_deg", "1": ""}


@dataclass(frozen=True)
class SweepCase:
    """A combination of values by key path, and its settings."""

    index: int
    choice: Mapping[str, str]
    settings: Resolved
    device: Literal["gpu", "cpu"]

    @property
    def file(self) -> str:
        return f"case.{self.index:06d}.json"

    def record(self) -> dict[str, Any]:
        return {"device": self.device, **to_tree(self.settings), **contents(self.settings)}


def sweep(
    cases: Sequence[SweepCase],
    out: Path,
    *,
    resume: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
) -> int:
    """Measure cases and write their table into `out`; options and exit status are those of `run.export`."""
    try:
        import pyarrow.parquet  # noqa: F401  # fails now, not after the last case
    except ImportError as error:
        raise ExportError(f"sweeps need a package that is not installed ({error.name}); {INSTALL}") from None
    record = {"program": f"ocean {__version__} sweep", "cases": {case.file: case.record() for case in cases}}
    with Progress() as progress, open_folder(out, record, resume) as folder:
        if resume and (status := check(folder, progress)):
            return status

        def missing() -> list[SweepCase]:
            return [case for case in cases if case.file not in folder.done]

        def work() -> None:
            todo = missing()
            for sums in written(todo, folder.path.absolute(), workers, scheduler, progress):
                folder.note(sums)
            write_table(cases, folder)
            say(out)

        return until_stopped(
            work,
            out,
            lambda: f"{len(cases) - len(missing())} of {len(cases)} cases are done, and --resume does the others",
        )


def written(
    cases: Sequence[SweepCase], path: Path, workers: int | None, scheduler: str | None, progress: Progress
) -> Iterator[dict[str, str]]:
    """Yield the checksums of the cases' files, as cases are measured and written. Progress counts cases of workers, and
    frames of this process."""
    if cases and (workers is not None or scheduler is not None):
        progress.start("case", len(cases))
        for sums in results(write_row, lambda _: cases, workers, scheduler, path=str(path)):
            progress.advance()
            yield sums
        return
    ends = list(accumulate(case.settings.capture.warmup + case.settings.capture.frames for case in cases))
    progress.start("frame", ends[-1] if ends else 0)
    for case, end in zip(cases, ends, strict=True):
        yield write_row(case, str(path), progress.advance)
        progress.reach(end)


def write_row(case: SweepCase, path: str, ran: Callable[[], object] | None = None) -> dict[str, str]:
    """Measure a case and write its row. Return the checksum of its file. `ran` is called after each frame."""
    row = make_row(case, ran)
    with unfinished(Path(path)) as place:
        (place / case.file).write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")
        return move(place, Path(path), [case.file])


def make_row(case: SweepCase, ran: Callable[[], object] | None = None) -> SweepRow:
    settings = case.settings
    leaves = flat(to_tree(settings))
    row: SweepRow = {key: leaves.get(key, text) for key, text in case.choice.items()}
    try:
        with running(case) as (sea, device, timers):
            row |= {"device": device, "host": platform.node(), "obstacle": None}
            whole, *passes = times(sea, settings, timers, ran)
            row |= {"frames": whole.samples, "frame_ms": whole.median_ms, "frame_ms_p95": whole.p95_ms}
            row |= {"frame_ms_min": whole.min_ms, "clock": passes[0].clock if passes else whole.clock}
            row |= {f"pass_{slug(one.name)}_ms": one.median_ms for one in passes}
            for quantity in quantities(sea, settings):
                row |= columns(quantity)
    except FFTError as error:  # this GPU can't run the size
        row |= {"obstacle": str(error)}
    return row | {"settings": to_toml(settings), "program": f"ocean {__version__}"}


@contextmanager
def running(case: SweepCase) -> Iterator[tuple[BaseSea, str, PassTimers | None]]:
    """Yield the sea of a case, the name of its device, and on a GPU the timers of its passes."""
    with ExitStack() as stack:
        ctx = stack.enter_context(own_context(case.device, stack.enter_context(own_gpu(case.device))))
        sea = make_sea(case.settings, ctx)
        stack.callback(sea.release)
        if ctx is None:
            yield sea, cpu_name(), None
            return
        timers = PassTimers(ctx, try_clocks(ctx).clock)
        stack.callback(timers.release)
        yield sea, ctx.info["GL_RENDERER"], timers


def times(
    sea: BaseSea, settings: Settings, timers: PassTimers | None, ran: Callable[[], object] | None = None
) -> list[Measured]:
    """Run the frames of a capture, after its warm-up. Return the row of the whole frame by the wall clock and, on a
    GPU, of each pass by the most trusted clock."""
    plan = settings.capture
    frames: list[float] = []
    passes: list[FrameTimes] = []
    for index in range(plan.warmup + plan.frames):
        start = perf_counter()
        if timers is None or not isinstance(sea, Sea):
            sea.update(plan.start + index / plan.fps)
        else:
            timers.begin(index)
            sea.update(plan.start + index / plan.fps, timers=timers)
            timers.end()
            drain(sea.ctx)
        frames.append((perf_counter() - start) * 1e3)
        if ran:
            ran()
        passes += [frame for frame in timers.collect() if frame.index >= plan.warmup] if timers else []
    rows = [Measured(name="frame", kind="frame", clock="wall", **sampled(frames[plan.warmup :]))]
    return rows + [measured(name, found, timers.clock) for name, found in by_pass(passes).items() if timers]


def quantities(sea: BaseSea, settings: Resolved) -> tuple[Quantity, ...]:
    """Return the quantities, predicted and measured after the last frame; foam is not measured, because it depends on
    earlier frames."""
    spectrum, plan = make_spectrum(settings), settings.capture
    predictions, last = Predictions(spectrum), plan.start + (plan.warmup + plan.frames) / plan.fps
    pictures: list[HeightPicture] = []
    for time in (last, last + APART):
        sea.update(time)
        fields = sea.fields()
        pictures.append((time, {index: heights(spectrum, index, fields) for index in predictions.lattices}))
    periodogram = make_periodogram(predictions, *pictures)
    foam = expected_foam(settings, spectrum, predictions)
    moments = field_moments(fields, lifts=spectrum.lifts, choppiness=settings.sea.choppiness, level=predictions.level)
    return predictions.quantities(settings.sea.choppiness, moments, periodogram, foam)


def heights(spectrum: SeaSpectrum, index: int, fields: Mapping[str, Any]) -> Any:
    """Return the heights of a cascade on the fewest texels that show all its waves."""
    key = spectrum.keys[index]
    stride = key.size // lossless_side(key.size, band_shells(key.tile, key.size))
    return fields["height"][index][::stride, ::stride]


def columns(quantity: Quantity) -> SweepRow:
    """Return the columns of a quantity: measured value and the predictions of `Quantity`, without None.
    Names end in the unit."""
    name = slug(quantity.name) + UNITS[quantity.unit]
    values = {"": quantity.measured, "_expected": quantity.expected, "_deviation": quantity.deviation}
    values |= {"_integral": quantity.integral}
    return {name + ending: value for ending, value in values.items() if value is not None}


def alike(values: Sequence[Any]) -> list[Any]:
    """Return the values of one column with one type: unchanged if all are numbers, words or switches, else all as
    words. None stays."""
    kinds = {type(value) for value in values} - {type(None)}
    if len(kinds) <= 1 or kinds == {int, float}:
        return list(values)
    return [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]


def slug(name: str) -> str:
    return "_".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


def write_table(cases: Sequence[SweepCase], folder: ExportFolder) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    rows = [json.loads((folder.path / case.file).read_text(encoding="utf-8")) for case in cases]
    names = dict.fromkeys(name for row in rows for name in row)
    texts = {"obstacle": pa.string()}
    table = {name: pa.array(alike([row.get(name) for row in rows]), texts.get(name)) for name in names}
    with unfinished(folder.path) as place:
        parquet.write_table(pa.table(table), place / TABLE)
        folder.note(move(place, folder.path, [TABLE]))
