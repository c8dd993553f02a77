"""Coverage of foam: the threshold, against the Jacobian of simulated points of many seas."""

import math
from itertools import pairwise
from statistics import NormalDist
from typing import get_args

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ocean.sea.blend import make_spectrum
from ocean.settings import load_settings
from ocean.validation.quantities import Predictions
from ocean.waves import WhitecapLaw, whitecaps
from ocean.waves.whitecaps import (
    ALBEDO,
    FRESH,
    THICK,
    JacobianStatistics,
    active_coverage,
    breaking_area,
    foam_scatter,
    foam_thinning,
    foam_threshold,
    mean_foam,
    repeated_fold,
    stronger_foam,
    whitecap_coverage,
)
from tests.marks import slow
from tests.reference import foam as foam_reference
from tests.reference import sea as reference
from tests.reference.foam import bare_bubbles, refine_strain
from tests.reference.foam_light import opacity, thick_share

LAWS = get_args(WhitecapLaw)


@given(st.sampled_from(LAWS), st.floats(0, 60), st.floats(0, 5), st.floats(0, 1))
def test_coverage_lies_between_0_and_1_and_grows_with_the_wind(law, speed, age, more):
    coverage, stronger = whitecap_coverage(law, speed, age), whitecap_coverage(law, speed + more, age)
    for part, grown in zip(coverage, stronger, strict=True):
        assert 0 <= part <= grown <= 1
        assert grown - part < 0.2 * more + 1e-9  # no law jumps, where its formulas meet


@pytest.mark.parametrize(
    ("law", "speed", "wanted"),
    [
        ("monahan-1980", 10.0, 0.0099),
        ("monahan-1980", 20.0, 0.105),
        ("callaghan-2008", 3.7, 0.0),
        ("callaghan-2008", 9.25, 0.00544),
        ("callaghan-2008", 11.25, 0.01115),
        ("callaghan-2008", 23.09, 0.0760),
    ],
)
def test_laws_of_the_wind_have_their_published_values(law, speed, wanted):
    assert whitecap_coverage(law, speed, 0.3) == pytest.approx((wanted, 0.0), rel=5e-3)


# Fits to photographs, each up to its last wind: Monahan and O'Muircheartaigh 1980, Callaghan et al. 2008, Brumer et
# al. 2017, and Blomquist et al. 2017 in Barr et al. 2023.
OBSERVED = (
    (lambda u: 3.84e-6 * u**3.41, 17),
    (lambda u: 4.82e-6 * (u + 1.98) ** 3, 23.09),
    (lambda u: 7.38e-4 * (u - 4.23) ** 1.42, 27.7),
    (lambda u: 6.5e-4 * (u - 2) ** 1.5, 25),
)


@pytest.mark.parametrize("speed", [10.0, 13.0, 16.0, 20.0, 23.0, 25.0, 27.0])
def test_the_default_lies_among_the_observations_of_the_open_ocean(speed):
    """At 300 km of fetch the law lies within a factor of two of every fit in the range of its data."""
    settings = load_settings(overrides=[f"sea.wind.speed={speed}"])
    found = settings.foam.coverage(settings.sea)
    assert all(0.5 < found.whitecaps / fit(speed) < 2 for fit, last in OBSERVED if speed <= last)
    assert found.total < 0.11  # averaged over 20 minutes, up to 27.7 m/s (Brumer et al. 2017)


def test_coverage_follows_the_age_of_the_waves():
    """At 15 m/s coverage grows about fivefold from 2 to 300 km (Zhao and Toba 2001), and a low sea has less foam than a
    high one. Swell alone has none, and hurricanes are white (Holthuijsen et al. 2012)."""

    def coverage(*overrides, speed=15):
        settings = load_settings(overrides=[f"sea.wind.speed={speed}", *overrides])
        return settings.foam.coverage(settings.sea)

    lake, ocean = (coverage(f"sea.wind.fetch={fetch}").total for fetch in (2e3, 3e5))
    assert 4 < ocean / lake < 6
    low, high = (coverage(f"sea.wind.height={h}", f"sea.wind.period={t}").total for h, t in ((0.35, 1.9), (8, 13)))
    assert high > 4 * low
    assert coverage("sea.swell.height=3", speed=0).total == coverage("sea.choppiness=0").total == 0
    assert coverage("foam.amount=0.5").whitecaps == pytest.approx(ocean / 2)
    hurricane = coverage(speed=40)
    assert hurricane.whitecaps < 0.1 < hurricane.streaks
    assert hurricane.total > 0.9


jacobians = st.builds(JacobianStatistics, variance=st.floats(0, 4), rate=st.floats(0, 20), bend=st.floats(0, 0.25))
seas = st.builds(JacobianStatistics, variance=st.floats(1e-4, 0.1), rate=st.floats(0.1, 10), bend=st.floats(0, 0.25))


