"""Claims of Mota 2022 and of Beechwood's guide: kernels, and frames of the ocean."""

from functools import partial
from statistics import median

from ocean.bench.papers.claims import Claim, Finding, at, beyond, faster, judged, listed, unclear
from ocean.bench.papers.drawing import digits
from ocean.bench.papers.measured import Curve, Measured, ratio
from ocean.bench.papers.mota import (
    PASS,
    PICTURE,
    RADIX_2,
    RADIX_4,
    STAGES,
    cuda,
    cufft,
    frame_parts,
    image,
    picture_of,
    submit_ms,
)

MOTA, BEECHWOOD = "Mota 2022", "Beechwood's guide"
ADDRESSES = "both move the same bytes in as many stages, so the caches' liking for one order of addresses decides"
WRITTEN = "there-and-back"
"""The part of the CPU's rows that table 2 is."""
SIMILAR = 1.1
"""Times that differ by no more than this are similar."""
BINARY = "this is the length of the driver's program binary, and his of glslang's output"
ANEW = (
    "the CUDA kernels are written anew, as the published column pass transforms no columns, and both languages "
    "reach the same hardware"
)


def cpu(measured: Measured, name: str) -> Curve:
    return measured.curve("median_ms", "cpu", name, part=WRITTEN)


def transforms_beat_the_sum(measured: Measured) -> Finding | None:
    names = ("iterative-dit", "iterative-dif", "recursive")
    slowest: Curve = {}
    for name in names:
        for size, ms in cpu(measured, name).items():
            slowest[size] = max(ms, slowest.get(size, 0.0))
    why = "there one call of numpy for each half outweighs the fewer products"
    return faster(measured, "cpu", slowest, cpu(measured, "direct"), why, WRITTEN)


def iterations_beat_recursion(measured: Measured) -> Finding | None:
    iterative = [cpu(measured, name) for name in ("iterative-dit", "iterative-dif")]
    slower = {n: max(curve[n] for curve in iterative) for n in iterative[0] if all(n in curve for curve in iterative)}
    why = "at those sizes both cost about the same number of calls"
    return faster(measured, "cpu", slower, cpu(measured, "recursive"), why, WRITTEN)


def a_pass_beats_stages(measured: Measured) -> Finding | None:
    why = "waiting within a work group costs more there than the dispatches that it saves"
    return faster(measured, "image", image(measured, PASS), image(measured, STAGES), why)


def stockham_beats_cooley_tukey(measured: Measured) -> Finding | None:
    return faster(measured, "image", image(measured, RADIX_2), image(measured, PASS), ADDRESSES)


def radix_4_beats_2(measured: Measured) -> Finding | None:
    why = "radix 4 halves the passes over memory, which gains nothing where a work group waits for something else"
    return faster(measured, "image", image(measured, RADIX_4), image(measured, RADIX_2), why)


def halfway_to_cufft(measured: Measured) -> Finding | None:
    two, four, theirs = image(measured, RADIX_2), image(measured, RADIX_4), cufft(measured)
    share = {
        n: (two[n] - four[n]) / (two[n] - theirs[n]) for n in two if n in four and n in theirs and two[n] > theirs[n]
    }
    if not share:
        return None
    middle = median(share.values())
    why = "the median of these is not near a half; cuFFT keeps a line in registers, which neither radix does"
    return Finding(listed(share, "{:.0%}"), 0.4 <= middle <= 0.6, why)


def butterflies_never_help(measured: Measured) -> Finding | None:
    alone = image(measured, RADIX_2)
    gains = {n: ratio(alone, image(measured, RADIX_2, options=f"butterflies={n}")) for n in (2, 4, 8)}
    best = {size: max(gain.get(size, 0.0) for gain in gains.values()) for size in alone}
    best = {size: gain for size, gain in best.items() if gain}
    if not best:
        return None
    tolerance = measured.tolerance("image")
    lost = [size for size, gain in best.items() if gain > 1 + tolerance]
    hidden = [size for size, gain in best.items() if 1 < gain <= 1 + tolerance]
    number = f"the best of 2, 4 and 8 is {listed(best)} as fast as one"
    if hidden and not lost:
        return unclear(number, tolerance, hidden)
    return Finding(number, not lost, f"at {at(lost)} fewer threads with more loads under way each are faster")


