"""The surface's mesh: squares of still water around the camera, which the GPU chooses by level of detail.

The mesh is a quadtree with continuous levels of detail (Strugar 2009, "Continuous distance-dependent level of detail
for rendering heightmaps"). Its lattice is fixed in the world, so that vertices do not swim. Level l draws a square that
is out of the range of level l - 1 and whose parent is within the range of level l. Towards the end of its level's
range, a vertex moves onto the parent's lattice and arrives at the same bits: no cracks and no popping.
docs/theory/mesh.md derives the ranges.
"""

import math
from collections.abc import Callable
from typing import Any, ClassVar

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Block, Storage
from ocean.gpu.context import labelled, limits, release_all
from ocean.gpu.passes import BUFFERS_WRITTEN, dispatch
from ocean.gpu.shaders import UniformBlock, VertexArrays, block_layout, shader_library
from ocean.light.optics import EARTH_RADIUS
from ocean.settings import ViewSettings

MORPH_BEGINS, MORPH_ENDS = 0.75, 0.98
"""Fractions of a level's range between which its vertices move onto the next level's lattice."""
WIDEST = 0.17
"""Largest width of a square relative to its level's range. Squares of the next level that touch this range must lie
where their vertices have not begun to move: `2 sqrt(2) side <= (2 MORPH_BEGINS - 1) range`."""
MOST_CELLS = 256  # maximum number of cells along a side of a square
MAX_LEVELS = 28
MOST_SQUARES = (4 * (math.ceil(2 / WIDEST) + 1) + 2) ** 2
"""Maximum number of squares in a level's window: `make_levels` makes it at most 4 / WIDEST squares wide plus a
border."""
BLOCK_VERTICES = 81  # vertices of a work group, as in surface/numbers.glsl
DRAWING, IN_VIEW = 12, 24
"""Byte offsets of the indirect dispatch that draws, and of the number of blocks in view, as in
surface/numbers.glsl."""
VERTEX_BYTES = 16
VERTICES_A_PIXEL, NARROW = 18, 50.0
"""Vertices that are kept for a pixel, with edges of 1 pixel and a field of view of NARROW [°] or more: 1.2 times what a
storm needs at any height. A narrower view looks along more of the sea and needs more in proportion."""
FEWEST_VERTICES = 1 << 18  # of small pictures, whose blocks have few pixels
MOST_VERTEX_BYTES = 1 << 30
GROUP = 256  # invocations of the work groups that choose squares and cull blocks
MOST_LISTED = 1 << 21  # maximum number of blocks in view that are listed; a picture with more draws all blocks
PIXELS_A_CELL = 80
"""Cells are doubled where the error on the screen stays below edge_pixels / PIXELS_A_CELL, half of the error
that edges of this length have in a wind sea."""
ROUGHEST = 0.023
"""Largest standard deviation of the mesh's error relative to its cells; rougher seas, from wind of about 8 m/s, get
smaller cells. With edges of 8 pixels it is 0.4 pixel at the nearest distance of a level."""

_LAYOUT = block_layout("surface/mesh.glsl", "Mesh", MAX_LEVELS=MAX_LEVELS)
_DRAW = np.dtype([(name, "u4") for name in ("count", "instances", "first", "base_vertex", "base_instance")])


