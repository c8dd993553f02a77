"""The tables of light on the GPU against their reference, and their values in the water's shaders."""

from itertools import product

import numpy as np
import pytest

from ocean.light import optics
from ocean.render.sky import AERIAL, CORRECTIONS, ENVIRONMENT, MOMENTS, MULTIPLE, SKY_VIEW, TRANSMITTANCE
from tests.reference.atmosphere import aerosol_phase
from tests.reference.environment import directions, lobes, sky_radiance

from ..marks import slow
from .skies import REFERENCE, asked, read, rgb, run, state


def test_transmittance_agrees_with_the_reference(make_light):
    """Shader and reference take the same steps, so that only float32 differs: sums of 64 terms give depths of up to
    100, to 1e-4."""
    table = read(make_light().transmittance)
    assert table.shape[:2] == TRANSMITTANCE[::-1] == REFERENCE.transmittance_table.shape[:2]
    np.testing.assert_allclose(table, REFERENCE.transmittance_table, atol=2e-4, rtol=2e-3)


def test_multiple_scattering_agrees_with_the_reference(make_light):
    """Shader and reference take the same directions, steps and orders. On some GPUs look-ups of transmittance have 8
    bits of fraction. Hence the tolerance of 2 % of the mean radiance, which no moment exceeds."""
    table = np.moveaxis(read(make_light().multiple), 0, 2)
    assert table.shape == (*MULTIPLE[::-1], MOMENTS, 4) == REFERENCE.multiple_table.shape
    assert REFERENCE.mend == CORRECTIONS
    mean = REFERENCE.multiple_table[:, :, :1]
    assert (np.abs(table - REFERENCE.multiple_table) <= 0.02 * mean + 1e-4 * mean.max()).all()


@pytest.mark.parametrize("sun", [slow(60.0), 10.0, slow(0.0), -4.0, slow(-8.0)])
def test_the_sky_agrees_with_the_reference(make_light, sun):
    """The table agrees at random points to 3 % of the light there and 0.1 % of the brightest: 48 steps against 256."""
    even, glare = read(make_light(f"sky.sun_elevation={sun}").sky_view)[:2, ..., :3]
    rng = np.random.default_rng(5)
    columns, rows = rng.integers(0, SKY_VIEW[0], 40), rng.integers(0, SKY_VIEW[1], 40)
    elevation = np.pi / 2 * (rows / (SKY_VIEW[1] - 1)) ** 2
    azimuth = np.pi * columns / (SKY_VIEW[0] - 1)
    mu, mu_sun = np.sin(elevation), np.sin(np.radians(sun))
    nu = mu * mu_sun + np.sqrt((1 - mu**2) * (1 - mu_sun**2)) * np.cos(azimuth)
    expected = rgb(REFERENCE.radiance(np.zeros(40), mu, np.full(40, mu_sun), nu)) @ optics.LUMINANCE
    found = (even[rows, columns] + glare[rows, columns] * aerosol_phase(nu)[:, None]) @ optics.LUMINANCE
    np.testing.assert_allclose(found, expected, rtol=0.03, atol=1e-3 * expected.max())


@pytest.mark.parametrize("sun", [slow(50.0), 5.0, slow(-6.0)])
def test_sums_over_the_sky_agree_with_the_reference(make_light, sun):
    """Irradiance [klx] of the sun and the sky at sea level agrees to 3 %, the sky's by both of its sums."""
    sums = state(make_light(f"sky.sun_elevation={sun}"))
    mu = float(np.sin(np.radians(sun)))
    np.testing.assert_allclose(sums[0, :3], rgb(REFERENCE.sun_irradiance(mu)), rtol=0.03, atol=0.01)
    expected = rgb(REFERENCE.sky_irradiance(mu)) @ optics.LUMINANCE
    for row in (2, 3):
        assert sums[row, :3] @ optics.LUMINANCE == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize("clouds", [0, 0.5])
