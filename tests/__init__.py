"""Tests; before they import numpy, threads are counted: the other cores have the other workers."""

import os

if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("LP_NUM_THREADS", "0")  # llvmpipe wakes no thread, which costs more than a small dispatch
    os.environ.setdefault("LP_NATIVE_VECTOR_WIDTH", "128")  # half as many lanes: kernels compile a sixth sooner
