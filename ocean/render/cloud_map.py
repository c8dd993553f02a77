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
        self.margin = margin = -(-size[1] // (8 * BLOCK)) * BLOCK
        width, height = (-(-side // BLOCK) * BLOCK + 2 * margin for side in size)
        self.light = clamped("clouds", ctx.texture((width, height), 4, dtype="f2"))
        self.blocks = clamped("blocks of clouds", ctx.texture((width // BLOCK, height // BLOCK), 4, dtype="f4"))
        self.to_ray = np.eye(4)
        self.key: tuple[object, ...] = ()
        """What the clouds depend on, except camera and time; empty if there are none yet."""

    def turn_to(self, block: NDArray[np.void], key: tuple[object, ...]) -> None:
        """Anchor the map to the camera of a view's uniform block."""
        self.to_ray, self.key = self._to_ray(block), key

    def _to_ray(self, block: NDArray[np.void]) -> Matrix:
        """Return the matrix from points of a camera's picture (x, y, 1, 1) [pixels] to rays, for row vectors."""
        (width, height), to_clip = self.size, np.eye(4)
        to_clip[0, 0], to_clip[1, 1], to_clip[3, :2] = 2 / width, 2 / height, -1
        return np.asarray(to_clip @ block["clip_to_ray"].astype(np.float64))

    def share_held(self, block: NDArray[np.void]) -> float:
        """Return 1 if the map reaches around the picture of a camera, 0.5 around its middle alone, and 0 if not."""
        unit = np.array([(0, 0, 1, 1), (1, 0, 1, 1), (0, 1, 1, 1), (1, 1, 1, 1), (0.5, 0.5, 1, 1)])
        points = unit * (*self.size, 1, 1) @ self._to_ray(block) @ np.linalg.inv(self.to_ray)
        middle = np.array(self.size) / 2
        off = np.abs(points[:, :2] / points[:, 3:] - middle) - middle
        held = (points[:, 3] > 0) & (off < self.margin - SPARE).all(axis=1)
        return 1.0 if held.all() else 0.5 * held[-1]

    def uniforms(self, block: NDArray[np.void]) -> dict[str, object]:
        """Return the uniforms of `sky/cloud_map.glsl` and `sky/clouds.comp` for the camera of a frame."""
        matrices = {
            "point_to_ray": self.to_ray,
            "ray_to_point": np.linalg.inv(self.to_ray),
            "point_to_picture": self.to_ray @ np.linalg.inv(self._to_ray(block)),
        }
        return {"margin": self.margin} | {name: tuple(matrix.ravel().tolist()) for name, matrix in matrices.items()}

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
