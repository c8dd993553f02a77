"""Distributions of the highest crests, compared with random draws."""

import numpy as np
import pytest

from ocean.waves.statistics import highest, tayfun
from tools.measure.nonlinear import forristall, rayleigh


def test_the_highest_of_many_crests_follows_gumbel(rng):
    """Gumbel's limit for 300 Rayleigh crests is 1 % above their mean and 9 % above their scatter."""
    crests = rng.rayleigh(0.25, (4000, 300))  # divided by Hs
    mean, deviation = highest(300)
    assert crests.max(1).mean() == pytest.approx(mean, rel=0.02)
    assert crests.max(1).std() == pytest.approx(0.92 * deviation, rel=0.08)
    assert np.mean(crests > rayleigh(0.01)) == pytest.approx(0.01, rel=0.05)


def test_second_order_raises_crests():
    """Narrow waves of second order have Tayfun's crest where their phase is 0."""
    steepness, amplitude = 0.02, 3.0  # k sigma; amplitude over sigma
    assert 4 * tayfun(amplitude / 4, 3 * steepness) == pytest.approx(amplitude + steepness * amplitude**2 / 2)
    assert tayfun(0.9, 0.0) == 0.9
    assert forristall(1e-3, 0.05) > 1.05 * rayleigh(1e-3)
    assert forristall(1e-3, 0.0) == pytest.approx(rayleigh(1e-3), rel=1e-3)
