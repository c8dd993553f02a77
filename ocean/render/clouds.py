"""The field of clouds on the GPU: its noise, the threshold for a coverage, its drift and its transmittance.

`ocean/light/clouds.py` is the numpy twin; `shaders/sky/clouds.glsl` draws the clouds.
"""

from functools import cached_property

import moderngl
import numpy as np

from ocean.gpu.bindings import Image, Sampler
from ocean.gpu.context import labelled, release_all
from ocean.gpu.shaders import shader_library
from ocean.light.clouds import Deck, cloud_field, deck
from ocean.light.spectrum import Array

Vector = tuple[float, float]
GROUP = 8
NOISE, BILLOWS = 512, 64  # texels along a side of the 2D and the 3D texture, of equal totals
NOWHERE = 2.0  # a threshold above all values of the field
OVERCAST = 0.2  # distance of the threshold below all values, at which clouds are thick everywhere


class CloudField:
    """Noise of the clouds, computed at its first use, and its drift with the wind."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self._plane = labelled("cloud noise", ctx.texture((NOISE, NOISE), 4, dtype="f4"))
        self._billows = labelled("cloud billows", ctx.texture3d((BILLOWS,) * 3, 1))
        self.textures = self._plane, self._billows
        self._velocity: Vector | None = None  # m/s, east and south
        self._carried: Vector = (0.0, 0.0)  # m: wind run of earlier velocities minus the present one's
        self._known_deck: tuple[object, Deck] = None, Deck()

    @cached_property
    def noise(self) -> Array:
        """The periodic 2D noise (rows, columns, 4), which covers the unit square."""
        self._plane.bind_to_image(Image.SKY, read=False, write=True)
        self._billows.bind_to_image(Image.CLOUDS, read=False, write=True)
        shader_library(self.ctx).compute("sky/cloud_noise.comp").run(NOISE // GROUP, NOISE // GROUP, 1)
        self.ctx.memory_barrier()
        # NVIDIA's driver (580) crashes when it builds mip levels of a 3D texture that is still bound as an image.
        self._plane.bind_to_image(Image.CLOUDS)
        for texture in self.textures:
            texture.build_mipmaps()
            texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return np.frombuffer(self._plane.read(), "f4").reshape(NOISE, NOISE, 4)

    @cached_property
    def _values(self) -> Array:
        """Sorted samples of the field."""
        return np.sort(cloud_field(self.noise, np.random.default_rng(0).uniform(0, 1e7, (40_000, 2)))[0])

    def threshold(self, coverage: float) -> float:
        """Return the value that the field exceeds over this share of the sky."""
        if coverage == 0:
            return NOWHERE
        if coverage == 1:
            return float(self._values[0]) - OVERCAST
        return float(self._values[round((1 - coverage) * (len(self._values) - 1))])

    def deck(self, coverage: float, veil: float, up: float) -> Deck:
        """Return the transmittance of clouds of this coverage and a veil of this greatest optical depth, for a sun at
        an elevation with the sine `up`."""
        wanted = coverage, veil, up
        if self._known_deck[0] != wanted:
            clear = coverage == veil == 0
            self._known_deck = wanted, Deck() if clear else deck(self.noise, self.threshold(coverage), up, veil)
        return self._known_deck[1]

    def wind_run(self, velocity: Vector, time: float) -> Vector:
        """Return the distance [m] that the wind has blown at a time [s]. It stays continuous if the velocity
        changes."""
        (x, z), (east, south) = self._carried, velocity
        if self._velocity is not None and velocity != self._velocity:
            x, z = x + (self._velocity[0] - east) * time, z + (self._velocity[1] - south) * time
        self._velocity, self._carried = velocity, (x, z)
        return east * time + x, south * time + z

    def bind(self) -> None:
        self._plane.use(Sampler.CLOUDS)
        self._billows.use(Sampler.BILLOWS)

    def release(self) -> None:
        release_all(*self.textures)
