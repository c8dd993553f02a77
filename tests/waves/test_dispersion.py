"""Dispersion relations, against their limits, derivative and inverse; and the clock, against integers."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.waves.dispersion import (
    DEFAULT_PERIOD,
    GRAVITY,
    DispersionKind,
    angular_frequency,
    clock_ticks,
    group_speed,
    loop_steps,
    orbit_ratio,
    phase,
    wavenumber,
)

KINDS: tuple[DispersionKind, ...] = ("deep", "finite-depth", "capillary-gravity")
kinds = st.sampled_from(KINDS)
wave_numbers = st.floats(-4, 4).map(lambda exponent: 10**exponent)
depths = st.floats(0, 3.7).map(lambda exponent: 10**exponent)


@given(wave_numbers, depths, kinds)
def test_group_speed_is_the_slope_of_dispersion(k, depth, kind):
    # A central difference over a share e of k errs by e² times a third derivative of order 1, and by 2^-52 / e.
    e = 1e-4
    w = angular_frequency(np.array([k * (1 - e), k * (1 + e)]), depth, kind)
    assert group_speed(k, depth, kind) == pytest.approx((w[1] - w[0]) / (2 * e * k), rel=10 * e**2)


@given(wave_numbers, depths, kinds)
def test_wavenumber_inverts_angular_frequency(k, depth, kind):
    # w keeps k to rounding, times the inverse slope of ln w(ln k), at most 2.
    assert wavenumber(angular_frequency(k, depth, kind), depth, kind) == pytest.approx(k, rel=1e-13)


def test_wavenumber_of_rest_is_zero():
    for kind in KINDS:
        assert wavenumber([0.0, 1.0], 10.0, kind)[0] == 0.0


def test_dispersion_has_its_limits_in_deep_and_shallow_water():
    assert 2 * math.pi / wavenumber(2 * math.pi / 10, 1e4, "deep") == pytest.approx(156.13, abs=0.01)  # g T² / 2 pi
    # To first order in (kd)² the shallow speed sqrt(g d) falls short by (kd)² / 6, the deep one by e^{-2kd}.
    k, depth = 1e-3, 10.0
    assert angular_frequency(k, depth) == pytest.approx(k * math.sqrt(GRAVITY * depth), rel=(k * depth) ** 2 / 6)
    assert angular_frequency(2.0, 10.0) == pytest.approx(angular_frequency(2.0, 10.0, "deep"), rel=math.exp(-39))
    assert orbit_ratio(k, depth) == pytest.approx(1 / (k * depth), rel=(k * depth) ** 2)
    assert orbit_ratio(2.0, depth, "deep") == 1.0


def test_the_slowest_wave_is_a_ripple():
    k = np.geomspace(10, 1e4, 100_000)
    speed = angular_frequency(k, 100.0, "capillary-gravity") / k
    assert speed.min() == pytest.approx(0.232, abs=0.001)  # in clean water, 17 mm long
    assert 2 * math.pi / k[speed.argmin()] == pytest.approx(0.0173, abs=0.0002)


@given(st.lists(st.floats(0, 300), min_size=1), st.floats(10, 2**20))
def test_loop_steps_are_the_nearest_whole_turns(w, period):
    w = np.array(w)
    n = loop_steps(w, period)
    assert n.dtype == np.uint32
    assert np.all((n == 0) == (w == 0))
    moving = w * period > math.pi  # slower waves are sped up to one period in a loop
    error = np.abs(n * (2 * math.pi / period) - w)[moving]
    assert np.all(error <= math.pi / period * (1 + 1e-6))


@given(st.integers(-(2**40), 2**40), st.integers(-5, 5), st.sampled_from([DEFAULT_PERIOD, 60.0, 600.0]))
def test_phases_repeat_after_a_loop(milliseconds, loops, period):
    time = milliseconds / 1024  # so that time + loops * period is a float
    assert clock_ticks(time, period) == clock_ticks(time + loops * period, period)
    assert 0 <= clock_ticks(time, period) < 2**32


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_phase_is_unsigned_arithmetic_read_as_signed(n, ticks):
    wrapped = (n * ticks + 2**31) % 2**32 - 2**31
    angle = phase(np.array([n], np.uint32), ticks)
    assert angle[0] == wrapped * (2 * math.pi / 2**32)
    assert -math.pi <= angle[0] < math.pi
    assert phase(n, ticks) == angle[0]


def test_phase_follows_time_for_days():
    w = np.array([0.05, 0.6, 3.0, 40.0])
    n = loop_steps(w, DEFAULT_PERIOD)
    for time in (0.1, 1e3, 1e5, 1e6):
        turns = n * (time / DEFAULT_PERIOD)
        error = phase(n, clock_ticks(time, DEFAULT_PERIOD)) - 2 * math.pi * turns
        # A tick is off by half at most; the product n t / T itself is rounded in float64.
        bound = 2 * math.pi * (n * 0.5 / 2**32 + turns * 2**-51)
        assert np.all(np.abs(np.angle(np.exp(1j * error))) <= bound)
