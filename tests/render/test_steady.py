"""A running frame allocates nothing, waits for nothing and writes only changed values, with all measurements on."""

from collections import Counter

import moderngl
import pytest

from ocean.gpu.context import Fence
from ocean.gpu.timing import PassTimers, TimestampQueries
from ocean.render.frame import FrameRenderer
from ocean.settings import load_settings
from ocean.validation.gauge import WaveGauge

from ..objects import gl_objects
from .conftest import make_tables_coarse

SIZE = 32, 24
SMALL = ["fft.size=32", "foam.resolution=64", "view.edge_pixels=40", "view.altitude=150", "view.far_pixels=4"]
WARM, FRAMES = 16, 3  # more than there are timers in flight, with several statistics


@pytest.fixture(scope="module")
def steady(context):
    """Return a function that draws frames of a warm renderer, with statistics, timers and strips of more cells. The
    sky's tables are small."""
    with pytest.MonkeyPatch.context() as patch:
        make_tables_coarse(patch)
        renderer = FrameRenderer(context, load_settings(overrides=SMALL), SIZE)
    renderer.gauge = WaveGauge(context, renderer.sea, refresh=0.0)  # measures in every frame
    timers = PassTimers(context, "gpu")
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
    assert len({strip.rows for strip in renderer.surface.samples.strips}) > 1
    yield frames
    timers.release()
    renderer.release()


def test_frames_allocate_nothing(ctx, steady):
    before = gl_objects(ctx)
    steady(FRAMES)
    assert gl_objects(ctx) == before


def test_frames_do_not_wait_for_the_gpu(ctx, monkeypatch, steady):
    def waits(*args, **kwargs):
        raise AssertionError("a frame waited for the GPU")

    monkeypatch.setattr(moderngl.Context, "finish", waits)
    for kind in (moderngl.Texture, moderngl.TextureArray, moderngl.Texture3D, moderngl.Framebuffer):
        for name in ("read", "read_into"):
            monkeypatch.setattr(kind, name, waits, raising=False)
    monkeypatch.setattr(Fence, "wait", waits)
    steady(FRAMES)


def test_frames_read_no_unfinished_answers(monkeypatch, steady):
    """The GPU has finished no frame: no fence has passed, and no query is ready."""

    def waits(*args, **kwargs):
        raise AssertionError("a frame waited for the GPU")

    monkeypatch.setattr(Fence, "passed", False)
    monkeypatch.setattr(TimestampQueries, "ready", lambda self, index: False)
    for name in ("read", "read_into"):
        monkeypatch.setattr(moderngl.Buffer, name, waits)
    monkeypatch.setattr(Fence, "wait", waits)
    monkeypatch.setattr(TimestampQueries, "nanoseconds", waits)
    steady(FRAMES)


GPU_WRITES = "view", "shading", "list of clouds", "number of cells with spray"
"""Blocks that the GPU changes too, because it lifts the eye and counts: each frame resets them."""


def test_unchanged_uniforms_are_not_written(ctx, monkeypatch, steady):
    held, again = {}, Counter()

    def note(kind):
        honest = kind.__setitem__

        def write(program, key, value):
            where = id(program), key
            again[program.label, key] += held.get(where) == str(value)
            held[where] = str(value)
            honest(program, key, value)

        monkeypatch.setattr(kind, "__setitem__", write)

    note(moderngl.ComputeShader)
    note(moderngl.Program)
    honest = moderngl.Buffer.write

    def write(buffer, data, offset=0):
        where = buffer.glo, offset
        if buffer.label not in GPU_WRITES:
            again[buffer.label, "block"] += held.get(where) == bytes(data)
        held[where] = bytes(data)
        honest(buffer, data, offset=offset)

    monkeypatch.setattr(moderngl.Buffer, "write", write)
    steady(FRAMES)
    assert len(held) > len(GPU_WRITES)
    assert not +again