def make_levels(
    position: tuple[float, float],
    altitude: float,
    horizon: float,
    edge: float,
    error: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> NDArray[np.void]:
    """Return the mesh's uniform block for a camera at a position (world x, z) and altitude over crests [m].

    Args:
        horizon: distance to which the surface is drawn [m].
        edge: target angle that a cell's edge subtends [rad].
        error: function from the sides of cells [m] to the standard deviation of the mesh's error [m].
    """
    edge = min(edge, WIDEST)
    near, last = math.log2(altitude * edge), math.ceil(math.log2(horizon * edge))
    asked = np.exp2(np.arange(math.floor(near), last + 1, dtype=np.float64))
    rough = error(asked) / asked
    rough[0] += (near - math.floor(near)) * (rough[1] - rough[0])  # ranges change continuously with altitude
    edge *= min(1.0, ROUGHEST / max(rough.max(), 1e-9))
    edge = max(edge, WIDEST / 4 / MOST_CELLS)
    most = 2 ** min(math.floor(math.log2(WIDEST / edge)), MOST_CELLS.bit_length() - 1)
    reach = 1 / edge  # range of a level, in cells
    finest = math.floor(math.log2(altitude / reach)) + 1
    top = math.ceil(math.log2(math.hypot(horizon, altitude) / (MORPH_BEGINS * reach)))
    count = max(top - finest + 1, 1)
    cell = 2.0 ** (finest + np.arange(count + 1))
    side, reaches = most * cell, reach * cell

    # Cells are doubled as long as waves and the earth's curvature allow, but are never finer than the next level's.
    coarse = side / (most >> np.arange(1, most.bit_length()))[:, None]
    shows = error(coarse) + coarse**2 / (8 * EARTH_RADIUS) > edge / PIXELS_A_CELL * reaches / 2
    cells = most >> np.logical_and.accumulate(~shows).sum(axis=0)
    outer = np.arange(count, -1, -1)  # cells << outer: cells along the side of the widest level
    cells = np.maximum.accumulate((cells << outer)[::-1])[::-1] >> outer

    # A level's window covers all squares that may be drawn, by whole squares of the parent level around the camera.
    around = math.ceil(reach / (2 * most)) + 1
    first = np.floor(np.asarray(position) / (2 * side[:, None])) - around  # in the parent's squares
    block = np.zeros((), _LAYOUT)
    levels = block["levels"][: count + 1]
    levels["corner"] = 2 * side[:, None] * first - np.asarray(position)
    levels["side"], levels["range"] = side, reaches
    levels["cells"], levels["cell"] = cells, side / cells
    levels["log_cell"] = np.log2(levels["cell"])
    levels["ratio"][:-1] = 2 * cells[:-1] // cells[1:]
    levels["shift"][:-1] = first[:-1] - 2 * first[1:]
    block["mesh_altitude"], block["level_count"], block["window"] = altitude, count, 2 * (2 * around + 1)
    return block


def grids() -> tuple[NDArray[np.uint32], NDArray[np.intp]]:
    """Return the index buffer of squares with 1, 2, 4 ... MOST_CELLS cells per side, and the first index of each. Cells
    are cut as by `triangle_corners` in `surface/numbers.glsl`."""
    pieces = []
    for n in 2 ** np.arange(MOST_CELLS.bit_length()):
        a = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
        pieces.append(np.stack([a, a + n + 1, a + n + 2, a, a + n + 2, a + 1], axis=1).ravel())
    return np.concatenate(pieces).astype("u4"), np.cumsum([0, *map(len, pieces)])


class Mesh:
    """Squares of the mesh on the GPU: `choose` squares for a camera, then `render` them, or `cull` and `dispatch`."""

    defines: ClassVar[dict[str, Any]] = {
        "MAX_LEVELS": MAX_LEVELS,
        "MORPH_BEGINS": MORPH_BEGINS,
        "MORPH_ENDS": MORPH_ENDS,
        "MOST_SQUARES": MOST_SQUARES,
        "TESTED_AT_ONCE": GROUP,
    }
    """Defines of `surface/mesh.glsl` and `surface/numbers.glsl`. `surface/vertex.glsl` needs those of the foam, too."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        triangles, self._firsts = grids()
        self._triangles = labelled("mesh triangles", ctx.buffer(triangles.tobytes()))
        self._squares = labelled("mesh squares", ctx.buffer(reserve=16 * MAX_LEVELS * MOST_SQUARES))
        self._block = UniformBlock(ctx, "mesh levels", Block.MESH, _LAYOUT)
        self._draws = labelled("mesh draws", ctx.buffer(reserve=MAX_LEVELS * _DRAW.itemsize))
        self._blocks = labelled("mesh blocks", ctx.buffer(reserve=4 * (9 + MAX_LEVELS + 3 * MOST_LISTED)))
        self._blocks.clear(size=36)  # no level is culled yet
        self._displaced = labelled("mesh vertices", ctx.buffer(reserve=VERTEX_BYTES))
        self._choose = shader_library(ctx).compute("surface/choose.comp", GROUP=GROUP, **self.defines)
        self.arrays = VertexArrays(ctx, [(self._squares, "4i/i", "square")], self._triangles)
        self._most_vertex_bytes = min(MOST_VERTEX_BYTES, limits(ctx).storage_bytes)
        self._chosen: NDArray[np.void] | None = None  # the block of the present draws
        self._count = 0
        self._is_culled = False

    def keep_vertices(self, pixels: int, view: ViewSettings) -> None:
        """Reserve memory for the displaced vertices of a picture of `pixels` pixels. The memory is bounded: vertices
        beyond it are recomputed, without rollers."""
        wanted = VERTICES_A_PIXEL * max(NARROW / view.field_of_view, 1.0) * pixels / view.edge_pixels**2
        size = min(VERTEX_BYTES * int(wanted + FEWEST_VERTICES), self._most_vertex_bytes)
        if not size <= self._displaced.size <= 4 * size:
            self._displaced.release()
            reserve = min(size + size // 8, self._most_vertex_bytes)  # a zoom grows it in few steps
            self._displaced = labelled("mesh vertices", self.ctx.buffer(reserve=reserve))

    def count_kept(self) -> tuple[int, int]:
        """Return how many vertices the last raster wanted to keep, and how many fit, waiting for the GPU."""
        in_view = int(np.frombuffer(self._blocks.read(4, offset=IN_VIEW), "u4")[0])
        return BLOCK_VERTICES * in_view, self._displaced.size // VERTEX_BYTES

    def choose(self, block: NDArray[np.void]) -> None:
        """Choose the squares to draw for a block of `make_levels`; the view block must be bound."""
        if block is not self._chosen:
            self._chosen = block
            self._count = int(block["level_count"])
            cells = block["levels"]["cells"][: self._count].astype(np.int64)
            draws = np.zeros(self._count, _DRAW)
            draws["count"] = 6 * cells * cells
            draws["first"] = self._firsts[np.log2(cells).astype(int)]
            draws["base_instance"] = MOST_SQUARES * np.arange(self._count)
            self._draws.write(draws.tobytes())  # without instances, which the GPU counts
            self._block.write(block.tobytes())
        self._is_culled = False
        self.bind()
        self._draws.bind_to_storage_buffer(Storage.DRAWS)
        dispatch(self._choose, self._count, barrier=BUFFERS_WRITTEN)

    def count_triangles(self) -> int:
        """Return the number of triangles in the chosen squares, waiting for the GPU."""
        draws = np.frombuffer(self._draws.read(), _DRAW)[: self._count]
        return int((draws["count"].astype(np.int64) * draws["instances"]).sum() // 3)

    def vertex_bytes(self) -> int:
        """Return the bytes of the vertices that the last compute raster kept, waiting for the GPU."""
        return VERTEX_BYTES * min(self.count_kept())

    def bind(self) -> None:
        """Bind all inputs of `surface/numbers.glsl`."""
        self._block.bind()
        self._squares.bind_to_storage_buffer(Storage.SQUARES)
        self._blocks.bind_to_storage_buffer(Storage.BLOCKS)
        self._displaced.bind_to_storage_buffer(Storage.VERTICES)

    def cull(self) -> None:
        """List the visible blocks of the chosen squares, once after each choice; the mesh, the view block, cascades and
        maps must be bound."""
        if self._is_culled:
            return
        self._is_culled = True
        shader_library(self.ctx).compute("surface/cull.comp", **self.defines).run_indirect(self._blocks)
        self.ctx.memory_barrier(BUFFERS_WRITTEN)

    def dispatch(self, program: moderngl.ComputeShader) -> None:
        """Run a program with one work group per block in view; the mesh must be bound."""
        program.run_indirect(self._blocks, DRAWING)

    def render(self, program: moderngl.Program) -> None:
        self._block.bind()
        self.arrays.of(program).render_indirect(self._draws, mode=moderngl.TRIANGLES, count=self._count)

    def release(self) -> None:
        release_all(self.arrays, self._squares, self._triangles, self._block, self._draws, self._blocks)
        release_all(self._displaced)
