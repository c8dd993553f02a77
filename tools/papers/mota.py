"""Mota, "High Performance Fourier Transforms on GPUs" (dissertation, Minho 2022): its figures and claims."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import log, log1p
from statistics import median

from ocean.bench.rows import Row
from tools.papers import claims, govindaraju
from tools.papers.benches import Benches, Curve, Value, ratio
from tools.papers.claims import SIMILAR, Finding
from tools.papers.drawing import Bars, Figure, Lines, Table, digits

SOURCE = "Mota 2022"
MS = "time in ms"
PICTURE = "1920x1080"  # frames on a GPU
WRITTEN = {"DFT": "direct", "FFT DIT": "iterative-dit", "FFT DIF": "iterative-dif", "recursive FFT": "recursive"}
THERE_AND_BACK = "there-and-back"  # the part of the workload `cpu` for table 2
TABLE_2 = {
    "DFT": (5.16593, 17.2782, 70.5689, 293.104, 1246.44),
    "FFT DIT": (0.169113, 0.37668, 0.86415, 1.8793, 4.47742),
    "FFT DIF": (0.159458, 0.378722, 0.881921, 1.90661, 4.13369),
    "recursive FFT": (0.210895, 0.485643, 1.4421, 2.32922, 5.1178),
}
"""Published times [ms] for 128 to 2048 elements."""
STAGES, PASS, RADIX_2, RADIX_4 = "cooley-tukey-stages", "cooley-tukey", "stockham-radix2", "stockham-radix4"
GLSLANG = "his bytes are of glslang's output, not of a driver's program binary, whose numbers are"
OTHER_CODE = "our kernels are not his code"


def image(
    measured: Benches, name: str, value: Value = "median_ms", options: str = "", direction: str = "forward"
) -> Curve:
    return measured.curve(value, "image", name, direction=direction, batch=1, options=options)


def submit_ms(row: Row) -> float | None:
    return None if row.submit_us is None else row.submit_us / 1e3


def frame_parts(measured: Benches, size: int, names: Sequence[str], value: Value) -> dict[str, dict[str, float]]:
    """Return, for each backend, values of the rows and of the columns of a frame's transform."""
    found = {}
    for name in names:
        curves = {part: measured.curve(value, "frame", name, part=part, size=size) for part in ("rows", "columns")}
        found[name] = {part: curve[size] for part, curve in curves.items() if curve}
    return found


def picture_of(measured: Benches, size: int) -> str:
    """Return the size of the measured frames, such as 1920x1080; empty if there are none."""
    return next((row.options for row in measured.rows("frame", STAGES, part="frame", size=size)), "")


# -- Figures -----------------------------------------------------------------------------------------------------------


def on_gpu_and_cpu(measured: Benches) -> list[tuple[str, Value]]:
    """Return panels of GPU time, and of the time to submit if it differs."""
    submitting: list[tuple[str, Value]] = [("To submit, on the CPU", submit_ms)]
    return [("On the GPU", "median_ms"), *([] if measured.is_software else submitting)]


def note_of(measured: Benches) -> str:
    return "without times to submit, which on a software renderer include the work" if measured.is_software else ""


def figure_13(measured: Benches) -> Figure:
    both = (STAGES, PASS)
    panels = [
        Lines(title, {name: image(measured, name, value) for name in both}, MS, required=both)
        for title, value in on_gpu_and_cpu(measured)
    ]
    title = "Radix-2 Cooley–Tukey with a dispatch a stage, and with one for all stages of an axis"
    return Figure("mota-13", f"{SOURCE}, figure 13", title, panels, note_of(measured))


def table_2(measured: Benches) -> Figure:
    """Draw forward and inverse transforms, one after the other."""
    curves: dict[str, Curve] = {}
    for label, name in WRITTEN.items():
        curves[f"{label}, numpy"] = on_cpu(measured, name)
        curves[f"{label}, C"] = on_cpu(measured, f"{name}-c")
        curves[f"{label}, Mota"] = dict(zip((128, 256, 512, 1024, 2048), TABLE_2[label], strict=True))
    published = tuple(f"{label}, Mota" for label in WRITTEN)
    table = Table("Forward and inverse on the CPU, in ms, by size", curves, published)
    return Figure("mota-table-2", f"{SOURCE}, table 2", "The transforms of the text", [table])


