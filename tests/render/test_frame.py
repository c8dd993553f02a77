"""Whole frames: deterministic, at any size, with the horizon where it belongs."""

import moderngl
import numpy as np
import pytest

from ocean.common.resources import config
from ocean.gpu.passes import Pass
from ocean.gpu.shaders import shader_library
from ocean.gpu.timing import PassTimers
from ocean.light import optics
from ocean.light.optics import SUN_RADIUS, Air
from ocean.render.frame import FrameRenderer
from ocean.render.post import PostProcessing
from ocean.settings import load_settings, with_values
from tests.reference.atmosphere import Atmosphere

from .conftest import rays, read_light, read_picture
from .test_underwater import radiance, sun_of

SMALLER = 64, 36
TO_THE_SUN = "view.heading=196", "view.pitch=9", "sky.sun_azimuth=196", "sky.sun_elevation=9"


def test_the_default_view_has_its_horizon_between_35_and_50_percent(make_renderer):
    renderer = make_renderer()
    renderer.render(10.0)
    luminance = read_picture(renderer).astype(float).mean(axis=(1, 2))
    horizon = np.argmin(np.diff(luminance)) / len(luminance)
    assert 0.35 < horizon < 0.50


@pytest.mark.usefixtures("coarse_sky")
@pytest.mark.parametrize("samples", [1, 4])
def test_every_pass_is_named_and_timed(make_renderer, ctx, releasing, samples):
    renderer = make_renderer(
        f"view.samples={samples}", "sky.clouds=0.3", "buoy.show=true", "sky.bloom=0.03", size=SMALLER
    )
    timers = releasing(PassTimers(ctx, "wall"))
    for index in range(2):
        timers.begin(index)
        renderer.render(float(index), timers=timers)
        timers.end()
    first, second = timers.collect()
    optional = {"buoy pose", "clouds", "bloom"}
    assert list(second.passes) == [step.name for step in renderer.passes]
    assert set(first.passes) - set(second.passes) == {"sky tables"}  # kept while the sky does not change
    assert optional <= set(second.passes)
    renderer.apply(with_values(renderer.settings, {"sky.clouds": 0.0, "buoy.show": False, "sky.bloom": 0.0}))
    assert not optional & {step.name for step in renderer.passes}


@pytest.mark.usefixtures("coarse_sky")
@pytest.mark.parametrize(
    ("pitch", "resting"),
    [(-85, {"clouds", "sky"}), (80, {"mesh", "raster", "shading", "resolve"}), (0, set())],
    ids=["down", "up", "ahead"],
)
def test_passes_without_sky_or_sea_rest_after_the_first_frame(make_renderer, ctx, releasing, pitch, resting):
    """The first frame runs them, so that a turn of the camera compiles nothing. All frames of a time are equal."""
    renderer = make_renderer(
        f"view.pitch={pitch}", "view.altitude=40", "view.samples=4", "sky.clouds=0.3", size=SMALLER
    )
    timers = releasing(PassTimers(ctx, "wall"))
    pictures = []
    for index in range(3):
        timers.begin(index)
        renderer.render(0.0, timers=timers)
        timers.end()
        pictures.append(read_picture(renderer))
    first, second, _ = timers.collect()
    sea = {"evolve+rows", "columns", "mip levels", "half mip levels", "foam"}  # rests while the time stands still
    assert set(first.passes) - set(second.passes) - {"sky tables"} - sea == resting
    assert all(step.work().operations == 0 for step in renderer.passes if step.name in resting)
    np.testing.assert_array_equal(pictures[1:], pictures[:2])
    renderer.apply(with_values(renderer.settings, {"view.pitch": 0.0}))
    renderer.render(0.0)
    assert resting <= {step.name for step in renderer.passes}


@pytest.mark.usefixtures("coarse_sky")
def test_a_frame_compiles_only_the_programs_that_it_draws(fresh_context, monkeypatch):
    """Compiling takes most of the time of a start. Programs for clouds, buoy and diving are compiled when they are
    first shown."""
    used = set()

    def note(kind, name):
        draw = getattr(kind, name)

        def noted(self, *args, **kwargs):
            used.add(getattr(self, "program", self).glo)
            return draw(self, *args, **kwargs)

        monkeypatch.setattr(kind, name, noted)

    note(moderngl.ComputeShader, "run")
    note(moderngl.ComputeShader, "run_indirect")
    note(moderngl.VertexArray, "render")
    note(moderngl.VertexArray, "render_indirect")
    library = shader_library(fresh_context)
    settings = load_settings(config("software"), overrides=["fft.size=64", *TO_THE_SUN])
    renderer = FrameRenderer(fresh_context, settings, (64, 48))
    for changes in ({}, {"buoy.show": True}, {"sky.plain": False}, {"view.dive": 3.0}, {"sky.tone_mapping": "aces"}):
        before = len(library)
        renderer.apply(with_values(renderer.settings, changes))
        renderer.render(0.0)
        assert len(library) > before
        assert {program.glo for program in library.programs.values()} == used
    renderer.release()


