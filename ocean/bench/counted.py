"""Counts of a plan, which need no timing: description, operations, barriers, sizes."""

from typing import Any

from ocean.bench.spirv import spirv_bytes
from ocean.fft.backends import name_of
from ocean.fft.comparison import Comparison, options_text
from ocean.fft.contract import AxisTransform, FFTPlan
from ocean.fft.counts import count
from ocean.fft.four_step import FourStep
from ocean.fft.measure import Measurement
from ocean.fft.registers import RegisterTransform


def counted(plan: FFTPlan) -> dict[str, Any]:
    counts = count(plan)
    return {
        "plan": " and ".join(dict.fromkeys(described(one) for one in plan.transforms)),
        "real_flops": counts.flops,
        "barriers": counts.barriers,
        "program_bytes": counts.program_bytes,
        "spirv_bytes": spirv_bytes(plan),
        "storage_mib": counts.storage_bytes / (1 << 20),
    }


def facts(comparison: Comparison, result: Measurement) -> dict[str, Any]:
    """Return the options of a backend of a comparison, and the counts of its plan if it runs."""
    counts = counted(comparison.plans[result]) if result in comparison.plans else {}
    return counts | {"options": options_text(comparison.options[result])}


def described(transform: AxisTransform) -> str:
    """Return a description of a transform: its backend, which `auto` may have chosen, and the division of a line."""
    said = [name_of(transform.backend)]
    if isinstance(transform, RegisterTransform):
        division = transform.division
        said += ["×".join(map(str, division.radices)), f"lines={division.lines}", f"parts={division.parts}"]
    if isinstance(transform, FourStep):
        said.append("×".join(str(division.size) for division in transform.divisions))
    return " ".join(said)