def frame(measured: Benches, number: int, size: int, names: tuple[str, ...]) -> Figure:
    panels = [
        Bars(f"{what} at {size}", frame_parts(measured, size, names, value), MS)
        for what, value in on_gpu_and_cpu(measured)
    ]
    title = f"Rows and columns of the ocean's four transforms of {size} × {size}"
    picture = picture_of(measured, size)
    small = f"in a picture of {picture} with few vertices" if picture not in ("", PICTURE) else ""
    note = "; ".join(filter(None, (small, note_of(measured))))
    return Figure(f"mota-{number}", f"{SOURCE}, figure {number}", title, panels, note)


# -- Claims ------------------------------------------------------------------------------------------------------------


def on_cpu(measured: Benches, name: str) -> Curve:
    return measured.curve("median_ms", "cpu", name, part=THERE_AND_BACK)


def sum_grows_exponentially(measured: Benches) -> Finding | None:
    """Check whether the logarithm of the time grows linearly with the number of elements."""
    times = on_cpu(measured, "direct-c")
    if len(times) < 3:
        return None
    noise = claims.worst(measured.noise("cpu", times, THERE_AND_BACK))
    growth = [(log(times[last] / times[first]), last - first) for first, last in pairwise(times)]
    (first, step), (last, stride) = growth[0], growth[-1]
    apart = last / stride - first / step / 2
    hidden = log1p(noise) * (1 / stride + 1 / step / 2)
    why = "there are N² products"
    number = f"as N^{claims.power(times):.2f}"
    rule = claims.ruled("the logarithm grows at least half as fast at the end as at the beginning", [noise])
    return claims.finding_of(number, None if abs(apart) <= hidden else apart > 0, rule, why)


def small_factors_are_faster(measured: Benches) -> Finding | None:
    """Check the rates of long lines: lengths 2^a 3^b 5^c against primes."""
    workloads = "line", "mixed", "prime"
    two, mixed, primes = (claims.beyond(govindaraju.cufft(measured, workload), 1000) for workload in workloads)
    if not primes or not (two or mixed):
        return None
    rates = median([*two.values(), *mixed.values()]), median(primes.values())
    number = f"{' and '.join(map(digits, rates))} GFLOP/s, medians from 1000 on"
    noise = (claims.worst(measured.noise(*one)) for one in zip(workloads, (two, mixed, primes), strict=True))
    return claims.typically(rates[0] / rates[1], number, max(noise))


@claims.in_both_ways
def halfway_to_cufft(measured: Benches, way: str) -> Finding | None:
    names = (RADIX_2, ""), (RADIX_4, ""), ("cufft", "graph")
    two, four, theirs = (image(measured, name, options=options, direction=way) for name, options in names)
    share = {
        n: (two[n] - four[n]) / (two[n] - theirs[n]) for n in two if n in four and n in theirs and two[n] > theirs[n]
    }
    if not share:
        return None
    noise, over = measured.noise("image", share), claims.over
    measured.forget(share)
    most = {n: two[n] - (two[n] - theirs[n]) / 4 for n in share}
    found = {n: claims.all_of(over(most[n], four[n], noise[n]), over(four[n], theirs[n], noise[n])) for n in share}
    return claims.at_sizes(found, claims.listed(share, "{:.0%}"), "", claims.ruled("about 50%", noise.values()))


def radix_4_is_larger(measured: Benches) -> Finding | str | None:
    def larger(field: str) -> Curve:
        shares = ratio(image(measured, RADIX_4, field), image(measured, RADIX_2, field))
        return {n: share - 1 for n, share in shares.items()}

    return about_in_spirv(larger, 0.7, "{:+.0%}")


def about_in_spirv(sizes: Callable[[str], Curve], claimed: float, form: str) -> Finding | str | None:
    """Return the finding on sizes of kernels by glslang, or the driver's sizes where glslang is missing."""
    driver, found = sizes("program_bytes"), sizes("spirv_bytes")
    if driver and not found:
        return f"{GLSLANG} {claims.listed(driver, form)}"
    return claims.about(found, claimed, claims.listed(found, form), OTHER_CODE, form.format)


