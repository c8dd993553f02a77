"""The water's shaders against their references."""

import numpy as np

from ocean.gpu.bindings import Block, Sampler
from ocean.light.optics import Seawater
from ocean.render.camera import LAYOUT
from ocean.settings import with_values
from tests.reference import crests, hidden, reflection, water
from tests.reference.slope_filters import BLUR, lost_octaves

from ..light.test_reflection import direction
from .probe import probed

REFLECTION = """
    vec3 V = given[5u * i].xyz, L = given[5u * i + 1u].xyz, covariance = given[5u * i + 2u].xyz;
    vec2 slope = given[5u * i + 3u].xy, lean = leaning(V, covariance);
    float m = facing(V, slope), s = facing_deviation(V, lean), seen = visible_area(m, s);
    Mirror facets = mirror(slope, covariance.x + covariance.y, lean, m, s);
    float sun_ = sun_reflection(V, L, Glints(slope, covariance, seen), lit_share(V, L, given[5u * i + 4u].xyz));
    sink[3u * i] = vec4(seen, sun_, facets.reflectance, fresnel(dot(V, normalize(V + L)), 1.0 / INDEX));
    sink[3u * i + 1u] = vec4(facets.seen, facets.slope);
    sink[3u * i + 2u] = vec4(facets.apart, 0.0, 0.0);
"""


def test_the_reflection_shader_agrees_with_the_reference(ctx):
    """Eyes, suns, slopes and roughness are random; a sun whose middle has set counts too. Smith's rational form has an
    error of 0.6 % of s in the visible area and in both parts of the lit share. Each part is at least 0.4 s, and the
    error of one counts. The density of slopes far from their mean is rounded, to a thousandth of the largest
    density."""
    rng = np.random.default_rng(12)
    n = 4000
    eye, sun = (
        np.stack([direction(*a) for a in zip(rng.uniform(low, 89, n), rng.uniform(0, 360, n), strict=True)])
        for low in (2, -0.27)
    )
    sun[:100] = [direction(*a) for a in zip(rng.uniform(-0.27, 0, 100), rng.uniform(0, 360, 100), strict=True)]
    a, b = np.exp(rng.uniform(np.log(1e-3), np.log(0.1), (2, n)))
    covariance = np.stack([a, b, np.sqrt(a * b) * rng.uniform(-0.8, 0.8, n)], axis=-1)
    slope = rng.normal(0, 0.1, (n, 2))
    given = np.zeros((n, 5, 4), "f4")
    given[:, 0, :3], given[:, 1, :3], given[:, 2, :3], given[:, 3, :2] = eye, sun, covariance, slope
    given[:, 4, :3] = covariance * rng.uniform(1, 3, (n, 1))
    eye, sun, covariance, slope = (given[:, 0, :3], given[:, 1, :3], given[:, 2, :3], given[:, 3, :2])
    eye, sun, covariance, slope, everything = (
        array.astype("f8") for array in (eye, sun, covariance, slope, given[:, 4, :3])
    )
    found = probed(ctx, ("surface/reflection.glsl",), REFLECTION, given, 3)

    s = np.sqrt(reflection.along(eye, covariance))
    area = reflection.visible_area(eye, slope, covariance)
    shown = area > 0.05 * s  # otherwise hardly a facet is visible
    assert shown.mean() > 0.95
    assert (np.abs(found[:, 0, 0] - area)[shown] <= 0.0062 * s[shown] + 1e-6).all()
    expected = reflection.sun_reflection(eye, sun, slope, covariance, everything)
    assert (expected[shown & (sun[:, 1] < 0)] > 0).sum() > 10
    error = np.abs(found[:, 0, 1] - expected)
    off = 0.0062 * (s / area + 1 / 0.4) + 1e-3
    assert (error <= off * expected + 1e-3 * expected[shown].max())[shown].all()
    reflectance, mirrored, apart = reflection.mirror(eye, slope, covariance)
    np.testing.assert_allclose(found[shown, 0, 2], reflectance[shown], rtol=2e-3, atol=1e-4)
    np.testing.assert_allclose(found[shown, 1, 2:], mirrored[shown], atol=1e-4)
    np.testing.assert_allclose(found[shown, 2, :2], apart[shown], atol=1e-4)
    half = (eye + sun) / np.linalg.norm(eye + sun, axis=1, keepdims=True)
    np.testing.assert_allclose(found[:, 0, 3], water.fresnel((eye * half).sum(axis=1), 1 / water.INDEX), rtol=1e-4)
    np.testing.assert_allclose(found[shown, 1, :2], reflection.visible_slope(eye, slope, covariance)[shown], atol=1e-4)


