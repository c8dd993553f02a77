"""Goals of the page on speed: a margin smaller than the noise gives no verdict."""

import pytest

from tools.tables.speed import Goal


@pytest.mark.parametrize(
    ("value", "noise", "verdict"),
    [
        (1.31, 0.0, "no"),
        (1.31, 0.02, "within the noise"),
        (1.29, 0.02, "within the noise"),
        (1.35, 0.02, "no"),
        (1.2, 0.02, "yes"),
        (1.11, 0.02, "yes, want within the noise"),
        (1.09, 0.02, "yes, want within the noise"),
        (1.09, 0.0, "as wanted"),
        (1.0, 0.02, "as wanted"),
    ],
)
def test_a_margin_smaller_than_the_noise_gives_no_verdict(value, noise, verdict):
    assert Goal("", value, (1.3, 1.1), noise=noise).verdict == verdict
    assert Goal("", 1 / value, (1 / 1.3, 1 / 1.1), above=True, noise=noise).verdict == verdict
