"""Shading of pixels whose waves hide each other, as the mesh shows: the reference for `shaders/surface/hidden.glsl`.
Directions, slopes and covariances have the axes of `tests.reference.reflection`."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from ocean.light.optics import Array
from tests.reference.reflection import along, facing, leaning, shown, visible_area

MESH_SHARE = 0.8
"""Fraction of the mesh's slope in `combine_with_mesh`. A fraction of 1 is right on average; smaller fractions flicker
less. From one frame of a slow pan to the next, pixels beside the glitter change more than pixels of 64 samples: 1.4
times as much with a fraction of 1, 1.25 times with 0.8, 1.1 times with 0.6."""


def seen_slope(direction: Array, slope: Array, about: Array, coarse: Array, covariance: Array) -> Array:
    """Return the slope (..., 2) whose rank among the visible slopes is the rank of `slope` among all slopes.

    Slopes scatter with the covariance `coarse` about the slope of a triangle. Drawn slopes, which lack `covariance`,
    show an area of mean m and variance v. If each slope is weighted by the area that its facets show, the mean is m + v
    A' / A and the variance v + v² (A'' / A - (A' / A)²) (Stein's lemma), where A is the area that the triangle shows.
    The area that a slope shows is moved and narrowed to this mean and variance, and the slope changes with it. The
    result is Gaussian, while the distribution of visible slopes is skewed.
    """
    m, s = np.maximum(facing(direction, about), 0.0), np.sqrt(np.maximum(along(direction, coarse), 1e-12))
    area, drawn = shown(m, s), coarse - covariance
    first = ndtr(m / s) / area
    second = np.exp(-0.5 * (m / s) ** 2) / (np.sqrt(2 * np.pi) * s * area) - first**2
    narrower = second / (1 + np.sqrt(np.maximum(1 + along(direction, drawn) * second, 0.0)))
    moved = first + narrower * (facing(direction, slope) - m)
    return np.asarray(slope - leaning(direction, drawn) * moved[..., None])


def combine_with_mesh(
    face: Array, coarse: Array, finer: ArrayLike, direction: Array, normal: Array, covariance: Array
) -> tuple[Array, Array, Array, Array, Array]:
    """Return the normal (..., 3) and covariance (..., 3) of a pixel, from its maps and its mesh; then, for the sun's
    glitter, the mean slope (..., 2), the covariance (..., 3) and the area that facets show to the eye.

    Waves hide each other, and only the mesh shows which are visible. `face` is the upward normal of its triangle,
    `coarse` the covariance of the slopes that the mesh lacks. Where the mesh is `finer` than a footprint is long, it
    shows waves that maps average away: its slope is the slope of visible water, and the pixel takes MESH_SHARE of it.
    Where maps show slopes that the mesh lacks, each slope counts by the area that it shows: a triangle is seen from its
    front or not at all, and each of its pixels gets a `seen_slope`. Near the eye mesh and maps show all waves: there
    pixels keep the normals of the maps, so that no triangles show.

    Let v be the variance that the mesh shows and the maps do not. A share w of the mesh's slope has the variance w² v.
    The reflection of a sky without edges depends on the mean of visible slopes, so its covariance has the rest (1 - w)
    v. The glitter depends on the density of facets that mirror the sun, so its covariance has (1 - w²) v, divided by
    the area that the triangle shows. Of the variance that the maps show and the mesh does not, a share 1 - w of the
    maps' slope has (1 - w)². Elsewhere the Gaussians about all slopes of the maps add up to the Gaussian about the
    triangle's slope, again divided by the area that the triangle shows.
    """
    deviations = [np.sqrt(np.maximum(along(direction, of), 1e-12)) for of in (coarse, covariance)]
    is_same = deviations[0] == deviations[1]
    is_finer = (finer & ~is_same)[..., None]
    leant = normal + MESH_SHARE * (face - normal)
    slope, slope_mesh, slope_leant = (-of[..., [0, 2]] / of[..., 1:2] for of in (normal, face, leant))
    fine = visible_area(direction, slope, covariance)
    mesh = shown(np.maximum(facing(direction, slope_mesh), 0.0), deviations[0])
    shown_share = np.where(deviations[0] < deviations[1], MESH_SHARE**2, 1 - (1 - MESH_SHARE) ** 2)[..., None]
    left, glints = (covariance + share * (coarse - covariance) for share in (MESH_SHARE, shown_share))
    shaded = np.where(is_finer, slope_leant, seen_slope(direction, slope, slope_mesh, coarse, covariance))
    upright = np.stack([-shaded[..., 0], np.ones(shaded.shape[:-1]), -shaded[..., 1]], axis=-1)
    return (
        upright / np.linalg.norm(upright, axis=-1, keepdims=True),
        np.where(is_finer, left, covariance),
        np.where(is_finer, slope_leant, slope),
        np.where(is_finer, glints, covariance),
        np.where(is_same, fine, mesh),
    )