@pytest.mark.usefixtures("coarse_sky")
@pytest.mark.parametrize("size", [(1, 1), (17, 300), (640, 20), (0, 0)])
def test_any_size_is_drawn_and_no_pixels_are_ignored(make_renderer, size):
    renderer = make_renderer()
    before = renderer.picture.size
    renderer.resize(size)
    renderer.render(0.0)
    assert renderer.picture.size == (size if size[0] else before)


@pytest.mark.usefixtures("coarse_sky")
def test_resizes_and_samples_between_frames_leave_nothing_behind(make_renderer, ctx):
    renderer = make_renderer(size=(32, 18))
    for i in range(14):
        renderer.resize((32 + i % 7, 18 + i % 5))
        renderer.apply(with_values(renderer.settings, {"view.samples": (1, 4)[i % 2]}))
        renderer.render(i / 30)
    assert ctx.error == "GL_NO_ERROR"


@pytest.mark.usefixtures("coarse_sky")
def test_pictures_of_a_time_are_equal_bit_for_bit(make_renderer):
    """Rollers, whose triangles are many in so small a picture, included."""
    renderer = make_renderer(
        "view.samples=2", "view.edge_pixels=5", "sea.wind.speed=22", "view.altitude=6", size=(250, 141)
    )
    renderer.render(1.0)
    first = read_picture(renderer)
    for _ in range(10):
        renderer.render(1.0)
        np.testing.assert_array_equal(read_picture(renderer), first)


@pytest.mark.parametrize("last", ["spray", "shading", "sky"])
def test_an_abandoned_picture_leaves_nothing_in_the_next_one(make_renderer, last):
    renderer = make_renderer("view.samples=4", "sea.wind.speed=22", "foam.spray=1", size=SMALLER)
    renderer.render(1.0)
    first, wanted = renderer.settings, read_picture(renderer)
    renderer.apply(with_values(first, {"view.heading": 100.0, "view.pitch": -20.0}))
    begun = renderer.steps(1.0)
    assert last in (step.name for step in begun)  # stops before this pass
    renderer.apply(first)
    renderer.render(1.0)
    np.testing.assert_array_equal(read_picture(renderer), wanted)


def test_light_is_finite_in_calm_and_hurricane_at_any_elevation_of_the_sun(make_renderer):
    renderer = make_renderer(size=(96, 54))
    for speed, altitude, elevation in ((0.0, 8.0, 0.0), (40.0, 30.0, 90.0), (14.0, 8.0, -8.0)):
        values = {"sea.wind.speed": speed, "view.altitude": altitude, "sky.sun_elevation": elevation}
        renderer.apply(with_values(renderer.settings, values))
        for time in (0.0, 1.0):
            renderer.render(time)
        assert np.isfinite(read_light(renderer)).all()
        assert (read_light(renderer) >= 0).all()


@pytest.mark.parametrize(("altitude", "sun"), [(2.0, 1.0), (2000.0, -1.0)])
def test_the_sun_sets_behind_the_sea_from_any_height(make_renderer, altitude, sun):
    """From 2 km the horizon is 1.4 degrees down. From there and from sea level, all of the disc above the horizon has
    the brightness that the air's transmittance leaves; the lower limb is darker than the upper one. The tolerance is 3
    % for half floats and the table's look-ups, and the glow of the sky in front of the disc."""
    size = (128, 128)
    renderer = make_renderer(
        *("sky.clouds=0", "sky.turbidity=2", "sky.haze=0", "sky.metering=manual", "sky.exposure=-10", "sky.bloom=0"),
        *(f"sky.sun_elevation={sun}", "sky.sun_azimuth=40", "view.heading=40", f"view.pitch={sun}"),
        *(f"view.altitude={altitude}", "view.field_of_view=10", "view.samples=1"),
        size=size,
    )
    renderer.render(0.0)
    direction = rays(renderer.settings.view, size)
    off = np.arccos(direction @ sun_of(renderer.settings)) / SUN_RADIUS
    on_disc, beside = off < 0.8, (off > 1.5) & (off < 2) & (direction[..., 1] > direction[off < 0.8][:, 1].min())
    assert on_disc.sum() > 20
    luminance = radiance(renderer) @ optics.LUMINANCE
    found = luminance[on_disc]
    air = Atmosphere(Air(2.0, 0.0), forward=0.0)
    mu = direction[on_disc][:, 1]
    seen = air.solar * air.transmittance(np.full(len(mu), altitude), mu)
    expected = seen @ optics.FOUR_TO_RGB.T @ optics.LUMINANCE / (2 * np.pi * (1 - np.cos(SUN_RADIUS)))
    np.testing.assert_allclose(found, expected, rtol=0.03, atol=luminance[beside].max())
    assert expected[np.argmax(mu)] > 1.05 * expected[np.argmin(mu)]


