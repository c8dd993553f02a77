"""What a row says of a plan that nobody has to time: options, operations, barriers, sizes."""

from typing import Any

from ocean.fft.contract import AxisTransform, FFTPlan
from ocean.fft.counts import count
from ocean.fft.four_step import FourStep
from ocean.fft.registers import RegisterTransform
from ocean.fft.timed import backend_name


def counted(name: str, plan: FFTPlan, options: str) -> dict[str, Any]:
    """The values of a row that are counted; of `auto` the options say which plan it took along each axis."""
    counts = count(plan.transforms)
    taken = list(dict.fromkeys(described(one) for one in plan.transforms))
    return {
        "options": " and ".join(taken) if name == "auto" else options,
        "real_flops": counts.flops,
        "barriers": counts.barriers,
        "program_bytes": counts.program_bytes,
        "storage_mib": counts.storage_bytes / (1 << 20),
    }


def described(transform: AxisTransform) -> str:
    """The backend that a transform belongs to and its options, with the division of a line in registers."""
    options = transform.options.model_dump(exclude_defaults=True)
    said = " ".join(f"{key}={value}" for key, value in options.items())
    if isinstance(transform, RegisterTransform):
        division = transform.division
        said = f"{said} {'×'.join(map(str, division.radices))} in {division.parts} parts, {division.lines} a group"
    if isinstance(transform, FourStep):
        said = f"{said} {'×'.join(str(division.size) for division in transform.divisions)}"
    return f"{backend_name(transform)} {said}".replace("  ", " ").strip()