def level(statistics, u, choppiness):
    """Return the Jacobian to second order where s is u deviations from its mean."""
    deviation = choppiness * math.sqrt(statistics.variance)
    return 1 + deviation * u + (statistics.bend * deviation + statistics.skewness / 6) * deviation * (u * u - 1)


@given(jacobians, st.floats(0, 1.5), st.floats(0, 1), st.floats(0, 60), st.floats(0, 1))
def test_the_foam_threshold_is_finite_whatever_the_sea(jacobian, choppiness, coverage, decay, width):
    assert math.isfinite(foam_threshold((jacobian,), choppiness, coverage, decay, width))


@given(seas, st.floats(0.1, 1.5), st.floats(1e-4, 0.9), st.floats(0.5, 60), st.floats(0.02, 0.3))
def test_the_threshold_gives_the_coverage(jacobian, choppiness, coverage, decay, width):
    threshold = foam_threshold((jacobian,), choppiness, coverage, decay, width)
    assume(threshold > level(jacobian, -6.0, choppiness))  # the end of the search, where there is too much foam
    assert mean_foam((jacobian,), choppiness, threshold, decay, width) == pytest.approx(coverage, rel=1e-3, abs=1e-6)


@given(seas, st.floats(0.1, 1.5), st.floats(1e-4, 0.9), st.floats(0.5, 60), st.floats(0.05, 0.5))
def test_thick_foam_has_its_share_unless_the_sea_is_white(jacobian, choppiness, coverage, decay, share):
    threshold = foam_threshold((jacobian,), choppiness, coverage, decay, 0.1)
    thinning, left = foam_thinning(stronger_foam((jacobian,), choppiness, threshold, decay, 0.1), share)
    foam = mean_foam((jacobian,), choppiness, threshold, decay, 0.1)
    assert 1 <= thinning <= whitecaps.MOST_THINNING
    if thinning < whitecaps.MOST_THINNING - 1e-3:
        assert left == pytest.approx(share * foam, rel=2e-3)
    else:
        assert share * foam <= left <= foam


@pytest.mark.parametrize("shown", [(0.0, 0.3), (0.0, 2.5), (0.0, 1.0), (0.4, 0.8), (0.4, 2.5), (0.6, 0.3)])
def test_foam_at_known_waves_agrees_with_all_waves(shown, rng):
    """The test adds up the strain of random waves in order of wave number, up to the variance 1 of all waves. Foam lies
    where the whole strain is low. The foam expected from the known waves agrees with this foam to four standard errors,
    at all values of the known strain. If less than LEAST_UNSHOWN is unknown, only the mean agrees."""
    variances = np.unique([*shown, 1.0])
    steps = rng.normal(0, np.sqrt(np.diff(variances, prepend=0.0))[:, None], (len(variances), 200_000))
    strain = dict(zip(variances, np.cumsum(steps, axis=0), strict=True))
    births = whitecaps.Births((), (), NormalDist().inv_cdf(0.02), 5.0)
    known, share = refine_strain(strain[shown[0]], shown[0], strain[shown[1]], shown[1])
    expected = foam_reference.mean_foam(known / births.steepness, births, share)
    off = expected - (strain[1.0] < births.start)
    quantiles = [0.0, 0.02, 0.1, 0.5, 1.0] if share <= 1 - whitecaps.LEAST_UNSHOWN else [0.0, 1.0]
    for of in (known, strain[shown[0]]):
        for low, high in pairwise(np.quantile(of, quantiles)):
            there = (of >= low) & (of <= high)
            variance = (expected * (1 - expected))[there].mean()  # expected, because rare foam may not occur at all
            deviation = max(off[there].std(), math.sqrt(variance), 1e-3)
            assert abs(off[there].mean()) <= 5 * deviation / math.sqrt(there.sum())


@pytest.mark.parametrize("coverage", [0.01, 0.1, 0.5])
@pytest.mark.parametrize("shown", [0.0, 0.6, 0.9, 0.95])
def test_bubbles_are_seen_beside_their_foam(coverage, shown):
    """The reference is a quadrature over the unknown strain. Rare foam has half as many bubbles again, because most of
    it is still forming; foam that covers half of the sea has a tenth less."""
    z = np.linspace(-8, 8, 4001)
    density = np.exp(-(z**2) / 2) / np.exp(-(z**2) / 2).sum()
    births = whitecaps.Births((), (), NormalDist().inv_cdf(coverage) * math.sqrt(1 - shown), 1.0)
    most = 1 - whitecaps.LEAST_UNSHOWN
    strength = foam_reference.mean_foam(z * math.sqrt(most - shown), births, most)
    beside = (strength * (1 - strength)) @ density / (coverage * (1 - coverage))
    assert 0.9 <= beside / bare_bubbles(shown) <= 1.55


