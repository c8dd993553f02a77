"""The cloud map: clouds as an anchored camera sees them, kept while the view's camera turns and the wind blows."""

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Image, Sampler
from ocean.gpu.context import clamped, release_all

BLOCK = 8  # texels along a side of the blocks that are marched together, as in sky/cloud_map.glsl
RING = 2  # blocks around the picture that are marched too
SPARE = 8  # texels from the map's edge that reading may need

Matrix = NDArray[np.float64]


class CloudMap:
    """Light and transmittance of the clouds in the picture of an anchored camera, with `margin` texels more on each
    side. For each block of texels, `blocks` holds the eye's position in the clouds, and the exposure, of the frame that
    marched it; 0 for an empty block."""

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int]) -> None:
        self.size = size  # of the picture
        self.margin = margin = (size[1] // (8 * BLOCK) + 2) * BLOCK
        width, height = (-(-side // BLOCK) * BLOCK + 2 * margin for side in size)
        self.light = clamped("clouds", ctx.texture((width, height), 4, dtype="f2"))
        self.blocks = clamped("blocks of clouds", ctx.texture((width // BLOCK, height // BLOCK), 4, dtype="f4"))
        self._to_ray: Matrix = np.eye(4)  # from points of the anchored camera's picture, and back
        self._to_point: Matrix = np.eye(4)
        self._anchor, self._looked = b"", (b"", b"", 0)
        self.key: tuple[object, ...] = ()  # what clouds depend on, except camera and time; empty if there are none
        self.uniforms: dict[str, object] = {}  # of sky/cloud_map.glsl and sky/clouds.comp
        self.shown = 0, 0, 0, 0  # left and bottom block, columns and rows of the blocks that the picture may show
        self.share_held = 0.0  # 1 if the map reaches around the picture, 0.5 if around its middle, and 0 if not

    def turn_to(self, block: NDArray[np.void], key: tuple[object, ...]) -> None:
        """Anchor the map to the camera of a view's uniform block."""
        self.key = key
        if self._anchor != (anchor := block["clip_to_ray"].tobytes()):
            self._anchor, self._to_ray = anchor, self._ray_matrix(block)
            self._to_point = np.asarray(np.linalg.inv(self._to_ray))

    def _ray_matrix(self, block: NDArray[np.void]) -> Matrix:
        """Return the matrix from points of a camera's picture (x, y, 1, 1) [pixels] to rays, for row vectors."""
        to_clip = np.diag([2 / self.size[0], 2 / self.size[1], 1.0, 1.0])
        to_clip[3, :2] = -1
        return np.asarray(to_clip @ block["clip_to_ray"].astype(np.float64))

    def look(self, block: NDArray[np.void], first: int) -> None:
        """Compute `uniforms`, `shown` and `share_held` for the camera of a frame, whose picture may show clouds from
        the row `first` on, if any of this or the anchor has changed."""
        if self._looked == (looked := (self._anchor, block["clip_to_ray"].tobytes(), first)):
            return
        self._looked, to_ray, (width, height) = looked, self._ray_matrix(block), self.size
        across = self._to_ray @ np.linalg.inv(to_ray)
        named = {"point_to_ray": self._to_ray, "ray_to_point": self._to_point, "point_to_picture": across}
        self.uniforms = {name: tuple(matrix.ravel().tolist()) for name, matrix in named.items()}
        self.uniforms |= {"margin": self.margin, "part": (0, first, width, height)}
        corners = [(x, y, 1, 1) for y in (first, height, 0) for x in (0, width)]
        points = np.array([*corners, (width / 2, height / 2, 1, 1)]) @ to_ray @ self._to_point
        texels, end = points[:, :2] / points[:, 3:] + self.margin, np.array(self.light.size)
        held = (points[:, 3] > 0) & ((texels >= SPARE) & (texels <= end - SPARE)).all(axis=1)
        self.share_held = 1.0 if held.all() else 0.5 if held[-1] else 0.0
        low = np.maximum(texels[:4].min(axis=0) // BLOCK - RING, 0)
        high = np.minimum(texels[:4].max(axis=0) // BLOCK + 1 + RING, self.blocks.size)
        self.shown = (*low.astype(int).tolist(), *(high - low).astype(int).tolist())

    def write(self) -> None:
        """Bind the map for the shaders that fill it."""
        self.light.bind_to_image(Image.CLOUDS, read=True, write=True)
        self.blocks.bind_to_image(Image.CLOUD_BLOCKS, read=True, write=True)

    def read(self) -> None:
        """Bind the map for `sky/kept_clouds.glsl`."""
        self.light.use(Sampler.CLOUD_MAP)
        self.blocks.use(Sampler.CLOUD_BLOCKS)

    def release(self) -> None:
        release_all(self.light, self.blocks)
