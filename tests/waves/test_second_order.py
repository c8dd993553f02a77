"""Second-order crests: the drawn and queried surface, against second-order theory."""

from itertools import pairwise

import numpy as np
import pytest

from ocean.sea.host import HostSea
from ocean.settings import Settings
from ocean.waves import second_order, statistics
from ocean.waves.amplitudes import CascadeWaves
from ocean.waves.dispersion import angular_frequency, loop_steps
from ocean.waves.second_order import Lift, kernels
from ocean.waves.surface import WaveSum
from ocean.waves.tiles import Tile

SIDE, PERIOD = 200.0, 1000.0
DEEP = {"depth": 5000, "dispersion": "deep"}


def waves(amplitudes, side=SIDE, turn=0.0):
    """Return a cascade of waves {(nx, nz): a}, with crests at the origin at time 0."""
    h0 = np.zeros((32, 32), complex)
    for (i, j), a in amplitudes.items():
        h0[j, i] = a / 2
    n = np.fft.fftfreq(32, 1 / 32)
    k = 2 * np.pi / side * np.hypot(n, n[:, None])
    steps = loop_steps(angular_frequency(k, np.inf, "deep"), PERIOD)
    return CascadeWaves(Tile(side, turn, 0.0, np.inf), h0, steps, np.inf, "deep", PERIOD)


def test_kernels_have_their_known_values():
    """Waves in one direction have the sum and the difference of their wave numbers as kernels (Longuet-Higgins 1963).
    For waves of equal length at any angle, the lift supplies the part of the difference kernel that choppiness
    lacks."""
    rng = np.random.default_rng(0)
    k, other = rng.uniform(0.1, 2, (2, 50))
    plus, minus = kernels(k, other, 0.0)
    np.testing.assert_allclose(plus, k + other, rtol=1e-9)
    np.testing.assert_allclose(minus, -np.abs(k - other), atol=1e-6)
    angle = rng.uniform(0.01, np.pi, 50)
    _, minus = kernels(k, k, angle)
    np.testing.assert_allclose((minus + 2 * k * np.cos(angle)) / 2, k * (1 + np.cos(angle)) / 2, atol=1e-9)


@pytest.mark.parametrize("kd", [1.2, 2.0])
def test_a_wave_interacting_with_itself_is_a_stokes_wave(kd):
    """The second harmonic in finite depth is coth kd (1 + 3 / (2 sinh² kd)) k a² / 2 (Stokes 1847)."""
    plus, _ = kernels(1.0, 1.0, 0.0, kd)
    assert plus / 4 == pytest.approx((1 + 1.5 / np.sinh(kd) ** 2) / np.tanh(kd) / 2, rel=1e-9)


def test_the_lift_of_crossing_waves_uses_their_kernels():
    """Choppiness has the kernel `(k + k') cos d` for sums and its negative for differences; the lift adds `own (1 -+
    cos d)`."""
    cos = np.cos(np.radians([30, 60, 90]))
    plus, minus = kernels(1.0, 1.0, np.arccos(cos))
    own = (plus + minus) / 2
    assert np.round(plus, 2).tolist() == [1.62, 0.74, -0.09]
    assert np.round(2 * cos + own * (1 - cos), 2).tolist() == [1.85, 1.31, 0.45]
    np.testing.assert_allclose(2 * cos + own * (1 - cos) - plus, minus + 2 * cos - own * (1 + cos), atol=1e-12)


def test_two_waves_interact_as_predicted():
    """Two waves have equal lengths and different directions. Their differences agree with theory, their sums with
    choppiness plus lift. The remainder is of third order: at half the steepness it is an eighth."""
    (i, j), (m, n) = (5, 0), (4, 3)  # lengths are equal
    k = 2 * np.pi / SIDE * 5
    x, z = np.random.default_rng(1).uniform(0, SIDE, (2, 300))
    apart = np.arctan2(3, 4)
    errors = []
    for steepness in (0.04, 0.02):
        a = steepness / k
        rise = k * a * a / 2 * 2  # two waves
        sea = WaveSum([waves({(i, j): a, (m, n): a})], 0.0, 1.0, [Lift(own=k, rise=0.0)])
        first, second = (2 * np.pi / SIDE * (u * x + v * z) for u, v in ((i, j), (m, n)))
        plus, minus = kernels(k, k, apart)
        theory = a * (np.cos(first) + np.cos(second))
        theory += a * a / 4 * 2 * k * (np.cos(2 * first) + np.cos(2 * second))
        plus = k * np.cos(apart) * 2 + k * (1 - np.cos(apart))  # kernels of choppiness and of the lift
        theory += a * a / 2 * (plus * np.cos(first + second) + minus * np.cos(first - second))
        errors.append(np.abs(sea.surface(x, z).height - theory).max())
        assert errors[-1] < 0.2 * rise
    assert errors[1] == pytest.approx(errors[0] / 8, rel=0.2)


