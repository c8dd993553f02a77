"""Reports of captures that never were: every sample of a pass is the same."""

from pathlib import Path
from typing import Any

from ocean.capture.report import Case, ClockRecord, FrameRecord, PassRecord, ReferenceRecord, Report
from ocean.common.facts import GLRecord, host_facts, program_facts, utc_now
from ocean.common.records import Statistics
from ocean.settings import Settings, to_tree

PASSES = {"evolve": 0.5, "fft rows": 2.0, "surface": 10.0, "tone mapping": 0.05}
GL = GLRecord(vendor="Maker", renderer="Card", version="4.6")


SAMPLES = 8
COMPARED = {"frame", *PASSES}


def level(ms: float) -> Statistics:
    """Samples that are all the same."""
    return Statistics.of([ms] * SAMPLES)


def timed(ms: float) -> PassRecord:
    return PassRecord(
        gpu_ms=level(ms), cpu_ms=level(ms / 10), dispatches=1, bytes_moved=1000, gpu_samples_ms=(ms,) * SAMPLES
    )


def framed(ms: float, host: float) -> FrameRecord:
    return FrameRecord(
        gpu_ms=level(ms),
        cpu_ms=level(ms / 10),
        wall_ms=level(ms + host),
        gpu_samples_ms=(ms,) * SAMPLES,
        wall_samples_ms=(ms + host,) * SAMPLES,
    )


def make_case(program: float = 1.0, machine: float = 1.0, host: float = 1.0, **passes: float) -> Case:
    """A case of a program and a machine that are so many times slower; `passes` are factors of single ones, and `host`
    is the milliseconds of a frame beyond its passes."""
    times = {name: program * machine * ms * passes.get(name.replace(" ", "_"), 1.0) for name, ms in PASSES.items()}
    return Case(
        settings=to_tree(Settings()),
        frame=framed(sum(times.values()), host * machine),
        passes={name: timed(ms) for name, ms in times.items()},
        reference=ReferenceRecord(memory=timed(3.0 * machine), arithmetic=timed(2.0 * machine)),
        backends=None,
    )


def make_report(*cases: tuple[str, Case], clock: Any = "gpu", **changes: float) -> Report:
    """A report of these cases, or of a lone one."""
    return Report(
        created=utc_now(),
        program=program_facts(Path("/nowhere")),
        gl=GL,
        host=host_facts(),
        clock=ClockRecord(name=clock, reason="a test"),
        cases=dict(cases) or {"": make_case(**changes)},
    )