def test_light_on_the_sea_does_not_depend_on_the_cameras_height(make_light, clouds):
    """The sea lies at 0 m, so the mirrored sky, the light on the sea and its exposure do not depend on the camera's
    height. The zenith in the camera darkens with height, less so under clouds."""
    sky = "sky.sun_elevation=14", f"sky.clouds={clouds}", "sky.cloud_base=3000"
    light = make_light(*sky)
    low = state(light), read(light.environment), read(light.sky_view)
    run(light, *sky, "view.altitude=2000")
    np.testing.assert_array_equal(state(light), low[0])
    np.testing.assert_array_equal(read(light.environment), low[1])
    seen = [table[0, -1, :, :3].mean(axis=0) @ optics.LUMINANCE for table in (low[2], read(light.sky_view))]
    assert seen[1] < (0.9 if clouds else 0.85) * seen[0]


def test_air_takes_light_from_far_water_and_adds_its_own(make_light):
    """Air takes light from far water, blue light most, and adds light that rises with distance up to that of the sky at
    the horizon. The tolerance of a thousandth is for rays to farther points, which turn towards the horizon."""
    light = make_light("sky.sun_elevation=30")
    even, _, kept = read(light.aerial)[..., :3]
    assert kept.shape[:2] == AERIAL[::-1]
    assert (np.diff(kept, axis=0) <= 1e-6).all()
    assert (kept[0] == 1).all()
    assert (kept[24, :, 0] > kept[24, :, 2]).all()
    added = even[:, 16] @ optics.LUMINANCE
    assert (np.diff(added) >= -1e-3 * added.max()).all()
    horizon = read(light.sky_view)[0, 0, :, :3] @ optics.LUMINANCE
    assert even[-1, 16] @ optics.LUMINANCE == pytest.approx(np.interp(16 / 31, np.linspace(0, 1, 64), horizon), rel=0.1)


TABLES = ("transmittance", "multiple", "sky_view", "aerial", "environment", "shadow")


def remade(light, *overrides, time=0.0):
    """Return the names of the tables that a frame with these settings computes again. The skies seen from the sea and
    from the eye are two tables."""

    def values():
        found = {name: np.frombuffer(getattr(light, name).read(), "f4") for name in TABLES}
        eye, sea = np.split(found.pop("sky_view"), 2)
        return {**found, "sky of eye": eye, "sky of sea": sea}

    for name in TABLES:
        table = getattr(light, name)
        table.write((np.frombuffer(table.read(), "f4") + 1).tobytes())
    before = values()
    run(light, *overrides, time=time)
    return {name for name, after in values().items() if (after != before[name]).any()}


@pytest.mark.usefixtures("coarse_sky")
def test_tables_are_computed_only_when_their_inputs_change(make_light):
    light = make_light()
    around = {"environment", "shadow"}
    skies = {"sky of sea", "sky of eye", "aerial", *around}
    assert remade(light) == set()
    assert remade(light, "sky.exposure=2", "sea.wind.speed=20", time=3.0) == set()
    assert remade(light, "sky.sun_elevation=20") == skies
    assert remade(light, "sky.sun_elevation=20", "view.altitude=300") == {"sky of eye", "aerial"}
    for wind in (30, 10):  # with spray, and without
        assert remade(light, "sky.turbidity=4", f"sea.wind.speed={wind}") == {"transmittance", "multiple", *skies}
    assert "noise" not in vars(light.clouds)
    assert remade(light, "sky.clouds=0.5", "sky.turbidity=4") == skies
    assert remade(light, "sky.clouds=0.5", "sky.turbidity=4", time=60.0) == around  # clouds drift


@pytest.mark.usefixtures("coarse_sky")
def test_a_clear_sky_has_no_shadow(make_light):
    """The shadow is 1 before any dispatch, and again without clouds."""
    clear = ("sky.sun_elevation=40",)
    light = make_light(*clear)

    def shadow():
        return np.frombuffer(light.shadow.read(), "f4")

    assert (shadow() == 1).all()
    run(light, *clear, "sky.clouds=0.5")
    assert shadow().min() < 0.5
    run(light, *clear)
    assert (shadow() == 1).all()


