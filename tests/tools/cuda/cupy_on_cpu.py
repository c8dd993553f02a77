"""The part of CuPy that the bench uses, on the CPU: g++ compiles our kernels, and numpy replaces cuFFT. The bench's use
of CUDA can thus be tested without CUDA; times have no meaning."""

import ctypes
import re
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from numpy import int32  # noqa: F401 -- a name of CuPy's

HERE = Path(__file__).parent
KERNEL = re.compile(r'extern "C" __global__ void (\w+)\((.*?)\) {', re.DOTALL)
TYPES = {
    "int": ctypes.c_int,
    "unsigned": ctypes.c_uint,
    "float": ctypes.c_float,
    "cudaSurfaceObject_t": ctypes.c_uint64,
}
__version__ = "on the CPU"
queue = []  # captured work of graphs; the last graph is open


def do(work):
    """Run now, or at each launch of the graph that is being captured."""
    queue[-1].append(work) if queue else work()


@cache
def library(code, options):
    """Compile a CUDA source, with a launcher for each of its kernels."""
    loads = re.compile(r'asm volatile\(.*?"memory"\);', re.DOTALL)
    code = loads.sub("memcpy(&value, surface_at(from, x, p.y), sizeof value);", code)
    for name, parameters in KERNEL.findall(code):
        names = ", ".join(part.split()[-1] for part in parameters.split(","))
        code += (
            f'\nextern "C" void launch_{name}(const unsigned* grid, unsigned threads, {parameters}) '
            f"{{ launch(grid, threads, [=] {{ {name}({names}); }}); }}\n"
        )
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "kernels.cpp", Path(folder) / "kernels.so"
        source.write_text('#include "cuda_on_cpu.h"\n' + code)
        command = ["g++", "-std=c++20", "-O0", "-shared", "-fPIC", f"-I{HERE}", *options]
        subprocess.run([*command, str(source), "-o", str(target)], check=True, capture_output=True, text=True)
        return ctypes.CDLL(str(target))


def compiled(code, name, options=()):
    """Return a kernel of a CUDA source as a function of grid, block and arguments."""
    function = library(code, options)[f"launch_{name}"]
    parameters = dict(KERNEL.findall(code))[name].split(",")
    types = [ctypes.c_void_p if "*" in one else TYPES[one.split()[0]] for one in parameters]
    function.argtypes = [ctypes.c_void_p, ctypes.c_uint, *types]

    def call(grid, block, arguments):
        grid = np.array([*grid, 1][:2], np.uint32)
        plain = [plainly(argument) for argument in arguments]
        do(lambda: function(grid.ctypes.data, block[0], *plain))

    return call


def plainly(argument):
    if isinstance(argument, SurfaceObject):
        return ctypes.addressof(argument.surface)
    return argument.ctypes.data if isinstance(argument, np.ndarray) else argument.item()


def RawKernel(code, name):
    if name == "busy":
        return lambda grid, block, arguments: do(lambda: None)
    return compiled(code, name)


class RawModule:
    def __init__(self, code, options=()):
        self.code, self.options = code, options

    def get_function(self, name):
        return compiled(self.code, name, self.options)


class ndarray(np.ndarray):
    def set(self, values, stream=None):
        self[...] = values


def asarray(values):
    return np.array(values).view(ndarray)


def empty(shape, dtype):
    return np.empty(shape, dtype).view(ndarray)


zeros, float32, complex64, empty_like = np.zeros, np.float32, np.complex64, np.empty_like


def asnumpy(values, stream=None, out=None):
    if out is None:
        return np.array(values)
    out[...] = values
    return out


def get_default_memory_pool():
    return SimpleNamespace(free_all_blocks=lambda: None)


class Stream:
    ptr = 0

    def __init__(self, non_blocking):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def synchronize(self):
        pass

    def begin_capture(self):
        queue.append([])

    def end_capture(self):
        captured = queue.pop()
        return SimpleNamespace(launch=lambda stream: [work() for work in captured])


class Event:
    def record(self, stream):
        self.at = time.perf_counter()

    def synchronize(self):
        pass


class Surface(ctypes.Structure):
    _fields_ = (("data", ctypes.c_void_p), ("pitch", ctypes.c_int))


class CUDAarray:
    def __init__(self, channels, width, height, depth, flags):
        assert (depth, flags) == (0, 2)
        self.values = np.zeros((height, width * sum(bits > 0 for bits in channels)), np.float32)

    def copy_from(self, values):
        assert values.shape == self.values.shape
        self.values[...] = values

    def copy_to(self, values):
        assert values.shape == self.values.shape
        values[...] = self.values


class SurfaceObject:
    def __init__(self, array):
        self.surface = Surface(array.values.ctypes.data, array.values.strides[0])


class PlanNd:
    def __init__(self, lengths, inembed, istride, idist, onembed, ostride, odist, kind, batch, order, axis, size):
        assert (inembed, onembed, kind, order, size) == (None, None, 0x29, "C", None)
        self.lengths, self.batch = lengths, batch

    def fft(self, source, target, direction):
        assert source.shape == target.shape == (self.batch, *self.lengths)
        axes = tuple(range(1, source.ndim))
        transform = np.fft.fftn if direction == -1 else np.fft.ifftn
        norm = "backward" if direction == -1 else "forward"
        do(lambda: np.copyto(target, transform(source.astype("c16"), axes=axes, norm=norm).astype("c8")))


runtime = SimpleNamespace(
    getDevice=lambda: 0,
    getDeviceProperties=lambda device: {"name": b"llvmpipe"},
    CUDARuntimeError=RuntimeError,
    cudaChannelFormatKindFloat=2,
    cudaArraySurfaceLoadStore=2,
    cudaResourceTypeArray=0,
)
cuda = SimpleNamespace(
    runtime=runtime,
    Stream=Stream,
    Event=Event,
    get_elapsed_time=lambda start, end: (end.at - start.at) * 1e3,
    get_current_stream=lambda: Stream(False),
    cufft=SimpleNamespace(PlanNd=PlanNd, CUFFT_C2C=0x29, CUFFT_FORWARD=-1, CUFFT_INVERSE=1, getVersion=lambda: 12000),
    texture=SimpleNamespace(
        ChannelFormatDescriptor=lambda *bits_and_kind: bits_and_kind[:4],
        CUDAarray=CUDAarray,
        ResourceDescriptor=lambda kind, cuArr: cuArr,
        SurfaceObject=SurfaceObject,
    ),
)
