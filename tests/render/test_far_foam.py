"""Statistics of far foam in the shader against its reference, and the tearing and drift of foam."""

from dataclasses import replace

import numpy as np

from ocean.gpu.bindings import Block
from ocean.render.camera import view_block, write_foam_pattern
from ocean.sea.foam import FoamMap
from ocean.settings import load_settings, with_values
from ocean.waves.slopes import Roughness
from ocean.waves.whitecaps import Births
from tests.reference import foam as reference
from tests.reference.foam_light import opacity, thick_share

from .probe import probed

FOAM = """
    vec4 row = given[i];
    vec2 known = refine_strain(row.xy, row.zw), away = torn(row.xy, vec2[3](row.zz, row.ww, row.xy));
    sink[2u * i] = vec4(known, 0.0, 0.0);
    sink[2u * i + 1u] = vec4(mean_foam(known), away.x);
    sink[2u * i].z = away.y;
"""


def defines_of(foam):
    return "\n".join(f"#define {name} {value}" for name, value in foam.defines.items())


def test_the_far_foam_shader_agrees_with_the_reference(ctx, releasing, rng):
    """Results for random strains and variances, of longer and of shorter waves, agree to float32; the shader's normal
    distribution agrees to 3e-4."""
    births = Births((1.0,), (0.5,), -1.9, 8.0, apart=0.7, spilled=(2.5, -1.25))
    foam = releasing(FoamMap(ctx, 16, levels=1))
    foam.prepare((0.0, 0.0), 0.0, 0.9, 1.0, births)
    foam.bind()
    given = rng.normal(0, 1.5, (2000, 4)).astype("f4")
    given[:, 1], given[:, 3] = rng.uniform(0, 1, 2000), rng.uniform(0.01, 3, 2000)
    given[:500, :2] = 0
    found = probed(ctx, ("common/cascades.glsl", "foam/sample.glsl"), FOAM, given[:, None], 2, (), defines_of(foam))
    refined, means = found.swapaxes(0, 1)
    torn = np.stack([means[:, 3], refined[:, 2]], axis=1)
    np.testing.assert_allclose(torn, reference.torn(given[:, :2], *given[:, 2:].T, births.spilled), atol=1e-5)
    known, shown = reference.refine_strain(*given.T.astype("f8"))
    np.testing.assert_allclose(refined[:, 0], known, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(refined[:, 1], shown, rtol=1e-5, atol=1e-6)
    film, thick, bare = means[:, :3].T
    for found, start in ((film, births.start), (thick, births.start - births.apart)):
        expected = reference.mean_foam(known / births.steepness, replace(births, start=start), shown)
        np.testing.assert_allclose(found, expected, atol=4e-4)
    assert (thick <= film).all()
    np.testing.assert_allclose(bare, reference.bare_bubbles(shown), rtol=1e-5)


FOAM_PATTERN = """
    vec4 pattern = given[3u * i + 1u], rest = given[3u * i + 2u];
    vec2[3] layers = vec2[3](pattern.xy, pattern.zw, rest.xy);
    sink[i] = vec4(foam_cover(given[3u * i].xy, given[3u * i].zw, 0.0, vec2(0.0), true, layers), 0.0);
"""


def patterned_view(settings, wind_run):
    """Return the view's block after the wind has moved by `wind_run` [m]."""
    view = view_block(settings.view, 1.5, (0, 1, 0), Roughness(np.zeros((256, 4)), 0.1, 1.0, np.zeros(1)), 1e4, 100.0)
    write_foam_pattern(view, settings, wind_run)
    return view


def test_haze_keeps_the_foam_of_its_place(ctx, releasing, rng):
    """Foam has the map's value where the foam lies, and streaks lie between. The haze below it has the
    map's value and, for the larger part, that at the point itself. The test looks at middles of texels; the tolerance
    is the error of the polynomials for the quantile and the distribution."""
    births = Births((1.0,), (0.0,), -1.9, 8.0, apart=0.7, thinning=1.5, streaks=(0.3, 0.1))
    foam = releasing(FoamMap(ctx, 16, side=16.0, levels=1))
    foam.prepare((0.0, 0.0), 0.0, 0.9, 1.0, births)
    strength = rng.uniform(0, 1, (16, 16)).astype("f2")
    foam.texture.write(np.stack([strength, *(0 * strength,) * 3], axis=-1).tobytes())  # at time 0 the gain is 1
    foam.bind()
    settings = with_values(load_settings(), {"sea.wind.speed": 16.0})
    view = patterned_view(settings, np.zeros(2))
    block = releasing(ctx.buffer(view.tobytes()))
    block.bind_to_uniform_block(Block.VIEW)
    texels = rng.integers(-8, 8, (500, 2, 2))  # (the point itself, the point of its foam on the map; x, z)
    means, variances = rng.normal(0, 1, (3, 500)), rng.uniform(0, 1, (3, 500))
    given = np.zeros((500, 3, 4), "f4")
    given[:, 0] = texels.reshape(500, 4) + 0.5
    given[:, 1:].reshape(500, 8)[:, :6] = np.stack([means, variances], axis=2).transpose(1, 0, 2).reshape(500, 6)
    files = "common/cascades.glsl", "foam/sample.glsl"
    found = probed(ctx, files, FOAM_PATTERN, given, 1, (), defines_of(foam))[:, 0]
    x, z = np.moveaxis(texels % 16, 2, 0)
    born, lies = strength[z, x].T.astype("f8")
    np.testing.assert_allclose(found[:, 0], 0.3 + 0.7 * lies, atol=1e-6)

    own = view["pattern_layers"].reshape(3, 8)[:, 6:7]
    everywhere, streaks = reference.ageing(lies, own[2, 0])
    weights = np.stack([everywhere, everywhere, streaks]) * own
    mean, variance = (weights * means).sum(axis=0), (weights**2 * variances).sum(axis=0)
    shares = (lies, thick_share(lies, births.thinning))
    whole = [share + streaks * (1 - share) for share, streaks in zip(shares, births.streaks, strict=True)]
    film, thick = (reference.coverage(share, mean, variance) for share in whole)
    error = 3e-4 + 0.4 * 3e-3 / reference.SOFTNESS
    np.testing.assert_allclose(found[:, 1], opacity(film, thick), atol=1.1 * error)

    mean, variance = mean - weights[1] * means[1], variance + weights[1] ** 2 * (1 - variances[1])
    carried, left = (reference.bubbles(foam_, mean, variance) for foam_ in (lies, born))
    np.testing.assert_allclose(found[:, 2], carried + reference.LEFT_BELOW * (left - carried), atol=error)
    assert np.abs(left - carried).max() > 0.3


def test_foam_drifts_with_the_wind(rng):
    """Foam that drifts with 3 % of the wind keeps its position in the pattern, in each layer."""
    settings, run = with_values(load_settings(), {"sea.wind.speed": 20.0}), rng.uniform(-1e5, 1e5, 2)
    here, there = (patterned_view(settings, r)["pattern_layers"].reshape(3, 8) for r in (0 * run, run))
    for before, now in zip(here.astype("f8"), there.astype("f8"), strict=True):
        moved = now[:4].reshape(2, 2) @ (0.03 * run) + now[4:6] - before[4:6]
        np.testing.assert_allclose(moved, np.rint(moved), atol=1e-3)
    assert (here[:, :4] == there[:, :4]).all()


def test_strain_of_a_triangle_equals_the_strain_of_its_map(ctx, rng):
    """The steps have any length and direction, but are not parallel. The tolerance is that of float32, divided by their
    area."""
    n = 1000
    strained = rng.normal(0, 0.3, (n, 2, 2))
    steps = rng.normal(0, 1, (n, 2, 2))  # (step, axis)
    moved = steps + np.einsum("nij,nsj->nsi", strained, steps)
    given = np.concatenate([steps, moved], axis=1).reshape(n, 2, 4).astype("f4")
    call = "mesh_strain(mat2(given[2u * i].xy, given[2u * i].zw), mat2(given[2u * i + 1u].xy, given[2u * i + 1u].zw))"
    statements = f"sink[i] = vec4({call}, mesh_strain(mat2(0.0), mat2(1.0)), 0.0, 0.0);"
    found = probed(ctx, ("surface/visibility_sample.glsl",), statements, given, 1)[:, 0]
    lengths = np.linalg.norm(steps, axis=2).prod(axis=1) * (1 + np.abs(strained).max(axis=(1, 2)))
    error = 2.0**-20 * lengths / np.abs(np.linalg.det(steps))
    assert (np.abs(found[:, 0] - np.trace(strained, axis1=1, axis2=2)) <= error).all()
    assert (found[:, 1] == 0).all()
