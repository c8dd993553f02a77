"""The pattern of foam: normally distributed, and covering what foam's strength says however much a pixel averages."""

import runpy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import kstest

from ocean import resources
from ocean.waves.lace import (
    SIDE,
    SOFTNESS,
    SOFTNESS_BELOW,
    ageing,
    bubbles,
    coverage,
    layers,
    levels,
    pattern,
)
from ocean.waves.systems import unit


def test_values_are_standard_normal():
    values = pattern()
    assert values.shape == (SIDE, SIDE)
    assert kstest(values.ravel(), "norm").statistic < 1e-4


def test_the_picture_is_what_its_script_makes():
    """To a few ranks, by which libraries' transforms may differ."""
    picture = resources.folder("assets") / "lace.png"
    made = runpy.run_path(str(picture.with_name("make_lace.py")))["make_ranks"]()
    values = pattern()
    np.testing.assert_allclose(ndtr(values), (made + 0.5) / 2**16, atol=2.0**-14)
    assert values.std() == pytest.approx(1, abs=1e-4)


def test_levels_are_means_over_blocks():
    values = pattern()
    for power, level in enumerate(levels()):
        blocks = values.reshape(SIDE >> power, 1 << power, SIDE >> power, 1 << power)
        expected = np.stack([blocks.mean(axis=(1, 3)), (blocks**2).mean(axis=(1, 3))], axis=-1)
        np.testing.assert_allclose(level, expected, atol=1e-12)
    assert level.shape == (1, 1, 2)


def test_it_repeats_without_a_seam():
    """Steps over the edge are no larger than inside."""
    values = pattern()
    for axis in (0, 1):
        inside = np.abs(np.diff(values, axis=axis)).mean()
        seam = np.abs(values.take(0, axis) - values.take(-1, axis)).mean()
        assert seam == pytest.approx(inside, rel=0.25)


@given(
    st.floats(0, 60),
    st.floats(0, 360),
    st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)),
    st.tuples(st.floats(-100, 100), st.floats(-100, 100)),
)
def test_layers_stay_where_they_are_in_the_world(speed, direction, origin, moved):
    """Weights' squares add to 1, and a point of the world reads the same texel from wherever it is seen."""
    here = layers(speed, direction, origin)
    there = layers(speed, direction, (origin[0] + moved[0], origin[1] + moved[1]))
    assert (here[:, 6] ** 2).sum() == pytest.approx(1.0)
    for a, b in zip(here, there, strict=True):
        difference = a[4:6] + a[:4].reshape(2, 2) @ moved - b[4:6]
        np.testing.assert_allclose(difference, np.rint(difference), atol=1e-6)


def test_strong_winds_draw_streaks_along_themselves():
    """None in a breeze; from a gale on most of the variance lies in a layer that is long along the wind."""
    assert layers(11.0, 75.0, (0.0, 0.0))[-1, 6] == 0
    strong = layers(22.0, 75.0, (0.0, 0.0))[-1]
    assert strong[6] ** 2 == pytest.approx(0.8)
    along, across = np.array(unit(75.0)), np.array(unit(165.0))
    matrix = strong[:4].reshape(2, 2)
    assert np.linalg.norm(matrix @ across) > 7 * np.linalg.norm(matrix @ along)


@given(st.floats(0, 60), st.floats(0, 1))
def test_foam_of_every_age_covers_its_share(speed, foam):
    """Weights' squares add to 1, fresh foam is in no streaks, and there are the more the older it is."""
    weights = layers(speed, 75.0, (0.0, 0.0))[:, 6]
    everywhere, drawn = ageing(foam, weights[-1])
    assert ((everywhere * weights[:-1]) ** 2).sum() + (drawn * weights[-1]) ** 2 == pytest.approx(1.0)
    assert ageing(1.0, weights[-1])[1] == 0
    assert drawn <= ageing(foam / 2, weights[-1])[1] <= 1


