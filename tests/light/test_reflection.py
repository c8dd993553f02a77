"""The reflection of a rough sea in numpy: normalisation, energy, reciprocity, and means against quadrature."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocean.waves.spreading import measured_slopes
from tests.reference.environment import directions
from tests.reference.hidden import combine_with_mesh, seen_slope
from tests.reference.reflection import (
    FRESNEL,
    LOOK,
    LOOKS,
    along,
    facing,
    lit_share,
    mean_square_slope,
    mirror,
    slope_density,
    sun_reflection,
    visible_area,
    visible_slope,
)
from tests.reference.water import INDEX, fresnel

ROUGH = [(0.002, 0.001, 0.0005), (0.03, 0.02, 0.01), (0.08, 0.05, -0.02)]


def direction(elevation, azimuth):
    e, a = np.radians([elevation, azimuth])
    return np.array([np.cos(e) * np.cos(a), np.sin(e), np.cos(e) * np.sin(a)])


def facets(slope, covariance, side=400, reach=7.0):
    """Return slopes (n, 2) around a mean, and the fraction of facets that each represents."""
    a, b, c = covariance
    u, v = np.meshgrid(*[np.linspace(-reach, reach, side)] * 2)
    x = np.sqrt(a) * u
    z = c / np.sqrt(a) * u + np.sqrt(b - c * c / a) * v
    weight = np.exp(-0.5 * (u * u + v * v))
    return np.stack([slope[0] + x, slope[1] + z], axis=-1).reshape(-1, 2), (weight / weight.sum()).ravel()


def normals(slopes):
    n = np.stack([-slopes[:, 0], np.ones(len(slopes)), -slopes[:, 1]], axis=-1)
    return n / np.linalg.norm(n, axis=1, keepdims=True)


views = st.tuples(st.floats(2, 89), st.floats(0, 360)).map(lambda angles: direction(*angles))
spreads = st.sampled_from(ROUGH).map(np.array)
tilts = st.tuples(st.floats(-0.3, 0.3), st.floats(-0.3, 0.3)).map(np.array)


@settings(max_examples=20)
@given(views, tilts, spreads)
def test_visible_area_and_slope_are_means_over_facets(eye, slope, covariance):
    """The tolerance is relative to the area that facets show."""
    slopes, weight = facets(slope, covariance)
    shown = weight * np.maximum(facing(eye, slopes), 0.0)
    area = visible_area(eye, slope, covariance)
    assert area == pytest.approx(shown.sum(), rel=2e-3, abs=1e-6)
    if shown.sum() > 1e-3:
        np.testing.assert_allclose(
            visible_slope(eye, slope, covariance), (shown[:, None] * slopes).sum(axis=0) / shown.sum(), atol=2e-3
        )


def test_the_polynomial_approximates_fresnels_formula():
    cosine = np.linspace(0, 1, 500)
    np.testing.assert_allclose(np.polynomial.Polynomial(FRESNEL)(cosine), fresnel(cosine, 1 / INDEX), rtol=0.015)


@settings(max_examples=12)
@given(views, tilts, spreads)
def test_the_reflection_is_a_mean_over_facets(eye, slope, covariance):
    """Sums over facets with the same polynomial and the same upward part of normals agree with the closed forms,
    relative to the area that facets show. Sums with Fresnel's formula and each facet's own normal differ by a factor on
    the cosines; reflectance changes by at most the third power of that factor."""
    slopes, weight = facets(slope, covariance)
    shows = facing(eye, slopes)
    shown = weight * np.maximum(shows, 0.0)
    if shows @ weight < -1.5 * np.sqrt(along(eye, covariance)):
        return  # backs
    reflectance, of_one, apart = mirror(eye, slope, covariance)
    n, square = normals(slopes), mean_square_slope(eye, slope, covariance)
    assert square == pytest.approx(shown @ (slopes**2).sum(axis=1) / shown.sum(), rel=5e-3)
    taken = np.maximum(shows, 0.0) / np.sqrt(1 + square)
    polynomial = np.polynomial.Polynomial(FRESNEL)(taken)
    assert reflectance == pytest.approx(shown @ polynomial / shown.sum(), rel=5e-3)
    assert facing(eye, of_one) == pytest.approx((shown * polynomial) @ shows / (shown @ polynomial), rel=5e-3)
    counts = shown * polynomial / (shown @ polynomial)
    variance = counts @ shows**2 - (counts @ shows) ** 2
    assert facing(eye, apart) - eye[1] == pytest.approx(np.sqrt(variance), rel=2e-2)

    own = np.clip(n @ eye, 0, 1)
    truth = shown * fresnel(own, 1 / INDEX)
    beyond = shown @ np.abs(np.where(taken > 1, polynomial - fresnel(np.minimum(taken, 1), 1 / INDEX), 0.0))
    factor = np.abs(np.log(np.maximum(np.minimum(taken, 1), 1e-9) / np.maximum(own, 1e-9)))
    off = (truth @ np.expm1(3 * np.where(shown > 0, factor, 0.0)) + beyond) / truth.sum()
    assert reflectance == pytest.approx(truth.sum() / shown.sum(), rel=0.02 + off)


@pytest.mark.parametrize("speed", [5.0, 10.0, 15.0, 20.0])
@pytest.mark.parametrize("azimuth", [0.0, 45.0, 90.0])
def test_a_rough_sea_reflects_as_much_as_its_facets(speed, azimuth):
    """The sum over facets has Fresnel's formula and each facet's own normal. Views are 20 to 60 degrees above the
    horizon; slopes are Cox and Munk's, with the wind along x."""
    covariance = np.array([*measured_slopes(speed), 0.0])
    slopes, weight = facets(np.zeros(2), covariance)
    for elevation in (20, 30, 40, 60):
        eye = direction(elevation, azimuth)
        shown = weight * np.maximum(facing(eye, slopes), 0.0)
        truth = shown @ fresnel(np.clip(normals(slopes) @ eye, 0, 1), 1 / INDEX) / shown.sum()
        bound = 0.02 if elevation == 40 else 0.03
        assert mirror(eye, np.zeros(2), covariance)[0] == pytest.approx(truth, rel=bound)


