"""Drags on the panel's widgets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean.window.ui.widgets import tidy


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e4), st.floats(0, 1))
def test_a_dragged_value_is_rounded(low, width, share):
    high = low + width
    step = max(10.0**-power for power in range(7) if 10.0**-power <= (high - low) / 100 or power == 6)
    value = low + share * (high - low)
    found = tidy(value, low, high, logarithmic=False)
    assert found / step == pytest.approx(round(found / step), abs=1e-3)
    assert abs(found - value) <= step / 2 * (1 + 1e-6)


@given(st.floats(1e-3, 1e6))
def test_a_scale_of_factors_shows_three_digits(value):
    found = tidy(value, 1e-3, 1e6, logarithmic=True)
    assert found == pytest.approx(value, rel=5.1e-3)
    assert f"{found:.12g}" == f"{float(f'{value:.3g}'):.12g}"
