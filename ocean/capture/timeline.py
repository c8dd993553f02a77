"""The passes of a capture as trace events in JSON, which Perfetto (https://ui.perfetto.dev) shows on a time line.

The format is Google's "Trace Event Format": each case is a process with two threads, CPU for submitting and GPU for
running. Slices begin (B) and end (E) in the order of time; a frame's slice encloses the slices of its passes.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ocean.gpu.passes import Pass
from ocean.gpu.timing import FrameTimes, PassTime

Event = dict[str, Any]
Span = Callable[[PassTime], tuple[float, float]]  # begin and length, in seconds
TRACKS: dict[str, Span] = {
    "CPU": lambda t: (t.cpu_start, t.cpu_ms * 1e-3),
    "GPU": lambda t: (t.gpu_start, t.gpu_ms * 1e-3),
}


def write_trace(path: Path, cases: Mapping[str, tuple[Sequence[FrameTimes], Mapping[str, Pass]]]) -> None:
    events = [
        event
        for process, (name, (frames, passes)) in enumerate(cases.items(), start=1)
        for event in case_events(process, name or "capture", frames, passes)
    ]
    lines = ",\n".join(json.dumps(event, ensure_ascii=False) for event in events)
    path.write_text(f'{{"displayTimeUnit": "ms", "traceEvents": [\n{lines}\n]}}\n', encoding="utf-8")


def case_events(process: int, name: str, frames: Sequence[FrameTimes], passes: Mapping[str, Pass]) -> Iterator[Event]:
    """Yield the events of one case, whose time starts with its first slice."""
    yield {"ph": "M", "name": "process_name", "pid": process, "args": {"name": name}}
    zero = min(span(t)[0] for frame in frames for t in frame.passes.values() for span in TRACKS.values())
    for thread, (track, span) in enumerate(TRACKS.items(), start=1):
        place = {"pid": process, "tid": thread}
        yield {"ph": "M", "name": "thread_name", **place, "args": {"name": track}}
        now = 0.0
        for frame in frames:
            for event in slices(frame, passes, span):
                # Times are rounded, and a GPU's clock may step by more than the rounding.
                now = max(now, round((event["ts"] - zero) * 1e6, 3))
                yield {**event, "ts": now, **place}


def slices(frame: FrameTimes, passes: Mapping[str, Pass], span: Span) -> Iterator[Event]:
    """Yield the slice of a frame, and in it one for each pass; times in seconds. Unknown counts are left out."""
    title, facts = f"frame {frame.index}", {"frame": frame.index, "time of the sea in s": frame.time}
    spans = {name: span(times) for name, times in frame.passes.items()}
    yield {"ph": "B", "name": title, "ts": min(begin for begin, _ in spans.values()), "args": facts}
    for name, (begin, length) in spans.items():
        known = passes.get(name)
        facts = {"dispatches": known.dispatches, "bytes moved at the least": known.bytes_moved} if known else {}
        facts = {words: count for words, count in facts.items() if count}
        yield {"ph": "B", "name": name, "ts": begin, "args": facts}
        yield {"ph": "E", "name": name, "ts": begin + length}
    yield {"ph": "E", "name": title, "ts": max(begin + length for begin, length in spans.values())}
