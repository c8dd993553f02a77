"""Waves that hide each other, of which only the mesh knows: what a pixel is shaded with, the twin of
`shaders/surface/hidden.glsl`. Directions, slopes and covariances are those of `tests.light.reflection`."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from ocean.light.spectrum import Array
from tests.light.reflection import along, facing, leaning, shown, visible_area

MESH_SHARE = 0.8
"""Share of the mesh's slope in `combine_with_mesh`, chosen: 1 is right on average, less is calmer. Beside the glitter,
from one frame of a slow pan to the next, pixels change 1.4 times as much as those of 64 samples with 1, 1.25 times with
this, and 1.1 times with 0.6."""


def seen_slope(direction: Array, slope: Array, about: Array, coarse: Array, covariance: Array) -> Array:
    """Return the slope (..., 2) that stands among those that are seen where `slope` stands among all.

    Slopes scatter by `coarse` about a triangle's. Those that are drawn, all but `covariance`, show m on average with a
    variance v. Where each counts by what its facets show, the mean is m + v A' / A and the variance
    v + v² (A'' / A - (A' / A)²) (Stein's lemma), with A what the triangle shows: what a slope shows is moved and
    narrowed to these, and it leans along. What is seen is skewed, though, and this is Gaussian.
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
    """Return the normal (..., 3) and covariance (..., 3) of a pixel, of what maps say of it and what its mesh shows;
    then for the sun's glitter mean slope (..., 2), covariance (..., 3) and what facets show to the eye.

    Waves hide each other, and only the mesh, whose triangle's upward normal is `face` and which lacks slopes of a
    covariance `coarse`, knows which. Where it is `finer` than a footprint is long, so that it shows waves which maps
    average away, its slope is that of what is not hidden, and MESH_SHARE of it is taken. Where maps show slopes that it
    lacks, those are seen by what they show: a triangle shows its front or is not seen, and each pixel of it gets a
    `seen_slope`. Close by both show all waves: there pixels are the maps', whose normals know no triangles.

    Of the variance v that the mesh shows and the maps do not, a share w of its slope bears w² v. A sky without edges
    asks for the mean of what is seen, which leans by as much as is left, (1 - w) v; the sun asks how many facets are
    where it is mirrored, about which (1 - w²) v is left, over the area that the triangle shows, not what is shaded. Of
    the variance that the maps show and the mesh does not, a share 1 - w of their slope bears (1 - w)². Elsewhere the
    Gaussians about all slopes of the maps add up to that about the triangle's, again over what that shows.
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