def test_normals_and_velocities_are_derivatives_of_the_lifted_surface():
    cascades = [
        waves({(i, j): 0.4 * low / (i * i + j * j) for i in range(low, 6) for j in range(3)}, side, 0.3)
        for side, low in ((200.0, 1), (31.0, 4))
    ]
    lifts, e = [Lift(0.1, 0.2, 0.8), Lift(0.4, 0.2, 0.8)], 1e-4
    found = WaveSum(cascades, 5.0, 0.7, lifts).surface(*np.random.default_rng(3).uniform(0, 100, (2, 40)))
    px, pz = found.still.T

    def at(time, x, z):
        return np.stack(WaveSum(cascades, time, 0.7, lifts).displacement(x, z), -1)

    velocity = (at(5.0 + e, px, pz) - at(5.0 - e, px, pz)) / (2 * e)
    np.testing.assert_allclose(found.velocity, velocity, atol=0.02)  # time moves in steps of the clock
    east = (at(5.0, px + e, pz) - at(5.0, px - e, pz)) / (2 * e) + [1, 0, 0]
    south = (at(5.0, px, pz + e) - at(5.0, px, pz - e)) / (2 * e) + [0, 0, 1]
    normal = np.cross(south, east)
    np.testing.assert_allclose(found.normal, normal / np.linalg.norm(normal, axis=-1, keepdims=True), atol=1e-5)


def settings(crests="second-order", seed=1, size=64, **sea):
    return Settings(
        sea={**sea, "crests": crests, "seed": seed}, fft={"size": size}, cascades={"count": 1, "blended": 0}
    )


GALE = {**DEEP, "wind": {"speed": 20, "spreading": {"kind": "cos-2s", "s": 10}}}


def test_the_lightest_wind_has_finite_heights():
    """The variance is 1e-240 m²."""
    sea = HostSea(settings(size=16, depth=2, dispersion="deep", wind={"speed": 0.023}))
    sea.update(0.0)
    assert np.isfinite(sea.surface(1.0, 2.0).height)


def test_narrow_seas_have_the_skewness_of_stokes_and_broad_seas_less():
    """A swell of one length and direction has the skewness 3 k sigma (Stokes), with a k 4 % above the wave number of
    the peak."""
    narrow = {"kind": "cos-2s", "s": 100}
    swell = {"height": 3, "period": 10, "spreading": narrow, "spectrum": {"kind": "jonswap", "gamma": 7}}
    sea = settings(**DEEP, wind={"speed": 0}, swell=swell).sea
    k = (2 * np.pi / 10) ** 2 / 9.81
    assert second_order.skewness(sea.systems) == pytest.approx(3 * k * 0.75, rel=0.1)
    wide = [settings(**DEEP, wind={"speed": 20, "spreading": {"kind": "cos-2s", "s": s}}).sea for s in (100, 10, 2)]
    found = [second_order.skewness(each.systems) for each in wide]
    assert found == sorted(found, reverse=True)
    assert found[1:] == pytest.approx([0.163, 0.143], rel=0.03)  # computed independently, by sums over pairs of waves


