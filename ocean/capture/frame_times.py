"""The measured frames of a capture, and the CSV of timed frames."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ocean.common.records import csv_text
from ocean.gpu.timing import FrameTimes, PassTime


@dataclass
class MeasuredFrame(FrameTimes):
    """One measured frame; its reference workload is apart."""

    wall_ms: float = 0.0  # time until the GPU was drained
    reference: Mapping[str, PassTime] = field(default_factory=dict)

    @property
    def whole(self) -> dict[str, float]:
        return {**super().whole, "wall_ms": self.wall_ms}

    @property
    def with_reference(self) -> FrameTimes:
        return FrameTimes(self.index, {**self.passes, **self.reference}, self.time)


def write_frames(path: Path, frames: Sequence[FrameTimes]) -> None:
    """Write CSV, a row for each frame. The cells of a pass that did not run in a frame are empty."""
    passes = [frame.with_reference.passes for frame in frames]
    names = list(dict.fromkeys(name for found in passes for name in found))
    columns = [f"{name} {unit}" for name in names for unit in ("gpu_ms", "cpu_ms")]
    rows = (
        [*frame.whole.values(), *(ms for name in names for ms in found.get(name, (None, None))[:2])]
        for frame, found in zip(frames, passes, strict=True)
    )
    path.write_text(csv_text([*frames[0].whole, *columns], map(rounded, rows)), encoding="utf-8", newline="\n")


def rounded(row: Sequence[float | None]) -> list[float | None]:
    """Return the values of a row to nanoseconds."""
    return [ms if ms is None else round(ms, 6) for ms in row]
