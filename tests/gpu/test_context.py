"""Contexts: limits, messages without one, and the count of GPU objects behind the fixture `ctx`."""

from collections import Counter

import moderngl
import pytest

from ocean.gpu import context
from tests.messages import naming

from ..objects import gl_objects


def test_a_gpu_that_is_not_there_is_refused_and_never_replaced_by_another():
    with pytest.raises(context.ContextError, match=r"egl: .* only EGL chooses a GPU by its number"):
        context.create_headless_context(99)


def test_a_missing_driver_is_an_error_that_lists_the_attempts(monkeypatch):
    def refuse(**arguments):
        raise Exception(f"no {arguments.get('backend', 'display')}")

    monkeypatch.setattr(moderngl, "create_context", refuse)
    with pytest.raises(context.ContextError, match=naming("egl: no egl platform default: no display")):
        context.create_headless_context()
    monkeypatch.setattr(context.sys, "platform", "darwin")
    assert "compute shaders" in context.platform_hint()


@pytest.mark.parametrize("made_before", [0, 5000])
def test_leaked_objects_are_found_after_many_others(ctx, made_before):
    for _ in range(made_before):
        ctx.buffer(reserve=4).release()
        ctx.texture((1, 1), 1).release()
    before = gl_objects(ctx)
    texture, buffer, sampler = ctx.texture((4, 4), 4), ctx.buffer(reserve=16), ctx.sampler()
    framebuffer = ctx.framebuffer(texture)
    assert gl_objects(ctx) - before == Counter(Texture=1, Buffer=1, Sampler=1, Framebuffer=1)
    context.release_framebuffer(framebuffer)
    context.release_all(sampler, buffer)
    assert gl_objects(ctx) == before
