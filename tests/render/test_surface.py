"""The drawn sea agrees with the reference and has no holes."""

from itertools import islice, product

import numpy as np
import pytest

from ocean.gpu.context import is_software
from ocean.gpu.passes import run_passes
from ocean.light.optics import EARTH_RADIUS
from ocean.render import camera
from ocean.render.mesh import Mesh
from ocean.render.surface import ATOMIC64, Surface, horizon_distance
from ocean.settings import with_values
from ocean.validation.quantities import Predictions
from ocean.validation.survey import survey_of
from ocean.waves import statistics
from ocean.waves.slopes import cumulative, interpolated
from ocean.waves.spreading import measured_slopes
from tests.reference import sea as reference

from ..marks import slow
from ..seas import reference_fields
from .conftest import draw_by_compute, eye_of, rays, read_picture, water_share
from .meshes import triangles
from .test_mesh import random_view

pytestmark = pytest.mark.usefixtures("coarse_sky")


def test_drawn_vertices_lie_on_the_surface_of_the_reference(make_renderer):
    x, z = 4321.5, -98765.25
    place = f"view.x={x}", f"view.z={z}"
    down = "fft.size=256", "view.pitch=-80", "view.altitude=6", "view.edge_pixels=4"
    renderer = make_renderer(*down, *place, size=(320, 180))
    time = 33.0
    renderer.render(time)
    still, relative = (corners.reshape(-1, corners.shape[-1]).astype("f8") for corners in triangles(renderer))
    near = np.hypot(*still.T) < 6.0
    assert near.sum() > 2000
    still, relative = still[near], relative[near]
    settings = renderer.settings
    sea = settings.sea.choppiness, renderer.sea.spectrum.lifts
    at = x + still[:, 0], z + still[:, 1]
    expected = np.stack(reference.surface_point(reference_fields(settings, time), *at, *sea), axis=-1)
    drawn = np.add(relative, (x, 0.0, z))
    height = statistics.predicted_height(settings.sea.systems)
    # The mesh filters the shortest waves; the lift makes them up to 1.2 times as high on crests.
    assert np.abs(drawn - expected).max() < 0.012 * height
    assert np.ptp(expected[:, 1]) > 0.05 * height


RASTERS = {"hardware": 1, "compute": 1, "compute, 4 samples": 4}


@pytest.fixture(params=["hardware", slow("compute"), "compute, 4 samples"])
def posed(make_renderer, monkeypatch, request):
    """Return a function that makes a renderer of a sea, for each raster, and a function of views that returns the sea's
    share of each pixel."""

    def make(speed=14):
        if request.param != "hardware":
            draw_by_compute(monkeypatch)
        samples = f"view.samples={RASTERS[request.param]}"
        renderer = make_renderer("view.edge_pixels=6", f"sea.wind.speed={speed}", samples, size=(128, 72))

        def cover(view):
            renderer.apply(with_values(renderer.settings, view))
            return water_share(renderer, 20.0)

        return renderer, cover

    return make


@pytest.mark.parametrize(("speed", "poses"), [(14, 8), *(slow(speed, 200) for speed in (0, 14, 40))])
def test_no_sky_shows_through_the_sea(posed, speed, poses):
    """From random poses over the crests no sample shows sky below the horizon that waves can lower, and all samples
    above the horizon show sky."""
    renderer, cover = posed(speed)
    if renderer.targets.visibility is not None:
        poses = 60  # OpenGL's raster is fast where it draws
    rng = np.random.default_rng(4)
    water, air = 0, 0
    for _ in range(poses):
        view = random_view(rng)
        share = cover(view)
        below, above = sure(renderer)
        assert (share[below] == 1).all(), view
        assert (share[above] == 0).all(), view
        water, air = water + below.sum(), air + above.sum()
    assert water > poses * share.size / 4
    assert air > poses * share.size / 10


def without_coarse_levels(mesh, block):
    """Choose from the finer half of a mesh's levels."""
    block = block.copy()
    block["level_count"] //= 2
    CHOOSE(mesh, block)


CHOOSE = Mesh.choose
HOLES = {
    "levels are left out": lambda patch: patch.setattr(Mesh, "choose", without_coarse_levels),
    "levels do not meet": lambda patch: patch.setitem(Mesh.defines, "MORPH_ENDS", 2.0),
}


@pytest.mark.parametrize("hole", HOLES)
def test_sky_shows_through_a_hole_in_the_sea(posed, hole, monkeypatch):
    """The check of the test above finds missing water, and cracks of a pixel or less."""
    HOLES[hole](monkeypatch)
    renderer, cover = posed()
    rng = np.random.default_rng(4)
    views = (random_view(rng) for _ in range(10))
    found = (view for view in views if (cover(view)[sure(renderer)[0]] < 1).any())
    assert len([*islice(found, 3)]) == 3