def test_looks_have_mean_0_and_variance_1():
    assert np.mean(LOOKS) == pytest.approx(0, abs=1e-9)
    assert np.var(LOOKS) + LOOK**2 == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("covariance", ROUGH)
@pytest.mark.parametrize("elevation", [3, 6, 12, 25, 50, 89.9])
def test_a_white_furnace_stays_white(covariance, elevation):
    """A uniform sky lights a sea of perfect mirrors. The sea returns at most the light that visible facets mirror
    upwards, and at least the light for independent masking and shadowing, since (1 + v) / (1 + v + l) is at least 1 /
    (1 + l). The sum over directions has an error of 0.2 %."""
    eye, covariance = direction(elevation, 70), np.array(covariance)
    slopes, weight = facets(np.zeros(2), covariance)
    n = normals(slopes)
    cosine, shown = n @ eye, weight * np.maximum(facing(eye, slopes), 0.0)
    thrown = 2 * cosine[:, None] * n - eye
    up = thrown[:, 1] > 1e-6
    thrown, share, fresnels = thrown[up], shown[up] / shown.sum(), fresnel(cosine[up], 1 / INDEX)
    lit = lit_share(eye, thrown, covariance)
    alone = thrown[:, 1] / visible_area(thrown, np.zeros(2), covariance)

    sun, solid_angle = (of.reshape(256 * 256, -1) for of in directions(256))
    half = (eye + sun) / np.linalg.norm(eye + sun, axis=1, keepdims=True)
    water = sun_reflection(eye, sun, np.zeros(2), covariance, covariance) * solid_angle[:, 0]
    total = (water / fresnel(half @ eye, 1 / INDEX)).sum()
    assert share @ alone - 2e-3 < total < share.sum() + 2e-3
    assert total == pytest.approx(share @ lit, abs=2e-3)
    assert water.sum() == pytest.approx(share @ (lit * fresnels), abs=2e-3)


