"""All light that leaves water, in the shader of a pixel, against its reference and a direct sum over facets."""

from itertools import product

import numpy as np
import pytest

from ocean.gpu.bindings import Block
from ocean.light.optics import LUMINANCE, Seawater
from ocean.render.camera import LAYOUT
from ocean.settings import WaterSettings
from ocean.waves.spreading import measured_slopes
from ocean.waves.systems import unit
from tests.reference import environment, reflection
from tests.reference.water import INDEX, fresnel

from ..light.test_reflection import direction, facets, normals
from ..marks import slow
from .probe import probed
from .skies import read, state

SHADED = """
    vec3 V = given[3u * i].xyz, covariance = given[3u * i + 1u].xyz, N = given[3u * i + 2u].xyz;
    float seen = visible_area(facing(V, -N.xz / N.y), facing_deviation(V, leaning(V, covariance)));
    Glints glints = Glints(-N.xz / N.y, covariance, seen);
    WaterLight water = water_light(N, V, covariance, glints, vec2(0.0), 0.0, sun_irradiance());
    sink[3u * i] = vec4(water.sky, 0.0);
    sink[3u * i + 1u] = vec4(water.glitter, 0.0);
    sink[3u * i + 2u] = vec4(water.upwelling + water.through, 0.0);
"""
WIND = 75.0  # degrees, direction towards which it blows
ELEVATIONS, AZIMUTHS = (10, 30, 60, 89.9), (0, 15, 90, 180)  # of the eye; at 0 it looks towards the sun
SUN = 0.006  # rad: twice the deviation of the sun in a sum over facets
ALBEDO = Seawater(WaterSettings().chlorophyll).albedo()


def roughness(wind):
    """Return the covariance of the slopes that Cox and Munk measured."""
    x, z = unit(WIND)
    along, across = measured_slopes(wind)
    return np.array([along * x * x + across * z * z, along * z * z + across * x * x, (along - across) * x * z])


def shaded(light, eyes, slope, covariance, everything, is_long):
    """Return the luminance of sky, glitter and light from below, (n, 3), in the shader."""
    given = np.zeros((len(eyes), 3, 4), "f4")
    given[:, 0, :3], given[:, 1, :3], given[:, 2, :3] = eyes, covariance, normals(slope[None])
    view = np.zeros((), LAYOUT)
    view["sun"][:3], view["slopes_of_all"][:3] = light.sun, everything
    block = light.ctx.buffer(view.tobytes())
    light.bind()
    block.bind_to_uniform_block(Block.VIEW)
    found = probed(light.ctx, ("surface/water.glsl",), SHADED, given, 3, (), f"#define HIDES {int(is_long)}")
    block.release()
    return found[..., :3] @ LUMINANCE


def reference(levels, aureole, sun, irradiance, upwelling, eyes, slope, covariance, everything, is_long):
    """Return the reference's reflected sky, glitter and light from below, (n, 3, 3)."""

    def sky(towards, spread):
        return environment.sky_radiance(levels, towards, spread)

    mirrored = reflection.reflected_sky(eyes, slope, covariance, sky, is_long, sun, aureole)[:, 0]
    reflectance, _, _ = reflection.mirror(eyes, slope, covariance)
    glitter = reflection.sun_reflection(eyes, sun, slope, covariance, everything) * irradiance
    return np.stack([mirrored, glitter, (1 - reflectance) * upwelling], axis=1)


