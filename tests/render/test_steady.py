"""A running frame makes nothing, waits for nothing and writes only what has changed, with everything measured."""

from collections import Counter

import moderngl
import pytest

from ocean.gpu.timing import PassTimers
from ocean.render.frame import FrameRenderer
from ocean.settings import load_settings

from ..conftest import gl_objects

SIZE = 64, 48
WARM, FRAMES = 12, 6


@pytest.fixture
def steady(ctx):
    """A renderer that has settled, with statistics and timers on."""
    renderer = FrameRenderer(ctx, load_settings(overrides=["fft.size=64", "foam.resolution=64"]), SIZE)
    renderer.measure(True)
    timers = PassTimers(ctx, "gpu")
    number = 0

    def frames(count):
        nonlocal number
        for _ in range(count):
            number += 1
            timers.begin(number)
            renderer.render(number / 30, timers=timers)
            timers.end()
            timers.collect()

    frames(WARM)
    yield frames
    timers.release()
    renderer.release()


def test_frames_allocate_nothing(ctx, steady):
    before = gl_objects(ctx)
    steady(FRAMES)
    assert gl_objects(ctx) == before


def test_frames_wait_for_nothing(monkeypatch, steady):
    def waits(*args, **kwargs):
        raise AssertionError("a frame waited for the GPU")

    monkeypatch.setattr(moderngl.Context, "finish", waits)
    for kind in (moderngl.Texture, moderngl.TextureArray, moderngl.Framebuffer):
        for name in ("read", "read_into"):
            monkeypatch.setattr(kind, name, waits)
    steady(FRAMES)


def test_uniforms_that_did_not_change_are_not_written(monkeypatch, steady):
    written = Counter()
    honest = moderngl.ComputeShader.__setitem__

    def note(program, key, value):
        written[program.label, key, str(value)] += 1
        honest(program, key, value)

    monkeypatch.setattr(moderngl.ComputeShader, "__setitem__", note)
    steady(FRAMES)
    again = {key: count for key, count in written.items() if count >= FRAMES}
    assert not again