@pytest.mark.parametrize("foam", [0.01, 0.05, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("block", [1, 4, 16, 64, SIDE])
def test_coverage_keeps_its_mean_at_every_distance(foam, block):
    """Over footprints of any size, foam of a strength covers that share of the sea: exactly where none or all of the
    pattern is averaged, and to 4 % or a thousandth in between, where what a footprint holds is not quite normal."""
    values = pattern().reshape(SIDE // block, block, SIDE // block, block)
    mean, square = values.mean(axis=(1, 3)), (values**2).mean(axis=(1, 3))
    for share in (coverage, bubbles):
        found = share(foam, mean, square - mean**2).mean()
        assert found == pytest.approx(foam, **({"rel": 1e-3} if block in (1, SIDE) else {"rel": 0.04, "abs": 1e-3}))


@given(st.floats(0.001, 0.999), st.floats(-3, 3), st.floats(0.01, 1))
def test_bubbles_are_softer_than_the_foam_above(foam, resolved, step):
    """Where the pattern rises, so do both, and the bubbles by less on the way from all foam to none."""
    here, there = (np.array([coverage(foam, r, 0.0), bubbles(foam, r, 0.0)]) for r in (resolved, resolved + step))
    assert (there >= here).all()
    slopes = [(of(0.5, 1e-3, 0.0) - of(0.5, -1e-3, 0.0)) / 2e-3 for of in (coverage, bubbles)]
    assert slopes[1] < 0.6 * slopes[0]


def test_without_foam_nothing_shows():
    assert not bubbles(0.0, pattern(), 0.0).any()
    assert not coverage(0.0, pattern(), 0.0).any()


def lace_program(ctx, main):
    """Foam's shader with a `main` that answers in the buffer `given`, an invocation for each of its rows."""
    from ocean.gpu.shaders import SHADERS, Source

    bindings, text = (Source(SHADERS, name, {}).text for name in ("common/bindings.glsl", "foam/lace.glsl"))
    return ctx.compute_shader(f"""#version 430
{bindings}
uniform vec4 lace[6];
uniform int lace_layers;
{text}
layout(local_size_x = 1) in;
layout(std430, binding = STORAGE_POINTS) buffer Given {{ vec4 given[]; }};
{main}""")


def test_the_shaders_lace_is_the_twins(ctx):
    """Random foam, means and variances: the polynomials' 3e-3 of the quantile and 3e-4 of the distribution, which the
    least variance makes 3e-3 / SOFTNESS times the density, 0.4."""
    from ocean.gpu.bindings import Storage

    rng = np.random.default_rng(3)
    given_ = np.stack(
        [rng.uniform(0, 1, 4096), rng.normal(0, 1, 4096), rng.uniform(0, 1, 4096), 0 * rng.random(4096)], 1
    )
    given_[:64, 0] = 0
    program = lace_program(
        ctx,
        """
void main() {
    uint i = gl_GlobalInvocationID.x;
    float foam = given[i].x;
    vec2 pattern = given[i].yz;
    given[i] = vec4(ageing(foam), covered(foam, pattern), bubbles_below(foam, pattern));
}
""",
    )
    points = ctx.buffer(given_.astype("f4").tobytes())
    points.bind_to_storage_buffer(Storage.POINTS)
    rows = layers(16.0, 75.0, (0.0, 0.0))
    program["lace"] = [tuple(row) for row in rows.reshape(-1, 4)]
    program.run(len(given_))
    ctx.finish()
    aged, found = np.split(np.frombuffer(points.read(), "f4").reshape(-1, 4), 2, axis=1)
    for item in (points, program):
        item.release()
    np.testing.assert_allclose(aged.T, ageing(given_[:, 0].astype("f4"), rows[-1, 6]), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found[:, 0], coverage(*given_[:, :3].T), atol=3e-3 / SOFTNESS * 0.4 * 1.1 + 4e-4)
    np.testing.assert_allclose(found[:, 1], bubbles(*given_[:, :3].T), atol=3e-3 / SOFTNESS_BELOW * 0.5 + 4e-4)


def test_the_haze_goes_without_the_finest_layer(ctx):
    """Where that reads the pattern changes the foam alone, and what the two have of it adds up: it counts as variance,
    as all layers do over the widest footprint."""
    from ocean.gpu.bindings import Sampler, Storage
    from ocean.render.surface import lace_texture

    answer = "vec4 p = given[gl_GlobalInvocationID.x]; given[gl_GlobalInvocationID.x] = lace_at(p.w, p.xy, p.z);"
    program = lace_program(ctx, f"void main() {{ {answer} }}")
    given_ = np.random.default_rng(5).uniform((-300, -300, 0, 0), (300, 300, 3, 1), (2048, 4)).astype("f4")
    given_[:16, 2] = 1e6
    rows, texture = layers(22.0, 75.0, (0.0, 0.0)), lace_texture(ctx)
    texture.use(Sampler.LACE)
    program["lace_layers"] = 3
    found = []
    for shift in (0.0, 0.3):
        points = ctx.buffer(given_.tobytes())
        points.bind_to_storage_buffer(Storage.POINTS)
        rows[0, 4:6] = shift
        program["lace"] = [tuple(row) for row in rows.reshape(-1, 4)]
        program.run(len(given_))
        ctx.finish()
        found.append(np.frombuffer(points.read(), "f4").reshape(-1, 4).copy())
        points.release()
    for item in (program, texture):
        item.release()
    here, there = found
    np.testing.assert_allclose(here[:, 2:], there[:, 2:], atol=1e-5)
    assert np.abs(here[:, 0] - there[:, 0]).max() > 0.1
    weights = (ageing(given_[:, 3], rows[-1, 6])[0] * rows[0, 6]) ** 2
    assert (here[:, 3] >= weights - 1e-5).all()
    np.testing.assert_allclose(here[:16], np.tile([0.0, 1.0, 0.0, 1.0], (16, 1)), atol=0.02)
