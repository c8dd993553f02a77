"""Mota, "High Performance Fourier Transforms on GPUs" (dissertation, Minho 2022): table 2, figures 13 to 18, 20, 21."""

from collections.abc import Callable, Sequence
from functools import partial

from ocean.bench.rows import Row
from tools.papers.benches import Benches, Curve, Value
from tools.papers.drawing import Bars, Figure, Lines, Table

SOURCE = "Mota 2022"
MS = "time in ms"
PICTURE = "1920x1080"  # frames on a GPU
WRITTEN = {"DFT": "direct", "FFT DIT": "iterative-dit", "FFT DIF": "iterative-dif", "recursive FFT": "recursive"}
TABLE_2 = {
    "DFT": (5.16593, 17.2782, 70.5689, 293.104, 1246.44),
    "FFT DIT": (0.169113, 0.37668, 0.86415, 1.8793, 4.47742),
    "FFT DIF": (0.159458, 0.378722, 0.881921, 1.90661, 4.13369),
    "recursive FFT": (0.210895, 0.485643, 1.4421, 2.32922, 5.1178),
}
"""Published times [ms] for 128 to 2048 elements."""
STAGES, PASS, RADIX_2, RADIX_4 = "cooley-tukey-stages", "cooley-tukey", "stockham-radix2", "stockham-radix4"


def image(measured: Benches, name: str, value: Value = "median_ms", options: str | None = "") -> Curve:
    """Return the values of the forward transform of one complex image."""
    chosen = {} if options is None else {"options": options}
    return measured.curve(value, "image", name, direction="forward", batch=1, **chosen)


def cufft(measured: Benches) -> Curve:
    """Return the values of cuFFT in a graph, so that times are the kernels'."""
    return image(measured, "cufft", options="graph")


def cuda(measured: Benches, name: str) -> Curve:
    """Return the values of the dissertation's CUDA kernel."""
    return image(measured, f"cuda-{name}", options=None)


def submit_ms(row: Row) -> float | None:
    """Return the CPU time of a run."""
    return None if row.submit_us is None else row.submit_us / 1e3


def frame_parts(measured: Benches, size: int, names: Sequence[str], value: Value) -> dict[str, dict[str, float]]:
    """Return rows and columns of a frame's transform: values of each backend by part."""
    found = {}
    for name in names:
        curves = {part: measured.curve(value, "frame", name, part=part) for part in ("rows", "columns")}
        found[name] = {part: curve[size] for part, curve in curves.items() if size in curve}
    return found


def on_gpu_and_cpu(measured: Benches) -> list[tuple[str, Value]]:
    """Return panels of GPU time, and of the time to submit if it differs."""
    submitting: list[tuple[str, Value]] = [("To submit, on the CPU", submit_ms)]
    return [("On the GPU", "median_ms"), *([] if measured.is_software else submitting)]


def note_of(measured: Benches) -> str:
    return "without times to submit, which on a software renderer are those of the work" if measured.is_software else ""


def figure_13(measured: Benches) -> Figure:
    """Draw both kinds of Cooley-Tukey kernels."""
    both = (STAGES, PASS)
    panels = [
        Lines(title, {name: image(measured, name, value) for name in both}, MS, required=both)
        for title, value in on_gpu_and_cpu(measured)
    ]
    title = "Radix-2 Cooley–Tukey with a dispatch a stage, and with one for all stages of an axis"
    return Figure("mota-13", f"{SOURCE}, figure 13", title, panels, note_of(measured))


def figure_16(measured: Benches) -> Figure:
    """Draw kernels by butterflies of one thread."""
    butterflies = {f"{n} butterflies": image(measured, RADIX_2, options=f"butterflies={n}") for n in (2, 4, 8)}
    curves = {"1 butterfly": image(measured, RADIX_2), **butterflies}
    panel = Lines("2D transform, radix-2 Stockham", curves, MS, required=("1 butterfly", "2 butterflies"))
    return Figure("mota-16", f"{SOURCE}, figure 16", "Several butterflies a thread", [panel])


def table_2(measured: Benches) -> Figure:
    """Draw forward and inverse transforms, one after the other."""
    here = {
        f"{label} here": measured.curve("median_ms", "cpu", name, part="there-and-back")
        for label, name in WRITTEN.items()
    }
    published: dict[str, Curve] = {
        f"{label}, Mota": dict(zip((128, 256, 512, 1024, 2048), values, strict=True))
        for label, values in TABLE_2.items()
    }
    both = {name: curve for pair in zip(here.items(), published.items(), strict=True) for name, curve in pair}
    table = Table("Forward and inverse on the CPU, in ms, by size", both, tuple(published))
    return Figure("mota-table-2", f"{SOURCE}, table 2", "The transforms of the text", [table], "here in numpy")


def one(measured: Benches, number: int, title: str, names: tuple[str, ...], required: tuple[str, ...]) -> Figure:
    """Draw backends next to cuFFT."""
    curves = {name: image(measured, name) for name in names} | {"cuFFT": cufft(measured)}
    panel = Lines("2D transform, forward", curves, MS, required=required)
    return Figure(f"mota-{number}", f"{SOURCE}, figure {number}", title, [panel])


def twins(measured: Benches, number: int, names: tuple[str, ...]) -> Figure:
    """Draw equal kernels in GLSL and CUDA."""
    in_cuda = {f"{name} in CUDA": cuda(measured, name) for name in names}
    curves = {f"{name} in GLSL": image(measured, name) for name in names} | in_cuda
    panel = Lines("2D transform, forward", curves, MS, required=tuple(curves), dashed=tuple(in_cuda))
    return Figure(f"mota-{number}", f"{SOURCE}, figure {number}", "The same kernels in GLSL and in CUDA", [panel])


def picture_of(measured: Benches, size: int) -> str:
    """Return the size of the measured frames, such as 1920x1080; empty if there are none."""
    return next((row.options for row in measured.rows("frame", STAGES, part="frame", size=size)), "")


def frame(measured: Benches, number: int, size: int, names: tuple[str, ...]) -> Figure:
    """Draw rows and columns of the ocean's transform in a frame."""
    panels = [
        Bars(f"{what} at {size}", frame_parts(measured, size, names, value), MS)
        for what, value in on_gpu_and_cpu(measured)
    ]
    title = f"Rows and columns of the ocean's four transforms of {size} × {size}"
    picture = picture_of(measured, size)
    small = f"in a picture of {picture} with few vertices" if picture not in ("", PICTURE) else ""
    note = "; ".join(filter(None, (small, note_of(measured))))
    return Figure(f"mota-{number}", f"{SOURCE}, figure {number}", title, panels, note)


FIGURES: tuple[Callable[[Benches], Figure], ...] = (
    table_2,
    figure_13,
    partial(one, number=14, title="Radix 2 in GLSL, and cuFFT", names=(PASS, RADIX_2), required=(RADIX_2, PASS)),
    partial(one, number=15, title="Radix 4 in GLSL, and cuFFT", names=(RADIX_2, RADIX_4), required=(RADIX_4,)),
    figure_16,
    partial(twins, number=17, names=(PASS, RADIX_2)),
    partial(twins, number=18, names=(RADIX_2, RADIX_4)),
    partial(frame, number=20, size=512, names=(STAGES, RADIX_2)),
    partial(frame, number=21, size=1024, names=(STAGES, RADIX_2, RADIX_4)),
)