def sure(renderer):
    """Return the pixels that show only water, and those that show only sky, for all waves."""
    view, (_, height) = renderer.settings.view, renderer.size
    deviation = statistics.predicted_height(renderer.settings.sea.systems) / 4
    altitude, slope = eye_of(renderer)[0], np.tan(np.radians(view.field_of_view) / 2)
    up = np.arcsin(rays(view, renderer.size)[..., 1])
    # Rays that dip below the horizon of water lowered by 5 deviations hit the sea. Rays that rise from over crests of 5
    # deviations do not. Both have a margin of half a pixel.
    dip = np.sqrt(2 * (altitude + 5 * deviation) / EARTH_RADIUS)
    return -up > dip + slope / height, (up > slope / height) & (altitude > 5 * deviation)


@pytest.mark.parametrize("speed", [slow(4), 14, slow(35)])
def test_the_camera_rides_where_waves_reach_it(make_renderer, speed):
    """High above the waves the camera stands still. Set half a metre above the mean water level, it stays at least
    0.4 m over the water and never below its set height, and does not jump. The picture is drawn from the lifted eye."""
    renderer = make_renderer("view.altitude=50", f"sea.wind.speed={speed}", size=(16, 9))
    renderer.render(0.0)
    assert eye_of(renderer)[0] == pytest.approx(50, abs=0.001)
    renderer = make_renderer("view.altitude=0.5", f"sea.wind.speed={speed}", "fft.size=256", size=(16, 9))
    view = renderer.settings.view
    heights = []
    for time in np.arange(0.0, 30.0, 5.0):
        for moment in (time, time + 0.05):
            renderer.render(moment)
            heights.append(eye_of(renderer)[0])
        water = renderer.sea.surface(view.x, view.z)
        assert heights[-1] > 0.5
        if water.converged:  # answers have a finer filter than pictures
            assert heights[-1] > water.height + 0.2
    heights = np.array(heights)
    assert np.ptp(heights) > 0.1 * statistics.predicted_height(renderer.settings.sea.systems)
    speeds = np.abs(heights[1::2] - heights[::2]) / 0.05
    orbits = np.pi * statistics.predicted_height(renderer.settings.sea.systems)  # for a period of 2 s, half the height
    assert speeds.max() < 2 * orbits
    matrix = camera.view_matrix(view.model_copy(update={"altitude": heights[-1]}))
    crest = 5 * renderer.surface.roughness.height_deviation
    expected = matrix @ camera.projection_matrix(
        view, 16 / 9, 1.2 * renderer.surface.horizon(renderer.settings.view), crest
    )
    found = np.frombuffer(renderer.camera_block.read(64), "f4").reshape(4, 4)
    np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("overrides", [(), ("view.dive=3", "view.pitch=20"), ("view.altitude=300", "view.pitch=-30")])
def test_both_rasters_draw_the_same_sea(make_renderer, ctx, monkeypatch, overrides):
    """Compute and hardware agree to a golden's tolerance, except in a few pixels: edges differ, and the hardware takes
    one footprint for a block of 2x2 pixels."""
    pictures = []
    for by_hardware in (True, False):
        monkeypatch.setattr(Surface, "is_drawn_by_hardware", lambda surface, settings, here=by_hardware: here)
        renderer = make_renderer("sea.wind.speed=14", *overrides, size=(128, 72))
        renderer.render(3.0)
        assert (renderer.targets.visibility is not None) == by_hardware
        pictures.append(read_picture(renderer).astype(int))
    difference = np.abs(pictures[1] - pictures[0]).max(axis=-1)
    assert pictures[0].std() > 5
    assert 0 < difference.mean() < 0.5
    assert (difference <= 8).mean() > 0.999


@pytest.mark.parametrize("overrides", [("view.samples=4",), ("view.dive=3", "view.pitch=20"), ("buoy.show=true",)])
def test_one_dispatch_and_two_find_the_same_triangles(make_renderer, ctx, monkeypatch, overrides):
    """64-bit atomics and two dispatches of 32-bit ones leave equal bits at all samples. llvmpipe lacks 64-bit atomics;
    Zink has them."""
    if not ctx.extensions >= ATOMIC64:
        pytest.skip("no 64-bit atomics: .ci/run repeats this test on Zink")
    draw_by_compute(monkeypatch)
    found = []
    for atomics in (ATOMIC64, {"none"}):
        monkeypatch.setattr("ocean.render.surface.ATOMIC64", atomics)
        renderer = make_renderer("sea.wind.speed=14", "view.far_pixels=4", *overrides)
        steps = renderer.steps(3.0)
        while next(steps).name != "shading":
            pass
        steps.close()
        found.append(np.frombuffer(renderer.surface.samples._seen.read(), "u4").reshape(-1, 2))
    np.testing.assert_array_equal(*found)
    assert (found[0][:, 0] < found[0].max()).mean() > 0.3  # samples that show a triangle