def cuda_is_slower(measured: Measured, name: str, backend: str) -> Finding | None:
    return faster(measured, "image", image(measured, backend), cuda(measured, name), ANEW)


def cooley_tukey_pulls_ahead(measured: Measured) -> Finding | None:
    """Of the same kernel in both languages."""
    gains = ratio(cuda(measured, "cooley-tukey"), image(measured, PASS))
    short, long = {n: gain for n, gain in gains.items() if n < 1024}, beyond(gains, 1024)
    if not short or not long:
        return None
    number = f"{listed(gains)} as fast in GLSL"
    apart = [n for n, gain in short.items() if max(gain, 1 / gain) > SIMILAR]
    if apart:
        return Finding(number, False, f"they differ by more than {SIMILAR - 1:.0%} at {at(apart)}; {ANEW}")
    return judged(long, number, measured.tolerance("image"), ANEW)


def cuda_stockham_loses(measured: Measured) -> Finding | None:
    large = {n: ms for n, ms in cuda(measured, "stockham-radix2").items() if n > 256}
    return faster(measured, "image", cuda(measured, "cooley-tukey"), large, ADDRESSES)


def cuda_radix_4_wins(measured: Measured) -> Finding | None:
    two, four = cuda(measured, "stockham-radix2"), cuda(measured, "stockham-radix4")
    return faster(measured, "image", four, two, "other limits than traffic decide")


def larger_by(measured: Measured, first: Curve, second: Curve) -> Curve:
    return {n: share - 1 for n, share in ratio(first, second).items()}


def radix_4_is_larger(measured: Measured) -> Finding | None:
    found = larger_by(measured, *(image(measured, name, "program_bytes") for name in (RADIX_4, RADIX_2)))
    if not found:
        return None
    return Finding(listed(found, "{:+.0%}"), 0.5 <= median(found.values()) <= 0.9, BINARY)


def built_in_reversal_is_smaller(measured: Measured) -> Finding | None:
    loop = image(measured, "digit-reversal", "program_bytes", "reversal=loop")
    built_in = image(measured, "digit-reversal", "program_bytes")
    saved = {n: loop[n] - built_in[n] for n in loop if n in built_in}
    if not saved:
        return None
    return Finding(f"{listed(saved, '{:.0f}')} bytes", 200 <= median(saved.values()) <= 800, BINARY)


def half_the_barriers(measured: Measured) -> Finding | None:
    waits = ratio(image(measured, RADIX_4, "barriers"), image(measured, RADIX_2, "barriers"))
    return Finding(listed(waits), max(waits.values()) <= 0.6, "there are more than half as many") if waits else None


def frame_rate(measured: Measured, name: str, size: int, claimed: float) -> Finding | str | None:
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
    return Finding(number, 0.75 * claimed <= row.gain <= 1.25 * claimed, why)


def other_frames(measured: Measured, size: int) -> str | None:
    """Why the frames that were measured are not those of the text."""
    picture = picture_of(measured, size)
    return f"frames of {picture} with few vertices, not of {PICTURE}" if picture not in ("", PICTURE) else None


def less_to_submit(measured: Measured) -> Finding | str | None:
    if measured.is_software:
        return "on a software renderer to submit a dispatch is to run it"
    parts = frame_parts(measured, 512, (STAGES, RADIX_2), submit_ms)
    if not all(parts.values()):
        return None
    stages, whole = (sum(parts[name].values()) for name in (STAGES, RADIX_2))
    return Finding(
        f"{digits(stages)} ms and {digits(whole)} ms", stages >= 2 * whole, "submitting costs less than twice as much"
    )


def loops_are_slow(measured: Measured) -> Finding | None:
    """Digits in a loop, as its listing has it, against bit operators."""
    gains = ratio(image(measured, "digit-reversal", options="reversal=loop"), image(measured, "digit-reversal"))
    if not gains:
        return None
    number = f"bit operators are {listed(gains)} as fast"
    why = "the loop takes few steps, while the memory that they lead to is waited for"
    return judged({n: gain / SIMILAR for n, gain in gains.items()}, number, measured.tolerance("image"), why)