def butterflies_never_help(measured: Benches) -> Finding | None:
    alone = image(measured, RADIX_2)
    gains = [ratio(alone, image(measured, RADIX_2, options=f"butterflies={n}")) for n in (2, 4, 8)]
    best = {size: gain for size in alone if (gain := max(one.get(size, 0.0) for one in gains))}
    measured.forget(best)
    number = f"the best of 2, 4 and 8 is {claims.listed(best)} as fast as one"
    return claims.none(best, number, measured.noise("image", best))


def built_in_reversal_is_smaller(measured: Benches) -> Finding | str | None:
    def saved(field: str) -> Curve:
        """Return the bytes that the built-in reversal of bits saves over a loop, in each of two kernels."""
        loop = image(measured, "digit-reversal", field, "radix=2 reversal=loop")
        built_in = image(measured, "digit-reversal", field, "radix=2")
        return {n: (loop[n] - built_in[n]) / 2 for n in loop if n in built_in}

    return about_in_spirv(saved, 400, "{:.0f} bytes")


@claims.in_both_ways
def cooley_tukey_pulls_ahead(measured: Benches, way: str) -> Finding | None:
    names = ("cuda-cooley-tukey", "stream"), (PASS, "")
    gains = ratio(*(image(measured, name, options=options, direction=way) for name, options in names))
    number, noise = f"{claims.listed(gains)} as fast in GLSL", measured.noise("image", gains)
    apart = {n: max(gain, 1 / gain) for n, gain in gains.items() if n < 1024}
    alike = claims.none(apart, number, noise, bound=SIMILAR)
    ahead = claims.each(claims.beyond(gains, 1024), number, noise)
    if alike is None or ahead is None:
        return None
    holds = claims.all_of(alike.holds, ahead.holds)
    why = "; ".join(one.why for one in (alike, ahead) if one.holds is holds and one.why)
    similar = alike.rule.replace("below", "within").replace(" ×", " × either way", 1)
    return Finding(number, holds, why, f"below 1024 {similar}; from 1024 on {ahead.rule}")


def less_to_submit(measured: Benches, size: int) -> Finding | str | None:
    if measured.is_software:
        return "a software renderer runs a dispatch when it is submitted"
    return less_on_the_gpu(measured, size, RADIX_2, submit_ms, "it saves less than half", 2)


def less_on_the_gpu(
    measured: Benches, size: int, name: str, value: Value = "median_ms", why: str = "", bound: float = 1
) -> Finding | None:
    """Check the sum of rows and columns of another backend against that of a dispatch for each stage."""
    parts = frame_parts(measured, size, (STAGES, name), value)
    stages, whole = (sum(parts[one].values()) for one in (STAGES, name))
    if not stages or not whole:
        return None
    number = f"{digits(stages)} ms and {digits(whole)} ms, {stages / whole:.2f} × as fast"
    return claims.each({size: stages / whole}, number, measured.noise("frame", [size], value=value), why, bound)


def frame_rate(measured: Benches, name: str, size: int, claimed: float) -> Finding | str | None:
    picture = picture_of(measured, size)
    if picture not in ("", PICTURE):
        return f"frames of {picture} with few vertices, not of {PICTURE}"
    row, stages = (measured.by("size", "frame", one, part="frame", size=size).get(size) for one in (name, STAGES))
    if row is None or stages is None or row.gain is None or not stages.median_ms:
        return None
    parts = frame_parts(measured, size, (STAGES, name), "median_ms")
    transform, other = (sum(parts[one].values()) for one in (STAGES, name))
    number = f"{row.gain:+.0%}, {row.frames_per_second:.0f} frames/s"
    quicker = f"{transform / other:.2f} × as fast here" if other else "not measured separately"
    why = f"the transform, {transform / stages.median_ms:.0%} of a frame with a dispatch a stage, is {quicker}"
    noise = measured.noise("frame", [size])[size]
    return claims.up_to(row.gain, claimed, number, noise, why, "{:+.0%}".format, base=1)
