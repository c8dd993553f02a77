"""Foam over a patch: equal from any first frame, on the processor and on the GPU, and continuous in a loop."""

import numpy as np
import pytest

from ocean.export.plan import Patch, Plan
from ocean.export.sources import MapSource, open_source
from ocean.sea.host import HostSea
from ocean.waves.whitecaps import BIRTH_WIDTH, spilled
from tests.reference import foam as foam_reference
from tests.reference import sea as reference

from ..seas import reference_fields
from .plans import plan

PATCH = Patch(24.0, 16.0, 1.0, (1000.0, -333.3))


COARSE = {"fps": 16.0, "loop": 0}
"""Options of a plan whose foam grows by steps of two frames before the first."""


def foamy(loop=60, **options):
    overrides = ("sea.wind.speed=20", "foam.decay=1", "cascades.blended=1", "foam.amount=3")
    wanted = {"fps": 5.0, "maps": ("foam", "jacobian"), "patch": PATCH, "frames": 300, **options}
    return plan(*overrides, f"sea.loop_period={loop}", **wanted)


def source(wanted):
    return MapSource(wanted, HostSea(wanted.settings))


@pytest.mark.parametrize(("index", "options"), [(0, {}), (3, {}), (4, COARSE)])
def test_a_frame_is_the_same_whatever_came_before(index, options):
    """Frames are equal bit for bit in order, alone, after a jump forward or back, and after a small gap."""
    wanted = foamy(**options)
    alone = source(wanted).frame(index).patch["foam"]
    assert 0 < alone.mean() < 0.9
    jumping = source(wanted)
    for other in (index - 2 if index > 2 else 0, 200, index):
        found = jumping.frame(other).patch["foam"]
    np.testing.assert_array_equal(found, alone)
    following, steps = source(wanted), []
    following.grow_foam(max(0, index - 3), lambda: steps.append(1))
    assert len(steps) == len(wanted.foam_frames(max(0, index - 3)))
    for other in range(max(0, index - 3), index + 1):
        found = following.frame(other).patch["foam"]
    np.testing.assert_array_equal(found, alone)


def test_seven_half_lives_are_long_enough_and_needed(monkeypatch):
    """A longer history changes nothing; a history of two half-lives does."""
    wanted = foamy()
    expected = source(wanted).frame(0).patch["foam"]
    for memory, changes in ((2 * wanted.foam_memory, False), (7, True)):
        monkeypatch.setattr(Plan, "foam_memory", memory)
        apart = np.abs(source(wanted).frame(0).patch["foam"] - expected).max()
        assert apart > 0.01 if changes else apart == 0.0


def test_foam_may_grow_by_larger_steps_before_the_first_frame(monkeypatch):
    """Few frames are computed before one frame. Its foam agrees with that of small steps to 5 %, the model's error."""
    options = {"fps": 24.0, "patch": Patch(150.0, 100.0, 1.0), "frames": 1}
    wanted = plan("sea.wind.speed=10", "foam.decay=1", "fft.size=128", maps=("foam",), **options)
    assert len(wanted.foam_frames(0)) == wanted.foam_memory // 3
    coarse = source(wanted).frame(0).patch["foam"]
    monkeypatch.setattr("ocean.export.plan.FOAM_STEP", 0.0)
    fine = source(wanted).frame(0).patch["foam"]
    assert fine.any()
    assert coarse.mean() == pytest.approx(fine.mean(), rel=0.05)
    assert np.abs(coarse - fine).max() < 0.2


def test_the_loop_closes_in_the_foam():
    """After one loop period the foam is that of the start, up to rounding of times."""
    frames = source(foamy())
    before, after = frames.frame(0).patch["foam"], frames.frame(300).patch["foam"]
    assert before.any()
    np.testing.assert_allclose(before, after, atol=1e-4)


def test_the_gpu_has_the_same_foam(ctx):
    wanted = foamy(device="gpu", maps=("foam", "active_foam", "roller"))
    with open_source(wanted, ctx) as frames:
        there = frames.frame(7).patch
    here = source(foamy(maps=("foam", "active_foam", "roller"))).frame(7).patch
    for part, most in (("foam", 1.0), ("active_foam", 1.0), ("roller", 0.6)):
        assert there[part].mean() == pytest.approx(here[part].mean(), rel=0.05)
        assert 0.5 * most < here[part].max() <= most
    assert there["foam"].mean() == pytest.approx(here["foam"].mean(), rel=0.05)
    # Texture units interpolate with 8 bits of fraction, which shifts the edges of foam.
    assert np.mean(np.abs(there["foam"] - here["foam"]) < 0.05) > 0.97


def test_foam_agrees_with_the_formulas(monkeypatch):
    """The fields of the reference, with an equally long history, give the foam at the points of the map."""
    monkeypatch.setattr("ocean.waves.whitecaps.breaking_texel", lambda peak: 0.01)
    wanted = foamy(frames=1)
    made = source(wanted)
    made.frame(0)
    foam, sea = made.foam, made.sea
    assert all(key.foam_lod(0.01) == 0 for key in sea.spectrum.keys)
    ahead = spilled(0.01, wanted.settings.sea.wind.direction)
    middles = [
        (first + np.arange(side) + 0.5) * PATCH.spacing for first, side in zip(foam.first, foam.sides, strict=True)
    ]
    x, z = np.meshgrid(*(middle - way for middle, way in zip(middles, ahead, strict=True)))
    expected = np.zeros_like(x)
    for index in range(-wanted.foam_memory, 1):
        at = reference.sea_at(reference_fields(wanted.settings, index / 5), x, z)
        J = reference.jacobian(at["dxx"], at["dzz"], at["dxz"], 1.0)
        expected = foam_reference.foam_step(expected, J, sea.foam_threshold, BIRTH_WIDTH, 0.2, 1.0)
    assert expected.any()
    rule = J, sea.foam_threshold, BIRTH_WIDTH
    roller = foam_reference.roller(*rule, at["dxx"], at["dzz"], at["dxz"], ahead)
    thickness = np.linalg.norm(roller, axis=-1)
    all_foam, active, rollers = np.moveaxis(foam.read(), -1, 0)
    np.testing.assert_allclose(all_foam, np.minimum(expected, 1.0), atol=1e-3)
    # On water with older foam less than 2^-7 may be active, which the reference cuts off.
    np.testing.assert_allclose(active, foam_reference.active_foam(*rule), atol=2**-7)
    np.testing.assert_allclose(rollers, thickness, atol=2**-7 * thickness.max())


def test_the_map_covers_the_water_of_the_patch():
    made = source(foamy())
    made.frame(0)
    still = made.sea.surface(*PATCH.points).still
    places = still / PATCH.spacing - 0.5 - made.foam.first
    assert places.min() > 0
    assert (places.max(axis=(0, 1)) < np.array(made.foam.sides) - 1).all()
    assert made.foam.sides[1] < made.foam.sides[0]  # the patch is wider than deep
