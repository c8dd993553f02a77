"""Storage of the maps, of half-float copies of them, and of the mip levels of both.

Shading and foam filter the copies where they exist: a fetch reads half the bytes. The 11 bits of a half are enough for
slopes. They are too coarse for the displacements of the mesh, where millimetres are visible.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean import fft
from ocean.fft.storage import Callback, FieldLayers
from ocean.gpu.bindings import Image
from ocean.gpu.context import labelled, release_all
from ocean.gpu.mips import mip_pass
from ocean.gpu.passes import Pass
from ocean.settings import FFTSettings
from ocean.waves.twin import FIELDS

PAIR = 2  # layers of a cascade: (h, dxz, dx, dz), (hx, hz, dxx, dzz)
FILTER = moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR


class MapStorage:
    """The maps of `cascades` cascades, `size` texels per side: an RGBA32F array, in which the transform works."""

    def __init__(self, ctx: moderngl.Context, size: int, cascades: int) -> None:
        self.ctx = ctx
        self.storage = FieldLayers(ctx, size, PAIR * cascades)
        self.maps.filter = FILTER
        self.copies: moderngl.TextureArray | None = None  # half-float copies, if wanted

    @property
    def maps(self) -> moderngl.TextureArray:
        """The output of the transform, two layers per cascade."""
        return self.storage.front

    @contextmanager
    def copies_for(self, chosen: FFTSettings) -> Iterator[Callback | None]:
        """Yield the target of the transform's last stores (None: the maps alone) while the caller makes a plan.

        The target also stores half-float copies, an RGBA16F array, if the settings ask for them and the backend's
        kernels support it. If the caller raises, the copies from before stay.
        """
        wanted = chosen.half_derivatives and fft.takes_callbacks(chosen.backend, self.storage, chosen.options)
        copies = target = None
        if wanted:
            copies = labelled("half maps", self.ctx.texture_array(self.maps.size, 4, dtype="f2"))
            copies.filter = FILTER
            bind = partial(copies.bind_to_image, Image.HALF_MAPS, read=False, write=True)
            target = Callback("spectrum/store.glsl", self.storage.bytes + self.storage.bytes // 2, bind)
        try:
            yield target
        except BaseException:
            release_all(copies)
            raise
        release_all(self.copies)
        self.copies = copies

    @property
    def filtered(self) -> moderngl.TextureArray:
        """Texture array that shading and foam read: the copies, or else the maps."""
        return self.copies or self.maps

    def mip_passes(self) -> tuple[Pass, ...]:
        """Return the passes that compute the mip levels of all filtered textures."""
        if self.copies is None:
            return (mip_pass(self.ctx, self.maps),)
        displacements = mip_pass(self.ctx, self.maps, every=PAIR)
        return displacements, mip_pass(self.ctx, self.copies, "half mip levels")

    def fields(self) -> dict[str, NDArray[np.float32]]:
        """Return the eight fields in float32, each (cascade, size, size). Waits for the GPU."""
        width, height, _ = self.maps.size
        texels = np.frombuffer(self.maps.read(), "f4").reshape(-1, PAIR, height, width, 4)
        flat = np.moveaxis(texels, -1, 2).reshape(-1, len(FIELDS), height, width)  # cascade, field, z, x
        return {name: np.ascontiguousarray(flat[:, i]) for i, name in enumerate(FIELDS)}

    def release(self) -> None:
        release_all(self.storage, self.copies)
