"""Reports of captures that never were: every sample of a pass is the same."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ocean.capture.report import CaseRecord, ClockRecord, Report
from ocean.common.facts import GLRecord, host_facts, program_facts
from ocean.common.records import Kind, Measured, sampled
from ocean.settings import Settings, to_tree

PASSES = {"evolve": 0.5, "rows": 2.0, "shading": 10.0, "tone mapping": 0.05}
GL = GLRecord(vendor="Maker", renderer="Card", version="4.6")


SAMPLES = 8
COMPARED = {"frame", *PASSES}


def timed(name: str, ms: float, kind: Kind = "pass", clock: str = "gpu") -> Measured:
    return Measured(name=name, kind=kind, clock=clock, submit_us=100 * ms, dispatches=1, **sampled([ms] * SAMPLES))


def make_case(
    program: float = 1.0, machine: float = 1.0, host: float = 1.0, clock: str = "gpu", **passes: float
) -> CaseRecord:
    """Return a case. `program` and `machine` are factors of all times, `passes` are factors of single passes, and
    `host` is the time [ms] of a frame beyond its passes."""
    assert {name.replace("_", " ") for name in passes} <= set(PASSES)
    times = {name: program * machine * ms * passes.get(name.replace(" ", "_"), 1.0) for name, ms in PASSES.items()}
    whole = sum(times.values())
    return CaseRecord(
        settings=to_tree(Settings()),
        rows=(
            timed("frame", whole, "frame", clock),
            timed("frame with host", whole + host * machine, "frame", "wall"),
            *(timed(name, ms, "pass", clock) for name, ms in times.items()),
            timed("reference memory", 3.0 * machine, "reference", clock),
            timed("reference arithmetic", 2.0 * machine, "reference", clock),
        ),
    )


def make_report(*cases: tuple[str, CaseRecord], clock: Any = "gpu", **changes: float) -> Report:
    """Return a report of these cases, or of a lone one."""
    return Report(
        created=datetime(2026, 1, 1, tzinfo=UTC),
        program=program_facts(Path("/nowhere")),
        gl=GL,
        host=host_facts(),
        clock=ClockRecord(name=clock, reason="a test"),
        cases=dict(cases) or {"": make_case(clock=clock, **changes)},
    )
