"""The drops of spray: their speeds, numbers and flight."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from ocean.waves import spray
from ocean.waves.dispersion import GRAVITY
from ocean.waves.spreading import friction_velocity

from ..reference.spray import air_speed, flight

FRICTION = friction_velocity(18.0, 1 / 1.03)
ROUGHNESS = 10 * np.exp(-0.4 * 18 / FRICTION)


def test_drops_fall_as_fast_as_measured():
    """Gunn and Kinzer (1949) measured 0.27, 2.06, 4.03 and 6.49 m/s. Schiller and Naumann's spheres stay
    round, and drops of 2 mm do not."""
    found = spray.terminal_speed(np.array([1e-4, 5e-4, 1e-3, 2e-3]))
    np.testing.assert_allclose(found, [0.27, 2.06, 4.03, 6.49], rtol=0.08)


@pytest.mark.parametrize("diameter", [6e-5, 2e-4, 6e-4, 2e-3])
def test_flight_agrees_with_the_equation_of_motion(diameter):
    """The drag's rate lies between its values at the smallest and largest speeds through the air, so the drop lies
    between the flights with these rates. The profile of the wind adds at most its change over the flight."""
    crest, start, height = 5.6, np.array([5.6, 1.4, 0.0]), 4.0
    wind = float(air_speed(FRICTION, ROUGHNESS, height))
    slips = []

    def motion(_, state):
        at = max(height + state[1], ROUGHNESS)
        slip = np.array([air_speed(FRICTION, ROUGHNESS, at), 0.0]) - state[2:]
        slips.append(np.hypot(*slip))
        rate = spray.drag_factor(slips[-1], diameter) / spray.stokes_time(diameter)
        weight = GRAVITY * (1 - 1 / spray.WATER_OVER_AIR)
        return [*state[2:], *(rate * slip - np.array([0.0, weight]))]

    times = np.linspace(0.02, 1.0, 8)
    exact = solve_ivp(motion, (0, 1), [0, 0, *start[:2]], t_eval=times, rtol=1e-8, atol=1e-8).y[:2].T
    fall = spray.terminal_speed(diameter)
    ways = [
        flight(times, fall, rate, start, np.array([wind, 0.0, 0.0]))[0][:, :2]
        for rate in (
            spray.relaxation_time(diameter, spray.SLIP * (18 - crest)),
            *(spray.stokes_time(diameter) / spray.drag_factor(slip, diameter) for slip in (min(slips), max(slips))),
        )
    ]
    lowest = max(height + exact[:, 1].min(), ROUGHNESS)
    change = max(abs(wind - float(air_speed(FRICTION, ROUGHNESS, z))) for z in (lowest, height + exact[:, 1].max()))
    allowed = np.abs(ways[1] - ways[2]) + times[:, None] * np.array([change, 0.0])
    assert (np.abs(ways[0] - exact) < allowed + 1e-3).all()
    assert (np.abs(ways[0] - exact) < 0.12 * np.abs(exact[-1]).max()).all()


def test_the_source_has_the_published_numbers():
    """The branches of Andreas' function meet, and classes have equal cross-sections."""
    section = lambda r: np.pi * r**2 * spray.source(r)  # noqa: E731
    found = spray.drops(4)
    parts = [
        quad(section, low / 2, high / 2, limit=200)[0]
        for low, high in zip(found.diameters, found.diameters[1:], strict=False)
    ]
    np.testing.assert_allclose(parts, found.emitted * 0.98 / 4, rtol=2e-3)
    for limit in (37.0, 100.0):
        radius = (limit / 0.518) ** (1 / 0.976) * 1e-6
        assert spray.source(radius * 0.999) == pytest.approx(spray.source(radius * 1.001), rel=0.04)
    assert [spray.torn_share(wind) for wind in (8.9, 9.0, 10.0, 11.0, 30.0)] == [0, 0, 0.5, 1, 1]
