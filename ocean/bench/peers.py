"""Other libraries on the same GPU, measured in the same rounds as the backends: cuFFT and VkFFT.

`PEERS` is the plug-in point: a program that adds a `Library` to it, such as `tools/bench.py` of a checkout, measures
that library too. CuPy and pyvkfft (the extra `cuda`) are imported at their first use. Where one is missing, the report
says so, and the bench goes on.
"""

import ctypes
import importlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from math import prod, sqrt
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ocean.bench.cases import Case
from ocean.bench.rows import Peer
from ocean.fft.comparison import Comparison
from ocean.fft.contract import AxisTransform
from ocean.fft.measure import Candidate, Measurement
from ocean.gpu.timing import BATCH_MS, BUSY_GROUPS, HEAD_START, LEAST_BUSY, LOOK, MOST_BUSY, MOST_HEAD_START, enough

TUNING = {"backend": "cupy", "coalescedMemory": (32, 64, 128), "aimThreads": (64, 128, 256)}
"""Choices that pyvkfft tries to tune a plan: its own choices for CUDA, with several numbers of threads."""
BUSY = """
extern "C" __global__ void busy(float* sink, int iterations) {
    float x = threadIdx.x / 64.0f;
    for (int i = 0; i < iterations; ++i) x = x * 0.999f - 0.001f * x * x + 1e-7f;
    sink[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
"""


class CudaError(Exception):
    """Error of a missing library or device; the message is one clause with the reason."""


class StreamTimer:
    """Timer of work that is queued on a stream, between two events."""

    clock: Literal["gpu"] = "gpu"

    def __init__(self, cupy: Any, stream: Any) -> None:
        self.cupy, self.stream = cupy, stream
        self._before, self._start, self._end = (cupy.cuda.Event() for _ in range(3))
        self._busy = cupy.RawKernel(BUSY, "busy")
        self._sink = cupy.zeros(64 * BUSY_GROUPS, cupy.float32)
        self._submit_ms: dict[Callable[[], object], float] = {}
        self._iterations_per_ms = 0.0

    def time(self, run: Callable[[], object], repeats: int = 1) -> tuple[float, float]:
        """Return the time of one of `repeats` runs in a row [ms], and the time to submit it, as `Stopwatch.time`."""
        submit = self.prepare(run, repeats)
        self.stream.synchronize()
        with self.stream:
            self._before.record(self.stream)
            wanted_ms = min(HEAD_START * repeats * self._submit_ms.get(run, 0.0), MOST_HEAD_START)
            iterations = min(max(LEAST_BUSY, int(wanted_ms * self._iterations_per_ms)), MOST_BUSY)
            self._work(iterations)
            self._start.record(self.stream)
            start = time.perf_counter()
            submit()
            submitted = time.perf_counter()
            self._end.record(self.stream)
        self._end.synchronize()
        busy_ms = self.cupy.cuda.get_elapsed_time(self._before, self._start)
        self._iterations_per_ms = iterations / max(busy_ms, 1e-3)
        self._submit_ms[run] = (submitted - start) * 1e3 / repeats
        return self.cupy.cuda.get_elapsed_time(self._start, self._end) / repeats, self._submit_ms[run]

    def rate(self) -> float:
        """Return iterations of fixed work in a millisecond, which follow the GPU's clock rate."""
        with self.stream:
            self._before.record(self.stream)
            self._work(LOOK)
            self._start.record(self.stream)
        self._start.synchronize()
        return LOOK / float(self.cupy.cuda.get_elapsed_time(self._before, self._start))

    def enough(self, run: Callable[[], object]) -> int:
        """Return the number of runs in a row that take long enough to be timed, and warm up the GPU."""
        return enough(lambda repeats: repeats * self.time(run, repeats)[0], BATCH_MS[self.clock])

    def prepare(self, run: Callable[[], object], repeats: int) -> Callable[[], object]:
        """Return a function that queues `repeats` runs."""
        return lambda: [run() for _ in range(repeats)]

    def forget(self) -> None:
        self._submit_ms.clear()

    def _work(self, iterations: int) -> None:
        self._busy((BUSY_GROUPS,), (64,), (self._sink, self.cupy.int32(iterations)))


