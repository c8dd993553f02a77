"""Where the transform leaves the sea: the maps, half-float copies of their derivatives, and the mip levels of both.

What draws and what feeds the foam filter the copies where there are some, half the bytes a look. Slopes are tenths,
which halves hold to a thousandth of themselves; displacements are metres of which millimetres show, and stay whole.
"""

from collections.abc import Iterator
from contextlib import contextmanager

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


class Maps:
    """The maps of so many cascades, `size` texels a side: an RGBA32F array, in which a transform works."""

    def __init__(self, ctx: moderngl.Context, size: int, cascades: int) -> None:
        self.ctx = ctx
        self.layers = FieldLayers(ctx, size, PAIR * cascades)
        self.layers.front.filter = FILTER
        self._copies: moderngl.TextureArray | None = None

    @contextmanager
    def copies_for(self, chosen: FFTSettings) -> Iterator[Callback | None]:
        """While a plan is made for it, where the transform's last stores have to go, if not just to the maps: to copies
        too, an RGBA16F array with a layer a cascade, where settings ask for them and the backend's kernels can. A plan
        that is refused leaves those from before."""
        wanted = chosen.half_derivatives and fft.takes_callbacks(chosen.backend, self.layers, chosen.options)
        copies = self._make_copies() if wanted else None
        try:
            yield self._callback(copies) if copies else None
        except BaseException:
            release_all(copies)
            raise
        release_all(self._copies)
        self._copies = copies

    def _make_copies(self) -> moderngl.TextureArray:
        width, height, layers = self.layers.front.size
        copies = labelled("half derivatives", self.ctx.texture_array((width, height, layers // PAIR), 4, dtype="f2"))
        copies.filter = FILTER
        return copies

    def _callback(self, copies: moderngl.TextureArray) -> Callback:
        return Callback(
            "spectrum/store.glsl",
            self.layers.bytes + self.layers.bytes // (2 * PAIR),
            lambda: copies.bind_to_image(Image.DERIVATIVES, read=False, write=True),
        )

    @property
    def derivatives(self) -> moderngl.TextureArray:
        """What (hx, hz, dxx, dzz) are filtered from."""
        return self._copies or self.layers.front

    @property
    def derivative_layers(self) -> int:
        """Layers of a cascade there, of which the last are derivatives."""
        return 1 if self._copies else PAIR

    def mip_passes(self) -> tuple[Pass, ...]:
        """The mip levels of all that is filtered."""
        if self._copies is None:
            return (mip_pass(self.ctx, self.layers.front),)
        displacements = mip_pass(self.ctx, self.layers.front, every=PAIR)
        return displacements, mip_pass(self.ctx, self._copies, "half mip levels")

    def fields(self) -> dict[str, NDArray[np.float32]]:
        """The eight fields, each (cascade, size, size), whole. Waits for the GPU."""
        width, height, _ = self.layers.front.size
        texels = np.frombuffer(self.layers.front.read(), "f4").reshape(-1, PAIR, height, width, 4)
        flat = np.moveaxis(texels, -1, 2).reshape(-1, len(FIELDS), height, width)  # cascade, field, z, x
        return {name: np.ascontiguousarray(flat[:, i]) for i, name in enumerate(FIELDS)}

    def release(self) -> None:
        self.layers.release()
        release_all(self._copies)
