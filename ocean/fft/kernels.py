"""What the GLSL backends share: roots of unity, and plans that do one dispatch an axis.

A line kernel transforms one line of one layer with one work group. Kernels that ping-pong between the two images begin
their columns in whichever image their rows ended in; both axes have the same number of stages, so the result is back in
front.
"""

from typing import ClassVar, Literal
from weakref import WeakKeyDictionary

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.fft.contract import FFTPlan, FieldLayers
from ocean.gpu.bindings import Block, Sampler, Storage
from ocean.gpu.context import Limits
from ocean.gpu.shaders import Define, shader_library
from ocean.parameters import Parameters, parameter

ROWS, COLUMNS = 0, 1
PROBE_SIZE = 2048
# The largest transform, 2 x 11 stages at 2048, multiplies each number by some 22 roots, whose independent errors add as
# a square root: at 1e-7 each that is 4.7e-7, half of the relative error of 1e-6 that every backend promises.
ROOT_ERROR = 1e-7


class KernelOptions(Parameters):
    """Options of every GLSL backend."""

    twiddles: Literal["auto", "computed", "table"] = parameter(
        "auto", "Roots of unity: computed by the shader, read from a table, or a table only where sine is too coarse."
    )


def roots_of_unity(size: int) -> NDArray[np.float32]:
    """e^{2 pi i k / size} for k < size, float32 of shape (size, 2)."""
    angles = 2 * np.pi * np.arange(size) / size
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).astype(np.float32)


_measured: WeakKeyDictionary[moderngl.Context, float] = WeakKeyDictionary()