class GraphTimer(StreamTimer):
    """Timer that records all runs of a measurement in one CUDA graph, which launches them without the CPU. Runs follow
    each other at once, the best case for a library. The time to submit is that of a graph of one run."""

    def __init__(self, cupy: Any, stream: Any) -> None:
        super().__init__(cupy, stream)
        self._graphs: dict[tuple[Callable[[], object], int], Any] = {}

    def time(self, run: Callable[[], object], repeats: int = 1) -> tuple[float, float]:
        took_ms, _ = super().time(run, repeats)
        launch = self.prepare(run, 1)
        self.stream.synchronize()
        start = time.perf_counter()
        launch()
        return took_ms, (time.perf_counter() - start) * 1e3

    def prepare(self, run: Callable[[], object], repeats: int) -> Callable[[], object]:
        if (run, repeats) not in self._graphs:
            with self.stream:
                self.stream.begin_capture()
                try:
                    for _ in range(repeats):
                        run()
                finally:
                    graph = self.stream.end_capture()
            graph.launch(self.stream)
            self._graphs[run, repeats] = graph
        return partial(self._graphs[run, repeats].launch, self.stream)

    def forget(self) -> None:
        super().forget()
        self._graphs.clear()


class Cuda:
    """The device on which OpenGL renders, found by its name, with its stream and clocks."""

    def __init__(self, renderer: str) -> None:
        """Raise CudaError when CuPy or a device is missing, or it is another device."""
        try:
            self.cupy = importlib.import_module("cupy")
        except ImportError:
            raise CudaError("CuPy is missing; `python -m pip install cupy-cuda13x` installs it") from None
        runtime = self.cupy.cuda.runtime
        try:
            name = runtime.getDeviceProperties(runtime.getDevice())["name"]
        except runtime.CUDARuntimeError as error:
            raise CudaError(f"CuPy finds no device: {error}") from None
        device = name.decode() if isinstance(name, bytes) else str(name)
        if device.lower() not in renderer.lower():
            raise CudaError(f"CUDA would run on {device}, OpenGL on {renderer}")
        self.stream = self.cupy.cuda.Stream(non_blocking=True)
        self.on_stream = StreamTimer(self.cupy, self.stream)
        self.in_graph = GraphTimer(self.cupy, self.stream)

    def forget(self) -> None:
        self.on_stream.forget()
        self.in_graph.forget()
        self.cupy.get_default_memory_pool().free_all_blocks()

    @cached_property
    def vkfft(self) -> Any:
        """The CUDA part of pyvkfft, after its libraries."""
        with suppress(ImportError, OSError, RuntimeError):  # pyvkfft may find them itself, or it names missing ones
            find = importlib.import_module("cuda.pathfinder").load_nvidia_dynamic_lib
            for path in ("libcuda.so.1", find("nvrtc").abs_path):
                ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        try:
            return importlib.import_module("pyvkfft.cuda")
        except (ImportError, OSError) as error:
            raise CudaError(f"pyvkfft can't be used: {error}") from None


@dataclass
class Contestant:
    """A peer's candidate, with the values of its row other than times."""

    result: Measurement
    candidate: Candidate | None  # None if there is an obstacle
    values: dict[str, Any]  # options, storage, plan and counts


class Arrays:
    """Input of a case on the device, and memory for its result, so that transforms keep the input."""

    def __init__(self, cuda: Cuda, case: Case, comparison: Comparison) -> None:
        self._cuda, self._comparison, self._lengths = cuda, comparison, case.lengths
        self.batch = comparison.input.size // prod(case.lengths)
        with cuda.stream:
            self.source = cuda.cupy.asarray(comparison.input.reshape(self.batch, *case.lengths))
            self.target = cuda.cupy.empty_like(self.source)
        self._room = np.empty(self.source.shape, np.complex64)
        cuda.stream.synchronize()

    def contestant(self, timer: StreamTimer, name: str, run: Any, passes: int, **values: str) -> Contestant:
        """Return a contestant that runs from source to target on the stream, in `passes` passes over memory. The result
        begins with invalid values, so that an unwritten one is wrong."""
        cuda, comparison = self._cuda, self._comparison
        limit = AxisTransform.error_limit(max(self._lengths), AxisTransform.Options())
        result = Measurement(name, error_limit=limit)
        result.bytes = passes * int(self.source.nbytes + self.target.nbytes)

        def on_stream() -> None:
            with cuda.stream:
                run()

        def whole() -> None:
            with cuda.stream:
                self.source.set(comparison.input.reshape(self.source.shape), stream=cuda.stream)
                run()
            self._download()

        with cuda.stream:
            self.target.fill(np.nan)
        candidate = Candidate(result, timer, lambda: None, on_stream, self.read, lambda: comparison.expected, whole)
        return Contestant(result, candidate, {"storage": "complex64", **values})

    def read(self) -> NDArray[Any]:
        """Return the result, scaled as the backends scale theirs; libraries return sums."""
        self._download()
        scaled: NDArray[Any] = self._room.reshape(self._comparison.input.shape) / np.float32(sqrt(prod(self._lengths)))
        return scaled

    def _download(self) -> None:
        with self._cuda.stream:
            self._cuda.cupy.asnumpy(self.target, stream=self._cuda.stream, out=self._room)
        self._cuda.stream.synchronize()


