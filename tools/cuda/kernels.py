"""Peers of authors, as CUDA kernels: the frame of an ocean with cuFFT, and the dissertation's transforms on surfaces.

The kernels are in `spectrum.cu` and `surface_transforms.cu`.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ocean.bench.cases import Case
from ocean.bench.peers import Contestant, Cuda, Library, cufft_plan
from ocean.fft.comparison import Comparison
from ocean.fft.contract import AxisTransform
from ocean.fft.measure import Candidate, Measurement
from ocean.fft.stages import stage_flops
from ocean.fft.storage import pack, unpack
from ocean.waves import fields as wave_fields
from ocean.waves.amplitudes import wave_vectors
from ocean.waves.statistics import mirrored
from ocean.waves.tiles import Tile

SOURCES = Path(__file__).parent
SIDE, DEPTH = 250.0, 200.0  # side and depth [m] of the sea whose spectrum the pipeline evolves
KERNELS = {"cooley_tukey": 2, "stockham_radix2": 2, "stockham_radix4": 4}
"""Elements of a line in each thread, by name of the kernel."""

MOST_THREADS = 1024


def obstacle(kernel: str, size: int) -> str | None:
    """Return the reason why a kernel can't run a size, or None."""
    if size < 16 or size & (size - 1):
        return f"needs a power of two from 16 up, not {size}"
    threads = size // KERNELS[kernel]
    return f"needs {threads} threads a block at {size}; CUDA has {MOST_THREADS}" if threads > MOST_THREADS else None


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
        evolved = (wave_fields.evolve(*one, ticks) for one in zip(h0, steps, strict=True))
        packed = np.concatenate([wave_fields.pack(one, kx, kz, DEPTH, "finite-depth") for one in evolved])
        return np.asarray(np.fft.ifft2(packed, norm="forward"))

    spectrum = sum(one.nbytes for one in device) + fields.nbytes
    result = Measurement("pipeline", error_limit=2e-6, bytes=int(spectrum + 2 * (fields.nbytes + maps.nbytes)))
    candidate = Candidate(result, cuda.in_graph, lambda: None, run, read, expected)
    yield Contestant(result, candidate, {"options": "graph", "storage": "complex64"})


def dissertation(cuda: Cuda, case: Case, comparison: Comparison) -> Iterator[Contestant]:
    """Return candidates of Mota's kernels on surfaces, queued on a stream."""
    if case.dimensions != 2 or case.lines:
        return
    packed = comparison.storage.packed
    for kernel in KERNELS:
        result = Measurement(f"cuda-{kernel.replace('_', '-')}", obstacle(kernel, case.size))
        result.error_limit = AxisTransform.error_limit(case.size, AxisTransform.Options())
        candidate = None if result.obstacle else _surface_candidate(cuda, case, comparison, kernel, result)
        values = {"options": "stream", "storage": f"surface, {packed} an element"}
        yield Contestant(result, candidate, values | (surface_counts(case, kernel) if candidate else {}))


def surface_counts(case: Case, kernel: str) -> dict[str, Any]:
    """Return counts of a kernel on surfaces: operations and barriers of both axes, and both surfaces. Each stage ends
    with a barrier, except the last stage of radix 2."""
    log2_size, radix = case.size.bit_length() - 1, 4 if KERNELS[kernel] == 4 else 2
    whole, closing = divmod(log2_size, 2) if radix == 4 else (log2_size, 0)
    flops = whole * stage_flops(case.size, radix) + closing * stage_flops(case.size, 2, 0)
    storage = 2 * 8 * case.batch * case.size**2 / (1 << 20)
    return {"real_flops": 2 * case.size * case.batch * flops, "barriers": 2 * whole, "storage_mib": storage}


def _surface_candidate(cuda: Cuda, case: Case, comparison: Comparison, kernel: str, result: Measurement) -> Candidate:
    """Return a candidate that is unitary and in place, like the OpenGL backends."""
    storage = comparison.storage
    packed: Any = storage.packed
    with cuda.stream:
        made = SurfaceTransform(cuda.cupy, kernel, case.size, storage.layers, packed, case.inverse, 1 / case.size)
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


class SurfaceTransform:
    """Transform along both axes of square fields, in place in the first of two surfaces."""

    def __init__(
        self, cupy: Any, kernel: str, size: int, layers: int, packed: Literal[1, 2], inverse: bool, scale: float
    ) -> None:
        self.size, self.layers, self.packed = size, layers, packed
        log2_size = size.bit_length() - 1
        self.stages = (log2_size + 1) // 2 if KERNELS[kernel] == 4 else log2_size
        self._cupy = cupy
        defines = (f"-DLOG2_N={log2_size}", f"-DPACKED={packed}")
        source = (SOURCES / "surface_transforms.cu").read_text(encoding="utf-8")
        self._kernel = cupy.RawModule(code=source, options=defines).get_function(kernel)
        self._arrays = [self._make_array() for _ in range(2)]
        surfaces = [self._make_surface(array) for array in self._arrays]
        turned = surfaces[::-1] if self.stages % 2 else surfaces  # after an odd number of stages
        direction = np.float32(1 if inverse else -1)
        self._launches = [
            (*surfaces, np.int32(0), direction, np.float32(1)),
            (*turned, np.int32(1), direction, np.float32(scale)),
        ]
        self._grid, self._block = (size, layers), (size // KERNELS[kernel],)

    def _make_array(self) -> Any:
        texture = self._cupy.cuda.texture
        bits = [32] * (2 * self.packed) + [0] * (4 - 2 * self.packed)
        runtime = self._cupy.cuda.runtime
        channels = texture.ChannelFormatDescriptor(*bits, runtime.cudaChannelFormatKindFloat)
        height = self.size * self.layers
        return texture.CUDAarray(channels, self.size, height, 0, runtime.cudaArraySurfaceLoadStore)

    def _make_surface(self, array: Any) -> Any:
        texture, runtime = self._cupy.cuda.texture, self._cupy.cuda.runtime
        return texture.SurfaceObject(texture.ResourceDescriptor(runtime.cudaResourceTypeArray, cuArr=array))

    def write(self, fields: NDArray[Any]) -> None:
        """Upload fields of shape (packed * layers, size, size)."""
        self.upload(pack(fields, self.packed))

    def run(self) -> None:
        for arguments in self._launches:
            self._kernel(self._grid, self._block, arguments)

    def read(self) -> NDArray[Any]:
        elements = np.empty((self.layers, self.size, self.size, self.packed), np.complex64)
        self.download(elements)
        return unpack(elements)

    def upload(self, elements: NDArray[Any]) -> None:
        """Write elements (layers, size, size, packed) in the order of memory."""
        self._arrays[0].copy_from(elements.view(np.float32).reshape(self.size * self.layers, -1))
        self._cupy.cuda.get_current_stream().synchronize()

    def download(self, elements: NDArray[Any]) -> None:
        """Read elements in the order of memory."""
        self._arrays[0].copy_to(elements.view(np.float32).reshape(self.size * self.layers, -1))
        self._cupy.cuda.get_current_stream().synchronize()

    @property
    def bytes_moved(self) -> int:
        return 2 * 2 * self.stages * self.layers * self.size**2 * self.packed * 8


def cupy_version(cuda: Cuda) -> str:
    return f"CuPy {cuda.cupy.__version__}"


PEERS = {
    "pipeline": Library(pipeline, cupy_version, part="maps"),
    "dissertation": Library(dissertation, cupy_version),
}
"""Peers that `tools.bench` adds to those of `ocean.bench.peers`."""
