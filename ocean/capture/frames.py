"""The measured frames of a capture, and their CSV."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ocean.common.tables import csv_text
from ocean.gpu.timing import FrameTimes, PassTime, pass_columns


@dataclass
class MeasuredFrame(FrameTimes):
    """One measured frame; its reference workload is apart."""

    wall_ms: float = 0.0  # time until the GPU was drained
    reference: Mapping[str, PassTime] = field(default_factory=dict)

    @property
    def with_reference(self) -> FrameTimes:
        """All passes in the order they ran."""
        return FrameTimes(self.index, {**self.passes, **self.reference}, self.time)


def write_frames(path: Path, frames: Sequence[MeasuredFrame]) -> None:
    """Write CSV, a row for each frame. The cells of a pass that did not run in a frame are empty."""
    names, passes = pass_columns([frame.with_reference for frame in frames])
    wholes = ((frame.index, frame.time, frame.gpu_ms, frame.cpu_ms, frame.wall_ms) for frame in frames)
    rows = ((*whole, *cells) for whole, cells in zip(wholes, passes, strict=True))
    text = csv_text(["frame", "time_s", "gpu_ms", "cpu_ms", "wall_ms", *names], rows)
    path.write_text(text, encoding="utf-8", newline="\n")
