"""Candidates of peers for a case: libraries and external kernels, on their shared device."""

from collections.abc import Callable, Iterator
from functools import partial
from math import prod, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.bench.cases import Case
from ocean.bench.peers import Contestant
from ocean.fft.comparison import Comparison
from ocean.fft.contract import AxisTransform
from ocean.fft.measure import Candidate, Measurement
from ocean.waves import twin
from ocean.waves.amplitudes import wave_vectors
from ocean.waves.statistics import mirrored
from ocean.waves.tiles import Tile
from tools.cuda import surfaces
from tools.cuda.device import SOURCES, Cuda, StreamTimer

SIDE, DEPTH = 250.0, 200.0  # depth [m] of the sea whose spectrum the pipeline evolves
TUNING = {"backend": "cupy", "coalescedMemory": (32, 64, 128), "aimThreads": (64, 128, 256)}
"""Choices that pyvkfft tries to tune a plan: its own choices for CUDA, with several numbers of threads."""


class Arrays:
    """Input of a case on the device, and memory for its result, so that transforms keep the input."""

    def __init__(self, cuda: Cuda, case: Case, comparison: Comparison) -> None:
        self.cuda = cuda
        self.host = comparison.input
        self.lengths = case.lengths
        self.batch = self.host.size // prod(self.lengths)
        with cuda.stream:
            self.source = cuda.cupy.asarray(self.host.reshape(self.batch, *self.lengths))
            self.target = cuda.cupy.empty_like(self.source)
        self._room = np.empty(self.source.shape, np.complex64)
        cuda.stream.synchronize()

    def bytes_of(self, passes: int) -> int:
        """Return the bytes that `passes` passes read and write."""
        return passes * int(self.source.nbytes + self.target.nbytes)

    def fill(self) -> None:
        """Fill the result with invalid values, so that an unwritten result is wrong."""
        with self.cuda.stream:
            self.target.fill(np.nan)

    def read(self) -> NDArray[Any]:
        self.download()
        scaled: NDArray[Any] = self._room.reshape(self.host.shape) / np.float32(sqrt(prod(self.lengths)))
        return scaled

    def download(self) -> None:
        """Return the sums; libraries do not scale them."""
        with self.cuda.stream:
            self.cuda.cupy.asnumpy(self.target, stream=self.cuda.stream, out=self._room)
        self.cuda.stream.synchronize()

    def candidate(self, case: Case, comparison: Comparison, timer: StreamTimer, name: str, run: Any) -> Candidate:
        """Return a candidate that runs from source to target on the stream."""

        def on_stream() -> None:
            with self.cuda.stream:
                run()

        def whole() -> None:
            with self.cuda.stream:
                self.source.set(self.host.reshape(self.source.shape), stream=self.cuda.stream)
                run()
            self.download()

        result = Measurement(name, error_limit=AxisTransform.error_limit(max(self.lengths), AxisTransform.Options()))
        return Candidate(result, timer, lambda: None, on_stream, self.read, lambda: comparison.expected, whole)


def cufft_plan(cuda: Cuda, lengths: tuple[int, ...], batch: int) -> Any:
    """Return a plan of cuFFT for contiguous data."""
    library, elements = cuda.cupy.cuda.cufft, prod(lengths)
    last = len(lengths) - 1
    with cuda.stream:
        return library.PlanNd(lengths, None, 1, elements, None, 1, elements, library.CUFFT_C2C, batch, "C", last, None)


def cufft(cuda: Cuda, case: Case, comparison: Comparison) -> Iterator[Contestant]:
    """Return candidates of cuFFT, queued on a stream and in a graph."""
    arrays = Arrays(cuda, case, comparison)
    library = cuda.cupy.cuda.cufft
    plan = cufft_plan(cuda, arrays.lengths, arrays.batch)
    direction = library.CUFFT_INVERSE if case.inverse else library.CUFFT_FORWARD
    run = partial(plan.fft, arrays.source, arrays.target, direction)
    for options, timer in (("stream", cuda.on_stream), ("graph", cuda.in_graph)):
        candidate = arrays.candidate(case, comparison, timer, "cufft", run)
        candidate.result.bytes = arrays.bytes_of(case.dimensions)  # a lower bound
        arrays.fill()
        yield Contestant(candidate.result, candidate, options, "complex64")


def vkfft(cuda: Cuda, case: Case, comparison: Comparison) -> Iterator[Contestant]:
    """Return candidates of VkFFT's CUDA kernels in a graph: with its own plan, and for the ocean also tuned by pyvkfft.
    Tuning compiles and times a plan for each choice, which takes too long for other workloads."""
    arrays = Arrays(cuda, case, comparison)
    shape = arrays.source.shape, np.dtype(np.complex64)
    common = {"ndim": case.dimensions, "inplace": False, "norm": 0, "stream": cuda.stream}
    plans: dict[str, dict[str, Any]] = {"graph": {}}
    if case.workload in ("ocean", "cascades"):
        with cuda.stream:
            best, tried = cuda.vkfft.tune_vkfft(dict(TUNING), *shape, **common)
        if tried:  # pyvkfft prints errors and continues with its defaults
            plans["tuned"] = best
    for options, chosen in plans.items():
        with cuda.stream:
            made = cuda.vkfft.VkFFTApp(*shape, **common, **chosen)
        run = partial(made.ifft if case.inverse else made.fft, arrays.source, arrays.target)
        candidate = arrays.candidate(case, comparison, cuda.in_graph, "vkfft", run)
        candidate.result.bytes = arrays.bytes_of(sum(made.nb_axis_upload))
        arrays.fill()
        plan = " ".join(f"{name}={value}" for name, value in sorted(chosen.items()))
        yield Contestant(candidate.result, candidate, options, "complex64", plan)