@pytest.mark.parametrize(("cutoff", "blur"), [(np.inf, 1.0), (0.3, 0.0), (0.5, 2.0)])
def test_third_moments_of_the_strain_are_sums_over_pairs(cutoff, blur):
    """Waves in one direction in deep water have kernels `k + k'` and `-|k - k'|` (Longuet-Higgins 1963) and strains -k.
    Directions of this sea spread by 8 degrees, which reduces the moments by 2 to 5 %."""
    sea = settings(**DEEP, wind={"speed": 10, "spreading": {"kind": "cos-2s", "s": 100}}).sea
    k, angle = np.geomspace(0.01, 10, 800), 2 * np.pi / 360 * np.arange(360)
    density = statistics.polar_density(sea.systems, k[:, None], angle).sum(1) * angle[1]
    variance = density * k**2 * np.log(k[1] / k[0])
    w, strain = np.sqrt(9.81 * k), lambda k: np.where(k < cutoff, -k * np.exp(-((k * blur) ** 2) / 2), 0.0)
    pairs = np.multiply.outer(variance * strain(k), variance * strain(k))
    squares, product = np.add.outer(w**2, w**2), np.outer(w, w)
    both, apart = np.add.outer(k, k), np.abs(np.subtract.outer(k, k))
    sums, differences = both * strain(both), -apart * strain(apart)
    cube = 1.5 * np.sum(pairs * (sums + differences))
    moving = 0.5 * np.sum(pairs * (sums * (squares + product) + differences * (squares - product)))
    found = second_order.strain_third_moments(sea.systems, cutoff, blur)
    assert found == pytest.approx((cube, moving), rel=0.06)


@pytest.mark.slow
def test_the_displaced_surface_has_the_skewness_and_mean_level_of_theory():
    """The mean is over twelve draws; the first order is computed for comparison."""
    for crests in ("first-order", "second-order"):
        rows = []
        for seed in range(12):
            sea = HostSea(settings(crests, seed, **GALE))
            sea.update(100.0)
            x, z = np.random.default_rng(seed).uniform(0, sea.tiles[0].side, (2, 20_000))
            h = sea.query(x, z, velocity=False).result().height
            rows.append((h.mean(), ((h - h.mean()) ** 3).mean() / h.std() ** 3))
        mean, error = np.mean(rows, axis=0), np.std(rows, axis=0) / np.sqrt(12)
        lifted = crests == "second-order"
        assert abs(mean[1] - (0.16 if lifted else 0.0)) < 4 * error[1]
        # Choppiness lowers the water by 10 cm; terms of higher order leave 1 cm of it.
        assert abs(mean[0]) < 0.015 + 4 * error[0] if lifted else mean[0] < -0.08


@pytest.mark.slow
def test_crests_have_the_distribution_of_forristall():
    """Forristall (2000, eq. 12) fits crests of second-order simulations of directional seas. Over 100 draws of 33,000
    crests, heights scatter by 1 % at a probability of 0.01 and by 2 % at 0.001."""
    crests, deviations = [], []
    for seed in range(3):
        sea = HostSea(settings(seed=seed, **GALE))
        x, z = np.random.default_rng(seed).uniform(0, sea.tiles[0].side, (2, 300))
        heights = []
        for i in range(800):
            sea.update(0.5 * i)
            heights.append(sea.query(x, z, velocity=False).result().height)
        series = np.array(heights) - np.mean(heights)
        deviations.append(series.std())
        for h in series.T:
            up = np.flatnonzero((h[:-1] < 0) & (h[1:] >= 0))
            for start, end in pairwise(up):
                top = start + 1 + int(np.argmax(h[start + 1 : end + 1]))
                before, peak, after = h[top - 1 : top + 2]
                bend = before - 2 * peak + after
                crests.append(peak - (before - after) ** 2 / (8 * bend) if bend < 0 else peak)
    sigma, systems = np.sqrt(np.mean(np.square(deviations))), sea.settings.sea.systems
    cutoff, k = sea.tiles[0].cutoff(64), statistics.WAVE_NUMBERS
    k = k[k < cutoff]
    density, w = sum(one.wave_number_density(k) for one in systems) * k, np.sqrt(9.81 * k)
    period = 2 * np.pi * np.trapezoid(density, np.log(k)) / np.trapezoid(w * density, np.log(k))
    steepness = 2 * np.pi * 4 * sigma / (9.81 * period**2)
    alpha, beta = 0.3536 + 0.2568 * steepness, 2 - 1.7912 * steepness
    for share in (1e-2, 1e-3):
        forristall = 4 * alpha * (-np.log(share)) ** (1 / beta)
        assert np.quantile(crests, 1 - share) / sigma == pytest.approx(forristall, rel=0.05)
        assert np.sqrt(-2 * np.log(share)) < 0.95 * forristall  # Rayleigh's distribution of linear waves
