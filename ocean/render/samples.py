"""The number of samples in each pixel of a picture, and their buffers.

The rows of a picture are cut into strips. In a strip, each pixel is divided into cells, and each cell has
`view.samples` samples and its own footprint. Most strips have one cell per pixel; strips of far water have more
(docs/theory/samples.md). `shaders/surface/samples.glsl` is the counterpart on the GPU.
"""

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import ClassVar, NamedTuple

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.common.errors import InputError
from ocean.gpu.bindings import Block, Storage
from ocean.gpu.context import labelled, limits, release_all
from ocean.gpu.passes import BUFFERS_WRITTEN, dispatch
from ocean.gpu.shaders import UniformBlock, block_layout, shader_library
from ocean.light.optics import EARTH_RADIUS
from ocean.render import camera
from ocean.settings import ViewSettings

NEAREST = 300.0  # m: minimum distance of far water
LEAST = 2  # minimum number of cells in a pixel of far water
LONG = 2.0  # minimum ratio of length to width of a cell's footprint, in pixels with more than LEAST cells
FEW = 1000.0  # m: largest distance at which a pixel shows few waves, and has twice as many cells
CREST = 1.25  # highest crest in significant wave heights: five standard deviations
ROWS = 8  # maximum number of rows of cells in a pixel; two columns of cells flicker less while the camera pans
CELLS = {1: (1, 1), 2: (1, 2), 4: (2, 2), 8: (4, 2)}  # columns and rows of samples in a pixel of one cell
TILE = 16  # samples along a side of a tile, as in shaders/surface/samples.glsl
SAMPLE_BYTES, PACKED_BYTES = 8, 48
MAX_STRIPS = 16
CHUNK = 29000  # tiles shaded together, to bound the memory of packed samples
SHADED_AT_ONCE = 32  # invocations of a work group of shade.comp, each with a packed sample
GROUPS_IN_ROW = -(-CHUNK * TILE * TILE // (SHADED_AT_ONCE * 65535))  # OpenGL guarantees 65535 rows in a dispatch
MAX_CHUNKS = 64
NOTHING_YET = np.tile(np.array([GROUPS_IN_ROW, 0, 1, 0], "u4"), 2 * MAX_CHUNKS).tobytes()
FORGETTING = 1024  # work groups that clear the samples
_LAYOUT = block_layout("surface/samples.glsl", "PictureStrips", MAX_STRIPS=MAX_STRIPS)


class Strip(NamedTuple):
    """Rows of a picture from `bottom` to below `top`, and the columns and rows of cells in each of their pixels."""

    bottom: int
    top: int
    columns: int
    rows: int


NO_SEA = Strip(0, 1, 1, 1)  # strip for a picture without sea, whose first frame compiles the programs that draw the sea


def depressions(view: ViewSettings, size: tuple[int, int]) -> list[NDArray[np.float64]]:
    """Return the sines of depression of the rows of a picture, in the middle and at the sides."""
    up, pitch = math.tan(math.radians(view.field_of_view) / 2), math.radians(view.pitch)
    y = up * (2 * np.arange(0.5, size[1]) / size[1] - 1)
    rise = math.sin(pitch) + y * math.cos(pitch)
    return [-rise / np.sqrt(1 + y * y + x * x) for x in (0.0, up * size[0] / size[1])]


def cut_strips(view: ViewSettings, size: tuple[int, int], wave_height: float, objects: bool = False) -> list[Strip]:
    """Return the strips of a picture of this size, the lowest first, for waves of this significant height [m].

    Rows above the highest crest are left out, unless there are objects, which may reach them. In rows that show water
    beyond NEAREST, the number of cells in a pixel is a power of two from LEAST to `view.far_pixels` for which a cell's
    footprint is LONG to 2 LONG times as long as wide. Within FEW metres the number doubles.
    """
    height = size[1]
    if view.dive > 0:
        return [Strip(0, height, 1, 1)]
    eye, (down, beside) = camera.eye_height(view), depressions(view, size)
    nearest = eye / NEAREST + NEAREST / (2 * EARTH_RADIUS)
    # The margin of a pixel keeps rows whose crests stand before the sky.
    pixel = 1 / camera.pixels_at_unit_distance(view, height)
    farthest = min(math.sqrt(2 * eye / EARTH_RADIUS), (eye - wave_height / 2) / NEAREST) - pixel
    few = np.where(down >= eye / FEW, 2.0, 1.0)
    is_far = (beside <= nearest) & (down >= farthest)
    most = view.far_pixels if view.samples > 1 else 1
    wanted = np.minimum(np.maximum(few / (LONG * np.maximum(down, 1e-9)), LEAST), most)
    cells = np.where(is_far, 2 ** np.floor(np.log2(wanted)), 1).astype(int)
    if eye > CREST * wave_height and not objects:
        cells[down < -pixel] = 0
    ends = [0, *(np.flatnonzero(np.diff(cells)) + 1).tolist(), height]
    strips = (Strip(low, high, -(-cells[low] // ROWS), min(int(cells[low]), ROWS)) for low, high in pairwise(ends))
    return [strip for strip in strips if strip.rows]


def cell_shape(samples: int, rows: int) -> tuple[int, int]:
    """Return columns and rows of a cell's samples in pixels with `rows` rows of cells. Pixels with several rows have
    samples side by side, because rows of far water show different waves."""
    return CELLS[samples] if rows == 1 else (samples, 1)


def lay_out(strips: list[Strip], samples: int, size: tuple[int, int]) -> NDArray[np.void]:
    """Return the uniform block of strips, for `samples` samples in a cell and a size of the picture."""
    block = np.zeros((), _LAYOUT)
    tiles = 0
    for i, strip in enumerate(strips):
        columns, rows = cell_shape(samples, strip.rows)
        across = -(-size[0] * columns * strip.columns // TILE)
        up = -(-(strip.top - strip.bottom) * rows * strip.rows // TILE)
        counts = strip.columns * columns, strip.rows * rows
        block["strips"][i] = strip.bottom, strip.top, *counts, tiles, across, (strip.columns, strip.rows)
        tiles += across * up
    block["picture"], block["strip_count"], block["tile_count"] = size, len(strips), tiles
    return block


def lowest_sky(view: ViewSettings, size: tuple[int, int], wave_height: float) -> int:
    """Return the first row of a picture that may show sky, for waves of this significant height [m]. Rays of all
    lower rows meet water, even in the deepest trough."""
    if view.dive > 0:
        return 0
    crest = CREST * wave_height  # the eye is lifted over crests
    dip = math.sqrt(2 * (max(camera.eye_height(view), crest) + 2 * crest) / EARTH_RADIUS)
    _, beside = depressions(view, size)
    return int(np.argmax(np.append(beside <= dip + 2 / camera.pixels_at_unit_distance(view, size[1]), True)))


class Samples:
    """Samples of a picture: their layout, the triangle at each, and the packed visibility samples to shade."""

    defines: ClassVar = {"MAX_STRIPS": MAX_STRIPS, "GROUPS_IN_ROW": GROUPS_IN_ROW, "SHADED_AT_ONCE": SHADED_AT_ONCE}

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self._block = UniformBlock(ctx, "samples", Block.SAMPLES, _LAYOUT)
        tiles = limits(ctx).storage_bytes // (TILE * TILE)  # tiles in one buffer, if a sample takes a byte
        self._chunk = min(CHUNK, tiles // PACKED_BYTES)
        self.most_tiles = min(tiles // SAMPLE_BYTES, MAX_CHUNKS * self._chunk)
        self._laid: tuple[object, ...] = ()
        self._seen: moderngl.Buffer | None = None
        self._packed: moderngl.Buffer | None = None
        self.shading = labelled("shading", ctx.buffer(reserve=len(NOTHING_YET)))
        """The indirect dispatches that shade the two lists of each chunk, and their numbers of packed samples."""
        self.of_cell = 1  # samples in a cell
        self.tiles = 0  # tiles of 16 x 16 samples in the picture
        self.strips: list[Strip] = []
        self.rows = 0  # rows of the picture
        self.top = 0  # first row above all samples; from there on the picture shows only sky
        self.shows_sea = False
        self.lowest_sky = 0  # first row that may show sky

    def prepare(self, view: ViewSettings, size: tuple[int, int], wave_height: float, objects: bool) -> None:
        """Lay out the samples of a picture. If they exceed the GPU's buffers, far water gets fewer, then all pixels do.
        Raises InputError if even one sample per pixel is too much."""
        angles = view.altitude, view.dive, view.pitch, view.field_of_view
        key = *angles, view.far_pixels, view.samples, size, wave_height, objects
        if key == self._laid:
            return
        cells, self.of_cell = int(view.far_pixels), int(view.samples)
        while True:
            chosen = view.model_copy(update={"far_pixels": cells, "samples": self.of_cell})
            self.strips = cut_strips(chosen, size, wave_height, objects)
            block = lay_out(self.strips or [NO_SEA], self.of_cell, size)
            self.tiles = int(block["tile_count"])
            if self.tiles <= self.most_tiles:
                break
            if cells == self.of_cell == 1:
                buffers = f"buffers of {self.most_tiles * TILE * TILE} pixels"
                raise InputError(f"a picture of {size[0]} x {size[1]} is too large for this GPU's {buffers}")
            cells, self.of_cell = (cells // 2, self.of_cell) if cells > 1 else (1, self.of_cell // 2)
        block["last_packed"] = min(self.tiles, self._chunk) * TILE * TILE - 1
        self._block.write(block.tobytes())
        self.rows, self.lowest_sky = size[1], lowest_sky(view, size, wave_height)
        self.top, self.shows_sea = self.strips[-1].top if self.strips else 0, bool(self.strips)
        needed = self.tiles * TILE * TILE * SAMPLE_BYTES
        if self._seen is None or self._seen.size < needed or self._seen.size > 8 * needed:
            release_all(self._seen)
            self._seen = None  # in case the GPU lacks the memory
            self._seen = labelled("samples seen", self.ctx.buffer(reserve=needed + needed // 4))
            self.clear()  # `resolve` leaves it cleared
        self._laid = key

    def reserve_packed(self) -> None:
        """Reserve memory for the visibility samples to shade, and clear their number."""
        needed = min(self.tiles, self._chunk) * TILE * TILE * PACKED_BYTES
        if self._packed is None or self._packed.size < needed:
            release_all(self._packed)
            self._packed = None
            self._packed = labelled("packed samples", self.ctx.buffer(reserve=needed))
        self.shading.write(NOTHING_YET)

    def bind(self) -> None:
        assert self._seen is not None
        self._block.bind()
        self._seen.bind_to_storage_buffer(Storage.SEEN)
        if self._packed is not None:
            self._packed.bind_to_storage_buffer(Storage.PACKED_SAMPLES)
        self.shading.bind_to_storage_buffer(Storage.SHADING)

    def clear(self) -> None:
        """Clear all triangles by a shader. NVIDIA's driver moves a buffer to the CPU's memory once the CPU has written
        it twice, and the raster then takes 16 times as long; its glClearBufferData is slow on a new buffer
        (docs/levels.md)."""
        if self._seen is None:
            return
        self._seen.bind_to_storage_buffer(Storage.SEEN)
        dispatch(shader_library(self.ctx).compute("surface/forget.comp"), FORGETTING, barrier=BUFFERS_WRITTEN)

    def count_shadings(self) -> int:
        """Return the number of shadings of the last picture, waiting for the GPU."""
        return int(np.frombuffer(self.shading.read(), "u4").reshape(-1, 4)[:, 3].sum())

    @property
    def chunks(self) -> Iterator[tuple[int, int]]:
        """Ranges of tiles that are shaded together: the first tile, and the tile after the last."""
        return ((first, min(first + self._chunk, self.tiles)) for first in range(0, self.tiles, self._chunk))

    def release(self) -> None:
        release_all(self._seen, self._packed, self.shading, self._block)
