"""The sea on the GPU against its reference in float64."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.sea.blend import Blend, CascadeKey, jacobian_moments, make_spectrum, places
from ocean.sea.foam import foam_threshold
from ocean.settings import USUAL_SIZES, load_settings, with_values
from ocean.waves import statistics
from ocean.waves.amplitudes import wave_vectors
from ocean.waves.dispersion import angular_frequency
from ocean.waves.fields import FIELDS
from ocean.waves.tiles import copies, make_tiles
from ocean.waves.whitecaps import BIRTH_WIDTH, mean_foam

from ..seas import area_means, check_fields, reference_fields

DAY = 86_400.0


@pytest.mark.parametrize(
    ("overrides", "time"),
    [(["fft.size=256"], DAY), (["sea.depth=12", "sea.swell.height=1.5", "sea.wind.direction=300"], 7.0)],
)
def test_the_eight_fields_agree_with_the_reference(make_sea, overrides, time):
    check_fields(make_sea(*overrides), time, 1e-5)


@pytest.mark.slow
def test_the_largest_fields_agree_with_the_reference(make_sea):
    """The default, fused in registers, transforms a cascade of 4096, and so do backends with several passes for an
    axis, which devices without large work groups use. The test takes 7 GB."""
    sea = make_sea("fft.size=4096", "cascades.count=1")
    expected = reference_fields(sea.settings, DAY)
    for backend, is_fused in (("auto", True), ("four-step", False)):
        sea.apply(with_values(sea.settings, {"fft.backend": backend}))
        assert ("evolve+rows" in [one.name for one in sea.passes]) is is_fused
        check_fields(sea, DAY, 1e-5, expected)


@pytest.mark.parametrize(
    ("size", "backend"),
    [
        (96, "stockham-registers"),
        pytest.param(1000, "stockham-registers", marks=pytest.mark.slow),
        pytest.param(94, "bluestein", marks=pytest.mark.slow),  # two times a prime
        (90, "stockham-global"),
        (16, "numpy"),
    ],
)
def test_sizes_that_are_no_powers_of_two_agree_with_the_reference(make_sea, size, backend):
    sea = make_sea(f"fft.size={size}", f"fft.backend={backend}")
    check_fields(sea, DAY, 1e-5)
    assert all(field.any() for name in FIELDS for field in sea.fields()[name])


@pytest.mark.parametrize("time", [0.0, DAY])
def test_waves_run_down_wind_at_their_phase_speed(make_sea, time):
    """Between two frames, the phase of each strong wave moves as h(k, t) ~ h0(k) e^{-iwt}, at the start and after a
    day; waves against the wind are weak."""
    sea = make_sea("sea.wind.spreading=cos-2s", "sea.wind.spreading.s=80")
    step = 0.25
    transforms = []
    for t in (time, time + step):
        sea.update(t)
        transforms.append(np.fft.fft2(sea.fields()["height"][0].astype("f8")))
    cascade = make_spectrum(sea.settings).cascades[0]
    kx, kz = np.broadcast_arrays(*wave_vectors(cascade.key.tile, cascade.key.size))
    variance = cascade.variance.astype("f8")
    against = statistics.mirrored(variance)
    strong = (variance > 1e-3 * variance.max()) & (against < 1e-9 * variance)
    assert strong.sum() > 20
    turned = -np.angle(transforms[1] / transforms[0])[strong]
    w = angular_frequency(np.hypot(kx, kz)[strong], sea.settings.sea.depth)
    measured = w + (turned - w * step + np.pi) % (2 * np.pi) / step - np.pi / step
    assert np.median(np.abs(measured / w - 1)) < 0.01
    assert (np.abs(measured / w - 1) < 0.01).mean() > 0.95


@pytest.mark.parametrize(("smaller", "larger"), [(64, 128), (94, 360)])
def test_larger_maps_keep_the_waves_they_have(smaller, larger):
    """Each wave vector of the smaller size has the same draw, variance and motion, bit for bit."""
    small, large = (make_spectrum(load_settings(overrides=[f"fft.size={size}"])) for size in (smaller, larger))
    n = np.arange(1 - smaller // 2, smaller // 2)
    inner = np.ix_(n, n)
    for a, b in zip(small.cascades, large.cascades, strict=True):
        in_band = a.variance[inner] > 0
        assert in_band.any()
        for name in ("draw", "variance", "steps"):
            np.testing.assert_array_equal(getattr(a, name)[inner][in_band], getattr(b, name)[inner][in_band])


@given(st.integers(8, 2048).map(lambda half: 2 * half))
def test_the_mip_level_that_judges_breaking_exists(size):
    for index, tile in enumerate(make_tiles(4, 0.0)):
        assert size >> CascadeKey(tile, index, 1, size, 200.0, "finite-depth", 600.0).foam_lod(1.0) > 0


@pytest.mark.parametrize("size", [16, 94, *USUAL_SIZES[:-4]])
def test_foam_counts_waves_of_its_mip_level(size):
    """The test compares the power of Dxx + Dzz on the level that judges breaking, between its texels: in each third of
    the distances to the nearest texel, for the last two cascades together. It is exact if all sides down to that level
    are even. At an odd side weights differ from texel to texel, and the formula is within 0.5 %."""
    spectrum = make_spectrum(
        load_settings(overrides=[f"fft.size={size}", "cascades.blended=0"])
    )  # one copy of each tile
    found: np.ndarray = np.zeros(9)
    shown = [cascade for cascade in spectrum.cascades if spectrum.breaking_texel < cascade.key.tile.blurred]
    assert len(shown) == 2
    i, j = np.divmod(np.arange(9), 3)
    nodes, weights = np.polynomial.legendre.leggauss(3)
    for cascade, (z, x) in zip(shown, (((i + 2 * j + 1) % 3, (i + j) % 3), (j, i)), strict=True):
        key, rows = cascade.key, np.eye(size)
        for _ in range(key.foam_lod(spectrum.breaking_texel)):
            rows = area_means(rows, 0)
        texels = np.fft.fft(rows, axis=1)  # waves of every length, up to their sign
        ahead = np.roll(texels, -1, axis=0)
        thirds = [(third + (1 + nodes) / 2) / 6 for third in range(3)]
        left = [[np.mean(np.abs((1 - f) * texels + f * ahead) ** 2, axis=0) for f in third] for third in thirds]
        kept = np.einsum("n,tnk->tk", weights / 2, left)
        power = statistics.jacobian_power(key.tile, cascade.variance, key.depth, key.dispersion)
        found += np.einsum("pi,ij,pj->p", kept[z], power, kept[x])
    expected = np.array([place.variance for place in places(spectrum.jacobian_moments())])
    is_odd = any(size % 2 ** cascade.key.foam_lod(spectrum.breaking_texel) for cascade in shown)
    np.testing.assert_allclose(found, expected, rtol=0.005 if is_odd else 1e-9)


@pytest.mark.parametrize(
    ("speed", "fetch", "size"), [(5, 3e5, 128), (8, 3e5, 64), (8, 3e5, 128), (15, 2e3, 128), (15, 3e5, 512)]
)
def test_coverage_holds_over_all_positions_between_texels(speed, fetch, size, rng):
    """Waves of all cascades are damped between their texels, those of each copy of a tile at its own positions."""
    settings = load_settings(overrides=[f"sea.wind.speed={speed}", f"sea.wind.fetch={fetch}", f"fft.size={size}"])
    spectrum = make_spectrum(settings)
    wanted, f = settings.foam.coverage(settings.sea).whitecaps, (np.arange(6) + 0.5) / 12
    rule = settings.sea.choppiness, foam_threshold(settings.foam, Blend.settled(spectrum)), settings.foam.decay
    sums = np.zeros((5, 8000))
    for cascade in spectrum.cascades:
        if spectrum.breaking_texel < cascade.key.tile.blurred:
            each = jacobian_moments(cascade, 2 * f * (1 - f), spectrum.breaking_texel)
            for copy in copies(cascade.key.tile, *rng.uniform(0, 1e6, (2, 8000))):
                sums += copy.weight**2 * each[:, *rng.integers(0, 6, (2, 8000))]
    everywhere = places(np.concatenate([sums, np.zeros((2, 8000))]).T)
    assert mean_foam(everywhere, *rule, BIRTH_WIDTH) == pytest.approx(wanted, rel=0.03)


def test_a_sea_without_wind_is_flat(make_sea):
    sea = make_sea("sea.wind.speed=0")
    sea.update(5.0)
    assert all(not field.any() for field in sea.fields().values())
    assert not sea.foam.read().any()
