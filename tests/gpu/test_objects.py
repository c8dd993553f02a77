"""The count of GPU objects behind the fixture `ctx`."""

from collections import Counter

import pytest

from ocean.gpu.context import release_framebuffer

from ..objects import gl_objects


@pytest.mark.parametrize("made_before", [0, 5000])
def test_leaked_objects_are_found_after_many_others(ctx, made_before):
    for _ in range(made_before):
        ctx.buffer(reserve=4).release()
        ctx.texture((1, 1), 1).release()
    before = gl_objects(ctx)
    texture, buffer, sampler = ctx.texture((4, 4), 4), ctx.buffer(reserve=16), ctx.sampler()
    framebuffer = ctx.framebuffer(texture)
    assert gl_objects(ctx) - before == Counter(Texture=1, Buffer=1, Sampler=1, Framebuffer=1)
    release_framebuffer(framebuffer)
    sampler.release()
    buffer.release()
    assert gl_objects(ctx) == before
