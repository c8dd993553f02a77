"""Tests. With several workers, each limits its libraries to one core before it imports numpy."""

import os

if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("LP_NUM_THREADS", "0")  # llvmpipe wakes no thread, which costs more than a small dispatch
    os.environ.setdefault("LP_NATIVE_VECTOR_WIDTH", "128")  # half as many lanes: kernels compile a sixth sooner
