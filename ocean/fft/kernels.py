"""Base classes of the GLSL backends: roots of unity, dispatches of any size, and one dispatch per axis.

Every axis begins in the front half of the storage. An axis that ends in the back half swaps the two. A line kernel
transforms one line of one layer with one work group.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any, ClassVar, Literal, TypeVar

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.common.parameters import Parameters
from ocean.fft.contract import AxisTransform, Fusion
from ocean.fft.options import LONGEST_TABLE, KernelOptions
from ocean.fft.storage import ROWS, FieldStorage
from ocean.gpu.bindings import Block, Sampler, Storage
from ocean.gpu.context import Limits, Releasable, labelled, limits, release_all
from ocean.gpu.shaders import Define, set_uniforms, shader_library

K = TypeVar("K", bound=KernelOptions)
Owned = TypeVar("Owned", bound=Releasable)


def roots_of_unity(size: int) -> NDArray[np.complex128]:
    """Return e^{2 pi i k / size} for k < size."""
    return np.asarray(np.exp(2j * np.pi * (np.arange(size) / size)))


TableKind = Literal["storage", "uniform", "texture"]
TABLE_KINDS: tuple[TableKind, ...] = ("storage", "uniform", "texture")  # TABLE_ROOTS 1, 2, 3; 0 is none


class KernelTransform(AxisTransform[K]):
    """A transform made of GLSL kernels, with the roots of unity that its options ask for."""

    Options: ClassVar[type[Parameters]] = KernelOptions
    in_place: bool = False
    table_kind: TableKind = "storage"

    def __init__(self, fields: FieldStorage[Any], axis: int, options: K, scale: float) -> None:
        super().__init__(fields, axis, options, scale)
        self.log2_size = self.size.bit_length() - 1
        self._most_groups = limits(self.ctx).groups
        short = options.twiddles == "auto" and self.root_count <= LONGEST_TABLE
        self.table = short or options.twiddles == "table" or fields.double  # computed roots have single precision
        self.native = options.twiddles == "native" and not self.table
        self._owned: list[Releasable] = []
        self._roots: moderngl.Buffer | moderngl.Texture | None = None
        if self.table:
            count, data = self.root_count, roots_of_unity(self.root_count).astype(fields.dtype).tobytes()
            if self.table_kind == "texture":
                texture = self.own(labelled("roots of unity", self.ctx.texture((count, 1), 2, data, dtype="f4")))
                texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
                self._roots = texture
            else:
                self._roots = self.own(labelled("roots of unity", self.ctx.buffer(data)))

    def own(self, resource: Owned) -> Owned:
        """Return a resource that is released with the transform."""
        self._owned.append(resource)
        return resource

    @property
    def root_count(self) -> int:
        return self.size

    def compile(self, shader: str, **defines: Define) -> moderngl.ComputeShader:
        common: dict[str, Define] = {
            **self.fields.defines(),
            "AXIS": self.axis,
            "SIZE": self.size,
            "LOG2_SIZE": self.log2_size,
            "TABLE_ROOTS": 1 + TABLE_KINDS.index(self.table_kind) if self.table else 0,
            "NATIVE_ROOTS": int(self.native),
            "ROOTS": self.root_count,
            "SCALED": int(self.scale != 1),
        }
        return self.take(shader, **{**common, **defines})

    def take(self, shader: str, **defines: Define) -> moderngl.ComputeShader:
        """Return a kernel with exactly these defines."""
        self.kernels.append(shader_library(self.ctx).kernel(shader, **defines))
        return self.kernels[-1]

    @property
    def own_bytes(self) -> int:
        return self.root_count * self.fields.dtype.itemsize if self._roots is not None else 0

    def bind(self) -> None:
        self.fields.bind(self.in_place)
        if isinstance(self._roots, moderngl.Texture):
            self._roots.use(Sampler.ROOTS)
        elif self._roots is not None and self.table_kind == "uniform":
            self._roots.bind_to_uniform_block(Block.ROOTS)
        elif self._roots is not None:
            self._roots.bind_to_storage_buffer(Storage.ROOTS)

    def set(self, kernel: moderngl.ComputeShader, inverse: bool, **uniforms: float) -> None:
        extent = self.fields.width, self.fields.height
        values = {"direction": 1.0 if inverse else -1.0, "scale": self.scale, "extent": extent, **uniforms}
        set_uniforms(kernel, values)

    def dispatch(self, kernel: moderngl.ComputeShader, x: int, y: int = 1) -> None:
        """Run x by y groups for each layer, in several dispatches if need be, and make their writes visible."""
        layers = self.fields.layers // self.fields.group_layers
        groups = (layers, y, x) if self.fields.layers_first else (x, y, layers)
        if max(groups) <= self._most_groups:
            kernel.run(*groups)
        else:
            for corner, part in parts(groups, self._most_groups):
                kernel["first_group"] = corner
                kernel.run(*part)
            kernel["first_group"] = 0, 0, 0
        self.fields.barrier()

    def release(self) -> None:
        release_all(*self._owned)
        self._owned.clear()


Groups = tuple[int, int, int]


def parts(groups: Groups, most: int) -> Iterator[tuple[Groups, Groups]]:
    """Split a grid of groups into boxes of at most `most` along each side; yield the first group and extent of each."""
    for corner in product(*(range(0, count, most) for count in groups)):
        x, y, z = (min(most, count - first) for count, first in zip(groups, corner, strict=True))
        yield (corner[0], corner[1], corner[2]), (x, y, z)


def group_obstacle(limits: Limits, size: int, threads: int, shared_bytes: int) -> str | None:
    """Return why this GPU allows no work group of this many invocations and bytes of shared memory, or None."""
    if threads < 1:
        return f"{size} is too short for that many butterflies per thread"
    if threads > limits.invocations:
        return f"needs {threads} invocations per group at {size}; this GPU allows {limits.invocations}"
    if shared_bytes > limits.shared_memory:
        kib, there = -(-shared_bytes // 1024), limits.shared_memory // 1024
        return f"needs {kib} KiB of shared memory at {size}; this GPU has {there}"
    return None


class LineTransform(KernelTransform[K]):
    """A transform with one dispatch, specialised by size, in which a work group transforms one line or several."""

    shader: ClassVar[str]
    SHARED_BYTES: ClassVar[int] = 0  # shared memory per element of the line
    PER_THREAD: ClassVar[int] = 2  # elements of the line per invocation
    PING_PONG: ClassVar[bool] = False  # True: stages read one half of the storage and write the other in turn
    LAYERED: ClassVar[bool] = False  # True: a work group can transform several layers in turn

    def __init__(self, fields: FieldStorage[Any], axis: int, options: K, scale: float) -> None:
        super().__init__(fields, axis, options, scale)
        defines: dict[str, Define] = {
            "STAGES": self.stage_count(self.size),
            "THREADS": self.threads(self.size, options),
            "WRITES_FRONT": int(not self.swaps),
        }
        self._kernel = self.compile(self.shader, **{**defines, **self.extra_defines()})

    @classmethod
    def stage_count(cls, size: int) -> int:
        return size.bit_length() - 1

    @classmethod
    def threads(cls, size: int, options: K) -> int:
        """Return the number of invocations of a work group; 0 if the options leave no work for one."""
        return size // cls.PER_THREAD

    @property
    def swaps(self) -> bool:
        """True if the result ends in the back half."""
        return self.PING_PONG and self.stage_count(self.size) % 2 == 1

    @classmethod
    def shared_bytes(cls, size: int, options: K) -> int:
        return cls.SHARED_BYTES * size

    @property
    def group_lines(self) -> int:
        return 1

    def extra_defines(self) -> dict[str, Define]:
        """Return defines in addition to the line kernels'; they replace defines of equal name."""
        return {}

    @classmethod
    def fusion(cls, fields: FieldStorage[Any], options: K) -> Fusion | None:
        return Fusion(cls, options, sharing="held" if cls.LAYERED else "apart")

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: K) -> str | None:
        return super().obstacle(limits, size, options) or cls.group_obstacle(limits, size, options)

    @classmethod
    def group_obstacle(cls, limits: Limits, size: int, options: K) -> str | None:
        return group_obstacle(limits, size, cls.threads(size, options), cls.shared_bytes(size, options))

    def run(self, inverse: bool) -> None:
        self.bind()
        self.set(self._kernel, inverse)
        self.dispatch(self._kernel, -(-self.fields.lines(self.axis) // self.group_lines))
        if self.swaps:
            self.fields.swap()


class PlaneTransform(KernelTransform[K]):
    """A transform with a dispatch for each stage of all lines, in work groups of `plane.glsl`."""

    group: tuple[int, int] = (4, 8)  # invocations along a line x lines

    def plane_defines(self) -> dict[str, Define]:
        return {"ALONG": self.group[0], "ACROSS": self.group[1]}

    def compile(self, shader: str, **defines: Define) -> moderngl.ComputeShader:
        return super().compile(shader, **{**self.plane_defines(), **defines})

    def dispatch_along(
        self, kernel: moderngl.ComputeShader, invocations: int, in_place: bool = False, lines: int | None = None
    ) -> None:
        """Run `invocations` along all lines, or the first `lines`: in place, or from the front half to the back."""
        along, across = self.group
        groups = -(-invocations // along), -(-(lines or self.fields.lines(self.axis)) // across)
        self.bind()
        self.dispatch(kernel, *(groups if self.axis == ROWS else groups[::-1]))
        if not in_place:
            self.fields.swap()