def test_the_threshold_without_decay_is_a_quantile():
    jacobian = JacobianStatistics(variance=0.04, rate=5.0)
    assert foam_threshold((jacobian,), 1.0, 0.5) == pytest.approx(1.0)
    assert foam_threshold((jacobian,), 1.0, 0.15866) == pytest.approx(0.8, abs=1e-4)
    assert foam_threshold((jacobian,), 0.5, 0.15866) == pytest.approx(0.9, abs=1e-4)


@given(seas, st.floats(-1, 1.5), st.floats(0, 30), st.just(0.0) | st.floats(0.01, 0.5))
def test_foam_grows_with_its_threshold_and_decay(jacobian, threshold, decay, width):
    foam = mean_foam((jacobian,), 1.0, threshold, decay, width)
    assert 0 <= foam <= 1
    assert foam <= mean_foam((jacobian,), 1.0, threshold + 0.1, decay, width) + 1e-9
    assert foam <= mean_foam((jacobian,), 1.0, threshold, decay + 1, width) + 1e-12


def test_foam_covers_all_water_where_the_jacobian_has_a_maximum_below_its_threshold():
    skewed = JacobianStatistics(variance=0.005, rate=1.5, bend=0.2, skewness=-0.25)
    assert mean_foam((skewed,), 0.4, 1.5, 2.0, 0.1) == pytest.approx(1.0)


@given(seas, st.floats(0.05, 1.5), st.floats(-6, 3))
def test_deviations_invert_the_jacobian(jacobian, choppiness, u):
    bent = 1 + 2 * jacobian.bend * choppiness * math.sqrt(jacobian.variance) * u  # slope of the level
    if bent > 0.05:
        found = jacobian.deviations(level(jacobian, u, choppiness), choppiness)
        assert found == pytest.approx(u, rel=1e-6, abs=1e-6)


def test_the_tail_of_the_jacobian_follows_second_order():
    """The Jacobian is the determinant of Gaussians of unequal variance. The corrected level has the fraction of the
    tail."""
    a, b, c = np.random.default_rng(1).standard_normal((3, 1_000_000)) * np.array([[0.11], [0.06], [0.03]])
    common = 0.6 * a + 0.4 * b  # along and across the wind, correlated as the slopes of one sea are
    a, b = a + 0.3 * common, b + 0.3 * common
    trace = a + b
    shares = [np.cov(x, trace)[0, 1] / trace.var() for x in (a, b, c)]
    jacobian = JacobianStatistics(trace.var(), 1.0, shares[0] * shares[1] - shares[2] ** 2)
    values = (1 + a) * (1 + b) - c * c
    for share in (0.05, 0.01, 0.002):
        u = NormalDist().inv_cdf(share)
        bent, straight = np.mean(values < level(jacobian, u, 1.0)), np.mean(values < 1 + u * trace.std())
        assert abs(math.log(bent / share)) < min(0.4, abs(math.log(straight / share)))


STEP, LENGTH, POINTS = 0.05, 4096, 100


