"""The pattern of foam: normally distributed, with the coverage that the strength of foam demands, at any footprint of a
pixel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import kstest

from ocean.gpu.bindings import Sampler
from ocean.render.surface import foam_pattern_texture
from ocean.waves.systems import unit
from ocean.waves.whitecaps import LAYERS, SIDE, layers, levels, patterns
from tests.reference.foam import SOFTNESS, SOFTNESS_BELOW, ageing, bubbles, coverage, torn
from tools.assets.make_lace import make_lace, make_lumps, make_streaks

from ..render.probe import probed


def test_values_are_standard_normal():
    for values in patterns():
        assert values.shape == (SIDE, SIDE)
        assert kstest(values.ravel(), "norm").statistic < 1e-4


def test_pictures_agree_with_their_script():
    """The tolerance is a few ranks, because FFT libraries round differently."""
    for values, make in zip(patterns(), (make_lumps, make_lace, make_streaks), strict=True):
        np.testing.assert_allclose(ndtr(values), (make() + 0.5) / 2**16, atol=2.0**-14)
        assert values.std() == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("index", [0, 1, 2])
def test_the_pattern_repeats_without_a_seam(index):
    """Steps over the edge are no larger than inside."""
    values = patterns()[index]
    for axis in (0, 1):
        inside = np.abs(np.diff(values, axis=axis)).mean()
        seam = np.abs(values.take(0, axis) - values.take(-1, axis)).mean()
        assert seam < 1.25 * inside


@pytest.mark.parametrize("foam", [0.03, 0.3])
def test_tearing_keeps_the_coverage_of_foam(rng, foam):
    """Patches at random points lie on a pattern that is independent of them. Their mean coverage agrees to 4 standard
    errors."""
    side, walls = LAYERS[0][0], patterns()[0][::16, ::16]
    position = (np.stack(np.meshgrid(*2 * [np.arange(len(walls))]), axis=-1) + 0.5) * side / len(walls)
    found = []
    for place, way in zip(rng.uniform(0, side, (300, 2)), rng.normal(0, 4, (300, 2)), strict=True):
        away = np.mod(torn(position, walls, walls.T, tuple(way)) - place, side) / side
        found.append(coverage(np.prod(away, axis=-1) < foam, walls, 0.0).mean())  # patch in a corner, of area below
    area = foam * (1 - np.log(foam))
    expected = np.mean(coverage(1.0, walls, 0.0)) * area
    assert np.mean(found) == pytest.approx(expected, abs=4 * np.std(found) / np.sqrt(300) + 1e-3)


@given(
    st.floats(0, 60),
    st.floats(0, 360),
    st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)),
    st.tuples(st.floats(-100, 100), st.floats(-100, 100)),
)
def test_layers_stay_at_their_places_in_the_world(speed, direction, origin, moved):
    """The squares of the weights add up to 1, and a point of the world reads the same texel from any origin."""
    here = layers(speed, direction, origin)
    there = layers(speed, direction, (origin[0] + moved[0], origin[1] + moved[1]))
    assert (here[:, 6] ** 2).sum() == pytest.approx(1.0)
    for a, b in zip(here, there, strict=True):
        difference = a[4:6] + a[:4].reshape(2, 2) @ moved - b[4:6]
        np.testing.assert_allclose(difference, np.rint(difference), atol=1e-6)


def test_streaks_lie_along_strong_winds():
    """A breeze draws no streaks. From a gale on, most of the variance lies in a layer that is long along the wind."""
    assert layers(11.0, 75.0, (0.0, 0.0))[-1, 6] == 0
    strong = layers(22.0, 75.0, (0.0, 0.0))[-1]
    assert strong[6] ** 2 == pytest.approx(0.8)
    along, across = np.array(unit(75.0)), np.array(unit(165.0))
    matrix = strong[:4].reshape(2, 2)
    assert np.linalg.norm(matrix @ across) > 4 * np.linalg.norm(matrix @ along)


@given(st.floats(0, 60), st.floats(0, 1))
def test_foam_of_every_age_covers_its_share(speed, foam):
    """The squares of the weights add up to 1. Fresh foam has no streaks; their weight grows with age."""
    weights = layers(speed, 75.0, (0.0, 0.0))[:, 6]
    everywhere, drawn = ageing(foam, weights[-1])
    assert ((everywhere * weights[:-1]) ** 2).sum() + (drawn * weights[-1]) ** 2 == pytest.approx(1.0)
    assert ageing(1.0, weights[-1])[1] == 0
    assert drawn <= ageing(foam / 2, weights[-1])[1] <= 1


@pytest.mark.parametrize("foam", [0.01, 0.05, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("block", [1, 4, 16, 64, SIDE])
@pytest.mark.parametrize("index", [0, 1, 2])
def test_coverage_keeps_its_mean_at_every_distance(index, foam, block):
    """Foam covers a fraction of the sea equal to its strength, over footprints of any size. Coverage is exact if all or
    none of the pattern is averaged. Else the averaged part is not quite normal, and coverage agrees to 4 % or 0.001."""
    values = patterns()[index].reshape(SIDE // block, block, SIDE // block, block)
    mean, square = values.mean(axis=(1, 3)), (values**2).mean(axis=(1, 3))
    for share in (coverage, bubbles):
        found = share(foam, mean, square - mean**2).mean()
        assert found == pytest.approx(foam, **({"rel": 1e-3} if block in (1, SIDE) else {"rel": 0.04, "abs": 1e-3}))


UNIFORMS = "uniform vec4 pattern_layers[6];\nuniform int pattern_layer_count;"


@pytest.fixture
def run_pattern(ctx, releasing):
    """Return a function that runs statements of GLSL with the foam shader on each row `p` of numbers, (n, 4)."""

    def run(statements, given, **uniforms):
        statements = f"vec4 p = given[i]; {statements} sink[i] = p;"
        files = ("foam/pattern.glsl",)
        return probed(ctx, files, statements, given.astype("f4"), 1, (), UNIFORMS, **uniforms)[:, 0]

    releasing(foam_pattern_texture(ctx)).use(Sampler.FOAM_PATTERNS)
    return run


def test_the_shader_pattern_equals_the_reference(run_pattern, rng):
    """Random foam, means and variances agree to the errors of the polynomials: 3e-3 for quantiles, 3e-4 for the
    distribution. At the least variance, the error of a quantile counts 3e-3 / SOFTNESS times the density, 0.4."""
    given_ = np.stack([rng.uniform(0, 1, 4096), rng.normal(0, 1, 4096), rng.uniform(0, 1, 4096), np.zeros(4096)], 1)
    given_[:64, 0] = 0
    rows = layers(16.0, 75.0, (0.0, 0.0))
    statements = "p = vec4(ageing(p.x), covered(p.x, p.yz), bubbles_below(p.x, p.yz));"
    found = run_pattern(statements, given_, pattern_layers=[tuple(row) for row in rows.reshape(-1, 4)])
    np.testing.assert_allclose(found[:, :2].T, ageing(given_[:, 0].astype("f4"), rows[-1, 6]), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found[:, 2], coverage(*given_[:, :3].T), atol=3e-3 / SOFTNESS * 0.4 * 1.1 + 4e-4)
    np.testing.assert_allclose(found[:, 3], bubbles(*given_[:, :3].T), atol=3e-3 / SOFTNESS_BELOW * 0.5 + 4e-4)
    assert not found[:64, 2:].any()


def test_haze_omits_the_finest_layer(run_pattern):
    """The finest layer changes foam alone. For the haze it counts as variance, as all layers do over the widest
    footprint."""
    given_ = np.random.default_rng(5).uniform((-300, -300, 0, 0), (300, 300, 3, 1), (2048, 4)).astype("f4")
    given_[:16, 2] = 1e6
    rows, found = layers(22.0, 75.0, (0.0, 0.0)), []
    for shift in (0.0, 0.3):
        rows[1, 4:6] = shift
        uniforms = {"pattern_layer_count": 3, "pattern_layers": [tuple(row) for row in rows.reshape(-1, 4)]}
        found.append(run_pattern("p = pattern_of(p.w, layers_at(p.xy, p.z));", given_, **uniforms))
    here, there = found
    np.testing.assert_allclose(here[:, 2:], there[:, 2:], atol=1e-5)
    assert np.abs(here[:, 0] - there[:, 0]).max() > 0.1
    weights = (ageing(given_[:, 3], rows[-1, 6])[0] * rows[1, 6]) ** 2
    assert (here[:, 3] >= weights - 1e-5).all()
    np.testing.assert_allclose(here[:16], np.tile([0.0, 1.0, 0.0, 1.0], (16, 1)), atol=0.02)


def test_layers_read_their_pattern(run_pattern, rng):
    """Places are centres of texels, where texture units do not interpolate. Over larger
    footprints the averaged part counts as variance."""
    power = rng.integers(0, 6, 500)
    texel, index = rng.integers(-SIDE, 2 * SIDE, (2, 500)) >> power, rng.integers(0, 3, 500)
    given_ = np.column_stack([*((texel + 0.5) * 2.0**power), 2.0**power, index])
    read = [(1 / SIDE, 0, 0, 1 / SIDE), (0, 0, 1, 1)] * 3
    found = run_pattern("p.xy = layer_at(int(p.w), p.xy, p.z);", given_, pattern_layers=read)
    made = levels()
    asked = zip(power, index, *texel % (SIDE >> power), strict=True)
    expected = np.array([made[level][layer, y, x] for level, layer, x, y in asked])
    np.testing.assert_allclose(found[:, 0], expected[:, 0], atol=2e-3)
    np.testing.assert_allclose(found[:, 1], expected[:, 1] - expected[:, 0] ** 2, atol=2e-2)
