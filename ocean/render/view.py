"""The uniform block of camera and light that all of a picture's shaders read: shaders/common/view.glsl."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.light.atmosphere import SUN_RADIUS
from ocean.render import camera
from ocean.render.surface import Surface
from ocean.settings import Settings
from ocean.waves.lace import SURFACE_DRIFT, layers

LAYOUT = np.dtype(
    [
        ("view_projection", "f4", (4, 4)),
        ("clip_to_ray", "f4", (4, 4)),
        ("eye", "f4", 4),
        ("sun", "f4", 4),
        ("horizon", "f4"),
        ("strain_variance", "f4"),
        ("grid_cutoff", "f4"),
        ("height_scale", "f4"),
        ("anisotropy", "f4"),
        ("lace_layers", "i4"),
        ("padding", "f4", 2),
        ("slopes_of_all", "f4", 4),
        ("lace", "f4", (3, 8)),
    ]
)


def crest(surface: Surface) -> float:
    """Height [m] that hardly a wave exceeds."""
    return 5 * surface.height_deviation


def view_block(
    settings: Settings,
    aspect: float,
    sun: ArrayLike,
    wind_run: ArrayLike,
    surface: Surface,
    horizon: float,
    grid_cutoff: float,
) -> NDArray[np.void]:
    """The block for a picture of this aspect, by how far the wind has blown (east, south) and the surface is drawn [m]
    and the largest wave number that the maps hold [rad/m]. Waves lift the eye later, on the GPU."""
    view, wind = settings.view, settings.sea.wind
    view_matrix = camera.view_matrix(view)
    projection = camera.projection_matrix(view, aspect, 1.2 * horizon, crest(surface))
    rotation = view_matrix.copy()
    rotation[3, :3] = 0.0
    block = np.zeros((), LAYOUT)
    block["view_projection"] = view_matrix @ projection
    block["clip_to_ray"] = np.linalg.inv(rotation @ projection)
    block["eye"] = 0.0, camera.eye_height(view), 0.0, 0.0
    block["sun"] = *np.asarray(sun), math.cos(SUN_RADIUS)
    block["horizon"] = horizon
    block["strain_variance"] = surface.strain_variance
    block["grid_cutoff"] = grid_cutoff
    block["height_scale"] = surface.height_deviation
    block["anisotropy"] = view.anisotropy
    block["slopes_of_all"][:3] = surface.slope_covariance
    block["lace"] = lace = layers(wind.speed, wind.direction, (view.x, view.z) - SURFACE_DRIFT * np.asarray(wind_run))
    block["lace_layers"] = np.count_nonzero(lace[:, 6])  # the last is of strong winds alone
    return block