def test_the_night_is_never_black(make_light):
    light = make_light("sky.sun_elevation=-8", "sky.metering=matrix")
    sky = read(light.environment)[..., :3] @ optics.LUMINANCE * state(light)[4, 0]
    assert np.median(sky) > 0.002
    assert np.isfinite(sky).all()


PLACES = (89.9, 200), (85, 77), (75, 150), (60, 20), (50, 150), (45, 260), (30, 0), (30, 100), (20, 200), (5, 150)
ROUGH = {0.02: 0.25, 0.05: 0.08, 0.1: 0.08, 0.2: 0.08, 0.3: 0.15, 0.4: 0.15}  # tolerance by spread
LOOK = "sink[i] = vec4(sky_radiance(given[i].xyz, given[i].w).rgb, 1.0);"


@pytest.mark.parametrize(
    ("sun", "clouds"),
    [(5, 0.5), (35, 0), *(slow(*sky) for sky in product((20, 60), (0, 0.5))), slow(5, 0), slow(35, 0.5)],
)
def test_rough_reflections_show_the_mean_over_a_lobe(make_light, sun, clouds):
    """Look-ups for a deviation, at elevations and azimuths from the zenith to the horizon, agree with the reference and
    with a Gaussian mean over the table's directions: to 8 %, to 15 % for the widest lobes that seas have, and to 25 %
    for edges of clouds and lobes narrower than the first mip level, because no level lies between that level and the
    sky itself."""
    light = make_light(f"sky.sun_elevation={sun}", f"sky.clouds={clouds}")
    table = read(light.environment)[0, :, :, :3] @ optics.LUMINANCE
    towards, solid_angle = directions(ENVIRONMENT)
    looks = list(product(ROUGH, PLACES))
    asks = np.zeros((len(looks), 4))
    expected = np.zeros(len(looks))
    for i, (spread, (elevation, azimuth)) in enumerate(looks):
        h, a = np.radians([elevation, azimuth])
        asks[i] = np.cos(h) * np.sin(a), np.sin(h), -np.cos(h) * np.cos(a), spread
        angle = np.arccos(np.clip(towards @ asks[i, :3], -1, 1))
        weight = solid_angle * np.exp(-0.5 * (angle / spread) ** 2)
        expected[i] = (weight * table).sum() / weight.sum()
    found = asked(light, "sky/radiance.glsl", LOOK, asks)[:, :3] @ optics.LUMINANCE
    reference = sky_radiance(lobes(table[..., None]), asks[:, :3], asks[:, 3])[:, 0]
    np.testing.assert_allclose(
        found, reference, rtol=2**-7
    )  # on some GPUs look-ups have 8 bits of fraction, within a level and between levels
    assert (np.abs(found / expected - 1) < [ROUGH[spread] for spread, _ in looks]).all()


def test_a_panorama_replaces_the_sky(make_light, tmp_path):
    """The panorama is even, with a bright spot. The environment is even; the sun stands at the spot, turned by the
    heading; and level water gets pi times the radiance."""
    OpenEXR = pytest.importorskip("OpenEXR")
    picture = np.full((32, 64, 3), (2.0, 3.0, 4.0), "f4")
    picture[8, 32] += 5e4  # 42 degrees up, just right of the middle
    path = tmp_path / "sky.exr"
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    with OpenEXR.File(header, {"RGB": picture}) as file:
        file.write(str(path))
    light = make_light(f'sky.panorama="{path}"', "sky.panorama_heading=90", "sky.clouds=1")
    np.testing.assert_allclose(
        read(light.environment)[0, ..., :3], np.broadcast_to((2, 3, 4), (128, 128, 3)), rtol=1e-3
    )
    np.testing.assert_allclose(state(light)[3, :3], np.pi * np.array([2, 3, 4]), rtol=0.01)
    h = np.radians(90 + 180 / 64)
    up = np.radians(90 - 180 * 8.5 / 32)
    np.testing.assert_allclose(light.sun, [np.cos(up) * np.sin(h), np.sin(up), -np.cos(up) * np.cos(h)], atol=0.01)
    assert (state(light)[0, :3] > 100).all()
