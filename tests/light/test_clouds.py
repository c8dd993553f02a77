"""The layer of clouds: the light that it passes, against traced photons and against limits of energy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocean.light.clouds import DROPS, EXTINCTION, THICKNESS, Deck, cloud_field, cloud_profile, deck, depths, passed
from ocean.light.optics import Air
from tests.reference.atmosphere import CLEAR, Atmosphere, Shade
from tests.reference.cloud_light import air_below, below

UP = st.floats(0.0175, 1.0)
DEPTH = st.floats(0.0, 100.0)


@given(DEPTH, UP)
def test_a_layer_emits_no_light(depth, up):
    direct, total = passed(np.array(depth), np.array(up))
    assert 0 <= direct <= total + 1e-12
    assert total <= 1 + 1e-12


def test_a_layer_of_depth_0_passes_all_light():
    np.testing.assert_allclose(passed(np.zeros(3), np.array([0.02, 0.5, 1.0])), 1.0, rtol=1e-15)


def photons(depth, mu, rng):
    """Return the fraction of photons that pass a layer. They enter at these cosines to the vertical; drops scatter them
    by Henyey and Greenstein's law and absorb none."""
    number, at, out = len(mu), np.zeros(len(mu)), 0
    while len(at):
        at = at + mu * rng.exponential(size=len(at))
        out += (at > depth).sum()
        stay = (at >= 0) & (at <= depth)
        at, mu = at[stay], mu[stay]
        x = (1 - DROPS**2) / (1 - DROPS + 2 * DROPS * rng.random(len(at)))
        turn = np.clip((1 + DROPS**2 - x**2) / (2 * DROPS), -1, 1)
        mu = mu * turn + np.sqrt((1 - mu**2) * (1 - turn**2)) * np.cos(2 * np.pi * rng.random(len(at)))
        mu = np.where(mu == 0, 1e-9, np.clip(mu, -1, 1))
    return out / number


@pytest.mark.parametrize("depth", [0.5, 3.0, 15.0])
def test_a_layer_passes_the_share_of_traced_photons(depth):
    """The tolerance is 0.04, delta-Eddington's own error for an even sky and high suns (Joseph, Wiscombe and Weinman
    1976), and 0.1 for a low sun. Four standard errors of 20,000 photons are added."""
    rng, noise = np.random.default_rng(int(10 * depth)), 4 * 0.5 / np.sqrt(20_000)
    for up, error in ((0.2, 0.1), (0.45, 0.04), (0.7, 0.04), (1.0, 0.04)):
        through = photons(depth, np.full(20_000, up), rng)
        assert passed(np.array(depth), np.array(up))[1] == pytest.approx(through, abs=error + noise)
    sky = photons(depth, np.sqrt(rng.random(20_000)), rng)
    assert 1 / (1 + 0.75 * (1 - DROPS) * depth) == pytest.approx(sky, abs=0.04 + noise)


@given(DEPTH, UP, st.lists(st.floats(0.01, 100.0), min_size=6, max_size=6))
def test_a_layer_passes_no_more_light_than_it_gets(depth, up, light):
    """The level sea gets no more light under a layer than without it, and equally much without a layer."""
    direct, total = passed(np.array(depth), np.array(up))
    layer = Deck(float(direct), float(total), float(1 / (1 + 0.75 * (1 - DROPS) * depth)))
    sun, sky = np.reshape(light, (2, 3))
    under = below(layer, sun, sky)
    assert (np.array(under) >= -1e-9).all()
    assert (sum(under) <= (sun + sky) * (1 + 1e-9)).all()
    np.testing.assert_allclose(air_below(Deck(), sun, sky, sky), 1.0)


@given(DEPTH, UP, st.lists(st.floats(0.01, 100.0), min_size=9, max_size=9))
def test_air_under_a_closed_deck_is_as_bright_as_its_surroundings(depth, up, light):
    """No light comes straight through. The clouds fill half of all directions, and the sea, which reflects their light,
    the other half."""
    _, total = passed(np.array(depth), np.array(up))
    layer = Deck(0.0, float(total), float(1 / (1 + 0.75 * (1 - DROPS) * depth)))
    sun, sky, own = np.reshape(light, (3, 3))
    down = sum(below(layer, sun, sky))
    np.testing.assert_allclose(air_below(layer, sun, sky, own) * own / (2 * np.pi), (1 + 0.06) * down / np.pi / 2)


NOISE = np.random.default_rng(3).random((64, 64, 4))


@settings(max_examples=20)
@given(st.floats(0.1, 0.9), st.floats(-0.2, 1.0))
def test_a_deck_lets_part_of_the_light_through(threshold, up):
    """Means over columns satisfy the inequalities of each column, however low the sun; no clouds make no deck."""
    found = deck(NOISE, threshold, up)
    assert 0 <= found.direct <= found.sun + 1e-12 <= 1 + 2e-12
    assert 0 < found.sky <= 1
    assert deck(NOISE, 2.0, up) == pytest.approx(Deck())
    assert deck(NOISE, threshold, up, 0.5).direct < found.direct or found.direct < 1e-12


def test_the_optical_depth_of_a_column_does_not_depend_on_its_lean():
    """The depth of a column is a sum of densities. In a uniform field it does not depend on the column's lean."""
    even = np.full((8, 8, 4), 0.7)
    lumps = cloud_field(even, np.zeros((1, 2)))[1]
    places = np.random.default_rng(1).uniform(0, 1e5, (5, 2))
    y = np.linspace(0, 1, 2001)
    exact = np.trapezoid(cloud_profile(np.array(0.5), lumps, y), y) * THICKNESS * EXTINCTION
    for up in (0.05, 0.4, 1.0):
        np.testing.assert_allclose(depths(even, 0.6, up, places), exact, rtol=0.01)


def test_shade_is_linear_and_ends_at_the_tops():
    """Clouds do not change air that is wholly above them. Below them a fraction of each kind of light is left."""
    air = Atmosphere(Air(2.0, 0.5), wavelengths=(550.0,), steps=16)
    up, sun, nu = np.array([0.5]), np.array([0.6]), np.array([0.9])
    low = np.array([10.0])

    def light(direct, diffuse, height=low, **path):
        return air.radiance(height, up, sun, nu, shade=Shade(1000.0, 500.0, direct, diffuse), **path)[0, 0]

    clear = air.radiance(low, up, sun, nu, shade=CLEAR)[0, 0]
    assert light(1.0, 1.0) == pytest.approx(clear, rel=1e-12)
    assert light(0.3, 2.0) == pytest.approx(0.3 * light(1, 0) + 2.0 * light(0, 1) + (1 - 2.3) * light(0, 0), rel=1e-9)
    assert 0 < light(0.0, 0.0) < clear
    assert light(0.0, 0.0, length=np.array([1500.0])) == pytest.approx(0.0, abs=1e-15)
    above = np.array([1600.0])
    assert light(0.0, 0.0, height=above) == pytest.approx(light(1.0, 1.0, height=above), rel=1e-12)
