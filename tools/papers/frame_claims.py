"""Claims of Mota 2022 on frames of the ocean: frame rates, and rows and columns of the transform in a frame."""

from functools import partial

from tools.papers.benches import Benches, Value
from tools.papers.claims import Claim, Finding, each, up_to
from tools.papers.drawing import digits
from tools.papers.kernel_claims import MOTA
from tools.papers.mota import PICTURE, RADIX_2, RADIX_4, STAGES, frame_parts, picture_of, submit_ms


def frame_rate(measured: Benches, name: str, size: int, claimed: float) -> Finding | str | None:
    if reason := other_frames(measured, size):
        return reason
    row = measured.by("size", "frame", name, part="frame").get(size)
    stages = measured.by("size", "frame", STAGES, part="frame").get(size)
    if row is None or stages is None or row.gain is None or not stages.median_ms:
        return None
    parts = frame_parts(measured, size, (STAGES, name), "median_ms")
    transform, other = (sum(parts[one].values()) for one in (STAGES, name))
    number = f"{row.gain:+.0%}, {row.frames_per_second:.0f} frames/s"
    faster = f"{transform / other:.2f} × as fast here" if other else "not measured by itself"
    why = f"the transform, {transform / stages.median_ms:.0%} of a frame with a dispatch a stage, is {faster}"
    noise = measured.noise("frame", [size])[size]
    return up_to(row.gain, claimed, number, noise, why, "{:+.0%}".format, base=1)


def other_frames(measured: Benches, size: int) -> str | None:
    """Return the reason why the measured frames differ from the paper's."""
    picture = picture_of(measured, size)
    return f"frames of {picture} with few vertices, not of {PICTURE}" if picture not in ("", PICTURE) else None


def rows_and_columns(measured: Benches, size: int, name: str, value: Value) -> tuple[float, float] | None:
    """Return rows plus columns of a backend with a dispatch for each stage, and of another backend."""
    parts = frame_parts(measured, size, (STAGES, name), value)
    stages, other = (sum(parts[one].values()) for one in (STAGES, name))
    return (stages, other) if stages and other else None


def less_to_submit(measured: Benches, size: int) -> Finding | str | None:
    if measured.is_software:
        return "on a software renderer to submit a dispatch is to run it"
    if (found := rows_and_columns(measured, size, RADIX_2, submit_ms)) is None:
        return None
    stages, whole = found
    number, why = f"{digits(stages)} ms and {digits(whole)} ms", "it saves less than half"
    return each({size: stages / whole}, number, measured.noise("frame", [size]), why, 2)


def less_on_the_gpu(measured: Benches, size: int, name: str) -> Finding | None:
    if (found := rows_and_columns(measured, size, name, "median_ms")) is None:
        return None
    stages, whole = found
    number = f"{digits(stages)} ms and {digits(whole)} ms, {stages / whole:.2f} × as fast"
    why = "waiting within a work group costs as much there as the dispatches that it saves"
    return each({size: stages / whole}, number, measured.noise("frame", [size]), why)


CLAIMS = (
    *(
        Claim(f"mota.less-to-submit-{size}", MOTA, figure,
              f"One pass an axis saves the CPU most of its work, at {size}",
              partial(less_to_submit, size=size), f"no frames at {size}")
        for figure, size in (("figure 20", 512), ("figure 21", 1024))
    ),
    *(
        Claim(f"mota.rows-and-columns-{name}-{size}", MOTA, figure,
              f"Rows and columns take less time by {name} than by a dispatch a stage, at {size}",
              partial(less_on_the_gpu, size=size, name=name), f"no frames at {size}")
        for figure, name, size in (
            ("figure 20", RADIX_2, 512), ("figure 21", RADIX_2, 1024), ("figure 21", RADIX_4, 1024))
    ),
    *(
        Claim(f"mota.frame-rate-{name}-{size}", MOTA, figure,
              f"{name} at {size}: up to {share:.0%} more frames a second",
              partial(frame_rate, name=name, size=size, claimed=share), f"no frames at {size}")
        for figure, name, size, share in (
            ("figure 20", RADIX_2, 512, 0.2), ("figure 21", RADIX_2, 1024, 0.2), ("figure 21", RADIX_4, 1024, 0.6))
    ),
)  # fmt: skip
