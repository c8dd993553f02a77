"""Exposure, bloom and tone mapping on the GPU against numpy."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.ndimage import convolve1d, zoom

from ocean.light.optics import LUMINANCE
from ocean.render.post import PostProcessing, pyramid
from ocean.settings import SkySettings, with_values
from tests.reference import picture

from .conftest import read_light, read_picture


def read(texture):
    width, height = texture.size
    return np.frombuffer(texture.read(), texture.dtype).reshape(height, width, 4)[..., :3].astype("f8")


def hdr(ctx, data):
    height, width, _ = data.shape
    full = np.concatenate([data, np.ones((height, width, 1))], axis=2).astype("f2")
    return ctx.texture((width, height), 4, full.tobytes(), dtype="f2")


def spread(ctx, data):
    """Return the bloom of a picture, at half its size."""
    source, post = hdr(ctx, data), PostProcessing(ctx)
    post.bloom(source)
    found = read(post.levels[0])
    post.release()
    source.release()
    return found


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(width=st.integers(3, 90), height=st.integers(3, 60), seed=st.integers(0, 99))
def test_bloom_keeps_the_mean(ctx, width, height, seed):
    """The mean of the bloom, and of the picture with any share of it, equals the mean of the light, at edges and with
    odd sizes too. The promise is 1e-3; float32 keeps 1e-5."""
    rng = np.random.default_rng(seed)
    data = rng.lognormal(0, 2, (height, width, 3)).clip(0, 500).astype("f2").astype("f8")
    np.testing.assert_allclose(spread(ctx, data).mean(axis=(0, 1)), data.mean(axis=(0, 1)), rtol=1e-5)
    np.testing.assert_allclose(spread(ctx, np.full((height, width, 3), 0.5)), 0.5, rtol=2e-3)


def test_a_point_of_light_spreads_around_itself(ctx):
    data = np.zeros((64, 64, 3))
    data[31:33, 31:33] = 1000.0
    glow = spread(ctx, data)[..., 1]
    assert (glow[4:28, 4:28] > 0).all()
    assert np.diff(glow[16, 16:]).max() <= 1e-3
    np.testing.assert_allclose(glow, glow[::-1, ::-1], rtol=5e-3)


def test_levels_halve_and_end():
    assert pyramid((320, 180))[:2] == [(160, 90), (80, 45)]
    assert min(pyramid((320, 180))[-1]) >= 4
    assert pyramid((1, 1)) == [(1, 1)]


@pytest.mark.parametrize("curve", ["agx", "aces"])
@pytest.mark.parametrize("bloom", [0.0, 0.2])
def test_the_tone_mapped_picture_agrees_with_the_reference(ctx, releasing, curve, bloom):
    """Random colours over 16 stops agree to one step of 255 for rounding and one for the noise. With bloom, the
    reference takes the mix of the GPU's pyramid, read back."""
    rng = np.random.default_rng(1)
    data = (rng.uniform(0, 1, (48, 64, 3)) * 2.0 ** rng.uniform(-9, 7, (48, 64, 1))).astype("f2").astype("f8")
    source = releasing(hdr(ctx, data))
    target = releasing(ctx.texture((64, 48), 4))
    post = releasing(PostProcessing(ctx))
    sky = SkySettings(bloom=bloom, tone_mapping=curve)
    if bloom:
        post.bloom(source)
    post.tone_map(sky, source, target)
    shown = np.frombuffer(target.read(), "u1").reshape(48, 64, 4)[..., :3] / 255
    mixed = (1 - bloom) * data + bloom * up(spread(ctx, data)) if bloom else data
    expected = getattr(picture, curve)(mixed)
    assert np.abs(shown - expected).max() < 2 / 255 + 1e-3


