"""Rao's transform with OpenMP, in C, compiled at its first use by the system's compiler."""

import ctypes
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tools.cpu.transforms import Line, roots

SOURCE = Path(__file__).with_name("loops.c")
FLAGS = ("-O3", "-march=native", "-fcx-limited-range", "-fopenmp", "-shared", "-fPIC")


class NoCompilerError(RuntimeError):
    """The loops can't be compiled; the message says why."""


@cache
def library() -> ctypes.CDLL:
    """Return the compiled loops.

    Raises:
        NoCompilerError: when there is no C compiler with OpenMP.
    """
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        raise NoCompilerError("there is no C compiler: install gcc")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "loops.so"
        done = subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(path)], capture_output=True, text=True)
        if done.returncode:
            raise NoCompilerError(f"{compiler} can't compile OpenMP: {done.stderr.strip().splitlines()[-1]}")
        return ctypes.CDLL(str(path))


class GroupLoops:
    """Transform of a line of a power of two; threads share groups of butterflies, and with `inner` also the butterflies
    of a group if there are few groups."""

    def __init__(self, threads: int, inner: bool = False) -> None:
        self.threads, self.inner = threads, inner
        self._library = library()

    def __call__(self, x: Line, inverse: bool) -> Line:
        double = x.dtype == np.complex128
        run: Any = self._library.transform_double if double else self._library.transform_single
        x = np.ascontiguousarray(x)
        y, w = np.empty_like(x), roots(len(x), inverse, x.dtype)
        pointers = (ctypes.c_void_p(one.ctypes.data) for one in (x, y, w))
        run(*pointers, len(x).bit_length() - 1, self.threads, int(self.inner))
        return y