def pipeline(cuda: Cuda, case: Case, comparison: Comparison) -> Iterator[Contestant]:
    """Return the candidate for a frame of the ocean with a library: a kernel for the spectrum, then cuFFT, in a graph.
    The output are the maps, in planes, four for each cascade."""
    if case.workload not in ("ocean", "cascades"):
        return
    cupy, size, cascades = cuda.cupy, case.size, case.batch // 4
    rng = np.random.default_rng(case.seed)
    ticks = int(rng.integers(0, 1 << 32))
    h0 = rng.standard_normal((cascades, size, size, 2)).astype(np.float32).view(np.complex64)[..., 0]
    h0[:, 0, 0] = 0
    steps = rng.integers(0, 1 << 32, (cascades, size, size), np.uint32)
    steps = np.stack([np.maximum(one, mirrored(one)) for one in steps])  # w(k) is equal in both directions
    kernel = cupy.RawKernel((SOURCES / "spectrum.cu").read_text(encoding="utf-8"), "spectrum")
    with cuda.stream:
        device = cupy.asarray(h0), cupy.asarray(steps)
        fields, maps = (cupy.empty((case.batch, size, size), cupy.complex64) for _ in range(2))
    plan = cufft_plan(cuda, (size, size), case.batch)
    sea = np.int32(size), np.uint32(ticks), np.float32(SIDE), np.float32(DEPTH)

    def run() -> None:
        with cuda.stream:
            kernel((-(-size * size // 256), cascades), (256,), (*device, fields, *sea))
            plan.fft(fields, maps, cupy.cuda.cufft.CUFFT_INVERSE)

    def read() -> NDArray[Any]:
        with cuda.stream:
            values: NDArray[Any] = cupy.asnumpy(maps, stream=cuda.stream)
        cuda.stream.synchronize()
        return values

    def expected() -> NDArray[Any]:
        kx, kz = wave_vectors(Tile(SIDE, 0.0, 0.0, np.inf), size)
        evolved = (twin.evolve(*one, ticks) for one in zip(h0, steps, strict=True))
        packed = np.concatenate([twin.pack(one, kx, kz, DEPTH, "finite-depth") for one in evolved])
        return np.asarray(np.fft.ifft2(packed, norm="forward"))

    spectrum = sum(one.nbytes for one in device) + fields.nbytes
    result = Measurement("pipeline", error_limit=2e-6, bytes=int(spectrum + 2 * (fields.nbytes + maps.nbytes)))
    yield Contestant(result, Candidate(result, cuda.in_graph, lambda: None, run, read, expected), "graph", "complex64")


def dissertation(cuda: Cuda, case: Case, comparison: Comparison) -> Iterator[Contestant]:
    """Return candidates of Mota's kernels on surfaces, queued on a stream."""
    if case.dimensions != 2 or case.lines:
        return
    packed = comparison.storage.packed
    for kernel in surfaces.KERNELS:
        result = Measurement(f"cuda-{kernel.replace('_', '-')}", surfaces.obstacle(kernel, case.size))
        result.error_limit = AxisTransform.error_limit(case.size, AxisTransform.Options())
        candidate = None if result.obstacle else surface_candidate(cuda, case, comparison, kernel, result)
        yield Contestant(
            result, candidate, "stream", f"surface, {packed} an element", counts=surface_counts(case, kernel)
        )


def surface_counts(case: Case, kernel: str) -> dict[str, Any]:
    """Return counts of a kernel on surfaces: operations and barriers of both axes, and both surfaces."""
    line = surfaces.count_line(kernel, case.size)
    storage = 2 * 8 * case.batch * case.size**2 / (1 << 20)
    flops, barriers = 2 * case.size * case.batch * line.flops, 2 * line.barriers
    return {"real_flops": flops, "barriers": barriers, "storage_mib": storage}


def surface_candidate(cuda: Cuda, case: Case, comparison: Comparison, kernel: str, result: Measurement) -> Candidate:
    """Return a candidate that is unitary and in place, like the OpenGL backends."""
    storage = comparison.storage
    packed: Any = storage.packed
    with cuda.stream:
        made = surfaces.SurfaceTransform(
            cuda.cupy, kernel, case.size, storage.layers, packed, case.inverse, 1 / case.size
        )
    result.dispatches, result.bytes = 2, made.bytes_moved

    def on_stream(do: Callable[[], Any]) -> Any:
        with cuda.stream:
            return do()

    fill = partial(on_stream, lambda: made.write(comparison.input))
    run, read = partial(on_stream, made.run), partial(on_stream, made.read)

    def whole() -> None:
        on_stream(lambda: made.upload(comparison.elements))
        run()
        on_stream(lambda: made.download(comparison.result_elements))

    return Candidate(result, cuda.on_stream, fill, run, read, lambda: comparison.expected, whole)


MAKERS: dict[str, Callable[[Cuda, Case, Comparison], Iterator[Contestant]]] = {
    "cufft": cufft,
    "vkfft": vkfft,
    "pipeline": pipeline,
    "dissertation": dissertation,
}
"""Peers by their names in `--peers`."""
PARTS = {"pipeline": "maps"}
"""Part of the workload that a peer computes, if other than the transform."""