MEETING = """
    Glints glints;
    vec4 face = given[5u * i];
    vec3 coarse = given[5u * i + 1u].xyz, V = given[5u * i + 2u].xyz;
    vec3 N = given[5u * i + 3u].xyz, covariance = given[5u * i + 4u].xyz;
    combine_with_mesh(face.xyz, coarse, face.w > 0.0, V, N, covariance, glints);
    sink[3u * i] = vec4(N, glints.slope.x);
    sink[3u * i + 1u] = vec4(covariance, glints.slope.y);
    sink[3u * i + 2u] = vec4(glints.covariance, glints.area);
"""


def test_combining_pixel_and_mesh_agrees_with_the_reference(ctx, rng):
    """Faces, normals, roughness and eyes are random. Smith's rational form of the visible area has an error of 0.6 % of
    s. Where mesh and maps show the same waves, the maps' normals do not change, so that the mesh's triangles stay
    invisible."""
    n, same = 3000, 200
    given = np.zeros((n, 5, 4), "f4")
    for row, tilt in ((0, (50, 89.9)), (2, (2, 89)), (3, (60, 89.9))):
        angles = zip(rng.uniform(*tilt, n), rng.uniform(0, 360, n), strict=True)
        given[:, row, :3] = [direction(*each) for each in angles]
    for row in (1, 4):
        a, b = np.exp(rng.uniform(np.log(1e-3), np.log(0.1), (2, n)))
        given[:, row, :3] = np.stack([a, b, np.sqrt(a * b) * rng.uniform(-0.8, 0.8, n)], axis=-1)
    given[:same, 4] = given[:same, 1]
    finer = rng.random(n) < 0.5
    given[:, 0, 3] = finer
    found = probed(ctx, ("surface/reflection.glsl", "surface/hidden.glsl"), MEETING, given, 3)
    np.testing.assert_array_equal(found[:same, 0, :3], given[:same, 3, :3])
    face, coarse, eye, normal, covariance = (given[:, i, :3].astype("f8") for i in range(5))
    expected = hidden.combine_with_mesh(face, coarse, finer, eye, normal, covariance)
    np.testing.assert_allclose(found[:, 0, :3], expected[0], atol=3e-6)
    np.testing.assert_allclose(found[:, 1, :3], expected[1], rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(found[:, :2, 3], expected[2], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found[:, 2, :3], expected[3], rtol=1e-5, atol=1e-7)
    deviation = np.sqrt(np.maximum(*(reflection.along(eye, slopes) for slopes in (covariance, coarse))))
    assert (np.abs(found[:, 2, 3] - expected[4]) <= 0.0062 * deviation + 1e-6).all()


CREST = """
    vec3 N = given[5u * i].xyz, V = given[5u * i + 1u].xyz, L = given[5u * i + 2u].xyz;
    vec3 waves = vec3(given[5u * i].w, given[5u * i + 1u].w, given[5u * i + 2u].w);
    vec2 wave = wave_at(waves.x, waves.y, waves.z);
    sink[2u * i] = vec4(wave, 0.0, 0.0);
    sink[2u * i + 1u] = vec4(crest_light(N, V, L, wave, given[5u * i + 3u].xyz, given[5u * i + 4u].xyz), 0.0);
"""


def test_the_crest_shader_agrees_with_the_reference(ctx, rng):
    """Results for random faces before the eye, waves and waters agree to float32. Tolerances cover the cancellation
    between the two phases of scattering, and in the arc cosine, for which drivers have polynomials."""
    n = 3000
    given = np.zeros((n, 5, 4), "f4")
    azimuth = rng.uniform(0, 360, n)
    rows = zip(rng.uniform(45, 89, n), azimuth, rng.uniform(1, 60, n), rng.uniform(1, 80, n), strict=True)
    away = rng.uniform(-80, 80, (2, n))
    given[:, :3, :3] = [
        (direction(up, a), direction(sight, a + b), direction(sun, a + 180 + c))
        for (up, a, sight, sun), b, c in zip(rows, *away, strict=True)
    ]
    given[:, 0, 3], given[:, 1, 3], given[:, 2, 3] = (
        *(rng.normal(0, 1.5, n), rng.uniform(0.01, 0.6, n), rng.normal(0.1, 0.2, n)),
    )
    given[:, 3:, :3] = rng.uniform(0.01, 0.6, (n, 2, 3))
    found = probed(ctx, ("surface/reflection.glsl", "surface/crest.glsl"), CREST, given, 2)
    given = given.astype("f8")
    wave = np.stack(crests.wave_at(given[:, 0, 3], given[:, 1, 3], given[:, 2, 3]), axis=-1)
    # Where strain is negative, its modulus is subtracted from the hypotenuse, which loses digits of the height.
    np.testing.assert_allclose(found[:, 0, :2], wave, rtol=1e-3, atol=2.0**-21 * np.abs(given[:, 0, 3]).max())
    light = crests.crest_light(*(given[:, i, :3] for i in range(3)), *wave.T, given[:, 3, :3], given[:, 4, :3])
    assert (light > 1e-4).any(axis=-1).mean() > 0.05
    np.testing.assert_allclose(found[:, 1, :3], light, rtol=2e-3, atol=2e-6)


UNRESOLVED = """
    vec4 sides = given[2u * i];
    sink[i] = unresolved_slopes(sides.x, sides.y, given[2u * i + 1u].xy);
"""


def test_slopes_beyond_a_footprint_agree_with_the_reference(ctx, releasing, rng):
    """The table holds a variance that falls with log k, so that the result shows both cutoffs of the filter. Footprints
    are up to 200 times as long as wide. The tolerance of 1e-3 is 0.2 % of a cutoff, for float32 in the logarithms."""
    n, anisotropy, samples = 2000, 8.0, 4097
    given = np.zeros((n, 2, 4), "f4")
    given[:, 0, 0] = 10 ** rng.uniform(-2, 1, n)
    given[:, 0, 1] = given[:, 0, 0] * 10 ** rng.uniform(0, 2.3, n)
    turn = rng.uniform(0, 2 * np.pi, n)
    given[:, 1, 0], given[:, 1, 1] = np.cos(turn), np.sin(turn)
    view = np.zeros((), LAYOUT)
    view["anisotropy"], view["grid_cutoff"] = anisotropy, 1e3
    block = releasing(ctx.buffer(view.tobytes()))
    block.bind_to_uniform_block(Block.VIEW)
    table = np.linspace(6.0, 0.0, samples)[:, None] * (1.0, 1.0, 0.0, 1.0)  # over log10 k from -3 to 3
    texture = releasing(ctx.texture((samples, 1), 4, table.astype("f4").tobytes(), dtype="f4"))
    texture.repeat_x = texture.repeat_y = False
    texture.use(Sampler.SLOPES)
    found = probed(ctx, ("surface/water.glsl",), UNRESOLVED, given, 1, ())[:, 0]
    shorter, longer = given[:, 0, :2].astype("f8").T
    side = np.maximum(shorter, longer / anisotropy)
    lengthwise, across = (3 - np.log10(BLUR / side * 0.5**lost) for lost in lost_octaves(np.log2(longer / side)))
    x, z, more = np.cos(turn), np.sin(turn), lengthwise - across
    expected = [across + more * x * x, across + more * z * z, more * x * z, across + 0.5 * more]
    np.testing.assert_allclose(found, np.stack(expected, axis=-1), atol=1e-3)


def test_uniforms_of_light_follow_chlorophyll(make_renderer):
    """The shaders' block holds the reference's values and follows the setting."""
    renderer = make_renderer("water.chlorophyll=2")
    renderer.render(0.0)
    for c in (2.0, 0.05):
        renderer.apply(with_values(renderer.settings, {"water.chlorophyll": c}))
        renderer.render(0.0)
        block = np.frombuffer(renderer.light.block.buffer.read(), "f4")
        water = Seawater(c)
        below = water.particles(), water.attenuation(), water.beam_attenuation(), water.fading()
        for values in (water.albedo(), water.extinction(), water.scattering(), *below):
            rows = block.reshape(-1, 4)[:, : len(values)]
            assert np.isclose(rows, values, rtol=1e-5).all(axis=1).any()