def computed_root_error(ctx: moderngl.Context) -> float:
    """Root mean square error of the roots of unity that this driver's sine and cosine give, measured once a context."""
    if ctx not in _measured:
        probe = shader_library(ctx).compute("fft/probe_roots.comp")
        sink = ctx.buffer(reserve=8 * PROBE_SIZE)
        sink.bind_to_storage_buffer(Storage.SINK)
        probe["n"] = PROBE_SIZE
        probe.run(PROBE_SIZE // 64)
        ctx.memory_barrier(moderngl.Context.BUFFER_UPDATE_BARRIER_BIT)
        computed = np.frombuffer(sink.read(), np.complex64).astype(np.complex128)
        sink.release()
        exact = np.exp(2j * np.pi * np.arange(PROBE_SIZE) / PROBE_SIZE)
        _measured[ctx] = float(np.sqrt(np.mean(np.abs(computed - exact) ** 2)))
    return _measured[ctx]


TableKind = Literal["storage", "uniform", "texture"]
TABLE_KINDS: tuple[TableKind, ...] = ("storage", "uniform", "texture")  # TABLE_ROOTS 1, 2, 3; 0 is none


class RootTable:
    """The roots of unity of one size in GPU memory of one kind."""

    def __init__(self, ctx: moderngl.Context, size: int, kind: TableKind) -> None:
        self.kind = kind
        self.data: moderngl.Buffer | moderngl.Texture
        roots = roots_of_unity(size).tobytes()
        if kind == "texture":
            self.data = ctx.texture((size, 1), 2, roots, dtype="f4")
            self.data.filter = (moderngl.NEAREST, moderngl.NEAREST)
        else:
            self.data = ctx.buffer(roots)
        self.data.label = "roots of unity"

    def bind(self) -> None:
        if isinstance(self.data, moderngl.Texture):
            self.data.use(Sampler.ROOTS)
        elif self.kind == "uniform":
            self.data.bind_to_uniform_block(Block.ROOTS)
        else:
            self.data.bind_to_storage_buffer(Storage.ROOTS)

    def release(self) -> None:
        self.data.release()


class KernelPlan(FFTPlan):
    """A plan made of GLSL kernels, with the roots of unity as its options ask."""

    Options: ClassVar[type[Parameters]] = KernelOptions
    IN_PLACE: ClassVar[bool] = False  # such a kernel needs no second image

    def __init__(self, ctx: moderngl.Context, layers: FieldLayers, options: KernelOptions, scale: float) -> None:
        super().__init__(ctx, layers, options, scale)
        wanted = options.twiddles
        self.table = wanted == "table" or (wanted == "auto" and computed_root_error(ctx) > ROOT_ERROR)
        self.log2_size = layers.size.bit_length() - 1
        self._roots = RootTable(ctx, self.root_count(layers.size), self.table_kind) if self.table else None
        self.table_define = 1 + TABLE_KINDS.index(self.table_kind) if self.table else 0

    @property
    def table_kind(self) -> TableKind:
        """Where a table of roots lies."""
        return "storage"

    @classmethod
    def root_count(cls, size: int) -> int:
        """How many roots of unity the kernels divide the circle by."""
        return size

    def bind(self) -> None:
        """Bind the storage and the table; each axis does, since passes rely on nothing that others bound."""
        self.layers.bind(self.IN_PLACE)
        if self._roots is not None:
            self._roots.bind()

    def release(self) -> None:
        if self._roots is not None:
            self._roots.release()
            self._roots = None


class LinePlan(KernelPlan):
    """One dispatch an axis, one work group a line or several, specialised by size."""

    shader: ClassVar[str]
    SHARED_BYTES: ClassVar[int] = 0  # of shared memory for each element of the line

    def __init__(self, ctx: moderngl.Context, layers: FieldLayers, options: KernelOptions, scale: float) -> None:
        super().__init__(ctx, layers, options, scale)
        stages = self.stages(layers.size)
        odd = bool(stages & 1)
        defines: dict[str, Define] = {
            "SIZE": layers.size,
            "LOG2_SIZE": self.log2_size,
            "STAGES": stages,
            "THREADS": self.threads(layers.size, options),
            "TABLE_ROOTS": self.table_define,
            **self.extra_defines(),
        }
        library = shader_library(ctx)
        swaps = self.swaps(odd)
        self._kernels = (
            library.compute(
                self.shader,
                **defines,
                **self.axis_defines(ROWS),
                AXIS=ROWS,
                READS_FRONT=1,
                WRITES_FRONT=int(not swaps),
                SCALE="1.0",
            ),
            library.compute(
                self.shader,
                **defines,
                **self.axis_defines(COLUMNS),
                AXIS=COLUMNS,
                READS_FRONT=int(not swaps),
                WRITES_FRONT=1,
                SCALE=repr(float(scale)),
            ),
        )

    @classmethod
    def stages(cls, size: int) -> int:
        """Stages of one line."""
        return size.bit_length() - 1

    @classmethod
    def threads(cls, size: int, options: Parameters) -> int:
        """Invocations of a work group; 0 where the options leave no work for one."""
        return size // 2

    def swaps(self, odd_stages: bool) -> bool:
        """Whether an axis leaves its result in the other half: a ping-pong does after an odd number of stages."""
        return odd_stages

    @classmethod
    def shared_bytes(cls, size: int, options: Parameters) -> int:
        """Bytes of shared memory that a work group takes."""
        return cls.SHARED_BYTES * size

    def lines(self, axis: int) -> int:
        """Lines of a work group, a divisor of the size."""
        return 1

    def extra_defines(self) -> dict[str, Define]:
        """Defines beyond those that all line kernels take; they replace defines of the same name."""
        return {}

    def axis_defines(self, axis: int) -> dict[str, Define]:
        """Defines that only rows or only columns take."""
        return {}

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        return super().obstacle(limits, size, options) or cls.group_obstacle(limits, size, options)

    @classmethod
    def group_obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        """Why a work group can't hold a line of this size; None where it can."""
        threads = cls.threads(size, options)
        if threads < 1:
            return f"{size} is too short for that many butterflies a thread"
        if threads > limits.invocations:
            return f"needs {threads} invocations a group at {size}; this GPU allows {limits.invocations}"
        if (needed := cls.shared_bytes(size, options)) > limits.shared_memory:
            kib, there = -(-needed // 1024), limits.shared_memory // 1024
            return f"needs {kib} KiB of shared memory at {size}; this GPU has {there}"
        return None

    def rows(self, inverse: bool) -> None:
        self._run(ROWS, inverse)

    def columns(self, inverse: bool) -> None:
        self._run(COLUMNS, inverse)

    def _run(self, axis: int, inverse: bool) -> None:
        kernel = self._kernels[axis]
        self.bind()
        if "direction" in kernel:
            kernel["direction"] = 1.0 if inverse else -1.0
        kernel.run(self.layers.size // self.lines(axis), 1, self.layers.layers)
        self.ctx.memory_barrier(moderngl.Context.SHADER_IMAGE_ACCESS_BARRIER_BIT)


class PingPongPlan(LinePlan):
    """A line kernel whose stages ping-pong between the two images."""

    @property
    def axis_bytes(self) -> int:
        return 2 * self.layers.bytes * self.stages(self.layers.size)
