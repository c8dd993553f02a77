"""Sizes of kernels as SPIR-V, by the reference compiler `glslang` if it is installed."""

import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from ocean.fft.contract import FFTPlan
from ocean.fft.counts import kernels_of
from ocean.fft.kernels import KernelTransform
from ocean.gpu.shaders import shader_library

COMPILERS = ("glslang", "glslangValidator")
ARGUMENTS = ("-G", "--auto-map-locations", "--auto-map-bindings", "--stdin", "-S", "comp")


def spirv_bytes(plan: FFTPlan) -> int | None:
    """Return the bytes of SPIR-V of all kernels of a plan, each once, or None without a compiler."""
    kernels = {
        kernel.glo: shader_library(one.ctx).text_of(kernel)
        for one in plan.transforms
        if isinstance(one, KernelTransform)
        for kernel in kernels_of(one)
    }
    sizes = [size_of(text) for text in kernels.values()]
    return sum(filter(None, sizes)) if sizes and all(sizes) else None


@cache
def size_of(text: str) -> int | None:
    """Return the bytes of one kernel's SPIR-V; None if nothing compiles it."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "kernel.spv"
        done = subprocess.run([compiler, *ARGUMENTS, "-o", str(out)], input=text, capture_output=True, text=True)
        return out.stat().st_size if done.returncode == 0 else None
