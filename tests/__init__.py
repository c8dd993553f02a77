"""Tests; before they import numpy, threads are counted: the other cores have the other workers."""

import os

if "PYTEST_XDIST_WORKER" in os.environ:
    for _name in ("LP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(_name, "1")