@pytest.mark.usefixtures("coarse_sky")
def test_a_pass_that_a_part_offers_is_drawn_timed_and_announced(make_renderer, ctx, releasing, monkeypatch):
    """A new pass takes a shader, a method and a line in `passes` of its part, and a setting."""
    offered, drawn = PostProcessing.passes, []

    def passes(post, scene):
        yield Pass("toy", lambda: drawn.append(scene.targets.hdr.size), help="Draws nothing.")
        yield from offered(post, scene)

    renderer = make_renderer(size=SMALLER)
    before = renderer.programs
    monkeypatch.setattr(PostProcessing, "passes", passes)
    renderer.apply(with_values(renderer.settings, {"view.x": 1.0}))
    assert renderer.programs != before
    timers = releasing(PassTimers(ctx, "wall"))
    timers.begin(0)
    renderer.render(0.0, timers=timers)
    timers.end()
    assert list(timers.collect()[0].passes)[-2:] == ["toy", "tone mapping"]
    assert drawn == [SMALLER]


@pytest.fixture
def still(make_renderer):
    """Return a renderer after two frames of a time with foam."""
    renderer = make_renderer("sea.wind.speed=16", size=(64, 36))
    for time in (1.0, 1.5):
        renderer.render(time)
    return renderer


@pytest.mark.usefixtures("coarse_sky")
def test_a_frame_that_repeats_draws_the_same_picture(still):
    assert still.repeats(1.5)
    before = read_picture(still)
    still.render(1.5)
    np.testing.assert_array_equal(read_picture(still), before)
    assert still.repeats(1.5)


@pytest.mark.usefixtures("coarse_sky")
@pytest.mark.parametrize(
    "change",
    [
        lambda renderer: renderer.apply(with_values(renderer.settings, {"view.x": 1.0})),
        lambda renderer: renderer.apply(with_values(renderer.settings, {"sea.seed": 7}), blend=1.0),
        lambda renderer: renderer.apply(with_values(renderer.settings, {"sea.seed": 7}), background=True),
        lambda renderer: renderer.resize((32, 18)),
        lambda renderer: renderer.measure(True),
        lambda renderer: next(renderer.steps(1.5)),
        lambda renderer: setattr(shader_library(renderer.ctx), "reloads", 1),
    ],
    ids=["view", "blend", "sea being made", "size", "measurement", "abandoned frame", "reloaded shader"],
)
def test_a_frame_does_not_repeat_after_a_change(still, change):
    assert not still.repeats(2.0)
    assert still.repeats(1.5)
    change(still)
    assert not still.repeats(1.5)


@pytest.mark.usefixtures("coarse_sky")
def test_a_debug_view_repeats_once_the_values_under_the_pointer_are_read(still):
    still.apply(with_values(still.settings, {"stage.view": "jacobian"}))
    still.render(1.5)
    assert still.repeats(1.5)
    still.debug.pointer = 10, 5
    for _ in range(2):
        assert not still.repeats(1.5)
        still.render(1.5)
        still.ctx.finish()
    assert still.repeats(1.5)
    assert still.debug.reading(still.settings).pixel == (10, 5)


@pytest.mark.usefixtures("coarse_sky")
def test_frames_repeat_once_the_exposure_has_adapted(make_renderer):
    renderer = make_renderer("sky.metering=automatic", "sky.adaptation=0.5", size=(32, 18))
    seconds = 0
    renderer.render(1.0, elapsed=1.0)
    while not renderer.repeats(1.0):
        renderer.render(1.0, elapsed=1.0)
        seconds += 1
    assert 5 < seconds < 10
    before = read_picture(renderer)
    renderer.render(1.0, elapsed=10.0)
    apart = np.abs(read_picture(renderer).astype(int) - before)  # what is left of the adaptation may round a value up
    assert apart.max() <= 1
    assert apart.mean() < 0.01


@pytest.mark.usefixtures("coarse_sky")
@pytest.mark.parametrize("samples", [1, 4])
def test_a_smaller_scale_draws_less_and_keeps_the_size_of_the_picture(make_renderer, samples):
    """Samples and edges of the mesh follow the drawn size. Debug views, whose values are read, keep the full size."""
    renderer = make_renderer(f"view.samples={samples}", "view.edge_pixels=3", size=(96, 56))
    renderer.render(1.0)
    (triangles, all_samples, _), whole = renderer.surface.count_drawn(), renderer.programs
    renderer.apply(with_values(renderer.settings, {"view.scale": 0.5}))
    assert not renderer.repeats(1.0)
    renderer.render(1.0)
    assert (renderer.radiance.size, renderer.picture.size) == ((48, 28), (96, 56))
    assert renderer.programs != whole
    fewer, few_samples, _ = renderer.surface.count_drawn()
    assert fewer < 0.5 * triangles
    assert few_samples <= 0.5 * all_samples
    renderer.apply(with_values(renderer.settings, {"stage.view": "normals"}))
    renderer.render(1.0)
    assert renderer.debug.values.size == renderer.picture.size == (96, 56)
    renderer.apply(with_values(renderer.settings, {"view.scale": 1.0, "stage.view": "picture"}))
    renderer.resize((96, 56), 0.5)
    renderer.render(1.0)
    assert renderer.radiance.size == (48, 28)