def fewer_operations(measured: Measured) -> Finding | None:
    flops = [image(measured, "digit-reversal", "real_flops", options) for options in ("radix=2", "", "radix=8")]
    two, four, eight = flops
    shared = [n for n in two if n in four and n in eight]
    if not shared:
        return None
    lost = [n for n in shared if not two[n] > four[n] > eight[n]]
    size = lost[-1] if lost else shared[-1]
    counts = [f"{curve[size]:,.0f}" for curve in flops]
    number = f"{counts[0]}, {counts[1]} and {counts[2]} with radix 2, 4 and 8 at {size}"
    why = f"not at {at(lost)}, where a closing stage of a smaller radix takes more"
    return Finding(number, not lost, why)


def unmeasured(measured: Measured) -> Finding | None:
    """Of what no row tells."""
    return None


CUDA = "it takes CUDA on the same GPU"

CLAIMS = (
    Claim(MOTA, "table 2", "Every fast transform beats the direct sum at every size", transforms_beat_the_sum),
    Claim(MOTA, "table 2", "Iterative DIT and DIF overrule recursion at every size", iterations_beat_recursion),
    Claim(MOTA, "figure 13", "One pass over all stages beats a pass a stage at every size", a_pass_beats_stages),
    Claim(MOTA, "figure 14", "Stockham radix 2 beats Cooley–Tukey at every size", stockham_beats_cooley_tukey),
    Claim(MOTA, "figure 15", "Stockham radix 4 beats radix 2 at every size", radix_4_beats_2),
    Claim(MOTA, "figure 15", "Radix 4 comes halfway to cuFFT: (t₂ − t₄) / (t₂ − t_cuFFT)", halfway_to_cufft, CUDA),
    Claim(MOTA, "section 6.2", "Radix 4 waits at about half as many barriers", half_the_barriers),
    Claim(MOTA, "section 6.2", "Radix 4's kernel is 70 % larger", radix_4_is_larger),
    Claim(MOTA, "figure 16", "More butterflies a thread never help", butterflies_never_help),
    Claim(MOTA, "section 5.3.1", "The built-in bit reversal saves 400 bytes", built_in_reversal_is_smaller),
    *(
        Claim(MOTA, figure, f"{backend} is faster in GLSL than in CUDA",
              partial(cuda_is_slower, name=name, backend=backend), CUDA)
        for figure, name, backend in (
            ("figure 17", "cooley-tukey", PASS),
            ("figure 17", "stockham-radix2", RADIX_2),
            ("figure 18", "stockham-radix4", RADIX_4),
        )
    ),
    Claim(MOTA, "section 6.3", "Cooley–Tukey is similar in both languages, and from 1024 on GLSL pulls ahead",
          cooley_tukey_pulls_ahead, CUDA),
    Claim(MOTA, "figure 17", "In CUDA Stockham radix 2 loses to Cooley–Tukey above 256", cuda_stockham_loses, CUDA),
    Claim(MOTA, "figure 18", "In CUDA too radix 4 beats radix 2", cuda_radix_4_wins, CUDA),
    Claim(MOTA, "figure 20", "One pass an axis saves the CPU most of its work, at 512", less_to_submit),
    *(
        Claim(MOTA, figure, f"{name} at {size}: up to {share:.0%} more frames a second",
              partial(frame_rate, name=name, size=size, claimed=share), f"no frames at {size}")
        for figure, name, size, share in (
            ("figure 20", RADIX_2, 512, 0.2), ("figure 21", RADIX_2, 1024, 0.2), ("figure 21", RADIX_4, 1024, 0.6))
    ),
    Claim(BEECHWOOD, "digit reversal", "Reversal by a loop is slow in comparison with bit operators", loops_are_slow),
    Claim(BEECHWOOD, "radix 8", "Higher radices take fewer operations", fewer_operations),
    Claim(BEECHWOOD, "radix 8", "Higher radices need more registers, so fewer threads run at once", unmeasured,
          "OpenGL tells neither"),
)  # fmt: skip