def cufft_plan(cuda: Cuda, lengths: tuple[int, ...], batch: int) -> Any:
    library, elements = cuda.cupy.cuda.cufft, prod(lengths)
    last = len(lengths) - 1
    with cuda.stream:
        return library.PlanNd(lengths, None, 1, elements, None, 1, elements, library.CUFFT_C2C, batch, "C", last, None)


def cufft(cuda: Cuda, case: Case, comparison: Comparison) -> Iterator[Contestant]:
    arrays = Arrays(cuda, case, comparison)
    library = cuda.cupy.cuda.cufft
    plan = cufft_plan(cuda, case.lengths, arrays.batch)
    direction = library.CUFFT_INVERSE if case.inverse else library.CUFFT_FORWARD
    run = partial(plan.fft, arrays.source, arrays.target, direction)
    for options, timer in (("stream", cuda.on_stream), ("graph", cuda.in_graph)):
        yield arrays.contestant(timer, "cufft", run, case.dimensions, options=options)  # at least one pass an axis


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
        plan = " ".join(f"{name}={value}" for name, value in sorted(chosen.items()))
        yield arrays.contestant(cuda.in_graph, "vkfft", run, sum(made.nb_axis_upload), options=options, plan=plan)


class Library(NamedTuple):
    """A peer: the function that yields its contestants in a case, and the one that returns its version."""

    contestants: Callable[[Cuda, Case, Comparison], Iterator[Contestant]]
    version: Callable[[Cuda], str]
    part: str = "transform"  # part of the workload that it computes


PEERS = {
    "cufft": Library(cufft, lambda cuda: str(cuda.cupy.cuda.cufft.getVersion())),
    "vkfft": Library(vkfft, lambda cuda: str(cuda.vkfft.vkfft_version())),
}
"""Peers by their names in `--peers`."""


class Peers:
    """The requested peers, on the GPU that OpenGL renders on."""

    def __init__(self, names: Sequence[str], renderer: str) -> None:
        self._names, self._renderer = names, renderer

    @cached_property
    def _cuda(self) -> Cuda:
        return Cuda(self._renderer)

    @cached_property
    def records(self) -> list[Peer]:
        found = []
        for name in self._names:
            version, obstacle = None, None
            try:
                version = PEERS[name].version(self._cuda)
            except Exception as error:  # CudaError, and each library raises its own exceptions
                obstacle = str(error)
            found.append(Peer(name=name, version=version, obstacle=obstacle))
        return found

    def contestants(self, case: Case, comparison: Comparison) -> list[Contestant]:
        """Return the contestants of the installed peers. Each is tried once: it is right, or it does not run."""
        found: list[Contestant] = []
        for peer in self.records:
            if peer.obstacle is None:
                library = PEERS[peer.name]
                part = {"part": library.part}
                try:
                    for one in library.contestants(self._cuda, case, comparison):
                        one.values |= part
                        found.append(one)
                except Exception as error:  # each library raises its own exceptions
                    found.append(Contestant(Measurement(peer.name, reason(error)), None, part))
        for one in found:
            try_once(one)
        return found

    def forget(self) -> None:
        if "_cuda" in vars(self):  # a peer was asked for, and there is a device
            self._cuda.forget()


def try_once(contestant: Contestant) -> None:
    """Run a contestant, and drop its candidate if it can't run or is wrong."""
    candidate, result = contestant.candidate, contestant.result
    if candidate is not None:
        try:
            candidate.check()
            candidate.timer.time(candidate.run)
        except Exception as error:  # each library raises its own exceptions
            result.obstacle = reason(error)
        else:
            if not result.is_right:
                result.obstacle = f"its result is wrong: relative error {result.relative_l2:.1e}"
    if result.obstacle is not None:
        contestant.candidate = None


def reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]
