"""The dissertation's transforms on CUDA surfaces; the kernels are in `surface_transforms.cu`."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ocean.fft.counts import LineCounts, stage_flops
from ocean.fft.storage import pack, unpack
from tools.cuda.device import SOURCES

KERNELS = {"cooley_tukey": 2, "stockham_radix2": 2, "stockham_radix4": 4}
"""Elements of a line in each thread, by name of the kernel."""

MOST_THREADS = 1024


def obstacle(kernel: str, size: int) -> str | None:
    """Return the reason why a kernel can't run a size, or None."""
    if size < 16 or size & (size - 1):
        return f"needs a power of two from 16 up, not {size}"
    threads = size // KERNELS[kernel]
    return f"needs {threads} threads a block at {size}; CUDA has {MOST_THREADS}" if threads > MOST_THREADS else None


def count_line(kernel: str, size: int) -> LineCounts:
    """Return the counts of a kernel for a line of a power of two. Each stage ends with a barrier, except the last stage
    of radix 2."""
    log2_size, radix = size.bit_length() - 1, 4 if KERNELS[kernel] == 4 else 2
    whole, closing = divmod(log2_size, 2) if radix == 4 else (log2_size, 0)
    return LineCounts(whole * stage_flops(size, radix) + closing * stage_flops(size, 2, 0), whole)


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
        """Allocate layers, stacked vertically."""
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
        """Download the fields."""
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
