"""The measured frames of a capture: their times, statistics and CSV."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ocean.capture.report import FrameRecord, PassRecord
from ocean.common.records import Statistics
from ocean.gpu.passes import Pass
from ocean.gpu.timing import PassTime


@dataclass(frozen=True)
class MeasuredFrame:
    """One measured frame: its number, time of the sea [s], time until the GPU was drained, and passes."""

    index: int
    time: float
    wall_ms: float
    passes: Mapping[str, PassTime]
    reference: Mapping[str, PassTime]

    @property
    def gpu_ms(self) -> float:
        return sum(p.gpu_ms for p in self.passes.values())

    @property
    def cpu_ms(self) -> float:
        return sum(p.cpu_ms for p in self.passes.values())


def frame_record(frames: Sequence[MeasuredFrame]) -> FrameRecord:
    """Return the record of whole frames."""
    gpu_ms, wall_ms = [round(f.gpu_ms, 6) for f in frames], [f.wall_ms for f in frames]
    return FrameRecord(
        gpu_ms=Statistics.of(gpu_ms),
        cpu_ms=Statistics.of([f.cpu_ms for f in frames]),
        wall_ms=Statistics.of(wall_ms),
        gpu_samples_ms=tuple(gpu_ms),
        wall_samples_ms=tuple(wall_ms),
    )


def pass_record(times: Sequence[PassTime], step: Pass) -> PassRecord:
    """Return the record of one pass."""
    gpu_ms = [t.gpu_ms for t in times]
    return PassRecord(
        gpu_ms=Statistics.of(gpu_ms),
        cpu_ms=Statistics.of([t.cpu_ms for t in times]),
        dispatches=step.dispatches,
        bytes_moved=step.bytes_moved,
        gpu_samples_ms=tuple(gpu_ms),
    )


def write_frames(path: Path, frames: Sequence[MeasuredFrame]) -> None:
    """Write CSV, a row for each frame. The cells of a pass that did not run in a frame are empty."""
    names = list(dict.fromkeys(name for frame in frames for name in (*frame.passes, *frame.reference)))
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(
            ["frame", "time_s", "gpu_ms", "cpu_ms", "wall_ms"]
            + [f"{name} {unit}" for name in names for unit in ("gpu_ms", "cpu_ms")]
        )
        for frame in frames:
            times = {**frame.passes, **frame.reference}
            cells = [(times[name].gpu_ms, times[name].cpu_ms) if name in times else ("", "") for name in names]
            rows.writerow(
                [frame.index, frame.time, frame.gpu_ms, frame.cpu_ms, frame.wall_ms]
                + [value for pair in cells for value in pair]
            )
