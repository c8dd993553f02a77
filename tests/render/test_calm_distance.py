"""Anti-aliasing: what lies far away is what many samples say it is, and stays calm when the camera turns."""

import numpy as np
import pytest

from .far_water import HIGH, LOW, beside, glitter

slow = pytest.mark.slow


@pytest.mark.parametrize("wind", [pytest.param(5.0, marks=slow), 10.0, pytest.param(15.0, marks=slow)])
def test_far_water_is_what_64_samples_say(make_renderer, wind):
    """Each block of 8x8 pixels beside the glitter is as bright within 3 %, and in a slow pan pixels flicker no more
    than 1.3 times as much."""
    error, _, flicker = beside(make_renderer, wind)
    assert (np.abs(error) <= 0.03).all()
    assert flicker <= 1.3


@pytest.fixture(scope="module")
def known():
    """What has been compared, by place and wind."""
    return {}


@pytest.fixture
def seen(make_renderer, known):
    """The glitter, compared once for all tests."""

    def once(place, wind):
        if (place, wind) not in known:
            known[place, wind] = glitter(make_renderer, place, wind)
        return known[place, wind]

    return once


GLITTER = [(HIGH, 10.0), *(pytest.param(HIGH, wind, marks=slow) for wind in (5.0, 15.0))]
LOW_GLITTER = [pytest.param(LOW, wind, marks=slow) for wind in (5.0, 10.0)]
AMONG_CRESTS = pytest.mark.xfail(strict=True, reason="1.6 times as much, among crests: docs/limits.md")


@pytest.mark.parametrize(("place", "wind"), [*GLITTER, *LOW_GLITTER, pytest.param(LOW, 15.0, marks=slow)])
def test_far_glitter_is_as_bright_as_64_samples_say(seen, place, wind):
    """Four samples a pixel leave about 3 % to chance. So blocks are as bright within 3 % all together, within 3 % and
    chance in their root mean square, where variances add up, and each of them within 3 % and three standard errors."""
    error, chance, _ = seen(place, wind)
    assert abs(error.mean()) <= 0.03
    assert (error**2).mean() <= 0.03**2 + (chance**2).mean()
    assert (np.abs(error) <= 0.03 + 3 * chance).all()


@pytest.mark.parametrize(
    ("place", "wind"), [*GLITTER, *LOW_GLITTER, pytest.param(LOW, 15.0, marks=[slow, AMONG_CRESTS])]
)
def test_far_glitter_is_calm(seen, place, wind):
    assert seen(place, wind)[2] <= 1.3
