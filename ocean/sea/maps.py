"""Amplitudes and maps of a sea on the GPU: the uniform block of the cascades, the waves and their evolution in time,
and the storage of the maps, of half-float copies, and of the mip levels of both.

Shading and foam filter the copies where they exist: a fetch reads half the bytes. The 11 bits of a half are enough for
slopes. They are too coarse for the displacements of the mesh, where millimetres are visible.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean import fft
from ocean.fft.storage import Callback, FieldLayers
from ocean.gpu.bindings import Block, Image, Sampler, Storage
from ocean.gpu.context import drain, labelled, limits, release_all
from ocean.gpu.mips import mip_pass
from ocean.gpu.passes import Pass, dispatch
from ocean.gpu.shaders import Define, UniformBlock, block_layout, shader_library
from ocean.sea.blend import MAX_CASCADES, Blend, Cascade, CascadeKey
from ocean.settings import FFTSettings
from ocean.waves import FIELDS
from ocean.waves.dispersion import Array, clock_ticks
from ocean.waves.tiles import Tile, lattice

LAYOUT = block_layout("common/cascades.glsl", "Cascades", MAX_CASCADES=MAX_CASCADES)
GROUP = 8  # invocations along a side of a work group
PAIR = 2  # layers of a cascade: (h, dxz, dx, dz), (hx, hz, dxx, dzz)
FILTER = moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR
Bits = moderngl.Context
AMPLITUDES_WRITTEN = Bits.SHADER_IMAGE_ACCESS_BARRIER_BIT | Bits.SHADER_STORAGE_BARRIER_BIT


class CascadeBlock(UniformBlock):
    """The uniform block of the living tiles: the position of the origin and the time on each; see
    `common/cascades.glsl`. Each reader of the maps with an origin of its own has a block of its own."""

    def __init__(self, ctx: moderngl.Context) -> None:
        super().__init__(ctx, "cascades", Block.CASCADES, LAYOUT)
        self._keys: Sequence[CascadeKey] = ()
        self._data = np.zeros(1, LAYOUT)
        self._living = self._data["cascades"][0, :0]  # view of the living cascades' part of the data
        self.places = np.zeros((0, 4, 2))  # `_place_matrix` of each cascade
        self._sea: tuple[object, ...] = ()  # inputs of the data, except the time

    def update(self, keys: Sequence[CascadeKey], time: float, origin: tuple[float, float], blend: Blend) -> None:
        """Write the block for the living cascades of a blend, with their keys, at a time [s], and bind it.
        Positions are relative to `origin`, a world (x, z) [m]."""
        if keys is not self._keys:
            self._begin(keys)
        living, lifts = self._living, blend.lifts
        sea = origin, lifts, blend.choppiness, blend.progress
        if sea != self._sea:
            self._sea = sea
            places = self.places @ np.array(origin)
            whole = np.floor(places)
            part = places - whole
            living["offset"], living["lattice_offset"] = part[:, :2], part[:, 2:]
            living["lattice_point"] = whole[:, 2:]
            living["lift"] = lifts
            self._data["choppiness"], self._data["blend"] = blend.choppiness, blend.progress
        living["ticks"] = [clock_ticks(time, key.period) for key in keys]
        self.write(self._data.tobytes())
        self.bind()

    def _begin(self, keys: Sequence[CascadeKey]) -> None:
        """Write the values that change only with the living cascades."""
        self._keys, self._sea = keys, ()
        self._data = np.zeros(1, LAYOUT)
        self._living = self._data["cascades"][0, : len(keys)]
        self.places = np.array([_place_matrix(key.tile) for key in keys])
        for entry, key in zip(self._living, keys, strict=True):
            entry["rotation"] = np.cos(key.tile.rotation), np.sin(key.tile.rotation)
            entry["side"] = key.tile.side
            entry["copies"] = 3 if key.tile.blended else 1
            entry["turn"] = 2 * np.pi / key.period
            entry["depth"] = key.finite_depth
        self._living["blurred"] = np.maximum.accumulate([key.tile.blurred for key in reversed(keys)])[::-1]
        self._data["cascade_count"], self._data["size"] = len(keys), keys[0].size


def _place_matrix(tile: Tile) -> Array:
    """Return the matrix (4, 2) from a world position (x, z) [m] to coordinates on a tile, in sides, and on the lattice
    of its copies."""
    columns = [(*np.divide(tile.to_tile(*axis), tile.side), *lattice(tile, *axis)) for axis in ((1.0, 0.0), (0.0, 1.0))]
    return np.transpose(columns)


class SpectrumTextures:
    """The waves of the living cascades on the GPU: draw, loop steps, and the variance at the start and the end of a
    blend.

    `write_amplitudes` turns them into h0(k) for the blend in the cascades' uniform block. Every frame reads amplitudes
    and loop steps: they lie in buffers, or in images if they exceed the GPU's largest storage buffer.
    """

    def __init__(self, ctx: moderngl.Context, cascades: Sequence[Cascade]) -> None:
        self.ctx = ctx
        self.keys = tuple(cascade.key for cascade in cascades)
        self.size = self.keys[0].size
        self.groups = -(-self.size // GROUP)  # work groups along a side
        self.texels = self.size**2 * len(self.keys)
        self.bytes_read = self.texels * (8 + 4)
        self.draw = self._texture("draw", 2, "f4", [cascade.draw for cascade in cascades])
        self.variance_from, self.variance_to = (self._texture(f"variance {end}", 1, "f4") for end in ("from", "to"))
        steps = [cascade.steps for cascade in cascades]
        self.amplitudes: moderngl.Buffer | moderngl.TextureArray
        self.steps: moderngl.Buffer | moderngl.TextureArray
        if 8 * self.texels <= limits(ctx).storage_bytes:
            self.amplitudes = labelled("amplitudes", ctx.buffer(reserve=8 * self.texels))
            self.steps = labelled("loop steps", ctx.buffer(reserve=4 * self.texels))
            for i, layer in enumerate(steps):
                self.steps.write(np.ascontiguousarray(layer), offset=i * layer.nbytes)
        else:
            self.amplitudes = self._texture("amplitudes", 2, "f4")
            self.steps = self._texture("loop steps", 1, "u4", steps)
        self.defines: dict[str, Define] = {"AMPLITUDE_IMAGES": int(isinstance(self.amplitudes, moderngl.TextureArray))}
        self._program = shader_library(ctx).compute("spectrum/amplitudes.comp", **self.defines)

    def _texture(
        self, label: str, components: int, dtype: str, layers: Sequence[NDArray[Any]] = ()
    ) -> moderngl.TextureArray:
        shape = self.size, self.size, len(self.keys)
        texture = labelled(label, self.ctx.texture_array(shape, components, dtype=dtype))
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._write(texture, layers)
        return texture

    def _write(self, texture: moderngl.TextureArray, layers: Sequence[NDArray[Any]]) -> None:
        """Upload layer by layer, without copies, which would stall a frame at large sizes."""
        for i, layer in enumerate(layers):
            texture.write(np.ascontiguousarray(layer), viewport=(0, 0, i, self.size, self.size, 1))

    def set_variances(self, blend: Blend) -> None:
        """Upload Psi dk² of each cascade at the start and the end of the blend."""
        self._write(self.variance_from, blend.start)
        self._write(self.variance_to, blend.target)

    def write_amplitudes(self) -> None:
        """Compute h0 from the draw and the blended variance."""
        self.draw.use(Sampler.DRAW)
        self.variance_from.use(Sampler.VARIANCE_FROM)
        self.variance_to.use(Sampler.VARIANCE_TO)
        self.bind()
        dispatch(self._program, self.groups, self.groups, len(self.keys), AMPLITUDES_WRITTEN)

    def bind(self) -> None:
        if isinstance(self.amplitudes, moderngl.TextureArray) and isinstance(self.steps, moderngl.TextureArray):
            self.amplitudes.bind_to_image(Image.AMPLITUDES, read=True, write=True)
            self.steps.use(Sampler.STEPS)
        elif isinstance(self.amplitudes, moderngl.Buffer) and isinstance(self.steps, moderngl.Buffer):
            self.amplitudes.bind_to_storage_buffer(Storage.AMPLITUDES)
            self.steps.bind_to_storage_buffer(Storage.STEPS)

    def evolve_into(self, front: moderngl.TextureArray, what: Literal["evolve", "rates"] = "evolve") -> None:
        """Write the spectrum at the time of the bound cascade block, or its rates, packed for the transform."""
        self.bind()
        front.bind_to_image(Image.FRONT, read=False, write=True)
        program = shader_library(self.ctx).compute(f"spectrum/{what}.comp", **self.defines)
        written = Bits.SHADER_IMAGE_ACCESS_BARRIER_BIT | Bits.TEXTURE_UPDATE_BARRIER_BIT
        dispatch(program, self.groups, self.groups, len(self.keys), written)

    def release(self) -> None:
        release_all(self.draw, self.steps, self.variance_from, self.variance_to, self.amplitudes)


class MapStorage:
    """The maps of `cascades` cascades, `size` texels per side: an RGBA32F array, in which the transform works, and
    half-float copies if `copies` is set."""

    def __init__(self, ctx: moderngl.Context, size: int, cascades: int) -> None:
        self.ctx, self.size, self.cascades = ctx, size, cascades
        self.storage = FieldLayers(ctx, size, PAIR * cascades)
        self.maps.filter = FILTER
        self.copies: moderngl.TextureArray | None = None

    @property
    def maps(self) -> moderngl.TextureArray:
        """The output of the transform, two layers per cascade."""
        return self.storage.front

    @property
    def filtered(self) -> moderngl.TextureArray:
        """The copies, or the maps if there are none."""
        return self.copies or self.maps

    def new_copies(self, chosen: FFTSettings) -> moderngl.TextureArray | None:
        """Return an RGBA16F array for copies of the maps, if the settings ask for them and the backend's kernels can
        store them."""
        if not chosen.half_derivatives or not fft.takes_callbacks(chosen.backend, self.storage, chosen.options):
            return None
        copies = labelled("half maps", self.ctx.texture_array(self.maps.size, 4, dtype="f2"))
        copies.filter = FILTER
        return copies

    def target(self, copies: moderngl.TextureArray | None) -> Callback | None:
        """Return the target of the transform's last stores: maps and copies, or None for the maps alone."""
        if copies is None:
            return None
        bind = partial(copies.bind_to_image, Image.HALF_MAPS, read=False, write=True)
        return Callback("spectrum/store.glsl", self.storage.bytes + self.storage.bytes // 2, bind)

    def mip_passes(self) -> tuple[Pass, ...]:
        if self.copies is None:
            return (mip_pass(self.ctx, self.maps),)
        displacements = mip_pass(self.ctx, self.maps, every=PAIR)
        return displacements, mip_pass(self.ctx, self.copies, "half mip levels")

    def fields(self) -> dict[str, NDArray[np.float32]]:
        """Return the eight fields in float32, each (cascade, size, size). Waits for the GPU."""
        drain(self.maps.ctx)
        texels = np.frombuffer(self.maps.read(), "f4").reshape(-1, PAIR, self.size, self.size, 4)
        flat = np.moveaxis(texels, -1, 2).reshape(-1, len(FIELDS), self.size, self.size)  # cascade, field, z, x
        return {name: np.ascontiguousarray(flat[:, i]) for i, name in enumerate(FIELDS)}

    def release(self) -> None:
        release_all(self.storage, self.copies)
