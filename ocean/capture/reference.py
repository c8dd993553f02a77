"""The reference workload that a capture times beside every frame: a copy of memory, and a loop of arithmetic.

No setting and no change of the program may touch it. Baselines take times as ratios to it, so a change of it makes
every baseline worthless.
"""

import moderngl
import numpy as np

from ocean.gpu.bindings import Storage
from ocean.gpu.context import release_all
from ocean.gpu.passes import Pass
from ocean.gpu.shaders import shader_library

COPY_BYTES = 32 << 20  # beyond the caches of most machines
GROUPS, GROUP_SIZE = 64, 64
ITERATIONS = 2048


class ReferenceWork:
    """The two passes, copy and arithmetic, and their buffers. They take milliseconds on two cores, and 20 µs or more on
    a large GPU, whose clock resolves a hundredth of 20 µs."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self._source = ctx.buffer(np.random.default_rng(1).bytes(COPY_BYTES))  # zeros might be compressed
        self._target = ctx.buffer(reserve=COPY_BYTES)
        self._sink = ctx.buffer(reserve=4 * GROUPS * GROUP_SIZE)
        self._busy = shader_library(ctx).compute("common/busy.comp")
        self.passes = (
            Pass("reference memory", self._copy, 1, 2 * COPY_BYTES),
            Pass("reference arithmetic", self._compute),
        )

    def _copy(self) -> None:
        self.ctx.copy_buffer(self._target, self._source, COPY_BYTES)

    def _compute(self) -> None:
        self._busy["iterations"] = ITERATIONS
        self._sink.bind_to_storage_buffer(Storage.SINK)
        self._busy.run(GROUPS)

    def release(self) -> None:
        release_all(self._source, self._target, self._sink)
