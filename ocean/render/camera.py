"""The camera: the matrices of a view, and the uniform block that all shaders of a picture read. Only this module uses
pyrr.

World axes are x east, y up, z south; heading is clockwise from north (-z), pitch upwards. The eye of a view matrix is
at (0, height, 0): positions are relative to the point of the mean water level below or above the camera.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pyrr import Matrix44

from ocean.gpu.shaders import block_layout
from ocean.light.optics import SUN_RADIUS
from ocean.settings import Settings, ViewSettings
from ocean.waves.slopes import Roughness
from ocean.waves.whitecaps import SURFACE_DRIFT, layers

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
LOWEST = 0.5  # m above the mean water level


def direction(view: ViewSettings) -> Vector:
    """Return the unit vector (x, y, z) along the line of sight."""
    heading, pitch = math.radians(view.heading), math.radians(view.pitch)
    return np.array([math.sin(heading) * math.cos(pitch), math.sin(pitch), -math.cos(heading) * math.cos(pitch)])


def axes(view: ViewSettings) -> Matrix:
    """Return the unit vectors to the right, up, and along the line of sight, as rows."""
    heading, pitch = math.radians(view.heading), math.radians(view.pitch)
    right = math.cos(heading), 0.0, math.sin(heading)
    up = -math.sin(heading) * math.sin(pitch), math.cos(pitch), math.cos(heading) * math.sin(pitch)
    return np.array([right, up, direction(view)])


def eye_height(view: ViewSettings) -> float:
    """Return the eye's height [m] over the mean water level before waves lift it; negative for a camera that dives."""
    return -view.dive if view.dive > 0 else view.altitude


def view_matrix(view: ViewSettings) -> Matrix:
    """Return the matrix from relative positions to eye space, for row vectors on the left, as in pyrr."""
    right, up, ahead = axes(view)
    matrix = np.eye(4)
    matrix[:3, :3] = np.transpose([right, up, -ahead])
    matrix[3, :3] = -eye_height(view) * matrix[1, :3]
    return matrix


def projection_matrix(view: ViewSettings, aspect: float, far: float, crest: float = 0.0) -> Matrix:
    """Return the perspective matrix. The near plane recedes as the camera rises over the highest crest [m], which keeps
    depth precise."""
    height = eye_height(view)
    near = max(0.1, min(0.05 * height, 0.25 * (height - crest)))
    return np.asarray(Matrix44.perspective_projection(view.field_of_view, aspect, near, far, dtype=np.float64))


def pixels_at_unit_distance(view: ViewSettings, height: int) -> float:
    """Return the number of pixels across 1 m at a distance of 1 m, in the middle of a picture of this height."""
    return 0.5 * height / math.tan(math.radians(view.field_of_view) / 2)


def pixel_ray(view: ViewSettings, size: tuple[float, float], x: float, y: float) -> Vector:
    """Return the unit vector from the eye through a point of a picture, in pixels from its lower left corner."""
    scale = pixels_at_unit_distance(view, 1) * size[1]
    ray = np.array([(x - size[0] / 2) / scale, (y - size[1] / 2) / scale, 1.0]) @ axes(view)
    return np.asarray(ray / np.linalg.norm(ray))


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
    to_eye = view_matrix(view)
    projection = projection_matrix(view, aspect, 1.2 * horizon, roughness.crest)
    rotation = to_eye.copy()
    rotation[3, :3] = 0.0
    block = np.zeros((), LAYOUT)
    block["view_projection"] = to_eye @ projection
    block["clip_to_ray"] = np.linalg.inv(rotation @ projection)
    block["eye"] = 0.0, eye_height(view), 0.0, 0.0
    block["sun"] = *np.asarray(sun), math.cos(SUN_RADIUS)
    block["horizon"] = horizon
    block["strain_variance"] = roughness.strain_variance
    block["grid_cutoff"] = grid_cutoff
    block["height_scale"] = roughness.height_deviation
    block["anisotropy"] = view.anisotropy
    block["slopes_of_all"] = *roughness.slope_covariance, roughness.ripple_variance
    return block


def write_foam_pattern(block: NDArray[np.void], settings: Settings, wind_run: tuple[float, float]) -> None:
    """Write the position of the foam's patterns for a wind run (east, south) [m]."""
    view, wind = settings.view, settings.sea.wind
    drifted = view.x - SURFACE_DRIFT * wind_run[0], view.z - SURFACE_DRIFT * wind_run[1]
    patterns = layers(wind.speed, wind.direction, drifted)
    block["pattern_layers"] = patterns.reshape(-1, 4)
    block["pattern_layer_count"] = len(patterns) if patterns[-1, 6] else len(patterns) - 1  # the last: strong winds