@settings(max_examples=25)
@given(views, views, spreads)
def test_reflection_is_reciprocal(eye, sun, covariance):
    """The BRDF, the reflection over the sun's cosine, stays the same if eye and sun are exchanged (Helmholtz)."""
    there = sun_reflection(eye, sun, np.zeros(2), covariance, covariance) / sun[1]
    back = sun_reflection(sun, eye, np.zeros(2), covariance, covariance) / eye[1]
    assert there == pytest.approx(back, rel=1e-6, abs=1e-12)


@settings(max_examples=20)
@given(views, views, spreads, st.floats(0.05, 0.95))
def test_the_brightness_of_glitter_does_not_depend_on_the_drawn_waves(eye, sun, everything, share):
    """Facets about drawn slopes reflect, on average, as much as facets with all slopes about a level sea, since a sum
    of Gaussians is Gaussian. The mean weights each facet by the area that the eye sees. The sum is exact to 0.2 % and
    to a millionth of its largest term; slopes that show less than 1e-6 count as 1e-6."""
    drawn, left = share * everything, (1 - share) * everything
    slopes, weight = facets(np.zeros(2), drawn)
    each = sun_reflection(eye, sun, slopes, left, everything) * visible_area(eye, slopes, left)
    whole = sun_reflection(eye, sun, np.zeros(2), everything, everything) * visible_area(eye, np.zeros(2), everything)
    peak = 1 / (2 * np.pi * np.sqrt(everything[0] * everything[1] - everything[2] ** 2))
    hidden = (visible_area(eye, slopes, left) < 1e-6) @ weight
    assert weight @ each == pytest.approx(whole, rel=2e-3, abs=(1e-6 + hidden) * peak)


@settings(max_examples=20)
@given(views, tilts, spreads, st.floats(0.05, 1.0))
def test_pixels_of_a_triangle_have_its_visible_slopes(eye, slope, coarse, share):
    """A part of the slopes that a triangle lacks is drawn. The slopes that its pixels get have the mean and covariance
    of the drawn slopes, weighted by the area that each shows, to 0.5 % of the deviation. If all slopes are drawn, at
    most 2.9 % of the pixels, on a triangle seen edge-on, have facets that turn away from the eye."""
    if facing(eye, slope) < 0:
        return  # its back
    left = (1 - share) * coarse
    drawn, weight = facets(slope, share * coarse)
    counts = weight * visible_area(eye, drawn, left)
    counts /= counts.sum()
    seen = seen_slope(eye, drawn, slope, coarse, left)
    mean = weight @ seen
    deviation = np.sqrt(coarse[:2])
    assert (np.abs(mean - counts @ drawn) < 5e-3 * deviation).all()
    there, expected = (
        (by[:, None] * (of - middle)).T @ (of - middle)
        for by, of, middle in ((weight, seen, mean), (counts, drawn, counts @ drawn))
    )
    assert (np.abs(there - expected) < 5e-3 * np.outer(deviation, deviation)).all()
    assert (facing(eye, seen_slope(eye, drawn, slope, share * coarse, 0.0 * coarse)) < 0) @ weight < 0.029


@settings(max_examples=20)
@given(views, tilts, spreads, st.floats(0.05, 0.95))
def test_pixels_of_a_triangle_glitter_as_all_its_facets_do(eye, slope, coarse, share):
    """The triangle's density of slopes is the mean of its pixels' densities, each divided by the pixel's shown area."""
    if facing(eye, slope) < 0:
        return  # its back
    drawn, weight = facets(slope, share * coarse)
    face, asked = normals(slope[None])[0], slope + np.sqrt(coarse[:2])
    _, _, about, left, area = combine_with_mesh(face, coarse, False, eye, normals(drawn), (1 - share) * coarse)
    expected = slope_density(asked - slope, coarse) / visible_area(eye, slope, coarse)
    assert weight @ (slope_density(asked - about, left) / area) == pytest.approx(expected, rel=2e-3)


def test_a_sea_without_waves_is_a_mirror():
    """Light comes from the mirrored direction alone, within the blur of the sun's disc."""
    eye, covariance = direction(30, 0), np.array([1e-7, 1e-7, 0.0])
    at = sun_reflection(eye, direction(30, 180), np.zeros(2), covariance, covariance)
    off = sun_reflection(eye, direction(30, 184), np.zeros(2), covariance, covariance)
    assert off < 1e-6 * at
