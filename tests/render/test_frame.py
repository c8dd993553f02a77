"""Whole frames: deterministic, at any size, with the horizon where it belongs."""

import numpy as np
import pytest

from ocean.gpu.timing import PassTimers
from ocean.settings import with_values

from .conftest import read_picture


def test_the_same_frames_give_the_same_picture(make_renderer):
    pictures = []
    for _ in range(2):
        renderer = make_renderer("sea.wind.speed=14")
        for time in (1.0, 1.5, 2.0):
            renderer.render(time)
        pictures.append(read_picture(renderer))
    np.testing.assert_array_equal(*pictures)


def test_the_default_view_has_its_horizon_between_35_and_50_percent(make_renderer):
    renderer = make_renderer()
    renderer.render(10.0)
    luminance = read_picture(renderer).astype(float).mean(axis=(1, 2))
    horizon = np.argmin(np.diff(luminance)) / len(luminance)
    assert 0.35 < horizon < 0.50


def test_every_pass_is_named_and_timed(make_renderer, ctx):
    renderer = make_renderer()
    timers = PassTimers(ctx, "wall")
    timers.begin(0)
    renderer.render(0.0, timers=timers)
    timers.end()
    (frame,) = timers.collect()
    sea = ["evolve+rows", "columns", "mip levels", "foam"]
    scene = ["sky tables", "environment", "ride", "mesh", "surface", "shading", "sky"]
    picture = [*scene, "exposure", "bloom", "tone mapping"]
    assert list(frame.passes) == sea + picture == [step.name for step in renderer.passes]
    timers.release()


@pytest.mark.parametrize("size", [(1, 1), (17, 300), (640, 20)])
def test_any_size_is_drawn(make_renderer, size):
    renderer = make_renderer()
    renderer.resize(size)
    renderer.render(0.0)
    assert renderer.picture.size == size


def test_a_window_without_pixels_keeps_its_size(make_renderer):
    renderer = make_renderer()
    renderer.resize((0, 0))
    renderer.render(0.0)
    assert renderer.picture.size == (320, 180)


def test_resizes_and_samples_between_frames_leave_nothing_behind(make_renderer, ctx):
    renderer = make_renderer(size=(32, 18))
    for i in range(30):
        renderer.resize((32 + i % 7, 18 + i % 5))
        renderer.apply(with_values(renderer.settings, {"view.samples": (1, 4)[i % 2]}))
        renderer.render(i / 30)
    assert ctx.error == "GL_NO_ERROR"


@pytest.mark.parametrize("values", [{"sea.wind.speed": 0.0}, {"sea.wind.speed": 40.0, "view.altitude": 30.0}])
def test_calm_and_hurricane_have_no_bad_pixel(make_renderer, values):
    renderer = make_renderer()
    renderer.apply(with_values(renderer.settings, values))
    for time in (0.0, 1.0):
        renderer.render(time)
    hdr = np.frombuffer(renderer._targets.hdr.read(), "f2").astype("f4")
    assert np.isfinite(hdr).all()


@pytest.mark.parametrize("elevation", [-8.0, 0.0, 90.0])
def test_the_sun_may_stand_anywhere(make_renderer, elevation):
    renderer = make_renderer(f"sky.sun_elevation={elevation}")
    renderer.render(0.0)
    hdr = np.frombuffer(renderer._targets.hdr.read(), "f2").astype("f4")
    assert np.isfinite(hdr).all()
    assert (hdr >= 0).all()