def jacobians_over_time(lattices, choppiness, rng):
    """Return the Jacobian (POINTS, LENGTH) of independent points of a sea, every STEP seconds.

    At one point all waves of a frequency make Dxx, Dzz and Dxz together: a Gaussian vector for each frequency of a time
    series, whose covariance is the sum over the directions of those waves.
    """
    covariance = np.zeros((LENGTH // 2 + 1, 3, 3))
    for lattice in lattices:
        x, z = lattice.direction
        vector = np.stack([x * x, z * z, x * z])
        place = np.minimum(np.rint(lattice.w * LENGTH * STEP / (2 * np.pi)).astype(int), LENGTH // 2)
        weight = lattice.power * lattice.fold_weight
        for i in range(3):
            for j in range(3):
                covariance[:, i, j] += np.bincount(place, weight * vector[i] * vector[j], len(covariance))
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0))[:, None, :]
    noise = rng.standard_normal((2, POINTS, len(root), 3))
    spectrum = np.einsum("fij,mfj->mfi", root, noise[0] + 1j * noise[1])
    dxx, dzz, dxz = np.moveaxis(np.fft.irfft(spectrum, axis=1, n=LENGTH), -1, 0) * (LENGTH / 2)
    return reference.jacobian(dxx, dzz, dxz, choppiness)


def statistics_of(lattices):
    """Return the input of `foam_threshold`, by sums over all waves."""
    sums = np.zeros(5)
    for lattice in lattices:
        (x, z), power = lattice.direction, lattice.power * lattice.fold_weight
        sums += [np.sum(power * weight) for weight in (1, lattice.w**2, x * x, z * z, x * z)]
    return JacobianStatistics.of([*sums, 0.0, 0.0])


@pytest.mark.parametrize(
    ("overrides", "decay", "batches"),
    [
        slow(["sea.wind.speed=12"], 6.0, 6),
        slow(["sea.wind.speed=18", "sea.wind.spectrum=elfouhaily"], 6.0, 3),
        (["sea.wind.speed=25", "sea.wind.spreading=donelan-banner"], 6.0, 2),
        (["sea.wind.speed=14", "sea.choppiness=0.5"], 3.0, 4),
        (["sea.wind.speed=35"], 3.5, 1),  # the law has foam on 0.71 of the water, which is not rare
    ],
)
def test_the_chosen_share_of_points_is_covered(overrides, decay, batches):
    """The reference's rule makes foam at simulated points, over hours of simulated time. The foam is as white as
    observed, breaks as often as predicted, and its scars keep the mean slope variance of ripples."""
    settings = load_settings(overrides=["fft.size=64", *overrides])
    lattices = list(Predictions(make_spectrum(settings)).lattices.values())
    choppiness, width = settings.sea.choppiness, whitecaps.BIRTH_WIDTH
    coverage = whitecap_coverage("monahan-1980", settings.sea.wind.speed).whitecaps
    places = (statistics_of(lattices),)
    threshold = foam_threshold(places, choppiness, coverage, decay, width)
    stronger = stronger_foam(places, choppiness, threshold, decay, width)
    thinning, around = foam_thinning(stronger, THICK / FRESH)[0], whitecaps.ripples_around(stronger, 0.0)
    rng = np.random.default_rng(5)
    found, white, active, rough = [], [], [], []
    for _ in range(batches):
        over_time = jacobians_over_time(lattices, choppiness, rng)
        foam = np.zeros((POINTS, LENGTH))
        for i in range(1, LENGTH):
            foam[:, i] = foam_reference.foam_step(foam[:, i - 1], over_time[:, i], threshold, width, STEP, decay)
        foam = np.minimum(foam[:, round(6 * decay / STEP) :], 1.0)
        found.append(foam.mean(axis=1) / coverage)
        breaks = np.clip((threshold - over_time) / width, 0.0, 1.0)
        active.append(breaks.mean(axis=1) / active_coverage(places, choppiness, threshold))
        rough.append(foam_reference.ripples_left(foam, around).mean(axis=1))
        white.append(ALBEDO * opacity(foam, thick_share(foam, thinning)).mean(axis=1) / (0.22 * coverage))
    is_thin = thinning < whitecaps.MOST_THINNING - 1e-3  # a white sea is whiter
    for each in map(np.concatenate, (found, active, rough, *([white] if is_thin else []))):
        scatter = each.std() / math.sqrt(len(each))
        assert scatter < 0.08
        assert abs(each.mean() - 1) < math.hypot(whitecaps.MODEL_DEVIATION, 3 * scatter)


def test_rare_foam_scatters_from_tile_to_tile_as_shot_noise_does():
    """The foam is that of one small tile whose waves run mostly east, over 40 draws. The theory holds for u far above 1
    and is 20 % too large at 3. The deviation of 40 draws of a skewed quantity is known to a fifth."""
    side, size, draws, deviation, decay, width, step, u = 12.0, 48, 40, 0.13, 1.0, 0.15, 0.05, 3.0
    kx, kz = np.meshgrid(*[2 * np.pi * np.fft.fftfreq(size, side / size)] * 2)
    k = np.hypot(kx, kz)
    w, power = np.sqrt(9.81 * k), np.where((k > 2) & (k < 4.5), (1 + kx / np.maximum(k, 1)) ** 2, 0.0)
    power *= deviation**2 / power.sum()
    rate = np.stack([-w, kx, kz]).reshape(3, -1)
    rates = (rate * power.ravel()) @ rate.T / deviation**2
    noise = np.random.default_rng(0).standard_normal((2, draws, size, size))
    waves, foam = np.sqrt(power) * (noise[0] + 1j * noise[1]), np.zeros((draws, size, size))
    for time in np.arange(0.0, 6 * decay, step):
        s = np.fft.ifft2(waves * np.exp(-1j * w * time), norm="forward").real
        foam = foam_reference.foam_step(foam, 1 + s, 1 - u * deviation, width, step, decay)
    means = np.minimum(foam, 1.0).mean(axis=(1, 2))
    area = breaking_area(u, deviation, width, rates)
    assert foam_scatter(means.mean(), area, 1 / side**2) == pytest.approx(means.std() / means.mean(), rel=0.5)
    assert foam_scatter(means.mean(), area, 1 / side**2) > 0.5


@given(u=st.floats(1, 10), share=st.floats(0, 1), more=st.floats(0, 1))
def test_folds_repeat_more_often_the_more_waves_repeat(u, share, more):
    low, high = sorted((share, more))
    assert 0 <= repeated_fold(u, low) <= repeated_fold(u, high) < 1
