"""The uniform block of the camera, which all shaders of a picture read (shaders/common/view.glsl)."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean.gpu.uniforms import block_layout
from ocean.light.air import SUN_RADIUS
from ocean.render import camera
from ocean.settings import Settings, ViewSettings
from ocean.waves.foam_pattern import SURFACE_DRIFT, layers
from ocean.waves.roughness import Roughness

LAYOUT = block_layout("common/view.glsl", "View")


def view_block(
    view: ViewSettings,
    aspect: float,
    sun: ArrayLike,
    roughness: Roughness,
    horizon: float,
    grid_cutoff: float,
) -> NDArray[np.void]:
    """Return the block for a picture of this aspect, without the foam's pattern. The surface is drawn out to `horizon`
    [m], and the maps hold wave numbers up to `grid_cutoff` [rad/m]. The GPU lifts the eye over waves later."""
    view_matrix = camera.view_matrix(view)
    projection = camera.projection_matrix(view, aspect, 1.2 * horizon, roughness.crest)
    rotation = view_matrix.copy()
    rotation[3, :3] = 0.0
    block = np.zeros((), LAYOUT)
    block["view_projection"] = view_matrix @ projection
    block["clip_to_ray"] = np.linalg.inv(rotation @ projection)
    block["eye"] = 0.0, camera.eye_height(view), 0.0, 0.0
    block["sun"] = *np.asarray(sun), math.cos(SUN_RADIUS)
    block["horizon"] = horizon
    block["strain_variance"] = roughness.strain_variance
    block["grid_cutoff"] = grid_cutoff
    block["height_scale"] = roughness.height_deviation
    block["anisotropy"] = view.anisotropy
    block["slopes_of_all"][:3] = roughness.slope_covariance
    return block


def write_foam_pattern(block: NDArray[np.void], settings: Settings, wind_run: tuple[float, float]) -> None:
    """Write the position of the foam's patterns for a wind run (east, south) [m]."""
    view, wind = settings.view, settings.sea.wind
    drifted = view.x - SURFACE_DRIFT * wind_run[0], view.z - SURFACE_DRIFT * wind_run[1]
    patterns = layers(wind.speed, wind.direction, drifted)
    block["pattern_layers"] = patterns.reshape(-1, 4)
    block["pattern_layer_count"] = len(patterns) if patterns[-1, 6] else len(patterns) - 1  # the last: strong winds