@pytest.mark.parametrize(("place", "pitch"), [("altitude=1", -60), ("dive=3", 60)])
@pytest.mark.usefixtures("software")
def test_blocks_out_of_view_show_nothing(make_renderer, monkeypatch, place, pitch):
    """The picture does not change if the list of blocks in view has no memory and all blocks are drawn."""
    draw_by_compute(monkeypatch)
    pictures = []
    for most in (100_000, 0):
        monkeypatch.setattr("ocean.render.mesh.MOST_LISTED", most)
        pose = f"view.{place}", f"view.pitch={pitch}"
        renderer = make_renderer("sea.wind.speed=20", "view.edge_pixels=4", *pose, size=(96, 54))
        renderer.render(3.0)
        pictures.append(read_picture(renderer))
    assert pictures[0].std() > 5
    np.testing.assert_array_equal(*pictures)


def test_the_same_pictures_use_the_same_raster_at_each_start(make_renderer, ctx):
    """OpenGL's raster draws one sample per pixel on software renderers, and nothing else."""
    assert (make_renderer(size=(16, 9)).targets.visibility is not None) == is_software(ctx)
    for override in ("view.samples=4", "view.anisotropy=2"):
        assert make_renderer(override, size=(16, 9)).targets.visibility is None


@pytest.mark.parametrize(("altitude", "shows"), [(8.0, True), (200.0, False)])
def test_cascades_are_skipped_if_their_longest_wave_is_below_two_pixels(make_renderer, altitude, shows):
    """From high above, the picture has the same bits without the smallest tile's waves."""
    renderer = make_renderer(f"view.altitude={altitude}", "view.pitch=-60", size=(128, 72))
    renderer.render(3.0)
    before = renderer.radiance.read()
    width, maps = renderer.sea.size, renderer.sea.maps
    for layer in (4, 5):
        maps.write(np.zeros((width, width, 4), "f4").tobytes(), viewport=(0, 0, layer, width, width, 1))
    again = [step for step in renderer.passes if step.name in ("mip levels", "raster", "shading", "resolve", "sky")]
    renderer.sea.begin(3.0, (0.0, 0.0))
    assert len(again) >= 3
    run_passes(renderer.ctx, again)
    assert 0.4 < renderer.sea.tiles[2].blurred < 0.5  # m, and a pixel is 1 m
    assert (renderer.radiance.read() != before) == shows


def test_the_horizon_lies_where_the_earth_curves_away():
    assert horizon_distance(8.0, 0.0) == pytest.approx(10_100 + 2_524, rel=0.01)
    assert horizon_distance(2000.0, 4.0) > 159_600


def test_far_foam_keeps_its_mean_over_any_bottom(make_renderer):
    """Between texels the maps show a strain whose variance equals the variance that drawing assumes, within three
    deviations of one draw. The rest of the strain is Gaussian too, so that the mean of foam is right. Linear
    interpolation keeps (2 + cos kx) (2 + cos kz) / 9 of a wave's variance; the test sums the covariances with
    neighbouring texels by these weights."""
    renderer = make_renderer("sea.depth=3", "sea.wind.speed=12")
    renderer.render(0.0)
    surface, fields = renderer.surface, renderer.sea.fields()
    strain = (fields["dxx"] + fields["dzz"]).astype("f8")
    weights, beside = {-1: 1 / 6, 0: 2 / 3, 1: 1 / 6}, np.zeros_like(strain)
    for x, z in product(weights, weights):
        beside += weights[x] * weights[z] * np.roll(strain, (x, z), (1, 2))
    shown = (strain * beside).mean(axis=(1, 2)).sum()
    drawn = surface.roughness.strain_variance - np.frombuffer(surface.slopes.read(), "f4").reshape(-1, 4)[-1, 3]
    scatter = 2 * Predictions(renderer.sea.spectrum).fold_scatter(1e-3)
    assert scatter < 0.1
    assert shown == pytest.approx(drawn, rel=3 * scatter)


@pytest.mark.parametrize("wind", [0.0, 8.0, 20.0])
def test_shading_adds_the_slopes_that_maps_lack(make_renderer, wind):
    """The pixel is finer than the waves of all maps. Shading adds the slopes that interpolation takes from the shortest
    waves of each map, and Cox and Munk's slopes beyond the last map."""
    renderer = make_renderer(f"sea.wind.speed={wind}", "sea.swell.height=1", size=(16, 9))
    renderer.render(0.0)
    own, shown = cumulative(renderer.settings.sea.systems)[:, :2].sum(axis=1), 0.0
    for tile in renderer.sea.tiles:
        texel = tile.side / 64
        end = interpolated(tile.cutoff(64) * texel) / texel
        low, high = np.interp(np.log([max(tile.low, 1e-4), end]), np.log(np.geomspace(1e-4, 1000, 1001)), own)
        shown += high - low
    left = (sum(measured_slopes(wind)) if wind else high) - shown
    added = np.frombuffer(renderer.surface.slopes.read(), "f4").reshape(-1, 4)[-1, :2].sum()
    assert added == pytest.approx(left, rel=1e-5)
    assert survey_of(renderer.settings).predictions.unresolved_slopes == pytest.approx(left, rel=1e-5)
