"""The map of clouds: what an anchored camera sees of them, kept while the view's camera turns and the wind blows."""

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Image, Sampler
from ocean.gpu.context import clamped, release_all

BLOCK = 8  # texels along a side of the blocks that are marched at one time, as in sky/cloud_map.glsl
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
        self._to_ray, self._looked = np.eye(4), (b"", b"")
        self.uniforms: dict[str, object] = {}
        """The uniforms of `sky/cloud_map.glsl` and `sky/clouds.comp` for the camera of a frame."""
        self.share_held = 0.0
        """1 if the map reaches around the picture of that camera, 0.5 if only around its middle, and 0 if not."""
        self.key: tuple[object, ...] = ()
        """What the clouds depend on, except camera and time; empty if there are none yet."""

    def turn_to(self, block: NDArray[np.void], key: tuple[object, ...]) -> None:
        """Anchor the map to the camera of a view's uniform block."""
        self._to_ray, self.key = self._ray_matrix(block), key

    def _ray_matrix(self, block: NDArray[np.void]) -> Matrix:
        """Return the matrix from points of a camera's picture (x, y, 1, 1) [pixels] to rays, for row vectors."""
        (width, height), to_clip = self.size, np.eye(4)
        to_clip[0, 0], to_clip[1, 1], to_clip[3, :2] = 2 / width, 2 / height, -1
        return np.asarray(to_clip @ block["clip_to_ray"].astype(np.float64))

    def look(self, block: NDArray[np.void]) -> None:
        """Compute `uniforms` and `share_held` for the camera of a frame, if it or the anchor has changed."""
        if self._looked == (looked := (self._to_ray.tobytes(), block["clip_to_ray"].tobytes())):
            return
        self._looked, to_ray = looked, self._ray_matrix(block)
        matrices = {
            "point_to_ray": self._to_ray,
            "ray_to_point": np.linalg.inv(self._to_ray),
            "point_to_picture": self._to_ray @ np.linalg.inv(to_ray),
        }
        self.uniforms = {name: tuple(matrix.ravel().tolist()) for name, matrix in matrices.items()}
        self.uniforms["margin"] = self.margin
        unit = np.array([(0, 0, 1, 1), (1, 0, 1, 1), (0, 1, 1, 1), (1, 1, 1, 1), (0.5, 0.5, 1, 1)])
        points, middle = unit * (*self.size, 1, 1) @ to_ray @ matrices["ray_to_point"], np.array(self.size) / 2
        off = np.abs(points[:, :2] / points[:, 3:] - middle) - middle
        held = (points[:, 3] > 0) & (off < self.margin - SPARE).all(axis=1)
        self.share_held = 1.0 if held.all() else 0.5 if held[-1] else 0.0

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