def summed(sky, sun, irradiance, upwelling, eye, slope, covariance, everything):
    """Return the reflected light (3,) for one eye, summed over facets. Facets are mirrors by Fresnel's formula,
    weighted by the area that each shows, under a sky with a sun that is not a point. Waves shadow each other by Smith's
    formula, as in the shader."""
    slopes, weight = facets(slope, covariance, side=160, reach=6.0)
    towards, reflected = mirrors(eye, slopes, weight)
    area = weight @ np.maximum(reflection.facing(eye, slopes), 0.0)
    towards[:, 1] = np.maximum(towards[:, 1], 0.0)
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    mirrored = reflected @ environment.interpolated(sky, towards)[:, 0]

    half = eye + sun
    near = -half[[0, 2]] / half[1]  # slope that mirrors the sun's middle; slopes around it mirror the rest of its disc
    around = np.array([SUN**2, SUN**2, 0.0])
    slopes, weight = facets(near, around, side=160)
    weight *= reflection.slope_density(slopes - slope, covariance) / reflection.slope_density(slopes - near, around)
    towards, shining = mirrors(eye, slopes, weight)
    disc = np.exp((towards @ sun - 1) / (SUN / 2) ** 2) / (2 * np.pi * (SUN / 2) ** 2) * (towards[:, 1] > 0)
    glitter = shining @ disc * reflection.lit_share(eye, sun, everything) * irradiance
    return np.array([mirrored, glitter, upwelling * (area - reflected.sum())]) / area


def mirrors(eye, slopes, weight):
    """Return the directions (n, 3) that facets mirror to an eye, and their visible area times their reflectance."""
    n = normals(slopes)
    cosine = np.maximum(n @ eye, 0.0)
    shown = weight * np.maximum(reflection.facing(eye, slopes), 0.0)
    return 2 * cosine[:, None] * n - eye, shown * fresnel(cosine, 1 / INDEX)


@pytest.mark.parametrize(
    ("sun", "clouds", "four_lobes", "one_lobe"),
    [(5, 0, 0.1, 0.15), slow(35, 0, 0.1, 0.1), slow(60, 0, 0.1, 0.1), slow(35, 0.5, 0.15, 0.2)],
)
def test_all_light_of_water_agrees_with_a_sum_over_facets(make_light, sun, clouds, four_lobes, one_lobe):
    """The eye is low or straight above, for three winds, and all or half of the slopes' variance is left to facets. The
    shader agrees with the reference to 0.4 % of all light, the error of Smith's rational form; sun and light from below
    agree with the sum over facets to 1 %. The sky is a mean over one or four Gaussian lobes, and an aureole about the
    sun, whose shapes differ from that of the facets: all light agrees to 10 %; with one lobe to 15 % under a sun at 5°;
    beside edges of clouds to 15 %, with one lobe to 20 %. `software`, which uses one lobe, draws no clouds."""
    light = make_light(f"sky.sun_elevation={sun}", f"sky.clouds={clouds}")
    sky = read(light.environment)[0]
    levels = environment.lobes(np.stack([sky[..., :3] @ LUMINANCE, sky[..., 3]], axis=-1))
    towards_sun, (irradiance, on_water, bright) = np.array(light.sun), state(light)[[0, 3, 7], :3]
    bright = bright @ LUMINANCE, state(light)[7, 3]
    aureole = environment.aureole(environment.directions(len(sky))[0], towards_sun)
    np.testing.assert_allclose(sky[..., 3], aureole, atol=1e-5)
    assert bright == pytest.approx(environment.aureole_radiance(levels, towards_sun), rel=2**-8)
    upwelling = ALBEDO / np.pi * (irradiance * towards_sun[1] + on_water) @ LUMINANCE
    lit = towards_sun, irradiance @ LUMINANCE, upwelling
    behind = np.degrees(np.arctan2(-towards_sun[2], -towards_sun[0]))
    eyes = np.array([direction(up, behind + azimuth) for up, azimuth in product(ELEVATIONS, AZIMUTHS)])
    for wind, drawn in ((3.0, 0.0), (10.0, 0.0), (18.0, 0.0), (10.0, 0.5)):
        everything = roughness(wind)
        given = np.sqrt(drawn * everything[:2]), (1 - drawn) * everything, everything
        of_facets = np.array([summed(levels[0], *lit, eye, *given) for eye in eyes])
        whole = of_facets.sum(axis=1)
        for is_long in (False, True):
            found = shaded(light, eyes, *given, is_long)
            expected = reference(levels, bright, *lit, eyes, *given, is_long)
            assert (np.abs(found - expected) < 0.004 * whole[:, None]).all()
            assert (np.abs(found - of_facets)[:, 1:] < 0.01 * whole[:, None]).all()
            off = np.abs(found.sum(axis=1) / whole - 1)
            assert (off < (four_lobes if is_long else one_lobe)).all()
