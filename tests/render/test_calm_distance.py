"""Anti-aliasing: what lies far away is what many samples say it is, and stays calm when the camera turns."""

import numpy as np
import pytest

from .far_water import HIGH, HIGHEST, LOW, SHIPPED, beside, glitter

slow = pytest.mark.slow


@slow
@pytest.mark.parametrize("wind", [5.0, 10.0])
def test_far_water_is_what_64_samples_say(make_renderer, wind):
    """Each block of 8x8 pixels beside the glitter is as bright within 3 %, to three standard errors of what it is
    compared with, and in a slow pan pixels flicker no more than 1.3 times as much."""
    error, chance, flicker = beside(make_renderer, wind)
    assert (np.abs(error) <= 0.03 + 3 * chance).all()
    assert flicker <= 1.3


@pytest.mark.parametrize("wind", [pytest.param(5.0, marks=slow), 10.0, pytest.param(15.0, marks=slow)])
def test_far_water_under_clouds_and_with_fine_foam_is_too(make_renderer, wind):
    """The same with the sky and the foam map of `high`."""
    error, chance, flicker = beside(make_renderer, wind, *SHIPPED)
    assert (np.abs(error) <= 0.03 + 3 * chance).all()
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


GLITTER = [
    (HIGH, 10.0),
    *(pytest.param(HIGH, wind, marks=slow) for wind in (5.0, 15.0)),
    *(pytest.param(place, wind, marks=slow) for place in (HIGHEST, LOW) for wind in (5.0, 10.0, 15.0)),
]


@pytest.mark.parametrize(("place", "wind"), GLITTER)
def test_far_glitter_is_as_bright_as_64_samples_say(seen, place, wind):
    """Each block within 3 %, beyond three standard errors of what it is compared with: 64 samples leave something to
    chance as well. In the root mean square that 3 % is three times 1 %, and variances add up."""
    error, chance, _ = seen(place, wind)
    assert (np.abs(error) <= 0.03 + 3 * chance).all()
    assert (error**2).mean() <= 0.01**2 + (chance**2).mean()


@pytest.mark.parametrize(("place", "wind"), GLITTER)
def test_far_glitter_is_calm(seen, place, wind):
    assert seen(place, wind)[2] <= 1.3
