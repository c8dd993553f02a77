"""Trace events from frames that were never rendered; test_capture.py holds real ones to the format."""

import json
from pathlib import Path

import pytest

from ocean.capture.plots import write_trace
from ocean.gpu.passes import Pass
from ocean.gpu.timing import FrameTimes, PassTime

PASSES = {name: Pass(name, lambda: None, dispatches=2, bytes_moved=99) for name in ("evolve", "reference")}


def frame(index: int, start: float, late: float = 0.002) -> FrameTimes:
    """Return a frame that is submitted at `start` [s] in no time, and runs `late` seconds after."""
    evolve = PassTime(gpu_ms=1.0, cpu_ms=0.1, gpu_start=start + late, cpu_start=start)
    reference = PassTime(gpu_ms=0.5, cpu_ms=0.1, gpu_start=start + late + 0.001, cpu_start=start + 0.0001)
    return FrameTimes(index, {"evolve": evolve, "reference": reference}, index / 60)


def written(path: Path, *frames: FrameTimes) -> list[dict[str, object]]:
    write_trace(path, {"": (frames, PASSES)})
    return list(json.loads(path.read_text())["traceEvents"])


def test_slices_have_the_times_of_the_clocks(tmp_path: Path) -> None:
    events = written(tmp_path / "trace.json", frame(7, 1000.0))
    cpu = [(e["ph"], e["name"], e["ts"]) for e in events if e.get("tid") == 1 and "ts" in e]
    gpu = [(e["ph"], e["name"], e["ts"]) for e in events if e.get("tid") == 2 and "ts" in e]
    assert cpu == [
        ("B", "frame 7", 0.0),
        ("B", "evolve", 0.0),
        ("E", "evolve", 100.0),
        ("B", "reference", 100.0),
        ("E", "reference", 200.0),
        ("E", "frame 7", 200.0),
    ]
    assert [ts for _, _, ts in gpu] == pytest.approx([2000.0, 2000.0, 3000.0, 3000.0, 3500.0, 3500.0])
    (first,) = (e for e in events if e["name"] == "evolve" and e["ph"] == "B" and e["tid"] == 2)
    assert first["args"] == {"dispatches": 2, "bytes moved at the least": 99}


def test_a_clock_that_steps_back_breaks_no_order(tmp_path: Path) -> None:
    """The second frame's GPU times lie before the first one's end, and the third's in their position again."""
    frames = frame(0, 5.0), frame(1, 5.0005, late=0.0005), frame(2, 5.1)
    events = [e for e in written(tmp_path / "trace.json", *frames) if e.get("tid") == 2 and "ts" in e]
    times = [e["ts"] for e in events]
    assert times == sorted(times)
    assert len(events) == 3 * 6
    assert times[-1] == pytest.approx(103_500.0)
