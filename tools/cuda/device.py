"""The CUDA device through CuPy, and clocks for work on it."""

import ctypes
import importlib
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ocean.gpu.stopwatch import (
    BATCH_MS,
    BUSY_GROUPS,
    HEAD_START,
    LEAST_BUSY,
    LOOK,
    MOST_BUSY,
    MOST_HEAD_START,
    MOST_REPEATS,
)

SOURCES = Path(__file__).parent
BUSY = """
extern "C" __global__ void busy(float* sink, int iterations) {
    float x = threadIdx.x / 64.0f;
    for (int i = 0; i < iterations; ++i) x = x * 0.999f - 0.001f * x * x + 1e-7f;
    sink[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
"""


class CudaError(Exception):
    """Error of a missing library or device; the message is one clause with the reason."""


def load(renderer: str) -> Any:
    """Return CuPy, with the device on which OpenGL renders, found by its name.

    Raises:
        CudaError: when CuPy or a device is missing, or it is another device.
    """
    try:
        cupy = importlib.import_module("cupy")
    except ImportError:
        raise CudaError("CuPy is not installed (python -m pip install '.[cuda]' in the checkout)") from None
    try:
        name = device_name(cupy)
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise CudaError(f"CuPy finds no device: {error}") from None
    if name.lower() not in renderer.lower():
        raise CudaError(f"CUDA would run on {name}, OpenGL on {renderer}")
    return cupy


def device_name(cupy: Any) -> str:
    """Return the driver's name of the device."""
    name = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.runtime.getDevice())["name"]
    return name.decode() if isinstance(name, bytes) else str(name)


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
        """Return the milliseconds of one of `repeats` runs in a row, and the milliseconds to submit it. As in the
        OpenGL stopwatch, no enclosed work waits for anything."""
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

    def _work(self, iterations: int) -> None:
        """Queue fixed work."""
        self._busy((BUSY_GROUPS,), (64,), (self._sink, self.cupy.int32(iterations)))

    def rate(self) -> float:
        """Return iterations of fixed work in a millisecond, which follow the GPU's clock rate."""
        with self.stream:
            self._before.record(self.stream)
            self._work(LOOK)
            self._start.record(self.stream)
        self._start.synchronize()
        return LOOK / float(self.cupy.cuda.get_elapsed_time(self._before, self._start))

    def prepare(self, run: Callable[[], object], repeats: int) -> Callable[[], object]:
        """Return a function that queues `repeats` runs."""

        def submit() -> None:
            for _ in range(repeats):
                run()

        return submit

    def forget(self) -> None:
        """Release the timed graphs."""
        self._submit_ms.clear()

    def enough(self, run: Callable[[], object]) -> int:
        """Return the number of runs in a row that take long enough to be timed, and warm up the GPU."""
        repeats = 1
        while repeats < MOST_REPEATS and self.time(run, repeats)[0] * repeats < BATCH_MS[self.clock]:
            repeats *= 2
        return repeats


class GraphTimer(StreamTimer):
    """Timer that records all runs of a measurement in one CUDA graph, which launches them without the CPU. Runs follow
    each other at once, the best case for a library. The time to submit is that of a graph of one run."""

    def __init__(self, cupy: Any, stream: Any) -> None:
        super().__init__(cupy, stream)
        self._graphs: dict[tuple[Callable[[], object], int], Any] = {}

    def forget(self) -> None:
        super().forget()
        self._graphs.clear()

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
        graph = self._graphs[run, repeats]
        return lambda: graph.launch(self.stream)


class Cuda:
    """Device with its stream and clocks, shared by all cases."""

    def __init__(self, renderer: str) -> None:
        self.cupy = load(renderer)
        self.stream = self.cupy.cuda.Stream(non_blocking=True)
        self.on_stream = StreamTimer(self.cupy, self.stream)
        self.in_graph = GraphTimer(self.cupy, self.stream)

    def forget(self) -> None:
        """Release the candidates and their memory."""
        self.on_stream.forget()
        self.in_graph.forget()
        self.cupy.get_default_memory_pool().free_all_blocks()

    @cached_property
    def vkfft(self) -> Any:
        """Return pyvkfft's CUDA part, after loading its libraries globally."""
        with suppress(ImportError, OSError, RuntimeError):  # pyvkfft may find them itself, or it names missing ones
            find = importlib.import_module("cuda.pathfinder").load_nvidia_dynamic_lib
            for path in ("libcuda.so.1", find("nvrtc").abs_path):
                ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        try:
            return importlib.import_module("pyvkfft.cuda")
        except (ImportError, OSError) as error:
            raise CudaError(f"pyvkfft can't be used: {error}") from None
