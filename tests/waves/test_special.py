"""Special functions on arrays, against scipy; the standard library has them for single numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln, ndtr

from ocean.waves.special import log_gamma, normal, root


def test_functions_agree_with_scipy(rng):
    x = rng.normal(0, 4, (50, 7))
    np.testing.assert_allclose(normal(x), ndtr(x), rtol=1e-13)
    s = rng.uniform(0.5, 200, (50, 7))
    np.testing.assert_allclose(log_gamma(s), gammaln(s), rtol=1e-13, atol=1e-14)
    assert normal(0.0).shape == ()


@given(st.floats(-3, 3), st.floats(0.1, 5), st.floats(1e-12, 1e-2))
def test_a_root_is_found_to_its_tolerance(place, slope, tolerance):
    calls = []

    def crossing(x):
        calls.append(x)
        return np.expm1(slope * (x - place))

    assert root(crossing, -3.5, 3.5, tolerance) == pytest.approx(place, abs=tolerance)
    assert len(calls) <= 1.5 * np.log2(7 / tolerance) + 3


def test_a_root_is_found_to_the_precision_of_floats():
    assert root(lambda x: x - 1e6 / 3, 0.0, 1e6) == pytest.approx(1e6 / 3, rel=1e-15)