@pytest.mark.parametrize("drawn", [(64, 48), (57, 43), (33, 24), (3, 2), (1, 1)])
def test_an_enlarged_picture_agrees_with_the_reference(ctx, releasing, drawn):
    """Tolerances as above, with one more step for the sharpening, which at most doubles the rounding of float32."""
    rng, size = np.random.default_rng(2), (66, 48)
    data = rng.uniform(0, 2, (drawn[1], drawn[0], 3)).astype("f2").astype("f8")
    source, target, post = map(releasing, (hdr(ctx, data), ctx.texture(size, 4), PostProcessing(ctx)))
    post.tone_map(SkySettings(bloom=0), source, target)
    shown = np.frombuffer(target.read(), "u1").reshape(size[1], size[0], 4)[..., :3] / 255
    assert np.abs(shown - picture.enlarged(picture.agx(data), size)).max() < 3 / 255


@pytest.mark.parametrize("scale", [0.83, 0.67, 0.5])
@pytest.mark.usefixtures("coarse_sky")
def test_an_enlarged_sea_is_closer_to_the_full_picture_than_by_bilinear_interpolation(make_renderer, scale):
    renderer = make_renderer("view.samples=4", "view.edge_pixels=3", "view.altitude=3", "sky.bloom=0", size=(192, 108))
    renderer.render(1.0)
    full = read_picture(renderer) / 255
    renderer.resize(renderer.size, scale)
    renderer.render(1.0)
    assert renderer.targets.hdr.size == (2 * round(96 * scale), 2 * round(54 * scale))
    colours = picture.agx(read(renderer.radiance)[::-1])
    larger = np.divide(full.shape, colours.shape)
    shown = read_picture(renderer) / 255, zoom(colours, larger, order=1, mode="nearest", grid_mode=True)
    sharp, soft = (np.sqrt(np.mean((one - full) ** 2)) for one in shown)
    assert sharp < 0.99 * soft


def up(half):
    """Return a picture of twice the size, by repetition and [1 2 1] / 4 along both axes."""
    for axis in (0, 1):
        half = convolve1d(np.repeat(half, 2, axis=axis), [0.25, 0.5, 0.25], axis, mode="nearest")
    return half


def exposure_of(renderer):
    return np.frombuffer(renderer.light.light.read(), "f4").reshape(-1, 4)[4]


def test_manual_exposure_doubles_light_by_stops(make_renderer):
    factors = []
    for stops in (0, 3):
        renderer = make_renderer("sky.metering=manual", f"sky.exposure={stops}", size=(32, 18))
        renderer.render(0.0)
        factors.append(exposure_of(renderer)[0])
    assert factors[1] == pytest.approx(8 * factors[0])
    assert factors[0] == pytest.approx(picture.exposure_for(picture.DAY), rel=1e-5)


def test_automatic_exposure_adapts_in_its_time_and_to_its_target(make_renderer):
    """The metered luminance moves from noon to dusk by 1 - exp(-t / tau) of the stops each frame, and ends at the
    picture's log mean."""
    renderer = make_renderer("sky.metering=automatic", "sky.adaptation=2", "sky.sun_elevation=50", size=(64, 36))
    renderer.render(0.0, elapsed=0.0)
    noon = exposure_of(renderer)[1]
    renderer.render(0.0, elapsed=0.5)
    assert exposure_of(renderer)[1] == pytest.approx(noon, rel=0.02)
    renderer.apply(with_values(renderer.settings, {"sky.sun_elevation": -4.0}))
    adapted = []
    for _ in range(30):
        factor = exposure_of(renderer)[0]
        renderer.render(0.0, elapsed=0.5)
        adapted.append(exposure_of(renderer)[1])
    seen = 1e3 * 2 ** np.log2(np.maximum(read_light(renderer) @ LUMINANCE, 1e-6)).mean() / factor
    assert adapted[-1] == pytest.approx(seen, rel=0.1)
    left = np.log2(np.array([noon, *adapted[:6]]) / seen)
    np.testing.assert_allclose(left[1:] / left[:-1], np.exp(-0.5 / 2), rtol=0.06)
    assert exposure_of(renderer)[0] == pytest.approx(picture.exposure_for(adapted[-1]) / picture.BRIGHT, rel=1e-3)
