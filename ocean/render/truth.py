"""Ground truth of a picture: what each pixel shows at its centre, as arrays.

The picture's own mesh is rasterised once more with one sample per pixel, at its centre, because the samples of a
picture lie elsewhere. The triangle there gives position and depth, and the water's place at rest. Normals, velocities
and motion follow from the maps at that place, and from the poses of the buoy.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Image
from ocean.gpu.context import drain, labelled, release_all
from ocean.gpu.passes import BUFFERS_WRITTEN, dispatch
from ocean.gpu.shaders import shader_library
from ocean.render import camera
from ocean.render.frame import FrameRenderer
from ocean.render.mesh import Mesh
from ocean.render.samples import Samples
from ocean.sea.base import MOST_POINTS

Floats = NDArray[np.float32]
Array = NDArray[np.float64]
OBJECTS = {"sky": 0, "sea": 1, "buoy": 2}
LAYERS = {
    "depth": ("Z", "distance along the axis of the camera [m]; infinite in the sky"),
    "position": ("XYZ", "world position [m]: east, up from the mean water level below the eye, south; nan in the sky"),
    "normal": ("XYZ", "unit normal of the water or of the buoy; nan in the sky"),
    "velocity": ("XYZ", "velocity of the water or of the buoy [m/s]; nan in the sky"),
    "motion": ("XY", "motion of the point until the next frame [pixels], to the right and down; nan in the sky"),
    "foam": ("A", "fraction of the pixel that foam covers"),
    "object": ("I", ", ".join(f"{number}: {name}" for name, number in OBJECTS.items())),
}
"""Channels and meaning of each layer."""


@dataclass(frozen=True)
class Camera:
    """The pinhole camera of a picture, in the axes of computer vision: x to the right, y down, z ahead. Pixels are
    counted from the upper left corner, and their centres lie at halves."""

    eye: Array  # world position [m]
    rotation: Array  # from world axes to the camera's
    intrinsics: Array  # (3, 3) [pixels]

    @classmethod
    def of(cls, renderer: FrameRenderer) -> "Camera":
        """Return the camera of the last frame, whose eye the GPU may have lifted over waves."""
        view, (width, height) = renderer.settings.view, renderer.size
        block = np.frombuffer(renderer.camera_block.read(), camera.LAYOUT)[0]
        right, up, ahead = camera.axes(view)
        focal = camera.pixels_at_unit_distance(view, height)
        intrinsics = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
        return cls(np.array([view.x, block["eye"][1], view.z]), np.array([right, -up, ahead]), intrinsics)

    def pixels(self, world: Array) -> Array:
        """Return positions in the picture, and the distance along the camera's axis [m], (..., 3)."""
        seen = (world - self.eye) @ self.rotation.T
        projected = seen @ self.intrinsics.T
        return np.concatenate([projected[..., :2] / projected[..., 2:], seen[..., 2:]], axis=-1)

    def record(self) -> dict[str, Any]:
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = self.rotation, -self.rotation @ self.eye
        arrays = {"world_to_camera": matrix, "intrinsics": self.intrinsics, "eye": self.eye}
        return {name: array.tolist() for name, array in arrays.items()}


def ground_truth(
    renderer: FrameRenderer, names: Collection[str], advance: Callable[[], None], step: float
) -> tuple[dict[str, Floats], dict[str, Any]]:
    """Return layers of the last frame, float32 (height, width) or (height, width, channels) with the top row first, and
    the camera. `advance` takes the sea to the next frame, `step` [s] later, for motion and the buoy's velocity."""
    now, view = Camera.of(renderer), renderer.settings.view
    places, rests, foam = _draw(renderer, "foam" in names)
    origin = np.array([view.x, 0.0, view.z])
    objects, world = places[..., 3], places[..., :3] + origin
    water, buoy = objects == OBJECTS["sea"], objects == OBJECTS["buoy"]
    world[~(water | buoy)] = np.nan
    seen = now.pixels(world)
    normal, velocity, motion = (np.full_like(world, np.nan) for _ in range(3))
    still = rests[water][:, :2] + origin[[0, 2]]
    if {"normal", "velocity", "motion"} & {*names}:
        normal[buoy] = rests[buoy]
        normal[water], velocity[water], here = _at_rest(renderer, still)
    if {"velocity", "motion"} & {*names}:
        pose = np.frombuffer(renderer.buoy.pose.read(), "f4").reshape(4, 4).astype(float) if buoy.any() else None
        advance()
        renderer.place_camera()
        after, moved = Camera.of(renderer), world.copy()
        moved[water] += _at_rest(renderer, still)[2] - here
        if pose is not None:
            turned = np.frombuffer(renderer.buoy.pose.read(), "f4").reshape(4, 4)
            body = np.concatenate([world[buoy] - origin, np.ones((buoy.sum(), 1))], axis=-1) @ np.linalg.inv(pose)
            moved[buoy] = (body @ turned)[:, :3] + origin
            velocity[buoy] = (moved[buoy] - world[buoy]) / step
        motion = after.pixels(moved) - seen
    depth = np.where(np.isnan(seen[..., 2]), np.inf, seen[..., 2])
    layers = {"depth": depth, "position": world, "normal": normal, "velocity": velocity}
    layers |= {"motion": motion[..., :2], "foam": np.where(water, foam, 0.0), "object": objects}
    return {name: layers[name].astype(np.float32) for name in names}, now.record()


def _draw(renderer: FrameRenderer, has_foam: bool) -> tuple[Array, Array, Array]:
    """Return `places` and `rests` of `surface/truth.comp`, (height, width, 4), and the fraction of foam."""
    ctx, scene, surface, size = renderer.ctx, renderer.scene, renderer.surface, renderer.size
    buoy = renderer.buoy if scene.settings.buoy.show else None
    images = [labelled("ground truth", ctx.texture(size, 4, bytes(16 * size[0] * size[1]), dtype="f4")) for _ in "123"]
    surface.prepare(scene.settings.view.model_copy(update={"samples": 1}), size, buoy is not None)
    if surface.samples.shows_sea:
        surface.raster(scene, buoy)
        for image, unit in zip(images, (Image.HDR, Image.PICTURE), strict=False):
            image.bind_to_image(unit, read=False, write=True)
        defines = {"BUOY": int(buoy is not None), **Mesh.defines, **Samples.defines, **renderer.sea.foam.defines}
        truth = shader_library(ctx).compute("surface/truth.comp", **defines)
        dispatch(truth, -(-size[0] // 8), -(-size[1] // 8), barrier=BUFFERS_WRITTEN)
        if has_foam:
            surface.shade(scene, images[2], buoy, value="vec3(cover.y, 0.0, 0.0)")
        surface.samples.clear()
    ctx.memory_barrier()
    drain(ctx)
    places, rests, foam = (
        np.frombuffer(one.read(), "f4").reshape(*size[::-1], 4)[::-1].astype(float) for one in images
    )
    release_all(*images)
    return places, rests[..., :3], foam[..., 0]


def _at_rest(renderer: FrameRenderer, still: Array) -> tuple[Array, Array, Array]:
    """Return normal, velocity and position of the water that rests at world (x, z) [m], each (points, 3)."""
    parts = [still[first : first + MOST_POINTS] for first in range(0, max(len(still), 1), MOST_POINTS)]
    found = [renderer.sea.query(part[:, 0], part[:, 1], at_rest=True).result() for part in parts]
    places = [np.insert(one.place, 1, one.height, axis=-1) for one in found]
    velocities = [one.velocity for one in found if one.velocity is not None]
    return np.concatenate([one.normal for one in found]), np.concatenate(velocities), np.concatenate(places)
